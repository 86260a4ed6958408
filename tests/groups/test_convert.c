/* SPDX-License-Identifier: MIT */
/* test_convert.c: the converters between forms of an attitude against golden vectors, against the definitions of the
 * forms in long double (convert_ref.h), along every route and at every singular place. (Status, aliasing and the
 * conventions of other codes: test_convert_codes.c.)
 *
 * Errors are angles of the rotation that remains, in units of DBL_EPSILON, relative to the angle of the attitude where
 * that is small. */
#include <float.h>
#include <liestep/convert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/groups/convert_ref.h"
#include "unity.h"

#define COUNT(a) ((int)(sizeof(a) / sizeof(a)[0]))

/* The forms, with one signature. */

static lie_status axis_angle_of_quat(double *a, const double *q)
{
    return lie_quat_to_axis_angle(a, a + 3, q);
}

static lie_status axis_angle_of_matrix(double *a, const double *R)
{
    return lie_matrix_to_axis_angle(a, a + 3, R);
}

static lie_status quat_of_axis_angle(double *q, const double *a)
{
    return lie_axis_angle_to_quat(q, a, a[3]);
}

static lie_status matrix_of_axis_angle(double *R, const double *a)
{
    return lie_axis_angle_to_matrix(R, a, a[3]);
}

#define TOTAL(name, function)                                                                                          \
    static lie_status name(double *out, const double *in)                                                              \
    {                                                                                                                  \
        function(out, in);                                                                                             \
        return LIE_OK;                                                                                                 \
    }
TOTAL(matrix_of_quat, lie_quat_to_matrix)
TOTAL(quat_of_rotvec, lie_rotvec_to_quat)
TOTAL(matrix_of_rotvec, lie_so3_exp)
TOTAL(quat_of_mrp, lie_mrp_to_quat)
TOTAL(matrix_of_mrp, lie_mrp_to_matrix)
TOTAL(quat_of_zyx, lie_euler_zyx_to_quat)
TOTAL(matrix_of_zyx, lie_euler_zyx_to_matrix)
TOTAL(quat_of_zxz, lie_euler_zxz_to_quat)
TOTAL(matrix_of_zxz, lie_euler_zxz_to_matrix)

typedef lie_status convert(double *out, const double *in);

static const struct form {
    const char *name;
    int size, relative; /* relative: small rotations keep their digits in this form */
    convert *of_quat, *of_matrix, *to_quat, *to_matrix;
    void (*ref)(real q[4], const double *form);
} forms[] = {
    {"matrix", 9, 1, matrix_of_quat, NULL, lie_matrix_to_quat, NULL, ref_matrix},
    {"rotation vector", 3, 1, lie_quat_to_rotvec, lie_so3_log, quat_of_rotvec, matrix_of_rotvec, ref_rotvec},
    {"axis-angle", 4, 1, axis_angle_of_quat, axis_angle_of_matrix, quat_of_axis_angle, matrix_of_axis_angle,
     ref_axis_angle},
    {"MRP", 3, 1, lie_quat_to_mrp, lie_matrix_to_mrp, quat_of_mrp, matrix_of_mrp, ref_mrp},
    {"zyx", 3, 1, lie_quat_to_euler_zyx, lie_matrix_to_euler_zyx, quat_of_zyx, matrix_of_zyx, ref_zyx},
    {"zxz", 3, 0, lie_quat_to_euler_zxz, lie_matrix_to_euler_zxz, quat_of_zxz, matrix_of_zxz, ref_zxz},
};

static void assert_at_most(double bound, double error, const char *what, const char *form, int k)
{
    char message[160];
    snprintf(message, sizeof message, "%s, %s, attitude %d: %.3g > %.3g", form, what, k, error, bound);
    if (!(error <= bound)) TEST_FAIL_MESSAGE(message);
}

static void need_reference(void)
{
    if (!real_is_longer_than_double()) TEST_IGNORE_MESSAGE("long double has no more digits than double here");
}

static void assert_that(int condition, const char *what)
{
    TEST_ASSERT_TRUE_MESSAGE(condition, what);
}

