#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Check what the libraries need and what they offer, as their symbol tables say it.

    check_symbols.py libliestep-core.a libliestep-core.so [libliestep.a libliestep.so]

liestep-core needs arithmetic and memory copies, nothing else: no heap, no stdio, no abort, no signal, no libm function
whose bits vary. It has no writable data, so it keeps no global. Every name visible outside a library starts with lie_.
"""
import re
import subprocess
import sys

ALLOWED = {
    'sqrt', 'fmod', 'floor', 'fabs', 'ldexp', 'frexp', 'copysign',  # exact, or rounded correctly by IEEE 754
    'memcpy', 'memmove', 'memset', 'memcmp', 'strcmp',  # what a compiler may call on its own, and names
    '__cpu_model', '__cpu_indicator_init',  # of the compiler's own library on x86: which vectors the processor has
    '_GLOBAL_OFFSET_TABLE_', '__stack_chk_fail',  # position-independent code, hardened builds
}
ALLOWED_LIBRARIES = {'libc.so.6', 'libm.so.6'}


def lines(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()


def symbols(*options):
    return {line.split()[-1].split('@')[0] for line in lines('nm', *options) if len(line.split()) > 1}


def core_problems(archive, shared):
    own = symbols('-g', '--defined-only', archive)
    for name in sorted(symbols('-u', archive) - own - ALLOWED):
        yield f'{archive} needs {name}'
    for line in lines('size', '-A', archive):
        section = line.split()
        if len(section) == 3 and re.match(r'\.(data|bss|tdata|tbss)$', section[0]) and section[1] != '0':
            yield f'{archive} has {section[1]} bytes of writable data in {section[0]}'
    for line in lines('readelf', '-d', shared):
        needed = re.search(r'\(NEEDED\).*\[(.*)\]', line)
        if needed and needed.group(1) not in ALLOWED_LIBRARIES:
            yield f'{shared} links {needed.group(1)}'


def prefix_problems(archive, shared):
    for name in sorted(symbols('-g', '--defined-only', archive)):
        if not name.startswith('lie_'):
            yield f'{archive} defines {name}, without the prefix lie_'
    exported = symbols('-D', '--defined-only', shared)
    for name in sorted(exported):
        if not name.startswith('lie_'):
            yield f'{shared} exports {name}, without the prefix lie_'
        if name.startswith('lie__'):
            yield f'{shared} exports {name}, which is internal (lie__)'
    if 'lie_version' not in exported:
        yield f'{shared} does not export lie_version'


def main():
    libraries = sys.argv[1:]
    problems = list(core_problems(*libraries[:2]))
    for i in range(0, len(libraries), 2):
        problems += prefix_problems(*libraries[i:i + 2])
    print('\n'.join(problems))
    sys.exit(1 if problems else 0)


main()
