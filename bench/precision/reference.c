/* SPDX-License-Identifier: MIT */
/* reference.c: extrapolation in long double, its check at two settings, and what the true motion is like; see
 * reference.h.
 *
 * Whether an orbit is regular: two more runs start a little off (2^-30 relative). On a regular orbit the distance grows
 * like t (periods differ), on a chaotic one like e^(lambda t) (Benettin, Galgani & Strelcyn 1976). Compared are the
 * largest distances of the second and of the last quarters of the run. */
#include "reference.h"

#include <liestep/convert.h>

#include <math.h>
#include <string.h>

enum { ROWS = 8, SAMPLES = 128, HALVINGS = 8, PATIENCE = 3, SHORTEST = 300 };

/* An error that has grown so much is as large as the motion. */
static const double saturated = 0x1p28;

/* z = y(t + H) - y(t) by `steps` (even) steps of the explicit midpoint rule. Differences, because they are small and
 * extrapolation multiplies their rounding errors by about 150. */
static void gragg(const reference_model *r, long double *z, const long double *y, long double H, int steps)
{
    long double before[REFERENCE_SIZE] = {0}, at[REFERENCE_SIZE], rate[REFERENCE_SIZE], h = H / steps;
    r->rate(r, rate, y);
    for (int i = 0; i < r->length; i++) z[i] = h * rate[i];
    for (int k = 1; k < steps; k++) {
        for (int i = 0; i < r->length; i++) at[i] = y[i] + z[i];
        r->rate(r, rate, at);
        for (int i = 0; i < r->length; i++) {
            long double next = before[i] + 2.0L * h * rate[i];
            before[i] = z[i];
            z[i] = next;
        }
    }
}

/* Aitken and Neville in h^2; the sum is compensated (Kahan 1965) */
static void big_step(const reference_model *r, reference_state *s, long double H)
{
    long double T[ROWS][REFERENCE_SIZE];
    for (int k = 0; k < ROWS; k++) {
        gragg(r, T[k], s->y, H, 2 * (k + 1));
        for (int j = k - 1; j >= 0; j--) {
            long double ratio = (long double)(k + 1) / (j + 1);
            for (int i = 0; i < r->length; i++) T[j][i] = T[j + 1][i] + (T[j + 1][i] - T[j][i]) / (ratio * ratio - 1);
        }
    }
    for (int i = 0; i < r->length; i++) {
        long double z = T[0][i] + s->low[i], sum = s->y[i] + z;
        s->low[i] = z - (sum - s->y[i]);
        s->y[i] = sum;
    }
}

static void normalise(const reference_model *r, long double *y)
{
    if (!r->attitude) return;
    long double n = sqrtl(y[0] * y[0] + y[1] * y[1] + y[2] * y[2] + y[3] * y[3]);
    for (int i = 0; i < 4; i++) y[i] /= n;
}

void reference_advance(const reference_model *r, reference_state *s, long double time, long pieces)
{
    for (long k = 0; k < pieces; k++) big_step(r, s, time / pieces);
}

/* As many big steps of at most H as it takes. */
static void advance_by(const reference_model *r, reference_state *s, double time, double H)
{
    reference_advance(r, s, time, (long)ceil(time / H * (1.0 - 1e-12)));
}

void reference_start(const reference_model *r, reference_state *out, const lie_state *s)
{
    double q[4] = {0};
    int n = r->sys->group->size, at = r->length - r->dim;
    *out = (reference_state){.y = {0}};
    if (r->attitude && n == 4)
        memcpy(q, s->g, sizeof q);
    else if (r->attitude)
        (void)lie_matrix_to_quat(q, s->g);
    for (int i = 0; i < 4; i++) out->y[i] = q[i];
    for (int i = 0; r->position >= 0 && i < n && i < 3; i++) out->y[r->position + i] = s->g[r->attitude ? 9 + i : i];
    for (int i = 0; i < r->dim; i++) out->y[at + i] = s->m[i];
    normalise(r, out->y);
}

void reference_round(const reference_model *r, lie_state *out, const reference_state *s)
{
    double q[4];
    int n = r->sys->group->size;
    reference_state unit = *s;
    lie_state_clear(out);
    normalise(r, unit.y);
    for (int i = 0; i < 4; i++) q[i] = (double)unit.y[i];
    if (r->attitude && n == 4)
        memcpy(out->g, q, sizeof q);
    else if (r->attitude)
        lie_quat_to_matrix(out->g, q);
    for (int i = 0; r->position >= 0 && i < n && i < 3; i++)
        out->g[r->attitude ? 9 + i : i] = (double)s->y[r->position + i];
    for (int i = 0; i < r->dim; i++) out->m[i] = (double)s->y[r->length - r->dim + i];
}

