/* SPDX-License-Identifier: MIT */
/* chaos.c: indicators of chaos from the tangent of the steps; see chaos.h. Variations are stored row by row and
 * orthonormalised after every step by the modified Gram-Schmidt process, twice where the first leaves little.
 *
 * References: Benettin, Galgani, Giorgilli & Strelcyn, Meccanica 15 (1980); Froeschle, Lega & Gonczi, Celest. Mech. 67
 * (1997); Skokos, J. Phys. A 34 (2001). */
#include <liestep/chaos.h>

#include <math.h>
#include <string.h>

size_t lie_chaos_doubles(const lie_stepper *st, int vectors)
{
    size_t N = 2 * (size_t)lie_stepper_group(st)->dim, k = (size_t)vectors;
    return 2 * k + N * k + 2 * N + N * N + lie_tangent_doubles(st);
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

lie_status lie_chaos_init(lie_chaos *c, const lie_stepper *st, const lie_state *s, int vectors, double *work)
{
    int n = lie_stepper_group(st)->dim, N = 2 * n;
    if (vectors < 1 || vectors > N) return LIE_ERR_SIZE;
    double scale = norm(n, lie_state_m(s));
    *c = (lie_chaos){.vectors = vectors, .scale = scale > 0.0 ? scale : 1.0};
    c->exponents = work;
    c->growth = c->exponents + vectors;
    c->V = c->growth + vectors;
    c->W = c->V + N * vectors;
    c->T = c->W + 2 * N;
    c->work = c->T + N * N;
    memset(c->exponents, 0, 2 * (size_t)vectors * sizeof *c->exponents);
    for (int i = 0; i < N * vectors; i++) c->V[i] = scattered(i);
    for (int i = 0; i < 2 * N; i++) c->W[i] = scattered(N * vectors + i);
    orthonormalise(N, vectors, c->V, 0);
    normalise(N, c->W), normalise(N, c->W + N);
    c->sali = sali(N, c->W, c->W + N);
    return LIE_OK;
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
    int dim = lie_stepper_group(st)->dim, N = 2 * dim;
    for (long long step = 0; step < n; step++) {
        lie_status status = lie_step_tangent(st, s, h, c->T, c->work);
        if (status != LIE_OK) return status;
        for (int i = 0; i < c->vectors; i++) carry(dim, c->T, c->scale, c->V + i * N);
        for (int i = 0; i < 2; i++) carry(dim, c->T, c->scale, c->W + i * N);
        orthonormalise(N, c->vectors, c->V, c->growth);
        c->size += log(normalise(N, c->W));
        normalise(N, c->W + N);
        c->fli = c->size > c->fli ? c->size : c->fli;
        c->time += fabs(h);
    }
    c->sali = sali(N, c->W, c->W + N);
    for (int i = 0; i < c->vectors && c->time > 0.0; i++) c->exponents[i] = c->growth[i] / c->time;
    return LIE_OK;
}

/* exponents, growth, V and W lie one behind the other; T follows */
static size_t kept_doubles(const lie_chaos *c)
{
    return (size_t)(c->T - c->exponents);
}

enum { KEPT_SCALARS = 5 };

int lie_chaos_memory_count(const lie_chaos *c)
{
    return KEPT_SCALARS + (int)kept_doubles(c);
}

void lie_chaos_memory_get(const lie_chaos *c, double *out)
{
    const double scalars[KEPT_SCALARS] = {c->time, c->fli, c->sali, c->scale, c->size};
    memcpy(out, scalars, sizeof scalars);
    memcpy(out + KEPT_SCALARS, c->exponents, kept_doubles(c) * sizeof *out);
}

void lie_chaos_memory_set(lie_chaos *c, const double *in)
{
    c->time = in[0], c->fli = in[1], c->sali = in[2], c->scale = in[3], c->size = in[4];
    memcpy(c->exponents, in + KEPT_SCALARS, kept_doubles(c) * sizeof *in);
}
