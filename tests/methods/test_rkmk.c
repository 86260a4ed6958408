/* SPDX-License-Identifier: MIT */
/* RKMK, commutator-free and Crouch-Grossman methods: what the tests over the whole list do not see.
 *
 *   coefficients     of commfree.def satisfy the order conditions of all words of planar trees up to their order and
 *                    not one more (Owren & Marthinsen 1999)
 *   truncation       the series of dexp^-1 after 1, 2, 3, 5 terms gives order 2, 3, 5, 6 with a tableau of order 6
 *                    (Bou-Rabee & Marsden 2009, theorem 4.7: at least 2, 3, 4, 6; B_3 = 0 gives one for nothing)
 *   h twice          (4.3) to (4.5) there as they are printed have order 1
 *   rkmk4, cf4       are what an independent text of Munthe-Kaas's method gives; on R^n both are the classical method
 *   implicit         the residual is certified, stiff forces are no obstacle, failure leaves the state alone
 *   controls         are interpolated linearly */
#include "tests/support/rkmk4.h"
#include "tests/support/stepper_fixture.h"

/* Planar trees. A word of trees that is not empty is a word and a last tree, which is the word of its branches. */

enum { VERTICES = 5, WORDS = 1 + 1 + 2 + 5 + 14 + 42, STAGES = 5 };

typedef struct word {
    int prefix, branches; /* words */
    int size;             /* vertices */
    long double exact;    /* coefficient in the flow */
} word;

static word words[WORDS];

static void make_words(void)
{
    int count = 1;
    words[0] = (word){-1, -1, 0, 1.0L};
    for (int size = 1; size <= VERTICES; size++) {
        int known = count;
        for (int p = 0; p < known; p++)
            for (int b = 0; b < known; b++) {
                if (words[p].size + words[b].size + 1 != size) continue;
                TEST_ASSERT_TRUE(count < WORDS);
                words[count++] = (word){p, b, size, words[p].exact * words[b].exact / (long double)size};
            }
    }
    TEST_ASSERT_EQUAL(WORDS, count);
}

typedef long double series[WORDS];

/* out = from exp(sum_j a_j K_j), K_j the tangent at stage j */
static void times_exponential(series out, const series from, const double *a, series *stage, int stages)
{
    series K, result;
    for (int w = 0; w < WORDS; w++) {
        K[w] = 0.0L;
        for (int j = 0; j < stages; j++) K[w] += a[j] != 0.0 ? (long double)a[j] * stage[j][w] : 0.0L;
    }
    for (int w = 0; w < WORDS; w++) {
        long double product = 1.0L;
        result[w] = from[w];
        for (int v = w, letters = 1; v > 0; v = words[v].prefix, letters++) {
            product *= K[words[v].branches] / (long double)letters;
            result[w] += from[words[v].prefix] * product;
        }
    }
    memcpy(out, result, sizeof result);
}

typedef struct scheme_move {
    int from, to;
    double a[STAGES];
} scheme_move;

/* The largest defect of the words with `first` to `last` vertices. */
static double word_defect(const scheme_move *move, int moves, int stages, int first, int last)
{
    static series element[STAGES + 1];
    long double worst = 0.0L;
    memset(element, 0, sizeof element);
    element[0][0] = 1.0L;
    for (int k = 0; k < moves; k++)
        times_exponential(element[move[k].to], element[move[k].from], move[k].a, element, stages);
    for (int w = 0; w < WORDS; w++) {
        long double d = fabsl(element[stages][w] - words[w].exact);
        if (words[w].size >= first && words[w].size <= last && d > worst) worst = d;
    }
    return (double)worst;
}

#define LIST(...) __VA_ARGS__
#define SCHEME(name, stages, order, moves, source) static const scheme_move name##_moves[] = {moves};
#include "lib/methods/tables/commfree.def"
#undef SCHEME

