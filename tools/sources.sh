#!/bin/sh
# SPDX-License-Identifier: MIT
# sources.sh: the names of all C and C++ files of the project, or of those of the given folders.
cd "$(dirname "$0")/.." || exit
[ $# -gt 0 ] || set -- include groups lib cli tests examples bench
find "$@" -name '*.[ch]' -o -name '*.cpp' | sort
