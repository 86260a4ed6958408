/* SPDX-License-Identifier: MIT */
/* What optimal control and the quadratic matrix groups answer does not depend on what their memory held before; the
 * other drivers: test_unset.c. */
#include <math.h>
#include <stdio.h>

#include "tests/control/control_fixture.h"
#include "tests/support/random.h"
#include "tests/support/unset.h"

void setUp(void)
{
    make_problems();
}

void tearDown(void)
{
}

/* ---- optimal control ---- */

enum { RUNS = 12, ROOM = 60000 };

static double scratch[ROOM], own_xi[64 * 6], own_u[65 * 16];

static int stop_at(void *ctx, const lie_control_progress *now)
{
    return now->iteration >= *(const int *)ctx;
}

/* |xi|^2 and the distance to the north pole, both ends of the interval */
static double effort(void *ctx, double *gradient, double *hessian, double t, const double *g, const double *xi,
                     const double *u)
{
    int m = u ? *(const int *)ctx : 0, columns = 6 + m;
    double sum = 0.0;
    (void)t, (void)g;
    if (gradient) memset(gradient, 0, (size_t)(columns + 1) * sizeof *gradient);
    if (hessian) memset(hessian, 0, (size_t)(columns * columns) * sizeof *hessian);
    for (int i = 0; i < 3; i++) {
        sum += 0.1 * xi[i] * xi[i];
        if (gradient) gradient[3 + i] = 0.2 * xi[i];
        if (hessian) hessian[(3 + i) * columns + 3 + i] = 0.2;
    }
    return sum;
}

static void upright(void *ctx, double *c, double *D, const double *g, const double *xi)
{
    (void)ctx, (void)xi;
    c[0] = g[2] - 0.3;
    if (!D) return;
    memset(D, 0, 6 * sizeof *D);
    D[0] = g[1], D[1] = -g[0];
}

/* One of the kinds of problem that there are */
static lie_control_problem kind_of_problem(int kind)
{
    static const double fuel[3] = {1, 1, 1}, stored[3] = {0.1, -0.2, 0.1}, xi0[3] = {0.2, -0.1, 0.3};
    static const int any[3] = {1, 0, 1};
    static int inputs = 3;
    static const lie_control_cost cost = {effort, effort, &inputs};
    static const lie_control_states set = {1, upright, NULL};
    lie_control_problem p = so3_problem(10);
    make_problems();
    if (kind == 1) p = vehicle_problem(10);
    if (kind == 2) p.retraction = "exp", p.fuel = fuel;
    for (int i = 0; kind == 3 && i < 3; i++) body_inputs.actuator[i].min = -2.0, body_inputs.actuator[i].max = 2.0;
    for (int i = 0; kind == 4 && i < 3; i++) {
        memset(&body_inputs.actuator[i], 0, sizeof body_inputs.actuator[i]);
        body_inputs.actuator[i].kind = LIE_WHEEL, body_inputs.actuator[i].along[i] = 1.0;
    }
    if (kind == 4) p.wheels0 = stored;
    if (kind == 5) p.cost = &cost, p.xi0 = xi0;
    if (kind == 6) p.free_velocity = any, p.free_start_velocity = any;
    if (kind == 7) p.target_set = &set, p.free_start_pose = any;
    if (kind == 8) TEST_ASSERT_EQUAL(LIE_OK, lie_heavy_top_system(&body_inputs.base, &top, "SO3"));
    for (int i = 0; kind == 9 && i < 3; i++) body_inputs.actuator[i].kind = LIE_SPATIAL_WRENCH;
    if (kind == 10) p = vehicle_problem(10), lie_se3_exp(to_se3, (double[6]){0, 0, 0, 0, 1, 0}); /* unreachable */
    if (kind == 11) body_inputs.actuator[0] = body_inputs.actuator[1], body_inputs.count = 2;    /* one torque twice */
    p.time_weight = 0.05;
    return p;
}