/* |b - a| of n entries from `at` on */
static long double norm_of_difference(const long double *a, const long double *b, int n)
{
    long double sum = 0.0L;
    for (int i = 0; i < n; i++) sum += (b[i] - a[i]) * (b[i] - a[i]);
    return sqrtl(sum);
}

/* Angle of a^-1 b: 2 atan2(|vector part|, |scalar part|) */
static long double angle_between(const long double *a, const long double *b)
{
    long double s = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    long double v[3] = {a[0] * b[1] - a[1] * b[0] - a[2] * b[3] + a[3] * b[2],
                        a[0] * b[2] - a[2] * b[0] - a[3] * b[1] + a[1] * b[3],
                        a[0] * b[3] - a[3] * b[0] - a[1] * b[2] + a[2] * b[1]};
    return 2.0L * atan2l(sqrtl(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]), fabsl(s));
}

reference_distance reference_compare(const reference_model *r, const reference_state *a, const reference_state *b)
{
    reference_distance d = {0.0, 0.0, 0.0};
    static const long double none[REFERENCE_SIZE] = {0};
    int at = r->length - r->dim;
    if (r->attitude) d.attitude = (double)angle_between(a->y, b->y);
    if (r->position >= 0)
        d.position = (double)norm_of_difference(a->y + r->position, b->y + r->position, at - r->position);
    long double size = norm_of_difference(none, a->y + at, r->dim);
    d.momentum = (double)(norm_of_difference(a->y + at, b->y + at, r->dim) / (size > 0.0L ? size : 1.0L));
    return d;
}

/* The one number two runs are compared by. */
static double distance(const reference_model *r, const reference_state *a, const reference_state *b)
{
    reference_distance d = reference_compare(r, a, b);
    return r->attitude ? d.attitude + d.momentum : d.position + d.momentum;
}

/* A time in which little happens: the shortest of |y|/|y'| of attitude (or position) and momentum. */
static double time_scale(const reference_model *r, const reference_state *s)
{
    static const long double none[REFERENCE_SIZE] = {0};
    long double dy[REFERENCE_SIZE], best = 0.0L;
    int at = r->length - r->dim, first = r->attitude ? 4 : at;
    r->rate(r, dy, s->y);
    const int from[2] = {0, at}, count[2] = {first, r->dim};
    for (int k = 0; k < 2; k++) {
        long double speed = norm_of_difference(none, dy + from[k], count[k]);
        long double scale = norm_of_difference(none, s->y + from[k], count[k]) / speed;
        if (speed > 0.0L && scale > 0.0L && (best == 0.0L || scale < best)) best = scale;
    }
    return best > 0.0L ? (double)best : 1.0;
}

static void run_through(const reference *r, reference_state *at, const reference_state *start, double H)
{
    reference_state s = *start;
    double t = 0.0;
    for (int k = 0; k < r->times; k++) {
        advance_by(&r->model, &s, r->t[k] - t, H);
        t = r->t[k];
        at[k] = s;
    }
}

/* Halve H until two runs agree at all times, or halving does not help any more. */
static void solve(reference *r, const reference_state *start)
{
    reference_state coarse[REFERENCE_TIMES_MAX];
    int better = 1;
    r->H = time_scale(&r->model, start);
    if (r->H > r->t[0]) r->H = r->t[0];
    run_through(r, r->at, start, r->H);
    for (int i = 0; i < r->times; i++) r->check[i] = HUGE_VAL;
    for (int k = 0; k < HALVINGS && better; k++) {
        memcpy(coarse, r->at, sizeof coarse);
        r->H /= 2.0;
        run_through(r, r->at, start, r->H);
        better = 0;
        for (int i = 0; i < r->times; i++) {
            double now = distance(&r->model, &r->at[i], &coarse[i]);
            better |= now > 1e-15 && now < 0.25 * r->check[i];
            better |= !(now < 1e-2) && k < PATIENCE; /* too long a step, or chaos: then no step will do */
            r->check[i] = now;
        }
    }
}

static void push(const reference_model *r, reference_state *s, int which)
{
    reference_state pushed = *s;
    static const long double push_of[2][REFERENCE_SIZE] = {
        {0.31L, -0.42L, 0.23L, 0.57L, 0.64L, -0.73L, 0.38L, -0.27L, 0.55L, 0.81L, -0.36L, 0.49L, 0.17L},
        {-0.53L, 0.19L, 0.71L, -0.33L, 0.24L, 0.62L, -0.58L, 0.44L, 0.37L, -0.29L, 0.66L, 0.13L, -0.75L}};
    static const long double none[REFERENCE_SIZE] = {0};
    int at = r->length - r->dim, kind = r->dim == 6 ? 3 : r->dim; /* angular and linear momentum have other units */
    for (int i = 0; i < r->length; i++) {
        int from = i < at + kind ? at : at + kind;
        long double size = i < at ? 1.0L : norm_of_difference(none, s->y + from, kind);
        if (r->position >= 0 && i >= r->position && i < at)
            size = fmaxl(1.0L, norm_of_difference(none, s->y + r->position, at - r->position));
        pushed.y[i] += 0x1p-30L * push_of[which][i] * size;
    }
    *s = pushed;
    normalise(r, s->y);
}

