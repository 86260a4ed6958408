/* SPDX-License-Identifier: MIT */
/* accuracy.c: see accuracy.h. Estimates come from estimate.h of the library; the runs they need are made here, in
 * chunks, so that Ctrl-C and the progress line work. */
#include "cli/work/accuracy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double patience = 10.0; /* s */
enum { RUNGS = 20 };
static const long long divided_most = 1000000;

/* A stepper of its own, and how far all runs are. */
typedef struct trial {
    const scenario *s;
    lie_stepper *st;
    void *work;
    progress progress;
    long long done, chunk;
    int interrupted;
} trial;

static lie_status trial_begin(trial *t, const scenario *s, long long steps, int quiet)
{
    size_t bytes = lie_stepper_memsize(&s->system, &s->options);
    *t = (trial){.s = s, .work = calloc(1, bytes ? bytes : 1), .chunk = 64};
    lie_status status = t->work ? lie_stepper_init(&t->st, &s->system, &s->options, t->work, bytes) : LIE_ERR_MEMORY;
    if (status == LIE_OK) lie_stepper_control(t->st, s->u, s->u);
    progress_begin(&t->progress, 0, steps, quiet);
    return status;
}

static void trial_end(trial *t)
{
    progress_clear(&t->progress);
    free(t->work);
}

/* n steps of h from the start. LIE_STOPPED after a signal. */
static lie_status trial_run(trial *t, lie_state *end, double h, long long n)
{
    double looked = progress_clock();
    *end = t->s->start;
    lie_stepper_reset(t->st);
    while (n > 0) {
        long long chunk = n < t->chunk ? n : t->chunk;
        lie_status status = lie_run(t->st, end, h, chunk);
        if (status != LIE_OK) return status;
        n -= chunk, t->done += chunk;
        double now = progress_clock();
        t->chunk = now - looked < 0.025 ? 2 * t->chunk : now - looked > 0.1 && t->chunk > 1 ? t->chunk / 2 : t->chunk;
        looked = now;
        progress_show(&t->progress, t->done, now);
        if (interrupt_caught()) {
            t->interrupted = 1;
            return LIE_STOPPED;
        }
    }
    return LIE_OK;
}

/* The end by step control */
static lie_status trial_adapt(trial *t, lie_state *end, double tolerance)
{
    lie_adaptive *a;
    size_t bytes = lie_adaptive_memsize(t->st);
    void *work = malloc(bytes);
    lie_status status =
        lie_adaptive_init(&a, t->st, &(lie_tolerance){.absolute = tolerance, .relative = tolerance}, work, bytes);
    *end = t->s->start;
    for (long long i = 0; i < t->s->steps && status == LIE_OK; i++) {
        status = lie_adaptive_run(a, end, t->s->start.t + t->s->step * (double)(i + 1));
        progress_show(&t->progress, ++t->done, progress_clock());
        if (status == LIE_OK && interrupt_caught()) status = LIE_STOPPED;
    }
    free(work);
    return status;
}

/* Of the run with h: the other runs, and what they tell. end null: that run, too. */
static lie_status trial_estimate(trial *t, lie_estimate *e, double h, long long n, const lie_state *end)
{
    lie_state middle, fine, coarse;
    int has_coarse = 0;
    lie_status status = end ? LIE_OK : trial_run(t, &middle, h, n);
    if (status == LIE_OK) status = trial_run(t, &fine, 0.5 * h, 2 * n);
    if (status == LIE_OK && n % 2 == 0) has_coarse = trial_run(t, &coarse, 2.0 * h, n / 2) == LIE_OK;
    if (t->interrupted) return LIE_STOPPED;
    if (status != LIE_OK) return status;
    return lie_estimate_from(e, t->st, h, n, end ? end : &middle, &fine, has_coarse ? &coarse : NULL);
}

/* Is number i of the algebra a length, or its rate? */
static int is_length(const scenario *s, int i)
{
    int angular = strcmp(s->system.group->group, "R") == 0 ? 0 : 3;
    return i >= angular;
}

static double norm_of(const scenario *s, const double *x, int lengths)
{
    double sum = 0.0;
    for (int i = 0; i < s->system.group->dim; i++)
        if (is_length(s, i) == lengths) sum += x[i] * x[i];
    return sqrt(sum);
}

