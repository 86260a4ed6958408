/* SPDX-License-Identifier: MIT */
/* claims.c: the judgement of `liestep check`; see claims.h. A claim that something does not hold counts as well: it is
 * broken if the defect is round-off. */
#include "claims.h"

#include <math.h>
#include <string.h>

/* Bounds between round-off and a defect. Measured over all methods and groups: symplectic up to 6e-12, and 1e-5 or more
 * where the form is not preserved; momentum 9e-14; self-adjoint 9e-15 against 7e-10. */
static const double symplectic_bound = 1e-9, momentum_bound = 1e-12, energy_bound = 1e-12, self_adjoint_bound = 1e-12,
                    order_share = 0.05;

static int is_flat(const lie_ops *G)
{
    return strcmp(G->group, "R") == 0;
}

static int is_exp(const lie_ops *G)
{
    return is_flat(G) || strcmp(G->retraction, "exp") == 0;
}

/* On a group that is not flat the truncated form reaches order 2 at best. */
static int claimed_order(const lie_method *m, const lie_ops *G, const lie_tableau *tab)
{
    int order = is_exp(G) ? m->order_exp : m->order;
    if (order != 0 || !tab) return order;
    return strcmp(m->name, "vprk0") == 0 && !is_flat(G) && tab->order > 2 ? 2 : tab->order;
}

static void judge_order(claim *c, int claimed, const measurement *found)
{
    int is_exact = found->points == 0;
    *c = (claim){.name = "order", .value = is_exact ? (double)NAN : found->order};
    snprintf(c->claimed, sizeof c->claimed, "%d", claimed);
    snprintf(c->number, sizeof c->number, is_exact ? "exact" : "%.3f", found->order);
    snprintf(c->measured, sizeof c->measured, "%s", c->number);
    c->holds = is_exact || fabs(found->order - claimed) <= order_share * claimed ? CLAIM_HOLDS : CLAIM_BROKEN;
}

/* A property that holds where `defect` is below `bound`. */
static void judge_property(claim *c, const char *name, int claimed, const char *what, double defect, double bound)
{
    *c = (claim){.name = name, .value = defect};
    snprintf(c->claimed, sizeof c->claimed, "%s", claimed ? "yes" : "no");
    snprintf(c->number, sizeof c->number, "%.1e", defect);
    snprintf(c->measured, sizeof c->measured, "%s %s", what, c->number);
    c->holds = (defect < bound) == (claimed != 0) ? CLAIM_HOLDS : CLAIM_BROKEN;
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

/* What the descriptor does not speak about is shown, not judged. */
static void leave_open(claim *c)
{
    c->holds = CLAIM_NONE;
    snprintf(c->claimed, sizeof c->claimed, "-");
}

void claims_judge(claim claims[CLAIMS], const lie_method *m, const lie_ops *G, const lie_tableau *tab,
                  const measurement *found)
{
    int self_adjoint = m->self_adjoint == LIE_ALWAYS || (m->self_adjoint == LIE_WITH_EXP && is_exp(G));
    judge_order(&claims[CLAIM_ORDER], claimed_order(m, G, tab), found);
    judge_property(&claims[CLAIM_SYMPLECTIC], "symplectic", m->symplectic, "defect", found->symplectic,
                   symplectic_bound);
    judge_property(&claims[CLAIM_MOMENTUM], "momentum", m->momentum, "error", found->momentum, momentum_bound);
    judge_property(&claims[CLAIM_ENERGY], "energy", m->energy, "error", found->energy, energy_bound);
    judge_property(&claims[CLAIM_SELF_ADJOINT], "self-adjoint", self_adjoint, "defect", found->self_adjoint,
                   self_adjoint_bound);
    /* that something does not hold is said of groups that are not flat, and not of every tableau */
    if (!m->momentum && is_flat(G)) leave_open(&claims[CLAIM_MOMENTUM]);
    if (!self_adjoint && (is_flat(G) || m->needs_tableau)) leave_open(&claims[CLAIM_SELF_ADJOINT]);
    /* and some systems and retractions keep the energy with methods that do not claim it */
    if (!m->energy) leave_open(&claims[CLAIM_ENERGY]);
    judge_iterations(&claims[CLAIM_ITERATIONS], m, found->iterations);
}

int claims_broken(const claim claims[CLAIMS])
{
    int broken = 0;
    for (int k = 0; k < CLAIMS; k++) broken += claims[k].holds == CLAIM_BROKEN;
    return broken;
}
