#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Two hands on the same files: a run beside another one, files that are removed, replaced or written into while it goes
on, and Ctrl-C where it takes long without taking steps.

    cli_locks.py LIESTEP [NAME]     tests whose name contains NAME; cli_two_hands.py plays at random
"""
import fcntl
import os
import pathlib
import pty
import shutil
import signal
import subprocess
import sys
import time

import cli_common as cli

LONG = ('-s', 'steps=40000', '-s', 'output.every=1', '-s', 'checkpoint.seconds=0.02', '--no-plot')
NAMES = tuple(name for name in cli.FILES if name != 'run.svg')
SLOWER = int(os.environ.get('LIE_SLOWER', '1'))
PUSHED = """\
system: vehicle
parameters: {inertia: [1, 2, 3, 1, 2, 3], thrusters: [{at: [0, 0, 0], along: [1, 0, 0]}]}
start: {velocity: [1, 0, 0]}
method: sv
step: 0.1
steps: 100
control: [1e154]
output: {csv: run.csv, every: 1}
"""


def reference(folder, _answer=[]):
    """What the long run gives undisturbed; the folder is as empty as before."""
    if not _answer:
        cli.finished(folder, *LONG)
        _answer.append(cli.content(folder, NAMES))
        for name in os.listdir(folder):
            os.remove(os.path.join(folder, name))
    return _answer[0]


def everything(folder):
    return cli.content(folder, os.listdir(folder))


def is_under_way(path):
    """Is the file there, and does a .part hold rows? Then the run has taken all its locks."""
    return os.path.exists(path) and (not path.endswith('.part') or os.path.getsize(path) > 16384)


def stands_still(pid):
    """Stopped, or held by a tracer?"""
    return pathlib.Path(f'/proc/{pid}/stat').read_text().rsplit(') ', 1)[1][0] in 'Tt'


class Paused:
    """A long run that stands still as soon as it has two checkpoints; `go_on` lets it end."""

    def __init__(self, folder, *options, ready='run.checkpoint.1', words=None):
        self.process = subprocess.Popen(words or cli.command(*LONG, *options), cwd=folder, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        end = time.monotonic() + 60
        path = os.path.join(folder, ready)
        while not is_under_way(path) and self.process.poll() is None and time.monotonic() < end:
            time.sleep(0.001)
        self.process.send_signal(signal.SIGSTOP)
        while self.process.poll() is None and not stands_still(self.process.pid) and time.monotonic() < end:
            time.sleep(0.001)
        cli.expect(self.process.poll() is None, 'the run has ended already')

    def go_on(self):
        self.process.send_signal(signal.SIGCONT)
        said = self.process.communicate(timeout=120)[1]
        return self.process.returncode, said

    def kill(self):
        self.process.kill()
        self.process.communicate()


def paused(folder, *options, **more):
    """One that was not faster than this test."""
    for _ in range(20):
        try:
            return Paused(folder, *options, **more)
        except AssertionError:
            for name in set(os.listdir(folder)) - {'run.yaml', 'other.yaml'}:
                os.remove(os.path.join(folder, name))
    raise AssertionError('20 times the run ended before it could be stopped')


def test_locks_second_run_changes_nothing(folder):
    """Begun, restarted or resumed beside one that goes on: refused, and not a byte is another one."""
    wanted = reference(folder)
    cli.write_scenario(folder)
    first = paused(folder)
    before = everything(folder)
    for options in (('--restart',), ('--resume',), (), ('--restart', '-s', 'parameters.mass=0.9')):
        second = cli.run(folder, *LONG, *options)
        cli.expect_exit(second, cli.OUTPUT)
        cli.expect('is being written by another process' in second.stderr, second.stderr)
        cli.expect_same(everything(folder), before)
    first.kill()
    done = cli.run(folder, *LONG, '--resume')
    cli.expect_exit(done, cli.FINE)
    cli.expect('going on from the checkpoint' in done.stderr, done.stderr)
    cli.expect_same(cli.content(folder, NAMES), wanted)
    cli.expect_clean(folder)


def test_locks_removed_part_is_told_truly(folder):
    """What was computed is lost with it: nothing is promised, and --resume says so."""
    cli.write_scenario(folder)
    for name in ('run.csv.part', 'run.npy.part', 'run.aem.part'):
        first = paused(folder)
        os.remove(os.path.join(folder, name))
        code, said = first.go_on()
        cli.expect(code == cli.OUTPUT and f'{name} is not the file that this run wrote' in said, code, said)
        cli.expect('kept' not in said, said)
        cli.expect(not cli.content(folder, NAMES), 'there are results')
        done = cli.run(folder, *LONG, '--resume')
        cli.expect_exit(done, cli.SCENARIO_WRONG)
        cli.expect(f'{name} is missing' in done.stderr and '--restart' in done.stderr, done.stderr)
        for left in set(os.listdir(folder)) - {'run.yaml'}:
            os.remove(os.path.join(folder, left))


def test_locks_two_runs_do_not_share_a_checkpoint(folder):
    """Other files, the same checkpoint: refused while the first goes on, and when it has left one."""
    other = ('-s', 'parameters.mass=0.9', '-s', 'output.csv=other.csv', '-s', 'output.npy=', '-s', 'output.aem=',
             '-s', 'output.object=', '-s', 'output.epoch=') + (('-s', 'output.hdf5=') if cli.has_hdf5() else ())
    cli.write_scenario(folder)
    for ready in ('run.csv.part', 'run.checkpoint.1'):
        first = paused(folder, ready=ready)
        before = everything(folder)
        for options in ((), ('--restart',), ('--resume',)):
            second = cli.run(folder, *LONG, *other, *options)
            cli.expect_exit(second, cli.OUTPUT)
            cli.expect('run.checkpoint belongs to another run' in second.stderr, second.stderr)
            cli.expect_same(everything(folder), before)
        first.kill()
        if ready == 'run.csv.part':
            cli.expect_exit(cli.run(folder, *LONG, '--restart', '-s', 'steps=10'), cli.FINE)
    before = everything(folder)
    for options in ((), ('--resume',)):
        second = cli.run(folder, *LONG, *other, *options)
        cli.expect_exit(second, cli.SCENARIO_WRONG)
        cli.expect('belongs to another scenario' in second.stderr, second.stderr)
        cli.expect_same(everything(folder), before)
    cli.expect_exit(cli.run(folder, *LONG, '--resume'), cli.FINE)


def test_locks_removed_lock_does_not_open_the_checkpoint(folder):
    """The checkpoint itself is locked, too; the run goes on and makes its lock anew."""
    wanted = reference(folder)
    other = ('-s', 'output.csv=other.csv', '-s', 'output.npy=other.npy', '-s', 'output.aem=other.aem')
    other += ('-s', 'output.hdf5=other.h5') if cli.has_hdf5() else ()
    cli.write_scenario(folder)
    first = paused(folder)
    os.remove(os.path.join(folder, 'run.checkpoint.lock'))
    second = cli.run(folder, *LONG, *other, '--restart')
    cli.expect_exit(second, cli.OUTPUT)
    cli.expect('belongs to another run' in second.stderr, second.stderr)
    code, said = first.go_on()
    cli.expect(code == cli.FINE, code, said)
    cli.expect_same(cli.content(folder, NAMES), wanted)
    cli.expect_clean(folder)


def test_locks_part_of_a_second_run_is_not_taken(folder):
    """The .part of the first is removed, and a second run makes its own: each ends with what it has written itself."""
    wanted = reference(folder)
    text = cli.SCENARIO[:cli.SCENARIO.index('checkpoint:')]
    cli.write_scenario(folder, text)
    plain = ('-s', 'steps=40000', '-s', 'output.every=1', '--no-plot')
    first = paused(folder, ready='run.csv.part', words=cli.command(*plain))
    for name in list(os.listdir(folder)):
        if name.endswith('.part'):
            os.remove(os.path.join(folder, name))
    second = cli.run(folder, *plain)
    cli.expect_exit(second, cli.FINE)
    code, said = first.go_on()
    cli.expect(code == cli.OUTPUT and 'is not the file that this run wrote' in said, code, said)
    cli.expect_same(cli.content(folder, NAMES), wanted)


def check_tampered(folder, tamper, name='run.csv.part'):
    """A run whose file is changed on the way does not end well, and gives no result."""
    cli.write_scenario(folder)
    first = paused(folder)
    tamper(pathlib.Path(folder) / name)
    code, said = first.go_on()
    cli.expect(code == cli.OUTPUT and 'is not the file that this run wrote' in said, name, code, said)
    cli.expect('kept' not in said and not cli.content(folder, NAMES), said, list(cli.content(folder, NAMES)))
    for left in set(os.listdir(folder)) - {'run.yaml'}:
        os.remove(os.path.join(folder, left))


def replace(path):
    other = path.with_name('new')
    other.write_bytes(b'other bytes\n' * 100)
    os.rename(other, path)


def overwrite(path):
    with open(path, 'r+b') as file:
        file.seek(5)
        file.write(b'X')


def append(path):
    with open(path, 'ab') as file:
        file.truncate(50000000)


def test_locks_changed_part_is_no_result(folder):
    wanted = reference(folder)
    for name in ('run.csv.part', 'run.npy.part', 'run.aem.part'):
        for tamper in (replace, overwrite):
            check_tampered(folder, tamper, name)
    # what is behind the right bytes can be cut off
    cli.write_scenario(folder)
    first = paused(folder)
    append(pathlib.Path(folder) / 'run.csv.part')
    code, said = first.go_on()
    cli.expect(code == cli.OUTPUT and 'run.csv.part is not the file' in said, code, said)
    cli.expect('--resume completes' in said, said)
    cli.expect_exit(cli.run(folder, *LONG, '--resume'), cli.FINE)
    cli.expect_same(cli.content(folder, NAMES), wanted)


def test_locks_changed_result_is_noticed_to_the_last(folder):
    """The program stands still when its file has just got its name; then that is replaced, written into, removed."""
    if not shutil.which('strace'):
        raise cli.Skip('strace is not installed')
    here = pathlib.Path(folder)
    words = ['strace', '-f', '-qq', '-o', '/dev/null', '-e', 'trace=fsync', '-e', 'inject=fsync:signal=STOP:when=2',
             '--', cli.program(), 'run', 'run.yaml', '-q', '-s', 'control=[1]']
    environment = dict(os.environ, ASAN_OPTIONS='detect_leaks=0')
    (here / 'run.yaml').write_text(PUSHED)
    for tamper in (replace, overwrite, os.remove):
        with begin(words, folder, env=environment) as tracer:
            end = time.monotonic() + 20 * SLOWER
            while not (here / 'run.csv').exists() and tracer.poll() is None and time.monotonic() < end:
                time.sleep(0.002)
            if tracer.poll() is not None:
                raise cli.Skip('strace does not work here: ' + tracer.communicate()[1])
            child = int(pathlib.Path(f'/proc/{tracer.pid}/task/{tracer.pid}/children').read_text().split()[0])
            while not stands_still(child) and time.monotonic() < end:
                time.sleep(0.002)
            time.sleep(0.05)
            tamper(here / 'run.csv')
            os.kill(child, signal.SIGCONT)
            said = tracer.communicate(timeout=60)[1]
        cli.expect(tracer.returncode == cli.OUTPUT, tamper.__name__, tracer.returncode, said)
        cli.expect('run.csv is not the file that this run wrote' in said, said)
        # a file of its own that was written into is no result
        cli.expect((here / 'run.csv').exists() == (tamper == replace), tamper.__name__, os.listdir(folder))
        for name in set(os.listdir(folder)) - {'run.yaml'}:
            os.remove(here / name)


def interrupted(folder):
    cli.write_scenario(folder)
    first = paused(folder)
    first.kill()
    return pathlib.Path(folder)


def flip(path, at):
    data = bytearray(path.read_bytes())
    data[at] ^= 0x10
    path.write_bytes(bytes(data))


def test_locks_flipped_heads_are_noticed(folder):
    """Heads of AEM and NPY: what is fixed is in the checksum, what is filled in at the end is written again."""
    wanted = reference(folder)
    here = interrupted(folder)
    for name, at in (('run.aem.part', 3), ('run.aem.part', 150), ('run.npy.part', 4)):
        flip(here / name, at)
        done = cli.run(folder, *LONG, '--resume')
        cli.expect_exit(done, cli.SCENARIO_WRONG)
        cli.expect(f'{name} is not the file that the checkpoint was written with' in done.stderr, done.stderr)
        flip(here / name, at)
    flip(here / 'run.npy.part', 100)
    flip(here / 'run.aem.part', (here / 'run.aem.part').read_bytes().index(b'\nSTOP_TIME') + 16)
    cli.expect_exit(cli.run(folder, *LONG, '--resume'), cli.FINE)
    cli.expect_same(cli.content(folder, NAMES), wanted)


def test_locks_refused_resume_changes_nothing(folder):
    """The last of the files is wrong: those before it keep the bytes behind the checkpoint."""
    here = interrupted(folder)
    for name in ('run.csv.part', 'run.aem.part'):
        with open(here / name, 'ab') as file:
            file.write(b'behind the checkpoint\n')
    flip(here / 'run.npy.part', 5000)
    before = everything(folder)
    done = cli.run(folder, *LONG, '--resume')
    cli.expect_exit(done, cli.SCENARIO_WRONG)
    cli.expect('run.npy.part is not the file' in done.stderr, done.stderr)
    cli.expect_same(everything(folder), before)


def test_locks_resume_without_checkpoint(folder):
    """Files tell that there was a run: nothing is begun anew by --resume. Without any it begins."""
    here = interrupted(folder)
    for name in ('run.checkpoint', 'run.checkpoint.1'):
        os.remove(here / name)
    before = everything(folder)
    done = cli.run(folder, *LONG, '--resume')
    cli.expect_exit(done, cli.SCENARIO_WRONG)
    cli.expect('there was a run, but no checkpoint' in done.stderr and '--restart' in done.stderr, done.stderr)
    cli.expect_same(everything(folder), before)
    cli.expect_exit(cli.run(folder, '-s', 'steps=10', '--no-plot', '--restart'), cli.FINE)
    done = cli.run(folder, '-s', 'steps=10', '--no-plot', '--resume')
    cli.expect_exit(done, cli.SCENARIO_WRONG)
    for name in cli.content(folder, cli.FILES):
        os.remove(here / name)
    cli.expect_exit(cli.run(folder, '-s', 'steps=10', '--no-plot', '--resume'), cli.FINE)


SECTION = """\
system: vehicle
parameters: {inertia: [1, 2, 3, 1, 2, 3]}
method: sv
step: 0.05
steps: 100
section:
  surface: Pi1
  x: Pi2
  y: Pi3
  energy: 30
  fixed: ["Pi.P = 2", "|P| = 4"]
  grid: [1000, 1000, 50, 60, 50, 60]
