/* SPDX-License-Identifier: MIT */
/* discrete_rebuilt.h: sv and gauss2 as discrete Lagrangians of a user's, on any group, for the tests of discrete.h. */
#ifndef LIESTEP_TESTS_DISCRETE_REBUILT_H
#define LIESTEP_TESTS_DISCRETE_REBUILT_H

#include <liestep/discrete.h>

#include "tests/support/inertia.h"
#include "tests/support/stepper_fixture.h"

/* L_d of a system by hand: what is common to sv and gauss2. */
typedef struct rebuilt {
    const lie_system *sys;
    const lie_ops *G;
    int slopes_taken;
} rebuilt;

static void between(const lie_ops *G, double *x, const double *g0, const double *g1)
{
    double g[LIE_SIZE_MAX];
    G->inv(G, g, g0);
    G->mul(G, g, g, g1);
    TEST_ASSERT_EQUAL(LIE_OK, G->tauinv(G, x, g));
}

/* sv: L_d = h (1/2 <I xi, xi> - (V0 + V1)/2), xi = tau^-1(g0^-1 g1)/h */
static inline lie_status sv_value(const lie_discrete *L, double *Ld, double t, const double *g0, const double *g1,
                                  double h)
{
    const rebuilt *r = (const rebuilt *)L->params;
    double x[LIE_DIM_MAX], mu[LIE_DIM_MAX];
    int n = r->G->dim;
    (void)t;
    between(r->G, x, g0, g1);
    apply(n, mu, r->sys->inertia, x);
    double V = r->sys->potential(r->sys, g0) + r->sys->potential(r->sys, g1);
    *Ld = 0.5 * fixture_dot(n, mu, x) / h - 0.5 * h * V;
    return LIE_OK;
}

static inline lie_status sv_slopes(const lie_discrete *L, double *D1, double *D2, double t, const double *g0,
                                   const double *g1, double h)
{
    rebuilt *r = (rebuilt *)(size_t)L->params;
    const lie_ops *G = r->G;
    double x[LIE_DIM_MAX], mu[LIE_DIM_MAX], F0[LIE_DIM_MAX], F1[LIE_DIM_MAX];
    int n = G->dim;
    (void)t;
    r->slopes_taken++;
    between(G, x, g0, g1);
    apply(n, mu, r->sys->inertia, x);
    for (int i = 0; i < n; i++) mu[i] /= h;
    if (G->dtauinvt(G, D1, x, mu) != LIE_OK) return LIE_ERR_DOMAIN;
    for (int i = 0; i < n; i++) x[i] = -x[i];
    if (G->dtauinvt(G, D2, x, mu) != LIE_OK) return LIE_ERR_DOMAIN;
    r->sys->force(r->sys, F0, g0);
    r->sys->force(r->sys, F1, g1);
    for (int i = 0; i < n; i++) D1[i] = -D1[i] + 0.5 * h * F0[i], D2[i] += 0.5 * h * F1[i];
    return LIE_OK;
}

/* M by differences: what the user would have as a formula */
static inline lie_status sv_mixed(const lie_discrete *L, double *M, double t, const double *g0, const double *g1,
                                  double h)
{
    rebuilt *r = (rebuilt *)(size_t)L->params;
    const lie_ops *G = r->G;
    int n = G->dim, taken = r->slopes_taken;
    double x[LIE_DIM_MAX] = {0.0}, g[LIE_SIZE_MAX], a[LIE_DIM_MAX], b[LIE_DIM_MAX], other[LIE_DIM_MAX];
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < 2; k++) {
            x[j] = k ? -0x1p-17 : 0x1p-17;
            TEST_ASSERT_EQUAL(LIE_OK, G->tau(G, g, x));
            G->mul(G, g, g1, g);
            TEST_ASSERT_EQUAL(LIE_OK, sv_slopes(L, k ? b : a, other, t, g0, g, h));
        }
        x[j] = 0.0;
        for (int i = 0; i < n; i++) M[i * n + j] = (a[i] - b[i]) * 0x1p+16;
    }
    r->slopes_taken = taken;
    return LIE_OK;
}

/* gauss2: two stages, stationary in psi_1, psi_2 with h (psi_1 + psi_2)/2 = tau^-1(g0^-1 g1) held */
typedef struct stages {
    double x[LIE_DIM_MAX], psi[2][LIE_DIM_MAX], R[2][LIE_DIM_MAX], impulse[LIE_DIM_MAX], action;
} stages;

static const lie_tableau *gauss2(void)
{
    const lie_tableau *tab = NULL;
    TEST_ASSERT_EQUAL(LIE_OK, lie_tableau_find(&tab, "gauss2"));
    return tab;
}

