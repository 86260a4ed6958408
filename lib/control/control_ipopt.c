/* SPDX-License-Identifier: MIT */
/* control_ipopt.c: the optimal control problem handed to Ipopt, which is loaded at run time; see control_direct.h for
 * the nonlinear program. Second derivatives of the Lagrange function are central differences of the exact first ones,
 * block by block. Reference: Waechter & Biegler, Math. Program. 106 (2006); the C interface of Ipopt 3.11 to 3.14. */
#include <dlfcn.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "lib/control/control_direct.h"

#define DIFFERENCE 0x1p-17

typedef struct program {
    lie_control_work *w;
    lie_control_ipopt *opt;
    int variables, equations, of_start, of_target; /* equations at the ends: those of the start come last */
    double *reference;                             /* (N+1) x size */
    double *x, *low, *up, *multipliers, *zeros;
} program;

/* What is used of Ipopt's C interface: everything is int, double and pointers. */
typedef int value_fn(int n, double *x, int is_new, double *f, void *user);
typedef int gradient_fn(int n, double *x, int is_new, double *grad, void *user);
typedef int equations_fn(int n, double *x, int is_new, int m, double *r, void *user);
typedef int jacobian_fn(int n, double *x, int is_new, int m, int count, int *row, int *column, double *values,
                        void *user);
typedef int hessian_fn(int n, double *x, int is_new, double factor, int m, double *multipliers, int is_new_multipliers,
                       int count, int *row, int *column, double *values, void *user);
typedef struct ipopt {
    void *(*create)(int n, double *low, double *up, int m, double *r_low, double *r_up, int jacobian, int hessian,
                    int style, value_fn *f, equations_fn *r, gradient_fn *grad, jacobian_fn *J, hessian_fn *H);
    void (*free_)(void *problem);
    int (*number)(void *problem, char *name, double value);
    int (*integer)(void *problem, char *name, int value);
    int (*text)(void *problem, char *name, char *value);
    int (*solve)(void *problem, double *x, double *r, double *f, double *mult_r, double *mult_low, double *mult_up,
                 void *user);
    void *library;
} ipopt;

/* dlsym answers a data pointer; ISO C has no conversion to a function pointer but through memory. */
static int find(void *library, const char *name, void *function, size_t bytes)
{
    void *at = dlsym(library, name);
    if (at) memcpy(function, &at, bytes);
    return at != 0;
}

static int load(ipopt *I)
{
    static const char *const names[] = {"libipopt.so.1", "libipopt.so.3", "libipopt.so"};
    I->library = 0;
    for (int i = 0; i < 3 && !I->library; i++) I->library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!I->library) return 0;
    return find(I->library, "CreateIpoptProblem", &I->create, sizeof I->create) &&
           find(I->library, "FreeIpoptProblem", &I->free_, sizeof I->free_) &&
           find(I->library, "AddIpoptNumOption", &I->number, sizeof I->number) &&
           find(I->library, "AddIpoptIntOption", &I->integer, sizeof I->integer) &&
           find(I->library, "AddIpoptStrOption", &I->text, sizeof I->text) &&
           find(I->library, "IpoptSolve", &I->solve, sizeof I->solve);
}

static int index_of(const program *P, int k, int column)
{
    return column == direct_columns(P->w) - 1 ? P->variables - 1 : direct_index(P->w, k, column);
}

/* The variables of an interval, T last */
static void gather(const program *P, int k, double *v, const double *x)
{
    for (int i = 0; i < direct_columns(P->w); i++) v[i] = x[index_of(P, k, i)];
}

/* The cost, and its gradient unless that is null */
static double cost(const program *P, const double *x, double *grad)
{
    double sum = 0.0, v[DIRECT_COLUMNS], slope[DIRECT_COLUMNS];
    for (int i = 0; grad && i < P->variables; i++) grad[i] = 0.0;
    for (int k = 0; k < P->w->N; k++) {
        gather(P, k, v, x);
        sum += lie__control_direct_cost(P->w, k, P->reference, v, grad ? slope : 0);
        for (int i = 0; grad && i < direct_columns(P->w); i++) grad[index_of(P, k, i)] += slope[i];
    }
    return sum;
}

static int eval_cost(int n, double *x, int is_new, double *f, void *user)
{
    (void)n, (void)is_new;
    *f = cost((const program *)user, x, 0);
    return *f - *f == 0.0;
}

static int eval_gradient(int n, double *x, int is_new, double *grad, void *user)
{
    program *P = (program *)user;
    (void)n, (void)is_new;
    P->opt->iterations++;
    cost(P, x, grad);
    return 1;
}