static void assert_close(double tol, double expected, double got)
{
    TEST_ASSERT_DOUBLE_WITHIN(tol, expected, got);
}

static void assert_ok(lie_status status)
{
    TEST_ASSERT_EQUAL_STRING("LIE_OK", lie_status_name(status));
}

/* Reached over 136,520 attitudes: from q 5.3, to q 3.1, to R 5.3, from R 5.6 (lie_so3_log, tested elsewhere: 8.5). */
void test_convert_every_form_agrees_with_its_definition(void)
{
    need_reference();
    for (int k = 0; k < ATTITUDES; k++) {
        double q[4], R[9], x[9], p[9];
        real q_true[4], R_true[4], x_true[4], got[4];
        attitude(q, k);
        lie_quat_to_matrix(R, q);
        ref_quat(q_true, q), ref_matrix(R_true, R);
        for (int f = 0; f < COUNT(forms); f++) {
            const struct form *F = &forms[f];
            assert_ok(F->of_quat(x, q));
            F->ref(got, x);
            assert_at_most(6.5, error_eps(q_true, got, F->relative), "from q", F->name, k);
            F->ref(x_true, x);
            assert_ok(F->to_quat(p, x));
            ref_quat(got, p);
            assert_at_most(3.5, error_eps(x_true, got, F->relative), "to q", F->name, k);
            assert_at_most(3.5, fabs(lie_quat_norm(p) - 1.0) / DBL_EPSILON, "|q|", F->name, k);
            if (F->to_matrix == NULL) continue;
            assert_ok(F->to_matrix(p, x));
            ref_matrix(got, p);
            assert_at_most(6.0, error_eps(x_true, got, F->relative), "to R", F->name, k);
            assert_ok(F->of_matrix(x, R));
            F->ref(got, x);
            double bound = F->of_matrix == lie_so3_log ? 10.0 : 6.5;
            assert_at_most(bound, error_eps(R_true, got, F->relative), "from R", F->name, k);
        }
    }
}

/* q -> form a -> q -> matrix -> form b -> q, for all pairs of forms */
void test_convert_every_route_leads_back(void)
{
    need_reference();
    for (int k = 0; k < ATTITUDES; k += 7)
        for (int a = 0; a < COUNT(forms); a++)
            for (int b = 0; b < COUNT(forms); b++) {
                double q[4], p[4], R[9], x[9];
                real truth[4], got[4];
                attitude(q, k);
                assert_ok(forms[a].of_quat(x, q));
                assert_ok(forms[a].to_quat(p, x));
                lie_quat_to_matrix(R, p);
                assert_ok(forms[b].of_matrix ? forms[b].of_matrix(x, R) : forms[b].of_quat(x, p));
                assert_ok(forms[b].to_quat(p, x));
                ref_quat(truth, q), ref_quat(got, p);
                int relative = forms[a].relative && forms[b].relative;
                assert_at_most(11.0, error_eps(truth, got, relative), forms[a].name, forms[b].name, k);
            }
}

void test_convert_matrix_entries_whatever_the_length_of_q(void)
{
    need_reference();
    for (int k = 0; k < ATTITUDES; k++)
        for (int scale = -1020; scale <= 1020; scale += 340) {
            double q[4], R[9];
            real truth[9];
            attitude(q, k);
            for (int i = 0; i < 4; i++) q[i] = ldexp(q[i], scale);
            lie_quat_to_matrix(R, q);
            ref_entries(truth, q);
            for (int i = 0; i < 9; i++)
                assert_at_most(2.5, (double)fabsl(truth[i] - R[i]) / DBL_EPSILON, "entry", "matrix", k);
        }
}

void test_convert_matrix_is_orthogonal(void)
{
    need_reference();
    for (int k = 0; k < ATTITUDES; k++) {
        double q[4], R[9];
        attitude(q, k);
        lie_quat_to_matrix(R, q);
        for (int i = 0; i < 9; i++) {
            real dot = i % 4 == 0 ? -1 : 0;
            for (int j = 0; j < 3; j++) dot += (real)R[3 * j + i / 3] * R[3 * j + i % 3];
            assert_at_most(4.5, (double)fabsl(dot) / DBL_EPSILON, "R^T R", "matrix", k);
        }
    }
}

