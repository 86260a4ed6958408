/* SPDX-License-Identifier: MIT */
/* gnuplot.c: see gnuplot.h. */
#define _GNU_SOURCE

#include "cli/base/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/base/phase.h"

static int ends_with(const char *name, const char *end)
{
    size_t n = strlen(name), k = strlen(end);
    return n > k && strcmp(name + n - k, end) == 0;
}

void gnuplot_text(FILE *out, const char *text)
{
    fputc('\'', out);
    for (; *text; text++) fputs(*text == '\'' ? "''" : (char[2]){*text, 0}, out);
    fputc('\'', out);
}

const char *gnuplot_terminal(const char *name)
{
    return ends_with(name, ".png") ? "pngcairo" : "svg";
}

/* Start it out of reach of Ctrl-C, with its files; g->in is the other end of its input. 0, or errno. */
static int start(gnuplot *g)
{
    char program[] = "gnuplot", defaults[] = "-d", *arguments[] = {program, defaults, 0};
    int ends[2];
    pid_t pid = 0;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    g->out = tmpfile();
    g->data = tmpfile();
    if (!g->out || !g->data || pipe2(ends, O_CLOEXEC) != 0) return errno;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(g->out), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(g->data), STDERR_FILENO + 1);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    int code = posix_spawnp(&pid, program, &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[0]);
    g->pid = code == 0 ? (int)pid : 0;
    g->in = code == 0 ? fdopen(ends[1], "w") : 0;
    if (g->in) return 0;
    close(ends[1]);
    return code != 0 ? code : ENOMEM;
}

/* Nobody may be reading what is written to gnuplot. */
static void ignore_pipe(struct sigaction *before)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigaction(SIGPIPE, &ignore, before);
}

void gnuplot_begin(gnuplot *g, const char *first)
{
    struct sigaction before;
    *g = (gnuplot){0};
    ignore_pipe(&before);
    g->error = start(g);
    if (g->in && first) {
        fputs(first, g->in);
        fflush(g->in);
    }
    sigaction(SIGPIPE, &before, 0);
}

/* Its last words were said: has its end come? */
static void look(gnuplot *g)
{
    pid_t answer = 0;
    if (g->in) fclose(g->in);
    g->in = 0;
    while (g->pid > 0 && (answer = waitpid(g->pid, &g->status, WNOHANG)) < 0 && errno == EINTR) continue;
    if (answer != 0) g->pid = 0;
}

/* Wait for its end; not if a signal has come. */
static cli_exit end(gnuplot *g)
{
    cli_exit code = EXIT_FINE;
    long nap = 100000;
    for (look(g); g->pid > 0 && code == EXIT_FINE; look(g)) {
        nanosleep(&(struct timespec){0, nap}, 0);
        if (nap < 10000000) nap += nap / 8;
        code = phase_add(0.0);
    }
    return code;
}

void gnuplot_abandon(gnuplot *g)
{
    int status;
    if (g->in) fclose(g->in);
    if (g->pid > 0 && waitpid(g->pid, &status, WNOHANG) == 0) {
        kill(g->pid, SIGKILL);
        waitpid(g->pid, &status, 0);
    }
    if (g->out) fclose(g->out);
    if (g->data) fclose(g->data);
    *g = (gnuplot){0};
}

/* gnuplot says nothing about a full disk: does the picture end as a picture does? */
static int is_whole(const char *name, const char *bytes, size_t n)
{
    const char *end_of = ends_with(name, ".png") ? "IEND\xAE\x42\x60\x82" : "</svg>\n\n";
    return n >= 8 && memcmp(bytes + n - 8, end_of, 8) == 0;
}

/* What gnuplot wrote, on the heap; null: it cannot be read */
static char *read_picture(FILE *from, size_t *n)
{
    struct stat st;
    *n = fstat(fileno(from), &st) == 0 ? (size_t)st.st_size : 0;
    char *bytes = (char *)malloc(*n + 1);
    if (bytes && pread(fileno(from), bytes, *n, 0) == (ssize_t)*n) return bytes;
    free(bytes);
    return 0;
}

