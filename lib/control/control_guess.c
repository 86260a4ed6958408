/* SPDX-License-Identifier: MIT */
/* control_guess.c: first guesses of the optimal control solver: straight lines, those of the user, bent ones; see
 * liestep/control.h. */
#include "lib/control/control.h"

#include <math.h>

/* Sizes of the inputs that matter: the width between bounds, or what moves the system along the first guess. */
static void fill_ranges(lie_control_work *w)
{
    double B = 0.0, typical;
    for (int i = 0; i < w->n * w->m; i++) B = fmax(B, fabs(w->B[i]));
    typical = 4.0 * w->now.size_momentum / (B * w->N * w->h);
    for (int i = 0; i < w->m; i++) {
        double width = w->upper[i] - w->lower[i];
        w->range[i] = width < HUGE_VAL ? width : typical > 0.0 && typical < HUGE_VAL ? typical : 1.0;
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
static lie_status go_round(const lie_control_work *w, double *x)
{
    int r = rotation_numbers(w->line), n = w->n;
    double angle = 0.0, axis[CONTROL_DIM] = {0.0}, rest[CONTROL_DIM] = {0.0};
    for (int i = 0; i < r; i++) angle += x[i] * x[i];
    angle = sqrt(angle);
    if (r == 0 || !(angle > 1e-6)) return LIE_ERR_DOMAIN;
    for (int i = 0; i < n; i++) *(i < r ? &axis[i] : &rest[i]) = x[i];
    lie_status status = w->line->dtau(w->line, rest, axis, rest);
    for (int i = 0; i < r; i++) axis[i] *= 1.0 - 2.0 * acos(-1.0) / angle;
    if (status == LIE_OK) status = w->line->dtauinv(w->line, rest, axis, rest);
    for (int i = 0; i < n && status == LIE_OK; i++) x[i] = i < r ? axis[i] : rest[i];
    return status;
}

/* xi_k along exp(x s(t)), s = 3 t^2 - 2 t^3 */
static lie_status fill_line(lie_control_work *w, const double *x)
{
    double part[CONTROL_DIM], g[LIE_SIZE_MAX], before = 0.0;
    for (int k = 0; k < w->N; k++) {
        double t = (k + 1.0) / w->N, s = (3.0 - 2.0 * t) * t * t;
        for (int i = 0; i < w->n; i++) part[i] = (s - before) * x[i];
        lie_status status = w->line->tau(w->line, g, part);
        if (status == LIE_OK) status = w->G->tauinv(w->G, part, g);
        if (status != LIE_OK) return status;
        for (int i = 0; i < w->n; i++) w->now.xi[k * w->n + i] = part[i] / w->h;
        before = s;
    }
    return LIE_OK;
}

lie_status lie_control_line(lie_control *c, int way)
{
    lie_control_work *w = &c->work;
    const lie_ops *G = w->G;
    double d[LIE_SIZE_MAX], x[CONTROL_DIM];
    G->inv(G, d, w->g0);
    G->mul(G, d, d, w->asked);
    if (w->line->tauinv(w->line, x, d) != LIE_OK) return LIE_ERR_GUESS;
    if (way && go_round(w, x) != LIE_OK) return LIE_ERR_DOMAIN;
    if (fill_line(w, x) != LIE_OK) return LIE_ERR_GUESS;
    int antipode = way && strcmp(first_factor(G)->group, "S3") == 0;
    for (int i = 0; i < w->size; i++) w->gT[i] = antipode && i < 4 ? -w->asked[i] : w->asked[i];
    lie__control_begin(w, &w->now);
    zero_n((w->N + 1) * w->m, w->now.u);
    w->warm = 0;
    if (lie__control_evaluate(w, &w->now) != LIE_OK) return LIE_ERR_GUESS;
    fill_ranges(w);
    lie__control_weigh(w, 1.0);
    lie__control_publish(c);
    return LIE_OK;
}

lie_status lie_control_set(lie_control *c, const double *xi, const double *u)
{
    lie_control_work *w = &c->work;
    int count = w->actuation->count;
    if (!all_finite(w->N * w->n, xi) || (u && !all_finite((w->N + 1) * count, u))) return LIE_ERR_GUESS;
    copy_n(w->N * w->n, w->trial.xi, xi);
    for (int j = 0; j < (w->N + 1) * w->m; j++) {
        int i = j % w->m, back = i >= count;
        double value = u ? u[j / w->m * count + i % count] : 0.0;
        w->trial.u[j] = w->split ? fmax(back ? -value : value, 0.0) : value;
    }
    lie__control_begin(w, &w->trial);
    if (lie__control_evaluate(w, &w->trial) != LIE_OK) return LIE_ERR_GUESS;
    control_path held = w->now;
    w->now = w->trial, w->trial = held;
    w->warm = 0;
    lie__control_publish(c);
    return LIE_OK;
}

lie_status lie_control_bend(lie_control *c, double size, int seed)
{
    lie_control_work *w = &c->work;
    double most = w->now.size_velocity > 0.0 ? w->now.size_velocity : 1.0;
    for (int k = 0; k < w->N; k++)
        for (int i = 0; i < w->n; i++) {
            double t = acos(-1.0) * (k + 0.5) / w->N, a = sin(12.9898 * seed + 78.233 * i),
                   b = sin(39.425 * seed + 11.135 * i);
            w->now.xi[k * w->n + i] += size * most * (a * sin(2.0 * t) + 0.5 * b * sin(4.0 * t));
        }
    w->warm = 0;
    lie_status status = lie__control_evaluate(w, &w->now) == LIE_OK ? LIE_OK : LIE_ERR_GUESS;
    lie__control_publish(c);
    return status;
}
