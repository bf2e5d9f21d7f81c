/* SPDX-License-Identifier: MIT */
/* gain_text.h - gains and insights for people to read. */
#ifndef AO_CLI_GAIN_TEXT_H
#define AO_CLI_GAIN_TEXT_H

#include "model/candidate.h"
#include "util/buf.h"

/* The gain that an insight is about; not finite if it does not say. */
void ao_insight_gain(struct ao_gain *out, const struct ao_insight *insight);

/*
 * "x1.42 [1.38..1.46]", with a ~ in front of one that was not measured, but
 * summed up along the lineage.
 */
void ao_gain_marked_text(struct ao_buf *out, const struct ao_gain *gain);

/*
 * The insight in full: its id, gain and title on a line, where it is from, its
 * text, and what was slow and fast.
 */
void ao_insight_text(struct ao_buf *out, const struct ao_insight *insight);

#endif
