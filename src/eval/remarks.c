/* SPDX-License-Identifier: MIT */
/*
 * gcc's -fopt-info-vec-missed is mostly noise, so remarks are clang's.
 */
#include "util/base.h"

#include "eval/build.h"
#include "eval/compile.h"
#include "eval/gate.h"
#include "util/limits.h"
#include "util/text.h"

static void release_remark(struct ao_remark *remark)
{
	free(remark->file);
	free(remark->text);
}

void ao_remarks_release(struct ao_remarks *remarks)
{
	for (size_t i = 0; i < remarks->count; i++)
		release_remark(&remarks->items[i]);
	free(remarks->items);
	*remarks = (struct ao_remarks){ 0 };
}

static int by_place(const void *a, const void *b)
{
	const struct ao_remark *x = a, *y = b;
	int files = strcmp(x->file ? x->file : "", y->file ? y->file : "");

	if (files)
		return files;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return strcmp(x->text, y->text);
}

/* Takes over what the remark holds. */
static void add_remark(struct ao_remarks *remarks, struct ao_remark *remark)
{
	bool is_known = remarks->count == AO_MAX_REMARKS;

	for (size_t i = 0; i < remarks->count && !is_known; i++)
		is_known = !by_place(&remarks->items[i], remark);
	if (is_known) {
		release_remark(remark);
		return;
	}
	remarks->items = ao_xrealloc(
		remarks->items, (remarks->count + 1) * sizeof(*remarks->items));
	remarks->items[remarks->count++] = *remark;
}

/* The file of the kernel that a line of clang begins with, or NULL. */
static const char *find_file(const struct ao_kernel *kernel, const char *line)
{
	if (ao_text_starts_with(line, "./"))
		line += 2;
	for (size_t i = 0; i < kernel->count; i++) {
		const char *path = kernel->files[i].path;

		if (ao_text_starts_with(line, path) &&
		    line[strlen(path)] == ':')
			return path;
	}
	return NULL;
}

/*
 * One line of clang: "kernel.c:12:3: remark: loop not vectorized: ...
 * [-Rpass-analysis=loop-vectorize]"; anything else is passed over.
 */
static void read_line(struct ao_remarks *remarks, const char *line, size_t len,
		      const struct ao_kernel *kernel)
{
	static const char mark[] = ": remark: ";
	const char *text = memmem(line, len, mark, strlen(mark));
	const char *file = text ? find_file(kernel, line) : NULL;
	const char *end = line + len;
	struct ao_remark remark = { 0 };
	const char *option;
	unsigned long number;

	if (!file)
		return;
	number = strtoul(strstr(line, file) + strlen(file) + 1, NULL, 10);
	text += strlen(mark);
	option = memmem(text, (size_t)(end - text), " [-R", 4);
	if (option)
		end = option;
	if (!number || number >= UINT32_MAX)
		return;
	remark.line = (uint32_t)number;
	remark.text = ao_xstrndup(text, (size_t)(end - text));
	if (kernel->count > 1)
		remark.file = ao_xstrdup(file);
	add_remark(remarks, &remark);
}

static void read_log(struct ao_remarks *remarks, const char *log,
		     const struct ao_kernel *kernel)
{
	while (*log) {
		size_t len = strcspn(log, "\n");

		read_line(remarks, log, len, kernel);
		log += len + (log[len] == '\n');
	}
	if (remarks->count)
		qsort(remarks->items, remarks->count, sizeof(*remarks->items),
		      by_place);
}

static void add_args(struct ao_strs *args, const struct ao_flags *flags,
		     const struct ao_kernel *kernel)
{
	for (size_t i = 0; i < flags->words.count; i++)
		ao_strs_push(args, flags->words.v[i]);
	ao_strs_push(args, "-w");
	ao_strs_push(args, "-fno-caret-diagnostics");
	ao_strs_push(args, "-Rpass-missed=loop-vectorize");
	ao_strs_push(args, "-Rpass-analysis=loop-vectorize");
	ao_strs_push(args, "-c");
	for (size_t i = 0; i < kernel->count; i++) {
		if (ao_text_ends_with(kernel->files[i].path, ".c"))
			ao_strs_push(args, kernel->files[i].path);
	}
}

/* Compile with `args`, if there is a clang. */
static struct ao_error *collect(struct ao_remarks *remarks, const char *folder,
				const struct ao_strs *args,
				const struct ao_kernel *kernel,
				uint32_t timeout_ms)
{
	struct ao_compile compile = { .timeout_ms = timeout_ms };
	struct ao_error *err;

	/* One that does not even tell its version is as good as none. */
	err = ao_toolchain_find(&compile.compiler, "clang");
	if (err) {
		ao_error_free(err);
		return NULL;
	}
	err = ao_compile_make_folder(&compile, folder);
	if (!err)
		err = ao_compile_write(&compile, kernel);
	if (!err)
		err = ao_compile_run(&compile, args);
	if (!err && !compile.failure)
		read_log(remarks, compile.log, kernel);
	remarks->cpu_ns = compile.cpu_ns;
	ao_compile_release(&compile);
	return err;
}

struct ao_error *ao_build_remarks(struct ao_remarks *out, const char *folder,
				  const struct ao_task *task,
				  const struct ao_case *c,
				  const struct ao_kernel *kernel,
				  uint32_t timeout_ms)
{
	struct ao_remarks remarks = { 0 };
	struct ao_flags flags = { 0 };
	struct ao_strs args = { 0 };
	struct ao_error *err = NULL;
	char *why = ao_gate_check(&flags, task, kernel);

	if (!why) {
		ao_compile_add_base(&args);
		ao_compile_add_macros(&args, task, c);
		add_args(&args, &flags, kernel);
		err = collect(&remarks, folder, &args, kernel, timeout_ms);
	}
	free(why);
	ao_strs_release(&args);
	ao_flags_release(&flags);
	if (err) {
		ao_remarks_release(&remarks);
		return ao_error_wrap(err, "cannot collect compiler remarks");
	}
	*out = remarks;
	return NULL;
}
