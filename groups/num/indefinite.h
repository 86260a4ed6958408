/* SPDX-License-Identifier: MIT */
/* indefinite.h: small symmetric systems that need not be positive definite, on the stack: P A P^T = L D L^T with blocks
 * of one and two in D, the number of whose negative eigenvalues is that of A (Sylvester). Internal.
 * Reference: Bunch & Parlett, SIAM J. Numer. Anal. 8 (1971). */
#ifndef LIESTEP_LIB_INDEFINITE_H
#define LIESTEP_LIB_INDEFINITE_H

#include <math.h>

/* The factors of A (n x n), in place of it: L below, D on and beside the diagonal. */
typedef struct indefinite {
    int n;
    double *A;
    int *row, *pair; /* n each: row i of L D L^T is row row[i] of A; pair[i]: a block of two begins at i */
} indefinite;

/* Exchange of two rows and columns from `first` on, and of the rows of L that are there already */
static inline void indefinite_swap(indefinite *s, int a, int b)
{
    int n = s->n, row = s->row[a];
    s->row[a] = s->row[b], s->row[b] = row;
    for (int j = 0; j < n; j++) {
        double x = s->A[a * n + j];
        s->A[a * n + j] = s->A[b * n + j], s->A[b * n + j] = x;
    }
    for (int i = 0; i < n; i++) {
        double x = s->A[i * n + a];
        s->A[i * n + a] = s->A[i * n + b], s->A[i * n + b] = x;
    }
}

/* The largest entries of what is left from k on: on the diagonal (d, d), beside it (a, b), a > b */
static inline void indefinite_search(const indefinite *s, int k, int *d, int *a, int *b)
{
    int n = s->n;
    *d = *b = k, *a = k + 1;
    for (int i = k; i < n; i++) {
        if (fabs(s->A[i * n + i]) > fabs(s->A[*d * n + *d])) *d = i;
        for (int j = k; j < i; j++)
            if (fabs(s->A[i * n + j]) > fabs(s->A[*a * n + *b])) *a = i, *b = j;
    }
}

/* One block of one or two at k; the number of its negative eigenvalues, or -1: singular */
static inline int indefinite_block(indefinite *s, int k, double least)
{
    int n = s->n, d, a, b;
    double *A = s->A;
    indefinite_search(s, k, &d, &a, &b);
    s->pair[k] = k + 1 < n && fabs(A[d * n + d]) < 0.6403882032022076 * fabs(A[a * n + b]); /* (1 + sqrt 17)/8 */
    if (!s->pair[k]) {
        indefinite_swap(s, k, d);
        double pivot = A[k * n + k];
        if (!(fabs(pivot) > least) || !(fabs(pivot) < HUGE_VAL)) return -1;
        for (int i = k + 1; i < n; i++) {
            double f = A[i * n + k] / pivot;
            for (int j = k + 1; j < n; j++) A[i * n + j] -= f * A[k * n + j];
        }
        for (int i = k + 1; i < n; i++) A[i * n + k] /= pivot;
        return pivot < 0.0;
    }
    s->pair[k + 1] = 0;
    indefinite_swap(s, k, b); /* b < a */
    indefinite_swap(s, k + 1, a);
    double p = A[k * n + k], q = A[(k + 1) * n + k], r = A[(k + 1) * n + k + 1], det = p * r - q * q;
    if (!(fabs(q) > least) || !(-det < HUGE_VAL)) return -1;
    for (int i = k + 2; i < n; i++) {
        double x = A[i * n + k], y = A[i * n + k + 1], f = (r * x - q * y) / det, g = (p * y - q * x) / det;
        for (int j = k + 2; j < n; j++) A[i * n + j] -= f * A[k * n + j] + g * A[(k + 1) * n + j];
    }
    for (int i = k + 2; i < n; i++) {
        double x = A[i * n + k], y = A[i * n + k + 1];
        A[i * n + k] = (r * x - q * y) / det, A[i * n + k + 1] = (p * y - q * x) / det;
    }
    return 1; /* a block of two is taken only where its determinant is negative */
}

/* The number of negative eigenvalues of A, which is destroyed; -1 where A is singular to working precision. */
static inline int indefinite_factor(indefinite *s, int n, double *A, int *row, int *pair)
{
    double most = 0.0;
    int negative = 0;
    *s = (indefinite){n, A, row, pair};
    for (int i = 0; i < n; i++) row[i] = i, pair[i] = 0;
    for (int i = 0; i < n * n; i++) most = fabs(A[i]) > most ? fabs(A[i]) : most; // NOLINT(clang-analyzer-core.*)
    for (int k = 0; k < n; k += 1 + pair[k]) {
        int count = indefinite_block(s, k, 0x1p-46 * most);
        if (count < 0) return -1;
        negative += count;
    }
    return negative;
}

/* x <- A^-1 x; y: n numbers of scratch */
static inline void indefinite_solve(const indefinite *s, double *x, double *y)
{
    int n = s->n;
    const double *A = s->A;
    for (int i = 0; i < n; i++) y[i] = x[s->row[i]];
    for (int k = 0; k < n; k += 1 + s->pair[k])
        for (int i = k + 1 + s->pair[k]; i < n; i++)
            for (int c = k; c <= k + s->pair[k]; c++) y[i] -= A[i * n + c] * y[c]; // NOLINT(clang-analyzer-core.*)
    for (int k = 0; k < n; k += 1 + s->pair[k]) {
        double p = A[k * n + k];
        if (!s->pair[k]) {
            y[k] /= p;
            continue;
        }
        double q = A[(k + 1) * n + k], r = A[(k + 1) * n + k + 1], det = p * r - q * q;
        double a = y[k], b = y[k + 1]; // NOLINT(clang-analyzer-core.*)
        y[k] = (r * a - q * b) / det, y[k + 1] = (p * b - q * a) / det;
    }
    for (int k = n - 1; k >= 0; k--) {
        int first = k > 0 && s->pair[k - 1] ? k - 1 : k; // NOLINT(clang-analyzer-core.*)
        for (int c = first; c <= k; c++)
            for (int i = k + 1; i < n; i++) y[c] -= A[i * n + c] * y[i];
        k = first;
    }
    for (int i = 0; i < n; i++) x[s->row[i]] = y[i];
}

#endif
