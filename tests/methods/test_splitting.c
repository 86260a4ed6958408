/* SPDX-License-Identifier: MIT */
/* Splittings: the coefficients; the free body is exact; on SE(3) without coupling the order is there too; forces that
 * depend on time and controls; what is refused; the energy over long runs. Order, momentum, symplectic form and adjoint
 * on all groups are measured with all other methods (test_stepper_order.c, _momentum.c, _structure.c). */
#include <liestep/systems.h>

#include "tests/support/stepper_fixture.h"

static fixture f;

/* Coefficients. */

enum { LETTERS = 7, KICKS_MAX = 16 };

static double kick_of(const lie_splitting *s, int i)
{
    return s->b[i < s->stages - i ? i : s->stages - i];
}

static double free_step_of(const lie_splitting *s, int i)
{
    return s->a[i < s->stages - 1 - i ? i : s->stages - 1 - i];
}

/* w <- w exp(x A) or exp(x B): coefficients of the prefixes of a word, whose letters are the bits of `word` */
static void append(double *prefix, int length, unsigned word, unsigned letter, double x)
{
    for (int end = length; end > 0; end--) {
        double power = 1.0;
        for (int k = end - 1; k >= 0 && (word >> k & 1u) == letter; k--) {
            power *= x / (end - k);
            prefix[end] += prefix[k] * power;
        }
    }
}

/* The coefficient of a word in the splitting less that in exp(A + B), 1/n! */
static double word_defect(const lie_splitting *s, int length, unsigned word)
{
    double prefix[LETTERS + 1] = {1.0}, wanted = 1.0;
    for (int i = 0; i <= s->stages; i++) {
        append(prefix, length, word, 1u, kick_of(s, i));
        if (i < s->stages) append(prefix, length, word, 0u, free_step_of(s, i));
    }
    for (int k = 2; k <= length; k++) wanted /= k;
    return prefix[length] - wanted;
}

static double worst_word(const lie_splitting *s, int length)
{
    double worst = 0.0;
    for (unsigned word = 0; word < 1u << length; word++) worst = fmax(worst, fabs(word_defect(s, length, word)));
    return worst;
}

/* The conditions of Nystroem's trees of order 1, 3 and 5 of which the others follow for a symmetric, symplectic method:
 * b, b c^2, b Ae, b c^4, b c^2 Ae, b (Ae)^2, b c Ac; A_ij = b_j (c_i - c_j) for j < i. Gradients join b Ae. */
static double nystroem_defect(const lie_splitting *s)
{
    double c[KICKS_MAX] = {0.0}, sums[7] = {0.0};
    static const double wanted[7] = {1.0, 1.0 / 3, 1.0 / 6, 1.0 / 5, 1.0 / 10, 1.0 / 20, 1.0 / 30};
    double worst = 0.0;
    for (int i = 0; i <= s->stages; i++) {
        double Ae = 0.0, Ac = 0.0, b = kick_of(s, i);
        c[i] = i == 0 ? 0.0 : c[i - 1] + free_step_of(s, i - 1);
        for (int j = 0; j < i; j++) {
            Ae += kick_of(s, j) * (c[i] - c[j]);
            Ac += kick_of(s, j) * (c[i] - c[j]) * c[j];
        }
        const double terms[7] = {1.0, c[i] * c[i], Ae, pow(c[i], 4.0), c[i] * c[i] * Ae, Ae * Ae, c[i] * Ac};
        for (int k = 0; k < 7; k++) sums[k] += b * terms[k];
        if (s->g) sums[2] += s->g[i < s->stages - i ? i : s->stages - i];
    }
    for (int k = 0; k < (s->order == 6 ? 7 : 3); k++) worst = fmax(worst, fabs(sums[k] - wanted[k]));
    return worst;
}

