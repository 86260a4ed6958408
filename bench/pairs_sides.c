/* SPDX-License-Identifier: MIT */
/* pairs_sides.c: one side of a pair of bench_pairs, ready to be run and timed; see pairs.h. */
#include "pairs.h"

#include <stdlib.h>
#include <string.h>

static void note(pair_side *side, lie_status status)
{
    if (side->status == LIE_OK) side->status = status;
}

static void *room_for(pair_side *side, size_t bytes)
{
    int at = 0;
    while (at < PAIR_MEMORIES - 1 && side->memory[at]) at++;
    side->memory[at] = bytes > 0 ? malloc(bytes) : NULL;
    if (!side->memory[at]) note(side, LIE_ERR_MEMORY);
    return side->memory[at];
}

/* PAIR_STEPS steps, in each way */

static void run_steps(pair_side *side)
{
    if (side->restarts) {
        lie_stepper_reset(side->st);
        side->s = side->start;
    }
    note(side, lie_run(side->st, &side->s, side->h, PAIR_STEPS));
}

static void run_ensemble(pair_side *side)
{
    for (int i = 0; i < PAIR_MEMBERS && side->restarts; i++) note(side, lie_ensemble_set(side->e, i, &side->start));
    note(side, lie_ensemble_run(side->e, PAIR_STEPS, NULL));
}

static void run_tangents(pair_side *side)
{
    void *work = side->memory[1];
    for (int i = 0; i < PAIR_STEPS && side->status == LIE_OK; i++)
        note(side, lie_step_tangent(side->st, &side->s, side->h, side->T, work, side->tangent_bytes));
}

static void run_section(pair_side *side)
{
    long long budget = PAIR_STEPS;
    lie_crossing crossing;
    while (budget > 0 && side->status == LIE_OK)
        note(side, lie_section_next(side->sec, &side->s, side->h, &budget, &crossing));
}

/* As the program does: the indicator follows in a run of its own. */
static void run_indicated(pair_side *side)
{
    run_section(side);
    note(side, lie_chaos_run(side->chaos, side->follower, &side->beside, side->h, PAIR_STEPS));
}

/* setting up */

static double first_momentum(const void *ctx, const lie_system *sys, double t, const double *g, const double *m)
{
    (void)ctx, (void)sys, (void)t, (void)g;
    return m[0];
}

static void open_ensemble(pair_side *side, int lanes)
{
    const lie_ensemble_options opt = {.step = side->how,
                                      .h = side->h,
                                      .u_minus = side->sys.controls > 0 ? pair_controls : NULL,
                                      .u_plus = side->sys.controls > 0 ? pair_controls : NULL,
                                      .lanes = lanes,
                                      .threads = 1};
    size_t bytes = lie_ensemble_memsize(&side->sys, 1, PAIR_MEMBERS, &opt);
    void *work = room_for(side, bytes);
    if (!work) return;
    note(side, lie_ensemble_init(&side->e, &side->sys, 1, PAIR_MEMBERS, &opt, work, bytes));
    for (int i = 0; i < PAIR_MEMBERS && side->status == LIE_OK; i++) {
        double g[LIE_SIZE_MAX], xi[LIE_DIM_MAX];
        lie_state s;
        side->sys.group->identity(side->sys.group, g);
        for (int k = 0; k < 6; k++) xi[k] = pair_velocity[k] * (1.0 + 0.0002 * (i + 10 * k));
        note(side, lie_state_set(&side->sys, &s, 0.0, g, xi));
        note(side, lie_ensemble_set(side->e, i, &s));
    }
}

static void open_stepper(pair_side *side, lie_stepper **st)
{
    size_t bytes = lie_stepper_memsize(&side->sys, &side->how);
    void *work = room_for(side, bytes > 0 ? bytes : sizeof(double));
    if (work) note(side, lie_stepper_init(st, &side->sys, &side->how, work, bytes));
    if (side->status == LIE_OK && side->sys.controls > 0) lie_stepper_control(*st, pair_controls, pair_controls);
}

static void open_section(pair_side *side)
{
    const lie_event event = {.value = first_momentum, .direction = 1};
    size_t bytes = lie_section_memsize(side->st);
    void *work = room_for(side, bytes);
    if (work) note(side, lie_section_init(&side->sec, side->st, &event, work, bytes));
}

static void open_chaos(pair_side *side)
{
    open_stepper(side, &side->follower);
    if (side->status != LIE_OK) return;
    size_t bytes = lie_chaos_memsize(side->st, 1);
    void *work = room_for(side, bytes);
    if (work) note(side, lie_chaos_init(&side->chaos, side->st, &side->s, 1, work, bytes));
    side->beside = side->s;
}

static void open_way(pair_side *side, pair_way way)
{
    static void (*const run[])(pair_side * side) = {run_steps,    run_steps,   run_ensemble, run_ensemble,
                                                    run_tangents, run_section, run_indicated};
    side->run = run[way];
    side->items = PAIR_STEPS;
    if (way == PAIR_ALONE || way == PAIR_LANES) {
        side->items *= PAIR_MEMBERS;
        open_ensemble(side, way == PAIR_LANES ? PAIR_LANE_COUNT : 1);
    } else if (way == PAIR_TANGENT) {
        side->tangent_bytes = lie_tangent_memsize(side->st);
        (void)room_for(side, side->tangent_bytes);
    } else if (way == PAIR_SECTION) {
        open_section(side);
    } else if (way == PAIR_INDICATED) {
        open_section(side);
        if (side->status == LIE_OK) open_chaos(side);
    }
}

void pair_open(pair_side *side, pair_way way, const char *method, const pair_body *body, double h)
{
    double g[LIE_SIZE_MAX];
    *side = (pair_side){.h = h, .restarts = body->is_forced};
    strncpy(side->method, method, sizeof side->method - 1);
    char *slash = strchr(side->method, '/'), *space = strchr(side->method, ' ');
    if (slash) *slash = 0;
    if (space) *space = 0;
    side->how = (lie_options){.method = side->method, .retraction = slash ? slash + 1 : "cay"};
    if (space) note(side, lie_tableau_find(&side->how.tableau, space + 1));
    note(side, body->make(&side->sys, body->group));
    if (side->status != LIE_OK) return;
    side->sys.group->identity(side->sys.group, g);
    note(side, lie_state_set(&side->sys, &side->start, 0.0, g, pair_velocity));
    side->s = side->start;
    open_stepper(side, &side->st);
    if (side->status == LIE_OK) open_way(side, way);
}

void pair_close(pair_side *side)
{
    for (int i = 0; i < PAIR_MEMORIES; i++) free(side->memory[i]);
    memset(side->memory, 0, sizeof side->memory);
}

static void run(void *ctx, long passes)
{
    pair_side *side = (pair_side *)ctx;
    for (long k = 0; k < passes && side->status == LIE_OK; k++) side->run(side);
}

bench_contender pair_contender(pair_side *side)
{
    return (bench_contender){side->method, run, side, side->items};
}

double pair_passes(const pair_side *side)
{
    double n = (double)side->s.steps;
    return n > 0.0 ? (double)lie_stepper_statistics(side->st)->iterations / n : 0.0;
}
