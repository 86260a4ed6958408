/* SPDX-License-Identifier: MIT */
/* A telescope is pointed at a star, and does not look at the sun on its way: a cost and a target of one's own.
 *
 *     minimise  int 1/2 |u|^2 + k exp((c - 1)/s) dt,   c = R e3 . sun,     I w' = I w x w + u      on SO(3)
 *     from rest to the set  R e3 = star, w = 0:  the roll about the axis of sight is free
 *
 * The cost comes with gradient and second derivatives, the set with its derivative; lie_control_compare_derivatives
 * checks them before anything is solved. With a = R^T sun, along R exp(r eta):
 *     c' = (e3 x a) . eta,     c'' = (a . eta)(e3 . eta) - |eta|^2 a . e3.
 * Usage: control_pointing [FILE.csv] */
#include <liestep/liestep.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WORK = 200000, INTERVALS = 60 };

static double work[WORK], step_work[2000];
static const lie_free_body body = {{1.2, 0, 0, 0, 1.0, 0, 0, 0, 0.8}};
static const double start[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, star[3] = {0.96, 0, 0.28};
static const double sun[3] = {0.64278760968653925, 0.01, 0.76598}, width = 0.02;

/* out = R^T v */
static void seen(double out[3], const double *R, const double v[3])
{
    for (int i = 0; i < 3; i++) out[i] = R[i] * v[0] + R[3 + i] * v[1] + R[6 + i] * v[2];
}

/* The glare; variables: turn (3), rate (3), inputs (3), and in the gradient t */
static double glare(void *ctx, double *gradient, double *hessian, double t, const double *R, const double *w,
                    const double *u)
{
    double a[3], bright = *(const double *)ctx;
    (void)t, (void)w, (void)u;
    seen(a, R, sun);
    double V = bright * exp((a[2] - 1.0) / width), c[3] = {-a[1] / width, a[0] / width, 0.0};
    if (gradient) memset(gradient, 0, 10 * sizeof *gradient);
    if (hessian) memset(hessian, 0, 81 * sizeof *hessian);
    for (int i = 0; i < 3 && gradient; i++) gradient[i] = V * c[i];
    for (int i = 0; i < 9 && hessian; i++) {
        int r = i / 3, k = i % 3;
        double bend = 0.5 * ((k == 2 ? a[r] : 0.0) + (r == 2 ? a[k] : 0.0)) - (r == k ? a[2] : 0.0);
        hessian[r * 9 + k] = V * (c[r] * c[k] + bend / width);
    }
    return V;
}

/* R e3 along the star, at rest: the first two components of R^T star and w vanish. -star is on the set too. */
static void on_star(void *ctx, double *c, double *D, const double *R, const double *w)
{
    double a[3];
    (void)ctx;
    seen(a, R, star);
    for (int i = 0; i < 5; i++) c[i] = i < 2 ? a[i] : w[i - 2];
    if (!D) return;
    memset(D, 0, 30 * sizeof *D); /* d a = a x eta */
    D[1] = -a[2], D[2] = a[1], D[6] = a[2], D[8] = -a[0];
    for (int i = 0; i < 3; i++) D[6 * (2 + i) + 3 + i] = 1.0;
}

static lie_status slew(const char *name, double bright, FILE *csv)
{
    lie_actuation torques = {.count = 3,
                             .actuator = {{.wrench = {1, 0, 0}}, {.wrench = {0, 1, 0}}, {.wrench = {0, 0, 1}}}};
    lie_control_cost cost = {.running = glare, .ctx = &bright};
    lie_control_states target = {.count = 5, .value = on_star};
    lie_control *c;
    lie_control_report report;
    lie_state end;
    double near[9], effort = 0.0, closest = 0.0, off = 0.0;
    lie_so3_exp(near, (double[3]){0, 1.2, 0}); /* for the first guess: about there */
    lie_control_problem p = {.actuation = &torques,
                             .retraction = "cay",
                             .g0 = start,
                             .gT = near,
                             .target_set = &target,
                             .cost = &cost,
                             .T = 4.0,
                             .N = INTERVALS};
    lie_status status = lie_free_body_system(&torques.base, &body, "SO3");
    if (status == LIE_OK) status = lie_control_init(&c, &p, work, sizeof work);
    if (status == LIE_OK) status = lie_control_bend(c, 0.1, 2);
    if (status == LIE_OK) status = lie_control_compare_derivatives(c, &report, INTERVALS / 3);
    if (status != LIE_OK) return status;
    printf("%-13s derivatives: worst %s, off by %.0e;", name, report.worst, report.error);
    status = lie_control_solve(c, 0);
    if (status == LIE_OK) status = lie_control_fly(c, &end, step_work, sizeof step_work);
    if (status != LIE_OK) return status;
    const lie_control_answer *path = lie_control_now(c);
    for (int k = 0; k <= path->N; k++) {
        double a[3], weight = path->h * (k == 0 || k == path->N ? 0.5 : 1.0);
        seen(a, path->g + 9 * k, sun);
        closest = fmax(closest, a[2]);
        for (int i = 0; i < 3; i++) effort += 0.5 * weight * path->u[3 * k + i] * path->u[3 * k + i];
        if (csv)
            fprintf(csv, "%s,%.6f,%.6f,%.6f,%.6f,%.6f,%.6f,%.6f,%.6f\n", name, k * path->h, path->u[3 * k],
                    path->u[3 * k + 1], path->u[3 * k + 2], path->g[9 * k + 2], path->g[9 * k + 5], path->g[9 * k + 8],
                    acos(fmin(a[2], 1.0)) * 57.29578);
    }
    printf(" %d iterations, residual %.0e\n", path->last.iteration, path->last.residual);
    for (int i = 0; i < 3; i++) off = fmax(off, fabs(end.g[3 * i + 2] - star[i]));
    printf("  effort %.6f, the sun at %.1f deg or more; flown: off the star by %.0e\n", effort,
           acos(closest) * 57.29578, off);
    return status;
}

int main(int argc, char **argv)
{
    FILE *csv = argc > 1 ? fopen(argv[1], "w") : 0;
    if (csv) fprintf(csv, "case,t,u1,u2,u3,s1,s2,s3,a1\n");
    lie_status status = slew("no sun", 0.0, csv);
    if (status == LIE_OK) status = slew("sun avoided", 1.0, csv);
    if (csv) fclose(csv);
    if (status != LIE_OK) printf("%s\n", lie_status_text(status));
    return status == LIE_OK ? 0 : 1;
}
