/* SPDX-License-Identifier: MIT */
/* map_table.h: every public map on plain arrays as one table, generated from the headers by make_map_table.py. */
#ifndef LIESTEP_TESTS_MAP_TABLE_H
#define LIESTEP_TESTS_MAP_TABLE_H

#include <liestep/s3.h>
#include <liestep/se2.h>
#include <liestep/se3.h>
#include <liestep/so3.h>

#include "tests/support/random.h"

enum { MAP_IN_MAX = 96, MAP_OUT_MAX = 96, MAP_ARGS_MAX = 4 };

typedef enum map_kind { MAP_VECTOR, MAP_ROTATION, MAP_MOTION, MAP_PLANE, MAP_QUATERNION, MAP_AXIS } map_kind;

typedef struct map_case {
    const char *name;
    lie_status (*call)(double *out, const double *in);
    int has_status;
    int out, in, args; /* doubles out, doubles in, array arguments */
    struct {
        int size;
        map_kind kind;
    } arg[MAP_ARGS_MAX];
} map_case;

extern const map_case map_table[];
extern const int map_count;

/* Fill `in` with valid inputs; vectors have components below `size`, group elements are exp of such vectors. */
static inline void map_sample(const map_case *map, double *in, double size, lie_random *rng)
{
    for (int k = 0; k < map->args; in += map->arg[k].size, k++) {
        double x[6], q[4];
        random_vector(rng, 6, x, size);
        switch (map->arg[k].kind) {
        case MAP_ROTATION:
            lie_so3_exp(in, x);
            break;
        case MAP_MOTION:
            lie_se3_exp(in, x);
            break;
        case MAP_PLANE:
            lie_se2_exp(in, x);
            break;
        case MAP_QUATERNION:
            lie_s3_exp(in, x);
            break;
        case MAP_AXIS:
            lie_s3_exp(q, x);
            lie_s3_act(in, q, (double[3]){0.0, 0.6, 0.8});
            break;
        case MAP_VECTOR:
            random_vector(rng, map->arg[k].size, in, size);
            break;
        }
    }
}

#endif
