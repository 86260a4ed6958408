/* SPDX-License-Identifier: MIT */
/* Momentum of every method on every group with every retraction: the spatial momentum changes by the spatial impulses
 * of the forces, to round-off in every step (Marsden & West 2001, theorem 3.2.1).
 *
 *   free systems            all of it is constant, and m stays on its coadjoint orbit
 *   symmetric potentials    what belongs to the symmetry is constant
 *   forces u given in the inertial frame, wherever the body is
 *                           the impulse is the integral of u, by the quadrature of the method
 *   any forces              for methods whose stages can be seen from the ends of a step: the impulses at them, and
 *                           those of drag and controls, from their definition
 *
 * Steps vary in length and sign, controls jump from step to step. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/middle.h"
#include "tests/support/random.h"
#include "tests/support/stepper_cases.h"
#include "unity.h"

enum { STEPS = 12 };

/* Is the external force felt at the stages, with the velocity there? Otherwise at the two ends of each substep. */
static int is_untruncated(const case_method *m)
{
    const lie_method *vprk, *gauss, *lobatto;
    TEST_ASSERT_EQUAL(LIE_OK, lie_method_find(&vprk, "vprk"));
    TEST_ASSERT_EQUAL(LIE_OK, lie_method_find(&gauss, "gauss1"));
    TEST_ASSERT_EQUAL(LIE_OK, lie_method_find(&lobatto, "lobatto3a3"));
    return m->method->family == vprk->family || m->method->family == gauss->family ||
           m->method->family == lobatto->family;
}

/* The size of the terms that make up the spatial momentum of m at g: max over i of sum over j |Ad*_{g^-1}|_ij |m_j| */
static double spatial_size(const lie_ops *G, const double *g, const double *m)
{
    double M[CASE_DIM * CASE_DIM], inverse[CASE_SIZE], size = 0.0;
    G->inv(G, inverse, g);
    TEST_ASSERT_EQUAL(LIE_OK, lie_ops_linear_matrix(G, G->Adt, M, inverse));
    for (int i = 0; i < G->dim; i++) {
        double row = 0.0;
        for (int j = 0; j < G->dim; j++) row += fabs(M[i * G->dim + j] * m[j]);
        size = fmax(size, row);
    }
    return size;
}

/* J += f Ad*_{g^-1} F */
static void add_impulse(const lie_ops *G, double *J, double f, const double *g, const double *F)
{
    double inverse[CASE_SIZE], spatial[CASE_DIM];
    G->inv(G, inverse, g);
    G->Adt(G, spatial, inverse, F);
    for (int i = 0; i < G->dim; i++) J[i] += f * spatial[i];
}

/* A step: from where, to where, how long, with which controls. */
typedef struct taken {
    lie_state from, to;
    double h, u_minus[CASE_DIM], u_plus[CASE_DIM];
} taken;

/* What the impulses of a step sum up to in the inertial frame. */
typedef void impulse_fn(double *J, const lie_stepper *st, const case_method *m, const taken *s);

static void no_impulse(double *J, const lie_stepper *st, const case_method *m, const taken *s)
{
    (void)J, (void)st, (void)m, (void)s;
}

/* CASE_PUSHED: the integral of the control, by the quadrature of the method in every substep */
static void control_impulse(double *J, const lie_stepper *st, const case_method *m, const taken *s)
{
    static const double ends[2] = {0.0, 1.0}, halves[2] = {0.5, 0.5}, whole = 1.0;
    int full = is_untruncated(m), nodes = full ? lie_stepper_tableau(st)->stages : 2;
    int parts = lie_stepper_composition(st) ? lie_stepper_composition(st)->stages : 1;
    const double *c = full ? lie_stepper_tableau(st)->c : ends, *b = full ? lie_stepper_tableau(st)->b : halves;
    const double *gamma = lie_stepper_composition(st) ? lie_stepper_composition(st)->gamma : &whole;
    double from = 0.0;
    for (int k = 0; k < parts; from += gamma[k], k++)
        for (int i = 0; i < nodes; i++) {
            double at = from + gamma[k] * c[i];
            for (int r = 0; r < lie_stepper_group(st)->dim; r++)
                J[r] += s->h * gamma[k] * b[i] * ((1.0 - at) * s->u_minus[r] + at * s->u_plus[r]);
        }
}

