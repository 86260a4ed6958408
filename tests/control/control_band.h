/* SPDX-License-Identifier: MIT */
/* control_band.h: the linear system of a Newton step of optimal control as one banded matrix, for LAPACK: an
 * independent way to the step that lib/control/control_sweep.c finds by elimination from node to node, and what to compare its
 * speed with.
 *
 * Unknowns of node k: y_k (2n), the multipliers of z_k = ..., z_k (2n), u_k (m); behind node N the lambda (rows):
 *     z_0 = 0,  z_{k+1} = A z_k + B u_k + c;   H (z, u) + h + (A, B)^T y_{k+1} - (y_k, 0) = 0;   at N with D^T lambda.
 * Without bounds, fuel, or a cost of the user's. */
#ifndef LIESTEP_TESTS_CONTROL_BAND_H
#define LIESTEP_TESTS_CONTROL_BAND_H

#include <lapacke.h>
#undef I /* of complex.h */
#include <stdlib.h>

#include "lib/control/control.h"

typedef struct control_band {
    int count, below, above, row;  /* unknowns, diagonals below and above the main one, numbers per column */
    double *matrix, *copy, *right; /* of dgbsv: column by column; right: the solution afterwards */
    int *pivots;
} control_band;

static inline void band_add(control_band *b, int i, int j, double value)
{
    b->matrix[(size_t)j * (size_t)b->row + (size_t)(b->below + b->above + i - j)] += value;
}

/* 0: there is no memory */
static inline int band_make(control_band *b, const lie_control *c)
{
    const control_problem *P = &c->problem;
    int s = 2 * P->n, block = 2 * s + P->m, last = s + P->m + P->ends.rows;
    *b = (control_band){.count = (P->N + 1) * block + P->ends.rows};
    b->below = b->above = block + s - 1 > last ? block + s - 1 : last;
    b->row = 2 * b->below + b->above + 1;
    size_t numbers = (size_t)b->count * (size_t)b->row;
    b->matrix = (double *)calloc(numbers, sizeof *b->matrix);
    b->copy = (double *)calloc(numbers, sizeof *b->copy);
    b->right = (double *)calloc((size_t)b->count, sizeof *b->right);
    b->pivots = (int *)calloc((size_t)b->count, sizeof *b->pivots);
    return b->matrix && b->copy && b->right && b->pivots;
}

static inline void band_free(control_band *b)
{
    free(b->matrix);
    free(b->copy);
    free(b->right);
    free(b->pivots);
}

/* Second derivatives and gradient of node k, with the cost of u_k */
static inline void band_put_node(control_band *b, const lie_control *c, int k, const control_linear *at)
{
    const control_problem *P = &c->problem;
    int s = 2 * P->n, m = P->m, columns = s + m + 1, y = k * (2 * s + m), z = y + s;
    for (int i = 0; i < s + m; i++) {
        double gradient = at->hessian[i * columns + s + m];
        for (int j = 0; j < s + m; j++) {
            double H = 0.5 * (at->hessian[i * columns + j] + at->hessian[j * columns + i]);
            if (i == j && i >= s)
                H += node_weight(P, k) * (P->inputs.weight[i - s] + damping_of(P, c->step.damping, i - s));
            band_add(b, z + i, z + j, H);
        }
        if (i >= s) gradient += node_weight(P, k) * P->inputs.weight[i - s] * c->iterate.now.u[k * m + i - s];
        b->right[z + i] -= gradient;
        if (i < s) {
            band_add(b, z + i, y + i, -1.0);
            band_add(b, y + i, z + i, -1.0);
        }
    }
}

/* z_{k+1} = step (z, u, 1), or at node N the conditions */
static inline void band_put_step(control_band *b, const lie_control *c, int k, const control_linear *at)
{
    int s = 2 * c->problem.n, m = c->problem.m, columns = s + m + 1, z = k * (2 * s + m) + s, next = z + s + m;
    int rows = k < c->problem.N ? s : c->problem.ends.rows;
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < s + m; j++) {
            band_add(b, next + i, z + j, at->step[i * columns + j]);
            band_add(b, z + j, next + i, at->step[i * columns + j]);
        }
        b->right[next + i] -= at->step[i * columns + s + m];
    }
}

/* The whole matrix at the present iterate */
static inline lie_status band_fill(control_band *b, lie_control *c)
{
    static control_linear at;
    size_t numbers = (size_t)b->count * (size_t)b->row;
    memset(b->matrix, 0, numbers * sizeof *b->matrix);
    memset(b->right, 0, (size_t)b->count * sizeof *b->right);
    for (int k = c->problem.N; k >= 0; k--) {
        lie_status status = lie__control_linearise(c, k, &at);
        if (status != LIE_OK) return status;
        band_put_node(b, c, k, &at);
        band_put_step(b, c, k, &at);
    }
    return LIE_OK;
}

/* Solve, on a copy of the matrix; 0: LAPACK is content */
static inline int band_solve(control_band *b)
{
    memcpy(b->copy, b->matrix, (size_t)b->count * (size_t)b->row * sizeof *b->copy);
    return LAPACKE_dgbsv_work(LAPACK_COL_MAJOR, b->count, b->below, b->above, 1, b->copy, b->row, b->pivots, b->right,
                              b->count);
}

#endif
