/* SPDX-License-Identifier: MIT */
/* embedded_tangent.c: the derivative of a step of embedded.c; equations: embedded_tangent.h.
 *
 * Variations (eta, nu) of the node are those of y, to and fro:
 *
 *     dq = 1/2 q eta,   dp = dq m + q nu,   dpx = R (eta x P + nu_P),   dx = R eta_x
 *
 * f' of a stage needs what velocity and force do along its place and momentum; from the Legendre transform with H =
 * d mu/d xi and M = d mu/d g (its transpose is what the force has of xi),
 *
 *     d xi = H^-1 (dm - M eta),     dF = F_g eta + f_g eta + (M^T + f_xi) d xi.
 *
 * Exact but for rounding where the system gives its derivatives; f_g and what it does not give come from
 * differences. */
#include "lib/methods/embedded/embedded_tangent.h"

#include "groups/num/newton.h"
#include "lib/methods/embedded/embedded_end.h"
#include "lib/methods/embedded/embedded_flat.h"
#include "lib/methods/stepping.h"
#include "lib/systems/system_field.h"

extern const embedded_along_kernel lie__embedded_along_1, lie__embedded_along_2, lie__embedded_along_4,
    lie__embedded_along_8;

enum { HEAD = (sizeof(embedded_along) + sizeof(double) - 1) / sizeof(double), N = EMBEDDED_DIM_MAX };

int lie__embedded_tangent_doubles(const lie_stepper *st, int length)
{
    const int s = st->tableau->stages, is_turn = st->group->dim == 3, room = is_turn ? 8 : EMBEDDED_ROOM;
    const int rows = is_turn ? EMBEDDED_PX : EMBEDDED_LONGEST, left = s - s / 2;
    const int unknowns = left * length;
    return HEAD + (3 * s + 2) * rows * room + unknowns * ((unknowns + 7) / 8 * 8 + room);
}

static const embedded_along_kernel *kernel(void)
{
#if defined(LIE_WITH_LANES_8)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) return &lie__embedded_along_8;
#endif
#if defined(LIE_WITH_LANES_4)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2")) return &lie__embedded_along_4;
#endif
#if defined(LIE_WITH_LANES_2)
    return &lie__embedded_along_2;
#else
    return &lie__embedded_along_1;
#endif
}

/* The inverse of the matrix of the stages, by elimination: that of a Gauss method is well conditioned. */
static int invert(int n, double *out, const double *A)
{
    double LU[EMBEDDED_STAGES_MAX * EMBEDDED_STAGES_MAX], column[EMBEDDED_STAGES_MAX];
    int pivots[EMBEDDED_STAGES_MAX];
    copy_n(n * n, LU, A);
    if (lie__linear_plain.factor(n, LU, pivots) == 0) return 0;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) column[i] = i == j;
        lie__linear_plain.solve(n, LU, pivots, column);
        for (int i = 0; i < n; i++) out[i * n + j] = column[i];
    }
    return 1;
}

lie_status lie__embedded_halve(embedded_halves *H, const lie_tableau *tab)
{
    double S[EMBEDDED_STAGES_MAX * EMBEDDED_STAGES_MAX], PU[EMBEDDED_HALF * EMBEDDED_HALF],
        E[EMBEDDED_HALF * EMBEDDED_HALF];
    const int s = tab->stages, r = s / 2, left = s - r;
    H->half = r, H->left = left;
    for (int k = 0; k < r; k++) H->V[k] = 2 * k, H->U[k] = H->W[left - r + k] = 2 * k + 1;
    if (left > r) H->V[r] = H->W[0] = s - 1;
    if (!invert(s, S, tab->A)) return LIE_ERR_SINGULAR;
    for (int k = 0; k < r * r; k++) PU[k] = S[H->V[k / r] * s + H->U[k % r]]; // NOLINT(clang-analyzer-core.*)
    if (r > 0 && !invert(r, E, PU)) return LIE_ERR_SINGULAR;
    for (int u = 0; u < r; u++) {
        for (int l = 0; l < r; l++) H->E[u][l] = E[u * r + l]; // NOLINT(clang-analyzer-core.*)
        for (int v = 0; v < left; v++) {
            H->EP[u][v] = 0.0;
            for (int l = 0; l < r; l++) H->EP[u][v] += E[u * r + l] * S[H->V[l] * s + H->V[v]];
        }
    }
    for (int w = 0; w < left; w++) {
        const double *row = S + H->W[w] * s;
        for (int l = 0; l < r; l++) {
            H->SE[w][l] = 0.0;
            for (int u = 0; u < r; u++) H->SE[w][l] += row[H->U[u]] * E[u * r + l];
        }
        for (int v = 0; v < left; v++) {
            H->SW[w][v] = row[H->V[v]];
            for (int u = 0; u < r; u++) H->SW[w][v] -= row[H->U[u]] * H->EP[u][v];
        }
    }
    return LIE_OK;
}

