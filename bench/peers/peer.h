/* SPDX-License-Identifier: MIT */
/* peer.h: someone else's integrator of y' = f(y), with the equations of motion of rates.h.
 *
 * RK4 in plain C is always there (precision/peer_rk4.c). The libraries are in a module of their own, liestep-peers.so,
 * which `liestep bench` loads if it was built: the program itself is linked with none of them. */
#ifndef LIESTEP_BENCH_PEER_H
#define LIESTEP_BENCH_PEER_H

#include "../precision/rates.h"

typedef struct peer {
    const char *name;    /* "gsl rk8pd" */
    const char *library; /* "GSL 2.7.1" */
    const char *doc;     /* one line */
    int order;
    int adaptive;                        /* the knob is a tolerance (relative and absolute), else the step */
    int (*takes)(const rate_problem *p); /* is it for this problem? null: for all */
    /* Begin at y, time 0. Null if that fails. The problem outlives it. */
    void *(*open)(const rate_problem *p, const double *y, double knob);
    int (*advance)(void *self, double t); /* to time t, later than now: whole steps, or exactly. 0, or it failed */
    void (*state)(const void *self, double *y);
    void (*close)(void *self);
} peer;

/* What the module has, a list that ends with a null; null if the program is of another version (of this header). */
enum { PEER_VERSION = 1 };
#define PEER_SYMBOL "liestep_peers"
typedef const peer *const *peer_list_fn(int version);

#endif