static void check_scheme(const char *name, const scheme_move *move, size_t moves, int stages, int order)
{
    const lie_method *method;
    double holds = word_defect(move, (int)moves, stages, 1, order);
    double fails = word_defect(move, (int)moves, stages, order + 1, order + 1);
    printf("  %s: %d exponentials, order %d within %.2f eps, next order off by %.1e\n", name, (int)moves, order,
           holds / DBL_EPSILON, fails);
    require(holds <= 1.5 * DBL_EPSILON, name);
    require(fails >= 1e-3, name);
    TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_method_find(&method, name), name);
    TEST_ASSERT_EQUAL_MESSAGE(order, method->order_exp, name);
}

void test_rkmk_commutator_free_coefficients_have_their_order(void)
{
    make_words();
#define SCHEME(name, stages, order, moves, source)                                                                     \
    check_scheme(#name, name##_moves, sizeof name##_moves / sizeof name##_moves[0], stages, order);
#include "lib/methods/tables/commfree.def"
#undef SCHEME
}

/* Truncation */

static fixture f;

/* The order of a method from its errors at t = 1.2 with n and 2 n steps against gauss4, there and back. */
static double observed_order(const lie_options *opt, int n)
{
    static walker exact, w;
    lie_random rng = {83u};
    lie_state start, end;
    double error[2];
    walker_init(&exact, &f.sys, "gauss4", opt->retraction, 0);
    state_random(&f.sys, &start, &rng, 1.0, 0.7);
    end = start;
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(exact.st, &end, 0.02, 60));
    TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&w.st, &f.sys, opt, w.work, sizeof w.work));
    for (int k = 0; k < 2; k++, n *= 2) {
        lie_state there = start, back = end;
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(w.st, &there, 1.2 / n, n));
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(w.st, &back, -1.2 / n, n));
        error[k] = sqrt(state_distance(lie_stepper_group(w.st), &there, &end) *
                        state_distance(lie_stepper_group(w.st), &back, &start));
    }
    return log2(error[0] / error[1]);
}

void test_rkmk_truncated_series_have_their_order(void)
{
    static const int terms[] = {1, 2, 3, 4, 5, 0}, order[] = {2, 3, 5, 5, 6, 6}, steps[] = {48, 24, 16, 16, 12, 12};
    static const char *const groups[] = {"SO3", "SE3"};
    for (int g = 0; g < 2; g++) {
        const lie_ops *G;
        TEST_ASSERT_EQUAL(LIE_OK, lie_ops_find(&G, groups[g], "exp"));
        fixture_make(&f, G, POTENTIAL);
        for (int k = 0; k < 6; k++) {
            const lie_options opt = {.method = "rkmk_gauss3", .retraction = "exp", .terms = terms[k]};
            double p = observed_order(&opt, steps[k]);
            printf("  %s, %d terms of dexp^-1: order %.2f\n", groups[g], terms[k], p);
            TEST_ASSERT_DOUBLE_WITHIN(0.2, order[k], p);
        }
        for (int k = 0; k < 2; k++) { /* and with an explicit tableau */
            const lie_options opt = {.method = "rkmk_dopri5", .retraction = "exp", .terms = terms[k]};
            TEST_ASSERT_DOUBLE_WITHIN(0.2, order[k], observed_order(&opt, steps[k]));
        }
    }
}

void test_rkmk_terms_are_for_exp_and_rkmk_alone(void)
{
    static walker w;
    lie_options opt = {.method = "rkmk4", .retraction = "exp", .terms = LIE_SERIES_MAX + 1};
    fixture_make(&f, &lie_so3_exp_ops, POTENTIAL);
    TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&w.st, &f.sys, &opt, w.work, sizeof w.work));
    opt.terms = LIE_SERIES_MAX + 2;
    TEST_ASSERT_EQUAL(LIE_ERR_SIZE, lie_stepper_init(&w.st, &f.sys, &opt, w.work, sizeof w.work));
    opt.terms = -1;
    TEST_ASSERT_EQUAL(LIE_ERR_SIZE, lie_stepper_init(&w.st, &f.sys, &opt, w.work, sizeof w.work));
    opt.terms = 3, opt.retraction = "cay";
    TEST_ASSERT_EQUAL(LIE_ERR_METHOD, lie_stepper_init(&w.st, &f.sys, &opt, w.work, sizeof w.work));
    opt.retraction = "exp", opt.method = "sv";
    TEST_ASSERT_EQUAL(LIE_ERR_METHOD, lie_stepper_init(&w.st, &f.sys, &opt, w.work, sizeof w.work));
}

