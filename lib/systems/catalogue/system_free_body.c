/* SPDX-License-Identifier: MIT */
/* system_free_body.c: the free rigid body on SO3 or S3.
 *
 *     l = 1/2 w . I w        Euler's equations I w' = I w x w
 *
 * w in rad/s, I in kg m^2 about the centre of mass.
 * Reference: Marsden & Ratiu, Introduction to Mechanics and Symmetry, 1999, chapter 15. */
#include "lib/systems/catalogue/attitude.h"

lie_status lie_free_body_system(lie_system *out, const lie_free_body *p, const char *group)
{
    return on_attitude_group(out, (lie_system){.name = "free_body", .inertia = p->inertia, .params = p}, group);
}
