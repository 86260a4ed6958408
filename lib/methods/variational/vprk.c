/* SPDX-License-Identifier: MIT */
/* vprk.c: variational partitioned Runge-Kutta methods on a Lie group, for any system and any tableau with b_i != 0.
 *
 * In a chart theta -> a tau(theta), B(theta) = dtau_{-theta}, unknown chart velocities psi_j. Anchored at the start of
 * the step, a = g:
 *
 *     theta_i = h sum_j a_ij psi_j,    G_i = a tau(theta_i),    theta = h sum_j b_j psi_j
 *     untruncated   xi_i = B(theta_i) psi_i,   Q_i = B^T mu_i,   D_i = (d(B psi_i)/dtheta)^T mu_i + B^T F_i
 *     truncated     xi_i = psi_i,              Q_i = mu_i,       D_i = B^T F_i
 *     P = m + h sum_i b_i Ad*_{tau(-theta_i)} F_i
 *     Q_j + h sum_i (b_i a_ij / b_j) D_i = (dtau_theta)^T P          s n equations for s n unknowns
 *     g+ = g tau(theta),    m+ = Ad*_{tau(theta)} P
 *
 * Untruncated methods with a symmetric tableau are anchored in the middle, v = theta/2, a = g tau(v) = g+ tau(-v):
 *
 *     theta_i = h sum_j (a_ij - b_j/2) psi_j,    P = Ad*_{tau(v)} m + h sum_i b_i Ad*_{tau(-theta_i)} F_i
 *     Q_j + h sum_i (b_i (a_ij - b_j/2)/b_j) D_i = (dtau_v)^T (m + P)/2,    m+ = Ad*_{tau(v)} P
 *
 * which a change of the sign of h and of the order of the stages turns into themselves: self-adjoint at every order.
 *
 * Here mu_i = dl/dxi(G_i, xi_i), F_i the body gradient of l there. Truncated is the form of the papers (only the zeroth
 * term of the series of dtau is kept in the kinetic part): order 2 at best, whatever the tableau. Untruncated has the
 * order of the partitioned tableau (Gauss 2 s, Lobatto IIIA/IIIB 2 s - 2). Both are symplectic and momentum preserving:
 * they are the discrete Euler-Lagrange equations of L_d = h sum_i b_i l(G_i, xi_i).
 *
 * Forces (Lagrange-d'Alembert). Truncated: impulses at the nodes, (h/2) f(t, g, xi, u-) joins m, (h/2) f(t + h, g+, xi,
 * u+) joins m+, xi = theta/h. Untruncated: f at the stages, F_i + f_i for F_i, so that the order stays.
 *
 * Cost: one Jacobian (vprk_jacobian.c) per step and about three evaluations of the equations. Satellite and turntable
 * with the tableau of sv and cay: three equations and a tenth of the time (vprk_gyrostat.c).
 *
 * References: Bou-Rabee & Marsden 2009, (4.9) to (4.13); Marsden & West 2001, section 2.6 and (3.2.7). The derivation
 * of the untruncated form is in docs/METHODS.md. */
#include <math.h>

#include "lib/methods/variational/discrete.h"
#include "lib/methods/variational/tangent.h"
#include "lib/methods/variational/vprk.h"
#include "lib/methods/variational/vprk_gyrostat.h"

enum { HEAD = (sizeof(vprk) + sizeof(double) - 1) / sizeof(double) };

static int doubles_with(const lie_stepper *st, int matrices)
{
    int n = st->group->dim, s = st->tableau->stages;
    return HEAD + 3 * s * n + 5 * n + st->group->size + matrices * n * n + st->system->controls +
           lie__newton_doubles(s * n);
}

static int doubles_truncated(const lie_stepper *st)
{
    return doubles_with(st, MATRICES_TRUNCATED);
}

static int doubles_full(const lie_stepper *st)
{
    return doubles_with(st, MATRICES + st->tableau->stages);
}

