/* SPDX-License-Identifier: MIT */
/* Starting and resuming a run. */
#include "util/base.h"

#include "store/commit.h"
#include "store/journal_data.h"
#include "store/journalwalk.h"
#include "store/layout.h"
#include "store/refs.h"
#include "store/share.h"
#include "store/tasks.h"
#include "util/clock.h"
#include "util/crypto.h"
#include "util/limits.h"

enum { RUN_DIGITS = 8 };

/* One process writes a run.  It is let go with the process, however it ends. */
static struct ao_error *lock_run(struct ao_journal *journal)
{
	char *name = ao_xstrf("run-%s.lock", journal->run);
	char *path = NULL;
	struct ao_error *err;

	err = ao_repo_own_path(&path, journal->repo, name);
	if (!err)
		err = ao_lock_take(&journal->lock, path, AO_LOCK_EXCLUSIVE, 0);
	if (!err)
		ao_share_lock(&journal->repo->config, path);
	free(name);
	free(path);
	if (ao_error_code(err) == AO_ELIMIT) {
		ao_error_free(err);
		return ao_error_new(AO_ECONFLICT,
				    "another process is writing run '%s': wait "
				    "for it, or end it (a kill of 'git' leaves "
				    "'git-accelopt' running)",
				    journal->run);
	}
	return err;
}

static void name_refs(struct ao_journal *journal, const char *writer)
{
	journal->journal_ref = ao_layout_journal(journal->task, journal->run);
	journal->best_ref = ao_layout_best(journal->task, journal->run);
	for (unsigned i = 0; i < AO_RECORD_KIND_COUNT; i++)
		journal->notes_refs[i] = ao_layout_notes(
			writer, (enum ao_record_kind)i);
}

/* What start and resume have in common, up to the run's lock. */
static struct ao_error *begin(struct ao_journal **out, struct ao_repo *repo,
			      const char *task, const char *run,
			      const char *writer)
{
	struct ao_journal *journal = ao_xcalloc(1, sizeof(*journal));
	struct ao_error *err;

	journal->repo = repo;
	journal->task = ao_xstrdup(task);
	journal->run = ao_xstrdup(run);
	name_refs(journal, writer);
	ao_author_init(&journal->author, repo);
	err = ao_batch_new(&journal->batch, repo);
	if (!err)
		err = lock_run(journal);
	if (err)
		ao_journal_free(journal);
	else
		*out = journal;
	return err;
}

static void take_kernel_files(struct ao_journal *journal,
			      const struct ao_task *task)
{
	for (size_t i = 0; i < task->kernel_files.count; i++)
		ao_strs_push(&journal->kernel_files, task->kernel_files.v[i]);
}

static struct ao_error *find_base(git_oid *base_out, struct ao_journal *journal,
				  const char *base)
{
	struct ao_error *err = ao_git_id(base_out, base);

	if (!err)
		err = ao_git_commit_tree(&journal->base_tree,
					 journal->repo->odb, base_out);
	if (err)
		return ao_error_wrap(err, "cannot read the baseline '%s'",
				     base);
	return NULL;
}

static struct ao_error *add_run_json(struct ao_journal *journal,
				     const struct ao_run *run)
{
	struct ao_buf json = AO_BUF_INIT(AO_MAX_RECORD_BYTES);
	struct ao_error *err;

	ao_run_write(&json, run);
	err = ao_buf_check(&json, AO_RUN_FILE);
	if (!err)
		err = ao_batch_add(&journal->run_json, journal->batch,
				   GIT_OBJECT_BLOB, json.ptr, json.len);
	ao_buf_release(&json);
	return err;
}

/* "20261130T021054-7f3a9c01": sortable, and unique without coordination. */
static char *new_run_id(void)
{
	char stamp[AO_STAMP_SIZE], random[RUN_DIGITS + 1];

	ao_clock_stamp(stamp, ao_clock_unix_ms());
	ao_random_hex(random, RUN_DIGITS);
	return ao_xstrf("%s-%s", stamp, random);
}

struct ao_error *ao_journal_start(struct ao_journal **out, struct ao_repo *repo,
				  struct ao_run *run,
				  const struct ao_task *task)
{
	struct ao_journal *journal = NULL;
	const char *writer;
	struct ao_error *err;

	err = ao_repo_writer(&writer, repo);
	if (err)
		goto out;
	free(run->id);
	free(run->writer);
	run->id = new_run_id();
	run->writer = ao_xstrdup(writer);
	err = ao_refs_check_free(repo, task->name, run->id, writer);
	if (!err)
		err = begin(&journal, repo, task->name, run->id, writer);
	if (err)
		goto out;
	take_kernel_files(journal, task);
	err = find_base(&journal->tip, journal, run->base);
	if (!err)
		err = add_run_json(journal, run);
	if (!err)
		err = ao_journal_write(journal);
out:
	if (err) {
		ao_journal_free(journal);
		return ao_error_wrap(err, "cannot start a run of '%s'",
				     task->name);
	}
	*out = journal;
	return NULL;
}

