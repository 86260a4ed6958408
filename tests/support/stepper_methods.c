/* SPDX-License-Identifier: MIT */
/* stepper_methods.c: the methods of stepper_cases.h, and steppers made of them. */
#include "tests/support/stepper_cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unity.h"

enum { WORK = 1 << 15 };

/* A variational method divides by the weights. Beyond order 8 what a method does not keep is lost in rounding: those
 * tableaux are for test_tableau.c and test_pirk.c. */
static int takes_tableau(const lie_method *m, const lie_tableau *tab)
{
    if (tab->order > 8) return 0;
    for (int i = 0; i < tab->stages; i++)
        if (m->symplectic && tab->b[i] == 0.0) return 0;
    return 1;
}

int case_method_at(case_method *out, int i)
{
    for (int k = 0; k < lie_method_builtin_count(); k++) {
        const lie_method *m = lie_method_builtin(k);
        int variants = m->needs_tableau ? lie_tableau_builtin_count() : 1;
        for (int v = 0; v < variants; v++) {
            const lie_tableau *tab = m->needs_tableau ? lie_tableau_builtin(v) : NULL;
            if ((tab && !takes_tableau(m, tab)) || i-- > 0) continue;
            *out = (case_method){.method = m, .tableau = tab};
            snprintf(out->name, sizeof out->name, "%s%s%s", m->name, tab ? " " : "", tab ? tab->name : "");
            return 1;
        }
    }
    return 0;
}

int case_is_explicit(const case_method *m)
{
    if (!m->tableau || m->method->symplectic) return m->method->explicit_;
    return lie_tableau_is_explicit(m->tableau);
}

int case_has_own_name(const case_method *m)
{
    for (int i = 0; m->tableau && i < lie_method_builtin_count(); i++) {
        const lie_method *other = lie_method_builtin(i);
        if (other->tableau && !other->composition && other->family == m->method->family &&
            strcmp(other->tableau, m->tableau->name) == 0)
            return 1;
    }
    return 0;
}

int case_is_sampled(int i, int j)
{
    return getenv("LIE_ACCURACY_SAMPLES") == NULL || (i + j) % 4 == 0;
}

lie_claims case_claims(const case_method *m, const case_group *c)
{
    lie_claims claims;
    lie_method_claims(&claims, m->method, c->group, m->tableau);
    return claims;
}

int case_order(const case_method *m, const case_group *c)
{
    return case_claims(m, c).order;
}

double case_stretch(const case_method *m, const case_group *c)
{
    int order = case_order(m, c);
    return order <= 4 ? 1.0 : order <= 6 ? 4.0 : order <= 8 ? 7.0 : order <= 12 ? 24.0 : 40.0;
}

int case_takes(const case_method *m, const case_group *c, case_kind kind)
{
    return lie_method_takes(m->method, &c->system[kind]) == LIE_OK;
}

case_kind case_main(const lie_method *m)
{
    return m->needs_free ? CASE_FREE : CASE_POTENTIAL;
}

void case_stepper(lie_stepper **st, const case_method *m, const case_group *c, case_kind kind)
{
    static double work[WORK];
    lie_options opt = {.method = m->method->name, .tableau = m->tableau};
    TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_stepper_init(st, &c->system[kind], &opt, work, sizeof work), m->name);
}

void case_start(lie_state *s, const case_group *c, case_kind kind, int start)
{
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(&c->system[kind], s, 0.3, c->g[start], c->xi[start]));
}
