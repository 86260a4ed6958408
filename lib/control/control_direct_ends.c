/* SPDX-License-Identifier: MIT */
/* control_direct_ends.c: costs and conditions at the ends of the optimal control problem as a nonlinear program; see
 * control_direct.h. */
#include "lib/control/control_direct.h"

#include <math.h>

/* g = r_k line(eta), and zeta (may be null) of eta */
static lie_status pose_at(const control_problem *P, double *g, double *zeta, const double *reference, int k,
                          const double *eta)
{
    double minus[CONTROL_DIM];
    lie_status status = P->line->tau(P->line, g, eta);
    if (status != LIE_OK) return status;
    P->G->mul(P->G, g, reference + k * P->size, g);
    for (int i = 0; i < P->n; i++) minus[i] = -eta[i];
    return zeta ? lie_ops_tangent_matrix(P->line, P->line->dtau, zeta, minus) : LIE_OK;
}

/* out (n) += factor zeta^T v */
static void pull_back(int n, double *out, double factor, const double *zeta, const double *v)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) out[j] += factor * v[i] * zeta[i * n + j];
}

/* The user's running cost at one end of the interval, times h/2 */
static double user_end(const control_problem *P, int k, int late, const double *reference, const double *v,
                       double *gradient)
{
    int n = P->n, m = P->m, last = direct_columns(P) - 1, pose = late ? 3 * n + 2 * m : 0;
    int input = 3 * n + (late ? m : 0), at = k + late;
    double h = v[last] / P->N, g[LIE_SIZE_MAX], zeta[CONTROL_SQUARE], slope[CONTROL_USER + 1];
    if (pose_at(P, g, gradient ? zeta : 0, reference, at, v + pose) != LIE_OK) return (double)NAN;
    double value = lie__control_end_cost(P, gradient ? slope : 0, 0, at * h, g, v + 2 * n, v + input);
    if (!gradient) return 0.5 * h * value;
    pull_back(n, gradient + pose, 0.5 * h, zeta, slope);
    for (int i = 0; i < n; i++) gradient[2 * n + i] += 0.5 * h * slope[n + i];
    for (int i = 0; i < m; i++) gradient[input + i] += 0.5 * h * slope[2 * n + i];
    gradient[last] += 0.5 * (value + h * at * slope[2 * n + m]) / P->N;
    return 0.5 * h * value;
}

static double terminal(const control_problem *P, const double *reference, const double *v, double *gradient)
{
    int n = P->n, last = direct_columns(P) - 1, pose = 3 * n + 2 * P->m;
    double g[LIE_SIZE_MAX], zeta[CONTROL_SQUARE], slope[CONTROL_STATE + 1];
    if (pose_at(P, g, gradient ? zeta : 0, reference, P->N, v + pose) != LIE_OK) return (double)NAN;
    double value = lie__control_terminal_cost(P, gradient ? slope : 0, 0, v[last], g, v + pose + n);
    if (!gradient) return value;
    pull_back(n, gradient + pose, 1.0, zeta, slope);
    for (int i = 0; i < n; i++) gradient[pose + n + i] += slope[n + i];
    gradient[last] += slope[2 * n];
    return value;
}

double lie__control_direct_cost(const control_problem *P, int k, const double *reference, const double *v,
                                double *gradient)
{
    int n = P->n, m = P->m, last = direct_columns(P) - 1, at_end = k == P->N - 1;
    double h = v[last] / P->N, sum = 0.0;
    if (gradient) zero_n(last + 1, gradient);
    for (int i = 0; i < 2 * m; i++) {
        double u = v[3 * n + i], weight = P->inputs.weight[i % m], fuel = P->inputs.fuel[i % m];
        sum += (0.5 * weight * u + fuel) * u;
        if (gradient) gradient[3 * n + i] = 0.5 * h * (weight * u + fuel);
    }
    if (gradient) gradient[last] = 0.5 * sum / P->N + (at_end ? P->asked->time_weight : 0.0);
    sum *= 0.5 * h;
    if (at_end) sum += P->asked->time_weight * v[last];
    for (int late = 0; late < 2 && direct_tied(P); late++) sum += user_end(P, k, late, reference, v, gradient);
    if (at_end && P->cost && P->cost->terminal) sum += terminal(P, reference, v, gradient);
    return sum;
}

/* Which velocities an end has equations for; of the start only where not all of it is fixed by bounds */
static int list_velocities(const control_problem *P, int late, int *out)
{
    int count = 0;
    if (late) {
        for (int r = 0; r < P->ends.fixed; r++)
            if (P->ends.row[r] >= P->n) out[count++] = P->ends.row[r] - P->n;
        return count;
    }
    for (int i = 0; i < P->n && !direct_start_is_fixed(P); i++) {
        int free = 0;
        for (int j = 0; j < P->ends.starts; j++) free |= P->ends.start[j] == P->n + i;
        if (!free) out[count++] = i;
    }
    return count;
}

/* The set, with derivatives in (eta, nu) */
static void put_set(const control_problem *P, const lie_control_states *set, int late, const double *reference,
                    const double *node, double *r, double *J)
{
    double g[LIE_SIZE_MAX], zeta[CONTROL_SQUARE], xi[CONTROL_DIM], D[CONTROL_STATE * CONTROL_STATE];
    int n = P->n, s = 2 * n;
    if (pose_at(P, g, zeta, reference, late ? P->N : 0, node) != LIE_OK) {
        for (int i = 0; i < set->count; i++) r[i] = (double)NAN;
        return;
    }
    for (int i = 0; i < n; i++) {
        xi[i] = 0.0;
        for (int j = 0; j < n; j++) xi[i] += P->inertia_inverse[i * n + j] * node[n + j];
    }
    set->value(set->ctx, r, J ? D : 0, g, xi);
    for (int i = 0; J && i < set->count; i++) {
        zero_n(s, J + i * s);
        pull_back(n, J + i * s, 1.0, zeta, D + i * s);
        pull_back(n, J + i * s + n, 1.0, P->inertia_inverse, D + i * s + n);
    }
}

int lie__control_direct_end(const control_problem *P, int late, const double *reference, const double *node, double *r,
                            double *J)
{
    const lie_control_states *set = late ? P->asked->target_set : P->asked->start_set;
    int n = P->n, s = 2 * n, asked[CONTROL_DIM], count = list_velocities(P, late, asked);
    for (int i = 0; i < count; i++) {
        double row[CONTROL_DIM];
        lie__control_velocity_row(P, row, asked[i]);
        double sum = late ? -P->ends.xiT[asked[i]] : 0.0;
        for (int j = 0; j < n; j++) sum += row[j] * (late ? node[n + j] : node[n + j] - P->ends.nu0[j]);
        if (r) r[i] = sum;
        if (!J) continue;
        zero_n(n, J + i * s);
        copy_n(n, J + i * s + n, row);
    }
    if (!set) return count;
    if (r) put_set(P, set, late, reference, node, r + count, J ? J + count * s : 0);
    return count + set->count;
}
