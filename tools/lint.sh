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

say warnings 'gcc: all; clang: the libraries with all their kernels (of the rest clang-tidy tells its warnings)'
ninja --quiet -k 0 -C "$gcc_build" all bench-programs >"$gcc_build/build.log" || failed=1
ninja --quiet -k 0 -C "$clang_build" lib/libliestep-core.a lib/libliestep.a >"$clang_build/build.log" || failed=1
sed '/^ninja: no work to do/d' "$gcc_build/build.log" "$clang_build/build.log"
[ "${failed-0}" = 0 ]

say neon 'the kernels of two lanes compile for ARM, without fused operations'
if clang --print-targets | grep -q aarch64; then
    neon=$clang_build/neon
    mkdir -p "$neon/gnu"
    : >"$neon/gnu/stubs-32.h" # which the headers of x86-64 ask for on another machine
    for source in $(find lib -name 'lanes_*.c' -o -name pirk_stages.c | sort); do
        kernel=$(basename "$source" .c)
        clang --target=aarch64-linux-gnu --sysroot=/nowhere -isystem "$neon" \
            -isystem "/usr/include/$(gcc -print-multiarch)" -isystem /usr/include -std=c11 -O1 -ffp-contract=off \
            -fno-math-errno -Wall -Wextra -Werror -I include -I . -DLIE_LANES=2 -S -o "$neon/$kernel.s" "$source"
        grep -q 'fmul.*\.2d' "$neon/$kernel.s" || { echo "neon: $source: no vectors"; exit 1; }
        grep -nE 'fmla|fmls|fmadd|fmsub|fnmadd' "$neon/$kernel.s" | head -n 3 | refuse "neon: $source: fused"
    done
else
    echo '              skipped: this clang knows no ARM'
fi

say cppcheck 'undefined behaviour, portability'
# cppcheck takes an array that a function fills for one that it reads; clang-tidy and valgrind look for those.
cppcheck --quiet --std=c11 --language=c --enable=warning,performance,portability --inline-suppr \
    --suppress=uninitvar --suppress=legacyUninitvar --suppress=missingIncludeSystem -I include -I . \
    --error-exitcode=1 -j "$jobs" $(tools/sources.sh groups lib cli examples | grep '\.c$')

say clang-tidy 'static analysis; paths through the code only of what people link'
log=$clang_build/clang-tidy.log
# tidy CHECKS FOLDER...
tidy() {
    checks=$1
    shift
    tools/sources.sh "$@" | grep '\.c$' | grep -v '^tests/project/consumer/' |
        xargs -P "$jobs" -n 1 clang-tidy --quiet --checks="$checks" -p "$clang_build" 2>"$log" ||
        { grep -i error "$log"; exit 1; }
}
tidy '' groups lib cli
tidy '-clang-analyzer-*' examples tests bench
say lint 'clean'
