/* SPDX-License-Identifier: MIT */
/* step_equations.c: the implicit equations of all methods that have some; see step_equations.h. The unknowns are those
 * that the stepper has left in its memory where the state does not tell them. */
#include "tests/methods/step_equations.h"
#include "lib/methods/families.h"

#include <liestep/convert.h>
#include <liestep/s3.h>

#include <math.h>
#include <string.h>

#include "lib/methods/runge_kutta/rkmk.h"
#include "lib/methods/variational/vprk.h"
#include "tests/methods/step_terms.h"

/* I xi = (dtau_{h xi})^T P,  P = m + a h F(g) + (h/2) f(t, g, xi),  m+ = Ad* P + b h F(g+) + (h/2) f(t + h, g+, xi) */
static lie_status separable(const step_equations *E, double *r, double *size, double *g, double *m, const double *xi)
{
    const lie_ops *G = lie_stepper_group(E->st);
    const lie_tableau *tab = lie_stepper_tableau(E->st);
    double P[DIM], F[DIM], mu[DIM], x[DIM], late = 0.0;
    int n = G->dim;
    node_momentum(E->from, n, P);
    lie_system_force(E->sys, F, E->from->g, xi);
    *size = reach(n, P, 0.0);
    for (int i = 0; i < tab->stages; i++) {
        if (tab->c[i] == 0.0) add(n, P, E->h * tab->b[i], F);
        if (tab->c[i] != 0.0) late += tab->b[i];
    }
    add_external(E->sys, P, 0.5 * E->h, E->from->t, E->from->g, xi);
    for (int i = 0; i < n; i++) x[i] = E->h * xi[i];
    lie_status status = G->dtaut(G, r, x, P);
    if (status != LIE_OK) return status;
    lie_system_momentum(E->sys, mu, E->from->g, xi);
    *size = reach(n, mu, reach(n, r, reach(n, P, *size)));
    for (int i = 0; i < n; i++) r[i] = mu[i] - r[i];
    status = moved_by(G, g, m, E->from->g, x, P);
    if (status != LIE_OK) return status;
    lie_system_force(E->sys, F, g, xi);
    add(n, m, E->h * late, F);
    add_external(E->sys, m, 0.5 * E->h, E->from->t + E->h, g, xi);
    return LIE_OK;
}

/* One stage: Q, D, and P += the impulse; weight = h b_i */
static lie_status stage(const step_equations *E, int full, double c, double weight, const double *anchor,
                        const double *theta, const double *psi, double *Q, double *D, double *P)
{
    const lie_ops *G = lie_stepper_group(E->st);
    double T[SIZE], at[SIZE], minus[DIM], xi[DIM], F[DIM], M[DIM * DIM], impulse[DIM];
    int n = G->dim;
    lie_status status = G->tau(G, T, theta);
    if (status != LIE_OK) return status;
    G->mul(G, at, anchor, T);
    for (int i = 0; i < n; i++) minus[i] = -theta[i], xi[i] = psi[i];
    if (full) status = G->dtau(G, xi, minus, psi);
    if (status != LIE_OK) return status;
    lie_system_momentum(E->sys, Q, at, xi);
    lie_system_force(E->sys, F, at, xi);
    if (full) add_external(E->sys, F, 1.0, E->from->t + c * E->h, at, xi);
    status = G->dtaut(G, D, minus, F);
    if (status == LIE_OK && full) status = G->dtau_body_deriv(G, M, theta, psi);
    if (status != LIE_OK) return status;
    for (int j = 0; full && j < n; j++)
        for (int i = 0; i < n; i++) D[j] += M[i * n + j] * Q[i];
    if (full) status = G->dtaut(G, Q, minus, Q);
    G->inv(G, T, T);
    G->Adt(G, impulse, T, F);
    add(n, P, weight, impulse);
    return status;
}

/* How much of the step lies before the anchor of the chart: half of it, if the method is untruncated and its tableau
 * the same from both ends, which the last row and column of the built-in ones tell. */
