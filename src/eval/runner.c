/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "eval/control.h"
#include "eval/keeper.h"
#include "eval/runner.h"
#include "eval/watched.h"
#include "util/clock.h"

/* What trusted code may take: to fork and map, and to leave. */
enum { SPAWN_TIMEOUT_MS = 30000, LEAVE_TIMEOUT_MS = 1000 };

/* How often to look whether a worker has died, and the longest sleep. */
static const uint64_t look_ns = 200000;
static const uint64_t sleep_ns = 5000000;

/*
 * CPU time that a call may take beyond its window, to fall asleep: honest ones
 * take 1 us, and 5 us at most in 99 of 100.  Clocks differ by less than 1/256.
 */
static const uint64_t slack_ns = 20000;
static const struct timespec fall_asleep = { .tv_nsec = 100000 };

/* How often to give it that time: an honest worker may wait for a CPU. */
enum { MAX_NAPS = 200 };

/*
 * Where time is stolen from a virtual machine, a call may seem to work beyond
 * its window by accident; not most of them.
 */
enum { LEAST_OVERDRAWN = 3 };

struct ao_runner {
	struct ao_keeper keeper;
	struct ao_control *control;
	uint32_t call_timeout_ms;
	struct ao_samples *samples;
	struct ao_runner_cpu *cpu;

	bool has_worker;
	struct ao_watched worker;
	uint32_t most_threads; /* that it may have; 0: its first alone */
	bool has_ended;	       /* the worker */
	struct ao_reply end;
	uint64_t loaded_cpu_ns; /* the worker's, when it had loaded */
	uint64_t reaped_cpu_ns; /* of workers whose end the warden saw */

	uint32_t call;		/* number of its last one */
	uint32_t overdrawn;	/* calls that worked beyond their window */
	uint64_t before_cpu_ns; /* the worker's, before the last call */
	uint64_t window_ns;	/* in which the last call may have worked */
	uint64_t wall_ns;	/* the last call took */
	uint64_t untimed_ns;	/* CPU time beside it, once looked at */
};

struct ao_error *ao_runner_start(struct ao_runner **out,
				 const struct ao_runner_options *options)
{
	struct ao_runner *runner = ao_xcalloc(1, sizeof(*runner));
	struct ao_order order = *options->order;
	int control = memfd_create("control", MFD_CLOEXEC);
	int object = open(options->object, O_RDONLY | O_CLOEXEC);
	const int fds[AO_ORDER_END_FD - AO_ORDER_FIRST_FD] = {
		-1, options->input_fd, options->output_fd, control, object,
	};
	uint64_t cpu_ns = ao_clock_cpu_ns();
	void *mapping = MAP_FAILED;
	struct ao_error *err = NULL;

	runner->worker = AO_WATCHED_NONE;
	runner->call_timeout_ms = options->call_timeout_ms;
	runner->most_threads = order.threads ? order.most_threads : 0;
	runner->samples = options->samples;
	runner->cpu = options->cpu;
	order.has_object = true;
	order.libraries = options->libraries;
	if (object < 0) {
		err = ao_error_errno("cannot open '%s'", options->object);
		goto out;
	}
	if (control >= 0 && !ftruncate(control, sizeof(*runner->control)))
		mapping = mmap(NULL, sizeof(*runner->control),
			       PROT_READ | PROT_WRITE, MAP_SHARED, control, 0);
	if (mapping == MAP_FAILED) {
		err = ao_error_errno("cannot share memory with workers");
		goto out;
	}
	runner->control = mapping;
	err = ao_keeper_start(&runner->keeper, &order, fds);
	runner->cpu->isolation += ao_clock_cpu_ns() - cpu_ns;
	if (err)
		goto out;
	*out = runner;
	runner = NULL;
out:
	if (control >= 0)
		close(control);
	if (object >= 0)
		close(object);
	ao_runner_free(runner);
	return err;
}

/* Once the worker is gone, so is its clock: what it showed last remains. */
/* What a worker used, all in all and within calls. */
static void account_worker(struct ao_runner *runner, uint64_t total_ns,
			   uint64_t in_calls_ns)
{
	runner->has_worker = false;
	runner->cpu->worker += in_calls_ns;
	if (total_ns > in_calls_ns)
		runner->cpu->isolation += total_ns - in_calls_ns;
	if (runner->has_ended)
		runner->reaped_cpu_ns += total_ns;
}

