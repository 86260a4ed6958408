/* SPDX-License-Identifier: MIT */
/* control.h: optimal control: the cheapest inputs that bring a system from one state to another in a given time.
 *
 *     minimise   h/4 sum_k (c(u-_k) + c(u+_k)),   c(u) = sum_i (w_i u_i^2 + 2 f_i |u_i|),   k = 0 .. N-1,  h = T/N
 *     such that  nu_k + (h/2)(F(g_k) + f(g_k, xi_k, u-_k)) = (dtau^-1_{h xi_k})^T I xi_k =: mu_k
 *                g_{k+1} = g_k tau(h xi_k)
 *                nu_{k+1} = Ad*_{tau(h xi_k)} mu_k + (h/2)(F(g_{k+1}) + f(g_{k+1}, xi_k, u+_k))
 *                (g_0, nu_0) = (g0, I xi0),  (g_N, nu_N) = (gT, I xiT),  min <= u <= max,
 *
 * f = drag and other forces of the system + B(g) u: the forced steps of method "sv" themselves are the constraints, so
 * that what is computed can be flown: lie_control_fly. Momenta nu enter no cost, hence u+_{k-1} and u-_k, which add to
 * the same impulse, have one multiplier p_k, and are taken as one input u_k of the node (Jimenez, (5.53b)). A cost of
 * the user's own may be added, both ends may be free in part or lie on sets, and wheels store momentum.
 *
 * A gyroscopic term A(g) is taken as the force ad*_xi A + (dA)^T xi - dA xi on the kinetic momentum I xi, which nu then
 * is: order 2 like the rest. lie_control_system is the system that is flown.
 *
 *     lie_control *c;
 *     lie_control_init(&c, &problem, work, bytes);
 *     lie_control_line(c, 0);                     first guess: the straight line in the algebra
 *     lie_control_solve(c, 0);
 *     const lie_control_answer *a = lie_control_now(c);
 *     a->u, a->xi, a->g, a->nu, a->p, a->cost     the answer, node by node
 *
 * Newton's method on the optimality conditions, exact first derivatives; one iteration costs O(N) time, and memory is
 * O(N). Nothing allocates. In liestep, not in liestep-core.
 *
 * Threads: a lie_control belongs to one thread at a time; two of them share nothing. Costs, sets, the monitor and the
 * callbacks of the system are called by the thread that solves, one at a time. They may read lie_control_now of the
 * lie_control that is being solved and must not pass it to another function.
 *
 * References: Jimenez, thesis, 2012, section 5.2, Algorithm 5.2.5; Kobilarov & Marsden, IEEE Trans. Robotics 27
 * (2011). */
#ifndef LIESTEP_CONTROL_H
#define LIESTEP_CONTROL_H

#include <liestep/actuation.h>
#include <liestep/stepper.h>

LIE_BEGIN_DECLS

/* A cost C(t, g, xi, u) with its derivatives. gradient (may be null): along g exp(s e_i), n numbers; in xi, n; in u, m;
 * in t, 1. hessian (may be null): (2n + m) x (2n + m), second derivatives in the first three; symmetric, the part in
 * the pose that of s -> C(g exp(s eta)). n and m are those of the lie_control: with wheels g ends with angles that mean
 * nothing, and xi with h_j - <a_j, w>, h_j being what wheel j has stored. */
typedef double lie_control_cost_fn(void *ctx, double *gradient, double *hessian, double t, const double *g,
                                   const double *xi, const double *u);

/* Added to the cost: (h/2) sum_k (C(t_k, g_k, xi_k, u_k) + C(t_{k+1}, g_{k+1}, xi_k, u_{k+1})) of `running`, and
 * `terminal` at (T, g_N, xi(T)), where u is null and counts as m = 0. Either may be null. Second derivatives between xi
 * and u are not used: where they are not 0, convergence is linear. */
typedef struct lie_control_cost {
    lie_control_cost_fn *running, *terminal;
    void *ctx;
} lie_control_cost;

/* States with c(g, xi) = 0, `count` numbers. D (may be null): count x 2n, derivatives along g exp(s e_j) and in xi. */
typedef struct lie_control_states {
    int count;
    void (*value)(void *ctx, double *c, double *D, const double *g, const double *xi);
    void *ctx;
} lie_control_states;

