/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "eval/sandbox.h"

enum { NOBODY = 65534 };

#if defined(__SANITIZE_ADDRESS__)
#define HAS_SHADOW_MEMORY 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_SHADOW_MEMORY 1
#endif
#endif
#ifndef HAS_SHADOW_MEMORY
#define HAS_SHADOW_MEMORY 0
#endif

unsigned long ao_sandbox_clone_flags(enum ao_isolation isolation)
{
	unsigned long flags = CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET |
			      CLONE_NEWIPC | CLONE_NEWUTS;

	switch (isolation) {
	case AO_ISOLATION_ROOT:
		return flags;
	case AO_ISOLATION_USER:
		return flags | CLONE_NEWUSER;
	case AO_ISOLATION_NONE:
	case AO_ISOLATION_COUNT:
		break;
	}
	return 0;
}

static bool copy_all(int to, int from)
{
	struct stat st;
	off_t at = 0;

	if (fstat(from, &st))
		return false;
	while (at < st.st_size)
		if (sendfile(to, from, &at, (size_t)(st.st_size - at)) <= 0)
			return false;
	return true;
}

/* Mount an empty file system over a folder that every machine has. */
static const char *mount_empty(const char **folder_out)
{
	static const char *const folders[] = { "/tmp", "/run", "/mnt" };

	for (size_t i = 0; i < AO_ARRAY_SIZE(folders); i++)
		if (!mount("none", folders[i], "tmpfs", MS_NOSUID | MS_NODEV,
			   "mode=755")) {
			*folder_out = folders[i];
			return NULL;
		}
	return "mount an empty root";
}

static const char *put_object(const char *folder, int object_fd)
{
	char *path = ao_xstrf("%s/kernel.so", folder);
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0555);
	bool ok = fd >= 0 && copy_all(fd, object_fd);

	free(path);
	if (fd >= 0)
		close(fd);
	return ok ? NULL : "copy the object";
}

/* Make the empty file system the root, and let go of the old one. */
static const char *change_root(const char *folder)
{
	if (chdir(folder))
		return "enter the new root";
	/* The old root comes to lie over the new one, and is taken off. */
	if (syscall(SYS_pivot_root, ".", ".") || umount2(".", MNT_DETACH) ||
	    chdir("/"))
		return "change the root";
	if (mount(NULL, "/", NULL,
		  MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV,
		  NULL))
		return "make the root read-only";
	return NULL;
}

static const char *enter_empty_root(const char **path_out, int object_fd)
{
	const char *folder, *failed;

	/* Who becomes nobody has to read it, whatever our user's mask. */
	umask(022);
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
		return "keep mounts private";
	failed = mount_empty(&folder);
	if (!failed && object_fd >= 0)
		failed = put_object(folder, object_fd);
	if (!failed)
		failed = change_root(folder);
	*path_out = "/kernel.so";
	return failed;
}

/*
 * Without a root of its own the worker opens the object by its descriptor: its
 * path may lie in a folder that only we can enter.  A copy, for the same
 * reason: anybody may read it.
 */
static const char *copy_object(const char **path_out, int object_fd)
{
	static char path[64];
	int fd = memfd_create("kernel", 0);

	if (fd < 0 || !copy_all(fd, object_fd) || dup2(fd, object_fd) < 0)
		return "copy the object";
	close(fd);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", object_fd);
	*path_out = path;
	return NULL;
}

/* Root becomes nobody; root of a user namespace keeps only the name. */
static const char *drop_privileges(enum ao_isolation isolation)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3
	};
	struct __user_cap_data_struct none[2] = { 0 };

	if (!geteuid() && isolation != AO_ISOLATION_USER &&
	    (setgroups(0, NULL) || setresgid(NOBODY, NOBODY, NOBODY) ||
	     setresuid(NOBODY, NOBODY, NOBODY)))
		return "become nobody";
	if (syscall(SYS_capset, &header, none))
		return "drop capabilities";
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return "renounce new privileges";
	prctl(PR_SET_DUMPABLE, 0);
	/* Becoming somebody else has cancelled it. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	return NULL;
}

const char *ao_sandbox_enter(const char **path_out, enum ao_isolation isolation,
			     int object_fd)
{
	const char *failed = NULL;

	if (isolation != AO_ISOLATION_NONE)
		failed = enter_empty_root(path_out, object_fd);
	else if (object_fd >= 0)
		failed = copy_object(path_out, object_fd);
	return failed ? failed : drop_privileges(isolation);
}

static void limit(__rlimit_resource_t resource, uint64_t value)
{
	struct rlimit limit = { .rlim_cur = value, .rlim_max = value };

	setrlimit(resource, &limit);
}

void ao_sandbox_limit(uint64_t memory_bytes)
{
	limit(RLIMIT_NPROC, 0);
	limit(RLIMIT_FSIZE, 0);
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_MEMLOCK, 0);
	/* Shadow memory takes most of the address space. */
	if (!HAS_SHADOW_MEMORY)
		limit(RLIMIT_AS, memory_bytes);
}

static void close_from_to(unsigned first, unsigned last)
{
	long most = sysconf(_SC_OPEN_MAX);

	if (first > last || !close_range(first, last, 0))
		return;
	/* Before Linux 5.9. */
	for (unsigned fd = first; fd <= last && (long)fd < most; fd++)
		close((int)fd);
}

void ao_sandbox_close_all_but(unsigned first, unsigned last)
{
	if (first > 0)
		close_from_to(0, first - 1);
	if (last < UINT32_MAX)
		close_from_to(last + 1, UINT32_MAX);
}