static int eval_equations(int n, double *x, int is_new, int m, double *r, void *user)
{
    const program *P = (const program *)user;
    lie_control_work *w = P->w;
    double v[DIRECT_COLUMNS];
    (void)n, (void)is_new, (void)m;
    for (int k = 0; k < w->N; k++) {
        gather(P, k, v, x);
        if (lie__control_direct(w, k, P->reference, v, r + 3 * w->n * k, 0) != LIE_OK) return 0;
    }
    r += 3 * w->n * w->N;
    lie__control_direct_end(w, 1, P->reference, x + direct_node(w, w->N), r, 0);
    lie__control_direct_end(w, 0, P->reference, x, r + P->of_target, 0);
    return all_finite(P->of_target + P->of_start, r);
}

/* The part of the Jacobian at one end: `count` equations from `first` on, in the 2n variables of its node, from entry
 * `at` on; returns the entry behind them */
static int end_jacobian(const program *P, int late, int first, int count, const double *x, int at, int *row,
                        int *column, double *values)
{
    const lie_control_work *w = P->w;
    double r[CONTROL_ROWS], J[CONTROL_ROWS * CONTROL_STATE] = {0.0};
    int s = 2 * w->n, node = direct_node(w, late ? w->N : 0);
    if (values) lie__control_direct_end(w, late, P->reference, x + node, r, J);
    for (int i = 0; i < count * s; i++) {
        if (values)
            values[at + i] = J[i];
        else
            row[at + i] = first + i / s, column[at + i] = node + i % s;
    }
    return at + count * s;
}

static int eval_jacobian(int n, double *x, int is_new, int m, int count, int *row, int *column, double *values,
                         void *user)
{
    const program *P = (const program *)user;
    lie_control_work *w = P->w;
    int columns = direct_columns(w), rows = 3 * w->n, at = 0;
    double v[DIRECT_COLUMNS], r[DIRECT_ROWS], J[DIRECT_ROWS * DIRECT_COLUMNS];
    (void)n, (void)is_new, (void)m, (void)count;
    for (int k = 0; k < w->N; k++) {
        if (values) {
            gather(P, k, v, x);
            if (lie__control_direct(w, k, P->reference, v, r, J) != LIE_OK) return 0;
        }
        for (int i = 0; i < rows * columns; i++, at++) {
            if (values)
                values[at] = J[i];
            else
                row[at] = k * rows + i / columns, column[at] = index_of(P, k, i % columns);
        }
    }
    at = end_jacobian(P, 1, rows * w->N, P->of_target, x, at, row, column, values);
    end_jacobian(P, 0, rows * w->N + P->of_target, P->of_start, x, at, row, column, values);
    return 1;
}

/* out += J^T multipliers of the equations at an end */
static void pull_end(const program *P, int late, int count, const double *node, const double *multipliers, double *out)
{
    double r[CONTROL_ROWS], J[CONTROL_ROWS * CONTROL_STATE] = {0.0};
    int s = 2 * P->w->n;
    if (count > 0) lie__control_direct_end(P->w, late, P->reference, node, r, J);
    for (int i = 0; i < count * s; i++) out[i % s] += multipliers[i / s] * J[i];
}

/* out = gradient at v of factor x cost + <multipliers, equations> of an interval, and of the ends it touches */
static int pulled_back(const program *P, int k, const double *v, double factor, const double *multipliers, double *out)
{
    double r[DIRECT_ROWS], J[DIRECT_ROWS * DIRECT_COLUMNS];
    const lie_control_work *w = P->w;
    const double *mine = multipliers + 3 * w->n * k, *ends = multipliers + 3 * w->n * w->N;
    int columns = direct_columns(w), rows = 3 * w->n, late = 3 * w->n + 2 * w->m;
    if (lie__control_direct(P->w, k, P->reference, v, r, J) != LIE_OK) return 0;
    double value = lie__control_direct_cost(w, k, P->reference, v, out);
    for (int j = 0; j < columns; j++) out[j] *= factor;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) out[j] += mine[i] * J[i * columns + j];
    if (k == w->N - 1) pull_end(P, 1, P->of_target, v + late, ends, out + late);
    if (k == 0) pull_end(P, 0, P->of_start, v, ends + P->of_target, out);
    return value - value == 0.0;
}

