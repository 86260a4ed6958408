#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Run an example and check what it prints.

    check_examples.py PROGRAM
"""
import math
import pathlib
import re
import subprocess
import sys

PROGRAM = pathlib.Path(sys.argv[1]).resolve()


def rows(text, first):
    """The numbers of every line that begins with `first` (a pattern), units left out."""
    found = [line for line in text.splitlines() if re.match(rf'\s*{first}\b', line)]
    return [[float(x) for x in re.findall(r'(?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]\d+)?\b', line)] for line in found]


def attitude_step(text):
    for name, momentum, energy in (('stateless', 1e-10, 1e-3), ('kept', 1e-12, 1e-3)):
        table = rows(text, name)
        assert [row[0] for row in table] == [100, 1000, 10000, 100000], table
        assert all(row[1] < momentum and abs(row[2]) < energy for row in table), table
    rk4 = rows(text, 'rk4')[-1]
    assert 1e-3 < rk4[1] < 1e-2 and -1e-2 < rk4[2] < -1e-3, rk4
    return 13


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
    table = rows(recovery, r'\d+ s')
    assert len(table) == 11, recovery
    for t, wheel, angle, theory, rate, momentum in table:
        assert abs(wheel - 200 * t / 20000) < 0.01 and momentum < 1e-12, (t, wheel, momentum)
        assert abs(angle - theory) < (0.5 if theory > 10 else 6), (t, angle, theory)
    assert table[0][4] > 11 and table[-1][4] < 1, 'the body does not come to a stop'
    return len(flips) + len(table) + 2


def own_potential(text):
    orders = {'ve_fwd': 1, 'sv': 2, 'midpoint': 2, 'gauss2': 4, 'sv_suzuki4': 4, 'gauss3': 6, 'sv_kahanli6': 6}
    for name, order in orders.items():
        [[*_, slope]] = rows(text, name)
        assert abs(slope - order) < 0.15, (name, slope)
    return len(orders) + 2


def vehicle_thrusters(text):
    table = rows(text, r'\d+\.0')
    assert len(table) == 16, table
    assert table[3][4] > 0.5 and abs(table[-1][4]) < 0.2, 'it does not go ahead and come to rest'
    assert abs(table[-1][-1] - 1) < 1e-3, 'it is not upright at the end'
    return 17


def main():
    output = subprocess.run([PROGRAM], text=True, capture_output=True, check=True).stdout
    lines = [line for line in output.splitlines() if line]
    expected = globals()[PROGRAM.name](output)
    assert len(lines) == expected, f'{len(lines)} lines instead of {expected}'
    assert 'nan' not in output.lower(), output


main()
