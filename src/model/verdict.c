/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "model/verdict.h"

static const char *const names[AO_VERDICT_COUNT] = {
	[AO_VERDICT_NONE] = "",
	[AO_VERDICT_PASSED] = "PASSED",
	[AO_VERDICT_PIPELINE] = "PIPELINE",
	[AO_VERDICT_COMPILE_ERROR] = "COMPILE_ERROR",
	[AO_VERDICT_RUNTIME_ERROR] = "RUNTIME_ERROR",
	[AO_VERDICT_INCORRECT_SHAPE] = "INCORRECT_SHAPE",
	[AO_VERDICT_INCORRECT_NUMERICAL] = "INCORRECT_NUMERICAL",
	[AO_VERDICT_INCORRECT_DTYPE] = "INCORRECT_DTYPE",
	[AO_VERDICT_TIMEOUT] = "TIMEOUT",
	[AO_VERDICT_TAMPERED] = "TAMPERED",
	[AO_VERDICT_BANNED] = "BANNED",
	[AO_VERDICT_TOO_FAST] = "TOO_FAST",
	[AO_VERDICT_NO_CODE] = "NO_CODE",
	[AO_VERDICT_BAD_EDIT] = "BAD_EDIT",
	[AO_VERDICT_OUT_OF_BOUNDS] = "OUT_OF_BOUNDS",
	[AO_VERDICT_CHECK_FAILED] = "CHECK_FAILED",
	[AO_VERDICT_TRUNCATED] = "TRUNCATED",
	[AO_VERDICT_REFUSED] = "REFUSED",
	[AO_VERDICT_DUPLICATE] = "DUPLICATE",
	[AO_VERDICT_INTERRUPTED] = "INTERRUPTED",
};

const char *ao_verdict_name(enum ao_verdict verdict)
{
	return names[verdict];
}

enum ao_verdict ao_verdict_from_name(const char *name)
{
	for (size_t i = 0; i < AO_VERDICT_COUNT; i++)
		if (!strcmp(names[i], name))
			return (enum ao_verdict)i;
	return AO_VERDICT_NONE;
}
