/* SPDX-License-Identifier: MIT */
/* energy_momentum.c: methods of computational mechanics that keep energy and momentum, or look as if they did, for
 * l = 1/2 <I xi, xi> - V(g), on any group with any retraction. x is the unknown, n numbers.
 *
 *     simo_wong, engo_faltinsen   x = I^-1 (m + m+)/2,   g+ = g tau(h x),   m+ = Ad*_{tau(h x)} P
 *                                 P = m (+ impulses)
 *     akw         m+ = m + h ad*_x (m + m+)/2,  x as above,  g+ = g cay(h x), on SO(3) and S3. There it is simo_wong
 *                 with cay, since (1 - (h/2) ad*_x)^-1 (1 + (h/2) ad*_x) = Ad*_{cay(h x)}; its equation is shorter:
 *                 I x = m + (h/2) ad*_x I x
 *     newmark     g+ = g tau(h xi + h^2 ((1/2 - beta) a + beta a+)),  xi+ = xi + h ((1 - gamma) a + gamma a+),
 *                 I a = ad*_xi I xi + F + f;  x = xi+;  beta, gamma = 1/4, 1/2 unless the options say otherwise
 *
 * Why the first three keep the energy: x is the discrete gradient of the kinetic energy, T+ - T = <m+ - m, x>, and
 * Ad_{tau(h x)} x = x because tau(h x) is a function of x, so that <Ad*_{tau(h x)} P - m, x> = <P - m, x>. Without
 * impulses that is 0. With a potential (engo_faltinsen) the impulses are a discrete gradient of V along the step: by
 * Gauss's quadrature at c_k = nodes of gauss3,
 *     P = m + h sum_k w_k Ad*_{tau(-c_k h x)} F(g tau(c_k h x)),     sum_k w_k <F_k, h x> = V(g) - V(g+),
 * w_k = b_k (dtau_{-c_k h x} x . x)/(x . x) and the smallest change of the w_k that makes the second equation true.
 * That change is of the size of the error of the quadrature, h^6, where tau is exp. All impulses are forces of the
 * potential at places of the step: what V does not feel, the momentum along a symmetry, does not change either. The
 * change is found after x, and x again with it, until the equation is true to the rounding of V; the solve itself
 * does not see differences of V, whose rounding it would magnify where the potential is at an extremum of the motion.
 * What is left of the second equation then, some eps and of the same sign more often than not, is made up for in the
 * next step: otherwise it would add up over 10^6 steps.
 *
 * So: energy and momentum exact, not symplectic. simo_wong is engo_faltinsen
 * without potential, both names are kept. newmark with gamma = 1/2 is of order 2 and self-adjoint. On R^n it then
 * keeps the symplectic form pulled back by q + beta h^2 M^-1 grad V (Marsden & West 2001, section 2.6.3, print a
 * minus), with beta = 0 it is sv; on other groups it keeps nothing.
 * Forces (simo_wong): (h/2) f(t, g, x, u-) joins m, (h/2) f(t + h, g+, x, u+) joins m+.
 * In a moving frame they step the body at rest (strang.c): order 2, self-adjoint, and on a turntable engo_faltinsen
 * keeps the energy.
 * Cost: one solve with n unknowns, Newton, with a Jacobian that leaves out how forces change with x.
 *
 * References: Simo & Wong, Int. J. Numer. Meth. Eng. 31 (1991); Austin, Krishnaprasad & Wang, J. Comput. Phys. 107
 * (1993); Engo & Faltinsen, SIAM J. Numer. Anal. 39 (2001); Simo & Vu-Quoc, Comput. Meth. Appl. Mech. Eng. 66 (1988);
 * discrete gradients: Gonzalez, J. Nonlinear Sci. 6 (1996), McLachlan, Quispel & Robidoux, Phil. Trans. R. Soc. 357
 * (1999). */
#include <float.h>
#include <math.h>

