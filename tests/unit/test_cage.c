/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "eval/cage.h"
#include "eval/landlock.h"
#include "eval/toolchain.h"
#include "eval_task.h"
#include "util/file.h"
#include "util/limits.h"

static const char secret[] = "only-its-owner-may-read-this";

static char *folder; /* ours: a secret, and folders to build in */
static char *secret_path;
static unsigned built;

/* A new folder for a compiler to work in; the caller frees it. */
static char *new_folder(void)
{
	char *path = ao_xstrf("%s/build-%u", folder, built++);

	must(ao_file_make_folder(path));
	return path;
}

static void put(const char *where, const char *name, const char *text)
{
	char *path = ao_xstrf("%s/%s", where, name);

	must(ao_file_write(path, text, strlen(text)));
	EXPECT(!chmod(path, 0755));
	free(path);
}

/* Whether `text` stands in a file; one that is not there has none. */
static bool holds(const char *where, const char *name, const char *text)
{
	char *path = ao_xstrf("%s/%s", where, name);
	struct ao_buf data = AO_BUF_INIT((size_t)256 << 20);
	struct ao_error *err = ao_file_read(&data, path);
	bool found = !err && memmem(data.ptr, data.len, text, strlen(text));

	ao_error_free(err);
	ao_buf_release(&data);
	free(path);
	return found;
}

static bool is_there(const char *where, const char *name)
{
	char *path = ao_xstrf("%s/%s", where, name);
	bool there = !access(path, F_OK);

	free(path);
	return there;
}

static long long size_of(const char *where, const char *name)
{
	char *path = ao_xstrf("%s/%s", where, name);
	struct stat st = { 0 };
	bool there = !stat(path, &st);

	free(path);
	return there ? (long long)st.st_size : 0;
}

/* Run a program of a folder in there, as a compiler is run. */
static struct ao_process_end run_in(enum ao_isolation isolation,
				    const char *where, const char *program,
				    uint32_t timeout_ms)
{
	const char *argv[] = { program, NULL };
	const struct ao_process_spec spec = {
		.argv = argv,
		.folder = where,
		.timeout_ms = timeout_ms,
		.max_output = AO_MAX_LOG_BYTES,
		.merge = true,
	};
	struct ao_process_end end = { .status = -1 };
	struct ao_strs none = { 0 };

	must(isolation == AO_ISOLATION_COUNT
		     ? ao_cage_run(&end, &spec, &none)
		     : ao_cage_run_in(&end, isolation, &spec, &none));
	return end;
}

static bool is_available(enum ao_isolation isolation)
{
	const char *argv[] = { "/bin/true", NULL };
	const struct ao_process_spec spec = { .argv = argv, .folder = "/" };
	struct ao_process_end end = { 0 };
	struct ao_strs none = { 0 };
	struct ao_error *err = ao_cage_run_in(&end, isolation, &spec, &none);
	bool works = !err && end.status == 0;

	ao_error_free(err);
	ao_process_end_release(&end);
	return works;
}

/* Compile x.c of a folder with a compiler of that name, if it is there. */
static bool compile(int *status_out, const char *where, const char *name,
		    const char *words)
{
	struct ao_process_end end = { 0 };
	struct ao_compiler compiler = { 0 };
	struct ao_strs args = { 0 };
	struct ao_error *err = ao_toolchain_find(&compiler, name);

	if (ao_error_code(err) == AO_ENOTFOUND) {
		ao_error_free(err);
		return false;
	}
	must(err);
	ao_strs_split(&args, words);
	must(ao_toolchain_run(&end, &compiler, &args, where, 60000));
	if (end.status)
		printf("# %s: %.200s\n", name, end.output);
	*status_out = end.status;
	ao_process_end_release(&end);
	ao_strs_release(&args);
	ao_compiler_release(&compiler);
	return true;
}

/* Whether no compiler brings the secret into what it writes. */
static bool keeps_secret(const char *source)
{
	static const char *const names[] = { "gcc", "clang" };
	bool is_kept = true;

	for (size_t i = 0; i < AO_ARRAY_SIZE(names); i++) {
		char *where = new_folder();
		int status = 0;

		put(where, "x.c", source);
		if (compile(&status, where, names[i], "-c x.c -o x.o"))
			is_kept = is_kept && status &&
				  !holds(where, "x.o", secret);
		if (compile(&status, where, names[i], "-E x.c -o x.i"))
			is_kept = is_kept && !holds(where, "x.i", secret);
		free(where);
	}
	return is_kept;
}

