/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <sys/stat.h>

#include "eval/cage.h"
#include "eval/parts.h"
#include "eval/toolchain.h"
#include "util/file.h"
#include "util/limits.h"

/*
 * A compiler that needs more than this for a kernel of at most 1 MiB is being
 * attacked: macros that expand for ever, arrays of gigabytes.
 */
static const uint64_t max_memory_bytes = (uint64_t)4 << 30;
static const uint64_t max_object_bytes = (uint64_t)64 << 20;
static const uint32_t version_timeout_ms = 10000;
static const uint32_t test_timeout_ms = 30000;

void ao_compiler_release(struct ao_compiler *compiler)
{
	free(compiler->program);
	free(compiler->name);
	ao_strs_release(&compiler->parts);
	*compiler = (struct ao_compiler){ 0 };
}

/* Append NAME=value if the variable is set here. */
static void pass_on(struct ao_strs *env, const char *name)
{
	const char *value = getenv(name);

	if (value)
		ao_strs_pushf(env, "%s=%s", name, value);
}

/*
 * What a compiler needs of ours to find its own parts.  All else could change
 * what it does: CPATH, COMPILER_PATH, a locale.
 */
static void make_env(struct ao_strs *env, const char *folder)
{
	pass_on(env, "PATH");
	pass_on(env, "LD_LIBRARY_PATH");
	ao_strs_push(env, "LC_ALL=C");
	ao_strs_pushf(env, "TMPDIR=%s", folder);
	/*
	 * For caches in front of a compiler: they want a home, and what a
	 * hostile source leaves in one of ours would be found by others.
	 */
	ao_strs_pushf(env, "HOME=%s", folder);
	ao_strs_push(env, "CCACHE_DISABLE=1");
}

/* Who runs a program, and how it is shut up. */
typedef struct ao_error *run_fn(struct ao_process_end *out,
				const struct ao_process_spec *spec,
				const struct ao_strs *parts,
				enum ao_isolation isolation);

static struct ao_error *run_caged(struct ao_process_end *out,
				  const struct ao_process_spec *spec,
				  const struct ao_strs *parts,
				  enum ao_isolation isolation)
{
	if (isolation == AO_ISOLATION_COUNT)
		return ao_cage_run(out, spec, parts);
	return ao_cage_run_in(out, isolation, spec, parts);
}

/* For questions about the compiler itself, which nobody hostile asks. */
static struct ao_error *run_free(struct ao_process_end *out,
				 const struct ao_process_spec *spec,
				 const struct ao_strs *parts,
				 enum ao_isolation isolation)
{
	(void)parts;
	(void)isolation;
	return ao_process_run(out, spec);
}

/* What is run. */
struct call {
	const struct ao_compiler *compiler;
	const struct ao_strs *args;
	const char *folder;
	uint32_t timeout_ms;
};

/* `isolation`: that alone, or AO_ISOLATION_COUNT for the best. */
static struct ao_error *run(struct ao_process_end *out, const struct call *call,
			    run_fn *run_it, enum ao_isolation isolation)
{
	struct ao_process_spec spec = {
		.folder = call->folder,
		.timeout_ms = call->timeout_ms,
		.max_output = call->compiler->max_output
				      ? call->compiler->max_output
				      : AO_MAX_LOG_BYTES,
		.merge = true,
		.max_memory = max_memory_bytes,
		.max_file = max_object_bytes,
		.max_cpu_s = call->timeout_ms / 1000 + 1,
	};
	struct ao_strs argv = { 0 };
	struct ao_strs env = { 0 };
	struct ao_error *err;

	ao_strs_push(&argv, call->compiler->program);
	for (size_t i = 0; i < call->args->count; i++)
		ao_strs_push(&argv, call->args->v[i]);
	make_env(&env, call->folder);
	spec.argv = (const char *const *)argv.v;
	spec.env = (const char *const *)env.v;
	err = run_it(out, &spec, &call->compiler->parts, isolation);
	ao_strs_release(&argv);
	ao_strs_release(&env);
	return err; /* cppcheck-suppress returnDanglingLifetime */
}

struct ao_error *ao_toolchain_write(const char *path, const void *data,
				    size_t len)
{
	mode_t before = umask(022);
	struct ao_error *err = ao_file_write(path, data, len);

	umask(before);
	return err;
}

/* Compile a source of ours in `folder`; *out is how that ended. */
static struct ao_error *compile_test(struct ao_process_end *out,
				     const struct ao_compiler *compiler,
				     const char *folder,
				     enum ao_isolation isolation)
{
	static const char source[] = "#include <math.h>\n"
				     "double f(double x);\n"
				     "double f(double x) { return exp(x); }\n";
	struct ao_strs args = { 0 };
	const struct call call = { compiler, &args, folder, test_timeout_ms };
	char *path = ao_xstrf("%s/test.c", folder);
	struct ao_error *err;

