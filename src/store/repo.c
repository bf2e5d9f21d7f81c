/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <git2/sys/repository.h>

#include "store/gitrun.h"
#include "store/repo_data.h"
#include "store/share.h"
#include "store/tree.h"
#include "util/buf.h"
#include "util/clock.h"
#include "util/crypto.h"
#include "util/file.h"
#include "util/limits.h"
#include "util/text.h"

enum {
	CONFIG_TRIES = 20, /* while somebody else writes config */
};

/* The environment in which git, from wherever, acts on this repository. */
static void make_env(struct ao_repo *repo)
{
	const struct ao_location *at = &repo->at;
	static const char *const ours[] = { "GIT_DIR",	      "GIT_WORK_TREE",
					    "GIT_INDEX_FILE", "GIT_COMMON_DIR",
					    "GIT_PREFIX",     NULL };

	ao_git_run_env(&repo->env, ours);
	ao_strs_pushf(&repo->env, "GIT_DIR=%s", at->git_folder);
	if (getenv("GIT_COMMON_DIR"))
		ao_strs_pushf(&repo->env, "GIT_COMMON_DIR=%s",
			      at->common_folder);
	if (!at->work_tree)
		return;
	ao_strs_pushf(&repo->env, "GIT_WORK_TREE=%s", at->work_tree);
	ao_strs_pushf(&repo->env, "GIT_INDEX_FILE=%s", at->index_file);
}

static bool has_promisor(const struct ao_config *config)
{
	if (ao_config_get(config, "extensions.partialclone"))
		return true;
	for (size_t i = 0; i < config->count; i++)
		if (ao_text_starts_with(config->entries[i].key, "remote.") &&
		    ao_text_ends_with(config->entries[i].key, ".promisor") &&
		    !strcmp(config->entries[i].value, "true"))
			return true;
	return false;
}

static struct ao_error *read_config(struct ao_repo *repo)
{
	static const char *const args[] = { "config", "--list", "-z", NULL };
	struct ao_git_run run = {
		.args = args,
		.env = (const char *const *)repo->env.v,
	};
	struct ao_process_end end = { 0 };
	struct ao_error *err = ao_git_run_ok(&end, &run);

	if (err)
		return ao_error_wrap(err, "cannot read the configuration");
	ao_config_parse(&repo->config, end.output, end.output_len);
	ao_process_end_release(&end);
	repo->is_partial = has_promisor(&repo->config);
	return ao_locate_check(&repo->config);
}

/* Whether HEAD has .accelopt/config: most have not, and need no process. */
static bool has_committed_config(const struct ao_repo *repo)
{
	struct ao_error *err;
	git_oid head, tree, id;
	uint32_t mode;
	bool found = false;

	if (git_reference_name_to_id(&head, repo->git, "HEAD"))
		return false;
	err = ao_git_commit_tree(&tree, repo->odb, &head);
	if (!err)
		err = ao_tree_find(&found, &mode, &id, repo->odb, &tree,
				   ".accelopt/config");
	ao_error_free(err); /* what is missing sets nothing */
	return found;
}

static struct ao_error *read_committed_config(struct ao_repo *repo)
{
	static const char *const args[] = {
		"config", "--blob", "HEAD:.accelopt/config",
		"--list", "-z",	    NULL
	};
	struct ao_git_run run = {
		.args = args,
		.env = (const char *const *)repo->env.v,
	};
	struct ao_process_end end = { 0 };
	struct ao_error *err;

	if (!has_committed_config(repo))
		return NULL;
	err = ao_git_run_ok(&end, &run);
	if (err)
		return ao_error_wrap(err, "cannot read '.accelopt/config' of "
					  "HEAD");
	ao_config_parse(&repo->committed, end.output, end.output_len);
	ao_config_keep_search(&repo->committed);
	ao_process_end_release(&end);
	return NULL;
}

/*
 * As if bare: what libgit2 knows of work trees and the index is not needed,
 * and it would refuse configurations that git accepts.
 */
static struct ao_error *open_git(struct ao_repo *repo)
{
	int rc = git_repository_open_bare(&repo->git, repo->at.git_folder);
	struct ao_error *err;

