/* SPDX-License-Identifier: MIT */
/* claims.h: what a descriptor claims, held against what was measured. */
#ifndef LIESTEP_CLI_CLAIMS_H
#define LIESTEP_CLI_CLAIMS_H

#include "cli/work/measure.h"

enum { CLAIM_ORDER, CLAIM_SYMPLECTIC, CLAIM_MOMENTUM, CLAIM_ENERGY, CLAIM_SELF_ADJOINT, CLAIM_ITERATIONS, CLAIMS };

/* CLAIM_NONE: the descriptor says nothing of this case. */
typedef enum claim_state { CLAIM_HOLDS, CLAIM_BROKEN, CLAIM_NONE } claim_state;

typedef struct claim {
    const char *name;
    char claimed[24];
    char number[24];   /* the measured value alone */
    char measured[48]; /* and what it is */
    double value;
    claim_state holds;
} claim;

/* tab: the tableau of a method that needs one. */
void claims_judge(claim claims[CLAIMS], const lie_method *m, const lie_ops *G, const lie_tableau *tab,
                  const measurement *found);
int claims_broken(const claim claims[CLAIMS]); /* how many */

#endif
