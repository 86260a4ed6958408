/* SPDX-License-Identifier: MIT */
/* Symplectic and self-adjoint, on every group with every retraction, both ways: what is claimed holds, what is not
 * claimed does not. And methods that can be had in two ways are the same.
 *
 *   symplectic      J^T Omega(m+) J = Omega(m), J the derivative of the step in (g exp(eta), m + nu) by differences,
 *                   Omega((eta1, nu1), (eta2, nu2)) = <nu2, eta1> - <nu1, eta2> + <m, [eta1, eta2]>
 *                   (Bou-Rabee & Marsden 2009, theorem 4.9); and the classical Runge-Kutta method fails the same test
 *   self-adjoint    a step -h takes back a step h (Hairer, Lubich & Wanner, Geometric Numerical Integration, 2006,
 *                   section II.3) */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/stepper_cases.h"
#include "unity.h"

/* The steps that are differentiated: of different lengths, forth and back; longer ones where a method of high order
 * must show that it is not symplectic. */
static const double lengths[] = {0.17, -0.23};
enum { LENGTHS = sizeof lengths / sizeof lengths[0] };
static double stretch = 1.0;

/* Symplectic form. */

typedef void map_fn(lie_state *s, const lie_system *sys, lie_stepper *st);

static void steps_map(lie_state *s, const lie_system *sys, lie_stepper *st)
{
    (void)sys;
    for (int k = 0; k < LENGTHS; k++) TEST_ASSERT_EQUAL(LIE_OK, lie_step(st, s, stretch * lengths[k]));
}

static void rk4_map(lie_state *s, const lie_system *sys, lie_stepper *st)
{
    (void)st;
    for (int k = 0; k < LENGTHS; k++) case_rk4_step(s, sys, lengths[k]);
}

/* The image of (g tau(d e_i), m), or of (g, m + d e_{i-n}), in coordinates at `end`: (tau^-1(end^-1 g), m) */
static void image(double *out, map_fn *map, const lie_state *start, const lie_state *end, const lie_system *sys,
                  lie_stepper *st, int i, double d)
{
    const lie_ops *G = sys->group;
    lie_state s = *start;
    double x[CASE_DIM] = {0.0}, T[CASE_SIZE];
    int n = G->dim;
    if (i < n) x[i] = d;
    TEST_ASSERT_EQUAL(LIE_OK, G->tau(G, T, x));
    G->mul(G, s.g, s.g, T);
    if (i >= n) s.m[i - n] += d;
    map(&s, sys, st);
    G->inv(G, T, end->g);
    G->mul(G, T, T, s.g);
    if (st && lie_stepper_method(st)->leaves_group) TEST_ASSERT_EQUAL(LIE_OK, G->project(G, T, T));
    TEST_ASSERT_EQUAL(LIE_OK, G->tauinv(G, out, T));
    memcpy(out + n, s.m, (size_t)n * sizeof *out);
}

/* J (2n x 2n) by central differences of order 6 */
static void jacobian(double *J, map_fn *map, const lie_state *start, const lie_state *end, const lie_system *sys,
                     lie_stepper *st)
{
    static const double weight[3] = {45.0 / 60, -9.0 / 60, 1.0 / 60}, d = 0x1p-8;
    double a[2 * CASE_DIM], b[2 * CASE_DIM];
    int N = 2 * sys->group->dim;
    memset(J, 0, (size_t)(N * N) * sizeof *J);
    for (int j = 0; j < N; j++)
        for (int k = 0; k < 3; k++) {
            image(a, map, start, end, sys, st, j, (k + 1) * d);
            image(b, map, start, end, sys, st, j, -(k + 1) * d);
            for (int i = 0; i < N; i++) J[i * N + j] += weight[k] * (a[i] - b[i]) / d;
        }
}

/* Omega(m) of two vectors (eta, nu) */
static double two_form(const lie_ops *G, const double *m, const double *a, const double *b)
{
    double bracket[CASE_DIM], sum = 0.0;
    int n = G->dim;
    G->ad(G, bracket, a, b);
    for (int i = 0; i < n; i++) sum += b[n + i] * a[i] - a[n + i] * b[i] + m[i] * bracket[i];
    return sum;
}

