/* SPDX-License-Identifier: MIT */
/* measure.c: order, symplectic form, momentum, energy, self-adjointness and cost of a method; see measure.h. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/work/measure.h"

/* A method on one of the models; without work memory: the method is not for this one. */
typedef struct trial {
    model model;
    lie_stepper *stepper;
    void *work;
} trial;

static lie_status trial_make(trial *b, const lie_ops *G, const lie_method *m, const lie_tableau *tab, model_kind kind)
{
    lie_options opt = {.method = m->name, .tableau = m->needs_tableau ? tab : NULL};
    b->work = NULL;
    lie_status status = model_make(&b->model, G, kind);
    if (status == LIE_OK && m->needs_uncoupled) model_uncouple(&b->model);
    if (status != LIE_OK || lie_method_takes(m, &b->model.system) != LIE_OK) return status;
    size_t bytes = lie_stepper_memsize(&b->model.system, &opt);
    b->work = bytes ? malloc(bytes) : NULL;
    return lie_stepper_init(&b->stepper, &b->model.system, &opt, b->work, bytes);
}

/* |g - g'| and |m - m'| together */
static double distance(const lie_ops *G, const lie_state *a, const lie_state *b)
{
    double sum = 0.0;
    for (int i = 0; i < G->size; i++) sum += (a->g[i] - b->g[i]) * (a->g[i] - b->g[i]);
    for (int i = 0; i < G->dim; i++) sum += (a->m[i] - b->m[i]) * (a->m[i] - b->m[i]);
    return sqrt(sum);
}

/* Order: the error at the end of a fixed time, with ever more steps. */

enum { ORDER_STARTS = 2 };
static const double noise = 1e-12, duration = 3.0;

/* Geometric mean of the errors over the starts, there (h) and back (-h, from the end of the true motion to its start):
 * odd terms of their expansions cancel in part, so that slopes settle earlier. */
static lie_status error_with(trial *b, double *error, const lie_state *from, const lie_state *to, int steps)
{
    const lie_ops *G = b->model.group;
    double h = duration / steps, sum = 0.0;
    lie_status status = LIE_OK;
    for (int k = 0; k < ORDER_STARTS && status == LIE_OK; k++) {
        lie_state there = from[k], back = to[k];
        status = lie_run(b->stepper, &there, h, steps);
        if (status == LIE_OK) status = lie_run(b->stepper, &back, -h, steps);
        sum += log(distance(G, &there, &to[k])) + log(distance(G, &back, &from[k]));
    }
    *error = exp(sum / (2 * ORDER_STARTS));
    return status;
}

/* Slope over the last factor of 2 before rung n */
static double slope(const measurement *found, int n)
{
    return n < 3 ? 0.0 : log(found->error[n - 3] / found->error[n - 1]) / log(found->h[n - 3] / found->h[n - 1]);
}

/* Three slopes in a row, the same to 0.1 %: shorter steps would tell no more. */
static int is_settled(const measurement *found, int n)
{
    double last = slope(found, n);
    for (int k = 1; k <= 2; k++)
        if (n < 8 || fabs(slope(found, n - k) - last) > 1e-3 * last) return 0;
    return 1;
}

/* Step sizes in the ratio of about sqrt 2, from those so long that the steps may fail, down to where the slope has
 * settled or the error drowns in round-off. */
static lie_status measure_order_of_motion(measurement *out, trial *b)
{
    static const int ladder[] = {3, 4, 6, 8, 11, 16, 22, 32, 45, 64, 90, 128, 181, 256, 362, 512};
    lie_state from[ORDER_STARTS], to[ORDER_STARTS];
    lie_status status = LIE_OK;
    for (int k = 0; k < ORDER_STARTS && status == LIE_OK; k++) {
        status = model_start(&b->model, &from[k], k);
        to[k] = from[k];
        if (status == LIE_OK) status = model_true_motion(&b->model, &to[k], duration);
    }
    if (status != LIE_OK) return status;
    int n = 0;
    for (size_t k = 0; k < sizeof ladder / sizeof ladder[0]; k++) {
        double error;
        status = error_with(b, &error, from, to, ladder[k]);
        if (status != LIE_OK && n == 0) continue;
        if (status != LIE_OK) return status;
        if (error < noise) break;
        out->h[n] = duration / ladder[k];
        out->error[n++] = error;
        if (is_settled(out, n)) break;
    }
    out->points = n;
    out->order = slope(out, n);
    return status; /* of the last: where all have failed nothing is known */
}

/* Order above 10. Of a whole motion only few lengths of step lie between failure and round-off, and there the error
 * still swings with the length. The error of one step has a slope of order + 1 that is smooth, as a mean over many
 * starts. */

