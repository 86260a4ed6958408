/* SPDX-License-Identifier: MIT */
/* needs.c: what a method needs of a system, in words, from its descriptor. */
#include <stdio.h>

#include "cli/base/cli.h"

const char *cli_method_needs(char *text, size_t size, const lie_method *m)
{
    const char *lagrangian = m->needs_free && m->takes_frames
                                 ? "a Lagrangian that does not depend on g but by a moving frame"
                             : m->needs_free      ? "a Lagrangian that does not depend on g"
                             : m->takes_frames    ? "no gyroscopic term but of a moving frame and no general Lagrangian"
                             : m->needs_quadratic ? "no gyroscopic term and no general Lagrangian"
                                                  : "";
    const char *force = m->needs_unforced     ? "no external force"
                        : m->needs_positional ? "no external force that depends on the velocity"
                                              : "";
    snprintf(text, size, "%s%s%s%s%s%s%s", lagrangian, *lagrangian && *force ? ", " : "", force,
             m->groups && (*lagrangian || *force) ? ", " : "", m->groups ? "one of the groups " : "",
             m->groups ? m->groups : "", m->needs_uncoupled ? " with factors that the inertia does not couple" : "");
    return text;
}
