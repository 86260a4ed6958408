/* SPDX-License-Identifier: MIT */
/* advice.c: what a step of some length means for a motion; see estimate.h.
 *
 * Rates are spectral radii of three matrices, dim x dim, at (g, xi):
 *     ad_xi                                   how fast frames turn
 *     I^-1 dF, dF_ij = d/ds F_i along e_j     squares of the rates of small oscillations
 *     e_j -> ad*_{I^-1 e_j} m + ad*_xi e_j + (df/dxi) I^-1 e_j     how fast momentum changes by itself, and with drag
 * and each is found by Gelfand's formula, rho(A) = lim |A^k|^(1/k), with k = 2, 4, ... 2^SQUARINGS: only products and
 * square roots. |A^k| <= c k^n rho^k, so what is left of the constant is below a hundredth.
 *
 * Reference: Horn & Johnson, Matrix Analysis, 2012, corollary 5.6.14. */
#include <liestep/estimate.h>

#include <math.h>
#include <string.h>

#include "groups/num/loops.h"
#include "groups/num/newton.h"

enum { SQUARINGS = 12 };

/* A <- A A */
static void square(int n, double *A, double *room)
{
    memcpy(room, A, (size_t)(n * n) * sizeof *A);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++) sum += room[i * n + k] * room[k * n + j];
            A[i * n + j] = sum;
        }
}

/* max |A_ij|; NaN if there is one */
static double largest(int count, const double *A)
{
    double r = 0.0;
    for (int i = 0; i < count; i++)
        if (!(fabs(A[i]) <= r)) r = fabs(A[i]);
    return r;
}

/* a^(1/2^k) */
static double root(double a, int k)
{
    while (k-- > 0) a = sqrt(a);
    return a;
}

/* A is lost. Before each squaring A is divided by its size s_k, so that rho(A) is the product of s_k^(1/2^k). */
static double spectral_radius(int n, double *A, double *room)
{
    double rho = 1.0;
    for (int k = 0; k <= SQUARINGS; k++) {
        double size = largest(n * n, A);
        if (!(size > 0.0) || !(size - size == 0.0)) return size;
        rho *= root(size, k);
        for (int i = 0; i < n * n; i++) A[i] /= size;
        if (k < SQUARINGS) square(n, A, room);
    }
    return rho;
}

/* The inertia, or d mu / d xi, as factors. */
typedef struct legendre {
    double H[LIE_DIM_MAX * LIE_DIM_MAX];
    int pivots[LIE_DIM_MAX];
} legendre;

static int factor_inertia(legendre *L, const lie_system *sys, const double *g, const double *xi)
{
    lie_system_hessian(sys, L->H, g, xi);
    return lie__linear_plain.factor(sys->group->dim, L->H, L->pivots) != 0;
}

static double swing_rate(const lie_system *sys, const legendre *L, const double *g, const double *xi, double *D,
                         double *room)
{
    double column[LIE_DIM_MAX];
    int n = sys->group->dim;
    if (!sys->force && !sys->gyro && !sys->lagrangian) return 0.0;
    lie_system_force_deriv(sys, D, g, xi);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) column[i] = D[i * n + j];
        lie__linear_plain.solve(n, L->H, L->pivots, column);
        for (int i = 0; i < n; i++) D[i * n + j] = column[i];
    }
    return sqrt(spectral_radius(n, D, room));
}

static double momentum_rate(const lie_system *sys, const legendre *L, const lie_state *s, const double *xi,
                            const double *u, double *D, double *room)
{
    const lie_ops *G = sys->group;
    double e[LIE_DIM_MAX] = {0.0}, eta[LIE_DIM_MAX], a[LIE_DIM_MAX], b[LIE_DIM_MAX];
    int n = G->dim;
    if (sys->external) lie_system_external_deriv(sys, room, s->t, lie_state_g(s), xi, u);
    for (int j = 0; j < n; j++) {
        e[j] = 1.0;
        copy_n(n, eta, e);
        lie__linear_plain.solve(n, L->H, L->pivots, eta);
        G->adt(G, a, eta, lie_state_m(s));
        G->adt(G, b, xi, e);
        for (int i = 0; i < n; i++) {
            double sum = a[i] + b[i];
            for (int k = 0; sys->external && k < n; k++) sum += room[i * n + k] * eta[k];
            D[i * n + j] = sum;
        }
        e[j] = 0.0;
    }
    return spectral_radius(n, D, room);
}

static double turn_rate(const lie_ops *G, const double *xi, double *A, double *room)
{
    double e[LIE_DIM_MAX] = {0.0}, column[LIE_DIM_MAX];
    for (int j = 0; j < G->dim; j++) {
        e[j] = 1.0;
        G->ad(G, column, xi, e);
        for (int i = 0; i < G->dim; i++) A[i * G->dim + j] = column[i];
        e[j] = 0.0;
    }
    return spectral_radius(G->dim, A, room);
}

/* The larger one; NaN if there is one */
static double larger(double a, double b)
{
    return a >= b ? a : b - a == b - a ? b : a + b;
}

lie_status lie_step_advice(lie_step_report *out, const lie_system *sys, const lie_state *s, const double *u, double h)
{
    const double pi = 3.14159265358979323846;
    double xi[LIE_DIM_MAX], A[LIE_DIM_MAX * LIE_DIM_MAX] = {0.0}, room[LIE_DIM_MAX * LIE_DIM_MAX] = {0.0};
    legendre L;
    lie_status status = lie_system_velocity(sys, xi, lie_state_g(s), lie_state_m(s));
    if (status == LIE_OK && !factor_inertia(&L, sys, lie_state_g(s), xi)) status = LIE_ERR_SINGULAR;
    if (status != LIE_OK) return status;
    double turn = turn_rate(sys->group, xi, A, room),
           rate = larger(turn, swing_rate(sys, &L, lie_state_g(s), xi, A, room));
    rate = larger(rate, momentum_rate(sys, &L, s, xi, u, A, room));
    double angle = rate * fabs(h);
    lie_step_report r = {.turn = turn * fabs(h), .rate = rate, .steps = angle > 0.0 ? 2.0 * pi / angle : HUGE_VAL};
    if (!(angle - angle == 0.0) || s->t + h == s->t) r.doubts |= LIE_DOUBT_LOST;
    if (r.turn > pi) r.doubts |= LIE_DOUBT_TURN;
    if (r.steps < LIE_STEPS_FEW) r.doubts |= LIE_DOUBT_COARSE;
    *out = r;
    return LIE_OK;
}
