/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <math.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "eval/cage.h"
#include "eval/compile.h"
#include "eval/depends.h"
#include "model/library.h"
#include "model/path.h"
#include "util/file.h"
#include "util/limits.h"
#include "util/text.h"

#ifdef __x86_64__
#define NATIVE "-march=native"
#else
#define NATIVE "-mcpu=native"
#endif

/* An object and what it takes to link it are never as large. */
static const uint64_t least_free_bytes = (uint64_t)64 << 10;

void ao_compile_release(struct ao_compile *compile)
{
	ao_compiler_release(&compile->compiler);
	free(compile->folder);
	free(compile->log);
	free(compile->failure);
	*compile = (struct ao_compile){ 0 };
}

struct ao_error *ao_compile_make_folder(struct ao_compile *compile,
					const char *under)
{
	char *folder = ao_xstrf("%s/build.XXXXXX", under);

	if (!mkdtemp(folder)) {
		struct ao_error *err = ao_error_errno(
			"cannot make a folder in '%s' to build in", under);

		free(folder);
		return err;
	}
	compile->folder = folder;
	return NULL;
}

static struct ao_error *write_one(const char *folder,
				  const struct ao_kernel_file *file)
{
	char *path = ao_xstrf("%s/%s", folder, file->path);
	struct ao_error *err = NULL;

	if (strchr(file->path, '/')) {
		char *slash = strrchr(path, '/');

		*slash = '\0';
		err = ao_file_make_folder(path);
		*slash = '/';
	}
	if (!err)
		err = ao_file_write(path, file->data, file->len);
	free(path);
	return err;
}

static struct ao_error *write_all(const struct ao_compile *compile,
				  const struct ao_kernel *kernel)
{
	for (size_t i = 0; i < kernel->count; i++) {
		const char *path = kernel->files[i].path;
		const char *problem = ao_path_problem(path);
		struct ao_error *err;

		if (problem)
			return ao_error_new(AO_EINVALID,
					    "'%s' cannot be a file of a "
					    "kernel: %s",
					    path, problem);
		err = write_one(compile->folder, &kernel->files[i]);
		if (err)
			return err;
	}
	return NULL;
}

/*
 * Readable, whatever our user's mask: the compiler may be run as nobody.  The
 * folder is ours alone.
 */
struct ao_error *ao_compile_write(const struct ao_compile *compile,
				  const struct ao_kernel *kernel)
{
	mode_t before = umask(022);
	struct ao_error *err = write_all(compile, kernel);

	umask(before);
	return err;
}

/* The compiler prints a path where it finds the file, else its bare name. */
static struct ao_error *find_library(struct ao_strs *out,
				     const struct ao_compile *compile,
				     const struct ao_library *library)
{
	struct ao_process_end end = { 0 };
	struct ao_strs args = { 0 };
	struct ao_error *err;
	char *path = NULL;

	ao_strs_pushf(&args, "-print-file-name=%s", library->link);
	err = ao_toolchain_run(&end, &compile->compiler, &args, compile->folder,
			       compile->timeout_ms);
	if (!err && end.output && end.output[0] == '/') {
		end.output[strcspn(end.output, "\n")] = '\0';
		path = realpath(end.output, NULL);
	}
	if (path)
		ao_strs_push(out, path);
	else if (!err)
		err = ao_error_new(AO_ENOTFOUND,
				   "the library '%s' is not installed; on "
				   "Debian and its like it is the package %s",
				   library->name, library->package);
	free(path);
	ao_strs_release(&args);
	ao_process_end_release(&end);
	return err;
}

struct ao_error *ao_compile_find_libraries(struct ao_strs *out,
					   const struct ao_compile *compile,
					   const struct ao_kernel *kernel)
{
	struct ao_error *err = NULL;

	for (size_t i = 0; i < AO_LIBRARY_COUNT && !err; i++)
		if (kernel->libraries >> i & 1)
			err = find_library(out, compile, &ao_libraries[i]);
	return err;
}