/* Methods of very high order show an error, and what they do not keep, only with longer steps. */
static double stretch(const trial *b)
{
    return lie_stepper_method(b->stepper)->order > 8 ? 3.0 : 1.0;
}

/* Geometric mean over the starts, of a step there and of one back */
static lie_status error_of_step(trial *b, double *error, double h)
{
    double sum = 0.0;
    lie_status status = LIE_OK;
    for (int k = 0; k < 2 * MODEL_STARTS && status == LIE_OK; k++) {
        double signed_h = k % 2 ? -h : h;
        lie_state s, to;
        status = model_start(&b->model, &s, k / 2);
        to = s;
        if (status == LIE_OK) status = model_true_motion(&b->model, &to, signed_h);
        lie_stepper_reset(b->stepper);
        if (status == LIE_OK) status = lie_step(b->stepper, &s, signed_h);
        sum += log(distance(b->model.group, &s, &to));
    }
    *error = exp(sum / (2 * MODEL_STARTS));
    return status;
}

/* Slope of the line through the logarithms of the points with the shortest steps, up to a factor 1.75 */
static double line_through(const measurement *found)
{
    double x = 0.0, y = 0.0, xx = 0.0, xy = 0.0, count = 0.0, last = log(found->h[found->points - 1]);
    for (int k = found->points - 1; k >= 0 && found->h[k] < 1.76 * found->h[found->points - 1]; k--) {
        double at = log(found->h[k]) - last, value = log(found->error[k]);
        x += at, y += value, xx += at * at, xy += at * value, count += 1.0;
    }
    return count < 3.0 ? 0.0 : (count * xy - x * y) / (count * xx - x * x);
}

static lie_status measure_order_of_step(measurement *out, trial *b)
{
    enum { LADDER = 56 };
    const double longest = 3.0, ratio = 0.9, step_noise = 5e-14;
    int n = 0;
    lie_status status = LIE_OK;
    for (int k = 0; k < LADDER && n < MEASURE_POINTS; k++) {
        double h = longest * pow(ratio, k), error;
        status = error_of_step(b, &error, h);
        if (status != LIE_OK && n == 0) continue;
        if (status != LIE_OK) return status;
        if (error < step_noise) break;
        out->h[n] = h;
        out->error[n++] = error;
    }
    out->points = n;
    out->order = n > 0 ? line_through(out) - 1.0 : 0.0;
    return status;
}

static lie_status measure_order(measurement *out, trial *b)
{
    return lie_stepper_method(b->stepper)->order > 10 ? measure_order_of_step(out, b) : measure_order_of_motion(out, b);
}

/* Symplectic form: omega((a, p), (b, q)) = <q, a> - <p, b> + <m, [a, b]> on left-trivialised (g, m). */

/* The state moved by x: (g tau(x_1), m + x_2) */
static lie_status displaced(const lie_ops *G, lie_state *out, const lie_state *s, const double *x)
{
    double move[MODEL_SIZE];
    *out = *s;
    lie_status status = G->tau(G, move, x);
    if (status != LIE_OK) return status;
    G->mul(G, out->g, s->g, move);
    for (int i = 0; i < G->dim; i++) out->m[i] += x[G->dim + i];
    return LIE_OK;
}

/* x, such that `to` is `from` moved by x */
static lie_status displacement(const lie_ops *G, double *x, const lie_state *from, const lie_state *to)
{
    double g[MODEL_SIZE];
    G->inv(G, g, from->g);
    G->mul(G, g, g, to->g);
    for (int i = 0; i < G->dim; i++) x[G->dim + i] = to->m[i] - from->m[i];
    lie_status status = G->project(G, g, g); /* some methods leave the group */
    return status == LIE_OK ? G->tauinv(G, x, g) : status;
}

/* Column j of the derivative of the step at s, whose end is `end`, by differences of sixth order. */
static lie_status column(trial *b, double *out, const lie_state *s, const lie_state *end, double h, int j)
{
    static const double weight[3] = {0.75, -0.15, 1.0 / 60}, apart = 0x1p-7;
    const lie_ops *G = b->model.group;
    lie_status status = LIE_OK;
    memset(out, 0, (size_t)(2 * G->dim) * sizeof *out);
    for (int k = -3; k <= 3 && status == LIE_OK; k++) {
        double x[2 * MODEL_DIM] = {0.0};
        lie_state moved;
        if (k == 0) continue;
        x[j] = k * apart;
        status = displaced(G, &moved, s, x);
        if (status == LIE_OK) status = lie_step(b->stepper, &moved, h);
        if (status == LIE_OK) status = displacement(G, x, end, &moved);
        for (int i = 0; i < 2 * G->dim; i++) out[i] += (k > 0 ? 1.0 : -1.0) * weight[abs(k) - 1] / apart * x[i];
    }
    return status;
}

