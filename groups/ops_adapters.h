/* SPDX-License-Identifier: MIT */
/* ops_adapters.h: the typed functions of a group (lie_so3_mul ...) as operations of a lie_ops. Internal.
 *
 * One line per operation. TOTAL adapters wrap functions that return nothing and add the status that lie_ops asks for:
 * a result that is not finite becomes LIE_ERR_NOT_FINITE and is not stored. PARTIAL ones pass the status through. */
#ifndef LIESTEP_GROUPS_OPS_ADAPTERS_H
#define LIESTEP_GROUPS_OPS_ADAPTERS_H

#include <liestep/group.h>

#include "groups/num/finite.h"

#define OPS_IDENTITY(name, fn)                                                                                         \
    static void name(const lie_ops *G, double *g)                                                                      \
    {                                                                                                                  \
        (void)G;                                                                                                       \
        fn(g);                                                                                                         \
    }
#define OPS_UNARY(name, fn)                                                                                            \
    static void name(const lie_ops *G, double *out, const double *a)                                                   \
    {                                                                                                                  \
        (void)G;                                                                                                       \
        fn(out, a);                                                                                                    \
    }
#define OPS_BINARY(name, fn)                                                                                           \
    static void name(const lie_ops *G, double *out, const double *a, const double *b)                                  \
    {                                                                                                                  \
        (void)G;                                                                                                       \
        fn(out, a, b);                                                                                                 \
    }
#define OPS_PARTIAL_1(name, fn)                                                                                        \
    static lie_status name(const lie_ops *G, double *out, const double *a)                                             \
    {                                                                                                                  \
        (void)G;                                                                                                       \
        return fn(out, a);                                                                                             \
    }
#define OPS_PARTIAL_2(name, fn)                                                                                        \
    static lie_status name(const lie_ops *G, double *out, const double *a, const double *b)                            \
    {                                                                                                                  \
        (void)G;                                                                                                       \
        return fn(out, a, b);                                                                                          \
    }
#define OPS_TOTAL_1(name, fn, n)                                                                                       \
    static lie_status name(const lie_ops *G, double *out, const double *a)                                             \
    {                                                                                                                  \
        double r[n];                                                                                                   \
        (void)G;                                                                                                       \
        fn(r, a);                                                                                                      \
        return store(n, out, r);                                                                                       \
    }
#define OPS_TOTAL_2(name, fn, n)                                                                                       \
    static lie_status name(const lie_ops *G, double *out, const double *a, const double *b)                            \
    {                                                                                                                  \
        double r[n];                                                                                                   \
        (void)G;                                                                                                       \
        fn(r, a, b);                                                                                                   \
        return store(n, out, r);                                                                                       \
    }

/* The operations that do not depend on the retraction: op_identity, op_mul, ... of the group with that prefix. */
#define OPS_GROUP(prefix)                                                                                              \
    OPS_IDENTITY(op_identity, prefix##_identity)                                                                       \
    OPS_BINARY(op_mul, prefix##_mul)                                                                                   \
    OPS_UNARY(op_inv, prefix##_inv)                                                                                    \
    OPS_BINARY(op_Ad, prefix##_Ad)                                                                                     \
    OPS_BINARY(op_Adt, prefix##_Adt)                                                                                   \
    OPS_BINARY(op_ad, prefix##_ad)                                                                                     \
    OPS_BINARY(op_adt, prefix##_adt)                                                                                   \
    OPS_PARTIAL_1(op_project, prefix##_project)

/* The initialiser of a lie_ops; `tau` is exp, cay, ... and its operations are called op_<tau>, op_<tau>inv,
 * op_d<tau>...; further members (.casimirs = 1, ...) may follow. */
#define OPS_TABLE(group_name, retraction_name, n, elements, tau_name, ...)                                             \
    {                                                                                                                  \
        .group = group_name, .retraction = retraction_name, .dim = n, .size = elements, .identity = op_identity,       \
        .mul = op_mul, .inv = op_inv, .Ad = op_Ad, .Adt = op_Adt, .ad = op_ad, .adt = op_adt, .tau = op_##tau_name,    \
        .tauinv = op_##tau_name##log, .dtau = op_d##tau_name, .dtaut = op_d##tau_name##t,                              \
        .dtauinv = op_d##tau_name##inv, .dtauinvt = op_d##tau_name##invt,                                              \
        .dtau_body_deriv = op_d##tau_name##_body_deriv, .project = op_project, __VA_ARGS__                             \
    }

#endif
