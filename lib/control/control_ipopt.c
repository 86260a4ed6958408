/* SPDX-License-Identifier: MIT */
/* control_ipopt.c: the optimal control problem handed to Ipopt, which is loaded at run time; see control_direct.h for
 * the nonlinear program. Second derivatives of the Lagrange function are central differences of the exact first ones,
 * block by block. Reference: Waechter & Biegler, Math. Program. 106 (2006); the C interface of Ipopt 3.11 to 3.14. */
#include <dlfcn.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "groups/num/finite.h"
#include "lib/control/control.h"
#include "lib/control/control_direct.h"

#define DIFFERENCE 0x1p-17

typedef struct program {
    lie_control *c;
    control_problem *P; /* of it; its h changes with T */
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

static int index_of(const program *prog, int k, int column)
{
    return column == direct_columns(prog->P) - 1 ? prog->variables - 1 : direct_index(prog->P, k, column);
}

/* The variables of an interval, T last */
static void gather(const program *prog, int k, double *v, const double *x)
{
    for (int i = 0; i < direct_columns(prog->P); i++) v[i] = x[index_of(prog, k, i)];
}

/* The cost, and its gradient unless that is null */
static double cost(const program *prog, const double *x, double *grad)
{
    double sum = 0.0, v[DIRECT_COLUMNS], slope[DIRECT_COLUMNS];
    for (int i = 0; grad && i < prog->variables; i++) grad[i] = 0.0;
    for (int k = 0; k < prog->P->N; k++) {
        gather(prog, k, v, x);
        sum += lie__control_direct_cost(prog->P, k, prog->reference, v, grad ? slope : 0);
        for (int i = 0; grad && i < direct_columns(prog->P); i++) grad[index_of(prog, k, i)] += slope[i];
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
    program *prog = (program *)user;
    (void)n, (void)is_new;
    prog->opt->iterations++;
    cost(prog, x, grad);
    return 1;
}

static int eval_equations(int n, double *x, int is_new, int m, double *r, void *user)
{
    const program *prog = (const program *)user;
    control_problem *P = prog->P;
    double v[DIRECT_COLUMNS];
    (void)n, (void)is_new, (void)m;
    for (int k = 0; k < P->N; k++) {
        gather(prog, k, v, x);
        if (lie__control_direct(P, k, prog->reference, v, r + 3 * P->n * k, 0) != LIE_OK) return 0;
    }
    r += 3 * P->n * P->N;
    lie__control_direct_end(P, 1, prog->reference, x + direct_node(P, P->N), r, 0);
    lie__control_direct_end(P, 0, prog->reference, x, r + prog->of_target, 0);
    return all_finite(prog->of_target + prog->of_start, r);
}

/* The part of the Jacobian at one end: `count` equations from `first` on, in the 2n variables of its node, from entry
 * `at` on; returns the entry behind them */
static int end_jacobian(const program *prog, int late, int first, int count, const double *x, int at, int *row,
                        int *column, double *values)
{
    const control_problem *P = prog->P;
    double r[CONTROL_ROWS], J[CONTROL_ROWS * CONTROL_STATE] = {0.0};
    int s = 2 * P->n, node = direct_node(P, late ? P->N : 0);
    if (values) lie__control_direct_end(P, late, prog->reference, x + node, r, J);
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
    const program *prog = (const program *)user;
    control_problem *P = prog->P;
    int columns = direct_columns(P), rows = 3 * P->n, at = 0;
    double v[DIRECT_COLUMNS], r[DIRECT_ROWS], J[DIRECT_ROWS * DIRECT_COLUMNS];
    (void)n, (void)is_new, (void)m, (void)count;
    for (int k = 0; k < P->N; k++) {
        if (values) {
            gather(prog, k, v, x);
            if (lie__control_direct(P, k, prog->reference, v, r, J) != LIE_OK) return 0;
        }
        for (int i = 0; i < rows * columns; i++, at++) {
            if (values)
                values[at] = J[i];
            else
                row[at] = k * rows + i / columns, column[at] = index_of(prog, k, i % columns);
        }
    }
    at = end_jacobian(prog, 1, rows * P->N, prog->of_target, x, at, row, column, values);
    end_jacobian(prog, 0, rows * P->N + prog->of_target, prog->of_start, x, at, row, column, values);
    return 1;
}

/* out += J^T multipliers of the equations at an end */
static void pull_end(const program *prog, int late, int count, const double *node, const double *multipliers,
                     double *out)
{
    double r[CONTROL_ROWS], J[CONTROL_ROWS * CONTROL_STATE] = {0.0};
    int s = 2 * prog->P->n;
    if (count > 0) lie__control_direct_end(prog->P, late, prog->reference, node, r, J);
    for (int i = 0; i < count * s; i++) out[i % s] += multipliers[i / s] * J[i];
}

/* out = gradient at v of factor x cost + <multipliers, equations> of an interval, and of the ends it touches */
static int pulled_back(const program *prog, int k, const double *v, double factor, const double *multipliers,
                       double *out)
{
    double r[DIRECT_ROWS], J[DIRECT_ROWS * DIRECT_COLUMNS];
    const control_problem *P = prog->P;
    const double *mine = multipliers + 3 * P->n * k, *ends = multipliers + 3 * P->n * P->N;
    int columns = direct_columns(P), rows = 3 * P->n, late = 3 * P->n + 2 * P->m;
    if (lie__control_direct(prog->P, k, prog->reference, v, r, J) != LIE_OK) return 0;
    double value = lie__control_direct_cost(P, k, prog->reference, v, out);
    for (int j = 0; j < columns; j++) out[j] *= factor;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) out[j] += mine[i] * J[i * columns + j];
    if (k == P->N - 1) pull_end(prog, 1, prog->of_target, v + late, ends, out + late);
    if (k == 0) pull_end(prog, 0, prog->of_start, v, ends + prog->of_target, out);
    return value - value == 0.0;
}

/* H (columns x columns) of the Lagrange function, what an interval has of it */
static int block_hessian(const program *prog, int k, const double *x, double factor, const double *multipliers,
                         double *H)
{
    int columns = direct_columns(prog->P);
    double v[DIRECT_COLUMNS], plus[DIRECT_COLUMNS], minus[DIRECT_COLUMNS];
    gather(prog, k, v, x);
    for (int j = 0; j < columns; j++) {
        double held = v[j], d = DIFFERENCE * fmax(1.0, fabs(held));
        v[j] = held + d;
        if (!pulled_back(prog, k, v, factor, multipliers, plus)) return 0;
        v[j] = held - d;
        if (!pulled_back(prog, k, v, factor, multipliers, minus)) return 0;
        v[j] = held;
        for (int i = 0; i < columns; i++) H[i * columns + j] = (plus[i] - minus[i]) / (2.0 * d);
    }
    return 1;
}

static int eval_hessian(int n, double *x, int is_new, double factor, int m, double *multipliers, int is_new_multipliers,
                        int count, int *row, int *column, double *values, void *user)
{
    const program *prog = (const program *)user;
    const control_problem *P = prog->P;
    int columns = direct_columns(P), at = 0;
    double H[DIRECT_COLUMNS * DIRECT_COLUMNS];
    (void)n, (void)is_new, (void)m, (void)is_new_multipliers, (void)count;
    for (int k = 0; k < P->N; k++) {
        if (values && !block_hessian(prog, k, x, factor, multipliers, H)) return 0;
        for (int i = 0; i < columns; i++)
            for (int j = 0; j <= i; j++, at++) {
                if (values)
                    values[at] = 0.5 * (H[i * columns + j] + H[j * columns + i]);
                else { /* the lower triangle */
                    int a = index_of(prog, k, i), b = index_of(prog, k, j);
                    row[at] = a > b ? a : b, column[at] = a > b ? b : a;
                }
            }
    }
    return 1;
}

/* Inputs of node k where the variables have them: u-_k, and u+_{k-1} of the interval before */
static void fill_node_inputs(program *prog, int k)
{
    const control_problem *P = prog->P;
    int n = P->n, m = P->m;
    for (int i = 0; i < 2 * m; i++) {
        int before = i >= m;
        if ((before && k == 0) || (!before && k == P->N)) continue;
        int at = index_of(prog, before ? k - 1 : k, 3 * n + i);
        prog->x[at] = prog->c->iterate.now.u[k * m + i % m];
        prog->low[at] = P->inputs.lower[i % m], prog->up[at] = P->inputs.upper[i % m];
    }
}

/* What is fixed at the two ends: poses and, if all of it is, the momentum of the start */
static void fix_ends(program *prog)
{
    const control_problem *P = prog->P;
    int n = P->n, end = direct_node(P, P->N), fixed = direct_start_is_fixed(P);
    for (int i = 0; i < n; i++) {
        prog->low[i] = prog->up[i] = 0.0;
        if (fixed) prog->low[n + i] = prog->up[n + i] = prog->x[n + i] = P->ends.nu0[i];
    }
    for (int i = 0; i < P->ends.starts; i++)
        if (P->ends.start[i] < n) prog->low[P->ends.start[i]] = -HUGE_VAL, prog->up[P->ends.start[i]] = HUGE_VAL;
    for (int r = 0; r < P->ends.fixed; r++)
        if (P->ends.row[r] < n) prog->low[end + P->ends.row[r]] = prog->up[end + P->ends.row[r]] = 0.0;
}

/* Start values and bounds from the present guess, whose poses are the reference; of the ends the problem's are. */
static void fill_variables(program *prog)
{
    const control_problem *P = prog->P;
    int n = P->n, N = P->N, last = prog->variables - 1;
    copy_n((N + 1) * P->size, prog->reference, prog->c->iterate.now.g);
    copy_n(P->size, prog->reference, P->ends.g0);
    copy_n(P->size, prog->reference + N * P->size, P->ends.aim);
    for (int i = 0; i < prog->variables; i++) prog->x[i] = 0.0, prog->low[i] = -HUGE_VAL, prog->up[i] = HUGE_VAL;
    for (int k = 0; k <= N; k++) {
        int at = direct_node(P, k);
        copy_n(n, prog->x + at + n, prog->c->answer.nu + k * n);
        if (k < N) copy_n(n, prog->x + at + 2 * n, prog->c->iterate.now.xi + k * n);
        fill_node_inputs(prog, k);
    }
    copy_n(n, prog->x, prog->c->iterate.now.x);
    fix_ends(prog);
    prog->x[last] = P->h * N;
    prog->low[last] = prog->opt->T_min > 0.0 ? prog->opt->T_min : prog->x[last];
    prog->up[last] = prog->opt->T_min > 0.0 ? prog->opt->T_max : prog->x[last];
}

static int run(const ipopt *I, program *prog)
{
    const control_problem *P = prog->P;
    int columns = direct_columns(P), rows = 3 * P->n;
    int jacobian = P->N * rows * columns + (prog->of_start + prog->of_target) * 2 * P->n,
        hessian = P->N * columns * (columns + 1) / 2;
    void *problem = I->create(prog->variables, prog->low, prog->up, prog->equations, prog->zeros, prog->zeros, jacobian,
                              hessian, 0, eval_cost, eval_equations, eval_gradient, eval_jacobian, eval_hessian);
    double value;
    if (!problem) return -1;
    I->integer(problem, (char[]){"print_level"}, 0);
    I->text(problem, (char[]){"sb"}, (char[]){"yes"});
    I->text(problem, (char[]){"nlp_scaling_method"}, (char[]){"none"});
    I->number(problem, (char[]){"tol"}, prog->opt->tolerance > 0.0 ? prog->opt->tolerance : 1e-11);
    I->number(problem, (char[]){"bound_relax_factor"}, 0.0);
    I->integer(problem, (char[]){"max_iter"}, prog->opt->max_iterations > 0 ? prog->opt->max_iterations : 1000);
    if (prog->opt->differences) {
        I->text(problem, (char[]){"jacobian_approximation"}, (char[]){"finite-difference-values"});
        I->text(problem, (char[]){"hessian_approximation"}, (char[]){"limited-memory"});
    }
    int code = I->solve(problem, prog->x, 0, &value, prog->multipliers, 0, 0, prog);
    I->free_(problem);
    return code;
}

/* The answer into the path of c */
static lie_status take_over(lie_control *c, program *prog)
{
    control_problem *P = prog->P;
    int n = P->n, m = P->m, N = P->N;
    prog->opt->jump = 0.0;
    P->h = prog->x[prog->variables - 1] / N;
    c->asked.T = prog->x[prog->variables - 1];
    for (int k = 0; k <= N; k++) {
        int start = index_of(prog, k < N ? k : k - 1, k < N ? 3 * n : 3 * n + m);
        int end = index_of(prog, k > 0 ? k - 1 : 0, k > 0 ? 3 * n + m : 3 * n);
        if (k < N) copy_n(n, prog->c->iterate.now.xi + k * n, prog->x + direct_node(P, k) + 2 * n);
        for (int i = 0; i < m; i++) {
            double minus = prog->x[start + i], plus = prog->x[end + i];
            prog->c->iterate.now.u[k * m + i] = 0.5 * (minus + plus);
            prog->opt->jump = fmax(prog->opt->jump, fabs(minus - plus));
        }
        for (int i = 0; i < n; i++)
            prog->c->iterate.p[k * n + i] = -prog->multipliers[k < N ? 3 * n * k + i : 3 * n * (N - 1) + n + i];
    }
    copy_n(n, prog->c->iterate.now.x, prog->x);
    copy_n(n, prog->c->iterate.now.b, prog->x + n);
    if (lie__control_shift_start(P, &prog->c->iterate.now, &prog->c->iterate.now, prog->c->step.dstart, 0.0) != LIE_OK)
        return LIE_ERR_GUESS;
    lie_status status = lie__control_evaluate(P, &prog->c->iterate.now);
    lie__control_publish(c);
    return status;
}

static lie_status solve_with(const ipopt *I, lie_control *c, program *prog)
{
    double h = prog->P->h;
    fill_variables(prog);
    int code = run(I, prog);
    prog->P->h = h, prog->c->iterate.warm = 0;
    if (code != 0 && code != 1) return LIE_ERR_NO_CONVERGENCE; /* solved, or to an acceptable level */
    return take_over(c, prog);
}

lie_status lie_control_solve_ipopt(lie_control *c, lie_control_ipopt *opt)
{
    control_problem *P = &c->problem;
    program prog = {.c = c, .P = P, .opt = opt, .variables = direct_variables(P)};
    ipopt I;
    lie_status status = LIE_ERR_MEMORY;
    if (opt->T_min != 0.0 || opt->T_max != 0.0)
        if (!(opt->T_min > 0.0) || !(opt->T_max > opt->T_min)) return LIE_ERR_HORIZON;
    opt->iterations = 0;
    if (lie__control_evaluate(P, &c->iterate.now) != LIE_OK) return LIE_ERR_GUESS;
    if (!load(&I)) return LIE_ERR_OPTIONAL;
    prog.of_target = lie__control_direct_end(P, 1, 0, P->ends.nu0, 0, 0);
    prog.of_start = lie__control_direct_end(P, 0, 0, P->ends.nu0, 0, 0);
    prog.equations = 3 * P->n * P->N + prog.of_target + prog.of_start;
    size_t nodes = (size_t)(P->N + 1) * (size_t)P->size;
    double *heap = (double *)calloc(nodes + 3 * (size_t)prog.variables + 2 * (size_t)prog.equations, sizeof *heap);
    if (heap) {
        prog.reference = heap, prog.x = heap + nodes, prog.low = prog.x + prog.variables,
        prog.up = prog.low + prog.variables;
        prog.multipliers = prog.up + prog.variables, prog.zeros = prog.multipliers + prog.equations;
        status = solve_with(&I, c, &prog);
    }
    free(heap);
    dlclose(I.library);
    return status;
}
