/* SPDX-License-Identifier: MIT */
/* test_convert_codes.c: the conventions of other codes, by golden vectors and by the formulas with which those codes
 * turn their numbers into a matrix; and what all converters promise: status, outputs left alone, NaN, aliasing. */
#include <float.h>
#include <liestep/convert.h>
#include <liestep/se3.h>
#include <math.h>
#include <string.h>

#include "tests/groups/golden_attitudes.h"
#include "unity.h"

#define COUNT(a) ((int)(sizeof(a) / sizeof(a)[0]))

static void assert_status(lie_status expected, lie_status status)
{
    TEST_ASSERT_EQUAL_STRING(lie_status_name(expected), lie_status_name(status));
}

static void assert_same(int n, const double *expected, const double *got)
{
    for (int i = 0; i < n; i++)
        if (!(expected[i] == got[i])) TEST_ASSERT_EQUAL_DOUBLE(expected[i], got[i]);
}

static void assert_within(double tol, int n, const double *expected, const double *got)
{
    for (int i = 0; i < n; i++) TEST_ASSERT_DOUBLE_WITHIN(tol, expected[i], got[i]);
}

/* Every converter as out[n_out] <- in[n_in], with an input it accepts. */

static lie_status from_ccsds_first_a2b(double *q, const double *a)
{
    return lie_quat_from_ccsds(q, a, LIE_CCSDS_FIRST, LIE_CCSDS_A2B);
}

static lie_status from_ccsds_last_a2b(double *q, const double *a)
{
    return lie_quat_from_ccsds(q, a, LIE_CCSDS_LAST, LIE_CCSDS_A2B);
}

static lie_status from_ccsds_first_b2a(double *q, const double *a)
{
    return lie_quat_from_ccsds(q, a, LIE_CCSDS_FIRST, LIE_CCSDS_B2A);
}

static lie_status from_ccsds_last_b2a(double *q, const double *a)
{
    return lie_quat_from_ccsds(q, a, LIE_CCSDS_LAST, LIE_CCSDS_B2A);
}

static lie_status to_ccsds_first_a2b(double *a, const double *q)
{
    return lie_quat_to_ccsds(a, q, LIE_CCSDS_FIRST, LIE_CCSDS_A2B);
}

static lie_status to_ccsds_last_a2b(double *a, const double *q)
{
    return lie_quat_to_ccsds(a, q, LIE_CCSDS_LAST, LIE_CCSDS_A2B);
}

static lie_status to_ccsds_first_b2a(double *a, const double *q)
{
    return lie_quat_to_ccsds(a, q, LIE_CCSDS_FIRST, LIE_CCSDS_B2A);
}

static lie_status to_ccsds_last_b2a(double *a, const double *q)
{
    return lie_quat_to_ccsds(a, q, LIE_CCSDS_LAST, LIE_CCSDS_B2A);
}

static lie_status axis_angle_to_quat(double *q, const double *a)
{
    return lie_axis_angle_to_quat(q, a, a[3]);
}

static lie_status axis_angle_to_matrix(double *R, const double *a)
{
    return lie_axis_angle_to_matrix(R, a, a[3]);
}

static lie_status quat_to_axis_angle(double *a, const double *q)
{
    return lie_quat_to_axis_angle(a, a + 3, q);
}

static lie_status matrix_to_axis_angle(double *a, const double *R)
{
    return lie_matrix_to_axis_angle(a, a + 3, R);
}

#define TOTAL(name, call)                                                                                              \
    static lie_status name(double *out, const double *in)                                                              \
    {                                                                                                                  \
        call;                                                                                                          \
        return LIE_OK;                                                                                                 \
    }
