/* SPDX-License-Identifier: MIT */
/* adaptive.c: step control and dense output for the embedded pairs. Formulas and references: adaptive.h.
 *
 * A step is tried with lie_step on a copy of the state, so that everything that holds for steps holds here; its stages
 * stay in the stepper's memory, and error and interpolant are sums over them (rkmk.h). Cost beyond the steps: one stage
 * for a tableau whose last stage serves the estimate only, and the copy. Powers are products of square roots: the same
 * bits everywhere. */
#include <liestep/adaptive.h>

#include <math.h>

#include "groups/num/refuse.h"
#include "lib/methods/families.h"
#include "lib/methods/runge_kutta/rkmk.h"

struct lie_adaptive {
    lie_stepper *stepper;
    lie_tolerance tolerance;
    lie_adaptive_numbers now;
    lie_state *from; /* where the last step began */
};

enum { HEAD = (sizeof(struct lie_adaptive) + sizeof(double) - 1) / sizeof(double) * sizeof(double) };

enum { MAX_STEPS = 1000000 };
static const double safety = 0.9, shrink = 0.2, grow = 5.0, least_before = 1e-4;

/* x^p for x > 0, 0 <= p < 1, by the first 20 binary digits of p: relative error below 1e-6 |log x| */
static double power(double x, double p)
{
    double result = 1.0;
    for (int i = 0; i < 20; i++) {
        x = sqrt(x);
        p += p;
        if (p < 1.0) continue;
        result *= x;
        p -= 1.0;
    }
    return result;
}

static double largest(int n, const double *a)
{
    double r = 0.0;
    for (int i = 0; i < n; i++)
        if (!(fabs(a[i]) <= r)) r = fabs(a[i]);
    return r;
}

static int is_length(double h)
{
    return h >= 0.0 && h < HUGE_VAL;
}

size_t lie_adaptive_memsize(const lie_stepper *st)
{
    return HEAD + lie_state_bytes(room_g_of(st->group), room_m_of(st->group));
}

lie_status lie_adaptive_init(lie_adaptive **a, lie_stepper *st, const lie_tolerance *tolerance, void *work,
                             size_t bytes)
{
    lie_tolerance tol = *tolerance;
    if (st->family != &lie__rkmk || !st->tableau->embedded || !lie_tableau_is_explicit(st->tableau))
        return LIE_ERR_METHOD;
    if (tol.absolute_momentum == 0.0) tol.absolute_momentum = tol.absolute;
    int is_good = is_length(tol.absolute) && is_length(tol.relative) && is_length(tol.absolute_momentum);
    if (!is_good || !(tol.absolute + tol.relative > 0.0) || !(tol.absolute_momentum + tol.relative > 0.0))
        return LIE_ERR_TOLERANCE;
    if (!is_length(tol.h_first) || !is_length(tol.h_min) || !is_length(tol.h_max)) return LIE_ERR_STEP_SIZE;
    if (tol.h_max == 0.0) tol.h_max = HUGE_VAL;
    if (tol.h_min > tol.h_max) return LIE_ERR_STEP_SIZE;
    if (tol.max_steps <= 0) tol.max_steps = MAX_STEPS;
    if (lie__refuse_memory(0, work, bytes, lie_adaptive_memsize(st)) != LIE_OK) return LIE_ERR_MEMORY;
    lie_adaptive *made = (lie_adaptive *)work;
    lie_state *from = (lie_state *)(void *)((char *)work + HEAD);
    lie_state_clear_in(from, room_g_of(st->group), room_m_of(st->group));
    *made = (lie_adaptive){.stepper = st, .tolerance = tol, .now = {.h = tol.h_first, .before = 1.0}, .from = from};
    rkmk_of(st)->used = st->tableau->stages;
    *a = made;
    return LIE_OK;
}

const lie_adaptive_numbers *lie_adaptive_now(const lie_adaptive *a)
{
    return &a->now;
}

lie_status lie_adaptive_go_on(lie_adaptive *a, double h, double before)
{
    if (!is_length(h)) return LIE_ERR_STEP_SIZE;
    if (!(before > 0.0 && before < HUGE_VAL)) return LIE_ERR_TOLERANCE;
    a->now.h = h, a->now.before = before, a->now.taken = 0.0;
    return LIE_OK;
}

/* The sizes that errors of the element and of the momentum are compared with. */
typedef struct scales {
    double g, m;
} scales;

static scales scales_of(const lie_adaptive *a, const lie_state *s)
{
    const lie_ops *G = a->stepper->group;
    const lie_tolerance *tol = &a->tolerance;
    return (scales){tol->absolute + tol->relative * largest(G->size, lie_state_g(s)),
                    tol->absolute_momentum + tol->relative * largest(G->dim, lie_state_m(s))};
}

