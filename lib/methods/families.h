/* SPDX-License-Identifier: MIT */
/* families.h: the families of methods, each in a file of its own, and the methods that are in no list. Internal. */
#ifndef LIESTEP_LIB_FAMILIES_H
#define LIESTEP_LIB_FAMILIES_H

#include <liestep/family.h>

/* lie__<family>, of the families that methods.def names */
#define METHOD(name_, family_, ...) extern const lie_family lie__##family_;
#include "lib/methods/methods.def"
#undef METHOD

extern const lie_family lie__discrete;
extern const lie_family lie__embedded_general; /* in the stead of lie__embedded, where there are no lanes */
extern const lie_method lie__method_discrete;  /* that of lie_options.discrete; it is in no list */

/* lie_method_takes, and why not. The report may be null. */
lie_status lie__method_explain(lie_report *r, const lie_method *m, const lie_system *sys);

#endif
