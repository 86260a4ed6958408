/* SPDX-License-Identifier: MIT */
/* Turn a body from rest to rest with the least effort.
 *
 *     minimise 1/2 int |u|^2 dt,     R' = R hat(w),   I w' = I w x w + u,     (R, w) from (1, 0) to (R_T, 0)
 *
 * The discrete problem has the steps of the integrator for its constraints, so its inputs can be flown: the table shows
 * where they end. Its cost tends to that of the continuous problem like h^2. Then a half-turn, for which there are two
 * ways of the same cost, and a turn for which the way round is dearer: the search tells the extremals apart.
 * Usage: control_attitude [FILE.csv]
 *
 * Reference: Jimenez, thesis, 2012, sections 5.2.6 and 5.2.7. */
#include <liestep/liestep.h>

#include <math.h>
#include <stdio.h>

enum { WORK = 400000, EXTREMALS = 4 };

static double work[WORK], step_work[2000], paths[40000];
static const lie_free_body body = {{1.1, 0.1, -0.2, 0.1, 2.3, 0.15, -0.2, 0.15, 2.9}};
static const double start[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

/* How far from R_T the inputs lead when they are flown */
static double miss(const lie_control *c, const double *R_T)
{
    lie_state end;
    double worst = 0.0;
    if (lie_control_fly(c, &end, step_work, sizeof step_work) != LIE_OK) return HUGE_VAL;
    for (int i = 0; i < 9; i++) worst = fmax(worst, fabs(end.g[i] - R_T[i]));
    for (int i = 0; i < 3; i++) worst = fmax(worst, fabs(end.m[i]));
    return worst;
}

static lie_status refine(lie_control_problem *p)
{
    lie_control *c;
    lie_status status = LIE_OK;
    double last = 0.0, change = 0.0;
    printf("  intervals   iterations   cost          ratio of changes   residual   flown: off by\n");
    for (p->N = 8; p->N <= 512 && status == LIE_OK; p->N *= 2) {
        status = lie_control_init(&c, p, work, sizeof work);
        if (status == LIE_OK) status = lie_control_solve(c, 0);
        if (status != LIE_OK) break;
        const lie_control_answer *a = lie_control_now(c);
        printf("  %9d   %10d   %.9f   %16.3f   %8.0e   %8.0e\n", p->N, a->last.iteration, a->cost,
               p->N >= 32 ? change / (a->cost - last) : 0.0, a->last.residual, miss(c, p->gT));
        change = a->cost - last, last = a->cost;
    }
    return status;
}

static lie_status both_ways(const char *name, lie_control_problem *p, FILE *csv)
{
    lie_control *c;
    lie_control_extremal list[EXTREMALS];
    int found = 0, failed = 0;
    p->N = 64;
    lie_status status = lie_control_init(&c, p, work, sizeof work);
    if (status == LIE_OK) status = lie_control_search(c, 0, 6, list, EXTREMALS, &found, &failed, paths, sizeof paths);
    if (status != LIE_OK) return status;
    const lie_control_answer *a = lie_control_now(c);
    printf("%s: %d extremals, %d starts failed\n", name, found, failed);
    for (int i = 0; i < found; i++)
        printf("  cost %.6f   found by %d starts, start %d in %d iterations\n", list[i].cost, list[i].hits,
               list[i].start, list[i].iterations);
    if (csv) fprintf(csv, "t,u1,u2,u3,w1,w2,w3\n");
    for (int k = 0; csv && k <= a->N && status == LIE_OK; k++) {
        const double *u = a->u + 3 * k;
        double w[3];
        status = lie_system_velocity(&p->actuation->base, w, a->g + 9 * k, a->nu + 3 * k);
        fprintf(csv, "%.6f,%.6f,%.6f,%.6f,%.6f,%.6f,%.6f\n", k * a->h, u[0], u[1], u[2], w[0], w[1], w[2]);
    }
    return status;
}

int main(int argc, char **argv)
{
    lie_actuation torques = {.count = 3,
                             .actuator = {{.wrench = {1, 0, 0}}, {.wrench = {0, 1, 0}}, {.wrench = {0, 0, 1}}}};
    double R_T[9], half[9], turn[3] = {1.2, -0.7, 1.5}, about[3] = {3.14159265358979312, 0, 0};
    lie_control_problem p = {.actuation = &torques, .retraction = "cay", .g0 = start, .gT = R_T, .T = 3.0};
    FILE *csv = argc > 1 ? fopen(argv[1], "w") : 0;
    lie_so3_exp(R_T, turn);
    lie_so3_exp(half, about);
    lie_status status = lie_free_body_system(&torques.base, &body, "SO3");
    if (status == LIE_OK) status = refine(&p);
    if (status == LIE_OK) status = both_ways("turn of 2.05 rad", &p, csv);
    p.gT = half;
    if (status == LIE_OK) status = both_ways("half-turn", &p, 0);
    if (csv) fclose(csv);
    if (status != LIE_OK) printf("%s\n", lie_status_text(status));
    return status == LIE_OK ? 0 : 1;
}