/* The system at a stage. */
typedef struct stage_place {
    const lie_stepper *st;
    const double *inverse, *u;
    double t, g[12], m[N];
} stage_place;

/* H^-1 */
static lie_status velocity_by_momentum(const stage_place *p, double *inverse, const double *xi)
{
    int n = p->st->group->dim, pivots[N];
    double H[N * N];
    if (p->inverse) {
        copy_n(n * n, inverse, p->inverse);
        return LIE_OK;
    }
    lie_system_hessian(p->st->system, H, p->g, xi);
    if (!all_finite(n * n, H) || lie__linear_plain.factor(n, H, pivots) == 0) return LIE_ERR_SINGULAR;
    for (int j = 0; j < n; j++) { /* column j = row j */
        for (int i = 0; i < n; i++) inverse[j * n + i] = i == j;
        lie__linear_plain.solve(n, H, pivots, inverse + j * n);
    }
    return LIE_OK;
}

/* out = A B */
static void times(int n, double *out, const double *A, const double *B)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            out[i * n + j] = 0.0;
            for (int k = 0; k < n; k++) out[i * n + j] += A[i * n + k] * B[k * n + j]; // NOLINT(clang-analyzer-core.*)
        }
}

static void put(embedded_per_stage *to, int i, int count, const double *from)
{
    for (int k = 0; k < count; k++) to[k][i] = from[k];
}

/* A constant inertia and a potential: d xi = I^-1 dm, dF = F_g eta */
static lie_status look_at_potential(const stage_place *p, embedded_along *a, int i)
{
    const lie_system *sys = p->st->system;
    const int n = p->st->group->dim;
    double xi[N], F[N], F_g[N * N];
    for (int k = 0; k < n; k++) {
        xi[k] = 0.0;
        for (int l = 0; l < n; l++) xi[k] += p->inverse[k * n + l] * p->m[l];
    }
    lie_system_force(sys, F, p->g, xi);
    lie_system_force_deriv(sys, F_g, p->g, xi);
    put(a->xi, i, n, xi);
    put(a->F, i, n, F);
    put(a->xi_m, i, n * n, p->inverse);
    put(a->F_g, i, n * n, F_g);
    return all_finite(n * n, F_g) ? LIE_OK : LIE_ERR_NOT_FINITE;
}

/* F_g at fixed xi. The gyroscopic part of a system that says its frame is ad*_b I xi, b = Ad_{g^-1} eta; along e_j, b
 * changes by [b, e_j]: no differences. */
static void force_along(const stage_place *p, double *F_g, const double *xi)
{
    const lie_system *sys = p->st->system;
    const lie_ops *G = p->st->group;
    const int n = G->dim;
    double eta[N], a[N], b[N], mu[N] = {0.0}, inverse[12];
    if (!sys->frame || (sys->force && !sys->force_deriv)) {
        lie_system_force_deriv(sys, F_g, p->g, xi);
        return;
    }
    zero_n(n * n, F_g);
    if (sys->force) sys->force_deriv(sys, F_g, p->g);
    sys->frame(sys, eta, a);
    G->inv(G, inverse, p->g);
    G->Ad(G, b, inverse, eta);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) mu[i] += sys->inertia[i * n + j] * xi[j];
    for (int j = 0; j < n; j++) {
        double e[N] = {0.0}, turned[N], column[N];
        e[j] = 1.0;
        G->ad(G, turned, b, e);
        G->adt(G, column, turned, mu);
        for (int i = 0; i < n; i++) F_g[i * n + j] += column[i];
    }
}

