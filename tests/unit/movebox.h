/* SPDX-License-Identifier: MIT */
/*
 * movebox.h - what a rewritten kernel computes, against what it computed.
 *
 * The kernel before and after a move are compiled into one program, with axes
 * that are variables, and run side by side for several sizes, odd ones and
 * tiny ones among them.  Each array ends at a page that may not be touched.
 * Include after tap.h.
 */
#ifndef AO_TESTS_MOVEBOX_H
#define AO_TESTS_MOVEBOX_H

#include "rewrite/catalogue.h"
#include "util/error.h"
#include "util/file.h"
#include "util/limits.h"
#include "util/process.h"

/* The axes M, N and K, as the catalogue is told of them. */
static const char *const box_names[] = { "M", "N", "K" };
static const int64_t box_values[] = { 2048, 2048, 2048 };

static const struct ao_rewrite_context box_context = {
	.entry = "kernel",
	.axis_names = box_names,
	.axis_values = box_values,
	.axis_count = 3,
	.vector_bytes = 32,
};

/* The text after a move, or NULL if it does not apply; the caller frees it. */
static inline char *box_apply(const char *source, const char *move,
			      const char *params)
{
	struct ao_buf out = AO_BUF_INIT(AO_MAX_KERNEL_BYTES);

	if (!ao_catalogue_apply(&out, source, strlen(source), &box_context,
				move, params)) {
		ao_buf_release(&out);
		return NULL;
	}
	return ao_buf_take(&out);
}

/* Apply one more move to a text, which is freed. */
static inline char *box_apply_next(char *source, const char *move,
				   const char *params)
{
	char *next = source ? box_apply(source, move, params) : NULL;

	free(source);
	return next;
}

/* Whether the catalogue offers a move, with these parameters if not NULL. */
static inline bool box_offers(const char *source, const char *move,
			      const char *params)
{
	struct ao_proposal *proposals;
	size_t count;
	bool found = false;

	ao_catalogue_propose(&proposals, &count, source, strlen(source),
			     &box_context, false);
	for (size_t i = 0; i < count; i++)
		found |= !strcmp(proposals[i].move, move) &&
			 (!params || !strcmp(proposals[i].params, params));
	ao_proposals_free(proposals, count);
	return found;
}

static const char box_head[] =
	"#define _GNU_SOURCE\n"
	"#include <math.h>\n"
	"#include <stdint.h>\n"
	"#include <stdio.h>\n"
	"#include <stdlib.h>\n"
	"#include <string.h>\n"
	"#include <sys/mman.h>\n"
	"static int M, N, K;\n"
	"#define kernel kernel_before\n"
	"#include \"before.c\"\n"
	"#undef kernel\n"
	"#define kernel kernel_after\n"
	"#include \"after.c\"\n"
	"#undef kernel\n"
	"static void *make(size_t count, int kind, int at_start, unsigned seed)\n"
	"{\n"
	"\tsize_t pages = (count * 4 + 4095) / 4096 * 4096;\n"
	"\tchar *p = mmap(0, pages + 8192, PROT_READ | PROT_WRITE,\n"
	"\t\tMAP_PRIVATE | MAP_ANONYMOUS, -1, 0);\n"
	"\tfloat *x;\n"
	"\tif (p == MAP_FAILED || mprotect(p, 4096, PROT_NONE) ||\n"
	"\t    mprotect(p + 4096 + pages, 4096, PROT_NONE))\n"
	"\t\texit(3);\n"
	"\tx = (float *)(p + 4096 + (at_start ? 0 : pages - count * 4));\n"
	"\tfor (size_t i = 0; i < count; i++) {\n"
	"\t\tseed = seed * 1664525u + 1013904223u;\n"
	"\t\tx[i] = kind == 'o' ? NAN : (int)(seed >> 8) * 0x1p-23f - 1.0f;\n"
	"\t}\n"
	"\treturn x;\n"
	"}\n"
	"static int differ(const float *a, const float *b, size_t count)\n"
	"{\n"
	"\tdouble d = 0, s = 0;\n"
	"\tfor (size_t i = 0; i < count; i++) {\n"
	"\t\td += ((double)a[i] - b[i]) * ((double)a[i] - b[i]);\n"
	"\t\ts += (double)a[i] * a[i];\n"
	"\t}\n"
	"\tif (!(sqrt(d) <= 1e-5 * sqrt(s)))\n"
	"\t\tprintf(\"M=%d N=%d K=%d: error %g\\n\", M, N, K, sqrt(d / s));\n"
	"\treturn !(sqrt(d) <= 1e-5 * sqrt(s));\n"
	"}\n"
	"int main(void)\n"
	"{\n"
	"\tstatic const int sizes[][3] = {\n"
	"\t\t{ 1, 1, 1 }, { 1, 40, 3 }, { 6, 16, 8 }, { 7, 17, 9 },\n"
	"\t\t{ 13, 61, 70 }, { 64, 64, 64 }, { 131, 67, 33 },\n"
	"\t};\n"
	"\tint failed = 0;\n"
	"\tfor (int at = 0; at < 2 * (int)(sizeof(sizes) / sizeof(sizes[0]));\n"
	"\t     at++) {\n"
	"\t\tM = sizes[at / 2][0];\n"
	"\t\tN = sizes[at / 2][1];\n"
	"\t\tK = sizes[at / 2][2];\n";