static double part_before(const step_equations *E)
{
    const lie_tableau *tab = lie_stepper_tableau(E->st);
    int s = tab->stages;
    if (E->st->family != &lie__vprk || lie_stepper_options(E->st)->anchor == LIE_ANCHOR_START) return 0.0;
    for (int j = 0; j < s; j++)
        if (fabs(tab->A[j] + tab->A[s * s - 1 - j] - tab->b[j]) > 1e-12) return 0.0;
    return 0.5;
}

/* Anchored at a = g tau(u), u = alpha theta:
 *     Q_j + h sum_i (b_i (a_ij - alpha b_j)/b_j) D_i = alpha (dtau_u)^T m + (1 - alpha) (dtau_v)^T P,
 *     P = Ad*_{tau(u)} m + h sum_i b_i Ad*_{tau(-theta_i)} F_i,
 *     v = theta - u,   g+ = a tau(v),   m+ = Ad*_{tau(v)} P */
static lie_status runge_kutta(const step_equations *E, double *r, double *size, double *g, double *m, const double *psi)
{
    const lie_ops *G = lie_stepper_group(E->st);
    const lie_tableau *tab = lie_stepper_tableau(E->st);
    double theta[DIM] = {0.0}, u[DIM], v[DIM], part[DIM], start[DIM], P[DIM], Q[EQUATIONS_MAX], D[EQUATIONS_MAX];
    double lambda[DIM], before[DIM], mean[DIM], anchor[SIZE], alpha = part_before(E);
    int n = G->dim, s = tab->stages, full = E->st->family == &lie__vprk;
    for (int j = 0; j < s; j++) add(n, theta, E->h * tab->b[j], psi + j * n);
    for (int i = 0; i < n; i++) mean[i] = theta[i] / E->h, u[i] = alpha * theta[i], v[i] = theta[i] - u[i];
    node_momentum(E->from, n, start);
    lie_status status = moved_by(G, anchor, P, E->from->g, u, start);
    *size = reach(n, P, 0.0);
    if (!full) add_external(E->sys, P, 0.5 * E->h, E->from->t, E->from->g, mean);
    for (int i = 0; i < s && status == LIE_OK; i++) {
        memset(part, 0, sizeof part);
        for (int j = 0; j < s; j++) add(n, part, E->h * (tab->A[i * s + j] - alpha * tab->b[j]), psi + j * n);
        status = stage(E, full, tab->c[i], E->h * tab->b[i], anchor, part, psi + i * n, Q + i * n, D + i * n, P);
    }
    if (status == LIE_OK) status = G->dtaut(G, lambda, v, P);
    if (status == LIE_OK) status = G->dtaut(G, before, u, start);
    if (status == LIE_OK) status = moved_by(G, g, m, anchor, v, P);
    if (status != LIE_OK) return status;
    for (int i = 0; i < n; i++) lambda[i] = alpha * before[i] + (1.0 - alpha) * lambda[i];
    if (!full) add_external(E->sys, m, 0.5 * E->h, E->from->t + E->h, g, mean);
    *size = reach(s * n, Q, reach(n, lambda, reach(n, P, *size)));
    for (int i = 0; i < s * n; i++) *size = larger(*size, fabs(E->h * D[i]));
    for (int j = 0; j < s; j++)
        for (int k = 0; k < n; k++) {
            r[j * n + k] = Q[j * n + k] - lambda[k];
            for (int i = 0; i < s; i++)
                r[j * n + k] += E->h * tab->b[i] * (tab->A[i * s + j] / tab->b[j] - alpha) * D[i * n + k];
        }
    return LIE_OK;
}

int step_equations_of(step_equations *E, const lie_stepper *st, const lie_state *from, double h)
{
    int n = lie_stepper_group(st)->dim, is_rk = st->family == &lie__vprk || st->family == &lie__vprk0;
    *E = (step_equations){st, lie_stepper_system(st), from, h, n, separable};
    if (is_rk) E->count = n * lie_stepper_tableau(st)->stages, E->residual = runge_kutta;
    return is_rk || st->family == &lie__separable;
}

