/* SPDX-License-Identifier: MIT */
/* lock.c: see lock.h. */
#define _GNU_SOURCE

#include "cli/base/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* How often a file may be exchanged while it is being locked. */
enum { TRIES = 100 };
enum { OPEN = O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK };

int lock_is_in_place(const folder *d, const char *name, int fd)
{
    struct stat ours, there;
    return fstat(fd, &ours) == 0 && fstatat(d->fd, name, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
           ours.st_dev == there.st_dev && ours.st_ino == there.st_ino;
}

static void warn_once(const folder *d)
{
    static int warned;
    if (!warned) cli_warning("%s: this file system has no locks: do not start two runs on the same files", d->path);
    warned = 1;
}

int lock_take(const folder *d, int fd)
{
    if (flock(fd, LOCK_EX | LOCK_NB) == 0) return 0;
    if (errno == EWOULDBLOCK || errno == EINTR) return -1;
    warn_once(d);
    return 0;
}

static int close_with(int fd, int error)
{
    if (fd >= 0) close(fd);
    errno = error;
    return -1;
}

/* A file that was opened: locked, and still the one of that name. -2: it is another one now. */
static int lock_opened(const folder *d, const char *name, int fd)
{
    struct stat st;
    if (fstat(fd, &st) != 0) return close_with(fd, errno);
    if (!S_ISREG(st.st_mode)) return close_with(fd, EINVAL);
    if (lock_take(d, fd) != 0) return close_with(fd, errno);
    if (lock_is_in_place(d, name, fd)) return fd;
    close(fd);
    return -2;
}

int lock_existing(const folder *d, const char *name)
{
    for (int i = 0; i < TRIES; i++) {
        int fd = openat(d->fd, name, OPEN);
        if (fd < 0) return -1;
        fd = lock_opened(d, name, fd);
        if (fd != -2) return fd;
    }
    return close_with(-1, EWOULDBLOCK);
}

int lock_open(const folder *d, const char *name, int *made)
{
    for (int i = 0; i < TRIES; i++) {
        *made = 0;
        int fd = lock_existing(d, name);
        if (fd >= 0 || errno != ENOENT) return fd;
        fd = openat(d->fd, name, OPEN | O_CREAT | O_EXCL, 0666);
        if (fd < 0 && errno == EEXIST) continue;
        if (fd < 0) return -1;
        *made = 1;
        fd = lock_opened(d, name, fd);
        if (fd != -2) return fd;
    }
    return close_with(-1, EWOULDBLOCK);
}

static cli_exit busy(const guard *g, const char *name)
{
    if (errno != EWOULDBLOCK) return folder_error(g->in, name, "cannot be locked");
    cli_error("%s/%s belongs to another run that is going on: wait for it, or give this one a checkpoint.file of its "
              "own",
              g->in->path, g->name);
    return EXIT_OUTPUT;
}

static void close_all(guard *g)
{
    if (g->fd >= 0) close(g->fd);
    for (int i = 0; i < 2; i++)
        if (g->generation[i] >= 0) close(g->generation[i]);
    g->fd = g->generation[0] = g->generation[1] = -1;
}

cli_exit guard_take(guard *g, const folder *d, const char *name)
{
    char older[FILE_NAME];
    const char *const names[2] = {g->name, older};
    *g = (guard){.in = d, .fd = -1, .generation = {-1, -1}};
    snprintf(g->name, sizeof g->name, "%s", name);
    snprintf(g->lock, sizeof g->lock, "%s.lock", name);
    snprintf(older, sizeof older, "%s.1", name);
    g->fd = lock_open(d, g->lock, &g->made);
    if (g->fd < 0) {
        cli_exit code = busy(g, g->lock);
        g->in = 0;
        return code;
    }
    for (int i = 0; i < 2; i++) {
        g->generation[i] = lock_existing(d, names[i]);
        /* what cannot be opened cannot be read either, and is refused then */
        if (g->generation[i] >= 0 || errno != EWOULDBLOCK) continue;
        cli_exit code = busy(g, names[i]);
        guard_release(g);
        return code;
    }
    return EXIT_FINE;
}

cli_exit guard_check(guard *g)
{
    int made;
    if (!g->in || lock_is_in_place(g->in, g->lock, g->fd)) return EXIT_FINE;
    int fd = lock_open(g->in, g->lock, &made);
    if (fd < 0) return busy(g, g->lock);
    close(g->fd);
    g->fd = fd;
    return EXIT_FINE;
}

void guard_move(guard *g, int fd)
{
    if (g->generation[0] >= 0) {
        if (g->generation[1] >= 0) close(g->generation[1]);
        g->generation[1] = g->generation[0];
    }
    g->generation[0] = fd;
}

void guard_drop(guard *g)
{
    if (g->generation[0] >= 0) close(g->generation[0]);
    g->generation[0] = -1;
}

int guard_is_in_place(const guard *g)
{
    return g->in && g->generation[0] >= 0 && lock_is_in_place(g->in, g->name, g->generation[0]);
}

void guard_release(guard *g)
{
    if (!g->in) return;
    if (g->fd >= 0 && g->made && lock_is_in_place(g->in, g->lock, g->fd)) unlinkat(g->in->fd, g->lock, 0);
    close_all(g);
    g->in = 0;
}
