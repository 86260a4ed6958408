#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Check that every include points the way the architecture does.

    check_rooms.py SOURCE_ROOT

A room is a folder with sources and a meson.build. The head of that file says what the room knows, and:

    # May include: groups/num lib/methods     other rooms whose private headers it may include, or "nothing else."
    # Public: stepper.h tableau.h             the headers of include/liestep/ that it implements
    # Folders: bench/peers                    folders without a meson.build whose sources it lists, too

A source may include a header of its own room, of a room named there, and the public headers of these rooms and of
those they may include in turn. A public header may include those its own room may. Rooms that stand in front (cli,
tests, bench, examples) may include every public header; sources there that are in no room, nothing else of the tree.
What is in <> is no private header. A head may name rooms of trees below its own alone: cli, lib, groups, in this
order; and no two rooms of these may include each other. The table in docs/ARCHITECTURE.md has a row for each of
these, and for no other.
"""
import pathlib
import re
import sys

TREES = ['groups', 'lib', 'cli', 'tests', 'bench', 'examples']
SOURCES = ('.c', '.h', '.cpp')
BELOW = {'groups': ('groups',), 'lib': ('groups', 'lib'), 'cli': ('cli', 'bench'), 'bench': ('bench', 'tests'),
         'examples': ()}
FRONTS = ('cli', 'tests', 'bench', 'examples')
INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]', re.M)


class Room:
    """What the head of a meson.build says."""

    def __init__(self, root, folder):
        self.name = folder.relative_to(root).as_posix()
        head = []
        for line in (folder / 'meson.build').read_text().splitlines():
            if not line.startswith('#'):
                break
            head.append(line[1:].strip())
        self.says = {}
        key = None
        for line in head:  # a line that starts with "Word: " begins an entry, others go on with it
            start = re.match(r'(Knows|May include|Public|Folders): *(.*)', line)
            if start:
                key = start.group(1)
            if key:
                self.says[key] = self.says.get(key, '') + ' ' + (start.group(2) if start else line)
        self.may = self.words('May include')
        self.public = self.words('Public')
        self.folders = [folder, *(root / name for name in self.words('Folders'))]
        self.files = sorted(p for place in self.folders for p in place.iterdir() if p.suffix in SOURCES)

    def words(self, key):
        """The names in an entry; none for a sentence such as "nothing else."."""
        text = self.says.get(key, '')
        names = text.split('. ')[0]
        names = names.split(', and those')[0]
        return [] if 'nothing' in names else [w.strip('.,') for w in names.split()]


def rooms_of(root):
    """All rooms below the trees."""
    for tree in TREES:
        for build in sorted((root / tree).rglob('meson.build')):
            room = Room(root, build.parent)
            if room.files:
                yield room


def head_problems(rooms):
    """A head that says nothing, or names what is not there; circles."""
    for room in rooms.values():
        if not room.name.startswith(FRONTS):
            for key in ('Knows', 'May include', 'Public'):
                if key not in room.says:
                    yield f'{room.name}/meson.build: its head has no line "# {key}: ..."'
        for other in room.may:
            tree = room.name.split('/')[0]
            if other not in rooms:
                yield f'{room.name}/meson.build: there is no room {other}'
            elif not other.startswith(BELOW.get(tree, '')):
                yield f'{room.name}/meson.build: {tree} does not build on {other}'
            elif room.name in reachable(rooms, other) and not room.name.startswith(('tests', 'bench')):
                yield f'{room.name} and {other} may include each other'


def reachable(rooms, name):
    """The rooms that a room may include, and those that they may."""
    found, todo = set(), [name]
    while todo:
        room = rooms.get(todo.pop())
        new = [other for other in (room.may if room else []) if other not in found]
        found.update(new)
        todo += new
    return found


def include_problems(rooms, root):
    """Includes that the head does not allow."""
    owner = {header: room.name for room in rooms.values() for header in room.public}
    for name in re.findall(r'(?m)^GROUP\((\w+)', (root / 'groups/groups.def').read_text()):
        if owner.setdefault(f'{name}.h', 'groups') == 'groups':
            rooms['groups'].public.append(f'{name}.h')
    for header in sorted((root / 'include/liestep').glob('*.h')):
        if header.name not in owner and header.name not in ('liestep.h', 'core.h'):
            yield f'include/liestep/{header.name}: no room says that it is its "Public:"'
    for room in rooms.values():
        below = {room.name, *reachable(rooms, room.name)}
        if room.name.startswith(FRONTS):
            below.update(rooms)
        private = {place.relative_to(root).as_posix() for place in room.folders} | set(room.may)
        for path in room.files:
            yield from file_problems(path, path.relative_to(root), private, below, owner, root)
        for header in room.public:
            if header in ('liestep.h', 'core.h'):
                continue
            path = root / 'include/liestep' / header
            if not path.exists():
                yield f'{room.name}/meson.build: there is no {path.relative_to(root)}'
                continue
            yield from file_problems(path, path.relative_to(root), set(), below, owner, root)


def stray_problems(rooms, root):
    """Of sources in no room: an error, but where only what is installed is tried."""
    known = {path for room in rooms.values() for path in room.files}
    for tree in TREES:
        for path in sorted((root / tree).rglob('*')):
            if path.suffix in SOURCES and path not in known:
                if tree not in FRONTS:
                    yield f'{path.relative_to(root)}: its folder has no meson.build that says what it may include'
                yield from file_problems(path, path.relative_to(root), set(), set(rooms), {}, root)


def file_problems(path, name, private, public, owner, root, text=None):
    """Of one source, or of what it would be with another text."""
    for quote, target in INCLUDE.findall(text or path.read_text(encoding='utf-8')):
        beside = (path.parent / target).resolve()
        if quote == '<' and (root / target).exists():
            yield f'{name} includes <{target}>, which is not public: write it with quotes'
        elif quote == '"' and name.parts[0] == 'bench' and beside.exists():
            target = beside.relative_to(root.resolve()).as_posix()
        if quote == '<' and target.startswith('liestep/'):
            where = owner.get(target.split('/')[1])
            if where and where not in public:
                yield f'{name} includes <{target}>, which belongs to {where}'
        elif quote == '"' and target != 'unity.h':
            where = pathlib.PurePosixPath(target).parent.as_posix()
            if not (root / target).exists():
                yield f'{name} includes "{target}": write the place in the tree, as in "groups/num/vec3.h"'
            elif where not in private:
                yield f'{name} includes "{target}": {where} is not among what its room may include'


def table_problems(rooms, root):
    """Rooms that docs/ARCHITECTURE.md forgets, or that are no more."""
    rows = re.findall(r'^\| `([^`]+)` \|', (root / 'docs/ARCHITECTURE.md').read_text(encoding='utf-8'), re.M)
    there = [name for name in rooms if not name.startswith(('tests', 'bench', 'examples'))]
    for name in sorted(set(rows) ^ set(there)):
        yield f'docs/ARCHITECTURE.md: {"no row for" if name in there else "a row for what is no room:"} {name}'


def missed(rooms, root):
    """Wrong includes that would not be found: in every room one of each room that it may not include is tried."""
    for room in rooms.values():
        private = {place.relative_to(root).as_posix() for place in room.folders} | set(room.may)
        for other in rooms.values():
            header = next((path for path in other.files if path.suffix == '.h'), None)
            if not room.files or not header or header.parent.relative_to(root).as_posix() in private:
                continue
            text = f'#include "{header.relative_to(root).as_posix()}"\n'
            path = room.files[0]
            if not list(file_problems(path, path.relative_to(root), private, set(rooms), {}, root, text)):
                yield f'{room.name}: an include of {header.relative_to(root)} would not be found'


def main():
    root = pathlib.Path(sys.argv[1])
    rooms = {room.name: room for room in rooms_of(root)}
    problems = [*head_problems(rooms), *include_problems(rooms, root), *stray_problems(rooms, root),
                *table_problems(rooms, root), *missed(rooms, root)]
    print('\n'.join(problems) if problems else f'{len(rooms)} rooms, every include points the right way')
    sys.exit(1 if problems else 0)


main()
