/* SPDX-License-Identifier: MIT */
/* A point mass moved with the least effort: the cubic spline, and where it is bent by a potential.
 *
 *     minimise 1/2 int |u|^2 dt,     x'' = -grad V(x) + u     on R^2, from (x0, v0) to (x1, v1)
 *
 * With V = 0 the continuous answer is the cubic with these ends; the discrete one has vanishing fourth differences and
 * inputs that are linear in time, exactly, and the table shows how it tends to the cubic. With a potential the inputs
 * help the motion over the hill instead of holding a straight line. Usage: control_spline [FILE.csv]
 *
 * Reference: Jimenez, thesis, 2012, Example 5.1.6 (with its equation (5.19) corrected). */
#include <liestep/liestep.h>

#include <math.h>
#include <stdio.h>

enum { WORK = 100000 };

static double work[WORK];
static const double x0[2] = {0.0, 0.0}, x1[2] = {2.0, 1.0}, v0[2] = {0.5, -0.5}, v1[2] = {0.0, 1.0},
                    mass[4] = {1, 0, 0, 1};

#define DURATION 2.0

/* a hill, V = 2 exp(-|x - (1, 0.5)|^2 / 0.5) */
static double hill(const lie_system *sys, const double *x)
{
    double a = x[0] - 1.0, b = x[1] - 0.5;
    (void)sys;
    return 2.0 * exp(-2.0 * (a * a + b * b));
}

static void hill_force(const lie_system *sys, double *F, const double *x)
{
    double V = hill(sys, x);
    F[0] = 4.0 * (x[0] - 1.0) * V;
    F[1] = 4.0 * (x[1] - 0.5) * V;
}

/* the cubic at time t, component i */
static double cubic(double t, int i)
{
    double T = DURATION, s = t / T, d = x1[i] - x0[i];
    double a = 3.0 * d - (2.0 * v0[i] + v1[i]) * T, b = -2.0 * d + (v0[i] + v1[i]) * T;
    return x0[i] + v0[i] * t + (a + b * s) * s * s;
}

static double fourth_difference(const lie_control_answer *a)
{
    double worst = 0.0;
    for (int k = 2; k <= a->N - 2; k++)
        for (int i = 0; i < 2; i++) {
            const double *x = a->g + 2 * k + i;
            worst = fmax(worst, fabs(x[-4] - 4.0 * x[-2] + 6.0 * x[0] - 4.0 * x[2] + x[4]));
        }
    return worst;
}

static lie_status solve(const lie_control_answer **out, const lie_actuation *inputs, int N)
{
    lie_control_problem p = {.actuation = inputs, .g0 = x0, .gT = x1, .xi0 = v0, .xiT = v1, .T = DURATION, .N = N};
    lie_control *c;
    lie_status status = lie_control_init(&c, &p, work, sizeof work);
    if (status == LIE_OK) status = lie_control_solve(c, 0);
    if (status == LIE_OK) *out = lie_control_now(c);
    return status;
}

static void write_path(FILE *csv, const char *name, const lie_control_answer *a)
{
    for (int k = 0; csv && k <= a->N; k++)
        fprintf(csv, "%s,%.6f,%.6f,%.6f,%.6f,%.6f,%.6f,%.6f\n", name, k * a->h, a->u[2 * k], a->u[2 * k + 1],
                a->nu[2 * k], a->nu[2 * k + 1], a->g[2 * k], a->g[2 * k + 1]);
}

int main(int argc, char **argv)
{
    FILE *csv = argc > 1 ? fopen(argv[1], "w") : 0;
    lie_ops plane;
    const lie_control_answer *a;
    lie_actuation inputs = {.count = 2, .actuator = {{.wrench = {1, 0}}, {.wrench = {0, 1}}}};
    lie_status status = lie_rn_ops(&plane, 2, "exp");
    inputs.base = (lie_system){.name = "point", .group = &plane, .inertia = mass};
    printf("  intervals   cost           off the cubic by   fourth difference\n");
    for (int N = 8; N <= 128 && status == LIE_OK; N *= 2) {
        double off = 0.0;
        status = solve(&a, &inputs, N);
        for (int k = 0; k <= N && status == LIE_OK; k++)
            for (int i = 0; i < 2; i++) off = fmax(off, fabs(a->g[2 * k + i] - cubic(k * a->h, i)));
        if (status == LIE_OK) printf("  %9d   %.9f   %16.3e   %17.1e\n", N, a->cost, off, fourth_difference(a));
    }
    if (csv) fprintf(csv, "case,t,u1,u2,v1,v2,x1,x2\n");
    if (status == LIE_OK) status = solve(&a, &inputs, 64);
    if (status == LIE_OK) write_path(csv, "the cubic", a);
    inputs.base.potential = hill, inputs.base.force = hill_force;
    if (status == LIE_OK) status = solve(&a, &inputs, 64);
    if (status == LIE_OK)
        printf("over the hill: cost %.6f, %d iterations, residual %.0e, halfway at (%.4f, %.4f)\n", a->cost,
               a->last.iteration, a->last.residual, a->g[64], a->g[65]);
    if (status == LIE_OK) write_path(csv, "over a hill", a);
    if (csv) fclose(csv);
    if (status != LIE_OK) printf("%s\n", lie_status_text(status));
    return status == LIE_OK ? 0 : 1;
}
