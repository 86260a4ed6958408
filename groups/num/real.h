/* SPDX-License-Identifier: MIT */
/* real.h: the number that the kernels of a step are written in. Internal.
 *
 * lie_real is a double, or, where LIE_LANES is defined, a vector of that many doubles: one trajectory in each lane. The
 * same text is compiled for both (lib/methods/lanes/lanes_block.c). Addition, product, quotient and square root are
 * rounded correctly in every lane, contraction is off, so that a lane has the bits of the plain double. A condition is
 * a lie_mask, joined with & and |; what depends on it is selected, and paths that are rarely taken are guarded by
 * mask_any(mask).
 *
 * Vectors are those of gcc and clang; only square root, selection, mask_any and mask_all need the processor's own
 * names, and have a plain form for processors not named here. */
#ifndef LIESTEP_GROUPS_REAL_H
#define LIESTEP_GROUPS_REAL_H

#include <math.h>

#if defined(__GNUC__)
#define LIE_INLINE static inline __attribute__((always_inline, unused))
#define LIE_COLD static __attribute__((noinline, cold, unused))
#define LIE_APART static __attribute__((noinline, unused)) /* so that its caller keeps the registers */
#else
#define LIE_INLINE static inline
#define LIE_COLD static
#define LIE_APART static
#endif

/* A condition that usually holds: the other case is compiled out of the way. */
#if defined(__GNUC__)
#define LIE_USUALLY(condition) __builtin_expect(!!(condition), 1)
#else
#define LIE_USUALLY(condition) (condition)
#endif

#ifndef LIE_LANES

typedef double lie_real;
typedef int lie_mask;

LIE_INLINE lie_real real_of(double x)
{
    return x;
}

LIE_INLINE lie_real real_abs(lie_real x)
{
    return fabs(x);
}

LIE_INLINE lie_real real_sqrt(lie_real x)
{
    return sqrt(x);
}

LIE_INLINE lie_real real_select(lie_mask mask, lie_real a, lie_real b)
{
    return mask ? a : b;
}

LIE_INLINE lie_mask mask_not(lie_mask mask)
{
    return !mask;
}

LIE_INLINE int mask_any(lie_mask mask)
{
    return mask;
}

LIE_INLINE int mask_all(lie_mask mask)
{
    return mask;
}

#else

#if defined(__SSE2__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

typedef double lie_real __attribute__((vector_size(8 * LIE_LANES)));
typedef long long lie_mask __attribute__((vector_size(8 * LIE_LANES)));

/* x - 0 is x, the sign of zero included */
LIE_INLINE lie_real real_of(double x)
{
    return x - (lie_real){0.0};
}

LIE_INLINE lie_real real_abs(lie_real x)
{
    return (lie_real)((lie_mask)x & ~(lie_mask)real_of(-0.0));
}

LIE_INLINE lie_mask mask_not(lie_mask mask)
{
    return ~mask;
}

#if LIE_LANES == 8 && defined(__AVX512F__)

LIE_INLINE lie_real real_sqrt(lie_real x)
{
    return (lie_real)_mm512_sqrt_pd((__m512d)x);
}

LIE_INLINE lie_real real_select(lie_mask mask, lie_real a, lie_real b)
{
    return (lie_real)_mm512_mask_blend_pd(_mm512_test_epi64_mask((__m512i)mask, (__m512i)mask), (__m512d)b, (__m512d)a);
}

LIE_INLINE int mask_any(lie_mask mask)
{
    return _mm512_test_epi64_mask((__m512i)mask, (__m512i)mask) != 0;
}

LIE_INLINE int mask_all(lie_mask mask)
{
    return _mm512_test_epi64_mask((__m512i)mask, (__m512i)mask) == 0xff;
}

#elif LIE_LANES == 4 && defined(__AVX2__)

LIE_INLINE lie_real real_sqrt(lie_real x)
{
    return (lie_real)_mm256_sqrt_pd((__m256d)x);
}

LIE_INLINE lie_real real_select(lie_mask mask, lie_real a, lie_real b)
{
    return (lie_real)_mm256_blendv_pd((__m256d)b, (__m256d)a, (__m256d)mask);
}

LIE_INLINE int mask_any(lie_mask mask)
{
    return _mm256_movemask_pd((__m256d)mask) != 0;
}

LIE_INLINE int mask_all(lie_mask mask)
{
    return _mm256_movemask_pd((__m256d)mask) == 0xf;
}

#else

LIE_INLINE lie_real real_select(lie_mask mask, lie_real a, lie_real b)
{
    return (lie_real)(((lie_mask)a & mask) | ((lie_mask)b & ~mask));
}

#if LIE_LANES == 2 && defined(__SSE2__)

LIE_INLINE lie_real real_sqrt(lie_real x)
{
    return (lie_real)_mm_sqrt_pd((__m128d)x);
}

LIE_INLINE int mask_any(lie_mask mask)
{
    return _mm_movemask_pd((__m128d)mask) != 0;
}

LIE_INLINE int mask_all(lie_mask mask)
{
    return _mm_movemask_pd((__m128d)mask) == 3;
}

#elif LIE_LANES == 2 && defined(__aarch64__)

LIE_INLINE lie_real real_sqrt(lie_real x)
{
    return (lie_real)vsqrtq_f64((float64x2_t)x);
}

LIE_INLINE int mask_any(lie_mask mask)
{
    return vmaxvq_u32((uint32x4_t)mask) != 0;
}

LIE_INLINE int mask_all(lie_mask mask)
{
    return vminvq_u32((uint32x4_t)mask) != 0;
}

#else

LIE_INLINE lie_real real_sqrt(lie_real x)
{
    for (int i = 0; i < LIE_LANES; i++) x[i] = sqrt(x[i]);
    return x;
}

LIE_INLINE int mask_any(lie_mask mask)
{
    long long sum = 0;
    for (int i = 0; i < LIE_LANES; i++) sum |= mask[i];
    return sum != 0;
}

LIE_INLINE int mask_all(lie_mask mask)
{
    return !mask_any(~mask);
}

#endif
#endif
#endif

/* 0 for what is finite, NaN for infinities and NaN */
LIE_INLINE lie_real zero_if_finite(lie_real x)
{
    return 0.0 * x;
}

#endif
