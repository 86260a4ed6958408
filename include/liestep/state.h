/* SPDX-License-Identifier: MIT */
/* state.h: where a run stands: time, group element and momentum.
 *
 *     lie_state s;                                             a body on S3, SO3, SE3, SE2: 320 bytes
 *     lie_state_set(&sys, &s, 0.0, g, omega);
 *     s.t, s.g[0], s.m[2]                                      may be read and changed freely
 *
 *     lie_large_state big;                                     any body: up to LIE_SIZE_MAX and LIE_DIM_MAX numbers
 *     lie_state_set(&sys, &big, 0.0, g, xi);
 *     lie_run(st, LIE_STATE(&big), h, 1000);
 *
 *     typedef struct pair { LIE_STATE_FIELDS(16, 12) } LIE_MAY_ALIAS pair;      or as small as the body that you have
 *
 * A state is plain memory with the room that its type has, and knows how much that is. lie_state_set and the other
 * functions that make a state take the room from the type of the variable and answer LIE_ERR_SIZE where the body needs
 * more; a step looks, too. So the state of one body is small enough to be kept by the thousand, copied by `=` and sent
 * in a message, products and matrix groups go through the same functions, and nothing has to be prepared or freed.
 * Where code gets a lie_state * and does not know its type, lie_state_g and the like find the parts. */
#ifndef LIESTEP_STATE_H
#define LIESTEP_STATE_H

#include <stddef.h>

#include <liestep/system.h>

LIE_BEGIN_DECLS

/* t, g and m are the caller's to read and to change; the rest belongs to the run:
 *   steps                since the state was set; may be set, as after reading a file
 *   low_t, low_g, low_m  what the rounding of t, g and m has lost so far, carried along; 0 at the start
 *   room_g, room_m       length of the arrays */
#define LIE_STATE_FIELDS(size, dim)                                                                                    \
    double t;                                                                                                          \
    long long steps;                                                                                                   \
    double low_t;                                                                                                      \
    int room_g, room_m;                                                                                                \
    double g[size]; /* group element */                                                                                \
    double m[dim];  /* canonical body momentum at g */                                                                 \
    double low_g[size];                                                                                                \
    double low_m[dim];

/* States of every room are passed as lie_state *: an access through one may mean any of them. */
#if defined(__GNUC__)
#define LIE_MAY_ALIAS __attribute__((__may_alias__))
#else
#define LIE_MAY_ALIAS
#endif

enum { LIE_STATE_SIZE = 12, LIE_STATE_DIM = 6 };
typedef struct lie_state {
    LIE_STATE_FIELDS(LIE_STATE_SIZE, LIE_STATE_DIM)
} LIE_MAY_ALIAS lie_state;

typedef struct lie_large_state {
    LIE_STATE_FIELDS(LIE_SIZE_MAX, LIE_DIM_MAX)
} LIE_MAY_ALIAS lie_large_state;

/* A state of any room as a lie_state *; and with its room, for the functions whose names end in _in. */
#define LIE_STATE(s) ((lie_state *)(void *)(s))
#define LIE_STATE_IN(s) LIE_STATE(s), (int)(sizeof((s)->g) / sizeof(double)), (int)(sizeof((s)->m) / sizeof(double))

/* The parts of a state of any room. */
static inline double *lie_state_g(const lie_state *s)
{
    return (double *)(void *)((const char *)s + offsetof(lie_state, g));
}
static inline double *lie_state_m(const lie_state *s)
{
    return lie_state_g(s) + s->room_g;
}
static inline double *lie_state_low_g(const lie_state *s)
{
    return lie_state_m(s) + s->room_m;
}
static inline double *lie_state_low_m(const lie_state *s)
{
    return lie_state_low_g(s) + s->room_g;
}

/* Bytes of a state with this room; 0 where there is none (1 .. LIE_SIZE_MAX, 1 .. LIE_DIM_MAX). */
LIE_API size_t lie_state_bytes(int room_g, int room_m);

/* Start from time, group element and body velocity, or body momentum: the state (t, g, m) with nothing lost to rounding
 * and no steps. g is copied as it is. Status: LIE_ERR_SIZE (no room for the body), LIE_ERR_NOT_FINITE,
 * LIE_ERR_NOT_IN_GROUP if an entry is further than 1e-9 (1 + its size) from the projection of g to the group, and
 * LIE_ERR_SINGULAR where there is no projection (a quaternion of zeros). Telemetry in single precision is that far off:
 * call sys->group->project(sys->group, g, g) first. */
#define lie_state_set(sys, s, ...) lie_state_set_in(sys, LIE_STATE_IN(s), __VA_ARGS__)
#define lie_state_set_momentum(sys, s, ...) lie_state_set_momentum_in(sys, LIE_STATE_IN(s), __VA_ARGS__)
LIE_API lie_status lie_state_set_in(const lie_system *sys, lie_state *s, int room_g, int room_m, double t,
                                    const double *g, const double *xi);
LIE_API lie_status lie_state_set_momentum_in(const lie_system *sys, lie_state *s, int room_g, int room_m, double t,
                                             const double *g, const double *m);

/* The checks of lie_state_set for a state of the type of s, which is not touched, and which number was refused. The
 * report may be null. */
#define lie_state_explain(report, sys, s, ...)                                                                         \
    lie_state_explain_in(report, sys, (int)(sizeof((s)->g) / sizeof(double)), (int)(sizeof((s)->m) / sizeof(double)),  \
                         __VA_ARGS__)
LIE_API lie_status lie_state_explain_in(lie_report *report, const lie_system *sys, int room_g, int room_m, double t,
                                        const double *g, const double *xi);

/* A state of zeros, to be filled from a file or a message. Status: LIE_ERR_SIZE (no room that a state can have). */
#define lie_state_clear(s) lie_state_clear_in(LIE_STATE_IN(s))
LIE_API lie_status lie_state_clear_in(lie_state *s, int room_g, int room_m);

/* The same state with the room of another type; between states of one type `=` does. Status: LIE_ERR_SIZE (there is
 * something where `to` has no room; or one of them was never set). */
LIE_API lie_status lie_state_copy(lie_state *to, const lie_state *from);

/* Read back: body velocity, energy, spatial momentum Ad*_{g^-1} m, Casimirs (group->casimirs values). */
LIE_API lie_status lie_state_velocity(const lie_system *sys, double *xi, const lie_state *s);
LIE_API lie_status lie_state_energy(const lie_system *sys, double *energy, const lie_state *s);
LIE_API void lie_state_spatial_momentum(const lie_system *sys, double *J, const lie_state *s);
LIE_API void lie_state_casimirs(const lie_system *sys, double *C, const lie_state *s);

LIE_END_DECLS

#endif