/* End the warden and all. */
static void kill_all(struct ao_runner *runner)
{
	uint64_t cpu_ns;

	if (runner->has_worker) {
		cpu_ns = ao_watched_cpu_ns(&runner->worker);
		/* What the system counts by ticks may be a little less. */
		if (runner->has_ended && runner->end.cpu_ns > cpu_ns)
			cpu_ns = runner->end.cpu_ns;
		account_worker(runner, cpu_ns, cpu_ns - runner->loaded_cpu_ns);
	}
	cpu_ns = ao_keeper_kill(&runner->keeper);
	if (cpu_ns > runner->reaped_cpu_ns)
		runner->cpu->isolation += cpu_ns - runner->reaped_cpu_ns;
	runner->reaped_cpu_ns = 0;
}

/* Its number is not believed. */
static void take_samples(struct ao_runner *runner)
{
	struct ao_samples *to = runner->samples;

	if (!to || !runner->control)
		return;
	memcpy(to, &runner->control->samples, sizeof(*to));
	if (to->count > AO_SAMPLES_MAX)
		to->count = AO_SAMPLES_MAX;
}

void ao_runner_free(struct ao_runner *runner)
{
	uint64_t own_cpu_ns = ao_clock_cpu_ns();
	struct ao_runner_cpu *cpu;

	if (!runner)
		return;
	cpu = runner->cpu;
	kill_all(runner);
	take_samples(runner);
	ao_watched_close(&runner->worker);
	if (runner->control)
		munmap(runner->control, sizeof(*runner->control));
	free(runner);
	cpu->isolation += ao_clock_cpu_ns() - own_cpu_ns;
}

/* Whether the worker has ended, or the warden with it. */
static bool has_died(struct ao_runner *runner, int timeout_ms)
{
	struct ao_reply reply;

	switch (ao_keeper_hear(&reply, NULL, &runner->keeper, timeout_ms)) {
	case AO_HEARD_NOTHING:
		return false;
	case AO_HEARD_REPLY:
		/* Or stopped by somebody else, who will let it go on. */
		if (reply.kind != AO_REPLY_ENDED)
			return false;
		runner->end = reply;
		runner->has_ended = true;
		return true;
	case AO_HEARD_END:
		break;
	}
	return true;
}

/* It ended while it should have gone on. */
static void tell_death(struct ao_outcome *out, const struct ao_runner *runner,
		       const char *when)
{
	ao_outcome_died(out, runner->control,
			runner->has_ended ? &runner->end.status : NULL, when);
}

/* With an outcome; only of workers that may have threads at all. */
static bool has_too_many(struct ao_outcome *out, const struct ao_runner *runner,
			 const char *when)
{
	uint32_t count = runner->most_threads
				 ? ao_watched_threads(&runner->worker)
				 : 0;

	if (count <= runner->most_threads)
		return false;
	ao_outcome_set(out, AO_VERDICT_RUNTIME_ERROR,
		       ao_xstrf("has %" PRIu32
				" threads %s, more than the task "
				"allows",
				count, when));
	return true;
}

/*
 * Wait for the worker to change a word from `seen`.  Returns false, with an
 * outcome, if it dies or takes too long; then nothing of it is left.
 */
static bool await(struct ao_outcome *out, struct ao_runner *runner,
		  _Atomic uint32_t *word, uint32_t seen, uint64_t spin_ns,
		  const char *when)
{
	uint64_t start = ao_clock_now_ns(), now;
	uint64_t limit_ns = (uint64_t)runner->call_timeout_ms * 1000000;
	uint64_t next_look = start + look_ns;

	while (atomic_load(word) == seen) {
		ao_control_pause();
		now = ao_clock_now_ns();
		if (now - start >= limit_ns) {
			ao_outcome_set(
				out, AO_VERDICT_TIMEOUT,
				ao_xstrf("took longer than %g s %s",
					 runner->call_timeout_ms / 1000.0,
					 when));
			break;
		}
		if (now >= next_look) {
			next_look = now + look_ns;
			if (has_died(runner, 0)) {
				tell_death(out, runner, when);
				break;
			}
			if (has_too_many(out, runner, when))
				break;
		}
		if (now - start >= spin_ns) {
			uint64_t left = limit_ns - (now - start);

			ao_control_sleep(word, seen,
					 left < sleep_ns ? left : sleep_ns);
		}
	}
	if (!out->verdict)
		return true;
	kill_all(runner);
	return false;
}

