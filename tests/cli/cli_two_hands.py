#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Two hands at random: programs are begun, restarted, resumed, killed, interrupted and starved of disk in one folder,
beside each other, and files are removed, renamed, replaced and written into meanwhile. What must hold after every
action:

- a program that says success has its results in place, each with the bytes of an undisturbed run;
- one that does not says why; none crashes;
- under the name of a result there is never anything but a result, or what this test has put there;
- what a program that stands still holds of its checkpoint is not touched by others, and a refusal changes nothing;
- in the end, whatever is there, --resume or --restart gives the results.

    cli_two_hands.py LIESTEP [--actions N] [--seed S]

Actions and their delays follow from the seed; what a program has done by then depends on the machine, too.
"""
import argparse
import os
import pathlib
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time

import cli_common as cli

TOP = """\
system: heavy_top
group: S3
parameters: {inertia: [1.1, 2.3, 2.9], mass: MASS, centre: [0.3, -0.2, 1.0]}
start: {quaternion: [0.5, -0.5, 0.5, 0.5], angular_velocity: [0.7, 0.9, -0.6]}
method: sv
step: 0.01
steps: 9000
output: {every: 2, csv: a.csv, npy: a.npy, HDF5aem: a.aem, object: SAT, epoch: 2027-12-31T23:59:58}
checkpoint: {file: CHECKPOINT, seconds: 0.004}
"""
SECTION = """\
system: vehicle
parameters: {inertia: [1, 2, 3, 1, 2, 3]}
method: sv
step: 0.01
steps: 12000
section: {surface: Pi1, x: Pi2, y: P3/|P|, orbits: 24, energy: 30, fixed: ["Pi.P = 2", "|P| = 4"]}
output: {csv: s.csv, npy: s.npy}
checkpoint: {file: CHECKPOINT, seconds: 0.004}
"""
ENSEMBLE = """\
system: heavy_top
parameters: {inertia: [1, 1.3, 0.7], mass: 1, centre: [0, 0, 0.5]}
start: {angular_velocity: [0.1, 0.2, 3]}
method: sv
step: 0.01
steps: 2000
ensemble: {trajectories: 150, watch: [w1, J3], disperse: ["parameters.mass normal 1 0.1"], statistics: e.statistics,
  histogram: e.histogram}
