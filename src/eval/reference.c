/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "eval/compile.h"
#include "eval/reference.h"
#include "util/clock.h"
#include "util/file.h"
#include "util/limits.h"
#include "util/text.h"
#include "util/usage.h"

enum {
	BUILD_TIMEOUT_MS = 60000,
	EXIT_CANNOT_LOAD = 3, /* of the child */
	ALIVE_FD = 3,	      /* in the child: closes when it ends */
	OBJECT_FD = 4,	      /* and the object in memory, if it is there */
	MAX_OBJECT_BYTES = 64 << 20, /* as compilers may write */
	MEMFD_EXEC = 0x10,	     /* of Linux 6.3 */
};

static const char object_in_memory[] = "/proc/self/fd/4";

/* Beside the buffers, which are mapped before the limit is set. */
static const rlim_t spare_memory_bytes = (rlim_t)4 << 30;

typedef void call_fn(void *const *buffers);
static const char caller_name[] = "ao_call_reference";

void ao_reference_release(struct ao_reference *reference)
{
	free(reference->folder);
	free(reference->object);
	*reference = (struct ao_reference){ 0 };
}

/*
 * A function of one type for all tasks, so that we need not call with a number
 * of arguments that is only known at run time.
 */
static char *make_caller(const struct ao_task *task, const struct ao_case *c)
{
	struct ao_buf types = AO_BUF_INIT(AO_MAX_TASK_BYTES);
	struct ao_buf values = AO_BUF_INIT(AO_MAX_TASK_BYTES);
	size_t width = task->input_count + task->output_count;
	const char *comma = "";
	char *text;

	for (size_t i = 0; task->is_generic && i < task->axis_count; i++) {
		ao_buf_addf(&types, "%s__SIZE_TYPE__", comma);
		ao_buf_addf(&values, "%s%" PRId64, comma, c->extents[i]);
		comma = ", ";
	}
	for (size_t i = 0; i < width; i++) {
		ao_buf_addf(&types, "%s%svoid *", comma,
			    i < task->input_count ? "const " : "");
		ao_buf_addf(&values, "%sb[%zu]", comma, i);
		comma = ", ";
	}
	text = ao_xstrf("void reference(%s);\n"
			"void %s(void *const *b);\n"
			"void %s(void *const *b)\n"
			"{\n"
			"\treference(%s);\n"
			"}\n",
			types.ptr, caller_name, caller_name, values.ptr);
	ao_buf_release(&types);
	ao_buf_release(&values);
	return text;
}

static struct ao_error *compile_files(struct ao_reference *out,
				      struct ao_compile *compile,
				      const struct ao_task *task,
				      const struct ao_case *c,
				      const struct ao_kernel *files)
{
	struct ao_strs args = { 0 };
	struct ao_error *err;

	ao_compile_add_base(&args);
	/* Contraction would make the answers depend on the machine. */
	ao_strs_push(&args, "-ffp-contract=off");
	ao_compile_add_macros(&args, task, c);
	err = ao_compile_write(compile, files);
	if (!err)
		err = ao_compile_object(&out->object, compile, &args, files,
					caller_name);
	if (!err && compile->failure)
		err = ao_error_new(AO_EINVALID,
				   "the reference of task '%s' does not "
				   "compile: %s",
				   task->name, compile->failure);
	out->cpu_ns = compile->cpu_ns;
	ao_strs_release(&args);
	return err;
}

struct ao_error *ao_reference_build(struct ao_reference *out,
				    const char *folder,
				    const struct ao_task *task,
				    const struct ao_case *c)
{
	struct ao_compile compile = { .timeout_ms = BUILD_TIMEOUT_MS };
	struct ao_reference reference = { 0 };
	struct ao_kernel files = { 0 };
	struct ao_error *err;
	char *caller;

	if (!task->reference)
		return ao_error_new(AO_EINVALID, "task '%s' has no reference",
				    task->name);
	caller = make_caller(task, c);
	ao_kernel_add(&files, "reference.c", task->reference,
		      strlen(task->reference));
	ao_kernel_add(&files, "caller.c", caller, strlen(caller));
	err = ao_toolchain_find(&compile.compiler, NULL);
	if (!err)
		err = ao_compile_make_folder(&compile, folder);
	if (!err)
		err = compile_files(&reference, &compile, task, c, &files);
	if (!err) {
		reference.folder = compile.folder;
		compile.folder = NULL;
		*out = reference;
		reference = (struct ao_reference){ 0 };
	}
	ao_reference_release(&reference);
	ao_compile_release(&compile);
	ao_kernel_release(&files);
	free(caller);
	return err;
}

static void limit(int resource, rlim_t most)
{
	struct rlimit limits = { most, most };

	setrlimit((__rlimit_resource_t)resource, &limits);
}

/* The address space of this process, or 0. */
static rlim_t address_space_bytes(void)
{
	struct ao_buf text = AO_BUF_INIT(256);
	rlim_t bytes = 0;
	int64_t pages;
	struct ao_error *err = ao_file_read(&text, "/proc/self/statm");

	if (!err) {
		text.ptr[strcspn(text.ptr, " ")] = '\0';
		if (ao_text_to_int(&pages, text.ptr, 1, INT32_MAX))
			bytes = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
	}
	ao_error_free(err);
	ao_buf_release(&text);
	return bytes;
}

/* A reference that allocates for ever must not take the machine with it. */
static void limit_memory(void)
{
	rlim_t bytes = address_space_bytes();

	if (bytes)
		limit(RLIMIT_AS, bytes + spare_memory_bytes);
}

/* Our handlers are for our memory. */
static void reset_signals(void)
{
	const struct sigaction standard = { .sa_handler = SIG_DFL };

	for (int number = 1; number < NSIG; number++)
		sigaction(number, &standard, NULL);
}

