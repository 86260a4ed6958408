/* SPDX-License-Identifier: MIT */
/* embedded_matrix.c: the groups g^T J g = J in T*R^(n x n), J symmetric or antisymmetric; see embedded_leaf.h.
 *
 * With theta(A) = J^-1 A^T J, theta(A B) = theta(B) theta(A), the group is theta(g) g = 1, the algebra theta(X) = -X.
 * A dual vector m is the matrix f of the algebra with tr(f X) = <m, x>. The flat space is that of (g, Z), Z = J^-1 P J
 * for the P that is conjugate to g; at the node Z = -g f(m), and
 *
 *     <mu, x> = tr(theta(Z) g X),    g' = g X,    Z' = Z X - 2 a u,    S u + u S = f(F),    g = a S
 *
 * with X that of the velocity, F of the force at a, the element nearest to g: the potential V(a), a function of all g
 * around the group, has this gradient. S = theta(S) is near 1.
 *
 * g J^-1 g^T is an invariant on all of the space, whatever xi is: it moves with g (X J^-1 + J^-1 X^T) g^T = 0. It is
 * quadratic, its flow is linear, and mu and the equations do not change along it: Gauss keeps it, and with it T*G, its
 * form, and the spatial momentum, which is bilinear in g and Z.
 *
 * a by Newton's iteration a <- a + a (1 - theta(a) a)/2 (Higham, Mackey, Mackey & Tisseur 2005), u by passes: g is off
 * the group by what the stages are, so that both take a few products of matrices. Nothing is ever factored. */
#include "lib/methods/embedded/embedded_leaf.h"

enum { ENTRIES = LIE_SIZE_MAX, STAGES = EMBEDDED_STAGES_MAX, PASSES = 60 };

static const lie_quadratic *of(const embedded_leaf *L)
{
    return L->G->quadratic;
}

/* out = A B */
static void times(int n, double *out, const double *A, const double *B)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) out[i * n + j] = A[i * n] * B[j];
        for (int k = 1; k < n; k++)
            for (int j = 0; j < n; j++) out[i * n + j] += A[i * n + k] * B[k * n + j];
    }
}

/* out = theta(A) B = J^-1 A^T J B */
static void theta_times(const lie_quadratic *Q, double *out, const double *A, const double *B)
{
    double JB[ENTRIES], AJB[ENTRIES];
    int n = Q->n;
    times(n, JB, Q->J, B);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) AJB[i * n + j] = A[i] * JB[j];
        for (int k = 1; k < n; k++)
            for (int j = 0; j < n; j++) AJB[i * n + j] += A[k * n + i] * JB[k * n + j];
    }
    times(n, out, Q->J_inverse, AJB);
}

static double largest(int count, const double *a)
{
    double most = 0.0;
    for (int i = 0; i < count; i++)
        if (!(fabs(a[i]) <= most)) most = fabs(a[i]); // NOLINT(clang-analyzer-core.*)
    return most;
}

/* The matrix with these numbers on and below the diagonal, and `sign` times them above; where the sign is -1 there are
 * none on the diagonal. Off the diagonal they are multiplied by `off`. */
static void unpack(const lie_quadratic *Q, double *K, const double *x, double off)
{
    int n = Q->n;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++, x++) K[i * n + j] = off * *x, K[j * n + i] = -Q->sign * (off * *x);
        K[i * n + i] = Q->sign < 0 ? *x++ : 0.0;
    }
}

/* The coordinates of T + sign T^T as a dual vector: <m, x> = tr(T^T K). */
static void pack(const lie_quadratic *Q, double *m, const double *T)
{
    int n = Q->n;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) *m++ = T[i * n + j] - Q->sign * T[j * n + i];
        if (Q->sign < 0) *m++ = T[i * n + i];
    }
}

/* X = J^-1 K */
static void velocity_matrix(const lie_quadratic *Q, double *X, const double *x)
{
    double K[ENTRIES];
    unpack(Q, K, x, 1.0);
    times(Q->n, X, Q->J_inverse, K);
}