TOTAL(to_42, lie_quat_to_42(out, in))
TOTAL(to_basilisk_ep, lie_quat_to_basilisk_ep(out, in))
TOTAL(to_trick, lie_quat_to_trick(out, in))
TOTAL(to_px4, lie_quat_to_px4(out, in))
TOTAL(to_scalar_last, lie_quat_to_scalar_last(out, in))
TOTAL(from_scalar_last, lie_quat_from_scalar_last(out, in))
TOTAL(quat_to_matrix, lie_quat_to_matrix(out, in))
TOTAL(canonical, lie_quat_canonical(out, in))
TOTAL(quat_near_first, lie_quat_near(out, in, golden_q))
TOTAL(quat_near_second, lie_quat_near(out, golden_q, in))
TOTAL(rotvec_to_quat, lie_rotvec_to_quat(out, in))
TOTAL(mrp_to_quat, lie_mrp_to_quat(out, in))
TOTAL(mrp_to_matrix, lie_mrp_to_matrix(out, in))
TOTAL(mrp_shortest, lie_mrp_shortest(out, in))
TOTAL(mrp_near_first, lie_mrp_near(out, in, golden_basilisk_mrp))
TOTAL(mrp_near_second, lie_mrp_near(out, golden_basilisk_mrp, in))
TOTAL(zyx_to_quat, lie_euler_zyx_to_quat(out, in))
TOTAL(zyx_to_matrix, lie_euler_zyx_to_matrix(out, in))
TOTAL(zxz_to_quat, lie_euler_zxz_to_quat(out, in))
TOTAL(zxz_to_matrix, lie_euler_zxz_to_matrix(out, in))
TOTAL(twist_to_fossen, lie_twist_to_fossen(out, in))
TOTAL(twist_from_fossen, lie_twist_from_fossen(out, in))
TOTAL(inertia_to_fossen, lie_inertia_to_fossen(out, in))
TOTAL(inertia_from_fossen, lie_inertia_from_fossen(out, in))
TOTAL(se3_from_fossen, lie_se3_from_fossen(out, in))

enum kind {
    PASS,   /* moves values, whatever they are */
    VECTOR, /* void; all finite vectors are welcome, others give NaN */
    REFUSE, /* status; all finite vectors are welcome */
    UNIT,   /* status; a unit vector (for axis-angle and SE(3): in its first 3 or 9 components) */
    ROTATION
};

static const double generic[3] = {0.3, -1.9, 2.4};
static const double generic_axis_angle[4] = {2.0 / 7.0, -3.0 / 7.0, 6.0 / 7.0, 2.5};
static const double generic36[36] = {1.1, 2.3, 3.7, 4.1, 5.9, 6.2, 7.3, 8.8, 9.1, 1.2, 2.4, 3.6,
                                     4.5, 5.6, 6.7, 7.8, 8.9, 9.8, 8.7, 7.6, 6.5, 5.4, 4.3, 3.2,
                                     2.1, 1.9, 1.8, 1.7, 1.6, 1.5, 1.4, 1.3, 0.9, 0.8, 0.7, 0.6};

