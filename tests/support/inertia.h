/* SPDX-License-Identifier: MIT */
/* inertia.h: random inertias and the little linear algebra that a test needs. */
#ifndef LIESTEP_TESTS_INERTIA_H
#define LIESTEP_TESTS_INERTIA_H

#include <math.h>
#include <string.h>

#include "tests/support/random.h"

enum { NMAX = 6 };

static inline double norm(int n, const double *a)
{
    double big = 0.0, s = 0.0;
    for (int i = 0; i < n; i++) big = fmax(big, fabs(a[i]));
    for (int i = 0; i < n && big > 0.0; i++) s += (a[i] / big) * (a[i] / big);
    return big * sqrt(s);
}

/* I = S S^T + diagonal; the larger `wild`, the worse its condition. */
static inline void random_inertia(lie_random *rng, int n, double *inertia, double wild)
{
    double S[NMAX * NMAX];
    random_vector(rng, n * n, S, 0.3);
    for (int i = 0; i < n; i++) {
        double diagonal = 1.0 + 0.5 * random_double(rng, 1.0) + wild * fabs(random_double(rng, 1.0));
        for (int j = 0; j < n; j++) {
            inertia[i * n + j] = i == j ? diagonal : 0.0;
            for (int k = 0; k < n; k++) inertia[i * n + j] += S[i * n + k] * S[j * n + k];
        }
    }
}

static inline double pair3(const double a[3], const double b[3])
{
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

static inline void apply(int n, double *out, const double *A, const double *x)
{
    for (int i = 0; i < n; i++) {
        out[i] = 0.0;
        for (int j = 0; j < n; j++) out[i] += A[i * n + j] * x[j];
    }
}

/* Solves A x = b by elimination with pivoting, x in b. */
static inline void gauss(int n, double *A, double *b)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(A[i * n + k]) > fabs(A[best * n + k])) best = i;
        for (int j = 0; j < n; j++) {
            double t = A[k * n + j];
            A[k * n + j] = A[best * n + j], A[best * n + j] = t;
        }
        double t = b[k];
        b[k] = b[best], b[best] = t;
        for (int i = k + 1; i < n; i++) {
            double f = A[i * n + k] / A[k * n + k];
            for (int j = k; j < n; j++) A[i * n + j] -= f * A[k * n + j];
            b[i] -= f * b[k];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) b[i] -= A[i * n + j] * b[j];
        b[i] /= A[i * n + i];
    }
}

static inline void inverse_times(int n, double *x, const double *A, const double *b)
{
    double M[NMAX * NMAX];
    memcpy(M, A, (size_t)(n * n) * sizeof *M);
    memcpy(x, b, (size_t)n * sizeof *x);
    gauss(n, M, x);
}

#endif
