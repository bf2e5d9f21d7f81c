/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "model/record.h"
#include "store/notelines.h"
#include "util/json.h"
#include "util/limits.h"

void ao_notelines_open(struct ao_notelines *lines, struct ao_objects *objects,
		       const git_oid *blob)
{
	*lines = (struct ao_notelines){ .objects = objects, .blob = *blob };
	lines->object = ao_objects_read(objects, blob, GIT_OBJECT_BLOB);
	if (!lines->object)
		return;
	if (git_odb_object_size(lines->object) > AO_MAX_NOTE_BYTES) {
		ao_objects_bad_note(objects, blob);
		return;
	}
	lines->at = git_odb_object_data(lines->object);
	lines->left = git_odb_object_size(lines->object);
}

bool ao_notelines_next(struct ao_notelines *lines)
{
	const char *end;

	if (!lines->left)
		return false;
	end = memchr(lines->at, '\n', lines->left);
	lines->line = lines->at;
	lines->len = end ? (size_t)(end - lines->at) : lines->left;
	lines->at += lines->len + (end != NULL);
	lines->left -= lines->len + (end != NULL);
	return true;
}

void ao_notelines_refuse(struct ao_notelines *lines)
{
	struct ao_json *json;

	if (!lines->len || *lines->line != '{')
		return;
	json = ao_json_parse(lines->line, lines->len);
	if (!json ||
	    !(ao_json_value(ao_json_get(json, "v")) > AO_RECORD_VERSION))
		ao_objects_bad_note(lines->objects, &lines->blob);
	ao_json_free(json);
}

void ao_notelines_close(struct ao_notelines *lines)
{
	git_odb_object_free(lines->object);
	*lines = (struct ao_notelines){ 0 };
}
