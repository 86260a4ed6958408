/* SPDX-License-Identifier: MIT */
/* expression_names.c: see expression_names.h. */
#include "cli/base/expression_names.h"

#include <stdio.h>
#include <string.h>

enum { TURNS = 1, MOVES = 2, FLAT = 4 };

static int kind_of(const char *group)
{
    if (strcmp(group, "SE3") == 0 || strcmp(group, "SO3xR3") == 0) return MOVES;
    return strcmp(group, "SO3") == 0 || strcmp(group, "S3") == 0 ? TURNS : FLAT;
}

/* Vectors: NAME and NAME1 .. NAME3. */
static const struct {
    const char *name;
    int kinds;
    expression_source source;
    int index;
} vectors[] = {{"Pi", TURNS | MOVES, FROM_MOMENTUM, 0},
               {"P", MOVES, FROM_MOMENTUM, 3},
               {"w", TURNS | MOVES, FROM_VELOCITY, 0},
               {"v", MOVES, FROM_VELOCITY, 3},
               {"x", MOVES, FROM_ELEMENT, 9},
               {"J", TURNS | MOVES, FROM_SPACE, 0},
               {"Gamma", TURNS | MOVES, FROM_VERTICAL, 0}};
enum { VECTORS = sizeof vectors / sizeof vectors[0] };

/* Numbered scalars: NAME1 .. NAMEn, n the dimension of the group. */
static const struct {
    const char *name;
    int kinds;
    expression_source source;
} numbered[] = {{"m", TURNS | MOVES | FLAT, FROM_MOMENTUM},
                {"J", TURNS | MOVES, FROM_SPACE},
                {"v", FLAT, FROM_VELOCITY},
                {"x", FLAT, FROM_ELEMENT}};
enum { NUMBERED = sizeof numbered / sizeof numbered[0] };

static int is_digit(char c, int from, int to)
{
    return c >= '0' + from && c <= '0' + to;
}

static int find_vector(expression_name *out, const char *name, int kind)
{
    for (int i = 0; i < VECTORS; i++) {
        size_t n = strlen(vectors[i].name);
        if (!(vectors[i].kinds & kind) || strncmp(vectors[i].name, name, n) != 0) continue;
        *out = (expression_name){vectors[i].source, vectors[i].index, 3};
        if (name[n] == '\0') return 1;
        *out = (expression_name){vectors[i].source, vectors[i].index + name[n] - '1', 1};
        if (is_digit(name[n], 1, 3) && name[n + 1] == '\0') return 1;
    }
    return 0;
}

static int find_numbered(expression_name *out, const char *name, int kind, int dim)
{
    for (int i = 0; i < NUMBERED; i++) {
        size_t n = strlen(numbered[i].name);
        if (!(numbered[i].kinds & kind) || strncmp(numbered[i].name, name, n) != 0) continue;
        *out = (expression_name){numbered[i].source, name[n] - '1', 1};
        if (is_digit(name[n], 1, dim) && name[n + 1] == '\0') return 1;
    }
    return 0;
}

int expression_name_find(expression_name *out, const char *name, const char *group, int dim)
{
    int kind = kind_of(group);
    size_t n = strlen(name);
    *out = (expression_name){FROM_TIME, 0, 1};
    if (strcmp(name, "t") == 0) return 1;
    *out = (expression_name){FROM_ENERGY, 0, 1};
    if (strcmp(name, "energy") == 0) return 1;
    if (kind != FLAT && n == 2 && name[0] == 'q' && is_digit(name[1], 0, 3)) {
        *out = (expression_name){FROM_QUATERNION, name[1] - '0', 1};
        return 1;
    }
    if (kind != FLAT && n == 3 && name[0] == 'R' && is_digit(name[1], 1, 3) && is_digit(name[2], 1, 3)) {
        *out = (expression_name){FROM_MATRIX, 3 * (name[1] - '1') + name[2] - '1', 1};
        return 1;
    }
    return find_vector(out, name, kind) || find_numbered(out, name, kind, dim);
}

void expression_names_list(char *out, size_t n, const char *group, int dim)
{
    int kind = kind_of(group), used = snprintf(out, n, "t energy");
    for (int i = 0; i < VECTORS; i++)
        if (vectors[i].kinds & kind) used += snprintf(out + used, n - (size_t)used, " %s", vectors[i].name);
    used += snprintf(out + used, n - (size_t)used, ", m1 to m%d", dim);
    if (kind == FLAT)
        snprintf(out + used, n - (size_t)used, " v1 to v%d x1 to x%d", dim, dim);
    else
        snprintf(out + used, n - (size_t)used, " J1 to J%d Pi1 ... q0 to q3 R11 to R33", dim);
}

void expression_spatial(const lie_ops *G, const char *group, double *out, const double *g, const double *m)
{
    double back[LIE_SIZE_MAX];
    G->inv(G, back, g);
    G->Adt(G, out, back, m);
    if (strcmp(group, "SO3xR3") != 0) return;
    const double *x = g + 9, *p = m + 3;
    out[0] += x[1] * p[2] - x[2] * p[1];
    out[1] += x[2] * p[0] - x[0] * p[2];
    out[2] += x[0] * p[1] - x[1] * p[0];
}

/* Both forms of the attitude, and the vertical in the body, which is the third row of the matrix. */
static int attitude(expression_room *room, const char *group, const double *g, unsigned needs)
{
    if (strcmp(group, "S3") == 0) {
        memcpy(room->quaternion, g, sizeof room->quaternion);
        lie_quat_to_matrix(room->matrix, g);
    } else {
        memcpy(room->matrix, g, sizeof room->matrix);
        if (needs & 1u << FROM_QUATERNION && lie_matrix_to_quat(room->quaternion, g) != LIE_OK) return 0;
    }
    memcpy(room->vertical, room->matrix + 6, sizeof room->vertical);
    return 1;
}

int expression_sources(const double **source, expression_room *room, const expression *e, const double *t,
                       const double *g, const double *m)
{
    enum { ATTITUDE = 1u << FROM_MATRIX | 1u << FROM_QUATERNION | 1u << FROM_VERTICAL };
    const lie_system *sys = e->system;
    unsigned moving = 1u << FROM_VELOCITY | 1u << FROM_ENERGY;
    const double *const all[EXPRESSION_SOURCES] = {
        t, g, m, room->velocity, room->matrix, room->quaternion, room->vertical, room->space, &room->energy};
    memcpy(source, all, sizeof all);
    if (!(e->needs & ~(1u << FROM_TIME | 1u << FROM_ELEMENT | 1u << FROM_MOMENTUM))) return 1;
    if ((e->needs & moving) && lie_system_velocity(sys, room->velocity, g, m) != LIE_OK) return 0;
    if (e->needs & 1u << FROM_ENERGY) room->energy = lie_system_energy(sys, g, room->velocity);
    if (e->needs & 1u << FROM_SPACE) expression_spatial(sys->group, e->group, room->space, g, m);
    return !(e->needs & ATTITUDE) || attitude(room, e->group, g, e->needs);
}
