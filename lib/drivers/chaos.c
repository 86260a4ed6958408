/* SPDX-License-Identifier: MIT */
/* chaos.c: indicators of chaos from the tangent of the steps; see chaos.h. Variations are stored row by row and
 * orthonormalised after every step by the modified Gram-Schmidt process, twice where the first leaves little.
 *
 * References: Benettin, Galgani, Giorgilli & Strelcyn, Meccanica 15 (1980); Froeschle, Lega & Gonczi, Celest. Mech. 67
 * (1997); Skokos, J. Phys. A 34 (2001). */
#include <liestep/chaos.h>

#include <math.h>
#include <string.h>

#include "groups/num/refuse.h"

struct lie_chaos {
    lie_chaos_numbers now;
    int dim;
    double scale;      /* of momenta */
    double size;       /* log |v| */
    double *exponents; /* k */
    double *growth;    /* k sums of logarithms */
    double *V, *W;     /* variations, 2 n numbers each, one behind the other: k orthonormal ones; 2 of unit length */
    double *T;
    void *work; /* of the tangent */
    size_t bytes;
};

enum { HEAD = (sizeof(struct lie_chaos) + sizeof(double) - 1) / sizeof(double) };

/* Numbers that a checkpoint keeps: exponents, growth, V and W, one behind the other */
static size_t numbers_of(int dim, int vectors)
{
    size_t N = 2 * (size_t)dim, k = (size_t)vectors;
    return 2 * k + N * k + 2 * N;
}

size_t lie_chaos_memsize(const lie_stepper *st, int vectors)
{
    int dim = lie_stepper_group(st)->dim;
    if (vectors < 1 || vectors > 2 * dim) return 0;
    size_t N = 2 * (size_t)dim;
    return (HEAD + numbers_of(dim, vectors) + N * N) * sizeof(double) + lie_tangent_memsize(st);
}

/* The golden ratio's multiples modulo 1, about 0: no variation starts in a special direction, and all differ. */
static double scattered(int i)
{
    double x = 0.6180339887498949 * (i + 1) * (i + 2);
    return x - floor(x) - 0.5;
}

static double norm(int N, const double *v)
{
    double sum = 0.0;
    for (int i = 0; i < N; i++) sum += v[i] * v[i];
    return sqrt(sum);
}

static double dot(int N, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < N; i++) sum += a[i] * b[i];
    return sum;
}

static double normalise(int N, double *v)
{
    double size = norm(N, v);
    for (int i = 0; i < N; i++) v[i] /= size;
    return size;
}

/* the k rows of V orthonormal; growth_i += log of the length of row i without the rows before */
static void orthonormalise(int N, int k, double *V, double *growth)
{
    for (int i = 0; i < k; i++) {
        double *v = V + i * N, size = norm(N, v), left;
        for (int pass = 0; pass < 2; pass++)
            for (int j = 0; j < i; j++) {
                double part = dot(N, v, V + j * N);
                for (int l = 0; l < N; l++) v[l] -= part * V[j * N + l];
            }
        left = normalise(N, v);
        if (growth) growth[i] += log(left > 0.0 ? left : 0x1p-1000 * size);
    }
}

static double sali(int N, const double *v, const double *w)
{
    double plus = 0.0, minus = 0.0;
    for (int i = 0; i < N; i++) {
        plus += (v[i] + w[i]) * (v[i] + w[i]);
        minus += (v[i] - w[i]) * (v[i] - w[i]);
    }
    return sqrt(plus < minus ? plus : minus);
}

lie_status lie_chaos_reset(lie_chaos *c, const lie_state *s)
{
    int k = c->now.vectors, N = 2 * c->dim;
    if (s->room_m < c->dim) return LIE_ERR_SIZE;
    double scale = norm(c->dim, lie_state_m(s));
    c->scale = scale > 0.0 ? scale : 1.0;
    c->size = 0.0;
    memset(c->exponents, 0, 2 * (size_t)k * sizeof *c->exponents);
    for (int i = 0; i < N * k; i++) c->V[i] = scattered(i);
    for (int i = 0; i < 2 * N; i++) c->W[i] = scattered(N * k + i);
    orthonormalise(N, k, c->V, 0);
    normalise(N, c->W), normalise(N, c->W + N);
    c->now = (lie_chaos_numbers){.vectors = k, .exponents = c->exponents, .sali = sali(N, c->W, c->W + N)};
    return LIE_OK;
}

