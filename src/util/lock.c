/* SPDX-License-Identifier: MIT */
/*
 * flock(2) lets sharers overtake for ever one who asks for the lock alone.  So
 * all pass through a turnstile first, a second lock file held while waiting
 * for the real one: who waits alone stands in it, and those who come later
 * queue behind.
 */
#include "util/base.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "util/clock.h"
#include "util/lock.h"

struct ao_lock {
	int fd;
	char *path;
};

/* How long to wait, and for what. */
struct patience {
	const char *path; /* in messages */
	uint32_t timeout_ms;
	uint64_t until_ns;
};

/*
 * Locks may be shared by users who cannot write each other's files; and in a
 * sticky folder O_CREAT fails on a file of somebody else, so it comes last.
 */
static int open_lock(const char *path)
{
	const int flags = O_CLOEXEC | O_NOFOLLOW | O_NOCTTY;
	int fd = open(path, O_RDWR | flags);

	if (fd < 0 && errno == EACCES)
		fd = open(path, O_RDONLY | flags);
	if (fd < 0 && errno == ENOENT)
		fd = open(path, O_RDWR | O_CREAT | flags, 0666);
	return fd;
}

/* Sleep before the next try; `round` counts them. */
static struct ao_error *wait_a_bit(const struct patience *patience,
				   unsigned round)
{
	uint64_t nap_ns = (uint64_t)1000000 << (round < 5 ? round : 5);
	uint64_t now_ns = ao_clock_now_ns();
	struct timespec nap = { 0 };

	if (now_ns >= patience->until_ns)
		return ao_error_new(AO_ELIMIT,
				    "'%s' is held by another program; waited "
				    "%" PRIu32 " ms",
				    patience->path, patience->timeout_ms);
	if (nap_ns > patience->until_ns - now_ns)
		nap_ns = patience->until_ns - now_ns;
	nap.tv_nsec = (long)nap_ns;
	if (nanosleep(&nap, NULL))
		return ao_error_new(AO_ECANCELED,
				    "interrupted while waiting for '%s'",
				    patience->path);
	return NULL;
}

/*
 * With a time limit we ask again and again: the alternative, an alarm, would
 * take the process's only SIGALRM.  Without one the kernel queues us.
 */
static struct ao_error *lock_fd(int fd, int how,
				const struct patience *patience)
{
	bool is_patient = patience->timeout_ms == UINT32_MAX;

	for (unsigned round = 0;; round++) {
		struct ao_error *err;

		if (!flock(fd, is_patient ? how : how | LOCK_NB))
			return NULL;
		if (errno == EINTR)
			return ao_error_new(AO_ECANCELED,
					    "interrupted while waiting for "
					    "'%s'",
					    patience->path);
		if (errno != EWOULDBLOCK)
			return ao_error_errno("cannot lock '%s'",
					      patience->path);
		err = wait_a_bit(patience, round);
		if (err)
			return err;
	}
}

/* Whether `path` still is the file that `fd` has open. */
static bool is_current(int fd, const char *path)
{
	struct stat mine, theirs;

	return !fstat(fd, &mine) && !lstat(path, &theirs) &&
	       mine.st_dev == theirs.st_dev && mine.st_ino == theirs.st_ino;
}

/* Open and lock `path`; again if somebody removed the file meanwhile. */
static struct ao_error *open_and_lock(int *fd_out, const char *path, int how,
				      const struct patience *patience)
{
	for (;;) {
		struct ao_error *err;
		int fd = open_lock(path);

		if (fd < 0)
			return ao_error_errno("cannot open the lock file '%s'",
					      path);
		err = lock_fd(fd, how, patience);
		if (!err && is_current(fd, path)) {
			*fd_out = fd;
			return NULL;
		}
		close(fd);
		if (err)
			return err;
	}
}

struct ao_error *ao_lock_take(struct ao_lock **out, const char *path,
			      enum ao_lock_mode mode, uint32_t timeout_ms)
{
	struct patience patience = {
		.path = path,
		.timeout_ms = timeout_ms,
		.until_ns = ao_clock_now_ns() + (uint64_t)timeout_ms * 1000000,
	};
	char *turn_path = ao_xstrf("%s.turn", path);
	struct ao_error *err;
	int turn = -1;
	int fd = -1;

	err = open_and_lock(&turn, turn_path, LOCK_EX, &patience);
	if (err)
		goto out;
	err = open_and_lock(&fd, path,
			    mode == AO_LOCK_SHARED ? LOCK_SH : LOCK_EX,
			    &patience);
	if (err)
		goto out;
	*out = ao_xcalloc(1, sizeof(**out));
	(*out)->fd = fd;
	(*out)->path = ao_xstrdup(path);
out:
	if (turn >= 0)
		close(turn);
	free(turn_path);
	return err;
}

void ao_lock_free(struct ao_lock *lock)
{
	if (!lock)
		return;
	close(lock->fd);
	free(lock->path);
	free(lock);
}

void ao_lock_remove(struct ao_lock *lock)
{
	char *turn_path;

	if (!lock)
		return;
	turn_path = ao_xstrf("%s.turn", lock->path);
	/* While it is held: is_current() tells those who wait. */
	unlink(lock->path);
	unlink(turn_path);
	free(turn_path);
	ao_lock_free(lock);
}
