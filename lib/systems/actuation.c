/* SPDX-License-Identifier: MIT */
/* actuation.c: inputs as data on any system, and the ranks of their brackets; see actuation.h.
 *
 * Controllability, with b_i = I^-1 w_i: the span of the b_i closed under the symmetric product gives the velocities
 * that small inputs reach from rest, that closed under the Lie bracket the configurations (Bullo, Leonard & Lewis,
 * IEEE Trans. Autom. Control 45 (2000); Bullo & Lewis 2005, theorem 7.36). Ranks are those of a Gram-Schmidt
 * process that drops what is below 2^-26 of its length. */
#include <math.h>

#include "groups/num/cholesky.h"
#include "groups/num/finite.h"
#include "groups/num/vec3.h"
#include "lib/systems/actuation.h"

enum { DIM = 6 };

static int has_torques(const lie_ops *G)
{
    return strcmp(G->group, "SO3") == 0 || strcmp(G->group, "S3") == 0 || strcmp(G->group, "SE3") == 0;
}

/* w: the wrench of unit input in the body frame */
static void wrench_of(const lie_ops *G, const lie_actuator *a, double *w, const double *g)
{
    zero_n(DIM, w);
    switch (a->kind) {
    case LIE_BODY_WRENCH:
        copy_n(G->dim, w, a->wrench);
        break;
    case LIE_SPATIAL_WRENCH:
        G->Adt(G, w, g, a->wrench);
        break;
    case LIE_THRUSTER:
        cross3(w, a->at, a->along);
        if (G->dim == 6) copy_n(3, w + 3, a->along);
        break;
    case LIE_WHEEL:
        for (int i = 0; i < 3; i++) w[i] = -a->along[i];
        break;
    }
}

static void actuated_external(const lie_system *sys, double *f, double t, const double *g, const double *xi,
                              const double *u)
{
    const lie_actuation *p = (const lie_actuation *)sys->inputs;
    const lie_ops *G = sys->group;
    double w[DIM], torque[3], axis[3] = {0.0, 0.0, 0.0};
    int own = p->base.controls, wheel = 0;
    lie_system_external(&p->base, f, t, g, xi, u);
    for (int i = 0; u && i < p->count; i++) {
        const lie_actuator *a = &p->actuator[i];
        double input = limited_input(a, u[own + i]);
        wrench_of(G, a, w, g);
        for (int k = 0; k < G->dim; k++) f[k] += input * w[k];
        if (a->kind != LIE_WHEEL) continue;
        for (int k = 0; k < 3; k++) axis[k] += u[own + p->count + wheel] * a->along[k];
        wheel++;
    }
    if (wheel == 0) return;
    cross3(torque, axis, xi);
    for (int k = 0; k < 3; k++) f[k] += torque[k];
}

/* that of the base, and hat(sum h a) of the wheels */
static void actuated_external_deriv(const lie_system *sys, double *D, double t, const double *g, const double *xi,
                                    const double *u)
{
    const lie_actuation *p = (const lie_actuation *)sys->inputs;
    double axis[3] = {0.0, 0.0, 0.0}, turn[9];
    int n = sys->group->dim, wheel = p->base.controls + p->count;
    lie_system_external_deriv(&p->base, D, t, g, xi, u);
    if (!u || p->wheels == 0) return;
    for (int i = 0; i < p->count; i++) {
        if (p->actuator[i].kind != LIE_WHEEL) continue;
        for (int k = 0; k < 3; k++) axis[k] += u[wheel] * p->actuator[i].along[k];
        wheel++;
    }
    hat3(turn, axis);
    for (int i = 0; i < 9; i++) D[i / 3 * n + i % 3] += turn[i];
}

static lie_status check_actuator(const lie_ops *G, const lie_actuator *a)
{
    int points = a->kind == LIE_THRUSTER || a->kind == LIE_WHEEL;
    if (!all_finite(DIM, a->wrench) || !all_finite(3, a->at) || !all_finite(3, a->along)) return LIE_ERR_NOT_FINITE;
    if (!(a->min - a->min == 0.0) || !(a->max - a->max == 0.0)) return LIE_ERR_NOT_FINITE;
    if (a->min > a->max) return LIE_ERR_DOMAIN;
    if (!points) return LIE_OK;
    if (!has_torques(G)) return LIE_ERR_METHOD;
    return fabs(dot3(a->along, a->along) - 1.0) <= 2e-6 ? LIE_OK : LIE_ERR_DOMAIN;
}