static const struct converter {
    const char *name;
    lie_status (*run)(double *out, const double *in);
    enum kind kind;
    int n_out, n_in, n_unit; /* n_unit: how many components must be a unit vector or a rotation */
    const double *in;
} converters[] = {
    {"quat_to_matrix", quat_to_matrix, VECTOR, 9, 4, 0, golden_q},
    {"matrix_to_quat", lie_matrix_to_quat, ROTATION, 4, 9, 9, golden_se3},
    {"canonical", canonical, PASS, 4, 4, 0, golden_trick},
    {"quat_near, first", quat_near_first, VECTOR, 4, 4, 0, golden_trick},
    {"quat_near, second", quat_near_second, VECTOR, 4, 4, 0, golden_trick},
    {"rotvec_to_quat", rotvec_to_quat, VECTOR, 4, 3, 0, generic},
    {"quat_to_rotvec", lie_quat_to_rotvec, UNIT, 3, 4, 4, golden_q},
    {"axis_angle_to_quat", axis_angle_to_quat, UNIT, 4, 4, 3, generic_axis_angle},
    {"axis_angle_to_matrix", axis_angle_to_matrix, UNIT, 9, 4, 3, generic_axis_angle},
    {"quat_to_axis_angle", quat_to_axis_angle, UNIT, 4, 4, 4, golden_q},
    {"matrix_to_axis_angle", matrix_to_axis_angle, ROTATION, 4, 9, 9, golden_se3},
    {"mrp_to_quat", mrp_to_quat, VECTOR, 4, 3, 0, generic},
    {"mrp_to_matrix", mrp_to_matrix, VECTOR, 9, 3, 0, generic},
    {"quat_to_mrp", lie_quat_to_mrp, UNIT, 3, 4, 4, golden_q},
    {"matrix_to_mrp", lie_matrix_to_mrp, ROTATION, 3, 9, 9, golden_se3},
    {"mrp_shadow", lie_mrp_shadow, REFUSE, 3, 3, 0, generic},
    {"mrp_shortest", mrp_shortest, VECTOR, 3, 3, 0, generic},
    {"mrp_near, first", mrp_near_first, VECTOR, 3, 3, 0, generic},
    {"mrp_near, second", mrp_near_second, VECTOR, 3, 3, 0, generic},
    {"zyx_to_quat", zyx_to_quat, VECTOR, 4, 3, 0, generic},
    {"zyx_to_matrix", zyx_to_matrix, VECTOR, 9, 3, 0, generic},
    {"quat_to_zyx", lie_quat_to_euler_zyx, UNIT, 3, 4, 4, golden_q},
    {"matrix_to_zyx", lie_matrix_to_euler_zyx, ROTATION, 3, 9, 9, golden_se3},
    {"zxz_to_quat", zxz_to_quat, VECTOR, 4, 3, 0, generic},
    {"zxz_to_matrix", zxz_to_matrix, VECTOR, 9, 3, 0, generic},
    {"quat_to_zxz", lie_quat_to_euler_zxz, UNIT, 3, 4, 4, golden_q},
    {"matrix_to_zxz", lie_matrix_to_euler_zxz, ROTATION, 3, 9, 9, golden_se3},
    {"to_scalar_last", to_scalar_last, PASS, 4, 4, 0, golden_q},
    {"from_scalar_last", from_scalar_last, PASS, 4, 4, 0, golden_42},
    {"twist_to_fossen", twist_to_fossen, PASS, 6, 6, 0, generic36},
    {"twist_from_fossen", twist_from_fossen, PASS, 6, 6, 0, generic36},
    {"inertia_to_fossen", inertia_to_fossen, PASS, 36, 36, 0, generic36},
    {"inertia_from_fossen", inertia_from_fossen, PASS, 36, 36, 0, generic36},
    {"se3_to_fossen", lie_se3_to_fossen, ROTATION, 6, 12, 9, golden_se3},
    {"se3_from_fossen", se3_from_fossen, VECTOR, 12, 6, 0, golden_eta},
    {"from_42", lie_quat_from_42, UNIT, 4, 4, 4, golden_42},
    {"to_42", to_42, PASS, 4, 4, 0, golden_q},
    {"from_basilisk_ep", lie_quat_from_basilisk_ep, UNIT, 4, 4, 4, golden_basilisk_ep},
    {"to_basilisk_ep", to_basilisk_ep, PASS, 4, 4, 0, golden_q},
    {"from_basilisk_mrp", lie_quat_from_basilisk_mrp, REFUSE, 4, 3, 0, golden_basilisk_mrp},
    {"to_basilisk_mrp", lie_quat_to_basilisk_mrp, UNIT, 3, 4, 4, golden_q},
    {"from_trick", lie_quat_from_trick, UNIT, 4, 4, 4, golden_trick},
    {"to_trick", to_trick, PASS, 4, 4, 0, golden_q},
    {"from_px4", lie_quat_from_px4, UNIT, 4, 4, 4, golden_px4},
    {"to_px4", to_px4, PASS, 4, 4, 0, golden_q},
    {"from_ccsds first a2b", from_ccsds_first_a2b, UNIT, 4, 4, 4, golden_ccsds_first_a2b},
    {"from_ccsds last a2b", from_ccsds_last_a2b, UNIT, 4, 4, 4, golden_ccsds_last_a2b},
    {"from_ccsds first b2a", from_ccsds_first_b2a, UNIT, 4, 4, 4, golden_ccsds_first_b2a},
    {"from_ccsds last b2a", from_ccsds_last_b2a, UNIT, 4, 4, 4, golden_ccsds_last_b2a},
    {"to_ccsds first a2b", to_ccsds_first_a2b, UNIT, 4, 4, 4, golden_q},
    {"to_ccsds last a2b", to_ccsds_last_a2b, UNIT, 4, 4, 4, golden_q},
    {"to_ccsds first b2a", to_ccsds_first_b2a, UNIT, 4, 4, 4, golden_q},
    {"to_ccsds last b2a", to_ccsds_last_b2a, UNIT, 4, 4, 4, golden_q},
};

