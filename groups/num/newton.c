/* SPDX-License-Identifier: MIT */
/* newton.c: damped Newton iteration and Gaussian elimination; see newton.h. */
#include "groups/num/newton.h"

#include <math.h>
#include <string.h>

enum { HALVINGS = 12, FOLLOW_CAP = 20, FOLLOW_LOSSES = 40 };

int lie__newton_doubles(int n)
{
    return NEWTON_DOUBLES(n);
}

/* PA = LU with partial pivoting (Golub & Van Loan 2013, algorithm 3.4.1) */
static int plain_factor(int n, double *A, int *pivots)
{
    int sign = 1;
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(A[i * n + k]) > fabs(A[best * n + k])) best = i;
        pivots[k] = best;
        double pivot = A[best * n + k];
        if (!(pivot - pivot == 0.0) || pivot == 0.0) return 0;
        if (best != k) {
            sign = -sign;
            for (int j = 0; j < n; j++) {
                double t = A[k * n + j];
                A[k * n + j] = A[best * n + j];
                A[best * n + j] = t;
            }
        }
        if (pivot < 0.0) sign = -sign;
        for (int i = k + 1; i < n; i++) {
            double f = A[i * n + k] /= pivot;
            if (f == 0.0) continue;
            for (int j = k + 1; j < n; j++) A[i * n + j] -= f * A[k * n + j];
        }
    }
    return sign;
}

static void plain_solve(int n, const double *A, const int *pivots, double *b)
{
    for (int k = 0; k < n; k++) {
        double t = b[pivots[k]];
        b[pivots[k]] = b[k];
        b[k] = t;
    }
    for (int i = 1; i < n; i++)
        for (int j = 0; j < i; j++) b[i] -= A[i * n + j] * b[j];
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) b[i] -= A[i * n + j] * b[j];
        b[i] /= A[i * n + i];
    }
}

const lie_linear lie__linear_plain = {plain_factor, plain_solve};

/* max |a_i|; NaN if there is one */
static double largest(int n, const double *a)
{
    double r = 0.0;
    for (int i = 0; i < n; i++)
        if (!(fabs(a[i]) <= r)) r = fabs(a[i]);
    return r;
}

/* The parts of the work memory. */
typedef struct parts {
    double *J, *r, *delta, *trial, *r_trial, *guess, *here, *before;
    int *pivots;
} parts;

static parts split(const newton *N)
{
    int n = N->n;
    double *v = N->work + n * n;
    void *last = v + 7 * n;
    return (parts){.J = N->work,
                   .r = v,
                   .delta = v + n,
                   .trial = v + 2 * n,
                   .r_trial = v + 3 * n,
                   .guess = v + 4 * n,
                   .here = v + 5 * n,
                   .before = v + 6 * n,
                   .pivots = last};
}

/* The residual at x; size: of its terms, times what makes its rounding that of the terms. */
static lie_status evaluate(const newton *N, double *r, double *size, const double *x)
{
    lie_status status = N->residual(N, r, size, x);
    if (N->grain > 1.0) *size *= N->grain;
    return status;
}

/* Column j of J by a forward difference, backward where forward is outside the domain. */
static lie_status difference(const newton *N, const parts *p, int j, const double *x)
{
    double size, d = 0x1p-26 * (N->step > fabs(x[j]) ? N->step : fabs(x[j]));
    memcpy(p->trial, x, (size_t)N->n * sizeof *x);
    for (int sign = 1; sign >= -1; sign -= 2) {
        p->trial[j] = x[j] + sign * d;
        double moved = p->trial[j] - x[j];
        lie_status status = N->residual(N, p->r_trial, &size, p->trial);
        if (status != LIE_OK && sign < 0) return status;
        if (status != LIE_OK) continue;
        for (int i = 0; i < N->n; i++) p->J[i * N->n + j] = (p->r_trial[i] - p->r[i]) / moved;
        break;
    }
    return LIE_OK;
}

