/* SPDX-License-Identifier: MIT */
/* surface.c: points on a surface of energy, Casimirs and a section; see surface.h.
 *
 * Newton's method for k equations c(m) = 0 in n >= k unknowns: m <- m - D^T (D D^T)^-1 c, halved while it does not
 * reduce |c|. Each equation is measured in units of its own size: 1 + |its value asked for|. The derivative of the
 * energy is the velocity, those of Casimirs and section are central differences. */
#include <liestep/surface.h>

#include <math.h>

#include "groups/num/cholesky.h"
#include "groups/num/finite.h"
#include "lib/methods/stepping.h"

enum { EQUATIONS_MAX = LIE_DIM_MAX };

/* The equations that are asked for, each divided by its size. Returns how many; -1 where one is not finite. */
static int equations(const lie_surface *S, const lie_state *s, double *c)
{
    const lie_system *sys = S->system;
    double C[LIE_DIM_MAX], E;
    int k = 0;
    if (S->has_energy) {
        if (lie_state_energy(sys, &E, s) != LIE_OK) return -1;
        c[k++] = (E - S->energy) / (1.0 + fabs(S->energy));
    }
    if (S->casimirs) lie_state_casimirs(sys, C, s);
    for (int i = 0; S->casimirs && i < sys->group->casimirs; i++)
        if (S->casimirs[i] == S->casimirs[i]) c[k++] = (C[i] - S->casimirs[i]) / (1.0 + fabs(S->casimirs[i]));
    if (S->event) c[k++] = S->event->value(S->event->ctx, sys, s->t, lie_state_g(s), lie_state_m(s));
    for (int i = 0; i < S->count && k < EQUATIONS_MAX; i++)
        c[k++] = S->more[i].value(S->more[i].ctx, sys, s->t, lie_state_g(s), lie_state_m(s));
    return all_finite(k, c) ? k : -1;
}

static double norm(int n, const double *c)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += c[i] * c[i];
    return sqrt(sum);
}

/* D (k x n) by central differences; 0 where they fail */
static int slopes(const lie_surface *S, const lie_state *s, int k, double *D)
{
    int n = S->system->group->dim;
    const double *m = lie_state_m(s);
    double plus[EQUATIONS_MAX], minus[EQUATIONS_MAX], d = 0x1p-17 * (1.0 + norm(n, m));
    lie_large_state room;
    lie_state *beside = state_in(S->system->group, &room, s);
    double *moved = lie_state_m(beside);
    for (int j = 0; j < n; j++) {
        moved[j] = m[j] + d;
        int good = equations(S, beside, plus) == k;
        moved[j] = m[j] - d;
        good = good && equations(S, beside, minus) == k;
        moved[j] = m[j];
        if (!good) return 0;
        for (int i = 0; i < k; i++) D[i * n + j] = (plus[i] - minus[i]) / (2.0 * d);
    }
    return 1;
}

/* step = D^T (D D^T)^-1 c; 0 if D has not full rank */
static int least_step(int k, int n, const double *D, const double *c, double *step)
{
    double A[EQUATIONS_MAX * EQUATIONS_MAX], L[EQUATIONS_MAX * EQUATIONS_MAX], y[EQUATIONS_MAX];
    for (int i = 0; i < k; i++)
        for (int j = 0; j < k; j++) {
            A[i * k + j] = 0.0;
            for (int l = 0; l < n; l++) A[i * k + j] += D[i * n + l] * D[j * n + l];
        }
    if (!cholesky_factor(k, L, A)) return 0;
    copy_n(k, y, c);
    cholesky_solve(k, L, y);
    for (int l = 0; l < n; l++) {
        step[l] = 0.0;
        for (int i = 0; i < k; i++) step[l] += D[i * n + l] * y[i];
    }
    return 1;
}

