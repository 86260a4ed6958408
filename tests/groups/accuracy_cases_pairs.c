/* SPDX-License-Identifier: MIT */
/* accuracy_cases_pairs.c: the maps of every group x retraction, and the round trips, against ref_mpfr.
 *
 * The reference of a point is computed once and serves all maps. Condition numbers: docs/ACCURACY.md. */
#include "tests/groups/accuracy_cases.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846
#define NOT_MEASURED (-1.0)

/* One point, its reference and what is asked for. */
typedef struct point {
    const acc_pair *pair;
    const ref_group *G;
    const acc_input *in;
    int decade, strict;
    mpfr_ptr x, g;      /* x exactly; tau(x) */
    ref_mat D, Dinv, M; /* dtau, its inverse, the body derivatives */
} point;

#define BIT(map) (1U << (map))
#define NEEDS_DTAU (BIT(ACC_DTAU) | BIT(ACC_DTAUT) | BIT(ACC_DTAU_MATRIX))
#define NEEDS_DINV (BIT(ACC_DTAUINV) | BIT(ACC_DTAUINVT) | BIT(ACC_DTAUINV_MATRIX))
#define NEEDS_D (NEEDS_DTAU | NEEDS_DINV)

/* dskew grows without bound at the edge of the ball; what twice the working precision leaves of 1 - |w|^2 below eps:
 * max(1, eps / (1 - |w|^2/edge^2)). */
static double edge_condition(const point *p)
{
    int mark = ref_mark();
    mpfr_ptr gap = ref_new(1);
    double edge = p->pair->radius(p->pair->limit);
    ref_norm(gap, p->x, 3);
    mpfr_div_d(gap, gap, edge, MPFR_RNDN);
    mpfr_sqr(gap, gap, MPFR_RNDN);
    mpfr_ui_sub(gap, 1, gap, MPFR_RNDN);
    double kappa = fmax(1.0, ACC_EPS / mpfr_get_d(gap, MPFR_RNDN));
    ref_release(mark);
    return kappa;
}

/* The condition number of a map at a point: docs/ACCURACY.md. */
static double condition(const point *p, int map)
{
    double r = p->in->radius;
    ref_kind kind = p->pair->kind;
    int on_sphere = p->G == &ref_s3 || p->G == &ref_quat;
    double scale = p->G == &ref_quat ? fmax(1.0, fabs(p->in->x[0])) : 1.0;
    if (p->strict || p->G == &ref_rn) return 1.0;
    if (kind == REF_EXP && p->decade >= ACC_BEYOND) {
        switch (map) {
        case ACC_DTAUINV:
        case ACC_DTAUINVT:
        case ACC_DTAUINV_MATRIX:
            return fmax(1.0, r / (2.0 * PI - r));
        case ACC_TRIP_ALGEBRA:
            return 1.0 / fabs(sin(0.5 * r));
        case ACC_TAUINV:
            return 1.0;
        default:
            return fmax(r, map == ACC_TRIP_GROUP ? scale : 1.0);
        }
    }
    if (kind == REF_EXP && map == ACC_TRIP_GROUP) return scale;
    if (kind == REF_CAY && !on_sphere && p->G != &ref_se2 && (map == ACC_TAUINV || map == ACC_TRIP_ALGEBRA)) {
        return r > 2.0 ? (4.0 + r * r) / (4.0 * r) : 1.0;
    }
    if (kind >= REF_SKEW && (BIT(map) & (NEEDS_DTAU | BIT(ACC_BODY_DERIV)))) return edge_condition(p);
    if (map == ACC_TRIP_GROUP && kind == REF_SKEW) return 1.0 / sqrt(1.0 - fmin(r * r, 1.0));
    if (map == ACC_TRIP_GROUP && kind == REF_SKEW_LIFT) return 1.0 / sqrt(1.0 - fmin(0.25 * r * r, 1.0));
    return 1.0;
}

/* Factor from |v| or |x| to the denominator of the linear block of tau and tauinv on SE(3): the norm of the map between
 * them. 0: use the norm of the exact result. */
static double linear_norm(const point *p, int map)
{
    double r = p->in->radius;
    if (p->G != &ref_se3) return 0.0;
    if (map == ACC_TAU) return 1.0;
    if (p->pair->kind == REF_CAY) return sqrt(1.0 + 0.25 * r * r);
    return r > 0.0 ? fmax(1.0, 0.5 * r / sin(0.5 * r)) : 1.0;
}