/* Componentwise, angles modulo 2 pi. */
static void assert_near(int n, const double *golden, const double *got, int angles, const char *name)
{
    for (int i = 0; i < n; i++) {
        double d = fabs(golden[i] - got[i]);
        if (angles) d = fmin(d, fabs(d - 2.0 * PI));
        if (!(d <= 4.0 * DBL_EPSILON * fmax(1.0, fabs(golden[i])))) {
            char message[160];
            snprintf(message, sizeof message, "%s[%d]: %.17g is not %.17g", name, i, got[i], golden[i]);
            TEST_FAIL_MESSAGE(message);
        }
    }
}

void test_convert_golden_attitudes(void)
{
    for (int k = 0; k < GOLDEN_ATTITUDES; k++) {
        const golden_attitude *g = &golden_attitudes[k];
        const double axis_angle[4] = {g->axis[0], g->axis[1], g->axis[2], g->angle};
        const double *const value[COUNT(forms)] = {g->R, g->rotvec, axis_angle, g->mrp, g->zyx, g->zxz};
        double x[9];
        for (int f = 0; f < COUNT(forms); f++) {
            const struct form *F = &forms[f];
            assert_ok(F->of_quat(x, g->q));
            assert_near(F->size, value[f], x, f > 3, g->name);
            assert_ok(F->to_quat(x, value[f]));
            if (g->q[0] == 0.0) lie_quat_near(x, x, g->q); /* a rounded half-turn may come out on either side */
            assert_near(4, g->q, x, 0, g->name);
            if (F->to_matrix == NULL) continue;
            assert_ok(F->of_matrix(x, g->R));
            if (f == 1 && g->q[0] == 0.0 && x[0] * g->rotvec[0] < 0.0)
                for (int i = 0; i < 3; i++) x[i] = -x[i];
            assert_near(F->size, value[f], x, f > 3, g->name);
            assert_ok(F->to_matrix(x, value[f]));
            assert_near(9, g->R, x, 0, g->name);
        }
    }
}

/* scalar part positive, or zero and the first of the largest others positive */
static int obeys_sign_rule(const double p[4])
{
    int k = fabs(p[2]) > fabs(p[1]) ? 2 : 1;
    if (fabs(p[3]) > fabs(p[k])) k = 3;
    return p[0] > 0.0 || (p[0] == 0.0 && !signbit(p[0]) && p[k] > 0.0);
}

/* q and -q are one attitude, and what comes back obeys the sign rule */
void test_convert_sign_of_q_does_not_matter(void)
{
    for (int k = 0; k < ATTITUDES; k++) {
        double q[4], minus[4], x[9], y[9], p[4];
        attitude(q, k);
        for (int i = 0; i < 4; i++) minus[i] = -q[i];
        for (int f = 0; f < COUNT(forms); f++) {
            assert_ok(forms[f].of_quat(x, q));
            assert_ok(forms[f].of_quat(y, minus));
            for (int i = 0; i < forms[f].size; i++) assert_that(x[i] == y[i], forms[f].name);
            assert_ok(forms[f].to_quat(p, x));
            assert_that(obeys_sign_rule(p), forms[f].name);
        }
    }
}

