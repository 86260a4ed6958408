/* SPDX-License-Identifier: MIT */
/* textbook_mat.h: the small vector and matrix helpers a textbook program has, written as plain loops.
 *
 * Matrices are row-major; outputs do not alias inputs. */
#ifndef LIESTEP_BENCH_TEXTBOOK_MAT_H
#define LIESTEP_BENCH_TEXTBOOK_MAT_H

static inline double tb_dot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void tb_cross(double out[3], const double a[3], const double b[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static inline void tb_hat(double K[9], const double w[3])
{
    K[0] = 0.0;
    K[1] = -w[2];
    K[2] = w[1];
    K[3] = w[2];
    K[4] = 0.0;
    K[5] = -w[0];
    K[6] = -w[1];
    K[7] = w[0];
    K[8] = 0.0;
}

static inline void tb_mat_mul(double *C, const double *A, const double *B, int n)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++) {
                sum += A[n * i + k] * B[n * k + j];
            }
            C[n * i + j] = sum;
        }
    }
}

static inline void tb_mat_vec(double *y, const double *A, const double *x, int n)
{
    for (int i = 0; i < n; i++) {
        y[i] = 0.0;
        for (int j = 0; j < n; j++) {
            y[i] += A[n * i + j] * x[j];
        }
    }
}

static inline void tb_mat_tvec(double *y, const double *A, const double *x, int n)
{
    for (int i = 0; i < n; i++) {
        y[i] = 0.0;
        for (int j = 0; j < n; j++) {
            y[i] += A[n * j + i] * x[j];
        }
    }
}

static inline void tb_identity3(double M[9])
{
    for (int i = 0; i < 9; i++) {
        M[i] = i % 4 == 0 ? 1.0 : 0.0;
    }
}

/* M = 1 + a K + b K^2 */
static inline void tb_quadratic(double M[9], const double K[9], double a, double b)
{
    double K2[9];
    tb_mat_mul(K2, K, K, 3);
    tb_identity3(M);
    for (int i = 0; i < 9; i++) {
        M[i] += a * K[i] + b * K2[i];
    }
}

/* Inverse by cofactors. */
static inline void tb_inverse3(double B[9], const double A[9])
{
    double c0 = A[4] * A[8] - A[5] * A[7];
    double c1 = A[5] * A[6] - A[3] * A[8];
    double c2 = A[3] * A[7] - A[4] * A[6];
    double d = 1.0 / (A[0] * c0 + A[1] * c1 + A[2] * c2);
    B[0] = d * c0;
    B[1] = d * (A[2] * A[7] - A[1] * A[8]);
    B[2] = d * (A[1] * A[5] - A[2] * A[4]);
    B[3] = d * c1;
    B[4] = d * (A[0] * A[8] - A[2] * A[6]);
    B[5] = d * (A[2] * A[3] - A[0] * A[5]);
    B[6] = d * c2;
    B[7] = d * (A[1] * A[6] - A[0] * A[7]);
    B[8] = d * (A[0] * A[4] - A[1] * A[3]);
}

#endif
