/* SPDX-License-Identifier: MIT */
/* embedded_along.c: the linear equations of embedded_tangent.h, in vectors of LIE_LANES numbers for which this file is
 * compiled (lib/meson.build), or one after the other: stages where f' is made, entries of a row where matrices are
 * multiplied. A number is computed in the same order whatever the lanes: the bits are the same. */
#include "lib/methods/embedded/embedded_tangent.h"

#include <string.h>

#include "lib/methods/embedded/embedded_flat.h"

#ifdef LIE_LANES
enum { LANES = LIE_LANES };
#else
enum { LANES = 1 };
#endif
enum { STAGES_MAX = EMBEDDED_STAGES_MAX, P = EMBEDDED_P, PX = EMBEDDED_PX, X = EMBEDDED_X, ROOM = EMBEDDED_ROOM };

/* What an instance knows: n, rows of y, how long a row of a matrix or of columns is, zeros included, and the rows that
 * matter to the others. */
typedef struct sizes {
    int n, rows, room, length;
} sizes;

LIE_INLINE lie_real load(const double *at)
{
    lie_real x;
    memcpy(&x, at, sizeof x);
    return x;
}

LIE_INLINE void save(double *at, lie_real x)
{
    memcpy(at, &x, sizeof x);
}

/* f' of the stages in the lanes from `first` on */

typedef struct stage_state {
    lie_real q[4], p[4], over;  /* 1/|q|^2 */
    lie_real R[9], xi[6], F[6]; /* of n = 6; xi with half the velocity of rotation */
    lie_real P[3], f[3];        /* P x v + F_w, and */
    lie_real phi[3];            /* that over |q|^2 */
    int first;
} stage_state;

/* vec(conj(y) e_c) = -vec(conj(e_c) y) */
LIE_INLINE void unit_seen(lie_real out[3], const lie_real y[4], int c)
{
    const lie_real table[4][3] = {{-y[1], -y[2], -y[3]}, {y[0], -y[3], y[2]}, {y[3], y[0], -y[1]}, {-y[2], y[1], y[0]}};
    for (int i = 0; i < 3; i++) out[i] = table[c][i];
}

/* out += e_c (0, a) */
LIE_INLINE void add_unit_times(lie_real out[4], int c, const lie_real a[3])
{
    const lie_real o = real_of(0.0);
    const lie_real table[4][4] = {
        {o, a[0], a[1], a[2]}, {-a[0], o, -a[2], a[1]}, {-a[1], a[2], o, -a[0]}, {-a[2], -a[1], a[0], o}};
    for (int i = 0; i < 4; i++) out[i] += table[c][i];
}

/* out += M x, entry k of M in the lanes from `first` on at M[k] */
LIE_INLINE void add_times(int n, lie_real *out, const embedded_per_stage *M, int first, const lie_real *x)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) out[i] += load(M[i * n + j] + first) * x[j];
}

LIE_INLINE void begin_stage(const sizes *S, stage_state *s, const embedded_along *a, int first)
{
    lie_real arm[3], px[3];
    s->first = first;
    for (int i = 0; i < 4; i++) s->q[i] = load(a->Y[i] + first), s->p[i] = load(a->Y[P + i] + first);
    s->over = 1.0 / ((s->q[0] * s->q[0] + s->q[1] * s->q[1]) + (s->q[2] * s->q[2] + s->q[3] * s->q[3]));
    for (int i = 0; i < S->n; i++) {
        s->xi[i] = load(a->xi[i] + first), s->F[i] = load(a->F[i] + first);
        if (i < 3) s->xi[i] *= 0.5, s->f[i] = s->F[i];
    }
    if (S->n == 6) {
        for (int i = 0; i < 3; i++) px[i] = load(a->Y[PX + i] + first);
        rotation_of(s->R, s->q, s->over);
        mat3_tvec(s->P, s->R, px);
        cross3(arm, s->P, s->xi + 3);
        for (int i = 0; i < 3; i++) s->f[i] += arm[i];
    }
    for (int i = 0; i < 3; i++) s->phi[i] = s->f[i] * s->over;
}

