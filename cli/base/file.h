/* SPDX-License-Identifier: MIT */
/* file.h: files that are either whole or not there.
 *
 * A file NAME is written as NAME.part in its folder and renamed at the end, so that a run that fails, or dies, leaves
 * the NAME of an earlier run as it was. Everything happens relative to the open folder, and no symbolic link is
 * followed in it. NAME.part is locked (lock.h) before anything is changed, and read back before it gets its name.
 * Every function that can fail prints a sentence with the name of the file and the reason, and answers
 * EXIT_OUTPUT (EXIT_SCENARIO for a name that will not do). */
#ifndef LIESTEP_CLI_FILE_H
#define LIESTEP_CLI_FILE_H

#include "cli/base/cli.h"

enum { FILE_BUFFER = 1 << 16, FILE_NAME = 256, FILE_COPY = 1 << 16, FILE_PATCH = 2048 };

typedef struct folder {
    const char *path;
    int fd;
} folder;

/* Open a folder that exists. */
cli_exit folder_open(folder *d, const char *path);
void folder_close(folder *d);
/* Make renames last. */
cli_exit folder_sync(const folder *d);
/* What is wrong with NAME in this folder: no plain name, or taken by something that is no regular file. */
cli_exit folder_check_name(const folder *d, const char *name);
/* Remove a file; fine if there is none. */
cli_exit folder_remove(const folder *d, const char *name);
cli_exit folder_rename(const folder *d, const char *from, const char *to);
/* The sentence for what errno says about a file of the folder. */
cli_exit folder_error(const folder *d, const char *name, const char *what);

/* Where a file stands: what a checkpoint keeps of it. */
typedef struct file_position {
    unsigned long long bytes; /* its length */
    unsigned long long fixed; /* [fixed, body) is written again at the end (file_patch); */
    unsigned long long body;  /* the checksum is that of all other bytes */
    unsigned long long crc;
} file_position;

typedef struct file {
    const folder *in;
    char name[FILE_NAME];
    char part[FILE_NAME];       /* NAME.part */
    int fd;                     /* -1: closed */
    int lock;                   /* NAME.part, locked, while `fd` is NAME, which was complete before; else -1 */
    int made;                   /* NAME.part is empty, and was not there before */
    int begun;                  /* it was emptied for this run */
    int committed;              /* the file already has its name */
    int failed;                 /* a write failed: the first time was reported */
    int patched;                /* `patch` is what [fixed, body) holds */
    file_position at;           /* with what still is in the buffer */
    unsigned long long started; /* up to there the disk was asked to begin */
    size_t used;
    unsigned char buffer[FILE_BUFFER];
    unsigned char patch[FILE_PATCH];
    int is_sealed;
    struct {
        unsigned long long device, number, bytes;
        long long seconds, nanoseconds; /* when it was last written to */
    } sealed;
} file;

/* Open NAME.part, made empty if it is not there, and lock it; nothing is changed in it. EXIT_OUTPUT: another process is
 * writing it. */
cli_exit file_claim(file *f, const folder *d, const char *name);
/* Begin a file that was claimed: it is emptied. */
cli_exit file_begin(file *f);
/* Both. */
cli_exit file_create(file *f, const folder *d, const char *name);

/* Is the file that was claimed the one of a known position? Bytes behind it do not count. With `whole` it was complete
 * there and may have got its name since. Nothing is changed. EXIT_FAILED: it is not that file (why is printed). */
cli_exit file_check(file *f, const file_position *at, int whole);
/* Go on from there: bytes behind it are cut off. */
cli_exit file_go_on(file *f);
/* Close a file that was claimed; an empty one that was not there before is removed. */
void file_release(file *f);

cli_exit file_append(file *f, const void *bytes, size_t n);
/* Append bytes, once at most and FILE_PATCH at most, that are not known yet: file_patch gives them. */
cli_exit file_append_open(file *f, const void *bytes, size_t n);
/* What they are, and as many. A file that has its name already must have them. */
cli_exit file_patch(file *f, const void *bytes, size_t n);
/* Bytes [at, at + n) of what was appended before the last flush. */
cli_exit file_read(const file *f, unsigned long long at, void *bytes, size_t n);
cli_exit file_flush(file *f);
/* Flush, and wait until the disk has it. */
cli_exit file_sync(file *f);
/* Written by another library through f->fd: its position is what it holds now. */
cli_exit file_adopt(file *f);
/* Sync, and read back: is NAME.part the file that was written, of that length, with these bytes? */
cli_exit file_seal(file *f);
/* Give a sealed file its name. */
cli_exit file_put(file *f);
/* Is NAME the file that was sealed, and was nothing written to it since? If something was, it is NAME.part again. */
cli_exit file_check_placed(const file *f);
/* file_seal, file_put, file_check_placed, close. */
cli_exit file_commit(file *f);
/* Is it still where it was, as NAME.part or NAME? And does it hold what was written? */
int file_is_in_place(const file *f);
int file_is_kept(const file *f);
/* "X is not the file that this run wrote: ..." */
cli_exit file_foreign(const folder *d, const char *name);
/* The sentence for what errno says about it, the first time. */
cli_exit file_error(file *f, const char *what);
/* Close; NAME.part stays. */
void file_close(file *f);
/* Close and remove NAME.part, if it is this file. */
cli_exit file_discard(file *f);

/* CRC-64 (ECMA-182, reflected, as in xz) of n bytes, continued from `crc`; 0 at the start. */
unsigned long long file_crc(unsigned long long crc, const void *bytes, size_t n);

/* Numbers as 8 bytes each, least significant first, on any machine; unpacked they may lie where they lay packed. */
void file_pack(unsigned char *out, const double *x, size_t n);
void file_unpack(double *x, const unsigned char *in, size_t n);

#endif