/* The larger of two ratios; what is compared with 0 must be 0. */
static double ratio(const double *E, int n, scales by)
{
    double g = largest(n, E), m = largest(n, E + n);
    double r = g > 0.0 ? g / by.g : 0.0, q = m > 0.0 ? m / by.m : 0.0;
    return r > q || !(r - r == 0.0) ? r : q;
}

/* The error of the step just taken by the stepper */
static double error_of(const lie_adaptive *a, const lie_state *from, const lie_state *to, double h)
{
    const lie_stepper *st = a->stepper;
    const lie_tableau *tab = st->tableau;
    double d[LIE_STAGES_MAX], E[2 * LIE_DIM_MAX];
    int n = st->group->dim;
    scales before = scales_of(a, from), after = scales_of(a, to);
    scales by = {before.g > after.g ? before.g : after.g, before.m > after.m ? before.m : after.m};
    for (int i = 0; i < tab->stages; i++) d[i] = h * (tab->b[i] - tab->embedded[i]);
    weighted_sum(2 * n, E, tab->stages, 1.0, d, 0, rkmk_of(st)->K, 2 * n);
    return ratio(E, n, by);
}

/* A first length: a hundredth of the time in which the state would change by its own size (Hairer, Norsett & Wanner I,
 * section II.4), or what is left */
static lie_status first_length(const lie_adaptive *a, const lie_state *s, double rest, double *h)
{
    const lie_stepper *st = a->stepper;
    double xi[LIE_DIM_MAX], K[2 * LIE_DIM_MAX];
    int n = st->group->dim;
    lie_status status = lie_system_velocity(st->system, xi, lie_state_g(s), lie_state_m(s));
    if (status != LIE_OK) return status;
    copy_n(n, K, xi);
    lie_system_momentum_rate(st->system, K + n, s->t, lie_state_g(s), xi, st->u_minus);
    scales by = scales_of(a, s);
    double size_g = largest(st->group->size, lie_state_g(s)) / by.g, size_m = largest(n, lie_state_m(s)) / by.m;
    double change = ratio(K, n, by), size = size_g > size_m ? size_g : size_m;
    double length = change > 0.0 && size > 0.0 ? 0.01 * (size / change) : fabs(rest);
    *h = length > 0.0 && length < fabs(rest) ? length : fabs(rest);
    return LIE_OK;
}

static double clamp(double x, double least, double most)
{
    return x < least ? least : x > most ? most : x;
}

/* The factor for the next length after a step with this error, taken or not; again: one was rejected just before. */
static double factor_after(const lie_adaptive *a, int is_taken, int again)
{
    double k = a->stepper->tableau->embedded_order + 1.0, most = again ? 1.0 : grow;
    if (!(a->now.error > 0.0)) return most;
    if (!(a->now.error < HUGE_VAL)) return shrink;
    if (!is_taken) return clamp(safety / power(a->now.error, 1.0 / k), shrink, most);
    return clamp(safety * power(a->now.before, 0.4 / k) / power(a->now.error, 0.7 / k), shrink, most);
}

/* Try one step of length h: 1 if it was taken */
static int try_step(lie_adaptive *a, lie_state *s, double h, lie_status *status)
{
    const lie_ops *G = a->stepper->group;
    lie_large_state room;
    lie_state *next = state_in(G, &room, s);
    *status = lie_step(a->stepper, next, h);
    a->now.error = *status == LIE_OK ? error_of(a, s, next, h) : HUGE_VAL;
    if (!(a->now.error <= 1.0)) {
        a->now.rejected++;
        return 0;
    }
    state_copy_body(G, a->from, s);
    state_copy_body(G, s, next);
    a->now.taken = h;
    a->now.accepted++;
    return 1;
}

/* A step was taken, and the next should have this length. The last step of a run was cut: it says nothing about longer
 * ones. */
static void accept_step(lie_adaptive *a, lie_state *s, double t_end, int is_last, double next)
{
    if (!is_last || next < a->now.h) a->now.h = next;
    a->now.before = a->now.error > least_before ? a->now.error : least_before;
    if (is_last) s->t = t_end, s->low_t = 0.0;
    a->now.to = s->t;
}

/* Was this the shortest step, so that none of the length `next` can follow? */
static int is_shortest(const lie_tolerance *tol, double t, double length, double next)
{
    return length <= tol->h_min || !(fabs(t) + next > fabs(t)) || next < 0x1p-1000;
}