/* "attitude 1.2e-07 rad, angular velocity 1e-08 rad/s", and "place 3e-08 m, velocity 2e-09 m/s" */
static void list_errors(char *out, size_t size, const scenario *s, const lie_estimate *e)
{
    int turns = !is_length(s, 0), moves = is_length(s, s->system.group->dim - 1), n = 0;
    if (turns)
        n = snprintf(out, size, "attitude %.1e rad, angular velocity %.1e rad/s", norm_of(s, e->place, 0),
                     norm_of(s, e->velocity, 0));
    if (moves)
        snprintf(out + n, size - (size_t)n, "%splace %.1e m, velocity %.1e m/s", turns ? ", " : "",
                 norm_of(s, e->place, 1), norm_of(s, e->velocity, 1));
}

/* What the numbers rest on. */
static void tell_trust(char *out, size_t size, const lie_estimate *e, int order)
{
    switch (e->trust) {
    case LIE_TRUST_ORDER:
        snprintf(out, size, "estimated from runs with half and twice the step, which differ as order %.1f does",
                 e->order);
        break;
    case LIE_TRUST_ROUNDING:
        snprintf(out, size, "a run with half the step differs by no more: round-off, %.0e or so", e->rounding);
        break;
    case LIE_TRUST_SLOW:
        snprintf(out, size, "estimated, within a factor of three: runs differ as order %.1f, not %d", e->order, order);
        break;
    case LIE_TRUST_NONE:
        snprintf(out, size,
                 "not to be relied on: half the step is no nearer; the step is too long, or the motion chaotic");
        break;
    default:
        snprintf(out, size, "estimated from a run with half the step; nothing to check it by");
    }
}

/* With a tolerance: the end with a tenth of it is taken for exact. */
static lie_status estimate_tolerance(trial *t, lie_estimate *e, const lie_state *end)
{
    lie_state fine;
    lie_status status = trial_adapt(t, &fine, 0.1 * t->s->tolerance);
    *e = (lie_estimate){.trust = LIE_TRUST_UNCHECKED};
    return status == LIE_OK ? lie_state_difference(&t->s->system, e->place, e->velocity, end, &fine) : status;
}

void accuracy_estimate(char text[ACCURACY_TEXT], const scenario *s, const job_options *o, const lie_state *end,
                       double seconds)
{
    trial t;
    lie_estimate e;
    char errors[160], trust[160];
    double needed = (s->tolerance > 0.0 ? 1.5 : 2.5) * seconds;
    if (needed > patience && !o->estimate) {
        snprintf(text, ACCURACY_TEXT, "not estimated: that would take about %.0f s; --estimate does it", needed);
        return;
    }
    lie_status status = trial_begin(&t, s, s->tolerance > 0.0 ? s->steps : 2 * s->steps + s->steps / 2, o->quiet);
    if (status == LIE_OK && s->tolerance > 0.0)
        status = estimate_tolerance(&t, &e, end);
    else if (status == LIE_OK)
        status = trial_estimate(&t, &e, s->step, s->steps, end);
    if (status == LIE_OK) {
        list_errors(errors, sizeof errors, s, &e);
        tell_trust(trust, sizeof trust, &e, lie_stepper_order(t.st));
        if (s->tolerance > 0.0) snprintf(trust, sizeof trust, "the distance from a run with a tenth of the tolerance");
        snprintf(text, ACCURACY_TEXT, "%s\n           (%s)", errors, trust);
    } else {
        snprintf(text, ACCURACY_TEXT, "not estimated: %s",
                 status == LIE_STOPPED ? "interrupted" : lie_status_text(status));
    }
    trial_end(&t);
}

/* The number that is asked to be below --accuracy. */
static double measure(const scenario *s, const lie_estimate *e)
{
    const lie_state *at = &s->start;
    int n = s->system.group->dim, size = s->system.group->size;
    double far = 0.0, turn = norm_of(s, e->place, 0), place = norm_of(s, e->place, 1);
    for (int i = 0; is_length(s, n - 1) && i < 3 && i < n; i++) far += at->g[size - 1 - i] * at->g[size - 1 - i];
    far = far > 1.0 ? sqrt(far) : 1.0;
    double error = turn > place / far ? turn : place / far;
    return e->trust == LIE_TRUST_ROUNDING && e->rounding / far > error ? e->rounding / far : error;
}

