/* SPDX-License-Identifier: MIT */
/* outputs.c: see outputs.h. HDF5 and the plot need the rows of the whole run: they are read back from the NPY file, or
 * from a hidden one where none was asked for. */
#define _GNU_SOURCE

#include "cli/output/outputs.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const output_kind *const kinds[STREAMS] = {&output_csv, &output_aem, &output_npy};

/* The name that stream i shall get; null: it is not wanted. */
static const char *stream_name(const outputs *o, int i)
{
    const scenario *s = o->table->from;
    if (i == STREAM_CSV) return s->output.csv;
    if (i == STREAM_AEM) return s->output.aem;
    return o->rows[0] ? o->rows : 0;
}

/* One more name, that none of the n before has and that is possible here. */
static cli_exit add_name(char all[][FILE_NAME + 8], int n, const char *name, const char *end, const outputs *o)
{
    snprintf(all[n], FILE_NAME + 8, "%s%s", name, end);
    for (int j = 0; j < n; j++)
        if (strcmp(all[j], all[n]) == 0) {
            cli_error("%s: two of the files would share the name '%s'; give each its own", o->table->from->name,
                      all[n]);
            return EXIT_SCENARIO;
        }
    return folder_check_name(o->in, all[n]);
}

/* Every name that will exist at some time must be another one. */
static cli_exit check_distinct(const outputs *o)
{
    static const char *const ends[4] = {"", ".part", ".1", ".lock"};
    enum { NAMES = STREAMS + DERIVED + 1 };
    const char *names[NAMES];
    char all[4 * NAMES][FILE_NAME + 8];
    cli_exit code = EXIT_FINE;
    int n = 0;
    for (int i = 0; i < STREAMS; i++) names[i] = stream_name(o, i);
    for (int i = 0; i < DERIVED; i++) names[STREAMS + i] = o->derive[i];
    names[NAMES - 1] = o->table->from->checkpoint;
    for (int i = 0; i < NAMES; i++)
        for (int k = 0; names[i] && k < (i == NAMES - 1 ? 4 : 2) && code == EXIT_FINE; k++)
            code = add_name(all, n++, names[i], ends[k], o);
    return code;
}

cli_exit outputs_init(outputs *o, const table *t, const folder *d, int no_plot, int always_rows)
{
    const scenario *s = t->from;
    *o = (outputs){.in = d, .table = t, .draw = plot_make, .passes = 1};
    o->derive[MADE_HDF5] = s->output.hdf5;
    o->derive[MADE_PLOT] = no_plot ? 0 : s->output.plot;
    const char *maker = o->derive[MADE_HDF5] ? o->derive[MADE_HDF5] : o->derive[MADE_PLOT];
    if (!maker && always_rows) maker = s->output.csv ? s->output.csv : "section";
    o->hidden = !s->output.npy && maker;
    if (s->output.npy)
        snprintf(o->rows, sizeof o->rows, "%s", s->output.npy);
    else if (maker)
        snprintf(o->rows, sizeof o->rows, "%.200s.records", maker);
    cli_exit code = o->derive[MADE_HDF5] ? output_hdf5_check(t) : EXIT_FINE;
    for (int i = 0; i < STREAMS && code == EXIT_FINE; i++)
        if (stream_name(o, i) && kinds[i]->check) code = kinds[i]->check(t);
    return code;
}

static cli_exit no_memory(void)
{
    cli_error("there is not enough memory for the output files");
    return EXIT_OUTPUT;
}

static cli_exit claim_stream(outputs *o, int i)
{
    o->stream[i] = (output *)calloc(1, sizeof *o->stream[i]);
    if (!o->stream[i]) return no_memory();
    o->stream[i]->kind = kinds[i];
    o->stream[i]->table = o->table;
    o->stream[i]->file.fd = o->stream[i]->file.lock = -1;
    return file_claim(&o->stream[i]->file, o->in, stream_name(o, i));
}

static cli_exit claim_derived(outputs *o, int i)
{
    o->derived[i] = (file *)calloc(1, sizeof *o->derived[i]);
    if (!o->derived[i]) return no_memory();
    o->derived[i]->fd = o->derived[i]->lock = -1;
    return file_claim(o->derived[i], o->in, o->derive[i]);
}

cli_exit outputs_claim(outputs *o)
{
    cli_exit code = check_distinct(o);
    for (int i = 0; i < STREAMS && code == EXIT_FINE; i++)
        if (stream_name(o, i)) code = claim_stream(o, i);
    for (int i = 0; i < DERIVED && code == EXIT_FINE; i++)
        if (o->derive[i]) code = claim_derived(o, i);
    return code;
}

static const file *file_of(const outputs *o, int i)
{
    return i >= STREAMS ? o->derived[i - STREAMS] : o->stream[i] ? &o->stream[i]->file : 0;
}

