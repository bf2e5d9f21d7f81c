/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "model/fields.h"
#include "store/notes.h"
#include "store/tree.h"
#include "util/buf.h"
#include "util/limits.h"

/* What goes onto one object: a line, or a note that lay elsewhere in the tree.
 */
struct item {
	git_oid on;
	const char *text; /* NULL: a whole note */
	size_t len;
	git_oid note;
	size_t order; /* notes first, then lines as they were given */
};

/* Items that all lie below one tree.  Sorted by object, then order. */
struct items {
	struct item *v; /* [count] */
	size_t count;
};

static int compare_items(const void *a, const void *b)
{
	const struct item *left = a, *right = b;
	int by_id = git_oid_cmp(&left->on, &right->on);

	if (by_id)
		return by_id;
	return (left->order > right->order) - (left->order < right->order);
}

/* Where the items end that are on the object of item `from`. */
static size_t end_of_object(const struct items *items, size_t from)
{
	size_t to = from + 1;

	while (to < items->count &&
	       git_oid_equal(&items->v[to].on, &items->v[from].on))
		to++;
	return to;
}

/* Where the items end that go into the same folder as item `from`. */
static size_t end_of_folder(const struct items *items, size_t from,
			    size_t depth)
{
	size_t to = from + 1;

	while (to < items->count &&
	       items->v[to].on.id[depth] == items->v[from].on.id[depth])
		to++;
	return to;
}

/* Whether an entry of a tree below `depth` folders is a note. */
static bool is_note(const struct ao_tree_entry *entry, size_t depth)
{
	return ao_mode_is_file(entry->mode) &&
	       ao_fields_is_hex(entry->name, GIT_OID_HEXSZ - 2 * depth);
}

static bool is_folder(const struct ao_tree_entry *entry, size_t depth)
{
	return entry->mode == AO_MODE_TREE && depth + 1 < GIT_OID_RAWSZ &&
	       ao_fields_is_hex(entry->name, 2);
}

/*
 * Whether notes of this tree belong into folders.  Never deeper than two,
 * unless somebody else has made deeper ones already.
 */
static bool wants_folders(const struct ao_tree *tree, const struct items *items,
			  size_t depth)
{
	size_t notes = 0;

	if (!depth)
		return true;
	for (size_t i = 0; i < tree->count; i++) {
		if (is_folder(&tree->entries[i], depth))
			return true;
		if (is_note(&tree->entries[i], depth))
			notes++;
	}
	if (depth > 1)
		return false;
	for (size_t i = 0; i < items->count; i = end_of_object(items, i))
		notes++;
	return notes > AO_NOTES_SPLIT;
}

/* The object that a note is on: the folders' digits, then its name's. */
static void object_of(git_oid *out, const git_oid *sibling, size_t depth,
		      const char *name)
{
	char hex[AO_ID_SIZE];

	ao_git_hex(hex, sibling);
	memcpy(hex + 2 * depth, name, GIT_OID_HEXSZ - 2 * depth);
	/* Cannot fail: all digits were looked at. */
	if (git_oid_fromstr(out, hex))
		abort();
}

/*
 * Move the notes of `tree` out of it and among the items.  The caller frees
 * folded->v.
 */
static void fold(struct items *folded, struct ao_tree *tree,
		 const struct items *items, size_t depth)
{
	size_t kept = 0;

	folded->v = ao_xcalloc(items->count + tree->count, sizeof(*folded->v));
	folded->count = items->count;
	memcpy(folded->v, items->v, items->count * sizeof(*items->v));
	for (size_t i = 0; i < tree->count; i++) {
		struct ao_tree_entry *entry = &tree->entries[i];
		struct item *item;

		if (!is_note(entry, depth)) {
			tree->entries[kept++] = *entry;
			continue;
		}
		item = &folded->v[folded->count++];
		object_of(&item->on, &items->v[0].on, depth, entry->name);
		git_oid_cpy(&item->note, &entry->id);
	}
	tree->count = kept;
	qsort(folded->v, folded->count, sizeof(*folded->v), compare_items);
}

/* Whether `text` stands in `note` as lines of its own. */
static bool has_lines(const struct ao_buf *note, const char *text, size_t len)
{
	const char *at = note->ptr;
	const char *end = note->ptr + note->len;

	while ((at = memmem(at, (size_t)(end - at), text, len))) {
		if (at == note->ptr || at[-1] == '\n')
			return true;
		at++;
	}
	return false;
}

/* Lines of others may lack their last newline: no line is ever joined. */
static void add_text(struct ao_buf *note, const char *text, size_t len)
{
	if (!len || has_lines(note, text, len))
		return;
	if (note->len && note->ptr[note->len - 1] != '\n')
		ao_buf_addstr(note, "\n");
	ao_buf_add(note, text, len);
}

