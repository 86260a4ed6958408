/* SPDX-License-Identifier: MIT */
/* so3_maps.h: the retractions of SO(3) and S3 as scalar functions of x = |w|^2, for iso3.h. Internal.
 *
 *               dtau = a 1 + b hat(w) + c w w^T                  dtau^-1
 *   exp         c_1, c_2, c_3 (Stumpff)                          1 - x e, -1/2, e;  e = (1 - (t/2) cot(t/2))/x
 *   cay         4/(4+x), 2/(4+x), 0                              1, -1/2, 1/4
 *   skew (SO3)  1, 1/(1+r), 1/(r (1+r)),  r = sqrt(1 - x)        (1+r)/2, -1/2, -1/(2 (1+r))
 *   cayq (S3)   (2-D, 1/2, 1/8)/D^2,      D = 1 + x/16           2-D, -1/2, 1/8
 *   skew (S3)   r, 1/2, 1/(4r),           r = sqrt(1 - x/4)      r, -1/2, 0
 *
 * cay: Jimenez 2012, (6.40); skew: Bou-Rabee & Marsden 2009, (4.27). The rows for S3 follow from (4.24) and Theorem
 * 4.10 there applied to the quaternions. */
#ifndef LIESTEP_GROUPS_SO3_MAPS_H
#define LIESTEP_GROUPS_SO3_MAPS_H

#include "groups/maps/iso3.h"
#include "groups/num/finite.h"
#include "groups/num/theta.h"
#include "groups/num/twofold.h"
#include "groups/num/vec3.h"

LIE_INLINE iso3_jet exp_jet(double x)
{
    lie__stumpff k = lie__stumpff_of(x);
    return (iso3_jet){{k.f[0], k.f[1], k.f[2]}, {k.d[0], k.d[1], k.d[2]}, {k.dd[0], k.dd[1], k.dd[2]}};
}

LIE_INLINE iso3_jet exp_inv_jet(double x)
{
    lie__cot k = lie__cot_of(x);
    return (iso3_jet){{1.0 - x * k.e, -0.5, k.e}, {-(k.e + x * k.d), 0.0, k.d}, {0.0, 0.0, 0.0}};
}

LIE_INLINE iso3_jet cay_jet(double x)
{
    double u = 1.0 / (4.0 + x), u2 = u * u;
    return (iso3_jet){{4.0 * u, 2.0 * u, 0.0}, {-4.0 * u2, -2.0 * u2, 0.0}, {0.0, 0.0, 0.0}};
}

LIE_INLINE iso3 cay_dinv(double x)
{
    (void)x;
    return (iso3){1.0, -0.5, 0.25};
}

LIE_INLINE iso3_jet skew_jet(double gap)
{
    double r = sqrt(gap), p = 1.0 + r, u = 1.0 / (r * p);
    return (iso3_jet){{1.0, 1.0 / p, u}, {0.0, 0.5 * u / p, 0.5 * (1.0 + 2.0 * r) * u * u / r}, {0.0, 0.0, 0.0}};
}

LIE_INLINE iso3 skew_dinv(double gap)
{
    double p = 1.0 + sqrt(gap);
    return (iso3){0.5 * p, -0.5, -0.5 / p};
}

LIE_INLINE iso3_jet cayq_jet(double x)
{
    double D = 1.0 + 0.0625 * x, u2 = 1.0 / (D * D), u3 = u2 / D;
    return (iso3_jet){{(2.0 - D) * u2, 0.5 * u2, 0.125 * u2},
                      {0.0625 * (D - 4.0) * u3, -0.0625 * u3, -0.015625 * u3},
                      {0.0, 0.0, 0.0}};
}

LIE_INLINE iso3 cayq_dinv(double x)
{
    return (iso3){1.0 - 0.0625 * x, -0.5, 0.125};
}

LIE_INLINE iso3_jet s3_skew_jet(double gap)
{
    double r = 0.5 * sqrt(gap), u = 1.0 / r;
    return (iso3_jet){{r, 0.5, 0.25 * u}, {-0.125 * u, 0.0, 0.03125 * u * u * u}, {0.0, 0.0, 0.0}};
}

LIE_INLINE iso3 s3_skew_dinv(double gap)
{
    return (iso3){0.5 * sqrt(gap), -0.5, 0.0};
}

/* The tangents alone, as functions of x. */
LIE_INLINE iso3 exp_d(double x)
{
    return exp_jet(x).f;
}

LIE_INLINE iso3 exp_dinv(double x)
{
    return exp_inv_jet(x).f;
}

LIE_INLINE iso3 cay_d(double x)
{
    return cay_jet(x).f;
}

LIE_INLINE iso3 skew_d(double x)
{
    return skew_jet(x).f;
}

LIE_INLINE iso3 cayq_d(double x)
{
    return cayq_jet(x).f;
}

LIE_INLINE iso3 s3_skew_d(double x)
{
    return s3_skew_jet(x).f;
}

