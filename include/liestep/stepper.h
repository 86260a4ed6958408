/* SPDX-License-Identifier: MIT */
/* stepper.h: methods, and how to take steps with them.
 *
 *     lie_stepper *st;
 *     double work[1024];
 *     lie_state s;
 *     lie_stepper_init(&st, &sys, &(lie_options){.method = "auto"}, work, sizeof work);
 *     lie_state_set(&sys, &s, 0.0, g, omega);
 *     lie_run(st, &s, h, 1000);
 *
 * All of a stepper lies in its work memory. The state (state.h) is (t, g, m): time, group element, and the canonical
 * body momentum AT THE NODE, m = dl/dxi of the physical velocity. Nothing else is needed to go on, so h may change
 * from step to step and may be negative. Every method that claims `momentum` and every variational one ends with
 *     P  = m + all impulses of the step, brought to g
 *     g+ = g tau(theta),    m+ = Ad*_{tau(theta)} P,
 * so the spatial momentum changes by the spatial impulses to round-off, whatever the solver did.
 *
 * Parameters that the callbacks of the system read may change between two calls of lie_step or lie_run (system.h): no
 * force is kept from one call to the next. So a call of lie_step costs up to one force more than a step inside lie_run;
 * the bits are the same.
 *
 * Nothing allocates, prints or keeps a global; two steppers never share anything but const data. The same state, the
 * same calls and the same stepper give the same bits. On failure the state is that of the last step that succeeded.
 *
 * Threads: a stepper belongs to one thread at a time, and so does a state. Callbacks of the system, observers and the
 * linear solver of the options are called by that thread. An observer may read the stepper and the state; it must not
 * step, reset or change them.
 *
 * References: Bou-Rabee & Marsden, Hamilton-Pontryagin integrators on Lie groups I, 2009, (4.9) to (4.21); Marsden &
 * West, Discrete mechanics and variational integrators, 2001; Jimenez, thesis, 2012, section 5.2. */
#ifndef LIESTEP_STEPPER_H
#define LIESTEP_STEPPER_H

#include <stddef.h>

#include <liestep/state.h>
#include <liestep/tableau.h>

LIE_BEGIN_DECLS

typedef struct lie_stepper lie_stepper;
struct lie_discrete; /* discrete.h */

/* With which retractions a method has a property; or with every one, if its tableau is symmetric. */
typedef enum lie_when { LIE_NEVER = 0, LIE_WITH_EXP = 1, LIE_ALWAYS = 2, LIE_AS_TABLEAU = 3 } lie_when;

/* A method and what it claims; every claim is measured by the tests for every group and retraction. */
typedef struct lie_method {
    const char *name;
    const char *aliases;             /* null, or longer names of it, separated by spaces */
    const char *doc;                 /* one sentence */
    const char *reference;           /* author, year, equation */
    int order;                       /* with every retraction; 0: that of the tableau in the options */
    int order_exp;                   /* with exp */
    int symplectic;                  /* preserves the symplectic form of T*G (without external force) on every group */
    int momentum;                    /* spatial momentum changes by the spatial impulses to round-off */
    int energy;                      /* energy is constant to round-off (without external force) */
    lie_when self_adjoint;           /* F_{-h} o F_h = 1 on a group that is not flat */
    const char *self_adjoint_on;     /* null, or on these groups besides, and products of them */
    int explicit_;                   /* needs no iteration on any system */
    int needs_free;                  /* for l = 1/2 <I xi, xi> alone: neither potential nor gyroscopic term */
    int needs_quadratic;             /* for l = 1/2 <I xi, xi> - V(g): no gyroscopic term, no general Lagrangian */
    int takes_frames;                /* needs_quadratic, or needs_free, but takes the gyroscopic term of a moving
                                        frame, sys->frame, and the potential there; of a family that is absolute
                                        (family.h), with order 2, and no energy is claimed */
    int needs_unforced;              /* for systems without external force */
    int needs_positional;            /* for external forces that do not depend on the velocity */
    int needs_tableau;               /* the tableau comes from the options */
    int no_retraction;               /* the retraction changes nothing, */
    const char *no_retraction_on;    /* or on these groups and products of them; null: none */
    int leaves_group;                /* g is off the group by the error of the method; otherwise by round-off only */
    int needs_uncoupled;             /* on a product: for an inertia that does not couple the factors */
    const char *symplectic_on;       /* null, or where alone it is: groups or group/retraction, separated by spaces */
    const char *groups;              /* names of the groups it is for, separated by spaces; null: all; of products, if
                                        they are named, those whose factors are */
    const struct lie_family *family; /* how it is carried out */
    const char *tableau;             /* names of what it is made of; null: none, or from the options */
    const char *composition;
} lie_method;

