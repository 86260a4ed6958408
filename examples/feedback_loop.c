/* SPDX-License-Identifier: MIT */
/* Two controllers in the loop: an attitude controller that needs no angles, and a vehicle that keeps its station.
 *
 *     u = -k e_R - c w + w x I w,     e_R = 1/2 (R - R^T)^vee            (Lee, Leok & McClamroch 2010, (15) to (17))
 *
 * turns a body from nearly half a turn to the identity, without a singularity and without going round. The function
 * (k/2) tr(1 - R) + 1/2 w . I w falls all the way: the controller is analogue (implicit feedback), so that the loop is
 * that of the equations to order 2 in the step. The second is a computer on board: once per step (zero-order hold) it
 * looks at the pose g and velocity xi of the underwater vehicle, asks for the wrench -K log(g) - C xi, and divides it
 * among eight thrusters that saturate at 15 N. It starts 3 m away, turned and drifting, and a pull of 5 N that it knows
 * nothing of leaves it 5/K off in the end.
 *
 * Reference: Lee, Leok & McClamroch, Geometric tracking control of a quadrotor UAV on SE(3), CDC 2010. */
#include <liestep/core.h>

#include <math.h>
#include <stdio.h>

#define DEGREES 57.29577951308232

static double work[4000];

static lie_status attitude(void *ctx, double *u, const lie_system *sys, double t, const double *R, const double *w)
{
    double m[3];
    (void)ctx, (void)t;
    lie_system_momentum(sys, m, R, w);
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        u[i] = -4.0 * 0.5 * (R[3 * k + j] - R[3 * j + k]) - 3.0 * w[i] + w[j] * m[k] - w[k] * m[j];
    }
    return LIE_OK;
}

static lie_status turn_body(void)
{
    static const lie_free_body body = {{1.1, 0.1, -0.2, 0.1, 2.3, 0.15, -0.2, 0.15, 2.9}};
    lie_actuation a = {.count = 3, .actuator = {{.wrench = {1, 0, 0}}, {.wrench = {0, 1, 0}}, {.wrench = {0, 0, 1}}}};
    lie_system sys;
    lie_stepper *st;
    lie_state s;
    double R[9], axis[3] = {3.1 * 0.36, 3.1 * 0.48, -3.1 * 0.8}, w[3] = {0.3, -0.2, 0.1}, x[3] = {0.0}, energy = 0.0;
    lie_so3_exp(R, axis);
    lie_status status = lie_free_body_system(&a.base, &body, "SO3");
    if (status == LIE_OK) status = lie_actuated_system(&sys, &a);
    if (status == LIE_OK) status = lie_stepper_init(&st, &sys, &(lie_options){.method = "sv"}, work, sizeof work);
    if (status == LIE_OK) status = lie_state_set(&sys, &s, 0.0, R, w);
    printf("attitude:  time   angle in deg   Lyapunov function\n");
    for (int k = 0; k <= 8 && status == LIE_OK; k++) {
        status = lie_state_energy(&sys, &energy, &s);
        if (status == LIE_OK) status = lie_so3_log(x, s.g);
        printf("  %10.1f s   %10.5f   %15.6e\n", s.t, DEGREES * sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]),
               energy + 2.0 * (3.0 - s.g[0] - s.g[4] - s.g[8]));
        if (status == LIE_OK) status = lie_feedback_run(st, &s, 0.02, 200, LIE_FEEDBACK_IMPLICIT, attitude, 0);
    }
    return status;
}

enum { THRUSTERS = 8 };

/* Eight thrusters at the corners of a box; u = B^T (B B^T)^-1 wrench for this geometry by a fixed pseudo-inverse */
typedef struct station {
    const lie_actuation *actuation;
    double pseudo[THRUSTERS * 6];
} station;

/* P = B^T (B B^T)^-1 by Gauss-Jordan */
static void pseudo_inverse(station *k, const double *g)
{
    double B[6 * THRUSTERS], A[6][12] = {{0.0}};
    lie_actuation_matrix(k->actuation, B, g);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            for (int l = 0; l < THRUSTERS; l++) A[i][j] += B[i * THRUSTERS + l] * B[j * THRUSTERS + l];
            A[i][6 + j] = i == j ? 1.0 : 0.0;
        }
    for (int p = 0; p < 6; p++)
        for (int i = 0; i < 6; i++) {
            double f = i == p ? 1.0 - 1.0 / A[p][p] : A[i][p] / A[p][p];
            for (int j = 0; j < 12; j++) A[i][j] -= f * A[p][j];
        }
    for (int l = 0; l < THRUSTERS; l++)
        for (int j = 0; j < 6; j++) {
            k->pseudo[l * 6 + j] = 0.0;
            for (int i = 0; i < 6; i++) k->pseudo[l * 6 + j] += B[i * THRUSTERS + l] * A[i][6 + j];
        }
}

