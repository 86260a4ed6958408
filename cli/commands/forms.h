/* SPDX-License-Identifier: MIT */
/* forms.h: the forms and conventions `liestep convert` knows, as one table over include/liestep/convert.h. */
#ifndef LIESTEP_CLI_FORMS_H
#define LIESTEP_CLI_FORMS_H

#include "cli/base/cli.h"

enum { FORM_NUMBERS = 36 };

/* What is converted; only forms of the same kind convert into each other, each through the library's own form:
 * q[4], g[12] = (R, x), the twist (w, v), the 6x6 matrix in that order. */
typedef enum form_kind { FORM_ATTITUDE, FORM_POSE, FORM_TWIST, FORM_INERTIA, FORM_KINDS } form_kind;

/* What must hold of the first numbers of a form: a quaternion of length 1, a rotation matrix, an axis of length 1. */
typedef enum form_check { FORM_ANY, FORM_QUATERNION, FORM_MATRIX, FORM_AXIS } form_check;

typedef struct form {
    const char *name;
    form_kind kind;
    int count;           /* numbers */
    const char *numbers; /* what they are */
    form_check check;
    int angle_at, angles; /* which of them are in degrees */
    int is_quaternion;    /* q and -q are the same: the sign can follow a time series */
    int is_mrp;           /* the same for the shadow set */
    lie_status (*from)(double *own, const double *in);
    lie_status (*to)(double *out, const double *own);
    const char *what;
} form;

const form *form_at(int i); /* null beyond the last */
const char *form_name(int i);
const form *form_find(const char *name); /* null for an unknown one */
const char *form_kind_name(form_kind kind);

/* Read `in` (count numbers of the form) into the library's own form, or write it. */
lie_status form_read(const form *f, double *own, const double *in);
lie_status form_write(const form *f, double *out, const double *own);

/* Bring the first numbers to where `check` wants them: divide by the length, nearest rotation. */
lie_status form_normalize(const form *f, double *in);

/* How far they are from there: the length, or the largest entry of R^T R - 1. */
double form_defect(const form *f, const double *in);

#endif
