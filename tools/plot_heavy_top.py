#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draw docs/img/heavy_top.svg from the output of the example of that name:

    build/examples/heavy_top --csv | tools/plot_heavy_top.py > docs/img/heavy_top.svg
"""
import csv
import sys

import svgplot

rows = [[float(v) for v in row] for row in list(csv.reader(sys.stdin))[1:]]
names = ('sv, order 2', 'sv_suzuki4, order 4', 'RK4')
styles = (svgplot.STYLES[2], svgplot.STYLES[1], svgplot.STYLES[0])
print(svgplot.draw('Energy error of a tumbling heavy top, all with the same step of 0.1 s', 'time in 1000 s',
                   'relative error of the energy', (0, 100, 10, False), (-10, 2, 1, True),
                   [(name, styles[k], [(r[0] / 1000, r[k + 1]) for r in rows]) for k, name in enumerate(names)],
                   legend=(200, 22)))
