/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include <math.h>

#include "collab/bench_text.h"
#include "eval/eval.h"

static const char base[] = "0c9d8e7f6a5b4c3d2e1f00f1e2d3c4b5a6978877";
static const char won[] = "1111111111aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
static const char author_id[] = "9daeafb9864cf43055ae93beb0afd6c7d144bfa4";
static const char usual_id[] = "2222222222aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
static const char machine_key[] = "another";

static const char definition[] =
	"{ \"v\": 1, \"name\": \"toy\","
	"  \"axes\": { \"M\": { \"type\": \"var\" },"
	"              \"H\": { \"type\": \"expr\", \"expression\": \"M\" } },"
	"  \"inputs\": { \"x\": { \"shape\": [\"M\"], \"dtype\": \"float32\" } },"
	"  \"outputs\": { \"y\": { \"shape\": [\"H\"], \"dtype\": \"float32\","
	"                          \"tolerance\": 1e-5 } },"
	"  \"kernel\": [\"kernel.c\"], \"reference\": \"reference.c\","
	"  \"cases\": [ { \"name\": \"main\", \"axes\": { \"M\": 64 } },"
	"               { \"name\": \"odd\", \"axes\": { \"M\": 7 } } ] }";

static struct ao_task *task;
static struct ao_kernel author, usual;
static struct ao_strs cases;

static struct ao_bench_task bench_task(bool has_practitioner)
{
	return (struct ao_bench_task){
		.task = task,
		.author = &author,
		.practitioner = has_practitioner ? &usual : NULL,
		.cases = &cases,
	};
}

static void add_pair(struct ao_result *result, const char *case_name,
		     const char *against, double gain)
{
	struct ao_pair *pair;

	result->pairs = ao_xrealloc(result->pairs,
				    (result->pair_count + 1) *
					    sizeof(*result->pairs));
	pair = &result->pairs[result->pair_count++];
	*pair = (struct ao_pair){
		.case_name = ao_xstrdup(case_name),
		.log_gain = log(gain),
		.log_low = log(gain * 0.9),
		.log_high = log(gain * 1.1),
	};
	memcpy(pair->against, against, AO_ID_SIZE);
}

/* A profile that passed, of 2 ms and 50 % of peak on both cases. */
static struct ao_profile *new_profile(void)
{
	struct ao_profile *profile = ao_xcalloc(1, sizeof(*profile));
	struct ao_result *result = &profile->result;

	result->verdict = AO_VERDICT_PASSED;
	result->case_count = 2;
	result->cases = ao_xcalloc(2, sizeof(*result->cases));
	for (size_t i = 0; i < 2; i++) {
		result->cases[i].case_name = ao_xstrdup(cases.v[i]);
		result->cases[i].min_ns = 1.6e6;
		result->cases[i].median_ns = 2e6;
		result->cases[i].percent_of_peak = 50;
	}
	return profile;
}

/* A run that one of two attempts won; the other was taken from elsewhere. */
static void make_run(struct ao_history_run *out)
{
	*out = (struct ao_history_run){ .candidate_count = 2 };
	out->run.id = ao_xstrdup("20261130T021054-7f3a9c01");
	out->run.task = ao_xstrdup("toy");
	out->run.writer = ao_xstrdup("7f3a9c01");
	out->run.settings.seed = 7;
	memcpy(out->run.task_id, task->id, AO_ID_SIZE);
	memcpy(out->run.base, base, AO_ID_SIZE);
	memcpy(out->run.base_kernel, author_id, AO_ID_SIZE);
	ao_eval_id(out->run.evaluator);
	memcpy(out->best, won, AO_ID_SIZE);
	out->baseline = new_profile();
	out->candidates = ao_xcalloc(2, sizeof(*out->candidates));
	for (size_t i = 0; i < 2; i++) {
		struct ao_candidate *c = &out->candidates[i];

		memcpy(c->parent, base, AO_ID_SIZE);
		c->message.title = ao_xstrdup("Use | vectors");
		c->profile = new_profile();
	}
	memcpy(out->candidates[0].commit, won, AO_ID_SIZE);
	memcpy(out->candidates[1].commit, usual_id, AO_ID_SIZE);
	out->candidates[1].profile->result.is_reused = true;
}

static void release_run(struct ao_history_run *run)
{
	for (size_t i = 0; i < run->candidate_count; i++)
		ao_candidate_release(&run->candidates[i]);
	free(run->candidates);
	ao_profile_release(run->baseline);
	free(run->baseline);
	ao_run_release(&run->run);
}

/* The pairs of a comparison, behind one of the search. */
static void compare(struct ao_result *result, double gain)
{
	add_pair(result, "main", author_id, 1.1);
	for (size_t i = 0; i < 2; i++) {
		add_pair(result, cases.v[i], author_id, gain);
		add_pair(result, cases.v[i], usual_id, gain / 2);
	}
}

static bool is_near(double a, double b)
{
	return fabs(a - b) <= 1e-9 * fabs(b);
}

