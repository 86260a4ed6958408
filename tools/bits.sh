#!/bin/sh
# SPDX-License-Identifier: MIT
# bits.sh: compile liestep-core in every way that must not matter and compare a hash of the output of all maps.
#
#   tools/bits.sh DIRECTORY
#
# gcc and clang, -O0 to -O3, for the base instruction set and for this machine's own. Every hash must equal the committed
# reference, tests/bits_reference.txt.
set -eu
LC_ALL=C
export LC_ALL
cd "$(dirname "$0")/.."
work=$1
mkdir -p "$work"
python3 tests/make_map_table.py "$work/map_table.c" include/liestep/*.h

# compile COMPILER_LEVEL_ARCH: flags as in meson.build
compile() {
    compiler=${1%%_*} options=${1#*_}
    case $compiler in
    gcc) options="$options -fno-tree-slp-vectorize" ;;
    clang) options="$options -ffp-exception-behavior=maytrap" ;;
    esac
    # shellcheck disable=SC2046 # words on purpose
    $compiler -std=c11 $(echo "$options" | tr _ ' ') -ffp-contract=off -fno-math-errno -I include -I tests \
        -o "$work/$1" tests/bits_hash.c "$work/map_table.c" groups/*.c lib/status.c -lm
}

judge() {
    hash=$("$work/$1")
    verdict=same
    if [ "$hash" != "$reference" ]; then verdict=DIFFERENT failed=1; fi
    printf '  %-24s %s %s\n' "$(echo "$1" | tr _ ' ')" "$hash" "$verdict"
    "$work/$1" --maps >"$work/$1.maps"
    diff "$work/gcc_-O0.maps" "$work/$1.maps" | sed -n 's/^> [0-9a-f]* /      differs from gcc -O0: /p'
}

rm -f "$work"/gcc_* "$work"/clang_*
reference=$(cat tests/bits_reference.txt)
failed=0
for arch in '' _-march=native; do
    for level in -O0 -O1 -O2 -O3; do
        compile "gcc_$level$arch" &
        compile "clang_$level$arch"
        wait
        judge "gcc_$level$arch"
        judge "clang_$level$arch"
    done
done
if [ $failed = 1 ]; then
    echo "the bits are not those of tests/bits_reference.txt, $reference"
    exit 1
fi
echo "the same bits in every variant"
