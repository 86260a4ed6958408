# SPDX-License-Identifier: MIT
"""What the tests of `liestep run` share: a scenario, how to run the program, how to run the tests.

A test is a function test_<thing>_<property>() of a module; it fails by raising. Results are printed one per line as
FILE:LINE:NAME:PASS, which is what tools/run_tests.py counts.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import traceback

SCENARIO = """\
system: heavy_top
group: S3
parameters:
  inertia: [1.1, 2.3, 2.9]
  mass: 0.8
  centre: [0.3, -0.2, 1.0]
start:
  time: 0.25
  quaternion: [0.5, -0.5, 0.5, 0.5]
  angular_velocity: [0.7, 0.9, -0.6]
method: sv
retraction: cay
step: 0.01
steps: 203
output:
  every: 10
  csv: run.csv
  npy: run.npy
  hdf5: run.h5
  aem: run.aem
  object: SAT
  epoch: 2027-12-31T23:59:58
  plot: run.svg
checkpoint:
  file: run.checkpoint
  seconds: 60
"""
FILES = ('run.csv', 'run.npy', 'run.h5', 'run.aem', 'run.svg')
FINE, FAILED, USAGE, SCENARIO_WRONG, OUTPUT, INTERRUPTED, TERMINATED = 0, 1, 2, 3, 4, 130, 143

# waiting for a disk would be most of the time of these tests
if os.access('/dev/shm', os.W_OK):
    tempfile.tempdir = '/dev/shm'


class Skip(Exception):
    """This test cannot be run here."""


def program():
    return os.path.abspath(sys.argv[1])


def write_scenario(folder, text=SCENARIO):
    """Write the scenario, without HDF5 if the program was built without it."""
    if not has_hdf5():
        text = text.replace('  hdf5: run.h5\n', '')
    (pathlib.Path(folder) / 'run.yaml').write_text(text)


def has_hdf5(_answer=[]):
    if not _answer:
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / 'run.yaml').write_text(SCENARIO)
            _answer.append('built without HDF5' not in run(folder, '-s', 'steps=1', '--no-plot').stderr)
    return _answer[0]


def libraries():
    """What the program was built with."""
    return subprocess.run(['ldd', program()], text=True, check=False, stdout=subprocess.PIPE).stdout


def is_sanitized():
    return 'libasan' in libraries()


def peak_memory(folder, *words):
    """Of a command of the program that must end well, bytes."""
    if is_sanitized():
        raise Skip('the sanitizer keeps what was freed')
    with subprocess.Popen([program(), *words], cwd=folder, stdin=subprocess.DEVNULL) as process:
        _, process.returncode, usage = os.wait4(process.pid, 0)
    expect(process.returncode == 0, words)
    return 1024 * usage.ru_maxrss


def command(*options):
    return [program(), 'run', 'run.yaml', *options]


def run(folder, *options, **more):
    arguments = dict(cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                     timeout=120, check=False)
    arguments.update(more)
    return subprocess.run(command(*options), **arguments)


def expect(condition, *what):
    if not condition:
        raise AssertionError(' '.join(str(word) for word in what))


def expect_exit(done, code):
    expect(done.returncode == code, f'exit code {done.returncode}, not {code}:', done.stdout, done.stderr)


def finished(folder, *options, text=SCENARIO, **more):
    """A run that must end well."""
    write_scenario(folder, text)
    done = run(folder, *options, **more)
    expect_exit(done, FINE)
    return done


def stopped_midway(folder, words, ready, act, attempts=20):
    """Start a command, act(process) as soon as ready(process) holds, and wait for its end: exit code and what it said.
    One that had ended well by then was faster than this test; its results are removed, and it is started anew."""
    kept = set(os.listdir(folder))
    for _ in range(attempts):
        with subprocess.Popen(words, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True) as process:
            end = time.monotonic() + 60
            while process.poll() is None and time.monotonic() < end and not ready(process):
                time.sleep(0.002)
            act(process)
            said = process.communicate(timeout=60)[1]
        if process.returncode != FINE:
            return process.returncode, said
        for name in set(os.listdir(folder)) - kept:
            os.remove(os.path.join(folder, name))
    raise AssertionError(f'{attempts} times the command ended before it could be stopped')


def has_made(folder, name):
    """For stopped_midway: is the file there?"""
    return lambda _: os.path.exists(os.path.join(folder, name))


def content(folder, names=FILES):
    """The bytes of those of the files that are there."""
    paths = [pathlib.Path(folder) / name for name in names]
    return {path.name: path.read_bytes() for path in paths if path.exists()}


def expect_same(found, wanted):
    expect(sorted(found) == sorted(wanted), 'files', sorted(found), 'instead of', sorted(wanted))
    for name, data in wanted.items():
        if found[name] != data:
            at = next((i for i, (a, b) in enumerate(zip(found[name], data)) if a != b), 'the end')
            raise AssertionError(f'{name} differs from byte {at} on: {len(found[name])} bytes, not {len(data)}')


def expect_clean(folder):
    """Nothing is left but the results: no .part, no checkpoint, no lock, no hidden file."""
    ends = ('.part', '.1', '.lock', '.checkpoint', '.records')
    left = [name for name in os.listdir(folder) if name.endswith(ends)]
    expect(not left, 'left behind:', left)


def main(module, wanted=None):
    """Run the tests of a module whose name contains the word `wanted`, else the second argument of the program."""
    tests = [(name, f) for name, f in vars(module).items() if name.startswith('test_') and callable(f)]
    if wanted is None:
        wanted = sys.argv[2] if len(sys.argv) > 2 else ''
    failed = 0
    for name, test in tests:
        if wanted not in name:
            continue
        where = f'tests/{os.path.basename(module.__file__)}:{test.__code__.co_firstlineno}:{name}'
        try:
            with tempfile.TemporaryDirectory() as folder:
                test(folder)
            print(f'{where}:PASS', flush=True)
        except Skip as why:
            print(f'{where}:IGNORE: {why}', flush=True)
        except Exception as error:  # pylint: disable=broad-except
            failed += 1
            text = str(error) if isinstance(error, AssertionError) else traceback.format_exc()
            print(f'{where}:FAIL: {text}', flush=True)
    sys.exit(1 if failed else 0)
