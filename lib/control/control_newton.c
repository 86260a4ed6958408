/* SPDX-License-Identifier: MIT */
/* control_newton.c: Newton's method on the optimality conditions of the optimal control problem; see control_iterate.h.
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

enum { MERITS = 5, HALVINGS = 30, DAMPINGS = 10, ANCHORS = 4 };

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

static merit merit_of(const lie_control *c, const control_path *path)
{
    const control_problem *P = &c->problem;
    merit r = {path->cost, 0.0, 0.0};
    for (int k = 0; P->inputs.bounded && k <= P->N; k++)
        r.cost += lie__barrier_cost(P, &c->barrier, k, path->u + k * P->m);
    for (int i = 0; i < P->N * P->n; i++) r.e += fabs(path->e[i]);
    for (int i = 0; i < P->ends.rows; i++) r.y += fabs(path->y[i]);
    return r;
}

static double priced(const lie_control *c, merit r)
{
    return r.cost + c->search.price_e * r.e + c->search.price_y * r.y;
}

/* d/d step of cost and barrier */
static double cost_slope(const lie_control *c)
{
    const control_problem *P = &c->problem;
    double sum = 0.0;
    for (int k = 0; k <= P->N; k++)
        for (int i = 0; i < P->m; i++) {
            double u = c->iterate.now.u[k * P->m + i], d = P->inputs.weight[i] * u + P->inputs.fuel[i],
                   mu = barrier_of(P, &c->barrier, i);
            if (P->inputs.lower[i] > -HUGE_VAL) d -= mu / (u - P->inputs.lower[i]);
            if (P->inputs.upper[i] < HUGE_VAL) d += mu / (P->inputs.upper[i] - u);
            sum += node_weight(P, k) * d * c->step.du[k * P->m + i];
        }
    if (!P->cost) return sum;
    for (int i = 0; i < (P->N + 1) * P->m; i++) sum += c->linear.cost_u[i] * c->step.du[i];
    for (int i = 0; i < P->m; i++) sum += c->linear.end_u[i] * c->step.du[P->N * P->m + i];
    for (int i = 0; i < (P->N + 1) * 2 * P->n; i++) sum += c->linear.cost_z[i] * c->step.z[i];
    for (int i = 0; i < P->N * P->n; i++) sum += c->linear.cost_xi[i] * c->step.dxi[i];
    return sum;
}

static lie_status try_step(lie_control *c, double step)
{
    const control_problem *P = &c->problem;
    for (int i = 0; i < P->N * P->n; i++) c->iterate.trial.xi[i] = c->iterate.now.xi[i] + step * c->step.dxi[i];
    for (int i = 0; i < (P->N + 1) * P->m; i++) c->iterate.trial.u[i] = c->iterate.now.u[i] + step * c->step.du[i];
    lie_status status = lie__control_shift_start(P, &c->iterate.trial, &c->iterate.now, c->step.dstart, step);
    return status == LIE_OK ? lie__control_evaluate(P, &c->iterate.trial) : status;
}

/* Prices above the multipliers, falling slowly where these fall, and so high that the step goes down. */
static double set_prices(lie_control *c, const merit *here)
{
    const control_problem *P = &c->problem;
    double e = 1.25 * largest((P->N + 1) * P->n, c->step.p_next), y = 1.25 * largest(P->ends.rows, c->step.lambda_next);
    c->search.price_e = larger(e, 0.5 * (c->search.price_e + e));
    c->search.price_y = larger(y, 0.5 * (c->search.price_y + y));
    double rise = cost_slope(c), fall = c->search.price_e * here->e + c->search.price_y * here->y;
    double factor = rise > 0.9 * fall && rise > 1e-12 * fabs(here->cost) ? fmin(rise / (0.9 * fall), 10.0) : 1.0;
    c->search.price_e *= factor, c->search.price_y *= factor;
    return rise - factor * fall;
}

/* The longest of the steps 1, 1/2, ... that lowers the merit enough; 0: none does */
static double search_line(lie_control *c, const merit *history, int count, double most)
{
    merit here = history[(count - 1) % MERITS];
    double slope = set_prices(c, &here), reference = priced(c, here);
    for (int i = 0; i < MERITS && i < count; i++) reference = larger(reference, priced(c, history[i]));
    for (int k = 0; k < HALVINGS; k++) {
        double step = ldexp(most, -k);
        if (try_step(c, step) != LIE_OK) continue;
        double reached = priced(c, merit_of(c, &c->iterate.trial));
        if (reached <= reference + 1e-4 * step * fmin(slope, 0.0) + 1e-12 * fabs(reference)) return step;
    }
    return 0.0;
}

static void accept(lie_control *c, double step, double step_z)
{
    const control_problem *P = &c->problem;
    control_path held = c->iterate.now;
    c->iterate.now = c->iterate.trial;
    c->iterate.trial = held;
    for (int i = 0; i < (P->N + 1) * P->n; i++) c->iterate.p[i] += step * (c->step.p_next[i] - c->iterate.p[i]);
    for (int i = 0; i < P->ends.rows; i++)
        c->iterate.lambda[i] += step * (c->step.lambda_next[i] - c->iterate.lambda[i]);
    lie__barrier_update(P, &c->barrier, c->iterate.now.u, step_z);
}