/* g' = g v(g), v = b + Ad_{g^-1} c, by the classical tableau; Theta_i = scale sum_j a_ij dtau^-1_{-h Theta_j} v_j:
 * scale 1 is (4.6) of Bou-Rabee & Marsden 2009, scale h is (4.3) to (4.5) as printed */
static void field_step(const lie_ops *G, double *g, double h, double scale)
{
    static const double b[3] = {0.4, -0.7, 0.9}, c[3] = {0.8, 0.3, -0.5};
    static const double node[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    double K[3] = {0.0}, sum[3] = {0.0}, x[3], at[9], v[3];
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < 3; i++) x[i] = h * scale * node[s] * K[i];
        TEST_ASSERT_EQUAL(LIE_OK, G->tau(G, at, x));
        G->mul(G, at, g, at);
        G->inv(G, at, at);
        G->Ad(G, v, at, c);
        for (int i = 0; i < 3; i++) v[i] += b[i], x[i] = -x[i];
        TEST_ASSERT_EQUAL(LIE_OK, G->dtauinv(G, K, x, v));
        for (int i = 0; i < 3; i++) sum[i] += h * weight[s] * K[i];
    }
    TEST_ASSERT_EQUAL(LIE_OK, G->tau(G, at, sum));
    G->mul(G, g, g, at);
}

static double field_order(const lie_ops *G, int literal)
{
    double end[3][9], error[2] = {0.0};
    for (int k = 0; k < 3; k++) { /* 64 and 128 steps against many */
        int n = k == 2 ? 4096 : 64 << k;
        G->identity(G, end[k]);
        for (int i = 0; i < n; i++) field_step(G, end[k], 1.0 / n, literal && k < 2 ? 1.0 / n : 1.0);
    }
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < G->size; i++) error[k] = fmax(error[k], fabs(end[k][i] - end[2][i]));
    return log2(error[0] / error[1]);
}

void test_rkmk_as_printed_has_order_one(void)
{
    static const lie_ops *const groups[] = {&lie_so3_exp_ops, &lie_s3_cay_ops};
    for (int k = 0; k < 2; k++) {
        double printed = field_order(groups[k], 1), meant = field_order(groups[k], 0);
        printf("  %s: order %.2f with h twice, %.2f with h once\n", groups[k]->group, printed, meant);
        TEST_ASSERT_DOUBLE_WITHIN(0.1, 1.0, printed);
        TEST_ASSERT_DOUBLE_WITHIN(0.1, 4.0, meant);
    }
}

/* The same by other ways */

void test_rkmk_rkmk4_agrees_with_an_independent_text(void)
{
    static fixture_groups all;
    static const int terms[] = {0, POTENTIAL, POTENTIAL | GYRO, GENERAL};
    static walker w;
    double worst = 0.0;
    fixture_groups_make(&all);
    for (int k = 0; k < all.count; k++)
        for (int t = 0; t < 4; t++) {
            lie_random rng = {29u};
            lie_state s, expected;
            fixture_make(&f, all.G[k], terms[t]);
            walker_init(&w, &f.sys, "rkmk4", 0, 0);
            state_random(&f.sys, &s, &rng, 0.8, 0.5);
            expected = s;
            for (int i = 0; i < 5; i++) rkmk4_step(&f.sys, expected.g, expected.m, 0.1);
            TEST_ASSERT_EQUAL(LIE_OK, lie_run(w.st, &s, 0.1, 5));
            worst = fmax(worst, state_distance(all.G[k], &s, &expected));
            require(state_distance(all.G[k], &s, &expected) <= 2e-14, all.G[k]->group);
        }
    printf("  rkmk4 and the independent text after 5 steps: the same to %.1e\n", worst);
}

