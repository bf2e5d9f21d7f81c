/* SPDX-License-Identifier: MIT */
/*
 * By numbers: C libraries have no functions for these calls, and the headers
 * of older kernels do not know them.
 */
#include "util/base.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "eval/landlock.h"

/* The same on all architectures. */
enum {
	CREATE_RULESET = 444,
	ADD_RULE = 445,
	RESTRICT_SELF = 446,
};

enum { CREATE_RULESET_VERSION = 1, RULE_PATH_BENEATH = 1 };

/* Accesses to files. */
enum {
	EXECUTE = 1 << 0,
	WRITE_FILE = 1 << 1,
	READ_FILE = 1 << 2,
	READ_FOLDER = 1 << 3,
	ALL_OF_FIRST = (1 << 13) - 1,
	REFER = 1 << 13,     /* version 2 */
	TRUNCATE = 1 << 14,  /* version 3 */
	IOCTL_DEV = 1 << 15, /* version 5 */
};
enum { TCP_BIND = 1 << 0, TCP_CONNECT = 1 << 1 };		/* version 4 */
enum { SCOPE_ABSTRACT_SOCKET = 1 << 0, SCOPE_SIGNAL = 1 << 1 }; /* version 6 */

struct ruleset {
	uint64_t files;
	uint64_t network;
	uint64_t scoped;
};

struct path_beneath {
	uint64_t allowed;
	int32_t folder;
} __attribute__((packed));

static long version(void)
{
	return syscall(CREATE_RULESET, NULL, (size_t)0, CREATE_RULESET_VERSION);
}

bool ao_landlock_is_available(void)
{
	return version() >= 1;
}

/* All accesses to files that this kernel knows. */
static uint64_t known_accesses(long version)
{
	uint64_t all = ALL_OF_FIRST;

	if (version >= 2)
		all |= REFER;
	if (version >= 3)
		all |= TRUNCATE;
	if (version >= 5)
		all |= IOCTL_DEV;
	return all;
}

int ao_landlock_new(void)
{
	long known = version();
	struct ruleset rules = { .files = known_accesses(known) };
	size_t size = offsetof(struct ruleset, network);

	if (known >= 4) {
		rules.network = TCP_BIND | TCP_CONNECT;
		size = offsetof(struct ruleset, scoped);
	}
	if (known >= 6) {
		rules.scoped = SCOPE_ABSTRACT_SOCKET | SCOPE_SIGNAL;
		size = sizeof(rules);
	}
	return known < 1 ? -1 : (int)syscall(CREATE_RULESET, &rules, size, 0);
}

bool ao_landlock_allow(int rules, const char *path, bool is_writable)
{
	uint64_t of_files = EXECUTE | READ_FILE | WRITE_FILE | TRUNCATE |
			    IOCTL_DEV;
	struct path_beneath rule = {
		.allowed = is_writable ? known_accesses(version())
				       : EXECUTE | READ_FILE | READ_FOLDER,
		.folder = open(path, O_PATH | O_CLOEXEC),
	};
	struct stat st;
	long failed;
	int saved;

	if (rule.folder < 0)
		return errno == ENOENT || errno == ENOTDIR || errno == EACCES;
	if (!fstat(rule.folder, &st) && !S_ISDIR(st.st_mode))
		rule.allowed &= of_files;
	failed = syscall(ADD_RULE, rules, RULE_PATH_BENEATH, &rule, 0);
	saved = errno;
	close(rule.folder);
	errno = saved;
	return !failed;
}

bool ao_landlock_enforce(int rules)
{
	long failed = syscall(RESTRICT_SELF, rules, 0);
	int saved = errno;

	close(rules);
	errno = saved;
	return !failed;
}
