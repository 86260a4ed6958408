/* SPDX-License-Identifier: MIT */
/* bench_lanes.c: what a step of one trajectory of an ensemble costs (lie_ensemble_run, on one core), beside RK4 in
 * plain C and lie_run for one trajectory, in one interleaved run, for every width of vectors that the processor has;
 * how near that comes to the peak of the vector unit without fused operations, measured in the same run; and what two
 * threads gain.
 *
 * Problems: free bodies, heavy tops, satellites and underwater vehicles with dense inertias and weight and buoyancy at
 * two centres; all trajectories start from different states. RK4 calls the same force, in C, four times a step. See
 * docs/BENCHMARKS.md. */
#include <liestep/liestep.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "classical.h"
#include "peak.h"

enum { STEPS = 1024, MEMBERS = 480, WIDTHS = 3, CONTENDERS = 2 + 2 * WIDTHS, WORK = 1024 };

static lie_free_body body;
static lie_heavy_top top = {.mass = 1.0, .centre = {0.03, -0.02, 0.1}, .gravity = 9.81};
static lie_vehicle vehicle = {.weight = 1.0, .buoyancy = 1.0, .weight_at = {-0.1, 0.05, -0.8}};

static lie_satellite satellite = {.orbit_rate = 0.2, .wheels = {0.02, -0.03, 0.1}};

static lie_status make_system(lie_system *sys, problem_kind kind, const char *group)
{
    memcpy(body.inertia, body_inertia, sizeof body_inertia);
    memcpy(top.inertia, body_inertia, sizeof body_inertia);
    memcpy(vehicle.inertia, vehicle_inertia, sizeof vehicle_inertia);
    memcpy(satellite.inertia, body_inertia, sizeof body_inertia);
    if (kind == FREE) return lie_free_body_system(sys, &body, group);
    if (kind == SATELLITE) return lie_satellite_system(sys, &satellite, group);
    return kind == TOP ? lie_heavy_top_system(sys, &top, group) : lie_vehicle_system(sys, &vehicle, NULL);
}

/* flops: sums, products, quotients and roots per step where the first guess is good enough (on SE3: after one pass of
 * Newton's method), counted in the text of the kernels and in the loop of the compiled one. target: of the ratio
 * RK4/lanes with 4 lanes; 0: none. */
typedef struct row {
    problem_kind kind;
    int flops;
    const char *group, *method;
    double h, target;
} row;

static const row rows[] = {{FREE, 200, "S3", "ep", 0.005, 8.0},   {FREE, 0, "S3", "ep", 0.05, 0.0},
                           {FREE, 127, "S3", "dmv", 0.005, 12.0}, {FREE, 0, "S3", "dmv", 0.05, 12.0},
                           {FREE, 246, "SO3", "ep", 0.005, 0.0},  {TOP, 272, "S3", "sv", 0.005, 0.0},
                           {TOP, 0, "S3", "sv", 0.05, 0.0},       {VEHICLE, 962, "SE3", "sv", 0.005, 4.0},
                           {VEHICLE, 0, "SE3", "sv", 0.05, 0.0},  {SATELLITE, 0, "S3", "sv", 0.005, 0.0},
                           {SATELLITE, 0, "S3", "sv", 0.05, 0.0}};
enum { ROWS = sizeof rows / sizeof rows[0] };
#define PEAK_TARGET 0.5
#define THREADS_TARGET 1.85

/* contenders */

static void run_classical(void *ctx, long passes)
{
    classical_run((classical *)ctx, passes * STEPS);
}

typedef struct stepped {
    lie_stepper *st;
    lie_state s;
    double work[WORK], h;
    lie_status status;
} stepped;

static void run_stepped(void *ctx, long passes)
{
    stepped *c = (stepped *)ctx;
    lie_status status = lie_run(c->st, &c->s, c->h, passes * STEPS);
    if (status != LIE_OK) c->status = status;
}

typedef struct crowd {
    lie_ensemble *e;
    void *memory;
    lie_status status;
} crowd;

static void run_crowd(void *ctx, long passes)
{
    crowd *c = (crowd *)ctx;
    lie_status status = lie_ensemble_run(c->e, passes * STEPS, 0);
    if (status != LIE_OK) c->status = status;
}

