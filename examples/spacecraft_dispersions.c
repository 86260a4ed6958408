/* SPDX-License-Identifier: MIT */
/* Dispersions of a spinning upper stage: where does its nozzle point two minutes after release?
 *
 *     R' = R hat(w),     M' = M x w,     M = I w,     I = A 1 + (C - A) p p^T
 *
 * C about the axis p and A across it, prolate. What is not known, each with its standard deviation: A and C (1 %), the
 * axis p, which is not quite that of the nozzle, e3 (0.2 degrees: the balance), the spin (1 %) and the rates that the
 * separation leaves (0.5 deg/s). Conserved for every one of the 2000 trajectories: energy and momentum in space.
 * Wanted: the angle of the nozzle from where it pointed at release, and that from the momentum, about which it cones.
 *
 * There is to see: the means swing, less and less as the trajectories get out of step. Each trajectory has its own
 * system; several are stepped at once in the vector unit, threads take chunks of them, and yet all sums are those of
 * one trajectory after the other, to the bit. The motion is known in closed form, and the test compares:
 *     R = exp(t M/A) exp(t (1/C - 1/A)(M . p) p),   M that at t = 0
 *
 * Reference: Hughes, Spacecraft Attitude Dynamics, 1986, chapter 4; Hairer & Vilmart, J. Phys. A 39 (2006) (dmv8). */
#include <liestep/liestep.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEGREES 57.29577951308232
#define STEP 0.05 /* s */
enum { CRAFTS = 2000, STEPS = 2400, EVERY = 240, BINS = 16 };

static lie_free_body body[CRAFTS];
static lie_system craft[CRAFTS];
static lie_state start[CRAFTS];

/* Numbers in (0, 1): splitmix64 (Steele, Lea & Flood 2014) */
static double uniform(uint64_t *seed)
{
    uint64_t z = *seed += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return ((double)((z ^ (z >> 31)) >> 11) + 0.5) * 0x1p-53;
}

/* Mean 0, deviation 1 (Box & Muller 1958) */
static double normal(uint64_t *seed)
{
    double radius = sqrt(-2.0 * log(uniform(seed)));
    return radius * cos(6.283185307179586 * uniform(seed));
}

static lie_status disperse(int i, uint64_t *seed)
{
    double z[7];
    for (int k = 0; k < 7; k++) z[k] = normal(seed);
    double A = 1200.0 * (1.0 + 0.01 * z[0]), C = 300.0 * (1.0 + 0.01 * z[1]); /* kg m^2 */
    double a = 0.2 / DEGREES * z[2], b = 0.2 / DEGREES * z[3], c = 1.0 / sqrt(1.0 + a * a + b * b);
    const double p[3] = {a * c, b * c, c}, q[4] = {1.0, 0.0, 0.0, 0.0};
    const double w[3] = {0.5 / DEGREES * z[4], 0.5 / DEGREES * z[5], 3.0 * (1.0 + 0.01 * z[6])}; /* rad/s */
    for (int k = 0; k < 9; k++) body[i].inertia[k] = (C - A) * p[k / 3] * p[k % 3] + (k % 4 == 0 ? A : 0.0);
    lie_status status = lie_free_body_system(&craft[i], &body[i], "S3");
    return status != LIE_OK ? status : lie_state_set(&craft[i], &start[i], 0.0, q, w);
}

/* The angle between two vectors in degrees */
static double between(const double a[3], const double b[3])
{
    double c[3], dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    lie_so3_ad(c, a, b);
    return DEGREES * atan2(hypot(hypot(c[0], c[1]), c[2]), dot);
}

/* Of the nozzle: from e3 in space, where it was, and from the momentum */
static void angles(const void *ctx, double *values, const lie_sample *s)
{
    static const double e3[3] = {0.0, 0.0, 1.0};
    double nozzle[3];
    (void)ctx;
    lie_s3_act(nozzle, s->g, e3);
    values[0] = between(nozzle, e3);
    values[1] = between(s->m, e3);
}

static void pointing(const void *ctx, double *value, const lie_sample *s)
{
    double both[2];
    angles(ctx, both, s);
    value[0] = both[0];
}

