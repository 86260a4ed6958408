#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Check that .ci/run calls every target of `make help`, so that no promise goes unproved, and no other.

    check_ci.py SOURCE_ROOT

Each in one call of its own that ends the run where it fails: `set -e`, and nothing behind the target that would hide it.
"""
import pathlib
import re
import sys

SKIPPED = 77
NO_PROOF = {'clean', 'format', 'help'}  # they change the sources or remove what was built


def problems(makefile, script):
    targets = set(re.findall(r'^([a-z]+): *## ', makefile, re.M))
    phony = set(re.search(r'^\.PHONY: (.*)$', makefile, re.M).group(1).split())
    calls = re.findall(r'^make ([a-z]+)((?: [A-Z_]+=(?:"[^"]*"|\'[^\']*\'|\S+))*)(?: +#.*)?$', script, re.M)
    called = [name for name, _ in calls]
    lines = len(re.findall(r'^[^#\n]*\bmake\b', script, re.M))
    if targets != phony:
        yield f'make help and .PHONY differ: {" ".join(sorted(targets ^ phony))}'
    for name in sorted(targets - NO_PROOF - set(called)):
        yield f'make {name} is not in .ci/run: give it a short form there'
    for name in sorted(set(called) - targets):
        yield f'.ci/run calls make {name}, which is not in make help'
    if lines != len(calls):
        yield '.ci/run has a call of make that is not `make TARGET NAME=value...` on a line of its own'
    if not re.search(r'^set -e$', script, re.M):
        yield '.ci/run has no `set -e`: a target that fails would go unnoticed'
    for name in re.findall(r' ([A-Z_]+)=', ''.join(words for _, words in calls)):
        if f'$({name})' not in makefile:
            yield f'.ci/run sets {name}, which the Makefile does not read'


def main():
    root = pathlib.Path(sys.argv[1])
    script = root / '.ci/run'
    if not script.exists():
        print('there is no .ci/run')
        sys.exit(SKIPPED)
    found = list(problems((root / 'Makefile').read_text(), script.read_text()))
    print('\n'.join(found))
    sys.exit(1 if found else 0)


main()
