/* SPDX-License-Identifier: MIT */
/* principal.h: principal moments and axes of a symmetric 3x3 matrix, by Jacobi's method. Internal.
 * Deterministic: + - x / and sqrt in a fixed order. Reference: Golub & Van Loan, Matrix Computations, 2013, 8.5. */
#ifndef LIESTEP_LIB_PRINCIPAL_H
#define LIESTEP_LIB_PRINCIPAL_H

/* A = V diag(moment) V^T, moment[0] <= moment[1] <= moment[2], V + low (row-major) a rotation whose columns
 * are the axes, to 2^-100: the rounding of V alone would be the same in every use of it, and a long run would feel it.
 * Of a diagonal A the moments are its entries, V has entries 0, 1, -1 and low is 0. A: finite, only its upper triangle
 * is read. */
void lie__principal(double moment[3], double V[9], double low[9], const double A[9]);

#endif
