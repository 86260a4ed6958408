/* SPDX-License-Identifier: MIT */
/* bench_pairs.c: what a step costs beside that of another method, in one interleaved run, each pair with a target for
 * every length of step: Gauss and Lobatto methods beside explicit ones of their order, potentials that are called for,
 * forced motions, exp beside cay, ensembles in lanes beside one trajectory at a time, tangents and indicators of chaos
 * beside the plain step. See docs/BENCHMARKS.md. */
#include "pairs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTHS = 4 };

#define TOPS "top/S3 top/SO3 satellite/S3 satellite/SO3 "
#define BODIES TOPS "dense/SE3 diagonal/SE3"
#define OWN "own-top/S3 own-top/SO3 own-dense/SE3"
#define FORCED "torque/S3 drag/S3 wheels/S3 thrusters/S3 drag/SE3 thrusters/SE3"
#define ALL_LENGTHS                                                                                                    \
    {                                                                                                                  \
        0.01, 0.05, 0.1, 0.2                                                                                           \
    }
#define EVERYWHERE(x)                                                                                                  \
    {                                                                                                                  \
        x, x, x, x                                                                                                     \
    }

/* `method` takes at most `target` times the time of `beside` at steps of length h; on SE3 `on_se3` times that. As a
 * gain: it is at least `target` times as fast. h = 0 ends the list; in forced motions it is the angle per step. */
typedef struct pair {
    const char *part, *method, *beside, *bodies;
    pair_way way, other;
    double h[LENGTHS], target[LENGTHS], on_se3;
    int is_gain, is_angle;
} pair;

#define STEP_ROW(part, method, beside, bodies, ...)                                                                    \
    {                                                                                                                  \
        part, method, beside, bodies, PAIR_STEP, PAIR_STEP, ALL_LENGTHS, __VA_ARGS__, 1.25, 0, 0                       \
    }
#define OWN_ROW(method)                                                                                                \
    {                                                                                                                  \
        "own", method, method, OWN, PAIR_STEP, PAIR_BUILT_IN, ALL_LENGTHS, EVERYWHERE(2.0), 1.0, 0, 0                  \
    }
#define CHART_ROW(method)                                                                                              \
    {                                                                                                                  \
        "chart", method, "vprk " method, BODIES, PAIR_STEP, PAIR_STEP, ALL_LENGTHS, EVERYWHERE(10.0), 1.0, 1, 0        \
    }
#define FORCED_ROW(method, target)                                                                                     \
    {                                                                                                                  \
        "forced", method, "rk4_q", FORCED, PAIR_STEP, PAIR_STEP, {0.01, 0.03, 0.06}, EVERYWHERE(target), 1.0, 0, 1     \
    }
#define LANES_ROW(method, bodies)                                                                                      \
    {                                                                                                                  \
        "lanes", method, method, bodies, PAIR_LANES, PAIR_ALONE, {0.01, 0.05}, EVERYWHERE(4.0), 1.0, 1, 0              \
    }
#define TANGENT_ROW(method)                                                                                            \
    {                                                                                                                  \
        "tangent", method, method, BODIES, PAIR_TANGENT, PAIR_STEP, {0.01, 0.05}, EVERYWHERE(5.0), 1.0, 0, 0           \
    }
#define SECTION_ROW(method)                                                                                            \
    {                                                                                                                  \
        "section", method, method, "top/S3 diagonal/SE3", PAIR_INDICATED, PAIR_SECTION, {0.01, 0.05}, EVERYWHERE(5.0), \
            1.0, 0, 0                                                                                                  \
    }

