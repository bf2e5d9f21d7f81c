/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <errno.h>
#include <sys/resource.h>

#include "eval/quiet.h"
#include "util/clock.h"

/* Looks at the clock are some 30 ns apart, a timer's interrupt takes 5 us. */
static const uint64_t least_gap_ns = 10000;
static const uint64_t probe_ns = 3000000;
static const uint64_t patience_ns = UINT64_C(2000000000);
static const double loud = 0.15;

enum { WAIT_MS = 20, NICE = -20 };

/* The judge can always stop a worker. */
enum { WORKER_PRIORITY = 1, JUDGE_PRIORITY };

static int first_cpu(const cpu_set_t *set)
{
	int cpu = 0;

	while (cpu < CPU_SETSIZE - 1 && !CPU_ISSET(cpu, set))
		cpu++;
	return cpu;
}

/* The farthest one: a neighbour may be the same core under another name. */
static int last_cpu(const cpu_set_t *set)
{
	int cpu = CPU_SETSIZE - 1;

	while (cpu > 0 && !CPU_ISSET(cpu, set))
		cpu--;
	return cpu;
}

static void pin(pid_t pid, int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(pid, sizeof(set), &set);
}

static void raise_priority(pid_t pid, int policy, int priority)
{
	struct sched_param param = { .sched_priority = priority };

	if (sched_setscheduler(pid, policy, &param))
		setpriority(PRIO_PROCESS, (id_t)pid, NICE);
}

uint32_t ao_quiet_count(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set)
		       ? 1
		       : (uint32_t)CPU_COUNT(&set);
}

static bool has_more(const cpu_set_t *set, uint32_t threads)
{
	return CPU_COUNT(set) > (int)(threads ? threads : 1);
}

bool ao_quiet_has_spare(uint32_t threads)
{
	return ao_quiet_count() > (threads ? threads : 1);
}

void ao_quiet_cpus(cpu_set_t *out, uint32_t threads)
{
	sched_getaffinity(0, sizeof(*out), out);
	while (CPU_COUNT(out) > 1 && has_more(out, threads))
		CPU_CLR(first_cpu(out), out);
}

void ao_quiet_init(struct ao_quiet *out, uint32_t threads)
{
	*out = (struct ao_quiet){ .patience_ns = patience_ns,
				  .has_threads = threads };
	sched_getaffinity(0, sizeof(out->before), &out->before);
	out->has_spare = has_more(&out->before, threads);
	out->judge_cpu = first_cpu(&out->before);
	out->worker_cpu = last_cpu(&out->before);
	out->policy_before = sched_getscheduler(0);
	sched_getparam(0, &out->priority_before);
	out->nice_before = getpriority(PRIO_PROCESS, 0);
}

void ao_quiet_begin(const struct ao_quiet *quiet)
{
	pin(0, quiet->judge_cpu);
	raise_priority(0, SCHED_FIFO | SCHED_RESET_ON_FORK, JUDGE_PRIORITY);
}

void ao_quiet_end(const struct ao_quiet *quiet)
{
	sched_setscheduler(0, quiet->policy_before, &quiet->priority_before);
	setpriority(PRIO_PROCESS, 0, quiet->nice_before);
	sched_setaffinity(0, sizeof(quiet->before), &quiet->before);
}

void ao_quiet_place(const struct ao_quiet *quiet, pid_t worker)
{
	if (quiet->has_threads) {
		raise_priority(worker, SCHED_RR, WORKER_PRIORITY);
		return;
	}
	pin(worker, quiet->worker_cpu);
	raise_priority(worker, SCHED_FIFO | SCHED_RESET_ON_FORK,
		       WORKER_PRIORITY);
}

/* The share of a few milliseconds that this process did not get. */
static double find_gaps(void)
{
	uint64_t start = ao_clock_now_ns(), last = start, lost = 0;

	while (last - start < probe_ns) {
		uint64_t now = ao_clock_now_ns();

		if (now - last >= least_gap_ns)
			lost += now - last;
		last = now;
	}
	return (double)lost / (double)(last - start);
}

double ao_quiet_look(bool *is_loud_out)
{
	double gaps = find_gaps();

	*is_loud_out = gaps > loud;
	return gaps;
}

double ao_quiet_await(struct ao_quiet *quiet)
{
	double gaps;

	for (;;) {
		uint64_t start = ao_clock_now_ns(), took;

		pin(0, quiet->worker_cpu);
		gaps = find_gaps();
		pin(0, quiet->judge_cpu);
		if (gaps <= loud || !quiet->patience_ns)
			return gaps;
		ao_clock_sleep_ms(WAIT_MS);
		took = ao_clock_now_ns() - start;
		quiet->patience_ns -= took < quiet->patience_ns
					      ? took
					      : quiet->patience_ns;
	}
}
