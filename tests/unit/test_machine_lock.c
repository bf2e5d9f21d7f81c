/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include <sys/stat.h>

#include "eval/machine_lock.h"
#include "eval_task.h"
#include "util/file.h"

static char *folder;

static struct ao_error *take(struct ao_lock **out, enum ao_lock_mode mode)
{
	return ao_machine_lock_take_in(out, folder, mode, 50);
}

static void builds_share_it(void)
{
	struct ao_lock *a = NULL, *b = NULL;

	must(take(&a, AO_LOCK_SHARED));
	must(take(&b, AO_LOCK_SHARED));
	EXPECT(a && b);
	ao_lock_free(a);
	ao_lock_free(b);
}

static void timing_has_it_alone(void)
{
	struct ao_lock *alone = NULL, *other = NULL;

	must(take(&alone, AO_LOCK_EXCLUSIVE));
	EXPECT(code_of(take(&other, AO_LOCK_SHARED)) == AO_ELIMIT);
	EXPECT(code_of(take(&other, AO_LOCK_EXCLUSIVE)) == AO_ELIMIT);
	ao_lock_free(alone);
	must(take(&other, AO_LOCK_EXCLUSIVE));
	ao_lock_free(other);
}

static bool is_open_to_all(const char *name)
{
	char *path = ao_xstrf("%s/%s", folder, name);
	struct stat st;
	bool open = !stat(path, &st) && (st.st_mode & 0777) == 0666;

	free(path);
	return open;
}

static void every_user_may_open_it_whatever_the_umask(void)
{
	struct ao_lock *lock = NULL;
	mode_t mask = umask(077);

	ao_file_remove_tree(folder);
	umask(mask);
	must(ao_file_make_folder(folder));
	umask(077);
	must(take(&lock, AO_LOCK_SHARED));
	umask(mask);
	EXPECT(is_open_to_all("git-accelopt.lock"));
	EXPECT(is_open_to_all("git-accelopt.lock.turn"));
	ao_lock_free(lock);
}

static void a_folder_that_is_not_there_is_an_error(void)
{
	struct ao_lock *lock = NULL;
	struct ao_error *err = ao_machine_lock_take_in(&lock, "/nowhere",
						       AO_LOCK_SHARED, 50);

	EXPECT(tells(err, "cannot get a turn at the machine"));
}

int main(void)
{
	must(ao_file_temp_folder(&folder));
	RUN(builds_share_it);
	RUN(timing_has_it_alone);
	RUN(every_user_may_open_it_whatever_the_umask);
	RUN(a_folder_that_is_not_there_is_an_error);
	ao_file_remove_tree(folder);
	free(folder);
	return tap_done();
}