/* alpha_i with a_ij = alpha_i b_j: where stage i is on the way from g to g+. 0 if there is no such number. */
static int stage_is_on_the_way(double *alpha, const lie_tableau *tab, int i)
{
    *alpha = tab->A[i * tab->stages] / tab->b[0];
    for (int j = 0; j < tab->stages; j++)
        if (fabs(tab->A[i * tab->stages + j] - *alpha * tab->b[j]) > 4 * DBL_EPSILON) return 0;
    return 1;
}

/* Can the stages of a step be found from its ends? Of a chart they can (test_embedded.c has the others). With external
 * forces felt at the stages: their velocities too. */
static int has_visible_stages(const case_method *m, const lie_stepper *st, case_kind kind)
{
    double alpha;
    lie_claims claims;
    lie_method_claims(&claims, m->method, lie_stepper_group(st), lie_stepper_tableau(st));
    if (!lie_stepper_tableau(st) || lie_stepper_composition(st) || claims.no_retraction) return 0;
    if (kind == CASE_FORCED && is_untruncated(m) && lie_stepper_tableau(st)->stages > 1) return 0;
    for (int i = 0; i < lie_stepper_tableau(st)->stages; i++)
        if (!stage_is_on_the_way(&alpha, lie_stepper_tableau(st), i)) return 0;
    return 1;
}

/* Is the chart anchored in the middle of the step? */
static int is_in_the_middle(const case_method *m, const lie_stepper *st)
{
    return is_untruncated(m) && middle_of_tableau(lie_stepper_tableau(st));
}

/* Where the chart is anchored, and the coordinates there of the start of the step and of the whole of it */
static void find_chart(const lie_ops *G, int in_the_middle, const taken *s, double *anchor, double *start,
                       double *theta)
{
    double T[CASE_SIZE];
    G->inv(G, T, s->from.g);
    G->mul(G, T, T, s->to.g);
    if (in_the_middle)
        middle_find(G, theta, T);
    else
        TEST_ASSERT_EQUAL(LIE_OK, G->tauinv(G, theta, T));
    TEST_ASSERT_EQUAL(LIE_OK, G->tau(G, T, theta));
    memcpy(anchor, s->from.g, (size_t)G->size * sizeof *anchor);
    if (in_the_middle) G->mul(G, anchor, anchor, T);
    for (int i = 0; i < G->dim; i++) {
        start[i] = in_the_middle ? -theta[i] : 0.0;
        theta[i] *= in_the_middle ? 2.0 : 1.0;
    }
}

/* h b_i F at the stages a tau(start + alpha_i theta), h/2 f at the ends or h b_1 f at the stage, from their
 * definition */
