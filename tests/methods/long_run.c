/* SPDX-License-Identifier: MIT */
/* A long run: the free body with Euler-Poincare and the Cayley map on S3 and on SO3.
 *
 *     long_run [steps]        default 1e8
 *
 * Prints the largest error so far of the spatial momentum, |J - J0| / |J0|, and of the group element, | |q| - 1 | or
 * the largest entry of R^T R - 1, against the number of steps, and the exponent p of a fit error = c N^p over octaves.
 * Fails (exit code 1) unless the momentum stays within 1e-12, the element within 10 eps, and the growth is that of a
 * random walk or slower, p <= 0.65. With one bit of bias in the rounding of a step p is 1. */
#define _POSIX_C_SOURCE 200809L

#include <liestep/core.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OCTAVES = 60, FIRST_OCTAVE = 10, LOOKS = 64 };

/* What was seen up to the end of an octave, 2^k steps. */
typedef struct record {
    long long steps;
    double momentum, element;
} record;

static const lie_free_body body = {{1.1, 0.1, -0.2, 0.1, 2.3, 0.15, -0.2, 0.15, 2.9}};

static double norm3(const double a[3])
{
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

/* How far g is from the group, in units of eps */
static double element_error(int size, const double *g)
{
    double worst = 0.0;
    if (size == 4) return fabs(sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2] + g[3] * g[3]) - 1.0) / DBL_EPSILON;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double sum = g[i] * g[j] + g[3 + i] * g[3 + j] + g[6 + i] * g[6 + j] - (i == j ? 1.0 : 0.0);
            worst = fmax(worst, fabs(sum));
        }
    return worst / DBL_EPSILON;
}

static double momentum_error(const lie_system *sys, const lie_state *s, const double J0[3])
{
    double J[3];
    lie_state_spatial_momentum(sys, J, s);
    for (int i = 0; i < 3; i++) J[i] -= J0[i];
    return norm3(J) / norm3(J0);
}

/* Slope of log(momentum error) over log(steps) */
static double exponent(const record *r, int count)
{
    double x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
    for (int k = 0; k < count; k++) {
        double a = log((double)r[k].steps), b = log(fmax(r[k].momentum, 0.1 * DBL_EPSILON));
        x += a / count, y += b / count, xx += a * a / count, xy += a * b / count;
    }
    return count > 1 ? (xy - x * y) / (xx - x * x) : 0.0;
}

static void progress(const char *group, long long done, long long steps)
{
    if (isatty(STDERR_FILENO)) fprintf(stderr, "\r%s %3.0f %% \r", group, 100.0 * (double)done / (double)steps);
}

/* The run; the records are filled octave by octave. Answers their number, 0 on failure. */
static int run(lie_stepper *st, const lie_system *sys, lie_state *s, long long steps, record *r)
{
    double J0[3], momentum = 0.0, element = 0.0;
    int count = 0;
    lie_state_spatial_momentum(sys, J0, s);
    for (int k = FIRST_OCTAVE; k < OCTAVES && s->steps < steps; k++) {
        long long end = 1LL << k, look = (end - s->steps) / LOOKS;
        if (end > steps) end = steps;
        while (s->steps < end) {
            lie_status status = lie_run(st, s, 0.01, look < end - s->steps ? look : end - s->steps);
            if (status != LIE_OK) {
                fprintf(stderr, "step %lld: %s\n", s->steps, lie_status_text(status));
                return 0;
            }
            momentum = fmax(momentum, momentum_error(sys, s, J0));
            element = fmax(element, element_error(sys->group->size, s->g));
            progress(sys->group->group, s->steps, steps);
        }
        r[count++] = (record){s->steps, momentum, element};
    }
    return count;
}

/* 1 if all is as it should be */
static int report(const char *group, const record *r, int count)
{
    double p = exponent(r, count);
    const record *last = &r[count - 1];
    int good = last->momentum <= 1e-12 && last->element <= 10.0 && p <= 0.65;
    printf("%s\n  %12s  %-12s %s\n", group, "steps", "|J - J0|/|J0|", "element, eps");
    for (int k = 0; k < count; k++)
        if (k % 2 == 0 || k == count - 1) printf("  %12lld  %-12.2e  %.1f\n", r[k].steps, r[k].momentum, r[k].element);
    printf("  growth of the momentum error: N^%.2f: %s\n", p, good ? "good" : "NOT GOOD");
    return good;
}

static int long_run(const char *group, long long steps)
{
    const lie_options opt = {.method = "ep", .retraction = "cay"};
    const double omega[3] = {0.7, 0.9, -0.6};
    double work[256], g[9];
    record r[OCTAVES];
    lie_system sys;
    lie_stepper *st;
    lie_state s;
    lie_status status = lie_free_body_system(&sys, &body, group);
    if (status == LIE_OK) status = lie_stepper_init(&st, &sys, &opt, work, sizeof work);
    if (status == LIE_OK) {
        sys.group->identity(sys.group, g);
        status = lie_state_set(&sys, &s, 0.0, g, omega);
    }
    if (status != LIE_OK) {
        fprintf(stderr, "%s: %s\n", group, lie_status_text(status));
        return 0;
    }
    int count = run(st, &sys, &s, steps, r);
    return count > 0 && report(group, r, count);
}

int main(int argc, char **argv)
{
    char *end = 0;
    double steps = argc > 1 ? strtod(argv[1], &end) : 1e8;
    if (argc > 2 || (end && (*end || end == argv[1])) || !(steps >= 1024.0) || steps > 1e15) {
        fprintf(stderr, "usage: long_run [steps, at least 1024; default 1e8]\n");
        return 2;
    }
    int s3 = long_run("S3", (long long)steps), so3 = long_run("SO3", (long long)steps);
    return s3 && so3 ? 0 : 1;
}
