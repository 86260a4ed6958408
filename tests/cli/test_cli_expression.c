/* SPDX-License-Identifier: MIT */
/* test_cli_expression.c: functions of a state, written as text: values, names of every group, errors with their
 * place. */
#include <math.h>
#include <string.h>

#include "cli/base/expression.h"
#include "tests/support/near.h"
#include "unity.h"

static const double inertia[6] = {1.1, 2.3, 2.9, 1.7, 1.9, 3.1};
static double I6[36], I3[9];
static lie_system vehicle = {.name = "vehicle", .group = &lie_se3_cay_ops, .inertia = I6};
static lie_system body = {.name = "body", .group = &lie_s3_cay_ops, .inertia = I3};
static const double momentum[6] = {0.7, -1.3, 2.385, 0.31, -0.47, 1.9};

void setUp(void)
{
    lie_inertia_diagonal(6, I6, inertia);
    lie_inertia_diagonal(3, I3, inertia);
}

void tearDown(void)
{
}

/* g of SE3: a turn about an axis without symmetry, and a place */
static void element(double g[12])
{
    const double turn[3] = {0.4, -0.9, 0.3}, place[3] = {5.5, -6.25, 7.75};
    lie_so3_exp(g, turn);
    memcpy(g + 9, place, sizeof place);
}

static double value_of(const char *text)
{
    expression e;
    expression_error error;
    double g[12];
    element(g);
    TEST_ASSERT_TRUE_MESSAGE(expression_parse(&e, text, &vehicle, "SE3", &error), text);
    return expression_value(&e, 2.5, g, momentum);
}