const char *outputs_trace(const outputs *o)
{
    for (int i = 0; i < STREAMS + DERIVED; i++) {
        const file *f = file_of(o, i);
        if (f && !f->made) return f->part;
        if (f && faccessat(o->in->fd, f->name, F_OK, AT_SYMLINK_NOFOLLOW) == 0) return f->name;
    }
    return 0;
}

cli_exit outputs_create(outputs *o)
{
    cli_exit code = EXIT_FINE;
    o->begun = 1;
    for (int i = 0; i < STREAMS && code == EXIT_FINE; i++) {
        if (!o->stream[i]) continue;
        code = file_begin(&o->stream[i]->file);
        if (code == EXIT_FINE) code = kinds[i]->head(o->stream[i]);
    }
    return code;
}

static int is_empty(const file *f)
{
    struct stat st;
    return fstat(f->fd, &st) == 0 && st.st_size == 0;
}

/* What was derived has its name, and the rows are gone: only that is left to look at. */
static cli_exit check_derived(outputs *o, const checkpoint *c)
{
    cli_exit code = EXIT_FINE;
    for (int i = 0; i < DERIVED && code == EXIT_FINE; i++) {
        o->made[i] = o->derived[i] && c->file[STREAMS + i].bytes > 0;
        if (o->made[i]) code = file_check(o->derived[i], &c->file[STREAMS + i], 1);
    }
    return code;
}

cli_exit outputs_check(outputs *o, const checkpoint *c)
{
    cli_exit code = EXIT_FINE;
    o->gone = 0;
    for (int i = 0; i < STREAMS && code == EXIT_FINE; i++) {
        if (!o->stream[i]) continue;
        if (c->file[i].bytes == 0) {
            cli_error("the checkpoint knows nothing of %s: go on with the options that the run was started with",
                      stream_name(o, i));
            return EXIT_FAILED;
        }
        /* the hidden file is removed after all others have their names */
        o->gone |= i == STREAM_ROWS && o->hidden && c->complete == 2 && is_empty(&o->stream[i]->file);
        if (i == STREAM_ROWS && o->gone) continue;
        code = file_check(&o->stream[i]->file, &c->file[i], c->complete);
    }
    return code == EXIT_FINE && o->gone ? check_derived(o, c) : code;
}

cli_exit outputs_go_on(outputs *o)
{
    cli_exit code = EXIT_FINE;
    o->begun = 1;
    for (int i = 0; i < STREAMS && code == EXIT_FINE; i++)
        if (o->stream[i] && !(i == STREAM_ROWS && o->gone)) code = file_go_on(&o->stream[i]->file);
    return code;
}

cli_exit outputs_row(outputs *o, const double *row)
{
    cli_exit code = EXIT_FINE;
    for (int i = 0; i < STREAMS && code == EXIT_FINE; i++)
        if (o->stream[i]) code = kinds[i]->row(o->stream[i], row);
    return code;
}

/* One that this run does not write any more, the hidden one that is gone, is as it was in the checkpoint. */
cli_exit outputs_sync(outputs *o, checkpoint *c)
{
    cli_exit code = EXIT_FINE;
    for (int i = 0; i < STREAMS && code == EXIT_FINE; i++) {
        if (!o->stream[i] || (i == STREAM_ROWS && o->gone)) continue;
        code = file_sync(&o->stream[i]->file);
        if (code == EXIT_FINE && !file_is_in_place(&o->stream[i]->file))
            code = file_foreign(o->in, o->stream[i]->file.part);
        c->file[i] = o->stream[i]->file.at;
    }
    for (int i = 0; i < DERIVED; i++)
        if (o->derived[i] && o->made[i]) c->file[STREAMS + i] = o->derived[i]->at;
    return code;
}

cli_exit outputs_tail(outputs *o)
{
    cli_exit code = EXIT_FINE;
    for (int i = 0; i < STREAMS && code == EXIT_FINE; i++)
        if (o->stream[i] && kinds[i]->tail) code = kinds[i]->tail(o->stream[i]);
    for (int i = 0; i < STREAMS && code == EXIT_FINE; i++)
        if (o->stream[i]) code = file_flush(&o->stream[i]->file);
    return code;
}

cli_exit outputs_patch(outputs *o, long long records, double last)
{
    cli_exit code = EXIT_FINE;
    for (int i = 0; i < STREAMS && code == EXIT_FINE; i++)
        if (o->stream[i] && kinds[i]->patch && !(i == STREAM_ROWS && o->gone))
            code = kinds[i]->patch(o->stream[i], records, last);
    return code;
}

cli_exit outputs_derive(outputs *o, long long records)
{
    const output *rows = o->stream[STREAM_ROWS];
    cli_exit code = EXIT_FINE;
    if (!rows || o->gone) return code;
    if (o->read) code = o->read(o->ctx, rows, records);
    if (code == EXIT_FINE && o->derived[MADE_HDF5]) {
        code = output_hdf5_make(o->table, o->derived[MADE_HDF5], rows, records);
        o->made[MADE_HDF5] = 1;
    }
    if (code == EXIT_FINE && o->derived[MADE_PLOT])
        code = o->draw(o->ctx, o->table, o->derived[MADE_PLOT], rows, records, &o->made[MADE_PLOT]);
    return code;
}

