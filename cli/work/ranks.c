/* SPDX-License-Identifier: MIT */
/* ranks.c: see ranks.h. A worker sends (unit, count) and, if count > 0, the numbers (-1: it had no memory); it gets
 * the next unit back, in the same form. MPI is started only below mpirun, which says so in the environment. If a
 * process dies, mpirun ends the others with SIGTERM, at which rank 0 writes a checkpoint. Optional: LIE_HAVE_MPI. */
#define _POSIX_C_SOURCE 200809L

#include "cli/work/ranks.h"

#ifndef LIE_HAVE_MPI

void ranks_begin(void)
{
}

int ranks_count(void)
{
    return 1;
}

int ranks_mine(void)
{
    return 0;
}

void ranks_end(int completed, int code)
{
    (void)completed, (void)code;
}

int ranks_receive(int *rank, long long *unit, team_result *out)
{
    (void)rank, (void)unit, (void)out;
    return 0;
}

void ranks_assign(int rank, long long unit, const double *carried, size_t n)
{
    (void)rank, (void)unit, (void)carried, (void)n;
}

long long ranks_next(long long unit, const team_result *result, team_result *carried)
{
    (void)unit, (void)result, (void)carried;
    return -1;
}

#else

#include <limits.h>
#include <mpi.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { RESULT, NUMBERS, TASK };
static int count = 1, mine = 0, begun = 0;

static int is_below_mpirun(void)
{
    return getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMI_SIZE") || getenv("PMIX_RANK");
}

void ranks_begin(void)
{
    int level;
    if (begun || !is_below_mpirun()) return;
    /* the layer that asks no network for its abilities: our messages are few, and the others take 0.2 s to begin */
    setenv("OMPI_MCA_pml", "ob1", 0);
    MPI_Init_thread(0, 0, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    MPI_Comm_rank(MPI_COMM_WORLD, &mine);
    begun = 1;
}

int ranks_count(void)
{
    return count;
}

int ranks_mine(void)
{
    return mine;
}

void ranks_end(int completed, int code)
{
    if (!begun) return;
    begun = 0;
    if (completed) {
        MPI_Finalize();
        return;
    }
    fflush(stdout);
    fflush(stderr);
    MPI_Abort(MPI_COMM_WORLD, code);
}

/* Numbers in pieces that an int can count. */
static void send_numbers(int rank, const double *values, size_t all)
{
    for (size_t at = 0; at < all; at += 1 << 20) {
        size_t n = all - at < 1 << 20 ? all - at : 1 << 20;
        MPI_Send(values + at, (int)n, MPI_DOUBLE, rank, NUMBERS, MPI_COMM_WORLD);
    }
}

static void receive_numbers(int rank, team_result *out)
{
    static double lost[1 << 20];
    for (size_t at = 0; at < out->count; at += 1 << 20) {
        size_t n = out->count - at < 1 << 20 ? out->count - at : 1 << 20;
        MPI_Recv(out->values ? out->values + at : lost, (int)n, MPI_DOUBLE, rank, NUMBERS, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    }
}

int ranks_receive(int *rank, long long *unit, team_result *out)
{
    int there = 0;
    long long head[2];
    MPI_Status status;
    if (count == 1) return 0;
    MPI_Iprobe(MPI_ANY_SOURCE, RESULT, MPI_COMM_WORLD, &there, &status);
    if (!there) return 0;
    *rank = status.MPI_SOURCE;
    MPI_Recv(head, 2, MPI_LONG_LONG, *rank, RESULT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    *unit = head[0];
    *out = (team_result){0, head[1] < 0 ? 1 : (size_t)head[1]};
    if (head[1] > 0) out->values = (double *)malloc(out->count * sizeof(double));
    if (head[1] > 0) receive_numbers(*rank, out);
    return 1;
}

void ranks_assign(int rank, long long unit, const double *carried, size_t n)
{
    long long head[2] = {unit, (long long)n};
    MPI_Send(head, 2, MPI_LONG_LONG, rank, TASK, MPI_COMM_WORLD);
    send_numbers(rank, carried, n);
}

long long ranks_next(long long unit, const team_result *result, team_result *carried)
{
    long long numbers = result->values ? (long long)result->count : result->count > 0 ? -1 : 0;
    long long head[2] = {unit, numbers}, next[2] = {-1, 0};
    int there = 0;
    MPI_Send(head, 2, MPI_LONG_LONG, 0, RESULT, MPI_COMM_WORLD);
    if (head[1] > 0) send_numbers(0, result->values, result->count);
    while (!there) { /* not a blocking receive, which would keep a processor busy */
        MPI_Iprobe(0, TASK, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
        if (!there) nanosleep(&(struct timespec){0, 200000}, 0);
    }
    MPI_Recv(next, 2, MPI_LONG_LONG, 0, TASK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    free(carried->values);
    *carried = (team_result){0, (size_t)next[1]};
    if (next[1] > 0) carried->values = (double *)malloc(carried->count * sizeof(double));
    receive_numbers(0, carried);
    return next[0];
}

#endif
