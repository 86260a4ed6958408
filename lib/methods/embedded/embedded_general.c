/* SPDX-License-Identifier: MIT */
/* embedded_general.c: Gauss methods in the embedding of S3, SO3, SE3, SE2, R^n, groups g^T J g = J, and products of
 * these.
 *
 * A group is a list of leaves (embedded_leaf.h), each with a flat space around it, y all of their coordinates one
 * behind the other. What couples the leaves comes from the system: velocities of all momenta, forces of all elements.
 *
 *     Y_i = y + h sum_j a_ij f(Y_j),    y+ = y + h sum_i b_i f(Y_i)
 *
 * Preserved: in each leaf a quadratic invariant that makes it the group, whatever velocity and force are; hence the
 * symplectic form of T*G, all of the step being symplectic around it; and the spatial momentum, which is bilinear in
 * each leaf, up to the spatial impulses. Self-adjoint at every order, 2 s. No chart, no retraction. docs/METHODS.md.
 *
 * Cost: passes over all stages to rounding, one after the other, the velocity and force of the system at each stage.
 * The first guess continues the polynomial of the last step through as many of its slopes as the memory of a stepper
 * holds: all of those of one to four stages in up to 78 coordinates; on large groups those of the last stages alone,
 * a polynomial of a lower degree. What passes do not settle takes Newton's method, up to NEWTON_MOST unknowns: beyond,
 * its Jacobian would be longer than 2 MB, and steps that long fail.
 *
 * References: those of embedded.c. */
#include "lib/methods/embedded/embedded_answer.h"
#include "lib/methods/embedded/embedded_end.h"
#include "lib/methods/embedded/embedded_leaf.h"
#include "lib/methods/embedded/embedded_newton.h"
#include "lib/methods/embedded/embedded_weights.h"
#include "lib/methods/factors.h"
#include "lib/methods/families.h"

enum { STAGES = EMBEDDED_STAGES_MAX, FEW_PASSES = 12, NEWTON_MOST = 512 };

/* What is remembered: doubles, in front of the points that the last step led to where there are two of them, and of the
 * slopes. */
typedef struct general_memory {
    double history;                /* steps whose slopes are known: 0, 1, 2 */
    double h;                      /* of the last one, */
    double from;                   /* where it began: 1, a step before the node; 0, at the node (again) */
    double contraction2, expected; /* of contraction_trend */
} general_memory;

/* Sizes that follow from the group and the tableau. */
typedef struct general_sizes {
    int stages, dim, size, leaves, rows;
    int signs;        /* coordinates of points with two signs */
    int kept, blocks; /* slopes of a step in the memory, and steps */
    int newton;       /* doubles, 0: too many unknowns */
} general_sizes;

/* In the work, followed by its arrays. */
typedef struct general {
    general_sizes n;
    embedded_leaf leaf[LIE_DIM_MAX];
    flat_row *row;
    int parts;
    double h, ratio, from; /* of the weights below */
    int both;
    double hA[STAGES * STAGES], hb[STAGES], hb_low[STAGES], hc[STAGES];
    double newer[STAGES * STAGES], older[STAGES * STAGES]; /* weights of the slopes in the guess, times h */
    double *y, *Y, *K, *g, *F;                             /* the node; of the stages */
    const double *inverse;                                 /* null for a general Lagrangian */
    double *u, *end, *slopes, *newton;
    general_memory *memory;
    contraction_trend trend;
    embedded_call call;
    int passes;
    double left;
} general;

enum {
    HEAD = (sizeof(general) + sizeof(double) - 1) / sizeof(double),
    MEMORY = sizeof(general_memory) / sizeof(double)
};

static general *of(const lie_stepper *st)
{
    return (general *)st->work;
}

/* Sizes */

/* The leaves of the group, in the order of its coordinates; 0 where one is none. */
static int leaves_in(const lie_ops *G, embedded_leaf *leaf)
{
    const lie_ops *list[LIE_DIM_MAX];
    int count = lie__factors(G, list);
    embedded_leaf next = {0};
    for (int k = 0; k < count; k++) {
        next.G = list[k], next.kind = lie__embedded_leaf_of(list[k]);
        if (!next.kind) return 0;
        leaf[k] = next;
        next.g += list[k]->size, next.m += list[k]->dim, next.y += next.kind->rows(list[k]);
    }
    return count;
}

