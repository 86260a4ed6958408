/* SPDX-License-Identifier: MIT */
/* strang.c: half a step of what a method does not see, a step of the method, half a step of the rest in reverse order
 * (Strang 1968). The method steps a system of its own, made of the user's:
 *
 *     damping   lie_options.damping: without external force; pushes by h/2 (damping.c) around it
 *     frame     for families that are `absolute` the body at rest with the potential U (moving_frame.h), and U not for
 *               methods that need a free body; kicks by (h/2) of its force where these do not take it, half a turn of
 *               the frame and of the wheels around it
 *
 *     push, kick, turn of the frame, of the wheels, step, turn of the wheels, of the frame, kick, push
 *
 * Order 2 with every method of order 2 or more; self-adjoint if the method is; kicks, turns and pushes change the
 * spatial momentum by their impulses to round-off. Kicks and turns are symplectic. Where U is unchanged by the turns of
 * the frame, as on a turntable, turns and step commute: the order is that of the method, and the energy is kept by a
 * method that keeps that of the body at rest.
 *
 * References: Strang, SIAM J. Numer. Anal. 5 (1968); Armero & Simo, Int. J. Plasticity 12 (1996), for damping;
 * McLachlan & Perlmutter, J. Phys. A 37 (2004), for symmetric methods and bodies that are not reversible. */
#include "lib/methods/strang.h"

#include "groups/num/cholesky.h"
#include "groups/num/finite.h"
#include "lib/methods/moving_frame.h"

/* In the work memory, followed by what the pointers point to and by the work of the method. */
typedef struct strang {
    lie_system seen;   /* by the method; its params are this, where it is another body */
    lie_stepper inner; /* of the method; its memory is that of the stepper */
    const lie_system *given;
    const lie_ops *turns; /* the group, with exp where it has that */
    int is_damped, has_frame, has_kicks;
    moving_frame frame;
    double *factor; /* of the inertia */
} strang;

enum { HEAD = (sizeof(strang) + sizeof(double) - 1) / sizeof(double) };

static strang *of(const lie_stepper *st)
{
    return (strang *)st->work;
}

void lie__strang_damped(lie_system *out, const lie_system *sys, const lie_options *opt)
{
    *out = *sys;
    if (opt->damping) out->external = 0, out->external_deriv = 0;
}

int lie__strang_wanted(const lie_stepper *st, const lie_family *family)
{
    return (st->options.damping && st->is.has_external) || (family->absolute && st->is.has_frame);
}

/* The body at rest. */

static const strang *behind(const lie_system *seen)
{
    return (const strang *)seen->params;
}

/* U = V + 1/2 <A, I^-1 A> */
static double rest_potential(const lie_system *seen, const double *g)
{
    const strang *w = behind(seen);
    double A[LIE_DIM_MAX], y[LIE_DIM_MAX], sum = 0.0;
    int n = seen->group->dim;
    w->given->gyro(w->given, A, g);
    copy_n(n, y, A);
    cholesky_solve(n, w->factor, y);
    for (int i = 0; i < n; i++) sum += A[i] * y[i];
    return (w->given->potential ? w->given->potential(w->given, g) : 0.0) + 0.5 * sum;
}

static void rest_force(const lie_system *seen, double *F, const double *g)
{
    const strang *w = behind(seen);
    if (w->given->force)
        w->given->force(w->given, F, g);
    else
        zero_n(seen->group->dim, F);
    lie__frame_add_force(&w->frame, w->given, F, g);
}

/* The user's force sees the velocity in the frame. */
static void rest_external(const lie_system *seen, double *f, double t, const double *g, const double *xi,
                          const double *u)
{
    const strang *w = behind(seen);
    double b[LIE_DIM_MAX], v[LIE_DIM_MAX];
    lie__frame_in_body(&w->frame, b, g);
    for (int i = 0; i < seen->group->dim; i++) v[i] = xi[i] - b[i];
    w->given->external(w->given, f, t, g, v, u);
}