static lie_status keep_station(void *ctx, double *u, const lie_system *sys, double t, const double *g, const double *xi)
{
    static const double K[6] = {12, 12, 12, 20, 20, 20}, C[6] = {10, 14, 14, 40, 50, 50};
    const station *k = (const station *)ctx;
    double x[6], wrench[6];
    (void)sys, (void)t;
    lie_status status = lie_se3_log(x, g);
    for (int i = 0; i < 6; i++) wrench[i] = -K[i] * x[i] - C[i] * xi[i];
    for (int l = 0; l < THRUSTERS; l++) {
        u[l] = 0.0;
        for (int i = 0; i < 6; i++) u[l] += k->pseudo[l * 6 + i] * wrench[i];
    }
    u[THRUSTERS] = 5.0; /* the pull, which the controller does not command: the last input */
    return status;
}

static void place_thrusters(lie_actuation *a)
{
    const double s = 0.70710678118654757;
    for (int l = 0; l < 4; l++) { /* four in the plane at 45 degrees, four upright */
        double x = l < 2 ? 0.5 : -0.5, y = l % 2 ? -0.3 : 0.3;
        a->actuator[l] = (lie_actuator){.kind = LIE_THRUSTER, .at = {x, y, 0}, .min = -15, .max = 15};
        a->actuator[l].along[0] = s, a->actuator[l].along[1] = x * y > 0.0 ? -s : s;
        a->actuator[4 + l] =
            (lie_actuator){.kind = LIE_THRUSTER, .at = {x, y, 0.1}, .along = {0, 0, 1}, .min = -15, .max = 15};
    }
    a->actuator[THRUSTERS] = (lie_actuator){.kind = LIE_SPATIAL_WRENCH};
}

static lie_status hold_station(void)
{
    static const double inertia[6] = {2.2, 6.1, 6.4, 33, 61, 64}, drag[6] = {2, 8, 8, 3, 20, 20};
    static const double twist[6] = {0.3, -0.2, 0.8, 2.0, -2.0, 1.0}, xi[6] = {0.1, 0.0, -0.1, 0.2, 0.1, 0.0};
    lie_vehicle v = {.weight = 0.0};
    lie_actuation a = {.count = THRUSTERS}, pulled;
    lie_system sys;
    lie_stepper *st;
    lie_state s;
    double g[12], x[6] = {0.0};
    lie_inertia_diagonal(6, v.inertia, inertia);
    lie_inertia_diagonal(6, v.linear_drag, drag);
    place_thrusters(&a);
    lie_status status = lie_vehicle_system(&a.base, &v, NULL);
    pulled = a;
    pulled.count = THRUSTERS + 1;
    pulled.actuator[THRUSTERS].wrench[4] = 1.0; /* along y in space, at the station */
    station k = {.actuation = &a};
    lie_se3_exp(g, twist);
    pseudo_inverse(&k, g);
    if (status == LIE_OK) status = lie_actuated_system(&sys, &pulled);
    if (status == LIE_OK) status = lie_stepper_init(&st, &sys, &(lie_options){.method = "sv"}, work, sizeof work);
    if (status == LIE_OK) status = lie_state_set(&sys, &s, 0.0, g, xi);
    printf("station:   time   off in m   turned in deg   pull/K in m\n");
    for (int i = 0; i <= 8 && status == LIE_OK; i++) {
        status = lie_se3_log(x, s.g);
        printf("  %10.1f s   %8.4f   %13.4f   %8.4f\n", s.t,
               sqrt(s.g[9] * s.g[9] + s.g[10] * s.g[10] + s.g[11] * s.g[11]),
               DEGREES * sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]), 5.0 / 20.0);
        if (status == LIE_OK) status = lie_feedback_run(st, &s, 0.05, 100, LIE_FEEDBACK_HOLD, keep_station, &k);
    }
    return status;
}

int main(void)
{
    lie_status status = turn_body();
    if (status == LIE_OK) status = hold_station();
    if (status != LIE_OK) printf("%s\n", lie_status_text(status));
    return status == LIE_OK ? 0 : 1;
}
