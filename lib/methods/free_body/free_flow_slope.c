/* SPDX-License-Identifier: MIT */
/* free_flow_slope.c: the derivative of the exact motion of the free rigid body by the momentum that it starts with.
 *
 *     r^-1 dr = W dm,      dm(h) = (r^T + hat(m(h)) W) dm
 *
 * Along m the body turns as it did, for a longer time: W m = h w(h). Across m the formulas of free_flow.h are
 * differentiated. In them n enters by itself and by the one invariant q1, of which s, c1, c3 and theta are functions:
 * their derivatives come from the series of elliptic.h, differentiated term by term. Nothing is divided by what may
 * vanish: principal axes, symmetric bodies and the separatrix are points like others. (Derivatives along the orbit and
 * by the energy, which need elliptic integrals of the second kind, are singular there.)
 *
 * Cost: three times a turn. Steps beyond the series, a twelfth of a period, are taken in pieces. */
#include "lib/methods/free_body/free_turn.h"

#include "groups/num/finite.h"

enum { PIECES_MAX = 1 << 20 };

/* 1/I in principal axes */
LIE_INLINE void inverse_moments(double out[3], const lie_free_flow *B)
{
    out[0] = B->mid + B->y * B->spread, out[1] = B->mid, out[2] = B->mid - B->x * B->spread;
}

/* What does not depend on the direction of a variation: the motion in principal axes, per unit of |p|. */
typedef struct slope_place {
    double n[3], u[3], v[3], n1[3]; /* at the start, at half time, -x c1 u2 u3, ..., and at the end */
    double R[9];                    /* r */
    lie__clock c;
    double s_q, c1_q, c3_q, theta_q; /* by q1 */
    double over1, over2;             /* 1/(c1^2 + y s^2 n1^2), of n and of u */
} slope_place;

/* dn1 and the change of the angle p by dn, which is orthogonal to n */
LIE_INLINE void vary(double dn1[3], double *dp, const lie_free_flow *B, const slope_place *S, const double dn[3])
{
    const double x = B->x, y = B->y, *n = S->n, *u = S->u, *v = S->v;
    const double s = S->c.s, c1 = S->c.c1, c3 = S->c.c3;
    double dq = 2.0 * (n[0] * dn[0] + x * (n[1] * dn[1])), ds = S->s_q * dq, dc1 = S->c1_q * dq, dc3 = S->c3_q * dq;
    double cc = 2.0 * (c1 * dc1), ss = y * (s * s), s_ds = 2.0 * (y * (s * ds));
    double d1 = cc + s_ds * (n[0] * n[0]) + 2.0 * (ss * (n[0] * dn[0]));
    double a = s * c1, da = ds * c1 + s * dc1, b = s * c3, db = ds * c3 + s * dc3, g = c1 * c3,
           dg = dc1 * c3 + c1 * dc3;
    double du[3] = {
        (dn[0] * c3 + n[0] * dc3 - x * (da * (n[1] * n[2]) + a * (dn[1] * n[2] + n[1] * dn[2])) - u[0] * d1) * S->over1,
        (dn[1] * g + n[1] * dg + ds * (n[2] * n[0]) + s * (dn[2] * n[0] + n[2] * dn[0]) - u[1] * d1) * S->over1,
        (dn[2] * c1 + n[2] * dc1 - y * (db * (n[0] * n[1]) + b * (dn[0] * n[1] + n[0] * dn[1])) - u[2] * d1) *
            S->over1};
    double d2 = cc + s_ds * (u[0] * u[0]) + 2.0 * (ss * (u[0] * du[0]));
    double dv[3] = {-x * (dc1 * (u[1] * u[2]) + c1 * (du[1] * u[2] + u[1] * du[2])), du[0] * u[2] + u[0] * du[2],
                    -y * (dc3 * (u[0] * u[1]) + c3 * (du[0] * u[1] + u[0] * du[1]))};
    double f = 2.0 * s * S->over2, df = 2.0 * ds * S->over2 - f * (d2 * S->over2);
    for (int i = 0; i < 3; i++) dn1[i] = dn[i] + (df * v[i] + f * dv[i]);
    *dp = S->theta_q * dq;
}

