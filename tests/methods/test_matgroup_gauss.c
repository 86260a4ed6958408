/* SPDX-License-Identifier: MIT */
/* Gauss methods in the embedding of SO(4), SO(3,1) and Sp(4): steps of free bodies against the same equations in long
 * double, order, reversibility, symplectic form and momentum with a potential. */
#include <liestep/matgroup.h>
#include <liestep/stepper.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/methods/families.h"
#include "lib/methods/stepper_object.h"
#include "tests/support/random.h"
#include "unity.h"

enum { METHODS = 6, WORK = 1 << 20, N = 4, NN = N * N, DIM = 10 };
static const char *const methods[METHODS] = {"gauss1", "gauss2", "gauss3", "gauss4", "gauss6", "gauss8"};
static double work[WORK];

static lie_stepper *stepper_on(const lie_system *sys, const char *method)
{
    lie_stepper *st = 0;
    lie_options opt = {.method = method};
    TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_stepper_init(&st, sys, &opt, work, sizeof work), method);
    return st;
}

/* Matrix groups. V = sum C_ij g_ij + 1/2 (sum D_ij g_ij)^2 */

typedef struct matrix_body {
    lie_matgroup *M;
    lie_ops ops;
    double C[NN], D[NN], inertia[DIM * DIM], basis[DIM][NN];
    double g[NN], m[DIM];
} matrix_body;

static double memory[3][LIE_MATGROUP_BYTES(N) / sizeof(double)];

static double along(const double *C, const double *g)
{
    double sum = 0.0;
    for (int i = 0; i < NN; i++) sum += C[i] * g[i];
    return sum;
}

static double matrix_potential(const lie_system *sys, const double *g)
{
    const matrix_body *b = sys->params;
    double d = along(b->D, g);
    return along(b->C, g) + 0.5 * d * d;
}

/* along g exp(s x): dV = <dV/dg, g E_k> */
static void matrix_force(const lie_system *sys, double *F, const double *g)
{
    const matrix_body *b = sys->params;
    double d = along(b->D, g);
    for (int k = 0; k < sys->group->dim; k++) {
        F[k] = 0.0;
        for (int i = 0; i < NN; i++) {
            double moved = 0.0;
            for (int j = 0; j < N; j++) moved += g[i / N * N + j] * b->basis[k][j * N + i % N];
            F[k] -= (b->C[i] + d * b->D[i]) * moved;
        }
    }
}

static const char *const matrix_names[3] = {"SO(4)", "SO(3,1)", "Sp(4)"};

static void make_matrix(matrix_body *b, lie_system *sys, int which, double pull)
{
    lie_random rng = {77u};
    size_t bytes = sizeof memory[which];
    lie_status status = which == 0   ? lie_matgroup_init_so(&b->M, N, memory[which], bytes)
                        : which == 1 ? lie_matgroup_init_sopq(&b->M, 3, 1, memory[which], bytes)
                                     : lie_matgroup_init_sp(&b->M, 2, memory[which], bytes);
    TEST_ASSERT_EQUAL(LIE_OK, status);
    TEST_ASSERT_EQUAL(LIE_OK, lie_matgroup_ops(&b->ops, b->M, "exp"));
    int n = b->ops.dim;
    double L[DIM * DIM], x[DIM], e[DIM];
    random_vector(&rng, NN, b->C, pull);
    random_vector(&rng, NN, b->D, pull);
    random_vector(&rng, n * n, L, 0.3);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            b->inertia[i * n + j] = i == j ? 1.0 + 0.2 * i : 0.0;
            for (int k = 0; k < n; k++) b->inertia[i * n + j] += L[i * n + k] * L[j * n + k];
        }
    for (int k = 0; k < n; k++) {
        memset(e, 0, sizeof e);
        e[k] = 1.0;
        lie_matgroup_hat(b->M, b->basis[k], e);
    }
    random_vector(&rng, n, x, 0.4);
    TEST_ASSERT_EQUAL(LIE_OK, lie_matgroup_exp(b->M, b->g, x));
    random_vector(&rng, n, b->m, 0.6);
    *sys = (lie_system){.name = "matrices", .group = &b->ops, .inertia = b->inertia, .params = b};
    if (pull > 0.0) sys->potential = matrix_potential, sys->force = matrix_force;
}

static void begin_matrix(const lie_system *sys, const matrix_body *b, lie_large_state *s)
{
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set_momentum(sys, s, 0.0, b->g, b->m));
}

typedef long double real;

