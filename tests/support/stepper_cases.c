/* SPDX-License-Identifier: MIT */
/* stepper_cases.c: groups and systems on them; see stepper_cases.h. */
#include "tests/support/stepper_cases.h"

#include <liestep/product.h>
#include <liestep/rn.h>
#include <liestep/s3.h>
#include <liestep/so3.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/heisenberg.h"
#include "tests/support/random.h"
#include "unity.h"

enum { GROUPS_MAX = 40 };

/* Features of the groups. A row r of a rotation matrix, along R exp(s w): r' = r x w, so Y is the hat of r. */

static void row_deriv(double *Y, int dim, const double *r)
{
    const double hat[9] = {0.0, -r[2], r[1], r[2], 0.0, -r[0], -r[1], r[0], 0.0};
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++) Y[k * dim + i] = hat[3 * k + i];
}

static void so3_value(double *y, const double *g)
{
    for (int i = 0; i < 3; i++) y[i] = g[6 + i], y[3 + i] = g[i];
}

static void so3_deriv(double *Y, const double *g)
{
    row_deriv(Y, 3, g + 6);
    row_deriv(Y + 9, 3, g);
}

static void s3_value(double *y, const double *g)
{
    double inverse[4];
    lie_s3_inv(inverse, g);
    lie_s3_act(y, inverse, (double[3]){0.0, 0.0, 1.0});
    lie_s3_act(y + 3, inverse, (double[3]){1.0, 0.0, 0.0});
}

static void s3_deriv(double *Y, const double *g)
{
    double y[6];
    s3_value(y, g);
    row_deriv(Y, 3, y);
    row_deriv(Y + 9, 3, y + 3);
}

/* q seen on the sphere in R^5 by stereographic projection, (2 q, 1 - |q|^2) / (1 + |q|^2), along q (s + w/2) */
static void quat_value(double *y, const double *q)
{
    double r = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    for (int i = 0; i < 4; i++) y[i] = 2.0 * q[i] / (1.0 + r);
    y[4] = (1.0 - r) / (1.0 + r);
}

static void quat_deriv(double *Y, const double *q)
{
    double y[5];
    quat_value(y, q);
    const double turned[12] = {-y[1], -y[2], -y[3], y[0], -y[3], y[2], y[3], y[0], -y[1], -y[2], y[1], y[0]};
    for (int k = 0; k < 4; k++) {
        Y[4 * k] = y[k] * y[4];
        for (int i = 0; i < 3; i++) Y[4 * k + 1 + i] = 0.5 * turned[3 * k + i];
    }
    Y[16] = y[4] * y[4] - 1.0;
    Y[17] = Y[18] = Y[19] = 0.0;
}

/* rows e3 and e1, and the place: (R, x)(1, s v) = (R, x + s R v) */
static void se3_value(double *y, const double *g)
{
    so3_value(y, g);
    memcpy(y + 6, g + 9, 3 * sizeof *y);
}

static void se3_deriv(double *Y, const double *g)
{
    memset(Y, 0, 54 * sizeof *Y);
    row_deriv(Y, 6, g + 6);
    row_deriv(Y + 18, 6, g);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++) Y[(6 + k) * 6 + 3 + i] = g[3 * k + i];
}

static void product_deriv(double *Y, const double *g)
{
    se3_deriv(Y, g);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++) Y[(6 + k) * 6 + 3 + i] = i == k ? 1.0 : 0.0;
}

static void se2_value(double *y, const double *g)
{
    memcpy(y, g, 4 * sizeof *y);
}

static void se2_deriv(double *Y, const double *g)
{
    const double d[12] = {-g[1], 0.0, 0.0, g[0], 0.0, 0.0, 0.0, g[0], -g[1], 0.0, g[1], g[0]};
    memcpy(Y, d, sizeof d);
}

static void r3_value(double *y, const double *g)
{
    memcpy(y, g, 3 * sizeof *y);
}

