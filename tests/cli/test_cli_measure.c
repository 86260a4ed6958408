/* SPDX-License-Identifier: MIT */
/* The measurements of `liestep check`: their models are right, the true motion is true, what is broken is seen. */
#include <math.h>
#include <string.h>

#include "cli/work/claims.h"
#include "unity.h"

static const lie_method *method(const char *name)
{
    const lie_method *m = NULL;
    TEST_ASSERT_EQUAL(LIE_OK, lie_method_find(&m, name));
    return m;
}

/* The built-in groups, R^3 and R^2 x SO3. */
static const lie_ops *group_at(int i)
{
    static lie_ops flat, plane, both;
    static const lie_ops *factor[2] = {&plane, &lie_so3_exp_ops};
    static const lie_product product = {2, factor};
    int rest = i - lie_ops_builtin_count();
    TEST_ASSERT_EQUAL(LIE_OK, lie_rn_ops(&flat, 3, "exp"));
    TEST_ASSERT_EQUAL(LIE_OK, lie_rn_ops(&plane, 2, "exp"));
    TEST_ASSERT_EQUAL(LIE_OK, lie_product_ops(&both, &product));
    return rest < 0 ? lie_ops_builtin(i) : rest == 0 ? &flat : rest == 1 ? &both : NULL;
}

void test_measure_models_have_right_derivatives(void)
{
    for (int i = 0; group_at(i); i++)
        for (int kind = 0; kind < MODEL_KINDS; kind++) {
            const lie_ops *G = group_at(i);
            lie_system_report report;
            lie_state s;
            model M;
            double xi[MODEL_DIM];
            TEST_ASSERT_EQUAL(LIE_OK, model_make(&M, G, (model_kind)kind));
            TEST_ASSERT_EQUAL(LIE_OK, model_start(&M, &s, 1));
            TEST_ASSERT_EQUAL(LIE_OK, lie_state_velocity(&M.system, xi, &s));
            TEST_ASSERT_EQUAL(LIE_OK, lie_system_compare_derivatives(&M.system, &report, 0.0, s.g, xi, NULL));
            TEST_ASSERT_TRUE_MESSAGE(report.error < 1e-9, G->group);
        }
}

/* Energy constant, and back to the start; in the same place as with the best stepper. */
void test_measure_true_motion_is_true(void)
{
    static double work[1 << 14];
    for (int i = 0; group_at(i); i++) {
        const lie_ops *G = group_at(i);
        model M;
        lie_state start, end, other;
        lie_stepper *st;
        double before, after;
        TEST_ASSERT_EQUAL(LIE_OK, model_make(&M, G, MODEL_POTENTIAL));
        TEST_ASSERT_EQUAL(LIE_OK, model_start(&M, &start, 0));
        other = end = start;
        TEST_ASSERT_EQUAL(LIE_OK, model_true_motion(&M, &end, 3.0));
        lie_state_energy(&M.system, &before, &start);
        lie_state_energy(&M.system, &after, &end);
        TEST_ASSERT_TRUE_MESSAGE(fabs(after - before) < 2e-14 * (1.0 + fabs(before)), G->group);
        TEST_ASSERT_EQUAL(LIE_OK,
                          lie_stepper_init(&st, &M.system, &(lie_options){.method = "gauss4"}, work, sizeof work));
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(st, &other, 0.03, 100));
        for (int k = 0; k < G->size; k++)
            TEST_ASSERT_TRUE_MESSAGE(fabs(other.g[k] - end.g[k]) < 3e-14 * (1.0 + fabs(end.g[k])), G->group);
        for (int k = 0; k < G->dim; k++)
            TEST_ASSERT_TRUE_MESSAGE(fabs(other.m[k] - end.m[k]) < 3e-14 * (1.0 + fabs(end.m[k])), G->group);
    }
}

void test_measure_confirms_a_good_method_on_every_group(void)
{
    for (int i = 0; group_at(i); i++) {
        measurement found;
        claim claims[CLAIMS];
        TEST_ASSERT_EQUAL(LIE_OK, measure_method(&found, group_at(i), method("sv"), NULL));
        claims_judge(claims, method("sv"), group_at(i), NULL, &found);
        for (int k = 0; k < CLAIMS; k++) TEST_ASSERT_NOT_EQUAL_MESSAGE(CLAIM_BROKEN, claims[k].holds, claims[k].name);
    }
}

