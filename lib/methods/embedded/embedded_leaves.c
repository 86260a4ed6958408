/* SPDX-License-Identifier: MIT */
/* embedded_leaves.c: S3, SO3, SE3, SE2 and R^n in their flat spaces; see embedded_leaf.h.
 *
 * In the plane q = (z_0, 0, 0, z_1), z = exp(i t/2) at the node, so that of the equations of SE3 there is left
 *
 *     mu = z_0 p_1 - z_1 p_0,   z' = i z w/2,   p' = i p w/2 + i z (P x v + F_w)/|z|^2,   x' = R v,   px' = R F_v
 *
 * with R that of z^2/|z|^2, P = R^T px: half of the angle, whose error is a fourth of that of the angle with one stage,
 * and less with more. Of R^n there is left x' = xi, p' = F. */
#include "lib/methods/embedded/embedded_leaf.h"

#include <liestep/s3.h>

#include "lib/methods/embedded/embedded_end.h"
#include "lib/methods/embedded/embedded_node.h"

enum { STAGES = EMBEDDED_STAGES_MAX };

static lie_place place_in(const embedded_leaf *L, const lie_place *at)
{
    lie_place here = *at;
    here.g += L->g, here.low_g += L->g, here.m += L->m, here.low_m += L->m;
    return here;
}

/* S3, SO3, SE3 */

static int takes_turn(const lie_ops *G)
{
    if (strcmp(G->group, "S3") == 0) return G->dim == 3 && G->size == 4;
    if (strcmp(G->group, "SO3") == 0) return G->dim == 3 && G->size == 9;
    return strcmp(G->group, "SE3") == 0 && G->dim == 6 && G->size == 12;
}

static int rows_of_turn(const lie_ops *G)
{
    return G->dim == 3 ? EMBEDDED_PX : EMBEDDED_LONGEST;
}

static void describe_turn(const embedded_leaf *L, flat_rows *to)
{
    flat_describe(to, FLAT_DIRECTION, 4, 0, 0);
    flat_describe(to, FLAT_MOMENTUM, 4, L->m, L->m + 3);
    if (L->G->dim == 3) return;
    flat_describe(to, FLAT_MOMENTUM, 3, L->m + 3, L->m + 6);
    flat_describe(to, FLAT_PLACE, 3, L->m + 3, L->m + 6);
}

static void begin_turn(const embedded_leaf *L, double *y, const lie_place *at, const double *end)
{
    lie_place here = place_in(L, at);
    flat_of_place(L->G->size, y, &here, end);
}

static lie_status seen_turn(const embedded_leaf *L, double *g, double *m, const double *y, const lie_place *at)
{
    lie_place here = place_in(L, at);
    stage_of(L->G, &here, g, m, y);
    return LIE_OK;
}

static lie_status rate_of_turn(const embedded_leaf *L, double *k, const double *y, const double *g, const double *m,
                               const double *xi, const double *F)
{
    double w[3], f[3], arm[3];
    double n = (y[0] * y[0] + y[1] * y[1]) + (y[2] * y[2] + y[3] * y[3]);
    copy_n(3, f, F);
    if (L->G->dim == 6) {
        mat3_vec(k + EMBEDDED_PX, g, F + 3);
        mat3_vec(k + EMBEDDED_X, g, xi + 3);
        cross3(arm, m + 3, xi + 3);
        for (int i = 0; i < 3; i++) f[i] += arm[i];
    }
    for (int i = 0; i < 3; i++) w[i] = 0.5 * xi[i];
    flat_rates(k, y, 1.0 / n, w, f);
    return LIE_OK;
}

static int end_turn(const embedded_leaf *L, const flat_step *S, lie_place *at)
{
    double slopes[EMBEDDED_LONGEST * STAGES], spatial[3];
    embedded_per_stage torque[3], arm[3];
    const embedded_sums sums = {S->stages, STAGES, S->hb, S->hb_low, slopes};
    lie_place here = place_in(L, at);
    int size = L->G->size, rows = rows_of_turn(L->G);
    for (int i = 0; i < S->stages; i++) {
        const double *g = S->g + i * S->size + L->g, *F = S->F + i * S->dim + L->m, *Y = S->Y + i * S->rows + L->y;
        if (size == 4)
            lie_s3_act(spatial, g, F);
        else
            mat3_vec(spatial, g, F);
        for (int c = 0; c < 3; c++) torque[c][i] = spatial[c], arm[c][i] = size == 12 ? Y[EMBEDDED_X + c] : 0.0;
        for (int c = 0; c < rows; c++) slopes[c * STAGES + i] = S->K[i * S->rows + L->y + c];
    }
    return end_step(size, &sums, S->y + L->y, (const embedded_per_stage *)torque, (const embedded_per_stage *)arm,
                    &here);
}