output: {every: 40, csv: CSV}
checkpoint: {file: e.checkpoint, seconds: 0.004}
"""
# name: command, scenario; two of the runs share all their files, run and section a checkpoint, the last has none
JOBS = {
    'light': ('run', TOP.replace('MASS', '0.8').replace('CHECKPOINT', 'a.checkpoint')),
    'heavy': ('run', TOP.replace('MASS', '0.9').replace('CHECKPOINT', 'a.checkpoint')),
    'section': ('section', SECTION.replace('CHECKPOINT', 'a.checkpoint')),
    'ensemble': ('ensemble', ENSEMBLE.replace('CSV', 'e.csv')),
    'bare': ('run', TOP.replace('MASS', '0.7').replace('checkpoint: {file: CHECKPOINT, seconds: 0.004}\n', '')),
}
# by a signal: before it is caught, or the second one
SIGNALS = {-signal.SIGKILL, -signal.SIGINT, -signal.SIGTERM}
ENDS = SIGNALS | {cli.FINE, cli.SCENARIO_WRONG, cli.OUTPUT, cli.INTERRUPTED, cli.TERMINATED}


def words(job, *options):
    command = JOBS[job][0]
    threads = [] if command == 'run' else ['-j', '2']
    return [cli.program(), command, f'.{job}.yaml', '--no-plot', *threads, *options]


def write_scenarios(folder):
    hdf5 = 'hdf5: a.h5, ' if cli.has_hdf5() else ''
    for job, (_, text) in JOBS.items():
        (pathlib.Path(folder) / f'.{job}.yaml').write_text(text.replace('HDF5', hdf5))


def visible(folder):
    return sorted(name for name in os.listdir(folder) if name[0] != '.')


def content(folder):
    return {name: (pathlib.Path(folder) / name).read_bytes() for name in visible(folder)}


def references():
    """By job: its results, undisturbed."""
    found = {}
    for job in JOBS:
        with tempfile.TemporaryDirectory() as folder:
            write_scenarios(folder)
            done = subprocess.run(words(job, '-q'), cwd=folder, capture_output=True, text=True, check=False)
            cli.expect_exit(done, cli.FINE)
            found[job] = content(folder)
    return found


class Actor:
    """A program that goes on."""

    def __init__(self, folder, job, mode, limit):
        self.job, self.mode = job, mode
        self.said = tempfile.TemporaryFile('w+')
        grip = (lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))) if limit else None
        self.process = subprocess.Popen(words(job, *mode), cwd=folder, stdin=subprocess.DEVNULL, stdout=self.said,
                                        stderr=subprocess.STDOUT, preexec_fn=grip)
        self.beside = set()  # jobs that went on at some time since
        self.late = set()    # names that were tampered with when it had let them go: it has looked for the last time

    def told(self):
        self.said.seek(0)
        return self.said.read()

    def stop(self):
        """Until it stands still, with all its threads, or has ended."""
        self.process.send_signal(signal.SIGSTOP)
        folder = pathlib.Path(f'/proc/{self.process.pid}/task')
        try:
            while any(b') T ' not in (task / 'stat').read_bytes() and b') Z ' not in (task / 'stat').read_bytes()
                      for task in folder.iterdir()):
                time.sleep(0.0002)
        except OSError:
            pass

    def held(self):
        """Files of the folder that are open in it: (device, inode)."""
        found = set()
        try:
            for fd in os.listdir(f'/proc/{self.process.pid}/fd'):
                about = os.stat(f'/proc/{self.process.pid}/fd/{fd}')
                found.add((about.st_dev, about.st_ino))
        except OSError:
            pass
        return found

    def is_done(self, names):
        """Are none of these files, (device, inode) by name, in its hands? In the end it lets its lock go first."""
        mine = [identity for name, identity in names.items() if not JOBS[self.job][1].count('checkpoint:')
                or name.endswith('.lock')]
        return self.held().isdisjoint(mine)


class Play:
    def __init__(self, folder, wanted, rng):
        self.folder, self.wanted, self.rng = folder, wanted, rng
        self.live = []
        self.done = []    # of them, those that hold nothing: they have only just begun, or only have to end
        self.put = {}     # name: (device, inode) that this test has put there
        self.log = []
        self.counts = {}

    def expect(self, condition, *what):
        cli.expect(condition, *what, '\n  '.join(['', *self.log[-25:]]))

    def path(self, name):
        return os.path.join(self.folder, name)

    def identity(self, name):
        about = os.lstat(self.path(name))
        return about.st_dev, about.st_ino

    def note(self, *what):
        self.log.append(' '.join(str(word) for word in what))

    # what must hold

    def is_result(self, name, data):
        return any(results.get(name) == data for results in self.wanted.values())

    def check_names(self):
        """No name of a result has anything but a result, unless this test has put it there."""
        for name in {name for results in self.wanted.values() for name in results}:
            if os.path.exists(self.path(name)) and self.identity(name) not in self.put.get(name, ()):
                data = pathlib.Path(self.path(name)).read_bytes()
                # written into just before it got its name: the program that holds it still has to notice
                part = self.put.get(name + '.part', set())
                if any(self.identity(name) in part & actor.held() for actor in self.live):
                    continue
                self.expect(self.is_result(name, data), f'{name} is no result: {len(data)} bytes')

    def check_success(self, actor):
        """Its results, or those of another that shares the names and went on beside it."""
        found = content(self.folder)
        for name, data in self.wanted[actor.job].items():
            right = name in actor.late or found.get(name) == data or any(
                found.get(name) == self.wanted[job].get(name, b'') for job in actor.beside)
            self.expect(right, f'{actor.job} says success, but {name}',
                        f'has {len(found[name])} bytes, not {len(data)}' if name in found else 'is missing',
                        actor.told())

    def ended(self, actor):
        code, told = actor.process.returncode, actor.told()
        self.live.remove(actor)
        self.note('  ended:', actor.job, *actor.mode, 'with', code, '|', told.strip().splitlines()[-1:])
        self.counts[code] = self.counts.get(code, 0) + 1
        self.expect(code in ENDS, f'{actor.job} ended with {code}:', told)
        self.expect(code == 0 or code in SIGNALS or 'liestep: ' in told, f'{actor.job} ended with {code}, silently')
        if code == cli.FINE:
            self.check_success(actor)
        actor.said.close()

    def look(self):
        """All stand still while it is found out who has ended."""
        for actor in self.live:
            actor.stop()
        for actor in list(self.live):
            if actor.process.poll() is not None:
                self.ended(actor)
        names = {name: self.identity(name) for name in visible(self.folder)}
        self.done = [actor for actor in self.live if actor.is_done(names)]
        self.check_names()

    def go_on(self):
        for actor in self.live:
            actor.process.send_signal(signal.SIGCONT)

    # actions

    def begin(self):
        """One more, while the others go on, or while they stand still."""
        job = self.rng.choice(list(JOBS))
        mode = self.rng.choice(((), *[('--resume',)] * 3, *[('--restart',)] * 4))
        limit = self.rng.choice((0, 0, 0, 0, 0, 30000, 200000))
        if mode == ('--resume',) and job == 'bare':
            mode = ()
        if self.live and (len(self.live) >= 2 or self.rng.random() < 0.5):
            self.begin_beside(job, mode)
            return
        self.note('begin', job, *mode, limit or '')
        actor = Actor(self.folder, job, mode, limit)
        for other in self.live:
            other.beside.add(job)
            actor.beside.add(other.job)
        self.live.append(actor)

    def begin_beside(self, job, mode):
        """The others stand still: what they hold stays where it is. A refusal changes nothing at all."""
        before = content(self.folder)
        hands = set().union(*(other.held() for other in self.live))
        held = {self.identity(name): name for name in before if self.identity(name) in hands}
        self.note('begin', job, *mode, 'beside', *(other.job for other in self.live), 'which hold', *held.values())
        actor = Actor(self.folder, job, mode, 0)
        actor.beside = {other.job for other in self.live}
        for other in self.live:
            other.beside.add(job)
        self.live.append(actor)
        actor.process.wait(timeout=120)
        self.ended(actor)
        for identity, name in held.items():
            if name not in self.wanted[job] or 'checkpoint' in name:
                self.expect(os.path.exists(self.path(name)) and self.identity(name) == identity,
                            f'{job} has taken away {name}')
        if actor.process.returncode in (cli.SCENARIO_WRONG, cli.OUTPUT):
            after = content(self.folder)
            self.expect(sorted(after) == sorted(before), 'a refusal changed files:', sorted(set(after) ^ set(before)))
            for name, data in before.items():
                self.expect(after[name] == data, f'a refusal changed {name}')

    def signal(self):
        if self.live:
            actor = self.rng.choice(self.live)
            number = self.rng.choice((signal.SIGKILL, signal.SIGKILL, signal.SIGINT, signal.SIGTERM))
            self.note('signal', number, 'to', actor.job)
            actor.process.send_signal(number)
            if number == signal.SIGKILL:
                actor.process.wait()
                self.ended(actor)

    def limit(self):
        """The disk is full from now on, for one of them."""
        if self.live:
            actor = self.rng.choice(self.live)
            most = self.rng.choice((1000, 50000, 300000))
            self.note('limit', actor.job, most)
            hard = resource.prlimit(actor.process.pid, resource.RLIMIT_FSIZE)[1]
            if hard == resource.RLIM_INFINITY or hard > most:
                resource.prlimit(actor.process.pid, resource.RLIMIT_FSIZE, (most, most))

    def tamper(self):
        """Remove, rename, replace or change a file."""
        names = visible(self.folder)
        if not names:
            return
        held = [name for name in names if any(self.identity(name) in actor.held() for actor in self.live)]
        name, other = self.rng.choice(held if held and self.rng.random() < 0.6 else names), self.rng.choice(names)
        kind = self.rng.choice((self.remove, self.rename, self.replace, self.overwrite, self.truncate))
        self.note(kind.__name__, name, other if kind == self.rename else '')
        for actor in self.done:
            actor.late |= {name, other}
        kind(name, other)

    def mark(self, name):
        self.put.setdefault(name, set()).add(self.identity(name))

    def remove(self, name, _):
        os.remove(self.path(name))

    def rename(self, name, other):
        os.rename(self.path(name), self.path(other))
        self.mark(other)

    def replace(self, name, _):
        pathlib.Path(self.path('.new')).write_bytes(self.rng.randbytes(self.rng.choice((0, 10, 3000))))
        os.rename(self.path('.new'), self.path(name))
        self.mark(name)

    def overwrite(self, name, _):
        with open(self.path(name), 'r+b') as file:
            size = os.fstat(file.fileno()).st_size
            if size > 0:
                file.seek(self.rng.randrange(size))
                file.write(b'#')
        self.mark(name)

    def truncate(self, name, _):
        size = os.stat(self.path(name)).st_size
        os.truncate(self.path(name), self.rng.randrange(size + 100))
        self.mark(name)

    def act(self):
        self.look()
        if not self.live:
            action = self.rng.choice((self.begin, self.begin, self.begin, self.tamper))
        else:
            action = self.rng.choices((self.begin, self.tamper, self.signal, self.limit, None), (6, 6, 2, 1, 4))[0]
        if action:
            action()
            self.check_names()
            self.go_on()
            time.sleep(self.rng.choice((0.0, 0.005, 0.02, 0.05)))
        else:
            self.note('wait')
            self.go_on()
            self.live[0].process.wait(timeout=120)

    def end(self):
        """Whatever is there, every job comes to its results."""
        for actor in list(self.live):
            actor.process.kill()
            actor.process.wait()
            self.ended(actor)
        for job, results in self.wanted.items():
            for mode in ('--resume', '--restart'):
                if job == 'bare' and mode == '--resume':
                    continue
                self.note('at last', job, mode)
                done = subprocess.run(words(job, mode, '-q'), cwd=self.folder, capture_output=True, text=True,
                                      check=False)
                if done.returncode == cli.FINE:
                    break
                self.expect(mode == '--resume' and done.returncode in (cli.SCENARIO_WRONG, cli.OUTPUT),
                            f'{job} {mode} ends with {done.returncode}:', done.stderr)
            found = content(self.folder)
            for name, data in results.items():
                self.expect(found.get(name) == data, f'at last {name} of {job} is not right')


def play(wanted, seed, actions, totals):
    """A scene of so many actions in a folder of its own."""
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        write_scenarios(folder)
        scene = Play(folder, wanted, rng)
        try:
            for _ in range(actions):
                scene.act()
            scene.end()
        finally:
            for actor in scene.live:
                actor.process.kill()
                actor.process.wait()
    for code, count in scene.counts.items():
        totals[code] = totals.get(code, 0) + count


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('program')
    parser.add_argument('--actions', type=int, default=300)
    parser.add_argument('--seed', type=int, default=random.randrange(10 ** 6))
    options = parser.parse_args()
    wanted = references()
    totals, played, seed = {}, 0, options.seed
    where = 'tests/cli/cli_two_hands.py:1:test_two_hands'
    while played < options.actions:
        scene = min(60, options.actions - played)
        try:
            play(wanted, seed, scene, totals)
        except AssertionError as error:
            print(f'{where}:FAIL: --seed {seed} --actions {scene}: {error}')
            sys.exit(1)
        played, seed = played + scene, seed + 1
    ends = ', '.join(f'{count} with {code}' for code, count in sorted(totals.items()))
    print(f'{played} actions from seed {options.seed} on; programs ended: {ends}')
    print(f'{where}:PASS')


main()
