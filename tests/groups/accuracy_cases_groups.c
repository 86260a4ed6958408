/* SPDX-License-Identifier: MIT */
/* accuracy_cases_groups.c: the operations of the groups that no retraction enters, against ref_mpfr.
 *
 * Elements are exp of random vectors, rounded to double. mul and act are compared with the matrices of those doubles
 * as they stand; inv, Ad and Ad* with the inverse of and conjugation by those matrices, so that what rounding took them
 * off the group counts as error. project gets elements that are far off. */
#include "tests/groups/accuracy_cases.h"

#include <math.h>
#include <stdio.h>

#define PI 3.14159265358979323846

/* One draw: two elements as doubles, and what acc_input has. */
typedef struct point {
    const ref_group *G;
    const acc_fn *fn;
    const acc_input *in;
    double a[REF_SIZE_MAX], b[REF_SIZE_MAX];
} point;

static int linear_len(const ref_group *G)
{
    return G == &ref_quat || G == &ref_rn ? 0 : G->lin_len;
}

static void round_exp(const ref_group *G, double *g, const double *x)
{
    int mark = ref_mark();
    ref_mat M = ref_group_mat(G);
    mpfr_ptr c = ref_new(G->size);
    ref_tau(G, REF_EXP, M, ref_from_double(x, G->dim));
    ref_coords(G, c, M);
    for (int i = 0; i < G->size; i++) g[i] = mpfr_get_d(c + i, MPFR_RNDN);
    ref_release(mark);
}

static ref_mat embedded(const ref_group *G, const double *g)
{
    ref_mat M = ref_group_mat(G);
    ref_embed(G, M, ref_from_double(g, G->size));
    return M;
}

/* An element by blocks; the translation relative to |a| + |b| (b null: |a|) of the translations that went in. */
static double element_error(const ref_group *G, const double *out, ref_mat exact, const double *a, const double *b)
{
    int lin = linear_len(G);
    int first = G->size - lin;
    mpfr_ptr c = ref_new(G->size);
    mpfr_ptr s = ref_new(2);
    ref_coords(G, c, exact);
    double error = acc_relative_error(out, c, first, 1.0);
    if (lin > 0) {
        ref_norm(s, ref_from_double(a + first, lin), lin);
        if (b) ref_norm(s + 1, ref_from_double(b + first, lin), lin);
        mpfr_add(s, s, s + 1, MPFR_RNDN);
        error = fmax(error, acc_block_error(out + first, c + first, lin, s));
    }
    return error;
}

static double error_mul(const point *p)
{
    double out[REF_SIZE_MAX];
    ref_mat M = embedded(p->G, p->a);
    ref_mul(M, M, embedded(p->G, p->b));
    acc_call(&p->fn[ACC_MUL], out, p->a, p->b);
    return element_error(p->G, out, M, p->a, p->b);
}

static double error_inv(const point *p)
{
    double out[REF_SIZE_MAX];
    ref_mat M = embedded(p->G, p->a);
    ref_inverse(M, M);
    acc_call(&p->fn[ACC_INV], out, p->a, NULL);
    return element_error(p->G, out, M, p->a, NULL);
}

/* q p q^-1 for quaternions, R p + x otherwise; denominator |p| + |x|. */
static double error_act(const point *p)
{
    const ref_group *G = p->G;
    int sphere = G == &ref_s3 || G == &ref_quat;
    int n = sphere ? 3 : G->order - G->homogeneous;
    int lin = G == &ref_rn ? n : linear_len(G);
    double out[REF_DIM_MAX];
    ref_mat M = embedded(G, p->a);
    ref_mat P = {G->order, 1, ref_new(G->order)};
    mpfr_ptr s = ref_new(2);
    ref_copy(P.a + sphere, ref_from_double(p->in->p, n), n);
    if (sphere) {
        ref_mat Q = ref_group_mat(G);
        ref_mat Minv = ref_group_mat(G);
        ref_embed(G, Q, P.a);
        ref_inverse(Minv, M);
        ref_mul(Q, M, Q);
        ref_mul(Q, Q, Minv);
        ref_coords(G, P.a, Q);
    } else {
        if (G->homogeneous) mpfr_set_ui(P.a + n, 1, MPFR_RNDN);
        ref_mul(P, M, P);
    }
    ref_norm(s, ref_from_double(p->in->p, n), n);
    if (lin > 0) ref_norm(s + 1, ref_from_double(p->a + G->size - lin, lin), lin);
    mpfr_add(s, s, s + 1, MPFR_RNDN);
    acc_call(&p->fn[ACC_ACT], out, p->a, p->in->p);
    return acc_block_error(out, P.a + sphere, n, s);
}

