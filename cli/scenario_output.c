/* SPDX-License-Identifier: MIT */
/* scenario_output.c: what is written, and under which names. A name is one file in the output directory: no '/', no
 * '..', no '-' in front, and no two outputs under one name. */
#include <string.h>

#include "scenario_reading.h"

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

static bool matches(const char *text, const char *pattern)
{
    for (; *pattern; pattern++, text++)
        if (*pattern == 'd' ? *text < '0' || *text > '9' : *text != *pattern) return false;
    return true;
}

static int two_digits(const char *c)
{
    return 10 * (c[0] - '0') + (c[1] - '0');
}

/* YYYY-MM-DDThh:mm:ss, a date that exists; then perhaps . and digits, perhaps Z */
static bool is_epoch(const char *text)
{
    static const int days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (!matches(text, "dddd-dd-ddTdd:dd:dd")) return false;
    int year = 100 * two_digits(text) + two_digits(text + 2), month = two_digits(text + 5), day = two_digits(text + 8);
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    if (year < 1 || month < 1 || month > 12 || day < 1) return false;
    if (day > days[month - 1] + (leap && month == 2)) return false;
    if (two_digits(text + 11) > 23 || two_digits(text + 14) > 59 || two_digits(text + 17) > 59) return false;
    const char *c = text + 19;
    if (*c == '.' && c[1] >= '0' && c[1] <= '9') c += 1 + strspn(c + 1, "0123456789");
    if (*c == 'Z') c++;
    return *c == '\0';
}

static void check_aem(reading *r)
{
    const char *object = text_of(r, output_object), *epoch = text_of(r, output_epoch);
    if (text_of(r, output_aem) && !object)
        complain(r, output_object, "is missing; aem needs it, for example object: SAT");
    if (text_of(r, output_aem) && !epoch)
        complain(r, output_epoch, "is missing; aem needs it, for example epoch: 2026-01-01T00:00:00");
    if (epoch && !is_epoch(epoch))
        complain(r, output_epoch, "expected a date like 2026-01-01T00:00:00 (UTC), found '%s'", show(epoch).text);
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
    s->output.directory = text_of(r, output_directory);
    s->output.csv = file_name(r, output_csv);
    s->output.npy = file_name(r, output_npy);
    s->output.hdf5 = file_name(r, output_hdf5);
    s->output.aem = file_name(r, output_aem);
    s->output.object = text_of(r, output_object);
    s->output.epoch = text_of(r, output_epoch);
    s->output.every = (s->steps - 1) / RECORDS + 1;
    if (is_given(r, output_every)) s->output.every = (long long)number_of(r, output_every);
    if (plot && !ends_with(plot, ".svg") && !ends_with(plot, ".png"))
        complain(r, output_plot, "'%s' must end in .svg or .png", show(plot).text);
    check_aem(r);
    s->checkpoint = file_name(r, checkpoint_file);
    if (s->checkpoint) s->checkpoint_seconds = number_of(r, checkpoint_seconds);
    if (!s->checkpoint && is_given(r, checkpoint_seconds))
        complain(r, checkpoint_file, "is missing; for example file: run.checkpoint");
    check_distinct(r);
    return r->errors == 0;
}
