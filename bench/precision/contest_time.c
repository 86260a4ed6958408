/* SPDX-License-Identifier: MIT */
/* contest_time.c: the times of all points of all contenders, in turn; see contest.h. A point is timed over the part of
 * the motion that its turns reach, from the start again after the last time of the contest. */
#include <math.h>
#include <stdlib.h>

#include "../bench.h"
#include "contest.h"

static const double useless_error = 1.0, shortest_run = 2e-3;

typedef struct timed {
    trial *run;
    double pass, until; /* simulated seconds */
    point *to;
} timed;

static void run_timed(void *ctx, long passes)
{
    timed *r = (timed *)ctx;
    double left = r->pass * (double)passes;
    while (left > 0.5 * r->pass) {
        if (trial_time(r->run) > r->until * (1.0 - 1e-9) && trial_restart(r->run) != LIE_OK) return;
        double span = fmin(left, r->until - trial_time(r->run));
        if (trial_advance(r->run, trial_time(r->run) + span) != LIE_OK && trial_restart(r->run) != LIE_OK) return;
        left -= span;
    }
}

/* A point whose result is of any use is worth timing. */
static int is_timed(const contest *c, const point *p)
{
    double first = errors_main(&c->reference, &p->at[0]);
    return p->status == LIE_OK && (first < useless_error || !c->reference.pointwise[0]);
}

/* A pass: sixteen steps, or a second. What would be over at once goes on beyond the last time. */
static int begin(const contest *c, const contender *by, point *p, timed *out)
{
    lie_status status;
    double T = c->reference.t[c->reference.times - 1];
    *out = (timed){.run = trial_open(by, &c->problem, p->knob, NULL, &status), .to = p};
    out->pass = by->adaptive ? fmin(1.0, T) : fmin(16.0, round(T / p->knob)) * p->knob;
    out->until = T * ceil(shortest_run / (p->seconds * T + 1e-9));
    return out->run != NULL;
}

static int begin_all(contest *c, timed *list, bench_contender *named)
{
    int n = 0;
    for (int i = 0; i < c->curves; i++)
        for (int k = 0; k < c->curve[i].points; k++) {
            point *p = &c->curve[i].point[k];
            if (!is_timed(c, p) || !begin(c, &c->curve[i].by, p, &list[n])) continue;
            named[n] = (bench_contender){c->curve[i].by.name, run_timed, &list[n], 1};
            n++;
        }
    return n;
}

static void finish(timed *r, const bench_result *found)
{
    r->to->ns = found->ns / r->pass;
    r->to->lower = found->lower / r->pass;
    r->to->upper = found->upper / r->pass;
    trial_close(r->run);
}

int contest_time(contest *c)
{
    size_t most = (size_t)c->curves * POINTS_MAX;
    bench_plan plan = {BENCH_CPU, c->plan.rounds, c->plan.round_ns, 1e12};
    timed *list = (timed *)calloc(most, sizeof *list);
    bench_contender *named = (bench_contender *)calloc(most, sizeof *named);
    bench_result *found = (bench_result *)calloc(most, sizeof *found);
    int n = list && named && found ? begin_all(c, list, named) : 0;
    int answer = list && named && found ? 0 : -1;
    if (n > 0) answer = bench_compare(named, n, &plan, found);
    for (int i = 0; i < n; i++) finish(&list[i], &found[i]);
    free(list);
    free(named);
    free(found);
    return answer;
}
