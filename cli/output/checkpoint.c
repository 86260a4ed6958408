/* SPDX-License-Identifier: MIT */
/* checkpoint.c: see checkpoint.h. Written atomically: NAME.part, fsync, NAME -> NAME.1, NAME.part -> NAME, fsync of the
 * folder; whenever the power fails, NAME or NAME.1 is whole. */
#define _GNU_SOURCE

#include "cli/output/checkpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char magic[8] = {'L', 'I', 'E', 'S', 'T', 'E', 'P', 'C'};
enum { RELEASE = 16, HEADER = 16, TRAILER = 8 };
#define LENGTH_MAX 0xFFFFFFFF /* which the header can tell */

/* A place in a file that is being written or read; reading beyond the end gives zeros and sets `wrong`. */
typedef struct cursor {
    unsigned char *out;
    const unsigned char *in;
    size_t at, end;
    int wrong;
} cursor;

/* The same function writes and reads a number, so that the two cannot differ. */
static void pass_bytes(cursor *c, void *bytes, size_t n)
{
    if (c->end - c->at < n) {
        c->wrong = 1;
        if (c->in) memset(bytes, 0, n);
        return;
    }
    if (c->in)
        memcpy(bytes, c->in + c->at, n);
    else if (c->out)
        memcpy(c->out + c->at, bytes, n);
    c->at += n;
}

static void pass_word(cursor *c, unsigned long long *word, size_t n)
{
    unsigned char bytes[8];
    for (size_t i = 0; i < n; i++) bytes[i] = (unsigned char)(*word >> 8 * i);
    pass_bytes(c, bytes, n);
    *word = 0;
    for (size_t i = 0; i < n; i++) *word |= (unsigned long long)bytes[i] << 8 * i;
}

static void pass_long(cursor *c, long long *value)
{
    unsigned long long word = (unsigned long long)*value;
    pass_word(c, &word, 8);
    *value = word > 0x7FFFFFFFFFFFFFFFu ? -1 : (long long)word;
}

/* An integer of 0 .. most. */
static void pass_count(cursor *c, int *value, int most)
{
    unsigned long long word = (unsigned long long)*value;
    pass_word(c, &word, 4);
    if (word > (unsigned long long)most) c->wrong = 1, word = 0;
    *value = (int)word;
}

static void pass_doubles(cursor *c, double *values, long long n)
{
    unsigned char bytes[8];
    for (long long i = 0; i < n; i++) {
        if (c->out) file_pack(bytes, &values[i], 1);
        pass_bytes(c, bytes, 8);
        if (c->in) file_unpack(&values[i], bytes, 1);
    }
}

/* What is read is allocated, once it is known to be there. */
static void pass_extras(cursor *c, checkpoint *k)
{
    pass_long(c, &k->extras);
    if (c->in) {
        if (k->extras < 0 || (unsigned long long)k->extras > (c->end - c->at) / 8) c->wrong = 1, k->extras = 0;
        k->extra = k->extras > 0 ? (double *)malloc((size_t)k->extras * sizeof *k->extra) : 0;
        if (k->extras > 0 && !k->extra) c->wrong = 1, k->extras = 0;
    }
    pass_doubles(c, k->extra, k->extras);
}

static void pass_state(cursor *c, checkpoint *k)
{
    lie_state *s = &k->state;
    pass_count(c, &k->size, LIE_STATE_SIZE);
    pass_count(c, &k->dim, LIE_STATE_DIM);
    pass_long(c, &s->steps);
    pass_doubles(c, &s->t, 1);
    pass_doubles(c, &s->low_t, 1);
    pass_doubles(c, s->g, k->size);
    pass_doubles(c, s->low_g, k->size);
    pass_doubles(c, s->m, k->dim);
    pass_doubles(c, s->low_m, k->dim);
}

/* Everything between header and checksum. */
static void pass_body(cursor *c, checkpoint *k)
{
    pass_word(c, &k->fingerprint, 8);
    pass_state(c, k);
    pass_long(c, &k->records);
    pass_doubles(c, &k->last_record, 1);
    pass_count(c, &k->complete, 2);
    pass_doubles(c, &k->seconds, 1);
    pass_long(c, &k->iterations);
    pass_count(c, &k->iterations_max, 0x7FFFFFFF);
    pass_doubles(c, &k->residual_max, 1);
    pass_long(c, &k->not_finite);
    pass_count(c, &k->memories, CHECKPOINT_MEMORY);
    pass_doubles(c, k->memory, k->memories);
    pass_count(c, &k->watches, CHECKPOINT_WATCHED);
    for (int i = 0; i < k->watches; i++) {
        pass_doubles(c, &k->watch[i].first, 1);
        pass_doubles(c, &k->watch[i].last, 1);
        pass_doubles(c, &k->watch[i].worst, 1);
    }
    for (int i = 0; i < CHECKPOINT_FILES; i++) {
        pass_word(c, &k->file[i].bytes, 8);
        pass_word(c, &k->file[i].fixed, 8);
        pass_word(c, &k->file[i].body, 8);
        pass_word(c, &k->file[i].crc, 8);
    }
    pass_extras(c, k);
}