void test_convert_half_turn_has_its_largest_component_positive(void)
{
    static const double axes[][3] = {{1, 0, 0},   {0, 1, 0},  {0, 0, 1},  {-3, 4, 0},
                                     {2, -3, -6}, {-1, 1, 0}, {1, -1, 1}, {-6, -6, 7}};
    for (int k = 0; k < COUNT(axes); k++) {
        double q[4] = {k % 2 ? -0.0 : 0.0, axes[k][0], axes[k][1], axes[k][2]}, R[9], w[3], from_R[3], axis[3], angle,
               s[3];
        int big = 0;
        for (int i = 1; i < 3; i++)
            if (fabs(axes[k][i]) > fabs(axes[k][big])) big = i;
        assert_ok(lie_s3_project(q, q));
        assert_ok(lie_quat_to_rotvec(w, q));
        assert_ok(lie_quat_to_axis_angle(axis, &angle, q));
        assert_ok(lie_quat_to_mrp(s, q));
        lie_quat_to_matrix(R, q);
        assert_ok(lie_so3_log(from_R, R));
        assert_that(angle == PI, "angle");
        for (int i = 0; i < 3; i++) {
            double expected = q[i + 1] * (q[big + 1] < 0.0 ? -1.0 : 1.0);
            assert_close(1e-15, expected, axis[i]);
            assert_close(1e-15, expected, s[i]);
            assert_close(2e-15, expected * PI, w[i]);
            assert_close(3e-15, w[i], from_R[i]);
        }
    }
}

/* At pitch = +-pi/2 only yaw -+ roll is defined, at beta = 0 and pi only alpha +- gamma. */
void test_convert_lock_gives_all_of_the_turn_to_the_first_angle(void)
{
    for (int k = 0; k < 2000; k++) {
        int up = k % 2;
        double a = uniform(-PI, PI), c = uniform(-PI, PI), q[4], R[9], e[2][3];
        const double zyx[3] = {a, up ? PI / 2 : -PI / 2, c}, zxz[3] = {a, up ? 0.0 : PI, c};
        lie_euler_zyx_to_quat(q, zyx);
        lie_euler_zyx_to_matrix(R, zyx);
        assert_ok(lie_quat_to_euler_zyx(e[0], q));
        assert_ok(lie_matrix_to_euler_zyx(e[1], R));
        for (int i = 0; i < 2; i++) {
            assert_that(e[i][2] == 0.0 && e[i][1] == zyx[1], "lock of zyx");
            assert_close(4e-15, 0.0, remainder(e[i][0] - (up ? a - c : a + c), 2.0 * PI));
        }
        lie_euler_zxz_to_quat(q, zxz);
        lie_euler_zxz_to_matrix(R, zxz);
        assert_ok(lie_quat_to_euler_zxz(e[0], q));
        assert_ok(lie_matrix_to_euler_zxz(e[1], R));
        for (int i = 0; i < 2; i++) {
            assert_that(e[i][2] == 0.0 && e[i][1] == zxz[1], "lock of zxz");
            assert_close(4e-15, 0.0, remainder(e[i][0] - (up ? a + c : a - c), 2.0 * PI));
        }
    }
}

/* Away from the locks the angles themselves come back, and any angles are accepted. */
void test_convert_euler_angles_come_back(void)
{
    for (int k = 0; k < 2000; k++) {
        const double zyx[3] = {uniform(-PI, PI), uniform(-1.5, 1.5), uniform(-PI, PI)};
        const double zxz[3] = {uniform(-PI, PI), uniform(0.07, 3.07), uniform(-PI, PI)};
        const double far_zyx[3] = {zyx[0] + 6.0 * PI, PI - zyx[1], zyx[2] - 9.0 * PI}; /* the other triple */
        double q[4], e[3];
        lie_euler_zyx_to_quat(q, zyx);
        assert_ok(lie_quat_to_euler_zyx(e, q));
        for (int i = 0; i < 3; i++) assert_close(3e-14, 0.0, remainder(e[i] - zyx[i], 2.0 * PI));
        lie_euler_zyx_to_quat(q, far_zyx);
        assert_ok(lie_quat_to_euler_zyx(e, q));
        assert_close(2e-13, 0.0, remainder(e[0] - zyx[0] - PI, 2.0 * PI));
        assert_close(2e-13, 0.0, e[1] - zyx[1]);
        assert_close(2e-13, 0.0, remainder(e[2] - zyx[2], 2.0 * PI));
        lie_euler_zxz_to_quat(q, zxz);
        assert_ok(lie_quat_to_euler_zxz(e, q));
        for (int i = 0; i < 3; i++) assert_close(3e-14, 0.0, remainder(e[i] - zxz[i], 2.0 * PI));
    }
}

