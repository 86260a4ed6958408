/* SPDX-License-Identifier: MIT */
/* Prints the hash of bits.h; with the argument --maps one hash per map, to find the one that differs. */
#include <inttypes.h>
#include <stdio.h>

#include "bits.h"

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--maps") == 0)
        for (int k = 0; k < map_count; k++)
            printf("%016" PRIx64 " %s\n", bits_hash_map(&map_table[k], 0xcbf29ce484222325u), map_table[k].name);
    else
        printf("%016" PRIx64 "\n", bits_hash_all());
    return 0;
}
