/* SPDX-License-Identifier: MIT */
/* bench_step.c: what a time step costs through the public interface (lie_run), beside RK4 in plain C, in one
 * interleaved run; and what it costs with a group that the library sees for the first time instead of its own instance
 * of it.
 *
 * Problems: a free body with a full inertia; a heavy top whose force is a callback of the user, the same for both; an
 * underwater vehicle with a dense 6x6 inertia, weight and buoyancy at two centres. Both sides start from the same
 * state, and are compared after a second of motion before they are timed. See docs/BENCHMARKS.md. */
#include <liestep/s3.h>
#include <liestep/se3.h>
#include <liestep/so3.h>
#include <liestep/stepper.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "classical.h"

enum { STEPS = 256, WORK = 1024, RK4 = 0, BUILTIN = 1, DESCRIBED = 2, CONTENDERS = 3 };

/* What moves. */
static const double body_diagonal[3] = {1.3, 2.1, 2.9};

/* Force of a heavy top, k a x r with a = R^T e3, as a user writes it for a quaternion. */
static void top_force(const lie_system *sys, double *F, const double *q)
{
    const double *r = (const double *)sys->params;
    double a[3] = {2.0 * (q[1] * q[3] - q[0] * q[2]), 2.0 * (q[2] * q[3] + q[0] * q[1]),
                   1.0 - 2.0 * (q[1] * q[1] + q[2] * q[2])};
    F[0] = a[1] * r[2] - a[2] * r[1];
    F[1] = a[2] * r[0] - a[0] * r[2];
    F[2] = a[0] * r[1] - a[1] * r[0];
}

static double top_potential(const lie_system *sys, const double *q)
{
    const double *r = (const double *)sys->params;
    return 2.0 * (q[1] * q[3] - q[0] * q[2]) * r[0] + 2.0 * (q[2] * q[3] + q[0] * q[1]) * r[1] +
           (1.0 - 2.0 * (q[1] * q[1] + q[2] * q[2])) * r[2];
}

/* Weight and buoyancy of the same size at two centres: the torque arm x R^T e3. */
static void vehicle_force(const lie_system *sys, double *F, const double *g)
{
    const double *arm = (const double *)sys->params, *up = g + 6;
    F[0] = arm[1] * up[2] - arm[2] * up[1];
    F[1] = arm[2] * up[0] - arm[0] * up[2];
    F[2] = arm[0] * up[1] - arm[1] * up[0];
    F[3] = F[4] = F[5] = 0.0;
}

static double vehicle_potential(const lie_system *sys, const double *g)
{
    const double *arm = (const double *)sys->params;
    return -(arm[0] * g[6] + arm[1] * g[7] + arm[2] * g[8]);
}

static const double top_arm[3] = {0.3, -0.2, 1.0}, vehicle_arm[3] = {0.1, -0.05, 0.8};

static lie_system system_of(problem_kind kind, const lie_ops *G)
{
    if (kind == VEHICLE)
        return (lie_system){.name = "vehicle",
                            .group = G,
                            .inertia = vehicle_inertia,
                            .params = vehicle_arm,
                            .force = vehicle_force,
                            .potential = vehicle_potential};
    if (kind == TOP)
        return (lie_system){.name = "top",
                            .group = G,
                            .inertia = body_inertia,
                            .params = top_arm,
                            .force = top_force,
                            .potential = top_potential};
    return (lie_system){.name = "free body", .group = G, .inertia = body_inertia};
}

/* One line of the table. */
typedef struct row {
    problem_kind kind;
    const char *group, *retraction, *method;
    double h;
    double target;    /* of the ratio to RK4; 0: none */
    double described; /* and of that of a group described at run time to the library's own: */
} row;
#define SOLVED 1.6 /* most of a step is the group's own solve */
#define STAGED 3.0 /* many calls of short operations */

