/* SPDX-License-Identifier: MIT */
/* complain.h - errors on standard error. */
#ifndef AO_CLI_COMPLAIN_H
#define AO_CLI_COMPLAIN_H

#include "util/error.h"

/*
 * Print the chain, its first line behind `label` ("fatal", "error",
 * "warning"), with control characters escaped: errors quote files and
 * compilers, and nothing in them may steer a terminal.  GIT_ACCELOPT_TRACE=1
 * adds the place in our source to each line.
 */
void ao_complain(const char *label, const struct ao_error *err);

#endif