	if (rc)
		return ao_git_error(rc, "cannot open '%s'",
				    repo->at.git_folder);
	err = ao_repo_open_odb(&repo->odb, repo);
	if (err)
		return err;
	rc = git_repository_set_odb(repo->git, repo->odb);
	if (rc)
		return ao_git_error(rc, "cannot open '%s'",
				    repo->at.git_folder);
	return NULL;
}

struct ao_error *ao_repo_open_odb(git_odb **out, const struct ao_repo *repo)
{
	const char *objects = getenv("GIT_OBJECT_DIRECTORY");
	char *own = ao_xstrf("%s/objects", repo->at.common_folder);
	git_odb *odb = NULL;
	int rc = git_odb_open(&odb, own);

	/* In a hook that runs before a push is taken, new objects are there. */
	if (!rc && objects)
		rc = git_odb_add_disk_alternate(odb, objects);
	if (rc) {
		git_odb_free(odb);
		free(own);
		return ao_git_error(rc, "cannot open the objects of '%s'",
				    repo->at.common_folder);
	}
	*out = odb;
	free(own);
	return NULL;
}

struct ao_error *ao_repo_open(struct ao_repo **out)
{
	struct ao_repo *repo;
	struct ao_error *err = ao_git_init();

	if (err)
		return err;
	repo = ao_xcalloc(1, sizeof(*repo));
	err = ao_locate(&repo->at);
	if (!err) {
		make_env(repo);
		err = read_config(repo);
	}
	if (!err)
		err = open_git(repo);
	if (!err)
		err = read_committed_config(repo);
	if (err) {
		ao_repo_free(repo);
		return ao_error_wrap(err, "cannot open the repository");
	}
	*out = repo;
	return NULL;
}

void ao_repo_free(struct ao_repo *repo)
{
	if (!repo)
		return;
	git_odb_free(repo->odb);
	git_repository_free(repo->git);
	ao_location_release(&repo->at);
	ao_config_release(&repo->config);
	ao_config_release(&repo->committed);
	free(repo->writer);
	ao_strs_release(&repo->env);
	free(repo);
	git_libgit2_shutdown();
}

const char *ao_repo_work_tree(const struct ao_repo *repo)
{
	return repo->at.work_tree;
}

bool ao_repo_is_shallow(const struct ao_repo *repo)
{
	return repo->at.is_shallow;
}

bool ao_repo_is_partial(const struct ao_repo *repo)
{
	return repo->is_partial;
}

const char *ao_repo_config(const struct ao_repo *repo, const char *key)
{
	const char *value = ao_config_get(&repo->config, key);

	return value ? value : ao_config_get(&repo->committed, key);
}

struct ao_error *ao_repo_own_path(char **out, const struct ao_repo *repo,
				  const char *name)
{
	char *folder = ao_xstrf("%s/accelopt", repo->at.common_folder);
	struct ao_error *err = ao_file_make_folder(folder);

	if (!err) {
		ao_share(&repo->config, folder);
		*out = ao_xstrf("%s/%s", folder, name);
	}
	free(folder);
	return err;
}

struct ao_error *ao_repo_config_set(struct ao_repo *repo, const char *key,
				    const char *value)
{
	const char *const args[] = { "config", "--local", key, value, NULL };
	struct ao_git_run run = {
		.args = args,
		.env = (const char *const *)repo->env.v,
	};
	struct ao_error *err = NULL;

	for (unsigned i = 0; i < CONFIG_TRIES; i++) {
		struct ao_process_end end = { 0 };
		bool is_locked;

		err = ao_git_run(&end, &run);
		if (err)
			break;
		is_locked = end.status && strstr(end.errors, "File exists");
		if (end.status)
			err = ao_git_run_error(&end, AO_EIO);
		ao_process_end_release(&end);
		if (!is_locked || i + 1 == CONFIG_TRIES)
			break;
		ao_error_free(err);
		ao_clock_sleep_ms(1 + (uint32_t)(ao_random_u64() % 50));
	}
	if (err)
		return ao_error_wrap(err, "cannot set %s", key);
	ao_config_add(&repo->config, key, value);
	return NULL;
}

/* "HEAD is on branch 'main', which has no commit yet", or NULL. */
static struct ao_error *unborn(const struct ao_repo *repo, const char *revision)
{
	static const char heads[] = "refs/heads/";
	git_reference *head = NULL;
	struct ao_error *err = NULL;
	const char *target;

