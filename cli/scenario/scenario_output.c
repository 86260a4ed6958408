/* SPDX-License-Identifier: MIT */
/* scenario_output.c: what is written, and under which names. A name is one file in the output directory: no '/', no
 * '..', no '-' in front, and no two outputs under one name. */
#include <string.h>

#include "cli/base/epoch.h"
#include "cli/scenario/scenario_reading.h"

enum { RECORDS = 10000 };

static const char *file_name(reading *r, key_id key)
{
    const char *name = text_of(r, key);
    if (!name) return NULL;
    if (strchr(name, '/') || strcmp(name, ".") == 0 || strstr(name, ".."))
        complain(r, key, "'%s' must be a plain file name, without '/' and '..'; the directory is output.directory",
                 show(name).text);
    else if (name[0] == '-')
        complain(r, key, "'%s' begins with '-', which programs take for an option; choose another name",
                 show(name).text);
    return name;
}

static void check_distinct(reading *r)
{
    static const key_id keys[] = {output_csv, output_npy, output_hdf5, output_aem, output_plot, checkpoint_file};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        for (size_t j = 0; j < i; j++) {
            const char *a = text_of(r, keys[i]), *b = text_of(r, keys[j]);
            if (a && b && strcmp(a, b) == 0)
                complain(r, keys[i], "'%s' is already the name of %s; choose another one", show(a).text,
                         scenario_keys[keys[j]].path);
        }
}

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n > m && strcmp(text + n - m, end) == 0;
}

static void check_aem(reading *r)
{
    const char *object = text_of(r, output_object), *date = text_of(r, output_epoch);
    epoch start;
    if (text_of(r, output_aem) && !object)
        complain(r, output_object, "is missing; aem needs it, for example object: SAT");
    if (text_of(r, output_aem) && !date)
        complain(r, output_epoch, "is missing; aem needs it, for example epoch: 2026-01-01T00:00:00");
    if (date && !epoch_parse(&start, date))
        complain(r, output_epoch, "expected a date like 2026-01-01T00:00:00 (UTC), found '%s'", show(date).text);
    for (const char *c = object; c && *c; c++)
        if (*c < ' ' || *c > '~') {
            complain(r, output_object, "an AEM file is ASCII; '%s' is not", show(object).text);
            break;
        }
}

bool output_build(reading *r)
{
    scenario *s = r->out;
    const char *plot = s->output.plot = file_name(r, output_plot);
    s->output.csv = file_name(r, output_csv);
    s->output.npy = file_name(r, output_npy);
    s->output.hdf5 = file_name(r, output_hdf5);
    s->output.aem = file_name(r, output_aem);
    s->output.every = (s->steps - 1) / RECORDS + 1;
    if (is_given(r, output_every)) s->output.every = (long long)number_of(r, output_every);
    if (plot && !ends_with(plot, ".svg") && !ends_with(plot, ".png"))
        complain(r, output_plot, "'%s' must end in .svg or .png", show(plot).text);
    check_aem(r);
    s->checkpoint = file_name(r, checkpoint_file);
    if (!s->checkpoint) s->checkpoint_seconds = 0.0;
    if (!s->checkpoint && is_given(r, checkpoint_seconds))
        complain(r, checkpoint_file, "is missing; for example file: run.checkpoint");
    check_distinct(r);
    return r->errors == 0;
}