void test_splitting_coefficients_satisfy_their_order_conditions(void)
{
    for (int i = 0; i < lie_splitting_builtin_count(); i++) {
        const lie_splitting *s = lie_splitting_builtin(i), *found;
        double kicks = 0.0, free_steps = 0.0, worst = 0.0;
        TEST_ASSERT_EQUAL(LIE_OK, lie_splitting_find(&found, s->name));
        TEST_ASSERT_TRUE(found == s && s->stages < KICKS_MAX);
        for (int k = 0; k <= s->stages; k++) kicks += kick_of(s, k);
        for (int k = 0; k < s->stages; k++) free_steps += free_step_of(s, k);
        TEST_ASSERT_TRUE(fabs(kicks - 1.0) < 1e-15 && fabs(free_steps - 1.0) < 1e-15);
        for (int k = 1; k <= s->order; k++) worst = fmax(worst, worst_word(s, k));
        double trees = nystroem_defect(s), next = worst_word(s, s->order + 1);
        printf("%-10s order %d: words within %.1e, beyond %.1e, trees %.1e\n", s->name, s->order, worst, next, trees);
        if (s->nystroem && (s->order > 4 || s->g)) /* some words are not there: for quadratic kinetic energy only */
            TEST_ASSERT_TRUE_MESSAGE(trees < 4e-16 && worst > 1e-6, s->name);
        else
            TEST_ASSERT_TRUE_MESSAGE(worst < 4e-16 && next > 1e-6, s->name);
    }
    TEST_ASSERT_EQUAL(LIE_ERR_UNKNOWN_NAME, lie_splitting_find(&(const lie_splitting *){0}, "none"));
    TEST_ASSERT_NULL(lie_splitting_builtin(lie_splitting_builtin_count()));
}

/* Without a potential one long step is many short ones, on SO(3), S3, and on SE(3) for the rotation. */
void test_splitting_free_bodies_are_exact(void)
{
    static const lie_ops *const groups[2] = {&lie_so3_cay_ops, &lie_s3_exp_ops};
    lie_random rng = {71u};
    for (int k = 0; k < 2; k++) {
        lie_state one, many;
        walker w;
        fixture_make(&f, groups[k], 0);
        state_random(&f.sys, &one, &rng, 0.6, 1.1);
        many = one;
        walker_init(&w, &f.sys, "split6", 0, 0);
        TEST_ASSERT_EQUAL(LIE_OK, lie_step(w.st, &one, 7.0));
        walker_init(&w, &f.sys, "dmv10", 0, 0);
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(w.st, &many, 7.0 / 256, 256));
        printf("one step of 7 s and 256 of dmv10: %.1e\n", state_distance(f.sys.group, &one, &many));
        TEST_ASSERT_TRUE(state_distance(f.sys.group, &one, &many) < 1e-13);
    }
}

/* Order by halving the step, against gauss4 with short steps. */
static double slope(const lie_system *sys, const char *method, const lie_state *start, int steps, const double *u)
{
    enum { HALVINGS = 2 };
    lie_state exact = *start;
    double error[HALVINGS];
    walker w;
    walker_init(&w, sys, "gauss4", 0, 0);
    lie_stepper_control(w.st, u, u);
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(w.st, &exact, 2.0 / 200, 200));
    for (int k = 0; k < HALVINGS; k++) {
        lie_state s = *start;
        walker_init(&w, sys, method, 0, 0);
        lie_stepper_control(w.st, u, u);
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(w.st, &s, 2.0 / (steps << k), steps << k));
        error[k] = state_distance(sys->group, &s, &exact);
    }
    return log2(error[0] / error[1]);
}

static const struct {
    const char *name;
    int order, steps;
} by_order[] = {{"split2", 2, 160}, {"split4", 4, 24}, {"split6", 6, 10},
                {"turns2", 2, 160}, {"turns4", 4, 24}, {"turns6", 6, 10}};
enum { METHODS = sizeof by_order / sizeof by_order[0] };

