/* SPDX-License-Identifier: MIT */
/* scenario_section.c: the mapping `section`: expressions, equations, where the orbits start, panels. */
#include <string.h>

#include "cli/scenario/scenario_reading.h"

static bool is_section_given(const reading *r)
{
    for (int k = 0; k < KEYS; k++)
        if (scenario_keys[k].parent == key_section && is_given(r, (key_id)k)) return true;
    return false;
}

static void complain_of_expression(reading *r, key_id key, const char *text, const expression_error *error)
{
    complain(r, key, "'%s', character %d: %s", show(text).text, error->at, error->text);
}

bool expression_build(reading *r, key_id key, const char *text, expression *out)
{
    expression_error error;
    const char *behind = expression_behind_label(text);
    if (expression_parse(out, behind, &r->out->system, r->out->group, &error)) return true;
    error.at += (int)(behind - text);
    complain_of_expression(r, key, text, &error);
    return false;
}

static const char *read_expression(reading *r, key_id key, expression *out)
{
    const char *text = text_of(r, key);
    if (text) expression_build(r, key, text, out);
    return text;
}

/* Do two equations fix the same, "|P| = 4" and "|P| = 5"? */
static bool is_same_left(const char *a, const char *b)
{
    size_t n = strcspn(a, "="), m = strcspn(b, "=");
    while (n > 0 && a[n - 1] == ' ') n--;
    while (m > 0 && b[m - 1] == ' ') m--;
    return n == m && strncmp(a, b, n) == 0;
}

static void read_fixed(reading *r, section_plan *p)
{
    const key_value *v = &r->store->values.of[section_fixed];
    if (!v->any) return;
    if (v->count > SECTION_FIXED) {
        complain(r, section_fixed, "has %u equations; at most %d are possible", v->count, SECTION_FIXED);
        return;
    }
    for (unsigned i = 0; i < v->count; i++) {
        expression_error error;
        const char *text = v->texts[i].text;
        for (int k = 0; k < p->fixed; k++)
            if (is_same_left(p->fixed_text[k], text))
                complain(r, section_fixed, "'%s' fixes what '%s' does already", show(text).text,
                         show(p->fixed_text[k]).text);
        if (!equation_parse(&p->equation[i], text, &r->out->system, r->out->group, &error))
            complain_of_expression(r, section_fixed, text, &error);
        p->fixed_text[p->fixed++] = text;
    }
}

/* Which of the words is given; 0 after a complaint. */
static int choose(reading *r, key_id key, int n, const char *const *words)
{
    const char *text = text_of(r, key);
    listed names = {""};
    for (int i = 0; i < n; i++) {
        if (strcmp(words[i], text) == 0) return i;
        list_add(&names, "%s", words[i]);
    }
    complain(r, key, "expected one of %s, found '%s'", names.text, show(text).text);
    return 0;
}

static void read_grid(reading *r, section_plan *p)
{
    double x[6];
    if (!is_given(r, section_grid)) return;
    numbers_of(r, section_grid, 6, x);
    if (!(x[0] >= 1.0 && x[0] <= 1000.0 && x[1] >= 1.0 && x[1] <= 1000.0) || x[0] != (int)x[0] || x[1] != (int)x[1]) {
        complain(r, section_grid, "expected columns and rows from 1 to 1000, found %g and %g", x[0], x[1]);
        return;
    }
    for (int i = 0; i < 2; i++)
        if (x[i] > 1.0 && x[2 + 2 * i] == x[3 + 2 * i])
            complain(r, section_grid, "its %g %s would lie on each other, from %g to %g", x[i],
                     i == 0 ? "columns" : "rows", x[2 + 2 * i], x[3 + 2 * i]);
    p->columns = (int)x[0], p->rows = (int)x[1];
    p->orbits = (long long)p->columns * p->rows;
    memcpy(p->grid, x + 2, sizeof p->grid);
}

static void read_momenta(reading *r, section_plan *p)
{
    const key_value *v = &r->store->values.of[section_momenta];
    if (!v->any) return;
    p->momenta = v->number;
    p->orbits = (long long)v->count / r->out->system.group->dim;
}

/* How many rows there can be at most. */
static void check_size(reading *r, const section_plan *p)
{
    double orbits = number_of(r, section_orbits), rows = (double)p->orbits * (double)p->points;
    if (is_given(r, section_orbits) && (p->columns > 0 || p->momenta))
        complain(r, section_orbits, "the orbits are those of %s; remove it", p->columns > 0 ? "grid" : "momenta");
    if (p->columns > 0 && p->momenta) complain(r, section_momenta, "excludes section.grid; give one of them");
    if (orbits > 1e6) complain(r, section_orbits, "is %.0f; 1000000 at most", orbits);
    if (p->points > 10000000) complain(r, section_points, "is %lld; 10000000 at most for one orbit", p->points);
    if (rows > 1e10)
        complain(r, is_given(r, section_points) ? section_points : section_orbits,
                 "asks for up to %.3g points, %.3g GB; 1e10 at most. Fewer orbits or fewer points", rows,
                 rows * 8.0 * (r->out->system.group->size + 12) / 1e9);
}

static void read_panels(reading *r, section_plan *p)
{
    const key_value *v = &r->store->values.of[section_panels];
    for (unsigned i = 0; v->any && i < v->count; i++) {
        const char *text = v->texts[i].text;
        if (strstr(text, "section.panels") || strstr(text, "output.") || strstr(text, "checkpoint."))
            complain(r, section_panels, "'%s': a panel has no panels, output or checkpoint of its own",
                     show(text).text);
        for (int k = 0; k < p->panels; k++)
            if (strcmp(p->panel[k], text) == 0) complain(r, section_panels, "'%s' is there twice", show(text).text);
        p->panel[p->panels++] = text;
    }
}

static const double *read_range(reading *r, key_id key)
{
    const double *x = r->store->values.of[key].number;
    if (x && !(x[0] < x[1])) complain(r, key, "is [%g, %g]; the second number must be above the first", x[0], x[1]);
    return x;
}

bool section_build(reading *r)
{
    static const char *const directions[] = {"both", "up", "down"}, *const attitudes[] = {"start", "random"},
                             *const indicators[] = {"none", "fli", "sali", "lyapunov"};
    section_plan *p = &r->store->section;
    if (!is_section_given(r)) return true;
    p->surface_text = read_expression(r, section_surface, &p->surface);
    p->x_text = read_expression(r, section_x, &p->x);
    p->y_text = read_expression(r, section_y, &p->y);
    int direction = choose(r, section_direction, 3, directions);
    p->direction = direction == 2 ? -1 : direction;
    p->has_energy = is_given(r, section_energy);
    read_fixed(r, p);
    p->random_attitudes = system_has(r->system, section_attitudes) && choose(r, section_attitudes, 2, attitudes) == 1;
    p->indicator = (chaos_kind)choose(r, section_indicator, 4, indicators);
    read_grid(r, p);
    read_momenta(r, p);
    check_size(r, p);
    read_panels(r, p);
    p->xrange = read_range(r, section_xrange);
    p->yrange = read_range(r, section_yrange);
    r->out->section = p;
    return r->errors == 0;
}
