/* SPDX-License-Identifier: MIT */
/* outputs.c: see outputs.h. HDF5 and the plot need the rows of the whole run: they are read back from the NPY file, or
 * from a hidden one where none was asked for. */
#define _GNU_SOURCE

#include "outputs.h"

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

/* Every name that will exist at some time must be another one. */
static cli_exit check_distinct(const outputs *o)
{
    enum { NAMES = 6 };
    static const char *const ends[3] = {"", ".part", ".1"};
    const scenario *s = o->table->from;
    const char *const names[NAMES] = {s->output.csv, s->output.aem, o->rows[0] ? o->rows : 0,
                                      o->hdf5,       o->plot,       s->checkpoint};
    char all[3 * NAMES][FILE_NAME + 8];
    int n = 0;
    for (int i = 0; i < NAMES; i++) {
        if (!names[i]) continue;
        for (int k = 0; k < (i == NAMES - 1 ? 3 : 2); k++) {
            snprintf(all[n], sizeof all[n], "%s%s", names[i], ends[k]);
            cli_exit code = folder_check_name(o->in, all[n]);
            if (code != EXIT_FINE) return code;
            for (int j = 0; j < n; j++)
                if (strcmp(all[j], all[n]) == 0) {
                    cli_error("%s: two of the output files would share the name '%s'; give each its own", s->name,
                              all[n]);
                    return EXIT_SCENARIO;
                }
            n++;
        }
    }
    return EXIT_FINE;
}

cli_exit outputs_init(outputs *o, const table *t, const folder *d, int no_plot, int always_rows)
{
    const scenario *s = t->from;
    *o =
        (outputs){.in = d, .table = t, .hdf5 = s->output.hdf5, .plot = no_plot ? 0 : s->output.plot, .draw = plot_make};
    const char *maker = o->hdf5 ? o->hdf5 : o->plot;
    if (!maker && always_rows) maker = s->output.csv ? s->output.csv : "section";
    o->hidden = !s->output.npy && maker;
    if (s->output.npy)
        snprintf(o->rows, sizeof o->rows, "%s", s->output.npy);
    else if (maker)
        snprintf(o->rows, sizeof o->rows, "%.200s.records", maker);
    cli_exit code = check_distinct(o);
    if (code == EXIT_FINE && o->hdf5) code = output_hdf5_check(t);
    for (int i = 0; i < STREAMS && code == EXIT_FINE; i++)
        if (stream_name(o, i) && kinds[i]->check) code = kinds[i]->check(t);
    return code;
}

static cli_exit new_stream(outputs *o, int i)
{
    o->stream[i] = (output *)calloc(1, sizeof *o->stream[i]);
    if (!o->stream[i]) {
        cli_error("there is not enough memory for the output files");
        return EXIT_OUTPUT;
    }
    o->stream[i]->kind = kinds[i];
    o->stream[i]->table = o->table;
    o->stream[i]->file.fd = -1;
    return EXIT_FINE;
}

cli_exit outputs_create(outputs *o)
{
    cli_exit code = EXIT_FINE;
    for (int i = 0; i < STREAMS && code == EXIT_FINE; i++) {
        if (!stream_name(o, i)) continue;
        code = new_stream(o, i);
        if (code == EXIT_FINE) code = file_create(&o->stream[i]->file, o->in, stream_name(o, i));
        o->stream[i]->file.unchecked = !o->table->from->checkpoint;
        if (code == EXIT_FINE) code = kinds[i]->head(o->stream[i]);
    }
    return code;
}

/* The hidden file is removed after HDF5 and plot have their names: then they need not be made again. */
static int is_gone(const outputs *o, int i, const checkpoint *c)
{
    char part[FILE_NAME + 8];
    snprintf(part, sizeof part, "%s.part", stream_name(o, i));
    return i == STREAM_ROWS && o->hidden && c->complete && faccessat(o->in->fd, part, F_OK, AT_SYMLINK_NOFOLLOW) != 0;
}

cli_exit outputs_resume(outputs *o, const checkpoint *c)
{
    cli_exit code = EXIT_FINE;
    for (int i = 0; i < STREAMS && code == EXIT_FINE; i++) {
        if (!stream_name(o, i)) continue;
        if (c->file[i].bytes == 0) {
            cli_error("the checkpoint knows nothing of %s: go on with the options that the run was started with",
                      stream_name(o, i));
            return EXIT_FAILED;
        }
        o->gone |= is_gone(o, i, c);
        if (i == STREAM_ROWS && o->gone) continue;
        code = new_stream(o, i);
        if (code == EXIT_FINE)
            code = file_resume(&o->stream[i]->file, o->in, stream_name(o, i), &c->file[i], c->complete);
    }
    return code;
}

cli_exit outputs_row(outputs *o, const double *row)
{
    cli_exit code = EXIT_FINE;
    for (int i = 0; i < STREAMS && code == EXIT_FINE; i++)
        if (o->stream[i]) code = kinds[i]->row(o->stream[i], row);
    return code;
}

cli_exit outputs_sync(outputs *o, checkpoint *c)
{
    cli_exit code = EXIT_FINE;
    for (int i = 0; i < STREAMS && code == EXIT_FINE; i++) {
        if (!o->stream[i]) continue;
        code = file_sync(&o->stream[i]->file);
        c->file[i] = o->stream[i]->file.at;
    }
    return code;
}

cli_exit outputs_tail(outputs *o, long long records, double last)
{
    cli_exit code = EXIT_FINE;
    for (int i = 0; i < STREAMS && code == EXIT_FINE; i++)
        if (o->stream[i]) code = kinds[i]->tail(o->stream[i], records, last);
    return code;
}

static cli_exit make_derived(outputs *o, long long records)
{
    const output *rows = o->stream[STREAM_ROWS];
    cli_exit code = EXIT_FINE;
    o->plotted = o->plot != 0;
    if (!rows || o->gone) return code;
    if (o->read) code = o->read(o->ctx, rows, records);
    if (code == EXIT_FINE && o->hdf5) code = output_hdf5_make(o->table, o->in, o->hdf5, rows, records);
    if (code == EXIT_FINE && o->plot) code = o->draw(o->ctx, o->table, o->in, o->plot, rows, records, &o->plotted);
    return code;
}

cli_exit outputs_commit(outputs *o, long long records)
{
    cli_exit code = make_derived(o, records);
    for (int i = 0; i < STREAMS && code == EXIT_FINE; i++) {
        if (!o->stream[i] || (i == STREAM_ROWS && o->hidden)) continue;
        code = file_commit(&o->stream[i]->file);
    }
    if (code == EXIT_FINE) code = folder_sync(o->in);
    if (code == EXIT_FINE && o->hidden && o->stream[STREAM_ROWS]) code = file_discard(&o->stream[STREAM_ROWS]->file);
    return code;
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
    const char *const names[] = {s->output.csv, s->output.npy, o->hdf5, s->output.aem, o->plotted ? o->plot : 0};
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
        if (o->stream[i] && !(i == STREAM_ROWS && o->hidden))
            cli_error("what was recorded so far is in %s/%s", o->in->path, o->stream[i]->file.part);
}

void outputs_close(outputs *o, int remove_hidden)
{
    for (int i = 0; i < STREAMS; i++) {
        if (!o->stream[i]) continue;
        if (remove_hidden && i == STREAM_ROWS && o->hidden && o->stream[i]->file.fd >= 0)
            file_discard(&o->stream[i]->file);
        file_close(&o->stream[i]->file);
        free(o->stream[i]);
        o->stream[i] = 0;
    }
}