/* Rotation and translation not coupled: the rotation is then one exact part. */
void test_splitting_order_on_se3_without_coupling(void)
{
    lie_random rng = {72u};
    lie_state start;
    fixture_make(&f, &lie_se3_exp_ops, POTENTIAL);
    for (int i = 0; i < 3; i++)
        for (int j = 3; j < 6; j++) f.inertia[6 * i + j] = f.inertia[6 * j + i] = 0.0;
    state_random(&f.sys, &start, &rng, 0.6, 0.7);
    for (int k = 0; k < METHODS; k++) {
        double p = slope(&f.sys, by_order[k].name, &start, by_order[k].steps, 0);
        printf("%s on SE3 without coupling: order %.2f\n", by_order[k].name, p);
        TEST_ASSERT_TRUE_MESSAGE(fabs(p - by_order[k].order) < 0.15, by_order[k].name);
    }
}

/* f(t, g, u) = s cos 2t + w/8 + u: a force that depends on the time, the place and controls, but not on the velocity */
static void push(const lie_system *sys, double *out, double t, const double *g, const double *xi, const double *u)
{
    const double at_rest[FIXTURE_DIM] = {0.0};
    (void)xi;
    fixture_external(sys, out, t, g, at_rest, u);
}

void test_splitting_order_with_forces_that_depend_on_time(void)
{
    static const lie_ops *const groups[3] = {&lie_so3_exp_ops, &lie_s3_cay_ops, &lie_se3_exp_ops};
    static const double u[FIXTURE_CONTROLS] = {0.8, -0.5};
    lie_random rng = {73u};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < METHODS; k++) {
            lie_state start;
            fixture_make(&f, groups[i], POTENTIAL | EXTERNAL);
            f.sys.external = push;
            f.sys.external_is_positional = 1;
            state_random(&f.sys, &start, &rng, 0.5, 0.6);
            double p = slope(&f.sys, by_order[k].name, &start, 2 * by_order[k].steps, u);
            printf("%s on %s with f(t, g, u): order %.2f\n", by_order[k].name, groups[i]->group, p);
            TEST_ASSERT_TRUE_MESSAGE(fabs(p - by_order[k].order) < 0.25, by_order[k].name);
        }
}

/* Satellites with wheels and tops on turntables: A is what the frame says, and the order is there. */
static void check_frame(const lie_system *sys)
{
    lie_random rng = {76u};
    const lie_ops *G = sys->group;
    double eta[3], a[3], A[3], b[3], momentum[3], inverse[9];
    lie_state start;
    state_random(sys, &start, &rng, 0.8, 0.6);
    sys->frame(sys, eta, a);
    sys->gyro(sys, A, start.g);
    G->inv(G, inverse, start.g);
    G->Ad(G, b, inverse, eta);
    for (int i = 0; i < 3; i++) momentum[i] = fixture_dot(3, sys->inertia + 3 * i, b) + a[i];
    NEAR(3, A, momentum, 4.0);
    for (int k = 0; k < METHODS; k++) {
        double p = slope(sys, by_order[k].name, &start, 2 * by_order[k].steps, 0);
        printf("%s for the %s on %s: order %.2f\n", by_order[k].name, sys->name, G->group, p);
        TEST_ASSERT_TRUE_MESSAGE(fabs(p - by_order[k].order) < 0.25, by_order[k].name);
    }
}

