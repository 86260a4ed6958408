/* SPDX-License-Identifier: MIT */
/* refuse.h: how a check answers: with a status, and with a report where somebody wants one (null: nobody). Internal. */
#ifndef LIESTEP_NUM_REFUSE_H
#define LIESTEP_NUM_REFUSE_H

#include <liestep/report.h>

/* Nothing was refused: LIE_OK. */
lie_status lie__accept(lie_report *r);

/* The whole of `what`. */
lie_status lie__refuse(lie_report *r, lie_status status, const char *what, const char *expected);

/* One entry of it, or a number (index -1) that must not pass the limit. */
lie_status lie__refuse_entry(lie_report *r, lie_status status, const char *what, long long index, double found,
                             double limit, const char *expected);

/* A name, which may be null. */
lie_status lie__refuse_name(lie_report *r, lie_status status, const char *what, const char *name, const char *expected);

/* LIE_OK, or LIE_ERR_NOT_FINITE with the first of the n numbers that is not finite. */
lie_status lie__refuse_not_finite(lie_report *r, const char *what, long long n, const double *x);

/* Memory of an init: LIE_ERR_MEMORY where it is null, not aligned for double, or has fewer bytes than needed; and where
 * needed is 0, because the object cannot be made. */
lie_status lie__refuse_memory(lie_report *r, const void *work, size_t bytes, size_t needed);

#endif