static int wants_guess(const lie_stepper *st)
{
    const lie_ops *G = lie_stepper_group(st);
    return lie_stepper_system(st)->external || !G->legendre || G->legendre->wants_guess;
}

/* The velocity of the step that was taken: from the memory of what guesses by it, else from the turn by cay. */
static lie_status velocity_taken(const lie_stepper *st, const lie_state *from, const lie_state *to, double h,
                                 double *xi)
{
    const lie_ops *G = lie_stepper_group(st);
    double memory[512], back[SIZE];
    lie_stepper_memory_get(st, memory);
    if (wants_guess(st)) {
        memcpy(xi, memory + 2, (size_t)G->dim * sizeof *xi);
        return LIE_OK;
    }
    G->inv(G, back, from->g);
    G->mul(G, back, back, to->g);
    lie_status status = G->tauinv(G, xi, back);
    for (int i = 0; i < G->dim; i++) xi[i] /= h;
    return status;
}

static double variational_error(const lie_stepper *st, const lie_state *from, const lie_state *to, double h)
{
    step_equations E;
    double xi[EQUATIONS_MAX], r[EQUATIONS_MAX], size, g[SIZE], m[DIM];
    if (!step_equations_of(&E, st, from, h)) return HUGE_VAL;
    if (st->family != &lie__separable)
        memcpy(xi, ((const vprk *)st->work)->psi, (size_t)E.count * sizeof *xi);
    else if (velocity_taken(st, from, to, h, xi) != LIE_OK)
        return HUGE_VAL;
    if (E.residual(&E, r, &size, g, m, xi) != LIE_OK) return HUGE_VAL;
    double most = h * reach(lie_stepper_group(st)->dim, xi, 0.0),
           error = far(lie_stepper_group(st), g, m, to, size) / ((1.0 + most) * (1.0 + most));
    if (st->family == &lie__separable && !wants_guess(st)) size *= 1.0 + 1.0 / most; /* as xi is read off g */
    return size > 0.0 ? larger(error, reach(E.count, r, 0.0) / size) : error;
}

/* K_i = (dtau^-1_{-theta_i} xi_i, m') at theta_i = h sum a_ij K_j, m_i = m + h sum a_ij K_j */
static double rkmk_error(const lie_stepper *st, const lie_state *from, const lie_state *to, double h)
{
    const lie_ops *G = lie_stepper_group(st);
    const lie_system *sys = lie_stepper_system(st);
    const lie_tableau *tab = lie_stepper_tableau(st);
    const double *K = ((const rkmk *)st->work)->K;
    double m0[DIM], theta[DIM], m[DIM], xi[DIM], minus[DIM], rate[DIM] = {0.0}, turn[DIM], T[SIZE], g[SIZE];
    double error = 0.0, momenta = 0.0, speeds = 0.0;
    int n = G->dim, s = tab->stages;
    node_momentum(from, n, m0);
    for (int i = 0; i <= s; i++) { /* the last row is the step */
        const double *row = i < s ? tab->A + i * s : tab->b;
        memcpy(m, m0, sizeof m);
        memset(theta, 0, sizeof theta);
        for (int j = 0; j < s; j++)
            add(n, theta, h * row[j], K + 2 * j * n), add(n, m, h * row[j], K + (2 * j + 1) * n);
        if (G->tau(G, T, theta) != LIE_OK) return HUGE_VAL;
        G->mul(G, g, from->g, T);
        if (i == s) break;
        for (int k = 0; k < n; k++) minus[k] = -theta[k];
        if (lie_system_velocity(sys, xi, g, m) != LIE_OK) return HUGE_VAL;
        lie_system_momentum_rate(sys, rate, from->t + tab->c[i] * h, g, xi, 0);
        if (G->dtauinv(G, turn, minus, xi) != LIE_OK) return HUGE_VAL;
        /* rates are small sums of large terms: their sizes are those of momentum and velocity over time */
        momenta = reach(n, m, reach(n, rate, momenta)) * (1.0 + reach(n, xi, 0.0));
        speeds = reach(n, xi, reach(n, turn, speeds));
        for (int k = 0; k < n; k++) {
            error = larger(error, fabs(turn[k] - K[2 * i * n + k]) / speeds);
            error = larger(error, fabs(rate[k] - K[(2 * i + 1) * n + k]) / momenta);
        }
    }
    return larger(error, far(G, g, m, to, reach(n, m, reach(n, m0, 0.0))));
}

