/* SPDX-License-Identifier: MIT */
/* stepper.c: from names to a stepper on the caller's memory, steps and runs. The methods themselves are in
 * separable.c, vprk.c, rkmk.c and commfree.c. */
#include <liestep/series.h>

#include <math.h>

#include "groups/num/newton.h"
#include "lib/methods/stepping.h"

enum { ITERATIONS = 50 };

/* The group of the system with the retraction of that name. */
static lie_status choose_group(const lie_ops **out, const lie_ops *G, const char *retraction)
{
    const lie_ops *found;
    if (!retraction || strcmp(retraction, G->retraction) == 0) {
        *out = G;
        return LIE_OK;
    }
    lie_status status = lie_ops_find(&found, G->group, retraction);
    if (status != LIE_OK || found->dim != G->dim || found->size != G->size) return LIE_ERR_UNKNOWN_NAME;
    *out = found;
    return LIE_OK;
}

/* The method of that name; for none or "auto" the one that the system asks for, with exp where no retraction is named
 * and the group has it. */
static lie_status choose_method(lie_stepper *st, const lie_system *sys)
{
    const char *name = st->options.method;
    if (name && strcmp(name, "auto") != 0) return lie_method_find(&st->method, name);
    lie_status status = lie_method_auto(&st->method, 0, sys);
    if (status == LIE_OK && !st->options.retraction && choose_group(&st->group, sys->group, "exp") == LIE_OK)
        st->options.retraction = "exp";
    return status;
}

/* 1 for l = 1/2 <I xi, xi> - V(g) without external forces */
static int is_separable(const lie_system *sys)
{
    return !sys->lagrangian && !sys->gyro && !sys->external;
}

/* A variational method divides by the weights. */
static lie_status check_tableau(const lie_tableau *tab, int is_variational)
{
    if (!tab || tab->stages < 1 || tab->stages > LIE_STAGES_MAX || !tab->A || !tab->b || !tab->c)
        return LIE_ERR_TABLEAU;
    if (!all_finite(tab->stages * tab->stages, tab->A) || !all_finite(tab->stages, tab->b)) return LIE_ERR_TABLEAU;
    if (!all_finite(tab->stages, tab->c)) return LIE_ERR_TABLEAU;
    if (tab->embedded && !all_finite(tab->stages, tab->embedded)) return LIE_ERR_TABLEAU;
    if (tab->dense && (tab->degree < 1 || !all_finite(tab->stages * tab->degree, tab->dense))) return LIE_ERR_TABLEAU;
    for (int i = 0; i < tab->stages; i++)
        if (is_variational && tab->b[i] == 0.0) return LIE_ERR_TABLEAU;
    return LIE_OK;
}

/* What the method is made of: its own tableau and composition, or the tableau of the options. */
static lie_status choose_coefficients(lie_stepper *st)
{
    const lie_method *m = st->method;
    lie_status status = LIE_OK;
    if (m->needs_tableau)
        st->tableau = st->options.tableau;
    else if (m->tableau)
        status = lie_tableau_find(&st->tableau, m->tableau);
    if (status == LIE_OK && m->composition) status = lie_composition_find(&st->composition, m->composition);
    if (status != LIE_OK || !(m->needs_tableau || m->tableau)) return status;
    return check_tableau(st->tableau, m->symplectic);
}

/* The length of a series is for rkmk with exp alone. */
static lie_status check_terms(const lie_stepper *st)
{
    if (st->options.terms == 0) return LIE_OK;
    if (st->method->family != &lie__rkmk || strcmp(st->group->retraction, "exp") != 0) return LIE_ERR_METHOD;
    return st->options.terms < 0 || st->options.terms > LIE_SERIES_MAX + 1 ? LIE_ERR_SIZE : LIE_OK;
}

/* Everything but the memory. */
static lie_status choose(lie_stepper *st, const lie_system *sys, const lie_options *opt)
{
    lie_status status = lie_system_check(sys);
    if (status == LIE_OK && !opt) status = LIE_ERR_UNKNOWN_NAME;
    if (status != LIE_OK) return status;
    *st = (lie_stepper){.system = sys, .options = *opt};
    status = choose_method(st, sys);
    if (status == LIE_OK) status = choose_group(&st->group, sys->group, st->options.retraction);
    if (status == LIE_OK) status = choose_coefficients(st);
    if (status == LIE_OK) status = lie_method_takes(st->method, sys);
    if (status == LIE_OK) status = check_terms(st);
    if (status != LIE_OK) return status;
    st->family = st->method->family == &lie__separable && !is_separable(sys) ? &lie__vprk0 : st->method->family;
    if (st->options.max_iterations <= 0) st->options.max_iterations = ITERATIONS;
    if (!st->options.linear) st->options.linear = &lie__linear_plain;
    st->memory_count = st->family->memory ? st->family->memory(st) : 0;
    st->run = lie__family_run;
    return LIE_OK;
}

/* Bytes of a stepper with what its family wants; 0 where that is too much. */
static size_t bytes_of(const lie_stepper *st)
{
    int doubles = st->family->doubles ? st->family->doubles(st) : 0;
    int is_too_much = doubles < 0 || st->memory_count < 0 || st->memory_count > LIE_MEMORY_MAX;
    return is_too_much ? 0 : ((size_t)(STEPPER_DOUBLES + st->memory_count) + (size_t)doubles) * sizeof(double);
}

size_t lie_stepper_memsize(const lie_system *sys, const lie_options *opt)
{
    lie_stepper st;
    return choose(&st, sys, opt) == LIE_OK ? bytes_of(&st) : 0;
}

lie_status lie__stepper_needs(stepper_needs *out, const lie_system *sys, const lie_options *opt)
{
    lie_stepper st;
    lie_status status = choose(&st, sys, opt);
    if (status != LIE_OK) return status;
    *out = (stepper_needs){bytes_of(&st), st.memory_count, st.family};
    return out->bytes == 0 ? LIE_ERR_SIZE : LIE_OK;
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

lie_status lie_stepper_init(lie_stepper **st, const lie_system *sys, const lie_options *opt, void *work, size_t bytes)
{
    lie_stepper made, *to = (lie_stepper *)work;
    lie_status status = choose(&made, sys, opt);
    if (status != LIE_OK) return status;
    if (!work || (uintptr_t)work % sizeof(double) != 0) return LIE_ERR_MEMORY;
    size_t needed = bytes_of(&made);
    if (needed == 0 || bytes < needed) return LIE_ERR_MEMORY;
    made.memory = (double *)work + STEPPER_DOUBLES;
    made.work = made.memory + made.memory_count;
    memset(made.memory, 0, (size_t)made.memory_count * sizeof(double));
    clear(made.work, needed - (size_t)(STEPPER_DOUBLES + made.memory_count) * sizeof(double));
    *to = made;
    if (to->family->prepare) status = to->family->prepare(to);
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