/* Solve A x = b of n unknowns by elimination. */
static void solve(int n, real *A, real *b)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabsl(A[i * n + k]) > fabsl(A[best * n + k])) best = i;
        for (int j = 0; j < n; j++) {
            real t = A[k * n + j];
            A[k * n + j] = A[best * n + j], A[best * n + j] = t;
        }
        real t = b[k];
        b[k] = b[best], b[best] = t;
        for (int i = k + 1; i < n; i++) {
            real f = A[i * n + k] / A[k * n + k];
            for (int j = k; j < n; j++) A[i * n + j] -= f * A[k * n + j];
            b[i] -= f * b[k];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) b[i] -= A[i * n + j] * b[j];
        b[i] /= A[i * n + i];
    }
}

/* mu_k = tr(P^T g E_k) */
static void momentum_at(const matrix_body *b, real *mu, const real *g, const real *P)
{
    for (int k = 0; k < b->ops.dim; k++) {
        mu[k] = 0.0L;
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                for (int l = 0; l < N; l++) mu[k] += P[i * N + j] * g[i * N + l] * (real)b->basis[k][l * N + j];
    }
}

/* g' = g X, P' = -P X^T of the free body */
static void free_rate(const matrix_body *b, real *k, const real *y)
{
    int n = b->ops.dim;
    real mu[DIM], A[DIM * DIM], X[NN] = {0.0L};
    momentum_at(b, mu, y, y + NN);
    for (int i = 0; i < n * n; i++) A[i] = (real)b->inertia[i];
    solve(n, A, mu);
    for (int i = 0; i < NN; i++)
        for (int c = 0; c < n; c++) X[i] += mu[c] * (real)b->basis[c][i];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            real *dg = k + i * N + j, *dP = k + NN + i * N + j;
            *dg = *dP = 0.0L;
            for (int l = 0; l < N; l++) {
                *dg += y[i * N + l] * X[l * N + j];
                *dP -= y[NN + i * N + l] * X[j * N + l];
            }
        }
}

/* One step of collocation from the node: P = g^-T f^T for some f with tr(f E_k) = m_k */
static void exact_step(const matrix_body *b, const lie_tableau *tab, double h, real *g, real *m)
{
    enum { Y = 2 * NN };
    static real stage[8][Y], K[8][Y];
    real y[Y], A[DIM * DIM], w[DIM], f[NN] = {0.0L}, G[NN * NN] = {0.0L};
    int n = b->ops.dim, s = tab->stages;
    for (int i = 0; i < n; i++) { /* f = sum w_i E_i^T */
        w[i] = m[i];
        for (int j = 0; j < n; j++) {
            A[i * n + j] = 0.0L;
            for (int l = 0; l < NN; l++) A[i * n + j] += (real)b->basis[i][l] * (real)b->basis[j][l];
        }
    }
    solve(n, A, w);
    for (int i = 0; i < n; i++)
        for (int l = 0; l < NN; l++) f[l] += w[i] * (real)b->basis[i][l];
    for (int i = 0; i < N; i++) /* g^T P = f */
        for (int j = 0; j < N; j++)
            for (int l = 0; l < N; l++) G[(i * N + j) * NN + l * N + j] = g[l * N + i];
    memcpy(y, g, NN * sizeof *y);
    memcpy(y + NN, f, NN * sizeof *y);
    solve(NN, G, y + NN);
    for (int i = 0; i < s; i++) memcpy(stage[i], y, sizeof y);
    for (int pass = 0; pass < 120; pass++) {
        for (int i = 0; i < s; i++) free_rate(b, K[i], stage[i]);
        for (int i = 0; i < s; i++)
            for (int c = 0; c < Y; c++) {
                stage[i][c] = y[c];
                for (int j = 0; j < s; j++) stage[i][c] += (real)h * (real)tab->A[i * s + j] * K[j][c];
            }
    }
    for (int c = 0; c < Y; c++)
        for (int j = 0; j < s; j++) y[c] += (real)h * (real)tab->b[j] * K[j][c];
    memcpy(g, y, NN * sizeof *g);
    momentum_at(b, m, y, y + NN);
}