lie_status lie_chaos_init(lie_chaos **c, const lie_stepper *st, const lie_state *s, int vectors, void *work,
                          size_t bytes)
{
    lie_chaos *made = (lie_chaos *)work;
    int dim = lie_stepper_group(st)->dim, N = 2 * dim;
    if (vectors < 1 || vectors > N || s->room_m < dim) return LIE_ERR_SIZE;
    if (lie__refuse_memory(0, work, bytes, lie_chaos_memsize(st, vectors)) != LIE_OK) return LIE_ERR_MEMORY;
    double *room = (double *)work + HEAD;
    *made = (lie_chaos){.now = {.vectors = vectors}, .dim = dim, .exponents = room, .growth = room + vectors};
    made->V = made->growth + vectors;
    made->W = made->V + N * vectors;
    made->T = made->W + 2 * N;
    made->work = made->T + N * N;
    made->bytes = lie_tangent_memsize(st);
    *c = made;
    return lie_chaos_reset(made, s);
}

const lie_chaos_numbers *lie_chaos_now(const lie_chaos *c)
{
    return &c->now;
}

/* v <- T v in units of (1, scale) */
static void carry(int n, const double *T, double scale, double *v)
{
    double out[2 * LIE_DIM_MAX];
    for (int i = 0; i < 2 * n; i++) {
        out[i] = 0.0;
        for (int j = 0; j < 2 * n; j++) out[i] += T[i * 2 * n + j] * (j < n ? v[j] : scale * v[j]);
    }
    for (int i = 0; i < 2 * n; i++) v[i] = i < n ? out[i] : out[i] / scale;
}

lie_status lie_chaos_run(lie_chaos *c, lie_stepper *st, lie_state *s, double h, long long n)
{
    lie_chaos_numbers *now = &c->now;
    int dim = c->dim, N = 2 * dim;
    if (lie_stepper_group(st)->dim != dim) return LIE_ERR_SIZE;
    for (long long step = 0; step < n; step++) {
        lie_status status = lie_step_tangent(st, s, h, c->T, c->work, c->bytes);
        if (status != LIE_OK) return status;
        for (int i = 0; i < now->vectors; i++) carry(dim, c->T, c->scale, c->V + i * N);
        for (int i = 0; i < 2; i++) carry(dim, c->T, c->scale, c->W + i * N);
        orthonormalise(N, now->vectors, c->V, c->growth);
        c->size += log(normalise(N, c->W));
        normalise(N, c->W + N);
        now->fli = c->size > now->fli ? c->size : now->fli;
        now->time += fabs(h);
    }
    now->sali = sali(N, c->W, c->W + N);
    for (int i = 0; i < now->vectors && now->time > 0.0; i++) c->exponents[i] = c->growth[i] / now->time;
    return LIE_OK;
}

enum { SCALARS = 5 };

int lie_chaos_memory_count(const lie_chaos *c)
{
    return SCALARS + (int)numbers_of(c->dim, c->now.vectors);
}

void lie_chaos_memory_get(const lie_chaos *c, double *out)
{
    const double scalars[SCALARS] = {c->now.time, c->now.fli, c->now.sali, c->scale, c->size};
    memcpy(out, scalars, sizeof scalars);
    memcpy(out + SCALARS, c->exponents, numbers_of(c->dim, c->now.vectors) * sizeof *out);
}

void lie_chaos_memory_set(lie_chaos *c, const double *in)
{
    c->now.time = in[0], c->now.fli = in[1], c->now.sali = in[2], c->scale = in[3], c->size = in[4];
    memcpy(c->exponents, in + SCALARS, numbers_of(c->dim, c->now.vectors) * sizeof *in);
}
