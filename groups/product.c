/* SPDX-License-Identifier: MIT */
/* product.c: direct products of groups; every operation acts factor by factor. Formulas: product.h.
 * Operations that can fail write to a local first, so that a failure in a later factor leaves the output as it was. */
#include "groups/leaves.h"
#include "groups/num/loops.h"
#include "groups/step/rn_step.h"

#define ELEMENT_MAX (4 * LIE_DIM_MAX)

/* Walks over the factors: F the current one, g and x its offsets in elements and in algebra vectors. */
typedef struct walk {
    const lie_product *product;
    const lie_ops *F;
    int k, g, x;
} walk;

static walk start(const lie_ops *G)
{
    const lie_product *product = (const lie_product *)G->ctx;
    return (walk){product, product->factor[0], 0, 0, 0};
}

static void next(walk *at)
{
    at->g += at->F->size;
    at->x += at->F->dim;
    at->k++;
    at->F = at->k < at->product->count ? at->product->factor[at->k] : 0;
}

static void op_identity(const lie_ops *G, double *g)
{
    for (walk at = start(G); at.F; next(&at)) at.F->identity(at.F, g + at.g);
}

static void op_mul(const lie_ops *G, double *out, const double *a, const double *b)
{
    for (walk at = start(G); at.F; next(&at)) at.F->mul(at.F, out + at.g, a + at.g, b + at.g);
}

static void op_inv(const lie_ops *G, double *out, const double *a)
{
    for (walk at = start(G); at.F; next(&at)) at.F->inv(at.F, out + at.g, a + at.g);
}

/* Ad and Adt read an element and write a vector, whose offsets differ: through a local, in case out is g. */
static void op_Ad(const lie_ops *G, double *out, const double *g, const double *x)
{
    double r[LIE_DIM_MAX];
    for (walk at = start(G); at.F; next(&at)) at.F->Ad(at.F, r + at.x, g + at.g, x + at.x);
    copy_n(G->dim, out, r);
}

static void op_Adt(const lie_ops *G, double *out, const double *g, const double *m)
{
    double r[LIE_DIM_MAX];
    for (walk at = start(G); at.F; next(&at)) at.F->Adt(at.F, r + at.x, g + at.g, m + at.x);
    copy_n(G->dim, out, r);
}

static void op_ad(const lie_ops *G, double *out, const double *x, const double *y)
{
    for (walk at = start(G); at.F; next(&at)) at.F->ad(at.F, out + at.x, x + at.x, y + at.x);
}

static void op_adt(const lie_ops *G, double *out, const double *x, const double *m)
{
    for (walk at = start(G); at.F; next(&at)) at.F->adt(at.F, out + at.x, x + at.x, m + at.x);
}

static lie_status op_tau(const lie_ops *G, double *g, const double *x)
{
    double r[ELEMENT_MAX];
    for (walk at = start(G); at.F; next(&at)) {
        lie_status status = at.F->tau(at.F, r + at.g, x + at.x);
        if (status != LIE_OK) return status;
    }
    copy_n(G->size, g, r);
    return LIE_OK;
}

static lie_status op_tauinv(const lie_ops *G, double *x, const double *g)
{
    double r[LIE_DIM_MAX];
    for (walk at = start(G); at.F; next(&at)) {
        if (!at.F->tauinv) return LIE_ERR_INCOMPLETE;
        lie_status status = at.F->tauinv(at.F, r + at.x, g + at.g);
        if (status != LIE_OK) return status;
    }
    copy_n(G->dim, x, r);
    return LIE_OK;
}

static lie_status op_project(const lie_ops *G, double *out, const double *g)
{
    double r[ELEMENT_MAX];
    for (walk at = start(G); at.F; next(&at)) {
        lie_status status = at.F->project(at.F, r + at.g, g + at.g);
        if (status != LIE_OK) return status;
    }
    copy_n(G->size, out, r);
    return LIE_OK;
}

/* The four tangents differ only in which operation of the factor is called. */
typedef lie_tangent_fn *pick_fn(const lie_ops *F);

static lie_tangent_fn *pick_dtau(const lie_ops *F)
{
    return F->dtau;
}

static lie_tangent_fn *pick_dtaut(const lie_ops *F)
{
    return F->dtaut;
}

static lie_tangent_fn *pick_dtauinv(const lie_ops *F)
{
    return F->dtauinv;
}

static lie_tangent_fn *pick_dtauinvt(const lie_ops *F)
{
    return F->dtauinvt;
}

