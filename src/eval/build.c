/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "eval/build.h"
#include "eval/compile.h"
#include "eval/gate.h"
#include "eval/object.h"
#include "eval/objgate.h"
#include "util/file.h"
#include "util/limits.h"

enum { FIND_TIMEOUT_MS = 10000 };

void ao_build_release(struct ao_build *build)
{
	free(build->detail);
	free(build->folder);
	free(build->object);
	free(build->log);
	free(build->flags);
	*build = (struct ao_build){ 0 };
}

/*
 * The compiler that a kernel asks for, or the default, or gcc for OpenMP.  A
 * kernel that asks for one that is not here, on a machine that has another, is
 * at fault.
 */
static struct ao_error *choose_compiler(struct ao_compile *compile,
					const struct ao_flags *flags)
{
	bool with_openmp = ao_flags_want_openmp(flags);
	const char *name = flags->compiler == AO_FLAGS_GCC     ? "gcc"
			   : flags->compiler == AO_FLAGS_CLANG ? "clang"
			   : with_openmp		       ? "gcc"
							       : NULL;
	struct ao_error *err = ao_toolchain_find(&compile->compiler, name);

	compile->with_openmp = with_openmp;
	if (with_openmp && flags->compiler == AO_FLAGS_CLANG)
		compile->failure = ao_xstrdup(
			"OpenMP is for gcc here: the library that clang links "
			"wants to write files");
	if (!name || ao_error_code(err) != AO_ENOTFOUND)
		return err;
	ao_error_free(err);
	err = ao_toolchain_find(&compile->compiler, NULL);
	if (!err && !compile->failure)
		compile->failure = ao_xstrf("the kernel asks for %s, which is "
					    "not installed here",
					    name);
	return err;
}

/* What a record tells about how the object was made. */
static char *describe(const struct ao_compiler *compiler,
		      const struct ao_flags *flags)
{
	struct ao_buf text = AO_BUF_INIT(AO_MAX_LOG_BYTES);
	struct ao_strs base = { 0 };

	ao_compile_add_base(&base);
	ao_buf_addstr(&text, compiler->name);
	for (size_t i = 0; i < base.count; i++)
		ao_buf_addf(&text, " %s", base.v[i]);
	for (size_t i = 0; i < flags->words.count; i++)
		ao_buf_addf(&text, " %s", flags->words.v[i]);
	ao_strs_release(&base);
	return ao_buf_take(&text);
}

/* What to build, once its text has passed the gate. */
struct job {
	const struct ao_task *task;
	const struct ao_case *c;
	const struct ao_kernel *kernel;
	struct ao_flags flags;
	const char *flag; /* behind all others; NULL: none */
};

static struct ao_error *compile_kernel(char **object_out,
				       struct ao_compile *compile,
				       const struct job *job)
{
	struct ao_strs args = { 0 }, libraries = { 0 };
	struct ao_error *err;

	ao_compile_add_base(&args);
	ao_compile_add_macros(&args, job->task, job->c);
	for (size_t i = 0; i < job->flags.words.count; i++)
		ao_strs_push(&args, job->flags.words.v[i]);
	if (job->flag)
		ao_strs_push(&args, job->flag);
	err = ao_compile_find_libraries(&libraries, compile, job->kernel);
	if (!err)
		err = ao_compile_write(compile, job->kernel);
	if (!err)
		err = ao_compile_object(object_out, compile, &args, job->kernel,
					job->task->entry);
	ao_strs_release(&libraries);
	ao_strs_release(&args);
	return err;
}

/* The gate of objects, before anything of it is loaded. */
static struct ao_error *check_object(struct ao_build *build,
				     const struct job *job)
{
	const struct ao_objgate gate = {
		.entry = job->task->entry,
		.libraries = job->kernel->libraries,
		.allows_threads = ao_task_has_threads(job->task),
	};
	struct ao_buf data = ao_object_buf();
	bool has_entry = false;
	struct ao_error *err = ao_file_read(&data, build->object);

	if (!err)
		err = ao_object_exports(&has_entry, data.ptr, data.len,
					gate.entry);
	if (!err)
		build->detail = ao_objgate_check(&gate, data.ptr, data.len);
	if (build->detail) {
		build->verdict = AO_VERDICT_BANNED;
	} else if (!err && !has_entry) {
		build->verdict = AO_VERDICT_COMPILE_ERROR;
		build->detail = ao_xstrf("does not define the function '%s'",
					 gate.entry);
	}
	if (build->detail) {
		free(build->object);
		build->object = NULL;
	}
	ao_buf_release(&data);
	return err;
}

static struct ao_error *run_job(struct ao_build *build, const struct job *job,
				const char *folder, uint32_t timeout_ms)
{
	struct ao_compile compile = { .timeout_ms = timeout_ms };
	struct ao_error *err;

	err = choose_compiler(&compile, &job->flags);
	if (err)
		goto out;
	build->flags = describe(&compile.compiler, &job->flags);
	err = ao_compile_make_folder(&compile, folder);
	if (!err && !compile.failure)
		err = compile_kernel(&build->object, &compile, job);
	if (err)
		goto out;
	build->verdict = compile.is_banned ? AO_VERDICT_BANNED
			 : compile.failure ? AO_VERDICT_COMPILE_ERROR
					   : AO_VERDICT_PASSED;
	build->detail = compile.failure;
	build->folder = compile.folder;
	build->log = compile.log;
	build->cpu_ns = compile.cpu_ns;
	compile.failure = NULL;
	compile.folder = NULL;
	compile.log = NULL;
	if (build->object)
		err = check_object(build, job);
out:
	ao_compile_release(&compile);
	return err;
}

/* The job's flags are found out here. */
static struct ao_error *do_job(struct ao_build *out, struct job *job,
			       const char *folder, uint32_t timeout_ms)
{
	struct ao_build build = { 0 };
	struct ao_error *err = NULL;

	build.detail = ao_gate_check(&job->flags, job->task, job->kernel);
	if (build.detail)
		build.verdict = AO_VERDICT_BANNED;
	else
		err = run_job(&build, job, folder, timeout_ms);
	ao_flags_release(&job->flags);
	if (err) {
		ao_build_release(&build);
		return ao_error_wrap(err, "cannot build the kernel");
	}
	*out = build;
	return NULL;
}

struct ao_error *ao_build_kernel(struct ao_build *out, const char *folder,
				 const struct ao_task *task,
				 const struct ao_case *c,
				 const struct ao_kernel *kernel,
				 uint32_t timeout_ms)
{
	struct job job = { .task = task, .c = c, .kernel = kernel };

	return do_job(out, &job, folder, timeout_ms);
}

struct ao_error *ao_build_with(struct ao_build *out, const char *folder,
			       const struct ao_task *task,
			       const struct ao_case *c,
			       const struct ao_kernel *kernel, const char *flag,
			       uint32_t timeout_ms)
{
	struct job job = {
		.task = task, .c = c, .kernel = kernel, .flag = flag
	};

	return do_job(out, &job, folder, timeout_ms);
}

struct ao_error *ao_build_find_libraries(struct ao_strs *out,
					 const struct ao_kernel *kernel)
{
	struct ao_compile compile = { .timeout_ms = FIND_TIMEOUT_MS };
	struct ao_error *err;

	if (!kernel->libraries)
		return NULL;
	err = ao_toolchain_find(&compile.compiler, NULL);
	compile.folder = ao_xstrdup("/");
	if (!err)
		err = ao_compile_find_libraries(out, &compile, kernel);
	ao_compile_release(&compile);
	return err;
}
