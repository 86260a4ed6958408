/* SPDX-License-Identifier: MIT */
/* epoch.h: dates of the Gregorian calendar, read, moved by seconds and written; every day has 86400 s. */
#ifndef LIESTEP_CLI_EPOCH_H
#define LIESTEP_CLI_EPOCH_H

enum { EPOCH_TEXT = 48 };

/* A point in time: seconds from 0000-03-01 and a fraction in [0, 1). */
typedef struct epoch {
    long long seconds;
    double fraction;
} epoch;

/* YYYY-MM-DDThh:mm:ss[.f][Z], a date that exists, from the year 1 on. 0 if the text is something else; then *out is
 * not to be used. */
int epoch_parse(epoch *out, const char *text);

/* The epoch t later, as text of fixed length with `places` decimals. 0 if it is outside the years 0 to 9999. */
int epoch_print(char out[EPOCH_TEXT], const epoch *start, double t, int places);

#endif