#include "groups/num/finite.h"
#include "groups/num/newton.h"
#include "groups/num/refuse.h"
#include "lib/methods/stepping.h"

/* In the work memory, followed by what the pointers point to. */
typedef struct coadjoint {
    const lie_stepper *st;
    const lie_ops *G; /* with the retraction of the step */
    newton_residual *residual;
    newton_jacobian *jacobian;
    int inexact;              /* the Jacobian leaves something out */
    double first;             /* the guess is the velocity after this part of the step */
    const lie_tableau *nodes; /* of the quadrature, where there is a potential */
    double beta, gamma;       /* of Newmark */
    double *x, *P, *turned;   /* the unknown; P and Ad* P of the last evaluation */
    double *xi, *rate, *a;    /* at the start of the step: velocity, I a and a */
    double *u, *newton_work;
    /* the step being solved */
    const lie_place *at;
    double h, V, kinetic;
    double mended, defect, length2, rounding; /* of the quadrature: see mend */
} coadjoint;

enum { HEAD = (sizeof(coadjoint) + sizeof(double) - 1) / sizeof(double), VECTORS = 6 };

static int doubles(const lie_stepper *st)
{
    int n = st->group->dim;
    return HEAD + VECTORS * n + st->system->controls + lie__newton_doubles(n);
}

/* The defect that the last step has left. */
static int coadjoint_memory(const lie_stepper *st)
{
    return st->is.has_force ? 1 : 0;
}

