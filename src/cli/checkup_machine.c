/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <sched.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "util/clock.h"
#include "util/file.h"

#include "eval/cpu.h"
#include "eval/machine_lock.h"
#include "eval/probe.h"
#include "eval/quiet.h"

#include "cli/checkup.h"

static const uint64_t little_disk_bytes = (uint64_t)256 << 20;
static const uint64_t little_memory_bytes = (uint64_t)1 << 30;
static const uint64_t slow_look_ns = 1000;

enum { LOOKS = 1000, JUDGE_PRIORITY = 2, MIB = 1 << 20 };

static void look_at_cpus(struct ao_findings *out)
{
	struct ao_cpu cpu = { 0 };
	cpu_set_t set;
	unsigned count = 1;

	ao_cpu_detect(&cpu);
	if (!sched_getaffinity(0, sizeof(set), &set))
		count = (unsigned)CPU_COUNT(&set);
	if (ao_quiet_has_spare(1))
		ao_findings_add(out, AO_FINDING_OK, "CPUs",
				ao_xstrf("%u of %" PRIu32 " may be used, %s",
					 count, cpu.cores, cpu.model),
				NULL);
	else
		ao_findings_advise(
			out, AO_FINDING_WARNING, "CPUs",
			ao_xstrf("one of %" PRIu32 " may be used, %s: judge "
				 "and kernel take turns, and times are noisier",
				 cpu.cores, cpu.model),
			"give it two (taskset, docker --cpuset-cpus)");
	ao_cpu_release(&cpu);
}

/* Try it, for a moment: who may is a matter of limits, users, namespaces. */
static bool may_go_first(void)
{
	const struct sched_param first = { .sched_priority = JUDGE_PRIORITY };
	struct sched_param before;
	int policy = sched_getscheduler(0);

	if (sched_getparam(0, &before) ||
	    sched_setscheduler(0, SCHED_FIFO, &first))
		return false;
	sched_setscheduler(0, policy, &before);
	return true;
}

static void look_at_priority(struct ao_findings *out)
{
	if (may_go_first())
		ao_findings_add(out, AO_FINDING_OK, "priority",
				ao_xstrdup("timing goes before other work"),
				NULL);
	else
		ao_findings_advise(out, AO_FINDING_WARNING, "priority",
				   ao_xstrdup("timing waits for other work"),
				   "allow this user a real-time priority of 2 "
				   "(rtprio in limits.conf, ulimit -r)");
}

/* Who times now holds it: that is no fault. */
static void look_at_lock(struct ao_findings *out)
{
	const char *folder = ao_machine_lock_folder();
	struct ao_lock *lock = NULL;
	struct ao_error *err = ao_machine_lock_take_in(&lock, folder,
						       AO_LOCK_SHARED, 0);
	bool is_busy = ao_error_code(err) == AO_ELIMIT;

	if (!err || is_busy)
		ao_findings_add(
			out, AO_FINDING_OK, "timing lock",
			ao_xstrf("%s/git-accelopt.lock%s", folder,
				 is_busy ? ", somebody is timing now" : ""),
			NULL);
	else
		ao_findings_advise(
			out, AO_FINDING_ERROR, "timing lock",
			ao_xstrf("%s: %s", folder,
				 ao_error_message(ao_error_cause(err)
							  ? ao_error_cause(err)
							  : err)),
			"it is a file that every user of the "
			"machine may open; remove it if it is "
			"somebody else's leftover");
	ao_error_free(err);
	ao_lock_free(lock);
}

static void look_at_clock(struct ao_findings *out)
{
	static const char path[] = "/sys/devices/system/clocksource/"
				   "clocksource0/current_clocksource";
	struct ao_buf name = AO_BUF_INIT(64);
	struct ao_error *err = ao_file_read(&name, path);
	uint64_t from_ns = ao_clock_now_ns(), look_ns;
	char *text;

	for (int i = 0; i < LOOKS; i++)
		ao_clock_now_ns();
	look_ns = (ao_clock_now_ns() - from_ns) / LOOKS;
	text = ao_xstrf("%.*s, a look takes %" PRIu64 " ns",
			err ? (int)strlen("unknown")
			    : (int)strcspn(name.ptr, "\n"),
			err ? "unknown" : name.ptr, look_ns);
	if (look_ns < slow_look_ns)
		ao_findings_add(out, AO_FINDING_OK, "clock", text, NULL);
	else
		ao_findings_advise(out, AO_FINDING_WARNING, "clock", text,
				   "a clock that is read without the kernel's "
				   "help is better: tsc, or kvm-clock in a "
				   "guest");
	ao_error_free(err);
	ao_buf_release(&name);
}

