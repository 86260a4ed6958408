/* SPDX-License-Identifier: MIT */
/* control_newton.c: Newton's method on the optimality conditions of the optimal control problem; see control.h.
 *
 * Each step is the solution of the linear-quadratic problem at the iterate (control_sweep.c), multipliers included.
 * Where that problem is not strictly convex on the linearised conditions, steps in the inputs are made dearer until
 * it is, by a damping in parts of their own cost, so that minima are found and no saddles; at a strict minimum none
 * is needed, and the method is Newton's. The step is shortened until cost + barrier + prices x |defects| falls,
 * compared with the worst of the last iterates; damping also grows where steps have to be short, and fades where
 * they are not. Bounds on u: a primal-dual barrier, whose parameter falls with the residual.
 *
 * References: Nocedal & Wright, Numerical Optimization, 2006, chapters 18 and 19; Waechter & Biegler, Math. Program.
 * 106 (2006), (13) to (16) and section 3.1; Grippo, Lampariello & Lucidi, SIAM J. Numer. Anal. 23 (1986). */
#include "lib/control/control.h"

#include <math.h>

enum { MEMORY = 5, HALVINGS = 30, DAMPINGS = 10, ANCHORS = 4 };

#define FIRST_BARRIER 0.1
#define LAST_BARRIER 0x1p-40
#define BOUNDARY 0.995
#define FIRST_DAMPING 0.25 /* that is tried */
#define SHORT_DAMPING 0.03 /* of a first step that had to be short */
#define LEAST_DAMPING 1e-3
#define FLOOR 1e-9

/* What the line search compares: cost with barrier, and the sums of defects. */
typedef struct merit {
    double cost, e, y;
} merit;

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double largest(int n, const double *a)
{
    double r = 0.0;
    for (int i = 0; i < n; i++)
        if (!(fabs(a[i]) <= r)) r = fabs(a[i]);
    return r;
}

static double barrier_cost(const lie_control_work *w, int k, const double *u)
{
    double sum = 0.0;
    for (int i = 0; i < w->m; i++) {
        double mu = barrier_of(w, i);
        if (w->lower[i] > -HUGE_VAL) sum -= mu * log(u[i] - w->lower[i]);
        if (w->upper[i] < HUGE_VAL) sum -= mu * log(w->upper[i] - u[i]);
    }
    return node_weight(w, k) * sum;
}

static merit merit_of(const lie_control_work *w, const control_path *path)
{
    merit r = {path->cost, 0.0, 0.0};
    for (int k = 0; w->bounded && k <= w->N; k++) r.cost += barrier_cost(w, k, path->u + k * w->m);
    for (int i = 0; i < w->N * w->n; i++) r.e += fabs(path->e[i]);
    for (int i = 0; i < w->rows; i++) r.y += fabs(path->y[i]);
    return r;
}

static double priced(const lie_control_work *w, merit r)
{
    return r.cost + w->price_e * r.e + w->price_y * r.y;
}

/* d/d step of cost and barrier */
static double cost_slope(const lie_control_work *w)
{
    double sum = 0.0;
    for (int k = 0; k <= w->N; k++)
        for (int i = 0; i < w->m; i++) {
            double u = w->now.u[k * w->m + i], d = w->weight[i] * u + w->fuel[i], mu = barrier_of(w, i);
            if (w->lower[i] > -HUGE_VAL) d -= mu / (u - w->lower[i]);
            if (w->upper[i] < HUGE_VAL) d += mu / (w->upper[i] - u);
            sum += node_weight(w, k) * d * w->du[k * w->m + i];
        }
    if (!w->cost) return sum;
    for (int i = 0; i < (w->N + 1) * w->m; i++) sum += w->cost_u[i] * w->du[i];
    for (int i = 0; i < w->m; i++) sum += w->end_u[i] * w->du[w->N * w->m + i];
    for (int i = 0; i < (w->N + 1) * 2 * w->n; i++) sum += w->cost_z[i] * w->z[i];
    for (int i = 0; i < w->N * w->n; i++) sum += w->cost_xi[i] * w->dxi[i];
    return sum;
}

