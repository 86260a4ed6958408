# SPDX-License-Identifier: MIT
"""Line plots as SVG: axes, grid, legend. Line styles differ as well as colours, so that they read in grey and by the
colour-blind."""
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


def text(x, y, words, anchor='start', size=14, colour='#222'):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" fill="{colour}">{words}</text>'


def stroke(style):
    colour, dash, *width = style
    return f'stroke="{colour}" stroke-width="{width[0] if width else 2}" stroke-dasharray="{dash}"'


class Panel:
    """One frame with axes; box: left, top, right, bottom in pixels; ranges: (low, high, tick step, is it logarithmic)."""

    def __init__(self, box, x_range, y_range):
        self.box = left, top, right, bottom = box
        self.x_axis = Axis(x_range[0], x_range[1], left, right, x_range[3])
        self.y_axis = Axis(y_range[0], y_range[1], bottom, top, y_range[3])
        self.x_step, self.y_step = x_range[2], y_range[2]

    def frame(self, x_label, y_label):
        left, top, right, bottom = self.box
        for x, words in self.x_axis.ticks(self.x_step):
            yield f'<line x1="{x:.1f}" y1="{top}" x2="{x:.1f}" y2="{bottom}" stroke="#e4e4e4"/>'
            if x_label:
                yield text(x, bottom + 22, words, 'middle')
        for y, words in self.y_axis.ticks(self.y_step):
            yield f'<line x1="{left}" y1="{y:.1f}" x2="{right}" y2="{y:.1f}" stroke="#e4e4e4"/>'
            yield text(left - 8, y + 5, words, 'end')
        middle = (top + bottom) / 2
        if x_label:
            yield text((left + right) / 2, bottom + 46, x_label, 'middle')
        yield f'<g transform="rotate(-90 20 {middle})">{text(20, middle, y_label, "middle")}</g>'

    def line(self, style, points):
        path = " ".join(f"{self.x_axis.place(x):.1f},{self.y_axis.place(y):.1f}" for x, y in points)
        return f'<polyline points="{path}" fill="none" {stroke(style)}/>'

    def labels(self, lines, gap=17):
        """The names of (name, style, points) right of the last point of each, moved apart where they would meet."""
        wanted = sorted((self.y_axis.place(points[-1][1]), name, style) for name, style, points in lines)
        places = [y for y, *_ in wanted]
        for _ in range(200):
            for i in range(len(places) - 1):
                overlap = gap - (places[i + 1] - places[i])
                if overlap > 0:
                    places[i] -= overlap / 2
                    places[i + 1] += overlap / 2
        right = self.box[2]
        for (_, name, style), y in zip(wanted, places):
            yield f'<line x1="{right + 8}" y1="{y:.1f}" x2="{right + 36}" y2="{y:.1f}" {stroke(style)}/>'
            yield text(right + 42, y + 5, name, colour=style[0])


def document(width, height, title, parts):
    head = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="14">',
            f'<rect width="{width}" height="{height}" fill="white"/>', text(LEFT, 26, title, size=16)]
    return "\n".join([*head, *parts, "</svg>"])


def draw(title, x_label, y_label, x_range, y_range, lines, legend=(190, 22)):
    """One panel with a legend inside; lines: (name, style, [(x, y)])."""
    panel = Panel((LEFT, TOP, WIDTH - RIGHT, HEIGHT - BOTTOM), x_range, y_range)
    out = list(panel.frame(x_label, y_label))
    for k, (name, style, points) in enumerate(lines):
        out.append(panel.line(style, points))
        x, y = WIDTH - RIGHT - legend[0], TOP + legend[1] + 22 * k
        out.append(f'<rect x="{x - 6}" y="{y - 17}" width="{legend[0]}" height="22" fill="white" fill-opacity="0.8"/>')
        out.append(f'<line x1="{x}" y1="{y - 5}" x2="{x + 40}" y2="{y - 5}" {stroke(style)}/>')
        out.append(text(x + 50, y, name))
    return document(WIDTH, HEIGHT, title, out)