void test_rkmk_methods_of_the_same_weights_agree_on_flat_space(void)
{
    static const int terms[] = {POTENTIAL, POTENTIAL | GYRO | EXTERNAL};
    static walker a, b;
    lie_ops flat;
    TEST_ASSERT_EQUAL(LIE_OK, lie_rn_ops(&flat, 3, "exp"));
    for (int t = 0; t < 2; t++) {
        lie_random rng = {29u};
        lie_state s, r;
        fixture_make(&f, &flat, terms[t]);
        walker_init(&a, &f.sys, "rkmk4", 0, 0);
        walker_init(&b, &f.sys, "cf4", 0, 0);
        state_random(&f.sys, &s, &rng, 0.8, 0.5);
        r = s;
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(a.st, &s, 0.1, 10));
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(b.st, &r, 0.1, 10));
        require(state_distance(&flat, &s, &r) <= 2e-15, "cf4 on R^3 is rk4");
    }
}

/* Implicit tableaux */

void test_rkmk_implicit_solves_are_certified(void)
{
    static fixture_groups all;
    static walker w;
    double worst = 0.0;
    int most = 0;
    fixture_groups_make(&all);
    for (int k = 0; k < all.count; k++)
        for (int i = 0; i < lie_tableau_builtin_count(); i++) {
            const lie_tableau *tab = lie_tableau_builtin(i);
            lie_random rng = {29u};
            lie_state s;
            if (lie_tableau_is_explicit(tab)) continue;
            fixture_make(&f, all.G[k], POTENTIAL | GYRO | EXTERNAL);
            walker_init(&w, &f.sys, "rkmk", 0, tab);
            state_random(&f.sys, &s, &rng, 0.8, 0.5);
            TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_run(w.st, &s, 0.2, 5), tab->name);
            require(lie_stepper_statistics(w.st)->last.iterations > 0 &&
                        lie_stepper_statistics(w.st)->residual_max <= 0x1p-44,
                    tab->name);
            worst = fmax(worst, lie_stepper_statistics(w.st)->residual_max);
            most = lie_stepper_statistics(w.st)->iterations_max > most ? lie_stepper_statistics(w.st)->iterations_max
                                                                       : most;
        }
    printf("  implicit steps of 0.2: residuals up to %.1e, %d iterations at most\n", worst, most);
}

/* Drag of 10^4 per second and steps of 0.05 s: Radau IIA damps as the motion does, the classical method explodes. */
static void stiff_drag(const lie_system *sys, double *out, double t, const double *g, const double *xi, const double *u)
{
    (void)t, (void)g, (void)u;
    for (int i = 0; i < sys->group->dim; i++) out[i] = -1e4 * sys->inertia[i * (sys->group->dim + 1)] * xi[i];
}

void test_rkmk_radau_takes_stiff_forces(void)
{
    static walker w;
    lie_random rng = {29u};
    lie_state start, s;
    double m = 0.0;
    fixture_make(&f, &lie_so3_exp_ops, POTENTIAL);
    f.sys.external = stiff_drag;
    state_random(&f.sys, &start, &rng, 0.8, 0.5);
    s = start;
    walker_init(&w, &f.sys, "rkmk_radau2a3", 0, 0);
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(w.st, &s, 0.05, 40));
    for (int i = 0; i < 3; i++) m = fmax(m, fabs(s.m[i]));
    printf("  stiff drag: |m| = %.1e after 2 s\n", m);
    TEST_ASSERT_TRUE(m < 1e-3 && lie_stepper_statistics(w.st)->residual_max <= 0x1p-44);
    walker_init(&w, &f.sys, "rkmk4", 0, 0);
    s = start;
    TEST_ASSERT_NOT_EQUAL(LIE_OK, lie_run(w.st, &s, 0.05, 40));
}

