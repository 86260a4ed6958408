/* SPDX-License-Identifier: MIT */
/* gyrostat.h: the step of sv with cay for a body on SO3 or S3 whose frame turns or which carries wheels, over the
 * numbers of real.h: one trajectory or one in each lane. Internal.
 *
 *     l = 1/2 w . I w + A . w - V,    A = n I a + r,    V = s/2 a . I a + l . a + s1/2 e . I e,
 *
 * a = R^T e3, e = R^T e1. Of the two stages of the method (vprk.c) A_2 cancels from the equations, and both have the
 * same momentum mu = I (w_i + n a_i) + r, so that three unknowns are left, c = theta/2. With k = h/2 and the mean
 * b = (a + a+)/2 = (1 + hat(c))^-1 a, multiplied by k,
 *
 *     M + (c + k n a) x M + (c . M) c = P,    M = k mu = I (c + k n b) + k r,    P = k (m + k F(g) - k n A(g) x a)
 *     m+ = cay(2c)^T (m + k F_1) + k F_2,     F_i = F(g_i) + n (mu - A(g_i)) x a_i.
 *
 * Newton's method with the exact derivative, from an explicit guess: what is left after a change d is of the size of
 * d^2. The answer is taken where that is below round-off, the determinant is positive as it is for h = 0, the guess was
 * near, and the residual there, evaluated once more, is at most 2^-40 of its terms; elsewhere the caller goes the long
 * way (newton.h).
 *
 * Preserves: the symplectic form; self-adjoint. Flops: 250 + 250 per pass, of which there are two or three. */
#ifndef LIESTEP_LIB_GYROSTAT_H
#define LIESTEP_LIB_GYROSTAT_H

#include <liestep/system.h>

#include "groups/maps/se3_cay.h"
#include "groups/num/vec3.h"
#include "lib/methods/kick.h"
#include "lib/systems/directions.h"

/* The body, made of lie_real alone. */
typedef struct gyrostat {
    lie_real I[9], inverse[9]; /* I, I^-1 */
    lie_real s, l[3], s1;      /* V */
    lie_real n, r[3];          /* A */
} gyrostat;
enum { GYROSTAT_DOUBLES = sizeof(gyrostat) / sizeof(lie_real) };

/* What is known of an attitude. */
typedef struct gyrostat_place {
    lie_real a[3], F[3], A[3];
} gyrostat_place;

LIE_INLINE void gyrostat_at(gyrostat_place *p, const gyrostat *B, int size, const lie_real *g)
{
    lie_real e[3], Ia[3], Ie[3], f[3], b[3];
    seen_e3(p->a, size, g);
    seen_e1(e, size, g);
    mat3_vec(Ia, B->I, p->a);
    mat3_vec(Ie, B->I, e);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) {
        b[i] = B->s * Ia[i] + B->l[i];
        p->A[i] = B->n * Ia[i] + B->r[i];
    }
    cross3(p->F, p->a, b);
    cross3(f, e, Ie);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) p->F[i] += B->s1 * f[i];
}

/* The equations and their derivative. */
typedef struct gyrostat_equation {
    lie_real M[3], r[3], dM[9], D[9];
} gyrostat_equation;

LIE_INLINE void gyrostat_equation_at(gyrostat_equation *E, const gyrostat *B, const lie_real a[3], lie_real k,
                                     const lie_real P[3], const lie_real c[3])
{
    lie_real nu = k * B->n, sigma = 1.0 + dot3(c, c), b[3], y[3], e[3], eM[3], Y[9], G[9], S[9];
    se3_linear(b, sigma, c, a);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) y[i] = c[i] + nu * b[i], e[i] = c[i] + nu * a[i];
    mat3_vec(E->M, B->I, y);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) E->M[i] += k * B->r[i];
    cross3(eM, e, E->M);
    lie_real along = dot3(c, E->M);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) E->r[i] = ((E->M[i] - P[i]) + eM[i]) + along * c[i];
    /* dM = I (1 + k n db), db = (1 + hat(c))^-1 hat(b); D = (1 + hat(e) + c c^T) dM + (c . M) + c M^T - hat(M) */
    se3_linear_deriv(Y, nu, sigma, c, b);
    LIE_UNROLL
    for (int i = 0; i < 9; i += 4) Y[i] += 1.0;
    mat3_mul(E->dM, B->I, Y);
    hat3(G, e);
    LIE_UNROLL
    for (int i = 0; i < 9; i++) G[i] = (i % 4 == 0 ? real_of(1.0) : G[i]) + c[i / 3] * c[i % 3];
    mat3_mul(Y, G, E->dM);
    hat3(S, E->M);
    LIE_UNROLL
    for (int i = 0; i < 9; i++) E->D[i] = (Y[i] + (i % 4 == 0 ? along : -S[i])) + c[i / 3] * E->M[i % 3];
}

