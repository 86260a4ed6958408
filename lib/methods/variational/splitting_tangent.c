/* SPDX-License-Identifier: MIT */
/* splitting_tangent.c: the derivative of the kicks of splitting.c.
 *
 *     m + b h F + g h^3 f:      nu += (b h D + g h^3 f_g) eta,      D_ij = d/ds F_i(g exp(s e_j))
 *
 * F is the force of a potential U, F_k = -e_k U, e_k the derivative along g exp(s e_k), so f = D^T y, y = I^-1 F, is
 * f_i = -e_i Y U with Y = sum y_k e_k held fixed in front of D. With e_a e_b - e_b e_a = [e_a, e_b] that along
 * Y comes to the front, where it needs one difference of D and no third derivative:
 *
 *     f_ij = (Y D)_ij + sum_l (D_il c_lj + c_li D_lj) + (D^T I^-1 D)_ij,      c_j = [e_j, y]
 *
 * Y D is a central difference over 2^-17, good to 1e-10; g h^2 <= 5e-3 h^2 brings it below rounding in T. */
#include "lib/methods/variational/splitting.h"

#include <math.h>

#include "groups/num/finite.h"
#include "lib/systems/system_field.h"

static const double at_rest[LIE_DIM_MAX];

/* D += the derivative of -ad*_b A, b = Ad_{g^-1} eta: along e_j, b changes by [b, e_j] */
static void add_frame_slope(const lie_stepper *st, const splitting *w, double *D, const double *g)
{
    const lie_ops *G = w->G;
    int n = G->dim;
    double b[LIE_DIM_MAX], A[LIE_DIM_MAX], A_g[LIE_DIM_MAX * LIE_DIM_MAX];
    lie__frame_in_body(&w->frame, b, g);
    st->system->gyro(st->system, A, g);
    st->system->gyro_deriv(st->system, A_g, g);
    for (int j = 0; j < n; j++) {
        double e[LIE_DIM_MAX] = {0.0}, turned[LIE_DIM_MAX], column[LIE_DIM_MAX], one[LIE_DIM_MAX];
        e[j] = 1.0;
        G->ad(G, turned, b, e);
        for (int i = 0; i < n; i++) column[i] = A_g[i * n + j];
        G->adt(G, one, turned, A);
        G->adt(G, column, b, column);
        for (int i = 0; i < n; i++) D[i * n + j] -= one[i] + column[i];
    }
}

/* D of the force with what the frame adds */
static void force_slope(const lie_stepper *st, const splitting *w, double *D, const double *g)
{
    const lie_system *sys = st->system;
    int n = w->G->dim;
    zero_n(n * n, D);
    if (sys->force && sys->force_deriv) {
        sys->force_deriv(sys, D, g);
    } else if (sys->force) {
        lie_system bare = *sys;
        bare.gyro = 0, bare.gyro_deriv = 0;
        lie_system_force_deriv(&bare, D, g, at_rest);
    }
    if (w->frame.is_read) add_frame_slope(st, w, D, g);
}

/* Y D by differences */
static lie_status slope_ahead(const lie_stepper *st, const splitting *w, double *out, const double *y, const double *g)
{
    const lie_ops *G = w->G;
    int n = G->dim;
    double size = 0.0, x[LIE_DIM_MAX], at[LIE_SIZE_MAX], D[LIE_DIM_MAX * LIE_DIM_MAX];
    zero_n(n * n, out);
    for (int i = 0; i < n; i++) size = fabs(y[i]) > size ? fabs(y[i]) : size;
    if (size == 0.0) return LIE_OK;
    for (int side = -1; side <= 1; side += 2) {
        for (int i = 0; i < n; i++) x[i] = side * 0x1p-17 * (y[i] / size);
        lie_status status = G->tau(G, at, x);
        if (status != LIE_OK) return status;
        G->mul(G, at, g, at);
        force_slope(st, w, D, at);
        for (int i = 0; i < n * n; i++) out[i] += side * 0x1p16 * size * D[i];
    }
    return LIE_OK;
}

/* out += f_g, f = D^T I^-1 F; D, F: at g */
static lie_status add_gradient_slope(const lie_stepper *st, const splitting *w, double *out, double factor,
                                     const double *D, const double *g)
{
    const lie_ops *G = w->G;
    int n = G->dim;
    double y[LIE_DIM_MAX], c[LIE_DIM_MAX * LIE_DIM_MAX], ID[LIE_DIM_MAX * LIE_DIM_MAX],
        ahead[LIE_DIM_MAX * LIE_DIM_MAX];
    for (int i = 0; i < n; i++) {
        y[i] = 0.0;
        for (int k = 0; k < n; k++) y[i] += w->T.inverse[i * n + k] * w->F[k];
    }
    for (int j = 0; j < n; j++) {
        double e[LIE_DIM_MAX] = {0.0}, bracket[LIE_DIM_MAX];
        e[j] = 1.0;
        G->ad(G, bracket, e, y);
        for (int i = 0; i < n; i++) {
            c[i * n + j] = bracket[i], ID[i * n + j] = 0.0;
            for (int k = 0; k < n; k++) ID[i * n + j] += w->T.inverse[i * n + k] * D[k * n + j];
        }
    }
    lie_status status = slope_ahead(st, w, ahead, y, g);
    for (int i = 0; i < n && status == LIE_OK; i++)
        for (int j = 0; j < n; j++) {
            double sum = ahead[i * n + j];
            for (int l = 0; l < n; l++)
                sum += (D[i * n + l] * c[l * n + j] + c[l * n + i] * D[l * n + j]) + D[l * n + i] * ID[l * n + j];
            out[i * n + j] += factor * sum;
        }
    return status;
}

lie_status lie__splitting_kick_along(const lie_stepper *st, const splitting *w, const splitting_kick *kick, double *V)
{
    const lie_system *sys = st->system;
    int n = w->G->dim, N = 2 * n;
    double K[LIE_DIM_MAX * LIE_DIM_MAX], D[LIE_DIM_MAX * LIE_DIM_MAX];
    lie_status status = LIE_OK;
    zero_n(n * n, K);
    if (sys->force || w->frame.is_read) {
        force_slope(st, w, D, kick->g);
        for (int i = 0; i < n * n; i++) K[i] = kick->force * D[i];
        if (kick->gradient != 0.0) status = add_gradient_slope(st, w, K, kick->gradient, D, kick->g);
    }
    if (sys->external) {
        zero_n(n * n, D);
        lie__system_external_along(sys, w->G, D, kick->t, kick->g, at_rest, kick->u);
        for (int i = 0; i < n * n; i++) K[i] += kick->external * D[i];
    }
    for (int i = 0; i < n && status == LIE_OK; i++)
        for (int k = 0; k < n; k++)
            for (int c = 0; c < N; c++) V[(n + i) * N + c] += K[i * n + k] * V[k * N + c];
    return all_finite(n * n, K) ? status : LIE_ERR_NOT_FINITE;
}
