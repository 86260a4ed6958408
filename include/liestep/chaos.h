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

typedef struct lie_chaos {
    int vectors;       /* k: how many exponents, 1 .. 2 n */
    double time;       /* sum of |h| */
    double fli, sali;  /* now */
    double *exponents; /* k */
    double scale;      /* of momenta */
    double size;       /* log |v| */
    double *growth;    /* k sums of logarithms */
    double *V, *W;     /* variations, 2 n numbers each, one behind the other: k orthonormal ones; 2 of unit length */
    double *T, *work;
} lie_chaos;

/* Doubles of work memory for k exponents with this stepper. */
LIE_API size_t lie_chaos_doubles(const lie_stepper *st, int vectors);

/* Start at the state s with fixed variations. `work` stays with the caller. Status: LIE_ERR_SIZE (vectors). */
LIE_API lie_status lie_chaos_init(lie_chaos *c, const lie_stepper *st, const lie_state *s, int vectors, double *work);

/* n steps, as lie_run takes them to the bit, and the indicators after them. Status: that of lie_step_tangent. */
LIE_API lie_status lie_chaos_run(lie_chaos *c, lie_stepper *st, lie_state *s, double h, long long n);

/* What a checkpoint must keep of the indicators for the same bits: memory_count doubles. Set them after lie_chaos_init
 * with a stepper of the same group and as many vectors. The state, and what the stepper has learnt
 * (lie_stepper_memory_get), are the caller's to keep. */
LIE_API int lie_chaos_memory_count(const lie_chaos *c);
LIE_API void lie_chaos_memory_get(const lie_chaos *c, double *out);
LIE_API void lie_chaos_memory_set(lie_chaos *c, const double *in);

LIE_END_DECLS

#endif
