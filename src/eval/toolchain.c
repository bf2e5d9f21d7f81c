/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "eval/toolchain.h"
#include "util/limits.h"

/*
 * A compiler that needs more than this for a kernel of at most 1 MiB is being
 * attacked: macros that expand for ever, arrays of gigabytes.
 */
static const uint64_t max_memory_bytes = (uint64_t)4 << 30;
static const uint64_t max_object_bytes = (uint64_t)64 << 20;
static const uint32_t version_timeout_ms = 10000;

void ao_compiler_release(struct ao_compiler *compiler)
{
	free(compiler->program);
	free(compiler->name);
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
}

struct ao_error *ao_toolchain_run(struct ao_process_end *out,
				  const struct ao_compiler *compiler,
				  const struct ao_strs *args,
				  const char *folder, uint32_t timeout_ms)
{
	struct ao_process_spec spec = {
		.folder = folder,
		.timeout_ms = timeout_ms,
		.max_output = AO_MAX_LOG_BYTES,
		.merge = true,
		.max_memory = max_memory_bytes,
		.max_file = max_object_bytes,
		.max_cpu_s = timeout_ms / 1000 + 1,
	};
	struct ao_strs argv = { 0 };
	struct ao_strs env = { 0 };
	struct ao_error *err;

	ao_strs_push(&argv, compiler->program);
	for (size_t i = 0; i < args->count; i++)
		ao_strs_push(&argv, args->v[i]);
	make_env(&env, folder);
	spec.argv = (const char *const *)argv.v;
	spec.env = (const char *const *)env.v;
	err = ao_process_run(out, &spec);
	ao_strs_release(&argv);
	ao_strs_release(&env);
	if (err)
		return ao_error_wrap(err, "cannot run the compiler '%s'",
				     compiler->program);
	return NULL;
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

/* Fill in the name by asking the program. */
static struct ao_error *ask_version(struct ao_compiler *compiler)
{
	struct ao_process_end end = { 0 };
	struct ao_strs args = { 0 };
	struct ao_error *err;

	ao_strs_push(&args, "--version");
	err = ao_toolchain_run(&end, compiler, &args, "/", version_timeout_ms);
	if (!err && (end.status != 0 || !end.output_len))
		err = ao_error_new(
			AO_EIO, "the compiler '%s' does not tell its version",
			compiler->program);
	if (!err) {
		end.output[strcspn(end.output, "\n")] = '\0';
		compiler->name = ao_toolchain_name(end.output,
						   &compiler->is_clang);
	}
	ao_strs_release(&args);
	ao_process_end_release(&end);
	return err;
}

/*
 * Compilers whose version we know already: it takes longer to ask than to
 * link a kernel, and programs are not replaced under a running process.
 */
static struct {
	struct ao_compiler known[8];
	size_t count;
} asked;

static struct ao_error *name_compiler(struct ao_compiler *compiler)
{
	struct ao_error *err;

	for (size_t i = 0; i < asked.count; i++) {
		if (!strcmp(asked.known[i].program, compiler->program)) {
			compiler->name = ao_xstrdup(asked.known[i].name);
			compiler->is_clang = asked.known[i].is_clang;
			return NULL;
		}
	}
	err = ask_version(compiler);
	if (!err && asked.count < AO_ARRAY_SIZE(asked.known))
		asked.known[asked.count++] = (struct ao_compiler){
			ao_xstrdup(compiler->program),
			ao_xstrdup(compiler->name), compiler->is_clang
		};
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