/* R = 1 + kb b hat(w) + kc c hat(w)^2; kb and kc are multiplied to w while b and c are still being computed */
LIE_INLINE void rodrigues(double R[9], double b, double c, double kb, double kc, const double w[3])
{
    double xx = w[0] * w[0], yy = w[1] * w[1], zz = w[2] * w[2];
    double xy = c * (kc * (w[0] * w[1])), xz = c * (kc * (w[0] * w[2])), yz = c * (kc * (w[1] * w[2]));
    double bx = b * (kb * w[0]), by = b * (kb * w[1]), bz = b * (kb * w[2]);
    R[0] = 1.0 - c * (kc * (yy + zz)), R[1] = xy - bz, R[2] = xz + by;
    R[3] = xy + bz, R[4] = 1.0 - c * (kc * (xx + zz)), R[5] = yz - bx;
    R[6] = xz - by, R[7] = yz + bx, R[8] = 1.0 - c * (kc * (xx + yy));
}

/* What the coefficients are functions of: |w|^2, or for the skew maps the distance 1 - |w|^2 (SO3), 4 - |w|^2 (S3) from
 * the edge of the domain, which must not inherit the rounding of |w|^2. */
LIE_INLINE double square(const double w[3])
{
    return dot3(w, w);
}

LIE_INLINE double gap1(const double w[3])
{
    twofold x = norm2_exact3(w);
    return (1.0 - x.hi) - x.lo;
}

LIE_INLINE double gap4(const double w[3])
{
    twofold x = norm2_exact3(w);
    return (4.0 - x.hi) - x.lo;
}

/* Where a map is defined: from <= argument < end. */
typedef struct domain {
    double (*argument)(const double w[3]);
    double from, end;
} domain;

#define LIE__TINY 0x1p-1074 /* the smallest number above 0: excludes the edge */
static const domain below_2pi = {square, 0.0, LIE__4PI_SQ};
static const domain skew_closed = {gap1, 0.0, 2.0}, skew_open = {gap1, LIE__TINY, 2.0};
static const domain s3_skew_closed = {gap4, 0.0, 8.0}, s3_skew_open = {gap4, LIE__TINY, 8.0};

LIE_INLINE lie_status check_domain(const domain *D, double argument)
{
    if (argument >= D->from && argument < D->end) return LIE_OK;
    return argument - argument == 0.0 ? LIE_ERR_DOMAIN : LIE_ERR_NOT_FINITE;
}

typedef iso3 iso3_fn(double argument);
typedef iso3_jet iso3_jet_fn(double argument);

/* out = T(w) v, its transpose, its matrix, and d/dw (dtau_{-w} psi); the body tangent dtau_{-w} is the transposed map,
 * as a and c are even in w and b hat(w) is odd. The total_ forms are for maps that are defined everywhere; aliasing is
 * allowed in all. */
LIE_INLINE void total_map(double out[3], iso3_fn *T, const double w[3], const double v[3])
{
    double r[3];
    iso3_apply(r, T(square(w)), w, v);
    copy_n(3, out, r);
}

LIE_INLINE void total_tmap(double out[3], iso3_fn *T, const double w[3], const double m[3])
{
    double r[3];
    iso3_apply(r, iso3_transpose(T(square(w))), w, m);
    copy_n(3, out, r);
}

LIE_INLINE void total_matrix(double M[9], iso3_fn *T, const double w[3])
{
    double r[9];
    iso3_matrix(r, T(square(w)), w);
    copy_n(9, M, r);
}

LIE_INLINE void total_body_deriv(double M[9], iso3_jet_fn *T, const double w[3], const double psi[3])
{
    double r[9];
    iso3_jet body = iso3_jet_transpose(T(square(w)));
    iso3_deriv(r, &body, w, psi);
    copy_n(9, M, r);
}

/* dcay_w v = (4 v + 2 w x v)/(4 + x), its transpose with sign = -1 */
LIE_INLINE void cay_map(double out[3], double sign, const double w[3], const double v[3])
{
    double r[3], u = 2.0 / (4.0 + square(w));
    iso3_apply_plane(r, 2.0 * u, sign * u, w, v);
    copy_n(3, out, r);
}

LIE_INLINE lie_status partial_map(double out[3], iso3_fn *T, const domain *D, const double w[3], const double v[3])
{
    double r[3], x = D->argument(w);
    lie_status status = check_domain(D, x);
    if (status != LIE_OK) return status;
    iso3_apply(r, T(x), w, v);
    return store(3, out, r);
}

LIE_INLINE lie_status partial_tmap(double out[3], iso3_fn *T, const domain *D, const double w[3], const double m[3])
{
    double r[3], x = D->argument(w);
    lie_status status = check_domain(D, x);
    if (status != LIE_OK) return status;
    iso3_apply(r, iso3_transpose(T(x)), w, m);
    return store(3, out, r);
}

LIE_INLINE lie_status partial_matrix(double M[9], iso3_fn *T, const domain *D, const double w[3])
{
    double r[9], x = D->argument(w);
    lie_status status = check_domain(D, x);
    if (status != LIE_OK) return status;
    iso3_matrix(r, T(x), w);
    return store(9, M, r);
}

LIE_INLINE lie_status partial_body_deriv(double M[9], iso3_jet_fn *T, const domain *D, const double w[3],
                                         const double psi[3])
{
    double r[9], x = D->argument(w);
    lie_status status = check_domain(D, x);
    if (status != LIE_OK) return status;
    iso3_jet body = iso3_jet_transpose(T(x));
    iso3_deriv(r, &body, w, psi);
    return store(9, M, r);
}

#endif
