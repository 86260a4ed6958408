/* SPDX-License-Identifier: MIT */
/* embedded_weights.h: the numbers by which slopes are weighted at the end of a step and for the first guess of the next
 * one. Internal. */
#ifndef LIESTEP_LIB_EMBEDDED_WEIGHTS_H
#define LIESTEP_LIB_EMBEDDED_WEIGHTS_H

#include <liestep/tableau.h>

/* h b_i of a Gauss or Lobatto tableau, and what the doubles have lost of it */
void lie__embedded_scale_weights(double *hb, double *hb_low, const lie_tableau *tab, double h);

/* weights[i count + j] of slope j in the change up to stage i, for a step `ratio` times as long as that of the slopes,
 * which starts at `from` of it: sum_k a_ik l_j(from + ratio c_k). Of n slopes, known at the nodes, the `count` from
 * `first` on. */
void lie__embedded_guess_weights(double *weights, const lie_tableau *tab, int n, const double *nodes, int first,
                                 int count, double ratio, double from);

#endif
