#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The programs in docs/EMBEDDING.md compile as printed and do what the page says.

    check_embedding.py CC docs/EMBEDDING.md INCLUDE_DIR libliestep-core.a
"""
import re
import subprocess
import sys
import tempfile

# The page's functions against independent formulas: a constant torque about a principal axis; the MRP of the same turn; the
# restoring forces g(eta) of a submerged vehicle (Fossen 2021, chapter 4), and a straight run with M.
MAIN = r'''
#include <math.h>
#include <stdio.h>
static int wrong;
static void near(double a, double b, double bound, const char *what)
{
    if (!(fabs(a - b) <= bound)) printf("%s: %.17g for %.17g\n", what, a, b), wrong = 1;
}
int main(void)
{
    static attitude a, b;
    double I[9] = {2, 0, 0, 0, 3, 0, 0, 0, 4}, q[4] = {1, 0, 0, 0}, w[3] = {0}, torque[3] = {0, 0, 0.8}, s[3] = {0}, v[3] = {0};
    if (attitude_init(&a, I) != LIE_OK || attitude_init(&b, I) != LIE_OK) return 2;
    for (int k = 0; k < 1000; k++)
        if (attitude_step(&a, q, w, torque, 1e-3) != LIE_OK || basilisk_step(&b, s, v, torque, 1e-3) != LIE_OK) return 2;
    near(w[2], 0.2, 1e-14, "rate after 1 s of 0.8 N m on 4 kg m^2");
    near(2 * atan2(q[3], q[0]), 0.1, 1e-8, "angle after 1 s");
    near(s[2], tan(0.1 / 4), 1e-8, "MRP after 1 s");
    w[0] = w[1] = w[2] = 0.0; /* the host stops the body: the step notices */
    if (attitude_step(&a, q, w, (double[3]){0, 0, 0}, 1e-3) != LIE_OK) return 2;
    near(w[2], 0.0, 0.0, "rate after the host has stopped it");

    double M[36], D[36], eta[6] = {1, 2, 3, 0.3, -0.4, 0.9}, g[12], F[6], tau[6], W = 120, B = 123;
    double rg[3] = {0.02, -0.01, 0.05}, rb[3] = {-0.03, 0.02, -0.04}, phi = eta[3], th = eta[4];
    for (int i = 0; i < 36; i++) M[i] = i % 7 == 0 ? 10.0 + i : 0.1 * (i % 6 + i / 6), D[i] = i % 7 == 0 ? 5.0 : 0.0;
    lie_vehicle vehicle;
    lie_system sys;
    vehicle_from_fossen(&vehicle, M, D, W, rg, B, rb);
    if (lie_vehicle_system(&sys, &vehicle) != LIE_OK) return 2;
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
    return wrong;
}
'''


def main():
    cc, page, include, library = sys.argv[1:]
    with open(page, encoding='utf-8') as file:
        programs = re.findall(r'^```c\n(.*?)^```$', file.read(), flags=re.M | re.S)
    with tempfile.TemporaryDirectory() as folder:
        program = f'{folder}/embedding'
        command = cc.split() + ['-x', 'c', '-std=c11', '-Wall', '-Wextra', '-Werror', '-I', include, '-o', program, '-',
                                '-x', 'none', library, '-lm']
        source = '\n'.join(programs) + MAIN
        if len(programs) != 3 or subprocess.run(command, text=True, input=source, check=False).returncode != 0:
            sys.exit('the programs in docs/EMBEDDING.md do not compile')
        sys.exit(subprocess.run([program], check=False).returncode)


main()
