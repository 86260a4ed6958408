/* SPDX-License-Identifier: MIT */
/* embedded.c: Gauss and Lobatto methods in the embedding: S3 in R^4, SO3 by its quaternions, SE3 in R^4 x R^3.
 *
 * The state (q, p) of T*R^4, p = q m at the node, moves by
 *
 *     mu = vec(conj(q) p),  w = I^-1 mu,   q' = 1/2 q w,   p' = 1/2 p w + q F/|q|^2                         (S3, SO3)
 *     x' = R v,  px' = R F_v,  P = R^T px,   p' = 1/2 p w + q (P x v + F_w)/|q|^2                               (SE3)
 *
 * with R that of q/|q| and (w, v) the velocity of the momentum (mu, P) in any system: I^-1 (mu - A), or the Legendre
 * transform of a general Lagrangian; F all of the force in the body. Gauss collocation with s stages is applied to it.
 * Preserved: |q|^2 and <q, p> are quadratic invariants, hence T*S3 and its form, the map being symplectic on T*R^4; and
 * the spatial momentum, bilinear, up to the spatial impulses. Self-adjoint at every order, 2 s. There is no chart and
 * no retraction. A proof: docs/METHODS.md.
 *
 * Lobatto IIIA-IIIB with 3 and 4 stages has one tableau for q and x and its partner for the momenta. It keeps <q, p>
 * and the momentum, which are bilinear, and not |q|; but it commutes with (q, p) -> (a q, p/a), so that q/|q| with the
 * same momentum is its step on T*S3: symplectic and self-adjoint too, of order 2 s - 2.
 *
 * Cost: the equations of the stages are solved to rounding by passes over all stages at once, in lanes
 * (embedded_stages.c): 2 to 5 of them with short steps, more with long ones; the polynomial of the last step,
 * continued, is the first guess. A step that the passes do not settle is taken once more without that guess; then it
 * fails.
 *
 * References: Bou-Rabee & Marsden 2009, (1.1), (1.2); McLachlan, Modin & Verdier, Collective symplectic integrators,
 * Nonlinearity 27, 1525, 2014; Hairer, Lubich & Wanner 2006, theorems IV.2.1, VI.4.2 and section VIII.6. */
#include "lib/methods/embedded/embedded.h"

#include <liestep/form.h>

#include "groups/attitude/coordinates.h"
#include "lib/methods/embedded/embedded_answer.h"
#include "lib/methods/embedded/embedded_end.h"
#include "lib/methods/embedded/embedded_flat.h"
#include "lib/methods/embedded/embedded_midpoint.h"
#include "lib/methods/embedded/embedded_newton.h"
#include "lib/methods/embedded/embedded_node.h"
#include "lib/methods/embedded/embedded_object.h"
#include "lib/methods/embedded/embedded_tangent.h"
#include "lib/methods/embedded/embedded_weights.h"
#include "lib/methods/families.h"
#include "lib/methods/stepping.h"
#include "lib/methods/widths.h"

extern const embedded_kernel lie__embedded_1, lie__embedded_2, lie__embedded_4, lie__embedded_8;
static const embedded_kernel *const kernels[] = {WIDTHS(lie__embedded), &lie__embedded_1};

enum { STAGES = EMBEDDED_STAGES_MAX, FEW_PASSES = 12, HEAD = EMBEDDED_HEAD, MEMORY = EMBEDDED_MEMORY };

static int rows_of(const lie_stepper *st)
{
    return st->group->dim == 3 ? EMBEDDED_PX : EMBEDDED_LONGEST;
}

/* Numbers in the slopes of one step. */
static int block_of(const lie_stepper *st)
{
    return rows_of(st) * embedded_stride(st->tableau->stages);
}

static int kept_blocks(const lie_stepper *st)
{
    return st->tableau->stages <= 2 ? 2 : 1;
}

static int memory(const lie_stepper *st)
{
    int has_midpoint = lie__embedded_midpoint(st, lie__stage_kind(st)) != 0;
    return MEMORY + kept_blocks(st) * block_of(st) + (has_midpoint ? MIDPOINT_MEMORY : 0);
}

