/* SPDX-License-Identifier: MIT */
/* bench_maps.c: how long each map of each group takes, beside a textbook version and Eigen, in one interleaved run.
 *
 * For every map: compare the contenders' results with liestep's, then time latency and throughput of those that agree.
 * Angles are drawn up to a half-turn, and again below 0.01 rad (the turn of one time step). See docs/BENCHMARKS.md. */
#include "bench.h"
#include "maps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIESTEP, TEXTBOOK, EIGEN_LIB, CONTENDERS };

static const char *const contender_name[CONTENDERS] = {"liestep", "textbook", "Eigen"};

/* A contender that is farther than this from liestep computes something else and is not timed. */
#define SAME 1e-6

typedef struct options {
    int quick, strict, list;
    int classes[2]; /* CLASS_PI and CLASS_SMALL: asked for? */
    const char *map, *csv;
} options;

/* Everything measured about one map in one angle class; ns = 0 where there is no such contender. */
typedef struct measured {
    const map_row *row;
    map_class angles;
    double difference[CONTENDERS];
    bench_result latency[CONTENDERS], throughput[CONTENDERS];
} measured;

/* A ratio promised: how many times slower `than` is to be. */
typedef struct target {
    const char *map;
    int than;
    double times;
} target;

static const target targets[] = {
    {"so3_exp", EIGEN_LIB, 2.0},
    {"so3_log", EIGEN_LIB, 2.0},
    {"se3_exp", TEXTBOOK, 2.5},
    {"se3_dexp", TEXTBOOK, 3.0},
};
#define TARGETS ((int)(sizeof targets / sizeof targets[0]))

typedef struct run_state {
    options opt;
    FILE *csv;
    measured target_result[TARGETS][2];
    measured loop; /* the copy of one double: what the loop around every map costs */
    int wrong;
} run_state;

static const char help_text[] =
    "usage: bench_maps [options]\n"
    "\n"
    "Times every map of every group through the public interface, beside a textbook version (libm, closed forms)\n"
    "and Eigen, where it has an equivalent. Contenders take turns in many short rounds; figures are medians.\n"
    "\n"
    "  lat    ns per call when each call waits for the result of the one before\n"
    "  thr    ns per call when calls are independent and the processor may overlap them\n"
    "  x      how many times longer the other takes: above 1, liestep is faster\n"
    "  diff   largest relative difference from liestep's result on the timed inputs\n"
    "\n"
    "  --map NAME         only maps whose name contains NAME, measured longer (--map so3_exp, --map se3_)\n"
    "  --angles WHICH     pi: angles up to a half-turn; small: below 0.01 rad; all: both (the default)\n"
    "  --quick            all maps in a few seconds, coarser\n"
    "  --csv FILE         also write every figure, with quartiles, as a table for other programs\n"
    "  --strict           exit code 2 if a speed target is missed\n"
    "  --list             names of all maps\n"
    "  --help             this text\n"
    "\n"
    "Exit code: 0 done; 1 bad usage, or a contender computes something else; 2 a target was missed (--strict only).\n"
    "Times depend on the machine and its load; ratios much less. Close other programs for the last percent.\n";

static map_fn contender_of(const map_row *row, int i)
{
    return i == LIESTEP ? row->lie : i == TEXTBOOK ? row->textbook : row->eigen;
}

static bench_plan plan_for(const options *opt, int is_target)
{
    if (opt->map) {
        return (bench_plan){BENCH_CPU, 101, 1e6, 1e9};
    }
    if (opt->quick) {
        return (bench_plan){BENCH_CPU, is_target ? 31 : 7, 3e5, is_target ? 4e7 : 9e6};
    }
    return (bench_plan){BENCH_CPU, is_target ? 101 : 25, 1e6, is_target ? 4e8 : 7e7};
}

static const char *class_name(map_class angles)
{
    return angles == CLASS_PI ? "pi" : "small";
}

