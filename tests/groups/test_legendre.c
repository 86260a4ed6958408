/* SPDX-License-Identifier: MIT */
/* The inverse discrete Legendre transform of every group that has one of its own: against its equation, against the
 * branch followed from h = 0 in many small steps, from any first guess, in any units; and the free steps made of it. */
#include <liestep/s3.h>
#include <liestep/so3.h>

#include "tests/support/inertia.h"
#include "tests/support/near.h"

enum { GMAX = 12, DATA = 64 };

static const lie_ops *all(int i)
{
    return lie_ops_builtin(i);
}

/* The i-th group with a short cut for the Legendre transform; null behind the last. */
static const lie_ops *with_legendre(int i)
{
    for (int k = 0; all(k); k++)
        if (all(k)->legendre && i-- == 0) return all(k);
    return NULL;
}

static int is_cay(const lie_ops *G)
{
    return strcmp(G->retraction, "cay") == 0;
}

/* p = (dtau^-1_{h xi})^T I xi; 0 outside the domain */
static int forward(const lie_ops *G, double *p, const double *inertia, double h, const double *xi)
{
    double x[NMAX], mu[NMAX];
    for (int i = 0; i < G->dim; i++) x[i] = h * xi[i];
    apply(G->dim, mu, inertia, xi);
    return G->dtauinvt(G, p, x, mu) == LIE_OK;
}

/* r = I xi - (dtau_{h xi})^T p */
static void equation(const lie_ops *G, double *r, const double *inertia, double h, const double *p, const double *xi)
{
    double x[NMAX], mu[NMAX];
    for (int i = 0; i < G->dim; i++) x[i] = h * xi[i];
    apply(G->dim, mu, inertia, xi);
    TEST_ASSERT_EQUAL(LIE_OK, G->dtaut(G, r, x, p));
    for (int i = 0; i < G->dim; i++) r[i] = mu[i] - r[i];
}

/* One Newton step with a Jacobian by differences; returns the size of the step relative to xi. */
static double newton_step(const lie_ops *G, double *xi, const double *inertia, double h, const double *p)
{
    double J[NMAX * NMAX], r[NMAX], up[NMAX], down[NMAX], y[NMAX];
    int n = G->dim;
    double d = 1e-6 * (norm(n, xi) + 1e-9);
    equation(G, r, inertia, h, p, xi);
    for (int j = 0; j < n; j++) {
        memcpy(y, xi, (size_t)n * sizeof *y);
        y[j] = xi[j] + d;
        equation(G, up, inertia, h, p, y);
        y[j] = xi[j] - d;
        equation(G, down, inertia, h, p, y);
        for (int i = 0; i < n; i++) J[i * n + j] = (up[i] - down[i]) / (2.0 * d);
    }
    gauss(n, J, r);
    for (int i = 0; i < n; i++) xi[i] -= r[i];
    return norm(n, r) / norm(n, xi);
}

/* The branch from h = 0 in steps so small that Newton's method hardly moves; 0 where it does: a fold is near. */
static int reference(const lie_ops *G, double *xi, const double *inertia, double h, const double *p)
{
    enum { STEPS = 200 };
    inverse_times(G->dim, xi, inertia, p);
    for (int k = 1; k <= STEPS; k++) {
        double step = 1.0;
        for (int i = 0; i < 4; i++) {
            step = newton_step(G, xi, inertia, h * k / STEPS, p);
            if (!(step < 0.05)) return 0;
        }
        if (!(step < 1e-8)) return 0;
    }
    return 1;
}

static lie_status solve(const lie_ops *G, double *xi, const double *inertia, double h, const double *p, lie_solve *info)
{
    double data[DATA];
    TEST_ASSERT_TRUE(G->legendre->doubles(G) <= DATA);
    TEST_ASSERT_EQUAL(LIE_OK, G->legendre->prepare(G, data, inertia));
    *info = (lie_solve){50, 0, 0.0};
    return G->legendre->solve(G, xi, h, data, p, info);
}

/* The residual of (dtau^-1)^T I xi = p relative to p, in eps */
static double residual(const lie_ops *G, const double *inertia, double h, const double *p, const double *xi)
{
    double q[NMAX];
    if (!forward(G, q, inertia, h, xi)) return HUGE_VAL;
    for (int i = 0; i < G->dim; i++) q[i] -= p[i];
    return norm(G->dim, q) / norm(G->dim, p) / DBL_EPSILON;
}

