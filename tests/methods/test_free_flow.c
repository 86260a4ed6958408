/* SPDX-License-Identifier: MIT */
/* The exact free rigid body against the differential equations in MPFR, in every regime; against itself (composition,
 * reversal), against its integrals and against a method of order 8; and what a million steps of it leave.
 *
 * Errors are counted in eps = 2^-52 and in what rounded data alone would do: 1 + the angle |m h|/I1 turned, or, near
 * the separatrix, the measured condition of the motion. */
#include <liestep/free_flow.h>
#include <liestep/s3.h>
#include <liestep/so3.h>
#include <liestep/stepper.h>

#include "groups/num/principal.h"
#include "groups/step/so3_step.h"
#include "tests/support/inertia.h"
#include "tests/support/near.h"
#include "tests/support/ref_free_body.h"

/* The worst errors of a regime. */
typedef struct worst {
    double attitude, momentum, change, energy, length, spatial;
} worst;

static void raise_to(double *worst_so_far, double error)
{
    if (!(error <= *worst_so_far)) *worst_so_far = error;
}

static double energy_of(const double inertia[9], const double m[3])
{
    double w[3];
    inverse_times(3, w, inertia, m);
    return 0.5 * pair3(m, w);
}

/* Unit data of a motion: the body, where it starts. */
typedef struct motion {
    double inertia[9], m[3];
} motion;

static motion diagonal(double a, double b, double c, double m1, double m2, double m3)
{
    return (motion){{[0] = a, [4] = b, [8] = c}, {m1, m2, m3}};
}

static double smallest_moment(const motion *c)
{
    double moment[3], V[9], low[9];
    lie__principal(moment, V, low, c->inertia);
    return moment[0];
}

/* The step, and q and m after it from q = 1. */
static lie_free_turn flow(double q[4], double m[3], const motion *c, double h)
{
    lie_free_flow body;
    lie_free_turn step;
    TEST_ASSERT_EQUAL(LIE_OK, lie_free_flow_init(&body, c->inertia));
    TEST_ASSERT_EQUAL(LIE_OK, lie_free_flow_turn(&body, &step, c->m, h));
    q[0] = 1.0 + step.a;
    for (int i = 0; i < 3; i++) q[1 + i] = step.v[i], m[i] = c->m[i] + step.dm[i];
    return step;
}

/* The changes of a short step: relative to the angle, which is all that can be asked for. */
static double change_error(const lie_free_turn *step, const motion *c, mpfr_ptr want, double angle)
{
    double size = norm(3, c->m), error = ref_distance(3, step->v, want + 1) / angle;
    if (angle < 1e-20 || size * angle < 0x1p-960)
        return error; /* the difference is below the digits kept here, or of m */
    for (int i = 0; i < 3; i++) mpfr_sub_d(want + 4 + i, want + 4 + i, c->m[i], MPFR_RNDN);
    return fmax(error, ref_distance(3, step->dm, want + 4) / size / angle);
}

/* One step against the reference. */
static void compare(worst *w, const motion *c, double h, int sensitive, int is_long)
{
    double q[4], m[3], back[3], size = norm(3, c->m);
    double angle = fabs(size * h) / smallest_moment(c);
    lie_free_turn step = flow(q, m, c, h);
    int mark = ref_mark();
    ref_motion r = ref_motion_of(c->inertia, c->m, h);
    mpfr_ptr want = ref_new(7);
    if (is_long)
        ref_free_flow_long(want, &r);
    else
        ref_free_flow(want, &r);
    double unit = DBL_EPSILON * (sensitive ? ref_free_condition(&r) : 1.0 + angle);
    raise_to(&w->attitude, ref_distance(4, q, want) / unit);
    raise_to(&w->momentum, ref_distance(3, m, want + 4) / (size > 0.0 ? size : 1.0) / unit);
    if (angle < 0.5) raise_to(&w->change, change_error(&step, c, want, angle) / DBL_EPSILON);
    ref_release(mark);
    if (size == 0.0 || !(size * size > 0.0 && size * size < HUGE_VAL)) return;
    lie_s3_act(back, q, m);
    for (int i = 0; i < 3; i++) back[i] -= c->m[i];
    raise_to(&w->spatial, norm(3, back) / size / DBL_EPSILON);
    raise_to(&w->energy, fabs(energy_of(c->inertia, m) / energy_of(c->inertia, c->m) - 1.0) / DBL_EPSILON);
    raise_to(&w->length, fabs(norm(3, m) / size - 1.0) / DBL_EPSILON);
}

