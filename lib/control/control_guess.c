/* SPDX-License-Identifier: MIT */
/* control_guess.c: first guesses of the optimal control solver: straight lines, those of the user, bent ones; see
 * liestep/control.h. */
#include "groups/num/finite.h"
#include "lib/control/control.h"

#include <math.h>

/* Sizes of the inputs that matter: the width between bounds, or what moves the system along the first guess. */
static void fill_ranges(lie_control *c)
{
    control_problem *P = &c->problem;
    double B = 0.0, typical;
    for (int i = 0; i < P->n * P->m; i++) B = fmax(B, fabs(P->inputs.B[i]));
    typical = 4.0 * c->iterate.now.size_momentum / (B * P->N * P->h);
    for (int i = 0; i < P->m; i++) {
        double width = P->inputs.upper[i] - P->inputs.lower[i];
        P->inputs.range[i] = width < HUGE_VAL ? width : typical > 0.0 && typical < HUGE_VAL ? typical : 1.0;
    }
}

static const lie_ops *first_factor(const lie_ops *G)
{
    while (strcmp(G->group, "product") == 0) G = ((const lie_product *)G->ctx)->factor[0];
    return G;
}

/* The group that turns, of which the rotation comes first: its angle is the norm of this many numbers; 0: none. */
static int rotation_numbers(const lie_ops *G)
{
    G = first_factor(G);
    if (strcmp(G->group, "SE2") == 0) return 1;
    return strcmp(G->group, "SO3") == 0 || strcmp(G->group, "S3") == 0 || strcmp(G->group, "SE3") == 0 ? 3 : 0;
}

/* x <- the logarithm of the same element with the rotation the other way round. The translation t = dtau_(w,0) (0, v)
 * is that of the group; on S3 the end is the antipode. */
static lie_status go_round(const control_problem *P, double *x)
{
    int r = rotation_numbers(P->line), n = P->n;
    double angle = 0.0, axis[CONTROL_DIM] = {0.0}, rest[CONTROL_DIM] = {0.0};
    for (int i = 0; i < r; i++) angle += x[i] * x[i];
    angle = sqrt(angle);
    if (r == 0 || !(angle > 1e-6)) return LIE_ERR_DOMAIN;
    for (int i = 0; i < n; i++) *(i < r ? &axis[i] : &rest[i]) = x[i];
    lie_status status = P->line->dtau(P->line, rest, axis, rest);
    for (int i = 0; i < r; i++) axis[i] *= 1.0 - 2.0 * acos(-1.0) / angle;
    if (status == LIE_OK) status = P->line->dtauinv(P->line, rest, axis, rest);
    for (int i = 0; i < n && status == LIE_OK; i++) x[i] = i < r ? axis[i] : rest[i];
    return status;
}

/* xi_k along exp(x s(t)), s = 3 t^2 - 2 t^3 */
static lie_status fill_line(lie_control *c, const double *x)
{
    const control_problem *P = &c->problem;
    double part[CONTROL_DIM], g[LIE_SIZE_MAX], before = 0.0;
    for (int k = 0; k < P->N; k++) {
        double t = (k + 1.0) / P->N, s = (3.0 - 2.0 * t) * t * t;
        for (int i = 0; i < P->n; i++) part[i] = (s - before) * x[i];
        lie_status status = P->line->tau(P->line, g, part);
        if (status == LIE_OK) status = P->G->tauinv(P->G, part, g);
        if (status != LIE_OK) return status;
        for (int i = 0; i < P->n; i++) c->iterate.now.xi[k * P->n + i] = part[i] / P->h;
        before = s;
    }
    return LIE_OK;
}

lie_status lie_control_line(lie_control *c, int way)
{
    control_problem *P = &c->problem;
    const lie_ops *G = P->G;
    double d[LIE_SIZE_MAX], x[CONTROL_DIM];
    G->inv(G, d, P->ends.g0);
    G->mul(G, d, d, P->ends.target);
    if (P->line->tauinv(P->line, x, d) != LIE_OK) return LIE_ERR_GUESS;
    if (way && go_round(P, x) != LIE_OK) return LIE_ERR_DOMAIN;
    if (fill_line(c, x) != LIE_OK) return LIE_ERR_GUESS;
    int antipode = way && strcmp(first_factor(G)->group, "S3") == 0;
    for (int i = 0; i < P->size; i++) P->ends.aim[i] = antipode && i < 4 ? -P->ends.target[i] : P->ends.target[i];
    lie__control_begin(P, &c->iterate.now);
    zero_n((P->N + 1) * P->m, c->iterate.now.u);
    c->iterate.warm = 0;
    if (lie__control_evaluate(P, &c->iterate.now) != LIE_OK) return LIE_ERR_GUESS;
    fill_ranges(c);
    lie__control_weigh(P, 1.0);
    lie__control_publish(c);
    return LIE_OK;
}

lie_status lie_control_set(lie_control *c, const double *xi, const double *u)
{
    const control_problem *P = &c->problem;
    int count = P->actuation->count;
    if (!all_finite(P->N * P->n, xi) || (u && !all_finite((P->N + 1) * count, u))) return LIE_ERR_GUESS;
    copy_n(P->N * P->n, c->iterate.trial.xi, xi);
    for (int j = 0; j < (P->N + 1) * P->m; j++) {
        int i = j % P->m, back = i >= count;
        double value = u ? u[j / P->m * count + i % count] : 0.0;
        c->iterate.trial.u[j] = P->inputs.split ? fmax(back ? -value : value, 0.0) : value;
    }
    lie__control_begin(P, &c->iterate.trial);
    if (lie__control_evaluate(P, &c->iterate.trial) != LIE_OK) return LIE_ERR_GUESS;
    control_path held = c->iterate.now;
    c->iterate.now = c->iterate.trial, c->iterate.trial = held;
    c->iterate.warm = 0;
    lie__control_publish(c);
    return LIE_OK;
}

lie_status lie_control_bend(lie_control *c, double size, int seed)
{
    const control_problem *P = &c->problem;
    double most = c->iterate.now.size_velocity > 0.0 ? c->iterate.now.size_velocity : 1.0;
    for (int k = 0; k < P->N; k++)
        for (int i = 0; i < P->n; i++) {
            double t = acos(-1.0) * (k + 0.5) / P->N, a = sin(12.9898 * seed + 78.233 * i),
                   b = sin(39.425 * seed + 11.135 * i);
            c->iterate.now.xi[k * P->n + i] += size * most * (a * sin(2.0 * t) + 0.5 * b * sin(4.0 * t));
        }
    c->iterate.warm = 0;
    lie_status status = lie__control_evaluate(P, &c->iterate.now) == LIE_OK ? LIE_OK : LIE_ERR_GUESS;
    lie__control_publish(c);
    return status;
}
