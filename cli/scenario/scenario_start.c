/* SPDX-License-Identifier: MIT */
/* scenario_start.c: where the system starts: attitude in any of its forms, position, velocities or momentum. A
 * quaternion or matrix within 1e-9 of a rotation is taken for it, brought to round-off; another one is refused with the
 * amount it is off, unless `normalize: true` asks for the nearest rotation. */
#include <math.h>
#include <string.h>

#include "cli/scenario/scenario_reading.h"

#define TOLERANCE 1e-9

/* One rotation in both forms. */
typedef struct attitude {
    double q[4], R[9];
} attitude;

static void from_quaternion(reading *r, attitude *a)
{
    double q[4];
    numbers_of(r, start_quaternion, 4, q);
    double norm = hypot(hypot(q[0], q[1]), hypot(q[2], q[3]));
    if (!flag_of(r, start_normalize) && !(fabs(norm - 1.0) <= TOLERANCE)) {
        complain(r, start_quaternion, "has norm %.12g, not 1; correct it, or say normalize: true", norm);
        return;
    }
    lie_status status = lie_s3_project(a->q, q);
    if (status != LIE_OK)
        complain(r, start_quaternion, "is no attitude: %s", norm == 0.0 ? "it is 0" : lie_status_text(status));
    else
        lie_quat_to_matrix(a->R, a->q);
}

/* the largest entry of |R^T R - 1| */
static double skewness(const double R[9])
{
    double worst = 0.0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double dot = R[i] * R[j] + R[3 + i] * R[3 + j] + R[6 + i] * R[6 + j] - (i == j ? 1.0 : 0.0);
            if (!(fabs(dot) <= worst)) worst = fabs(dot);
        }
    return worst;
}

static double determinant(const double R[9])
{
    return R[0] * (R[4] * R[8] - R[5] * R[7]) - R[1] * (R[3] * R[8] - R[5] * R[6]) + R[2] * (R[3] * R[7] - R[4] * R[6]);
}

static void from_matrix(reading *r, attitude *a)
{
    double M[9];
    numbers_of(r, start_matrix, 9, M);
    double off = skewness(M), det = determinant(M);
    if (!(det > 0.0)) {
        complain(r, start_matrix, "is no rotation: its determinant is %.6g%s", det,
                 off <= TOLERANCE ? ", it is a reflection" : "");
        return;
    }
    if (!flag_of(r, start_normalize) && !(off <= TOLERANCE)) {
        complain(r, start_matrix, "is no rotation: R^T R differs from 1 by %.3g; correct it, or say normalize: true",
                 off);
        return;
    }
    lie_status status = lie_so3_project(a->R, M);
    if (status == LIE_OK) status = lie_matrix_to_quat(a->q, a->R);
    if (status != LIE_OK) complain(r, start_matrix, "is no rotation: %s", lie_status_text(status));
}

static void in_radians(double e[3])
{
    for (int i = 0; i < 3; i++) e[i] *= 3.14159265358979323846 / 180.0;
}

/* Three angles or parameters, always a rotation */
static void from_three(reading *r, key_id key, attitude *a)
{
    double e[3];
    numbers_of(r, key, 3, e);
    if (key == start_euler_zyx_deg || key == start_euler_zxz_deg) in_radians(e);
    if (key == start_euler_zyx || key == start_euler_zyx_deg)
        lie_euler_zyx_to_quat(a->q, e);
    else if (key == start_euler_zxz || key == start_euler_zxz_deg)
        lie_euler_zxz_to_quat(a->q, e);
    else if (key == start_mrp)
        lie_mrp_to_quat(a->q, e);
    else
        lie_rotvec_to_quat(a->q, e);
    lie_quat_to_matrix(a->R, a->q);
    if (!isfinite(a->q[0])) complain(r, key, "is too large to be an attitude");
}

static bool read_attitude(reading *r, attitude *a)
{
    static const key_id threes[] = {start_euler_zyx,     start_euler_zyx_deg, start_euler_zxz,
                                    start_euler_zxz_deg, start_mrp,           start_rotvec};
    *a = (attitude){{1.0, 0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}};
    if (is_given(r, start_quaternion)) from_quaternion(r, a);
    if (is_given(r, start_matrix)) from_matrix(r, a);
    for (size_t i = 0; i < sizeof threes / sizeof threes[0]; i++)
        if (is_given(r, threes[i])) from_three(r, threes[i], a);
    return r->errors == 0;
}

/* g and the body velocity xi, in the layout of the group */
static bool read_state(reading *r, double *g, double *xi)
{
    int dim = r->out->system.group->dim, size = r->out->system.group->size;
    attitude a;
    if (dim == 2) {
        numbers_of(r, start_position, 2, g);
        numbers_of(r, start_velocity, 2, xi);
        return true;
    }
    if (!read_attitude(r, &a)) return false;
    memcpy(g, size == 4 ? a.q : a.R, (size == 4 ? sizeof a.q : sizeof a.R));
    numbers_of(r, start_angular_velocity, 3, xi);
    if (is_given(r, start_angular_velocity_deg)) {
        numbers_of(r, start_angular_velocity_deg, 3, xi);
        in_radians(xi);
    }
    if (dim == 6) {
        numbers_of(r, start_position, 3, g + 9);
        numbers_of(r, start_velocity, 3, xi + 3);
    }
    return true;
}

/* The key a failure is blamed on: what was given. */
static key_id blamed(const reading *r)
{
    static const key_id keys[] = {start_momentum, start_position, start_velocity, start_angular_velocity,
                                  start_angular_velocity_deg};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (is_given(r, keys[i])) return keys[i];
    return key_start;
}

bool start_build(reading *r)
{
    double g[LIE_SIZE_MAX], xi[LIE_DIM_MAX], m[LIE_DIM_MAX], energy, t = number_of(r, start_time);
    const lie_system *sys = &r->out->system;
    lie_state *s = &r->out->start;
    if (!read_state(r, g, xi)) return false;
    lie_status status;
    if (is_given(r, start_momentum)) {
        numbers_of(r, start_momentum, sys->group->dim, m);
        status = lie_state_set_momentum(sys, s, t, g, m);
    } else {
        status = lie_state_set(sys, s, t, g, xi);
    }
    if (status == LIE_OK) status = lie_state_energy(sys, &energy, s);
    if (status != LIE_OK)
        complain(r, blamed(r), "the system cannot start like this: %s", lie_status_text(status));
    else if (!isfinite(energy))
        complain(r, system_has(r->system, parameters_gm) ? start_position : blamed(r),
                 "the system cannot start like this: its energy is not finite%s",
                 system_has(r->system, parameters_gm) ? "; keep away from 0" : "");
    return r->errors == 0;
}
