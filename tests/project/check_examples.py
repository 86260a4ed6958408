#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Run an example and check what it prints: against closed formulas, and against the equations integrated here by RK4.

    check_examples.py PROGRAM

Each function is named after an example, looks at its output and answers how many lines that should have.
"""
import csv
import math
import operator
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
PLOT = pathlib.Path(__file__).resolve().parents[2] / 'tools/plot_vehicle_vs_rk4.py'


def rows(text, first):
    """The numbers of every line that begins with `first` (a pattern), units left out."""
    found = [line for line in text.splitlines() if re.match(rf'\s*{first}\b', line)]
    return [[float(x) for x in re.findall(r'(?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]\d+)?\b', line)] for line in found]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def rk4(rate, y, h, steps):
    for _ in range(steps):
        k, total = [0.0] * len(y), [0.0] * len(y)
        for node, weight in ((0, 1), (h / 2, 2), (h / 2, 2), (h, 1)):
            k = rate([a + node * b for a, b in zip(y, k)])
            total = [a + weight * b for a, b in zip(total, k)]
        y = [a + h / 6 * b for a, b in zip(y, total)]
    return y


def attitude_step(text):
    inertia, torque = (1.2, 2.0, 2.6), (0.2, 0.5, -0.1)
    w = rk4(lambda w: [(m + t) / i for m, t, i in zip(cross([a * b for a, b in zip(inertia, w)], w), torque, inertia)],
            [0.1, -0.2, 0.3], 0.01, 1000)
    for name, bound in (('rk4', 1e-3), ('stateless', 1e-4), ('kept', 1e-4)):
        t, *found = rows(text, name)[0]
        assert t == 10 and math.dist(found, w) < bound, (name, found, w)
    for name, momentum, energy in (('stateless', 1e-11, 1e-11), ('kept', 1e-12, 1e-13)):
        table = rows(text, name)[1:]
        assert [row[0] for row in table] == [100, 1000, 10000, 100000], table
        assert all(row[1] < momentum and abs(row[2]) < energy for row in table), table
    last = rows(text, 'rk4')[-1]
    assert 1e-3 < last[1] < 1e-2 and -1e-2 < last[2] < -1e-3, last
    return 16


def kick_and_flow(text):
    inertia, n = (120.0, 100.0, 80.0), 0.0011

    def rate(y):
        t, (a, b, c, d), m = y[0], y[1:5], y[5:]
        w = [x / i for x, i in zip(m, inertia)]
        down = (-math.cos(n * t), -math.sin(n * t), 0)
        axes = ((a * a + b * b - c * c - d * d, 2 * (b * c + a * d), 2 * (b * d - a * c)),  # of the body, in space
                (2 * (b * c - a * d), a * a - b * b + c * c - d * d, 2 * (c * d + a * b)),
                (2 * (b * d + a * c), 2 * (c * d - a * b), a * a - b * b - c * c + d * d))
        r = [sum(map(operator.mul, axis, down)) for axis in axes]
        torque = [3 * n * n * x for x in cross(r, list(map(operator.mul, inertia, r)))]
        turn = [-b * w[0] - c * w[1] - d * w[2], a * w[0] + c * w[2] - d * w[1],
                a * w[1] + d * w[0] - b * w[2], a * w[2] + b * w[1] - c * w[0]]
        return [1.0, *(x / 2 for x in turn), *(map(operator.add, cross(m, w), torque))]

    q = rk4(rate, [0.0, 1.0, 0.0, 0.0, 0.0, 3.6, 8.0, -1.6], 0.5, 2000)[1:5]
    bounds = (('kick and flow', 3e-5, 2e-6), ('RK4, held', 1e-3, 5e-2), ('RK4, stages', 3e-5, 1e-5))
    for name, attitude, energy in bounds:
        table = rows(text, name)
        assert [row[0] for row in table] == [1000, 86400, 864000], table
        assert math.dist(table[0][1:5], q) < attitude, (name, table[0], q)
        assert all(abs(row[5]) < energy for row in table), (name, table)
    assert rows(text, 'RK4, held')[-1][5] < -1e-2 and math.dist(rows(text, 'RK4, held')[0][1:5], q) > 1e-4
    return 1 + 9


def own_discrete(text):
    inertia, r, weight, h, w = (1.2, 0.9, 0.5), (0.1, -0.05, -0.4), 2.0 * 9.81, 0.01, (0.5, -1.0, 2.0)

    def torque(up):
        return [-weight * x for x in cross(r, up)]

    def rate(y):
        m, up = y[:3], y[3:]
        v = [a / i for a, i in zip(m, inertia)]
        return [*map(operator.add, cross(m, v), torque(up)), *cross(up, v)]

    # p0 = vee(W Jd - Jd W^T)/h - (h/2) F of W = exp(h w): its part along w is I w sin/x, across it
    # w x I w (1 - cos)/x^2
    x = h * math.hypot(*w)
    mu = [i * a for i, a in zip(inertia, w)]
    along = [math.sin(x) / x * a for a in mu]
    across = [h * (1 - math.cos(x)) / x ** 2 * a for a in cross(w, mu)]
    p0 = [a + b - h / 2 * f for a, b, f in zip(along, across, torque((0, 0, 1)))]
    assert math.dist(rows(text, 'momentum at')[0], p0) < 2e-9, p0
    assert rows(text, 'sv with')[0][-1] < 1e-11
    table = rows(text, r'\d+')
    assert [row[0] for row in table] == [1, 200, 400, 600, 800, 1000], table
    assert math.dist(table[0][1:4], rk4(rate, [*p0, 0, 0, 1], 0.001, 1000)[3:]) < 2e-4, table[0]
    assert all(abs(row[4]) < 1e-3 and abs(row[5]) < 1e-10 and abs(row[6] + 6.2405) < 1e-3 for row in table), table
    return 3 + 6


def own_group(text):
    assert float(re.search(r'force against potential: (\S+)', text).group(1)) < 1e-9
    for name, order, error in (('sv', 2, 1e-3), ('gauss2', 4, 6e-7)):
        table = rows(text, name)
        assert [row[0] for row in table] == [25, 50, 75, 100], table
        for t, x, y, off, energy, momentum in table:
            a, b = (0.75 + sign * math.sqrt(0.75 ** 2 + 0.3) for sign in (1, -1))
            share = (0.4 - b) / (a - b)
            exact = [share * f(a * t) + (1 - share) * f(b * t) for f in (math.cos, math.sin)]
            assert abs(math.dist((x, y), exact) - off) < 1e-5 + 0.05 * off, (t, x, y, off, exact)
            assert off < error * t and momentum == 0.0, (name, off)
            assert abs(energy) < (1e-3 if order == 2 else 1e-11), (name, energy)
    return 8 + 2


def spacecraft_wheels(text):
    tumble, recovery = text.split('recovery:')
    flips = [row[2] for row in rows(tumble, r'\d+ s')]
    assert len(flips) == 6 and max(flips) > 13 and min(flips) < -13, flips
    assert all(row[4] < 1e-13 and abs(row[5]) < 1e-4 for row in rows(tumble, r'\d+ s')), tumble
    inertia, w = (600, 800, 1000), [0.0025, 0.25, 0.0]
    for row in rows(tumble, r'\d+ s'):
        w = rk4(lambda w: [m / i for m, i in zip(cross([a * b for a, b in zip(inertia, w)], w), inertia)],
                w, 0.05, 1200)
        assert math.dist(row[1:4], [math.degrees(x) for x in w]) < 0.15, (row, w)
    table = rows(recovery, r'\d+ s')
    assert len(table) == 11, recovery
    for t, wheel, angle, theory, rate, momentum in table:
        assert abs(wheel - 200 * t / 20000) < 0.01 and momentum < 1e-12, (t, wheel, momentum)
        assert abs(angle - theory) < (0.5 if theory > 10 else 6), (t, angle, theory)
    assert table[0][4] > 11 and table[-1][4] < 1, 'the body does not come to a stop'
    return len(flips) + len(table) + 2


def turn(axis, v):
    """Rodrigues: exp(hat(axis)) v."""
    angle = math.hypot(*axis)
    u = [x / angle for x in axis]
    along, side = (1 - math.cos(angle)) * sum(a * b for a, b in zip(u, v)), cross(u, v)
    return [math.cos(angle) * a + math.sin(angle) * b + along * c for a, b, c in zip(v, side, u)]


def normals(seed):
    """splitmix64 and Box-Muller, as in the example."""
    def uniform():
        nonlocal seed
        z = seed = (seed + 0x9e3779b97f4a7c15) % 2 ** 64
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9 % 2 ** 64
        z = (z ^ z >> 27) * 0x94d049bb133111eb % 2 ** 64
        return (((z ^ z >> 31) >> 11) + 0.5) / 2 ** 53
    while True:
        radius = math.sqrt(-2 * math.log(uniform()))
        yield radius * math.cos(2 * math.pi * uniform())


def symmetric_body(z, times):
    """Angles of the nozzle at these times, exactly: from e3, and from the momentum M, which is constant in space."""
    A, C, nozzle = 1200 * (1 + 0.01 * z[0]), 300 * (1 + 0.01 * z[1]), [0, 0, 1]
    p = [math.radians(0.2 * z[2]), math.radians(0.2 * z[3]), 1]
    p = [x / math.hypot(*p) for x in p]
    w = [math.radians(0.5 * z[4]), math.radians(0.5 * z[5]), 3 * (1 + 0.01 * z[6])]
    along = sum(a * b for a, b in zip(p, w))
    M = [A * a + (C - A) * along * b for a, b in zip(w, p)]
    for t in times:
        v = turn([t * (1 / C - 1 / A) * C * along * x for x in p], nozzle) if t else nozzle
        v = turn([t * x / A for x in M], v) if t else nozzle
        yield [math.degrees(math.atan2(math.hypot(*cross(v, u)), sum(map(operator.mul, v, u)))) for u in (nozzle, M)]


def spacecraft_dispersions(text):
    table, random = rows(text, r'\d+ +\d+\.\d{5}'), normals(1)
    times = [12 * k for k in range(11)]
    assert [row[0] for row in table] == times, table
    exact = [list(symmetric_body([next(random) for _ in range(7)], times)) for _ in range(2000)]
    for k, (_, *printed) in enumerate(table):
        wanted = [f(craft[k][i] for craft in exact) for i in (0, 1) for f in (statistics.fmean, statistics.stdev)]
        assert math.dist(printed, wanted) < 2e-5, (table[k], wanted)
    bins = rows(text, r'\d\.\d\d to')
    assert len(bins) == 16 and [row[:2] for row in bins] == [[k / 4, (k + 1) / 4] for k in range(16)], bins
    for low, high, count in bins:
        assert abs(count - sum(low <= craft[-1][0] < high for craft in exact)) <= 1, (low, high, count)
    assert sum(row[2] for row in bins) + rows(text, 'beyond')[0][0] == 2000, text
    assert re.search(r'^2000 trajectories, [1248] in a vector, .*: same bits$', text, re.M), text
    return 1 + 11 + 1 + 16 + 1 + 1


def feedback_loop(text):
    attitude, station = text.split('station:')
    table = rows(attitude, r'\d+\.\d s')
    assert len(table) == 9 and table[0][1] > 177 and table[-1][1] < 1e-3, table
    assert all(b[2] < a[2] for a, b in zip(table, table[1:])), 'the Lyapunov function does not fall'
    table = rows(station, r'\d+\.\d s')
    assert len(table) == 9 and table[0][1] > 2.9 and abs(table[-1][1] - 0.25) < 1e-4 and table[-1][2] < 1e-3, table
    return 20


def control_attitude(text):
    table = rows(text, r'\d+')[:7]
    costs = [row[2] for row in table]
    assert [row[0] for row in table] == [8, 16, 32, 64, 128, 256, 512], table
    assert all(row[1] <= 6 and row[4] < 1e-10 and row[5] < 1e-10 for row in table), table
    ratio = (costs[-3] - costs[-2]) / (costs[-2] - costs[-1])
    assert abs(ratio - 4) < 0.02, ratio
    # the continuous optimum by shooting (tests/control/test_control.c): Richardson from the last two
    assert abs(costs[-1] + (costs[-1] - costs[-2]) / 3 - 3.453354425) < 1e-7, costs
    extremals = rows(text, 'cost')
    assert len(extremals) == 4 and extremals[1][0] > 2 * extremals[0][0], extremals
    assert abs(extremals[2][0] - extremals[3][0]) < 2e-6, extremals
    return 8 + 6


def control_vehicle(text):
    lines = [line for line in text.splitlines() if 'iterations' in line]
    assert [line.split()[0] for line in lines] == ['reconfiguration', 'parallel', 'flip'], lines
    assert 'bent' in lines[1] and 'line' in lines[0] and 'line' in lines[2], lines
    for line in lines:
        count = int(re.search(r'(\d+) iterations', line).group(1))
        residual, unforced, off = (float(re.search(word + r' (\S+?)(,|$)', line).group(1))
                                   for word in ('residual', 'along y', 'off by'))
        assert 4 <= count <= 20 and residual < 1e-10 and unforced < 1e-12 and off < 1e-10, line
    return 6


def control_fuel(text):
    [[effort, *_], [fuel, iterations, bound, off, between, wrong]] = rows(text, 'least')
    assert fuel < 0.85 * effort and bound + off + between == 202 and between <= 8 and wrong == 0, text
    return 2


def control_pointing(text):
    plain, avoided = rows(text, 'effort')
    lines = [line for line in text.splitlines() if 'iterations' in line]
    assert all('worst none' in line for line in lines), lines
    assert all(float(re.search(r'residual (\S+)', line).group(1)) < 1e-10 for line in lines), lines
    assert avoided[0] < 3 * plain[0] and plain[1] < 1 and avoided[1] > 15, (plain, avoided)
    assert plain[2] < 1e-10 and avoided[2] < 1e-10, (plain, avoided)
    return 4


def control_wheels(text):
    [[iterations, cost, residual, motors, torquers, count]] = rows(text, r'\d+ iterations')
    assert residual < 1e-10 and 10 <= motors < count, text
    before, after, given, flown = re.findall(r'[(](.*?)[)]', text) + [re.search(r'flown: off by (\S+)', text).group(1)]
    given = [float(x) for x in given.split(',')]
    assert [float(x) for x in before.split(',')] == [-x for x in given] == [4, -3, 2], text
    assert all(float(x) < 1e-9 for x in after.split(',')) and float(flown) < 1e-10, text
    return 4


def control_spline(text):
    table = rows(text, r'\d+')
    assert [row[0] for row in table] == [8, 16, 32, 64, 128] and all(row[3] < 1e-13 for row in table), table
    # 1/2 int |x''|^2 of the cubic between the ends of the example
    T, ends = 2.0, ((0, 2, 0.5, 0), (0, 1, -0.5, 1))
    exact = sum((6 * (b - a) ** 2 / T ** 3 - 6 * (b - a) * (v + w) / T ** 2 + 2 * (v * v + v * w + w * w) / T)
                for a, b, v, w in ends)
    assert abs((table[-2][1] - exact) / (table[-1][1] - exact) - 4) < 0.02, (table, exact)
    assert abs(table[-2][2] / table[-1][2] - 4) < 0.1, table
    return 7


def own_potential(text):
    [[right], [wrong, row, given, expected]] = rows(text, 'force') + rows(text, 'wrong force')
    assert right < 1e-8 and wrong > 0.01 and row == 2 and abs(given + expected) < 1e-5 < abs(given), text
    orders = {'ve_fwd': 1, 'sv': 2, 'midpoint': 2, 'gauss2': 4, 'sv_suzuki4': 4, 'gauss3': 6, 'sv_kahanli6': 6}
    for name, order in orders.items():
        [[*_, slope]] = rows(text, name)
        assert abs(slope - order) < 0.15, (name, slope)
    return len(orders) + 3


def own_form(text):
    """In the inertial frame: pi' = pi x w + a x l, a' = a x w, w = I^-1 (pi - s), without the table."""
    inertia, weight, wheel, rate, start = (1.2, 1.5, 0.5), (0.2, -0.1, 3.0), (0.1, 0.0, 0.8), 0.6, (0.7, -0.4, 0.9)
    a = [-2 * 0.8 * 0.48, 2 * 0.8 * 0.36, 0.8**2 - 0.36**2 - 0.48**2]
    pi = [i * (x + rate * up) + s for i, x, up, s in zip(inertia, start, a, wheel)]

    def slopes(y):
        w = [(m - s) / i for m, s, i in zip(y, wheel, inertia)]
        return [p + q for p, q in zip(cross(y[:3], w), cross(y[3:], weight))] + cross(y[3:], w)

    energy = sum(i * (x * x - (rate * up)**2) / 2 + (l - rate * s) * up
                 for i, x, up, l, s in zip(inertia, start, a, weight, wheel))
    momentum = sum(map(operator.mul, a, pi))
    vertical = rk4(slopes, pi + a, 0.002, 5000)[3:]
    [[right], [wrong], *_] = rows(text, 'form') + rows(text, 'wrong form')
    assert right < 1e-12 and wrong > 0.1, text
    ends = []
    for name in ('numbers', 'by hand'):
        [[*end, E, energy_off, J, momentum_off], [lanes, most]] = rows(text, name)
        assert math.dist(end, vertical) < 6e-3, (name, vertical)  # of order h^2: 3e-4 with a quarter of the step
        assert abs(E - energy) < 1e-8 and abs(J - momentum) < 1e-8, (name, energy, momentum)
        assert energy_off < 1e-3 and momentum_off < 1e-13 and lanes == (most if name == 'numbers' else 1), (name, text)
        ends.append(end)
    assert ends[0] == ends[1] and text.count('the same bits') == 2, text
    return 6


def own_method(text):
    error = {}
    for name, order in {'sv': 2, 'mine': 2, 'mine4': 4}.items():
        [[_, error[name]], *ratios] = rows(text, name)
        assert len(ratios) == 2 and all(abs(row[-1] - order) < 0.05 for row in ratios), (name, ratios)
    # the one force in the middle serves better
    assert error['mine4'] < 1e-4 * error['mine'] < 1e-4 * 0.5 * error['sv'], error
    [[steps, exponent, energy, momentum]] = rows(text, 'after')
    # the motion is chaotic and the energy oscillates by 2e-6: where in this band a run ends is chance
    assert (steps, exponent) == (10, 5) and energy < 5e-6 and momentum < 1e-11, text
    assert 'restart: the same bits' in text, text
    return 11


def inverse(matrix):
    """Gauss-Jordan, for a positive definite matrix."""
    n = len(matrix)
    work = [list(row) + [float(i == j) for j in range(n)] for i, row in enumerate(matrix)]
    for i in range(n):
        work[i] = [x / work[i][i] for x in work[i]]
        for j in range(n):
            if j != i:
                work[j] = [x - work[j][i] * y for x, y in zip(work[j], work[i])]
    return [row[n:] for row in work]


def vehicle_rate(y, thrust):
    """Newton and Euler for the vehicle of the example: y = (third row of R, which feels gravity; omega, v)."""
    inertia = [[2.2, 0, -.1, 0, .3, 0], [0, 6.1, 0, -.3, 0, 1.2], [-.1, 0, 6.4, 0, -1.2, 0], [0, -.3, 0, 33, 0, .4],
               [.3, 0, -1.2, 0, 61, 0], [0, 1.2, 0, .4, 0, 64]]
    vehicle_rate.inverse = getattr(vehicle_rate, 'inverse', None) or inverse(inertia)
    up, xi = y[:3], y[3:]
    w, v = xi[:3], xi[3:]
    m = [sum(a * b for a, b in zip(row, xi)) for row in inertia]
    force = [a + b for a, b in zip(cross(m[:3], w), cross(m[3:], v))] + cross(m[3:], w)
    righting = cross([0, 0, -0.10], [-299 * x for x in up])
    for i, (linear, quadratic) in enumerate(zip((2, 8, 8, 3, 20, 20), (1.2, 9, 9, 4, 90, 90))):
        force[i] += (righting[i] if i < 3 else 0) - linear * xi[i] - quadratic * abs(xi[i]) * xi[i]
    force[2] += -0.2 * thrust[0] + 0.2 * thrust[1]
    force[3] += thrust[0] + thrust[1]
    return cross(up, w) + [sum(a * b for a, b in zip(row, force)) for row in vehicle_rate.inverse]


def vehicle_thrusters(text):
    table = rows(text, r'\d+\.0')
    assert len(table) == 16, table
    y = [0.0, 0.0, 1.0] + [0.0] * 6
    for t, *_, ahead, turn, upright in table:
        thrust = (12, 12) if t <= 20 else (12, -6) if t <= 30 else (0, 0)
        y = rk4(lambda y, u=thrust: vehicle_rate(y, u), y, 0.05, 100)
        assert abs(ahead - y[6]) < 2e-3 and abs(turn - math.degrees(y[5])) < 0.05 and abs(upright - y[2]) < 2e-3, (t, y)
    assert min(row[-1] for row in table) < 0.7, 'the Munk moment does not pitch it'
    assert table[-1][4] < 0.002 and abs(table[-1][-1] - 1) < 1e-5, 'it is not at rest and upright at the end'
    return 17


def heavy_top(text):
    [[early, late, vertical]], [[early4, late4, vertical4]] = rows(text, 'sv  +[0-9]'), rows(text, 'sv_suzuki4 +[0-9]')
    [[_, late_rk4, vertical_rk4]] = rows(text, 'RK4 +[0-9]')
    assert late < 1.2 * early < 3e-3 and late4 < 1.2 * early4 < 1e-6, 'the energy drifts'
    assert max(vertical, vertical4) < 1e-12, 'vertical momentum'
    assert late_rk4 > 1e-2 and vertical_rk4 > 1e-2, 'RK4 is too good'
    return 8


def top_rate(y, inertia, centre, k=5.0):
    """A heavy top and nearby motions: y = (a, Pi, then (eta, nu) of each)."""
    a, Pi = y[:3], y[3:6]
    w = [m / i for m, i in zip(Pi, inertia)]
    out = cross(a, w) + [p + k * q for p, q in zip(cross(Pi, w), cross(a, centre))]
    for at in range(6, len(y), 6):
        eta, nu = y[at:at + 3], y[at + 3:at + 6]
        v = [m / i for m, i in zip(nu, inertia)]
        out += [p - q for p, q in zip(v, cross(w, eta))]
        out += [p + q + k * r for p, q, r in zip(cross(nu, w), cross(Pi, v), cross(cross(a, eta), centre))]
    return out


def largest_exponent(rate, y, seconds):
    """Growth of one variation, a second at a time."""
    growth, y = 0.0, y + [0.3, -0.2, 0.5, 0.4, 0.1, -0.6]
    for _ in range(seconds):
        y = rk4(rate, y, 0.04, 25)
        size = math.hypot(*y[6:])
        growth, y = growth + math.log(size), y[:6] + [x / size for x in y[6:]]
    return growth / seconds


def state_transition(text):
    tops = {'Lagrange': ((1, 1, 0.6), (0, 0, 0.5)), 'skewed': ((1, 2, 2.6), (0.3, -0.2, 0.4))}
    start = {name: [0, 0, 1] + [i * w for i, w in zip(inertia, (0.3, 2, -0.5))] for name, (inertia, _) in tops.items()}
    sigma, unit = [1e-3] * 3 + [2e-4] * 3, [math.degrees(1)] * 3 + [1e3] * 3
    y = start['skewed'] + [sigma[i] * (i == j) for j in range(6) for i in range(6)]
    assert rows(text, r'\d+ s') == [[2], [4], [6], [8], [10]], text
    for k, (tangent, points) in enumerate(zip(rows(text, 'tangent'), rows(text, 'unscented'))):
        y = rk4(lambda y: top_rate(y, *tops['skewed']), y, 0.01, 200)
        wanted = [scale * math.hypot(*y[6 + i::6]) for i, scale in enumerate(unit)]
        *found, step, product, det = tangent
        for part in (slice(0, 3), slice(3, 6)):
            size = math.hypot(*wanted[part])
            assert math.dist(found[part], wanted[part]) < 5e-4 * size, (found, wanted)
            assert math.dist(found[part], points[part]) < (2e-4, 2e-4, 5e-3, 0.1, 0.5)[k] * size, (found, points)
        assert step < 1e-14 and product < 1e-10 and abs(det) < 1e-10, tangent
    for name, regular in (('Lagrange', True), ('skewed', False)):
        [[*exponents, total, fli, sali]] = rows(text, name)
        wanted = largest_exponent(lambda y, top=tops[name]: top_rate(y, *top), start[name], 800)
        assert len(exponents) == 6 and abs(total) < 1e-12, exponents
        assert all(abs(a + b) < 2e-3 for a, b in zip(sorted(exponents), sorted(exponents, reverse=True))), exponents
        assert all(abs(x) < 5e-3 for x in exponents[1:5]), exponents
        if regular:
            assert exponents[0] < 5e-3 and wanted < 0.01 and fli < 10 and sali > 0.1, (exponents, wanted)
        else:
            assert abs(exponents[0] / wanted - 1) < 0.25 and sali < 1e-10, (exponents, wanted, sali)
            assert abs(fli / (2000 * exponents[0]) - 1) < 0.02, (exponents, fli)
    return 2 + 15 + 1 + 2


def vehicle_vs_rk4(text):
    table = {(line.split()[0], row[0]): row[1:] for name in ('RK4', 'ep', 'sv_suzuki4') for line, row in
             zip([line for line in text.splitlines() if re.match(rf'  {name} ', line)], rows(text, rf'{name} +0'))}
    assert list(table) == [('RK4', 0.05), ('RK4', 0.025), ('RK4', 0.00625), ('ep', 0.05), ('ep', 0.025),
                           ('sv_suzuki4', 0.05)], table
    for (method, _), (early, late, product, size, momentum, *times) in table.items():
        assert all(time > 0 for time in times), times
        if method == 'RK4':
            assert late > 5 * early and min(product, size, momentum) > 1e-8, (method, early, late)
        else:
            assert late < 1.2 * early < 8e-3 and product < 1e-11 and max(size, momentum) < 1e-12, (method, early, late)
    assert 0.03 < table['RK4', 0.05][1] < 0.08, 'RK4 should lose 5 % of the energy'
    return 12


def kirchhoff(y):
    """Pi' and P' of the vehicle with inertia diag(1, 2, 3, 1, 2, 3)."""
    w, v = ([m / i for m, i in zip(part, (1, 2, 3))] for part in (y[:3], y[3:]))
    return [a + b for a, b in zip(cross(y[:3], w), cross(y[3:], v))] + cross(y[3:], w)


def crossing(y, h=0.002):
    """Time and momenta where Pi1 next passes 0 upward: a last step of the length that Newton finds."""
    y, steps = rk4(kirchhoff, y, h, 10), 10
    after = rk4(kirchhoff, y, h, 1)
    while not y[0] < 0 <= after[0]:
        y, after, steps = after, rk4(kirchhoff, after, h, 1), steps + 1
    part = h * y[0] / (y[0] - after[0])
    for _ in range(3):
        at = rk4(kirchhoff, y, part, 1)
        part -= at[0] / kirchhoff(at)[0]
    return [steps * h + part] + rk4(kirchhoff, y, part, 1)


def vehicle_section(text):
    table = {(name, row[0]): row[1:] for name in ('rk4_q', 'sv') for row in rows(text, rf'{name} +0') if row[1] > 9}
    assert list(table) == [('rk4_q', 0.05), ('rk4_q', 0.025), ('sv', 0.05), ('sv', 0.025)], table
    for (method, h), (count, residual, energy, product, size) in table.items():
        assert 1600 < count < 2000 and residual < 1e-14 and energy < (0.2 if method == 'rk4_q' else 2 * h * h), table
        assert method == 'rk4_q' or max(product, size) < 1e-12, table
    lost, half = table['rk4_q', 0.05], table['rk4_q', 0.025]
    assert lost[2] > 0.01 and lost[3] > 1e-3 and lost[4] > 0.02 and all(a > 15 * b for a, b in zip(lost[2:], half[2:]))
    check_points(table)
    return 2 + 1 + 12 + 4


def check_points(table):
    """Every point that vehicle_section writes, and the first crossing of each orbit, extrapolated to h = 0."""
    worst, orbits = {key: [0.0] * 4 for key in table}, {}
    for row in written():
        key = row.pop('method'), float(row.pop('h'))
        t, angle, height, *m = (float(row[name]) for name in list(row)[1:])
        orbits.setdefault((key, row['orbit']), []).append([t] + m)
        energy = sum(x * x / i for x, i in zip(m, (1, 2, 3, 1, 2, 3))) / 60 - 1
        product, size = sum(a * b for a, b in zip(m[:3], m[3:])) / 2 - 1, math.hypot(*m[3:]) / 4 - 1
        worst[key] = [max(a, abs(b)) for a, b in zip(worst[key], (m[0], energy, product, size))]
        assert abs(angle - math.atan2(m[4], m[3])) < 1e-14 and abs(height - m[5] / math.hypot(*m[3:])) < 1e-14, row
    for key, (count, *printed) in table.items():
        assert all(abs(a - b) < 0.06 * a + 1e-15 for a, b in zip(printed, worst[key])), (key, printed, worst[key])
        assert count == sum(len(points) - 1 for (which, _), points in orbits.items() if which == key), key
    for orbit in range(6):
        for method, weight, bound in (('rk4_q', 16, 1e-4), ('sv', 4, 0.08)):
            long, short = (orbits[(method, h), str(orbit)] for h in (0.05, 0.025))
            assert long[0] == short[0] and long[0][0] == 0, 'both start at the same point'
            limit = [(weight * b - a) / (weight - 1) for a, b in zip(long[1], short[1])]
            wanted = crossing(long[0][1:])
            assert math.dist(limit, wanted) < bound < math.dist(long[1], wanted), (method, orbit, limit, wanted)


def two_retractions(text):
    table = rows(text, r'\d+ +\d')
    assert [row[0] for row in table] == [1, 4, 16, 64, 256, 1024], table
    angle = math.hypot(1.2, -0.9, 2.0)
    for steps, by_exp, by_cay, *_, defect_exp, defect_cay in table:
        short = angle - steps * 2 * math.atan(angle / steps / 2)
        assert by_exp < 1e-11 and abs(by_cay - math.degrees(short)) < 2e-8, (steps, by_exp, by_cay)
        assert max(defect_exp, defect_cay) < 1e-12, (steps, defect_exp, defect_cay)
    return 11


def small_angles(text):
    table = rows(text, r'\d\.\de')
    assert len(table) == 10 and all(row[3] < 2 for row in table), table
    assert max(row[1] for row in table) > 1e6 and max(row[2] for row in table) > 1e3, table
    return 12


def written():
    """The rows of the CSV file that the program writes; and that it says so where it cannot."""
    with tempfile.TemporaryDirectory() as folder:
        name = f'{folder}/points.csv'
        subprocess.run([PROGRAM, name], stdout=subprocess.PIPE, check=True)
        assert subprocess.run([PROGRAM, f'{folder}/none/x.csv'], capture_output=True, check=False).returncode == 1
        with open(name, newline='', encoding='utf-8') as file:
            return list(csv.DictReader(file))


def check_csv(folder):
    """What vehicle_vs_rk4 writes for the picture."""
    name = f'{folder}/errors.csv'
    subprocess.run([PROGRAM, name], stdout=subprocess.PIPE, check=True)
    subprocess.run([sys.executable, PLOT, name, f'{folder}/picture.svg'], stdout=subprocess.PIPE, check=True)
    with open(name, newline='', encoding='utf-8') as file:
        assert len(list(csv.DictReader(file))) == 600
    picture = pathlib.Path(folder, 'picture.svg').read_text(encoding='utf-8')
    committed = (PLOT.parent.parent / 'docs/img/vehicle_vs_rk4.svg').read_text(encoding='utf-8')
    for words in ('<polyline', '<text'):
        assert picture.count(words) == committed.count(words) > 10, 'docs/img/vehicle_vs_rk4.svg is another picture'
    assert subprocess.run([PROGRAM, f'{folder}/none/x.csv'], capture_output=True, check=False).returncode == 1


def main():
    output = subprocess.run([PROGRAM], text=True, capture_output=True, check=True).stdout
    lines = [line for line in output.splitlines() if line]
    expected = globals()[PROGRAM.name](output)
    assert len(lines) == expected, f'{len(lines)} lines instead of {expected}'
    assert not re.search(r'\bnan\b', output.lower()), output
    if PROGRAM.name == 'vehicle_vs_rk4':
        with tempfile.TemporaryDirectory() as folder:
            check_csv(folder)


main()
