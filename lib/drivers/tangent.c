/* SPDX-License-Identifier: MIT */
/* tangent.c: the derivative of a step; see liestep/tangent.h. The tangent of a composition is the product of those of
 * its substeps, which are followed while lie_step takes them. Cost: a step and the linear algebra of one Newton
 * iteration with 2 n right-hand sides; by differences, 8 n steps. */
#include <liestep/tangent.h>

#include <math.h>

#include "groups/num/finite.h"
#include "groups/num/refuse.h"
#include "lib/methods/variational/tangent.h"

/* out (n x k) = A (n x n) B (n x k) */
static void product(int n, int k, double *out, const double *A, const double *B)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < k; j++) {
            double sum = 0.0;
            for (int l = 0; l < n; l++) sum += A[i * n + l] * B[l * k + j];
            out[i * k + j] = sum;
        }
}

/* out (n x k) += A (n x n) B (n x k) */
static void add_product(int n, int k, double *out, const double *A, const double *B)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < k; j++)
            for (int l = 0; l < n; l++) out[i * k + j] += A[i * n + l] * B[l * k + j];
}

/* scratch: the matrices of Ad_{tau(-x)}, Ad*_{tau(x)} one after the other, of dtau_{-x}, and of zeta -> ad*_zeta p */
lie_status lie__tangent_end(const lie_ops *G, double *T, const double *x, const double *P, const double *from,
                            const double *dx, const double *dP, double *scratch)
{
    int n = G->dim;
    double g[LIE_SIZE_MAX], inverse[LIE_SIZE_MAX], minus[LIE_DIM_MAX], p[LIE_DIM_MAX], e[LIE_DIM_MAX] = {0.0};
    double *A = scratch, *B = A + n * n, *K = B + n * n, *nu = T + 2 * n * n, column[LIE_DIM_MAX];
    for (int i = 0; i < n; i++) minus[i] = -x[i];
    lie_status status = G->tau(G, g, x);
    if (status == LIE_OK) status = lie_ops_tangent_matrix(G, G->dtau, B, minus);
    if (status != LIE_OK) return status;
    G->inv(G, inverse, g);
    G->Adt(G, p, g, P);
    for (int j = 0; j < n; j++) {
        e[j] = 1.0;
        G->adt(G, column, e, p);
        e[j] = 0.0;
        for (int i = 0; i < n; i++) K[i * n + j] = column[i];
    }
    product(n, 2 * n, T, B, dx);
    status = lie_ops_linear_matrix(G, G->Adt, A, g);
    if (status != LIE_OK) return status;
    product(n, 2 * n, nu, A, dP);
    add_product(n, 2 * n, nu, K, T);
    status = lie_ops_linear_matrix(G, G->Ad, A, inverse);
    if (from) add_product(n, 2 * n, T, A, from);
    for (int i = 0; i < n && !from; i++)
        for (int j = 0; j < n; j++) T[i * 2 * n + j] += A[i * n + j];
    return status;
}

void lie__tangent_kick(int n, double *T, double factor, const double *A)
{
    double *nu = T + 2 * n * n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 2 * n; j++)
            for (int l = 0; l < n; l++) nu[i * 2 * n + j] += factor * A[i * n + l] * T[l * 2 * n + j];
}

/* Follows the one step of a run: its tangent T is the product of those of the substeps. */
typedef struct tangents {
    struct follower head;
    lie_substep_fn *substep;
    int is_begun;
    double *T, *part, *sum, *own; /* of the step, of a substep, a product; work of the family */
} tangents;

/* The substep, and T <- T of the substep times T */
static lie_status substep_followed(lie_stepper *st, const lie_ops *G, lie_place *at, double h, lie_solve *info)
{
    double g[LIE_SIZE_MAX], low_g[LIE_SIZE_MAX], m[LIE_DIM_MAX], low_m[LIE_DIM_MAX];
    tangents *w = (tangents *)st->follower;
    int N = 2 * G->dim;
    lie_place from = {at->t, at->from, at->to, g, low_g, m, low_m};
    place_copy(G, g, low_g, m, low_m, at->g, at->low_g, at->m, at->low_m);
    w->head.T = w->is_begun ? w->part : w->T;
    lie_status status = w->substep(st, G, at, h, info);
    if (status == LIE_OK) status = st->family->tangent(st, &from, at, h, w->head.T, w->own);
    if (status != LIE_OK || !w->is_begun) {
        w->is_begun = 1;
        return status;
    }
    product(N, N, w->sum, w->part, w->T);
    copy_n(N * N, w->T, w->sum);
    return LIE_OK;
}

