/* SPDX-License-Identifier: MIT */
/* control_system.c: the system of an optimal control problem as its solver sees it; see control_problem.h.
 *
 * Wheels: the group G x R^k with angles r_j of wheels of unit inertia about axes a_j,
 *     l = 1/2 <I xi, xi> + 1/2 sum_j (r_j' + <a_j, w>)^2 - V(g),
 * so that the momentum of r_j is h_j, what the wheel has stored, that of the body I xi + sum_j h_j a_j, and a motor
 * pushes on r_j alone: momentum in space is exchanged and kept, to round-off. The unit inertia is no restriction: it
 * decides what r_j' is, and no condition or cost of the problem asks for that.
 * Gyroscopic term A(g): with the kinetic momentum I xi = mu - A instead of mu, mu' = ad*_xi mu - dV + (dA)^T xi + f is
 *     (I xi)' = ad*_xi (I xi) - dV + ad*_xi A + (dA)^T xi - dA xi + f.
 * a force that is linear in xi: its derivative there is exact. */
#include "lib/control/control.h"

#include <liestep/rn.h>

#include "lib/systems/actuation.h"

static const control_problem *of(const lie_system *sys)
{
    return (const control_problem *)sys->inputs;
}

static void force(const lie_system *sys, double *F, const double *g)
{
    const lie_system *user = &of(sys)->actuation->base;
    user->force(user, F, g);
    for (int i = user->group->dim; i < sys->group->dim; i++) F[i] = 0.0;
}

static double potential(const lie_system *sys, const double *g)
{
    const lie_system *user = &of(sys)->actuation->base;
    return user->potential(user, g);
}

/* D (n x n) from d (dim x dim), the rest 0 */
static void widen(int n, int dim, double *D, const double *d)
{
    for (int i = 0; i < n * n; i++) D[i] = i / n < dim && i % n < dim ? d[i / n * dim + i % n] : 0.0;
}

static void force_deriv(const lie_system *sys, double *D, const double *g)
{
    const lie_system *user = &of(sys)->actuation->base;
    double d[CONTROL_SQUARE];
    user->force_deriv(user, d, g);
    widen(sys->group->dim, user->group->dim, D, d);
}

/* f += ad*_xi A + (dA)^T xi - dA xi */
static void add_gyroscopic(const lie_system *user, double *f, const double *g, const double *xi)
{
    double A[CONTROL_DIM], D[CONTROL_SQUARE], turned[CONTROL_DIM];
    int n = user->group->dim;
    user->gyro(user, A, g);
    user->gyro_deriv(user, D, g);
    user->group->adt(user->group, turned, xi, A);
    for (int i = 0; i < n; i++) {
        f[i] += turned[i];
        for (int j = 0; j < n; j++) f[i] += (D[j * n + i] - D[i * n + j]) * xi[j];
    }
}

static void external(const lie_system *sys, double *f, double t, const double *g, const double *xi, const double *u)
{
    const control_problem *P = of(sys);
    const lie_actuation *p = P->actuation;
    const lie_system *user = &p->base;
    double B[6 * LIE_ACTUATORS_MAX];
    int dim = user->group->dim, wheel = dim;
    lie_system_external(user, f, t, g, xi, 0);
    for (int i = dim; i < P->n; i++) f[i] = 0.0;
    if (user->gyro) add_gyroscopic(user, f, g, xi);
    if (!u) return;
    lie_actuation_matrix(p, B, g);
    for (int j = 0; j < p->count; j++) {
        double input = limited_input(&p->actuator[j], u[j]);
        int is_wheel = p->actuator[j].kind == LIE_WHEEL;
        for (int i = 0; i < dim && !is_wheel; i++) f[i] += B[i * p->count + j] * input;
        if (is_wheel) f[wheel++] += input;
    }
}

