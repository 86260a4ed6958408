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

#include "groups/num/cholesky.h"

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

/* b = Ad_{g^-1} eta */
static void frame_in_body(const splitting *w, double *b, const double *g)
{
    double inverse[LIE_SIZE_MAX];
    w->G->inv(w->G, inverse, g);
    w->G->Ad(w->G, b, inverse, w->eta);
}

/* g <- g exp(-h b) */
static lie_status frame_flow(const splitting *w, lie_place *at, double h)
{
    double x[LIE_DIM_MAX], none[LIE_DIM_MAX] = {0.0}, low[LIE_DIM_MAX] = {0.0};
    frame_in_body(w, x, at->g);
    for (int i = 0; i < w->G->dim; i++) x[i] *= -h;
    return lie__parts_move(&w->T, at, none, low, x);
}

/* The wheels turn the body: x = -h I^-1 a */
static lie_status wheels_flow(const splitting *w, lie_place *at, double h, double *V)
{
    double x[LIE_DIM_MAX];
    for (int i = 0; i < w->G->dim; i++) x[i] = -h * w->idle[i];
    lie_status status = lie__parts_move(&w->T, at, at->m, at->low_m, x);
    return status == LIE_OK && V ? lie__parts_moved(&w->T, x, at->m, V, 2 * w->G->dim) : status;
}

/* Steps. */

/* V: variations to be carried along, or null, here and below */
static lie_status flow(const splitting *w, int part, lie_place *at, double h, double *V)
{
    double before[LIE_DIM_MAX];
    if (w->has_wheels && part == w->parts - 1) return wheels_flow(w, at, h, V);
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
    return status == LIE_OK && w->has_frame ? frame_flow(w, at, all) : status;
}

/* F at g, with what the frame adds: -ad*_b A */
static void find_force(const lie_stepper *st, splitting *w, const double *g)
{
    double b[LIE_DIM_MAX], A[LIE_DIM_MAX], more[LIE_DIM_MAX];
    int n = w->G->dim;
    if (st->system->force) force_at(st, w->G, w->F, g);
    if (!w->has_frame) return;
    frame_in_body(w, b, g);
    st->system->gyro(st->system, A, g);
    w->G->adt(w->G, more, b, A);
    for (int i = 0; i < n; i++) w->F[i] = (st->system->force ? w->F[i] : 0.0) - more[i];
}

/* f = D^T y, y = I^-1 F, D the derivative of F along g exp(s e_j). What the frame adds to F has D^T y = ad*_b ad*_y A -
 * A'^T [b, y]. */
static void find_gradient(const lie_stepper *st, splitting *w, const double *g)
{
    const lie_system *sys = st->system;
    const lie_ops *G = w->G;
    double D[LIE_DIM_MAX * LIE_DIM_MAX], y[LIE_DIM_MAX], b[LIE_DIM_MAX], A[LIE_DIM_MAX];
    int n = G->dim;
    for (int i = 0; i < n; i++) {
        y[i] = 0.0, w->f[i] = 0.0;
        for (int k = 0; k < n; k++) y[i] += w->T.inverse[i * n + k] * w->F[k];
    }
    if (sys->force) {
        sys->force_deriv(sys, D, g);
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++) w->f[j] += D[k * n + j] * y[k];
    }
    if (!w->has_frame) return;
    frame_in_body(w, b, g);
    sys->gyro(sys, A, g);
    sys->gyro_deriv(sys, D, g);
    G->adt(G, A, y, A);
    G->adt(G, A, b, A);
    G->ad(G, y, b, y);
    for (int j = 0; j < n; j++) {
        w->f[j] += A[j];
        for (int k = 0; k < n; k++) w->f[j] -= D[k * n + j] * y[k];
    }
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
    if (sys->force || w->has_frame) {
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

/* The frame eta, a, and a part for the wheels. */
static lie_status prepare_frame(lie_stepper *st, const double *eta, const double *a)
{
    splitting *w = of(st);
    int n = w->G->dim;
    double L[LIE_DIM_MAX * LIE_DIM_MAX];
    if (!all_finite(n, eta) || !all_finite(n, a)) return LIE_ERR_NOT_FINITE;
    if (!cholesky_factor(n, L, st->system->inertia)) return LIE_ERR_INERTIA;
    copy_n(n, w->eta, eta);
    copy_n(n, w->a, a);
    copy_n(n, w->idle, a);
    cholesky_solve(n, L, w->idle);
    w->parts -= w->has_wheels;
    w->has_frame = 1;
    w->has_wheels = 0;
    for (int i = 0; i < n; i++) w->has_wheels |= a[i] != 0.0;
    w->parts += w->has_wheels;
    return LIE_OK;
}

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

/* The frame as the parameters of the system have it now, and a set for as many parts as that makes. */
static lie_status prepare_now(lie_stepper *st)
{
    splitting *w = of(st);
    double eta[LIE_DIM_MAX], a[LIE_DIM_MAX];
    size_t bytes = (size_t)w->G->dim * sizeof(double);
    if (!st->system->gyro) return w->set ? LIE_OK : prepare_set(st);
    st->system->frame(st->system, eta, a);
    if (w->set && memcmp(eta, w->eta, bytes) == 0 && memcmp(a, w->a, bytes) == 0) return LIE_OK;
    lie_status status = prepare_frame(st, eta, a);
    return status == LIE_OK ? prepare_set(st) : status;
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
    w->eta = w->f + n;
    w->a = w->eta + n;
    w->idle = w->a + n;
    w->u = w->idle + n;
    memset(st->work + HEAD, 0, (size_t)(doubles(st) - HEAD) * sizeof(double));
    st->run = run;
    lie_status status = divide(&w->T, st->group, st->system->inertia, st->work + HEAD);
    if (status != LIE_OK) return status;
    w->G = w->T.count == 1 ? w->T.of->G : st->group;
    w->parts = w->T.parts;
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