static void a_row_has_both_baselines_by_the_last_pairs(void)
{
	struct ao_bench_task of = bench_task(true);
	struct ao_bench_row row = { 0 };
	struct ao_history_run run;

	make_run(&run);
	compare(&run.candidates[0].profile->result, 4);
	EXPECT(ao_bench_row_read(&row, &run, &of));
	EXPECT(row.case_count == 2 && !strcmp(row.best, won));
	if (row.case_count == 2) {
		EXPECT(!strcmp(row.cases[0].shape, "M=64"));
		EXPECT(is_near(row.cases[0].author_ns, 8e6));
		EXPECT(is_near(row.cases[0].practitioner_ns, 4e6));
		EXPECT(is_near(row.cases[0].final_ns, 2e6));
		EXPECT(is_near(row.cases[1].percent_before, 12.5));
		EXPECT(is_near(row.cases[1].percent_after, 50));
		EXPECT(is_near(row.cases[1].percent_fastest, 62.5));
	}
	EXPECT(row.plans.count == 1);
	ao_bench_row_release(&row);
	release_run(&run);
}

static void evaluations_and_failures_count_where_they_were_paid(void)
{
	struct ao_bench_task of = bench_task(true);
	struct ao_bench_row row = { 0 };
	struct ao_history_run run;

	make_run(&run);
	compare(&run.candidates[0].profile->result, 4);
	EXPECT(ao_bench_row_read(&row, &run, &of));
	EXPECT(row.evals == 1 && row.failed == 0);
	ao_bench_row_release(&row);
	run.candidates[1].profile->result.is_reused = false;
	run.candidates[1].profile->result.verdict =
		AO_VERDICT_INCORRECT_NUMERICAL;
	EXPECT(ao_bench_row_read(&row, &run, &of));
	EXPECT(row.evals == 2 && row.failed == 1);
	ao_bench_row_release(&row);
	release_run(&run);
}

static void without_all_comparisons_there_is_no_row(void)
{
	struct ao_bench_task of = bench_task(true);
	struct ao_bench_row row = { 0 };
	struct ao_history_run run;

	make_run(&run);
	EXPECT(!ao_bench_row_read(&row, &run, &of));
	compare(&run.candidates[0].profile->result, 4);
	/* The last one, of the odd case against the practitioner's. */
	run.candidates[0].profile->result.pairs[4].log_gain = (double)NAN;
	EXPECT(!ao_bench_row_read(&row, &run, &of));
	of = bench_task(false);
	EXPECT(ao_bench_row_read(&row, &run, &of));
	EXPECT(row.case_count == 2 && row.cases[0].practitioner_ns == 0);
	ao_bench_row_release(&row);
	release_run(&run);
}

static void a_run_that_has_not_ended_has_no_row(void)
{
	struct ao_bench_task of = bench_task(false);
	struct ao_bench_row row = { 0 };
	struct ao_history_run run;

	make_run(&run);
	compare(&run.candidates[0].profile->result, 4);
	run.best[0] = '\0';
	EXPECT(!ao_bench_row_read(&row, &run, &of));
	release_run(&run);
}

static void where_nothing_was_faster_the_author_s_baseline_is_final(void)
{
	struct ao_bench_task of = bench_task(true);
	struct ao_bench_row row = { 0 };
	struct ao_history_run run;

	make_run(&run);
	memcpy(run.best, base, AO_ID_SIZE);
	add_pair(&run.baseline->result, "main", usual_id, 0.5);
	add_pair(&run.baseline->result, "odd", usual_id, 0.5);
	EXPECT(ao_bench_row_read(&row, &run, &of));
	EXPECT(!*row.best && !row.plans.count && row.case_count == 2);
	if (row.case_count == 2) {
		EXPECT(is_near(row.cases[0].author_ns, row.cases[0].final_ns));
		EXPECT(!row.cases[0].over_author.is_measured);
		EXPECT(is_near(row.cases[0].practitioner_ns, 1e6));
	}
	ao_bench_row_release(&row);
	release_run(&run);
}

static void a_run_is_gone_on_with_if_it_began_alike(void)
{
	struct ao_bench_task of = bench_task(true);
	struct ao_bench_wanted wanted = { .task = &of, .writer = "7f3a9c01" };
	struct ao_history history = { .run_count = 1 };
	struct ao_history_run run;
	char *key;

	make_run(&run);
	history.runs = &run;
	key = ao_machine_key(&run.run.machine);
	wanted.machine = key;
	EXPECT(ao_bench_find_run(&history, &wanted) == &run);
	wanted.seed = 7;
	EXPECT(ao_bench_find_run(&history, &wanted) == &run);
	wanted.seed = 8;
	EXPECT(!ao_bench_find_run(&history, &wanted));
	wanted.seed = 0;
	wanted.machine = machine_key;
	EXPECT(!ao_bench_find_run(&history, &wanted));
	wanted.machine = key;
	wanted.writer = "00000000";
	EXPECT(!ao_bench_find_run(&history, &wanted));
	wanted.writer = "7f3a9c01";
	run.run.evaluator[0] ^= 1;
	EXPECT(!ao_bench_find_run(&history, &wanted));
	run.run.evaluator[0] ^= 1;
	run.run.base_kernel[0] ^= 1;
	EXPECT(!ao_bench_find_run(&history, &wanted));
	run.run.base_kernel[0] ^= 1;
	run.is_remote = true;
	EXPECT(!ao_bench_find_run(&history, &wanted));
	free(key);
	release_run(&run);
}