/* An element: rotation block and translation block, or all of it; v is the linear part that tau was given. */
static double element_error(const point *p, const double *out, mpfr_srcptr exact, double kappa, double kappa_lin,
                            const double *v)
{
    int mark = ref_mark();
    int lin = p->G == &ref_quat ? 0 : p->G->lin_len;
    int first = p->G->size - lin;
    double error = acc_relative_error(out, exact, first, kappa);
    if (lin > 0 && v) {
        mpfr_ptr den = ref_new(1);
        ref_norm(den, ref_from_double(v, lin), lin);
        mpfr_mul_d(den, den, kappa_lin, MPFR_RNDN);
        error = fmax(error, acc_block_error(out + first, exact + first, lin, den));
    } else if (lin > 0) {
        error = fmax(error, acc_relative_error(out + first, exact + first, lin, kappa_lin));
    }
    ref_release(mark);
    return error;
}

/* An algebra vector; g is the element it was taken from, of use for the denominator of the linear block. */
static double algebra_error(const point *p, const double *out, mpfr_srcptr exact, double kappa, const double *g)
{
    int mark = ref_mark();
    const ref_group *G = p->G;
    double factor = linear_norm(p, ACC_TAUINV);
    int whole = G == &ref_quat && p->pair->kind == REF_CAY; /* s relative to (s, w) */
    double error = acc_relative_error(out + G->rot, exact + G->rot, G->rot_len, kappa);
    if (G->lin_len > 0) {
        mpfr_ptr den = ref_new(1);
        if (factor > 0.0 && g) {
            ref_norm(den, ref_from_double(g + G->size - G->lin_len, G->lin_len), G->lin_len);
            mpfr_mul_d(den, den, factor, MPFR_RNDN);
        } else {
            ref_norm(den, exact + G->lin, whole ? G->dim : G->lin_len);
        }
        mpfr_mul_d(den, den, kappa, MPFR_RNDN);
        error = fmax(error, acc_block_error(out + G->lin, exact + G->lin, G->lin_len, den));
    }
    ref_release(mark);
    return error;
}

/* A status where there should be a result: infinite, but for LIE_ERR_DOMAIN within a few eps of the edge of the domain
 * (|w| of skew within 4 eps, a half-turn of cay within 16 eps). */
static double failed(const point *p, lie_status status)
{
    double edge = p->pair->radius(p->pair->limit);
    int skew_edge = p->pair->kind >= REF_SKEW && 1.0 - p->in->radius / edge < 4.0 * ACC_EPS;
    int cay_edge = p->pair->kind == REF_CAY && p->in->radius > 4.0 / (16.0 * ACC_EPS);
    return (skew_edge || cay_edge) && status == LIE_ERR_DOMAIN ? NOT_MEASURED : (double)INFINITY;
}

static double error_tau(const point *p)
{
    double out[REF_SIZE_MAX];
    lie_status status = acc_call(&p->pair->fn[ACC_TAU], out, p->in->x, NULL);
    double kappa = condition(p, ACC_TAU);
    const double *v = p->G == &ref_se3 || p->decade >= ACC_BEYOND ? p->in->x + p->G->lin : NULL;
    return status == LIE_OK ? element_error(p, out, p->g, kappa, kappa, v) : failed(p, status);
}

static double error_tangent(const point *p, int map)
{
    int mark = ref_mark();
    double out[REF_DIM_MAX];
    int transposed = map == ACC_DTAUT || map == ACC_DTAUINVT;
    const double *v = transposed ? p->in->m : p->in->v;
    ref_mat M = ref_mat_new(p->G->dim, p->G->dim);
    ref_copy(M.a, map == ACC_DTAU || map == ACC_DTAUT ? p->D.a : p->Dinv.a, p->G->dim * p->G->dim);
    if (transposed) ref_transpose(M, M);
    lie_status status = acc_call(&p->pair->fn[map], out, p->in->x, v);
    double error =
        status == LIE_OK ? acc_applied_error(out, p->G, p->pair->kind, M, v, condition(p, map)) : failed(p, status);
    ref_release(mark);
    return error;
}

static double error_matrix(const point *p, int map)
{
    double out[REF_DIM_MAX * REF_DIM_MAX];
    lie_status status = acc_call(&p->pair->fn[map], out, p->in->x, p->in->p);
    double kappa = condition(p, map);
    if (status != LIE_OK) return failed(p, status);
    if (map == ACC_BODY_DERIV) return acc_deriv_error(out, p->G, p->pair->kind, p->M, p->in->p, kappa);
    return acc_matrix_error(out, p->G, p->pair->kind, map == ACC_DTAU_MATRIX ? p->D : p->Dinv, kappa);
}

