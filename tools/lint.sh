#!/bin/sh
# SPDX-License-Identifier: MIT
# lint.sh: every check of the source text, cheapest first; stops at the first kind that finds something.
#
#   tools/lint.sh BUILD_GCC BUILD_CLANG     two directories configured with -Dwerror=true
# shellcheck disable=SC2046,SC2086 # lists of files are words on purpose
set -eu
cd "$(dirname "$0")/.."
gcc_build=$1 clang_build=$2
jobs=$(nproc 2>/dev/null || echo 2)
sources=$(tools/sources.sh)

say() { printf '%-13s %s\n' "$1" "$2"; }
# refuse MESSAGE: fail if standard input has a line
refuse() {
    found=$(cat)
    [ -z "$found" ] || { printf '%s\n' "$found" "$1"; exit 1; }
}

say text 'SPDX line, ASCII, no tab, no space at line ends, at most 120 columns'
{
    for file in $sources; do
        head -n 1 "$file" | grep -q 'SPDX-License-Identifier: MIT' || echo "$file: the first line is not the SPDX line"
    done
    LC_ALL=C grep -nE "$(printf '\t')| \$|.{121}|[^ -~]" $sources || true
} | cut -c 1-160 | refuse 'text: mend the lines above'

say clang-format 'formatting (make format mends it)'
clang-format --dry-run -Werror $sources

say warnings 'gcc and clang, warnings as errors'
failed=0
for build in "$gcc_build" "$clang_build"; do
    ninja --quiet -k 0 -C "$build" all bench-programs >"$build/build.log" || failed=1
    sed '/^ninja: no work to do/d' "$build/build.log"
done
[ $failed = 0 ]

say cppcheck 'undefined behaviour, portability'
# cppcheck takes an array that a function fills for one that it reads; clang-tidy and valgrind look for those.
cppcheck --quiet --std=c11 --language=c --enable=warning,performance,portability --inline-suppr \
    --suppress=uninitvar --suppress=legacyUninitvar --suppress=missingIncludeSystem -I include -I groups -I cli \
    --error-exitcode=1 -j "$jobs" $(tools/sources.sh groups lib cli tests examples bench | grep '\.c$')

say clang-tidy 'static analysis'
log=$clang_build/clang-tidy.log
tools/sources.sh groups lib cli examples tests bench | grep '\.c$' | grep -v '^tests/consumer/' |
    xargs -P "$jobs" -n 1 clang-tidy --quiet -p "$clang_build" 2>"$log" || { grep -i error "$log"; exit 1; }
say lint 'clean'
