/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "store/keep.h"
#include "util/file.h"
#include "util/text.h"

/* What our files begin with; the process id behind it is for people. */
static const char label[] = "git accelopt ";

/*
 * While its process lives, the file is locked: unlike a process id the lock
 * cannot be taken for somebody else's, and goes with its holder.
 */
struct ao_keep {
	int fd;
	char *path;
	struct ao_keep *next;
};

static struct ao_error *write_keep(int fd, const char *path)
{
	char text[sizeof(label) + 24];
	int len = snprintf(text, sizeof(text), "%s%ld\n", label,
			   (long)getpid());

	if (flock(fd, LOCK_EX | LOCK_NB))
		return ao_error_errno("cannot lock '%s'", path);
	if (!ao_file_write_fd(fd, text, (size_t)len))
		return ao_error_errno("cannot write '%s'", path);
	return NULL;
}

struct ao_error *ao_keep_add(struct ao_keep **list, const char *folder,
			     const char *name)
{
	char *path = ao_xstrf("%s/pack-%s.keep", folder, name);
	struct ao_error *err = NULL;
	struct ao_keep *keep;
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
		      0666);

	if (fd < 0) {
		if (errno != EEXIST)
			err = ao_error_errno("cannot create '%s'", path);
		free(path);
		return err;
	}
	err = write_keep(fd, path);
	if (err) {
		unlink(path);
		close(fd);
		free(path);
		return err;
	}
	keep = ao_xcalloc(1, sizeof(*keep));
	*keep = (struct ao_keep){ .fd = fd, .path = path, .next = *list };
	*list = keep;
	return NULL;
}

void ao_keep_drop(struct ao_keep **list)
{
	while (*list) {
		struct ao_keep *keep = *list;

		*list = keep->next;
		unlink(keep->path);
		close(keep->fd);
		free(keep->path);
		free(keep);
	}
}

/* Whether it is one of ours, and nobody holds its lock. */
static bool is_stale(const char *path)
{
	char text[sizeof(label) - 1];
	bool is_one;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

	if (fd < 0)
		return false;
	is_one = read(fd, text, sizeof(text)) == (ssize_t)sizeof(text) &&
		 !memcmp(text, label, sizeof(text)) &&
		 !flock(fd, LOCK_EX | LOCK_NB);
	close(fd);
	return is_one;
}

void ao_keep_clean(const char *folder)
{
	struct ao_strs names = { 0 };
	struct ao_error *err = ao_file_list(&names, folder);

	ao_error_free(err); /* no such folder: nothing to clean */
	for (size_t i = 0; i < names.count; i++) {
		char *path;

		if (!ao_text_ends_with(names.v[i], ".keep"))
			continue;
		path = ao_xstrf("%s/%s", folder, names.v[i]);
		if (is_stale(path))
			unlink(path);
		free(path);
	}
	ao_strs_release(&names);
}
