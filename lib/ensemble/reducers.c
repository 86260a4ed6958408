/* SPDX-License-Identifier: MIT */
/* reducers.c: mean, covariance and histogram of an ensemble, sample by sample.
 *
 * Moments: count, means, and the sums of products of deviations, C_ij, i <= j. A sample: d = x - mean, mean += d/count,
 * C += d (x - mean)^T (Welford 1962); merging: C += C' + d d^T n n'/(n + n'), d = mean' - mean. Nothing cancels, and
 * nothing grows with the number of samples but the sums themselves.
 * Reference: Chan, Golub & LeVeque, The American Statistician 37 (1983), (1.3) and (2.1). */
#include <liestep/ensemble.h>

#include <math.h>
#include <string.h>

/* moments: count, mean, C row by row */

static size_t moments_doubles(int n)
{
    return 1 + (size_t)n + (size_t)n * ((size_t)n + 1) / 2;
}

static void clear_all(const lie_reducer *r, void *sum)
{
    memset(sum, 0, r->bytes);
}

static void moments_add(const lie_reducer *r, void *sum, const lie_sample *s)
{
    const lie_moments *p = (const lie_moments *)r->ctx;
    double *count = (double *)sum, *mean = count + 1, *C = mean + p->values;
    double x[LIE_MOMENTS_MAX], before[LIE_MOMENTS_MAX];
    p->measure(p->ctx, x, s);
    *count += 1.0;
    for (int i = 0; i < p->values; i++) {
        before[i] = x[i] - mean[i];
        mean[i] += before[i] / *count;
    }
    for (int i = 0; i < p->values; i++)
        for (int j = i; j < p->values; j++) *C++ += before[i] * (x[j] - mean[j]);
}

static void moments_merge(const lie_reducer *r, void *sum, const void *next)
{
    const lie_moments *p = (const lie_moments *)r->ctx;
    double *count = (double *)sum, *mean = count + 1, *C = mean + p->values, apart[LIE_MOMENTS_MAX];
    const double *more = (const double *)next, *mean_more = more + 1, *C_more = mean_more + p->values;
    double all = *count + *more;
    if (*more == 0.0) return;
    if (*count == 0.0) {
        memcpy(sum, next, r->bytes);
        return;
    }
    for (int i = 0; i < p->values; i++) apart[i] = mean_more[i] - mean[i];
    for (int i = 0; i < p->values; i++)
        for (int j = i; j < p->values; j++) *C++ += *C_more++ + apart[i] * apart[j] * (*count * (*more / all));
    for (int i = 0; i < p->values; i++) mean[i] += apart[i] * (*more / all);
    *count = all;
}

lie_status lie_moments_reducer(lie_reducer *out, const lie_moments *p)
{
    if (!p->measure) return LIE_ERR_INCOMPLETE;
    if (p->values < 1 || p->values > LIE_MOMENTS_MAX) return LIE_ERR_SIZE;
    *out = (lie_reducer){moments_doubles(p->values) * sizeof(double), p, clear_all, moments_add, moments_merge, 0};
    return LIE_OK;
}

long long lie_moments_count(const void *sum)
{
    return (long long)*(const double *)sum;
}

void lie_moments_mean(const lie_moments *p, double *mean, const void *sum)
{
    memcpy(mean, (const double *)sum + 1, (size_t)p->values * sizeof *mean);
}

void lie_moments_covariance(const lie_moments *p, double *covariance, const void *sum)
{
    const double *C = (const double *)sum + 1 + p->values;
    double count = *(const double *)sum, weight = count > 1.0 ? 1.0 / (count - 1.0) : 0.0;
    int n = p->values;
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) covariance[i * n + j] = covariance[j * n + i] = *C++ * weight;
}

/* histogram: counts of the bins, below, above, not finite */

static int bin_of(const lie_histogram *p, double x)
{
    if (!(x - x == 0.0)) return p->bins + 2;
    if (x < p->low) return p->bins;
    if (x >= p->high) return p->bins + 1;
    int bin = (int)((x - p->low) / (p->high - p->low) * p->bins);
    return bin < p->bins ? bin : p->bins - 1; /* the quotient may be rounded up to 1 */
}

static void histogram_add(const lie_reducer *r, void *sum, const lie_sample *s)
{
    const lie_histogram *p = (const lie_histogram *)r->ctx;
    double x;
    p->measure(p->ctx, &x, s);
    ((long long *)sum)[bin_of(p, x)]++;
}

static void histogram_merge(const lie_reducer *r, void *sum, const void *next)
{
    const lie_histogram *p = (const lie_histogram *)r->ctx;
    for (int i = 0; i < p->bins + 3; i++) ((long long *)sum)[i] += ((const long long *)next)[i];
}

lie_status lie_histogram_reducer(lie_reducer *out, const lie_histogram *p)
{
    if (!p->measure) return LIE_ERR_INCOMPLETE;
    if (p->bins < 1 || p->bins > 1 << 24 || !(p->low < p->high) || !(p->high - p->low < HUGE_VAL)) return LIE_ERR_SIZE;
    *out = (lie_reducer){((size_t)p->bins + 3) * sizeof(long long), p, clear_all, histogram_add, histogram_merge, 0};
    return LIE_OK;
}

void lie_histogram_counts(const lie_histogram *p, long long *counts, const void *sum)
{
    memcpy(counts, sum, ((size_t)p->bins + 3) * sizeof *counts);
}
