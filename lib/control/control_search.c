/* SPDX-License-Identifier: MIT */
/* control_search.c: around one solution of the optimal control problem: paths saved and restored, continuation in the
 * target, several starts, the best time, and what is left where no input acts; see liestep/control.h. */
#include "lib/control/control.h"

#include <math.h>

#include "groups/num/finite.h"
#include "groups/num/refuse.h"

enum { CUTS = 6, TIMES = 60, BY_COST = 3 };

/* A saved path: xi, u, p, lambda, the target, the start. */
static size_t path_doubles(const control_problem *P)
{
    size_t n = (size_t)P->n, m = (size_t)P->m, N = (size_t)P->N;
    return N * n + (N + 1) * (m + n) + CONTROL_ROWS + (size_t)P->size + 2 * n;
}

static void save(const lie_control *c, double *path)
{
    const control_problem *P = &c->problem;
    int inputs = (P->N + 1) * P->m, moments = (P->N + 1) * P->n;
    copy_n(P->N * P->n, path, c->iterate.now.xi);
    copy_n(inputs, path += P->N * P->n, c->iterate.now.u);
    copy_n(moments, path += inputs, c->iterate.p);
    copy_n(CONTROL_ROWS, path += moments, c->iterate.lambda);
    copy_n(P->size, path += CONTROL_ROWS, P->ends.aim);
    copy_n(P->n, path += P->size, c->iterate.now.x);
    copy_n(P->n, path + P->n, c->iterate.now.b);
}

static lie_status load(lie_control *c, const double *path)
{
    control_problem *P = &c->problem;
    int inputs = (P->N + 1) * P->m, moments = (P->N + 1) * P->n;
    if (!all_finite((int)path_doubles(P), path)) return LIE_ERR_GUESS;
    copy_n(P->N * P->n, c->iterate.now.xi, path);
    copy_n(inputs, c->iterate.now.u, path += P->N * P->n);
    copy_n(moments, c->iterate.p, path += inputs);
    copy_n(CONTROL_ROWS, c->iterate.lambda, path += moments);
    copy_n(P->size, P->ends.aim, path += CONTROL_ROWS);
    copy_n(P->n, c->iterate.now.x, path += P->size);
    copy_n(P->n, c->iterate.now.b, path + P->n);
    c->iterate.warm = 1;
    if (lie__control_shift_start(P, &c->iterate.now, &c->iterate.now, c->step.dstart, 0.0) != LIE_OK)
        return LIE_ERR_GUESS;
    lie_status status = lie__control_evaluate(P, &c->iterate.now) == LIE_OK ? LIE_OK : LIE_ERR_GUESS;
    lie__control_publish(c);
    return status;
}

size_t lie_control_path_memsize(const lie_control *c)
{
    return path_doubles(&c->problem) * sizeof(double);
}

lie_status lie_control_save(const lie_control *c, void *path, size_t bytes)
{
    if (lie__refuse_memory(0, path, bytes, lie_control_path_memsize(c)) != LIE_OK) return LIE_ERR_MEMORY;
    save(c, (double *)path);
    return LIE_OK;
}

lie_status lie_control_load(lie_control *c, const void *path, size_t bytes)
{
    if (lie__refuse_memory(0, path, bytes, lie_control_path_memsize(c)) != LIE_OK) return LIE_ERR_MEMORY;
    return load(c, (const double *)path);
}

/* One leg of the continuation, from the saved path to the target `next` of the way along x */
static lie_status leg(lie_control *c, const lie_control_options *opt, double here, double next, const double *x,
                      const double *path)
{
    control_problem *P = &c->problem;
    double d[LIE_SIZE_MAX], part[CONTROL_DIM];
    lie_status status = load(c, path);
    c->iterate.warm = here > 0.0;
    for (int i = 0; i < P->n; i++) part[i] = next * x[i];
    if (status == LIE_OK) status = P->line->tau(P->line, d, part);
    if (status != LIE_OK) return status;
    P->G->mul(P->G, P->ends.aim, P->ends.g0, d);
    for (int k = 0; k < P->N * P->n && here == 0.0; k++) {
        int interval = k / P->n;
        double t = (interval + 0.5) / P->N;
        c->iterate.now.xi[k] = 6.0 * t * (1.0 - t) * part[k % P->n] / (P->h * P->N);
    }
    return lie_control_solve(c, opt);
}

