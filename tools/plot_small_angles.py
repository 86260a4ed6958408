#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draw docs/img/small_angles.svg from the output of the example of that name:

    build/examples/small_angles --csv | tools/plot_small_angles.py > docs/img/small_angles.svg
"""
import csv
import sys

import svgplot

rows = [[float(v) for v in row] for row in list(csv.reader(sys.stdin))[1:]]
names = ('as printed', 'series below 1e-4', 'liestep')
print(svgplot.draw('Error of the tangent map dexp on SO(3), in units of eps = 2.2e-16', 'angle |w| in rad',
                   'relative error / eps', (-9, 0.5, 1, True), (-1, 8, 1, True),
                   [(name, svgplot.STYLES[k], [(r[0], r[k + 1]) for r in rows]) for k, name in enumerate(names)]))
