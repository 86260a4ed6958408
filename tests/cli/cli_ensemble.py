# SPDX-License-Identifier: MIT
"""Tests of `liestep ensemble` from outside: dispersions, statistics, threads, ranks, resume, bad input.

    cli_ensemble.py LIESTEP [WORD]    the tests whose name contains the word
"""
import csv
import math
import pathlib
import signal
import statistics
import subprocess
import sys

import cli_common as c
import cli_section

BODY = """\
system: heavy_top
parameters:
  inertia: [1.1, 2.3, 2.9]
  mass: 0.8
  centre: [0.3, -0.2, 1.0]
start:
  angular_velocity: [0.7, 0.9, -0.6]
method: sv
step: 0.01
steps: 230
ensemble:
  trajectories: 60
  seed: 3
  disperse:
    - parameters.inertia[2] normal 2.3 0.05
    - parameters.mass uniform 0.7 0.9
    - start.angular_velocity[1] list 0.5 0.6 0.7
  watch: [w1, "|Pi|", energy]
  statistics: stat.csv
  histogram: hist.csv
  bins: 8
output:
  every: 50
  csv: run.csv
  npy: run.npy
  plot: run.svg
"""
FILES = ('run.csv', 'run.npy', 'run.svg', 'stat.csv', 'hist.csv')


def ensemble(folder, *options, text=BODY, before=()):
    (pathlib.Path(folder) / 'run.yaml').write_text(text)
    return subprocess.run([*before, c.program(), 'ensemble', 'run.yaml', *options], cwd=folder, timeout=120, check=False,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def table(folder, name):
    with open(pathlib.Path(folder) / name, encoding='ascii') as file:
        return [{k: float(v) for k, v in row.items()}
                for row in csv.DictReader(line for line in file if not line.startswith('#'))]


def test_ensemble_statistics_are_those_of_the_records(folder):
    c.expect_exit(ensemble(folder, '--no-plot'), c.FINE)
    rows, stat, hist = (table(folder, name) for name in ('run.csv', 'stat.csv', 'hist.csv'))
    c.expect([row['t'] for row in stat] == sorted({row['t'] for row in rows}) and len(stat) == 6, 'times')
    for line in stat:
        for i in (1, 2, 3):
            x = sorted(row[f'watched{i}'] for row in rows if row['t'] == line['t'])
            c.expect(len(x) == 60 == line['count'], 'count')
            near = lambda a, b: math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-14)
            c.expect(near(statistics.fmean(x), line[f'mean{i}']), line)
            c.expect(near(statistics.stdev(x), line[f'deviation{i}']), line)
            c.expect(line[f'least{i}'] == x[0] and line[f'largest{i}'] == x[-1], line)
            c.expect(near(x[14] + 0.75 * (x[15] - x[14]), line[f'p25_{i}']), line)
            c.expect(near((x[29] + x[30]) / 2, line[f'p50_{i}']), line)
            bins = [row for row in hist if row['expression'] == i and row['t'] == line['t']]
            c.expect(len(bins) == 1 and sum(bins[0][f'bin{b}'] for b in range(1, 9)) == 60, bins)
        first, second = ([row[f'watched{i}'] for row in rows if row['t'] == line['t']] for i in (1, 2))
        a, b = statistics.fmean(first), statistics.fmean(second)
        covariance = sum((x - a) * (y - b) for x, y in zip(first, second)) / 59
        c.expect(math.isclose(covariance, line['covariance1_2'], rel_tol=1e-10, abs_tol=1e-14), line)


def test_ensemble_trajectory_is_a_run_with_its_values(folder):
    only = BODY.replace('    - parameters.inertia[2] normal 2.3 0.05\n', '').replace('uniform 0.7 0.9', 'list 0.75')
    c.expect_exit(ensemble(folder, '--no-plot', '-s', 'ensemble.trajectories=3', text=only), c.FINE)
    found = table(folder, 'run.csv')
    for k, rate in ((1, 0.5), (2, 0.6), (3, 0.7)):
        done = subprocess.run([c.program(), 'run', 'run.yaml', '-q', '--no-plot', '-s', 'parameters.mass=0.75', '-s',
                               f'start.angular_velocity=[{rate},0.9,-0.6]', '-s', 'output.csv=one.csv'], cwd=folder,
                              check=False)
        c.expect(done.returncode == 0, 'run')
        wanted = table(folder, 'one.csv')
        mine = [row for row in found if row['trajectory'] == k]
        c.expect([row['w1'] for row in wanted] == [row['watched1'] for row in mine], k)
        c.expect([row['energy'] for row in wanted] == [row['watched3'] for row in mine], k)


