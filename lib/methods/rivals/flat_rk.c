/* SPDX-License-Identifier: MIT */
/* flat_rk.c: the classical Runge-Kutta method as people write it: on coordinates, as if the group were flat.
 *
 *     y = (coordinates of g, m),     y' = f(t, y) from  g' = g xi,  m' = ad*_xi m + F(g, xi) + f(t, g, xi, u)
 *     y+ = y + (h/6) (k1 + 2 k2 + 2 k3 + k4)
 *
 *     rk4_q        quaternion, with the place on SE(3); normalised after every step
 *     rk4_q_raw    the quaternion, never normalised
 *     rk4_R        rotation matrix, with the place on SE(3); never orthogonalised
 *     rk4_mrp      modified Rodrigues parameters; to the shadow set where a step ends with |s| > 1, as in Basilisk
 *     rk4_fossen   Fossen's eta: place and Euler angles zyx
 *
 * The second half of y is the momentum, not the velocity. For a constant inertia that is the same method, since Runge-
 * Kutta methods commute with linear maps, and cheaper by one product with the inertia in every stage; and it is what
 * a gyroscopic term and a general Lagrangian (lie_system_velocity) need.
 *
 * Order 4, explicit. Nothing is preserved: neither the symplectic form nor momentum, energy or, without normalisation,
 * the group itself. Euler angles have a lock: a stage with |h w| >= |cos theta|, in which they might turn by a radian
 * and more, is LIE_ERR_DOMAIN.
 *
 * Within a run y stays what it is from step to step; g is made of it at the ends. y is also what a checkpoint keeps, so
 * that steps one by one have the bits of a run. The loop is written once and compiled for each kind of coordinates.
 * Cost: four right-hand sides; beside RK4 in plain C: docs/METHODS.md.
 *
 * References: Kutta, Z. Math. Phys. 46 (1901); coordinates: ../groups/coordinates.h. */
#include <liestep/convert.h>

#include "groups/attitude/coordinates.h"
#include "groups/num/twofold.h"
#include "groups/num/vec3.h"
#include "lib/methods/rivals/flat_rk.h"
#include "lib/systems/form.h"

enum { DIM = FLAT_DIM, SIZE = FLAT_SIZE, LONGEST = FLAT_LONGEST };

/* A kind of coordinates. */
typedef struct chart {
    int dim, size;    /* of the group */
    int coordinates;  /* how many */
    int uses_element; /* the rate is asked with g */
    lie_status (*of)(double *y, const double *g);
    void (*element)(double *g, const double *y);
    lie_status (*rate)(double *dy, const double *y, const double *g, const double *xi, double h);
    void (*tidy)(double *y); /* after every step */
} chart;

/* In the work memory, followed by what the pointers point to. */
typedef struct flat_rk {
    take_fn *take;             /* the loop for these coordinates */
    double *u;                 /* controls at the start, the middle and the end of a step */
    double *memory;            /* flat_rk.h */
    double inverse[DIM * DIM]; /* of the inertia */
    int is_diagonal;           /* it is */
} flat_rk;

enum { HEAD = (sizeof(flat_rk) + sizeof(double) - 1) / sizeof(double) };

static int doubles(const lie_stepper *st)
{
    return HEAD + 3 * st->system->controls;
}

static int memory(const lie_stepper *st)
{
    (void)st;
    return FLAT_MEMORY;
}

/* Coordinates. */

LIE_INLINE lie_status ok_of_s3(double *y, const double *g)
{
    copy_n(4, y, g);
    return LIE_OK;
}

LIE_INLINE void s3_of_q(double *g, const double *y)
{
    flat_element(3, g, y);
}

LIE_INLINE lie_status q_rate(double *dy, const double *y, const double *g, const double *xi, double h)
{
    (void)h;
    flat_q_rate(3, dy, y, g, xi);
    return LIE_OK;
}

LIE_INLINE void nothing(double *y)
{
    (void)y;
}

/* (q, x) */
LIE_INLINE lie_status q_of_se3(double *y, const double *g)
{
    copy_n(3, y + 4, g + 9);
    return lie_matrix_to_quat(y, g);
}

LIE_INLINE void se3_of_q(double *g, const double *y)
{
    flat_element(6, g, y);
}

LIE_INLINE lie_status place_rate(double *dy, const double *y, const double *g, const double *xi, double h)
{
    (void)h;
    flat_q_rate(6, dy, y, g, xi);
    return LIE_OK;
}

