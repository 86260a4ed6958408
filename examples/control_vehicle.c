/* SPDX-License-Identifier: MIT */
/* Manoeuvres of an underwater vehicle with five thrusters and no force along its y axis.
 *
 *     minimise 1/2 int |u|^2 dt,     g' = g xi,   (I xi)' = ad*_xi (I xi) - D xi + B u     on SE(3), rest to rest
 *
 * Thrusters 1 to 3 push ahead, from the corners of a triangle (arms c), 4 and 5 along z from both sides (arms d):
 *     torques d (u5 - u4), c ((u1 + u2)/2 - u3), c sin(60 deg) (u2 - u1);   forces u1 + u2 + u3 (x), u4 + u5 (z).
 * The thesis gives a cylinder of 3 kg and N = 32; length 0.6 m, radius 0.1 m, c = 0.1 m, d = 0.15 m, drag and T = 10 s
 * are chosen here, and y is the axis without a force (the thesis names two). Parallel parking, 1 m along y, starts from
 * a bent path: along the straight one the inputs do not act on y to first order, and the solver says so.
 * Usage: control_vehicle [FILE.csv]
 *
 * Reference: Jimenez, thesis, 2012, section 5.2.9, Figures 5.1 and 5.2. */
#include <liestep/liestep.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WORK = 100000, INTERVALS = 32 };

static double work[WORK], step_work[2000], paths[40000];
static lie_vehicle vehicle;
static lie_actuation thrusters;

static lie_status make_vehicle(void)
{
    const double m = 3.0, r = 0.1, l = 0.6, c = 0.1, d = 0.15, s = c * sin(acos(-1.0) / 3.0);
    const double across = m * (3.0 * r * r + l * l) / 12.0, drag[6] = {0.01, 0.02, 0.02, 0.3, 0.6, 0.6};
    const double inertia[6] = {0.5 * m * r * r, across, across, m, m, m};
    const double wrench[5][6] = {
        {0, c / 2, -s, 1, 0, 0}, {0, c / 2, s, 1, 0, 0}, {0, -c, 0, 1, 0, 0}, {-d, 0, 0, 0, 0, 1}, {d, 0, 0, 0, 0, 1}};
    lie_inertia_diagonal(6, vehicle.inertia, inertia);
    lie_inertia_diagonal(6, vehicle.linear_drag, drag);
    thrusters.count = 5;
    for (int i = 0; i < 5; i++) memcpy(thrusters.actuator[i].wrench, wrench[i], sizeof wrench[i]);
    return lie_vehicle_system(&thrusters.base, &vehicle, NULL);
}

static void write_path(FILE *csv, const char *name, const lie_control_answer *a)
{
    double xi[6] = {0.0};
    for (int k = 0; csv && k <= a->N; k++) {
        if (lie_system_velocity(&thrusters.base, xi, a->g + 12 * k, a->nu + 6 * k) != LIE_OK) return;
        fprintf(csv, "%s,%.6f", name, k * a->h);
        for (int i = 0; i < 5; i++) fprintf(csv, ",%.6f", a->u[5 * k + i]);
        for (int i = 0; i < 6; i++) fprintf(csv, ",%.6f", xi[i]);
        for (int i = 0; i < 12; i++) fprintf(csv, ",%.6f", a->g[12 * k + i]);
        fprintf(csv, "\n");
    }
}

static lie_status fly(const char *name, const double *twist, FILE *csv)
{
    double from[12], to[12], off = 0.0;
    lie_control *c;
    lie_control_extremal list[6];
    lie_state end;
    int found = 0, failed = 0;
    lie_se3_identity(from);
    lie_se3_exp(to, twist);
    lie_control_problem p = {
        .actuation = &thrusters, .retraction = "cay", .g0 = from, .gT = to, .T = 10.0, .N = INTERVALS};
    lie_status status = lie_control_init(&c, &p, work, sizeof work), first;
    if (status != LIE_OK) return status;
    const lie_control_answer *a = lie_control_now(c);
    first = lie_control_solve(c, 0);
    int bent = first == LIE_ERR_UNREACHABLE;
    if (bent) first = lie_control_line(c, 0);
    if (bent && first == LIE_OK) first = lie_control_bend(c, 0.7, 5);
    if (bent && first == LIE_OK) first = lie_control_solve(c, 0);
    if (first != LIE_OK) return first;
    status = lie_control_fly(c, &end, step_work, sizeof step_work);
    for (int i = 0; i < 12; i++) off = fmax(off, fabs(end.g[i] - to[i]));
    printf("%-16s %s start: %2d iterations, cost %.6f, residual %.0e, along y %.0e, flown: off by %.0e\n", name,
           bent ? "bent" : "line", a->last.iteration, a->cost, a->last.residual, lie_control_unactuated(c), off);
    if (status == LIE_OK) status = lie_control_search(c, 0, 10, list, 6, &found, &failed, paths, sizeof paths);
    printf("  of 10 starts %d failed; %d extremals, costs", failed, found);
    for (int i = 0; i < found; i++) printf(" %.6f", list[i].cost);
    printf("\n");
    write_path(csv, name, a);
    return status;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        double twist[6];
    } manoeuvres[3] = {{"reconfiguration", {0.5, 0.3, -0.8, 2, 1, 0.5}},
                       {"parallel parking", {0, 0, 0, 0, 1, 0}},
                       {"flip", {0, 3.0, 0, 1, 0, 0}}};
    FILE *csv = argc > 1 ? fopen(argv[1], "w") : 0;
    lie_status status = make_vehicle();
    if (csv) fprintf(csv, "manoeuvre,t,u1,u2,u3,u4,u5,w1,w2,w3,v1,v2,v3,R11,R12,R13,R21,R22,R23,R31,R32,R33,x,y,z\n");
    for (int i = 0; i < 3 && status == LIE_OK; i++) status = fly(manoeuvres[i].name, manoeuvres[i].twist, csv);
    if (csv) fclose(csv);
    if (status != LIE_OK) printf("%s\n", lie_status_text(status));
    return status == LIE_OK ? 0 : 1;
}
