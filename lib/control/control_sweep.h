/* SPDX-License-Identifier: MIT */
/* control_sweep.h: what the elimination from node to node and that at its ends share. Internal. */
#ifndef LIESTEP_LIB_CONTROL_SWEEP_H
#define LIESTEP_LIB_CONTROL_SWEEP_H

#include "lib/control/control.h"

/* The value from a node on; see control_sweep.c. */
typedef struct control_value {
    double P[CONTROL_STATE * CONTROL_STATE], s[CONTROL_STATE];
    double Phi[CONTROL_ROWS * CONTROL_STATE], phi[CONTROL_ROWS];
    double F[CONTROL_ROWS * CONTROL_ROWS];
} control_value;

/* out (r x c) += A^T (l x r, row length ar) B (l x c), row length c of out and B */
LIE_INLINE void add_transposed_product(int l, int r, int c, double *out, const double *A, int ar, const double *B)
{
    for (int k = 0; k < l; k++)
        for (int i = 0; i < r; i++) {
            double a = A[k * ar + i];
            for (int j = 0; j < c; j++) out[i * c + j] += a * B[k * c + j];
        }
}

/* out (r x c) += A (r x l) B (l x c) */
LIE_INLINE void add_product(int r, int l, int c, double *out, const double *A, const double *B)
{
    for (int i = 0; i < r; i++)
        for (int k = 0; k < l; k++) {
            double a = A[i * l + k];
            for (int j = 0; j < c; j++) out[i * c + j] += a * B[k * c + j];
        }
}

LIE_INLINE void raise(double *most, double to)
{
    if (!(to <= *most)) *most = to;
}

/* control_sweep_ends.c: lambda_next, the start z_0 and dstart from the value of node 0. */
lie_status lie__control_solve_ends(lie_control *c, const control_value *v);
int lie__control_may_be_convex(const lie_control *c, const control_value *v);

#endif
