#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Disks that are full, calls of the system that fail, and SIGKILL at each of them: a run says what happened, leaves no
broken file, the files of an earlier run stay whole, and --resume or another run completes the work.

    cli_faults.py LIESTEP [NAME]     tests whose name contains NAME
"""
import collections
import os
import re
import resource
import shutil
import subprocess
import sys

import cli_common as cli

# a checkpoint after every step
SETTINGS = ('-s', 'steps=4', '-s', 'output.every=3', '-s', 'checkpoint.seconds=1e-9', '--quiet', '--no-plot')
NAMES = tuple(name for name in cli.FILES if name != 'run.svg')
OLD = b'an earlier result\n'
CALLS = ('pwrite64', 'fsync', 'renameat', 'ftruncate', 'unlinkat')


def prepare(folder):
    """A folder with the results of an earlier run."""
    os.makedirs(folder, exist_ok=True)
    cli.write_scenario(folder)
    for name in NAMES:
        if name != 'run.h5' or cli.has_hdf5():
            with open(os.path.join(folder, name), 'wb') as file:
                file.write(OLD)


def reference(folder, _answer=[]):
    """What the run should give."""
    if not _answer:
        prepare(folder + '/reference')
        cli.expect_exit(cli.run(folder + '/reference', *SETTINGS), cli.FINE)
        _answer.append(cli.content(folder + '/reference', NAMES))
    return _answer[0]


def traced(folder, inject, *options):
    """Run under strace with a fault; what it did is in the folder's file trace."""
    words = ['strace', '-f', '-qq', '-o', 'trace', *inject, *cli.command(*SETTINGS, *options)]
    return subprocess.run(words, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, timeout=120, check=False, env=dict(os.environ, ASAN_OPTIONS='detect_leaks=0'))


def count_calls(folder, filters):
    """How often a run makes each of the calls."""
    if not shutil.which('strace'):
        raise cli.Skip('strace is not installed')
    prepare(folder + '/count')
    done = traced(folder + '/count', [*filters, '-e', 'trace=' + ','.join(CALLS + ('close', 'openat'))])
    if done.returncode != 0:
        raise cli.Skip('strace does not work here: ' + done.stderr.strip())
    with open(folder + '/count/trace', encoding='utf-8') as file:
        return collections.Counter(re.findall(r'^\d+ +(\w+)\(', file.read(), flags=re.M))


def check_whole(folder, wanted):
    """Each file has its old bytes or its new ones."""
    found = cli.content(folder, NAMES)
    cli.expect(sorted(found) == sorted(wanted), 'a file is missing:', sorted(found))
    for name, data in found.items():
        cli.expect(data in (OLD, wanted[name]), f'{name} is neither the old file nor the new one')


def check_completed(folder, wanted):
    """Whatever is there, --resume ends well; where no checkpoint was written yet it says so, and --restart does."""
    checkpoints = [name for name in os.listdir(folder) if name in ('run.checkpoint', 'run.checkpoint.1')]
    done = cli.run(folder, *SETTINGS, '--resume')
    if not checkpoints:
        cli.expect_exit(done, cli.SCENARIO_WRONG)
        cli.expect('no checkpoint run.checkpoint to go on from' in done.stderr, done.stderr)
        done = cli.run(folder, *SETTINGS, '--restart')
    cli.expect_exit(done, cli.FINE)
    cli.expect_same(cli.content(folder, NAMES), wanted)
    cli.expect_clean(folder)


def provoke(folder, call, error, when, filters=()):
    """One failing call."""
    what = f'{call} number {when} fails with {error}:'
    prepare(folder)
    done = traced(folder, [*filters, '-e', f'trace={call}', '-e', f'inject={call}:error={error}:when={when}'])
    cli.expect(done.returncode == cli.OUTPUT, what, f'exit code {done.returncode}', done.stderr)
    cli.expect(re.search(r'^liestep: \./\S+: .*', done.stderr, flags=re.M), what, 'no file named:', done.stderr)
    reasons = {'ENOSPC': 'No space left on device', 'EIO': 'Input/output error', 'EACCES': 'Permission denied'}
    cli.expect(reasons[error] in done.stderr, what, 'no reason in the message:', done.stderr)
    wanted = reference(folder + '/..')
    check_whole(folder, wanted)
    check_completed(folder, wanted)


def provoke_all(folder, call, error, filters=()):
    number = count_calls(folder, filters)[call]
    cli.expect(number > 0, f'{call} is never called')
    for when in range(1, number + 1):
        provoke(f'{folder}/{call}{when}', call, error, when, filters)


def test_faults_failing_write(folder):
    provoke_all(folder, 'pwrite64', 'ENOSPC')


def test_faults_failing_fsync(folder):
    provoke_all(folder, 'fsync', 'EIO')


def test_faults_failing_rename(folder):
    provoke_all(folder, 'renameat', 'EACCES')


def test_faults_failing_truncate(folder):
    provoke_all(folder, 'ftruncate', 'EIO')


def test_faults_failing_close(folder):
    for name in ('run.csv', 'run.npy', 'run.aem'):
        provoke(f'{folder}/{name}', 'close', 'EIO', 1, ['-P', f'{folder}/{name}/{name}.part'])