static lie_status factor_jacobian(const newton *N, const parts *p, const double *x, int by_differences)
{
    lie_status status = LIE_OK;
    if (!by_differences) status = N->jacobian(N, p->J, x);
    for (int j = 0; by_differences && status == LIE_OK && j < N->n; j++) status = difference(N, p, j, x);
    if (status != LIE_OK) return status;
    int sign = N->linear->factor(N->n, p->J, p->pivots);
    return sign == N->sign ? LIE_OK : sign ? LIE_ERR_NO_CONVERGENCE : LIE_ERR_SINGULAR;
}

/* x <- x + f delta with the first f = 1, 1/2, ... that reduces the residual, or leaves it at round-off `floor`. */
static lie_status advance(const newton *N, const parts *p, double *x, double *norm, double *size)
{
    lie_status status = LIE_ERR_NO_CONVERGENCE;
    for (int k = 0; k < HALVINGS; k++) {
        double f = 1.0 / (1 << k);
        for (int i = 0; i < N->n; i++) p->trial[i] = x[i] + f * p->delta[i];
        status = evaluate(N, p->r_trial, size, p->trial);
        if (status != LIE_OK) continue;
        double now = largest(N->n, p->r_trial);
        if (now < *norm || now <= 0x1p-46 * *size) {
            memcpy(x, p->trial, (size_t)N->n * sizeof *x);
            memcpy(p->r, p->r_trial, (size_t)N->n * sizeof *x);
            *norm = now;
            return LIE_OK;
        }
        status = LIE_ERR_NO_CONVERGENCE;
    }
    return status;
}

/* The largest update relative to its unknown; unknowns below 2^-30 of the largest count as that, so that components
 * in different units are all resolved. */
static double relative_update(int n, const double *delta, const double *x)
{
    double floor = 0x1p-30 * largest(n, x), r = 0.0;
    for (int i = 0; i < n; i++) {
        double d = fabs(delta[i]), scale = fabs(x[i]) > floor ? fabs(x[i]) : floor;
        if (!(d <= r * scale)) r = scale > 0.0 ? d / scale : HUGE_VAL;
    }
    return r;
}

/* Where the update at x, of a Jacobian made there, moves h x by less than 2^-52, no better x can be told from it: near
 * rest the residual is the rounding of forces that cancel, which its terms do not show. */
static int rests(const newton *N, const parts *p)
{
    return fabs(*N->h) * largest(N->n, p->delta) <= 0x1p-52;
}

/* The residual at x once more, so that what the problem keeps of its last evaluation belongs to x, and the report. */
static lie_status accept_rest(const newton *N, const parts *p, const double *x, lie_solve *info)
{
    double size, moves = fabs(*N->h) * largest(N->n, p->delta);
    lie_status status = evaluate(N, p->r, &size, x);
    if (status == LIE_OK && moves > info->residual) info->residual = moves;
    return status;
}

/* How an iteration stands: size of the residual and of its terms, the last update, what it was multiplied by; is the
 * Jacobian to be kept, are its differences to be taken? */
typedef struct progress {
    double norm, size, update, rate;
    int keep, by_differences;
} progress;

/* delta = -J^-1 r at x, with a new Jacobian where the old one is not kept */
static lie_status propose(const newton *N, const parts *p, const double *x, const progress *a)
{
    lie_status status = a->keep ? LIE_OK : factor_jacobian(N, p, x, a->by_differences);
    if (status != LIE_OK) return status;
    for (int i = 0; i < N->n; i++) p->delta[i] = -p->r[i];
    N->linear->solve(N->n, p->J, p->pivots, p->delta);
    return LIE_OK;
}

/* No part of the update reduced the residual: once more with a better Jacobian, or `status` where this was the best. */
static lie_status improve(const newton *N, const parts *p, const double *x, progress *a, lie_status status)
{
    if (!a->keep && (!N->inexact || a->by_differences)) return status;
    a->by_differences |= N->inexact;
    a->keep = 0;
    a->update = 1.0;
    return evaluate(N, p->r, &a->size, x);
}

/* Is the residual, `last` before the update, at round-off, and the next update predicted there too, or do both
 * stagnate? */
static int has_ended(const progress *a, double last)
{
    int converged = a->norm <= 0x1p-50 * a->size && a->update * a->rate <= 0x1p-53;
    int stagnates = a->norm <= 0x1p-44 * a->size && a->norm > 0.5 * last && a->rate > 0.25 && a->update <= 0x1p-20;
    return converged || stagnates;
}