static void again(lie_stepper *st, const lie_state *s)
{
    embedded_memory *known = embedded_of(st)->memory;
    (void)s;
    known->from = 0.0;
    if (known->history > 1.0) known->history = 1.0;
    midpoint_memory *midpoint = embedded_of(st)->midpoint;
    if (midpoint && midpoint->known > 1.0) midpoint->known = 1.0;
}

/* Stages as the system sees them */

/* g and the momentum (mu, P) of stage i */
static void stage_at(const embedded_call *c, int i, double *g, double *m, const embedded_per_stage *Y)
{
    double y[EMBEDDED_LONGEST];
    const lie_ops *G = c->st->group;
    for (int k = 0; k < (G->dim == 3 ? EMBEDDED_PX : EMBEDDED_LONGEST); k++) y[k] = Y[k][i];
    stage_of(G, c->at, g, m, y);
}

static int ask_force(void *context, embedded_per_stage *xi, embedded_per_stage *F, const embedded_per_stage *Y)
{
    const embedded_call *c = (const embedded_call *)context;
    const lie_system *sys = c->st->system;
    double g[12], m[6], f[6];
    (void)xi;
    for (int i = 0; i < c->st->tableau->stages; i++) {
        stage_at(c, i, g, m, Y);
        sys->force(sys, f, g);
        for (int k = 0; k < c->st->group->dim; k++) F[k][i] = f[k];
    }
    return 1;
}

static int ask_all(void *context, embedded_per_stage *xi, embedded_per_stage *F, const embedded_per_stage *Y)
{
    embedded_call *c = (embedded_call *)context;
    double g[12], m[6], x[6], f[6];
    for (int i = 0; i < c->st->tableau->stages; i++) {
        stage_at(c, i, g, m, Y);
        c->status = embedded_answer(c, c->st->tableau->c[i], x, f, g, m);
        if (c->status != LIE_OK) return 0;
        for (int k = 0; k < c->st->group->dim; k++) xi[k][i] = x[k], F[k][i] = f[k];
    }
    return 1;
}

/* Coefficients */

/* The place of a_ij in the rows of embedded_task. */
static double *entry(embedded_per_stage *A, int stages, int i, int j)
{
    int is_power = (stages & (stages - 1)) == 0;
    return &A[is_power ? i ^ j : j][i];
}

static void put_weights(embedded_per_stage *to, int s, double h, const double *weights)
{
    for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++) *entry(to, s, i, j) = h * weights[i * s + j];
}

/* a^_ij = b_j (1 - a_ji/b_i): symplectic with A (Sun 1993; Hairer, Lubich & Wanner 2006, theorem VI.4.6) */
static void set_partner(embedded *w, const lie_tableau *tab)
{
    int s = tab->stages;
    for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++) w->A_p[i * s + j] = tab->b[j] * (1.0 - tab->A[j * s + i] / tab->b[i]);
}

static lie_tableau of_momenta(const embedded *w, const lie_tableau *tab)
{
    lie_tableau other = *tab;
    other.A = w->A_p;
    return other;
}

/* The weights of the guess where steps follow each other with the same length. */
static void usual_weights(embedded *w, const lie_tableau *tab)
{
    double nodes[4];
    int s = tab->stages;
    if (s > 2) {
        lie__embedded_guess_weights(w->next, tab, s, tab->c, 0, s, 1.0, 1.0);
        lie_tableau other = of_momenta(w, tab);
        if (w->is_pair) lie__embedded_guess_weights(w->next_p, &other, s, tab->c, 0, s, 1.0, 1.0);
        return;
    }
    for (int j = 0; j < s; j++) nodes[j] = tab->c[j], nodes[s + j] = tab->c[j] - 1.0;
    lie__embedded_guess_weights(w->next, tab, 2 * s, nodes, 0, s, 1.0, 1.0);
    lie__embedded_guess_weights(w->next_older, tab, 2 * s, nodes, s, s, 1.0, 1.0);
}

/* hA, hb and hc, where h has changed */
LIE_INLINE void scale(embedded *w, const lie_tableau *tab, double h)
{
    int s = tab->stages;
    if (h == w->h) return;
    put_weights(w->task.hA, s, h, tab->A);
    if (w->is_pair) put_weights(w->task.hA_p, s, h, w->A_p);
    lie__embedded_scale_weights(w->task.hb, w->task.hb_low, tab, h);
    for (int j = 0; j < s; j++) w->task.hc[j] = h * tab->c[j];
    w->task.size[2] = 1.0 / (h * h * w->task.size[1]);
    w->h = h;
    w->ratio = 0.0;
}

