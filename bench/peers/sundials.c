/* SPDX-License-Identifier: MIT */
/* sundials.c: CVODE's Adams method with fixed-point iteration (what its manual recommends where nothing is stiff), and
 * explicit Runge-Kutta methods of ARKODE's ERKStep. SPRKStep came with SUNDIALS 6.6; Debian 12 has 6.4. */
#include "peers.h"

#include <stdio.h> /* arkode_butcher.h needs it and does not say so */

#include <arkode/arkode_butcher_erk.h>
#include <arkode/arkode_erkstep.h>
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_config.h>
#include <sundials/sundials_context.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <stdlib.h>
#include <string.h>

typedef struct sundials {
    const rate_problem *problem;
    SUNContext context;
    N_Vector y;
    SUNNonlinearSolver solver; /* of CVODE */
    void *cvode, *erk;         /* one of them */
} sundials;

static int rate(realtype t, N_Vector y, N_Vector dy, void *params)
{
    const rate_problem *p = (const rate_problem *)params;
    (void)t;
    if (p->calls) ++*p->calls;
    p->rate(N_VGetArrayPointer(dy), N_VGetArrayPointer(y), p);
    return 0;
}

static void close_sundials(void *self)
{
    sundials *s = (sundials *)self;
    if (s->cvode) CVodeFree(&s->cvode);
    if (s->erk) ERKStepFree(&s->erk);
    if (s->solver) SUNNonlinSolFree(s->solver);
    if (s->y) N_VDestroy(s->y);
    if (s->context) SUNContext_Free(&s->context);
    free(s);
}

static sundials *begin(const rate_problem *p, const double *y)
{
    sundials *s = (sundials *)calloc(1, sizeof *s);
    if (!s) return NULL;
    s->problem = p;
    if (SUNContext_Create(NULL, &s->context) == 0) s->y = N_VNew_Serial(p->length, s->context);
    if (s->y) {
        memcpy(N_VGetArrayPointer(s->y), y, (size_t)p->length * sizeof *y);
        return s;
    }
    close_sundials(s);
    return NULL;
}

/* A run that fails is reported by its return code. */
static void no_message(int code, const char *module, const char *function, char *message, void *data)
{
    (void)code;
    (void)module;
    (void)function;
    (void)message;
    (void)data;
}

static void *open_adams(const rate_problem *p, const double *y, double tolerance)
{
    sundials *s = begin(p, y);
    if (!s) return NULL;
    s->cvode = CVodeCreate(CV_ADAMS, s->context);
    s->solver = SUNNonlinSol_FixedPoint(s->y, 0, s->context);
    int fine = s->cvode && s->solver && CVodeSetErrHandlerFn(s->cvode, no_message, NULL) == CV_SUCCESS &&
               CVodeInit(s->cvode, rate, 0.0, s->y) == CV_SUCCESS &&
               CVodeSStolerances(s->cvode, tolerance, tolerance) == CV_SUCCESS &&
               CVodeSetUserData(s->cvode, (void *)p) == CV_SUCCESS &&
               CVodeSetNonlinearSolver(s->cvode, s->solver) == CV_SUCCESS &&
               CVodeSetMaxNumSteps(s->cvode, -1) == CV_SUCCESS;
    if (fine) return s;
    close_sundials(s);
    return NULL;
}

/* A table of ERKStep; h > 0: fixed step. */
static void *open_erk(const rate_problem *p, const double *y, ARKODE_ERKTableID table, double h, double tolerance)
{
    sundials *s = begin(p, y);
    if (!s) return NULL;
    s->erk = ERKStepCreate(rate, 0.0, s->y, s->context);
    int fine = s->erk && ERKStepSetErrHandlerFn(s->erk, no_message, NULL) == ARK_SUCCESS &&
               ERKStepSetTableNum(s->erk, table) == ARK_SUCCESS &&
               ERKStepSStolerances(s->erk, tolerance, tolerance) == ARK_SUCCESS &&
               ERKStepSetUserData(s->erk, (void *)p) == ARK_SUCCESS &&
               ERKStepSetMaxNumSteps(s->erk, -1) == ARK_SUCCESS &&
               (h == 0.0 || ERKStepSetFixedStep(s->erk, h) == ARK_SUCCESS);
    if (fine) return s;
    close_sundials(s);
    return NULL;
}

static void *open_erk4(const rate_problem *p, const double *y, double h)
{
    return open_erk(p, y, ARKODE_ZONNEVELD_5_3_4, h, 1e-3);
}

static void *open_erk5(const rate_problem *p, const double *y, double tolerance)
{
    return open_erk(p, y, ARKODE_DORMAND_PRINCE_7_4_5, 0.0, tolerance);
}

static void *open_erk8(const rate_problem *p, const double *y, double tolerance)
{
    return open_erk(p, y, ARKODE_FEHLBERG_13_7_8, 0.0, tolerance);
}

static int advance_adams(void *self, double t)
{
    sundials *s = (sundials *)self;
    realtype reached;
    return CVode(s->cvode, t, s->y, &reached, CV_NORMAL) < 0;
}

static int advance_erk(void *self, double t)
{
    sundials *s = (sundials *)self;
    realtype reached;
    return ERKStepSetStopTime(s->erk, t) != ARK_SUCCESS || ERKStepEvolve(s->erk, t, s->y, &reached, ARK_NORMAL) < 0;
}

static void state(const void *self, double *y)
{
    const sundials *s = (const sundials *)self;
    memcpy(y, N_VGetArrayPointer(s->y), (size_t)s->problem->length * sizeof *y);
}

#define SUNDIALS_PEER(symbol, title, text, p, controlled, begin_fn, advance_fn)                                        \
    const peer symbol = {                                                                                              \
        title, "SUNDIALS " SUNDIALS_VERSION, text, p, controlled, NULL, begin_fn, advance_fn, state, close_sundials}
SUNDIALS_PEER(peer_cvode_adams, "cvode_adams", "CVODE: Adams, variable order and step", 12, 1, open_adams,
              advance_adams);
SUNDIALS_PEER(peer_arkode_erk4, "arkode_erk4", "ARKODE ERKStep: Zonneveld 4(3), fixed step", 4, 0, open_erk4,
              advance_erk);
SUNDIALS_PEER(peer_arkode_erk5, "arkode_erk5", "ARKODE ERKStep: Dormand & Prince 5(4), adaptive", 5, 1, open_erk5,
              advance_erk);
SUNDIALS_PEER(peer_arkode_erk8, "arkode_erk8", "ARKODE ERKStep: Fehlberg 8(7), adaptive", 8, 1, open_erk8, advance_erk);