static void a_file_of_the_user_cannot_be_included(void)
{
	char *source = ao_xstrf("#include \"%s\"\n", secret_path);

	EXPECT(keeps_secret(source));
	EXPECT(keeps_secret("#include \"/etc/passwd\"\n"));
	EXPECT(keeps_secret("#include \"/proc/1/environ\"\nx\n"));
	free(source);
}

/* Words that a gate which reads text does not see, as compilers join them. */
static void no_assembly_brings_a_file_into_the_object(void)
{
	char *source = ao_xstrf("__asm__(\".inc\" \"bin \\\"%s\\\"\");\n",
				secret_path);
	char *macros = ao_xstrf("#define A(x) #x\n"
				"__asm__(\".section .data\\n.in\" A(cbin) "
				"\" \\\"%s\\\"\");\n",
				secret_path);

	EXPECT(keeps_secret(source));
	EXPECT(keeps_secret(macros));
	EXPECT(keeps_secret("__asm__(\".incb\" \"in \\\"../secret\\\"\");\n"));
	EXPECT(keeps_secret(
		"__asm__(\".inc\" \"bin \\\"/etc/passwd\\\"\");\n"));
	free(source);
	free(macros);
}

static void a_secret_that_may_be_read_is_found_by_this_test(void)
{
	char *where = new_folder();
	int status = 0;

	put(where, "x.c", "__asm__(\".incbin \\\"inner\\\"\");\n");
	put(where, "inner", secret);
	if (compile(&status, where, NULL, "-c x.c -o x.o"))
		EXPECT(!status && holds(where, "x.o", secret));
	free(where);
}

/* What a program finds that it can do, a line each; it should print nothing. */
static const char prober[] =
	"#define _GNU_SOURCE\n"
	"#include <fcntl.h>\n"
	"#include <sched.h>\n"
	"#include <signal.h>\n"
	"#include <stdio.h>\n"
	"#include <stdlib.h>\n"
	"#include <sys/mount.h>\n"
	"#include <sys/ptrace.h>\n"
	"#include <sys/socket.h>\n"
	"#include <unistd.h>\n"
	"int main(void) {\n"
	"	if (open(SECRET, O_RDONLY) >= 0) puts(\"reads the secret\");\n"
	"	if (open(\"../secret\", O_RDONLY) >= 0) puts(\"reads beside\");\n"
	"	if (open(\"/etc/passwd\", O_RDONLY) >= 0) puts(\"reads /etc\");\n"
	"	if (open(\"/tmp/ao-cage\", O_RDWR | O_CREAT, 0600) >= 0)\n"
	"		puts(\"writes /tmp\");\n"
	"	if (open(\"/usr/ao-cage\", O_RDWR | O_CREAT, 0600) >= 0)\n"
	"		puts(\"writes /usr\");\n"
	"	if (socket(AF_INET, SOCK_STREAM, 0) >= 0) puts(\"socket\");\n"
	"	if (socket(AF_UNIX, SOCK_STREAM, 0) >= 0) puts(\"unix\");\n"
	"	if (!unshare(CLONE_NEWUSER)) puts(\"unshare\");\n"
	"	if (!mount(\"none\", \".\", \"tmpfs\", 0, NULL)) puts(\"mount\");\n"
	"	if (!kill(OTHER, 0)) puts(\"sees its judge\");\n"
	"	if (!ptrace(PTRACE_ATTACH, OTHER, 0, 0)) puts(\"ptrace\");\n"
	"	if (setuid(1) == 0) puts(\"becomes another user\");\n"
	"	if (open(\"here\", O_RDWR | O_CREAT, 0600) < 0)\n"
	"		puts(\"cannot write to its folder\");\n"
	"	if (open(\"/dev/null\", O_RDWR) < 0) puts(\"no /dev/null\");\n"
	"	return 0;\n"
	"}\n";

/* Whether it finds nothing to do in that way, if the way is there at all. */
static bool is_shut_up(enum ao_isolation isolation)
{
	char *where = new_folder();
	char *words = ao_xstrf("-DSECRET=\"%s\" -DOTHER=%d -w x.c -o x",
			       secret_path, (int)getpid());
	struct ao_process_end end = { 0 };
	bool is_good = false;
	int status = -1;

	put(where, "x.c", prober);
	if (compile(&status, where, NULL, words) && !status) {
		end = run_in(isolation, where, "./x", 10000);
		/* Landlock holds signals back since its version 6. */
		is_good = end.status == 0 &&
			  (!end.output_len ||
			   (isolation == AO_ISOLATION_LANDLOCK &&
			    !strcmp(end.output, "sees its judge\n")));
		if (!is_good)
			printf("# %s\n", end.output);
	}
	ao_process_end_release(&end);
	free(words);
	free(where);
	return is_good;
}