/* r^-1 dr by dn, in principal axes. r turns n1 to n: what is orthogonal to n1 follows from dn and dn1; with w = r^-1 dr
 * and a = n x dn, the angle p has 2 dp (1 + n . n1) = (n + n1) . (w - r^T a + a). */
LIE_INLINE void turn_by(double w[3], const lie_free_flow *B, const slope_place *S, const double dn[3])
{
    double dn1[3], dp, a[3], back[3], across[3];
    vary(dn1, &dp, B, S, dn);
    mat3_tvec(back, S->R, dn);
    for (int i = 0; i < 3; i++) back[i] -= dn1[i];
    cross3(across, S->n1, back);
    cross3(a, S->n, dn);
    mat3_tvec(back, S->R, a);
    double k = 1.0 + dot3(S->n, S->n1), sum = -dot3(S->n, across);
    for (int i = 0; i < 3; i++) sum += (S->n[i] + S->n1[i]) * (back[i] - a[i]);
    double along = 2.0 * dp + sum / k;
    for (int i = 0; i < 3; i++) w[i] = across[i] + along * S->n1[i];
}

/* The rotation of a quaternion of any length, over = 1/|r|^2 */
LIE_INLINE void rotation_of_quaternion(double R[9], const double r[4], double over)
{
    double x = 2.0 * r[1] * over, y = 2.0 * r[2] * over, z = 2.0 * r[3] * over;
    double xx = x * r[1], yy = y * r[2], zz = z * r[3], xy = x * r[2], xz = x * r[3], yz = y * r[3];
    double wx = x * r[0], wy = y * r[0], wz = z * r[0];
    R[0] = 1.0 - (yy + zz), R[1] = xy - wz, R[2] = xz + wy;
    R[3] = xy + wz, R[4] = 1.0 - (xx + zz), R[5] = yz - wx;
    R[6] = xz - wy, R[7] = yz + wx, R[8] = 1.0 - (xx + yy);
}

/* The motion over twice the time t of the clock, n the start. */
LIE_INLINE void find_slope_place(slope_place *S, const lie_free_flow *B, const double n[3], double t, double half)
{
    const double x = B->x, y = B->y;
    double r[4];
    lie__orbit o = orbit_of(B, n);
    S->c = lie__clock_near(&o, t);
    lie__clock_near_slope(&o, x, y, t, &S->s_q, &S->theta_q);
    const double s = S->c.s, c1 = S->c.c1, c3 = S->c.c3, g = c1 * c3, cc = c1 * c1, yss = y * (s * s);
    S->c1_q = -(0.5 * yss + o.a * (s * S->s_q)) / c1;
    S->c3_q = (0.5 * (x * (s * s)) - o.b * (s * S->s_q)) / c3;
    S->over1 = 1.0 / (cc + yss * (n[0] * n[0]));
    double u[3] = {(n[0] * c3 - x * (s * c1) * (n[1] * n[2])) * S->over1, (n[1] * g + s * (n[2] * n[0])) * S->over1,
                   (n[2] * c1 - y * (s * c3) * (n[0] * n[1])) * S->over1};
    S->over2 = 1.0 / (cc + yss * (u[0] * u[0]));
    double v[3] = {-x * c1 * (u[1] * u[2]), u[0] * u[2], -y * c3 * (u[0] * u[1])}, f = 2.0 * s * S->over2;
    copy_n(3, S->n, n), copy_n(3, S->u, u), copy_n(3, S->v, v);
    for (int i = 0; i < 3; i++) S->n1[i] = n[i] + f * v[i];
    double Q[4] = {1.0, y * (u[0] * c3) * (s / g), 0.0, -x * (u[2] * c1) * (s / g)};
    turn_about(r, n, half * B->mid + S->c.theta, s * o.d / g, Q);
    double over = 1.0 / ((r[0] * r[0] + r[1] * r[1]) + (r[2] * r[2] + r[3] * r[3]));
    rotation_of_quaternion(S->R, r, over);
}

