/* SPDX-License-Identifier: MIT */
/* control_ipopt.c: the optimal control problem handed to Ipopt, which is loaded at run time; see control_direct.h for
 * the nonlinear program. Second derivatives of the Lagrange function are central differences of the exact first ones,
 * block by block. Reference: Waechter & Biegler, Math. Program. 106 (2006); the C interface of Ipopt 3.11 to 3.14. */
#include <dlfcn.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "control_direct.h"

#define DIFFERENCE 0x1p-17

typedef struct program {
    lie_control_work *w;
    lie_control_ipopt *opt;
    int variables, equations, velocities; /* velocities: equations for components of the end velocity */
    double *reference;                    /* (N+1) x size */
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

/* The variables of an interval, T last */
static void gather(const program *P, int k, double *v, const double *x)
{
    int columns = direct_columns(P->w);
    copy_n(columns - 1, v, x + direct_node(P->w, k));
    v[columns - 1] = x[P->variables - 1];
}

static int index_of(const program *P, int k, int column)
{
    return column == direct_columns(P->w) - 1 ? P->variables - 1 : direct_node(P->w, k) + column;
}

/* h/2 (w u^2/2 + f u) of all u- and u+, with T; grad (may be null) */
static double cost(const program *P, const double *x, double *grad)
{
    const lie_control_work *w = P->w;
    int n = w->n, m = w->m;
    double T = x[P->variables - 1], h = T / w->N, sum = 0.0;
    for (int i = 0; grad && i < P->variables; i++) grad[i] = 0.0;
    for (int k = 0; k < w->N; k++)
        for (int i = 0; i < 2 * m; i++) {
            int at = direct_node(w, k) + 3 * n + i, j = i % m;
            sum += (0.5 * w->weight[j] * x[at] + w->fuel[j]) * x[at];
            if (grad) grad[at] = 0.5 * h * (w->weight[j] * x[at] + w->fuel[j]);
        }
    if (grad) grad[P->variables - 1] = 0.5 * sum / w->N + w->c->problem.time_weight;
    return 0.5 * h * sum + w->c->problem.time_weight * T;
}

static int eval_cost(int n, double *x, int is_new, double *f, void *user)
{
    (void)n, (void)is_new;
    *f = cost((const program *)user, x, 0);
    return 1;
}

static int eval_gradient(int n, double *x, int is_new, double *grad, void *user)
{
    program *P = (program *)user;
    (void)n, (void)is_new;
    P->opt->iterations++;
    cost(P, x, grad);
    return 1;
}

/* Component of the end velocity that equation i of the last ones asks for */
static int velocity_row(const lie_control_work *w, int i)
{
    int seen = 0;
    for (int r = 0; r < w->rows; r++)
        if (w->row[r] >= w->n && seen++ == i) return w->row[r] - w->n;
    return 0;
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
    for (int i = 0; i < P->velocities; i++) {
        int row = velocity_row(w, i);
        double sum = w->c->problem.xiT ? -w->c->problem.xiT[row] : 0.0;
        for (int j = 0; j < w->n; j++) sum += w->inertia_inverse[row * w->n + j] * x[direct_node(w, w->N) + w->n + j];
        r[3 * w->n * w->N + i] = sum;
    }
    return 1;
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
    for (int i = 0; i < P->velocities * w->n; i++, at++) {
        if (values)
            values[at] = w->inertia_inverse[velocity_row(w, i / w->n) * w->n + i % w->n];
        else
            row[at] = rows * w->N + i / w->n, column[at] = direct_node(w, w->N) + w->n + i % w->n;
    }
    return 1;
}

/* out = J^T multipliers of an interval at v */
static int pulled_back(const program *P, int k, const double *v, const double *multipliers, double *out)
{
    double r[DIRECT_ROWS], J[DIRECT_ROWS * DIRECT_COLUMNS];
    int columns = direct_columns(P->w), rows = 3 * P->w->n;
    if (lie__control_direct(P->w, k, P->reference, v, r, J) != LIE_OK) return 0;
    zero_n(columns, out);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) out[j] += multipliers[i] * J[i * columns + j];
    return 1;
}

