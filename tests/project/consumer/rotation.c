/* SPDX-License-Identifier: MIT */
/* A quarter turn about z carries the x axis to the y axis. Needs liestep-core only. */
#include <liestep/core.h>
#include <stdio.h>
#include <string.h>

static int near(double a, double b)
{
    return a - b < 1e-15 && b - a < 1e-15;
}

int main(void)
{
    const double quarter[3] = {0.0, 0.0, 1.5707963267948966};
    const double x[3] = {1.0, 0.0, 0.0};
    double R[9], y[3], back[3];

    if (strcmp(lie_version(), LIE_VERSION_STRING) != 0) {
        printf("headers are %s, the library is %s\n", LIE_VERSION_STRING, lie_version());
        return 1;
    }
    lie_so3_exp(R, quarter);
    lie_so3_act(y, R, x);
    lie_status status = lie_so3_log(back, R);
    printf("liestep %s: a quarter turn about z takes (1, 0, 0) to (%.3f, %.3f, %.3f): %s\n", lie_version(), y[0], y[1],
           y[2], lie_status_text(status));
    return status == LIE_OK && near(y[0], 0) && near(y[1], 1) && near(y[2], 0) && near(back[2], quarter[2]) ? 0 : 1;
}
