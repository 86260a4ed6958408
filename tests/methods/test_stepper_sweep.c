/* SPDX-License-Identifier: MIT */
/* The implicit equation of a step with the Cayley map, for steps from tiny to long and inertias from round to needle:
 *
 *     (dcay^-1_{h xi})^T I xi = P
 *
 * The test follows the solution from h = 0, where xi = I^-1 P, in extended precision and with formulas of its own. The
 * step of the library must be the one that belongs to it, to round-off times the condition of the equation, or be
 * refused: never a wrong answer, nor one of another branch, with a good status.
 *
 * Formulas: Jimenez 2012, (5.55), (6.39), (6.40). */
#include "tests/support/stepper_fixture.h"

typedef long double real;

static void extend(int n, real *out, const double *in)
{
    for (int i = 0; i < n; i++) out[i] = (real)in[i];
}

static walker w;

static void cross(real out[3], const real a[3], const real b[3])
{
    real r[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    memcpy(out, r, sizeof r);
}

static real dot(const real a[3], const real b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* (dcay^-1_x)^T m, n = 3 on SO3 and S3, 6 on SE3 */
static void dual(int n, real *out, const real *x, const real *m)
{
    real a[3], b[3], c[3], along = dot(x, m);
    cross(a, x, m);
    for (int i = 0; i < 3; i++) out[i] = m[i] + a[i] / 2 + along * x[i] / 4;
    if (n == 3) return;
    cross(a, x, m + 3);
    for (int i = 0; i < 3; i++) b[i] = m[3 + i] + a[i] / 2;
    cross(c, x + 3, b);
    for (int i = 0; i < 3; i++) out[i] += c[i] / 2, out[3 + i] = b[i];
}

typedef struct equation {
    int n;
    real inertia[36], P[6];
} equation;

static void residual(const equation *q, real *r, real h, const real *xi)
{
    real mu[6] = {0}, x[6] = {0};
    for (int i = 0; i < q->n; i++) {
        mu[i] = 0, x[i] = h * xi[i];
        for (int j = 0; j < q->n; j++) mu[i] += q->inertia[i * q->n + j] * xi[j];
    }
    dual(q->n, r, x, mu);
    for (int i = 0; i < q->n; i++) r[i] -= q->P[i];
}

/* b <- A^-1 b; answers the determinant of A, which is destroyed */
static real eliminate(int n, real *A, real *b)
{
    real det = 1;
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabsl(A[i * n + k]) > fabsl(A[best * n + k])) best = i;
        if (A[best * n + k] == 0) return 0;
        for (int j = 0; j < n && best != k; j++) {
            real swap = A[k * n + j];
            A[k * n + j] = A[best * n + j], A[best * n + j] = swap;
        }
        if (best != k) {
            real swap = b[k];
            b[k] = b[best], b[best] = swap, det = -det;
        }
        det *= A[k * n + k];
        for (int i = 0; i < n; i++) {
            real f = i == k ? 0 : A[i * n + k] / A[k * n + k];
            for (int j = k; j < n && f != 0; j++) A[i * n + j] -= f * A[k * n + j];
            b[i] -= f * b[k];
        }
    }
    for (int i = 0; i < n; i++) b[i] /= A[i * n + i];
    return det;
}

/* One Newton update of xi with the matrix of central differences. Answers the size of the update relative to xi; -1
 * where the determinant is not positive. */
static real newton(const equation *q, real h, real *xi)
{
    real J[36], r[6], plus[6], minus[6], size = 0, most = 0;
    int n = q->n;
    for (int j = 0; j < n; j++) most = fmaxl(most, fabsl(xi[j]));
    for (int j = 0; j < n; j++) {
        real kept = xi[j], d = most * 0x1p-20L;
        xi[j] = kept + d, residual(q, plus, h, xi);
        xi[j] = kept - d, residual(q, minus, h, xi);
        xi[j] = kept;
        for (int i = 0; i < n; i++) J[i * n + j] = (plus[i] - minus[i]) / (2 * d);
    }
    residual(q, r, h, xi);
    if (!(eliminate(n, J, r) > 0)) return -1;
    for (int i = 0; i < n; i++) xi[i] -= r[i], size = fmaxl(size, fabsl(r[i]));
    return size / most;
}