/* lie_adaptive_step with at most *tries steps, of which it takes its share */
static lie_status advance(lie_adaptive *a, lie_state *s, double t_end, long long *tries)
{
    const lie_tolerance *tol = &a->tolerance;
    double rest = (t_end - s->t) - s->low_t;
    lie_status status = state_fits(a->stepper->group, s) ? LIE_OK : LIE_ERR_SIZE;
    if (status != LIE_OK) return status;
    if (!(rest - rest == 0.0)) return LIE_ERR_NOT_FINITE;
    if (s->t == t_end) return LIE_OK;
    if (a->now.h == 0.0) status = first_length(a, s, rest, &a->now.h);
    if (status != LIE_OK) return status;
    a->now.taken = 0.0;
    for (int again = 0; (*tries)-- > 0; again = 1) {
        double length = clamp(a->now.h, tol->h_min, tol->h_max);
        int is_last = 1.01 * length >= fabs(rest);
        if (is_last) length = fabs(rest);
        int is_taken = try_step(a, s, copysign(length, rest), &status);
        double next = length * factor_after(a, is_taken, again);
        if (is_taken) {
            accept_step(a, s, t_end, is_last, next);
            return LIE_OK;
        }
        if (is_shortest(tol, s->t, length, next))
            return status == LIE_OK || status == LIE_ERR_TIME ? LIE_ERR_STEP_UNDERFLOW : status;
        a->now.h = next;
    }
    return LIE_ERR_TOO_MANY_STEPS;
}

lie_status lie_adaptive_step(lie_adaptive *a, lie_state *s, double t_end)
{
    long long tries = a->tolerance.max_steps;
    return advance(a, s, t_end, &tries);
}

lie_status lie_adaptive_run(lie_adaptive *a, lie_state *s, double t_end)
{
    return lie_adaptive_run_observed(a, s, t_end, 0, 0, 0, 0);
}

lie_status lie_adaptive_state_in(lie_adaptive *a, lie_state *out, int room_g, int room_m, double t)
{
    const lie_ops *G = a->stepper->group;
    lie_large_state room;
    if (room_g < G->size || room_m < G->dim) return LIE_ERR_SIZE;
    if (a->now.taken == 0.0) return LIE_ERR_DOMAIN;
    int is_inside = a->now.taken > 0.0 ? t >= a->from->t && t <= a->now.to : t <= a->from->t && t >= a->now.to;
    if (!is_inside) return LIE_ERR_DOMAIN;
    /* the times of both ends are rounded */
    double x = t == a->from->t ? 0.0 : t == a->now.to ? 1.0 : ((t - a->from->t) - a->from->low_t) / a->now.taken;
    x = x > 0.0 ? x < 1.0 ? x : 1.0 : 0.0;
    lie_state *made = state_in(G, &room, a->from);
    lie_status status = lie__rkmk_part(a->stepper, made, a->now.taken, x);
    if (status == LIE_OK) status = lie_state_clear_in(out, room_g, room_m);
    if (status != LIE_OK) return status;
    made->t = t, made->low_t = 0.0;
    state_copy_body(G, out, made);
    return LIE_OK;
}

/* Are the times between t and t_end and in their order? */
static int are_in_order(const double *times, int count, double t, double t_end)
{
    int backwards = t_end < t;
    for (int i = 0; i < count; i++) {
        double last = i > 0 ? times[i - 1] : t;
        int is_next = backwards ? times[i] <= last && times[i] >= t_end : times[i] >= last && times[i] <= t_end;
        if (!is_next) return 0;
    }
    return 1;
}

/* Show the times that the last step has reached, from `next` on. */
static lie_status show(lie_adaptive *a, const lie_state *s, const double *times, int count, int *next,
                       lie_observer *observer, void *ctx)
{
    const lie_ops *G = a->stepper->group;
    for (; *next < count; ++*next) {
        double t = times[*next];
        lie_large_state there;
        lie_status status = LIE_OK;
        if (t != s->t && (a->now.taken < 0.0 ? t < s->t : t > s->t)) return LIE_OK;
        if (t == s->t)
            (void)state_in(G, &there, s);
        else
            status = lie_adaptive_state_in(a, LIE_STATE(&there), room_g_of(G), room_m_of(G), t);
        if (status != LIE_OK) return status;
        if (observer(ctx, a->stepper, LIE_STATE(&there)) != 0) return LIE_STOPPED;
    }
    return LIE_OK;
}

lie_status lie_adaptive_run_observed(lie_adaptive *a, lie_state *s, double t_end, const double *times, int count,
                                     lie_observer *observer, void *ctx)
{
    long long tries = a->tolerance.max_steps;
    int next = 0;
    if (count < 0) return LIE_ERR_SIZE;
    if (!(t_end - t_end == 0.0) || !(s->t - s->t == 0.0)) return LIE_ERR_NOT_FINITE;
    if (!are_in_order(times, count, s->t, t_end)) return LIE_ERR_DOMAIN;
    a->now.taken = 0.0;
    while (next < count && times[next] == s->t) {
        if (observer(ctx, a->stepper, s) != 0) return LIE_STOPPED;
        next++;
    }
    while (s->t != t_end) {
        lie_status status = advance(a, s, t_end, &tries);
        if (status == LIE_OK) status = show(a, s, times, count, &next, observer, ctx);
        if (status != LIE_OK) return status;
    }
    return LIE_OK;
}