lie_status lie_actuated_system(lie_system *out, lie_actuation *p)
{
    const lie_system *b = &p->base;
    lie_status status = lie_system_check(b);
    int wheels = 0;
    if (status != LIE_OK) return status;
    if (p->count < 0 || p->count > LIE_ACTUATORS_MAX || b->group->dim > DIM) return LIE_ERR_SIZE;
    for (int i = 0; i < p->count && status == LIE_OK; i++) {
        status = check_actuator(b->group, &p->actuator[i]);
        wheels += p->actuator[i].kind == LIE_WHEEL;
    }
    if (status != LIE_OK) return status;
    p->wheels = wheels;
    lie_system made = *b;
    made.inputs = p;
    made.controls = b->controls + p->count + wheels;
    int is_acted_on = b->external || p->count > 0;
    made.external = is_acted_on ? actuated_external : 0;
    made.external_deriv = is_acted_on ? actuated_external_deriv : 0;
    made.external_is_positional = (!b->external || b->external_is_positional) && wheels == 0;
    *out = made;
    return LIE_OK;
}

void lie_actuation_matrix(const lie_actuation *p, double *B, const double *g)
{
    double w[DIM];
    for (int i = 0; i < p->count; i++) {
        wrench_of(p->base.group, &p->actuator[i], w, g);
        for (int k = 0; k < p->base.group->dim; k++) B[k * p->count + i] = w[k];
    }
}

void lie_actuation_store(const lie_actuation *p, double *u_next, double h, const double *u_minus, const double *u_plus)
{
    int own = p->base.controls, wheel = own + p->count;
    for (int i = 0; i < p->count; i++) {
        const lie_actuator *a = &p->actuator[i];
        if (a->kind != LIE_WHEEL) continue;
        u_next[wheel] =
            u_minus[wheel] + 0.5 * h * (limited_input(a, u_minus[own + i]) + limited_input(a, u_plus[own + i]));
        wheel++;
    }
}

/* Append v to the orthonormal rows of Q if it is not in their span; returns the new count. */
static int extend(int n, int rank, double *Q, const double *v)
{
    double r[DIM], size = 0.0, left = 0.0;
    for (int i = 0; i < n; i++) r[i] = v[i], size += v[i] * v[i];
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < rank; k++) {
            double part = 0.0;
            for (int i = 0; i < n; i++) part += r[i] * Q[k * n + i];
            for (int i = 0; i < n; i++) r[i] -= part * Q[k * n + i];
        }
    for (int i = 0; i < n; i++) left += r[i] * r[i];
    if (rank == n || !(left > 0x1p-52 * size) || size == 0.0) return rank;
    for (int i = 0; i < n; i++) Q[rank * n + i] = r[i] / sqrt(left);
    return rank + 1;
}

int lie_actuation_annihilator(int dim, int count, const double *B, double *E)
{
    double Q[DIM * DIM], v[DIM];
    int rank = 0, all;
    for (int j = 0; j < count; j++) {
        for (int i = 0; i < dim; i++) v[i] = B[i * count + j];
        rank = extend(dim, rank, Q, v);
    }
    all = rank;
    while (all < dim) { /* the unit vector that is farthest from the span so far */
        int best = 0;
        double least = HUGE_VAL;
        for (int i = 0; i < dim; i++) {
            double inside = 0.0;
            for (int k = 0; k < all; k++) inside += Q[k * dim + i] * Q[k * dim + i];
            if (inside < least) least = inside, best = i;
        }
        for (int i = 0; i < dim; i++) v[i] = i == best ? 1.0 : 0.0;
        all = extend(dim, all, Q, v);
    }
    copy_n((dim - rank) * dim, E, Q + rank * dim);
    return dim - rank;
}

/* of (count) such that w = sum of_j w_j over the first `count` inputs: least squares by the orthonormal rows of Q, in
 * which row r came from input source[r] */