static void say(char *text, size_t size, const lie_ops *G, const char *what, double h, double figure)
{
    snprintf(text, size, "%s %s: %s, h %.3g, %.3g", G->group, G->retraction, what, h, figure);
}

/* Every fourth body has its axes along those of the frame: SE(3) takes fewer products then. */
static void random_body(lie_random *rng, const lie_ops *G, double *inertia, double spread, int k)
{
    random_inertia(rng, G->dim, inertia, spread);
    for (int i = 0; i < G->dim * G->dim; i++)
        if (k % 4 == 1 && i % (G->dim + 1) != 0) inertia[i] = 0.0;
}

static const double sizes[] = {1e-300, 1e-160, 1e-8, 1e-3, 0.005, 0.02, 0.05, 0.2, 0.5, 1.0, 1.5, 2.0};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

/* For a body of ordinary shape every step up to |h xi| = 2 is solved, to round-off, and xi comes back. */
void test_legendre_ordinary_bodies_are_solved_to_round_off(void)
{
    lie_random rng = {4242u};
    char text[120];
    for (int g = 0; with_legendre(g); g++) {
        const lie_ops *G = with_legendre(g);
        double worst = 0.0;
        for (int k = 0; k < 40 * SIZES; k++) {
            double inertia[NMAX * NMAX], xi[NMAX], p[NMAX], found[NMAX];
            double h = (k % 3 == 0 ? -1.0 : 1.0) * (0.01 + fabs(random_double(&rng, 1.0)));
            lie_solve info;
            random_body(&rng, G, inertia, 0.3, k / SIZES);
            random_vector(&rng, G->dim, xi, 1.0);
            double length = norm(G->dim, xi);
            for (int i = 0; i < G->dim; i++) xi[i] *= sizes[k % SIZES] / (fabs(h) * length);
            TEST_ASSERT_TRUE(forward(G, p, inertia, h, xi));
            inverse_times(G->dim, found, inertia, p);
            lie_status status = solve(G, found, inertia, h, p, &info);
            double off = residual(G, inertia, h, p, found);
            say(text, sizeof text, G, lie_status_name(status), h, sizes[k % SIZES]);
            TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, status, text);
            say(text, sizeof text, G, "residual in eps", h, off);
            TEST_ASSERT_TRUE_MESSAGE(off <= 12.0, text);
            TEST_ASSERT_TRUE(info.iterations >= 1 && info.residual <= 0x1p-46);
            for (int i = 0; i < G->dim; i++) found[i] -= xi[i];
            say(text, sizeof text, G, "not the xi it came from", h, norm(G->dim, found) / norm(G->dim, xi));
            TEST_ASSERT_TRUE_MESSAGE(norm(G->dim, found) <= 1e-12 * norm(G->dim, xi), text);
            worst = off > worst ? off : worst;
        }
        printf("%s %s: residual up to %.2f eps\n", G->group, G->retraction, worst);
    }
}

/* A small step needs few iterations from I^-1 p, one where the guess is nearly right: the derivatives are right. */
void test_legendre_converges_fast(void)
{
    static const struct {
        double size;
        int most;
    } cases[] = {{0.001, 3}, {0.05, 5}, {0.2, 12}};
    lie_random rng = {860u};
    char text[120];
    for (int g = 0; with_legendre(g); g++) {
        const lie_ops *G = with_legendre(g);
        for (int k = 0; k < 150; k++) {
            double inertia[NMAX * NMAX], p[NMAX], xi[NMAX], guess[NMAX];
            lie_solve info;
            random_body(&rng, G, inertia, 0.3, k / 3);
            random_vector(&rng, G->dim, xi, cases[k % 3].size);
            TEST_ASSERT_TRUE(forward(G, p, inertia, 1.0, xi));
            inverse_times(G->dim, guess, inertia, p);
            TEST_ASSERT_EQUAL(LIE_OK, solve(G, guess, inertia, 1.0, p, &info));
            say(text, sizeof text, G, "iterations", cases[k % 3].size, info.iterations);
            TEST_ASSERT_TRUE_MESSAGE(info.iterations <= cases[k % 3].most, text);
            for (int i = 0; i < G->dim; i++) guess[i] = xi[i] * (1.0 + 1e-10 * random_double(&rng, 1.0));
            TEST_ASSERT_EQUAL(LIE_OK, solve(G, guess, inertia, 1.0, p, &info));
            say(text, sizeof text, G, "iterations from a good guess", cases[k % 3].size, info.iterations);
            int most = k % 3 == 0 ? 1 : k % 3 == 1 ? (G->dim == 6 ? 1 : 3) : 12;
            if (G->legendre->wants_guess) TEST_ASSERT_TRUE_MESSAGE(info.iterations <= most, text);
        }
    }
}