typedef struct peak {
    void (*run)(double *out, long count);
    double out[8];
} peak;

static void run_peak(void *ctx, long passes)
{
    peak *p = (peak *)ctx;
    p->run(p->out, passes * STEPS);
}

/* RK4 of the top has its state on S3 whatever the group. */
static void start_classical(classical *c, const row *r)
{
    lie_system sys;
    (void)make_system(&sys, r->kind, "S3");
    classical_start(c, r->kind, &sys, r->h);
    if (r->kind == SATELLITE) c->body.w[2] += satellite.orbit_rate; /* from the orbit frame to space */
}

/* The state of trajectory i: the twist turned a little. */
static lie_status start_state(lie_state *s, const lie_system *sys, int i)
{
    double g[12], xi[6];
    for (int k = 0; k < 6; k++) xi[k] = twist[k] * (1.0 + 0.0002 * (i + 10 * k));
    sys->group->identity(sys->group, g);
    return lie_state_set(sys, s, 0.0, g, xi);
}

static lie_status start_stepped(stepped *c, const lie_system *sys, const row *r)
{
    lie_options opt = {.method = r->method, .retraction = "cay"};
    *c = (stepped){.h = r->h};
    lie_status status = lie_stepper_init(&c->st, sys, &opt, c->work, sizeof c->work);
    return status == LIE_OK ? start_state(&c->s, sys, 0) : status;
}

static lie_status start_crowd(crowd *c, const lie_system *sys, const row *r, long long members, int lanes, int threads)
{
    lie_ensemble_options opt = {
        .step = {.method = r->method, .retraction = "cay"}, .h = r->h, .lanes = lanes, .threads = threads};
    size_t bytes = lie_ensemble_memsize(sys, 1, members, &opt);
    *c = (crowd){.memory = malloc(bytes)};
    if (!c->memory) return LIE_ERR_MEMORY;
    lie_status status = lie_ensemble_init(&c->e, sys, 1, members, &opt, c->memory, bytes);
    for (long long i = 0; i < members && status == LIE_OK; i++) {
        lie_state s;
        status = start_state(&s, sys, (int)(i % MEMBERS));
        if (status == LIE_OK) status = lie_ensemble_set(c->e, i, &s);
    }
    return status;
}

/* After a second of motion: is the first trajectory the one of lie_run, to the bit, and near that of RK4? */
static int is_right(crowd *a, stepped *b, classical *k)
{
    long steps = (long)(1.0 / b->h + 0.5);
    const double *w = k->kind == VEHICLE ? k->motion.nu : k->body.w;
    double xi[6], off = 0.0;
    lie_state s;
    int dim = lie_stepper_group(b->st)->dim;
    lie_status status = lie_ensemble_run(a->e, steps, 0);
    if (status == LIE_OK) status = lie_run(b->st, &b->s, b->h, steps);
    if (status == LIE_OK) status = lie_ensemble_get(a->e, 0, &s);
    if (status == LIE_OK) status = lie_state_velocity(lie_stepper_system(b->st), xi, &s);
    if (status != LIE_OK || memcmp(s.m, b->s.m, (size_t)dim * sizeof(double)) != 0) return 0;
    double h = k->h;
    long passes = steps / STEPS + 1;
    k->h = 1.0 / (double)(passes * STEPS); /* a second, in a whole number of passes */
    run_classical(k, passes);
    k->h = h;
    if (k->kind == SATELLITE) { /* the orbit normal, seen from the body, times its rate */
        const double *q = k->body.q, n = satellite.orbit_rate;
        xi[0] += 2.0 * n * (q[1] * q[3] - q[0] * q[2]), xi[1] += 2.0 * n * (q[2] * q[3] + q[0] * q[1]);
        xi[2] += n * (q[0] * q[0] + q[3] * q[3] - q[1] * q[1] - q[2] * q[2]);
    }
    for (int i = 0; i < dim; i++) off = fmax(off, fabs(xi[i] - w[i]));
    return off < 0.01 + 2.0 * h;
}

/* rows */

static const int widths[WIDTHS] = {2, 4, 8};
static void (*const peaks[WIDTHS])(double *, long) = {peak_2, peak_4, peak_8};

