/* SPDX-License-Identifier: MIT */
/* eigen_maps.h: the maps for which Eigen has an equivalent, behind the signatures of liestep; see eigen_maps.cpp.
 *
 * The program is built without them where Eigen is missing: LIE_BENCH_EIGEN is then not defined. */
#ifndef LIESTEP_BENCH_EIGEN_MAPS_H
#define LIESTEP_BENCH_EIGEN_MAPS_H

#ifdef __cplusplus
extern "C" {
#endif

void eig_so3_mul(double *out, const double *A, const double *B);
void eig_so3_inv(double *out, const double *R);
void eig_so3_act(double *out, const double *R, const double *p);
void eig_so3_Adt(double *out, const double *R, const double *m);
void eig_so3_ad(double *out, const double *w, const double *v);
void eig_so3_adt(double *out, const double *w, const double *m);
void eig_so3_project(double *out, const double *M);
void eig_so3_exp(double *R, const double *w);
void eig_so3_log(double *w, const double *R);
void eig_so3_cay(double *R, const double *w);

void eig_s3_mul(double *out, const double *a, const double *b);
void eig_s3_inv(double *out, const double *q);
void eig_s3_act(double *out, const double *q, const double *p);
void eig_s3_Adt(double *out, const double *q, const double *m);
void eig_s3_project(double *out, const double *q);
void eig_s3_exp(double *q, const double *w);
void eig_s3_log(double *w, const double *q);
void eig_quat_inv(double *out, const double *q);

void eig_se3_mul(double *out, const double *a, const double *b);
void eig_se3_inv(double *out, const double *g);
void eig_se3_act(double *out, const double *g, const double *p);
void eig_se3_Ad(double *out, const double *g, const double *X);
void eig_se3_Adt(double *out, const double *g, const double *m);
void eig_se3_exp(double *g, const double *X);
void eig_se3_log(double *X, const double *g);
void eig_se3_cay(double *g, const double *X);
void eig_se3_dexp(double *out, const double *X, const double *Y);

void eig_se2_mul(double *out, const double *a, const double *b);
void eig_se2_inv(double *out, const double *g);
void eig_se2_act(double *out, const double *g, const double *p);

#ifdef __cplusplus
}
#endif

#endif
