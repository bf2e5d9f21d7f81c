/* SPDX-License-Identifier: MIT */
/* Making what is pending durable, in order: pack, notes, journal; then best. */
#include "util/base.h"

#include "store/guard.h"
#include "store/journal_data.h"
#include "store/layout.h"
#include "store/notes.h"
#include "store/refs.h"
#include "store/treeedit.h"
#include "util/clock.h"
#include "util/crypto.h"
#include "util/limits.h"

enum {
	/*
	 * Candidates of one journal commit.  With the one before it, 8
	 * parents: `git log --graph` is 79 columns wide then, and 351 at 150.
	 */
	MAX_CANDIDATES = 7,
	TRIES = 12, /* while git moves or locks our refs */
	FIRST_NAP_MS = 4,
	MAX_NAP_MS = 500,
	MAX_TIPS_BYTES = 1 << 20,
};

/* A ref on its way from one commit to the next. */
struct move {
	const char *ref;
	git_oid from;
	git_oid to;
	bool is_new; /* there is no `from` */
	bool is_needed;
};

/* One try to write all that is pending. */
struct
try {
	struct ao_journal *journal;
	struct ao_guard *guard;
	int64_t now_s;
	struct move notes[AO_RECORD_KIND_COUNT];
	git_oid tree;	/* of the journal commits */
	git_oid tip;	/* the last journal commit */
	bool can_retry; /* it got as far as moving refs */
};

static struct ao_error *add_commit(git_oid *out, struct try *try,
				   struct ao_commit_spec *spec)
{
	struct ao_buf commit = AO_BUF_INIT(AO_MAX_MESSAGE_BYTES);
	struct ao_error *err;

	spec->time_unix_s = try->now_s;
	ao_author_commit(&commit, &try->journal->author, spec);
	err = ao_buf_check(&commit, "commit");
	if (!err)
		err = ao_batch_add(out, try->journal->batch, GIT_OBJECT_COMMIT,
				   commit.ptr, commit.len);
	ao_buf_release(&commit);
	return err;
}

/* The pending records of one kind as lines; the caller frees them. */
static struct ao_note_line *lines_of(size_t *count_out,
				     const struct ao_journal *journal,
				     enum ao_record_kind kind)
{
	struct ao_note_line *lines = ao_xcalloc(journal->record_count,
						sizeof(*lines));
	size_t count = 0;

	for (size_t i = 0; i < journal->record_count; i++) {
		const struct ao_journal_record *record = &journal->records[i];

		if (record->kind != kind)
			continue;
		lines[count++] = (struct ao_note_line){
			.on = record->on,
			.text = record->line,
			.len = record->len,
		};
	}
	*count_out = count;
	return lines;
}

/* A notes commit with the lines, on top of the ref as it is now. */
static struct ao_error *build_notes(struct try *try, struct move *move,
				    const struct ao_note_line *lines,
				    size_t count)
{
	struct ao_batch *batch = try->journal->batch;
	struct ao_commit_spec spec = { .parents = &move->from };
	git_oid old_tree;
	struct ao_error *err;
	bool found;
	char message[64];

	err = ao_refs_read(&found, &move->from, try->journal->repo, move->ref);
	if (!err && found)
		err = ao_git_commit_tree(&old_tree, ao_batch_odb(batch),
					 &move->from);
	if (!err)
		err = ao_notes_add(&spec.tree, batch, found ? &old_tree : NULL,
				   lines, count);
	if (err)
		return ao_error_wrap(err, "cannot add to '%s'", move->ref);
	move->is_new = !found;
	/* An earlier try may have got this far. */
	move->is_needed = !found || !git_oid_equal(&spec.tree, &old_tree);
	if (!move->is_needed)
		return NULL;
	snprintf(message, sizeof(message), "accelopt: add %zu record%s\n",
		 count, count == 1 ? "" : "s");
	spec.parent_count = found;
	spec.message = message;
	return add_commit(&move->to, try, &spec);
}

static struct ao_error *build_all_notes(struct try *try)
{
	struct ao_error *err = NULL;

	for (unsigned i = 0; i < AO_RECORD_KIND_COUNT && !err; i++) {
		struct ao_note_line *lines;
		size_t count;

		try->notes[i].ref = try->journal->notes_refs[i];
		lines = lines_of(&count, try->journal, (enum ao_record_kind)i);
		if (count)
			err = build_notes(try, &try->notes[i], lines, count);
		free(lines);
	}
	return err;
}