static double part(double a, double size)
{
    return size > 0.0 ? a / size : a;
}

static void measure(lie_control *c)
{
    const control_problem *P = &c->problem;
    lie_control_progress *p = &c->iterate.progress;
    double pose = 0.0, speed = 0.0;
    for (int r = 0; r < P->ends.rows; r++) { /* what sets say is compared as it is */
        int is_speed = r < P->ends.fixed && P->ends.row[r] >= P->n;
        *(is_speed ? &speed : &pose) = larger(is_speed ? speed : pose, fabs(c->iterate.now.y[r]));
    }
    p->cost = c->iterate.now.cost;
    p->dynamics = part(largest(P->N * P->n, c->iterate.now.e), c->iterate.now.size_momentum);
    p->target = larger(pose, part(speed, c->iterate.now.size_velocity));
    p->gradient = larger(part(c->step.worst.u, c->step.worst.size_u), part(c->step.worst.xi, c->step.worst.size_xi));
    p->gradient = larger(p->gradient, c->step.worst.gap);
    p->residual = larger(larger(p->dynamics, p->target), p->gradient);
    p->barrier = P->inputs.bounded ? c->barrier.parameter : 0.0;
    p->convex = c->linear.curvature / (1.0 + c->step.damping);
}

/* A damping above the one that has failed: near the last that was enough, or searched for in long strides */
static double more_damping(const lie_control *c)
{
    double last = c->step.last_damping;
    if (c->step.damping == 0.0) return last > 0.0 ? larger(last / 3.0, LEAST_DAMPING) : FIRST_DAMPING;
    return (last > 0.0 ? 4.0 : 8.0) * c->step.damping;
}

/* The sweep with the damping that is left, or as much more as makes the problem convex; where none does, without the
 * curvature of the constraints (Gauss-Newton). The first sweep, without multipliers, has no curvature. */
static lie_status sweep(lie_control *c)
{
    lie_status status = LIE_ERR_SINGULAR;
    if (!c->step.anchored) {
        c->linear.curvature = 0.0;
        status = lie__control_sweep_back(c);
        if (status != LIE_OK || !c->iterate.warm) return status;
        status = LIE_ERR_SINGULAR;
    }
    c->linear.curvature = 1.0;
    for (int i = 0; i < DAMPINGS && status == LIE_ERR_SINGULAR; i++) {
        if (i > 0) c->step.damping = more_damping(c);
        status = lie__control_sweep_back(c);
    }
    if (status == LIE_ERR_SINGULAR) {
        c->linear.curvature = c->step.damping = 0.0;
        status = lie__control_sweep_back(c);
    }
    if (c->step.damping > 0.0) c->step.last_damping = c->step.damping;
    return status;
}

/* Negative pivots mean that the anchor holds less than the problem bends; the step is right, but rounding grows along
 * the nodes between them and the target. The iterates to come are anchored more. */
static void raise_anchor(lie_control *c)
{
    const control_problem *P = &c->problem;
    if (c->step.negative == 0 || !c->step.anchored || c->step.anchored > ANCHORS) return;
    for (int i = 0; i < P->ends.rows * P->ends.rows; i++) c->step.anchor[i] *= 10.0;
    c->step.anchored++;
}

/* The damping of the next iterate, after a step of this part */
static void adapt_damping(lie_control *c, double step)
{
    if (step <= 0.25) c->step.damping = larger(2.0 * c->step.damping, SHORT_DAMPING);
    if (step >= 0.5) c->step.damping *= step < 1.0 ? 0.5 : 0.1;
    if (c->step.damping < LEAST_DAMPING) c->step.damping = 0.0;
}

/* Multipliers, barrier and damping at the start; u inside its bounds. */
static void prepare(lie_control *c)
{
    const control_problem *P = &c->problem;
    c->step.anchored = 0;
    c->step.damping = c->step.last_damping = 0.0;
    c->search.price_e = c->search.price_y = 0.0;
    if (!c->iterate.warm) {
        zero_n((P->N + 1) * P->n, c->iterate.p);
        zero_n(P->ends.rows, c->iterate.lambda);
    }
    lie__barrier_begin(P, &c->barrier, c->iterate.now.u, c->iterate.warm);
}

/* Is this the end: below the tolerance, or as far as the arithmetic goes? */
static int arrived(lie_control *c, double tolerance, double before)
{
    const control_problem *P = &c->problem;
    lie_control_progress *p = &c->iterate.progress;
    if (lie__barrier_is_high(P, &c->barrier)) return 0;
    if (p->residual <= tolerance) return 1;
    p->floor = p->residual < FLOOR && p->residual > 0.5 * before && p->step == 1.0 && p->convex == 1.0;
    return p->floor;
}

