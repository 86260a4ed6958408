/* SPDX-License-Identifier: MIT */
/* maps.c: inputs, comparison and the two timing loops of bench_maps; see maps.h.
 *
 * The loops are written once and made by the compiler for each of the four signatures, so that a call is one indirect
 * call and nothing else. Inputs are drawn at random with a fixed seed and read from memory, and outputs go to memory:
 * no contender can be folded away or inlined. */
#include "maps.h"
#include "bench.h"

#include <liestep/quat.h>
#include <liestep/s3.h>
#include <liestep/se2.h>
#include <liestep/se3.h>
#include <liestep/so3.h>

#include <math.h>
#include <stdint.h>
#include <string.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))

#define HALF_TURN 3.14159265358979323846

static double draw_angle(uint64_t *seed, double largest, map_class angles)
{
    switch (angles) {
    case CLASS_SMALL:
        return bench_random_uniform(seed, 0.0, 0.01);
    case CLASS_TINY:
        return pow(10.0, bench_random_uniform(seed, -12.0, -2.0));
    case CLASS_HALF:
        return (largest < HALF_TURN ? largest : HALF_TURN) - pow(10.0, bench_random_uniform(seed, -9.0, -1.0));
    case CLASS_PI:
    default:
        return bench_random_uniform(seed, 0.0, largest);
    }
}

static void draw_vector(double *x, int n, uint64_t *seed)
{
    for (int i = 0; i < n; i++) {
        x[i] = bench_random_uniform(seed, -1.0, 1.0);
    }
}

/* A random direction, uniform on the sphere, times a random angle. */
static void draw_rotation_vector(double w[3], uint64_t *seed, double largest, map_class angles)
{
    double n2;
    do {
        draw_vector(w, 3, seed);
        n2 = w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
    } while (n2 < 1e-4 || n2 > 1.0);
    double f = draw_angle(seed, largest, angles) / sqrt(n2);
    for (int i = 0; i < 3; i++) {
        w[i] *= f;
    }
}

/* Algebra vectors: (w), (s, w), (w, v), or the plane's (w, vx, vy). */
static void draw_algebra(double *x, map_input kind, uint64_t *seed, double largest, map_class angles)
{
    switch (kind) {
    case IN_H_ALG:
        x[0] = bench_random_uniform(seed, -0.5, 0.5);
        draw_rotation_vector(x + 1, seed, largest, angles);
        break;
    case IN_SE3_ALG:
    case IN_SO3_R3_ALG:
        draw_rotation_vector(x, seed, largest, angles);
        draw_vector(x + 3, 3, seed);
        break;
    case IN_SE2_ALG:
        x[0] = draw_angle(seed, largest, angles) * (bench_random_bits(seed) & 1 ? 1.0 : -1.0);
        draw_vector(x + 1, 2, seed);
        break;
    default:
        draw_rotation_vector(x, seed, largest, angles);
        break;
    }
}

static void disturb(double *g, int n, uint64_t *seed)
{
    for (int i = 0; i < n; i++) {
        g[i] += bench_random_uniform(seed, -1e-4, 1e-4);
    }
}

/* Group elements: exp of a random algebra vector, slightly disturbed for the inputs of project. */
static void draw_element(double *g, map_input kind, uint64_t *seed, double largest, map_class angles)
{
    double x[6];
    switch (kind) {
    case IN_S3:
    case IN_S3_NEAR:
        draw_algebra(x, IN_W, seed, largest, angles);
        lie_s3_exp(g, x);
        break;
    case IN_H:
        draw_algebra(x, IN_H_ALG, seed, largest, angles);
        lie_quat_exp(g, x);
        break;
    case IN_SE3:
    case IN_SE3_NEAR:
        draw_algebra(x, IN_SE3_ALG, seed, largest, angles);
        lie_se3_exp(g, x);
        break;
    case IN_SE2:
    case IN_SE2_NEAR:
        draw_algebra(x, IN_SE2_ALG, seed, largest, angles);
        lie_se2_exp(g, x);
        break;
    default:
        draw_algebra(x, IN_W, seed, largest, angles);
        lie_so3_exp(g, x);
        draw_vector(g + 9, kind == IN_SO3_R3 ? 3 : 0, seed);
        break;
    }
    disturb(g,
            kind == IN_S3_NEAR                           ? 4
            : kind == IN_SO3_NEAR || kind == IN_SE3_NEAR ? 9
            : kind == IN_SE2_NEAR                        ? 2
                                                         : 0,
            seed);
}

