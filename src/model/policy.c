/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "model/policy.h"

static const char *const names[] = {
	[AO_POLICY_PREFER] = "prefer",
	[AO_POLICY_REQUIRE] = "require",
	[AO_POLICY_ANY] = "any",
};

struct ao_error *ao_policy_read(enum ao_policy *out, const char *text)
{
	if (!text) {
		*out = AO_POLICY_PREFER;
		return NULL;
	}
	for (size_t i = 0; i < AO_ARRAY_SIZE(names); i++) {
		if (!strcmp(text, names[i])) {
			*out = (enum ao_policy)i;
			return NULL;
		}
	}
	return ao_error_new(AO_EUSAGE,
			    "accelopt.sandbox: '%s' is not 'require', 'prefer' "
			    "or 'any'",
			    text);
}

static bool is_none(const char *level)
{
	return level && (!strcmp(level, "rlimits") || !strcmp(level, "none"));
}

bool ao_policy_is_unsandboxed(const struct ao_machine *machine)
{
	return is_none(machine->sandbox) || is_none(machine->compiler_sandbox);
}