void test_convert_codes_store_the_golden_attitude(void)
{
    static const struct {
        lie_status (*from)(double *q, const double *theirs), (*to)(double *theirs, const double *q);
        const double *theirs;
    } code[] = {
        {lie_quat_from_42, to_42, golden_42},
        {lie_quat_from_basilisk_ep, to_basilisk_ep, golden_basilisk_ep},
        {lie_quat_from_trick, to_trick, golden_trick},
        {lie_quat_from_px4, to_px4, golden_px4},
        {from_ccsds_first_a2b, to_ccsds_first_a2b, golden_ccsds_first_a2b},
        {from_ccsds_last_a2b, to_ccsds_last_a2b, golden_ccsds_last_a2b},
        {from_ccsds_first_b2a, to_ccsds_first_b2a, golden_ccsds_first_b2a},
        {from_ccsds_last_b2a, to_ccsds_last_b2a, golden_ccsds_last_b2a},
        {from_scalar_last, to_scalar_last, golden_42},
    };
    double q[4], theirs[4], sigma[3];
    for (int k = 0; k < COUNT(code); k++) { /* exact: nothing is rounded */
        assert_status(LIE_OK, code[k].from(q, code[k].theirs));
        assert_same(4, golden_q, q);
        assert_status(LIE_OK, code[k].to(theirs, golden_q));
        assert_same(4, code[k].theirs, theirs);
    }
    assert_status(LIE_OK, lie_quat_to_basilisk_mrp(sigma, golden_q));
    assert_within(2e-16, 3, golden_basilisk_mrp, sigma);
    assert_status(LIE_OK, lie_quat_from_basilisk_mrp(q, golden_basilisk_mrp));
    assert_within(3e-16, 4, golden_q, q);
}

/* The attitude matrix of a quaternion as 42, Basilisk and CCSDS define it: from the first frame to the second
 * (Wertz, Spacecraft attitude determination and control, 1978, (12-13a)). */
static void attitude_matrix(double C[9], double x, double y, double z, double s)
{
    const double A[9] = {x * x - y * y - z * z + s * s, 2.0 * (x * y + z * s),          2.0 * (x * z - y * s),
                         2.0 * (x * y - z * s),         -x * x + y * y - z * z + s * s, 2.0 * (y * z + x * s),
                         2.0 * (x * z + y * s),         2.0 * (y * z - x * s),          -x * x - y * y + z * z + s * s};
    memcpy(C, A, sizeof A);
}