static void print_width(const row *r, int lanes, const bench_result *result, const bench_result *at_peak, int *missed)
{
    double rate = r->flops / result->ns, most = (double)PEAK_FLOPS / at_peak->ns, gain = 1.0 / result->ratio;
    printf("%14d lanes %8.2f ns  %5.1f x faster than RK4", lanes, result->ns, gain);
    if (r->target > 0.0 && lanes == 4) {
        *missed += gain < r->target;
        printf("  >= %g %s", r->target, gain < r->target ? "MISSED" : "met");
    }
    if (r->flops > 0) {
        printf("; %.1f of %.1f Gflop/s, %.0f %%", rate, most, 100.0 * rate / most);
        if (lanes >= 4) {
            *missed += rate < PEAK_TARGET * most;
            printf("  >= 50 %s", rate < PEAK_TARGET * most ? "MISSED" : "met");
        }
    }
    printf("\n");
}

/* The same as a line of docs/BENCHMARKS.md; a width that the processor has not stays empty. */
static void print_line(const row *r, const bench_result *result, int n, int *missed)
{
    char cell[WIDTHS][80] = {""}, gain[WIDTHS][80] = {""}, share[WIDTHS][80] = {""};
    for (int k = 0; 2 + 2 * k < n; k++) {
        double ratio = 1.0 / result[2 + 2 * k].ratio;
        double part = r->flops / result[2 + 2 * k].ns / ((double)PEAK_FLOPS / result[3 + 2 * k].ns);
        int is_goal = widths[k] == 4 && r->target > 0.0, under = widths[k] >= 4 && r->flops > 0 && part < PEAK_TARGET;
        *missed += (is_goal && ratio < r->target) + under;
        snprintf(cell[k], sizeof cell[k], "%.1f", result[2 + 2 * k].ns);
        if (is_goal)
            snprintf(gain[k], sizeof gain[k], "%s%.1f (>= %g)%s", ratio < r->target ? "**" : "", ratio, r->target,
                     ratio < r->target ? "**" : "");
        else
            snprintf(gain[k], sizeof gain[k], "%.1f", ratio);
        if (r->flops > 0) snprintf(share[k], sizeof share[k], under ? "**%.0f %%**" : "%.0f %%", 100.0 * part);
    }
    printf("| %s, %s, `%s`, h = %g | %.1f | %.1f | %s | %s | %s | %s | %s | %s | %s |\n", problem_name[r->kind],
           r->group, r->method, r->h, result[0].ns, result[1].ns, cell[0], cell[1], cell[2], gain[1], gain[2], share[1],
           share[2]);
}

static int as_table;

static int measure(const row *r, const bench_plan *plan, int *missed)
{
    static stepped own;
    static classical reference;
    static crowd crowds[WIDTHS];
    static peak at_peak[WIDTHS];
    lie_system sys;
    bench_contender contender[CONTENDERS];
    bench_result result[CONTENDERS];
    int n = 2, wrong = make_system(&sys, r->kind, r->group) != LIE_OK || start_stepped(&own, &sys, r) != LIE_OK;
    contender[0] = (bench_contender){"RK4", run_classical, &reference, STEPS};
    contender[1] = (bench_contender){"lie_run", run_stepped, &own, STEPS};
    for (int k = 0; k < WIDTHS && widths[k] <= lie_ensemble_lanes_max() && !wrong; k++) {
        wrong = start_crowd(&crowds[k], &sys, r, MEMBERS, widths[k], 1) != LIE_OK;
        start_classical(&reference, r);
        wrong = wrong || start_stepped(&own, &sys, r) != LIE_OK || !is_right(&crowds[k], &own, &reference);
        at_peak[k].run = peaks[k];
        contender[n++] = (bench_contender){"lanes", run_crowd, &crowds[k], (long)STEPS * MEMBERS};
        contender[n++] = (bench_contender){"peak", run_peak, &at_peak[k], (long)STEPS * widths[k]};
    }
    if (!as_table) printf("%-9s %-3s %-2s h = %g: ", problem_name[r->kind], r->group, r->method, r->h);
    if (wrong || bench_compare(contender, n, plan, result) != 0) {
        wrong = 1;
    } else if (as_table) {
        print_line(r, result, n, missed);
    } else {
        printf("RK4 %.1f ns, lie_run %.1f ns (%.2f x)\n", result[0].ns, result[1].ns, result[1].ratio);
        for (int k = 0; 2 + 2 * k < n; k++) print_width(r, widths[k], &result[2 + 2 * k], &result[3 + 2 * k], missed);
    }
    for (int k = 0; k < WIDTHS; k++) {
        wrong = wrong || crowds[k].status != LIE_OK;
        free(crowds[k].memory);
        crowds[k].memory = 0;
    }
    if (wrong) printf("WRONG\n");
    return wrong;
}

