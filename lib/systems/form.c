/* SPDX-License-Identifier: MIT */
/* form.c: the callbacks that a closed form stands for, and which of a system's callbacks it states; see form.h of
 * include/liestep. With a = R^T e3, d/ds a = a x eta along R exp(s eta):
 *
 *     SO3, S3   V and F of a well (well.h), A = n I a + s
 *     SE3       F = (arm x a, lift a),  dF = ((hat(arm), lift) hat(a), 0),  f = -D xi - (q_i |xi_i| xi_i) + W(u) */
#include "lib/systems/form.h"
#include "groups/num/vec3.h"
#include "lib/systems/directions.h"

#include <string.h>

#include "lib/systems/vessel.h"

/* 3 for attitudes, 6 for motions, 0 for groups of which forms say nothing */
static int group_of(const lie_ops *G)
{
    if (strcmp(G->group, "S3") == 0 && G->dim == 3 && G->size == 4) return 3;
    if (strcmp(G->group, "SO3") == 0 && G->dim == 3 && G->size == 9) return 3;
    return strcmp(G->group, "SE3") == 0 && G->dim == 6 && G->size == 12 ? 6 : 0;
}

int lie_form_states(const lie_system *sys)
{
    const lie_form *form = sys->form;
    int of = form && !sys->lagrangian ? group_of(sys->group) : 0, states = 0;
    if (of == 0) return 0;
    int has_force = form->weight || (of == 3 && form->frame), has_external = of == 6 && (form->drag || form->thrust);
    if (has_force && sys->force == (form->force ? form->force : lie_form_force)) states |= LIE_FORM_FORCE;
    if (of == 3 && form->frame && sys->gyro == (form->gyro ? form->gyro : lie_form_gyro)) states |= LIE_FORM_GYRO;
    if (has_external && sys->external == (form->external ? form->external : lie_form_external))
        states |= LIE_FORM_EXTERNAL;
    return states;
}

double lie_form_potential(const lie_system *sys, const double *g)
{
    double w[FORM_WEIGHT_DOUBLES];
    lie_form_frame_terms frame;
    if (sys->group->dim == 3) return potential_in(sys, form_well(sys, &frame), g);
    sys->form->weight(sys, w);
    return -w[3] * g[11] - dot3(w, g + 6);
}

void lie_form_force(const lie_system *sys, double *F, const double *g)
{
    double w[FORM_WEIGHT_DOUBLES];
    lie_form_frame_terms frame;
    if (sys->group->dim == 3) {
        force_in(sys, form_well(sys, &frame), F, g);
        return;
    }
    sys->form->weight(sys, w);
    righting_force(F, w, w[3], g);
}

void lie_form_force_deriv(const lie_system *sys, double *D, const double *g)
{
    double w[FORM_WEIGHT_DOUBLES];
    lie_form_frame_terms frame;
    if (sys->group->dim == 3) {
        force_deriv_in(sys, form_well(sys, &frame), D, g);
        return;
    }
    sys->form->weight(sys, w);
    righting_force_deriv(D, w, w[3], g);
}

void lie_form_gyro(const lie_system *sys, double *A, const double *g)
{
    lie_form_frame_terms frame;
    sys->form->frame(sys, &frame);
    spin(sys, frame.rate, A, g);
    for (int i = 0; i < 3; i++) A[i] += frame.stored[i];
}

void lie_form_gyro_deriv(const lie_system *sys, double *D, const double *g)
{
    lie_form_frame_terms frame;
    sys->form->frame(sys, &frame);
    spin_deriv(sys, frame.rate, D, g);
}

void lie_form_frame(const lie_system *sys, double *eta, double *a)
{
    lie_form_frame_terms frame;
    sys->form->frame(sys, &frame);
    eta[0] = eta[1] = 0.0, eta[2] = frame.rate;
    copy_n(3, a, frame.stored);
}

/* D and q, or zeros */
static void drag_of(const lie_system *sys, double *linear, double *quadratic)
{
    zero_n(36, linear);
    zero_n(6, quadratic);
    if (sys->form->drag) sys->form->drag(sys, linear, quadratic);
}

void lie_form_external(const lie_system *sys, double *f, double t, const double *g, const double *xi, const double *u)
{
    double linear[36], quadratic[6], wrench[6];
    (void)t, (void)g;
    drag_of(sys, linear, quadratic);
    drag_force(f, linear, quadratic, xi);
    if (!sys->form->thrust) return;
    sys->form->thrust(sys, wrench, u);
    for (int i = 0; i < 6; i++) f[i] += wrench[i];
}

void lie_form_external_deriv(const lie_system *sys, double *D, double t, const double *g, const double *xi,
                             const double *u)
{
    double linear[36], quadratic[6];
    (void)t, (void)g, (void)u;
    drag_of(sys, linear, quadratic);
    drag_force_deriv(D, linear, quadratic, xi);
}

lie_status lie_form_complete(lie_system *sys)
{
    lie_system made = *sys;
    const lie_form *form = sys->form;
    if (!form || !sys->group || form->force || form->gyro || form->external) return LIE_ERR_INCOMPLETE;
    if (made.potential || made.force || made.force_deriv || made.gyro || made.gyro_deriv || made.frame)
        return LIE_ERR_INCOMPLETE;
    if (made.external || made.external_deriv) return LIE_ERR_INCOMPLETE;
    int of = group_of(sys->group);
    if (of == 0 || (of == 3 ? form->drag || form->thrust : form->frame != 0)) return LIE_ERR_METHOD;
    if (form->weight || form->frame) {
        made.potential = lie_form_potential, made.force = lie_form_force;
        made.force_deriv = lie_form_force_deriv;
    }
    if (form->frame) made.gyro = lie_form_gyro, made.gyro_deriv = lie_form_gyro_deriv, made.frame = lie_form_frame;
    if (form->drag || form->thrust) made.external = lie_form_external, made.external_deriv = lie_form_external_deriv;
    lie_status status = lie_system_check(&made);
    if (status == LIE_OK) *sys = made;
    return status;
}