/* The system that the method sees, from the user's as it is now. */
static void make_seen(strang *w, const lie_options *opt)
{
    const lie_system *sys = w->given;
    lie__strang_damped(&w->seen, sys, opt);
    if (!w->has_frame) return;
    w->seen = (lie_system){.name = sys->name,
                           .group = sys->group,
                           .inertia = sys->inertia,
                           .params = w,
                           .controls = sys->controls,
                           .external_is_positional = sys->external_is_positional,
                           .external = w->seen.external ? rest_external : 0};
    if (!w->has_kicks) w->seen.potential = rest_potential, w->seen.force = rest_force;
}

/* The splitting and the stepper of the method, but for their memory. The stepper is that of the user, which may have no
 * work yet. */
static void make(strang *w, const lie_stepper *st)
{
    const lie_family *family = st->method->family;
    *w = (strang){.given = st->system, .inner = *st, .turns = st->group};
    w->is_damped = st->options.damping && st->is.has_external;
    w->has_frame = family->absolute && st->is.has_frame;
    w->has_kicks = w->has_frame && st->method->needs_free;
    make_seen(w, &st->options);
    w->inner.system = &w->seen;
    w->inner.is = lie__traits_of(&w->seen);
    w->inner.options.damping = 0;
    w->inner.family = family->instead ? family->instead(&w->inner) : family;
    w->inner.run = lie__family_run;
}

static int own_doubles(const strang *w)
{
    int n = w->seen.group->dim;
    return HEAD + (w->has_frame ? 3 * n + n * n : 0);
}

static lie_status check(lie_report *r, const lie_stepper *st)
{
    strang w;
    make(&w, st);
    return w.inner.family->check ? w.inner.family->check(r, &w.inner) : LIE_OK;
}

static int doubles(const lie_stepper *st)
{
    strang w;
    make(&w, st);
    int more = w.inner.family->doubles ? w.inner.family->doubles(&w.inner) : 0;
    return more < 0 ? more : own_doubles(&w) + more;
}

static int memory(const lie_stepper *st)
{
    strang w;
    make(&w, st);
    return w.inner.family->memory ? w.inner.family->memory(&w.inner) : 0;
}

/* Half steps. */

/* g <- g tau(-h b) */
static lie_status turn_frame(const strang *w, const state_parts *at, double h)
{
    double x[LIE_DIM_MAX], none[LIE_DIM_MAX] = {0.0}, low[LIE_DIM_MAX] = {0.0};
    lie__frame_in_body(&w->frame, x, at->g);
    for (int i = 0; i < w->turns->dim; i++) x[i] *= -h;
    return move(w->turns, at->g, at->low_g, none, low, x);
}

static lie_status turn_wheels(const strang *w, const state_parts *at, double h)
{
    double x[LIE_DIM_MAX];
    if (!w->frame.has_wheels) return LIE_OK;
    for (int i = 0; i < w->turns->dim; i++) x[i] = -h * w->frame.idle[i];
    return move(w->turns, at->g, at->low_g, at->m, at->low_m, x);
}

static void kick_by_rest(const strang *w, const state_parts *at, double h)
{
    double F[LIE_DIM_MAX];
    if (!w->has_kicks) return;
    rest_force(&w->seen, F, at->g);
    kick(w->seen.group->dim, at->m, at->low_m, h, F);
}

static lie_status before(const strang *w, lie_state *s, double h, const double *u, lie_solve *info)
{
    const state_parts at = parts_of(s);
    lie_status status = w->is_damped ? lie__damping_push(w->given, s, h, u, info) : LIE_OK;
    if (status != LIE_OK || !w->has_frame) return status;
    kick_by_rest(w, &at, h);
    status = turn_frame(w, &at, h);
    return status == LIE_OK ? turn_wheels(w, &at, h) : status;
}

