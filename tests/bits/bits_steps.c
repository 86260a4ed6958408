/* SPDX-License-Identifier: MIT */
/* bits_steps.c: the hash of the steps of one method on one system; see bits_steps.h. */
#include "tests/bits/bits_steps.h"

#include <stdlib.h>
#include <string.h>

#include "tests/bits/bits.h"

enum { TANGENT_STEPS = 2 };

/* A stepper in memory of its own, which is full of `filling` before. */
typedef struct walk {
    lie_stepper *st;
    lie_state s;
    void *work;
} walk;

static int walk_begin(walk *w, const bits_pair *p, int filling)
{
    const bits_subject *of = p->subject;
    const lie_options opt = {.method = p->method->name, .tableau = p->tableau};
    size_t bytes = lie_stepper_memsize(&of->sys, &opt);
    memset(w, filling, sizeof *w);
    w->work = malloc(bytes);
    if (!w->work) return 0;
    memset(w->work, filling, bytes);
    if (lie_stepper_init(&w->st, &of->sys, &opt, w->work, bytes) != LIE_OK) return 0;
    if (of->sys.controls > 0) lie_stepper_control(w->st, of->u_minus, of->u_plus);
    w->s = of->start;
    return 1;
}

static void walk_end(walk *w)
{
    free(w->work);
}

static uint64_t add_doubles(uint64_t hash, int n, const double *x)
{
    for (int i = 0; i < n; i++) hash = bits_add_double(hash, x[i]);
    return hash;
}

static uint64_t add_state(uint64_t hash, const lie_ops *G, const lie_state *s)
{
    hash = bits_add_double(bits_add_double(hash, s->t), s->low_t);
    hash = add_doubles(add_doubles(hash, G->size, s->g), G->dim, s->m);
    hash = add_doubles(add_doubles(hash, G->size, s->low_g), G->dim, s->low_m);
    return bits_add(hash, (uint64_t)s->steps);
}

/* Where the stepper stands and what it has learnt. */
static uint64_t add_walk(uint64_t hash, const walk *w)
{
    int learnt = lie_stepper_memory_count(w->st);
    double *memory = (double *)calloc((size_t)learnt + 1, sizeof *memory);
    if (!memory) return 0;
    lie_stepper_memory_get(w->st, memory);
    hash = add_doubles(add_state(hash, lie_stepper_group(w->st), &w->s), learnt, memory);
    free(memory);
    return hash;
}

/* `to` goes on where `from` is. */
static void hand_over(walk *to, const walk *from)
{
    double *memory = (double *)calloc((size_t)lie_stepper_memory_count(from->st) + 1, sizeof *memory);
    if (!memory) return;
    lie_stepper_memory_get(from->st, memory);
    lie_stepper_memory_set(to->st, memory);
    to->s = from->s;
    free(memory);
}

/* f = the first component of the momentum less nine tenths of where it began */
static double first_momentum(const void *ctx, const lie_system *sys, double t, const double *g, const double *m)
{
    (void)sys, (void)t, (void)g;
    return m[0] - 0.9 * *(const double *)ctx;
}

/* n steps seen by a section, whose crossings count. */
static lie_status through_section(walk *w, uint64_t *hash, double h, long long n)
{
    const double begin = w->s.m[0];
    const lie_event event = {.value = first_momentum, .ctx = &begin};
    lie_section *sec;
    lie_crossing c = {.found = 1};
    size_t bytes = lie_section_memsize(w->st);
    void *work = malloc(bytes);
    lie_status status = work ? lie_section_init(&sec, w->st, &event, work, bytes) : LIE_ERR_MEMORY;
    while (status == LIE_OK && c.found) {
        status = lie_section_next(sec, &w->s, h, &n, &c);
        if (status != LIE_OK || !c.found) break;
        *hash = bits_add_double(bits_add(*hash, (uint64_t)c.direction), c.residual);
        *hash = add_state(*hash, lie_stepper_group(w->st), c.state);
    }
    free(work);
    *hash = bits_add(*hash, (uint64_t)status);
    return status;
}

