/* SPDX-License-Identifier: MIT */
/*
 * checkup.h - look at what evaluation needs of a machine, as `git accelopt
 * doctor` tells it.  Nothing is changed, and no kernel is run.
 */
#ifndef AO_CLI_CHECKUP_H
#define AO_CLI_CHECKUP_H

#include "model/policy.h"

#include "cli/findings.h"

/* git, compilers, and what both kernels and compilers are shut up in. */
void ao_checkup_tools(struct ao_findings *out, enum ao_policy policy);

/* CPUs, clock, noise, ceilings, the lock, memory and temporary files. */
void ao_checkup_machine(struct ao_findings *out);

#endif
