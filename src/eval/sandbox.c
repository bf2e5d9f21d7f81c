/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "eval/landlock.h"
#include "eval/root.h"
#include "eval/sandbox.h"

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
	const char *failed = NULL;

	for (size_t i = 0; i < AO_ARRAY_SIZE(folders); i++) {
		failed = ao_root_mount(folders[i]);
		*folder_out = folders[i];
		if (!failed)
			break;
	}
	return failed;
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

static const char *enter_empty_root(const char **path_out, int object_fd)
{
	const char *folder, *failed;

	/* Who becomes nobody has to read it, whatever our user's mask. */
	umask(022);
	failed = mount_empty(&folder);
	if (!failed && object_fd >= 0)
		failed = put_object(folder, object_fd);
	if (!failed)
		failed = ao_root_change(folder);
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

/* No files at all: what is needed is open or loaded. */
static const char *forbid_files(void)
{
	int rules = ao_landlock_new();

	return rules < 0 || !ao_landlock_enforce(rules)
		       ? "restrict files by Landlock"
		       : NULL;
}

const char *ao_sandbox_enter(const char **path_out, enum ao_isolation isolation,
			     int object_fd)
{
	const char *failed = NULL;

	if (ao_isolation_has_namespaces(isolation))
		failed = enter_empty_root(path_out, object_fd);
	else if (object_fd >= 0)
		failed = copy_object(path_out, object_fd);
	/* Root of a user namespace has the name alone. */
	if (!failed)
		failed = ao_isolation_drop_privileges(
			!geteuid() && isolation != AO_ISOLATION_USER);
	if (failed)
		return failed;
	prctl(PR_SET_DUMPABLE, 0);
	return isolation == AO_ISOLATION_LANDLOCK ? forbid_files() : NULL;
}

static void limit(__rlimit_resource_t resource, uint64_t value)
{
	struct rlimit limit = { .rlim_cur = value, .rlim_max = value };

	setrlimit(resource, &limit);
}

void ao_sandbox_limit(uint64_t memory_bytes, uint64_t tasks)
{
	limit(RLIMIT_NPROC, tasks);
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
