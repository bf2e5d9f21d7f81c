/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <errno.h>

#include "store/gitrun.h"
#include "store/layout.h"
#include "store/refs.h"
#include "util/file.h"
#include "util/strs.h"
#include "util/text.h"

/* How often a swap is tried while git removes empty folders of refs. */
enum { SWAP_TRIES = 256 };

struct ao_error *ao_refs_read(bool *found_out, git_oid *out,
			      const struct ao_repo *repo, const char *name)
{
	git_oid id;
	int rc = git_reference_name_to_id(&id, repo->git, name);

	if (rc && rc != GIT_ENOTFOUND)
		return ao_git_error(rc, "cannot read '%s'", name);
	*found_out = !rc;
	if (!rc)
		git_oid_cpy(out, &id);
	return NULL;
}

/*
 * libgit2 syncs the ref and the folder it is in.  A new ref may have new
 * folders above: sync these too, up to the git folder.
 */
static struct ao_error *sync_folders(const struct ao_repo *repo,
				     const char *name)
{
	char *path = ao_xstrf("%s/%s", repo->at.common_folder, name);
	size_t stop = strlen(repo->at.common_folder);
	struct ao_error *err = NULL;
	char *slash;

	while (!err && (slash = strrchr(path, '/')) &&
	       (size_t)(slash - path) >= stop) {
		*slash = '\0';
		err = ao_file_sync_folder(path);
		/* "git pack-refs" took the ref, and the folder with it. */
		if (err && ao_error_code(err) == AO_ENOTFOUND) {
			ao_error_free(err);
			err = NULL;
		}
	}
	free(path);
	return err;
}

/*
 * Whether a folder for a ref, or the ref's lock in it, vanished as it was made:
 * `git pack-refs` removes the folders that it empties.
 */
static bool lost_folder(int rc)
{
	const git_error *last = git_error_last();

	return rc && last && last->klass == GIT_ERROR_OS &&
	       strstr(last->message, strerror(ENOENT));
}

struct ao_error *ao_refs_swap(struct ao_guard *guard,
			      const struct ao_repo *repo, const char *name,
			      const git_oid *from, const git_oid *to,
			      const char *message)
{
	git_reference *ref = NULL;
	struct ao_error *err;
	unsigned tries = 0;
	int rc;

	err = ao_guard_swapping(guard, name);
	if (err)
		return err;
	do {
		/* Without a value, "force" off means: must not exist. */
		rc = git_reference_create_matching(&ref, repo->git, name, to,
						   from != NULL, from, message);
	} while (++tries < SWAP_TRIES && lost_folder(rc));
	ao_guard_swapped(guard);
	git_reference_free(ref);
	if (lost_folder(rc))
		return ao_error_new(AO_ECONFLICT,
				    "cannot move '%s': git removes its folder "
				    "again and again",
				    name);
	if (rc)
		return ao_git_error(rc, "cannot move '%s'", name);
	return from ? NULL : sync_folders(repo, name);
}

struct ao_error *ao_refs_names(struct ao_strs *out, const struct ao_repo *repo,
			       const char *glob)
{
	git_reference_iterator *iter;
	const char *name;
	int rc = git_reference_iterator_glob_new(&iter, repo->git, glob);

	if (!rc) {
		while (!(rc = git_reference_next_name(&name, iter)))
			ao_strs_push(out, name);
		git_reference_iterator_free(iter);
	}
	if (rc != GIT_ITEROVER)
		return ao_git_error(rc, "cannot list '%s'", glob);
	return NULL;
}

/* A branch as people say it; another ref in full. */
static const char *short_name(const char *name)
{
	static const char heads[] = "refs/heads/";

	return ao_text_starts_with(name, heads) ? name + strlen(heads) : name;
}

static struct ao_error *check_no_ref(const struct ao_repo *repo,
				     const char *name)
{
	const char *as_said = short_name(name);
	struct ao_error *err;
	git_oid id;
	bool found;

	err = ao_refs_read(&found, &id, repo, name);
	if (err || !found)
		return err;
	if (as_said != name)
		return ao_error_new(AO_ECONFLICT,
				    "branch '%s' is in the way of the branches "
				    "below '%s/'; rename it with 'git branch "
				    "-m'",
				    as_said, as_said);
	return ao_error_new(AO_ECONFLICT,
			    "ref '%s' is in the way of the refs below '%s/'; "
			    "give what it has another name with 'git "
			    "update-ref', then delete it with 'git update-ref "
			    "-d %s'",
			    name, name, name);
}

struct ao_error *ao_refs_check_free(const struct ao_repo *repo,
				    const char *task, const char *run,
				    const char *writer)
{
	struct ao_strs names = { 0 };
	struct ao_error *err = NULL;

	ao_strs_push(&names, "refs/heads/accelopt");
	ao_strs_pushf(&names, AO_HEADS_PREFIX "%s", task);
	if (run)
		ao_strs_pushf(&names, AO_HEADS_PREFIX "%s/%s", task, run);
	ao_strs_push(&names, "refs/notes/accelopt");
	if (writer)
		ao_strs_pushf(&names, AO_NOTES_PREFIX "%s", writer);
	for (size_t i = 0; i < names.count && !err; i++)
		err = check_no_ref(repo, names.v[i]);
	ao_strs_release(&names);
	return err;
}

/* Look for "branch <name>" in what `git worktree list --porcelain` printed. */
static char *worktree_of(char *text, const char *name)
{
	static const char folder[] = "worktree ", branch[] = "branch ";
	char *rest = text, *line;
	const char *where = "";

	while ((line = strsep(&rest, "\n"))) {
		if (ao_text_starts_with(line, folder))
			where = line + strlen(folder);
		else if (ao_text_starts_with(line, branch) &&
			 !strcmp(line + strlen(branch), name))
			return ao_xstrdup(where);
	}
	return NULL;
}

struct ao_error *ao_refs_check_not_out(const struct ao_repo *repo,
				       const char *name)
{
	static const char *const args[] = { "worktree", "list", "--porcelain",
					    NULL };
	struct ao_git_run run = {
		.args = args,
		.env = (const char *const *)repo->env.v,
	};
	struct ao_process_end end = { 0 };
	struct ao_error *err = ao_git_run_ok(&end, &run);
	char *where;

	if (err)
		return ao_error_wrap(err, "cannot list worktrees");
	where = worktree_of(end.output, name);
	if (where)
		err = ao_error_new(AO_ECONFLICT,
				   "branch '%s' is checked out at '%s'",
				   name + strlen("refs/heads/"), where);
	free(where);
	ao_process_end_release(&end);
	return err;
}