static void draw_hat(double *M, map_input kind, uint64_t *seed)
{
    double x[6];
    draw_vector(x, 6, seed);
    if (kind == IN_SO3_HAT) {
        lie_so3_hat(M, x);
    } else if (kind == IN_SE3_HAT) {
        lie_se3_hat(M, x);
    } else {
        lie_se2_hat(M, x);
    }
}

/* Length of an argument in doubles. */
static int input_length(map_input kind)
{
    static const int length[] = {
        [IN_NONE] = 0,    [IN_VEC2] = 2,       [IN_VEC3] = 3,     [IN_VEC4] = 4,    [IN_VEC6] = 6,
        [IN_W] = 3,       [IN_H_ALG] = 4,      [IN_SE3_ALG] = 6,  [IN_SE2_ALG] = 3, [IN_SO3] = 9,
        [IN_S3] = 4,      [IN_H] = 4,          [IN_SE3] = 12,     [IN_SE2] = 4,     [IN_SO3_NEAR] = 9,
        [IN_S3_NEAR] = 4, [IN_SE3_NEAR] = 12,  [IN_SE2_NEAR] = 4, [IN_SO3_HAT] = 9, [IN_SE3_HAT] = 16,
        [IN_SE2_HAT] = 9, [IN_SO3_R3_ALG] = 6, [IN_SO3_R3] = 12,
    };
    return length[kind];
}

static int is_vector(map_input kind)
{
    return kind >= IN_VEC2 && kind <= IN_VEC6;
}

static int is_algebra(map_input kind)
{
    return (kind >= IN_W && kind <= IN_SE2_ALG) || kind == IN_SO3_R3_ALG;
}

static int is_hat(map_input kind)
{
    return kind >= IN_SO3_HAT && kind <= IN_SE2_HAT;
}

int map_has_angle(const map_row *row)
{
    return row->a != IN_NONE && !is_vector(row->a) && !is_hat(row->a);
}

static void draw(double *x, map_input kind, uint64_t *seed, double largest, map_class angles)
{
    if (is_vector(kind)) {
        draw_vector(x, input_length(kind), seed);
    } else if (is_hat(kind)) {
        draw_hat(x, kind, seed);
    } else if (is_algebra(kind)) {
        draw_algebra(x, kind, seed, largest, angles);
    } else if (kind != IN_NONE) {
        draw_element(x, kind, seed, largest, angles);
    }
}

void map_draw(map_data *data, const map_row *row, map_class angles)
{
    uint64_t seed = UINT64_C(20120229);
    data->na = input_length(row->a);
    data->nb = input_length(row->b);
    data->nout = row->out;
    for (int k = 0; k < MAP_SAMPLES; k++) {
        draw(data->a + k * data->na, row->a, &seed, row->angle, angles);
        draw(data->b + k * data->nb, row->b, &seed, row->angle, angles);
    }
}

/* `kind` is a constant wherever this is used in a loop, so that the switch is decided by the compiler. */
ALWAYS_INLINE int call(map_kind kind, map_any *fn, double *out, const double *a, const double *b)
{
    switch (kind) {
    case MAP_V1:
        ((map_v1 *)fn)(out, a);
        return 0;
    case MAP_S1:
        return (int)((map_s1 *)fn)(out, a);
    case MAP_V2:
        ((map_v2 *)fn)(out, a, b);
        return 0;
    case MAP_S2:
        return (int)((map_s2 *)fn)(out, a, b);
    case MAP_NONE:
    default:
        return 0;
    }
}

