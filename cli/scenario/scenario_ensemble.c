/* SPDX-License-Identifier: MIT */
/* scenario_ensemble.c: the mapping `ensemble`: dispersions, what is watched, percentiles. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/scenario/scenario_reading.h"

static bool is_ensemble_given(const reading *r)
{
    for (int k = 0; k < KEYS; k++)
        if (scenario_keys[k].parent == key_ensemble && is_given(r, (key_id)k)) return true;
    return false;
}

/* The key of "KEY" or "KEY[INDEX]"; NO_KEY after a complaint. Moves *at behind it. */
static key_id read_key(reading *r, const char **at, int *index)
{
    char path[64] = "", *end;
    size_t n = strcspn(*at, "[ ");
    if (n < sizeof path) memcpy(path, *at, n);
    *at += n;
    *index = -1;
    if (**at == '[') {
        long i = strtol(*at + 1, &end, 10);
        if (*end == ']' && i >= 1 && i <= NUMBERS_MAX) *index = (int)i - 1, *at = end + 1;
    }
    for (int k = 0; k < KEYS; k++) {
        key_id parent = scenario_keys[k].parent;
        if (strcmp(scenario_keys[k].path, path) != 0) continue;
        if (parent == key_parameters || parent == key_start || k == key_control) return (key_id)k;
        complain(r, ensemble_disperse, "'%s' cannot be dispersed, only keys of parameters, start and control", path);
        return NO_KEY;
    }
    complain(r, ensemble_disperse, "there is no key '%s'; expected for example \"parameters.mass uniform 1 2\"",
             show(path).text);
    return NO_KEY;
}

/* Is the number there that shall vary? */
static bool check_target(reading *r, key_id key, int index)
{
    const scenario_key *k = &scenario_keys[key];
    const key_value *v = &r->store->values.of[key];
    if (k->kind == NUMBER && index < 0 && system_has(r->system, key)) return true;
    if (k->kind == NUMBER)
        complain(r, ensemble_disperse, "%s is a number of systems that have it, not a list", k->path);
    else if (k->kind != NUMBERS)
        complain(r, ensemble_disperse, "%s has no numbers to vary", k->path);
    else if (!v->any)
        complain(r, ensemble_disperse, "%s must be given in the scenario, so that its other numbers are known",
                 k->path);
    else if (index < 0 || index >= (int)v->count)
        complain(r, ensemble_disperse, "%s has %u numbers; say which, as in %s[1]", k->path, v->count, k->path);
    else
        return true;
    return false;
}

/* How many numbers a text has, all of it; -1: something else is in it. */
static int count_numbers(const char *text, double first[2])
{
    int n = 0;
    for (char *end; *text; text = end, n++) {
        double x = strtod(text, &end);
        if (end == text || !isfinite(x)) return -1;
        if (n < 2) first[n] = x;
        while (*end == ' ') end++;
    }
    return n;
}

static bool is_dispersed(const ensemble_plan *p, int key, int index)
{
    for (int i = 0; i < p->dispersed; i++)
        if (p->dispersion[i].key == key && p->dispersion[i].index == index) return true;
    return false;
}

static void read_dispersion(reading *r, ensemble_plan *p, const char *text)
{
    static const char *const kinds[] = {"normal", "uniform", "list"};
    dispersion d = {.kind = DISPERSION_LIST};
    double first[2] = {0.0, 0.0};
    const char *at = text;
    key_id key = read_key(r, &at, &d.index);
    if (key == NO_KEY || !check_target(r, key, d.index)) return;
    while (*at == ' ') at++;
    size_t n = strcspn(at, " ");
    int kind = 0;
    while (kind < 3 && (strncmp(kinds[kind], at, n) != 0 || kinds[kind][n] != '\0')) kind++;
    at += n;
    while (*at == ' ') at++;
    d.key = (int)key, d.kind = (dispersion_kind)kind, d.list = at, d.count = count_numbers(at, first);
    d.a = first[0], d.b = first[1];
    if (kind == 3 || d.count < 1 || (kind < 2 && d.count != 2))
        complain(r, ensemble_disperse,
                 "'%s': expected KEY normal MEAN DEVIATION, KEY uniform LOW HIGH or KEY list VALUE ...",
                 show(text).text);
    else if ((kind == 0 && d.b < 0.0) || (kind == 1 && !(d.a <= d.b)))
        complain(r, ensemble_disperse, "'%s': %s", show(text).text,
                 kind == 0 ? "the deviation is below 0" : "the range is empty");
    else if (is_dispersed(p, d.key, d.index))
        complain(r, ensemble_disperse, "'%s': this number varies already; give each of them one distribution",
                 show(text).text);
    else
        p->dispersion[p->dispersed++] = d;
}

