/* SPDX-License-Identifier: MIT */
/* section.c: crossings of a trajectory with a surface f = 0; see section.h.
 *
 * Along the trajectory f is known at the nodes, and between them by steps of any length sigma from the node before,
 * 0 <= sigma <= h: a function of time that is continuous, because sigma = h is the next node. On it
 *
 *   a change of sign         is one crossing: a root of f(sigma) in a bracket
 *   0 at a node              waits for the next value: a change of sign across it is a crossing there, none a touch
 *   |f| least in the middle  of three values of one sign, and the parabola through them comes close to 0: the extremum
 *                            is looked for, in both steps; beyond 0 there are two roots, at 0 a touch
 *
 * Roots: polynomials through the values known, the node before included (section_search.h); until f is at round-off or
 * the bracket is closed. Cost: one evaluation of f per step, about four steps per crossing. */
#include "lib/drivers/section_object.h"

#include <math.h>

#include "groups/num/refuse.h"
#include "lib/drivers/section_search.h"
#include "lib/methods/stepping.h"

/* A touch is a least |f| below this share of the values around it: the square root of f, at which it is located. */
static const double touching = 0x1p-40;

/* Of the head, the states, the control, and the probe behind them. */
typedef struct layout {
    size_t state, states, controls, probe, all;
} layout;

enum { HEAD = (sizeof(struct lie_section) + sizeof(double) - 1) / sizeof(double) * sizeof(double) };
enum { STATES = SECTION_NODES + 1 + SECTION_QUEUE };

static layout layout_of(const lie_stepper *st)
{
    layout L = {.state = lie_state_bytes(room_g_of(st->group), room_m_of(st->group))};
    L.states = HEAD + STATES * L.state;
    L.controls = (size_t)st->system->controls * sizeof(double);
    L.probe = lie_stepper_memsize(st->system, &st->options);
    L.all = L.probe == 0 ? 0 : L.states + L.controls + L.probe;
    return L;
}

size_t lie_section_memsize(const lie_stepper *st)
{
    return layout_of(st).all;
}

lie_status lie_section_init(lie_section **sec, lie_stepper *st, const lie_event *event, void *work, size_t bytes)
{
    const layout L = layout_of(st);
    lie_state *at[STATES];
    lie_stepper *probe;
    if (!event || !event->value) return LIE_ERR_INCOMPLETE;
    if (lie__refuse_memory(0, work, bytes, L.all) != LIE_OK) return LIE_ERR_MEMORY;
    char *room = (char *)work;
    lie_status status =
        lie_stepper_init(&probe, st->system, &st->options, room + L.states + L.controls, bytes - L.states - L.controls);
    if (status != LIE_OK) return status;
    for (size_t i = 0; i < STATES; i++) {
        at[i] = (lie_state *)(void *)(room + HEAD + i * L.state);
        lie_state_clear_in(at[i], room_g_of(st->group), room_m_of(st->group));
    }
    lie_section *made = (lie_section *)work;
    *made = (lie_section){.event = *event,
                          .stepper = st,
                          .probe = probe,
                          .u = (double *)(void *)(room + L.states),
                          .node = {at[0], at[1], at[2]},
                          .on = at[3],
                          .crossed = {at[4], at[5]}};
    *sec = made;
    return LIE_OK;
}

void lie_section_reset(lie_section *sec)
{
    sec->now = 0;
    sec->known = 0;
    sec->side = 0;
    sec->waiting = 0;
    sec->queued = 0;
}

const lie_event *lie_section_event(const lie_section *sec)
{
    return &sec->event;
}

const lie_stepper *lie_section_stepper(const lie_section *sec)
{
    return sec->stepper;
}

const lie_state *lie_section_latest(const lie_section *sec, double *value)
{
    if (value) *value = sec->known > 0 ? sec->value[sec->now] : 0.0;
    return sec->known > 0 ? sec->node[sec->now] : 0;
}

long long lie_section_evaluations(const lie_section *sec)
{
    return sec->evaluations;
}

static double value_at(const lie_section *sec, const lie_state *s)
{
    return sec->event.value(sec->event.ctx, sec->stepper->system, s->t, lie_state_g(s), lie_state_m(s));
}

/* The node that lies `back` steps before the latest. */
static int before(const lie_section *sec, int back)
{
    return (sec->now + 3 - back) % 3;
}