def test_ensemble_dispersions_have_their_distribution(folder):
    text = BODY.replace('  watch: [w1, "|Pi|", energy]', '  watch: [w1, w2]').replace('    - start.angular_velocity[1] list '
                        '0.5 0.6 0.7\n', '    - start.angular_velocity[1] normal 0.7 0.1\n'
                        '    - start.angular_velocity[2] uniform 0.4 1.4\n')
    c.expect_exit(ensemble(folder, '--no-plot', '-s', 'ensemble.trajectories=2000', '-s', 'steps=1', text=text), c.FINE)
    start = [row for row in table(folder, 'run.csv') if row['t'] == 0]
    normal, uniform = ([row[f'watched{i}'] for row in start] for i in (1, 2))
    c.expect(abs(statistics.fmean(normal) - 0.7) < 0.01 and abs(statistics.stdev(normal) - 0.1) < 0.008, 'normal')
    c.expect(sum(abs(x - 0.7) > 0.2 for x in normal) / 2000 < 0.07, 'tails')
    c.expect(0.4 <= min(uniform) < 0.41 and 1.39 < max(uniform) <= 1.4, min(uniform), max(uniform))
    c.expect(abs(statistics.stdev(uniform) - 1 / math.sqrt(12)) < 0.01, 'uniform')
    mean = statistics.fmean(x * y for x, y in zip(normal, uniform)) - statistics.fmean(normal) * statistics.fmean(uniform)
    c.expect(abs(mean) < 0.003, 'independent')


def test_ensemble_threads_and_ranks_change_no_byte(folder):
    wanted = None
    for name, options, before in (('a', ('-j', '1'), ()), ('b', ('-j', '3'), ()), ('c', (), 2), ('d', (), 4)):
        here = cli_section.fresh(folder, name)
        try:
            before = cli_section.mpirun(before) if before else ()
        except c.Skip:
            continue
        c.expect_exit(ensemble(here, *options, before=before), c.FINE)
        wanted = wanted or c.content(here, FILES)
        c.expect_same(c.content(here, FILES), wanted)
    c.expect(len(wanted) == 5, sorted(wanted))


def test_ensemble_resumes_to_the_byte(folder):
    options = ('-s', 'steps=1000000', '-s', 'output.every=250000', '-s', 'checkpoint.file=run.checkpoint', '-s',
               'checkpoint.seconds=0.02', '--no-plot', '-j', '2')
    here = cli_section.fresh(folder, 'i')
    (here / 'run.yaml').write_text(BODY)
    ended, told = c.stopped_midway(here, [c.program(), 'ensemble', 'run.yaml', *options], c.has_made(here, 'run.checkpoint'),
                                   lambda process: process.send_signal(signal.SIGINT))
    c.expect(ended == c.INTERRUPTED and 'stretch of trajectories' in told, ended, told)
    c.expect_exit(ensemble(here, *options, '--resume'), c.FINE)
    whole = cli_section.fresh(folder, 'w')
    c.expect_exit(ensemble(whole, *options), c.FINE)
    c.expect_same(c.content(here, FILES), c.content(whole, FILES))