/* Multipliers of the bounds after a full step, and the longest steps that keep u and them inside. */
static void bound_steps(const lie_control_work *w, double *most_u, double *most_z)
{
    *most_u = *most_z = 1.0;
    for (int j = 0; w->bounded && j < (w->N + 1) * w->m; j++) {
        int i = j % w->m;
        for (int side = 0; side < 2; side++) {
            double sign = side == 0 ? 1.0 : -1.0, bound = side == 0 ? w->lower[i] : w->upper[i];
            double *z = (side == 0 ? w->low_z : w->up_z) + j, *next = (side == 0 ? w->low_z_next : w->up_z_next) + j;
            double gap = sign * (w->now.u[j] - bound), closing = -sign * w->du[j];
            if (fabs(bound) == HUGE_VAL) continue;
            *next = (barrier_of(w, i) + *z * closing) / gap;
            if (closing * *most_u > BOUNDARY * gap) *most_u = BOUNDARY * gap / closing;
            if ((*z - *next) * *most_z > BOUNDARY * *z) *most_z = BOUNDARY * *z / (*z - *next);
        }
    }
}

static void update_bounds(lie_control_work *w, double step)
{
    for (int j = 0; w->bounded && j < (w->N + 1) * w->m; j++) {
        int i = j % w->m;
        for (int side = 0; side < 2; side++) {
            double bound = side == 0 ? w->lower[i] : w->upper[i];
            double *z = (side == 0 ? w->low_z : w->up_z) + j, next = (side == 0 ? w->low_z_next : w->up_z_next)[j];
            if (fabs(bound) == HUGE_VAL) continue;
            double central = barrier_of(w, i) / fabs(w->now.u[j] - bound);
            *z += step * (next - *z);
            *z = fmin(fmax(*z, 1e-10 * central), 1e10 * central);
        }
    }
}

static lie_status try_step(lie_control_work *w, double step)
{
    for (int i = 0; i < w->N * w->n; i++) w->trial.xi[i] = w->now.xi[i] + step * w->dxi[i];
    for (int i = 0; i < (w->N + 1) * w->m; i++) w->trial.u[i] = w->now.u[i] + step * w->du[i];
    lie_status status = lie__control_shift_start(w, &w->trial, &w->now, w->dstart, step);
    return status == LIE_OK ? lie__control_evaluate(w, &w->trial) : status;
}

/* Prices above the multipliers, falling slowly where these fall, and so high that the step goes down. */
static double set_prices(lie_control_work *w, const merit *here)
{
    double e = 1.25 * largest((w->N + 1) * w->n, w->p_next), y = 1.25 * largest(w->rows, w->lambda_next);
    w->price_e = larger(e, 0.5 * (w->price_e + e));
    w->price_y = larger(y, 0.5 * (w->price_y + y));
    double rise = cost_slope(w), fall = w->price_e * here->e + w->price_y * here->y;
    double factor = rise > 0.9 * fall && rise > 1e-12 * fabs(here->cost) ? fmin(rise / (0.9 * fall), 10.0) : 1.0;
    w->price_e *= factor, w->price_y *= factor;
    return rise - factor * fall;
}

/* The longest of the steps 1, 1/2, ... that lowers the merit enough; 0: none does */
static double search_line(lie_control_work *w, const merit *history, int count, double most)
{
    merit here = history[(count - 1) % MEMORY];
    double slope = set_prices(w, &here), reference = priced(w, here);
    for (int i = 0; i < MEMORY && i < count; i++) reference = larger(reference, priced(w, history[i]));
    for (int k = 0; k < HALVINGS; k++) {
        double step = ldexp(most, -k);
        if (try_step(w, step) != LIE_OK) continue;
        double reached = priced(w, merit_of(w, &w->trial));
        if (reached <= reference + 1e-4 * step * fmin(slope, 0.0) + 1e-12 * fabs(reference)) return step;
    }
    return 0.0;
}

static void accept(lie_control_work *w, double step, double step_z)
{
    control_path held = w->now;
    w->now = w->trial;
    w->trial = held;
    for (int i = 0; i < (w->N + 1) * w->n; i++) w->p[i] += step * (w->p_next[i] - w->p[i]);
    for (int i = 0; i < w->rows; i++) w->lambda[i] += step * (w->lambda_next[i] - w->lambda[i]);
    update_bounds(w, step_z);
}

static double part(double a, double size)
{
    return size > 0.0 ? a / size : a;
}

static void measure(lie_control_work *w)
{
    lie_control_progress *p = &w->progress;
    double pose = 0.0, speed = 0.0;
    for (int r = 0; r < w->rows; r++) { /* what sets say is compared as it is */
        int is_speed = r < w->fixed && w->row[r] >= w->n;
        *(is_speed ? &speed : &pose) = larger(is_speed ? speed : pose, fabs(w->now.y[r]));
    }
    p->cost = w->now.cost;
    p->dynamics = part(largest(w->N * w->n, w->now.e), w->now.size_momentum);
    p->target = larger(pose, part(speed, w->now.size_velocity));
    p->gradient = larger(part(w->worst.u, w->worst.size_u), part(w->worst.xi, w->worst.size_xi));
    p->gradient = larger(p->gradient, w->worst.gap);
    p->residual = larger(larger(p->dynamics, p->target), p->gradient);
    p->barrier = w->bounded ? w->barrier : 0.0;
    p->convex = w->curvature / (1.0 + w->damping);
}

