/* SPDX-License-Identifier: MIT */
/* report.c: reports of what was refused, filled and written out; see liestep/report.h. Without stdio: the core has
 * none. */
#include <stdint.h>
#include <string.h>

#include "groups/num/refuse.h"

lie_status lie__refuse_entry(lie_report *r, lie_status status, const char *what, long long index, double found,
                             double limit, const char *expected)
{
    if (r) *r = (lie_report){status, what, index, found, limit, expected, ""};
    return status;
}

lie_status lie__refuse(lie_report *r, lie_status status, const char *what, const char *expected)
{
    return lie__refuse_entry(r, status, what, -1, 0.0, 0.0, expected);
}

lie_status lie__accept(lie_report *r)
{
    return lie__refuse(r, LIE_OK, "", "");
}

lie_status lie__refuse_name(lie_report *r, lie_status status, const char *what, const char *name, const char *expected)
{
    lie__refuse(r, status, what, expected);
    for (int i = 0; r && name && i < LIE_REPORT_KEY - 1 && name[i]; i++) r->key[i] = name[i];
    return status;
}

lie_status lie__refuse_not_finite(lie_report *r, const char *what, long long n, const double *x)
{
    for (long long i = 0; i < n; i++)
        if (!(x[i] - x[i] == 0.0))
            return lie__refuse_entry(r, LIE_ERR_NOT_FINITE, what, i, x[i], 0.0, "must be finite");
    return LIE_OK;
}

lie_status lie__refuse_memory(lie_report *r, const void *work, size_t bytes, size_t needed)
{
    if (!work) return lie__refuse(r, LIE_ERR_MEMORY, "work", "must not be null");
    if ((uintptr_t)work % sizeof(double) != 0)
        return lie__refuse(r, LIE_ERR_MEMORY, "work", "must be aligned for double");
    if (needed > 0 && bytes >= needed) return LIE_OK;
    return lie__refuse_entry(r, LIE_ERR_MEMORY, "bytes", -1, (double)bytes, (double)needed,
                             "must be what the _memsize function says at least");
}

/* The part of a sentence that fits. */
typedef struct sentence {
    char *out;
    size_t size, length;
} sentence;

static void say(sentence *s, const char *text)
{
    for (; *text; text++, s->length++)
        if (s->length + 1 < s->size) s->out[s->length] = *text;
}

static void say_index(sentence *s, long long index)
{
    char digits[24];
    int at = (int)sizeof digits - 1;
    digits[at] = 0;
    do digits[--at] = (char)('0' + index % 10);
    while ((index /= 10) > 0);
    say(s, "[");
    say(s, &digits[at]);
    say(s, "]");
}

size_t lie_report_text(char *out, size_t size, const lie_report *report)
{
    sentence s = {out, size, 0};
    say(&s, report->what);
    if (report->index >= 0) say_index(&s, report->index);
    if (report->key[0]) say(&s, " \""), say(&s, report->key), say(&s, "\"");
    if (report->what[0]) say(&s, ": ");
    say(&s, report->status == LIE_OK ? "nothing is wrong" : report->expected);
    if (size > 0) out[s.length < size ? s.length : size - 1] = 0;
    return s.length;
}
