/* SPDX-License-Identifier: MIT */
/* errors.c: how far a state is from the reference; see contest.h. */
#include <math.h>

#include "contest.h"

/* Relative difference of two vectors, in units of `size`, or of 1 where that is 0 */
static double relative(int n, const double *a, const double *b, double size)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum) / (size > 0.0 ? size : 1.0);
}

static double norm(int n, const double *a)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += a[i] * a[i];
    return sqrt(sum);
}

static double kinetic_energy(const problem *p, const lie_state *s)
{
    double xi[LIE_DIM_MAX], sum = 0.0;
    if (lie_state_velocity(&p->sys, xi, s) != LIE_OK) return NOT_MEASURED;
    for (int i = 0; i < p->sys.group->dim; i++)
        for (int j = 0; p->sys.inertia && j < p->sys.group->dim; j++)
            sum += 0.5 * xi[i] * p->sys.inertia[p->sys.group->dim * i + j] * xi[j];
    return sum;
}

errors errors_of(const problem *p, const reference *r, int k, const lie_state *s)
{
    reference_state found;
    lie_state truth;
    double J[LIE_DIM_MAX], J_true[LIE_DIM_MAX], J_start[LIE_DIM_MAX], E = NOT_MEASURED, E_true = NOT_MEASURED;
    int n = p->sys.group->dim, angular = r->model.length == 13 ? 3 : n;
    reference_start(&r->model, &found, s);
    reference_distance d = reference_compare(&r->model, &r->at[k], &found);
    reference_round(&r->model, &truth, &r->at[k]);
    lie_state_spatial_momentum(&p->sys, J, s);
    lie_state_spatial_momentum(&p->sys, J_true, &truth);
    lie_state_spatial_momentum(&p->sys, J_start, &p->start);
    (void)lie_state_energy(&p->sys, &E, s);
    (void)lie_state_energy(&p->sys, &E_true, &truth);
    double kinetic = kinetic_energy(p, &p->start);
    errors e = {.attitude = r->model.attitude ? d.attitude : NOT_MEASURED,
                .position = r->model.position >= 0 ? d.position : NOT_MEASURED};
    e.momentum = relative(angular, J, J_true, norm(angular, J_start));
    if (n > angular)
        e.momentum = fmax(e.momentum,
                          relative(n - angular, J + angular, J_true + angular, norm(n - angular, J_start + angular)));
    e.energy = fabs(E - E_true) / (kinetic > 0.0 ? kinetic : 1.0);
    return e;
}

double errors_main(const reference *r, const errors *e)
{
    return r->model.attitude ? e->attitude : e->position;
}
