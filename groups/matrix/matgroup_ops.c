/* SPDX-License-Identifier: MIT */
/* matgroup_ops.c: a quadratic matrix group with exp, cay or skew as a lie_ops; ctx is the lie_matgroup. */
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
STATUS_OP(skew)
STATUS_OP(skewlog)
STATUS_OP_2(dskew)
STATUS_OP_2(dskewt)
STATUS_OP_2(dskewinv)
STATUS_OP_2(dskewinvt)
STATUS_OP_2(dskew_body_deriv)

static lie_status op_choose(const lie_ops *G, lie_ops *out, const char *retraction)
{
    return lie_matgroup_ops(out, G->ctx, retraction);
}

#define OPS(name, tau_name, inverse)                                                                                   \
    {                                                                                                                  \
        .group = "matgroup", .retraction = name, .identity = op_identity, .mul = op_mul, .inv = op_inv, .Ad = op_Ad,   \
        .Adt = op_Adt, .ad = op_ad, .adt = op_adt, .tau = op_##tau_name, .tauinv = op_##inverse,                       \
        .dtau = op_d##tau_name, .dtaut = op_d##tau_name##t, .dtauinv = op_d##tau_name##inv,                            \
        .dtauinvt = op_d##tau_name##invt, .dtau_body_deriv = op_d##tau_name##_body_deriv, .project = op_project,       \
        .choose = op_choose,                                                                                           \
    }

static const lie_ops retractions[] = {OPS("exp", exp, log), OPS("cay", cay, caylog), OPS("skew", skew, skewlog)};
enum { RETRACTIONS = sizeof retractions / sizeof retractions[0] };

lie_status lie_matgroup_ops(lie_ops *out, const lie_matgroup *M, const char *retraction)
{
    const lie_ops *ops = NULL;
    for (int i = 0; retraction && i < RETRACTIONS; i++)
        if (strcmp(retraction, retractions[i].retraction) == 0) ops = &retractions[i];
    if (!ops) return LIE_ERR_UNKNOWN_NAME;
    if (M->dim > LIE_DIM_MAX) return LIE_ERR_SIZE;
    *out = *ops;
    out->dim = M->dim;
    out->size = M->n * M->n;
    out->ctx = M;
    out->quadratic = &M->form;
    return LIE_OK;
}
