/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include <math.h>

#include "model/machine.h"

/* 1 G multiply-adds and 100 M exponentials a second; three cache levels. */
static struct ao_machine make(void)
{
	struct ao_machine machine = { .cores = 2, .vector_bytes = 32 };

	machine.cpu = ao_xstrdup("Imaginary CPU");
	machine.compiler = ao_xstrdup("gcc 12.2.0");
	machine.sandbox = ao_xstrdup("namespaces");
	memset(machine.fingerprint, 'a', AO_ID_SIZE - 1);
	machine.ceilings.work_per_s[AO_WORK_FMA] = 1e9;
	machine.ceilings.work_per_s[AO_WORK_EXP] = 1e8;
	machine.ceilings.work_per_s[AO_CEILING_FMA_ADD_MUL] = 2e9;
	machine.ceilings.bandwidth_count = 3;
	machine.ceilings.bandwidth[0].footprint_bytes = 1e4;
	machine.ceilings.bandwidth[0].bytes_per_s = 1e11;
	machine.ceilings.bandwidth[1].footprint_bytes = 1e6;
	machine.ceilings.bandwidth[1].bytes_per_s = 1e10;
	machine.ceilings.bandwidth[2].footprint_bytes = 1e8;
	machine.ceilings.bandwidth[2].bytes_per_s = 5e9;
	return machine;
}

/* N floats in, one float out, with that work; bytes are 4 N + 4. */
static struct ao_task *make_task(const char *work, const char *n)
{
	char *text = ao_xstrf(
		"{\"v\":1,\"name\":\"t\",\"kernel\":[\"k.c\"],"
		"\"reference\":\"r.c\",\"axes\":{\"N\":{\"type\":\"var\"}},"
		"\"inputs\":{\"x\":{\"shape\":[\"N\"],\"dtype\":\"float32\"}},"
		"\"outputs\":{\"y\":{\"shape\":[],\"dtype\":\"float32\","
		"\"tolerance\":0.1}},\"work\":%s,"
		"\"cases\":[{\"name\":\"m\",\"axes\":{\"N\":%s}}]}",
		work, n);
	struct ao_task *task = NULL;
	struct ao_error *err = ao_task_parse(&task, "t", text, strlen(text));

	if (err)
		printf("# %s\n", ao_error_message(err));
	ao_error_free(err);
	free(text);
	return task;
}

static struct ao_floor floor_of(const char *work, const char *n,
				const struct ao_machine *machine)
{
	struct ao_task *task = make_task(work, n);
	struct ao_floor floor;

	ao_floor_compute(&floor, task, task->cases, machine);
	ao_task_free(task);
	return floor;
}

static bool is_near(double a, double b)
{
	return fabs(a - b) <= 1e-9 * fabs(b);
}

static void the_class_of_work_that_takes_longest_binds(void)
{
	struct ao_machine machine = make();
	struct ao_floor floor;

	floor = floor_of("{\"fma\":\"1e6\",\"exp\":\"1e4\"}", "1", &machine);
	EXPECT(!strcmp(floor.bound, "fma"));
	EXPECT(is_near(floor.soft_ns, 1e6));

	floor = floor_of("{\"fma\":\"1e6\",\"exp\":\"1e6\"}", "1", &machine);
	EXPECT(!strcmp(floor.bound, "exp"));
	EXPECT(is_near(floor.soft_ns, 1e7));
	ao_machine_release(&machine);
}

static void work_that_shares_pipes_adds_up(void)
{
	struct ao_machine machine = make();
	struct ao_floor floor;

	machine.ceilings.work_per_s[AO_WORK_ADD] = 1e9;
	machine.ceilings.work_per_s[AO_WORK_MUL] = 1e9;
	machine.ceilings.work_per_s[AO_CEILING_FMA_MUL] = 1e9;
	machine.ceilings.work_per_s[AO_CEILING_FMA_ADD_MUL] = 2e9;

	/* Additions have pipes of their own there, multiplications have not. */
	floor = floor_of("{\"add\":\"1e6\",\"mul\":\"9e5\"}", "1", &machine);
	EXPECT(!strcmp(floor.bound, "add"));
	EXPECT(is_near(floor.soft_ns, 1e6));
	floor = floor_of("{\"fma\":\"1e6\",\"mul\":\"5e5\"}", "1", &machine);
	EXPECT(!strcmp(floor.bound, "fma+mul"));
	EXPECT(is_near(floor.soft_ns, 1.5e6));

	/* And on this one there is but one kind. */
	machine.ceilings.work_per_s[AO_CEILING_FMA_ADD_MUL] = 1e9;
	floor = floor_of("{\"fma\":\"1e6\",\"add\":\"2e6\",\"mul\":\"3e6\"}",
			 "1", &machine);
	EXPECT(!strcmp(floor.bound, "fma+add+mul"));
	EXPECT(is_near(floor.soft_ns, 6e6));
	EXPECT(is_near(floor.hard_ns, 6e6 / (2 * 1.05)));
	ao_machine_release(&machine);
}

