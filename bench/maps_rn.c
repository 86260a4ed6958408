/* SPDX-License-Identifier: MIT */
/* maps_rn.c: groups whose dimension is chosen at run time, R^6 and SO(3) x R^3, fixed for the table of maps_table.c,
 * and |q|, which returns its result.
 *
 * The product takes the Cayley map on SO(3) and goes through its run-time descriptor, as steppers do. */
#include "maps_table.h"
#include "textbook.h"

#include <liestep/product.h>
#include <liestep/quat.h>
#include <liestep/rn.h>
#include <liestep/so3.h>

#include <math.h>

void rn6_mul(double *out, const double *a, const double *b)
{
    lie_rn_mul(6, out, a, b);
}

void rn6_inv(double *out, const double *a)
{
    lie_rn_inv(6, out, a);
}

void rn6_exp(double *out, const double *a)
{
    lie_rn_exp(6, out, a);
}

void rn6_log(double *out, const double *a)
{
    lie_rn_log(6, out, a);
}

void rn6_dexp(double *out, const double *a, const double *b)
{
    lie_rn_dexp(6, out, a, b);
}

void rn6_dexp_matrix(double *out, const double *a)
{
    lie_rn_dexp_matrix(6, out, a);
}

void tb_rn6_mul(double *out, const double *a, const double *b)
{
    tb_rn_mul(6, out, a, b);
}

void tb_rn6_inv(double *out, const double *a)
{
    tb_rn_inv(6, out, a);
}

void tb_rn6_exp(double *out, const double *a)
{
    tb_rn_exp(6, out, a);
}

void tb_rn6_dexp(double *out, const double *a, const double *b)
{
    tb_rn_dexp(6, out, a, b);
}

void tb_rn6_dexp_matrix(double *out, const double *a)
{
    tb_rn_dexp_matrix(6, out, a);
}

void quat_norm(double *out, const double *a)
{
    out[0] = lie_quat_norm(a);
}

void tb_quat_norm(double *out, const double *a)
{
    out[0] = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + a[3] * a[3]);
}

static lie_ops r3, so3_r3;
static const lie_ops *const factors[2] = {&lie_so3_cay_ops, &r3};
static const lie_product factor_list = {2, factors};

static const lie_ops *product(void)
{
    if (so3_r3.dim == 0 && lie_rn_ops(&r3, 3, "cay") == LIE_OK) {
        (void)lie_product_ops(&so3_r3, &factor_list);
    }
    return &so3_r3;
}

void product_mul(double *out, const double *a, const double *b)
{
    const lie_ops *G = product();
    G->mul(G, out, a, b);
}

void product_inv(double *out, const double *a)
{
    const lie_ops *G = product();
    G->inv(G, out, a);
}

lie_status product_tau(double *out, const double *a)
{
    const lie_ops *G = product();
    return G->tau(G, out, a);
}

lie_status product_dtau(double *out, const double *a, const double *b)
{
    const lie_ops *G = product();
    return G->dtau(G, out, a, b);
}

lie_status product_dtauinvt(double *out, const double *a, const double *b)
{
    const lie_ops *G = product();
    return G->dtauinvt(G, out, a, b);
}

void tb_product_mul(double *out, const double *a, const double *b)
{
    tb_so3_mul(out, a, b);
    tb_rn_mul(3, out + 9, a + 9, b + 9);
}

void tb_product_inv(double *out, const double *a)
{
    tb_so3_inv(out, a);
    tb_rn_inv(3, out + 9, a + 9);
}

void tb_product_tau(double *out, const double *a)
{
    tb_so3_cay(out, a);
    tb_rn_exp(3, out + 9, a + 3);
}

void tb_product_dtau(double *out, const double *a, const double *b)
{
    tb_so3_dcay(out, a, b);
    tb_rn_dexp(3, out + 3, a + 3, b + 3);
}

void tb_product_dtauinvt(double *out, const double *a, const double *b)
{
    tb_so3_dcayinvt(out, a, b);
    tb_rn_dexp(3, out + 3, a + 3, b + 3);
}
