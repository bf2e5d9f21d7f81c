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

void ao_remarks_release(struct ao_remarks *remarks)
{
	for (size_t i = 0; i < remarks->count; i++)
		free(remarks->items[i].text);
	free(remarks->items);
	*remarks = (struct ao_remarks){ 0 };
}

static bool is_known(const struct ao_remarks *remarks, uint32_t line,
		     const char *text)
{
	for (size_t i = 0; i < remarks->count; i++) {
		if (remarks->items[i].line == line &&
		    !strcmp(remarks->items[i].text, text))
			return true;
	}
	return false;
}

static void add_remark(struct ao_remarks *remarks, uint32_t line,
		       const char *text, size_t len)
{
	char *copy = ao_xstrndup(text, len);

	if (remarks->count == AO_MAX_REMARKS || is_known(remarks, line, copy)) {
		free(copy);
		return;
	}
	remarks->items = ao_xrealloc(
		remarks->items, (remarks->count + 1) * sizeof(*remarks->items));
	remarks->items[remarks->count++] = (struct ao_remark){ line, copy };
}

/*
 * One line of clang: "kernel.c:12:3: remark: loop not vectorized: ...
 * [-Rpass-analysis=loop-vectorize]"; anything else is passed over.
 */
static void read_line(struct ao_remarks *remarks, const char *line, size_t len)
{
	static const char mark[] = ": remark: ";
	const char *text = memmem(line, len, mark, strlen(mark));
	const char *colon = memchr(line, ':', len);
	const char *end = line + len;
	const char *option;
	unsigned long number;

	if (!text || colon == text)
		return;
	number = strtoul(colon + 1, NULL, 10);
	text += strlen(mark);
	option = memmem(text, (size_t)(end - text), " [-R", 4);
	if (option)
		end = option;
	if (number && number < UINT32_MAX)
		add_remark(remarks, (uint32_t)number, text,
			   (size_t)(end - text));
}

static int by_line(const void *a, const void *b)
{
	const struct ao_remark *x = a, *y = b;

	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return strcmp(x->text, y->text);
}

static void read_log(struct ao_remarks *remarks, const char *log)
{
	while (*log) {
		size_t len = strcspn(log, "\n");

		read_line(remarks, log, len);
		log += len + (log[len] == '\n');
	}
	if (remarks->count)
		qsort(remarks->items, remarks->count, sizeof(*remarks->items),
		      by_line);
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

	err = ao_toolchain_find(&compile.compiler, "clang");
	if (ao_error_code(err) == AO_ENOTFOUND) {
		ao_error_free(err);
		return NULL;
	}
	if (!err)
		err = ao_compile_make_folder(&compile, folder);
	if (!err)
		err = ao_compile_write(&compile, kernel);
	if (!err)
		err = ao_compile_run(&compile, args);
	if (!err && !compile.failure)
		read_log(remarks, compile.log);
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