/* The guess from what the memory has: the last two steps of few stages, if they were as long as this one; the last one,
 * if this one does not go far beyond it; or nothing. */
LIE_INLINE void choose_guess(embedded *w, const lie_tableau *tab, double h)
{
    const embedded_memory *known = w->memory;
    int s = tab->stages;
    if (LIE_USUALLY(known->h == h && known->from == 1.0 && w->ratio == 1.0 && w->from == 1.0 &&
                    known->history == (w->both ? 2.0 : 1.0) && w->both == (s <= 2))) {
        w->task.history = 1 + w->both;
        return;
    }
    double ratio = known->history > 0.0 ? h / known->h : 0.0;
    w->task.history = ratio != 0.0 && fabs(ratio) <= 1.25 ? (int)known->history : 0;
    if (w->task.history == 0) return;
    int is_usual = ratio == 1.0 && known->from == 1.0 && (s > 2 || w->task.history == 2);
    if (!is_usual) w->task.history = 1;
    int both = w->task.history == 2;
    if (ratio == w->ratio && known->from == w->from && both == w->both) return;
    if (is_usual) {
        put_weights(w->task.guess, s, h, w->next);
        if (w->is_pair) put_weights(w->task.guess_p, s, h, w->next_p);
        if (s <= 2) put_weights(w->task.guess_older, s, h, w->next_older);
    } else {
        double weights[STAGES * STAGES];
        lie__embedded_guess_weights(weights, tab, s, tab->c, 0, s, ratio, known->from);
        put_weights(w->task.guess, s, h, weights);
        lie_tableau other = of_momenta(w, tab);
        if (w->is_pair) {
            lie__embedded_guess_weights(weights, &other, s, tab->c, 0, s, ratio, known->from);
            put_weights(w->task.guess_p, s, h, weights);
        }
    }
    w->ratio = ratio, w->from = known->from, w->both = both;
}

/* A step */

/* The quaternion of g, of the sign that the slopes have, and y */
LIE_INLINE void begin(int size, embedded *w, const lie_place *at)
{
    flat_of_place(size, w->task.y, at, w->memory->end);
}

/* What the thrusters of a vessel do in the stages does not depend on them. */
static void thrust(const lie_stepper *st, embedded *w, const lie_place *at)
{
    double f[6];
    for (int i = 0; i < st->tableau->stages; i++) {
        st->system->form->thrust(st->system, f, control_in(st, at, w->u, st->tableau->c[i]));
        for (int k = 0; k < 6; k++) w->task.thrust[k * STAGES + i] = f[k];
    }
}

/* Passes from this guess; false where they do not end. */
LIE_INLINE int passes_end(embedded *w, contraction_trend trend, lie_solve *info)
{
    embedded_task *task = &w->task;
    task->passes = 0, task->left = HUGE_VAL, task->trend = trend;
    lie_status status = w->run(task);
    info->iterations += task->passes;
    if (status != LIE_OK) return 0;
    double left = sqrt(task->left);
    if (left > info->residual) info->residual = left;
    return 1;
}

/* The stages: by passes from the history; where that fails, without it; then by Newton's method. Where the last step
 * needed that a few passes must do. */
LIE_INLINE lie_status find_stages(embedded *w, embedded_call *c, lie_solve *info)
{
    static const contraction_trend unknown = {0.0625, 0.0};
    embedded_task *task = &w->task;
    const embedded_memory *known = w->memory;
    int is_slow = known->expected < 0.0;
    contraction_trend trend =
        known->expected > 0.0 ? (contraction_trend){known->contraction2, known->expected} : unknown;
    task->context = c;
    task->cap = is_slow && info->cap > FEW_PASSES ? FEW_PASSES : info->cap;
    if (passes_end(w, trend, info)) return LIE_OK;
    if (task->history > 0 && !is_slow) {
        task->history = 0;
        if (passes_end(w, unknown, info)) return LIE_OK;
    }
    task->trend = (contraction_trend){1.0, -1.0};
    lie_status status = lie__embedded_newton(task, w->run, w->kind, c->st->tableau, w->is_pair ? w->A_p : 0, &c->h,
                                             c->st->options.linear, w->newton, info);
    if (status == LIE_OK) return LIE_OK;
    lie_status why = embedded_refusal(c);
    return why == LIE_ERR_NO_CONVERGENCE && status == LIE_ERR_SINGULAR ? status : why;
}

