/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "store/badnotes.h"

static void explain(struct ao_strs *out, struct ao_runread *read,
		    const struct ao_runread_notes *notes)
{
	struct ao_notelist list = { 0 };
	const git_oid *first = NULL;
	size_t count = 0;

	ao_notetree_read(&list, &read->objects, &notes->tree);
	for (size_t i = 0; i < list.count; i++) {
		if (!ao_objects_is_bad_note(&read->objects,
					    &list.notes[i].blob))
			continue;
		if (!count++)
			first = &list.notes[i].on;
	}
	if (count) {
		char on[AO_ID_SIZE];

		ao_git_hex(on, first);
		ao_strs_pushf(out,
			      "%s: the note on %s%s has what is no record, "
			      "passed over; 'git notes --ref=%s edit %.10s' "
			      "lets you mend or remove the line",
			      notes->ref, on,
			      count > 1 ? ", among others," : "", notes->ref,
			      on);
	}
	ao_notelist_release(&list);
}

void ao_badnotes_explain(struct ao_strs *out, struct ao_runread *read)
{
	if (!read->objects.bad_note_count)
		return;
	for (size_t i = 0; i < read->note_count; i++)
		explain(out, read, &read->notes[i]);
}
