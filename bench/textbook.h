/* SPDX-License-Identifier: MIT */
/* textbook.h: every map of the library once more, the way it is usually written.
 *
 * Closed forms in sin, cos, acos, atan2, exp and log of libm, hat matrices multiplied out, and a two-term series below
 * a small-angle threshold. No effort is spared that a careful programmer with a textbook would take, and none is added.
 * The names and arguments follow liestep's headers (tb_so3_exp beside lie_so3_exp). Outputs must not alias inputs, and
 * there is no status: a textbook does not look at its input. */
#ifndef LIESTEP_BENCH_TEXTBOOK_H
#define LIESTEP_BENCH_TEXTBOOK_H

/* Below this angle the series take over. */
#define TB_SMALL 1e-4

/* SO(3); the tangents of exp and cay are those of S3 as well. */
void tb_so3_mul(double out[9], const double A[9], const double B[9]);
void tb_so3_inv(double out[9], const double R[9]);
void tb_so3_act(double out[3], const double R[9], const double p[3]);
void tb_so3_Adt(double out[3], const double R[9], const double m[3]);
void tb_so3_hat(double M[9], const double w[3]);
void tb_so3_vee(double w[3], const double M[9]);
void tb_so3_ad(double out[3], const double w[3], const double v[3]);
void tb_so3_adt(double out[3], const double w[3], const double m[3]);
void tb_so3_project(double out[9], const double M[9]);
void tb_so3_exp(double R[9], const double w[3]);
void tb_so3_log(double w[3], const double R[9]);
void tb_so3_dexp(double out[3], const double w[3], const double v[3]);
void tb_so3_dexpt(double out[3], const double w[3], const double m[3]);
void tb_so3_dexpinv(double out[3], const double w[3], const double v[3]);
void tb_so3_dexpinvt(double out[3], const double w[3], const double m[3]);
void tb_so3_dexp_matrix(double M[9], const double w[3]);
void tb_so3_dexpinv_matrix(double M[9], const double w[3]);
void tb_so3_dexp_body_deriv(double M[9], const double w[3], const double psi[3]);
void tb_so3_cay(double R[9], const double w[3]);
void tb_so3_caylog(double w[3], const double R[9]);
void tb_so3_dcay(double out[3], const double w[3], const double v[3]);
void tb_so3_dcayt(double out[3], const double w[3], const double m[3]);
void tb_so3_dcayinv(double out[3], const double w[3], const double v[3]);
void tb_so3_dcayinvt(double out[3], const double w[3], const double m[3]);
void tb_so3_dcay_matrix(double M[9], const double w[3]);
void tb_so3_dcayinv_matrix(double M[9], const double w[3]);
void tb_so3_dcay_body_deriv(double M[9], const double w[3], const double psi[3]);
void tb_so3_skew(double R[9], const double w[3]);
void tb_so3_skewlog(double w[3], const double R[9]);
void tb_so3_dskew(double out[3], const double w[3], const double v[3]);
void tb_so3_dskewt(double out[3], const double w[3], const double m[3]);
void tb_so3_dskewinv(double out[3], const double w[3], const double v[3]);
void tb_so3_dskewinvt(double out[3], const double w[3], const double m[3]);
void tb_so3_dskew_matrix(double M[9], const double w[3]);
void tb_so3_dskewinv_matrix(double M[9], const double w[3]);
void tb_so3_dskew_body_deriv(double M[9], const double w[3], const double psi[3]);

