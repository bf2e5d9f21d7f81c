/* SPDX-License-Identifier: MIT */
/*
 * probe.h - find out what this machine is, and measure its ceilings.
 */
#ifndef AO_EVAL_PROBE_H
#define AO_EVAL_PROBE_H

#include "model/machine.h"

/*
 * CPU, compiler and sandbox level, without ceilings; quick.
 * AO_ENOTFOUND if there is no C compiler, saying what to install.
 */
AO_MUST_CHECK
struct ao_error *ao_probe_machine(struct ao_machine *out);

/*
 * The same with ceilings, from the cache in ao_file_cache_folder() keyed by
 * fingerprint, else measured (some seconds, with the machine to itself) and
 * cached.  The best ever seen per machine is kept.
 */
AO_MUST_CHECK
struct ao_error *ao_probe_peaks(struct ao_machine *out);

#endif