/* Bodies of any shape, steps of any length: the branch from h = 0, or an honest no. */
void test_legendre_any_body_gives_the_branch_from_zero_or_says_no(void)
{
    lie_random rng = {515151u};
    char text[120];
    for (int g = 0; with_legendre(g); g++) {
        const lie_ops *G = with_legendre(g);
        int solved = 0, refused = 0, compared = 0;
        for (int k = 0; k < 150; k++) {
            double inertia[NMAX * NMAX], p[NMAX], found[NMAX], ref[NMAX], h = k % 2 ? 1.0 : -1.0;
            lie_solve info;
            random_inertia(&rng, G->dim, inertia, k % 5 == 0 ? 30.0 : 3.0);
            random_vector(&rng, G->dim, p, 1.0);
            inverse_times(G->dim, found, inertia, p);
            double factor = (0.05 + 3.0 * fabs(random_double(&rng, 1.0))) / norm(G->dim, found);
            for (int i = 0; i < G->dim; i++) p[i] *= factor, found[i] *= factor;
            int known = reference(G, ref, inertia, h, p);
            lie_status status = solve(G, found, inertia, h, p, &info);
            refused += status != LIE_OK;
            if (status != LIE_OK) continue;
            solved++;
            double off = residual(G, inertia, h, p, found);
            say(text, sizeof text, G, "residual in eps", h, off);
            TEST_ASSERT_TRUE_MESSAGE(off <= 200.0, text);
            if (!known) continue;
            compared++;
            for (int i = 0; i < G->dim; i++) ref[i] -= found[i];
            say(text, sizeof text, G, "another branch", h, norm(G->dim, ref) / norm(G->dim, found));
            TEST_ASSERT_TRUE_MESSAGE(norm(G->dim, ref) <= 1e-7 * norm(G->dim, found), text);
        }
        printf("%s %s: solved %d, refused %d, compared %d\n", G->group, G->retraction, solved, refused, compared);
        TEST_ASSERT_TRUE(compared > 100 && refused < 10);
    }
}

/* Cayley has no edge: |h xi| = 10 and 1000. */
void test_legendre_cay_far_beyond_a_sensible_step(void)
{
    lie_random rng = {99u};
    char text[120];
    for (int g = 0; with_legendre(g); g++) {
        const lie_ops *G = with_legendre(g);
        int solved = 0, tried = 0;
        for (int k = 0; k < 60 && is_cay(G); k++) {
            double inertia[NMAX * NMAX], xi[NMAX], p[NMAX], found[NMAX], size = k % 2 ? 10.0 : 1e3;
            lie_solve info;
            random_inertia(&rng, G->dim, inertia, 0.3);
            random_vector(&rng, G->dim, xi, 1.0);
            for (int i = 0; i < G->dim; i++) xi[i] *= size;
            TEST_ASSERT_TRUE(forward(G, p, inertia, 1.0, xi));
            inverse_times(G->dim, found, inertia, p);
            tried++;
            if (solve(G, found, inertia, 1.0, p, &info) != LIE_OK) continue;
            solved++;
            double off = residual(G, inertia, 1.0, p, found);
            say(text, sizeof text, G, "residual in eps", 1.0, off);
            TEST_ASSERT_TRUE_MESSAGE(off <= 1e3 * size, text);
        }
        if (is_cay(G)) printf("%s %s: solved %d of %d\n", G->group, G->retraction, solved, tried);
        TEST_ASSERT_TRUE(solved >= tried / 2);
    }
}

