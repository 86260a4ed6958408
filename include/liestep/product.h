/* SPDX-License-Identifier: MIT */
/* product.h: direct products of any groups, G = G1 x G2 x ... x Gk, each with its own retraction.
 *
 * Elements, algebra vectors and momenta are the factors' arrays one behind the other; every operation acts factor by
 * factor. A factor may itself be a product or a user-defined group. The retraction of a product has the name that its
 * factors share, R^n aside, else "mixed"; lie_ops_choose (group.h) gives it others. Reference: (R^3 x SO(3))^N of Bou-Rabee & Marsden
 * 2009, section 2. Conventions: docs/CONVENTIONS.md. */
#ifndef LIESTEP_PRODUCT_H
#define LIESTEP_PRODUCT_H

#include <liestep/group.h>

LIE_BEGIN_DECLS

/* The factors of a product; lives in the caller's memory, as does the array it points to, as long as the ops are
 * used. */
typedef struct lie_product {
    int count;
    const lie_ops *const *factor;
} lie_product;

/* out = the product of factor[0 .. count-1]. *product and the array are kept by reference, not copied.
 * An operation that fails in one factor fails as a whole and leaves the whole output as it was.
 * Status: LIE_ERR_SIZE (count < 1, or total dim > LIE_DIM_MAX, or total size > LIE_DIM_MAX * 4), LIE_ERR_INCOMPLETE (a
 * null factor). */
LIE_API lie_status lie_product_ops(lie_ops *out, const lie_product *product);

LIE_END_DECLS

#endif
