/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "store/git.h"

static enum ao_errcode code_of(int rc)
{
	switch (rc) {
	case GIT_ENOTFOUND:
	case GIT_EUNBORNBRANCH:
		return AO_ENOTFOUND;
	case GIT_EEXISTS:
	case GIT_EMODIFIED:
	case GIT_ELOCKED:
		return AO_ECONFLICT;
	default:
		return AO_EIO;
	}
}

struct ao_error *ao_git_cause_at(const char *file, int line, int rc)
{
	const git_error *last = git_error_last();
	const char *text = last ? last->message : NULL;

	return ao_error_new_at(file, line, code_of(rc), "%s",
			       text ? text : "libgit2 does not say why");
}

/*
 * Formats that change nothing for us.  git has vetted the repository before
 * libgit2 sees it, and ao_repo_open() refuses those that we would misread.
 */
static const char *const extensions[] = {
	"noop",
	"worktreeconfig",
	"partialclone",
	"preciousobjects",
	"relativeworktrees",
};

bool ao_git_tolerates(const char *extension)
{
	for (size_t i = 0; i < AO_ARRAY_SIZE(extensions); i++)
		if (!strcmp(extensions[i], extension))
			return true;
	return false;
}

struct ao_error *ao_git_init(void)
{
	struct ao_error *err;
	int rc = git_libgit2_init();

	if (rc < 0)
		return ao_git_error(rc, "cannot start libgit2");
	rc = git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
	if (!rc)
		rc = git_libgit2_opts(GIT_OPT_ENABLE_FSYNC_GITDIR, 1);
	/* As git reads: zlib's checksum finds a damaged disk, at no cost. */
	if (!rc)
		rc = git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION,
				      0);
	if (!rc)
		rc = git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, extensions,
				      AO_ARRAY_SIZE(extensions));
	if (!rc)
		return NULL;
	err = ao_git_error(rc, "cannot set up libgit2");
	git_libgit2_shutdown();
	return err;
}

void ao_git_hex(char out[AO_ID_SIZE], const git_oid *id)
{
	git_oid_tostr(out, AO_ID_SIZE, id);
}

struct ao_error *ao_git_id(git_oid *out, const char *hex)
{
	git_oid id;

	if (strlen(hex) != GIT_OID_HEXSZ || git_oid_fromstr(&id, hex))
		return ao_error_new(AO_EINVALID, "'%s' is not an object id",
				    hex);
	*out = id;
	return NULL;
}

void ao_git_hash(git_oid *out, const void *data, size_t len, git_object_t type)
{
	/* Fails only for a type that is none. */
	if (git_odb_hash(out, data, len, type))
		abort();
}

struct ao_error *ao_git_read(git_odb_object **out, git_odb *odb,
			     const git_oid *id, git_object_t type)
{
	git_odb_object *object;
	char hex[AO_ID_SIZE];
	int rc = git_odb_read(&object, odb, id);

	ao_git_hex(hex, id);
	if (rc)
		return ao_git_error(rc, "cannot read the %s %s",
				    git_object_type2string(type), hex);
	if (git_odb_object_type(object) != type) {
		git_odb_object_free(object);
		return ao_error_new(AO_EINVALID, "object %s is not a %s", hex,
				    git_object_type2string(type));
	}
	*out = object;
	return NULL;
}

struct ao_error *ao_git_commit_tree(git_oid *tree_out, git_odb *odb,
				    const git_oid *commit)
{
	static const char head[] = "tree ";
	git_odb_object *object;
	struct ao_error *err;
	const char *data;
	size_t len;
	bool is_good;

	err = ao_git_read(&object, odb, commit, GIT_OBJECT_COMMIT);
	if (err)
		return err;
	/* The first line of a commit is "tree", a blank and the id. */
	data = git_odb_object_data(object);
	len = git_odb_object_size(object);
	is_good = len > strlen(head) + GIT_OID_HEXSZ &&
		  !memcmp(data, head, strlen(head)) &&
		  !git_oid_fromstrn(tree_out, data + strlen(head),
				    GIT_OID_HEXSZ);
	git_odb_object_free(object);
	if (!is_good)
		return ao_error_new(AO_EINVALID, "commit %s is broken",
				    git_oid_tostr_s(commit));
	return NULL;
}
