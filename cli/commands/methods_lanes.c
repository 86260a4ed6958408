/* SPDX-License-Identifier: MIT */
/* methods_lanes.c: `liestep methods --lanes`: which methods step ensembles of which systems in the lanes of a vector.
 * Asked of lie_ensemble itself, for a small ensemble of every kind. */
#include <liestep/liestep.h>

#include <stdlib.h>
#include <string.h>

#include "cli/commands/list.h"

enum { METHODS_MAX = 256, RETRACTIONS_MAX = 8 };

static const double body[9] = {1.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 2.5};
static const double solid[36] = {[0] = 1.0, [7] = 2.0, [14] = 2.5, [21] = 3.0, [28] = 3.0, [35] = 3.0};

static union {
    lie_free_body free_body;
    lie_heavy_top heavy_top;
    lie_turntable turntable;
    lie_satellite satellite;
    lie_orbiter orbiter;
    lie_spacecraft spacecraft;
    lie_vehicle vehicle;
    lie_particle particle;
} parameters;

static lie_status make_free_body(lie_system *sys, const char *group)
{
    memcpy(parameters.free_body.inertia, body, sizeof body);
    return lie_free_body_system(sys, &parameters.free_body, group);
}

static lie_status make_heavy_top(lie_system *sys, const char *group)
{
    parameters.heavy_top = (lie_heavy_top){.mass = 1.0, .centre = {0.0, 0.0, 1.0}, .gravity = 1.0};
    memcpy(parameters.heavy_top.inertia, body, sizeof body);
    return lie_heavy_top_system(sys, &parameters.heavy_top, group);
}

static lie_status make_turntable(lie_system *sys, const char *group)
{
    parameters.turntable =
        (lie_turntable){.top = {.mass = 1.0, .centre = {0.0, 0.0, 1.0}, .gravity = 1.0}, .rate = 0.1};
    memcpy(parameters.turntable.top.inertia, body, sizeof body);
    return lie_turntable_system(sys, &parameters.turntable, group);
}

static lie_status make_satellite(lie_system *sys, const char *group)
{
    parameters.satellite = (lie_satellite){.orbit_rate = 0.1, .wheels = {0.0, 0.0, 0.1}};
    memcpy(parameters.satellite.inertia, body, sizeof body);
    return lie_satellite_system(sys, &parameters.satellite, group);
}

static lie_status make_orbiter(lie_system *sys, const char *group)
{
    parameters.orbiter.gm = 1.0;
    memcpy(parameters.orbiter.inertia, solid, sizeof solid);
    return lie_orbiter_system(sys, &parameters.orbiter, group);
}

static lie_status make_spacecraft(lie_system *sys, const char *group)
{
    (void)group;
    parameters.spacecraft.body.gm = 1.0;
    memcpy(parameters.spacecraft.body.inertia, solid, sizeof solid);
    return lie_spacecraft_system(sys, &parameters.spacecraft, "SO3/cay");
}

static lie_status make_vehicle(lie_system *sys, const char *group)
{
    (void)group;
    parameters.vehicle = (lie_vehicle){.weight = 1.0, .buoyancy = 1.0, .weight_at = {0.0, 0.0, -0.1}};
    memcpy(parameters.vehicle.inertia, solid, sizeof solid);
    return lie_vehicle_system(sys, &parameters.vehicle, group);
}

static lie_status make_dragged(lie_system *sys, const char *group)
{
    lie_status status = make_vehicle(sys, group);
    parameters.vehicle.quadratic_drag[3] = 0.1;
    return status == LIE_OK ? lie_vehicle_system(sys, &parameters.vehicle, 0) : status;
}

static lie_status make_particle(lie_system *sys, const char *group)
{
    parameters.particle.inertia[0] = parameters.particle.inertia[3] = 1.0;
    return lie_particle_system(sys, &parameters.particle, group);
}

/* What a user brings: a potential, and a gyroscopic term. Never called here. */
static void own_force(const lie_system *sys, double *F, const double *g)
{
    (void)g;
    for (int i = 0; i < sys->group->dim; i++) F[i] = 0.0;
}

static double own_potential(const lie_system *sys, const double *g)
{
    (void)sys, (void)g;
    return 0.0;
}

static lie_status make_own(lie_system *sys, const char *group)
{
    lie_status status = strcmp(group, "SE3") == 0 ? make_vehicle(sys, group) : make_free_body(sys, group);
    sys->force = own_force, sys->potential = own_potential, sys->force_deriv = 0;
    return status;
}

/* The same as a closed form (form.h). */
static void own_weight(const lie_system *sys, double *w)
{
    for (int i = 0; i < (sys->group->dim == 6 ? 4 : 3); i++) w[i] = 1.0;
}

static void own_frame(const lie_system *sys, lie_form_frame_terms *out)
{
    (void)sys;
    *out = (lie_form_frame_terms){.rate = 0.1};
}

static lie_status make_stated(lie_system *sys, const char *group, const lie_form *form)
{
    lie_status status = make_free_body(sys, "S3");
    sys->form = form;
    if (status == LIE_OK) status = lie_ops_find(&sys->group, group, "cay");
    if (strcmp(group, "SE3") == 0) sys->inertia = solid;
    return status == LIE_OK ? lie_form_complete(sys) : status;
}