static lie_status run_followed(lie_stepper *st, const lie_ops *G, lie_substep_fn *substep, lie_state *s, double h,
                               long long n)
{
    ((tangents *)st->follower)->substep = substep;
    return run_blocks(st, G, take_steps, substep_followed, s, h, n);
}

/* A step that is that of lie_step to the bit, and T. `work`: a product, T of a substep, the family's */
static lie_status by_substeps(lie_stepper *st, lie_state *s, double h, double *T, double *work)
{
    int N = 2 * st->group->dim;
    tangents w = {{run_followed, 0}, 0, 0, T, work, work + N * N, work + 2 * N * N};
    st->follower = &w.head;
    lie_status status = st->run(st, s, h, 1);
    st->follower = 0;
    return status;
}

/* The variation that leads from the end of the step to the end of another one, which starts `distance` from s along
 * direction j: eta = tau^-1(g+^-1 g'), nu = m' - m+ */
static lie_status image(lie_stepper *st, const lie_state *s, const lie_state *end, double h, int j, double distance,
                        double *out)
{
    const lie_ops *G = st->group;
    int n = G->dim;
    double x[LIE_DIM_MAX] = {0.0}, g[LIE_SIZE_MAX];
    lie_large_state room;
    lie_state *moved = state_in(G, &room, s);
    const state_parts at = parts_of(moved), to = parts_of(end);
    lie_status status = LIE_OK;
    if (j < n) {
        x[j] = distance;
        status = G->tau(G, g, x);
        if (status == LIE_OK) G->mul(G, at.g, lie_state_g(s), g);
    } else {
        at.m[j - n] += distance;
    }
    lie_stepper_reset(st);
    if (status == LIE_OK) status = lie_step(st, moved, h);
    if (status != LIE_OK) return status;
    G->inv(G, g, to.g);
    G->mul(G, g, g, at.g);
    if (st->method->leaves_group) status = G->project(G, g, g);
    if (status == LIE_OK) status = G->tauinv(G, out, g);
    for (int i = 0; i < n; i++) out[n + i] = (at.m[i] - to.m[i]) + (at.low_m[i] - to.low_m[i]);
    return status;
}

/* T_ij = (8 (f_i(d) - f_i(-d)) - (f_i(2 d) - f_i(-2 d)))/(12 d) */
static lie_status by_differences(lie_stepper *st, const lie_state *s, double h, double *T)
{
    int N = 2 * st->group->dim;
    double size = 0.0;
    const double *m = lie_state_m(s);
    lie_large_state room;
    lie_state *end = state_in(st->group, &room, s);
    lie_status status = st->group->tauinv ? lie_step(st, end, h) : LIE_ERR_INCOMPLETE;
    for (int i = 0; i < N / 2; i++) size = fabs(m[i]) > size ? fabs(m[i]) : size;
    for (int j = 0; j < N && status == LIE_OK; j++) {
        double f[4][2 * LIE_DIM_MAX], d = 0x1p-10 * (j < N / 2 || size == 0.0 ? 1.0 : size);
        static const double at[4] = {1.0, -1.0, 2.0, -2.0};
        for (int k = 0; k < 4 && status == LIE_OK; k++) status = image(st, s, end, h, j, at[k] * d, f[k]);
        for (int i = 0; i < N && status == LIE_OK; i++)
            T[i * N + j] = (8.0 * (f[0][i] - f[1][i]) - (f[2][i] - f[3][i])) / (12.0 * d);
    }
    return status;
}

