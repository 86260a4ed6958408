/* SPDX-License-Identifier: MIT */
/* system_attitude.c: bodies whose only freedom is their attitude, on SO3 or S3. A direction e fixed in the reference
 * frame is seen from the body as a = R^T e, and d/ds a = a x eta along R exp(s eta). With that:
 *
 *   free body   l = 1/2 w . I w                                         Euler's equations I w' = I w x w
 *   heavy top   V = k r . a, a = R^T e3, k = m g0;   F = k a x r,   dF = k ((a . r) 1 - a r^T)
 *   turntable   rate in space w + W a, W the rate of the table about e3:
 *               A = W I a,   V = k r . a - W^2/2 a . I a
 *   satellite   rate in space w + n b, b = R^T e3 the orbit normal, c = R^T e1 the local vertical, h the wheels:
 *               A = n I b + h,   V = 3/2 n^2 c . I c - n^2/2 b . I b - n h . b
 *
 * Every V is of the form 1/2 s a . I a + l . a + 1/2 s' c . I c, each A of the form rate I a + h. A form q(a) with
 * gradient b and second derivative K has F = a x b and dF = (hat(a) K - hat(b)) hat(a). These are written once and
 * compiled into each system's callbacks with its zeros known: the force of the top is one cross product.
 *
 * References: Marsden & Ratiu, Introduction to Mechanics and Symmetry, 1999, chapter 15 (heavy top); Bou-Rabee &
 * Marsden 2009, section 5 (turntable, not reversible); Hughes, Spacecraft Attitude Dynamics, 1986, chapters 9 and 11
 * (gravity gradient, gyrostat). */
#include <liestep/systems.h>

#include "../groups/vec3.h"

/* R^T e3, the up or normal direction seen from the body: the third row of R, of a matrix or of a unit quaternion */
LIE_INLINE void seen_e3(double a[3], const lie_system *sys, const double *g)
{
    if (sys->group->size == 9) {
        copy_n(3, a, g + 6);
        return;
    }
    double w = g[0], x = g[1], y = g[2], z = g[3];
    a[0] = 2.0 * (x * z - w * y);
    a[1] = 2.0 * (y * z + w * x);
    a[2] = (w * w + z * z) - (x * x + y * y);
}

/* R^T e1 */
LIE_INLINE void seen_e1(double c[3], const lie_system *sys, const double *g)
{
    if (sys->group->size == 9) {
        copy_n(3, c, g);
        return;
    }
    double w = g[0], x = g[1], y = g[2], z = g[3];
    c[0] = (w * w + x * x) - (y * y + z * z);
    c[1] = 2.0 * (x * y - w * z);
    c[2] = 2.0 * (x * z + w * y);
}

/* V = s/2 a . I a + l . a + s1/2 c . I c, a = R^T e3, c = R^T e1 */
typedef struct well {
    double s, l[3], s1;
} well;

LIE_INLINE well top_well(const lie_heavy_top *p)
{
    double k = p->mass * p->gravity;
    return (well){0.0, {k * p->centre[0], k * p->centre[1], k * p->centre[2]}, 0.0};
}

LIE_INLINE well turntable_well(const lie_turntable *p)
{
    well q = top_well(&p->top);
    q.s = -p->rate * p->rate;
    return q;
}

LIE_INLINE well satellite_well(const lie_satellite *p)
{
    double n = p->orbit_rate;
    return (well){-n * n, {-n * p->wheels[0], -n * p->wheels[1], -n * p->wheels[2]}, 3.0 * n * n};
}

/* b = s I a */
LIE_INLINE void scaled_inertia(double b[3], double s, const lie_system *sys, const double a[3])
{
    mat3_vec(b, sys->inertia, a);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) b[i] *= s;
}

LIE_INLINE double potential_in(const lie_system *sys, well q, const double *g)
{
    double a[3], b[3];
    seen_e3(a, sys, g);
    double V = dot3(q.l, a);
    if (q.s != 0.0) {
        scaled_inertia(b, 0.5 * q.s, sys, a);
        V += dot3(a, b);
    }
    if (q.s1 != 0.0) {
        seen_e1(a, sys, g);
        scaled_inertia(b, 0.5 * q.s1, sys, a);
        V += dot3(a, b);
    }
    return V;
}

/* F = a x b for each direction: with d/ds a = a x eta, -dV = -b . (a x eta) = eta . (a x b) */
LIE_INLINE void force_in(const lie_system *sys, well q, double *F, const double *g)
{
    double a[3], b[3];
    seen_e3(a, sys, g);
    if (q.s != 0.0) {
        scaled_inertia(b, q.s, sys, a);
        LIE_UNROLL
        for (int i = 0; i < 3; i++) q.l[i] += b[i];
    }
    cross3(F, a, q.l);
    if (q.s1 != 0.0) {
        double f[3];
        seen_e1(a, sys, g);
        scaled_inertia(b, q.s1, sys, a);
        cross3(f, a, b);
        LIE_UNROLL
        for (int i = 0; i < 3; i++) F[i] += f[i];
    }
}

/* D += d/ds (a x b), b = s I a + l, a' = hat(a) eta: (hat(a) s I - hat(b)) hat(a) */
static void add_force_deriv(double *D, const lie_system *sys, double s, const double l[3], const double a[3])
{
    double b[3], a_hat[9], b_hat[9], M[9];
    scaled_inertia(b, s, sys, a);
    for (int i = 0; i < 3; i++) b[i] += l[i];
    hat3(a_hat, a);
    hat3(b_hat, b);
    mat3_mul(M, a_hat, sys->inertia);
    for (int i = 0; i < 9; i++) b_hat[i] -= s * M[i];
    mat3_mul(M, b_hat, a_hat);
    for (int i = 0; i < 9; i++) D[i] -= M[i];
}