def test_faults_failing_open(folder):
    for name in ('run.csv', 'run.npy', 'run.aem', 'run.checkpoint'):
        provoke(f'{folder}/{name}', 'openat', 'EACCES', 1, ['-P', name + '.part'])


def test_faults_failing_unlink_at_the_end(folder):
    """The results are there; that the checkpoint is, too, is said."""
    calls = count_calls(folder, ())['unlinkat'] - 1  # the lock goes last
    prepare(folder + '/here')
    done = traced(folder + '/here', ['-e', 'trace=unlinkat', '-e', f'inject=unlinkat:error=EACCES:when={calls}'])
    cli.expect_exit(done, cli.OUTPUT)
    cli.expect('run.checkpoint: cannot be removed' in done.stderr, done.stderr)
    cli.expect_same(cli.content(folder + '/here', NAMES), reference(folder))
    check_completed(folder + '/here', reference(folder))


def test_faults_synced_before_renamed(folder):
    """The disk has all of a file before it gets its name, or before a checkpoint refers to it; the names of the results
    are made to last before the checkpoint goes."""
    count_calls(folder, ())
    files, dirty, renamed = {}, set(), False
    with open(folder + '/count/trace', encoding='utf-8') as file:
        calls = re.findall(r'^\d+ +(\w+)\((.*)\) += (\d+)$', file.read(), flags=re.M)
    for call, arguments, result in calls:
        words = re.findall(r'"([^"]*)"', arguments)
        first = arguments.split(',')[0]
        if call == 'openat':
            path = words[0]
            files[result] = files[path[8:]] if path.startswith('/dev/fd/') else path
        elif call == 'pwrite64':
            dirty.add(files[first])
        elif call == 'fsync':
            dirty.discard(files[first])
            renamed = renamed and files[first] != '.'
        elif call == 'renameat':
            late = dirty if words[1] == 'run.checkpoint' else dirty & {words[0]}
            cli.expect(not late, f'{words[1]} gets its name before {late} is synced')
            renamed = True
        elif call == 'unlinkat':
            cli.expect(not renamed, f'{words[0]} is removed before names are synced')
    order = [(call, arguments) for call, arguments, _ in calls if call in ('renameat', 'unlinkat')]
    cli.expect(len(order) > 10, 'too few files were seen')
    wanted = [('unlinkat', f'3, "{name}", 0') for name in ('run.checkpoint', 'run.checkpoint.lock')]
    cli.expect(order[-2:] == wanted, 'checkpoint and lock are not what goes last:', order[-2:])


def test_faults_killed_at_each_call(folder):
    """SIGKILL on the way into a call: the folder is as the call before has left it."""
    counts = count_calls(folder, ())
    wanted = reference(folder)
    for call in CALLS:
        for when in range(1, counts[call] + 1):
            here = f'{folder}/{call}{when}'
            prepare(here)
            done = traced(here, ['-e', f'trace={call}', '-e', f'inject={call}:signal=KILL:when={when}'])
            cli.expect(done.returncode in (-9, 137), f'{call} number {when}: exit code {done.returncode}', done.stderr)
            check_whole(here, wanted)
            check_completed(here, wanted)


def test_faults_full_disk(folder):
    """A file system of 64 kB: some writes succeed, then none."""
    disk = folder + '/disk'
    os.mkdir(disk)
    if os.geteuid() != 0:
        raise cli.Skip('only root can mount a small file system')
    if subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk], stderr=subprocess.DEVNULL,
                      check=False).returncode != 0:
        raise cli.Skip('no file system can be mounted here')
    try:
        prepare(disk)
        for options in (('-s', 'steps=20000'), ('-s', 'steps=100')):
            done = cli.run(disk, '-s', 'output.every=1', '--restart', *options)
            cli.expect_exit(done, cli.OUTPUT)
            cli.expect('No space left on device' in done.stderr, done.stderr)
            for name, data in cli.content(disk, NAMES).items():
                cli.expect(data == OLD, f'{name} was touched')
    finally:
        subprocess.run(['umount', disk], check=True)


def test_faults_file_size_limit(folder):
    """ulimit -f: a write fails with EFBIG; the signal that comes with it does not kill."""
    wanted = reference(folder)
    prepare(folder)
    done = cli.run(folder, '-s', 'steps=2000', '-s', 'output.every=1',
                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000)))
    cli.expect_exit(done, cli.OUTPUT)
    cli.expect('File too large' in done.stderr, done.stderr)
    for name, data in cli.content(folder, NAMES).items():
        cli.expect(data == OLD, f'{name} was touched')
    cli.expect_exit(cli.run(folder, *SETTINGS, '--restart'), cli.FINE)
    cli.expect_same(cli.content(folder, NAMES), wanted)


def test_faults_full_standard_output(folder):
    prepare(folder)
    with open('/dev/full', 'w', encoding='utf-8') as full:
        done = cli.run(folder, '-s', 'steps=4', '--no-plot', stdout=full)
    cli.expect_exit(done, cli.OUTPUT)
    cli.expect('No space left on device' in done.stderr, done.stderr)


if __name__ == '__main__':
    cli.main(sys.modules[__name__])