/* The run in one piece; the same seen by a section for its first half and gone on with by another stepper, from what
 * the first has learnt. */
static uint64_t add_run(uint64_t hash, const bits_pair *p, long long n, const char **complaint)
{
    walk whole, first, second;
    double h = p->subject->h;
    int made = walk_begin(&whole, p, 0xff) + walk_begin(&first, p, 0x00) + walk_begin(&second, p, 0x3f);
    if (made < 3) *complaint = "a stepper cannot be made";
    if (made == 3) {
        lie_status status = lie_run(whole.st, &whole.s, h, n);
        hash = add_walk(bits_add(hash, (uint64_t)status), &whole);
        hash = bits_add_double(bits_add(hash, (uint64_t)lie_stepper_statistics(whole.st)->iterations),
                               lie_stepper_statistics(whole.st)->residual_max);
        if (through_section(&first, &hash, h, n / 2) == LIE_OK) {
            hand_over(&second, &first);
            lie_status later = lie_run(second.st, &second.s, h, n - n / 2);
            if (later != status || add_walk(1u, &second) != add_walk(1u, &whole))
                *complaint = "a section and a restart from saved memory give other bits than the run in one piece";
        }
    }
    walk_end(&whole), walk_end(&first), walk_end(&second);
    return hash;
}

/* Tangents of the first steps, which must be those of lie_step. */
static uint64_t add_tangents(uint64_t hash, const bits_pair *p, const char **complaint)
{
    walk w, plain;
    int made = walk_begin(&w, p, 0xff) + walk_begin(&plain, p, 0x00);
    size_t n = 2 * (size_t)p->subject->sys.group->dim;
    size_t bytes = made == 2 ? lie_tangent_memsize(w.st) : 0;
    double *T = (double *)malloc(n * n * sizeof *T + bytes);
    for (int k = 0; made == 2 && T && k < TANGENT_STEPS; k++) {
        lie_status status = lie_step_tangent(w.st, &w.s, p->subject->h, T, T + n * n, bytes);
        hash = bits_add(hash, (uint64_t)status);
        if (status != LIE_OK) break;
        hash = add_doubles(hash, (int)(n * n), T);
        (void)lie_step(plain.st, &plain.s, p->subject->h);
        if (add_state(1u, lie_stepper_group(w.st), &w.s) != add_state(1u, lie_stepper_group(w.st), &plain.s))
            *complaint = "a step with its tangent has other bits than the step";
    }
    free(T), walk_end(&w), walk_end(&plain);
    return hash;
}

/* Steps whose length a tolerance decides, of the pairs that can. */
static uint64_t add_adaptive(uint64_t hash, const bits_pair *p, long long n)
{
    const lie_tolerance tolerance = {.absolute = 1e-9, .relative = 1e-9, .max_steps = n};
    walk w;
    lie_adaptive *a;
    double room[400];
    if (walk_begin(&w, p, 0xff) && lie_adaptive_init(&a, w.st, &tolerance, room, sizeof room) == LIE_OK) {
        hash = bits_add(hash, (uint64_t)lie_adaptive_run(a, &w.s, w.s.t + 0.37 * p->subject->h * (double)n));
        hash = add_state(hash, lie_stepper_group(w.st), &w.s);
        hash = bits_add_double(
            bits_add(hash, (uint64_t)(lie_adaptive_now(a)->accepted + 1000 * lie_adaptive_now(a)->rejected)),
            lie_adaptive_now(a)->h);
        if (lie_adaptive_state(a, &w.s, w.s.t - 0.3 * lie_adaptive_now(a)->taken) == LIE_OK)
            hash = add_state(hash, lie_stepper_group(w.st), &w.s);
    }
    walk_end(&w);
    return hash;
}

uint64_t bits_hash_pair(const bits_pair *p, long long n, const char **complaint)
{
    uint64_t hash = add_run(0xcbf29ce484222325u, p, n, complaint);
    return add_adaptive(add_tangents(hash, p, complaint), p, n);
}
