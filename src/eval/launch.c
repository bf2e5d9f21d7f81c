/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <fcntl.h>
#include <unistd.h>

#include "eval/launch.h"
#include "eval/warden.h"
#include "util/clone.h"
#include "util/strs.h"

enum {
	FD_COUNT = AO_ORDER_END_FD - AO_ORDER_FIRST_FD,
	EXIT_NOT_STARTED = 127,
};

struct launch {
	enum ao_isolation isolation;
	const int *fds; /* [FD_COUNT] */
	int program;	/* this one */
	char *const *environment;
	struct ao_user_map map;
};

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
	    (launch->isolation != AO_ISOLATION_USER ||
	     ao_user_map_write(&launch->map)) &&
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

struct ao_error *ao_launch_warden(pid_t *out, enum ao_isolation isolation,
				  const int *fds)
{
	struct launch launch = { .isolation = isolation, .fds = fds };
	struct ao_strs environment = { 0 };
	char *nothing[] = { NULL };
	struct ao_error *err = NULL;
	pid_t pid;

	ao_user_map_init(&launch.map);
	pick_environment(&environment);
	launch.environment = environment.v ? environment.v : nothing;
	launch.program = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	if (launch.program < 0) {
		err = ao_error_errno("cannot find this program in /proc");
		goto out;
	}
	pid = ao_clone_and_wait(become_warden, &launch,
				ao_isolation_clone_flags(isolation));
	if (pid < 0) {
		err = ao_error_errno("cannot start a process");
		goto out;
	}
	*out = pid;
out:
	if (launch.program >= 0)
		close(launch.program);
	ao_strs_release(&environment);
	return err;
}
