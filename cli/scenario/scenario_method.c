/* SPDX-License-Identifier: MIT */
/* scenario_method.c: method, retraction, tableau, step control, step and number of steps.
 *
 * A method and an order name the member of a family: all methods called METHOD, METHOD_... or METHOD followed by a
 * digit that have this order with the retraction chosen. Of several it is the one of most substeps, which among
 * compositions of one order has the smallest error; of equals the first in the list. An alias names a method or,
 * without its digits, a family. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/scenario/scenario_reading.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Does the name begin with the whole of this word, and go on with a digit? */
static bool is_numbered(const char *name, const char *family)
{
    size_t n = strlen(family);
    return n > 0 && strncmp(name, family, n) == 0 && is_digit(name[n]) && !is_digit(family[n - 1]);
}

static bool in_family(const char *name, const char *family)
{
    size_t n = strlen(family);
    if (n == 0 || strncmp(name, family, n) != 0) return false;
    return name[n] == '\0' || name[n] == '_' || is_numbered(name, family);
}

/* Is it called so, or does one of its aliases go on with a digit? */
static bool is_member(const lie_method *m, const char *family)
{
    const char *alias = m->aliases;
    while (alias) {
        if (is_numbered(alias, family)) return true;
        alias = strchr(alias, ' ');
        if (alias) alias++;
    }
    return in_family(m->name, family);
}

/* The order with this retraction; all retractions of a flat group are exp. */
static int order_with(const lie_method *m, const lie_system *sys, const char *retraction)
{
    return strcmp(retraction, "exp") == 0 || strcmp(sys->group->group, "R") == 0 ? m->order_exp : m->order;
}

static int substeps(const lie_method *m)
{
    const lie_composition *c;
    return m->composition && lie_composition_find(&c, m->composition) == LIE_OK ? c->stages : 1;
}

/* "2, 4, 6, 8": the orders of a family, each once */
static listed orders_of(const reading *r, const char *family, const char *retraction)
{
    listed orders = {""};
    for (int order = 1; order <= 16; order++)
        for (int i = 0; i < lie_method_builtin_count(); i++) {
            const lie_method *m = lie_method_builtin(i);
            if (!is_member(m, family) || order_with(m, &r->out->system, retraction) != order) continue;
            list_add(&orders, "%d", order);
            break;
        }
    return orders;
}

static const lie_method *unknown_method(reading *r, const char *name)
{
    const char *near = cli_nearest(name, cli_method_word);
    complain(r, key_method, "there is no method '%s'; %s%s%s'liestep methods --all' lists them", show(name).text,
             near ? "did you mean '" : "", near ? near : "", near ? "'? " : "");
    return NULL;
}

static const lie_method *member_of(reading *r, const char *family, int order, const char *retraction)
{
    const lie_method *best = NULL;
    bool known = false;
    for (int i = 0; i < lie_method_builtin_count(); i++) {
        const lie_method *m = lie_method_builtin(i);
        if (!is_member(m, family)) continue;
        known = true;
        if (order_with(m, &r->out->system, retraction) == order && (!best || substeps(m) > substeps(best))) best = m;
    }
    if (best) return best;
    if (!known) return unknown_method(r, family);
    complain(r, key_order, "no method of the family %s has order %d with the retraction %s; there are %s", family,
             order, retraction, orders_of(r, family, retraction).text);
    return NULL;
}

/* Is the method left to the system? */
static bool is_auto(const reading *r)
{
    return strcmp(text_of(r, key_method), "auto") == 0;
}

const char *retraction_asked(const reading *r)
{
    return is_given(r, key_retraction) ? text_of(r, key_retraction) : is_auto(r) ? "exp" : "cay";
}

static const lie_method *auto_method(reading *r)
{
    const lie_method *m = NULL;
    lie_system seen = r->out->system;
    if (r->out->options.damping) seen.external = NULL, seen.external_deriv = NULL;
    if (is_given(r, key_order))
        complain(r, key_order, "needs the name of a family: add method: sv, gauss, split or another");
    else if (lie_method_auto(&m, &r->out->chosen, &seen) != LIE_OK)
        complain(r, key_method, "auto finds no method for this system");
    return m;
}

static const lie_method *choose_method(reading *r, const char *retraction)
{
    const char *name = text_of(r, key_method);
    if (is_auto(r)) return auto_method(r);
    const lie_method *exact = NULL;
    bool found = lie_method_find(&exact, name) == LIE_OK;
    if (found && exact->needs_tableau && is_given(r, key_order)) {
        complain(r, key_order, "the order of %s is that of its tableau; remove it", name);
        return NULL;
    }
    if (is_given(r, key_order)) {
        double order = number_of(r, key_order);
        return member_of(r, found ? exact->name : name, order < 1000.0 ? (int)order : 1000, retraction);
    }
    if (found) return exact;
    listed orders = orders_of(r, name, retraction);
    if (!*orders.text) return unknown_method(r, name);
    complain(r, key_method, "%s is a family of methods; add order: one of %s", name, orders.text);
    return NULL;
}

