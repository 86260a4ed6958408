/* SPDX-License-Identifier: MIT */
/* lanes_gyrostat.c: steps of several gyrostats (gyrostat.h; sv with cay for a satellite or a turntable), in the vectors
 * of LIE_LANES doubles for which this file is compiled. Compiled without LIE_LANES: their plan (lanes.h). One vector at
 * a time: a step is long enough to keep the processor busy. Where a step is not found in a lane it is lost (lanes.h),
 * and stands still. */
#include "groups/num/finite.h"
#include "groups/num/twofold.h"
#include "lib/methods/families.h"
#include "lib/methods/gyrostat.h"
#include "lib/methods/lanes/lanes.h"

LIE_INLINE lanes_shape shape_on(lanes_group group)
{
    return (lanes_shape){group == LANES_S3 ? 4 : 9, 3, 0, GYROSTAT_DOUBLES, 0};
}

_Static_assert((int)GYROSTAT_DOUBLES <= (int)LANES_DATA_MAX, "room for a body");

#ifdef LIE_LANES

/* rows one below the other */
LIE_INLINE const lie_real *load(int n, lie_real *out, const lie_real *row)
{
    copy_n(n, out, row);
    return row + n;
}

LIE_INLINE lie_real *save(int n, lie_real *row, const lie_real *a)
{
    copy_n(n, row, a);
    return row + n;
}

LIE_INLINE unsigned run_block(int size, const lanes_block *block)
{
    const lanes_shape S = shape_on(size == 4 ? LANES_S3 : LANES_SO3);
    lie_real time[LANES_STATE], g[9], low_g[9], m[3], low_m[3], c[3], *row = (lie_real *)block->tile;
    lie_real *trail = (lie_real *)block->trail;
    gyrostat body;
    gyrostat_place p;
    const lie_real *from = load(LANES_STATE, time, row);
    from = load(size, g, from);
    from = load(size, low_g, from);
    from = load(3, m, from);
    from = load(3, low_m, from);
    memcpy(&body, from, sizeof body);
    lie_real t = time[LANES_T], low_t = time[LANES_LOW_T], h = time[LANES_H], k = 0.5 * h;
    lie_mask late = zero_if_finite(t) != 0.0, lost = late;
    gyrostat_at(&p, &body, size, g);
    for (int step = 0; step < block->steps; step++) {
        int passes;
        twofold next = sum_exact(t, h + low_t);
        late |= next.hi == t;
        t = next.hi, low_t = next.lo;
        lie_mask found = gyrostat_step(&body, &p, size, k, g, low_g, m, low_m, c, mask_not(lost), block->cap, &passes);
        lost = mask_not(found);
        if (!mask_any(found)) break;
        if (trail) {
            trail = save(1, trail, &t);
            trail = save(S.size, trail, g);
            trail = save(S.dim, trail, m);
        }
    }
    time[LANES_T] = t, time[LANES_LOW_T] = low_t;
    row = save(LANES_STATE, row, time);
    row = save(size, row, g);
    row = save(size, row, low_g);
    row = save(3, row, m);
    save(3, row, low_m);
    lost |= late | mask_not(all_finite(3, m));
    unsigned bits = 0;
    for (int l = 0; l < LIE_LANES; l++) bits |= lost[l] ? 1u << l : 0u;
    return bits;
}

static unsigned s3(const lanes_block *block)
{
    return run_block(4, block);
}

static unsigned so3(const lanes_block *block)
{
    return run_block(9, block);
}

LANES_KERNEL(gyrostat) = {.lanes = LIE_LANES,
                          .width = {[LANES_S3] = LIE_LANES, [LANES_SO3] = LIE_LANES},
                          .run = {[LANES_S3] = {[LANES_FREE] = s3}, [LANES_SO3] = {[LANES_FREE] = so3}}};

#else

#include "lib/methods/variational/vprk_gyrostat.h"

static int are_gyrostats(const lie_system *systems, long long count)
{
    gyrostat body;
    for (long long i = 0; i < count; i++)
        if (!lie__gyrostat_of(&body, &systems[i])) return 0;
    return 1;
}

/* All that acts on them is in the free step. */
static int plan(lanes_plan *made, const lie_stepper *st, const lie_system *systems, long long count)
{
    if (st->composition || !lie__vprk_gyrostat(st) || !are_gyrostats(systems, count)) return 0;
    made->group = lie__lanes_group(st->group);
    made->shape = shape_on(made->group);
    return 1;
}

static void constants(const lanes_plan *p, double *out, const lie_stepper *st)
{
    (void)p;
    memcpy(out, lie__vprk_gyrostat(st), sizeof(gyrostat));
}

static void params(const lanes_plan *p, double *out, const lie_system *sys)
{
    gyrostat body;
    (void)p;
    memcpy(&body, out, sizeof body);
    lie__gyrostat_now(&body, sys);
    memcpy(out, &body, sizeof body);
}

const lie_lanes lie__gyrostat_lanes = {
    .family = &lie__vprk0, .kernels = LANES_KERNELS(gyrostat), .plan = plan, .constants = constants, .params = params};

#endif
