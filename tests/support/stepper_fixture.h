/* SPDX-License-Identifier: MIT */
/* stepper_fixture.h: systems without any symmetry, on any group, for the tests of the steppers.
 *
 * From n functions w(g) on the group, w = Ad_g b on a group that is not flat, w = g on R^n, factor by factor on a
 * product, D_ij = d/ds w_i(g exp(s e_j)):
 *
 *     V(g) = c . w + (d . w)^2 / 2,     F = -D^T (c + (d . w) d)
 *     A(g) = a + K w
 *     f(t, g, xi, u) = -(k + |xi|^2 / 4) xi + s cos(2 t) + w / 8 + (r . u) s
 *     general l = 1/2 <I xi, xi> + |xi|^4 / 16 + (e . w) (d . xi)^2 / 16 + <A, xi> - V
 *
 * The inertia is dense, all numbers are random but fixed. */
#ifndef LIESTEP_TESTS_STEPPER_FIXTURE_H
#define LIESTEP_TESTS_STEPPER_FIXTURE_H

#include <liestep/core.h>

#include "tests/support/heisenberg.h"
#include "tests/support/near.h"
#include "tests/support/random.h"

enum { FIXTURE_DIM = 8, FIXTURE_WORK = 20000, FIXTURE_CONTROLS = 2 };

static inline void require(int good, const char *what)
{
    TEST_ASSERT_TRUE_MESSAGE(good, what);
}

/* Which terms a system has. */
enum { POTENTIAL = 1, GYRO = 2, EXTERNAL = 4, GENERAL = 8 };

typedef struct fixture {
    lie_system sys; /* its params point to this */
    double inertia[FIXTURE_DIM * FIXTURE_DIM];
    double K[FIXTURE_DIM * FIXTURE_DIM];
    double a[FIXTURE_DIM], b[FIXTURE_DIM], c[FIXTURE_DIM], d[FIXTURE_DIM], e[FIXTURE_DIM], s[FIXTURE_DIM];
    double drag;
} fixture;

static const fixture *fixture_of(const lie_system *sys)
{
    return (const fixture *)sys->params;
}

static inline double fixture_dot(int n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/* w and D (rows of `stride`; null: not wanted) of one group */
// NOLINTNEXTLINE(misc-no-recursion): the factors of a product may be products
static void fixture_place(const lie_ops *G, const double *b, double *w, double *D, int stride, const double *g)
{
    double e[FIXTURE_DIM] = {0.0}, column[FIXTURE_DIM];
    if (strcmp(G->group, "product") == 0) {
        const lie_product *p = (const lie_product *)G->ctx;
        for (int k = 0, i = 0, at = 0; k < p->count; at += p->factor[k]->size, i += p->factor[k]->dim, k++)
            fixture_place(p->factor[k], b + i, w + i, D ? D + i * stride + i : 0, stride, g + at);
        return;
    }
    int flat = strcmp(G->group, "R") == 0, n = G->dim;
    if (flat)
        memcpy(w, g, (size_t)n * sizeof *w);
    else
        G->Ad(G, w, g, b);
    for (int j = 0; D && j < n; j++) {
        e[j] = 1.0;
        memcpy(column, e, sizeof column);
        if (!flat) {
            G->ad(G, column, e, b);
            G->Ad(G, column, g, column);
        }
        e[j] = 0.0;
        for (int i = 0; i < n; i++) D[i * stride + j] = column[i];
    }
}

static void fixture_w(const lie_system *sys, double *w, double *D, const double *g)
{
    int n = sys->group->dim;
    if (D) memset(D, 0, (size_t)(n * n) * sizeof *D);
    fixture_place(sys->group, fixture_of(sys)->b, w, D, n, g);
}

static double fixture_potential(const lie_system *sys, const double *g)
{
    const fixture *p = fixture_of(sys);
    int n = sys->group->dim;
    double w[FIXTURE_DIM];
    fixture_w(sys, w, 0, g);
    double y = fixture_dot(n, p->d, w);
    return fixture_dot(n, p->c, w) + 0.5 * y * y;
}

static void fixture_force(const lie_system *sys, double *F, const double *g)
{
    const fixture *p = fixture_of(sys);
    int n = sys->group->dim;
    double w[FIXTURE_DIM], D[FIXTURE_DIM * FIXTURE_DIM];
    fixture_w(sys, w, D, g);
    double y = fixture_dot(n, p->d, w);
    for (int j = 0; j < n; j++) {
        F[j] = 0.0;
        for (int i = 0; i < n; i++) F[j] -= D[i * n + j] * (p->c[i] + y * p->d[i]);
    }
}

static void fixture_gyro(const lie_system *sys, double *A, const double *g)
{
    const fixture *p = fixture_of(sys);
    int n = sys->group->dim;
    double w[FIXTURE_DIM];
    fixture_w(sys, w, 0, g);
    for (int i = 0; i < n; i++) A[i] = p->a[i] + fixture_dot(n, p->K + i * n, w);
}

static void fixture_gyro_deriv(const lie_system *sys, double *out, const double *g)
{
    const fixture *p = fixture_of(sys);
    int n = sys->group->dim;
    double w[FIXTURE_DIM], D[FIXTURE_DIM * FIXTURE_DIM];
    fixture_w(sys, w, D, g);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            out[i * n + j] = 0.0;
            for (int k = 0; k < n; k++) out[i * n + j] += p->K[i * n + k] * D[k * n + j];
        }
}

