/* SPDX-License-Identifier: MIT */
/* Whether the elimination of optimal control knows where its problem is convex: against the eigenvalues of the reduced
 * Hessian, dense, from LAPACK; and whether random targets of a vehicle whose inertia couples sway, which no thruster
 * acts on, with roll and yaw are all reached, at strict local minima. */
#include "tests/control/control_fixture.h"

#include "groups/num/indefinite.h"
#include "tests/control/control_band.h"

enum { NODES = 33, INPUTS = 5, STATES = 12, ALL = NODES * INPUTS };

static uint64_t seed;

void setUp(void)
{
    make_problems();
}

void tearDown(void)
{
}

/* in (-1, 1) */
static double random_number(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)(seed >> 11) / (double)(1ll << 52) - 1.0;
}

/* Symmetric matrices of known inertia, M D M^T and (0, M; M^T, 0) with a random M: the inertia is found, systems are
 * solved. */
void test_control_indefinite_factors_count_negative_eigenvalues(void)
{
    double M[20 * 20], A[20 * 20], F[20 * 20], x[20], b[20], y[20];
    int row[20], pair[20], pairs = 0;
    indefinite f;
    seed = 1;
    for (int trial = 0; trial < 2000; trial++) {
        int n = 1 + trial % 20, expected = 0;
        for (int i = 0; i < n * n; i++) M[i] = random_number() + (i % (n + 1) == 0 ? 2.0 : 0.0);
        memset(A, 0, sizeof A);
        for (int k = 0; k < n; k++) {
            double d = (random_number() < 0.0 ? -1.0 : 1.0) * (0.1 + fabs(random_number()));
            expected += d < 0.0;
            for (int i = 0; i < n * n; i++) A[i] += d * M[i / n * n + k] * M[i % n * n + k];
        }
        for (int i = 0; trial % 3 == 0 && n % 2 == 0 && i < n * n; i++) {
            int r = i / n, c = i % n, h = n / 2;
            A[i] = (r < h) == (c < h) ? 0.0 : r < h ? M[r * n + c - h] : M[c * n + r - h];
            expected = h;
        }
        memcpy(F, A, sizeof A);
        TEST_ASSERT_EQUAL_INT(expected, indefinite_factor(&f, n, F, row, pair));
        for (int i = 0; i < n; i++) pairs += pair[i], x[i] = random_number();
        for (int i = 0; i < n; i++) {
            b[i] = 0.0;
            for (int j = 0; j < n; j++) b[i] += A[i * n + j] * x[j];
        }
        indefinite_solve(&f, b, y);
        for (int i = 0; i < n; i++) TEST_ASSERT_DOUBLE_WITHIN(1e-6, x[i], b[i]);
    }
    TEST_ASSERT_TRUE(pairs > 1000); /* blocks of two are there */
    for (int i = 0; i < 4; i++) F[i] = 1.0;
    TEST_ASSERT_EQUAL_INT(-1, indefinite_factor(&f, 2, F, row, pair));
}

/* Arms of 0.5 m and 0.75 m on the slender body, no drag: manoeuvres that turn far. Coupling in parts of the mean of the
 * two inertias */
static void make_coupled(double coupling)
{
    const double *own = vehicle.inertia;
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 3; j++) vehicle_inputs.actuator[i].wrench[j] *= 5.0;
    memset(vehicle.linear_drag, 0, sizeof vehicle.linear_drag);
    for (int i = 0; i < 3; i += 2)
        vehicle.inertia[6 * i + 4] = vehicle.inertia[24 + i] = coupling * sqrt(own[7 * i] * own[28]);
    TEST_ASSERT_EQUAL(LIE_OK, lie_vehicle_system(&vehicle_inputs.base, &vehicle, NULL));
}

static lie_control_problem random_target(int number, double angle, double length)
{
    double x[6];
    lie_control_problem p = vehicle_problem(32);
    seed = 12345 + 977 * (uint64_t)number;
    for (int i = 0; i < 5; i++) random_number();
    for (int i = 0; i < 6; i++) x[i] = (i < 3 ? angle : length) * random_number();
    lie_se3_exp(to_se3, x);
    p.retraction = number % 2 ? "cay" : "exp";
    return p;
}

