/* SPDX-License-Identifier: MIT */
/* section_search.h: where a function of one number is 0, or least: the next place to try, from the values known.
 * Internal.
 *
 * Roots: polynomials through the values, and where they lead out of the bracket or take long the method of Anderson &
 * Bjoerck (BIT 13, 1973), a safeguarded regula falsi of order 1.7. Extrema: golden section and parabolas as in Brent,
 * Algorithms for Minimization without Derivatives, 1973, chapter 5. */
#ifndef LIESTEP_LIB_SECTION_SEARCH_H
#define LIESTEP_LIB_SECTION_SEARCH_H

#include <math.h>
#include <string.h>

static inline int sign_of(double x)
{
    return (x > 0.0) - (x < 0.0);
}

/* f at two lengths of step; around a root its signs differ there. */
typedef struct bracket {
    double a, fa, b, fb;
} bracket;

/* Where the chord crosses 0, the middle every eighth time or where the chord is no help. */
static inline double on_chord(const bracket *B, int k)
{
    double middle = 0.5 * (B->a + B->b), x = B->b - B->fb * ((B->b - B->a) / (B->fb - B->fa));
    int is_inside = (x > B->a && x < B->b) || (x > B->b && x < B->a);
    return is_inside && k % 8 != 7 ? x : middle;
}

/* Anderson & Bjoerck: the end that stays is pulled towards the root. */
static inline void narrow(bracket *B, double x, double f)
{
    if (sign_of(f) == sign_of(B->fb)) {
        double m = 1.0 - f / B->fb;
        B->fa *= m > 0.0 ? m : 0.5;
    } else {
        B->a = B->b, B->fa = B->fb;
    }
    B->b = x, B->fb = f;
}

/* A polynomial in Newton's form through the points known: d[j] is the divided difference of the latest 1 + j of
 * them. */
enum { POINTS = 8 };
typedef struct curve {
    double x[POINTS], d[POINTS]; /* x: the latest first */
    int count;
} curve;

static inline void add_to_curve(curve *C, double x, double f)
{
    double next = f;
    if (C->count == POINTS) return;
    for (int j = 0; j < C->count; j++) {
        double last = C->d[j];
        C->d[j] = next;
        next = (next - last) / (x - C->x[j]);
    }
    C->d[C->count] = next;
    memmove(C->x + 1, C->x, (size_t)C->count * sizeof *C->x);
    C->x[0] = x, C->count++;
}

/* A root of the polynomial: Newton's method, from x on. It may be anywhere, or not be a number. */
static inline double on_curve(const curve *C, double x, int passes)
{
    for (int k = 0; k < passes; k++) {
        double value = C->d[C->count - 1], slope = 0.0;
        for (int i = C->count - 2; i >= 0; i--) {
            slope = slope * (x - C->x[i]) + value;
            value = value * (x - C->x[i]) + C->d[i];
        }
        x -= value / slope;
    }
    return x;
}

/* The next step to try: by the polynomial, where that stays inside; by the chord, and always so if it takes long. */
static inline double next_guess(const bracket *B, const curve *C, int k)
{
    double chord = on_chord(B, k), x = k < 5 ? on_curve(C, k == 0 ? chord : B->b, k < 2 ? 2 : 1) : chord;
    int is_inside = (x > B->a && x < B->b) || (x > B->b && x < B->a);
    return is_inside ? x : chord;
}

/* A search for the least value: the interval, and the three best points so far, x[0] the best. */
typedef struct search {
    double a, b, x[3], f[3];
} search;

/* The lowest point of the parabola through the three, or of the golden section where that is no help. */
static inline double next_point(const search *S, double least, int k)
{
    static const double golden = 0.381966011250105152;
    double x = S->x[0], r = (x - S->x[1]) * (S->f[0] - S->f[2]), q = (x - S->x[2]) * (S->f[0] - S->f[1]);
    double next = q != r ? x - ((x - S->x[2]) * q - (x - S->x[1]) * r) / (2.0 * (q - r)) : S->a;
    if (next > S->a && next < S->b && k % 3 != 2 && fabs(next - x) >= least) return next;
    return x > 0.5 * (S->a + S->b) ? x - golden * (x - S->a) : x + golden * (S->b - x);
}

/* A new point u; answers 1 if it is the best. */
static inline int take_point(search *S, double u, double f)
{
    int is_best = f <= S->f[0];
    double end = is_best ? S->x[0] : u; /* of the interval, on that side */
    *((is_best ? u < S->x[0] : u > S->x[0]) ? &S->b : &S->a) = end;
    S->x[2] = S->x[1], S->f[2] = S->f[1];
    if (is_best) S->x[1] = S->x[0], S->f[1] = S->f[0];
    S->x[is_best ? 0 : 1] = u, S->f[is_best ? 0 : 1] = f;
    return is_best;
}

#endif
