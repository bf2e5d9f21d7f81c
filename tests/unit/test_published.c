/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include <math.h>

#include "model/published.h"
#include "util/file.h"

static const char suite_path[] = "nkibench/published.json";

/* A file with one machine of 1 GB/s, 1 TFLOP/s and 1 GFLOP/s, and these tasks.
 */
#define FILE_OF(tasks)                                                             \
	"{\"v\":1,\"source\":\"a paper\",\"machines\":[{\"name\":\"m\","           \
	"\"title\":\"machine M\",\"bytes_per_s\":1e9,\"matmul_flops_per_s\":"      \
	"1e12,\"vector_flops_per_s\":1e9},{\"name\":\"other\"}],\"tasks\":[" tasks \
	"]}"
#define TASK_OF(members) \
	FILE_OF("{\"name\":\"t\",\"axes\":{\"M\":1000,\"NN\":20}," members "}")

static struct ao_error *parse(struct ao_published *out, const char *text)
{
	return ao_published_parse(out, "p.json", text, strlen(text), "m");
}

static struct ao_published must_parse(const char *text)
{
	struct ao_published published = { 0 };
	struct ao_error *err = parse(&published, text);

	if (err)
		printf("# %s\n", ao_error_message(err));
	EXPECT(!err);
	ao_error_free(err);
	return published;
}

static struct ao_published suite(const char *machine)
{
	struct ao_buf text = AO_BUF_INIT(1 << 20);
	struct ao_published published = { 0 };
	struct ao_error *err = ao_file_read(&text, suite_path);

	if (!err)
		err = ao_published_parse(&published, suite_path, text.ptr,
					 text.len, machine);
	if (err)
		printf("# %s\n", ao_error_message(err));
	EXPECT(!err);
	ao_error_free(err);
	ao_buf_release(&text);
	return published;
}

static bool is_near(double a, double b)
{
	return fabs(a - b) <= 1e-9 * fabs(b);
}

static const struct ao_published_task *task_of(
	const struct ao_published *published, const char *name)
{
	for (size_t i = 0; i < published->count; i++)
		if (!strcmp(published->tasks[i].name, name))
			return &published->tasks[i];
	EXPECT(!"a task of that name");
	return published->tasks;
}

static void the_papers_baselines_reach_49_2_percent(void)
{
	struct ao_published trn1 = suite("trn1");

	EXPECT(trn1.count == 14 && trn1.measured == 14);
	EXPECT(fabs(trn1.percent_before - 49.2) < 0.05);
	EXPECT(fabs(trn1.percent_after - 54.7) < 0.05);
	EXPECT(is_near(trn1.gain, trn1.percent_after / trn1.percent_before));
	for (size_t i = 0; i < trn1.count; i++) {
		EXPECT(trn1.tasks[i].percent_before > 0);
		EXPECT(trn1.tasks[i].percent_before < 100);
		EXPECT(trn1.tasks[i].percent_after < 100);
	}
	ao_published_release(&trn1);
}

static void each_kind_of_task_is_bound_as_the_paper_has_it(void)
{
	struct ao_published trn1 = suite("trn1");

	EXPECT(!strcmp(task_of(&trn1, "silu")->bound, "memory"));
	EXPECT(!strcmp(task_of(&trn1, "lora")->bound, "matmul"));
	EXPECT(!strcmp(task_of(&trn1, "mamba")->bound, "vector"));
	/* 2 M N elements of 4 bytes, M=4096 N=7168, at 440.2 GB/s. */
	EXPECT(is_near(task_of(&trn1, "silu")->peak_ms,
		       2.0 * 4 * 4096 * 7168 / 440.2e6));
	EXPECT(!strcmp(task_of(&trn1, "silu")->shape, "M=4096 N=7168"));
	ao_published_release(&trn1);
}

static void another_machine_has_peaks_of_its_own(void)
{
	struct ao_published trn2 = suite("trn2");

	EXPECT(is_near(task_of(&trn2, "silu")->peak_ms,
		       2.0 * 4 * 4096 * 7168 / 640e6));
	/* Nothing was measured there. */
	EXPECT(trn2.count == 14 && trn2.measured == 0);
	EXPECT(isnan(task_of(&trn2, "silu")->percent_before));
	EXPECT(isnan(trn2.percent_before) && isnan(trn2.gain));
	ao_published_release(&trn2);
}

