/* SPDX-License-Identifier: MIT */
/* embedded_newton.c: K_i = f(y + h sum_j a_ij K_j) in the slopes of all stages, for long steps and stiff forces, where
 * passes do not contract.
 *
 * The Jacobian is 1 - h a_ij f'(Y_i), from one evaluation of all stages for every coordinate of y, by differences. The
 * unknowns are measured in the units of the node: q by 1, the momenta by those of its energy and of the impulses of a
 * step. The certificate and the way to the branch of solutions that begins at h = 0 are those of newton.h. */
#include "lib/methods/embedded/embedded_newton.h"

#include <math.h>
#include <string.h>

#include "groups/num/newton.h"

typedef struct problem {
    const embedded_equations *E;
    double *unit, *at; /* `at`: slopes where the differences are taken */
} problem;

int lie__embedded_newton_doubles(int unknowns)
{
    return lie__newton_doubles(unknowns) + 3 * unknowns;
}

static double *value(const embedded_equations *E, int c, int i)
{
    return E->Y + c * E->value_row + i * E->value_stage;
}

static double slope(const embedded_equations *E, int c, int i)
{
    return E->K[c * E->slope_row + i * E->slope_stage];
}

/* a_ij of coordinate c */
static double weight(const embedded_equations *E, int c, int i, int j)
{
    const double *A = E->A_p && c >= EMBEDDED_P && c < EMBEDDED_X ? E->A_p : E->tab->A;
    return A[i * E->tab->stages + j];
}

