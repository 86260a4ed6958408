#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Check that no file is forgotten: what lies in the tree stands in the one list that builds, installs or runs it.

    check_lists.py VERSION SOURCE_ROOT

Also that the version is the same wherever it is written.
"""
import pathlib
import re
import sys


def lists_of(build_file):
    """The text of the lists that this build file names, and the one above it, from which it may take names."""
    for build in (build_file, build_file.parent.parent / 'meson.build'):
        for name in re.findall(r'[\w/.]+\.(?:def|h)\b', build.read_text() if build.exists() else ''):
            if (build.parent / name).exists():
                yield (build.parent / name).read_text()


def unlisted(folder, pattern, build_file, entry):
    """Files of the folder whose entry, quoted, is not in the build file, nor by its name in a list that it reads."""
    text = build_file.read_text()
    lists = ''.join(lists_of(build_file))
    for path in sorted(folder.glob(pattern)):
        name = re.sub(r'^(test|lanes|system)_', '', path.stem)
        if f"'{entry(path)}'" not in text and not re.search(rf'[(,] ?{name} ?[,)]|\blie_{name}_system\(', lists):
            yield f'{path.parent.name}/{path.name} is not listed in {build_file.parent.name}/{build_file.name}'


def rooms(tree):
    """The folder and all below it that list sources."""
    return sorted(build.parent for build in tree.rglob('meson.build') if 'consumer' not in build.parent.name)


def build_of(folder):
    return folder / 'meson.build'


def header_problems(include):
    """Every header is in one of the two umbrellas, from which include/meson.build knows them."""
    folder = include / 'liestep'
    umbrellas = (folder / 'core.h').read_text() + (folder / 'liestep.h').read_text()
    for path in sorted(folder.glob('*.h')):
        if path.name != 'liestep.h' and f'#include <liestep/{path.name}>' not in umbrellas:
            yield f'{path.name} is in neither liestep/core.h nor liestep/liestep.h'


def version_problems(root, version):
    """version.h, CITATION.cff and CHANGELOG.md agree with meson.build."""
    header = (root / 'include/liestep/version.h').read_text()
    numbers = [re.search(rf'LIE_VERSION_{part} (\d+)', header).group(1) for part in ('MAJOR', 'MINOR', 'PATCH')]
    if '.'.join(numbers) != version or f'LIE_VERSION_STRING "{version}"' not in header:
        yield f'version.h does not say {version}'
    exact = re.escape(version)
    for name, pattern in (('CITATION.cff', rf'(?m)^version: "?{exact}"?$'), ('CHANGELOG.md', rf'(?m)^## .*{exact}')):
        if not re.search(pattern, (root / name).read_text()):
            yield f'{name} does not say {version}'


def main():
    version, root = sys.argv[1], pathlib.Path(sys.argv[2])
    problems = [
        *(problem for tree in ('groups', 'lib', 'cli') for folder in rooms(root / tree)
          for problem in unlisted(folder, '*.c', build_of(folder), lambda p: p.name)),
        *(problem for folder in rooms(root / 'tests')
          for problem in (*unlisted(folder, 'test_*.c', build_of(folder), lambda p: p.stem[len('test_'):]),
                          *unlisted(folder, '[!t]*.c', root / 'tests/meson.build', lambda p: f'{p.parent.name}/{p.name}'))),
        *unlisted(root / 'bench', '*.c*', root / 'bench/meson.build', lambda p: p.name),
        *unlisted(root / 'bench/precision', '*.c', root / 'bench/precision/meson.build', lambda p: p.name),
        *unlisted(root / 'bench/peers', '*.c*', root / 'bench/precision/meson.build', lambda p: p.name),
        *unlisted(root / 'scenarios/bench', '*.yaml', root / 'tools/bench_suite.py', lambda p: p.stem),
        *unlisted(root / 'examples', '*.c', root / 'examples/meson.build', lambda p: p.stem),
        *header_problems(root / 'include'),
        *version_problems(root, version),
    ]
    print('\n'.join(problems))
    sys.exit(1 if problems else 0)


main()
