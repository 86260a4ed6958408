#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`liestep run` as a person meets it: typed into a shell in a terminal (tmux), progress watched, Ctrl-C, --resume.

    cli_tmux.py LIESTEP
"""
import os
import re
import shutil
import subprocess
import sys
import time

import cli_common as cli

LONG = '-s steps=40000000 -s output.every=100000 -s checkpoint.seconds=1 --no-plot'


class Terminal:
    """A shell in a tmux server of its own, 100 columns wide."""

    def __init__(self, folder):
        if not shutil.which('tmux'):
            raise cli.Skip('tmux is not installed')
        self.tmux = ['tmux', '-f', '/dev/null', '-S', os.path.join(folder, 'tmux')]
        environment = dict(os.environ, LC_ALL='C.UTF-8', TERM='xterm-256color', PS1='$ ')
        environment.pop('TMUX', None)
        done = self.call('new-session', '-d', '-x', '100', '-y', '30', '-c', folder, 'sh', env=environment)
        if done.returncode != 0:
            raise cli.Skip('tmux does not work here: ' + done.stderr.strip())

    def call(self, *words, **more):
        return subprocess.run([*self.tmux, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
                              **more)

    def type(self, *keys):
        self.call('send-keys', *keys)

    def screen(self):
        return self.call('capture-pane', '-p', '-J').stdout

    def wait_for(self, pattern, seconds=60):
        """The match, once the screen shows it."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = re.search(pattern, self.screen(), flags=re.M)
            if found:
                return found
            time.sleep(0.02)
        raise AssertionError(f'{pattern} never came:\n' + self.screen())

    def close(self):
        self.call('kill-server')


def in_terminal(folder, test):
    cli.write_scenario(folder)
    terminal = Terminal(folder)
    try:
        test(terminal, cli.program())
    finally:
        terminal.close()


def watch_and_stop(terminal, liestep):
    terminal.type(f'{liestep} run run.yaml {LONG}', 'Enter')
    line = r'^\[([#.]{24})\] +([\d.]+) %  (\S+) steps/s  (\d+:\d\d left|[\d.]+ \w+ left)'
    first = terminal.wait_for(line)
    cli.expect(float(first.group(3)) > 1000.0, 'rate', first.group(3))
    seen = {terminal.wait_for(line).group(2)}
    end = time.monotonic() + 30
    while len(seen) < 4 and time.monotonic() < end:
        seen.add(terminal.wait_for(line).group(2))
    cli.expect(len(seen) == 4, 'the share does not grow:', seen)
    cli.expect(terminal.screen().count('steps/s') == 1, 'more than one line of progress:', terminal.screen())
    terminal.type('C-c')
    terminal.wait_for(r'stopped at step \d+ of 40000000')
    cli.expect('steps/s' not in terminal.screen(), 'the line of progress is left behind:', terminal.screen())
    terminal.type('echo code $?', 'Enter')
    terminal.wait_for(r'^code 130$')


def go_on(terminal, liestep):
    watch_and_stop(terminal, liestep)
    terminal.type('clear', 'Enter')
    terminal.type(f'{liestep} run run.yaml {LONG} --resume', 'Enter')
    terminal.wait_for(r'going on from the checkpoint at step \d+ of 40000000')
    share = float(terminal.wait_for(r'\] +([\d.]+) %').group(1))
    cli.expect(share > 0.0, share)
    terminal.type('C-c')
    terminal.wait_for(r'stopped at step')


def test_tmux_progress_and_interrupt(folder):
    in_terminal(folder, watch_and_stop)


def test_tmux_resume(folder):
    in_terminal(folder, go_on)


def narrow(terminal, liestep):
    """The line shrinks with the window and never wraps."""
    terminal.call('resize-window', '-x', '46', '-y', '20')
    terminal.type('clear', 'Enter')
    terminal.type(f'{liestep} run run.yaml {LONG} --restart', 'Enter')
    terminal.wait_for(r'^ +[\d.]+ %  \S+ steps/s')
    time.sleep(0.5)
    cli.expect(terminal.screen().count('steps/s') == 1, terminal.screen())
    terminal.type('C-c')
    terminal.wait_for(r'stopped at step')


def test_tmux_narrow_window(folder):
    in_terminal(folder, narrow)


if __name__ == '__main__':
    cli.main(sys.modules[__name__])
