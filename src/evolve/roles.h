/* SPDX-License-Identifier: MIT */
/* roles.h - which agent plans, writes and sums up in a search. */
#ifndef AO_EVOLVE_ROLES_H
#define AO_EVOLVE_ROLES_H

#include "evolve/search.h"

/*
 * Set the agents that the run's settings name, or the one that the options
 * give.  AO_EUSAGE if there is none of that name.
 */
AO_MUST_CHECK
struct ao_error *ao_roles_fill(struct ao_search *search);

/* Free those that ao_roles_fill() made. */
void ao_roles_release(struct ao_search *search);

#endif