/* Steps of many lengths, as the angle turned. */
static const double angles[] = {1e-300, 1e-12, 1e-6, 1e-3, 0.03, -0.11, 0.35, 0.9, -2.1, 9.0};
enum { ANGLES = sizeof angles / sizeof angles[0] };

static void all_steps(worst *w, const motion *c, int sensitive)
{
    double unit = smallest_moment(c) / norm(3, c->m);
    for (int i = 0; i < ANGLES; i++)
        if (fabs(angles[i] * unit) > DBL_MIN) compare(w, c, angles[i] * unit, sensitive && fabs(angles[i]) > 0.5, 0);
}

/* Bounds: 2 for what has the unit above, 4 for the changes of short steps; the integrals are compared in plain eps and
 * pay for being computed here. */
static void report(const char *regime, const worst *w)
{
    char text[160];
    snprintf(text, sizeof text,
             "%-26s attitude %5.2f  m %5.2f  change %5.2f   |m| %5.2f  energy %5.2f  spatial %5.2f eps", regime,
             w->attitude, w->momentum, w->change, w->length, w->energy, w->spatial);
    printf("%s\n", text);
    TEST_ASSERT_TRUE_MESSAGE(w->attitude <= 2.0 && w->momentum <= 2.0 && w->change <= 4.0, text);
    TEST_ASSERT_TRUE_MESSAGE(w->length <= 8.0 && w->energy <= 12.0 && w->spatial <= 8.0, text);
}

void setUp(void)
{
    ref_set_prec(REF_FREE_PREC);
}

void tearDown(void)
{
    ref_end();
}

void test_free_flow_asymmetric_body(void)
{
    lie_random rng = {51u};
    worst w = {0}, full = {0};
    for (int k = 0; k < 12; k++) {
        motion c =
            diagonal(1.0 + 0.37 * (k % 3), 1.2 + 0.71 * ((k + 1) % 3), 1.4 + 0.55 * ((k * k) % 5), 0.0, 0.0, 0.0);
        random_vector(&rng, 3, c.m, 2.0);
        all_steps(&w, &c, 0);
        random_inertia(&rng, 3, c.inertia, 1.0);
        all_steps(&full, &c, 0);
    }
    report("asymmetric, diagonal", &w);
    report("asymmetric, full", &full);
}

/* Both sides of the separatrix and close to the axes, for every order of the moments. */
void test_free_flow_near_principal_axes(void)
{
    static const double off[] = {0.0, 1e-300, 1e-170, 1e-16, 1e-8, 0.1};
    for (int axis = 0; axis < 3; axis++) {
        worst w = {0};
        char name[40];
        for (int k = 0; k < (int)(sizeof off / sizeof off[0]); k++) {
            double m[3] = {0.71 * off[k], -0.93 * off[k], 0.83 * off[k]};
            m[axis] = k % 2 ? 1.37 : -1.37;
            for (int shift = 0; shift < 3; shift++) {
                motion c = {{0}, {0}};
                static const double moment[3] = {1.13, 1.71, 2.63};
                for (int i = 0; i < 3; i++) c.inertia[4 * ((i + shift) % 3)] = moment[i], c.m[(i + shift) % 3] = m[i];
                all_steps(&w, &c, axis == 1);
            }
        }
        snprintf(name, sizeof name, "close to axis %d", axis + 1);
        report(name, &w);
    }
}

