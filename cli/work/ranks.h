/* SPDX-License-Identifier: MIT */
/* ranks.h: several processes of one job, started with mpirun. All of MPI is behind these functions; without MPI, or
 * without mpirun, there is one process. Rank 0 shares out the work and writes the files. */
#ifndef LIESTEP_CLI_RANKS_H
#define LIESTEP_CLI_RANKS_H

#include "cli/work/team.h"

/* Begin; before anything is read or written. */
void ranks_begin(void);
int ranks_count(void);
int ranks_mine(void);
/* End. If the work was not completed, the other processes are ended at once, with this code. */
void ranks_end(int completed, int code);

/* Rank 0: has somebody finished a unit, or come for the first one? 1: *rank is who, *unit what (-1: nothing yet), *out
 * the result, which is the caller's to free. */
int ranks_receive(int *rank, long long *unit, team_result *out);
/* Rank 0: what that one shall do next, and the n numbers from which it goes on; -1: nothing any more. */
void ranks_assign(int rank, long long unit, const double *carried, size_t n);

/* Others: hand in a result (unit -1: none) and wait for the next unit; -1: there is none. *carried: what it goes on
 * from, a result of the call before or zeros, changed in place; the caller's to free in the end. */
long long ranks_next(long long unit, const team_result *result, team_result *carried);

#endif
