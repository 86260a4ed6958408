/* SPDX-License-Identifier: MIT */
/* report.h: which argument, entry or name was refused, for those who ask.
 *
 *     lie_report report;
 *     char sentence[160];
 *     if (lie_stepper_init(&st, &sys, &opt, work, sizeof work) != LIE_OK) {
 *         lie_stepper_explain(&report, &sys, &opt, work, sizeof work);
 *         lie_report_text(sentence, sizeof sentence, &report);   system.inertia[3]: must equal the entry across the
 *     }                                                          diagonal
 *
 * A status says what kind of thing is wrong. Each function whose inputs have many parts has a twin that ends in
 * _explain: it makes the same checks in the same order with the same answer, changes nothing, and fills a report with
 * the first part that was refused. Nothing is stored between the calls, so a report costs nothing until it is wanted,
 * and threads do not meet. */
#ifndef LIESTEP_REPORT_H
#define LIESTEP_REPORT_H

#include <stddef.h>

#include <liestep/status.h>

LIE_BEGIN_DECLS

enum { LIE_REPORT_KEY = 32 };

/* With LIE_OK nothing was refused: the texts are "", the index is -1. Texts are never null and have static storage. */
typedef struct lie_report {
    lie_status status;
    const char *what;         /* the argument, field or callback: "system.inertia", "options.retraction" */
    long long index;          /* of the entry, from 0, row by row in a matrix; -1: the whole */
    double found;             /* the number that was found there; 0 where it is none */
    double limit;             /* the number that it must not pass; 0 where there is none */
    const char *expected;     /* what would do, a clause: "must be finite" */
    char key[LIE_REPORT_KEY]; /* the name that was not found, cut where it is longer; "" otherwise */
} lie_report;

/* The report as a sentence, `what[index] "key": expected`, cut to `size` bytes with the 0 at the end. Answers how many
 * characters the whole sentence has. out may be null if size is 0. */
LIE_API size_t lie_report_text(char *out, size_t size, const lie_report *report);

LIE_END_DECLS

#endif
