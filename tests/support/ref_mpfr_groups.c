/* SPDX-License-Identifier: MIT */
/* ref_mpfr_groups.c: each group as a table of where its coordinates stand in a matrix, and what follows from it.
 *
 * Also the nearest element to given coordinates, and the rotation part of the logarithm of an element, the two things
 * that matrix algebra alone does not give. Conventions: include/liestep/<group>.h, SEEDS V2-V8. */
#include "tests/support/ref_mpfr.h"

#include <stddef.h>

#define END                                                                                                            \
    {                                                                                                                  \
        -1, 0, 0, 0.0                                                                                                  \
    }

static void project_so3(mpfr_ptr g)
{
    ref_mat R = {3, 3, g};
    ref_polar(R, R);
}

/* The first n coordinates become a unit vector. */
static void normalise(mpfr_ptr g, int n)
{
    int mark = ref_mark();
    mpfr_ptr norm = ref_new(1);
    ref_norm(norm, g, n);
    for (int i = 0; i < n; i++) {
        mpfr_div(g + i, g + i, norm, MPFR_RNDN);
    }
    ref_release(mark);
}

static void project_s3(mpfr_ptr g)
{
    normalise(g, 4);
}

static void project_se2(mpfr_ptr g)
{
    normalise(g, 2);
}

static void project_none(mpfr_ptr g)
{
    (void)g;
}

/* w = direction of a half-turn: R = 2 n n^T - 1, the largest component of n positive (the first of equals). */
static void half_turn(mpfr_ptr w, ref_mat R)
{
    int big = 0;
    for (int i = 1; i < 3; i++) {
        if (mpfr_cmp(ref_at(R, i, i), ref_at(R, big, big)) > 0) {
            big = i;
        }
    }
    for (int i = 0; i < 3; i++) {
        mpfr_add_ui(w + i, ref_at(R, i, big), i == big, MPFR_RNDN);
    }
    normalise(w, 3);
}

/* w = t n from sin(t) n = vee of the antisymmetric part and cos t = (tr R - 1)/2. */
static void log_so3(mpfr_ptr w, mpfr_srcptr g)
{
    int mark = ref_mark();
    ref_mat R = {3, 3, ref_new(9)};
    mpfr_ptr s = ref_new(3); /* |a|, cos t, t */
    ref_copy(R.a, g, 9);
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3;
        int k = (i + 2) % 3;
        mpfr_sub(w + i, ref_at(R, k, j), ref_at(R, j, k), MPFR_RNDN);
        mpfr_div_2ui(w + i, w + i, 1, MPFR_RNDN);
        mpfr_add(s + 1, s + 1, ref_at(R, i, i), MPFR_RNDN);
    }
    ref_norm(s, w, 3);
    mpfr_sub_ui(s + 1, s + 1, 1, MPFR_RNDN);
    mpfr_div_2ui(s + 1, s + 1, 1, MPFR_RNDN);
    int zero = mpfr_zero_p(s) || mpfr_get_exp(s) < -(long)ref_prec() / 2;
    mpfr_atan2(s + 2, s, s + 1, MPFR_RNDN);
    if (!zero) {
        mpfr_div(s + 2, s + 2, s, MPFR_RNDN);
        ref_scale(w, w, s + 2, 3);
    } else if (mpfr_sgn(s + 1) < 0) {
        half_turn(w, R);
        ref_scale(w, w, s + 2, 3);
    }
    ref_release(mark);
}

/* w = 2 atan2(|v|, q0) v/|v|, (2 pi, 0, 0) at -1. */
static void log_s3(mpfr_ptr w, mpfr_srcptr g)
{
    int mark = ref_mark();
    mpfr_ptr s = ref_new(2);
    ref_norm(s, g + 1, 3);
    mpfr_atan2(s + 1, s, g, MPFR_RNDN);
    mpfr_mul_2ui(s + 1, s + 1, 1, MPFR_RNDN);
    if (mpfr_zero_p(s)) {
        ref_copy(w, g + 1, 3);
        mpfr_set(w, s + 1, MPFR_RNDN);
    } else {
        mpfr_div(s + 1, s + 1, s, MPFR_RNDN);
        ref_scale(w, g + 1, s + 1, 3);
    }
    ref_release(mark);
}

static void log_se2(mpfr_ptr w, mpfr_srcptr g)
{
    mpfr_atan2(w, g + 1, g, MPFR_RNDN);
    if (mpfr_zero_p(g + 1)) {
        mpfr_abs(w, w, MPFR_RNDN); /* a half-turn is +pi */
    }
}