/* xi on the branch that starts at h = 0; 0 where it ends before h. Steps are halved until Newton moves little. */
static int follow(const equation *q, real h, real *xi)
{
    real A[36], done = 0, step = 0.03125L;
    memcpy(A, q->inertia, sizeof A);
    memcpy(xi, q->P, sizeof q->P);
    eliminate(q->n, A, xi);
    while (done < 1) {
        real try[6], next = done + step < 1 ? done + step : 1;
        memcpy(try, xi, sizeof try);
        real first = newton(q, next * h, try), last = first;
        int near = first >= 0 && first < 0.03L;
        for (int it = 0; near && it < 10 && last > 1e-17L; it++) {
            last = newton(q, next * h, try);
            near = last >= 0;
        }
        if (near && last < 1e-12L) {
            memcpy(xi, try, sizeof try);
            done = next, step *= 2;
        } else if ((step /= 2) < 1e-9L) {
            return 0;
        }
    }
    return 1;
}

/* cay(x) as rotation R (row-major), quaternion and translation */
typedef struct motion {
    real R[9], q[4], x[3];
} motion;

static motion cayley(int n, const real *x)
{
    motion T;
    real square = dot(x, x), f = 4 / (4 + square), s = 1 / sqrtl(4 + square), v[3] = {0, 0, 0};
    const real W[9] = {0, -x[2], x[1], x[2], 0, -x[0], -x[1], x[0], 0};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            T.R[3 * i + j] = (i == j ? 1 - f * square / 2 : 0) + f * (W[3 * i + j] + x[i] * x[j] / 2);
    T.q[0] = 2 * s;
    for (int i = 0; i < 3; i++) T.q[1 + i] = x[i] * s, T.x[i] = 0;
    if (n == 3) return T;
    cross(v, x, x + 3);
    real along = dot(x, x + 3);
    for (int i = 0; i < 3; i++) T.x[i] = f / 2 * (2 * x[3 + i] + v[i] + along * x[i] / 2);
    return T;
}

/* m1 = Ad*_T P, as double */
static void momentum_of(const equation *q, const motion *T, double *out)
{
    real m[6] = {0}, a[3] = {0};
    memcpy(m, q->P, sizeof m);
    if (q->n == 6) cross(a, T->x, m + 3);
    for (int i = 0; i < 3; i++) m[i] -= a[i];
    for (int i = 0; i < q->n; i++) {
        const real *p = i < 3 ? m : m + 3;
        out[i] = (double)(T->R[i % 3] * p[0] + T->R[3 + i % 3] * p[1] + T->R[6 + i % 3] * p[2]);
    }
}

/* g1 = g0 T of a quaternion, and of a matrix with or without translation, as double */
static void turned_quaternion(const motion *T, const real *g, double *out)
{
    const real *t = T->q;
    out[0] = (double)(g[0] * t[0] - g[1] * t[1] - g[2] * t[2] - g[3] * t[3]);
    out[1] = (double)(g[0] * t[1] + g[1] * t[0] + g[2] * t[3] - g[3] * t[2]);
    out[2] = (double)(g[0] * t[2] - g[1] * t[3] + g[2] * t[0] + g[3] * t[1]);
    out[3] = (double)(g[0] * t[3] + g[1] * t[2] - g[2] * t[1] + g[3] * t[0]);
}

static void turned_matrix(int size, const motion *T, const real *g, double *out)
{
    for (int i = 0; i < size; i++) {
        int row = i < 9 ? i / 3 : i - 9;
        real sum = i < 9 ? 0 : g[i];
        for (int k = 0; k < 3; k++) sum += g[3 * row + k] * (i < 9 ? T->R[3 * k + i % 3] : T->x[k]);
        out[i] = (double)sum;
    }
}

