/* SPDX-License-Identifier: MIT */
/* eigen_maps.cpp: the maps of liestep the way a user of Eigen writes them; see eigen_maps.h.
 *
 * exp is AngleAxisd(|w|, w/|w|).toRotationMatrix(), log is AngleAxisd(R), on quaternions Quaterniond(AngleAxisd(...))
 * and AngleAxisd(q); everything else is Eigen's fixed-size matrices and quaternions. SE(3) takes the rotation from
 * AngleAxisd and the translation from the textbook matrix V = 1 + b W + c W^2. The arrays are mapped, not copied. */
#include "eigen_maps.h"

#include <cmath>
#include <Eigen/Dense>

namespace
{

using Mat3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
using Vec3 = Eigen::Vector3d;
using Quat = Eigen::Quaterniond;
using InMat3 = Eigen::Map<const Mat3>;
using OutMat3 = Eigen::Map<Mat3>;
using InVec3 = Eigen::Map<const Vec3>;
using OutVec3 = Eigen::Map<Vec3>;

InMat3 in_mat(const double *A)
{
    return InMat3(A);
}

OutMat3 out_mat(double *A)
{
    return OutMat3(A);
}

InVec3 in_vec(const double *v)
{
    return InVec3(v);
}

OutVec3 out_vec(double *v)
{
    return OutVec3(v);
}

/* liestep has the scalar first, Eigen's storage has it last. */
Quat quat(const double *q)
{
    return Quat(q[0], q[1], q[2], q[3]);
}

void store(double *out, const Quat &q)
{
    out[0] = q.w();
    out[1] = q.x();
    out[2] = q.y();
    out[3] = q.z();
}

Eigen::AngleAxisd angle_axis(const double *w)
{
    InVec3 v = in_vec(w);
    return Eigen::AngleAxisd(v.norm(), v.normalized());
}

Mat3 hat(const Vec3 &w)
{
    Mat3 K;
    K << 0.0, -w.z(), w.y(), w.z(), 0.0, -w.x(), -w.y(), w.x(), 0.0;
    return K;
}

/* V = dexp_w and its inverse, closed forms with a series below 1e-4 */
Mat3 left_jacobian(const Vec3 &w)
{
    double t = w.norm();
    double b = t < 1e-4 ? 0.5 - t * t / 24.0 : (1.0 - std::cos(t)) / (t * t);
    double c = t < 1e-4 ? 1.0 / 6.0 - t * t / 120.0 : (t - std::sin(t)) / (t * t * t);
    Mat3 W = hat(w);
    return Mat3::Identity() + b * W + c * W * W;
}

Mat3 left_jacobian_inverse(const Vec3 &w)
{
    double t = w.norm();
    double e = t < 1e-4 ? 1.0 / 12.0 + t * t / 720.0 : (1.0 - 0.5 * t / std::tan(0.5 * t)) / (t * t);
    Mat3 W = hat(w);
    return Mat3::Identity() - 0.5 * W + e * W * W;
}

/* Q of Barfoot & Furgale 2014, (102) */
Mat3 barfoot_q(const Vec3 &w, const Vec3 &v)
{
    double t = w.norm(), t2 = t * t, a, b, c;
    if (t < 1e-4) {
        a = 1.0 / 6.0 - t2 / 120.0;
        b = 1.0 / 24.0 - t2 / 720.0;
        c = 1.0 / 120.0 - t2 / 2520.0;
    } else {
        double s = std::sin(t), k = std::cos(t);
        a = (t - s) / (t2 * t);
        b = (t2 + 2.0 * k - 2.0) / (2.0 * t2 * t2);
        c = (2.0 * t - 3.0 * s + t * k) / (2.0 * t2 * t2 * t);
    }
    Mat3 W = hat(w), U = hat(v), WU = W * U, UW = U * W, WUW = WU * W;
    return 0.5 * U + a * (WU + UW + WUW) + b * (W * WU + UW * W - 3.0 * WUW) + c * (WUW * W + W * WUW);
}

} // namespace