/* With derivatives of the force split4 needs 4 free motions a step instead of 6, and its error is smaller. */
void test_splitting_gradients_save_free_steps(void)
{
    const lie_heavy_top top = {.inertia = {1.3, 0.1, -0.2, 0.1, 2.1, 0.15, -0.2, 0.15, 2.9},
                               .mass = 1.2,
                               .centre = {0.1, -0.2, 0.4},
                               .gravity = 3.0};
    lie_random rng = {77u};
    lie_system with, without;
    lie_state start, exact, a, b;
    walker w;
    TEST_ASSERT_EQUAL(LIE_OK, lie_heavy_top_system(&with, &top, "S3"));
    without = with;
    without.force_deriv = 0;
    state_random(&with, &start, &rng, 0.8, 0.6);
    double p = slope(&with, "split4", &start, 40, 0);
    printf("split4 with gradients: order %.2f\n", p);
    TEST_ASSERT_TRUE(fabs(p - 4.0) < 0.1);
    exact = a = b = start;
    walker_init(&w, &with, "gauss4", 0, 0);
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(w.st, &exact, 0.05, 240));
    walker_init(&w, &with, "split4", 0, 0);
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(w.st, &a, 4.0 * 0.05, 60));
    walker_init(&w, &without, "split4", 0, 0);
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(w.st, &b, 6.0 * 0.05, 40));
    double error[2] = {state_distance(with.group, &a, &exact), state_distance(with.group, &b, &exact)};
    printf("240 free motions: error %.1e with gradients, %.1e without\n", error[0], error[1]);
    TEST_ASSERT_TRUE(error[0] < 0.8 * error[1]);
}

void test_splitting_order_in_a_moving_frame(void)
{
    const lie_satellite satellite = {
        .inertia = {1.3, 0.1, -0.2, 0.1, 2.1, 0.15, -0.2, 0.15, 2.9}, .orbit_rate = 0.9, .wheels = {0.4, -0.7, 0.5}};
    const lie_turntable table = {.top = {.inertia = {1.3, 0.1, -0.2, 0.1, 2.1, 0.15, -0.2, 0.15, 2.9},
                                         .mass = 1.2,
                                         .centre = {0.1, -0.2, 0.4},
                                         .gravity = 3.0},
                                 .rate = 0.7};
    static const char *const groups[2] = {"SO3", "S3"};
    for (int k = 0; k < 2; k++) {
        lie_system sys;
        TEST_ASSERT_EQUAL(LIE_OK, lie_satellite_system(&sys, &satellite, groups[k]));
        check_frame(&sys);
        TEST_ASSERT_EQUAL(LIE_OK, lie_turntable_system(&sys, &table, groups[k]));
        check_frame(&sys);
    }
}

/* Drag cannot be kicked: refused, as are groups and Lagrangians that a method is not for. */
void test_splitting_refuses_what_it_cannot_do(void)
{
    static const struct {
        const lie_ops *G;
        int terms;
    } wrong[4] = {{&lie_s3_cay_ops, POTENTIAL | EXTERNAL},
                  {&lie_so3_exp_ops, POTENTIAL | GYRO},
                  {&lie_so3_exp_ops, GENERAL},
                  {0, POTENTIAL}};
    lie_ops own;
    walker w;
    TEST_ASSERT_EQUAL(LIE_OK, heisenberg_ops(&own));
    for (int k = 0; k < METHODS; k++)
        for (int i = 0; i < 4; i++) {
            const lie_options opt = {.method = by_order[k].name};
            fixture_make(&f, wrong[i].G ? wrong[i].G : &own, wrong[i].terms);
            TEST_ASSERT_EQUAL(LIE_ERR_METHOD, lie_stepper_init(&w.st, &f.sys, &opt, w.work, sizeof w.work));
        }
}

/* Products: SO3 x R2, (R1 x S3) x R2, SE3 x R1, R1 x (R2 x R3); SE2 x R2 for turns alone. */
typedef struct products {
    lie_ops R[3], inner[2], of[5];
    const lie_ops *list[7][2];
    lie_product p[7];
} products;