/* f, tr(f X) = <m, x>: -J^T S, S with <m, x> = tr(S^T K), from the right */
static void dual_matrix(const lie_quadratic *Q, double *f, const double *m)
{
    double S[ENTRIES] = {0.0};
    unpack(Q, S, m, 0.5);
    times(Q->n, f, S, Q->J);
    for (int i = 0; i < Q->n * Q->n; i++) f[i] *= -Q->sign;
}

/* E = 1 - theta(a) a */
static void defect(const lie_quadratic *Q, double *E, const double *a)
{
    theta_times(Q, E, a, a);
    for (int i = 0; i < Q->n * Q->n; i++)
        E[i] = (i % (Q->n + 1) == 0 ? 1.0 : 0.0) - E[i]; // NOLINT(clang-analyzer-core.*)
}

/* What the rounding of elements as large as a leaves of E, relative to that near 1. */
static double reach_of(const lie_quadratic *Q, const double *a)
{
    double most = largest(Q->n * Q->n, a);
    return most > 1.0 ? most * most : 1.0;
}

/* a, near to g; false where g is too far from the group. */
static int nearest(const lie_quadratic *Q, double *a, const double *g)
{
    double E[ENTRIES], aE[ENTRIES];
    int entries = Q->n * Q->n;
    copy_n(entries, a, g);
    for (int pass = 0; pass < PASSES; pass++) {
        defect(Q, E, a);
        double far = largest(entries, E);
        if (!(far < 1.0)) return 0;
        times(Q->n, aE, a, E);
        for (int i = 0; i < entries; i++) a[i] += 0.5 * aE[i];
        if (far <= 0x1p-27 || far <= 0x1p-48 * reach_of(Q, a)) return 1;
    }
    return 0;
}

/* u, S u + u S = f, by u <- (f - D u - u D)/2, D = S - 1 */
static int solve_halves(int n, double *u, double *D, const double *f)
{
    double Du[ENTRIES], uD[ENTRIES], size = largest(n * n, f), last = HUGE_VAL;
    for (int i = 0; i < n; i++) D[i * (n + 1)] -= 1.0;
    for (int i = 0; i < n * n; i++) u[i] = 0.5 * f[i];
    for (int pass = 0; pass < PASSES && last > 0x1p-54 * size; pass++) {
        times(n, Du, D, u);
        times(n, uD, u, D);
        last = 0.0;
        for (int i = 0; i < n * n; i++) {
            double next = 0.5 * (f[i] - (Du[i] + uD[i])), change = fabs(next - u[i]);
            if (!(change <= last)) last = change;
            u[i] = next;
        }
    }
    return last <= 0x1p-54 * size || size == 0.0;
}

/* The leaf */

static int takes(const lie_ops *G)
{
    const lie_quadratic *Q = G->quadratic;
    return Q && Q->n * Q->n == G->size && 2 * G->dim == Q->n * (Q->n - (int)Q->sign) && G->size <= ENTRIES;
}

static int rows(const lie_ops *G)
{
    return 2 * G->size;
}

static void describe(const embedded_leaf *L, flat_rows *to)
{
    flat_describe(to, FLAT_DIRECTION, L->G->size, 0, 0);
    flat_describe(to, FLAT_MOMENTUM, L->G->size, L->m, L->m + L->G->dim);
}

static void begin(const embedded_leaf *L, double *y, const lie_place *at, const double *end)
{
    const lie_quadratic *Q = of(L);
    double f[ENTRIES];
    (void)end;
    copy_n(L->G->size, y, at->g + L->g);
    dual_matrix(Q, f, at->m + L->m);
    times(Q->n, y + L->G->size, y, f);
    for (int i = 0; i < L->G->size; i++) y[L->G->size + i] = -y[L->G->size + i];
}

static lie_status seen(const embedded_leaf *L, double *g, double *m, const double *y, const lie_place *at)
{
    const lie_quadratic *Q = of(L);
    double B[ENTRIES], C[ENTRIES], T[ENTRIES];
    int n = Q->n;
    (void)at;
    theta_times(Q, B, y + L->G->size, y);
    times(n, C, B, Q->J_inverse);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) T[i * n + j] = C[j * n + i];
    pack(Q, m, T);
    return nearest(Q, g, y) ? LIE_OK : LIE_ERR_NO_CONVERGENCE;
}

