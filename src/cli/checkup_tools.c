/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <unistd.h>

#include "util/file.h"
#include "util/process.h"
#include "util/text.h"

#include "eval/cage.h"
#include "eval/ladder.h"
#include "eval/scratch.h"
#include "eval/toolchain.h"

#include "cli/checkup.h"

enum { ASK_TIMEOUT_MS = 10000, MAX_ANSWER_BYTES = 4096 };

static void look_at_git(struct ao_findings *out)
{
	static const char *const argv[] = { "git", "--version", NULL };
	const struct ao_process_spec spec = {
		.argv = argv,
		.timeout_ms = ASK_TIMEOUT_MS,
		.max_output = MAX_ANSWER_BYTES,
		.merge = true,
	};
	struct ao_process_end end = { 0 };
	struct ao_error *err = ao_process_run(&end, &spec);
	bool is_good = !err && end.status == 0;

	if (is_good)
		end.output[strcspn(end.output, "\n")] = '\0';
	if (is_good)
		ao_findings_add(out, AO_FINDING_OK, "git",
				ao_xstrdup(end.output), NULL);
	else
		ao_findings_advise(out, AO_FINDING_ERROR, "git",
				   ao_xstrdup("git does not run"),
				   "put it in PATH: configuration is read "
				   "through it");
	ao_error_free(err);
	ao_process_end_release(&end);
}

/* One compiler: does it make an object where it is shut up? */
static void look_at_compiler(struct ao_findings *out,
			     const struct ao_compiler *compiler)
{
	struct ao_scratch *scratch = NULL;
	struct ao_error *err = ao_scratch_new(&scratch);
	bool works = !err &&
		     ao_toolchain_works(compiler, ao_scratch_folder(scratch),
					AO_ISOLATION_COUNT);

	if (works)
		ao_findings_add(
			out, AO_FINDING_OK, "compiler",
			ao_xstrf("%s, %s", compiler->name, compiler->program),
			NULL);
	else
		ao_findings_advise(
			out, AO_FINDING_ERROR, "compiler",
			ao_xstrf("%s, %s, makes no object of a small source: "
				 "%s",
				 compiler->name, compiler->program,
				 err ? ao_error_message(err)
				     : "it does not work in its sandbox"),
			"try it by hand; it needs the headers of the C library "
			"and a linker");
	ao_scratch_free(scratch);
	ao_error_free(err);
}

/* Whether a compiler of that name, or the default, is there. */
static bool find_compiler(struct ao_findings *out, const char *name)
{
	struct ao_compiler compiler = { 0 };
	struct ao_error *err = ao_toolchain_find(&compiler, name);
	bool is_there = !err;

	if (is_there)
		look_at_compiler(out, &compiler);
	else if (ao_error_code(err) != AO_ENOTFOUND)
		ao_findings_add(out, AO_FINDING_ERROR, "compiler",
				ao_xstrdup(ao_error_message(err)), NULL);
	ao_error_free(err);
	ao_compiler_release(&compiler);
	return is_there;
}

static void look_at_compilers(struct ao_findings *out)
{
	bool has_any = find_compiler(out, NULL);
	bool has_gcc = find_compiler(out, "gcc");
	bool has_clang = find_compiler(out, "clang");

	if (!has_any)
		ao_findings_advise(out, AO_FINDING_ERROR, "compiler",
				   ao_xstrdup("there is none in PATH"),
				   "install gcc or clang");
	else if (!has_clang)
		ao_findings_advise(out, AO_FINDING_WARNING, "compiler",
				   ao_xstrdup("no clang, so no remarks on "
					      "loops that are not vectorised"),
				   "install clang");
	else if (!has_gcc)
		ao_findings_add(out, AO_FINDING_OK, "compiler",
				ao_xstrdup("no gcc; kernels that ask for it "
					   "do not compile"),
				NULL);
}

/* The number that a file of /proc holds, or `otherwise`. */
static int64_t setting(const char *path, int64_t otherwise)
{
	struct ao_buf text = AO_BUF_INIT(64);
	struct ao_error *err = ao_file_read(&text, path);
	int64_t value = otherwise;

	if (!err) {
		text.ptr[strcspn(text.ptr, "\n")] = '\0';
		if (!ao_text_to_int(&value, text.ptr, 0, INT64_MAX))
			value = otherwise;
	}
	ao_error_free(err);
	ao_buf_release(&text);
	return value;
}

/* What keeps namespaces away, as far as it can be seen. */
static const char *advice_on_namespaces(void)
{
	if (!access("/.dockerenv", F_OK) || !access("/run/.containerenv", F_OK))
		return "in a container: start it with --security-opt "
		       "seccomp=unconfined --security-opt apparmor=unconfined, "
		       "or with --privileged";
	if (!setting("/proc/sys/user/max_user_namespaces", 1))
		return "as root: sysctl -w user.max_user_namespaces=15000";
	if (!setting("/proc/sys/kernel/unprivileged_userns_clone", 1))
		return "as root: sysctl -w kernel.unprivileged_userns_clone=1";
	if (setting("/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
		    0))
		return "as root: sysctl -w "
		       "kernel.apparmor_restrict_unprivileged_userns=0";
	return "this process may not make namespaces: look for a seccomp "
	       "filter, a security module or a chroot around it";
}

/* What a level below namespaces means, with its reason. */
static char *describe(const struct ao_rung *rung)
{
	const char *meaning =
		!strcmp(rung->level, "landlock")
			? "no namespaces; Landlock keeps files away, seccomp "
			  "the network"
		: !strcmp(rung->level, "seccomp")
			? "no namespaces, no Landlock; seccomp alone"
		: !strcmp(rung->level, "rlimits")
			? "no sandbox, limits alone: what has them never "
			  "becomes the best of a search"
			: "nothing works";

	return ao_xstrf("%s: %s%s%s%s", rung->level, meaning,
			rung->why ? " (" : "", rung->why ? rung->why : "",
			rung->why ? ")" : "");
}

static void look_at_sandbox(struct ao_findings *out, const char *topic,
			    const struct ao_rung *rung, enum ao_policy policy)
{
	bool is_none = !strcmp(rung->level, "none");

	if (!strcmp(rung->level, "namespaces"))
		ao_findings_add(out, AO_FINDING_OK, topic,
				ao_xstrdup(rung->level), NULL);
	else
		ao_findings_advise(out,
				   is_none || policy == AO_POLICY_REQUIRE
					   ? AO_FINDING_ERROR
					   : AO_FINDING_WARNING,
				   topic, describe(rung),
				   advice_on_namespaces());
}

void ao_checkup_tools(struct ao_findings *out, enum ao_policy policy)
{
	struct ao_rung rung;

	look_at_git(out);
	look_at_compilers(out);
	ao_ladder_kernels(&rung);
	look_at_sandbox(out, "kernels in", &rung, policy);
	ao_ladder_compilers(&rung);
	/* Without a compiler that is said already. */
	if (ao_cage_isolation() != AO_ISOLATION_COUNT)
		look_at_sandbox(out, "compilers in", &rung, policy);
}
