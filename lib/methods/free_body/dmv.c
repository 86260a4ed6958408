/* SPDX-License-Identifier: MIT */
/* dmv.c: the discrete Moser-Veselov algorithm for the free body on SO(3) and S3, as it is and with the modified inertia
 * of Hairer & Vilmart to order 10. The mathematics is in groups/so3_dmv.h.
 *
 * The body is stepped in its principal axes, and its momentum is that in space, which is constant, seen from the body:
 * neither energy nor momentum gather rounding. Both are in the memory of the stepper; the caller's state is made of
 * them when a run ends.
 *
 * What is constant along a motion is computed from one of its points, the anchor, when a run begins somewhere else than
 * the last one ended, when h changes, and when rounding has moved the motion away from it. The anchor too is in the
 * memory of the stepper: with it a run goes on with the same bits. A step is explicit; at an anchor and every
 * SO3_DMV_CHECK steps c . P is compared with its constant. The retraction of the group is not used. */
#include <liestep/convert.h>
#include <liestep/quat.h>

#include "groups/num/finite.h"
#include "groups/num/principal.h"
#include "groups/num/twofold.h"
#include "groups/num/vec3.h"
#include "groups/step/so3_dmv.h"
#include "lib/methods/free_body/dmv_frame.h"

/* In the work memory. */
typedef struct dmv {
    double *memory; /* dmv_frame.h */
    so3_dmv_body body;
    so3_dmv_motion motion;
    dmv_frame frame;
    int known; /* motion is that of memory */
} dmv;

enum { DMV_DOUBLES = (sizeof(dmv) + sizeof(double) - 1) / sizeof(double), H = DMV_H, ANCHOR = DMV_ANCHOR, PI = DMV_PI };

static dmv *of(const lie_stepper *st)
{
    return (dmv *)st->work;
}

static int doubles(const lie_stepper *st)
{
    (void)st;
    return DMV_DOUBLES;
}

static int memory(const lie_stepper *st)
{
    return dmv_memory(st->group->size);
}

static void moved(lie_stepper *st)
{
    of(st)->known = 0;
}

/* The motion through m, with m as its anchor. */
LIE_COLD lie_status anchor(dmv *w, double h, const double *m, lie_solve *info)
{
    lie_status status = lie__so3_dmv_start(&w->motion, &w->body, h, m, info);
    copy_n(3, w->motion.pi, w->memory + PI);
    w->known = status == LIE_OK;
    w->memory[H] = h;
    copy_n(3, w->memory + ANCHOR, m);
    if (status != LIE_OK) return status;
    return so3_dmv_holds(&w->motion, m) ? LIE_OK : LIE_ERR_NO_CONVERGENCE;
}

static lie_status motion_of_memory(const dmv *w, so3_dmv_motion *out, lie_solve *info)
{
    lie_status status = lie__so3_dmv_start(out, &w->body, w->memory[H], w->memory + ANCHOR, info);
    copy_n(3, out->pi, w->memory + PI);
    return status;
}

/* The motion for a step h: that of the memory, or through m. */
static lie_status find_motion(dmv *w, double h, const double *m, lie_solve *info)
{
    lie_solve again = *info;
    if (w->memory[H] != h) return anchor(w, h, m, info);
    if (w->known) return LIE_OK;
    lie_status status = motion_of_memory(w, &w->motion, &again);
    w->known = status == LIE_OK;
    return status;
}

LIE_COLD lie_status anchor_again(dmv *w, so3_dmv_motion *M, double h, const double *m, lie_solve *info)
{
    lie_status status = anchor(w, h, m, info);
    if (status == LIE_OK) *M = w->motion;
    return status;
}

/* Where the constant is missed: the motion through m, out of line, so that the usual step stays in registers. */
LIE_INLINE lie_status check_motion(dmv *w, so3_dmv_motion *M, double h, const double *m, lie_solve *info)
{
    if (LIE_USUALLY(so3_dmv_holds(M, m))) return LIE_OK;
    double at[3] = {m[0], m[1], m[2]};
    return anchor_again(w, M, h, at, info);
}

/* One step. G has the size of the group only: 4 for S3, 9 for SO(3). */
LIE_INLINE void dmv_step(const so3_dmv_motion *M, const lie_ops *G, double *g, double *low_g, double *m)
{
    dmv_turn t;
    double N[3], D;
    so3_dmv_solve(N, &D, M, m);
    so3_dmv_turn(&t, N, D);
    if (G->size == 4)
        s3_dmv_move(&t, M->pi, g, low_g, m);
    else
        so3_dmv_move(&t, M->pi, g, low_g, m);
}

enum { DIM = 3, LARGEST = 9 };

