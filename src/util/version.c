/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "util/version.h"

#ifndef AO_VERSION
#define AO_VERSION "unknown"
#endif

const char *ao_version(void)
{
	return AO_VERSION;
}
