/* SPDX-License-Identifier: MIT */
/* Every public map, every argument, every bad value: no hang, no trap, no silent nonsense.
 *
 * For a value that is NaN or infinite the map either says so with a status and leaves its output as it was, or, having
 * no status, gives a result that is not finite; unless the result does not depend on that argument at all. -0 counts as
 * 0, subnormal numbers are ordinary small ones, and DBL_MAX may overflow but never returns LIE_OK with a result that is
 * not finite. */
#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/map_table.h"
#include "unity.h"

static const double KEEP = 0.7771;

typedef struct outcome {
    lie_status status;
    double out[MAP_OUT_MAX];
} outcome;

static outcome run(const map_case *map, const double *in)
{
    outcome r;
    for (int i = 0; i < MAP_OUT_MAX; i++) r.out[i] = KEEP;
    r.status = map->call(r.out, in);
    return r;
}

static int finite_all(const map_case *map, const outcome *r)
{
    for (int i = 0; i < map->out; i++)
        if (!isfinite(r->out[i])) return 0;
    return 1;
}

static int has_nan(const map_case *map, const outcome *r)
{
    for (int i = 0; i < map->out; i++)
        if (isnan(r->out[i])) return 1;
    return 0;
}

static int untouched(const outcome *r)
{
    for (int i = 0; i < MAP_OUT_MAX; i++)
        if (memcmp(&r->out[i], &KEEP, sizeof KEEP) != 0) return 0;
    return 1;
}

/* Does input i count? Tried with two other values. A map that refuses them has read them. */
static int depends_on(const map_case *map, const double *in, int i)
{
    double other[MAP_IN_MAX];
    outcome base = run(map, in);
    for (int k = 0; k < 2; k++) {
        memcpy(other, in, sizeof other);
        other[i] += k ? 1e-3 : -0.31;
        outcome r = run(map, other);
        if (r.status != base.status || memcmp(r.out, base.out, sizeof r.out) != 0) return 1;
    }
    return 0;
}

typedef int verdict_fn(const map_case *map, const double *in, int i, double value);

static int not_finite_is_seen(const map_case *map, const double *in, int i, double value)
{
    double bad[MAP_IN_MAX];
    memcpy(bad, in, sizeof bad);
    bad[i] = value;
    outcome r = run(map, bad);
    if (r.status != LIE_OK) return map->has_status && untouched(&r);
    if (!depends_on(map, in, i)) return 1;
    if (map->has_status) return 0;
    return isnan(value) ? has_nan(map, &r) : !finite_all(map, &r);
}

static int like_zero(const map_case *map, const double *in, int i, double value)
{
    double bad[MAP_IN_MAX], zero[MAP_IN_MAX];
    memcpy(bad, in, sizeof bad);
    memcpy(zero, in, sizeof zero);
    bad[i] = value;
    zero[i] = 0.0;
    outcome r = run(map, bad), z = run(map, zero);
    int same = r.status == z.status, opposite = same;
    for (int k = 0; k < map->out; k++) {
        same = same && fabs(r.out[k] - z.out[k]) <= 1e-300;
        opposite = opposite && fabs(r.out[k] + z.out[k]) <= 1e-300; /* a sign rule at exactly 0, as for q and -q */
    }
    return same || opposite;
}

static int no_silent_overflow(const map_case *map, const double *in, int i, double value)
{
    double bad[MAP_IN_MAX];
    memcpy(bad, in, sizeof bad);
    bad[i] = value;
    outcome r = run(map, bad);
    if (r.status != LIE_OK) return map->has_status && untouched(&r);
    return !map->has_status || finite_all(map, &r);
}

static void try_all(verdict_fn *verdict, double value)
{
    lie_random rng = {40961u};
    for (int k = 0; k < map_count; k++) {
        const map_case *map = &map_table[k];
        double in[MAP_IN_MAX] = {0.0};
        map_sample(map, in, 0.45, &rng);
        for (int i = 0; i < map->in; i++) {
            char text[120];
            snprintf(text, sizeof text, "%s with input number %d = %g", map->name, i, value);
            TEST_ASSERT_TRUE_MESSAGE(verdict(map, in, i, value), text);
        }
    }
}

void test_badinput_samples_are_good(void)
{
    lie_random rng = {40961u};
    for (int k = 0; k < map_count; k++) {
        double in[MAP_IN_MAX] = {0.0};
        map_sample(&map_table[k], in, 0.45, &rng);
        outcome r = run(&map_table[k], in);
        TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, r.status, map_table[k].name);
        TEST_ASSERT_TRUE_MESSAGE(finite_all(&map_table[k], &r), map_table[k].name);
        TEST_ASSERT_FALSE_MESSAGE(untouched(&r), map_table[k].name);
    }
}

/* Good input, and the zero vector, raise none of the floating-point exceptions that a flight code may trap. */
void test_badinput_good_input_raises_no_exception(void)
{
    static const double sizes[] = {0.0, 1e-9, 0.45, 1.9};
    lie_random rng = {40961u};
    for (int k = 0; k < map_count; k++)
        for (int s = 0; s < 4; s++) {
            char text[120];
            double in[MAP_IN_MAX] = {0.0};
            map_sample(&map_table[k], in, sizes[s], &rng);
            feclearexcept(FE_ALL_EXCEPT);
            (void)run(&map_table[k], in);
            snprintf(text, sizeof text, "%s at size %g", map_table[k].name, sizes[s]);
            TEST_ASSERT_FALSE_MESSAGE(fetestexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW), text);
        }
}

void test_badinput_nan(void)
{
    try_all(not_finite_is_seen, (double)NAN);
}

void test_badinput_infinity(void)
{
    try_all(not_finite_is_seen, HUGE_VAL);
    try_all(not_finite_is_seen, -HUGE_VAL);
}

void test_badinput_negative_zero_and_subnormal(void)
{
    try_all(like_zero, -0.0);
    try_all(like_zero, 4.9e-324);
    try_all(like_zero, -1.1e-310);
}

void test_badinput_huge(void)
{
    try_all(no_silent_overflow, DBL_MAX);
    try_all(no_silent_overflow, -DBL_MAX);
    try_all(no_silent_overflow, 1e200);
}