/* (2/h) c = alpha v + beta I^-1 v, v = m + m x c + (c . m) c, with alpha = 0, beta = 1 at order 2; at higher orders
 * these two numbers are whatever fits best, and the third equation judges. */
static double dmv_error(const lie_stepper *st, const lie_state *from, const lie_state *to, double h)
{
    const lie_ops *G;
    double c[3], m[3], v[3], y[3], left[3], turned[SIZE], alpha = 0.0, beta = 1.0, unused[SIZE], end[3];
    node_momentum(from, 3, m);
    if (lie_ops_find(&G, lie_stepper_group(st)->group, "cay") != LIE_OK) return HUGE_VAL;
    G->inv(G, turned, from->g);
    G->mul(G, turned, turned, to->g);
    if (G->tauinv(G, c, turned) != LIE_OK) return HUGE_VAL;
    if (moved_by(G, unused, end, from->g, c, m) != LIE_OK) return HUGE_VAL;
    for (int i = 0; i < 3; i++) c[i] *= 0.5;
    for (int i = 0; i < 3; i++)
        v[i] = m[i] + (m[(i + 1) % 3] * c[(i + 2) % 3] - m[(i + 2) % 3] * c[(i + 1) % 3]) + dot(3, c, m) * c[i];
    if (lie_system_velocity(lie_stepper_system(st), y, from->g, v) != LIE_OK) return HUGE_VAL;
    for (int i = 0; i < 3; i++) left[i] = 2.0 / h * c[i];
    if (lie_stepper_method(st)->order > 2) {
        double vv = dot(3, v, v), vy = dot(3, v, y), yy = dot(3, y, y), det = vv * yy - vy * vy;
        alpha = (dot(3, left, v) * yy - dot(3, left, y) * vy) / det;
        beta = (dot(3, left, y) * vv - dot(3, left, v) * vy) / det;
    }
    double size = reach(3, left, 0.0) + fabs(alpha) * reach(3, v, 0.0);
    add(3, left, -alpha, v);
    add(3, left, -beta, y);
    return larger(reach(3, left, 0.0) / size, far(G, unused, end, to, reach(3, m, 0.0))) /
           (1.0 / reach(3, c, 0.0) + dot(3, c, c));
}

/* The point of the embedding: (q, p, px, x), p = q m */
typedef struct flat_point {
    double q[4], p[4], px[3], x[3];
} flat_point;

/* out = a (0, w) */
static void turned(double out[4], const double a[4], const double w[3])
{
    const double b[4] = {0.0, w[0], w[1], w[2]};
    lie_s3_mul(out, a, b);
}

/* g and m of a point; x counted from that of `from` */
static void seen(const lie_ops *G, double *g, double *m, const flat_point *y, const lie_state *from)
{
    double n2 = dot(4, y->q, y->q), back[4] = {y->q[0], -y->q[1], -y->q[2], -y->q[3]}, mu[4], unit[4], R[SIZE] = {0.0};
    lie_s3_mul(mu, back, y->p);
    memcpy(m, mu + 1, 3 * sizeof *m);
    for (int i = 0; i < 4; i++) unit[i] = y->q[i] / sqrt(n2);
    if (G->size == 4) memcpy(g, unit, sizeof unit);
    if (G->size == 4) return;
    lie_quat_to_matrix(R, unit);
    memcpy(g, R, 9 * sizeof *g);
    for (int i = 0; i < 3 && G->size == 12; i++) {
        g[9 + i] = from->g[9 + i] + from->low_g[9 + i] + y->x[i];
        m[3 + i] = R[i] * y->px[0] + R[3 + i] * y->px[1] + R[6 + i] * y->px[2];
    }
}