static void r3_deriv(double *Y, const double *g)
{
    const double d[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    (void)g;
    memcpy(Y, d, sizeof d);
}

static void heisenberg_deriv(double *Y, const double *g)
{
    r3_deriv(Y, g);
    Y[7] = g[0]; /* (x, y, z)(0, s, 0) = (x, y + s, z + x s) */
}

static const case_space spaces[] = {
    {"SO3", 6, so3_value, so3_deriv, 0x07, 0x04, NULL, {0.0}},
    {"S3", 6, s3_value, s3_deriv, 0x07, 0x04, NULL, {0.0}},
    {"H", 5, quat_value, quat_deriv, 0x10, 0x0e, NULL, {0.0}},
    {"SE3", 9, se3_value, se3_deriv, 0x107, 0x1c, NULL, {0.0}},
    {"SE2", 4, se2_value, se2_deriv, 0x0b, 0x02, NULL, {0.0}},
    {"R", 3, r3_value, r3_deriv, 0x06, 0x01, NULL, {0.0}},
    {"product", 9, se3_value, product_deriv, 0x107, 0x1c, NULL, {0.0}}, /* SO3 x R3 */
    {"Heisenberg", 3, r3_value, heisenberg_deriv, 0x01, 0x06, NULL, {0.0}},
};

/* The i-th basis vector */
static const double *basis(double e[CASE_DIM], int i)
{
    for (int k = 0; k < CASE_DIM; k++) e[k] = k == i ? 1.0 : 0.0;
    return e;
}

static void value_of(const case_space *S, double *y, const double *g)
{
    const lie_ops *G = S->seen_on;
    if (S->value) S->value(y, g);
    for (int k = 0; !S->value && k < S->features; k += G->dim) G->Adt(G, y + k, g, S->seen + k);
}

/* Along g exp(s e) y = Ad*_g p changes by ad*_e y. */
static void deriv_of(const case_space *S, double *Y, const double *g)
{
    const lie_ops *G = S->seen_on;
    double y[CASE_FEATURES], dy[CASE_DIM], e[CASE_DIM];
    if (S->deriv) S->deriv(Y, g);
    for (int k = 0; !S->deriv && k < S->features; k += G->dim) {
        G->Adt(G, y, g, S->seen + k);
        for (int i = 0; i < G->dim; i++) {
            G->adt(G, dy, basis(e, i), y);
            for (int j = 0; j < G->dim; j++) Y[(k + j) * G->dim + i] = dy[j];
        }
    }
}

/* Of any group: the last covector of the basis, of which the subgroup that leaves it alone is the symmetry, and, where
 * there is room, one of no particular kind. */
static void see_covectors(case_space *S, const lie_ops *G)
{
    lie_random rng = {811u};
    double e[CASE_DIM], dy[CASE_DIM];
    int n = G->dim;
    *S = (case_space){.group = G->group, .features = 2 * n <= CASE_FEATURES ? 2 * n : n, .seen_on = G};
    S->seen[n - 1] = 1.0, S->invariant = (1u << n) - 1u;
    random_vector(&rng, S->features - n, S->seen + n, 1.0);
    for (int i = 0; i < n; i++) {
        double change = 0.0;
        G->adt(G, dy, basis(e, i), S->seen);
        for (int k = 0; k < n; k++) change += fabs(dy[k]);
        if (change == 0.0) S->kept |= 1u << i;
    }
}

/* Callbacks. */

static const case_model *model_of(const lie_system *sys)
{
    return (const case_model *)sys->params;
}

/* Q y, and y . Q y */
static double quadratic(const case_model *p, double *Qy, const double *y)
{
    int K = p->space->features;
    double q = 0.0;
    for (int k = 0; k < K; k++) {
        Qy[k] = 0.0;
        for (int j = 0; j < K; j++) Qy[k] += p->Q[k * K + j] * y[j];
        q += y[k] * Qy[k];
    }
    return q;
}

static double potential(const lie_system *sys, const double *g)
{
    const case_model *p = model_of(sys);
    double y[CASE_FEATURES], Qy[CASE_FEATURES], V;
    value_of(p->space, y, g);
    double q = quadratic(p, Qy, y);
    V = 0.5 * q + 0.25 * p->kappa * q * q;
    for (int k = 0; k < p->space->features; k++) V += p->a[k] * y[k];
    return V;
}

/* F = -Y^T dV/dy */
static void force(const lie_system *sys, double *F, const double *g)
{
    const case_model *p = model_of(sys);
    double y[CASE_FEATURES], Qy[CASE_FEATURES], Y[CASE_FEATURES * CASE_DIM];
    int n = sys->group->dim;
    value_of(p->space, y, g);
    deriv_of(p->space, Y, g);
    double q = quadratic(p, Qy, y);
    for (int i = 0; i < n; i++) F[i] = 0.0;
    for (int k = 0; k < p->space->features; k++) {
        double v = p->a[k] + (1.0 + p->kappa * q) * Qy[k];
        for (int i = 0; i < n; i++) F[i] -= v * Y[k * n + i];
    }
}

/* By central differences of order 6 */
static void force_deriv(const lie_system *sys, double *D, const double *g)
{
    static const double weight[3] = {45.0 / 60, -9.0 / 60, 1.0 / 60}, d = 0x1p-8;
    const lie_ops *G = sys->group;
    int n = G->dim;
    memset(D, 0, (size_t)(n * n) * sizeof *D);
    for (int j = 0; j < n; j++)
        for (int k = -3; k <= 3; k++) {
            double x[CASE_DIM] = {0.0}, T[CASE_SIZE], F[CASE_DIM];
            if (k == 0) continue;
            x[j] = k * d;
            TEST_ASSERT_EQUAL(LIE_OK, G->tau(G, T, x));
            G->mul(G, T, g, T);
            force(sys, F, T);
            for (int i = 0; i < n; i++) D[i * n + j] += (k < 0 ? -weight[-k - 1] : weight[k - 1]) * F[i] / d;
        }
}

static void gyro(const lie_system *sys, double *A, const double *g)
{
    const case_model *p = model_of(sys);
    double y[CASE_FEATURES];
    int K = p->space->features;
    value_of(p->space, y, g);
    for (int i = 0; i < sys->group->dim; i++) {
        A[i] = 0.0;
        for (int k = 0; k < K; k++) A[i] += p->B[i * K + k] * y[k];
    }
}

static void gyro_deriv(const lie_system *sys, double *D, const double *g)
{
    const case_model *p = model_of(sys);
    double Y[CASE_FEATURES * CASE_DIM];
    int n = sys->group->dim, K = p->space->features;
    deriv_of(p->space, Y, g);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            D[i * n + j] = 0.0;
            for (int k = 0; k < K; k++) D[i * n + j] += p->B[i * K + k] * Y[k * n + j];
        }
}

