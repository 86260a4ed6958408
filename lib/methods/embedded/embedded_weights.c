/* SPDX-License-Identifier: MIT */
/* embedded_weights.c: weights of slopes; see embedded_weights.h. Rounded weights h b_i let the energy drift, so that
 * those of the end of a step are known beyond a double; those of a guess need not be.
 *
 * Reference: Hairer, Lubich & Wanner 2006, sections VIII.5, VIII.6.1. */
#include "lib/methods/embedded/embedded_weights.h"

#include "groups/num/twofold.h"
#include "groups/num/vec3.h"
#include "lib/methods/embedded/embedded.h"

enum { STAGES = EMBEDDED_STAGES_MAX };

/* b_i less its double, for 3, 4, 6 and 8 stages */
static const double *lost_of_weights(int stages)
{
    static const double none[STAGES] = {0.0};
    static const double of_3[STAGES] = {-1.2335811384723961e-17, 2.4671622769447922e-17, -1.2335811384723961e-17};
    static const double of_4[STAGES] = {3.8301681943747208e-18, 2.3925407421254193e-17, 2.3925407421254193e-17,
                                        3.8301681943747208e-18};
    static const double of_6[STAGES] = {-5.8151869872774869e-18, 6.5101754553007827e-19, 5.1641694417474086e-18,
                                        5.1641694417474086e-18,  6.5101754553007827e-19, -5.8151869872774869e-18};
    static const double of_8[STAGES] = {2.4318711332317631e-19,  -5.7536507146136413e-18, 9.1343002188955545e-18,
                                        -3.62383661760509e-18,   -3.62383661760509e-18,   9.1343002188955545e-18,
                                        -5.7536507146136413e-18, 2.4318711332317631e-19};
    return stages == 3 ? of_3 : stages == 4 ? of_4 : stages == 6 ? of_6 : stages == 8 ? of_8 : none;
}

/* a b - (the double a b), exactly (Dekker) */
static double product_lost(double a, double b)
{
    double p = a * b, ah = upper_half(a), al = a - ah, bh = upper_half(b), bl = b - bh;
    return ((ah * bh - p) + ah * bl + al * bh) + al * bl;
}

/* Of Lobatto's with 3 and 4 stages they are twelfths. */
static double lost_of_twelfths(double b)
{
    return product_lost(12.0, b) / -12.0;
}

void lie__embedded_scale_weights(double *hb, double *hb_low, const lie_tableau *tab, double h)
{
    const double *b_low = lost_of_weights(tab->stages);
    const int is_lobatto = tab->c[0] == 0.0;
    for (int j = 0; j < tab->stages; j++) {
        hb[j] = h * tab->b[j];
        hb_low[j] = product_lost(h, tab->b[j]) + h * (is_lobatto ? lost_of_twelfths(tab->b[j]) : b_low[j]);
    }
}

/* The Lagrange polynomial of node j at x. */
static double lagrange(int n, const double *nodes, int j, double x)
{
    double product = 1.0;
    for (int k = 0; k < n; k++)
        if (k != j) product *= (x - nodes[k]) / (nodes[j] - nodes[k]);
    return product;
}

void lie__embedded_guess_weights(double *weights, const lie_tableau *tab, int n, const double *nodes, int first,
                                 int count, double ratio, double from)
{
    int s = tab->stages;
    double l[STAGES];
    for (int j = 0; j < count; j++) {
        for (int k = 0; k < s; k++) l[k] = lagrange(n, nodes, first + j, from + ratio * tab->c[k]);
        for (int i = 0; i < s; i++) {
            double sum = 0.0;
            for (int k = 0; k < s; k++) sum += tab->A[i * s + k] * l[k];
            weights[i * count + j] = sum;
        }
    }
}
