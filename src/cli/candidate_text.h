/* SPDX-License-Identifier: MIT */
/* candidate_text.h - one candidate in full, for people to read. */
#ifndef AO_CLI_CANDIDATE_TEXT_H
#define AO_CLI_CANDIDATE_TEXT_H

#include "store/history.h"
#include "util/buf.h"

/*
 * What it is, its plan, the evidence for its gains, the profiles of its parent
 * and its own, and the insights that `history` has of it.  The run was loaded
 * in full, and the candidate is of it.
 */
void ao_candidate_text(struct ao_buf *out, const struct ao_history *history,
		       const struct ao_history_run *run,
		       const struct ao_candidate *candidate);

/* The profile of a candidate's parent, the baseline's if it is that, or NULL.
 */
const struct ao_profile *ao_parent_profile(
	const struct ao_history *history, const struct ao_history_run *run,
	const struct ao_candidate *candidate);

/* Whether a candidate is the slow or the fast one of an insight. */
bool ao_is_about(const struct ao_insight *insight,
		 const struct ao_candidate *candidate);

#endif