/* The turntable of SO3 and S3. */
static void frame(const lie_system *sys, double *eta, double *a)
{
    (void)sys;
    for (int i = 0; i < 3; i++) eta[i] = i == 2 ? 0.83 : 0.0, a[i] = 0.0;
}

static void external(const lie_system *sys, double *f, double t, const double *g, const double *xi, const double *u)
{
    const case_model *p = model_of(sys);
    double y[CASE_FEATURES], speed2 = 0.0;
    int n = sys->group->dim;
    value_of(p->space, y, g);
    for (int i = 0; i < n; i++) speed2 += xi[i] * xi[i];
    for (int i = 0; i < n; i++) {
        f[i] = -p->drag[i] * (1.0 + 0.4 * speed2) * xi[i] + p->push[i] * (0.7 + y[0]) * (1.0 + t - 0.6 * t * t);
        if (u) f[i] += u[i];
    }
}

static void pushed(const lie_system *sys, double *f, double t, const double *g, const double *xi, const double *u)
{
    (void)t, (void)xi;
    for (int i = 0; i < sys->group->dim; i++) f[i] = 0.0;
    if (u) sys->group->Adt(sys->group, f, g, u);
}

/* l = k + (e/2) k^2 + <A, xi> - V, k = 1/2 <I xi, xi>; answers k and I xi */
static double kinetic(const lie_system *sys, double *Ixi, const double *xi)
{
    const case_model *p = model_of(sys);
    int n = sys->group->dim;
    double k = 0.0;
    for (int i = 0; i < n; i++) {
        Ixi[i] = 0.0;
        for (int j = 0; j < n; j++) Ixi[i] += p->inertia[i * n + j] * xi[j];
        k += 0.5 * xi[i] * Ixi[i];
    }
    return k;
}