static const pair pairs[] = {
    STEP_ROW("gauss", "gauss4", "pirk8", BODIES, {1.0, 1.5, 2.1, 3.0}),
    STEP_ROW("gauss", "gauss6", "pirk12", BODIES, {0.6, 1.1, 1.4, 2.3}),
    STEP_ROW("gauss", "gauss8", "pirk16", BODIES, {0.4, 0.8, 1.1, 1.6}),
    STEP_ROW("gauss", "gauss2", "rkmk4", BODIES, {1.5, 2.5, 3.4, 5.2}),
    STEP_ROW("gauss", "gauss1", "sv", BODIES, EVERYWHERE(1.25)),
    STEP_ROW("midpoint", "midpoint", "sv", BODIES, EVERYWHERE(1.25)),
    STEP_ROW("lobatto", "lobatto3a3", "rkmk4", BODIES, {1.9, 3.0, 4.0, 7.0}),
    CHART_ROW("gauss2"),
    CHART_ROW("gauss3"),
    CHART_ROW("gauss4"),
    OWN_ROW("gauss1"),
    OWN_ROW("gauss2"),
    OWN_ROW("gauss4"),
    OWN_ROW("gauss6"),
    OWN_ROW("gauss8"),
    FORCED_ROW("gauss2", 4.0),
    FORCED_ROW("sv", 1.6),
    STEP_ROW("rkmk", "rkmk_gauss2/exp", "rkmk4/exp", BODIES, EVERYWHERE(5.0)),
    STEP_ROW("rkmk", "rkmk_gauss3/exp", "rkmk4/exp", BODIES, EVERYWHERE(5.0)),
    STEP_ROW("exp", "sv/exp", "sv/cay", BODIES, EVERYWHERE(1.4)),
    STEP_ROW("exp", "sv_triple4/exp", "sv_triple4/cay", BODIES, EVERYWHERE(1.5)),
    LANES_ROW("gauss2", BODIES),
    LANES_ROW("gauss4", BODIES),
    LANES_ROW("sv", FORCED),
    TANGENT_ROW("gauss2"),
    TANGENT_ROW("gauss4"),
    TANGENT_ROW("gauss6"),
    TANGENT_ROW("gauss8"),
    TANGENT_ROW("split2"),
    TANGENT_ROW("split4"),
    TANGENT_ROW("split6"),
    SECTION_ROW("sv"),
    SECTION_ROW("split4"),
    SECTION_ROW("gauss2"),
    SECTION_ROW("gauss4"),
};
enum { PAIRS = sizeof pairs / sizeof *pairs };

static int targets, missed;
static double passes_seen; /* what is printed in brackets */

typedef struct options {
    int quick, strict, markdown;
    const char *only;
} options;

static double target_of(const pair *p, const pair_body *b, int k)
{
    return p->target[k] * (strcmp(b->group, "SE3") == 0 ? p->on_se3 : 1.0);
}

/* What came out at one length of step, as words. */
static void describe(char *out, size_t bytes, const pair *p, const bench_result *r, double target, const options *opt)
{
    double value = p->is_gain ? 1.0 / r->ratio : r->ratio;
    int met = p->is_gain ? value >= target : value <= target;
    const char *sign = p->is_gain ? ">=" : "<=", *bold = opt->markdown && !met ? "**" : "";
    missed += !met;
    if (opt->markdown)
        snprintf(out, bytes, "%s%.2f%s (%s %.3g)", bold, value, bold, p->is_gain ? ">=" : "<=", target);
    else
        snprintf(out, bytes, "%7.0f ns %6.2f %s %4.2f %-6s [%4.1f]", r->ns, value, sign, target, met ? "met" : "MISSED",
                 passes_seen);
}

/* One length of step. A side that cannot take it misses the target. */
static void measure(char *out, size_t bytes, const pair *p, const pair_body *b, int k, const options *opt)
{
    static pair_side side[2];
    const char *own = strchr(b->name, '-');
    const char *built_in = own ? own + 1 : b->name;
    char name[40];
    snprintf(name, sizeof name, "%s/%s", built_in, b->group);
    const pair_body *other = p->other == PAIR_BUILT_IN ? pair_body_find(name, strlen(name)) : b;
    const bench_plan plan = opt->quick ? (bench_plan){BENCH_CPU, 11, 2e5, 1e8} : (bench_plan){BENCH_CPU, 41, 1e6, 1e9};
    double h = p->is_angle ? p->h[k] / pair_rate() : p->h[k];
    bench_result result[2];
    pair_open(&side[0], p->other, p->beside, other, h);
    pair_open(&side[1], p->way, p->method, b, h);
    bench_contender c[2] = {pair_contender(&side[0]), pair_contender(&side[1])};
    if (side[0].status == LIE_OK && side[1].status == LIE_OK) (void)bench_compare(c, 2, &plan, result);
    targets++;
    if (side[0].status != LIE_OK || side[1].status != LIE_OK) {
        int which = side[0].status == LIE_OK;
        missed++;
        snprintf(out, bytes, opt->markdown ? "**%s: %s**" : " MISSED: %s: %s", which ? p->method : p->beside,
                 lie_status_text(side[which].status));
    } else {
        passes_seen = side[1].st ? pair_passes(&side[1]) : 0.0;
        describe(out, bytes, p, &result[1], target_of(p, b, k), opt);
    }
    pair_close(&side[0]), pair_close(&side[1]);
}

