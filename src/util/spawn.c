/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/clone.h"
#include "util/spawn.h"

/* Where the child finds the pipe on which it reports why it cannot start. */
enum { REPORT_FD = 3 };

/* What the child was doing when it failed. */
enum stage {
	STAGE_SETUP,
	STAGE_ENTER,
	STAGE_LIMIT,
	STAGE_FOLDER,
	STAGE_EXEC,
};

struct report {
	enum stage stage;
	int errnum;
	const char *what; /* ENTER: could not be done */
};

/* What a child needs to know. */
struct child {
	const char *program;
	const struct ao_process_spec *spec;
	const struct ao_spawn_fds *fds;
	const int *report_ends;
};

int ao_spawn_raise_fd(int fd)
{
	int raised, saved;

	if (fd < 0 || fd > STDERR_FILENO)
		return fd;
	raised = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	saved = errno;
	close(fd);
	errno = saved;
	return raised;
}

struct ao_error *ao_spawn_pipe(int ends_out[2])
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return ao_error_errno("cannot make a pipe");
	/* Ours may be closed; then a pipe would come to lie on 0, 1 or 2. */
	ends[0] = ao_spawn_raise_fd(ends[0]);
	ends[1] = ao_spawn_raise_fd(ends[1]);
	if (ends[0] < 0 || ends[1] < 0) {
		struct ao_error *err = ao_error_errno("cannot make a pipe");

		for (int i = 0; i < 2; i++)
			if (ends[i] >= 0)
				close(ends[i]);
		return err;
	}
	ends_out[0] = ends[0];
	ends_out[1] = ends[1];
	return NULL;
}

/*
 * Everything below up to run_child() runs in the child, between clone and exec,
 * in our memory while we wait: no allocation, no locks, no change of a global.
 */

static void close_from(int first)
{
	long most;

	if (!close_range((unsigned)first, ~0U, 0))
		return;
	/* Kernels before 5.9. */
	most = sysconf(_SC_OPEN_MAX);
	for (int fd = first; fd < most && fd < 65536; fd++)
		close(fd);
}

/* Where a lower limit is set already, that stays. */
static bool limit(int resource, rlim_t most)
{
	struct rlimit limits;

	if (getrlimit((__rlimit_resource_t)resource, &limits))
		return false;
	if (most > limits.rlim_max)
		most = limits.rlim_max;
	limits = (struct rlimit){ .rlim_cur = most, .rlim_max = most };
	return !setrlimit((__rlimit_resource_t)resource, &limits);
}

static bool set_limits(const struct ao_process_spec *spec)
{
	if (!limit(RLIMIT_CORE, 0))
		return false;
	if (spec->max_memory && !limit(RLIMIT_AS, spec->max_memory))
		return false;
	if (spec->max_cpu_s && !limit(RLIMIT_CPU, spec->max_cpu_s))
		return false;
	return !spec->max_file || limit(RLIMIT_FSIZE, spec->max_file);
}

