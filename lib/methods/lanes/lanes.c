/* SPDX-License-Identifier: MIT */
/* lanes.c: which kernels for several trajectories at once a stepper's method and systems are for. */
#include "lib/methods/lanes/lanes.h"

#include "lib/methods/stepping.h"
#include "lib/systems/form.h"
#include "lib/systems/traits.h"

#define LANES(name) extern const lie_lanes lie__##name##_lanes;
#include "lib/methods/lanes/lanes.def"
#undef LANES

#define LANES(name) &lie__##name##_lanes,
static const lie_lanes *const families[] = {
#include "lib/methods/lanes/lanes.def"
};
#undef LANES
enum { FAMILIES = sizeof families / sizeof families[0] };

const lie_lanes *lie__lanes_of(const lie_family *family)
{
    for (int i = 0; i < FAMILIES; i++)
        if (families[i]->family == family) return families[i];
    return 0;
}

int lie__lanes_count(int lanes)
{
    return lie__width(lanes > 0 ? lanes : 8);
}

int lie__lanes_plan(lanes_plan *out, const lie_stepper *st, const lie_system *systems, long long count, int lanes)
{
    const lie_lanes *by = lie__lanes_of(st->family);
    int most = lie__lanes_count(lanes);
    if (!by || most == 1) return 0;
    const lanes_kernel *kernel = by->kernels[width_index(most)];
    lanes_plan made = {.by = by,
                       .group = LANES_GROUPS,
                       .force = LANES_FREE,
                       .cap = st->options.max_iterations,
                       .unprojected = st->unprojected,
                       .start = 1,
                       .period = 1};
    if (!kernel || !by->plan(&made, st, systems, count) || made.group == LANES_GROUPS) return 0;
    made.lanes = kernel->lanes;
    made.width = kernel->width[made.group];
    made.run = kernel->run[made.group][made.force];
    *out = made;
    return made.run != 0;
}

lanes_group lie__lanes_group(const lie_ops *G)
{
    static const char *const names[LANES_GROUPS] = {"S3", "SO3", "SE3"};
    static const int sizes[LANES_GROUPS] = {4, 9, 12};
    for (int k = 0; k < LANES_GROUPS; k++)
        if (G->size == sizes[k] && strcmp(G->group, names[k]) == 0) return (lanes_group)k;
    return LANES_GROUPS;
}

int lie__lanes_are_diagonal(const lie_system *systems, long long count)
{
    int n = systems[0].group->dim;
    for (long long i = 0; i < count; i++) {
        if (!systems[i].inertia) return 0;
        for (int k = 0; k < n * n; k++)
            if (k % (n + 1) != 0 && systems[i].inertia[k] != 0.0) return 0;
    }
    return 1;
}

int lie__lanes_force(lanes_force *out, const lie_system *systems, long long count)
{
    int free = 1, forced = 1, weight = 1;
    for (long long i = 0; i < count; i++) {
        const lie_system *sys = &systems[i];
        free &= !sys->force;
        forced &= sys->force != 0;
        if (!lie__traits_of(sys).is_weight) weight = 0;
    }
    *out = free ? LANES_FREE : weight ? LANES_WEIGHT : LANES_CALLBACK;
    return free || forced;
}

void lie__lanes_weight(const lanes_plan *plan, double *out, const lie_system *sys)
{
    if (plan->force == LANES_WEIGHT) sys->form->weight(sys, out + plan->shape.data);
}
