#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Print the numbers of lib/methods/tables/splittings.def, each set made to satisfy its order conditions to 50 digits:

    tools/polish_splittings.py        (needs mpmath: Debian's python3-mpmath)

A splitting is a palindrome of kicks b_i and drifts a_i, b_1 a_1 b_2 ... a_1 b_1, each of a or b adding up to 1. For two
operators that need not commute it is a series in words of two letters and has order p if every word of at most p
letters has the coefficient 1/n! that it has in exp(A + B); Lyndon words of odd length are enough for a palindrome. For
a kinetic energy quadratic in the momenta, [B, [B, [B, A]]] = 0, fewer conditions remain: those of Runge-Kutta-Nystroem
methods, one for each tree (Hairer, Norsett & Wanner, Solving Ordinary Differential Equations I, section II.14; Okunbor
& Skeel 1992).

One set has kicks with a gradient, b_i h F + g_i h^3 D^T I^-1 F, D the derivative of F: of the sets of order 4 with 4
drifts and g_2 = 0 it is the one whose defects of order 5 (all trees) have the smallest sum of squares, rounded to
a_1, b_1, g_1 with four digits; b_2 and g_3 follow from the two conditions of order 3. tree_defect knows g.

The published digits of the others are the start of a Newton iteration with the smallest correction that solves the linear equations,
so free parameters stay where their authors put them. Then ALL words or trees up to p are checked, and that one of order
p + 1 fails. Of a and b the last one is printed as the double that makes the doubles sum to 1.
"""
from fractions import Fraction
from itertools import combinations_with_replacement, product
from mpmath import lu_solve, matrix, mp, mpf, nstr

mp.dps = 60

# name, order, Nystroem, kicks, drifts; a last one that is not published follows from the sum
SETS = [
    ('bm4', 4, False, 6, '0.0792036964311957 0.353172906049774 -0.0420650803577195',
     '0.209515106613362 -0.143851773179818'),
    ('bm6', 6, False, 10, '0.0502627644003922 0.413514300428344 0.0450798897943977 -0.188054853819569 '
     '0.541960678450780', '0.148816447901042 -0.132385865767784 0.067307604692185 0.432666402578175'),
    ('nystroem4', 4, True, 6, '0.0829844064174052 0.396309801498368 -0.0390563049223486',
     '0.245298957184271 0.604872665711080'),
    ('nystroem6', 6, True, 11, '0.0414649985182624 0.198128671918067 -0.0400061921041533 0.0752539843015807 '
     '-0.0115113874206879', '0.123229775946271 0.290553797799558 -0.127049212625417 -0.246331761062075 '
     '0.357208872795928'),
]


def whole(half, count):
    """The palindrome of this many entries."""
    return half + half[::-1][count % 2:]


def last_of(half, count, one):
    """The entry that makes the palindrome add up to one."""
    return one - 2 * sum(half) if count % 2 else one / 2 - sum(half)


def word_defect(a, b, word):
    """Coefficient of the word in b_1 a_1 b_2 ... less 1/n!"""
    prefix = [mpf(1)] + [mpf(0)] * len(word)
    for letter, x in [item for pair in zip(b, a + [mpf(0)]) for item in zip('BA', pair)]:
        new = list(prefix)
        for k in range(len(word)):
            power = mpf(1)
            for n in range(k, len(word)):
                if word[n] != letter:
                    break
                power *= x / (n - k + 1)
                new[n + 1] += prefix[k] * power
        prefix = new
    return prefix[-1] - 1 / mp.factorial(len(word))


def words(length):
    return [''.join(w) for w in product('AB', repeat=length)]


def is_lyndon(word):
    return all(word < word[k:] for k in range(1, len(word)))


def trees(degree):
    """(leaves, children): a kick whose place depends on that many c and on the kicks of the children; the weight of the
    exact solution is a multiple of t^degree."""
    found = []

    def grow(left, smallest, children):
        found.append((left, tuple(children)))
        for d in range(smallest, left - 1):
            for tree in trees(d):
                if not children or (d, tree) >= (children[-1][0], children[-1][1]):
                    grow(left - d - 2, d, children + [(d, tree)])

    grow(degree, 0, [])
    return found


def exact_weight(tree):
    weight = mpf(1)
    for d, child in tree[1]:
        weight *= exact_weight(child) / ((d + 1) * (d + 2))
    return weight


def weights(tree, b, g, c):
    """Of the tree in the force at every kick."""
    leaves, children = tree
    at = [x**leaves for x in c]
    for _, child in children:
        below = impulses(child, b, g, c)
        at = [at[i] * sum((c[i] - c[j]) * below[j] for j in range(i)) for i in range(len(c))]
    return at


def impulses(tree, b, g, c):
    """Of the tree in every kick. In the gradient one of the children is the force at the same place."""
    given = [x * y for x, y in zip(b, weights(tree, b, g, c))]
    for k, (_, child) in enumerate(tree[1]):
        rest = weights((tree[0], tree[1][:k] + tree[1][k + 1:]), b, g, c)
        given = [x + y * z * u for x, y, z, u in zip(given, g, rest, weights(child, b, g, c))]
    return given


def tree_defect(a, b, degree, tree, g=None):
    c = [sum(a[:i]) for i in range(len(b))]
    return sum(impulses(tree, b, g or [0] * len(b), c)) - exact_weight(tree) / (degree + 1)


E, C, CC = (0, ()), (1, ()), (2, ())
NYSTROEM = [(0, E), (2, CC), (2, (0, ((0, E),))), (4, (4, ())), (4, (2, ((0, E),))), (4, (0, ((0, E), (0, E)))),
            (4, (1, ((1, C),)))]


def conditions(order, nystroem):
    """Enough of them for a palindrome: functions of a and b."""
    if nystroem:
        return [lambda a, b: sum(a) - 1] + [lambda a, b, t=t: tree_defect(a, b, *t) for t in NYSTROEM if t[0] < order]
    return [lambda a, b, w=w: word_defect(a, b, w) for n in range(1, order, 2) for w in words(n) if is_lyndon(w)]


def worst(a, b, order, nystroem):
    """The largest defect of all conditions of exactly this order."""
    if nystroem:
        return max(abs(tree_defect(a, b, order - 1, t)) for t in trees(order - 1))
    return max(abs(word_defect(a, b, w)) for w in words(order))


def polish(kicks, drifts, order, nystroem, stages):
    wanted, x, step = conditions(order, nystroem), kicks + drifts, mpf(10)**-30

    def values(x):
        a, b = whole(x[len(kicks):], stages), whole(x[:len(kicks)], stages + 1)
        return [f(a, b) for f in wanted]

    for _ in range(6):
        jacobian = matrix(len(wanted), len(x))
        for j in range(len(x)):
            up, down = (values(x[:j] + [x[j] + s] + x[j + 1:]) for s in (step, -step))
            for i in range(len(wanted)):
                jacobian[i, j] = (up[i] - down[i]) / (2 * step)
        change = jacobian.T * lu_solve(jacobian * jacobian.T, matrix(values(x)))
        x = [g - d for g, d in zip(x, change)]
    return x[:len(kicks)], x[len(kicks):]


def show(name, half, count):
    last = float(last_of([Fraction(float(g)) for g in half[:-1]], count, Fraction(1)))
    print(f'   {name}', ', '.join([nstr(g, 20, strip_zeros=False) for g in half[:-1]] + [f'{last:.17g}']))


def gradient():
    """The set with gradients."""
    a1, b1, g1 = mpf('0.2052'), mpf('0.0644'), mpf('0.00082')
    b2 = (mpf(1) / 12 - b1 / 2) / (2 * (a1 - mpf(1) / 2)**2)
    a, b = whole([a1, mpf(1) / 2 - a1], 4), whole([b1, b2, 1 - 2 * b1 - 2 * b2], 5)
    g3 = -2 * g1 - tree_defect(a, b, 2, (0, ((0, E),)))
    g = whole([g1, mpf(0), g3], 5)
    holds = max(abs(tree_defect(a, b, d, t, g)) for d in range(4) for t in trees(d))
    fails = max(abs(tree_defect(a, b, 4, t, g)) for t in trees(4))
    assert holds < mpf(10)**-40 and fails > mpf(10)**-7
    print(f'gradient4: order 4 within {nstr(holds, 2)}, order 5 fails by {nstr(fails, 2)}')
    show('b', b[:3], 5)
    show('a', a[:2], 4)
    print('   g', ', '.join(nstr(x, 20, strip_zeros=False) for x in g[:3]))


def main():
    gradient()
    for name, order, nystroem, stages, *published in SETS:
        start = [[mpf(x) for x in text.split()] for text in published]
        counts = stages + 1, stages
        start = [half + [last_of(half, n, mpf(1))] for half, n in zip(start, counts)]
        halves = polish(*start, order, nystroem, stages)
        b, a = (whole(half, n) for half, n in zip(halves, counts))
        holds = max(worst(a, b, p, nystroem) for p in range(1, order + 1))
        fails = worst(a, b, order + 1, nystroem)
        assert holds < mpf(10)**-40 and fails > mpf(10)**-7, name
        moved = max(abs(x - y) for new, old in zip(halves, start) for x, y in zip(new, old))
        print(f'{name}: order {order} within {nstr(holds, 2)}, order {order + 1} fails by {nstr(fails, 2)}, '
              f'moved by {nstr(moved, 2)}')
        show('b', halves[0], counts[0])
        show('a', halves[1], counts[1])


main()