/* Orders that show only with long steps: within 5 %, as those of all others. */
void test_measure_tells_high_orders(void)
{
    static const char *const names[] = {"dmv10", "pirk12", "gauss6", "pirk16", "gauss8"};
    for (int i = 0; group_at(i); i++)
        for (int k = 0; k < 5; k++) {
            measurement found;
            const lie_method *m = method(names[k]);
            lie_status status = measure_method(&found, group_at(i), m, NULL);
            if (status == LIE_ERR_METHOD) continue;
            TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, status, m->name);
            TEST_ASSERT_TRUE_MESSAGE(fabs(found.order - m->order) < 0.05 * m->order, m->name);
        }
}

/* The tangent of another map: the solve is that of exp, the move that of cay. */
void test_measure_sees_a_lost_symplectic_form(void)
{
    lie_ops G = lie_so3_cay_ops;
    measurement found;
    claim claims[CLAIMS];
    G.dtau = lie_so3_exp_ops.dtau;
    G.dtaut = lie_so3_exp_ops.dtaut;
    G.dtauinv = lie_so3_exp_ops.dtauinv;
    G.dtauinvt = lie_so3_exp_ops.dtauinvt;
    G.dtau_body_deriv = lie_so3_exp_ops.dtau_body_deriv;
    G.legendre = NULL;
    TEST_ASSERT_EQUAL(LIE_OK, measure_method(&found, &G, method("sv"), NULL));
    claims_judge(claims, method("sv"), &G, NULL, &found);
    TEST_ASSERT_TRUE(found.symplectic > 1e-6);
    TEST_ASSERT_EQUAL(CLAIM_BROKEN, claims[CLAIM_SYMPLECTIC].holds);
    TEST_ASSERT_EQUAL(CLAIM_HOLDS, claims[CLAIM_MOMENTUM].holds);
}

/* The momentum is carried by a map that is not Ad*, by one part in 10^9. */
static void wrong_Adt(const lie_ops *G, double *out, const double *g, const double *m)
{
    lie_so3_exp_ops.Adt(G, out, g, m);
    out[0] *= 1.0 + 1e-9;
}

void test_measure_sees_a_lost_momentum(void)
{
    lie_ops G = lie_so3_exp_ops;
    measurement found;
    claim claims[CLAIMS];
    G.Adt = wrong_Adt;
    G.move = NULL;
    G.legendre = NULL;
    TEST_ASSERT_EQUAL(LIE_OK, measure_method(&found, &G, method("midpoint"), NULL));
    claims_judge(claims, method("midpoint"), &G, NULL, &found);
    TEST_ASSERT_EQUAL(CLAIM_BROKEN, claims[CLAIM_MOMENTUM].holds);
}

/* Stepping beyond what the judge allows, on a copy of a good measurement. */
void test_measure_claims_have_two_sides(void)
{
    lie_method m = *method("sv");
    measurement good = {.order = 2.01, .points = 9, .symplectic = 1e-13, .momentum = 1e-14, .self_adjoint = 1e-15};
    claim claims[CLAIMS];
    good.iterations = 2.0;
    claims_judge(claims, &m, &lie_so3_exp_ops, NULL, &good);
    TEST_ASSERT_EQUAL_INT(0, claims_broken(claims));
    good.order = 2.2;
    claims_judge(claims, &m, &lie_so3_exp_ops, NULL, &good);
    TEST_ASSERT_EQUAL(CLAIM_BROKEN, claims[CLAIM_ORDER].holds);
    good.order = 2.0, m.symplectic = 0, m.momentum = 0, m.self_adjoint = LIE_NEVER;
    claims_judge(claims, &m, &lie_so3_exp_ops, NULL, &good);
    TEST_ASSERT_EQUAL_INT(3, claims_broken(claims));
    m.self_adjoint = LIE_WITH_EXP;
    claims_judge(claims, &m, &lie_so3_exp_ops, NULL, &good);
    TEST_ASSERT_EQUAL(CLAIM_HOLDS, claims[CLAIM_SELF_ADJOINT].holds);
    claims_judge(claims, &m, &lie_so3_cay_ops, NULL, &good);
    TEST_ASSERT_EQUAL(CLAIM_BROKEN, claims[CLAIM_SELF_ADJOINT].holds);
}
