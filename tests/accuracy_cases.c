/* SPDX-License-Identifier: MIT */
/* accuracy_cases.c: the rows of the accuracy table, their bounds, and the loop over all groups. */
#include "accuracy_cases.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

double acc_pair_bound(const acc_pair *pair, int map)
{
    (void)pair;
    switch (map) {
    case ACC_TAU:
    case ACC_TAUINV:
        return 2.0;
    case ACC_BODY_DERIV:
        return 8.0;
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
