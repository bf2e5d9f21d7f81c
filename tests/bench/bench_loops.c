/* SPDX-License-Identifier: MIT */
/*
 * bench_loops.c - how much of real C code the rewriter understands.
 *
 * For each folder named, of all .c files below it:
 *
 *   files      which come back byte for byte from tokens and tree, or else
 *   for        the word `for` in code, wherever it stands: in a function, in
 *              the arguments of a macro, in what is not understood at all
 *   canonical  those that count: see rewrite/forhead.h
 *   early      of these, how many their body may leave early
 *   CPU        to read, parse and print it
 *
 * With BENCH_LIST=1 it shows each `for` that is not canonical, whether it is
 * seen as a loop or not.  Without
 * arguments it is about this project's own C and its suite's.
 */
#include "tap.h"

#include "rewrite/forhead.h"
#include "util/clock.h"
#include "util/error.h"
#include "util/file.h"
#include "util/limits.h"
#include "util/strs.h"
#include "util/text.h"

#include <sys/stat.h>

enum { MAX_DEPTH = 12 }; /* of folders */

struct counts {
	size_t files;
	size_t changed; /* files that came back otherwise */
	size_t bytes;
	size_t loops;
	size_t canonical;
	size_t early;
	double cpu_s;
};

static void say_line(const char *why, const struct ao_tokens *tokens,
		     const char *path, uint32_t i)
{
	size_t at = ao_token(tokens, i).at;
	const char *text = tokens->text + at;
	const char *end = memchr(text, '\n', tokens->len - at);
	size_t len = end ? (size_t)(end - text) : tokens->len - at;

	printf("%s %s:%" PRIu32 ": %.*s\n", why, path,
	       ao_tokens_line(tokens, at), (int)len, text);
}

static bool has_jump(const struct ao_tokens *tokens, struct ao_span span)
{
	return ao_span_has(tokens, span, "break") ||
	       ao_span_has(tokens, span, "return") ||
	       ao_span_has(tokens, span, "goto");
}

/* Go through the words `for` and the tree's loops, which are in one order. */
static void count_loops(struct counts *c, const struct ao_tokens *tokens,
			const struct ao_node *file, const char *path)
{
	const struct ao_node *n = file;

	for (uint32_t i = 0; i < tokens->code_count; i++) {
		struct ao_for loop;
		bool is_seen;

		if (!ao_token_is(tokens, i, "for"))
			continue;
		c->loops++;
		while (n && (n->kind != AO_NODE_FOR || n->span.first < i))
			n = ao_node_next(n);
		is_seen = n && n->span.first == i;
		if (is_seen && ao_for_read(&loop, tokens, n)) {
			c->canonical++;
			c->early += has_jump(tokens, n->span);
		} else if (getenv("BENCH_LIST")) {
			say_line(is_seen ? "other" : "unseen", tokens, path, i);
		}
	}
}

static void measure_text(struct counts *c, const struct ao_buf *text,
			 const char *path)
{
	struct ao_buf printed = AO_BUF_INIT(AO_MAX_SOURCE_BYTES);
	uint64_t start_ns = ao_clock_cpu_ns();
	struct ao_tokens tokens;
	struct ao_pool pool = { 0 };
	const struct ao_node *file;

	ao_tokens_read(&tokens, text->ptr, text->len);
	file = ao_syntax_parse(&pool, &tokens);
	ao_syntax_print(&printed, &tokens, file);
	c->cpu_s += (double)(ao_clock_cpu_ns() - start_ns) / 1e9;
	c->files++;
	c->bytes += text->len;
	c->changed += printed.len != text->len ||
		      memcmp(printed.ptr, text->ptr, text->len) != 0;
	count_loops(c, &tokens, file, path);
	ao_pool_release(&pool);
	ao_tokens_release(&tokens);
	ao_buf_release(&printed);
}

static void measure_file(struct counts *c, const char *path)
{
	struct ao_buf text = AO_BUF_INIT(AO_MAX_SOURCE_BYTES);
	struct ao_error *err = ao_file_read(&text, path);

	if (err)
		ao_error_print(stderr, err, false);
	else if (text.len)
		measure_text(c, &text, path);
	ao_error_free(err);
	ao_buf_release(&text);
}

static void measure_folder(struct counts *c, const char *folder, unsigned depth)
{
	struct ao_strs names = { 0 };
	struct ao_error *err = ao_file_list(&names, folder);

	ao_error_free(err);
	for (size_t i = 0; i < names.count; i++) {
		char *path = ao_xstrf("%s/%s", folder, names.v[i]);
		struct stat st;

		if (lstat(path, &st)) {
			free(path);
			continue;
		}
		if (S_ISDIR(st.st_mode) && depth)
			measure_folder(c, path, depth - 1);
		else if (S_ISREG(st.st_mode) &&
			 ao_text_ends_with(names.v[i], ".c"))
			measure_file(c, path);
		free(path);
	}
	ao_strs_release(&names);
}

static void print_counts(const char *name, const struct counts *c)
{
	double megabytes = (double)c->bytes / (1 << 20);

	printf("%-12s %6zu %6zu %7.2f %7zu %9zu %6.1f %% %6zu %8.1f\n", name,
	       c->files, c->files - c->changed, megabytes, c->loops,
	       c->canonical,
	       c->loops ? 100.0 * (double)c->canonical / (double)c->loops : 0,
	       c->early, megabytes > 0 ? 1e3 * c->cpu_s / megabytes : 0);
}

static void add_counts(struct counts *all, const struct counts *c)
{
	all->files += c->files;
	all->changed += c->changed;
	all->bytes += c->bytes;
	all->loops += c->loops;
	all->canonical += c->canonical;
	all->early += c->early;
	all->cpu_s += c->cpu_s;
}

int main(int argc, char **argv)
{
	static char src[] = "src", tasks[] = "nkibench/tasks";
	static char *ours[] = { NULL, src, tasks };
	struct counts all = { 0 };

	if (argc < 2) {
		argc = AO_ARRAY_SIZE(ours);
		argv = ours;
	}
	printf("%-12s %6s %6s %7s %7s %9s %8s %6s %8s\n", "program", "files",
	       "same", "MB", "for", "canonical", "", "early", "ms/MB");
	for (int i = 1; i < argc; i++) {
		struct counts c = { 0 };
		const char *slash = strrchr(argv[i], '/');

		measure_folder(&c, argv[i], MAX_DEPTH);
		print_counts(slash ? slash + 1 : argv[i], &c);
		add_counts(&all, &c);
	}
	print_counts("all", &all);
	return all.changed || !all.files;
}
