/* SPDX-License-Identifier: MIT */
/* engine.h: a body as a game or robot engine sees it, and something that moves it by equal steps: for bench_engine.
 *
 * State everywhere: unit quaternion q (scalar first, body to inertial) and body momentum m = I w. */
#ifndef LIESTEP_BENCH_ENGINE_H
#define LIESTEP_BENCH_ENGINE_H

#include <liestep/core.h>

/* A free body, or a body with a fixed point under gravity along -e3. */
typedef struct engine_problem {
    const char *name;
    lie_heavy_top top;  /* inertia about the fixed point; no mass: a free body */
    double q[4], w[3];  /* the start */
    lie_free_body body; /* filled from the top, */
    lie_system sys;     /* and the system of either */
} engine_problem;

typedef struct engine engine;
struct engine {
    const char *name;
    const char *side; /* whose it is */
    /* Begin at the start of the problem, which outlives it, with steps of length h. Null if that fails. */
    void *(*open)(const engine *e, const engine_problem *p, double h);
    int (*advance)(void *self, long steps); /* 0, or it gave up */
    void (*state)(const void *self, double q[4], double m[3]);
    void (*close)(void *self);
    int option; /* an integrator of MuJoCo */
    const char *method;
};

/* Those of MuJoCo, up to a null name, and its version; none where it was not built in. */
extern const engine engine_mujoco[];
const char *engine_mujoco_version(void);

#endif