/* Wherever the iteration starts, it ends at the same velocity. */
void test_legendre_first_guess_does_not_matter(void)
{
    lie_random rng = {7007u};
    char text[120];
    for (int g = 0; with_legendre(g); g++) {
        const lie_ops *G = with_legendre(g);
        int n = G->dim;
        for (int k = 0; k < 120; k++) {
            double inertia[NMAX * NMAX], p[NMAX], first[NMAX], guess[NMAX], h = 0.7;
            lie_solve info;
            random_inertia(&rng, n, inertia, 1.0);
            random_vector(&rng, n, p, k % 10 ? 0.1 + 0.02 * k : 1e-11);
            inverse_times(n, first, inertia, p);
            if (solve(G, first, inertia, h, p, &info) != LIE_OK) continue;
            for (int t = 0; t < 5; t++) {
                static const double far[5] = {0.0, 1e-8, 3.0, 1e5, 1e200};
                random_vector(&rng, n, guess, far[t]);
                for (int i = 0; i < n && t < 3; i++) guess[i] += first[i];
                if (t == 4 && k % 2) guess[k % n] = (double)NAN;
                TEST_ASSERT_EQUAL(LIE_OK, solve(G, guess, inertia, h, p, &info));
                for (int i = 0; i < n; i++) guess[i] -= first[i];
                say(text, sizeof text, G, "depends on the guess", far[t], norm(n, guess) / norm(n, first));
                TEST_ASSERT_TRUE_MESSAGE(norm(n, guess) <= 1e-13 * norm(n, first), text);
            }
        }
    }
}

/* xi(h/l, l p) = l xi(h, p), also where squares of h or p overflow or vanish; xi(h, p; l I) = xi(h, p/l; I). */
void test_legendre_does_not_depend_on_units(void)
{
    static const int powers[] = {-900, -500, -300, -40, 40, 300, 500, 900};
    lie_random rng = {31u};
    for (int g = 0; with_legendre(g); g++) {
        const lie_ops *G = with_legendre(g);
        int n = G->dim;
        for (int k = 0; k < 8 * 8; k++) {
            double inertia[NMAX * NMAX], p[NMAX], xi[NMAX], scaled[NMAX], h = 0.02 + 0.9 * (k / 8 % 2);
            lie_solve info;
            int power = powers[k % 8], of_inertia = k / 16 % 2;
            random_inertia(&rng, n, inertia, 0.5);
            random_vector(&rng, n, p, 1.0);
            inverse_times(n, xi, inertia, p);
            memcpy(scaled, xi, sizeof xi);
            TEST_ASSERT_EQUAL(LIE_OK, solve(G, xi, inertia, h, p, &info));
            for (int i = 0; i < n * n && of_inertia; i++) inertia[i] = ldexp(inertia[i], power / 2);
            for (int i = 0; i < n; i++) p[i] = ldexp(p[i], of_inertia ? power / 2 : power);
            for (int i = 0; i < n && !of_inertia; i++) scaled[i] = ldexp(scaled[i], power);
            TEST_ASSERT_EQUAL(LIE_OK, solve(G, scaled, inertia, of_inertia ? h : ldexp(h, -power), p, &info));
            for (int i = 0; i < n && !of_inertia; i++) scaled[i] = ldexp(scaled[i], -power);
            NEAR(n, scaled, xi, 40);
        }
    }
}

void test_legendre_edges(void)
{
    for (int g = 0; with_legendre(g); g++) {
        const lie_ops *G = with_legendre(g);
        lie_random rng = {11u};
        double inertia[NMAX * NMAX], p[NMAX] = {0.0}, xi[NMAX], bad[NMAX];
        lie_solve info;
        random_inertia(&rng, G->dim, inertia, 0.5);
        random_vector(&rng, G->dim, xi, 1.0);
        TEST_ASSERT_EQUAL(LIE_OK, solve(G, xi, inertia, 0.1, p, &info));
        for (int i = 0; i < G->dim; i++) TEST_ASSERT_TRUE(xi[i] == 0.0);
        random_vector(&rng, G->dim, xi, 1.0);
        TEST_ASSERT_EQUAL(LIE_OK, solve(G, xi, inertia, 1e200, p, &info));
        for (int i = 0; i < G->dim; i++) TEST_ASSERT_TRUE(xi[i] == 0.0);
        for (int i = 0; i < G->dim; i++) {
            static const double wrong[3] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
            random_vector(&rng, G->dim, bad, 1.0);
            bad[i] = wrong[i % 3];
            REFUSED(LIE_ERR_NOT_FINITE, G->dim, xi, solve(G, xi, inertia, 0.1, bad, &info));
        }
        random_vector(&rng, G->dim, p, 1.0);
        REFUSED(LIE_ERR_NOT_FINITE, G->dim, xi, solve(G, xi, inertia, (double)NAN, p, &info));
        REFUSED(LIE_ERR_NOT_FINITE, G->dim, xi, solve(G, xi, inertia, (double)INFINITY, p, &info));
        for (int i = 0; i < G->dim; i++) p[i] *= 1e300;
        REFUSED(LIE_ERR_NOT_FINITE, G->dim, xi, solve(G, xi, inertia, 1e300, p, &info));
        /* h = 0 is the plain velocity */
        random_vector(&rng, G->dim, p, 1.0);
        inverse_times(G->dim, bad, inertia, p);
        memset(xi, 0, sizeof xi);
        TEST_ASSERT_EQUAL(LIE_OK, solve(G, xi, inertia, 0.0, p, &info));
        NEAR(G->dim, xi, bad, 40);
    }
}