output: {csv: run.csv}
"""


def press(process, within):
    """Ctrl-C; seconds until it has ended."""
    process.send_signal(signal.SIGINT)
    began = time.monotonic()
    said = process.communicate(timeout=120)[1]
    cli.expect(process.returncode == cli.INTERRUPTED, process.returncode, said)
    took = time.monotonic() - began
    cli.expect(took < within * SLOWER, f'{took:.2f} s')
    return said


def begin(words, folder, **more):
    return subprocess.Popen(words, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, text=True, **more)


def test_locks_grid_listens(folder):
    """A grid off the surface: every point is tried in vain, for half a minute."""
    (pathlib.Path(folder) / 'run.yaml').write_text(SECTION)
    process = begin([cli.program(), 'section', 'run.yaml'], folder)
    time.sleep(0.4 * SLOWER)
    cli.expect(process.poll() is None, 'the grid was searched already')
    said = press(process, 3)
    cli.expect('stopped while a start is looked for' in said, said)
    cli.expect(os.listdir(folder) == ['run.yaml'], os.listdir(folder))


def test_locks_grid_shows_progress(folder):
    (pathlib.Path(folder) / 'run.yaml').write_text(SECTION)
    program = cli.program()
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(folder)
        os.environ['TERM'] = 'xterm'
        os.execv(program, [program, 'section', 'run.yaml'])
    seen, pressed = b'', False
    try:
        while data := os.read(terminal, 65536):
            seen += data
            if not pressed and seen.count(b'a start is looked for') >= 2:
                os.write(terminal, b'\x03')
                pressed = True
    except OSError:  # the other end is closed
        pass
    os.close(terminal)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    cli.expect(code == cli.INTERRUPTED and pressed, code, repr(seen[:500]))


def test_locks_picture_listens(folder):
    """A gnuplot that never ends, and one that does not even read: the run leaves it; --resume draws the picture."""
    here = pathlib.Path(folder)
    tools = here / 'tools'
    tools.mkdir()
    few = ('-s', 'steps=4000', '-s', 'output.every=1')
    for body in ('exec sleep 100', 'cat >/dev/null; exec sleep 100'):
        cli.write_scenario(folder)
        (tools / 'gnuplot').write_text(f'#!/bin/sh\n{body}\n')
        (tools / 'gnuplot').chmod(0o755)
        process = begin(cli.command(*few), folder, env=dict(os.environ, PATH=f'{tools}:{os.environ["PATH"]}'))
        while not (here / 'run.checkpoint').exists() and process.poll() is None:
            time.sleep(0.005)
        time.sleep(0.3)
        said = press(process, 3)
        cli.expect('stopped while the last files are made' in said and 'all is computed and kept' in said, said)
        cli.expect_exit(cli.run(folder, *few, '--resume'), cli.FINE)
        cli.expect((here / 'run.csv').exists(), 'no result')
        cli.expect_clean(folder)
        for name in cli.content(folder, cli.FILES):
            os.remove(here / name)


SLOW = SECTION.replace('grid: [1000, 1000, 50, 60, 50, 60]', 'orbits: 2').replace('steps: 100', 'steps: 200000')


def test_locks_stopped_before_the_first_record(folder):
    """Nothing is kept, and nothing is in the way of --resume."""
    path = pathlib.Path(folder) / 'run.yaml'
    path.write_text(SLOW + 'checkpoint: {file: run.checkpoint, seconds: 1000}\n')
    words = [cli.program(), 'section', 'run.yaml', '-q', '-j', '1', '-s', 'output.csv=run.csv']
    code, said = cli.stopped_midway(folder, words, cli.has_made(folder, 'run.csv.part'),
                                    lambda process: process.send_signal(signal.SIGINT))
    cli.expect(code == cli.INTERRUPTED, code, said)
    if 'before anything was recorded' in said:
        cli.expect(os.listdir(folder) == ['run.yaml'], os.listdir(folder))
    done = subprocess.run([*words, '--resume'], cwd=folder, capture_output=True, text=True, check=False)
    cli.expect_exit(done, cli.FINE)


def test_locks_are_those_of_the_system(folder):
    """Whoever holds the lock of a .part file keeps every command away from it."""
    here = pathlib.Path(folder)
    cli.write_scenario(folder)
    top = (here / 'run.yaml').read_text()
    orbits = SECTION.replace('grid: [1000, 1000, 50, 60, 50, 60]', 'orbits: 3')
    target = ('system: particle\nparameters: {inertia: [1, 1]}\nstart: {position: [1, 0]}\n'
              'target: {position: [-0.5, 0.8]}\nstep: 0.05\nsteps: 40\noutput: {csv: run.csv}\n')
    (here / 'run.csv.part').write_bytes(b'not mine')
    with open(here / 'run.csv.part', 'r+b') as part:
        fcntl.flock(part, fcntl.LOCK_EX)
        for command, text in (('run', top), ('section', orbits), ('ensemble', ENSEMBLE), ('control', target)):
            done = ask(folder, command, text)
            cli.expect_exit(done, cli.OUTPUT)
            cli.expect('run.csv.part is being written by another process' in done.stderr, command, done.stderr)
            cli.expect(sorted(os.listdir(folder)) == ['run.csv.part', 'run.yaml'], os.listdir(folder))
            cli.expect((here / 'run.csv.part').read_bytes() == b'not mine', 'the file was changed')
    for command, text in (('run', top), ('section', orbits), ('ensemble', ENSEMBLE), ('control', target)):
        done = ask(folder, command, text)
        cli.expect_exit(done, cli.FINE)


def test_locks_emptied_rows_are_not_taken_for_done(folder):
    """The hidden rows are gone in the end, when the picture has its name; emptied before, they are missing."""
    here = pathlib.Path(folder)
    tools = here / 'tools'
    tools.mkdir()
    (tools / 'gnuplot').write_text('#!/bin/sh\nexec sleep 100\n')
    (tools / 'gnuplot').chmod(0o755)
    few = ('-s', 'steps=4000', '-s', 'output.npy=', *(('-s', 'output.hdf5=') if cli.has_hdf5() else ()))
    cli.write_scenario(folder)
    process = begin(cli.command(*few), folder, env=dict(os.environ, PATH=f'{tools}:{os.environ["PATH"]}'))
    while not (here / 'run.checkpoint').exists() and process.poll() is None:
        time.sleep(0.005)
    time.sleep(0.3)
    press(process, 3)
    (here / 'run.svg.records.part').write_bytes(b'')
    before = everything_but(here, tools)
    done = cli.run(folder, *few, '--resume')
    cli.expect_exit(done, cli.SCENARIO_WRONG)
    cli.expect('run.svg.records.part is missing' in done.stderr, done.stderr)
    cli.expect_same(everything_but(here, tools), before)


def everything_but(here, tools):
    return cli.content(here, [name for name in os.listdir(here) if name != tools.name])


ENSEMBLE = """\
system: heavy_top
parameters: {inertia: [1, 1.3, 0.7], mass: 1, centre: [0, 0, 0.5]}
start: {angular_velocity: [0.1, 0.2, 3]}
method: sv
step: 0.01
steps: 200
ensemble:
  trajectories: 20
  watch: [w1]
  disperse: ["parameters.mass normal 1 0.1"]
