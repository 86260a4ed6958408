/* SPDX-License-Identifier: MIT */
/* pairs_bodies.c: the bodies of bench_pairs: the README's heavy top, a satellite, underwater vehicles with a dense and
 * a diagonal inertia; the same as seen by methods that must call for the potential; and with forces. See pairs.h.
 *
 * Torques use no function of libm, which would cost both sides the same and hide what a step costs. */
#include "pairs.h"

#include <math.h>
#include <string.h>

const double pair_velocity[6] = {0.7, 0.9, -0.6, 0.4, -0.3, 0.8};
const double pair_controls[LIE_ACTUATORS_MAX + 3] = {0.05, -0.04, 0.03, 0.02, -0.03};

double pair_rate(void)
{
    const double *w = pair_velocity;
    return sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
}

static lie_heavy_top top = {{1.0, 0, 0, 0, 2.0, 0, 0, 0, 3.0}, 1.0, {0.3, -0.2, 1.0}, 9.81};
static lie_satellite satellite = {.inertia = {1.0, 0.05, 0, 0.05, 2.0, 0.1, 0, 0.1, 2.6}, .orbit_rate = 0.5};
static lie_free_body loose = {{1.1, 0.2, -0.1, 0.2, 1.7, 0.15, -0.1, 0.15, 2.3}};

static lie_status make_top(lie_system *sys, const char *group)
{
    return lie_heavy_top_system(sys, &top, group);
}

static lie_status make_satellite(lie_system *sys, const char *group)
{
    return lie_satellite_system(sys, &satellite, group);
}

static void fill_vehicle(lie_vehicle *v, int is_dense)
{
    *v = (lie_vehicle){.weight = 11.0, .buoyancy = 11.0, .weight_at = {0.02, -0.01, -0.3}};
    lie_inertia_diagonal(6, v->inertia, (const double[6]){1.0, 2.0, 3.0, 1.5, 2.5, 3.5});
    if (!is_dense) return;
    for (int i = 1; i < 6; i++) v->inertia[i] = v->inertia[6 * i] = 0.02 * i;
    v->inertia[10] = v->inertia[25] = 0.3;
}

static lie_status make_dense(lie_system *sys, const char *group)
{
    static lie_vehicle dense;
    fill_vehicle(&dense, 1);
    return lie_vehicle_system(sys, &dense, group);
}

static lie_status make_diagonal(lie_system *sys, const char *group)
{
    static lie_vehicle diagonal;
    fill_vehicle(&diagonal, 0);
    return lie_vehicle_system(sys, &diagonal, group);
}

/* The same callbacks, but nothing says that they have a closed form. */
static lie_status make_own_top(lie_system *sys, const char *group)
{
    lie_status status = make_top(sys, group);
    sys->form = NULL;
    return status;
}

static lie_status make_own_dense(lie_system *sys, const char *group)
{
    lie_status status = make_dense(sys, group);
    sys->form = NULL;
    return status;
}

/* A torque of time, attitude, rate and input, as a user writes it, without its derivative. */
static void torque(const lie_system *sys, double *f, double t, const double *g, const double *xi, const double *u)
{
    const double up[3] = {0.0, 0.0, 1.0}, wave = 0.1 / (1.0 + 0.01 * t * t);
    double a[3];
    sys->group->Adt(sys->group, a, g, up);
    f[0] = wave - 0.04 * xi[0] + (u ? u[0] : 0.0);
    f[1] = 0.05 * a[2] - 0.04 * xi[1] + (u ? u[1] : 0.0);
    f[2] = -0.05 * a[1] - 0.04 * xi[2] + (u ? u[2] : 0.0);
}

static lie_status make_torque(lie_system *sys, const char *group)
{
    lie_status status = lie_free_body_system(sys, &loose, group);
    sys->external = torque;
    sys->controls = 3;
    return status;
}

/* f_i = -(c + q |w_i|) w_i on the top */
static void drag(const lie_system *sys, double *f, double t, const double *g, const double *xi, const double *u)
{
    (void)sys, (void)t, (void)g, (void)u;
    for (int i = 0; i < 3; i++) f[i] = -(0.03 + 0.02 * fabs(xi[i])) * xi[i];
}

