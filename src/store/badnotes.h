/* SPDX-License-Identifier: MIT */
/*
 * badnotes.h - notes with lines that should be records and cannot be read.
 *
 * They are passed over, and told of once for each ref: a verdict or an insight
 * that is gone for a damaged line would else look as if it had never been. What
 * people write below records is none of that, nor are records of newer
 * versions.
 */
#ifndef AO_STORE_BADNOTES_H
#define AO_STORE_BADNOTES_H

#include "store/runread.h"

/* Append a line for each ref that has such notes, of those that were read. */
void ao_badnotes_explain(struct ao_strs *out, struct ao_runread *read);

#endif
