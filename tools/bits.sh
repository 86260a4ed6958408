#!/bin/sh
# SPDX-License-Identifier: MIT
# bits.sh: the same bits in every way of compiling that must not matter: hashes of all maps, and of the steps of all methods
# on all systems (tests/bits/bits_steps.h), against tests/bits_reference.txt.
#
#   tools/bits.sh DIRECTORY            gcc and clang, -O0 to -O3, base and this machine's instruction set: 16 builds in
#                                      DIRECTORY, a thousand steps each; some of an hour, or all of it the first time
#   tools/bits.sh --short BUILD...     of build directories that are there, with forty steps each
#   tools/bits.sh --update BUILD       write tests/bits/bits_reference.txt with this build, where steps are meant to change
#   tools/bits.sh --update-maps BUILD  the same where maps were added; those that are there never change
#
# What is compiled, and with which flags, only the meson.build files say. Where a hash differs, the methods and systems
# (or maps) are told that differ from the first build.
set -eu
LC_ALL=C OMP_WAIT_POLICY=passive
export LC_ALL OMP_WAIT_POLICY
cd "$(dirname "$0")/.."
reference=tests/bits/bits_reference.txt
program=tests/bits_hash
failed=0

# build DIRECTORY: the program, silently
build() {
    ninja -C "$1" "$program" >"$1/bits.log" 2>&1 || { tail -n 20 "$1/bits.log"; exit 1; }
}

# described DIRECTORY: its compiler and level, and -march
described() {
    command=$(sed -n 's/.*"command": "\(.*lib\/status\.c\)".*/\1/p' "$1/compile_commands.json" | head -n 1)
    for word in $command; do
        case $word in
        cc | *gcc | *clang | -O* | -march=*) printf '%s ' "$word" ;;
        esac
    done
}

# judge DIRECTORY [--short]: after run; `first` is a directory to compare with
judge() {
    cat "$1/bits.complaints"
    [ ! -s "$1/bits.complaints" ] || failed=1
    missing=$(grep -vxFf "$reference" "$1/bits.txt" || true)
    verdict=same
    if [ "$(cat "$1/bits.code")" != 0 ] || [ -n "$missing" ] || [ ! -s "$1/bits.txt" ]; then verdict=DIFFERENT failed=1; fi
    printf '  %-32s %s %s\n' "$(described "$1")" "$(cut -c 1-8 "$1/bits.txt" | tr '\n' ' ')" "$verdict"
    [ -z "$missing" ] || printf '%s\n' "$missing" | sed 's/^/      not in the reference: /'
    if [ $verdict = DIFFERENT ] && [ "$1" != "$first" ]; then
        for each in "$first" "$1"; do "$each/$program" --list --short >"$each/bits.list" 2>/dev/null || true; done
        diff "$first/bits.list" "$1/bits.list" | sed -n "s/^> [0-9a-f]* /      differs from the first: /p" | head -n 40
    fi
}

# run DIRECTORY [--short]: its hashes into DIRECTORY/bits.txt, broken promises into bits.complaints
run() {
    code=0
    "$1/$program" ${2:+"$2"} >"$1/bits.txt" 2>"$1/bits.complaints" || code=$?
    echo $code >"$1/bits.code"
}

# compare SHORT DIRECTORY...: run them at the same time, tell the results one after the other
compare() {
    short=$1
    shift
    for each in "$@"; do build "$each"; done
    for each in "$@"; do run "$each" "$short" & done
    wait
    for each in "$@"; do judge "$each"; done
}

case ${1-} in
--update | --update-maps)
    build "$2"
    "$2/$program" >"$2/bits.txt"
    if [ "$1" = --update ] && ! grep -qxF "$(grep ' maps$' "$reference")" "$2/bits.txt"; then
        echo 'the bits of maps have changed, which they may not; where maps were added: tools/bits.sh --update-maps'
        exit 1
    fi
    cp "$2/bits.txt" "$reference"
    cat "$reference"
    exit 0
    ;;
--short)
    shift
    first=$1
    compare --short "$@"
    ;;
*)
    first=$1/gcc-O0
    mkdir -p "$1"
    for arch in '' -march=native; do
        for level in 0 1 2 3; do
            for compiler in gcc clang; do
                directory=$1/$compiler-O$level$arch
                [ -f "$directory/build.ninja" ] ||
                    CC=$compiler CXX=$(echo $compiler | sed 's/gcc/g++/; s/clang/clang++/') \
                        meson setup --wrap-mode=nodownload -Doptimization=$level -Dc_args="$arch" -Dcli=disabled \
                        -Dpeers=disabled -Dtests=enabled "$directory" >"$1/configure.log" 2>&1 || { tail -n 20 "$1/configure.log"; exit 1; }
            done
            compare '' "$1/gcc-O$level$arch" "$1/clang-O$level$arch"
        done
    done
    ;;
esac
if [ $failed = 1 ]; then
    echo "the bits are not those of $reference; where steps were meant to change: make bits BITS=update"
    exit 1
fi
echo 'the same bits in every variant'
