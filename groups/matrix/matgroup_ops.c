/* SPDX-License-Identifier: MIT */
/* matgroup_ops.c: a quadratic matrix group with exp or cay as a lie_ops; ctx is the lie_matgroup. */
#include "groups/matrix/matgroup_internal.h"

#include <string.h>

static void op_identity(const lie_ops *G, double *g)
{
    lie_matgroup_identity(G->ctx, g);
}

static void op_inv(const lie_ops *G, double *out, const double *a)
{
    lie_matgroup_inv(G->ctx, out, a);
}

/* An operation of G is the function of the same name with ctx in the place of G. */
#define VOID_OP(name)                                                                                                  \
    static void op_##name(const lie_ops *G, double *out, const double *a, const double *b)                             \
    {                                                                                                                  \
        lie_matgroup_##name(G->ctx, out, a, b);                                                                        \
    }
#define STATUS_OP(name)                                                                                                \
    static lie_status op_##name(const lie_ops *G, double *out, const double *a)                                        \
    {                                                                                                                  \
        return lie_matgroup_##name(G->ctx, out, a);                                                                    \
    }
#define STATUS_OP_2(name)                                                                                              \
    static lie_status op_##name(const lie_ops *G, double *out, const double *a, const double *b)                       \
    {                                                                                                                  \
        return lie_matgroup_##name(G->ctx, out, a, b);                                                                 \
    }

VOID_OP(mul)
VOID_OP(Ad)
VOID_OP(Adt)
VOID_OP(ad)
VOID_OP(adt)
STATUS_OP(project)
STATUS_OP(exp)
STATUS_OP(log)
STATUS_OP_2(dexp)
STATUS_OP_2(dexpt)
STATUS_OP_2(dexpinv)
STATUS_OP_2(dexpinvt)
STATUS_OP_2(dexp_body_deriv)
STATUS_OP(cay)
STATUS_OP(caylog)
STATUS_OP_2(dcay)
STATUS_OP_2(dcayt)
STATUS_OP_2(dcayinv)
STATUS_OP_2(dcayinvt)
STATUS_OP_2(dcay_body_deriv)

static const lie_ops exp_ops = {
    .group = "matgroup",
    .retraction = "exp",
    .identity = op_identity,
    .mul = op_mul,
    .inv = op_inv,
    .Ad = op_Ad,
    .Adt = op_Adt,
    .ad = op_ad,
    .adt = op_adt,
    .tau = op_exp,
    .tauinv = op_log,
    .dtau = op_dexp,
    .dtaut = op_dexpt,
    .dtauinv = op_dexpinv,
    .dtauinvt = op_dexpinvt,
    .dtau_body_deriv = op_dexp_body_deriv,
    .project = op_project,
};

static const lie_ops cay_ops = {
    .group = "matgroup",
    .retraction = "cay",
    .identity = op_identity,
    .mul = op_mul,
    .inv = op_inv,
    .Ad = op_Ad,
    .Adt = op_Adt,
    .ad = op_ad,
    .adt = op_adt,
    .tau = op_cay,
    .tauinv = op_caylog,
    .dtau = op_dcay,
    .dtaut = op_dcayt,
    .dtauinv = op_dcayinv,
    .dtauinvt = op_dcayinvt,
    .dtau_body_deriv = op_dcay_body_deriv,
    .project = op_project,
};

lie_status lie_matgroup_ops(lie_ops *out, const lie_matgroup *M, const char *retraction)
{
    const lie_ops *ops = NULL;
    if (retraction && strcmp(retraction, "exp") == 0) ops = &exp_ops;
    if (retraction && strcmp(retraction, "cay") == 0) ops = &cay_ops;
    if (!ops) return LIE_ERR_UNKNOWN_NAME;
    if (M->dim > LIE_DIM_MAX) return LIE_ERR_SIZE;
    *out = *ops;
    out->dim = M->dim;
    out->size = M->n * M->n;
    out->ctx = M;
    return LIE_OK;
}
