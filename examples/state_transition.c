/* SPDX-License-Identifier: MIT */
/* The exact tangent of a step: the covariance of an attitude filter, and the Lyapunov exponents of a heavy top.
 *
 *     R' = R hat(w),   Pi' = Pi x w + k a x r,   Pi = I w,   a = R^T e3       k = mass x gravity, r the centre of mass
 *     eta' = I^-1 nu - w x eta,   nu' = nu x w + Pi x I^-1 nu + k (a x eta) x r           nearby motions, R exp(eta)
 *
 * A filter predicts the covariance of (eta, nu), errors of attitude and momentum in the body frame, by P <- T P T^T
 * with the transition matrix T. lie_step_tangent gives T of the step that was taken, not of an approximation to it:
 * where the method is symplectic, so is T, and det T = 1. Beside it are the twelve sigma points of an unscented filter,
 * run one by one: the two agree while the errors are small, and part where a linear prediction no longer does.
 *
 * The same T decides whether an orbit is regular or chaotic (lie_chaos). The exponents of a symplectic map come in
 * pairs l, -l; energy and vertical momentum make four of six vanish. Lagrange's top is integrable: all six fall
 * like log(t)/t, FLI grows like log t, SALI does not get small. The top with three moments of inertia is chaotic.
 *
 * Reference: Julier & Uhlmann, Proc. IEEE 92 (2004) (sigma points); Benettin, Galgani, Giorgilli & Strelcyn, Meccanica
 * 15 (1980); Skokos, J. Phys. A 34 (2001). */
#include <liestep/liestep.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#define DEGREES 57.29577951308232
#define STEP 0.02 /* s */
enum { N = 6, WORK = 4096, LOOKS = 5, PER_LOOK = 100, LONG = 100000 };

static const lie_heavy_top lagrange = {{1.0, 0, 0, 0, 1.0, 0, 0, 0, 0.6}, 1.0, {0, 0, 0.5}, 5.0},
                           skewed = {{1.0, 0, 0, 0, 2.0, 0, 0, 0, 2.6}, 1.0, {0.3, -0.2, 0.4}, 5.0};
static const double q0[4] = {1.0, 0.0, 0.0, 0.0}, w0[3] = {0.3, 2.0, -0.5};
static const double sigma[N] = {1e-3, 1e-3, 1e-3, 2e-4, 2e-4, 2e-4}; /* rad, N m s */

static void multiply(double out[N][N], double A[N][N], double B[N][N], int transposed)
{
    double C[N][N] = {{0.0}};
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++) C[i][j] += A[i][k] * (transposed ? B[j][k] : B[k][j]);
    memcpy(out, C, sizeof C);
}

static double determinant(double A[N][N])
{
    double F[N * N], det;
    int pivots[N];
    memcpy(F, A, sizeof F);
    det = lie_linear_lapack.factor(N, F, pivots); /* its sign */
    for (int i = 0; i < N; i++) det *= fabs(F[i * (N + 1)]);
    return det;
}

/* The k-th sigma point, 0 .. 11, run for n steps: how far it ends from the nominal state. */
static lie_status sigma_point(double d[N], lie_stepper *st, const lie_state *nominal, int k, long long n)
{
    double x[N] = {0.0}, q[4], m[3];
    lie_state s;
    x[k / 2] = (k % 2 ? -1.0 : 1.0) * sqrt((double)N) * sigma[k / 2];
    lie_s3_exp(q, x);
    lie_s3_mul(q, q0, q);
    lie_system_momentum(lie_stepper_system(st), m, q0, w0);
    for (int i = 0; i < 3; i++) m[i] += x[3 + i];
    lie_status status = lie_state_set_momentum(lie_stepper_system(st), &s, 0.0, q, m);
    if (status == LIE_OK) status = lie_run(st, &s, STEP, n);
    lie_s3_inv(q, nominal->g);
    lie_s3_mul(q, q, s.g);
    for (int i = 0; i < 3; i++) d[3 + i] = s.m[i] - nominal->m[i];
    return status != LIE_OK ? status : lie_s3_log(d, q);
}

