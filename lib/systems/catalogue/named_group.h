/* SPDX-License-Identifier: MIT */
/* named_group.h: the group of a ready system by its name, with a retraction or without: "S3", "S3/exp". Internal. */
#ifndef LIESTEP_LIB_NAMED_GROUP_H
#define LIESTEP_LIB_NAMED_GROUP_H

#include <liestep/group.h>

enum { GROUP_NAME_SIZE = 16 };

typedef struct group_name {
    char group[GROUP_NAME_SIZE], retraction[GROUP_NAME_SIZE];
} group_name;

/* The two parts of `name`, of which the group must be in the list, which ends with null; cay where no retraction is
 * named, the first group for a null name. Status: LIE_ERR_UNKNOWN_NAME. */
lie_status lie__group_name_read(group_name *out, const char *name, const char *const *groups);

/* The built-in group of that name. Status: LIE_ERR_UNKNOWN_NAME. */
lie_status lie__group_named(const lie_ops **out, const char *name, const char *const *groups);

#endif