/* Stage i at theta with chart velocity psi: Q, D and the impulse Ad*_{tau(-theta)} F. */
static lie_status stage(const vprk *w, double *Q, double *D, double *impulse, double c, const double *theta,
                        const double *psi)
{
    const lie_ops *G = w->st->group;
    const lie_system *sys = w->st->system;
    double T[LIE_SIZE_MAX], at[LIE_SIZE_MAX], minus[LIE_DIM_MAX], xi[LIE_DIM_MAX], F[LIE_DIM_MAX], f[LIE_DIM_MAX];
    int n = w->n;
    lie_status status = G->tau(G, T, theta);
    if (status != LIE_OK) return status;
    G->mul(G, at, w->a, T);
    for (int i = 0; i < n; i++) minus[i] = -theta[i], xi[i] = psi[i];
    if (w->full) status = G->dtau(G, xi, minus, psi);
    if (status != LIE_OK) return status;
    lie_system_momentum(sys, Q, at, xi);
    lie_system_force(sys, F, at, xi);
    if (w->full && w->st->is.has_external) {
        external_at(forcing_of(w), f, c, at, xi);
        for (int i = 0; i < n; i++) F[i] += f[i];
    }
    status = G->dtaut(G, D, minus, F);
    if (status != LIE_OK) return status;
    if (w->full) {
        status = G->dtau_body_deriv(G, w->M, theta, psi);
        if (status != LIE_OK) return status;
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) D[j] += w->M[i * n + j] * Q[i];
        status = G->dtaut(G, Q, minus, Q);
        if (status != LIE_OK) return status;
    }
    G->inv(G, T, T);
    G->Adt(G, impulse, T, F);
    return LIE_OK;
}

/* P = m, with the impulse of the external force at the start where forces act at the nodes */
static void add_node_impulse(const vprk *w)
{
    double xi[LIE_DIM_MAX], f[LIE_DIM_MAX];
    if (w->full || !w->st->is.has_external) return;
    for (int i = 0; i < w->n; i++) xi[i] = w->theta[i] / w->h;
    external_at(forcing_of(w), f, 0.0, w->at->g, xi);
    for (int i = 0; i < w->n; i++) w->P[i] += 0.5 * w->h * f[i];
}