LIE_INLINE lie_status tangent(const lie_ops *G, pick_fn *pick, double *out, const double *x, const double *v)
{
    double r[LIE_DIM_MAX];
    for (walk at = start(G); at.F; next(&at)) {
        lie_status status = pick(at.F)(at.F, r + at.x, x + at.x, v + at.x);
        if (status != LIE_OK) return status;
    }
    copy_n(G->dim, out, r);
    return LIE_OK;
}

static lie_status op_dtau(const lie_ops *G, double *out, const double *x, const double *v)
{
    return tangent(G, pick_dtau, out, x, v);
}

static lie_status op_dtaut(const lie_ops *G, double *out, const double *x, const double *m)
{
    return tangent(G, pick_dtaut, out, x, m);
}

static lie_status op_dtauinv(const lie_ops *G, double *out, const double *x, const double *v)
{
    return tangent(G, pick_dtauinv, out, x, v);
}

static lie_status op_dtauinvt(const lie_ops *G, double *out, const double *x, const double *m)
{
    return tangent(G, pick_dtauinvt, out, x, m);
}

/* Block diagonal. The blocks are collected one behind the other, then spread out. */
static lie_status op_body_deriv(const lie_ops *G, double *M, const double *x, const double *psi)
{
    double blocks[LIE_DIM_MAX * LIE_DIM_MAX], *block = blocks;
    int n = G->dim;
    for (walk at = start(G); at.F; next(&at)) {
        lie_status status = at.F->dtau_body_deriv(at.F, block, x + at.x, psi + at.x);
        if (status != LIE_OK) return status;
        block += at.F->dim * at.F->dim;
    }
    zero_n(n * n, M);
    block = blocks;
    for (walk at = start(G); at.F; next(&at))
        for (int i = 0; i < at.F->dim; i++, block += at.F->dim) copy_n(at.F->dim, M + (at.x + i) * n + at.x, block);
    return LIE_OK;
}

/* One behind the other; a factor that names none adds none. */
static void op_casimir(const lie_ops *G, double *C, const double *m)
{
    for (walk at = start(G); at.F; next(&at)) {
        if (!at.F->casimir) continue;
        at.F->casimir(at.F, C, m + at.x);
        C += at.F->casimirs;
    }
}

/* The name that the retractions of all factors share, but for those of R^n, which are all one map. */
static const char *shared_name(const lie_ops *G)
{
    leaves at = leaves_of(G);
    const char *name = 0;
    for (const lie_ops *F = next_leaf(&at); F; F = next_leaf(&at)) {
        if (strcmp(F->group, "R") == 0) continue;
        if (name && strcmp(name, F->retraction) != 0) return "mixed";
        name = F->retraction;
    }
    return at.too_deep ? "mixed" : name ? name : "exp";
}

lie_status lie_product_ops(lie_ops *out, const lie_product *product)
{
    int dim = 0, size = 0, casimirs = 0, differences = 0, is_flat = 1;
    if (!product || product->count < 1) return LIE_ERR_SIZE;
    for (int k = 0; k < product->count; k++) {
        const lie_ops *F = product->factor[k];
        if (!F || !F->tau || !F->dtau || !F->dtauinvt || !F->dtau_body_deriv) return LIE_ERR_INCOMPLETE;
        dim += F->dim;
        size += F->size;
        casimirs += F->casimir ? F->casimirs : 0;
        is_flat &= F->legendre == &lie__rn_legendre;
        differences = F->differences > differences ? F->differences : differences;
        if (dim > LIE_DIM_MAX || size > ELEMENT_MAX) return LIE_ERR_SIZE;
    }
    *out = (lie_ops){.group = "product",
                     .retraction = "mixed",
                     .dim = dim,
                     .size = size,
                     .ctx = product,
                     .identity = op_identity,
                     .mul = op_mul,
                     .inv = op_inv,
                     .Ad = op_Ad,
                     .Adt = op_Adt,
                     .ad = op_ad,
                     .adt = op_adt,
                     .tau = op_tau,
                     .tauinv = op_tauinv,
                     .dtau = op_dtau,
                     .dtaut = op_dtaut,
                     .dtauinv = op_dtauinv,
                     .dtauinvt = op_dtauinvt,
                     .dtau_body_deriv = op_body_deriv,
                     .project = op_project,
                     .legendre = is_flat ? &lie__rn_legendre : 0,
                     .differences = differences,
                     .casimirs = casimirs,
                     .casimir = casimirs > 0 ? op_casimir : 0};
    out->retraction = shared_name(out);
    return LIE_OK;
}
