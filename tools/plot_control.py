#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draw what the examples control_*.c write: one column of panels for every case, inputs and velocities against time, and,
where there are poses, the path from the side with the body's axes along it.

    build/examples/control_vehicle path.csv; tools/plot_control.py path.csv picture.svg "Title"
"""
import csv
import itertools
import math
import sys

import svgplot

COLOURS = ['#b34700', '#5e3c99', '#00786c', '#1f6fb4', '#7a7a00', '#a0307a']
DASHES = ['', '7 4', '2 3', '9 3 2 3', '12 3', '4 2']
NAMES = {'u': 'inputs', 'w': 'rates in rad/s', 'v': 'velocity in m/s', 'p': 'multipliers', 'b': 'torquers in N m',
         'h': 'wheels in N m s', 'x': 'position in m', 's': 'axis of sight in space',
         'a': 'angle from the sun in deg'}
WIDTH, HEIGHT, GAP = 330, 190, 40


def nice(low, high):
    """A range around the values with round ticks."""
    span = max(high - low, 1e-9)
    step = 10 ** math.floor(math.log10(span))
    step = next(step * f for f in (0.2, 0.5, 1, 2) if span / (step * f) <= 6)
    return math.floor(low / step - 0.05) * step, math.ceil(high / step + 0.05) * step, step, False


def panel(box, rows, columns, label, last):
    times = [float(row['t']) for row in rows]
    values = [[float(row[c]) for row in rows] for c in columns]
    flat = list(itertools.chain(*values))
    frame = svgplot.Panel(box, (0, times[-1], nice(0, times[-1])[2], False), nice(min(flat), max(flat)))
    lines = [(name, (COLOURS[k], DASHES[k], 1.6), list(zip(times, v))) for k, (name, v) in enumerate(zip(columns, values))]
    yield from frame.frame('time in s' if last else '', '')
    yield svgplot.text(box[0], box[1] - 6, label, size=13)
    yield from (frame.line(style, points) for _, style, points in lines)
    yield from frame.labels(lines, 15)


def project(x, y, z):
    """Seen obliquely from above."""
    return x + 0.35 * y, z + 0.45 * y


def strip(box, rows):
    left, top, right, bottom = box
    points = [project(*(float(row[c]) for c in 'xyz')) for row in rows]
    spread = [max(p[i] for p in points) - min(p[i] for p in points) for i in (0, 1)]
    scale = min((right - left) / (spread[0] + 0.5), (bottom - top) / (spread[1] + 0.5))
    middle = [(max(p[i] for p in points) + min(p[i] for p in points)) / 2 for i in (0, 1)]

    def place(p):
        return (left + right) / 2 + scale * (p[0] - middle[0]), (top + bottom) / 2 - scale * (p[1] - middle[1])

    yield svgplot.text(left, top - 6, 'poses along the path: axes x, y, z of the body', size=13)
    path = ' '.join('{:.1f},{:.1f}'.format(*place(p)) for p in points)
    yield f'<polyline points="{path}" fill="none" stroke="#888" stroke-width="1.2"/>'
    for row in rows[::4]:
        at = [float(row[c]) for c in 'xyz']
        for axis, size in ((0, 0.3), (1, 0.15), (2, 0.15)):
            tip = [at[i] + size * float(row[f'R{i + 1}{axis + 1}']) for i in range(3)]
            (a, b), (c, d) = place(project(*at)), place(project(*tip))
            yield (f'<line x1="{a:.1f}" y1="{b:.1f}" x2="{c:.1f}" y2="{d:.1f}" stroke="{COLOURS[axis]}" '
                   f'stroke-width="{2.4 - 0.6 * axis}"/>')


def main():
    source, target, title = sys.argv[1:]
    with open(source, newline='', encoding='utf-8') as file:
        rows = list(csv.DictReader(file))
    first = next(iter(rows[0]))
    cases = [(name, list(group)) for name, group in itertools.groupby(rows, key=lambda row: row[first])] \
        if first != 't' else [('', rows)]
    kinds = [k for k in NAMES if f'{k}1' in rows[0]]
    out, height, poses = [], HEIGHT + GAP, 'R11' in rows[0]
    for i, (name, group) in enumerate(cases):
        left = 60 + i * (WIDTH + 130)
        out.append(svgplot.text(left, 52, name, size=15))
        for k, kind in enumerate(kinds):
            top = 78 + k * height
            columns = [c for c in rows[0] if c[0] == kind and c[1:].isdigit()]
            out += panel((left, top, left + WIDTH, top + HEIGHT), group, columns, NAMES[kind], k + 1 == len(kinds))
        if poses:
            top = 124 + len(kinds) * height
            out += strip((left, top, left + WIDTH, top + HEIGHT + 40), group)
    total = 100 + (len(kinds) + (1.3 if poses else 0)) * height + 30
    with open(target, 'w', encoding='utf-8') as file:
        file.write(svgplot.document(60 + len(cases) * (WIDTH + 130), round(total), title, out) + '\n')
    print(f'picture: {target}')


main()