/* Wait until the worker runs, without candidate code yet. */
static struct ao_error *await_start(pid_t *pid_out, struct ao_runner *runner)
{
	struct ao_reply reply;

	if (ao_keeper_hear(&reply, pid_out, &runner->keeper,
			   SPAWN_TIMEOUT_MS) != AO_HEARD_REPLY)
		return ao_error_new(AO_EIO, "a worker did not start");
	if (reply.kind != AO_REPLY_STARTED)
		return ao_error_new(AO_EIO,
				    "a worker could not be forked or could "
				    "not map its tensors");
	/* It may have died already of what it was to load: that is seen next.
	 */
	ao_watched_close(&runner->worker);
	ao_watched_open(&runner->worker, *pid_out);
	return NULL;
}

/*
 * Stop the worker with all its threads, and hear that the last of them has
 * been.  Returns false, with an outcome, if that is not to be had.
 */
static bool freeze(struct ao_outcome *out, struct ao_runner *runner,
		   const char *when)
{
	struct ao_reply reply = { .kind = AO_REPLY_ENDED };
	enum ao_heard heard = AO_HEARD_NOTHING;

	if (ao_watched_signal(&runner->worker, SIGSTOP))
		heard = ao_keeper_hear(&reply, NULL, &runner->keeper,
				       SPAWN_TIMEOUT_MS);
	if (heard == AO_HEARD_REPLY && reply.kind == AO_REPLY_STOPPED)
		return !has_too_many(out, runner, when);
	if (heard == AO_HEARD_NOTHING) {
		ao_outcome_set(out, AO_VERDICT_RUNTIME_ERROR,
			       ao_xstrf("cannot be stopped %s", when));
	} else {
		runner->has_ended = heard == AO_HEARD_REPLY;
		runner->end = reply;
		tell_death(out, runner, when);
	}
	return false;
}

/* One that has ended is found out by who waits for it. */
static void thaw(const struct ao_runner *runner)
{
	ao_watched_signal(&runner->worker, SIGCONT);
}

struct ao_error *ao_runner_spawn(struct ao_outcome *out, pid_t *pid_out,
				 struct ao_runner *runner,
				 const struct ao_worker_shift *shift)
{
	uint64_t cpu_ns = ao_clock_cpu_ns();
	struct ao_error *err;

	memset(runner->control, 0, sizeof(*runner->control));
	runner->call = 0;
	runner->overdrawn = 0;
	runner->has_ended = false;
	runner->loaded_cpu_ns = 0;
	if (!ao_keeper_spawn(&runner->keeper, shift))
		return ao_error_errno("the sandbox does not answer");
	err = await_start(pid_out, runner);
	if (err)
		return err;
	runner->has_worker = true;
	if (await(out, runner, &runner->control->state, AO_CONTROL_LOADING, 0,
		  "while loading")) {
		ao_outcome_loaded(out, runner->control);
		runner->loaded_cpu_ns = ao_watched_cpu_ns(&runner->worker);
		if (runner->most_threads && !out->verdict)
			freeze(out, runner, "once it has loaded");
	}
	/* The worker's own part is counted when it ends. */
	runner->cpu->isolation += ao_clock_cpu_ns() - cpu_ns;
	return NULL;
}

/*
 * Look whether the last call worked beyond its window: in another thread, or
 * after it had said that it was done.  By now, after all the checking, an
 * honest worker sleeps; only then is its clock exact.  It may have been kept
 * from falling asleep, by us if we have the same CPU, or by others on a busy
 * machine: it gets time for that.  One that is awake even then has either used
 * the time, which its clock shows, or got none.
 * Returns false, with an outcome, if calls do it as a rule.
 */