static struct ao_error *add_note(struct ao_buf *note, git_odb *odb,
				 const git_oid *id)
{
	git_odb_object *object;
	struct ao_error *err = ao_git_read(&object, odb, id, GIT_OBJECT_BLOB);

	if (err)
		return err;
	add_text(note, git_odb_object_data(object),
		 git_odb_object_size(object));
	git_odb_object_free(object);
	return NULL;
}

/* Put together the note on one object; `old` is what this tree has, or NULL. */
static struct ao_error *write_note(git_oid *out, struct ao_batch *batch,
				   const git_oid *old,
				   const struct items *items)
{
	struct ao_buf note = AO_BUF_INIT(AO_MAX_NOTE_BYTES);
	struct ao_error *err = NULL;

	if (!old && items->count == 1 && !items->v[0].text) {
		git_oid_cpy(out, &items->v[0].note);
		return NULL;
	}
	if (old)
		err = add_note(&note, ao_batch_odb(batch), old);
	for (size_t i = 0; i < items->count && !err; i++) {
		const struct item *item = &items->v[i];

		if (item->text)
			add_text(&note, item->text, item->len);
		else
			err = add_note(&note, ao_batch_odb(batch), &item->note);
	}
	if (!err)
		err = ao_buf_check(&note, "note");
	if (!err)
		err = ao_batch_add(out, batch, GIT_OBJECT_BLOB, note.ptr,
				   note.len);
	ao_buf_release(&note);
	if (err)
		return ao_error_wrap(err, "cannot extend the note on %s",
				     git_oid_tostr_s(&items->v[0].on));
	return NULL;
}

static struct ao_error *add_to_tree(git_oid *out, struct ao_batch *batch,
				    const git_oid *tree_id,
				    const struct items *items, size_t depth);

static struct ao_error *add_to_folders(struct ao_tree *tree,
				       struct ao_batch *batch,
				       const struct items *items, size_t depth)
{
	for (size_t from = 0, to; from < items->count; from = to) {
		struct items part = { .v = items->v + from };
		const struct ao_tree_entry *entry;
		struct ao_error *err;
		char name[3];
		git_oid id;

		to = end_of_folder(items, from, depth);
		part.count = to - from;
		snprintf(name, sizeof(name), "%02x", part.v[0].on.id[depth]);
		entry = ao_tree_get(tree, name);
		if (entry && !is_folder(entry, depth))
			return ao_error_new(AO_EINVALID,
					    "the notes tree has a file '%s' "
					    "where a folder of notes belongs",
					    name);
		err = add_to_tree(&id, batch, entry ? &entry->id : NULL, &part,
				  depth + 1);
		if (err)
			return err;
		ao_tree_set(tree, name, AO_MODE_TREE, &id);
	}
	return NULL;
}

static struct ao_error *add_to_notes(struct ao_tree *tree,
				     struct ao_batch *batch,
				     const struct items *items, size_t depth)
{
	for (size_t from = 0, to; from < items->count; from = to) {
		struct items part = { .v = items->v + from };
		const struct ao_tree_entry *entry;
		char hex[AO_ID_SIZE];
		struct ao_error *err;
		git_oid id;

		to = end_of_object(items, from);
		part.count = to - from;
		ao_git_hex(hex, &part.v[0].on);
		entry = ao_tree_get(tree, hex + 2 * depth);
		err = write_note(&id, batch, entry ? &entry->id : NULL, &part);
		if (err)
			return err;
		ao_tree_set(tree, hex + 2 * depth, AO_MODE_FILE, &id);
	}
	return NULL;
}

static struct ao_error *add_to_tree(git_oid *out, struct ao_batch *batch,
				    const git_oid *tree_id,
				    const struct items *items, size_t depth)
{
	struct ao_tree tree = { 0 };
	struct items folded = { 0 };
	struct ao_error *err = NULL;

	if (tree_id)
		err = ao_tree_read(&tree, ao_batch_odb(batch), tree_id);
	if (err)
		return err;
	if (wants_folders(&tree, items, depth)) {
		fold(&folded, &tree, items, depth);
		err = add_to_folders(&tree, batch, &folded, depth);
	} else {
		err = add_to_notes(&tree, batch, items, depth);
	}
	if (!err)
		err = ao_batch_add_tree(out, batch, &tree);
	free(folded.v);
	ao_tree_release(&tree);
	return err;
}

struct ao_error *ao_notes_add(git_oid *tree_out, struct ao_batch *batch,
			      const git_oid *tree,
			      const struct ao_note_line *lines, size_t count)
{
	struct items items = { .count = count };
	struct ao_error *err;

	items.v = ao_xcalloc(count, sizeof(*items.v));
	for (size_t i = 0; i < count; i++)
		items.v[i] = (struct item){
			.on = lines[i].on,
			.text = lines[i].text,
			.len = lines[i].len,
			.order = i + 1,
		};
	qsort(items.v, count, sizeof(*items.v), compare_items);
	err = add_to_tree(tree_out, batch, tree, &items, 0);
	free(items.v);
	return err;
}
