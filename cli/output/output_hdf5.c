/* SPDX-License-Identifier: MIT */
/* output_hdf5.c: HDF5, one dataset per block of a record, for a run /t, /g, /velocity, /momentum, /energy and
 * /spatial_momentum.
 *
 * Attributes: of the file what was computed (system, group, method, retraction, step, every, version), of a dataset the
 * names and units of its columns. Made at the end of a run from its rows, a bounded number at a time; no times of
 * creation are stored, so that equal runs give equal files. Only written, never read. Optional: LIE_HAVE_HDF5. */
#define _POSIX_C_SOURCE 200809L

#include "cli/output/output.h"

#ifndef LIE_HAVE_HDF5

static cli_exit refuse(const table *t)
{
    cli_error("%s: output.hdf5: this liestep was built without HDF5; install libhdf5-dev and build again, or use "
              "output.npy",
              t->from->name);
    return EXIT_SCENARIO;
}

cli_exit output_hdf5_check(const table *t)
{
    return refuse(t);
}

cli_exit output_hdf5_make(const table *t, file *f, const output *rows, long long records)
{
    (void)f, (void)rows, (void)records;
    return refuse(t);
}

#else

#include <hdf5.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/phase.h"

enum { ROWS = 1024, TEXT = 2048 };

cli_exit output_hdf5_check(const table *t)
{
    (void)t;
    return EXIT_FINE;
}

/* A fixed-length text, or a number, as attribute of an object. 0: done. */
static int put_attribute(hid_t object, const char *name, hid_t type, const void *value)
{
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    int failed = attribute < 0 || H5Awrite(attribute, type, value) < 0;
    if (attribute >= 0) failed |= H5Aclose(attribute) < 0;
    H5Sclose(space);
    return failed;
}

static int put_text(hid_t object, const char *name, const char *text)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    int failed = H5Tset_size(type, strlen(text) + 1) < 0 || put_attribute(object, name, type, text);
    H5Tclose(type);
    return failed;
}

/* An HDF5 type for attributes that is the same on every machine; values are converted from the native one. */
static int put_number(hid_t object, const char *name, double value)
{
    unsigned char bytes[8];
    file_pack(bytes, &value, 1);
    return put_attribute(object, name, H5T_IEEE_F64LE, bytes);
}

static int describe_file(hid_t file_id, const table *t)
{
    return put_text(file_id, "liestep", lie_version()) || put_text(file_id, "system", t->from->system.name) ||
           put_text(file_id, "group", t->from->group) || put_text(file_id, "method", t->method) ||
           put_text(file_id, "retraction", t->from->retraction) || put_number(file_id, "step", t->from->step) ||
           put_text(file_id, "step_unit", "s") || put_number(file_id, "every", (double)t->every);
}

/* Names and units of the columns of a block, separated by commas. */
static int describe_block(hid_t dataset, const table *t, int b)
{
    char names[TEXT] = "", units[TEXT] = "";
    size_t n = 0, u = 0;
    for (int i = t->start[b]; i < t->start[b + 1]; i++) {
        const char *comma = i > t->start[b] ? "," : "";
        n += (size_t)snprintf(names + n, sizeof names - n, "%s%s", comma, t->name[i]);
        u += (size_t)snprintf(units + u, sizeof units - u, "%s%s", comma, t->unit[i]);
    }
    return put_text(dataset, "columns", names) || put_text(dataset, "units", units);
}

/* An empty dataset of `records` rows, without times of creation; negative if that fails. */
static hid_t make_dataset(hid_t file_id, const table *t, int b, long long records)
{
    hsize_t extent[2] = {(hsize_t)records, (hsize_t)table_block_size(t, b)};
    hid_t space = H5Screate_simple(t->is_list[b] ? 2 : 1, extent, 0);
    hid_t how = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(how, 0);
    H5Pset_attr_phase_change(how, 8, 6);
    hid_t set = H5Dcreate2(file_id, t->block_name[b], H5T_IEEE_F64LE, space, H5P_DEFAULT, how, H5P_DEFAULT);
    H5Pclose(how);
    H5Sclose(space);
    return set;
}

