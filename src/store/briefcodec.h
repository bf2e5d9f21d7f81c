/* SPDX-License-Identifier: MIT */
/*
 * briefcodec.h - attempts with brief records (model/brief.h) as bytes.
 */
#ifndef AO_STORE_BRIEFCODEC_H
#define AO_STORE_BRIEFCODEC_H

#include "model/candidate.h"
#include "store/bytes.h"

/* No attempt takes less. */
enum { AO_BRIEF_LEAST = 100 };

void ao_brief_put_candidate(struct ao_buf *out,
			    const struct ao_candidate *candidate);
void ao_brief_put_profile(struct ao_buf *out, const struct ao_profile *profile);

/* Always gives something that can be released. */
void ao_brief_candidate(struct ao_candidate *out, struct ao_bytes *bytes);

/* NULL where NULL was put.  The caller releases and frees it. */
struct ao_profile *ao_brief_profile(struct ao_bytes *bytes);

#endif
