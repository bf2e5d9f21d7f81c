/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/file.h"

/* Append to `out` until the end of `fd`. */
static struct ao_error *read_all(struct ao_buf *out, int fd, const char *path)
{
	char chunk[16384];

	for (;;) {
		ssize_t got = read(fd, chunk, sizeof(chunk));

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return ao_error_errno("cannot read '%s'", path);
		if (!got)
			return NULL;
		ao_buf_add(out, chunk, (size_t)got);
		if (out->overflow)
			return ao_buf_check(out, path);
	}
}

struct ao_error *ao_file_read(struct ao_buf *out, const char *path)
{
	size_t len = out->len;
	struct ao_error *err;
	struct stat st;
	int fd;

	/* O_NONBLOCK: opening a pipe without a writer would wait for one. */
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return ao_error_errno("cannot open '%s'", path);
	if (fstat(fd, &st))
		err = ao_error_errno("cannot inspect '%s'", path);
	else if (!S_ISREG(st.st_mode))
		err = ao_error_new(AO_EINVALID, "'%s' is not a regular file",
				   path);
	else
		err = read_all(out, fd, path);
	close(fd);
	if (err) {
		out->len = len;
		out->overflow = false;
		if (out->alloc)
			out->ptr[len] = '\0';
	}
	return err;
}

bool ao_file_write_fd(int fd, const void *data, size_t len)
{
	const char *from = data;

	while (len) {
		ssize_t done = write(fd, from, len);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return false;
		from += done;
		len -= (size_t)done;
	}
	return true;
}

/* Close `fd`; an error that came before wins. */
static struct ao_error *close_written(int fd, const char *path,
				      struct ao_error *err)
{
	if (close(fd) && !err)
		err = ao_error_errno("cannot write '%s'", path);
	return err;
}

struct ao_error *ao_file_write(const char *path, const void *data, size_t len)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	struct ao_error *err = NULL;

	if (fd < 0)
		return ao_error_errno("cannot create '%s'", path);
	if (!ao_file_write_fd(fd, data, len))
		err = ao_error_errno("cannot write '%s'", path);
	return close_written(fd, path, err);
}

/* The folder that `path` is in; the caller frees it. */
static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return ao_xstrdup(".");
	return slash == path ? ao_xstrdup("/")
			     : ao_xstrndup(path, (size_t)(slash - path));
}

struct ao_error *ao_file_sync_folder(const char *path)
{
	struct ao_error *err = NULL;
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	/* EINVAL: a file system that has no such call, and no such need. */
	if (fd < 0 || (fsync(fd) && errno != EINVAL))
		err = ao_error_errno("cannot sync '%s'", path);
	if (fd >= 0)
		close(fd);
	return err;
}

static struct ao_error *sync_folder_of(const char *path)
{
	char *folder = folder_of(path);
	struct ao_error *err = ao_file_sync_folder(folder);

	free(folder);
	return err;
}

/* The mode that a replaced file keeps and a new one gets. */
static mode_t mode_for(const char *path)
{
	struct stat st;
	mode_t mask;

	if (!stat(path, &st))
		return st.st_mode & 07777;
	mask = umask(0);
	umask(mask);
	return 0666 & ~mask;
}

struct ao_error *ao_file_replace(const char *path, const void *data, size_t len)
{
	char *temp = ao_xstrf("%s.XXXXXX", path);
	struct ao_error *err = NULL;
	int fd = mkostemp(temp, O_CLOEXEC);

	if (fd < 0) {
		err = ao_error_errno("cannot create a file beside '%s'", path);
		free(temp);
		return err;
	}
	if (!ao_file_write_fd(fd, data, len) || fchmod(fd, mode_for(path)) ||
	    fsync(fd))
		err = ao_error_errno("cannot write '%s'", temp);
	err = close_written(fd, temp, err);
	if (!err && rename(temp, path))
		err = ao_error_errno("cannot replace '%s'", path);
	if (err)
		unlink(temp);
	else
		err = sync_folder_of(path);
	free(temp);
	return err;
}

/* Whether something other than a file, such as a device, has that name. */
static bool is_special(const char *path)
{
	struct stat st;

	return !stat(path, &st) && !S_ISREG(st.st_mode);
}

struct ao_error *ao_file_output_check(const char *path)
{
	struct ao_error *err = NULL;
	struct stat st;
	char *folder;

	if (!stat(path, &st) && S_ISDIR(st.st_mode))
		return ao_error_new(AO_EINVALID, "'%s' is a folder", path);
	if (is_special(path))
		return NULL;
	folder = folder_of(path);
	if (access(folder, W_OK | X_OK))
		err = ao_error_errno("cannot write to the folder '%s'", folder);
	free(folder);
	return err;
}