/* Rows first .. first + n - 1 of one block; `values` holds the whole rows. */
static int put_rows(hid_t set, const table *t, int b, long long first, int n, const double *values, double *part)
{
    int width = table_block_size(t, b);
    hsize_t start[2] = {(hsize_t)first, 0}, extent[2] = {(hsize_t)n, (hsize_t)width};
    int rank = t->is_list[b] ? 2 : 1;
    for (int i = 0; i < n; i++)
        memcpy(part + (size_t)i * (size_t)width, values + (size_t)i * (size_t)t->columns + t->start[b],
               (size_t)width * sizeof *part);
    hid_t space = H5Dget_space(set), memory = H5Screate_simple(rank, extent, 0);
    int failed = H5Sselect_hyperslab(space, H5S_SELECT_SET, start, 0, extent, 0) < 0 ||
                 H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, part) < 0;
    H5Sclose(memory);
    H5Sclose(space);
    return failed;
}

/* All rows into all datasets. EXIT_FAILED: HDF5 could not. */
static cli_exit put_all(const hid_t *set, const table *t, const output *rows, long long records)
{
    size_t columns = (size_t)t->columns;
    double *values = (double *)malloc(2 * ROWS * columns * sizeof *values);
    cli_exit code = values ? EXIT_FINE : EXIT_FAILED;
    for (long long first = 0; first < records && code == EXIT_FINE; first += ROWS) {
        int n = records - first < ROWS ? (int)(records - first) : ROWS;
        code = output_npy_rows(rows, first, n, values);
        if (code == EXIT_FINE) code = phase_add(n);
        for (int b = 0; b < t->blocks && code == EXIT_FINE; b++)
            if (put_rows(set[b], t, b, first, n, values, values + ROWS * columns)) code = EXIT_FAILED;
    }
    free(values);
    return code;
}

/* The whole content. What fails stays open: HDF5 may not be able to close it, and the process is about to end. */
static cli_exit fill(const char *path, const table *t, const output *rows, long long records)
{
    hid_t set[BLOCKS_MAX], how = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_obj_track_times(how, 0);
    hid_t file_id = H5Fcreate(path, H5F_ACC_TRUNC, how, H5P_DEFAULT);
    H5Pclose(how);
    if (file_id < 0 || describe_file(file_id, t)) return EXIT_FAILED;
    for (int b = 0; b < t->blocks; b++) {
        set[b] = make_dataset(file_id, t, b, records);
        if (set[b] < 0 || describe_block(set[b], t, b)) return EXIT_FAILED;
    }
    cli_exit code = put_all(set, t, rows, records);
    if (code != EXIT_FINE) return code;
    if (H5Fflush(file_id, H5F_SCOPE_LOCAL) < 0) return EXIT_FAILED;
    for (int b = 0; b < t->blocks; b++)
        if (H5Dclose(set[b]) < 0) return EXIT_FAILED;
    return H5Fclose(file_id) < 0 ? EXIT_FAILED : EXIT_FINE;
}

/* Called where HDF5 fails: the innermost message, the first one upward, is the reason; the first failure counts. */
static herr_t find_reason(unsigned n, const H5E_error2_t *error, void *out)
{
    char *reason = (char *)out;
    if (n == 0 && !reason[0] && error->desc) snprintf(reason, TEXT, "%s", error->desc);
    return 0;
}

static herr_t note_failure(hid_t stack, void *out)
{
    return H5Ewalk2(stack, H5E_WALK_UPWARD, find_reason, out);
}

cli_exit output_hdf5_make(const table *t, file *f, const output *rows, long long records)
{
    char path[64], reason[TEXT] = "";
    cli_exit code = file_begin(f);
    if (code != EXIT_FINE) return code;
    /* it would lock the file for itself, which is locked already */
    setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1);
    H5dont_atexit();
    H5Eset_auto2(H5E_DEFAULT, note_failure, reason);
    /* the open file itself, whatever its name has become */
    snprintf(path, sizeof path, "/dev/fd/%d", f->fd);
    code = fill(path, t, rows, records);
    H5Eset_auto2(H5E_DEFAULT, 0, 0);
    if (code == EXIT_FINE) return file_adopt(f);
    if (code != EXIT_FAILED) return code;
    cli_error("%s/%s: HDF5 cannot write it: %s", f->in->path, f->part, reason[0] ? reason : "unknown reason");
    return EXIT_OUTPUT;
}

#endif
