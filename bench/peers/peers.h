/* SPDX-License-Identifier: MIT */
/* peers.h: the integrators of the module liestep-peers, one per stepper of a library; see peer.h. */
#ifndef LIESTEP_BENCH_PEERS_H
#define LIESTEP_BENCH_PEERS_H

#include "peer.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const peer peer_gsl_rk4, peer_gsl_rk8pd, peer_gsl_rk8pd_fixed, peer_gsl_msadams;
extern const peer peer_cvode_adams, peer_arkode_erk4, peer_arkode_erk5, peer_arkode_erk8;
extern const peer peer_odeint_rk4, peer_odeint_dopri5, peer_odeint_rkf78, peer_odeint_rkf78_fixed;

/* The symbol the program looks for. */
__attribute__((visibility("default"))) const peer *const *liestep_peers(int version);

#ifdef __cplusplus
}
#endif

#endif
