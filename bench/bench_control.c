/* SPDX-License-Identifier: MIT */
/* bench_control.c: what an optimal manoeuvre costs, in steps of RK4 in plain C of the same vehicle, timed in turn with
 * it; how the time of an iteration grows with the number of intervals; and what the same problem costs Ipopt without
 * derivatives. The vehicle is that of examples/control_vehicle.c, the start the straight line; RK4 is spared the
 * drag. */
#include <liestep/liestep.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "rk4.h"
#include "tests/control/control_band.h"

enum { RK4_STEPS = 1000 };

static lie_vehicle vehicle;
static lie_actuation thrusters;
static double at_start[12], goal[12];

/* A thrust that does not change: the cheapest force RK4 can have. */
static void thrust(const lie_system *sys, double *F, const double *g)
{
    (void)g;
    memcpy(F, sys->params, 6 * sizeof *F);
}

static lie_status make_vehicle(void)
{
    static const double inertia[6] = {0.015, 0.0975, 0.0975, 3, 3, 3}, drag[6] = {0.01, 0.02, 0.02, 0.3, 0.6, 0.6};
    const double c = 0.1, d = 0.15, s = 0.1 * 0.86602540378443865;
    const double wrench[5][6] = {
        {0, c / 2, -s, 1, 0, 0}, {0, c / 2, s, 1, 0, 0}, {0, -c, 0, 1, 0, 0}, {-d, 0, 0, 0, 0, 1}, {d, 0, 0, 0, 0, 1}};
    const double twist[6] = {0.5, 0.3, -0.8, 2, 1, 0.5};
    lie_inertia_diagonal(6, vehicle.inertia, inertia);
    lie_inertia_diagonal(6, vehicle.linear_drag, drag);
    thrusters.count = 5;
    for (int i = 0; i < 5; i++) memcpy(thrusters.actuator[i].wrench, wrench[i], sizeof wrench[i]);
    lie_se3_identity(at_start);
    lie_se3_exp(goal, twist);
    return lie_vehicle_system(&thrusters.base, &vehicle, NULL);
}

typedef struct manoeuvre {
    lie_control *control;
    void *work;
    lie_status status;
} manoeuvre;

static lie_status begin(manoeuvre *m, int N)
{
    lie_control_problem p = {
        .actuation = &thrusters, .retraction = "cay", .g0 = at_start, .gT = goal, .T = 10.0, .N = N};
    size_t bytes = lie_control_memsize(&p);
    m->work = malloc(bytes);
    return m->work ? lie_control_init(&m->control, &p, m->work, bytes) : LIE_ERR_MEMORY;
}

static void run_manoeuvre(void *ctx, long passes)
{
    manoeuvre *m = (manoeuvre *)ctx;
    for (long i = 0; i < passes; i++) {
        m->status = lie_control_line(m->control, 0);
        if (m->status == LIE_OK) m->status = lie_control_solve(m->control, 0);
    }
}

static void run_rk4(void *ctx, long passes)
{
    const lie_system *sys = (const lie_system *)ctx;
    double inverse[36] = {0.0};
    rk4_motion s = {.q = {1, 0, 0, 0}};
    for (int i = 0; i < 6; i++) inverse[7 * i] = 1.0 / vehicle.inertia[7 * i];
    for (long i = 0; i < passes; i++) rk4_vehicle(&s, sys, inverse, 1e-3, RK4_STEPS, RK4_NORMALISED);
}

static void run_ipopt(void *ctx, long passes)
{
    manoeuvre *m = (manoeuvre *)ctx;
    for (long i = 0; i < passes; i++) {
        lie_control_ipopt opt = {.differences = 1, .tolerance = 1e-6, .max_iterations = 3000};
        m->status = lie_control_line(m->control, 0);
        if (m->status == LIE_OK) m->status = lie_control_solve_ipopt(m->control, &opt);
    }
}

/* The manoeuvre with N intervals in steps of RK4 */
static void compare_with_rk4(int N, double allowed)
{
    static const double force[6] = {0.01, 0.02, -0.01, 0.3, 0.0, 0.1};
    lie_system sys = {.params = force, .inertia = vehicle.inertia, .force = thrust};
    manoeuvre m = {.work = 0};
    bench_contender c[2] = {{"rk4", run_rk4, &sys, RK4_STEPS}, {"manoeuvre", run_manoeuvre, &m, 1}};
    bench_plan plan = {BENCH_CPU, 9, 2e7, 2e10};
    bench_result r[2];
    if (begin(&m, N) == LIE_OK && bench_compare(c, 2, &plan, r) == 0 && m.status == LIE_OK)
        printf("  N = %5d   %3d iterations   %9.3f ms   %9.0f steps of RK4 (%.0f ns)   %s %.0e\n", N,
               lie_control_now(m.control)->last.iteration, 1e-6 * r[1].ns, r[1].ratio, r[0].ns,
               r[1].ratio < allowed ? "below" : "ABOVE", allowed);
    else
        printf("  N = %5d   %s\n", N, lie_status_text(m.status));
    free(m.work);
}

