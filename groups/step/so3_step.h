/* SPDX-License-Identifier: MIT */
/* so3_step.h: what a time step needs of SO(3) and S3 with cay and exp, as functions that a stepper can have inlined:
 * the move, the inverse discrete Legendre transform of each retraction, the free step and a few verbs; and the
 * descriptors lie_legendre of them. Internal. */
#ifndef LIESTEP_GROUPS_SO3_STEP_H
#define LIESTEP_GROUPS_SO3_STEP_H

#include "groups/step/so3_move.h"
#include "groups/step/so3_solve_cay.h"
#include "groups/step/so3_solve_exp.h"
#include "groups/step/so3_verbs.h"

int lie__so3_legendre_doubles(const lie_ops *G);
lie_status lie__so3_legendre_prepare(const lie_ops *G, double *data, const double *inertia);

/* p and dp/dxi of lie_legendre.momentum, T = (dtau^-1_{h xi})^T */
LIE_INLINE void so3_momentum(double p[3], double *J, iso3_jet inverse, const double w[3], const double xi[3], double h,
                             const double *data)
{
    const iso3_jet T = iso3_jet_transpose(inverse);
    const double *I = data + SO3_INERTIA;
    double mu[3], B[9], D[9];
    mat3_vec(mu, I, xi);
    iso3_apply(p, T.f, w, mu);
    if (!J) return;
    iso3_matrix(B, T.f, w);
    mat3_mul(J, B, I);
    iso3_deriv(D, &T, w, mu);
    LIE_UNROLL
    for (int i = 0; i < 9; i++) J[i] += h * D[i];
}

LIE_INLINE lie_status so3_cay_momentum(const lie_ops *G, double *p, double *J, const double *xi, double h,
                                       const double *data)
{
    static const iso3_jet inverse = {{1.0, -0.5, 0.25}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    const double w[3] = {h * xi[0], h * xi[1], h * xi[2]};
    (void)G;
    so3_momentum(p, J, inverse, w, xi, h, data);
    return LIE_OK;
}

LIE_INLINE lie_status so3_exp_momentum(const lie_ops *G, double *p, double *J, const double *xi, double h,
                                       const double *data)
{
    const double w[3] = {h * xi[0], h * xi[1], h * xi[2]}, x = dot3(w, w);
    (void)G;
    if (!(x < LIE__4PI_SQ)) return LIE_ERR_DOMAIN;
    so3_momentum(p, J, exp_inv_jet(x), w, xi, h, data);
    return LIE_OK;
}

#define SO3_LEGENDRE .doubles = lie__so3_legendre_doubles, .prepare = lie__so3_legendre_prepare
static const lie_legendre so3_cay_legendre = {SO3_LEGENDRE, .solve = so3_cay_solve, .momentum = so3_cay_momentum,
                                              .free_step = so3_cay_free_step};
static const lie_legendre s3_cay_legendre = {SO3_LEGENDRE, .solve = so3_cay_solve, .momentum = so3_cay_momentum,
                                             .free_step = s3_cay_free_step};
static const lie_legendre so3_exp_legendre = {SO3_LEGENDRE, .solve = so3_exp_solve, .momentum = so3_exp_momentum,
                                              .wants_guess = 1};
static const lie_legendre s3_exp_legendre = {SO3_LEGENDRE, .solve = so3_exp_solve, .momentum = so3_exp_momentum,
                                             .wants_guess = 1};

#endif
