/* SPDX-License-Identifier: MIT */
/* What is known about these methods, positive and negative: which are self-adjoint, which are adjoint to each other or
 * the same in other variables, what they become without force, what composition gains, and that on R^n they are the
 * flat methods of Marsden & West 2001, written here independently. */
#include "tests/support/stepper_fixture.h"

static fixture_groups all;

void setUp(void)
{
    fixture_groups_make(&all);
}

void tearDown(void)
{
}

static int is(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

/* A group on which the negative facts hold: neither flat nor nilpotent. */
static int is_curved(const lie_ops *G)
{
    return is(G->group, "SO3") || is(G->group, "S3") || is(G->group, "SE3");
}

/* |F_{-h} F_h s - s| */
static double there_and_back(const lie_system *sys, const char *method, const lie_tableau *tab, double h)
{
    static walker w;
    lie_random rng = {21u};
    lie_state start, s;
    walker_init(&w, sys, method, 0, tab);
    state_random(sys, &start, &rng, 0.6, 1.0);
    s = start;
    TEST_ASSERT_EQUAL(LIE_OK, lie_step(w.st, &s, h));
    TEST_ASSERT_EQUAL(LIE_OK, lie_step(w.st, &s, -h));
    return state_distance(lie_stepper_group(w.st), &s, &start);
}

typedef struct extremes {
    double worst, least; /* where claimed, where not */
} extremes;

static void check_self_adjoint(const lie_method *method, const lie_ops *G, extremes *seen)
{
    static fixture f;
    lie_claims said;
    lie_method_claims(&said, method, G, NULL);
    int claimed = said.self_adjoint == 1;
    if (!fixture_make_for(&f, method, G, POTENTIAL)) return;
    double d = there_and_back(&f.sys, method->name, 0,
                              claimed               ? 0.1
                              : method->composition ? 0.15
                              : method->order > 8   ? 1.5
                                                    : 0.4);
    if (claimed) {
        seen->worst = fmax(seen->worst, d);
        require(d <= 1e-14, method->name);
    } else if (is_curved(G)) {
        seen->least = fmin(seen->least, d);
        require(d > 1e-12, method->name);
    }
}

/* Bou-Rabee & Marsden 2009, section 5, claim symmetry for symmetric tableaux; it holds for fewer. */
void test_stepper_facts_self_adjoint_where_claimed_and_nowhere_else(void)
{
    extremes seen = {0.0, 1.0};
    for (int i = 0; i < lie_method_builtin_count(); i++)
        for (int k = 0; k < all.count && !lie_method_builtin(i)->needs_tableau; k++)
            check_self_adjoint(lie_method_builtin(i), all.G[k], &seen);
    printf("  F_-h F_h - 1: at most %.1e where claimed (h = 0.1), at least %.1e elsewhere\n", seen.worst, seen.least);
}

/* What is claimed on R1 x (R2 x SO3) depends on the retraction of SO3, and on R1 x (R2 x R3) on the tableau. */
void test_stepper_facts_claims_on_products_in_products(void)
{
    static const lie_ops *const last[3] = {&lie_so3_exp_ops, &lie_so3_cay_ops, NULL};
    static const int expected[3][3] = {{4, 1, 0}, {3, 0, 0}, {4, 1, 1}};
    lie_ops R[3], inner, outer;
    for (int i = 0; i < 3; i++) TEST_ASSERT_EQUAL(LIE_OK, lie_rn_ops(&R[i], i + 1, "cay"));
    for (int k = 0; k < 3; k++) {
        const lie_method *composed = NULL, *rkmk = NULL;
        const lie_ops *in[2] = {&R[1], last[k] ? last[k] : &R[2]}, *out[2] = {&R[0], &inner};
        const lie_product products[2] = {{2, in}, {2, out}};
        lie_claims said, flat;
        TEST_ASSERT_EQUAL(LIE_OK, lie_product_ops(&inner, &products[0]));
        TEST_ASSERT_EQUAL(LIE_OK, lie_product_ops(&outer, &products[1]));
        TEST_ASSERT_EQUAL(LIE_OK, lie_method_find(&composed, "midpoint_triple4"));
        TEST_ASSERT_EQUAL(LIE_OK, lie_method_find(&rkmk, "rkmk_gauss2"));
        lie_method_claims(&said, composed, &outer, NULL);
        lie_method_claims(&flat, rkmk, &outer, NULL);
        TEST_ASSERT_EQUAL_INT(expected[k][0], said.order);
        TEST_ASSERT_EQUAL_INT(expected[k][1], said.self_adjoint);
        TEST_ASSERT_EQUAL_INT(expected[k][2], flat.symplectic);
        TEST_ASSERT_EQUAL_INT(expected[k][2], flat.momentum);
        TEST_ASSERT_EQUAL_INT(expected[k][2], flat.self_adjoint);
    }
}

/* Hairer, Lubich & Wanner 2006, section V.1: reflect the tableau. */
void test_stepper_facts_symmetric_tableaux_are_self_adjoint_on_rn(void)
{
    static const char *const symmetric[] = {"midpoint",  "gauss1",     "gauss2",     "gauss3",     "gauss4",
                                            "trapezoid", "lobatto3a3", "lobatto3a4", "lobatto3b3", "lobatto3b4"};
    static const char *const others[] = {"euler_fwd", "euler_bwd", "radau2a2", "rk4"};
    static fixture f;
    const lie_tableau *tab;
    fixture_make(&f, &all.flat[0], POTENTIAL | GYRO);
    for (int k = 0; k < 10; k++) {
        TEST_ASSERT_EQUAL(LIE_OK, lie_tableau_find(&tab, symmetric[k]));
        require(there_and_back(&f.sys, "vprk", tab, 0.2) <= 1e-14, symmetric[k]);
        require(there_and_back(&f.sys, "vprk0", tab, 0.2) <= 1e-14, symmetric[k]);
    }
    for (int k = 0; k < 4; k++) {
        TEST_ASSERT_EQUAL(LIE_OK, lie_tableau_find(&tab, others[k]));
        require(there_and_back(&f.sys, "vprk", tab, 0.2) > 1e-8, others[k]);
    }
}

/* ve_bwd of h after ve_fwd of -h is the identity, for every group, retraction and term; ve_fwd alone has no such
 * property. */
void test_stepper_facts_variational_eulers_are_adjoint(void)
{
    static const int terms[4] = {POTENTIAL, POTENTIAL | GYRO, GENERAL, POTENTIAL | GYRO | EXTERNAL};
    static const char *const names[2] = {"ve_fwd", "ve_bwd"};
    static fixture f;
    static walker fwd, bwd;
    double worst = 0.0, least = 1.0;
    for (int k = 0; k < all.count; k++)
        for (int i = 0; i < 8; i++) {
            lie_random rng = {22u};
            lie_state start, s;
            fixture_make(&f, all.G[k], terms[i / 2]);
            walker_init(&fwd, &f.sys, names[i % 2], 0, 0);
            walker_init(&bwd, &f.sys, names[1 - i % 2], 0, 0);
            state_random(&f.sys, &start, &rng, 0.6, 0.7);
            s = start;
            TEST_ASSERT_EQUAL(LIE_OK, lie_step(fwd.st, &s, -0.13));
            TEST_ASSERT_EQUAL(LIE_OK, lie_step(bwd.st, &s, 0.13));
            double d = state_distance(lie_stepper_group(fwd.st), &s, &start);
            require(d <= 1e-14, all.G[k]->group);
            worst = fmax(worst, d);
            least = fmin(least, there_and_back(&f.sys, names[i % 2], 0, 0.13));
        }
    printf("  ve_bwd_h ve_fwd_-h - 1: at most %.1e; ve_fwd with itself at least %.1e\n", worst, least);
    TEST_ASSERT_TRUE(least > 1e-4);
}

/* Half a step of each variational Euler is Stoermer-Verlet on R^n only: on a group the two half steps do not add up. */
void test_stepper_facts_euler_halves_are_verlet_on_rn_only(void)
{
    static fixture f;
    static walker fwd, bwd, sv;
    for (int k = 0; k < all.count; k++) {
        lie_random rng = {23u};
        lie_state halves, whole;
        fixture_make(&f, all.G[k], POTENTIAL);
        walker_init(&fwd, &f.sys, "ve_fwd", 0, 0);
        walker_init(&bwd, &f.sys, "ve_bwd", 0, 0);
        walker_init(&sv, &f.sys, "sv", 0, 0);
        state_random(&f.sys, &whole, &rng, 0.6, 0.7);
        halves = whole;
        TEST_ASSERT_EQUAL(LIE_OK, lie_step(sv.st, &whole, 0.2));
        TEST_ASSERT_EQUAL(LIE_OK, lie_step(fwd.st, &halves, 0.1));
        TEST_ASSERT_EQUAL(LIE_OK, lie_step(bwd.st, &halves, 0.1));
        double d = state_distance(lie_stepper_group(sv.st), &halves, &whole);
        if (is(all.G[k]->group, "R")) require(d <= 1e-15, "R");
        if (is_curved(all.G[k])) require(d > 1e-6, all.G[k]->group);
    }
}

/* Weak equivalence (Marsden & West 2001, section 2.1.2): the discrete Lagrangians of ve_fwd, ve_bwd and sv differ by
 * (h/2)(V(g1) - V(g0)), so started with momenta shifted by -+(h/2) F they give the same g. */
void test_stepper_facts_eulers_and_verlet_are_weakly_equivalent(void)
{
    static const char *const names[3] = {"sv", "ve_fwd", "ve_bwd"};
    static const double shift[3] = {0.0, -0.5, 0.5};
    static fixture f;
    static walker w[3];
    const double h = 0.05;
    double worst = 0.0;
    for (int k = 0; k < all.count; k++) {
        lie_random rng = {24u};
        lie_state s[3];
        double F[FIXTURE_DIM];
        fixture_make(&f, all.G[k], POTENTIAL);
        state_random(&f.sys, &s[0], &rng, 0.6, 0.7);
        f.sys.force(&f.sys, F, s[0].g);
        for (int i = 2; i >= 0; i--) {
            s[i] = s[0];
            for (int j = 0; j < all.G[k]->dim; j++) s[i].m[j] += shift[i] * h * F[j];
            walker_init(&w[i], &f.sys, names[i], 0, 0);
            TEST_ASSERT_EQUAL(LIE_OK, lie_run(w[i].st, &s[i], h, 40));
        }
        for (int i = 1; i < 3; i++) worst = fmax(worst, state_distance_g(all.G[k], &s[i], &s[0]));
        require(worst <= 1e-14, all.G[k]->group);
    }
    printf("  sv, ve_fwd, ve_bwd after 40 steps: g the same to %.1e\n", worst);
}

/* How far a method is from Euler-Poincare after five steps without force. */
static double distance_to_ep(const lie_ops *G, const char *method, const lie_tableau *tab)
{
    static fixture f;
    static walker ep, w;
    lie_random rng = {25u};
    lie_state a, b;
    fixture_make(&f, G, 0);
    walker_init(&ep, &f.sys, "ep", 0, 0);
    walker_init(&w, &f.sys, method, 0, tab);
    state_random(&f.sys, &a, &rng, 0.6, 0.7);
    b = a;
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(ep.st, &a, 0.2, 5));
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(w.st, &b, 0.2, 5));
    return state_distance(G, &a, &b);
}

