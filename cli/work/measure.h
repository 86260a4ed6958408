/* SPDX-License-Identifier: MIT */
/* measure.h: what a method does, measured on the spot, for `liestep check`.
 *
 * Measured on one model per group, with a dense, asymmetric inertia I and two momenta p_1, p_2 fixed in space, which
 * the body sees as y_b = Ad*_g p_b:
 *     l = 1/2 <I xi, xi> - V,     V = a . y + s + c s^2,   s = 1/2 sum q_k y_k^2         on SO3, S3, H, SE3, SE2
 * On SO3 and S3 that is a body in two fields, on SE3 a vehicle held to two lines in space. y' = ad*_xi y, so the body
 * force is F = sum_b ad*_{dV/dy_b} y_b. On R^n y is the place itself, and so are its components along the factors R^n
 * of a product. */
#ifndef LIESTEP_CLI_MEASURE_H
#define LIESTEP_CLI_MEASURE_H

#include "cli/base/cli.h"

enum { MODEL_DIM = 6, MODEL_Y = 2 * MODEL_DIM, MODEL_SIZE = 12, MODEL_STARTS = 16 };

typedef enum model_kind {
    MODEL_FREE,      /* V = 0 */
    MODEL_POTENTIAL, /* V as above */
    MODEL_SYMMETRIC, /* V of y_1 alone: the momentum along every e_k with ad*_{e_k} p_1 = 0 is constant */
    MODEL_PUSHED,    /* V = 0, and a force that is constant in space: f = Ad*_g u */
    MODEL_KINDS
} model_kind;

typedef struct model {
    const lie_ops *group;
    int is_flat;
    double inertia[MODEL_DIM * MODEL_DIM];
    double p[2][MODEL_DIM], a[MODEL_Y], q[MODEL_Y], c, u[MODEL_DIM];
    int first, blocks;    /* y is made of p[first], ...; on R^n: the places left out, how many are left */
    int place[MODEL_DIM]; /* of a product: where in g its component along e_i is, from 1; 0: not in a factor R^n */
    lie_system system;
} model;

/* G must outlive the model. LIE_ERR_SIZE for a group that is too large. */
lie_status model_make(model *out, const lie_ops *G, model_kind kind);
void model_uncouple(model *M); /* of a product: no coupling of the factors by the inertia */
lie_status model_start(const model *M, lie_state *s, int start);

/* The true motion: s after the time T, by extrapolation of the modified midpoint rule in charts of the group, to about
 * 2e-14; no stepper of the library takes part. Gragg 1965; Hairer, Norsett & Wanner, Solving Ordinary Differential
 * Equations I, 1993, section II.9. */
lie_status model_true_motion(const model *M, lie_state *s, double T);

/* What was measured. */
enum { MEASURE_POINTS = 40 };
typedef struct measurement {
    double order;                                    /* observed; 0: none, the errors are round-off */
    int points;                                      /* step sizes used, and the errors with them */
    double h[MEASURE_POINTS], error[MEASURE_POINTS]; /* of a whole motion; of one step, where the order is above 10 */
    double symplectic;            /* largest entry of D^T Omega(m+) D - Omega(m), D the derivative of a step */
    double momentum;              /* largest error of the spatial momentum in 200 steps, relative */
    double energy;                /* largest error in 200 steps, relative */
    double self_adjoint;          /* how far a step and the same step back lead from where one was */
    double free_seconds, seconds; /* per step, free and with the potential */
    double iterations;            /* per step, with the potential */
    int only_free;                /* the method takes no potential: all of this is of the free motion */
} measurement;

/* LIE_OK, or why a step failed; LIE_ERR_METHOD: the method is not for this group. */
lie_status measure_method(measurement *out, const lie_ops *G, const lie_method *m, const lie_tableau *tab);

#endif