/* What others put on top would hide attempts, whose numbers come again. */
static struct ao_error *check_tip(const struct ao_journal *journal)
{
	const char *branch = journal->journal_ref + strlen("refs/heads/");
	git_odb_object *object;
	struct ao_commit commit;
	struct ao_error *err;
	bool is_ours;

	err = ao_git_read(&object, journal->repo->odb, &journal->tip,
			  GIT_OBJECT_COMMIT);
	if (err)
		return err;
	is_ours = ao_commit_read(&commit, git_odb_object_data(object),
				 git_odb_object_size(object)) &&
		  ao_journalwalk_is_journal(&commit, journal->run);
	git_odb_object_free(object);
	if (is_ours)
		return NULL;
	return ao_error_new(AO_EINVALID,
			    "branch '%s' ends with %s, which is no commit of "
			    "the journal; put it back to the last 'journal: "
			    "...' commit that 'git reflog %s' has, with 'git "
			    "update-ref %s <commit>'",
			    branch, git_oid_tostr_s(&journal->tip), branch,
			    journal->journal_ref);
}

/* The tip of the journal and run.json in it. */
static struct ao_error *read_journal(struct ao_run *run_out,
				     struct ao_journal *journal)
{
	struct ao_buf json = AO_BUF_INIT(AO_MAX_RECORD_BYTES);
	char commit[AO_ID_SIZE];
	struct ao_error *err;
	bool found;

	err = ao_refs_read(&found, &journal->tip, journal->repo,
			   journal->journal_ref);
	if (!err && !found)
		err = ao_error_new(AO_ENOTFOUND,
				   "this clone has no run '%s' of '%s'",
				   journal->run, journal->task);
	if (!err)
		err = check_tip(journal);
	if (err)
		return err;
	journal->is_started = true;
	ao_git_hex(commit, &journal->tip);
	err = ao_repo_read_file(&json, journal->repo, commit,
				AO_OWN_FOLDER "/" AO_RUN_FILE);
	if (!err) {
		ao_git_hash(&journal->run_json, json.ptr, json.len,
			    GIT_OBJECT_BLOB);
		err = ao_run_read(run_out, AO_RUN_FILE, json.ptr, json.len);
	}
	ao_buf_release(&json);
	return err;
}

/* Who wrote it must be who goes on: notes of one writer have one place. */
static struct ao_error *check_run(const struct ao_journal *journal,
				  const struct ao_run *run, const char *writer)
{
	if (strcmp(run->id, journal->run) != 0 ||
	    strcmp(run->task, journal->task) != 0)
		return ao_error_new(AO_EINVALID,
				    "'%s' has the journal of run '%s' of '%s'",
				    journal->journal_ref, run->id, run->task);
	if (!run->writer || strcmp(run->writer, writer) != 0)
		return ao_error_new(AO_ECONFLICT,
				    "run '%s' was started by writer '%s', and "
				    "this clone is '%s' (accelopt.writer); "
				    "start a new run from it",
				    run->id, run->writer ? run->writer : "",
				    writer);
	return NULL;
}

/*
 * The branch would move under a worktree that stands on it, whose next commit
 * would take the journal back.
 */
static struct ao_error *check_not_out(const struct ao_journal *journal)
{
	struct ao_error *err = ao_refs_check_not_out(journal->repo,
						     journal->journal_ref);

	if (ao_error_code(err) != AO_ECONFLICT)
		return err;
	return ao_error_wrap(err, "the journal's branch is in use; switch to "
				  "another there");
}

static struct ao_error *reopen(struct ao_journal *journal, struct ao_run *run,
			       const char *writer)
{
	struct ao_task *task = NULL;
	struct ao_error *err;
	git_oid base;

	err = check_not_out(journal);
	if (!err)
		err = ao_refs_check_free(journal->repo, journal->task,
					 journal->run, writer);
	if (!err)
		err = read_journal(run, journal);
	if (!err)
		err = check_run(journal, run, writer);
	if (!err)
		err = find_base(&base, journal, run->base);
	if (!err)
		err = ao_tasks_load(&task, journal->repo, run->base,
				    journal->task);
	if (!err)
		take_kernel_files(journal, task);
	ao_task_free(task);
	return err;
}

struct ao_error *ao_journal_resume(struct ao_journal **out,
				   struct ao_run *run_out, struct ao_repo *repo,
				   const char *task, const char *run_id)
{
	struct ao_journal *journal = NULL;
	struct ao_run run = { 0 };
	const char *writer;
	struct ao_error *err;

	if (!ao_task_name_is_valid(task) || !ao_run_id_is_valid(run_id))
		return ao_error_new(AO_ENOTFOUND, "'%s' of '%s' is not a run",
				    run_id, task);
	err = ao_repo_writer(&writer, repo);
	if (!err)
		err = begin(&journal, repo, task, run_id, writer);
	if (!err)
		err = reopen(journal, &run, writer);
	if (err) {
		ao_run_release(&run);
		ao_journal_free(journal);
		return ao_error_wrap(err, "cannot resume run '%s'", run_id);
	}
	*run_out = run;
	*out = journal;
	return NULL;
}
