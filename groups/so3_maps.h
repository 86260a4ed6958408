/* SPDX-License-Identifier: MIT */
/* so3_maps.h: the retractions of SO(3) and S3 as scalar functions of x = |w|^2, for iso3.h. Internal.
 *
 *                     dtau = a 1 + b hat(w) + c w w^T                    dtau^-1
 *   exp               c_1, c_2, c_3 (Stumpff)                           1 - x e, -1/2, e;  e = (1 - (t/2) cot(t/2))/x
 *   cay  (SO3, lift)  4/(4+x), 2/(4+x), 0                               1, -1/2, 1/4                  Jimenez 2012 (6.40)
 *   skew (SO3)        1, 1/(1+r), 1/(r (1+r)),   r = sqrt(1 - x)        (1+r)/2, -1/2, -1/(2 (1+r))   B-R & M 2009 (4.27)
 *   cayq (S3)         (2-D, 1/2, 1/8)/D^2,       D = 1 + x/16           2-D, -1/2, 1/8
 *   skew (S3)         r, 1/2, 1/(4r),            r = sqrt(1 - x/4)      r, -1/2, 0
 *
 * B-R & M: Bou-Rabee & Marsden. The rows for S3 follow from (4.24) and Theorem 4.10 there applied to the quaternions. */
#ifndef LIESTEP_GROUPS_SO3_MAPS_H
#define LIESTEP_GROUPS_SO3_MAPS_H

#include "iso3.h"
#include "theta.h"

LIE_INLINE iso3_jet exp_jet(double x)
{
    lie__stumpff k = lie__stumpff_of(x);
    const double *c = k.c;
    return (iso3_jet){{c[1], c[2], c[3]},
                      {-0.5 * (c[2] - c[3]), -0.5 * (c[3] - 2.0 * c[4]), -0.5 * (c[4] - 3.0 * c[5])},
                      {0.25 * (c[3] - 3.0 * c[4] + 3.0 * c[5]), 0.25 * (c[4] - 5.0 * c[5] + 8.0 * c[6]),
                       0.25 * (c[5] - 7.0 * c[6] + 15.0 * c[7])}};
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

LIE_INLINE iso3_jet skew_jet(double x)
{
    double r = sqrt(1.0 - x), p = 1.0 + r, u = 1.0 / (r * p);
    return (iso3_jet){{1.0, 1.0 / p, u}, {0.0, 0.5 * u / p, 0.5 * (1.0 + 2.0 * r) * u * u / r}, {0.0, 0.0, 0.0}};
}

LIE_INLINE iso3 skew_dinv(double x)
{
    double p = 1.0 + sqrt(1.0 - x);
    return (iso3){0.5 * p, -0.5, -0.5 / p};
}

LIE_INLINE iso3_jet cayq_jet(double x)
{
    double D = 1.0 + 0.0625 * x, u2 = 1.0 / (D * D), u3 = u2 / D;
    return (iso3_jet){
        {(2.0 - D) * u2, 0.5 * u2, 0.125 * u2}, {0.0625 * (D - 4.0) * u3, -0.0625 * u3, -0.015625 * u3}, {0.0, 0.0, 0.0}};
}

LIE_INLINE iso3 cayq_dinv(double x)
{
    return (iso3){1.0 - 0.0625 * x, -0.5, 0.125};
}

LIE_INLINE iso3_jet s3_skew_jet(double x)
{
    double r = sqrt(1.0 - 0.25 * x), u = 1.0 / r;
    return (iso3_jet){{r, 0.5, 0.25 * u}, {-0.125 * u, 0.0, 0.03125 * u * u * u}, {0.0, 0.0, 0.0}};
}

LIE_INLINE iso3 s3_skew_dinv(double x)
{
    return (iso3){sqrt(1.0 - 0.25 * x), -0.5, 0.0};
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

/* R of the unit quaternion (s, q): 1 + 2 s hat(q) + 2 hat(q)^2 */
LIE_INLINE void quat_rotation(double R[9], double s, const double q[3])
{
    double d[3] = {q[0] + q[0], q[1] + q[1], q[2] + q[2]};
    double xx = d[0] * q[0], yy = d[1] * q[1], zz = d[2] * q[2], xy = d[0] * q[1], xz = d[0] * q[2], yz = d[1] * q[2];
    double sx = s * d[0], sy = s * d[1], sz = s * d[2];
    R[0] = 1.0 - (yy + zz), R[1] = xy - sz, R[2] = xz + sy;
    R[3] = xy + sz, R[4] = 1.0 - (xx + zz), R[5] = yz - sx;
    R[6] = xz - sy, R[7] = yz + sx, R[8] = 1.0 - (xx + yy);
}

typedef iso3 iso3_fn(double x);
typedef iso3_jet iso3_jet_fn(double x);

/* Maps defined everywhere: out = T(|w|^2) v, its transpose, its matrix, d/dw (dtau_{-w} psi). Aliasing is allowed. */
LIE_INLINE void total_map(double out[3], iso3_fn *T, const double w[3], const double v[3])
{
    double r[3];
    iso3_apply(r, T(dot3(w, w)), w, v);
    copy_n(3, out, r);
}

LIE_INLINE void total_tmap(double out[3], iso3_fn *T, const double w[3], const double m[3])
{
    double r[3];
    iso3_apply(r, iso3_transpose(T(dot3(w, w))), w, m);
    copy_n(3, out, r);
}

LIE_INLINE void total_matrix(double M[9], iso3_fn *T, const double w[3])
{
    double r[9];
    iso3_matrix(r, T(dot3(w, w)), w);
    copy_n(9, M, r);
}

/* The body tangent dtau_{-w} is the transposed map: a and c are even in w, b hat(w) is odd. */
LIE_INLINE void total_body_deriv(double M[9], iso3_jet_fn *T, const double w[3], const double psi[3])
{
    double r[9];
    iso3_jet body = iso3_jet_transpose(T(dot3(w, w)));
    iso3_deriv(r, &body, w, psi);
    copy_n(9, M, r);
}

/* Maps defined for |w|^2 < end only. AT_MOST(1) includes the boundary. */
#define AT_MOST(bound) ((bound) * 0x1.0000000000001p+0)

LIE_INLINE lie_status check_below(double x, double end)
{
    if (x < end) return LIE_OK;
    return x - x == 0.0 ? LIE_ERR_DOMAIN : LIE_ERR_NOT_FINITE;
}

LIE_INLINE lie_status partial_map(double out[3], iso3_fn *T, double end, const double w[3], const double v[3])
{
    double r[3];
    lie_status status = check_below(dot3(w, w), end);
    if (status != LIE_OK) return status;
    total_map(r, T, w, v);
    return store(3, out, r);
}

LIE_INLINE lie_status partial_tmap(double out[3], iso3_fn *T, double end, const double w[3], const double m[3])
{
    double r[3];
    lie_status status = check_below(dot3(w, w), end);
    if (status != LIE_OK) return status;
    total_tmap(r, T, w, m);
    return store(3, out, r);
}

LIE_INLINE lie_status partial_matrix(double M[9], iso3_fn *T, double end, const double w[3])
{
    lie_status status = check_below(dot3(w, w), end);
    if (status == LIE_OK) total_matrix(M, T, w);
    return status;
}

LIE_INLINE lie_status partial_body_deriv(double M[9], iso3_jet_fn *T, double end, const double w[3], const double psi[3])
{
    double r[9];
    lie_status status = check_below(dot3(w, w), end);
    if (status != LIE_OK) return status;
    total_body_deriv(r, T, w, psi);
    return store(9, M, r);
}

#endif
