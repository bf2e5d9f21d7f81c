/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <stdarg.h>

#include "store/objects.h"
#include "store/repo_data.h"
#include "store/treeiter.h"

enum { MAX_BAD_NOTES = 256 };

void ao_objects_init(struct ao_objects *objects, const struct ao_repo *repo)
{
	*objects = (struct ao_objects){
		.odb = repo->odb,
		.is_shallow = ao_repo_is_shallow(repo),
		.is_partial = ao_repo_is_partial(repo),
	};
	objects->expects_gaps = objects->is_shallow || objects->is_partial;
	/*
	 * Packs that others wrote since the repository was opened; libgit2
	 * would look for them again at each object that is missing.
	 */
	git_odb_refresh(objects->odb);
	git_libgit2_opts(GIT_OPT_ENABLE_CACHING, 0);
}

void ao_objects_release(struct ao_objects *objects)
{
	git_libgit2_opts(GIT_OPT_ENABLE_CACHING, 1);
	free(objects->first_gap);
	free(objects->first_flaw);
	free(objects->bad_notes);
	*objects = (struct ao_objects){ 0 };
}

void ao_objects_gap(struct ao_objects *objects, const char *fmt, ...)
{
	va_list ap;

	objects->expects_gaps = true;
	objects->gap_count++;
	if (objects->first_gap)
		return;
	va_start(ap, fmt);
	objects->first_gap = ao_xvstrf(fmt, ap);
	va_end(ap);
}

void ao_objects_flaw(struct ao_objects *objects, const char *fmt, ...)
{
	va_list ap;

	objects->gap_count++;
	if (objects->first_flaw)
		return;
	va_start(ap, fmt);
	objects->first_flaw = ao_xvstrf(fmt, ap);
	va_end(ap);
}

git_odb_object *ao_objects_read(struct ao_objects *objects, const git_oid *id,
				git_object_t type)
{
	const char *name = git_object_type2string(type);
	git_odb_object *object;

	/* A read that fails costs a look through all packs; this does not. */
	if (objects->expects_gaps &&
	    !git_odb_exists_ext(objects->odb, id, GIT_ODB_LOOKUP_NO_REFRESH)) {
		ao_objects_gap(objects, "%s %s is not here", name,
			       git_oid_tostr_s(id));
		return NULL;
	}
	if (git_odb_read(&object, objects->odb, id)) {
		ao_objects_gap(objects, "%s %s cannot be read", name,
			       git_oid_tostr_s(id));
		return NULL;
	}
	if (git_odb_object_type(object) != type) {
		git_odb_object_free(object);
		ao_objects_gap(objects, "object %s is not a %s",
			       git_oid_tostr_s(id), name);
		return NULL;
	}
	return object;
}

/* Find an entry, whose name is the first `len` bytes of `name`, in a tree. */
static bool find_name(struct ao_treeiter *out, struct ao_objects *objects,
		      const git_oid *tree, const char *name, size_t len)
{
	git_odb_object *object;
	bool is_found;

	object = ao_objects_read(objects, tree, GIT_OBJECT_TREE);
	if (!object)
		return false;
	is_found = ao_treeiter_find(out, object, name, len);
	git_odb_object_free(object);
	return is_found;
}

bool ao_objects_find(git_oid *out, struct ao_objects *objects,
		     const git_oid *tree, const char *path)
{
	struct ao_treeiter entry = { .id = *tree };

	for (;;) {
		size_t len = strcspn(path, "/");
		const git_oid id = entry.id;

		if (!find_name(&entry, objects, &id, path, len))
			return false;
		if (!path[len])
			break;
		if (!ao_treeiter_is_tree(&entry))
			return false;
		path += len + 1;
	}
	*out = entry.id;
	return true;
}

void ao_objects_bad_note(struct ao_objects *objects, const git_oid *blob)
{
	if (objects->bad_note_count == MAX_BAD_NOTES ||
	    ao_objects_is_bad_note(objects, blob))
		return;
	objects->bad_notes = ao_grow(
		objects->bad_notes, &objects->bad_note_alloc,
		objects->bad_note_count + 1, sizeof(*objects->bad_notes));
	objects->bad_notes[objects->bad_note_count++] = *blob;
}

bool ao_objects_is_bad_note(const struct ao_objects *objects,
			    const git_oid *blob)
{
	for (size_t i = 0; i < objects->bad_note_count; i++)
		if (git_oid_equal(&objects->bad_notes[i], blob))
			return true;
	return false;
}

char *ao_objects_why(const struct ao_objects *objects)
{
	const char *others = objects->gap_count > 1 ? ", among others" : "";
	const char *what, *help;

	if (!objects->gap_count)
		return NULL;
	if (objects->first_flaw)
		return ao_xstrf("%s%s", objects->first_flaw, others);
	if (objects->is_shallow) {
		what = "this is a shallow clone";
		help = "'git fetch --unshallow' brings the rest";
	} else if (objects->is_partial) {
		what = "this is a partial clone";
		help = "'git fetch --refetch --no-filter' brings the rest";
	} else {
		what = "the repository is damaged";
		help = "'git fsck' says more";
	}
	return ao_xstrf("%s: %s%s; %s", what, objects->first_gap, others, help);
}