/* Steps of free bodies are those of the equations in g and P, without J, in long double. */
void test_matgroup_gauss_steps_are_those_of_long_double(void)
{
    for (int which = 0; which < 3; which++)
        for (int k = 0; k < METHODS; k++) {
            static matrix_body b;
            const lie_tableau *tab;
            lie_large_state s;
            lie_system sys;
            real worst = 0.0L;
            make_matrix(&b, &sys, which, 0.0);
            begin_matrix(&sys, &b, &s);
            lie_stepper *st = stepper_on(&sys, methods[k]);
            TEST_ASSERT_EQUAL_PTR(&lie__embedded_general, st->family);
            TEST_ASSERT_EQUAL(LIE_OK, lie_tableau_find(&tab, methods[k]));
            for (int step = 0; step < 8; step++) {
                real g[NN], m[DIM];
                double *at_g = lie_state_g(LIE_STATE(&s)), *at_m = lie_state_m(LIE_STATE(&s));
                for (int i = 0; i < NN; i++) g[i] = (real)at_g[i];
                for (int i = 0; i < b.ops.dim; i++) m[i] = (real)at_m[i];
                exact_step(&b, tab, 0.1, g, m);
                TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_step(st, LIE_STATE(&s), 0.1), methods[k]);
                for (int i = 0; i < NN; i++) worst = fmaxl(worst, fabsl(g[i] - (real)at_g[i]));
                for (int i = 0; i < b.ops.dim; i++) worst = fmaxl(worst, fabsl(m[i] - (real)at_m[i]));
            }
            printf("  %-7s %s: off by %.1e\n", matrix_names[which], methods[k], (double)worst);
            TEST_ASSERT_TRUE_MESSAGE(worst <= 4e-15L, methods[k]);
        }
}

/* |(g, m) - (g', m')| */
static double apart(const lie_ops *G, lie_large_state *a, lie_large_state *b)
{
    double sum = 0.0, *ga = lie_state_g(LIE_STATE(a)), *gb = lie_state_g(LIE_STATE(b));
    double *ma = lie_state_m(LIE_STATE(a)), *mb = lie_state_m(LIE_STATE(b));
    for (int i = 0; i < G->size; i++) sum += (ga[i] - gb[i]) * (ga[i] - gb[i]);
    for (int i = 0; i < G->dim; i++) sum += (ma[i] - mb[i]) * (ma[i] - mb[i]);
    return sqrt(sum);
}

static void run(const lie_system *sys, const char *method, lie_large_state *s, double T, int n)
{
    TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_run(stepper_on(sys, method), LIE_STATE(s), T / n, n), method);
}

/* Order with a potential, against rkmk of order 8; there and back; on the group; the potential is asked for there. */
void test_matgroup_gauss_order(void)
{
    static const int steps[METHODS][2] = {{64, 128}, {16, 32}, {12, 24}, {8, 16}, {5, 8}, {4, 6}};
    static const double order[METHODS] = {2, 4, 6, 8, 12, 16};
    for (int which = 0; which < 3; which++) {
        static matrix_body b;
        lie_large_state start, truth, s;
        lie_system sys;
        make_matrix(&b, &sys, which, 0.3);
        begin_matrix(&sys, &b, &start);
        truth = start;
        run(&sys, "rkmk_dopri8", &truth, 1.0, 200);
        for (int k = 0; k < METHODS; k++) {
            double error[2], J[NN];
            for (int r = 0; r < 2; r++) {
                s = start;
                run(&sys, methods[k], &s, 1.0, steps[k][r]);
                error[r] = apart(&b.ops, &s, &truth);
            }
            double slope = log(error[0] / error[1]) / log((double)steps[k][1] / steps[k][0]);
            run(&sys, methods[k], &s, -1.0, steps[k][1]);
            lie_matgroup_inv(b.M, J, lie_state_g(LIE_STATE(&s)));
            lie_matgroup_mul(b.M, J, J, lie_state_g(LIE_STATE(&s)));
            for (int i = 0; i < N; i++) J[i * (N + 1)] -= 1.0;
            double off = sqrt(along(J, J)), back = apart(&b.ops, &s, &start);
            printf("  %-7s %s: errors %.1e %.1e, order %.2f; back to %.0e, off the group %.0e\n", matrix_names[which],
                   methods[k], error[0], error[1], slope, back, off);
            TEST_ASSERT_TRUE_MESSAGE(error[1] < 2e-13 || fabs(slope - order[k]) <= 0.06 * order[k], methods[k]);
            TEST_ASSERT_TRUE_MESSAGE(back <= 1e-13 && off <= 1e-14, methods[k]);
        }
    }
}

/* Symplectic: D^T W D = W of one long step, D by differences, W = [[(m, [., .]), 1], [-1, 0]]. */

