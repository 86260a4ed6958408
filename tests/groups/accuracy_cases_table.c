/* SPDX-License-Identifier: MIT */
/* accuracy_cases_table.c: every public map of every group, one line per group x retraction.
 *
 * A group x retraction to be measured is one line in acc_pairs, its group one line in acc_groups (and its embedding in
 * ref_mpfr_groups.c). */
#include "tests/groups/accuracy_cases.h"

#include <math.h>
#include <stddef.h>

#include <liestep/quat.h>
#include <liestep/rn.h>
#include <liestep/s3.h>
#include <liestep/se2.h>
#include <liestep/se3.h>
#include <liestep/so3.h>

#define PI 3.14159265358979323846

lie_status acc_call(const acc_fn *f, double *out, const double *a, const double *b)
{
    switch (f->shape) {
    case ACC_V1:
        f->u.v1(out, a);
        return LIE_OK;
    case ACC_V2:
        f->u.v2(out, a, b);
        return LIE_OK;
    case ACC_S1:
        return f->u.s1(out, a);
    case ACC_S2:
        return f->u.s2(out, a, b);
    case ACC_N1:
        f->u.n1(REF_RN_DIM, out, a);
        return LIE_OK;
    case ACC_N2:
        f->u.n2(REF_RN_DIM, out, a, b);
        return LIE_OK;
    case ACC_P1:
        return f->u.p1(REF_RN_DIM, out, a);
    }
    return LIE_ERR_INCOMPLETE;
}

/* |w| that turns by t */
double acc_radius_angle(double angle)
{
    return angle;
}

static double radius_cay(double t)
{
    return 2.0 * tan(0.5 * t);
}

static double radius_cayq(double t)
{
    return 4.0 * tan(0.25 * t);
}

static double radius_skew(double t)
{
    return sin(t);
}

static double radius_skewq(double t)
{
    return 2.0 * sin(0.5 * t);
}

/* clang-format off */
#define V1(f) {ACC_V1, {.v1 = (f)}}
#define V2(f) {ACC_V2, {.v2 = (f)}}
#define S1(f) {ACC_S1, {.s1 = (f)}}
#define S2(f) {ACC_S2, {.s2 = (f)}}
#define N1(f) {ACC_N1, {.n1 = (f)}}
#define N2(f) {ACC_N2, {.n2 = (f)}}
#define P1(f) {ACC_P1, {.p1 = (f)}}
/* clang-format on */

/* Functions of group g, retraction tau with inverse log; K, L, D, I: what tau, its inverse, dtau and dtauinv return, V
 * for nothing and S for a status. */
#define MAPS(g, tau, log, K, L, D, I)                                                                                  \
    {                                                                                                                  \
        K##1(lie_##g##_##tau), L##1(lie_##g##_##log), D##2(lie_##g##_d##tau), D##2(lie_##g##_d##tau##t),               \
            I##2(lie_##g##_d##tau##inv), I##2(lie_##g##_d##tau##invt), D##1(lie_##g##_d##tau##_matrix),                \
            I##1(lie_##g##_d##tau##inv_matrix), D##2(lie_##g##_d##tau##_body_deriv)                                    \
    }

#define UPTO(d) ((2U << (d)) - 1U)
#define ALL UPTO(ACC_FAR)
#define ALL_BUT_BEYOND (ALL & ~(1U << ACC_BEYOND))
#define TO_T UPTO(ACC_AT_T)
#define TO_2PI UPTO(ACC_BEYOND)