	if (git_repository_head_unborn(repo->git) != 1 ||
	    git_reference_lookup(&head, repo->git, "HEAD"))
		return NULL;
	target = git_reference_symbolic_target(head);
	if (target && ao_text_starts_with(target, heads))
		target += strlen(heads);
	if (target && (!strcmp(revision, "HEAD") || !strcmp(revision, "@") ||
		       !strcmp(revision, target)))
		err = ao_error_new(AO_ENOTFOUND,
				   "HEAD is on branch '%s', which has no "
				   "commit yet",
				   target);
	git_reference_free(head);
	return err;
}

struct ao_error *ao_repo_resolve(char out[AO_ID_SIZE], struct ao_repo *repo,
				 const char *revision)
{
	const char *args[] = { "rev-parse", "--verify", "--end-of-options",
			       NULL, NULL };
	struct ao_git_run run = {
		.args = args,
		.env = (const char *const *)repo->env.v,
	};
	struct ao_process_end end = { 0 };
	char *commit = ao_xstrf("%s^{commit}", revision);
	struct ao_error *err;
	git_oid id;

	args[3] = commit;
	err = ao_git_run(&end, &run);
	if (!err && end.status) {
		err = unborn(repo, revision);
		if (!err)
			err = ao_git_run_error(&end, AO_ENOTFOUND);
	}
	if (!err) {
		end.output[strcspn(end.output, "\n")] = '\0';
		err = ao_git_id(&id, end.output);
	}
	if (err)
		err = ao_error_wrap(err, "'%s' names no commit", revision);
	else
		ao_git_hex(out, &id);
	ao_process_end_release(&end);
	free(commit);
	return err;
}

/* A missing object is a broken or partial repository, not a missing file. */
static struct ao_error *missing_object(const struct ao_repo *repo,
				       struct ao_error *cause)
{
	struct ao_error *err;

	if (ao_error_code(cause) != AO_ENOTFOUND)
		return cause;
	err = ao_error_new(
		AO_EIO, "%s%s", ao_error_message(cause),
		repo->is_partial      ? " (a partial clone: fetch it with git)"
		: repo->at.is_shallow ? " (a shallow clone: fetch --unshallow)"
				      : "");
	ao_error_free(cause);
	return err;
}

struct ao_error *ao_repo_read_file(struct ao_buf *out, struct ao_repo *repo,
				   const char *commit, const char *path)
{
	git_odb_object *object = NULL;
	git_oid id = { { 0 } }, tree;
	uint32_t mode = 0;
	struct ao_error *err;
	bool found = false;

	err = ao_git_id(&id, commit);
	if (!err)
		err = ao_git_commit_tree(&tree, repo->odb, &id);
	if (!err)
		err = ao_tree_find(&found, &mode, &id, repo->odb, &tree, path);
	if (!err && found && mode != AO_MODE_TREE)
		err = ao_git_read(&object, repo->odb, &id, GIT_OBJECT_BLOB);
	if (err)
		return ao_error_wrap(missing_object(repo, err),
				     "cannot read '%s' of commit %s", path,
				     commit);
	if (!object)
		return ao_error_new(AO_ENOTFOUND,
				    "commit %.12s has no file '%s'", commit,
				    path);
	ao_buf_add(out, git_odb_object_data(object),
		   git_odb_object_size(object));
	git_odb_object_free(object);
	return ao_buf_check(out, path);
}

void ao_repo_blob_id(char out[AO_ID_SIZE], const void *data, size_t len)
{
	git_oid id;

	ao_git_hash(&id, data, len, GIT_OBJECT_BLOB);
	ao_git_hex(out, &id);
}

void ao_repo_maintain(const struct ao_repo *repo)
{
	static const char *const args[] = { "maintenance", "run", "--auto",
					    "--quiet", NULL };
	const struct ao_git_run run = {
		.args = args,
		.env = (const char *const *)repo->env.v,
	};
	struct ao_process_end end = { 0 };

	/* Nothing is lost where it fails; the next command tries again. */
	ao_error_free(ao_git_run(&end, &run));
	ao_process_end_release(&end);
}
