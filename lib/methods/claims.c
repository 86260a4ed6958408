/* SPDX-License-Identifier: MIT */
/* claims.c: what a method claims on a group with a retraction, from its row in methods.def and, on R^n, from its
 * tableau; see lie_method_claims in stepper.h. */
#include <math.h>

#include "lib/methods/factors.h"
#include "lib/methods/families.h"
#include "lib/methods/stepping.h"

/* Do all factors of a product satisfy this, those of factors that are products too, or the group itself? */
static int all(int (*is)(const lie_ops *), const lie_ops *G)
{
    const lie_ops *list[LIE_DIM_MAX];
    int count = lie__factors(G, list);
    for (int i = 0; i < count; i++)
        if (!is(list[i])) return 0;
    return count > 0;
}

static int is_line(const lie_ops *G)
{
    return strcmp(G->group, "R") == 0;
}

static int is_line_or_exp(const lie_ops *G)
{
    return is_line(G) || strcmp(G->retraction, "exp") == 0;
}

static int is_exp(const lie_ops *G)
{
    return all(is_line_or_exp, G);
}

/* Where the text goes on after the word that it begins with; null if it does not. */
static const char *after(const char *text, const char *word)
{
    while (*word && *text == *word) text++, word++;
    return *word ? 0 : text;
}

/* Does the list name this group, "R" for all that are flat, or this group with this retraction, "SO3/skew"? */
static int names(const char *list, const lie_ops *G)
{
    const char *group = lie__is_flat(G) ? "R" : G->group;
    while (list && *list) {
        const char *rest = after(list, group);
        if (rest && *rest == '/') rest = after(rest + 1, G->retraction);
        if (rest && (*rest == ' ' || *rest == 0)) return 1;
        while (*list && *list != ' ') list++;
        while (*list == ' ') list++;
    }
    return 0;
}

/* The same for every factor of a product. */
static int names_all(const char *list, const lie_ops *G)
{
    const lie_ops *factor[LIE_DIM_MAX];
    int count = lie__factors(G, factor);
    for (int i = 0; i < count; i++)
        if (!names(list, factor[i])) return 0;
    return count > 0;
}

/* b_i a_ij + b_j a_ji = b_i b_j: Hairer, Lubich & Wanner 2006, section VI.4 */
static int is_symplectic(const lie_tableau *tab)
{
    int s = tab->stages;
    for (int i = 0; i < s; i++)
        for (int j = 0; j <= i; j++)
            if (fabs(tab->b[i] * tab->A[i * s + j] + tab->b[j] * tab->A[j * s + i] - tab->b[i] * tab->b[j]) > 1e-14)
                return 0;
    return 1;
}

/* On a group that is not flat the truncated form of the papers reaches order 2 at best. */
static int order_of(const lie_method *m, const lie_ops *G, const lie_tableau *tab)
{
    int order = is_exp(G) ? m->order_exp : m->order;
    if (order != 0 || !tab) return order;
    return m->family == &lie__vprk0 && !lie__is_flat(G) && tab->order > 2 ? 2 : tab->order;
}

static int self_adjoint_of(const lie_method *m, const lie_ops *G, const lie_tableau *tab)
{
    if (m->self_adjoint == LIE_ALWAYS || (m->self_adjoint == LIE_WITH_EXP && is_exp(G))) return 1;
    if (names_all(m->self_adjoint_on, G)) return 1;
    if (tab && (lie__is_flat(G) || m->self_adjoint == LIE_AS_TABLEAU)) return lie_tableau_is_symmetric(tab);
    return m->needs_tableau ? LIE_UNSAID : 0;
}

void lie_method_claims(lie_claims *out, const lie_method *m, const lie_ops *G, const lie_tableau *tab)
{
    if (!m->needs_tableau) tab = 0;
    if (m->tableau && lie_tableau_find(&tab, m->tableau) != LIE_OK) tab = 0;
    int is_named = names(m->symplectic_on, G) && (!m->needs_tableau || (tab && is_symplectic(tab)));
    *out = (lie_claims){.order = order_of(m, G, tab),
                        .symplectic = m->symplectic || is_named,
                        .momentum = m->momentum || lie__is_flat(G),
                        .energy = m->energy ? 1 : LIE_UNSAID,
                        .self_adjoint = self_adjoint_of(m, G, tab),
                        .no_retraction = m->no_retraction || names_all(m->no_retraction_on, G)};
}
