/* SPDX-License-Identifier: MIT */
/*
 * policy.h - what a user wants of the sandbox: accelopt.sandbox.
 *
 *   require  evaluate in the full sandbox, namespaces for compiler and kernel,
 *            or not at all
 *   prefer   in the best that is to be had; but what had limits alone never
 *            becomes the best of a search
 *   any      in the best that is to be had, and that may become the best
 */
#ifndef AO_MODEL_POLICY_H
#define AO_MODEL_POLICY_H

#include "model/machine.h"
#include "util/error.h"

enum ao_policy {
	AO_POLICY_PREFER, /* all zero: the default */
	AO_POLICY_REQUIRE,
	AO_POLICY_ANY,
};

/* AO_EUSAGE names the values; NULL is the default. */
AO_MUST_CHECK
struct ao_error *ao_policy_read(enum ao_policy *out, const char *text);

/*
 * Whether compiler or kernel was in no sandbox: a process apart, with limits,
 * which sees the user's files.  What a record does not tell is not held against
 * it: older ones know nothing of compilers.
 */
bool ao_policy_is_unsandboxed(const struct ao_machine *machine);

#endif
