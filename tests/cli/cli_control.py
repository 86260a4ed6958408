#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`liestep control`: the table is what the equations say, guesses lead back, wrong scenarios are told apart.

    cli_control.py LIESTEP SOURCE_ROOT
"""
import csv
import json
import math
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import traceback

from cli_common import stopped_midway

LIESTEP, ROOT = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
POINT = """\
system: particle
parameters: {inertia: [1, 1]}
start: {position: [1, 0]}
target: {position: [-0.5, 0.8]}
step: 0.05
steps: 40
output: {csv: path.csv}
"""
BODY = """\
system: free_body
group: SO3
parameters: {inertia: [1, 2, 2.5]}
target: {rotvec: [1.2, -0.7, 1.5]}
step: 0.1
steps: 30
output: {csv: path.csv, plot: path.svg}
"""


def run(folder, *words):
    return subprocess.run([LIESTEP, 'control', *words], cwd=folder, text=True, capture_output=True)


def scenario(text):
    folder = pathlib.Path(tempfile.mkdtemp())
    (folder / 'a.yaml').write_text(text)
    return folder


def table(folder, name='path.csv'):
    with open(folder / name, newline='', encoding='utf-8') as file:
        return [{k: float(v) for k, v in row.items()} for row in csv.DictReader(file)]


def test_control_table_obeys_the_equations():
    """x'' = F + u between nodes: x_{k+1} - 2 x_k + x_{k-1} = h^2 (F + u) exactly."""
    folder = scenario(POINT)
    found = run(folder, 'a.yaml', '--json')
    assert found.returncode == 0, found
    summary, rows, h = json.loads(found.stdout), table(folder), 0.05
    assert len(rows) == 41 and summary['residual'] < 1e-10 and summary['missed'] < 1e-10, summary
    cost = sum(h / 2 * (row['u1'] ** 2 + row['u2'] ** 2) * (0.5 if k in (0, 40) else 1) for k, row in enumerate(rows))
    assert abs(cost - summary['cost']) < 1e-12, (cost, summary)
    for a, b, c in zip(rows, rows[1:], rows[2:]):
        x, y = b['g1'], b['g2']
        r = x * x + y * y
        slope = 2 * (r - 1) ** 2 + 4 * r * (r - 1)
        for k, q in ((1, x), (2, y)):
            acceleration = (c[f'g{k}'] - 2 * b[f'g{k}'] + a[f'g{k}']) / h ** 2
            assert abs(acceleration + slope * q - b[f'u{k}']) < 1e-9, (b, acceleration)
    assert math.dist((rows[-1]['g1'], rows[-1]['g2']), (-0.5, 0.8)) < 1e-10


def test_control_guess_and_picture():
    folder = scenario(BODY)
    first = json.loads(run(folder, 'a.yaml', '--json').stdout)
    assert (folder / 'path.svg').read_text().rstrip().endswith('</svg>')
    again = json.loads(run(folder, 'a.yaml', '--json', '--guess', 'path.csv', '--no-plot').stdout)
    assert abs(first['cost'] - again['cost']) < 1e-10 and again['iterations'] <= 2 < first['iterations'], (first, again)
    both = json.loads(run(folder, 'a.yaml', '--json', '--no-plot', '-s', 'target.starts=3').stdout)
    assert len(both['extremals']) == 2 and both['extremals'][1]['cost'] > both['extremals'][0]['cost'], both
    lines = run(folder, 'a.yaml', '-v', '--no-plot').stderr.splitlines()
    assert len(lines) >= 5 and all(line.startswith('iteration') for line in lines), lines


def test_control_ready_scenario_and_limits():
    folder = pathlib.Path(tempfile.mkdtemp())
    ready = str(ROOT / 'scenarios/control_vehicle.yaml')
    found = json.loads(run(folder, ready, '--json').stdout)
    assert found['missed'] < 1e-10 and found['unactuated'] < 1e-12 and 5 <= found['iterations'] <= 25, found
    top = max(abs(v) for row in table(folder, 'control_vehicle.csv') for k, v in row.items() if k[0] == 'u')
    bounded = json.loads(run(folder, ready, '--json', '-s', f'target.limit=[{0.8 * top}]').stdout)
    rows = table(folder, 'control_vehicle.csv')
    assert bounded['cost'] > found['cost'] and bounded['missed'] < 1e-10, bounded
    assert max(abs(v) for row in rows for k, v in row.items() if k[0] == 'u') <= 0.8 * top, top


WHEELS = """\
system: free_body
group: SO3
parameters: {inertia: [100, 120, 80]}
target:
  rotvec: [0.9, -0.5, 1.2]
  inputs: [1, 0, 0, 0, 1, 0, 0, 0, 1]
  wheels: [1, 0, 0, 0, 1, 0, 0, 0, 1]
  wheels_start: [4, -3, 2]
  wheels_end: [0]
  weight: [50, 50, 50, 1, 1, 1]
  limit: [0.1, 0.1, 0.1, 0.2, 0.2, 0.2]