static void external_deriv(const lie_system *sys, double *D, double t, const double *g, const double *xi,
                           const double *u)
{
    const control_problem *P = of(sys);
    const lie_system *user = &P->actuation->base;
    double d[CONTROL_SQUARE], column[CONTROL_DIM], e[CONTROL_DIM] = {0.0};
    int n = P->n, dim = user->group->dim;
    (void)u;
    lie_system_external_deriv(user, d, t, g, xi, 0);
    for (int j = 0; j < dim && user->gyro; j++) {
        zero_n(dim, column);
        e[j] = 1.0;
        add_gyroscopic(user, column, g, e);
        e[j] = 0.0;
        for (int i = 0; i < dim; i++) d[i * dim + j] += column[i];
    }
    widen(n, dim, D, d);
}

static lie_status add_wheels(control_problem *P, const lie_ops *G)
{
    const lie_ops *line;
    if (lie_ops_find(&line, G->group, "exp") != LIE_OK) line = G;
    lie_status status = lie_rn_ops(&P->own.space, P->wheels, "exp");
    if (status != LIE_OK) return status;
    P->own.factor[0] = G, P->own.line_factor[0] = line;
    P->own.factor[1] = P->own.line_factor[1] = &P->own.space;
    P->own.product = (lie_product){2, P->own.factor};
    P->own.line_product = (lie_product){2, P->own.line_factor};
    status = lie_product_ops(&P->own.group, &P->own.product);
    if (status == LIE_OK) status = lie_product_ops(&P->own.line, &P->own.line_product);
    return status;
}

/* The inertia of body and wheels */
static void fill_inertia(control_problem *P)
{
    const lie_actuation *p = P->actuation;
    int n = P->n, dim = n - P->wheels, wheel = dim;
    double *I = P->own.inertia;
    widen(n, dim, I, p->base.inertia);
    for (int i = 0; i < p->count; i++) {
        const double *a = p->actuator[i].along;
        if (p->actuator[i].kind != LIE_WHEEL) continue;
        for (int r = 0; r < 3; r++) {
            for (int c = 0; c < 3; c++) I[r * n + c] += a[r] * a[c];
            I[r * n + wheel] = I[wheel * n + r] = a[r];
        }
        I[wheel * n + wheel] = 1.0;
        wheel++;
    }
}

static lie_status choose_group(const lie_ops **out, const lie_ops *G, const char *retraction)
{
    *out = G;
    return !retraction || strcmp(retraction, G->retraction) == 0 ? LIE_OK : lie_ops_find(out, G->group, retraction);
}

lie_status lie__control_extend(control_problem *P, const char *retraction)
{
    const lie_system *user = &P->actuation->base;
    lie_system *own = &P->own.system;
    const lie_ops *G;
    lie_status status = choose_group(&G, user->group, retraction);
    P->wheels = 0;
    for (int i = 0; i < P->actuation->count; i++) P->wheels += P->actuation->actuator[i].kind == LIE_WHEEL;
    if (P->wheels > LIE_CONTROL_WHEELS) return LIE_ERR_SIZE;
    if (status == LIE_OK && P->wheels > 0) status = add_wheels(P, G);
    if (status != LIE_OK) return status;
    P->G = P->wheels > 0 ? &P->own.group : G;
    P->n = P->G->dim, P->size = P->G->size;
    if (P->wheels > 0)
        P->line = &P->own.line;
    else if (lie_ops_find(&P->line, G->group, "exp") != LIE_OK)
        P->line = G;
    fill_inertia(P);
    *own = *user;
    own->group = P->G, own->inertia = P->own.inertia, own->inputs = P, own->controls = P->actuation->count;
    own->gyro = 0, own->gyro_deriv = 0, own->frame = 0, own->force_lanes = 0, own->form = 0;
    own->potential = user->potential ? potential : 0;
    own->force = user->force ? force : 0;
    own->force_deriv = user->force_deriv ? force_deriv : 0;
    own->external = external, own->external_deriv = external_deriv;
    own->external_is_positional = 0;
    P->base = P->wheels > 0 || user->gyro ? own : user;
    return LIE_OK;
}

void lie_control_system(const lie_control *c, lie_system *out)
{
    *out = c->problem.own.system;
}
