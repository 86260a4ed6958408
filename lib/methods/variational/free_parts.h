/* SPDX-License-Identifier: MIT */
/* free_parts.h: the kinetic energy T = 1/2 <m, I^-1 m> = T_1 + ... + T_k in parts, each with a flow on T*G of its own.
 * Internal.
 *
 * As few as possible (lie__parts_exact):
 *     SO(3), S3   T itself, the exact free rigid body (free_flow.h)
 *     R^n         T itself: g <- g + h I^-1 m
 *     SE(3)       1/2 P . M^-1 P, a translation at constant velocity, and the rotation: exact where the inertia does
 *                 not couple it to the translation, else three screws about the principal axes of A,
 *                 T = 1/2 P . M^-1 P + 1/2 (Pi - N^T P) . A^-1 (Pi - N^T P),   N = M^-1 C,   A = J - C^T M^-1 C
 *     products    the flows of the factors commute, as the inertia does not couple them: part i of T is the sum of
 *                 their parts i, and the whole has as many parts as the factor that has most
 * Lines (lie__parts_lines), for any group with exp, products of such, and any inertia: T_i = 1/2 <m, n_i>^2 with I^-1 =
 * sum n_i n_i^T (Cholesky), for an inertia that is diagonal one turn or translation per axis. Since <m, n> does not
 * change along exp(s n), the velocity is constant, g <- g exp(x), m <- Ad*_{exp(x)} m, x = h <m, n> n. */
#ifndef LIESTEP_LIB_FREE_PARTS_H
#define LIESTEP_LIB_FREE_PARTS_H

#include "lib/methods/free_body/free_flow.h"
#include "lib/methods/stepping.h"

/* A group that is no product or a product of R^n, or a factor that is no product. */
typedef struct piece piece;

/* The flow of a part of its kinetic energy over the time h. The pointers are to the numbers of this piece. */
typedef lie_status piece_flow(const piece *p, int part, const lie_place *at, double h);

struct piece {
    const lie_ops *G;         /* with exp; R^n as it is */
    int g, m, parts;          /* where it begins in an element and in a momentum; how many parts it has */
    piece_flow *first, *rest; /* of the first part, of the others */
    double *lines;            /* n_i of part i, where it is a line; R^n: data of its free step */
    double shift[9];          /* SE(3): M^-1 */
    lie_free_flow body;
};

typedef struct free_parts {
    int parts, count, dim; /* how many there are; pieces; the dimension of the group */
    int is_lines;
    piece *of;       /* the pieces */
    double *lines;   /* n_i, or the lines of the pieces one after the other */
    double *inverse; /* I^-1 */
} free_parts;

/* Doubles of memory for the parts of a group; 0 where there are too many. */
int lie__parts_doubles(const lie_ops *G);

/* On work of that many doubles. Status: LIE_ERR_METHOD (a group without exp), LIE_ERR_INERTIA, LIE_ERR_NOT_FINITE. */
lie_status lie__parts_exact(free_parts *T, const lie_ops *G, const double *inertia, double *work);
lie_status lie__parts_lines(free_parts *T, const lie_ops *G, const double *inertia, double *work);

/* Part i of a product over the time h. */
lie_status lie__parts_product(const free_parts *T, int part, const lie_place *at, double h);

/* g <- g exp(x), m <- Ad*_{exp(x)} m, piece by piece. */
lie_status lie__parts_move(const free_parts *T, const lie_place *at, double *m, double *low_m, const double *x);

/* What these do to variations, columns of V: n rows of eta, n of nu (tangent.h). before, after: the momentum; `moved`:
 * by lie__parts_move. */
lie_status lie__parts_along(const free_parts *T, int part, const double *before, const double *after, double h,
                            double *V, int columns);
lie_status lie__parts_moved(const free_parts *T, const double *x, const double *after, double *V, int columns);

LIE_INLINE lie_status parts_flow(const free_parts *T, int part, const lie_place *at, double h)
{
    if (T->count > 1) return lie__parts_product(T, part, at, h);
    return (part == 0 ? T->of->first : T->of->rest)(T->of, part, at, h);
}

#endif
