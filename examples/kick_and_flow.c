/* SPDX-License-Identifier: MIT */
/* Kick and exact flow: a spacecraft in a host that asks its environment for the torque once a step.
 *
 *     m <- m + (h/2) torque(t, q)                                kick
 *     (q, m) <- exact motion of the free body over h             lie_free_flow_s3
 *     m <- m + (h/2) torque(t + h, q)                            kick; the next step begins with the same torque
 *
 * The environment is the host's own: here the gravity gradient on a circular orbit, 3 n^2 r x I r, r the direction to
 * the earth seen from the body. For such a torque T + V - n J is constant, J the momentum about the normal of the
 * orbit, V = 3/2 n^2 r . I r. Kick and flow is symplectic and of order 2: its error stays bounded, and however fast the
 * spacecraft tumbles, it comes from the torque alone, which is small. Beside it RK4 on (q, w), with the torque held over
 * the step and, for four times the price, asked for at every stage. */
#include <liestep/core.h>

#include <stdio.h>
#include <string.h>

static const double inertia[9] = {120, 0, 0, 0, 100, 0, 0, 0, 80}; /* kg m^2 */
static const double n = 0.0011;                                    /* rad/s */
static const double day = 86400.0, h = 2.0;                        /* s */

/* The direction to the earth at the time t, in the body frame, r = q^-1 (-cos nt, -sin nt, 0) q; cos and sin by the
 * exponential map of a turn n t about the normal. */
static void to_earth(double r[3], double t, const double q[4])
{
    static const double down[3] = {-1, 0, 0};
    double back[4], orbit[4];
    lie_s3_exp(orbit, (double[]){0, 0, n * t});
    lie_s3_inv(back, q);
    lie_s3_mul(back, back, orbit);
    lie_s3_act(r, back, down);
}

/* torque, and the potential V */
static double environment(double torque[3], double t, const double q[4])
{
    double r[3];
    to_earth(r, t, q);
    double Ir[3] = {inertia[0] * r[0], inertia[4] * r[1], inertia[8] * r[2]};
    lie_so3_ad(torque, r, Ir); /* r x I r */
    for (int i = 0; i < 3; i++) torque[i] *= 3 * n * n;
    return 1.5 * n * n * (r[0] * Ir[0] + r[1] * Ir[1] + r[2] * Ir[2]);
}

/* T + V - n J */
static double constant_of_motion(double t, const double q[4], const double m[3])
{
    double torque[3], J[3], V = environment(torque, t, q);
    lie_s3_act(J, q, m);
    return 0.5 * (m[0] * m[0] / inertia[0] + m[1] * m[1] / inertia[4] + m[2] * m[2] / inertia[8]) + V - n * J[2];
}

typedef struct spacecraft {
    double t, q[4], m[3]; /* q body to inertial, scalar first; m = I w in the body frame */
    double low_q[4], low_m[3];
    double torque[3]; /* at t */
    lie_free_flow flow;
} spacecraft;

static lie_status kick_and_flow(spacecraft *s)
{
    for (int i = 0; i < 3; i++) s->m[i] += 0.5 * h * s->torque[i];
    lie_status status = lie_free_flow_s3(&s->flow, s->q, s->low_q, s->m, s->low_m, h);
    s->t += h;
    (void)environment(s->torque, s->t, s->q);
    for (int i = 0; i < 3; i++) s->m[i] += 0.5 * h * s->torque[i];
    return status;
}

static void rates(double y[7], const double x[7], const double torque[3])
{
    double half[4], w[3] = {x[4] / inertia[0], x[5] / inertia[4], x[6] / inertia[8]};
    lie_s3_hat(half, w);
    lie_quat_mul(y, x, half);
    lie_so3_ad(y + 4, x + 4, w);
    for (int i = 0; i < 3; i++) y[4 + i] += torque[i];
}

static lie_status rk4(spacecraft *s, int is_held)
{
    static const double node[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    double x[7], y[7] = {0.0}, at[7], sum[7] = {0.0};
    memcpy(x, s->q, sizeof s->q);
    memcpy(x + 4, s->m, sizeof s->m);
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < 7; i++) at[i] = x[i] + node[k] * h * y[i];
        if (k == 0 || !is_held) (void)environment(s->torque, s->t + node[k] * h, at);
        rates(y, at, s->torque);
        for (int i = 0; i < 7; i++) sum[i] += weight[k] * h * y[i];
    }
    for (int i = 0; i < 4; i++) s->q[i] += sum[i];
    for (int i = 0; i < 3; i++) s->m[i] += sum[4 + i];
    s->t += h;
    return LIE_OK;
}

int main(void)
{
    static const char *name[3] = {"kick and flow", "RK4, held", "RK4, stages"};
    spacecraft s[3] = {{.q = {1, 0, 0, 0}, .m = {120 * 0.03, 100 * 0.08, 80 * -0.02}}};
    if (lie_free_flow_init(&s[0].flow, inertia) != LIE_OK) return 1; /* once per inertia */
    (void)environment(s[0].torque, 0.0, s[0].q);
    s[1] = s[2] = s[0];
    const double start = constant_of_motion(0.0, s[0].q, s[0].m);
    printf("  %-16s %9s   %-42s change of T + V - nJ\n", "", "time", "attitude");
    for (int k = 1; k * h <= 10 * day; k++) {
        for (int i = 0; i < 3; i++) {
            lie_status status = i == 0 ? kick_and_flow(&s[i]) : rk4(&s[i], i == 1);
            if (k % 1000 == 0 && status == LIE_OK) status = lie_s3_project(s[i].q, s[i].q);
            if (status != LIE_OK) return printf("%s\n", lie_status_text(status));
            if (k != 500 && k * h != day && k * h != 10 * day) continue;
            double change = constant_of_motion(s[i].t, s[i].q, s[i].m) / start - 1.0;
            printf("  %-16s %7.0f s   (%8.5f, %8.5f, %8.5f, %8.5f)   %9.1e\n", name[i], s[i].t, s[i].q[0], s[i].q[1],
                   s[i].q[2], s[i].q[3], change);
        }
    }
    return 0;
}
