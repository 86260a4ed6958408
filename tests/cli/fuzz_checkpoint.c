/* SPDX-License-Identifier: MIT */
/* fuzz_checkpoint.c: the reader of checkpoints on arbitrary bytes: they are read without harm. Each input is tried as
 * it is, and with header and checksum made right, so that the numbers behind them are reached. tools/fuzz.sh runs it
 * with libFuzzer, fuzz_files.c without. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output/checkpoint.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What is accepted must survive another round. */
static void try_bytes(const unsigned char *bytes, size_t n)
{
    static checkpoint c, again;
    if (checkpoint_decode(&c, bytes, n)) return;
    unsigned char *out = (unsigned char *)malloc(checkpoint_room(&c));
    if (!out) abort();
    size_t written = checkpoint_encode(out, &c);
    if (written != n || memcmp(out, bytes, n) != 0 || checkpoint_decode(&again, out, written)) abort();
    checkpoint_free(&c);
    checkpoint_free(&again);
    free(out);
}

/* The header, with this length, and the checksum of a valid file. */
static void make_valid(unsigned char *bytes, size_t n)
{
    static const unsigned char head[12] = {'L', 'I', 'E', 'S', 'T', 'E', 'P', 'C', CHECKPOINT_VERSION, 0, 0, 0};
    memcpy(bytes, head, sizeof head);
    for (size_t i = 0; i < 4; i++) bytes[12 + i] = (unsigned char)(n >> 8 * i);
    memset(bytes + 16, 0, 16);
    strncpy((char *)bytes + 16, lie_version(), 15);
    unsigned long long crc = file_crc(0, bytes, n - 8);
    for (size_t i = 0; i < 8; i++) bytes[n - 8 + i] = (unsigned char)(crc >> 8 * i);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    try_bytes(data, size);
    if (size < 40) return 0;
    unsigned char *copy = (unsigned char *)malloc(size);
    if (!copy) return 0;
    memcpy(copy, data, size);
    make_valid(copy, size);
    try_bytes(copy, size);
    free(copy);
    return 0;
}