/* Everything that gnuplot has to read, as fast as it takes it; not if a signal has come. */
static cli_exit feed(gnuplot *g, const char *text, size_t n)
{
    cli_exit code = EXIT_FINE;
    fflush(g->in);
    int fd = fileno(g->in);
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
    while (n > 0 && code == EXIT_FINE) {
        ssize_t done = write(fd, text, n);
        if (done < 0 && errno != EAGAIN && errno != EINTR) break; /* it has ended: its status tells */
        if (done > 0) text += done, n -= (size_t)done;
        if (done < 0) nanosleep(&(struct timespec){0, 200000}, 0);
        code = phase_add(0.0);
    }
    return code;
}

/* The script, from memory: gnuplot may be slow to read it. */
static cli_exit tell(gnuplot *g, const file *f, gnuplot_script *script, void *ctx)
{
    char *text = 0;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);
    cli_exit code = out ? script(out, f->name, ctx) : EXIT_FAILED;
    if (out && fclose(out) != 0) code = EXIT_FAILED;
    if (code == EXIT_FINE) code = feed(g, text, n);
    free(text);
    return code;
}

/* Let gnuplot draw into the file. EXIT_FAILED: it could not, and a warning says so. */
static cli_exit draw(gnuplot *g, file *f, gnuplot_script *script, gnuplot_retouch *retouch, void *ctx)
{
    if (g->error != 0) {
        cli_warning("no plot was made: gnuplot could not be started: %s%s", strerror(g->error),
                    g->error == ENOENT ? " (Debian: apt install gnuplot-nox)" : "");
        return EXIT_FAILED;
    }
    cli_exit result = tell(g, f, script, ctx);
    if (result == EXIT_INTERRUPTED || result == EXIT_TERMINATED) return result;
    size_t n;
    cli_exit stopped = end(g);
    if (stopped != EXIT_FINE) return stopped;
    char *bytes = read_picture(g->out, &n);
    int fine = result == EXIT_FINE && g->status == 0 && bytes && is_whole(f->name, bytes, n);
    if (fine && retouch) result = retouch(ctx, &bytes, &n);
    if (fine && result == EXIT_FINE) result = file_append(f, bytes, n);
    if (!fine && (result == EXIT_FINE || result == EXIT_FAILED)) {
        cli_warning("no plot was made: gnuplot %s",
                    g->status == 0 ? "left it unfinished (is the disk full?)" : "failed; its own message is above");
        result = EXIT_FAILED;
    }
    free(bytes);
    return result;
}

cli_exit gnuplot_finish(gnuplot *g, file *f, gnuplot_script *script, gnuplot_retouch *retouch, void *ctx, int *made)
{
    struct sigaction before;
    cli_exit code = file_begin(f);
    *made = 0;
    if (code == EXIT_FINE) {
        ignore_pipe(&before);
        code = draw(g, f, script, retouch, ctx);
        sigaction(SIGPIPE, &before, 0);
        *made = code == EXIT_FINE;
        if (code == EXIT_FAILED) code = file_discard(f);
    }
    gnuplot_abandon(g);
    return code;
}

cli_exit gnuplot_draw(file *f, gnuplot_script *script, void *ctx, int *made)
{
    gnuplot g;
    gnuplot_begin(&g, 0);
    return gnuplot_finish(&g, f, script, 0, ctx, made);
}

cli_exit gnuplot_picture(const folder *d, const char *name, gnuplot_script *script, void *ctx, int *made)
{
    file *f = (file *)malloc(sizeof *f);
    *made = 0;
    if (!f) {
        cli_error("there is not enough memory to draw %s/%s", d->path, name);
        return EXIT_OUTPUT;
    }
    cli_exit code = file_claim(f, d, name);
    if (code == EXIT_FINE) code = gnuplot_draw(f, script, ctx, made);
    if (code == EXIT_FINE && *made) code = file_commit(f);
    file_close(f);
    free(f);
    return code;
}
