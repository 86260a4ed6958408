#!/bin/sh
# SPDX-License-Identifier: MIT
# fuzz.sh: the readers of scenarios and checkpoints under libFuzzer with the address and undefined-behaviour sanitizers.
#
#   tools/fuzz.sh BUILD SECONDS     BUILD: a plain build, for the library; each of the two targets runs for SECONDS
#
# They start from tests/cli/corpus, from scenarios/ and from what earlier runs have found, which is kept in BUILD/fuzz. An
# input that does harm is written to BUILD/fuzz/TARGET-crash-...; once it is mended, the input goes into the corpus.
set -eu
cd "$(dirname "$0")/.."
build=$1 seconds=$2 out=$1/fuzz
flags='-g -O1 -std=c11 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -Iinclude -I.'

# compile TARGET SOURCE...: anew only if a source is younger
compile() {
    target=$out/fuzz_$1
    shift
    if [ ! -e "$target" ] || [ -n "$(find cli tests/cli/fuzz_*.c include "$build/lib/libliestep-core.a" -newer "$target")" ]; then
        # shellcheck disable=SC2086 # flags are words on purpose
        clang $flags "$@" "$build/lib/libliestep-core.a" $libraries -lm -o "$target"
    fi
}

mkdir -p "$out/scenario" "$out/checkpoint"
libraries=$(pkg-config --libs libcyaml yaml-0.1)
compile scenario cli/scenario/scenario*.c cli/base/cli.c cli/base/epoch.c cli/base/expression*.c cli/base/needs.c tests/cli/fuzz_scenario.c
compile checkpoint cli/output/checkpoint.c cli/base/file*.c cli/base/lock.c cli/base/phase.c cli/base/progress.c cli/base/interrupt.c cli/base/cli.c tests/cli/fuzz_checkpoint.c
for target in scenario checkpoint; do
    kept=tests/cli/corpus/$target
    if [ "$target" = scenario ]; then kept="$kept scenarios"; fi
    printf '%-11s ' "$target"
    # shellcheck disable=SC2086 # directories are words on purpose
    if "$out/fuzz_$target" -close_fd_mask=2 -max_len=20000 -timeout=5 -rss_limit_mb=512 -max_total_time="$seconds" \
        -print_final_stats=1 -artifact_prefix="$out/$target-" "$out/$target" $kept >"$out/$target.log" 2>&1
    then
        runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$out/$target.log")
        echo "$runs inputs in $seconds s, all clean"
    else
        echo 'FAILED'
        tail -n 40 "$out/$target.log"
        exit 1
    fi
done