static general_sizes sizes_of(const lie_stepper *st, embedded_leaf *leaf)
{
    general_sizes n = {.stages = st->tableau->stages, .dim = st->group->dim, .size = st->group->size};
    n.leaves = leaves_in(st->group, leaf);
    for (int k = 0; k < n.leaves; k++) {
        n.rows += leaf[k].kind->rows(leaf[k].G);
        n.signs += leaf[k].kind->signs;
    }
    int room = n.rows > 0 ? (LIE_MEMORY_MAX - MEMORY - n.signs) / n.rows : 0;
    n.kept = room < n.stages ? room : n.stages;
    n.blocks = n.stages <= 2 && room >= 2 * n.stages ? 2 : 1;
    if (n.stages * n.rows <= NEWTON_MOST) n.newton = lie__embedded_newton_doubles(n.stages * n.rows);
    return n;
}

static int memory(const lie_stepper *st)
{
    embedded_leaf leaf[LIE_DIM_MAX];
    general_sizes n = sizes_of(st, leaf);
    return MEMORY + n.signs + n.blocks * n.kept * n.rows;
}

static int row_doubles(const general_sizes *n)
{
    return (int)((sizeof(flat_row) * (size_t)n->rows + sizeof(double) - 1) / sizeof(double));
}

static int doubles(const lie_stepper *st)
{
    embedded_leaf leaf[LIE_DIM_MAX];
    general_sizes n = sizes_of(st, leaf);
    int per_stage = 2 * n.rows + n.size + n.dim;
    return HEAD + row_doubles(&n) + n.rows + n.stages * per_stage + st->system->controls + n.newton;
}

static void again(lie_stepper *st, const lie_state *s)
{
    general_memory *known = of(st)->memory;
    (void)s;
    known->from = 0.0;
    if (known->history > 1.0) known->history = 1.0;
}

/* Rates */

/* K_i = f(Y_i) of one stage; elements and forces are kept for the end of the step */
static lie_status stage_rates(general *w, int i)
{
    const general_sizes *n = &w->n;
    double m[LIE_DIM_MAX], xi[LIE_DIM_MAX];
    double *g = w->g + i * n->size, *F = w->F + i * n->dim, *K = w->K + i * n->rows;
    const double *Y = w->Y + i * n->rows;
    lie_status status = LIE_OK;
    for (int k = 0; k < n->leaves && status == LIE_OK; k++) {
        const embedded_leaf *L = &w->leaf[k];
        status = L->kind->seen(L, g + L->g, m + L->m, Y + L->y, w->call.at);
    }
    if (status == LIE_OK) status = embedded_answer(&w->call, w->call.st->tableau->c[i], xi, F, g, m);
    for (int k = 0; k < n->leaves && status == LIE_OK; k++) {
        const embedded_leaf *L = &w->leaf[k];
        status = L->kind->rate(L, K + L->y, Y + L->y, g + L->g, m + L->m, xi + L->m, F + L->m);
    }
    return status;
}

static lie_status rates(void *context)
{
    general *w = (general *)context;
    for (int i = 0; i < w->n.stages; i++) {
        lie_status status = stage_rates(w, i);
        if (status != LIE_OK) return status;
    }
    return LIE_OK;
}

/* Y_i += sum_j weights_ij K_j */
static void add_weighted(const general_sizes *n, double *Y, int count, const double *weights, const double *K)
{
    for (int i = 0; i < n->stages; i++)
        for (int j = 0; j < count; j++) {
            const double a = weights[i * count + j], *slope = K + j * n->rows;
            double *to = Y + i * n->rows;
            for (int c = 0; c < n->rows; c++) to[c] += a * slope[c];
        }
}

/* Guess */

/* hA, hb and hc, where h has changed */
static void scale(general *w, const lie_tableau *tab, double h)
{
    int s = tab->stages;
    if (h == w->h) return;
    for (int k = 0; k < s * s; k++) w->hA[k] = h * tab->A[k];
    for (int i = 0; i < s; i++) w->hc[i] = h * tab->c[i];
    lie__embedded_scale_weights(w->hb, w->hb_low, tab, h);
    w->h = h;
    w->ratio = 0.0;
}