static const embedded_leaf_kind turn = {.takes = takes_turn,
                                        .rows = rows_of_turn,
                                        .signs = 4,
                                        .describe = describe_turn,
                                        .begin = begin_turn,
                                        .seen = seen_turn,
                                        .rate = rate_of_turn,
                                        .end = end_turn};

/* SE2 */

enum { PLANE_P = 2, PLANE_PX = 4, PLANE_X = 6, PLANE_ROWS = 8 };

static int takes_plane(const lie_ops *G)
{
    return strcmp(G->group, "SE2") == 0 && G->dim == 3 && G->size == 4;
}

static int rows_of_plane(const lie_ops *G)
{
    (void)G;
    return PLANE_ROWS;
}

static void describe_plane(const embedded_leaf *L, flat_rows *to)
{
    flat_describe(to, FLAT_DIRECTION, 2, 0, 0);
    flat_describe(to, FLAT_MOMENTUM, 2, L->m, L->m + 1);
    flat_describe(to, FLAT_MOMENTUM, 2, L->m + 1, L->m + 3);
    flat_describe(to, FLAT_PLACE, 2, L->m + 1, L->m + 3);
}

/* out = R a, and R^T a, r = (cos, sin) */
static void turn_plane(double out[2], const double r[2], const double a[2])
{
    out[0] = r[0] * a[0] - r[1] * a[1];
    out[1] = r[1] * a[0] + r[0] * a[1];
}

static void turn_plane_back(double out[2], const double r[2], const double a[2])
{
    out[0] = r[0] * a[0] + r[1] * a[1];
    out[1] = r[0] * a[1] - r[1] * a[0];
}

/* half of the angle: z = (1 + r)/|1 + r|, or i (1 - r)/|1 - r| where that is better */
static void begin_plane(const embedded_leaf *L, double *y, const lie_place *at, const double *end)
{
    const double *g = at->g + L->g, *m = at->m + L->m;
    int is_far = g[0] < 0.0;
    double a = is_far ? g[1] : 1.0 + g[0], b = is_far ? 1.0 - g[0] : g[1], over = 1.0 / sqrt(a * a + b * b);
    if ((a * end[0] + b * end[1]) < 0.0) over = -over;
    y[0] = over * a, y[1] = over * b;
    y[PLANE_P] = -y[1] * m[0], y[PLANE_P + 1] = y[0] * m[0];
    turn_plane(y + PLANE_PX, g, m + 1);
    y[PLANE_X] = y[PLANE_X + 1] = 0.0;
}

static lie_status seen_plane(const embedded_leaf *L, double *g, double *m, const double *y, const lie_place *at)
{
    double over = 1.0 / (y[0] * y[0] + y[1] * y[1]);
    const double *x = at->g + L->g + 2, *low_x = at->low_g + L->g + 2;
    g[0] = 1.0 - 2.0 * (y[1] * y[1]) * over, g[1] = 2.0 * (y[0] * y[1]) * over;
    for (int i = 0; i < 2; i++) g[2 + i] = x[i] + (low_x[i] + y[PLANE_X + i]);
    m[0] = y[0] * y[PLANE_P + 1] - y[1] * y[PLANE_P];
    turn_plane_back(m + 1, g, y + PLANE_PX);
    return LIE_OK;
}

static lie_status rate_of_plane(const embedded_leaf *L, double *k, const double *y, const double *g, const double *m,
                                const double *xi, const double *F)
{
    (void)L;
    double w = 0.5 * xi[0], f = (F[0] + (m[1] * xi[2] - m[2] * xi[1])) / (y[0] * y[0] + y[1] * y[1]);
    k[0] = -y[1] * w, k[1] = y[0] * w;
    k[PLANE_P] = -y[PLANE_P + 1] * w - y[1] * f, k[PLANE_P + 1] = y[PLANE_P] * w + y[0] * f;
    turn_plane(k + PLANE_PX, g, F + 1);
    turn_plane(k + PLANE_X, g, xi + 1);
    return LIE_OK;
}

/* Impulses: P <- P + R^T dpx, Pi <- Pi + h sum b_i (F_w,i + (x_i - x) x R_i F_v,i) - dx x px+ */
static void plane_impulses(const embedded_leaf *L, const flat_step *S, lie_place *here, double dx[2])
{
    const double *K = S->K + L->y;
    double dpx[2], body[2], about[STAGES];
    for (int c = 0; c < 2; c++) {
        dpx[c] = flat_sum(S, K + PLANE_PX + c, S->rows);
        dx[c] = flat_sum(S, K + PLANE_X + c, S->rows);
    }
    for (int i = 0; i < S->stages; i++) {
        const double *x = S->Y + i * S->rows + L->y + PLANE_X, *f = K + i * S->rows + PLANE_PX;
        about[i] = S->F[i * S->dim + L->m] + (x[0] * f[1] - x[1] * f[0]);
    }
    turn_plane_back(body, here->g, dpx);
    for (int c = 0; c < 2; c++) carry_add(here->m + 1 + c, here->low_m + 1 + c, body[c]);
    turn_plane_back(body, here->g, dx);
    carry_add(here->m, here->low_m, flat_sum(S, about, 1) - (body[0] * here->m[2] - body[1] * here->m[1]));
}