void ao_compile_add_base(struct ao_strs *args)
{
	ao_strs_push(args, "-O3");
	ao_strs_push(args, NATIVE);
	ao_strs_push(args, "-fopenmp-simd");
	ao_strs_push(args, "-std=gnu11");
}

/* A double constant in C, exactly: never an int, whatever its value. */
static void add_scalar(struct ao_strs *args, const struct ao_scalar *scalar)
{
	const char *point = "";
	char number[40];

	snprintf(number, sizeof(number), "%.17g", scalar->value);
	if (!strpbrk(number, ".en"))
		point = ".0";
	ao_strs_pushf(args, "-D%s=(%s%s)", scalar->name, number, point);
}

void ao_compile_add_macros(struct ao_strs *args, const struct ao_task *task,
			   const struct ao_case *c)
{
	for (size_t i = 0; i < task->axis_count && !task->is_generic; i++)
		ao_strs_pushf(args, "-D%s=%" PRId64, task->axes[i].name,
			      c->extents[i]);
	for (size_t i = 0; i < task->scalar_count; i++)
		add_scalar(args, &task->scalars[i]);
}

/* Append `text` without `folder`/ wherever that stands in it. */
static void add_without_folder(struct ao_buf *out, const char *text,
			       const char *folder)
{
	size_t len = strlen(folder);
	const char *found;

	while ((found = strstr(text, folder))) {
		ao_text_safe(out, text, (size_t)(found - text));
		text = found + len + (found[len] == '/');
	}
	ao_text_safe(out, text, strlen(text));
}

static void add_log(struct ao_compile *compile, const char *output)
{
	/* Escapes are longer than what they stand for. */
	struct ao_buf log = AO_BUF_INIT((size_t)5 * AO_MAX_LOG_BYTES);

	if (compile->log)
		ao_buf_addstr(&log, compile->log);
	add_without_folder(&log, output, compile->folder);
	free(compile->log);
	compile->log = ao_buf_take(&log);
	compile->log[strnlen(compile->log, AO_MAX_LOG_BYTES)] = '\0';
}

/* The line of `log` that says most: the first error, else the first line. */
static char *first_error(const char *log)
{
	static const char *const marks[] = { "undefined reference",
					     "error:", "rror" };
	const char *at = NULL;

	for (size_t i = 0; i < AO_ARRAY_SIZE(marks) && !at; i++)
		at = strstr(log, marks[i]);
	if (!at)
		at = log;
	while (at > log && at[-1] != '\n')
		at--;
	return ao_xstrndup(at, strcspn(at, "\n"));
}

static char *explain_failure(const struct ao_compile *compile,
			     const struct ao_process_end *end)
{
	char *line;

	if (end->timed_out)
		return ao_xstrf("the compiler ran longer than %g s",
				compile->timeout_ms / 1000.0);
	if (end->signal)
		return ao_xstrf("the compiler was ended by signal %d (%s)",
				end->signal, strsignal(end->signal));
	line = first_error(compile->log);
	if (!*line) {
		free(line);
		line = ao_xstrf("the compiler failed with status %d",
				end->status);
	}
	return line;
}

/* What the compiler prints may be the kernel's own words. */
static bool is_disk_full(const char *folder)
{
	struct statvfs stat;

	return !statvfs(folder, &stat) &&
	       (uint64_t)stat.f_bavail * stat.f_frsize < least_free_bytes;
}

struct ao_error *ao_compile_run(struct ao_compile *compile,
				const struct ao_strs *args)
{
	struct ao_process_end end = { 0 };
	struct ao_error *err;

	err = ao_toolchain_run(&end, &compile->compiler, args, compile->folder,
			       compile->timeout_ms);
	if (err)
		return err;
	compile->cpu_ns += end.cpu_ns;
	add_log(compile, end.output);
	if (end.status && is_disk_full(compile->folder))
		err = ao_error_new(AO_EIO, "no space left on device in '%s'",
				   compile->folder);
	else if (end.timed_out || end.signal || end.status)
		compile->failure = explain_failure(compile, &end);
	ao_process_end_release(&end);
	return err;
}

