/* SPDX-License-Identifier: MIT */
/* stepper_cases.h: what the claims of the methods are measured on: every group with every retraction, systems on them,
 * every method with every tableau, and a reference solution that shares no code with the steppers.
 *
 * A system is made of a few functions y_k(g) of the group element ("features"), here collected in y:
 *     V(g) = a . y + 1/2 y . Q y + (kappa/4) (y . Q y)^2         linear, quadratic and quartic
 *     A(g) = B y                                                 gyroscopic; on SO3 and S3 a turntable
 * with a dense, asymmetric inertia. A group may have features of its own, with their derivatives along g exp(s e_i);
 * what a body sees of covectors p that are fixed in space, Ad*_g p, is there on every group. */
#ifndef LIESTEP_TESTS_STEPPER_CASES_H
#define LIESTEP_TESTS_STEPPER_CASES_H

#include <liestep/stepper.h>

enum { CASE_FEATURES = 10, CASE_DIM = 6, CASE_SIZE = 12, CASE_STARTS = 4, CASE_TEXT = 160 };

/* The systems on a group. */
typedef enum case_kind {
    CASE_FREE,       /* l = 1/2 <I xi, xi> */
    CASE_POTENTIAL,  /* - V(g) */
    CASE_SYMMETRIC,  /* - V(g), V unchanged by a subgroup that acts from the left */
    CASE_GYRO,       /* - V(g) + <A(g), xi>: not reversible */
    CASE_FORCED,     /* - V(g), and drag, a push that depends on time and place, and controls */
    CASE_PUSHED,     /* free, and a force that is u in the inertial frame, wherever the body is */
    CASE_LAGRANGIAN, /* kinetic energy of fourth degree, gyroscopic term and potential, as a general Lagrangian */
    CASE_KINDS
} case_kind;

/* The features of a group. */
typedef struct case_space {
    const char *group;
    int features;
    void (*value)(double *y, const double *g); /* null: Ad*_g p for the covectors below, one behind the other */
    void (*deriv)(double *Y, const double *g); /* features x dim: Y_ki = d/ds y_k(g exp(s e_i)) */
    unsigned invariant;                        /* bit k: y_k is unchanged by the subgroup */
    unsigned kept;                             /* bit i: so component i of the spatial momentum is constant */
    const lie_ops *seen_on;
    double seen[CASE_FEATURES];
} case_space;

/* The numbers of a system; its lie_system.params. */
typedef struct case_model {
    const case_space *space;
    double inertia[CASE_DIM * CASE_DIM];
    double a[CASE_FEATURES], Q[CASE_FEATURES * CASE_FEATURES], kappa;
    double B[CASE_DIM * CASE_FEATURES];
    double drag[CASE_DIM], push[CASE_DIM];
    double quartic; /* of the kinetic energy */
} case_model;

/* A group with a retraction, the systems on it and where they start. */
typedef struct case_group {
    char label[8], retraction[8], name[16]; /* "S3", "cay", "S3/cay" */
    const lie_ops *group;                   /* a built-in one itself, not a copy: steppers know them by their address */
    const case_space *space;
    int is_exp;  /* the retraction is the exponential map of this group */
    int is_flat; /* the group is abelian */
    case_model model[CASE_KINDS];
    lie_system system[CASE_KINDS];
    double g[CASE_STARTS][CASE_SIZE], xi[CASE_STARTS][CASE_DIM];
} case_group;

/* All of them, made on the first call; what is wrong with the list is a failed assertion of Unity. */
int case_group_count(void);
const case_group *case_group_at(int i);

/* The i-th method, or method with a tableau that it takes for those that need one; 0 beyond the last. */
typedef struct case_method {
    const lie_method *method;
    const lie_tableau *tableau;
    char name[48];
} case_method;
int case_method_at(case_method *out, int i);

/* Is it also in the list under a name of its own? The two are the same to the bit: test_stepper_structure.c. */
int case_has_own_name(const case_method *m);

/* How much longer steps must be to show what a method does not keep: its error is of its order. */
double case_stretch(const case_method *m, const case_group *c);

/* Does it do without iteration? What is claimed, or for a method that is explicit with an explicit tableau the
 * tableau. */
int case_is_explicit(const case_method *m);

/* 1 for all pairs of the i-th method and the j-th group; for every fourth with LIE_ACCURACY_SAMPLES in the environment,
 * as it is set for slow builds. */
int case_is_sampled(int i, int j);

/* What is claimed on this group. */
lie_claims case_claims(const case_method *m, const case_group *c);

/* The order claimed on this group; whether the method takes this system; the richest conservative one that it takes
 * somewhere: CASE_POTENTIAL or CASE_FREE. */
int case_order(const case_method *m, const case_group *c);
int case_takes(const case_method *m, const case_group *c, case_kind kind);
case_kind case_main(const lie_method *m);

/* A stepper in memory of the test's own, the same for all; and one of the starts, at the time 0.3. */
void case_stepper(lie_stepper **st, const case_method *m, const case_group *c, case_kind kind);
void case_start(lie_state *s, const case_group *c, case_kind kind, int start);

/* t, g, m after the time T by extrapolation of the modified midpoint rule in the chart (Gragg 1965; Hairer, Norsett &
 * Wanner, Solving Ordinary Differential Equations I, section II.9), order 16, in `pieces` charts; u: controls. */
void case_reference(lie_state *s, const lie_system *sys, double T, int pieces, const double *u);

/* One step of the classical Runge-Kutta method in the chart at g (Munthe-Kaas 1999): not symplectic. */
void case_rk4_step(lie_state *s, const lie_system *sys, double h);

/* |(g, m) - (g', m')|, what rounding lost included */
double case_distance(const lie_ops *G, const lie_state *a, const lie_state *b);

/* The largest of many values, and where it was found. NaN counts as infinite. */
typedef struct case_worst {
    double value;
    char what[CASE_TEXT];
} case_worst;
void case_note(case_worst *w, double value, const case_method *m, const case_group *c);

#endif
