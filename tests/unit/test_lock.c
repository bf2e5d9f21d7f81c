/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/clock.h"
#include "util/file.h"
#include "util/lock.h"
#include "util/loop.h"

static enum ao_errcode take(struct ao_lock **out, enum ao_lock_mode mode,
			    uint32_t timeout_ms)
{
	struct ao_error *err = ao_lock_take(out, "lock", mode, timeout_ms);
	enum ao_errcode code = ao_error_code(err);

	if (code == AO_ELIMIT)
		EXPECT(strstr(ao_error_message(err), "'lock"));
	ao_error_free(err);
	return code;
}

static void one_holds_the_lock_alone(void)
{
	struct ao_lock *mine = NULL;
	struct ao_lock *other = NULL;

	EXPECT(take(&mine, AO_LOCK_EXCLUSIVE, 0) == AO_OK);
	EXPECT(take(&other, AO_LOCK_EXCLUSIVE, 0) == AO_ELIMIT);
	EXPECT(take(&other, AO_LOCK_SHARED, 20) == AO_ELIMIT);
	EXPECT(!other);
	ao_lock_free(mine);
	EXPECT(take(&other, AO_LOCK_EXCLUSIVE, 0) == AO_OK);
	ao_lock_free(other);
	ao_lock_free(NULL);
}

static void a_removed_lock_leaves_no_file_and_can_be_taken_again(void)
{
	struct ao_lock *lock = NULL;

	EXPECT(take(&lock, AO_LOCK_EXCLUSIVE, 0) == AO_OK);
	ao_lock_remove(lock);
	EXPECT(!ao_file_exists("lock"));
	EXPECT(!ao_file_exists("lock.turn"));
	EXPECT(take(&lock, AO_LOCK_EXCLUSIVE, 0) == AO_OK);
	ao_lock_free(lock);
	ao_lock_remove(NULL);
}

static void several_share_it(void)
{
	struct ao_lock *first = NULL;
	struct ao_lock *second = NULL;
	struct ao_lock *alone = NULL;

	EXPECT(take(&first, AO_LOCK_SHARED, 0) == AO_OK);
	EXPECT(take(&second, AO_LOCK_SHARED, UINT32_MAX) == AO_OK);
	EXPECT(take(&alone, AO_LOCK_EXCLUSIVE, 5) == AO_ELIMIT);
	ao_lock_free(first);
	EXPECT(take(&alone, AO_LOCK_EXCLUSIVE, 0) == AO_ELIMIT);
	ao_lock_free(second);
	EXPECT(take(&alone, AO_LOCK_EXCLUSIVE, 0) == AO_OK);
	ao_lock_free(alone);
}

/*
 * Start a child that takes the lock, tells so, and then waits to be killed.
 * `ours` is what we hold, which a fork would hold as well.
 */
static pid_t holder(int *told_fd_out, struct ao_lock *ours)
{
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC))
		return -1;
	pid = fork();
	if (!pid) {
		struct ao_lock *lock = NULL;

		ao_lock_free(ours);
		if (take(&lock, AO_LOCK_EXCLUSIVE, UINT32_MAX) == AO_OK &&
		    write(ends[1], "x", 1) == 1)
			for (;;)
				pause();
		_exit(1);
	}
	close(ends[1]);
	*told_fd_out = ends[0];
	return pid;
}

static void end_holder(pid_t pid, int told_fd)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(told_fd);
}

static void a_killed_holder_lets_go(void)
{
	struct ao_lock *mine = NULL;
	int told_fd = -1;
	pid_t pid = holder(&told_fd, NULL);
	char byte;

	EXPECT(read(told_fd, &byte, 1) == 1);
	EXPECT(take(&mine, AO_LOCK_SHARED, 0) == AO_ELIMIT);
	end_holder(pid, told_fd);
	EXPECT(take(&mine, AO_LOCK_SHARED, 0) == AO_OK);
	ao_lock_free(mine);
}

