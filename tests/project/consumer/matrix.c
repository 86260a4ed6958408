/* SPDX-License-Identifier: MIT */
/* A rotation of four-space and its inverse cancel. Needs the full library: matrices of any size go through LAPACK. */
#include <liestep/liestep.h>
#include <stdio.h>

int main(void)
{
    static double memory[LIE_MATGROUP_BYTES(4) / sizeof(double)];
    const double x[6] = {0.3, -0.2, 0.7, 0.5, -0.4, 0.1};
    double g[16], inverse[16], product[16], worst = 0.0;
    lie_matgroup *so4;

    lie_status status = lie_matgroup_init_so(&so4, 4, memory, sizeof memory);
    if (status == LIE_OK) status = lie_matgroup_exp(so4, g, x);
    if (status != LIE_OK) {
        puts(lie_status_text(status));
        return 1;
    }
    lie_matgroup_inv(so4, inverse, g);
    lie_matgroup_mul(so4, product, g, inverse);
    for (int i = 0; i < 16; i++) {
        double error = product[i] - (i % 5 == 0 ? 1.0 : 0.0);
        worst = error > worst ? error : -error > worst ? -error : worst;
    }
    printf("liestep %s: g g^-1 = 1 on SO(4) to %.1e, first entry of g %.6f\n", lie_version(), worst, g[0]);
    return worst < 1e-14 && g[0] < 0.99 ? 0 : 1;
}