/* With moments 2, 3, 6 the separatrix is |m1| = |m3|. */
void test_free_flow_near_the_separatrix(void)
{
    static const double off[] = {0.0, 1e-15, -1e-15, -1e-10, 1e-8, 1e-4};
    static const double second[] = {0.0, 0.4, -17.0, 1e5};
    worst on = {0}, near = {0};
    for (int k = 0; k < (int)(sizeof off / sizeof off[0]); k++)
        for (int j = 0; j < 4; j++) {
            motion c = diagonal(2.0, 3.0, 6.0, 1.1, second[j], -1.1 * (1.0 + off[k]));
            all_steps(k == 0 ? &on : &near, &c, 1);
        }
    report("on the separatrix", &on);
    report("close to the separatrix", &near);
}

/* Far along the separatrix: the momentum stays where the unstable axis is. */
void test_free_flow_ends_on_the_middle_axis(void)
{
    static const double h[] = {400.0, -900.0, 1e4, -1e5, 1e12};
    for (int i = 0; i < 5; i++) {
        motion c = diagonal(2.0, 3.0, 6.0, 1.1, 0.4, 1.1);
        double q[4], m[3], want[3] = {0.0, copysign(norm(3, c.m), h[i]), 0.0}, one = 1.0, back[3];
        flow(q, m, &c, h[i]);
        NEAR(3, m, want, 20.0);
        double length = norm(4, q);
        NEAR(1, &length, &one, 4.0);
        lie_s3_act(back, q, m);
        NEAR(3, back, c.m, 20.0);
    }
}

void test_free_flow_symmetric_bodies(void)
{
    static const double off[] = {0.0, 2.3e-16, -3e-15, 1e-12, -1e-8, 1e-4};
    worst prolate = {0}, oblate = {0}, sphere = {0};
    lie_random rng = {52u};
    for (int k = 0; k < (int)(sizeof off / sizeof off[0]); k++)
        for (int j = 0; j < 2; j++) {
            motion c = diagonal(0.7, 1.9, 1.9 * (1.0 + off[k]), 0.0, 0.0, 0.0);
            random_vector(&rng, 3, c.m, 2.0);
            all_steps(&prolate, &c, 0);
            c.inertia[0] = 2.7;
            all_steps(&oblate, &c, 0);
            c.inertia[0] = 1.9 * (1.0 - 0.3 * off[k]);
            all_steps(&sphere, &c, 0);
        }
    report("prolate and nearly so", &prolate);
    report("oblate and nearly so", &oblate);
    report("sphere and nearly so", &sphere);
}

void test_free_flow_any_units(void)
{
    static const double size[] = {1e-300, 1e-170, 1e-20, 1e120, 1e170, 1e300};
    worst momenta = {0}, moments = {0}, shapes = {0};
    for (int k = 0; k < 6; k++) {
        motion c = diagonal(1.3, 2.1, 2.9, 0.5 * size[k], 0.7 * size[k], -0.51 * size[k]);
        all_steps(&momenta, &c, 0);
        c = diagonal(1.3 * size[k], 2.1 * size[k], 2.9 * size[k], 0.5, 0.7, -0.51);
        if (size[k] < 1e250 && size[k] > 1e-250) all_steps(&moments, &c, 0);
    }
    for (int k = 0; k < 3; k++) {
        static const motion odd[3] = {{{[0] = 1e-6, [4] = 1.1, [8] = 1.3}, {1e-6, 0.7, -0.4}},
                                      {{[0] = 1e-3, [4] = 1e-2, [8] = 3.1}, {0.02, 0.1, 0.3}},
                                      {{[0] = 1.1, [4] = 1.2, [8] = 1e4}, {0.6, -0.4, 80.0}}};
        all_steps(&shapes, &odd[k], 0);
    }
    report("|m| from 1e-300 to 1e300", &momenta);
    report("I from 1e-170 to 1e170", &moments);
    report("rods and plates", &shapes);
}

/* From one to a million periods. */
void test_free_flow_long_times(void)
{
    static const double h[] = {20.0, -33.0, 471.3, -9999.0, 1e5, 3e7, -2.5e8};
    worst w = {0};
    lie_random rng = {53u};
    for (int k = 0; k < 4; k++) {
        motion c = diagonal(1.3, 2.1, 2.9, 0.0, 0.0, 0.0);
        random_vector(&rng, 3, c.m, 1.5);
        if (k == 3) c.m[0] = 0.01;
        for (int i = 0; i < 7; i++) compare(&w, &c, h[i], 0, 1);
    }
    report("1 to 1e7 periods", &w);
}