static const lie_moments moments = {.values = 2, .measure = angles};
static const lie_histogram histogram = {.bins = BINS, .low = 0.0, .high = 4.0, .measure = pointing};

/* All trajectories with so many lanes and threads, 0: all there are. The sums stay with the caller, who frees them. */
static lie_status run(lie_observation *obs, int lanes, int threads, int *used)
{
    const lie_ensemble_options options = {.step = {.method = "dmv8"}, .h = STEP, .lanes = lanes, .threads = threads};
    size_t bytes = lie_ensemble_memsize(craft, CRAFTS, CRAFTS, &options);
    void *memory = malloc(bytes);
    lie_ensemble *e;
    lie_status status = memory ? lie_ensemble_init(&e, craft, CRAFTS, CRAFTS, &options, memory, bytes) : LIE_ERR_MEMORY;
    for (int i = 0; i < CRAFTS && status == LIE_OK; i++) status = lie_ensemble_set(e, i, &start[i]);
    if (status == LIE_OK) {
        *used = lie_ensemble_lanes(e);
        obs->bytes = lie_ensemble_sums_bytes(e, STEPS, obs);
        obs->sums = malloc(obs->bytes);
        status = obs->sums ? lie_ensemble_run(e, STEPS, obs) : LIE_ERR_MEMORY;
    }
    free(memory);
    return status;
}

static void print(const lie_observation *obs)
{
    long long n = lie_ensemble_observations(STEPS, obs), counts[BINS + 3];
    puts("    time s   pointing error: mean, deviation   coning angle: mean, deviation   in degrees");
    for (long long k = 0; k < n; k++) {
        double mean[2], C[4];
        lie_moments_mean(&moments, mean, lie_ensemble_sum(obs, k, 0));
        lie_moments_covariance(&moments, C, lie_ensemble_sum(obs, k, 0));
        printf("  %8.0f           %9.5f %9.5f                %9.5f %9.5f\n", (double)k * EVERY * STEP, mean[0],
               sqrt(C[0]), mean[1], sqrt(C[3]));
    }
    lie_histogram_counts(&histogram, counts, lie_ensemble_sum(obs, n - 1, 1));
    puts("\n  at the end, degrees and how many");
    for (int i = 0; i < BINS; i++)
        printf("  %4.2f to %4.2f %5lld %.*s\n", 0.25 * i, 0.25 * (i + 1), counts[i], (int)(counts[i] / 8),
               "################################################################");
    printf("  beyond       %5lld\n", counts[BINS + 1]);
}

/* Is every sum of every observation the same, to the bit? */
static int same(const lie_observation *a, const lie_observation *b)
{
    for (long long k = 0; k < lie_ensemble_observations(STEPS, a); k++)
        for (int r = 0; r < a->reducers; r++)
            if (memcmp(lie_ensemble_sum(a, k, r), lie_ensemble_sum(b, k, r), a->reducer[r].bytes) != 0) return 0;
    return 1;
}

int main(void)
{
    uint64_t seed = 1;
    int lanes = 0, one = 0;
    lie_reducer reducer[2];
    lie_status status = lie_moments_reducer(&reducer[0], &moments);
    if (status == LIE_OK) status = lie_histogram_reducer(&reducer[1], &histogram);
    lie_observation all = {.every = EVERY, .reducers = 2, .reducer = reducer}, alone = all;
    for (int i = 0; i < CRAFTS && status == LIE_OK; i++) status = disperse(i, &seed);
    if (status == LIE_OK) status = run(&all, 0, 0, &lanes);
    if (status == LIE_OK) status = run(&alone, 1, 1, &one);
    if (status == LIE_OK) {
        print(&all);
        printf("\n%d trajectories, %d in a vector, all threads; one by one, one thread: %s\n", CRAFTS, lanes,
               same(&all, &alone) ? "same bits" : "OTHER BITS");
    } else {
        puts(lie_status_text(status));
    }
    free(all.sums);
    free(alone.sums);
    return status != LIE_OK;
}