/* Energy, and the spatial momentum; and how large kinetic energy and momentum are, angular and linear. */
typedef struct invariants {
    double energy, J[LIE_DIM_MAX], kinetic, size[2];
} invariants;

static invariants invariants_of(const reference_model *r, const reference_state *s)
{
    lie_state rounded;
    invariants v = {.kinetic = 0.0};
    double xi[LIE_DIM_MAX] = {0};
    reference_round(r, &rounded, s);
    (void)lie_state_energy(r->sys, &v.energy, &rounded);
    lie_state_spatial_momentum(r->sys, v.J, &rounded);
    (void)lie_state_velocity(r->sys, xi, &rounded);
    for (int i = 0; i < r->dim; i++) v.kinetic += 0.5 * fabs(rounded.m[i] * xi[i]), v.size[i / 3 % 2] += fabs(v.J[i]);
    return v;
}

static void watch(reference *r, const invariants *first, const reference_state *s)
{
    invariants now = invariants_of(&r->model, s);
    double loose = 1e-12;
    if (!(fabs(now.energy - first->energy) <= loose * (first->kinetic + fabs(first->energy)))) r->conserves_energy = 0;
    for (int i = 0; i < r->model.dim; i++)
        if (!(fabs(now.J[i] - first->J[i]) <= loose * (first->size[i / 3 % 2] + now.size[i / 3 % 2])))
            r->conserves_momentum[i] = 0;
}

/* Runs beside the reference, a little off: how far they are now, in units of how far they were, at the most. */
typedef struct neighbours {
    reference_state at[2];
    double first[2];
} neighbours;

static double grown(const reference *r, neighbours *n, const reference_state *s, double time)
{
    double most = 0.0;
    for (int j = 0; j < 2; j++) {
        advance_by(&r->model, &n->at[j], time, 2.0 * r->H);
        most = fmax(most, distance(&r->model, s, &n->at[j]) / n->first[j]);
    }
    return most;
}

static neighbours begin_neighbours(const reference_model *r, const reference_state *start)
{
    neighbours n = {.at = {*start, *start}};
    for (int j = 0; j < 2; j++) {
        push(r, &n.at[j], j);
        n.first[j] = distance(r, start, &n.at[j]);
    }
    return n;
}

/* What is conserved, and how an error grows; no longer than until it is as large as the motion. */
static void look_around(reference *r, const reference_state *start)
{
    reference_state s = *start;
    neighbours beside = begin_neighbours(&r->model, start);
    invariants first = invariants_of(&r->model, start);
    double T = r->t[r->times - 1], early = 0.0, late = 0.0, worst = 0.0;
    r->conserves_energy = 1;
    for (int i = 0; i < r->model.dim; i++) r->conserves_momentum[i] = 1;
    for (int k = 1; k <= SAMPLES && worst < saturated; k++) {
        advance_by(&r->model, &s, T / SAMPLES, 2.0 * r->H);
        watch(r, &first, &s);
        double now = grown(r, &beside, &s, T / SAMPLES);
        worst = fmax(worst, now);
        if (4 * k > SAMPLES && 2 * k <= SAMPLES) early = fmax(early, now);
        if (2 * k > SAMPLES) late = fmax(late, now);
        for (int i = 0; i < r->times; i++) /* up to that time, or the first sample after it */
            if (T * (k - 1) / SAMPLES < r->t[i]) r->growth[i] = worst;
    }
    r->exponent = worst < saturated ? log2(late / early) : HUGE_VAL;
}

/* Is the state at time i known, and would a method's error there mean anything? */
static void judge(reference *r, double scale)
{
    for (int i = 0; i < r->times; i++) {
        double turns = r->t[i] / scale;
        int tame = turns > SHORTEST ? r->exponent < 1.6 : r->growth[i] < 20.0 * (1.0 + turns);
        r->pointwise[i] = tame && r->check[i] < 1e-11;
    }
}

int reference_make(reference *r, const lie_system *sys, const double *u, const lie_state *start, int times,
                   const double *t)
{
    reference_state first;
    *r = (reference){.times = times};
    if (times < 1 || times > REFERENCE_TIMES_MAX || reference_model_init(&r->model, sys, u) != 0) return -1;
    memcpy(r->t, t, (size_t)times * sizeof *t);
    reference_start(&r->model, &first, start);
    solve(r, &first);
    look_around(r, &first);
    judge(r, time_scale(&r->model, &first));
    return 0;
}