/* A damping above the one that has failed: near the last that was enough, or searched for in long strides */
static double more_damping(const lie_control_work *w)
{
    double last = w->last_damping;
    if (w->damping == 0.0) return last > 0.0 ? larger(last / 3.0, LEAST_DAMPING) : FIRST_DAMPING;
    return (last > 0.0 ? 4.0 : 8.0) * w->damping;
}

/* The sweep with the damping that is left, or as much more as makes the problem convex; where none does, without the
 * curvature of the constraints (Gauss-Newton). The first sweep, without multipliers, has no curvature. */
static lie_status sweep(lie_control_work *w)
{
    lie_status status = LIE_ERR_SINGULAR;
    if (!w->anchored) {
        w->curvature = 0.0;
        status = lie__control_sweep_back(w);
        if (status != LIE_OK || !w->warm) return status;
        status = LIE_ERR_SINGULAR;
    }
    w->curvature = 1.0;
    for (int i = 0; i < DAMPINGS && status == LIE_ERR_SINGULAR; i++) {
        if (i > 0) w->damping = more_damping(w);
        status = lie__control_sweep_back(w);
    }
    if (status == LIE_ERR_SINGULAR) {
        w->curvature = w->damping = 0.0;
        status = lie__control_sweep_back(w);
    }
    if (w->damping > 0.0) w->last_damping = w->damping;
    return status;
}

/* Negative pivots mean that the anchor holds less than the problem bends; the step is right, but rounding grows along
 * the nodes between them and the target. The iterates to come are anchored more. */
static void raise_anchor(lie_control_work *w)
{
    if (w->negative == 0 || !w->anchored || w->anchored > ANCHORS) return;
    for (int i = 0; i < w->rows * w->rows; i++) w->anchor[i] *= 10.0;
    w->anchored++;
}

/* The damping of the next iterate, after a step of this part */
static void adapt_damping(lie_control_work *w, double step)
{
    if (step <= 0.25) w->damping = larger(2.0 * w->damping, SHORT_DAMPING);
    if (step >= 0.5) w->damping *= step < 1.0 ? 0.5 : 0.1;
    if (w->damping < LEAST_DAMPING) w->damping = 0.0;
}

/* Start multipliers and barrier; u inside its bounds. */
static void prepare(lie_control_work *w)
{
    w->anchored = 0;
    w->damping = w->last_damping = 0.0;
    w->price_e = w->price_y = 0.0;
    w->barrier = !w->bounded ? 0.0 : w->warm ? FIRST_BARRIER * FIRST_BARRIER : FIRST_BARRIER;
    if (!w->warm) {
        zero_n((w->N + 1) * w->n, w->p);
        zero_n(w->rows, w->lambda);
    }
    for (int j = 0; w->bounded && j < (w->N + 1) * w->m; j++) {
        int i = j % w->m;
        double inside = 0.05 * w->range[i], *u = w->now.u + j;
        if (w->lower[i] > -HUGE_VAL) *u = fmax(*u, w->lower[i] + inside);
        if (w->upper[i] < HUGE_VAL) *u = fmin(*u, w->upper[i] - inside);
        w->low_z[j] = w->lower[i] > -HUGE_VAL ? barrier_of(w, i) / (*u - w->lower[i]) : 0.0;
        w->up_z[j] = w->upper[i] < HUGE_VAL ? barrier_of(w, i) / (w->upper[i] - *u) : 0.0;
    }
}

/* Lower the barrier where the problem with the present one is solved well enough; 1: lowered */
static int lower_barrier(lie_control_work *w)
{
    if (!w->bounded || w->barrier <= LAST_BARRIER || w->progress.residual > 10.0 * w->barrier) return 0;
    w->barrier = fmax(LAST_BARRIER, fmin(0.2 * w->barrier, pow(w->barrier, 1.5)));
    return 1;
}

/* Is this the end: below the tolerance, or as far as the arithmetic goes? */
static int arrived(lie_control_work *w, double tolerance, double before)
{
    lie_control_progress *p = &w->progress;
    if (w->bounded && w->barrier > LAST_BARRIER) return 0;
    if (p->residual <= tolerance) return 1;
    p->floor = p->residual < FLOOR && p->residual > 0.5 * before && p->step == 1.0 && p->convex == 1.0;
    return p->floor;
}