void test_convert_euler_angles_are_in_range(void)
{
    double q[4] = {0.5, -0.0, 0.86602540378443865, -0.0}, e[3]; /* signed zeros: pi, not -pi */
    assert_ok(lie_quat_to_euler_zyx(e, q));
    TEST_ASSERT_TRUE(e[0] == PI && e[2] == PI);
    for (int k = 0; k < ATTITUDES; k++) {
        attitude(q, k);
        assert_ok(lie_quat_to_euler_zyx(e, q));
        assert_that(-PI < e[0] && e[0] <= PI && -PI < e[2] && e[2] <= PI && fabs(e[1]) <= PI / 2, "range");
        assert_ok(lie_quat_to_euler_zxz(e, q));
        assert_that(-PI < e[0] && e[0] <= PI && -PI < e[2] && e[2] <= PI && 0.0 <= e[1] && e[1] <= PI, "range");
    }
}

/* The handedness and the order, by what happens to the axes of the body. */
void test_convert_directions_of_the_axes(void)
{
    static const double x[3] = {1, 0, 0}, z[3] = {0, 0, 1}, yaw[3] = {PI / 2, 0, 0}, pitch[3] = {0, PI / 2, 0};
    static const double roll_then[3] = {0.3, -0.8, 2.1};
    double R[9], v[3], q[4], p[4];
    lie_euler_zyx_to_matrix(R, yaw); /* nose from north to east: inertial y */
    lie_so3_act(v, R, x);
    assert_near(3, (double[]){0, 1, 0}, v, 0, "yaw");
    lie_euler_zyx_to_matrix(R, pitch); /* nose up: z points down in north-east-down */
    lie_so3_act(v, R, x);
    assert_near(3, (double[]){0, 0, -1}, v, 0, "pitch");
    assert_ok(lie_axis_angle_to_quat(q, z, PI / 2));
    lie_s3_act(v, q, x);
    assert_near(3, (double[]){0, 1, 0}, v, 0, "axis-angle");
    lie_euler_zyx_to_quat(q, roll_then); /* intrinsic: q = qz qy qx */
    lie_rotvec_to_quat(p, (double[]){0, 0, 0.3});
    double turn[4];
    lie_rotvec_to_quat(turn, (double[]){0, -0.8, 0});
    lie_s3_mul(p, p, turn);
    lie_rotvec_to_quat(turn, (double[]){2.1, 0, 0});
    lie_s3_mul(p, p, turn);
    lie_quat_near(p, p, q);
    assert_near(4, q, p, 0, "zyx product");
}

void test_convert_products_and_inverses(void)
{
    for (int k = 0; k < 500; k++) {
        double a[4], b[4], ab[4], A[9], B[9], AB[9], C[9], s[3], t[3];
        random_unit(a), random_unit(b);
        lie_s3_mul(ab, a, b);
        lie_quat_to_matrix(A, a), lie_quat_to_matrix(B, b), lie_quat_to_matrix(C, ab);
        lie_so3_mul(AB, A, B);
        assert_near(9, AB, C, 0, "product");
        lie_quat_conj(b, a);
        lie_quat_to_matrix(B, b), lie_so3_inv(C, A);
        assert_near(9, C, B, 0, "inverse");
        assert_ok(lie_quat_to_mrp(s, a));
        assert_ok(lie_quat_to_mrp(t, b));
        for (int i = 0; i < 3; i++) assert_that(s[i] == -t[i], "inverse");
    }
}

