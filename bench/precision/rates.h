/* SPDX-License-Identifier: MIT */
/* rates.h: the equations of motion as y' = f(y), for everyone who integrates in R^n: RK4 in plain C, GSL, SUNDIALS,
 * Boost.odeint. The same callbacks of the system that liestep's methods call.
 *
 *   attitude   y = (q, m)       q' = q (0, w)/2,             m' = m x w + F + f
 *   motion     y = (q, x, m)    q', x' = R v,                m' = (Pi x w + P x v, P x w) + F + f
 *   factors    y = (q, x, m)    q', x' = v,                  m' = (Pi x w, 0) + F + f            on SO3 x R3
 *   flat       y = (x, m)       x' = I^-1 m,                 m' = F + f
 *
 * with w, (w, v) = I^-1 (m - A). q is a quaternion (scalar first, body to inertial) whose length the equations keep; m
 * is the body momentum: one product with a matrix a call, where the velocity in its place needs two. A diagonal inertia
 * and missing forces are known when the instance is compiled, so that nobody pays for zeros. Also read by C++. */
#ifndef LIESTEP_BENCH_RATES_H
#define LIESTEP_BENCH_RATES_H

#include <liestep/system.h>

#if defined(__GNUC__)
#define RATE_INLINE static inline __attribute__((always_inline))
#else
#define RATE_INLINE static inline
#endif

enum { RATE_SIZE = 13, RATE_DIM = 6 };

/* name, shape (length of y), is the inertia diagonal, is there a force, anything else (A or f) */
#define RATE_LIST(X)                                                                                                   \
    X(free_diagonal, attitude, 7, 1, 0, 0)                                                                             \
    X(free_dense, attitude, 7, 0, 0, 0)                                                                                \
    X(body_diagonal, attitude, 7, 1, 1, 0)                                                                             \
    X(body_dense, attitude, 7, 0, 1, 0)                                                                                \
    X(body_general, attitude, 7, 0, 1, 1)                                                                              \
    X(swim_diagonal, motion, 13, 1, 0, 0)                                                                              \
    X(swim_dense, motion, 13, 0, 0, 0)                                                                                 \
    X(vehicle_diagonal, motion, 13, 1, 1, 0)                                                                           \
    X(vehicle_dense, motion, 13, 0, 1, 0)                                                                              \
    X(vehicle_general, motion, 13, 0, 1, 1)                                                                            \
    X(craft_diagonal, factors, 13, 1, 1, 0)                                                                            \
    X(craft_dense, factors, 13, 0, 1, 0)                                                                               \
    X(craft_general, factors, 13, 0, 1, 1)                                                                             \
    X(flat_1, flat, 2, 0, 1, 1)                                                                                        \
    X(flat_2, flat, 4, 0, 1, 1)                                                                                        \
    X(flat_3, flat, 6, 0, 1, 1)

typedef enum rate_kind {
#define RATE_ENUM(name, shape, length, diagonal, forced, general) RATE_##name,
    RATE_LIST(RATE_ENUM)
#undef RATE_ENUM
        RATE_KINDS
} rate_kind;

typedef enum rate_shape { RATE_ATTITUDE, RATE_MOTION, RATE_FACTORS, RATE_FLAT } rate_shape;

/* A problem: set up by rate_problem_init (rates.c). */
typedef struct rate_problem {
    const lie_system *sys;
    const double *u; /* constant control, or null */
    rate_kind kind;
    rate_shape shape;
    int length;                                                              /* of y */
    int dim;                                                                 /* of m */
    double inverse[RATE_DIM * RATE_DIM];                                     /* I^-1 */
    double reciprocal[RATE_DIM];                                             /* its diagonal */
    void (*rate)(double *dy, const double *y, const struct rate_problem *p); /* the instance */
    long long *calls; /* counted by those who call `rate`, where it is not null */
} rate_problem;

RATE_INLINE void rate_cross(double *out, const double *a, const double *b)
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* q' = q (0, w)/2 */
RATE_INLINE void rate_quaternion(double *dq, const double *q, const double *w)
{
    double a = 0.5 * w[0], b = 0.5 * w[1], c = 0.5 * w[2];
    dq[0] = -(q[1] * a + q[2] * b + q[3] * c);
    dq[1] = q[0] * a + q[2] * c - q[3] * b;
    dq[2] = q[0] * b + q[3] * a - q[1] * c;
    dq[3] = q[0] * c + q[1] * b - q[2] * a;
}

/* R(q), row-major, for |q| = 1 */
RATE_INLINE void rate_rotation(double *R, const double *q)
{
    double x2 = q[1] + q[1], y2 = q[2] + q[2], z2 = q[3] + q[3];
    double xx = q[1] * x2, yy = q[2] * y2, zz = q[3] * z2, xy = q[1] * y2, xz = q[1] * z2, yz = q[2] * z2;
    double wx = q[0] * x2, wy = q[0] * y2, wz = q[0] * z2;
    R[0] = 1.0 - (yy + zz), R[1] = xy - wz, R[2] = xz + wy;
    R[3] = xy + wz, R[4] = 1.0 - (xx + zz), R[5] = yz - wx;
    R[6] = xz - wy, R[7] = yz + wx, R[8] = 1.0 - (xx + yy);
}

/* xi = I^-1 mu */
RATE_INLINE void rate_velocity(int n, double *xi, const double *mu, const rate_problem *p, int diagonal)
{
    for (int i = 0; i < n; i++) {
        xi[i] = (diagonal ? p->reciprocal[i] : p->inverse[n * i]) * mu[diagonal ? i : 0];
        for (int j = 1; !diagonal && j < n; j++) xi[i] += p->inverse[n * i + j] * mu[j];
    }
}

