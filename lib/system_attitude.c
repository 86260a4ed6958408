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
 * Every V is a sum of quadratic forms q(a) = 1/2 a . K a + l . a with F = a x (K a + l) and
 * dF = (hat(a) K - hat(K a + l)) hat(a); every A is linear in such a direction. Both are written once.
 *
 * References: Marsden & Ratiu, Introduction to Mechanics and Symmetry, 1999, chapter 15 (heavy top); Bou-Rabee &
 * Marsden 2009, section 5 (turntable, not reversible); Hughes, Spacecraft Attitude Dynamics, 1986, chapters 9 and 11
 * (gravity gradient, gyrostat). */
#include <liestep/so3.h>
#include <liestep/systems.h>

#include <string.h>

static const double e1[3] = {1.0, 0.0, 0.0}, e3[3] = {0.0, 0.0, 1.0};

static double dot(const double a[3], const double b[3])
{
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

/* s (K a) + l; K may be null for 0 */
static void affine(double out[3], double s, const double *K, const double l[3], const double a[3])
{
    double Ka[3] = {0.0, 0.0, 0.0};
    if (K) lie_so3_act(Ka, K, a);
    for (int i = 0; i < 3; i++) out[i] = s * Ka[i] + l[i];
}

/* One quadratic form s/2 a . K a + l . a of the direction a = R^T e. */
typedef struct form {
    const double *e;
    double s;
    const double *K;
    double l[3];
} form;

static double form_value(const lie_system *sys, const form *q, const double *g)
{
    double a[3], b[3];
    sys->group->Adt(sys->group, a, g, q->e);
    affine(b, q->s, q->K, q->l, a);
    return 0.5 * (dot(a, b) + dot(a, q->l));
}

/* F += a x gradient: with d/ds a = a x eta, dV = gradient . (a x eta) = eta . (gradient x a) */
static void form_force(const lie_system *sys, const form *q, double F[3], const double *g)
{
    double a[3], b[3], f[3];
    sys->group->Adt(sys->group, a, g, q->e);
    affine(b, q->s, q->K, q->l, a);
    lie_so3_ad(f, a, b);
    for (int i = 0; i < 3; i++) F[i] += f[i];
}

/* D += d/ds (a x b) with a' = hat(a) eta, b' = s K a': (hat(a) s K - hat(b)) hat(a) */
static void form_force_deriv(const lie_system *sys, const form *q, double D[9], const double *g)
{
    double a[3], b[3], a_hat[9], b_hat[9], M[9];
    sys->group->Adt(sys->group, a, g, q->e);
    affine(b, q->s, q->K, q->l, a);
    lie_so3_hat(a_hat, a);
    lie_so3_hat(b_hat, b);
    if (q->K) {
        lie_so3_mul(M, a_hat, q->K);
        for (int i = 0; i < 9; i++) b_hat[i] -= q->s * M[i];
    }
    lie_so3_mul(M, b_hat, a_hat);
    for (int i = 0; i < 9; i++) D[i] -= M[i];
}

/* The forms of a system. */
enum { FORMS_MAX = 2 };
typedef int forms_fn(const lie_system *sys, form q[FORMS_MAX]);

static int top_forms(const lie_system *sys, form q[FORMS_MAX])
{
    const lie_heavy_top *p = (const lie_heavy_top *)sys->params;
    double k = p->mass * p->gravity;
    q[0] = (form){e3, 0.0, 0, {k * p->centre[0], k * p->centre[1], k * p->centre[2]}};
    return 1;
}

static int turntable_forms(const lie_system *sys, form q[FORMS_MAX])
{
    const lie_turntable *p = (const lie_turntable *)sys->params;
    double k = p->top.mass * p->top.gravity;
    q[0] = (form){
        e3, -p->rate * p->rate, sys->inertia, {k * p->top.centre[0], k * p->top.centre[1], k * p->top.centre[2]}};
    return 1;
}

static int satellite_forms(const lie_system *sys, form q[FORMS_MAX])
{
    const lie_satellite *p = (const lie_satellite *)sys->params;
    double n = p->orbit_rate;
    q[0] = (form){e3, -n * n, sys->inertia, {-n * p->wheels[0], -n * p->wheels[1], -n * p->wheels[2]}};
    q[1] = (form){e1, 3.0 * n * n, sys->inertia, {0.0, 0.0, 0.0}};
    return 2;
}

static double potential_of(const lie_system *sys, forms_fn *forms, const double *g)
{
    form q[FORMS_MAX];
    double V = 0.0;
    int count = forms(sys, q);
    for (int k = 0; k < count; k++) V += form_value(sys, &q[k], g);
    return V;
}

static void force_of(const lie_system *sys, forms_fn *forms, double *F, const double *g)
{
    form q[FORMS_MAX];
    double r[3] = {0.0, 0.0, 0.0};
    int count = forms(sys, q);
    for (int k = 0; k < count; k++) form_force(sys, &q[k], r, g);
    memcpy(F, r, sizeof r);
}

static void force_deriv_of(const lie_system *sys, forms_fn *forms, double *D, const double *g)
{
    form q[FORMS_MAX];
    double r[9] = {0.0};
    int count = forms(sys, q);
    for (int k = 0; k < count; k++) form_force_deriv(sys, &q[k], r, g);
    memcpy(D, r, sizeof r);
}

static double top_potential(const lie_system *sys, const double *g)
{
    return potential_of(sys, top_forms, g);
}

static void top_force(const lie_system *sys, double *F, const double *g)
{
    force_of(sys, top_forms, F, g);
}

static void top_force_deriv(const lie_system *sys, double *D, const double *g)
{
    force_deriv_of(sys, top_forms, D, g);
}

static double turntable_potential(const lie_system *sys, const double *g)
{
    return potential_of(sys, turntable_forms, g);
}

static void turntable_force(const lie_system *sys, double *F, const double *g)
{
    force_of(sys, turntable_forms, F, g);
}

static void turntable_force_deriv(const lie_system *sys, double *D, const double *g)
{
    force_deriv_of(sys, turntable_forms, D, g);
}

static double satellite_potential(const lie_system *sys, const double *g)
{
    return potential_of(sys, satellite_forms, g);
}

static void satellite_force(const lie_system *sys, double *F, const double *g)
{
    force_of(sys, satellite_forms, F, g);
}

static void satellite_force_deriv(const lie_system *sys, double *D, const double *g)
{
    force_deriv_of(sys, satellite_forms, D, g);
}

/* A = rate I R^T e3 + h, dA = rate I hat(R^T e3) */
static void spin(const lie_system *sys, double rate, const double h[3], double *A, const double *g)
{
    double a[3];
    sys->group->Adt(sys->group, a, g, e3);
    affine(A, rate, sys->inertia, h, a);
}

static void spin_deriv(const lie_system *sys, double rate, double *D, const double *g)
{
    double a[3], a_hat[9];
    sys->group->Adt(sys->group, a, g, e3);
    lie_so3_hat(a_hat, a);
    lie_so3_mul(D, sys->inertia, a_hat);
    for (int i = 0; i < 9; i++) D[i] *= rate;
}

static void turntable_gyro(const lie_system *sys, double *A, const double *g)
{
    static const double none[3] = {0.0, 0.0, 0.0};
    spin(sys, ((const lie_turntable *)sys->params)->rate, none, A, g);
}

static void turntable_gyro_deriv(const lie_system *sys, double *D, const double *g)
{
    spin_deriv(sys, ((const lie_turntable *)sys->params)->rate, D, g);
}

static void satellite_gyro(const lie_system *sys, double *A, const double *g)
{
    const lie_satellite *p = (const lie_satellite *)sys->params;
    spin(sys, p->orbit_rate, p->wheels, A, g);
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
