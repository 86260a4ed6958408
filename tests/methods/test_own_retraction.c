/* SPDX-License-Identifier: MIT */
/* Steps with a retraction of which nothing but tau is given, so that lie_ops_complete takes differences for its tangent
 * (differences.c; the maps themselves: test_differences.c). A heavy top on SO(3):
 *   the Cayley map given that way steps as the library's does, to the error of the differences;
 *   the momentum about the vertical is kept to round-off, the symplectic form to the error of the differences;
 *   a retraction that the library does not know, the polar factor of 1 + hat(w), is a method of order 2. */
#include <liestep/so3.h>
#include <liestep/stepper.h>
#include <liestep/systems.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "unity.h"

static const lie_heavy_top top = {.inertia = {1.1, 0.2, -0.1, 0.2, 1.9, 0.15, -0.1, 0.15, 2.7},
                                  .mass = 1.0,
                                  .centre = {0.3, -0.2, 1.0},
                                  .gravity = 9.81};

static const char *const methods[] = {"sv", "ve_fwd", "ve_bwd", "midpoint", "gauss2", "lobatto3a3", "sv_triple4"};
enum { METHODS = sizeof methods / sizeof methods[0] };

/* The operations of a group of the library with a tau of one's own and nothing that follows from tau. */
static lie_ops only(const lie_ops *G, lie_status (*tau)(const lie_ops *, double *, const double *))
{
    lie_ops own = {.group = "own",
                   .retraction = "own",
                   .dim = G->dim,
                   .size = G->size,
                   .identity = G->identity,
                   .mul = G->mul,
                   .inv = G->inv,
                   .Ad = G->Ad,
                   .ad = G->ad,
                   .tau = tau,
                   .project = G->project};
    TEST_ASSERT_EQUAL(LIE_OK, lie_ops_complete(&own));
    TEST_ASSERT_EQUAL(LIE_DIFFERENCES_OF_TAU, own.differences);
    return own;
}

/* The polar factor of 1 + hat(w): a turn by arctan |w|. */
static lie_status polar(const lie_ops *G, double *R, const double *w)
{
    const double M[9] = {1, -w[2], w[1], w[2], 1, -w[0], -w[1], w[0], 1};
    (void)G;
    return lie_so3_project(R, M);
}

static lie_system top_on(const lie_ops *G)
{
    lie_system sys;
    TEST_ASSERT_EQUAL(LIE_OK, lie_heavy_top_system(&sys, &top, "SO3"));
    sys.group = G;
    return sys;
}

static lie_state start_of(const lie_system *sys)
{
    static const double w[3] = {0.4, -0.3, 0.5}, omega[3] = {0.7, 0.9, -2.6};
    double R[9];
    lie_state s;
    lie_so3_exp(R, w);
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(sys, &s, 0.0, R, omega));
    return s;
}

/* Their chart is anchored there. */
static int is_in_the_middle(const char *method)
{
    return strcmp(method, "gauss2") == 0 || strcmp(method, "lobatto3a3") == 0;
}

static void advance(const lie_system *sys, lie_state *s, const char *method, double h, int n)
{
    double work[2048];
    lie_options options = {.method = method};
    lie_stepper *st;
    if (is_in_the_middle(method)) { /* in the chart, on every group */
        options.method = "vprk";
        TEST_ASSERT_EQUAL(LIE_OK, lie_tableau_find(&options.tableau, method));
    }
    TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&st, sys, &options, work, sizeof work));
    TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_run(st, s, h, n), method);
}

static double distance(const lie_system *sys, const lie_state *a, const lie_state *b)
{
    double d = 0.0;
    for (int i = 0; i < sys->group->size; i++) d = fmax(d, fabs(a->g[i] - b->g[i]));
    for (int i = 0; i < sys->group->dim; i++) d = fmax(d, fabs(a->m[i] - b->m[i]));
    return d;
}

void test_own_retraction_cayley_steps_as_with_its_tangent(void)
{
    lie_ops own = only(&lie_so3_cay_ops, lie_so3_cay_ops.tau);
    lie_system given = top_on(&lie_so3_cay_ops), bare = top_on(&own);
    for (int k = 0; k < METHODS; k++) {
        lie_state a = start_of(&given), b = start_of(&bare);
        advance(&given, &a, methods[k], 0.04, 12);
        advance(&bare, &b, methods[k], 0.04, 12);
        TEST_ASSERT_TRUE_MESSAGE(distance(&given, &a, &b) < 2e-12, methods[k]);
    }
}

void test_own_retraction_keeps_the_momentum_to_round_off(void)
{
    lie_ops own = only(&lie_so3_exp_ops, polar);
    lie_system sys = top_on(&own);
    for (int k = 0; k < METHODS; k++) {
        lie_state s = start_of(&sys);
        double before[3], after[3];
        lie_state_spatial_momentum(&sys, before, &s);
        advance(&sys, &s, methods[k], 0.05, 40);
        lie_state_spatial_momentum(&sys, after, &s);
        /* |m| is 8. The chart in the middle is two moves of the same error, from its start and on to its end. */
        double bound = is_in_the_middle(methods[k]) ? 2.5e-14 : 8e-15;
        TEST_ASSERT_TRUE_MESSAGE(fabs(after[2] - before[2]) < bound, methods[k]);
    }
}