/* What is asked. Everything stays with the caller and must outlive the lie_control. Zero or null: the default. */
typedef struct lie_control_problem {
    const lie_actuation *actuation;    /* limits of the actuators are the bounds on u; the base's own controls are 0 */
    const char *retraction;            /* "exp", "cay", ...; null: that of the system's group */
    const double *g0, *xi0, *gT, *xiT; /* states at the ends: group elements and body velocities; null xi: at rest */
    const int *free_pose;     /* dim flags: component i of tau^-1(gT^-1 g_N) may have any value; null: none is free */
    const int *free_velocity; /* dim flags: component i of the body velocity at the end is free; null: none */
    double T;                 /* duration */
    int N;                    /* intervals, 2 or more */
    const double *weight;     /* w, one per actuator, >= 0; null: 1, or 0 where `fuel` is given */
    const double *fuel;       /* f, one per actuator, >= 0: cost of |u|; null: 0 */
    double time_weight;       /* of T in the cost: for lie_control_best_time */
    const lie_control_cost *cost;                     /* the user's, added; null: none */
    const int *free_start_pose, *free_start_velocity; /* the same of line^-1(g0^-1 g_0) and of the velocity there */
    const lie_control_states *start_set,
        *target_set;                 /* null: none. With a set and no flags that end is free but for it */
    const double *wheels0, *wheelsT; /* momenta stored in the LIE_WHEELs; null: 0 at the start, any at the end */
} lie_control_problem;

enum { LIE_CONTROL_WHEELS = 4 };

/* How the iteration stands, for a monitor. */
typedef struct lie_control_progress {
    int iteration;
    double cost;
    double residual; /* of the optimality conditions: the largest of the three that follow */
    double dynamics; /* largest defect of the momentum equations, relative to the largest momentum */
    double target;   /* distance from the target: pose, and velocity relative to the largest */
    double gradient; /* largest entry of the gradient of the Lagrange function in u and xi, relative to its terms */
    double barrier;  /* parameter of the barrier for bounds, 0 without bounds */
    double step;     /* part of the Newton step that was taken, 0 .. 1 */
    double
        convex; /* 1: strictly convex on the linearised conditions, Newton's method, at the end a strict local minimum;
                        less: the curvature of the constraints counts so much beside the cost, 0 .. 1 */
    int floor;  /* 1 at the end: the tolerance was not met, but the residual is below 1e-9 and falls no more */
} lie_control_progress;

typedef struct lie_control_options {
    int max_iterations; /* default 200 */
    double
        tolerance; /* on the residual; default 1e-11. Where rounding keeps it above, below 1e-9, that is an answer too:
                           last.floor. Bounds are kept to the square root of the arithmetic */
    int (*monitor)(void *ctx, const lie_control_progress *now); /* after every iteration; non-zero ends: LIE_STOPPED */
    void *ctx;
} lie_control_options;

/* What lie_control_compare_derivatives found: of each function of the user's the largest error of a derivative,
 * relative to the largest entry of its row, as far as it exceeds what the differences leave open; -1 where there is
 * none. */
typedef struct lie_control_report {
    double running_gradient, running_hessian, terminal_gradient, terminal_hessian, target_set, start_set;
    const char *worst;      /* the one with the largest error, by these names; "none" */
    double error;           /* of the worst; 0 for "none" */
    int row, column;        /* of its largest error, from 0 */
    double given, expected; /* there: what the function says and what the differences say */
} lie_control_report;

/* A problem and its present path, guess or answer; lies wholly in its work memory. */
typedef struct lie_control lie_control;

/* The present path. */
typedef struct lie_control_answer {
    const lie_control_problem *problem; /* what was asked, its T that of now */
    const lie_ops *group;               /* with wheels the product of the system's and R^k */
    int n, m, N;                        /* dimension, one more for every wheel; inputs; intervals */
    double h;                           /* T/N */
    const double *xi;                   /* N x n: velocities of the intervals */
    const double *u;                    /* (N+1) x m: inputs at the nodes; u-_k = u_k, u+_k = u_{k+1} */
    const double *p;           /* (N+1) x n: multipliers of the momentum equations; w u = B^T p where no bound holds */
    const double *g;           /* (N+1) x size of the group */
    const double *nu;          /* (N+1) x n: momenta at the nodes, the state of the steppers; wheels last */
    double cost;               /* with time_weight T */
    double cost_by_time;       /* d cost / d T of the optimal cost, from the multipliers */
    lie_control_progress last; /* of the last iteration */
} lie_control_answer;

