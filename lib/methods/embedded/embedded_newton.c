/* SPDX-License-Identifier: MIT */
/* embedded_newton.c: K_i = f(y + h sum_j a_ij K_j) in the slopes of all stages, for long steps and stiff forces, where
 * the passes of embedded_stages.c do not contract.
 *
 * The Jacobian is 1 - h a_ij f'(Y_i), from one pass with differences for every component of y. The unknowns are
 * measured in the units of the node: q by 1, the momenta by those of its energy and of the impulses of a step. The
 * certificate and the way to the branch of solutions that begins at h = 0 are those of newton.h. */
#include "lib/methods/embedded/embedded_newton.h"

#include <math.h>
#include <string.h>

#include "groups/num/newton.h"

/* What the equations are made of. */
typedef struct problem {
    embedded_job *job;
    embedded_fn *run;
    embedded_kind kind;
    const lie_tableau *tab;
    int length;
    double *h, *x;
    double unit[EMBEDDED_LONGEST];
    embedded_per_stage Y[EMBEDDED_LONGEST];
} problem;

int lie__embedded_newton_doubles(int unknowns)
{
    return lie__newton_doubles(unknowns) + unknowns;
}

/* K and torques at Y, into the job */
static lie_status evaluate(problem *p)
{
    p->job->given = (const embedded_per_stage *)p->Y;
    lie_status status = p->run(p->job);
    p->job->given = 0;
    return status;
}

static double slope(const problem *p, int c, int i)
{
    return p->job->out[c * embedded_stride(p->tab->stages) + i];
}

/* Y_i = y + h sum_j a_ij K_j; what is no unknown moves in a known way or does not matter */
static void set_stages(problem *p, const double *x)
{
    const lie_tableau *tab = p->tab;
    int s = tab->stages;
    for (int c = 0; c < EMBEDDED_LONGEST; c++)
        for (int i = 0; i < s; i++) {
            double sum = 0.0;
            for (int j = 0; c < p->length && j < s; j++) sum += tab->A[i * s + j] * x[j * p->length + c];
            p->Y[c][i] = p->job->y[c] + *p->h * (p->unit[c] * sum);
        }
    for (int i = 0; p->kind == EMBEDDED_VEHICLE && i < s; i++)
        p->Y[EMBEDDED_PX + 2][i] += *p->h * tab->c[i] * p->job->pull[3];
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static lie_status residual(const newton *N, double *r, double *size, const double *x)
{
    problem *p = (problem *)N->problem;
    set_stages(p, x);
    lie_status status = evaluate(p);
    if (status != LIE_OK) return status;
    double worst = 0.0;
    *size = 0.0;
    for (int i = 0; i < p->tab->stages; i++)
        for (int c = 0; c < p->length; c++) {
            int at = i * p->length + c;
            double K = slope(p, c, i) / p->unit[c];
            r[at] = x[at] - K;
            worst += 0.0 * r[at];
            *size = larger(*size, larger(fabs(x[at]), fabs(K)));
        }
    return worst == 0.0 ? LIE_OK : LIE_ERR_NOT_FINITE;
}

/* d r_i/d K_j = delta_ij - h a_ij f'(Y_i) */
static lie_status jacobian(const newton *N, double *J, const double *x)
{
    problem *p = (problem *)N->problem;
    int s = p->tab->stages, length = p->length, n = N->n;
    double at[EMBEDDED_LONGEST * EMBEDDED_STAGES_MAX];
    set_stages(p, x);
    lie_status status = evaluate(p);
    if (status != LIE_OK) return status;
    for (int i = 0; i < s; i++)
        for (int k = 0; k < length; k++) at[k * s + i] = slope(p, k, i);
    for (int c = 0; c < length && status == LIE_OK; c++) {
        double before[EMBEDDED_STAGES_MAX];
        memcpy(before, p->Y[c], sizeof before);
        for (int i = 0; i < s; i++) p->Y[c][i] += 0x1p-26 * p->unit[c];
        status = evaluate(p);
        for (int i = 0; i < s; i++) {
            double over = *p->h * p->unit[c] / (p->Y[c][i] - before[i]);
            for (int k = 0; k < length; k++) {
                double change = over * (slope(p, k, i) - at[k * s + i]) / p->unit[k];
                for (int j = 0; j < s; j++)
                    J[(i * length + k) * n + j * length + c] =
                        (i == j && k == c ? 1.0 : 0.0) - p->tab->A[i * s + j] * change;
            }
        }
        memcpy(p->Y[c], before, sizeof before);
    }
    return status;
}

/* all slopes that of the node, with the length 0 */
static lie_status origin(const newton *N, double *x)
{
    problem *p = (problem *)N->problem;
    double h = *p->h;
    *p->h = 0.0;
    memset(x, 0, (size_t)N->n * sizeof *x);
    set_stages(p, x);
    lie_status status = evaluate(p);
    *p->h = h;
    if (status != LIE_OK) return status;
    for (int i = 0; i < p->tab->stages; i++)
        for (int c = 0; c < p->length; c++) x[i * p->length + c] = slope(p, c, i) / p->unit[c];
    return LIE_OK;
}

/* Of p, px and x from the node's energy, with what the rates of the node add to it in a step. */
static void set_units(problem *p)
{
    const embedded_job *job = p->job;
    double energy = 0.0;
    for (int c = EMBEDDED_P; c < EMBEDDED_X && c < p->length; c++) {
        double impulse = *p->h * slope(p, c, 0), y = job->y[c];
        energy += job->size[c < EMBEDDED_PX ? 0 : 1] * (y * y + impulse * impulse);
    }
    if (!(energy > 0.0)) energy = 1.0;
    for (int c = 0; c < p->length; c++) {
        int part = c < EMBEDDED_P ? -1 : c < EMBEDDED_PX ? 0 : c < EMBEDDED_X ? 1 : 2;
        p->unit[c] = part < 0 ? 1.0 : sqrt(energy / job->size[part]);
    }
}

lie_status lie__embedded_newton(embedded_job *job, embedded_fn *run, embedded_kind kind, const lie_tableau *tab,
                                double *h, const lie_linear *linear, double *work, lie_solve *info)
{
    problem p = {job, run, kind, tab, embedded_length(kind), h, .unit = {0.0}};
    int n = tab->stages * p.length;
    newton N = {.n = n,
                .residual = residual,
                .jacobian = jacobian,
                .origin = origin,
                .problem = &p,
                .h = h,
                .sign = 1,
                .step = 1.0,
                .linear = linear,
                .work = work + n};
    for (int c = 0; c < EMBEDDED_LONGEST; c++) p.unit[c] = 1.0;
    lie_status status = origin(&N, work);
    if (status != LIE_OK) return status;
    set_units(&p);
    status = origin(&N, work);
    return status == LIE_OK ? lie__newton_solve(&N, work, info) : status;
}
