/* SPDX-License-Identifier: MIT */
/* bench_section.c: how long `liestep section` takes, as a user sees it: start of the program, orbits, files and
 * picture.
 *
 *   the command   scenarios/vehicle_section.yaml, four panels of 24 orbits over 4000 s, beside RK4 in plain C on one
 *                 core over as many steps and nothing else: neither crossings nor files
 *   threads       two against one, on a longer section without a picture
 *   ranks         two processes below mpirun against one, on the same
 *
 * Wall clock; all are run in turn, and ratios are those within a round (bench.h). See docs/BENCHMARKS.md. */
#define _GNU_SOURCE

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "rk4.h"

#define COMMAND_TARGET 0.6
#define THREADS_TARGET 1.85
#define RANKS_TARGET 1.8

enum { ORBITS = 24, PANELS = 4, ROUNDS_MAX = 21, CONTENDERS_MAX = 5, ARGUMENTS = 20 };

static const double panel_step[PANELS] = {0.05, 0.025, 0.05, 0.025};
static const double panel_end = 4000.0;
static const double inertia[6] = {1.0, 2.0, 3.0, 1.0, 2.0, 3.0};

/* A section that is long beside what is done once; without panels, without a picture. */
static const char long_section[] = "system: vehicle\n"
                                   "parameters:\n"
                                   "  inertia: [1, 2, 3, 1, 2, 3]\n"
                                   "method: sv\n"
                                   "retraction: cay\n"
                                   "step: 0.0025\n"
                                   "section:\n"
                                   "  surface: Pi1\n"
                                   "  direction: up\n"
                                   "  x: atan2(P2, P1)\n"
                                   "  y: P3/|P|\n"
                                   "  orbits: 96\n"
                                   "  energy: 30\n"
                                   "  fixed: [\"Pi.P = 2\", \"|P| = 4\"]\n"
                                   "output:\n"
                                   "  npy: long.npy\n";

/* One way to spend time. */
typedef struct contender {
    const char *name;
    int (*run)(const struct contender *c); /* 0: it failed */
    char *argument[ARGUMENTS];             /* of a program, up to a null */
    int kind;                              /* of a loop */
} contender;

static int run_program(const contender *c)
{
    pid_t pid;
    int status = 1, code = posix_spawnp(&pid, c->argument[0], 0, 0, c->argument, environ);
    if (code != 0) {
        fprintf(stderr, "bench_section: %s: %s\n", c->argument[0], strerror(code));
        return 0;
    }
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
    return status == 0;
}

/* RK4 in plain C: momenta, attitude and place; momenta alone; with a dense inertia and a force that is called. */
typedef enum loop_kind { LOOP_MOTION, LOOP_MOMENTA, LOOP_DENSE } loop_kind;

static void no_force(const lie_system *sys, double *F, const double *g)
{
    (void)sys, (void)g;
    for (int i = 0; i < 6; i++) F[i] = 0.0;
}

static double loops_end; /* what the loops have computed, so that nobody leaves it out */

static int run_loop(const contender *c)
{
    double dense[36] = {0.0}, inverse[36] = {0.0};
    for (int i = 0; i < 6; i++) dense[7 * i] = inertia[i], inverse[7 * i] = 1.0 / inertia[i];
    lie_system sys = {.inertia = dense, .force = no_force};
    for (int k = 0; k < PANELS; k++)
        for (int i = 0; i < ORBITS; i++) {
            double h = panel_step[k], share = (i + 0.5) / ORBITS;
            long steps = (long)(panel_end / h + 0.5);
            rk4_motion s = {.q = {1.0}, .nu = {0.5, 4.0 * share, 4.0 * (1.0 - share), 2.0, 1.0, 0.7}};
            double m[6];
            for (int j = 0; j < 6; j++) m[j] = inertia[j] * s.nu[j];
            if (c->kind == LOOP_MOTION)
                rk4_neutral(&s, inertia, h, steps);
            else if (c->kind == LOOP_DENSE)
                rk4_vehicle(&s, &sys, inverse, h, steps, RK4_NORMALISED);
            else
                rk4_kirchhoff(m, inertia, h, steps);
            loops_end += s.x[0] + m[0];
        }
    return 1;
}

/* seconds[i]: median of contender i; ratio[i]: of its time to that of contender 0 */
static int compare(const contender *c, int n, int rounds, double *seconds, double *ratio)
{
    static double time[CONTENDERS_MAX][ROUNDS_MAX], quotient[CONTENDERS_MAX][ROUNDS_MAX];
    for (int r = 0; r < rounds; r++)
        for (int i = 0; i < n; i++) {
            double start = bench_now_ns(BENCH_WALL);
            if (!c[i].run(&c[i])) {
                fprintf(stderr, "bench_section: '%s' failed\n", c[i].name);
                return 0;
            }
            time[i][r] = (bench_now_ns(BENCH_WALL) - start) * 1e-9;
            quotient[i][r] = time[i][r] / time[0][r];
        }
    for (int i = 0; i < n; i++) {
        seconds[i] = bench_quantile(time[i], rounds, 0.5);
        ratio[i] = bench_quantile(quotient[i], rounds, 0.5);
    }
    return 1;
}

static const char *verdict(int is_met, int *missed)
{
    *missed += !is_met;
    return is_met ? "met" : "MISSED";
}

