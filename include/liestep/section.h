/* SPDX-License-Identifier: MIT */
/* section.h: where a trajectory crosses a surface f(t, g, m) = 0: Poincare sections and other events.
 *
 *     lie_section *sec;
 *     lie_crossing c;
 *     long long budget = 1000000;
 *     lie_section_init(&sec, st, &(lie_event){.value = f, .direction = 1}, work, sizeof work);
 *     while (lie_section_next(sec, &s, h, &budget, &c) == LIE_OK && c.found) use(c.state->g, lie_state_m(c.state));
 *
 * The trajectory is that of lie_run, to the bit: a crossing is located beside it, by a step that is shortened until its
 * end lies on the surface (root-finding in h; Henon 1982 had the idea of stepping onto the surface). So a crossing is
 * as accurate as any other point of the trajectory, its residual is at round-off, and its state is a state: g in the
 * group, m the momentum there, t the time.
 *
 * A crossing is found once, also where a step ends on the surface. Where f only touches 0, or dips below it and comes
 * back between two steps, that is seen from three values in a row and the extremum looked for: a touch is reported as
 * one crossing with direction 0, a dip as two. A start on the surface, to round-off, is none.
 *
 * No allocation, no globals.
 *
 * Threads: a section belongs to one thread at a time, and that thread calls `value`. Sections that are shown their
 * states (lie_section_see) only read their stepper, so that several may share one; then it must not be stepped
 * meanwhile. lie_points calls the values of several sections at once.
 *
 * Reference: Henon, On the numerical computation of Poincare maps, Physica D 5 (1982). */
#ifndef LIESTEP_SECTION_H
#define LIESTEP_SECTION_H

#include <liestep/stepper.h>

LIE_BEGIN_DECLS

/* A surface: the zeros of value. A value that is not finite ends the search with LIE_ERR_NOT_FINITE. */
typedef struct lie_event {
    double (*value)(const void *ctx, const lie_system *sys, double t, const double *g, const double *m);
    const void *ctx;
    int direction; /* 1: from below only, -1: from above only, 0: both, and touches */
} lie_event;

typedef struct lie_crossing {
    int found;
    int direction;          /* 1: f grows, -1: f falls, 0: f touches 0 */
    double residual;        /* f there */
    const lie_state *state; /* in the memory of the section, until it looks on */
} lie_crossing;

/* Lies wholly in its work memory. */
typedef struct lie_section lie_section;

/* Bytes of work memory for sections of this stepper's trajectories. */
LIE_API size_t lie_section_memsize(const lie_stepper *st);

/* Prepare to look for crossings. The stepper and `work` (aligned for double, at least memsize bytes) stay with the
 * caller and must outlive the section; `event` is copied. On failure *sec is not touched. Status: LIE_ERR_INCOMPLETE
 * (no value), LIE_ERR_MEMORY, that of lie_stepper_init. */
LIE_API lie_status lie_section_init(lie_section **sec, lie_stepper *st, const lie_event *event, void *work,
                                    size_t bytes);

/* Forget the trajectory: the next state is a start. */
LIE_API void lie_section_reset(lie_section *sec);

/* What it was made for; the state seen last with f there, null and 0 before the first; shortened steps so far. */
LIE_API const lie_event *lie_section_event(const lie_section *sec);
LIE_API const lie_stepper *lie_section_stepper(const lie_section *sec);
LIE_API const lie_state *lie_section_latest(const lie_section *sec, double *value);
LIE_API long long lie_section_evaluations(const lie_section *sec);

/* The memory of the section, which a checkpoint must keep for the same bits: memory_count doubles,
 * found crossings that were not handed out included. It can be set on any section of the same event, system and method,
 * which then goes on as this one would. State and stepper have a memory of their own. */
LIE_API int lie_section_memory_count(const lie_section *sec);
LIE_API void lie_section_memory_get(const lie_section *sec, double *out);
LIE_API void lie_section_memory_set(lie_section *sec, const double *in);

/* Go on with the trajectory until the next crossing, at most *budget steps of length h; *budget is reduced by the steps
 * taken. found is 0 if there was none; out->state is then not touched. s may be ahead of the crossing by up to two
 * steps. Status: that of lie_step; s is then the last good state. */
LIE_API lie_status lie_section_next(lie_section *sec, lie_state *s, double h, long long *budget, lie_crossing *out);

/* For trajectories that somebody else steps, an ensemble for example: show the section every state, the start first,
 * each with the length of the step that led there; then take the crossings found, until there is none (0). The state's
 * low parts count, too. Status of see: that of a shortened step; LIE_ERR_NOT_FINITE. */
LIE_API lie_status lie_section_see(lie_section *sec, const lie_state *s, double h);
LIE_API int lie_section_take(lie_section *sec, lie_crossing *out);

/* The same as see for n states in a row, all by steps of length h, of which the caller knows the values: that of state
 * k is f[k * stride]. Only states near which the surface may be crossed are asked for, by at(ctx, k, s), which fills t,
 * g and m and may fill steps and the low parts, which are 0 otherwise. Begins with state *seen and ends where crossings
 * were found, which are to be taken before the next call, at a failure, or when *seen is n. */
typedef void lie_section_state_fn(void *ctx, int k, lie_state *s);
LIE_API lie_status lie_section_watch(lie_section *sec, const double *f, int stride, int n, double h,
                                     lie_section_state_fn *at, void *ctx, int *seen);

LIE_END_DECLS

#endif
