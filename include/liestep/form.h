/* SPDX-License-Identifier: MIT */
/* form.h: the closed form of what acts on a body, as data: a system with one is stepped as fast as a ready one.
 *
 * On SO3 and S3, with a = R^T e3 and c = R^T e1 as the body sees them: a body under its weight, with wheels, in a frame
 * that turns about e3, and under the gradient of gravity along e1:
 *     A = n I a + s,     V = l . a + k/2 n^2 c . I c - n^2/2 a . I a - n s . a
 * On SE3, g = (R, x), xi = (w, v): a vessel with weight and buoyancy, drag and inputs:
 *     V = -arm . a - lift e3 . x,     F = (arm x a, lift a),     f = -D xi - (q_i |xi_i| xi_i) + W(u)
 *
 * A form states callbacks of the system: `force` by weight and frame, `gyro` by frame, `external` by drag and thrust.
 * It counts for a callback only as long as the system has the one that the form names, so that whoever replaces the
 * force of a system need not think of its form. Where a form counts, steppers take the numbers instead of calling: sv,
 * ve_fwd, ve_bwd and rk4_q the weight, alone and in the lanes of ensembles; sv with cay the frame, likewise; pirk8,
 * pirk12 and pirk16 all of it but a weight in a frame. The others call. lie_system_compare_derivatives tells whether
 * form and callbacks say the same.
 *
 * The simplest system with a form has no callbacks of its own: lie_form_complete gives it those below. */
#ifndef LIESTEP_FORM_H
#define LIESTEP_FORM_H

#include <liestep/system.h>

LIE_BEGIN_DECLS

/* The frame from which an attitude is measured, and what is stored in the body. */
typedef struct lie_form_frame_terms {
    double rate;      /* n, of the frame about e3, rad/s */
    double stored[3]; /* s, momentum of wheels relative to the body, N m s */
    double gradient;  /* k: 3 on a circular orbit around a sphere, with e1 radially outward; 0 without */
} lie_form_frame_terms;

/* The functions tell what the numbers are now: they read sys->params, which may change between two calls of lie_step,
 * lie_run or lie_ensemble_run. A null function: there is no such term. */
struct lie_form {
    /* The callbacks of the system that are stated; null: lie_form_force, lie_form_gyro, lie_form_external. */
    void (*force)(const lie_system *sys, double *F, const double *g);
    void (*gyro)(const lie_system *sys, double *A, const double *g);
    void (*external)(const lie_system *sys, double *f, double t, const double *g, const double *xi, const double *u);

    void (*weight)(const lie_system *sys, double *w);                /* l (3) on SO3 and S3; arm (3) and lift on SE3 */
    void (*frame)(const lie_system *sys, lie_form_frame_terms *out); /* SO3, S3 */
    void (*drag)(const lie_system *sys, double *linear, double *quadratic); /* SE3: D (6 x 6) and q (6) */
    void (*thrust)(const lie_system *sys, double *wrench, const double *u); /* SE3: W(u) (6); u may be null */
};

/* What the form of a system states of its callbacks, a sum of these; 0 without a form. */
enum { LIE_FORM_FORCE = 1, LIE_FORM_GYRO = 2, LIE_FORM_EXTERNAL = 4 };
LIE_API int lie_form_states(const lie_system *sys);

/* Ready callbacks: what the form of the system says. A term costs a call of its function each time. */
LIE_API double lie_form_potential(const lie_system *sys, const double *g);
LIE_API void lie_form_force(const lie_system *sys, double *F, const double *g);
LIE_API void lie_form_force_deriv(const lie_system *sys, double *D, const double *g);
LIE_API void lie_form_gyro(const lie_system *sys, double *A, const double *g);
LIE_API void lie_form_gyro_deriv(const lie_system *sys, double *D, const double *g);
LIE_API void lie_form_frame(const lie_system *sys, double *eta, double *a);
LIE_API void lie_form_external(const lie_system *sys, double *f, double t, const double *g, const double *xi,
                               const double *u);
LIE_API void lie_form_external_deriv(const lie_system *sys, double *D, double t, const double *g, const double *xi,
                                     const double *u);

/* Give a system with a name, a group, an inertia, params and a form the callbacks above for which the form has terms;
 * it must have none of them yet. Then lie_system_check. Status: LIE_ERR_INCOMPLETE without a form, with a callback
 * already there, or where the form names callbacks; LIE_ERR_METHOD where the group is none for its terms; that of
 * lie_system_check. *sys is left alone on failure. */
LIE_API lie_status lie_form_complete(lie_system *sys);

LIE_END_DECLS

#endif