/* Times the contenders that agree; the others keep ns = 0. */
static void time_row(measured *m, const map_data *data, const bench_plan *plan)
{
    map_job job[CONTENDERS];
    bench_contender latency[CONTENDERS], throughput[CONTENDERS];
    bench_result result[CONTENDERS];
    int who[CONTENDERS], n = 0;
    for (int i = 0; i < CONTENDERS; i++) {
        map_fn f = contender_of(m->row, i);
        if (f.kind != MAP_NONE && m->difference[i] >= 0.0 && m->difference[i] <= SAME) {
            job[n] = (map_job){f, data, 0};
            latency[n] = (bench_contender){contender_name[i], map_run_latency, &job[n], MAP_SAMPLES};
            throughput[n] = (bench_contender){contender_name[i], map_run_throughput, &job[n], MAP_SAMPLES};
            who[n++] = i;
        }
    }
    (void)bench_compare(latency, n, plan, result);
    for (int k = 0; k < n; k++) {
        m->latency[who[k]] = result[k];
    }
    (void)bench_compare(throughput, n, plan, result);
    for (int k = 0; k < n; k++) {
        m->throughput[who[k]] = result[k];
    }
}

/* Compare, then time. Returns the number of contenders that are wrong. */
static int measure(measured *m, const map_row *row, map_class angles, const bench_plan *plan)
{
    static map_data data;
    int wrong = 0;
    memset(m, 0, sizeof *m);
    m->row = row;
    m->angles = angles;
    map_draw(&data, row, angles);
    for (int i = 0; i < CONTENDERS; i++) {
        if (contender_of(row, i).kind != MAP_NONE) {
            m->difference[i] = map_difference(contender_of(row, i), row->lie, &data);
            wrong += !(m->difference[i] >= 0.0 && m->difference[i] <= SAME);
        }
    }
    if (m->difference[LIESTEP] == 0.0) {
        time_row(m, &data, plan);
    }
    return wrong;
}

static void print_heading(map_class angles)
{
    printf("\n%s\n", angles == CLASS_PI ? "Angles up to a half-turn" : "Angles below 0.01 rad");
    printf("%-22s %15s %15s %15s %13s %13s %16s\n", "", "liestep, ns", "textbook, ns", "Eigen, ns", "x textbook",
           "x Eigen", "diff");
    printf("%-22s %7s %7s %7s %7s %7s %7s %6s %6s %6s %6s %8s %7s\n", "map", "lat", "thr", "lat", "thr", "lat", "thr",
           "lat", "thr", "lat", "thr", "textbook", "Eigen");
}

static void print_pair(double a, double b, int width)
{
    if (a > 0.0) {
        printf(" %*.1f %*.1f", width, a, width, b);
    } else {
        printf(" %*s %*s", width, "-", width, "-");
    }
}

static void print_difference(const measured *m, int i, int width)
{
    if (contender_of(m->row, i).kind == MAP_NONE) {
        printf(" %*s", width, "-");
    } else if (m->difference[i] >= 0.0 && m->difference[i] <= SAME) {
        printf(" %*.0e", width, m->difference[i]);
    } else {
        printf(" %*s", width, "WRONG");
    }
}

static void print_row(const measured *m)
{
    printf("%-22s", m->row->name);
    for (int i = 0; i < CONTENDERS; i++) {
        print_pair(m->latency[i].ns, m->throughput[i].ns, 7);
    }
    for (int i = TEXTBOOK; i < CONTENDERS; i++) {
        print_pair(m->latency[i].ratio, m->throughput[i].ratio, 6);
    }
    print_difference(m, TEXTBOOK, 8);
    print_difference(m, EIGEN_LIB, 7);
    putchar('\n');
    if (!(m->difference[LIESTEP] >= 0.0)) {
        printf("    liestep refused or gave NaN for an input inside its domain\n");
    }
    fflush(stdout);
}

static void write_csv(FILE *csv, const measured *m)
{
    for (int i = 0; i < CONTENDERS; i++) {
        const bench_result *mode[2] = {&m->latency[i], &m->throughput[i]};
        for (int k = 0; k < 2 && mode[k]->ns > 0.0; k++) {
            fprintf(csv, "%s,%s,%s,%s,%.3f,%.3f,%.3f,%.4f,%.3e\n", m->row->name, class_name(m->angles),
                    contender_name[i], k == 0 ? "latency" : "throughput", mode[k]->ns, mode[k]->lower, mode[k]->upper,
                    mode[k]->ratio, m->difference[i]);
        }
    }
}

static int target_index(const char *map)
{
    for (int i = 0; i < TARGETS; i++) {
        if (strcmp(map, targets[i].map) == 0) {
            return i;
        }
    }
    return -1;
}