/* xi, F and their derivatives */
static lie_status look_at_any(const stage_place *p, embedded_along *a, int i)
{
    const lie_system *sys = p->st->system;
    const int n = p->st->group->dim, size = n * n;
    double xi[N], F[N], f[N], xi_m[N * N], xi_g[N * N], F_g[N * N], by_xi[N * N], M[N * N], more[N * N];
    lie_status status = lie_system_velocity(sys, xi, p->g, p->m);
    if (status == LIE_OK) status = velocity_by_momentum(p, xi_m, xi);
    if (status != LIE_OK) return status;
    lie_system_force(sys, F, p->g, xi);
    force_along(p, F_g, xi);
    lie_system_mixed(sys, M, p->g, xi);
    times(n, xi_g, xi_m, M);
    for (int k = 0; k < size; k++) xi_g[k] = -xi_g[k], by_xi[k] = M[k % n * n + k / n]; // NOLINT(clang-analyzer-core.*)
    if (sys->external) {
        lie_system_external(sys, f, p->t, p->g, xi, p->u);
        lie_system_external_deriv(sys, more, p->t, p->g, xi, p->u);
        lie__system_external_along(sys, p->st->group, F_g, p->t, p->g, xi, p->u);
        for (int k = 0; k < size; k++) by_xi[k] += more[k];
        for (int k = 0; k < n; k++) F[k] += f[k];
    }
    put(a->xi, i, n, xi);
    put(a->F, i, n, F);
    put(a->xi_m, i, size, xi_m);
    put(a->xi_g, i, size, xi_g);
    times(n, more, by_xi, xi_g);
    for (int k = 0; k < size; k++) F_g[k] += more[k];
    put(a->F_g, i, size, F_g);
    times(n, more, by_xi, xi_m);
    put(a->F_m, i, size, more);
    return all_finite(size, F_g) && all_finite(size, more) ? LIE_OK : LIE_ERR_NOT_FINITE;
}

/* Y_i of the slopes; px of a vehicle too, whose place does not matter */
static void set_stages(embedded_along *a, const lie_stepper *st, const embedded_task *task, int rows)
{
    const lie_tableau *tab = st->tableau;
    const int s = tab->stages, stride = embedded_stride(s);
    for (int c = 0; c < rows; c++)
        for (int i = 0; i < EMBEDDED_STAGES_MAX; i++) {
            double sum = 0.0;
            for (int j = 0; i < s && j < s; j++) sum += tab->A[i * s + j] * task->out[c * stride + j];
            a->Y[c][i] = task->y[c] + a->h * sum;
        }
}

static lie_status look_at_stages(embedded_along *a, const lie_stepper *st, const lie_place *from,
                                 const embedded_taken *taken)
{
    const lie_tableau *tab = st->tableau;
    lie_status status = LIE_OK;
    for (int i = 0; i < tab->stages && status == LIE_OK; i++) {
        double y[EMBEDDED_LONGEST] = {0.0};
        stage_place p = {.st = st, .inverse = taken->inverse, .t = from->t + tab->c[i] * a->h};
        p.u = control_in(st, from, taken->u, tab->c[i]);
        for (int k = 0; k < (st->group->dim == 3 ? EMBEDDED_PX : EMBEDDED_LONGEST); k++) y[k] = a->Y[k][i];
        stage_of(st->group, from, p.g, p.m, y);
        status = a->is_coupled ? look_at_any(&p, a, i) : look_at_potential(&p, a, i);
    }
    return status;
}