LIE_API int lie_method_builtin_count(void);
LIE_API const lie_method *lie_method_builtin(int i); /* null outside 0 .. count-1 */
/* By its name or one of its aliases: "sv", "stoermer_verlet". Status: LIE_ERR_UNKNOWN_NAME. */
LIE_API lie_status lie_method_find(const lie_method **out, const char *name);

/* What a method claims on this group with its retraction: 1 yes, 0 no, LIE_UNSAID where nothing is said. tab: the
 * tableau of a method that needs one. On R^n and products of such, where all retractions are one map and ad* = 0, a
 * Runge-Kutta method is what its tableau makes it: symplectic if b_i a_ij + b_j a_ji = b_i b_j, self-adjoint if
 * a_ij + a_{s+1-i,s+1-j} = b_j (Hairer, Lubich & Wanner 2006, sections VI.4 and V.2); and every method keeps the
 * momentum. */
enum { LIE_UNSAID = -1 };
typedef struct lie_claims {
    int order;
    int symplectic, momentum, energy, self_adjoint;
    int no_retraction; /* the retraction changes nothing */
} lie_claims;
LIE_API void lie_method_claims(lie_claims *out, const lie_method *m, const lie_ops *G, const lie_tableau *tab);

/* Is the method for this system? LIE_ERR_METHOD if not: the fields needs_free to groups say why. */
LIE_API lie_status lie_method_takes(const lie_method *m, const lie_system *sys);

/* The method for a system of which nothing else is said: what lie_options.method "auto" takes. It goes by what the
 * system has, never by its name: a free rigid body, a potential, or more (docs/METHODS.md, "Which one?"). why, if not
 * null: one clause that says so. Status: that of lie_system_check. */
LIE_API lie_status lie_method_auto(const lie_method **out, const char **why, const lie_system *sys);
/* Of what it chooses: the i-th method, the first that takes the system wins; null beyond the last. */
LIE_API const lie_method *lie_method_auto_choice(int i, const char **why);

/* Where in the step the chart of an untruncated variational Runge-Kutta method has its centre. In the middle, symmetric
 * tableaux make it self-adjoint, at their order; at the start, none does (the midpoint rule with exp apart). On R^n the
 * method is the same. Claims are those of the default. */
typedef enum lie_anchor {
    LIE_ANCHOR_OF_TABLEAU = 0, /* in the middle if the tableau is symmetric, else at the start */
    LIE_ANCHOR_START = 1,
    LIE_ANCHOR_MIDDLE = 2
} lie_anchor;

/* How to step. Zero or null: the default. */
typedef struct lie_options {
    const char *method;         /* "sv", "gauss2", ... or an alias; "auto" or null: lie_method_auto */
    const char *retraction;     /* "exp", "cay", "skew", ...; of a product: of all its factors, or "exp,cay,..."
                               (lie_ops_choose); null: that of the system's group, of auto exp if that is built in */
    const lie_tableau *tableau; /* for "vprk", "vprk0" and "rkmk" */
    int max_iterations;         /* of one implicit solve; default 50 */
    int damping;                /* 1: the external force acts by half steps before and after each step of the method,
                                   which need not know of it: see below; 0: within the method */
    const lie_linear *linear;   /* solver of the linear systems; default: Gaussian elimination in the library */
    const double *newmark;      /* beta and gamma of "newmark"; default 1/4, 1/2; gamma = 0 is LIE_ERR_TABLEAU. With
                                   gamma = 1/2 on R^n: symplectic as seen through q + beta h^2 M^-1 grad V; 0: sv */
    const struct lie_discrete
        *discrete;     /* a discrete Lagrangian of your own: the method then; name none, or "discrete" */
    lie_anchor anchor; /* of "vprk", and of "gauss*" and "lobatto*" where they are in a chart */
    int terms; /* rkmk with exp: terms of the series of dexp^-1, 1 .. LIE_SERIES_MAX + 1; default: its closed form */
    const lie_method *own; /* a method of your own (family.h), which must outlive the stepper, for the one named */
} lie_options;

/* Damping beside a method, where the system has an external force. A step is then (Strang 1968; Armero & Simo 1996)
 *     m <- m + (h/2) f(t, g, v, u-),            v the velocity of the mean of m before and after
 *     (t, g, m) <- one step of the method for the system without this force
 *     m <- m + (h/2) f(t + h, g, v, u+),        likewise
 * with any method that takes the system without it. The middle velocity makes the half steps of order 2, symmetric, and
 * stable for every drag and step: the kinetic energy changes by exactly the work (h/2) <f, v>, which drag only takes
 * away. The whole is of order 2 with every method of order 2 or more, no better; self-adjoint if the method is; the
 * spatial momentum changes by the spatial impulses to round-off if the method keeps it (with dmv, which goes by what it
 * knows of the momentum, to 1e-13 a step). Two solves with n unknowns a step. lie_method_takes and lie_method_claims
 * speak of the method without it; tangents are taken by differences. */

