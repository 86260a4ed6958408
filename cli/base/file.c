/* SPDX-License-Identifier: MIT */
/* file.c: see file.h: folders, files that are begun and written. How they get their names is in file_check.c. */
#define _GNU_SOURCE

#include "cli/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/base/lock.h"

cli_exit folder_error(const folder *d, const char *name, const char *what)
{
    const char *hint = errno == ENOSPC || errno == EDQUOT ? "; make room and run again"
                       : errno == EFBIG                   ? "; raise the limit (ulimit -f) or record less often"
                                                          : "";
    cli_error("%s/%s: %s: %s%s", d->path, name, what, strerror(errno), hint);
    return EXIT_OUTPUT;
}

cli_exit folder_open(folder *d, const char *path)
{
    *d = (folder){path, -1};
    d->fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (d->fd >= 0) return EXIT_FINE;
    cli_error("%s: the output directory cannot be opened: %s%s", path, strerror(errno),
              errno == ENOENT ? "; make it first (mkdir), or set output.directory" : "");
    return EXIT_OUTPUT;
}

void folder_close(folder *d)
{
    if (d->fd >= 0) close(d->fd);
    d->fd = -1;
}

cli_exit folder_sync(const folder *d)
{
    /* some file systems have no fsync of folders: EINVAL */
    if (fsync(d->fd) == 0 || errno == EINVAL) return EXIT_FINE;
    return folder_error(d, ".", "cannot be synchronised with the disk");
}

