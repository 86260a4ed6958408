/* SPDX-License-Identifier: MIT */
/* accuracy_cases_input.c: the points at which the maps are measured.
 *
 * Angles log-uniform in each decade, with the special ones (0, 1e-300, 1e-8, pi - 1e-15, pi - 1e-8, 2 pi - 1e-8) as the
 * first samples of theirs; directions uniform, on the axes, or with components of very different size; translations and
 * test vectors log-uniform over 20 decades, drawn apart from the angle.
 * Generator: random.h. */
#include "tests/groups/accuracy_cases.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

double acc_uniform(lie_random *rng)
{
    return (double)(random_bits(rng) >> 11) * 0x1p-53;
}

static double log_uniform(lie_random *rng, double from, double to)
{
    return pow(10.0, log10(from) + (log10(to) - log10(from)) * acc_uniform(rng));
}

/* v <- v/|v| */
static void normalise(double *v, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += v[i] * v[i];
    for (int i = 0; i < n; i++) v[i] /= sqrt(sum);
}

/* A direction: one in eight along an axis, one in eight with components over 12 decades, else uniform in the ball. */
static void direction(double *v, int n, lie_random *rng)
{
    int choice = (int)(8.0 * acc_uniform(rng));
    double sum = 2.0;
    memset(v, 0, (size_t)n * sizeof *v);
    if (choice == 0) {
        v[(int)(n * acc_uniform(rng))] = acc_uniform(rng) < 0.5 ? -1.0 : 1.0;
        return;
    }
    while (sum > 1.0 || sum < 0.01) {
        sum = 0.0;
        for (int i = 0; i < n; i++) {
            v[i] = 2.0 * acc_uniform(rng) - 1.0;
            sum += v[i] * v[i];
        }
    }
    for (int i = 0; i < n && choice == 1; i++) v[i] *= log_uniform(rng, 1e-12, 1.0);
    normalise(v, n);
}

static double small_angle(int decade, int index, lie_random *rng)
{
    static const double edge[] = {1e-300, 1e-16, 1e-8, 1e-5, 1e-2, 1.0};
    if (decade == ACC_TINY && index == 0) return 0.0;
    if (decade == ACC_TINY && index == 1) return 1e-300;
    if (decade == ACC_1E_5 && index == 0) return 1e-8;
    return log_uniform(rng, edge[decade], edge[decade + 1]);
}

static double draw_angle(int decade, int index, double limit, lie_random *rng)
{
    switch (decade) {
    case ACC_GENERIC:
        return 1.0 + (limit - 1e-3 - 1.0) * acc_uniform(rng);
    case ACC_NEAR_T:
        return index == 0 ? limit - 1e-15 : index == 1 ? limit - 1e-8 : limit - log_uniform(rng, 1e-15, 1e-3);
    case ACC_AT_T:
        return limit;
    case ACC_BEYOND:
        return index == 0                ? 2.0 * PI - 1e-8
               : acc_uniform(rng) < 0.25 ? 2.0 * PI - log_uniform(rng, 1e-12, 1e-1)
                                         : PI * (1.0 + acc_uniform(rng));
    case ACC_FAR:
        return log_uniform(rng, 1e1, 1e8);
    default:
        return small_angle(decade, index, rng);
    }
}

/* The s of H: any size that e^s or the Cayley map bears, now and then close to its pole 2 or its zero -2. Beside a tiny
 * turn e^s must not make it underflow. */
static double draw_scalar(ref_kind kind, double radius, lie_random *rng)
{
    double sign = acc_uniform(rng) < 0.5 ? -1.0 : 1.0;
    double most = kind == REF_CAY ? 1e3 : radius < 1e-200 ? 1.0 : 1e2;
    if (kind == REF_CAY && acc_uniform(rng) < 0.125) return sign * (2.0 + log_uniform(rng, 1e-8, 1e-1));
    return sign * log_uniform(rng, 1e-10, most);
}

static void draw_vector(double *v, const ref_group *G, lie_random *rng)
{
    double size = log_uniform(rng, 1e-3, 1e3);
    direction(v + G->rot, G->rot_len, rng);
    for (int i = 0; i < G->rot_len; i++) v[G->rot + i] *= size;
    if (G->lin_len > 0) {
        size = log_uniform(rng, 1e-10, 1e10);
        direction(v + G->lin, G->lin_len, rng);
        for (int i = 0; i < G->lin_len; i++) v[G->lin + i] *= size;
    }
}

static double norm_of(const double *v, int n)
{
    double big = 0.0;
    double sum = 0.0;
    for (int i = 0; i < n; i++) big = fmax(big, fabs(v[i]));
    for (int i = 0; i < n && big > 0.0; i++) sum += (v[i] / big) * (v[i] / big);
    return big * sqrt(sum);
}

/* w = r n, never outside a closed ball of radius r */
static double draw_rotation(double *w, int n, double r, lie_random *rng)
{
    direction(w, n, rng);
    for (int i = 0; i < n; i++) w[i] *= r;
    return norm_of(w, n);
}

void acc_draw(acc_input *in, const ref_group *G, ref_kind kind, double (*radius)(double), double limit, int decade,
              uint64_t seed, int index)
{
    lie_random start = {seed + 1000003U * (uint64_t)decade + 7919U * (uint64_t)index};
    lie_random rng = {random_bits(&start)};
    memset(in, 0, sizeof *in);
    double angle = draw_angle(decade, index, limit, &rng);
    draw_vector(in->x, G, &rng);
    draw_vector(in->y, G, &rng);
    draw_vector(in->v, G, &rng);
    draw_vector(in->m, G, &rng);
    draw_vector(in->p, G, &rng);
    in->radius = draw_rotation(in->x + G->rot, G->rot_len, decade == ACC_FAR ? angle : radius(angle), &rng);
    if (G == &ref_quat) {
        in->x[0] = draw_scalar(kind, in->radius, &rng);
        in->y[0] = draw_scalar(kind, 1.0, &rng);
    }
    in->exact_half_turn = decade == ACC_AT_T && index % 2 == 1 ? 2 - index % 4 : 0;
    in->rng = rng;
}
