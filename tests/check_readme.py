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
    print(output, end='')
    # the start has the energy w.Iw/2 + m g0 z = 11.405, kept in a band of order h^2, and the momentum 3 (-0.6), kept
    rows = re.findall(r'^t = +(\d+) s +energy ([\d.]+) +vertical momentum ([-\d.]+)$', output, flags=re.M)
    good = [abs(float(energy) - 11.405) < 0.02 and abs(float(momentum) + 1.8) < 1e-11 for _, energy, momentum in rows]
    sys.exit(0 if len(good) == 5 and all(good) else 'expected five lines with energy near 11.405 and momentum -1.8')


main()