static double form(const lie_ops *G, const double *m, const double *x, const double *y)
{
    double bracket[MODEL_DIM], sum = 0.0;
    int n = G->dim;
    G->ad(G, bracket, x, y);
    for (int i = 0; i < n; i++) sum += y[n + i] * x[i] - x[n + i] * y[i] + m[i] * bracket[i];
    return sum;
}

static lie_status symplectic_defect(double *defect, trial *b, double h)
{
    const lie_ops *G = b->model.group;
    double D[2 * MODEL_DIM][2 * MODEL_DIM];
    int n = 2 * G->dim;
    lie_state s, end;
    lie_status status = model_start(&b->model, &s, 1);
    end = s;
    if (status == LIE_OK) status = lie_step(b->stepper, &end, h);
    for (int j = 0; j < n && status == LIE_OK; j++) status = column(b, D[j], &s, &end, h, j);
    if (status != LIE_OK) return status;
    *defect = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            double a[2 * MODEL_DIM] = {0.0}, c[2 * MODEL_DIM] = {0.0};
            a[i] = c[j] = 1.0;
            *defect = fmax(*defect, fabs(form(G, end.m, D[i], D[j]) - form(G, s.m, a, c)));
        }
    return LIE_OK;
}

/* A method of high order that does not claim it shows its defect with steps as long as it can take. */
static lie_status measure_symplectic(measurement *out, trial *b)
{
    lie_claims said;
    lie_status status = symplectic_defect(&out->symplectic, b, 0.25);
    lie_method_claims(&said, lie_stepper_method(b->stepper), b->model.group, lie_stepper_tableau(b->stepper));
    if (status != LIE_OK || said.symplectic) return status;
    for (int k = 1; k <= 2; k++) {
        double defect;
        if (symplectic_defect(&defect, b, 0.5 * k * stretch(b)) != LIE_OK) break;
        out->symplectic = fmax(out->symplectic, defect);
    }
    return LIE_OK;
}

/* Momentum: constant if free, along a symmetry, and J + t u under a push u that is constant in space. */

static int is_kept(const model *M, model_kind kind, int k)
{
    double e[MODEL_DIM] = {0.0}, moved[MODEL_DIM];
    if (kind != MODEL_SYMMETRIC) return 1;
    if (M->is_flat) return k < M->first;
    if (M->place[k]) return 0;
    e[k] = 1.0;
    M->group->adt(M->group, moved, e, M->p[0]);
    for (int i = 0; i < M->group->dim; i++)
        if (moved[i] != 0.0) return 0;
    return 1;
}

static lie_status momentum_error(double *error, trial *b, model_kind kind, double h)
{
    enum { STEPS = 200 };
    const lie_system *sys = &b->model.system;
    double start[MODEL_DIM], J[MODEL_DIM], size = 1.0;
    lie_state s;
    lie_status status = model_start(&b->model, &s, 0);
    lie_state_spatial_momentum(sys, start, &s);
    *error = 0.0;
    for (int k = 0; k < STEPS && status == LIE_OK; k++) {
        status = lie_step(b->stepper, &s, h);
        lie_state_spatial_momentum(sys, J, &s);
        for (int i = 0; i < sys->group->dim; i++) {
            double push = kind == MODEL_PUSHED ? s.t * b->model.u[i] : 0.0;
            size = fmax(size, fabs(J[i]));
            if (is_kept(&b->model, kind, i)) *error = fmax(*error, fabs(J[i] - start[i] - push) / size);
        }
    }
    return status;
}

/* What is not claimed may take longer steps to show. */
static lie_status measure_momentum(measurement *out, trial *b, model_kind kind)
{
    double error;
    lie_status status = momentum_error(&error, b, kind, 0.05);
    if (status == LIE_OK) out->momentum = fmax(out->momentum, error);
    for (int k = 1; k <= 3 && status == LIE_OK && !lie_stepper_method(b->stepper)->momentum && out->momentum < 1e-9;
         k++)
        if (momentum_error(&error, b, kind, 0.05 * (1 << k)) == LIE_OK) out->momentum = fmax(out->momentum, error);
    return status;
}