static void read_watched(reading *r, ensemble_plan *p)
{
    const key_value *v = &r->store->values.of[ensemble_watch];
    if (!v->any) return;
    if (v->count > ENSEMBLE_WATCHED) {
        complain(r, ensemble_watch, "has %u expressions; at most %d are possible", v->count, ENSEMBLE_WATCHED);
        return;
    }
    for (unsigned i = 0; i < v->count; i++) {
        for (unsigned k = 0; k < i; k++)
            if (strcmp(v->texts[k].text, v->texts[i].text) == 0)
                complain(r, ensemble_watch, "'%s' is there twice", show(v->texts[i].text).text);
        p->watch_text[p->watched] = v->texts[i].text;
        expression_build(r, ensemble_watch, v->texts[i].text, &p->watch[p->watched++]);
    }
}

static void read_percentiles(reading *r, ensemble_plan *p)
{
    static const double usual[ENSEMBLE_PERCENTILES] = {5, 25, 50, 75, 95};
    memcpy(p->percentile, usual, sizeof usual);
    if (is_given(r, ensemble_percentiles)) numbers_of(r, ensemble_percentiles, ENSEMBLE_PERCENTILES, p->percentile);
    for (int i = 0; i < ENSEMBLE_PERCENTILES; i++)
        if (p->percentile[i] > 100.0 || (i > 0 && !(p->percentile[i - 1] < p->percentile[i]))) {
            complain(r, ensemble_percentiles, "expected five ascending numbers from 0 to 100");
            return;
        }
}

/* All values are held in memory at the end. */
static void check_size(reading *r, const ensemble_plan *p)
{
    const scenario *s = r->out;
    double records = 1.0 + ceil((double)s->steps / (double)s->output.every);
    double values = (double)p->trajectories * records * (p->watched + 3);
    if (p->trajectories > 1000000)
        complain(r, ensemble_trajectories, "is %lld; 1000000 at most", p->trajectories);
    else if (values > 2e8)
        complain(r, ensemble_trajectories,
                 "%lld trajectories with %.0f records each are %.3g numbers; 2e8 at most. A larger output.every "
                 "records less",
                 p->trajectories, records, values);
}

static const char *table_name(reading *r, key_id key)
{
    const char *name = text_of(r, key);
    static const key_id others[] = {output_csv,      output_npy,          output_hdf5,       output_plot,
                                    checkpoint_file, ensemble_statistics, ensemble_histogram};
    if (!name) return NULL;
    if (strchr(name, '/') || strstr(name, "..") || name[0] == '-' || name[0] == '.')
        complain(r, key, "'%s' must be a plain file name; the directory is output.directory", show(name).text);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        const char *other = others[i] == key ? NULL : text_of(r, others[i]);
        if (other && strcmp(other, name) == 0)
            complain(r, key, "'%s' is already the name of %s", show(name).text, scenario_keys[others[i]].path);
    }
    return name;
}

bool ensemble_build(reading *r)
{
    ensemble_plan *p = &r->store->ensemble;
    const key_value *v = &r->store->values.of[ensemble_disperse];
    if (!is_ensemble_given(r)) return true;
    for (unsigned i = 0; v->any && i < v->count; i++) read_dispersion(r, p, v->texts[i].text);
    read_watched(r, p);
    read_percentiles(r, p);
    if (p->bins > 1000) complain(r, ensemble_bins, "1000 at most");
    p->statistics = table_name(r, ensemble_statistics);
    p->histogram = table_name(r, ensemble_histogram);
    check_size(r, p);
    r->out->ensemble = p;
    return r->errors == 0;
}