/* The sweep and what it says of the iterate; where damping is left but the end is near, without. */
static lie_status sweep_and_measure(lie_control_work *w, int iteration)
{
    lie_status status = sweep(w);
    if (status == LIE_OK) measure(w);
    if (status == LIE_OK && w->damping > 0.0 && w->progress.residual < FLOOR) {
        w->damping = 0.0;
        status = sweep(w);
        if (status == LIE_OK) measure(w);
    }
    w->progress.iteration = iteration;
    return status;
}

static lie_status iterate(lie_control_work *w, const lie_control_options *opt)
{
    merit history[MEMORY];
    double before = HUGE_VAL, step_u, step_z;
    int cap = opt->max_iterations > 0 ? opt->max_iterations : 200, count = 0;
    double tolerance = opt->tolerance > 0.0 ? opt->tolerance : 1e-11;
    for (int k = 0; k <= cap; k++) {
        lie_status status = sweep_and_measure(w, k);
        if (status != LIE_OK) return status;
        if (opt->monitor && opt->monitor(opt->ctx, &w->progress)) return LIE_STOPPED;
        if (arrived(w, tolerance, before)) return LIE_OK;
        before = w->progress.residual;
        while (lower_barrier(w)) count = 0, before = HUGE_VAL; /* another problem */
        if (w->bounded && count == 0) {
            status = sweep(w);
            if (status != LIE_OK) return status;
        }
        if (k == cap) break;
        status = lie__control_sweep_forward(w);
        if (status != LIE_OK) return status;
        bound_steps(w, &step_u, &step_z);
        history[count++ % MEMORY] = merit_of(w, &w->now);
        w->progress.step = search_line(w, history, count, step_u);
        if (w->progress.step == 0.0) return LIE_ERR_NO_CONVERGENCE;
        accept(w, w->progress.step, step_z);
        raise_anchor(w);
        adapt_damping(w, w->progress.step);
    }
    return LIE_ERR_NO_CONVERGENCE;
}

/* d cost/d T at a solution: of the Lagrange function with velocities and inputs fixed, by differences of order 4 */
static double slope_in_time(lie_control_work *w)
{
    static const double shift[4] = {0x1p-10, -0x1p-10, 0x1p-9, -0x1p-9}, factor[4] = {8.0, -8.0, -1.0, 1.0};
    double h = w->h, sum = 0.0;
    copy_n(w->N * w->n, w->trial.xi, w->now.xi);
    copy_n((w->N + 1) * w->m, w->trial.u, w->now.u);
    if (lie__control_shift_start(w, &w->trial, &w->now, w->dstart, 0.0) != LIE_OK) return (double)NAN;
    for (int k = 0; k < 4; k++) {
        w->h = h * (1.0 + shift[k]);
        if (lie__control_evaluate(w, &w->trial) != LIE_OK) sum = (double)NAN;
        double value = w->trial.cost;
        for (int i = 0; i < w->N * w->n; i++) value -= w->p[i] * w->trial.e[i];
        for (int i = 0; i < w->rows; i++) value += w->lambda[i] * w->trial.y[i];
        sum += factor[k] * value;
    }
    w->h = h;
    return sum / (12.0 * 0x1p-10 * h * w->N);
}

/* Is there a reason why no path leads to the target? Bounds in the way, or inputs whose brackets, from rest, leave
 * configurations out (lie_actuation_report). */
static int out_of_reach(const lie_control_work *w)
{
    lie_controllability report;
    if (larger(w->progress.dynamics, w->progress.target) <= 1e-6) return 0;
    if (w->bounded) return 1;
    if (w->base->force || w->wheels > 0 || largest(w->n, w->nu0) > 0.0) return 0;
    return lie_actuation_report(w->actuation, &report, w->g0) == LIE_OK && report.accessible < w->n;
}

lie_status lie_control_solve(lie_control *c, const lie_control_options *opt)
{
    static const lie_control_options defaults = {0};
    lie_control_work *w = &c->work;
    prepare(w);
    lie_status status = lie__control_evaluate(w, &w->now) == LIE_OK ? LIE_OK : LIE_ERR_GUESS;
    w->progress = (lie_control_progress){.residual = HUGE_VAL};
    if (status == LIE_OK) status = iterate(w, opt ? opt : &defaults);
    if (status == LIE_ERR_NO_CONVERGENCE && out_of_reach(w)) status = LIE_ERR_UNREACHABLE;
    w->warm = status == LIE_OK;
    lie__control_publish(c);
    if (status == LIE_OK) c->answer.cost_by_time = slope_in_time(w) + c->problem.time_weight;
    return status;
}