/* Part of the trajectory: from the node `from` on, a step that had the length h. */
typedef struct piece {
    const lie_state *from;
    double h;
    int begun; /* a shortened step has been taken from there */
} piece;

/* *at = the state after a step of length sigma from the start of the piece. */
static lie_status shortened(lie_section *sec, piece *p, double sigma, lie_state *at)
{
    const lie_stepper *st = sec->stepper;
    const double *a = st->u_minus, *b = st->u_plus;
    state_copy_body(st->group, at, p->from);
    if (p->from->t + sigma == p->from->t) return LIE_OK;
    for (int i = 0; b && i < st->system->controls; i++) {
        double start = a ? a[i] : 0.0;
        sec->u[i] = start + sigma / p->h * (b[i] - start);
    }
    if (p->begun)
        lie__stepper_again(sec->probe, at);
    else
        lie_stepper_reset(sec->probe);
    p->begun = 1;
    lie_stepper_control(sec->probe, a, b ? sec->u : 0);
    sec->evaluations++;
    return lie_step(sec->probe, at, sigma);
}

static lie_status evaluate(lie_section *sec, piece *p, double sigma, double *f, lie_state *at)
{
    lie_status status = shortened(sec, p, sigma, at);
    if (status != LIE_OK) return status;
    *f = value_at(sec, at);
    return *f - *f == 0.0 ? LIE_OK : LIE_ERR_NOT_FINITE;
}

/* A root of f in the bracket, of which C knows the ends; *best is the state there, one of the two of `room`. */
static lie_status root(lie_section *sec, piece *p, bracket B, curve *C, lie_state *room[2], lie_state **best,
                       double *residual)
{
    enum { MOST = 100 };
    double least = HUGE_VAL, small = 0x1p-51 * (fabs(B.fa) > fabs(B.fb) ? fabs(B.fa) : fabs(B.fb)), f;
    lie_state *next = room[0];
    for (int k = 0; k < MOST && (k == 0 || least > small); k++) {
        double x = next_guess(&B, C, k);
        if (k > 0 && (x == B.a || x == B.b || fabs(B.b - B.a) <= 0x1p-52 * fabs(p->h))) break;
        lie_status status = evaluate(sec, p, x, &f, next);
        if (status != LIE_OK) return status;
        if (k == 0 || fabs(f) < least) {
            least = fabs(f), *residual = f;
            *best = next;
            next = next == room[0] ? room[1] : room[0];
        }
        narrow(&B, x, f);
        add_to_curve(C, x, f);
    }
    return LIE_OK;
}

/* The least value of side f in the piece, at the step *x: to the square root of round-off, or below 0. */
static lie_status lowest(lie_section *sec, piece *p, int side, double *x, double *f, lie_state *at)
{
    enum { MOST = 60 };
    double length = fabs(p->h), start = p->h < 0.0 ? p->h : 0.0, value;
    search S = {.a = start, .b = start + length};
    lie_large_state beside;
    lie_state *there = state_in(sec->stepper->group, &beside, p->from);
    double u = S.a + 0.4 * length;
    lie_status status = evaluate(sec, p, u, &value, at);
    for (int i = 0; i < 3; i++) S.x[i] = u, S.f[i] = side * value;
    for (int k = 0; k < MOST && status == LIE_OK && S.f[0] > 0.0 && S.b - S.a > 0x1p-30 * length; k++) {
        u = next_point(&S, 0x1p-32 * length, k);
        status = evaluate(sec, p, u, &value, there);
        if (status == LIE_OK && take_point(&S, u, side * value)) state_copy_body(sec->stepper->group, at, there);
    }
    *x = S.x[0], *f = side * S.f[0];
    return status;
}

static int is_wanted(const lie_section *sec, int direction)
{
    return sec->event.direction == 0 || direction == sec->event.direction;
}

static void hand_in(lie_section *sec, int direction, double residual, const lie_state *s)
{
    if (!is_wanted(sec, direction)) return;
    int i = (sec->first + sec->queued) % SECTION_QUEUE;
    if (sec->queued < SECTION_QUEUE)
        sec->queued++;
    else
        sec->first = (sec->first + 1) % SECTION_QUEUE; /* what nobody took */
    state_copy_body(sec->stepper->group, sec->crossed[i], s);
    sec->queue[i] = (lie_crossing){1, direction, residual, sec->crossed[i]};
}