/* Weights of a guess from what the memory has: the last two steps, if they were as long as this one; the last one, if
 * this one does not go far beyond it. Answers from how many. */
static int choose_guess(general *w, const lie_tableau *tab, double h)
{
    const general_memory *known = w->memory;
    int s = tab->stages, kept = w->n.kept;
    double ratio = known->history > 0.0 ? h / known->h : 0.0, nodes[2 * STAGES];
    if (kept == 0 || ratio == 0.0 || fabs(ratio) > 1.25) return 0;
    int both = known->history > 1.0 && ratio == 1.0 && known->from == 1.0;
    if (ratio == w->ratio && known->from == w->from && both == w->both) return both ? 2 : 1;
    for (int j = 0; j < kept; j++) nodes[j] = tab->c[s - kept + j], nodes[kept + j] = nodes[j] - 1.0;
    lie__embedded_guess_weights(w->newer, tab, both ? 2 * kept : kept, nodes, 0, kept, ratio, known->from);
    if (both) lie__embedded_guess_weights(w->older, tab, 2 * kept, nodes, kept, kept, ratio, known->from);
    for (int k = 0; k < s * kept; k++) w->newer[k] *= h, w->older[k] *= h;
    w->ratio = ratio, w->from = known->from, w->both = both;
    return both ? 2 : 1;
}

/* Y = y and what the last steps say of the change, or h c_i f(y) */
static lie_status guess(general *w, int history)
{
    const general_sizes *n = &w->n;
    for (int i = 0; i < n->stages; i++) copy_n(n->rows, w->Y + i * n->rows, w->y);
    if (history > 0) add_weighted(n, w->Y, n->kept, w->newer, w->slopes);
    if (history > 1) add_weighted(n, w->Y, n->kept, w->older, w->slopes + n->kept * n->rows);
    if (history > 0) return LIE_OK;
    lie_status status = rates(w);
    for (int i = 0; i < n->stages && status == LIE_OK; i++)
        for (int c = 0; c < n->rows; c++) w->Y[i * n->rows + c] += w->hc[i] * w->K[i * n->rows + c];
    return status;
}

/* Passes */

/* Squares of the changes in each part of y, and of its size. */
typedef struct general_change {
    double moved[2 * LIE_DIM_MAX], size[2 * LIE_DIM_MAX];
    int is_momentum[2 * LIE_DIM_MAX];
} general_change;

/* What one coordinate adds where it changes by d to y */
static void count_change(general_change *sum, const flat_row *row, double over_h2, double d, double y)
{
    double weight = row->role == FLAT_PLACE ? over_h2 / row->weight : row->weight;
    sum->moved[row->part] += weight * (d * d);
    if (row->role != FLAT_PLACE) sum->size[row->part] += weight * (y * y);
    if (row->role == FLAT_MOMENTUM) sum->is_momentum[row->part] = 1;
}

/* Relative to the size of their parts, a momentum at least to 2^-14 of all of them: what that is of the momenta of the
 * others is their rounding. */
static double whole_change(const general *w, const general_change *sum)
{
    double energy = 0.0, change = 0.0;
    for (int k = 0; k < w->parts; k++) energy += sum->is_momentum[k] ? sum->size[k] : 0.0;
    for (int k = 0; k < w->parts; k++) {
        double size = sum->size[k] + (sum->is_momentum[k] ? 0x1p-28 * energy : 0.0);
        change += sum->moved[k] == 0.0 ? 0.0 : sum->moved[k] / size;
    }
    return w->n.stages * change;
}

/* Y = y + h A K, and the square of what that changes */
static double renew(general *w)
{
    const general_sizes *n = &w->n;
    double next[2 * LIE_SIZE_MAX], over_h2 = 1.0 / (w->h * w->h);
    general_change sum = {{0.0}, {0.0}, {0}};
    for (int i = 0; i < n->stages; i++) {
        double *Y = w->Y + i * n->rows;
        const general_sizes one = {.stages = 1, .rows = n->rows};
        copy_n(n->rows, next, w->y);
        add_weighted(&one, next, n->stages, w->hA + i * n->stages, w->K);
        for (int c = 0; c < n->rows; c++) {
            count_change(&sum, &w->row[c], over_h2, next[c] - Y[c], next[c]);
            Y[c] = next[c];
        }
    }
    return whole_change(w, &sum);
}

