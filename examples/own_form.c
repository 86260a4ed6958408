/* SPDX-License-Identifier: MIT */
/* A body of your own in closed form: a pendulum with a flywheel, on a turntable.
 *
 *     A(g) = n I a + s,     V(g) = l . a - n^2/2 a . I a - n s . a,     a = R^T e3 the vertical as the body sees it
 *
 * I: of the pendulum about its pivot, l = m g r: mass times gravity times the centre of mass, n: rate of the table
 * about e3, s: momentum of the wheel. Conserved: the energy, and the momentum about e3.
 *
 * No ready system is this body. Two functions say its numbers; lie_form_complete makes potential, force and gyroscopic
 * term of them, and the steppers take the numbers as they take those of a ready body: `sv` its short way with one
 * unknown, an ensemble its lanes. Beside it the same body with callbacks written by hand. Seen below: the numbers and
 * the callbacks say the same, and a wrong sign is found; both ways give one motion, to round-off; lanes change no bit.
 */
#include <liestep/liestep.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRAJECTORIES = 48, STEPS = 1000 };

typedef struct pendulum {
    double inertia[9], weight[3], wheel[3];
    double rate;
} pendulum;

static const pendulum *of(const lie_system *sys)
{
    return (const pendulum *)sys->params;
}

/* In numbers. */

static void weight(const lie_system *sys, double *l)
{
    memcpy(l, of(sys)->weight, 3 * sizeof *l);
}

static void frame(const lie_system *sys, lie_form_frame_terms *out)
{
    const pendulum *p = of(sys);
    *out = (lie_form_frame_terms){.rate = p->rate, .stored = {p->wheel[0], p->wheel[1], p->wheel[2]}};
}

static const lie_form in_numbers = {.weight = weight, .frame = frame};

/* By hand: along g exp(s e) the vertical changes by a x e, so that F = a x dV/da and dA/ds = n I (a x e). */

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void vertical(double a[3], const double *g)
{
    double back[4];
    lie_s3_inv(back, g);
    lie_s3_act(a, back, (double[3]){0.0, 0.0, 1.0}); /* R^T e3 */
}

static void times(double out[3], const double M[9], const double x[3])
{
    for (int i = 0; i < 3; i++) out[i] = dot(M + 3 * i, x);
}

static double potential(const lie_system *sys, const double *g)
{
    const pendulum *p = of(sys);
    double a[3], Ia[3];
    vertical(a, g);
    times(Ia, p->inertia, a);
    return dot(p->weight, a) - 0.5 * p->rate * p->rate * dot(a, Ia) - p->rate * dot(p->wheel, a);
}

static void force(const lie_system *sys, double *F, const double *g)
{
    const pendulum *p = of(sys);
    double a[3], slope[3];
    vertical(a, g);
    times(slope, p->inertia, a);
    for (int i = 0; i < 3; i++) slope[i] = p->weight[i] - p->rate * (p->rate * slope[i] + p->wheel[i]);
    lie_so3_ad(F, a, slope);
}

static void gyro(const lie_system *sys, double *A, const double *g)
{
    const pendulum *p = of(sys);
    double a[3];
    vertical(a, g);
    times(A, p->inertia, a);
    for (int i = 0; i < 3; i++) A[i] = p->rate * A[i] + p->wheel[i];
}

static void gyro_deriv(const lie_system *sys, double *D, const double *g)
{
    const pendulum *p = of(sys);
    double a[3], change[3], column[3];
    vertical(a, g);
    for (int j = 0; j < 3; j++) {
        double e[3] = {j == 0, j == 1, j == 2};
        lie_so3_ad(change, a, e);
        times(column, p->inertia, change);
        for (int i = 0; i < 3; i++) D[3 * i + j] = p->rate * column[i];
    }
}

/* A form may name callbacks of your own: it then speaks for them, and the comparison tells whether it is right. */
static void wrong_frame(const lie_system *sys, lie_form_frame_terms *out)
{
    frame(sys, out);
    out->stored[2] = -out->stored[2];
}

static const lie_form right = {.force = force, .gyro = gyro, .weight = weight, .frame = frame};
static const lie_form wrong = {.force = force, .gyro = gyro, .weight = weight, .frame = wrong_frame};

static const double g0[4] = {0.8, 0.36, 0.48, 0.0}, w0[3] = {0.7, -0.4, 0.9};