/* Without force all tableaux are Euler-Poincare where the kinetic part is truncated; untruncated it is true for
 * euler_fwd, and for one stage with exp, where dexp_{-x} x = x. */
void test_stepper_facts_all_tableaux_coincide_without_force(void)
{
    double worst = 0.0;
    for (int k = 0; k < all.count; k++)
        for (int i = 0; i < 2 * lie_tableau_builtin_count(); i++) {
            const lie_tableau *tab = lie_tableau_builtin(i / 2);
            if (!tableau_is_variational(tab)) continue;
            double d = distance_to_ep(all.G[k], i % 2 ? "vprk" : "vprk0", tab);
            int same = i % 2 == 0 || is(tab->name, "euler_fwd") || is(all.G[k]->group, "R") ||
                       (tab->stages == 1 && is(all.G[k]->retraction, "exp"));
            if (same) worst = fmax(worst, d);
            require(!same || d <= 1e-14, tab->name);
            require(same || !is_curved(all.G[k]) || d > 1e-6, tab->name);
        }
    printf("  all tableaux without force after 5 steps: ep to %.1e\n", worst);
}

/* The error at t = 0.8 of a base method of order p in a triple jump (all substeps taken here), with n jumps. */
static double jump_error(const lie_system *sys, const lie_options *opt, int p, const lie_state *start,
                         const lie_state *end, int n)
{
    static walker w;
    const double g1 = 1.0 / (2.0 - pow(2.0, 1.0 / (p + 1))), jump[3] = {g1, 1.0 - 2.0 * g1, g1};
    lie_state s = *start;
    TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_stepper_init(&w.st, sys, opt, w.work, sizeof w.work), opt->method);
    for (int k = 0; k < 3 * n; k++) TEST_ASSERT_EQUAL(LIE_OK, lie_step(w.st, &s, jump[k % 3] * 0.8 / n));
    return state_distance(lie_stepper_group(w.st), &s, end);
}

