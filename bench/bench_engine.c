/* SPDX-License-Identifier: MIT */
/* bench_engine.c: what becomes of a tumbling body and of a heavy top in a game or robot engine, and with liestep, at
 * equal steps: the largest error of the energy and of the momentum that should stay, the angle off the true attitude,
 * and what a step costs, all in one interleaved run. The true motion is that of bench/precision/reference.h, in long
 * double.
 *
 * Beside MuJoCo (Debian: libmujoco-dev; its integrators Euler, implicit and RK4): the exact flow of a free body between
 * two kicks (free_flow.h), which is what the loop of an engine would call, and methods of the library. Without MuJoCo
 * the table has the library alone. See docs/ENGINES.md. */
#include "engine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "precision/reference.h"

enum { PROBLEMS = 2, STEP_LENGTHS = 3, TIMES = 8, WORK = 4096, ENGINES_MAX = 16, STEPS = 64 };

static const double step_lengths[STEP_LENGTHS] = {1.0 / 60.0, 0.01, 0.002}; /* s */
static const double times[TIMES] = {1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 600.0, 1000.0};

static engine_problem problems[PROBLEMS] = {
    {.name = "tumbling body",
     .top = {.inertia = {1.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 2.8}},
     .q = {1.0, 0.0, 0.0, 0.0},
     .w = {0.5, 5.0, 0.3}},
    {.name = "heavy top",
     .top = {.inertia = {0.5, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.3},
             .mass = 1.0,
             .centre = {0.0, 0.0, 0.5},
             .gravity = 9.81},
     .q = {0.9689124217106447, 0.24740395925452294, 0.0, 0.0}, /* half a radian off the vertical */
     .w = {0.0, 0.0, 20.0}}};

/* methods of the library */

typedef struct stepped {
    const engine_problem *problem;
    lie_stepper *st;
    lie_state s;
    double h, work[WORK];
} stepped;

static void *open_stepped(const engine *e, const engine_problem *p, double h)
{
    stepped *c = (stepped *)calloc(1, sizeof *c);
    const lie_options how = {.method = e->method, .retraction = "cay"};
    if (!c) return NULL;
    c->problem = p;
    c->h = h;
    if (lie_stepper_init(&c->st, &p->sys, &how, c->work, sizeof c->work) == LIE_OK &&
        lie_state_set(&p->sys, &c->s, 0.0, p->q, p->w) == LIE_OK)
        return c;
    free(c);
    return NULL;
}

static int advance_stepped(void *self, long steps)
{
    stepped *c = (stepped *)self;
    return lie_run(c->st, &c->s, c->h, steps) != LIE_OK;
}

static void state_of_stepped(const void *self, double q[4], double m[3])
{
    const stepped *c = (const stepped *)self;
    memcpy(q, c->s.g, 4 * sizeof *q);
    memcpy(m, c->s.m, 3 * sizeof *m);
}

/* Kick and exact flow, as the loop of an engine would have it: the torque is asked for once a step. */
typedef struct flowing {
    const engine_problem *problem;
    lie_free_flow flow;
    double h, q[4], m[3], low_q[4], low_m[3], torque[3];
} flowing;

/* The torque of the weight in the body frame, m g a x c with a = R^T e3 */
static void weigh(flowing *f)
{
    const lie_heavy_top *top = &f->problem->top;
    const double *q = f->q, *c = top->centre, k = top->mass * top->gravity;
    double a[3] = {2.0 * (q[1] * q[3] - q[0] * q[2]), 2.0 * (q[2] * q[3] + q[0] * q[1]),
                   1.0 - 2.0 * (q[1] * q[1] + q[2] * q[2])};
    f->torque[0] = k * (a[1] * c[2] - a[2] * c[1]);
    f->torque[1] = k * (a[2] * c[0] - a[0] * c[2]);
    f->torque[2] = k * (a[0] * c[1] - a[1] * c[0]);
}