/* Unsay what was said since the log had that length. */
static void forget(struct ao_compile *compile, size_t said)
{
	if (compile->log)
		compile->log[said] = '\0';
	free(compile->failure);
	compile->failure = NULL;
}

/*
 * One step of two, compiling or assembling, with a list of what it reads.  A
 * compiler that fails may have none, and has read what the gate let pass; an
 * assembler that fails has none, and may have read anything.
 */
static struct ao_error *run_step(struct ao_compile *compile,
				 const struct ao_strs *args, const char *list,
				 bool is_assembler)
{
	size_t said = compile->log ? strlen(compile->log) : 0;
	enum ao_depends found = AO_DEPENDS_UNKNOWN;
	const char *failure = NULL;
	struct ao_error *err = ao_compile_run(compile, args);

	if (!err)
		err = ao_depends_check(&found, compile->folder, list,
				       &compile->compiler.parts);
	if (err)
		return err;
	if (found == AO_DEPENDS_OUTSIDE)
		failure = "it has the compiler read a file that is neither its "
			  "own nor the compiler's";
	else if (found == AO_DEPENDS_UNKNOWN && !compile->failure)
		failure = "the compiler does not say which files it reads";
	else if (found == AO_DEPENDS_UNKNOWN && is_assembler)
		failure = "the assembler does not take it";
	if (failure) {
		forget(compile, said);
		compile->failure = ao_xstrdup(failure);
	}
	compile->is_banned = found == AO_DEPENDS_OUTSIDE;
	return NULL;
}

/* With the assembler of the system, as clang's own keeps no list. */
static struct ao_error *compile_in_steps(struct ao_compile *compile,
					 const struct ao_strs *args,
					 const char *source, size_t number)
{
	struct ao_strs first = { 0 }, second = { 0 };
	char *lists[] = { ao_xstrf("%zu.d", number),
			  ao_xstrf("%zu.s.d", number) };
	struct ao_error *err;

	for (size_t i = 0; i < args->count; i++)
		ao_strs_push(&first, args->v[i]);
	if (compile->compiler.is_clang) {
		ao_strs_push(&first, "-fno-integrated-as");
		ao_strs_push(&second, "-fno-integrated-as");
	}
	ao_strs_push(&first, "-MD");
	ao_strs_push(&first, "-MF");
	ao_strs_push(&first, lists[0]);
	ao_strs_push(&first, "-S");
	ao_strs_push(&first, source);
	ao_strs_push(&first, "-o");
	ao_strs_pushf(&first, "%zu.s", number);
	ao_strs_pushf(&second, "-Wa,--MD,%s", lists[1]);
	ao_strs_push(&second, "-c");
	ao_strs_pushf(&second, "%zu.s", number);
	ao_strs_push(&second, "-o");
	ao_strs_pushf(&second, "%zu.o", number);
	err = run_step(compile, &first, lists[0], false);
	if (!err && !compile->failure)
		err = run_step(compile, &second, lists[1], true);
	free(lists[0]);
	free(lists[1]);
	ao_strs_release(&first);
	ao_strs_release(&second);
	return err;
}

static struct ao_error *compile_at_once(struct ao_compile *compile,
					const struct ao_strs *args,
					const char *source, size_t number)
{
	struct ao_strs all = { 0 };
	struct ao_error *err;

	for (size_t i = 0; i < args->count; i++)
		ao_strs_push(&all, args->v[i]);
	ao_strs_push(&all, "-c");
	ao_strs_push(&all, source);
	ao_strs_push(&all, "-o");
	ao_strs_pushf(&all, "%zu.o", number);
	err = ao_compile_run(compile, &all);
	ao_strs_release(&all);
	return err;
}

/* Whether compilers can read what our user can. */
static bool are_files_open(void)
{
	return ao_cage_isolation() == AO_ISOLATION_NONE;
}

/*
 * Compile one source file.  Its object is named by `number`, as files in
 * different folders may have the same name.
 */
