/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <sys/statvfs.h>

#include "eval/build.h"
#include "eval/cachegrind.h"
#include "eval/cage.h"
#include "eval/compile.h"
#include "eval/dataset.h"
#include "eval/toolchain.h"
#include "util/file.h"
#include "util/limits.h"
#include "util/text.h"

/* It takes some fifty times as long as the processor. */
enum { RUN_TIMEOUT_MS = 300000, MAX_REPORT_BYTES = 16 << 20 };

/* Inputs are the same whoever asks, so that counts can be compared. */
static const uint64_t input_seed = 1;
static const uint64_t max_input_bytes = UINT64_C(512) << 20;

/* Files beside those of the kernel, which are called something else. */
static const char inputs_name[] = "cachegrind.inputs";
static const char source_name[] = "cachegrind.main.c";
static const char program_name[] = "cachegrind.main";
static const char report_name[] = "cachegrind.out";

void ao_cachegrind_add_args(struct ao_strs *args)
{
	/* Caches as here would make counts differ from machine to machine. */
	ao_strs_push(args, "--tool=cachegrind");
	ao_strs_push(args, "--cache-sim=yes");
	ao_strs_push(args, "--branch-sim=no");
	ao_strs_push(args, "--I1=32768,8,64");
	ao_strs_push(args, "--D1=32768,8,64");
	ao_strs_push(args, "--LL=8388608,16,64");
	ao_strs_pushf(args, "--cachegrind-out-file=%s", report_name);
	ao_strs_push(args, "--vgdb=no");
	ao_strs_push(args, "-q");
}

