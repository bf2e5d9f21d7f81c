/* SPDX-License-Identifier: MIT */
/*
 * notelines.h - the lines of one note.
 *
 *     ao_notelines_open(&lines, objects, &note->blob);
 *     while (ao_notelines_next(&lines))
 *             use(lines.line, lines.len);
 *     ao_notelines_close(&lines);
 */
#ifndef AO_STORE_NOTELINES_H
#define AO_STORE_NOTELINES_H

#include "store/objects.h"

struct ao_notelines {
	struct ao_objects *objects;
	git_oid blob;
	git_odb_object *object;
	const char *at;
	size_t left;
	const char *line; /* the one at hand, without its newline */
	size_t len;
};

/*
 * A note that is missing or over AO_MAX_NOTE_BYTES has no lines; the latter is
 * a bad one.
 */
void ao_notelines_open(struct ao_notelines *lines, struct ao_objects *objects,
		       const git_oid *blob);
bool ao_notelines_next(struct ao_notelines *lines);

/*
 * The line at hand could not be read as a record: its note is a bad one, unless
 * the line is of a newer version, or does not look like a record at all.
 */
void ao_notelines_refuse(struct ao_notelines *lines);
void ao_notelines_close(struct ao_notelines *lines);

#endif