static void release_name(char out[RELEASE])
{
    memset(out, 0, RELEASE);
    snprintf(out, RELEASE, "%s", lie_version());
}

size_t checkpoint_room(const checkpoint *c)
{
    return CHECKPOINT_BYTES + 8 * (size_t)c->extras;
}

void checkpoint_free(checkpoint *c)
{
    free(c->extra);
    c->extra = 0, c->extras = 0;
}

size_t checkpoint_encode(unsigned char *out, const checkpoint *c)
{
    checkpoint copy = *c;
    cursor at = {out, 0, HEADER, checkpoint_room(c) - TRAILER, 0};
    unsigned long long version = CHECKPOINT_VERSION;
    char release[RELEASE];
    release_name(release);
    pass_bytes(&at, release, RELEASE);
    pass_body(&at, &copy);
    unsigned long long length = at.at + TRAILER, crc;
    cursor header = {out, 0, 0, HEADER, 0};
    memcpy(out, magic, sizeof magic);
    header.at = sizeof magic;
    pass_word(&header, &version, 4);
    pass_word(&header, &length, 4);
    crc = file_crc(0, out, at.at);
    at.end = at.at + TRAILER;
    pass_word(&at, &crc, 8);
    return (size_t)length;
}

static int all_finite(const double *x, int n)
{
    for (int i = 0; i < n; i++)
        if (!(x[i] - x[i] == 0.0)) return 0;
    return 1;
}

/* Can a run stand like this? */
static int is_sound(const checkpoint *k)
{
    const lie_state *s = &k->state;
    if (k->size < 1 || k->dim < 1 || s->steps < 0 || k->records < 1 || k->iterations < 0 || k->not_finite < 0) return 0;
    if (!all_finite(&s->t, 1) || !all_finite(s->g, k->size) || !all_finite(s->m, k->dim)) return 0;
    for (int i = 0; i < CHECKPOINT_FILES; i++) {
        const file_position *at = &k->file[i];
        if (at->body > at->bytes || at->bytes > 0x7FFFFFFFFFFFFFFFu) return 0;
        if (at->fixed > at->body || at->body - at->fixed > FILE_PATCH) return 0;
    }
    return 1;
}

/* Is this a whole checkpoint of a format that can be read? */
static const char *check_frame(const unsigned char *bytes, size_t n)
{
    unsigned long long version = 0, length = 0, crc = 0;
    if (n < sizeof magic || memcmp(bytes, magic, sizeof magic) != 0) return "is no checkpoint of liestep";
    if (n < HEADER + TRAILER) return "is torn: it ends too early";
    cursor c = {0, bytes, sizeof magic, n, 0};
    pass_word(&c, &version, 4);
    pass_word(&c, &length, 4);
    if (version > CHECKPOINT_VERSION) return "was written by a newer liestep, in a format that this one cannot read";
    if (version < 1) return "is damaged: there is no such version of the format";
    if (version < CHECKPOINT_VERSION) return "was written by an older liestep, in a format that is not read any more";
    if (length != n) return n < length ? "is torn: it ends too early" : "is damaged: it is longer than it should be";
    c.at = n - TRAILER;
    pass_word(&c, &crc, 8);
    return crc == file_crc(0, bytes, n - TRAILER) ? 0 : "is damaged: its checksum is wrong";
}

const char *checkpoint_decode(checkpoint *out, const unsigned char *bytes, size_t n)
{
    char release[RELEASE], ours[RELEASE];
    const char *wrong = check_frame(bytes, n);
    if (wrong) return wrong;
    cursor c = {0, bytes, HEADER, n - TRAILER, 0};
    pass_bytes(&c, release, RELEASE);
    release_name(ours);
    if (!c.wrong && memcmp(release, ours, RELEASE) != 0)
        return "was written by another release of liestep, whose results may differ in the last bits";
    checkpoint *k = (checkpoint *)calloc(1, sizeof *k);
    if (!k) return "cannot be read: there is not enough memory";
    lie_state_clear(&k->state);
    pass_body(&c, k);
    if (c.wrong || c.at != c.end || !is_sound(k)) {
        wrong = "is damaged: its numbers make no sense";
        checkpoint_free(k);
    } else {
        *out = *k;
    }
    free(k);
    return wrong;
}