static void look_at_noise(struct ao_findings *out)
{
	bool is_loud;
	double gaps = ao_quiet_look(&is_loud);
	char *text = ao_xstrf("others took %.0f %% of this CPU just now",
			      100 * gaps);

	if (is_loud)
		ao_findings_advise(out, AO_FINDING_WARNING, "noise", text,
				   "timing takes longer and decides less; stop "
				   "other work, or evaluate on a quieter "
				   "machine (accelopt.runner)");
	else
		ao_findings_add(out, AO_FINDING_OK, "noise", text, NULL);
}

static void look_at_ceilings(struct ao_findings *out)
{
	struct ao_machine machine = { 0 };
	struct ao_error *err = ao_probe_machine(&machine);

	if (!err)
		ao_findings_add(out, AO_FINDING_OK, "ceilings",
				ao_xstrdup(ao_probe_knows_peaks(&machine)
						   ? "measured"
						   : "not measured yet; the "
						     "first evaluation takes "
						     "4 s for it"),
				NULL);
	/* Without a compiler there is no machine, which is said already. */
	ao_error_free(err);
	ao_machine_release(&machine);
}

static void look_at_temporary(struct ao_findings *out)
{
	const char *folder = getenv("TMPDIR");
	struct statvfs stat;
	uint64_t free_bytes;
	char *text;

	if (!folder || !*folder)
		folder = "/tmp";
	if (statvfs(folder, &stat) || access(folder, W_OK | X_OK)) {
		ao_findings_advise(out, AO_FINDING_ERROR, "temporary",
				   ao_xstrf("%s cannot be written to", folder),
				   "name a folder that can, by TMPDIR");
		return;
	}
	free_bytes = (uint64_t)stat.f_bavail * stat.f_frsize;
	text = ao_xstrf(
		"%s has %" PRIu64 " MiB left%s", folder, free_bytes / MIB,
		stat.f_flag & ST_NOEXEC ? ", and runs no programs" : "");
	if (free_bytes < little_disk_bytes)
		ao_findings_advise(out, AO_FINDING_WARNING, "temporary", text,
				   "an object may have 64 MiB; make room, or "
				   "name another folder by TMPDIR");
	else if (stat.f_flag & ST_NOEXEC)
		ao_findings_advise(out, AO_FINDING_WARNING, "temporary", text,
				   "'eval --cachegrind' would; name another "
				   "folder by TMPDIR");
	else
		ao_findings_add(out, AO_FINDING_OK, "temporary", text, NULL);
}

static void look_at_memory(struct ao_findings *out)
{
	struct ao_buf text = AO_BUF_INIT(64 << 10);
	struct ao_error *err = ao_file_read(&text, "/proc/meminfo");
	const char *line = err ? NULL : strstr(text.ptr, "MemAvailable:");
	uint64_t bytes = line ? strtoull(strchr(line, ':') + 1, NULL, 10) << 10
			      : 0;

	if (!line)
		ao_findings_add(out, AO_FINDING_OK, "memory",
				ao_xstrdup("/proc does not tell"), NULL);
	else if (bytes < little_memory_bytes)
		ao_findings_advise(
			out, AO_FINDING_WARNING, "memory",
			ao_xstrf("%" PRIu64 " MiB available", bytes / MIB),
			"large tasks and measuring bandwidth need "
			"more");
	else
		ao_findings_add(
			out, AO_FINDING_OK, "memory",
			ao_xstrf("%" PRIu64 " MiB available", bytes / MIB),
			NULL);
	ao_findings_add(out, AO_FINDING_OK, "/dev/shm",
			ao_xstrf("%s; it is not used", access("/dev/shm", F_OK)
							       ? "not there"
							       : "there"),
			NULL);
	ao_error_free(err);
	ao_buf_release(&text);
}

void ao_checkup_machine(struct ao_findings *out)
{
	look_at_cpus(out);
	look_at_priority(out);
	look_at_lock(out);
	look_at_clock(out);
	look_at_noise(out);
	look_at_ceilings(out);
	look_at_temporary(out);
	look_at_memory(out);
}