/* Bytes of work memory for this system and these options; 0 where init would fail. */
LIE_API size_t lie_stepper_memsize(const lie_system *sys, const lie_options *opt);

/* Prepare to step: *st is a stepper in `work` (aligned for double, at least memsize bytes). `work` and `sys` stay with
 * the caller and must outlive it; `opt` is copied. On failure *st is not touched. Status: that of lie_system_check;
 * LIE_ERR_UNKNOWN_NAME (method, retraction), LIE_ERR_METHOD, LIE_ERR_TABLEAU, LIE_ERR_SIZE (terms), LIE_ERR_MEMORY,
 * LIE_ERR_INERTIA; LIE_ERR_VERSION. */
#define lie_stepper_init(...) lie_stepper_init_as(LIE_COMPILED(lie_options), __VA_ARGS__)
LIE_API lie_status lie_stepper_init_as(unsigned long long compiled, lie_stepper **st, const lie_system *sys,
                                       const lie_options *opt, void *work, size_t bytes);

/* The same checks, and which part was refused: of the system, "system...", of the options, "options...", or of the
 * memory. What only the preparation of a method finds (an inertia that its short cut cannot take) has no report: LIE_OK
 * here. The report may be null. */
LIE_API lie_status lie_stepper_explain(lie_report *report, const lie_system *sys, const lie_options *opt,
                                       const void *work, size_t bytes);

/* What it was made for: the system; the group with the retraction chosen; the method, of "auto" the one chosen; its
 * tableau and composition, null where it has none; the options with the defaults filled in. */
LIE_API const lie_system *lie_stepper_system(const lie_stepper *st);
LIE_API const lie_ops *lie_stepper_group(const lie_stepper *st);
LIE_API const lie_method *lie_stepper_method(const lie_stepper *st);
LIE_API const lie_tableau *lie_stepper_tableau(const lie_stepper *st);
LIE_API const lie_composition *lie_stepper_composition(const lie_stepper *st);
LIE_API const lie_options *lie_stepper_options(const lie_stepper *st);

/* The order of its steps: that of the method with this retraction, 2 at most where something is put around it (damping,
 * or a frame around a method that does not take it itself); 0: not known, as that of a tableau in the options. */
LIE_API int lie_stepper_order(const lie_stepper *st);

/* Statistics since init or lie_stepper_reset. last: of the last step, the largest residual and the number of iterations
 * of all its solves. */
typedef struct lie_statistics {
    lie_solve last;
    long long iterations; /* of all steps */
    int iterations_max;   /* of one step */
    double residual_max;
} lie_statistics;
LIE_API const lie_statistics *lie_stepper_statistics(const lie_stepper *st);

/* Forget the memory of earlier steps (first guesses) and the statistics. */
LIE_API void lie_stepper_reset(lie_stepper *st);

/* The memory of earlier steps, which a checkpoint must keep for the same bits: memory_count doubles. */
LIE_API int lie_stepper_memory_count(const lie_stepper *st);
LIE_API void lie_stepper_memory_get(const lie_stepper *st, double *out);
LIE_API void lie_stepper_memory_set(lie_stepper *st, const double *in);

/* Control of the steps to come: sys->controls values each, read at every step, owned by the caller. Between the ends
 * of a step methods with several stages interpolate linearly; from step to step the control may jump. */
LIE_API void lie_stepper_control(lie_stepper *st, const double *u_minus, const double *u_plus);

/* One step of length h. Status: LIE_ERR_SIZE (the state has no room for the body, or was never set), LIE_ERR_STEP_SIZE,
 * LIE_ERR_TIME, LIE_ERR_NOT_FINITE, LIE_ERR_NO_CONVERGENCE, LIE_ERR_SINGULAR, LIE_ERR_DOMAIN (a retraction left its
 * domain: the step is too long). */
LIE_API lie_status lie_step(lie_stepper *st, lie_state *s, double h);

/* n steps. Stops at the first that fails; s->steps tells how many were taken. The bits are those of n calls of
 * lie_step. */
LIE_API lie_status lie_run(lie_stepper *st, lie_state *s, double h, long long n);

/* n steps; the observer sees the state before the first, after every `every` steps and after the last one. A non-zero
 * answer ends the run with LIE_STOPPED. */
typedef int lie_observer(void *ctx, const lie_stepper *st, const lie_state *s);
LIE_API lie_status lie_run_observed(lie_stepper *st, lie_state *s, double h, long long n, long long every,
                                    lie_observer *observer, void *ctx);

LIE_END_DECLS

#endif
