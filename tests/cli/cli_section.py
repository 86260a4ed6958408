# SPDX-License-Identifier: MIT
"""Tests of `liestep section` from outside: what is on the section, threads, ranks, resume, bad input.

    cli_section.py LIESTEP [WORD]    the tests whose name contains the word
"""
import csv
import math
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys

import cli_common as c

VEHICLE = """\
system: vehicle
parameters:
  inertia: [1, 2, 3, 1, 2, 3]
method: sv
step: 0.05
steps: 3000
section:
  surface: Pi1
  direction: up
  x: atan2(P2, P1)
  y: P3/|P|
  orbits: 7
  energy: 30
  fixed: ["Pi.P = 2", "|P| = 4"]
output:
  csv: run.csv
  npy: run.npy
  plot: run.svg
"""
TOP = """\
system: heavy_top
parameters:
  inertia: [1, 1.3, 0.7]
  mass: 1
  centre: [0, 0, 0.5]
method: sv
step: 0.02
steps: 2000
section:
  surface: Pi2
  x: Gamma1
  y: Gamma3
  orbits: 5
  energy: 8
  fixed: ["J3 = 1.5"]
  attitudes: random
output:
  csv: run.csv
"""
COLOURS = {('0', '114', '178'), ('213', '94', '0'), ('0', '158', '115'), ('204', '121', '167'), ('51', '34', '136'),
           ('230', '159', '0'), ('86', '180', '233'), ('136', '34', '85')}
FILES = ('run.csv', 'run.npy', 'run.svg')


def section(folder, *options, text=VEHICLE, before=(), **more):
    (pathlib.Path(folder) / 'run.yaml').write_text(text)
    arguments = dict(cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                     timeout=120, check=False)
    arguments.update(more)
    return subprocess.run([*before, c.program(), 'section', 'run.yaml', *options], **arguments)


def rows(folder):
    """The records as dictionaries of numbers."""
    with open(pathlib.Path(folder) / 'run.csv', encoding='ascii') as file:
        return [{k: float(v) for k, v in row.items()}
                for row in csv.DictReader(line for line in file if not line.startswith('#'))]


def fresh(folder, name):
    path = pathlib.Path(folder) / name
    path.mkdir()
    return path


def mpirun(n):
    if not shutil.which('mpirun') or 'libmpi' not in c.libraries():
        raise c.Skip('there is no MPI')
    return ['mpirun', '--allow-run-as-root', '--oversubscribe', '-n', str(n)]


def test_section_points_are_on_the_surface(folder):
    c.expect_exit(section(folder, '--no-plot'), c.FINE)
    found = rows(folder)
    crossings = [row for row in found if row['point'] > 0]
    c.expect({row['orbit'] for row in crossings} == set(range(1, 8)), 'orbits')
    c.expect(len(crossings) > 200, len(crossings), 'crossings')
    for row in crossings:
        c.expect(abs(row['m1']) <= 1e-12 and abs(row['residual']) <= 1e-12, row)
        c.expect(row['direction'] == 1 and row['status'] == 0, row)
        c.expect(abs(row['fixed1'] - 2) < 1e-11 and abs(row['fixed2'] - 4) < 1e-12, row)
        c.expect(abs(row['x_axis'] - math.atan2(row['m5'], row['m4'])) < 1e-15, row)
        c.expect(abs(row['y_axis'] - row['m6'] / math.hypot(row['m4'], row['m5'], row['m6'])) < 1e-15, row)
        # the derivative of Pi1 is (Pi x w + P x v)_1, and it grows there
        rate = (row['m2'] * row['m3'] / 3 - row['m3'] * row['m2'] / 2
                + row['m5'] * row['m6'] / 3 - row['m6'] * row['m5'] / 2)
        c.expect(rate > 0, row)
    for row in found:
        if row['point'] == 0:
            c.expect(abs(row['energy'] - 30) < 1e-11 and abs(row['m1']) < 1e-12, row)


