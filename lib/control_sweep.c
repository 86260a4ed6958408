/* SPDX-License-Identifier: MIT */
/* control_sweep.c: the Newton step of the optimal control problem by block elimination from the target to the start;
 * see control.h. The value of the linear-quadratic problem from node k on, with multipliers lambda of the target, is
 *
 *     1/2 <P z, z> + <s, z> + <lambda, Phi z + phi> - 1/2 <F lambda, lambda>,
 *
 * u_k is eliminated by a Cholesky factorisation, which fails where the problem is not convex; at the start z = 0 and
 * F lambda = phi. F is the Gramian of the linearised steps: singular where they cannot reach the target. Adding
 * 1/2 <R y, y> of the linearised target y to the last value changes no solution, because y = 0, but makes the
 * elimination succeed wherever the problem is convex for variations that stay on the target: R is a multiple of the
 * inverse Gramian. Multipliers of the node: p_k = -(P z + s + Phi^T lambda)_b. Where the start is free in part,
 * z_0 = E v, and v is eliminated like an input.
 *
 * Cost: O(N (2n + m)^3), linear in the number of intervals. References: Bryson & Ho, Applied Optimal Control, 1975,
 * section 5.3; Wright, SIAM J. Optim. 1 (1991). */
#include "control.h"

#include <math.h>

#include "cholesky.h"

#define ANCHOR 1e5

typedef struct value {
    double P[CONTROL_STATE * CONTROL_STATE], s[CONTROL_STATE];
    double Phi[CONTROL_ROWS * CONTROL_STATE], phi[CONTROL_ROWS];
    double F[CONTROL_ROWS * CONTROL_ROWS];
} value;

/* What is kept of a node, one behind the other. */
typedef struct kept {
    double *dxi;       /* n x columns */
    double *move;      /* Ad, turn, slope and, where forces vary with the pose, along; n x n each */
    double *gain;      /* m x (2n + 1 + rows): u = -gain (z, 1, lambda) */
    double *P_b, *s_b; /* n x 2n, n */
    double *Phi_b;     /* rows x n */
} kept;

static int matrices(const lie_control_work *w)
{
    return w->varies ? 4 : 3;
}

int lie__control_kept_doubles(const lie_control_work *w)
{
    int n = w->n, s = 2 * n, columns = s + w->m + 1;
    return n * columns + matrices(w) * n * n + w->m * (s + 1 + w->rows) + n * s + n + w->rows * n;
}

static kept kept_of(const lie_control_work *w, int k)
{
    int n = w->n, s = 2 * n, columns = s + w->m + 1;
    double *at = w->kept + (size_t)k * (size_t)lie__control_kept_doubles(w);
    kept r = {.dxi = at, .move = at + n * columns};
    r.gain = r.move + matrices(w) * n * n;
    r.P_b = r.gain + w->m * (s + 1 + w->rows);
    r.s_b = r.P_b + n * s;
    r.Phi_b = r.s_b + n;
    return r;
}

/* out (r x c) += A^T (l x r, row length ar) B (l x c), row length c of out and B */
LIE_INLINE void add_transposed_product(int l, int r, int c, double *out, const double *A, int ar, const double *B)
{
    for (int k = 0; k < l; k++)
        for (int i = 0; i < r; i++) {
            double a = A[k * ar + i];
            for (int j = 0; j < c; j++) out[i * c + j] += a * B[k * c + j];
        }
}

/* out (r x c) += A (r x l) B (l x c) */
LIE_INLINE void add_product(int r, int l, int c, double *out, const double *A, const double *B)
{
    for (int i = 0; i < r; i++)
        for (int k = 0; k < l; k++) {
            double a = A[i * l + k];
            for (int j = 0; j < c; j++) out[i * c + j] += a * B[k * c + j];
        }
}

static void raise(double *most, double to)
{
    if (!(to <= *most)) *most = to;
}

