/* SPDX-License-Identifier: MIT */
/* free_flow.c: see free_flow.h. */
#include "free_flow.h"

#include "../groups/theta.h"
#include "elliptic.h"
#include "principal.h"

/* Symmetric as lie_system_check wants it; the part that is used is. */
static lie_status symmetric_part(double out[9], const double A[9])
{
    if (!all_finite(9, A)) return LIE_ERR_NOT_FINITE;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double gap = fabs(A[3 * i + j] - A[3 * j + i]), size = fabs(A[4 * i]) + fabs(A[4 * j]);
            if (gap > 1e-12 * size) return LIE_ERR_INERTIA;
            out[3 * i + j] = gap == 0.0 ? A[3 * i + j] : 0.5 * A[3 * i + j] + 0.5 * A[3 * j + i];
        }
    return LIE_OK;
}

lie_status lie__free_body_init(lie__free_body *body, const double inertia[9])
{
    double A[9], I[3], V[9];
    lie_status status = symmetric_part(A, inertia);
    if (status != LIE_OK) return status;
    lie__principal(I, V, A);
    if (!(I[0] > 0x1p-50 * I[2])) return LIE_ERR_INERTIA;
    double gap = I[2] - I[0];
    int sphere = gap == 0.0;
    copy_n(9, body->axes, V);
    body->x = sphere ? 0.5 : (I[2] - I[1]) / gap * (I[0] / I[1]);
    body->y = sphere ? 0.5 : (I[1] - I[0]) / gap * (I[2] / I[1]);
    body->spread = gap / I[2] / I[0];
    body->mid = 1.0 / I[1];
    return LIE_OK;
}

/* n = p/|p|, returns |p|: where |p|^2 overflows or underflows. */
LIE_COLD double unit_scaled(double n[3], const double p[3])
{
    double big = fabs(p[0]) > fabs(p[1]) ? fabs(p[0]) : fabs(p[1]);
    int e;
    if (fabs(p[2]) > big) big = fabs(p[2]);
    n[0] = n[1] = n[2] = 0.0;
    if (!(big > 0.0)) return big;
    (void)frexp(big, &e);
    double q[3] = {ldexp(p[0], -e), ldexp(p[1], -e), ldexp(p[2], -e)}, length = sqrt(dot3(q, q));
    for (int i = 0; i < 3; i++) n[i] = q[i] / length;
    return ldexp(length, e);
}

LIE_INLINE double unit(double n[3], const double p[3])
{
    double pp = dot3(p, p);
    if (!(pp > 0x1p-900 && pp < 0x1p+1000)) return unit_scaled(n, p);
    double length = sqrt(pp), f = 1.0 / length;
    for (int i = 0; i < 3; i++) n[i] = p[i] * f;
    return length;
}

LIE_INLINE lie__orbit orbit_of(const lie__free_body *B, const double n[3])
{
    double n11 = n[0] * n[0], n22 = n[1] * n[1], n33 = n[2] * n[2];
    double q1 = n11 + B->x * n22, q3 = n33 + B->y * n22;
    return (lie__orbit){q1, q3, B->y * q1, B->x * q3, B->y * n11 - B->x * n33};
}

/* cos p and sin p */
LIE_INLINE void cos_sin(double *c, double *s, double p)
{
    double x = 4.0 * p * p;
    if (x <= LIE__PI_SQ) {
        lie__half h = lie__half_near(x);
        *c = h.c, *s = p * (h.s + h.s);
    } else {
        lie__sincos(s, c, p);
    }
}

/* k (1 + v), k = -sign(n . e) n e, e the axis that m circles */
LIE_COLD void half_period(double Q[4], const double n[3], int first)
{
    double e = first ? n[0] : n[2], sign = e < 0.0 ? -1.0 : 1.0, k[4] = {sign * e, 0.0, 0.0, 0.0}, w[3];
    if (first)
        k[2] = -sign * n[2], k[3] = sign * n[1];
    else
        k[1] = -sign * n[1], k[2] = sign * n[0];
    cross3(w, k + 1, Q + 1);
    double scalar = k[0] * Q[0] - dot3(k + 1, Q + 1);
    for (int i = 1; i < 4; i++) Q[i] = k[0] * Q[i] + Q[0] * k[i] + w[i - 1];
    Q[0] = scalar;
}

/* The motion of n over twice the time of the clock: its change, and Q = 1 + v. */
LIE_INLINE void advance(const lie__free_body *B, double change[3], double Q[4], const lie__clock *c, const double n[3])
{
    double x = B->x, y = B->y, s = c->s, c1 = c->c1, c3 = c->c3, g = c1 * c3, cc = c1 * c1, yss = y * (s * s);
    double over = 1.0 / (cc + yss * (n[0] * n[0])), unroot = s / g;
    double u1 = (n[0] * c3 - x * (s * c1) * (n[1] * n[2])) * over;
    double u2 = (n[1] * g + s * (n[2] * n[0])) * over;
    double u3 = (n[2] * c1 - y * (s * c3) * (n[0] * n[1])) * over;
    double f = 2.0 * s / (cc + yss * (u1 * u1));
    change[0] = -x * c1 * (u2 * u3) * f;
    change[1] = u1 * u3 * f;
    change[2] = -y * c3 * (u1 * u2) * f;
    Q[0] = 1.0;
    Q[1] = y * (u1 * c3) * unroot;
    Q[2] = 0.0;
    Q[3] = -x * (u3 * c1) * unroot;
}

lie_status lie__free_flow(const lie__free_body *body, lie__free_turn *turn, const double m[3], double h)
{
    double p[3], n[3], from[3], change[3], Q[4], w[3], r[3], C, S;
    mat3_tvec(p, body->axes, m);
    double length = unit(n, p), half = 0.5 * length * h;
    if (!all_finite(3, p) || !(half - half == 0.0)) return LIE_ERR_NOT_FINITE;
    lie__orbit o = orbit_of(body, n);
    lie__clock c = lie__clock_at(&o, half * body->spread);
    copy_n(3, from, n);
    if (c.odd) from[o.d > 0.0 ? 2 : 0] = -from[o.d > 0.0 ? 2 : 0], from[1] = -from[1];
    advance(body, change, Q, &c, from);
    if (c.odd) half_period(Q, n, o.d > 0.0);
    cos_sin(&C, &S, half * body->mid + c.theta);
    double z = c.s * o.d / (c.c1 * c.c3), A = C + z * S, D = S - z * C;
    cross3(w, n, Q + 1);
    for (int i = 0; i < 3; i++) {
        w[i] = A * Q[i + 1] + D * (Q[0] * n[i] + w[i]);
        p[i] = length * ((from[i] - n[i]) + change[i]);
    }
    double scalar = A * Q[0] - D * dot3(n, Q + 1);
    mat3_vec(r, body->axes, w);
    double over = 1.0 / sqrt(scalar * scalar + dot3(r, r));
    scalar *= over;
    for (int i = 0; i < 3; i++) r[i] *= over;
    double a = scalar < 0.0 ? scalar - 1.0 : -dot3(r, r) / (1.0 + scalar);
    mat3_vec(w, body->axes, p);
    if (!(((a - a) + (w[0] - w[0])) + ((w[1] - w[1]) + (w[2] - w[2])) == 0.0)) return LIE_ERR_NOT_FINITE;
    turn->a = a;
    copy_n(3, turn->v, r);
    copy_n(3, turn->dm, w);
    return LIE_OK;
}