	ao_strs_split(&args, "-shared -fPIC -nostartfiles test.c -o test.so "
			     "-lm");
	err = ao_toolchain_write(path, source, sizeof(source) - 1);
	if (!err)
		err = run(out, &call, run_caged, isolation);
	ao_strs_release(&args);
	free(path);
	return err;
}

bool ao_toolchain_works(const struct ao_compiler *compiler, const char *folder,
			enum ao_isolation isolation)
{
	char *own = ao_xstrf("%s.test.XXXXXX", folder);
	struct ao_process_end end = { 0 };
	struct ao_error *err;
	bool works;

	if (!mkdtemp(own)) {
		free(own);
		return false;
	}
	err = compile_test(&end, compiler, own, isolation);
	works = !err && !end.status && !end.timed_out;
	ao_error_free(err);
	ao_process_end_release(&end);
	ao_file_remove_tree(own);
	free(own);
	return works;
}

/*
 * A compiler that fails at whatever it is given may lack something in its cage:
 * then it gets the next one, in which it works.  It is asked by a source of
 * ours, so no kernel has a say in it.  Returns whether there is such a one.
 */
static bool find_cage(const struct ao_compiler *compiler, const char *folder)
{
	enum ao_isolation isolation = ao_cage_isolation();

	if (ao_toolchain_works(compiler, folder, isolation))
		return false;
	for (int i = (int)isolation + 1; i < AO_ISOLATION_COUNT; i++) {
		char *why;

		if (ao_cage_requires_namespaces() &&
		    !ao_isolation_has_namespaces((enum ao_isolation)i))
			break;
		if (!ao_toolchain_works(compiler, folder, (enum ao_isolation)i))
			continue;
		why = ao_xstrf("'%s' does not work in a better one",
			       compiler->program);
		ao_cage_settle_for((enum ao_isolation)i, why);
		free(why);
		return true;
	}
	return false;
}

/* Compilers of which we know that they work where they are shut up. */
static struct ao_strs proven;

/*
 * Whether a compiler that failed, or could not be started, is to try again, in
 * another cage.  One that does not work where it has to be is our error.
 */
static struct ao_error *look_for_cage(bool *is_other, const struct call *call,
				      bool failed)
{
	const struct ao_compiler *compiler = call->compiler;

	*is_other = failed && find_cage(compiler, call->folder);
	if (*is_other)
		return NULL;
	if (failed && ao_cage_requires_namespaces() &&
	    !ao_toolchain_works(compiler, call->folder, AO_ISOLATION_COUNT))
		return ao_error_new(AO_ENOTFOUND,
				    "it does not work in the sandbox that "
				    "accelopt.sandbox requires");
	ao_strs_push(&proven, compiler->program);
	return NULL;
}

/* Whether nothing is known yet of the compiler, and this call can tell. */
static bool is_first(const struct call *call, const struct ao_process_end *end)
{
	bool has_folder = strcmp(call->folder, "/") != 0;
	bool is_reader = call->compiler->max_output > 0; /* compiles nothing */

	return has_folder && !is_reader && !end->timed_out &&
	       !ao_strs_has(&proven, call->compiler->program);
}

static struct ao_error *run_in_cage(struct ao_process_end *out,
				    const struct call *call)
{
	struct ao_error *err = run(out, call, run_caged, AO_ISOLATION_COUNT);
	struct ao_error *unfit;
	bool is_other;

	if (!is_first(call, out))
		return err;
	unfit = look_for_cage(&is_other, call, err || out->status);
	if (!unfit && !is_other)
		return err;
	ao_error_free(err);
	ao_process_end_release(out);
	return unfit ? unfit : run(out, call, run_caged, AO_ISOLATION_COUNT);
}

struct ao_error *ao_toolchain_run(struct ao_process_end *out,
				  const struct ao_compiler *compiler,
				  const struct ao_strs *args,
				  const char *folder, uint32_t timeout_ms)
{
	char *path = realpath(folder, NULL);
	struct call call = { compiler, args, folder, timeout_ms };
	struct ao_process_end end = { 0 };
	struct ao_error *err;

	/* Where we are is not where the compiler will be. */
	if (folder[0] != '/' && path)
		call.folder = path;
	err = run_in_cage(&end, &call);
	free(path);
	if (err) {
		ao_process_end_release(&end);
		return ao_error_wrap(err, "cannot run the compiler '%s'",
				     compiler->program);
	}
	*out = end;
	return NULL;
}

struct ao_error *ao_toolchain_try(const struct ao_compiler *compiler)
{
	struct ao_process_end end = { 0 };
	struct ao_strs args = { 0 };
	struct ao_error *err;

	ao_strs_push(&args, "--version");
	err = ao_toolchain_run(&end, compiler, &args, "/", version_timeout_ms);
	ao_strs_release(&args);
	ao_process_end_release(&end);
	return err;
}