static int measure_command(char *program, char *scenario, char *folder, int rounds, int *missed)
{
    contender c[CONTENDERS_MAX] = {
        {"liestep section", run_program, {program, "section", scenario, "-s", folder, "--restart", "--quiet"}, 0},
        {"RK4: momenta, attitude, place", run_loop, {0}, LOOP_MOTION},
        {"RK4: momenta alone", run_loop, {0}, LOOP_MOMENTA},
        {"RK4: dense inertia, a force that is called", run_loop, {0}, LOOP_DENSE},
        {"liestep section -j 1 --no-plot",
         run_program,
         {program, "section", scenario, "-s", folder, "--restart", "--quiet", "-j", "1", "--no-plot"},
         0}};
    double seconds[CONTENDERS_MAX], ratio[CONTENDERS_MAX];
    if (!compare(c, CONTENDERS_MAX, rounds, seconds, ratio)) return 0;
    printf("%s\n", scenario);
    for (int i = 0; i < CONTENDERS_MAX; i++) {
        printf("  %-45s %7.3f s", c[i].name, seconds[i]);
        if (i > 0) printf("   the command takes %.2f x as long", 1.0 / ratio[i]);
        if (i == 1) printf("  <= %g %s", COMMAND_TARGET, verdict(1.0 / ratio[i] <= COMMAND_TARGET, missed));
        printf("\n");
    }
    return 1;
}

static int measure_pair(const contender c[2], double target, int rounds, int *missed)
{
    double seconds[2], ratio[2];
    if (!compare(c, 2, rounds, seconds, ratio)) return 0;
    printf("  %-45s %7.3f s\n  %-45s %7.3f s   %.2f x faster  >= %g %s\n", c[0].name, seconds[0], c[1].name, seconds[1],
           1.0 / ratio[1], target, verdict(1.0 / ratio[1] >= target, missed));
    return 1;
}

static int has_mpirun(void)
{
    const char *path = getenv("PATH");
    char name[1000];
    while (path && *path) {
        int n = (int)strcspn(path, ":");
        snprintf(name, sizeof name, "%.*s/mpirun", n, path);
        if (access(name, X_OK) == 0) return 1;
        path += path[n] ? n + 1 : n;
    }
    return 0;
}

static int measure_many(char *program, char *folder, const char *path, int rounds, double end, int *missed)
{
    char scenario[300];
    snprintf(scenario, sizeof scenario, "%s/long.yaml", path);
    FILE *out = fopen(scenario, "w");
    if (!out || fprintf(out, "%send: %g\n", long_section, end) < 0 || fclose(out) != 0) return 0;
    const contender threads[2] = {
        {"one thread", run_program, {program, "section", scenario, "-s", folder, "--restart", "--quiet", "-j", "1"}, 0},
        {"two threads",
         run_program,
         {program, "section", scenario, "-s", folder, "--restart", "--quiet", "-j", "2"},
         0}};
    char mpirun[] = "mpirun", as_root[] = "--allow-run-as-root", more[] = "--oversubscribe", one[] = "1", two[] = "2";
    contender ranks[2] = {{"mpirun -n 1, one thread", run_program, {0}, 0},
                          {"mpirun -n 2, one thread each", run_program, {0}, 0}};
    for (int k = 0; k < 2; k++) {
        char *arguments[] = {mpirun,      as_root,   more,     "-n", k == 0 ? one : two,
                             program,     "section", scenario, "-s", folder,
                             "--restart", "--quiet", "-j",     "1",  0};
        memcpy(ranks[k].argument, arguments, sizeof arguments);
    }
    printf("96 orbits, sv, %.0f steps each\n", end / 0.0025);
    int fine = measure_pair(threads, THREADS_TARGET, rounds, missed);
    if (fine && has_mpirun())
        fine = measure_pair(ranks, RANKS_TARGET, rounds, missed);
    else if (fine)
        printf("  there is no mpirun: ranks are not measured\n");
    unlink(scenario);
    return fine;
}

static const char help_text[] =
    "usage: bench_section [--quick] [--strict] PROGRAM SCENARIO\n"
    "\n"
    "Wall time of 'PROGRAM section SCENARIO', scenarios/vehicle_section.yaml, beside plain loops of RK4 over as many\n"
    "steps; and what a second thread and a second process gain on a longer section.\n"
    "\n"
    "  --quick    one round, and a hundredth of the longer section: does it run?\n"
    "  --strict   exit code 2 if a target is missed\n"
    "\n"
    "Exit code: 0 done; 1 bad usage, or a program failed; 2 a target was missed (--strict only).\n";

static void remove_files(const char *path)
{
    static const char *const names[] = {"vehicle_section.npy", "vehicle_section.png", "long.npy"};
    char name[300];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(name, sizeof name, "%s/%s", path, names[i]);
        unlink(name);
    }
    rmdir(path);
}

int main(int argc, char **argv)
{
    int quick = 0, strict = 0, missed = 0, given = 0;
    char *paths[2] = {0}, path[] = "/tmp/bench_section.XXXXXX", folder[100];
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--quick") == 0)
            quick = 1;
        else if (strcmp(argv[i], "--strict") == 0)
            strict = 1;
        else if (argv[i][0] != '-' && given < 2)
            paths[given++] = argv[i];
        else
            given = 3;
    }
    if (given != 2) {
        int asked = argc == 2 && strcmp(argv[1], "--help") == 0;
        fputs(help_text, asked ? stdout : stderr);
        return asked ? 0 : 1;
    }
    if (!mkdtemp(path)) return 1;
    snprintf(folder, sizeof folder, "output.directory=%s", path);
    int fine = measure_command(paths[0], paths[1], folder, quick ? 1 : ROUNDS_MAX, &missed);
    fflush(stdout);
    fine = fine && measure_many(paths[0], folder, path, quick ? 1 : 7, quick ? 80.0 : 8000.0, &missed);
    remove_files(path);
    if (fine) printf("%d missed\n", missed);
    return !fine || loops_end == 0.125 ? 1 : strict && missed > 0 ? 2 : 0;
}