static const ref_entry so3_algebra[] = {
    {0, 2, 1, 1.0}, {0, 1, 2, -1.0}, {1, 0, 2, 1.0}, {1, 2, 0, -1.0}, {2, 1, 0, 1.0}, {2, 0, 1, -1.0}, END};
static const ref_entry so3_element[] = {{0, 0, 0, 1.0}, {1, 0, 1, 1.0}, {2, 0, 2, 1.0}, {3, 1, 0, 1.0}, {4, 1, 1, 1.0},
                                        {5, 1, 2, 1.0}, {6, 2, 0, 1.0}, {7, 2, 1, 1.0}, {8, 2, 2, 1.0}, END};
const ref_group ref_so3 = {"so3", 3, 9, 3, 0, so3_algebra, so3_element, 0, 3, 0, 0, project_so3, log_so3};

/* Left multiplication by a quaternion: column 0 is the quaternion itself. w stands for w/2. */
static const ref_entry quat_element[] = {{0, 0, 0, 1.0},
                                         {0, 1, 1, 1.0},
                                         {0, 2, 2, 1.0},
                                         {0, 3, 3, 1.0},
                                         {1, 1, 0, 1.0},
                                         {1, 0, 1, -1.0},
                                         {1, 3, 2, 1.0},
                                         {1, 2, 3, -1.0},
                                         {2, 2, 0, 1.0},
                                         {2, 0, 2, -1.0},
                                         {2, 1, 3, 1.0},
                                         {2, 3, 1, -1.0},
                                         {3, 3, 0, 1.0},
                                         {3, 0, 3, -1.0},
                                         {3, 2, 1, 1.0},
                                         {3, 1, 2, -1.0},
                                         END};
static const ref_entry s3_algebra[] = {{0, 1, 0, 0.5},
                                       {0, 0, 1, -0.5},
                                       {0, 3, 2, 0.5},
                                       {0, 2, 3, -0.5},
                                       {1, 2, 0, 0.5},
                                       {1, 0, 2, -0.5},
                                       {1, 1, 3, 0.5},
                                       {1, 3, 1, -0.5},
                                       {2, 3, 0, 0.5},
                                       {2, 0, 3, -0.5},
                                       {2, 2, 1, 0.5},
                                       {2, 1, 2, -0.5},
                                       END};
static const ref_entry quat_algebra[] = {{0, 0, 0, 1.0},
                                         {0, 1, 1, 1.0},
                                         {0, 2, 2, 1.0},
                                         {0, 3, 3, 1.0},
                                         {1, 1, 0, 0.5},
                                         {1, 0, 1, -0.5},
                                         {1, 3, 2, 0.5},
                                         {1, 2, 3, -0.5},
                                         {2, 2, 0, 0.5},
                                         {2, 0, 2, -0.5},
                                         {2, 1, 3, 0.5},
                                         {2, 3, 1, -0.5},
                                         {3, 3, 0, 0.5},
                                         {3, 0, 3, -0.5},
                                         {3, 2, 1, 0.5},
                                         {3, 1, 2, -0.5},
                                         END};
const ref_group ref_s3 = {"s3", 3, 4, 4, 0, s3_algebra, quat_element, 0, 3, 0, 0, project_s3, log_s3};
const ref_group ref_quat = {"quat", 4, 4, 4, 0, quat_algebra, quat_element, 1, 3, 0, 1, project_none, log_s3};

static const ref_entry se3_algebra[] = {
    {0, 2, 1, 1.0},  {0, 1, 2, -1.0}, {1, 0, 2, 1.0}, {1, 2, 0, -1.0}, {2, 1, 0, 1.0},
    {2, 0, 1, -1.0}, {3, 0, 3, 1.0},  {4, 1, 3, 1.0}, {5, 2, 3, 1.0},  END};
static const ref_entry se3_element[] = {{0, 0, 0, 1.0},
                                        {1, 0, 1, 1.0},
                                        {2, 0, 2, 1.0},
                                        {3, 1, 0, 1.0},
                                        {4, 1, 1, 1.0},
                                        {5, 1, 2, 1.0},
                                        {6, 2, 0, 1.0},
                                        {7, 2, 1, 1.0},
                                        {8, 2, 2, 1.0},
                                        {9, 0, 3, 1.0},
                                        {10, 1, 3, 1.0},
                                        {11, 2, 3, 1.0},
                                        END};
const ref_group ref_se3 = {"se3", 6, 12, 4, 1, se3_algebra, se3_element, 0, 3, 3, 3, project_so3, log_so3};