void test_convert_mrp_shadow_is_the_same_attitude(void)
{
    for (int k = 0; k < ATTITUDES; k++) {
        double q[4], s[3], t[3], u[3], A[9], B[9];
        attitude(q, k);
        assert_ok(lie_quat_to_mrp(s, q));
        double n = hypot(hypot(s[0], s[1]), s[2]);
        assert_that(n <= 1.0 + 2.0 * DBL_EPSILON, "length");
        if (n < 1e-300) continue;
        assert_ok(lie_mrp_shadow(t, s));
        for (int i = 0; i < 3; i++) assert_close(4.0 * DBL_EPSILON / n, -s[i] / n / n, t[i]);
        lie_mrp_to_matrix(A, s), lie_mrp_to_matrix(B, t);
        for (int i = 0; i < 9; i++) assert_close(8.0 * DBL_EPSILON, A[i], B[i]);
        lie_mrp_shortest(u, s);
        for (int i = 0; i < 3 && n < 0.999; i++) assert_that(s[i] == u[i], "shortest");
        lie_mrp_shortest(u, t);
        for (int i = 0; i < 3 && n < 0.999; i++) assert_close(4.0 * DBL_EPSILON * n, s[i], u[i]);
    }
}

/* A tumbling body, several turns: near() follows it through the half-turn and through the full turn's sign. */
void test_convert_near_keeps_a_series_continuous(void)
{
    double q[4] = {1, 0, 0, 0}, s[3] = {0, 0, 0}, previous_q[4], previous_s[3], largest = 0.0, lowest = 1.0;
    for (int k = 1; k < 2000; k++) {
        const double axis[3] = {2.0 / 7, -3.0 / 7, 6.0 / 7};
        double fresh[4], short_s[3];
        memcpy(previous_q, q, sizeof q), memcpy(previous_s, s, sizeof s);
        assert_ok(lie_axis_angle_to_quat(fresh, axis, 0.003 * k));
        assert_ok(lie_quat_to_mrp(short_s, fresh));
        lie_quat_near(q, fresh, previous_q);
        lie_mrp_near(s, short_s, previous_s);
        for (int i = 0; i < 4; i++) assert_close(0.002, previous_q[i], q[i]);
        double n = hypot(hypot(s[0], s[1]), s[2]);
        if (n < 5.0) /* beyond, the series runs off to infinity, as it must */
            for (int i = 0; i < 3; i++) assert_close(0.03, previous_s[i], s[i]);
        largest = fmax(largest, n), lowest = fmin(lowest, q[0]);
    }
    TEST_ASSERT_TRUE(largest > 3.0 && lowest < -0.9);
}

void test_convert_far_out_of_the_usual_range(void)
{
    double q[4], s[3], axis[3], angle, R[9];
    lie_quat_to_matrix(R, (double[]){0.0, 0.0, 0.0, 0.0});
    assert_that(isnan(R[0]), "no attitude");
    lie_mrp_to_quat(q, (double[]){0.0, -1e200, 0.0}); /* all but a full turn */
    TEST_ASSERT_TRUE(q[0] == 1.0 && q[2] == 2e-200);
    lie_mrp_to_quat(q, (double[]){DBL_MAX, DBL_MAX, DBL_MAX});
    TEST_ASSERT_TRUE(q[0] == 1.0 && fabs(q[1]) < 1e-307);
    assert_ok(lie_quat_to_axis_angle(axis, &angle, (double[]){1.0, 5e-324, 0.0, -5e-324}));
    assert_near(3, (double[]){0.70710678118654752, 0, -0.70710678118654752}, axis, 0, "smallest axis");
    assert_ok(lie_quat_to_mrp(s, (double[]){-1.0, 0.0, -4e-300, 0.0}));
    TEST_ASSERT_TRUE(s[0] == 0.0 && s[1] == 2e-300 && s[2] == 0.0);
    assert_ok(lie_quat_to_euler_zyx(s, (double[]){1.0, 3e-300, -5e-310, 7e-300}));
    assert_close(5e-315, 14e-300, s[0]);
    assert_close(1e-322, -1e-309, s[1]);
    assert_close(5e-315, 6e-300, s[2]);
    assert_ok(lie_quat_to_euler_zxz(s, (double[]){1.0, 3e-300, 4e-300, 0.0}));
    assert_near(3, (double[]){0.92729521800161223, 0, -0.92729521800161223}, s, 0, "small zxz");
    assert_close(5e-315, 1e-299, s[1]);
}