/* max |J^T Omega(m+) J - Omega(m)| */
static double symplectic_defect(map_fn *map, const lie_state *start, const lie_system *sys, lie_stepper *st)
{
    double J[4 * CASE_DIM * CASE_DIM], columns[2 * CASE_DIM][2 * CASE_DIM], unit[2 * CASE_DIM][2 * CASE_DIM] = {{0.0}};
    double defect = 0.0;
    int N = 2 * sys->group->dim;
    lie_state end = *start;
    map(&end, sys, st);
    jacobian(J, map, start, &end, sys, st);
    for (int j = 0; j < N; j++) {
        unit[j][j] = 1.0;
        for (int i = 0; i < N; i++) columns[j][i] = J[i * N + j];
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < i; j++)
            defect = fmax(defect, fabs(two_form(sys->group, end.m, columns[i], columns[j]) -
                                       two_form(sys->group, start->m, unit[i], unit[j])));
    return defect;
}

/* On which systems the i-th method is tried on the j-th group: all with a potential, every fourth each with a
 * gyroscopic term and with a general Lagrangian. */
static int is_tried(int i, const case_method *m, int j, case_kind kind)
{
    if (!case_is_sampled(i, j) || case_has_own_name(m)) return 0;
    if (!case_takes(m, case_group_at(j), kind)) return 0;
    if (m->method->needs_free) return kind == CASE_FREE || kind == CASE_GYRO;
    return kind == CASE_POTENTIAL || (kind == CASE_GYRO && (i + j) % 4 == 0) ||
           (kind == CASE_LAGRANGIAN && (i + j) % 4 == 2);
}

static double method_defect(const case_method *m, const case_group *c, case_kind kind)
{
    lie_stepper *st;
    lie_state start;
    case_stepper(&st, m, c, kind);
    case_start(&start, c, kind, 0);
    return symplectic_defect(steps_map, &start, &c->system[kind], st);
}

/* Does the form change on some group where it is not claimed, by far more than rounding? */
static int is_plainly_not_symplectic(int i, const case_method *m)
{
    double worst = 0.0;
    double longest = m->method->order > 8 ? 16.0 : 4.0;
    for (stretch = 1.0; stretch <= longest && worst < 1e-8; stretch += 1.0)
        for (int j = 0; j < case_group_count() && worst < 1e-8; j++)
            if (is_tried(i, m, j, case_main(m->method)) && !case_claims(m, case_group_at(j)).symplectic)
                worst = fmax(worst, method_defect(m, case_group_at(j), case_main(m->method)));
    stretch = 1.0;
    return worst >= 1e-8;
}

void test_stepper_structure_symplectic_form_is_preserved(void)
{
    case_worst all = {0.0, "none"};
    case_method m;
    int kept = 0;
    for (int i = 0; case_method_at(&m, i); i++) {
        int not_claimed = 0;
        for (int j = 0; j < case_group_count(); j++)
            for (int kind = 0; kind < CASE_KINDS; kind++) {
                if (!is_tried(i, &m, j, (case_kind)kind)) continue;
                int claimed = case_claims(&m, case_group_at(j)).symplectic;
                not_claimed += !claimed;
                kept += claimed;
                if (claimed)
                    case_note(&all, method_defect(&m, case_group_at(j), (case_kind)kind), &m, case_group_at(j));
            }
        if (not_claimed > 0) TEST_ASSERT_TRUE_MESSAGE(is_plainly_not_symplectic(i, &m), m.name);
    }
    printf("symplectic form: %d steps, the worst: %s\n", kept, all.what);
    TEST_ASSERT_TRUE_MESSAGE(all.value <= 1e-10, all.what);
}

void test_stepper_structure_runge_kutta_is_not_symplectic(void)
{
    double least = HUGE_VAL;
    for (int j = 0; j < case_group_count(); j++) {
        const case_group *c = case_group_at(j);
        lie_state start;
        case_start(&start, c, CASE_POTENTIAL, 0);
        double defect = symplectic_defect(rk4_map, &start, &c->system[CASE_POTENTIAL], NULL);
        TEST_ASSERT_TRUE_MESSAGE(defect > 1e-7, c->name);
        least = fmin(least, defect);
    }
    printf("symplectic form: Runge-Kutta of order 4 changes it by %.1e at least\n", least);
}

/* Adjoints. */

