#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Print the numbers of lib/methods/tables/compositions.def, each set made to satisfy its order conditions to 50 digits:

    tools/polish_compositions.py        (needs mpmath: Debian's python3-mpmath)

A self-adjoint method is exp(h Y1 + h^3 Y3 + h^5 Y5 + ...) with operators Yi that do not commute, so the composition
with substeps g_1 h, ..., g_k h is a series in words of odd letters. It has order p if every word of weight <= p (the
sum of its letters) has the coefficient it has in exp(h Y1): 1/n! for 1...1 with n letters, 0 for all others. Lyndon
words are enough, and those of odd weight because g is a palindrome. The published digits are the start of a Newton
iteration with the smallest correction that solves the linear equations: a set with a free parameter stays where its
author put it.

Then ALL words up to weight p are checked, and that one of weight p + 1 fails. The middle coefficient is printed as the
double nearest to 1 - 2 (the doubles before it), so that the doubles sum to 1.
"""
from fractions import Fraction
from mpmath import lu_solve, matrix, mp, mpf, nstr

mp.dps = 60

# name, order, the first half and the middle as published (triple4, suzuki4: from the closed form)
SETS = [
    ('triple4', 4, '1.3512071919596576 -1.7024143839193153'),
    ('suzuki4', 4, '0.4144907717943757 0.4144907717943757 -0.6579630871775029'),
    ('mclachlan4', 4, '0.28 0.62546642846767004501 -0.81093285693534009002'),
    ('yoshida6', 6, '0.784513610477560 0.235573213359357 -1.17767998417887 1.3151863206839'),
    ('kahanli6', 6, '0.39216144400731413928 0.33259913678935943860 -0.70624617255763935981 0.082213596293550800230 '
                    '0.79854399093482996340'),
    ('suzukiumeno8', 8, '0.74167036435061295345 -0.40910082580003159400 0.19075471029623837995 '
                        '-0.57386247111608226666 0.29906418130365592384 0.33462491824529818378 '
                        '0.31529309239676659663 -0.79688793935291635402'),
    ('kahanli8', 8, '0.13020248308889008088 0.56116298177510838456 -0.38947496264484728641 0.15884190655515560090 '
                    '-0.39590389413323757734 0.18453964097831570709 0.25837438768632204729 0.29501172360931029887 '
                    '-0.60550853383003451170'),
]


def words(weight):
    """All words of odd letters of this weight."""
    if weight == 0:
        return [()]
    return [(letter,) + rest for letter in range(1, weight + 1, 2) for rest in words(weight - letter)]


def is_lyndon(word):
    return all(word < word[k:] for k in range(1, len(word)))


def defect(half, word):
    """Coefficient of the word in the composition less that in exp(Y1)."""
    prefix = [mpf(1)] + [mpf(0)] * len(word)  # coefficients of the prefixes of the word, by length
    for g in half + half[-2::-1]:
        prefix = [sum(prefix[j] * g**sum(word[j:k]) / mp.factorial(k - j) for j in range(k + 1))
                  for k in range(len(word) + 1)]
    return prefix[-1] - (1 / mp.factorial(len(word)) if set(word) == {1} else 0)


def polish(half, order):
    conditions = [w for weight in range(1, order, 2) for w in words(weight) if is_lyndon(w)]
    step = mpf(10)**-30
    for _ in range(8):
        jacobian = matrix(len(conditions), len(half))
        for j in range(len(half)):
            up, down = (half[:j] + [half[j] + s] + half[j + 1:] for s in (step, -step))
            for i, word in enumerate(conditions):
                jacobian[i, j] = (defect(up, word) - defect(down, word)) / (2 * step)
        value = matrix([defect(half, word) for word in conditions])
        correction = jacobian.T * lu_solve(jacobian * jacobian.T, value)
        half = [g - d for g, d in zip(half, correction)]
    return half


def worst(half, weights):
    return max(abs(defect(half, word)) for weight in weights for word in words(weight))


def main():
    for name, order, published in SETS:
        start = [mpf(x) for x in published.split()]
        half = polish(start, order)
        holds, fails = worst(half, range(1, order + 1)), worst(half, [order + 1])
        assert holds < mpf(10)**-40 and fails > mpf(10)**-7, name
        moved = max(abs(a - b) for a, b in zip(half, start))
        print(f'{name}: order {order} within {nstr(holds, 2)}, order {order + 1} fails by {nstr(fails, 2)}, '
              f'moved by {nstr(moved, 2)}')
        middle = float(1 - 2 * sum(Fraction(float(g)) for g in half[:-1]))
        for text in [nstr(g, 20, strip_zeros=False) for g in half[:-1]] + [f'{middle:.17g}']:
            print('   ', text)


main()