static lie_status rate(const embedded_leaf *L, double *k, const double *y, const double *g, const double *m,
                       const double *xi, const double *F)
{
    const lie_quadratic *Q = of(L);
    double X[ENTRIES], f[ENTRIES], S[ENTRIES], u[ENTRIES], pull[ENTRIES];
    int n = Q->n, entries = L->G->size;
    (void)m;
    velocity_matrix(Q, X, xi);
    times(n, k, y, X);
    times(n, k + entries, y + entries, X);
    if (largest(L->G->dim, F) == 0.0) return LIE_OK;
    dual_matrix(Q, f, F);
    theta_times(Q, S, g, y);
    if (!solve_halves(n, u, S, f)) return LIE_ERR_NO_CONVERGENCE;
    times(n, pull, g, u);
    for (int i = 0; i < entries; i++) k[entries + i] -= 2.0 * pull[i];
    return LIE_OK;
}

/* P T P^T as a dual vector, T that of m: Ad* of P^-1 m; with `less`, less m itself, and P the difference from 1 */
static void moved_dual(const lie_quadratic *Q, double *out, const double *P, const double *m, int less)
{
    double S[ENTRIES], PS[ENTRIES], T[ENTRIES];
    int n = Q->n;
    unpack(Q, S, m, 0.5);
    times(n, PS, P, S);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++) sum += PS[i * n + k] * P[j * n + k];
            T[i * n + j] = less ? PS[i * n + j] - Q->sign * PS[j * n + i] + sum : sum;
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) T[j * n + i] = 0.0, T[i * n + j] *= 2.0;
    pack(Q, out, T);
}

/* m <- m + h sum_i b_i Ad*_{a_i^-1 g} F_i */
static void add_impulses(const embedded_leaf *L, const flat_step *S, lie_place *at)
{
    const lie_quadratic *Q = of(L);
    double P[ENTRIES], body[STAGES * LIE_DIM_MAX];
    for (int i = 0; i < S->stages; i++) {
        theta_times(Q, P, at->g + L->g, S->g + i * S->size + L->g);
        moved_dual(Q, body + i * L->G->dim, P, S->F + i * S->dim + L->m, 0);
    }
    for (int k = 0; k < L->G->dim; k++)
        carry_add(at->m + L->m + k, at->low_m + L->m + k, flat_sum(S, body + k, L->G->dim));
}

/* The node moves by d, brought back to the group: m+ = Ad*_{g^-1 g+} m, P = g+^-1 g = 1 - theta(g+) d. */
static int end(const embedded_leaf *L, const flat_step *S, lie_place *at)
{
    const lie_quadratic *Q = of(L);
    double d[ENTRIES], next[ENTRIES] = {0.0}, E[ENTRIES], back[ENTRIES], change[LIE_DIM_MAX];
    double *g = at->g + L->g, *m = at->m + L->m;
    int entries = L->G->size;
    for (int c = 0; c < entries; c++) {
        d[c] = flat_sum(S, S->K + L->y + c, S->rows);
        next[c] = g[c] + d[c];
    }
    defect(Q, E, next);
    if (!(largest(entries, E) <= 0x1p-30 * reach_of(Q, next))) return 0;
    times(Q->n, back, next, E);
    for (int c = 0; c < entries; c++) d[c] += 0.5 * back[c], next[c] += 0.5 * back[c];
    add_impulses(L, S, at);
    theta_times(Q, back, next, d);
    for (int c = 0; c < entries; c++) back[c] = -back[c];
    moved_dual(Q, change, back, m, 1);
    for (int k = 0; k < L->G->dim; k++)
        carry_add(m + k, at->low_m + L->m + k, change[k]); // NOLINT(clang-analyzer-core.*)
    for (int c = 0; c < entries; c++) carry_add(g + c, at->low_g + L->g + c, d[c]);
    return 1;
}

const embedded_leaf_kind lie__embedded_matrix = {
    .takes = takes, .rows = rows, .describe = describe, .begin = begin, .seen = seen, .rate = rate, .end = end};
