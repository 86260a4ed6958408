#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Check that the program in the README compiles as printed, without a warning, and says what it should, that the commands
it shows run, and that what it links to is there.

    check_readme.py CC README.md INCLUDE_DIR LIBRARY.a [LIESTEP]
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile


def check_program(text, cc, include, library):
    [source] = re.findall(r'^```c\n(.*?)^```$', text, flags=re.M | re.S)
    lines = [line for line in source.splitlines() if line]
    if len(lines) > 15 or max(map(len, lines)) > 120:
        sys.exit(f'the program in the README should have 15 lines of 120 columns; it has {len(lines)}')
    with tempfile.TemporaryDirectory() as folder:
        program = f'{folder}/readme'
        command = cc.split() + ['-x', 'c', '-std=c11', '-Wall', '-Wextra', '-Werror', '-I', include, '-o', program, '-',
                                '-x', 'none', library, '-lm']
        if subprocess.run(command, text=True, input=source, check=False).returncode != 0:
            sys.exit('the program in the README does not compile')
        output = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    print(output, end='')
    # the start has the energy w.Iw/2 + m g0 z = 11.405, kept to the digits shown, and the momentum 3 (-0.6), kept
    rows = re.findall(r'^t = +(\d+) s +energy ([\d.]+) J +vertical momentum ([-\d.]+) N m s$', output, flags=re.M)
    good = [abs(float(energy) - 11.405) < 0.0011 and abs(float(momentum) + 1.8) < 1e-11 for _, energy, momentum in rows]
    if len(good) != 5 or not all(good):
        sys.exit('expected five lines with energy near 11.405 and momentum -1.8')


def check_commands(text, root, liestep):
    commands = re.findall(r'^    liestep ([^#\n]*)', text, flags=re.M)
    if len(commands) < 4:
        sys.exit('the README shows no commands')
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(root / 'scenarios', f'{folder}/scenarios')
        for command in commands:
            done = subprocess.run(f'{liestep} {command}', shell=True, cwd=folder, text=True, capture_output=True)
            if done.returncode != 0:
                sys.exit(f'liestep {command}: exit code {done.returncode}\n{done.stderr}')


def check_links(text, root):
    for target in re.findall(r'\]\(([^)\s]*)\)', text):
        if not re.match(r'https?:', target) and not (root / target.partition('#')[0]).exists():
            sys.exit(f'the README links to {target}, which is not there')
    for target in re.findall(r'^    make (\w+)', text, flags=re.M):
        if not re.search(rf'^{target}: *##', (root / 'Makefile').read_text(), flags=re.M):
            sys.exit(f'there is no make {target}')


def main():
    cc, readme, include, library, *liestep = sys.argv[1:]
    root = pathlib.Path(readme).resolve().parent
    text = pathlib.Path(readme).read_text(encoding='utf-8')
    check_links(text, root)
    check_program(text, cc, include, library)
    if liestep:
        check_commands(text, root, os.path.abspath(liestep[0]))


main()