step: 1
steps: 60
output: {csv: path.csv, plot: path.svg}
"""


def test_control_wheels_are_emptied():
    folder = scenario(WHEELS)
    found = json.loads(run(folder, 'a.yaml', '--json').stdout)
    rows = table(folder)
    assert found['missed'] < 1e-10 and (folder / 'path.svg').exists(), found
    assert [rows[0][f'nu{k}'] for k in (4, 5, 6)] == [4, -3, 2], rows[0]
    assert max(abs(rows[-1][f'nu{k}']) for k in range(1, 7)) < 1e-10, rows[-1]
    assert max(abs(row[f'u{k}']) for row in rows for k in (4, 5, 6)) <= 0.2
    again = json.loads(run(folder, 'a.yaml', '--json', '--no-plot', '--guess', 'path.csv').stdout)
    assert abs(again['cost'] - found['cost']) < 1e-9 * found['cost'], (again, found)
    free = json.loads(run(folder, 'a.yaml', '--json', '--no-plot', '-s', 'target.wheels_end=').stdout)
    assert free['cost'] < 0.5 * found['cost'], (free, found)  # nobody asks that they stand


def test_control_free_ends_and_time():
    folder = scenario(BODY)
    fixed = json.loads(run(folder, 'a.yaml', '--json', '--no-plot').stdout)
    for key in ('free_pose', 'free_velocity', 'free_start_pose', 'free_start_velocity'):
        free = json.loads(run(folder, 'a.yaml', '--json', '--no-plot', '-s', f'target.{key}=[0, 0, 1]').stdout)
        assert free['cost'] < 0.99 * fixed['cost'] and free['missed'] < 1e-10, (key, free, fixed)
    words = ['-s', 'target.time=[1, 20]', '-s', 'target.time_weight=1']
    best = json.loads(run(folder, 'a.yaml', '--json', '--no-plot', *words).stdout)
    assert abs(best['cost_by_time']) < 1e-6 and 1 < best['duration'] < 20, best
    said = run(folder, 'a.yaml', '--no-plot', '-s', 'target.inputs=[1,0,0,0,1,0,0,0,1,0,1,1]').stdout
    assert 'input 4 does what 2, 3 can' in said, said


def test_control_gyroscopic_system():
    folder = scenario(BODY.replace('free_body', 'satellite').replace('[1, 2, 2.5]', '[1, 2, 2.5], orbit_rate: 0.4'))
    found = json.loads(run(folder, 'a.yaml', '--json', '--no-plot').stdout)
    assert found['missed'] < 1e-10 and found['residual'] < 1e-10, found


def test_control_half_turn_is_reported_both_ways():
    folder = scenario(BODY.replace('[1.2, -0.7, 1.5]', '[3.14159265358979312, 0, 0]'))
    both = json.loads(run(folder, 'a.yaml', '--json', '--no-plot').stdout)
    costs = [e['cost'] for e in both['extremals']]
    assert len(costs) == 2 and abs(costs[0] - costs[1]) < 1e-8 * costs[0], both


def test_control_wrong_scenarios():
    folder = scenario(BODY)
    for words, code, text in (
            (['-s', 'target.rotvec=', '-s', 'target='], 3, 'target: is missing'),
            (['-s', 'target.inputs=[1,0]'], 3, 'a multiple of it'),
            (['-s', 'target.inputs=[0,0,0]'], 3, 'input 1 does nothing'),
            (['-s', 'target.inputs=[1,0,0,0,1,0,0,0,0]'], 3, 'input 3 does nothing'),
            (['-s', 'target.wheels=[1,0]'], 3, 'an axis has 3'),
            (['-s', 'target.wheels=[0,0,0]'], 3, 'axis 1 has no direction'),
            (['-s', 'target.wheels_end=[0]'], 3, 'there are no wheels'),
            (['-s', 'target.wheels=[1,0,0,0,1,0]', '-s', 'target.wheels_start=[1,2,3]'], 3, 'there are 2 wheels'),
            (['-s', 'target.time=[3,2]'], 3, 'the shortest duration comes first'),
            (['-s', 'target.free_pose=[1]'], 3, 'expected 3'),
            (['-s', 'target.weight=[1,2]'], 3, 'there are 3 inputs'),
            (['-s', 'target.weight=[0]'], 3, 'an input costs nothing'),
            (['-s', 'target.weight=[-1]'], 3, 'must not be below 0'),
            (['-s', 'steps=1'], 3, 'at least 2 intervals'),
            (['-s', 'step=-0.1'], 3, 'not a positive number'),
            (['-s', 'target.limit=[0.01]'], 1, 'widen bounds'),
            (['-s', 'target.inputs=[1,0,0]'], 1, 'cannot reach the target'),
            (['-s', 'target.inputs=[1,0,0]'], 1, '1 of 3 directions'),
            (['-s', 'target.limit=[0.01]'], 1, 'take more time'),
            (['-s', 'target.quaternion=[0,1,0,0]', '-s', 'target.euler_zyx_deg=[1,2,3]'], 0, ''),
            (['--guess', 'none.csv'], 3, 'cannot be opened'),
            (['--guess', 'a.yaml'], 3, 'does not begin with'),
            (['b.yaml'], 2, 'one scenario is expected')):
        found = run(folder, 'a.yaml', '--no-plot', '-q', *words)
        assert found.returncode == code and text in found.stderr, (words, found)
    run(folder, 'a.yaml', '--no-plot', '-q')
    found = run(folder, 'a.yaml', '--no-plot', '-q', '-s', 'steps=31', '--guess', 'path.csv')
    assert found.returncode == 3 and 'too few lines' in found.stderr, found


def test_control_interrupt_leaves_a_guess():
    folder = scenario(BODY.replace('steps: 30', 'steps: 20000').replace('step: 0.1', 'step: 0.00015'))
    code, said = stopped_midway(folder, [LIESTEP, 'control', 'a.yaml', '--no-plot', '-v'],
                                lambda process: process.stderr.readline(),
                                lambda process: process.send_signal(signal.SIGINT))
    assert code == 130 and '--guess' in said and (folder / 'path.csv').exists(), (code, said)


def main():
    failed = 0
    for name, test in list(globals().items()):
        if not name.startswith('test_'):
            continue
        try:
            test()
            result = 'PASS'
        except Exception:  # pylint: disable=broad-except
            traceback.print_exc(file=sys.stdout)
            result, failed = 'FAIL', failed + 1
        print(f'{__file__}:{test.__code__.co_firstlineno}:{name}:{result}')
    sys.exit(1 if failed else 0)


main()
