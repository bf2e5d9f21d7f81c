/* SPDX-License-Identifier: MIT */
/*
 * The gate of objects lets pass what the suite's authors and practitioners
 * wrote, and honest kernels of every style, from either compiler.
 */
#include "tap.h"

#include "eval/build.h"
#include "eval/toolchain.h"
#include "eval_task.h"
#include "util/file.h"
#include "util/limits.h"
#include "util/text.h"

static const char suite[] = "nkibench/tasks";
static const char tasks[] = "tests/exploits/tasks";
static const char honest[] = "tests/exploits/honest";

/* What is asked for in front of a kernel; OpenMP, which some need, is gcc's. */
static const char *const flags[] = { "compiler=gcc", "compiler=clang -O2" };
static const char openmp[] = "compiler=gcc -fopenmp";

static char *folder;

/* A text file; "" if it is not there.  The caller frees it. */
static char *read_text(const char *path)
{
	struct ao_buf text = AO_BUF_INIT(AO_MAX_TASK_BYTES);

	ao_error_free(ao_file_read(&text, path));
	return text.ptr ? ao_buf_take(&text) : ao_xstrdup("");
}

static struct ao_task *open_task(const char *under, const char *name)
{
	char *path = ao_xstrf("%s/%s/task.json", under, name);
	char *json = read_text(path);
	struct ao_task *task = NULL;

	must(ao_task_parse(&task, path, json, strlen(json)));
	free(json);
	free(path);
	return task;
}

static bool has_compiler(const char *name)
{
	struct ao_compiler compiler = { 0 };
	bool has = !code_of(ao_toolchain_find(&compiler, name));

	ao_compiler_release(&compiler);
	return has;
}

/* With `asked` in front and a header or NULL, whether it is built and passes.
 */
static bool passes(const struct ao_task *task, struct ao_kernel *kernel,
		   const char *path, const char *asked, const char *header)
{
	char *source = read_text(path);
	char *text = ao_xstrf("/* cflags: %s */\n%s", asked, source);
	struct ao_build build = { 0 };
	bool is;

	/* Flags are read from the first file. */
	ao_kernel_add(kernel, "kernel.c", text, strlen(text));
	if (header)
		ao_kernel_add(kernel, "product.h", header, strlen(header));
	must(ao_build_kernel(&build, folder, task, &task->cases[0], kernel,
			     60000));
	is = *source && build.verdict == AO_VERDICT_PASSED;
	if (!is)
		printf("# %s, %s: %s: %s\n%s\n", path, asked,
		       ao_verdict_name(build.verdict), build.detail,
		       build.log ? build.log : "");
	ao_build_release(&build);
	free(text);
	free(source);
	return is;
}

static bool passes_by_all(const struct ao_task *task, const char *path,
			  uint32_t libraries, const char *header)
{
	char *text = header ? read_text(header) : NULL;
	bool needs_openmp = ao_text_ends_with(path, "-openmp.c");
	bool is = true;

	for (size_t i = 0; i < AO_ARRAY_SIZE(flags); i++) {
		struct ao_kernel kernel = { .libraries = libraries };

		if (strstr(flags[i], "clang") && !has_compiler("clang"))
			continue;
		is = passes(task, &kernel, path,
			    needs_openmp ? openmp : flags[i], text) &&
		     is;
		ao_kernel_release(&kernel);
	}
	free(text);
	return is;
}

static void what_the_suites_authors_wrote_passes(void)
{
	struct ao_strs names = { 0 };

	must(ao_file_list(&names, suite));
	EXPECT(names.count > 10);
	for (size_t i = 0; i < names.count; i++) {
		struct ao_task *task = open_task(suite, names.v[i]);
		char *path = ao_xstrf("%s/%s/kernel.c", suite, names.v[i]);

		EXPECT(passes_by_all(task, path, 0, NULL));
		free(path);
		ao_task_free(task);
	}
	ao_strs_release(&names);
}

static void what_practitioners_wrote_passes(void)
{
	struct ao_strs names = { 0 };

	must(ao_file_list(&names, suite));
	for (size_t i = 0; i < names.count; i++) {
		struct ao_task *task = open_task(suite, names.v[i]);
		struct ao_kernel needs = {
			.libraries = task->practitioner_libraries
		};
		char *path = ao_xstrf("%s/%s/%s", suite, names.v[i],
				      task->practitioner_file);
		struct ao_strs found = { 0 };

		if (code_of(ao_build_find_libraries(&found, &needs)))
			printf("# %s: its library is not here\n", path);
		else
			EXPECT(passes_by_all(task, path, needs.libraries,
					     NULL));
		ao_strs_release(&found);
		free(path);
		ao_task_free(task);
	}
	ao_strs_release(&names);
}

/* Of a line " * task: NAME", else "product". */
static struct ao_task *task_of(const char *text)
{
	static const char mark[] = " * task: ";
	const char *line = strstr(text, mark);
	const char *name = line ? line + strlen(mark) : "product";
	char *copy = ao_xstrndup(name, strcspn(name, "\n"));
	struct ao_task *task = open_task(tasks, copy);

	free(copy);
	return task;
}

static void honest_kernels_of_every_style_pass(void)
{
	struct ao_strs names = { 0 };

	must(ao_file_list(&names, honest));
	EXPECT(names.count > 10);
	for (size_t i = 0; i < names.count; i++) {
		char *path = ao_xstrf("%s/%s", honest, names.v[i]);
		char *text = read_text(path);
		struct ao_task *task = task_of(text);

		EXPECT(passes_by_all(task, path, 0,
				     "tests/exploits/tasks/product/product.h"));
		ao_task_free(task);
		free(text);
		free(path);
	}
	ao_strs_release(&names);
}

int main(void)
{
	must(ao_file_temp_folder(&folder));
	RUN(what_the_suites_authors_wrote_passes);
	RUN(what_practitioners_wrote_passes);
	RUN(honest_kernels_of_every_style_pass);
	ao_file_remove_tree(folder);
	free(folder);
	return tap_done();
}