static void products_make(products *a)
{
    for (int i = 0; i < 3; i++) TEST_ASSERT_EQUAL(LIE_OK, lie_rn_ops(&a->R[i], i + 1, "cay"));
    const lie_ops *list[7][2] = {{&lie_so3_cay_ops, &a->R[1]}, {&a->inner[0], &a->R[1]},
                                 {&lie_se3_cay_ops, &a->R[0]}, {&a->R[0], &a->inner[1]},
                                 {&lie_se2_cay_ops, &a->R[1]}, {&a->R[0], &lie_s3_cayq_ops},
                                 {&a->R[1], &a->R[2]}};
    memcpy(a->list, list, sizeof list);
    for (int i = 6; i >= 0; i--) {
        a->p[i] = (lie_product){2, a->list[i]};
        TEST_ASSERT_EQUAL(LIE_OK, lie_product_ops(i < 5 ? &a->of[i] : &a->inner[i - 5], &a->p[i]));
    }
}

/* split where the inertia does not couple the factors, which R^n may; turns with any inertia: of their order, and with
 * the momentum balance of all groups. */
void test_splitting_order_on_products(void)
{
    static products all;
    walker w;
    products_make(&all);
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < METHODS; k++) {
            lie_random rng = {78u};
            lie_state start;
            int is_split = by_order[k].name[0] == 's';
            const lie_options opt = {.method = by_order[k].name};
            if (i == 2) continue; /* below: no room in a lie_state */
            fixture_make(&f, &all.of[i], POTENTIAL);
            if (is_split && i != 3) {
                TEST_ASSERT_EQUAL(LIE_ERR_METHOD, lie_stepper_init(&w.st, &f.sys, &opt, w.work, sizeof w.work));
                fixture_uncouple(&f);
            }
            if (is_split && i == 4) {
                TEST_ASSERT_EQUAL(LIE_ERR_METHOD, lie_stepper_init(&w.st, &f.sys, &opt, w.work, sizeof w.work));
                continue;
            }
            state_random(&f.sys, &start, &rng, 0.5, 0.6);
            double p = slope(&f.sys, by_order[k].name, &start, by_order[k].steps, 0);
            printf("%s on product %d: order %.2f\n", by_order[k].name, i, p);
            TEST_ASSERT_TRUE_MESSAGE(fabs(p - by_order[k].order) < 0.25, by_order[k].name);
        }
}

/* A body in orbit, close enough to feel its shape: V couples place and attitude; split4 takes gradients of the
 * force. */
void test_splitting_order_for_a_spacecraft(void)
{
    lie_spacecraft craft = {.body = {.gm = 0.41}};
    lie_random rng = {82u};
    lie_system sys;
    lie_state start;
    static const double inertia[3] = {0.06, 0.09, 0.12}, xi[6] = {0.3, -0.4, 0.5, 0.1, 0.55, -0.1};
    double x[6], g[12];
    for (int i = 0; i < 3; i++) craft.body.inertia[7 * i] = inertia[i], craft.body.inertia[21 + 7 * i] = 0.77;
    TEST_ASSERT_EQUAL(LIE_OK, lie_spacecraft_system(&sys, &craft, "SO3/cay"));
    TEST_ASSERT_NOT_NULL(sys.force_deriv);
    random_vector(&rng, 6, x, 0.3);
    x[3] = 1.1;
    TEST_ASSERT_EQUAL(LIE_OK, sys.group->tau(sys.group, g, x));
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(&sys, &start, 0.0, g, xi));
    for (int k = 0; k < METHODS; k++) {
        double p = slope(&sys, by_order[k].name, &start, 2 * by_order[k].steps, 0);
        printf("%s for the spacecraft: order %.2f\n", by_order[k].name, p);
        TEST_ASSERT_TRUE_MESSAGE(fabs(p - by_order[k].order) < 0.25, by_order[k].name);
    }
}