/* Energy: constant without external force; answers the largest error from one of the starts. */
static lie_status energy_error(double *error, trial *b, int from)
{
    enum { STEPS = 200 };
    const lie_system *sys = &b->model.system;
    double start = 0.0, energy = 0.0;
    lie_state s;
    lie_status status = model_start(&b->model, &s, from);
    if (status == LIE_OK) status = lie_state_energy(sys, &start, &s);
    *error = 0.0;
    for (int k = 0; k < STEPS && status == LIE_OK; k++) {
        status = lie_step(b->stepper, &s, 0.05);
        if (status == LIE_OK) status = lie_state_energy(sys, &energy, &s);
        *error = fmax(*error, fabs(energy - start) / (1.0 + fabs(start)));
    }
    return status;
}

/* From the first start from where all steps succeed: engo_faltinsen has no answer in some places (docs/METHODS.md),
 * with cay on SE3 after 142 steps from start 0. */
static lie_status measure_energy(measurement *out, trial *b)
{
    lie_status status = LIE_ERR_NO_CONVERGENCE;
    for (int k = 0; k < ORDER_STARTS && status == LIE_ERR_NO_CONVERGENCE; k++)
        status = energy_error(&out->energy, b, k);
    return status;
}

/* Self-adjoint: a step and the same step back lead to where one was. The step is as long as the method can take. */
static lie_status measure_self_adjoint(measurement *out, trial *b)
{
    static const double steps[] = {0.8, 0.5, 0.3, 0.2, 0.1};
    lie_state start, s;
    lie_status status = LIE_ERR_DOMAIN;
    for (int k = 0; k < 5 && status != LIE_OK; k++) {
        double h = stretch(b) * steps[k];
        status = model_start(&b->model, &start, 1);
        s = start;
        if (status == LIE_OK) status = lie_step(b->stepper, &s, h);
        if (status == LIE_OK) status = lie_step(b->stepper, &s, -h);
        out->self_adjoint = distance(b->model.group, &s, &start);
    }
    return status;
}

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The best of five: each time the same short run, often enough to be timed. A long run would take coordinates that lock
 * to where they do. */
static lie_status measure_cost(double *seconds, double *iterations, trial *b)
{
    enum { STEPS = 256, TIMES = 5 };
    lie_state start;
    int often = 1;
    lie_status status = model_start(&b->model, &start, 0);
    *seconds = HUGE_VAL;
    for (int time = 0; time < TIMES && status == LIE_OK;) {
        double before = seconds_now();
        for (int k = 0; k < often && status == LIE_OK; k++) {
            lie_state s = start;
            lie_stepper_reset(b->stepper);
            status = lie_run(b->stepper, &s, 0.01, STEPS);
        }
        double took = seconds_now() - before;
        if (took < 4e-4) {
            often *= 2;
            continue;
        }
        *seconds = fmin(*seconds, took / ((double)often * STEPS));
        *iterations = (double)lie_stepper_statistics(b->stepper)->iterations / STEPS;
        time++;
    }
    return status;
}

static lie_status measure_all(measurement *out, trial *b)
{
    trial *free_trial = &b[MODEL_FREE], *main_trial = b[MODEL_POTENTIAL].work ? &b[MODEL_POTENTIAL] : free_trial;
    lie_status status = free_trial->work ? LIE_OK : LIE_ERR_METHOD;
    out->only_free = main_trial == free_trial;
    for (int kind = 0; kind < MODEL_KINDS; kind++)
        if (status == LIE_OK && b[kind].work && kind != MODEL_POTENTIAL)
            status = measure_momentum(out, &b[kind], (model_kind)kind);
    if (status == LIE_OK) status = measure_order(out, main_trial);
    if (status == LIE_OK) status = measure_symplectic(out, main_trial);
    if (status == LIE_OK) status = measure_energy(out, main_trial);
    if (status == LIE_OK) status = measure_self_adjoint(out, main_trial);
    if (status == LIE_OK) status = measure_cost(&out->free_seconds, &out->iterations, free_trial);
    if (status == LIE_OK) status = measure_cost(&out->seconds, &out->iterations, main_trial);
    return status;
}

lie_status measure_method(measurement *out, const lie_ops *G, const lie_method *m, const lie_tableau *tab)
{
    trial b[MODEL_KINDS];
    lie_status status = LIE_OK;
    *out = (measurement){0};
    for (int kind = 0; kind < MODEL_KINDS; kind++) {
        b[kind].work = NULL;
        if (status == LIE_OK) status = trial_make(&b[kind], G, m, tab, (model_kind)kind);
    }
    if (status == LIE_OK) status = measure_all(out, b);
    for (int kind = 0; kind < MODEL_KINDS; kind++) free(b[kind].work);
    return status;
}
