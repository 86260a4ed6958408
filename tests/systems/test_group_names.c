/* SPDX-License-Identifier: MIT */
/* The third argument of lie_<name>_system: the group and its retraction, in the same words for every ready system. */
#include <liestep/core.h>

#include <stdio.h>

#include "unity.h"

static lie_free_body free_body;
static lie_heavy_top top = {.mass = 0.7, .centre = {0.1, -0.2, 0.3}, .gravity = 9.81};
static lie_turntable turntable = {.rate = 0.3};
static lie_satellite satellite = {.orbit_rate = 0.2};
static lie_orbiter orbiter = {.gm = 2.0};
static lie_vehicle vehicle = {.weight = 2.0};
static lie_particle particle;

void setUp(void)
{
    static const double diagonal[6] = {1.1, 1.7, 2.3, 3.0, 3.0, 3.0};
    lie_inertia_diagonal(3, free_body.inertia, diagonal);
    lie_inertia_diagonal(3, top.inertia, diagonal);
    lie_inertia_diagonal(3, turntable.top.inertia, diagonal);
    lie_inertia_diagonal(3, satellite.inertia, diagonal);
    lie_inertia_diagonal(6, orbiter.inertia, diagonal);
    lie_inertia_diagonal(6, vehicle.inertia, diagonal);
    lie_inertia_diagonal(2, particle.inertia, diagonal);
}

void tearDown(void)
{
}

typedef lie_status make_fn(lie_system *out, void *p, const char *group);
#define MAKE(name)                                                                                                     \
    static lie_status make_##name(lie_system *out, void *p, const char *group)                                         \
    {                                                                                                                  \
        return lie_##name##_system(out, (lie_##name *)p, group);                                                       \
    }
MAKE(free_body)
MAKE(heavy_top)
MAKE(turntable)
MAKE(satellite)
MAKE(orbiter)
MAKE(vehicle)
MAKE(particle)

/* `group`: that of the system, null where the name is refused */
static void check_name(make_fn *make, void *p, const char *name, const char *group, const char *retraction)
{
    lie_system out = {.name = "kept"};
    lie_status status = make(&out, p, name);
    TEST_ASSERT_EQUAL_MESSAGE(group ? LIE_OK : LIE_ERR_UNKNOWN_NAME, status, name);
    TEST_ASSERT_EQUAL_STRING_MESSAGE(group ? group : "kept", group ? out.group->group : out.name, name);
    if (group) TEST_ASSERT_EQUAL_STRING_MESSAGE(retraction, out.group->retraction, name);
}

void test_group_names_are_the_same_for_every_ready_system(void)
{
    static const char *const never[] = {"",
                                        "/",
                                        "/cay",
                                        "S3/",
                                        "SO3/",
                                        "SE3/",
                                        "R2/",
                                        "S3/cay/",
                                        "s3",
                                        "SE2",
                                        "SO3xR3",
                                        "S",
                                        "SO3/cayley",
                                        "R3",
                                        "SE3/skew",
                                        "R2/tan",
                                        "S3/cay ",
                                        "S3cay",
                                        "SO3/cayleycayleycayleycayley"};
    make_fn *const attitude[4] = {make_free_body, make_heavy_top, make_turntable, make_satellite};
    void *const body[4] = {&free_body, &top, &turntable, &satellite};
    const struct {
        make_fn *make;
        void *p;
        const char *name, *group;
    } others[3] = {{make_orbiter, &orbiter, "SE3", "SE3"},
                   {make_vehicle, &vehicle, "SE3", "SE3"},
                   {make_particle, &particle, "R2", "R"}};
    for (int k = 0; k < 4; k++) {
        check_name(attitude[k], body[k], NULL, "S3", "cay");
        check_name(attitude[k], body[k], "SO3", "SO3", "cay");
        check_name(attitude[k], body[k], "S3/exp", "S3", "exp");
        check_name(attitude[k], body[k], "S3/cayq", "S3", "cayq");
        check_name(attitude[k], body[k], "SO3/skew", "SO3", "skew");
        check_name(attitude[k], body[k], "SE3/cay", NULL, NULL);
        for (size_t i = 0; i < sizeof never / sizeof *never; i++)
            check_name(attitude[k], body[k], never[i], NULL, NULL);
    }
    for (int k = 0; k < 3; k++) {
        char name[16];
        check_name(others[k].make, others[k].p, NULL, others[k].group, "cay");
        check_name(others[k].make, others[k].p, others[k].name, others[k].group, "cay");
        snprintf(name, sizeof name, "%s/exp", others[k].name);
        check_name(others[k].make, others[k].p, name, others[k].group, "exp");
        check_name(others[k].make, others[k].p, "S3", NULL, NULL);
        for (size_t i = 0; i < sizeof never / sizeof *never; i++)
            check_name(others[k].make, others[k].p, never[i], NULL, NULL);
    }
}