static const ref_entry se2_algebra[] = {{0, 1, 0, 1.0}, {0, 0, 1, -1.0}, {1, 0, 2, 1.0}, {2, 1, 2, 1.0}, END};
static const ref_entry se2_element[] = {
    {0, 0, 0, 1.0}, {0, 1, 1, 1.0}, {1, 1, 0, 1.0}, {1, 0, 1, -1.0}, {2, 0, 2, 1.0}, {3, 1, 2, 1.0}, END};
const ref_group ref_se2 = {"se2", 3, 4, 3, 1, se2_algebra, se2_element, 0, 1, 1, 2, project_se2, log_se2};

static const ref_entry rn_entries[] = {{0, 0, 5, 1.0}, {1, 1, 5, 1.0}, {2, 2, 5, 1.0},
                                       {3, 3, 5, 1.0}, {4, 4, 5, 1.0}, END};
const ref_group ref_rn = {"rn",       REF_RN_DIM, REF_RN_DIM, REF_RN_DIM + 1, 1,   rn_entries, rn_entries, 0,
                          REF_RN_DIM, 0,          0,          project_none,   NULL};

ref_mat ref_group_mat(const ref_group *G)
{
    return ref_mat_new(G->order, G->order);
}

/* M += sum_k x_k E_k */
static void fill(ref_mat M, const ref_entry *e, mpfr_srcptr x)
{
    int mark = ref_mark();
    mpfr_ptr t = ref_new(1);
    for (; e->k >= 0; e++) {
        mpfr_mul_d(t, x + e->k, e->value, MPFR_RNDN);
        mpfr_add(ref_at(M, e->row, e->col), ref_at(M, e->row, e->col), t, MPFR_RNDN);
    }
    ref_release(mark);
}

static void read_back(mpfr_ptr x, const ref_entry *e, ref_mat M)
{
    for (int last = -1; e->k >= 0; e++) {
        if (e->k != last) {
            mpfr_div_d(x + e->k, ref_at(M, e->row, e->col), e->value, MPFR_RNDN);
            last = e->k;
        }
    }
}

static void clear(ref_mat M)
{
    for (int i = 0; i < M.rows * M.cols; i++) {
        mpfr_set_zero(M.a + i, 1);
    }
}

void ref_hat(const ref_group *G, ref_mat X, mpfr_srcptr x)
{
    clear(X);
    fill(X, G->algebra, x);
}

void ref_vee(const ref_group *G, mpfr_ptr x, ref_mat X)
{
    read_back(x, G->algebra, X);
}

void ref_embed(const ref_group *G, ref_mat M, mpfr_srcptr g)
{
    clear(M);
    if (G == &ref_rn) {
        ref_identity(M);
    }
    if (G->homogeneous) {
        mpfr_set_ui(ref_at(M, G->order - 1, G->order - 1), 1, MPFR_RNDN);
    }
    fill(M, G->element, g);
}

void ref_coords(const ref_group *G, mpfr_ptr g, ref_mat M)
{
    read_back(g, G->element, M);
}

/* Column j of out = vee of f(E_j): E_j -> g E_j g^-1 */
void ref_Ad(const ref_group *G, ref_mat out, mpfr_srcptr g)
{
    int mark = ref_mark();
    ref_mat M = ref_group_mat(G);
    ref_mat Minv = ref_group_mat(G);
    ref_mat X = ref_group_mat(G);
    ref_embed(G, M, g);
    ref_inverse(Minv, M);
    for (int j = 0; j < G->dim; j++) {
        mpfr_ptr e = ref_new(G->dim);
        mpfr_set_ui(e + j, 1, MPFR_RNDN);
        ref_hat(G, X, e);
        ref_mul(X, M, X);
        ref_mul(X, X, Minv);
        ref_vee(G, e, X);
        for (int i = 0; i < G->dim; i++) {
            mpfr_set(ref_at(out, i, j), e + i, MPFR_RNDN);
        }
    }
    ref_release(mark);
}

void ref_ad(const ref_group *G, ref_mat out, mpfr_srcptr x)
{
    int mark = ref_mark();
    ref_mat X = ref_group_mat(G);
    ref_mat E = ref_group_mat(G);
    ref_mat XE = ref_group_mat(G);
    ref_hat(G, X, x);
    for (int j = 0; j < G->dim; j++) {
        mpfr_ptr e = ref_new(G->dim);
        mpfr_set_ui(e + j, 1, MPFR_RNDN);
        ref_hat(G, E, e);
        ref_mul(XE, X, E);
        ref_mul(E, E, X);
        ref_add_scaled(XE, XE, E, -1.0);
        ref_vee(G, e, XE);
        for (int i = 0; i < G->dim; i++) {
            mpfr_set(ref_at(out, i, j), e + i, MPFR_RNDN);
        }
    }
    ref_release(mark);
}