/* The covariance of the sigma points */
static lie_status unscented(double P[N][N], lie_stepper *st, const lie_state *nominal)
{
    double d[N] = {0.0};
    lie_status status = LIE_OK;
    memset(P, 0, N * sizeof *P);
    for (int k = 0; k < 2 * N && status == LIE_OK; k++) {
        status = sigma_point(d, st, nominal, k, nominal->steps);
        for (int i = 0; i < N * N; i++) P[i / N][i % N] += d[i / N] * d[i % N] / (2 * N);
    }
    return status;
}

static void print_deviations(const char *name, double P[N][N])
{
    printf("  %-9s", name);
    for (int i = 0; i < N; i++) printf(" %10.5f", (i < 3 ? DEGREES : 1e3) * sqrt(P[i][i]));
}

static lie_status filter(const lie_system *sys)
{
    double work[WORK], tangent_work[WORK], T[N][N], phi[N][N] = {{0.0}}, P[N][N] = {{0.0}}, Q[N][N], m0[3], m[3],
                                                    step = 0.0;
    lie_stepper *st;
    lie_state s;
    const lie_options options = {.method = "sv_suzuki4", .retraction = "cay"};
    for (int i = 0; i < N; i++) phi[i][i] = 1.0, P[i][i] = sigma[i] * sigma[i];
    lie_status status = lie_stepper_init(&st, sys, &options, work, sizeof work);
    if (status == LIE_OK) status = lie_state_set(sys, &s, 0.0, q0, w0);
    memcpy(m0, s.m, sizeof m0);
    for (int look = 0; look < LOOKS && status == LIE_OK; look++) {
        for (int k = 0; k < PER_LOOK && status == LIE_OK; k++) {
            memcpy(m, s.m, sizeof m);
            status = lie_step_tangent(st, &s, STEP, T[0], tangent_work, sizeof tangent_work);
            step = fmax(step, lie_tangent_defect(sys->group, T[0], m, s.m));
            multiply(phi, T, phi, 0);
            multiply(P, T, P, 0);
            multiply(P, P, T, 1);
        }
        if (status == LIE_OK) status = unscented(Q, st, &s);
        if (status != LIE_OK) break;
        printf("  %.0f s\n", s.t);
        print_deviations("tangent", P);
        printf("   %.1e, %.1e, %.1e\n", step, lie_tangent_defect(sys->group, phi[0], m0, s.m), determinant(phi) - 1.0);
        print_deviations("unscented", Q);
        puts("");
    }
    return status;
}

static lie_status judge(const char *name, const lie_heavy_top *top)
{
    double work[WORK], chaos_work[WORK];
    lie_system sys;
    lie_stepper *st;
    lie_state s;
    lie_chaos *c;
    lie_status status = lie_heavy_top_system(&sys, top, "S3");
    const lie_options options = {.method = "sv", .retraction = "cay"};
    if (status == LIE_OK) status = lie_stepper_init(&st, &sys, &options, work, sizeof work);
    if (status == LIE_OK) status = lie_state_set(&sys, &s, 0.0, q0, w0);
    if (status == LIE_OK) status = lie_chaos_init(&c, st, &s, N, chaos_work, sizeof chaos_work);
    if (status == LIE_OK) status = lie_chaos_run(c, st, &s, STEP, LONG);
    if (status != LIE_OK) return status;
    const lie_chaos_numbers *now = lie_chaos_now(c);
    double sum = 0.0;
    printf("  %-9s", name);
    for (int i = 0; i < N; i++) printf(" %8.4f", now->exponents[i]), sum += now->exponents[i];
    printf("  %8.1e %8.1f  %8.1e\n", sum, now->fli, now->sali);
    return LIE_OK;
}

int main(void)
{
    lie_system sys;
    lie_status status = lie_heavy_top_system(&sys, &skewed, "S3");
    puts("Standard deviations of attitude (degrees) and momentum (1e-3 N m s) about the body axes, by P <- T P T^T\n"
         "and by sigma points; how far a T and the product of all is from symplectic, and its determinant from 1:\n");
    if (status == LIE_OK) status = filter(&sys);
    printf("\nExponents (1/s) over %.0f s, their sum, FLI, SALI:\n\n", LONG * STEP);
    if (status == LIE_OK) status = judge("Lagrange", &lagrange);
    if (status == LIE_OK) status = judge("skewed", &skewed);
    if (status != LIE_OK) puts(lie_status_text(status));
    return status != LIE_OK;
}