static double lagrangian(const lie_system *sys, const double *g, const double *xi)
{
    double Ixi[CASE_DIM], A[CASE_DIM], k = kinetic(sys, Ixi, xi);
    double l = k + 0.5 * model_of(sys)->quartic * k * k - potential(sys, g);
    gyro(sys, A, g);
    for (int i = 0; i < sys->group->dim; i++) l += A[i] * xi[i];
    return l;
}

static void momentum(const lie_system *sys, double *mu, const double *g, const double *xi)
{
    double Ixi[CASE_DIM], A[CASE_DIM], k = kinetic(sys, Ixi, xi);
    gyro(sys, A, g);
    for (int i = 0; i < sys->group->dim; i++) mu[i] = (1.0 + model_of(sys)->quartic * k) * Ixi[i] + A[i];
}

static void gradient(const lie_system *sys, double *F, const double *g, const double *xi)
{
    double D[CASE_DIM * CASE_DIM];
    int n = sys->group->dim;
    force(sys, F, g);
    gyro_deriv(sys, D, g);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) F[i] += D[j * n + i] * xi[j];
}

/* The systems of a group. */

/* L L^T + a diagonal that is different in every direction */
static void dense_inertia(double *A, int n, lie_random *rng)
{
    double L[CASE_DIM * CASE_DIM];
    random_vector(rng, n * n, L, 0.35);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            A[i * n + j] = i == j ? 0.9 + 0.21 * i : 0.0;
            for (int k = 0; k < n; k++) A[i * n + j] += L[i * n + k] * L[j * n + k];
        }
}

static int is_turntable(const case_model *p)
{
    return strcmp(p->space->group, "SO3") == 0 || strcmp(p->space->group, "S3") == 0;
}

static void fill_model(case_model *p, const case_space *space, int n)
{
    lie_random rng = {2385u};
    int K = space->features;
    p->space = space;
    dense_inertia(p->inertia, n, &rng);
    random_vector(&rng, K, p->a, 0.6);
    for (int i = 0; i < K; i++)
        for (int j = 0; j <= i; j++)
            p->Q[i * K + j] = p->Q[j * K + i] = random_double(&rng, 0.3) + (i == j ? 0.4 : 0.0);
    p->kappa = 0.19;
    random_vector(&rng, n * K, p->B, 0.5);
    if (is_turntable(p))
        for (int i = 0; i < n; i++) /* a table that turns about e3 at 0.83 rad/s: A = rate I R^T e3 */
            for (int k = 0; k < K; k++) p->B[i * K + k] = k < 3 ? 0.83 * p->inertia[3 * i + k] : 0.0;
    for (int i = 0; i < n; i++) p->drag[i] = 0.2 + 0.07 * i;
    random_vector(&rng, n, p->push, 0.5);
    p->quartic = 0.21;
}

/* Drop what the subgroup would change. */
static void make_symmetric(case_model *p)
{
    int K = p->space->features;
    for (int k = 0; k < K; k++) {
        if (p->space->invariant >> k & 1u) continue;
        p->a[k] = 0.0;
        for (int j = 0; j < K; j++) p->Q[k * K + j] = p->Q[j * K + k] = 0.0;
    }
}

static void fill_system(lie_system *sys, case_model *p, const lie_ops *G, case_kind kind)
{
    fill_model(p, p->space, G->dim);
    if (kind == CASE_SYMMETRIC) make_symmetric(p);
    *sys = (lie_system){.name = "case", .group = G, .params = p};
    if (kind == CASE_LAGRANGIAN) {
        sys->lagrangian = lagrangian, sys->momentum = momentum, sys->gradient = gradient;
        return;
    }
    sys->inertia = p->inertia;
    if (kind != CASE_FREE && kind != CASE_PUSHED) sys->potential = potential, sys->force = force;
    if (sys->force && strcmp(G->group, "S3") == 0) sys->force_deriv = force_deriv; /* tau of order 2 will do */
    if (kind == CASE_GYRO) sys->gyro = gyro, sys->gyro_deriv = gyro_deriv;
    if (kind == CASE_GYRO && is_turntable(p)) sys->frame = frame;
    if (kind == CASE_FORCED) sys->external = external, sys->controls = G->dim;
    if (kind == CASE_PUSHED) sys->external = pushed, sys->controls = G->dim, sys->external_is_positional = 1;
}

