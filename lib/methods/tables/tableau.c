/* SPDX-License-Identifier: MIT */
/* tableau.c: the tableaux of tableaux.def, the compositions of compositions.def and the splittings of splittings.def as
 * tables that can be searched.
 *
 * Each .def is read twice: once for the arrays <name>_A, <name>_b, <name>_c, of a pair <name>_embedded and
 * <name>_dense too (tableaux), <name>_gamma (compositions), <name>_kicks, <name>_free and <name>_gradients
 * (splittings), once for the descriptors that point to them. To add
 * one, add its entry to the .def. */
#include <liestep/tableau.h>

#include <math.h>
#include <string.h>

#define LIST(...) __VA_ARGS__
/* n coefficients, the middle one m, and the same n backwards */
#define PALINDROME_1(a, m) a, m, a
#define PALINDROME_2(a, b, m) a, b, m, b, a
#define PALINDROME_3(a, b, c, m) a, b, c, m, c, b, a
#define PALINDROME_4(a, b, c, d, m) a, b, c, d, m, d, c, b, a
#define PALINDROME_7(a, b, c, d, e, f, g, m) a, b, c, d, e, f, g, m, g, f, e, d, c, b, a
#define PALINDROME_8(a, b, c, d, e, f, g, h, m) a, b, c, d, e, f, g, h, m, h, g, f, e, d, c, b, a

/* The numbers */

#define TABLEAU(name, stages, order, A, b, c, source)                                                                  \
    static const double name##_A[(stages) * (stages)] = {A};                                                           \
    static const double name##_b[stages] = {b};                                                                        \
    static const double name##_c[stages] = {c};
#define PAIR(name, stages, order, A, b, c, embedded_order, embedded, dense_order, degree, dense, source)               \
    static const double name##_A[(stages) * (stages)] = {A};                                                           \
    static const double name##_b[stages] = {b};                                                                        \
    static const double name##_c[stages] = {c};                                                                        \
    static const double name##_embedded[stages] = {embedded};                                                          \
    static const double name##_dense[(degree) > 0 ? (stages) * (degree) : 1] = {dense};
#define SAME_TABLEAU(name, as, stages, order, source)
#define COMPOSITION(name, order, gamma, source) static const double name##_gamma[] = {gamma};
#define SPLITTING(name, order, nystroem, stages, b, a, source)                                                         \
    static const double name##_kicks[((stages) + 2) / 2] = {b};                                                        \
    static const double name##_free[((stages) + 1) / 2] = {a};
#define GRADIENT_SPLITTING(name, order, stages, b, a, g, source)                                                       \
    SPLITTING(name, order, 1, stages, LIST(b), LIST(a), source)                                                        \
    static const double name##_gradients[((stages) + 2) / 2] = {g};
#include "lib/methods/tables/compositions.def"
#include "lib/methods/tables/splittings.def"
#include "lib/methods/tables/tableaux.def"
#undef TABLEAU
#undef PAIR
#undef SAME_TABLEAU
#undef COMPOSITION
#undef SPLITTING
#undef GRADIENT_SPLITTING

/* The descriptors */

#define TABLEAU(name, stages, order, A, b, c, source)                                                                  \
    {#name, stages, order, name##_A, name##_b, name##_c, source, 0, 0, 0, 0, 0},
#define PAIR(name, stages, order, A, b, c, embedded_order, embedded, dense_order, degree, dense, source)               \
    {#name,    stages,     order,           name##_A,       name##_b,                                                  \
     name##_c, source,     name##_embedded, embedded_order, (degree) > 0 ? name##_dense : 0,                           \
     degree,   dense_order},
#define SAME_TABLEAU(name, as, stages, order, source)                                                                  \
    {#name, stages, order, as##_A, as##_b, as##_c, source, 0, 0, 0, 0, 0},
#define COMPOSITION(name, order, gamma, source)                                                                        \
    {#name, order, sizeof name##_gamma / sizeof name##_gamma[0], name##_gamma, source},
#define SPLITTING(name, order, nystroem, stages, b, a, source)                                                         \
    {#name, order, nystroem, stages, name##_kicks, name##_free, 0, source},
#define GRADIENT_SPLITTING(name, order, stages, b, a, g, source)                                                       \
    {#name, order, 1, stages, name##_kicks, name##_free, name##_gradients, source},

static const lie_tableau tableaux[] = {
#include "lib/methods/tables/tableaux.def"
};

static const lie_composition compositions[] = {
#include "lib/methods/tables/compositions.def"
};

static const lie_splitting splittings[] = {
#include "lib/methods/tables/splittings.def"
};

int lie_tableau_builtin_count(void)
{
    return (int)(sizeof tableaux / sizeof tableaux[0]);
}

const lie_tableau *lie_tableau_builtin(int i)
{
    return i >= 0 && i < lie_tableau_builtin_count() ? &tableaux[i] : 0;
}

lie_status lie_tableau_find(const lie_tableau **out, const char *name)
{
    for (int i = 0; name && i < lie_tableau_builtin_count(); i++)
        if (strcmp(tableaux[i].name, name) == 0) {
            *out = &tableaux[i];
            return LIE_OK;
        }
    return LIE_ERR_UNKNOWN_NAME;
}

int lie_tableau_is_explicit(const lie_tableau *tab)
{
    for (int i = 0; i < tab->stages; i++)
        for (int j = i; j < tab->stages; j++)
            if (tab->A[i * tab->stages + j] != 0.0) return 0;
    return 1;
}

int lie_tableau_is_symmetric(const lie_tableau *tab)
{
    int s = tab->stages;
    for (int i = 0; i < s; i++) {
        if (fabs(tab->c[i] + tab->c[s - 1 - i] - 1.0) > 1e-14) return 0;
        for (int j = 0; j < s; j++)
            if (fabs(tab->A[i * s + j] + tab->A[(s - 1 - i) * s + s - 1 - j] - tab->b[j]) > 1e-14) return 0;
    }
    return 1;
}

int lie_composition_builtin_count(void)
{
    return (int)(sizeof compositions / sizeof compositions[0]);
}

const lie_composition *lie_composition_builtin(int i)
{
    return i >= 0 && i < lie_composition_builtin_count() ? &compositions[i] : 0;
}

lie_status lie_composition_find(const lie_composition **out, const char *name)
{
    for (int i = 0; name && i < lie_composition_builtin_count(); i++)
        if (strcmp(compositions[i].name, name) == 0) {
            *out = &compositions[i];
            return LIE_OK;
        }
    return LIE_ERR_UNKNOWN_NAME;
}

int lie_splitting_builtin_count(void)
{
    return (int)(sizeof splittings / sizeof splittings[0]);
}

const lie_splitting *lie_splitting_builtin(int i)
{
    return i >= 0 && i < lie_splitting_builtin_count() ? &splittings[i] : 0;
}

lie_status lie_splitting_find(const lie_splitting **out, const char *name)
{
    for (int i = 0; name && i < lie_splitting_builtin_count(); i++)
        if (strcmp(splittings[i].name, name) == 0) {
            *out = &splittings[i];
            return LIE_OK;
        }
    return LIE_ERR_UNKNOWN_NAME;
}
