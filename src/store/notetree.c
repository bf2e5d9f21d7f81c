/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "model/fields.h"
#include "store/notetree.h"
#include "store/treeiter.h"

/* The digits of the folders that led to a tree. */
struct prefix {
	char hex[GIT_OID_HEXSZ + 1];
	size_t len;
};

/* A folder of the fan-out: two digits, and more to follow. */
static bool is_folder(const struct ao_treeiter *iter,
		      const struct prefix *prefix)
{
	return ao_treeiter_is_tree(iter) && ao_fields_is_hex(iter->name, 2) &&
	       prefix->len + 2 < GIT_OID_HEXSZ;
}

static bool is_note(const struct ao_treeiter *iter, const struct prefix *prefix)
{
	return ao_mode_is_file(iter->mode) &&
	       ao_fields_is_hex(iter->name, GIT_OID_HEXSZ - prefix->len);
}

/*
 * Go to the next entry that is a note or leads to some.  A few hostile trees,
 * each 256 times in the next, make more folders than anybody can visit.
 */
static bool next_entry(struct ao_treeiter *iter, struct ao_notelist *notes,
		       const struct prefix *prefix)
{
	while (notes->visited < AO_MAX_NOTE_ENTRIES && ao_treeiter_next(iter)) {
		notes->visited++;
		if (is_folder(iter, prefix) || is_note(iter, prefix))
			return true;
	}
	return false;
}

/* `name` was found to fit: it ends within 40 digits. */
static struct prefix longer(const struct prefix *prefix, const char *name)
{
	struct prefix result = *prefix;
	size_t len = strlen(name);

	memcpy(result.hex + result.len, name, len + 1);
	result.len += len;
	return result;
}

static void check_limit(const struct ao_notelist *notes,
			struct ao_objects *objects)
{
	if (notes->visited >= AO_MAX_NOTE_ENTRIES)
		ao_objects_gap(objects, "notes trees with over %d entries",
			       AO_MAX_NOTE_ENTRIES);
}

static void push(struct ao_notelist *notes, const struct prefix *on,
		 const git_oid *blob)
{
	struct ao_note note = { .blob = *blob };

	if (git_oid_fromstr(&note.on, on->hex))
		return;
	notes->notes = ao_grow(notes->notes, &notes->alloc, notes->count + 1,
			       sizeof(*notes->notes));
	notes->notes[notes->count++] = note;
}

static void read_tree(struct ao_notelist *notes, struct ao_objects *objects,
		      const git_oid *tree, const struct prefix *prefix);

/* Append the entry at hand, or what lies below it. */
static void read_entry(struct ao_notelist *notes, struct ao_objects *objects,
		       const struct ao_treeiter *iter,
		       const struct prefix *prefix)
{
	struct prefix path = longer(prefix, iter->name);

	if (ao_treeiter_is_tree(iter))
		read_tree(notes, objects, &iter->id, &path);
	else
		push(notes, &path, &iter->id);
}

static void read_tree(struct ao_notelist *notes, struct ao_objects *objects,
		      const git_oid *tree, const struct prefix *prefix)
{
	git_odb_object *object;
	struct ao_treeiter iter;

	object = ao_objects_read(objects, tree, GIT_OBJECT_TREE);
	if (!object)
		return;
	ao_treeiter_start(&iter, object);
	while (next_entry(&iter, notes, prefix))
		read_entry(notes, objects, &iter, prefix);
	git_odb_object_free(object);
}

void ao_notetree_read(struct ao_notelist *notes, struct ao_objects *objects,
		      const git_oid *tree)
{
	const struct prefix top = { .len = 0 };

	read_tree(notes, objects, tree, &top);
	check_limit(notes, objects);
}

/* Look for the rest of `hex`, behind the prefix, in a tree. */
static void find_note(struct ao_notelist *notes, struct ao_objects *objects,
		      const git_oid *tree, const struct prefix *prefix,
		      const char *hex)
{
	git_odb_object *object;
	struct ao_treeiter iter;

	object = ao_objects_read(objects, tree, GIT_OBJECT_TREE);
	if (!object)
		return;
	ao_treeiter_start(&iter, object);
	while (next_entry(&iter, notes, prefix)) {
		size_t len = strlen(iter.name);
		struct prefix path;

		if (strncmp(iter.name, hex + prefix->len, len) != 0)
			continue;
		path = longer(prefix, iter.name);
		if (ao_treeiter_is_tree(&iter))
			find_note(notes, objects, &iter.id, &path, hex);
		else
			push(notes, &path, &iter.id);
	}
	git_odb_object_free(object);
}

