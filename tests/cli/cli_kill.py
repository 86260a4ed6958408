#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kill a run with SIGKILL at random moments and let it go on with --resume: every file must come out as if nothing had
happened, and the files of an earlier run must stay whole until they are replaced.

    cli_kill.py LIESTEP [KILLS]     200 of them, unless told
"""
import os
import random
import re
import subprocess
import sys
import tempfile
import time

import cli_common as cli

# a tenth of a second of work, with a checkpoint every 5 ms
SETTINGS = ('-s', 'steps=30000', '-s', 'output.every=2', '-s', 'checkpoint.seconds=0.005')
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


def check_between(folder, names, wanted):
    """Each file has its old bytes or its new ones. True if all have the new ones, and the checkpoint may be gone."""
    found = cli.content(folder, names)
    for name, data in found.items():
        cli.expect(data in (OLD, wanted[name]), f'{name} is neither the old file nor the new one')
    return all(found[name] == wanted[name] for name in names)


def check_progress(message, reached):
    """The step from which a run went on: never before that of an earlier one, and not at the start once there was a
    checkpoint. A run that was killed early has said nothing."""
    found = re.search(r'going on from the checkpoint at step (\d+) of', message)
    cli.expect(not (reached > 0 and 'no checkpoint yet' in message), f'began anew after step {reached}:', message)
    cli.expect(not found or int(found.group(1)) >= reached, f'fell back from step {reached}:', message)
    return int(found.group(1)) if found else reached


def how_to_go_on(folder, reached):
    """Without a checkpoint --resume refuses, as files tell that there was a run."""
    if any(os.path.exists(os.path.join(folder, name)) for name in ('run.checkpoint', 'run.checkpoint.1')):
        return '--resume'
    cli.expect(reached == 0, f'the checkpoint at step {reached} is gone')
    return '--restart'


def until_done(folder, names, wanted, duration, rng, kills, options):
    """One run, killed again and again; how often it was."""
    cli.write_scenario(folder)
    for name in names:
        with open(os.path.join(folder, name), 'wb') as file:
            file.write(OLD)
    killed = reached = 0
    process = start(folder, *options)
    while killed < kills and kill_after(process, rng.uniform(0.0, 1.2 * duration)):
        killed += 1
        reached = check_progress(process.stderr.read(), reached)
        process.stderr.close()
        if check_between(folder, names, wanted):
            reached = 0
        process = start(folder, how_to_go_on(folder, reached), *options)
    message = process.communicate()[1]
    cli.expect(process.returncode == 0, f'after {killed} kills: exit code {process.returncode}:', message)
    check_progress(message, reached)
    cli.expect_same(cli.content(folder, names), {name: wanted[name] for name in names})
    cli.expect_clean(folder)
    return killed


def timed(folder, *options):
    began = time.monotonic()
    cli.expect_exit(cli.run(folder, *SETTINGS, '--restart', *options), cli.FINE)
    return time.monotonic() - began


def main():
    kills = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    seed = random.randrange(10 ** 6)
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        cli.write_scenario(folder)
        durations = {(): timed(folder), ('--no-plot',): min(timed(folder, '--no-plot') for _ in range(3))}
        wanted = cli.content(folder)
    killed = runs = 0
    while killed < kills:
        options = () if runs % 20 == 10 else ('--no-plot',)
        names = [name for name in wanted if name != 'run.svg' or not options]
        with tempfile.TemporaryDirectory() as folder:
            try:
                killed += until_done(folder, names, wanted, durations[options], rng, min(20, kills - killed), options)
            except AssertionError as error:
                sys.exit(f'seed {seed}, kill {killed}: {error}')
        runs += 1
    print(f'{killed} kills in {runs} runs: every file the same to the byte (seed {seed})')


main()