/* xi from m - A(g); and rate += F = -dV + (dA)^T xi, + f */
RATE_INLINE void rate_gyro_velocity(int n, double *xi, const double *m, const double *g, const rate_problem *p)
{
    double mu[RATE_DIM], A[RATE_DIM];
    for (int i = 0; i < n; i++) mu[i] = m[i];
    if (p->sys->gyro) {
        p->sys->gyro(p->sys, A, g);
        for (int i = 0; i < n; i++) mu[i] -= A[i];
    }
    rate_velocity(n, xi, mu, p, 0);
}

RATE_INLINE void rate_add_forces(int n, double *rate, const double *g, const double *xi, const rate_problem *p,
                                 int general)
{
    const lie_system *sys = p->sys;
    double F[RATE_DIM], D[RATE_DIM * RATE_DIM];
    if (!general || sys->force) {
        sys->force(sys, F, g);
        for (int i = 0; i < n; i++) rate[i] += F[i];
    }
    if (general && sys->gyro) {
        sys->gyro_deriv(sys, D, g);
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) rate[j] += D[n * i + j] * xi[i];
    }
    if (general && sys->external) {
        sys->external(sys, F, 0.0, g, xi, p->u);
        for (int i = 0; i < n; i++) rate[i] += F[i];
    }
}

RATE_INLINE void rate_of_attitude(double *dy, const double *y, const rate_problem *p, int diagonal, int forced,
                                  int general)
{
    double R[9], w[3];
    const double *g = y, *m = y + 4;
    if (forced && p->sys->group->size == 9) {
        rate_rotation(R, y);
        g = R;
    }
    if (general)
        rate_gyro_velocity(3, w, m, g, p);
    else
        rate_velocity(3, w, m, p, diagonal);
    rate_quaternion(dy, y, w);
    rate_cross(dy + 4, m, w);
    if (forced) rate_add_forces(3, dy + 4, g, w, p, general);
}

/* factors: place and linear momentum are seen from the inertial frame */
RATE_INLINE void rate_of_motion(double *dy, const double *y, const rate_problem *p, int diagonal, int forced,
                                int general, int factors)
{
    double g[12], xi[6], a[3];
    const double *m = y + 7;
    rate_rotation(g, y);
    for (int i = 0; i < 3; i++) g[9 + i] = y[4 + i];
    if (general)
        rate_gyro_velocity(6, xi, m, g, p);
    else
        rate_velocity(6, xi, m, p, diagonal);
    rate_quaternion(dy, y, xi);
    rate_cross(dy + 7, m, xi);
    if (factors) {
        for (int i = 0; i < 3; i++) dy[4 + i] = xi[3 + i], dy[10 + i] = 0.0;
    } else {
        for (int i = 0; i < 3; i++) dy[4 + i] = g[3 * i] * xi[3] + g[3 * i + 1] * xi[4] + g[3 * i + 2] * xi[5];
        rate_cross(a, m + 3, xi + 3);
        rate_cross(dy + 10, m + 3, xi);
        for (int i = 0; i < 3; i++) dy[7 + i] += a[i];
    }
    if (forced) rate_add_forces(6, dy + 7, g, xi, p, general);
}

RATE_INLINE void rate_of_flat(double *dy, const double *y, const rate_problem *p, int n)
{
    double xi[RATE_DIM];
    rate_gyro_velocity(n, xi, y + n, y, p);
    for (int i = 0; i < n; i++) dy[i] = xi[i], dy[n + i] = 0.0;
    rate_add_forces(n, dy + n, y, xi, p, 1);
}

/* rate_<name>: one function per row of the list, to be inlined where it is called by its name. */
#define RATE_BODY_attitude(length, diagonal, forced, general) rate_of_attitude(dy, y, p, diagonal, forced, general)
#define RATE_BODY_motion(length, diagonal, forced, general) rate_of_motion(dy, y, p, diagonal, forced, general, 0)
#define RATE_BODY_factors(length, diagonal, forced, general) rate_of_motion(dy, y, p, diagonal, forced, general, 1)
#define RATE_BODY_flat(length, diagonal, forced, general) rate_of_flat(dy, y, p, (length) / 2)
#define RATE_DEFINE(name, shape, length, diagonal, forced, general)                                                    \
    RATE_INLINE void rate_##name(double *dy, const double *y, const rate_problem *p)                                   \
    {                                                                                                                  \
        RATE_BODY_##shape(length, diagonal, forced, general);                                                          \
    }
RATE_LIST(RATE_DEFINE)
#undef RATE_DEFINE

#ifdef __cplusplus
extern "C" {
#endif

/* The problem of a system, which must outlive it. Answers 0, or -1 if there is no such form: a general Lagrangian, a
 * group other than SO3, S3, SE3, SO3 x R3, R1 to R3, an inertia that has no inverse. */
int rate_problem_init(rate_problem *p, const lie_system *sys, const double *u);

/* y of a group element and momentum, and back; the quaternion is brought to length 1 on the way back. */
void rate_pack(const rate_problem *p, double *y, const double *g, const double *m);
void rate_unpack(const rate_problem *p, double *g, double *m, const double *y);

/* RK4 in plain C: n steps; `normalise`: bring q to length 1 after every step. */
void rate_rk4(const rate_problem *p, double *y, double h, long long n, int normalise);

#ifdef __cplusplus
}
#endif

#endif
