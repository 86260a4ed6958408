/* SPDX-License-Identifier: MIT */
/* Every step of every method against the raw discrete action, of which only values are used:
 *
 *     S(g0, g1, psi) = h sum_i b_i l(G_i, xi_i),      h sum_j b_j psi_j = theta = tau^-1(g0^-1 g1)
 *     G_i = g0 tau(theta_i),  theta_i = h sum_j a_ij psi_j,  xi_i = psi_i (truncated) or dtau_{-theta_i} psi_i
 *
 * or, where the chart is anchored in the middle of the step, a = g0 tau(v) with tau(v)^2 = g0^-1 g1,
 *
 *     G_i = a tau(theta_i),   theta_i = -v + h sum_j a_ij psi_j,     h sum_j b_j psi_j = 2 v
 *
 * L_d(g0, g1) is its extremum over psi. From g0 and g1 of a step of the library the test finds the extremum by Newton's
 * method with differences of S; then m0 = -D_1 L_d and m1 = D_2 L_d, left-trivialised, again by differences of S, must
 * be the momenta at both ends. No equation of the library is used, so no sign or index can be wrong in both.
 * External forces enter by their virtual work: at the stages (untruncated) h b_i <f_i, G_i^-1 dG_i>, added to S with
 * f_i and G_i frozen where the derivative is taken; at the nodes (truncated) h/2 f joins m0 and leaves m1.
 *
 * References: Marsden & West 2001, (1.5.4) and (3.2.2); Bou-Rabee & Marsden 2009, (4.7). */
#include "tests/support/middle.h"
#include "tests/support/stepper_fixture.h"

enum { STAGES = 8, UNKNOWNS = STAGES * FIXTURE_DIM };

static fixture_groups all;

void setUp(void)
{
    fixture_groups_make(&all);
}

void tearDown(void)
{
}

/* A step to be looked at. */
typedef struct problem {
    const lie_ops *G;
    const lie_system *sys;
    const lie_tableau *tab;
    int full; /* untruncated */
    int middle;
    double t, h;
    const double *u_minus, *u_plus;
    double f[UNKNOWNS];                 /* forces at the stages, frozen */
    double at[STAGES][FIXTURE_DIM * 4]; /* stages, frozen */
} problem;

/* where the arguments of S are varied */
typedef struct arguments {
    double g0[FIXTURE_DIM * 4], g1[FIXTURE_DIM * 4], psi[UNKNOWNS];
    double anchor[FIXTURE_DIM * 4]; /* from the others */
} arguments;

static double lagrangian(const lie_system *sys, const double *g, const double *xi)
{
    int n = sys->group->dim;
    double A[FIXTURE_DIM] = {0.0}, l = 0.0;
    if (sys->lagrangian) return sys->lagrangian(sys, g, xi);
    if (sys->gyro) sys->gyro(sys, A, g);
    for (int i = 0; i < n; i++) l += xi[i] * (0.5 * fixture_dot(n, sys->inertia + i * n, xi) + A[i]);
    return l - (sys->potential ? sys->potential(sys, g) : 0.0);
}

/* theta, and psi of the last stage from the others */
static void close_step(const problem *p, arguments *x, double *theta)
{
    const lie_ops *G = p->G;
    int n = G->dim, s = p->tab->stages;
    double relative[FIXTURE_DIM * 4];
    G->inv(G, relative, x->g0);
    G->mul(G, relative, relative, x->g1);
    if (p->middle) {
        middle_find(G, theta, relative);
        TEST_ASSERT_EQUAL(LIE_OK, G->tau(G, x->anchor, theta));
        G->mul(G, x->anchor, x->g0, x->anchor);
        for (int k = 0; k < n; k++) theta[k] *= 2.0;
    } else {
        memcpy(x->anchor, x->g0, sizeof x->anchor);
        TEST_ASSERT_EQUAL(LIE_OK, G->tauinv(G, theta, relative));
    }
    for (int k = 0; k < n; k++) {
        double sum = theta[k] / p->h;
        for (int j = 0; j < s - 1; j++) sum -= p->tab->b[j] * x->psi[j * n + k];
        x->psi[(s - 1) * n + k] = sum / p->tab->b[s - 1];
    }
}

