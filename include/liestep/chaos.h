/* SPDX-License-Identifier: MIT */
/* chaos.h: is an orbit regular or chaotic? Lyapunov exponents, FLI and SALI from the exact tangent of the steps.
 *
 *   exponents   lambda_i = lim (1/t) log of the growth of the i-th of k orthonormalised variations (Benettin et al.
 *               1980): the largest is positive on a chaotic orbit and falls like (log t)/t on a regular one
 *   FLI         the largest log |v(s)|, s <= t, of one variation (Froeschle, Lega & Gonczi 1997): like lambda t on a
 *               chaotic orbit, like log t on a regular one
 *   SALI        min(|v/|v| - w/|w||, |v/|v| + w/|w||) of two (Skokos 2001): to 0 exponentially on a chaotic orbit, of
 *               order 1 or falling like a power of t on a regular one
 *
 * Variations are measured by the Euclidean norm of (eta, nu/scale), scale = |m| at the start. In liestep, not in
 * liestep-core: logarithms come from libm. */
#ifndef LIESTEP_CHAOS_H
#define LIESTEP_CHAOS_H

#include <liestep/tangent.h>

LIE_BEGIN_DECLS

/* Indicators of one orbit; lies wholly in its work memory. */
typedef struct lie_chaos lie_chaos;

typedef struct lie_chaos_numbers {
    int vectors;             /* k: how many exponents, 1 .. 2 n */
    double time;             /* sum of |h| */
    double fli, sali;        /* now */
    const double *exponents; /* k */
} lie_chaos_numbers;

/* Bytes of work memory for k exponents with this stepper; 0 where init would fail. */
LIE_API size_t lie_chaos_memsize(const lie_stepper *st, int vectors);

/* Start at the state s with fixed variations: *c lies in `work` (aligned for double, at least memsize bytes), which
 * stays with the caller. On failure *c is not touched. Status: LIE_ERR_SIZE (vectors; s has no room for the body),
 * LIE_ERR_MEMORY. */
LIE_API lie_status lie_chaos_init(lie_chaos **c, const lie_stepper *st, const lie_state *s, int vectors, void *work,
                                  size_t bytes);

/* The same start at another state, in the same memory. Status: LIE_ERR_SIZE, and nothing has changed. */
LIE_API lie_status lie_chaos_reset(lie_chaos *c, const lie_state *s);

/* Where the indicators stand. It lies in the memory of c, and shows what each function below leaves there. */
LIE_API const lie_chaos_numbers *lie_chaos_now(const lie_chaos *c);

/* n steps, as lie_run takes them to the bit, and the indicators after them. Any stepper of the same group will do
 * whose tangent needs no more memory. Status: that of lie_step_tangent; LIE_ERR_SIZE (another group). */
LIE_API lie_status lie_chaos_run(lie_chaos *c, lie_stepper *st, lie_state *s, double h, long long n);

/* What a checkpoint must keep of the indicators for the same bits: memory_count doubles. Set them after lie_chaos_init
 * with a stepper of the same group and as many vectors. State and stepper
 * (lie_stepper_memory_get) have a memory of their own. */
LIE_API int lie_chaos_memory_count(const lie_chaos *c);
LIE_API void lie_chaos_memory_get(const lie_chaos *c, double *out);
LIE_API void lie_chaos_memory_set(lie_chaos *c, const double *in);

LIE_END_DECLS

#endif
