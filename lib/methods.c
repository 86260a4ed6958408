/* SPDX-License-Identifier: MIT */
/* methods.c: the list of methods, from methods.def. Tableaux and compositions are looked up by name. */
#include "stepping.h"

enum { FREE = 1, TABLEAU = 2 };

#define METHOD(name_, family_, tableau_, composition_, order_, order_exp_, self_adjoint_, flags_, doc_, reference_)    \
    {.name = name_,                                                                                                    \
     .doc = doc_,                                                                                                      \
     .reference = reference_,                                                                                          \
     .order = order_,                                                                                                  \
     .order_exp = order_exp_,                                                                                          \
     .symplectic = 1,                                                                                                  \
     .momentum = 1,                                                                                                    \
     .self_adjoint = self_adjoint_,                                                                                    \
     .needs_free = ((flags_)&FREE) != 0,                                                                               \
     .needs_tableau = ((flags_)&TABLEAU) != 0,                                                                         \
     .family = &lie__##family_,                                                                                        \
     .tableau = tableau_,                                                                                              \
     .composition = composition_},
static const lie_method methods[] = {
#include "methods.def"
};
#undef METHOD

int lie_method_builtin_count(void)
{
    return (int)(sizeof methods / sizeof methods[0]);
}

const lie_method *lie_method_builtin(int i)
{
    return i >= 0 && i < lie_method_builtin_count() ? &methods[i] : 0;
}

lie_status lie_method_find(const lie_method **out, const char *name)
{
    for (int i = 0; name && i < lie_method_builtin_count(); i++)
        if (strcmp(methods[i].name, name) == 0) {
            *out = &methods[i];
            return LIE_OK;
        }
    return LIE_ERR_UNKNOWN_NAME;
}