/* |(step -h after step h) - 1| relative to the state; the controls are exchanged on the way back */
static double adjoint_defect(const case_method *m, const case_group *c, case_kind kind, double h)
{
    static const double u[2][CASE_DIM] = {{0.3, -0.7, 0.2, 0.5, -0.4, 0.1}, {-0.2, 0.4, 0.6, -0.1, 0.3, -0.5}};
    static const lie_state nothing;
    lie_stepper *st;
    lie_state start, s;
    case_stepper(&st, m, c, kind);
    case_start(&start, c, kind, 0);
    s = start;
    lie_stepper_control(st, u[0], u[1]);
    TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_step(st, &s, h), m->name);
    lie_stepper_control(st, u[1], u[0]);
    TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_step(st, &s, -h), m->name);
    return case_distance(c->group, &s, &start) / case_distance(c->group, &start, &nothing);
}

/* The worst over all kinds of systems. */
static double worst_adjoint_defect(int i, const case_method *m, int j, double h)
{
    double defect = 0.0;
    for (int kind = 0; kind < CASE_KINDS; kind++)
        if (is_tried(i, m, j, (case_kind)kind) || (kind == CASE_FORCED && case_takes(m, case_group_at(j), CASE_FORCED)))
            defect = fmax(defect, adjoint_defect(m, case_group_at(j), (case_kind)kind, h));
    return defect;
}

void test_stepper_structure_self_adjoint_where_claimed(void)
{
    case_worst all = {0.0, "none"};
    case_method m;
    for (int i = 0; case_method_at(&m, i); i++)
        for (int j = 0; j < case_group_count(); j++) {
            const case_group *c = case_group_at(j);
            if (!case_is_sampled(i, j) || case_claims(&m, c).self_adjoint != 1) continue;
            case_note(&all, worst_adjoint_defect(i, &m, j, 0.25), &m, c);
        }
    printf("self-adjoint where claimed: the worst: %s\n", all.what);
    TEST_ASSERT_TRUE(all.value > 0.0);
    TEST_ASSERT_TRUE_MESSAGE(all.value <= 1e-14, all.what);
}

/* The largest defect of a method with a retraction, over its tableaux, groups and systems. Methods of high order need
 * long steps to show one. */
static double largest_defect(const lie_method *method, const char *retraction)
{
    case_method m;
    double defect = 0.0;
    for (int i = 0; case_method_at(&m, i); i++)
        for (int j = 0; m.method == method && j < case_group_count(); j++) {
            const case_group *c = case_group_at(j);
            if (c->is_flat || strcmp(c->retraction, retraction) != 0 || case_has_own_name(&m)) continue;
            const case_kind kinds[2] = {case_main(method), CASE_GYRO};
            for (int k = 0; k < 2; k++)
                for (double h = 0.25;
                     h < (method->order >= 8 ? 1.6 : 0.6) && defect < 1e-8 && case_takes(&m, c, kinds[k]); h += 0.25)
                    defect = fmax(defect, adjoint_defect(&m, c, kinds[k], h));
        }
    return defect;
}

/* What is not claimed is not so: with every retraction at least one motion shows it. */
void test_stepper_structure_not_self_adjoint_where_not_claimed(void)
{
    double least = HUGE_VAL;
    char text[CASE_TEXT];
    for (int k = 0; k < lie_method_builtin_count(); k++)
        for (int j = 0; j < case_group_count(); j++) {
            const lie_method *m = lie_method_builtin(k);
            const case_group *c = case_group_at(j);
            if (case_claims(&(case_method){.method = m}, c).self_adjoint == 1) continue;
            if (c->is_flat || !case_is_sampled(k, j)) continue;
            if (lie_method_takes(m, &c->system[case_main(m)]) != LIE_OK) continue;
            double defect = largest_defect(m, c->retraction);
            snprintf(text, sizeof text, "%s is self-adjoint with %s (%.1e)", m->name, c->retraction, defect);
            TEST_ASSERT_TRUE_MESSAGE(defect > 1e-9, text);
            least = fmin(least, defect);
        }
    printf("not self-adjoint where not claimed: by %.1e at least\n", least);
}

/* The same method by other ways. */

/* g and m after some steps; answers the iterations they took */
static long long some_steps(lie_state *s, const case_method *m, const case_group *c, case_kind kind)
{
    lie_stepper *st;
    case_stepper(&st, m, c, kind);
    case_start(s, c, kind, 1);
    TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_run(st, s, 0.09, 5), m->name);
    return lie_stepper_statistics(st)->iterations;
}

