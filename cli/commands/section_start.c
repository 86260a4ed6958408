/* SPDX-License-Identifier: MIT */
/* section_start.c: where the orbits of a section start: momenta on the surface of the energy and of the other fixed
 * quantities, at random, on a grid of the picture, or near given ones; attitudes that of the scenario or at random. */
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "cli/base/interrupt.h"
#include "cli/base/phase.h"
#include "cli/base/random.h"
#include "cli/commands/section.h"

enum { ATTITUDES = 200, TRIES = 100 };

/* An expression that shall have a value. */
typedef struct target {
    const expression *e;
    double value;
} target;

static double target_event(const void *ctx, const lie_system *sys, double t, const double *g, const double *m)
{
    const target *a = (const target *)ctx;
    (void)sys;
    /* a search in vain is long: it ends soon once a signal has come, when nobody wants what it finds */
    if (interrupt_caught()) return (double)NAN;
    return expression_value(a->e, t, g, m) - a->value;
}

static lie_surface surface_of(const section_panel *p)
{
    return (lie_surface){.system = &p->s->system,
                         .has_energy = p->plan->has_energy,
                         .energy = p->plan->energy,
                         .more = p->fixed,
                         .count = p->plan->fixed};
}

static void turn(const section_panel *p, random_numbers *r, double *g)
{
    double q[4];
    random_quaternion(r, q);
    if (strcmp(p->s->group, "S3") == 0)
        memcpy(g, q, sizeof q);
    else
        lie_quat_to_matrix(g, q);
}

/* Not every attitude has a momentum on the surface: the potential may be above the energy. */
static lie_status turned(const section_panel *p, const lie_surface *S, long long orbit, lie_state *s)
{
    random_numbers r = random_begin(p->plan->seed, (unsigned long long)orbit);
    lie_status status = LIE_ERR_NO_CONVERGENCE;
    for (int i = 0; i < ATTITUDES && status != LIE_OK; i++) {
        unsigned long long index = (unsigned long long)orbit * ATTITUDES + (unsigned long long)i;
        turn(p, &r, s->g);
        status = lie_surface_sample(S, s, p->plan->seed, index, 4);
    }
    return status;
}

/* The point of a grid in its column and row, from the lower left; the section's own surface included. */
static lie_status on_grid(const section_panel *p, const lie_surface *S, long long orbit, lie_state *s)
{
    const section_plan *plan = p->plan;
    lie_event more[SECTION_FIXED + 3];
    target at[2];
    lie_surface all = *S;
    long long place[2] = {orbit % plan->columns, orbit / plan->columns};
    const int count[2] = {plan->columns, plan->rows};
    memcpy(more, p->fixed, (size_t)plan->fixed * sizeof *more);
    for (int i = 0; i < 2; i++) {
        double share = count[i] > 1 ? (double)place[i] / (double)(count[i] - 1) : 0.5;
        at[i] = (target){i == 0 ? &plan->x : &plan->y,
                         plan->grid[2 * i] + share * (plan->grid[2 * i + 1] - plan->grid[2 * i])};
        more[plan->fixed + i] = (lie_event){.value = target_event, .ctx = &at[i]};
    }
    more[plan->fixed + 2] = p->event;
    all.more = more;
    all.count = plan->fixed + 3;
    lie_status status = lie_surface_sample(&all, s, plan->seed, (unsigned long long)orbit, TRIES);
    return status == LIE_ERR_NO_CONVERGENCE ? LIE_STOPPED : status;
}

static lie_status start_on(const section_panel *p, const lie_surface *S, long long orbit, lie_state *out)
{
    const section_plan *plan = p->plan;
    lie_state s = p->s->start;
    int dim = p->s->system.group->dim;
    lie_status status;
    if (plan->columns > 0) {
        status = on_grid(p, S, orbit, &s);
    } else if (plan->momenta) {
        memcpy(s.m, plan->momenta + orbit * dim, (size_t)dim * sizeof *s.m);
        status = S->has_energy || S->count > 0 ? lie_surface_move(S, &s) : LIE_OK;
    } else if (plan->random_attitudes) {
        status = turned(p, S, orbit, &s);
    } else {
        status = lie_surface_sample(S, &s, plan->seed, (unsigned long long)orbit, TRIES);
    }
    if (status == LIE_OK) *out = s;
    return status;
}

/* On the section, too, where that can be: so no orbit is wasted that never gets there. */
lie_status section_start(const section_panel *p, long long orbit, lie_state *out)
{
    const section_plan *plan = p->plan;
    lie_surface S = surface_of(p);
    int dim = p->s->system.group->dim;
    if (!plan->momenta && plan->columns == 0 && S.has_energy + S.count < dim) S.event = &p->event;
    lie_status status = start_on(p, &S, orbit, out);
    if (status == LIE_OK || !S.event) return status;
    S.event = 0;
    return start_on(p, &S, orbit, out);
}

/* Is there any start? The orbits are shared out: search i looks at every PARTS-th. */
enum { PARTS = 64, RANDOM_TRIED = 9 };
typedef struct search {
    const section_panel *p;
    long long orbits;
    atomic_int found;
} search;

static cli_exit search_part(void *ctx, int i)
{
    search *a = (search *)ctx;
    cli_exit code = EXIT_FINE;
    lie_state s;
    for (long long k = i; k < a->orbits && code == EXIT_FINE && !atomic_load(&a->found); k += PARTS) {
        if (section_start(a->p, k, &s) == LIE_OK) atomic_store(&a->found, 1);
        code = phase_add(1.0);
    }
    return code;
}

cli_exit section_start_problem(const section *s, const section_panel *p, char *out, size_t n)
{
    const section_plan *plan = p->plan;
    double rest[LIE_DIM_MAX] = {0.0}, least = lie_system_energy(&p->s->system, p->s->start.g, rest);
    search a = {.p = p, .orbits = plan->columns == 0 && plan->orbits > RANDOM_TRIED ? RANDOM_TRIED : plan->orbits};
    out[0] = '\0';
    if (!plan->momenta && !plan->has_energy && plan->fixed == 0) {
        snprintf(out, n, "section.energy: is missing; random orbits need an energy, or give section.momenta");
        return EXIT_FINE;
    }
    phase_begin("a start is looked for", (double)a.orbits, s->job.options->quiet);
    cli_exit code = team_each(&s->team, PARTS, search_part, &a);
    phase_end();
    if (code != EXIT_FINE || atomic_load(&a.found)) return code;
    if (plan->has_energy && !plan->random_attitudes && plan->energy < least)
        snprintf(out, n, "section.energy: no orbit has the energy %g J: with the attitude of start it is %g J at rest",
                 plan->energy, least);
    else
        snprintf(out, n, "section: no orbit was found on the surface of%s%s%s%s: it is empty, or hard to reach",
                 plan->has_energy ? " section.energy" : "", plan->has_energy && plan->fixed > 0 ? " and" : "",
                 plan->fixed > 0 ? " section.fixed" : "", plan->columns > 0 ? " anywhere on section.grid" : "");
    return EXIT_FINE;
}