/* The image of (R exp(d e_i), m), or of (R, m + d e_{i-3}), under a step, in coordinates at `end`. */
static void image(double *out, const lie_system *sys, const char *method, const lie_state *end, int i, double d)
{
    lie_state s = start_of(sys);
    double x[3] = {0.0}, T[9];
    if (i < 3)
        x[i] = d;
    else
        s.m[i - 3] += d;
    lie_so3_exp(T, x);
    lie_so3_mul(s.g, s.g, T);
    advance(sys, &s, method, 0.1, 1);
    lie_so3_inv(T, end->g);
    lie_so3_mul(T, T, s.g);
    TEST_ASSERT_EQUAL(LIE_OK, lie_so3_log(out, T));
    for (int k = 0; k < 3; k++) out[3 + k] = s.m[k];
}

/* Omega((eta1, nu1), (eta2, nu2)) = <nu2, eta1> - <nu1, eta2> + <m, [eta1, eta2]> */
static double two_form(const double *m, const double *a, const double *b)
{
    double bracket[3], sum = 0.0;
    lie_so3_ad(bracket, a, b);
    for (int i = 0; i < 3; i++) sum += b[3 + i] * a[i] - a[3 + i] * b[i] + m[i] * bracket[i];
    return sum;
}

/* max |J^T Omega(m+) J - Omega(m)|, the columns of J by central differences of order 6 */
static double symplectic_defect(const lie_system *sys, const char *method)
{
    static const double weight[3] = {45.0 / 60, -9.0 / 60, 1.0 / 60}, d = 0x1p-7;
    double J[6][6] = {{0.0}}, unit[6][6] = {{0.0}}, a[6], b[6], defect = 0.0;
    lie_state start = start_of(sys), end = start;
    advance(sys, &end, method, 0.1, 1);
    for (int j = 0; j < 6; j++) {
        unit[j][j] = 1.0;
        for (int k = 0; k < 3; k++) {
            image(a, sys, method, &end, j, (k + 1) * d);
            image(b, sys, method, &end, j, -(k + 1) * d);
            for (int i = 0; i < 6; i++) J[j][i] += weight[k] * (a[i] - b[i]) / d;
        }
    }
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < i; j++)
            defect = fmax(defect, fabs(two_form(end.m, J[i], J[j]) - two_form(start.m, unit[i], unit[j])));
    return defect;
}

/* dtau_x v off by a part in 10^8: the form must show it. */
static lie_status spoilt_dtau(const lie_ops *G, double *out, const double *x, const double *v)
{
    (void)G;
    lie_so3_dcay(out, x, v);
    for (int i = 0; i < 3; i++) out[i] += 1e-8 * x[2] * v[i];
    return LIE_OK;
}

void test_own_retraction_keeps_the_symplectic_form(void)
{
    static const char *const tried[] = {"sv", "ve_fwd", "gauss2"};
    lie_ops own = only(&lie_so3_exp_ops, polar), spoilt = lie_so3_cay_ops;
    lie_system sys = top_on(&own), wrong = top_on(&spoilt);
    for (int k = 0; k < 3; k++) {
        double defect = symplectic_defect(&sys, tried[k]);
        printf("symplectic form, polar retraction, %s: %.1e\n", tried[k], defect);
        TEST_ASSERT_TRUE_MESSAGE(defect < (k < 2 ? 2e-12 : 2e-10), tried[k]);
    }
    spoilt.group = spoilt.retraction = "spoilt";
    spoilt.legendre = NULL;
    spoilt.dtau = spoilt_dtau;
    spoilt.dtaut = spoilt.dtauinv = spoilt.dtauinvt = spoilt.dtau_body_deriv = NULL;
    TEST_ASSERT_EQUAL(LIE_OK, lie_ops_complete(&spoilt));
    TEST_ASSERT_EQUAL(LIE_DIFFERENCES_OF_DTAU, spoilt.differences);
    TEST_ASSERT_TRUE(symplectic_defect(&wrong, "sv") > 1e-11);
}

void test_own_retraction_is_of_order_two(void)
{
    lie_ops own = only(&lie_so3_exp_ops, polar);
    lie_system sys = top_on(&own), reference = top_on(&lie_so3_exp_ops);
    lie_state exact = start_of(&reference);
    double error[3];
    advance(&reference, &exact, "gauss3", 0.01, 40);
    for (int k = 0; k < 3; k++) {
        lie_state s = start_of(&sys);
        advance(&sys, &s, "sv", 0.01 / (1 << k), 40 << k);
        error[k] = distance(&sys, &s, &exact);
    }
    for (int k = 1; k < 3; k++) TEST_ASSERT_TRUE(fabs(log2(error[k - 1] / error[k]) - 2.0) < 0.05);
}

/* Beyond its domain, a step says so and leaves the state: skew of this length does not exist. */
void test_own_retraction_beyond_its_domain(void)
{
    lie_ops own = only(&lie_so3_skew_ops, lie_so3_skew_ops.tau);
    lie_system sys = top_on(&own);
    lie_state s = start_of(&sys), before = s;
    lie_stepper *st;
    double work[2048];
    TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&st, &sys, &(lie_options){.method = "sv"}, work, sizeof work));
    lie_status status = lie_step(st, &s, 0.9);
    TEST_ASSERT_TRUE(status == LIE_ERR_DOMAIN || status == LIE_ERR_NO_CONVERGENCE);
    TEST_ASSERT_EQUAL_MEMORY(&before, &s, sizeof s);
    TEST_ASSERT_EQUAL(LIE_OK, lie_step(st, &s, 0.05));
}