/* Rows of one case each, of these gains over the practitioner's (0: none). */
static void make_rows(struct ao_bench_row *rows,
		      struct ao_bench_case *main_cases, const double *over,
		      size_t count)
{
	for (size_t i = 0; i < count; i++) {
		main_cases[i] = (struct ao_bench_case){
			.final_ns = 1e6,
			.author_ns = 4e6,
			.over_author = { .log_gain = log(4),
					 .is_measured = true },
			.percent_before = i ? 8 : 2,
			.percent_after = 50,
			.percent_fastest = i ? 80 : 20,
		};
		rows[i] = (struct ao_bench_row){ .cases = &main_cases[i],
						 .case_count = 1 };
		if (over[i] > 0) {
			main_cases[i].over_practitioner.log_gain = log(over[i]);
			main_cases[i].practitioner_ns = over[i] * 1e6;
		}
	}
}

static void means_are_geometric_and_leave_out_what_is_not_there(void)
{
	static const double over[3] = { 2, 0, 0.5 };
	struct ao_bench_case main_cases[3];
	struct ao_bench_row rows[3];
	struct ao_bench_sum sum;

	make_rows(rows, main_cases, over, 3);
	ao_bench_sum(&sum, rows, 2);
	EXPECT(is_near(sum.percent_before, 4));
	EXPECT(is_near(sum.percent_fastest, 40));
	EXPECT(is_near(sum.over_author, log(4)));
	EXPECT(sum.practitioner_rows == 1 &&
	       is_near(sum.over_practitioner, log(2)));
	EXPECT(sum.worst == &rows[0]);
	ao_bench_sum(&sum, rows, 3);
	EXPECT(sum.practitioner_rows == 2 &&
	       fabs(sum.over_practitioner) < 1e-9);
	EXPECT(sum.worst == &rows[2]);
	ao_bench_sum(&sum, rows + 1, 1);
	EXPECT(!sum.worst && !sum.practitioner_rows);
}

static void text_of_others_stays_in_its_cell(void)
{
	struct ao_bench_task of = bench_task(true);
	struct ao_buf text = AO_BUF_INIT(1 << 20);
	struct ao_machine machine = { .cores = 2 };
	struct ao_bench_row row = { 0 };
	struct ao_strs libraries = { 0 }, missing = { 0 };
	struct ao_bench_page page = {
		.title = "suite\033[2J",
		.command = "git accelopt bench",
		.machine = &machine,
		.rows = &row,
		.count = 1,
		.libraries = &libraries,
		.missing = &missing,
	};
	struct ao_history_run run;

	make_run(&run);
	ao_strs_push(&missing, "b|d");
	ao_strs_push(&libraries, "/usr/lib/libx-1.2.so");
	compare(&run.candidates[0].profile->result, 4);
	EXPECT(ao_bench_row_read(&row, &run, &of));
	ao_bench_text(&text, &page);
	EXPECT(strstr(text.ptr, "# suite\\x1B[2J\n") ||
	       strstr(text.ptr, "# suite\\x1b[2J\n"));
	EXPECT(strstr(text.ptr, "Use \\| vectors |\n") != NULL);
	EXPECT(strstr(text.ptr, "did not pass: b\\|d.\n") != NULL);
	EXPECT(strstr(text.ptr,
		      "| toy | main | M=64 | 8 | 4 | 2 | x4.00 [3.60..4.40] | "
		      "x2.00 [1.80..2.20] | 12.5 | 50.0 |\n") != NULL);
	EXPECT(strstr(text.ptr, "baselines: libx-1.2.so)") != NULL);
	ao_strs_release(&libraries);
	ao_strs_release(&missing);
	ao_buf_release(&text);
	ao_bench_row_release(&row);
	release_run(&run);
}

int main(void)
{
	struct ao_error *err = ao_task_parse(&task, "task.json", definition,
					     strlen(definition));

	if (err) {
		printf("Bail out! %s\n", ao_error_message(err));
		return 1;
	}
	ao_task_set_reference(task, "x", 1);
	memcpy(author.id, author_id, AO_ID_SIZE);
	memcpy(usual.id, usual_id, AO_ID_SIZE);
	ao_strs_push(&cases, "main");
	ao_strs_push(&cases, "odd");
	RUN(a_row_has_both_baselines_by_the_last_pairs);
	RUN(evaluations_and_failures_count_where_they_were_paid);
	RUN(without_all_comparisons_there_is_no_row);
	RUN(a_run_that_has_not_ended_has_no_row);
	RUN(where_nothing_was_faster_the_author_s_baseline_is_final);
	RUN(a_run_is_gone_on_with_if_it_began_alike);
	RUN(means_are_geometric_and_leave_out_what_is_not_there);
	RUN(text_of_others_stays_in_its_cell);
	ao_strs_release(&cases);
	ao_task_free(task);
	return tap_done();
}
