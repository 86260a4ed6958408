#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Scenarios made to do harm are refused with a sentence, in less than a tenth of a second of computing, and nothing is
written outside the output directory.

    cli_hostile.py LIESTEP [NAME]     tests whose name contains NAME
"""
import os
import pathlib
import subprocess
import sys

import cli_common as cli

PLAIN = cli.SCENARIO.replace('output:\n', 'output:\n  directory: out\n').encode()
MILLION = 10 ** 6
SECONDS = 0.1 * float(os.environ.get('LIE_SLOWER', '1'))  # sanitizers take their time


def snapshot(folder):
    """Every name below the folder, and what is behind it."""
    found = {}
    for path in sorted(pathlib.Path(folder).rglob('*')):
        found[str(path)] = os.readlink(path) if path.is_symlink() else path.read_bytes() if path.is_file() else None
    return found


def computing(words, folder):
    """(exit code, message, seconds of processor time) of a program."""
    with open(os.path.join(folder, 'said'), 'w+b') as said:
        process = subprocess.Popen(words, cwd=folder, stdin=subprocess.DEVNULL, stdout=said, stderr=said)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        message = said.read().decode('utf-8', 'replace')
    os.remove(os.path.join(folder, 'said'))
    return process.returncode, message, usage.ru_utime + usage.ru_stime


def refused(folder, text, sentence, *options, code=cli.SCENARIO_WRONG):
    """One of ten tries in time is enough: others use the machine, too."""
    here = pathlib.Path(folder)
    (here / 'out').mkdir(exist_ok=True)
    (here / 'run.yaml').write_bytes(text)
    before = snapshot(folder)
    seconds = []
    while len(seconds) < 10 and min(seconds, default=SECONDS) >= SECONDS:
        found, message, time = computing(cli.command(*options), folder)
        cli.expect(found == code, f'exit code {found}:', message[:300])
        cli.expect(message.startswith('liestep: ') and sentence in message, message[:300])
        cli.expect(len(message) < 4000 and all(c == '\n' or c.isprintable() for c in message), 'not fit to be shown')
        seconds.append(time)
    cli.expect(min(seconds) < SECONDS, f'{min(seconds):.3f} s for', sentence)
    cli.expect(snapshot(folder) == before, 'something was written')


def test_hostile_nesting(folder):
    for text in (b'[' * MILLION, b'{' * MILLION, b'parameters: {inertia: ' + b'[' * MILLION, b'- ' * (MILLION // 2),
                 b'? ' * (MILLION // 2), b'{a: ' * (MILLION // 4)):
        refused(folder, text, 'nested deeper' if b'a:' in text or b'[[' in text or b'- ' in text else 'run.yaml:1')


def test_hostile_block_mappings(folder):
    """One level more of indentation on every line: a megabyte of it."""
    refused(folder, b''.join(b' ' * i + b'a:\n' for i in range(1400)), 'nested deeper')


def test_hostile_lists_and_texts(folder):
    refused(folder, b'step: [' + b'1,' * (MILLION // 2 - 10), 'more values')
    refused(folder, b'step: "' + b'x' * MILLION + b'"', 'expected a number')
    refused(folder, b'step: ' + b'1' * MILLION, 'too large')
    refused(folder, b'x' * MILLION + b': 1', 'run.yaml:1')
    refused(folder, PLAIN + b'a: 1\n' * 100000, 'twice')
    refused(folder, b''.join(b'k%d: 1\n' % i for i in range(90000)), 'more values')
    refused(folder, b'#' * (2 * MILLION), 'more than 1048576 bytes')


def test_hostile_aliases(folder):
    laughs = b'a: &a [1, 1]\n' + b''.join(b'%c: &%c [*%c, *%c]\n' % (98 + i, 98 + i, 97 + i, 97 + i) for i in range(20))
    refused(folder, laughs, 'anchors, aliases and tags')
    refused(folder, b'system: !!python/object/apply:os.system ["touch ../owned"]', 'anchors, aliases and tags')


def test_hostile_counts_and_exponents(folder):
    for value in (b'9223372036854775808', b'18446744073709551616', b'-1', b'1e300', b'0.5', b'9007199254740993'):
        for key in (b'steps', b'order', b'max_iterations', b'terms'):
            refused(folder, PLAIN.replace(b'steps: 203', key + b': ' + value), 'expected a whole number')
    for value in (b'1e999', b'-1e999', b'1e999999999999999999', b'1' + b'0' * 400):
        refused(folder, PLAIN.replace(b'step: 0.01', b'step: ' + value), 'too large')
        refused(folder, PLAIN.replace(b'mass: 0.8', b'mass: ' + value), 'too large')
    refused(folder, PLAIN.replace(b'step: 0.01', b'step: 1e-999999999'), 'step: is 0')
    refused(folder, PLAIN.replace(b'step: 0.01', b'step: 1e308'), 'too large for times')
    refused(folder, PLAIN.replace(b'step: 0.01', b'step: nan'), 'finite')


def test_hostile_nul_bytes(folder):
    for text in (b'\0' * MILLION, PLAIN + b'\0', b'\0' + PLAIN, PLAIN.replace(b'run.csv', b'run\0.csv')):
        refused(folder, text, 'NUL byte')
    refused(folder, PLAIN.replace(b'run.csv', b'"run\\0.csv"'), 'NUL')
    refused(folder, b'\xff\xfe' + PLAIN, 'UTF-8')
    refused(folder, PLAIN.replace(b'run.csv', b'\xc0\xaf'), 'UTF-8')


def test_hostile_names(folder):
    """No name leads out of the output directory, in the file or in an override."""
    for name in ('../run', '../../run', '/tmp/run', 'a/run', '..', './run', 'out/../run', '-rf'):
        for key in ('csv', 'npy', 'hdf5', 'aem', 'plot'):
            end = '.svg' if key == 'plot' and name != '..' else ''
            refused(folder, PLAIN, f'output.{key}', '-s', f'output.{key}={name}{end}')
        refused(folder, PLAIN.replace(b'file: run.checkpoint', f'file: {name}'.encode()), 'checkpoint.file')


def test_hostile_links(folder):
    """A link in the output directory, whole name or .part, is not followed."""
    here = pathlib.Path(folder)
    (here / 'precious').write_text('precious')
    (here / 'out').mkdir()
    for target in ('../precious', '../made', '/dev/null', 'loop'):
        for name in ('run.csv', 'run.csv.part', 'run.npy', 'run.aem.part', 'run.svg', 'run.checkpoint', 'run.checkpoint.1'):
            link = here / 'out' / name
            link.symlink_to(name if target == 'loop' else target)
            refused(folder, PLAIN, 'symbolic link', code=cli.OUTPUT)
            link.unlink()


if __name__ == '__main__':
    cli.main(sys.modules[__name__])
