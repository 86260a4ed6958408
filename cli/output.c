/* SPDX-License-Identifier: MIT */
/* output.c: the columns of a record: names, units, values. */
#include "output.h"

#include <string.h>

#include "expression.h"
#include "json.h"

/* What the numbers of a group are. Velocities: first `angular` ones about axes, w, then linear ones, v. */
typedef struct columns {
    const char *group;
    const char *element; /* names, separated by blanks; null: numbered */
    const char *letter;  /* of numbered ones */
    int turning;         /* so many components of the element are pure numbers; the others are lengths */
    int angular;
} columns;

static const columns known[] = {
    {"SO3", "R11 R12 R13 R21 R22 R23 R31 R32 R33", 0, 9, 3},
    {"S3", "q0 q1 q2 q3", 0, 4, 3},
    {"SE3", "R11 R12 R13 R21 R22 R23 R31 R32 R33 x y z", 0, 9, 3},
    {"SO3xR3", "R11 R12 R13 R21 R22 R23 R31 R32 R33 x y z", 0, 9, 3},
    {"R2", 0, "x", 0, 0},
};

static const columns *columns_of(const table *t)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].group, t->from->group) == 0) return &known[i];
    return 0;
}

void table_init(table *t, const scenario *s, const lie_stepper *st)
{
    int size = st->group->size, dim = st->group->dim;
    const int sizes[BLOCKS] = {1, size, dim, dim, 1, dim};
    *t = (table){.from = s, .group = st->group, .method = st->method->name};
    t->every = s->output.every > 0 ? s->output.every : 1;
    t->records = 1 + s->steps / t->every + (s->steps % t->every != 0);
    for (int b = 0; b < BLOCKS; b++) t->start[b + 1] = t->start[b] + sizes[b];
    t->columns = t->start[BLOCKS];
}

const char *table_block_name(block b)
{
    static const char *const names[BLOCKS] = {"t", "g", "velocity", "momentum", "energy", "spatial_momentum"};
    return names[b];
}

int table_block_size(const table *t, block b)
{
    return t->start[b + 1] - t->start[b];
}

static block block_of(const table *t, int column)
{
    int b = 0;
    while (column >= t->start[b + 1]) b++;
    return (block)b;
}

/* The k-th of words separated by single blanks. */
static void word(char out[COLUMN_NAME], const char *words, int k)
{
    for (; k > 0; k--) words = strchr(words, ' ') + 1;
    snprintf(out, COLUMN_NAME, "%.*s", (int)strcspn(words, " "), words);
}

static void numbered(char out[COLUMN_NAME], const char *letter, int k)
{
    snprintf(out, COLUMN_NAME, "%s%d", letter, k + 1);
}

void table_name(char out[COLUMN_NAME], const table *t, int column)
{
    const columns *c = columns_of(t);
    block b = block_of(t, column);
    int k = column - t->start[b];
    switch (b) {
    case BLOCK_ELEMENT:
        if (c && c->element)
            word(out, c->element, k);
        else
            numbered(out, c ? c->letter : "g", k);
        break;
    case BLOCK_VELOCITY:
        numbered(out, !c ? "xi" : k < c->angular ? "w" : "v", c && k >= c->angular ? k - c->angular : k);
        break;
    case BLOCK_MOMENTUM:
        numbered(out, "m", k);
        break;
    case BLOCK_SPATIAL:
        numbered(out, "J", k);
        break;
    default:
        snprintf(out, COLUMN_NAME, "%s", table_block_name(b));
        break;
    }
}

const char *table_unit(const table *t, int column)
{
    const columns *c = columns_of(t);
    block b = block_of(t, column);
    int k = column - t->start[b];
    if (b == BLOCK_TIME) return "s";
    if (b == BLOCK_ENERGY) return "J";
    if (!c) return "";
    if (b == BLOCK_ELEMENT) return k < c->turning ? "1" : "m";
    if (b == BLOCK_VELOCITY) return k < c->angular ? "rad/s" : "m/s";
    return k < c->angular ? "N m s" : "N s";
}

void table_spatial(const table *t, double *out, const double *g, const double *m)
{
    expression_spatial(t->group, t->from->group, out, g, m);
}

lie_status table_row(const table *t, double *row, const lie_state *s)
{
    const lie_system *sys = &t->from->system;
    double *xi = row + t->start[BLOCK_VELOCITY];
    lie_status status = lie_state_velocity(sys, xi, s);
    if (status != LIE_OK) return status;
    row[0] = s->t;
    memcpy(row + t->start[BLOCK_ELEMENT], s->g, (size_t)t->group->size * sizeof *row);
    memcpy(row + t->start[BLOCK_MOMENTUM], s->m, (size_t)t->group->dim * sizeof *row);
    row[t->start[BLOCK_ENERGY]] = lie_system_energy(sys, s->g, xi);
    table_spatial(t, row + t->start[BLOCK_SPATIAL], s->g, s->m);
    return LIE_OK;
}

int table_attitude(const table *t, double q[4], const double *row)
{
    const double *g = row + t->start[BLOCK_ELEMENT];
    double R[9];
    if (strcmp(t->from->group, "S3") == 0) return lie_s3_project(q, g) == LIE_OK;
    if (!columns_of(t) || columns_of(t)->turning != 9) return 0;
    return lie_so3_project(R, g) == LIE_OK && lie_matrix_to_quat(q, R) == LIE_OK;
}

void table_title(const table *t, char *out, size_t n)
{
    char h[JSON_NUMBER];
    json_shortest(h, t->from->step);
    snprintf(out, n, "%s on %s, method %s, retraction %s, h = %s s", t->from->system.name, t->from->group, t->method,
             t->from->retraction, h);
}