char *ao_toolchain_name(const char *version_line, bool *is_clang_out)
{
	const char *version = strstr(version_line, " version ");
	const char *package = strstr(version_line, ") ");
	const char *last = strrchr(version_line, ' ');
	const char *name = "cc";
	const char *number;

	*is_clang_out = strstr(version_line, "clang") != NULL;
	if (version) {
		name = *is_clang_out ? "clang" : name;
		number = version + strlen(" version ");
	} else if (package) {
		/* "cc (Debian 12.2.0-14) 12.2.0" */
		name = "gcc";
		number = package + strlen(") ");
	} else {
		number = last ? last + 1 : version_line;
	}
	return ao_xstrf("%s %.*s", name, (int)strcspn(number, " "), number);
}

/* Ask a compiler about itself.  The caller releases *out. */
static struct ao_error *ask(struct ao_process_end *out,
			    const struct ao_compiler *compiler,
			    const char *question)
{
	struct ao_strs args = { 0 };
	const struct call call = { compiler, &args, "/", version_timeout_ms };
	struct ao_error *err;

	ao_strs_push(&args, question);
	err = run(out, &call, run_free, AO_ISOLATION_COUNT);
	ao_strs_release(&args);
	if (err)
		return ao_error_wrap(err, "cannot run the compiler '%s'",
				     compiler->program);
	return NULL;
}

void ao_toolchain_reader(struct ao_compiler *out, const char *program,
			 size_t max_output)
{
	*out = (struct ao_compiler){ .program = ao_xstrdup(program),
				     .max_output = max_output };
	ao_parts_find(&out->parts, program, "");
}

/* Fill in the name by asking the program. */
static struct ao_error *ask_version(struct ao_compiler *compiler)
{
	struct ao_process_end end = { 0 };
	struct ao_error *err = ask(&end, compiler, "--version");

	if (!err && (end.status != 0 || !end.output_len))
		err = ao_error_new(
			AO_EIO, "the compiler '%s' does not tell its version",
			compiler->program);
	if (!err) {
		end.output[strcspn(end.output, "\n")] = '\0';
		compiler->name = ao_toolchain_name(end.output,
						   &compiler->is_clang);
	}
	ao_process_end_release(&end);
	return err;
}

static struct ao_error *ask_parts(struct ao_compiler *compiler)
{
	struct ao_process_end end = { 0 };
	struct ao_error *err = ask(&end, compiler, "-print-search-dirs");

	if (!err)
		ao_parts_find(&compiler->parts, compiler->program,
			      end.status || !end.output ? "" : end.output);
	ao_process_end_release(&end);
	return err;
}

/*
 * Compilers that we know already: it takes longer to ask than to link a kernel,
 * and programs are not replaced under a running process.
 */
static struct {
	struct ao_compiler known[8];
	size_t count;
} asked;

static void copy_facts(struct ao_compiler *to, const struct ao_compiler *from)
{
	to->name = ao_xstrdup(from->name);
	to->is_clang = from->is_clang;
	for (size_t i = 0; i < from->parts.count; i++)
		ao_strs_push(&to->parts, from->parts.v[i]);
}

static struct ao_error *name_compiler(struct ao_compiler *compiler)
{
	struct ao_compiler *next;
	struct ao_error *err;

	for (size_t i = 0; i < asked.count; i++) {
		if (!strcmp(asked.known[i].program, compiler->program)) {
			copy_facts(compiler, &asked.known[i]);
			return NULL;
		}
	}
	err = ask_version(compiler);
	if (!err)
		err = ask_parts(compiler);
	if (!err && asked.count < AO_ARRAY_SIZE(asked.known)) {
		next = &asked.known[asked.count++];
		next->program = ao_xstrdup(compiler->program);
		copy_facts(next, compiler);
	}
	return err;
}

struct ao_error *ao_toolchain_find(struct ao_compiler *out, const char *name)
{
	static const char *const defaults[] = { "cc", "gcc", "clang" };
	struct ao_compiler compiler = { 0 };
	struct ao_error *err;

	if (name)
		compiler.program = ao_spawn_find(name);
	for (size_t i = 0;
	     !name && !compiler.program && i < AO_ARRAY_SIZE(defaults); i++)
		compiler.program = ao_spawn_find(defaults[i]);
	if (!compiler.program && name)
		return ao_error_new(AO_ENOTFOUND,
				    "the compiler '%s' is not installed", name);
	if (!compiler.program)
		return ao_error_new(AO_ENOTFOUND,
				    "there is no C compiler in PATH; install "
				    "gcc or clang");
	err = name_compiler(&compiler);
	if (err) {
		ao_compiler_release(&compiler);
		return err;
	}
	*out = compiler;
	return NULL;
}
