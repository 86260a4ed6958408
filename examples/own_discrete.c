/* SPDX-License-Identifier: MIT */
/* A discrete Lagrangian of your own: the three-dimensional pendulum of Lee, Leok & McClamroch (2005), after Moser &
 * Veselov, on rotation matrices.
 *
 *     L_d(R0, R1; h) = tr((1 - W) Jd)/h - (h/2) (V(R0) + V(R1)),    W = R0^T R1,   Jd = tr(I)/2 1 - I
 *     p0 = -D1 L_d = vee(W Jd - Jd W^T)/h - (h/2) F(R0),            V(R) = m g e3 . R r
 *     p1 =  D2 L_d = vee(Jd W - W^T Jd)/h + (h/2) F(R1),            F = -m g r x R^T e3
 *
 * Two slopes are all that the library needs: it solves p0 = -D1 L_d for R1 and goes on from (R1, p1). The run starts
 * from two configurations, as in Wendlandt & Marsden (1997). Conserved: the momentum about the vertical, to round-off;
 * the energy, within a band of order h^2. This L_d is that of sv with the skew map on S3, 2 sin(angle/2) about the
 * axis being the step: the runs agree to round-off. */
#include <liestep/core.h>

#include <math.h>
#include <stdio.h>

static const lie_heavy_top top = {
    .inertia = {1.2, 0, 0, 0, 0.9, 0, 0, 0, 0.5}, .mass = 2.0, .centre = {0.1, -0.05, -0.4}, .gravity = 9.81};

static double V(const double R[9])
{
    return top.mass * top.gravity * (R[6] * top.centre[0] + R[7] * top.centre[1] + R[8] * top.centre[2]);
}

static void F(double out[3], const double R[9])
{
    lie_so3_ad(out, top.centre, R + 6);
    for (int i = 0; i < 3; i++) out[i] *= -top.mass * top.gravity;
}

/* v with hat(v) = A - A^T */
static void skew_part(double v[3], const double A[9])
{
    v[0] = A[7] - A[5], v[1] = A[2] - A[6], v[2] = A[3] - A[1];
}

static void half_trace(double Jd[3])
{
    for (int i = 0; i < 3; i++) Jd[i] = 0.5 * (top.inertia[0] + top.inertia[4] + top.inertia[8]) - top.inertia[4 * i];
}

static lie_status pendulum_value(const lie_discrete *L, double *Ld, double t, const double *R0, const double *R1,
                                 double h)
{
    double W[9], Jd[3], trace = 0.0;
    (void)L, (void)t;
    half_trace(Jd);
    lie_so3_inv(W, R0);
    lie_so3_mul(W, W, R1);
    for (int i = 0; i < 3; i++) trace += (1.0 - W[4 * i]) * Jd[i];
    *Ld = trace / h - 0.5 * h * (V(R0) + V(R1));
    return LIE_OK;
}

static lie_status pendulum_slopes(const lie_discrete *L, double *D1, double *D2, double t, const double *R0,
                                  const double *R1, double h)
{
    double W[9], A[9], B[9], Jd[3], F0[3], F1[3];
    (void)L, (void)t;
    half_trace(Jd);
    lie_so3_inv(W, R0);
    lie_so3_mul(W, W, R1);
    for (int i = 0; i < 9; i++) A[i] = Jd[i / 3] * W[i], B[i] = W[i] * Jd[i % 3];
    skew_part(D1, B);
    skew_part(D2, A);
    F(F0, R0);
    F(F1, R1);
    for (int i = 0; i < 3; i++) D1[i] = -D1[i] / h + 0.5 * h * F0[i], D2[i] = D2[i] / h + 0.5 * h * F1[i];
    return LIE_OK;
}

/* A row of the table: the state after the step from `before`, beside energy and momentum at the start. */
static lie_status print_row(lie_stepper *own, const lie_state *s, const double before[9], double h, double E0,
                            double J0)
{
    const lie_system *sys = lie_stepper_system(own);
    lie_discrete_values v;
    double J[3], E;
    lie_status status = lie_discrete_read(own, &v, s->t - h, before, s->g, h);
    if (status == LIE_OK) status = lie_state_energy(sys, &E, s);
    if (status != LIE_OK) return status;
    lie_state_spatial_momentum(sys, J, s);
    printf("%8.0f  (%9.6f, %9.6f, %9.6f) %10.1e %10.1e %14.8f\n", s->t, s->g[6], s->g[7], s->g[8], E - E0, J[2] - J0,
           v.energy);
    return LIE_OK;
}

/* 100000 steps of the pendulum, the first 300 beside sv. */
static int run(lie_stepper *own, lie_stepper *sv, lie_state *s, lie_state *other, double h)
{
    double J[3], E0, before[9];
    lie_status status = lie_state_energy(lie_stepper_system(own), &E0, s);
    lie_state_spatial_momentum(lie_stepper_system(own), J, s);
    printf("%8s  %-33s %10s %10s %14s\n", "t", "vertical in the body", "energy", "momentum", "E_d");
    for (int k = 1; k <= 100000 && status == LIE_OK; k++) {
        for (int i = 0; i < 9; i++) before[i] = s->g[i];
        status = lie_step(own, s, h);
        if (status == LIE_OK && k <= 300) status = lie_step(sv, other, h);
        if (status == LIE_OK && k == 300) {
            double off = 0.0;
            for (int i = 0; i < 3; i++) off = fmax(off, fabs(s->m[i] - other->m[i]));
            printf("sv with the skew map of S3, after 300 steps: off by %.1e\n", off);
        }
        if (status == LIE_OK && (k == 100 || k % 20000 == 0)) status = print_row(own, s, before, h, E0, J[2]);
    }
    return status == LIE_OK ? 0 : printf("%s\n", lie_status_text(status));
}

int main(void)
{
    static const lie_discrete pendulum = {.name = "pendulum", .value = pendulum_value, .slopes = pendulum_slopes};
    static double work[2][512];
    const double h = 0.01;
    lie_system sys, sys_S3;
    lie_stepper *own, *sv;
    lie_state s, other;
    if (lie_heavy_top_system(&sys, &top, "SO3") != LIE_OK) return 1;
    if (lie_heavy_top_system(&sys_S3, &top, "S3") != LIE_OK) return 1;
    if (lie_stepper_init(&own, &sys, &(lie_options){.discrete = &pendulum}, work[0], sizeof work[0]) != LIE_OK)
        return 1;
    if (lie_stepper_init(&sv, &sys_S3, &(lie_options){.method = "sv", .retraction = "skew"}, work[1], sizeof work[1]))
        return 1;

    /* two configurations: R0, and R0 turned by h w */
    const double R0[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double R1[9];
    lie_so3_exp(R1, (double[]){0.5 * h, -1.0 * h, 2.0 * h});
    if (lie_state_from_pair(own, &s, 0, 0.0, R0, R1, h) != LIE_OK) return 1;
    printf("momentum at the start (%.9f, %.9f, %.9f)\n", s.m[0], s.m[1], s.m[2]);
    if (lie_state_set_momentum(&sys_S3, &other, 0.0, (double[]){1, 0, 0, 0}, s.m) != LIE_OK) return 1;
    return run(own, sv, &s, &other, h);
}
