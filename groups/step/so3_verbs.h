/* SPDX-License-Identifier: MIT */
/* so3_verbs.h: the verbs of SO(3) and S3 that a step uses beside move and solve, as functions that a stepper can have
 * inlined. Internal. */
#ifndef LIESTEP_GROUPS_SO3_VERBS_H
#define LIESTEP_GROUPS_SO3_VERBS_H

#include <liestep/group.h>
#include <liestep/s3.h>
#include <liestep/so3.h>

#include "groups/maps/quat_maps.h"
#include "groups/maps/so3_maps.h"
#include "groups/num/branch.h"
#include "groups/num/finite.h"
#include "groups/num/vec3.h"

/* Operations of lie_ops for a stepper that has them inlined: those of so3.c and s3.c to the bit. */
LIE_INLINE void so3_adt(const lie_ops *G, double *out, const double *w, const double *m)
{
    double r[3];
    (void)G;
    cross3(r, m, w);
    copy_n(3, out, r);
}

/* What is not finite is found out by whoever takes the result. */
LIE_INLINE lie_status so3_exp_dtauinv(const lie_ops *G, double *out, const double *w, const double *v)
{
    double r[3], x = dot3(w, w);
    (void)G;
    lie_status status = check_domain(&below_2pi, x);
    if (status != LIE_OK) return status;
    iso3_apply(r, exp_dinv(x), w, v);
    copy_n(3, out, r);
    return LIE_OK;
}

LIE_INLINE lie_status so3_cay_dtauinv(const lie_ops *G, double *out, const double *w, const double *v)
{
    (void)G;
    total_map(out, cay_dinv, w, v);
    return LIE_OK;
}

LIE_INLINE lie_status s3_exp_tau(const lie_ops *G, double *q, const double *w)
{
    lie__half h = lie__half_angle(dot3(w, w));
    const double r[4] = {h.c, h.s * w[0], h.s * w[1], h.s * w[2]};
    (void)G;
    return store(4, q, r);
}

LIE_INLINE lie_status s3_cay_tau(const lie_ops *G, double *q, const double *w)
{
    double r[4];
    (void)G;
    lie_s3_cay(r, w);
    return store(4, q, r);
}

LIE_INLINE lie_status so3_exp_tau(const lie_ops *G, double *R, const double *w)
{
    double r[9];
    (void)G;
    lie_so3_exp(r, w);
    return store(9, R, r);
}

LIE_INLINE lie_status so3_cay_tau(const lie_ops *G, double *R, const double *w)
{
    double r[9];
    (void)G;
    lie_so3_cay(r, w);
    return store(9, R, r);
}

LIE_INLINE void s3_mul(const lie_ops *G, double *out, const double *a, const double *b)
{
    double r[4];
    (void)G;
    quat_mul(r, a, b);
    copy_n(4, out, r);
}

LIE_INLINE void so3_mul(const lie_ops *G, double *out, const double *A, const double *B)
{
    double r[9];
    (void)G;
    mat3_mul(r, A, B);
    copy_n(9, out, r);
}

#endif