static void force_deriv_in(const lie_system *sys, well q, double *D, const double *g)
{
    static const double none[3] = {0.0, 0.0, 0.0};
    double a[3];
    zero_n(9, D);
    seen_e3(a, sys, g);
    add_force_deriv(D, sys, q.s, q.l, a);
    if (q.s1 == 0.0) return;
    seen_e1(a, sys, g);
    add_force_deriv(D, sys, q.s1, none, a);
}

static double top_potential(const lie_system *sys, const double *g)
{
    return potential_in(sys, top_well((const lie_heavy_top *)sys->params), g);
}

static void top_force(const lie_system *sys, double *F, const double *g)
{
    force_in(sys, top_well((const lie_heavy_top *)sys->params), F, g);
}

static void top_force_deriv(const lie_system *sys, double *D, const double *g)
{
    force_deriv_in(sys, top_well((const lie_heavy_top *)sys->params), D, g);
}

static double turntable_potential(const lie_system *sys, const double *g)
{
    return potential_in(sys, turntable_well((const lie_turntable *)sys->params), g);
}

static void turntable_force(const lie_system *sys, double *F, const double *g)
{
    force_in(sys, turntable_well((const lie_turntable *)sys->params), F, g);
}

static void turntable_force_deriv(const lie_system *sys, double *D, const double *g)
{
    force_deriv_in(sys, turntable_well((const lie_turntable *)sys->params), D, g);
}

static double satellite_potential(const lie_system *sys, const double *g)
{
    return potential_in(sys, satellite_well((const lie_satellite *)sys->params), g);
}

static void satellite_force(const lie_system *sys, double *F, const double *g)
{
    force_in(sys, satellite_well((const lie_satellite *)sys->params), F, g);
}

static void satellite_force_deriv(const lie_system *sys, double *D, const double *g)
{
    force_deriv_in(sys, satellite_well((const lie_satellite *)sys->params), D, g);
}

/* A = rate I R^T e3, dA = rate I hat(R^T e3) */
LIE_INLINE void spin(const lie_system *sys, double rate, double *A, const double *g)
{
    double a[3];
    seen_e3(a, sys, g);
    scaled_inertia(A, rate, sys, a);
}

static void spin_deriv(const lie_system *sys, double rate, double *D, const double *g)
{
    double a[3], a_hat[9];
    seen_e3(a, sys, g);
    hat3(a_hat, a);
    mat3_mul(D, sys->inertia, a_hat);
    for (int i = 0; i < 9; i++) D[i] *= rate;
}

static void turntable_gyro(const lie_system *sys, double *A, const double *g)
{
    spin(sys, ((const lie_turntable *)sys->params)->rate, A, g);
}

static void turntable_gyro_deriv(const lie_system *sys, double *D, const double *g)
{
    spin_deriv(sys, ((const lie_turntable *)sys->params)->rate, D, g);
}

static void satellite_gyro(const lie_system *sys, double *A, const double *g)
{
    const lie_satellite *p = (const lie_satellite *)sys->params;
    spin(sys, p->orbit_rate, A, g);
    LIE_UNROLL
    for (int i = 0; i < 3; i++) A[i] += p->wheels[i];
}

static void satellite_gyro_deriv(const lie_system *sys, double *D, const double *g)
{
    spin_deriv(sys, ((const lie_satellite *)sys->params)->orbit_rate, D, g);
}

/* *out = sys on that group, if it is a group of attitudes and the system is sound. */
static lie_status on_attitude_group(lie_system *out, lie_system sys, const char *group)
{
    if (!group || (strcmp(group, "SO3") != 0 && strcmp(group, "S3") != 0)) return LIE_ERR_UNKNOWN_NAME;
    lie_status status = lie_ops_find(&sys.group, group, "cay");
    if (status == LIE_OK) status = lie_system_check(&sys);
    if (status == LIE_OK) *out = sys;
    return status;
}

lie_status lie_free_body_system(lie_system *out, const lie_free_body *p, const char *group)
{
    return on_attitude_group(out, (lie_system){.name = "free_body", .inertia = p->inertia, .params = p}, group);
}

lie_status lie_heavy_top_system(lie_system *out, const lie_heavy_top *p, const char *group)
{
    return on_attitude_group(out,
                             (lie_system){.name = "heavy_top",
                                          .inertia = p->inertia,
                                          .params = p,
                                          .potential = top_potential,
                                          .force = top_force,
                                          .force_deriv = top_force_deriv},
                             group);
}

lie_status lie_turntable_system(lie_system *out, const lie_turntable *p, const char *group)
{
    return on_attitude_group(out,
                             (lie_system){.name = "turntable",
                                          .inertia = p->top.inertia,
                                          .params = p,
                                          .potential = turntable_potential,
                                          .force = turntable_force,
                                          .force_deriv = turntable_force_deriv,
                                          .gyro = turntable_gyro,
                                          .gyro_deriv = turntable_gyro_deriv},
                             group);
}

lie_status lie_satellite_system(lie_system *out, const lie_satellite *p, const char *group)
{
    return on_attitude_group(out,
                             (lie_system){.name = "satellite",
                                          .inertia = p->inertia,
                                          .params = p,
                                          .potential = satellite_potential,
                                          .force = satellite_force,
                                          .force_deriv = satellite_force_deriv,
                                          .gyro = satellite_gyro,
                                          .gyro_deriv = satellite_gyro_deriv},
                             group);
}
