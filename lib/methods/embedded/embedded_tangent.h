/* SPDX-License-Identifier: MIT */
/* embedded_tangent.h: the derivative of a step in the embedding. Internal.
 *
 * Variations of the state y of embedded.h obey the equations of the stages, differentiated:
 *
 *     dY_i = dy + h sum_j a_ij f'(Y_j) dY_j,      dy+ = dy + h sum_i b_i f'(Y_i) dY_i
 *
 * one linear system for all columns. With S = A^-1, N_i = h f'(Y_i) and Z_i = dY_i - dy it is
 *
 *     sum_j S_ij Z_j - N_i Z_i = N_i dy,
 *
 * where stages are tied by multiples of the unit matrix alone: the first half of the equations gives the second half of
 * the stages, Z_U = E (N_P dy + N_P Z_P - S_PV Z_V), E = S_PU^-1, and Gaussian elimination has half the unknowns. That
 * costs r^2 products of two N_i, r half the stages, whatever the length of the step; passes would take 10 to 15 for
 * each column. The last slopes N_i (dy + Z_i) are one pass more, and what they say of the stages is the certificate.
 *
 * embedded_along.c does this, compiled for every instruction set, with the same bits. */
#ifndef LIESTEP_LIB_EMBEDDED_TANGENT_H
#define LIESTEP_LIB_EMBEDDED_TANGENT_H

#include <liestep/family.h>
#include <liestep/tableau.h>

#include "lib/methods/embedded/embedded.h"

enum {
    EMBEDDED_DIM_MAX = 6,
    EMBEDDED_HALF = EMBEDDED_STAGES_MAX / 2,
    EMBEDDED_OTHER = EMBEDDED_HALF, /* stages that are left, and equations */
    EMBEDDED_ROOM = 16              /* a row of a matrix or of columns: 14 or 12 numbers, and zeros */
};

/* The numbers of a tableau that the elimination needs: V stages that are left, first those of P; U those that are
 * found from them; W equations that are left. */
typedef struct embedded_halves {
    int half, left; /* sizes of P and U; of V and W */
    int V[EMBEDDED_HALF + 1], U[EMBEDDED_HALF], W[EMBEDDED_HALF + 1];
    double E[EMBEDDED_HALF][EMBEDDED_HALF];          /* S_PU^-1 */
    double EP[EMBEDDED_HALF][EMBEDDED_HALF + 1];     /* E S_PV */
    double SE[EMBEDDED_HALF + 1][EMBEDDED_HALF];     /* S_WU E */
    double SW[EMBEDDED_HALF + 1][EMBEDDED_HALF + 1]; /* S_WV - S_WU E S_PV */
} embedded_halves;

/* What the kernel is given. */
typedef struct embedded_along {
    int stages, length; /* of Y that matters to the other rows */
    double h;
    const lie_tableau *tab;
    const embedded_halves *halves;
    embedded_per_stage Y[EMBEDDED_LONGEST], xi[EMBEDDED_DIM_MAX], F[EMBEDDED_DIM_MAX];
    /* d xi and d F by (eta, dm) in the body frame of the stage, n x n each; xi_g and F_m: where they are not zero */
    int is_coupled;
    embedded_per_stage xi_g[36], xi_m[36], F_g[36], F_m[36];
    double start[EMBEDDED_LONGEST * EMBEDDED_ROOM], end[EMBEDDED_LONGEST * EMBEDDED_ROOM]; /* dy, dy+: rows of y */
    double *work;
} embedded_along;

typedef lie_status embedded_along_fn(embedded_along *a);

/* of S3 and SO3; of SE3 */
typedef struct embedded_along_kernel {
    embedded_along_fn *turn, *motion;
} embedded_along_kernel;

/* Status: LIE_ERR_SINGULAR, of no Gauss method. */
lie_status lie__embedded_halve(embedded_halves *H, const lie_tableau *tab);

int lie__embedded_tangent_doubles(const lie_stepper *st, int length);

/* What is differentiated: the slopes of the step that has just led from one place to another, and where it began.
 * inverse: of the inertia, or null; u: room for a control. */
typedef struct embedded_taken {
    const embedded_task *task;
    const embedded_halves *halves;
    int length;
    const double *inverse;
    double *u;
} embedded_taken;
lie_status lie__embedded_tangent(lie_stepper *st, const lie_place *from, const lie_place *to, double h,
                                 const embedded_taken *taken, double *T, double *work);

#endif
