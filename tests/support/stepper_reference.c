/* SPDX-License-Identifier: MIT */
/* stepper_reference.c: what the steppers are compared with, and how; see stepper_cases.h. Written from the operations
 * of the group and the right-hand side of the system alone. */
#include "tests/support/stepper_cases.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "unity.h"

enum { ROWS = 8 };

/* z = (theta, m) in the chart at g, theta' = dtauinv_{-theta} xi, m' = ad* m + F + f. */

static void chart_rate(const lie_system *sys, double *rate, double t, const double *g, const double *z, const double *u)
{
    const lie_ops *G = sys->group;
    double at[CASE_SIZE], xi[CASE_DIM], minus[CASE_DIM];
    int n = G->dim;
    TEST_ASSERT_EQUAL(LIE_OK, G->tau(G, at, z));
    G->mul(G, at, g, at);
    TEST_ASSERT_EQUAL(LIE_OK, lie_system_velocity(sys, xi, at, z + n));
    lie_system_momentum_rate(sys, rate + n, t, at, xi, u);
    for (int i = 0; i < n; i++) minus[i] = -z[i];
    TEST_ASSERT_EQUAL(LIE_OK, G->dtauinv(G, rate, minus, xi));
}

/* z(t + H) by `steps` (even) steps of the explicit midpoint rule, without the last smoothing */
static void gragg(const lie_system *sys, double *z, double t, const double *g, double H, int steps, const double *u)
{
    double before[2 * CASE_DIM], rate[2 * CASE_DIM], h = H / steps;
    int n2 = 2 * sys->group->dim;
    memcpy(before, z, (size_t)n2 * sizeof *z);
    chart_rate(sys, rate, t, g, z, u);
    for (int i = 0; i < n2; i++) z[i] += h * rate[i];
    for (int k = 1; k < steps; k++) {
        chart_rate(sys, rate, t + k * h, g, z, u);
        for (int i = 0; i < n2; i++) {
            double next = before[i] + 2.0 * h * rate[i];
            before[i] = z[i];
            z[i] = next;
        }
    }
}

/* Aitken-Neville in h^2, step numbers 2, 4, ..., 2 ROWS; one chart */
static void extrapolated(lie_state *s, const lie_system *sys, double H, const double *u)
{
    const lie_ops *G = sys->group;
    double T[ROWS][2 * CASE_DIM], dg[CASE_SIZE];
    int n = G->dim;
    for (int r = 0; r < ROWS; r++) {
        for (int i = 0; i < n; i++) T[r][i] = 0.0, T[r][n + i] = s->m[i];
        gragg(sys, T[r], s->t, s->g, H, 2 * (r + 1), u);
        for (int k = r - 1; k >= 0; k--) { /* T[k] holds the entry r - 1 - k columns further on */
            double ratio = (double)(r + 1) / (k + 1);
            for (int i = 0; i < 2 * n; i++) T[k][i] = T[k + 1][i] + (T[k + 1][i] - T[k][i]) / (ratio * ratio - 1.0);
        }
    }
    TEST_ASSERT_EQUAL(LIE_OK, G->tau(G, dg, T[0]));
    G->mul(G, s->g, s->g, dg);
    memcpy(s->m, T[0] + n, (size_t)n * sizeof *s->m);
    s->t += H;
}

void case_reference(lie_state *s, const lie_system *sys, double T, int pieces, const double *u)
{
    for (int k = 0; k < pieces; k++) extrapolated(s, sys, T / pieces, u);
}

void case_rk4_step(lie_state *s, const lie_system *sys, double h)
{
    static const double node[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    const lie_ops *G = sys->group;
    double z[2 * CASE_DIM], rate[2 * CASE_DIM] = {0.0}, sum[2 * CASE_DIM] = {0.0}, dg[CASE_SIZE];
    int n = G->dim;
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < 2 * n; i++) z[i] = (i < n ? 0.0 : s->m[i - n]) + h * node[k] * rate[i];
        chart_rate(sys, rate, s->t + node[k] * h, s->g, z, NULL);
        for (int i = 0; i < 2 * n; i++) sum[i] += h * weight[k] * rate[i];
    }
    TEST_ASSERT_EQUAL(LIE_OK, G->tau(G, dg, sum));
    G->mul(G, s->g, s->g, dg);
    for (int i = 0; i < n; i++) s->m[i] += sum[n + i];
    s->t += h;
}

double case_distance(const lie_ops *G, const lie_state *a, const lie_state *b)
{
    double d2 = 0.0;
    for (int i = 0; i < G->size; i++) {
        double d = a->g[i] - b->g[i] + (a->low_g[i] - b->low_g[i]);
        d2 += d * d;
    }
    for (int i = 0; i < G->dim; i++) {
        double d = a->m[i] - b->m[i] + (a->low_m[i] - b->low_m[i]);
        d2 += d * d;
    }
    return sqrt(d2);
}

void case_note(case_worst *w, double value, const case_method *m, const case_group *c)
{
    if (value <= w->value) return;
    w->value = value >= 0.0 ? value : HUGE_VAL;
    snprintf(w->what, sizeof w->what, "%s on %s: %.3g", m->name, c->name, value);
}
