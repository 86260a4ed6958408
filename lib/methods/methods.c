/* SPDX-License-Identifier: MIT */
/* methods.c: the list of methods, from methods.def. Tableaux and compositions are looked up by name. */
#include "groups/num/refuse.h"
#include "lib/methods/factors.h"
#include "lib/methods/families.h"
#include "lib/methods/stepping.h"

#define ORDER(p) .order = p, .order_exp = p
#define VARIATIONAL .symplectic = 1, .momentum = 1
#define EMBEDDED_GROUPS "S3 SO3 SE3 SE2 R matgroup" /* embedded_leaf.h */
#define METHOD(name_, family_, ...) {.name = name_, .family = &lie__##family_, __VA_ARGS__},
static const lie_method methods[] = {
#include "lib/methods/methods.def"
};
#undef METHOD
#undef EMBEDDED_GROUPS
#undef VARIATIONAL
#undef ORDER

int lie_method_builtin_count(void)
{
    return (int)(sizeof methods / sizeof methods[0]);
}

const lie_method *lie_method_builtin(int i)
{
    return i >= 0 && i < lie_method_builtin_count() ? &methods[i] : 0;
}

/* Is the word one of those in the list, which are separated by spaces? */
static int is_listed(const char *list, const char *word)
{
    while (*list) {
        const char *w = word;
        while (*w && *w != ' ' && *w == *list) w++, list++;
        if (*w == 0 && (*list == 0 || *list == ' ')) return 1;
        while (*list && *list != ' ') list++;
        while (*list == ' ') list++;
    }
    return 0;
}

/* By its name or one of its aliases. */
static int is_called(const lie_method *m, const char *name)
{
    return strcmp(m->name, name) == 0 || (m->aliases && is_listed(m->aliases, name));
}

lie_status lie_method_find(const lie_method **out, const char *name)
{
    for (int i = 0; name && i < lie_method_builtin_count(); i++)
        if (is_called(&methods[i], name)) {
            *out = &methods[i];
            return LIE_OK;
        }
    return LIE_ERR_UNKNOWN_NAME;
}

/* Is it for this group, and for the factors of this product? */
static int takes_group(const lie_method *m, const lie_ops *G)
{
    const lie_ops *list[LIE_DIM_MAX];
    int count = lie__factors(G, list);
    if (!m->groups) return 1;
    if (!is_listed(m->groups, G->group)) return 0;
    for (int i = 0; i < count; i++)
        if (!is_listed(m->groups, list[i]->group)) return 0;
    return count > 0;
}

static int is_coupled(const lie_system *sys)
{
    return !lie__is_flat(sys->group) && lie__couples(sys->group, sys->inertia);
}

/* What of the system the method cannot do, as a field and a clause; LIE_OK if nothing. */
lie_status lie__method_explain(lie_report *r, const lie_method *m, const lie_system *sys)
{
    const traits is = lie__traits_of(sys);
    const char *needs = 0;
    const int is_framed = m->takes_frames && is.has_frame;
    if (m->needs_free && (!is.quadratic || is.has_force) && !is_framed)
        needs = "is for the free body: no potential, no gyroscopic term, no general Lagrangian";
    else if (m->needs_quadratic && !is.quadratic && !is_framed)
        needs = "is for an inertia and a potential: no gyroscopic term, no general Lagrangian";
    else if (m->needs_unforced && is.has_external)
        needs = "is for systems without external force";
    else if (m->needs_positional && !is.positional)
        needs = "is for external forces that do not depend on the velocity (external_is_positional)";
    else if (!takes_group(m, sys->group))
        needs = "is not for this group";
    else if (m->needs_uncoupled && is_coupled(sys))
        needs = "is for products whose factors the inertia does not couple";
    return needs ? lie__refuse_name(r, LIE_ERR_METHOD, "options.method", m->name, needs) : LIE_OK;
}

lie_status lie_method_takes(const lie_method *m, const lie_system *sys)
{
    return lie__method_explain(0, m, sys);
}
