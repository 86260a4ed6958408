#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Run the tests of a build directory and say how they went, one line per program.

    run_tests.py BUILD_DIR [NAME...]     all of them, or those with these names

What failed is told again at the end, where the tail of a log still has it. The last line is `N passed, M failed`: every
test function of a Unity program counts, every other test counts as one, and a program that crashes, hangs or fails
without saying which test it was counts as one more failure.
"""
import collections
import json
import os
import re
import subprocess
import sys

RESULT = re.compile(r'^\S+:\d+:\w+:(PASS|FAIL|IGNORE)\b')
SKIPPED = 77  # a test's exit code for "cannot run here"


def judge(test):
    """(passed, failed, skipped, lines to show) of one program, from its entry in meson's log."""
    output = (test.get('stdout') or '').splitlines()
    counts = collections.Counter()
    shown = []
    for line in output:
        found = RESULT.match(line)
        if found:
            counts[found.group(1)] += 1
            if found.group(1) == 'FAIL':
                shown.append(line)
    if test['result'] == 'SKIP' or test['returncode'] == SKIPPED:
        return counts['PASS'], counts['FAIL'], counts['IGNORE'] + 1, output[-3:]
    if test['result'] == 'OK':
        return counts['PASS'] + (not counts), counts['FAIL'], counts['IGNORE'], shown
    if not counts['FAIL']:
        counts['FAIL'] = 1
        shown = [how_it_ended(test)] + output[-15:] + (test.get('stderr') or '').splitlines()[-25:]
    return counts['PASS'], counts['FAIL'], counts['IGNORE'], shown


def how_it_ended(test):
    code = test['returncode']
    if test['result'] == 'TIMEOUT':
        return 'timed out; its last words:'
    return f'killed by signal {-code}; its last words:' if code < 0 else f'exit code {code}'


def main():
    build, names = sys.argv[1], sys.argv[2:]
    log = os.path.join(build, 'meson-logs', 'testlog.json')
    if os.path.exists(log):
        os.remove(log)
    run = subprocess.run(['meson', 'test', '-C', build, '--no-rebuild', *names], stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True)
    if not os.path.exists(log):
        sys.exit(run.stdout + 'no test was run')
    total = [0, 0]
    again = []
    tests = sorted(map(json.loads, open(log)), key=lambda t: t['name'])
    for test in tests:
        name = test['name'].split(' / ')[-1]
        passed, failed, skipped, shown = judge(test)
        total[0] += passed
        total[1] += failed
        print(f'  {name:25}{passed:5} passed' + (f', {failed} FAILED' if failed else '')
              + (f', {skipped} skipped' if skipped else '') + f'  {test["duration"]:7.2f} s')
        for line in shown:
            print('      ' + line)
        if failed:
            again += [f'FAILED: {name}'] + ['    ' + line for line in shown]
    if not any(':unity / ' in test['name'] for test in tests):
        print('  none of the maps was tested: Unity, the test framework, is missing')
        total[1] += 1
    if run.returncode != 0 and total[1] == 0:
        print(run.stdout)
        total[1] += 1
    for line in again:
        print(line)
    print(f'{total[0]} passed, {total[1]} failed')
    sys.exit(1 if total[1] else 0)


main()