/* Append "<id> <ref>" of a notes ref, as it will be when this is written. */
static struct ao_error *add_tip(struct ao_buf *out, const struct try *try,
				const char *ref)
{
	char hex[AO_ID_SIZE];
	struct ao_error *err;
	bool found = false;
	git_oid id;

	for (size_t i = 0; i < AO_RECORD_KIND_COUNT && !found; i++) {
		const struct move *move = &try->notes[i];

		found = move->is_needed && !strcmp(move->ref, ref);
		if (found)
			git_oid_cpy(&id, &move->to);
	}
	if (!found) {
		err = ao_refs_read(&found, &id, try->journal->repo, ref);
		if (err)
			return err;
	}
	if (found) {
		ao_git_hex(hex, &id);
		ao_buf_addf(out, "%s %s\n", hex, ref);
	}
	return NULL;
}

/* The tips of all notes refs, as a blob. */
static struct ao_error *build_tips(git_oid *out, struct try *try)
{
	struct ao_buf tips = AO_BUF_INIT(MAX_TIPS_BYTES);
	struct ao_strs refs = { 0 };
	struct ao_error *err;

	err = ao_refs_names(&refs, try->journal->repo, AO_NOTES_PREFIX "*");
	if (!err)
		err = ao_refs_names(&refs, try->journal->repo,
				    "refs/notes/remotes/*/accelopt/*");
	for (size_t i = 0; i < AO_RECORD_KIND_COUNT; i++)
		ao_strs_push(&refs, try->journal->notes_refs[i]);
	ao_strs_sort_unique(&refs);
	for (size_t i = 0; i < refs.count && !err; i++)
		err = add_tip(&tips, try, refs.v[i]);
	if (!err)
		err = ao_buf_check(&tips, "list of notes refs");
	if (!err)
		err = ao_batch_add(out, try->journal->batch, GIT_OBJECT_BLOB,
				   tips.ptr, tips.len);
	ao_strs_release(&refs);
	ao_buf_release(&tips);
	return err;
}

/* The baseline's tree and our own files. */
static struct ao_error *build_tree(struct try *try)
{
	struct ao_treeedit edits[] = {
		{ .path = AO_OWN_FOLDER "/" AO_RUN_FILE,
		  .blob = try->journal->run_json },
		{ .path = AO_OWN_FOLDER "/" AO_TIPS_FILE },
	};
	struct ao_error *err = build_tips(&edits[1].blob, try);

	if (!err)
		err = ao_treeedit_apply(&try->tree, try->journal->batch,
					&try->journal->base_tree, edits,
					AO_ARRAY_SIZE(edits));
	return err;
}

static void add_message(struct ao_buf *out, const struct ao_journal *journal,
			const struct ao_journal_attempt *attempts, size_t count)
{
	ao_buf_addstr(out, "journal:");
	for (size_t i = 0; i < count; i++)
		ao_buf_addf(out, " %" PRIu32 ".%" PRIu32,
			    attempts[i].id.iteration, attempts[i].id.number);
	if (!count)
		ao_buf_addstr(out, journal->is_started ? " records" : " start");
	/* Nothing for a build server: the winner is on another branch. */
	ao_buf_addf(out, " [skip ci]\n\nAccelopt-Task: %s\nAccelopt-Run: %s\n",
		    journal->task, journal->run);
}

/* One journal commit on top of the last. */
static struct ao_error *build_journal(struct try *try,
				      const struct ao_journal_attempt *attempts,
				      size_t count)
{
	struct ao_buf message = AO_BUF_INIT(4096);
	git_oid parents[1 + MAX_CANDIDATES] = { try->tip };
	struct ao_commit_spec spec = {
		.tree = try->tree,
		.parents = parents,
		.parent_count = 1 + count,
	};
	struct ao_error *err;

	for (size_t i = 0; i < count; i++)
		parents[1 + i] = attempts[i].commit;
	add_message(&message, try->journal, attempts, count);
	spec.message = message.ptr;
	err = add_commit(&try->tip, try, &spec);
	ao_buf_release(&message);
	return err;
}

static struct ao_error *build_journals(struct try *try)
{
	const struct ao_journal *journal = try->journal;
	struct ao_error *err = build_tree(try);
	size_t done = 0;

	try->tip = journal->tip;
	while (!err) {
		size_t count = journal->attempt_count - done;

		if (count > MAX_CANDIDATES)
			count = MAX_CANDIDATES;
		err = build_journal(
			try, count ? journal->attempts + done : NULL, count);
		done += count;
		if (done == journal->attempt_count)
			break;
	}
	return err;
}

/* Somebody may have moved the branch by hand: nobody else writes this run. */
static struct ao_error *check_tip(const struct try *try)
{
	const struct ao_journal *journal = try->journal;
	char tip[AO_ID_SIZE];
	struct ao_error *err;
	bool found;
	git_oid id;