struct ao_error *ao_file_output(const char *path, const void *data, size_t len)
{
	char *target;
	struct ao_error *err = ao_file_output_check(path);

	if (err)
		return err;
	if (is_special(path))
		return ao_file_write(path, data, len);
	target = realpath(path, NULL);
	err = ao_file_replace(target ? target : path, data, len);
	free(target);
	return err;
}

static struct ao_error *make_one_folder(const char *path)
{
	struct stat st;

	if (!mkdir(path, 0777))
		return NULL;
	if (errno == EEXIST && !stat(path, &st) && !S_ISDIR(st.st_mode))
		return ao_error_new(AO_EIO, "'%s' is in the way: not a folder",
				    path);
	if (errno == EEXIST)
		return NULL;
	return ao_error_errno("cannot make the folder '%s'", path);
}

struct ao_error *ao_file_make_folder(const char *path)
{
	char *part = ao_xstrdup(path);
	struct ao_error *err = NULL;

	for (char *slash = part; !err && *slash; slash++) {
		if (*slash != '/' || slash == part)
			continue;
		*slash = '\0';
		err = make_one_folder(part);
		*slash = '/';
	}
	if (!err)
		err = make_one_folder(part);
	free(part);
	return err;
}

struct ao_error *ao_file_temp_folder(char **path_out)
{
	const char *root = getenv("TMPDIR");
	char *path;

	path = ao_xstrf("%s/git-accelopt.XXXXXX",
			root && *root ? root : "/tmp");
	if (!mkdtemp(path)) {
		struct ao_error *err = ao_error_errno(
			"cannot make the folder '%s'", path);

		free(path);
		return err;
	}
	*path_out = path;
	return NULL;
}

static int remove_one(const char *path, const struct stat *st, int flag,
		      struct FTW *ftw)
{
	(void)st;
	(void)flag;
	(void)ftw;
	remove(path);
	return 0;
}

static int open_up(const char *path, const struct stat *st, int flag,
		   struct FTW *ftw)
{
	(void)st;
	(void)ftw;
	if (flag == FTW_D || flag == FTW_DNR)
		chmod(path, 0700);
	return 0;
}

void ao_file_remove_tree(const char *path)
{
	/*
	 * Programs under test may leave folders that cannot be read or written.
	 * Each round opens up one more level of those.
	 */
	for (int round = 0; round < 8; round++) {
		nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
		if (!ao_file_exists(path))
			return;
		nftw(path, open_up, 16, FTW_PHYS | FTW_MOUNT);
	}
}

struct ao_error *ao_file_list(struct ao_strs *names_out, const char *path)
{
	struct ao_strs names = { 0 };
	struct ao_error *err = NULL;
	struct dirent *entry;
	DIR *dir = opendir(path);

	if (!dir)
		return ao_error_errno("cannot open the folder '%s'", path);
	for (errno = 0; (entry = readdir(dir)); errno = 0)
		if (strcmp(entry->d_name, ".") != 0 &&
		    strcmp(entry->d_name, "..") != 0)
			ao_strs_push(&names, entry->d_name);
	if (errno)
		err = ao_error_errno("cannot read the folder '%s'", path);
	closedir(dir);
	if (err) {
		ao_strs_release(&names);
		return err;
	}
	ao_strs_sort_unique(&names);
	*names_out = names;
	return NULL;
}

bool ao_file_exists(const char *path)
{
	struct stat st;

	return !lstat(path, &st);
}

struct ao_error *ao_file_cache_folder(char **path_out)
{
	const char *cache = getenv("XDG_CACHE_HOME");
	const char *home = getenv("HOME");
	struct ao_error *err;
	char *path;

	/* The XDG specification: a path that is not absolute is ignored. */
	if (cache && *cache == '/')
		path = ao_xstrf("%s/git-accelopt", cache);
	else if (home && *home)
		path = ao_xstrf("%s/.cache/git-accelopt", home);
	else
		return ao_error_new(AO_EUSAGE,
				    "no place for a cache: set HOME or "
				    "XDG_CACHE_HOME");
	err = ao_file_make_folder(path);
	if (err) {
		free(path);
		return err;
	}
	*path_out = path;
	return NULL;
}

struct ao_error *ao_file_self(char **path_out)
{
	char path[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path));

	if (len < 0)
		return ao_error_errno("cannot find the running program");
	if ((size_t)len == sizeof(path))
		return ao_error_new(AO_ELIMIT,
				    "the path of the running program is over "
				    "%zu bytes",
				    sizeof(path));
	*path_out = ao_xstrndup(path, (size_t)len);
	return NULL;
}