static void impulse_by_definition(double *J, const lie_stepper *st, const case_method *m, const taken *s)
{
    const lie_ops *G = lie_stepper_group(st);
    const lie_system *sys = lie_stepper_system(st);
    double theta[CASE_DIM], x[CASE_DIM], xi[CASE_DIM], F[CASE_DIM], g[CASE_SIZE], u[CASE_DIM], alpha;
    double anchor[CASE_SIZE], start[CASE_DIM];
    const lie_tableau *tab = lie_stepper_tableau(st);
    find_chart(G, is_in_the_middle(m, st), s, anchor, start, theta);
    for (int i = 0; i < G->dim; i++) xi[i] = theta[i] / s->h;
    for (int k = 0; k < tab->stages; k++) {
        stage_is_on_the_way(&alpha, tab, k);
        for (int i = 0; i < G->dim; i++) x[i] = start[i] + alpha * theta[i];
        TEST_ASSERT_EQUAL(LIE_OK, G->tau(G, g, x));
        G->mul(G, g, anchor, g);
        lie_system_force(sys, F, g, xi);
        add_impulse(G, J, s->h * tab->b[k], g, F);
        if (!is_untruncated(m) || !sys->external) continue;
        for (int i = 0; i < G->dim; i++)
            x[i] = -x[i], u[i] = (1.0 - tab->c[k]) * s->u_minus[i] + tab->c[k] * s->u_plus[i];
        TEST_ASSERT_EQUAL(LIE_OK, G->dtau(G, x, x, xi));
        lie_system_external(sys, F, s->from.t + tab->c[k] * s->h, g, x, u);
        add_impulse(G, J, s->h * tab->b[k], g, F);
    }
    if (is_untruncated(m) || !sys->external) return;
    lie_system_external(sys, F, s->from.t, s->from.g, xi, s->u_minus);
    add_impulse(G, J, 0.5 * s->h, s->from.g, F);
    lie_system_external(sys, F, s->from.t + s->h, s->to.g, xi, s->u_plus);
    add_impulse(G, J, 0.5 * s->h, s->to.g, F);
}

/* Of one step: the change of the spatial momentum without the impulses, in eps and in units of its terms; `kept` tells
 * which components count. */
static double imbalance(const lie_stepper *st, const case_method *m, const taken *s, impulse_fn *impulse, unsigned kept)
{
    const lie_ops *G = lie_stepper_group(st);
    double before[CASE_DIM], after[CASE_DIM], given[CASE_DIM] = {0.0}, off = 0.0;
    lie_state_spatial_momentum(lie_stepper_system(st), before, &s->from);
    lie_state_spatial_momentum(lie_stepper_system(st), after, &s->to);
    impulse(given, st, m, s);
    double size = fmax(spatial_size(G, s->from.g, s->from.m), spatial_size(G, s->to.g, s->to.m));
    for (int i = 0; i < G->dim; i++)
        if (kept >> i & 1u) off = fmax(off, fabs(after[i] - before[i] - given[i]));
    return off / size / DBL_EPSILON;
}

/* The worst of a run with steps of changing length and sign and controls that jump. */
static double run_imbalance(const case_method *m, const case_group *c, case_kind kind, impulse_fn *impulse,
                            unsigned kept)
{
    lie_stepper *st;
    lie_random rng = {97u};
    taken s;
    double off = 0.0, stretch = m->method->momentum ? 1.0 : case_stretch(m, c);
    case_stepper(&st, m, c, kind);
    if (impulse == impulse_by_definition && !has_visible_stages(m, st, kind)) return 0.0;
    case_start(&s.to, c, kind, 1);
    lie_stepper_control(st, s.u_minus, s.u_plus);
    for (int k = 0; k < STEPS; k++) {
        s.from = s.to;
        s.h = stretch * (k % 4 == 3 ? -0.06 : 0.05 + 0.02 * (k % 3));
        random_vector(&rng, CASE_DIM, s.u_minus, 0.8);
        random_vector(&rng, CASE_DIM, s.u_plus, 0.8);
        TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_step(st, &s.to, s.h), m->name);
        off = fmax(off, imbalance(st, m, &s, impulse, kept));
    }
    return off;
}

static void check_momentum(const char *title, case_kind kind, impulse_fn *impulse)
{
    case_worst all = {0.0, "none"};
    case_method m;
    int tried = 0;
    for (int i = 0; case_method_at(&m, i); i++) {
        case_worst one = {0.0, "none"};
        int before = tried;
        for (int j = 0; j < case_group_count(); j++) {
            const case_group *c = case_group_at(j);
            unsigned kept = kind == CASE_SYMMETRIC ? c->space->kept : ~0u;
            if (!case_is_sampled(i, j) || case_has_own_name(&m) || !case_takes(&m, c, kind)) continue;
            if (!m.method->momentum && kind != CASE_FREE) continue; /* claims nothing */
            double off = run_imbalance(&m, c, kind, impulse, kept);
            tried += off > 0.0;
            case_note(&one, off, &m, c);
        }
        if (m.method->momentum && one.value > all.value) all = one;
        if (!m.method->momentum && kind == CASE_FREE && tried > before)
            TEST_ASSERT_TRUE_MESSAGE(one.value > 1e3, one.what);
    }
    printf("momentum, %s: %d runs, the worst step: %s eps\n", title, tried, all.what);
    TEST_ASSERT_TRUE(tried > 0);
    TEST_ASSERT_TRUE_MESSAGE(all.value <= 50.0, all.what);
}

