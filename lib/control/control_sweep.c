/* SPDX-License-Identifier: MIT */
/* control_sweep.c: the Newton step of the optimal control problem by block elimination from the target to the start;
 * see control_step.h. The value of the linear-quadratic problem from node k on, with multipliers lambda of the target,
 * is
 *
 *     1/2 <P z, z> + <s, z> + <lambda, Phi z + phi> - 1/2 <F lambda, lambda>,
 *
 * u_k is eliminated by a factorisation of H_uu, and at the start z = 0 and F lambda = phi (control_sweep_ends.c).
 * All of that is block elimination in the matrix K of the optimality conditions, with pivots H_uu of every node and
 * -F, so that K has as many negative eigenvalues as they have together (Haynsworth). The problem is strictly convex
 * for variations that stay on the target exactly where K has one for every condition (Gould): where F has as many
 * negative eigenvalues as all H_uu. Mostly there are none, and the factors are Cholesky's; an H_uu that has some is
 * factored in blocks of one and two. Multipliers of the node: p_k = -(P z + s + Phi^T lambda)_b.
 *
 * Cost: O(N (2n + m)^3), linear in the number of intervals. References: Bryson & Ho, Applied Optimal Control, 1975,
 * section 5.3; Wright, SIAM J. Optim. 1 (1991); Haynsworth, Linear Algebra Appl. 1 (1968); Gould, Math. Program. 32
 * (1985), lemma 3.4. */
#include "lib/control/control_sweep.h"

#include <math.h>

#include "groups/num/cholesky.h"
#include "groups/num/finite.h"
#include "groups/num/indefinite.h"

/* What the way forward needs of a node, one behind the other. */
typedef struct record {
    double *dxi;       /* n x columns */
    double *move;      /* Ad, tangent, slope and, where forces vary with the pose, along; n x n each */
    double *gain;      /* m x (2n + 1 + rows): u = -gain (z, 1, lambda) */
    double *P_b, *s_b; /* n x 2n, n */
    double *Phi_b;     /* rows x n */
} record;

static int matrices(const control_problem *P)
{
    return P->varies ? 4 : 3;
}

int lie__control_record_doubles(const control_problem *P)
{
    int n = P->n, s = 2 * n, columns = s + P->m + 1;
    return n * columns + matrices(P) * n * n + P->m * (s + 1 + P->ends.rows) + n * s + n + P->ends.rows * n;
}

static record record_of(const lie_control *c, int k)
{
    const control_problem *P = &c->problem;
    int n = P->n, s = 2 * n, columns = s + P->m + 1;
    double *at = c->step.records + (size_t)k * (size_t)lie__control_record_doubles(P);
    record r = {.dxi = at, .move = at + n * columns};
    r.gain = r.move + matrices(P) * n * n;
    r.P_b = r.gain + P->m * (s + 1 + P->ends.rows);
    r.s_b = r.P_b + n * s;
    r.Phi_b = r.s_b + n;
    return r;
}

/* Cost and barrier of u_k: gradient and second derivative into H; how far u_k is from optimal into w->worst. */
static void add_cost(lie_control *c, int k, double *H)
{
    const control_problem *P = &c->problem;
    int n = P->n, s = 2 * n, m = P->m, columns = s + m + 1;
    const double *u = c->iterate.now.u + k * m, *p = c->iterate.p + k * n;
    double share = node_weight(P, k), B[CONTROL_DIM * CONTROL_INPUTS];
    const double *user = c->linear.cost_u ? c->linear.cost_u + k * m : 0;
    lie__control_inputs(P, B, c->iterate.now.g + k * P->size);
    for (int i = 0; i < m; i++) {
        double first = P->inputs.weight[i] * u[i] + P->inputs.fuel[i], second = P->inputs.weight[i], left = first,
               reach = 0.0;
        double mu = barrier_of(P, &c->barrier, i), scale = barrier_scale(P, i);
        left += user ? user[i] / share : 0.0;
        raise(&c->step.worst.size_u, fabs(left));
        for (int side = 0; side < 2; side++) {
            double sign = side == 0 ? 1.0 : -1.0, bound = side == 0 ? P->inputs.lower[i] : P->inputs.upper[i];
            double gap = sign * (u[i] - bound), z = (side == 0 ? c->barrier.low_z : c->barrier.up_z)[k * m + i];
            if (fabs(bound) == HUGE_VAL) continue;
            first -= sign * mu / gap, second += z / gap, left -= sign * z;
            raise(&c->step.worst.gap, fabs(gap * z - mu) / scale);
        }
        for (int a = 0; a < n; a++) reach += B[a * m + i] * p[a];
        raise(&c->step.worst.size_u, fabs(reach));
        raise(&c->step.worst.u, fabs(left - reach));
        second += damping_of(P, c->step.damping, i);
        H[(s + i) * columns + s + i] += share * second;
        H[(s + i) * columns + s + m] += share * first;
    }
}

