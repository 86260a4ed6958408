/* SPDX-License-Identifier: MIT */
/* progress.h: how far a run is, on a terminal: share done, steps per second, time left. */
#ifndef LIESTEP_CLI_PROGRESS_H
#define LIESTEP_CLI_PROGRESS_H

#include "cli/base/cli.h"

typedef struct progress {
    int shown;       /* stderr is a terminal and a line may be there */
    int visible;     /* a line is there */
    long long first; /* step at which the clock was started */
    long long steps; /* of the whole run */
    double start, last;
    const char *what; /* of a phase (phase.h): stands in the place of speed and time left; null: none */
} progress;

/* Seconds of a clock that only goes forward. */
double progress_clock(void);

/* Nothing is ever printed with `quiet`, or if stderr is no terminal. */
void progress_begin(progress *p, long long done, long long steps, int quiet);
/* Print the line anew if the last one is more than 0.1 s old. */
void progress_show(progress *p, long long done, double now);
/* The same for a share from 0 to 1 that is not counted in steps. */
void progress_show_share(progress *p, double share, double now);
/* Remove the line, so that other text may follow. */
void progress_clear(progress *p);

#endif