def painted(folder, *options):
    """The picture of a section as a PNG, if the program paints it: two panels of 7 orbits."""
    if not shutil.which('gnuplot') or 'libpng' not in c.libraries():
        raise c.Skip('gnuplot or libpng is missing')
    text = VEHICLE.replace('run.svg', 'run.png').replace('  x: atan2',
                                                         '  panels: ["step=0.05", "step=0.025"]\n  x: atan2')
    done = section(folder, *options, text=text)
    return done, (pathlib.Path(folder) / 'run.png').read_bytes()


def test_section_picture_is_the_same_with_given_ranges_and_threads(folder):
    done, found_ranges = painted(fresh(folder, 'found'))
    c.expect_exit(done, c.FINE)
    found = [row for row in rows(pathlib.Path(folder) / 'found') if row['point'] > 0]
    ranges = []
    for axis in 'xy':
        values = [row[f'{axis}_axis'] for row in found]
        margin = 0.03 * (max(values) - min(values))
        ranges += ['-s', f'section.{axis}range=[{min(values) - margin!r}, {max(values) + margin!r}]']
    done, given = painted(fresh(folder, 'given'), *ranges)
    c.expect_exit(done, c.FINE)
    c.expect(given == found_ranges and len(given) > 20000, len(given), len(found_ranges))
    done, threads = painted(fresh(folder, 'threads'), '-j', '2', *ranges)
    c.expect(threads == given, len(threads))


def test_section_picture_colours_what_stays_on_curves(folder):
    """RK4 with a long step loses all curves, sv keeps them: in the picture grey is what is regular in neither panel."""
    text = VEHICLE.replace('steps: 3000', 'end: 4000').replace(
        '  x: atan2', '  panels: ["RK4: method=rk4_q step=0.08", "sv: method=sv step=0.08"]\n  x: atan2')
    done = section(folder, text=text)
    c.expect_exit(done, c.FINE)
    regular = [int(row.split()[8]) for row in re.findall(r'^ +[12] +\w+ .*', done.stdout, flags=re.M)]
    c.expect(regular[0] == 0 and 2 <= regular[1] < 7, done.stdout)
    if shutil.which('gnuplot'):
        picture = (pathlib.Path(folder) / 'run.svg').read_text(encoding='utf-8')
        for words in (f'; {regular[0]} of 7 orbits stay on curves', f'; {regular[1]} of 7 orbits stay on curves', 'off by: energy',
                      'in colour: orbits that stay on curves, here or in the last panel; grey: all others'):
            c.expect(words in picture, words)
        # gnuplot writes a colour as rgb(r, g, b): the grey of the others, and as many colours as there are curves
        used = set(re.findall(r'rgb\( *(\d+), *(\d+), *(\d+)\)', picture))
        c.expect(('180', '180', '180') in used and len({c for c in used if c in COLOURS}) == regular[1], used)


def test_section_picture_without_crossings_says_so(folder):
    ranges = ['-s', 'section.xrange=[-3, 3]', '-s', 'section.yrange=[-1, 1]']
    done, full = painted(fresh(folder, 'full'), *ranges)
    c.expect_exit(done, c.FINE)
    done, empty = painted(fresh(folder, 'empty'), '-s', 'section.surface=energy - 1', *ranges)
    c.expect_exit(done, c.FAILED)
    c.expect('never passed 0' in done.stderr and 1000 < len(empty) < len(full), done.stderr, len(empty))
    # without ranges the axes go from 0 to 1, for want of points
    done, found = painted(fresh(folder, 'found'), '-s', 'section.surface=energy - 1')
    done, given = painted(fresh(folder, 'given'), '-s', 'section.surface=energy - 1', '-s', 'section.xrange=[0, 1]',
                          '-s', 'section.yrange=[0, 1]')
    c.expect(given == found, len(given), len(found))


