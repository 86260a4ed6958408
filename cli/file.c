/* SPDX-License-Identifier: MIT */
/* file.c: see file.h. Write to NAME.part, fsync, rename, fsync the folder: after a crash the folder holds the old file
 * or the new one, never a part of one under its name. A lock (flock) on NAME.part keeps two runs from writing the same
 * file; it vanishes with the process. */
#define _GNU_SOURCE

#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

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

static cli_exit file_error(file *f, const char *what)
{
    if (!f->failed) folder_error(f->in, f->fd >= 0 || !f->committed ? f->part : f->name, what);
    f->failed = 1;
    return EXIT_OUTPUT;
}

/* Names, nothing written yet. */
static cli_exit file_prepare(file *f, const folder *d, const char *name)
{
    f->in = d, f->fd = -1, f->committed = 0, f->failed = 0, f->unchecked = 0, f->used = 0;
    f->started = 0;
    f->at = (file_position){0, 0, 0};
    cli_exit code = folder_check_name(d, name);
    if (code != EXIT_FINE) return code;
    snprintf(f->name, sizeof f->name, "%s", name);
    snprintf(f->part, sizeof f->part, "%s.part", name);
    return folder_check_name(d, f->part);
}

/* 1 unless another process holds the lock; file systems without locks count as free. */
static int file_lock(const file *f)
{
    return flock(f->fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

static cli_exit file_busy(file *f)
{
    cli_error("%s/%s is being written by another process: wait for it, or choose another directory", f->in->path,
              f->part);
    f->failed = 1;
    file_close(f);
    return EXIT_OUTPUT;
}

enum { CREATE = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK };

/* NAME.part as another file than the one of that name: who still writes to that one does not disturb. */
static cli_exit file_replace(file *f)
{
    file_close(f);
    if (unlinkat(f->in->fd, f->part, 0) != 0 && errno != ENOENT) return file_error(f, "cannot be replaced");
    f->fd = openat(f->in->fd, f->part, CREATE | O_EXCL, 0666);
    return f->fd >= 0 ? EXIT_FINE : file_error(f, "cannot be created");
}

cli_exit file_create(file *f, const folder *d, const char *name)
{
    struct stat st;
    cli_exit code = file_prepare(f, d, name);
    if (code != EXIT_FINE) return code;
    f->fd = openat(d->fd, f->part, CREATE, 0666);
    if (f->fd < 0) return file_error(f, "cannot be created");
    if (!file_lock(f)) return file_busy(f);
    if (fstat(f->fd, &st) != 0) return file_error(f, "cannot be examined");
    if (st.st_nlink == 1) return ftruncate(f->fd, 0) == 0 ? EXIT_FINE : file_error(f, "cannot be emptied");
    /* the file has a second name: leave it that one */
    code = file_replace(f);
    return code != EXIT_FINE || file_lock(f) ? code : file_busy(f);
}

cli_exit file_create_new(file *f, const folder *d, const char *name)
{
    cli_exit code = file_prepare(f, d, name);
    return code == EXIT_FINE ? file_replace(f) : code;
}

/* Does the open file begin with what the position tells? Answers null or what is wrong. */
static const char *file_verify(const file *f, const file_position *at)
{
    unsigned char bytes[FILE_COPY];
    unsigned long long crc = 0, place = at->body;
    struct stat st;
    if (fstat(f->fd, &st) != 0 || !S_ISREG(st.st_mode)) return "is no regular file";
    if (st.st_size < 0 || (unsigned long long)st.st_size < at->bytes) return "is shorter than the checkpoint says";
    while (place < at->bytes) {
        size_t want = at->bytes - place < FILE_COPY ? (size_t)(at->bytes - place) : FILE_COPY;
        ssize_t got = pread(f->fd, bytes, want, (off_t)place);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return "cannot be read";
        crc = file_crc(crc, bytes, (size_t)got);
        place += (unsigned long long)got;
    }
    return crc == at->crc ? 0 : "is not the file that the checkpoint was written with";
}

static cli_exit file_refuse(file *f, const char *name, const char *why)
{
    cli_error("%s/%s %s", f->in->path, name, why);
    file_close(f);
    return EXIT_FAILED;
}

cli_exit file_resume(file *f, const folder *d, const char *name, const file_position *at, int whole)
{
    cli_exit code = file_prepare(f, d, name);
    if (code != EXIT_FINE) return code;
    f->fd = openat(d->fd, f->part, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (f->fd < 0 && errno == ENOENT && whole) {
        f->fd = openat(d->fd, f->name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
        f->committed = f->fd >= 0;
    }
    if (f->fd < 0) return file_refuse(f, f->part, errno == ENOENT ? "is missing" : strerror(errno));
    if (!f->committed && !file_lock(f)) return file_busy(f);
    const char *wrong = file_verify(f, at);
    if (wrong) return file_refuse(f, f->committed ? f->name : f->part, wrong);
    f->at = *at;
    if (f->committed) return EXIT_FINE;
    if (ftruncate(f->fd, (off_t)at->bytes) != 0)
        return file_error(f, "cannot be cut off where the checkpoint was made");
    return EXIT_FINE;
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

cli_exit file_append(file *f, const void *bytes, size_t n)
{
    const unsigned char *from = (const unsigned char *)bytes;
    if (!f->unchecked) f->at.crc = file_crc(f->at.crc, from, n);
    while (n > 0) {
        size_t room = FILE_BUFFER - f->used, part = n < room ? n : room;
        memcpy(f->buffer + f->used, from, part);
        f->used += part, f->at.bytes += part;
        from += part, n -= part;
        if (f->used == FILE_BUFFER && file_flush(f) != EXIT_FINE) return EXIT_OUTPUT;
    }
    return EXIT_FINE;
}

void file_begin_body(file *f)
{
    f->at.body = f->at.bytes;
    f->at.crc = 0;
}

cli_exit file_patch(file *f, unsigned long long at, const void *bytes, size_t n)
{
    if (file_flush(f) != EXIT_FINE) return EXIT_OUTPUT;
    return write_at(f->fd, (const unsigned char *)bytes, n, at) ? EXIT_FINE : file_error(f, "cannot be written");
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

cli_exit file_commit(file *f)
{
    if (f->committed) {
        file_close(f);
        return EXIT_FINE;
    }
    if (file_sync(f) != EXIT_FINE) return EXIT_OUTPUT;
    int fd = f->fd;
    f->fd = -1;
    if (close(fd) != 0 && errno != EINTR) return file_error(f, "cannot be closed");
    cli_exit code = folder_rename(f->in, f->part, f->name);
    f->committed = code == EXIT_FINE;
    f->failed = code != EXIT_FINE;
    return code;
}

void file_close(file *f)
{
    if (f->fd >= 0) close(f->fd);
    f->fd = -1;
}

cli_exit file_discard(file *f)
{
    file_close(f);
    return folder_remove(f->in, f->part);
}

/* Tables of the CRC of a byte that k more bytes follow; eight bytes are looked up at once. */
static unsigned long long crc_table[8][256];

static void crc_prepare(void)
{
    for (unsigned i = 256; i-- > 0;) {
        unsigned long long c = i;
        for (int k = 0; k < 8; k++) c = c & 1 ? (c >> 1) ^ 0xC96C5795D7870F42u : c >> 1;
        crc_table[0][i] = c;
    }
    for (int k = 1; k < 8; k++)
        for (unsigned i = 256; i-- > 0;)
            crc_table[k][i] = crc_table[0][crc_table[k - 1][i] & 0xFF] ^ (crc_table[k - 1][i] >> 8);
}

unsigned long long file_crc(unsigned long long crc, const void *bytes, size_t n)
{
    const unsigned char *p = (const unsigned char *)bytes;
    if (crc_table[7][1] == 0) crc_prepare();
    crc = ~crc;
    for (; n >= 8; n -= 8, p += 8) {
        unsigned long long next = 0;
        for (int i = 0; i < 8; i++) next ^= crc_table[7 - i][(crc >> 8 * i ^ p[i]) & 0xFF];
        crc = next;
    }
    for (; n > 0; n--, p++) crc = crc_table[0][(crc ^ *p) & 0xFF] ^ (crc >> 8);
    return ~crc;
}

/* Is a number in memory as it is in a file? */
static int is_little_endian(void)
{
    const unsigned one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1;
}

void file_pack(unsigned char *out, const double *x, size_t n)
{
    if (is_little_endian()) {
        memcpy(out, x, 8 * n);
        return;
    }
    for (size_t k = 0; k < n; k++) {
        unsigned long long bits;
        memcpy(&bits, &x[k], sizeof bits);
        for (int i = 0; i < 8; i++) out[8 * k + (size_t)i] = (unsigned char)(bits >> 8 * i);
    }
}

void file_unpack(double *x, const unsigned char *in, size_t n)
{
    if (is_little_endian()) {
        memmove(x, in, 8 * n);
        return;
    }
    for (size_t k = 0; k < n; k++) {
        unsigned long long bits = 0;
        for (int i = 0; i < 8; i++) bits |= (unsigned long long)in[8 * k + (size_t)i] << 8 * i;
        memcpy(&x[k], &bits, sizeof bits);
    }
}
