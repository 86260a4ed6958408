/* SPDX-License-Identifier: MIT */
/* system_field.h: the functions of a system as fields on G x g, to be differentiated along e_j. Internal. */
#ifndef LIESTEP_LIB_SYSTEM_FIELD_H
#define LIESTEP_LIB_SYSTEM_FIELD_H

#include <liestep/system.h>

/* Where a system is looked at. */
typedef struct place {
    const lie_system *sys;
    double t;
    const double *g, *xi, *u;
} place;

typedef void field_fn(const place *at, double *out);

/* In which argument: g along g tau(s e_j), or xi along xi + s e_j. */
typedef enum direction { ALONG_GROUP, ALONG_VELOCITY } direction;

/* The field at the distance s from `at` along e_j. */
static inline lie_status field_beside(const place *at, field_fn *field, direction along, int j, double s, double *out)
{
    const lie_ops *G = at->sys->group;
    double x[LIE_DIM_MAX], g[LIE_SIZE_MAX];
    place beside = *at;
    for (int i = 0; i < G->dim; i++) x[i] = (along == ALONG_GROUP ? 0.0 : at->xi[i]) + (i == j ? s : 0.0);
    if (along == ALONG_GROUP) {
        lie_status status = G->tau(G, g, x);
        if (status != LIE_OK) return status;
        G->mul(G, g, at->g, g);
        beside.g = g;
    } else {
        beside.xi = x;
    }
    field(&beside, out);
    return LIE_OK;
}

/* D += the derivative of the external force along g tau(s e_j), by differences of order 4: there is no callback for
 * it. */
void lie__system_external_along(const lie_system *sys, const lie_ops *G, double *D, double t, const double *g,
                                const double *xi, const double *u);

#endif
