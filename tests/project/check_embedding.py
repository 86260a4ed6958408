#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The programs in docs/EMBEDDING.md, and in ENGINES.md beside it, compile as printed and do what the pages say; the
sizes that are told are true.

    check_embedding.py CC docs/EMBEDDING.md INCLUDE_DIR libliestep-core.a
"""
import pathlib
import re
import subprocess
import sys
import tempfile

# The page's functions against independent formulas: a constant torque about a principal axis; the MRP of the same turn;
# the restoring forces g(eta) of a submerged vehicle (Fossen 2021, chapter 4), and a straight run with M.
MAIN = r'''
#include <math.h>
#include <stdio.h>
static int wrong;
static void near(double a, double b, double bound, const char *what)
{
    if (!(fabs(a - b) <= bound)) printf("%s: %.17g for %.17g\n", what, a, b), wrong = 1;
}
static void steady(double torque[3], const double q[4])
{
    (void)q;
    torque[2] = 0.8;
}
int main(void)
{
    static attitude a, b;
    double I[9] = {2, 0, 0, 0, 3, 0, 0, 0, 4}, q[4] = {1, 0, 0, 0}, w[3] = {0}, torque[3] = {0, 0, 0.8};
    double s[3] = {0}, v[3] = {0};
    if (attitude_init(&a, I) != LIE_OK || attitude_init(&b, I) != LIE_OK) return 2;
    for (int k = 0; k < 1000; k++)
        if (attitude_step(&a, q, w, torque, 1e-3) != LIE_OK || basilisk_step(&b, s, v, torque, 1e-3) != LIE_OK)
            return 2;
    near(w[2], 0.2, 1e-14, "rate after 1 s of 0.8 N m on 4 kg m^2");
    near(2 * atan2(q[3], q[0]), 0.1, 1e-14, "angle after 1 s");
    near(s[2], tan(0.1 / 4), 1e-13, "MRP after 1 s");
    w[0] = w[1] = w[2] = 0.0; /* the host stops the body: the step notices */
    if (attitude_step(&a, q, w, (double[3]){0, 0, 0}, 1e-3) != LIE_OK) return 2;
    near(w[2], 0.0, 0.0, "rate after the host has stopped it");
    lie_free_flow flow;
    double at[4] = {1, 0, 0, 0}, m[3] = {0};
    if (lie_free_flow_init(&flow, I) != LIE_OK) return 2;
    for (int k = 0; k < 1000; k++)
        if (kick_and_flow(&flow, at, m, torque, 1e-3, steady) != LIE_OK) return 2;
    near(m[2], 0.8, 1e-13, "momentum after 1 s of 0.8 N m by kicks");
    near(2 * atan2(at[3], at[0]), 0.1, 1e-13, "angle after 1 s by kicks");
    if (sizeof flow != 176) return 2;

    double M[36], D[36], eta[6] = {1, 2, 3, 0.3, -0.4, 0.9}, g[12], F[6], tau[6], W = 120, B = 123;
    double rg[3] = {0.02, -0.01, 0.05}, rb[3] = {-0.03, 0.02, -0.04}, phi = eta[3], th = eta[4];
    for (int i = 0; i < 36; i++) M[i] = i % 7 == 0 ? 10.0 + i : 0.1 * (i % 6 + i / 6), D[i] = i % 7 == 0 ? 5.0 : 0.0;
    lie_vehicle vehicle;
    lie_system sys;
    vehicle_from_fossen(&vehicle, M, D, W, rg, B, rb);
    if (lie_vehicle_system(&sys, &vehicle, NULL) != LIE_OK) return 2;
    lie_se3_from_fossen(g, eta);
    lie_system_force(&sys, F, g, (double[6]){0});
    lie_twist_to_fossen(tau, F);
    double restoring[6] = {(W - B) * sin(th), -(W - B) * cos(th) * sin(phi), -(W - B) * cos(th) * cos(phi),
        -(rg[1] * W - rb[1] * B) * cos(th) * cos(phi) + (rg[2] * W - rb[2] * B) * cos(th) * sin(phi),
        (rg[2] * W - rb[2] * B) * sin(th) + (rg[0] * W - rb[0] * B) * cos(th) * cos(phi),
        -(rg[0] * W - rb[0] * B) * cos(th) * sin(phi) - (rg[1] * W - rb[1] * B) * sin(th)};
    for (int i = 0; i < 6; i++) near(tau[i], -restoring[i], 1e-12, "restoring force");
    double nu[6] = {1, 0, 0, 0, 0, 0}, X[6], mu[6];
    lie_twist_from_fossen(X, nu);
    lie_system_momentum(&sys, mu, g, X);
    lie_twist_to_fossen(mu, mu);
    for (int i = 0; i < 6; i++) near(mu[i], M[6 * i], 1e-12, "momentum of a straight run");
    print_sizes();
    return wrong;
}
'''

# What the page's tables of memory tell, as the library has it (where pointers have 64 bits).
SIZES = r'''
#include <stdio.h>
static void print_row(const char *row, const lie_system *s3, const lie_system *so3, const lie_system *se3,
                      const char *method)
{
    lie_options how = {.method = method, .retraction = "cay"};
    printf("%s | %zu | %zu | %zu |\n", row, lie_stepper_memsize(s3, &how), lie_stepper_memsize(so3, &how),
           lie_stepper_memsize(se3, &how));
}
/* A term that is there, and nothing more */
static void no_force(const lie_system *sys, double *f, double t, const double *g, const double *xi, const double *u)
{
    (void)t, (void)g, (void)xi, (void)u;
    for (int i = 0; i < sys->group->dim; i++) f[i] = 0.0;
}
static void no_term(const lie_system *sys, double *A, const double *g)
{
    (void)g;
    for (int i = 0; i < sys->group->dim; i++) A[i] = 0.0;
}
static void no_deriv(const lie_system *sys, double *D, const double *g)
{
    (void)g;
    for (int i = 0; i < sys->group->dim * sys->group->dim; i++) D[i] = 0.0;
}
static void print_sizes(void)
{
    lie_heavy_top top = {.inertia = {1, 0, 0, 0, 2, 0, 0, 0, 2.5}, .mass = 1, .centre = {0.1, 0.2, 0.3}};
    lie_vehicle vehicle = {.weight = 1, .linear_drag = {1}};
    lie_system free[3], gyro[3], forced[3];
    lie_inertia_diagonal(6, vehicle.inertia, (double[6]){1, 2, 3, 1, 2, 3});
    for (int k = 0; k < 2; k++) {
        if (lie_heavy_top_system(&free[k], &top, k ? "SO3" : "S3") != LIE_OK) return;
    }
    if (lie_vehicle_system(&free[2], &vehicle, NULL) != LIE_OK || sizeof(void *) != 8) return;
    free[2].external = 0, free[2].external_deriv = 0;
    for (int k = 0; k < 3; k++) {
        forced[k] = gyro[k] = free[k];
        forced[k].form = 0;
        forced[k].external = no_force;
        gyro[k].form = 0;
        gyro[k].gyro = no_term, gyro[k].gyro_deriv = no_deriv;
    }
    printf("| `lie_system` | %zu |\n| `lie_state` | %zu |\n", sizeof(lie_system), sizeof(lie_state));
    print_row("compositions, ℓ = ½⟨𝕀ξ,ξ⟩ − V", &free[0], &free[1], &free[2], "sv");
    print_row("| `split6`", &free[0], &free[1], &free[2], "split6");
    print_row("| `sv` with external force", &forced[0], &forced[1], &forced[2], "sv");
    print_row("| `sv` with gyroscopic term", &gyro[0], &gyro[1], &gyro[2], "sv");
    print_row("| `midpoint`", &free[0], &free[1], &free[2], "midpoint");
    print_row("| `gauss2`", &free[0], &free[1], &free[2], "gauss2");
    print_row("| `gauss3`", &free[0], &free[1], &free[2], "gauss3");
    print_row("| `gauss4`", &free[0], &free[1], &free[2], "gauss4");
}
'''

# The loop of an engine: a torque about a principal axis, a blow, and a tumble that keeps momentum and energy.
ENGINE = r'''
#include <math.h>
#include <stdio.h>
static int wrong;
static void near(double a, double b, double bound, const char *what)
{
    if (!(fabs(a - b) <= bound)) printf("%s: %.17g for %.17g\n", what, a, b), wrong = 1;
}
int main(void)
{
    const double I[9] = {1, 0, 0, 0, 2, 0, 0, 0, 2.8}, inverse[9] = {1, 0, 0, 0, 0.5, 0, 0, 0, 1 / 2.8};
    const double none[3] = {0}, blow[3] = {0.5, 10, 0.84};
    double q[4] = {1, 0, 0, 0}, L[3] = {0}, w[3] = {0}, up[3] = {0, 0, 0.56};
    lie_free_flow flow;
    if (lie_free_flow_init(&flow, I) != LIE_OK) return 2;
    for (int k = 0; k < 1000; k++)
        if (engine_turn(&flow, inverse, q, L, up, none, w, 1e-3) != LIE_OK) return 2;
    near(w[2], 0.2, 1e-13, "rate after 1 s of 0.56 N m on 2.8 kg m^2");
    near(2 * atan2(q[3], q[0]), 0.1 + 0.5 * 0.2 * 1e-3, 1e-13, "angle after 1 s, whole kicks");
    q[0] = 1, q[1] = q[2] = q[3] = L[0] = L[1] = L[2] = 0;
    for (int k = 0; k < 100000; k++)
        if (engine_turn(&flow, inverse, q, L, none, k ? none : blow, w, 0.01) != LIE_OK) return 2;
    for (int i = 0; i < 3; i++) near(L[i], blow[i], 0.0, "momentum after the blow");
    near(L[0] * w[0] + L[1] * w[1] + L[2] * w[2], 0.25 + 50 + 0.252, 1e-10, "twice the energy after 1000 s");
    return wrong;
}
'''


def check_sizes(text, row):
    """The page has this row, with sizes that are enough and at most a fifth too much."""
    name, *needed = [cell.strip() for cell in row.strip('| ').split(' | ')]
    found = re.search(rf'{re.escape(name)}((?: \| \d+){{{len(needed)}}}) \|', text)
    told = found.group(1).split(' | ')[1:] if found else []
    if not told or any(not int(a) <= int(b) <= 1.2 * int(a) for a, b in zip(needed, told)):
        sys.exit(f'docs/EMBEDDING.md says {told} bytes for {name}; it is {needed}')


def run(cc, include, library, page, count, more):
    """What the programs of the page print, followed by more."""
    with open(page, encoding='utf-8') as file:
        text = file.read()
    programs = re.findall(r'^```c\n(.*?)^```$', text, flags=re.M | re.S)
    with tempfile.TemporaryDirectory() as folder:
        program = f'{folder}/embedding'
        command = cc.split() + ['-x', 'c', '-std=c11', '-Wall', '-Wextra', '-Werror', '-I', include, '-o', program, '-',
                                '-x', 'none', library, '-lm']
        source = '\n'.join(programs) + more
        if len(programs) != count or subprocess.run(command, text=True, input=source, check=False).returncode != 0:
            sys.exit(f'the programs in {page} do not compile')
        done = subprocess.run([program], check=False, text=True, stdout=subprocess.PIPE)
    if done.returncode != 0:
        sys.exit(done.stdout)
    return text, done.stdout


def main():
    cc, embedding, include, library = sys.argv[1:]
    text, output = run(cc, include, library, embedding, 4, SIZES + MAIN)
    for row in output.splitlines():
        check_sizes(text, row)
    run(cc, include, library, pathlib.Path(embedding).with_name('ENGINES.md'), 1, ENGINE)


main()