/* Phi(h1) Phi(h2) = Phi(h1 + h2), Phi(-h) Phi(h) = 1, with the signs of the quaternions. */
void test_free_flow_composes(void)
{
    lie_random rng = {54u};
    worst w = {0};
    for (int k = 0; k < 4000; k++) {
        motion c, next;
        double q1[4], q2[4], q[4], m[3];
        random_inertia(&rng, 3, c.inertia, 2.0);
        random_vector(&rng, 3, c.m, 2.0);
        next = c;
        double reach = k % 2 ? 1.0 : 12.0, h1 = random_double(&rng, reach),
               h2 = k % 5 ? random_double(&rng, reach) : -h1;
        flow(q1, next.m, &c, h1);
        flow(q2, m, &next, h2);
        lie_s3_mul(q1, q1, q2);
        flow(q, next.m, &c, h1 + h2);
        double unit = DBL_EPSILON * (1.0 + (fabs(h1) + fabs(h2)) * norm(3, c.m) / smallest_moment(&c));
        for (int i = 0; i < 4; i++) q1[i] -= q[i];
        for (int i = 0; i < 3; i++) m[i] -= next.m[i];
        raise_to(&w.attitude, norm(4, q1) / unit);
        raise_to(&w.momentum, norm(3, m) / norm(3, c.m) / unit);
    }
    report("composition", &w);
}

/* gauss4 has order 8: what it and the flow differ by falls accordingly, down to its round-off. */
void test_free_flow_is_what_gauss4_converges_to(void)
{
    static const double inertia[9] = {1.3, 0.1, -0.2, 0.1, 2.1, 0.15, -0.2, 0.15, 2.9};
    static double work[4096];
    const lie_ops *G;
    double one[4] = {1.0, 0.0, 0.0, 0.0}, off[2];
    motion c = {{0}, {0.9, 1.3, -1.7}};
    memcpy(c.inertia, inertia, sizeof inertia);
    TEST_ASSERT_EQUAL(LIE_OK, lie_ops_find(&G, "S3", "exp"));
    lie_system sys = {.name = "free body", .group = G, .inertia = inertia};
    for (int k = 0; k < 2; k++) {
        lie_stepper *st;
        lie_state s;
        double q[4], m[3];
        TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&st, &sys, &(lie_options){.method = "gauss4", .retraction = "exp"},
                                                   work, sizeof work));
        TEST_ASSERT_EQUAL(LIE_OK, lie_state_set_momentum(&sys, &s, 0.0, one, c.m));
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(st, &s, k ? 0.125 : 0.5, k ? 24 : 6));
        flow(q, m, &c, 3.0);
        for (int i = 0; i < 4; i++) q[i] -= s.g[i];
        off[k] = norm(4, q);
    }
    printf("gauss4 is off by %.2g at h = 1/2, %.2g at h = 1/8\n", off[0], off[1]);
    TEST_ASSERT_TRUE(off[0] < 1e-6 && off[1] < 1e-12 && off[1] < off[0] * 0x1p-14);
}

/* A run on S3 and on SO(3) that carries the rounding of its sums, settled as lie_run does. */
typedef struct run {
    double q[4], low_q[4], m[3], low_m[3], R[9], low_R[9], m_R[3], low_m_R[3];
} run;

static void run_from(run *s, const motion *c, double h, long steps)
{
    lie_free_flow body;
    *s = (run){.q = {1.0}, .R = {[0] = 1.0, [4] = 1.0, [8] = 1.0}};
    memcpy(s->m, c->m, sizeof s->m);
    memcpy(s->m_R, c->m, sizeof s->m_R);
    TEST_ASSERT_EQUAL(LIE_OK, lie_free_flow_init(&body, c->inertia));
    for (long k = 0; k < steps; k++) {
        TEST_ASSERT_EQUAL(LIE_OK, lie_free_flow_s3(&body, s->q, s->low_q, s->m, s->low_m, h));
        TEST_ASSERT_EQUAL(LIE_OK, lie_free_flow_so3(&body, s->R, s->low_R, s->m_R, s->low_m_R, h));
        if (k % 1024 == 1023) s3_settle(&lie_s3_exp_ops, s->q, s->low_q), so3_settle(&lie_so3_exp_ops, s->R, s->low_R);
    }
}

