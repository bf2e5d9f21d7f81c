/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "store/layout.h"

char *ao_layout_journal(const char *task, const char *run)
{
	return ao_xstrf(AO_HEADS_PREFIX "%s/%s/all", task, run);
}

char *ao_layout_best(const char *task, const char *run)
{
	return ao_xstrf(AO_HEADS_PREFIX "%s/%s/best", task, run);
}

char *ao_layout_notes(const char *writer, enum ao_record_kind kind)
{
	return ao_xstrf(AO_NOTES_PREFIX "%s/%s", writer,
			ao_record_kind_name(kind));
}
