/* SPDX-License-Identifier: MIT */
/* splitting.c: explicit methods for l = 1/2 <I xi, xi> - V(g): kicks by the potential, and drifts by the kinetic energy
 * or, one after the other, by the parts of it.
 *
 *     kick      m <- m + b h F(g)                          the flow of V, exact
 *     drift     the flow of T = 1/2 <m, I^-1 m> on T*G     T = T_1 + ... + T_k, each with a flow of its own
 *
 * split, SO(3) and S3: T itself, the exact free rigid body (free_flow.h).
 * split, SE(3): 1/2 P . M^-1 P, a translation at constant velocity, and the rotation: exact where the inertia does not
 *     couple it to the translation, else three screws about the principal axes of A,
 *     T = 1/2 P . M^-1 P + 1/2 (Pi - N^T P) . A^-1 (Pi - N^T P),   N = M^-1 C,   A = J - C^T M^-1 C.
 * turns, any group with exp: T_i = 1/2 <m, n_i>^2 with I^-1 = sum n_i n_i^T (Cholesky), for an inertia that is diagonal
 *     one turn or translation per axis. Since <m, n> does not change along exp(s n), the velocity is constant,
 *     g <- g exp(x), m <- Ad*_{exp(x)} m, x = h <m, n> n.
 *
 * A splitting b_1 a_1 b_2 ... of kicks and drifts is the composition of the method X "kick, part 1, ..., part k" with
 * its adjoint over steps of length c_1, c_2, c_3, ... = b_1, a_1 - c_1, b_2 - c_2, ...: X(c_1) X*(c_2) X(c_3) ... with
 * neighbours put together, and in this form it has its order with any number of parts (McLachlan 1995, section 3). The
 * sets of Runge-Kutta-Nystroem type serve where the drift is exact: T is quadratic in m, so on T*G [V, [V, [V, T]]] =
 * 0.
 *
 * Seen from a moving frame, with A(g) = I b + a, b = Ad_{g^-1} eta (lie_system.frame), the Hamiltonian is
 *     T(m) - <Ad*_{g^-1} m, eta> - <m, I^-1 a> + V(g) + 1/2 <A, I^-1 A>:
 * the second term moves g from the left, g <- exp(-h eta) g = g exp(-h b), and commutes with all that does not depend
 * on g; the third is one more one-parameter subgroup; the last adds -ad*_b A to the force.
 *
 * Where the system has derivatives of its force, split4 takes the set with modified potentials: the kick by V - c h^2
 * F . I^-1 F, of which [V, [T, V]] is made, adds D^T I^-1 F to the force and saves drifts.
 *
 * Symplectic, self-adjoint, no equation to solve; the spatial momentum changes by the spatial impulses to round-off.
 * External forces f(t, g, u) join the kicks, at the time where the drifts stand. One force per stage: the last kick of
 * a step and the first of the next of the same run share theirs.
 * References: lib/methods/tables/splittings.def; McLachlan, Phys. Rev. Lett. 71 (1993); Touma & Wisdom, Astron. J. 107 (1994); Reich,
 * Physica D 76 (1994); Celledoni, Fasso, Saefstroem & Zanna, SIAM J. Sci. Comput. 30 (2008). */
#include "groups/num/cholesky.h"
#include "groups/num/principal.h"
#include "groups/step/se3_step.h"
#include "lib/methods/free_body/free_flow.h"
#include "lib/methods/stepping.h"

struct splitting;

/* The flow of a part of T over the time h. */
typedef lie_status flow_fn(const struct splitting *w, int part, node *at, double h);