/* The step that belongs to xi: g1 = g0 cay(h xi), m1 = Ad* P, as double. */
static void step_of(const equation *q, const lie_ops *G, real h, const real *xi, const lie_state *from, lie_state *to)
{
    real x[6] = {0}, g[12] = {0};
    extend(G->size, g, from->g);
    for (int i = 0; i < q->n; i++) x[i] = h * xi[i];
    motion T = cayley(q->n, x);
    momentum_of(q, &T, to->m);
    if (G->size == 4)
        turned_quaternion(&T, g, to->g);
    else
        turned_matrix(G->size, &T, g, to->g);
}

/* The unit of length: linear velocities are about this, linear inertias about its inverse square. */
static double unit_of_length = 1.0;

/* |J^-1| |I|: how much a rounding of the terms moves xi, both in the largest norm in the unit of length */
static double condition(const equation *q, real h, const real *xi)
{
    real worst = 0, largest = 0, most = 0, unit[6] = {0};
    for (int i = 0; i < q->n; i++) unit[i] = i < 3 ? 1 : (real)unit_of_length;
    for (int i = 0; i < q->n * q->n; i++)
        largest = fmaxl(largest, fabsl(q->inertia[i]) * unit[i / q->n] * unit[i % q->n]);
    for (int i = 0; i < q->n; i++) most = fmaxl(most, fabsl(xi[i] / unit[i]));
    for (int k = 0; k < q->n; k++) {
        equation moved = *q;
        real x[6], d = most * 0x1p-30L;
        memcpy(x, xi, sizeof x);
        moved.P[k] += d * largest / unit[k];
        newton(&moved, h, x);
        for (int i = 0; i < q->n; i++) worst = fmaxl(worst, fabsl(x[i] - xi[i]) / (unit[i] * d));
    }
    return (double)worst;
}

/* V <- three random reflections of V (Householder) */
static void reflect(int n, double *V, lie_random *rng)
{
    for (int k = 0; k < 3; k++) {
        double v[6] = {0.0}, vv = 0.0;
        random_vector(rng, n, v, 1.0);
        for (int i = 0; i < n; i++) vv += v[i] * v[i];
        for (int j = 0; j < n; j++) {
            double s = 0.0;
            for (int i = 0; i < n; i++) s += v[i] * V[i * n + j];
            for (int i = 0; i < n; i++) V[i * n + j] -= 2.0 * s / vv * v[i];
        }
    }
}

/* Random inertia: a rotation of a diagonal whose logarithm is uniform, ratios up to `spread`; random potential. */
static void random_system(fixture *f, const lie_ops *G, lie_random *rng, int terms, double spread)
{
    int n = G->dim;
    double V[36] = {0.0}, d[6] = {0.0}, unit[6] = {1.0, 1.0, 1.0, unit_of_length, unit_of_length, unit_of_length};
    fixture_make(f, G, terms);
    for (int i = 0; i < n; i++) V[i * n + i] = 1.0, d[i] = exp(random_double(rng, 0.5 * log(spread)));
    reflect(n, V, rng);
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double s = 0.0;
            for (int k = 0; k < n; k++) s += V[i * n + k] * d[k] * V[j * n + k];
            f->inertia[i * n + j] = f->inertia[j * n + i] = s / (unit[i] * unit[j]);
        }
    random_vector(rng, n, f->c, exp(random_double(rng, 3.0)));
    for (int i = 0; i < n; i++) f->b[i] *= unit[i], f->c[i] /= unit[i], f->d[i] /= unit[i];
}

typedef struct tally {
    int taken, refused, missed, sensible;
    double worst; /* error over eps and condition */
} tally;

/* h |I^-1 P|: the length of the step before it is solved for */
static double reach_of(const equation *q, double h)
{
    real A[36], xi[6], sum = 0, L = (real)unit_of_length;
    memcpy(A, q->inertia, sizeof A);
    memcpy(xi, q->P, sizeof xi);
    eliminate(q->n, A, xi);
    for (int i = 0; i < q->n; i++) sum += xi[i] * xi[i] / (i < 3 ? 1 : L * L);
    return fabs(h) * (double)sqrtl(sum);
}

