/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <time.h>

#include "store/author.h"
#include "util/buf.h"
#include "util/text.h"

#define FALLBACK_NAME "git accelopt"
#define FALLBACK_MAIL "accelopt@localhost"

/* What may stand in a name: git drops these, and dots and commas around it. */
static bool is_crud(char c)
{
	return (unsigned char)c <= ' ' || strchr(".,:;<>\"\\'", c);
}

/*
 * A name or mail address as git would write it, or NULL if nothing is left.
 * Text that is not UTF-8 is escaped: commits of ours claim no other encoding.
 */
static char *clean_part(const char *text, size_t len)
{
	struct ao_buf out = AO_BUF_INIT(1024);
	struct ao_buf safe = AO_BUF_INIT(1024);

	while (len && is_crud(*text)) {
		text++;
		len--;
	}
	while (len && is_crud(text[len - 1]))
		len--;
	for (size_t i = 0; i < len; i++)
		if (!strchr("<>\n", text[i]))
			ao_buf_add(&out, &text[i], 1);
	ao_text_safe(&safe, out.ptr, out.len);
	ao_buf_release(&out);
	if (safe.len)
		return ao_buf_take(&safe);
	ao_buf_release(&safe);
	return NULL;
}

static char *clean(const char *text)
{
	return text ? clean_part(text, strlen(text)) : NULL;
}

/* The first of these that is set and not only crud; the caller frees it. */
static char *first_of(const struct ao_repo *repo, const char *variable,
		      const char *key, const char *user_key)
{
	const char *sources[] = { getenv(variable), ao_repo_config(repo, key),
				  ao_repo_config(repo, user_key) };
	char *found = NULL;

	for (size_t i = 0; i < AO_ARRAY_SIZE(sources) && !found; i++)
		found = clean(sources[i]);
	return found;
}

static char *identity(const struct ao_repo *repo, const char *who,
		      const char *prefix)
{
	char *name_variable = ao_xstrf("GIT_%s_NAME", who);
	char *mail_variable = ao_xstrf("GIT_%s_EMAIL", who);
	char *name_key = ao_xstrf("%s.name", prefix);
	char *mail_key = ao_xstrf("%s.email", prefix);
	char *name = first_of(repo, name_variable, name_key, "user.name");
	char *mail = first_of(repo, mail_variable, mail_key, "user.email");
	char *both;

	if (!mail)
		mail = clean(getenv("EMAIL"));
	both = ao_xstrf("%s <%s>", name ? name : FALLBACK_NAME,
			mail ? mail : FALLBACK_MAIL);
	free(name_variable);
	free(mail_variable);
	free(name_key);
	free(mail_key);
	free(name);
	free(mail);
	return both;
}

/* "Name <mail>" from accelopt.author, or NULL if it is not set or not that. */
static char *configured_author(const struct ao_repo *repo)
{
	const char *text = ao_repo_config(repo, "accelopt.author");
	const char *open = text ? strchr(text, '<') : NULL;
	char *name, *mail, *both = NULL;

	if (!open)
		return NULL;
	name = clean_part(text, (size_t)(open - text));
	mail = clean(open);
	if (name && mail)
		both = ao_xstrf("%s <%s>", name, mail);
	free(name);
	free(mail);
	return both;
}

struct ao_error *ao_author_check(const struct ao_repo *repo)
{
	const char *text = ao_repo_config(repo, "accelopt.author");
	char *author = configured_author(repo);
	bool is_good = !text || !*text || author;

	free(author);
	if (is_good)
		return NULL;
	return ao_error_new(AO_EINVALID,
			    "config accelopt.author: '%s' is not of the form "
			    "'Name <address>'",
			    text);
}

void ao_author_init(struct ao_author *author, const struct ao_repo *repo)
{
	author->author = configured_author(repo);
	if (!author->author)
		author->author = identity(repo, "AUTHOR", "author");
	author->committer = identity(repo, "COMMITTER", "committer");
}

void ao_author_release(struct ao_author *author)
{
	free(author->author);
	free(author->committer);
	*author = (struct ao_author){ 0 };
}

static void add_person(struct ao_buf *out, const char *role, const char *who,
		       int64_t time_unix_s)
{
	time_t when = (time_t)time_unix_s;
	struct tm local = { 0 };
	long minutes;

	localtime_r(&when, &local);
	minutes = labs(local.tm_gmtoff) / 60;
	ao_buf_addf(out, "%s %s %" PRId64 " %c%02ld%02ld\n", role, who,
		    time_unix_s, local.tm_gmtoff < 0 ? '-' : '+', minutes / 60,
		    minutes % 60);
}

void ao_author_commit(struct ao_buf *out, const struct ao_author *author,
		      const struct ao_commit_spec *spec)
{
	char hex[AO_ID_SIZE];

	ao_git_hex(hex, &spec->tree);
	ao_buf_addf(out, "tree %s\n", hex);
	for (size_t i = 0; i < spec->parent_count; i++) {
		ao_git_hex(hex, &spec->parents[i]);
		ao_buf_addf(out, "parent %s\n", hex);
	}
	add_person(out, "author", author->author, spec->time_unix_s);
	add_person(out, "committer", author->committer, spec->time_unix_s);
	ao_buf_addf(out, "\n%s", spec->message);
}
