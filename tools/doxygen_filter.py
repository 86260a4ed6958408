#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Make a public header or a page of the documentation one that Doxygen reads.

    doxygen_filter.py HEADER.h | PAGE.md

Headers are written for people who open them in an editor: their comments are taken as they stand, formulas and columns
included. The one at the head becomes that of the file; one at the beginning of a line belongs to what follows, one behind a
declaration to that. Pages are written for a browser of repositories: headlines get the anchors it gives them, links to
headers lead to their pages, and links to other files of the sources become plain text. The README beside the licence is the
first page.
"""
import pathlib
import re
import sys


def quoted(text):
    """The text of a comment, line by line, without the stars."""
    lines = [re.sub(r'^ \*( |$)', '', line) for line in text.strip('\n').split('\n')]
    return '\n'.join(lines).strip()


def header(source):
    def head(found):
        return f'/** @file\n@verbatim\n{quoted(found.group(1))}\n@endverbatim */'

    def before(found):
        return f'{found.group(1)}/** @verbatim\n{quoted(found.group(2))}\n@endverbatim */'

    def behind(found):
        return f'{found.group(1)}/**< @verbatim {quoted(found.group(2))} @endverbatim */'

    source = re.sub(r'\A/\* SPDX.*?\*/\n', '\n', source)
    source = re.sub(r'\A\s*/\*(.*?)\*/', head, source, count=1, flags=re.S)
    source = re.sub(r'(?m)^( *)/\*(?!\*)((?:[^*]|\*(?!/))*)\*/', before, source)
    source = re.sub(r'(?m)^(.*[;,{] *)/\*(?!\*)((?:[^*]|\*(?!/))*)\*/', behind, source)
    return '\n\n'.join(map(shared, source.split('\n\n')))


def shared(paragraph):
    """A comment before several declarations is that of each which has none of its own."""
    found = re.match(r'/\*\* @verbatim\n.*?@endverbatim \*/\n', paragraph, flags=re.S)
    if not found:
        return paragraph
    declarations = [text for text in re.split(r'(?m)^(?=LIE_API)', paragraph[found.end():]) if text]
    comment = found.group(0)
    return ''.join((comment if i == 0 or ('/**' not in text and text.startswith('LIE_API')) else '') + text
                   for i, text in enumerate(declarations))


def page(source, name):
    def anchor(text):
        return name + '-' + re.sub(r'[^\w -]', '', text.lower()).replace(' ', '-')

    def headline(found):
        return f'{found.group(1)} {found.group(2)} {{#{anchor(found.group(2))}}}'

    def link(found):
        text, target = found.groups()
        if target.startswith('#'):
            return f'[{text}](#{name}-{target[1:]})'
        if re.search(r'include/liestep/\w+\.h$', target):
            return f'[{text}](@ref {pathlib.PurePath(target).name})'
        if re.match(r'https?:', target) or target.endswith('.md'):
            return found.group(0)
        return text

    parts = re.split(r'(?ms)(^```.*?^```$)', source)  # programs stay as they are
    for i in range(0, len(parts), 2):
        parts[i] = re.sub(r'(?m)^(##+) (.*)$', headline, parts[i])
        parts[i] = re.sub(r'(?<!!)\[([^\]]*)\]\(([^)\s]*)\)', link, parts[i])
    return ''.join(parts)


def main():
    path = pathlib.Path(sys.argv[1]).resolve()
    source = path.read_text(encoding='utf-8')
    sys.stdout.reconfigure(encoding='utf-8')
    if path.suffix == '.h':
        sys.stdout.write(header(source))
    elif (path.parent / 'LICENSE').exists() and path.stem == 'README':
        sys.stdout.write(page(source, 'readme').replace('\n', ' {#mainpage}\n', 1))
    else:
        sys.stdout.write(page(source, path.parent.name + '-' + path.stem.lower()))


main()
