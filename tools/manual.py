#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Build the HTML manual from the public headers and the pages in docs/, without a warning and without a dead link.

    manual.py DIRECTORY          the manual begins with DIRECTORY/html/index.html
"""
import html.parser
import os
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.parse

SKIPPED = 77
ROOT = pathlib.Path(__file__).resolve().parent.parent


class Page(html.parser.HTMLParser):
    """The anchors and the links of a page."""

    def __init__(self, path):
        super().__init__()
        self.anchors, self.links = set(), set()
        self.feed(path.read_text(encoding='utf-8'))

    def handle_starttag(self, tag, attrs):
        for key, value in attrs:
            if key in ('id', 'name') and value:
                self.anchors.add(value)
            if (key == 'href' or (key in ('src', 'data') and tag in ('img', 'object'))) and value:
                self.links.add(value)


def dead_links(folder):
    pages = {path.name: Page(path) for path in folder.glob('*.html')}
    for name, page in sorted(pages.items()):
        for link in sorted(page.links):
            target = urllib.parse.urlparse(link)
            if target.scheme:
                continue
            path = urllib.parse.unquote(target.path) or name
            if not (folder / path).exists():
                yield f'{name}: there is no {path}'
            elif target.fragment and path in pages and target.fragment not in pages[path].anchors:
                yield f'{name}: {path} has no #{target.fragment}'


def main():
    out = pathlib.Path(sys.argv[1]).resolve()
    if not shutil.which('doxygen'):
        print('doxygen is not installed')
        sys.exit(SKIPPED)
    out.mkdir(parents=True, exist_ok=True)
    version = re.search(r'LIE_VERSION_STRING "(.*)"', (ROOT / 'include/liestep/version.h').read_text()).group(1)
    run = subprocess.run(['doxygen', 'docs/Doxyfile'], cwd=ROOT, text=True, capture_output=True,
                         env=dict(os.environ, LIESTEP_MANUAL=str(out), LIESTEP_VERSION=version))
    problems = (run.stdout + run.stderr).splitlines() + list(dead_links(out / 'html'))
    if problems or run.returncode != 0:
        sys.exit('\n'.join(problems[:40]) or f'doxygen: exit code {run.returncode}')
    print(f'manual: {out}/html/index.html')


main()
