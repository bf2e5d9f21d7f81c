/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "store/journal_data.h"
#include "store/taskpath.h"
#include "store/treeedit.h"
#include "util/clock.h"
#include "util/limits.h"

/* Of a commit, what stands before its message. */
enum { MAX_HEAD_BYTES = 8 << 10 };

/* The parent's tree with the kernel's files in it. */
static struct ao_error *put_kernel(git_oid *out, struct ao_journal *journal,
				   const git_oid *parent_tree,
				   const struct ao_kernel *kernel)
{
	struct ao_treeedit *edits = ao_xcalloc(kernel->count, sizeof(*edits));
	char **paths = ao_xcalloc(kernel->count, sizeof(*paths));
	struct ao_error *err = NULL;

	for (size_t i = 0; i < kernel->count && !err; i++) {
		const struct ao_kernel_file *file = &kernel->files[i];

		paths[i] = ao_taskpath(journal->task, file->path);
		edits[i].path = paths[i];
		err = ao_batch_add(&edits[i].blob, journal->batch,
				   GIT_OBJECT_BLOB, file->data, file->len);
	}
	if (!err)
		err = ao_treeedit_apply(out, journal->batch, parent_tree, edits,
					kernel->count);
	for (size_t i = 0; i < kernel->count; i++)
		free(paths[i]);
	free(paths);
	free(edits);
	return err;
}

/* The id of the kernel that a tree has. */
static struct ao_error *find_kernel(char out[AO_ID_SIZE],
				    const struct ao_journal *journal,
				    const git_oid *tree)
{
	const struct ao_strs *names = &journal->kernel_files;
	struct ao_treeedit *files = ao_xcalloc(names->count, sizeof(*files));
	struct ao_error *err = NULL;

	for (size_t i = 0; i < names->count && !err; i++) {
		char *path = ao_taskpath(journal->task, names->v[i]);
		bool found = false;
		uint32_t mode;

		files[i].path = names->v[i];
		err = ao_tree_find(&found, &mode, &files[i].blob,
				   ao_batch_odb(journal->batch), tree, path);
		if (!err && !found)
			err = ao_error_new(AO_ENOTFOUND,
					   "the parent has no file '%s'", path);
		free(path);
	}
	if (!err)
		err = ao_taskpath_kernel_id(out, files, names->count);
	free(files);
	return err;
}

/* Make the candidate's commit. */
static struct ao_error *add_commit(git_oid *out, struct ao_journal *journal,
				   const struct ao_candidate *candidate,
				   const git_oid *parent, const git_oid *tree,
				   int64_t time_unix_s)
{
	struct ao_buf message = AO_BUF_INIT(AO_MAX_MESSAGE_BYTES);
	struct ao_buf commit = AO_BUF_INIT(AO_MAX_MESSAGE_BYTES +
					   MAX_HEAD_BYTES);
	struct ao_commit_spec spec = {
		.tree = *tree,
		.parents = parent,
		.parent_count = 1,
		.time_unix_s = time_unix_s,
	};
	struct ao_error *err;

	ao_message_write(&message, &candidate->message);
	err = ao_buf_check(&message, "commit message");
	if (!err) {
		spec.message = message.ptr;
		ao_author_commit(&commit, &journal->author, &spec);
		err = ao_buf_check(&commit, "commit");
	}
	if (!err)
		err = ao_batch_add(out, journal->batch, GIT_OBJECT_COMMIT,
				   commit.ptr, commit.len);
	ao_buf_release(&message);
	ao_buf_release(&commit);
	return err;
}

/* Take over a line that is to be a record of `on`. */
static struct ao_error *push_record(struct ao_journal *journal,
				    enum ao_record_kind kind, const git_oid *on,
				    struct ao_buf *line)
{
	struct ao_error *err = ao_buf_check(line, ao_record_kind_name(kind));
	struct ao_journal_record *record;

	if (err) {
		ao_buf_release(line);
		return err;
	}
	journal->records = ao_grow(journal->records, &journal->record_alloc,
				   journal->record_count + 1,
				   sizeof(*journal->records));
	record = &journal->records[journal->record_count++];
	*record = (struct ao_journal_record){ .kind = kind, .on = *on };
	record->len = line->len;
	record->line = ao_buf_take(line);
	return NULL;
}

static struct ao_error *push_profile(struct ao_journal *journal,
				     const git_oid *on,
				     const struct ao_profile *profile)
{
	struct ao_buf line = AO_BUF_INIT(AO_MAX_RECORD_BYTES);

	ao_profile_write(&line, profile);
	return push_record(journal, AO_RECORD_PROFILE, on, &line);
}

