/* SPDX-License-Identifier: MIT */
/* feedback.c: steps with a controller in the loop; see feedback.h. Implicit: u+ <- controller(end of the step with u+),
 * until u+ stagnates; the force at the end joins m+ with the weight h/2, so that the iteration contracts by h/2 times
 * the gain over the inertia. Each iteration takes the step again from the same state and memory. */
#include <liestep/feedback.h>

#include <math.h>

#include "groups/num/finite.h"
#include "lib/methods/stepping.h"

enum { ITERATIONS = 60 };

typedef struct loop {
    lie_stepper *st;
    double h;
    lie_controller *controller;
    void *ctx;
    double u[2][LIE_FEEDBACK_INPUTS];
} loop;

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static lie_status ask(loop *L, double *u, const lie_state *s)
{
    const lie_system *sys = L->st->system;
    double xi[LIE_DIM_MAX];
    lie_status status = lie_state_velocity(sys, xi, s);
    if (status == LIE_OK) status = L->controller(L->ctx, u, sys, s->t, lie_state_g(s), xi);
    if (status != LIE_OK) return status;
    return all_finite(sys->controls, u) ? LIE_OK : LIE_ERR_NOT_FINITE;
}

static lie_status step_held(loop *L, lie_state *s)
{
    lie_status status = ask(L, L->u[0], s);
    copy_n(L->st->system->controls, L->u[1], L->u[0]);
    return status == LIE_OK ? lie_step(L->st, s, L->h) : status;
}

static lie_status step_implicit(loop *L, lie_state *s)
{
    double memory[LIE_MEMORY_MAX], next[LIE_FEEDBACK_INPUTS], last = HUGE_VAL;
    int m = L->st->system->controls;
    lie_status status = ask(L, L->u[0], s);
    copy_n(m, L->u[1], L->u[0]);
    lie_stepper_memory_get(L->st, memory);
    for (int k = 0; k < ITERATIONS && status == LIE_OK; k++) {
        lie_large_state room;
        lie_state *end = state_in(L->st->group, &room, s);
        double change = 0.0, size = 0.0;
        lie_stepper_memory_set(L->st, memory);
        status = lie_step(L->st, end, L->h);
        if (status == LIE_OK) status = ask(L, next, end);
        if (status != LIE_OK) return status;
        for (int i = 0; i < m; i++) {
            change = larger(change, fabs(next[i] - L->u[1][i]));
            size = larger(size, fabs(next[i]));
        }
        if (change == 0.0 || (change >= last && change <= 1e-12 * size)) {
            state_copy_body(L->st->group, s, end);
            return LIE_OK;
        }
        copy_n(m, L->u[1], next);
        last = change;
    }
    return status == LIE_OK ? LIE_ERR_NO_CONVERGENCE : status;
}

lie_status lie_feedback_run(lie_stepper *st, lie_state *s, double h, long long n, lie_feedback_kind kind,
                            lie_controller *controller, void *ctx)
{
    loop L = {.st = st, .h = h, .controller = controller, .ctx = ctx};
    lie_status status = state_fits(st->group, s) ? LIE_OK : LIE_ERR_SIZE;
    if (status != LIE_OK) return status;
    if (st->system->controls < 1 || st->system->controls > LIE_FEEDBACK_INPUTS) return LIE_ERR_SIZE;
    lie_stepper_control(st, L.u[0], L.u[1]);
    for (long long k = 0; k < n && status == LIE_OK; k++)
        status = kind == LIE_FEEDBACK_HOLD ? step_held(&L, s) : step_implicit(&L, s);
    lie_stepper_control(st, 0, 0);
    return status;
}
