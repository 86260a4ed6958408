/* SPDX-License-Identifier: MIT */
/* free_flow.c: the exact motion of the free rigid body; equations: liestep/free_flow.h. */
#include "groups/num/finite.h"
#include "groups/num/vec3.h"
#include "lib/methods/free_body/free_turn.h"

#include "groups/num/principal.h"
#include "groups/step/so3_step.h"

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

lie_status lie_free_flow_init(lie_free_flow *flow, const double inertia[9])
{
    double A[9], I[3], V[9], low[9];
    lie_status status = symmetric_part(A, inertia);
    if (status != LIE_OK) return status;
    lie__principal(I, V, low, A);
    if (!(I[0] > 0x1p-50 * I[2])) return LIE_ERR_INERTIA;
    double gap = I[2] - I[0];
    int sphere = gap == 0.0;
    copy_n(9, flow->axes, V);
    for (int i = 0; i < 9; i++) flow->low[i] = 2.0 * low[i];
    flow->x = sphere ? 0.5 : (I[2] - I[1]) / gap * (I[0] / I[1]);
    flow->y = sphere ? 0.5 : (I[1] - I[0]) / gap * (I[2] / I[1]);
    flow->spread = gap / I[2] / I[0];
    flow->mid = 1.0 / I[1];
    return LIE_OK;
}