/* The last digit of dm is left to chance: energy and momentum walk by eps |dm| a step, and the angle, whose rate they
 * are, by h^2 steps^(3/2) eps (Brouwer 1937). A rounding that is the same at every step fails this. */
static void check_run(const motion *c, double h, long steps, int known)
{
    run s;
    double at[3], at_R[3], n = (double)steps, walk = DBL_EPSILON * h * sqrt(n);
    run_from(&s, c, h, steps);
    SAME(3, s.m, s.m_R);
    lie_s3_act(at, s.q, s.m);
    lie_so3_act(at_R, s.R, s.m);
    double energy = fabs(energy_of(c->inertia, s.m) / energy_of(c->inertia, c->m) - 1.0), attitude = 0.0;
    for (int i = 0; i < 3; i++) at[i] -= c->m[i], at_R[i] -= c->m[i];
    double momentum = norm(3, at) / norm(3, c->m), momentum_R = norm(3, at_R) / norm(3, c->m);
    int mark = ref_mark();
    ref_motion r = ref_motion_of(c->inertia, c->m, h);
    mpfr_ptr want = ref_new(7);
    mpfr_mul_si(r.h, r.h, steps, MPFR_RNDN);
    if (known) ref_free_flow_long(want, &r), attitude = ref_distance(4, s.q, want);
    ref_release(mark);
    printf("h = %-5g %7ld steps: energy %.1e, spatial momentum %.1e, %.1e", h, steps, energy, momentum, momentum_R);
    if (known) printf(", attitude %.1e, %.2f eps per rad", attitude, attitude / DBL_EPSILON / (h * n));
    printf("\n");
    TEST_ASSERT_TRUE(energy <= 3.0 * walk + 8.0 * DBL_EPSILON);
    TEST_ASSERT_TRUE(momentum <= 3.0 * walk + 8.0 * DBL_EPSILON);
    TEST_ASSERT_TRUE(momentum_R <= 3.0 * walk + 8.0 * DBL_EPSILON);
    TEST_ASSERT_TRUE(attitude <= DBL_EPSILON * (20.0 + 2.0 * h * n) + 0.2 * walk * h * n);
}

void test_free_flow_long_runs(void)
{
    motion c = diagonal(1.3, 2.1, 2.9, 0.65, 1.47, -1.479);
    motion full = {{1.3, 0.1, -0.2, 0.1, 2.1, 0.15, -0.2, 0.15, 2.9}, {0.65, 1.47, -1.479}};
    check_run(&c, 0.005, 1000000, 1);
    check_run(&c, 0.05, 1000000, 1);
    check_run(&c, 0.5, 300000, 1);
    check_run(&c, 5.0, 100000, 1);
    check_run(&full, 0.05, 1000000, 0);
    check_run(&full, 0.5, 300000, 0);
}

void test_free_flow_rest_and_no_time(void)
{
    motion c = diagonal(1.3, 2.1, 2.9, 0.0, 0.0, 0.0);
    double q[4], m[3], one[4] = {1.0, 0.0, 0.0, 0.0};
    flow(q, m, &c, 1.7);
    SAME(4, q, one);
    SAME(3, m, c.m);
    c.m[0] = 0.3, c.m[1] = -0.2;
    flow(q, m, &c, 0.0);
    SAME(4, q, one);
    SAME(3, m, c.m);
}

