/* SPDX-License-Identifier: MIT */
/* rates.c: which instance of the equations of motion a system takes, and RK4 over each of them; see rates.h.
 * Reference: Kutta, Z. Math. Phys. 1901. */
#include "rates.h"

#include <liestep/convert.h>
#include <liestep/product.h>

#include <math.h>
#include <string.h>

static const struct instance {
    rate_shape shape;
    int length, diagonal, forced, general;
    void (*rate)(double *dy, const double *y, const rate_problem *p);
} instances[RATE_KINDS] = {
#define SHAPE_attitude RATE_ATTITUDE
#define SHAPE_motion RATE_MOTION
#define SHAPE_factors RATE_FACTORS
#define SHAPE_flat RATE_FLAT
#define INSTANCE(name, shape, length, diagonal, forced, general)                                                       \
    {SHAPE_##shape, length, diagonal, forced, general, rate_##name},
    RATE_LIST(INSTANCE)
#undef INSTANCE
};

/* I^-1 by Gauss and Jordan; I positive definite. 0, or -1 if a pivot is not positive. */
static int invert(int n, double *inverse, const double *I)
{
    double M[RATE_DIM * RATE_DIM];
    memcpy(M, I, (size_t)(n * n) * sizeof *M);
    for (int i = 0; i < n * n; i++) inverse[i] = i % (n + 1) == 0;
    for (int k = 0; k < n; k++) {
        double pivot = M[k * n + k];
        if (!(pivot > 0.0)) return -1;
        for (int j = 0; j < n; j++) M[k * n + j] /= pivot, inverse[k * n + j] /= pivot;
        for (int i = 0; i < n; i++) {
            double f = i == k ? 0.0 : M[i * n + k];
            for (int j = 0; j < n; j++) M[i * n + j] -= f * M[k * n + j], inverse[i * n + j] -= f * inverse[k * n + j];
        }
    }
    return 0;
}

static int is_diagonal(int n, const double *I)
{
    for (int i = 0; i < n * n; i++)
        if (i % (n + 1) != 0 && I[i] != 0.0) return 0;
    return 1;
}

/* SO3 x R3 */
static int is_attitude_and_place(const lie_ops *G)
{
    const lie_product *p = (const lie_product *)G->ctx;
    if (strcmp(G->group, "product") != 0 || p->count != 2 || G->size != 12) return 0;
    return strcmp(p->factor[0]->group, "SO3") == 0 && p->factor[1]->dim == 3 && p->factor[1]->group[0] == 'R';
}

static int shape_of(const lie_ops *G)
{
    if (strcmp(G->group, "SO3") == 0 || strcmp(G->group, "S3") == 0) return RATE_ATTITUDE;
    if (strcmp(G->group, "SE3") == 0) return RATE_MOTION;
    if (is_attitude_and_place(G)) return RATE_FACTORS;
    return G->group[0] == 'R' && G->size == G->dim ? RATE_FLAT : -1;
}

int rate_problem_init(rate_problem *p, const lie_system *sys, const double *u)
{
    int n = sys->group->dim, shape = shape_of(sys->group);
    if (shape < 0 || !sys->inertia || n > RATE_DIM) return -1;
    int general = sys->gyro || sys->external, forced = general || sys->force;
    int diagonal = !general && is_diagonal(n, sys->inertia);
    int length = shape == RATE_ATTITUDE ? 7 : shape == RATE_FLAT ? 2 * n : 13;
    *p = (rate_problem){.sys = sys, .u = u, .shape = (rate_shape)shape, .length = length, .dim = n};
    if (invert(n, p->inverse, sys->inertia) != 0) return -1;
    for (int i = 0; i < n; i++) p->reciprocal[i] = p->inverse[n * i + i];
    for (int k = 0; k < RATE_KINDS; k++) {
        const struct instance *c = &instances[k];
        int fits = c->forced == forced && c->general == general && c->diagonal == diagonal;
        if (c->shape != p->shape || c->length != length || !(shape == RATE_FLAT || fits)) continue;
        p->kind = (rate_kind)k;
        p->rate = c->rate;
        return 0;
    }
    return -1;
}

void rate_pack(const rate_problem *p, double *y, const double *g, const double *m)
{
    if (p->shape == RATE_FLAT) {
        memcpy(y, g, (size_t)p->dim * sizeof *y);
    } else if (p->shape == RATE_ATTITUDE && p->sys->group->size == 4) {
        memcpy(y, g, 4 * sizeof *y);
    } else {
        (void)lie_matrix_to_quat(y, g);
        if (p->shape != RATE_ATTITUDE) memcpy(y + 4, g + 9, 3 * sizeof *y);
    }
    memcpy(y + p->length - p->dim, m, (size_t)p->dim * sizeof *y);
}

void rate_unpack(const rate_problem *p, double *g, double *m, const double *y)
{
    memcpy(m, y + p->length - p->dim, (size_t)p->dim * sizeof *m);
    if (p->shape == RATE_FLAT) {
        memcpy(g, y, (size_t)p->dim * sizeof *g);
        return;
    }
    if (p->shape == RATE_ATTITUDE && p->sys->group->size == 4) {
        double length = sqrt((y[0] * y[0] + y[1] * y[1]) + (y[2] * y[2] + y[3] * y[3]));
        for (int i = 0; i < 4; i++) g[i] = y[i] / length;
        return;
    }
    lie_quat_to_matrix(g, y);
    if (p->shape != RATE_ATTITUDE) memcpy(g + 9, y + 4, 3 * sizeof *g);
}

RATE_INLINE void normalise_quaternion(double *q)
{
    double f = 1.0 / sqrt((q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]));
    for (int i = 0; i < 4; i++) q[i] *= f;
}

