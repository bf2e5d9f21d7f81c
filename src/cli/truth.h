/* SPDX-License-Identifier: MIT */
/* truth.h - true and false as git's configuration spells them. */
#ifndef AO_CLI_TRUTH_H
#define AO_CLI_TRUTH_H

#include "util/base.h"

/* Neither holds for what is no truth value, nor for NULL. */
bool ao_truth_is_on(const char *text);
bool ao_truth_is_off(const char *text);

#endif