file *outputs_file(outputs *o, derived which)
{
    o->made[which] = o->derived[which] != 0;
    return o->derived[which];
}

cli_exit outputs_seal(outputs *o)
{
    cli_exit code = EXIT_FINE;
    for (int i = 0; i < STREAMS && code == EXIT_FINE; i++)
        if (o->stream[i] && !(i == STREAM_ROWS && o->gone)) code = file_seal(&o->stream[i]->file);
    for (int i = 0; i < DERIVED && code == EXIT_FINE; i++)
        if (o->derived[i] && o->made[i]) code = file_seal(o->derived[i]);
    return code;
}

cli_exit outputs_put(outputs *o)
{
    cli_exit code = EXIT_FINE;
    for (int i = 0; i < DERIVED && code == EXIT_FINE; i++)
        if (o->derived[i] && o->made[i]) code = file_put(o->derived[i]);
    for (int i = 0; i < STREAMS && code == EXIT_FINE; i++)
        if (o->stream[i] && !(i == STREAM_ROWS && o->hidden)) code = file_put(&o->stream[i]->file);
    if (code == EXIT_FINE) code = folder_sync(o->in);
    if (code == EXIT_FINE && o->hidden && o->stream[STREAM_ROWS]) code = file_discard(&o->stream[STREAM_ROWS]->file);
    return code;
}

cli_exit outputs_check_placed(const outputs *o)
{
    cli_exit code = EXIT_FINE;
    for (int i = 0; i < DERIVED && code == EXIT_FINE; i++)
        if (o->derived[i] && o->made[i]) code = file_check_placed(o->derived[i]);
    for (int i = 0; i < STREAMS && code == EXIT_FINE; i++)
        if (o->stream[i] && !(i == STREAM_ROWS && o->hidden)) code = file_check_placed(&o->stream[i]->file);
    return code;
}

int outputs_are_kept(const outputs *o)
{
    int are = 1;
    for (int i = 0; i < STREAMS; i++)
        if (o->stream[i] && !(i == STREAM_ROWS && o->gone)) are &= file_is_kept(&o->stream[i]->file);
    return are;
}

double outputs_bytes(const outputs *o)
{
    double sum = 0.0;
    for (int i = 0; i < STREAMS; i++)
        if (o->stream[i]) sum += (double)o->stream[i]->file.at.bytes;
    for (int i = 0; i < DERIVED; i++)
        if (o->derived[i]) sum += (double)o->derived[i]->at.bytes;
    return sum;
}

static void print_size(double bytes)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
    int k = 0;
    for (; bytes >= 1000.0 && k < 4; k++) bytes /= 1000.0;
    printf(k == 0 ? "(%.0f %s)\n" : "(%.1f %s)\n", bytes, units[k]);
}

void outputs_print(const outputs *o)
{
    const scenario *s = o->table->from;
    const char *const names[] = {s->output.csv,
                                 s->output.npy,
                                 o->derive[MADE_HDF5],
                                 s->output.aem,
                                 o->made[MADE_PLOT] ? o->derive[MADE_PLOT] : 0,
                                 o->made[MADE_STATISTICS] ? o->derive[MADE_STATISTICS] : 0,
                                 o->made[MADE_HISTOGRAM] ? o->derive[MADE_HISTOGRAM] : 0};
    struct stat st;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!names[i] || fstatat(o->in->fd, names[i], &st, AT_SYMLINK_NOFOLLOW) != 0) continue;
        printf("  wrote    %s/%s ", o->in->path, names[i]);
        print_size((double)st.st_size);
    }
}

void outputs_print_parts(const outputs *o)
{
    for (int i = 0; i < STREAMS; i++)
        if (o->stream[i] && !(i == STREAM_ROWS && o->hidden) && file_is_in_place(&o->stream[i]->file))
            cli_error("what was recorded so far is in %s/%s", o->in->path, o->stream[i]->file.part);
}

void outputs_discard(outputs *o)
{
    for (int i = 0; i < STREAMS; i++)
        if (o->stream[i] && o->stream[i]->file.fd >= 0) file_discard(&o->stream[i]->file);
}

void outputs_close(outputs *o, int remove_hidden)
{
    for (int i = 0; i < DERIVED; i++) {
        file *f = o->derived[i];
        if (f && f->begun && !f->committed && f->fd >= 0) file_discard(f);
        if (f) file_release(f);
        free(o->derived[i]);
        o->derived[i] = 0;
    }
    for (int i = 0; i < STREAMS; i++) {
        if (!o->stream[i]) continue;
        file *f = &o->stream[i]->file;
        if (remove_hidden && o->begun && i == STREAM_ROWS && o->hidden && f->fd >= 0) file_discard(f);
        if (i == STREAM_ROWS && o->gone && f->fd >= 0) file_discard(f);
        file_release(f);
        free(o->stream[i]);
        o->stream[i] = 0;
    }
}