def test_section_downward_and_both_add_up(folder):
    counts = {}
    for direction in ('up', 'down', 'both'):
        c.expect_exit(section(folder, '--no-plot', '-s', f'section.direction={direction}'), c.FINE)
        counts[direction] = sum(row['point'] > 0 for row in rows(folder))
    c.expect(counts['up'] > 0 and counts['up'] + counts['down'] == counts['both'], counts)


def test_section_top_with_random_attitudes(folder):
    c.expect_exit(section(folder, text=TOP), c.FINE)
    starts = [row for row in rows(folder) if row['point'] == 0]
    c.expect(len({row['q0'] for row in starts}) == 5, 'attitudes differ')
    for row in starts:
        c.expect(abs(row['energy'] - 8) < 1e-11 and abs(row['fixed1'] - 1.5) < 1e-11, row)


def test_section_grid_starts_at_its_points(folder):
    c.expect_exit(section(folder, '--no-plot', '-s', 'section.grid=[3,2,-1,1,-0.5,0.5]', '-s', 'section.orbits='),
                  c.FINE)
    starts = {row['orbit']: (row['x_axis'], row['y_axis']) for row in rows(folder) if row['point'] == 0}
    c.expect(len(starts) >= 4, starts)
    for orbit, (x, y) in starts.items():
        column, line = (orbit - 1) % 3, (orbit - 1) // 3
        c.expect(abs(x - (column - 1)) < 1e-11 and abs(y - (line - 0.5)) < 1e-11, orbit, x, y)


def test_section_given_momenta_are_taken(folder):
    text = VEHICLE.replace('  orbits: 7\n  energy: 30\n', '').replace('  fixed: ["Pi.P = 2", "|P| = 4"]\n', '')
    text = text.replace('  direction: up\n', '  direction: up\n  momenta: [0, 5, 1, 1, 2, 3, 0.1, 4, 1, 2, 1, 3]\n')
    c.expect_exit(section(folder, '--no-plot', text=text), c.FINE)
    starts = [row for row in rows(folder) if row['point'] == 0]
    c.expect([row['m2'] for row in starts] == [5, 4] and starts[1]['m1'] == 0.1, starts)


def test_section_threads_change_no_byte(folder):
    c.expect_exit(section(fresh(folder, 'a'), '-j', '1'), c.FINE)
    wanted = c.content(pathlib.Path(folder) / 'a', FILES)
    for n in (2, 5):
        c.expect_exit(section(fresh(folder, f't{n}'), '-j', str(n)), c.FINE)
        c.expect_same(c.content(pathlib.Path(folder) / f't{n}', FILES), wanted)


def test_section_ranks_change_no_byte(folder):
    mpirun(1)
    c.expect_exit(section(fresh(folder, 'a'), '-j', '1'), c.FINE)
    wanted = c.content(pathlib.Path(folder) / 'a', FILES)
    for n in (1, 2, 4):
        done = section(fresh(folder, f'r{n}'), before=mpirun(n))
        c.expect_exit(done, c.FINE)
        c.expect_same(c.content(pathlib.Path(folder) / f'r{n}', FILES), wanted)


def test_section_more_ranks_than_orbits(folder):
    done = section(folder, '--no-plot', '-s', 'section.orbits=2', before=mpirun(4))
    c.expect_exit(done, c.FINE)
    c.expect('4 processes for 2 units' in done.stderr, done.stderr)
    c.expect({row['orbit'] for row in rows(folder)} == {1, 2}, 'orbits')


def test_section_wrong_scenario_is_told_once_by_ranks(folder):
    done = section(folder, '-s', 'step=x', before=mpirun(3))
    c.expect(done.returncode != 0 and done.stderr.count('expected a number') == 1, done.returncode, done.stderr)


# Many steps between crossings: computing takes longer than writing.
LONG = ('-s', 'step=0.001', '-s', 'steps=400000', '-s', 'section.orbits=120', '-s', 'checkpoint.file=run.checkpoint',
        '-s', 'checkpoint.seconds=0.02', '--no-plot', '-j', '2')