static void measure_row(const pair *p, const pair_body *b, const options *opt)
{
    char cell[200];
    if (opt->markdown)
        printf("| %s | `%s` | `%s` | %s, %s |", p->part, p->method, p->beside, b->name, b->group);
    else
        printf("%-8s %-15s %-14s %-9s %-3s", p->part, p->method, p->beside, b->name, b->group);
    for (int k = 0; k < LENGTHS; k++) {
        if (p->h[k] > 0.0) measure(cell, sizeof cell, p, b, k, opt);
        if (opt->markdown)
            printf(" %s |", p->h[k] > 0.0 ? cell : "");
        else if (p->h[k] > 0.0)
            printf("  %s", cell);
    }
    putchar('\n');
    fflush(stdout);
}

/* Lanes on a processor that has none miss nothing. */
static int is_possible(const pair *p)
{
    return p->way != PAIR_LANES || lie_ensemble_lanes_max() >= PAIR_LANE_COUNT;
}

static int is_wanted(const pair *p, const char *body, size_t length, const char *only)
{
    return !only || strcmp(only, p->part) == 0 || strcmp(only, p->method) == 0 ||
           (strlen(only) == length && memcmp(body, only, length) == 0);
}

static void measure_pair(const pair *p, const options *opt)
{
    for (const char *at = p->bodies; *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        if (is_possible(p) && is_wanted(p, at, length, opt->only)) measure_row(p, pair_body_find(at, length), opt);
        at += length;
    }
}

static const char help_text[] =
    "usage: bench_pairs [--quick] [--strict] [--markdown] [--only TEXT]\n"
    "\n"
    "Time of a step over that of another method, medians of one interleaved run, beside what is wanted. Steps of "
    "0.01,\n"
    "0.05, 0.1 and 0.2 s at about 1.3 rad/s; forced motions 0.01, 0.03 and 0.06 rad a step; lanes, tangents and\n"
    "sections 0.01 and 0.05 s. In brackets: iterations or passes per step.\n"
    "\n"
    "  gauss, midpoint, lobatto   beside explicit methods of the same order, or sv\n"
    "  chart                      how much faster than the same tableau in a chart\n"
    "  own                        a potential that is called for, beside the same one built in\n"
    "  forced                     torque of t, g, xi, u; drag; wheels; thrusters; beside rk4_q\n"
    "  rkmk, exp                  implicit beside explicit rkmk; exp beside cay\n"
    "  lanes                      ensembles, four trajectories at once beside one at a time: how much faster\n"
    "  tangent, section           with the tangent, with an indicator of chaos, beside without\n"
    "\n"
    "  --quick       coarser, some seconds\n"
    "  --only TEXT   rows of this part, method or body (top/S3) alone\n"
    "  --markdown    the table of docs/BENCHMARKS.md; what was missed is bold\n"
    "  --strict      exit code 2 if a target is missed\n"
    "\n"
    "Exit code: 0 done; 1 bad usage; 2 a target was missed (--strict only).\n";

static options parse(int argc, char **argv)
{
    options opt = {0, 0, 0, NULL};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--quick") == 0) {
            opt.quick = 1;
        } else if (strcmp(argv[i], "--strict") == 0) {
            opt.strict = 1;
        } else if (strcmp(argv[i], "--markdown") == 0) {
            opt.markdown = 1;
        } else if (strcmp(argv[i], "--only") == 0 && i + 1 < argc) {
            opt.only = argv[++i];
        } else {
            int asked = strcmp(argv[i], "--help") == 0;
            fputs(help_text, asked ? stdout : stderr);
            exit(asked ? 0 : 1);
        }
    }
    return opt;
}

int main(int argc, char **argv)
{
    options opt = parse(argc, argv);
    if (opt.markdown)
        printf("| part | method | beside | body | 0.01 s; forced: 0.01 rad | 0.05 s; 0.03 rad | 0.1 s; 0.06 rad | 0.2 "
               "s |\n"
               "| --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (int i = 0; i < PAIRS; i++) measure_pair(&pairs[i], &opt);
    if (opt.markdown) putchar('\n');
    printf("%d of %d targets missed\n", missed, targets);
    return opt.strict && missed > 0 ? 2 : 0;
}
