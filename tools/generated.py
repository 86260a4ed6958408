#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Keep the tables in the documentation what the program says they are.

    generated.py LIESTEP FILE.md...            write them anew
    generated.py --check LIESTEP FILE.md...    only compare; fails if one differs

A table stands between two comments, of which the first tells the command that writes it:

    <!-- generated: liestep methods --markdown -->
    ...
    <!-- end -->
"""
import pathlib
import re
import shlex
import subprocess
import sys

BLOCK = re.compile(r'(<!-- generated: liestep (.*?) -->\n)(.*?)(<!-- end -->)', flags=re.S)


def renew(liestep, text):
    """The text with every block as the program writes it now."""
    def block(found):
        command = [liestep] + shlex.split(found.group(2))
        output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
        return found.group(1) + output + found.group(4)
    return BLOCK.sub(block, text)


def main():
    words = sys.argv[1:]
    only_check = '--check' in words
    liestep, *names = [word for word in words if word != '--check']
    stale = []
    for path in map(pathlib.Path, names):
        text = path.read_text(encoding='utf-8')
        if text.count('<!-- generated:') != len(BLOCK.findall(text)):
            sys.exit(f'{path}: a block that begins with <!-- generated: liestep ... --> has no <!-- end -->')
        fresh = renew(liestep, text)
        if fresh != text:
            stale.append(path.name)
            if not only_check:
                path.write_text(fresh, encoding='utf-8')
        print(f'{path.name}: {len(BLOCK.findall(text))} tables' + (', not as the program has them' if fresh != text else ''))
    if only_check and stale:
        sys.exit(f'{" ".join(stale)}: mend with tools/generated.py LIESTEP ' + ' '.join(names))


main()