/* H (ALL x ALL) and A (rows x ALL) of the problem at the iterate in all inputs, z being linear in them */
static void fill_dense(lie_control *solved, double *H, double *A)
{
    static control_linear at[NODES];
    static double Z[NODES][STATES][ALL], HZ[STATES + INPUTS][ALL];
    const int columns = STATES + INPUTS + 1;
    for (int k = 32; k >= 0; k--) TEST_ASSERT_EQUAL(LIE_OK, lie__control_linearise(solved, k, &at[k]));
    memset(Z, 0, sizeof Z);
    memset(H, 0, ALL * ALL * sizeof *H);
    for (int k = 0; k < NODES; k++) {
        double *next = k < 32 ? Z[k + 1][0] : A;
        memset(HZ, 0, sizeof HZ);
        for (int i = 0; i < STATES; i++)
            for (int c = 0; c < ALL; c++) {
                double sum = c / INPUTS == k ? at[k].step[i * columns + STATES + c % INPUTS] : 0.0;
                for (int j = 0; j < STATES; j++) sum += at[k].step[i * columns + j] * Z[k][j][c];
                next[i * ALL + c] = sum;
            }
        for (int i = 0; i < STATES + INPUTS; i++) /* half of the symmetric part twice */
            for (int j = 0; j < STATES + INPUTS; j++) {
                double h = 0.5 * (at[k].hessian[i * columns + j] + at[k].hessian[j * columns + i]);
                if (i == j && i >= STATES)
                    h += node_weight(&solved->problem, k) * solved->problem.inputs.weight[i - STATES];
                if (j >= STATES) HZ[i][k * INPUTS + j - STATES] += h;
                for (int c = 0; j < STATES && c < ALL; c++) HZ[i][c] += h * Z[k][j][c];
            }
        for (int i = 0; i < STATES + INPUTS; i++)
            for (int r = 0; r < ALL; r++) {
                double z = i < STATES ? Z[k][i][r] : r == k * INPUTS + i - STATES ? 1.0 : 0.0;
                for (int c = 0; z != 0.0 && c < ALL; c++) H[r * ALL + c] += z * HZ[i][c];
            }
    }
}

/* The smallest and the largest eigenvalue of Q^T H Q, Q spanning the null space of A, in units of h w */
static void reduced_eigenvalues(lie_control *c, double *least, double *most)
{
    static double H[ALL * ALL], A[STATES * ALL], tau[STATES], R[ALL * ALL], eigenvalue[ALL];
    const int left = ALL - STATES;
    fill_dense(c, H, A); /* A by rows is A^T by columns */
    TEST_ASSERT_EQUAL_INT(0, LAPACKE_dgeqrf(LAPACK_COL_MAJOR, ALL, STATES, A, ALL, tau));
    TEST_ASSERT_EQUAL_INT(0, LAPACKE_dormqr(LAPACK_COL_MAJOR, 'L', 'T', ALL, ALL, STATES, A, ALL, tau, H, ALL));
    TEST_ASSERT_EQUAL_INT(0, LAPACKE_dormqr(LAPACK_COL_MAJOR, 'R', 'N', ALL, ALL, STATES, A, ALL, tau, H, ALL));
    for (int i = 0; i < left; i++)
        for (int j = 0; j < left; j++) R[i * left + j] = H[(i + STATES) * ALL + j + STATES] / c->problem.h;
    TEST_ASSERT_EQUAL_INT(0, LAPACKE_dsyev(LAPACK_COL_MAJOR, 'N', 'L', left, R, left, eigenvalue));
    *least = eigenvalue[0], *most = eigenvalue[left - 1];
}

/* On the way to random targets the sweep without damping succeeds exactly where the reduced Hessian is positive,
 * whatever the anchor, and is then the solution of the banded system. */
