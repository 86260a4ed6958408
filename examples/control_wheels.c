/* SPDX-License-Identifier: MIT */
/* A spacecraft turns with wheels that saturate, and gets rid of their momentum on the way.
 *
 *     (J w)' = (J w + h) x w - u + b,     h' = u         on SO(3): rate w, wheels about the axes, torquers b
 *
 * The motors turn the wheels against the body, at most 0.2 N m each: the momentum of body and wheels together, J w + h,
 * changes only by the torquers, at most 0.1 N m, which are dear. At the start the wheels hold h = (4, -3, 2) N m s; at
 * the end the body rests in the new attitude and the wheels stand. Since the total momentum is constant in space but
 * for the torquers, these must give all of it, turned with the body. Wheels are inputs of the kind LIE_WHEEL: what they
 * have stored is part of the state of the manoeuvre. Usage: control_wheels [FILE.csv]
 *
 * Reference: Hughes, Spacecraft Attitude Dynamics, 1986, chapter 6; Jimenez, thesis, 2012, section 5.2. */
#include <liestep/liestep.h>

#include <math.h>
#include <stdio.h>

enum { WORK = 400000, INTERVALS = 120 };

static double work[WORK], step_work[4000];
static const lie_free_body body = {{100, 0, 0, 0, 120, 0, 0, 0, 80}};

/* six inputs: wheels, torquers on the body */
static void fill_inputs(lie_actuation *a)
{
    a->count = 6;
    for (int i = 0; i < 3; i++) {
        a->actuator[i] = (lie_actuator){.kind = LIE_WHEEL, .min = -0.2, .max = 0.2};
        a->actuator[i].along[i] = 1.0;
        a->actuator[3 + i] = (lie_actuator){.kind = LIE_BODY_WRENCH, .min = -0.1, .max = 0.1};
        a->actuator[3 + i].wrench[i] = 1.0;
    }
}

/* total momentum in space of body and wheels: R Pi */
static void total(double out[3], const lie_control_answer *a, int k)
{
    lie_so3_act(out, a->g + 12 * k, a->nu + 6 * k);
}

static void report(const lie_control_answer *a, FILE *csv)
{
    double sum[3] = {0.0}, first[3], last[3], worst = 0.0;
    int held[2] = {0, 0};
    if (csv) fprintf(csv, "t,u1,u2,u3,b1,b2,b3,h1,h2,h3\n");
    for (int k = 0; k <= a->N; k++) {
        double spatial[3], weight = a->h * (k == 0 || k == a->N ? 0.5 : 1.0);
        const double *u = a->u + 6 * k, *nu = a->nu + 6 * k;
        lie_so3_act(spatial, a->g + 12 * k, u + 3);
        for (int i = 0; i < 3; i++) sum[i] += weight * spatial[i];
        for (int i = 0; i < 6; i++) held[i / 3] += fabs(u[i]) > (i < 3 ? 0.2 : 0.1) - 1e-6;
        if (csv)
            fprintf(csv, "%.4f,%.6f,%.6f,%.6f,%.6f,%.6f,%.6f,%.6f,%.6f,%.6f\n", k * a->h, u[0], u[1], u[2], u[3], u[4],
                    u[5], nu[3], nu[4], nu[5]);
    }
    total(first, a, 0);
    total(last, a, a->N);
    for (int i = 0; i < 3; i++) worst = fmax(worst, fabs(last[i] - first[i] - sum[i]));
    printf("%d iterations, cost %.6f, residual %.0e; saturated: motors %d, torquers %d of %d\n", a->last.iteration,
           a->cost, a->last.residual, held[0], held[1], 3 * (a->N + 1));
    printf("momentum in space before (%.3f, %.3f, %.3f), after (%.0e, %.0e, %.0e) N m s\n", first[0], first[1],
           first[2], fabs(last[0]), fabs(last[1]), fabs(last[2]));
    printf("given by the torquers (%.3f, %.3f, %.3f): the balance is off by %.0e\n", sum[0], sum[1], sum[2], worst);
}

int main(int argc, char **argv)
{
    static const double weight[6] = {1, 1, 1, 50, 50, 50}, turn[3] = {0.9, -0.5, 1.2};
    static const double full[3] = {4, -3, 2}, empty[3] = {0, 0, 0}, from[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double to[9], off = 0.0;
    lie_actuation inputs = {.count = 0};
    lie_control *c;
    lie_large_state end; /* of the body and its wheels */
    FILE *csv = argc > 1 ? fopen(argv[1], "w") : 0;
    lie_so3_exp(to, turn);
    lie_status status = lie_free_body_system(&inputs.base, &body, "SO3");
    fill_inputs(&inputs);
    lie_control_problem p = {.actuation = &inputs,
                             .retraction = "cay",
                             .g0 = from,
                             .gT = to,
                             .wheels0 = full,
                             .wheelsT = empty,
                             .T = 60.0,
                             .N = INTERVALS,
                             .weight = weight};
    if (status == LIE_OK) status = lie_control_init(&c, &p, work, sizeof work);
    if (status == LIE_OK) status = lie_control_solve(c, 0);
    if (status == LIE_OK) report(lie_control_now(c), csv);
    if (status == LIE_OK) status = lie_control_fly(c, &end, step_work, sizeof step_work);
    for (int i = 0; i < 9 && status == LIE_OK; i++) off = fmax(off, fabs(end.g[i] - to[i]));
    if (status == LIE_OK) printf("flown: off by %.0e\n", off);
    if (csv) fclose(csv);
    if (status != LIE_OK) printf("%s\n", lie_status_text(status));
    return status == LIE_OK ? 0 : 1;
}