static lie_status make_own_weight(lie_system *sys, const char *group)
{
    static const lie_form form = {.weight = own_weight};
    return make_stated(sys, group, &form);
}

static lie_status make_own_frame(lie_system *sys, const char *group)
{
    static const lie_form form = {.weight = own_weight, .frame = own_frame};
    return make_stated(sys, group, &form);
}

static lie_status make_own_gyro(lie_system *sys, const char *group)
{
    lie_status status = make_own(sys, group);
    sys->gyro = own_force;
    return status;
}

static const struct {
    const char *title, *groups;
    lie_status (*make)(lie_system *sys, const char *group);
} rows[] = {{"`free_body`", "S3 SO3", make_free_body},
            {"`heavy_top`", "S3 SO3", make_heavy_top},
            {"`turntable`", "S3 SO3", make_turntable},
            {"`satellite`", "S3 SO3", make_satellite},
            {"`vehicle`", "SE3", make_vehicle},
            {"`vehicle` with drag or thrusters", "SE3", make_dragged},
            {"`orbiter`", "SE3", make_orbiter},
            {"`spacecraft`", "SO3xR3", make_spacecraft},
            {"`particle`", "R2", make_particle},
            {"a potential of your own", "S3 SO3 SE3", make_own},
            {"a weight of your own, by its form", "S3 SO3 SE3", make_own_weight},
            {"a turning frame or wheels of your own, by their form", "S3 SO3", make_own_frame},
            {"a gyroscopic term of your own", "S3 SO3 SE3", make_own_gyro}};
enum { ROWS = sizeof rows / sizeof rows[0] };

/* Would an ensemble of these be stepped in lanes? */
static int is_in_lanes(const lie_system *sys, const char *method, const char *retraction)
{
    const lie_tableau *tab;
    lie_tableau_find(&tab, "gauss2");
    lie_ensemble_options opt = {.step = {method, retraction, .tableau = tab}, .h = 0.01, .threads = 1};
    lie_ensemble *e;
    int lanes = 1;
    size_t bytes = lie_ensemble_memsize(sys, 1, 2, &opt);
    void *memory = bytes > 0 ? malloc(bytes) : 0;
    if (memory && lie_ensemble_init(&e, sys, 1, 2, &opt, memory, bytes) == LIE_OK) lanes = lie_ensemble_lanes(e);
    free(memory);
    return lanes > 1;
}

/* The retractions of a group, its own first. */
static int retractions_of(const lie_system *sys, const char *out[RETRACTIONS_MAX])
{
    int n = 0;
    out[n++] = sys->group->retraction;
    for (int k = 0; k < lie_ops_builtin_count(); k++) {
        const lie_ops *G = lie_ops_builtin(k);
        if (strcmp(G->group, sys->group->group) == 0 && strcmp(G->retraction, out[0]) != 0 && n < RETRACTIONS_MAX)
            out[n++] = G->retraction;
    }
    return n;
}

static void print_retractions(unsigned set, int n, const char *const *retraction)
{
    if (set == (1u << n) - 1) {
        if (n > 1) printf(", any retraction");
        return;
    }
    printf(" with");
    for (int k = 0; k < n; k++)
        if (set >> k & 1u) printf(" `%s`", retraction[k]);
}

/* in: of each method the set of retractions with which it is in lanes, bit k for the k-th. Those with this set. */
static int print_set(unsigned set, const unsigned *in, const char *before)
{
    int any = 0;
    for (int i = 0; i < METHODS_MAX && lie_method_builtin(i); i++)
        if (in[i] == set) printf("%s`%s`", any++ ? " " : before, lie_method_builtin(i)->name);
    return any;
}

static void print_methods(const lie_system *sys)
{
    const char *retraction[RETRACTIONS_MAX];
    unsigned in[METHODS_MAX] = {0};
    int n = retractions_of(sys, retraction), printed = 0;
    for (int i = 0; i < METHODS_MAX && lie_method_builtin(i); i++)
        for (int k = 0; k < n; k++)
            if (is_in_lanes(sys, lie_method_builtin(i)->name, retraction[k])) in[i] |= 1u << k;
    for (unsigned set = 1; set < 1u << n; set++)
        if (print_set(set, in, printed ? "; " : "")) {
            print_retractions(set, n, retraction);
            printed = 1;
        }
    if (!printed) printf("none");
}

void list_lanes(void)
{
    puts("| system | on | methods in lanes |\n| --- | --- | --- |");
    for (int r = 0; r < ROWS; r++) {
        const char *group = rows[r].groups;
        while (*group) {
            char name[16] = "";
            size_t n = strcspn(group, " ");
            memcpy(name, group, n < sizeof name ? n : sizeof name - 1);
            group += n + (group[n] == ' ');
            lie_system sys;
            memset(&parameters, 0, sizeof parameters);
            if (rows[r].make(&sys, name) != LIE_OK) continue;
            printf("| %s | %s | ", rows[r].title, group_title(name));
            print_methods(&sys);
            puts(" |");
        }
    }
}