/* Column j of (H_uz, h_u, Lambda_u^T) */
LIE_INLINE void right_side(int n, int m, double *b, const double *H, const double *Lambda, int j)
{
    int s = 2 * n, columns = s + m + 1;
    for (int i = 0; i < m; i++)
        b[i] = j < s    ? H[(s + i) * columns + j]
               : j == s ? H[(s + i) * columns + s + m]
                        : Lambda[(j - s - 1) * columns + s + i];
}

/* The same gain where H_uu = Q is not positive definite */
static int fill_indefinite_gain(int n, int m, int rows, const double *H, const double *Lambda, double *Q, double *gain)
{
    int right = 2 * n + 1 + rows, row[CONTROL_INPUTS], pair[CONTROL_INPUTS];
    double b[CONTROL_INPUTS], y[CONTROL_INPUTS];
    indefinite f;
    int negative = indefinite_factor(&f, m, Q, row, pair);
    for (int j = 0; j < right && negative >= 0; j++) {
        right_side(n, m, b, H, Lambda, j);
        indefinite_solve(&f, b, y);
        for (int i = 0; i < m; i++) gain[i * right + j] = b[i];
    }
    return negative;
}

/* gain = H_uu^-1 (H_uz, h_u, Lambda_u^T); the number of negative eigenvalues of H_uu, or -1: singular */
LIE_INLINE int fill_gain(int n, int m, int rows, const double *H, const double *Lambda, double *gain)
{
    int s = 2 * n, columns = s + m + 1, right = s + 1 + rows;
    double Q[CONTROL_INPUTS * CONTROL_INPUTS], L[CONTROL_INPUTS * CONTROL_INPUTS], b[CONTROL_INPUTS];
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) Q[i * m + j] = 0.5 * (H[(s + i) * columns + s + j] + H[(s + j) * columns + s + i]);
    if (!cholesky_factor(m, L, Q)) return fill_indefinite_gain(n, m, rows, H, Lambda, Q, gain);
    for (int j = 0; j < right; j++) {
        right_side(n, m, b, H, Lambda, j);
        cholesky_solve(m, L, b);
        for (int i = 0; i < m; i++) gain[i * right + j] = b[i];
    }
    return 0;
}

/* What the target is of z alone */
LIE_INLINE void reduce_target(int n, int m, int rows, control_value *v, const double *Lambda, const double *gain)
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
LIE_INLINE int eliminate(int n, int m, int rows, control_value *v, const double *H, const double *Lambda, double *gain)
{
    int s = 2 * n, columns = s + m + 1, right = s + 1 + rows;
    int negative = fill_gain(n, m, rows, H, Lambda, gain);
    if (negative < 0) return negative;
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
    return negative;
}

/* The step of node k put into the next value: H += step^T P step, Lambda = Phi step */
LIE_INLINE void carry_back(int n, int m, int rows, const control_value *v, const control_linear *at, double *H,
                           double *Lambda)
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
static void carry_target(const lie_control *c, const control_linear *at, double *H, double *Lambda)
{
    const control_problem *P = &c->problem;
    int s = 2 * P->n, columns = s + P->m + 1;
    double RE[CONTROL_ROWS * CONTROL_COLUMNS] = {0.0};
    copy_n(P->ends.rows * columns, Lambda, at->step);
    if (!c->step.anchored) return;
    add_product(P->ends.rows, P->ends.rows, columns, RE, c->step.anchor, at->step);
    add_transposed_product(P->ends.rows, s + P->m, columns, H, at->step, columns, RE);
}

static void keep(const lie_control *c, int k, const control_linear *at, const control_value *v)
{
    const control_problem *P = &c->problem;
    int n = P->n, s = 2 * n, columns = s + P->m + 1;
    record r = record_of(c, k);
    const double *move[4] = {at->Ad, at->tangent, at->slope, at->along};
    copy_n(n * columns, r.dxi, at->dxi);
    for (int i = 0; i < matrices(P) && k < P->N; i++) copy_n(n * n, r.move + i * n * n, move[i]);
    copy_n(n * s, r.P_b, v->P + n * s);
    copy_n(n, r.s_b, v->s + n);
    for (int i = 0; i < P->ends.rows; i++) copy_n(n, r.Phi_b + i * n, v->Phi + i * s + n);
}

/* Sizes that are known when this is compiled are twice as fast. */
static int back_step(const lie_control *c, int k, control_value *v, control_linear *at, double *Lambda)
{
    const control_problem *P = &c->problem;
    double *gain = record_of(c, k).gain, *H = at->hessian;
    if (k == P->N) {
        carry_target(c, at, H, Lambda);
        return eliminate(P->n, P->m, P->ends.rows, v, H, Lambda, gain);
    }
    if (P->n == 6 && P->ends.rows == 12 && P->m == 5) {
        carry_back(6, 5, 12, v, at, H, Lambda);
        return eliminate(6, 5, 12, v, H, Lambda, gain);
    }
    if (P->n == 3 && P->ends.rows == 6 && P->m == 3) {
        carry_back(3, 3, 6, v, at, H, Lambda);
        return eliminate(3, 3, 6, v, H, Lambda, gain);
    }
    carry_back(P->n, P->m, P->ends.rows, v, at, H, Lambda);
    return eliminate(P->n, P->m, P->ends.rows, v, H, Lambda, gain);
}

