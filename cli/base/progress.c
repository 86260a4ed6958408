/* SPDX-License-Identifier: MIT */
/* progress.c: see progress.h. One line, overwritten in place; it shrinks with the terminal and has no colour where
 * NO_COLOR is set. */
#define _GNU_SOURCE

#include "cli/base/progress.h"

#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { BAR = 24, LINE = 79 };

double progress_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void progress_begin(progress *p, long long done, long long steps, int quiet)
{
    double now = progress_clock();
    *p = (progress){!quiet && isatty(STDERR_FILENO), 0, done, steps, now, now, 0};
}

static int terminal_width(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : LINE + 1;
}

/* "2:03:04 left", "3:04 left", "a year or more left" */
static void print_left(char *out, size_t n, double seconds)
{
    if (!(seconds < 3e7)) {
        snprintf(out, n, "%.3g years left", seconds / 31557600.0);
        return;
    }
    long long s = (long long)(seconds + 0.5), minutes = s / 60, hours = minutes / 60;
    if (hours >= 48)
        snprintf(out, n, "%.1f days left", seconds / 86400.0);
    else if (hours > 0)
        snprintf(out, n, "%lld:%02lld:%02lld left", hours, minutes % 60, s % 60);
    else
        snprintf(out, n, "%lld:%02lld left", minutes, s % 60);
}

static void print_line(progress *p, double part, const char *text)
{
    char bar[BAR + 1];
    int width = terminal_width() - 1, filled = (int)(part * BAR);
    for (int i = 0; i < BAR; i++) bar[i] = i < filled ? '#' : '.';
    bar[BAR] = '\0';
    if (width > LINE) width = LINE;
    if (width >= BAR + 3 + 36)
        fprintf(stderr, "\r[%s%s%s] %-*.*s", cli_paint(stderr, CLI_GREEN), bar, cli_paint(stderr, CLI_PLAIN),
                width - BAR - 3, width - BAR - 3, text);
    else
        fprintf(stderr, "\r%-*.*s", width, width, text);
    fflush(stderr);
    p->visible = 1;
}

void progress_show(progress *p, long long done, double now)
{
    char left[48], text[LINE + 1];
    if (!p->shown || now - p->last < 0.1) return;
    p->last = now;
    double part = p->steps > 0 ? (double)done / (double)p->steps : 1.0;
    double rate = (double)(done - p->first) / (now - p->start);
    print_left(left, sizeof left, rate > 0.0 ? (double)(p->steps - done) / rate : 1e300);
    snprintf(text, sizeof text, "%5.1f %%  %.3g steps/s  %s", 100.0 * part, rate, left);
    print_line(p, part, text);
}

void progress_show_share(progress *p, double share, double now)
{
    char text[LINE + 1];
    if (!p->shown || now - p->last < 0.1) return;
    p->last = now;
    snprintf(text, sizeof text, "%5.1f %%  %.40s", 100.0 * share, p->what ? p->what : "");
    print_line(p, share, text);
}

void progress_clear(progress *p)
{
    if (!p->visible) return;
    int width = terminal_width() - 1;
    fprintf(stderr, "\r%*s\r", width > LINE ? LINE : width, "");
    fflush(stderr);
    p->visible = 0;
}