void test_control_sweep_fails_exactly_where_the_problem_is_not_convex(void)
{
    static const double anchor[3] = {1.0, 0.0, 1e-5};
    double kept[CONTROL_ROWS * CONTROL_ROWS], least, most, apart = 0.0, nearest = HUGE_VAL;
    int convex = 0, concave = 0, indefinite_pivots = 0;
    control_band band;
    make_coupled(0.1);
    for (int number = 0; number < 24; number++) {
        lie_control_problem p = random_target(number, 1.0, 2.0);
        begin(&p);
        for (int count = 4; count <= 20; count += 8) {
            lie_control_options opt = {.max_iterations = count};
            TEST_ASSERT_EQUAL(LIE_OK, lie_control_line(control, 0));
            lie_status status = lie_control_solve(control, &opt);
            if (status != LIE_OK && status != LIE_ERR_NO_CONVERGENCE) continue;
            lie_control *c = control;
            c->linear.curvature = 1.0, c->step.damping = 0.0;
            reduced_eigenvalues(c, &least, &most);
            nearest = fmin(nearest, fabs(least));
            convex += least > 0.0, concave += least < 0.0;
            memcpy(kept, c->step.anchor, sizeof kept);
            for (int i = 0; i < 3; i++) {
                for (int j = 0; j < c->problem.ends.rows * c->problem.ends.rows; j++)
                    c->step.anchor[j] = anchor[i] * kept[j];
                status = lie__control_sweep_back(c);
                TEST_ASSERT_EQUAL_STRING(least > 0.0 ? "LIE_OK" : "LIE_ERR_SINGULAR", lie_status_name(status));
                if (status != LIE_OK) continue;
                indefinite_pivots += c->step.negative > 0;
                TEST_ASSERT_TRUE(band_make(&band, c));
                TEST_ASSERT_EQUAL(LIE_OK, lie__control_sweep_forward(c));
                TEST_ASSERT_EQUAL(LIE_OK, band_fill(&band, c));
                TEST_ASSERT_EQUAL_INT(0, band_solve(&band));
                double size = 0.0, off = 0.0;
                for (int k = 0; k < ALL; k++) {
                    double theirs = band.right[k / INPUTS * (2 * STATES + INPUTS) + 2 * STATES + k % INPUTS];
                    off = fmax(off, fabs(c->step.du[k] - theirs));
                    size = fmax(size, fmax(fabs(theirs), fabs(c->iterate.now.u[k])));
                }
                apart = fmax(apart, off / size);
                band_free(&band);
            }
        }
    }
    printf(
        "  %d iterates convex, %d not, eigenvalue nearest to 0: %.1e; %d sweeps with indefinite pivots; steps differ by"
        " %.0e\n",
        convex, concave, nearest, indefinite_pivots, apart);
    TEST_ASSERT_TRUE(convex >= 10 && concave >= 10 && indefinite_pivots >= 10);
    TEST_ASSERT_TRUE(apart < 1e-6);
}

/* A tolerance below what the arithmetic gives ends at the floor, and says so. */
void test_control_says_whether_the_tolerance_was_met(void)
{
    lie_control_options opt = {.tolerance = 1e-25};
    lie_control_problem p = so3_problem(32);
    solve(&p);
    TEST_ASSERT_EQUAL_INT(0, answer->last.floor);
    TEST_ASSERT_TRUE(answer->last.residual <= 1e-11);
    TEST_ASSERT_EQUAL(LIE_OK, lie_control_line(control, 0));
    TEST_ASSERT_EQUAL(LIE_OK, lie_control_solve(control, &opt));
    TEST_ASSERT_EQUAL_INT(1, answer->last.floor);
    TEST_ASSERT_TRUE(answer->last.residual < 1e-9);
    TEST_ASSERT_EQUAL_DOUBLE(1.0, answer->last.convex);
}

/* All of them: strict local minima, which are flown to the target */
void test_control_reaches_random_targets_with_coupled_inertia(void)
{
    double least, most, lowest = HUGE_VAL, missed = 0.0;
    int iterations = 0, longest = 0, reached = 0, count = 60;
    make_coupled(0.1);
    for (int number = 0; number < count; number++) {
        lie_control_problem p = random_target(number, 1.0, 2.0);
        begin(&p);
        lie_status status = lie_control_solve(control, NULL);
        if (status != LIE_OK) printf("  target %d: %s\n", number, lie_status_name(status));
        if (status != LIE_OK) continue;
        reached++;
        iterations += answer->last.iteration;
        if (answer->last.iteration > longest) longest = answer->last.iteration;
        missed = fmax(missed, flown_miss(&p));
        TEST_ASSERT_EQUAL_DOUBLE(1.0, answer->last.convex);
        TEST_ASSERT_TRUE(answer->last.residual <= (answer->last.floor ? 1e-9 : 1e-11));
        if (number % 10 != 0) continue;
        control->linear.curvature = 1.0, control->step.damping = 0.0;
        reduced_eigenvalues(control, &least, &most);
        lowest = fmin(lowest, least);
    }
    printf("  %d of %d targets, %.1f iterations, %d at most; flown: off by %.0e; smallest eigenvalue %.1e\n", reached,
           count, (double)iterations / reached, longest, missed, lowest);
    TEST_ASSERT_EQUAL_INT(count, reached);
    TEST_ASSERT_TRUE(lowest > 0.0);
    TEST_ASSERT_TRUE(missed < 1e-9);
}

/* A strict minimum at which pivots are negative with the anchor of the first iterate: rounding would keep the residual
 * at 1e-8, were it not raised. */
void test_control_raises_the_anchor_where_pivots_are_negative(void)
{
    make_coupled(0.2);
    lie_control_problem p = random_target(54, 1.0, 2.0);
    solve(&p);
    TEST_ASSERT_TRUE(control->step.anchored > 1);
    TEST_ASSERT_EQUAL_INT(0, answer->last.floor);
    TEST_ASSERT_TRUE(answer->last.residual <= 1e-11);
    TEST_ASSERT_EQUAL_DOUBLE(1.0, answer->last.convex);
}