	err = ao_refs_read(&found, &id, journal->repo, journal->journal_ref);
	if (err || !journal->is_started)
		return err;
	if (found && git_oid_equal(&id, &journal->tip))
		return NULL;
	ao_git_hex(tip, &journal->tip);
	return ao_error_new(AO_EINVALID,
			    "'%s' was %s while the run was written; put it "
			    "back with 'git update-ref %s %s'",
			    journal->journal_ref, found ? "moved" : "deleted",
			    journal->journal_ref, tip);
}

static struct ao_error *move_refs(struct try *try)
{
	struct ao_journal *journal = try->journal;
	struct ao_error *err = NULL;

	for (size_t i = 0; i < AO_RECORD_KIND_COUNT && !err; i++) {
		const struct move *move = &try->notes[i];

		if (move->is_needed)
			err = ao_refs_swap(try->guard, journal->repo, move->ref,
					   move->is_new ? NULL : &move->from,
					   &move->to, "accelopt: records");
	}
	if (!err)
		err = ao_refs_swap(try->guard, journal->repo,
				   journal->journal_ref,
				   journal->is_started ? &journal->tip : NULL,
				   &try->tip, "accelopt: journal");
	return err;
}

/* Build all on top of what is there now, store it, move the refs. */
static struct ao_error *write_once(struct try *try)
{
	struct ao_journal *journal = try->journal;
	size_t mark = ao_batch_count(journal->batch);
	struct ao_error *err;

	err = check_tip(try);
	if (!err)
		err = build_all_notes(try);
	if (!err)
		err = build_journals(try);
	if (!err)
		err = ao_batch_store(journal->batch);
	if (err) {
		ao_batch_cut(journal->batch, mark);
		return err;
	}
	err = move_refs(try);
	try->can_retry = ao_error_code(err) == AO_ECONFLICT;
	return err;
}

static void forget_pending(struct ao_journal *journal)
{
	for (size_t i = 0; i < journal->record_count; i++)
		free(journal->records[i].line);
	journal->record_count = 0;
	journal->attempt_count = 0;
}

/* Longer and longer, and never as long as another who waits, too. */
static void nap(unsigned round)
{
	uint32_t most_ms = FIRST_NAP_MS << round;

	if (most_ms > MAX_NAP_MS)
		most_ms = MAX_NAP_MS;
	ao_clock_sleep_ms(1 + (uint32_t)(ao_random_u64() % most_ms));
}

struct ao_error *ao_journal_write(struct ao_journal *journal)
{
	struct ao_error *err = NULL;

	for (unsigned round = 0; round < TRIES; round++) {
		struct try try = {
			.journal = journal,
			.now_s = ao_clock_unix_ms() / 1000,
		};

		err = ao_guard_take(&try.guard, journal->repo);
		if (err)
			break;
		err = write_once(&try);
		ao_guard_free(try.guard);
		if (!err) {
			journal->tip = try.tip;
			journal->is_started = true;
			ao_batch_settle(journal->batch);
			forget_pending(journal);
			return NULL;
		}
		if (!try.can_retry || round + 1 == TRIES)
			break;
		ao_error_free(err);
		nap(round);
	}
	return ao_error_wrap(err, "cannot write the journal of run '%s'",
			     journal->run);
}

struct ao_error *ao_journal_flush(struct ao_journal *journal)
{
	return ao_journal_pending(journal) ? ao_journal_write(journal) : NULL;
}

static struct ao_error *move_best(const struct ao_journal *journal,
				  const git_oid *to)
{
	struct ao_guard *guard = NULL;
	struct ao_error *err;
	bool found = false;
	git_oid from;

	err = ao_guard_take(&guard, journal->repo);
	if (!err)
		err = ao_refs_read(&found, &from, journal->repo,
				   journal->best_ref);
	if (!err && (!found || !git_oid_equal(&from, to)))
		err = ao_refs_swap(guard, journal->repo, journal->best_ref,
				   found ? &from : NULL, to, "accelopt: best");
	ao_guard_free(guard);
	return err;
}

struct ao_error *ao_journal_set_best(struct ao_journal *journal,
				     const char *commit)
{
	git_oid to, from = { { 0 } };
	struct ao_error *err;
	bool found = false;

	err = ao_git_id(&to, commit);
	if (!err)
		err = ao_journal_flush(journal);
	if (!err)
		err = ao_refs_read(&found, &from, journal->repo,
				   journal->best_ref);
	if (!err && found && git_oid_equal(&from, &to))
		return NULL;
	if (!err)
		err = ao_refs_check_not_out(journal->repo, journal->best_ref);
	for (unsigned round = 0; !err; round++) {
		err = move_best(journal, &to);
		if (ao_error_code(err) != AO_ECONFLICT || round + 1 == TRIES)
			break;
		ao_error_free(err);
		err = NULL;
		nap(round);
	}
	if (err)
		return ao_error_wrap(err, "cannot point '%s' at %s",
				     journal->best_ref, commit);
	return NULL;
}