/* Y_i = y + h sum_j a_ij K_j */
static void set_stages(const problem *p, const double *x)
{
    const embedded_equations *E = p->E;
    int s = E->tab->stages;
    for (int c = 0; c < E->length; c++)
        for (int i = 0; i < s; i++) {
            double sum = 0.0;
            for (int j = 0; j < s; j++) sum += weight(E, c, i, j) * x[j * E->length + c];
            *value(E, c, i) = E->y[c] + *E->h * (p->unit[c] * sum);
        }
    if (E->set_known) E->set_known(E->context);
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static lie_status residual(const newton *N, double *r, double *size, const double *x)
{
    const problem *p = (const problem *)N->problem;
    const embedded_equations *E = p->E;
    set_stages(p, x);
    lie_status status = E->evaluate(E->context);
    if (status != LIE_OK) return status;
    double worst = 0.0;
    *size = 0.0;
    for (int i = 0; i < E->tab->stages; i++)
        for (int c = 0; c < E->length; c++) {
            int at = i * E->length + c;
            double K = slope(E, c, i) / p->unit[c];
            r[at] = x[at] - K;
            worst += 0.0 * r[at];
            *size = larger(*size, larger(fabs(x[at]), fabs(K)));
        }
    return worst == 0.0 ? LIE_OK : LIE_ERR_NOT_FINITE;
}

/* What the change of coordinate c of all stages, which were `before`, has changed: column c of every block of
 * delta_ij - h a_ij f'(Y_i) */
static void put_columns(const newton *N, double *J, int c, const double *before)
{
    const problem *p = (const problem *)N->problem;
    const embedded_equations *E = p->E;
    int s = E->tab->stages, length = E->length;
    for (int i = 0; i < s; i++) {
        double over = *E->h * p->unit[c] / (*value(E, c, i) - before[i]);
        for (int k = 0; k < length; k++) {
            double change = over * (slope(E, k, i) - p->at[k * s + i]) / p->unit[k];
            for (int j = 0; j < s; j++)
                J[(i * length + k) * N->n + j * length + c] =
                    (i == j && k == c ? 1.0 : 0.0) - weight(E, c, i, j) * change;
        }
    }
}

/* d r_i/d K_j = delta_ij - h a_ij f'(Y_i) */
static lie_status jacobian(const newton *N, double *J, const double *x)
{
    const problem *p = (const problem *)N->problem;
    const embedded_equations *E = p->E;
    int s = E->tab->stages;
    set_stages(p, x);
    lie_status status = E->evaluate(E->context);
    if (status != LIE_OK) return status;
    for (int i = 0; i < s; i++)
        for (int k = 0; k < E->length; k++) p->at[k * s + i] = slope(E, k, i);
    for (int c = 0; c < E->length && status == LIE_OK; c++) {
        double before[EMBEDDED_STAGES_MAX];
        for (int i = 0; i < s; i++) {
            before[i] = *value(E, c, i);
            *value(E, c, i) += 0x1p-26 * p->unit[c];
        }
        status = E->evaluate(E->context);
        if (status == LIE_OK) put_columns(N, J, c, before);
        for (int i = 0; i < s; i++) *value(E, c, i) = before[i];
    }
    return status;
}

/* all slopes that of the node, with the length 0 */
static lie_status origin(const newton *N, double *x)
{
    const problem *p = (const problem *)N->problem;
    const embedded_equations *E = p->E;
    double h = *E->h;
    *E->h = 0.0;
    memset(x, 0, (size_t)N->n * sizeof *x);
    set_stages(p, x);
    lie_status status = E->evaluate(E->context);
    *E->h = h;
    if (status != LIE_OK) return status;
    for (int i = 0; i < E->tab->stages; i++)
        for (int c = 0; c < E->length; c++) x[i * E->length + c] = slope(E, c, i) / p->unit[c];
    return LIE_OK;
}

lie_status lie__embedded_newton_solve(const embedded_equations *E, double *work, lie_solve *info)
{
    int n = E->tab->stages * E->length;
    problem p = {E, work + n, work + 2 * n};
    newton N = {.n = n,
                .residual = residual,
                .jacobian = jacobian,
                .origin = origin,
                .problem = &p,
                .h = E->h,
                .sign = 1,
                .step = 1.0,
                .linear = E->linear,
                .work = work + 3 * n};
    for (int c = 0; c < E->length; c++) p.unit[c] = 1.0;
    lie_status status = origin(&N, work);
    if (status != LIE_OK) return status;
    E->set_units(E->context, p.unit);
    status = origin(&N, work);
    return status == LIE_OK ? lie__newton_solve(&N, work, info) : status;
}

/* The stages in lanes */

typedef struct lanes {
    embedded_task *task;
    embedded_fn *run;
    stage_kind kind;
    const lie_tableau *tab;
    const double *h;
    embedded_per_stage Y[EMBEDDED_LONGEST];
} lanes;

/* K at Y, into the task */
static lie_status evaluate_lanes(void *context)
{
    lanes *w = (lanes *)context;
    w->task->given = (const embedded_per_stage *)w->Y;
    lie_status status = w->run(w->task);
    w->task->given = 0;
    return status;
}

/* What is no unknown does not matter, or moves in a known way. */
static void set_known_lanes(void *context)
{
    lanes *w = (lanes *)context;
    for (int c = embedded_length(w->kind); c < EMBEDDED_LONGEST; c++)
        for (int i = 0; i < w->tab->stages; i++) w->Y[c][i] = w->task->y[c];
    for (int i = 0; w->kind == STAGE_VEHICLE && i < w->tab->stages; i++)
        w->Y[EMBEDDED_PX + 2][i] += *w->h * w->tab->c[i] * w->task->form.pull[3];
}

/* Of p, px and x from the node's energy, with what the rates of the node add to it in a step. */
static void set_units_lanes(void *context, double *unit)
{
    const lanes *w = (const lanes *)context;
    const embedded_task *task = w->task;
    int length = embedded_length(w->kind), stride = embedded_stride(w->tab->stages);
    double energy = 0.0;
    for (int c = EMBEDDED_P; c < EMBEDDED_X && c < length; c++) {
        double impulse = *w->h * task->out[c * stride], y = task->y[c];
        energy += task->size[c < EMBEDDED_PX ? 0 : 1] * (y * y + impulse * impulse);
    }
    if (!(energy > 0.0)) energy = 1.0;
    for (int c = 0; c < length; c++) {
        int part = c < EMBEDDED_P ? -1 : c < EMBEDDED_PX ? 0 : c < EMBEDDED_X ? 1 : 2;
        unit[c] = part < 0 ? 1.0 : sqrt(energy / task->size[part]);
    }
}

lie_status lie__embedded_newton(embedded_task *task, embedded_fn *run, stage_kind kind, const lie_tableau *tab,
                                const double *A_p, double *h, const lie_linear *linear, double *work, lie_solve *info)
{
    lanes w = {task, run, kind, tab, h, {{0.0}}};
    const embedded_equations E = {.length = embedded_length(kind),
                                  .tab = tab,
                                  .A_p = A_p,
                                  .linear = linear,
                                  .h = h,
                                  .y = task->y,
                                  .Y = w.Y[0],
                                  .K = task->out,
                                  .value_row = EMBEDDED_STAGES_MAX,
                                  .value_stage = 1,
                                  .slope_row = embedded_stride(tab->stages),
                                  .slope_stage = 1,
                                  .evaluate = evaluate_lanes,
                                  .set_known = set_known_lanes,
                                  .set_units = set_units_lanes,
                                  .context = &w};
    return lie__embedded_newton_solve(&E, work, info);
}
