/* SPDX-License-Identifier: MIT */
/* splitting.c: explicit methods for l = 1/2 <I xi, xi> - V(g): kicks by the potential, and free steps by the kinetic
 * energy or, one after the other, by the parts of it.
 *
 *     kick        m <- m + b h F(g)                          the flow of V, exact
 *     free step   the flow of T = 1/2 <m, I^-1 m> on T*G     T = T_1 + ... + T_k, each with a flow of its own
 *
 * split: as few parts as possible, one on SO(3), S3 and R^n; turns: one-parameter subgroups (free_parts.h).
 *
 * A splitting b_1 a_1 b_2 ... of kicks and free steps is the composition of the method X "kick, part 1, ..., part k"
 * with its adjoint over steps of length c_1, c_2, c_3, ... = b_1, a_1 - c_1, b_2 - c_2, ...: X(c_1) X*(c_2) X(c_3) ...
 * with neighbours put together, and in this form it has its order with any number of parts (McLachlan 1995, section
 * 3). The sets of Runge-Kutta-Nystroem type serve where the free step is exact: T is quadratic in m, so on T*G
 * [V, [V, [V, T]]] = 0.
 *
 * Seen from a moving frame, with A(g) = I b + a, b = Ad_{g^-1} eta (lie_system.frame), the Hamiltonian is
 *     T(m) - <Ad*_{g^-1} m, eta> - <m, I^-1 a> + V(g) + 1/2 <A, I^-1 A>:
 * the second term moves g from the left, g <- exp(-h eta) g = g exp(-h b), and commutes with all that does not depend
 * on g; the third is one more one-parameter subgroup; the last adds -ad*_b A to the force.
 *
 * Where the system has derivatives of its force, split4 takes the set with modified potentials: the kick by V - c h^2
 * F . I^-1 F, of which [V, [T, V]] is made, adds D^T I^-1 F to the force and saves free steps.
 *
 * Symplectic, self-adjoint, no equation to solve; the spatial momentum changes by the spatial impulses to round-off.
 * External forces f(t, g, u) join the kicks, at the time where the free steps stand. One force per stage: the last kick
 * of a step and the first of the next of the same run share theirs.
 * References: lib/methods/tables/splittings.def; McLachlan, Phys. Rev. Lett. 71 (1993); Touma & Wisdom, Astron. J. 107
 * (1994); Reich, Physica D 76 (1994); Celledoni, Fasso, Saefstroem & Zanna, SIAM J. Sci. Comput. 30 (2008). */
#include "lib/methods/variational/splitting.h"

#include "groups/num/finite.h"

enum { HEAD = (sizeof(splitting) + sizeof(double) - 1) / sizeof(double) };

static splitting *of(const lie_stepper *st)
{
    return (splitting *)st->work;
}

static int doubles(const lie_stepper *st)
{
    int parts = lie__parts_doubles(st->group);
    return parts > 0 ? HEAD + parts + 5 * st->group->dim + st->system->controls : -1;
}

static void moved(lie_stepper *st)
{
    of(st)->known = 0;
}

/* Flows. */

/* g <- g exp(-h b) */
static lie_status frame_flow(const splitting *w, lie_place *at, double h)
{
    double x[LIE_DIM_MAX], none[LIE_DIM_MAX] = {0.0}, low[LIE_DIM_MAX] = {0.0};
    lie__frame_in_body(&w->frame, x, at->g);
    for (int i = 0; i < w->G->dim; i++) x[i] *= -h;
    return lie__parts_move(&w->T, at, none, low, x);
}

/* The wheels turn the body: x = -h I^-1 a */
static lie_status wheels_flow(const splitting *w, lie_place *at, double h, double *V)
{
    double x[LIE_DIM_MAX];
    for (int i = 0; i < w->G->dim; i++) x[i] = -h * w->frame.idle[i];
    lie_status status = lie__parts_move(&w->T, at, at->m, at->low_m, x);
    return status == LIE_OK && V ? lie__parts_moved(&w->T, x, at->m, V, 2 * w->G->dim) : status;
}

/* Steps. */

/* V: variations to be carried along, or null, here and below */
static lie_status flow(const splitting *w, int part, lie_place *at, double h, double *V)
{
    double before[LIE_DIM_MAX];
    if (w->frame.has_wheels && part == w->parts - 1) return wheels_flow(w, at, h, V);
    if (!V) return parts_flow(&w->T, part, at, h);
    copy_n(w->G->dim, before, at->m);
    lie_status status = parts_flow(&w->T, part, at, h);
    return status == LIE_OK ? lie__parts_along(&w->T, part, before, at->m, h, V, 2 * w->G->dim) : status;
}

