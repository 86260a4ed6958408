#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kill a run with SIGKILL at random moments and let it go on with --resume: every file must come out as if nothing had
happened, and the files of an earlier run must stay whole until they are replaced.

    cli_kill.py LIESTEP [KILLS]
"""
import os
import random
import subprocess
import sys
import tempfile
import time

import cli_common as cli

# some tenths of a second of work, with a checkpoint every 10 ms
SETTINGS = ('-s', 'steps=30000', '-s', 'output.every=2', '-s', 'checkpoint.seconds=0.01', '--quiet')
OLD = b'an earlier result\n'


def start(folder, *options):
    return subprocess.Popen(cli.command(*SETTINGS, *options), cwd=folder, stdin=subprocess.DEVNULL,
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def kill_after(process, seconds):
    """True if it was killed, false if it was faster."""
    try:
        process.wait(timeout=seconds)
        return False
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return True


def check_between(folder, wanted):
    """Each file has its old bytes or its new ones."""
    for name, data in cli.content(folder).items():
        cli.expect(data in (OLD, wanted[name]), f'{name} is neither the old file nor the new one')


def until_done(folder, wanted, duration, rng, kills):
    """One run, killed again and again; how often it was."""
    plot = () if rng.random() < 0.1 else ('--no-plot',)
    names = [name for name in wanted if name != 'run.svg' or not plot]
    cli.write_scenario(folder)
    for name in names:
        with open(os.path.join(folder, name), 'wb') as file:
            file.write(OLD)
    killed = 0
    process = start(folder, *plot)
    while killed < kills and kill_after(process, rng.uniform(0.0, 1.1 * duration)):
        killed += 1
        check_between(folder, wanted)
        process = start(folder, '--resume', *plot)
    message = process.communicate()[1]
    cli.expect(process.returncode == 0, f'after {killed} kills: exit code {process.returncode}:', message)
    cli.expect_same(cli.content(folder, names), {name: wanted[name] for name in names})
    cli.expect_clean(folder)
    return killed


def main():
    kills = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    seed = random.randrange(10 ** 6)
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        cli.write_scenario(folder)
        done = cli.run(folder, *SETTINGS)
        cli.expect_exit(done, cli.FINE)
        wanted = cli.content(folder)
        began = time.monotonic()
        cli.expect_exit(cli.run(folder, *SETTINGS, '--no-plot', '--restart'), cli.FINE)
        duration = time.monotonic() - began
    killed = runs = 0
    while killed < kills:
        with tempfile.TemporaryDirectory() as folder:
            try:
                killed += until_done(folder, wanted, duration, rng, kills - killed)
            except AssertionError as error:
                sys.exit(f'seed {seed}, kill {killed}: {error}')
        runs += 1
    print(f'{killed} kills in {runs} runs of {duration:.2f} s: every file the same to the byte (seed {seed})')


main()
