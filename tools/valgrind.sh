#!/bin/sh
# SPDX-License-Identifier: MIT
# valgrind.sh: run some of the test programs under valgrind; any error or leak fails.
#
#   tools/valgrind.sh BUILD_DIR NAME...
set -eu
cd "$(dirname "$0")/.."
build=$1
shift
for name in "$@"; do
    printf '  valgrind %-16s' "$name"
    if valgrind --quiet --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite \
        "$build/tests/test_$name" >"$build/valgrind.log" 2>&1; then
        echo 'clean'
    else
        echo 'FAILED'
        tail -n 40 "$build/valgrind.log"
        exit 1
    fi
done