lie_status map_call(map_fn f, double *out, const double *a, const double *b)
{
    return (lie_status)call(f.kind, f.fn, out, a, b);
}

double map_difference(map_fn f, map_fn reference, const map_data *data)
{
    double worst = 0.0;
    for (int k = 0; k < MAP_SAMPLES; k++) {
        const double *a = data->a + k * data->na, *b = data->b + k * data->nb;
        double x[MAP_LENGTH_MAX] = {0.0}, y[MAP_LENGTH_MAX] = {0.0}, size = 0.0, gap = 0.0;
        if (map_call(f, x, a, b) != LIE_OK || map_call(reference, y, a, b) != LIE_OK) {
            return -1.0;
        }
        for (int i = 0; i < data->nout; i++) {
            if (!isfinite(x[i]) || !isfinite(y[i])) {
                return (double)NAN;
            }
            size = fmax(size, fabs(y[i]));
            gap = fmax(gap, fabs(x[i] - y[i]));
        }
        worst = fmax(worst, size > 0.0 ? gap / size : gap);
    }
    return worst;
}

static volatile uint64_t zero_at_run_time = 0;

/* Bits of the first, middle and last output, which together wait for all of a map's work. */
ALWAYS_INLINE uint64_t bits_of(const double *out, int n)
{
    uint64_t first, middle, last;
    memcpy(&first, out, sizeof first);
    memcpy(&middle, out + n / 2, sizeof middle);
    memcpy(&last, out + n - 1, sizeof last);
    return first | middle | last;
}

/* wait & zero is 0, but the processor knows that only when the outputs are there. */
ALWAYS_INLINE void latency_loop(map_job *job, long passes, map_kind kind)
{
    const map_data *data = job->data;
    map_any *fn = job->f.fn;
    double out[MAP_LENGTH_MAX] = {0.0};
    uint64_t zero = zero_at_run_time, wait = 0;
    int bad = 0;
    for (long pass = 0; pass < passes; pass++) {
        for (int k = 0; k < MAP_SAMPLES; k++) {
            const double *a = data->a + k * data->na + (wait & zero);
            const double *b = data->b + k * data->nb + (wait & zero);
            bad |= call(kind, fn, out, a, b);
            wait = bits_of(out, data->nout);
        }
    }
    job->sink = (long)(wait & zero) + bad;
}

/* Outputs go round eight places, as in a loop that uses them soon after. */
ALWAYS_INLINE void throughput_loop(map_job *job, long passes, map_kind kind)
{
    const map_data *data = job->data;
    map_any *fn = job->f.fn;
    double out[8 * MAP_LENGTH_MAX] = {0.0};
    int bad = 0;
    for (long pass = 0; pass < passes; pass++) {
        for (int k = 0; k < MAP_SAMPLES; k++) {
            bad |= call(kind, fn, out + (k & 7) * MAP_LENGTH_MAX, data->a + k * data->na, data->b + k * data->nb);
        }
    }
    job->sink = (long)(bits_of(out, data->nout) & zero_at_run_time) + bad;
}

void map_run_latency(void *job, long passes)
{
    map_job *j = job;
    switch (j->f.kind) {
    case MAP_V1:
        latency_loop(j, passes, MAP_V1);
        break;
    case MAP_S1:
        latency_loop(j, passes, MAP_S1);
        break;
    case MAP_V2:
        latency_loop(j, passes, MAP_V2);
        break;
    case MAP_S2:
        latency_loop(j, passes, MAP_S2);
        break;
    case MAP_NONE:
    default:
        break;
    }
}

void map_run_throughput(void *job, long passes)
{
    map_job *j = job;
    switch (j->f.kind) {
    case MAP_V1:
        throughput_loop(j, passes, MAP_V1);
        break;
    case MAP_S1:
        throughput_loop(j, passes, MAP_S1);
        break;
    case MAP_V2:
        throughput_loop(j, passes, MAP_V2);
        break;
    case MAP_S2:
        throughput_loop(j, passes, MAP_S2);
        break;
    case MAP_NONE:
    default:
        break;
    }
}