static const row rows[] = {
    {FREE, "S3", "cay", "ep", 0.005, 0.7, SOLVED},
    {FREE, "S3", "cay", "sv", 0.005, 0.7, SOLVED},
    {FREE, "S3", "cay", "ep", 0.05, 1.3, SOLVED},
    {FREE, "S3", "exp", "ep", 0.005, 2.0, SOLVED},
    {FREE, "S3", "exp", "ep", 0.05, 0.0, SOLVED},
    {FREE, "SO3", "cay", "ep", 0.005, 0.0, SOLVED},
    {FREE, "SO3", "cay", "ep", 0.05, 0.0, SOLVED},
    {FREE, "SO3", "exp", "ep", 0.005, 0.0, SOLVED},
    {TOP, "S3", "cay", "sv", 0.005, 1.0, SOLVED},
    {TOP, "S3", "exp", "sv", 0.005, 0.0, SOLVED},
    {VEHICLE, "SE3", "cay", "sv", 0.005, 1.1, SOLVED},
    {VEHICLE, "SE3", "cay", "sv", 0.05, 0.0, SOLVED},
    /* RK4 itself, as a method of the library */
    {FREE, "S3", "cay", "rk4_q", 0.005, 1.2, STAGED},
    {FREE, "SO3", "cay", "rk4_R", 0.005, 0.0, STAGED},
    {FREE, "S3", "cay", "rk4_mrp", 0.005, 0.0, STAGED},
    {TOP, "S3", "cay", "rk4_q", 0.005, 1.2, STAGED},
    {TOP, "S3", "cay", "rk4_mrp", 0.005, 0.0, STAGED},
    {VEHICLE, "SE3", "cay", "rk4_q", 0.005, 1.2, STAGED},
    {VEHICLE, "SE3", "cay", "rk4_R", 0.005, 0.0, STAGED},
    {VEHICLE, "SE3", "cay", "rk4_fossen", 0.005, 0.0, STAGED},
    /* on the group */
    {FREE, "S3", "exp", "rkmk4", 0.05, 2.0, STAGED},
    {FREE, "S3", "cay", "rkmk4", 0.05, 2.0, STAGED},
    {FREE, "SO3", "exp", "rkmk4", 0.05, 2.0, STAGED},
    {FREE, "SO3", "cay", "rkmk4", 0.05, 2.0, STAGED},
    {FREE, "S3", "exp", "cf4", 0.05, 2.0, STAGED},
    {FREE, "SO3", "exp", "cf4", 0.05, 2.0, STAGED},
    {FREE, "S3", "exp", "cg4", 0.05, 0.0, STAGED},
    {FREE, "S3", "exp", "rkmk_dopri5", 0.05, 0.0, STAGED},
    {FREE, "S3", "exp", "rkmk_dopri8", 0.05, 0.0, STAGED},
    {FREE, "S3", "exp", "rkmk_gauss2", 0.05, 0.0, STAGED},
    {TOP, "S3", "exp", "rkmk4", 0.05, 2.0, STAGED},
    {TOP, "S3", "exp", "cf4", 0.05, 2.0, STAGED},
    {VEHICLE, "SE3", "exp", "rkmk4", 0.05, 0.0, STAGED},
    {VEHICLE, "SE3", "cay", "rkmk4", 0.05, 2.0, STAGED},
    {VEHICLE, "SE3", "exp", "cf4", 0.05, 0.0, STAGED},
    /* stages in lanes: of a free body without callbacks, of a top with its force called for; of a vehicle */
    {FREE, "S3", "cay", "pirk8", 0.05, 0.0, STAGED},
    {TOP, "S3", "cay", "pirk8", 0.05, 0.0, STAGED},
    {FREE, "S3", "cay", "pirk16", 0.05, 0.0, STAGED},
    {TOP, "S3", "cay", "pirk16", 0.05, 0.0, STAGED},
    {VEHICLE, "SE3", "cay", "pirk16", 0.05, 0.0, STAGED},
    /* explicit for the free body; split2 is its exact motion */
    {FREE, "S3", "cay", "split2", 0.005, 4.0, STAGED},
    {FREE, "S3", "cay", "split2", 0.05, 4.0, STAGED},
    {FREE, "SO3", "cay", "split2", 0.05, 4.0, STAGED},
    {FREE, "S3", "cay", "dmv", 0.005, 0.65, STAGED},
    {FREE, "S3", "cay", "dmv10", 0.05, 0.65, STAGED},
    {FREE, "SO3", "cay", "dmv", 0.005, 0.0, STAGED},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

/* A contender of each kind. */
typedef struct stepped {
    lie_system sys;
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

static void run_classical(void *ctx, long passes)
{
    classical_run((classical *)ctx, passes * STEPS);
}

static lie_status start_stepped(stepped *c, const row *r, const lie_ops *G)
{
    lie_options options = {.method = r->method, .retraction = r->retraction};
    double g[LIE_SIZE_MAX];
    *c = (stepped){.sys = system_of(r->kind, G), .h = r->h};
    G->identity(G, g);
    lie_status status = lie_stepper_init(&c->st, &c->sys, &options, c->work, sizeof c->work);
    if (status != LIE_OK) return status;
    return lie_state_set(&c->sys, &c->s, 0.0, g, twist);
}

/* Velocities after one second, relative difference. */
static double difference(stepped *a, classical *b)
{
    const double *w = b->kind == VEHICLE ? b->motion.nu : b->body.w;
    long steps = (long)(1.0 / a->h + 0.5);
    double xi[LIE_DIM_MAX], d = 0.0, size = 0.0;
    classical_run(b, steps);
    if (lie_run(a->st, &a->s, a->h, steps) != LIE_OK || lie_state_velocity(&a->sys, xi, &a->s) != LIE_OK) return 1.0;
    for (int i = 0; i < a->sys.group->dim; i++) d += (xi[i] - w[i]) * (xi[i] - w[i]), size += w[i] * w[i];
    return sqrt(d / size);
}

typedef struct options {
    int quick, strict;
    const char *only;
} options;

/* Exit code of a row: 0, 1 something is wrong, 2 a target was missed */
static int measure(const row *r, const bench_plan *plan)
{
    static stepped own, described;
    static classical reference;
    const lie_ops *G;
    lie_ops copy;
    bench_result result[CONTENDERS];
    if (lie_ops_find(&G, r->group, r->retraction) != LIE_OK) return 1;
    copy = *G; /* another address: the library has no instance for it */
    lie_status status = start_stepped(&own, r, G);
    classical_start(&reference, r->kind, &own.sys, r->h);
    if (status == LIE_OK) status = start_stepped(&described, r, &copy);
    double off = status == LIE_OK ? difference(&own, &reference) : 1.0;
    printf("%-10s %-4s %-4s %-11s %6g ", problem_name[r->kind], r->group, r->retraction, r->method, r->h);
    if (!(off < 2.0 * r->h)) {
        printf("WRONG: %s, off by %.2g after one second\n", lie_status_text(status), off);
        return 1;
    }
    bench_contender contender[CONTENDERS] = {{"RK4", run_classical, &reference, STEPS},
                                             {"liestep", run_stepped, &own, STEPS},
                                             {"described", run_stepped, &described, STEPS}};
    (void)bench_compare(contender, CONTENDERS, plan, result);
    double ratio = result[BUILTIN].ratio, again = result[DESCRIBED].ratio / ratio;
    int met = r->target == 0.0 || ratio <= r->target, met_again = again <= r->described;
    printf("%7.1f %8.1f  %5.2f ", result[RK4].ns, result[BUILTIN].ns, ratio);
    if (r->target > 0.0)
        printf(" <= %-4g %-7s", r->target, met ? "met" : "MISSED");
    else
        printf("%16s", "");
    printf(" %8.1f  %5.2f <= %3.1f %-7s %5.2f %8.1g\n", result[DESCRIBED].ns, again, r->described,
           met_again ? "met" : "MISSED", (double)lie_stepper_statistics(own.st)->iterations / (double)own.s.steps,
           lie_stepper_statistics(own.st)->residual_max);
    if (own.status != LIE_OK) printf("%s\n", lie_status_text(own.status));
    return own.status != LIE_OK ? 1 : met && met_again ? 0 : 2;
}

/* RK4 itself: what the full inertia and the normalisation cost. */
typedef struct variant {
    rk4_attitude s;
    int diagonal;
    rk4_norm norm;
    double inverse[9];
} variant;

static void run_variant(void *ctx, long passes)
{
    variant *v = (variant *)ctx;
    if (v->diagonal)
        rk4_free_body_diagonal(&v->s, body_diagonal, 0.005, passes * STEPS, v->norm);
    else
        rk4_free_body(&v->s, body_inertia, v->inverse, 0.005, passes * STEPS, v->norm);
}

static void print_variants(const bench_plan *plan)
{
    variant v[4];
    bench_contender contender[4];
    bench_result result[4];
    for (int i = 0; i < 4; i++) {
        v[i] = (variant){.s = {{1.0, 0.0, 0.0, 0.0}, {0.5, 0.7, -0.51}}, .diagonal = i / 2, .norm = RK4_NORMALISED};
        if (i % 2) v[i].norm = RK4_FREE;
        invert(3, v[i].inverse, body_inertia);
        contender[i] = (bench_contender){"RK4", run_variant, &v[i], STEPS};
    }
    (void)bench_compare(contender, 4, plan, result);
    printf(
        "\nRK4 of the free body: %.1f ns; never normalised %.2f x; diagonal inertia %.2f x, never normalised %.2f x\n",
        result[0].ns, result[1].ratio, result[2].ratio, result[3].ratio);
}

static const char help_text[] =
    "usage: bench_step [--quick] [--strict] [--only TEXT]\n"
    "\n"
    "Time of one step through lie_run beside RK4 in plain C (quaternion normalised every step), taking turns in one\n"
    "run; medians. The angle per step is h rad. 'described': the same group as a copy of its lie_ops, for which the\n"
    "library has no instance of its own; 'x' behind it is relative to the instance.\n"
    "\n"
    "  --quick       coarser, a few seconds\n"
    "  --only TEXT   only rows whose problem, group, retraction or method is TEXT\n"
    "  --strict      exit code 2 if a target is missed\n"
    "\n"
    "Exit code: 0 done; 1 bad usage, or results differ; 2 a target was missed (--strict only).\n";

static options parse(int argc, char **argv)
{
    options opt = {0, 0, NULL};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--quick") == 0) {
            opt.quick = 1;
        } else if (strcmp(argv[i], "--strict") == 0) {
            opt.strict = 1;
        } else if (strcmp(argv[i], "--only") == 0 && i + 1 < argc) {
            opt.only = argv[++i];
        } else {
            int asked = strcmp(argv[i], "--help") == 0;
            fputs(help_text, asked ? stdout : stderr);
            exit(asked ? 0 : 1);
        }
    }
    return opt;
}

static int wanted(const row *r, const char *only)
{
    return !only || strcmp(only, problem_name[r->kind]) == 0 || strcmp(only, r->group) == 0 ||
           strcmp(only, r->retraction) == 0 || strcmp(only, r->method) == 0;
}

int main(int argc, char **argv)
{
    options opt = parse(argc, argv);
    bench_plan plan = opt.quick ? (bench_plan){BENCH_CPU, 21, 5e5, 1e8} : (bench_plan){BENCH_CPU, 101, 2e6, 2e9};
    int wrong = 0, missed = 0;
    printf("%-10s %-4s %-4s %-11s %6s %7s %8s  %5s  %-15s %8s  %5s %-14s %5s %8s\n", "problem", "G", "tau", "", "h",
           "RK4 ns", "liestep", "x", "target", "descr.", "x", "target", "iter", "residual");
    for (int i = 0; i < ROWS; i++) {
        if (!wanted(&rows[i], opt.only)) continue;
        int code = measure(&rows[i], &plan);
        wrong += code == 1;
        missed += code == 2;
        fflush(stdout);
    }
    print_variants(&plan);
    printf("%d missed\n", missed);
    return wrong > 0 ? 1 : opt.strict && missed > 0 ? 2 : 0;
}