static void sharers_who_come_later_wait_behind_one_who_wants_it_alone(void)
{
	struct ao_lock *shared = NULL;
	struct ao_lock *late = NULL;
	enum ao_errcode code = AO_OK;
	int told_fd = -1;
	char byte;
	pid_t pid;

	EXPECT(take(&shared, AO_LOCK_SHARED, 0) == AO_OK);
	pid = holder(&told_fd, shared);
	/* As soon as it stands in the turnstile nobody passes it. */
	for (int i = 0; i < 1000 && code == AO_OK; i++) {
		code = take(&late, AO_LOCK_SHARED, 0);
		if (code == AO_OK)
			ao_lock_free(late);
		ao_clock_sleep_ms(1);
	}
	EXPECT(code == AO_ELIMIT);
	ao_lock_free(shared);
	EXPECT(read(told_fd, &byte, 1) == 1);
	end_holder(pid, told_fd);
}

static void a_lock_file_that_was_removed_does_not_split_the_lock(void)
{
	struct ao_lock *mine = NULL;
	struct ao_lock *other = NULL;
	int told_fd = -1;
	char byte;
	pid_t pid;

	EXPECT(take(&mine, AO_LOCK_EXCLUSIVE, 0) == AO_OK);
	pid = holder(&told_fd, mine); /* waits on the old file */
	ao_clock_sleep_ms(20);
	EXPECT(!unlink("lock"));
	ao_lock_free(mine);
	EXPECT(read(told_fd, &byte, 1) == 1);
	EXPECT(take(&other, AO_LOCK_EXCLUSIVE, 0) == AO_ELIMIT);
	end_holder(pid, told_fd);
}

static void a_lock_that_cannot_be_written_can_be_taken(void)
{
	struct ao_lock *mine = NULL;

	EXPECT(!chmod("lock", 0444));
	EXPECT(take(&mine, AO_LOCK_EXCLUSIVE, 0) == AO_OK);
	ao_lock_free(mine);
}

static void a_missing_folder_is_an_error(void)
{
	struct ao_lock *mine = NULL;
	struct ao_error *err = ao_lock_take(&mine, "no/such/lock",
					    AO_LOCK_SHARED, 0);

	EXPECT(ao_error_code(err) == AO_ENOTFOUND && !mine);
	ao_error_free(err);
}

static void an_interrupt_ends_the_waiting(void)
{
	struct ao_loop *loop = ao_loop_new();
	struct ao_lock *mine = NULL;
	struct ao_lock *other = NULL;
	struct ao_error *err = ao_loop_catch_interrupt(loop);
	pid_t self = getpid();
	pid_t pid;

	EXPECT(!err);
	ao_error_free(err);
	EXPECT(take(&mine, AO_LOCK_EXCLUSIVE, 0) == AO_OK);
	pid = fork();
	if (!pid) {
		/* Again and again, as the first may come before the wait. */
		for (;;) {
			ao_clock_sleep_ms(20);
			kill(self, SIGINT);
		}
	}
	EXPECT(take(&other, AO_LOCK_EXCLUSIVE, UINT32_MAX) == AO_ECANCELED);
	EXPECT(take(&other, AO_LOCK_EXCLUSIVE, 1000000) == AO_ECANCELED);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	EXPECT(ao_loop_interrupted(loop) >= 2);
	ao_lock_free(mine);
	ao_loop_free(loop);
}

int main(void)
{
	char *folder = NULL;
	struct ao_error *err = ao_file_temp_folder(&folder);

	setvbuf(stdout, NULL, _IOLBF, 0); /* nothing twice after a fork */
	if (err || chdir(folder))
		return 1;
	RUN(one_holds_the_lock_alone);
	RUN(a_removed_lock_leaves_no_file_and_can_be_taken_again);
	RUN(several_share_it);
	RUN(a_killed_holder_lets_go);
	RUN(sharers_who_come_later_wait_behind_one_who_wants_it_alone);
	RUN(a_lock_file_that_was_removed_does_not_split_the_lock);
	RUN(a_lock_that_cannot_be_written_can_be_taken);
	RUN(a_missing_folder_is_an_error);
	RUN(an_interrupt_ends_the_waiting);
	ao_file_remove_tree(folder);
	free(folder);
	return tap_done();
}
