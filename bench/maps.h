/* SPDX-License-Identifier: MIT */
/* maps.h: what bench_maps times: the table of all maps, the inputs they are fed, and the loops that call them. */
#ifndef LIESTEP_BENCH_MAPS_H
#define LIESTEP_BENCH_MAPS_H

#include <liestep/status.h>

/* The four signatures of the maps, and any of them behind one pointer. */
typedef void map_v1(double *out, const double *a);
typedef lie_status map_s1(double *out, const double *a);
typedef void map_v2(double *out, const double *a, const double *b);
typedef lie_status map_s2(double *out, const double *a, const double *b);
typedef void map_any(void);

typedef enum map_kind { MAP_NONE, MAP_V1, MAP_S1, MAP_V2, MAP_S2 } map_kind;

typedef struct map_fn {
    map_kind kind;
    map_any *fn;
} map_fn;

/* What an argument is drawn from. W is an algebra vector of SO(3), with an angle; the others name their group. */
typedef enum map_input {
    IN_NONE,
    IN_VEC2,
    IN_VEC3,
    IN_VEC4,
    IN_VEC6,
    IN_W,
    IN_H_ALG,
    IN_SE3_ALG,
    IN_SE2_ALG,
    IN_SO3,
    IN_S3,
    IN_H,
    IN_SE3,
    IN_SE2,
    IN_SO3_NEAR,
    IN_S3_NEAR,
    IN_SE3_NEAR,
    IN_SE2_NEAR,
    IN_SO3_HAT,
    IN_SE3_HAT,
    IN_SE2_HAT,
    IN_SO3_R3_ALG,
    IN_SO3_R3
} map_input;

/* One map: contenders, length of the output, arguments, and the largest angle of its domain that is drawn. */
typedef struct map_row {
    const char *name;
    map_fn lie, textbook, eigen;
    int out;
    map_input a, b;
    double angle;
} map_row;

extern const map_row map_table[];
extern const int map_table_count;

/* Calls that return at once, and ones that copy one double: what the harness itself costs. */
extern const map_row map_empty_row, map_copy_row;

/* How the angles are drawn. */
typedef enum map_class {
    CLASS_PI,    /* uniform in (0, the row's angle) */
    CLASS_SMALL, /* uniform in (0, 0.01): the turn of one time step */
    CLASS_TINY,  /* log-uniform in (1e-12, 1e-2): compared, not timed */
    CLASS_HALF   /* half-turn minus log-uniform in (1e-9, 1e-1): compared, not timed */
} map_class;

#define MAP_SAMPLES 1024
#define MAP_LENGTH_MAX 36

/* The arguments of one map: MAP_SAMPLES of them one behind the other, na and nb doubles each. */
typedef struct map_data {
    int na, nb, nout;
    double a[MAP_SAMPLES * 16];
    double b[MAP_SAMPLES * 16];
} map_data;

/* Does the angle class change what this map is given? */
int map_has_angle(const map_row *row);

/* Draw the arguments of a row; the same for every run and every contender. */
void map_draw(map_data *data, const map_row *row, map_class angles);

/* One call. Returns the status; LIE_OK for a function that has none. */
lie_status map_call(map_fn f, double *out, const double *a, const double *b);

/* Largest difference of f from `reference` over the data, max-norm, relative to the reference; -1 where a status other
 * than LIE_OK came back, NaN where a result is not finite. */
double map_difference(map_fn f, map_fn reference, const map_data *data);

/* What a timed run needs; `sink` keeps the outputs alive. */
typedef struct map_job {
    map_fn f;
    const map_data *data;
    volatile long sink;
} map_job;

/* `passes` times all samples. Latency: the address of each input depends on the last output, so that a call starts only
 * when the one before is done. Throughput: independent calls, which the processor may overlap. */
void map_run_latency(void *job, long passes);
void map_run_throughput(void *job, long passes);

#endif
