/* SPDX-License-Identifier: MIT */
/* An underwater vehicle with drag and thrusters that switch.
 *
 *     g' = g xi,   (I xi)' = ad*_xi (I xi) + F(g) + f(xi, u)          on SE(3)
 *     f = -D xi - q |xi| xi + sum_k u_k (p_k x d_k, d_k)
 *
 * I holds rigid body and added mass, dense; no acceleration is differentiated. Two stern thrusters push ahead; after
 * 20 s the one on starboard (y < 0) reverses, after 30 s both stop. A thrust that jumps at a node is exact: each step
 * takes the control at its start (u-) and at its end (u+).
 *
 * Three things to see in the table. Faster than 1 m/s the Munk moment, (64 - 33) u w, beats the righting moment of the
 * weight that hangs 0.1 m below the buoyancy, 30 N m: the vehicle pitches, dives, and settles at an angle to its path.
 * With the thrusters opposed it turns. Without them drag takes the speed, and buoyancy puts it upright again.
 *
 * Reference: Jimenez, thesis, 2012, section 5.2.6 (forces f- and f+); Fossen, Handbook of Marine Craft, 2011. */
#include <liestep/core.h>

#include <math.h>
#include <stdio.h>

#define STEP 0.05 /* s */

static lie_vehicle make_vehicle(void)
{
    static const double I[6][6] = {{2.2, 0.0, -0.1, 0.0, 0.3, 0.0},  {0.0, 6.1, 0.0, -0.3, 0.0, 1.2},
                                   {-0.1, 0.0, 6.4, 0.0, -1.2, 0.0}, {0.0, -0.3, 0.0, 33.0, 0.0, 0.4},
                                   {0.3, 0.0, -1.2, 0.0, 61.0, 0.0}, {0.0, 1.2, 0.0, 0.4, 0.0, 64.0}};
    lie_vehicle v = {.weight = 299.0,
                     .buoyancy = 299.0,
                     .weight_at = {0.0, 0.0, -0.10},
                     .linear_drag = {0.0},
                     .quadratic_drag = {1.2, 9.0, 9.0, 4.0, 90.0, 90.0},
                     .thrusters = 2,
                     .thruster_at = {{-0.7, 0.2, 0.0}, {-0.7, -0.2, 0.0}},
                     .thruster_along = {{1.0, 0.0, 0.0}, {1.0, 0.0, 0.0}}};
    static const double damping[6] = {2.0, 8.0, 8.0, 3.0, 20.0, 20.0};
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) v.inertia[6 * i + j] = I[i][j];
        v.linear_drag[7 * i] = damping[i];
    }
    return v;
}

/* thrust in N after time t */
static void thrust(double u[2], double t)
{
    u[0] = t < 30.0 ? 12.0 : 0.0;
    u[1] = t < 20.0 ? 12.0 : t < 30.0 ? -6.0 : 0.0;
}

static lie_status report(const lie_system *sys, const lie_state *s)
{
    double xi[6];
    lie_status status = lie_state_velocity(sys, xi, s);
    if (status == LIE_OK)
        printf("  %5.1f   (%7.3f, %7.3f, %7.3f)   %9.4f   %10.4f   %11.5f\n", s->t, s->g[9], s->g[10], s->g[11], xi[3],
               57.29577951308232 * xi[2], s->g[8]);
    return status;
}

int main(void)
{
    lie_vehicle vehicle = make_vehicle();
    lie_system sys;
    lie_stepper *st;
    lie_state s;
    double work[4096], u[2], g[12];
    const double at_rest[6] = {0.0};
    lie_se3_identity(g);
    lie_status status = lie_vehicle_system(&sys, &vehicle, NULL);
    if (status == LIE_OK) status = lie_stepper_init(&st, &sys, &(lie_options){.method = "auto"}, work, sizeof work);
    if (status == LIE_OK) status = lie_state_set(&sys, &s, 0.0, g, at_rest);
    if (status == LIE_OK) lie_stepper_control(st, u, u);
    printf("   time   position in m                   ahead m/s   turn deg/s   upright (1)\n");
    for (int leg = 0; leg < 16 && status == LIE_OK; leg++) {
        thrust(u, s.t); /* constant during a leg of 5 s */
        status = lie_run(st, &s, STEP, 100);
        if (status == LIE_OK) status = report(&sys, &s);
    }
    if (status != LIE_OK) printf("%s\n", lie_status_text(status));
    return status == LIE_OK ? 0 : 1;
}