/* m <- m - f step with the largest f = 1, 1/2, 1/4, ... that reduces |c|, which is updated; 0 if none does */
static int descend(const lie_surface *S, lie_state *s, int k, double *c, const double *step)
{
    int n = S->system->group->dim;
    double next[EQUATIONS_MAX];
    lie_large_state room;
    lie_state *there = state_in(S->system->group, &room, s);
    double *m = lie_state_m(s), *next_m = lie_state_m(there);
    for (int tries = 0; tries < 12; tries++) {
        double f = ldexp(1.0, -tries);
        for (int i = 0; i < n; i++) next_m[i] = m[i] - f * step[i];
        if (equations(S, there, next) != k || !(norm(k, next) < norm(k, c))) continue;
        copy_n(n, m, next_m);
        copy_n(k, c, next);
        return 1;
    }
    return 0;
}

lie_status lie_surface_move(const lie_surface *S, lie_state *s)
{
    enum { ITERATIONS = 60 };
    int n = S->system->group->dim;
    double c[EQUATIONS_MAX] = {0.0}, D[EQUATIONS_MAX * LIE_DIM_MAX] = {0.0}, step[LIE_DIM_MAX];
    lie_large_state room;
    if (!state_fits(S->system->group, s)) return LIE_ERR_SIZE;
    lie_state *at = state_in(S->system->group, &room, s);
    int k = equations(S, at, c);
    if (k < 0) return LIE_ERR_NOT_FINITE;
    if (k > n) return LIE_ERR_NO_CONVERGENCE;
    for (int i = 0; i < ITERATIONS && norm(k, c) > 0.0; i++) {
        if (!slopes(S, at, k, D)) return LIE_ERR_NOT_FINITE;
        if (!least_step(k, n, D, c, step)) break;
        if (!descend(S, at, k, c, step)) break;
    }
    if (norm(k, c) > 0x1p-44) return LIE_ERR_NO_CONVERGENCE;
    zero_n(n, lie_state_low_m(at));
    state_copy_body(S->system->group, s, at);
    return LIE_OK;
}

/* splitmix64 (Steele, Lea & Flood, OOPSLA 2014): a number in [0, 1) from a counter */
static double uniform(unsigned long long *counter)
{
    unsigned long long z = *counter += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/* nearly normal: the sum of twelve */
static double normal(unsigned long long *counter)
{
    double sum = -6.0;
    for (int i = 0; i < 12; i++) sum += uniform(counter);
    return sum;
}

/* a random momentum, scaled to the energy where that is given and above that at rest */
static lie_status scatter(const lie_surface *S, lie_state *s, unsigned long long *counter)
{
    const lie_system *sys = S->system;
    int n = sys->group->dim;
    double xi[LIE_DIM_MAX], rest[LIE_DIM_MAX] = {0.0}, E, E0 = lie_system_energy(sys, lie_state_g(s), rest);
    for (int i = 0; i < n; i++) xi[i] = normal(counter);
    E = lie_system_energy(sys, lie_state_g(s), xi);
    double ratio = S->has_energy && E > E0 ? (S->energy - E0) / (E - E0) : 1.0;
    for (int i = 0; i < n; i++) xi[i] *= ratio > 0.0 ? sqrt(ratio) : 0.0;
    lie_system_momentum(sys, lie_state_m(s), lie_state_g(s), xi);
    return all_finite(n, lie_state_m(s)) ? LIE_OK : LIE_ERR_NOT_FINITE;
}

lie_status lie_surface_sample(const lie_surface *S, lie_state *s, unsigned long long seed, unsigned long long index,
                              int tries)
{
    if (!state_fits(S->system->group, s)) return LIE_ERR_SIZE;
    unsigned long long counter = seed * 0xd1342543de82ef95ULL + index * 0xda942042e4dd58b5ULL;
    lie_status status = LIE_ERR_NO_CONVERGENCE;
    for (int i = 0; i < tries && status != LIE_OK; i++) {
        lie_large_state room;
        lie_state *at = state_in(S->system->group, &room, s);
        status = scatter(S, at, &counter);
        if (status == LIE_OK) status = lie_surface_move(S, at);
        if (status == LIE_OK) state_copy_body(S->system->group, s, at);
    }
    return status;
}
