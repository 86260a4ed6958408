/* SPDX-License-Identifier: MIT */
/* parts.h: states of any room inside the library: their parts, copies of them on the stack. Internal. */
#ifndef LIESTEP_LIB_PARTS_H
#define LIESTEP_LIB_PARTS_H

#include <liestep/state.h>

#include <string.h>

#include "groups/num/real.h"

typedef struct state_parts {
    double *g, *m, *low_g, *low_m;
} state_parts;

/* Where the parts of a state lie. */
LIE_INLINE state_parts parts_of(const lie_state *s)
{
    double *g = lie_state_g(s), *m = g + s->room_g;
    return (state_parts){g, m, m + s->room_m, m + s->room_m + s->room_g};
}

/* Has it been set, with room for the body? */
LIE_INLINE int state_fits(const lie_ops *G, const lie_state *s)
{
    return s->room_g >= G->size && s->room_g <= LIE_SIZE_MAX && s->room_m >= G->dim && s->room_m <= LIE_DIM_MAX;
}

/* The room of states that the library makes: that of a lie_state at least. */
LIE_INLINE int room_g_of(const lie_ops *G)
{
    return G->size > LIE_STATE_SIZE ? G->size : LIE_STATE_SIZE;
}

LIE_INLINE int room_m_of(const lie_ops *G)
{
    return G->dim > LIE_STATE_DIM ? G->dim : LIE_STATE_DIM;
}

/* The numbers that a body has in two states, which may have different rooms. */
LIE_INLINE void state_copy_body(const lie_ops *G, lie_state *to, const lie_state *from)
{
    state_parts a = parts_of(to), b = parts_of(from);
    to->t = from->t, to->low_t = from->low_t, to->steps = from->steps;
    memcpy(a.g, b.g, (size_t)G->size * sizeof(double));
    memcpy(a.low_g, b.low_g, (size_t)G->size * sizeof(double));
    memcpy(a.m, b.m, (size_t)G->dim * sizeof(double));
    memcpy(a.low_m, b.low_m, (size_t)G->dim * sizeof(double));
}

/* A state whose numbers are not set yet, laid out like a lie_state where that has room for the body: what is shown to
 * the user's functions may be read as one. */
LIE_INLINE lie_state *state_unset(const lie_ops *G, lie_large_state *room)
{
    room->room_g = room_g_of(G), room->room_m = room_m_of(G);
    return LIE_STATE(room);
}

/* A copy of s, which fits the body, in `room`. */
LIE_INLINE lie_state *state_in(const lie_ops *G, lie_large_state *room, const lie_state *s)
{
    state_copy_body(G, state_unset(G, room), s);
    return LIE_STATE(room);
}

#endif