/* One piece of a motion: r, W and the momentum at its end, all in principal axes. */
static void slope_near(const lie_free_flow *B, double R[9], double W[9], double p[3], double h)
{
    double length = sqrt(dot3(p, p)), I[3];
    inverse_moments(I, B);
    if (length == 0.0) {
        for (int i = 0; i < 9; i++) R[i] = i % 4 == 0, W[i] = i % 4 == 0 ? h * I[i / 4] : 0.0;
        return;
    }
    double n[3] = {p[0] / length, p[1] / length, p[2] / length}, half = 0.5 * length * h;
    slope_place S;
    find_slope_place(&S, B, n, half * B->spread, half);
    for (int j = 0; j < 3; j++) { /* e_j = its part across n, and n_j n: W n = h w1, w1 = I^-1 n1 */
        double dn[3], w[3];
        for (int i = 0; i < 3; i++) dn[i] = ((i == j ? 1.0 : 0.0) - n[i] * n[j]) / length;
        turn_by(w, B, &S, dn);
        for (int i = 0; i < 3; i++) W[3 * i + j] = w[i] + h * n[j] * (I[i] * S.n1[i]);
    }
    copy_n(9, R, S.R);
    for (int i = 0; i < 3; i++) p[i] = length * S.n1[i];
}

/* A <- V A V^T */
static void from_principal(double A[9], const double V[9])
{
    double VT[9], AVT[9], out[9];
    mat3_transpose(VT, V);
    mat3_mul(AVT, A, VT);
    mat3_mul(out, V, AVT);
    copy_n(9, A, out);
}

/* What the pieces of a motion make of a change of m: r, W and C of all of them so far. */
typedef struct slope {
    double R[9], W[9], C[9];
} slope;

/* r r2, r2^T W + W2 C, (r2^T + hat(m2) W2) C */
static void append(slope *S, const double R[9], const double W[9], const double m[3])
{
    double RT[9], a[9], b[9], hat[9];
    mat3_transpose(RT, R);
    mat3_mul(a, RT, S->W);
    mat3_mul(b, W, S->C);
    for (int i = 0; i < 9; i++) S->W[i] = a[i] + b[i];
    mat3_mul(a, S->R, R);
    copy_n(9, S->R, a);
    hat3(hat, m);
    mat3_mul(a, hat, W);
    for (int i = 0; i < 9; i++) a[i] += RT[i];
    mat3_mul(b, a, S->C);
    copy_n(9, S->C, b);
}

lie_status lie__free_flow_slope(const lie_free_flow *flow, double R[9], double W[9], const double m[3], double h)
{
    double p[3], r[9], w[9];
    slope S = {{1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, {0.0}, {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}};
    mat3_tvec(p, flow->axes, m);
    double most = flow->x > flow->y ? flow->x : flow->y, t = 0.5 * sqrt(dot3(p, p)) * flow->spread * h;
    double count = ceil(fabs(t) * sqrt(most / LIE__CLOCK_NEAR) * (1.0 + 0x1p-40));
    if (!(t - t == 0.0)) return LIE_ERR_NOT_FINITE;
    if (count > PIECES_MAX) return LIE_ERR_DOMAIN;
    int pieces = count < 1.0 ? 1 : (int)count;
    if (pieces == 1) slope_near(flow, S.R, S.W, p, h);
    for (int k = 0; k < pieces && pieces > 1; k++) {
        slope_near(flow, r, w, p, h / pieces);
        append(&S, r, w, p);
    }
    from_principal(S.R, flow->axes);
    from_principal(S.W, flow->axes);
    if (!all_finite(9, S.R) || !all_finite(9, S.W)) return LIE_ERR_NOT_FINITE;
    copy_n(9, R, S.R);
    copy_n(9, W, S.W);
    return LIE_OK;
}
