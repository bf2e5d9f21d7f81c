/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "eval/control.h"
#include "eval/keeper.h"
#include "eval/runner.h"
#include "eval/seccomp.h"
#include "util/clock.h"
#include "util/text.h"

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

/* /proc/PID/stat: its size, and fields from the state to the threads. */
enum { STAT_SIZE = 512, STAT_THREADS = 17 };

struct ao_runner {
	struct ao_keeper keeper;
	struct ao_control *control;
	uint32_t call_timeout_ms;
	struct ao_samples *samples;
	struct ao_runner_cpu *cpu;

	bool has_worker;
	clockid_t worker_clock;
	bool has_clock;	       /* it was there to be seen */
	int worker_stat;       /* its /proc/PID/stat; -1: not to be seen */
	uint32_t most_threads; /* that it may have; 0: its first alone */
	int worker_fd;	       /* a descriptor of that process; -1: none */
	bool has_ended;	       /* the worker */
	struct ao_reply end;
	uint64_t seen_cpu_ns;	/* the worker's, when last looked at */
	uint64_t loaded_cpu_ns; /* the same, when it had loaded */
	uint64_t reaped_cpu_ns; /* of workers whose end the warden saw */

	uint32_t call;		/* number of its last one */
	uint32_t overdrawn;	/* calls that worked beyond their window */
	uint64_t before_cpu_ns; /* the worker's, before the last call */
	uint64_t window_ns;	/* in which the last call may have worked */
	uint64_t wall_ns;	/* the last call took */
	uint64_t untimed_ns;	/* CPU time beside it, once looked at */
};

static void release_outcome(struct ao_outcome *outcome)
{
	free(outcome->detail);
	*outcome = (struct ao_outcome){ 0 };
}

/* Takes over `detail`. */
static void set_outcome(struct ao_outcome *out, enum ao_verdict verdict,
			char *detail)
{
	release_outcome(out);
	out->verdict = verdict;
	out->detail = detail;
}

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

	runner->worker_stat = -1;
	runner->worker_fd = -1;
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
static uint64_t worker_cpu_ns(struct ao_runner *runner)
{
	struct timespec time;

	if (runner->has_clock && !clock_gettime(runner->worker_clock, &time))
		runner->seen_cpu_ns = (uint64_t)time.tv_sec * 1000000000 +
				      (uint64_t)time.tv_nsec;
	return runner->seen_cpu_ns;
}

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

static void forget_worker(struct ao_runner *runner)
{
	if (runner->worker_stat >= 0)
		close(runner->worker_stat);
	if (runner->worker_fd >= 0)
		close(runner->worker_fd);
	runner->worker_stat = -1;
	runner->worker_fd = -1;
}