void test_convert_codes_mean_the_same_attitude(void)
{
    static const double p[3] = {0.7, -1.3, 2.9};
    double R[9], inertial_to_body[9], C[9], a[4], in_body[3], by_code[3];
    lie_quat_to_matrix(R, golden_q);
    lie_so3_inv(inertial_to_body, R);
    lie_so3_act(in_body, inertial_to_body, p);

    lie_quat_to_42(a, golden_q); /* CN */
    attitude_matrix(C, a[0], a[1], a[2], a[3]);
    assert_within(1e-15, 9, inertial_to_body, C);
    lie_quat_to_basilisk_ep(a, golden_q); /* [BN] */
    attitude_matrix(C, a[1], a[2], a[3], a[0]);
    assert_within(1e-15, 9, inertial_to_body, C);
    assert_status(LIE_OK, lie_quat_to_ccsds(a, golden_q, LIE_CCSDS_LAST, LIE_CCSDS_A2B)); /* inertial A to body B */
    attitude_matrix(C, a[0], a[1], a[2], a[3]);
    assert_within(1e-15, 9, inertial_to_body, C);
    assert_status(LIE_OK, lie_quat_to_ccsds(a, golden_q, LIE_CCSDS_FIRST, LIE_CCSDS_B2A));
    attitude_matrix(C, a[1], a[2], a[3], a[0]);
    assert_within(1e-15, 9, R, C);
    lie_quat_to_trick(a, golden_q); /* v_body = Q v_parent Q^-1 */
    lie_s3_act(by_code, a, p);
    assert_within(2e-15, 3, in_body, by_code);
    lie_quat_to_px4(a, golden_q); /* v_world = q v_body q^-1 */
    lie_s3_act(by_code, a, in_body);
    assert_within(2e-15, 3, p, by_code);

    /* sigma_BN: [BN] = 1 + (8 hat(s)^2 - 4 (1 - s^2) hat(s))/(1 + s^2)^2 (Schaub & Junkins 2018, section 3.6) */
    double hat[9], square[9], s[3];
    assert_status(LIE_OK, lie_quat_to_basilisk_mrp(s, golden_q));
    double n = s[0] * s[0] + s[1] * s[1] + s[2] * s[2];
    lie_so3_hat(hat, s);
    lie_so3_mul(square, hat, hat);
    for (int i = 0; i < 9; i++)
        C[i] = (i % 4 == 0) + (8.0 * square[i] - 4.0 * (1.0 - n) * hat[i]) / ((1.0 + n) * (1.0 + n));
    assert_within(1e-15, 9, inertial_to_body, C);
}

void test_convert_fossen_order(void)
{
    double nu[6], X[6], M[36], back[36], eta[6], g[12], by_row[6];
    lie_twist_to_fossen(nu, (double[]){1, 2, 3, 4, 5, 6});
    assert_same(6, (double[]){4, 5, 6, 1, 2, 3}, nu);
    lie_twist_from_fossen(X, nu);
    assert_same(6, (double[]){1, 2, 3, 4, 5, 6}, X);
    lie_inertia_to_fossen(M, generic36); /* M nu is the momentum I X in Fossen's order */
    lie_inertia_from_fossen(back, M);
    assert_same(36, generic36, back);
    double momentum[6] = {0}, fossen[6] = {0};
    for (int i = 0; i < 36; i++) momentum[i / 6] += generic36[i] * X[i % 6], fossen[i / 6] += M[i] * nu[i % 6];
    lie_twist_to_fossen(by_row, momentum);
    assert_within(1e-13, 6, by_row, fossen);
    assert_status(LIE_OK, lie_se3_to_fossen(eta, golden_se3));
    assert_within(4e-16, 6, golden_eta, eta);
    lie_se3_from_fossen(g, golden_eta);
    assert_within(4e-16, 12, golden_se3, g);
}