/* Triple jump: two orders more of what is self-adjoint, one of what is not (Hairer, Lubich & Wanner 2006, section
 * II.4). Untruncated methods are self-adjoint if their chart is anchored in the middle of the step. */
void test_stepper_facts_triple_jump_gains_two_orders_only_if_self_adjoint(void)
{
    static const struct {
        const char *retraction, *method, *tableau;
        int base;
        lie_anchor anchor;
        double order;
    } cases[] = {{"exp", "sv", 0, 2, LIE_ANCHOR_OF_TABLEAU, 4.0},
                 {"cay", "sv", 0, 2, LIE_ANCHOR_OF_TABLEAU, 4.0},
                 {"skew", "sv", 0, 2, LIE_ANCHOR_OF_TABLEAU, 4.0},
                 {"exp", "midpoint", 0, 2, LIE_ANCHOR_OF_TABLEAU, 4.0},
                 {"cay", "midpoint", 0, 2, LIE_ANCHOR_OF_TABLEAU, 3.0},
                 {"exp", "vprk0", "gauss2", 2, LIE_ANCHOR_OF_TABLEAU, 3.0},
                 {"cay", "vprk", "gauss1", 2, LIE_ANCHOR_OF_TABLEAU, 4.0},
                 {"cay", "vprk", "gauss1", 2, LIE_ANCHOR_START, 3.0},
                 {"cay", "vprk", "gauss2", 4, LIE_ANCHOR_OF_TABLEAU, 6.0},
                 {"cay", "vprk", "gauss2", 4, LIE_ANCHOR_START, 5.0},
                 {"exp", "vprk", "lobatto3b3", 4, LIE_ANCHOR_MIDDLE, 6.0}};
    static fixture f;
    static walker fine;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const lie_ops *G;
        const lie_tableau *tab = 0;
        lie_random rng = {26u};
        lie_state start, end;
        double e[2];
        TEST_ASSERT_EQUAL(LIE_OK, lie_ops_find(&G, "SO3", cases[k].retraction));
        if (cases[k].tableau) TEST_ASSERT_EQUAL(LIE_OK, lie_tableau_find(&tab, cases[k].tableau));
        fixture_make(&f, G, POTENTIAL);
        walker_init(&fine, &f.sys, "gauss4", 0, 0);
        state_random(&f.sys, &start, &rng, 0.6, 1.0);
        end = start;
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(fine.st, &end, 0.8 / 64, 64));
        const lie_options opt = {.method = cases[k].method, .tableau = tab, .anchor = cases[k].anchor};
        int jumps = cases[k].base == 2 ? 64 : 16;
        for (int i = 0; i < 2; i++) e[i] = jump_error(&f.sys, &opt, cases[k].base, &start, &end, jumps << i);
        double order = log2(e[0] / e[1]);
        printf("  triple jump of %s %s with %s%s: order %.2f (error %.1e)\n", cases[k].method, tab ? tab->name : "",
               cases[k].retraction, cases[k].anchor == LIE_ANCHOR_START ? " at the start" : "", order, e[1]);
        require(fabs(order - cases[k].order) <= 0.1, cases[k].method);
    }
}