/* The sweep and what it says of the iterate; where damping is left but the end is near, without. */
static lie_status sweep_and_measure(lie_control *c, int iteration)
{
    lie_status status = sweep(c);
    if (status == LIE_OK) measure(c);
    if (status == LIE_OK && c->step.damping > 0.0 && c->iterate.progress.residual < FLOOR) {
        c->step.damping = 0.0;
        status = sweep(c);
        if (status == LIE_OK) measure(c);
    }
    c->iterate.progress.iteration = iteration;
    return status;
}

static lie_status iterate(lie_control *c, const lie_control_options *opt)
{
    const control_problem *P = &c->problem;
    merit history[MERITS];
    double before = HUGE_VAL, step_u, step_z;
    int cap = opt->max_iterations > 0 ? opt->max_iterations : 200, count = 0;
    double tolerance = opt->tolerance > 0.0 ? opt->tolerance : 1e-11;
    for (int k = 0; k <= cap; k++) {
        lie_status status = sweep_and_measure(c, k);
        if (status != LIE_OK) return status;
        if (opt->monitor && opt->monitor(opt->ctx, &c->iterate.progress)) return LIE_STOPPED;
        if (arrived(c, tolerance, before)) return LIE_OK;
        before = c->iterate.progress.residual;
        while (lie__barrier_lower(P, &c->barrier, c->iterate.progress.residual))
            count = 0, before = HUGE_VAL; /* another problem */
        if (P->inputs.bounded && count == 0) {
            status = sweep(c);
            if (status != LIE_OK) return status;
        }
        if (k == cap) break;
        status = lie__control_sweep_forward(c);
        if (status != LIE_OK) return status;
        lie__barrier_steps(P, &c->barrier, c->iterate.now.u, c->step.du, &step_u, &step_z);
        history[count++ % MERITS] = merit_of(c, &c->iterate.now);
        c->iterate.progress.step = search_line(c, history, count, step_u);
        if (c->iterate.progress.step == 0.0) return LIE_ERR_NO_CONVERGENCE;
        accept(c, c->iterate.progress.step, step_z);
        raise_anchor(c);
        adapt_damping(c, c->iterate.progress.step);
    }
    return LIE_ERR_NO_CONVERGENCE;
}

/* d cost/d T at a solution: of the Lagrange function with velocities and inputs fixed, by differences of order 4 */
static double slope_in_time(lie_control *c)
{
    control_problem *P = &c->problem;
    static const double shift[4] = {0x1p-10, -0x1p-10, 0x1p-9, -0x1p-9}, factor[4] = {8.0, -8.0, -1.0, 1.0};
    double h = P->h, sum = 0.0;
    copy_n(P->N * P->n, c->iterate.trial.xi, c->iterate.now.xi);
    copy_n((P->N + 1) * P->m, c->iterate.trial.u, c->iterate.now.u);
    if (lie__control_shift_start(P, &c->iterate.trial, &c->iterate.now, c->step.dstart, 0.0) != LIE_OK)
        return (double)NAN;
    for (int k = 0; k < 4; k++) {
        P->h = h * (1.0 + shift[k]);
        if (lie__control_evaluate(P, &c->iterate.trial) != LIE_OK) sum = (double)NAN;
        double value = c->iterate.trial.cost;
        for (int i = 0; i < P->N * P->n; i++) value -= c->iterate.p[i] * c->iterate.trial.e[i];
        for (int i = 0; i < P->ends.rows; i++) value += c->iterate.lambda[i] * c->iterate.trial.y[i];
        sum += factor[k] * value;
    }
    P->h = h;
    return sum / (12.0 * 0x1p-10 * h * P->N);
}

/* Is there a reason why no path leads to the target? Bounds in the way, or inputs whose brackets, from rest, leave
 * configurations out (lie_actuation_report). */
static int out_of_reach(const lie_control *c)
{
    const control_problem *P = &c->problem;
    lie_controllability report;
    if (larger(c->iterate.progress.dynamics, c->iterate.progress.target) <= 1e-6) return 0;
    if (P->inputs.bounded) return 1;
    if (P->base->force || P->wheels > 0 || largest(P->n, P->ends.nu0) > 0.0) return 0;
    return lie_actuation_report(P->actuation, &report, P->ends.g0) == LIE_OK && report.accessible < P->n;
}

lie_status lie_control_solve(lie_control *c, const lie_control_options *opt)
{
    const control_problem *P = &c->problem;
    static const lie_control_options defaults = {0};
    prepare(c);
    lie_status status = lie__control_evaluate(P, &c->iterate.now) == LIE_OK ? LIE_OK : LIE_ERR_GUESS;
    c->iterate.progress = (lie_control_progress){.residual = HUGE_VAL};
    if (status == LIE_OK) status = iterate(c, opt ? opt : &defaults);
    if (status == LIE_ERR_NO_CONVERGENCE && out_of_reach(c)) status = LIE_ERR_UNREACHABLE;
    c->iterate.warm = status == LIE_OK;
    lie__control_publish(c);
    if (status == LIE_OK) c->answer.cost_by_time = slope_in_time(c) + c->asked.time_weight;
    return status;
}