/*
 * The program's text.  `arrays` names each parameter by kind and size, as in
 * "i:M*K i:K*N o:M*N"; kind u is read and written.
 */
static inline char *box_driver(const char *arrays)
{
	struct ao_buf out = AO_BUF_INIT(64 << 10);
	struct ao_strs words = { 0 };

	ao_strs_split(&words, arrays);
	ao_buf_addstr(&out, box_head);
	for (size_t i = 0; i < words.count; i++)
		ao_buf_addf(
			&out,
			"\t\tvoid *a%zu = make((size_t)(%s), '%c', at %% 2, "
			"%zu);\n"
			"\t\tvoid *b%zu = '%c' == 'i' ? a%zu : "
			"make((size_t)(%s), '%c', at %% 2, %zu);\n",
			i, words.v[i] + 2, words.v[i][0], i + 1, i,
			words.v[i][0], i, words.v[i] + 2, words.v[i][0], i + 1);
	for (int side = 0; side < 2; side++) {
		ao_buf_addf(&out, "\t\tkernel_%s(", side ? "after" : "before");
		for (size_t i = 0; i < words.count; i++)
			ao_buf_addf(&out, "%s%c%zu", i ? ", " : "",
				    side ? 'b' : 'a', i);
		ao_buf_addstr(&out, ");\n");
	}
	for (size_t i = 0; i < words.count; i++)
		ao_buf_addf(&out,
			    "\t\tfailed |= differ(a%zu, b%zu, (size_t)(%s));\n",
			    i, i, words.v[i] + 2);
	ao_buf_addstr(&out, "\t}\n\treturn failed;\n}\n");
	ao_strs_release(&words);
	return ao_buf_take(&out);
}

static inline void box_must(struct ao_error *err)
{
	if (!err)
		return;
	ao_error_print(stdout, err, true);
	exit(1);
}

static inline void box_write(const char *folder, const char *name,
			     const char *text)
{
	char *path = ao_xstrf("%s/%s", folder, name);

	box_must(ao_file_write(path, text, strlen(text)));
	free(path);
}

/* Run a program; shows what it says if it fails. */
static inline bool box_run(const char *folder, const char *const *argv)
{
	struct ao_process_spec spec = { .argv = argv,
					.folder = folder,
					.timeout_ms = 120000,
					.max_output = 8 << 10,
					.merge = true };
	struct ao_process_end end = { 0 };
	bool passed;

	box_must(ao_process_run(&end, &spec));
	passed = end.status == 0;
	if (!passed)
		printf("# %s: status %d, signal %d\n# %s\n", argv[0],
		       end.status, end.signal, end.output);
	ao_process_end_release(&end);
	return passed;
}

/*
 * Whether both kernels compute the same, compiled by `compiler` without a
 * warning.
 */
static inline bool box_is_same(const char *compiler, const char *before,
			       const char *after, const char *arrays)
{
	const char *const compile[] = {
		compiler,     "-O2",	  "-march=native", "-fopenmp-simd",
		"-std=gnu11", "-Wall",	  "-Werror",	   "-o",
		"both",	      "driver.c", "-lm",	   NULL,
	};
	const char *const run[] = { "./both", NULL };
	char *driver, *folder;
	bool same;

	if (!after)
		return false;
	box_must(ao_file_temp_folder(&folder));
	driver = box_driver(arrays);
	box_write(folder, "before.c", before);
	box_write(folder, "after.c", after);
	box_write(folder, "driver.c", driver);
	same = box_run(folder, compile) && box_run(folder, run);
	ao_file_remove_tree(folder);
	free(driver);
	free(folder);
	return same;
}

static inline bool box_has(const char *program)
{
	const char *const argv[] = { program, "--version", NULL };
	struct ao_process_spec spec = { .argv = argv, .max_output = 1 << 10 };
	struct ao_process_end end = { 0 };
	struct ao_error *err = ao_process_run(&end, &spec);
	bool is_there = !err;

	ao_error_free(err);
	ao_process_end_release(&end);
	return is_there;
}

/* The same with gcc and with clang, as far as they are installed; one is. */
static inline bool box_both_same(const char *before, const char *after,
				 const char *arrays)
{
	bool gcc = box_has("gcc");
	bool clang = box_has("clang");

	return (gcc || clang) &&
	       (!gcc || box_is_same("gcc", before, after, arrays)) &&
	       (!clang || box_is_same("clang", before, after, arrays));
}

/* Check one move on one kernel: it is offered, applies, and works. */
static inline void box_check(const char *source, const char *move,
			     const char *params, const char *arrays)
{
	char *after = box_apply(source, move, params);

	EXPECT(box_offers(source, move, NULL));
	EXPECT(after && box_both_same(source, after, arrays));
	free(after);
}

#endif
