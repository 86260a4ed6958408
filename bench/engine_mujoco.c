/* SPDX-License-Identifier: MIT */
/* engine_mujoco.c: the integrators of MuJoCo on a rigid body that is free or turns about a fixed point; see engine.h.
 *
 * A body with a free joint has qpos = (x, q) and qvel = (x', w), one with a ball joint qpos = q and qvel = w, with w in
 * the body frame. Contacts, constraints and sensors are switched off; what remains of the pipeline (kinematics, inertia
 * of the tree and its factors, bias forces) is computed as for any robot, and belongs to the time of a step. */
#include "engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mujoco/mujoco.h>

enum { LONGEST = 2000 };

typedef struct simulation {
    const engine_problem *problem;
    mjModel *model;
    mjData *data;
    int at_q, at_w;
} simulation;

static const char *const head = "<mujoco><compiler inertiafromgeom='false' angle='radian'/>"
                                "<option timestep='%.17g' gravity='0 0 %.17g'>"
                                "<flag contact='disable' constraint='disable' sensor='disable'/></option>"
                                "<worldbody><body>%s<inertial pos='%.17g %.17g %.17g' mass='%.17g' "
                                "fullinertia='%.17g %.17g %.17g %.17g %.17g %.17g'/></body></worldbody></mujoco>";

/* The inertia about the centre of mass: I - m (c^2 1 - c c^T). */
static void describe(char *out, size_t bytes, const engine_problem *p, double h)
{
    const lie_heavy_top *top = &p->top;
    const double *c = top->centre, cc = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
    double I[9];
    for (int i = 0; i < 9; i++) I[i] = top->inertia[i] - top->mass * ((i % 4 == 0 ? cc : 0.0) - c[i / 3] * c[i % 3]);
    snprintf(out, bytes, head, h, -top->gravity, top->mass > 0.0 ? "<joint type='ball'/>" : "<freejoint/>", c[0], c[1],
             c[2], top->mass > 0.0 ? top->mass : 1.0, I[0], I[4], I[8], I[1], I[2], I[5]);
}

/* A model is read from a file; this one is in memory. */
static mjModel *load(const engine_problem *p, double h)
{
    char text[LONGEST], error[500] = "";
    mjVFS *files = (mjVFS *)malloc(sizeof *files);
    mjModel *model = NULL;
    if (!files) return NULL;
    describe(text, sizeof text, p, h);
    mj_defaultVFS(files);
    if (mj_makeEmptyFileVFS(files, "body.xml", (int)strlen(text)) == 0) {
        memcpy(files->filedata[mj_findFileVFS(files, "body.xml")], text, strlen(text));
        model = mj_loadXML("body.xml", files, error, (int)sizeof error);
    }
    if (!model) fprintf(stderr, "bench_engine: MuJoCo does not take the model: %s\n", error);
    mj_deleteVFS(files);
    free(files);
    return model;
}

static void close_simulation(void *self)
{
    simulation *s = (simulation *)self;
    if (s->data) mj_deleteData(s->data);
    if (s->model) mj_deleteModel(s->model);
    free(s);
}

/* MuJoCo writes its warnings to a file. */
static void say_nothing(const char *text)
{
    (void)text;
}

static void *open_simulation(const engine *e, const engine_problem *p, double h)
{
    simulation *s = (simulation *)calloc(1, sizeof *s);
    if (!s) return NULL;
    mju_user_warning = say_nothing;
    s->problem = p;
    s->model = load(p, h);
    s->data = s->model ? mj_makeData(s->model) : NULL;
    if (!s->data) {
        close_simulation(s);
        return NULL;
    }
    s->model->opt.integrator = e->option;
    s->at_q = s->at_w = p->top.mass > 0.0 ? 0 : 3;
    memcpy(s->data->qpos + s->at_q, p->q, sizeof p->q);
    memcpy(s->data->qvel + s->at_w, p->w, sizeof p->w);
    return s;
}

/* Where velocities become too large MuJoCo warns and starts anew. */
static int advance(void *self, long steps)
{
    simulation *s = (simulation *)self;
    for (long k = 0; k < steps; k++) mj_step(s->model, s->data);
    const mjWarningStat *warning = s->data->warning;
    return warning[mjWARN_BADQPOS].number + warning[mjWARN_BADQVEL].number + warning[mjWARN_BADQACC].number;
}

static void state(const void *self, double q[4], double m[3])
{
    const simulation *s = (const simulation *)self;
    const double *I = s->problem->top.inertia, *w = s->data->qvel + s->at_w;
    memcpy(q, s->data->qpos + s->at_q, 4 * sizeof *q);
    for (int i = 0; i < 3; i++) m[i] = I[3 * i] * w[0] + I[3 * i + 1] * w[1] + I[3 * i + 2] * w[2];
}

#define MUJOCO(name, integrator)                                                                                       \
    {                                                                                                                  \
        name, "MuJoCo", open_simulation, advance, state, close_simulation, integrator, NULL                            \
    }
const engine engine_mujoco[] = {
    MUJOCO("Euler", mjINT_EULER), MUJOCO("implicit", mjINT_IMPLICIT), MUJOCO("RK4", mjINT_RK4), {0}};

const char *engine_mujoco_version(void)
{
    return mj_versionString();
}