static void drag_deriv(const lie_system *sys, double *D, double t, const double *g, const double *xi, const double *u)
{
    (void)sys, (void)t, (void)g, (void)u;
    memset(D, 0, 9 * sizeof *D);
    for (int i = 0; i < 3; i++) D[4 * i] = -(0.03 + 0.04 * fabs(xi[i]));
}

static lie_status make_drag(lie_system *sys, const char *group)
{
    lie_status status = make_top(sys, group);
    sys->external = drag;
    sys->external_deriv = drag_deriv;
    return status;
}

static lie_status make_wheels(lie_system *sys, const char *group)
{
    static lie_actuation p;
    p = (lie_actuation){.count = 3,
                        .actuator = {{.kind = LIE_WHEEL, .along = {1.0, 0.0, 0.0}},
                                     {.kind = LIE_WHEEL, .along = {0.0, 1.0, 0.0}},
                                     {.kind = LIE_WHEEL, .along = {0.0, 0.0, 1.0}}}};
    lie_status status = lie_free_body_system(&p.base, &loose, group);
    return status == LIE_OK ? lie_actuated_system(sys, &p) : status;
}

static lie_status make_thrusters(lie_system *sys, const char *group)
{
    static lie_actuation p;
    p = (lie_actuation){.count = 4,
                        .actuator = {{.kind = LIE_THRUSTER, .at = {0.0, 1.0, 0.0}, .along = {1.0, 0.0, 0.0}},
                                     {.kind = LIE_THRUSTER, .at = {0.0, 0.0, 1.0}, .along = {0.0, 1.0, 0.0}},
                                     {.kind = LIE_THRUSTER, .at = {1.0, 0.0, 0.0}, .along = {0.0, 0.0, 1.0}},
                                     {.kind = LIE_THRUSTER, .at = {-1.0, 0.0, 0.0}, .along = {0.0, 1.0, 0.0}}}};
    lie_status status = make_top(&p.base, group);
    return status == LIE_OK ? lie_actuated_system(sys, &p) : status;
}

static lie_status make_dragged(lie_system *sys, const char *group)
{
    static lie_vehicle v;
    fill_vehicle(&v, 1);
    for (int i = 0; i < 6; i++) v.linear_drag[7 * i] = 0.05, v.quadratic_drag[i] = 0.02;
    return lie_vehicle_system(sys, &v, group);
}

static lie_status make_driven(lie_system *sys, const char *group)
{
    static lie_vehicle v;
    fill_vehicle(&v, 1);
    for (int i = 0; i < 6; i++) v.linear_drag[7 * i] = 0.05;
    v.thrusters = 4;
    for (int i = 0; i < 4; i++) {
        v.thruster_at[i][i % 2] = i < 2 ? 0.5 : -0.5;
        v.thruster_along[i][(i + 1) % 3] = 1.0;
    }
    return lie_vehicle_system(sys, &v, group);
}

static const pair_body bodies[] = {
    {"top", "S3", make_top, 0},
    {"top", "SO3", make_top, 0},
    {"satellite", "S3", make_satellite, 0},
    {"satellite", "SO3", make_satellite, 0},
    {"dense", "SE3", make_dense, 0},
    {"diagonal", "SE3", make_diagonal, 0},
    {"own-top", "S3", make_own_top, 0},
    {"own-top", "SO3", make_own_top, 0},
    {"own-dense", "SE3", make_own_dense, 0},
    {"torque", "S3", make_torque, 1},
    {"drag", "S3", make_drag, 1},
    {"wheels", "S3", make_wheels, 1},
    {"thrusters", "S3", make_thrusters, 1},
    {"drag", "SE3", make_dragged, 1},
    {"thrusters", "SE3", make_driven, 1},
};

const pair_body *pair_body_find(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        size_t n = strlen(bodies[i].name);
        if (length == n + 1 + strlen(bodies[i].group) && memcmp(name, bodies[i].name, n) == 0 && name[n] == '/' &&
            memcmp(name + n + 1, bodies[i].group, length - n - 1) == 0)
            return &bodies[i];
    }
    return NULL;
}
