/* SPDX-License-Identifier: MIT */
/* dispersion.c: see dispersion.h. */
#include "cli/scenario/dispersion.h"

#include <stdlib.h>
#include <string.h>

#include "cli/base/random.h"
#include "cli/scenario/scenario_reading.h"

_Static_assert((int)DISPERSION_NUMBERS == (int)NUMBERS_MAX, "room for all numbers of a key");

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

int dispersion_changes(const scenario *s, long long k, dispersion_change out[ENSEMBLE_DISPERSED])
{
    const ensemble_plan *p = s->ensemble;
    int made = 0;
    for (int i = 0; i < p->dispersed; i++) {
        const dispersion *d = &p->dispersion[i];
        const key_value *v = &s->store->values.of[d->key];
        int n = d->index < 0 ? 1 : (int)v->count, is_first = 1;
        for (int j = 0; j < i; j++) is_first &= p->dispersion[j].key != d->key;
        if (!is_first) continue;
        dispersion_change *c = &out[made++];
        *c = (dispersion_change){.key = d->key, .count = n, .is_list = d->index >= 0};
        if (d->index >= 0) memcpy(c->number, v->number, (size_t)n * sizeof *c->number);
        for (int j = i; j < p->dispersed; j++)
            if (p->dispersion[j].key == d->key)
                c->number[p->dispersion[j].index < 0 ? 0 : p->dispersion[j].index] = dispersion_value(p, j, k);
    }
    return made;
}

void dispersion_print(char out[DISPERSION_TEXT], const dispersion_change *c)
{
    int used = snprintf(out, DISPERSION_TEXT, "%s=%s", scenario_keys[c->key].path, c->is_list ? "[" : "");
    for (int i = 0; i < c->count; i++)
        used += snprintf(out + used, (size_t)(DISPERSION_TEXT - used), "%s%.17g", i > 0 ? "," : "", c->number[i]);
    if (c->is_list) snprintf(out + used, (size_t)(DISPERSION_TEXT - used), "]");
}