/* R = 2 n n^T - 1, n along w */
static void half_turn(double *R, const double *w)
{
    int mark = ref_mark();
    mpfr_ptr n = ref_from_double(w, 3);
    mpfr_ptr s = ref_new(2);
    ref_norm(s, n, 3);
    mpfr_sqr(s, s, MPFR_RNDN);
    for (int i = 0; i < 9; i++) {
        mpfr_mul(s + 1, n + i / 3, n + i % 3, MPFR_RNDN);
        mpfr_mul_2ui(s + 1, s + 1, 1, MPFR_RNDN);
        mpfr_div(s + 1, s + 1, s, MPFR_RNDN);
        mpfr_sub_ui(s + 1, s + 1, i % 4 == 0, MPFR_RNDN);
        R[i] = mpfr_get_d(s + 1, MPFR_RNDN);
    }
    ref_release(mark);
}

/* The doubles nearest to tau(x); for log an exact half-turn about x if so asked. */
static void element_input(const point *p, double *g)
{
    for (int i = 0; i < p->G->size; i++) g[i] = mpfr_get_d(p->g + i, MPFR_RNDN);
    if (!p->in->exact_half_turn || p->pair->kind != REF_EXP) return;
    if (p->G == &ref_so3 || p->G == &ref_se3) half_turn(g, p->in->x);
    if (p->G == &ref_se2) g[0] = -1.0, g[1] = copysign(0.0, p->in->exact_half_turn);
}

/* Two signs are right at a half-turn, to working precision: within 16 eps of it, unless the matrix is symmetric and the
 * rule of so3.h decides. Two largest components equal to 4 eps leave the rule undecided. */
static int sign_is_free(const point *p, const double *g, mpfr_srcptr w)
{
    if (p->pair->kind != REF_EXP || p->G == &ref_rn || p->G == &ref_s3 || p->G == &ref_quat) return 0;
    if (fabs(p->in->radius - PI) > 16.0 * ACC_EPS) return 0;
    if (p->G == &ref_se2) return !g || g[1] != 0.0;
    if (!g || g[1] != g[3] || g[2] != g[6] || g[5] != g[7]) return 1;
    double a[3];
    for (int i = 0; i < 3; i++) a[i] = fabs(mpfr_get_d(w + i, MPFR_RNDN));
    double big = fmax(a[0], fmax(a[1], a[2]));
    return (a[0] > big * (1.0 - 4.0 * ACC_EPS)) + (a[1] > big * (1.0 - 4.0 * ACC_EPS)) +
               (a[2] > big * (1.0 - 4.0 * ACC_EPS)) >
           1;
}

/* Against the exact inverse image, or the other one at a half-turn. */
static double error_preimage(const point *p, const double *out, mpfr_srcptr exact, double kappa, const double *g,
                             int free_sign)
{
    double error = algebra_error(p, out, exact, kappa, g);
    if (free_sign) {
        int mark = ref_mark();
        mpfr_ptr other = ref_new(p->G->dim);
        ref_log_other(p->G, other, exact);
        error = fmin(error, algebra_error(p, out, other, kappa, g));
        ref_release(mark);
    }
    return error;
}

static double error_tauinv(const point *p)
{
    double g[REF_SIZE_MAX] = {0.0};
    double out[REF_DIM_MAX];
    element_input(p, g);
    lie_status status = acc_call(&p->pair->fn[ACC_TAUINV], out, g, NULL);
    if (status != LIE_OK) return failed(p, status);
    int mark = ref_mark();
    mpfr_ptr exact = ref_new(p->G->dim);
    mpfr_ptr near = ref_from_double(g, p->G->size);
    p->G->project(near);
    ref_tauinv(p->G, p->pair->kind, exact, near);
    double error = error_preimage(p, out, exact, condition(p, ACC_TAUINV), g, sign_is_free(p, g, exact));
    ref_release(mark);
    return error;
}

/* On H the scale s is lost below eps and X near the pole is ill-conditioned: the denominators are at least what one
 * rounding of q = tau(x) moves x by. */
