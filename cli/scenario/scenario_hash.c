/* SPDX-License-Identifier: MIT */
/* scenario_hash.c: the fingerprint of a scenario, FNV-1a of 64 bits (Fowler, Noll & Vo; IETF draft-eastlake-fnv).
 * Values go in as they will be used, not as they were written: a default and the same number given, three moments and
 * the matrix they stand for, make no difference. Doubles go in by their bits, low byte first, so that every machine
 * finds the same; texts with their length. */
#include <stdint.h>
#include <string.h>

#include "cli/scenario/scenario_reading.h"

static void hash_bits(uint64_t *hash, uint64_t bits)
{
    for (int i = 0; i < 8; i++) *hash = (*hash ^ (bits >> 8 * i & 0xff)) * 0x100000001b3u;
}

static void hash_doubles(uint64_t *hash, int n, const double *x)
{
    hash_bits(hash, (uint64_t)n);
    for (int i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        hash_bits(hash, bits);
    }
}

static void hash_text(uint64_t *hash, const char *text)
{
    hash_bits(hash, text ? strlen(text) : UINT64_MAX);
    for (const char *c = text; c && *c; c++) hash_bits(hash, (unsigned char)*c);
}

static void hash_places(uint64_t *hash, const key_value *v)
{
    unsigned count = v->any ? v->count : 0;
    hash_bits(hash, count);
    for (unsigned k = 0; k < count; k++) {
        hash_doubles(hash, 3, v->place[k].at);
        hash_doubles(hash, 3, v->place[k].along);
    }
}

static void hash_parameter(uint64_t *hash, const reading *r, key_id key)
{
    const scenario_key *k = &scenario_keys[key];
    double x[NUMBERS_MAX];
    int n = scenario_system_at(r->system)->inertia_dim;
    if (k->kind == PLACES) {
        hash_places(hash, &r->store->values.of[key]);
    } else if (k->kind == NUMBER) {
        x[0] = number_of(r, key);
        hash_doubles(hash, 1, x);
    } else if (k->size > 0) {
        numbers_of(r, key, k->size, x);
        hash_doubles(hash, k->size, x);
    } else {
        matrix_of(r, key, n, x);
        hash_doubles(hash, n * n, x);
    }
}

/* What is given for a key, as it is. */
static void hash_given(uint64_t *hash, const reading *r, key_id key)
{
    const key_value *v = &r->store->values.of[key];
    key_kind kind = scenario_keys[key].kind;
    if (!v->any) return;
    hash_bits(hash, (uint64_t)key);
    if (kind == TEXT) hash_text(hash, v->text);
    if (kind == NUMBER || kind == COUNT) hash_doubles(hash, 1, v->number);
    if (kind == NUMBERS || kind == ROWS) hash_doubles(hash, (int)v->count, v->number);
    for (unsigned i = 0; kind == TEXTS && i < v->count; i++) hash_text(hash, v->texts[i].text);
}

/* Does the result depend on the key, as keys.def says of it or of its mapping? */
static bool is_result(int k)
{
    key_id parent = scenario_keys[k].parent;
    return (scenario_keys[k].flags | (parent == NO_KEY ? 0u : scenario_keys[parent].flags)) & RESULT;
}

unsigned long long scenario_hash(const reading *r)
{
    const scenario *s = r->out;
    const lie_ops *G = s->system.group;
    const char *const texts[] = {s->system.name,
                                 s->group,
                                 s->options.method,
                                 s->retraction,
                                 s->options.tableau ? s->options.tableau->name : NULL,
                                 s->output.csv,
                                 s->output.npy,
                                 s->output.hdf5,
                                 s->output.aem,
                                 s->output.plot,
                                 s->output.object,
                                 s->output.epoch};
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) hash_text(&hash, texts[i]);
    for (int k = 0; k < KEYS; k++)
        if (scenario_keys[k].parent == key_parameters && system_has(r->system, (key_id)k))
            hash_parameter(&hash, r, (key_id)k);
    for (int k = 0; k < KEYS; k++)
        if (is_result(k)) hash_given(&hash, r, (key_id)k);
    hash_doubles(&hash, 2, (const double[2]){s->start.t, s->step});
    hash_doubles(&hash, G->size, s->start.g);
    hash_doubles(&hash, G->dim, s->start.m);
    if (s->u) hash_doubles(&hash, s->system.controls, s->u);
    hash_bits(&hash, (uint64_t)s->steps);
    hash_bits(&hash, (uint64_t)s->output.every);
    hash_bits(&hash, (uint64_t)s->options.max_iterations);
    return hash;
}
