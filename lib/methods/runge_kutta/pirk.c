/* SPDX-License-Identifier: MIT */
/* pirk.c: Gauss methods of order 8, 12 and 16 whose stages are found by a fixed number of passes, all stages of a pass
 * at once in the lanes of a vector.
 *
 * On flat coordinates, y = (q, m[, x]) with q the unit quaternion of the attitude, y' = f(t, y) from
 *
 *     q' = q (0, w)/2,   x' = R v,   m' = ad*_xi m + F + f,   xi = (w[, v]) the velocity that has the momentum m:
 *
 *     K_i^0 = f(y),   K_i^(p) = f(t + c_i h, y + h sum_j a_ij K_j^(p-1)),   y+ = y + h sum_i b_i K_i^(2s-1),
 *
 * then q+ is normalised. Each pass adds one to the order, 2s - 1 passes after the first make that of the Gauss method
 * with s stages, 2s. Explicit: nothing is solved and nothing can fail to converge; and the s evaluations of a pass do
 * not wait for each other, which is what an explicit method of that order cannot offer: a pass costs little more than
 * one evaluation.
 *
 * Nothing is preserved but the group; at the steps for which the method is made the errors of energy and momentum are
 * those of the order, near rounding. A group of matrices is turned by the quaternion that the step has added.
 *
 * Cost: 2 s - 1 passes and one evaluation. What a closed form states (form.h), a body under its weight, with wheels and
 * in an orbit frame, or with drag and thrusters, has its rates in the lanes (pirk_stages.c), as a free body has, with
 * the same bits for any number of them; under any other potential the force alone is called for; every other system is
 * called for one stage after the other.
 *
 * References: van der Houwen & Sommeijer, Parallel iteration of high-order Runge-Kutta methods with stepsize control,
 * J. Comput. Appl. Math. 29 (1990); lanes as processors: Antonana, Makazaga & Murua, IRKGL16, 2022. */
#include "lib/methods/runge_kutta/pirk.h"
#include "groups/num/finite.h"
#include "groups/num/twofold.h"
#include "groups/num/vec3.h"

#include "groups/attitude/coordinates.h"
#include "groups/maps/so3_cay.h"
#include "lib/methods/runge_kutta/rates.h"
#include "lib/methods/widths.h"
#include "lib/systems/form.h"

extern const pirk_kernel lie__pirk_1, lie__pirk_2, lie__pirk_4, lie__pirk_8;
static const pirk_kernel *const kernels[] = {WIDTHS(lie__pirk), &lie__pirk_1};

/* In the work memory, followed by what `r` needs. */
typedef struct pirk {
    pirk_task task;
    stage_kind kind;
    pirk_fn *run;
    double h; /* of the products in the task */
    rates r;
} pirk;

enum { HEAD = (sizeof(pirk) + sizeof(double) - 1) / sizeof(double) };

/* What a callback of the system is asked with. */
typedef struct stage_call {
    const lie_stepper *st;
    const lie_place *at;
    double h;
    lie_status status;
} stage_call;

static pirk *of(const lie_stepper *st)
{
    return (pirk *)st->work;
}

static int doubles(const lie_stepper *st)
{
    return HEAD + rates_doubles(st);
}

/* The element of the group at y. */
static void element(const lie_ops *G, double *g, const double *y)
{
    if (G->size == 4) {
        copy_n(4, g, y);
        return;
    }
    quat_rotation(g, y);
    if (G->size == 12) copy_n(3, g + 9, y + 10);
}

static int call(void *context, int i, double *k, const double *y)
{
    stage_call *c = (stage_call *)context;
    const lie_ops *G = c->st->group;
    double g[12], xi[6], v[3];
    element(G, g, y);
    double part = i < 0 ? 0.0 : c->st->tableau->c[i];
    c->status = rate_of_any(c->st, G, &of(c->st)->r, xi, k + 4, c->at, c->h, part, g, y + 4);
    if (c->status != LIE_OK) return 0;
    quat_rate(k, y, xi);
    if (G->size == 12) {
        mat3_vec(v, g, xi + 3);
        copy_n(3, k + 10, v);
    }
    return 1;
}

static void force(void *context, int stages, pirk_per_stage *F, const pirk_per_stage *Y)
{
    const stage_call *c = (const stage_call *)context;
    const lie_system *sys = c->st->system;
    const lie_ops *G = c->st->group;
    double y[PIRK_LONGEST], g[12], f[6];
    int length = G->size == 12 ? 13 : 7;
    for (int i = 0; i < stages; i++) {
        for (int k = 0; k < length; k++) y[k] = Y[k][i];
        element(G, g, y);
        sys->force(sys, f, g);
        for (int k = 0; k < G->dim; k++) F[k][i] = f[k];
    }
}