static void fixture_external(const lie_system *sys, double *f, double t, const double *g, const double *xi,
                             const double *u)
{
    const fixture *p = fixture_of(sys);
    int n = sys->group->dim;
    double w[FIXTURE_DIM] = {0.0}, drag = p->drag + 0.25 * fixture_dot(n, xi, xi);
    double drive = cos(2.0 * t) + (u ? 0.7 * u[0] - 0.4 * u[1] : 0.0);
    fixture_w(sys, w, 0, g);
    for (int i = 0; i < n; i++) f[i] = -drag * xi[i] + drive * p->s[i] + 0.125 * w[i];
}

static void fixture_momentum(const lie_system *sys, double *mu, const double *g, const double *xi)
{
    const fixture *p = fixture_of(sys);
    int n = sys->group->dim;
    double w[FIXTURE_DIM], A[FIXTURE_DIM], square = fixture_dot(n, xi, xi), along = fixture_dot(n, p->d, xi);
    fixture_w(sys, w, 0, g);
    fixture_gyro(sys, A, g);
    double mass = 0.125 * fixture_dot(n, p->e, w);
    for (int i = 0; i < n; i++)
        mu[i] = fixture_dot(n, p->inertia + i * n, xi) + 0.25 * square * xi[i] + mass * along * p->d[i] + A[i];
}

static double fixture_lagrangian(const lie_system *sys, const double *g, const double *xi)
{
    const fixture *p = fixture_of(sys);
    int n = sys->group->dim;
    double w[FIXTURE_DIM], A[FIXTURE_DIM], square = fixture_dot(n, xi, xi), along = fixture_dot(n, p->d, xi), T = 0.0;
    fixture_w(sys, w, 0, g);
    fixture_gyro(sys, A, g);
    for (int i = 0; i < n; i++) T += 0.5 * xi[i] * fixture_dot(n, p->inertia + i * n, xi);
    return T + square * square / 16.0 + fixture_dot(n, p->e, w) * along * along / 16.0 + fixture_dot(n, A, xi) -
           fixture_potential(sys, g);
}

static void fixture_gradient(const lie_system *sys, double *F, const double *g, const double *xi)
{
    const fixture *p = fixture_of(sys);
    int n = sys->group->dim;
    double w[FIXTURE_DIM], D[FIXTURE_DIM * FIXTURE_DIM] = {0.0}, DA[FIXTURE_DIM * FIXTURE_DIM],
                                           along = fixture_dot(n, p->d, xi);
    fixture_force(sys, F, g);
    fixture_w(sys, w, D, g);
    fixture_gyro_deriv(sys, DA, g);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) F[j] += D[i * n + j] * p->e[i] * along * along / 16.0 + DA[i * n + j] * xi[i];
}