/* The error of a step in eps, times condition where the solution enters. */
static double error_of(const equation *q, const lie_system *sys, double h, const real *xi, const lie_state *before,
                       const lie_state *after)
{
    const lie_ops *G = sys->group;
    lie_state expected = *before;
    double F[6] = {0.0}, size = 0.0, length = 0.0, far = 1.0, error = 0.0, L = unit_of_length;
    step_of(q, G, (real)h, xi, before, &expected);
    if (sys->force) sys->force(sys, F, expected.g);
    for (int i = 0; i < q->n; i++) {
        expected.m[i] += h / 2 * F[i];
        size = fmax(size, (fabs((double)q->P[i]) + fabs(h * F[i])) * (i < 3 ? 1.0 : L));
        length = fmax(length, fabs(h * (double)xi[i]) / (i < 3 ? 1.0 : L));
    }
    double unit = DBL_EPSILON * (1.0 + condition(q, (real)h, xi) * length);
    for (int i = 0; i < G->size; i++) far = fmax(far, fabs(expected.g[i]) / (i < 9 ? 1.0 : L));
    for (int i = 0; i < G->size; i++)
        error = fmax(error, fabs(after->g[i] - expected.g[i]) / (unit * far * (i < 9 ? 1.0 : L)));
    for (int i = 0; i < q->n; i++)
        error = fmax(error, fabs(after->m[i] - expected.m[i]) / (unit * size * far / (i < 3 ? 1.0 : L)));
    return error;
}

/* One step from s with the library and with the test, which may differ by `allowed` eps times condition. Steps with
 * h |xi| > 20, three turns and more, count as taken. */
static void compare_step(const lie_system *sys, lie_state *s, double h, double allowed, tally *sum)
{
    equation q = {.n = sys->group->dim};
    lie_state before = *s;
    real xi[6];
    double F[6] = {0.0};
    char text[160];
    if (sys->force) sys->force(sys, F, s->g);
    extend(q.n * q.n, q.inertia, sys->inertia);
    for (int i = 0; i < q.n; i++) q.P[i] = (real)s->m[i] + (real)s->low_m[i] + (real)h / 2 * (real)F[i];
    int exists = follow(&q, (real)h, xi);
    double reach = reach_of(&q, h);
    lie_status status = lie_step(w.st, s, h);
    sum->sensible += reach <= 2.0;
    if (status != LIE_OK) {
        sum->refused += reach <= 2.0;
        sum->missed += exists && reach <= 20.0;
        *s = before;
        return;
    }
    sum->taken++;
    if (reach > 20.0) return;
    snprintf(text, sizeof text, "%s: h |xi| = %.3g: a step where the branch has ended", sys->group->group, reach);
    TEST_ASSERT_TRUE_MESSAGE(exists, text);
    double error = error_of(&q, sys, h, xi, &before, s);
    snprintf(text, sizeof text, "%s: h |xi| = %.3g: wrong by %.1e eps", sys->group->group, reach, error);
    TEST_ASSERT_TRUE_MESSAGE(error <= allowed, text);
    sum->worst = fmax(sum->worst, error);
}

/* Random bodies, random steps with h |xi| at the start from 1e-8 to 2, every third one 2: four steps each, so that
 * guesses by extrapolation are tried too. Answers how many with h |xi| <= 2 were refused. */
static int sweep(const lie_ops *G, int terms, int count, double spread)
{
    static fixture f;
    lie_random rng = {61u};
    tally sum = {0, 0, 0, 0, 0.0};
    for (int k = 0; k < count; k++) {
        lie_state s;
        double xi[LIE_DIM_MAX], norm = 0.0;
        random_system(&f, G, &rng, terms, spread);
        state_random(&f.sys, &s, &rng, 1.0, 1.0);
        for (int i = 9; i < G->size; i++) s.g[i] *= unit_of_length;
        random_vector(&rng, G->dim, xi, 1.0);
        for (int i = 0; i < G->dim; i++) norm += xi[i] * xi[i], xi[i] *= i < 3 ? 1.0 : unit_of_length;
        lie_system_momentum(&f.sys, s.m, s.g, xi);
        double length = exp(log(2.0) + (0.5 * random_double(&rng, 1.0) - 0.5) * log(2e8));
        double h = (k % 3 == 0 ? 2.0 : length) / sqrt(norm);
        walker_init(&w, &f.sys, terms ? "sv" : "ep", 0, 0);
        for (int i = 0; i < 4; i++) compare_step(&f.sys, &s, h, spread > 10.0 ? 100.0 : 10.0, &sum);
    }
    printf(
        "  %s %s, inertias up to 1 : %g: %d steps right to %.1f eps x condition; of %d with h |xi| <= 2 refused %d\n",
        G->group, terms ? "with potential" : "free", spread, sum.taken, sum.worst, sum.sensible, sum.refused);
    TEST_ASSERT_EQUAL_MESSAGE(0, sum.missed, "refused, though the branch goes on");
    return sum.refused;
}