/* f has the values fa and fb, of different signs, at the steps a and b of the piece. */
static lie_status add_root(lie_section *sec, piece *p, double a, double fa, double b, double fb)
{
    curve C = {.count = 0};
    lie_large_state a_room, b_room;
    lie_state *room[2] = {state_in(sec->stepper->group, &a_room, p->from),
                          state_in(sec->stepper->group, &b_room, p->from)},
              *at = room[0];
    double residual = 0.0;
    if (!is_wanted(sec, sign_of(fb))) return LIE_OK;
    /* the node before, if the piece begins at the last but one, is a point of nearly the same curve */
    int last = before(sec, 1), first = before(sec, 2);
    if (sec->known >= 3 && p->from == sec->node[last]) add_to_curve(&C, -sec->length[last], sec->value[first]);
    add_to_curve(&C, a, fa);
    add_to_curve(&C, b, fb);
    lie_status status = root(sec, p, (bracket){a, fa, b, fb}, &C, room, &at, &residual);
    if (status == LIE_OK) hand_in(sec, sign_of(fb), residual, at);
    return status;
}

/* One of the two pieces around a least |f|: does f touch 0 in it, or dip beyond? Sets *done if so. */
static lie_status search_dip(lie_section *sec, piece *p, double f0, double f1, int *done)
{
    int side = sign_of(f0);
    double x, f, most = fabs(f0) > fabs(f1) ? fabs(f0) : fabs(f1);
    lie_large_state lowest_room;
    lie_state *at = state_in(sec->stepper->group, &lowest_room, p->from);
    lie_status status = lowest(sec, p, side, &x, &f, at);
    if (status != LIE_OK) return status;
    if (side * f < -touching * most) {
        *done = 1;
        status = add_root(sec, p, 0.0, f0, x, f);
        return status == LIE_OK ? add_root(sec, p, x, f, p->h, f1) : status;
    }
    if (side * f > touching * most) return LIE_OK;
    *done = 1;
    hand_in(sec, 0, f, at);
    return LIE_OK;
}

/* Three values of one sign, the middle one nearest to 0: is it likely that f reaches 0 between them? */
static int may_reach(double f0, double f1, double f2)
{
    double bend = (f0 - f1) + (f2 - f1), slope = f2 - f0;
    if (sign_of(f0) != sign_of(f1) || sign_of(f1) != sign_of(f2) || f1 == 0.0) return 0;
    if (fabs(f1) > fabs(f0) || fabs(f1) >= fabs(f2)) return 0;
    double lowest_value = f1 - slope * slope / (8.0 * bend); /* of the parabola */
    return sign_of(f1) * lowest_value < 0.75 * fabs(f1);
}

/* Is the start on the surface, but for rounding? Then leaving it is no crossing. */
static int starts_on(const lie_section *sec)
{
    return sec->known == 2 && fabs(sec->value[before(sec, 1)]) <= 0x1p-40 * fabs(sec->value[sec->now]);
}

/* A new node is known: what has happened since the last one? */
static lie_status look(lie_section *sec)
{
    int i = sec->now, last = before(sec, 1), side = sign_of(sec->value[i]);
    lie_status status = LIE_OK;
    if (sec->known < 2 || starts_on(sec)) {
        sec->side = side;
        return LIE_OK;
    }
    if (side == 0) { /* on the surface: the first such node waits for what follows */
        if (!sec->waiting && sec->side != 0) {
            sec->waiting = 1;
            state_copy_body(sec->stepper->group, sec->on, sec->node[i]);
        }
        return LIE_OK;
    }
    if (sec->waiting) {
        sec->waiting = 0;
        hand_in(sec, side == sec->side ? 0 : side, 0.0, sec->on);
    } else if (sec->side != 0 && side != sec->side && sec->value[last] != 0.0) {
        piece p = {sec->node[last], sec->length[i], 0};
        status = add_root(sec, &p, 0.0, sec->value[last], p.h, sec->value[i]);
    } else if (sec->known >= 3 && sec->length[i] == sec->length[last]) {
        int first = before(sec, 2), done = 0;
        if (may_reach(sec->value[first], sec->value[last], sec->value[i])) {
            piece a = {sec->node[first], sec->length[last], 0}, b = {sec->node[last], sec->length[i], 0};
            status = search_dip(sec, &a, sec->value[first], sec->value[last], &done);
            if (status == LIE_OK && !done) status = search_dip(sec, &b, sec->value[last], sec->value[i], &done);
        }
    }
    sec->side = side;
    return status;
}