/* The numbers of a fixture for n dimensions. */
static inline void fixture_numbers(fixture *p, int n, uint64_t seed)
{
    lie_random rng = {seed};
    double L[FIXTURE_DIM * FIXTURE_DIM] = {0.0};
    random_vector(&rng, n * n, L, 0.4);
    random_vector(&rng, n * n, p->K, 0.2);
    random_vector(&rng, n, p->a, 0.4);
    random_vector(&rng, n, p->b, 1.0);
    random_vector(&rng, n, p->c, 1.2);
    random_vector(&rng, n, p->d, 0.9);
    random_vector(&rng, n, p->e, 0.9);
    random_vector(&rng, n, p->s, 0.5);
    p->drag = 0.3;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            p->inertia[i * n + j] = i == j ? 1.0 + 0.4 * i : 0.0;
            for (int k = 0; k < n; k++) p->inertia[i * n + j] += L[i * n + k] * L[j * n + k];
        }
}

/* The system with the terms named, on G. */
static inline void fixture_make(fixture *p, const lie_ops *G, int terms)
{
    fixture_numbers(p, G->dim, 31u);
    p->sys = (lie_system){.name = "fixture", .group = G, .params = p};
    if (terms & GENERAL) {
        p->sys.lagrangian = fixture_lagrangian;
        p->sys.momentum = fixture_momentum;
        p->sys.gradient = fixture_gradient;
    } else {
        p->sys.inertia = p->inertia;
    }
    if (terms & POTENTIAL) p->sys.potential = fixture_potential, p->sys.force = fixture_force;
    if (terms & GYRO) p->sys.gyro = fixture_gyro, p->sys.gyro_deriv = fixture_gyro_deriv;
    if (terms & EXTERNAL) p->sys.external = fixture_external, p->sys.controls = FIXTURE_CONTROLS;
    TEST_ASSERT_EQUAL(LIE_OK, lie_system_check(&p->sys));
}

/* No coupling of the factors of a product, from the coordinate `from` on, by the inertia. */
// NOLINTNEXTLINE(misc-no-recursion): the factors of a product may be products
static inline void fixture_uncouple_at(fixture *f, const lie_ops *G, int from)
{
    int n = f->sys.group->dim;
    if (strcmp(G->group, "product") == 0) {
        const lie_product *p = (const lie_product *)G->ctx;
        for (int k = 0; k < p->count; from += p->factor[k]->dim, k++) fixture_uncouple_at(f, p->factor[k], from);
        return;
    }
    for (int i = from; i < from + G->dim; i++)
        for (int j = 0; j < n; j++)
            if (j < from || j >= from + G->dim) f->inertia[i * n + j] = f->inertia[j * n + i] = 0.0;
}

static inline void fixture_uncouple(fixture *f)
{
    fixture_uncouple_at(f, f->sys.group, 0);
}

/* A system with those of the terms that the method takes; 0 if it takes no system on this group. */
static inline int fixture_make_for(fixture *f, const lie_method *m, const lie_ops *G, int terms)
{
    if (m->needs_quadratic || m->needs_free) terms &= POTENTIAL | EXTERNAL;
    if (m->needs_free) terms &= EXTERNAL;
    if (m->needs_unforced || m->needs_positional) terms &= ~EXTERNAL;
    fixture_make(f, G, terms);
    if (m->needs_uncoupled) fixture_uncouple(f);
    return lie_method_takes(m, &f->sys) == LIE_OK;
}

/* Is the tableau for variational methods, which divide by the weights? */
static inline int tableau_is_variational(const lie_tableau *tab)
{
    for (int i = 0; i < tab->stages; i++)
        if (tab->b[i] == 0.0) return 0;
    return 1;
}

/* All groups of the tests: the built-in ones, R^3, products and one defined by its user. */
enum { FIXTURE_GROUPS = 20 };
typedef struct fixture_groups {
    const lie_ops *G[FIXTURE_GROUPS];
    int count;
    lie_ops flat[3], product[3], heisenberg;
    const lie_ops *factors[3][2];
    lie_product products[3];
} fixture_groups;