/* Cost and barrier of u_k: gradient and second derivative into H; how far u_k is from optimal into w->worst. */
static void add_cost(lie_control_work *w, int k, double *H)
{
    int n = w->n, s = 2 * n, m = w->m, columns = s + m + 1;
    const double *u = w->now.u + k * m, *p = w->p + k * n;
    double c = node_weight(w, k), B[CONTROL_DIM * CONTROL_INPUTS];
    const double *user = w->cost_u ? w->cost_u + k * m : 0;
    lie__control_inputs(w, B, w->now.g + k * w->size);
    for (int i = 0; i < m; i++) {
        double first = w->weight[i] * u[i] + w->fuel[i], second = w->weight[i], left = first, reach = 0.0;
        double mu = barrier_of(w, i), scale = barrier_scale(w, i);
        left += user ? user[i] / c : 0.0;
        raise(&w->worst.size_u, fabs(left));
        for (int side = 0; side < 2; side++) {
            double sign = side == 0 ? 1.0 : -1.0, bound = side == 0 ? w->lower[i] : w->upper[i];
            double gap = sign * (u[i] - bound), z = (side == 0 ? w->low_z : w->up_z)[k * m + i];
            if (fabs(bound) == HUGE_VAL) continue;
            first -= sign * mu / gap, second += z / gap, left -= sign * z;
            raise(&w->worst.gap, fabs(gap * z - mu) / scale);
        }
        for (int a = 0; a < n; a++) reach += B[a * m + i] * p[a];
        raise(&w->worst.size_u, fabs(reach));
        raise(&w->worst.u, fabs(left - reach));
        H[(s + i) * columns + s + i] += c * second;
        H[(s + i) * columns + s + m] += c * first;
    }
}

/* gain = H_uu^-1 (H_uz, h_u, Lambda_u^T); 0 where H_uu is not positive definite */
LIE_INLINE int fill_gain(int n, int m, int rows, const double *H, const double *Lambda, double *gain)
{
    int s = 2 * n, columns = s + m + 1, right = s + 1 + rows;
    double Q[CONTROL_INPUTS * CONTROL_INPUTS], L[CONTROL_INPUTS * CONTROL_INPUTS], b[CONTROL_INPUTS];
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) Q[i * m + j] = 0.5 * (H[(s + i) * columns + s + j] + H[(s + j) * columns + s + i]);
    if (!cholesky_factor(m, L, Q)) return 0;
    for (int j = 0; j < right; j++) {
        for (int i = 0; i < m; i++)
            b[i] = j < s    ? H[(s + i) * columns + j]
                   : j == s ? H[(s + i) * columns + s + m]
                            : Lambda[(j - s - 1) * columns + s + i];
        cholesky_solve(m, L, b);
        for (int i = 0; i < m; i++) gain[i * right + j] = b[i];
    }
    return 1;
}

/* What the target is of z alone */
LIE_INLINE void reduce_target(int n, int m, int rows, value *v, const double *Lambda, const double *gain)
{
    int s = 2 * n, columns = s + m + 1, right = s + 1 + rows;
    for (int r = 0; r < rows; r++) {
        copy_n(s, v->Phi + r * s, Lambda + r * columns);
        v->phi[r] = Lambda[r * columns + s + m];
        for (int a = 0; a < m; a++) {
            double f = Lambda[r * columns + s + a];
            for (int j = 0; j < s; j++) v->Phi[r * s + j] -= f * gain[a * right + j];
            v->phi[r] -= f * gain[a * right + s];
            for (int j = 0; j < rows; j++) v->F[r * rows + j] += f * gain[a * right + s + 1 + j];
        }
    }
}

/* H, after which the next value comes: the value of node k, by elimination of u_k; Lambda: the target in (z, u, 1) */
LIE_INLINE int eliminate(int n, int m, int rows, value *v, const double *H, const double *Lambda, double *gain)
{
    int s = 2 * n, columns = s + m + 1, right = s + 1 + rows;
    if (!fill_gain(n, m, rows, H, Lambda, gain)) return 0;
    for (int i = 0; i < s; i++) {
        for (int j = 0; j < s; j++) v->P[i * s + j] = 0.5 * (H[i * columns + j] + H[j * columns + i]);
        v->s[i] = H[i * columns + s + m];
        for (int a = 0; a < m; a++) {
            double f = H[(s + a) * columns + i];
            for (int j = 0; j < s; j++) v->P[i * s + j] -= f * gain[a * right + j];
            v->s[i] -= f * gain[a * right + s];
        }
    }
    reduce_target(n, m, rows, v, Lambda, gain);
    return 1;
}

