/* SPDX-License-Identifier: MIT */
/* method_auto.c: the method for a system of which nothing is said but what it has; see lie_method_auto in stepper.h. */
#include <liestep/stepper.h>

/* In the order of preference. dmv10 costs less than a step of RK4 and has an error below 1e-9 at 20 steps a turn.
 * split6 costs 2.3 times split4 and has a hundredth of its error or less from 20 steps a turn on. gauss3 takes what is
 * left; compositions of sv of order 6 cost less where nothing but a potential acts, and lose at long steps and with
 * forces. */
static const struct choice {
    const char *method, *why;
} choices[] = {
    {"dmv10", "a free rigid body: explicit, order 10, momentum and energy exact"},
    {"split6", "SO3, S3, SE3, R^n and products, no force that depends on the velocity: explicit, order 6, symplectic"},
    {"gauss3", "any force, coupling and group: variational, order 6"},
};
enum { CHOICES = sizeof choices / sizeof *choices };

const lie_method *lie_method_auto_choice(int i, const char **why)
{
    const lie_method *m = 0;
    if (i < 0 || i >= CHOICES || lie_method_find(&m, choices[i].method) != LIE_OK) return 0;
    if (why) *why = choices[i].why;
    return m;
}

lie_status lie_method_auto(const lie_method **out, const char **why, const lie_system *sys)
{
    const lie_method *m;
    const char *reason = 0;
    lie_status status = lie_system_check(sys);
    if (status != LIE_OK) return status;
    for (int i = 0; (m = lie_method_auto_choice(i, &reason)); i++) {
        if (lie_method_takes(m, sys) != LIE_OK) continue;
        *out = m;
        if (why) *why = reason;
        return LIE_OK;
    }
    return LIE_ERR_METHOD;
}
