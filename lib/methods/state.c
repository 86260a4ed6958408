/* SPDX-License-Identifier: MIT */
/* state.c: states: set, copied, read back; see liestep/state.h. */
#include <liestep/state.h>

#include <math.h>

#include "groups/num/loops.h"
#include "groups/num/refuse.h"
#include "lib/methods/parts.h"

_Static_assert(offsetof(lie_large_state, g) == offsetof(lie_state, g), "states differ in their room only");
_Static_assert(sizeof(lie_state) == offsetof(lie_state, g) + 2 * (LIE_STATE_SIZE + LIE_STATE_DIM) * sizeof(double),
               "the parts lie one behind the other");

static int is_room(int room_g, int room_m)
{
    return room_g >= 1 && room_g <= LIE_SIZE_MAX && room_m >= 1 && room_m <= LIE_DIM_MAX;
}

size_t lie_state_bytes(int room_g, int room_m)
{
    if (!is_room(room_g, room_m)) return 0;
    return offsetof(lie_state, g) + 2 * ((size_t)room_g + (size_t)room_m) * sizeof(double);
}

lie_status lie_state_clear_in(lie_state *s, int room_g, int room_m)
{
    if (!is_room(room_g, room_m)) return LIE_ERR_SIZE;
    memset((void *)s, 0, lie_state_bytes(room_g, room_m));
    s->room_g = room_g, s->room_m = room_m;
    return LIE_OK;
}

/* Is there nothing from `start` on? */
static int is_zero(const double *x, int start, int end)
{
    for (int i = start; i < end; i++)
        if (x[i] != 0.0) return 0;
    return 1;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

lie_status lie_state_copy(lie_state *to, const lie_state *from)
{
    if (!is_room(to->room_g, to->room_m) || !is_room(from->room_g, from->room_m)) return LIE_ERR_SIZE;
    state_parts a = parts_of(from), b = parts_of(to);
    int size = smaller(to->room_g, from->room_g), dim = smaller(to->room_m, from->room_m);
    if (!is_zero(a.g, size, from->room_g) || !is_zero(a.m, dim, from->room_m)) return LIE_ERR_SIZE;
    if (to == from) return LIE_OK;
    memset(b.g, 0, 2 * ((size_t)to->room_g + (size_t)to->room_m) * sizeof(double));
    to->t = from->t, to->low_t = from->low_t, to->steps = from->steps;
    copy_n(size, b.g, a.g);
    copy_n(size, b.low_g, a.low_g);
    copy_n(dim, b.m, a.m);
    copy_n(dim, b.low_m, a.low_m);
    return LIE_OK;
}

/* Is there room for the body? */
static lie_status check_room(lie_report *r, const lie_ops *G, int room_g, int room_m)
{
    if (!is_room(room_g, room_m)) return lie__refuse(r, LIE_ERR_SIZE, "state", "has a room that no state can have");
    if (G->size > room_g)
        return lie__refuse_entry(r, LIE_ERR_SIZE, "state.g", -1, room_g, G->size,
                                 "must have room for the group element");
    if (G->dim > room_m)
        return lie__refuse_entry(r, LIE_ERR_SIZE, "state.m", -1, room_m, G->dim, "must have room for the momentum");
    return LIE_OK;
}

/* Is g an element of the group, as far as its projection can tell? */
static lie_status check_element(lie_report *r, const lie_ops *G, const double *g)
{
    double near[LIE_SIZE_MAX];
    lie_status status = lie__refuse_not_finite(r, "g", G->size, g);
    if (status != LIE_OK) return status;
    status = G->project(G, near, g);
    if (status != LIE_OK) return lie__refuse(r, status, "g", "must be an element of the group, or near to one");
    for (int i = 0; i < G->size; i++)
        if (fabs(near[i] - g[i]) > 1e-9 * (1.0 + fabs(g[i])))
            return lie__refuse_entry(r, LIE_ERR_NOT_IN_GROUP, "g", i, g[i], near[i],
                                     "must be an element of the group; project it first");
    return LIE_OK;
}

static lie_status check_time(lie_report *r, double t)
{
    return t - t == 0.0 ? LIE_OK : lie__refuse_entry(r, LIE_ERR_NOT_FINITE, "t", -1, t, 0.0, "must be finite");
}

lie_status lie_state_set_momentum_in(const lie_system *sys, lie_state *s, int room_g, int room_m, double t,
                                     const double *g, const double *m)
{
    const lie_ops *G = sys->group;
    double at[LIE_SIZE_MAX], momentum[LIE_DIM_MAX]; /* g and m may be those of s */
    lie_status status = check_room(0, G, room_g, room_m);
    if (status == LIE_OK) status = check_time(0, t);
    if (status == LIE_OK) status = lie__refuse_not_finite(0, "m", G->dim, m);
    if (status == LIE_OK) status = check_element(0, G, g);
    if (status != LIE_OK) return status;
    copy_n(G->size, at, g);
    copy_n(G->dim, momentum, m);
    status = lie_state_clear_in(s, room_g, room_m);
    s->t = t;
    copy_n(G->size, lie_state_g(s), at);
    copy_n(G->dim, lie_state_m(s), momentum);
    return status;
}

/* What lie_state_set looks at before it computes the momentum. */
static lie_status check_velocity(lie_report *r, const lie_ops *G, int room_g, int room_m, const double *g,
                                 const double *xi)
{
    lie_status status = check_room(r, G, room_g, room_m);
    if (status == LIE_OK) status = lie__refuse_not_finite(r, "g", G->size, g);
    if (status == LIE_OK) status = lie__refuse_not_finite(r, "xi", G->dim, xi);
    return status;
}

lie_status lie_state_set_in(const lie_system *sys, lie_state *s, int room_g, int room_m, double t, const double *g,
                            const double *xi)
{
    double m[LIE_DIM_MAX];
    lie_status status = check_velocity(0, sys->group, room_g, room_m, g, xi);
    if (status != LIE_OK) return status;
    lie_system_momentum(sys, m, g, xi);
    return lie_state_set_momentum_in(sys, s, room_g, room_m, t, g, m);
}

lie_status lie_state_explain_in(lie_report *report, const lie_system *sys, int room_g, int room_m, double t,
                                const double *g, const double *xi)
{
    double m[LIE_DIM_MAX];
    lie_status status = check_velocity(report, sys->group, room_g, room_m, g, xi);
    if (status != LIE_OK) return status;
    lie_system_momentum(sys, m, g, xi);
    status = check_time(report, t);
    if (status == LIE_OK) status = lie__refuse_not_finite(report, "momentum", sys->group->dim, m);
    if (status == LIE_OK) status = check_element(report, sys->group, g);
    return status == LIE_OK ? lie__accept(report) : status;
}

lie_status lie_state_velocity(const lie_system *sys, double *xi, const lie_state *s)
{
    return lie_system_velocity(sys, xi, lie_state_g(s), lie_state_m(s));
}

lie_status lie_state_energy(const lie_system *sys, double *energy, const lie_state *s)
{
    double xi[LIE_DIM_MAX];
    lie_status status = lie_system_velocity(sys, xi, lie_state_g(s), lie_state_m(s));
    if (status == LIE_OK) *energy = lie_system_energy(sys, lie_state_g(s), xi);
    return status;
}

void lie_state_spatial_momentum(const lie_system *sys, double *J, const lie_state *s)
{
    lie_system_spatial_momentum(sys, J, lie_state_g(s), lie_state_m(s));
}

void lie_state_casimirs(const lie_system *sys, double *C, const lie_state *s)
{
    if (sys->group->casimir) sys->group->casimir(sys->group, C, lie_state_m(s));
}
