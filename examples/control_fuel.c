/* SPDX-License-Identifier: MIT */
/* A rigid body with two torques, turned with the least fuel: inputs that jump.
 *
 *     minimise int |u1| + |u2| dt,   |u| <= 1,     I w' = I w x w + (u1, u2, 0),     rest to rest
 *
 * There is no torque about the third axis: the body turns about it by turning about the others. Least fuel is bang,
 * coast, bang: an input is at a bound where the multiplier p of the momentum is above 1, and off where it is below.
 * Beside it least effort, whose inputs are smooth, and what it would burn. Usage: control_fuel [FILE.csv]
 *
 * Reference: Jimenez, thesis, 2012, section 5.2.10, Figure 5.3 (no numbers are given there). */
#include <liestep/liestep.h>

#include <math.h>
#include <stdio.h>

enum { WORK = 400000, INTERVALS = 100 };

static double work[WORK];
static const lie_free_body body = {{1, 0, 0, 0, 1.5, 0, 0, 0, 2}};
static const double start[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

static double fuel_of(const lie_control_answer *a)
{
    double sum = 0.0;
    for (int k = 0; k <= a->N; k++)
        for (int i = 0; i < 2; i++) sum += a->h * (k == 0 || k == a->N ? 0.5 : 1.0) * fabs(a->u[2 * k + i]);
    return sum;
}

static void report(const char *name, const lie_control_answer *a, FILE *csv)
{
    int on = 0, off = 0, between = 0, wrong = 0;
    for (int i = 0; i < 2 * (a->N + 1); i++) {
        double u = fabs(a->u[i]), p = fabs(a->p[i / 2 * 3 + i % 2]);
        on += u > 1.0 - 1e-6, off += u < 1e-6, between += u >= 1e-6 && u <= 1.0 - 1e-6;
        wrong += (p > 1.0 + 1e-6 && u < 1.0 - 1e-6) || (p < 1.0 - 1e-6 && u > 1e-6);
    }
    printf("%-13s fuel %.6f, %d iterations; inputs at a bound %d, off %d, between %d; against the multiplier %d\n",
           name, fuel_of(a), a->last.iteration, on, off, between, wrong);
    for (int k = 0; csv && k <= a->N; k++)
        fprintf(csv, "%s,%.6f,%.6f,%.6f,%.6f,%.6f\n", name, k * a->h, a->u[2 * k], a->u[2 * k + 1], a->p[3 * k],
                a->p[3 * k + 1]);
}

int main(int argc, char **argv)
{
    static const double fuel[2] = {1, 1};
    lie_actuation torques = {
        .count = 2,
        .actuator = {{.wrench = {1, 0, 0}, .min = -1.0, .max = 1.0}, {.wrench = {0, 1, 0}, .min = -1.0, .max = 1.0}}};
    double R_T[9], turn[3] = {1.2, -0.7, 1.5};
    lie_control_problem p = {
        .actuation = &torques, .retraction = "cay", .g0 = start, .gT = R_T, .T = 6.0, .N = INTERVALS};
    lie_control *c;
    FILE *csv = argc > 1 ? fopen(argv[1], "w") : 0;
    if (csv) fprintf(csv, "cost,t,u1,u2,p1,p2\n");
    lie_so3_exp(R_T, turn);
    lie_status status = lie_free_body_system(&torques.base, &body, "SO3");
    for (int i = 0; i < 2 && status == LIE_OK; i++) {
        p.fuel = i == 0 ? 0 : fuel;
        status = lie_control_init(&c, &p, work, sizeof work);
        if (status == LIE_OK) status = lie_control_solve(c, 0);
        if (status == LIE_OK) report(i == 0 ? "least effort" : "least fuel", lie_control_now(c), csv);
    }
    if (csv) fclose(csv);
    if (status != LIE_OK) printf("%s\n", lie_status_text(status));
    return status == LIE_OK ? 0 : 1;
}