void test_stepper_structure_names_and_tableaux_agree_to_the_bit(void)
{
    case_method m;
    int pairs = 0;
    for (int i = 0; case_method_at(&m, i); i++)
        for (int k = 0; case_has_own_name(&m) && k < lie_method_builtin_count(); k++) {
            case_method named = {.method = lie_method_builtin(k)};
            const lie_method *n = named.method;
            if (!n->tableau || n->composition || n->family != m.method->family ||
                strcmp(n->tableau, m.tableau->name) != 0)
                continue;
            for (int j = 0; j < case_group_count(); j += 3, pairs++) {
                const case_group *c = case_group_at(j);
                lie_state a, b;
                some_steps(&a, &m, c, CASE_GYRO);
                some_steps(&b, &named, c, CASE_GYRO);
                TEST_ASSERT_EQUAL_MEMORY_MESSAGE(a.g, b.g, (size_t)c->group->size * sizeof(double), m.name);
                TEST_ASSERT_EQUAL_MEMORY_MESSAGE(a.m, b.m, (size_t)c->group->dim * sizeof(double), m.name);
            }
        }
    TEST_ASSERT_TRUE(pairs > 0);
}

/* ep, ve_fwd, ve_bwd and sv are the truncated method with their tableau; only the solver differs. */
void test_stepper_structure_separable_methods_are_truncated_ones(void)
{
    const lie_method *sv, *vprk0;
    case_worst all = {0.0, "none"};
    TEST_ASSERT_EQUAL(LIE_OK, lie_method_find(&sv, "sv"));
    TEST_ASSERT_EQUAL(LIE_OK, lie_method_find(&vprk0, "vprk0"));
    for (int k = 0; k < lie_method_builtin_count(); k++) {
        case_method m = {.method = lie_method_builtin(k)}, same = {.method = vprk0};
        if (m.method->family != sv->family || m.method->composition) continue;
        snprintf(m.name, sizeof m.name, "%s", m.method->name);
        TEST_ASSERT_EQUAL(LIE_OK, lie_tableau_find(&same.tableau, m.method->tableau));
        for (int j = 0; j < case_group_count(); j++) {
            case_kind kind = case_main(m.method);
            lie_state a, b;
            some_steps(&a, &m, case_group_at(j), kind);
            some_steps(&b, &same, case_group_at(j), kind);
            case_note(&all, case_distance(case_group_at(j)->group, &a, &b), &m, case_group_at(j));
        }
    }
    printf("separable and truncated: the largest difference: %s\n", all.what);
    TEST_ASSERT_TRUE(all.value > 0.0);
    TEST_ASSERT_TRUE_MESSAGE(all.value <= 1e-13, all.what);
}

/* Built-in groups have steppers of their own; a copy of their operations goes through the general one. */
void test_stepper_structure_copied_groups_agree_to_the_bit(void)
{
    case_method m;
    for (int i = 0; case_method_at(&m, i); i++)
        for (int j = 0; j < case_group_count(); j++) {
            case_kind kind = case_main(m.method);
            const case_group *c = case_group_at(j);
            static case_group copy;
            lie_ops group = *c->group;
            lie_state a, b;
            if (m.tableau || !case_is_sampled(i, j) || !case_takes(&m, c, kind)) continue;
            copy = *c;
            copy.group = copy.system[kind].group = &group;
            some_steps(&a, &m, c, kind);
            some_steps(&b, &m, &copy, kind);
            TEST_ASSERT_EQUAL_MEMORY_MESSAGE(a.g, b.g, (size_t)group.size * sizeof(double), m.name);
            TEST_ASSERT_EQUAL_MEMORY_MESSAGE(a.m, b.m, (size_t)group.dim * sizeof(double), m.name);
        }
}

/* A method is explicit if and only if no step iterates. */
void test_stepper_structure_explicit_methods_do_not_iterate(void)
{
    case_method m;
    for (int i = 0; case_method_at(&m, i); i++) {
        long long most = 0;
        for (int j = 0; j < case_group_count(); j++) {
            lie_state s;
            if (!case_takes(&m, case_group_at(j), case_main(m.method))) continue;
            long long used = some_steps(&s, &m, case_group_at(j), case_main(m.method));
            if (used > most) most = used;
        }
        TEST_ASSERT_TRUE_MESSAGE((most == 0) == case_is_explicit(&m), m.name);
    }
}