/* Built-in groups have loops of their own; a copy of their operations goes through the general one: the same bits, far
 * beyond the steps after which elements are projected, for small turns and for large ones. */
void test_rkmk_copied_groups_agree_to_the_bit_in_long_runs(void)
{
    static const lie_ops *const groups[] = {&lie_s3_exp_ops,  &lie_s3_cay_ops,  &lie_so3_exp_ops,
                                            &lie_so3_cay_ops, &lie_se3_exp_ops, &lie_se3_cay_ops};
    static const char *const methods[] = {"rkmk4", "rkmk_dopri5", "rkmk_dopri8", "cf4", "cg4"};
    static const int terms[] = {0, POTENTIAL, POTENTIAL | GYRO | EXTERNAL};
    static walker own, general;
    for (int k = 0; k < 6 * 5 * 3; k++) {
        lie_random rng = {43u};
        lie_ops copy = *groups[k % 6];
        const char *method = methods[k / 6 % 5];
        lie_state a, b;
        fixture_make(&f, groups[k % 6], terms[k / 30]);
        state_random(&f.sys, &a, &rng, 0.8, 0.5);
        b = a;
        walker_init(&own, &f.sys, method, 0, 0);
        f.sys.group = &copy;
        walker_init(&general, &f.sys, method, 0, 0);
        TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_run(own.st, &a, 0.01, 1100), method);
        TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_run(general.st, &b, 0.01, 1100), method);
        states_same_bits(&copy, &a, &b, method);
        TEST_ASSERT_EQUAL_MESSAGE(lie_run(general.st, &b, 0.5, 20), lie_run(own.st, &a, 0.5, 20), method);
        states_same_bits(&copy, &a, &b, method);
    }
}

/* A step by a whole turn or more leaves the domain of dexp^-1; the state stays as it was. */
void test_rkmk_steps_that_are_too_long_are_refused(void)
{
    static const char *const methods[] = {"rkmk4", "rkmk_dopri8", "rkmk_gauss2", "rkmk_radau2a3"};
    static walker w;
    for (int k = 0; k < 4; k++) {
        lie_random rng = {29u};
        lie_state s, before;
        fixture_make(&f, &lie_s3_exp_ops, POTENTIAL);
        walker_init(&w, &f.sys, methods[k], 0, 0);
        state_random(&f.sys, &s, &rng, 0.8, 3.0);
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(w.st, &s, 0.01, 3));
        before = s;
        lie_status status = lie_step(w.st, &s, 40.0);
        TEST_ASSERT_TRUE_MESSAGE(status == LIE_ERR_DOMAIN || status == LIE_ERR_NO_CONVERGENCE, methods[k]);
        states_same_bits(lie_stepper_group(w.st), &s, &before, methods[k]);
    }
}

/* Controls */

static void force_is_control(const lie_system *sys, double *out, double t, const double *g, const double *xi,
                             const double *u)
{
    (void)t, (void)g, (void)xi;
    for (int i = 0; i < sys->group->dim; i++) out[i] = u ? u[i] : 0.0;
}