def test_ensemble_rounds_change_nothing(folder):
    """Many records in several rounds, records further apart than a round, controls that vary: those of single runs."""
    vehicle = '''\
system: vehicle
parameters:
  inertia: [1, 2, 3, 1, 2, 3]
  linear_drag: [0.01, 0.01, 0.01, 0.01, 0.01, 0.01]
  thrusters:
    - {at: [0, 0.1, 0], along: [1, 0, 0]}
start:
  angular_velocity: [0.3, 0.2, 0.1]
method: sv
step: 0.05
steps: 2600
control: [0.02]
ensemble:
  trajectories: 3
  disperse: ["control[1] list 0.02 0.03 0.04"]
  watch: [w1]
output:
  every: 1
  csv: run.csv
'''
    far = BODY.replace('uniform 0.7 0.9', 'list 0.75').replace('    - parameters.inertia[2] normal 2.3 0.05\n', '')
    for text, key, values, more in ((vehicle, 'control', ('[0.02]', '[0.03]', '[0.04]'), ()),
                                    (far, 'start.angular_velocity', ('[0.5,0.9,-0.6]', '[0.6,0.9,-0.6]', '[0.7,0.9,-0.6]'),
                                     ('-s', 'parameters.mass=0.75', '-s', 'steps=620000', '-s', 'output.every=300000'))):
        c.expect_exit(ensemble(folder, '--no-plot', '-s', 'ensemble.trajectories=3', *more, text=text), c.FINE)
        found = table(folder, 'run.csv')
        for k, value in enumerate(values, 1):
            done = subprocess.run([c.program(), 'run', 'run.yaml', '-q', '--no-plot', '-s', f'{key}={value}', *more, '-s',
                                   'output.csv=one.csv'], cwd=folder, check=False, stderr=subprocess.PIPE, text=True)
            c.expect(done.returncode == 0, done.stderr)
            mine = [row for row in found if row['trajectory'] == k]
            wanted = table(folder, 'one.csv')
            c.expect([row['w1'] for row in wanted] == [row['watched1'] for row in mine], key, k, len(wanted), len(mine))


def test_ensemble_memory_does_not_grow_with_the_steps(folder):
    (pathlib.Path(folder) / 'run.yaml').write_text(BODY)
    words = ('ensemble', 'run.yaml', '-q', '--no-plot', '-j', '1', '-s', 'output.every=1', '-s', 'output.csv=')
    short, long = (c.peak_memory(folder, *words, '-s', f'steps={n}') for n in (4000, 40000))
    written = (pathlib.Path(folder) / 'run.npy').stat().st_size
    c.expect(written > 1e8 and long < short + 1e7, short, long, written)


def test_ensemble_refused_values_are_named_and_the_others_go_on(folder):
    text = BODY.replace('uniform 0.7 0.9', 'list 0.8 -1 0.9')
    done = ensemble(folder, '--no-plot', '-s', 'ensemble.trajectories=3', text=text)
    c.expect_exit(done, c.FAILED)
    c.expect('trajectory 2 failed' in done.stderr and 'parameters.mass' in done.stderr, done.stderr)
    c.expect(all(line['count'] == 2 for line in table(folder, 'stat.csv')), 'count')


def rows_of(folder, k):
    return [{key: value for key, value in row.items() if key != 'trajectory'}
            for row in table(folder, 'run.csv') if row['trajectory'] == k]


def test_ensemble_solve_that_fails_is_named_and_the_others_go_on(folder):
    """In every lane once: a step that does not exist, and numbers that overflow. Its neighbours have the bytes they have
    without it."""
    free = BODY.replace('heavy_top', 'free_body').replace('  mass: 0.8\n  centre: [0.3, -0.2, 1.0]\n', '') \
        .replace('    - parameters.mass uniform 0.7 0.9\n', '').replace('method: sv', 'method: dmv')
    for text, key, bad in ((free, 'start.angular_velocity[1]', '500'), (BODY, 'parameters.mass', '1e300')):
        text = '\n'.join(line for line in text.splitlines() if 'disperse' in line or not line.startswith('    - '))
        good = cli_section.fresh(folder, key + 'good')
        scale = lambda values: text.replace('  disperse:', f'  disperse:\n    - {key} list {values}')
        c.expect_exit(ensemble(good, '--no-plot', '-s', 'ensemble.trajectories=2', text=scale('0.5 0.75')), c.FINE)
        wanted = [rows_of(good, k) for k in (1, 2)]
        for at in range(13):
            here = cli_section.fresh(folder, f'{key}{at}')
            values = ' '.join(bad if i == at else ('0.5', '0.75')[i % 2] for i in range(13))
            done = ensemble(here, '--no-plot', '-s', 'ensemble.trajectories=13', text=scale(values))
            c.expect_exit(done, c.FAILED)
            c.expect(f'trajectory {at + 1} failed: ' in done.stderr and done.stderr.count('failed: ') == 1, done.stderr)
            c.expect(all(line['count'] == 12 for line in table(here, 'stat.csv')), 'count')
            for i in range(13):
                c.expect(i == at or rows_of(here, i + 1) == wanted[i % 2], 'trajectory', i + 1, 'beside', at + 1)