/* Two threads against one, by the wall clock, on 960 trajectories: 20 chunks. */
static int measure_threads(const row *r, const bench_plan *plan, int *missed)
{
    static crowd crowds[2];
    bench_contender contender[2];
    bench_result result[2];
    lie_system sys;
    int wrong = make_system(&sys, r->kind, r->group) != LIE_OK;
    for (int k = 0; k < 2 && !wrong; k++) {
        wrong = start_crowd(&crowds[k], &sys, r, 2L * MEMBERS, 0, k + 1) != LIE_OK;
        contender[k] = (bench_contender){"threads", run_crowd, &crowds[k], 2L * STEPS * MEMBERS};
    }
    bench_plan wall = *plan;
    wall.clock = BENCH_WALL, wall.round_ns *= 10.0;
    if (!wrong && lie_ensemble_threads(crowds[1].e) == 2 && bench_compare(contender, 2, &wall, result) == 0) {
        double gain = 1.0 / result[1].ratio;
        *missed += gain < THREADS_TARGET;
        if (as_table) printf("\n");
        printf("%s, %s, 2 threads: %.2f x faster than 1  >= %g %s\n", problem_name[r->kind], r->group, gain,
               THREADS_TARGET, gain < THREADS_TARGET ? "MISSED" : "met");
    }
    for (int k = 0; k < 2; k++) free(crowds[k].memory);
    return wrong;
}

static const char help_text[] =
    "usage: bench_lanes [--quick] [--strict] [--markdown] [--only METHOD]\n"
    "\n"
    "Time of a step of one trajectory of an ensemble on one core, for every width of vectors, beside RK4 in plain C; "
    "share\n"
    "of the peak of sums and products that are not fused, measured in the same run; gain of two threads (wall clock).\n"
    "\n"
    "  --quick         coarser, some seconds\n"
    "  --strict        exit code 2 if a target is missed\n"
    "  --markdown      the table of docs/BENCHMARKS.md; what was missed is bold\n"
    "  --only METHOD   rows of this method alone, as in 'dmv'; without the threads\n"
    "\n"
    "Exit code: 0 done; 1 bad usage, or results differ; 2 a target was missed (--strict only).\n";

int main(int argc, char **argv)
{
    int quick = 0, strict = 0, wrong = 0, missed = 0;
    const char *only = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--quick") == 0) {
            quick = 1;
        } else if (strcmp(argv[i], "--strict") == 0) {
            strict = 1;
        } else if (strcmp(argv[i], "--markdown") == 0) {
            as_table = 1;
        } else if (strcmp(argv[i], "--only") == 0 && i + 1 < argc) {
            only = argv[++i];
        } else {
            int asked = strcmp(argv[i], "--help") == 0;
            fputs(help_text, asked ? stdout : stderr);
            return asked ? 0 : 1;
        }
    }
    bench_plan plan = quick ? (bench_plan){BENCH_CPU, 21, 1e6, 3e8} : (bench_plan){BENCH_CPU, 101, 2e6, 4e9};
    if (as_table)
        printf("| ns per step | RK4 | `lie_run` | 2 lanes | 4 (AVX2) | 8 (AVX-512) | RK4/AVX2 | RK4/AVX-512 | of the "
               "peak, AVX2 "
               "| AVX-512 |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (int i = 0; i < ROWS; i++)
        if (!only || strcmp(only, rows[i].method) == 0) wrong += measure(&rows[i], &plan, &missed), fflush(stdout);
    if (!only) {
        wrong += measure_threads(&rows[0], &plan, &missed);
        wrong += measure_threads(&rows[7], &plan, &missed);
    }
    printf("%d missed\n", missed);
    return wrong > 0 ? 1 : strict && missed > 0 ? 2 : 0;
}