/* In the work memory, followed by what the pointers point to. */
typedef struct splitting {
    const lie_ops *G; /* with exp */
    const lie_splitting *set;
    flow_fn *first, *rest; /* of the first part, of the others */
    int parts;             /* the last one is that of the wheels, if there are any */
    int has_frame, has_wheels;
    double *lines;     /* n_i of the parts that are one-parameter subgroups, dim numbers each */
    double *F, *f, *u; /* force, external force or gradient, controls */
    double *inverse;   /* I^-1, where gradients are used: in the place of lines */
    double *eta, *a;   /* of the frame */
    double *idle;      /* I^-1 a */
    int known, steep;  /* F is the force where the last step of this run ended; f the gradient */
    lie_free_flow body;
    double shift[9]; /* M^-1 */
} splitting;

enum { HEAD = (sizeof(splitting) + sizeof(double) - 1) / sizeof(double) };

static splitting *of(const lie_stepper *st)
{
    return (splitting *)st->work;
}

static int doubles(const lie_stepper *st)
{
    int n = st->group->dim;
    return HEAD + n * n + 5 * n + st->system->controls;
}

static double *memory(const lie_stepper *st, int *count)
{
    *count = 0;
    return st->work;
}

static void moved(lie_stepper *st)
{
    of(st)->known = 0;
}

/* Flows. */

/* x = h <m, n> n */
static lie_status line_flow(const splitting *w, int part, node *at, double h)
{
    const double *n = w->lines + part * w->G->dim;
    double x[LIE_DIM_MAX], s = 0.0;
    for (int i = 0; i < w->G->dim; i++) s += at->m[i] * n[i];
    for (int i = 0; i < w->G->dim; i++) x[i] = h * s * n[i];
    return move(w->G, at->g, at->low_g, at->m, at->low_m, x);
}

static lie_status s3_flow(const splitting *w, int part, node *at, double h)
{
    (void)part;
    return lie__free_flow_s3(&w->body, at->g, at->low_g, at->m, at->low_m, h);
}

static lie_status so3_flow(const splitting *w, int part, node *at, double h)
{
    (void)part;
    return lie__free_flow_so3(&w->body, at->g, at->low_g, at->m, at->low_m, h);
}

/* The body turns about its origin: P <- r^T P */
static lie_status se3_turn(const splitting *w, int part, node *at, double h)
{
    lie_free_turn r;
    double dR[9], dP[3], a[3], b[3];
    (void)part;
    lie_status status = lie__free_flow_turn(&w->body, &r, at->m, h);
    if (status != LIE_OK) return status;
    rotation_change(dR, 2.0 + 2.0 * r.a, 2.0, r.v, at->g);
    cross3(a, r.v, at->m + 3);
    cross3(b, r.v, a);
    for (int i = 0; i < 3; i++) dP[i] = 2.0 * (b[i] - a[i]) - 2.0 * r.a * a[i], at->low_m[i] += r.low[i];
    carry_n(9, at->g, at->low_g, dR);
    carry_n(3, at->m, at->low_m, r.dm);
    carry_n(3, at->m + 3, at->low_m + 3, dP);
    return LIE_OK;
}

/* v = M^-1 P is constant: x <- x + h R v, Pi <- Pi + h P x v */
static lie_status se3_shift(const splitting *w, int part, node *at, double h)
{
    double v[3], dx[3], dPi[3];
    (void)part;
    mat3_vec(v, w->shift, at->m + 3);
    for (int i = 0; i < 3; i++) v[i] *= h;
    mat3_vec(dx, at->g, v);
    cross3(dPi, at->m + 3, v);
    kick(3, at->g + 9, at->low_g + 9, 1.0, dx);
    kick(3, at->m, at->low_m, 1.0, dPi);
    return LIE_OK;
}

/* b = Ad_{g^-1} eta */
static void frame_in_body(const splitting *w, double *b, const double *g)
{
    double inverse[LIE_SIZE_MAX];
    w->G->inv(w->G, inverse, g);
    w->G->Ad(w->G, b, inverse, w->eta);
}