/* The step of node k put into the next value: H += step^T P step, Lambda = Phi step */
LIE_INLINE void carry_back(int n, int m, int rows, const value *v, const control_linear *at, double *H, double *Lambda)
{
    int s = 2 * n, columns = s + m + 1;
    double V[CONTROL_STATE * CONTROL_COLUMNS];
    zero_n(s * columns, V);
    add_product(s, s, columns, V, v->P, at->step);
    for (int i = 0; i < s; i++) V[i * columns + s + m] += v->s[i];
    add_transposed_product(s, s + m, columns, H, at->step, columns, V);
    zero_n(rows * columns, Lambda);
    add_product(rows, s, columns, Lambda, v->Phi, at->step);
    for (int r = 0; r < rows; r++) Lambda[r * columns + s + m] += v->phi[r];
}

/* The same at node N: the target and its weight R */
static void carry_target(const lie_control_work *w, const control_linear *at, double *H, double *Lambda)
{
    int s = 2 * w->n, columns = s + w->m + 1;
    double RE[CONTROL_ROWS * CONTROL_COLUMNS] = {0.0};
    copy_n(w->rows * columns, Lambda, at->step);
    if (!w->anchored) return;
    add_product(w->rows, w->rows, columns, RE, w->anchor, at->step);
    add_transposed_product(w->rows, s + w->m, columns, H, at->step, columns, RE);
}

static void keep(const lie_control_work *w, int k, const control_linear *at, const value *v)
{
    int n = w->n, s = 2 * n, columns = s + w->m + 1;
    kept r = kept_of(w, k);
    const double *move[4] = {at->Ad, at->turn, at->slope, at->along};
    copy_n(n * columns, r.dxi, at->dxi);
    for (int i = 0; i < matrices(w) && k < w->N; i++) copy_n(n * n, r.move + i * n * n, move[i]);
    copy_n(n * s, r.P_b, v->P + n * s);
    copy_n(n, r.s_b, v->s + n);
    for (int i = 0; i < w->rows; i++) copy_n(n, r.Phi_b + i * n, v->Phi + i * s + n);
}

/* Sizes that are known when this is compiled are twice as fast. */
static int back_step(const lie_control_work *w, int k, value *v, control_linear *at, double *Lambda)
{
    double *gain = kept_of(w, k).gain, *H = at->hessian;
    if (k == w->N) {
        carry_target(w, at, H, Lambda);
        return eliminate(w->n, w->m, w->rows, v, H, Lambda, gain);
    }
    if (w->n == 6 && w->rows == 12 && w->m == 5) {
        carry_back(6, 5, 12, v, at, H, Lambda);
        return eliminate(6, 5, 12, v, H, Lambda, gain);
    }
    if (w->n == 3 && w->rows == 6 && w->m == 3) {
        carry_back(3, 3, 6, v, at, H, Lambda);
        return eliminate(3, 3, 6, v, H, Lambda, gain);
    }
    carry_back(w->n, w->m, w->rows, v, at, H, Lambda);
    return eliminate(w->n, w->m, w->rows, v, H, Lambda, gain);
}

/* L of a Gramian (r x r) scaled to a unit diagonal by d; 0: singular */
static int factor_gramian(int r, double *L, double *d, const double *F, int row)
{
    double S[CONTROL_ROWS * CONTROL_ROWS];
    for (int i = 0; i < r; i++) {
        if (!(F[i * row + i] > 0.0)) return 0;
        d[i] = 1.0 / sqrt(F[i * row + i]);
    }
    for (int i = 0; i < r; i++)
        for (int j = 0; j < r; j++) S[i * r + j] = 0.5 * (F[i * row + j] + F[j * row + i]) * d[i] * d[j];
    if (!cholesky_factor(r, L, S)) return 0;
    for (int i = 0; i < r; i++)
        if (L[i * r + i] < 0x1p-22) return 0;
    return 1;
}

