/* SPDX-License-Identifier: MIT */
/* convert_codes.c: the same attitude, twist and inertia in the component orders and directions of other codes.
 *
 * Reordering, signs and transposition only: nothing is rounded, except where Euler angles or MRP are asked for
 * (convert.c). docs/CONVERT.md has the table of what each code stores, and what that rests on.
 * Reference: Fossen, Handbook of marine craft hydrodynamics and motion control, 2nd ed. (2021), chapter 2. */
#include <liestep/convert.h>

#include "groups/maps/quat_maps.h"
#include "groups/num/finite.h"

static void store_quat(double out[4], double scalar, double x, double y, double z)
{
    out[0] = scalar, out[1] = x, out[2] = y, out[3] = z;
}

void lie_quat_to_scalar_last(double xyzs[4], const double q[4])
{
    store_quat(xyzs, q[1], q[2], q[3], q[0]);
}

void lie_quat_from_scalar_last(double q[4], const double xyzs[4])
{
    store_quat(q, xyzs[3], xyzs[0], xyzs[1], xyzs[2]);
}

void lie_twist_to_fossen(double nu[6], const double X[6])
{
    const double old[6] = {X[0], X[1], X[2], X[3], X[4], X[5]};
    for (int i = 0; i < 6; i++) nu[i] = old[(i + 3) % 6];
}

void lie_twist_from_fossen(double X[6], const double nu[6])
{
    lie_twist_to_fossen(X, nu); /* the exchange is its own inverse */
}

void lie_inertia_to_fossen(double fossen[36], const double inertia[36])
{
    double old[36];
    copy_n(36, old, inertia);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) fossen[6 * i + j] = old[6 * ((i + 3) % 6) + (j + 3) % 6];
}

void lie_inertia_from_fossen(double inertia[36], const double fossen[36])
{
    lie_inertia_to_fossen(inertia, fossen);
}

lie_status lie_se3_to_fossen(double eta[6], const double g[12])
{
    double e[3];
    if (!all_finite(12, g)) return LIE_ERR_NOT_FINITE;
    lie_status status = lie_matrix_to_euler_zyx(e, g);
    if (status != LIE_OK) return status;
    const double new_eta[6] = {g[9], g[10], g[11], e[2], e[1], e[0]};
    copy_n(6, eta, new_eta);
    return LIE_OK;
}

void lie_se3_from_fossen(double g[12], const double eta[6])
{
    const double e[3] = {eta[5], eta[4], eta[3]}, x[3] = {eta[0], eta[1], eta[2]};
    lie_euler_zyx_to_matrix(g, e);
    copy_n(3, g + 9, x);
}

lie_status lie_quat_from_42(double q[4], const double qn[4])
{
    lie_status status = check_unit(qn);
    if (status == LIE_OK) lie_quat_from_scalar_last(q, qn);
    return status;
}

void lie_quat_to_42(double qn[4], const double q[4])
{
    lie_quat_to_scalar_last(qn, q);
}

lie_status lie_quat_from_basilisk_ep(double q[4], const double beta_BN[4])
{
    lie_status status = check_unit(beta_BN);
    if (status == LIE_OK) store_quat(q, beta_BN[0], beta_BN[1], beta_BN[2], beta_BN[3]);
    return status;
}

void lie_quat_to_basilisk_ep(double beta_BN[4], const double q[4])
{
    store_quat(beta_BN, q[0], q[1], q[2], q[3]);
}

lie_status lie_quat_from_basilisk_mrp(double q[4], const double sigma_BN[3])
{
    if (!all_finite(3, sigma_BN)) return LIE_ERR_NOT_FINITE;
    lie_mrp_to_quat(q, sigma_BN);
    return LIE_OK;
}

lie_status lie_quat_to_basilisk_mrp(double sigma_BN[3], const double q[4])
{
    return lie_quat_to_mrp(sigma_BN, q);
}

lie_status lie_quat_from_trick(double q[4], const double Q[4])
{
    lie_status status = check_unit(Q);
    if (status == LIE_OK) lie_quat_conj(q, Q);
    return status;
}

void lie_quat_to_trick(double Q[4], const double q[4])
{
    lie_quat_conj(Q, q);
}

lie_status lie_quat_from_px4(double q[4], const double q_px4[4])
{
    return lie_quat_from_basilisk_ep(q, q_px4);
}

void lie_quat_to_px4(double q_px4[4], const double q[4])
{
    store_quat(q_px4, q[0], q[1], q[2], q[3]);
}

static int ccsds_known(lie_ccsds_type type, lie_ccsds_dir dir)
{
    return (type == LIE_CCSDS_FIRST || type == LIE_CCSDS_LAST) && (dir == LIE_CCSDS_A2B || dir == LIE_CCSDS_B2A);
}

lie_status lie_quat_from_ccsds(double q[4], const double aem[4], lie_ccsds_type type, lie_ccsds_dir dir)
{
    if (!ccsds_known(type, dir)) return LIE_ERR_DOMAIN;
    lie_status status = check_unit(aem);
    if (status != LIE_OK) return status;
    if (type == LIE_CCSDS_LAST)
        lie_quat_from_scalar_last(q, aem);
    else
        store_quat(q, aem[0], aem[1], aem[2], aem[3]);
    if (dir == LIE_CCSDS_B2A) lie_quat_conj(q, q);
    return LIE_OK;
}

lie_status lie_quat_to_ccsds(double aem[4], const double q[4], lie_ccsds_type type, lie_ccsds_dir dir)
{
    if (!ccsds_known(type, dir)) return LIE_ERR_DOMAIN;
    lie_status status = check_unit(q);
    if (status != LIE_OK) return status;
    store_quat(aem, q[0], q[1], q[2], q[3]);
    if (dir == LIE_CCSDS_B2A) lie_quat_conj(aem, aem);
    if (type == LIE_CCSDS_LAST) lie_quat_to_scalar_last(aem, aem);
    return LIE_OK;
}
