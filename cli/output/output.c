/* SPDX-License-Identifier: MIT */
/* output.c: the columns of a record: names, units, values. */
#include "cli/output/output.h"

#include <string.h>

#include "cli/base/expression.h"
#include "cli/base/json.h"

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

int table_block_size(const table *t, int b)
{
    return t->start[b + 1] - t->start[b];
}

void table_add_block(table *t, const char *name, int is_list)
{
    t->block_name[t->blocks] = name;
    t->is_list[t->blocks] = is_list;
    t->start[++t->blocks] = t->columns;
}

void table_add_column(table *t, const char *name, const char *unit)
{
    snprintf(t->name[t->columns], COLUMN_NAME, "%s", name);
    t->unit[t->columns] = unit;
    t->start[t->blocks] = ++t->columns;
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

static void add_numbered(table *t, const char *letter, int k, const char *unit)
{
    char name[COLUMN_NAME];
    numbered(name, letter, k);
    table_add_column(t, name, unit);
}

void table_add_element(table *t)
{
    const columns *c = columns_of(t);
    for (int k = 0; k < t->group->size; k++) {
        char name[COLUMN_NAME];
        const char *unit = !c ? "" : k < c->turning ? "1" : "m";
        if (c && c->element)
            word(name, c->element, k);
        else
            numbered(name, c ? c->letter : "g", k);
        table_add_column(t, name, unit);
    }
}

static void add_velocity(table *t)
{
    const columns *c = columns_of(t);
    for (int k = 0; k < t->group->dim; k++) {
        int turns = c && k < c->angular;
        add_numbered(t,
                     !c      ? "xi"
                     : turns ? "w"
                             : "v",
                     c && !turns ? k - c->angular : k,
                     !c      ? ""
                     : turns ? "rad/s"
                             : "m/s");
    }
}

static void add_momentum(table *t, const char *letter)
{
    const columns *c = columns_of(t);
    for (int k = 0; k < t->group->dim; k++) add_numbered(t, letter, k, !c ? "" : k < c->angular ? "N m s" : "N s");
}

void table_add_momentum(table *t)
{
    add_momentum(t, "m");
}

void table_init(table *t, const scenario *s, const lie_stepper *st)
{
    char h[JSON_NUMBER];
    *t = (table){.from = s, .group = lie_stepper_group(st), .method = lie_stepper_method(st)->name};
    t->every = s->output.every > 0 ? s->output.every : 1;
    t->records = 1 + s->steps / t->every + (s->steps % t->every != 0);
    table_add_block(t, "t", 0);
    table_add_column(t, "t", "s");
    table_add_block(t, "g", 1);
    table_add_element(t);
    table_add_block(t, "velocity", 1);
    add_velocity(t);
    table_add_block(t, "momentum", 1);
    table_add_momentum(t);
    table_add_block(t, "energy", 0);
    table_add_column(t, "energy", "J");
    table_add_block(t, "spatial_momentum", 1);
    add_momentum(t, "J");
    json_shortest(h, s->step);
    snprintf(t->title, sizeof t->title, "%s on %s, method %s, retraction %s, h = %s s", s->system.name, s->group,
             t->method, s->retraction, h);
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