/* R_1, R_2, the impulse and the action of these psi */
static void gauss2_stages(const rebuilt *r, stages *s, const double *g0, double h)
{
    const lie_ops *G = r->G;
    const double *A = gauss2()->A;
    double D[2][LIE_DIM_MAX], M[LIE_DIM_MAX * LIE_DIM_MAX], th[LIE_DIM_MAX], g[LIE_SIZE_MAX], T[LIE_SIZE_MAX];
    double xi[LIE_DIM_MAX], mu[LIE_DIM_MAX], F[LIE_DIM_MAX], minus[LIE_DIM_MAX];
    int n = G->dim;
    s->action = 0.0;
    memset(s->impulse, 0, sizeof s->impulse);
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < n; k++)
            th[k] = h * (A[2 * i] * s->psi[0][k] + A[2 * i + 1] * s->psi[1][k]), minus[k] = -th[k];
        TEST_ASSERT_EQUAL(LIE_OK, G->tau(G, T, th));
        G->mul(G, g, g0, T);
        TEST_ASSERT_EQUAL(LIE_OK, G->dtau(G, xi, minus, s->psi[i]));
        apply(n, mu, r->sys->inertia, xi);
        s->action += 0.5 * h * (0.5 * fixture_dot(n, mu, xi) - r->sys->potential(r->sys, g));
        r->sys->force(r->sys, F, g);
        TEST_ASSERT_EQUAL(LIE_OK, G->dtau_body_deriv(G, M, th, s->psi[i]));
        TEST_ASSERT_EQUAL(LIE_OK, G->dtaut(G, s->R[i], minus, mu));
        TEST_ASSERT_EQUAL(LIE_OK, G->dtaut(G, D[i], minus, F));
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) D[i][j] += M[k * n + j] * mu[k];
        G->inv(G, T, T);
        G->Adt(G, F, T, F);
        for (int k = 0; k < n; k++) s->impulse[k] += 0.5 * h * F[k];
    }
    for (int k = 0; k < n; k++)
        for (int j = 0; j < 2; j++) s->R[j][k] += h * (A[j] * D[0][k] + A[2 + j] * D[1][k]);
}

/* R_1 = R_2 by Newton's method with the Jacobian for h = 0, which is 2 I */
static void gauss2_solve(const rebuilt *r, stages *s, const double *g0, const double *g1, double h)
{
    int n = r->G->dim;
    double d[LIE_DIM_MAX], last = HUGE_VAL;
    between(r->G, s->x, g0, g1);
    for (int k = 0; k < n; k++) s->psi[0][k] = s->psi[1][k] = s->x[k] / h;
    for (int it = 0; it < 60; it++) {
        gauss2_stages(r, s, g0, h);
        for (int k = 0; k < n; k++) d[k] = 0.5 * (s->R[0][k] - s->R[1][k]);
        double size = norm(n, d);
        if (size >= last && size < 1e-13) return;
        last = size;
        inverse_times(n, d, r->sys->inertia, d);
        for (int k = 0; k < n; k++) s->psi[0][k] -= d[k], s->psi[1][k] += d[k];
    }
    TEST_FAIL_MESSAGE("no stages between the two configurations");
}

static inline lie_status gauss2_value(const lie_discrete *L, double *Ld, double t, const double *g0, const double *g1,
                                      double h)
{
    stages s;
    (void)t;
    gauss2_solve((const rebuilt *)L->params, &s, g0, g1, h);
    *Ld = s.action;
    return LIE_OK;
}

static inline lie_status gauss2_slopes(const lie_discrete *L, double *D1, double *D2, double t, const double *g0,
                                       const double *g1, double h)
{
    const rebuilt *r = (const rebuilt *)L->params;
    stages s;
    (void)t;
    gauss2_solve(r, &s, g0, g1, h);
    lie_status status = r->G->dtauinvt(r->G, D1, s.x, s.R[0]);
    if (status != LIE_OK) return status;
    for (int k = 0; k < r->G->dim; k++) D1[k] = s.impulse[k] - D1[k], s.x[k] = -s.x[k];
    return r->G->dtauinvt(r->G, D2, s.x, s.R[0]);
}

static inline void own_init(walker *w, const lie_system *sys, const lie_discrete *L, const char *retraction)
{
    const lie_options opt = {.discrete = L, .retraction = retraction};
    TEST_ASSERT_TRUE(lie_stepper_memsize(sys, &opt) <= sizeof w->work);
    TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&w->st, sys, &opt, w->work, sizeof w->work));
}

static inline const lie_ops *group(const char *name, const char *retraction)
{
    const lie_ops *G = NULL;
    TEST_ASSERT_EQUAL(LIE_OK, lie_ops_find(&G, name, retraction));
    return G;
}

static walker own, builtin;

/* A variational method in the chart: of those with a Gauss or Lobatto tableau vprk, which does not leave it on any
 * group; gauss2 at the start of the step, as it is rebuilt here. */
static inline void chart_init(walker *w, const lie_system *sys, const char *method, const char *retraction)
{
    const lie_tableau *tab = NULL;
    int has_chart = strncmp(method, "gauss", 5) == 0 || strncmp(method, "lobatto", 7) == 0;
    if (has_chart) TEST_ASSERT_EQUAL(LIE_OK, lie_tableau_find(&tab, method));
    const lie_options opt = {.method = has_chart ? "vprk" : method,
                             .retraction = retraction,
                             .tableau = tab,
                             .anchor = strcmp(method, "gauss2") == 0 ? LIE_ANCHOR_START : LIE_ANCHOR_OF_TABLEAU};
    TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_stepper_init(&w->st, sys, &opt, w->work, sizeof w->work), method);
}

/* How far the runs of L_d and of the method are apart after `steps`, from the same state. */
static inline double apart(const fixture *f, const lie_discrete *L, const char *method, double h, int steps)
{
    lie_random rng = {71u};
    lie_state a, b;
    own_init(&own, &f->sys, L, f->sys.group->retraction);
    chart_init(&builtin, &f->sys, method, f->sys.group->retraction);
    state_random(&f->sys, &a, &rng, 0.6, 0.7);
    b = a;
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(own.st, &a, h, steps));
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(builtin.st, &b, h, steps));
    TEST_ASSERT_TRUE(lie_stepper_statistics(own.st)->residual_max < 1e-12);
    return state_distance(f->sys.group, &a, &b);
}

static const char *const names[5][2] = {{"S3", "cay"}, {"SO3", "cay"}, {"SE3", "cay"}, {"SO3", "exp"}, {"SE3", "exp"}};

#endif