/* NAME becomes NAME.1, the file that was written NAME. */
static cli_exit take_place(const folder *d, const char *name, file *f, guard *g)
{
    char before[FILE_NAME];
    snprintf(before, sizeof before, "%s.1", name);
    if (!file_is_in_place(f)) return file_foreign(d, f->part);
    if (renameat(d->fd, name, d->fd, before) != 0 && errno != ENOENT)
        return folder_error(d, before, "cannot be put in place");
    cli_exit code = file_put(f);
    if (code != EXIT_FINE || !g) return code;
    guard_move(g, f->fd);
    f->fd = -1;
    return EXIT_FINE;
}

cli_exit checkpoint_write(const folder *d, const char *name, const checkpoint *c, guard *g)
{
    size_t room = checkpoint_room(c);
    file *f = (file *)malloc(sizeof *f);
    unsigned char *bytes = room <= LENGTH_MAX ? (unsigned char *)malloc(room) : 0;
    if (!f || !bytes) {
        cli_error("the checkpoint %s/%s cannot be written: %s", d->path, name,
                  room <= LENGTH_MAX ? "there is not enough memory" : "so many orbits are more than one can hold");
        free(f);
        free(bytes);
        return EXIT_OUTPUT;
    }
    cli_exit code = g ? guard_check(g) : EXIT_FINE;
    f->fd = f->lock = -1;
    if (code == EXIT_FINE) code = file_create(f, d, name);
    if (code == EXIT_FINE) code = file_append(f, bytes, checkpoint_encode(bytes, c));
    if (code == EXIT_FINE) code = file_sync(f);
    if (code == EXIT_FINE) code = take_place(d, name, f, g);
    if (code == EXIT_FINE) code = folder_sync(d);
    file_close(f);
    free(f);
    free(bytes);
    return code;
}

/* Up to `most` bytes of a file; -1 with errno. */
static ssize_t read_some(int fd, unsigned char *bytes, size_t most)
{
    size_t n = 0;
    while (n < most) {
        ssize_t got = read(fd, bytes + n, most - n);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return -1;
        if (got == 0) break;
        n += (size_t)got;
    }
    return (ssize_t)n;
}

/* All bytes of a file, on the heap; null with errno. */
static unsigned char *read_all(const folder *d, const char *name, size_t *n)
{
    struct stat about;
    int fd = openat(d->fd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return 0;
    int is_file = fstat(fd, &about) == 0 && S_ISREG(about.st_mode) && about.st_size <= LENGTH_MAX;
    unsigned char *bytes = is_file ? (unsigned char *)malloc((size_t)about.st_size + 1) : 0;
    ssize_t got = bytes ? read_some(fd, bytes, (size_t)about.st_size) : -1;
    close(fd);
    if (got < 0) free(bytes);
    *n = got < 0 ? 0 : (size_t)got;
    errno = 0;
    return got < 0 ? 0 : bytes;
}

int checkpoint_read(checkpoint *out, const folder *d, const char *name, int generation, const checkpoint *like,
                    const char **why)
{
    char file_name[FILE_NAME];
    size_t n;
    snprintf(file_name, sizeof file_name, "%s%s", name, generation == 0 ? "" : ".1");
    unsigned char *bytes = read_all(d, file_name, &n);
    if (!bytes && errno == ENOENT) return 0;
    checkpoint *k = bytes ? (checkpoint *)calloc(1, sizeof *k) : 0;
    const char *wrong = k ? checkpoint_decode(k, bytes, n) : "cannot be read";
    if (!wrong && (k->fingerprint != like->fingerprint || k->size != like->size || k->dim != like->dim ||
                   k->memories != like->memories || k->watches != like->watches))
        wrong = "belongs to another scenario (or to this one with other settings)";
    if (!wrong)
        *out = *k;
    else if (k)
        checkpoint_free(k);
    *why = wrong;
    free(k);
    free(bytes);
    return wrong ? -1 : 1;
}

cli_exit checkpoint_remove(const folder *d, const char *name)
{
    char other[FILE_NAME];
    cli_exit code;
    snprintf(other, sizeof other, "%s.part", name);
    code = folder_remove(d, other);
    snprintf(other, sizeof other, "%s.1", name);
    if (code == EXIT_FINE) code = folder_remove(d, other);
    if (code == EXIT_FINE) code = folder_remove(d, name);
    return code == EXIT_FINE ? folder_sync(d) : code;
}
