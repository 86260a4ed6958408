/* SPDX-License-Identifier: MIT */
/* forms.c: the table of forms behind `liestep convert`; see forms.h. The arithmetic is that of convert.h. */
#include "cli/commands/forms.h"

#include <math.h>
#include <string.h>

static const double degree = 0.017453292519943295; /* pi / 180 */

/* Functions of the library that differ from the type of the table only in what they return or how they take it. */

static lie_status from_matrix(double *q, const double *R)
{
    return lie_matrix_to_quat(q, R);
}

static lie_status to_matrix(double *R, const double *q)
{
    lie_quat_to_matrix(R, q);
    return LIE_OK;
}

static lie_status from_matrix_to_body(double *q, const double *Rt)
{
    double R[9];
    lie_so3_inv(R, Rt);
    return lie_matrix_to_quat(q, R);
}

static lie_status to_matrix_to_body(double *Rt, const double *q)
{
    lie_quat_to_matrix(Rt, q);
    lie_so3_inv(Rt, Rt);
    return LIE_OK;
}

static lie_status check_finite(const double *q)
{
    return isfinite(q[0] + q[1] + q[2] + q[3]) ? LIE_OK : LIE_ERR_NOT_FINITE;
}

static lie_status from_rotvec(double *q, const double *w)
{
    lie_rotvec_to_quat(q, w);
    return check_finite(q);
}

static lie_status from_axis_angle(double *q, const double *in)
{
    return lie_axis_angle_to_quat(q, in, in[3]);
}

static lie_status to_axis_angle(double *out, const double *q)
{
    return lie_quat_to_axis_angle(out, out + 3, q);
}

static lie_status from_mrp(double *q, const double *s)
{
    return lie_quat_from_basilisk_mrp(q, s);
}

static lie_status to_mrp_shadow(double *s, const double *q)
{
    lie_status status = lie_quat_to_mrp(s, q);
    return status == LIE_OK ? lie_mrp_shadow(s, s) : status;
}

static lie_status from_zyx(double *q, const double *e)
{
    lie_euler_zyx_to_quat(q, e);
    return check_finite(q);
}

static lie_status from_zxz(double *q, const double *e)
{
    lie_euler_zxz_to_quat(q, e);
    return check_finite(q);
}

/* roll, pitch, yaw: the same three turns, named from the other end */
static lie_status from_xyz(double *q, const double *e)
{
    return from_zyx(q, (const double[3]){e[2], e[1], e[0]});
}

static lie_status to_xyz(double *e, const double *q)
{
    double zyx[3];
    lie_status status = lie_quat_to_euler_zyx(zyx, q);
    if (status == LIE_OK) e[0] = zyx[2], e[1] = zyx[1], e[2] = zyx[0];
    return status;
}

static lie_status to_42(double *out, const double *q)
{
    lie_quat_to_42(out, q);
    return LIE_OK;
}

static lie_status to_basilisk_ep(double *out, const double *q)
{
    lie_quat_to_basilisk_ep(out, q);
    return LIE_OK;
}

static lie_status to_trick(double *out, const double *q)
{
    lie_quat_to_trick(out, q);
    return LIE_OK;
}

static lie_status to_px4(double *out, const double *q)
{
    lie_quat_to_px4(out, q);
    return LIE_OK;
}

static lie_status from_first_a2b(double *q, const double *aem)
{
    return lie_quat_from_ccsds(q, aem, LIE_CCSDS_FIRST, LIE_CCSDS_A2B);
}

static lie_status to_first_a2b(double *aem, const double *q)
{
    return lie_quat_to_ccsds(aem, q, LIE_CCSDS_FIRST, LIE_CCSDS_A2B);
}

static lie_status from_first_b2a(double *q, const double *aem)
{
    return lie_quat_from_ccsds(q, aem, LIE_CCSDS_FIRST, LIE_CCSDS_B2A);
}

static lie_status to_first_b2a(double *aem, const double *q)
{
    return lie_quat_to_ccsds(aem, q, LIE_CCSDS_FIRST, LIE_CCSDS_B2A);
}

static lie_status from_last_a2b(double *q, const double *aem)
{
    return lie_quat_from_ccsds(q, aem, LIE_CCSDS_LAST, LIE_CCSDS_A2B);
}

