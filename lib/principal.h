/* SPDX-License-Identifier: MIT */
/* principal.h: principal moments and axes of a symmetric 3x3 matrix, by Jacobi's method. Internal.
 * Deterministic: + - x / and sqrt in a fixed order. Reference: Golub & Van Loan, Matrix Computations, 2013, 8.5. */
#ifndef LIESTEP_LIB_PRINCIPAL_H
#define LIESTEP_LIB_PRINCIPAL_H

/* A = V diag(moment) V^T, moment[0] <= moment[1] <= moment[2], V (row-major) a rotation whose columns are the axes. Of
 * a diagonal A the moments are its entries, and V has entries 0, 1, -1. A: finite, only its upper triangle is read. */
void lie__principal(double moment[3], double V[9], const double A[9]);

#endif
