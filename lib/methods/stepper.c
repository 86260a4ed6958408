/* SPDX-License-Identifier: MIT */
/* stepper.c: from names to a stepper on the caller's memory, steps and runs. The methods themselves are in
 * separable.c, vprk.c, rkmk.c and commfree.c. */
#include <liestep/product.h>
#include <liestep/series.h>

#include <math.h>

#include "groups/num/cholesky.h"
#include "groups/num/finite.h"
#include "groups/num/newton.h"
#include "groups/num/refuse.h"
#include "lib/methods/families.h"
#include "lib/methods/stepping.h"
#include "lib/methods/strang.h"

enum { ITERATIONS = 50 };

/* For the group with the retractions chosen while there is no other memory: the most that lie_ops_choose asks for. */
typedef struct group_room {
    double at[(sizeof(lie_ops) + sizeof(lie_product)) / sizeof(double) * (LIE_DIM_MAX + 1)];
} group_room;

static int has_exp(const lie_ops *G)
{
    const lie_ops *E;
    if (strcmp(G->retraction, "exp") == 0) return 1;
    return lie_ops_find(&E, G->group, "exp") == LIE_OK && E->dim == G->dim && E->size == G->size;
}

/* The method given, or that of that name; for none or "auto" the one that the system asks for, with exp where no
 * retraction is named and the group is built in and has it. */
static lie_status choose_method(lie_stepper *st, const lie_system *sys)
{
    const char *name = st->options.method;
    lie_status status;
    st->method = st->options.own;
    if (st->method) return st->options.discrete ? LIE_ERR_METHOD : LIE_OK;
    if (st->options.discrete) {
        st->method = &lie__method_discrete;
        return !name || strcmp(name, st->method->name) == 0 ? LIE_OK : LIE_ERR_METHOD;
    }
    if (name && strcmp(name, "auto") != 0) {
        status = lie_method_find(&st->method, name);
        if (status == LIE_OK) st->options.method = st->method->name;
        return status;
    }
    lie_system seen;
    lie__strang_damped(&seen, sys, &st->options);
    status = lie_method_auto(&st->method, 0, &seen);
    if (status == LIE_OK && !st->options.retraction && has_exp(sys->group)) st->options.retraction = "exp";
    return status;
}

/* LIE_ERR_TABLEAU for a number that cannot be. */
static lie_status check_numbers(lie_report *r, const char *what, int n, const double *x)
{
    if (lie__refuse_not_finite(r, what, n, x) == LIE_OK) return LIE_OK;
    if (r) r->status = LIE_ERR_TABLEAU;
    return LIE_ERR_TABLEAU;
}

/* A variational method divides by the weights. */
static lie_status check_tableau(lie_report *r, const lie_tableau *tab, int is_variational)
{
    const lie_status wrong = LIE_ERR_TABLEAU;
    if (!tab) return lie__refuse(r, wrong, "options.tableau", "must be given for this method");
    if (tab->stages < 1 || tab->stages > LIE_STAGES_MAX)
        return lie__refuse_entry(r, wrong, "options.tableau.stages", -1, tab->stages, LIE_STAGES_MAX,
                                 "must be 1 .. LIE_STAGES_MAX");
    if (!tab->A || !tab->b || !tab->c) return lie__refuse(r, wrong, "options.tableau", "must have A, b and c");
    int s = tab->stages;
    if (tab->dense && tab->degree < 1) return lie__refuse(r, wrong, "options.tableau.degree", "must be 1 or more");
    lie_status status = check_numbers(r, "options.tableau.A", s * s, tab->A);
    if (status == LIE_OK) status = check_numbers(r, "options.tableau.b", s, tab->b);
    if (status == LIE_OK) status = check_numbers(r, "options.tableau.c", s, tab->c);
    if (status == LIE_OK && tab->embedded) status = check_numbers(r, "options.tableau.embedded", s, tab->embedded);
    if (status == LIE_OK && tab->dense) status = check_numbers(r, "options.tableau.dense", s * tab->degree, tab->dense);
    for (int i = 0; i < s && status == LIE_OK; i++)
        if (is_variational && tab->b[i] == 0.0)
            status =
                lie__refuse_entry(r, wrong, "options.tableau.b", i, 0.0, 0.0, "must not be 0 in a variational method");
    return status;
}