def interrupted(folder, act, before=()):
    """A long section, as soon as it has a checkpoint, and what is done to it then: exit code and what it said."""
    (pathlib.Path(folder) / 'run.yaml').write_text(VEHICLE)
    return c.stopped_midway(folder, [*before, c.program(), 'section', 'run.yaml', *LONG],
                            c.has_made(folder, 'run.checkpoint'), act)


def uninterrupted(folder):
    c.expect_exit(section(fresh(folder, 'whole'), *LONG), c.FINE)
    return c.content(pathlib.Path(folder) / 'whole', FILES)


def test_section_resumes_to_the_byte_after_a_signal(folder):
    for number, code in ((signal.SIGINT, c.INTERRUPTED), (signal.SIGTERM, c.TERMINATED)):
        here = fresh(folder, f's{code}')
        ended, told = interrupted(here, lambda process, number=number: process.send_signal(number))
        c.expect(ended == code and '--resume' in told and 'orbits ' in told, ended, told)
        done = section(here, *LONG)
        c.expect(done.returncode == c.SCENARIO_WRONG and '--restart' in done.stderr, done.stderr)
        done = section(here, *LONG, '--resume')
        c.expect_exit(done, c.FINE)
        c.expect('going on from the checkpoint at stretch of orbits' in done.stderr, done.stderr)
        c.expect_same(c.content(here, FILES), uninterrupted(fresh(folder, f'w{code}')))
        c.expect_clean(here)


def test_section_resumes_to_the_byte_after_kill(folder):
    here = fresh(folder, 'k')
    interrupted(here, subprocess.Popen.kill)
    c.expect_exit(section(here, *LONG, '--resume'), c.FINE)
    c.expect_same(c.content(here, FILES), uninterrupted(folder))


# One group of orbits, and many rounds of it: there is nothing that could be complete before the end.
ROUNDS = ('-s', 'steps=3000000', '-s', 'section.orbits=3', '-s', 'checkpoint.file=run.checkpoint', '-s',
          'checkpoint.seconds=0.02', '--no-plot')


def test_section_resumes_within_an_orbit(folder):
    here = fresh(folder, 'i')
    (here / 'run.yaml').write_text(VEHICLE)
    ended, told = c.stopped_midway(here, [c.program(), 'section', 'run.yaml', *ROUNDS], c.has_made(here, 'run.checkpoint'),
                                   lambda process: process.send_signal(signal.SIGINT))
    c.expect(ended == c.INTERRUPTED and 'stretch of orbits' in told, ended, told)
    done = section(here, *ROUNDS, '--resume')
    c.expect_exit(done, c.FINE)
    at, of = map(int, re.search(r'stretch of orbits (\d+) of (\d+)', done.stderr).groups())
    c.expect(0 < at < of == 36, done.stderr)
    whole = fresh(folder, 'w')
    c.expect_exit(section(whole, *ROUNDS, '-j', '1'), c.FINE)
    c.expect_same(c.content(here, FILES), c.content(whole, FILES))


def test_section_that_cannot_name_its_files_completes_them_later(folder):
    here = fresh(folder, 'l')
    (here / 'run.yaml').write_text(VEHICLE)
    ended, told = c.stopped_midway(here, [c.program(), 'section', 'run.yaml', *ROUNDS], c.has_made(here, 'run.checkpoint'),
                                   lambda _: (here / 'run.npy').exists() or (here / 'run.npy').mkdir())
    c.expect(ended == c.OUTPUT and 'all is computed and kept' in told, ended, told)
    (here / 'run.npy').rmdir()
    c.expect_exit(section(here, *ROUNDS, '--resume'), c.FINE)
    whole = fresh(folder, 'w')
    c.expect_exit(section(whole, *ROUNDS), c.FINE)
    c.expect_same(c.content(here, FILES), c.content(whole, FILES))