output: {every: 20, csv: run.csv}
"""


def ask(folder, command, text, *options):
    (pathlib.Path(folder) / 'run.yaml').write_text(text)
    return subprocess.run([cli.program(), command, 'run.yaml', *options], cwd=folder, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, check=False, timeout=120)


def test_locks_results_that_are_not_finite_are_told(folder):
    done = ask(folder, 'run', PUSHED, '-q')
    cli.expect_exit(done, cli.FAILED)
    rows = (pathlib.Path(folder) / 'run.csv').read_text().splitlines()[3:]
    odd = sum('inf' in row or 'nan' in row for row in rows)
    cli.expect(len(rows) == 101 and 0 < odd < 101, len(rows), odd)
    cli.expect(f'{odd} of 101 records' in done.stderr and 'first in energy' in done.stderr, odd, done.stderr)
    cli.expect_exit(ask(folder, 'run', PUSHED, '-q', '-s', 'control=[1]'), cli.FINE)
    done = ask(folder, 'ensemble', ENSEMBLE, '-s', 'ensemble.watch=["sqrt(-1)", w1, "log(w1)"]', '-q')
    cli.expect_exit(done, cli.FAILED)
    cli.expect("'sqrt(-1)': 220 of 220 values are not finite" in done.stderr and "'w1'" not in done.stderr, done.stderr)
    text = SECTION.replace('grid: [1000, 1000, 50, 60, 50, 60]', 'orbits: 3').replace('steps: 100', 'steps: 2000')
    done = ask(folder, 'section', text, '-s', 'section.x=sqrt(-1)', '-q', '--no-plot')
    cli.expect_exit(done, cli.FAILED)
    cli.expect('points is no finite number' in done.stderr, done.stderr)
    done = ask(folder, 'section', text, '-q', '--no-plot')
    cli.expect_exit(done, cli.FINE)


def test_locks_nonsense_is_refused_with_its_line(folder):
    twice = '"parameters.mass normal 1 0.1", "parameters.mass uniform 1 2"'
    part = '"parameters.inertia[1] normal 1 0.1", "parameters.inertia[1] normal 1 0.2"'
    orbits = SECTION.replace('grid: [1000, 1000, 50, 60, 50, 60]', 'orbits: 3')
    for command, text, what in (
            ('ensemble', ENSEMBLE.replace('"parameters.mass normal 1 0.1"', twice), 'run.yaml:10: ensemble.disperse:'),
            ('ensemble', ENSEMBLE.replace('"parameters.mass normal 1 0.1"', part), 'run.yaml:10: ensemble.disperse:'),
            ('ensemble', ENSEMBLE.replace('[w1]', '[w1, w1]'), 'run.yaml:9: ensemble.watch:'),
            ('ensemble', ENSEMBLE + 'checkpoint: {file: run.csv}\n', 'run.yaml:12: checkpoint.file:'),
            ('section', orbits.replace('"|P| = 4"', '"|P| = 4", "|P|=5"'), 'run.yaml:11: section.fixed:'),
            ('section', SECTION.replace('50, 60, 50, 60', '50, 50, 50, 60'), 'run.yaml:12: section.grid:'),
            ('section', orbits.replace('  energy', '  panels: ["step=0.1", "step=0.1"]\n  energy'),
             'run.yaml:10: section.panels:')):
        done = ask(folder, command, text)
        cli.expect_exit(done, cli.SCENARIO_WRONG)
        cli.expect(what in done.stderr, what, done.stderr)
        cli.expect(os.listdir(folder) == ['run.yaml'], os.listdir(folder))
    # the two may share a name in other ways than being equal
    done = ask(folder, 'ensemble', ENSEMBLE, '-s', 'ensemble.statistics=run.csv.part')
    cli.expect_exit(done, cli.SCENARIO_WRONG)
    cli.expect('share the name' in done.stderr and os.listdir(folder) == ['run.yaml'], done.stderr)


if __name__ == '__main__':
    cli.main(sys.modules[__name__])