cli_exit folder_check_name(const folder *d, const char *name)
{
    struct stat st;
    size_t n = strlen(name);
    if (n == 0 || strchr(name, '/') || strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
        cli_error("'%s' is no name of an output file: a plain name is expected, without '/'; it is placed in %s", name,
                  d->path);
        return EXIT_SCENARIO;
    }
    if (n + sizeof ".records.part" > FILE_NAME) {
        cli_error("%.40s...: the name of the output file is too long", name);
        return EXIT_SCENARIO;
    }
    if (fstatat(d->fd, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT ? EXIT_FINE : folder_error(d, name, "cannot be examined");
    if (S_ISREG(st.st_mode)) return EXIT_FINE;
    cli_error("%s/%s is a %s: it is not replaced; remove it or choose another name", d->path, name,
              S_ISLNK(st.st_mode)   ? "symbolic link"
              : S_ISDIR(st.st_mode) ? "directory"
                                    : "special file");
    return EXIT_OUTPUT;
}

cli_exit folder_remove(const folder *d, const char *name)
{
    if (unlinkat(d->fd, name, 0) == 0 || errno == ENOENT) return EXIT_FINE;
    return folder_error(d, name, "cannot be removed");
}

cli_exit folder_rename(const folder *d, const char *from, const char *to)
{
    if (renameat(d->fd, from, d->fd, to) == 0) return EXIT_FINE;
    return folder_error(d, to, "cannot be put in place");
}

cli_exit file_error(file *f, const char *what)
{
    if (!f->failed) folder_error(f->in, f->fd >= 0 || !f->committed ? f->part : f->name, what);
    f->failed = 1;
    return EXIT_OUTPUT;
}

/* Names, nothing written yet. */
static cli_exit file_prepare(file *f, const folder *d, const char *name)
{
    f->in = d, f->fd = f->lock = -1;
    f->made = f->begun = f->committed = f->failed = f->patched = f->is_sealed = 0;
    f->used = 0, f->started = 0;
    f->at = (file_position){0, 0, 0, 0};
    cli_exit code = folder_check_name(d, name);
    if (code != EXIT_FINE) return code;
    snprintf(f->name, sizeof f->name, "%s", name);
    snprintf(f->part, sizeof f->part, "%s.part", name);
    return folder_check_name(d, f->part);
}

static cli_exit file_busy(file *f)
{
    cli_error("%s/%s is being written by another process: wait for it, or choose another directory", f->in->path,
              f->part);
    f->failed = 1;
    file_close(f);
    return EXIT_OUTPUT;
}

cli_exit file_claim(file *f, const folder *d, const char *name)
{
    cli_exit code = file_prepare(f, d, name);
    if (code != EXIT_FINE) return code;
    f->fd = lock_open(d, f->part, &f->made);
    if (f->fd >= 0) return EXIT_FINE;
    return errno == EWOULDBLOCK ? file_busy(f) : file_error(f, "cannot be created");
}

/* NAME.part as another file than the one of that name, which has a second name: leave it that one. */
static cli_exit file_replace(file *f)
{
    file_close(f);
    if (unlinkat(f->in->fd, f->part, 0) != 0 && errno != ENOENT) return file_error(f, "cannot be replaced");
    f->fd = lock_open(f->in, f->part, &f->made);
    if (f->fd >= 0) return EXIT_FINE;
    return errno == EWOULDBLOCK ? file_busy(f) : file_error(f, "cannot be created");
}

cli_exit file_begin(file *f)
{
    struct stat st;
    if (!file_is_in_place(f)) return file_foreign(f->in, f->part);
    if (fstat(f->fd, &st) != 0) return file_error(f, "cannot be examined");
    if (st.st_nlink > 1 && file_replace(f) != EXIT_FINE) return EXIT_OUTPUT;
    f->made = 0, f->begun = 1;
    return ftruncate(f->fd, 0) == 0 ? EXIT_FINE : file_error(f, "cannot be emptied");
}

cli_exit file_create(file *f, const folder *d, const char *name)
{
    cli_exit code = file_claim(f, d, name);
    return code == EXIT_FINE ? file_begin(f) : code;
}

cli_exit file_go_on(file *f)
{
    if (f->committed) return EXIT_FINE;
    if (ftruncate(f->fd, (off_t)f->at.bytes) == 0) return EXIT_FINE;
    return file_error(f, "cannot be cut off where the checkpoint was made");
}

/* All n bytes at a place. */
static int write_at(int fd, const unsigned char *bytes, size_t n, unsigned long long at)
{
    while (n > 0) {
        ssize_t done = pwrite(fd, bytes, n, (off_t)at);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return 0;
        bytes += done, n -= (size_t)done, at += (unsigned long long)done;
    }
    return 1;
}

/* The disk begins with what it was given, some megabytes at a time, so that there is little left to wait for at the
 * end. */
static void start_disk(file *f)
{
#ifdef SYNC_FILE_RANGE_WRITE
    enum { SOME = 1 << 22 };
    if (f->at.bytes < f->started + SOME) return;
    sync_file_range(f->fd, (off_t)f->started, (off_t)(f->at.bytes - f->started), SYNC_FILE_RANGE_WRITE);
    f->started = f->at.bytes;
#else
    (void)f;
#endif
}

cli_exit file_flush(file *f)
{
    if (f->failed) return EXIT_OUTPUT;
    if (!write_at(f->fd, f->buffer, f->used, f->at.bytes - f->used)) return file_error(f, "cannot be written");
    f->used = 0;
    start_disk(f);
    return EXIT_FINE;
}

/* Bytes into the buffer. */
static cli_exit put_bytes(file *f, const unsigned char *from, size_t n)
{
    while (n > 0) {
        size_t room = FILE_BUFFER - f->used, part = n < room ? n : room;
        memcpy(f->buffer + f->used, from, part);
        f->used += part, f->at.bytes += part;
        from += part, n -= part;
        if (f->used == FILE_BUFFER && file_flush(f) != EXIT_FINE) return EXIT_OUTPUT;
    }
    return EXIT_FINE;
}

cli_exit file_append(file *f, const void *bytes, size_t n)
{
    f->at.crc = file_crc(f->at.crc, bytes, n);
    return put_bytes(f, (const unsigned char *)bytes, n);
}

cli_exit file_append_open(file *f, const void *bytes, size_t n)
{
    f->at.fixed = f->at.bytes;
    f->at.body = f->at.bytes + n;
    memcpy(f->patch, bytes, n);
    f->patched = 1;
    return put_bytes(f, (const unsigned char *)bytes, n);
}

/* Does a file that has its name hold these bytes? */
static cli_exit compare_patch(file *f)
{
    unsigned char there[FILE_PATCH];
    size_t n = (size_t)(f->at.body - f->at.fixed);
    cli_exit code = file_read(f, f->at.fixed, there, n);
    if (code != EXIT_FINE || memcmp(there, f->patch, n) == 0) return code;
    return file_foreign(f->in, f->name);
}

cli_exit file_patch(file *f, const void *bytes, size_t n)
{
    if (n != f->at.body - f->at.fixed) {
        cli_error("%s/%s has another head than this run would give it", f->in->path, f->part);
        return EXIT_FAILED;
    }
    memcpy(f->patch, bytes, n);
    f->patched = 1;
    if (f->committed) return compare_patch(f);
    if (file_flush(f) != EXIT_FINE) return EXIT_OUTPUT;
    return write_at(f->fd, f->patch, n, f->at.fixed) ? EXIT_FINE : file_error(f, "cannot be written");
}

cli_exit file_read(const file *f, unsigned long long at, void *bytes, size_t n)
{
    unsigned char *to = (unsigned char *)bytes;
    while (n > 0) {
        ssize_t got = pread(f->fd, to, n, (off_t)at);
        if (got < 0 && errno == EINTR) continue;
        if (got == 0) errno = EIO;
        if (got <= 0) return folder_error(f->in, f->committed ? f->name : f->part, "cannot be read");
        to += got, n -= (size_t)got, at += (unsigned long long)got;
    }
    return EXIT_FINE;
}

cli_exit file_sync(file *f)
{
    if (f->committed) return EXIT_FINE;
    if (file_flush(f) != EXIT_FINE) return EXIT_OUTPUT;
    return fsync(f->fd) == 0 ? EXIT_FINE : file_error(f, "cannot be synchronised with the disk");
}

int file_is_in_place(const file *f)
{
    return f->fd >= 0 && lock_is_in_place(f->in, f->committed ? f->name : f->part, f->fd);
}

static int is_empty(int fd)
{
    struct stat st;
    return fstat(fd, &st) == 0 && st.st_size == 0;
}

void file_close(file *f)
{
    if (f->fd >= 0) close(f->fd);
    if (f->lock >= 0) {
        if (is_empty(f->lock) && lock_is_in_place(f->in, f->part, f->lock)) unlinkat(f->in->fd, f->part, 0);
        close(f->lock);
    }
    f->fd = f->lock = -1;
}

void file_release(file *f)
{
    if (f->fd >= 0 && f->made && !f->committed && lock_is_in_place(f->in, f->part, f->fd))
        unlinkat(f->in->fd, f->part, 0);
    file_close(f);
}

cli_exit file_discard(file *f)
{
    cli_exit code = EXIT_FINE;
    if (!f->committed && file_is_in_place(f)) code = folder_remove(f->in, f->part);
    file_close(f);
    return code;
}