static void *open_flowing(const engine *e, const engine_problem *p, double h)
{
    flowing *f = (flowing *)calloc(1, sizeof *f);
    (void)e;
    if (!f) return NULL;
    f->problem = p;
    f->h = h;
    memcpy(f->q, p->q, sizeof f->q);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) f->m[i] += p->top.inertia[3 * i + j] * p->w[j];
    if (lie_free_flow_init(&f->flow, p->top.inertia) == LIE_OK) {
        weigh(f);
        return f;
    }
    free(f);
    return NULL;
}

static int advance_flowing(void *self, long steps)
{
    flowing *f = (flowing *)self;
    const double half = 0.5 * f->h;
    for (long k = 0; k < steps; k++) {
        for (int i = 0; i < 3; i++) f->m[i] += half * f->torque[i];
        if (lie_free_flow_s3(&f->flow, f->q, f->low_q, f->m, f->low_m, f->h) != LIE_OK) return 1;
        weigh(f);
        for (int i = 0; i < 3; i++) f->m[i] += half * f->torque[i];
    }
    return 0;
}

static void state_of_flowing(const void *self, double q[4], double m[3])
{
    const flowing *f = (const flowing *)self;
    memcpy(q, f->q, sizeof f->q);
    memcpy(m, f->m, sizeof f->m);
}

#define METHOD(name)                                                                                                   \
    {                                                                                                                  \
        name, "liestep", open_stepped, advance_stepped, state_of_stepped, free, 0, name                                \
    }
static const engine own[] = {
    {"kick and exact flow", "liestep", open_flowing, advance_flowing, state_of_flowing, free, 0, NULL},
    METHOD("sv"),
    METHOD("split4"),
    METHOD("gauss2"),
    METHOD("gauss4"),
    {"RK4 on q and w", "plain", open_stepped, advance_stepped, state_of_stepped, free, 0, "rk4_q"},
    {0}};

/* what is measured */

typedef struct measured {
    int reached;                           /* so many of the times */
    double energy[TIMES], momentum[TIMES]; /* the largest so far */
    double attitude[TIMES];                /* then, rad */
} measured;

typedef struct invariants {
    double energy, kinetic, J[3];
} invariants;

static invariants invariants_of(const engine_problem *p, const double q[4], const double m[3])
{
    invariants v;
    double w[3], unit[4], length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; i++) unit[i] = q[i] / length;
    if (lie_system_velocity(&p->sys, w, unit, m) != LIE_OK) w[0] = w[1] = w[2] = (double)NAN;
    v.energy = lie_system_energy(&p->sys, unit, w);
    v.kinetic = 0.5 * (m[0] * w[0] + m[1] * w[1] + m[2] * w[2]);
    lie_system_spatial_momentum(&p->sys, v.J, unit, m);
    return v;
}