/* H (columns x columns) of <multipliers, equations> of an interval, and of factor times its cost */
static int block_hessian(const program *P, int k, const double *x, double factor, const double *multipliers, double *H)
{
    const lie_control_work *w = P->w;
    int columns = direct_columns(w), n = w->n, m = w->m;
    double v[DIRECT_COLUMNS], plus[DIRECT_COLUMNS], minus[DIRECT_COLUMNS], T = x[P->variables - 1];
    gather(P, k, v, x);
    for (int j = 0; j < columns; j++) {
        double held = v[j], d = DIFFERENCE * fmax(1.0, fabs(held));
        v[j] = held + d;
        if (!pulled_back(P, k, v, multipliers, plus)) return 0;
        v[j] = held - d;
        if (!pulled_back(P, k, v, multipliers, minus)) return 0;
        v[j] = held;
        for (int i = 0; i < columns; i++) H[i * columns + j] = (plus[i] - minus[i]) / (2.0 * d);
    }
    for (int i = 0; i < 2 * m; i++) {
        int at = 3 * n + i;
        double mixed = factor * 0.5 * (w->weight[i % m] * v[at] + w->fuel[i % m]) / w->N;
        H[at * columns + at] += factor * 0.5 * T / w->N * w->weight[i % m];
        H[(columns - 1) * columns + at] += mixed;
        H[at * columns + columns - 1] += mixed;
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
        if (values && !block_hessian(P, k, x, factor, multipliers + 3 * w->n * k, H)) return 0;
        for (int i = 0; i < columns; i++)
            for (int j = 0; j <= i; j++, at++) {
                if (values)
                    values[at] = 0.5 * (H[i * columns + j] + H[j * columns + i]);
                else
                    row[at] = index_of(P, k, i), column[at] = index_of(P, k, j);
            }
    }
    return 1;
}

/* Start values and bounds from the present guess, whose poses are the reference; the last pose is the target's. */
static void fill_variables(program *P)
{
    const lie_control_work *w = P->w;
    int n = w->n, m = w->m, N = w->N, last = P->variables - 1;
    copy_n((N + 1) * w->size, P->reference, w->now.g);
    copy_n(w->size, P->reference + N * w->size, w->gT);
    for (int i = 0; i < P->variables; i++) P->x[i] = 0.0, P->low[i] = -HUGE_VAL, P->up[i] = HUGE_VAL;
    for (int k = 0; k <= N; k++) {
        int at = direct_node(w, k);
        copy_n(n, P->x + at + n, w->c->nu + k * n);
        if (k == N) break;
        copy_n(n, P->x + at + 2 * n, w->now.xi + k * n);
        for (int i = 0; i < 2 * m; i++) {
            P->x[at + 3 * n + i] = w->now.u[(i < m ? k : k + 1) * m + i % m];
            P->low[at + 3 * n + i] = w->lower[i % m], P->up[at + 3 * n + i] = w->upper[i % m];
        }
    }
    for (int i = 0; i < n; i++) {
        P->low[i] = P->up[i] = 0.0;
        P->low[n + i] = P->up[n + i] = P->x[n + i] = w->nu0[i];
    }
    for (int r = 0; r < w->rows; r++)
        if (w->row[r] < n) P->low[direct_node(w, N) + w->row[r]] = P->up[direct_node(w, N) + w->row[r]] = 0.0;
    P->x[last] = w->h * N;
    P->low[last] = P->opt->T_min > 0.0 ? P->opt->T_min : P->x[last];
    P->up[last] = P->opt->T_min > 0.0 ? P->opt->T_max : P->x[last];
}

static int run(const ipopt *I, program *P)
{
    const lie_control_work *w = P->w;
    int columns = direct_columns(w), rows = 3 * w->n;
    int jacobian = w->N * rows * columns + P->velocities * w->n, hessian = w->N * columns * (columns + 1) / 2;
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
        int at = direct_node(w, k); /* u-_k stands 3 n behind, u+_{k-1} m before */
        if (k < N) copy_n(n, w->now.xi + k * n, P->x + at + 2 * n);
        for (int i = 0; i < m; i++) {
            double minus = P->x[k < N ? at + 3 * n + i : at - m + i], plus = P->x[k > 0 ? at - m + i : at + 3 * n + i];
            w->now.u[k * m + i] = 0.5 * (minus + plus);
            P->opt->jump = fmax(P->opt->jump, fabs(minus - plus));
        }
        for (int i = 0; i < n; i++) w->p[k * n + i] = -P->multipliers[k < N ? 3 * n * k + i : 3 * n * (N - 1) + n + i];
    }
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
    lie_control_work *w = c->work;
    program P = {.w = w, .opt = opt, .variables = direct_node(w, w->N) + 2 * w->n + 1};
    ipopt I;
    lie_status status = LIE_ERR_MEMORY;
    if (opt->T_min != 0.0 || opt->T_max != 0.0)
        if (!(opt->T_min > 0.0) || !(opt->T_max > opt->T_min)) return LIE_ERR_HORIZON;
    w->c = c;
    opt->iterations = 0;
    if (lie__control_evaluate(w, &w->now) != LIE_OK) return LIE_ERR_GUESS;
    if (!load(&I)) return LIE_ERR_OPTIONAL;
    for (int r = 0; r < w->rows; r++) P.velocities += w->row[r] >= w->n;
    P.equations = 3 * w->n * w->N + P.velocities;
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