static lie_status iterate(const newton *N, double *x, lie_solve *info)
{
    parts p = split(N);
    progress a = {.update = 1.0, .by_differences = !N->jacobian};
    lie_status status = evaluate(N, p.r, &a.size, x);
    a.norm = status == LIE_OK ? largest(N->n, p.r) : 0.0;
    for (int it = 0; status == LIE_OK && it < info->cap; it++) {
        double last = a.norm, before = a.update;
        status = propose(N, &p, x, &a);
        if (status != LIE_OK) return status;
        status = advance(N, &p, x, &a.norm, &a.size);
        info->iterations++;
        if (status != LIE_OK && !a.keep && rests(N, &p)) return accept_rest(N, &p, x, info);
        if (status != LIE_OK) {
            status = improve(N, &p, x, &a, status);
            continue;
        }
        a.update = relative_update(N->n, p.delta, x);
        a.rate = it > 0 ? a.update / before : 1.0;
        if (has_ended(&a, last)) {
            if (a.norm > info->residual * a.size) info->residual = a.norm / a.size;
            return LIE_OK;
        }
        a.keep = it == 0 || a.rate <= 0.1;
        a.by_differences |= N->inexact && !a.keep;
    }
    return status == LIE_OK ? LIE_ERR_NO_CONVERGENCE : status;
}

/* Is x so near to the guess that no other branch lies between? */
static int is_near(const newton *N, const double *x, const double *guess)
{
    for (int i = 0; i < N->n; i++)
        if (!(fabs(*N->h * (x[i] - guess[i])) <= 0.25 * (1.0 + fabs(*N->h * x[i])))) return 0;
    return 1;
}

/* x at the full h, followed from where the problem says that the branch begins, or from the guess, at h/1024, in steps
 * that grow and shrink with success. It is lost where steps of 2^-14 h do not succeed: at the end of the branch, a fold
 * where the Jacobian is singular. */
static lie_status follow(const newton *N, const parts *p, double *x, lie_solve *info)
{
    double full = *N->h, at = 0x1p-10, last = 0.0, step = 0.125;
    size_t bytes = (size_t)N->n * sizeof *x;
    int cap = info->cap, lost = 0;
    *N->h = at * full;
    lie_status status = N->origin ? N->origin(N, x) : LIE_OK;
    if (status == LIE_OK) status = iterate(N, x, info);
    if (cap > FOLLOW_CAP) info->cap = FOLLOW_CAP;
    memcpy(p->before, x, bytes);
    memcpy(p->here, x, bytes);
    while (status == LIE_OK && at < 1.0) {
        double next = at + step < 1.0 ? at + step : 1.0, slope = last > 0.0 ? (next - at) / (at - last) : 0.0;
        for (int i = 0; i < N->n; i++) x[i] = p->guess[i] = p->here[i] + slope * (p->here[i] - p->before[i]);
        *N->h = next * full;
        lie_status here = iterate(N, x, info);
        if (here == LIE_OK && is_near(N, x, p->guess)) {
            memcpy(p->before, p->here, bytes);
            memcpy(p->here, x, bytes);
            last = at, at = next, step *= 1.5;
        } else {
            step *= 0.25;
            if (step < 0x1p-14 || ++lost > FOLLOW_LOSSES) status = here == LIE_OK ? LIE_ERR_NO_CONVERGENCE : here;
        }
    }
    info->cap = cap;
    *N->h = full;
    return status;
}

lie_status lie__newton_solve(const newton *N, double *x, lie_solve *info)
{
    parts p = split(N);
    size_t bytes = (size_t)N->n * sizeof *x;
    memcpy(p.guess, x, bytes);
    lie_status status = iterate(N, x, info);
    if (status == LIE_OK && is_near(N, x, p.guess)) return status;
    memcpy(x, p.guess, bytes);
    lie_status followed = follow(N, &p, x, info);
    return followed != LIE_OK && status == LIE_ERR_DOMAIN ? status : followed;
}