/* Passes from this guess to the end, and the last evaluation. What is left: the last change times the contraction. */
static lie_status pass(general *w, int history, int cap)
{
    contraction_course now = CONTRACTION_START;
    w->passes = 0, w->left = HUGE_VAL;
    lie_status status = guess(w, history);
    for (int is_last = 0, n = 1; status == LIE_OK && !is_last; n++) {
        status = rates(w);
        if (status != LIE_OK) return status;
        double d2 = renew(w);
        if (n >= w->trend.expected - 2.0) is_last = contraction_settles(&w->trend, &now, d2);
        w->passes = n + 1, w->left = d2 * w->trend.contraction2;
        if (!is_last && (n >= cap || !(d2 < 1e6))) return LIE_ERR_NO_CONVERGENCE;
    }
    w->trend.expected = w->passes;
    return status == LIE_OK ? rates(w) : status;
}

/* Newton's method */

/* Of a direction its length, of a momentum that of the energy of the node with what its rates add to it in a step */
static void set_units(void *context, double *unit)
{
    const general *w = (const general *)context;
    double energy = 0.0, length[2 * LIE_DIM_MAX] = {0.0};
    for (int c = 0; c < w->n.rows; c++) {
        const flat_row *row = &w->row[c];
        double impulse = w->h * w->K[c], y2 = w->y[c] * w->y[c];
        if (row->role == FLAT_MOMENTUM) energy += row->weight * (y2 + impulse * impulse);
        if (row->role == FLAT_DIRECTION) length[row->part] += y2;
    }
    if (!(energy > 0.0)) energy = 1.0;
    for (int c = 0; c < w->n.rows; c++) {
        const flat_row *row = &w->row[c];
        unit[c] = row->role == FLAT_DIRECTION  ? sqrt(length[row->part])
                  : row->role == FLAT_MOMENTUM ? sqrt(energy / row->weight)
                                               : fabs(w->h) * sqrt(energy * row->weight);
    }
}

static lie_status take_newton(general *w, lie_solve *info)
{
    const lie_stepper *st = w->call.st;
    const embedded_equations E = {.length = w->n.rows,
                                  .tab = st->tableau,
                                  .linear = st->options.linear,
                                  .h = &w->call.h,
                                  .y = w->y,
                                  .Y = w->Y,
                                  .K = w->K,
                                  .value_row = 1,
                                  .value_stage = w->n.rows,
                                  .slope_row = 1,
                                  .slope_stage = w->n.rows,
                                  .evaluate = rates,
                                  .set_units = set_units,
                                  .context = w};
    w->trend = (contraction_trend){1.0, -1.0};
    return w->n.newton > 0 ? lie__embedded_newton_solve(&E, w->newton, info) : LIE_ERR_NO_CONVERGENCE;
}

/* A step */

/* Passes with what is known of the convergence; false where they do not end. */
static int passes_end(general *w, int history, contraction_trend trend, int cap, lie_solve *info)
{
    w->trend = trend;
    lie_status status = pass(w, history, cap);
    info->iterations += w->passes;
    if (status != LIE_OK) return 0;
    double left = sqrt(w->left);
    if (left > info->residual) info->residual = left;
    return 1;
}

/* The stages: by passes from the history; where that fails, without it; then by Newton's method. Where the last step
 * needed that a few passes must do. */
static lie_status find_stages(general *w, int history, lie_solve *info)
{
    static const contraction_trend unknown = {0.0625, 0.0};
    const general_memory *known = w->memory;
    int is_slow = known->expected < 0.0, cap = is_slow && info->cap > FEW_PASSES ? FEW_PASSES : info->cap;
    contraction_trend trend = {known->contraction2, known->expected};
    if (passes_end(w, history, known->history > 0.0 && !is_slow ? trend : unknown, cap, info)) return LIE_OK;
    if (history > 0 && !is_slow && passes_end(w, 0, unknown, cap, info)) return LIE_OK;
    lie_status status = take_newton(w, info);
    if (status == LIE_OK) return LIE_OK;
    lie_status why = embedded_refusal(&w->call);
    return why == LIE_ERR_NO_CONVERGENCE && status == LIE_ERR_SINGULAR ? status : why;
}

