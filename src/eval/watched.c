/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "eval/watched.h"

/* /proc/PID/stat: its size, and fields from the state to the threads. */
enum { STAT_SIZE = 512, STAT_THREADS = 17 };

void ao_watched_open(struct ao_watched *out, pid_t pid)
{
	char path[64];

	*out = AO_WATCHED_NONE;
	out->has_clock = !clock_getcpuclockid(pid, &out->clock);
	out->fd = (int)syscall(SYS_pidfd_open, pid, 0);
	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	out->stat = open(path, O_RDONLY | O_CLOEXEC);
}

void ao_watched_close(struct ao_watched *watched)
{
	if (watched->stat >= 0)
		close(watched->stat);
	if (watched->fd >= 0)
		close(watched->fd);
	*watched = AO_WATCHED_NONE;
}

uint64_t ao_watched_cpu_ns(struct ao_watched *watched)
{
	struct timespec time;

	if (watched->has_clock && !clock_gettime(watched->clock, &time))
		watched->seen_cpu_ns = (uint64_t)time.tv_sec * 1000000000 +
				       (uint64_t)time.tv_nsec;
	return watched->seen_cpu_ns;
}

/*
 * Of "PID (NAME) STATE ...", where the name may hold anything, what begins with
 * the state; "" if it cannot be read.
 */
static const char *read_stat(char text[STAT_SIZE],
			     const struct ao_watched *watched)
{
	ssize_t len = pread(watched->stat, text, STAT_SIZE - 1, 0);
	const char *name_end;

	if (len <= 0)
		return "";
	text[len] = '\0';
	name_end = strrchr(text, ')');
	return name_end && name_end[1] == ' ' ? name_end + 2 : "";
}

bool ao_watched_is_awake(const struct ao_watched *watched)
{
	char text[STAT_SIZE];

	return *read_stat(text, watched) == 'R';
}

uint32_t ao_watched_threads(const struct ao_watched *watched)
{
	char text[STAT_SIZE];
	const char *field = read_stat(text, watched);

	for (int i = 0; i < STAT_THREADS && *field; i++) {
		field += strcspn(field, " ");
		field += *field == ' ';
	}
	return (uint32_t)strtoul(field, NULL, 10);
}

bool ao_watched_signal(const struct ao_watched *watched, int number)
{
	return !syscall(SYS_pidfd_send_signal, watched->fd, number, NULL, 0);
}
