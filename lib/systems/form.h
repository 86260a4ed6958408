/* SPDX-License-Identifier: MIT */
/* form.h: what steppers and ready callbacks ask a closed form for. Internal. */
#ifndef LIESTEP_LIB_FORM_H
#define LIESTEP_LIB_FORM_H

#include <liestep/form.h>

#include "lib/systems/directions.h"
#include "lib/systems/well.h"

enum { FORM_WEIGHT_DOUBLES = 4 };

/* That force at g, of `size` numbers: the text of the lanes, so that a body has the same bits alone. */
LIE_INLINE void form_weight_force(const lie_system *sys, int size, double *F, const double *g)
{
    double w[FORM_WEIGHT_DOUBLES];
    sys->form->weight(sys, w);
    weight_force(size, F, w, g);
}

/* V and the frame that it belongs to, on SO3 and S3: s = -n^2, s1 = k n^2, and l without n times what is stored */
LIE_INLINE well form_well(const lie_system *sys, lie_form_frame_terms *frame)
{
    const lie_form *form = sys->form;
    double w[3] = {0.0, 0.0, 0.0};
    *frame = (lie_form_frame_terms){.rate = 0.0};
    if (form->weight) form->weight(sys, w);
    if (!form->frame) return (well){0.0, {w[0], w[1], w[2]}, 0.0};
    form->frame(sys, frame);
    double n = frame->rate;
    well q = {.s = -n * n, .s1 = frame->gradient * n * n};
    for (int i = 0; i < 3; i++) q.l[i] = form->weight ? w[i] - n * frame->stored[i] : -n * frame->stored[i];
    return q;
}

#endif