static void both_kinds(const lie_ops *G, int count, double spread, int may_refuse)
{
    int refused = sweep(G, 0, count, spread) + sweep(G, POTENTIAL, count, spread);
    TEST_ASSERT_TRUE_MESSAGE(may_refuse || refused == 0, G->group);
}

void test_stepper_sweep_rotations(void)
{
    both_kinds(&lie_so3_cay_ops, 250, 10.0, 0);
    both_kinds(&lie_s3_cay_ops, 250, 10.0, 0);
}

void test_stepper_sweep_rotations_of_needles(void)
{
    both_kinds(&lie_so3_cay_ops, 250, 1e3, 0);
    both_kinds(&lie_s3_cay_ops, 250, 1e5, 1);
}

void test_stepper_sweep_motions(void)
{
    both_kinds(&lie_se3_cay_ops, 100, 10.0, 0);
    both_kinds(&lie_se3_cay_ops, 100, 1e3, 1);
}

/* Metres or millimetres: the same steps. */
void test_stepper_sweep_motions_in_other_units(void)
{
    static const double units[3] = {1e-4, 1e3, 1e-3};
    for (int k = 0; k < 3; k++) {
        unit_of_length = units[k];
        both_kinds(&lie_se3_cay_ops, 50, 10.0, 0);
    }
    unit_of_length = 1.0;
}

/* The other methods: from a fixed state the step is a continuous function of h until it is refused. A jump would be
 * another branch. Answers the h |xi| at which the first step was refused. */
static double continuous_until(const lie_system *sys, const char *method, const lie_state *start, double speed)
{
    enum { PIECES = 100 };
    lie_state last = *start;
    for (int k = 1; k <= PIECES; k++) {
        lie_state s = *start;
        double length = 2.5 * k / PIECES;
        walker_init(&w, sys, method, 0, 0);
        if (lie_step(w.st, &s, length / speed) != LIE_OK) return length;
        TEST_ASSERT_TRUE_MESSAGE(state_distance(sys->group, &s, &last) < 0.4, method);
        last = s;
    }
    return 2.5;
}

void test_stepper_sweep_steps_are_continuous_in_h(void)
{
    static const lie_ops *const groups[4] = {&lie_so3_cay_ops, &lie_s3_exp_ops, &lie_se3_cay_ops, &lie_se3_exp_ops};
    static fixture f;
    lie_random rng = {62u};
    for (int i = 0; i < lie_method_builtin_count(); i++) {
        const lie_method *method = lie_method_builtin(i);
        double least = 2.5;
        if (method->needs_tableau || method->composition || method->explicit_) continue;
        for (int k = 0; k < 8; k++) {
            lie_state s;
            double xi[6], speed = 0.0;
            if (!fixture_make_for(&f, method, groups[k % 4], POTENTIAL)) continue;
            state_random(&f.sys, &s, &rng, 0.6, 1.5);
            TEST_ASSERT_EQUAL(LIE_OK, lie_state_velocity(&f.sys, xi, &s));
            for (int j = 0; j < groups[k % 4]->dim; j++) speed += xi[j] * xi[j];
            least = fmin(least, continuous_until(&f.sys, method->name, &s, sqrt(speed)));
        }
        printf("  %-12s continuous in h; the first step refused has h |xi| = %.2f\n", method->name, least);
        TEST_ASSERT_TRUE_MESSAGE(least > 0.4, method->name);
    }
}