/* R = ANCHOR F^-1 of conditions first .. first + r - 1 */
static int make_anchor(lie_control_work *w, const double *F, int first, int r)
{
    double L[CONTROL_ROWS * CONTROL_ROWS], d[CONTROL_ROWS], b[CONTROL_ROWS];
    int c = w->rows;
    if (!factor_gramian(r, L, d, F + first * c + first, c)) return 0;
    for (int j = 0; j < r; j++) {
        for (int i = 0; i < r; i++) b[i] = i == j ? d[i] : 0.0;
        cholesky_solve(r, L, b);
        for (int i = 0; i < r; i++) w->anchor[(first + i) * c + first + j] = ANCHOR * d[i] * b[i];
    }
    return 1;
}

/* lambda = F^-1 phi; the first time also R. The Gramian is scaled to a unit diagonal before its rank is judged. */
static lie_status solve_target(lie_control_work *w, const double *F, const double *phi)
{
    int c = w->rows;
    double L[CONTROL_ROWS * CONTROL_ROWS], d[CONTROL_ROWS], b[CONTROL_ROWS];
    if (!factor_gramian(c, L, d, F, c)) return LIE_ERR_UNREACHABLE;
    for (int i = 0; i < c; i++) b[i] = d[i] * phi[i];
    cholesky_solve(c, L, b);
    for (int i = 0; i < c; i++) w->lambda_next[i] = d[i] * b[i];
    if (w->anchored) return LIE_OK;
    zero_n(c * c, w->anchor);
    if (!make_anchor(w, F, 0, w->on_target) || !make_anchor(w, F, w->on_target, c - w->on_target))
        return LIE_ERR_UNREACHABLE;
    w->anchored = 1;
    return LIE_OK;
}

/* What the free start is made of: A v + a + PhiE^T lambda = 0, and lambda from PhiE v + phi = F lambda */
typedef struct start_block {
    double E[CONTROL_STATE * CONTROL_STATE];   /* 2n x starts */
    double PhiE[CONTROL_ROWS * CONTROL_STATE]; /* rows x starts */
    double A[CONTROL_STATE * CONTROL_STATE], a[CONTROL_STATE];
} start_block;

/* H (starts x starts): second derivatives of the conditions at the start, and of g_0 = g0 line(x), not linear in x */
static lie_status add_start_curvature(const lie_control_work *w, const double *E, double *H)
{
    double M[CONTROL_SQUARE], e[CONTROL_DIM] = {0.0}, D[CONTROL_STATE * CONTROL_STATE] = {0.0};
    double DE[CONTROL_STATE * CONTROL_STATE] = {0.0};
    int n = w->n, c = w->starts, s = 2 * n;
    if (lie__control_start_curvature(w, D) != LIE_OK) return LIE_ERR_GUESS;
    for (int i = 0; i < s * s; i++) D[i] *= w->curvature;
    add_product(s, s, c, DE, D, E);
    add_transposed_product(s, c, c, H, E, c, DE);
    for (int i = 0; i < c && w->start[i] < n; i++) {
        e[w->start[i]] = 1.0;
        lie_status status = w->line->dtau_body_deriv(w->line, M, w->now.x, e);
        e[w->start[i]] = 0.0;
        if (status != LIE_OK) return status;
        for (int j = 0; j < c && w->start[j] < n; j++)
            for (int a = 0; a < n; a++) {
                double half = 0.5 * w->curvature * w->pi[a] * M[a * n + w->start[j]];
                H[i * c + j] -= half;
                H[j * c + i] -= half;
            }
    }
    return LIE_OK;
}

/* The gradient in the free components of the start, with the conditions there; D: of its set */
static void measure_start(lie_control_work *w, const start_block *b, const double *D)
{
    int n = w->n, s = 2 * n;
    for (int j = 0; j < w->starts; j++) {
        double sum = 0.0, unit = w->start[j] < n ? w->h : 1.0;
        for (int i = 0; i < s; i++) {
            double slope = i < n ? -w->pi[i] : -w->p[i - n];
            for (int r = w->on_target; r < w->rows; r++) slope += w->lambda[r] * D[(r - w->on_target) * s + i];
            sum += slope * b->E[i * w->starts + j];
        }
        raise(&w->worst.xi, unit * fabs(sum));
    }
}

