/* SPDX-License-Identifier: MIT */
/* se3_legendre.c: the inverse discrete Legendre transform of SE(3) with cay where the short cut of se3_step.h ends: the
 * branch of solutions is followed from h = 0 (branch.h), in units in which p and A have size one. */
#include "groups/num/finite.h"
#include "groups/num/vec3.h"
#include "groups/step/se3_step.h"

int lie__se3_legendre_doubles(const lie_ops *G)
{
    (void)G;
    return SE3_DOUBLES;
}

/* B = 2^-power times the block of the symmetric 6x6 matrix I at row r, column c; 0 if I is not symmetric to 1e-12 */
static int block(double B[9], const double *I, int r, int c, double big, int power)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double a = I[6 * (r + i) + c + j], b = I[6 * (c + j) + r + i];
            if (!(fabs(a - b) <= 1e-12 * big)) return 0;
            B[3 * i + j] = ldexp(0.5 * a + 0.5 * b, -power);
        }
    return 1;
}

/* Not less than the largest singular value s of A, and not more than 3^(1/8) times it: the Frobenius norm of
 * (A^T A)^2 is at least s^4 and at most 3^(1/2) s^4. */
static double norm_bound(const double A[9])
{
    double T[9], B[9], C[9], big = largest(9, A), sum = 0.0;
    if (big == 0.0) return 0.0;
    for (int i = 0; i < 9; i++) B[i] = A[i] / big, T[3 * (i % 3) + i / 3] = A[i] / big;
    mat3_mul(C, T, B);
    mat3_mul(B, C, C);
    for (int i = 0; i < 9; i++) sum += B[i] * B[i];
    return big * sqrt(sqrt(sqrt(sum)));
}

static int is_diagonal(const double I[36])
{
    for (int i = 0; i < 36; i++)
        if (i % 7 != 0 && I[i] != 0.0) return 0;
    return 1;
}

lie_status lie__se3_legendre_prepare(const lie_ops *G, double *data, const double *inertia)
{
    double r[SE3_DOUBLES], J[9], C[9], M[9], CN[9], big = largest(36, inertia);
    double *A = r + SE3_A, *N = r + SE3_N;
    int power;
    (void)G;
    if (!all_finite(36, inertia)) return LIE_ERR_INERTIA;
    frexp(big, &power);
    if (!block(J, inertia, 0, 0, big, power) || !block(C, inertia, 3, 0, big, power)) return LIE_ERR_INERTIA;
    if (!block(M, inertia, 3, 3, big, power)) return LIE_ERR_INERTIA;
    if (lie__spd3_inverse(r + SE3_M_INVERSE, M) == 0.0) return LIE_ERR_INERTIA;
    mat3_mul(N, r + SE3_M_INVERSE, C);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) CN[3 * i + j] = (C[i] * N[j] + C[3 + i] * N[3 + j]) + C[6 + i] * N[6 + j];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) A[3 * i + j] = J[3 * i + j] - 0.5 * (CN[3 * i + j] + CN[3 * j + i]);
    if (lie__spd3_inverse(r + SE3_A_INVERSE, A) == 0.0) return LIE_ERR_INERTIA;
    double j = norm_bound(r + SE3_A_INVERSE), u = norm_bound(r + SE3_M_INVERSE), n = norm_bound(N);
    r[SE3_CONTRACTION] = ldexp(j, -power);
    r[SE3_CONTRACTION + 1] = ldexp(j * u, -2 * power);
    r[SE3_CONTRACTION + 2] = ldexp(j * n, -power);
    for (int i = 0; i < 9; i++) {
        r[SE3_A + i] = ldexp(r[SE3_A + i], power);
        r[SE3_A_INVERSE + i] = ldexp(r[SE3_A_INVERSE + i], -power);
        r[SE3_M_INVERSE + i] = ldexp(r[SE3_M_INVERSE + i], -power);
    }
    r[SE3_DIAGONAL] = is_diagonal(inertia);
    copy_n(SE3_DOUBLES, data, r);
    return LIE_OK;
}

typedef struct problem {
    const double *data, *p;
} problem;

static double equation(const void *of, double r[3], double D[9], double h, const double w[3])
{
    const problem *q = (const problem *)of;
    se3_equation E;
    se3_equation_at(&E, 0.5 * h, q->data, q->p, w);
    copy_n(3, r, E.r);
    copy_n(9, D, E.D);
    return E.size;
}

/* The same body in units in which A and p have size one: A/a, a M^-1, N; xi = (p_size/a) times the solution. */
lie_status lie__se3_cay_follow(double xi[6], double h, const double *data, const double *p, lie_solve *info)
{
    double scaled[SE3_DOUBLES], unit_p[6], v[6], w[3], P[3], a = largest(9, data + SE3_A);
    double p_size = largest(6, p), unit = p_size / a, t = h * unit;
    problem q = {scaled, unit_p};
    lie__branch B = {.equation = equation, .problem = &q, .end = HUGE_VAL, .cap = info->cap};
    if (!all_finite(6, p) || !(t - t == 0.0)) return LIE_ERR_NOT_FINITE;
    if (unit == 0.0) {
        zero_n(6, xi);
        return LIE_OK;
    }
    for (int i = 0; i < 9; i++) {
        scaled[SE3_A + i] = data[SE3_A + i] / a;
        scaled[SE3_M_INVERSE + i] = data[SE3_M_INVERSE + i] * a;
        scaled[SE3_N + i] = data[SE3_N + i];
    }
    for (int i = 0; i < 6; i++) unit_p[i] = p[i] / p_size;
    mat3_tvec(v, data + SE3_N, unit_p + 3);
    for (int i = 0; i < 3; i++) v[i] = unit_p[i] - v[i];
    mat3_vec(w, data + SE3_A_INVERSE, v);
    for (int i = 0; i < 3; i++) w[i] *= a;
    B.scale = a * norm_bound(data + SE3_A_INVERSE) * (1.0 + norm_bound(data + SE3_N));
    lie_status status = lie__branch_follow(&B, w, t);
    if (status != LIE_OK) return status;
    const double c[3] = {0.5 * t * w[0], 0.5 * t * w[1], 0.5 * t * w[2]};
    se3_linear(P, 1.0 + dot3(c, c), c, unit_p + 3);
    se3_velocity(v + 3, 0, scaled, w, P);
    copy_n(3, v, w);
    for (int i = 0; i < 6; i++) v[i] *= unit;
    info->iterations += B.iterations;
    if (B.residual > info->residual) info->residual = B.residual;
    return store(6, xi, v);
}