static void run_class(run_state *run, map_class angles)
{
    print_heading(angles);
    for (int k = 0; k < map_table_count; k++) {
        const map_row *row = &map_table[k];
        int promised = target_index(row->name);
        if ((run->opt.map && !strstr(row->name, run->opt.map)) || (angles == CLASS_SMALL && !map_has_angle(row))) {
            continue;
        }
        measured m;
        bench_plan plan = plan_for(&run->opt, promised >= 0);
        run->wrong += measure(&m, row, angles, &plan);
        print_row(&m);
        if (run->csv) {
            write_csv(run->csv, &m);
        }
        if (promised >= 0) {
            run->target_result[promised][angles] = m;
        }
    }
}

/* What a call costs that does nothing; all figures include it. */
static void print_overhead(run_state *run)
{
    const map_row *rows[2] = {&map_empty_row, &map_copy_row};
    bench_plan plan = {BENCH_CPU, 31, 3e5, 1e8};
    printf("Compiler %s; %d inputs per map; times are medians over interleaved rounds.\n", __VERSION__, MAP_SAMPLES);
    printf("Harness, included in every figure:");
    for (int i = 0; i < 2; i++) {
        measured m;
        (void)measure(&m, rows[i], CLASS_PI, &plan);
        printf("%s %s %.1f lat, %.1f thr", i ? ";" : "", rows[i]->name, m.latency[LIESTEP].ns,
               m.throughput[LIESTEP].ns);
        run->loop = m;
    }
    printf(" (ns)\n");
}

/* Where the closed forms cancel: compared on angles that are not timed, and listed where more than half the digits that
 * a good routine keeps are gone. */
static void print_lost_digits(const options *opt)
{
    static map_data data;
    int any = 0;
    printf("\nDigits lost by the others: largest relative difference from liestep (those above 1e-12)\n");
    printf("%-22s %13s %13s %13s %13s\n", "", "textbook", "textbook", "Eigen", "Eigen");
    printf("%-22s %13s %13s %13s %13s\n", "map", "1e-12..1e-2", "half-turn-", "1e-12..1e-2", "half-turn-");
    for (int k = 0; k < map_table_count; k++) {
        const map_row *row = &map_table[k];
        double d[4] = {0.0, 0.0, 0.0, 0.0};
        if (!map_has_angle(row) || (opt->map && !strstr(row->name, opt->map))) {
            continue;
        }
        for (int c = 0; c < 2; c++) {
            map_draw(&data, row, c == 0 ? CLASS_TINY : CLASS_HALF);
            d[c] = map_difference(row->textbook, row->lie, &data);
            d[2 + c] = row->eigen.kind == MAP_NONE ? 0.0 : map_difference(row->eigen, row->lie, &data);
        }
        if (fmax(fmax(d[0], d[1]), fmax(d[2], d[3])) > 1e-12) {
            any = 1;
            printf("%-22s %13.1e %13.1e", row->name, d[0], d[1]);
            if (row->eigen.kind != MAP_NONE) {
                printf(" %13.1e %13.1e", d[2], d[3]);
            }
            putchar('\n');
        }
    }
    printf("%s", any ? "" : "(none)\n");
}

static const char *why_not_measured(const measured *m, int contender)
{
    if (!m->row) {
        return "not measured (needs --angles pi or all)";
    }
    return contender_of(m->row, contender).kind == MAP_NONE ? "not measured (built without it)"
                                                            : "not measured (WRONG)";
}

/* (other - loop)/(ours - loop): the ratio of the maps alone. From the raw ratio, which is the steadier one. */
static double net_ratio(const bench_result *ours, const bench_result *other, const bench_result *loop)
{
    return (other->ratio * ours->ns - loop->ns) / (ours->ns - loop->ns);
}

/* Returns 1 if the target is missed, judged by the maps alone, without the loop around them. */
static int print_target(const target *t, const measured *at_pi, const measured *small, const measured *loop)
{
    double lat = net_ratio(&at_pi->latency[LIESTEP], &at_pi->latency[t->than], &loop->latency[LIESTEP]);
    double thr = net_ratio(&at_pi->throughput[LIESTEP], &at_pi->throughput[t->than], &loop->throughput[LIESTEP]);
    int met = lat >= t->times && thr >= t->times;
    printf("%-10s >= %.1f x faster than %-9s", t->map, t->times, contender_name[t->than]);
    if (at_pi->latency[t->than].ratio <= 0.0) {
        puts(why_not_measured(at_pi, t->than));
        return 0;
    }
    printf("latency %5.2f x, throughput %5.2f x  %s   raw: %.2f x, %.2f x", lat, thr, met ? "met   " : "MISSED",
           at_pi->latency[t->than].ratio, at_pi->throughput[t->than].ratio);
    if (small->latency[t->than].ratio > 0.0) {
        printf("; small angles, raw: %.2f x, %.2f x", small->latency[t->than].ratio, small->throughput[t->than].ratio);
    }
    putchar('\n');
    return !met;
}