static double size_of(const double *x)
{
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

/* Of the energy relative to the kinetic one at the start; of the momentum, or of its vertical part under gravity,
 * relative to the momentum. */
static void note_invariants(measured *out, int k, const engine_problem *p, const invariants *start, const void *self,
                            const engine *e)
{
    double q[4], m[3], d[3];
    e->state(self, q, m);
    invariants now = invariants_of(p, q, m);
    for (int i = 0; i < 3; i++) d[i] = p->top.mass > 0.0 && i < 2 ? 0.0 : now.J[i] - start->J[i];
    out->energy[k] = fmax(out->energy[k], fabs(now.energy - start->energy) / start->kinetic);
    out->momentum[k] = fmax(out->momentum[k], size_of(d) / size_of(start->J));
}

static double angle_off(const reference *r, int k, const engine_problem *p, const void *self, const engine *e)
{
    lie_state s;
    reference_state found;
    double q[4], m[3], w[3] = {0.0, 0.0, 0.0};
    e->state(self, q, m);
    if (lie_state_set(&p->sys, &s, 0.0, p->q, w) != LIE_OK) return (double)NAN;
    memcpy(s.g, q, sizeof q);
    reference_start(&r->model, &found, &s);
    return reference_compare(&r->model, &r->at[k], &found).attitude;
}

/* Through all times, looked at 100 times between each two. */
static void measure(measured *out, const engine *e, const engine_problem *p, const reference *r, double h, int last)
{
    void *self = e->open(e, p, h);
    long done = 0, looks = 100;
    int has_given_up = !self;
    *out = (measured){0};
    if (!self) return;
    double m[3], q[4];
    e->state(self, q, m);
    const invariants start = invariants_of(p, q, m);
    for (int k = 0; k < last && !has_given_up; k++) {
        long to = lround(times[k] / h), from = done;
        if (k > 0) out->energy[k] = out->energy[k - 1], out->momentum[k] = out->momentum[k - 1];
        for (long i = 1; i <= looks && !has_given_up; i++) {
            long next = from + (to - from) * i / looks;
            has_given_up = e->advance(self, next - done);
            done = next;
            note_invariants(out, k, p, &start, self, e);
        }
        out->attitude[k] = angle_off(r, k, p, self, e);
        out->reached += !has_given_up;
    }
    e->close(self);
}

typedef struct timed {
    const engine *e;
    void *self;
} timed;

static void run_timed(void *ctx, long passes)
{
    const timed *t = (const timed *)ctx;
    (void)t->e->advance(t->self, passes * STEPS);
}

/* Times of all in turn; ns[i] of engine i. */
static void time_all(double *ns, const engine *const *list, int n, const engine_problem *p, double h, int quick)
{
    static timed t[ENGINES_MAX];
    bench_contender c[ENGINES_MAX];
    bench_result result[ENGINES_MAX];
    const bench_plan plan = quick ? (bench_plan){BENCH_CPU, 5, 1e5, 1e8} : (bench_plan){BENCH_CPU, 61, 1e6, 4e9};
    int all = 1;
    for (int i = 0; i < n; i++) {
        t[i] = (timed){list[i], list[i]->open(list[i], p, h)};
        c[i] = (bench_contender){list[i]->name, run_timed, &t[i], STEPS};
        all = all && t[i].self;
    }
    if (all) (void)bench_compare(c, n, &plan, result);
    for (int i = 0; i < n; i++) ns[i] = all ? result[i].ns : (double)NAN;
    for (int i = 0; i < n; i++)
        if (t[i].self) list[i]->close(t[i].self);
}

typedef struct options {
    int quick, markdown;
    const char *csv;
} options;

static void print_csv(FILE *out, const engine_problem *p, const engine *e, double h, const measured *m, double ns)
{
    for (int k = 0; k < m->reached && out; k++)
        fprintf(out, "%s,%s,\"%s\",%.6g,%g,%.3e,%.3e,%.3e,%.4g\n", p->name, e->side, e->name, h, times[k], m->energy[k],
                m->momentum[k], m->attitude[k], ns);
}

static void print_line(const engine *e, double h, const measured *m, double ns, int last, int markdown)
{
    int soon = 2; /* at 10 s */
    const char *form = markdown ? "| %.4f | %s | %s | %.1e | %.1e | %.1e | %.1e | %.0f |\n"
                                : "  %.4f  %-8s %-19s %9.1e %9.1e %9.1e %9.1e %8.0f\n";
    if (m->reached == last)
        printf(form, h, e->side, e->name, m->energy[last - 1], m->momentum[last - 1], m->attitude[soon],
               m->attitude[last - 1], ns);
    else
        printf(markdown ? "| %.4f | %s | %s | gave up before %g s | | | | %.0f |\n"
                        : "  %.4f  %-8s %-19s gave up before %g s %8.0f\n",
               h, e->side, e->name, times[m->reached], ns);
}

static void print_head(const engine_problem *p, const reference *r, int last, int markdown)
{
    const char *what = p->top.mass > 0.0 ? "vertical momentum" : "momentum";
    printf("%s%s; the reference is sure to %.0e rad at %g s\n\n", markdown ? "### " : "", p->name, r->check[last - 1],
           times[last - 1]);
    if (markdown)
        printf("| h [s] | | | energy | %s | attitude [rad] at 10 s | at %g s | ns per step |\n"
               "| --- | --- | --- | --- | --- | --- | --- | --- |\n",
               what, times[last - 1]);
    else
        printf("  h [s]                               energy  %s, attitude [rad] at 10 s, at %g s, ns per step\n", what,
               times[last - 1]);
}

static int compare(engine_problem *p, const engine *const *list, int n, const options *opt, FILE *csv)
{
    static reference r;
    int last = opt->quick ? 4 : TIMES;
    lie_state start;
    memcpy(p->body.inertia, p->top.inertia, sizeof p->body.inertia);
    lie_status status = p->top.mass > 0.0 ? lie_heavy_top_system(&p->sys, &p->top, "S3")
                                          : lie_free_body_system(&p->sys, &p->body, "S3");
    if (status == LIE_OK) status = lie_state_set(&p->sys, &start, 0.0, p->q, p->w);
    if (status != LIE_OK || reference_make(&r, &p->sys, NULL, &start, last, times) != 0) {
        fprintf(stderr, "bench_engine: %s: %s\n", p->name, lie_status_text(status));
        return 1;
    }
    print_head(p, &r, last, opt->markdown);
    for (int k = 0; k < STEP_LENGTHS; k++) {
        double ns[ENGINES_MAX];
        time_all(ns, list, n, p, step_lengths[k], opt->quick);
        for (int i = 0; i < n; i++) {
            measured m;
            measure(&m, list[i], p, &r, step_lengths[k], last);
            print_line(list[i], step_lengths[k], &m, ns[i], last, opt->markdown);
            print_csv(csv, p, list[i], step_lengths[k], &m, ns[i]);
        }
        fflush(stdout);
    }
    putchar('\n');
    return 0;
}

static const char help_text[] =
    "usage: bench_engine [--quick] [--markdown] [--csv FILE]\n"
    "\n"
    "A tumbling body and a heavy top over 1000 s at equal steps of 1/60, 1/100 and 1/500 s, in MuJoCo, if it was "
    "built\n"
    "in, and with liestep: the largest error of the energy (of the kinetic energy at the start) and of the momentum\n"
    "that should stay, the angle off the true attitude, ns per step.\n"
    "\n"
    "  --quick       30 s, and coarse times\n"
    "  --markdown    the tables of docs/ENGINES.md\n"
    "  --csv FILE    errors at eight times, for tools/plot_engines.py\n"
    "\n"
    "Exit code: 0 done; 1 bad usage, or something failed.\n";

static options parse(int argc, char **argv)
{
    options opt = {0, 0, NULL};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--quick") == 0) {
            opt.quick = 1;
        } else if (strcmp(argv[i], "--markdown") == 0) {
            opt.markdown = 1;
        } else if (strcmp(argv[i], "--csv") == 0 && i + 1 < argc) {
            opt.csv = argv[++i];
        } else {
            int asked = strcmp(argv[i], "--help") == 0;
            fputs(help_text, asked ? stdout : stderr);
            exit(asked ? 0 : 1);
        }
    }
    return opt;
}

int main(int argc, char **argv)
{
    const engine *list[ENGINES_MAX];
    int n = 0, wrong = 0;
    options opt = parse(argc, argv);
    FILE *csv = opt.csv ? fopen(opt.csv, "w") : NULL;
    if (opt.csv && !csv) {
        perror(opt.csv);
        return 1;
    }
    if (csv) fputs("problem,side,method,step in s,time in s,energy,momentum,attitude in rad,ns per step\n", csv);
#ifdef LIE_HAVE_MUJOCO
    for (int i = 0; engine_mujoco[i].name; i++) list[n++] = &engine_mujoco[i];
    printf("MuJoCo %s\n\n", engine_mujoco_version());
#else
    puts("without MuJoCo (Debian: libmujoco-dev), which was not there when this was built\n");
#endif
    for (int i = 0; own[i].name; i++) list[n++] = &own[i];
    for (int i = 0; i < PROBLEMS; i++) wrong += compare(&problems[i], list, n, &opt, csv);
    if (csv && fclose(csv) != 0) wrong++;
    return wrong > 0;
}