/* A variation of a stage: eta and dm in the body frame, d|q|/|q|, and its column of f' */
typedef struct variation {
    lie_real eta[6], dm[6], longer;
    lie_real out[EMBEDDED_LONGEST];
} variation;

/* out = f' of the variation, which moves the place or does not, but for the products of dq and dp with what the stage
 * has */
LIE_INLINE void through_the_body(const sizes *S, variation *d, const stage_state *s, const embedded_along *a,
                                 int is_moved)
{
    lie_real dxi[6], dF[6], df[3], turned[3], lift[3], pulled[4];
    for (int i = 0; i < S->n; i++) dxi[i] = dF[i] = real_of(0.0);
    add_times(S->n, dxi, a->xi_m, s->first, d->dm);
    if (is_moved) add_times(S->n, dF, a->F_g, s->first, d->eta);
    if (a->is_coupled) {
        if (is_moved) add_times(S->n, dxi, a->xi_g, s->first, d->eta);
        add_times(S->n, dF, a->F_m, s->first, d->dm);
    }
    for (int i = 0; i < 3; i++) dxi[i] *= 0.5, df[i] = dF[i];
    if (S->n == 6) {
        cross3(turned, d->dm + 3, s->xi + 3);
        cross3(lift, s->P, dxi + 3);
        for (int i = 0; i < 3; i++) df[i] += turned[i] + lift[i];
        cross3(turned, d->eta, s->F + 3);
        for (int i = 0; i < 3; i++) turned[i] += dF[3 + i];
        mat3_vec(d->out + PX, s->R, turned);
        cross3(turned, d->eta, s->xi + 3);
        for (int i = 0; i < 3; i++) turned[i] += dxi[3 + i];
        mat3_vec(d->out + X, s->R, turned);
    }
    for (int i = 0; i < 3; i++) df[i] = (df[i] - 2.0 * (d->longer * s->f[i])) * s->over;
    quat_times(d->out, s->q, dxi);
    quat_times(d->out + P, s->p, dxi);
    quat_times(pulled, s->q, df);
    for (int i = 0; i < 4; i++) d->out[P + i] += pulled[i];
}

/* Column c of N = h f' of the stages in the lanes, row by row at N + stage * rows * room */
LIE_INLINE void put_column(const sizes *S, const embedded_along *a, double *N, int first, int c, const lie_real *out)
{
    for (int i = 0; i < S->rows; i++) {
        double lane[LANES];
        save(lane, a->h * out[i]);
        for (int l = 0; l < LANES && first + l < a->stages; l++) N[((first + l) * S->rows + i) * S->room + c] = lane[l];
    }
}

LIE_INLINE variation no_variation(void)
{
    variation d;
    for (int i = 0; i < 6; i++) d.eta[i] = d.dm[i] = real_of(0.0);
    d.longer = real_of(0.0);
    return d;
}

LIE_INLINE void columns(const sizes *S, const embedded_along *a, double *N, const stage_state *s)
{
    LIE_UNROLL
    for (int c = 0; c < 4; c++) { /* of q: (eta, dm) = (2 vec(conj(q) e_c)/|q|^2, vec(conj(e_c) p), P x eta) */
        variation d = no_variation();
        unit_seen(d.eta, s->q, c);
        unit_seen(d.dm, s->p, c);
        for (int i = 0; i < 3; i++) d.eta[i] *= 2.0 * s->over, d.dm[i] = -d.dm[i];
        if (S->n == 6) cross3(d.dm + 3, s->P, d.eta);
        d.longer = s->q[c] * s->over;
        through_the_body(S, &d, s, a, 1);
        add_unit_times(d.out, c, s->xi);
        add_unit_times(d.out + P, c, s->phi);
        put_column(S, a, N, s->first, c, d.out);
    }
    LIE_UNROLL
    for (int c = 0; c < 4; c++) { /* of p: dm = vec(conj(q) e_c) */
        variation d = no_variation();
        unit_seen(d.dm, s->q, c);
        through_the_body(S, &d, s, a, 0);
        add_unit_times(d.out + P, c, s->xi);
        put_column(S, a, N, s->first, P + c, d.out);
    }
    for (int c = PX; c < S->rows; c++) { /* of px and x: row of R */
        variation d = no_variation();
        lie_real *to = c < X ? d.dm + 3 : d.eta + 3;
        for (int i = 0; i < 3; i++) to[i] = s->R[3 * (c < X ? c - PX : c - X) + i];
        through_the_body(S, &d, s, a, c >= X);
        put_column(S, a, N, s->first, c, d.out);
    }
}