lie_status lie_control_continue(lie_control *c, const lie_control_options *opt, int stages, void *work, size_t bytes)
{
    control_problem *P = &c->problem;
    if (lie__refuse_memory(0, work, bytes, lie_control_path_memsize(c)) != LIE_OK) return LIE_ERR_MEMORY;
    double *path = (double *)work;
    double d[LIE_SIZE_MAX], x[CONTROL_DIM] = {0.0}, here = 0.0, stride;
    lie_status status = stages >= 1 ? lie_control_line(c, 0) : LIE_ERR_SIZE;
    if (status != LIE_OK) return status;
    P->G->inv(P->G, d, P->ends.g0);
    P->G->mul(P->G, d, d, P->ends.aim);
    if (P->line->tauinv(P->line, x, d) != LIE_OK) return LIE_ERR_GUESS;
    save(c, path);
    stride = 1.0 / stages;
    for (int cuts = 0; here < 1.0 && cuts <= CUTS;) {
        double next = here + stride > 1.0 - 1e-9 ? 1.0 : here + stride;
        status = leg(c, opt, here, next, x, path);
        if (status == LIE_STOPPED) return status;
        if (status == LIE_OK) {
            here = next;
            save(c, path);
        } else {
            stride *= 0.5, cuts++;
        }
    }
    copy_n(P->size, P->ends.aim, P->ends.target);
    return status;
}

/* lie_control_homotopy on a path that is large enough */
static lie_status by_cost(lie_control *c, const lie_control_options *opt, int stages, double *path)
{
    control_problem *P = &c->problem;
    double here = 0.0, stride = 1.0 / stages;
    lie__control_weigh(P, 0.0);
    lie_status status = lie_control_solve(c, opt);
    if (status == LIE_OK) save(c, path);
    for (int cuts = 0; status == LIE_OK && here < 1.0 && cuts <= CUTS;) {
        double next = here + stride > 1.0 - 1e-9 ? 1.0 : here + stride;
        lie__control_weigh(P, next);
        lie_status arrived = load(c, path);
        if (arrived == LIE_OK) arrived = lie_control_solve(c, opt);
        if (arrived == LIE_STOPPED) status = arrived;
        if (arrived == LIE_OK) {
            here = next;
            save(c, path);
        } else {
            stride *= 0.5, cuts++;
        }
    }
    if (status == LIE_OK && here < 1.0) status = LIE_ERR_NO_CONVERGENCE;
    lie__control_weigh(P, 1.0);
    return status;
}

lie_status lie_control_homotopy(lie_control *c, const lie_control_options *opt, int stages, void *work, size_t bytes)
{
    if (stages < 1) return LIE_ERR_SIZE;
    if (lie__refuse_memory(0, work, bytes, lie_control_path_memsize(c)) != LIE_OK) return LIE_ERR_MEMORY;
    return by_cost(c, opt, stages, (double *)work);
}

static lie_status start_of(lie_control *c, int start)
{
    if (start == 0) return LIE_OK;
    if (start <= 2) return lie_control_line(c, start - 1);
    if (start == BY_COST && (c->asked.fuel || c->asked.cost)) return lie_control_line(c, 0);
    lie_status status = lie_control_line(c, (start - 3) % 4 == 3);
    if (status == LIE_ERR_DOMAIN) status = lie_control_line(c, 0);
    return status == LIE_OK ? lie_control_bend(c, 0.3 + 0.2 * ((start - 3) % 5), start) : status;
}

/* Is the path of c the saved one? */
static int same(const lie_control *c, const double *path, double cost)
{
    double apart = 0.0, size = 0.0;
    if (!(fabs(c->answer.cost - cost) <= 1e-7 * fabs(cost) + 1e-14)) return 0;
    for (int i = 0; i < c->answer.N * c->answer.n; i++) {
        apart = fmax(apart, fabs(c->answer.xi[i] - path[i]));
        size = fmax(size, fabs(path[i]));
    }
    return apart <= 1e-4 * size;
}

/* Put the path of c where its cost belongs; the dearest falls out where there is no room. */
static void insert(const lie_control *c, lie_control_extremal *list, int *count, int capacity, double *paths, int start)
{
    size_t doubles = path_doubles(&c->problem);
    int at = *count;
    while (at > 0 && list[at - 1].cost > c->answer.cost) at--;
    if (at == capacity) return;
    if (*count < capacity) ++*count;
    for (int i = *count - 1; i > at; i--) {
        list[i] = list[i - 1];
        memcpy(paths + (size_t)i * doubles, paths + (size_t)(i - 1) * doubles, doubles * sizeof *paths);
    }
    list[at] = (lie_control_extremal){c->answer.cost, start, 1, c->answer.last.iteration};
    save(c, paths + (size_t)at * doubles);
}

/* Is the path of c among those that are known? It then counts one more. */
static int known(const lie_control *c, lie_control_extremal *list, int count, const double *paths)
{
    size_t doubles = path_doubles(&c->problem);
    for (int i = 0; i < count; i++)
        if (same(c, paths + (size_t)i * doubles, list[i].cost)) return ++list[i].hits;
    return 0;
}

size_t lie_control_search_memsize(const lie_control *c, int capacity)
{
    return capacity > 0 ? (size_t)capacity * lie_control_path_memsize(c) : 0;
}