static lie_status to_last_a2b(double *aem, const double *q)
{
    return lie_quat_to_ccsds(aem, q, LIE_CCSDS_LAST, LIE_CCSDS_A2B);
}

static lie_status from_last_b2a(double *q, const double *aem)
{
    return lie_quat_from_ccsds(q, aem, LIE_CCSDS_LAST, LIE_CCSDS_B2A);
}

static lie_status to_last_b2a(double *aem, const double *q)
{
    return lie_quat_to_ccsds(aem, q, LIE_CCSDS_LAST, LIE_CCSDS_B2A);
}

/* Poses: through matrix and quaternion, so that what is no rotation is refused. */

static lie_status pose_of(double *g, const double *q, const double *x)
{
    lie_quat_to_matrix(g, q);
    memcpy(g + 9, x, 3 * sizeof *g);
    return isfinite(x[0] + x[1] + x[2]) ? LIE_OK : LIE_ERR_NOT_FINITE;
}

static lie_status from_se3(double *g, const double *in)
{
    double q[4];
    lie_status status = lie_matrix_to_quat(q, in);
    return status == LIE_OK ? pose_of(g, q, in + 9) : status;
}

static lie_status to_se3(double *out, const double *g)
{
    memcpy(out, g, 12 * sizeof *out);
    return LIE_OK;
}

static lie_status from_pose(double *g, const double *in)
{
    double q[4];
    lie_status status = lie_quat_from_px4(q, in);
    return status == LIE_OK ? pose_of(g, q, in + 4) : status;
}

static lie_status to_pose(double *out, const double *g)
{
    memcpy(out + 4, g + 9, 3 * sizeof *out);
    return lie_matrix_to_quat(out, g);
}

static lie_status from_eta(double *g, const double *eta)
{
    lie_se3_from_fossen(g, eta);
    return isfinite(g[0] + g[9] + g[10] + g[11]) ? LIE_OK : LIE_ERR_NOT_FINITE;
}

static lie_status all_finite(int n, const double *x)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i])) return LIE_ERR_NOT_FINITE;
    return LIE_OK;
}

static lie_status same_twist(double *out, const double *in)
{
    memcpy(out, in, 6 * sizeof *out);
    return all_finite(6, out);
}

static lie_status from_nu(double *X, const double *nu)
{
    lie_twist_from_fossen(X, nu);
    return all_finite(6, X);
}

static lie_status to_nu(double *nu, const double *X)
{
    lie_twist_to_fossen(nu, X);
    return LIE_OK;
}

static lie_status same_inertia(double *out, const double *in)
{
    memcpy(out, in, 36 * sizeof *out);
    return all_finite(36, out);
}

static lie_status from_fossen_inertia(double *own, const double *in)
{
    lie_inertia_from_fossen(own, in);
    return all_finite(36, own);
}

static lie_status to_fossen_inertia(double *out, const double *own)
{
    lie_inertia_to_fossen(out, own);
    return LIE_OK;
}