static void compare_sizes(void)
{
    static const int sizes[4] = {32, 320, 3200, 10000};
    manoeuvre m[4];
    bench_contender c[4];
    bench_plan plan = {BENCH_CPU, 9, 1e8, 6e10};
    bench_result r[4];
    for (int i = 0; i < 4; i++) {
        if (begin(&m[i], sizes[i]) != LIE_OK) return;
        run_manoeuvre(&m[i], 1);
        c[i] = (bench_contender){"size", run_manoeuvre, &m[i],
                                 (long)sizes[i] * (lie_control_now(m[i].control)->last.iteration + 1)};
    }
    if (bench_compare(c, 4, &plan, r) == 0)
        for (int i = 0; i < 4; i++)
            printf("  N = %5d   %6.2f us per interval and iteration   %5.3f of N = 32   %s\n", sizes[i], 1e-3 * r[i].ns,
                   r[i].ratio, lie_status_name(m[i].status));
    for (int i = 0; i < 4; i++) free(m[i].work);
}

/* One Newton step, derivatives included: the sweep, and LAPACK on the banded matrix of the same system */
typedef struct newton_step {
    manoeuvre m;
    control_band band;
    int failed;
} newton_step;

static void run_sweep(void *ctx, long passes)
{
    newton_step *s = (newton_step *)ctx;
    for (long i = 0; i < passes; i++) {
        lie_status status = lie__control_sweep_back(s->m.control);
        if (status == LIE_OK) status = lie__control_sweep_forward(s->m.control);
        s->failed |= status != LIE_OK;
    }
}

static void run_band(void *ctx, long passes)
{
    newton_step *s = (newton_step *)ctx;
    for (long i = 0; i < passes; i++)
        s->failed |= band_fill(&s->band, s->m.control) != LIE_OK || band_solve(&s->band) != 0;
}

static void compare_with_lapack(int N)
{
    newton_step s = {.failed = 0};
    bench_contender c[2] = {{"sweep", run_sweep, &s, 1}, {"dgbsv", run_band, &s, 1}};
    bench_plan plan = {BENCH_CPU, 9, 2e7, 6e10};
    bench_result r[2];
    lie_control_options opt = {.max_iterations = 6};
    if (begin(&s.m, N) == LIE_OK && lie_control_solve(s.m.control, &opt) == LIE_ERR_NO_CONVERGENCE &&
        band_make(&s.band, s.m.control) && bench_compare(c, 2, &plan, r) == 0)
        printf("  N = %5d   sweep %8.3f ms   LAPACK dgbsv %8.3f ms   %5.2f times the sweep%s\n", N, 1e-6 * r[0].ns,
               1e-6 * r[1].ns, r[1].ratio, s.failed ? "   FAILED" : "");
    band_free(&s.band);
    free(s.m.work);
}

static void compare_with_ipopt(void)
{
    manoeuvre mine = {.work = 0}, other = {.work = 0};
    bench_contender c[2] = {{"liestep", run_manoeuvre, &mine, 1}, {"ipopt", run_ipopt, &other, 1}};
    bench_plan plan = {BENCH_CPU, 5, 1e7, 6e10};
    bench_result r[2];
    if (begin(&mine, 32) == LIE_OK && begin(&other, 32) == LIE_OK && bench_compare(c, 2, &plan, r) == 0)
        printf("  N =    32   Ipopt without derivatives, to 1e-6: %.0f ms, %.0f times this library's, %s\n",
               1e-6 * r[1].ns, r[1].ratio, lie_status_name(other.status));
    free(mine.work);
    free(other.work);
}

/* --quick: 32 intervals, and neither longer ones nor Ipopt */
int main(int argc, char **argv)
{
    int quick = argc == 2 && strcmp(argv[1], "--quick") == 0;
    if (argc > 1 && !quick) {
        fputs("usage: bench_control [--quick]\n", stderr);
        return 1;
    }
    lie_status status = make_vehicle();
    printf("Five-thruster manoeuvre from a straight line, optimal to 1e-11\n");
    if (status == LIE_OK) {
        compare_with_rk4(32, 1e5);
    }
    if (status == LIE_OK && !quick) {
        compare_with_rk4(1000, 3e6);
        printf("Time of an iteration against the number of intervals\n");
        compare_sizes();
        printf("A Newton step, derivatives included\n");
        compare_with_lapack(32);
        compare_with_lapack(1000);
        printf("The same discrete problem\n");
        compare_with_ipopt();
    }
    return status == LIE_OK ? 0 : 1;
}
