/* SPDX-License-Identifier: MIT */
/* A Poincare section of the underwater vehicle: where its orbits cross a surface of phase space, by RK4 and by sv.
 *
 *     Pi' = Pi x w + P x v,     P' = P x w,     Pi = (w1, 2 w2, 3 w3),     P = (v1, 2 v2, 3 v3)
 *
 * Conserved: the energy H = 30, Pi . P = 2 and |P| = 4, which leave three of six dimensions; the section Pi1 = 0,
 * upward, leaves two: the angle atan2(P2, P1) and the height P3/|P|. A regular orbit draws a curve there, a chaotic one
 * fills an area. lie_surface_sample finds momenta to start from, lie_section_next goes from crossing to crossing. A
 * crossing is the end of a step that was shortened until it lies on the surface, so it is a state like any other: what
 * the method conserves is conserved there, and one could go on from it. RK4 with h = 0.05 is ahead at the first
 * crossings, but loses energy and Casimirs, and its curves become bands; sv keeps the Casimirs to round-off and the
 * energy in a band.
 *
 *     vehicle_section [FILE.csv]     prints two tables; writes all points, 17 digits each, to be plotted
 *
 * `liestep section scenarios/vehicle_section.yaml` draws it with 24 orbits. Reference: Bou-Rabee & Marsden,
 * Hamilton-Pontryagin integrators on Lie groups I, 2009, Fig. 2.1; Henon, Physica D 5 (1982). */
#include <liestep/core.h>

#include <math.h>
#include <stdio.h>

#define END 1000.0 /* s */
enum { ORBITS = 6, FIRST = 3, WORK = 8192 };

/* A method with its step; how many crossings, the largest |Pi1| there and relative errors of H, Pi . P, |P|. */
typedef struct contender {
    const char *method;
    double h;
    long crossings;
    double residual, energy, product, size;
} contender;

static double first_momentum(const void *ctx, const lie_system *sys, double t, const double *g, const double *m)
{
    (void)ctx, (void)sys, (void)t, (void)g;
    return m[0];
}

static const lie_event upward = {.value = first_momentum, .direction = 1};

/* The start of an orbit: at rest in the origin, then random momenta on the surface of H, Pi . P, |P|^2 and Pi1 = 0. */
static lie_status start(const lie_system *sys, int orbit, lie_state *s)
{
    const double casimirs[2] = {2.0, 16.0}, rest[6] = {0.0};
    const lie_surface surface = {
        .system = sys, .has_energy = 1, .energy = 30.0, .casimirs = casimirs, .event = &upward};
    double g[12];
    lie_se3_identity(g);
    lie_status status = lie_state_set_momentum(sys, s, 0.0, g, rest);
    if (status == LIE_OK) status = lie_surface_sample(&surface, s, 1, (unsigned long long)orbit, 50);
    s->m[0] = 0.0; /* not 1e-26 below it: that would be a crossing */
    return status;
}

static lie_status note(contender *c, const lie_system *sys, const lie_state *s, double residual)
{
    double energy, C[2];
    lie_status status = lie_state_energy(sys, &energy, s);
    if (status != LIE_OK) return status;
    lie_state_casimirs(sys, C, s);
    c->residual = fmax(c->residual, fabs(residual));
    c->energy = fmax(c->energy, fabs(energy / 30.0 - 1.0));
    c->product = fmax(c->product, fabs(C[0] / 2.0 - 1.0));
    c->size = fmax(c->size, fabs(sqrt(C[1]) / 4.0 - 1.0));
    return LIE_OK;
}

static double angle(const lie_state *s)
{
    return atan2(s->m[4], s->m[3]);
}

static double height(const lie_state *s)
{
    return s->m[5] / hypot(hypot(s->m[3], s->m[4]), s->m[5]);
}

static void write_point(FILE *file, const contender *c, int orbit, const lie_state *s)
{
    const double *m = s->m;
    if (file)
        fprintf(file, "%s,%g,%d,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", c->method, c->h, orbit, s->t,
                angle(s), height(s), m[0], m[1], m[2], m[3], m[4], m[5]);
}

/* One orbit from crossing to crossing until END. */
static lie_status follow(contender *c, const lie_system *sys, int orbit, FILE *file)
{
    double work[WORK / 4], section_work[WORK];
    long long budget = (long long)(END / c->h + 0.5);
    const lie_options options = {.method = c->method, .retraction = "cay"};
    lie_stepper *st;
    lie_section *section;
    lie_crossing at = {.found = 1};
    lie_state s;
    lie_status status = lie_stepper_init(&st, sys, &options, work, sizeof work);
    if (status == LIE_OK) status = lie_section_init(&section, st, &upward, section_work, sizeof section_work);
    if (status == LIE_OK) status = start(sys, orbit, &s);
    if (status == LIE_OK) write_point(file, c, orbit, &s);
    while (status == LIE_OK) {
        status = lie_section_next(section, &s, c->h, &budget, &at);
        if (status != LIE_OK || !at.found) break;
        status = note(c, sys, at.state, at.residual);
        write_point(file, c, orbit, at.state);
        if (orbit == 0 && c->crossings < FIRST)
            printf("  %-6s %6g   %2ld   %11.7f   %9.5f %9.5f   %9.1e\n", c->method, c->h, c->crossings + 1, at.state->t,
                   angle(at.state), height(at.state), at.residual);
        c->crossings++;
    }
    return status;
}

int main(int argc, char **argv)
{
    contender c[] = {{.method = "rk4_q", .h = 0.05},
                     {.method = "rk4_q", .h = 0.025},
                     {.method = "sv", .h = 0.05},
                     {.method = "sv", .h = 0.025}};
    enum { CONTENDERS = sizeof c / sizeof c[0] };
    double inertia[36];
    lie_system sys = {.name = "vehicle", .group = &lie_se3_cay_ops, .inertia = inertia};
    lie_status status = LIE_OK;
    FILE *file = argc > 1 ? fopen(argv[1], "w") : NULL;
    if (argc > 1 && !file) return perror(argv[1]), 1;
    if (file) fprintf(file, "method,h,orbit,t,angle,height,Pi1,Pi2,Pi3,P1,P2,P3\n");
    lie_inertia_diagonal(6, inertia, (double[6]){1, 2, 3, 1, 2, 3});
    puts("The first crossings of the first orbit: time in s, angle, height, Pi1.\n");
    for (int k = 0; k < CONTENDERS * ORBITS && status == LIE_OK; k++)
        status = follow(&c[k / ORBITS], &sys, k % ORBITS, file);
    if (file && fclose(file) != 0) return perror(argv[1]), 1;
    if (status != LIE_OK) return printf("%s\n", lie_status_text(status)), 1;
    printf(
        "\n%d orbits over %.0f s: the largest |Pi1|, and relative errors of what is conserved, over all crossings.\n\n",
        ORBITS, END);
    puts("  method  step s   crossings       Pi1    energy      Pi.P       |P|");
    for (int i = 0; i < CONTENDERS; i++)
        printf("  %-6s %7g      %6ld   %7.1e   %7.1e   %7.1e   %7.1e\n", c[i].method, c[i].h, c[i].crossings,
               c[i].residual, c[i].energy, c[i].product, c[i].size);
    return 0;
}
