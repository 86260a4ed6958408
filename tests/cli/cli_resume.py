#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`liestep run` stopped and going on: signals, --resume, damaged and foreign checkpoints; what a terminal shows.

    cli_resume.py LIESTEP [NAME]     tests whose name contains NAME
"""
import os
import pathlib
import pty
import re
import shutil
import signal
import subprocess
import sys
import time

import cli_common as cli
from cli_common import finished

# some tenths of a second of work; a checkpoint soon, so that one is there when the signal comes
LONG = ('-s', 'steps=40000', '-s', 'output.every=1', '-s', 'checkpoint.seconds=0.02', '--no-plot')
NAMES = tuple(name for name in cli.FILES if name != 'run.svg')


def long_result(folder, _answer=[]):
    """What the long run gives; the folder is as empty as before."""
    if not _answer:
        finished(folder, *LONG)
        _answer.append(cli.content(folder, NAMES))
        for name in _answer[0]:
            os.remove(os.path.join(folder, name))
    return _answer[0]


def stop_long(folder, act, ready='run.checkpoint', options=LONG):
    """The long run, as soon as it has written that file, and what is done to it then: exit code and what it said."""
    return cli.stopped_midway(folder, cli.command(*options), cli.has_made(folder, ready), act)


def interrupt(process):
    process.send_signal(signal.SIGINT)


def check_signal(folder, number, code):
    cli.write_scenario(folder)
    ended, said = stop_long(folder, lambda process: process.send_signal(number))
    cli.expect(ended == code, f'exit code {ended}, not {code}:', said)
    cli.expect(re.search(r'stopped at step \d+ of 40000', said) and '--resume' in said, said)
    cli.expect(not (pathlib.Path(folder) / 'run.csv').exists(), 'there is a result already')


def test_resume_after_interrupt(folder):
    wanted = long_result(folder)
    check_signal(folder, signal.SIGINT, cli.INTERRUPTED)
    done = cli.run(folder, *LONG, '--resume')
    cli.expect_exit(done, cli.FINE)
    cli.expect('going on from the checkpoint at step' in done.stderr, done.stderr)
    cli.expect_same(cli.content(folder, NAMES), wanted)
    cli.expect_clean(folder)


def test_resume_with_step_control(folder):
    """Lengths of steps depend on those before: they are in the checkpoint. Another tolerance is another run."""
    control = (*LONG, '-s', 'method=rkmk_dopri5', '-s', 'tolerance=1e-8')
    finished(folder, *control)
    wanted = cli.content(folder, NAMES)
    for name in wanted:
        os.remove(os.path.join(folder, name))
    ended, said = stop_long(folder, interrupt, options=control)
    cli.expect(ended == cli.INTERRUPTED, ended, said)
    done = cli.run(folder, *control, '-s', 'tolerance=1e-9', '--resume')
    cli.expect_exit(done, cli.SCENARIO_WRONG)
    done = cli.run(folder, *control, '--resume')
    cli.expect_exit(done, cli.FINE)
    cli.expect(re.search(r'control +\d+ steps between the states', done.stdout), done.stdout)
    cli.expect_same(cli.content(folder, NAMES), wanted)
    cli.expect_clean(folder)


def test_resume_with_damping(folder):
    """Drag beside the method: the same bits after a stop, and no checkpoint of drag within it."""
    cli.write_scenario(folder, 'system: particle\nparameters: {inertia: [1, 1], drag: 1e-3}\n'
                               'start: {position: [1.2, 0], velocity: [0.1, 0.6]}\n'
                               'method: gauss2\ndamping: true\nstep: 0.1\nsteps: 40000\n'
                               'output: {csv: run.csv, every: 1}\n'
                               'checkpoint: {file: run.checkpoint, seconds: 0.02}\n')
    finished(folder, '--no-plot')
    wanted = cli.content(folder, ('run.csv',))
    os.remove(os.path.join(folder, 'run.csv'))
    ended, said = stop_long(folder, interrupt, options=('--no-plot',))
    cli.expect(ended == cli.INTERRUPTED, ended, said)
    done = cli.run(folder, '--no-plot', '-s', 'damping=false', '--resume')
    cli.expect_exit(done, cli.SCENARIO_WRONG)
    done = cli.run(folder, '--no-plot', '--resume')
    cli.expect_exit(done, cli.FINE)
    cli.expect_same(cli.content(folder, ('run.csv',)), wanted)


def test_resume_terminated(folder):
    check_signal(folder, signal.SIGTERM, cli.TERMINATED)


def test_resume_interrupted_without_checkpoint(folder):
    cli.write_scenario(folder, cli.SCENARIO[:cli.SCENARIO.index('checkpoint:')])
    ended, said = stop_long(folder, interrupt, 'run.csv.part', ('-s', 'steps=100000000', '-s', 'output.every=1000'))
    cli.expect(ended == cli.INTERRUPTED, ended, said)
    cli.expect('cannot be gone on with' in said and 'checkpoint: {file' in said and 'run.csv.part' in said, said)


def test_resume_without_any_checkpoint(folder):
    """Nothing was written yet: the run begins at the start. A scenario that asks for none is told so."""
    done = finished(folder, '--resume', '--no-plot')
    cli.expect('no checkpoint yet' in done.stderr, done.stderr)
    cli.write_scenario(folder, cli.SCENARIO[:cli.SCENARIO.index('checkpoint:')])
    done = cli.run(folder, '--resume')
    cli.expect_exit(done, cli.SCENARIO_WRONG)
    cli.expect('--resume needs a checkpoint' in done.stderr, done.stderr)


def interrupted(folder):
    """A folder with two generations of checkpoints, and what the run would give."""
    wanted = long_result(folder)
    newest = pathlib.Path(folder) / 'run.checkpoint'
    cli.write_scenario(folder)
    while not newest.exists():  # it may be killed just when the newest is about to get its name
        for name in os.listdir(folder):
            if name.startswith('run.checkpoint'):
                os.remove(os.path.join(folder, name))
        ended, said = stop_long(folder, subprocess.Popen.kill, 'run.checkpoint.1')
        cli.expect(ended == -9, ended, said)
    return newest, wanted


def check_older_used(folder, damage, sentence):
    """The newer generation is refused with a sentence, the older one does it."""
    newest, wanted = interrupted(folder)
    newest.write_bytes(damage(newest.read_bytes()))
    done = cli.run(folder, *LONG, '--resume')
    cli.expect_exit(done, cli.FINE)
    cli.expect(sentence in done.stderr and 'older generation' in done.stderr, done.stderr)
    cli.expect_same(cli.content(folder, NAMES), wanted)


def test_resume_refused_checkpoint_does_not_displace_the_older_one(folder):
    """Killed between the two renames of the next checkpoint: what is there is still whole."""
    if not shutil.which('strace'):
        raise cli.Skip('strace is not installed')
    newest, wanted = interrupted(folder)
    newest.write_bytes(newest.read_bytes()[:-100])
    inject = ['-e', 'inject=renameat:signal=KILL:when=2']
    words = ['strace', '-f', '-qq', '-o', '/dev/null', *inject, *cli.command(*LONG, '--resume')]
    done = subprocess.run(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
                          env=dict(os.environ, ASAN_OPTIONS='detect_leaks=0'))
    if done.returncode not in (-9, 137):
        raise cli.Skip('strace does not work here: ' + done.stderr.strip())
    done = cli.run(folder, *LONG, '--resume')
    cli.expect_exit(done, cli.FINE)
    cli.expect('going on from the checkpoint' in done.stderr, done.stderr)
    cli.expect_same(cli.content(folder, NAMES), wanted)


def flip(data, byte, mask=0x10):
    return data[:byte] + bytes([data[byte] ^ mask]) + data[byte + 1:]


def test_resume_torn_checkpoint(folder):
    check_older_used(folder, lambda data: data[:-100], 'is torn')


def test_resume_flipped_checkpoint(folder):
    check_older_used(folder, lambda data: flip(data, 200), 'is damaged: its checksum is wrong')


def test_resume_newer_checkpoint(folder):
    check_older_used(folder, lambda data: flip(data, 8, 4), 'newer liestep')


def test_resume_file_that_is_no_checkpoint(folder):
    check_older_used(folder, lambda data: b'\x7fELF' + bytes(1000), 'is no checkpoint of liestep')


def test_resume_newest_checkpoint_of_another_run(folder):
    """One of the same scenario with another mass, whole and sound, in the place of the newest."""
    other = pathlib.Path(folder) / 'other'
    other.mkdir()
    cli.write_scenario(other, cli.SCENARIO.replace('mass: 0.8', 'mass: 0.9'))
    stop_long(other, interrupt)
    foreign = (other / 'run.checkpoint').read_bytes()
    check_older_used(folder, lambda data: foreign, 'belongs to another scenario')


def test_resume_foreign_checkpoint(folder):
    """Of the same run with another mass; then no generation is left, and nothing is touched."""
    newest, _ = interrupted(folder)
    before = cli.content(folder, os.listdir(folder))
    done = cli.run(folder, *LONG, '-s', 'parameters.mass=0.9', '--resume')
    cli.expect_exit(done, cli.SCENARIO_WRONG)
    cli.expect('belongs to another scenario' in done.stderr and '--restart' in done.stderr, done.stderr)
    cli.expect(cli.content(folder, os.listdir(folder)) == before and newest.exists(), 'something was changed')


def test_resume_changed_part_file_is_refused(folder):
    """What was recorded before the checkpoint was altered since: nothing to go on from."""
    interrupted(folder)
    part = pathlib.Path(folder) / 'run.csv.part'
    part.write_bytes(flip(part.read_bytes(), 2000))
    done = cli.run(folder, *LONG, '--resume')
    cli.expect_exit(done, cli.SCENARIO_WRONG)
    cli.expect('run.csv.part is not the file that the checkpoint was written with' in done.stderr, done.stderr)
    os.remove(part)
    done = cli.run(folder, *LONG, '--resume')
    cli.expect_exit(done, cli.SCENARIO_WRONG)
    cli.expect('run.csv.part is missing' in done.stderr, done.stderr)


def test_resume_cuts_off_what_follows(folder):
    """Bytes that were written after the checkpoint, whatever they are, do not get into the result."""
    _, wanted = interrupted(folder)
    for name in ('run.csv', 'run.npy', 'run.aem'):
        with open(os.path.join(folder, name + '.part'), 'ab') as part:
            part.write(b'something else' * 100)
            part.truncate(len(wanted[name]) + 1000)
    cli.expect_exit(cli.run(folder, *LONG, '--resume'), cli.FINE)
    cli.expect_same(cli.content(folder, NAMES), wanted)


def test_resume_does_not_throw_a_checkpoint_away(folder):
    newest, wanted = interrupted(folder)
    before = cli.content(folder, os.listdir(folder))
    done = cli.run(folder, *LONG)
    cli.expect_exit(done, cli.SCENARIO_WRONG)
    cli.expect('--resume' in done.stderr and '--restart' in done.stderr, done.stderr)
    cli.expect(cli.content(folder, os.listdir(folder)) == before and newest.exists(), 'something was changed')
    cli.expect_exit(cli.run(folder, *LONG, '--restart'), cli.FINE)
    cli.expect_same(cli.content(folder, NAMES), wanted)
    cli.expect_clean(folder)


def test_resume_two_at_once_are_kept_apart(folder):
    cli.write_scenario(folder)
    second = None

    def begin_another(first):
        nonlocal second
        second = cli.run(folder, *LONG, '--restart')
        first.kill()

    ended, said = stop_long(folder, begin_another)
    cli.expect(ended == -9, ended, said)
    cli.expect_exit(second, cli.OUTPUT)
    cli.expect('written by another process' in second.stderr, second.stderr)


def on_terminal(folder, **environment):
    """An endless run under a pseudo-terminal; Ctrl-C after some progress. (exit code, what was seen)"""
    cli.write_scenario(folder)
    words = cli.command('-s', 'steps=100000000000', '-s', 'output.every=10000000', '--no-plot')
    began = time.monotonic()
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(folder)
        os.environ.pop('NO_COLOR', None)
        os.environ.update(TERM='xterm', **environment)
        os.execv(words[0], words)
    seen = b''
    pressed = False
    try:
        while True:
            data = os.read(terminal, 65536)
            if not data:
                break
            seen += data
            if not pressed and seen.count(b'left') >= 4:
                os.write(terminal, b'\x03')
                pressed = True
    except OSError:  # the other end is closed
        pass
    os.close(terminal)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    most = 1 + (time.monotonic() - began) / 0.1
    cli.expect(seen.count(b'steps/s') <= most, f"{seen.count(b'steps/s')} lines of progress, {most:.1f} at most")
    return code, seen.decode()


def test_terminal_shows_progress(folder):
    code, seen = on_terminal(folder)
    cli.expect(code == cli.INTERRUPTED, code, seen)
    lines = re.findall(r'\r\[\x1b\[32m[#.]{24}\x1b\[0m\] +([\d.]+) %  (\S+) steps/s  ([\d.:]+ \S* ?left) *', seen)
    cli.expect(len(lines) >= 4, len(lines), repr(seen[:300]))
    shares = [float(share) for share, _, _ in lines]
    cli.expect(shares == sorted(shares) and shares[-1] < 100.0, shares)
    cli.expect(all(float(rate) > 1000.0 for _, rate, _ in lines), lines)
    last = seen[seen.rindex('left'):]
    cli.expect(re.search(r'\r {79}\r\x1b\[31mliestep:\x1b\[0m stopped at step', last), 'the line stays', repr(last))


def test_terminal_without_colour(folder):
    code, seen = on_terminal(folder, NO_COLOR='1')
    cli.expect(code == cli.INTERRUPTED and 'steps/s' in seen and '\x1b' not in seen, code, repr(seen[:300]))


def test_terminal_nothing_in_a_pipe(folder):
    done = finished(folder, '-s', 'steps=3000000', '-s', 'output.every=100000', '--no-plot')
    cli.expect(done.stderr == '' and '\r' not in done.stdout and '%' not in done.stdout, done.stderr, done.stdout)


if __name__ == '__main__':
    cli.main(sys.modules[__name__])
