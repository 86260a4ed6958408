/* SPDX-License-Identifier: MIT */
/* bench_gauss.c: what a step of the Gauss methods costs beside an explicit method of the same order, or beside sv, in
 * one interleaved run: heavy tops and a satellite on S3 and SO3, a vehicle with a dense and with a diagonal inertia on
 * SE3, the top with its weight as a callback. Each pair has a target for every length of step. */
#include <liestep/stepper.h>
#include <liestep/systems.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum { STEPS = 128, WORK = 1 << 14, LENGTHS = 4, PAIRS = 5, BODIES = 7 };

static const double lengths[LENGTHS] = {0.01, 0.05, 0.1, 0.2};

/* A method, what it stands beside, and how often its time it may take at each length. */
static const struct pair {
    const char *method, *beside;
    double target[LENGTHS];
} pairs[PAIRS] = {{"gauss4", "pirk8", {1.0, 1.5, 2.1, 3.0}},
                  {"gauss6", "pirk12", {0.6, 1.1, 1.4, 2.3}},
                  {"gauss8", "pirk16", {0.4, 0.8, 1.1, 1.6}},
                  {"gauss2", "rkmk4", {1.5, 2.5, 3.4, 5.2}},
                  {"gauss1", "sv", {1.25, 1.25, 1.25, 1.25}}};

typedef struct body {
    const char *name, *group;
    double slack; /* its targets are those of the list times this */
    double xi[6];
} body;
static const body bodies[BODIES] = {{"top", "S3", 1.0, {0.7, 0.9, -0.6}},
                                    {"top", "SO3", 1.0, {0.7, 0.9, -0.6}},
                                    {"satellite", "S3", 1.0, {0.7, 0.9, -0.6}},
                                    {"satellite", "SO3", 1.0, {0.7, 0.9, -0.6}},
                                    {"dense", "SE3", 1.25, {0.7, 0.9, -0.6, 0.4, -0.3, 0.8}},
                                    {"diagonal", "SE3", 1.25, {0.7, 0.9, -0.6, 0.4, -0.3, 0.8}},
                                    {"own top", "S3", 2.0, {0.7, 0.9, -0.6}}};

static lie_heavy_top top = {{1.0, 0, 0, 0, 2.0, 0, 0, 0, 3.0}, 1.0, {0.3, -0.2, 1.0}, 9.81};
static lie_satellite satellite = {.inertia = {1.0, 0.05, 0, 0.05, 2.0, 0.1, 0, 0.1, 2.6}, .orbit_rate = 0.5};
static lie_vehicle dense = {.weight = 11.0, .buoyancy = 11.0, .weight_at = {0.02, -0.01, -0.3}}, diagonal;

static lie_status make(lie_system *sys, const body *b)
{
    lie_inertia_diagonal(6, dense.inertia, (const double[6]){1.0, 2.0, 3.0, 1.5, 2.5, 3.5});
    diagonal = dense;
    for (int i = 1; i < 6; i++) dense.inertia[i] = dense.inertia[6 * i] = 0.02 * i;
    dense.inertia[10] = dense.inertia[25] = 0.3;
    if (strcmp(b->name, "satellite") == 0) return lie_satellite_system(sys, &satellite, b->group);
    if (strcmp(b->name, "dense") == 0) return lie_vehicle_system(sys, &dense, "SE3");
    if (strcmp(b->name, "diagonal") == 0) return lie_vehicle_system(sys, &diagonal, "SE3");
    lie_status status = lie_heavy_top_system(sys, &top, b->group);
    if (strcmp(b->name, "own top") == 0) sys->form = NULL;
    return status;
}

typedef struct walker {
    lie_system sys;
    lie_stepper *st;
    lie_state s;
    double h, work[WORK];
    lie_status status;
} walker;

static void start(walker *w, const body *b, const char *method, double h)
{
    double g[12];
    w->status = make(&w->sys, b);
    if (w->status != LIE_OK) return;
    w->h = h;
    w->sys.group->identity(w->sys.group, g);
    w->status = lie_state_set(&w->sys, &w->s, 0.0, g, b->xi);
    lie_options how = {.method = method, .retraction = "cay"};
    if (w->status == LIE_OK) w->status = lie_stepper_init(&w->st, &w->sys, &how, w->work, sizeof w->work);
}

static void run(void *ctx, long passes)
{
    walker *w = (walker *)ctx;
    if (w->status == LIE_OK) w->status = lie_run(w->st, &w->s, w->h, passes * STEPS);
}

/* How many targets were missed; -1 where something is wrong. */
static int measure(const struct pair *p, const body *b, const bench_plan *plan)
{
    static walker w[2];
    int missed = 0;
    printf("%-8s %-8s %-10s %-4s", p->method, p->beside, b->name, b->group);
    for (int k = 0; k < LENGTHS; k++) {
        bench_result result[2];
        start(&w[0], b, p->beside, lengths[k]);
        start(&w[1], b, p->method, lengths[k]);
        bench_contender c[2] = {{p->beside, run, &w[0], STEPS}, {p->method, run, &w[1], STEPS}};
        (void)bench_compare(c, 2, plan, result);
        if (w[0].status != LIE_OK || w[1].status != LIE_OK) {
            printf("  h %g: %s\n", lengths[k], lie_status_text(w[w[0].status == LIE_OK].status));
            return -1;
        }
        double target = p->target[k] * b->slack;
        int met = result[1].ratio <= target;
        printf("  %4.0f ns %5.2f <= %4.2f %-6s [%4.1f]", result[1].ns, result[1].ratio, target, met ? "met" : "MISSED",
               (double)lie_stepper_statistics(w[1].st)->iterations / (double)w[1].s.steps);
        missed += !met;
    }
    putchar('\n');
    return missed;
}

int main(int argc, char **argv)
{
    int quick = argc > 1 && strcmp(argv[1], "--quick") == 0, missed = 0, wrong = 0;
    bench_plan plan = quick ? (bench_plan){BENCH_CPU, 21, 3e5, 1e8} : (bench_plan){BENCH_CPU, 101, 1e6, 2e9};
    if (argc > 1 && !quick) {
        fputs("usage: bench_gauss [--quick]\n\nTime of a step over that of another method, medians, at h = 0.01, 0.05, "
              "0.1, 0.2 s; evaluations of all stages\nper step in brackets.\n",
              stderr);
        return 1;
    }
    for (int i = 0; i < PAIRS; i++)
        for (int k = 0; k < BODIES; k++) {
            int found = measure(&pairs[i], &bodies[k], &plan);
            missed += found > 0 ? found : 0;
            wrong += found < 0;
            fflush(stdout);
        }
    printf("%d missed\n", missed);
    return wrong > 0;
}
