/* SPDX-License-Identifier: MIT */
/* factors.h: the groups that a product is made of. Internal. */
#ifndef LIESTEP_LIB_FACTORS_H
#define LIESTEP_LIB_FACTORS_H

#include <liestep/group.h>

/* The factors of G, those of factors that are products too, in the order of their coordinates; of a group that is no
 * product the group itself. Answers how many: LIE_DIM_MAX at most; 0 where there are more, and where products lie
 * deeper in each other than a walk goes (groups/leaves.h). */
int lie__factors(const lie_ops *G, const lie_ops *list[LIE_DIM_MAX]);

/* R^n, or a product of such. */
int lie__is_flat(const lie_ops *G);

/* Does an inertia of G couple two factors? Not asked of products of R^n alone. */
int lie__couples(const lie_ops *G, const double *inertia);

#endif