/* take_steps of loop.h with everything in locals */
LIE_INLINE int take_dmv(lie_stepper *st, const lie_ops *G, lie_substep_fn *substep, lie_place *at, track *run, double h,
                        int count, lie_status *status)
{
    dmv *w = of(st);
    double g[LARGEST], low_g[LARGEST], m[DIM], low_m[DIM], t = run->t, low_t = run->low_t;
    lie_solve info = {st->options.max_iterations, 0, 0.0};
    int k = 0, most = run->most, last = run->last.iterations;
    (void)substep;
    *status = count > 0 ? find_motion(w, h, at->m, &info) : LIE_OK;
    so3_dmv_motion M = w->motion;
    place_copy(G, g, low_g, m, low_m, at->g, at->low_g, at->m, at->low_m);
    for (int before = 0; k < count && *status == LIE_OK; before = info.iterations, k++) {
        twofold next = sum_exact(t, h + low_t);
        if (next.hi == t)
            *status = LIE_ERR_TIME;
        else if ((run->steps + k) % SO3_DMV_CHECK == 0)
            *status = check_motion(w, &M, h, m, &info);
        if (*status != LIE_OK) break;
        dmv_step(&M, G, g, low_g, m);
        t = next.hi, low_t = next.lo;
        last = info.iterations - before;
        most = last > most ? last : most;
    }
    place_copy(G, at->g, at->low_g, at->m, at->low_m, g, low_g, m, low_m);
    run->t = t, run->low_t = low_t, run->most = most;
    run->iterations += info.iterations;
    run->last = (lie_solve){info.cap, last, info.residual};
    return k;
}

/* Begin at s: what the memory has of another motion is forgotten. */
LIE_COLD void begin(dmv *w, int size, const lie_state *s)
{
    double *own = w->memory + DMV_OWN, *m = w->memory + dmv_own_momentum(size), *end = w->memory + dmv_end(size);
    w->memory[H] = 0.0;
    dmv_from_body(&w->frame, size, own, m, lie_state_g(s), lie_state_m(s));
    zero_n(size, own + size);
    if (size == 4)
        lie_quat_act(w->memory + PI, own, m);
    else
        mat3_vec(w->memory + PI, own, m);
    copy_n(size, end, lie_state_g(s));
    copy_n(DIM, end + size, lie_state_m(s));
}

/* run_blocks in principal axes */
LIE_INLINE lie_status dmv_run(const lie_ops *G, lie_stepper *st, lie_state *s, double h, long long n)
{
    dmv *w = of(st);
    const int size = G->size;
    double *own = w->memory + DMV_OWN, *end = w->memory + dmv_end(size);
    const state_parts to = parts_of(s);
    lie_state p = {s->t, s->steps, s->low_t, LIE_STATE_SIZE, LIE_STATE_DIM, {0.0}, {0.0}, {0.0}, {0.0}};
    int elsewhere =
        memcmp(end, to.g, (size_t)size * sizeof *end) != 0 || memcmp(end + size, to.m, sizeof p.m[0] * DIM) != 0;
    if (elsewhere || w->memory[H] != h) begin(w, size, s);
    copy_n(size, p.g, own);
    copy_n(size, p.low_g, own + size);
    copy_n(DIM, p.m, own + 2 * size);
    lie_status status = run_blocks(st, G, take_dmv, 0, &p, h, n);
    if (p.steps == s->steps) return status;
    dmv_leave(&w->frame, size, w->memory, to.g, to.m, p.g, p.low_g, p.m);
    zero_n(size, to.low_g);
    zero_n(DIM, to.low_m);
    s->t = p.t, s->low_t = p.low_t, s->steps = p.steps;
    return status;
}

/* move is never called: it tells run_blocks that rounding is carried. */
static const lie_ops s3 = {.dim = DIM, .size = 4, .move = s3_cay_move},
                     so3 = {.dim = DIM, .size = 9, .move = so3_cay_move};

static lie_status run_s3(lie_stepper *st, lie_state *s, double h, long long n)
{
    return dmv_run(&s3, st, s, h, n);
}

static lie_status run_so3(lie_stepper *st, lie_state *s, double h, long long n)
{
    return dmv_run(&so3, st, s, h, n);
}

static lie_status prepare(lie_stepper *st)
{
    const lie_ops *G = st->group;
    const double *I = st->system->inertia;
    dmv *w = of(st);
    double A[9], moment[3], diagonal[9] = {0.0};
    if (G->dim != DIM || (G->size != s3.size && G->size != so3.size)) return LIE_ERR_METHOD;
    *w = (dmv){.memory = st->memory};
    st->run = G->size == s3.size ? run_s3 : run_so3;
    if (!all_finite(9, I)) return LIE_ERR_INERTIA;
    for (int i = 0; i < 9; i++) A[i] = 0.5 * I[i] + 0.5 * I[3 * (i % 3) + i / 3];
    lie__principal(moment, w->frame.V, w->frame.low, A);
    lie_status status = lie_matrix_to_quat(w->frame.r, w->frame.V);
    for (int i = 0; i < 3; i++) diagonal[4 * i] = moment[i];
    return status == LIE_OK ? lie__so3_dmv_prepare(&w->body, diagonal, st->method->order) : status;
}

lie_status lie__dmv_motion(const lie_stepper *st, so3_dmv_motion *out)
{
    lie_solve info = {st->options.max_iterations, 0, 0.0};
    return motion_of_memory(of(st), out, &info);
}

const dmv_frame *lie__dmv_frame(const lie_stepper *st)
{
    return &of(st)->frame;
}

const lie_family lie__dmv = {.doubles = doubles, .prepare = prepare, .memory = memory, .moved = moved};