/* R and (R, x) */
LIE_INLINE lie_status R_of_so3(double *y, const double *g)
{
    copy_n(9, y, g);
    return LIE_OK;
}

LIE_INLINE void so3_of_R(double *g, const double *y)
{
    copy_n(9, g, y);
}

LIE_INLINE lie_status R_rate(double *dy, const double *y, const double *g, const double *xi, double h)
{
    (void)g, (void)h;
    rotation_rate(dy, y, xi);
    return LIE_OK;
}

LIE_INLINE lie_status R_of_se3(double *y, const double *g)
{
    copy_n(12, y, g);
    return LIE_OK;
}

LIE_INLINE void se3_of_R(double *g, const double *y)
{
    copy_n(12, g, y);
}

LIE_INLINE lie_status R_place_rate(double *dy, const double *y, const double *g, const double *xi, double h)
{
    (void)g, (void)h;
    rotation_rate(dy, y, xi);
    mat3_vec(dy + 9, y, xi + 3);
    return LIE_OK;
}

/* (s, 1 or -1): which of q and -q it is goes along */
LIE_INLINE lie_status mrp_of_s3(double *y, const double *g)
{
    mrp_of_quat(y, y + 3, g);
    return LIE_OK;
}

LIE_INLINE lie_status mrp_of_so3(double *y, const double *g)
{
    double q[4];
    lie_status status = lie_matrix_to_quat(q, g);
    if (status == LIE_OK) mrp_of_quat(y, y + 3, q);
    return status;
}

LIE_INLINE void s3_of_mrp(double *g, const double *y)
{
    mrp_quat(g, y, y[3]);
}

LIE_INLINE void so3_of_mrp(double *g, const double *y)
{
    double q[4];
    mrp_quat(q, y, 1.0);
    quat_rotation(g, q);
}

LIE_INLINE lie_status rodrigues_rate(double *dy, const double *y, const double *g, const double *xi, double h)
{
    (void)g, (void)h;
    mrp_rate(dy, y, xi);
    dy[3] = 0.0;
    return LIE_OK;
}

LIE_INLINE void rodrigues_tidy(double *y)
{
    mrp_switch(y, y + 3);
}

/* (x, phi, theta, psi) */
LIE_INLINE lie_status eta_of_se3(double *y, const double *g)
{
    return lie_se3_to_fossen(y, g);
}

LIE_INLINE void se3_of_eta(double *g, const double *y)
{
    euler_rotation(g, y + 3);
    copy_n(3, g + 9, y);
}

LIE_INLINE lie_status eta_rate(double *dy, const double *y, const double *g, const double *xi, double h)
{
    double c2 = g[7] * g[7] + g[8] * g[8];
    if (!(fabs(y[4]) < 0.5 * LIE__PI && h * h * dot3(xi, xi) < c2)) return LIE_ERR_DOMAIN;
    mat3_vec(dy, g, xi + 3);
    euler_rate(dy + 3, g, sqrt(c2), xi);
    return LIE_OK;
}

LIE_INLINE void eta_tidy(double *y)
{
    y[3] = angle_wrapped(y[3]);
    y[5] = angle_wrapped(y[5]);
}

static const chart q_on_s3 = {3, 4, 4, 0, ok_of_s3, s3_of_q, q_rate, quat_normalise};
static const chart raw_q_on_s3 = {3, 4, 4, 0, ok_of_s3, s3_of_q, q_rate, nothing};
static const chart q_on_se3 = {6, 12, 7, 1, q_of_se3, se3_of_q, place_rate, quat_normalise};
static const chart R_on_so3 = {3, 9, 9, 0, R_of_so3, so3_of_R, R_rate, nothing};
static const chart R_on_se3 = {6, 12, 12, 0, R_of_se3, se3_of_R, R_place_rate, nothing};
static const chart mrp_on_s3 = {3, 4, 4, 0, mrp_of_s3, s3_of_mrp, rodrigues_rate, rodrigues_tidy};
static const chart mrp_on_so3 = {3, 9, 4, 0, mrp_of_so3, so3_of_mrp, rodrigues_rate, rodrigues_tidy};
static const chart eta_on_se3 = {6, 12, 6, 1, eta_of_se3, se3_of_eta, eta_rate, eta_tidy};

/* The right-hand side. */

