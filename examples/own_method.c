/* SPDX-License-Identifier: MIT */
/* A method of your own: half a free step, a kick, half a free step, for l = 1/2 <I xi, xi> - V(g).
 *
 *     free step of length h/2:  (dtau^-1_{h/2 xi})^T I xi = m,   g <- g tau(h/2 xi),   m <- Ad*_{tau(h/2 xi)} m
 *     kick:                     m <- m + h F(g)
 *
 * Stoermer-Verlet (sv) has half a kick at either end; here the one force of a step acts in its middle, where the
 * library's methods have none with this free step. All parts are symplectic and keep the spatial momentum along a
 * symmetry of V, the order of the parts is the same from either end: the method is symplectic, of order 2, and
 * self-adjoint, so that a composition makes one of order 4 of it without another line.
 *
 * See below: the error of a heavy top at t = 4 for a sequence of steps, and its orders; energy and vertical momentum
 * after 10^5 steps; and that a restart in the middle gives the same bits. Reference: Hairer, Lubich & Wanner 2006,
 * section II.5. */
#include <liestep/core.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Work: what the group wants to know of the inertia. Memory: the last velocity, where the next solve starts. */
static int doubles(const lie_stepper *st)
{
    return lie_legendre_of(lie_stepper_group(st))->doubles(lie_stepper_group(st));
}

static int memory(const lie_stepper *st)
{
    return lie_stepper_group(st)->dim;
}

static lie_status prepare(lie_stepper *st)
{
    const lie_ops *G = lie_stepper_group(st);
    return lie_legendre_of(G)->prepare(G, lie_stepper_work(st), lie_stepper_system(st)->inertia);
}

static lie_status free_step(lie_stepper *st, const lie_ops *G, lie_place *at, double h, lie_solve *info)
{
    double x[LIE_DIM_MAX], *xi = lie_stepper_memory(st);
    lie_status status = lie_legendre_of(G)->solve(G, xi, h, lie_stepper_work(st), at->m, info);
    for (int i = 0; i < G->dim; i++) x[i] = h * xi[i];
    return status == LIE_OK ? lie_place_move(G, at, x) : status;
}

static lie_status substep(lie_stepper *st, const lie_ops *G, lie_place *at, double h, lie_solve *info)
{
    const lie_system *sys = lie_stepper_system(st);
    double F[LIE_DIM_MAX];
    lie_status status = free_step(st, G, at, 0.5 * h, info);
    if (status != LIE_OK) return status;
    sys->force(sys, F, at->g);
    lie_place_kick(G, at, h, F);
    return free_step(st, G, at, 0.5 * h, info);
}

static const lie_family family = {.substep = substep, .doubles = doubles, .memory = memory, .prepare = prepare};
#define CLAIMS .family = &family, .symplectic = 1, .momentum = 1, .self_adjoint = LIE_ALWAYS, .needs_quadratic = 1
static const lie_method mine = {.name = "mine", CLAIMS, .order = 2, .order_exp = 2};
static const lie_method mine4 = {.name = "mine4", CLAIMS, .order = 4, .order_exp = 4, .composition = "suzuki4"};

static const lie_heavy_top top = {
    .inertia = {2.0, 0.1, 0, 0.1, 1.5, 0, 0, 0, 1.0}, .mass = 1.0, .centre = {0.1, 0, 0.3}, .gravity = 9.81};

static lie_system system_of_top(void)
{
    lie_system sys;
    (void)lie_heavy_top_system(&sys, &top, "S3");
    return sys;
}

static lie_status start(lie_stepper **st, lie_state *s, const lie_system *sys, const lie_options *opt, double *work,
                        size_t bytes)
{
    lie_status status = lie_stepper_init(st, sys, opt, work, bytes);
    if (status == LIE_OK) status = lie_state_set(sys, s, 0.0, (double[]){1, 0, 0, 0}, (double[]){0.7, 0.9, 4.0});
    return status;
}

static int orders(const lie_system *sys, const lie_options *opt, const lie_state *exact)
{
    double work[1024], before = 0.0;
    for (int n = 200; n <= 800; n *= 2) {
        lie_stepper *st;
        lie_state s;
        double error = 0.0;
        if (start(&st, &s, sys, opt, work, sizeof work) != LIE_OK || lie_run(st, &s, 4.0 / n, n) != LIE_OK) return 1;
        for (int i = 0; i < 4; i++) error = fmax(error, fabs(s.g[i] - exact->g[i]));
        printf("%-6s h %.3f  error %.3e", lie_stepper_method(st)->name, 4.0 / n, error);
        printf(before > 0.0 ? "  order %.2f\n" : "\n", log2(before / error));
        before = error;
    }
    return 0;
}

/* Energy, and the momentum about the vertical, which is a symmetry. */
static int long_run(const lie_system *sys, const lie_options *opt)
{
    double work[1024], E[2], J[2][3], saved[LIE_MEMORY_MAX];
    lie_stepper *st;
    lie_state s, middle;
    if (start(&st, &s, sys, opt, work, sizeof work) != LIE_OK) return 1;
    lie_state_spatial_momentum(sys, J[0], &s);
    if (lie_state_energy(sys, &E[0], &s) != LIE_OK || lie_run(st, &s, 0.005, 50000) != LIE_OK) return 1;
    middle = s;
    lie_stepper_memory_get(st, saved);
    if (lie_run(st, &s, 0.005, 50000) != LIE_OK || lie_state_energy(sys, &E[1], &s) != LIE_OK) return 1;
    lie_state_spatial_momentum(sys, J[1], &s);
    printf("after 10^5 steps: energy error %.1e, vertical momentum %.1e\n", fabs(E[1] / E[0] - 1.0),
           fabs(J[1][2] - J[0][2]));
    if (lie_stepper_init(&st, sys, opt, work, sizeof work) != LIE_OK) return 1;
    lie_stepper_memory_set(st, saved);
    if (lie_run(st, &middle, 0.005, 50000) != LIE_OK) return 1;
    puts(memcmp(&middle, &s, sizeof s) == 0 ? "restart: the same bits" : "restart: other bits");
    return 0;
}

int main(void)
{
    lie_system sys = system_of_top();
    double work[4096];
    lie_stepper *st;
    lie_state exact;
    if (start(&st, &exact, &sys, &(lie_options){.method = "gauss4", .retraction = "exp"}, work, sizeof work) != LIE_OK)
        return 1;
    if (lie_run(st, &exact, 0.005, 800) != LIE_OK) return 1;
    if (orders(&sys, &(lie_options){.method = "sv", .retraction = "exp"}, &exact)) return 1;
    if (orders(&sys, &(lie_options){.own = &mine, .retraction = "exp"}, &exact)) return 1;
    if (orders(&sys, &(lie_options){.own = &mine4, .retraction = "exp"}, &exact)) return 1;
    return long_run(&sys, &(lie_options){.own = &mine, .retraction = "exp"});
}