/* exp: beyond a turn of |h xi| = 2 pi there is nothing to find. */
void test_legendre_exp_refuses_more_than_a_turn(void)
{
    const lie_ops *const groups[2] = {&lie_so3_exp_ops, &lie_s3_exp_ops};
    const double inertia[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    for (int g = 0; g < 2; g++) {
        double xi[3], p[3] = {3.0, -2.0, 6.0}; /* sphere: xi = p, |p| = 7 */
        lie_solve info;
        memcpy(xi, p, sizeof p);
        TEST_ASSERT_EQUAL(LIE_OK, solve(groups[g], xi, inertia, 6.2 / 7.0, p, &info));
        NEAR(3, xi, p, 40);
        REFUSED(LIE_ERR_DOMAIN, 3, xi, solve(groups[g], xi, inertia, 6.3 / 7.0, p, &info));
        REFUSED(LIE_ERR_DOMAIN, 3, xi, solve(groups[g], xi, inertia, -40.0, p, &info));
    }
}

/* A cap of one iteration is respected: it is enough for a small step, not for a large one. */
void test_legendre_cap(void)
{
    for (int g = 0; with_legendre(g); g++) {
        const lie_ops *G = with_legendre(g);
        lie_random rng = {5u};
        double inertia[NMAX * NMAX], p[NMAX], xi[NMAX], data[DATA];
        lie_solve info = {1, 0, 0.0};
        random_inertia(&rng, G->dim, inertia, 0.5);
        random_vector(&rng, G->dim, p, 1.0);
        TEST_ASSERT_EQUAL(LIE_OK, G->legendre->prepare(G, data, inertia));
        REFUSED(LIE_ERR_NO_CONVERGENCE, G->dim, xi, G->legendre->solve(G, xi, 0.9, data, p, &info));
    }
}

void test_legendre_prepare_refuses_what_is_no_inertia(void)
{
    for (int g = 0; with_legendre(g); g++) {
        const lie_ops *G = with_legendre(g);
        int n = G->dim, count = G->legendre->doubles(G);
        lie_random rng = {6u};
        double good[NMAX * NMAX], bad[NMAX * NMAX], data[DATA];
        random_inertia(&rng, n, good, 0.5);
        for (int k = 0; k < n; k++) {
            memcpy(bad, good, sizeof bad);
            bad[k * n + k] = -bad[k * n + k];
            REFUSED(LIE_ERR_INERTIA, count, data, G->legendre->prepare(G, data, bad));
            bad[k * n + k] = (double)NAN;
            REFUSED(LIE_ERR_INERTIA, count, data, G->legendre->prepare(G, data, bad));
            memcpy(bad, good, sizeof bad);
            bad[k * n + (k + 1) % n] += 1e-6;
            REFUSED(LIE_ERR_INERTIA, count, data, G->legendre->prepare(G, data, bad));
            memcpy(bad, good, sizeof bad);
            for (int j = 0; j < n; j++) bad[k * n + j] = bad[j * n + k] = 0.0;
            REFUSED(LIE_ERR_INERTIA, count, data, G->legendre->prepare(G, data, bad));
        }
        memset(bad, 0, sizeof bad);
        REFUSED(LIE_ERR_INERTIA, count, data, G->legendre->prepare(G, data, bad));
    }
}

/* free steps */

/* A free step is solve and move, whatever its memory holds; a bad momentum leaves everything alone. */
void test_free_step_is_solve_and_move(void)
{
    lie_random rng = {2718u};
    int count = 0;
    for (int g_index = 0; with_legendre(g_index); g_index++) {
        const lie_ops *G = with_legendre(g_index);
        if (!G->legendre->free_step) continue;
        count++;
        for (int k = 0; k < 400; k++) {
            double inertia[NMAX * NMAX], data[DATA], memory[LIE_FREE_STEP_MEMORY] = {0.0}, x[NMAX], m[NMAX], xi[NMAX];
            double want_m[NMAX], low_g[GMAX] = {0.0}, low_m[NMAX] = {0.0}, low_g2[GMAX] = {0.0}, low_m2[NMAX] = {0.0};
            double g[GMAX], want_g[GMAX], h = (k % 2 ? 1.0 : -1.0) * sizes[2 + k % (SIZES - 2)];
            lie_solve info = {50, 0, 0.0};
            random_inertia(&rng, G->dim, inertia, 1.0);
            TEST_ASSERT_EQUAL(LIE_OK, G->legendre->prepare(G, data, inertia));
            random_vector(&rng, G->dim, x, 1.0);
            TEST_ASSERT_EQUAL(LIE_OK, G->tau(G, g, x));
            random_vector(&rng, G->dim, m, 1.0);
            memcpy(want_g, g, sizeof g);
            memcpy(want_m, m, sizeof m);
            if (k % 3) random_vector(&rng, LIE_FREE_STEP_MEMORY, memory, k % 3 == 1 ? 1.0 : 1e300);
            if (k % 7 == 0) memory[k % LIE_FREE_STEP_MEMORY] = (double)NAN;
            inverse_times(G->dim, xi, inertia, m);
            TEST_ASSERT_EQUAL(LIE_OK, G->legendre->solve(G, xi, h, data, m, &info));
            for (int i = 0; i < G->dim; i++) x[i] = h * xi[i];
            TEST_ASSERT_EQUAL(LIE_OK, G->move(G, want_g, low_g2, want_m, low_m2, x));
            TEST_ASSERT_EQUAL(LIE_OK, G->legendre->free_step(G, g, low_g, m, low_m, h, data, memory, &info));
            NEAR(G->size, g, want_g, 20);
            NEAR(G->dim, m, want_m, 20);
        }
    }
    TEST_ASSERT_GREATER_OR_EQUAL_INT(2, count);
}

/* Along a free motion the memory makes one evaluation enough, and the energy stays. */
void test_free_step_learns(void)
{
    const lie_ops *const groups[2] = {&lie_s3_cay_ops, &lie_so3_cay_ops};
    const double inertia[9] = {1.3, 0.1, -0.2, 0.1, 2.1, 0.15, -0.2, 0.15, 2.9};
    for (int k = 0; k < 2; k++) {
        const lie_ops *G = groups[k];
        double data[DATA], memory[LIE_FREE_STEP_MEMORY] = {0.0}, g[GMAX], low_g[GMAX] = {0.0}, m[3] = {0.7, 1.5, -1.4};
        double low_m[3] = {0.0}, xi[3], bad[3] = {1.0, (double)NAN, 0.0}, J[3];
        lie_solve info = {50, 0, 0.0};
        G->identity(G, g);
        inverse_times(3, xi, inertia, m);
        double energy = pair3(xi, m);
        TEST_ASSERT_EQUAL(LIE_OK, G->legendre->prepare(G, data, inertia));
        for (int s = 0; s < 10000; s++)
            TEST_ASSERT_EQUAL(LIE_OK, G->legendre->free_step(G, g, low_g, m, low_m, 0.005, data, memory, &info));
        TEST_ASSERT_TRUE(info.iterations < 10010 && info.residual <= 0x1p-49);
        inverse_times(3, xi, inertia, m);
        TEST_ASSERT_TRUE(fabs(pair3(xi, m) / energy - 1.0) < 1e-5);
        G->Ad(G, J, g, m);
        NEAR(3, J, ((double[3]){0.7, 1.5, -1.4}), 20);
        keep_fill(G->size, g), keep_fill(G->size, low_g), keep_fill(3, low_m);
        TEST_ASSERT_EQUAL(LIE_ERR_NOT_FINITE,
                          G->legendre->free_step(G, g, low_g, bad, low_m, 0.005, data, memory, &info));
        kept_at(__LINE__, G->size, g), kept_at(__LINE__, G->size, low_g), kept_at(__LINE__, 3, low_m);
        for (int i = 0; i < LIE_FREE_STEP_MEMORY; i++) TEST_ASSERT_TRUE(memory[i] == memory[i]);
    }
}