/* S3 */
void tb_s3_inv(double out[4], const double q[4]);
void tb_s3_act(double out[3], const double q[4], const double p[3]);
void tb_s3_Adt(double out[3], const double q[4], const double m[3]);
void tb_s3_hat(double x[4], const double w[3]);
void tb_s3_vee(double w[3], const double x[4]);
void tb_s3_project(double out[4], const double q[4]);
void tb_s3_exp(double q[4], const double w[3]);
void tb_s3_log(double w[3], const double q[4]);
void tb_s3_cay(double q[4], const double w[3]);
void tb_s3_caylog(double w[3], const double q[4]);
void tb_s3_cayq(double q[4], const double w[3]);
void tb_s3_cayqlog(double w[3], const double q[4]);
void tb_s3_dcayq(double out[3], const double w[3], const double v[3]);
void tb_s3_dcayqt(double out[3], const double w[3], const double m[3]);
void tb_s3_dcayqinv(double out[3], const double w[3], const double v[3]);
void tb_s3_dcayqinvt(double out[3], const double w[3], const double m[3]);
void tb_s3_dcayq_matrix(double M[9], const double w[3]);
void tb_s3_dcayqinv_matrix(double M[9], const double w[3]);
void tb_s3_dcayq_body_deriv(double M[9], const double w[3], const double psi[3]);
void tb_s3_skew(double q[4], const double w[3]);
void tb_s3_skewlog(double w[3], const double q[4]);
void tb_s3_dskew(double out[3], const double w[3], const double v[3]);
void tb_s3_dskewt(double out[3], const double w[3], const double m[3]);
void tb_s3_dskewinv(double out[3], const double w[3], const double v[3]);
void tb_s3_dskewinvt(double out[3], const double w[3], const double m[3]);
void tb_s3_dskew_matrix(double M[9], const double w[3]);
void tb_s3_dskewinv_matrix(double M[9], const double w[3]);
void tb_s3_dskew_body_deriv(double M[9], const double w[3], const double psi[3]);

/* H* */
void tb_quat_mul(double out[4], const double a[4], const double b[4]);
void tb_quat_inv(double out[4], const double q[4]);
void tb_quat_conj(double out[4], const double q[4]);
void tb_quat_project(double out[4], const double q[4]);
void tb_quat_act(double out[3], const double q[4], const double p[3]);
void tb_quat_hat(double out[4], const double x[4]);
void tb_quat_vee(double out[4], const double x[4]);
void tb_quat_Ad(double out[4], const double q[4], const double x[4]);
void tb_quat_Adt(double out[4], const double q[4], const double m[4]);
void tb_quat_ad(double out[4], const double x[4], const double y[4]);
void tb_quat_adt(double out[4], const double x[4], const double m[4]);
void tb_quat_exp(double q[4], const double x[4]);
void tb_quat_log(double x[4], const double q[4]);
void tb_quat_dexp(double out[4], const double x[4], const double v[4]);
void tb_quat_dexpt(double out[4], const double x[4], const double m[4]);
void tb_quat_dexpinv(double out[4], const double x[4], const double v[4]);
void tb_quat_dexpinvt(double out[4], const double x[4], const double m[4]);
void tb_quat_dexp_matrix(double M[16], const double x[4]);
void tb_quat_dexpinv_matrix(double M[16], const double x[4]);
void tb_quat_dexp_body_deriv(double M[16], const double x[4], const double psi[4]);
void tb_quat_cay(double q[4], const double x[4]);
void tb_quat_caylog(double x[4], const double q[4]);
void tb_quat_dcay(double out[4], const double x[4], const double v[4]);
void tb_quat_dcayt(double out[4], const double x[4], const double m[4]);
void tb_quat_dcayinv(double out[4], const double x[4], const double v[4]);
void tb_quat_dcayinvt(double out[4], const double x[4], const double m[4]);
void tb_quat_dcay_matrix(double M[16], const double x[4]);
void tb_quat_dcayinv_matrix(double M[16], const double x[4]);
void tb_quat_dcay_body_deriv(double M[16], const double x[4], const double psi[4]);

