/* SPDX-License-Identifier: MIT */
/* external.c: the derivatives of an external force; see external.h. */
#include "lib/methods/variational/external.h"

#include "lib/systems/system_field.h"

void lie__external_deriv(forcing W, double *E, double c, const double *g, const double *xi)
{
    lie_system_external_deriv(W.st->system, E, W.at->t + c * W.h, g, xi, control_in(W.st, W.at, W.u, c));
}

void lie__external_along(forcing W, double *D, double c, const double *g, const double *xi)
{
    const double *u = control_in(W.st, W.at, W.u, c);
    lie__system_external_along(W.st->system, W.st->group, D, W.at->t + c * W.h, g, xi, u);
}