static void displaced(const lie_ops *G, lie_large_state *out, lie_large_state *s, int j, double d)
{
    double x[DIM] = {0.0}, T[NN];
    *out = *s;
    if (j >= G->dim) {
        lie_state_m(LIE_STATE(out))[j - G->dim] += d;
        return;
    }
    x[j] = d;
    TEST_ASSERT_EQUAL(LIE_OK, G->tau(G, T, x));
    G->mul(G, lie_state_g(LIE_STATE(out)), lie_state_g(LIE_STATE(s)), T);
}

static void form_at(const lie_ops *G, double *W, const double *m)
{
    int n = G->dim;
    memset(W, 0, (size_t)(4 * n * n) * sizeof *W);
    for (int i = 0; i < n; i++) {
        W[i * 2 * n + n + i] = -1.0, W[(n + i) * 2 * n + i] = 1.0;
        for (int j = 0; j < n; j++) {
            double a[DIM] = {0.0}, b[DIM] = {0.0}, c[DIM];
            a[i] = 1.0, b[j] = 1.0;
            G->ad(G, c, a, b);
            for (int k = 0; k < n; k++) W[i * 2 * n + j] -= m[k] * c[k];
        }
    }
}

static double symplectic_defect(const lie_system *sys, const char *method, lie_large_state *s, double h)
{
    enum { TWO = 2 * DIM };
    static const double weight[3] = {0.75, -0.15, 1.0 / 60}, d = 0x1p-7;
    const lie_ops *G = sys->group;
    double D[TWO * TWO] = {0.0}, W0[TWO * TWO], W1[TWO * TWO], inverse[NN], x[TWO], worst = 0.0;
    int n = 2 * G->dim;
    lie_large_state end = *s, other;
    run(sys, method, &end, h, 1);
    G->inv(G, inverse, lie_state_g(LIE_STATE(&end)));
    for (int j = 0; j < n; j++)
        for (int k = -3; k <= 3; k++) {
            if (k == 0) continue;
            displaced(G, &other, s, j, k * d);
            run(sys, method, &other, h, 1);
            double g[NN], f = (k < 0 ? -weight[-k - 1] : weight[k - 1]) / d;
            G->mul(G, g, inverse, lie_state_g(LIE_STATE(&other)));
            TEST_ASSERT_EQUAL(LIE_OK, G->tauinv(G, x, g));
            memcpy(x + G->dim, lie_state_m(LIE_STATE(&other)), (size_t)G->dim * sizeof *x);
            for (int i = 0; i < n; i++) D[i * n + j] += f * x[i];
        }
    form_at(G, W0, lie_state_m(LIE_STATE(s)));
    form_at(G, W1, lie_state_m(LIE_STATE(&end)));
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) {
            double sum = -W0[a * n + b];
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++) sum += D[i * n + a] * W1[i * n + j] * D[j * n + b];
            worst = fmax(worst, fabs(sum));
        }
    return worst;
}

void test_matgroup_gauss_is_symplectic(void)
{
    for (int which = 0; which < 3; which++) {
        static matrix_body b;
        lie_large_state s;
        lie_system sys;
        make_matrix(&b, &sys, which, 0.3);
        begin_matrix(&sys, &b, &s);
        for (int k = 0; k < 3; k++) {
            double defect = symplectic_defect(&sys, methods[k], &s, 0.3);
            printf("  %-7s %s, h = 0.3: symplectic to %.1e\n", matrix_names[which], methods[k], defect);
            TEST_ASSERT_TRUE_MESSAGE(defect <= 2e-9, methods[k]);
        }
    }
}

/* The spatial momentum of free bodies over 20000 steps, to the rounding of the steps. */
void test_matgroup_gauss_spatial_momentum(void)
{
    for (int which = 0; which < 3; which += 2) {
        static matrix_body b;
        lie_large_state s;
        lie_system sys;
        double before[DIM], after[DIM], worst = 0.0;
        make_matrix(&b, &sys, which, 0.0);
        begin_matrix(&sys, &b, &s);
        lie_state_spatial_momentum(&sys, before, LIE_STATE(&s));
        run(&sys, "gauss2", &s, which == 0 ? 400.0 : 4.0, which == 0 ? 20000 : 200);
        lie_state_spatial_momentum(&sys, after, LIE_STATE(&s));
        for (int i = 0; i < b.ops.dim; i++) worst = fmax(worst, fabs(after[i] - before[i]));
        printf("  %-7s spatial momentum to %.1e\n", matrix_names[which], worst);
        TEST_ASSERT_TRUE(worst <= (which == 0 ? 1e-13 : 1e-12));
    }
}
