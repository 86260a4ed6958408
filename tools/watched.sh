#!/bin/sh
# SPDX-License-Identifier: MIT
# watched.sh: run some of the test programs where somebody watches their memory; any error or leak fails.
#
#   tools/watched.sh valgrind|msan BUILD_DIR NAME...
#
# valgrind: of any build. msan: of a build with MemorySanitizer, which stops a program that looks at an unset value.
set -eu
cd "$(dirname "$0")/.."
watcher=$1 build=$2
shift 2
case $watcher in
valgrind) under='valgrind --quiet --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite' ;;
msan) under='' ;;
*)
    echo "watched.sh: unknown watcher '$watcher': expected valgrind or msan" >&2
    exit 2
    ;;
esac
for name in "$@"; do
    printf '  %s %-18s' "$watcher" "$name"
    # shellcheck disable=SC2086 # words on purpose
    if $under "$build/tests/test_$name" >"$build/$watcher.log" 2>&1; then
        echo 'clean'
    else
        echo 'FAILED'
        tail -n 40 "$build/$watcher.log"
        exit 1
    fi
done