/* Without a potential one long step on SO3 x R2 is that of the free body beside a motion at constant velocity. */
void test_splitting_free_motion_on_a_product_is_exact(void)
{
    static products all;
    static fixture alone;
    lie_random rng = {79u};
    lie_state both, body;
    walker w;
    double v[2];
    products_make(&all);
    fixture_make(&f, &all.of[0], 0);
    fixture_uncouple(&f);
    fixture_make(&alone, &lie_so3_cay_ops, 0);
    for (int i = 0; i < 9; i++) alone.inertia[i] = f.inertia[5 * (i / 3) + i % 3];
    state_random(&f.sys, &both, &rng, 0.6, 1.1);
    state_random(&alone.sys, &body, &rng, 0.6, 1.1);
    memcpy(body.g, both.g, 9 * sizeof(double));
    memcpy(body.m, both.m, 3 * sizeof(double));
    const double *I = f.inertia, det = I[18] * I[24] - I[19] * I[23], *P = both.m + 3;
    v[0] = (I[24] * P[0] - I[19] * P[1]) / det, v[1] = (I[18] * P[1] - I[23] * P[0]) / det;
    const double end[2] = {both.g[9] + 7.0 * v[0], both.g[10] + 7.0 * v[1]};
    walker_init(&w, &f.sys, "split6", 0, 0);
    TEST_ASSERT_EQUAL(LIE_OK, lie_step(w.st, &both, 7.0));
    walker_init(&w, &alone.sys, "split6", 0, 0);
    TEST_ASSERT_EQUAL(LIE_OK, lie_step(w.st, &body, 7.0));
    NEAR(9, both.g, body.g, 4.0);
    NEAR(3, both.m, body.m, 4.0);
    NEAR(2, both.g + 9, end, 16.0);
}

/* On SE3 x R1, where SE3 has four parts and R1 has one, a step without a potential is that of SE3 beside the other. */
void test_splitting_parts_of_factors_go_together(void)
{
    static products all;
    static fixture alone;
    static walker w;
    lie_random rng = {81u};
    lie_large_state both;
    lie_state body;
    products_make(&all);
    fixture_make(&f, &all.of[2], 0);
    fixture_uncouple(&f);
    fixture_make(&alone, &lie_se3_cay_ops, 0);
    for (int i = 0; i < 36; i++) alone.inertia[i] = f.inertia[7 * (i / 6) + i % 6];
    state_random(&alone.sys, &body, &rng, 0.6, 1.1);
    double g[13], m[7], end = 0.4 + 0.3 * -1.7 / f.inertia[48];
    memcpy(g, body.g, 12 * sizeof *g), g[12] = 0.4;
    memcpy(m, body.m, 6 * sizeof *m), m[6] = -1.7;
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set_momentum(&f.sys, &both, 0.0, g, m));
    walker_init(&w, &f.sys, "split2", 0, 0);
    TEST_ASSERT_EQUAL(LIE_OK, lie_step(w.st, LIE_STATE(&both), 0.3));
    walker_init(&w, &alone.sys, "split2", 0, 0);
    TEST_ASSERT_EQUAL(LIE_OK, lie_step(w.st, &body, 0.3));
    NEAR(12, both.g, body.g, 0.0);
    NEAR(6, both.m, body.m, 0.0);
    NEAR(1, both.g + 12, &end, 4.0);
}

/* On R^n the free step is explicit: sv takes no iteration, and is split2 but for the last bits. */
void test_splitting_stoermer_verlet_is_explicit_on_rn(void)
{
    static products all;
    static const char *const names[4] = {"sv", "ve_fwd", "ve_bwd", "sv_kahanli8"};
    lie_random rng = {80u};
    walker w;
    products_make(&all);
    for (int i = 0; i < 2; i++) {
        lie_state start, sv, split;
        fixture_make(&f, i == 0 ? &all.R[2] : &all.of[3], POTENTIAL);
        state_random(&f.sys, &start, &rng, 0.6, 0.9);
        for (int k = 0; k < 4; k++) {
            lie_state s = start;
            walker_init(&w, &f.sys, names[k], 0, 0);
            TEST_ASSERT_EQUAL(LIE_OK, lie_run(w.st, &s, 0.05, 40));
            TEST_ASSERT_EQUAL_INT(0, (int)lie_stepper_statistics(w.st)->iterations);
            TEST_ASSERT_TRUE(lie_stepper_statistics(w.st)->residual_max == 0.0);
        }
        sv = split = start;
        walker_init(&w, &f.sys, "sv", 0, 0);
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(w.st, &sv, 0.05, 100));
        walker_init(&w, &f.sys, "split2", 0, 0);
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(w.st, &split, 0.05, 100));
        TEST_ASSERT_TRUE(state_distance(f.sys.group, &sv, &split) < 1e-13);
    }
}

