#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draw what bench_engine writes, at one length of step:

    build/bench/bench_engine --csv engines.csv; tools/plot_engines.py engines.csv docs/img/engines.svg
"""
import csv
import math
import sys

import svgplot

STEP = 0.01  # s
# side and name: colour, dashes, width; widths and dashes tell them apart in grey
STYLES = {('MuJoCo', 'Euler'): ('#b34700', '2 3', 2), ('MuJoCo', 'implicit'): ('#b34700', '8 4', 2),
          ('MuJoCo', 'RK4'): ('#b34700', '', 2), ('plain', 'RK4 on q and w'): ('#666666', '6 3', 1.5),
          ('liestep', 'sv'): ('#5e3c99', '9 3 2 3', 2), ('liestep', 'gauss2'): ('#5e3c99', '', 1.5),
          ('liestep', 'kick and exact flow'): ('#00786c', '', 3)}
PROBLEMS = ('tumbling body', 'heavy top')
COLUMNS = (('energy', 'energy'), ('momentum', 'momentum'), ('attitude in rad', 'attitude [rad]'))
TITLE = f'In a robot engine and with liestep: errors, all with steps of {STEP} s'
LEFT, WIDTH, GAP, TOP, HEIGHT = 78, 330, 56, 78, 190


def lines_of(rows, column):
    """(name, style, points) of all that is drawn."""
    for (side, name), style in STYLES.items():
        points = [(float(row['time in s']), float(row[column])) for row in rows
                  if (row['side'], row['method']) == (side, name)]
        points = [(t, e) for t, e in points if math.isfinite(e)]
        if points:
            yield f'{side}: {name}' if side != 'plain' else name, style, points


def main():
    source, target = sys.argv[1:]
    with open(source, newline='', encoding='utf-8') as file:
        rows = [row for row in csv.DictReader(file) if float(row['step in s']) == STEP]
    out, legend = [], {}
    for j, problem in enumerate(PROBLEMS):
        left = LEFT + j * (WIDTH + GAP)
        out.append(svgplot.text(left + WIDTH / 2, TOP - 12, problem, 'middle', 15))
        for k, (column, label) in enumerate(COLUMNS):
            top = TOP + k * (HEIGHT + 22)
            panel = svgplot.Panel((left, top, left + WIDTH, top + HEIGHT), (0, 3, 1, True), (-16, 2, 4, True))
            out += panel.frame('time in s' if k + 1 == len(COLUMNS) else '', '' if j else label)
            mine = [row for row in rows if row['problem'] == problem]
            for name, style, points in lines_of(mine, column):
                out.append(panel.line(style, points))
                legend[name] = style
    foot = TOP + 3 * (HEIGHT + 22) + 50
    for i, (name, style) in enumerate(legend.items()):
        x, y = LEFT + (i % 3) * 240, foot + 22 * (i // 3)
        out.append(f'<line x1="{x}" y1="{y - 5}" x2="{x + 40}" y2="{y - 5}" {svgplot.stroke(style)}/>')
        out.append(svgplot.text(x + 50, y, name))
    with open(target, 'w', encoding='utf-8') as file:
        file.write(svgplot.document(LEFT + 2 * WIDTH + GAP + 24, foot + 22 * 2 + 24, TITLE, out) + '\n')
    print(f'picture: {target}')


main()