/* By how much to divide the step further: err falls as the order says, a little more to be sure. */
static double next_factor(const lie_estimate *e, double error, double wanted, int order)
{
    double p = e->trust == LIE_TRUST_ORDER || order == 0 ? e->order : order;
    double f = pow(1.3 * error / wanted, 1.0 / (p > 1.0 ? p : 1.0));
    return e->trust == LIE_TRUST_NONE || !(f < 16.0) ? 4.0 : f > 1.2 ? f : 1.2;
}

static cli_exit give_up(const scenario *s, double wanted, double best, double step, const char *why)
{
    if (best < HUGE_VAL)
        cli_error(
            "%s: an accuracy of %g cannot be reached with this method: %s; the smallest error found is %.1e, with a "
            "step of %.6g s",
            s->name, wanted, why, best, step);
    else
        cli_error("%s: an accuracy of %g cannot be reached with this method: %s", s->name, wanted, why);
    return EXIT_FAILED;
}

static cli_exit climb(trial *t, const scenario *s, double wanted, long long *divided)
{
    double best = HUGE_VAL, best_step = 0.0;
    int stuck = 0;
    for (int rung = 0; rung < RUNGS && stuck < 3; rung++) {
        lie_estimate e = {.trust = LIE_TRUST_NONE};
        double h = s->step / (double)*divided, error = HUGE_VAL;
        lie_status status = trial_estimate(t, &e, h, s->steps * *divided, NULL);
        if (status == LIE_STOPPED) return interrupt_code();
        if (status == LIE_OK) error = measure(s, &e);
        if (e.trust != LIE_TRUST_NONE && error <= wanted) return EXIT_FINE;
        if (e.trust == LIE_TRUST_ROUNDING) return give_up(s, wanted, error, h, "that is below round-off");
        stuck = error > 0.5 * best ? stuck + 1 : 0;
        if (error < best) best = error, best_step = h;
        double more = ceil((double)*divided * next_factor(&e, error, wanted, lie_stepper_order(t->st)));
        if (!(more <= (double)divided_most) || more * (double)s->steps > 9007199254740992.0)
            return give_up(s, wanted, best, best_step, "it would take too many steps");
        *divided = (long long)more;
    }
    return give_up(s, wanted, best, best_step, "shorter steps do not come nearer; the motion may be chaotic");
}

cli_exit accuracy_choose(scenario *s, const job_options *o, long long *divided)
{
    trial t;
    *divided = 1;
    if (s->tolerance > 0.0) {
        cli_error("%s: --accuracy is for steps of one length; here the tolerance decides", s->name);
        return EXIT_USAGE;
    }
    lie_status status = trial_begin(&t, s, s->steps, 1);
    cli_exit code = EXIT_SCENARIO;
    if (status == LIE_OK)
        code = climb(&t, s, o->accuracy, divided);
    else
        cli_error("%s: the run cannot begin: %s", s->name, lie_status_text(status));
    trial_end(&t);
    if (code != EXIT_FINE || *divided == 1) return code;
    s->step /= (double)*divided;
    s->steps *= *divided;
    s->output.every *= *divided;
    s->fingerprint =
        s->fingerprint * 0x100000001b3u + (unsigned long long)*divided; /* another run, other checkpoints */
    return EXIT_FINE;
}

int accuracy_warn(char text[ACCURACY_TEXT], const scenario *s, const lie_state *at, const char *where)
{
    lie_step_report r;
    if (lie_step_advice(&r, &s->system, at, s->u, s->step) != LIE_OK || r.doubts == 0) return 0;
    double rate = r.rate > 0.0 ? r.rate : 1.0;
    if (r.doubts & LIE_DOUBT_LOST)
        snprintf(text, ACCURACY_TEXT, "the numbers of the state %s have lost all meaning: the step is far too long",
                 where);
    else if (r.doubts & LIE_DOUBT_TURN)
        snprintf(
            text, ACCURACY_TEXT,
            "a step turns the body by %.3g rad %s, more than half a turn: what it does in between cannot be told; at "
            "most %.2g s make sense, a tenth of that for some accuracy",
            r.turn, where, 3.14159265358979 * fabs(s->step) / r.turn);
    else
        snprintf(
            text, ACCURACY_TEXT,
            "the period of the fastest motion %s has %.2g steps, which is too few to follow it; %.2g s or less make "
            "sense",
            where, r.steps, 6.283185307179586 / rate / LIE_STEPS_FEW);
    cli_warning("%s: step: %s", s->name, text);
    return 1;
}