def test_section_rounds_change_no_crossing(folder):
    """What is found in several rounds is what one run finds: the last states are those of liestep run."""
    text = VEHICLE.replace('  orbits: 7\n  energy: 30\n', '').replace('  fixed: ["Pi.P = 2", "|P| = 4"]\n', '')
    text = text.replace('  direction: up\n', '  direction: up\n  momenta: [0, 5, 1, 1, 2, 3, 0.1, 4, 1, 2, 1, 3]\n')
    c.expect_exit(section(folder, '--no-plot', '-s', 'steps=600000', text=text), c.FINE)
    found = rows(folder)
    for orbit, turn, move in ((1, '[0,2.5,0.33333333333333331]', '[1,1,1]'),
                              (2, '[0.1,2,0.33333333333333331]', '[2,0.5,1]')):
        mine = sorted((row for row in found if row['orbit'] == orbit), key=lambda row: row['t'])
        c.expect(len(mine) > 1000 and [row['point'] for row in mine] == [*range(len(mine) - 1), -1], orbit, len(mine))
        done = subprocess.run([c.program(), 'run', 'run.yaml', '-q', '--no-plot', '-s', 'steps=600000', '-s',
                               f'start.angular_velocity={turn}', '-s', f'start.velocity={move}', '-s', 'output.npy=', '-s',
                               'output.every=600000', '-s', 'output.csv=one.csv'], cwd=folder, check=False,
                              stderr=subprocess.PIPE, text=True)
        c.expect(done.returncode == 0, done.stderr)
        with open(pathlib.Path(folder) / 'one.csv', encoding='ascii') as file:
            *_, last = csv.DictReader(line for line in file if not line.startswith('#'))
        c.expect(all(float(last[f'm{i}']) == mine[-1][f'm{i}'] for i in range(1, 7)), last, mine[-1])


def test_section_rounds_change_no_bit_of_a_crossing(folder):
    """With an indicator rounds are an eighth as long. Crossings so dense that some lie next to the end of each."""
    dense = '  surface: Pi2 + 9*sin(150*t)\n  direction: both\n  points: 1000000\n'
    text = TOP.replace('  surface: Pi2\n', dense).replace('steps: 2000', 'steps: 70000')
    found = []
    for name, more in (('one', ()), ('three', ('-s', 'section.indicator=fli'))):
        here = fresh(folder, name)
        c.expect_exit(section(here, '--no-plot', '-s', 'section.orbits=2', *more, text=text), c.FINE)
        found.append(sorted((row['orbit'], row['t'], row['point'], row['residual'], row['m1'], row['m2'], row['m3'], row['q0'])
                            for row in rows(here)))
    c.expect(len(found[0]) > 100000 and found[0] == found[1], len(found[0]), len(found[1]))


def test_section_ends_when_all_orbits_have_their_points(folder):
    c.expect_exit(section(folder, '--no-plot', '-s', 'steps=1000000000000000', '-s', 'section.points=20'), c.FINE)
    found = rows(folder)
    c.expect(sum(row['point'] > 0 for row in found) == 7 * 20 and sum(row['point'] < 0 for row in found) == 7, 'points')


def test_section_memory_does_not_grow_with_the_steps(folder):
    """A crossing every fifth step or so: most of the memory is records."""
    (pathlib.Path(folder) / 'run.yaml').write_text(VEHICLE)
    words = ('section', 'run.yaml', '-q', '--no-plot', '-j', '1', '-s', 'output.csv=', '-s', 'section.orbits=2', '-s',
             'section.surface=sin(25*t)', '-s', 'section.points=10000000')
    short, long = (c.peak_memory(folder, *words, '-s', f'steps={n}') for n in (600000, 3000000))
    written = (pathlib.Path(folder) / 'run.npy').stat().st_size
    c.expect(written > 1e8 and long < short + 1e7, short, long, written)


def kill_a_rank(mpirun_process):
    """Kill a process that is not the first. If all have ended already, none."""
    children = subprocess.run(['ps', '-o', 'pid=', '--ppid', str(mpirun_process.pid)], stdout=subprocess.PIPE, text=True,
                              check=False).stdout.split()
    for pid in children:
        try:
            if b'OMPI_COMM_WORLD_RANK=2' in pathlib.Path(f'/proc/{pid}/environ').read_bytes():
                os.kill(int(pid), signal.SIGKILL)
        except (FileNotFoundError, ProcessLookupError):
            pass


