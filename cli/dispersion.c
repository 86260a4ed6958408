/* SPDX-License-Identifier: MIT */
/* dispersion.c: see dispersion.h. */
#include "dispersion.h"

#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "scenario_reading.h"

static double listed_value(const dispersion *d, long long k)
{
    const char *at = d->list;
    double x = 0.0;
    for (long long i = 0; i <= k % d->count; i++) {
        char *end;
        x = strtod(at, &end);
        at = end;
    }
    return x;
}

double dispersion_value(const ensemble_plan *p, int i, long long k)
{
    const dispersion *d = &p->dispersion[i];
    random_numbers r = random_begin(p->seed, (unsigned long long)k * ENSEMBLE_DISPERSED + (unsigned long long)i);
    if (d->kind == DISPERSION_NORMAL) return d->a + d->b * random_normal(&r);
    if (d->kind == DISPERSION_UNIFORM) return d->a + (d->b - d->a) * random_uniform(&r);
    return listed_value(d, k);
}

/* "KEY=VALUE" or "KEY=[VALUE,VALUE,...]" */
static void print_override(char out[DISPERSION_TEXT], key_id key, const double *x, int n, int is_list)
{
    int used = snprintf(out, DISPERSION_TEXT, "%s=%s", scenario_keys[key].path, is_list ? "[" : "");
    for (int i = 0; i < n; i++)
        used += snprintf(out + used, (size_t)(DISPERSION_TEXT - used), "%s%.17g", i > 0 ? "," : "", x[i]);
    if (is_list) snprintf(out + used, (size_t)(DISPERSION_TEXT - used), "]");
}

int dispersion_overrides(const scenario *s, long long k, char out[ENSEMBLE_DISPERSED][DISPERSION_TEXT])
{
    const ensemble_plan *p = s->ensemble;
    int made = 0;
    for (int i = 0; i < p->dispersed; i++) {
        const dispersion *d = &p->dispersion[i];
        const key_value *v = &s->store->values.of[d->key];
        double x[NUMBERS_MAX] = {0.0};
        int n = d->index < 0 ? 1 : (int)v->count, is_first = 1;
        for (int j = 0; j < i; j++) is_first &= p->dispersion[j].key != d->key;
        if (!is_first) continue;
        if (d->index >= 0) memcpy(x, v->number, (size_t)n * sizeof *x);
        for (int j = i; j < p->dispersed; j++)
            if (p->dispersion[j].key == d->key)
                x[p->dispersion[j].index < 0 ? 0 : p->dispersion[j].index] = dispersion_value(p, j, k);
        print_override(out[made++], (key_id)d->key, x, n, d->index >= 0);
    }
    return made;
}
