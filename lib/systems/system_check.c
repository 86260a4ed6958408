/* SPDX-License-Identifier: MIT */
/* system_check.c: is this a system? The checks of lie_system_check, which can say what is wrong (report.h). */
#include <liestep/form.h>

#include "groups/num/cholesky.h"
#include "groups/num/refuse.h"

/* The operations that every method needs; the others may be null. */
#define OPERATIONS(X)                                                                                                  \
    X(identity)                                                                                                        \
    X(mul) X(inv) X(Ad) X(Adt) X(ad) X(adt) X(tau) X(dtau) X(dtaut) X(dtauinv) X(dtauinvt) X(dtau_body_deriv) X(project)

static lie_status check_group(lie_report *r, const lie_ops *G)
{
    if (!G) return lie__refuse(r, LIE_ERR_INCOMPLETE, "system.group", "must not be null");
#define CHECK_OPERATION(op)                                                                                            \
    if (!G->op)                                                                                                        \
        return lie__refuse(r, LIE_ERR_INCOMPLETE, "system.group." #op, "must not be null (see lie_ops_complete)");
    OPERATIONS(CHECK_OPERATION)
#undef CHECK_OPERATION
    return LIE_OK;
}

/* One of a pair without the other. */
static lie_status check_pair(lie_report *r, int is_there, int needed, const char *what, const char *expected)
{
    return is_there && !needed ? lie__refuse(r, LIE_ERR_INCOMPLETE, what, expected) : LIE_OK;
}

/* l = 1/2 <I xi, xi> + <A, xi> - V */
static lie_status check_quadratic(lie_report *r, const lie_system *sys)
{
    lie_status status =
        check_pair(r, 1, sys->inertia != 0, "system.inertia", "must not be null, unless there is a general Lagrangian");
    if (status == LIE_OK)
        status = check_pair(r, sys->potential != 0, sys->force != 0, "system.force", "must be there with potential");
    if (status == LIE_OK)
        status = check_pair(r, sys->force != 0, sys->potential != 0, "system.potential", "must be there with force");
    if (status == LIE_OK)
        status = check_pair(r, sys->gyro != 0, sys->gyro_deriv != 0, "system.gyro_deriv", "must be there with gyro");
    if (status == LIE_OK)
        status = check_pair(r, sys->frame != 0, sys->gyro != 0, "system.gyro", "must be there with frame");
    return status;
}

/* A form that names no callback speaks for the ready ones: they must be there. */
static lie_status check_form(lie_report *r, const lie_system *sys)
{
    const char *const ready = "must be there with a form that names no other (see lie_form_complete)";
    const lie_form *form = sys->form;
    if (!form || sys->lagrangian) return LIE_OK;
    const char *missing = !form->force && (form->weight || form->frame) && !sys->force        ? "system.force"
                          : !form->gyro && form->frame && !sys->gyro                          ? "system.gyro"
                          : !form->external && (form->drag || form->thrust) && !sys->external ? "system.external"
                                                                                              : 0;
    return missing ? lie__refuse(r, LIE_ERR_INCOMPLETE, missing, ready) : LIE_OK;
}

/* A general l: the parts of the other kind must not be there. */
static lie_status check_general(lie_report *r, const lie_system *sys)
{
#define CHECK_ABSENT(part)                                                                                             \
    if (sys->part) return lie__refuse(r, LIE_ERR_INCOMPLETE, "system." #part, "must be null with a general Lagrangian");
#define CHECK_PRESENT(part)                                                                                            \
    if (!sys->part)                                                                                                    \
        return lie__refuse(r, LIE_ERR_INCOMPLETE, "system." #part, "must be there with a general Lagrangian");
    CHECK_ABSENT(inertia)
    CHECK_ABSENT(potential)
    CHECK_ABSENT(force)
    CHECK_ABSENT(force_deriv)
    CHECK_ABSENT(gyro)
    CHECK_ABSENT(gyro_deriv)
    CHECK_ABSENT(frame)
    CHECK_PRESENT(lagrangian)
    CHECK_PRESENT(momentum)
    CHECK_PRESENT(gradient)
#undef CHECK_ABSENT
#undef CHECK_PRESENT
    return LIE_OK;
}

static lie_status check_sizes(lie_report *r, const lie_system *sys)
{
    int dim = sys->group->dim, size = sys->group->size;
    if (dim < 1 || dim > LIE_DIM_MAX)
        return lie__refuse_entry(r, LIE_ERR_SIZE, "system.group.dim", -1, dim, LIE_DIM_MAX, "must be 1 .. LIE_DIM_MAX");
    if (size < 1 || size > LIE_SIZE_MAX)
        return lie__refuse_entry(r, LIE_ERR_SIZE, "system.group.size", -1, size, LIE_SIZE_MAX,
                                 "must be 1 .. LIE_SIZE_MAX");
    if (sys->controls < 0)
        return lie__refuse_entry(r, LIE_ERR_SIZE, "system.controls", -1, sys->controls, 0.0, "must not be negative");
    return LIE_OK;
}

static lie_status check_inertia(lie_report *r, int n, const double *A)
{
    double L[LIE_DIM_MAX * LIE_DIM_MAX];
    lie_status status = lie__refuse_not_finite(r, "system.inertia", (long long)n * n, A);
    if (status != LIE_OK) return status;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            if (fabs(A[i * n + j] - A[j * n + i]) > 1e-12 * (fabs(A[i * n + i]) + fabs(A[j * n + j])))
                return lie__refuse_entry(r, LIE_ERR_INERTIA, "system.inertia", i * n + j, A[i * n + j], A[j * n + i],
                                         "must equal the entry across the diagonal");
    for (int i = 0; i < n; i++)
        if (!(A[i * n + i] > 0.0))
            return lie__refuse_entry(r, LIE_ERR_INERTIA, "system.inertia", i * n + i, A[i * n + i], 0.0,
                                     "must be positive on the diagonal");
    if (cholesky_factor(n, L, A)) return LIE_OK;
    return lie__refuse(r, LIE_ERR_INERTIA, "system.inertia", "must be positive definite");
}

lie_status lie_system_explain(lie_report *r, const lie_system *sys)
{
    if (!sys) return lie__refuse(r, LIE_ERR_INCOMPLETE, "system", "must not be null");
    int general =
        sys->lagrangian || sys->momentum || sys->gradient || sys->hessian || sys->mixed || sys->gradient_deriv;
    lie_status status = check_group(r, sys->group);
    if (status == LIE_OK) status = general ? check_general(r, sys) : check_quadratic(r, sys);
    if (status == LIE_OK) status = check_form(r, sys);
    if (status == LIE_OK) status = check_sizes(r, sys);
    if (status == LIE_OK && sys->inertia) status = check_inertia(r, sys->group->dim, sys->inertia);
    return status == LIE_OK ? lie__accept(r) : status;
}

lie_status lie_system_check(const lie_system *sys)
{
    return lie_system_explain(0, sys);
}
