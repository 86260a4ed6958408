/* SPDX-License-Identifier: MIT */
/* Principal axes of an inertia. */
#include "groups/num/principal.h"

#include "groups/num/vec3.h"
#include "tests/support/inertia.h"
#include "tests/support/near.h"

void setUp(void)
{
}

void tearDown(void)
{
}

/* A = V diag V^T, V a rotation, moments in order; a diagonal matrix is only reordered. */
void test_principal_axes(void)
{
    lie_random rng = {55u};
    for (int k = 0; k < 3000; k++) {
        double A[9], I[3], V[9], low[9], B[9] = {0.0}, E[9] = {0.0}, one[9] = {[0] = 1.0, [4] = 1.0, [8] = 1.0};
        random_inertia(&rng, 3, A, k % 3 ? 0.5 : 1e4);
        if (k % 7 == 0) A[1] = A[3] = A[2] = A[6] = 0.0;
        if (k % 5 == 0) A[4] = A[0];
        lie__principal(I, V, low, A);
        TEST_ASSERT_TRUE(I[0] <= I[1] && I[1] <= I[2]);
        double size = norm(9, A);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                for (int l = 0; l < 3; l++) {
                    B[3 * i + j] += V[3 * i + l] * (I[l] / size) * V[3 * j + l];
                    E[3 * i + j] += V[3 * l + i] * V[3 * l + j];
                }
        for (int i = 0; i < 9; i++) A[i] /= size;
        NEAR(9, B, A, 8.0);
        NEAR(9, E, one, 8.0);
        double cross[3];
        cross3(cross, V, V + 3);
        TEST_ASSERT_TRUE(dot3(cross, V + 6) > 0.9);
    }
}
