/* SPDX-License-Identifier: MIT */
/* vprk_gyrostat.c: truncated VPRK with the tableau of sv, with cay on SO3 or S3, for a body whose frame turns or which
 * carries wheels: satellite and turntable. Three equations (gyrostat.h) for the six of vprk.c, with the same solution
 * and a tenth of the time; where they do not find it the step goes the long way.
 *
 * Preserves: the symplectic form; self-adjoint. Cost: two or three passes of Newton's method with a 3 x 3 Jacobian. */
#include <liestep/s3.h>
#include <liestep/so3.h>

#include "lib/methods/variational/vprk.h"
#include "lib/methods/variational/vprk_gyrostat.h"

/* Where it finds a step, psi is what the long way would have found: the tangent asks for it. */
static int short_substep(vprk *w, lie_place *at, double h, lie_solve *info)
{
    gyrostat_place p;
    double c[3], a[3], k = 0.5 * h;
    int passes, size = w->st->group->size;
    gyrostat_at(&p, &w->body, size, at->g);
    copy_n(3, a, p.a);
    if (!gyrostat_step(&w->body, &p, size, k, at->g, at->low_g, at->m, at->low_m, c, 1, info->cap, &passes)) return 0;
    info->iterations += passes;
    for (int i = 0; i < 3; i++) {
        double mean = c[i] / k, swing = 0.5 * w->body.n * (a[i] - p.a[i]);
        w->psi[i] = mean - swing, w->psi[3 + i] = mean + swing, w->theta[i] = 2.0 * c[i];
    }
    return 1;
}

static lie_status substep(lie_stepper *st, const lie_ops *G, lie_place *at, double h, lie_solve *info)
{
    vprk *w = (vprk *)st->work;
    w->st = st;
    w->at = at;
    if (short_substep(w, at, h, info)) return all_finite(3, at->m) ? LIE_OK : LIE_ERR_NOT_FINITE;
    return lie__vprk_substep(st, G, at, h, info);
}

/* The parameters of the system may have changed since the last run. */
static void refresh(lie_stepper *st)
{
    lie__gyrostat_now(&((vprk *)st->work)->body, st->system);
}

lie_status lie__vprk_gyrostat_substep(lie_stepper *st, const lie_ops *G, lie_place *at, double h, lie_solve *info)
{
    refresh(st);
    return substep(st, G, at, h, info);
}

static lie_status run(lie_stepper *st, lie_state *s, double h, long long n)
{
    refresh(st);
    return run_or_follow(st, st->group, take_steps, substep, s, h, n);
}

/* With cay, tableau (0, 1), (1/2, 1/2) with the end of the step as its second stage */
void lie__vprk_gyrostat_prepare(lie_stepper *st)
{
    vprk *w = (vprk *)st->work;
    const lie_tableau *tab = st->tableau;
    if (st->group != &lie_s3_cay_ops && st->group != &lie_so3_cay_ops) return;
    if (tab->stages != 2 || tab->c[0] != 0.0 || tab->A[0] != 0.0 || tab->A[1] != 0.0) return;
    if (tab->A[2] != 0.5 || tab->A[3] != 0.5 || tab->b[0] != 0.5 || tab->b[1] != 0.5) return;
    w->is_short = lie__gyrostat_of(&w->body, st->system);
    if (w->is_short) st->run = run;
}

const gyrostat *lie__vprk_gyrostat(const lie_stepper *st)
{
    const vprk *w = (const vprk *)st->work;
    return w->is_short ? &w->body : 0;
}
