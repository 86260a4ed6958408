/* SPDX-License-Identifier: MIT */
/* embedded_node.h: nodes on S3, SO3 and SE3 in flat coordinates. Internal. */
#ifndef LIESTEP_LIB_EMBEDDED_NODE_H
#define LIESTEP_LIB_EMBEDDED_NODE_H

#include "groups/attitude/coordinates.h"
#include "lib/methods/embedded/embedded.h"
#include "lib/methods/embedded/embedded_flat.h"
#include "lib/methods/stepping.h"

/* y of the node, with the quaternion of g that is nearer to `end` */
LIE_INLINE void flat_of_place(int size, double *y, const lie_place *at, const double *end)
{
    if (size == 4) {
        copy_n(4, y, at->g);
    } else {
        quat_of_rotation(y, at->g);
        double same = (y[0] * end[0] + y[1] * end[1]) + (y[2] * end[2] + y[3] * end[3]);
        for (int i = 0; i < 4 && same < 0.0; i++) y[i] = -y[i];
    }
    quat_times(y + EMBEDDED_P, y, at->m);
    if (size != 12) return;
    mat3_vec(y + EMBEDDED_PX, at->g, at->m + 3);
    zero_n(3, y + EMBEDDED_X);
}

#endif