static void learn(general *w, double h)
{
    const general_sizes *n = &w->n;
    general_memory *known = w->memory;
    size_t block = (size_t)n->kept * (size_t)n->rows;
    int follows = known->h == h && known->from == 1.0 && known->history > 0.0;
    if (n->blocks == 2) memcpy(w->slopes + block, w->slopes, block * sizeof(double));
    memcpy(w->slopes, w->K + (n->stages - n->kept) * n->rows, block * sizeof(double));
    known->history = follows && n->blocks == 2 ? 2.0 : 1.0;
    known->h = h, known->from = 1.0;
    known->contraction2 = w->trend.contraction2, known->expected = w->trend.expected;
    double *end = w->end;
    for (int k = 0; k < n->leaves; k++)
        for (int c = w->leaf[k].y; c < w->leaf[k].y + w->leaf[k].kind->signs; c++) {
            *end = w->y[c];
            for (int i = 0; i < n->stages; i++) *end += w->hb[i] * w->K[i * n->rows + c];
            end++;
        }
}

static lie_status substep(lie_stepper *st, const lie_ops *G, lie_place *at, double h, lie_solve *info)
{
    general *w = of(st);
    w->call = (embedded_call){st, at, h, w->inverse, w->u, LIE_OK};
    scale(w, st->tableau, h);
    int history = choose_guess(w, st->tableau, h);
    for (int k = 0, from = 0; k < w->n.leaves; k++) {
        w->leaf[k].kind->begin(&w->leaf[k], w->y + w->leaf[k].y, at, w->end + from);
        from += w->leaf[k].kind->signs;
    }
    lie_status status = find_stages(w, history, info);
    if (status != LIE_OK) return status;
    learn(w, h);
    const flat_step S = {w->n.stages, w->n.rows, w->n.size, w->n.dim, w->hb, w->hb_low, w->y, w->Y, w->K, w->g, w->F};
    for (int k = 0; k < w->n.leaves; k++)
        if (!w->leaf[k].kind->end(&w->leaf[k], &S, at)) return LIE_ERR_NO_CONVERGENCE;
    return all_finite(G->dim, at->m) && all_finite(G->size, at->g) ? LIE_OK : LIE_ERR_NOT_FINITE;
}

/* The arrays behind the struct */
static void lay_out(general *w, const lie_stepper *st)
{
    const general_sizes *n = &w->n;
    double *next = st->work + HEAD;
    w->row = (flat_row *)(void *)next, next += row_doubles(n);
    w->y = next, next += n->rows;
    w->Y = next, next += n->stages * n->rows;
    w->K = next, next += n->stages * n->rows;
    w->g = next, next += n->stages * n->size;
    w->F = next, next += n->stages * n->dim;
    w->inverse = lie_stepper_inverse(st);
    w->u = next, next += st->system->controls;
    w->newton = next;
    w->memory = (general_memory *)(void *)st->memory;
    w->end = st->memory + MEMORY;
    w->slopes = w->end + n->signs;
}

static lie_status prepare(lie_stepper *st)
{
    general *w = of(st);
    *w = (general){.h = 0.0};
    w->n = sizes_of(st, w->leaf);
    lay_out(w, st);
    flat_rows rows = {.row = w->row, .inverse = w->inverse, .n = w->n.dim};
    for (int k = 0; k < w->n.leaves; k++) w->leaf[k].kind->describe(&w->leaf[k], &rows);
    w->parts = rows.parts;
    return LIE_OK;
}

int lie__embedded_takes(const lie_ops *G)
{
    embedded_leaf leaf[LIE_DIM_MAX];
    return leaves_in(G, leaf) > 0;
}

const lie_family lie__embedded_general = {
    .substep = substep, .doubles = doubles, .prepare = prepare, .memory = memory, .again = again, .inverse = 1};