/* p <- 2^-e p with the e that brings the largest entry to about 1; zero stays. Where |p|^2 overflows or underflows. */
LIE_COLD int scale(double p[3])
{
    int e = 0;
    (void)frexp(largest(3, p), &e);
    for (int i = 0; i < 3; i++) p[i] = ldexp(p[i], -e);
    return e;
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

/* The motion over twice the time of the clock, from p; s per unit of |p|. */
typedef struct motion {
    double change[3]; /* of p */
    double Q[4];      /* 1 + v */
} motion;

LIE_INLINE motion motion_of(const lie_free_flow *B, const lie__clock *c, double s, const double u[3], const double d[3])
{
    double over = s / (c->c1 * c->c3);
    return (motion){{d[0], d[1], d[2]}, {1.0, B->y * (u[0] * c->c3) * over, 0.0, -B->x * (u[2] * c->c1) * over}};
}

/* As in free_flow.h, for any time. */
static motion advance_far(const lie_free_flow *B, const lie__clock *c, double s, const double p[3])
{
    double x = B->x, y = B->y, c1 = c->c1, c3 = c->c3, g = c1 * c3, cc = c1 * c1, yss = y * (s * s);
    double over = 1.0 / (cc + yss * (p[0] * p[0]));
    double u[3] = {(p[0] * c3 - x * (s * c1) * (p[1] * p[2])) * over, (p[1] * g + s * (p[2] * p[0])) * over,
                   (p[2] * c1 - y * (s * c3) * (p[0] * p[1])) * over};
    double f = 2.0 * s / (cc + yss * (u[0] * u[0]));
    double d[3] = {-x * c1 * (u[1] * u[2]) * f, u[0] * u[2] * f, -y * c3 * (u[0] * u[1]) * f};
    return motion_of(B, c, s, u, d);
}

/* The same for short times, as changes: c1 = 1 - k1, c3 = 1 - k3, 1 - e for c1^2 + y s^2 n1^2. All that depends on
 * the invariants alone is rounded in the same way at every step; here such factors, other than s, stand only with what
 * is small, or the energy would drift. */
LIE_INLINE motion advance_near(const lie_free_flow *B, const lie__clock *c, double s, const double p[3],
                               const lie__orbit *o)
{
    double x = B->x, y = B->y, ss = c->s * c->s, k1 = o->a * ss / (1.0 + c->c1), k3 = o->b * ss / (1.0 + c->c3);
    double k13 = (k1 + k3) - k1 * k3, xys = x * y * (s * s);
    double e = xys * (p[1] * p[1]), over = 1.0 / (1.0 - e);
    double a1 = s * x * (p[1] * p[2]), a2 = s * (p[2] * p[0]), a3 = s * y * (p[0] * p[1]);
    double u[3] = {p[0] + ((e - k3) * p[0] - (a1 - k1 * a1)) * over, p[1] + ((e - k13) * p[1] + a2) * over,
                   p[2] + ((e - k1) * p[2] - (a3 - k3 * a3)) * over};
    double f = xys * (u[1] * u[1]), under = 1.0 / (1.0 - f), s2 = s + s;
    double d1 = -s2 * (x * (u[1] * u[2])), d2 = s2 * (u[0] * u[2]), d3 = -s2 * (y * (u[0] * u[1]));
    double d[3] = {d1 + d1 * ((f - k1) * under), d2 + d2 * (f * under), d3 + d3 * ((f - k3) * under)};
    return motion_of(B, c, s, u, d);
}

/* Where `odd` half periods are to be added: p turned by pi about e, and back. */
LIE_COLD motion advance_odd(const lie_free_flow *B, const lie__clock *c, double s, const double p[3], const double n[3],
                            int first)
{
    int flipped = first ? 2 : 0;
    double from[3] = {p[0], -p[1], p[2]};
    from[flipped] = -p[flipped];
    motion M = advance_far(B, c, s, from);
    M.change[1] += -2.0 * p[1];
    M.change[flipped] += -2.0 * p[flipped];
    half_period(M.Q, n, first);
    return M;
}

/* r = (1 + a, v) from the quaternion r of any length in principal axes */
LIE_INLINE void turn_of_quaternion(const lie_free_flow *B, lie_free_turn *out, const double r[4])
{
    mat3_vec(out->v, B->axes, r + 1);
    double over = 1.0 / sqrt(r[0] * r[0] + dot3(out->v, out->v)), scalar = r[0] * over;
    for (int i = 0; i < 3; i++) out->v[i] *= over;
    out->a = scalar < 0.0 ? scalar - 1.0 : -dot3(out->v, out->v) / (1.0 + scalar);
}

lie_status lie__free_flow_turn(const lie_free_flow *flow, lie_free_turn *step, const double m[3], double h)
{
    double p[3], r[4];
    int e = 0;
    mat3_tvec(p, flow->axes, m);
    double pp = dot3(p, p);
    if (!(pp > 0x1p-900 && pp < 0x1p+1000)) e = scale(p), pp = dot3(p, p);
    double length = sqrt(pp), over = pp > 0.0 ? 1.0 / length : 0.0,
           half = 0.5 * (e == 0 ? length : ldexp(length, e)) * h;
    if (!(pp - pp == 0.0 && half - half == 0.0)) return LIE_ERR_NOT_FINITE;
    double n[3] = {p[0] * over, p[1] * over, p[2] * over}, t = half * flow->spread;
    lie__orbit o = orbit_of(flow, n);
    int near = (o.a > o.b ? o.a : o.b) * (t * t) <= LIE__CLOCK_NEAR;
    lie__clock c = near ? lie__clock_near(&o, t) : lie__clock_far(&o, t);
    motion M = near    ? advance_near(flow, &c, c.s * over, p, &o)
               : c.odd ? advance_odd(flow, &c, c.s * over, p, n, o.d > 0.0)
                       : advance_far(flow, &c, c.s * over, p);
    turn_about(r, n, half * flow->mid + c.theta, c.s * o.d / (c.c1 * c.c3), M.Q);
    lie_free_turn out;
    turn_of_quaternion(flow, &out, r);
    mat3_vec(out.dm, flow->axes, M.change);
    mat3_vec(out.low, flow->low, M.change);
    if (e != 0)
        for (int i = 0; i < 3; i++) out.dm[i] = ldexp(out.dm[i], e), out.low[i] = ldexp(out.low[i], e);
    double witness = ((out.a - out.a) + (out.dm[0] - out.dm[0])) + ((out.dm[1] - out.dm[1]) + (out.dm[2] - out.dm[2]));
    if (!(witness == 0.0)) return LIE_ERR_NOT_FINITE;
    *step = out;
    return LIE_OK;
}

lie_status lie__free_flow_s3(const lie_free_flow *flow, double q[4], double low_q[4], double m[3], double low_m[3],
                             double h)
{
    lie_free_turn step;
    double dq[4];
    lie_status status = lie__free_flow_turn(flow, &step, m, h);
    if (status != LIE_OK) return status;
    quat_change(dq, step.a, 1.0, step.v, q);
    for (int i = 0; i < 3; i++) step.low[i] += low_m[i];
    status = s3_carry(q, low_q, dq, m, step.low, step.dm);
    if (status == LIE_OK) copy_n(3, low_m, step.low);
    return status;
}

lie_status lie__free_flow_so3(const lie_free_flow *flow, double R[9], double low_R[9], double m[3], double low_m[3],
                              double h)
{
    lie_free_turn step;
    double dR[9];
    lie_status status = lie__free_flow_turn(flow, &step, m, h);
    if (status != LIE_OK) return status;
    rotation_change(dR, 2.0 * (1.0 + step.a), 2.0, step.v, R);
    for (int i = 0; i < 3; i++) step.low[i] += low_m[i];
    status = so3_carry(R, low_R, dR, m, step.low, step.dm);
    if (status == LIE_OK) copy_n(3, low_m, step.low);
    return status;
}

lie_status lie_free_flow_turn(const lie_free_flow *flow, lie_free_turn *out, const double m[3], double h)
{
    return lie__free_flow_turn(flow, out, m, h);
}

lie_status lie_free_flow_s3(const lie_free_flow *flow, double q[4], double *low_q, double m[3], double *low_m, double h)
{
    double q_lost[4] = {0.0}, m_lost[3] = {0.0};
    if ((low_q && !all_finite(4, low_q)) || (low_m && !all_finite(3, low_m))) return LIE_ERR_NOT_FINITE;
    return lie__free_flow_s3(flow, q, low_q ? low_q : q_lost, m, low_m ? low_m : m_lost, h);
}

lie_status lie_free_flow_so3(const lie_free_flow *flow, double R[9], double *low_R, double m[3], double *low_m,
                             double h)
{
    double R_lost[9] = {0.0}, m_lost[3] = {0.0};
    if ((low_R && !all_finite(9, low_R)) || (low_m && !all_finite(3, low_m))) return LIE_ERR_NOT_FINITE;
    return lie__free_flow_so3(flow, R, low_R ? low_R : R_lost, m, low_m ? low_m : m_lost, h);
}