static inline void fixture_groups_make(fixture_groups *all)
{
    static const char *const names[3] = {"exp", "cay", "skew"};
    all->count = 0;
    for (int i = 0; i < lie_ops_builtin_count(); i++) all->G[all->count++] = lie_ops_builtin(i);
    for (int k = 0; k < 3; k++) {
        TEST_ASSERT_EQUAL(LIE_OK, lie_rn_ops(&all->flat[k], k == 0 ? 3 : 2, names[k]));
        TEST_ASSERT_EQUAL(LIE_OK, lie_ops_find(&all->factors[k][0], "SO3", names[k]));
        all->factors[k][1] = &all->flat[k];
        all->products[k] = (lie_product){2, all->factors[k]};
        TEST_ASSERT_EQUAL(LIE_OK, lie_product_ops(&all->product[k], &all->products[k]));
        all->G[all->count++] = &all->product[k];
    }
    all->G[all->count++] = &all->flat[0];
    TEST_ASSERT_EQUAL(LIE_OK, heisenberg_ops(&all->heisenberg));
    all->G[all->count++] = &all->heisenberg;
    TEST_ASSERT_TRUE(all->count <= FIXTURE_GROUPS);
}

/* A stepper with its memory. */
typedef struct walker {
    lie_stepper *st;
    double work[FIXTURE_WORK];
} walker;

static inline void walker_init(walker *w, const lie_system *sys, const char *method, const char *retraction,
                               const lie_tableau *tableau)
{
    const lie_options opt = {.method = method, .retraction = retraction, .tableau = tableau};
    TEST_ASSERT_TRUE(lie_stepper_memsize(sys, &opt) <= sizeof w->work);
    TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_stepper_init(&w->st, sys, &opt, w->work, sizeof w->work), method);
}

/* A generic state: g at `far` of the identity, velocities of size `fast` per component. */
static inline void state_random(const lie_system *sys, lie_state *s, lie_random *rng, double far, double fast)
{
    double x[LIE_DIM_MAX], xi[LIE_DIM_MAX], g[LIE_SIZE_MAX];
    random_vector(rng, sys->group->dim, x, far);
    random_vector(rng, sys->group->dim, xi, fast);
    TEST_ASSERT_EQUAL(LIE_OK, sys->group->tau(sys->group, g, x));
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(sys, s, 0.0, g, xi));
}

/* The largest difference of two positions, relative to the size of their numbers. */
static inline double state_distance_g(const lie_ops *G, const lie_state *a, const lie_state *b)
{
    double d = 0.0, size = 1.0;
    for (int i = 0; i < G->size; i++) d = fmax(d, fabs(a->g[i] - b->g[i])), size = fmax(size, fabs(b->g[i]));
    return d / size;
}

/* The largest difference of two states, relative to the size of their numbers. */
static inline double state_distance(const lie_ops *G, const lie_state *a, const lie_state *b)
{
    double d = 0.0, size = 1.0;
    for (int i = 0; i < G->dim; i++) d = fmax(d, fabs(a->m[i] - b->m[i])), size = fmax(size, fabs(b->m[i]));
    return fmax(d / size, state_distance_g(G, a, b));
}

static inline void states_same_bits(const lie_ops *G, const lie_state *a, const lie_state *b, const char *what)
{
    int same = a->t == b->t && a->low_t == b->low_t && a->steps == b->steps &&
               memcmp(a->g, b->g, (size_t)G->size * sizeof(double)) == 0 &&
               memcmp(a->m, b->m, (size_t)G->dim * sizeof(double)) == 0 &&
               memcmp(a->low_g, b->low_g, (size_t)G->size * sizeof(double)) == 0 &&
               memcmp(a->low_m, b->low_m, (size_t)G->dim * sizeof(double)) == 0;
    TEST_ASSERT_TRUE_MESSAGE(same, what);
}

#endif