/* conj(z) (z + d) = (w, v) turns by R - 1 = 2/|(w, v)|^2 (-v^2, w v) */
static int end_plane(const embedded_leaf *L, const flat_step *S, lie_place *at)
{
    const double *z = S->y + L->y;
    double d[2], dx[2], change[2], P[2];
    lie_place here = place_in(L, at);
    for (int c = 0; c < 2; c++) d[c] = flat_sum(S, S->K + L->y + c, S->rows);
    double sum[2] = {z[0] + d[0], z[1] + d[1]}, n = 1.0 - (sum[0] * sum[0] + sum[1] * sum[1]);
    if (!(fabs(n) < 0x1p-30)) return 0;
    double twice = 2.0 + 2.0 * n, w = 1.0 + (z[0] * d[0] + z[1] * d[1]), v = z[0] * d[1] - z[1] * d[0];
    const double r[2] = {-twice * (v * v), twice * (w * v)};
    plane_impulses(L, S, &here, dx);
    copy_n(2, P, here.m + 1);
    turn_plane_back(change, r, P);
    for (int c = 0; c < 2; c++) carry_add(here.m + 1 + c, here.low_m + 1 + c, change[c]);
    turn_plane(change, r, here.g);
    for (int c = 0; c < 2; c++) carry_add(here.g + c, here.low_g + c, change[c]);
    for (int c = 0; c < 2; c++) carry_add(here.g + 2 + c, here.low_g + 2 + c, dx[c]);
    return 1;
}

static const embedded_leaf_kind plane = {.takes = takes_plane,
                                         .rows = rows_of_plane,
                                         .signs = 2,
                                         .describe = describe_plane,
                                         .begin = begin_plane,
                                         .seen = seen_plane,
                                         .rate = rate_of_plane,
                                         .end = end_plane};

/* R^n */

static int takes_line(const lie_ops *G)
{
    return strcmp(G->group, "R") == 0 && G->dim == G->size;
}

static int rows_of_line(const lie_ops *G)
{
    return 2 * G->dim;
}

static void describe_line(const embedded_leaf *L, flat_rows *to)
{
    for (int i = L->m; i < L->m + L->G->dim; i++) {
        flat_describe(to, FLAT_MOMENTUM, 1, i, i + 1);
        flat_describe(to, FLAT_PLACE, 1, i, i + 1);
    }
}

static void begin_line(const embedded_leaf *L, double *y, const lie_place *at, const double *end)
{
    (void)end;
    for (int i = 0; i < L->G->dim; i++) y[2 * i] = at->m[L->m + i], y[2 * i + 1] = 0.0;
}

static lie_status seen_line(const embedded_leaf *L, double *g, double *m, const double *y, const lie_place *at)
{
    const double *x = at->g + L->g, *low_x = at->low_g + L->g;
    for (int i = 0; i < L->G->dim; i++) m[i] = y[2 * i], g[i] = x[i] + (low_x[i] + y[2 * i + 1]);
    return LIE_OK;
}

static lie_status rate_of_line(const embedded_leaf *L, double *k, const double *y, const double *g, const double *m,
                               const double *xi, const double *F)
{
    (void)y, (void)g, (void)m;
    for (int i = 0; i < L->G->dim; i++) k[2 * i] = F[i], k[2 * i + 1] = xi[i];
    return LIE_OK;
}

static int end_line(const embedded_leaf *L, const flat_step *S, lie_place *at)
{
    lie_place here = place_in(L, at);
    for (int i = 0; i < L->G->dim; i++) {
        const double *K = S->K + L->y + 2 * i;
        carry_add(here.m + i, here.low_m + i, flat_sum(S, K, S->rows));
        carry_add(here.g + i, here.low_g + i, flat_sum(S, K + 1, S->rows));
    }
    return 1;
}

static const embedded_leaf_kind line = {.takes = takes_line,
                                        .rows = rows_of_line,
                                        .describe = describe_line,
                                        .begin = begin_line,
                                        .seen = seen_line,
                                        .rate = rate_of_line,
                                        .end = end_line};

const embedded_leaf_kind *lie__embedded_leaf_of(const lie_ops *G)
{
    enum { KINDS = 4 };
    static const embedded_leaf_kind *const kinds[KINDS] = {&turn, &plane, &line, &lie__embedded_matrix};
    for (int i = 0; i < KINDS; i++)
        if (kinds[i]->takes(G)) return kinds[i];
    return 0;
}
