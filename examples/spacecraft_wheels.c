/* SPDX-License-Identifier: MIT */
/* A spacecraft tumbles, and is recovered from a flat spin by a wheel.
 *
 *     R' = R hat(w),     M' = M x w,     M = I w + h a        h the momentum of a wheel about the body axis a
 *
 * First scene: separation leaves it turning about its intermediate axis; it turns over again and again. The wheel
 * stands. Second scene: friction has brought it to a flat spin about the axis of largest inertia (3), with the same
 * momentum in space. The motor spins up the wheel on axis 1. The torque is internal: M does not change when h does,
 * only the rate w = I^-1 (M - h a). So between steps the program changes h and nothing else, and the momentum in space
 * stays what it was to round-off, however long the motor runs. In relative equilibrium the axis of the wheel stands at
 * the angle     cos(angle) = h I3 / ((I3 - I1) |M|)
 * to the momentum (I w + h a parallel to w), and reaches it at h = |M| (1 - I1/I3); then the wheel takes up the rest
 * and the body comes to a stop, but for a nutation of a few degrees that passing this point leaves.
 *
 * Reference: Hughes, Spacecraft Attitude Dynamics, 1986, chapter 6 (multispin vehicles); Gebman & Mingori, Perturbation
 * solution for the flat spin recovery of a dual-spin spacecraft, AIAA J. 14 (1976). */
#include <liestep/core.h>

#include <math.h>
#include <stdio.h>

#define STEP 0.2     /* s */
#define RAMP 20000.0 /* s, how long the motor runs */
#define DEGREES 57.29577951308232

static const double I1 = 600.0, I2 = 800.0, I3 = 1000.0, spin = 0.25; /* kg m^2, rad/s */

static double length(const double v[3])
{
    return hypot(hypot(v[0], v[1]), v[2]);
}

/* How far the momentum in space is from J0, relative. */
static double drift(const lie_system *sys, const lie_state *s, const double J0[3])
{
    double J[3];
    lie_state_spatial_momentum(sys, J, s);
    for (int i = 0; i < 3; i++) J[i] -= J0[i];
    return length(J) / length(J0);
}

static lie_status tumble(const lie_system *sys, lie_stepper *st)
{
    const double w[3] = {0.0025, spin, 0.0}, q[4] = {1, 0, 0, 0};
    double J0[3], rate[3] = {0.0}, E0 = 1.0, E = 0.0;
    lie_state s = {0};
    lie_status status = lie_state_set(sys, &s, 0.0, q, w);
    if (status == LIE_OK) status = lie_state_energy(sys, &E0, &s);
    lie_state_spatial_momentum(sys, J0, &s);
    printf("tumble:   time   rates w1, w2, w3 in deg/s            momentum    energy\n");
    for (int k = 0; k < 6 && status == LIE_OK; k++) {
        status = lie_run(st, &s, STEP, 300);
        if (status == LIE_OK) status = lie_state_energy(sys, &E, &s);
        if (status == LIE_OK) status = lie_state_velocity(sys, rate, &s);
        printf("  %10.0f s   %9.4f %9.4f %9.4f   %9.1e   %9.1e\n", s.t, DEGREES * rate[0], DEGREES * rate[1],
               DEGREES * rate[2], drift(sys, &s, J0), E / E0 - 1.0);
    }
    return status;
}

static lie_status recover(const lie_system *sys, lie_stepper *st, lie_satellite *craft)
{
    const double M[3] = {0.2, 0.3, I2 * spin}, q[4] = {1, 0, 0, 0}, full = length(M);
    double J0[3], rate[3];
    lie_state s;
    lie_status status = lie_state_set_momentum(sys, &s, 0.0, q, M);
    lie_state_spatial_momentum(sys, J0, &s);
    printf("recovery: time   wheel N m s   axis 1 to momentum, theory   body deg/s   momentum\n");
    for (long k = 0; k <= (long)(RAMP / STEP + 0.5) && status == LIE_OK; k++) {
        double h = craft->wheels[0], cosine = s.m[0] / full, theory = h * I3 / ((I3 - I1) * full);
        if (k % 10000 == 0) {
            status = lie_state_velocity(sys, rate, &s);
            printf("  %10.0f s   %9.2f      %9.3f      %9.3f      %9.4f   %9.1e\n", s.t, h, DEGREES * acos(cosine),
                   theory < 1.0 ? DEGREES * acos(theory) : 0.0, DEGREES * length(rate), drift(sys, &s, J0));
        }
        craft->wheels[0] = full * (s.t + 0.5 * STEP) / RAMP; /* its value in the middle of the step */
        if (status == LIE_OK) status = lie_step(st, &s, STEP);
    }
    return status;
}

int main(void)
{
    lie_satellite craft = {.inertia = {I1, 0, 0, 0, I2, 0, 0, 0, I3}}; /* orbit_rate 0: no gravity gradient */
    lie_system sys;
    lie_stepper *st;
    double work[1024];
    lie_status status = lie_satellite_system(&sys, &craft, "S3");
    if (status == LIE_OK)
        status = lie_stepper_init(&st, &sys, &(lie_options){.method = "sv", .retraction = "cay"}, work, sizeof work);
    if (status == LIE_OK) status = tumble(&sys, st);
    if (status == LIE_OK) status = recover(&sys, st, &craft);
    if (status != LIE_OK) printf("%s\n", lie_status_text(status));
    return status != LIE_OK;
}
