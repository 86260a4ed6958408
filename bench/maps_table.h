/* SPDX-License-Identifier: MIT */
/* maps_table.h: what has another signature than the table of maps_table.c, with the signature of the table. */
#ifndef LIESTEP_BENCH_MAPS_TABLE_H
#define LIESTEP_BENCH_MAPS_TABLE_H

#include "maps.h"

map_v2 rn6_mul, rn6_dexp, tb_rn6_mul, tb_rn6_dexp;
map_v1 rn6_inv, rn6_exp, rn6_log, rn6_dexp_matrix, tb_rn6_inv, tb_rn6_exp, tb_rn6_dexp_matrix;

map_v1 quat_norm, tb_quat_norm;

/* Through the run-time descriptor of lie_product_ops; the first call sets it up. */
map_v2 product_mul, tb_product_mul, tb_product_dtau, tb_product_dtauinvt;
map_v1 product_inv, tb_product_inv, tb_product_tau;
map_s1 product_tau;
map_s2 product_dtau, product_dtauinvt;

#endif
