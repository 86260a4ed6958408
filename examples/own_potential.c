/* SPDX-License-Identifier: MIT */
/* A system of your own: a magnet that turns in two fields.
 *
 *     l(R, w) = 1/2 w . I w - V(R),     V = -a . (R b) + k/4 (c . R d)^4       a, c in space; b, d in the body
 *     F_i = -d/ds V(R exp(s e_i)):      F = b x R^T a - k (c . R d)^3 d x R^T c
 *
 * You give V and its body force F; lie_system_compare_derivatives tells whether they belong together before a step is
 * taken, and where not (here tried with a sign that is wrong). Then any method runs: below the error at t = 10 for a
 * sequence of steps, which shows the order of each. */
#include <liestep/core.h>

#include <math.h>
#include <stdio.h>

static const double field[3] = {0.8, 0.3, -1.1}, dipole[3] = {0.4, 1.0, 0.2};
static const double along[3] = {0.0, 0.6, 0.8}, axis[3] = {1.0, -0.5, 0.3}, stiffness = 2.0;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double potential(const lie_system *sys, const double *R)
{
    double a[3], c[3];
    (void)sys;
    lie_so3_Adt(a, R, field); /* R^T a: the field as the body sees it */
    lie_so3_Adt(c, R, along);
    return -dot(a, dipole) + 0.25 * stiffness * pow(dot(c, axis), 4);
}

/* Along R exp(s e) the direction a = R^T field changes by a x e, so d(a . b) = (a x e) . b = e . (b x a). */
static void force(const lie_system *sys, double *F, const double *R)
{
    double a[3], c[3], f[3];
    (void)sys;
    lie_so3_Adt(a, R, field);
    lie_so3_Adt(c, R, along);
    lie_so3_ad(F, dipole, a);
    lie_so3_ad(f, axis, c);
    for (int i = 0; i < 3; i++) F[i] -= stiffness * pow(dot(c, axis), 3) * f[i];
}

static void wrong_force(const lie_system *sys, double *F, const double *R)
{
    force(sys, F, R);
    F[2] = -F[2];
}

/* At some attitude and velocity, not at a symmetric one: there a wrong force may look right. */
static lie_status compare(const lie_system *sys, const char *name)
{
    const double w[3] = {0.3, -0.2, 0.5};
    double R[9];
    lie_system_report report;
    lie_so3_exp(R, (double[3]){0.4, -1.1, 0.7});
    lie_status status = lie_system_compare_derivatives(sys, &report, 0.0, R, w, NULL);
    if (status == LIE_OK) printf("%-12s against potential: error %.1e", name, report.force);
    if (status == LIE_OK && report.force > 1e-6)
        printf(", F[%d] is %.6f and should be %.6f", report.column, report.given, report.expected);
    printf("\n");
    return status;
}

static lie_status solve(lie_state *s, const lie_system *sys, const char *method, double h, int steps)
{
    const double w[3] = {0.7, -1.2, 0.4};
    double work[4096], R[9];
    lie_stepper *st;
    lie_so3_identity(R);
    lie_options options = {.method = method, .retraction = "exp"};
    lie_status status = lie_stepper_init(&st, sys, &options, work, sizeof work);
    if (status == LIE_OK) status = lie_state_set(sys, s, 0.0, R, w);
    return status == LIE_OK ? lie_run(st, s, h, steps) : status;
}

static double distance(const lie_state *a, const lie_state *b)
{
    double sum = 0.0;
    for (int i = 0; i < 9; i++) sum += pow(a->g[i] - b->g[i], 2);
    for (int i = 0; i < 3; i++) sum += pow(a->m[i] - b->m[i], 2);
    return sqrt(sum);
}

int main(void)
{
    static const char *const methods[] = {"ve_fwd", "sv", "midpoint", "gauss2", "sv_suzuki4", "gauss3", "sv_kahanli6"};
    static const double inertia[9] = {1.0, 0.1, -0.05, 0.1, 1.6, 0.02, -0.05, 0.02, 2.1};
    lie_system sys = {
        .name = "magnet", .group = &lie_so3_exp_ops, .inertia = inertia, .potential = potential, .force = force};
    lie_system wrong = sys;
    lie_state reference = {0}, s = {0};
    wrong.force = wrong_force;
    lie_status status = compare(&sys, "force");
    if (status == LIE_OK) status = compare(&wrong, "wrong force");
    if (status == LIE_OK) status = solve(&reference, &sys, "gauss4", 0.01, 1000);
    printf("\nerror at t = 10        h = 0.1     0.05        0.025       slopes\n");
    for (int i = 0; i < 7 && status == LIE_OK; i++) {
        double e[3];
        for (int k = 0; k < 3 && status == LIE_OK; k++) {
            status = solve(&s, &sys, methods[i], 0.1 / (1 << k), 100 << k);
            e[k] = distance(&s, &reference);
        }
        if (status == LIE_OK)
            printf("  %-12s       %9.2e   %9.2e   %9.2e     %.2f %.2f\n", methods[i], e[0], e[1], e[2],
                   log2(e[0] / e[1]), log2(e[1] / e[2]));
    }
    if (status != LIE_OK) printf("%s\n", lie_status_text(status));
    return status == LIE_OK ? 0 : 1;
}