static void more_threads_have_more_cores_and_caches(void)
{
	struct ao_machine machine = make();
	struct ao_task *task = make_task("{\"fma\":\"1e6\"}", "1000");
	struct ao_floor one, two;

	EXPECT(machine.cores == 2);
	ao_floor_compute(&one, task, task->cases, &machine);
	task->threads = AO_THREADS_ALL;
	ao_floor_compute(&two, task, task->cases, &machine);
	EXPECT(is_near(two.soft_ns, one.soft_ns / 2));
	EXPECT(is_near(two.hard_ns, one.hard_ns));
	ao_task_free(task);

	task = make_task("{}", "1000");
	ao_floor_compute(&one, task, task->cases, &machine);
	task->threads = 2;
	ao_floor_compute(&two, task, task->cases, &machine);
	EXPECT(!strcmp(two.bound, "memory"));
	EXPECT(two.soft_ns <= one.soft_ns / 2);
	EXPECT(is_near(two.hard_ns, one.hard_ns / 2));
	ao_task_free(task);
	ao_machine_release(&machine);
}

static void memory_binds_where_there_is_little_work(void)
{
	struct ao_machine machine = make();
	struct ao_floor floor = floor_of("{\"fma\":\"1\"}", "249999", &machine);

	EXPECT(!strcmp(floor.bound, "memory"));
	EXPECT(is_near(floor.soft_ns, 1e9 * 1e6 / 1e10));
	ao_machine_release(&machine);
}

static void bandwidth_between_levels_lies_between_them(void)
{
	struct ao_machine machine = make();
	/* 1e5 bytes: half way on a logarithmic axis. */
	struct ao_floor floor = floor_of("{}", "24999", &machine);

	EXPECT(is_near(floor.soft_ns, 1e9 * 1e5 / sqrt(1e11 * 1e10)));
	ao_machine_release(&machine);
}

static void bandwidth_beyond_the_levels_is_that_of_the_last(void)
{
	struct ao_machine machine = make();
	struct ao_floor floor;

	floor = floor_of("{}", "249999999", &machine);
	EXPECT(is_near(floor.soft_ns, 1e9 * 1e9 / 5e9));
	floor = floor_of("{}", "24", &machine);
	EXPECT(is_near(floor.soft_ns, 1e9 * 100 / 1e11));
	ao_machine_release(&machine);
}

static void the_hard_floor_allows_all_cores_and_five_percent(void)
{
	struct ao_machine machine = make();
	struct ao_floor floor = floor_of("{\"fma\":\"1e6\"}", "1", &machine);

	EXPECT(is_near(floor.hard_ns, 1e6 / (2 * 1.05)));
	machine.cores = 0; /* not known */
	floor = floor_of("{\"fma\":\"1e6\"}", "1", &machine);
	EXPECT(is_near(floor.hard_ns, 1e6 / 1.05));
	ao_machine_release(&machine);
}

static void the_hard_floor_allows_the_best_level_of_memory(void)
{
	struct ao_machine machine = make();
	struct ao_floor floor = floor_of("{}", "249999999", &machine);

	EXPECT(is_near(floor.hard_ns, 1e9 * 1e9 / (1.05 * 1e11)));
	ao_machine_release(&machine);
}

static void what_was_not_measured_gives_no_floor(void)
{
	struct ao_machine machine = { .cores = 2 };
	struct ao_floor floor = floor_of("{\"fma\":\"1e6\"}", "9", &machine);

	EXPECT(floor.soft_ns == 0 && floor.hard_ns == 0 && !floor.bound);
	machine.ceilings.work_per_s[AO_WORK_ADD] = 1e9;
	floor = floor_of("{\"fma\":\"1e6\",\"add\":\"1e3\"}", "9", &machine);
	EXPECT(!strcmp(floor.bound, "add"));
}

/* Through JSON and back. */
static struct ao_machine again(const struct ao_machine *machine, bool ceilings)
{
	struct ao_json *json = ao_machine_to_json(machine, ceilings);
	struct ao_machine copy;

	ao_machine_from_json(&copy, json);
	ao_json_free(json);
	return copy;
}

static void json_keeps_a_machine_with_its_ceilings(void)
{
	struct ao_machine machine = make();
	struct ao_machine copy = again(&machine, true);
	char *key = ao_machine_key(&machine);
	char *key_of_copy = ao_machine_key(&copy);

	EXPECT(!strcmp(key, key_of_copy));
	EXPECT(!strcmp(copy.cpu, "Imaginary CPU"));
	EXPECT(copy.cores == 2 && copy.vector_bytes == 32);
	EXPECT(!memcmp(copy.ceilings.work_per_s, machine.ceilings.work_per_s,
		       sizeof(copy.ceilings.work_per_s)));
	EXPECT(copy.ceilings.bandwidth_count == 3);
	EXPECT(!memcmp(copy.ceilings.bandwidth, machine.ceilings.bandwidth,
		       sizeof(copy.ceilings.bandwidth)));
	free(key_of_copy);
	free(key);
	ao_machine_release(&copy);
	ao_machine_release(&machine);
}