/* Matrices: rows of `room` numbers, of which a product takes all, zeros included. */

/* out (rows of `stride`) = A B + f C; A rows x inner, C null: none */
LIE_INLINE void product(int room, int rows, int inner, double *out, int stride, const double *A, const double *B,
                        double f, const double *C)
{
    for (int i = 0; i < rows; i++) {
        lie_real sum[EMBEDDED_ROOM / LANES];
        LIE_UNROLL
        for (int v = 0; v < room / LANES; v++) sum[v] = C ? f * load(C + i * room + v * LANES) : real_of(0.0);
        LIE_UNROLL
        for (int k = 0; k < inner; k++) {
            LIE_UNROLL
            for (int v = 0; v < room / LANES; v++) sum[v] += A[i * room + k] * load(B + k * room + v * LANES);
        }
        LIE_UNROLL
        for (int v = 0; v < room / LANES; v++) save(out + i * stride + v * LANES, sum[v]);
    }
}

/* out += f A */
LIE_INLINE void add_scaled(int count, double *out, double f, const double *A)
{
    for (int i = 0; i < count; i += LANES) save(out + i, load(out + i) + f * load(A + i));
}

/* out = f A */
LIE_INLINE void put_scaled(int count, double *out, double f, const double *A)
{
    for (int i = 0; i < count; i += LANES) save(out + i, f * load(A + i));
}

/* Where things lie in the work: N_i, b_i = N_i dy and Z_i of all stages; the augmented matrix [M | right-hand sides] of
 * `unknowns` rows; two blocks. */
typedef struct layout {
    double *N, *b, *Z, *M, *block, *other;
    int unknowns, stride;
} layout;

LIE_INLINE int rounded_up(int n)
{
    return (n + 7) / 8 * 8;
}

LIE_INLINE layout layout_of(const sizes *S, const embedded_along *a)
{
    layout L;
    const int one = S->rows * S->room;
    L.N = a->work, L.b = L.N + a->stages * one, L.Z = L.b + a->stages * one;
    L.block = L.Z + a->stages * one, L.other = L.block + one, L.M = L.other + one;
    L.unknowns = a->halves->left * S->length, L.stride = rounded_up(L.unknowns) + S->room;
    return L;
}

/* The part of equation W_w that multiplies Z of V_v, to `at`: SE N_j + SW 1, and for i in U more, N_i (EP 1 - E N_j);
 * less N_i on the diagonal for the stage in the middle. Zeros beyond its last column. */
LIE_INLINE void make_block(const sizes *S, const embedded_along *a, const layout *L, int w, int v, double *at)
{
    const embedded_halves *H = a->halves;
    const int one = S->rows * S->room, i = H->W[w], j = H->V[v], u = w - (H->left - H->half), n = S->length;
    const double *Ni = L->N + i * one, *Nj = L->N + j * one;
    const double by_first = v < H->half ? H->SE[w][v] : i == j ? -1.0 : 0.0;
    if (u >= 0) {
        put_scaled(n * S->room, L->other, v < H->half ? -H->E[u][v] : 0.0, Nj);
        for (int k = 0; k < n; k++) L->other[k * S->room + k] += H->EP[u][v];
        product(S->room, n, n, at, L->stride, Ni, L->other, by_first, Nj);
    } else {
        for (int k = 0; k < n; k++) put_scaled(S->room, at + k * L->stride, by_first, Nj + k * S->room);
    }
    for (int k = 0; k < n; k++) at[k * L->stride + k] += H->SW[w][v];
}

