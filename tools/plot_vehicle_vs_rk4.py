#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draw what the example of that name writes:

    build/examples/vehicle_vs_rk4 errors.csv; tools/plot_vehicle_vs_rk4.py errors.csv picture.svg
"""
import csv
import itertools
import sys

import svgplot

# method: colour, width, and the dashes of its first, second and third step; widths tell them apart in grey
STYLES = {'RK4': ('#b34700', 1.5, ('', '7 4', '2 3')), 'ep': ('#00786c', 3, ('', '7 4')), 'sv_suzuki4': ('#5e3c99', 2, ('9 3 2 3',))}
PANELS = [('energy', 'relative error of the energy', (-8, 0, 2, True)),
          ('|P|', 'relative error of |P|', (-16, 0, 4, True))]
TITLE = 'A tumbling underwater vehicle: errors in what it should conserve'


def lines_of(rows, column):
    """(name, style, points) of every method and step."""
    seen = {}
    for (method, step), group in itertools.groupby(rows, key=lambda row: (row['method'], row['step in s'])):
        k = seen[method] = seen.get(method, -1) + 1
        points = [(float(row['time in s']), float(row[column])) for row in group]
        colour, width, dashes = STYLES[method]
        yield f'{method}, h = {step} s', (colour, dashes[k], width), points


def main():
    source, target = sys.argv[1:]
    with open(source, newline='', encoding='utf-8') as file:
        rows = list(csv.DictReader(file))
    out, width, height, right = [], 760, 560, 554
    for k, (column, what, y_range) in enumerate(PANELS):
        top = 44 + 234 * k
        panel = svgplot.Panel((svgplot.LEFT, top, right, top + 214), (0, 4000, 500, False), y_range)
        lines = list(lines_of(rows, column))
        out += panel.frame('time in s' if k + 1 == len(PANELS) else '', what)
        out += [panel.line(style, points) for _, style, points in lines]
        out += panel.labels(lines)
    with open(target, 'w', encoding='utf-8') as file:
        file.write(svgplot.document(width, height, TITLE, out) + '\n')
    print(f'picture: {target}')


main()