/* H (columns x columns) of the Lagrange function, what an interval has of it */
static int block_hessian(const program *P, int k, const double *x, double factor, const double *multipliers, double *H)
{
    int columns = direct_columns(P->w);
    double v[DIRECT_COLUMNS], plus[DIRECT_COLUMNS], minus[DIRECT_COLUMNS];
    gather(P, k, v, x);
    for (int j = 0; j < columns; j++) {
        double held = v[j], d = DIFFERENCE * fmax(1.0, fabs(held));
        v[j] = held + d;
        if (!pulled_back(P, k, v, factor, multipliers, plus)) return 0;
        v[j] = held - d;
        if (!pulled_back(P, k, v, factor, multipliers, minus)) return 0;
        v[j] = held;
        for (int i = 0; i < columns; i++) H[i * columns + j] = (plus[i] - minus[i]) / (2.0 * d);
    }
    return 1;
}

static int eval_hessian(int n, double *x, int is_new, double factor, int m, double *multipliers, int is_new_multipliers,
                        int count, int *row, int *column, double *values, void *user)
{
    const program *P = (const program *)user;
    const lie_control_work *w = P->w;
    int columns = direct_columns(w), at = 0;
    double H[DIRECT_COLUMNS * DIRECT_COLUMNS];
    (void)n, (void)is_new, (void)m, (void)is_new_multipliers, (void)count;
    for (int k = 0; k < w->N; k++) {
        if (values && !block_hessian(P, k, x, factor, multipliers, H)) return 0;
        for (int i = 0; i < columns; i++)
            for (int j = 0; j <= i; j++, at++) {
                if (values)
                    values[at] = 0.5 * (H[i * columns + j] + H[j * columns + i]);
                else { /* the lower triangle */
                    int a = index_of(P, k, i), b = index_of(P, k, j);
                    row[at] = a > b ? a : b, column[at] = a > b ? b : a;
                }
            }
    }
    return 1;
}

/* Inputs of node k where the variables have them: u-_k, and u+_{k-1} of the interval before */
static void fill_node_inputs(program *P, int k)
{
    const lie_control_work *w = P->w;
    int n = w->n, m = w->m;
    for (int i = 0; i < 2 * m; i++) {
        int before = i >= m;
        if ((before && k == 0) || (!before && k == w->N)) continue;
        int at = index_of(P, before ? k - 1 : k, 3 * n + i);
        P->x[at] = w->now.u[k * m + i % m];
        P->low[at] = w->lower[i % m], P->up[at] = w->upper[i % m];
    }
}

/* What is fixed at the two ends: poses and, if all of it is, the momentum of the start */
static void fix_ends(program *P)
{
    const lie_control_work *w = P->w;
    int n = w->n, end = direct_node(w, w->N), fixed = direct_start_is_fixed(w);
    for (int i = 0; i < n; i++) {
        P->low[i] = P->up[i] = 0.0;
        if (fixed) P->low[n + i] = P->up[n + i] = P->x[n + i] = w->nu0[i];
    }
    for (int i = 0; i < w->starts; i++)
        if (w->start[i] < n) P->low[w->start[i]] = -HUGE_VAL, P->up[w->start[i]] = HUGE_VAL;
    for (int r = 0; r < w->fixed; r++)
        if (w->row[r] < n) P->low[end + w->row[r]] = P->up[end + w->row[r]] = 0.0;
}

/* Start values and bounds from the present guess, whose poses are the reference; of the ends the problem's are. */
static void fill_variables(program *P)
{
    const lie_control_work *w = P->w;
    int n = w->n, N = w->N, last = P->variables - 1;
    copy_n((N + 1) * w->size, P->reference, w->now.g);
    copy_n(w->size, P->reference, w->g0);
    copy_n(w->size, P->reference + N * w->size, w->gT);
    for (int i = 0; i < P->variables; i++) P->x[i] = 0.0, P->low[i] = -HUGE_VAL, P->up[i] = HUGE_VAL;
    for (int k = 0; k <= N; k++) {
        int at = direct_node(w, k);
        copy_n(n, P->x + at + n, w->c->answer.nu + k * n);
        if (k < N) copy_n(n, P->x + at + 2 * n, w->now.xi + k * n);
        fill_node_inputs(P, k);
    }
    copy_n(n, P->x, w->now.x);
    fix_ends(P);
    P->x[last] = w->h * N;
    P->low[last] = P->opt->T_min > 0.0 ? P->opt->T_min : P->x[last];
    P->up[last] = P->opt->T_min > 0.0 ? P->opt->T_max : P->x[last];
}