/* G_i and xi_i */
static void stage(const problem *p, const arguments *x, int i, double *at, double *xi)
{
    const lie_ops *G = p->G;
    int n = G->dim, s = p->tab->stages;
    double theta[FIXTURE_DIM], minus[FIXTURE_DIM];
    for (int k = 0; k < n; k++) {
        theta[k] = 0.0;
        for (int j = 0; j < s; j++) theta[k] += p->h * p->tab->A[i * s + j] * x->psi[j * n + k];
        for (int j = 0; j < s && p->middle; j++) theta[k] -= 0.5 * p->h * p->tab->b[j] * x->psi[j * n + k];
        minus[k] = -theta[k], xi[k] = x->psi[i * n + k];
    }
    TEST_ASSERT_EQUAL(LIE_OK, G->tau(G, at, theta));
    G->mul(G, at, x->anchor, at);
    if (p->full) TEST_ASSERT_EQUAL(LIE_OK, G->dtau(G, xi, minus, xi));
}

/* S, with the virtual work of the frozen forces */
static double action(const problem *p, const arguments *given)
{
    const lie_ops *G = p->G;
    arguments x = *given;
    double S = 0.0, theta[FIXTURE_DIM] = {0.0}, at[FIXTURE_DIM * 4] = {0.0}, xi[FIXTURE_DIM] = {0.0};
    close_step(p, &x, theta);
    for (int i = 0; i < p->tab->stages; i++) {
        stage(p, &x, i, at, xi);
        S += p->h * p->tab->b[i] * lagrangian(p->sys, at, xi);
        if (!p->full || !p->sys->external) continue;
        double relative[FIXTURE_DIM * 4];
        G->inv(G, relative, p->at[i]);
        G->mul(G, relative, relative, at);
        TEST_ASSERT_EQUAL(LIE_OK, G->tauinv(G, theta, relative));
        S += p->h * p->tab->b[i] * fixture_dot(G->dim, p->f + i * G->dim, theta);
    }
    return S;
}

/* The control at the fraction c of the step. */
static void control(const problem *p, double *u, double c)
{
    for (int k = 0; k < FIXTURE_CONTROLS; k++) u[k] = (1.0 - c) * p->u_minus[k] + c * p->u_plus[k];
}

/* Forces and stages as they are at x. */
static void freeze(problem *p, const arguments *given)
{
    arguments x = *given;
    double theta[FIXTURE_DIM] = {0.0}, xi[FIXTURE_DIM] = {0.0}, u[FIXTURE_CONTROLS];
    if (!p->full || !p->sys->external) return;
    close_step(p, &x, theta);
    for (int i = 0; i < p->tab->stages; i++) {
        double c = p->tab->c[i];
        control(p, u, c);
        stage(p, &x, i, p->at[i], xi);
        p->sys->external(p->sys, p->f + i * p->G->dim, p->t + c * p->h, p->at[i], xi, u);
    }
}

typedef enum argument { NODE_0, NODE_1, STAGE_VELOCITY } argument;

static double varied(const problem *p, const arguments *given, argument which, int k, double s)
{
    arguments x = *given;
    double e[FIXTURE_DIM] = {0.0}, T[FIXTURE_DIM * 4], *g = which == NODE_0 ? x.g0 : x.g1;
    if (which == STAGE_VELOCITY) {
        x.psi[k] += s;
        return action(p, &x);
    }
    e[k] = s;
    TEST_ASSERT_EQUAL(LIE_OK, p->G->tau(p->G, T, e));
    p->G->mul(p->G, g, g, T);
    return action(p, &x);
}

/* dS/ds by central differences of order 6 */
static double slope(const problem *p, const arguments *x, argument which, int k)
{
    static const double weight[3] = {45.0 / 60.0, -9.0 / 60.0, 1.0 / 60.0};
    double d = 0.0, step = which == STAGE_VELOCITY ? 0x1p-7 : 0x1p-11;
    for (int i = 0; i < 3; i++) {
        double s = (i + 1) * step;
        d += weight[i] * (varied(p, x, which, k, s) - varied(p, x, which, k, -s));
    }
    return d / step;
}

/* x <- A^-1 x by Gauss-Jordan elimination with pivoting; A (n x n) is destroyed */
static void eliminate(int n, double *A, double *x)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(A[i * n + k]) > fabs(A[best * n + k])) best = i;
        TEST_ASSERT_TRUE(A[best * n + k] != 0.0);
        for (int j = 0; j < n; j++) {
            double swap = A[k * n + j];
            A[k * n + j] = A[best * n + j], A[best * n + j] = swap;
        }
        double swap = x[k];
        x[k] = x[best], x[best] = swap;
        for (int i = 0; i < n; i++) {
            double f = i == k ? 0.0 : A[i * n + k] / A[k * n + k];
            for (int j = k; j < n; j++) A[i * n + j] -= f * A[k * n + j];
            x[i] -= f * x[k];
        }
    }
    for (int i = 0; i < n; i++) x[i] /= A[i * n + i];
}

