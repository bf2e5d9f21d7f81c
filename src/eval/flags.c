/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "eval/flags.h"
#include "eval/scan.h"
#include "util/text.h"

/* A flag, or, with `values`, what it starts with. */
struct rule {
	const char *flag;
	/*
	 * Characters that may follow, besides letters and digits; NULL: none
	 * may.  No comma, so that no flag becomes two; no slash, so that none
	 * names a file.
	 */
	const char *values;
};

static const struct rule allowed[] = {
	{ "-O0", NULL },
	{ "-O1", NULL },
	{ "-O2", NULL },
	{ "-O3", NULL },
	{ "-march=", "-_.+" },
	{ "-mtune=", "-_.+" },
	{ "-mprefer-vector-width=", "" },
	{ "-fopenmp-simd", NULL },
	{ "-funroll-loops", NULL },
	{ "-ftree-", "-_=" },
	{ "-fno-", "-_=" },
};

/* Only where threads are, though one is on the list by its beginning. */
static const struct rule threads[] = {
	{ "-fopenmp", NULL },
	{ "-pthread", NULL },
	{ "-ftree-parallelize-loops", "=" },
};

/* Those of them that need a library. */
static const struct rule openmp[] = {
	{ "-fopenmp", NULL },
	{ "-ftree-parallelize-loops", "=" },
};

static bool matches(const struct rule *rule, const char *flag)
{
	const char *rest;

	if (!ao_text_starts_with(flag, rule->flag))
		return false;
	rest = flag + strlen(rule->flag);
	if (!rule->values)
		return !*rest;
	for (; *rest; rest++) {
		bool is_alnum = (*rest >= 'a' && *rest <= 'z') ||
				(*rest >= 'A' && *rest <= 'Z') ||
				(*rest >= '0' && *rest <= '9');

		if (!is_alnum && !strchr(rule->values, *rest))
			return false;
	}
	return true;
}

static bool matches_any(const struct rule *rules, size_t count,
			const char *flag)
{
	for (size_t i = 0; i < count; i++) {
		if (matches(&rules[i], flag))
			return true;
	}
	return false;
}

char *ao_flags_check(const char *flag, bool allows_threads)
{
	struct ao_buf why = AO_BUF_INIT(512);

	if (matches_any(threads, AO_ARRAY_SIZE(threads), flag))
		return allows_threads
			       ? NULL
			       : ao_xstrf(
					 "flag '%s' is for tasks that allow threads",
					 flag);
	if (matches_any(allowed, AO_ARRAY_SIZE(allowed), flag))
		return NULL;
	ao_buf_addstr(&why, "flag '");
	ao_text_safe_line(&why, flag, strnlen(flag, 60));
	ao_buf_addstr(&why, "' is not allowed");
	return ao_buf_take(&why);
}

/* Take over one word; `before` is the word before it, or "". */
static char *take_word(struct ao_flags *flags, const char *before,
		       const char *word, bool allows_threads)
{
	char *why;

	/* The one option for the optimiser of clang that may be asked for. */
	if (!strcmp(before, "-mllvm")) {
		if (strcmp(word, "-polly") != 0)
			return ao_xstrf("flag '-mllvm' is only allowed with "
					"'-polly'");
		ao_strs_push(&flags->words, before);
		ao_strs_push(&flags->words, word);
		return NULL;
	}
	if (!strcmp(word, "-mllvm"))
		return NULL;
	if (!strcmp(word, "compiler=gcc")) {
		flags->compiler = AO_FLAGS_GCC;
		return NULL;
	}
	if (!strcmp(word, "compiler=clang")) {
		flags->compiler = AO_FLAGS_CLANG;
		return NULL;
	}
	why = ao_flags_check(word, allows_threads);
	if (!why)
		ao_strs_push(&flags->words, word);
	return why;
}

static char *take_words(struct ao_flags *flags, const struct ao_strs *words,
			bool allows_threads)
{
	const char *before = "";

	for (size_t i = 0; i < words->count; i++) {
		char *why = take_word(flags, before, words->v[i],
				      allows_threads);

		if (why)
			return why;
		before = words->v[i];
	}
	if (!strcmp(before, "-mllvm"))
		return ao_xstrf("flag '-mllvm' has no value");
	return NULL;
}

/* The flags of one comment; several lines of flags add up. */
static char *take_comment(struct ao_flags *flags, const char *comment,
			  size_t len, bool allows_threads)
{
	static const char mark[] = "cflags:";
	const char *end = comment + len;
	char *why = NULL;

	if (len >= 4 && !memcmp(end - 2, "*/", 2) && comment[1] == '*')
		end -= 2;
	while (!why) {
		const char *line = memmem(comment, (size_t)(end - comment),
					  mark, sizeof(mark) - 1);
		const char *newline;
		struct ao_strs words = { 0 };
		char *text;

		if (!line)
			break;
		line += sizeof(mark) - 1;
		newline = memchr(line, '\n', (size_t)(end - line));
		comment = newline ? newline : end;
		text = ao_xstrndup(line, (size_t)(comment - line));
		ao_strs_split(&words, text);
		why = take_words(flags, &words, allows_threads);
		ao_strs_release(&words);
		free(text);
	}
	return why;
}

char *ao_flags_read(struct ao_flags *out, const char *source, size_t len,
		    bool allows_threads)
{
	struct ao_flags flags = { 0 };
	struct ao_scan scan;
	bool seen = false;
	char *why = NULL;

	ao_scan_init(&scan, source, len);
	while (!why) {
		struct ao_scan_token token = ao_scan_next(&scan);

		if (token.kind == AO_SCAN_COMMENT) {
			why = take_comment(&flags, token.ptr, token.len,
					   allows_threads);
			seen = true;
			continue;
		}
		if (token.kind == AO_SCAN_END)
			break;
		if (token.kind != AO_SCAN_NEWLINE && seen)
			break;
	}
	ao_scan_release(&scan);
	if (why) {
		ao_flags_release(&flags);
		return why;
	}
	*out = flags;
	return NULL;
}

bool ao_flags_want_openmp(const struct ao_flags *flags)
{
	for (size_t i = 0; i < flags->words.count; i++)
		if (matches_any(openmp, AO_ARRAY_SIZE(openmp),
				flags->words.v[i]))
			return true;
	return false;
}

void ao_flags_release(struct ao_flags *flags)
{
	ao_strs_release(&flags->words);
	*flags = (struct ao_flags){ 0 };
}