/* A method without retraction gives the same bits with every one. */
void test_stepper_structure_no_retraction_where_claimed(void)
{
    case_method m;
    for (int i = 0; case_method_at(&m, i); i++)
        for (int j = 0; j < case_group_count(); j++) {
            const case_group *c = case_group_at(j), *first = NULL;
            if (!case_claims(&m, c).no_retraction) continue;
            for (int k = 0; k <= j && !first; k++)
                if (strcmp(case_group_at(k)->label, c->label) == 0) first = case_group_at(k);
            case_kind kind = case_main(m.method);
            if (!first || first == c || !case_takes(&m, c, kind)) continue;
            static case_group same_start;
            lie_state a, b;
            same_start = *first;
            same_start.group = same_start.system[kind].group = c->group;
            some_steps(&a, &m, &same_start, kind);
            some_steps(&b, &m, first, kind);
            TEST_ASSERT_EQUAL_MEMORY_MESSAGE(a.g, b.g, (size_t)c->group->size * sizeof(double), m.name);
            TEST_ASSERT_EQUAL_MEMORY_MESSAGE(a.m, b.m, (size_t)c->group->dim * sizeof(double), m.name);
        }
}

/* Off the group by the error of the method where that is said, by round-off elsewhere. */
void test_stepper_structure_leaves_the_group_only_where_claimed(void)
{
    case_worst all = {0.0, "none"};
    case_method m;
    for (int i = 0; case_method_at(&m, i); i++)
        for (int j = 0; j < case_group_count(); j++) {
            const case_group *c = case_group_at(j);
            lie_state s;
            double near[CASE_SIZE], off = 0.0;
            if (!case_is_sampled(i, j) || case_has_own_name(&m) || !case_takes(&m, c, case_main(m.method))) continue;
            some_steps(&s, &m, c, case_main(m.method));
            TEST_ASSERT_EQUAL(LIE_OK, c->group->project(c->group, near, s.g));
            for (int k = 0; k < c->group->size; k++) off = fmax(off, fabs(near[k] - s.g[k]));
            if (m.method->leaves_group)
                TEST_ASSERT_TRUE_MESSAGE(off > 1e-10, m.name);
            else
                case_note(&all, off / DBL_EPSILON, &m, c);
        }
    printf("distance from the group after five steps: the worst: %s eps\n", all.what);
    TEST_ASSERT_TRUE_MESSAGE(all.value <= 40.0, all.what);
}

/* The worst change of the energy in a run, in units of eps |E| + eps |m| |xi|. */
static double energy_change(const case_method *m, const case_group *c, case_kind kind)
{
    lie_stepper *st;
    lie_state s;
    double before, after, worst = 0.0, h = m->method->order > 8 ? 0.5 : 0.15;
    case_stepper(&st, m, c, kind);
    case_start(&s, c, kind, 3);
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_energy(&c->system[kind], &before, &s));
    for (int k = 0; k < 40; k++) {
        TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_run(st, &s, h, 1), m->name);
        TEST_ASSERT_EQUAL(LIE_OK, lie_state_energy(&c->system[kind], &after, &s));
        worst = fmax(worst, fabs(after - before) / (1.0 + fabs(before)) / DBL_EPSILON);
    }
    return worst;
}

void test_stepper_structure_energy_is_kept_where_claimed_and_nowhere_else(void)
{
    case_worst all = {0.0, "none"};
    double least = HUGE_VAL;
    case_method m;
    for (int i = 0; case_method_at(&m, i); i++) {
        case_worst one = {0.0, "none"};
        for (int j = 0; j < case_group_count(); j++) {
            const case_group *c = case_group_at(j);
            if (c->is_flat || !case_takes(&m, c, case_main(m.method))) continue;
            case_note(&one, energy_change(&m, c, case_main(m.method)), &m, c);
        }
        if (m.method->energy && one.value > all.value) all = one;
        if (m.method->energy) continue;
        TEST_ASSERT_TRUE_MESSAGE(one.value > 1e3, one.what);
        least = fmin(least, one.value);
    }
    printf("energy: the worst where claimed: %s eps; elsewhere it changes by %.0e eps at least\n", all.what, least);
    TEST_ASSERT_TRUE_MESSAGE(all.value <= 200.0, all.what);
}