/* A, a and PhiE from the value of node 0 and the conditions at the start. The first time, without an anchor, the start
 * has a weight that makes it as dear as the inputs; later a small one, which changes no solution. */
static lie_status make_start(lie_control_work *w, const value *v, start_block *b)
{
    double D[CONTROL_STATE * CONTROL_STATE];
    int s = 2 * w->n, c = w->starts, at_start = w->rows - w->on_target;
    lie_status status = lie__control_start_columns(w, b->E);
    zero_n(s * s, D);
    lie__control_start_slope(w, D);
    zero_n(w->rows * c, b->PhiE);
    add_product(w->rows, s, c, b->PhiE, v->Phi, b->E);
    add_product(at_start, s, c, b->PhiE + w->on_target * c, D, b->E);
    double PE[CONTROL_STATE * CONTROL_STATE] = {0.0}, RE[CONTROL_ROWS * CONTROL_STATE] = {0.0}, most = 0.0;
    add_product(s, s, c, PE, v->P, b->E);
    zero_n(c * c, b->A);
    add_transposed_product(s, c, c, b->A, b->E, c, PE);
    zero_n(c, b->a);
    add_transposed_product(s, c, 1, b->a, b->E, c, v->s);
    if (status == LIE_OK && w->curvature > 0.0) status = add_start_curvature(w, b->E, b->A);
    if (w->anchored) {
        const double *DE = b->PhiE + w->on_target * c;
        for (int r = 0; r < at_start; r++) {
            const double *R = w->anchor + (w->on_target + r) * w->rows + w->on_target;
            for (int j = 0; j < c; j++)
                for (int q = 0; q < at_start; q++) {
                    RE[r * c + j] += R[q] * DE[q * c + j];
                    b->a[j] += DE[r * c + j] * R[q] * w->now.y[w->on_target + q];
                }
        }
        add_transposed_product(at_start, c, c, b->A, DE, c, RE);
    }
    measure_start(w, b, D);
    for (int j = 0; j < c; j++) most = fmax(most, fabs(b->A[j * c + j]));
    for (int j = 0; j < c; j++) {
        double weight = 0.0;
        for (int r = 0; r < w->rows; r++)
            if (v->F[r * w->rows + r] > 0.0) weight += pow(b->PhiE[r * c + j], 2.0) / v->F[r * w->rows + r];
        b->A[j * c + j] += w->anchored ? 1e-10 * most : weight > 0.0 ? weight : 1.0;
    }
    return status;
}

/* The start: fixed, z = 0, or free in part */
static lie_status solve_start(lie_control_work *w, const value *v)
{
    start_block b;
    double L[CONTROL_STATE * CONTROL_STATE], F[CONTROL_ROWS * CONTROL_ROWS], phi[CONTROL_ROWS], x[CONTROL_STATE];
    int c = w->starts, rows = w->rows;
    zero_n(2 * w->n, w->z);
    copy_n(rows * rows, F, v->F);
    copy_n(rows, phi, v->phi);
    if (c == 0) return solve_target(w, F, phi);
    lie_status status = make_start(w, v, &b);
    if (status != LIE_OK) return status;
    if (!cholesky_factor(c, L, b.A)) return LIE_ERR_SINGULAR;
    for (int q = 0; q <= rows; q++) {
        copy_n(c, x, q < rows ? b.PhiE + q * c : b.a);
        cholesky_solve(c, L, x);
        for (int r = 0; r < rows; r++)
            for (int j = 0; j < c; j++)
                *(q < rows ? &F[r * rows + q] : &phi[r]) += (q < rows ? x[j] : -x[j]) * b.PhiE[r * c + j];
    }
    status = solve_target(w, F, phi);
    for (int j = 0; j < c; j++) {
        x[j] = -b.a[j];
        for (int r = 0; r < rows; r++) x[j] -= b.PhiE[r * c + j] * w->lambda_next[r];
    }
    cholesky_solve(c, L, x);
    copy_n(c, w->dstart, x);
    add_product(2 * w->n, c, 1, w->z, b.E, x);
    return status;
}