/* The stage velocities that make S stationary; the matrix of second differences is made once. */
static void extremise(problem *p, arguments *x)
{
    static double H[UNKNOWNS * UNKNOWNS], A[UNKNOWNS * UNKNOWNS];
    double r[UNKNOWNS], moved[UNKNOWNS], size = 1.0;
    int n = (p->tab->stages - 1) * p->G->dim;
    for (int it = 0; it < 60 && size > 1e-13; it++) {
        freeze(p, x);
        for (int k = 0; k < n; k++) r[k] = slope(p, x, STAGE_VELOCITY, k);
        for (int j = 0; it == 0 && j < n; j++) {
            x->psi[j] += 0x1p-12;
            for (int i = 0; i < n; i++) H[i * n + j] = (slope(p, x, STAGE_VELOCITY, i) - r[i]) * 0x1p12;
            x->psi[j] -= 0x1p-12;
        }
        memcpy(A, H, (size_t)(n * n) * sizeof *A);
        memcpy(moved, r, (size_t)n * sizeof *r);
        if (n > 0) eliminate(n, A, moved);
        double before = size;
        size = 0.0;
        for (int k = 0; k < n; k++) x->psi[k] -= moved[k], size = fmax(size, fabs(moved[k]));
        if (it > 3 && size > 0.5 * before && size < 1e-11) break;
    }
    TEST_ASSERT_TRUE_MESSAGE(size < 1e-11, "the extremum of the action was not found");
    freeze(p, x);
}

/* The largest error of the two momenta of a step, relative to the momentum. */
static double residual(problem *p, const lie_state *before, const lie_state *after)
{
    const lie_ops *G = p->G;
    int n = G->dim, s = p->tab->stages;
    arguments x;
    double theta[FIXTURE_DIM], f0[FIXTURE_DIM] = {0.0}, f1[FIXTURE_DIM] = {0.0}, worst = 0.0, size = 1.0;
    memcpy(x.g0, before->g, sizeof x.g0);
    memcpy(x.g1, after->g, sizeof x.g1);
    memset(x.psi, 0, sizeof x.psi);
    close_step(p, &x, theta);
    for (int j = 0; j < s; j++)
        for (int k = 0; k < n; k++) x.psi[j * n + k] = theta[k] / p->h;
    if (!p->full && p->sys->external) {
        p->sys->external(p->sys, f0, p->t, x.g0, x.psi, p->u_minus);
        p->sys->external(p->sys, f1, p->t + p->h, x.g1, x.psi, p->u_plus);
    }
    extremise(p, &x);
    for (int k = 0; k < n; k++) {
        double m0 = -slope(p, &x, NODE_0, k) - 0.5 * p->h * f0[k], m1 = slope(p, &x, NODE_1, k) + 0.5 * p->h * f1[k];
        worst = fmax(worst, fmax(fabs(m0 - before->m[k]), fabs(m1 - after->m[k])));
        size = fmax(size, fabs(m1));
    }
    return worst / size;
}

static const double u_minus[FIXTURE_CONTROLS] = {0.3, -0.8}, u_plus[FIXTURE_CONTROLS] = {1.1, 0.4};

/* The worst residual of two steps: one after some of the same length, when the stepper has learnt to guess, and one of
 * another length and direction. */
static double two_steps(const lie_system *sys, const char *method, const lie_tableau *tab, int full)
{
    static walker w;
    static const double lengths[7] = {0.13, 0.13, 0.13, 0.13, 0.13, 0.13, -0.11};
    lie_random rng = {11u};
    lie_state before, after;
    double worst = 0.0;
    walker_init(&w, sys, method, 0, tab);
    lie_stepper_control(w.st, u_minus, u_plus);
    state_random(sys, &after, &rng, 0.6, 0.7);
    for (int k = 0; k < 7; k++) {
        before = after;
        TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_step(w.st, &after, lengths[k]), method);
        if (k < 5) continue;
        problem p = {lie_stepper_group(w.st),
                     sys,
                     lie_stepper_tableau(w.st),
                     full,
                     full && middle_of_tableau(lie_stepper_tableau(w.st)),
                     before.t,
                     lengths[k],
                     u_minus,
                     u_plus,
                     {0.0},
                     {{0.0}}};
        worst = fmax(worst, residual(&p, &before, &after));
    }
    return worst;
}

