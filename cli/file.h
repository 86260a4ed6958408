/* SPDX-License-Identifier: MIT */
/* file.h: files that are either whole or not there.
 *
 * A file NAME is written as NAME.part in its folder and renamed at the end, so that a run that fails, or dies, leaves
 * the NAME of an earlier run as it was. Everything happens relative to the open folder, and no symbolic link is
 * followed in it. Every function that can fail prints a sentence with the name of the file and the reason, and answers
 * EXIT_OUTPUT (EXIT_SCENARIO for a name that will not do). */
#ifndef LIESTEP_CLI_FILE_H
#define LIESTEP_CLI_FILE_H

#include "cli.h"

enum { FILE_BUFFER = 1 << 16, FILE_NAME = 256, FILE_COPY = 1 << 14 };

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
    unsigned long long body;  /* where its checksummed part begins; what stands before may be patched */
    unsigned long long crc;   /* of the bytes from body to the end */
} file_position;

typedef struct file {
    const folder *in;
    char name[FILE_NAME];
    char part[FILE_NAME];       /* NAME.part */
    int fd;                     /* -1: closed */
    int committed;              /* the file already has its name */
    int failed;                 /* a write failed: the first time was reported */
    int unchecked;              /* nobody will ask for the checksum: it is not kept */
    file_position at;           /* with what still is in the buffer */
    unsigned long long started; /* up to there the disk was asked to begin */
    size_t used;
    unsigned char buffer[FILE_BUFFER];
} file;

/* Begin NAME.part; one that is left from an earlier run is replaced, unless another process is writing it. */
cli_exit file_create(file *f, const folder *d, const char *name);

/* The same for a file that another program helps to write, and may go on writing after this one was killed: nothing is
 * locked, an earlier NAME.part is removed. */
cli_exit file_create_new(file *f, const folder *d, const char *name);

/* Go on with NAME.part from a known position: its bytes up to there are checked, those beyond are cut off. With `whole`
 * the file was complete there and may have got its name since. EXIT_FAILED: it is not that file (why is printed). */
cli_exit file_resume(file *f, const folder *d, const char *name, const file_position *at, int whole);

cli_exit file_append(file *f, const void *bytes, size_t n);
/* The checksummed part begins here. */
void file_begin_body(file *f);
/* Overwrite n bytes at a place before the body. */
cli_exit file_patch(file *f, unsigned long long at, const void *bytes, size_t n);
/* Bytes [at, at + n) of what was appended before the last flush. */
cli_exit file_read(const file *f, unsigned long long at, void *bytes, size_t n);
cli_exit file_flush(file *f);
/* Flush, and wait until the disk has it. */
cli_exit file_sync(file *f);
/* Sync, close, and give it its name. */
cli_exit file_commit(file *f);
/* Close; NAME.part stays. */
void file_close(file *f);
/* Close and remove NAME.part. */
cli_exit file_discard(file *f);

/* CRC-64 (ECMA-182, reflected, as in xz) of n bytes, continued from `crc`; 0 at the start. */
unsigned long long file_crc(unsigned long long crc, const void *bytes, size_t n);

/* Numbers as 8 bytes each, least significant first, on any machine; unpacked they may lie where they lay packed. */
void file_pack(unsigned char *out, const double *x, size_t n);
void file_unpack(double *x, const unsigned char *in, size_t n);

#endif
