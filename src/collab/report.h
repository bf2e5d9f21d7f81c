/* SPDX-License-Identifier: MIT */
/*
 * report.h - what searches came to, as a page of text.
 *
 * By task and run: settings, machine, baseline, the best lineage step by step
 * with the evidence of each, what became of all attempts, what was paid, what
 * was learned.  Pure: equal history gives equal text, of at most 80 columns but
 * for a word that is longer.  Text from others is escaped.
 */
#ifndef AO_COLLAB_REPORT_H
#define AO_COLLAB_REPORT_H

#include "store/history.h"
#include "util/buf.h"

/* Append the report of all runs of `history`, loaded in full. */
void ao_report_text(struct ao_buf *out, const struct ao_history *history);

#endif
