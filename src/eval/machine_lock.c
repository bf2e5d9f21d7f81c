/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "eval/machine_lock.h"

/*
 * Make a lock file that every user may open, whatever our umask.  Failure is
 * left to ao_lock_take(), which says what is wrong with the path.
 */
static void make_open_to_all(const char *path)
{
	int fd = open(path,
		      O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW |
			      O_NOCTTY,
		      0666);

	if (fd < 0)
		return;
	if (fchmod(fd, 0666))
		unlink(path);
	close(fd);
}

struct ao_error *ao_machine_lock_take_in(struct ao_lock **out,
					 const char *folder,
					 enum ao_lock_mode mode,
					 uint32_t timeout_ms)
{
	char *path = ao_xstrf("%s/git-accelopt.lock", folder);
	char *turn = ao_xstrf("%s.turn", path); /* the lock's turnstile */
	struct ao_error *err;

	make_open_to_all(path);
	make_open_to_all(turn);
	err = ao_lock_take(out, path, mode, timeout_ms);
	free(turn);
	free(path);
	if (err)
		return ao_error_wrap(err, "cannot get a turn at the machine");
	return NULL;
}

const char *ao_machine_lock_folder(void)
{
	static const char folder[] = "/run/lock";

	return access(folder, W_OK | X_OK) ? "/tmp" : folder;
}

struct ao_error *ao_machine_lock_take(struct ao_lock **out,
				      enum ao_lock_mode mode)
{
	return ao_machine_lock_take_in(out, ao_machine_lock_folder(), mode,
				       UINT32_MAX);
}