/* Returns how many targets are missed. */
static int print_targets(const run_state *run)
{
    int missed = 0, shown = 0;
    for (int i = 0; i < TARGETS; i++) {
        if (!run->opt.map || strstr(targets[i].map, run->opt.map)) {
            if (shown++ == 0) {
                printf("\nTargets (angles up to a half-turn; the loop around the map is subtracted from both)\n");
            }
            missed += print_target(&targets[i], &run->target_result[i][CLASS_PI], &run->target_result[i][CLASS_SMALL],
                                   &run->loop);
        }
    }
    return missed;
}

static void usage_error(const char *what, const char *which)
{
    fprintf(stderr, "bench_maps: %s %s\nTry: bench_maps --help\n", what, which);
    exit(1);
}

static int parse_angles(options *opt, const char *which)
{
    int pi = strcmp(which, "pi") == 0, small = strcmp(which, "small") == 0, all = strcmp(which, "all") == 0;
    opt->classes[CLASS_PI] = pi || all;
    opt->classes[CLASS_SMALL] = small || all;
    return pi || small || all;
}

static options parse(int argc, char **argv)
{
    options opt = {.classes = {1, 1}};
    for (int i = 1; i < argc; i++) {
        const char *arg = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(arg, "--help") == 0) {
            fputs(help_text, stdout);
            exit(0);
        } else if (strcmp(arg, "--quick") == 0) {
            opt.quick = 1;
        } else if (strcmp(arg, "--strict") == 0) {
            opt.strict = 1;
        } else if (strcmp(arg, "--list") == 0) {
            opt.list = 1;
        } else if (strcmp(arg, "--map") != 0 && strcmp(arg, "--csv") != 0 && strcmp(arg, "--angles") != 0) {
            usage_error("unknown option", arg);
        } else if (!value) {
            usage_error("a value is missing after", arg);
        } else if (strcmp(arg, "--map") == 0) {
            opt.map = argv[++i];
        } else if (strcmp(arg, "--csv") == 0) {
            opt.csv = argv[++i];
        } else if (!parse_angles(&opt, argv[++i])) {
            usage_error("--angles takes pi, small or all, not", value);
        }
    }
    return opt;
}

static int count_matches(const options *opt)
{
    int n = 0;
    for (int k = 0; k < map_table_count; k++) {
        if (!opt->map || strstr(map_table[k].name, opt->map)) {
            n++;
            if (opt->list) {
                puts(map_table[k].name);
            }
        }
    }
    return n;
}

static FILE *open_csv(const char *name)
{
    FILE *csv = name ? fopen(name, "w") : NULL;
    if (name && !csv) {
        usage_error("cannot write", name);
    }
    if (csv) {
        fprintf(csv, "map,angles,contender,mode,ns,ns_q25,ns_q75,times_liestep,difference\n");
    }
    return csv;
}

int main(int argc, char **argv)
{
    static run_state run;
    run.opt = parse(argc, argv);
    if (count_matches(&run.opt) == 0) {
        usage_error("no map has a name that contains", run.opt.map);
    }
    if (run.opt.list) {
        return 0;
    }
    run.csv = open_csv(run.opt.csv);
    print_overhead(&run);
    for (int c = CLASS_PI; c <= CLASS_SMALL; c++) {
        if (run.opt.classes[c]) {
            run_class(&run, (map_class)c);
        }
    }
    print_lost_digits(&run.opt);
    int missed = print_targets(&run);
    if (run.wrong > 0) {
        printf("\n%d contender(s) marked WRONG compute something else than liestep.\n", run.wrong);
    }
    if (run.csv && fclose(run.csv) != 0) {
        usage_error("cannot write", run.opt.csv);
    }
    return run.wrong > 0 ? 1 : run.opt.strict && missed > 0 ? 2 : 0;
}