/* From theta: v, the anchor a = g tau(theta - v), and m brought there, P before the impulses */
static lie_status go_to_anchor(const vprk *w)
{
    const lie_ops *G = w->st->group;
    double T[LIE_SIZE_MAX], x[LIE_DIM_MAX];
    for (int i = 0; i < w->n; i++) {
        w->m[i] = w->at->m[i] + w->at->low_m[i];
        w->v[i] = (1.0 - w->anchor) * w->theta[i], x[i] = w->anchor * w->theta[i];
        w->impulses[i] = 0.0;
    }
    copy_n(G->size, w->a, w->at->g);
    copy_n(w->n, w->P, w->m);
    if (w->anchor == 0.0) {
        add_node_impulse(w);
        return LIE_OK;
    }
    lie_status status = G->tau(G, T, x);
    if (status != LIE_OK) return status;
    G->mul(G, w->a, w->a, T);
    G->Adt(G, w->P, T, w->m);
    return LIE_OK;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* All stages at psi: theta, v, a, m and P, Q and D */
static lie_status stages(const vprk *w, const double *psi)
{
    const lie_tableau *tab = w->st->tableau;
    double theta[LIE_DIM_MAX], impulse[LIE_DIM_MAX], *sum = w->anchor == 0.0 ? w->P : w->impulses;
    int n = w->n, s = w->s;
    for (int k = 0; k < n; k++) w->theta[k] = 0.0;
    for (int j = 0; j < s; j++)
        for (int k = 0; k < n; k++) w->theta[k] += w->h * tab->b[j] * psi[j * n + k];
    lie_status status = go_to_anchor(w);
    for (int i = 0; i < s && status == LIE_OK; i++) {
        stage_coordinate(w, theta, i, psi);
        status = stage(w, w->Q + i * n, w->D + i * n, impulse, tab->c[i], theta, psi + i * n);
        for (int k = 0; k < n && status == LIE_OK; k++) sum[k] += w->h * tab->b[i] * impulse[k];
    }
    for (int k = 0; k < n && w->anchor != 0.0; k++) w->P[k] += w->impulses[k];
    return status;
}

/* r_j = Q_j + h sum_i (b_i a_ij/b_j) D_i - (dtau_v)^T p at psi, p the mean of the momenta */
static lie_status residual(const newton *N, double *r, double *size, const double *psi)
{
    const vprk *w = (const vprk *)N->problem;
    const double *b = w->st->tableau->b;
    const lie_ops *G = w->st->group;
    double lambda[LIE_DIM_MAX];
    int n = w->n, s = w->s;
    lie_status status = stages(w, psi);
    if (status != LIE_OK) return status;
    mean_momentum(w, lambda);
    status = G->dtaut(G, lambda, w->v, lambda);
    if (status != LIE_OK) return status;
    *size = 0.0;
    for (int j = 0; j < s; j++)
        for (int k = 0; k < n; k++) {
            double sum = w->Q[j * n + k];
            for (int i = 0; i < s; i++) sum += w->h * b[i] * stage_weight(w, i, j) / b[j] * w->D[i * n + k];
            r[j * n + k] = sum - lambda[k];
            *size = larger(*size, larger(fabs(w->Q[j * n + k]), fabs(lambda[k])));
        }
    return all_finite(s * n, r) ? LIE_OK : LIE_ERR_NOT_FINITE;
}

lie_status lie__vprk_evaluate(vprk *w)
{
    double r[LIE_STAGES_MAX * LIE_DIM_MAX], size;
    newton N = {.problem = w};
    return residual(&N, r, &size, w->psi);
}

/* psi_j: the velocity that belongs to m + c_j h m', m' the rate at the lie_place */
static lie_status first_guess(const vprk *w, double *psi, double h)
{
    const lie_system *sys = w->st->system;
    double xi[LIE_DIM_MAX], rate[LIE_DIM_MAX], m[LIE_DIM_MAX];
    int n = w->n;
    lie_status status = lie_system_velocity(sys, xi, w->at->g, w->at->m);
    if (status != LIE_OK) return status;
    lie_system_momentum_rate(sys, rate, w->at->t, w->at->g, xi, control_in(w->st, w->at, w->u, 0.0));
    for (int j = 0; j < w->s; j++) {
        for (int i = 0; i < n; i++) m[i] = w->at->m[i] + w->st->tableau->c[j] * h * rate[i];
        status = lie_system_velocity(sys, psi + j * n, w->at->g, m);
        if (status != LIE_OK) return status;
    }
    return LIE_OK;
}

static lie_status origin(const newton *N, double *psi)
{
    return first_guess((const vprk *)N->problem, psi, 0.0);
}

/* The sign of the determinant of the equations for h = 0, where they are s copies of d mu/d xi. */
static int branch_sign(const vprk *w)
{
    const lie_system *sys = w->st->system;
    int pivots[LIE_DIM_MAX];
    if (w->st->is.constant || w->s % 2 == 0) return 1;
    lie_system_hessian(sys, w->M, w->at->g, w->psi);
    return lie__linear_plain.factor(w->n, w->M, pivots);
}

static int has_positive_pivots(int n, double *E)
{
    for (int k = 0; k < n; k++) {
        if (!(E[k * n + k] > 0.0)) return 0;
        for (int i = k + 1; i < n; i++) {
            double f = E[i * n + k] / E[k * n + k];
            for (int j = k + 1; j < n; j++) E[i * n + j] -= f * E[k * n + j];
        }
    }
    return 1;
}

/* Where the tangent of the map from v to the whole step does not exist the equations have lost a part of the momentum,
 * and no branch from h = 0 gets there. Anchored at the start that is dtau_v: with exp beyond a turn of 2 pi. In the
 * middle it is that of tau(v)^2 in theta = 2 v, (1 + Ad_{tau(v)}) dtau_v/2 = dtau_v E dtau_v with
 *     E = (dtau_v^-1 + dtau_{-v}^-1)/2.
 * E is even and 1 at v = 0. Of a turn by the angle phi it is (|v|/2) cot(phi/2) across the axis, so that it stops being
 * positive where half of the step is half a turn. */
static lie_status inside(const vprk *w)
{
    const lie_ops *G = w->st->group;
    double x[LIE_DIM_MAX], *E = w->M, *back = w->M + w->n * w->n;
    int n = w->n;
    if (w->anchor == 0.0) return G->dtauinv(G, x, w->v, w->v);
    for (int i = 0; i < n; i++) x[i] = -w->v[i];
    lie_status status = lie_ops_tangent_matrix(G, G->dtauinv, E, w->v);
    if (status == LIE_OK) status = lie_ops_tangent_matrix(G, G->dtauinv, back, x);
    if (status != LIE_OK) return status;
    for (int i = 0; i < n * n; i++) E[i] += back[i];
    return has_positive_pivots(n, E) ? LIE_OK : LIE_ERR_DOMAIN;
}

static lie_status solve(vprk *w, double h, lie_solve *info)
{
    w->h = h;
    lie_status status = first_guess(w, w->psi, h);
    if (status != LIE_OK) return status;
    newton N = {.n = w->s * w->n,
                .residual = residual,
                .jacobian = lie__vprk_jacobian,
                .origin = origin,
                .inexact = 1,
                .problem = w,
                .h = &w->h,
                .sign = branch_sign(w),
                .grain = tangent_grain(w->st->group, w->full),
                .step = 0x1p-7 / fabs(h),
                .linear = w->st->options.linear,
                .work = w->newton_work};
    status = lie__newton_solve(&N, w->psi, info);
    return status == LIE_OK ? inside(w) : status;
}

/* To the end of the step, through the anchor if that is in the middle; there the impulses join. */
static lie_status go_to_end(const vprk *w, const lie_ops *G, lie_place *at)
{
    if (w->anchor == 0.0) {
        copy_n(w->n, at->m, w->P);
        zero_n(w->n, at->low_m);
        return move(G, at->g, at->low_g, at->m, at->low_m, w->v);
    }
    lie_status status = move(G, at->g, at->low_g, at->m, at->low_m, w->v);
    if (status != LIE_OK) return status;
    kick(w->n, at->m, at->low_m, 1.0, w->impulses);
    return move(G, at->g, at->low_g, at->m, at->low_m, w->v);
}

lie_status lie__vprk_substep(lie_stepper *st, const lie_ops *G, lie_place *at, double h, lie_solve *info)
{
    vprk *w = (vprk *)st->work;
    double xi[LIE_DIM_MAX], f[LIE_DIM_MAX];
    int n = w->n;
    w->st = st;
    w->at = at;
    lie_status status = solve(w, h, info);
    if (status == LIE_OK) status = go_to_end(w, G, at);
    if (status != LIE_OK) return status;
    if (!w->full && w->st->is.has_external) {
        for (int i = 0; i < n; i++) xi[i] = w->theta[i] / h;
        external_at(forcing_of(w), f, 1.0, at->g, xi);
        kick(n, at->m, at->low_m, 0.5 * h, f);
    }
    return all_finite(n, at->m) ? LIE_OK : LIE_ERR_NOT_FINITE;
}

static lie_status run(lie_stepper *st, lie_state *s, double h, long long n)
{
    return run_or_follow(st, st->group, take_steps, lie__vprk_substep, s, h, n);
}

/* The middle of the step where that makes the method self-adjoint, unless the options say where. */
static double anchor_of(const lie_stepper *st)
{
    if (st->options.anchor == LIE_ANCHOR_MIDDLE) return 0.5;
    return st->options.anchor == LIE_ANCHOR_START || !lie_tableau_is_symmetric(st->tableau) ? 0.0 : 0.5;
}

static lie_status prepare(lie_stepper *st, int full)
{
    vprk *w = (vprk *)st->work;
    int n = st->group->dim, s = st->tableau->stages;
    double *next = st->work + HEAD;
    *w = (vprk){.st = st, .full = full, .anchor = full ? anchor_of(st) : 0.0, .s = s, .n = n};
    w->psi = next, next += s * n;
    w->Q = next, next += s * n;
    w->D = next, next += s * n;
    w->theta = next, next += n;
    w->v = next, next += n;
    w->m = next, next += n;
    w->impulses = next, next += n;
    w->P = next, next += n;
    w->a = next, next += st->group->size;
    w->M = next, next += (full ? MATRICES : MATRICES_TRUNCATED) * n * n;
    w->W = next, next += full ? s * n * n : 0;
    w->u = next, next += st->system->controls;
    w->newton_work = next;
    st->run = run;
    return LIE_OK;
}

static lie_status prepare_truncated(lie_stepper *st)
{
    lie_status status = prepare(st, 0);
    if (status == LIE_OK) lie__vprk_gyrostat_prepare(st);
    return status;
}

/* The only step of its run. */
static lie_status truncated_substep(lie_stepper *st, const lie_ops *G, lie_place *at, double h, lie_solve *info)
{
    return lie__vprk_gyrostat(st) ? lie__vprk_gyrostat_substep(st, G, at, h, info)
                                  : lie__vprk_substep(st, G, at, h, info);
}

static lie_status prepare_full(lie_stepper *st)
{
    return prepare(st, 1);
}

const lie_family lie__vprk0 = {.doubles = doubles_truncated,
                               .prepare = prepare_truncated,
                               .substep = truncated_substep,
                               .tangent = lie__vprk_tangent,
                               .tangent_doubles = lie__vprk_tangent_doubles,
                               .values = lie__vprk_values};
const lie_family lie__vprk = {.doubles = doubles_full,
                              .prepare = prepare_full,
                              .substep = lie__vprk_substep,
                              .tangent = lie__vprk_tangent,
                              .tangent_doubles = lie__vprk_tangent_doubles,
                              .values = lie__vprk_values,
                              .takes_anchor = 1};
