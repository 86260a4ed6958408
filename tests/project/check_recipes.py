#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Follow the worked examples of CONTRIBUTING.md to the letter, all of them together, in a copy of the tree.

    check_recipes.py --only-lists SOURCE_ROOT     the edits, and the checks of the text of the tree: a second
    check_recipes.py SOURCE_ROOT [COPY]           everything: builds and tests the copy, without optimisation; COPY, a
                                                  folder that is not there yet, is left to be looked at

An example is a sequence of edits, each a line that says what and where, and a block with the text:

    New file `PATH`:                  it must not be there yet
    In `PATH`, behind `LINE`:         LINE is in exactly one line of the file; the text goes behind it
    In `PATH`, before `LINE`:         in front of it

and a block ```console: every line that begins with "$ " is run in the copy, and must succeed; the lines below it are
found in its output, in this order, "..." being any number of others.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

EDIT = re.compile(r'^(?:New file `(?P<new>[^`\n]+)`|In `(?P<old>[^`\n]+)`, (?P<way>behind|before) `(?P<line>[^`\n]+)`):\n\n'
                  r'```[a-z]+\n(?P<text>.*?)^```$|^```console\n(?P<console>.*?)^```$', flags=re.M | re.S)
SPARED = ('-Doptimization=0', '-Dpeers=disabled')


class Wrong(Exception):
    """A recipe that cannot be followed."""


def copy_tree(root, to):
    """What git knows of, and the test framework; all but what was built where there is no git."""
    listed = subprocess.run(['git', '-C', root, 'ls-files', '-z'], capture_output=True, text=True)
    if listed.returncode == 0:
        for name in filter(None, listed.stdout.split('\0')):
            if (root / name).exists():
                (to / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(root / name, to / name)
    else:
        shutil.copytree(root, to, dirs_exist_ok=True, ignore=lambda folder, names: [
            n for n in names if pathlib.Path(folder) == root and re.match(r'build|\.git$', n)])
    if (root / 'subprojects/unity').exists():
        shutil.copytree(root / 'subprojects/unity', to / 'subprojects/unity', dirs_exist_ok=True)


def follow(edit, tree):
    """One edit."""
    name = edit['new'] or edit['old']
    path = tree / name
    if edit['new']:
        if path.exists():
            raise Wrong(f'{name} is there already')
        path.write_text(edit['text'], encoding='utf-8')
        return
    lines = path.read_text(encoding='utf-8').splitlines(keepends=True)
    at = [i for i, line in enumerate(lines) if edit['line'] in line]
    if len(at) != 1:
        raise Wrong(f'{name}: {len(at)} lines have `{edit["line"]}`; an example needs one')
    lines.insert(at[0] + (edit['way'] == 'behind'), edit['text'])
    path.write_text(''.join(lines), encoding='utf-8')


def commands_of(console):
    """(command, lines expected of it) for each."""
    for part in re.split(r'^\$ ', console, flags=re.M)[1:]:
        command, *expected = part.splitlines()
        yield command, expected


def run(command, tree, expected=()):
    done = subprocess.run(['bash', '-c', command], cwd=tree, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    said = done.stdout.splitlines()
    if done.returncode != 0:
        raise Wrong('\n'.join([f'$ {command}', *said[-40:], f'exit code {done.returncode}']))
    at = 0
    for line in expected:
        if line.strip() == '...':
            continue
        found = [i for i in range(at, len(said)) if ' '.join(line.split()) in ' '.join(said[i].split())]
        if not found:
            raise Wrong('\n'.join([f'$ {command}', *said[-40:], f'does not show: {line}']))
        at = found[0] + 1


def build_all(tree, consoles):
    """What the examples build, in one go, so that no processor waits for the end of one of them."""
    targets = ' '.join(target for console in consoles
                       for target in re.findall(r'^\$ ninja -C build(.*)$', console, flags=re.M))
    jobs = f'-j{os.environ["RECIPES_JOBS"]}' if 'RECIPES_JOBS' in os.environ else ''
    run(f'meson setup build --wrap-mode=nodownload {" ".join(SPARED)}', tree)
    run(f'ninja {jobs} -C build {targets}', tree)


def main():
    words = [word for word in sys.argv[1:] if word != '--only-lists']
    root = pathlib.Path(words[0]).resolve()
    steps = list(EDIT.finditer((root / 'CONTRIBUTING.md').read_text(encoding='utf-8')))
    consoles = [step['console'] for step in steps if step['console']]
    if not consoles or len(steps) < 10:
        sys.exit('CONTRIBUTING.md has no worked examples that can be read')
    with tempfile.TemporaryDirectory(prefix='recipes-') as folder:
        tree = pathlib.Path(words[1] if len(words) > 1 else folder).resolve()
        tree.mkdir(exist_ok=len(words) < 2)
        try:
            copy_tree(root, tree)
            for step in steps:
                if not step['console']:
                    follow(step, tree)
            version = re.search(r"version: '([^']+)'", (tree / 'meson.build').read_text()).group(1)
            for check, arguments in (('check_lists', f'{version} .'), ('check_rooms', '.')):
                run(f'python3 tests/project/{check}.py {arguments}', tree)
            if '--only-lists' not in sys.argv:
                build_all(tree, consoles)
                for console in consoles:
                    for command, expected in commands_of(console):
                        begun = time.monotonic()
                        run(command, tree, expected)
                        print(f'{time.monotonic() - begun:6.1f} s  {command}', flush=True)
        except Wrong as why:
            sys.exit(str(why))
    print(f'{len(steps) - len(consoles)} edits as CONTRIBUTING.md has them')


main()
