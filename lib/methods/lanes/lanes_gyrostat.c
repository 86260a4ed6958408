/* SPDX-License-Identifier: MIT */
/* lanes_gyrostat.c: a block of steps of several gyrostats (gyrostat.h), in the vectors of LIE_LANES doubles for which
 * this file is compiled. One vector at a time: a step is long enough to keep the processor busy. Where a step is not
 * found in a lane it is lost (lanes.h), and stands still. */
#include "lib/methods/gyrostat.h"
#include "lib/methods/lanes/lanes.h"

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

LIE_INLINE unsigned run_block(int size, const lanes_job *job)
{
    const lanes_shape S = lanes_shape_of(size == 4 ? LANES_S3_GYROSTAT : LANES_SO3_GYROSTAT);
    lie_real time[LANES_STATE], g[9], low_g[9], m[3], low_m[3], c[3], *row = (lie_real *)job->tile;
    lie_real *trail = (lie_real *)job->trail;
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
    for (int step = 0; step < job->steps; step++) {
        int passes;
        twofold next = sum_exact(t, h + low_t);
        late |= next.hi == t;
        t = next.hi, low_t = next.lo;
        lie_mask found = gyrostat_step(&body, &p, size, k, g, low_g, m, low_m, c, mask_not(lost), job->cap, &passes);
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

static unsigned s3(const lanes_job *job)
{
    return run_block(4, job);
}

static unsigned so3(const lanes_job *job)
{
    return run_block(9, job);
}

#define JOINED(a, b) a##b
#define NAMED(lanes) JOINED(lie__lanes_gyrostat_, lanes)
extern const lanes_kernel NAMED(LIE_LANES);
const lanes_kernel NAMED(LIE_LANES) = {
    .lanes = LIE_LANES,
    .width = {[LANES_S3_GYROSTAT] = LIE_LANES, [LANES_SO3_GYROSTAT] = LIE_LANES},
    .run = {[LANES_S3_GYROSTAT] = {[LANES_FREE] = s3}, [LANES_SO3_GYROSTAT] = {[LANES_FREE] = so3}}};