/* The right-hand side of equation W_w: b_i - sum_l SE b_l + N_i sum_l E b_l */
LIE_INLINE void make_side(const sizes *S, const embedded_along *a, const layout *L, int w, double *at)
{
    const embedded_halves *H = a->halves;
    const int one = S->rows * S->room, i = H->W[w], u = w - (H->left - H->half), count = S->length * S->room;
    memcpy(L->block, L->b + i * one, (size_t)count * sizeof(double));
    for (int l = 0; l < H->half; l++) add_scaled(count, L->block, -H->SE[w][l], L->b + H->V[l] * one);
    if (u >= 0) {
        put_scaled(count, L->other, H->E[u][0], L->b + H->V[0] * one);
        for (int l = 1; l < H->half; l++) add_scaled(count, L->other, H->E[u][l], L->b + H->V[l] * one);
        product(S->room, S->length, S->length, at, L->stride, L->N + i * one, L->other, 1.0, L->block);
    } else {
        for (int k = 0; k < S->length; k++) put_scaled(S->room, at + k * L->stride, 1.0, L->block + k * S->room);
    }
}

/* A block reaches beyond its columns: from left to right, the right-hand sides last. */
LIE_INLINE void make_system(const sizes *S, const embedded_along *a, const layout *L)
{
    const int n = S->length;
    for (int w = 0; w < a->halves->left; w++) {
        double *row = L->M + w * n * L->stride;
        for (int v = 0; v < a->halves->left; v++) make_block(S, a, L, w, v, row + v * n);
        make_side(S, a, L, w, row + L->stride - S->room);
    }
}

/* The largest entry of column k to its place; false where there is none. */
LIE_INLINE int take_pivot(double **row, int unknowns, int k)
{
    int best = k;
    for (int i = k + 1; i < unknowns; i++)
        if (fabs(row[i][k]) > fabs(row[best][k])) best = i;
    double *swapped = row[k];
    row[k] = row[best], row[best] = swapped;
    return fabs(row[k][k]) > 0.0;
}

/* Gaussian elimination, row by row with what is to the right of the pivot; then from the last row back. The answer
 * takes the place of the right-hand sides; row: which one is where. */