/* Flat systems, V, A and M of the fixture on R^3, position q and momentum p: one step, written from the book. */
enum { N = 3, FLAT_STAGES = 8 };
typedef struct flat {
    double q[N], p[N];
} flat;

static void velocity_at(const lie_system *sys, double *v, const double *q, const double *p)
{
    TEST_ASSERT_EQUAL(LIE_OK, lie_system_velocity(sys, v, q, p));
}

/* Symplectic partitioned Runge-Kutta, Marsden & West 2001, (2.6.6) and (2.6.7): Q_i = q + h sum a_ij V_j,
 * P_i = p + h sum ahat_ij F_j, b_i ahat_ij + b_j a_ji = b_i b_j, by fixed-point iteration. */
static void sprk(const lie_system *sys, const lie_tableau *tab, flat *x, double h)
{
    int s = tab->stages;
    double V[FLAT_STAGES][N] = {{0.0}}, F[FLAT_STAGES][N] = {{0.0}};
    for (int it = 0; it < 60; it++) {
        double newV[FLAT_STAGES][N], newF[FLAT_STAGES][N];
        for (int i = 0; i < s; i++) {
            flat at = *x;
            for (int j = 0; j < s; j++)
                for (int k = 0; k < N; k++) {
                    at.q[k] += h * tab->A[i * s + j] * V[j][k];
                    at.p[k] += h * tab->b[j] * (1.0 - tab->A[j * s + i] / tab->b[i]) * F[j][k];
                }
            velocity_at(sys, newV[i], at.q, at.p);
            lie_system_force(sys, newF[i], at.q, newV[i]);
        }
        memcpy(V, newV, sizeof V);
        memcpy(F, newF, sizeof F);
    }
    for (int j = 0; j < s; j++)
        for (int k = 0; k < N; k++) x->q[k] += h * tab->b[j] * V[j][k], x->p[k] += h * tab->b[j] * F[j][k];
}