/* It lies in the memory of c, and shows what each function below leaves there. */
LIE_API const lie_control_answer *lie_control_now(const lie_control *c);

/* Bytes of work memory; 0 where init would fail. */
LIE_API size_t lie_control_memsize(const lie_control_problem *p);

/* Prepare: *c is the problem in `work` (aligned for double, at least memsize bytes), which stays with the caller; the
 * first guess is lie_control_line(c, 0). On failure *c is not touched. Status: LIE_ERR_INCOMPLETE (null actuation, g0
 * or gT), that of the system or retraction, LIE_ERR_LAGRANGIAN (a general one), LIE_ERR_SIZE (more than
 * LIE_CONTROL_WHEELS wheels), LIE_ERR_NOT_FINITE, LIE_ERR_NOT_IN_GROUP (g0, gT), LIE_ERR_HORIZON (T), LIE_ERR_INTERVALS
 * (N), LIE_ERR_INPUTS (no inputs, or one that does nothing), LIE_ERR_BOUNDS, LIE_ERR_COST (a negative weight; an input
 * without weight, fuel or a cost of the user's), LIE_ERR_BOUNDARY (a set without a function, or more than 2n conditions
 * at one end), LIE_ERR_MEMORY, LIE_ERR_VERSION. Inputs that depend on each other are no error: see
 * lie_actuation_dependence. */
#define lie_control_init(...) lie_control_init_as(LIE_COMPILED(lie_control_problem), __VA_ARGS__)
LIE_API lie_status lie_control_init_as(unsigned long long compiled, lie_control **c, const lie_control_problem *p,
                                       void *work, size_t bytes);

/* The user's derivatives against differences at (t_k, g_k, xi_k, u_k) of the present path, 0 <= k < N; all of them
 * there, those of the ends too. Take a generic point: bend the path first, and set inputs. Status: LIE_ERR_SIZE (k),
 * that of the retraction. */
LIE_API lie_status lie_control_compare_derivatives(const lie_control *c, lie_control_report *report, int k);

/* First guesses. line: along the one-parameter group from g0 to gT, at rest at both ends, without inputs; way = 1: the
 * other way round, by 2 pi less (groups with a rotation: SO3, S3, SE3, SE2, and products that begin with one). Status:
 * LIE_ERR_DOMAIN (way 1 on another group), LIE_ERR_GUESS (no straight line: the group has no tauinv, or its domain
 * ends). set: the user's xi (N x n) and u ((N+1) x m; null: 0); LIE_ERR_GUESS where not finite or out of the domain of
 * tau. bend: adds waves of relative size `size` to xi, different ones for every seed. */
LIE_API lie_status lie_control_line(lie_control *c, int way);
LIE_API lie_status lie_control_set(lie_control *c, const double *xi, const double *u);
LIE_API lie_status lie_control_bend(lie_control *c, double size, int seed);

/* From the present guess to an extremal, a local minimum, strict where last.convex is 1. `opt` may be null. On
 * failure c keeps the last iterate. Status: LIE_OK (the tolerance was met, or a full Newton step at a residual below
 * 1e-9 did not halve it: last.floor); LIE_ERR_NO_CONVERGENCE; LIE_ERR_UNREACHABLE (the linearised steps cannot reach
 * the target from the present iterate: too few inputs, or a path along which they do not act); LIE_ERR_GUESS;
 * LIE_STOPPED. */
LIE_API lie_status lie_control_solve(lie_control *c, const lie_control_options *opt);

/* A path saved in `path`, path_memsize bytes of the caller's (aligned for double): velocities, inputs, multipliers;
 * plain numbers. load: as a guess that knows its multipliers, so that solving again takes no step. Status:
 * LIE_ERR_MEMORY (path, bytes); load: LIE_ERR_GUESS. */
LIE_API size_t lie_control_path_memsize(const lie_control *c);
LIE_API lie_status lie_control_save(const lie_control *c, void *path, size_t bytes);
LIE_API lie_status lie_control_load(lie_control *c, const void *path, size_t bytes);

/* The same by continuation from the line: to targets on the way first, in `stages` parts, shorter ones where one fails.
 * `work`: path_memsize bytes of scratch. Status: that of lie_control_solve; LIE_ERR_SIZE (stages < 1),
 * LIE_ERR_MEMORY. */
LIE_API lie_status lie_control_continue(lie_control *c, const lie_control_options *opt, int stages, void *work,
                                        size_t bytes);