static void note_control(unset_run *r, const char *what, const lie_control *c, lie_status status)
{
    const lie_control_answer *a = lie_control_now(c);
    const lie_control_progress *p = &a->last;
    const int n = a->n, N = a->N;
    const double last[9] = {p->cost,    p->residual, p->dynamics, p->target, p->gradient,
                            p->barrier, p->step,     p->convex,   a->h};
    unset_status(r, what, status);
    unset_number(r, what, p->iteration), unset_number(r, what, p->floor);
    unset_doubles(r, what, last, 9);
    unset_doubles(r, what, a->xi, N * n), unset_doubles(r, what, a->u, (N + 1) * a->m);
    unset_doubles(r, what, a->p, (N + 1) * n), unset_doubles(r, what, a->nu, (N + 1) * n);
    unset_doubles(r, what, a->g, (N + 1) * a->group->size);
    unset_double(r, what, a->cost), unset_double(r, what, a->cost_by_time);
    unset_double(r, what, lie_control_unactuated(c));
    unset_status(r, "save", lie_control_save(c, scratch, sizeof scratch));
    unset_put(r, "saved path", scratch, lie_control_path_memsize(c));
}

static void note_flight(unset_run *r, const lie_control *c)
{
    lie_state end;
    UNSET_FILL(r, end);
    UNSET_FILL(r, step_work);
    lie_status status = lie_control_fly(c, &end, step_work, sizeof step_work);
    unset_status(r, "fly", status);
    if (status == LIE_OK) unset_state(r, "fly", lie_control_now(c)->group, &end);
}

static void note_search(unset_run *r, lie_control *c)
{
    lie_control_extremal list[3];
    int found = -1, failed = -1, stored;
    lie_control_options opt = {.max_iterations = 40};
    UNSET_FILL(r, scratch);
    note_control(r, "continue", c, lie_control_continue(c, &opt, 2, scratch, sizeof scratch));
    UNSET_FILL(r, scratch);
    note_control(r, "homotopy", c, lie_control_homotopy(c, &opt, 2, scratch, sizeof scratch));
    UNSET_FILL(r, scratch);
    UNSET_FILL(r, list);
    lie_status status = lie_control_search(c, &opt, 4, list, 3, &found, &failed, scratch, sizeof scratch);
    unset_number(r, "found", found), unset_number(r, "failed", failed);
    stored = found < 3 ? found : 3;
    for (int i = 0; i < stored; i++) {
        unset_double(r, "extremal", list[i].cost), unset_number(r, "start", list[i].start);
        unset_number(r, "hits", list[i].hits), unset_number(r, "iterations", list[i].iterations);
    }
    note_control(r, "search", c, status);
}

