/* SPDX-License-Identifier: MIT */
/* control_barrier.c: bounds on the inputs by a primal-dual barrier; see control_barrier.h. The problem with parameter
 * mu has the multipliers z = mu / gap of the bounds; they are unknowns of their own, so that Newton's method converges
 * where gaps close. Cost: O(N m) each. */
#include "lib/control/control_barrier.h"

#include <math.h>

#define FIRST_BARRIER 0.1
#define BOUNDARY 0.995

/* The lower (0) or upper (1) bound of input i, and which of its multipliers are meant */
typedef struct bound {
    double at, sign; /* u - at, or at - u, is the gap */
    double *z, *next;
} bound;

static bound bound_of(const control_problem *P, const control_barrier *b, int side, int j)
{
    int i = j % P->m;
    if (side == 0) return (bound){P->inputs.lower[i], 1.0, b->low_z + j, b->low_z_next + j};
    return (bound){P->inputs.upper[i], -1.0, b->up_z + j, b->up_z_next + j};
}

double lie__barrier_cost(const control_problem *P, const control_barrier *b, int k, const double *u)
{
    const control_inputs *in = &P->inputs;
    double sum = 0.0;
    for (int i = 0; i < P->m; i++) {
        double mu = barrier_of(P, b, i);
        if (in->lower[i] > -HUGE_VAL) sum -= mu * log(u[i] - in->lower[i]);
        if (in->upper[i] < HUGE_VAL) sum -= mu * log(in->upper[i] - u[i]);
    }
    return node_weight(P, k) * sum;
}

void lie__barrier_begin(const control_problem *P, control_barrier *b, double *u, int warm)
{
    const control_inputs *in = &P->inputs;
    b->parameter = !in->bounded ? 0.0 : warm ? FIRST_BARRIER * FIRST_BARRIER : FIRST_BARRIER;
    for (int j = 0; in->bounded && j < (P->N + 1) * P->m; j++) {
        int i = j % P->m;
        double inside = 0.05 * in->range[i];
        if (in->lower[i] > -HUGE_VAL) u[j] = fmax(u[j], in->lower[i] + inside);
        if (in->upper[i] < HUGE_VAL) u[j] = fmin(u[j], in->upper[i] - inside);
        b->low_z[j] = in->lower[i] > -HUGE_VAL ? barrier_of(P, b, i) / (u[j] - in->lower[i]) : 0.0;
        b->up_z[j] = in->upper[i] < HUGE_VAL ? barrier_of(P, b, i) / (in->upper[i] - u[j]) : 0.0;
    }
}

void lie__barrier_steps(const control_problem *P, const control_barrier *b, const double *u, const double *du,
                        double *most_u, double *most_z)
{
    *most_u = *most_z = 1.0;
    for (int j = 0; P->inputs.bounded && j < (P->N + 1) * P->m; j++)
        for (int side = 0; side < 2; side++) {
            bound s = bound_of(P, b, side, j);
            double gap = s.sign * (u[j] - s.at), closing = -s.sign * du[j];
            if (fabs(s.at) == HUGE_VAL) continue;
            *s.next = (barrier_of(P, b, j % P->m) + *s.z * closing) / gap;
            if (closing * *most_u > BOUNDARY * gap) *most_u = BOUNDARY * gap / closing;
            if ((*s.z - *s.next) * *most_z > BOUNDARY * *s.z) *most_z = BOUNDARY * *s.z / (*s.z - *s.next);
        }
}

void lie__barrier_update(const control_problem *P, control_barrier *b, const double *u, double step)
{
    for (int j = 0; P->inputs.bounded && j < (P->N + 1) * P->m; j++)
        for (int side = 0; side < 2; side++) {
            bound s = bound_of(P, b, side, j);
            if (fabs(s.at) == HUGE_VAL) continue;
            double central = barrier_of(P, b, j % P->m) / fabs(u[j] - s.at);
            *s.z += step * (*s.next - *s.z);
            *s.z = fmin(fmax(*s.z, 1e-10 * central), 1e10 * central);
        }
}

int lie__barrier_lower(const control_problem *P, control_barrier *b, double residual)
{
    if (!lie__barrier_is_high(P, b) || residual > 10.0 * b->parameter) return 0;
    b->parameter = fmax(LAST_BARRIER, fmin(0.2 * b->parameter, pow(b->parameter, 1.5)));
    return 1;
}
