#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Print the numbers of cg4 in lib/methods/tables/commfree.def, made to satisfy their order conditions to 50 digits:

    tools/polish_crouch_grossman.py     (needs mpmath: Debian's python3-mpmath)

For g' = g f(g) a function psi(g+) is a series in words of planar rooted trees (Owren & Marthinsen 1999; Iserles,
Munthe-Kaas, Norsett & Zanna, Lie-group methods, 2000, section 8). A product of exponentials is the product of the
words, an exponential is sum K^n/n!, and the tree with the branches w has in K_j the coefficient that the word w has in
stage j. The method has order p if every word with up to p vertices has the coefficient of the exact flow,
    e(t_1 ... t_n) = e(t_1 ... t_{n-1}) e(branches of t_n)/(number of vertices),      e(empty) = 1.
The published digits are the start of a Gauss-Newton iteration with the smallest correction.
"""
from mpmath import lu_solve, matrix, mp, mpf, nstr

mp.dps = 60
ORDER = 4
STAGES = 5
PUBLISHED = {  # Jackiewicz, Marthinsen & Owren 2000, rows of A, then b
    'A': [[], ['0.8177227988124852'], ['0.3199876375476427', '0.0659864263556022'],
          ['0.9214417194464946', '0.4997857776773573', '-1.0969984448371582'],
          ['0.3552358559023322', '0.2390958372307326', '1.3918565724203246', '-1.1092979392113465']],
    'b': ['0.1370831520630755', '-0.0183698531564020', '0.7397813985370780', '-0.1907142565505889',
          '0.3322195591068374'],
}


def words(n):
    """All words of planar trees with n vertices together; a tree is the tuple of its branches."""
    if n == 0:
        return [()]
    return [(tree,) + rest for k in range(1, n + 1) for tree in words(k - 1) for rest in words(n - k)]


WORDS = [w for n in range(ORDER + 1) for w in words(n)]


def size(word):
    return sum(1 + size(tree) for tree in word)


def exact(word):
    return mpf(1) if not word else exact(word[:-1]) * exact(word[-1]) / size(word)


def times_exponential(series, a, stage):
    """series exp(a K), K the tangent at `stage`."""
    out = {}
    for w in WORDS:
        total = term = mpf(0)
        for cut in range(len(w) + 1):
            term = series[w[:cut]]
            for k, tree in enumerate(w[cut:]):
                term *= a * stage[tree] / (k + 1)
            total += term
        out[w] = total
    return out


def solution(x):
    """g+ as a series; x: the coefficients a_21, a_31, a_32, ..., b_1, ..."""
    one = {w: mpf(not w) for w in WORDS}
    stages, at = [], 0
    for i in range(STAGES + 1):
        series = one
        for j in range(min(i, STAGES)):
            series = times_exponential(series, x[at], stages[j])
            at += 1
        stages.append(series)
    return stages[-1]


def defects(x):
    series = solution(x)
    return [series[w] - exact(w) for w in WORDS[1:]]


def main():
    x = [mpf(v) for row in PUBLISHED['A'] for v in row] + [mpf(v) for v in PUBLISHED['b']]
    start = list(x)
    for _ in range(6):
        r, step = defects(x), mpf(10)**-30
        J = matrix(len(r), len(x))
        for k in range(len(x)):
            moved = defects(x[:k] + [x[k] + step] + x[k + 1:])
            for i in range(len(r)):
                J[i, k] = (moved[i] - r[i]) / step
        # least squares with the smallest correction: a ridge far below the digits that are wanted
        normal = J.T * J + mpf(10)**-24 * mp.eye(len(x))
        delta = lu_solve(normal, -(J.T * matrix(r)))
        x = [v + d for v, d in zip(x, delta)]
    for v in x:
        print(nstr(v, 21))
    print('largest change', nstr(max(abs(a - b) for a, b in zip(x, start)), 3))
    print('largest defect', nstr(max(abs(d) for d in defects(x)), 3))


if __name__ == '__main__':
    main()
