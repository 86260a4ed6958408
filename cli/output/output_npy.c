/* SPDX-License-Identifier: MIT */
/* output_npy.c: NumPy's .npy, format 1.0: a one-dimensional array of records with one field per block (of a run: t, g,
 * velocity, momentum, energy and spatial_momentum), little-endian doubles.
 *
 *     a = numpy.load("run.npy");  a["t"], a["velocity"][:, 0]
 *
 * The header has a fixed length, so that the number of records can be put into it at the end. Reference: NumPy
 * enhancement proposal 1 (NEP 1). */
#include "cli/output/output.h"

#include <string.h>

enum { HEADER = 512, PREFIX = 10 };

/* Magic, version 1.0, length of the text (little-endian), text padded with blanks to a line. */
static void header(unsigned char out[HEADER], const table *t, long long records)
{
    static const unsigned char magic[8] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
    char text[HEADER - PREFIX + 1];
    size_t used = (size_t)snprintf(text, sizeof text, "{'descr': [");
    for (int i = 0; i < t->blocks; i++) {
        int n = table_block_size(t, i);
        const char *name = t->block_name[i];
        if (!t->is_list[i])
            used += (size_t)snprintf(text + used, sizeof text - used, "('%s', '<f8'), ", name);
        else
            used += (size_t)snprintf(text + used, sizeof text - used, "('%s', '<f8', (%d,)), ", name, n);
    }
    used +=
        (size_t)snprintf(text + used, sizeof text - used, "], 'fortran_order': False, 'shape': (%lld,), }", records);
    memset(text + used, ' ', sizeof text - used);
    text[sizeof text - 2] = '\n';
    memcpy(out, magic, sizeof magic);
    out[8] = (unsigned char)((HEADER - PREFIX) & 0xFF);
    out[9] = (unsigned char)((HEADER - PREFIX) >> 8);
    memcpy(out + PREFIX, text, HEADER - PREFIX);
}

static cli_exit head(output *o)
{
    unsigned char bytes[HEADER];
    header(bytes, o->table, o->table->records);
    cli_exit code = file_append(&o->file, bytes, PREFIX);
    return code == EXIT_FINE ? file_append_open(&o->file, bytes + PREFIX, HEADER - PREFIX) : code;
}

static cli_exit row(output *o, const double *values)
{
    unsigned char bytes[8 * COLUMNS_MAX];
    file_pack(bytes, values, (size_t)o->table->columns);
    return file_append(&o->file, bytes, 8 * (size_t)o->table->columns);
}

static cli_exit patch(output *o, long long records, double last)
{
    unsigned char bytes[HEADER];
    (void)last;
    header(bytes, o->table, records);
    return file_patch(&o->file, bytes + PREFIX, HEADER - PREFIX);
}

const output_kind output_npy = {"npy", 0, head, row, 0, patch};

cli_exit output_npy_rows(const output *o, long long first, int rows, double *values)
{
    size_t width = 8 * (size_t)o->table->columns, n = width * (size_t)rows;
    unsigned char *bytes = (unsigned char *)values;
    cli_exit code = file_read(&o->file, HEADER + (unsigned long long)first * width, bytes, n);
    if (code == EXIT_FINE) file_unpack(values, bytes, n / 8);
    return code;
}