void test_stepper_momentum_of_free_systems_is_constant(void)
{
    check_momentum("free systems", CASE_FREE, no_impulse);
}

void test_stepper_momentum_along_symmetries_is_constant(void)
{
    check_momentum("symmetric potentials", CASE_SYMMETRIC, no_impulse);
}

void test_stepper_momentum_changes_by_the_controls(void)
{
    check_momentum("controls that jump", CASE_PUSHED, control_impulse);
}

void test_stepper_momentum_changes_by_the_forces(void)
{
    check_momentum("potentials", CASE_POTENTIAL, impulse_by_definition);
    check_momentum("drag, pushes and controls", CASE_FORCED, impulse_by_definition);
}

/* Functions of m that are constant on coadjoint orbits: |m|^2 on SO3 and S3, |P|^2 and Pi . P on SE3, |P|^2 on SE2;
 * then those that the library names. */
static int orbit_invariants(double *C, const case_group *c, const lie_state *s)
{
    const double *m = s->m;
    int count = 0, n = c->group->dim, is_se3 = strcmp(c->label, "SE3") == 0;
    if (strcmp(c->label, "SO3") == 0 || strcmp(c->label, "S3") == 0)
        C[count++] = m[0] * m[0] + m[1] * m[1] + m[2] * m[2];
    if (is_se3) C[count++] = m[0] * m[3] + m[1] * m[4] + m[2] * m[5];
    if (is_se3 || strcmp(c->label, "SE2") == 0) {
        C[count] = is_se3 ? m[3] * m[3] : 0.0;
        C[count++] += m[n - 2] * m[n - 2] + m[n - 1] * m[n - 1];
    }
    TEST_ASSERT_TRUE(count + c->group->casimirs <= 2 * CASE_DIM);
    lie_state_casimirs(&c->system[CASE_FREE], C + count, s);
    return count + c->group->casimirs;
}

/* The worst change of one of them, in eps |m|^2 per step. */
static double orbit_change(const case_method *m, const case_group *c)
{
    lie_stepper *st;
    lie_state s;
    double before[2 * CASE_DIM], after[2 * CASE_DIM], size = 0.0, change = 0.0;
    case_stepper(&st, m, c, CASE_FREE);
    case_start(&s, c, CASE_FREE, 2);
    for (int k = 0; k < c->group->dim; k++) size += s.m[k] * s.m[k];
    orbit_invariants(before, c, &s);
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(st, &s, 0.1, STEPS));
    int count = orbit_invariants(after, c, &s);
    for (int k = 0; k < count; k++) change = fmax(change, fabs(after[k] - before[k]));
    return change / size / DBL_EPSILON / STEPS;
}

void test_stepper_casimirs_of_free_systems_are_constant(void)
{
    case_worst all = {0.0, "none"};
    case_method m;
    for (int i = 0; case_method_at(&m, i); i++)
        for (int j = 0; j < case_group_count(); j++) {
            if (!case_is_sampled(i, j) || case_has_own_name(&m) || !m.method->momentum) continue;
            if (!case_takes(&m, case_group_at(j), CASE_FREE)) continue;
            case_note(&all, orbit_change(&m, case_group_at(j)), &m, case_group_at(j));
        }
    printf("Casimirs: the worst: %s eps per step\n", all.what);
    TEST_ASSERT_TRUE(all.value > 0.0);
    TEST_ASSERT_TRUE_MESSAGE(all.value <= 50.0, all.what);
}