/* c to first order and half of the second */
LIE_INLINE void gyrostat_guess(lie_real c[3], const gyrostat *B, const lie_real a[3], lie_real k, const lie_real P[3])
{
    lie_real nu = k * B->n, x[3], y[3], t[3], u[3], e[3];
    LIE_UNROLL
    for (int i = 0; i < 3; i++) x[i] = P[i] - k * B->r[i];
    mat3_vec(e, B->inverse, x);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) y[i] = e[i] - nu * a[i];
    cross3(t, e, P);
    cross3(u, y, a);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) x[i] -= t[i];
    mat3_vec(c, B->inverse, x);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) c[i] = (c[i] - nu * a[i]) + nu * u[i];
}

/* c and M where `todo`; less than `cap` passes, counted. Answers where they were found; elsewhere both are zero. */
LIE_INLINE lie_mask gyrostat_solve(lie_real c[3], lie_real M[3], const gyrostat *B, const lie_real a[3], lie_real k,
                                   const lie_real P[3], lie_mask todo, int cap, int *passes)
{
    enum { PASSES = 6 };
    lie_real guess[3], x[3], change[3], dM[3], C[9], off[3];
    lie_mask found = todo & mask_not(todo);
    gyrostat_equation E;
    zero_n(3, c);
    zero_n(3, M);
    gyrostat_guess(guess, B, a, k, P);
    copy_n(3, x, guess);
    for (*passes = 0; *passes < PASSES && *passes < cap && mask_any(todo);) {
        gyrostat_equation_at(&E, B, a, k, P, x);
        lie_real det = cofactors3(C, E.D), u = 1.0 / det;
        mat3_tvec(change, C, E.r);
        LIE_UNROLL
        for (int i = 0; i < 3; i++) change[i] *= u, x[i] -= change[i], off[i] = x[i] - guess[i];
        lie_real step = dot3(change, change), nu = k * B->n, size = dot3(x, x) + nu * nu;
        lie_mask done = todo & (step * step <= 0x1p-108 * size) & (det > 0.0) & (dot3(off, off) <= 0x1p-8);
        ++*passes;
        mat3_vec(dM, E.dM, change);
        LIE_UNROLL
        for (int i = 0; i < 3; i++) {
            c[i] = real_select(done, x[i], c[i]);
            M[i] = real_select(done, E.M[i] - dM[i], M[i]);
        }
        found |= done;
        todo &= mask_not(done);
    }
    if (!mask_any(found)) return found;
    gyrostat_equation_at(&E, B, a, k, P, c);
    return found & (dot3(E.r, E.r) <= 0x1p-80 * (dot3(E.M, E.M) + dot3(P, P)));
}

/* m += k (F + n (mu - A) x a) */
LIE_INLINE void gyrostat_kick(const gyrostat *B, const gyrostat_place *p, lie_real k, const lie_real mu[3], lie_real *m,
                              lie_real *low_m)
{
    lie_real x[3], F[3];
    LIE_UNROLL
    for (int i = 0; i < 3; i++) x[i] = mu[i] - p->A[i];
    cross3(F, x, p->a);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) F[i] = p->F[i] + B->n * F[i];
    kick(3, m, low_m, k, F);
}

/* One step of length 2 k from (g, m), `p` belonging to g before and after. size: of g, 4 or 9. Answers where there was
 * a step; of the others g and p are as they were, m is of no use. c: half of what cay was applied to. */
LIE_INLINE lie_mask gyrostat_step(const gyrostat *B, gyrostat_place *p, int size, lie_real k, lie_real *g,
                                  lie_real *low_g, lie_real *m, lie_real *low_m, lie_real c[3], lie_mask todo, int cap,
                                  int *passes)
{
    lie_real P[3], Aa[3], M[3], mu[3], nu = k * B->n, over = 1.0 / k;
    cross3(Aa, p->A, p->a);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) P[i] = k * (((m[i] + low_m[i]) + k * p->F[i]) - nu * Aa[i]);
    lie_mask found = gyrostat_solve(c, M, B, p->a, k, P, todo, cap, passes);
    if (!mask_any(found)) return found;
    LIE_UNROLL
    for (int i = 0; i < 3; i++) mu[i] = over * M[i];
    gyrostat_kick(B, p, k, mu, m, low_m);
    half_turn t = {.c = {c[0], c[1], c[2]}, .alpha = real_of(0.0), .beta = real_of(0.0)};
    half_turn_exact(&t, dot3(c, c), found);
    if (size == 4)
        s3_turn_by(&t, g, low_g, m, low_m);
    else
        so3_turn_by(&t, g, low_g, m, low_m);
    gyrostat_at(p, B, size, g);
    gyrostat_kick(B, p, k, mu, m, low_m);
    return found;
}

#ifndef LIE_LANES
/* Is the system such a body, by its form, with nothing else acting? */
int lie__gyrostat_of(gyrostat *out, const lie_system *sys);
/* All but the inertia anew: the user may change the params of the system between steps. */
void lie__gyrostat_now(gyrostat *body, const lie_system *sys);
#endif

#endif