void test_free_flow_refuses(void)
{
    static const double bad[][9] = {{1, 0.1, 0, 0, 2, 0, 0, 0, 3},
                                    {1, 0, 0, 0, -2, 0, 0, 0, 3},
                                    {1, 1, 1, 1, 1, 1, 1, 1, 1},
                                    {0, 0, 0, 0, 0, 0, 0, 0, 0}};
    static const double none[3] = {0.0, 0.0, 0.0};
    lie_free_flow body;
    double nan9[9] = {[0] = (double)NAN, [4] = 1.0, [8] = 1.0};
    for (int i = 0; i < 4; i++) REFUSED(LIE_ERR_INERTIA, 22, body.axes, lie_free_flow_init(&body, bad[i]));
    REFUSED(LIE_ERR_NOT_FINITE, 22, body.axes, lie_free_flow_init(&body, nan9));
    motion c = diagonal(1.3, 2.1, 2.9, 0.1, 0.2, 0.3);
    TEST_ASSERT_EQUAL(LIE_OK, lie_free_flow_init(&body, c.inertia));
    static const double value[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    for (int i = 0; i < 3; i++) {
        lie_free_turn step;
        for (int k = 0; k < 3; k++) {
            double m[3] = {0.1, 0.2, 0.3};
            m[k] = value[i];
            REFUSED(LIE_ERR_NOT_FINITE, 10, &step.a, lie_free_flow_turn(&body, &step, m, 0.1));
        }
        REFUSED(LIE_ERR_NOT_FINITE, 10, &step.a, lie_free_flow_turn(&body, &step, c.m, value[i]));
        REFUSED(LIE_ERR_NOT_FINITE, 10, &step.a, lie_free_flow_turn(&body, &step, none, value[i]));
    }
    lie_free_turn step;
    c.m[2] = 1e300;
    REFUSED(LIE_ERR_NOT_FINITE, 10, &step.a, lie_free_flow_turn(&body, &step, c.m, 1e10));
}

/* What rounding has lost may be left out, and is then lost; the step is the same but for its last digit. Bad numbers
 * are refused wherever they stand, with nothing changed. */
void test_free_flow_without_and_with_what_rounding_lost(void)
{
    lie_free_flow flow;
    motion c = diagonal(1.3, 2.1, 2.9, 0.65, 1.47, -1.479);
    TEST_ASSERT_EQUAL(LIE_OK, lie_free_flow_init(&flow, c.inertia));
    typedef struct body {
        double q[4], low_q[4], m[3], low_m[3];
    } body;
    body kept = {.q = {1.0}, .m = {0.65, 1.47, -1.479}}, bare = kept;
    for (int k = 0; k < 1000; k++) {
        TEST_ASSERT_EQUAL(LIE_OK, lie_free_flow_s3(&flow, kept.q, kept.low_q, kept.m, kept.low_m, 0.05));
        TEST_ASSERT_EQUAL(LIE_OK, lie_free_flow_s3(&flow, bare.q, NULL, bare.m, NULL, 0.05));
    }
    NEAR(3, bare.m, kept.m, 200.0);
    NEAR(4, bare.q, kept.q, 2000.0);
    TEST_ASSERT_TRUE(memcmp(bare.m, kept.m, sizeof bare.m) != 0);
    for (int i = 0; i < 14; i++) {
        body bad = kept, before;
        double *x = i < 4 ? bad.q + i : i < 8 ? bad.low_q + i - 4 : i < 11 ? bad.m + i - 8 : bad.low_m + i - 11;
        *x = i % 2 ? (double)NAN : (double)INFINITY;
        memcpy(&before, &bad, sizeof bad);
        TEST_ASSERT_EQUAL(LIE_ERR_NOT_FINITE, lie_free_flow_s3(&flow, bad.q, bad.low_q, bad.m, bad.low_m, 0.05));
        TEST_ASSERT_EQUAL(0, memcmp(&before, &bad, sizeof bad));
    }
    double R[9] = {[0] = 1.0, [4] = 1.0, [8] = 1.0}, low_R[9] = {0.0}, m[3] = {0.1, 0.2, 0.3};
    low_R[5] = (double)NAN;
    TEST_ASSERT_EQUAL(LIE_ERR_NOT_FINITE, lie_free_flow_so3(&flow, R, low_R, m, NULL, 0.1));
    R[2] = (double)NAN;
    REFUSED(LIE_ERR_NOT_FINITE, 3, m, lie_free_flow_so3(&flow, R, NULL, m, NULL, 0.1));
}
