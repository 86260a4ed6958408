/* SPDX-License-Identifier: MIT */
/* accuracy_cases.c: the rows of the accuracy table, their bounds, and the loop over all groups. */
#include "tests/groups/accuracy_cases.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What is reached where that is more than the rule allows, and why: docs/ACCURACY.md, Exceptions. */
static const struct {
    const char *group, *tau;
    int map;
    double bound;
} exceptions[] = {
    {"SO3", "exp", ACC_TAU, 2.75},       {"SE3", "exp", ACC_TAU, 2.75},       {"SE3", "exp", ACC_TAUINV, 3.5},
    {"SO3", "exp", ACC_TRIP_GROUP, 5.5}, {"SE3", "exp", ACC_TRIP_GROUP, 5.5}, {"S3", "cayq", ACC_DTAU, 6.0},
    {"S3", "cayq", ACC_DTAUT, 6.0},      {"SE3", "cay", ACC_TAU, 2.75},
};

double acc_pair_bound(const acc_pair *pair, int map)
{
    for (size_t i = 0; i < sizeof exceptions / sizeof exceptions[0]; i++)
        if (map == exceptions[i].map && pair->ops_group && strcmp(pair->ops_group, exceptions[i].group) == 0 &&
            strcmp(pair->tau, exceptions[i].tau) == 0)
            return exceptions[i].bound;
    switch (map) {
    case ACC_TAU:
    case ACC_TAUINV:
        return 2.0;
    case ACC_BODY_DERIV:
        return 6.0;
    default:
        return 4.0;
    }
}

double acc_op_bound(const acc_group *group, int op)
{
    (void)group;
    return op == ACC_MUL || op == ACC_INV ? 2.0 : 4.0;
}

int acc_wanted(const char *name, const acc_config *config)
{
    return !config->filter || strstr(name, config->filter) != NULL;
}

void acc_row_start(acc_row *row, const char *name, double bound)
{
    memset(row, 0, sizeof *row);
    snprintf(row->name, sizeof row->name, "%s", name);
    row->bound = bound;
    row->worst_all = -1.0;
    for (int d = 0; d < ACC_DECADES; d++) row->worst[d] = -1.0;
}

void acc_row_add(acc_row *row, double error, int decade, const acc_input *in)
{
    if (error < 0.0) return;
    row->samples++;
    row->worst[decade] = fmax(row->worst[decade], error);
    if (error > row->worst_all) {
        row->worst_all = error;
        row->worst_decade = decade;
        row->worst_input = *in;
    }
}

int acc_within_bound(const acc_row *row)
{
    return row->worst_all <= row->bound;
}

int acc_measure(acc_row *rows, const acc_config *config)
{
    int n = 0;
    for (int i = 0; i < acc_group_count; i++) n += acc_measure_group(rows + n, &acc_groups[i], config);
    for (int i = 0; i < acc_pair_count; i++) n += acc_measure_pair(rows + n, &acc_pairs[i], config);
    return n;
}