static void flat_start(const lie_ops *G, flat_point *y, const lie_state *from)
{
    memset(y, 0, sizeof *y);
    if (G->size == 4)
        memcpy(y->q, from->g, sizeof y->q);
    else
        lie_matrix_to_quat(y->q, from->g);
    turned(y->p, y->q, from->m);
    for (int i = 0; i < 3 && G->size == 12; i++) y->px[i] = dot(3, from->g + 3 * i, from->m + 3);
}

/* Sizes of what the rates are sums of. */
typedef struct flat_size {
    double turn, torque, force, speed;
} flat_size;

/* q' = q w/2, p' = p w/2 + q (F + P x v)/|q|^2, px' = R F_v, x' = R v */
static lie_status flat_rate(const lie_stepper *st, flat_point *k, flat_size *size, double t, const flat_point *y,
                            const lie_state *from)
{
    const lie_ops *G = lie_stepper_group(st);
    const lie_system *sys = lie_stepper_system(st);
    double g[SIZE], m[DIM] = {0.0}, xi[DIM] = {0.0}, F[DIM] = {0.0}, w[3], n2 = dot(4, y->q, y->q), pulled[4];
    seen(G, g, m, y, from);
    lie_status status = lie_system_velocity(sys, xi, g, m);
    if (status != LIE_OK) return status;
    lie_system_force(sys, F, g, xi);
    add_external(sys, F, 1.0, t, g, xi);
    memset(k, 0, sizeof *k);
    for (int i = 0; i < 3 && G->size == 12; i++) {
        int a = (i + 1) % 3, b = (i + 2) % 3;
        k->px[i] = dot(3, g + 3 * i, F + 3);
        k->x[i] = dot(3, g + 3 * i, xi + 3);
        F[i] += m[3 + a] * xi[3 + b] - m[3 + b] * xi[3 + a];
    }
    for (int i = 0; i < 3; i++) w[i] = 0.5 * xi[i], F[i] /= n2;
    turned(k->q, y->q, w);
    turned(k->p, y->p, w);
    turned(pulled, y->q, F);
    for (int i = 0; i < 4; i++) k->p[i] += pulled[i];
    double speed = reach(3, xi, 0.0), travel = reach(3, xi + 3, 0.0), linear = reach(3, m + 3, 0.0);
    size->turn = larger(size->turn, speed);
    size->torque = larger(size->torque, reach(3, m, 0.0) * speed + reach(3, F, 0.0) + linear * travel);
    size->force = larger(size->force, reach(3, F + 3, 0.0) + linear * speed);
    size->speed = larger(size->speed, travel);
    return LIE_OK;
}

enum { FLAT_ROWS = 14, FLAT_STAGES = 8 };

/* Of one stage from the ends of the step, whose rounding it has: 1/h times that of q and m */
static void mean_slope(const lie_ops *G, double K[FLAT_ROWS][FLAT_STAGES], const flat_point *start, const lie_state *to,
                       double h)
{
    flat_point end;
    flat_start(G, &end, to);
    for (int i = 0; i < 4; i++) K[i][0] = (end.q[i] - start->q[i]) / h, K[4 + i][0] = (end.p[i] - start->p[i]) / h;
}

/* a_ij of row c, and b_j in the last row; of the momenta that of the partner, b_j (1 - a_ji/b_i): of Gauss the same */
static double flat_weight(const lie_tableau *tab, int c, int i, int j)
{
    int s = tab->stages, is_momentum = c >= 4 && c < 11;
    if (i == s) return tab->b[j];
    return is_momentum ? tab->b[j] * (1.0 - tab->A[j * s + i] / tab->b[i]) : tab->A[i * s + j];
}

/* K_i = f(t + c_i h, y + h sum a_ij K_j), with the slopes that the stepper has left in its memory: rows q', p', px', x'
 * behind 9 numbers; or with those of one stage between attitudes. q has the sign `way`. */
