/* SPDX-License-Identifier: MIT */
/* contest.h: work and precision of many contenders on one problem, in one interleaved run.
 *
 * For every contender the knob goes down a ladder, from 256 times the problem's step (or the tolerance 1e-3) until the
 * error is below 1e-11, or does not fall any more (round-off), or a run would take longer than a limit. Then all points
 * of all contenders are timed in turn (bench.h), and evaluations are counted in runs that are not timed. */
#ifndef LIESTEP_BENCH_CONTEST_H
#define LIESTEP_BENCH_CONTEST_H

#include <math.h>

#include "contender.h"
#include "reference.h"

enum { POINTS_MAX = 40, TIMES_MAX = REFERENCE_TIMES_MAX, LEVELS = 4, KNOBS_MAX = 32 };

#define NOT_MEASURED ((double)NAN)

/* Of a state against the reference at the same time. NOT_MEASURED also where there is no such thing. */
typedef struct errors {
    double attitude; /* angle of g_ref^-1 g, rad */
    double position; /* m */
    double momentum; /* spatial momentum, relative to |momentum at the start| (angular and linear, the worse) */
    double energy;   /* relative to the kinetic energy at the start */
} errors;
errors errors_of(const problem *p, const reference *r, int k, const lie_state *s);
/* That of attitude, or of position where there is no attitude. */
double errors_main(const reference *r, const errors *e);

/* One contender with one value of its knob. */
typedef struct point {
    double knob;
    lie_status status;    /* of the run: where it is not LIE_OK, the rest is NaN */
    errors at[TIMES_MAX]; /* NaN where the run would have taken too long */
    double forces;        /* evaluations per simulated second; NaN: not counted */
    double derivatives;
    double ns, lower, upper; /* processor time per simulated second: median and quartiles; NaN: not timed */
    double seconds;          /* of a run of one simulated second, roughly */
} point;

typedef struct curve {
    contender by;
    int points;
    point point[POINTS_MAX];
} curve;

typedef struct contest_plan {
    double step; /* of the problem; the ladder begins at 256 times this */
    int steps;   /* or these steps */
    double step_list[KNOBS_MAX];
    int tolerances; /* and these tolerances */
    double tolerance_list[KNOBS_MAX];
    double limit;    /* s: longest trial */
    int points;      /* of a ladder, at most; 0: POINTS_MAX */
    int rounds;      /* of timing */
    double round_ns; /* a turn of one point */
} contest_plan;

typedef struct contest {
    problem problem;
    reference reference;
    contest_plan plan;
    int curves;
    curve *curve;
    void (*progress)(void *ctx, const char *what, int done, int of); /* or null */
    void *progress_ctx;
} contest;

/* The ladder of contender i, into c->curve[i]; then the times of all points. 0, or -1 without memory. */
void contest_sweep(contest *c, int i);
int contest_time(contest *c);

/* Cost (ns per simulated second) at which a contender reaches this error at time k: on the curve, log-log between
 * neighbouring knobs, or of the cheapest point that is better. NaN: it does not reach it. */
double contest_cost(const contest *c, int i, int k, double error);

/* The observed order: slope of the error at time k over the last points that are above 1e-9; NaN without two. */
double contest_order(const contest *c, int i, int k);

/* Best of liestep against best of the others at equal error. */
typedef struct verdict {
    double t, error;
    int ours, theirs; /* curves, or -1: nobody reaches it */
    double our_ns, their_ns, ratio;
    double target; /* of the ratio; 0: none */
} verdict;
extern const double contest_levels[LEVELS]; /* 1e-4, 1e-6, 1e-8, 1e-10 */
verdict contest_verdict(const contest *c, int k, double error);

/* The price of structure: the best of those that are symplectic and keep momentum against the best of all others, and
 * against the best of those that kept both before Gauss methods did so in the embedding: sv_kahanli8, split4,
 * split6. */
typedef struct keeping {
    double t, error;
    int best, other, former; /* curves, or -1: nobody reaches it */
    double best_ns, other_ns, former_ns, ratio, ratio_former;
    double target, target_former; /* of the ratios; 0: none */
} keeping;
keeping contest_keeping(const contest *c, int k, double error);

/* A straight line through means of blocks: its rise from end to end, and the standard error of that. */
typedef struct drift_trend {
    double rise, error;
} drift_trend;
drift_trend drift_trend_of(const double *x, int n);

/* Drift over a long run at one step. */
enum { DRIFT_SAMPLES = 100, DRIFT_SIGNIFICANT = 4 };
typedef struct drift {
    int measured; /* the run was made */
    lie_status status;
    double step;
    long long steps;
    int samples;                       /* blocks of the same length, each looked at 200 times at random */
    double t[DRIFT_SAMPLES];           /* end of the block */
    double energy[DRIFT_SAMPLES];      /* its largest error, relative to the kinetic energy at the start, */
    double energy_mean[DRIFT_SAMPLES]; /* its mean, signed */
    double momentum[DRIFT_SAMPLES];    /* the largest; on SE3 relative to |J| + |x||P|: the angular part is about */
                                       /* the origin, and known to the rounding of x only */
    double energy_max, momentum_max;   /* of the run */
    drift_trend energy_trend;
    int is_doubtful; /* a rise that is less than the oscillation was looked for again in a run of the same ... */
    drift_trend energy_again;                    /* ... length that goes on from there */
    double energy_range;                         /* of the error within a block, the largest */
    double energy_rounded;                       /* the largest sum of the terms of the energy, without their signs */
    double energy_round_off, momentum_round_off; /* rounding alone: 4 eps sqrt(substeps) times what is rounded */
} drift;
/* Contender i for `steps` steps of c->plan.step, or fewer if that takes longer than `limit` seconds, but no fewer than
 * a tenth. Energy and those components of momentum that the true motion conserves; NaN for what it does not. Fixed
 * steps only. */
void contest_drift(const contest *c, int i, long long steps, double limit, drift *out);

/* Does the energy drift: is the rise of the line more than round-off, and more than the whole oscillation within a
 * block, or more than 4 of its standard errors, and that in the same direction once more if it was looked for again? */
int drift_found(const drift *d);

/* What the descriptor claims of this system, and whether it held. Symplectic methods: no drift of the energy. Those
 * that conserve the energy, or the momentum: its largest error is round-off. The same for all, long runs and short. */
typedef enum drift_verdict { DRIFT_NO_CLAIM, DRIFT_HELD, DRIFT_BROKEN } drift_verdict;
typedef struct drift_claim {
    drift_verdict energy, momentum;
} drift_claim;
drift_claim drift_judge(const contest *c, const contender *by, const drift *d);

#endif