/* hA, hb and hc, where h has changed */
static void scale(pirk *w, const lie_tableau *tab, double h)
{
    int s = tab->stages;
    if (h == w->h) return;
    for (int j = 0; j < s; j++) {
        for (int i = 0; i < s; i++) w->task.hA[j * PIRK_STAGES_MAX + i] = h * tab->A[i * s + j];
        w->task.hb[j] = h * tab->b[j];
        w->task.hc[j] = h * tab->c[j];
    }
    w->h = h;
}

/* q + dq, made a unit quaternion; dq becomes what it differs by. False where there is no direction. */
static int to_unit(double dq[4], const double q[4])
{
    double sum[4], n;
    for (int i = 0; i < 4; i++) sum[i] = q[i] + dq[i];
    n = (sum[0] * sum[0] + sum[1] * sum[1]) + (sum[2] * sum[2] + sum[3] * sum[3]);
    double root = sqrt(n), f = (1.0 - n) / (root * (1.0 + root)); /* 1/root - 1 */
    for (int i = 0; i < 4; i++) dq[i] += f * sum[i];
    return n > 0.0 && all_finite(4, dq);
}

/* g turned by conj(q) (q + dq), of unit length: R (R(r) - 1) with r = (1 + a, v), a and v small where dq is */
static void turn(const lie_ops *G, double *g, double *low_g, const double q[4], const double dq[4])
{
    double v[3], qv[3], dR[9];
    double a = (q[0] * dq[0] + q[1] * dq[1]) + (q[2] * dq[2] + q[3] * dq[3]);
    if (G->size == 4) {
        carry_n(4, g, low_g, dq);
        return;
    }
    cross3(qv, q + 1, dq + 1);
    for (int i = 0; i < 3; i++) v[i] = (q[0] * dq[1 + i] - dq[0] * q[1 + i]) - qv[i];
    rotation_change(dR, 2.0 + 2.0 * a, 2.0, v, g);
    carry_n(9, g, low_g, dR);
}

/* The inputs of a vessel do in the stages what does not depend on them. */
static void thrust(const lie_stepper *st, pirk *w, const lie_place *at)
{
    const lie_system *sys = st->system;
    double f[6];
    sys->form->thrust(sys, w->task.first_thrust, control_in(st, at, w->r.u, 0.0));
    for (int i = 0; i < st->tableau->stages; i++) {
        sys->form->thrust(sys, f, control_in(st, at, w->r.u, st->tableau->c[i]));
        for (int k = 0; k < 6; k++) w->task.thrust[k * PIRK_STAGES_MAX + i] = f[k];
    }
}

static lie_status substep(lie_stepper *st, const lie_ops *G, lie_place *at, double h, lie_solve *info)
{
    pirk *w = of(st);
    pirk_task *task = &w->task;
    stage_call c = {st, at, h, LIE_OK};
    (void)info;
    scale(w, st->tableau, h);
    if (G->size == 4)
        copy_n(4, task->y, at->g);
    else
        quat_of_rotation(task->y, at->g);
    copy_n(G->dim, task->y + 4, at->m);
    if (G->size == 12) copy_n(3, task->y + 10, at->g + 9);
    if (w->kind == STAGE_VESSEL && st->system->form->thrust) thrust(st, w, at);
    task->context = &c;
    if (!w->run(task)) return c.status;
    if (!to_unit(task->dy, task->y) || !all_finite(G->dim, task->dy + 4)) return LIE_ERR_NOT_FINITE;
    turn(G, at->g, at->low_g, task->y, task->dy);
    kick(G->dim, at->m, at->low_m, 1.0, task->dy + 4);
    if (G->size == 12) kick(3, at->g + 9, at->low_g + 9, 1.0, task->dy + 10);
    return all_finite(G->dim, at->m) && all_finite(G->size, at->g) ? LIE_OK : LIE_ERR_NOT_FINITE;
}

/* The user may have changed the params of the system since the last run. */
static lie_status run(lie_stepper *st, lie_state *s, double h, long long n)
{
    lie__stage_form(&of(st)->task.form, of(st)->kind, st);
    return run_steps(st, st->group, substep, s, h, n);
}

static lie_status prepare(lie_stepper *st)
{
    pirk *w = of(st);
    int n = st->group->dim, s = st->tableau->stages;
    if ((s != 4 && s != 6 && s != 8) || (n != 3 && n != 6)) return LIE_ERR_METHOD;
    *w = (pirk){.task = {.passes = 2 * s - 1, .call = call, .force = force}};
    rates_prepare(&w->r, st, st->work + HEAD);
    if (w->r.inverse) copy_n(n * n, w->task.inverse, w->r.inverse);
    w->kind = lie__stage_kind(st);
    w->run = kernels[lie__stage_width(s)]->run[(s - 4) / 2][w->kind];
    st->run = run;
    return LIE_OK;
}

const lie_family lie__pirk = {.doubles = doubles, .prepare = prepare, .inverse = 1};