#define Q .kind = FORM_ATTITUDE, .count = 4, .check = FORM_QUATERNION, .is_quaternion = 1
#define FIRST "scalar x y z"
#define LAST "x y z scalar"
static const form forms[] = {
    {"quat", Q, .numbers = FIRST, .from = lie_quat_from_px4, .to = to_px4,
     .what = "quaternion of this library: Hamilton, scalar first, body to inertial"},
    {"quat_xyzs", Q, .numbers = LAST, .from = lie_quat_from_42, .to = to_42, .what = "the same, scalar last"},
    {"quat_to_body", Q, .numbers = FIRST, .from = lie_quat_from_trick, .to = to_trick,
     .what = "the conjugate: inertial to body, scalar first"},
    {"matrix", FORM_ATTITUDE, 9, "R11 R12 R13 R21 ... R33", FORM_MATRIX, .from = from_matrix, .to = to_matrix,
     .what = "rotation matrix, row by row, body to inertial"},
    {"matrix_to_body", FORM_ATTITUDE, 9, "R11 R12 R13 R21 ... R33", FORM_MATRIX, .from = from_matrix_to_body,
     .to = to_matrix_to_body, .what = "its transpose: 42's CN, Basilisk's [BN]"},
    {"rotvec", FORM_ATTITUDE, 3, "x y z", .from = from_rotvec, .to = lie_quat_to_rotvec,
     .what = "rotation vector, angle times axis, rad"},
    {"rotvec_deg", FORM_ATTITUDE, 3, "x y z", .angles = 3, .from = from_rotvec, .to = lie_quat_to_rotvec,
     .what = "the same in degrees"},
    {"axis_angle", FORM_ATTITUDE, 4, "x y z angle", FORM_AXIS, .from = from_axis_angle, .to = to_axis_angle,
     .what = "unit axis, angle in rad"},
    {"axis_angle_deg", FORM_ATTITUDE, 4, "x y z angle", FORM_AXIS, .angle_at = 3, .angles = 1, .from = from_axis_angle,
     .to = to_axis_angle, .what = "unit axis, angle in degrees"},
    {"mrp", FORM_ATTITUDE, 3, "s1 s2 s3", .is_mrp = 1, .from = from_mrp, .to = lie_quat_to_mrp,
     .what = "modified Rodrigues parameters, tan(angle/4) times axis; the set with |s| <= 1"},
    {"mrp_shadow", FORM_ATTITUDE, 3, "s1 s2 s3", .from = from_mrp, .to = to_mrp_shadow,
     .what = "their shadow set, |s| >= 1"},
    {"euler_zyx", FORM_ATTITUDE, 3, "yaw pitch roll", .from = from_zyx, .to = lie_quat_to_euler_zyx,
     .what = "Rz(yaw) Ry(pitch) Rx(roll), the aerospace 3-2-1, rad"},
    {"euler_zyx_deg", FORM_ATTITUDE, 3, "yaw pitch roll", .angles = 3, .from = from_zyx, .to = lie_quat_to_euler_zyx,
     .what = "the same in degrees"},
    {"euler_zxz", FORM_ATTITUDE, 3, "alpha beta gamma", .from = from_zxz, .to = lie_quat_to_euler_zxz,
     .what = "Rz(alpha) Rx(beta) Rz(gamma), the classical 3-1-3, rad"},
    {"euler_zxz_deg", FORM_ATTITUDE, 3, "alpha beta gamma", .angles = 3, .from = from_zxz, .to = lie_quat_to_euler_zxz,
     .what = "the same in degrees"},
    {"42", Q, .numbers = LAST, .from = lie_quat_from_42, .to = to_42, .what = "42 (NASA): qn, scalar last"},
    {"basilisk_ep", Q, .numbers = FIRST, .from = lie_quat_from_basilisk_ep, .to = to_basilisk_ep,
     .what = "Basilisk: Euler parameters beta_BN"},
    {"basilisk_mrp", FORM_ATTITUDE, 3, "s1 s2 s3", .is_mrp = 1, .from = lie_quat_from_basilisk_mrp,
     .to = lie_quat_to_basilisk_mrp, .what = "Basilisk: sigma_BN"},
    {"trick", Q, .numbers = FIRST, .from = lie_quat_from_trick, .to = to_trick,
     .what = "Trick er7_utils, JEOD: left quaternion, parent to body"},
    {"px4", Q, .numbers = FIRST, .from = lie_quat_from_px4, .to = to_px4,
     .what = "PX4: vehicle_attitude.q, body (FRD) to world (NED)"},
    {"fossen", FORM_ATTITUDE, 3, "phi theta psi", .from = from_xyz, .to = to_xyz,
     .what = "Fossen: roll, pitch, yaw, rad"},
    {"fossen_deg", FORM_ATTITUDE, 3, "phi theta psi", .angles = 3, .from = from_xyz, .to = to_xyz,
     .what = "the same in degrees"},
    {"ccsds_first_a2b", Q, .numbers = "QC Q1 Q2 Q3", .from = from_first_a2b, .to = to_first_a2b,
     .what = "CCSDS AEM 1.0: QUATERNION_TYPE = FIRST, ATTITUDE_DIR = A2B, A inertial, B body"},
    {"ccsds_first_b2a", Q, .numbers = "QC Q1 Q2 Q3", .from = from_first_b2a, .to = to_first_b2a,
     .what = "the same with B2A"},
    {"ccsds_last_a2b", Q, .numbers = "Q1 Q2 Q3 QC", .from = from_last_a2b, .to = to_last_a2b,
     .what = "LAST and A2B; also AEM 2.0"},
    {"ccsds_last_b2a", Q, .numbers = "Q1 Q2 Q3 QC", .from = from_last_b2a, .to = to_last_b2a, .what = "LAST and B2A"},
    {"pose", FORM_POSE, 7, FIRST " px py pz", FORM_QUATERNION, .from = from_pose, .to = to_pose,
     .what = "quaternion as quat, then position in the inertial frame"},
    {"se3", FORM_POSE, 12, "R11 ... R33 px py pz", FORM_MATRIX, .from = from_se3, .to = to_se3,
     .what = "element of SE(3) of this library: matrix, then position"},
    {"fossen_eta", FORM_POSE, 6, "x y z phi theta psi", .from = from_eta, .to = lie_se3_to_fossen,
     .what = "Fossen: position, then roll, pitch, yaw in rad"},
    {"fossen_eta_deg", FORM_POSE, 6, "x y z phi theta psi", .angle_at = 3, .angles = 3, .from = from_eta,
     .to = lie_se3_to_fossen, .what = "the same with the angles in degrees"},
    {"twist", FORM_TWIST, 6, "wx wy wz vx vy vz", .from = same_twist, .to = same_twist,
     .what = "body velocity of this library, angular first; momenta and forces alike"},
    {"fossen_nu", FORM_TWIST, 6, "u v w p q r", .from = from_nu, .to = to_nu, .what = "Fossen: linear first"},
    {"inertia", FORM_INERTIA, 36, "M11 ... M66", .from = same_inertia, .to = same_inertia,
     .what = "6x6 inertia, added mass or damping, row by row, angular first"},
    {"fossen_inertia", FORM_INERTIA, 36, "M11 ... M66", .from = from_fossen_inertia, .to = to_fossen_inertia,
     .what = "Fossen: linear first"},
};

