/* SPDX-License-Identifier: MIT */
/* named_group.c: see named_group.h. */
#include "lib/systems/catalogue/named_group.h"

#include <string.h>

/* The characters up to a slash or the end; what follows the slash, the end, or null where there is no room. */
static const char *read_part(char *out, const char *from)
{
    int n = 0;
    while (from[n] && from[n] != '/') {
        if (n == GROUP_NAME_SIZE - 1) return 0;
        out[n] = from[n], n++;
    }
    out[n] = 0;
    return from[n] == '/' ? from + n + 1 : from + n;
}

lie_status lie__group_name_read(group_name *out, const char *name, const char *const *groups)
{
    group_name made = {.retraction = "cay"};
    const char *rest = read_part(made.group, name ? name : groups[0]);
    int has_retraction = rest && name && rest != name && rest[-1] == '/';
    if (has_retraction) rest = read_part(made.retraction, rest);
    if (!rest || *rest || (has_retraction && rest[-1] == '/')) return LIE_ERR_UNKNOWN_NAME;
    for (int i = 0; groups[i]; i++)
        if (strcmp(groups[i], made.group) == 0) {
            *out = made;
            return LIE_OK;
        }
    return LIE_ERR_UNKNOWN_NAME;
}

lie_status lie__group_named(const lie_ops **out, const char *name, const char *const *groups)
{
    group_name read;
    lie_status status = lie__group_name_read(&read, name, groups);
    return status == LIE_OK ? lie_ops_find(out, read.group, read.retraction) : status;
}
