/* SPDX-License-Identifier: MIT */
/* external.c: the derivatives of an external force; see external.h. */
#include "lib/methods/variational/external.h"

void lie__external_deriv(forcing W, double *E, double c, const double *g, const double *xi)
{
    lie_system_external_deriv(W.st->system, E, W.at->t + c * W.h, g, xi, control_in(W.st, W.at, W.u, c));
}

/* central differences of order 4 */
void lie__external_along(forcing W, double *D, double c, const double *g, const double *xi)
{
    const lie_ops *G = W.st->group;
    static const double shift[4] = {0x1p-10, -0x1p-10, 0x1p-9, -0x1p-9}, weight[4] = {8.0, -8.0, -1.0, 1.0};
    double x[LIE_DIM_MAX] = {0.0}, at[LIE_SIZE_MAX], f[LIE_DIM_MAX];
    int n = G->dim;
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < 4; k++) {
            x[j] = shift[k];
            int inside = G->tau(G, at, x) == LIE_OK;
            G->mul(G, at, g, at);
            external_at(W, f, c, at, xi);
            for (int i = 0; i < n; i++) D[i * n + j] += inside ? weight[k] * f[i] / (12.0 * 0x1p-10) : (double)NAN;
        }
        x[j] = 0.0;
    }
}