/* A file in memory that may be executed, or -1. */
static int memory_file(void)
{
	unsigned flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
	int fd = memfd_create("reference", flags | MEMFD_EXEC);

	return fd >= 0 ? fd : memfd_create("reference", flags);
}

/*
 * The object in memory, where nobody changes it: in its folder, which may be on
 * a file system that is mounted noexec, it could not be loaded.  *out is -1
 * where there are no files in memory.
 */
static struct ao_error *copy_object(int *out, const char *object)
{
	struct ao_buf bytes = AO_BUF_INIT(MAX_OBJECT_BYTES);
	struct ao_error *err = ao_file_read(&bytes, object);
	int fd = err ? -1 : memory_file();
	const int seals = F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK |
			  F_SEAL_SEAL;

	if (fd >= 0 && !ao_file_write_fd(fd, bytes.ptr, bytes.len)) {
		err = ao_error_errno("cannot copy the reference");
		close(fd);
		fd = -1;
	}
	if (fd >= 0)
		fcntl(fd, F_ADD_SEALS, seals);
	ao_buf_release(&bytes);
	*out = fd;
	return err;
}

/* Leave the child nothing of ours but memory, one end of a pipe, the object. */
static void isolate(int alive, int object)
{
	int null = open("/dev/null", O_RDWR);
	/* Out of the way of where they go. */
	int end = fcntl(alive, F_DUPFD, OBJECT_FD + 1);
	int copy = object >= 0 ? fcntl(object, F_DUPFD, OBJECT_FD + 1) : -1;

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	reset_signals();
	for (int fd = 0; fd < 3; fd++)
		dup2(null, fd);
	dup2(end, ALIVE_FD);
	if (copy >= 0)
		dup2(copy, OBJECT_FD);
	close_range(copy >= 0 ? OBJECT_FD + 1 : OBJECT_FD, ~0U, 0);
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_FSIZE, 0);
	limit_memory();
}

AO_NORETURN
static void run_child(const char *object, void *const *buffers, size_t sets,
		      size_t width)
{
	void *handle = dlopen(object_in_memory, RTLD_NOW | RTLD_LOCAL);
	call_fn *call;

	/* No file in memory, or no /proc to find it by. */
	if (!handle)
		handle = dlopen(object, RTLD_NOW | RTLD_LOCAL);
	if (!handle)
		_exit(EXIT_CANNOT_LOAD);
	/* The cast that POSIX prescribes for functions. */
	*(void **)&call = dlsym(handle, caller_name);
	if (!call)
		_exit(EXIT_CANNOT_LOAD);
	for (size_t i = 0; i < sets; i++)
		call(buffers + i * width);
	_exit(0);
}

/* Wait until `alive`'s other end closes; returns whether it did in time. */
static bool await_end(int alive, uint32_t timeout_ms)
{
	uint64_t until_ns = ao_clock_now_ns() + (uint64_t)timeout_ms * 1000000;

	for (;;) {
		struct pollfd fd = { .fd = alive, .events = POLLIN };
		uint64_t now_ns = ao_clock_now_ns();
		uint64_t left_ns = until_ns > now_ns ? until_ns - now_ns : 0;
		int ready = poll(&fd, 1, (int)(left_ns / 1000000));

		if (ready > 0)
			return true;
		if (ready == 0)
			return false;
		if (errno != EINTR)
			return false;
	}
}

static struct ao_error *reap(uint64_t *cpu_ns_out, pid_t pid)
{
	struct rusage usage = { 0 };
	int status = 0;

	/* The group before its leader, whose number is ours until reaped. */
	kill(-pid, SIGKILL);
	kill(pid, SIGKILL);
	while (wait4(pid, &status, 0, &usage) < 0) {
		if (errno != EINTR)
			return ao_error_errno("cannot wait for the reference");
	}
	*cpu_ns_out = ao_usage_cpu_ns(&usage);
	if (WIFSIGNALED(status))
		return ao_error_new(AO_EINVALID,
				    "the reference was ended by signal %d (%s)",
				    WTERMSIG(status),
				    strsignal(WTERMSIG(status)));
	if (WEXITSTATUS(status) == EXIT_CANNOT_LOAD)
		return ao_error_new(AO_EIO, "cannot load the reference");
	if (WEXITSTATUS(status))
		return ao_error_new(AO_EINVALID,
				    "the reference exited with status %d",
				    WEXITSTATUS(status));
	return NULL;
}

struct ao_error *ao_reference_run(uint64_t *cpu_ns_out, const char *object,
				  void *const *buffers, size_t sets,
				  size_t width, uint32_t timeout_ms)
{
	uint64_t cpu_ns = 0;
	struct ao_error *err;
	int ends[2], copy;
	bool in_time;
	pid_t pid;

	err = copy_object(&copy, object);
	if (err)
		return err;
	if (pipe2(ends, O_CLOEXEC)) {
		err = ao_error_errno("cannot make a pipe");
		if (copy >= 0)
			close(copy);
		return err;
	}
	pid = fork();
	if (!pid) {
		isolate(ends[1], copy);
		run_child(object, buffers, sets, width);
	}
	close(ends[1]);
	if (copy >= 0)
		close(copy);
	if (pid < 0) {
		close(ends[0]);
		return ao_error_errno("cannot fork");
	}
	in_time = await_end(ends[0], timeout_ms);
	close(ends[0]);
	err = reap(&cpu_ns, pid);
	if (!in_time) {
		ao_error_free(err);
		err = ao_error_new(AO_ELIMIT,
				   "the reference took longer than %g s",
				   timeout_ms / 1000.0);
	}
	if (!err)
		*cpu_ns_out = cpu_ns;
	return err;
}