lie_status lie_control_search(lie_control *c, const lie_control_options *opt, int starts, lie_control_extremal *out,
                              int capacity, int *found, int *failed, void *work, size_t bytes)
{
    size_t doubles = path_doubles(&c->problem);
    double *paths = (double *)work;
    lie_status status = LIE_ERR_SIZE;
    int count = 0, bad = 0, has_cost = c->asked.fuel || c->asked.cost;
    if (starts < 1 || capacity < 1) return LIE_ERR_SIZE;
    if (lie__refuse_memory(0, work, bytes, lie_control_search_memsize(c, capacity)) != LIE_OK) return LIE_ERR_MEMORY;
    for (int s = 0; s < starts; s++) {
        int is_homotopy = s == BY_COST && count < capacity && has_cost;
        lie_status begun = start_of(c, s), solved = begun;
        if (begun == LIE_OK)
            solved = is_homotopy ? by_cost(c, opt, 4, paths + (size_t)count * doubles) : lie_control_solve(c, opt);
        if (solved == LIE_STOPPED) return solved;
        if (solved != LIE_OK) {
            status = count == 0 && begun == LIE_OK ? solved : status;
            bad += begun == LIE_OK;
            continue;
        }
        if (!known(c, out, count, paths)) insert(c, out, &count, capacity, paths, s);
    }
    if (found) *found = count;
    if (failed) *failed = bad;
    if (count == 0) return status;
    status = load(c, paths);
    return status == LIE_OK ? lie_control_solve(c, opt) : status;
}

lie_status lie_control_set_time(lie_control *c, double T)
{
    control_problem *P = &c->problem;
    if (!(T > 0.0) || !(T < HUGE_VAL)) return LIE_ERR_HORIZON;
    for (int i = 0; i < P->N * P->n; i++) c->iterate.now.xi[i] *= P->h * P->N / T;
    for (int i = 0; i < (P->N + 1) * P->m && !P->inputs.bounded; i++) c->iterate.now.u[i] *= pow(P->h * P->N / T, 2.0);
    P->h = T / P->N;
    c->asked.T = T;
    lie_status status = lie__control_evaluate(P, &c->iterate.now) == LIE_OK ? LIE_OK : LIE_ERR_GUESS;
    lie__control_publish(c);
    return status;
}

/* The next T to try between lo and hi: where the line through the last two slopes vanishes, if that is well inside */
static double next_time(double lo, double hi, const double *T, const double *slope, int known)
{
    double guess = known == 2 && slope[0] != slope[1] ? T[1] - slope[1] * (T[1] - T[0]) / (slope[1] - slope[0]) : -1.0;
    return guess > lo + 1e-3 * (hi - lo) && guess < hi - 1e-3 * (hi - lo) ? guess : sqrt(lo * hi);
}

lie_status lie_control_best_time(lie_control *c, const lie_control_options *opt, double shortest, double longest)
{
    double lo = shortest, hi = longest, T[2] = {0.0, 0.0}, slope[2] = {0.0, 0.0}, at = c->asked.T;
    int known = 0;
    lie_status status = LIE_ERR_HORIZON;
    if (!(shortest > 0.0) || !(longest > shortest) || !(longest < HUGE_VAL)) return LIE_ERR_HORIZON;
    if (!(at > lo) || !(at < hi)) at = sqrt(lo * hi);
    for (int k = 0; k < TIMES; k++) {
        status = lie_control_set_time(c, at);
        if (status == LIE_OK) status = lie_control_solve(c, opt);
        if (status == LIE_STOPPED) return status;
        if (status != LIE_OK) { /* too short for the bounds, or a poor start: from the line, and longer */
            lo = at, known = 0;
            lie_control_line(c, 0);
        } else {
            T[0] = T[1], slope[0] = slope[1], T[1] = at, slope[1] = c->answer.cost_by_time;
            known = known < 2 ? known + 1 : 2;
            if (fabs(slope[1]) * at <= 1e-9 * fabs(c->answer.cost)) return LIE_OK;
            *(slope[1] > 0.0 ? &hi : &lo) = at;
        }
        if (hi - lo <= 1e-9 * hi) return status;
        at = next_time(lo, hi, T, slope, known);
    }
    return status == LIE_OK ? LIE_ERR_NO_CONVERGENCE : status;
}

double lie_control_unactuated(const lie_control *c)
{
    const control_problem *P = &c->problem;
    double B[CONTROL_DIM * CONTROL_INPUTS], E[CONTROL_SQUARE], worst = 0.0;
    for (int k = 0; k < c->answer.N; k++) {
        lie__control_inputs(P, B, c->iterate.now.g + k * P->size);
        int count = lie_actuation_annihilator(P->n, P->m, B, E);
        for (int i = 0; i < count; i++) {
            double sum = 0.0;
            for (int j = 0; j < P->n; j++) sum += E[i * P->n + j] * c->iterate.now.e[k * P->n + j];
            worst = fmax(worst, fabs(sum));
        }
    }
    return worst;
}