static void choose_tableau(reading *r, const lie_method *m)
{
    const char *name = text_of(r, key_tableau);
    if (!m->needs_tableau && name) complain(r, key_tableau, "is for vprk, vprk0 and rkmk; %s has its own", m->name);
    if (m->needs_tableau && !name) complain(r, key_tableau, "is missing; %s needs one, for example gauss2", m->name);
    if (!m->needs_tableau || !name || lie_tableau_find(&r->out->options.tableau, name) == LIE_OK) return;
    const char *near = cli_nearest(name, cli_tableau_name);
    listed names = {""};
    for (int i = 0; cli_tableau_name(i); i++) list_add(&names, "%s", cli_tableau_name(i));
    complain(r, key_tableau, "there is no tableau '%s'; %s%s%s%s", show(name).text, near ? "did you mean '" : "",
             near ? near : "", near ? "'? There are " : "there are ", names.text);
}

static bool is_on(const reading *r, const char *group)
{
    return strcmp(r->out->system.group->group, group) == 0;
}

/* Its name as the library has it; R^n takes any of the three, they are all the same: the group, which lies among the
 * parameters of the system, is made again. Of a product it is that of the attitude, which the system was made with. */
static const char *choose_retraction(reading *r)
{
    static const char *const flat[] = {"exp", "cay", "skew"};
    const lie_ops *G = is_on(r, "product") ? &lie_so3_cay_ops : r->out->system.group;
    const char *name = retraction_asked(r);
    listed names = {""};
    for (int i = 0; i < 3 && is_on(r, "R"); i++) {
        if (strcmp(flat[i], name) == 0 && lie_rn_ops((lie_ops *)G, G->dim, flat[i]) == LIE_OK) return flat[i];
        list_add(&names, "%s", flat[i]);
    }
    for (int i = 0; i < lie_ops_builtin_count(); i++) {
        const lie_ops *other = lie_ops_builtin(i);
        if (strcmp(other->group, G->group) != 0) continue;
        if (strcmp(other->retraction, name) == 0) return other->retraction;
        list_add(&names, "%s", other->retraction);
    }
    complain(r, key_retraction, "there is no retraction '%s' of %s; there are %s", show(name).text, G->group,
             names.text);
    return NULL;
}

/* steps = (end - start) / step, if that is a whole number to 1e-9 or to rounding */
static void steps_to_end(reading *r, double h)
{
    double end = number_of(r, key_end), time = number_of(r, start_time), n = (end - time) / h, whole = round(n);
    if (!(n > 0.0)) {
        complain(r, key_end, "%g is not ahead of the start at %g s with a step of %g s", end, time, h);
    } else if (!(whole <= COUNT_MAX)) {
        complain(r, key_end, "is %g steps away; at most %.0f are possible", n, COUNT_MAX);
    } else if (whole < 1.0 || fabs(n - whole) > 1e-9 + 4.0 * DBL_EPSILON * n) {
        double less = floor(n) > 0.0 ? floor(n) : 1.0, more = less + 1.0;
        complain(r, key_end, "is %.10g steps away, not a whole number; step: %.10g (%.0f steps) or %.10g (%.0f) fits",
                 n, (end - time) / less, less, (end - time) / more, more);
    } else {
        r->out->steps = (long long)whole;
    }
}

static void choose_steps(reading *r)
{
    double h = number_of(r, key_step), time = number_of(r, start_time);
    if (h == 0.0) {
        complain(r, key_step, "is 0; give a number, negative to go back in time");
        return;
    }
    if (is_given(r, key_end))
        steps_to_end(r, h);
    else
        r->out->steps = (long long)number_of(r, key_steps);
    double last = time + (double)r->out->steps * h;
    if (r->errors == 0 && (!isfinite(last) || last - h == last || time + h == time))
        complain(r, key_step, "is too %s for times up to %g s", isfinite(last) ? "small" : "large", last);
}

/* How long the series of dexp^-1 is, and step control: for some methods. */
static void choose_terms(reading *r, const lie_method *m, const char *retraction)
{
    double terms = number_of(r, key_terms);
    if (!is_given(r, key_terms)) return;
    bool has_series = !is_on(r, "product") && !is_on(r, "R");
    if (!in_family(m->name, "rkmk") || strcmp(retraction, "exp") != 0 || !has_series)
        complain(r, key_terms, "is for rkmk methods with the retraction exp; %s with %s on %s has no series to cut",
                 m->name, retraction, r->out->group);
    else if (terms > LIE_SERIES_MAX + 1)
        complain(r, key_terms, "is %.0f; %d at most", terms, LIE_SERIES_MAX + 1);
    else
        r->out->options.terms = (int)terms;
}