/* All parts over the time `forward`, then backwards over the time `back`; the last one over both, `all`. What the frame
 * does, a motion of g from the left, leaves variations as they are. */
static lie_status free_step(splitting *w, lie_place *at, double forward, double back, double all, double *V)
{
    int last = w->parts - 1;
    lie_status status = LIE_OK;
    w->known = 0;
    for (int i = 0; i < last && status == LIE_OK; i++) status = flow(w, i, at, forward, V);
    if (status == LIE_OK) status = flow(w, last, at, all, V);
    for (int i = last - 1; i >= 0 && status == LIE_OK; i--) status = flow(w, i, at, back, V);
    return status == LIE_OK && w->frame.is_read ? frame_flow(w, at, all) : status;
}

/* F at g, with what the frame adds */
static void find_force(const lie_stepper *st, splitting *w, const double *g)
{
    if (st->system->force)
        force_at(st, w->G, w->F, g);
    else
        zero_n(w->G->dim, w->F);
    if (w->frame.is_read) lie__frame_add_force(&w->frame, st->system, w->F, g);
}

/* f = D^T y, y = I^-1 F, D the derivative of F along g exp(s e_j), with what the frame adds */
static void find_gradient(const lie_stepper *st, splitting *w, const double *g)
{
    const lie_system *sys = st->system;
    double D[LIE_DIM_MAX * LIE_DIM_MAX], y[LIE_DIM_MAX];
    int n = w->G->dim;
    for (int i = 0; i < n; i++) {
        y[i] = 0.0, w->f[i] = 0.0;
        for (int k = 0; k < n; k++) y[i] += w->T.inverse[i * n + k] * w->F[k];
    }
    if (sys->force) {
        sys->force_deriv(sys, D, g);
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++) w->f[j] += D[k * n + j] * y[k];
    }
    if (w->frame.is_read) lie__frame_add_gradient(&w->frame, sys, w->f, y, g);
}

/* The kick b h F + g h^3 D^T I^-1 F */
static void push_with_gradient(lie_stepper *st, splitting *w, lie_place *at, double h, double b, double g)
{
    if (!w->known) {
        find_force(st, w, at->g);
        w->steep = 0;
    }
    if (g != 0.0 && !w->steep) {
        find_gradient(st, w, at->g);
        w->steep = 1;
    }
    w->known = 1;
    kick(w->G->dim, at->m, at->low_m, b * h, w->F);
    if (g != 0.0) kick(w->G->dim, at->m, at->low_m, g * (h * h * h), w->f);
}

/* The kick over the time h at the fraction c of the step */
static void push(lie_stepper *st, splitting *w, lie_place *at, double h, double t, double c)
{
    static const double at_rest[LIE_DIM_MAX];
    const lie_system *sys = st->system;
    if (sys->force || w->frame.is_read) {
        if (!w->known) find_force(st, w, at->g);
        w->known = 1;
        kick(w->G->dim, at->m, at->low_m, h, w->F);
    }
    if (!sys->external) return;
    sys->external(sys, w->f, t, at->g, at_rest, control_at(st, w->u, at->from + c * (at->to - at->from)));
    kick(w->G->dim, at->m, at->low_m, h, w->f);
}

/* The i-th kick of a step h, at the fraction c of it */
static lie_status kick_number(lie_stepper *st, splitting *w, lie_place *at, double h, int i, double c, double *V)
{
    const lie_splitting *set = w->set;
    int k = i < set->stages - i ? i : set->stages - i;
    if (set->g)
        push_with_gradient(st, w, at, h, set->b[k], set->g[k]);
    else
        push(st, w, at, set->b[k] * h, at->t + c * h, c);
    if (!V) return LIE_OK;
    const double *u = control_at(st, w->u, at->from + c * (at->to - at->from));
    const splitting_kick kick = {
        set->b[k] * h, set->g ? set->g[k] * (h * h * h) : 0.0, set->b[k] * h, at->t + c * h, at->g, u};
    return lie__splitting_kick_along(st, w, &kick, V);
}

