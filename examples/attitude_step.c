/* SPDX-License-Identifier: MIT */
/* A drop-in attitude step for someone else's loop: step(q, w, I, torque, h).
 *
 *     q' = q w/2,     (I w)' = I w x w + torque           q body to inertial, scalar first; w, torque in the body frame
 *
 * The host keeps q and w, calls a step function and knows nothing of liestep. The torque is the control of a system
 * whose force does not depend on the rate, so that the method "auto" is split6: kicks, and the exact motion of the
 * free body between them. All memory is the caller's: no heap, no globals, safe in any thread.
 *
 *   stateless   q and w are all there is from call to call. Rounding w and back to I w costs an eps a step.
 *   kept        the object keeps the momentum, and goes on from it as long as nobody else has changed q or w.
 *   rk4         what many codes do: RK4 on (q, w), then normalise q.
 *
 * 10 s of torque, then the body coasts for 10^6 steps: momentum in space and energy must not change. What RK4 loses
 * of them it loses for ever. */
#include <liestep/core.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct attitude {
    lie_free_body body;
    lie_system system;
    lie_stepper *stepper;
    lie_state state;
    double w[3], work[256];
} attitude;

/* The torque of a step, constant in the body frame, is the control of the system. */
static void host_torque(const lie_system *sys, double *f, double t, const double *g, const double *xi, const double *u)
{
    (void)sys, (void)t, (void)g, (void)xi;
    for (int i = 0; i < 3; i++) f[i] = u ? u[i] : 0.0;
}

static lie_status attitude_init(attitude *a, const double I[9])
{
    *a = (attitude){.w = {0.0}};
    memcpy(a->body.inertia, I, sizeof a->body.inertia);
    lie_status status = lie_free_body_system(&a->system, &a->body, "S3");
    if (status != LIE_OK) return status;
    a->system.external = host_torque;
    a->system.external_is_positional = 1;
    a->system.controls = 3;
    return lie_stepper_init(&a->stepper, &a->system, &(lie_options){.method = "auto"}, a->work, sizeof a->work);
}

/* On failure q and w are as they were. */
static lie_status attitude_step(attitude *a, double q[4], double w[3], const double torque[3], double h)
{
    lie_state s = a->state;
    lie_status status = LIE_OK;
    int is_known = memcmp(q, s.g, 4 * sizeof *q) == 0 && memcmp(w, a->w, sizeof a->w) == 0;
    if (!is_known) status = lie_state_set(&a->system, &s, 0.0, q, w);
    lie_stepper_control(a->stepper, torque, torque);
    if (status == LIE_OK) status = lie_step(a->stepper, &s, h);
    if (status == LIE_OK) status = lie_state_velocity(&a->system, a->w, &s);
    if (status != LIE_OK) return status;
    memcpy(q, s.g, 4 * sizeof *q);
    memcpy(w, a->w, sizeof a->w);
    a->state = s;
    return LIE_OK;
}

typedef lie_status step_function(double q[4], double w[3], const double I[9], const double torque[3], double h,
                                 void *mine);

static lie_status kept_step(double q[4], double w[3], const double I[9], const double torque[3], double h, void *mine)
{
    (void)I;
    return attitude_step((attitude *)mine, q, w, torque, h);
}

static lie_status stateless_step(double q[4], double w[3], const double I[9], const double torque[3], double h,
                                 void *mine)
{
    attitude a;
    (void)mine;
    lie_status status = attitude_init(&a, I);
    if (status == LIE_OK) status = attitude_step(&a, q, w, torque, h);
    return status == LIE_OK ? lie_s3_project(q, q) : status; /* nobody else looks after |q| */
}

static void rates(double y[7], const double x[7], const double I[9], const double torque[3])
{
    double half[4], M[3] = {I[0] * x[4], I[4] * x[5], I[8] * x[6]}; /* principal axes */
    lie_s3_hat(half, x + 4);
    lie_quat_mul(y, x, half);
    lie_so3_ad(y + 4, M, x + 4);
    for (int i = 0; i < 3; i++) y[4 + i] = (y[4 + i] + torque[i]) / I[4 * i];
}

static lie_status rk4_step(double q[4], double w[3], const double I[9], const double torque[3], double h, void *mine)
{
    static const double node[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    double x[7] = {q[0], q[1], q[2], q[3], w[0], w[1], w[2]}, y[7] = {0.0}, at[7], sum[7] = {0.0};
    (void)mine;
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < 7; i++) at[i] = x[i] + node[k] * h * y[i];
        rates(y, at, I, torque);
        for (int i = 0; i < 7; i++) sum[i] += weight[k] * h * y[i];
    }
    for (int i = 0; i < 7; i++) *(i < 4 ? &q[i] : &w[i - 4]) += sum[i];
    return lie_s3_project(q, q);
}

/* Momentum in space and energy. */
static void look(double J[3], double *energy, const double q[4], const double w[3], const double I[9])
{
    const double M[3] = {I[0] * w[0], I[4] * w[1], I[8] * w[2]};
    lie_s3_act(J, q, M);
    *energy = 0.5 * (w[0] * M[0] + w[1] * M[1] + w[2] * M[2]);
}

static const double inertia[9] = {1.2, 0, 0, 0, 2.0, 0, 0, 0, 2.6}; /* kg m^2 */

/* The host. */
static int host_loop(const char *name, step_function *step, void *mine)
{
    const double thrust[3] = {0.2, 0.5, -0.1}, none[3] = {0}, h = 0.1; /* N m, s */
    double q[4] = {1, 0, 0, 0}, w[3] = {0.1, -0.2, 0.3}, J0[3] = {0}, J[3], E0 = 1.0, E;
    for (int k = 0; k <= 1000000; k++) {
        if (k == 100) { /* the torque ends at t = 10 */
            look(J0, &E0, q, w, inertia);
            printf("  %-10s %7.0f s   w = (%.4f, %.4f, %.4f) rad/s\n", name, k * h, w[0], w[1], w[2]);
        }
        if (k == 1000 || k == 10000 || k == 100000 || k == 1000000) {
            look(J, &E, q, w, inertia);
            for (int i = 0; i < 3; i++) J[i] -= J0[i];
            printf("  %-10s %7.0f s   %9.1e   %9.1e\n", name, k * h, hypot(hypot(J[0], J[1]), J[2]), E / E0 - 1.0);
        }
        lie_status status = step(q, w, inertia, k < 100 ? thrust : none, h, mine);
        if (status != LIE_OK) return printf("%s\n", lie_status_text(status));
    }
    return 0;
}

int main(void)
{
    attitude kept;
    if (attitude_init(&kept, inertia) != LIE_OK) return 1;
    printf("  step            time   momentum      energy     (change since the torque ended)\n");
    int failed = host_loop("rk4", rk4_step, NULL);
    failed += host_loop("stateless", stateless_step, NULL);
    failed += host_loop("kept", kept_step, &kept);
    return failed != 0;
}