/* Behind the label of the last line that begins with it, or NULL. */
static const char *last_line(const char *text, const char *label)
{
	const char *found = NULL;

	while (*text) {
		if (ao_text_starts_with(text, label))
			found = text + strlen(label);
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	return found;
}

/* Add an event to what it counts; returns whether it is one that is wanted. */
static bool add_event(struct ao_counts *out, const char *name, size_t len,
		      double value)
{
	const struct {
		const char *name;
		double *to;
	} events[] = {
		{ "Ir", &out->instructions },	{ "Dr", &out->reads },
		{ "Dw", &out->writes },		{ "D1mr", &out->first_misses },
		{ "D1mw", &out->first_misses }, { "DLmr", &out->last_misses },
		{ "DLmw", &out->last_misses },
	};

	for (size_t i = 0; i < AO_ARRAY_SIZE(events); i++) {
		if (strlen(events[i].name) != len ||
		    memcmp(events[i].name, name, len) != 0)
			continue;
		*events[i].to += value;
		return true;
	}
	return false;
}

bool ao_cachegrind_read(struct ao_counts *out, const char *text, size_t len)
{
	char *copy = ao_xstrndup(text, len);
	const char *names = last_line(copy, "events: ");
	const char *values = last_line(copy, "summary: ");
	struct ao_counts counts = { 0 };
	unsigned known = 0;

	while (names && values && values[strspn(values, " ")] != '\n') {
		size_t name_len;
		double value;
		char *end;

		names += strspn(names, " ");
		name_len = strcspn(names, " \n");
		value = strtod(values, &end);
		if (!name_len || end == values || !(value >= 0 && value < 1e15))
			break;
		known += add_event(&counts, names, name_len, value);
		names += name_len;
		values = end;
	}
	free(copy);
	if (known != 7)
		return false;
	*out = counts;
	return true;
}

/* A program that reads the inputs, and calls the kernel if it has arguments. */
static void write_source(struct ao_buf *out, const struct ao_dataset *dataset)
{
	const struct ao_task *task = dataset->task;
	size_t count = task->input_count + task->output_count;
	const char *between = "";

	ao_buf_addf(out,
		    "#include <stdio.h>\n"
		    "#include <stdlib.h>\n"
		    "void %s();\n"
		    "int main(int argc, char **argv)\n"
		    "{\n"
		    "FILE *file = fopen(\"%s\", \"rb\");\n"
		    "void *t[%zu];\n"
		    "if (!file) return 1;\n",
		    task->entry, inputs_name, count + 1);
	for (size_t i = 0; i < count; i++) {
		bool is_input = i < task->input_count;
		const struct ao_tensor *tensor =
			is_input ? &task->inputs[i]
				 : &task->outputs[i - task->input_count];
		size_t bytes = ao_tensor_elements(tensor, dataset->c) *
			       ao_dtype_size(tensor->dtype);

		ao_buf_addf(out,
			    "t[%zu] = aligned_alloc(4096, %zu);\n"
			    "if (!t[%zu]) return 1;\n",
			    i, (bytes + 4095) / 4096 * 4096, i);
		if (is_input)
			ao_buf_addf(out,
				    "if (fread(t[%zu], %zu, 1, file) != 1)"
				    " return 1;\n",
				    i, bytes);
	}
	ao_buf_addf(out, "(void)argv;\nif (argc > 1) %s(", task->entry);
	for (size_t i = 0; task->is_generic && i < task->axis_count; i++) {
		ao_buf_addf(out, "%s(size_t)%" PRId64, between,
			    dataset->c->extents[i]);
		between = ", ";
	}
	for (size_t i = 0; i < count; i++) {
		ao_buf_addf(out, "%st[%zu]", between, i);
		between = ", ";
	}
	ao_buf_addstr(out, ");\nreturn 0;\n}\n");
}

/* The operands as the program reads them. */
static struct ao_error *write_inputs(const char *folder,
				     const struct ao_dataset *dataset)
{
	const struct ao_task *task = dataset->task;
	struct ao_buf bytes = AO_BUF_INIT((size_t)max_input_bytes);
	char *path = ao_xstrf("%s/%s", folder, inputs_name);
	struct ao_error *err;

	for (size_t i = 0; i < task->input_count; i++)
		ao_buf_add(&bytes, dataset->inputs[i],
			   ao_tensor_elements(&task->inputs[i], dataset->c) *
				   ao_dtype_size(task->inputs[i].dtype));
	err = ao_buf_check(&bytes, "inputs of a case under cachegrind");
	if (!err)
		err = ao_toolchain_write(path, bytes.ptr, bytes.len);
	free(path);
	ao_buf_release(&bytes);
	return err;
}

/* The program around the object that lies in the compilation's folder. */
static struct ao_error *build_program(struct ao_compile *compile,
				      const struct ao_dataset *dataset)
{
	struct ao_buf source = AO_BUF_INIT(AO_MAX_KERNEL_BYTES);
	char *path = ao_xstrf("%s/%s", compile->folder, source_name);
	struct ao_strs args = { 0 };
	struct ao_error *err;

	write_source(&source, dataset);
	err = ao_buf_check(&source, "program around a kernel");
	if (!err)
		err = ao_toolchain_write(path, source.ptr, source.len);
	if (!err) {
		ao_strs_push(&args, "-O1");
		ao_strs_push(&args, "-w");
		ao_strs_push(&args, source_name);
		ao_strs_push(&args, "kernel.so");
		ao_strs_push(&args, "-Wl,-rpath,$ORIGIN");
		ao_strs_push(&args, "-o");
		ao_strs_push(&args, program_name);
		err = ao_compile_run(compile, &args);
	}
	ao_strs_release(&args);
	free(path);
	ao_buf_release(&source);
	return err;
}

static bool runs_no_programs(const char *folder)
{
	struct statvfs stat;

	return !statvfs(folder, &stat) && stat.f_flag & ST_NOEXEC;
}

/* What is wrong with a run, in words; the caller frees it.  NULL: nothing. */
static char *explain(const struct ao_process_end *end, const char *folder,
		     bool has_call)
{
	if ((end->signal || end->status) && runs_no_programs(folder))
		return ao_xstrdup("the folder for temporary files is mounted "
				  "noexec; name another by TMPDIR");
	if (end->timed_out)
		return ao_xstrf("cachegrind took longer than %d s",
				RUN_TIMEOUT_MS / 1000);
	if (end->signal || end->status)
		return ao_xstrdup(has_call ? "the kernel does not run under "
					     "cachegrind"
					   : "valgrind fails");
	return NULL;
}

/* Fill in what valgrind, the tool, leaves in the folder, or what is missing. */
static struct ao_error *run_tool(struct ao_counts *out,
				 const struct ao_compiler *tool,
				 const struct ao_strs *args, const char *folder,
				 bool has_call)
{
	struct ao_buf report = AO_BUF_INIT(MAX_REPORT_BYTES);
	char *path = ao_xstrf("%s/%s", folder, report_name);
	struct ao_process_end end = { 0 };
	struct ao_error *err;

	err = ao_toolchain_run(&end, tool, args, folder, RUN_TIMEOUT_MS);
	if (!err)
		out->missing = explain(&end, folder, has_call);
	if (!err && !out->missing && ao_file_exists(path))
		err = ao_file_read(&report, path);
	if (!err && !out->missing &&
	    !ao_cachegrind_read(out, report.ptr, report.len))
		out->missing = ao_xstrdup("cachegrind does not tell what it "
					  "counted");
	ao_process_end_release(&end);
	free(path);
	ao_buf_release(&report);
	return err;
}

/* Run the program, with or without a call of the kernel. */
static struct ao_error *run_program(struct ao_counts *out, const char *valgrind,
				    const char *folder, bool has_call)
{
	struct ao_compiler tool;
	struct ao_strs args = { 0 };
	struct ao_error *err;

	ao_toolchain_reader(&tool, valgrind, AO_MAX_LOG_BYTES);
	ao_cachegrind_add_args(&args);
	ao_strs_pushf(&args, "./%s", program_name);
	if (has_call)
		ao_strs_push(&args, "call");
	err = run_tool(out, &tool, &args, folder, has_call);
	ao_strs_release(&args);
	ao_compiler_release(&tool);
	return err;
}

static double less(double with, double without)
{
	return with > without ? with - without : 0;
}

/* One run calls the kernel, the other does all else. */
static struct ao_error *count_call(struct ao_counts *out, const char *valgrind,
				   const char *folder)
{
	struct ao_counts with = { 0 }, without = { 0 };
	struct ao_error *err;

	/* What fails without it is not the kernel's fault. */
	err = run_program(&without, valgrind, folder, false);
	if (!err && !without.missing)
		err = run_program(&with, valgrind, folder, true);
	if (without.missing) {
		with.missing = without.missing;
		without.missing = NULL;
	}
	if (!err && with.missing) {
		out->missing = with.missing;
		with.missing = NULL;
	} else if (!err) {
		out->instructions = less(with.instructions,
					 without.instructions);
		out->reads = less(with.reads, without.reads);
		out->writes = less(with.writes, without.writes);
		out->first_misses = less(with.first_misses,
					 without.first_misses);
		out->last_misses = less(with.last_misses, without.last_misses);
	}
	ao_counts_release(&with);
	ao_counts_release(&without);
	return err;
}

/* With the object in `folder`. */
static struct ao_error *count(struct ao_counts *out, const char *valgrind,
			      const char *folder, const struct ao_task *task,
			      const struct ao_case *c, uint32_t timeout_ms)
{
	struct ao_compile compile = { .timeout_ms = timeout_ms,
				      .folder = ao_xstrdup(folder) };
	struct ao_dataset *dataset = NULL;
	struct ao_error *err;

	err = ao_toolchain_find(&compile.compiler, NULL);
	if (!err)
		err = ao_dataset_draw(&dataset, task, c, input_seed, 1);
	if (!err)
		err = write_inputs(folder, dataset);
	if (!err)
		err = build_program(&compile, dataset);
	if (!err && compile.failure)
		out->missing = ao_xstrf("no program could be built around the "
					"kernel: %s",
					compile.failure);
	else if (!err)
		err = count_call(out, valgrind, folder);
	ao_dataset_free(dataset);
	ao_compile_release(&compile);
	return err;
}

struct ao_error *ao_cachegrind_count(struct ao_counts *out, const char *folder,
				     const struct ao_task *task,
				     const struct ao_case *c,
				     const struct ao_kernel *kernel,
				     uint32_t timeout_ms)
{
	char *valgrind = ao_spawn_find("valgrind");
	struct ao_counts counts = { 0 };
	struct ao_build build = { 0 };
	struct ao_error *err = NULL;

	if (!valgrind) {
		counts.missing = ao_xstrdup("valgrind is not installed");
	} else {
		err = ao_build_with(&build, folder, task, c, kernel,
				    AO_CACHEGRIND_MARCH, timeout_ms);
		if (!err && build.verdict != AO_VERDICT_PASSED)
			counts.missing = ao_xstrf(
				"does not build for cachegrind, which has no "
				"AVX-512: %s",
				build.detail);
		else if (!err && ao_cage_isolation() == AO_ISOLATION_NONE)
			counts.missing = ao_xstrf(
				"nothing here keeps files from a kernel that "
				"runs under cachegrind: %s",
				ao_cage_why() ? ao_cage_why() : "unknown");
		else if (!err)
			err = count(&counts, valgrind, build.folder, task, c,
				    timeout_ms);
	}
	if (build.folder)
		ao_file_remove_tree(build.folder);
	ao_build_release(&build);
	free(valgrind);
	if (err) {
		ao_counts_release(&counts);
		return ao_error_wrap(err, "cannot count with cachegrind");
	}
	*out = counts;
	return NULL;
}