static void clear_user(lie_control_work *w)
{
    if (!w->cost) return;
    zero_n((w->N + 1) * 2 * w->n, w->cost_z);
    zero_n(w->N * w->n, w->cost_xi);
    zero_n((w->N + 1) * w->m, w->cost_u);
}

lie_status lie__control_sweep_back(lie_control_work *w)
{
    control_linear at = {.size_xi = 0.0};
    value v = {.F = {0.0}};
    double Lambda[CONTROL_ROWS * CONTROL_COLUMNS] = {0.0};
    int running = w->cost && w->cost->running;
    w->worst.u = w->worst.size_u = w->worst.xi = w->worst.size_xi = w->worst.gap = 0.0;
    clear_user(w);
    for (int k = w->N; k >= 0; k--) {
        lie_status status = lie__control_linearise(w, k, &at);
        if (status == LIE_OK && running && k > 0 && !lie__control_add_user_inputs(w, k, &at)) status = LIE_ERR_SINGULAR;
        if (status != LIE_OK) return status;
        add_cost(w, k, at.hessian);
        raise(&w->worst.xi, at.gradient_xi);
        raise(&w->worst.size_xi, at.size_xi);
        if (!back_step(w, k, &v, &at, Lambda)) return LIE_ERR_SINGULAR;
        keep(w, k, &at, &v);
    }
    return solve_start(w, &v);
}

/* p_next of node k from z there */
static void node_multiplier(const lie_control_work *w, int k, const kept *r)
{
    int n = w->n, s = 2 * n;
    const double *z = w->z + k * s;
    for (int i = 0; i < n; i++) {
        double sum = r->s_b[i];
        for (int j = 0; j < s; j++) sum += r->P_b[i * s + j] * z[j];
        for (int j = 0; j < w->rows; j++) sum += r->Phi_b[j * n + i] * w->lambda_next[j];
        w->p_next[k * n + i] = -sum;
    }
}

/* out (n) += A v */
static void add_times(int n, double *out, const double *A, const double *v)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) out[i] += A[i * n + j] * v[j];
}

/* dxi_k and z_{k+1} from v = (z, u, 1) */
static void move_on(lie_control_work *w, int k, const kept *r, const double *v)
{
    int n = w->n, columns = 2 * n + w->m + 1;
    double *dxi = w->dxi + k * n, *eta = w->z + (k + 1) * 2 * n, *b = eta + n;
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = 0; j < columns; j++) sum += r->dxi[i * columns + j] * v[j];
        dxi[i] = sum;
    }
    zero_n(2 * n, eta);
    add_times(n, eta, r->move, v);
    add_times(n, eta, r->move + n * n, dxi);
    add_times(n, b, r->move + 2 * n * n, dxi);
    if (w->varies) add_times(n, b, r->move + 3 * n * n, eta);
}

lie_status lie__control_sweep_forward(lie_control_work *w)
{
    int n = w->n, s = 2 * n, m = w->m, right = s + 1 + w->rows;
    double v[CONTROL_COLUMNS];
    for (int k = 0; k <= w->N; k++) {
        kept r = kept_of(w, k);
        double *du = w->du + k * m;
        copy_n(s, v, w->z + k * s);
        v[s + m] = 1.0;
        for (int i = 0; i < m; i++) {
            const double *gain = r.gain + i * right;
            double sum = gain[s];
            for (int j = 0; j < s; j++) sum += gain[j] * v[j];
            for (int j = 0; j < w->rows; j++) sum += gain[s + 1 + j] * w->lambda_next[j];
            v[s + i] = du[i] = -sum;
        }
        node_multiplier(w, k, &r);
        if (k < w->N) move_on(w, k, &r, v);
    }
    return all_finite((w->N + 1) * m, w->du) && all_finite(w->N * n, w->dxi) ? LIE_OK : LIE_ERR_NOT_FINITE;
}