/* The substeps of a composition are steps of its base method. */
static double composed_step(const lie_system *sys, const lie_method *method)
{
    static walker w, base;
    const lie_composition *parts;
    lie_random rng = {12u};
    lie_state s, by_parts;
    double done = 0.0;
    char name[40];
    snprintf(name, sizeof name, "%s", method->name);
    *strchr(name, '_') = 0;
    TEST_ASSERT_EQUAL(LIE_OK, lie_composition_find(&parts, method->composition));
    walker_init(&w, sys, method->name, 0, 0);
    walker_init(&base, sys, name, 0, 0);
    state_random(sys, &s, &rng, 0.6, 0.7);
    by_parts = s;
    lie_stepper_control(w.st, u_minus, u_plus);
    TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_step(w.st, &s, 0.12), method->name);
    for (int i = 0; i < parts->stages; i++) {
        double from[FIXTURE_CONTROLS], to[FIXTURE_CONTROLS];
        for (int k = 0; k < FIXTURE_CONTROLS; k++) {
            from[k] = u_minus[k] + done * (u_plus[k] - u_minus[k]);
            to[k] = from[k] + parts->gamma[i] * (u_plus[k] - u_minus[k]);
        }
        lie_stepper_control(base.st, from, to);
        TEST_ASSERT_EQUAL(LIE_OK, lie_step(base.st, &by_parts, 0.12 * parts->gamma[i]));
        done += parts->gamma[i];
    }
    return state_distance(lie_stepper_group(w.st), &s, &by_parts);
}

/* Made from a discrete action: of the family of sv, vprk0 or vprk */
static int is_variational(const lie_method *method)
{
    static const char *const names[3] = {"sv", "vprk0", "vprk"};
    const lie_method *m;
    for (int i = 0; i < 3; i++) {
        TEST_ASSERT_EQUAL(LIE_OK, lie_method_find(&m, names[i]));
        if (m->family == method->family) return 1;
    }
    return 0;
}

static int is_untruncated(const lie_method *method)
{
    return strcmp(method->name, "vprk") == 0 || strncmp(method->name, "gauss", 5) == 0 ||
           strncmp(method->name, "lobatto", 7) == 0;
}

/* One method with all its tableaux on one system. */
static double method_residual(const lie_system *sys, const lie_method *method)
{
    double worst = 0.0;
    if (method->composition) return composed_step(sys, method);
    if (!method->needs_tableau) return two_steps(sys, method->name, 0, is_untruncated(method));
    for (int k = 0; k < lie_tableau_builtin_count(); k++)
        if (tableau_is_variational(lie_tableau_builtin(k)))
            worst = fmax(worst, two_steps(sys, method->name, lie_tableau_builtin(k), is_untruncated(method)));
    return worst;
}

/* Every method on every group with the terms named. */
static void all_methods(const char *title, int terms)
{
    static fixture f;
    double worst = 0.0;
    const char *method_of_worst = "", *group_of_worst = "";
    int count = 0;
    for (int i = 0; i < lie_method_builtin_count(); i++) {
        const lie_method *method = lie_method_builtin(i);
        if (!is_variational(method) || (method->needs_free && (terms & ~EXTERNAL))) continue;
        for (int k = 0; k < all.count; k++, count++) {
            fixture_make(&f, all.G[k], terms);
            double r = method_residual(&f.sys, method);
            if (!(r <= worst)) worst = r, method_of_worst = method->name, group_of_worst = all.G[k]->group;
            TEST_ASSERT_TRUE_MESSAGE(r <= 3e-12, method->name);
        }
    }
    printf("  %s, %d methods x groups: worst residual %.1e (%s on %s)\n", title, count, worst, method_of_worst,
           group_of_worst);
}

void test_stepper_action_free(void)
{
    all_methods("free", 0);
}

void test_stepper_action_potential(void)
{
    all_methods("potential", POTENTIAL);
}

void test_stepper_action_gyroscopic(void)
{
    all_methods("potential and gyroscopic term", POTENTIAL | GYRO);
}

void test_stepper_action_general_lagrangian(void)
{
    all_methods("general Lagrangian", GENERAL);
}

void test_stepper_action_forced(void)
{
    all_methods("potential, gyroscopic term, drag, drive and control", POTENTIAL | GYRO | EXTERNAL);
}

void test_stepper_action_forced_free(void)
{
    all_methods("drag, drive and control", EXTERNAL);
}
