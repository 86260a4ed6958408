/* SPDX-License-Identifier: MIT */
/* bits_subjects.c: the systems of bits_steps.h, and the methods that take them. */
#include "tests/bits/bits_steps.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/random.h"
#include "tests/support/stepper_cases.h"

enum { SUBJECTS_MAX = 256 };

/* Parameters of the ready systems: dense inertias and diagonal ones, which have kernels of their own. */
static const double dense3[9] = {1.13, 0.07, -0.05, 0.07, 1.71, 0.11, -0.05, 0.11, 2.29};
static const double dense6[36] = {1.9,  0.1,  0.05,  0.0,  0.12,  -0.1, 0.1,  2.3,   0.07, -0.11, 0.0,  0.03,
                                  0.05, 0.07, 2.7,   0.09, -0.04, 0.0,  0.0,  -0.11, 0.09, 3.1,   0.06, 0.02,
                                  0.12, 0.0,  -0.04, 0.06, 3.7,   0.05, -0.1, 0.03,  0.0,  0.02,  0.05, 4.3};
static lie_free_body bodies[2];
static lie_heavy_top tops[2];
static lie_turntable turntable = {.top = {.mass = 1.1, .centre = {0.1, -0.2, 0.4}, .gravity = 3.7}, .rate = 0.53};
static lie_satellite satellite = {.orbit_rate = 0.31, .wheels = {0.1, -0.2, 0.3}};
static lie_orbiter orbiter = {.gm = 0.41};
static lie_spacecraft spacecraft[3] = {{.body = {.gm = 0.41}}, {.body = {.gm = 0.41}}, {.body = {.gm = 0.41}}};
static lie_vehicle vehicles[3];
static lie_particle particles[2] = {{.inertia = {1.1, 0.0, 0.0, 1.3}}, {.inertia = {1.1, 0.0, 0.0, 1.3}, .drag = 0.07}};

static bits_subject subjects[SUBJECTS_MAX];
static int count, is_broken;

static void diagonal_of(int n, double *out, const double *dense)
{
    for (int i = 0; i < n * n; i++) out[i] = i % (n + 1) == 0 ? dense[i] : 0.0;
}

static void fill_parameters(void)
{
    memcpy(bodies[0].inertia, dense3, sizeof dense3);
    diagonal_of(3, bodies[1].inertia, dense3);
    for (int k = 0; k < 2; k++) {
        tops[k] = (lie_heavy_top){.mass = 1.2, .centre = {0.1, -0.2, 0.4}, .gravity = 3.7};
        memcpy(tops[k].inertia, bodies[k].inertia, sizeof dense3);
    }
    memcpy(turntable.top.inertia, dense3, sizeof dense3);
    memcpy(satellite.inertia, dense3, sizeof dense3);
    for (int k = 0; k < 3; k++) {
        vehicles[k] = (lie_vehicle){
            .weight = 1.1, .buoyancy = 1.3, .weight_at = {0.02, 0.01, -0.1}, .buoyancy_at = {0.0, 0.03, 0.07}};
        memcpy(vehicles[k].inertia, dense6, sizeof dense6);
    }
    diagonal_of(6, vehicles[1].inertia, dense6);
    lie_vehicle *v = &vehicles[2];
    for (int i = 0; i < 6; i++) v->linear_drag[7 * i] = 0.11 + 0.03 * i, v->quadratic_drag[i] = 0.05 + 0.02 * i;
    v->thrusters = 2;
    v->thruster_along[0][0] = 1.0, v->thruster_at[0][1] = 0.3;
    v->thruster_along[1][2] = 1.0, v->thruster_at[1][0] = -0.4;
    for (int k = -1; k < 3; k++) {
        double *inertia = k < 0 ? orbiter.inertia : spacecraft[k].body.inertia;
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) inertia[6 * i + j] = 0.05 * dense3[3 * i + j];
            inertia[21 + 7 * i] = 0.77;
        }
    }
}

/* A generic start: an element at `far` of the identity, velocities up to `fast`. */
static void start_at(bits_subject *s, double far, double fast)
{
    const lie_ops *G = s->sys.group;
    lie_random rng = {4217u};
    double x[LIE_DIM_MAX], xi[LIE_DIM_MAX], g[LIE_SIZE_MAX];
    random_vector(&rng, G->dim, x, far);
    random_vector(&rng, G->dim, xi, fast);
    if (s->sys.params == &orbiter) x[3] = 1.31; /* not at the centre of attraction, and nearly on a circle */
    if (s->sys.params == &orbiter) xi[4] = 0.55;
    if (strcmp(G->group, "product") == 0 && G->dim == 6) x[3] = 1.31, xi[4] = 0.55;
    if (G->tau(G, g, x) != LIE_OK || lie_state_set(&s->sys, &s->start, 0.3, g, xi) != LIE_OK) is_broken = 1;
}