/* Where the chart is, for methods that have one on this group: those that can be made with an anchor. */
static void choose_anchor(reading *r)
{
    static const char *const names[] = {"start", "middle"};
    static const lie_anchor anchors[] = {LIE_ANCHOR_START, LIE_ANCHOR_MIDDLE};
    lie_options *opt = &r->out->options;
    const char *name = text_of(r, key_anchor);
    if (!is_given(r, key_anchor)) return;
    for (int i = 0; i < 2; i++)
        if (strcmp(name, names[i]) == 0) opt->anchor = anchors[i];
    if (opt->anchor == LIE_ANCHOR_OF_TABLEAU) {
        complain(r, key_anchor, "is '%s'; start or middle", show(name).text);
        return;
    }
    lie_options without = *opt;
    without.anchor = LIE_ANCHOR_OF_TABLEAU;
    if (lie_stepper_memsize(&r->out->system, opt) == 0 && lie_stepper_memsize(&r->out->system, &without) > 0)
        complain(r, key_anchor, "is for vprk and what else has a chart of the step; %s has none on %s", opt->method,
                 r->out->group);
}

static void choose_newmark(reading *r, const lie_method *m)
{
    static const key_id keys[2] = {newmark_beta, newmark_gamma};
    for (int i = 0; i < 2; i++) {
        r->store->newmark[i] = number_of(r, keys[i]);
        if (!is_given(r, keys[i])) continue;
        r->out->options.newmark = r->store->newmark;
        if (strcmp(m->name, "newmark") != 0)
            complain(r, keys[i], "is for the method newmark; %s has no such coefficient", m->name);
    }
}

static void try_tolerance(reading *r, lie_stepper *st)
{
    lie_adaptive *a;
    double tolerance = r->out->tolerance;
    if (tolerance == 0.0) return;
    size_t bytes = lie_adaptive_memsize(st);
    void *work = malloc(bytes);
    lie_status status =
        lie_adaptive_init(&a, st, &(lie_tolerance){.absolute = tolerance, .relative = tolerance}, work, bytes);
    free(work);
    if (status == LIE_ERR_METHOD)
        complain(r, key_tolerance,
                 "is for embedded pairs, which estimate their error: rkmk_dopri5, rkmk_dopri8; %s "
                 "takes steps of one length",
                 lie_stepper_method(st)->name);
}

/* A stepper made for trial: does the method apply? */
static void try_stepper(reading *r, const lie_method *method)
{
    lie_stepper *st;
    size_t bytes = lie_stepper_memsize(&r->out->system, &r->out->options);
    void *work = bytes > 0 ? malloc(bytes) : NULL;
    lie_status status = lie_stepper_init(&st, &r->out->system, &r->out->options, work, bytes);
    if (status == LIE_OK) try_tolerance(r, st);
    free(work);
    char needs[CLI_NEEDS];
    if (status == LIE_ERR_TABLEAU)
        complain(r, key_tableau, "%s", lie_status_text(status));
    else if (status == LIE_ERR_METHOD)
        complain(r, key_method, "%s cannot step the system %s on %s: it needs %s", method->name, r->out->system.name,
                 r->out->group, cli_method_needs(needs, sizeof needs, method));
    else if (status != LIE_OK)
        complain(r, key_method, "%s cannot step the system %s: %s", r->out->options.method, r->out->system.name,
                 lie_status_text(status));
}

static void choose_damping(reading *r)
{
    r->out->options.damping = flag_of(r, key_damping);
    if (r->out->options.damping && !r->out->system.external)
        complain(r, key_damping, "is for systems with external forces; %s has none", r->out->system.name);
}

bool method_build(reading *r)
{
    choose_damping(r);
    const char *retraction = choose_retraction(r);
    const lie_method *method = retraction ? choose_method(r, retraction) : NULL;
    double iterations = number_of(r, key_max_iterations);
    if (method) choose_tableau(r, method);
    if (method) choose_terms(r, method, retraction);
    if (method) choose_newmark(r, method);
    if (iterations > 10000.0) complain(r, key_max_iterations, "is %.0f; 10000 at most", iterations);
    choose_steps(r);
    if (!method || r->errors > 0) return false;
    r->out->options.method = method->name;
    r->out->retraction = retraction;
    r->out->options.retraction = is_on(r, "product") ? NULL : retraction;
    r->out->options.max_iterations = (int)iterations;
    choose_anchor(r);
    if (r->errors > 0) return false;
    if (is_given(r, key_control)) r->out->u = r->store->values.of[key_control].number;
    try_stepper(r, method);
    return r->errors == 0;
}