static struct ao_error *push_plan(struct ao_journal *journal, const git_oid *on,
				  const struct ao_plan *plan)
{
	struct ao_buf line = AO_BUF_INIT(AO_MAX_RECORD_BYTES);

	ao_plan_write(&line, plan);
	return push_record(journal, AO_RECORD_PLAN, on, &line);
}

static void drop_records(struct ao_journal *journal, size_t from)
{
	while (journal->record_count > from)
		free(journal->records[--journal->record_count].line);
}

static void push_attempt(struct ao_journal *journal, const git_oid *commit,
			 struct ao_attempt id)
{
	journal->attempts = ao_grow(journal->attempts, &journal->attempt_alloc,
				    journal->attempt_count + 1,
				    sizeof(*journal->attempts));
	journal->attempts[journal->attempt_count++] =
		(struct ao_journal_attempt){ .commit = *commit, .id = id };
}

/* All of ao_journal_add() that can fail. */
static struct ao_error *add_objects(git_oid *commit_out,
				    struct ao_journal *journal,
				    struct ao_candidate *candidate,
				    const struct ao_kernel *kernel)
{
	struct ao_error *err;
	git_oid parent, tree;
	int64_t now_s = ao_clock_unix_ms() / 1000;

	err = ao_git_id(&parent, candidate->parent);
	if (!err)
		err = ao_git_commit_tree(&tree, ao_batch_odb(journal->batch),
					 &parent);
	if (!err && kernel)
		err = put_kernel(&tree, journal, &tree, kernel);
	if (!err)
		err = find_kernel(candidate->kernel, journal, &tree);
	if (!err)
		err = add_commit(commit_out, journal, candidate, &parent, &tree,
				 now_s);
	if (err)
		return err;
	candidate->time_unix_ms = now_s * 1000;
	if (candidate->profile && !candidate->profile->kernel[0])
		memcpy(candidate->profile->kernel, candidate->kernel,
		       AO_ID_SIZE);
	if (candidate->profile)
		err = push_profile(journal, commit_out, candidate->profile);
	if (!err && candidate->plan)
		err = push_plan(journal, commit_out, candidate->plan);
	return err;
}

struct ao_error *ao_journal_add(struct ao_journal *journal,
				struct ao_candidate *candidate,
				const struct ao_kernel *kernel)
{
	size_t object_count = ao_batch_count(journal->batch);
	size_t record_count = journal->record_count;
	struct ao_error *err;
	git_oid commit;

	err = add_objects(&commit, journal, candidate, kernel);
	if (err) {
		ao_batch_cut(journal->batch, object_count);
		drop_records(journal, record_count);
		return ao_error_wrap(err,
				     "cannot make a commit of attempt %" PRIu32
				     ".%" PRIu32,
				     candidate->message.attempt.iteration,
				     candidate->message.attempt.number);
	}
	push_attempt(journal, &commit, candidate->message.attempt);
	ao_git_hex(candidate->commit, &commit);
	return NULL;
}

struct ao_error *ao_journal_add_profile(struct ao_journal *journal,
					const char *commit,
					const struct ao_profile *profile)
{
	git_oid on;
	struct ao_error *err = ao_git_id(&on, commit);

	return err ? err : push_profile(journal, &on, profile);
}

struct ao_error *ao_journal_add_insight(struct ao_journal *journal,
					const struct ao_insight *insight)
{
	struct ao_buf line = AO_BUF_INIT(AO_MAX_RECORD_BYTES);
	git_oid on;
	struct ao_error *err = ao_git_id(&on, insight->fast);

	if (err)
		return err;
	ao_insight_write(&line, insight);
	return push_record(journal, AO_RECORD_INSIGHT, &on, &line);
}

size_t ao_journal_pending(const struct ao_journal *journal)
{
	return journal->attempt_count + journal->record_count;
}

void ao_journal_free(struct ao_journal *journal)
{
	if (!journal)
		return;
	drop_records(journal, 0);
	free(journal->records);
	free(journal->attempts);
	ao_batch_free(journal->batch);
	ao_author_release(&journal->author);
	ao_strs_release(&journal->kernel_files);
	free(journal->task);
	free(journal->run);
	free(journal->journal_ref);
	free(journal->best_ref);
	for (size_t i = 0; i < AO_RECORD_KIND_COUNT; i++)
		free(journal->notes_refs[i]);
	ao_lock_remove(journal->lock);
	free(journal);
}
