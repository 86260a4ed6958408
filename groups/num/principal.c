/* SPDX-License-Identifier: MIT */
/* principal.c: see principal.h. */
#include "groups/num/principal.h"
#include "groups/num/twofold.h"

#include <math.h>

#include "groups/num/vec3.h"

enum { SWEEPS = 16 }; /* six are the most that were seen */

/* A <- J^T A J, V <- V J with the rotation J of axes p and q that makes A_pq zero; r is the third axis. */
static void rotate(double A[3][3], double V[9], int p, int q, int r)
{
    if (A[p][q] == 0.0) return;
    double f = (A[q][q] - A[p][p]) / (2.0 * A[p][q]);
    double t = copysign(1.0, f) / (fabs(f) + sqrt(1.0 + f * f)), c = 1.0 / sqrt(1.0 + t * t), s = t * c;
    double rp = A[r][p], rq = A[r][q], change = t * A[p][q];
    A[p][p] -= change;
    A[q][q] += change;
    A[p][q] = A[q][p] = 0.0;
    A[r][p] = A[p][r] = c * rp - s * rq;
    A[r][q] = A[q][r] = s * rp + c * rq;
    for (int i = 0; i < 9; i += 3) {
        double vp = V[i + p], vq = V[i + q];
        V[i + p] = c * vp - s * vq;
        V[i + q] = s * vp + c * vq;
    }
}

/* Exchange moments i and j; one of the axes changes sign so that V stays a rotation. */
static void order(double moment[3], double V[9], int i, int j)
{
    if (moment[i] <= moment[j]) return;
    double t = moment[i];
    moment[i] = moment[j], moment[j] = t;
    for (int k = 0; k < 9; k += 3) {
        t = V[k + i];
        V[k + i] = V[k + j], V[k + j] = -t;
    }
}

/* a b = hi + lo, to 2^-105 */
static twofold product(double a, double b)
{
    double ah = upper_half(a), al = a - ah, bh = upper_half(b), bl = b - bh, hi = a * b;
    return (twofold){hi, ((ah * bh - hi) + (ah * bl + al * bh)) + al * bl};
}

/* -(V^T V - 1)_ij/2, to about 2^-100 */
static double missing(const double V[9], int i, int j)
{
    twofold sum = {i == j ? -1.0 : 0.0, 0.0};
    for (int k = 0; k < 9; k += 3) {
        twofold p = product(V[k + i], V[k + j]), s = sum_exact(sum.hi, p.hi);
        sum = (twofold){s.hi, sum.lo + (s.lo + p.lo)};
    }
    return -0.5 * (sum.hi + sum.lo);
}

/* low = V (1 - V^T V)/2: V + low is orthogonal where V nearly is */
static void complete(double low[9], const double V[9])
{
    double S[9];
    for (int i = 0; i < 9; i++) S[i] = missing(V, i / 3, i % 3);
    mat3_mul(low, V, S);
}

void lie__principal(double moment[3], double V[9], double low[9], const double A[9])
{
    double B[3][3] = {{A[0], A[1], A[2]}, {A[1], A[4], A[5]}, {A[2], A[5], A[8]}};
    for (int i = 0; i < 9; i++) V[i] = i % 4 == 0 ? 1.0 : 0.0;
    for (int k = 0; k < SWEEPS && (B[0][1] != 0.0 || B[0][2] != 0.0 || B[1][2] != 0.0); k++) {
        rotate(B, V, 0, 1, 2);
        rotate(B, V, 0, 2, 1);
        rotate(B, V, 1, 2, 0);
    }
    for (int i = 0; i < 3; i++) moment[i] = B[i][i];
    order(moment, V, 0, 1);
    order(moment, V, 1, 2);
    order(moment, V, 0, 1);
    complete(low, V);
}
