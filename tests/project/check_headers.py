#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Check that each public header compiles on its own, as C11 and as C++11, without a warning.

    check_headers.py CC CXX|none INCLUDE_DIR liestep/so3.h ...
"""
import subprocess
import sys

FLAGS = ['-Wall', '-Wextra', '-Wpedantic', '-Werror', '-fsyntax-only']


def main():
    cc, cxx, include, *headers = sys.argv[1:]
    dialects = [cc.split() + ['-x', 'c', '-std=c11', '-Wstrict-prototypes']]
    if cxx != 'none':
        dialects.append(cxx.split() + ['-x', 'c++', '-std=c++11'])
    failed = 0
    for header in headers:
        for dialect in dialects:
            run = subprocess.run(dialect + FLAGS + ['-I', include, '-'], text=True, input=f'#include <{header}>\n')
            failed += run.returncode != 0
    print(f'{len(headers)} headers, {len(dialects)} languages, {failed} refused')
    sys.exit(1 if failed or not headers else 0)


main()
