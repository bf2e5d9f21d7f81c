/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "eval/isolation.h"

bool ao_isolation_has_namespaces(enum ao_isolation isolation)
{
	return isolation == AO_ISOLATION_ROOT || isolation == AO_ISOLATION_USER;
}

unsigned long ao_isolation_clone_flags(enum ao_isolation isolation)
{
	unsigned long flags = CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET |
			      CLONE_NEWIPC | CLONE_NEWUTS;

	if (!ao_isolation_has_namespaces(isolation))
		return 0;
	return isolation == AO_ISOLATION_USER ? flags | CLONE_NEWUSER : flags;
}

const char *ao_isolation_name(enum ao_isolation isolation, bool has_filter)
{
	if (ao_isolation_has_namespaces(isolation))
		return "namespaces";
	if (!has_filter)
		return "rlimits";
	return isolation == AO_ISOLATION_LANDLOCK ? "landlock" : "seccomp";
}

void ao_isolation_note_failure(char **why, enum ao_isolation isolation,
			       const struct ao_error *err)
{
	if (*why && !ao_isolation_has_namespaces(isolation))
		return;
	free(*why);
	*why = ao_xstrdup(ao_error_message(err));
}

void ao_user_map_init(struct ao_user_map *out)
{
	snprintf(out->users, sizeof(out->users), "0 %u 1", (unsigned)geteuid());
	snprintf(out->groups, sizeof(out->groups), "0 %u 1",
		 (unsigned)getegid());
}

static bool write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool ok = fd >= 0 &&
		  write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	if (fd >= 0)
		close(fd);
	return ok;
}

bool ao_user_map_write(const struct ao_user_map *map)
{
	return write_text("/proc/self/setgroups", "deny") &&
	       write_text("/proc/self/gid_map", map->groups) &&
	       write_text("/proc/self/uid_map", map->users);
}

/*
 * Not by the C library, which would do it to all threads of the memory.  A user
 * namespace around us may know nobody but its root, who has the name alone.
 */
static bool become_nobody(void)
{
	if (syscall(SYS_setresgid, AO_NOBODY, AO_NOBODY, AO_NOBODY))
		return errno == EINVAL;
	return !syscall(SYS_setgroups, (size_t)0, NULL) &&
	       !syscall(SYS_setresuid, AO_NOBODY, AO_NOBODY, AO_NOBODY);
}

const char *ao_isolation_drop_privileges(bool becomes_nobody)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3
	};
	struct __user_cap_data_struct none[2] = { 0 };

	if (becomes_nobody && !become_nobody())
		return "become nobody";
	if (syscall(SYS_capset, &header, none))
		return "drop capabilities";
	/* A program that is run gains nothing either, whoever runs it. */
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return "renounce new privileges";
	/* Becoming somebody else has cancelled it. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	return NULL;
}
