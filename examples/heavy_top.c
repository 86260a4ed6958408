/* SPDX-License-Identifier: MIT */
/* The energy of a tumbling heavy top, a million steps long.
 *
 *     R' = R hat(w),   (I w)' = I w x w + k a x r,   a = R^T e3       k = mass x gravity, r the centre of mass
 *
 * Conserved: E = w.Iw/2 + k a.r and the vertical angular momentum J3 = a.Iw. The top is asymmetric, so nothing else is,
 * and the motion is chaotic. All methods take the same step. The variational ones keep the energy in a band and J3 to
 * round-off for ever; RK4 on (quaternion, rate), normalised after every step as people do, is better at first and loses
 * both.
 *
 * heavy_top --csv prints the errors along the way; tools/plot_heavy_top.py draws them. */
#include <liestep/core.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#define STEP 0.1 /* s */
enum { RECORDS = 200, PER_RECORD = 5000 };

static const lie_heavy_top top = {
    .inertia = {1.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 2.6}, .mass = 1.0, .centre = {0.3, -0.2, 0.4}, .gravity = 2.0};

/* d/dt (q, w) = (q (0, w)/2, I^-1 (I w x w + F)) */
static void rate(double out[7], const lie_system *sys, const double y[7])
{
    const double *q = y, *w = y + 4, zero[4] = {0.0, 0.5 * w[0], 0.5 * w[1], 0.5 * w[2]};
    double torque[3], Iw[3];
    lie_s3_mul(out, q, zero);
    for (int i = 0; i < 3; i++) Iw[i] = top.inertia[4 * i] * w[i];
    lie_so3_ad(out + 4, Iw, w);
    sys->force(sys, torque, q);
    for (int i = 0; i < 3; i++) out[4 + i] = (out[4 + i] + torque[i]) / top.inertia[4 * i];
}

static void rk4(const lie_system *sys, double y[7], double h)
{
    static const double at[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    double k[7] = {0.0}, x[7], sum[7] = {0.0};
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < 7; i++) x[i] = y[i] + at[s] * h * k[i];
        rate(k, sys, x);
        for (int i = 0; i < 7; i++) sum[i] += weight[s] * k[i];
    }
    for (int i = 0; i < 7; i++) y[i] += h * sum[i];
    double size = sqrt(y[0] * y[0] + y[1] * y[1] + y[2] * y[2] + y[3] * y[3]);
    for (int i = 0; i < 4; i++) y[i] /= size;
}

/* relative errors of the energy and of J3 at each record */
typedef struct record {
    double energy[RECORDS], vertical[RECORDS];
} record;

static void measure(record *r, int k, const lie_system *sys, const double *q, const double *w)
{
    static double energy0, vertical0;
    double m[3], J[3];
    lie_system_momentum(sys, m, q, w);
    lie_system_spatial_momentum(sys, J, q, m);
    double energy = lie_system_energy(sys, q, w);
    if (k == 0) energy0 = energy, vertical0 = J[2];
    r->energy[k] = fabs(energy / energy0 - 1.0);
    r->vertical[k] = fabs(J[2] / vertical0 - 1.0);
}

static lie_status run_method(record *r, const lie_system *sys, const char *method, const double q[4], const double w[3])
{
    double work[1024], xi[3];
    lie_stepper *st;
    lie_state s;
    lie_options options = {.method = method, .retraction = "exp"};
    lie_status status = lie_stepper_init(&st, sys, &options, work, sizeof work);
    if (status == LIE_OK) status = lie_state_set(sys, &s, 0.0, q, w);
    for (int k = 0; k < RECORDS && status == LIE_OK; k++) {
        status = lie_state_velocity(sys, xi, &s);
        if (status == LIE_OK) measure(r, k, sys, s.g, xi);
        if (status == LIE_OK) status = lie_run(st, &s, STEP, PER_RECORD);
    }
    return status;
}

static void run_rk4(record *r, const lie_system *sys, const double q[4], const double w[3])
{
    double y[7] = {q[0], q[1], q[2], q[3], w[0], w[1], w[2]};
    for (int k = 0; k < RECORDS; k++) {
        measure(r, k, sys, y, y + 4);
        for (int i = 0; i < PER_RECORD; i++) rk4(sys, y, STEP);
    }
}

/* the largest error of the first and of the last tenth */
static void summary(const char *name, const record *r)
{
    double early = 0.0, late = 0.0, vertical = 0.0;
    for (int k = 0; k < RECORDS / 10; k++) {
        early = fmax(early, r->energy[k]);
        late = fmax(late, r->energy[RECORDS - 1 - k]);
        vertical = fmax(vertical, r->vertical[RECORDS - 1 - k]);
    }
    printf("  %-10s %8.1e      %8.1e          %8.1e\n", name, early, late, vertical);
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"sv", "sv_suzuki4", "RK4"};
    static record runs[3];
    const double q[4] = {1.0, 0.0, 0.0, 0.0}, w[3] = {0.9, 0.7, -0.5};
    lie_system sys;
    lie_status status = lie_heavy_top_system(&sys, &top, "S3");
    for (int i = 0; i < 2 && status == LIE_OK; i++) status = run_method(&runs[i], &sys, names[i], q, w);
    if (status != LIE_OK) {
        printf("%s\n", lie_status_text(status));
        return 1;
    }
    run_rk4(&runs[2], &sys, q, w);
    if (argc > 1 && strcmp(argv[1], "--csv") == 0) {
        printf("time,sv,sv_suzuki4,rk4\n");
        for (int k = 1; k < RECORDS; k++)
            printf("%.1f,%.3e,%.3e,%.3e\n", STEP * PER_RECORD * k, runs[0].energy[k], runs[1].energy[k],
                   runs[2].energy[k]);
        return 0;
    }
    printf("A heavy top tumbles for %.0f s in steps of %g s (%d of them).\n", STEP * PER_RECORD * RECORDS, STEP,
           PER_RECORD * RECORDS);
    printf(
        "Relative error of the energy, largest in the first and in the last tenth, and of the vertical momentum:\n\n");
    printf("  method      first tenth   last tenth   vertical momentum\n");
    for (int i = 0; i < 3; i++) summary(names[i], &runs[i]);
    printf("\nsv: order 2, one force per step; sv_suzuki4: order 4, five. Both are symplectic:\n");
    printf("their energy has no trend.\n");
    return 0;
}
