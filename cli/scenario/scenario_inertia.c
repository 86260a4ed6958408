/* SPDX-License-Identifier: MIT */
/* scenario_inertia.c: is this the inertia of a body? Symmetric, positive definite, and principal moments of which none
 * exceeds the sum of the other two: with principal axes, J1 + J2 - J3 = 2 int z^2 dm >= 0 (equality: a flat body).
 *
 * Eigenvalues by Jacobi's method, cyclic by rows (Golub & Van Loan, Matrix Computations, 2013, section 8.5). */
#include <math.h>

#include "cli/scenario/scenario_reading.h"

enum { N_MAX = 6, SWEEPS = 40 };

/* A <- Q^T A Q, Q the rotation of the plane (p, q) that makes A_pq zero */
static void rotate(int n, double *A, int p, int q)
{
    double apq = A[n * p + q];
    if (apq == 0.0) return;
    double theta = (A[n * q + q] - A[n * p + p]) / (2.0 * apq);
    double t = copysign(1.0, theta) / (fabs(theta) + hypot(theta, 1.0));
    double c = 1.0 / hypot(t, 1.0), s = t * c;
    for (int k = 0; k < n; k++) {
        double kp = A[n * k + p], kq = A[n * k + q];
        A[n * k + p] = c * kp - s * kq;
        A[n * k + q] = s * kp + c * kq;
    }
    for (int k = 0; k < n; k++) {
        double pk = A[n * p + k], qk = A[n * q + k];
        A[n * p + k] = c * pk - s * qk;
        A[n * q + k] = s * pk + c * qk;
    }
    A[n * p + q] = A[n * q + p] = 0.0;
}

void symmetric_eigenvalues(int n, const double *A, double *w)
{
    double M[N_MAX * N_MAX], scale = 0.0;
    for (int i = 0; i < n * n; i++) scale = fabs(A[i]) > scale ? fabs(A[i]) : scale;
    if (scale == 0.0) scale = 1.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) M[n * i + j] = 0.5 * (A[n * i + j] / scale) + 0.5 * (A[n * j + i] / scale);
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++) rotate(n, M, p, q);
    for (int i = 0; i < n; i++) {
        int at = i;
        double value = M[n * i + i] * scale;
        for (; at > 0 && w[at - 1] > value; at--) w[at] = w[at - 1];
        w[at] = value;
    }
}

static bool check_symmetric(reading *r, key_id key, int n, const double *A)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            double lower = A[n * i + j], upper = A[n * j + i];
            if (fabs(lower - upper) <= 1e-12 * (fabs(A[n * i + i]) + fabs(A[n * j + j]))) continue;
            complain(r, key, "is not symmetric: entry (%d,%d) is %.10g, entry (%d,%d) is %.10g", j + 1, i + 1, upper,
                     i + 1, j + 1, lower);
            return false;
        }
    return true;
}

void inertia_check(reading *r, key_id key, int n, const double *A)
{
    double w[N_MAX];
    listed values = {""};
    if (!check_symmetric(r, key, n, A)) return;
    for (int i = 0; i < n; i++)
        if (!(A[(n + 1) * i] > 0.0)) {
            complain(r, key, "is not positive definite: diagonal entry %d is %.10g, it must be above 0", i + 1,
                     A[(n + 1) * i]);
            return;
        }
    symmetric_eigenvalues(n, A, w);
    for (int i = 0; i < n; i++) list_add(&values, "%.6g", w[i]);
    if (!(w[0] > 0.0))
        complain(r, key, "is not positive definite: eigenvalue %.6g is not above 0 (all: %s)", w[0], values.text);
}

void triangle_check(reading *r, key_id key, int stride, const double *A, bool only_warn)
{
    double J[9], w[3];
    for (int i = 0; i < 9; i++) J[i] = A[stride * (i / 3) + i % 3];
    symmetric_eigenvalues(3, J, w);
    if (w[2] <= (w[0] + w[1]) * (1.0 + 1e-9)) return;
    if (only_warn)
        caution(r, key, "principal moments %.6g, %.6g, %.6g: %.6g > %.6g + %.6g, which only added mass can explain",
                w[0], w[1], w[2], w[2], w[0], w[1]);
    else
        complain(r, key, "principal moments %.6g, %.6g, %.6g: %.6g > %.6g + %.6g, and no body has such", w[0], w[1],
                 w[2], w[2], w[0], w[1]);
}
