/* SPDX-License-Identifier: MIT */
/* lock.h: files that one run holds for itself, from before it changes anything until it ends.
 *
 * A lock (flock) belongs to the file itself, its inode, not to its name: whoever reaches it by another name or through
 * another folder finds it taken. It is worth something only while the name still leads to that file, which is looked at
 * after locking, and again by whoever relies on it later. It vanishes with the process, however that ends. Between the
 * machines of a network file system it holds as far as that passes locks on (NFS of Linux does, unless it is mounted
 * with local_lock); where there are no locks at all a warning says so. */
#ifndef LIESTEP_CLI_LOCK_H
#define LIESTEP_CLI_LOCK_H

#include "cli/base/file.h"

/* Open NAME, or make it, empty, and lock it: a descriptor for reading and writing, *made: was it made? -1 with errno;
 * EWOULDBLOCK: another process has it. */
int lock_open(const folder *d, const char *name, int *made);
/* Lock NAME if it is there: -1 with errno. */
int lock_existing(const folder *d, const char *name);
/* Lock an open file. 0, or -1 with errno. */
int lock_take(const folder *d, int fd);
/* Does the name lead to the open file? */
int lock_is_in_place(const folder *d, const char *name, int fd);

/* What one run holds of its checkpoint: an empty file NAME.lock as long as it lasts, and both generations. */
typedef struct guard {
    const folder *in; /* null: nothing is held */
    char name[FILE_NAME], lock[FILE_NAME];
    int fd;            /* of the lock; -1: none */
    int made;          /* it was not there, or is of no use any more: it is removed in the end */
    int generation[2]; /* of NAME and NAME.1; -1: none */
} guard;

/* EXIT_OUTPUT: another run has it; nothing was changed then. */
cli_exit guard_take(guard *g, const folder *d, const char *name);
/* Before a checkpoint is written: nobody else has taken it since. A lock that was removed is made anew. */
cli_exit guard_check(guard *g);
/* NAME is a new file now, which is locked, and that before it is NAME.1. */
void guard_move(guard *g, int fd);
/* NAME was removed, NAME.1 stays. */
void guard_drop(guard *g);
/* Is NAME the checkpoint that was written, or read, last? */
int guard_is_in_place(const guard *g);
/* The checkpoint stays as it is. */
void guard_release(guard *g);

#endif