static struct ao_error *compile_one(struct ao_compile *compile,
				    const struct ao_strs *args,
				    const char *source, size_t number)
{
	size_t said = compile->log ? strlen(compile->log) : 0;
	struct ao_strs all = { 0 };
	struct ao_error *err = NULL;

	for (size_t i = 0; i < args->count; i++)
		ao_strs_push(&all, args->v[i]);
	ao_strs_push(&all, "-fPIC");
	/*
	 * Versions of a function for several processors would be chosen as the
	 * object is loaded.  It is for this one; the attribute goes.
	 */
	ao_strs_push(&all, "-Dtarget_clones(...)=__unused__");
	ao_strs_push(&all, "-D__target_clones__(...)=__unused__");
	/* What fails there fails again, and is told then. */
	if (ao_cage_isolation() == AO_ISOLATION_COUNT)
		ao_error_free(ao_toolchain_try(&compile->compiler));
	if (!err && !are_files_open()) {
		err = compile_at_once(compile, &all, source, number);
		/* It may have become so by a compiler that did not work. */
		if (!err && are_files_open())
			forget(compile, said);
	}
	if (!err && are_files_open())
		err = compile_in_steps(compile, &all, source, number);
	ao_strs_release(&all);
	return err;
}

/* No file of a kernel can have this name: none begins with '@'. */
static const char exports_file[] = "@exports";

/* What the linker is to export, in its words. */
static struct ao_error *write_exports(const struct ao_compile *compile,
				      const char *entry)
{
	char *path = ao_xstrf("%s/%s", compile->folder, exports_file);
	char *text = ao_xstrf("{ global: %s; local: *; };\n", entry);
	struct ao_error *err = ao_toolchain_write(path, text, strlen(text));

	free(text);
	free(path);
	return err;
}

/*
 * Link apart from compiling: gcc 12 puts a constructor that flushes denormals
 * into what is linked with -ffast-math, and no flag of the kernel is given
 * here.  Without start files there is no other constructor either.  Constants
 * are kept apart from code, so that they are not executed.
 */
static struct ao_error *link_all(struct ao_compile *compile,
				 const struct ao_kernel *kernel,
				 const char *entry)
{
	struct ao_error *err = write_exports(compile, entry);
	struct ao_strs args = { 0 };

	if (err)
		return err;
	ao_strs_push(&args, "-shared");
	ao_strs_push(&args, "-nostartfiles");
	/* Sections that ask the linker to compile again are just sections. */
	ao_strs_push(&args, "-fno-lto");
	ao_strs_push(&args, "-Wl,-z,defs");
	ao_strs_push(&args, "-Wl,-z,noexecstack");
	ao_strs_push(&args, "-Wl,-z,separate-code");
	ao_strs_pushf(&args, "-Wl,--version-script=%s", exports_file);
	ao_strs_push(&args, "-o");
	ao_strs_push(&args, "kernel.so");
	for (size_t i = 0; i < kernel->count; i++) {
		if (ao_text_ends_with(kernel->files[i].path, ".c"))
			ao_strs_pushf(&args, "%zu.o", i);
	}
	for (size_t i = 0; i < AO_LIBRARY_COUNT; i++)
		if (kernel->libraries >> i & 1)
			ao_strs_pushf(&args, "-l:%s", ao_libraries[i].link);
	if (compile->with_openmp)
		ao_strs_push(&args, "-fopenmp");
	ao_strs_push(&args, "-lm");
	err = ao_compile_run(compile, &args);
	ao_strs_release(&args);
	return err;
}

struct ao_error *ao_compile_object(char **object_out,
				   struct ao_compile *compile,
				   const struct ao_strs *args,
				   const struct ao_kernel *kernel,
				   const char *entry)
{
	struct ao_error *err = NULL;

	for (size_t i = 0; i < kernel->count && !err && !compile->failure;
	     i++) {
		if (ao_text_ends_with(kernel->files[i].path, ".c"))
			err = compile_one(compile, args, kernel->files[i].path,
					  i);
	}
	if (!err && !compile->failure)
		err = link_all(compile, kernel, entry);
	if (!err && !compile->failure)
		*object_out = ao_xstrf("%s/kernel.so", compile->folder);
	return err;
}