/* Ignored signals would stay ignored, and blocked ones blocked. */
static void reset_signals(void)
{
	struct sigaction action = { .sa_handler = SIG_DFL };
	sigset_t none;

	for (int number = 1; number < NSIG; number++)
		sigaction(number, &action, NULL); /* not SIGKILL: fine */
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static bool set_descriptors(const struct ao_spawn_fds *fds,
			    const struct ao_process_spec *spec, int report_fd)
{
	if (fds->in >= 0 && dup2(fds->in, STDIN_FILENO) < 0)
		return false;
	if (fds->out >= 0 && dup2(fds->out, STDOUT_FILENO) < 0)
		return false;
	if (fds->err >= 0 && dup2(fds->err, STDERR_FILENO) < 0)
		return false;
	if (spec->merge && dup2(STDOUT_FILENO, STDERR_FILENO) < 0)
		return false;
	if (report_fd != REPORT_FD && dup3(report_fd, REPORT_FD, O_CLOEXEC) < 0)
		return false;
	close_from(REPORT_FD + 1);
	return true;
}

AO_NORETURN
static void give_up(int report_fd, enum stage stage, const char *what)
{
	struct report report = { stage, errno, what };
	ssize_t done = write(report_fd, &report, sizeof(report));

	(void)done;
	_exit(127);
}

/* exec does not write to what it is given, whatever its type says. */
static char *const *for_exec(const char *const *list)
{
	union {
		const char *const *given;
		char *const *taken;
	} same = { list };

	return same.taken;
}

/*
 * Whether who started us still waits.  In a namespace of its own a process does
 * not see its parent, but it sees that nobody has the pipe's other end.
 */
static bool has_parent(int report_fd)
{
	struct pollfd fd = { .fd = report_fd };

	return poll(&fd, 1, 0) == 0;
}

static int run_child(void *data)
{
	const struct child *child = data;
	const struct ao_process_spec *spec = child->spec;
	int report_fd = child->report_ends[1];
	const char *failed = NULL;

	close(child->report_ends[0]);
	/* Also when we are killed, the child does not run on. */
	if (setpgid(0, 0) || prctl(PR_SET_PDEATHSIG, SIGKILL))
		give_up(report_fd, STAGE_SETUP, NULL);
	if (!has_parent(report_fd))
		_exit(127);
	reset_signals();
	if (!set_descriptors(child->fds, spec, report_fd))
		give_up(report_fd, STAGE_SETUP, NULL);
	if (spec->enter)
		failed = spec->enter(spec->enter_data);
	if (failed)
		give_up(REPORT_FD, STAGE_ENTER, failed);
	if (!set_limits(spec))
		give_up(REPORT_FD, STAGE_LIMIT, NULL);
	if (spec->folder && chdir(spec->folder))
		give_up(REPORT_FD, STAGE_FOLDER, NULL);
	execve(child->program, for_exec(spec->argv),
	       spec->env ? for_exec(spec->env) : environ);
	give_up(REPORT_FD, STAGE_EXEC, NULL);
}

/* Here the parent's side begins. */

static bool is_program(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) && !access(path, X_OK);
}

char *ao_spawn_find(const char *name)
{
	const char *path = getenv("PATH");

	if (!path)
		path = "/usr/local/bin:/usr/bin:/bin";
	while (*name && *path) {
		size_t len = strcspn(path, ":");
		char *file = ao_xstrf("%.*s/%s", (int)len, path, name);

		if (*path == '/' && is_program(file))
			return file;
		free(file);
		path += len;
		path += *path == ':';
	}
	return NULL;
}

static struct ao_error *explain(const struct report *report,
				const struct ao_process_spec *spec)
{
	errno = report->errnum;
	switch (report->stage) {
	case STAGE_ENTER:
		return ao_error_errno("cannot %s", report->what);
	case STAGE_LIMIT:
		return ao_error_errno("cannot limit the program '%s'",
				      spec->argv[0]);
	case STAGE_FOLDER:
		return ao_error_errno("cannot enter the folder '%s'",
				      spec->folder);
	case STAGE_SETUP:
	case STAGE_EXEC:
		break;
	}
	return ao_error_errno("cannot run the program '%s'", spec->argv[0]);
}

/* Wait until the child's program runs, or learn why it does not. */
static struct ao_error *await_exec(int report_fd, pid_t pid,
				   const struct ao_process_spec *spec)
{
	struct report report;
	ssize_t got;

	do
		got = read(report_fd, &report, sizeof(report));
	while (got < 0 && errno == EINTR);
	if (got != sizeof(report))
		return NULL;
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return explain(&report, spec);
}

/* Who ignores SIGCHLD gets no exit status; we may have inherited that. */
static void mind_children(void)
{
	struct sigaction standard = { .sa_handler = SIG_DFL };
	struct sigaction action;

	if (!sigaction(SIGCHLD, NULL, &action) && action.sa_handler == SIG_IGN)
		sigaction(SIGCHLD, &standard, NULL);
}

struct ao_error *ao_spawn(pid_t *pid_out, const struct ao_process_spec *spec,
			  const struct ao_spawn_fds *fds)
{
	const char *name = spec->argv[0];
	struct ao_error *err;
	struct child child;
	char *program;
	int ends[2];
	pid_t pid;

	program = strchr(name, '/') ? ao_xstrdup(name) : ao_spawn_find(name);
	if (!program)
		return ao_error_new(AO_ENOTFOUND, "no program '%s' in PATH",
				    name);
	err = ao_spawn_pipe(ends);
	if (err)
		goto out;
	mind_children();
	child = (struct child){ program, spec, fds, ends };
	pid = ao_clone_and_wait(run_child, &child, spec->namespaces);
	close(ends[1]);
	if (pid < 0)
		err = ao_error_errno(spec->namespaces ? "cannot make namespaces"
						      : "cannot fork");
	else
		err = await_exec(ends[0], pid, spec);
	close(ends[0]);
	if (!err)
		*pid_out = pid;
out:
	free(program);
	return err;
}