static double error_linear(const point *p, int op)
{
    const ref_group *G = p->G;
    int transposed = op == ACC_ADT_GROUP || op == ACC_ADT;
    int small = op == ACC_AD || op == ACC_ADT;
    const double *v = transposed ? p->in->m : p->in->v;
    double out[REF_DIM_MAX];
    ref_mat M = ref_mat_new(G->dim, G->dim);
    if (small) {
        ref_ad(G, M, ref_from_double(p->in->x, G->dim));
    } else {
        ref_Ad(G, M, ref_from_double(p->a, G->size));
    }
    if (transposed) ref_transpose(M, M);
    acc_call(&p->fn[op], out, small ? p->in->x : p->a, v);
    return acc_applied_error(out, G, REF_EXP, M, v, 1.0);
}

/* An element blown up by 10^-3 .. 10^3 and, if it is a matrix, shaken by a tenth. */
static double error_project(const point *p)
{
    const ref_group *G = p->G;
    int first = G->size - linear_len(G);
    double g[REF_SIZE_MAX] = {0.0};
    double out[REF_SIZE_MAX];
    lie_random rng = p->in->rng;
    double scale = pow(10.0, 6.0 * acc_uniform(&rng) - 3.0);
    for (int i = 0; i < G->size; i++) {
        double shake = first == 9 ? 0.1 * (2.0 * acc_uniform(&rng) - 1.0) : 0.0;
        g[i] = i < first ? scale * (p->a[i] + shake) : p->a[i];
    }
    mpfr_ptr near = ref_from_double(g, G->size);
    ref_mat M = ref_group_mat(G);
    G->project(near);
    ref_embed(G, M, near);
    if (acc_call(&p->fn[ACC_PROJECT], out, g, NULL) != LIE_OK) return (double)INFINITY;
    return element_error(G, out, M, g, NULL);
}

static double error_of(const point *p, int op)
{
    switch (op) {
    case ACC_MUL:
        return error_mul(p);
    case ACC_INV:
        return error_inv(p);
    case ACC_ACT:
        return error_act(p);
    case ACC_PROJECT:
        return error_project(p);
    default:
        return error_linear(p, op);
    }
}

static void measure_point(acc_row *rows, const acc_group *group, int decade, int index, const acc_config *config)
{
    acc_input in;
    point p = {.G = group->G, .fn = group->fn, .in = &in};
    int mark = ref_mark();
    ref_set_prec(REF_PREC);
    acc_draw(&in, p.G, REF_EXP, acc_radius_angle, PI, decade, config->seed, index);
    round_exp(p.G, p.a, in.x);
    round_exp(p.G, p.b, in.y);
    for (int op = 0; op < ACC_OPS; op++) {
        int inner = ref_mark();
        if (acc_wanted(rows[op].name, config)) acc_row_add(&rows[op], error_of(&p, op), decade, &in);
        ref_release(inner);
    }
    ref_release(mark);
}

int acc_measure_group(acc_row *rows, const acc_group *group, const acc_config *config)
{
    int wanted = 0;
    for (int op = 0; op < ACC_OPS; op++) {
        char name[ACC_NAME];
        snprintf(name, sizeof name, "%s_%s", group->G->name, acc_op_name[op]);
        acc_row_start(&rows[op], name, acc_op_bound(group, op));
        wanted += acc_wanted(name, config);
    }
    for (int decade = 0; decade < ACC_BEYOND && wanted; decade++) {
        for (int i = 0; i < config->samples; i++) measure_point(rows, group, decade, i, config);
    }
    return ACC_OPS;
}