static void drive_one_control(unset_run *r, int kind)
{
    lie_control *c;
    lie_control_report report;
    lie_control_problem p = kind_of_problem(kind);
    int last = 3;
    const lie_control_options stopped = {.monitor = stop_at, .ctx = &last}, few = {.max_iterations = 2};
    UNSET_FILL(r, work);
    lie_status status = lie_control_init(&c, &p, work, sizeof work);
    unset_status(r, "control init", status);
    if (status != LIE_OK) return;
    note_control(r, "begun", c, status);
    note_control(r, "stopped", c, lie_control_solve(c, &stopped));
    note_control(r, "few", c, lie_control_solve(c, &few));
    note_control(r, "line", c, lie_control_line(c, 0));
    note_control(r, "solved", c, lie_control_solve(c, NULL));
    note_flight(r, c);
    UNSET_FILL(r, scratch);
    TEST_ASSERT_EQUAL(LIE_OK, lie_control_save(c, scratch, sizeof scratch));
    const lie_control_answer *a = lie_control_now(c);
    memcpy(own_xi, a->xi, (size_t)(a->N * a->n) * sizeof *own_xi);
    memcpy(own_u, a->u, (size_t)((a->N + 1) * a->m) * sizeof *own_u);
    status = lie_control_load(c, scratch, sizeof scratch);
    note_control(r, "loaded", c, status == LIE_OK ? lie_control_solve(c, NULL) : status);
    note_control(r, "bent", c, lie_control_bend(c, 0.3, 2));
    UNSET_FILL(r, report);
    unset_status(r, "derivatives", lie_control_compare_derivatives(c, &report, 3));
    unset_double(r, "running", report.running_gradient), unset_double(r, "running", report.running_hessian);
    unset_double(r, "terminal", report.terminal_gradient), unset_double(r, "terminal", report.terminal_hessian);
    unset_double(r, "sets", report.target_set), unset_double(r, "sets", report.start_set);
    unset_double(r, "error", report.error), unset_put(r, "worst", report.worst, strlen(report.worst));
    note_control(r, "set", c, lie_control_set(c, own_xi, own_u));
    note_control(r, "longer", c, lie_control_set_time(c, 1.1 * p.T));
    note_control(r, "best time", c, lie_control_best_time(c, &(lie_control_options){.max_iterations = 40}, 2.0, 8.0));
    note_control(r, "turned", c, lie_control_line(c, 1));
    if (kind == 2) note_search(r, c);
}

static void drive_control(unset_run *r)
{
    for (int kind = 0; kind < RUNS; kind++) drive_one_control(r, kind);
}

void test_unset_control(void)
{
    unset_compare(drive_control);
    printf("  %d notes, %zu bytes\n", unset_runs[0].count, unset_runs[0].used);
}

/* ---- matrix groups ---- */

enum { NNMAX = 16, DMAX = 10 };

typedef lie_status map_fn(const lie_matgroup *M, double *out, const double *a);
typedef lie_status tangent_fn(const lie_matgroup *M, double *out, const double *x, const double *v);
typedef void element_fn(const lie_matgroup *M, double *out, const double *a);
typedef void pair_fn(const lie_matgroup *M, double *out, const double *a, const double *b);

static element_fn *const of_one[] = {lie_matgroup_inv, lie_matgroup_hat, lie_matgroup_vee};
static pair_fn *const of_two[] = {lie_matgroup_mul, lie_matgroup_act, lie_matgroup_Ad,
                                  lie_matgroup_Adt, lie_matgroup_ad,  lie_matgroup_adt};
static map_fn *const maps[] = {lie_matgroup_exp,
                               lie_matgroup_cay,
                               lie_matgroup_log,
                               lie_matgroup_caylog,
                               lie_matgroup_project,
                               lie_matgroup_dexp_matrix,
                               lie_matgroup_dexpinv_matrix,
                               lie_matgroup_dcay_matrix,
                               lie_matgroup_dcayinv_matrix};
static tangent_fn *const tangents[] = {
    lie_matgroup_dexp, lie_matgroup_dexpt, lie_matgroup_dexpinv, lie_matgroup_dexpinvt, lie_matgroup_dexp_body_deriv,
    lie_matgroup_dcay, lie_matgroup_dcayt, lie_matgroup_dcayinv, lie_matgroup_dcayinvt, lie_matgroup_dcay_body_deriv};

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

/* All functions at x, and at the element g that belongs to it */
static void note_maps(unset_run *r, const lie_matgroup *M, const double *x, const double *y)
{
    static double out[DMAX * DMAX], g[NNMAX];
    const int room = lie_matgroup_dim(M) * lie_matgroup_dim(M) > NNMAX ? DMAX * DMAX : NNMAX;
    lie_matgroup_identity(M, g);
    unset_status(r, "element", lie_matgroup_cay(M, g, x));
    for (int i = 0; i < COUNT(maps) + COUNT(tangents) + COUNT(of_one) + COUNT(of_two); i++) {
        int k = i;
        for (int j = 0; j < room; j++) out[j] = 7.0;
        unset_stain_stack(r->byte);
        if (k < COUNT(maps)) {
            unset_status(r, "map", maps[k](M, out, k >= 2 && k <= 4 ? g : x));
        } else if ((k -= COUNT(maps)) < COUNT(tangents)) {
            unset_status(r, "tangent", tangents[k](M, out, x, y));
        } else if ((k -= COUNT(tangents)) < COUNT(of_one)) {
            of_one[k](M, out, k == 1 ? x : g);
        } else {
            k -= COUNT(of_one);
            of_two[k](M, out, k >= 4 ? x : g, k == 0 ? g : y);
        }
        unset_doubles(r, "result", out, room);
    }
}