/* d/dt eta = (R v, T(phi, theta) w) along g exp(t X) (Fossen 2021, section 2.2): eta and nu belong together */
void test_convert_fossen_kinematics(void)
{
    static const double nu[6] = {0.4, -1.1, 0.9, 0.7, -0.2, 1.3}, h = 1e-5;
    double X[6], eta[2][6] = {{0}}, rate[6], step[6], g[12];
    lie_twist_from_fossen(X, nu);
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < 6; i++) step[i] = (side ? h : -h) * X[i];
        lie_se3_exp(g, step);
        lie_se3_mul(g, golden_se3, g);
        assert_status(LIE_OK, lie_se3_to_fossen(eta[side], g));
    }
    double phi = golden_eta[3], theta = golden_eta[4], p = nu[3], q = nu[4], r = nu[5];
    lie_so3_act(rate, golden_se3, nu);
    rate[3] = p + (q * sin(phi) + r * cos(phi)) * tan(theta);
    rate[4] = q * cos(phi) - r * sin(phi);
    rate[5] = (q * sin(phi) + r * cos(phi)) / cos(theta);
    for (int i = 0; i < 6; i++) TEST_ASSERT_DOUBLE_WITHIN(1e-9, rate[i], (eta[1][i] - eta[0][i]) / (2.0 * h));
}

void test_convert_output_may_be_the_input(void)
{
    for (int k = 0; k < COUNT(converters); k++) {
        const struct converter *c = &converters[k];
        double apart[36], same[36];
        memcpy(same, c->in, (size_t)c->n_in * sizeof *same);
        assert_status(LIE_OK, c->run(apart, c->in));
        assert_status(LIE_OK, c->run(same, same));
        TEST_ASSERT_EQUAL_MEMORY_MESSAGE(apart, same, (size_t)c->n_out * sizeof *same, c->name);
    }
}

static void expect_refusal(const struct converter *c, lie_status expected, const double *in)
{
    double out[36], before[36];
    for (int i = 0; i < 36; i++) before[i] = out[i] = 7.25 + i;
    TEST_ASSERT_EQUAL_STRING_MESSAGE(lie_status_name(expected), lie_status_name(c->run(out, in)), c->name);
    TEST_ASSERT_EQUAL_MEMORY_MESSAGE(before, out, sizeof out, c->name);
}

void test_convert_not_finite_is_refused_or_passed_on(void)
{
    static const double bad[] = {(double)NAN, HUGE_VAL, -HUGE_VAL};
    for (int k = 0; k < COUNT(converters); k++)
        for (int i = 0; i < converters[k].n_in * COUNT(bad); i++) {
            const struct converter *c = &converters[k];
            double in[36], out[36], sum = 0.0;
            memcpy(in, c->in, (size_t)c->n_in * sizeof *in);
            in[i / COUNT(bad)] = bad[i % COUNT(bad)];
            if (c->kind > VECTOR) {
                expect_refusal(c, LIE_ERR_NOT_FINITE, in);
                continue;
            }
            assert_status(LIE_OK, c->run(out, in));
            for (int j = 0; j < c->n_out; j++) sum += out[j] - out[j]; /* NaN if one of them is not finite */
            TEST_ASSERT_TRUE_MESSAGE(isnan(sum), c->name);
        }
}

/* Zeros of either sign, the smallest and largest doubles in each place: finite results, or a status and no change. */
void test_convert_extreme_values_are_answered(void)
{
    static const double extreme[] = {0.0, -0.0, 5e-324, -DBL_MIN, DBL_MAX, -DBL_MAX};
    for (int k = 0; k < COUNT(converters); k++)
        for (int i = 0; i < converters[k].n_in * COUNT(extreme); i++) {
            const struct converter *c = &converters[k];
            double in[36], out[36], before[36], sum = 0.0;
            memcpy(in, c->in, (size_t)c->n_in * sizeof *in);
            in[i / COUNT(extreme)] = extreme[i % COUNT(extreme)];
            for (int j = 0; j < 36; j++) before[j] = out[j] = 7.25 + j;
            lie_status status = c->run(out, in);
            for (int j = 0; j < c->n_out; j++) sum += out[j] - out[j];
            int beyond = c->run == rotvec_to_quat && fabs(in[i / COUNT(extreme)]) == DBL_MAX; /* |w| < 2^511 */
            TEST_ASSERT_TRUE_MESSAGE(sum == 0.0 || beyond, c->name);
            TEST_ASSERT_TRUE_MESSAGE(status == LIE_OK || c->kind > VECTOR, c->name);
            if (status != LIE_OK) TEST_ASSERT_EQUAL_MEMORY_MESSAGE(before, out, sizeof out, c->name);
        }
}