static void namespaces_leave_nothing_but_the_folder(void)
{
	bool has_any = false;

	for (int i = AO_ISOLATION_ROOT; i <= AO_ISOLATION_USER; i++) {
		if (!is_available((enum ao_isolation)i))
			continue;
		has_any = true;
		EXPECT(is_shut_up((enum ao_isolation)i));
	}
	if (!has_any)
		SKIP("there are no namespaces here");
}

static void landlock_leaves_nothing_but_the_folder(void)
{
	if (!ao_landlock_is_available() || !is_available(AO_ISOLATION_LANDLOCK))
		SKIP("there is no Landlock here");
	else
		EXPECT(is_shut_up(AO_ISOLATION_LANDLOCK));
}

static void every_way_compiles(void)
{
	struct ao_compiler compiler = { 0 };

	must(ao_toolchain_find(&compiler, NULL));
	for (int i = AO_ISOLATION_ROOT; i < AO_ISOLATION_COUNT; i++)
		if (is_available((enum ao_isolation)i))
			EXPECT(ao_toolchain_works(&compiler, folder,
						  (enum ao_isolation)i));
	ao_compiler_release(&compiler);
}

/*
 * A wrapper that leaves its group and ignores signals beats on in a file, if
 * it is alive.
 */
static bool dies_in_time(enum ao_isolation isolation)
{
	static const char script[] =
		"#!/bin/sh\n"
		"trap '' TERM HUP INT\n"
		"setsid sh -c 'trap \"\" TERM HUP INT\n"
		"	while :; do echo >>beats; sleep 0.02; done' &\n"
		"while :; do echo >>beats; sleep 0.02; done\n";
	char *where = new_folder();
	char *beats = ao_xstrf("%s/beats", where);
	struct ao_process_end end;
	struct stat before = { 0 }, after = { 0 };
	bool is_good;

	put(where, "cc.sh", script);
	end = run_in(isolation, where, "./cc.sh", 500);
	is_good = end.timed_out && end.wall_ns < 4 * UINT64_C(500000000);
	is_good = is_good && !stat(beats, &before) && before.st_size > 0;
	usleep(200000);
	is_good = is_good && !stat(beats, &after) &&
		  after.st_size == before.st_size;
	ao_process_end_release(&end);
	free(beats);
	free(where);
	return is_good;
}

static void a_wrapper_that_leaves_its_group_dies_in_time(void)
{
	EXPECT(dies_in_time(AO_ISOLATION_COUNT));
	if (is_available(AO_ISOLATION_LANDLOCK))
		EXPECT(dies_in_time(AO_ISOLATION_LANDLOCK));
}

static void what_it_left_running_ends_with_it(void)
{
	char *where = new_folder();
	char *late = ao_xstrf("%s/late", where);
	struct ao_process_end end;

	put(where, "cc.sh",
	    "#!/bin/sh\n(sleep 0.2; echo >late) >/dev/null 2>&1 &\n");
	end = run_in(AO_ISOLATION_COUNT, where, "./cc.sh", 10000);
	EXPECT(!end.timed_out && end.status == 0);
	usleep(400000);
	EXPECT(access(late, F_OK) != 0);
	ao_process_end_release(&end);
	free(late);
	free(where);
}

static void an_object_of_100_megabytes_is_none(void)
{
	static const char *const names[] = { "gcc", "clang" };

	for (size_t i = 0; i < AO_ARRAY_SIZE(names); i++) {
		char *where = new_folder();
		int status = 0;

		put(where, "x.c", "char x[100 << 20] = { 1 };\n");
		if (compile(&status, where, names[i], "-c x.c -o x.o"))
			EXPECT(status != 0 &&
			       size_of(where, "x.o") <= 64 << 20);
		free(where);
	}
}

static void macros_without_end_meet_a_limit(void)
{
	struct ao_buf source = AO_BUF_INIT(4096);
	char *where = new_folder();
	int status = 0;

	ao_buf_addstr(&source, "#define A0 x x x x x x x x x x\n");
	for (int i = 1; i < 12; i++)
		ao_buf_addf(&source,
			    "#define A%d A%d A%d A%d A%d A%d A%d A%d A%d\n", i,
			    i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1,
			    i - 1);
	ao_buf_addstr(&source, "A11\n");
	put(where, "x.c", source.ptr);
	if (compile(&status, where, NULL, "-E x.c -o x.i"))
		EXPECT(status != 0);
	ao_buf_release(&source);
	free(where);
}

