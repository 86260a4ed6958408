#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Print the rows of groups/step/so3_dmv.def: the inertia with which discrete Moser-Veselov steps are exact, as a series in h.

    tools/derive_dmv.py        (about ten seconds; needs nothing but Python)

A step of the discrete Moser-Veselov algorithm with the inertia I' turns the body by the rotation with the Rodrigues
vector c,
    (2/h) I' c = m + m x c + (c . m) c.
Hairer & Vilmart (2006) show that I'^-1 = alpha + beta I^-1, with alpha and beta functions of h, |m|^2 and the energy,
makes it the exact rotation of the body with the inertia I: three equations for two numbers, which have a solution as
power series in h. Here the Rodrigues vector of the exact rotation is expanded in h for bodies with integer 1/I_i and
integer momenta, in rational arithmetic; alpha and beta follow power by power, and that all three equations hold is
checked. The coefficient of h^2k is a polynomial in M = |m|^2, E = m . I^-1 m and the elementary symmetric functions
e1, e2, e3 of 1/I_i, homogeneous in both; its coefficients are found by linear algebra from as many bodies as it takes,
and more bodies than that must agree.
"""
from fractions import Fraction
import random

POWERS = 4          # h^2 .. h^8: order 10
LENGTH = 2 * POWERS + 3
SPARE = 12          # bodies beyond what the linear equations need


def product(a, b, k):
    """Coefficient k of the product of two series."""
    return sum(a[i] * b[k - i] for i in range(k + 1))


def rodrigues(m, b):
    """Series in t of c, tan(angle/2) times the axis: c' = (w + c x w + (c . w) c)/2, m' = m x w, w = b m."""
    ms = [[x] + [Fraction(0)] * (LENGTH - 1) for x in m]
    ws = [[b[i] * x for x in ms[i]] for i in range(3)]
    cs = [[Fraction(0)] * LENGTH for _ in range(3)]
    cw = [Fraction(0)] * LENGTH
    for k in range(LENGTH - 1):
        cw[k] = sum(product(cs[i], ws[i], k) for i in range(3))
        for i in range(3):
            j, l = (i + 1) % 3, (i + 2) % 3
            ms[i][k + 1] = (product(ms[j], ws[l], k) - product(ms[l], ws[j], k)) / (k + 1)
            cs[i][k + 1] = (ws[i][k] + product(cs[j], ws[l], k) - product(cs[l], ws[j], k) +
                            product(cw, cs[i], k)) / (2 * (k + 1))
        for i in range(3):
            ws[i][k + 1] = b[i] * ms[i][k + 1]
    return cs


def modified(m, b):
    """Series in h of alpha and beta: (alpha + beta b_i) (m + m x c + (c . m) c)_i = (2/h) c_i."""
    c = rodrigues(m, b)
    cm = [sum(c[i][k] * m[i] for i in range(3)) for k in range(LENGTH)]
    v = [[(m[i] if k == 0 else 0) + m[(i + 1) % 3] * c[(i + 2) % 3][k] - m[(i + 2) % 3] * c[(i + 1) % 3][k] +
          product(cm, c[i], k) for k in range(LENGTH)] for i in range(3)]
    alpha, beta = [], []
    for k in range(LENGTH - 1):
        rest = [(2 * c[i][k + 1] - sum((alpha[n] + beta[n] * b[i]) * v[i][k - n] for n in range(k))) / m[i]
                for i in range(3)]
        beta.append((rest[0] - rest[1]) / (b[0] - b[1]))
        alpha.append(rest[0] - beta[k] * b[0])
        assert alpha[k] + beta[k] * b[2] == rest[2], 'the third equation'
        assert k % 2 == 0 or alpha[k] == beta[k] == 0, 'even in h'
    assert alpha[0] == 0 and beta[0] == 1
    return alpha, beta


def monomials(k, more):
    """(j, i1, i2, i3): E^j M^(k-j) e1^i1 e2^i2 e3^i3 of degree 2k + more in 1/I"""
    return [(j, d - 2 * i2 - 3 * i3, i2, i3) for j in range(k + 1) for d in [2 * k + more - j]
            for i3 in range(d // 3 + 1) for i2 in range((d - 3 * i3) // 2 + 1)]


def evaluated(terms, k, m, b):
    M, E = sum(x * x for x in m), sum(x * x * y for x, y in zip(m, b))
    e1, e2, e3 = sum(b), b[0] * b[1] + b[1] * b[2] + b[2] * b[0], b[0] * b[1] * b[2]
    return [E**j * M**(k - j) * e1**i1 * e2**i2 * e3**i3 for j, i1, i2, i3 in terms]


def solve(rows, n):
    """Gauss and Jordan on rows (A | y) with n unknowns; the rows beyond must agree."""
    for column in range(n):
        pivot = next(i for i in range(column, len(rows)) if rows[i][column] != 0)
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [x / rows[column][column] for x in rows[column]]
        for i in range(len(rows)):
            if i != column and rows[i][column] != 0:
                rows[i] = [x - rows[i][column] * y for x, y in zip(rows[i], rows[column])]
    assert all(row[n] == 0 for row in rows[n:]), 'not a polynomial of this form'
    return [row[n] for row in rows[:n]]


def bodies(count):
    rng = random.Random(2385)
    found = []
    while len(found) < count:
        m = [Fraction(rng.choice([-1, 1]) * rng.randint(1, 9)) for _ in range(3)]
        b = [Fraction(rng.randint(1, 12)) for _ in range(3)]
        if len(set(b)) == 3:
            found.append((m, b) + modified(m, b))
    return found


def main():
    known = bodies(len(monomials(POWERS, 1)) + SPARE)
    for k in range(1, POWERS + 1):
        for name, more, which in (('ALPHA', 1, 2), ('BETA', 0, 3)):
            terms = monomials(k, more)
            rows = [evaluated(terms, k, body[0], body[1]) + [body[which][2 * k]]
                    for body in known[:len(terms) + SPARE]]
            for (j, i1, i2, i3), x in zip(terms, solve(rows, len(terms))):
                if x != 0:
                    print(f'TERM({name}, {k}, {j}, {i1}, {i2}, {i3}, {x.numerator}, {x.denominator})')


main()