static lie_status compare(lie_system sys, const lie_form *form, const char *name)
{
    lie_system_report report;
    sys.form = form;
    lie_status status = lie_system_compare_derivatives(&sys, &report, 0.0, g0, w0, NULL);
    if (status == LIE_OK) printf("%-12s against callbacks: error %.1e\n", name, report.form);
    return status;
}

static lie_status solve(lie_state *s, const lie_system *sys, const char *name)
{
    double work[1024], a[3], E[2], J[2][3];
    lie_stepper *st;
    lie_options options = {.method = "sv", .retraction = "cay"};
    lie_status status = lie_stepper_init(&st, sys, &options, work, sizeof work);
    if (status == LIE_OK) status = lie_state_set(sys, s, 0.0, g0, w0);
    for (int k = 0; k < 2 && status == LIE_OK; k++) {
        status = lie_state_energy(sys, &E[k], s);
        lie_state_spatial_momentum(sys, J[k], s);
        if (status == LIE_OK && k == 0) status = lie_run(st, s, 0.01, STEPS);
    }
    if (status != LIE_OK) return status;
    vertical(a, s->g);
    printf("%-12s vertical %9.6f %9.6f %9.6f   energy %.9f, off by %.1e   momentum about e3 %.9f, off by %.1e\n", name,
           a[0], a[1], a[2], E[0], fabs(E[1] - E[0]), J[0][2], fabs(J[1][2] - J[0][2]));
    return LIE_OK;
}

/* The same trajectory many times: in lanes, where the processor has them, with the bits of the single run. */
static lie_status many(const lie_system *sys, const lie_state *alone, const char *name)
{
    lie_ensemble *e;
    lie_ensemble_options options = {.step = {.method = "sv", .retraction = "cay"}, .h = 0.01};
    size_t bytes = lie_ensemble_memsize(sys, 1, TRAJECTORIES, &options);
    void *work = malloc(bytes);
    lie_state s;
    lie_status status = lie_ensemble_init(&e, sys, 1, TRAJECTORIES, &options, work, bytes);
    if (status == LIE_OK) status = lie_state_set(sys, &s, 0.0, g0, w0);
    for (int i = 0; i < TRAJECTORIES && status == LIE_OK; i++) status = lie_ensemble_set(e, i, &s);
    if (status == LIE_OK) status = lie_ensemble_run(e, STEPS, NULL);
    if (status == LIE_OK) status = lie_ensemble_get(e, TRAJECTORIES - 1, &s);
    if (status == LIE_OK)
        printf("%-12s %d at once of %d: %s bits\n", name, lie_ensemble_lanes(e), lie_ensemble_lanes_max(),
               memcmp(s.g, alone->g, 4 * sizeof *s.g) == 0 ? "the same" : "other");
    free(work);
    return status;
}

int main(void)
{
    static const pendulum p = {.inertia = {1.2, 0.0, 0.0, 0.0, 1.5, 0.0, 0.0, 0.0, 0.5},
                               .weight = {0.2, -0.1, 3.0},
                               .wheel = {0.1, 0.0, 0.8},
                               .rate = 0.6};
    lie_system numbers = {
        .name = "pendulum", .group = &lie_s3_cay_ops, .inertia = p.inertia, .params = &p, .form = &in_numbers};
    lie_system hand = {.name = "pendulum",
                       .group = &lie_s3_cay_ops,
                       .inertia = p.inertia,
                       .params = &p,
                       .potential = potential,
                       .force = force,
                       .gyro = gyro,
                       .gyro_deriv = gyro_deriv};
    lie_state s, by_hand;
    lie_status status = lie_form_complete(&numbers);
    if (status == LIE_OK) status = compare(hand, &right, "form");
    if (status == LIE_OK) status = compare(hand, &wrong, "wrong form");
    if (status == LIE_OK) status = solve(&s, &numbers, "numbers");
    if (status == LIE_OK) status = solve(&by_hand, &hand, "by hand");
    if (status == LIE_OK) status = many(&numbers, &s, "numbers");
    if (status == LIE_OK) status = many(&hand, &by_hand, "by hand");
    if (status != LIE_OK) printf("%s\n", lie_status_text(status));
    return status == LIE_OK ? 0 : 1;
}
