/* SPDX-License-Identifier: MIT */
/* system_vehicle.c: Kirchhoff's underwater vehicle on SE3, g = (R, x).
 *
 * Dense inertia with added mass, weight W at a and buoyancy B at b, in N and m. With up = R^T e3:
 *     V = W e3 . (R a + x) - B e3 . (R b + x)
 *     F = ( (B b - W a) x up,  (B - W) up ),     d/ds up = up x eta_w
 *     f = -D xi - (q_i |xi_i| xi_i) + sum u_k (p_k x d_k, d_k)
 * D linear and q quadratic drag, thruster k at p_k along d_k with the thrust u_k in N.
 *
 * References: Leonard, Stability of a bottom-heavy underwater vehicle, Automatica 1997; Fossen, Handbook of Marine
 * Craft Hydrodynamics and Motion Control, 2011. */
#include <liestep/form.h>
#include <liestep/systems.h>

#include "groups/num/vec3.h"
#include "lib/systems/catalogue/named_group.h"
#include "lib/systems/directions.h"
#include "lib/systems/vessel.h"

/* B b - W a: the arm of the righting torque */
LIE_INLINE void righting_arm(double arm[3], const lie_vehicle *p)
{
    LIE_UNROLL
    for (int i = 0; i < 3; i++) arm[i] = p->buoyancy * p->buoyancy_at[i] - p->weight * p->weight_at[i];
}

static double vehicle_potential(const lie_system *sys, const double *g)
{
    const lie_vehicle *p = (const lie_vehicle *)sys->params;
    double arm[3];
    righting_arm(arm, p);
    return (p->weight - p->buoyancy) * g[11] - dot3(arm, g + 6);
}

static void vehicle_force(const lie_system *sys, double *F, const double *g)
{
    const lie_vehicle *p = (const lie_vehicle *)sys->params;
    double arm[3];
    righting_arm(arm, p);
    righting_force(F, arm, p->buoyancy - p->weight, g);
}

static void vehicle_weight(const lie_system *sys, double *w)
{
    const lie_vehicle *p = (const lie_vehicle *)sys->params;
    righting_arm(w, p);
    w[3] = p->buoyancy - p->weight;
}

static void vehicle_force_deriv(const lie_system *sys, double *D, const double *g)
{
    const lie_vehicle *p = (const lie_vehicle *)sys->params;
    double arm[3];
    righting_arm(arm, p);
    righting_force_deriv(D, arm, p->buoyancy - p->weight, g);
}

/* f += sum u_k (p_k x d_k, d_k) */
static void add_thrust(const lie_vehicle *p, double *f, const double *u)
{
    double torque[3];
    for (int k = 0; u && k < p->thrusters; k++) {
        cross3(torque, p->thruster_at[k], p->thruster_along[k]);
        for (int i = 0; i < 3; i++) {
            f[i] += u[k] * torque[i];
            f[3 + i] += u[k] * p->thruster_along[k][i];
        }
    }
}

static void vehicle_external(const lie_system *sys, double *f, double t, const double *g, const double *xi,
                             const double *u)
{
    const lie_vehicle *p = (const lie_vehicle *)sys->params;
    (void)t;
    (void)g;
    drag_force(f, p->linear_drag, p->quadratic_drag, xi);
    add_thrust(p, f, u);
}

static void vehicle_external_deriv(const lie_system *sys, double *D, double t, const double *g, const double *xi,
                                   const double *u)
{
    const lie_vehicle *p = (const lie_vehicle *)sys->params;
    (void)t;
    (void)g;
    (void)u;
    drag_force_deriv(D, p->linear_drag, p->quadratic_drag, xi);
}

static void vehicle_drag(const lie_system *sys, double *linear, double *quadratic)
{
    const lie_vehicle *p = (const lie_vehicle *)sys->params;
    copy_n(36, linear, p->linear_drag);
    copy_n(6, quadratic, p->quadratic_drag);
}

static void vehicle_thrust(const lie_system *sys, double *wrench, const double *u)
{
    zero_n(6, wrench);
    add_thrust((const lie_vehicle *)sys->params, wrench, u);
}

static const lie_form dragged_form = {
    .force = vehicle_force, .external = vehicle_external, .weight = vehicle_weight, .drag = vehicle_drag};
static const lie_form driven_form = {.force = vehicle_force,
                                     .external = vehicle_external,
                                     .weight = vehicle_weight,
                                     .drag = vehicle_drag,
                                     .thrust = vehicle_thrust};

/* Does anything act from outside? Without it more methods apply, and faster ones. */
static int has_external(const lie_vehicle *p)
{
    for (int i = 0; i < 36; i++)
        if (p->linear_drag[i] != 0.0) return 1;
    for (int i = 0; i < 6; i++)
        if (p->quadratic_drag[i] != 0.0) return 1;
    return p->thrusters > 0;
}

lie_status lie_vehicle_system(lie_system *out, const lie_vehicle *p, const char *group)
{
    static const char *const groups[] = {"SE3", 0};
    int acted_on = has_external(p), is_heavy = p->weight != 0.0 || p->buoyancy != 0.0;
    lie_system sys = {.name = "vehicle",
                      .inertia = p->inertia,
                      .params = p,
                      .form = p->thrusters > 0 ? &driven_form : &dragged_form,
                      .controls = p->thrusters,
                      .potential = is_heavy ? vehicle_potential : 0,
                      .force = is_heavy ? vehicle_force : 0,
                      .force_deriv = is_heavy ? vehicle_force_deriv : 0,
                      .external = acted_on ? vehicle_external : 0,
                      .external_deriv = acted_on ? vehicle_external_deriv : 0};
    if (p->thrusters < 0 || p->thrusters > LIE_THRUSTERS_MAX) return LIE_ERR_SIZE;
    lie_status status = lie__group_named(&sys.group, group, groups);
    if (status == LIE_OK) status = lie_system_check(&sys);
    if (status == LIE_OK) *out = sys;
    return status;
}
