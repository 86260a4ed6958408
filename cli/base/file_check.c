/* SPDX-License-Identifier: MIT */
/* file_check.c: is a file what it should be? Before a run goes on with it, and before it gets its name; see file.h.
 *
 * Write to NAME.part, fsync, read it back, rename, fsync the folder: after a crash the folder holds the old file or the
 * new one, never a part of one under its name. Before it is read back its time of writing is set to one that no clock
 * of the file system gives: whoever writes into it later changes that time, and is noticed. */
#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/base/file.h"
#include "cli/base/lock.h"
#include "cli/base/phase.h"

/* Continue a checksum over the bytes [from, to). EXIT_FAILED: they cannot be read; or a signal has come. */
static cli_exit sum_bytes(int fd, unsigned long long from, unsigned long long to, unsigned long long *crc)
{
    unsigned char bytes[FILE_COPY];
    cli_exit code = EXIT_FINE;
    while (from < to && code == EXIT_FINE) {
        size_t want = to - from < FILE_COPY ? (size_t)(to - from) : FILE_COPY;
        ssize_t got = pread(fd, bytes, want, (off_t)from);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return EXIT_FAILED;
        *crc = file_crc(*crc, bytes, (size_t)got);
        from += (unsigned long long)got;
        code = phase_add((double)got);
    }
    return code;
}

static cli_exit sum_file(int fd, const file_position *at, unsigned long long *crc)
{
    *crc = 0;
    cli_exit code = sum_bytes(fd, 0, at->fixed, crc);
    return code == EXIT_FINE ? sum_bytes(fd, at->body, at->bytes, crc) : code;
}

/* Does the open file begin with what the position tells? EXIT_FAILED: *why is what is wrong. */
static cli_exit verify(int fd, const file_position *at, const char **why)
{
    unsigned long long crc;
    struct stat st;
    *why = "is no regular file";
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) return EXIT_FAILED;
    *why = "is missing";
    if (st.st_size == 0) return EXIT_FAILED;
    *why = "is shorter than the checkpoint says";
    if (st.st_size < 0 || (unsigned long long)st.st_size < at->bytes) return EXIT_FAILED;
    *why = "cannot be read";
    cli_exit code = sum_file(fd, at, &crc);
    if (code != EXIT_FINE) return code;
    *why = "is not the file that the checkpoint was written with";
    return crc == at->crc ? EXIT_FINE : EXIT_FAILED;
}

int file_is_kept(const file *f)
{
    const char *why;
    return file_is_in_place(f) && verify(f->fd, &f->at, &why) == EXIT_FINE;
}

/* Has it got its name since? */
static int is_placed(file *f, const file_position *at)
{
    const char *why;
    struct stat st;
    int fd = openat(f->in->fd, f->name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return 0;
    if (fstat(fd, &st) == 0 && (unsigned long long)st.st_size == at->bytes && verify(fd, at, &why) == EXIT_FINE) {
        f->lock = f->fd, f->fd = fd, f->committed = 1;
        return 1;
    }
    close(fd);
    return 0;
}

cli_exit file_check(file *f, const file_position *at, int whole)
{
    const char *why;
    if (f->committed) {
        /* the older generation of a checkpoint is tried */
        close(f->fd);
        f->fd = f->lock, f->lock = -1, f->committed = 0;
    }
    cli_exit code = verify(f->fd, at, &why);
    if (code == EXIT_FAILED && whole && is_placed(f, at)) code = EXIT_FINE;
    if (code == EXIT_FINE) f->at = *at;
    if (code == EXIT_FAILED) cli_error("%s/%s %s", f->in->path, f->part, why);
    return code;
}

cli_exit file_foreign(const folder *d, const char *name)
{
    cli_error("%s/%s is not the file that this run wrote: another program has removed or replaced it, or written into "
              "it",
              d->path, name);
    return EXIT_OUTPUT;
}

/* Some file systems tell what went wrong with a write only when a descriptor is closed. */
static int close_another(int fd)
{
    int other = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    return other >= 0 && (close(other) == 0 || errno == EINTR);
}

static int note_state(file *f)
{
    struct stat st;
    if (fstat(f->fd, &st) != 0) return 0;
    f->sealed.device = (unsigned long long)st.st_dev, f->sealed.number = (unsigned long long)st.st_ino;
    f->sealed.bytes = (unsigned long long)st.st_size;
    f->is_sealed = 1;
    f->sealed.seconds = (long long)st.st_mtim.tv_sec, f->sealed.nanoseconds = st.st_mtim.tv_nsec;
    return 1;
}

/* A time of writing to the nanosecond, which the clock of a file system, with its ticks, does not give again. */
static void mark_time(const file *f)
{
    struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}};
    clock_gettime(CLOCK_REALTIME, &times[1]);
    (void)futimens(f->fd, times);
}