/* End the warden and all. */
static void kill_all(struct ao_runner *runner)
{
	uint64_t cpu_ns;

	if (runner->has_worker) {
		cpu_ns = worker_cpu_ns(runner);
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
	forget_worker(runner);
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

/* Say how the worker came to its end while it should have gone on. */
static void describe_death(struct ao_outcome *out, struct ao_runner *runner,
			   const char *when)
{
	uint32_t refused = atomic_load(&runner->control->refused);
	int status = runner->end.status;
	char *detail;

	if (refused) {
		char *call = ao_seccomp_explain(refused - 1);

		detail = ao_xstrf("%s %s", call, when);
		free(call);
	} else if (!runner->has_ended) {
		detail = ao_xstrf("its sandbox was killed %s", when);
	} else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) {
		detail = ao_xstrf("killed %s, maybe out of memory", when);
	} else if (WIFSIGNALED(status)) {
		const char *name = sigabbrev_np(WTERMSIG(status));

		detail = ao_xstrf("crashed with SIG%s (%s) %s",
				  name ? name : "", strsignal(WTERMSIG(status)),
				  when);
	} else {
		detail = ao_xstrf("ended the process with status %d %s",
				  WEXITSTATUS(status), when);
	}
	set_outcome(out, AO_VERDICT_RUNTIME_ERROR, detail);
}

/*
 * Of "PID (NAME) STATE ...", where the name may hold anything, what begins with
 * the state; "" if it cannot be read.
 */
static const char *read_stat(char text[STAT_SIZE],
			     const struct ao_runner *runner)
{
	const char *name_end;
	ssize_t len;

	len = pread(runner->worker_stat, text, STAT_SIZE - 1, 0);
	if (len <= 0)
		return "";
	text[len] = '\0';
	name_end = strrchr(text, ')');
	return name_end && name_end[1] == ' ' ? name_end + 2 : "";
}

static bool is_awake(const struct ao_runner *runner)
{
	char text[STAT_SIZE];

	return *read_stat(text, runner) == 'R';
}

/* Threads that there are; 0: not to be seen. */
static uint32_t count_threads(const struct ao_runner *runner)
{
	char text[STAT_SIZE];
	const char *field = read_stat(text, runner);

	for (int i = 0; i < STAT_THREADS && *field; i++) {
		field += strcspn(field, " ");
		field += *field == ' ';
	}
	return (uint32_t)strtoul(field, NULL, 10);
}

/* With an outcome; only of workers that may have threads at all. */
static bool has_too_many(struct ao_outcome *out, const struct ao_runner *runner,
			 const char *when)
{
	uint32_t count = runner->most_threads ? count_threads(runner) : 0;

	if (count <= runner->most_threads)
		return false;
	set_outcome(out, AO_VERDICT_RUNTIME_ERROR,
		    ao_xstrf("has %" PRIu32 " threads %s, more than the task "
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
			set_outcome(out, AO_VERDICT_TIMEOUT,
				    ao_xstrf("took longer than %g s %s",
					     runner->call_timeout_ms / 1000.0,
					     when));
			break;
		}
		if (now >= next_look) {
			next_look = now + look_ns;
			if (has_died(runner, 0)) {
				describe_death(out, runner, when);
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

static void watch_worker(struct ao_runner *runner, pid_t pid)
{
	char path[64];

	forget_worker(runner);
	runner->worker_fd = (int)syscall(SYS_pidfd_open, pid, 0);
	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	runner->worker_stat = open(path, O_RDONLY | O_CLOEXEC);
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
	/* It may have died already, of what it was to load: that is seen next.
	 */
	runner->has_clock = !clock_getcpuclockid(*pid_out,
						 &runner->worker_clock);
	watch_worker(runner, *pid_out);
	return NULL;
}

/* Text from a process that may hold candidate code, on one line. */
static char *quoted_message(const struct ao_control *control)
{
	struct ao_buf text = AO_BUF_INIT(1024);
	char message[AO_CONTROL_MESSAGE_SIZE];
	size_t len;

	memcpy(message, control->message, sizeof(message));
	len = strnlen(message, sizeof(message));
	for (size_t i = 0; i < len; i++)
		if (message[i] == '\n')
			message[i] = ' ';
	ao_text_safe(&text, message, len);
	return ao_buf_take(&text);
}

static void describe_load(struct ao_outcome *out, struct ao_runner *runner)
{
	char *why;

	if (atomic_load(&runner->control->state) == AO_CONTROL_LOADED)
		return;
	why = quoted_message(runner->control);
	set_outcome(out, AO_VERDICT_RUNTIME_ERROR,
		    ao_xstrf("cannot be loaded: %s", why));
	free(why);
}

/* Not by its number, which another process could have by now. */
static bool signal_worker(const struct ao_runner *runner, int number)
{
	return !syscall(SYS_pidfd_send_signal, runner->worker_fd, number, NULL,
			0);
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

	if (signal_worker(runner, SIGSTOP))
		heard = ao_keeper_hear(&reply, NULL, &runner->keeper,
				       SPAWN_TIMEOUT_MS);
	if (heard == AO_HEARD_REPLY && reply.kind == AO_REPLY_STOPPED)
		return !has_too_many(out, runner, when);
	if (heard == AO_HEARD_NOTHING) {
		set_outcome(out, AO_VERDICT_RUNTIME_ERROR,
			    ao_xstrf("cannot be stopped %s", when));
	} else {
		runner->has_ended = heard == AO_HEARD_REPLY;
		runner->end = reply;
		describe_death(out, runner, when);
	}
	return false;
}

/* One that has ended is found out by who waits for it. */
static void thaw(const struct ao_runner *runner)
{
	signal_worker(runner, SIGCONT);
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
	runner->seen_cpu_ns = 0;
	runner->loaded_cpu_ns = 0;
	if (!ao_keeper_spawn(&runner->keeper, shift))
		return ao_error_errno("the sandbox does not answer");
	err = await_start(pid_out, runner);
	if (err)
		return err;
	runner->has_worker = true;
	if (await(out, runner, &runner->control->state, AO_CONTROL_LOADING, 0,
		  "while loading")) {
		describe_load(out, runner);
		runner->loaded_cpu_ns = worker_cpu_ns(runner);
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
		runner->before_cpu_ns = worker_cpu_ns(runner);
		return true;
	}
	for (int i = 0; i < MAX_NAPS && is_awake(runner); i++)
		nanosleep(&fall_asleep, NULL);
	cpu_ns = worker_cpu_ns(runner);
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
	set_outcome(out, AO_VERDICT_TAMPERED,
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
	set_outcome(out, AO_VERDICT_TAMPERED,
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
	in_calls_ns = worker_cpu_ns(runner) - runner->loaded_cpu_ns;
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