static void ceilings_are_left_out_where_not_asked_for(void)
{
	struct ao_machine machine = make();
	struct ao_machine copy = again(&machine, false);

	EXPECT(copy.ceilings.bandwidth_count == 0);
	EXPECT(copy.ceilings.work_per_s[AO_WORK_FMA] == 0);
	ao_machine_release(&copy);
	ao_machine_release(&machine);
}

static void odd_ceilings_are_passed_over(void)
{
	static const char text[] =
		"{\"fingerprint\":\"short\",\"cores\":-1,\"work_per_s\":"
		"{\"fma\":-5,\"exp\":\"9\",\"add\":7,\"div\":null,\"new\":1},"
		"\"bandwidth\":[[10,100],[5,1],[10,1],[20,0],[30],7,"
		"[40,50,60],[-1,2],[\"a\",\"b\"]]}";
	struct ao_json *json = ao_json_parse(text, strlen(text));
	struct ao_machine machine;

	ao_machine_from_json(&machine, json);
	EXPECT(!*machine.fingerprint && machine.cores == 0);
	EXPECT(machine.ceilings.work_per_s[AO_WORK_FMA] == 0);
	EXPECT(machine.ceilings.work_per_s[AO_WORK_EXP] == 0);
	EXPECT(machine.ceilings.work_per_s[AO_WORK_ADD] == 7);
	EXPECT(machine.ceilings.bandwidth_count == 2);
	EXPECT(machine.ceilings.bandwidth[0].footprint_bytes == 10);
	EXPECT(machine.ceilings.bandwidth[1].footprint_bytes == 40);
	EXPECT(machine.ceilings.bandwidth[1].bytes_per_s == 50);
	ao_machine_release(&machine);
	ao_json_free(json);
}

static void levels_beyond_the_most_are_passed_over(void)
{
	struct ao_buf text = AO_BUF_INIT(1 << 16);
	struct ao_machine machine;
	struct ao_json *json;

	ao_buf_addstr(&text, "{\"bandwidth\":[[1,1]");
	for (int i = 2; i < 100; i++)
		ao_buf_addf(&text, ",[%d,1]", i);
	ao_buf_addstr(&text, "]}");
	json = ao_json_parse(text.ptr, text.len);
	ao_machine_from_json(&machine, json);
	EXPECT(machine.ceilings.bandwidth_count == AO_MACHINE_LEVELS);
	ao_machine_release(&machine);
	ao_json_free(json);
	ao_buf_release(&text);
}

static void no_json_gives_an_empty_machine(void)
{
	struct ao_machine machine;
	char *key;

	ao_machine_from_json(&machine, NULL);
	key = ao_machine_key(&machine);
	EXPECT(!strcmp(key, "||"));
	free(key);
	ao_machine_release(&machine);
}

static void another_compiler_or_sandbox_is_another_machine(void)
{
	struct ao_machine machine = make();
	char *before = ao_machine_key(&machine);
	char *after;

	free(machine.compiler);
	machine.compiler = ao_xstrdup("gcc 13.1.0");
	after = ao_machine_key(&machine);
	EXPECT(strcmp(before, after) != 0);
	free(before);
	free(machine.sandbox);
	machine.sandbox = ao_xstrdup("rlimits");
	before = ao_machine_key(&machine);
	EXPECT(strcmp(before, after) != 0);
	free(before);
	free(after);
	ao_machine_release(&machine);
}

static void a_copy_of_a_machine_is_its_own(void)
{
	struct ao_machine machine = make();
	struct ao_machine copy;

	ao_machine_copy(&copy, &machine);
	ao_machine_release(&machine);
	EXPECT(!machine.cpu && !strcmp(copy.cpu, "Imaginary CPU"));
	EXPECT(copy.ceilings.bandwidth_count == 3);
	ao_machine_release(&copy);
}

int main(void)
{
	RUN(the_class_of_work_that_takes_longest_binds);
	RUN(work_that_shares_pipes_adds_up);
	RUN(more_threads_have_more_cores_and_caches);
	RUN(memory_binds_where_there_is_little_work);
	RUN(bandwidth_between_levels_lies_between_them);
	RUN(bandwidth_beyond_the_levels_is_that_of_the_last);
	RUN(the_hard_floor_allows_all_cores_and_five_percent);
	RUN(the_hard_floor_allows_the_best_level_of_memory);
	RUN(what_was_not_measured_gives_no_floor);
	RUN(json_keeps_a_machine_with_its_ceilings);
	RUN(ceilings_are_left_out_where_not_asked_for);
	RUN(odd_ceilings_are_passed_over);
	RUN(levels_beyond_the_most_are_passed_over);
	RUN(no_json_gives_an_empty_machine);
	RUN(another_compiler_or_sandbox_is_another_machine);
	RUN(a_copy_of_a_machine_is_its_own);
	return tap_done();
}
