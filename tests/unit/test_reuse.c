/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include "evolve/reuse.h"

/* A history of one run with one candidate, whose profile a test may change. */
struct fixture {
	struct ao_machine machine;
	struct ao_pair pair;
	struct ao_profile profile;
	struct ao_candidate candidate;
	struct ao_history_run run;
	struct ao_history history;
};

static char me[] = "me", somebody[] = "somebody";
static char cpu[] = "a cpu", compiler[] = "gcc 12.2.0", other[] = "gcc 13.0.0";

static void setup(struct fixture *f)
{
	*f = (struct fixture){ .machine = { .fingerprint = "m1",
					    .cpu = cpu,
					    .cores = 2,
					    .compiler = compiler } };
	f->pair = (struct ao_pair){ .against = "parent", .log_gain = 0.5 };
	f->profile = (struct ao_profile){
		.kernel = "kernel",
		.task = "task",
		.result = { .verdict = AO_VERDICT_PASSED,
			    .evaluator = "judge",
			    .pairs = &f->pair,
			    .pair_count = 1,
			    .machine = f->machine },
	};
	f->candidate = (struct ao_candidate){ .profile = &f->profile };
	f->run = (struct ao_history_run){ .run.writer = me,
					  .candidates = &f->candidate,
					  .candidate_count = 1 };
	f->history = (struct ao_history){ .runs = &f->run, .run_count = 1 };
}

static const struct ao_result *find(struct fixture *f, const char *kernel,
				    const char *opponent)
{
	const struct ao_history_run self = {
		.run = { .writer = me, .task_id = "task", .evaluator = "judge" }
	};
	struct ao_reuse *reuse = ao_reuse_new(&f->history, &self, &f->machine);
	const struct ao_result *found = ao_reuse_find(reuse, kernel, opponent);

	ao_reuse_free(reuse);
	return found;
}

static void the_same_pair_is_not_paid_twice(void)
{
	struct fixture f;

	setup(&f);
	EXPECT(find(&f, "kernel", "parent") == &f.profile.result);
}

static void what_somebody_else_measured_is_measured_again(void)
{
	struct fixture f;

	setup(&f);
	f.run.run.writer = somebody;
	EXPECT(!find(&f, "kernel", "parent"));
}

/* The profiles of a run that goes on are replaced. */
static void a_run_takes_nothing_from_itself(void)
{
	struct ao_reuse *reuse;
	struct fixture f;

	setup(&f);
	memcpy(f.run.run.task_id, "task", sizeof("task"));
	memcpy(f.run.run.evaluator, "judge", sizeof("judge"));
	reuse = ao_reuse_new(&f.history, &f.run, &f.machine);
	EXPECT(!ao_reuse_find(reuse, "kernel", "parent"));
	ao_reuse_free(reuse);
}

static void another_kernel_or_opponent_has_to_be_paid(void)
{
	struct fixture f;

	setup(&f);
	EXPECT(!find(&f, "other", "parent"));
	EXPECT(!find(&f, "kernel", "other"));
}

static void a_failure_is_known_whoever_the_opponent(void)
{
	struct fixture f;

	setup(&f);
	f.profile.result.verdict = AO_VERDICT_COMPILE_ERROR;
	EXPECT(find(&f, "kernel", "other") == &f.profile.result);
}

static void what_was_interrupted_is_not_known(void)
{
	struct fixture f;

	setup(&f);
	f.profile.result.verdict = AO_VERDICT_INTERRUPTED;
	EXPECT(!find(&f, "kernel", "parent"));
}

static void another_task_or_judge_is_another_measurement(void)
{
	struct fixture f;

	setup(&f);
	memcpy(f.profile.task, "task2", sizeof("task2"));
	EXPECT(!find(&f, "kernel", "parent"));
	setup(&f);
	memcpy(f.profile.result.evaluator, "judge2", sizeof("judge2"));
	EXPECT(!find(&f, "kernel", "parent"));
}

static void another_toolchain_is_another_measurement(void)
{
	struct fixture f;

	setup(&f);
	f.profile.result.machine.compiler = other;
	EXPECT(!find(&f, "kernel", "parent"));
}

int main(void)
{
	RUN(the_same_pair_is_not_paid_twice);
	RUN(what_somebody_else_measured_is_measured_again);
	RUN(a_run_takes_nothing_from_itself);
	RUN(another_kernel_or_opponent_has_to_be_paid);
	RUN(a_failure_is_known_whoever_the_opponent);
	RUN(what_was_interrupted_is_not_known);
	RUN(another_task_or_judge_is_another_measurement);
	RUN(another_toolchain_is_another_measurement);
	return tap_done();
}