def test_section_goes_on_after_a_rank_has_died(folder):
    here = fresh(folder, 'd')
    ended, _ = interrupted(here, kill_a_rank, before=mpirun(3))
    c.expect(ended != 0, 'the job did not notice')
    c.expect((here / 'run.checkpoint').exists() or (here / 'run.checkpoint.1').exists(), os.listdir(here))
    c.expect_exit(section(here, *LONG, '--resume'), c.FINE)
    c.expect_same(c.content(here, FILES), uninterrupted(folder))


def test_section_panels_share_one_table(folder):
    text = VEHICLE.replace('  orbits: 7\n', '  orbits: 3\n  panels: ["method=rk4_q", "step=0.025 steps=6000"]\n')
    done = section(folder, text=text)
    c.expect_exit(done, c.FINE)
    found = rows(folder)
    c.expect({(row['panel'], row['orbit']) for row in found} == {(p, o) for p in (1, 2) for o in (1, 2, 3)}, 'orbits')
    first, second = ([row['m2'] for row in found if row['panel'] == p and row['point'] == 0] for p in (1, 2))
    c.expect(first == second, 'the panels start alike')
    c.expect('rk4_q' in done.stdout and 'still' in done.stdout, done.stdout)


def test_section_labels_are_those_of_the_picture(folder):
    text = VEHICLE.replace('  x: atan2(P2, P1)\n', '  x: "angle of P [rad]: atan2(P2, P1)"\n'
                           '  panels: ["it\'s h = 0.05 s: step=0.05", "step=0.025"]\n')
    done = section(folder, text=text)
    c.expect_exit(done, c.FINE)
    c.expect("it's h = 0.05 s\n" in done.stdout, done.stdout)
    if shutil.which('gnuplot'):
        picture = (pathlib.Path(folder) / 'run.svg').read_text(encoding='utf-8')
        for label in ('angle of P [rad]', 'P3/|P|', 'it\'s h = 0.05 s', 'step 0.025'):
            c.expect(label in picture, label)
    # the place of a mistake is that in the whole text; a label cannot break out of gnuplot's script
    c.expect("character 8: there is no 'Pj'" in refused(folder, '-s', 'section.x="angle: Pj"'), 'place')
    text = text.replace('angle of P [rad]', "a'\\nsystem 'touch seen'\\nset title '")
    c.expect('control character' in refused(folder, text=text), 'script')


def test_section_indicator_tells_chaos(folder):
    done = section(folder, '--no-plot', '-s', 'section.indicator=fli', '-s', 'steps=2000')
    c.expect_exit(done, c.FINE)
    found, before = rows(folder), {}
    for row in found:
        c.expect(0 <= row['fli'] and 0 <= row['sali'] <= 1.5 and abs(row['lyapunov']) < 3, row)
        c.expect(row['fli'] >= before.get(row['orbit'], 0), row)
        before[row['orbit']] = row['fli']
    c.expect(min(before.values()) > 0, before)
    chaotic = {row['orbit'] for row in found if row['sali'] < 1e-4 and row['point'] < 0}
    heads, figures = [line.split() for line in done.stdout.splitlines()[2:4]]
    c.expect(heads[-1] == 'chaotic' and int(figures[-1]) == len(chaotic), done.stdout)


def refused(folder, *options, text=VEHICLE, code=c.SCENARIO_WRONG):
    done = section(folder, *options, text=text)
    c.expect_exit(done, code)
    return done.stderr