/* SE(3) */
void tb_se3_mul(double out[12], const double a[12], const double b[12]);
void tb_se3_inv(double out[12], const double g[12]);
void tb_se3_act(double out[3], const double g[12], const double p[3]);
void tb_se3_hat(double M[16], const double X[6]);
void tb_se3_vee(double X[6], const double M[16]);
void tb_se3_Ad(double out[6], const double g[12], const double X[6]);
void tb_se3_Adt(double out[6], const double g[12], const double m[6]);
void tb_se3_ad(double out[6], const double X[6], const double Y[6]);
void tb_se3_adt(double out[6], const double X[6], const double m[6]);
void tb_se3_project(double out[12], const double g[12]);
void tb_se3_exp(double g[12], const double X[6]);
void tb_se3_log(double X[6], const double g[12]);
void tb_se3_dexp(double out[6], const double X[6], const double Y[6]);
void tb_se3_dexpt(double out[6], const double X[6], const double m[6]);
void tb_se3_dexpinv(double out[6], const double X[6], const double Y[6]);
void tb_se3_dexpinvt(double out[6], const double X[6], const double m[6]);
void tb_se3_dexp_matrix(double M[36], const double X[6]);
void tb_se3_dexpinv_matrix(double M[36], const double X[6]);
void tb_se3_dexp_body_deriv(double M[36], const double X[6], const double psi[6]);
void tb_se3_cay(double g[12], const double X[6]);
void tb_se3_caylog(double X[6], const double g[12]);
void tb_se3_dcay(double out[6], const double X[6], const double Y[6]);
void tb_se3_dcayt(double out[6], const double X[6], const double m[6]);
void tb_se3_dcayinv(double out[6], const double X[6], const double Y[6]);
void tb_se3_dcayinvt(double out[6], const double X[6], const double m[6]);
void tb_se3_dcay_matrix(double M[36], const double X[6]);
void tb_se3_dcayinv_matrix(double M[36], const double X[6]);
void tb_se3_dcay_body_deriv(double M[36], const double X[6], const double psi[6]);

/* SE(2) */
void tb_se2_mul(double out[4], const double a[4], const double b[4]);
void tb_se2_inv(double out[4], const double g[4]);
void tb_se2_act(double out[2], const double g[4], const double p[2]);
void tb_se2_hat(double M[9], const double X[3]);
void tb_se2_vee(double X[3], const double M[9]);
void tb_se2_Ad(double out[3], const double g[4], const double X[3]);
void tb_se2_Adt(double out[3], const double g[4], const double m[3]);
void tb_se2_ad(double out[3], const double X[3], const double Y[3]);
void tb_se2_adt(double out[3], const double X[3], const double m[3]);
void tb_se2_project(double out[4], const double g[4]);
void tb_se2_exp(double g[4], const double X[3]);
void tb_se2_log(double X[3], const double g[4]);
void tb_se2_dexp(double out[3], const double X[3], const double Y[3]);
void tb_se2_dexpt(double out[3], const double X[3], const double m[3]);
void tb_se2_dexpinv(double out[3], const double X[3], const double Y[3]);
void tb_se2_dexpinvt(double out[3], const double X[3], const double m[3]);
void tb_se2_dexp_matrix(double M[9], const double X[3]);
void tb_se2_dexpinv_matrix(double M[9], const double X[3]);
void tb_se2_dexp_body_deriv(double M[9], const double X[3], const double psi[3]);
void tb_se2_cay(double g[4], const double X[3]);
void tb_se2_caylog(double X[3], const double g[4]);
void tb_se2_dcay(double out[3], const double X[3], const double Y[3]);
void tb_se2_dcayt(double out[3], const double X[3], const double m[3]);
void tb_se2_dcayinv(double out[3], const double X[3], const double Y[3]);
void tb_se2_dcayinvt(double out[3], const double X[3], const double m[3]);
void tb_se2_dcay_matrix(double M[9], const double X[3]);
void tb_se2_dcayinv_matrix(double M[9], const double X[3]);
void tb_se2_dcay_body_deriv(double M[9], const double X[3], const double psi[3]);

/* R^n */
void tb_rn_mul(int n, double *out, const double *a, const double *b);
void tb_rn_inv(int n, double *out, const double *a);
void tb_rn_exp(int n, double *g, const double *x);
void tb_rn_dexp(int n, double *out, const double *x, const double *v);
void tb_rn_dexp_matrix(int n, double *M, const double *x);

#endif