/* xi = I^-1 m, m' = ad*_xi m + F + f, with a constant inertia */
LIE_INLINE void constant_inertia(const lie_stepper *st, const flat_rk *w, const chart *C, double *xi, double *dm,
                                 double t, const double *g, const double *m, const double *u)
{
    const lie_system *sys = st->system;
    double term[DIM];
    if (w->is_diagonal)
        flat_free_rate(C->dim, xi, dm, w->inverse, 1, m);
    else
        flat_free_rate(C->dim, xi, dm, w->inverse, 0, m);
    if (st->is.has_force) {
        if (st->is.is_weight)
            form_weight_force(sys, C->size, term, g);
        else
            sys->force(sys, term, g);
        flat_add(C->dim, dm, term);
    }
    if (st->is.has_external) {
        sys->external(sys, term, t, g, xi, u);
        flat_add(C->dim, dm, term);
    }
}

/* What a step is taken of: times and controls at its start, middle and end. */
typedef struct problem {
    const lie_stepper *st;
    const chart *C;
    double t, h;
    const double *u[3];
} problem;

/* dy = f(t, y); h decides about the domain only */
LIE_INLINE lie_status rate(const void *of, double *dy, const double *y, flat_stage stage)
{
    const problem *p = (const problem *)of;
    const chart *C = p->C;
    const lie_system *sys = p->st->system;
    const flat_rk *w = (const flat_rk *)p->st->work;
    const double *m = y + C->coordinates, *u = p->u[stage];
    double t = stage == FLAT_START ? p->t : stage == FLAT_END ? p->t + p->h : p->t + 0.5 * p->h;
    double g[SIZE], xi[DIM], *dm = dy + C->coordinates;
    int is_plain = p->st->is.quadratic;
    if (C->uses_element || sys->force || sys->external || !is_plain) C->element(g, y);
    if (is_plain) {
        constant_inertia(p->st, w, C, xi, dm, t, g, m, u);
    } else {
        lie_status status = lie_system_velocity(sys, xi, g, m);
        if (status != LIE_OK) return status;
        lie_system_momentum_rate(sys, dm, t, g, xi, u);
    }
    return C->rate(dy, y, g, xi, p->h);
}

/* One step, in place; y is left alone where it fails. */
LIE_INLINE lie_status rk4_step(const problem *p, double *y)
{
    double next[LONGEST];
    int n = p->C->coordinates + p->C->dim;
    lie_status status = flat_rk4(n, next, y, p->h, rate, p);
    if (status != LIE_OK) return status;
    p->C->tidy(next);
    return store(n, y, next);
}

/* take_steps with y in locals. */
LIE_INLINE int take_flat(lie_stepper *st, const chart *C, lie_place *at, track *run, double h, int count,
                         lie_status *status)
{
    const flat_rk *w = (const flat_rk *)st->work;
    problem p = {.st = st, .C = C, .h = h};
    double y[LONGEST], g[SIZE];
    int k, n = C->coordinates + C->dim;
    for (int i = 0; i < 3; i++) p.u[i] = control_at(st, w->u + i * st->system->controls, 0.5 * i);
    *status = LIE_OK;
    if (w->memory[FLAT_KNOWN] != 0.0) {
        copy_n(n, y, w->memory + FLAT_Y);
    } else {
        LIE_UNROLL
        for (int i = 0; i < C->size; i++)
            g[i] = at->g[i] + at->low_g[i]; // NOLINT(clang-analyzer-core.*): prepare has seen that the sizes agree
        *status = C->of(y, g);
        LIE_UNROLL
        for (int i = 0; i < C->dim; i++) y[C->coordinates + i] = at->m[i] + at->low_m[i];
    }
    for (k = 0; k < count && *status == LIE_OK; k++) {
        twofold next = sum_exact(run->t, h + run->low_t);
        p.t = run->t;
        *status = next.hi == run->t ? LIE_ERR_TIME : rk4_step(&p, y);
        if (*status != LIE_OK) break;
        run->t = next.hi, run->low_t = next.lo;
        run->last = (lie_solve){st->options.max_iterations, 0, 0.0};
    }
    if (k == 0) return 0;
    copy_n(n, w->memory + FLAT_Y, y);
    w->memory[FLAT_KNOWN] = 1.0;
    C->element(at->g, y);
    copy_n(C->dim, at->m, y + C->coordinates);
    zero_n(C->size, at->low_g);
    zero_n(C->dim, at->low_m);
    return k;
}

