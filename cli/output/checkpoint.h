/* SPDX-License-Identifier: MIT */
/* checkpoint.h: all that a run needs to go on with the same bits, in one file.
 *
 *     magic "LIESTEPC" | version of the format (4 bytes) | length of the file (4) | body | CRC-64 of all before it (8)
 *
 * Numbers are stored least significant byte first, doubles as their 8 bytes. Two generations are kept: NAME and NAME.1,
 * the one before. A file is used only if every byte of it is right and it belongs to this scenario. */
#ifndef LIESTEP_CLI_CHECKPOINT_H
#define LIESTEP_CLI_CHECKPOINT_H

#include "cli/base/lock.h"

enum {
    CHECKPOINT_VERSION = 3,
    CHECKPOINT_MEMORY = 1024,                 /* most doubles of memory that a stepper may have */
    CHECKPOINT_WATCHED = 1 + 2 * LIE_DIM_MAX, /* energy, spatial momentum, Casimirs */
    CHECKPOINT_FILES = 8,                     /* outputs */
    CHECKPOINT_BYTES = 8 * (96 + 2 * LIE_STATE_SIZE + 2 * LIE_STATE_DIM + CHECKPOINT_MEMORY + 3 * CHECKPOINT_WATCHED)
};

/* A value followed from record to record: at the first, at the last, and its largest distance from the first. */
typedef struct watched {
    double first, last, worst;
} watched;

typedef struct checkpoint {
    unsigned long long fingerprint;
    int size, dim;   /* of the group */
    lie_state state; /* that many of its numbers */
    long long records;
    double last_record; /* its time */
    int complete;       /* 1: all is computed, and the outputs have their last byte; 2: what is derived is made, too */
    double seconds;     /* of work so far */
    long long iterations;
    int iterations_max;
    double residual_max;
    long long not_finite; /* records with something that is no finite number; of many trajectories: what has failed */
    int memories;         /* of the stepper */
    double memory[CHECKPOINT_MEMORY];
    int watches;
    watched watch[CHECKPOINT_WATCHED];
    file_position file[CHECKPOINT_FILES]; /* by kind of output; 0 bytes: there is none */
    long long extras;                     /* of many trajectories: where each of them stands */
    double *extra;                        /* on the heap; null: none */
} checkpoint;

/* Bytes that are enough for the file. */
size_t checkpoint_room(const checkpoint *c);
/* Bytes of the file; answers how many. */
size_t checkpoint_encode(unsigned char *out, const checkpoint *c);
/* Of what was read: the numbers on the heap. */
void checkpoint_free(checkpoint *c);

/* Read back n bytes; null, or a sentence on why not, "is torn: ...". *out is touched only if all is well. Any bytes
 * will do: nothing is trusted before it was checked. */
const char *checkpoint_decode(checkpoint *out, const unsigned char *bytes, size_t n);

/* Replace NAME, after renaming the one that is there to NAME.1. The guard of both may be null. */
cli_exit checkpoint_write(const folder *d, const char *name, const checkpoint *c, guard *g);

/* Read NAME (generation 0) or NAME.1 (generation 1). 1: read. 0: there is none. -1: refused, *why is the sentence. A
 * checkpoint with another fingerprint, or other sizes, than `like` is refused, too. */
int checkpoint_read(checkpoint *out, const folder *d, const char *name, int generation, const checkpoint *like,
                    const char **why);

/* Remove both generations, and what an interrupted checkpoint_write left. */
cli_exit checkpoint_remove(const folder *d, const char *name);

#endif