static void what_takes_longest_binds(void)
{
	struct ao_published p = must_parse(TASK_OF("\"elements\":\"M * NN\","
						   "\"matmul_flops\":\"1e9\","
						   "\"vector_flops\":\"M\""));

	/* 80 us for memory, 1 ms for products, 1 us for the rest. */
	EXPECT(!strcmp(p.tasks[0].bound, "matmul"));
	EXPECT(is_near(p.tasks[0].peak_ms, 1));
	ao_published_release(&p);
	p = must_parse(TASK_OF("\"elements\":\"M * NN\""));
	EXPECT(!strcmp(p.tasks[0].bound, "memory"));
	EXPECT(is_near(p.tasks[0].peak_ms, 0.08));
	ao_published_release(&p);
}

static void means_are_over_what_was_measured(void)
{
	struct ao_published p = must_parse(FILE_OF(
		"{\"name\":\"a\",\"axes\":{},\"elements\":\"250000\","
		"\"measured\":{\"m\":{\"baseline_ms\":4,\"best_ms\":2}}},"
		"{\"name\":\"b\",\"axes\":{},\"elements\":\"250000\","
		"\"measured\":{\"m\":{\"baseline_ms\":1,\"best_ms\":1,"
		"\"counters\":{\"any\":1}}}},"
		"{\"name\":\"c\",\"axes\":{},\"elements\":\"1\","
		"\"measured\":{\"other\":{}}}"));

	EXPECT(p.count == 3 && p.measured == 2);
	EXPECT(is_near(p.tasks[0].gain, 2));
	EXPECT(is_near(p.tasks[0].percent_before, 25));
	EXPECT(is_near(p.tasks[0].percent_after, 50));
	EXPECT(is_near(p.gain, sqrt(2)));
	EXPECT(is_near(p.percent_before, 50));
	EXPECT(is_near(p.percent_after, sqrt(5000)));
	ao_published_release(&p);
}

static void what_is_wrong_is_named(void)
{
	static const struct {
		const char *text, *says;
	} wrong[] = {
		{ "[]", "p.json:1" },
		{ "{\"v\":2}", "v: 2 is not within 1 .. 1" },
		{ TASK_OF("\"elements\":\"M * K\""),
		  "tasks[0].elements: column 5: unknown 'K'" },
		{ TASK_OF("\"elements\":\"N\""), "unknown 'N'" },
		{ TASK_OF("\"elements\":\"0\""), "the task has no work" },
		{ TASK_OF("\"elements\":\"M - 2 * M\""),
		  "is -1000; expected no less than 0" },
		{ TASK_OF("\"elements\":1"), "expected a string" },
		{ TASK_OF("\"elemens\":\"M\""), "elemens" },
		{ TASK_OF("\"elements\":\"M\",\"measured\":{\"m\":{}}"),
		  "measured.m.baseline_ms: missing" },
		{ TASK_OF("\"elements\":\"M\",\"measured\":{\"m\":"
			  "{\"baseline_ms\":0,\"best_ms\":1}}"),
		  "baseline_ms: 0 is not within" },
		{ FILE_OF("{\"name\":\"..\"}"), "not the name of a task" },
		{ FILE_OF("{\"name\":\"t\",\"axes\":{\"M\":0}}"), "axes.M: 0" },
		{ FILE_OF(""), "expected 1 .. 1024 tasks" },
	};

	for (size_t i = 0; i < AO_ARRAY_SIZE(wrong); i++) {
		struct ao_published p = { 0 };
		struct ao_error *err = parse(&p, wrong[i].text);
		const char *message = err ? ao_error_message(err) : "";

		if (!strstr(message, wrong[i].says))
			printf("# %s\n# not: %s\n", message, wrong[i].says);
		EXPECT(ao_error_code(err) == AO_EINVALID);
		EXPECT(strstr(message, wrong[i].says) != NULL);
		EXPECT(!p.tasks);
		ao_error_free(err);
	}
}

static void an_unknown_machine_is_answered_with_those_there_are(void)
{
	static const char text[] = TASK_OF("\"elements\":\"M\"");
	struct ao_published p = { 0 };
	struct ao_error *err = ao_published_parse(&p, "p.json", text,
						  strlen(text), "x");

	EXPECT(ao_error_code(err) == AO_ENOTFOUND);
	EXPECT(err && strstr(ao_error_message(err), "there is: m, other"));
	ao_error_free(err);
}

int main(void)
{
	RUN(the_papers_baselines_reach_49_2_percent);
	RUN(each_kind_of_task_is_bound_as_the_paper_has_it);
	RUN(another_machine_has_peaks_of_its_own);
	RUN(what_takes_longest_binds);
	RUN(means_are_over_what_was_measured);
	RUN(what_is_wrong_is_named);
	RUN(an_unknown_machine_is_answered_with_those_there_are);
	return tap_done();
}