const form *form_at(int i)
{
    return i < (int)(sizeof forms / sizeof forms[0]) ? &forms[i] : NULL;
}

const char *form_name(int i)
{
    const form *f = form_at(i);
    return f ? f->name : NULL;
}

const form *form_find(const char *name)
{
    for (int i = 0; form_at(i); i++)
        if (strcmp(form_at(i)->name, name) == 0) return form_at(i);
    return NULL;
}

const char *form_kind_name(form_kind kind)
{
    static const char *const name[FORM_KINDS] = {"attitude", "pose", "twist", "inertia"};
    return name[kind];
}

lie_status form_read(const form *f, double *own, const double *in)
{
    double scaled[FORM_NUMBERS];
    memcpy(scaled, in, (size_t)f->count * sizeof *in);
    for (int i = f->angle_at; i < f->angle_at + f->angles; i++) scaled[i] *= degree;
    return f->from(own, scaled);
}

lie_status form_write(const form *f, double *out, const double *own)
{
    lie_status status = f->to(out, own);
    for (int i = f->angle_at; i < f->angle_at + f->angles; i++) out[i] /= degree;
    return status;
}

lie_status form_normalize(const form *f, double *in)
{
    double axis[4] = {0.0, in[0], in[1], in[2]};
    lie_status status = LIE_OK;
    if (f->check == FORM_QUATERNION) return lie_s3_project(in, in);
    if (f->check == FORM_MATRIX) return lie_so3_project(in, in);
    if (f->check == FORM_AXIS) status = lie_s3_project(axis, axis);
    if (f->check == FORM_AXIS && status == LIE_OK) memcpy(in, axis + 1, 3 * sizeof *in);
    return status;
}

double form_defect(const form *f, const double *in)
{
    double worst = 0.0;
    if (f->check == FORM_MATRIX) {
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                double d = in[i] * in[j] + in[3 + i] * in[3 + j] + in[6 + i] * in[6 + j] - (i == j ? 1.0 : 0.0);
                if (!(fabs(d) <= worst)) worst = fabs(d);
            }
        return worst;
    }
    for (int i = 0; i < (f->check == FORM_QUATERNION ? 4 : 3); i++) worst += in[i] * in[i];
    return sqrt(worst);
}