/* What the method is made of: its own tableau and composition, or the tableau of the options. */
static lie_status choose_coefficients(lie_report *r, lie_stepper *st)
{
    const lie_method *m = st->method;
    lie_status status = LIE_OK;
    if (m->needs_tableau)
        st->tableau = st->options.tableau;
    else if (m->tableau)
        status = lie_tableau_find(&st->tableau, m->tableau);
    if (status == LIE_OK && m->composition) status = lie_composition_find(&st->composition, m->composition);
    if (status != LIE_OK)
        return lie__refuse_name(r, status, "method.tableau, method.composition", m->name,
                                "must be names in the lists of the library");
    if (!(m->needs_tableau || m->tableau)) return LIE_OK;
    return check_tableau(r, st->tableau, m->symplectic);
}

/* The length of a series is for rkmk with exp alone. */
static lie_status check_terms(lie_report *r, const lie_stepper *st)
{
    int terms = st->options.terms;
    if (terms == 0) return LIE_OK;
    if (!st->method->family->takes_terms || strcmp(st->group->retraction, "exp") != 0)
        return lie__refuse(r, LIE_ERR_METHOD, "options.terms", "is for rkmk with exp: must be 0 otherwise");
    if (terms > 0 && terms <= LIE_SERIES_MAX + 1) return LIE_OK;
    return lie__refuse_entry(r, LIE_ERR_SIZE, "options.terms", -1, terms, LIE_SERIES_MAX + 1,
                             "must be 1 .. LIE_SERIES_MAX + 1");
}

/* The anchor is for families with a chart. */
static lie_status check_anchor(lie_report *r, const lie_stepper *st)
{
    int anchor = (int)st->options.anchor;
    if (anchor == LIE_ANCHOR_OF_TABLEAU) return LIE_OK;
    if (!st->family->takes_anchor)
        return lie__refuse(r, LIE_ERR_METHOD, "options.anchor",
                           "is for untruncated variational methods in a chart: must be 0 otherwise");
    if (anchor == LIE_ANCHOR_START || anchor == LIE_ANCHOR_MIDDLE) return LIE_OK;
    return lie__refuse_entry(r, LIE_ERR_SIZE, "options.anchor", -1, anchor, LIE_ANCHOR_MIDDLE,
                             "must be one of lie_anchor");
}

/* Method and group by their names. */
static lie_status choose_names(lie_report *r, lie_stepper *st, group_room *room, const lie_system *sys)
{
    lie_status status = choose_method(st, sys);
    if (status != LIE_OK && st->options.discrete)
        return lie__refuse_name(r, status, "options.method", st->options.method,
                                "must be null or discrete beside options.discrete");
    if (status != LIE_OK)
        return lie__refuse_name(r, status, "options.method", st->options.method, "must be a name of a method");
    if (!st->method->name || !st->method->family)
        return lie__refuse(r, LIE_ERR_METHOD, "options.own", "must have a name and a family");
    if (!st->method->family->substep && !st->method->family->prepare)
        return lie__refuse(r, LIE_ERR_METHOD, "options.own.family", "must have a substep");
    status = lie_ops_choose(&st->group, sys->group, st->options.retraction, room->at, sizeof room->at);
    if (status == LIE_OK) return LIE_OK;
    return lie__refuse_name(r, status, "options.retraction", st->options.retraction,
                            "must be a name of a retraction that this group has, or one for each factor of a product");
}

/* The family of the method, or that which stands in for it or around it. */
static const lie_family *family_of(const lie_stepper *st)
{
    const lie_family *family = st->method->family;
    if (lie__strang_wanted(st, family)) return &lie__strang;
    return family->instead ? family->instead(st) : family;
}

/* Is the method for the system, as far as it is to see it? */
static lie_status check_method(lie_report *r, const lie_stepper *st)
{
    lie_system seen;
    lie__strang_damped(&seen, st->system, &st->options);
    return lie__method_explain(r, st->method, &seen);
}

