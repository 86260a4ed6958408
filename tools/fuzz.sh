#!/bin/sh
# SPDX-License-Identifier: MIT
# fuzz.sh: the readers of scenarios and checkpoints under libFuzzer with the address and undefined-behaviour sanitizers.
#
#   tools/fuzz.sh BUILD SECONDS     BUILD: a plain build, for the library; each target runs for SECONDS
set -eu
cd "$(dirname "$0")/.."
build=$1 seconds=$2
flags='-g -O1 -std=c11 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -Iinclude -Icli'
mkdir -p "$build/fuzz/scenario" "$build/fuzz/checkpoint"
# shellcheck disable=SC2086 # flags are words on purpose
{
    clang $flags cli/scenario*.c cli/cli.c tests/fuzz_scenario.c "$build/lib/libliestep-core.a" -lcyaml -lyaml -lm \
        -o "$build/fuzz/fuzz_scenario"
    clang $flags cli/checkpoint.c cli/file.c cli/cli.c tests/fuzz_checkpoint.c "$build/lib/libliestep-core.a" -lm \
        -o "$build/fuzz/fuzz_checkpoint"
}
for target in scenario checkpoint; do
    "$build/fuzz/fuzz_$target" -close_fd_mask=2 -max_len=20000 -max_total_time="$seconds" -print_final_stats=1 \
        "$build/fuzz/$target" "tests/corpus/$target" 2>&1 | tail -n 12
done