/* Steps on the group as one of lie_ops */
static void note_steps(unset_run *r, const lie_matgroup *M, const char *retraction)
{
    static double inertia[36], g[LIE_SIZE_MAX];
    const double xi[6] = {0.3, -0.2, 0.5, 0.1, 0.4, -0.3};
    lie_ops G;
    lie_stepper *st;
    lie_state s;
    UNSET_FILL(r, G);
    lie_status status = lie_matgroup_ops(&G, M, retraction);
    unset_status(r, "ops", status);
    if (status != LIE_OK || G.dim > 6 || G.size > LIE_SIZE_MAX) return;
    memset(inertia, 0, sizeof inertia);
    for (int i = 0; i < G.dim; i++) inertia[i * (G.dim + 1)] = 1.0 + 0.3 * i;
    lie_system sys = {.name = "body", .group = &G, .inertia = inertia};
    UNSET_FILL(r, s);
    UNSET_FILL(r, step_work);
    G.identity(&G, g);
    status = lie_stepper_init(&st, &sys, &(lie_options){.method = "sv"}, step_work, sizeof step_work);
    if (status == LIE_OK) status = lie_state_set(&sys, &s, 0.0, g, xi);
    if (status == LIE_OK) status = lie_run(st, &s, 0.05, 20);
    unset_status(r, "steps", status);
    if (status == LIE_OK) unset_state(r, "steps", &G, &s);
}

static void drive_matgroups(unset_run *r)
{
    static double memory[200000], J[NNMAX], x[DMAX], y[DMAX];
    static const double sizes[5] = {0.0, 0.3, 2.0, 40.0, 1e200};
    for (int k = 0; k < 4; k++) {
        lie_matgroup *M = NULL;
        lie_random rng = {11u + (unsigned)k};
        int n = k < 2 ? 4 : 3 + k - 2;
        UNSET_FILL(r, memory);
        UNSET_FILL(r, J);
        for (int i = 0; i < n * n; i++) J[i] = i % (n + 1) == 0 ? 1.0 + 0.1 * i : 0.0;
        lie_status status = k == 0   ? lie_matgroup_init_so(&M, 4, memory, sizeof memory)
                            : k == 1 ? lie_matgroup_init_sp(&M, 2, memory, sizeof memory)
                            : k == 2 ? lie_matgroup_init_sopq(&M, 2, 1, memory, sizeof memory)
                                     : lie_matgroup_init(&M, n, J, memory, sizeof memory);
        unset_status(r, "matgroup init", status);
        TEST_ASSERT_EQUAL(LIE_OK, status);
        unset_number(r, "n", lie_matgroup_n(M)), unset_number(r, "dim", lie_matgroup_dim(M));
        for (int i = 0; i < 5; i++) {
            random_vector(&rng, lie_matgroup_dim(M), x, sizes[i]);
            random_vector(&rng, lie_matgroup_dim(M), y, 1.0);
            note_maps(r, M, x, y);
        }
        x[0] = (double)NAN;
        note_maps(r, M, x, y);
        note_steps(r, M, "exp"), note_steps(r, M, "cay");
    }
}

void test_unset_matgroups(void)
{
    unset_compare(drive_matgroups);
    printf("  %d notes, %zu bytes\n", unset_runs[0].count, unset_runs[0].used);
}