static bits_subject *add(const char *name, const lie_system *sys, lie_status status)
{
    static bits_subject none;
    if (status != LIE_OK || count == SUBJECTS_MAX) {
        is_broken = 1;
        return &none;
    }
    bits_subject *s = &subjects[count++];
    snprintf(s->name, sizeof s->name, "%s", name);
    s->sys = *sys;
    s->h = 0.02, s->has_crew = 1;
    for (int i = 0; i < SUBJECT_INPUTS; i++) s->u_minus[i] = 0.13 - 0.06 * i, s->u_plus[i] = -0.07 + 0.05 * i;
    return s;
}

/* The system on its group with every retraction that is built in. */
static void add_with_retractions(const char *name, lie_system sys, lie_status status)
{
    char text[SUBJECT_TEXT];
    const char *group = status == LIE_OK ? sys.group->group : "";
    for (int i = 0; i < lie_ops_builtin_count(); i++) {
        if (strcmp(lie_ops_builtin(i)->group, group) != 0) continue;
        sys.group = lie_ops_builtin(i);
        snprintf(text, sizeof text, "%s %s/%s", name, group, sys.group->retraction);
        start_at(add(text, &sys, status), 0.45, 0.8);
    }
    if (status != LIE_OK) is_broken = 1;
}

static void add_ready_systems(void)
{
    static const char *const groups[] = {"SO3", "S3"}, *const retractions[] = {"exp", "cay", "skew"};
    static const char *const vehicle_names[] = {"vehicle", "vehicle diagonal", "vehicle drag"};
    lie_system sys;
    lie_status status;
#define ADD(name, call) (status = call, add_with_retractions(name, sys, status))
    for (int k = 0; k < 2; k++) {
        ADD("free body", lie_free_body_system(&sys, &bodies[0], groups[k]));
        ADD("free body diagonal", lie_free_body_system(&sys, &bodies[1], groups[k]));
        ADD("heavy top", lie_heavy_top_system(&sys, &tops[0], groups[k]));
        ADD("heavy top diagonal", lie_heavy_top_system(&sys, &tops[1], groups[k]));
        ADD("turntable", lie_turntable_system(&sys, &turntable, groups[k]));
        ADD("satellite", lie_satellite_system(&sys, &satellite, groups[k]));
    }
    for (int k = 0; k < 3; k++) ADD(vehicle_names[k], lie_vehicle_system(&sys, &vehicles[k], NULL));
    ADD("orbiter", lie_orbiter_system(&sys, &orbiter, NULL));
#undef ADD
    for (int k = 0; k < 3; k++) {
        char text[SUBJECT_TEXT], attitude[SUBJECT_TEXT];
        snprintf(text, sizeof text, "spacecraft SO3xR3/%s", retractions[k]);
        snprintf(attitude, sizeof attitude, "SO3/%s", retractions[k]);
        status = lie_spacecraft_system(&sys, &spacecraft[k], attitude);
        start_at(add(text, &sys, status), 0.45, 0.3);
    }
    for (int k = 0; k < 2; k++) {
        status = lie_particle_system(&sys, &particles[k], NULL);
        start_at(add(k == 0 ? "particle R2" : "particle drag R2", &sys, status), 0.45, 0.8);
    }
}

/* Every other system of the list, its parameters filled with numbers: a subject without a line here */

#define HAS(key, type, member) {#key, offsetof(type, member), sizeof(((type *)0)->member)},
#define BY_HAND(key)

typedef struct listed_parameter {
    const char *key;
    size_t at, bytes;
} listed_parameter;

#define SYSTEM(name, made, groups, dim, inertia_dim, what, equation, inertia, parameters)                              \
    static lie_status make_##name(lie_system *out, void *p, const char *group)                                         \
    {                                                                                                                  \
        return lie_##name##_system(out, (lie_##name *)p, group);                                                       \
    }
#include "cli/scenario/systems.def"
#undef SYSTEM

enum { PARAMETERS = 16, PARAMETER_DOUBLES = 128 };

typedef struct listed_system {
    const char *name, *groups;
    int is_plain, inertia_dim;
    lie_status (*make)(lie_system *out, void *p, const char *group);
    listed_parameter parameter[PARAMETERS];
} listed_system;

