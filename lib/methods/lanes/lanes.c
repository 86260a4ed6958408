/* SPDX-License-Identifier: MIT */
/* lanes.c: which kernels for several trajectories at once this processor can run, and which of them a stepper's method
 * and systems are for. meson defines LIE_WITH_LANES_<n> for those that were compiled. */
#include "lib/methods/lanes/lanes.h"

#include <liestep/s3.h>
#include <liestep/se3.h>
#include <liestep/so3.h>

#include "lib/methods/stepping.h"
#include "lib/systems/form.h"
#include "lib/systems/traits.h"

extern const lanes_kernel lie__lanes_2, lie__lanes_4, lie__lanes_8;
extern const lanes_kernel lie__lanes_flat_2, lie__lanes_flat_4, lie__lanes_flat_8;
extern const lanes_kernel lie__lanes_gyrostat_2, lie__lanes_gyrostat_4, lie__lanes_gyrostat_8;

/* The widest first. */
const lanes_kernel *lie__lanes_kernel(int lanes)
{
    int most = lanes > 0 ? lanes : 8;
#if defined(LIE_WITH_LANES_8)
    __builtin_cpu_init();
    if (most >= 8 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) return &lie__lanes_8;
#endif
#if defined(LIE_WITH_LANES_4)
    __builtin_cpu_init();
    if (most >= 4 && __builtin_cpu_supports("avx2")) return &lie__lanes_4;
#endif
#if defined(LIE_WITH_LANES_2)
    if (most >= 2) return &lie__lanes_2;
#endif
    (void)most;
    return 0;
}

/* That of the flat methods with as many lanes. */
static const lanes_kernel *flat_kernel(const lanes_kernel *kernel)
{
#if defined(LIE_WITH_LANES_8)
    if (kernel && kernel->lanes == 8) return &lie__lanes_flat_8;
#endif
#if defined(LIE_WITH_LANES_4)
    if (kernel && kernel->lanes == 4) return &lie__lanes_flat_4;
#endif
#if defined(LIE_WITH_LANES_2)
    if (kernel && kernel->lanes == 2) return &lie__lanes_flat_2;
#endif
    (void)kernel;
    return 0;
}

static int all_diagonal(const lie_system *systems, long long count)
{
    int n = systems[0].group->dim;
    for (long long i = 0; i < count; i++)
        for (int k = 0; k < n * n; k++)
            if (k % (n + 1) != 0 && systems[i].inertia[k] != 0.0) return 0;
    return 1;
}

static int all_plain(const lie_system *systems, long long count)
{
    for (long long i = 0; i < count; i++)
        if (!systems[i].inertia || systems[i].gyro || systems[i].external) return 0;
    return 1;
}

/* What acts on the systems: the same kind on all of them, or there are no lanes. */
static int force_kind(lanes_force *out, const lie_system *systems, long long count)
{
    int free = 1, forced = 1, weight = 1;
    for (long long i = 0; i < count; i++) {
        const lie_system *sys = &systems[i];
        free &= !sys->force;
        forced &= sys->force != 0;
        weight &= lie__traits_of(sys).is_weight;
    }
    *out = free ? LANES_FREE : weight ? LANES_WEIGHT : LANES_CALLBACK;
    return free || forced;
}

/* How a step of the stepper moves; LANES_DRIFTS: not in lanes. */
static lanes_drift drift_of(const lie_stepper *st)
{
    if (st->family == &lie__dmv) return st->group->size == 4 ? LANES_S3_DMV : LANES_SO3_DMV;
    if (st->family == &lie__rk4_q && !st->composition) return st->group->size == 4 ? LANES_S3_RK4 : LANES_SE3_RK4;
    if (lie__vprk_gyrostat(st)) return st->group->size == 4 ? LANES_S3_GYROSTAT : LANES_SO3_GYROSTAT;
    if (st->family != &lie__separable || st->composition) return LANES_DRIFTS;
    if (st->group == &lie_s3_cay_ops) return LANES_S3_CAY;
    if (st->group == &lie_so3_cay_ops) return LANES_SO3_CAY;
    return st->group == &lie_se3_cay_ops ? LANES_SE3_CAY : LANES_DRIFTS;
}

/* All of them gyrostats? */
static int are_gyrostats(const lie_system *systems, long long count)
{
    gyrostat body;
    for (long long i = 0; i < count; i++)
        if (!lie__gyrostat_of(&body, &systems[i])) return 0;
    return 1;
}

/* Kernels that are in files of their own, as wide as `kernel`. */
static const lanes_kernel *gyrostat_kernel(const lanes_kernel *kernel)
{
#if defined(LIE_WITH_LANES_8)
    if (kernel->lanes == 8) return &lie__lanes_gyrostat_8;
#endif
#if defined(LIE_WITH_LANES_4)
    if (kernel->lanes == 4) return &lie__lanes_gyrostat_4;
#endif
#if defined(LIE_WITH_LANES_2)
    if (kernel->lanes == 2) return &lie__lanes_gyrostat_2;
#endif
    return kernel;
}

int lie__lanes_plan(lanes_plan *out, const lie_stepper *st, const lie_system *systems, long long count, int lanes)
{
    const lanes_kernel *kernel = lie__lanes_kernel(lanes);
    lanes_plan made = {.cap = st->options.max_iterations, .drift = drift_of(st)};
    if (lanes == 1 || !kernel || made.drift == LANES_DRIFTS) return 0;
    if (lanes_is_gyrostat(made.drift)) {
        if (!are_gyrostats(systems, count)) return 0;
        made.force = LANES_FREE; /* beside what is in the drift */
        kernel = gyrostat_kernel(kernel);
    } else if (!force_kind(&made.force, systems, count)) {
        return 0;
    } else if (lanes_is_flat(made.drift)) {
        if (!all_plain(systems, count)) return 0;
        kernel = flat_kernel(kernel);
        made.is_diagonal = all_diagonal(systems, count);
    } else if (!lanes_is_dmv(made.drift)) {
        lie__separable_weights(st, &made.before, &made.after);
        made.is_diagonal = made.drift == LANES_SE3_CAY && all_diagonal(systems, count);
    }
    made.shape = lanes_shape_of(made.drift);
    made.lanes = kernel->lanes;
    made.width = kernel->width[made.drift];
    made.run = kernel->run[made.drift][made.force];
    *out = made;
    return made.run != 0;
}

void lie__lanes_constants(const lanes_plan *plan, double *out, const lie_stepper *st)
{
    if (lanes_is_dmv(plan->drift)) {
        so3_dmv_motion M;
        if (lie__dmv_motion(st, &M) == LIE_OK) memcpy(out, &M, sizeof M);
        return;
    }
    if (lanes_is_gyrostat(plan->drift)) {
        memcpy(out, lie__vprk_gyrostat(st), sizeof(gyrostat));
        return;
    }
    int is_diagonal;
    copy_n(plan->shape.data, out,
           lanes_is_flat(plan->drift) ? lie__flat_inverse(st, &is_diagonal) : lie__separable_data(st));
    lie__lanes_params(plan, out, st->system);
}

void lie__lanes_params(const lanes_plan *plan, double *out, const lie_system *sys)
{
    gyrostat body;
    if (lanes_is_gyrostat(plan->drift)) {
        memcpy(&body, out, sizeof body);
        lie__gyrostat_now(&body, sys);
        memcpy(out, &body, sizeof body);
        return;
    }
    if (plan->force == LANES_WEIGHT) sys->form->weight(sys, out + plan->shape.data);
}
