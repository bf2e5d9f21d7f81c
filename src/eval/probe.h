/* SPDX-License-Identifier: MIT */
/*
 * probe.h - find out what this machine is, and measure its ceilings.
 *
 * Ceilings are measured once and kept in ao_file_cache_folder() by
 * fingerprint; a cache that is damaged, or that cannot be written, costs
 * another measurement and no more.
 */
#ifndef AO_EVAL_PROBE_H
#define AO_EVAL_PROBE_H

#include "model/machine.h"

/*
 * CPU, compiler and sandbox levels, without ceilings; quick.
 * AO_ENOTFOUND if there is no C compiler, saying what to install.
 */
AO_MUST_CHECK
struct ao_error *ao_probe_machine(struct ao_machine *out);

/* Whether the ceilings of that machine are in the cache already. */
bool ao_probe_knows_peaks(const struct ao_machine *machine);

/*
 * The same with ceilings, from the cache, else measured (about 4 s, with the
 * machine to itself: not while holding the machine's lock) and cached.
 */
AO_MUST_CHECK
struct ao_error *ao_probe_peaks(struct ao_machine *out);

/*
 * Measure once more and keep the best of both: for when a kernel seems to be
 * faster than the machine, which indicts the ceiling first.
 */
AO_MUST_CHECK
struct ao_error *ao_probe_peaks_again(struct ao_machine *out);

/* Either of these with a time to measure for. */
struct ao_probe_options {
	bool is_forced; /* measure even if the cache has all */
	uint32_t budget_ms;
};
AO_MUST_CHECK
struct ao_error *ao_probe_peaks_with(struct ao_machine *out,
				     const struct ao_probe_options *options);

#endif
