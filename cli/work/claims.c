/* SPDX-License-Identifier: MIT */
/* claims.c: the judgement of `liestep check`; see claims.h. A claim that something does not hold counts as well: it is
 * broken if the defect is round-off. */
#include "cli/work/claims.h"

#include <math.h>

/* Bounds between round-off and a defect. Measured over all methods and groups: symplectic up to 6e-12, and 1e-5 or more
 * where the form is not preserved; momentum 9e-14; self-adjoint 9e-15 against 7e-10. */
static const double symplectic_bound = 1e-9, momentum_bound = 1e-12, energy_bound = 1e-12, self_adjoint_bound = 1e-12,
                    order_share = 0.05;

static void judge_order(claim *c, int claimed, const measurement *found)
{
    int is_exact = found->points == 0;
    *c = (claim){.name = "order", .value = is_exact ? (double)NAN : found->order};
    snprintf(c->claimed, sizeof c->claimed, "%d", claimed);
    snprintf(c->number, sizeof c->number, is_exact ? "exact" : "%.3f", found->order);
    snprintf(c->measured, sizeof c->measured, "%s", c->number);
    c->holds = is_exact || fabs(found->order - claimed) <= order_share * claimed ? CLAIM_HOLDS : CLAIM_BROKEN;
}

/* A property that holds where `defect` is below `bound`. What nothing is said of is shown, not judged. */
static void judge_property(claim *c, const char *name, int claimed, const char *what, double defect, double bound)
{
    *c = (claim){.name = name, .value = defect};
    snprintf(c->claimed, sizeof c->claimed, "%s", claimed == LIE_UNSAID ? "-" : claimed ? "yes" : "no");
    snprintf(c->number, sizeof c->number, "%.1e", defect);
    snprintf(c->measured, sizeof c->measured, "%s %s", what, c->number);
    c->holds = claimed == LIE_UNSAID ? CLAIM_NONE : (defect < bound) == claimed ? CLAIM_HOLDS : CLAIM_BROKEN;
}

/* "Some" is no promise: on a given system an implicit method may need none. */
static void judge_iterations(claim *c, const lie_method *m, double iterations)
{
    *c = (claim){.name = "iterations", .value = iterations};
    snprintf(c->claimed, sizeof c->claimed, "%s", m->explicit_ ? "none" : "some");
    snprintf(c->number, sizeof c->number, "%.1f", iterations);
    snprintf(c->measured, sizeof c->measured, "%.1f a step", iterations);
    c->holds = m->explicit_ && iterations != 0.0 ? CLAIM_BROKEN : CLAIM_HOLDS;
}

void claims_judge(claim claims[CLAIMS], const lie_method *m, const lie_ops *G, const lie_tableau *tab,
                  const measurement *found)
{
    lie_claims said;
    lie_method_claims(&said, m, G, tab);
    judge_order(&claims[CLAIM_ORDER], said.order, found);
    judge_property(&claims[CLAIM_SYMPLECTIC], "symplectic", said.symplectic, "defect", found->symplectic,
                   symplectic_bound);
    judge_property(&claims[CLAIM_MOMENTUM], "momentum", said.momentum, "error", found->momentum, momentum_bound);
    judge_property(&claims[CLAIM_ENERGY], "energy", said.energy, "error", found->energy, energy_bound);
    judge_property(&claims[CLAIM_SELF_ADJOINT], "self-adjoint", said.self_adjoint, "defect", found->self_adjoint,
                   self_adjoint_bound);
    judge_iterations(&claims[CLAIM_ITERATIONS], m, found->iterations);
}

int claims_broken(const claim claims[CLAIMS])
{
    int broken = 0;
    for (int k = 0; k < CLAIMS; k++) broken += claims[k].holds == CLAIM_BROKEN;
    return broken;
}