LIE_INLINE void learn(embedded *w, int stages, int block, double h)
{
    embedded_memory *known = w->memory;
    int follows = known->h == h && known->from == 1.0 && known->history > 0.0;
    if (stages <= 2) {
        memcpy(w->older, w->newest, (size_t)block * sizeof(double));
        memcpy(w->newest, w->out, (size_t)block * sizeof(double));
    }
    known->history = follows && stages <= 2 ? 2.0 : 1.0;
    known->h = h, known->from = 1.0;
    known->contraction2 = w->task.trend.contraction2, known->expected = w->task.trend.expected;
    for (int c = 0; c < 4; c++) known->end[c] = w->task.y[c] + w->task.change.q[c];
}

LIE_INLINE lie_status substep_of(int size, lie_stepper *st, lie_place *at, double h, lie_solve *info)
{
    embedded *w = embedded_of(st);
    embedded_call c = {st, at, h, w->inverse, w->u, LIE_OK};
    scale(w, st->tableau, h);
    choose_guess(w, st->tableau, h);
    begin(size, w, at);
    if (w->kind == STAGE_VESSEL && st->system->form->thrust) thrust(st, w, at);
    lie_status status = find_stages(w, &c, info);
    if (status != LIE_OK) return status;
    learn(w, st->tableau->stages, block_of(st), h);
    if (!node_moves(size, w->is_pair, &w->task.change, w->task.y, at)) return LIE_ERR_NO_CONVERGENCE;
    return all_finite(size == 12 ? 6 : 3, at->m) && all_finite(size, at->g) ? LIE_OK : LIE_ERR_NOT_FINITE;
}

static lie_status substep_s3(lie_stepper *st, const lie_ops *G, lie_place *at, double h, lie_solve *info)
{
    (void)G;
    return substep_of(4, st, at, h, info);
}

static lie_status substep_so3(lie_stepper *st, const lie_ops *G, lie_place *at, double h, lie_solve *info)
{
    (void)G;
    return substep_of(9, st, at, h, info);
}

static lie_status substep_se3(lie_stepper *st, const lie_ops *G, lie_place *at, double h, lie_solve *info)
{
    (void)G;
    return substep_of(12, st, at, h, info);
}

static int doubles(const lie_stepper *st)
{
    int unknowns = st->tableau->stages * embedded_length(lie__stage_kind(st));
    return HEAD + lie__embedded_newton_doubles(unknowns) + st->system->controls;
}

/* The user may have changed the params of the system since the last run. */
static lie_status run(lie_stepper *st, lie_state *s, double h, long long n)
{
    lie__stage_form(&embedded_of(st)->task.form, embedded_of(st)->kind, st);
    return run_or_follow(st, st->group, take_steps, embedded_of(st)->substep, s, h, n);
}

/* I^-1 for half the velocity w, and the means of its diagonal blocks as units of the changes */
static void set_inverse(embedded_task *task, int n, const double *inverse)
{
    task->size[0] = task->size[1] = 1.0;
    if (!inverse) return;
    for (int i = 0; i < n * n; i++) task->inverse[i] = i < 3 * n ? 0.5 * inverse[i] : inverse[i];
    task->size[0] = (inverse[0] + inverse[n + 1]) + inverse[2 * (n + 1)];
    if (n == 6) task->size[1] = (inverse[21] + inverse[28]) + inverse[35];
}