/* Start with PATH as it is, and `first` before it. */
static char *put_into_path(const char *first)
{
	char *before = ao_xstrdup(getenv("PATH"));
	char *path = ao_xstrf("%s:%s", first, before);

	setenv("PATH", path, 1);
	free(path);
	return before;
}

static void a_compiler_in_a_home_works(void)
{
	char *home = ao_xstrf("%s/home", folder);
	char *bin = ao_xstrf("%s/bin", home);
	char *deep = ao_xstrf("%s/tools", home);
	char *link = ao_xstrf("%s/my-cc", bin);
	char *old_home = ao_xstrdup(getenv("HOME") ? getenv("HOME") : "/");
	char *path;
	struct ao_compiler compiler = { 0 };

	must(ao_file_make_folder(bin));
	must(ao_file_make_folder(deep));
	put(deep, "wrapper", "#!/bin/sh\nexec cc \"$@\"\n");
	put(home, "secret", secret);
	EXPECT(!symlink("../tools/wrapper", link));
	setenv("HOME", home, 1);
	path = put_into_path(bin);
	must(ao_toolchain_find(&compiler, "my-cc"));
	EXPECT(ao_toolchain_works(&compiler, folder, AO_ISOLATION_COUNT));
	EXPECT(!ao_strs_has(&compiler.parts, home));
	setenv("PATH", path, 1);
	setenv("HOME", old_home, 1);
	ao_compiler_release(&compiler);
	free(old_home);
	free(home);
	free(bin);
	free(deep);
	free(link);
	free(path);
}

static void a_folder_with_few_rights_is_enough(void)
{
	char *where = new_folder();
	int status = -1;

	EXPECT(!chmod(where, 0700));
	put(where, "x.c", "int x;\n");
	if (compile(&status, where, NULL, "-c x.c -o x.o"))
		EXPECT(!status && is_there(where, "x.o"));
	free(where);
}

static void a_program_that_is_not_there_is_an_error(void)
{
	const char *argv[] = { "/no/such/cc", NULL };
	const struct ao_process_spec spec = { .argv = argv, .folder = folder };
	struct ao_process_end end = { 0 };
	struct ao_strs none = { 0 };

	EXPECT(code_of(ao_cage_run(&end, &spec, &none)) == AO_ENOTFOUND);
}

static void a_folder_that_is_not_there_costs_no_sandbox(void)
{
	const char *argv[] = { "/bin/true", NULL };
	const struct ao_process_spec spec = { .argv = argv,
					      .folder = "/no/such/folder" };
	struct ao_process_end end = { 0 };
	struct ao_strs none = { 0 };
	enum ao_isolation before = ao_cage_isolation();

	EXPECT(code_of(ao_cage_run(&end, &spec, &none)) != AO_OK);
	EXPECT(ao_cage_isolation() == before);
}

static void the_level_has_a_name(void)
{
	printf("# compilers have: %s, better would be: %s\n", ao_cage_level(),
	       ao_cage_why() ? ao_cage_why() : "nothing");
	EXPECT(strcmp(ao_cage_level(), "none") != 0);
	EXPECT(strcmp(ao_cage_level(), "namespaces") == 0 ||
	       ao_cage_why() != NULL);
}

int main(void)
{
	must(ao_file_temp_folder(&folder));
	secret_path = ao_xstrf("%s/secret", folder);
	put(folder, "secret", secret);
	RUN(a_folder_that_is_not_there_costs_no_sandbox);
	RUN(a_file_of_the_user_cannot_be_included);
	RUN(no_assembly_brings_a_file_into_the_object);
	RUN(a_secret_that_may_be_read_is_found_by_this_test);
	RUN(namespaces_leave_nothing_but_the_folder);
	RUN(landlock_leaves_nothing_but_the_folder);
	RUN(every_way_compiles);
	RUN(a_wrapper_that_leaves_its_group_dies_in_time);
	RUN(what_it_left_running_ends_with_it);
	RUN(an_object_of_100_megabytes_is_none);
	RUN(macros_without_end_meet_a_limit);
	RUN(a_compiler_in_a_home_works);
	RUN(a_folder_with_few_rights_is_enough);
	RUN(a_program_that_is_not_there_is_an_error);
	RUN(the_level_has_a_name);
	ao_file_remove_tree(folder);
	free(folder);
	free(secret_path);
	return tap_done();
}