LIE_INLINE int eliminate(const layout *L, int room, double **row)
{
    const int n = L->unknowns, side = L->stride - room;
    for (int i = 0; i < n; i++) row[i] = L->M + i * L->stride;
    for (int k = 0; k < n; k++) {
        if (!take_pivot(row, n, k)) return 0;
        const double over = 1.0 / row[k][k];
        for (int i = k + 1; i < n; i++) {
            const double f = row[i][k] * over;
            for (int c = (k + 1) / LANES * LANES; c < L->stride; c += LANES)
                save(row[i] + c, load(row[i] + c) - f * load(row[k] + c));
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        const double over = 1.0 / row[k][k]; // NOLINT(clang-analyzer-core.*)
        for (int c = side; c < L->stride; c += LANES) {
            lie_real x = load(row[k] + c);
            for (int j = k + 1; j < n; j++) x -= row[k][j] * load(row[j] + c);
            save(row[k] + c, x * over);
        }
    }
    return 1;
}

/* Z of the stages that are left, and of those that follow from them: E (b + N Z_P) - EP Z_V */
LIE_INLINE void hand_out(const sizes *S, const embedded_along *a, const layout *L, double **row)
{
    const embedded_halves *H = a->halves;
    const int one = S->rows * S->room, n = S->length, side = L->stride - S->room, count = n * S->room;
    memset(L->Z, 0, (size_t)(a->stages * one) * sizeof(double));
    for (int v = 0; v < H->left; v++)
        for (int k = 0; k < n; k++)
            memcpy(L->Z + H->V[v] * one + k * S->room, row[v * n + k] + side, (size_t)S->room * sizeof(double));
    for (int l = 0; l < H->half; l++) {
        const int at = H->V[l] * one;
        product(S->room, n, n, L->block, S->room, L->N + at, L->Z + at, 1.0, L->b + at);
        for (int u = 0; u < H->half; u++) add_scaled(count, L->Z + H->U[u] * one, H->E[u][l], L->block);
    }
    for (int u = 0; u < H->half; u++)
        for (int v = 0; v < H->left; v++) add_scaled(count, L->Z + H->U[u] * one, -H->EP[u][v], L->Z + H->V[v] * one);
}

/* b_i = N_i (dy + Z_i), h times the slopes of the variations, all rows */
LIE_INLINE void last_slopes(const sizes *S, const embedded_along *a, const layout *L)
{
    const int one = S->rows * S->room;
    for (int i = 0; i < a->stages; i++) {
        put_scaled(one, L->block, 1.0, a->start);
        add_scaled(one, L->block, 1.0, L->Z + i * one);
        product(S->room, S->rows, S->rows, L->b + i * one, S->room, L->N + i * one, L->block, 0.0, 0);
    }
}

/* Is Z_i = sum_j a_ij b_j, to half the digits at least? The slopes are then better by the contraction of a pass. */
LIE_INLINE int is_solved(const sizes *S, const embedded_along *a, const layout *L)
{
    const int one = S->rows * S->room, count = S->length * S->room, s = a->stages;
    lie_real most = real_of(0.0), off = most, bad = most;
    for (int i = 0; i < s; i++)
        for (int c = 0; c < count; c += LANES) {
            const lie_real z = load(L->Z + i * one + c);
            lie_real r = z;
            for (int j = 0; j < s; j++) r -= a->tab->A[i * s + j] * load(L->b + j * one + c);
            r = real_abs(r), bad += zero_if_finite(r);
            off = real_select(r > off, r, off), most = real_select(real_abs(z) > most, real_abs(z), most);
        }
    double at[3][LANES], worst = 0.0, size = 0.0, sum = 0.0;
    save(at[0], off), save(at[1], most), save(at[2], bad);
    for (int l = 0; l < LANES; l++) {
        worst = at[0][l] > worst ? at[0][l] : worst, size = at[1][l] > size ? at[1][l] : size;
        sum += at[2][l];
    }
    return worst <= 0x1p-32 * size && sum == 0.0;
}

LIE_INLINE lie_status follow(const sizes *S, embedded_along *a)
{
    const layout L = layout_of(S, a);
    const int one = S->rows * S->room;
    double *row[(EMBEDDED_HALF + 1) * EMBEDDED_LONGEST];
    stage_state s;
    memset(L.N, 0, (size_t)(a->stages * one) * sizeof(double));
    for (int first = 0; first < a->stages; first += LANES) {
        begin_stage(S, &s, a, first);
        columns(S, a, L.N, &s);
    }
    for (int i = 0; i < a->stages; i++)
        product(S->room, S->length, S->rows, L.b + i * one, S->room, L.N + i * one, a->start, 0.0, 0);
    make_system(S, a, &L);
    if (!eliminate(&L, S->room, row)) return LIE_ERR_SINGULAR;
    hand_out(S, a, &L, row);
    last_slopes(S, a, &L);
    if (!is_solved(S, a, &L)) return LIE_ERR_SINGULAR;
    memcpy(a->end, a->start, (size_t)one * sizeof(double));
    for (int i = 0; i < a->stages; i++) add_scaled(one, a->end, a->tab->b[i], L.b + i * one);
    return LIE_OK;
}

static lie_status turn(embedded_along *a)
{
    const sizes S = {3, PX, 8, PX};
    return follow(&S, a);
}

static lie_status motion(embedded_along *a)
{
    const sizes S = {6, EMBEDDED_LONGEST, ROOM, a->length};
    return follow(&S, a);
}

#define JOINED(a, b) a##b
#define NAMED(lanes) JOINED(lie__embedded_along_, lanes)
#ifdef LIE_LANES
#define KERNEL NAMED(LIE_LANES)
#else
#define KERNEL lie__embedded_along_1
#endif
extern const embedded_along_kernel KERNEL;
const embedded_along_kernel KERNEL = {turn, motion};
