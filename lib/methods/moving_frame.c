/* SPDX-License-Identifier: MIT */
/* moving_frame.c: see moving_frame.h. */
#include "lib/methods/moving_frame.h"

#include <string.h>

#include "groups/num/cholesky.h"
#include "groups/num/finite.h"

lie_status lie__frame_read(moving_frame *f, const lie_system *sys, int *is_new)
{
    double eta[LIE_DIM_MAX], a[LIE_DIM_MAX], L[LIE_DIM_MAX * LIE_DIM_MAX];
    int n = sys->group->dim;
    const size_t bytes = (size_t)n * sizeof(double);
    sys->frame(sys, eta, a);
    *is_new = !f->is_read || memcmp(eta, f->eta, bytes) != 0 || memcmp(a, f->a, bytes) != 0;
    if (!*is_new) return LIE_OK;
    if (!all_finite(n, eta) || !all_finite(n, a)) return LIE_ERR_NOT_FINITE;
    if (!cholesky_factor(n, L, sys->inertia)) return LIE_ERR_INERTIA;
    copy_n(n, f->eta, eta);
    copy_n(n, f->a, a);
    copy_n(n, f->idle, a);
    cholesky_solve(n, L, f->idle);
    f->is_read = 1;
    f->has_wheels = 0;
    for (int i = 0; i < n; i++) f->has_wheels |= a[i] != 0.0;
    return LIE_OK;
}

void lie__frame_in_body(const moving_frame *f, double *b, const double *g)
{
    double inverse[LIE_SIZE_MAX];
    f->G->inv(f->G, inverse, g);
    f->G->Ad(f->G, b, inverse, f->eta);
}

void lie__frame_add_force(const moving_frame *f, const lie_system *sys, double *F, const double *g)
{
    double b[LIE_DIM_MAX], A[LIE_DIM_MAX], more[LIE_DIM_MAX];
    lie__frame_in_body(f, b, g);
    sys->gyro(sys, A, g);
    f->G->adt(f->G, more, b, A);
    for (int i = 0; i < f->G->dim; i++) F[i] -= more[i];
}

void lie__frame_add_gradient(const moving_frame *f, const lie_system *sys, double *out, const double *y,
                             const double *g)
{
    const lie_ops *G = f->G;
    double D[LIE_DIM_MAX * LIE_DIM_MAX], b[LIE_DIM_MAX], A[LIE_DIM_MAX], by[LIE_DIM_MAX];
    int n = G->dim;
    lie__frame_in_body(f, b, g);
    sys->gyro(sys, A, g);
    sys->gyro_deriv(sys, D, g);
    G->adt(G, A, y, A);
    G->adt(G, A, b, A);
    G->ad(G, by, b, y);
    for (int j = 0; j < n; j++) {
        out[j] += A[j];
        for (int k = 0; k < n; k++) out[j] -= D[k * n + j] * by[k];
    }
}