void test_expression_arithmetic_has_the_usual_precedence(void)
{
    static const struct {
        const char *text;
        double value;
    } cases[] = {{"1 + 2*3", 7},         {"(1 + 2)*3", 9},       {"2^3^2", 512},       {"-2^2", -4},
                 {"2^-2", 0.25},         {"7 - 2 - 1", 4},       {"8/4/2", 1},         {"- - 3", 3},
                 {"1.5e1 + .5", 15.5},   {"abs(-2.5)", 2.5},     {"|2 - 5|", 3},       {"sqrt(16)/2", 2},
                 {"atan2(0, -1)/pi", 1}, {"cos(0) + sin(0)", 1}, {"||1 - 3| - 5|", 3}, {"log(exp(2))", 2}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        TEST_ASSERT_EQUAL_DOUBLE_MESSAGE(cases[i].value, value_of(cases[i].text), cases[i].text);
}

void test_expression_names_are_the_numbers_of_the_state(void)
{
    double g[12], space[6], energy = 0.0;
    element(g);
    for (int i = 0; i < 6; i++) energy += 0.5 * momentum[i] * momentum[i] / inertia[i];
    lie_system_spatial_momentum(&vehicle, space, g, momentum);
    const struct {
        const char *text;
        double value;
    } cases[] = {{"t", 2.5},
                 {"Pi1", momentum[0]},
                 {"Pi3", momentum[2]},
                 {"P2", momentum[4]},
                 {"m6", momentum[5]},
                 {"w2", momentum[1] / inertia[1]},
                 {"v3", momentum[5] / inertia[5]},
                 {"R12", g[1]},
                 {"R31", g[6]},
                 {"x3", g[11]},
                 {"Gamma2", g[7]},
                 {"J2", space[1]},
                 {"J6", space[5]},
                 {"energy", energy},
                 {"q0^2 + q1^2 + q2^2 + q3^2", 1.0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double found = value_of(cases[i].text);
        TEST_ASSERT_TRUE_MESSAGE(fabs(found - cases[i].value) <= 4e-16 * (1.0 + fabs(cases[i].value)), cases[i].text);
    }
}

void test_expression_vectors_have_products_and_lengths(void)
{
    const double *a = momentum, *b = momentum + 3;
    double dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2], length = sqrt(b[0] * b[0] + b[1] * b[1] + b[2] * b[2]);
    TEST_ASSERT_EQUAL_DOUBLE(dot, value_of("Pi.P"));
    TEST_ASSERT_EQUAL_DOUBLE(dot, value_of("dot(Pi, P)"));
    TEST_ASSERT_EQUAL_DOUBLE(length, value_of("|P|"));
    TEST_ASSERT_EQUAL_DOUBLE(length, value_of("norm(P)"));
    TEST_ASSERT_EQUAL_DOUBLE(b[2] / length, value_of("P3/|P|"));
    TEST_ASSERT_TRUE(fabs(value_of("cross(Pi, P).Pi")) < 1e-15);
    TEST_ASSERT_TRUE(fabs(value_of("|cross(Pi, P)|^2 + (Pi.P)^2 - (Pi.Pi)*(P.P)")) < 1e-14);
    TEST_ASSERT_TRUE(fabs(value_of("|2*Pi - P/4|^2 - 4*Pi.Pi + Pi.P - P.P/16")) < 1e-14);
    TEST_ASSERT_TRUE(fabs(value_of("|-Pi + P*3| - |P*3 - Pi|")) == 0.0);
}

void test_expression_errors_tell_the_place(void)
{
    static const struct {
        const char *text;
        int at;
        const char *part;
    } cases[] = {{"", 1, "found the end"},
                 {"Pi1 +* 2", 6, "found '*'"},
                 {"Pi1 + ", 7, "found the end"},
                 {"Pi4", 1, "there is no 'Pi4'"},
                 {"2 + Pj1", 5, "there is no 'Pj1'"},
                 {"Pi", 1, "vector"},
                 {"Pi1 + P", 5, "of a number and a vector"},
                 {"Pi*P", 3, "two vectors"},
                 {"1/P", 2, "divide by a vector"},
                 {"P^2", 2, "needs numbers"},
                 {"sin(P)", 1, "needs a number"},
                 {"(Pi1", 5, "expected ')'"},
                 {"|P1", 4, "expected '|'"},
                 {"Pi1 Pi2", 5, "operator or the end"},
                 {"atan2(1)", 8, "expected ','"},
                 {"sinus(1)", 1, "no function"},
                 {"1e999", 1, "too large"},
                 {"2 $ 3", 3, "found '$'"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expression e;
        expression_error error;
        TEST_ASSERT_FALSE_MESSAGE(expression_parse(&e, cases[i].text, &vehicle, "SE3", &error), cases[i].text);
        TEST_ASSERT_EQUAL_INT_MESSAGE(cases[i].at, error.at, cases[i].text);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(error.text, cases[i].part), error.text);
    }
}

void test_expression_depth_and_length_are_bounded(void)
{
    char text[400];
    expression e;
    expression_error error;
    for (int i = 0; i < 200; i++) text[i] = '(';
    text[200] = '\0';
    TEST_ASSERT_FALSE(expression_parse(&e, text, &vehicle, "SE3", &error));
    for (int i = 0; i < 398; i += 2) memcpy(text + i, "1+", 2);
    text[397] = '\0';
    TEST_ASSERT_FALSE(expression_parse(&e, text, &vehicle, "SE3", &error));
    TEST_ASSERT_NOT_NULL(strstr(error.text, "too long"));
    for (int i = 0; i < 200; i++) text[i] = '-';
    text[200] = '\0';
    TEST_ASSERT_FALSE(expression_parse(&e, text, &vehicle, "SE3", &error));
}

void test_expression_on_quaternions_has_attitude_but_no_place(void)
{
    expression e;
    expression_error error;
    const double q[4] = {0.5, -0.5, 0.5, 0.5};
    double R[9];
    lie_quat_to_matrix(R, q);
    TEST_ASSERT_TRUE(expression_parse(&e, "q2 + 10*R23 + 100*Gamma3", &body, "S3", &error));
    TEST_ASSERT_EQUAL_DOUBLE(q[2] + 10 * R[5] + 100 * R[8], expression_value(&e, 0.0, q, momentum));
    TEST_ASSERT_FALSE(expression_parse(&e, "P1", &body, "S3", &error));
    TEST_ASSERT_FALSE(expression_parse(&e, "m4", &body, "S3", &error));
    TEST_ASSERT_FALSE(expression_parse(&e, "x1", &body, "S3", &error));
}

void test_expression_without_a_value_is_not_a_number(void)
{
    TEST_ASSERT_TRUE(isnan(value_of("sqrt(-1)")));
    TEST_ASSERT_TRUE(isnan(value_of("0/0")));
}

void test_equation_is_left_minus_right(void)
{
    equation e;
    expression_error error;
    double g[12];
    element(g);
    TEST_ASSERT_TRUE(equation_parse(&e, "|P| = 1 + Pi1", &vehicle, "SE3", &error));
    double wanted = (value_of("|P|") - (1.0 + momentum[0])) / (2.0 + momentum[0]);
    TEST_ASSERT_EQUAL_DOUBLE(wanted, equation_event(&e, &vehicle, 0.0, g, momentum));
    TEST_ASSERT_FALSE(equation_parse(&e, "|P| - 4", &vehicle, "SE3", &error));
    TEST_ASSERT_EQUAL_INT(8, error.at);
    TEST_ASSERT_FALSE(equation_parse(&e, "|P| = 4 = 5", &vehicle, "SE3", &error));
    TEST_ASSERT_EQUAL_INT(9, error.at);
}