/* dy of the unit variations of the node */
static void begin(embedded_along *a, const lie_ops *G, const lie_place *from, const double *q)
{
    const int n = G->dim, room = n == 3 ? 8 : EMBEDDED_ROOM;
    memset(a->start, 0, (size_t)((n == 3 ? EMBEDDED_PX : EMBEDDED_LONGEST) * room) * sizeof(double));
    for (int j = 0; j < 2 * n; j++) {
        double e[2 * N] = {0.0}, dy[EMBEDDED_LONGEST] = {0.0}, dq[4], w[3], pulled[4], body[3];
        e[j] = 1.0;
        for (int i = 0; i < 3; i++) w[i] = 0.5 * e[i];
        quat_times(dq, q, w);
        copy_n(4, dy, dq);
        quat_times(dy + EMBEDDED_P, dq, from->m);
        quat_times(pulled, q, e + n);
        for (int i = 0; i < 4; i++) dy[EMBEDDED_P + i] += pulled[i];
        if (n == 6) {
            cross3(body, e, from->m + 3);
            for (int i = 0; i < 3; i++) body[i] += e[n + 3 + i];
            mat3_vec(dy + EMBEDDED_PX, from->g, body);
            mat3_vec(dy + EMBEDDED_X, from->g, e + 3);
        }
        for (int c = 0; c < (n == 3 ? EMBEDDED_PX : EMBEDDED_LONGEST); c++) a->start[c * room + j] = dy[c];
    }
}

/* (eta, nu) of dy+, with q+ of the slopes and p+ = q+ m+ */
static void end(const embedded_along *a, const lie_ops *G, const lie_place *to, const double *q, double *T)
{
    const int n = G->dim, room = n == 3 ? 8 : EMBEDDED_ROOM, columns = 2 * n;
    double p[4];
    quat_times(p, q, to->m);
    for (int j = 0; j < columns; j++) {
        double dy[EMBEDDED_LONGEST], eta[N], nu[N], turned[3], body[3];
        for (int c = 0; c < (n == 3 ? EMBEDDED_PX : EMBEDDED_LONGEST); c++) dy[c] = a->end[c * room + j];
        momentum_of(eta, q, dy);
        momentum_of(nu, dy, p);
        momentum_of(body, q, dy + EMBEDDED_P);
        for (int i = 0; i < 3; i++) eta[i] *= 2.0, nu[i] += body[i];
        if (n == 6) {
            mat3_tvec(eta + 3, to->g, dy + EMBEDDED_X);
            mat3_tvec(body, to->g, dy + EMBEDDED_PX);
            cross3(turned, to->m + 3, eta);
            for (int i = 0; i < 3; i++) nu[3 + i] = body[i] + turned[i];
        }
        for (int i = 0; i < n; i++) T[i * columns + j] = eta[i], T[(n + i) * columns + j] = nu[i];
    }
}

lie_status lie__embedded_tangent(lie_stepper *st, const lie_place *from, const lie_place *to, double h,
                                 const embedded_taken *taken, double *T, double *work)
{
    embedded_along *a = (embedded_along *)work;
    const lie_system *sys = st->system;
    const lie_tableau *tab = st->tableau;
    const embedded_task *task = taken->task;
    const int is_turn = st->group->dim == 3, stride = embedded_stride(tab->stages);
    double q[4], over = 0.0;
    a->stages = tab->stages, a->length = taken->length, a->h = h;
    a->tab = tab, a->halves = taken->halves, a->work = work + HEAD;
    a->is_coupled = !taken->inverse || sys->gyro || sys->external;
    set_stages(a, st, task, is_turn ? EMBEDDED_PX : EMBEDDED_LONGEST);
    lie_status status = look_at_stages(a, st, from, taken);
    if (status != LIE_OK) return status;
    begin(a, st->group, from, task->y);
    status = is_turn ? kernel()->turn(a) : kernel()->motion(a);
    if (status != LIE_OK) return status;
    for (int c = 0; c < 4; c++) {
        q[c] = task->y[c];
        for (int j = 0; j < tab->stages; j++) q[c] += h * tab->b[j] * task->out[c * stride + j];
        over += q[c] * q[c];
    }
    for (int c = 0; c < 4; c++) q[c] /= sqrt(over);
    end(a, st->group, to, q, T);
    return LIE_OK;
}