/* Implicit midpoint: z1 = z + h f((z + z1)/2). */
static void implicit_midpoint(const lie_system *sys, flat *x, double h)
{
    flat next = *x;
    for (int it = 0; it < 60; it++) {
        double q[N], p[N], v[N], F[N];
        for (int k = 0; k < N; k++) q[k] = 0.5 * (x->q[k] + next.q[k]), p[k] = 0.5 * (x->p[k] + next.p[k]);
        velocity_at(sys, v, q, p);
        lie_system_force(sys, F, q, v);
        for (int k = 0; k < N; k++) next.q[k] = x->q[k] + h * v[k], next.p[k] = x->p[k] + h * F[k];
    }
    *x = next;
}

/* Kick, drift, kick with the weights a, 1, b: Verlet (leapfrog) or symplectic Euler. */
static void leapfrog(const lie_system *sys, flat *x, double h, double a, double b)
{
    double F[N], v[N];
    sys->force(sys, F, x->q);
    for (int k = 0; k < N; k++) x->p[k] += a * h * F[k];
    velocity_at(sys, v, x->q, x->p);
    for (int k = 0; k < N; k++) x->q[k] += h * v[k];
    sys->force(sys, F, x->q);
    for (int k = 0; k < N; k++) x->p[k] += b * h * F[k];
}

/* Ten steps of the library from a fixed start. */
static void library_steps(const lie_system *sys, const char *method, const lie_tableau *tab, lie_state *s, flat *x)
{
    static walker w;
    lie_random rng = {27u};
    walker_init(&w, sys, method, 0, tab);
    state_random(sys, s, &rng, 0.8, 0.8);
    memcpy(x->q, s->g, sizeof x->q);
    memcpy(x->p, s->m, sizeof x->p);
    TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_run(w.st, s, 0.1, 10), method);
}

