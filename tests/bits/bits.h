/* SPDX-License-Identifier: MIT */
/* bits.h: one number for the outputs of all public maps of liestep-core over fixed inputs. Equal numbers mean equal
 * bits. */
#ifndef LIESTEP_TESTS_BITS_H
#define LIESTEP_TESTS_BITS_H

#include <string.h>

#include "tests/support/map_table.h"

/* FNV-1a (Fowler, Noll, Vo) over the eight bytes of each value, least significant first */
static inline uint64_t bits_add(uint64_t hash, uint64_t value)
{
    for (int i = 0; i < 8; i++) hash = (hash ^ ((value >> (8 * i)) & 0xffu)) * 0x100000001b3u;
    return hash;
}

static inline uint64_t bits_add_double(uint64_t hash, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits_add(hash, value == value ? bits : 0x7ff8000000000000u);
}

/* All maps at sizes from far below round-off to beyond a turn; status and outputs count. */
static inline uint64_t bits_hash_map(const map_case *map, uint64_t hash)
{
    static const double sizes[] = {1e-300, 1e-9, 3e-4, 0.05, 0.4, 0.9, 1.7, 3.1, 7.0, 300.0, 1e9};
    lie_random rng = {7u};
    for (int s = 0; s < (int)(sizeof sizes / sizeof sizes[0]); s++)
        for (int t = 0; t < 8; t++) {
            double in[MAP_IN_MAX], out[MAP_OUT_MAX] = {0.0};
            map_sample(map, in, sizes[s], &rng);
            hash = bits_add(hash, (uint64_t)map->call(out, in));
            for (int i = 0; i < map->out; i++) hash = bits_add_double(hash, out[i]);
        }
    return hash;
}

static inline uint64_t bits_hash_all(void)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (int k = 0; k < map_count; k++) hash = bits_hash_map(&map_table[k], hash);
    return hash;
}

#endif