const acc_pair acc_pairs[] = {
    {&ref_so3, "exp", "log", "SO3", acc_radius_angle, PI, REF_EXP, ALL, TO_T, TO_2PI, MAPS(so3, exp, log, V, S, V, S)},
    {&ref_so3, "cay", "caylog", "SO3", radius_cay, PI, REF_CAY, ALL_BUT_BEYOND, ALL_BUT_BEYOND, ALL_BUT_BEYOND,
     MAPS(so3, cay, caylog, V, S, V, V)},
    {&ref_so3, "skew", "skewlog", "SO3", radius_skew, 0.5 * PI, REF_SKEW, TO_T, TO_T, TO_T,
     MAPS(so3, skew, skewlog, S, S, S, S)},
    {&ref_s3, "exp", "log", "S3", acc_radius_angle, PI, REF_EXP, ALL, TO_2PI, TO_2PI, MAPS(s3, exp, log, V, S, V, S)},
    {&ref_s3, "cay", "caylog", "S3", radius_cay, PI, REF_CAY_LIFT, ALL_BUT_BEYOND, ALL_BUT_BEYOND, ALL_BUT_BEYOND,
     MAPS(s3, cay, caylog, V, S, V, V)},
    {&ref_s3, "cayq", "cayqlog", "S3", radius_cayq, PI, REF_CAY, ALL, ALL, ALL, MAPS(s3, cayq, cayqlog, V, S, V, V)},
    {&ref_s3, "skew", "skewlog", "S3", radius_skewq, PI, REF_SKEW_LIFT, TO_T, TO_T, TO_T,
     MAPS(s3, skew, skewlog, S, S, S, S)},
    {&ref_quat, "exp", "log", "H", acc_radius_angle, PI, REF_EXP, ALL, TO_2PI, TO_2PI,
     MAPS(quat, exp, log, V, S, V, S)},
    {&ref_quat, "cay", "caylog", "H", radius_cayq, PI, REF_CAY, ALL, ALL, ALL, MAPS(quat, cay, caylog, S, S, S, V)},
    {&ref_se3, "exp", "log", "SE3", acc_radius_angle, PI, REF_EXP, ALL, TO_T, TO_2PI, MAPS(se3, exp, log, V, S, V, S)},
    {&ref_se3, "cay", "caylog", "SE3", radius_cay, PI, REF_CAY, ALL_BUT_BEYOND, ALL_BUT_BEYOND, ALL_BUT_BEYOND,
     MAPS(se3, cay, caylog, V, S, V, V)},
    {&ref_se2, "exp", "log", "SE2", acc_radius_angle, PI, REF_EXP, ALL, TO_T, TO_2PI, MAPS(se2, exp, log, V, S, V, S)},
    {&ref_se2, "cay", "caylog", "SE2", radius_cay, PI, REF_CAY, ALL_BUT_BEYOND, ALL_BUT_BEYOND, ALL_BUT_BEYOND,
     MAPS(se2, cay, caylog, V, S, V, V)},
    {&ref_rn, "exp", "log", NULL, acc_radius_angle, PI, REF_EXP, ALL, ALL, ALL, MAPS(rn, exp, log, N, N, N, N)},
    {&ref_rn, "cay", "caylog", NULL, acc_radius_angle, PI, REF_CAY, ALL, ALL, ALL, MAPS(rn, cay, caylog, N, N, N, N)},
};
const int acc_pair_count = (int)(sizeof acc_pairs / sizeof acc_pairs[0]);

#define OPS(g, U, B, P)                                                                                                \
    {                                                                                                                  \
        B(lie_##g##_mul), U(lie_##g##_inv), B(lie_##g##_act), B(lie_##g##_Ad), B(lie_##g##_Adt), B(lie_##g##_ad),      \
            B(lie_##g##_adt), P                                                                                        \
    }

const acc_group acc_groups[] = {
    {&ref_so3, OPS(so3, V1, V2, S1(lie_so3_project))},    {&ref_s3, OPS(s3, V1, V2, S1(lie_s3_project))},
    {&ref_quat, OPS(quat, V1, V2, S1(lie_quat_project))}, {&ref_se3, OPS(se3, V1, V2, S1(lie_se3_project))},
    {&ref_se2, OPS(se2, V1, V2, S1(lie_se2_project))},    {&ref_rn, OPS(rn, N1, N2, P1(lie_rn_project))},
};
const int acc_group_count = (int)(sizeof acc_groups / sizeof acc_groups[0]);

const char *const acc_op_name[ACC_OPS] = {"mul", "inv", "act", "Ad", "Adt", "ad", "adt", "project"};

const char *const acc_decade_name[ACC_DECADES] = {"..1e-16",  "..1e-8", "..1e-5", "..1e-2", "..1",
                                                  "..T-1e-3", "..T",    "T",      "..2pi",  "..1e8"};