static double flat_distance(const flat *x, const lie_state *s)
{
    double d = 0.0;
    for (int k = 0; k < N; k++) d = fmax(d, fmax(fabs(x->q[k] - s->g[k]), fabs(x->p[k] - s->m[k])));
    return d;
}

void test_stepper_facts_rn_reproduces_verlet_and_symplectic_euler(void)
{
    static const char *const names[4] = {"sv", "ve_fwd", "ve_bwd", "ep"};
    static const double before[4] = {0.5, 1.0, 0.0, 0.0}, after[4] = {0.5, 0.0, 1.0, 0.0};
    static fixture f;
    for (int i = 0; i < 4; i++) {
        lie_state s;
        flat x;
        fixture_make(&f, &all.flat[0], i < 3 ? POTENTIAL : 0);
        library_steps(&f.sys, names[i], 0, &s, &x);
        fixture_make(&f, &all.flat[0], POTENTIAL);
        for (int k = 0; k < 10; k++) leapfrog(&f.sys, &x, 0.1, before[i], after[i]);
        require(flat_distance(&x, &s) <= 1e-14, names[i]);
    }
}

void test_stepper_facts_rn_reproduces_implicit_midpoint(void)
{
    static const char *const names[2] = {"midpoint", "gauss1"};
    static const int terms[3] = {POTENTIAL, POTENTIAL | GYRO, GENERAL};
    static fixture f;
    for (int i = 0; i < 6; i++) {
        lie_state s;
        flat x;
        fixture_make(&f, &all.flat[0], terms[i / 2]);
        library_steps(&f.sys, names[i % 2], 0, &s, &x);
        for (int k = 0; k < 10; k++) implicit_midpoint(&f.sys, &x, 0.1);
        require(flat_distance(&x, &s) <= 1e-14, names[i % 2]);
    }
}

/* Gauss collocation, Lobatto IIIA-IIIB and IIIB-IIIA, Radau and the classical tableau with their partners. */
void test_stepper_facts_rn_reproduces_symplectic_partitioned_runge_kutta(void)
{
    static const int terms[3] = {POTENTIAL, POTENTIAL | GYRO, GENERAL};
    static fixture f;
    double worst = 0.0;
    int count = 0;
    for (int i = 0; i < 6 * lie_tableau_builtin_count(); i++) {
        const lie_tableau *tab = lie_tableau_builtin(i / 6);
        lie_state s;
        flat x;
        if (!tableau_is_variational(tab)) continue;
        fixture_make(&f, &all.flat[0], terms[i % 6 / 2]);
        library_steps(&f.sys, i % 2 ? "vprk" : "vprk0", tab, &s, &x);
        for (int k = 0; k < 10; k++) sprk(&f.sys, tab, &x, 0.1);
        worst = fmax(worst, flat_distance(&x, &s));
        require(flat_distance(&x, &s) <= 1e-14, tab->name);
        count++;
    }
    printf("  SPRK of %d tableaux on R^3, 10 steps: the same to %.1e\n", count / 6, worst);
}

/* What a small computer keeps of a body: its state, and the work memory of sv. */
void test_stepper_facts_a_body_is_small(void)
{
    static const char *const groups[3] = {"S3", "SO3", "SE3"}, *const retractions[2] = {"cay", "exp"};
    TEST_ASSERT_TRUE(sizeof(lie_state) <= 400);
    for (int i = 0; i < 6; i++) {
        static fixture f;
        static walker w;
        const lie_options opt = {.method = "sv", .retraction = retractions[i % 2]};
        const lie_ops *G;
        TEST_ASSERT_EQUAL(LIE_OK, lie_ops_find(&G, groups[i / 2], "exp"));
        fixture_make(&f, G, POTENTIAL);
        size_t bytes = lie_stepper_memsize(&f.sys, &opt);
        printf("  sv on %s with %s: %zu bytes\n", groups[i / 2], retractions[i % 2], bytes);
        TEST_ASSERT_TRUE(bytes > 0 && bytes <= 1024);
        TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&w.st, &f.sys, &opt, w.work, bytes));
    }
}
