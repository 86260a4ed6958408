/* SPDX-License-Identifier: MIT */
/* phase.c: see phase.h. */
#include "cli/base/phase.h"

#include <stdatomic.h>

#include "cli/base/interrupt.h"
#include "cli/base/progress.h"

static struct {
    atomic_int active;
    atomic_flag busy; /* somebody is showing the line */
    _Atomic double done;
    double of;
    const char *what;
    _Atomic(const char *) stopped;
    progress line;
} phase = {.busy = ATOMIC_FLAG_INIT};

void phase_begin(const char *what, double of, int quiet)
{
    phase.what = what, phase.of = of;
    atomic_store(&phase.done, 0.0);
    progress_begin(&phase.line, 0, 0, quiet);
    phase.line.what = what;
    atomic_store(&phase.active, 1);
}

static void add(double more)
{
    double before = atomic_load(&phase.done);
    while (!atomic_compare_exchange_weak(&phase.done, &before, before + more)) continue;
}

cli_exit phase_add(double more)
{
    if (!atomic_load(&phase.active)) return EXIT_FINE;
    add(more);
    if (interrupt_caught()) {
        atomic_store(&phase.stopped, phase.what);
        return interrupt_code();
    }
    if (!phase.line.shown || atomic_flag_test_and_set(&phase.busy)) return EXIT_FINE;
    double share = phase.of > 0.0 ? atomic_load(&phase.done) / phase.of : 0.0;
    progress_show_share(&phase.line, share < 1.0 ? share : 1.0, progress_clock());
    atomic_flag_clear(&phase.busy);
    return EXIT_FINE;
}

void phase_end(void)
{
    atomic_store(&phase.active, 0);
    progress_clear(&phase.line);
}

const char *phase_stopped(void)
{
    const char *what = atomic_load(&phase.stopped);
    return what ? what : "the last files are made";
}