lie_status lie_section_see(lie_section *sec, const lie_state *s, double h)
{
    if (!state_fits(sec->stepper->group, s)) return LIE_ERR_SIZE;
    double f = value_at(sec, s);
    if (!(f - f == 0.0)) return LIE_ERR_NOT_FINITE;
    sec->now = (sec->now + 1) % 3;
    sec->known += sec->known < 3;
    sec->value[sec->now] = f;
    sec->length[sec->now] = h;
    state_copy_body(sec->stepper->group, sec->node[sec->now], s);
    return look(sec);
}

/* States in a row: their values, who knows the states, and which of them is in each node; -1: the node is as it should
 * be. */
typedef struct row {
    const double *f;
    int stride;
    double h;
    lie_section_state_fn *at;
    void *ctx;
    int in_node[3];
} row;

/* The latest `count` nodes, which were passed by, become what they should be. */
static void fetch_nodes(lie_section *sec, row *r, int count)
{
    const lie_ops *G = sec->stepper->group;
    for (int back = 0; back < count; back++) {
        int i = before(sec, back), k = r->in_node[i];
        if (k >= 0) {
            lie_large_state room;
            lie_state *s = LIE_STATE(&room); /* `at` may assign a lie_state of the user's, which is no shorter */
            lie_state_clear_in(s, room_g_of(G), room_m_of(G));
            r->at(r->ctx, k, s);
            state_copy_body(G, sec->node[i], s);
        }
        r->in_node[i] = -1;
    }
}

static void note_value(lie_section *sec, row *r, int k, double f)
{
    sec->now = (sec->now + 1) % 3;
    sec->value[sec->now] = f;
    sec->length[sec->now] = r->h;
    r->in_node[sec->now] = k;
}

/* Of the states from k to n, how many bring nothing new: the same side, and |f| is not least in the middle of three. */
static int pass_by(lie_section *sec, row *r, int k, int n)
{
    double a = sec->value[before(sec, 1)], b = sec->value[sec->now], f = 0.0;
    int start = k, is_known = sec->known >= 3 && !sec->waiting && a * b > 0.0 && sec->side * b > 0.0;
    for (; is_known && k < n; k++) {
        f = r->f[k * r->stride];
        if (!(b * f > 0.0 && f - f == 0.0) || !(fabs(b) > fabs(a) || fabs(b) >= fabs(f))) break;
        a = b, b = f;
    }
    for (int i = k - 3 > start ? k - 3 : start; i < k; i++) note_value(sec, r, i, r->f[i * r->stride]);
    return k - start;
}

lie_status lie_section_watch(lie_section *sec, const double *f, int stride, int n, double h, lie_section_state_fn *at,
                             void *ctx, int *seen)
{
    row r = {f, stride, h, at, ctx, {-1, -1, -1}};
    lie_status status = LIE_OK;
    while (status == LIE_OK && sec->queued == 0) {
        *seen += pass_by(sec, &r, *seen, n);
        if (*seen >= n) break;
        double value = f[*seen * stride];
        if (!(value - value == 0.0)) {
            status = LIE_ERR_NOT_FINITE;
            break;
        }
        fetch_nodes(sec, &r, 2);
        note_value(sec, &r, *seen, value);
        fetch_nodes(sec, &r, 1);
        sec->known += sec->known < 3;
        ++*seen;
        status = look(sec);
    }
    fetch_nodes(sec, &r, 2); /* which are all that the next value will have before it */
    return status;
}

static void hand_out(lie_section *sec, lie_crossing *out)
{
    *out = sec->queue[sec->first];
    sec->first = (sec->first + 1) % SECTION_QUEUE;
    sec->queued--;
}

int lie_section_take(lie_section *sec, lie_crossing *out)
{
    out->found = 0;
    if (sec->queued > 0) hand_out(sec, out);
    return out->found;
}

lie_status lie_section_next(lie_section *sec, lie_state *s, double h, long long *budget, lie_crossing *out)
{
    lie_status status = sec->known == 0 ? lie_section_see(sec, s, h) : LIE_OK;
    out->found = 0;
    while (status == LIE_OK && sec->queued == 0 && *budget > 0) {
        status = lie_step(sec->stepper, s, h);
        if (status != LIE_OK) break;
        --*budget;
        status = lie_section_see(sec, s, h);
    }
    if (status == LIE_OK && sec->queued > 0) hand_out(sec, out);
    return status;
}
