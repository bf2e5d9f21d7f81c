/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "store/author.h"
#include "store/guard.h"
#include "store/install.h"
#include "store/install_tree.h"
#include "store/refs.h"
#include "store/treeedit.h"
#include "util/buf.h"
#include "util/clock.h"
#include "util/limits.h"

/* Where HEAD is, and which of the files it lacks. */
struct install {
	struct ao_repo *repo;
	struct ao_batch *batch;
	char *ref; /* that moves: a branch, or "HEAD" if it is detached */
	git_oid head;
	git_oid tree;
	bool is_unborn;
	struct ao_treeedit *edits; /* [count] of the files that HEAD lacks */
	size_t count;
};

static struct ao_error *find_head(struct install *install)
{
	const struct ao_repo *repo = install->repo;
	git_reference *head = NULL;
	struct ao_error *err;
	const char *target;
	bool found;
	int rc = git_reference_lookup(&head, repo->git, "HEAD");

	if (rc)
		return ao_git_error(rc, "cannot read HEAD");
	target = git_reference_symbolic_target(head);
	install->ref = ao_xstrdup(target ? target : "HEAD");
	git_reference_free(head);
	err = ao_refs_read(&found, &install->head, repo, install->ref);
	install->is_unborn = !found;
	if (err || !found)
		return err;
	return ao_git_commit_tree(&install->tree, repo->odb, &install->head);
}

/* Whether HEAD has the file with these bytes; AO_ECONFLICT if with others. */
static struct ao_error *is_in_head(bool *out, const struct install *install,
				   const char *path, const git_oid *blob)
{
	struct ao_error *err;
	uint32_t mode;
	git_oid id;

	*out = false;
	if (install->is_unborn)
		return NULL;
	err = ao_tree_find(out, &mode, &id, install->repo->odb, &install->tree,
			   path);
	if (!err && *out && !git_oid_equal(&id, blob))
		err = ao_error_new(AO_ECONFLICT,
				   "'%s' is committed with other contents",
				   path);
	return err;
}

/* Keep what HEAD lacks, in the batch. */
static struct ao_error *take_files(struct install *install,
				   const struct ao_install_file *files,
				   size_t count)
{
	struct ao_error *err = NULL;

	install->edits = ao_xcalloc(count, sizeof(*install->edits));
	for (size_t i = 0; i < count && !err; i++) {
		struct ao_treeedit edit = { .path = files[i].path };
		bool is_there;

		err = ao_batch_add(&edit.blob, install->batch, GIT_OBJECT_BLOB,
				   files[i].data, files[i].len);
		if (!err)
			err = is_in_head(&is_there, install, edit.path,
					 &edit.blob);
		if (!err && !is_there)
			install->edits[install->count++] = edit;
	}
	return err;
}

static struct ao_error *add_commit(git_oid *out, struct install *install,
				   const char *message)
{
	struct ao_buf commit = AO_BUF_INIT(AO_MAX_MESSAGE_BYTES);
	struct ao_author author;
	struct ao_commit_spec spec = {
		.parents = &install->head,
		.parent_count = !install->is_unborn,
		.time_unix_s = ao_clock_unix_ms() / 1000,
		.message = message,
	};
	struct ao_error *err;

	err = ao_treeedit_apply(&spec.tree, install->batch,
				install->is_unborn ? NULL : &install->tree,
				install->edits, install->count);
	if (err)
		return err;
	ao_author_init(&author, install->repo);
	ao_author_commit(&commit, &author, &spec);
	ao_author_release(&author);
	err = ao_buf_check(&commit, "commit");
	if (!err)
		err = ao_batch_add(out, install->batch, GIT_OBJECT_COMMIT,
				   commit.ptr, commit.len);
	ao_buf_release(&commit);
	return err;
}

/*
 * The index comes first: if it is locked, nothing has happened yet.  If HEAD
 * moves meanwhile, the files are there and staged, and a second try finds
 * them so.
 */
static struct ao_error *commit_files(git_oid *out, struct install *install,
				     struct ao_guard *guard,
				     const char *message)
{
	const struct ao_repo *repo = install->repo;
	struct ao_error *err;

	err = ao_install_tree_check(repo, install->edits, install->count);
	if (!err)
		err = add_commit(out, install, message);
	if (!err)
		err = ao_batch_store(install->batch);
	if (!err)
		err = ao_install_tree_update(repo, install->edits,
					     install->count);
	if (!err)
		err = ao_refs_swap(guard, repo, install->ref,
				   install->is_unborn ? NULL : &install->head,
				   out, "accelopt: init");
	return err;
}

/* What stands against committing here at all. */
static struct ao_error *check_place(const struct install *install)
{
	const struct ao_repo *repo = install->repo;

	if (repo->at.is_bare)
		return ao_refs_check_not_out(repo, install->ref);
	if (!repo->at.work_tree)
		return ao_error_new(AO_EUSAGE,
				    "this is the git folder; run it in the "
				    "work tree");
	return NULL;
}

static struct ao_error *install_files(git_oid *out, struct install *install,
				      const struct ao_install_file *files,
				      size_t count, const char *message)
{
	struct ao_guard *guard = NULL;
	struct ao_error *err;

	err = ao_batch_new(&install->batch, install->repo);
	if (!err)
		err = find_head(install);
	if (!err)
		err = take_files(install, files, count);
	if (err || !install->count)
		return err;
	err = check_place(install);
	if (!err)
		err = ao_guard_take(&guard, install->repo);
	if (!err)
		err = commit_files(out, install, guard, message);
	ao_guard_free(guard);
	return err;
}

struct ao_error *ao_install(char commit_out[AO_ID_SIZE], struct ao_repo *repo,
			    const struct ao_install_file *files, size_t count,
			    const char *message)
{
	struct install install = { .repo = repo };
	git_oid commit;
	struct ao_error *err;

	err = install_files(&commit, &install, files, count, message);
	if (!err && install.count)
		ao_git_hex(commit_out, &commit);
	else if (!err)
		commit_out[0] = '\0';
	ao_batch_free(install.batch);
	free(install.ref);
	free(install.edits);
	if (err)
		return ao_error_wrap(err, "cannot add files to the repository");
	return NULL;
}

struct ao_error *ao_install_check_refs(struct ao_repo *repo, const char *task)
{
	return ao_refs_check_free(repo, task, NULL, NULL);
}