/* On R^n m' = u: the impulse of a step is the trapezoid h (u- + u+)/2, whatever the quadrature. */
void test_rkmk_controls_are_linear_in_time(void)
{
    static const double u[2][3] = {{0.7, -0.3, 0.2}, {-0.4, 0.9, 0.5}};
    static walker w;
    lie_ops flat;
    TEST_ASSERT_EQUAL(LIE_OK, lie_rn_ops(&flat, 3, "exp"));
    fixture_make(&f, &flat, 0);
    f.sys.external = force_is_control, f.sys.controls = 3;
    for (int k = 0; k < lie_method_builtin_count(); k++) {
        const lie_method *method = lie_method_builtin(k);
        lie_random rng = {29u};
        lie_state s, start;
        if (method->symplectic || method->needs_tableau || lie_method_takes(method, &f.sys) != LIE_OK) continue;
        walker_init(&w, &f.sys, method->name, 0, 0);
        state_random(&f.sys, &start, &rng, 0.8, 0.5);
        s = start;
        lie_stepper_control(w.st, u[0], u[1]);
        TEST_ASSERT_EQUAL(LIE_OK, lie_step(w.st, &s, 0.3));
        for (int i = 0; i < 3; i++) TEST_ASSERT_DOUBLE_WITHIN(2e-15, start.m[i] + 0.15 * (u[0][i] + u[1][i]), s.m[i]);
        lie_stepper_control(w.st, 0, 0);
        TEST_ASSERT_EQUAL(LIE_OK, lie_step(w.st, &s, 0.3));
        for (int i = 0; i < 3; i++) TEST_ASSERT_DOUBLE_WITHIN(2e-15, start.m[i] + 0.15 * (u[0][i] + u[1][i]), s.m[i]);
    }
}

/* The quadratic system once more, as a general Lagrangian, which is solved by Newton's method alone. */
static double plain_lagrangian(const lie_system *sys, const double *g, const double *xi)
{
    const fixture *p = fixture_of(sys);
    double twice = 0.0;
    for (int i = 0; i < sys->group->dim; i++)
        twice += xi[i] * fixture_dot(sys->group->dim, p->inertia + i * sys->group->dim, xi);
    return 0.5 * twice - fixture_potential(sys, g);
}

static void plain_momentum(const lie_system *sys, double *mu, const double *g, const double *xi)
{
    int n = sys->group->dim;
    (void)g;
    for (int i = 0; i < n; i++) mu[i] = fixture_dot(n, fixture_of(sys)->inertia + i * n, xi);
}

static void plain_gradient(const lie_system *sys, double *F, const double *g, const double *xi)
{
    (void)xi;
    fixture_force(sys, F, g);
}

/* Passes and Newton's method find the same stages, and few passes do where steps are short; with drag, too. */
void test_rkmk_implicit_passes_find_the_stages(void)
{
    static const char *const methods[2] = {"rkmk_gauss2", "rkmk_gauss3"};
    static fixture_groups all;
    static fixture other;
    static walker w[2];
    double worst = 0.0;
    int most = 0;
    fixture_groups_make(&all);
    for (int k = 0; k < 2 * all.count; k++) {
        lie_random rng = {30u};
        lie_state s[2];
        fixture_make(&f, all.G[k / 2], POTENTIAL | EXTERNAL);
        other = f;
        other.sys.params = &other;
        other.sys.inertia = 0, other.sys.potential = 0, other.sys.force = 0;
        other.sys.lagrangian = plain_lagrangian;
        other.sys.momentum = plain_momentum;
        other.sys.gradient = plain_gradient;
        walker_init(&w[0], &f.sys, methods[k % 2], 0, 0);
        walker_init(&w[1], &other.sys, methods[k % 2], 0, 0);
        state_random(&f.sys, &s[0], &rng, 0.6, 0.5);
        for (int i = 0; i < 12; i++) {
            s[1] = s[0];
            for (int j = 0; j < 2; j++)
                TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_step(w[j].st, &s[j], 0.02), all.G[k / 2]->group);
            worst = fmax(worst, state_distance(all.G[k / 2], &s[0], &s[1]));
        }
        int passes = lie_stepper_statistics(w[0].st)->last.iterations;
        most = passes > most ? passes : most;
    }
    printf("  passes against Newton's method: %.1e, %d passes\n", worst, most);
    TEST_ASSERT_TRUE(worst <= 2e-15);
    TEST_ASSERT_TRUE(most <= 6);
}