static const listed_system listed[] = {
#define AS_IT_IS 1
#define WITH_CARE 0
#define SYSTEM(name, made, groups, dim, inertia_dim, what, equation, inertia, parameters)                              \
    {#name, groups, made, inertia_dim, make_##name, {parameters}},
#include "cli/scenario/systems.def"
#undef SYSTEM
};
enum { LISTED = sizeof listed / sizeof listed[0] };
static double parameters[LISTED][PARAMETER_DOUBLES];

static int is_subject(const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(subjects[i].sys.name, name) == 0) return 1;
    return 0;
}

static void fill_listed(double *out, const listed_system *L)
{
    lie_random rng = {977u};
    for (const listed_parameter *p = L->parameter; p->key; p++) {
        int n = (int)(p->bytes / sizeof *out), d = L->inertia_dim;
        double *member = out + p->at / sizeof *out;
        random_vector(&rng, n, member, 0.5);
        for (int i = 0; strcmp(p->key, "inertia") == 0 && i < n; i++)
            member[i] = d == 3 ? dense3[i] : d == 6 ? dense6[i] : i % (d + 1) == 0 ? 1.1 + 0.2 * i : 0.0;
    }
}

static void add_listed_systems(void)
{
    for (int i = 0; i < LISTED; i++) {
        if (is_subject(listed[i].name)) continue;
        if (!listed[i].is_plain) is_broken = 1; /* it needs more than numbers: a line of its own in add_ready_systems */
        fill_listed(parameters[i], &listed[i]);
        for (const char *at = listed[i].groups; at; at = strchr(at, ' ') ? strchr(at, ' ') + 1 : NULL) {
            char group[SUBJECT_TEXT];
            lie_system sys;
            snprintf(group, sizeof group, "%.*s", (int)strcspn(at, " "), at);
            lie_status status = listed[i].make(&sys, parameters[i], group);
            add_with_retractions(listed[i].name, sys, status);
        }
    }
}

/* The systems without symmetry of stepper_cases.h */
static void add_cases(void)
{
    static const char *const kinds[CASE_KINDS] = {"free",   "potential", "symmetric", "gyroscopic",
                                                  "forced", "pushed",    "Lagrangian"};
    for (int i = 0; i < case_group_count(); i++)
        for (int kind = 0; kind < CASE_KINDS; kind++) {
            const case_group *c = case_group_at(i);
            char text[SUBJECT_TEXT];
            snprintf(text, sizeof text, "case %s %s", kinds[kind], c->name);
            bits_subject *s = add(text, &c->system[kind], LIE_OK);
            s->is_case = 1, s->has_crew = kind == CASE_POTENTIAL;
            if (lie_state_set(&c->system[kind], &s->start, 0.3, c->g[0], c->xi[0]) != LIE_OK) is_broken = 1;
        }
}

const bits_subject *bits_subject_at(int i)
{
    if (count == 0) {
        fill_parameters();
        add_ready_systems();
        add_listed_systems();
        add_cases();
    }
    return is_broken || i < 0 || i >= count ? NULL : &subjects[i];
}

/* The i-th of the tableaux that the method takes, counted round. */
static const lie_tableau *tableau_of(const lie_method *m, int i)
{
    case_method found;
    int known = 0, first = 0;
    for (int k = 0; case_method_at(&found, k); k++)
        if (found.method == m) known++, first = k + 1 - known;
    return known > 0 && case_method_at(&found, first + i % known) ? found.tableau : NULL;
}

int bits_pair_next(bits_pair *out, int *subject, int *method)
{
    for (; bits_subject_at(*subject); (*subject)++, *method = 0)
        while (*method < lie_method_builtin_count()) {
            const bits_subject *s = bits_subject_at(*subject);
            const lie_method *m = lie_method_builtin((*method)++);
            const lie_tableau *tab = m->needs_tableau ? tableau_of(m, *subject) : NULL;
            const lie_options opt = {.method = m->name, .tableau = tab};
            if (lie_stepper_memsize(&s->sys, &opt) == 0) continue;
            *out = (bits_pair){.subject = s, .method = m, .tableau = tab};
            snprintf(out->name, sizeof out->name, "%s, %s%s%s", s->name, m->name, tab ? " " : "", tab ? tab->name : "");
            return 1;
        }
    return 0;
}

long long bits_pair_steps(const bits_pair *p, long long n)
{
    return p->subject->is_case && n > 100 ? n / 10 : p->subject->is_case ? 10 : n;
}
