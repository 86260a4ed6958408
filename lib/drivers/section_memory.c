/* SPDX-License-Identifier: MIT */
/* section_memory.c: the memory of a section, as numbers; see section.h.
 *
 * They are: how many nodes are known, the side, whether a node on the surface waits, how many crossings are queued,
 * shortened steps so far; then the latest two nodes, the latest first, each with its value and the length of its step,
 * which is all that the next value will have before it; the node on the surface; the queue, each crossing with its
 * direction and residual. What there is none of is 0, so that equal sections have equal numbers, wherever in the ring
 * their nodes lie. */
#include "lib/drivers/section_object.h"
#include "lib/methods/stepping.h"

enum { HEAD = 5, NODES = 2, QUEUE = SECTION_QUEUE };

static int state_doubles(const lie_ops *G)
{
    return 3 + 2 * (G->size + G->dim);
}

int lie_section_memory_count(const lie_section *sec)
{
    int state = state_doubles(sec->stepper->group);
    return HEAD + NODES * (2 + state) + state + QUEUE * (2 + state);
}

/* The numbers of a state; answers where the next ones go. */
static double *put_state(const lie_ops *G, double *out, const lie_state *s)
{
    const int n = G->size, d = G->dim;
    out[0] = s->t, out[1] = s->low_t, out[2] = (double)s->steps;
    out += 3;
    const state_parts from = parts_of(s);
    place_copy(G, out, out + n, out + 2 * n, out + 2 * n + d, from.g, from.low_g, from.m, from.low_m);
    return out + 2 * (n + d);
}

static double *put_zeros(double *out, int count)
{
    zero_n(count, out);
    return out + count;
}

void lie_section_memory_get(const lie_section *sec, double *out)
{
    const lie_ops *G = sec->stepper->group;
    const double head[HEAD] = {(double)sec->known, sec->side, sec->waiting, sec->queued, (double)sec->evaluations};
    const int state = state_doubles(G);
    copy_n(HEAD, out, head);
    out += HEAD;
    for (int back = 0; back < NODES; back++) {
        int i = (sec->now + 3 - back) % 3;
        if (back >= sec->known) {
            out = put_zeros(out, 2 + state);
            continue;
        }
        out[0] = sec->value[i], out[1] = sec->length[i];
        out = put_state(G, out + 2, sec->node[i]);
    }
    out = sec->waiting ? put_state(G, out, sec->on) : put_zeros(out, state);
    for (int k = 0; k < QUEUE; k++) {
        const lie_crossing *c = &sec->queue[(sec->first + k) % QUEUE];
        if (k >= sec->queued) {
            out = put_zeros(out, 2 + state);
            continue;
        }
        out[0] = c->direction, out[1] = c->residual;
        out = put_state(G, out + 2, c->state);
    }
}

/* A whole number of a memory; 0 where it is none that can have been. */
static long long whole(double x, double low, double high)
{
    return x >= low && x <= high ? (long long)x : 0;
}

static const double *read_state(const lie_ops *G, lie_state *s, const double *in)
{
    const int n = G->size, d = G->dim;
    s->t = in[0], s->low_t = in[1], s->steps = whole(in[2], -0x1p53, 0x1p53);
    in += 3;
    const state_parts to = parts_of(s);
    place_copy(G, to.g, to.low_g, to.m, to.low_m, in, in + n, in + 2 * n, in + 2 * n + d);
    return in + 2 * (n + d);
}

void lie_section_memory_set(lie_section *sec, const double *in)
{
    const lie_ops *G = sec->stepper->group;
    sec->known = whole(in[0], 0.0, 3.0);
    sec->side = (int)whole(in[1], -1.0, 1.0);
    sec->waiting = (int)whole(in[2], 0.0, 1.0);
    sec->queued = (int)whole(in[3], 0.0, QUEUE);
    sec->evaluations = whole(in[4], 0.0, 0x1p53);
    sec->now = NODES - 1;
    sec->first = 0;
    in += HEAD;
    for (int i = sec->now; i >= 0; i--) {
        sec->value[i] = in[0], sec->length[i] = in[1];
        in = read_state(G, sec->node[i], in + 2);
    }
    in = read_state(G, sec->on, in);
    for (int k = 0; k < QUEUE; k++) {
        sec->queue[k] = (lie_crossing){1, (int)whole(in[0], -1.0, 1.0), in[1], sec->crossed[k]};
        in = read_state(G, sec->crossed[k], in + 2);
    }
}
