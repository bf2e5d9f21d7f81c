/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "model/run.h"
#include "store/asof.h"
#include "store/layout.h"
#include "store/repo.h"
#include "util/buf.h"
#include "util/limits.h"

/* Read a file of our folder in a journal commit. */
static struct ao_error *read_own(struct ao_buf *out, struct ao_repo *repo,
				 const char *commit, const char *name)
{
	char *path = ao_xstrf(AO_OWN_FOLDER "/%s", name);
	struct ao_error *err = ao_repo_read_file(out, repo, commit, path);

	free(path);
	if (ao_error_code(err) != AO_ENOTFOUND)
		return err;
	ao_error_free(err);
	return ao_error_new(AO_EINVALID,
			    "'%s' is not a commit of a run's journal", commit);
}

/* Lines "<id> <ref>" in place of the notes refs as they are now. */
static struct ao_error *set_notes(struct ao_runrefs *refs, const char *text)
{
	for (size_t i = 0; i < refs->note_count; i++)
		free(refs->notes[i].name);
	refs->note_count = 0;
	while (*text) {
		const size_t hex = AO_ID_SIZE - 1;
		size_t len = strcspn(text, "\n");
		char *line = ao_xstrndup(text, len);
		bool is_good = len > hex + 1 && line[hex] == ' ';
		git_oid id;

		is_good = is_good && !git_oid_fromstrn(&id, line, hex);
		if (is_good && !strncmp(line + hex + 1, "refs/notes/", 11))
			ao_runrefs_add(refs, line + hex + 1, &id);
		free(line);
		if (!is_good)
			return ao_error_new(AO_EINVALID,
					    "its list of notes is broken");
		text += len + (text[len] == '\n');
	}
	return NULL;
}

/* Make the commit the tip of its run. */
static struct ao_error *set_tip(const struct ao_runref **own_out,
				struct ao_runrefs *refs,
				const struct ao_run *run, const char *commit)
{
	char *ref = ao_layout_journal(run->task, run->id);
	struct ao_runref *own = NULL;
	struct ao_error *err;
	git_oid id;

	err = ao_git_id(&id, commit);
	if (!err)
		ao_runrefs_add(refs, ref, &id);
	ao_runrefs_finish(refs);
	for (size_t i = 0; i < refs->run_count && !err; i++)
		if (!strcmp(refs->runs[i].run, run->id) &&
		    !strcmp(refs->runs[i].task, run->task))
			own = &refs->runs[i];
	free(ref);
	if (err)
		return err;
	if (!own)
		return ao_error_new(AO_EINVALID,
				    "its run.json names no possible run");
	/* It was added as one of this clone, which go first. */
	own->tip_count = 1;
	*own_out = own;
	return NULL;
}

struct ao_error *ao_asof_apply(const struct ao_runref **own_out,
			       struct ao_runrefs *refs, struct ao_repo *repo,
			       const char *revision)
{
	struct ao_buf json = AO_BUF_INIT(AO_MAX_TASK_BYTES);
	struct ao_buf tips = AO_BUF_INIT(AO_MAX_TASK_BYTES);
	struct ao_run run = { 0 };
	char commit[AO_ID_SIZE];
	struct ao_error *err;

	err = ao_repo_resolve(commit, repo, revision);
	if (!err)
		err = read_own(&json, repo, commit, AO_RUN_FILE);
	if (!err)
		err = ao_run_read(&run, AO_RUN_FILE, json.ptr, json.len);
	if (!err)
		err = read_own(&tips, repo, commit, AO_TIPS_FILE);
	if (!err)
		err = set_notes(refs, tips.ptr);
	if (!err)
		err = set_tip(own_out, refs, &run, commit);
	if (err)
		err = ao_error_wrap(err, "cannot go back to '%s'", revision);
	ao_run_release(&run);
	ao_buf_release(&json);
	ao_buf_release(&tips);
	return err;
}
