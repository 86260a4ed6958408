#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draw docs/img/small_angles.svg from the output of the example of that name:

    build/examples/small_angles --csv | tools/plot_small_angles.py > docs/img/small_angles.svg
"""
import csv
import math
import sys

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 400, 86, 24, 46, 58
XMIN, XMAX, YMIN, YMAX = -9.0, 0.5, -1.0, 8.0
# line style differs as well as colour, so that the picture reads in grey and for the colour-blind
STYLES = [("#b34700", "7 4", "as printed"), ("#5e3c99", "2 3", "series below 1e-4"), ("#00786c", "", "liestep")]


def x_of(angle):
    return LEFT + (math.log10(angle) - XMIN) / (XMAX - XMIN) * (WIDTH - LEFT - RIGHT)


def y_of(error):
    value = max(math.log10(max(error, 1e-9)), YMIN)
    return HEIGHT - BOTTOM - (value - YMIN) / (YMAX - YMIN) * (HEIGHT - TOP - BOTTOM)


def tick(power):
    if power in (0, 1):
        return str(10**power)
    return f'10<tspan dy="-6" font-size="11">{power}</tspan>'


def main():
    rows = list(csv.reader(sys.stdin))[1:]
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="14">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
           f'<text x="{LEFT}" y="26" font-size="16">Error of the tangent map dexp on SO(3), in units of eps = 2.2e-16</text>']
    for power in range(int(XMIN), 1):
        x = x_of(10.0**power)
        out.append(f'<line x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{HEIGHT - BOTTOM}" stroke="#e4e4e4"/>')
        out.append(f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 22}" text-anchor="middle">{tick(power)}</text>')
    for power in range(int(YMIN), int(YMAX) + 1):
        y = y_of(10.0**power)
        out.append(f'<line x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}" stroke="#e4e4e4"/>')
        out.append(f'<text x="{LEFT - 8}" y="{y + 5:.1f}" text-anchor="end">{tick(power)}</text>')
    out.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 12}" text-anchor="middle">angle |w| in rad</text>')
    out.append(f'<text x="20" y="{(TOP + HEIGHT - BOTTOM) / 2}" text-anchor="middle" '
               f'transform="rotate(-90 20 {(TOP + HEIGHT - BOTTOM) / 2})">relative error / eps</text>')
    for k, (colour, dash, name) in enumerate(STYLES):
        points = " ".join(f"{x_of(float(r[0])):.1f},{y_of(float(r[k + 1])):.1f}" for r in rows)
        out.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"/>')
        x, y = WIDTH - RIGHT - 190, TOP + 22 + 22 * k
        out.append(f'<line x1="{x}" y1="{y - 5}" x2="{x + 40}" y2="{y - 5}" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"/>')
        out.append(f'<text x="{x + 50}" y="{y}">{name}</text>')
    out.append("</svg>")
    print("\n".join(out))


main()