/* Everything but the memory. The report may be null. */
static lie_status choose(lie_report *r, lie_stepper *st, group_room *room, const lie_system *sys,
                         const lie_options *opt)
{
    lie_status status = lie_system_explain(r, sys);
    if (status != LIE_OK) return status;
    if (!opt) {
        lie__refuse(r, LIE_ERR_UNKNOWN_NAME, "options", "must not be null");
        return LIE_ERR_UNKNOWN_NAME;
    }
    *st = (lie_stepper){.system = sys, .group = sys->group, .is = lie__traits_of(sys), .options = *opt};
    status = choose_names(r, st, room, sys);
    if (status == LIE_OK) status = choose_coefficients(r, st);
    if (status == LIE_OK) status = check_method(r, st);
    if (status == LIE_OK) status = check_terms(r, st);
    if (status != LIE_OK) return status;
    st->family = family_of(st);
    status = check_anchor(r, st);
    if (status != LIE_OK) return status;
    if (st->options.max_iterations <= 0) st->options.max_iterations = ITERATIONS;
    if (!st->options.linear) st->options.linear = &lie__linear_plain;
    st->run = lie__family_run;
    if (st->family->check) status = st->family->check(r, st);
    if (status != LIE_OK) return status;
    int memory = st->family->memory ? st->family->memory(st) : 0;
    st->memory_count = (short)(memory > LIE_MEMORY_MAX ? LIE_MEMORY_MAX + 1 : memory < 0 ? -1 : memory);
    return LIE_OK;
}

static size_t group_bytes(const lie_stepper *st)
{
    return lie_ops_choose_memsize(st->system->group, st->options.retraction);
}

/* Bytes of a stepper with what its family and its group want; 0 where that is too much. */
static size_t bytes_of(const lie_stepper *st)
{
    int doubles = st->family->doubles ? st->family->doubles(st) : 0;
    int is_too_much = doubles < 0 || st->memory_count < 0 || st->memory_count > LIE_MEMORY_MAX;
    size_t all = (size_t)(STEPPER_DOUBLES + lie__inverse_doubles(st) + st->memory_count) + (size_t)doubles;
    return is_too_much ? 0 : all * sizeof(double) + group_bytes(st);
}

size_t lie_stepper_memsize(const lie_system *sys, const lie_options *opt)
{
    lie_stepper st;
    group_room room;
    return choose(0, &st, &room, sys, opt) == LIE_OK ? bytes_of(&st) : 0;
}

lie_status lie__stepper_needs(stepper_needs *out, lie_report *r, const lie_system *sys, const lie_options *opt)
{
    lie_stepper st;
    group_room room;
    lie_status status = choose(r, &st, &room, sys, opt);
    if (status != LIE_OK) return status;
    *out = (stepper_needs){bytes_of(&st), st.memory_count, st.family};
    return out->bytes > 0 ? LIE_OK
                          : lie__refuse(r, LIE_ERR_SIZE, "options.method", "needs more memory than there can be");
}

/* Nothing depends on what was there. Under MemorySanitizer the memory stays unset, so that a read of it is found. */
static void clear(double *work, size_t bytes)
{
#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
    bytes = 0;
#endif
#endif
    memset(work, 0, bytes);
}

/* The inverse of the inertia, where the family wants it. */
static lie_status invert(lie_stepper *st)
{
    double L[LIE_DIM_MAX * LIE_DIM_MAX];
    int n = st->group->dim, doubles = lie__inverse_doubles(st);
    if (doubles == 0) return LIE_OK;
    return cholesky_inverse(n, st->memory - doubles, L, st->system->inertia) ? LIE_OK : LIE_ERR_INERTIA;
}

/* All checks of an init: the stepper without its memory, and how many bytes it needs. */
static lie_status plan(lie_report *r, lie_stepper *made, group_room *room, size_t *needed, const lie_system *sys,
                       const lie_options *opt, const void *work, size_t bytes)
{
    lie_status status = choose(r, made, room, sys, opt);
    if (status != LIE_OK) return status;
    *needed = bytes_of(made);
    return lie__refuse_memory(r, work, bytes, *needed > 0 ? *needed : SIZE_MAX);
}

lie_status lie_stepper_explain(lie_report *report, const lie_system *sys, const lie_options *opt, const void *work,
                               size_t bytes)
{
    lie_stepper made;
    group_room room;
    size_t needed;
    lie_status status = plan(report, &made, &room, &needed, sys, opt, work, bytes);
    return status == LIE_OK ? lie__accept(report) : status;
}