/* Differences, with the stepper put back, and the step. `before`: room for its memory */
static lie_status beside_the_step(lie_stepper *st, lie_state *s, double h, double *T, double *before)
{
    lie_stepper numbers = *st;
    lie_stepper_memory_get(st, before);
    tell_moved(st);
    lie_status status = by_differences(st, s, h, T);
    lie_stepper_memory_set(st, before);
    *st = numbers;
    return status == LIE_OK ? lie_step(st, s, h) : status;
}

/* Of T, the memory of the stepper, and the rest of by_substeps */
static size_t doubles_of(const lie_stepper *st)
{
    size_t n = (size_t)st->group->dim;
    size_t own = st->family->tangent ? (size_t)st->family->tangent_doubles(st) : 0;
    return 3 * (2 * n) * (2 * n) + LIE_MEMORY_MAX + own;
}

size_t lie_tangent_memsize(const lie_stepper *st)
{
    return doubles_of(st) * sizeof(double);
}

lie_status lie_step_tangent(lie_stepper *st, lie_state *s, double h, double *T, void *work, size_t bytes)
{
    int N = 2 * st->group->dim;
    if (lie__refuse_memory(0, work, bytes, lie_tangent_memsize(st)) != LIE_OK) return LIE_ERR_MEMORY;
    double *made = (double *)work, *before = made + N * N, *rest = before + LIE_MEMORY_MAX;
    lie_large_state room;
    if (!state_fits(st->group, s)) return LIE_ERR_SIZE;
    lie_state *next = state_in(st->group, &room, s);
    if (!(h - h == 0.0) || h == 0.0) return LIE_ERR_STEP_SIZE;
    if (!(s->t - s->t == 0.0)) return LIE_ERR_NOT_FINITE;
    if (!all_finite(st->group->size, lie_state_g(s)) || !all_finite(st->group->dim, lie_state_m(s)))
        return LIE_ERR_NOT_FINITE;
    lie_status status =
        st->family->tangent ? by_substeps(st, next, h, made, rest) : beside_the_step(st, next, h, made, before);
    if (status != LIE_OK) return status;
    state_copy_body(st->group, s, next);
    copy_n(N * N, T, made);
    return LIE_OK;
}

lie_status lie_step_variations(lie_stepper *st, lie_state *s, double h, int count, double *V, void *work, size_t bytes)
{
    int N = 2 * st->group->dim;
    double T[4 * LIE_DIM_MAX * LIE_DIM_MAX];
    lie_status status = lie_step_tangent(st, s, h, T, work, bytes);
    for (int j = 0; j < count && status == LIE_OK; j++) {
        double v[2 * LIE_DIM_MAX];
        for (int i = 0; i < N; i++) {
            v[i] = 0.0;
            for (int k = 0; k < N; k++) v[i] += T[i * N + k] * V[k * count + j];
        }
        for (int i = 0; i < N; i++) V[i * count + j] = v[i];
    }
    return status;
}

/* <nu_b, eta_a> - <nu_a, eta_b> + <m, [eta_a, eta_b]> for columns a, b of T (null: of the unit matrix) */
static double two_form(const lie_ops *G, const double *T, const double *m, int a, int b)
{
    int n = G->dim;
    double va[2 * LIE_DIM_MAX] = {0.0}, vb[2 * LIE_DIM_MAX] = {0.0}, bracket[LIE_DIM_MAX], sum = 0.0;
    for (int i = 0; i < 2 * n; i++) {
        va[i] = T ? T[i * 2 * n + a] : (double)(i == a);
        vb[i] = T ? T[i * 2 * n + b] : (double)(i == b);
    }
    G->ad(G, bracket, va, vb);
    for (int i = 0; i < n; i++) sum += (vb[n + i] * va[i] - va[n + i] * vb[i]) + m[i] * bracket[i];
    return sum;
}

double lie_tangent_defect(const lie_ops *G, const double *T, const double *m_before, const double *m_after)
{
    double worst = 0.0;
    for (int a = 0; a < 2 * G->dim; a++)
        for (int b = 0; b < a; b++) {
            double d = fabs(two_form(G, T, m_after, a, b) - two_form(G, 0, m_before, a, b));
            worst = d > worst || !(d == d) ? d : worst;
        }
    return worst;
}
