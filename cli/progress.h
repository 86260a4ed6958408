/* SPDX-License-Identifier: MIT */
/* progress.h: how far a run is, on a terminal: share done, steps per second, time left. */
#ifndef LIESTEP_CLI_PROGRESS_H
#define LIESTEP_CLI_PROGRESS_H

#include "cli.h"

typedef struct progress {
    int shown;       /* stderr is a terminal and a line may be there */
    int visible;     /* a line is there */
    long long first; /* step at which the clock was started */
    long long steps; /* of the whole run */
    double start, last;
} progress;

/* Seconds of a clock that only goes forward. */
double progress_clock(void);

/* Nothing is ever printed with `quiet`, or if stderr is no terminal. */
void progress_begin(progress *p, long long done, long long steps, int quiet);
/* Print the line anew if the last one is more than 0.1 s old. */
void progress_show(progress *p, long long done, double now);
/* Remove the line, so that other text may follow. */
void progress_clear(progress *p);

#endif