static double quat_trip_error(const point *p, const double *out, const double *q, double kappa)
{
    const double *x = p->in->x;
    double moved = 1.0;
    double size = sqrt(x[0] * x[0] + 0.25 * p->in->radius * p->in->radius);
    if (p->pair->kind == REF_CAY) {
        double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        double plus2 = (1.0 + q[0]) * (1.0 + q[0]) + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
        moved = 4.0 * norm / plus2;
    }
    int mark = ref_mark();
    mpfr_ptr den = ref_new(1);
    mpfr_set_d(den, fmax(fabs(x[0]), moved), MPFR_RNDN);
    double error = acc_block_error(out, p->x, 1, den);
    ref_norm(den, p->x + 1, 3);
    mpfr_mul_d(den, den, kappa, MPFR_RNDN);
    if (p->pair->kind == REF_CAY && size > 2.0 && mpfr_cmp_d(den, 2.0 * moved) < 0) {
        mpfr_set_d(den, 2.0 * moved, MPFR_RNDN);
    }
    error = fmax(error, acc_block_error(out + 1, p->x + 1, 3, den));
    ref_release(mark);
    return error;
}

static double error_trip_algebra(const point *p)
{
    double g[REF_SIZE_MAX] = {0.0};
    double out[REF_DIM_MAX];
    double kappa = condition(p, ACC_TRIP_ALGEBRA);
    lie_status status = acc_call(&p->pair->fn[ACC_TAU], g, p->in->x, NULL);
    if (status == LIE_OK) status = acc_call(&p->pair->fn[ACC_TAUINV], out, g, NULL);
    if (status != LIE_OK) return failed(p, status);
    if (p->G == &ref_quat) return quat_trip_error(p, out, g, kappa);
    if (p->G == &ref_se3 && p->pair->kind == REF_CAY) { /* |v| >= |x| serves as its denominator */
        memcpy(g + 9, p->in->x + 3, 3 * sizeof *g);
        return error_preimage(p, out, p->x, kappa, g, 0);
    }
    return error_preimage(p, out, p->x, kappa, NULL, sign_is_free(p, NULL, p->x));
}

/* |X| |q+1|^2 / (4 |q|) = |q-1| |q+1| / (2 |q|): what one rounding of X moves q = cay(X) by, relative */
static double quat_cay_condition(const double *q)
{
    double v2 = q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    double minus2 = (q[0] - 1.0) * (q[0] - 1.0) + v2;
    double plus2 = (q[0] + 1.0) * (q[0] + 1.0) + v2;
    return fmax(1.0, 0.5 * sqrt(minus2) * sqrt(plus2) / sqrt(q[0] * q[0] + v2));
}

static double error_trip_group(const point *p)
{
    double g[REF_SIZE_MAX] = {0.0};
    double x[REF_DIM_MAX];
    double out[REF_SIZE_MAX];
    double kappa = condition(p, ACC_TRIP_GROUP);
    double kappa_lin = p->strict || p->G != &ref_se3 || p->pair->kind != REF_CAY ? 1.0 : linear_norm(p, ACC_TAUINV);
    element_input(p, g);
    if (p->G == &ref_quat && p->pair->kind == REF_CAY && !p->strict) kappa = quat_cay_condition(g);
    lie_status status = acc_call(&p->pair->fn[ACC_TAUINV], x, g, NULL);
    if (status == LIE_OK) status = acc_call(&p->pair->fn[ACC_TAU], out, x, NULL);
    if (status != LIE_OK) return failed(p, status);
    if (!isfinite(kappa)) return NOT_MEASURED;
    int mark = ref_mark();
    double error = element_error(p, out, ref_from_double(g, p->G->size), kappa, kappa_lin, NULL);
    ref_release(mark);
    return error;
}

static double error_of(const point *p, int map)
{
    switch (map) {
    case ACC_TAU:
        return error_tau(p);
    case ACC_TAUINV:
        return error_tauinv(p);
    case ACC_DTAU_MATRIX:
    case ACC_DTAUINV_MATRIX:
    case ACC_BODY_DERIV:
        return error_matrix(p, map);
    case ACC_TRIP_ALGEBRA:
        return error_trip_algebra(p);
    case ACC_TRIP_GROUP:
        return error_trip_group(p);
    default:
        return error_tangent(p, map);
    }
}

/* The maps of `wanted` that are measured in this decade. */
static unsigned measured_here(const acc_pair *pair, int decade, unsigned wanted)
{
    unsigned inverse = BIT(ACC_TAUINV) | BIT(ACC_TRIP_ALGEBRA) | BIT(ACC_TRIP_GROUP);
    if (!(pair->decades >> decade & 1U)) wanted &= inverse | NEEDS_DINV;
    if (!(pair->inverse_decades >> decade & 1U)) wanted &= ~inverse;
    if (!(pair->dinv_decades >> decade & 1U)) wanted &= ~NEEDS_DINV;
    /* d/dw of the 2x2 block of SE(2) all but vanishes at odd multiples of pi: no relative error there */
    if (pair->G == &ref_se2 && pair->kind == REF_EXP && decade == ACC_FAR) wanted &= ~BIT(ACC_BODY_DERIV);
    return wanted;
}