static double dot(int n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

static double larger_of(int n, const double *a, double so_far)
{
    for (int i = 0; i < n; i++) so_far = fabs(a[i]) > so_far ? fabs(a[i]) : so_far;
    return so_far;
}

/* out += f a */
static void add_times(int n, double *out, double f, const double *a)
{
    for (int i = 0; i < n; i++) out[i] += f * a[i];
}

/* What is there of external forces at the fraction c of the step: out += f f(...) */
static void add_external(const coadjoint *w, double *out, double f, double c, const double *g, const double *x)
{
    const lie_system *sys = w->st->system;
    double force[LIE_DIM_MAX];
    if (!w->st->is.has_external) return;
    sys->external(sys, force, w->at->t + c * w->h, g, x, control_at(w->st, w->u, c));
    add_times(sys->group->dim, out, f, force);
}

/* Simo & Wong, Engo & Faltinsen. */

/* Stages of the quadrature; how often its weights are mended in a step: seldom more than twice. */
enum { NODES = 3, ROUNDS = 8 };

/* Forces of the potential at the nodes of the quadrature: seen from g, along the step, and their weights. */
typedef struct impulses {
    double from_g[NODES][LIE_DIM_MAX];
    double along[NODES], weight[NODES];
} impulses;

static lie_status impulse(const coadjoint *w, impulses *I, int k, const double *theta)
{
    const lie_ops *G = w->G;
    double T[LIE_SIZE_MAX], at[LIE_SIZE_MAX], part[LIE_DIM_MAX], F[LIE_DIM_MAX];
    int n = G->dim;
    for (int i = 0; i < n; i++) part[i] = w->nodes->c[k] * theta[i];
    lie_status status = G->tau(G, T, part);
    if (status != LIE_OK) return status;
    G->mul(G, at, w->at->g, T);
    lie_system_force(w->st->system, F, at, part);
    G->inv(G, T, T);
    G->Adt(G, I->from_g[k], T, F);
    I->along[k] = dot(n, F, theta);
    for (int i = 0; i < n; i++) part[i] = -part[i];
    status = G->dtau(G, part, part, theta);
    double length2 = dot(n, theta, theta);
    I->weight[k] = w->nodes->b[k] * (length2 > 0.0 ? dot(n, part, theta) / length2 : 1.0);
    return status;
}

/* The weights as mended so far, and how far V(g) - V(g+) = sum weight along is from true, in all steps so far. */
static void mend(coadjoint *w, impulses *I, const double *end)
{
    const lie_system *sys = w->st->system;
    double V = sys->potential(sys, end);
    add_times(NODES, I->weight, w->mended, I->along);
    w->length2 = dot(NODES, I->along, I->along);
    w->defect = ((w->V - V) - dot(NODES, I->weight, I->along)) + w->st->memory[0];
    w->rounding = 2.0 * DBL_EPSILON * (w->kinetic + fabs(w->V) + fabs(V));
}

/* P += the impulses of the potential on the way from g to end = g tau(theta) */
static lie_status add_potential(coadjoint *w, double *P, const double *theta, const double *end)
{
    impulses I;
    for (int k = 0; k < NODES; k++) {
        lie_status status = impulse(w, &I, k, theta);
        if (status != LIE_OK) return status;
    }
    mend(w, &I, end);
    for (int k = 0; k < NODES; k++) add_times(w->G->dim, P, w->h * I.weight[k], I.from_g[k]);
    return LIE_OK;
}

static void node_momentum(const coadjoint *w, int n, double *m)
{
    for (int i = 0; i < n; i++) m[i] = w->at->m[i] + w->at->low_m[i];
}

/* r = 2 I x - m - m+; leaves P and Ad* P behind */
static lie_status coadjoint_residual(const newton *N, double *r, double *size, const double *x)
{
    coadjoint *w = (coadjoint *)N->problem;
    const lie_ops *G = w->G;
    double theta[LIE_DIM_MAX] = {0.0}, T[LIE_SIZE_MAX], end[LIE_SIZE_MAX], m[LIE_DIM_MAX], next[LIE_DIM_MAX];
    int n = G->dim;
    for (int i = 0; i < n; i++) theta[i] = w->h * x[i];
    lie_status status = G->tau(G, T, theta);
    if (status != LIE_OK) return status;
    G->mul(G, end, w->at->g, T);
    node_momentum(w, n, m);
    copy_n(n, w->P, m);
    add_external(w, w->P, 0.5 * w->h, 0.0, w->at->g, x);
    if (w->nodes) status = add_potential(w, w->P, theta, end);
    if (status != LIE_OK) return status;
    G->Adt(G, w->turned, T, w->P);
    copy_n(n, next, w->turned);
    add_external(w, next, 0.5 * w->h, 1.0, end, x);
    lie_system_momentum(w->st->system, r, w->at->g, x);
    *size = larger_of(n, r, larger_of(n, m, larger_of(n, next, 0.0)));
    for (int i = 0; i < n; i++) r[i] = (r[i] - m[i]) + (r[i] - next[i]);
    return all_finite(n, r) ? LIE_OK : LIE_ERR_NOT_FINITE;
}

/* 2 I - h ad*_{dtau_{-h x} e_j} (Ad* P): the change of tau in the body frame, j-th column */
static lie_status coadjoint_jacobian(const newton *N, double *J, const double *x)
{
    const coadjoint *w = (const coadjoint *)N->problem;
    const lie_ops *G = w->G;
    double minus[LIE_DIM_MAX], e[LIE_DIM_MAX] = {0.0}, turn[LIE_DIM_MAX];
    int n = G->dim;
    for (int i = 0; i < n; i++) minus[i] = -w->h * x[i];
    for (int j = 0; j < n; j++) {
        e[j] = 1.0;
        lie_status status = G->dtau(G, turn, minus, e);
        if (status != LIE_OK) return status;
        e[j] = 0.0;
        G->adt(G, turn, turn, w->turned);
        for (int i = 0; i < n; i++) J[i * n + j] = 2.0 * w->st->system->inertia[i * n + j] - w->h * turn[i];
    }
    return LIE_OK;
}

/* Austin, Krishnaprasad & Wang. */

/* ad*_{e_j} I x + ad*_x I e_j, the derivative of ad*_x I x, j-th column */
static void euler_term_column(const coadjoint *w, double *out, int j, const double *x, const double *Ix)
{
    const lie_ops *G = w->G;
    double e[LIE_DIM_MAX] = {0.0}, column[LIE_DIM_MAX];
    int n = G->dim;
    e[j] = 1.0;
    for (int i = 0; i < n; i++) column[i] = w->st->system->inertia[i * n + j];
    G->adt(G, out, e, Ix);
    G->adt(G, column, x, column);
    add_times(n, out, 1.0, column);
}

/* r = 2 (I x - m) - h ad*_x I x */
static lie_status midpoint_residual(const newton *N, double *r, double *size, const double *x)
{
    const coadjoint *w = (const coadjoint *)N->problem;
    double Ix[LIE_DIM_MAX], m[LIE_DIM_MAX], term[LIE_DIM_MAX];
    int n = w->G->dim;
    node_momentum(w, n, m);
    lie_system_momentum(w->st->system, Ix, w->at->g, x);
    w->G->adt(w->G, term, x, Ix);
    for (int i = 0; i < n; i++) r[i] = 2.0 * (Ix[i] - m[i]) - w->h * term[i];
    *size = larger_of(n, Ix, larger_of(n, m, 0.0));
    copy_n(n, w->P, m);
    return all_finite(n, r) ? LIE_OK : LIE_ERR_NOT_FINITE;
}

/* J = f I - f' h (derivative of ad*_x I x) */
static void euler_jacobian(const coadjoint *w, double *J, const double *x, double f, double f_prime)
{
    double Ix[LIE_DIM_MAX], column[LIE_DIM_MAX];
    int n = w->G->dim;
    lie_system_momentum(w->st->system, Ix, w->at->g, x);
    for (int j = 0; j < n; j++) {
        euler_term_column(w, column, j, x, Ix);
        for (int i = 0; i < n; i++) J[i * n + j] = f * w->st->system->inertia[i * n + j] - f_prime * w->h * column[i];
    }
}

static lie_status midpoint_jacobian(const newton *N, double *J, const double *x)
{
    euler_jacobian((const coadjoint *)N->problem, J, x, 2.0, 1.0);
    return LIE_OK;
}

/* Newmark. */

/* theta = h xi + h^2 ((1/2 - beta) a + beta a+), a+ from xi+ = x */
static void newmark_angle(const coadjoint *w, double *theta, const double *x)
{
    double h = w->h, late = w->beta / w->gamma;
    for (int i = 0; i < w->G->dim; i++)
        theta[i] = h * (w->xi[i] + h * (0.5 - w->beta) * w->a[i]) +
                   h * late * ((x[i] - w->xi[i]) - h * (1.0 - w->gamma) * w->a[i]);
}

/* r = I x - m - h ((1 - gamma) I a + gamma I a+) */
static lie_status newmark_residual(const newton *N, double *r, double *size, const double *x)
{
    const coadjoint *w = (const coadjoint *)N->problem;
    const lie_ops *G = w->G;
    const lie_system *sys = w->st->system;
    double theta[LIE_DIM_MAX], end[LIE_SIZE_MAX], rate[LIE_DIM_MAX], m[LIE_DIM_MAX];
    int n = G->dim;
    newmark_angle(w, theta, x);
    lie_status status = G->tau(G, end, theta);
    if (status != LIE_OK) return status;
    G->mul(G, end, w->at->g, end);
    lie_system_momentum_rate(sys, rate, w->at->t + w->h, end, x, control_at(w->st, w->u, 1.0));
    lie_system_momentum(sys, r, w->at->g, x);
    node_momentum(w, n, m);
    *size = larger_of(n, r, larger_of(n, m, 0.0));
    for (int i = 0; i < n; i++) r[i] = (r[i] - m[i]) - w->h * ((1.0 - w->gamma) * w->rate[i] + w->gamma * rate[i]);
    return all_finite(n, r) ? LIE_OK : LIE_ERR_NOT_FINITE;
}

static lie_status newmark_jacobian(const newton *N, double *J, const double *x)
{
    const coadjoint *w = (const coadjoint *)N->problem;
    euler_jacobian(w, J, x, 1.0, w->gamma);
    return LIE_OK;
}

/* Steps. */

/* What is known before x is: velocity, I a and a at the start, V; x <- the velocity a part of the step later. */
static lie_status start(coadjoint *w)
{
    const lie_system *sys = w->st->system;
    const double *g = w->at->g;
    double m[LIE_DIM_MAX];
    int n = w->G->dim;
    node_momentum(w, n, m);
    lie_status status = lie_system_velocity(sys, w->xi, g, m);
    if (status != LIE_OK) return status;
    lie_system_momentum_rate(sys, w->rate, w->at->t, g, w->xi, control_at(w->st, w->u, 0.0));
    status = lie_system_velocity(sys, w->a, g, w->rate);
    w->kinetic = 0.5 * dot(n, m, w->xi);
    if (w->nodes) w->V = sys->potential(sys, g);
    for (int i = 0; i < n; i++) w->x[i] = w->xi[i] + w->first * w->h * w->a[i];
    return status;
}

/* Is the defect at the rounding of V, or does it stagnate not far above? Without a force along the step nothing can
 * be mended. */
static int is_mended(const coadjoint *w, double last)
{
    double defect = fabs(w->defect);
    int stagnates = w->length2 == 0.0 || defect > 0.5 * fabs(last);
    return defect <= w->rounding || (stagnates && defect <= 64.0 * w->rounding);
}

/* For h = 0 the unknown is the velocity at the node. */
static lie_status origin(const newton *N, double *x)
{
    const coadjoint *w = (const coadjoint *)N->problem;
    copy_n(N->n, x, w->xi);
    return LIE_OK;
}

static lie_status solve(coadjoint *w, const lie_place *at, double h, lie_solve *info)
{
    w->at = at;
    w->h = h;
    w->mended = w->defect = w->rounding = 0.0;
    lie_status status = start(w);
    newton N = {.n = w->G->dim,
                .residual = w->residual,
                .jacobian = w->jacobian,
                .origin = origin,
                .inexact = w->inexact,
                .problem = w,
                .h = &w->h,
                .sign = 1,
                .grain = tangent_grain(w->G, 0),
                .step = 0x1p-7 / fabs(h),
                .linear = w->st->options.linear,
                .work = w->newton_work};
    double last = HUGE_VAL, change = 0.0;
    for (int round = 0; status == LIE_OK && round < ROUNDS; round++) {
        status = lie__newton_solve(&N, w->x, info);
        if (status != LIE_OK || is_mended(w, last)) return status;
        if (w->length2 == 0.0) return LIE_ERR_NO_CONVERGENCE;
        double slope = round == 0 ? -w->length2 : (w->defect - last) / change; /* secant rule */
        last = w->defect;
        change = -w->defect / slope;
        w->mended += change;
    }
    return status == LIE_OK ? LIE_ERR_NO_CONVERGENCE : status;
}

static lie_status coadjoint_substep(lie_stepper *st, const lie_ops *G, lie_place *at, double h, lie_solve *info)
{
    coadjoint *w = (coadjoint *)st->work;
    double theta[LIE_DIM_MAX], low_P[LIE_DIM_MAX] = {0.0}, force[LIE_DIM_MAX] = {0.0};
    int n = G->dim;
    w->st = st;
    lie_status status = solve(w, at, h, info);
    if (status != LIE_OK) return status;
    for (int i = 0; i < n; i++) theta[i] = h * w->x[i];
    status = move(G, at->g, at->low_g, w->P, low_P, theta);
    if (status != LIE_OK) return status;
    add_external(w, force, 1.0, 1.0, at->g, w->x);
    kick(n, w->P, low_P, 0.5 * h, force);
    if (!all_finite(n, w->P)) return LIE_ERR_NOT_FINITE;
    copy_n(n, at->m, w->P);
    copy_n(n, at->low_m, low_P);
    if (w->nodes) st->memory[0] = w->defect;
    return LIE_OK;
}

static lie_status newmark_substep(lie_stepper *st, const lie_ops *G, lie_place *at, double h, lie_solve *info)
{
    coadjoint *w = (coadjoint *)st->work;
    double theta[LIE_DIM_MAX];
    w->st = st;
    lie_status status = solve(w, at, h, info);
    if (status != LIE_OK) return status;
    newmark_angle(w, theta, w->x);
    status = move(G, at->g, at->low_g, at->m, at->low_m, theta); /* m is replaced by what follows */
    if (status != LIE_OK) return status;
    lie_system_momentum(st->system, at->m, at->g, w->x);
    zero_n(G->dim, at->low_m);
    return LIE_OK;
}

static lie_status run_coadjoint(lie_stepper *st, lie_state *s, double h, long long n)
{
    return run_steps(st, ((const coadjoint *)st->work)->G, coadjoint_substep, s, h, n);
}

static lie_status run_newmark(lie_stepper *st, lie_state *s, double h, long long n)
{
    return run_steps(st, st->group, newmark_substep, s, h, n);
}

/* The parts that are alike for all. */
static coadjoint *divide(lie_stepper *st, newton_residual *residual, newton_jacobian *jacobian, double first)
{
    coadjoint *w = (coadjoint *)st->work;
    double *next = st->work + HEAD;
    int n = st->group->dim;
    *w = (coadjoint){.st = st, .G = st->group, .residual = residual, .jacobian = jacobian, .first = first};
    w->inexact = st->is.has_force || st->is.has_external;
    w->x = next, next += n;
    w->P = next, next += n;
    w->turned = next, next += n;
    w->xi = next, next += n;
    w->rate = next, next += n;
    w->a = next, next += n;
    w->u = next, next += st->system->controls;
    w->newton_work = next;
    return w;
}

static lie_status prepare_coadjoint(lie_stepper *st)
{
    coadjoint *w = divide(st, coadjoint_residual, coadjoint_jacobian, 0.5);
    st->run = run_coadjoint;
    return st->is.has_force ? lie_tableau_find(&w->nodes, "gauss3") : LIE_OK;
}

static lie_status prepare_akw(lie_stepper *st)
{
    coadjoint *w = divide(st, midpoint_residual, midpoint_jacobian, 0.5);
    st->run = run_coadjoint;
    lie_status status = lie_ops_find(&w->G, st->group->group, "cay");
    if (status != LIE_OK) return status;
    return w->G->dim == st->group->dim && w->G->size == st->group->size ? LIE_OK : LIE_ERR_METHOD;
}

static lie_status check_newmark(lie_report *r, const lie_stepper *st)
{
    const double *given = st->options.newmark;
    for (int i = 0; given && i < 2; i++)
        if (!all_finite(1, given + i) || (i == 1 && given[i] == 0.0))
            return lie__refuse_entry(r, LIE_ERR_TABLEAU, "options.newmark", i, given[i], 0.0,
                                     "must be finite, and gamma not 0");
    return LIE_OK;
}

static lie_status prepare_newmark(lie_stepper *st)
{
    static const double average[2] = {0.25, 0.5};
    coadjoint *w = divide(st, newmark_residual, newmark_jacobian, 1.0);
    const double *given = st->options.newmark ? st->options.newmark : average;
    w->beta = given[0], w->gamma = given[1];
    st->run = run_newmark;
    return LIE_OK;
}

const lie_family lie__coadjoint = {
    .doubles = doubles, .prepare = prepare_coadjoint, .memory = coadjoint_memory, .absolute = 1};
const lie_family lie__akw = {.doubles = doubles, .prepare = prepare_akw, .absolute = 1};
const lie_family lie__newmark = {.check = check_newmark, .doubles = doubles, .prepare = prepare_newmark, .absolute = 1};