static double embedded_error_of(double way, const lie_stepper *st, const lie_state *from, const lie_state *to, double h)
{
    const lie_ops *G = lie_stepper_group(st);
    const lie_tableau *tab = lie_stepper_tableau(st);
    enum { HEAD = 9, ROWS = FLAT_ROWS, STAGES = FLAT_STAGES };
    double memory[HEAD + 2 * ROWS * STAGES], K[ROWS][STAGES] = {{0.0}}, error[4] = {0.0}, g[SIZE], m[DIM];
    int s = tab->stages, stride = s <= 2 ? 2 : s <= 4 ? 4 : 8, rows = G->size == 12 ? ROWS : 8;
    flat_size size = {0.0, 0.0, 0.0, 0.0};
    flat_point start, y, k;
    lie_stepper_memory_get(st, memory);
    flat_start(G, &start, from);
    for (int c = 0; c < rows; c++)
        for (int i = 0; i < s; i++) K[c][i] = memory[HEAD + c * stride + i];
    for (int i = 0; i < 4; i++) start.q[i] *= way, start.p[i] *= way;
    if (s == 1 && G->dim == 3) mean_slope(G, K, &start, to, h);
    for (int i = 0; i <= s; i++) { /* the last row is the step */
        double *at = (double *)&y, *rate = (double *)&k;
        y = start;
        for (int c = 0; c < rows; c++)
            for (int j = 0; j < s; j++) at[c] += h * flat_weight(tab, c, i, j) * K[c][j];
        if (i == s) break;
        if (flat_rate(st, &k, &size, from->t + tab->c[i] * h, &y, from) != LIE_OK) return HUGE_VAL;
        for (int c = 0; c < rows; c++) {
            int part = c < 4 ? 0 : c < 8 ? 1 : c < 11 ? 2 : 3;
            error[part] = larger(error[part], fabs(rate[c] - K[c][i]));
        }
    }
    if (s == 1 && G->dim == 3) size.turn += 1.0 / fabs(h), size.torque += reach(3, from->m, 0.0) / fabs(h);
    const double of[4] = {size.turn, size.torque, size.force, size.speed};
    double most = 0.0;
    for (int part = 0; part < 4; part++)
        if (of[part] > 0.0) most = larger(most, error[part] / of[part]);
    seen(G, g, m, &y, from);
    double sign = G->size == 4 && dot(4, g, to->g) < 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < 4 && G->size == 4; i++) g[i] *= sign;
    double steps = 1.0 + h * (size.turn + size.speed);
    return larger(most, far(G, g, m, to, larger(reach(G->dim, m, 0.0), h * larger(size.torque, size.force)))) /
           (steps * steps);
}

/* A quaternion has the sign that it has; of a matrix both are right. */
static double embedded_error(const lie_stepper *st, const lie_state *from, const lie_state *to, double h)
{
    double error = embedded_error_of(1.0, st, from, to, h);
    if (lie_stepper_group(st)->size == 4) return error;
    double other = embedded_error_of(-1.0, st, from, to, h);
    return error < other ? error : other;
}

double step_equations_error(const lie_stepper *st, const lie_state *from, const lie_state *to, double h)
{
    const lie_ops *cay;
    if (st->family == &lie__separable || st->family == &lie__vprk || st->family == &lie__vprk0)
        return variational_error(st, from, to, h);
    if (st->family == &lie__embedded || st->family == &lie__embedded_pair) return embedded_error(st, from, to, h);
    if (st->family == &lie__coadjoint) return coadjoint_error(st, lie_stepper_group(st), from, to, h);
    if (st->family == &lie__akw)
        return lie_ops_find(&cay, lie_stepper_group(st)->group, "cay") == LIE_OK ? coadjoint_error(st, cay, from, to, h)
                                                                                 : HUGE_VAL;
    if (st->family == &lie__newmark) return newmark_error(st, from, to, h);
    if (st->family == &lie__dmv) return dmv_error(st, from, to, h);
    if (st->family == &lie__rkmk && !lie_tableau_is_explicit(lie_stepper_tableau(st)))
        return rkmk_error(st, from, to, h);
    return -1.0;
}
