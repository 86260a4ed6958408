/* SPDX-License-Identifier: MIT */
/* peers.c: the list of what this module was built with. */
#include "peers.h"

#include <stddef.h>

const peer *const *liestep_peers(int version)
{
    static const peer *const list[] = {
#ifdef LIE_HAVE_GSL
        &peer_gsl_rk4,
        &peer_gsl_rk8pd,
        &peer_gsl_rk8pd_fixed,
        &peer_gsl_msadams,
#endif
#ifdef LIE_HAVE_SUNDIALS
        &peer_cvode_adams,
        &peer_arkode_erk4,
        &peer_arkode_erk5,
        &peer_arkode_erk8,
#endif
#ifdef LIE_HAVE_ODEINT
        &peer_odeint_rk4,
        &peer_odeint_dopri5,
        &peer_odeint_rkf78,
        &peer_odeint_rkf78_fixed,
#endif
        NULL,
    };
    return version == PEER_VERSION ? list : NULL;
}