void ao_notetree_on(struct ao_notelist *notes, struct ao_objects *objects,
		    const git_oid *tree, const git_oid *commit)
{
	const struct prefix top = { .len = 0 };
	char hex[AO_ID_SIZE];

	ao_git_hex(hex, commit);
	find_note(notes, objects, tree, &top, hex);
}

/* One of the two trees that are compared. */
struct side {
	git_odb_object *object; /* NULL: could not be read */
	struct ao_treeiter iter;
	bool has_entry;
};

static void open_side(struct side *side, struct ao_notelist *notes,
		      struct ao_objects *objects, const git_oid *tree,
		      const struct prefix *prefix)
{
	*side = (struct side){ 0 };
	side->object = ao_objects_read(objects, tree, GIT_OBJECT_TREE);
	if (!side->object)
		return;
	ao_treeiter_start(&side->iter, side->object);
	side->has_entry = next_entry(&side->iter, notes, prefix);
}

/* In git's order, in which "ab" the folder comes before "ab12..." the note. */
static int compare_sides(const struct side *left, const struct side *right)
{
	if (!left->has_entry || !right->has_entry)
		return left->has_entry ? -1 : 1;
	return strcmp(left->iter.name, right->iter.name);
}

static void diff_trees(struct ao_notelist *notes, struct ao_objects *objects,
		       const git_oid *left, const git_oid *right,
		       const struct prefix *prefix)
{
	struct side a, b;

	if (git_oid_equal(left, right))
		return;
	open_side(&a, notes, objects, left, prefix);
	open_side(&b, notes, objects, right, prefix);
	while (a.has_entry || b.has_entry) {
		int order = compare_sides(&a, &b);

		if (!order && ao_treeiter_is_tree(&a.iter) &&
		    ao_treeiter_is_tree(&b.iter)) {
			struct prefix path = longer(prefix, a.iter.name);

			diff_trees(notes, objects, &a.iter.id, &b.iter.id,
				   &path);
		} else if (order || !git_oid_equal(&a.iter.id, &b.iter.id)) {
			if (order <= 0)
				read_entry(notes, objects, &a.iter, prefix);
			if (order >= 0)
				read_entry(notes, objects, &b.iter, prefix);
		}
		if (order <= 0)
			a.has_entry = next_entry(&a.iter, notes, prefix);
		if (order >= 0)
			b.has_entry = next_entry(&b.iter, notes, prefix);
	}
	git_odb_object_free(a.object);
	git_odb_object_free(b.object);
}

void ao_notetree_diff(struct ao_notelist *notes, struct ao_objects *objects,
		      const git_oid *left, const git_oid *right)
{
	const struct prefix top = { .len = 0 };

	diff_trees(notes, objects, left, right, &top);
	check_limit(notes, objects);
}

static int compare_notes(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct ao_note));
}

void ao_notelist_sort(struct ao_notelist *notes)
{
	size_t kept = 0;

	if (notes->count)
		qsort(notes->notes, notes->count, sizeof(*notes->notes),
		      compare_notes);
	for (size_t i = 0; i < notes->count; i++)
		if (!kept ||
		    compare_notes(&notes->notes[kept - 1], &notes->notes[i]))
			notes->notes[kept++] = notes->notes[i];
	notes->count = kept;
}

const struct ao_note *ao_notelist_on(size_t *count_out,
				     const struct ao_notelist *notes,
				     const git_oid *commit)
{
	size_t low = 0, high = notes->count, count = 0;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (git_oid_cmp(&notes->notes[middle].on, commit) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	while (low + count < notes->count &&
	       git_oid_equal(&notes->notes[low + count].on, commit))
		count++;
	*count_out = count;
	return count ? notes->notes + low : NULL;
}

void ao_notelist_release(struct ao_notelist *notes)
{
	free(notes->notes);
	*notes = (struct ao_notelist){ 0 };
}
