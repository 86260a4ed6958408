/* SPDX-License-Identifier: MIT */
/* gnuplot.c: see gnuplot.h. */
#define _GNU_SOURCE

#include "gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int ends_with(const char *name, const char *end)
{
    size_t n = strlen(name), k = strlen(end);
    return n > k && strcmp(name + n - k, end) == 0;
}

const char *gnuplot_terminal(const char *name)
{
    return ends_with(name, ".png") ? "pngcairo" : "svg";
}

/* Start gnuplot, its output going to fd, out of reach of Ctrl-C; *in is the other end of its input. 0, or errno. */
static int start_gnuplot(pid_t *pid, FILE **in, int fd)
{
    char program[] = "gnuplot", defaults[] = "-d", *arguments[] = {program, defaults, 0};
    int ends[2], code;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    if (pipe2(ends, O_CLOEXEC) != 0) return errno;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fd, STDOUT_FILENO);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    code = posix_spawnp(pid, program, &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[0]);
    *in = code == 0 ? fdopen(ends[1], "w") : 0;
    if (!*in) close(ends[1]);
    return code;
}

/* gnuplot says nothing about a full disk: does the file end as a picture does? */
static int is_whole(const file *f)
{
    const char *end = ends_with(f->name, ".png") ? "IEND\xAE\x42\x60\x82" : "</svg>\n\n";
    char found[8];
    struct stat st;
    if (fstat(f->fd, &st) != 0 || st.st_size < 8) return 0;
    return file_read(f, (unsigned long long)st.st_size - 8, found, 8) == EXIT_FINE && memcmp(found, end, 8) == 0;
}

/* Let gnuplot draw into the open file. EXIT_FAILED: it could not, and a warning says so. */
static cli_exit draw(const file *f, gnuplot_script *script, void *ctx)
{
    pid_t pid = -1;
    FILE *in = 0;
    int status = 0, code = start_gnuplot(&pid, &in, f->fd);
    if (code != 0) {
        cli_warning("no plot was made: gnuplot could not be started: %s%s", strerror(code),
                    code == ENOENT ? " (Debian: apt install gnuplot-nox)" : "");
        return EXIT_FAILED;
    }
    cli_exit result = in ? script(in, f->name, ctx) : EXIT_FAILED;
    if (in) fclose(in);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
    if (result == EXIT_FINE && status == 0 && is_whole(f)) return EXIT_FINE;
    if (result != EXIT_OUTPUT)
        cli_warning("no plot was made: gnuplot %s",
                    status == 0 ? "left it unfinished (is the disk full?)" : "failed; its own message is above");
    return result == EXIT_OUTPUT ? EXIT_OUTPUT : EXIT_FAILED;
}

cli_exit gnuplot_draw(const folder *d, const char *name, gnuplot_script *script, void *ctx, int *made)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    file *f = (file *)malloc(sizeof *f);
    cli_exit code = f ? EXIT_FINE : EXIT_OUTPUT;
    *made = 0;
    if (!f) cli_error("there is not enough memory to draw %s/%s", d->path, name);
    if (code == EXIT_FINE) code = file_create_new(f, d, name);
    if (code == EXIT_FINE) {
        sigaction(SIGPIPE, &ignore, &before);
        code = draw(f, script, ctx);
        sigaction(SIGPIPE, &before, 0);
        *made = code == EXIT_FINE;
        if (code == EXIT_FINE)
            code = file_commit(f);
        else if (code == EXIT_FAILED)
            code = file_discard(f);
        file_close(f);
    }
    free(f);
    return code;
}