/* What a run begins with: is y that of the state? What it ends with: that it is. */
static void begin(const flat_rk *w, const lie_ops *G, const lie_state *s)
{
    int same = memcmp(w->memory + FLAT_END_G, lie_state_g(s), (size_t)G->size * sizeof(double)) == 0 &&
               memcmp(w->memory + FLAT_END_M, lie_state_m(s), (size_t)G->dim * sizeof(double)) == 0;
    if (!same) w->memory[FLAT_KNOWN] = 0.0;
}

static void finish(const flat_rk *w, const lie_ops *G, const lie_state *s)
{
    copy_n(G->size, w->memory + FLAT_END_G, lie_state_g(s));
    copy_n(G->dim, w->memory + FLAT_END_M, lie_state_m(s));
}

/* The loop for one kind of coordinates. */
#define TAKE(name)                                                                                                     \
    static int take_##name(lie_stepper *st, const lie_ops *G, lie_substep_fn *substep, lie_place *at, track *run,      \
                           double h, int count, lie_status *status)                                                    \
    {                                                                                                                  \
        (void)G, (void)substep;                                                                                        \
        return take_flat(st, &name, at, run, h, count, status);                                                        \
    }
TAKE(q_on_s3)
TAKE(raw_q_on_s3)
TAKE(q_on_se3)
TAKE(R_on_so3)
TAKE(R_on_se3)
TAKE(mrp_on_s3)
TAKE(mrp_on_so3)
TAKE(eta_on_se3)

static lie_status run(lie_stepper *st, lie_state *s, double h, long long n)
{
    const flat_rk *w = (const flat_rk *)st->work;
    begin(w, st->group, s);
    lie_status status = run_blocks(st, st->group, w->take, 0, s, h, n);
    finish(w, st->group, s);
    return status;
}

static int is_diagonal(int n, const double *A)
{
    int zeros = 0;
    for (int i = 0; i < n * n; i++) zeros += i % (n + 1) != 0 && A[i] == 0.0;
    return zeros == n * (n - 1);
}

const double *lie__flat_inverse(const lie_stepper *st)
{
    return ((const flat_rk *)st->work)->inverse;
}

/* A group of that name must have the layout of the built-in one. */
static lie_status prepare(lie_stepper *st, const chart *C, take_fn *take)
{
    flat_rk *w = (flat_rk *)st->work;
    if (st->group->dim != C->dim || st->group->size != C->size) return LIE_ERR_METHOD;
    *w = (flat_rk){.take = take, .memory = st->memory, .u = st->work + HEAD};
    st->run = run;
    st->unprojected = 1;
    const double *inverse = lie_stepper_inverse(st);
    int n = C->dim;
    for (int i = 0; inverse && i < n * n; i++) w->inverse[i] = inverse[i % n * n + i / n]; /* by columns */
    w->is_diagonal = is_diagonal(n, w->inverse);
    return LIE_OK;
}

static int is_se3(const lie_stepper *st)
{
    return strcmp(st->group->group, "SE3") == 0;
}

static lie_status prepare_q(lie_stepper *st)
{
    return is_se3(st) ? prepare(st, &q_on_se3, take_q_on_se3) : prepare(st, &q_on_s3, take_q_on_s3);
}

static lie_status prepare_q_raw(lie_stepper *st)
{
    return prepare(st, &raw_q_on_s3, take_raw_q_on_s3);
}

static lie_status prepare_R(lie_stepper *st)
{
    return is_se3(st) ? prepare(st, &R_on_se3, take_R_on_se3) : prepare(st, &R_on_so3, take_R_on_so3);
}

static lie_status prepare_mrp(lie_stepper *st)
{
    int is_s3 = strcmp(st->group->group, "S3") == 0;
    return is_s3 ? prepare(st, &mrp_on_s3, take_mrp_on_s3) : prepare(st, &mrp_on_so3, take_mrp_on_so3);
}

static lie_status prepare_fossen(lie_stepper *st)
{
    return prepare(st, &eta_on_se3, take_eta_on_se3);
}

const lie_family lie__rk4_q = {.doubles = doubles, .prepare = prepare_q, .memory = memory, .inverse = 1};
const lie_family lie__rk4_q_raw = {.doubles = doubles, .prepare = prepare_q_raw, .memory = memory, .inverse = 1};
const lie_family lie__rk4_R = {.doubles = doubles, .prepare = prepare_R, .memory = memory, .inverse = 1};
const lie_family lie__rk4_mrp = {.doubles = doubles, .prepare = prepare_mrp, .memory = memory, .inverse = 1};
const lie_family lie__rk4_fossen = {.doubles = doubles, .prepare = prepare_fossen, .memory = memory, .inverse = 1};
