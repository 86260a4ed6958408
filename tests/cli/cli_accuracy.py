#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`liestep run` takes the method that the system asks for, says how accurate it was, finds the step for an accuracy, and
warns of steps that mean nothing.

    cli_accuracy.py LIESTEP [NAME]     tests whose name contains NAME
"""
import csv
import math
import os
import pathlib
import re
import subprocess
import sys

import cli_common as cli

TOP = """\
system: heavy_top
parameters: {inertia: [1.1, 1.7, 2.3], mass: 0.004, centre: [0.1, -0.05, 0.2]}
start: {angular_velocity: [0.12, 0.1, 0.6]}
step: 0.1
steps: 10000
output: {every: 1000, csv: run.csv}
"""
VEHICLE = """\
system: vehicle
parameters:
  inertia: [1.1, 1.7, 2.3, 3.0, 4.0, 5.0]
  linear_drag: [0.02, 0.03, 0.04, 0.1, 0.2, 0.3]
  thrusters: [{at: [-1, 0.3, 0], along: [1, 0, 0]}]
control: [0.4]
start: {angular_velocity: [0.1, 0.3, -0.2], velocity: [0.5, 0.1, 0]}
step: 0.1
steps: 200
output: {csv: run.csv}
"""


def good(folder, text, *words):
    cli.write_scenario(folder, text)
    done = cli.run(folder, *words)
    cli.expect_exit(done, cli.FINE)
    return done


def rows(folder):
    lines = [line for line in (pathlib.Path(folder) / 'run.csv').read_text().splitlines() if not line.startswith('#')]
    return [[float(word) for word in row] for row in list(csv.reader(lines))[1:]]


def angle(a, b):
    """Between two unit quaternions."""
    return 2.0 * math.acos(min(1.0, abs(sum(x * y for x, y in zip(a, b)))))


def told(done):
    """The error of the attitude in the summary."""
    found = re.search(r'^  error    attitude (\S+) rad', done.stdout, flags=re.M)
    cli.expect(found, done.stdout)
    return float(found.group(1))


def test_run_without_a_method(folder):
    """The summary says what was taken and why, the files name it; the attitude is that of RK4 with short steps."""
    done = good(folder, TOP)
    cli.expect(re.search(r'^  method   split6, taken by auto: .* no force', done.stdout, flags=re.M), done.stdout)
    cli.expect('method split6, retraction exp' in (pathlib.Path(folder) / 'run.csv').read_text(), 'name in the file')
    best = rows(folder)[-1][1:5]
    good(folder, TOP, '-s', 'method=rk4_q', '-s', 'step=0.01', '-s', 'steps=100000', '-s', 'output.every=10000')
    cli.expect(angle(best, rows(folder)[-1][1:5]) < 1e-8, 'auto and RK4 differ')
    done = good(folder, TOP, '-s', 'method=sv')
    cli.expect('taken by auto' not in done.stdout and 'method sv, retraction cay' in done.stdout, done.stdout)
    cli.expect(0.7 < angle(best, rows(folder)[-1][1:5]) < 0.9, 'sv with cay')


def test_run_takes_by_what_there_is(folder):
    free = TOP.replace('heavy_top', 'free_body').replace(', mass: 0.004, centre: [0.1, -0.05, 0.2]', '')
    for text, words, method in ((free, (), 'dmv10'), (VEHICLE, (), 'gauss3'), (VEHICLE, ('-s', 'retraction=cay'), 'gauss3'),
                                (VEHICLE, ('-s', 'parameters.thrusters=', '-s', 'parameters.linear_drag=', '-s', 'control='),
                                 'split6')):
        done = good(folder, text, *words)
        cli.expect(f'  method   {method}, taken by auto: ' in done.stdout, method, done.stdout)
    cli.expect(' retraction exp' in good(folder, VEHICLE).stdout, 'exp without a retraction')
    cli.expect(' retraction cay' in good(folder, VEHICLE, '-s', 'retraction=cay').stdout, 'cay where it is named')


def test_run_tells_its_error(folder):
    good(folder, TOP, '-s', 'step=0.05', '-s', 'steps=20000', '-s', 'output.every=2000')
    exact = rows(folder)[-1][1:5]
    for method, retraction in (('sv', 'cay'), ('sv', 'exp'), ('rk4_q', 'exp'), ('gauss2', 'exp'), ('rkmk4', 'cay')):
        done = good(folder, TOP, '-s', f'method={method}', '-s', f'retraction={retraction}')
        ratio = told(done) / angle(exact, rows(folder)[-1][1:5])
        cli.expect(0.8 < ratio < 1.25, method, ratio)
    done = good(folder, TOP)
    cli.expect(told(done) < 1e-11 and 'round-off' in done.stdout, done.stdout)
    done = good(folder, VEHICLE)
    cli.expect(re.search(r'error .* place \S+ m, velocity \S+ m/s', done.stdout), done.stdout)
    done = good(folder, TOP, '-s', 'method=rkmk_dopri8', '-s', 'tolerance=1e-9')
    cli.expect('a tenth of the tolerance' in done.stdout and told(done) < 1e-5, done.stdout)


def test_run_chaos_and_silence(folder):
    wild = TOP.replace('0.004', '4.0')
    done = good(folder, wild, '-s', 'method=sv')
    cli.expect('not to be relied on' in done.stdout, done.stdout)
    done = good(folder, TOP, '--quiet')
    cli.expect(done.stdout == '' and done.stderr == '', done.stdout, done.stderr)


def test_run_says_that_an_estimate_would_take_long(folder):
    if float(os.environ.get('LIE_SLOWER', '1')) > 1:
        raise cli.Skip
    steps = 10000000
    while True:
        done = good(folder, TOP, '-s', 'method=gauss2', '-s', f'steps={steps // 10}', '-s', 'output.csv=')
        if 'error    attitude' not in done.stdout:
            break
        steps *= 2
    cli.expect(re.search(r'^  error    not estimated: that would take about \d+ s; --estimate does it$', done.stdout,
                         flags=re.M), done.stdout)
    cli.expect('error    attitude' in good(folder, TOP, '--estimate').stdout, '--estimate')


def test_run_finds_the_step(folder):
    plain = good(folder, TOP, '-s', 'method=rk4_q')
    times = [row[0] for row in rows(folder)]
    done = good(folder, TOP, '-s', 'method=rk4_q', '--accuracy', '1e-9')
    found = re.search(r'accuracy 1e-09 asked for: the step of the scenario divided by (\d+)', done.stdout)
    cli.expect(found and 5 <= int(found.group(1)) <= 15, done.stdout)
    cli.expect(told(done) <= 1e-9 < told(plain), done.stdout)
    cli.expect([abs(a - b) < 1e-9 for a, b in zip(times, (row[0] for row in rows(folder)))] == [True] * 11, 'records')
    done = good(folder, TOP, '--accuracy=1e-6')
    cli.expect('divided by 1\n' in done.stdout, done.stdout)


def test_run_accuracy_that_cannot_be_reached(folder):
    cli.write_scenario(folder, TOP)
    for words, code, text in ((('-s', 'method=rkmk_dopri8', '--accuracy', '1e-15'), cli.FAILED, 'round-off'),
                              (('-s', 'method=sv', '-s', 'parameters.mass=4', '-s', 'steps=2000', '--accuracy', '1e-3'),
                               cli.FAILED, 'cannot be reached'),
                              (('-s', 'method=rkmk_dopri8', '-s', 'tolerance=1e-9', '--accuracy', '1'), cli.USAGE,
                               'the tolerance decides'),
                              (('--accuracy', 'high'), cli.USAGE, 'expected a number above 0'),
                              (('--accuracy', '0'), cli.USAGE, 'expected a number above 0')):
        done = cli.run(folder, *words)
        cli.expect(done.returncode == code and text in done.stderr, words, done.stderr)
        cli.expect(not (pathlib.Path(folder) / 'run.csv').exists(), words, 'a file was written')


def test_run_warns_of_steps_that_mean_nothing(folder):
    done = good(folder, TOP)
    cli.expect(done.stderr == '' and 'doubt' not in done.stdout, done.stderr)
    for words, text in ((('-s', 'step=3'), 'too few to follow it'), (('-s', 'step=6'), 'more than half a turn'),
                        (('-s', 'step=1e6', '-s', 'method=sv'), 'more than half a turn'),
                        (('-s', 'step=1e6', '-s', 'method=rk4_q', '-s', 'steps=1'), 'more than half a turn')):
        done = good(folder, TOP, '-s', 'steps=100', *words)
        cli.expect(done.stderr.count('warning') == 1 and text in done.stderr, words, done.stderr)
        cli.expect(re.search(rf'^  doubt    .*{text}', done.stdout, flags=re.M), done.stdout)
    falling = TOP.replace('{angular_velocity: [0.12, 0.1, 0.6]}', '{euler_zyx: [0, 0, 1.57]}\nmethod: gauss2')
    done = good(folder, falling, '-s', 'parameters.mass=400', '-s', 'parameters.centre=[0, 0, 0.01]', '-s', 'step=0.15',
                '-s', 'steps=2')
    cli.expect(done.stderr.count('warning') == 1 and 'at the end has' in done.stderr, done.stderr)


def test_sections_and_ensembles_warn_too(folder):
    section = {'section': 'section: {surface: Pi2, x: Gamma1, y: Gamma3, orbits: 2, attitudes: random, energy: 0.44}',
               'ensemble': 'ensemble: {trajectories: 2, watch: [w1], disperse: [parameters.mass normal 0.004 1e-5]}'}
    for command, plan in section.items():
        text = TOP.replace('step: 0.1', 'step: 6').replace('steps: 10000', 'steps: 20') + plan + '\n'
        cli.write_scenario(folder, text)
        for step, count in (('step=6', 1), ('step=0.1', 0)):
            done = subprocess.run([cli.program(), command, 'run.yaml', '--restart', '-s', step], cwd=folder, text=True,
                                  stdin=subprocess.DEVNULL, capture_output=True, timeout=120, check=False)
            cli.expect(done.returncode in (cli.FINE, 1), done.stderr)
            cli.expect(done.stderr.count('warning') == count, command, step, done.stderr)
            cli.expect(('at the start' in done.stderr) == bool(count), done.stderr)


if __name__ == '__main__':
    cli.main(sys.modules[__name__])
