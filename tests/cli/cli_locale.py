#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A locale with a decimal comma changes nothing: not a byte of any file, nor how a scenario is read.

    cli_locale.py LIESTEP TEST_CLI_SCENARIO_TEXTS

The locale is made here, from the definitions of the C library, where none is installed.
"""
import os
import re
import shutil
import subprocess
import sys

import cli_common as cli

NAME = 'de_DE.UTF-8'


def comma(folder):
    """The environment of a user in Germany; gettext, gnuplot and HDF5 see it, too."""
    made = subprocess.run(['localedef', '-i', 'de_DE', '-f', 'UTF-8', os.path.join(folder, NAME)], check=False,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) if shutil.which('localedef') else None
    environment = dict(os.environ, LC_ALL=NAME, LANG=NAME)
    if made and made.returncode == 0:
        environment['LOCPATH'] = folder
        environment['ASAN_OPTIONS'] = 'detect_leaks=0'  # newlocale of the C library keeps a copy of LOCPATH
    point = subprocess.run(['locale', 'decimal_point'], env=environment, stdout=subprocess.PIPE,
                           stderr=subprocess.DEVNULL, text=True, check=False).stdout
    if point != ',\n':
        raise cli.Skip('no locale with a decimal comma can be made here (Debian: locales)')
    return environment


def test_locale_files_are_the_same_to_the_byte(folder):
    plain = dict(os.environ, LC_ALL='C')
    said = cli.finished(folder, env=plain).stdout
    wanted = cli.content(folder)
    german = cli.finished(folder, env=comma(folder)).stdout
    cli.expect_same(cli.content(folder), wanted)
    numbers = [re.sub(r'  time .*', '', text) for text in (said, german)]
    cli.expect(numbers[0] == numbers[1], 'the summary differs:', german)


def test_locale_overrides_and_convert(folder):
    environment = comma(folder)
    cli.finished(folder, '-s', 'step=0.0125', '--no-plot', env=environment)
    with open(os.path.join(folder, 'run.csv'), encoding='ascii') as file:
        cli.expect('h = 0.0125 s' in file.readline(), 'the override was read with a comma')
    words = [cli.program(), 'convert', '--from', 'euler_zyx_deg', '--to', 'quat', '22.5', '0', '0']
    said = subprocess.run(words, env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout
    cli.expect('0.98078528' in said, said)
    cli.write_scenario(folder, cli.SCENARIO.replace('step: 0.01', 'step: 0,01'))
    cli.expect_exit(cli.run(folder, env=environment), cli.SCENARIO_WRONG)


def test_locale_within_a_program_that_sets_it(folder):
    """The reader of scenarios in a program that has called setlocale."""
    if not sys.argv[2]:
        raise cli.Skip('Unity, the test framework, is missing')
    done = subprocess.run([os.path.abspath(sys.argv[2])], env=comma(folder), cwd=folder, stdout=subprocess.PIPE,
                          text=True, check=False)
    cli.expect('decimal_comma_does_not_matter:PASS' in done.stdout, done.stdout)


if __name__ == '__main__':
    cli.main(sys.modules[__name__], wanted='')
