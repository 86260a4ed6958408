#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`liestep convert` from every form and into every form, on the golden attitudes of docs/CONVERT.md, and its refusals.

    cli_convert.py LIESTEP docs/CONVERT.md
"""
import json
import math
import re
import subprocess
import sys

LIESTEP, GOLDEN = sys.argv[1:]
EPS = 2.0 ** -52
SHAPES = ('quat', 'matrix', 'rotvec', 'mrp', 'euler_zyx', 'euler_zxz')
failures = []


def check(good, text):
    if not good:
        failures.append(text)


def run(*words, stdin=None):
    return subprocess.run([LIESTEP, 'convert', *map(str, words)], input=stdin, text=True, capture_output=True)


def convert_many(source, target, rows, *options):
    """Every row of numbers converted, in one call, through standard input."""
    text = ''.join(' '.join(map(repr, row)) + '\n' for row in rows)
    done = run('--from', source, '--to', target, *options, stdin=text)
    check(done.returncode == 0, f'{source} to {target}: {done.stderr}')
    return [list(map(float, line.split())) for line in done.stdout.splitlines()]


def golden_attitudes():
    """The tables of docs/CONVERT.md: one dictionary of forms each, from numbers that were found to 50 digits."""
    with open(GOLDEN, encoding='utf-8') as file:
        sections = re.split(r'^### .*$', file.read().split('## Golden vectors')[1], flags=re.M)[1:]
    for section in sections:
        cells = dict(re.findall(r'^\| ([^|]*?) \| ([^|]*?) \|$', section, flags=re.M))
        value = {key: [float(x) for x in text.strip('()').split(',')]
                 for key, text in cells.items() if re.match(r'[-(\d]', text) and '---' not in text}
        s, x, y, z = q = value['q']
        matrix = value['R, row 1'] + value['R, row 2'] + value['R, row 3']
        zyx, zxz = value['zyx: yaw, pitch, roll'], value['zxz: alpha, beta, gamma']
        degrees = [math.degrees(a) for a in zyx]
        mrp = value['MRP']
        yield {
            'quat': q, 'quat_xyzs': [x, y, z, s], 'quat_to_body': [s, -x, -y, -z],
            'matrix': matrix, 'matrix_to_body': [matrix[3 * j + i] for i in range(3) for j in range(3)],
            'rotvec': value['rotation vector'], 'rotvec_deg': [math.degrees(a) for a in value['rotation vector']],
            'axis_angle': value['axis'] + value['angle'],
            'axis_angle_deg': value['axis'] + [math.degrees(value['angle'][0])],
            'mrp': mrp, 'euler_zyx': zyx, 'euler_zyx_deg': degrees,
            'euler_zxz': zxz, 'euler_zxz_deg': [math.degrees(a) for a in zxz],
            '42': [x, y, z, s], 'basilisk_ep': q, 'basilisk_mrp': mrp, 'trick': [s, -x, -y, -z], 'px4': q,
            'fossen': zyx[::-1], 'fossen_deg': degrees[::-1],
            'ccsds_first_a2b': q, 'ccsds_first_b2a': [s, -x, -y, -z],
            'ccsds_last_a2b': [x, y, z, s], 'ccsds_last_b2a': [-x, -y, -z, s],
        }


def same(target, found, expected):
    """Numbers of one form, up to round-off; of quaternions the sign is free, angles may differ by a whole turn."""
    turn = 360.0 if target.endswith('deg') else 2.0 * math.pi
    bound = 16 * EPS * (turn if target.endswith('deg') else 4.0)
    apart = [abs(a - b) for a, b in zip(found, expected)]
    if target in ('euler_zyx', 'euler_zxz', 'fossen', 'euler_zyx_deg', 'euler_zxz_deg', 'fossen_deg'):
        apart = [min(d, abs(turn - d)) for d in apart]
    opposite = [abs(a + b) for a, b in zip(found, expected)]
    is_quaternion = len(expected) == 4 and not target.startswith('axis')
    return len(found) == len(expected) and (max(apart) < bound or (is_quaternion and max(opposite) < bound))


def check_pair(golden, source, target):
    rows = convert_many(source, target, [case[source] for case in golden])
    unsure = []  # more than one answer is right: compare what it stands for
    for found, case in zip(rows, golden):
        lock = target.startswith('euler') and abs(abs(case['euler_zyx'][1]) - math.pi / 2) < 1e-6
        if lock or (abs(case['quat'][0]) < 1e-9 and target != 'matrix'):
            unsure.append((found, case['matrix']))
        else:
            check(same(target, found, case[target]), f'{source} to {target}: {found} for {case[target]}')
    matrices = convert_many(target, 'matrix', [found for found, _ in unsure]) if unsure else []
    for matrix, (found, expected) in zip(matrices, unsure):
        check(same('matrix', matrix, expected), f'{source} to {target}: {found}')


def test_every_form_of_attitude():
    golden = list(golden_attitudes())
    check(len(golden) >= 10, 'docs/CONVERT.md has lost its golden attitudes')
    names = golden[0].keys()
    for source in names:
        for target in names:
            if 'quat' in (source, target) or (source in SHAPES and target in SHAPES):
                check_pair(golden, source, target)
    listed = json.loads(run('--list', '--json').stdout)
    missing = {form['name'] for form in listed if form['kind'] == 'attitude'} - set(names)
    check(missing == {'mrp_shadow'}, f'not tested: {missing}')


def test_shadow_set():
    for case in golden_attitudes():
        size = sum(a * a for a in case['mrp'])
        if size:
            found = convert_many('quat', 'mrp_shadow', [case['quat']])[0]
            check(max(abs(a + b / size) for a, b in zip(found, case['mrp'])) < 1e-13, f'shadow {found}')
            back = convert_many('mrp_shadow', 'matrix', [found])[0]
            check(same('matrix', back, case['matrix']), f'from shadow {back}')
    check('infinite' in run('--from', 'quat', '--to', 'mrp_shadow', 1, 0, 0, 0).stderr, 'shadow of the identity')


def test_poses_twists_inertias():
    for case in list(golden_attitudes())[-4:]:
        place = [1.5, -2.25, 3.75]
        poses = {'pose': case['quat'] + place, 'se3': case['matrix'] + place, 'fossen_eta': place + case['fossen'],
                 'fossen_eta_deg': place + case['fossen_deg']}
        for source in poses:
            found = convert_many(source, 'se3', [poses[source]])[0]
            check(same('matrix', found[:9], case['matrix']) and found[9:] == place, f'{source} to se3: {found}')
            for target in ('pose', 'fossen_eta', 'fossen_eta_deg'):
                there = convert_many(source, target, [poses[source]])
                found = convert_many(target, 'se3', there)[0]
                check(same('matrix', found[:9], case['matrix']) and found[9:] == place, f'{source} to {target}')
    check(convert_many('twist', 'fossen_nu', [[1, 2, 3, 4, 5, 6]]) == [[4, 5, 6, 1, 2, 3]], 'twist')
    check(convert_many('fossen_nu', 'twist', [[4, 5, 6, 1, 2, 3]]) == [[1, 2, 3, 4, 5, 6]], 'nu')
    matrix = [[10 * i + j for j in range(6)] for i in range(6)]
    order = [3, 4, 5, 0, 1, 2]
    swapped = [matrix[i][j] for i in order for j in order]
    flat = sum(matrix, [])
    check(convert_many('inertia', 'fossen_inertia', [flat]) == [swapped], 'inertia')
    check(convert_many('fossen_inertia', 'inertia', [swapped]) == [flat], 'fossen_inertia')


def test_what_is_read_and_written():
    check(run('--from', 'quat', '--to', 'euler_zyx_deg', .5, .5, .5, .5).stdout == '90 0 90\n', 'words')
    check(run('-f', 'quat', '-tquat', '[0.6,', '-0.8', ',0 0]').stdout == '0.6 -0.8 0 0\n', 'brackets and commas')
    exact = [0.1 + 0.2, 1 / 3, 1e-300 / 7, -2 / 3e200, 5e-324, 123456789.012345678]
    check(convert_many('twist', 'twist', [exact]) == [exact], 'numbers do not come out as they went in')
    lines = '# a comment\n\n1 0 0 0\n  -0.6;0;0;0.8  \n'
    check(run('-f', 'quat', '-t', 'quat_xyzs', stdin=lines).stdout == '0 0 0 1\n0 0 0.8 -0.6\n', 'lines')
    values = json.loads(run('-f', 'quat', '-t', 'quat_xyzs', '--json', stdin=lines).stdout)['values']
    check(values == [[0, 0, 0, 1], [0, 0, 0.8, -0.6]], f'json: {values}')
    check(run('-f', 'quat', '-t', 'quat', '-n', 0, 3, 0, 4).stdout == '0 0.6 0 0.8\n', 'normalize')
    scaled = run('-f', 'matrix', '-t', 'quat', '-n', *[2.0 * (i % 4 == 0) for i in range(9)]).stdout
    check(scaled == '1 0 0 0\n', f'normalize a matrix: {scaled}')


def test_continuous_series():
    """A body that turns twice: no jump larger than the turn between two lines."""
    turns = [[0.0, 0.0, 0.1 * k] for k in range(126)]
    for target, largest in (('quat', 0.051), ('42', 0.051), ('mrp', 0.055)):
        plain, smooth = (convert_many('rotvec', target, turns, *options) for options in ((), ('--continuous',)))
        jump = [max(math.dist(a, b) for a, b in zip(rows, rows[1:])) for rows in (plain, smooth)]
        check(jump[0] > 0.9, f'{target}: no jump without --continuous')
        if target != 'mrp':
            check(jump[1] < largest, f'{target}: jump {jump[1]} with --continuous')
        else:  # through infinity: the set outside the unit ball is followed as far as it is the nearer one
            check(max(math.hypot(*row) for row in smooth) > 1.05, 'mrp never leaves the unit ball with --continuous')


def test_refusals():
    cases = [
        (2, "did you mean 'quat'", ['--from', 'qaut', '--to', 'mrp', 1]),
        (2, '--to NAME', ['--from', 'quat', 1, 0, 0, 0]),
        (2, 'same kind', ['--from', 'quat', '--to', 'fossen_nu', 1, 0, 0, 0]),
        (2, "did you mean '--from'", ['--form', 'quat']),
        (2, 'needs a value', ['--from']),
        (2, 'takes no value', ['--json=1']),
        (3, 'expects 4 numbers (scalar x y z), got 3', ['--from', 'quat', '--to', 'mrp', 1, 0, 0]),
        (3, 'got more than 4', ['--from', 'quat', '--to', 'mrp', 1, 0, 0, 0, 0]),
        (3, "'1.5x' is no number", ['--from', 'quat', '--to', 'mrp', 1, '1.5x', 0, 0]),
        (3, 'has length 2, it must be 1', ['--from', 'quat', '--to', 'mrp', 2, 0, 0, 0]),
        (3, 'has length 2', ['--from', 'axis_angle', '--to', 'mrp', 0, 2, 0, 1]),
        (3, 'not orthogonal', ['--from', 'matrix', '--to', 'mrp', 1, 0, 0, 0, 1, 0, 0, 0, 2]),
        (3, 'reflection', ['--from', 'matrix', '--to', 'mrp', 1, 0, 0, 0, 1, 0, 0, 0, -1]),
        (3, 'NaN', ['--from', 'quat', '--to', 'mrp', 'nan', 0, 0, 0]),
        (3, 'infinite', ['--from', 'euler_zyx', '--to', 'mrp', 'inf', 0, 0]),
    ]
    for code, text, words in cases:
        done = run(*words)
        check(done.returncode == code and text in done.stderr and not done.stdout, f'{words}: {done}')
    done = run('-f', 'quat', '-t', 'mrp', stdin='1 0 0 0\n\n1 0 0\n')
    check(done.returncode == 3 and 'stdin:3: quat expects 4' in done.stderr, f'line number: {done}')
    done = run('-f', 'quat', '-t', 'mrp', stdin='1 0 0 0\x00 1\n')
    check(done.returncode == 3 and 'stdin:1: a NUL byte' in done.stderr, f'NUL: {done}')


for name, test in sorted(globals().items()):
    if name.startswith('test_'):
        test()
print('\n'.join(failures[:20]))
sys.exit(f'{len(failures)} failures' if failures else 0)