def test_ensemble_more_ranks_than_trajectories(folder):
    alone, ranks = cli_section.fresh(folder, 'alone'), cli_section.fresh(folder, 'ranks')
    options = ('-s', 'ensemble.trajectories=3', '--no-plot')
    done = ensemble(ranks, *options, before=cli_section.mpirun(4))
    c.expect_exit(done, c.FINE)
    c.expect('some have nothing to do' in done.stderr, done.stderr)
    c.expect_exit(ensemble(alone, *options), c.FINE)
    c.expect_same(c.content(ranks, FILES), c.content(alone, FILES))


def test_ensemble_of_satellites_is_the_runs_of_its_satellites(folder):
    """The ready scenario: stepped in lanes, in groups that are not full."""
    text = (pathlib.Path(c.__file__).parents[2] / 'scenarios' / 'satellite_dispersed.yaml').read_text(encoding='ascii')
    text = text.split('  disperse:')[0] + '  disperse: ["parameters.wheels[3] list 1 2 3"]\n  watch: [energy]\n'
    options = ('-s', 'steps=1500', '-s', 'output.every=100', '-s', 'output.csv=run.csv')
    c.expect_exit(ensemble(folder, *options, '--no-plot', '-s', 'ensemble.trajectories=7', text=text), c.FINE)
    found = table(folder, 'run.csv')
    for k in range(3):
        done = subprocess.run([c.program(), 'run', 'run.yaml', '-q', '--no-plot', *options, '-s', 'output.csv=one.csv', '-s',
                               f'parameters.wheels=[0,0,{k + 1}]'], cwd=folder, check=False)
        c.expect(done.returncode == 0, 'run')
        wanted = [row['energy'] for row in table(folder, 'one.csv')]
        for trajectory in range(k, 7, 3):
            c.expect([row['watched1'] for row in found if row['trajectory'] == trajectory + 1] == wanted, trajectory + 1)


def test_ensemble_bad_input_is_refused_with_a_sentence(folder):
    for option, part in (('ensemble.disperse=["step normal 1 2"]', 'cannot be dispersed'),
                         ('ensemble.disperse=["parameters.maas normal 1 2"]', "no key 'parameters.maas'"),
                         ('ensemble.disperse=["parameters.mass normal 1"]', 'KEY normal MEAN DEVIATION'),
                         ('ensemble.disperse=["parameters.mass gauss 1 2"]', 'KEY normal MEAN DEVIATION'),
                         ('ensemble.disperse=["parameters.mass normal 1 -2"]', 'below 0'),
                         ('ensemble.disperse=["parameters.mass uniform 2 1"]', 'range is empty'),
                         ('ensemble.disperse=["parameters.inertia normal 1 2"]', 'say which'),
                         ('ensemble.disperse=["parameters.inertia[4] normal 1 2"]', 'has 3 numbers'),
                         ('ensemble.watch=[Pi7]', 'character 1'),
                         ('ensemble.percentiles=[1,2,3,5,4]', 'ascending'),
                         ('ensemble.trajectories=1000000000000000', '1000000 at most'),
                         ('ensemble.statistics=../a', 'plain file name'),
                         ('ensemble.statistics=run.csv', 'already the name')):
        done = ensemble(folder, '-s', option)
        c.expect_exit(done, c.SCENARIO_WRONG)
        c.expect(part in done.stderr, option, done.stderr)
    for key in ('watch', 'disperse'):
        done = ensemble(folder, '-s', f'ensemble.{key}=')
        c.expect(done.returncode == c.SCENARIO_WRONG and f'ensemble.{key}: is missing' in done.stderr, done.stderr)
    done = ensemble(folder, text=c.SCENARIO)
    c.expect(done.returncode == c.SCENARIO_WRONG and 'ensemble: is missing' in done.stderr, done.stderr)


if __name__ == '__main__':
    c.main(sys.modules[__name__])