def test_section_bad_input_is_refused_with_a_sentence(folder):
    for option, part in (('section.surface=Pi1 +* 2', 'character 6'),
                         ('section.x=Pj', "there is no 'Pj'"),
                         ('section.fixed=["|P| 4"]', "character 5: expected '='"),
                         ('section.direction=left', 'up, down'),
                         ('section.points=1000000000000000', '10000000 at most'),
                         ('section.orbits=1000000000000000', '1000000 at most'),
                         ('section.grid=[0,2,0,1,0,1]', 'from 1 to 1000'),
                         ('section.grid=[2,2,0,1,0,1]', 'section.orbits'),
                         ('section.momenta=[1,2,3]', 'multiple'),
                         ('section.panels=["output.csv=a"]', 'of its own'),
                         ('section.panels=["stap=1"]', "unknown key; did you mean 'step'"),
                         ('section.xrange=[1,0]', 'above the first'),
                         ('section.indicator=fly', 'fli'),
                         ('output.aem=a.aem', 'aem')):
        told = refused(folder, '-s', option)
        c.expect(part in told, option, told)
        c.expect(os.listdir(folder) == ['run.yaml'], os.listdir(folder))
    told = refused(folder, '-s', 'section.energy=', '-s', 'section.fixed=')
    c.expect('section.energy: is missing' in told, told)
    told = refused(folder, '-s', 'section.x=')
    c.expect('section.x: is missing' in told, told)
    told = refused(folder, text=c.SCENARIO)
    c.expect('section: is missing' in told, told)


def test_section_empty_surface_is_told(folder):
    told = refused(folder, '-s', 'section.energy=-5')
    c.expect('no orbit has the energy -5 J' in told and 'at rest' in told, told)
    told = refused(folder, '-s', 'section.energy=1')
    c.expect('no orbit was found' in told, told)
    told = refused(folder, '-s', 'section.grid=[2,2,0,1,3,4]', '-s', 'section.orbits=')
    c.expect('anywhere on section.grid' in told, told)
    c.expect(os.listdir(folder) == ['run.yaml'], os.listdir(folder))


def test_section_never_crossed_is_told_and_kept(folder):
    done = section(folder, '-s', 'section.surface=energy - 1')
    c.expect_exit(done, c.FAILED)
    c.expect('never passed 0' in done.stderr, done.stderr)
    c.expect(len(rows(folder)) == 14 and (pathlib.Path(folder) / 'run.svg').exists(), 'files')


def test_section_one_failing_orbit_is_named_and_the_others_go_on(folder):
    text = TOP.replace('  orbits: 5\n  energy: 8\n', '  momenta: [0.1, 2, 0.3, 1e200, 1e200, 1, 0.2, 1.8, 0.4]\n')
    text = text.replace('  fixed: ["J3 = 1.5"]\n  attitudes: random\n', '').replace('surface: Pi2', 'surface: Pi1')
    done = section(folder, text=text)
    c.expect_exit(done, c.FAILED)
    c.expect('orbit 2 failed' in done.stderr and 'orbit 1' not in done.stderr, done.stderr)
    found = rows(folder)
    for orbit in (1, 3):
        points = [row for row in found if row['orbit'] == orbit]
        c.expect(len(points) > 10 and all(row['status'] == 0 for row in points), orbit, len(points))
    points = [row for row in found if row['orbit'] == 2]
    c.expect([row['status'] != 0 for row in points] == [False, True] and points[-1]['point'] == -1, points)


def test_section_expression_without_a_value_fails_by_name(folder):
    done = section(folder, '--no-plot', '-s', 'section.surface=sqrt(Pi1) - 1', '-s', 'section.orbits=2')
    c.expect_exit(done, c.FAILED)
    c.expect('orbit 1 failed' in done.stderr and 'finite' in done.stderr, done.stderr)


def test_section_ends_after_as_many_points_as_wanted(folder):
    c.expect_exit(section(folder, '--no-plot', '-s', 'section.points=3'), c.FINE)
    for k in range(1, 8):
        c.expect([row['point'] for row in rows(folder) if row['orbit'] == k] == [0, 1, 2, 3, -1], k)


if __name__ == '__main__':
    c.main(sys.modules[__name__])