static int run(const ipopt *I, program *P)
{
    const lie_control_work *w = P->w;
    int columns = direct_columns(w), rows = 3 * w->n;
    int jacobian = w->N * rows * columns + (P->of_start + P->of_target) * 2 * w->n,
        hessian = w->N * columns * (columns + 1) / 2;
    void *problem = I->create(P->variables, P->low, P->up, P->equations, P->zeros, P->zeros, jacobian, hessian, 0,
                              eval_cost, eval_equations, eval_gradient, eval_jacobian, eval_hessian);
    double value;
    if (!problem) return -1;
    I->integer(problem, (char[]){"print_level"}, 0);
    I->text(problem, (char[]){"sb"}, (char[]){"yes"});
    I->text(problem, (char[]){"nlp_scaling_method"}, (char[]){"none"});
    I->number(problem, (char[]){"tol"}, P->opt->tolerance > 0.0 ? P->opt->tolerance : 1e-11);
    I->number(problem, (char[]){"bound_relax_factor"}, 0.0);
    I->integer(problem, (char[]){"max_iter"}, P->opt->max_iterations > 0 ? P->opt->max_iterations : 1000);
    if (P->opt->differences) {
        I->text(problem, (char[]){"jacobian_approximation"}, (char[]){"finite-difference-values"});
        I->text(problem, (char[]){"hessian_approximation"}, (char[]){"limited-memory"});
    }
    int code = I->solve(problem, P->x, 0, &value, P->multipliers, 0, 0, P);
    I->free_(problem);
    return code;
}

/* The answer into the path of c */
static lie_status take_over(lie_control *c, program *P)
{
    lie_control_work *w = P->w;
    int n = w->n, m = w->m, N = w->N;
    P->opt->jump = 0.0;
    w->h = P->x[P->variables - 1] / N;
    c->problem.T = P->x[P->variables - 1];
    for (int k = 0; k <= N; k++) {
        int start = index_of(P, k < N ? k : k - 1, k < N ? 3 * n : 3 * n + m);
        int end = index_of(P, k > 0 ? k - 1 : 0, k > 0 ? 3 * n + m : 3 * n);
        if (k < N) copy_n(n, w->now.xi + k * n, P->x + direct_node(w, k) + 2 * n);
        for (int i = 0; i < m; i++) {
            double minus = P->x[start + i], plus = P->x[end + i];
            w->now.u[k * m + i] = 0.5 * (minus + plus);
            P->opt->jump = fmax(P->opt->jump, fabs(minus - plus));
        }
        for (int i = 0; i < n; i++) w->p[k * n + i] = -P->multipliers[k < N ? 3 * n * k + i : 3 * n * (N - 1) + n + i];
    }
    copy_n(n, w->now.x, P->x);
    copy_n(n, w->now.b, P->x + n);
    if (lie__control_shift_start(w, &w->now, &w->now, w->dstart, 0.0) != LIE_OK) return LIE_ERR_GUESS;
    lie_status status = lie__control_evaluate(w, &w->now);
    lie__control_publish(c);
    return status;
}

static lie_status solve_with(const ipopt *I, lie_control *c, program *P)
{
    double h = P->w->h;
    fill_variables(P);
    int code = run(I, P);
    P->w->h = h, P->w->warm = 0;
    if (code != 0 && code != 1) return LIE_ERR_NO_CONVERGENCE; /* solved, or to an acceptable level */
    return take_over(c, P);
}

lie_status lie_control_solve_ipopt(lie_control *c, lie_control_ipopt *opt)
{
    lie_control_work *w = &c->work;
    program P = {.w = w, .opt = opt, .variables = direct_variables(w)};
    ipopt I;
    lie_status status = LIE_ERR_MEMORY;
    if (opt->T_min != 0.0 || opt->T_max != 0.0)
        if (!(opt->T_min > 0.0) || !(opt->T_max > opt->T_min)) return LIE_ERR_HORIZON;
    opt->iterations = 0;
    if (lie__control_evaluate(w, &w->now) != LIE_OK) return LIE_ERR_GUESS;
    if (!load(&I)) return LIE_ERR_OPTIONAL;
    P.of_target = lie__control_direct_end(w, 1, 0, w->nu0, 0, 0);
    P.of_start = lie__control_direct_end(w, 0, 0, w->nu0, 0, 0);
    P.equations = 3 * w->n * w->N + P.of_target + P.of_start;
    size_t nodes = (size_t)(w->N + 1) * (size_t)w->size;
    double *heap = (double *)calloc(nodes + 3 * (size_t)P.variables + 2 * (size_t)P.equations, sizeof *heap);
    if (heap) {
        P.reference = heap, P.x = heap + nodes, P.low = P.x + P.variables, P.up = P.low + P.variables;
        P.multipliers = P.up + P.variables, P.zeros = P.multipliers + P.equations;
        status = solve_with(&I, c, &P);
    }
    free(heap);
    dlclose(I.library);
    return status;
}