static bool audit(struct ao_outcome *out, struct ao_runner *runner)
{
	uint64_t window_ns = runner->window_ns;
	uint64_t cpu_ns, used_ns;

	/* Whoever may have threads has only been let run within calls. */
	if (runner->most_threads)
		return true;
	if (!runner->call) {
		runner->before_cpu_ns = ao_watched_cpu_ns(&runner->worker);
		return true;
	}
	for (int i = 0; i < MAX_NAPS && ao_watched_is_awake(&runner->worker);
	     i++)
		nanosleep(&fall_asleep, NULL);
	cpu_ns = ao_watched_cpu_ns(&runner->worker);
	used_ns = cpu_ns - runner->before_cpu_ns;
	runner->before_cpu_ns = cpu_ns;
	runner->untimed_ns = used_ns > runner->wall_ns
				     ? used_ns - runner->wall_ns
				     : 0;
	if (used_ns <= window_ns + window_ns / 256 + slack_ns)
		return true;
	runner->overdrawn++;
	if (runner->overdrawn < LEAST_OVERDRAWN ||
	    runner->overdrawn * 2 <= runner->call)
		return true;
	ao_outcome_set(out, AO_VERDICT_TAMPERED,
		       ao_xstrdup("works on after it says that it is done"));
	return false;
}

/* Wait until a word that was the last call's number is this one's. */
static bool await_call(struct ao_outcome *out, struct ao_runner *runner,
		       _Atomic uint32_t *word, uint64_t spin_ns)
{
	char when[32];

	snprintf(when, sizeof(when), "in call %" PRIu32, runner->call);
	if (!await(out, runner, word, runner->call - 1, spin_ns, when))
		return false;
	if (atomic_load(word) == runner->call)
		return true;
	ao_outcome_set(
		out, AO_VERDICT_TAMPERED,
		ao_xstrf("writes to memory that is not its own %s", when));
	return false;
}

/* The clock starts once the worker has read its operands, and is awake. */
static void call_awake(struct ao_outcome *out, struct ao_runner *runner,
		       uint64_t spin_ns)
{
	struct ao_control *control = runner->control;
	uint64_t armed_at = ao_clock_now_ns(), start, end;

	ao_control_set(&control->arm, runner->call);
	if (!await_call(out, runner, &control->armed, spin_ns))
		return;
	start = ao_clock_now_ns();
	ao_control_set(&control->go, runner->call);
	if (!await_call(out, runner, &control->done, spin_ns))
		return;
	end = ao_clock_now_ns();
	runner->wall_ns = end - start;
	runner->window_ns = end - armed_at;
}

/*
 * No CPU clock tells whether one of several threads works on after the call, or
 * before it.  Hence the worker is stopped but for the call, and the clock runs
 * from when it is let go until the last of its threads has been stopped.  That
 * way it cannot keep the other side of a pair from working either.
 */
static void call_frozen(struct ao_outcome *out, struct ao_runner *runner,
			uint64_t spin_ns)
{
	struct ao_control *control = runner->control;
	uint64_t start = ao_clock_now_ns();

	atomic_store(&control->go, runner->call);
	atomic_store(&control->arm, runner->call);
	thaw(runner);
	if (await_call(out, runner, &control->done, spin_ns) &&
	    freeze(out, runner, "after a call"))
		runner->wall_ns = ao_clock_now_ns() - start;
}

void ao_runner_call(struct ao_outcome *out, uint64_t *wall_ns_out,
		    struct ao_runner *runner, uint32_t slot, uint64_t spin_ns)
{
	uint64_t own_cpu_ns = ao_clock_cpu_ns();

	if (!audit(out, runner))
		return;
	runner->call++;
	runner->control->slot = slot;
	if (runner->most_threads)
		call_frozen(out, runner, spin_ns);
	else
		call_awake(out, runner, spin_ns);
	*wall_ns_out = runner->wall_ns;
	runner->cpu->worker += ao_clock_cpu_ns() - own_cpu_ns;
}

uint64_t ao_runner_untimed_ns(const struct ao_runner *runner)
{
	return runner->untimed_ns;
}

struct ao_error *ao_runner_stop(struct ao_outcome *out,
				struct ao_runner *runner)
{
	uint64_t own_cpu_ns = ao_clock_cpu_ns();
	uint64_t in_calls_ns;

	if (!runner->has_worker || !audit(out, runner))
		return NULL;
	in_calls_ns = ao_watched_cpu_ns(&runner->worker) -
		      runner->loaded_cpu_ns;
	ao_control_set(&runner->control->arm, AO_CONTROL_QUIT);
	thaw(runner);
	if (!has_died(runner, LEAVE_TIMEOUT_MS) || !runner->has_ended) {
		kill_all(runner);
		return ao_error_new(AO_EIO, "a worker did not leave");
	}
	account_worker(runner, runner->end.cpu_ns, in_calls_ns);
	runner->cpu->isolation += ao_clock_cpu_ns() - own_cpu_ns;
	return NULL;
}