static lie_status prepare(lie_stepper *st)
{
    embedded *w = embedded_of(st);
    double *slopes = st->memory + MEMORY, *next = st->work + HEAD;
    int s = st->tableau->stages, size = st->group->size;
    *w = (embedded){.memory = (embedded_memory *)st->memory, .is_pair = st->family == &lie__embedded_pair};
    if (w->is_pair) set_partner(w, st->tableau);
    w->kind = lie__stage_kind(st);
    w->by_passes = size == 4 ? substep_s3 : size == 9 ? substep_so3 : substep_se3;
    w->substep = lie__embedded_midpoint(st, w->kind);
    if (w->substep) w->midpoint = (midpoint_memory *)(slopes + kept_blocks(st) * block_of(st));
    if (!w->substep) w->substep = w->by_passes;
    w->newest = slopes, w->older = slopes + block_of(st);
    w->task.slopes = w->newest, w->task.older = w->older, w->task.out = s <= 2 ? w->out : w->newest;
    w->newton = next;
    next += lie__embedded_newton_doubles(s * embedded_length(w->kind));
    int n = st->group->dim;
    w->inverse = lie_stepper_inverse(st);
    w->u = next;
    lie_status status = st->family->tangent ? lie__embedded_halve(&w->halves, st->tableau) : LIE_OK;
    if (status != LIE_OK) return status;
    set_inverse(&w->task, n, w->inverse);
    usual_weights(w, st->tableau);
    w->task.ask = w->kind == STAGE_TURN || w->kind == STAGE_MOTION ? ask_all : ask_force;
    w->run = kernels[lie__stage_width(s)]->run[embedded_index(s, w->is_pair)][w->kind];
    st->run = run;
    return LIE_OK;
}

static int takes(const lie_ops *G)
{
    if (strcmp(G->group, "S3") == 0) return G->dim == 3 && G->size == 4;
    if (strcmp(G->group, "SO3") == 0) return G->dim == 3 && G->size == 9;
    return strcmp(G->group, "SE3") == 0 && G->dim == 6 && G->size == 12;
}

/* One stage whose equations were solved in three unknowns, on S3 or SO3: its slopes are those between the ends. */
static void slopes_of_ends(lie_stepper *st, const lie_place *from, const lie_place *to, double h)
{
    embedded *w = embedded_of(st);
    double y[EMBEDDED_PX];
    const double *at = w->task.y;
    const int stride = embedded_stride(1);
    if (st->group->size == 4)
        begin(4, w, from), copy_n(4, y, to->g);
    else
        begin(9, w, from), quat_of_rotation(y, to->g);
    double same = (y[0] * at[0] + y[1] * at[1]) + (y[2] * at[2] + y[3] * at[3]);
    for (int i = 0; i < 4 && same < 0.0; i++) y[i] = -y[i];
    quat_times(y + EMBEDDED_P, y, to->m);
    for (int c = 0; c < EMBEDDED_PX; c++) w->task.out[c * stride] = (y[c] - at[c]) / h;
}

static lie_status tangent(lie_stepper *st, const lie_place *from, const lie_place *to, double h, double *T,
                          double *work)
{
    embedded *w = embedded_of(st);
    if (w->midpoint && w->midpoint->known > 0.0) slopes_of_ends(st, from, to, h);
    const embedded_taken taken = {&w->task, &w->halves, embedded_length(w->kind), w->inverse, w->u};
    return lie__embedded_tangent(st, from, to, h, &taken, T, work);
}

static int tangent_doubles(const lie_stepper *st)
{
    return lie__embedded_tangent_doubles(st, embedded_length(lie__stage_kind(st)));
}

/* Other groups that lie in a flat space have no lanes; what does not lie in one that is known keeps the chart. */
static const lie_family *instead(const lie_stepper *st)
{
    if (takes(st->group)) return &lie__embedded;
    return lie__embedded_takes(st->group) ? &lie__embedded_general : &lie__vprk;
}

static const lie_family *pair_instead(const lie_stepper *st)
{
    return takes(st->group) ? &lie__embedded_pair : &lie__vprk;
}

const lie_family lie__embedded = {.instead = instead,
                                  .doubles = doubles,
                                  .prepare = prepare,
                                  .memory = memory,
                                  .again = again,
                                  .tangent = tangent,
                                  .tangent_doubles = tangent_doubles,
                                  .inverse = 1};

/* Lobatto IIIA-IIIB, 3 and 4 stages: the tableau of the method for q and x, its partner for the momenta */
const lie_family lie__embedded_pair = {
    .instead = pair_instead, .doubles = doubles, .prepare = prepare, .memory = memory, .again = again, .inverse = 1};