static lie_status substep_along(lie_stepper *st, lie_place *at, double h, double *V)
{
    splitting *w = of(st);
    const lie_splitting *set = w->set;
    int s = set->stages;
    double forward = set->b[0], c = 0.0;
    lie_status status = kick_number(st, w, at, h, 0, 0.0, V);
    for (int i = 0; i < s && status == LIE_OK; i++) {
        double a = set->a[i < s - 1 - i ? i : s - 1 - i], b = set->b[i + 1 < s - 1 - i ? i + 1 : s - 1 - i];
        double back = a - forward;
        status = free_step(w, at, forward * h, back * h, a * h, V);
        if (status != LIE_OK) return status;
        c = i == s - 1 ? 1.0 : c + a;
        status = kick_number(st, w, at, h, i + 1, c, V);
        forward = b - back;
    }
    if (status != LIE_OK) return status;
    return all_finite(w->G->dim, at->m) ? LIE_OK : LIE_ERR_NOT_FINITE;
}

static lie_status splitting_substep(lie_stepper *st, const lie_ops *G, lie_place *at, double h, lie_solve *info)
{
    double *V = LIE_USUALLY(st->follower == 0) ? 0 : st->follower->T;
    const int N = 2 * G->dim;
    (void)info;
    for (int i = 0; V && i < N * N; i++) V[i] = i % (N + 1) == 0 ? 1.0 : 0.0;
    return substep_along(st, at, h, V);
}

/* The substep has carried T along. */
static lie_status tangent(lie_stepper *st, const lie_place *from, const lie_place *to, double h, double *T,
                          double *work)
{
    (void)st, (void)from, (void)to, (void)h, (void)T, (void)work;
    return LIE_OK;
}

static int tangent_doubles(const lie_stepper *st)
{
    (void)st;
    return 0;
}

/* Preparation. */

/* A set of the order of the method: the last in the list that fits. Nystroem's type if the free step is one exact flow;
 * with gradients if there are derivatives of the force and nothing else acts. */
static lie_status prepare_set(lie_stepper *st)
{
    splitting *w = of(st);
    int order = st->method->order;
    int steep = !st->system->external && (!st->system->force || st->system->force_deriv);
    w->set = 0;
    for (int i = 0; i < lie_splitting_builtin_count(); i++) {
        const lie_splitting *set = lie_splitting_builtin(i);
        if (set->order == order && (w->parts == 1 || !set->nystroem) && (steep || !set->g)) w->set = set;
    }
    return w->set ? LIE_OK : LIE_ERR_METHOD;
}

/* The frame as the parameters of the system have it now, with a part for wheels, and a set for as many parts as that
 * makes. */
static lie_status prepare_now(lie_stepper *st)
{
    splitting *w = of(st);
    int is_new = 0;
    lie_status status = st->system->gyro ? lie__frame_read(&w->frame, st->system, &is_new) : LIE_OK;
    if (status != LIE_OK || (w->set && !is_new)) return status;
    w->parts = w->T.parts + w->frame.has_wheels;
    return prepare_set(st);
}

static lie_status run(lie_stepper *st, lie_state *s, double h, long long n)
{
    lie_status status = prepare_now(st);
    of(st)->known = 0;
    return status == LIE_OK ? run_or_follow(st, of(st)->G, take_steps, splitting_substep, s, h, n) : status;
}

typedef lie_status divide_fn(free_parts *T, const lie_ops *G, const double *inertia, double *work);

static lie_status prepare(lie_stepper *st, divide_fn *divide)
{
    splitting *w = of(st);
    int n = st->group->dim;
    double *next = st->work + HEAD + lie__parts_doubles(st->group);
    *w = (splitting){.F = next};
    w->f = w->F + n;
    w->frame = (moving_frame){.eta = w->f + n, .a = w->f + 2 * n, .idle = w->f + 3 * n};
    w->u = w->frame.idle + n;
    memset(st->work + HEAD, 0, (size_t)(doubles(st) - HEAD) * sizeof(double));
    st->run = run;
    lie_status status = divide(&w->T, st->group, st->system->inertia, st->work + HEAD);
    if (status != LIE_OK) return status;
    w->G = w->frame.G = w->T.count == 1 ? w->T.of->G : st->group;
    return prepare_now(st);
}

static lie_status prepare_split(lie_stepper *st)
{
    return prepare(st, lie__parts_exact);
}

static lie_status prepare_turns(lie_stepper *st)
{
    return prepare(st, lie__parts_lines);
}

const lie_family lie__split = {.doubles = doubles,
                               .prepare = prepare_split,
                               .moved = moved,
                               .tangent = tangent,
                               .tangent_doubles = tangent_doubles};
const lie_family lie__turns = {.doubles = doubles,
                               .prepare = prepare_turns,
                               .moved = moved,
                               .tangent = tangent,
                               .tangent_doubles = tangent_doubles};