static void coefficients(int n, int rank, const double *Q, const int *source, const double *B, int count,
                         const double *w, double *of)
{
    double left[DIM];
    for (int i = 0; i < n; i++) left[i] = w[i];
    for (int r = rank - 1; r >= 0; r--) { /* row r has a part in w_source[r] and in no earlier one */
        double whole = 0.0, own = 0.0;
        for (int i = 0; i < n; i++) {
            whole += Q[r * n + i] * left[i];
            own += Q[r * n + i] * B[i * count + source[r]];
        }
        of[source[r]] = whole / own;
        for (int i = 0; i < n; i++) left[i] -= of[source[r]] * B[i * count + source[r]];
    }
}

void lie_actuation_dependence(const lie_actuation *p, lie_dependence *out, const double *g)
{
    double B[DIM * LIE_ACTUATORS_MAX] = {0.0}, Q[DIM * DIM], w[DIM];
    int n = p->base.group->dim, source[DIM] = {0};
    *out = (lie_dependence){.input = -1};
    lie_actuation_matrix(p, B, g);
    for (int j = 0; j < p->count; j++) {
        for (int i = 0; i < n; i++) w[i] = B[i * p->count + j];
        int rank = extend(n, out->rank, Q, w);
        if (rank > out->rank)
            source[out->rank] = j;
        else if (out->input < 0) {
            out->input = j;
            coefficients(n, rank, Q, source, B, p->count, w, out->of);
        }
        out->rank = rank;
    }
}

/* <x : y> = -I^-1 (ad*_x I y + ad*_y I x) */
static void symmetric_product(const lie_system *sys, const double *L, double *out, const double *x, const double *y)
{
    const lie_ops *G = sys->group;
    int n = G->dim;
    double Ix[DIM], Iy[DIM], a[DIM], b[DIM];
    for (int i = 0; i < n; i++) {
        Ix[i] = Iy[i] = 0.0;
        for (int j = 0; j < n; j++) Ix[i] += sys->inertia[i * n + j] * x[j], Iy[i] += sys->inertia[i * n + j] * y[j];
    }
    G->adt(G, a, x, Iy);
    G->adt(G, b, y, Ix);
    for (int i = 0; i < n; i++) out[i] = -(a[i] + b[i]);
    cholesky_solve(n, L, out);
}

static void lie_bracket(const lie_system *sys, const double *L, double *out, const double *x, const double *y)
{
    (void)L;
    sys->group->ad(sys->group, out, x, y);
}

typedef void product_fn(const lie_system *sys, const double *L, double *out, const double *x, const double *y);

/* Close the span of the rows of Q under a product of any two; *depth is how often something was added. */
static int close_under(const lie_system *sys, const double *L, product_fn *product, int rank, double *Q, int *depth)
{
    int n = sys->group->dim, before;
    double v[DIM];
    *depth = 0;
    do {
        before = rank;
        for (int i = 0; i < before; i++)
            for (int j = 0; j <= i; j++) {
                product(sys, L, v, Q + i * n, Q + j * n);
                rank = extend(n, rank, Q, v);
            }
        *depth += rank > before;
    } while (rank > before);
    return rank;
}

lie_status lie_actuation_report(const lie_actuation *p, lie_controllability *out, const double *g)
{
    const lie_system *sys = &p->base;
    int n = sys->group->dim, rank = 0;
    double L[DIM * DIM], Q[DIM * DIM], b[DIM];
    if (!sys->inertia) return LIE_ERR_METHOD;
    if (!cholesky_factor(n, L, sys->inertia)) return LIE_ERR_INERTIA;
    for (int i = 0; i < p->count; i++) {
        wrench_of(sys->group, &p->actuator[i], b, g);
        cholesky_solve(n, L, b);
        rank = extend(n, rank, Q, b);
    }
    lie_controllability made = {.dim = n, .actuated = rank};
    made.reachable = rank = close_under(sys, L, symmetric_product, rank, Q, &made.symmetric_depth);
    made.accessible = close_under(sys, L, lie_bracket, rank, Q, &made.lie_depth);
    *out = made;
    return LIE_OK;
}
