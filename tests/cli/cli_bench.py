#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""liestep bench: its tables, files and refusals. Never its times.

    cli_bench.py LIESTEP SOURCE_ROOT [NAME]
"""
import csv
import io
import json
import os
import pathlib
import subprocess
import sys

import cli_common
from cli_common import FINE, USAGE, SCENARIO_WRONG, expect, expect_exit

ROOT = pathlib.Path(sys.argv.pop(2)).resolve()
TOP = str(ROOT / 'scenarios/bench/heavy_top.yaml')
# steps at which all are in the range of their order, at a time that is reached at once
SHORT = ('--at', '2', '--drift', '0', '--quick')


def bench(folder, *words, **more):
    return subprocess.run([cli_common.program(), 'bench', *words], cwd=folder, text=True, stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=280, check=False, **more)


def good(folder, *words):
    done = bench(folder, *words)
    expect_exit(done, FINE)
    expect('nan' not in done.stdout and '\033' not in done.stdout, done.stdout)
    return done.stdout


def report(folder, *words):
    return json.loads(good(folder, *words, '--json'))


def refused(folder, code, sentence, *words):
    done = bench(folder, *words)
    expect_exit(done, code)
    expect(sentence in done.stderr and not done.stdout, words, done.stderr, done.stdout)


def test_bench_alone_compares_a_free_body(folder):
    text = good(folder, '--quick')
    for word in ('free_body on S3', 'reference  order 16', 'regular', 'best of liestep', 'over 10000 steps', 'ep/cay',
                 'rk4_normalised', '<= 0.5'):
        expect(word in text, f'no "{word}" in', text)


def test_bench_table_shows_the_order(folder):
    found = report(folder, TOP, *SHORT, '-m', 'sv,gauss2/exp,sv_suzuki4,rk4,rk4_velocity', '--steps', '0.1,0.05,0.025')
    orders = {m['method']: (m['order'], m['order_seen'][0]) for m in found['methods']}
    expect(set(orders) == {'sv/cay', 'gauss2/exp', 'sv_suzuki4/cay', 'rk4', 'rk4_velocity'}, orders)
    for name, (claimed, seen) in orders.items():
        expect(abs(seen - claimed) < 0.1 * claimed, name, claimed, seen)


def test_bench_errors_fall_and_methods_agree(folder):
    """Methods that have nothing in common meet at the reference."""
    found = report(folder, TOP, *SHORT, '-m', 'gauss4/exp,rk4', '--steps', '0.02,0.002')
    for m in found['methods']:
        errors = [p['errors'][0]['attitude'] for p in m['points']]
        expect(errors[1] < 1e-12 and errors[1] < errors[0] + 1e-14, m['method'], errors)
    expect(found['reference']['times'][0]['check'] < 1e-14 and found['reference']['times'][0]['pointwise'], found)


def test_bench_has_pairs_with_step_control(folder):
    found = report(folder, TOP, *SHORT, '-m', 'rkmk_dopri5_adaptive,rkmk_dopri8_adaptive/exp', '--tolerances',
                   '1e-4,1e-7,1e-10')
    expect([m['method'] for m in found['methods']] == ['rkmk_dopri5_adaptive/cay', 'rkmk_dopri8_adaptive/exp'], found)
    for m in found['methods']:
        errors = [p['errors'][0]['attitude'] for p in m['points']]
        expect(m['knob'] == 'tolerance' and 'drift' not in m, m)
        expect(errors[0] > 10 * errors[1] > 100 * errors[2] and errors[2] < 1e-9, m['method'], errors)
    refused(folder, USAGE, 'does not take the system', TOP, '-m', 'rkmk4_adaptive')


def test_bench_csv_has_its_columns(folder):
    rows = list(csv.DictReader(io.StringIO(good(folder, TOP, '--at', '1,2', '--quick', '--drift', '0', '-m', 'sv,rk4',
                                                '--steps', '0.1,0.05', '--csv'))))
    expect(len(rows) == 8, rows)
    for row in rows:
        expect(row['side'] == ('other' if row['method'] == 'rk4' else 'liestep') and row['status'] == 'LIE_OK', row)
        for key in ('value', 't_s', 'attitude_error_rad', 'momentum_error', 'energy_error', 'ns_per_s', 'forces_per_s'):
            expect(float(row[key]) >= 0, key, row)
        expect(row['position_error_m'] == '', row)
    per_step = [float(row['forces_per_s']) * float(row['value']) for row in rows if row['method'] == 'rk4']
    expect(all(abs(n - 4) < 1e-9 for n in per_step), per_step)


def test_bench_json_has_its_parts(folder):
    found = report(folder, TOP, '--quick', '--at', '2,4', '--drift', '2000', '-m', 'sv,rk4')
    for key in ('scenario', 'system', 'group', 'processor', 'reference', 'equal_error', 'methods'):
        expect(key in found, key)
    expect(len(found['equal_error']) == 8 and found['reference']['conserves_momentum'] == [False, False, True], found)
    for row in found['structure']:
        expect(row['keeps'] in ('sv/cay', None) and row['other'] in ('rk4', None), row)
        if row['keeps'] and row['other']:
            quotient = row['keeps_ns_per_s'] / row['other_ns_per_s']
            expect(abs(row['ratio'] - quotient) < 1e-6 * quotient, row)
    expect(any(row['ratio'] for row in found['structure']), found['structure'])
    sv = found['methods'][0]
    expect(sv['drift']['steps'] == 2000 and sv['drift']['momentum_claim'] == 'held', sv['drift'])
    expect(len(sv['points']) == 6, len(sv['points']))


def test_bench_writes_files(folder):
    good(folder, TOP, '--quick', '--at', '2', '--drift', '2000', '-m', 'sv,gauss2,rk4', '-o', 'top')
    names = {'top.json', 'top-precision.csv', 'top-drift.csv'}
    pictures = {f'top-{kind}.{end}' for kind in ('precision', 'drift') for end in ('svg', 'png')}
    there = set(os.listdir(folder))
    expect(there in (names, names | pictures), there)
    if there != names:
        text = (pathlib.Path(folder) / 'top-precision.svg').read_text('utf-8')
        for word in ('sv/cay', 'rk4', 'error of the attitude', 'simulated second [µs/s]', '(a) t = 2 s'):
            expect(word in text, f'no "{word}" in the picture')
    done = bench(folder, TOP, *SHORT, '-m', 'rk4', '--steps', '0.1', '-o', 'nowhere/top')
    expect(done.returncode != FINE and 'nowhere' in done.stderr, done)


def test_bench_takes_other_groups_and_systems(folder):
    for path, words in ((TOP, ['-s', 'group=SO3']), (str(ROOT / 'scenarios/bench/vehicle_dense.yaml'), []),
                        (str(ROOT / 'scenarios/bench/vehicle_drag.yaml'), []),
                        (str(ROOT / 'scenarios/bench/satellite.yaml'), []),
                        (str(ROOT / 'scenarios/turntable.yaml'), []),
                        (str(ROOT / 'scenarios/bench/particle_drag.yaml'), [])):
        found = report(folder, path, *words, '--at', '0.5', '--quick', '--drift', '0', '--steps', '0.01,0.005')
        key = 'position' if 'particle' in path else 'attitude'
        expect(len(found['methods']) > 10, len(found['methods']))
        for m in found['methods']:
            if m['knob'] == 'step' and m['order'] >= 4:
                coarse, fine = (p['errors'][0][key] for p in m['points'])
                expect(fine < 1e-2 and fine < coarse / 8 + 1e-11, path, m['method'], coarse, fine)


def test_bench_takes_a_spacecraft(folder):
    """A product of groups, metres by the million and angles: regular, and everyone meets at the reference."""
    found = report(folder, str(ROOT / 'scenarios/spacecraft.yaml'), '--at', '600', '--quick', '--drift', '0', '--steps',
                   '20,10')
    expect(found['reference']['times'][0]['pointwise'] and found['reference']['times'][0]['check'] < 1e-14, found)
    names = {m['method'] for m in found['methods']}
    expect({'sv', 'gauss2', 'rkmk_dopri8', 'rk4', 'rk4_normalised'} <= names, names)
    for m in found['methods']:
        if m['knob'] == 'step' and m['order'] >= 4:
            coarse, fine = (p['errors'][0] for p in m['points'])
            for key, large, small in (('attitude', 1e-6, 1e-12), ('position', 0.1, 1e-6)):
                expect(fine[key] < large and fine[key] < coarse[key] / 8 + small, m['method'], key, coarse, fine)


def test_bench_says_where_errors_mean_nothing(folder):
    found = report(folder, str(ROOT / 'scenarios/bench/vehicle_chaotic.yaml'), '--at', '1,500', '--quick', '--drift',
                   '2000', '-m', 'sv,rk4', '--steps', '0.02')
    expect([t['pointwise'] for t in found['reference']['times']] == [True, False], found['reference'])
    late = found['methods'][0]['points'][0]['errors'][1]
    expect(late['attitude'] is None and late['momentum'] < 1e-10, late)
    expect(all(row['t'] == 1 for row in found['equal_error']), found['equal_error'])


def test_bench_refuses(folder):
    refused(folder, USAGE, "did you mean 'gauss2'", TOP, '-m', 'gaus2')
    refused(folder, USAGE, 'does not take the system heavy_top', TOP, '-m', 'ep')
    refused(folder, USAGE, "has no retraction 'skewed'", TOP, '-m', 'sv/skewed')
    refused(folder, USAGE, 'no method is given', TOP, '-m', ',')
    refused(folder, USAGE, 'no number is given', TOP, '--steps', '')
    refused(folder, USAGE, 'positive numbers', TOP, '--steps', '0.1,-2')
    refused(folder, USAGE, 'positive numbers', TOP, '--tolerances', '1e-3;1e-4')
    refused(folder, USAGE, 'whole multiple', TOP, '--at', '2,3')
    refused(folder, USAGE, 'number of steps', TOP, '--drift', 'many')
    refused(folder, USAGE, 'both want standard output', TOP, '--csv', '--json')
    refused(folder, USAGE, 'one scenario is expected', TOP, TOP)
    refused(folder, USAGE, '--peers', TOP, '--peers', 'nowhere.so')
    refused(folder, SCENARIO_WRONG, 'nowhere.yaml', 'nowhere.yaml')


def test_bench_does_without_peers(folder):
    text = good(folder, TOP, *SHORT, '--peers', 'none', '-m', 'all', '--steps', '0.1')
    expect('were not asked for' in text and 'gsl' not in text.split('\n', 6)[6], text)


def test_bench_peers_meet_at_the_reference(folder):
    """Where the module was built: every peer reaches the reference."""
    found = report(folder, TOP, '--at', '2', '--drift', '0', '--quick', '--steps', '0.002', '--tolerances', '1e-13')
    peers = [m for m in found['methods'] if m['library'] not in ('liestep', 'plain C')]
    if not peers:
        raise cli_common.Skip('the module liestep-peers was not built')
    for m in peers:
        error = m['points'][0]['errors'][0]['attitude']
        expect(error < 1e-10, m['method'], error)


cli_common.main(sys.modules[__name__])