typedef void rate_fn(double *dy, const double *y, const rate_problem *p);

RATE_INLINE void rk4(int n, rate_fn *rate, const rate_problem *p, double *state, double h, long long steps,
                     int normalise)
{
    double y[RATE_SIZE], k[RATE_SIZE], u[RATE_SIZE], sum[RATE_SIZE];
    memcpy(y, state, (size_t)n * sizeof *y);
    for (long long s = 0; s < steps; s++) {
        rate(sum, y, p);
        for (int i = 0; i < n; i++) u[i] = y[i] + 0.5 * h * sum[i];
        rate(k, u, p);
        for (int i = 0; i < n; i++) u[i] = y[i] + 0.5 * h * k[i], sum[i] += k[i] + k[i];
        rate(k, u, p);
        for (int i = 0; i < n; i++) u[i] = y[i] + h * k[i], sum[i] += k[i] + k[i];
        rate(k, u, p);
        for (int i = 0; i < n; i++) y[i] += (h / 6.0) * (sum[i] + k[i]);
        if (normalise) normalise_quaternion(y);
    }
    memcpy(state, y, (size_t)n * sizeof *y);
}

#define RK4(name, shape, length, diagonal, forced, general)                                                            \
    static void rk4_##name(const rate_problem *p, double *y, double h, long long n, int normalise)                     \
    {                                                                                                                  \
        if (normalise)                                                                                                 \
            rk4(length, rate_##name, p, y, h, n, 1);                                                                   \
        else                                                                                                           \
            rk4(length, rate_##name, p, y, h, n, 0);                                                                   \
    }
RATE_LIST(RK4)
#undef RK4

void rate_rk4(const rate_problem *p, double *y, double h, long long n, int normalise)
{
    static void (*const run[RATE_KINDS])(const rate_problem *, double *, double, long long, int) = {
#define RUN(name, shape, length, diagonal, forced, general) rk4_##name,
        RATE_LIST(RUN)
#undef RUN
    };
    if (p->calls) *p->calls += 4 * n;
    run[p->kind](p, y, h, n, normalise && p->shape != RATE_FLAT);
}