/* g <- g exp(-h b) */
static lie_status frame_flow(const splitting *w, node *at, double h)
{
    double x[LIE_DIM_MAX], none[LIE_DIM_MAX] = {0.0}, low[LIE_DIM_MAX] = {0.0};
    frame_in_body(w, x, at->g);
    for (int i = 0; i < w->G->dim; i++) x[i] *= -h;
    return move(w->G, at->g, at->low_g, none, low, x);
}

/* The wheels turn the body: x = -h I^-1 a */
static lie_status wheels_flow(const splitting *w, node *at, double h)
{
    double x[LIE_DIM_MAX];
    for (int i = 0; i < w->G->dim; i++) x[i] = -h * w->idle[i];
    return move(w->G, at->g, at->low_g, at->m, at->low_m, x);
}

/* Steps. */

static lie_status flow(const splitting *w, int part, node *at, double h)
{
    if (w->has_wheels && part == w->parts - 1) return wheels_flow(w, at, h);
    return (part == 0 ? w->first : w->rest)(w, part, at, h);
}

/* All parts over the time `forward`, then backwards over the time `back`; the last one over both, `all`. */
static lie_status drift(splitting *w, node *at, double forward, double back, double all)
{
    int last = w->parts - 1;
    lie_status status = LIE_OK;
    w->known = 0;
    for (int i = 0; i < last && status == LIE_OK; i++) status = flow(w, i, at, forward);
    if (status == LIE_OK) status = flow(w, last, at, all);
    for (int i = last - 1; i >= 0 && status == LIE_OK; i--) status = flow(w, i, at, back);
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
        for (int k = 0; k < n; k++) y[i] += w->inverse[i * n + k] * w->F[k];
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
static void push_with_gradient(lie_stepper *st, splitting *w, node *at, double h, double b, double g)
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
static void push(lie_stepper *st, splitting *w, node *at, double h, double t, double c)
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
static void kick_number(lie_stepper *st, splitting *w, node *at, double h, int i, double c)
{
    const lie_splitting *set = w->set;
    int k = i < set->stages - i ? i : set->stages - i;
    if (set->g)
        push_with_gradient(st, w, at, h, set->b[k], set->g[k]);
    else
        push(st, w, at, set->b[k] * h, at->t + c * h, c);
}

static lie_status splitting_substep(lie_stepper *st, const lie_ops *G, node *at, double h, lie_solve *info)
{
    splitting *w = of(st);
    const lie_splitting *set = w->set;
    int s = set->stages;
    double forward = set->b[0], c = 0.0;
    (void)info;
    kick_number(st, w, at, h, 0, 0.0);
    for (int i = 0; i < s; i++) {
        double a = set->a[i < s - 1 - i ? i : s - 1 - i], b = set->b[i + 1 < s - 1 - i ? i + 1 : s - 1 - i];
        double back = a - forward;
        lie_status status = drift(w, at, forward * h, back * h, a * h);
        if (status != LIE_OK) return status;
        c = i == s - 1 ? 1.0 : c + a;
        kick_number(st, w, at, h, i + 1, c);
        forward = b - back;
    }
    return all_finite(G->dim, at->m) ? LIE_OK : LIE_ERR_NOT_FINITE;
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

/* I^-1 in the place of lines, which one part does not need */
static lie_status prepare_inverse(lie_stepper *st)
{
    splitting *w = of(st);
    int n = w->G->dim;
    double L[LIE_DIM_MAX * LIE_DIM_MAX];
    if (!cholesky_factor(n, L, st->system->inertia)) return LIE_ERR_INERTIA;
    w->inverse = w->lines;
    zero_n(n * n, w->inverse);
    for (int i = 0; i < n; i++) {
        w->inverse[i * n + i] = 1.0;
        cholesky_solve(n, L, w->inverse + i * n);
    }
    return LIE_OK;
}

/* A set of the order of the method: the last in the list that fits. Nystroem's type if the drift is one exact flow;
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
    if (!w->set) return LIE_ERR_METHOD;
    return w->set->g ? prepare_inverse(st) : LIE_OK;
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
    return status == LIE_OK ? run_steps(st, of(st)->G, splitting_substep, s, h, n) : status;
}

static lie_status prepare_common(lie_stepper *st)
{
    splitting *w = of(st);
    int n = st->group->dim;
    *w = (splitting){.lines = st->work + HEAD};
    w->F = w->lines + n * n;
    w->f = w->F + n;
    w->eta = w->f + n;
    w->a = w->eta + n;
    w->idle = w->a + n;
    w->u = w->idle + n;
    memset(st->work + HEAD, 0, (size_t)(doubles(st) - HEAD) * sizeof(double));
    st->run = run;
    return lie_ops_find(&w->G, st->group->group, "exp");
}

/* n_i of T_i = 1/2 <m, n_i>^2: rows of L^-1, I = L^T L, from the last coordinate to the first: on SE(3) the first three
 * are then translations. */
static lie_status prepare_turns(lie_stepper *st)
{
    splitting *w = of(st);
    double A[LIE_DIM_MAX * LIE_DIM_MAX], L[LIE_DIM_MAX * LIE_DIM_MAX];
    lie_status status = prepare_common(st);
    if (status != LIE_OK) return status;
    int n = w->parts = w->G->dim;
    for (int i = 0; i < n * n; i++) A[i] = st->system->inertia[n * n - 1 - i];
    if (!cholesky_factor(n, L, A)) return LIE_ERR_INERTIA;
    for (int i = 0; i < n; i++)
        for (int j = i; j >= 0; j--) {
            double sum = i == j ? 1.0 : 0.0;
            for (int k = j + 1; k <= i; k++) sum -= w->lines[i * n + n - 1 - k] * L[k * n + j];
            w->lines[i * n + n - 1 - j] = sum / L[j * n + j];
        }
    w->first = w->rest = line_flow;
    return prepare_now(st);
}

/* SE(3): the translation, and the rotation in one part or as three screws (n_i, -N n_i)/sqrt(moment) */
static lie_status prepare_vehicle(lie_stepper *st)
{
    splitting *w = of(st);
    double data[SE3_DOUBLES], moment[3], V[9], low[9];
    lie_status status = lie__se3_legendre_prepare(w->G, data, st->system->inertia);
    if (status != LIE_OK) return status;
    copy_n(9, w->shift, data + SE3_M_INVERSE);
    w->first = se3_shift;
    if (largest(9, data + SE3_N) == 0.0) {
        w->parts = 2;
        w->rest = se3_turn;
        return lie_free_flow_init(&w->body, data + SE3_A);
    }
    w->parts = 4;
    w->rest = line_flow;
    lie__principal(moment, V, low, data + SE3_A);
    for (int i = 0; i < 3; i++) {
        double *n = w->lines + (size_t)(i + 1) * 6, f = 1.0 / sqrt(moment[i]);
        for (int k = 0; k < 3; k++) n[k] = f * V[3 * k + i];
        mat3_vec(n + 3, data + SE3_N, n);
        for (int k = 3; k < 6; k++) n[k] = -n[k];
    }
    return LIE_OK;
}

static lie_status prepare_split(lie_stepper *st)
{
    splitting *w = of(st);
    lie_status status = prepare_common(st);
    if (status != LIE_OK) return status;
    if (w->G->dim == 6) {
        status = prepare_vehicle(st);
    } else {
        w->parts = 1;
        w->first = w->G->size == 4 ? s3_flow : so3_flow;
        status = lie_free_flow_init(&w->body, st->system->inertia);
    }
    return status == LIE_OK ? prepare_now(st) : status;
}

const struct lie_family lie__split = {.doubles = doubles, .prepare = prepare_split, .memory = memory, .moved = moved};
const struct lie_family lie__turns = {.doubles = doubles, .prepare = prepare_turns, .memory = memory, .moved = moved};