static cli_exit read_back(file *f)
{
    unsigned char patch[FILE_PATCH];
    unsigned long long crc;
    size_t n = (size_t)(f->at.body - f->at.fixed);
    int is_patched = n == 0;
    cli_exit code = f->sealed.bytes == f->at.bytes ? sum_file(f->fd, &f->at, &crc) : EXIT_FAILED;
    if (code == EXIT_FINE && n > 0 && f->patched)
        is_patched = file_read(f, f->at.fixed, patch, n) == EXIT_FINE && memcmp(patch, f->patch, n) == 0;
    if (code == EXIT_FINE && (crc != f->at.crc || !is_patched || !file_is_in_place(f))) code = EXIT_FAILED;
    return code == EXIT_FAILED ? file_foreign(f->in, f->committed ? f->name : f->part) : code;
}

cli_exit file_adopt(file *f)
{
    struct stat st;
    f->at = (file_position){0, 0, 0, 0};
    if (fstat(f->fd, &st) != 0) return file_error(f, "cannot be examined");
    f->at.bytes = (unsigned long long)st.st_size;
    cli_exit code = sum_file(f->fd, &f->at, &f->at.crc);
    return code == EXIT_FAILED ? file_error(f, "cannot be read") : code;
}

cli_exit file_seal(file *f)
{
    if (file_sync(f) != EXIT_FINE) return EXIT_OUTPUT;
    if (!f->committed && !close_another(f->fd)) return file_error(f, "cannot be closed");
    if (!f->committed) mark_time(f);
    return note_state(f) ? read_back(f) : file_error(f, "cannot be examined");
}

/* Is this the file that was sealed, and was nothing written to it since? */
static int is_sealed(const file *f, const struct stat *st)
{
    return f->sealed.device == (unsigned long long)st->st_dev && f->sealed.number == (unsigned long long)st->st_ino &&
           f->sealed.bytes == (unsigned long long)st->st_size && f->sealed.seconds == (long long)st->st_mtim.tv_sec &&
           f->sealed.nanoseconds == st->st_mtim.tv_nsec;
}

/* A file of this run that somebody has written into is no result: it gets its old name back, if that is free. */
static void withdraw(const file *f, const struct stat *st)
{
    if (f->lock >= 0 || f->sealed.device != (unsigned long long)st->st_dev ||
        f->sealed.number != (unsigned long long)st->st_ino)
        return;
    (void)linkat(f->in->fd, f->name, f->in->fd, f->part, 0);
    unlinkat(f->in->fd, f->name, 0);
}

cli_exit file_check_placed(const file *f)
{
    struct stat st;
    int is_there = fstatat(f->in->fd, f->name, &st, AT_SYMLINK_NOFOLLOW) == 0;
    if (is_there && is_sealed(f, &st)) return EXIT_FINE;
    cli_exit code = file_foreign(f->in, f->name);
    if (is_there) withdraw(f, &st);
    return code;
}

cli_exit file_put(file *f)
{
    struct stat st;
    if (f->committed) return EXIT_FINE;
    if (f->is_sealed && (fstat(f->fd, &st) != 0 || !is_sealed(f, &st))) return file_foreign(f->in, f->part);
    if (!file_is_in_place(f)) return file_foreign(f->in, f->part);
    cli_exit code = folder_rename(f->in, f->part, f->name);
    f->committed = code == EXIT_FINE;
    f->failed = code != EXIT_FINE;
    return code;
}

cli_exit file_commit(file *f)
{
    cli_exit code = file_seal(f);
    if (code == EXIT_FINE) code = file_put(f);
    if (code == EXIT_FINE) code = file_check_placed(f);
    if (code == EXIT_FINE) file_close(f);
    return code;
}