lie_status lie_stepper_init_as(unsigned long long compiled, lie_stepper **st, const lie_system *sys,
                               const lie_options *opt, void *work, size_t bytes)
{
    lie_stepper made, *to = (lie_stepper *)work;
    group_room room;
    size_t needed;
    if (compiled != LIE_COMPILED(lie_options)) return LIE_ERR_VERSION;
    lie_status status = plan(0, &made, &room, &needed, sys, opt, work, bytes);
    if (status != LIE_OK) return status;
    size_t last = group_bytes(&made);
    made.memory = (double *)work + STEPPER_DOUBLES + lie__inverse_doubles(&made);
    made.work = made.memory + made.memory_count;
    memset(made.memory, 0, (size_t)made.memory_count * sizeof(double));
    clear(made.work, needed - (size_t)((char *)made.work - (char *)work));
    status = lie_ops_choose(&made.group, sys->group, made.options.retraction, (char *)work + needed - last, last);
    *to = made;
    if (status == LIE_OK) status = invert(to);
    if (status == LIE_OK && to->family->prepare) status = to->family->prepare(to);
    if (status == LIE_OK && to->run == lie__family_run && !to->family->substep) status = LIE_ERR_METHOD;
    if (status == LIE_OK) *st = to;
    return status;
}

const lie_system *lie_stepper_system(const lie_stepper *st)
{
    return st->system;
}

const lie_ops *lie_stepper_group(const lie_stepper *st)
{
    return st->group;
}

const lie_method *lie_stepper_method(const lie_stepper *st)
{
    return st->method;
}

const lie_tableau *lie_stepper_tableau(const lie_stepper *st)
{
    return st->tableau;
}

const lie_composition *lie_stepper_composition(const lie_stepper *st)
{
    return st->composition;
}

const lie_options *lie_stepper_options(const lie_stepper *st)
{
    return &st->options;
}

int lie_stepper_order(const lie_stepper *st)
{
    const lie_method *m = st->method;
    int is_exp = strcmp(st->group->retraction, "exp") == 0 || strcmp(st->group->group, "R") == 0;
    int order = is_exp ? m->order_exp : m->order;
    return st->family == &lie__strang && order > 2 ? 2 : order;
}

const lie_statistics *lie_stepper_statistics(const lie_stepper *st)
{
    return &st->statistics;
}

int lie_stepper_memory_count(const lie_stepper *st)
{
    return st->memory_count;
}

void lie_stepper_memory_get(const lie_stepper *st, double *out)
{
    memcpy(out, st->memory, (size_t)st->memory_count * sizeof *out);
}

void lie_stepper_memory_set(lie_stepper *st, const double *in)
{
    memcpy(st->memory, in, (size_t)st->memory_count * sizeof *in);
    tell_moved(st);
}

void lie_stepper_reset(lie_stepper *st)
{
    memset(st->memory, 0, (size_t)st->memory_count * sizeof *st->memory);
    tell_moved(st);
    st->statistics = (lie_statistics){.iterations = 0};
}

void lie__stepper_again(lie_stepper *st, const lie_state *s)
{
    if (st->family->again)
        st->family->again(st, s);
    else
        lie_stepper_reset(st);
}

void lie_stepper_control(lie_stepper *st, const double *u_minus, const double *u_plus)
{
    st->u_minus = u_minus;
    st->u_plus = u_plus;
}

lie_status lie_run(lie_stepper *st, lie_state *s, double h, long long n)
{
    const lie_ops *G = st->group;
    if (!state_fits(G, s)) return LIE_ERR_SIZE;
    if (!(h - h == 0.0) || h == 0.0) return LIE_ERR_STEP_SIZE;
    if (!(s->t - s->t == 0.0)) return LIE_ERR_NOT_FINITE;
    if (!all_finite(G->size, lie_state_g(s)) || !all_finite(G->dim, lie_state_m(s))) return LIE_ERR_NOT_FINITE;
    return st->run(st, s, h, n);
}

lie_status lie_step(lie_stepper *st, lie_state *s, double h)
{
    return lie_run(st, s, h, 1);
}

lie_status lie_run_observed(lie_stepper *st, lie_state *s, double h, long long n, long long every,
                            lie_observer *observer, void *ctx)
{
    if (every < 1) return LIE_ERR_SIZE;
    if (observer(ctx, st, s) != 0) return LIE_STOPPED;
    for (long long done = 0; done < n;) {
        long long chunk = n - done < every ? n - done : every;
        lie_status status = lie_run(st, s, h, chunk);
        if (status != LIE_OK) return status;
        done += chunk;
        if (observer(ctx, st, s) != 0) return LIE_STOPPED;
    }
    return LIE_OK;
}