/* One step of turns2 for a diagonal inertia: half a kick, turns about e3, e2, e1, e2, e3, half a kick. */
void test_splitting_turns_are_turns_about_the_axes(void)
{
    static const double I[9] = {1.3, 0.0, 0.0, 0.0, 2.1, 0.0, 0.0, 0.0, 2.9}, h = 0.3;
    static const int axis[5] = {2, 1, 0, 1, 2};
    lie_random rng = {74u};
    double q[4], m[3], F[3];
    lie_state s;
    walker w;
    fixture_make(&f, &lie_s3_cay_ops, POTENTIAL);
    memcpy(f.inertia, I, sizeof I);
    state_random(&f.sys, &s, &rng, 0.6, 0.7);
    memcpy(q, s.g, sizeof q);
    f.sys.force(&f.sys, F, q);
    for (int i = 0; i < 3; i++) m[i] = s.m[i] + 0.5 * h * F[i];
    for (int k = 0; k < 5; k++) {
        double angle = (axis[k] == 0 ? h : 0.5 * h) * m[axis[k]] / I[4 * axis[k]], c = cos(angle), sn = sin(angle);
        int a = (axis[k] + 1) % 3, b = (axis[k] + 2) % 3;
        double turn[4] = {cos(0.5 * angle)}, old = m[a];
        turn[1 + axis[k]] = sin(0.5 * angle);
        m[a] = c * old + sn * m[b];
        m[b] = c * m[b] - sn * old;
        lie_s3_mul(q, q, turn);
    }
    f.sys.force(&f.sys, F, q);
    for (int i = 0; i < 3; i++) m[i] += 0.5 * h * F[i];
    walker_init(&w, &f.sys, "turns2", 0, 0);
    TEST_ASSERT_EQUAL(LIE_OK, lie_step(w.st, &s, h));
    NEAR(4, s.g, q, 8.0);
    NEAR(3, s.m, m, 8.0);
}

/* The energy goes up and down and does not drift: the means of the first and the last tenth of 2 10^5 steps */
void test_splitting_energy_does_not_drift(void)
{
    enum { PARTS = 10, SAMPLES = 1000, EVERY = 20 };
    lie_random rng = {75u};
    for (int k = 0; k < METHODS; k++) {
        double mean[PARTS] = {0.0}, least = HUGE_VAL, most = -HUGE_VAL;
        lie_state s;
        walker w;
        fixture_make(&f, &lie_s3_cay_ops, POTENTIAL);
        state_random(&f.sys, &s, &rng, 0.6, 0.5);
        walker_init(&w, &f.sys, by_order[k].name, 0, 0);
        for (int i = 0; i < PARTS * SAMPLES; i++) {
            double E;
            TEST_ASSERT_EQUAL(LIE_OK, lie_run(w.st, &s, 0.2, EVERY));
            TEST_ASSERT_EQUAL(LIE_OK, lie_state_energy(&f.sys, &E, &s));
            mean[i / SAMPLES] += E / SAMPLES;
            least = fmin(least, E), most = fmax(most, E);
        }
        double drift = fabs(mean[PARTS - 1] - mean[0]);
        printf("%s: energy between %.9f and %.9f, drift %.1e\n", by_order[k].name, least, most, drift);
        TEST_ASSERT_TRUE_MESSAGE(drift < 0.05 * (most - least) + 1e-13, by_order[k].name);
    }
}