/* skew is defined in a closed ball: pull a point that rounding put outside it back in. dskew needs the open one. */
static unsigned into_domain(acc_input *in, const acc_pair *pair, unsigned wanted)
{
    int mark = ref_mark();
    int side = 1;
    mpfr_ptr norm = ref_new(1);
    double edge = pair->radius(pair->limit);
    while (pair->kind >= REF_SKEW && side > 0) {
        ref_norm(norm, ref_from_double(in->x, 3), 3);
        side = mpfr_cmp_d(norm, edge);
        for (int i = 0; i < 3 && side > 0; i++) in->x[i] *= 1.0 - 0.5 * ACC_EPS;
        in->radius = mpfr_get_d(norm, MPFR_RNDD);
    }
    ref_release(mark);
    return pair->kind >= REF_SKEW && side == 0 ? wanted & ~(NEEDS_D | BIT(ACC_BODY_DERIV)) : wanted;
}

static void reference(point *p, unsigned wanted)
{
    const ref_group *G = p->G;
    ref_mat M = ref_group_mat(G);
    p->x = ref_from_double(p->in->x, G->dim);
    p->g = ref_new(G->size);
    p->D = ref_mat_new(G->dim, G->dim);
    p->Dinv = ref_mat_new(G->dim, G->dim);
    p->M = ref_mat_new(G->dim * G->dim, G->dim);
    ref_tau(G, p->pair->kind, M, p->x);
    ref_coords(G, p->g, M);
    if (wanted & NEEDS_D) ref_dtau(G, p->pair->kind, p->D, p->x);
    if (wanted & NEEDS_DINV) ref_inverse(p->Dinv, p->D);
    if (wanted & BIT(ACC_BODY_DERIV)) ref_body_derivs(G, p->pair->kind, p->M, p->x);
}

static void measure_point(acc_row *rows, const acc_pair *pair, int decade, int index, unsigned wanted,
                          const acc_config *config)
{
    acc_input in;
    int mark = ref_mark();
    ref_set_prec(REF_PREC);
    acc_draw(&in, pair->G, pair->kind, pair->radius, pair->limit, decade, config->seed, index);
    wanted = into_domain(&in, pair, wanted);
    point p = {.pair = pair, .G = pair->G, .in = &in, .decade = decade, .strict = config->strict};
    reference(&p, wanted);
    for (int map = 0; map < ACC_MAPS; map++) {
        if (wanted >> map & 1U) acc_row_add(&rows[map], error_of(&p, map), decade, &in);
    }
    ref_release(mark);
}

void acc_pair_name(char *name, size_t size, const acc_pair *pair, int map)
{
    static const char *const format[ACC_MAPS] = {
        "%s_%s",      "%s_%s",         "%s_d%s",           "%s_d%st",          "%s_d%sinv",
        "%s_d%sinvt", "%s_d%s_matrix", "%s_d%sinv_matrix", "%s_d%s_body_deriv"};
    if (map == ACC_TRIP_ALGEBRA) {
        snprintf(name, size, "%s_%s(%s)", pair->G->name, pair->inverse, pair->tau);
    } else if (map == ACC_TRIP_GROUP) {
        snprintf(name, size, "%s_%s(%s)", pair->G->name, pair->tau, pair->inverse);
    } else {
        snprintf(name, size, format[map], pair->G->name, map == ACC_TAUINV ? pair->inverse : pair->tau);
    }
}

int acc_measure_pair(acc_row *rows, const acc_pair *pair, const acc_config *config)
{
    unsigned wanted = 0;
    for (int map = 0; map < ACC_MAPS; map++) {
        char name[ACC_NAME];
        acc_pair_name(name, sizeof name, pair, map);
        acc_row_start(&rows[map], name, acc_pair_bound(pair, map));
        if (acc_wanted(name, config)) wanted |= BIT(map);
    }
    for (int decade = 0; decade < ACC_DECADES; decade++) {
        unsigned here = measured_here(pair, decade, wanted);
        for (int i = 0; i < config->samples && here; i++) measure_point(rows, pair, decade, i, here, config);
    }
    return ACC_MAPS;
}
