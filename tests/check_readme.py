#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Check that the program in the README compiles as printed, without a warning, and says what it should.

    check_readme.py CC README.md INCLUDE_DIR LIBRARY.a
"""
import re
import subprocess
import sys
import tempfile


def main():
    cc, readme, include, library = sys.argv[1:]
    with open(readme, encoding='utf-8') as file:
        programs = re.findall(r'^```c\n(.*?)^```$', file.read(), flags=re.M | re.S)
    if not programs:
        sys.exit('no C program in the README')
    with tempfile.TemporaryDirectory() as folder:
        program = f'{folder}/readme'
        command = cc.split() + ['-x', 'c', '-std=c11', '-Wall', '-Wextra', '-Werror', '-I', include, '-o', program, '-',
                                '-x', 'none', library, '-lm']
        if subprocess.run(command, text=True, input=programs[0], check=False).returncode != 0:
            sys.exit('the program in the README does not compile')
        output = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    # ten steps of (0.1, -0.2, 0.3) rad are a turn of 3.742 rad: the short way back is 2 pi - 3.742
    expected = 'turned by (-0.679252, 1.358504, -2.037756) rad'
    print(output, end='')
    sys.exit(0 if output.startswith(expected) else f'expected {expected}')


main()