/* From the present guess by homotopy in the cost: least effort first, then more and more of `fuel` and of the user's
 * cost, in `stages` parts, shorter ones where one fails. `work`: path_memsize bytes of scratch. Status: that of
 * lie_control_solve; LIE_ERR_SIZE (stages < 1), LIE_ERR_MEMORY. */
LIE_API lie_status lie_control_homotopy(lie_control *c, const lie_control_options *opt, int stages, void *work,
                                        size_t bytes);

/* One local minimum that was found. */
typedef struct lie_control_extremal {
    double cost;
    int start; /* first one that led here: 0 the present guess, 1 the line, 2 the line the other way round, then bent
                  lines; with fuel or a cost of the user's 3 is the line by homotopy in the cost */
    int hits;  /* how many starts led here */
    int iterations; /* of the first */
} lie_control_extremal;

/* Several starts: the distinct extremals, cheapest first, and c holds the cheapest. *found: how many there are, at most
 * `capacity` are stored. `failed` starts (may be null) did not converge. Two are the same where costs agree to 1e-7 and
 * the paths to 1e-4. `work`: search_memsize bytes; afterwards the path of extremal i, for lie_control_load, is there
 * from byte i x path_memsize on. Status: that of a start if none converged; LIE_ERR_SIZE (starts, capacity < 1),
 * LIE_ERR_MEMORY. */
LIE_API size_t lie_control_search_memsize(const lie_control *c, int capacity);
LIE_API lie_status lie_control_search(lie_control *c, const lie_control_options *opt, int starts,
                                      lie_control_extremal *out, int capacity, int *found, int *failed, void *work,
                                      size_t bytes);

/* The duration with the least cost between shortest and longest, by safeguarded secant steps on d cost/d T;
 * T and the path are then those. Status: that of lie_control_solve; LIE_ERR_HORIZON (bounds of T). */
LIE_API lie_status lie_control_best_time(lie_control *c, const lie_control_options *opt, double shortest,
                                         double longest);

/* Another T, the path kept as a guess. Status: LIE_ERR_HORIZON, LIE_ERR_GUESS. */
LIE_API lie_status lie_control_set_time(lie_control *c, double T);

/* The system that the manoeuvre is of, with its inputs as controls: wheels as a factor of the group, a gyroscopic term
 * as a force. It refers to the work memory of c. */
LIE_API void lie_control_system(const lie_control *c, lie_system *out);

/* Fly the inputs open loop from (g_0, nu_0) through the steps of method "sv" of that system: the state at the end.
 * `work`: fly_memsize bytes. Status: that of the steps; LIE_ERR_SIZE (no room for the body), LIE_ERR_MEMORY. */
LIE_API size_t lie_control_fly_memsize(const lie_control *c);
#define lie_control_fly(c, end, ...) lie_control_fly_in(c, LIE_STATE_IN(end), __VA_ARGS__)
LIE_API lie_status lie_control_fly_in(const lie_control *c, lie_state *end, int room_g, int room_m, void *work,
                                      size_t bytes);

/* The same problem as a nonlinear program for Ipopt (libipopt is loaded when this is called): unknown are poses,
 * momenta, velocities, u- and u+ apart, and T if it is free; first derivatives exact, second ones differences of them.
 * An independent way to the same answer, from the same guess; c then holds it as after lie_control_solve, with the mean
 * of u+_{k-1} and u-_k at the nodes. This function allocates. */
typedef struct lie_control_ipopt {
    double tolerance;    /* default 1e-11 */
    int max_iterations;  /* default 1000 */
    int differences;     /* 1: no derivatives are given to Ipopt, to see what they are worth */
    double T_min, T_max; /* both 0: T is fixed */
    int iterations;      /* out: evaluations of the gradient */
    double jump;         /* out: the largest difference of u+_{k-1} and u-_k */
} lie_control_ipopt;

/* Status: LIE_ERR_OPTIONAL (no libipopt), LIE_ERR_HORIZON (T_min, T_max), LIE_ERR_NO_CONVERGENCE, LIE_ERR_GUESS,
 * LIE_ERR_MEMORY (the heap is exhausted). */
LIE_API lie_status lie_control_solve_ipopt(lie_control *c, lie_control_ipopt *opt);

/* The largest part of a momentum equation that no input can balance: 0 but for rounding on a solution, where directions
 * without inputs are exactly unforced (Phi of Jimenez, (5.52)). */
LIE_API double lie_control_unactuated(const lie_control *c);

LIE_END_DECLS

#endif