static lie_status after(const strang *w, lie_state *s, double h, const double *u, lie_solve *info)
{
    const state_parts at = parts_of(s);
    lie_status status = w->has_frame ? turn_wheels(w, &at, h) : LIE_OK;
    if (status == LIE_OK && w->has_frame) status = turn_frame(w, &at, h);
    if (status != LIE_OK) return status;
    if (w->has_frame) kick_by_rest(w, &at, h);
    if (w->is_damped) return lie__damping_push(w->given, s, h, u, info);
    return all_finite(w->seen.group->dim, at.m) ? LIE_OK : LIE_ERR_NOT_FINITE;
}

/* Steps. */

/* The solves of the pushes belong to the step. */
static void count(lie_statistics *all, const lie_solve *pushes)
{
    all->last.iterations += pushes->iterations;
    all->last.residual = pushes->residual > all->last.residual ? pushes->residual : all->last.residual;
    all->iterations += pushes->iterations;
    if (all->last.iterations > all->iterations_max) all->iterations_max = all->last.iterations;
    if (all->last.residual > all->residual_max) all->residual_max = all->last.residual;
}

static lie_status step(lie_stepper *st, strang *w, lie_state *s, double h)
{
    lie_solve info = {st->options.max_iterations, 0, 0.0};
    lie_status status = before(w, s, 0.5 * h, st->u_minus, &info);
    if (status == LIE_OK) status = w->inner.run(&w->inner, s, h, 1);
    if (status == LIE_OK) status = after(w, s, 0.5 * h, st->u_plus, &info);
    if (status == LIE_OK) count(&w->inner.statistics, &info);
    return status;
}

/* What may have changed since the last run: the parameters of the system and of the frame. */
static lie_status begin(strang *w, const lie_stepper *st)
{
    int is_new;
    w->inner.u_minus = st->u_minus, w->inner.u_plus = st->u_plus;
    make_seen(w, &st->options);
    return w->has_frame ? lie__frame_read(&w->frame, w->given, &is_new) : LIE_OK;
}

/* A step that fails leaves no trace. */
static lie_status run(lie_stepper *st, lie_state *s, double h, long long n)
{
    strang *w = of(st);
    const size_t bytes = (size_t)st->memory_count * sizeof(double);
    double kept[LIE_MEMORY_MAX];
    lie_status status = begin(w, st);
    for (long long i = 0; i < n && status == LIE_OK; i++) {
        lie_large_state room;
        const lie_state *start = state_in(st->group, &room, s);
        memcpy(kept, st->memory, bytes);
        w->inner.statistics = st->statistics;
        status = step(st, w, s, h);
        if (status == LIE_OK) {
            st->statistics = w->inner.statistics;
            continue;
        }
        state_copy_body(st->group, s, start);
        memcpy(st->memory, kept, bytes);
        tell_moved(&w->inner);
    }
    return status;
}

static void moved(lie_stepper *st)
{
    tell_moved(&of(st)->inner);
}

static void again(lie_stepper *st, const lie_state *s)
{
    lie__stepper_again(&of(st)->inner, s);
}

static lie_status prepare_frame(strang *w, double *next)
{
    int n = w->seen.group->dim, is_new;
    const lie_ops *E;
    w->frame = (moving_frame){.G = w->turns, .eta = next, .a = next + n, .idle = next + 2 * n};
    w->factor = next + 3 * n;
    zero_n(n * n, w->factor);
    if (!cholesky_factor(n, w->factor, w->given->inertia)) return LIE_ERR_INERTIA;
    if (lie_ops_find(&E, w->turns->group, "exp") == LIE_OK && E->dim == n && E->size == w->turns->size) w->turns = E;
    return lie__frame_read(&w->frame, w->given, &is_new);
}

static lie_status prepare(lie_stepper *st)
{
    strang *w = of(st);
    make(w, st);
    lie_status status = w->has_frame ? prepare_frame(w, st->work + HEAD) : LIE_OK;
    w->inner.work = st->work + own_doubles(w);
    st->run = run;
    if (status != LIE_OK || !w->inner.family->prepare) return status;
    return w->inner.family->prepare(&w->inner);
}

const lie_family lie__strang = {.inverse = 1,
                                .check = check,
                                .doubles = doubles,
                                .memory = memory,
                                .prepare = prepare,
                                .moved = moved,
                                .again = again};
