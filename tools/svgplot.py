# SPDX-License-Identifier: MIT
"""A line plot as SVG: axes, grid, legend. Line styles differ as well as colours, so that it reads in grey."""
import math

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 400, 86, 24, 46, 58
STYLES = [("#b34700", "7 4"), ("#5e3c99", "2 3"), ("#00786c", "")]


class Axis:
    """Values between low and high on pixels first to last; logarithmic axes count in powers of ten."""

    def __init__(self, low, high, first, last, log):
        self.low, self.high, self.first, self.last, self.log = low, high, first, last, log

    def place(self, value):
        value = math.log10(max(value, 1e-300)) if self.log else value
        value = min(max(value, self.low), self.high)
        return self.first + (value - self.low) / (self.high - self.low) * (self.last - self.first)

    def ticks(self, step):
        count = math.floor((self.high - self.low) / step + 1e-9)
        for k in range(count + 1):
            at = self.low + k * step
            yield self.place(10.0**at if self.log else at), power(round(at)) if self.log else f'{at:g}'


def power(exponent):
    if exponent in (0, 1):
        return str(10**exponent)
    return f'10<tspan dy="-6" font-size="11">{exponent}</tspan>'


def draw(title, x_label, y_label, x_range, y_range, lines, legend=(190, 22)):
    """x_range, y_range: (low, high, tick step, is it logarithmic); lines: (name, style, [(x, y)])."""
    x_axis = Axis(x_range[0], x_range[1], LEFT, WIDTH - RIGHT, x_range[3])
    y_axis = Axis(y_range[0], y_range[1], HEIGHT - BOTTOM, TOP, y_range[3])
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="14">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
           f'<text x="{LEFT}" y="26" font-size="16">{title}</text>']
    for x, text in x_axis.ticks(x_range[2]):
        out.append(f'<line x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{HEIGHT - BOTTOM}" stroke="#e4e4e4"/>')
        out.append(f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 22}" text-anchor="middle">{text}</text>')
    for y, text in y_axis.ticks(y_range[2]):
        out.append(f'<line x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}" stroke="#e4e4e4"/>')
        out.append(f'<text x="{LEFT - 8}" y="{y + 5:.1f}" text-anchor="end">{text}</text>')
    middle = (TOP + HEIGHT - BOTTOM) / 2
    out.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 12}" text-anchor="middle">{x_label}</text>')
    out.append(f'<text x="20" y="{middle}" text-anchor="middle" transform="rotate(-90 20 {middle})">{y_label}</text>')
    for k, (name, (colour, dash), points) in enumerate(lines):
        path = " ".join(f"{x_axis.place(x):.1f},{y_axis.place(y):.1f}" for x, y in points)
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"/>')
        x, y = WIDTH - RIGHT - legend[0], TOP + legend[1] + 22 * k
        out.append(f'<rect x="{x - 6}" y="{y - 17}" width="{legend[0]}" height="22" fill="white" fill-opacity="0.8"/>')
        out.append(f'<line x1="{x}" y1="{y - 5}" x2="{x + 40}" y2="{y - 5}" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"/>')
        out.append(f'<text x="{x + 50}" y="{y}">{name}</text>')
    out.append("</svg>")
    return "\n".join(out)
