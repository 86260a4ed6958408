/* SPDX-License-Identifier: MIT */
/* bench_contenders.c: who takes part in a contest: methods of the library, with step control or without, and peers. */
#include "cli/contest/bench.h"

#include <stdlib.h>
#include <string.h>

/* The name of every method and peer, for near misses. */
static const peer *const *loaded_peers;

static const peer *peer_at(int i)
{
    int plain = 0;
    while (peers_plain[plain]) plain++;
    if (i < plain) return peers_plain[i];
    for (int k = 0; loaded_peers && loaded_peers[k]; k++)
        if (i == plain + k) return loaded_peers[k];
    return NULL;
}

static const char *contender_name(int i)
{
    int peers = 0;
    while (peer_at(peers)) peers++;
    return i < peers ? peer_at(i)->name : cli_method_word(i - peers);
}

static void add_curve(contest *c, const contender *by)
{
    for (int i = 0; i < c->curves; i++)
        if (strcmp(c->curve[i].by.name, by->name) == 0) return;
    if (c->curves < CONTENDERS_MAX) c->curve[c->curves++].by = *by;
}

static void add_all(contest *c)
{
    contender by, controlled;
    for (int i = 0; i < lie_method_builtin_count(); i++) {
        if (contender_of_method(&by, &c->problem, lie_method_builtin(i), NULL) != LIE_OK) continue;
        add_curve(c, &by);
        if (contender_with_control(&controlled, &by) == LIE_OK) add_curve(c, &controlled);
    }
    for (int i = 0; peer_at(i); i++)
        if (contender_of_peer(&by, &c->problem, peer_at(i)) == LIE_OK) add_curve(c, &by);
}

/* A method of the library: its name in front of an "_adaptive" that asks for step control, which is cut off. */
static int find_method(char *name, const lie_method **m, int *controlled)
{
    static const char end[] = "_adaptive";
    size_t n = strlen(name), k = sizeof end - 1;
    *controlled = n > k && strcmp(name + n - k, end) == 0;
    if (*controlled) name[n - k] = '\0';
    return lie_method_find(m, name) == LIE_OK;
}

/* "gauss2", "gauss2/exp", "rkmk_dopri5_adaptive", "gsl_rk8pd", "all" */
static cli_exit add_named(contest *c, const char *word)
{
    contender by, fixed;
    int controlled;
    char name[CONTENDER_NAME];
    const lie_method *m;
    const char *slash = strchr(word, '/');
    lie_status status = LIE_ERR_UNKNOWN_NAME;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "/"), word);
    if (strcmp(name, "all") == 0) {
        add_all(c);
        return EXIT_FINE;
    }
    int known = find_method(name, &m, &controlled);
    if (known) status = contender_of_method(&by, &c->problem, m, slash ? slash + 1 : NULL);
    if (known && status == LIE_OK && controlled) {
        fixed = by;
        status = contender_with_control(&by, &fixed);
    }
    for (int i = 0; !known && !slash && peer_at(i); i++)
        if (strcmp(peer_at(i)->name, word) == 0) {
            status = contender_of_peer(&by, &c->problem, peer_at(i));
            known = 1;
        }
    if (status == LIE_OK)
        add_curve(c, &by);
    else if (!known)
        cli_unknown("method", name, contender_name,
                    "'liestep methods --all' lists ours, 'liestep bench --help' the others");
    else if (status == LIE_ERR_UNKNOWN_NAME)
        cli_error("--methods %s: %s has no retraction '%s'", word, c->problem.sys.group->group, slash ? slash + 1 : "");
    else
        cli_error("--methods %s: it does not take the system %s on %s: %s", word, c->problem.sys.name,
                  c->problem.sys.group->group, lie_status_text(status));
    return status == LIE_OK ? EXIT_FINE : EXIT_USAGE;
}

cli_exit bench_contenders(contest *c, const char *methods, const peer *const *peers)
{
    loaded_peers = peers;
    c->curve = (curve *)calloc(CONTENDERS_MAX, sizeof *c->curve);
    if (!c->curve) {
        cli_error("there is not enough memory");
        return EXIT_FAILED;
    }
    if (!methods) add_all(c);
    for (const char *at = methods; at && *at;) {
        char word[2 * CONTENDER_NAME];
        size_t n = strcspn(at, ",");
        snprintf(word, sizeof word, "%.*s", (int)n, at);
        cli_exit code = n > 0 ? add_named(c, word) : EXIT_FINE;
        if (code != EXIT_FINE) return code;
        at += at[n] == ',' ? n + 1 : n;
    }
    if (c->curves > 0) return EXIT_FINE;
    cli_error("--methods: no method is given; expected names separated by commas, as in --methods sv,rk4");
    return EXIT_USAGE;
}
