/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "eval/launch.h"
#include "eval/warden.h"
#include "util/strs.h"

enum {
	FD_COUNT = AO_ORDER_END_FD - AO_ORDER_FIRST_FD,
	STACK_BYTES = 64 << 10,
	EXIT_NOT_STARTED = 127,
};

struct launch {
	enum ao_isolation isolation;
	const int *fds; /* [FD_COUNT] */
	int program;	/* this one */
	char *const *environment;
	char user_map[64];
	char group_map[64];
};

static bool write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool ok = fd >= 0 &&
		  write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	if (fd >= 0)
		close(fd);
	return ok;
}

/* Become root of the new user namespace, which is us outside. */
static bool map_user(const struct launch *launch)
{
	return write_text("/proc/self/setgroups", "deny") &&
	       write_text("/proc/self/gid_map", launch->group_map) &&
	       write_text("/proc/self/uid_map", launch->user_map);
}

/* Put the descriptors where a warden expects them. */
static bool place_fds(const int *fds)
{
	int high[FD_COUNT];

	/* First out of the way of each other. */
	for (int i = 0; i < FD_COUNT; i++) {
		high[i] = fds[i] < 0 ? -1
				     : fcntl(fds[i], F_DUPFD_CLOEXEC,
					     AO_ORDER_END_FD);
		if (high[i] < 0 && fds[i] >= 0)
			return false;
	}
	for (int i = 0; i < FD_COUNT; i++) {
		close(AO_ORDER_FIRST_FD + i);
		if (high[i] >= 0 && dup2(high[i], AO_ORDER_FIRST_FD + i) < 0)
			return false;
	}
	return true;
}

/*
 * The new process until it is a warden.  It has our memory, so it calls
 * nothing that would leave traces there.
 */
static int become_warden(void *data)
{
	const struct launch *launch = data;
	char name[sizeof("git-accelopt-warden")];
	char *const arguments[] = { name, NULL };
	int program = fcntl(launch->program, F_DUPFD_CLOEXEC, AO_ORDER_END_FD);

	memcpy(name, ao_warden_name, sizeof(name));
	setpgid(0, 0);
	if (program >= 0 &&
	    (launch->isolation != AO_ISOLATION_USER || map_user(launch)) &&
	    place_fds(launch->fds))
		fexecve(program, arguments, launch->environment);
	_exit(EXIT_NOT_STARTED);
}

/* Nothing of ours but what the loader and the sanitizers need. */
static void pick_environment(struct ao_strs *out)
{
	static const char *const names[] = {
		"LD_LIBRARY_PATH",
		"ASAN_OPTIONS",
		"UBSAN_OPTIONS",
		"LSAN_OPTIONS",
	};

	for (size_t i = 0; i < AO_ARRAY_SIZE(names); i++) {
		const char *value = getenv(names[i]);

		if (value)
			ao_strs_pushf(out, "%s=%s", names[i], value);
	}
}

/*
 * As vfork() does: nothing is copied, however much memory the judge holds, and
 * we go on when the new program has started.  Meanwhile no signal handler may
 * run, it would in both.
 */
static pid_t clone_and_wait(struct launch *launch, char *stack)
{
	unsigned long flags = ao_sandbox_clone_flags(launch->isolation) |
			      CLONE_VM | CLONE_VFORK | SIGCHLD;
	sigset_t all, before;
	bool was_dumpable = prctl(PR_GET_DUMPABLE) == 1;
	int saved;
	pid_t pid;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	/* Else our files in /proc, the maps among them, are root's. */
	prctl(PR_SET_DUMPABLE, 1);
	pid = clone(become_warden, stack + STACK_BYTES, (int)flags, launch);
	saved = errno;
	prctl(PR_SET_DUMPABLE, was_dumpable);
	sigprocmask(SIG_SETMASK, &before, NULL);
	errno = saved;
	return pid;
}

struct ao_error *ao_launch_warden(pid_t *out, enum ao_isolation isolation,
				  const int *fds)
{
	struct launch launch = { .isolation = isolation, .fds = fds };
	struct ao_strs environment = { 0 };
	char *nothing[] = { NULL };
	struct ao_error *err = NULL;
	char *stack = NULL;
	pid_t pid;

	snprintf(launch.user_map, sizeof(launch.user_map), "0 %u 1",
		 (unsigned)geteuid());
	snprintf(launch.group_map, sizeof(launch.group_map), "0 %u 1",
		 (unsigned)getegid());
	pick_environment(&environment);
	launch.environment = environment.v ? environment.v : nothing;
	launch.program = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	if (launch.program < 0) {
		err = ao_error_errno("cannot find this program in /proc");
		goto out;
	}
	/*
	 * From the heap: a mapping would keep, beyond its end, what the address
	 * sanitizer notes about frames that are never left.
	 */
	stack = ao_xmalloc(STACK_BYTES);
	pid = clone_and_wait(&launch, stack);
	if (pid < 0) {
		err = ao_error_errno("cannot start a process");
		goto out;
	}
	*out = pid;
out:
	free(stack);
	if (launch.program >= 0)
		close(launch.program);
	ao_strs_release(&environment);
	return err;
}
