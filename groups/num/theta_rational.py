#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The rational approximation of theta.h, printed as C tables (needs mpmath):   python3 groups/num/theta_rational.py

    t/(2 sin t) = 1/2 + (4 - D) N(D)/M(D),   D = 4 cos^2(t/2) in [1, 4],   N and M of degree 7

sollya's fpminimax has no rational forms, so this is Remez' exchange for them: the error, relative to t/(2 sin t), is levelled
at n + m + 2 points, each step a linear system in the coefficients and the level. All coefficients come out positive in D.
"""
from mpmath import asin, binomial, cos, lu_solve, matrix, mp, mpf, nstr, pi, polyval, sin, sqrt

mp.prec = 400
DEGREE = 7
END = mpf("3.0001")  # in s = 4 - D


def target(s):
    """(t/(2 sin t) - 1/2)/s for s = 4 sin^2(t/2)"""
    if s == 0:
        return mpf(1) / 12
    t = 2 * asin(sqrt(s) / 2)
    return (t / (2 * sin(t)) - mpf(1) / 2) / s


def weight(s):
    return s / (mpf(1) / 2 + s * target(s)) + mpf(10) ** -3


def level(points, guess):
    """Coefficients and level of the rational function whose error alternates at the points."""
    n, rows = DEGREE, len(points)
    system, right = matrix(rows, rows), matrix(rows, 1)
    for row, s in enumerate(points):
        value, sign, w = target(s), (-1) ** row, weight(s)
        for i in range(n + 1):
            system[row, i] = s**i
        for j in range(1, n + 1):
            system[row, n + j] = -(value + sign * guess / w) * s**j
        system[row, rows - 1] = -sign / w
        right[row] = value
    x = lu_solve(system, right)
    return [x[i] for i in range(n + 1)], [mpf(1)] + [x[n + j] for j in range(1, n + 1)], x[rows - 1]


def extrema(error, grid, wanted):
    """The grid points of largest error between sign changes, `wanted` of them."""
    values = [error(s) for s in grid]
    best, current = [], 0
    for i in range(1, len(grid)):
        if (values[i] > 0) != (values[current] > 0):
            best.append(current)
            current = i
        elif abs(values[i]) > abs(values[current]):
            current = i
    best.append(current)
    while len(best) > wanted:
        best.pop(0 if abs(values[best[0]]) < abs(values[best[-1]]) else -1)
    return [grid[i] for i in best], max(abs(v) for v in values)


def chebyshev(count):
    return [END / 2 * (1 - cos(pi * mpf(i) / (count - 1))) for i in range(count)]


def remez():
    wanted = 2 * DEGREE + 2
    points, grid, e = chebyshev(wanted), chebyshev(40 * wanted + 1), mpf(0)
    for _ in range(12):
        for _ in range(30):
            p, q, new = level(points, e)
            done, e = abs(new - e) <= abs(new) * mpf(10) ** -12, new
            if done:
                break
        points, worst = extrema(lambda s: (polyval(p[::-1], s) / polyval(q[::-1], s) - target(s)) * weight(s), grid, wanted)
        if worst < abs(e) * mpf("1.02"):
            return p, q
    return p, q


def in_D(coefficients):
    """From powers of s = 4 - D to powers of D."""
    out = [mpf(0)] * len(coefficients)
    for i, c in enumerate(coefficients):
        for k in range(i + 1):
            out[k] += c * binomial(i, k) * mpf(4) ** (i - k) * (-1) ** k
    return out


def main():
    p, q = (in_D(c) for c in remez())
    tables = {"half_turn_num": [float(c / q[-1]) for c in p], "half_turn_den": [float(c / q[-1]) for c in q]}
    worst = mpf(0)
    for i in range(3000):
        s = 3 * mpf(i) / 2999
        values = [polyval([mpf(c) for c in reversed(t)], 4 - s) for t in tables.values()]
        worst = max(worst, abs(s * (values[0] / values[1] - target(s)) / (mpf(1) / 2 + s * target(s))))
    print(f"/* error {nstr(worst * 2**53, 3)} x 2^-53 */")
    for name, table in tables.items():
        print(f"static const double {name}[{len(table)}] = {{" + ", ".join(c.hex() for c in table) + "};")


main()
