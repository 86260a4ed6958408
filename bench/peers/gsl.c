/* SPDX-License-Identifier: MIT */
/* gsl.c: steppers of the GNU Scientific Library (ode-initval2) through its driver, as its manual shows.
 * rk4 estimates its error by a second pass with half the step whether anyone asks or not: 11 evaluations a step. */
#include "peers.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <gsl/gsl_version.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct gsl {
    const rate_problem *problem;
    gsl_odeiv2_system system;
    gsl_odeiv2_driver *driver;
    double t, h; /* h = 0: adaptive */
    double y[RATE_SIZE];
} gsl;

static int rate(double t, const double y[], double dy[], void *params)
{
    const rate_problem *p = (const rate_problem *)params;
    (void)t;
    if (p->calls) ++*p->calls;
    p->rate(dy, y, p);
    return GSL_SUCCESS;
}

static void close_gsl(void *self)
{
    gsl *g = (gsl *)self;
    if (g->driver) gsl_odeiv2_driver_free(g->driver);
    free(g);
}

static void *open_with(const gsl_odeiv2_step_type *type, const rate_problem *p, const double *y, double h,
                       double tolerance)
{
    gsl *g = (gsl *)calloc(1, sizeof *g);
    if (!g) return NULL;
    gsl_set_error_handler_off();
    g->problem = p;
    g->h = h;
    memcpy(g->y, y, (size_t)p->length * sizeof *y);
    g->system = (gsl_odeiv2_system){rate, NULL, (size_t)p->length, (void *)p};
    g->driver = gsl_odeiv2_driver_alloc_y_new(&g->system, type, h > 0.0 ? h : 1e-3, tolerance, tolerance);
    if (g->driver) return g;
    close_gsl(g);
    return NULL;
}

static void *open_rk4(const rate_problem *p, const double *y, double h)
{
    return open_with(gsl_odeiv2_step_rk4, p, y, h, 1.0);
}

static void *open_rk8pd(const rate_problem *p, const double *y, double tolerance)
{
    return open_with(gsl_odeiv2_step_rk8pd, p, y, 0.0, tolerance);
}

static void *open_rk8pd_fixed(const rate_problem *p, const double *y, double h)
{
    return open_with(gsl_odeiv2_step_rk8pd, p, y, h, 1.0);
}

static void *open_msadams(const rate_problem *p, const double *y, double tolerance)
{
    return open_with(gsl_odeiv2_step_msadams, p, y, 0.0, tolerance);
}

/* Fixed steps go to the stepper itself: the driver would look at the error and may refuse. */
static int advance(void *self, double t)
{
    gsl *g = (gsl *)self;
    double error[RATE_SIZE];
    int code = GSL_SUCCESS;
    if (g->h == 0.0) return gsl_odeiv2_driver_apply(g->driver, &g->t, t, g->y);
    for (long long n = llround((t - g->t) / g->h); n > 0 && code == GSL_SUCCESS; n--)
        code = gsl_odeiv2_step_apply(g->driver->s, 0.0, g->h, g->y, error, NULL, NULL, &g->system);
    g->t = t;
    return code;
}

static void state(const void *self, double *y)
{
    const gsl *g = (const gsl *)self;
    memcpy(y, g->y, (size_t)g->problem->length * sizeof *y);
}

#define GSL_PEER(symbol, title, text, p, controlled, begin)                                                            \
    const peer symbol = {title, "GSL " GSL_VERSION, text, p, controlled, NULL, begin, advance, state, close_gsl}
GSL_PEER(peer_gsl_rk4, "gsl_rk4", "classical Runge-Kutta, fixed step", 4, 0, open_rk4);
GSL_PEER(peer_gsl_rk8pd, "gsl_rk8pd", "Prince & Dormand 8(9), adaptive", 8, 1, open_rk8pd);
GSL_PEER(peer_gsl_rk8pd_fixed, "gsl_rk8pd_fixed", "Prince & Dormand 8(9), fixed step", 8, 0, open_rk8pd_fixed);
GSL_PEER(peer_gsl_msadams, "gsl_msadams", "Adams, variable order and step", 12, 1, open_msadams);