void test_convert_what_is_no_rotation_is_refused(void)
{
    for (int k = 0; k < COUNT(converters); k++) {
        const struct converter *c = &converters[k];
        double in[36], out[36];
        if (c->kind != UNIT && c->kind != ROTATION) continue;
        static const double factor[] = {0.0, 1.0 - 2e-6, 1.0 + 2e-6, 0.5, 1e200, 1.0 - 3e-7, 1.0 + 3e-7};
        for (int f = 0; f < COUNT(factor); f++) {
            memcpy(in, c->in, (size_t)c->n_in * sizeof *in);
            for (int i = 0; i < c->n_unit; i++) in[i] *= factor[f];
            if (f < 5)
                expect_refusal(c, LIE_ERR_NOT_IN_GROUP, in);
            else
                assert_status(LIE_OK, c->run(out, in)); /* within the tolerance */
        }
        if (c->kind != ROTATION) continue;
        memcpy(in, c->in, (size_t)c->n_in * sizeof *in);
        for (int i = 0; i < 9; i++) in[i] = -in[i]; /* a reflection */
        expect_refusal(c, LIE_ERR_NOT_IN_GROUP, in);
        memcpy(in, c->in, (size_t)c->n_in * sizeof *in);
        for (int i = 0; i < 3; i++) in[3 * i] += 1e-5 * in[3 * i + 1]; /* a shear: all columns keep their length */
        expect_refusal(c, LIE_ERR_NOT_IN_GROUP, in);
    }
}

/* Within the tolerance the length is taken out: forms of a quaternion 3e-7 too long are those of the unit one. */
void test_convert_length_within_the_tolerance_does_not_matter(void)
{
    for (int k = 0; k < COUNT(converters); k++) {
        const struct converter *c = &converters[k];
        double in[4], expected[9], got[9];
        if (c->kind != UNIT || strncmp(c->name, "from", 4) == 0 || strncmp(c->name, "to_ccsds", 8) == 0)
            continue; /* copies */
        memcpy(in, c->in, sizeof in);
        for (int i = 0; i < c->n_unit; i++) in[i] *= 1.0 + 3e-7;
        assert_status(LIE_OK, c->run(expected, c->in));
        assert_status(LIE_OK, c->run(got, in));
        assert_within(3e-15, c->n_out, expected, got);
    }
}

void test_convert_domain_errors(void)
{
    double out[4] = {1.5, 2.5, 3.5, 4.5}, before[4] = {1.5, 2.5, 3.5, 4.5};
    assert_status(LIE_ERR_DOMAIN, lie_mrp_shadow(out, (double[]){0.0, -0.0, 0.0}));
    assert_status(LIE_ERR_DOMAIN, lie_mrp_shadow(out, (double[]){1e-309, 0.0, 0.0}));
    assert_status(LIE_ERR_DOMAIN, lie_quat_from_ccsds(out, golden_q, (lie_ccsds_type)2, LIE_CCSDS_A2B));
    assert_status(LIE_ERR_DOMAIN, lie_quat_from_ccsds(out, golden_q, LIE_CCSDS_FIRST, (lie_ccsds_dir)2));
    assert_status(LIE_ERR_DOMAIN, lie_quat_to_ccsds(out, golden_q, (lie_ccsds_type)3, LIE_CCSDS_B2A));
    assert_status(LIE_ERR_DOMAIN, lie_quat_to_ccsds(out, golden_q, LIE_CCSDS_LAST, (lie_ccsds_dir)3));
    TEST_ASSERT_EQUAL_MEMORY(before, out, sizeof out);
}