static void clear_user(lie_control *c)
{
    const control_problem *P = &c->problem;
    if (!P->cost) return;
    zero_n((P->N + 1) * 2 * P->n, c->linear.cost_z);
    zero_n(P->N * P->n, c->linear.cost_xi);
    zero_n((P->N + 1) * P->m, c->linear.cost_u);
}

lie_status lie__control_sweep_back(lie_control *c)
{
    const control_problem *P = &c->problem;
    control_linear at = {.size_xi = 0.0};
    control_value v = {.F = {0.0}};
    double Lambda[CONTROL_ROWS * CONTROL_COLUMNS] = {0.0};
    int running = P->cost && P->cost->running;
    c->step.worst.u = c->step.worst.size_u = c->step.worst.xi = c->step.worst.size_xi = c->step.worst.gap = 0.0;
    c->step.negative = 0;
    clear_user(c);
    for (int k = P->N; k >= 0; k--) {
        lie_status status = lie__control_linearise(c, k, &at);
        if (status == LIE_OK && running && k > 0 && !lie__control_add_user_inputs(c, k, &at)) status = LIE_ERR_SINGULAR;
        if (status != LIE_OK) return status;
        add_cost(c, k, at.hessian);
        raise(&c->step.worst.xi, at.gradient_xi);
        raise(&c->step.worst.size_xi, at.size_xi);
        int negative = back_step(c, k, &v, &at, Lambda);
        if (negative < 0) return LIE_ERR_SINGULAR;
        c->step.negative += negative;
        if (negative > 0 && !lie__control_may_be_convex(c, &v)) return LIE_ERR_SINGULAR;
        keep(c, k, &at, &v);
    }
    return lie__control_solve_ends(c, &v);
}

/* p_next of node k from z there */
static void node_multiplier(const lie_control *c, int k, const record *r)
{
    const control_problem *P = &c->problem;
    int n = P->n, s = 2 * n;
    const double *z = c->step.z + k * s;
    for (int i = 0; i < n; i++) {
        double sum = r->s_b[i];
        for (int j = 0; j < s; j++) sum += r->P_b[i * s + j] * z[j];
        for (int j = 0; j < P->ends.rows; j++) sum += r->Phi_b[j * n + i] * c->step.lambda_next[j];
        c->step.p_next[k * n + i] = -sum;
    }
}

/* out (n) += A v */
static void add_times(int n, double *out, const double *A, const double *v)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) out[i] += A[i * n + j] * v[j];
}

/* dxi_k and z_{k+1} from v = (z, u, 1) */
static void move_on(lie_control *c, int k, const record *r, const double *v)
{
    const control_problem *P = &c->problem;
    int n = P->n, columns = 2 * n + P->m + 1;
    double *dxi = c->step.dxi + k * n, *eta = c->step.z + (k + 1) * 2 * n, *b = eta + n;
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = 0; j < columns; j++) sum += r->dxi[i * columns + j] * v[j];
        dxi[i] = sum;
    }
    zero_n(2 * n, eta);
    add_times(n, eta, r->move, v);
    add_times(n, eta, r->move + n * n, dxi);
    add_times(n, b, r->move + 2 * n * n, dxi);
    if (P->varies) add_times(n, b, r->move + 3 * n * n, eta);
}

lie_status lie__control_sweep_forward(lie_control *c)
{
    const control_problem *P = &c->problem;
    int n = P->n, s = 2 * n, m = P->m, right = s + 1 + P->ends.rows;
    double v[CONTROL_COLUMNS];
    for (int k = 0; k <= P->N; k++) {
        record r = record_of(c, k);
        double *du = c->step.du + k * m;
        copy_n(s, v, c->step.z + k * s);
        v[s + m] = 1.0;
        for (int i = 0; i < m; i++) {
            const double *gain = r.gain + i * right;
            double sum = gain[s];
            for (int j = 0; j < s; j++) sum += gain[j] * v[j];
            for (int j = 0; j < P->ends.rows; j++) sum += gain[s + 1 + j] * c->step.lambda_next[j];
            v[s + i] = du[i] = -sum;
        }
        node_multiplier(c, k, &r);
        if (k < P->N) move_on(c, k, &r, v);
    }
    return all_finite((P->N + 1) * m, c->step.du) && all_finite(P->N * n, c->step.dxi) ? LIE_OK : LIE_ERR_NOT_FINITE;
}