extern "C" {

void eig_so3_mul(double *out, const double *A, const double *B)
{
    out_mat(out).noalias() = in_mat(A) * in_mat(B);
}

void eig_so3_inv(double *out, const double *R)
{
    out_mat(out).noalias() = in_mat(R).transpose();
}

void eig_so3_act(double *out, const double *R, const double *p)
{
    out_vec(out).noalias() = in_mat(R) * in_vec(p);
}

void eig_so3_Adt(double *out, const double *R, const double *m)
{
    out_vec(out).noalias() = in_mat(R).transpose() * in_vec(m);
}

void eig_so3_ad(double *out, const double *w, const double *v)
{
    out_vec(out) = in_vec(w).cross(in_vec(v));
}

void eig_so3_adt(double *out, const double *w, const double *m)
{
    out_vec(out) = in_vec(m).cross(in_vec(w));
}

void eig_so3_project(double *out, const double *M)
{
    Eigen::JacobiSVD<Eigen::Matrix3d> svd(in_mat(M), Eigen::ComputeFullU | Eigen::ComputeFullV);
    out_mat(out).noalias() = svd.matrixU() * svd.matrixV().transpose();
}

void eig_so3_exp(double *R, const double *w)
{
    out_mat(R) = angle_axis(w).toRotationMatrix();
}

void eig_so3_log(double *w, const double *R)
{
    Eigen::AngleAxisd a(in_mat(R));
    out_vec(w) = a.angle() * a.axis();
}

void eig_so3_cay(double *R, const double *w)
{
    Mat3 K = 0.5 * hat(in_vec(w));
    out_mat(R).noalias() = (Mat3::Identity() - K).inverse() * (Mat3::Identity() + K);
}

void eig_s3_mul(double *out, const double *a, const double *b)
{
    store(out, quat(a) * quat(b));
}

void eig_s3_inv(double *out, const double *q)
{
    store(out, quat(q).conjugate());
}

void eig_s3_act(double *out, const double *q, const double *p)
{
    out_vec(out) = quat(q) * in_vec(p);
}

void eig_s3_Adt(double *out, const double *q, const double *m)
{
    out_vec(out) = quat(q).conjugate() * in_vec(m);
}

void eig_s3_project(double *out, const double *q)
{
    store(out, quat(q).normalized());
}

void eig_s3_exp(double *q, const double *w)
{
    store(q, Quat(angle_axis(w)));
}

void eig_s3_log(double *w, const double *q)
{
    Eigen::AngleAxisd a(quat(q));
    out_vec(w) = a.angle() * a.axis();
}

void eig_quat_inv(double *out, const double *q)
{
    store(out, quat(q).inverse());
}

void eig_se3_mul(double *out, const double *a, const double *b)
{
    out_mat(out).noalias() = in_mat(a) * in_mat(b);
    out_vec(out + 9) = in_mat(a) * in_vec(b + 9) + in_vec(a + 9);
}

void eig_se3_inv(double *out, const double *g)
{
    out_mat(out).noalias() = in_mat(g).transpose();
    out_vec(out + 9) = -(in_mat(g).transpose() * in_vec(g + 9));
}

void eig_se3_act(double *out, const double *g, const double *p)
{
    out_vec(out) = in_mat(g) * in_vec(p) + in_vec(g + 9);
}

void eig_se3_Ad(double *out, const double *g, const double *X)
{
    Vec3 Rw = in_mat(g) * in_vec(X);
    out_vec(out + 3) = in_vec(g + 9).cross(Rw) + in_mat(g) * in_vec(X + 3);
    out_vec(out) = Rw;
}

void eig_se3_Adt(double *out, const double *g, const double *m)
{
    Vec3 u = in_vec(m) - in_vec(g + 9).cross(in_vec(m + 3));
    out_vec(out).noalias() = in_mat(g).transpose() * u;
    out_vec(out + 3).noalias() = in_mat(g).transpose() * in_vec(m + 3);
}

void eig_se3_exp(double *g, const double *X)
{
    out_mat(g) = angle_axis(X).toRotationMatrix();
    out_vec(g + 9).noalias() = left_jacobian(in_vec(X)) * in_vec(X + 3);
}

void eig_se3_log(double *X, const double *g)
{
    Eigen::AngleAxisd a(in_mat(g));
    Vec3 w = a.angle() * a.axis();
    out_vec(X) = w;
    out_vec(X + 3).noalias() = left_jacobian_inverse(w) * in_vec(g + 9);
}

void eig_se3_cay(double *g, const double *X)
{
    Mat3 K = 0.5 * hat(in_vec(X)), inverse = (Mat3::Identity() - K).inverse();
    out_mat(g).noalias() = inverse * (Mat3::Identity() + K);
    out_vec(g + 9).noalias() = inverse * in_vec(X + 3);
}

void eig_se3_dexp(double *out, const double *X, const double *Y)
{
    Vec3 w = in_vec(X), v = in_vec(X + 3);
    Mat3 D = left_jacobian(w);
    out_vec(out).noalias() = D * in_vec(Y);
    out_vec(out + 3) = barfoot_q(w, v) * in_vec(Y) + D * in_vec(Y + 3);
}

void eig_se2_mul(double *out, const double *a, const double *b)
{
    Eigen::Matrix2d A, B, C;
    A << a[0], -a[1], a[1], a[0];
    B << b[0], -b[1], b[1], b[0];
    C.noalias() = A * B;
    Eigen::Vector2d x = A * Eigen::Map<const Eigen::Vector2d>(b + 2) + Eigen::Map<const Eigen::Vector2d>(a + 2);
    out[0] = C(0, 0);
    out[1] = C(1, 0);
    Eigen::Map<Eigen::Vector2d> translation(out + 2);
    translation = x;
}

void eig_se2_inv(double *out, const double *g)
{
    Eigen::Matrix2d A;
    A << g[0], g[1], -g[1], g[0];
    out[0] = g[0];
    out[1] = -g[1];
    Eigen::Map<Eigen::Vector2d> translation(out + 2);
    translation = -(A * Eigen::Map<const Eigen::Vector2d>(g + 2));
}

void eig_se2_act(double *out, const double *g, const double *p)
{
    Eigen::Matrix2d A;
    A << g[0], -g[1], g[1], g[0];
    Eigen::Map<Eigen::Vector2d> image(out);
    image = A * Eigen::Map<const Eigen::Vector2d>(p) + Eigen::Map<const Eigen::Vector2d>(g + 2);
}

} // extern "C"