static const case_space *space_of(const lie_ops *G)
{
    static case_space seen[GROUPS_MAX];
    static int count;
    for (size_t i = 0; i < sizeof spaces / sizeof spaces[0]; i++)
        if (strcmp(spaces[i].group, G->group) == 0) return &spaces[i];
    TEST_ASSERT_TRUE(count < GROUPS_MAX);
    see_covectors(&seen[count], G);
    return &seen[count++];
}

static case_group groups[GROUPS_MAX];
static int groups_made;

/* Where the motions start. The scalar velocity on H is small: |q| grows exponentially with it. */
static void fill_starts(case_group *c)
{
    lie_random rng = {41u};
    double x[CASE_DIM];
    for (int s = 0; s < CASE_STARTS; s++) {
        random_vector(&rng, c->group->dim, x, 0.45);
        random_vector(&rng, c->group->dim, c->xi[s], 1.05);
        if (strcmp(c->group->group, "H") == 0) c->xi[s][0] *= 0.3;
        TEST_ASSERT_EQUAL(LIE_OK, c->group->tau(c->group, c->g[s], x));
    }
}

static void add_group(const lie_ops *G, const char *label, const char *retraction)
{
    TEST_ASSERT_TRUE(groups_made < GROUPS_MAX && G->dim <= CASE_DIM && G->size <= CASE_SIZE);
    case_group *c = &groups[groups_made++];
    snprintf(c->label, sizeof c->label, "%s", label);
    snprintf(c->retraction, sizeof c->retraction, "%s", retraction);
    snprintf(c->name, sizeof c->name, "%s/%s", label, retraction);
    c->group = G;
    c->space = space_of(G);
    c->is_flat = strcmp(G->group, "R") == 0;
    c->is_exp = strcmp(retraction, "exp") == 0 || c->is_flat;
    for (int kind = 0; kind < CASE_KINDS; kind++) {
        c->model[kind].space = c->space;
        fill_system(&c->system[kind], &c->model[kind], c->group, (case_kind)kind);
    }
    fill_starts(c);
}

/* SO3 x R3 with this retraction of SO3 */
static void add_product(lie_product *product, const lie_ops **factor, lie_ops *out, const lie_ops *space,
                        const char *retraction)
{
    TEST_ASSERT_EQUAL(LIE_OK, lie_ops_find(&factor[0], "SO3", retraction));
    factor[1] = space;
    *product = (lie_product){2, factor};
    TEST_ASSERT_EQUAL(LIE_OK, lie_product_ops(out, product));
    add_group(out, "SO3xR3", retraction);
}

int case_group_count(void)
{
    static lie_ops space, pair[2], heisenberg;
    static const lie_ops *factor[2][2];
    static lie_product product[2];
    if (groups_made > 0) return groups_made;
    for (int i = 0; i < lie_ops_builtin_count(); i++) {
        const lie_ops *builtin = lie_ops_builtin(i);
        add_group(builtin, builtin->group, builtin->retraction);
    }
    TEST_ASSERT_EQUAL(LIE_OK, lie_rn_ops(&space, 3, "exp"));
    add_group(&space, "R3", "exp");
    add_product(&product[0], factor[0], &pair[0], &space, "exp");
    add_product(&product[1], factor[1], &pair[1], &space, "cay");
    TEST_ASSERT_EQUAL(LIE_OK, heisenberg_ops(&heisenberg));
    add_group(&heisenberg, "Heis.", "exp");
    return groups_made;
}

const case_group *case_group_at(int i)
{
    TEST_ASSERT_TRUE(i >= 0 && i < case_group_count());
    return &groups[i];
}
