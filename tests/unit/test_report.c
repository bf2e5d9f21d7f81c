/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include <math.h>

#include "collab/report.h"
#include "util/text.h"

static const char base[] = "0c9d8e7f6a5b4c3d2e1f00f1e2d3c4b5a6978877";
static const char base_kernel[] = "9daeafb9864cf43055ae93beb0afd6c7d144bfa4";
static const char first[] = "1111111111aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
static const char second[] = "2222222222aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
static const char other[] = "3333333333aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

static void make_profile(struct ao_profile *out, enum ao_verdict verdict,
			 double median_ns, double percent)
{
	struct ao_result *result = &out->result;

	*out = (struct ao_profile){ .score = (double)NAN };
	result->verdict = verdict;
	result->case_count = 1;
	result->cases = ao_xcalloc(1, sizeof(*result->cases));
	result->cases[0].case_name = ao_xstrdup("main");
	result->cases[0].median_ns = median_ns;
	result->cases[0].percent_of_peak = percent;
	result->cases[0].bound = ao_xstrdup("fma");
}

static void add_pair(struct ao_profile *profile, double gain)
{
	struct ao_result *result = &profile->result;

	result->pair_count = 1;
	result->pairs = ao_xcalloc(1, sizeof(*result->pairs));
	result->pairs[0] = (struct ao_pair){
		.case_name = ao_xstrdup("main"),
		.log_gain = log(gain),
		.log_low = log(gain - 0.05),
		.log_high = log(gain + 0.05),
	};
}

/* An attempt of iteration 1 with a commit, on `parent`. */
static void make_candidate(struct ao_candidate *out, uint32_t number,
			   const char *commit, const char *parent,
			   const char *title)
{
	*out = (struct ao_candidate){ 0 };
	memcpy(out->commit, commit, AO_ID_SIZE);
	memcpy(out->parent, parent, AO_ID_SIZE);
	out->message.title = ao_xstrdup(title);
	out->message.attempt = (struct ao_attempt){ 1, number };
	out->profile = ao_xcalloc(1, sizeof(*out->profile));
}

/* A run with a lineage of two steps and a failure; best is the second. */
static void make_run(struct ao_history_run *out, const char *task)
{
	*out = (struct ao_history_run){
		.run = { .started_unix_ms = 1796004654123 },
	};
	out->run.id = ao_xstrdup("20261130T021054-7f3a9c01");
	out->run.task = ao_xstrdup(task);
	out->run.writer = ao_xstrdup("7f3a9c01");
	out->run.tool_version = ao_xstrdup("0.1.0");
	memcpy(out->run.base, base, AO_ID_SIZE);
	memcpy(out->run.base_kernel, base_kernel, AO_ID_SIZE);
	ao_settings_init(&out->run.settings);
	out->run.machine.cpu = ao_xstrdup("Imaginary CPU");
	out->run.machine.cores = 2;
	out->run.machine.compiler = ao_xstrdup("gcc 12.2.0");
	out->run.machine.sandbox = ao_xstrdup("namespaces");
	out->baseline = ao_xcalloc(1, sizeof(*out->baseline));
	make_profile(out->baseline, AO_VERDICT_PASSED, 9.11e6, 24);
	memcpy(out->best, second, AO_ID_SIZE);

	out->candidate_count = 3;
	out->candidates = ao_xcalloc(3, sizeof(*out->candidates));
	make_candidate(&out->candidates[0], 1, first, base, "Interchange");
	make_profile(out->candidates[0].profile, AO_VERDICT_PASSED, 6.5e6, 34);
	add_pair(out->candidates[0].profile, 1.4);
	out->candidates[0].profile->score = log(1.4);
	make_candidate(&out->candidates[1], 2, other, base, "Break it");
	make_profile(out->candidates[1].profile, AO_VERDICT_COMPILE_ERROR, 0,
		     0);
	make_candidate(&out->candidates[2], 3, second, first, "Tile");
	make_profile(out->candidates[2].profile, AO_VERDICT_PASSED, 2.6e6, 85);
	add_pair(out->candidates[2].profile, 2.5);
	out->candidates[2].profile->score = log(3.5);
	out->candidates[2].profile->score_variance = 1e-4;
	out->candidates[2].profile->result.is_reused = true;
}

static void make_history(struct ao_history *out, const char *task)
{
	*out = (struct ao_history){ .run_count = 1 };
	out->runs = ao_xcalloc(1, sizeof(*out->runs));
	make_run(&out->runs[0], task);
}

static void add_insight(struct ao_history *history, const char *title)
{
	struct ao_insight *insight;

	history->insights = ao_xcalloc(1, sizeof(*history->insights));
	history->insight_count = 1;
	insight = &history->insights[0];
	insight->task = ao_xstrdup("matmul");
	insight->run = ao_xstrdup("20261130T021054-7f3a9c01");
	insight->title = ao_xstrdup(title);
	insight->text = ao_xstrdup("A sum in memory costs a load and a store.");
	insight->log_gain = log(2.5);
}

/* As ao_history_release(), for what these tests put in. */
static void release(struct ao_history *history)
{
	for (size_t i = 0; i < history->run_count; i++) {
		struct ao_history_run *run = &history->runs[i];

		for (size_t j = 0; j < run->candidate_count; j++)
			ao_candidate_release(&run->candidates[j]);
		free(run->candidates);
		if (run->baseline)
			ao_profile_release(run->baseline);
		free(run->baseline);
		ao_run_release(&run->run);
	}
	free(history->runs);
	for (size_t i = 0; i < history->insight_count; i++)
		ao_insight_release(&history->insights[i]);
	free(history->insights);
}

static char *report(const struct ao_history *history)
{
	struct ao_buf out = AO_BUF_INIT(1 << 20);

	ao_report_text(&out, history);
	return ao_buf_take(&out);
}

/* Whether the report has that line, from its first to its last character. */
static bool has_line(const char *text, const char *line)
{
	char *whole = ao_xstrf("\n%s\n", line);
	bool has = strstr(text, whole) || (ao_text_starts_with(text, line) &&
					   text[strlen(line)] == '\n');

	if (!has)
		printf("# no line '%s' in:\n%s", line, text);
	free(whole);
	return has;
}

static void a_run_is_told_from_its_settings_to_its_best(void)
{
	struct ao_history history;
	char *text;

	make_history(&history, "matmul");
	text = report(&history);
	EXPECT(has_line(text, "matmul\n======"));
	EXPECT(has_line(text, "Run 20261130T021054-7f3a9c01"));
	EXPECT(has_line(text, "  started: 2026-11-30T02:10:54.123Z by git "
			      "accelopt 0.1.0, writer 7f3a9c01"));
	EXPECT(has_line(text, "  machine: Imaginary CPU, 2 cores, gcc 12.2.0, "
			      "workers isolated by namespaces"));
	EXPECT(has_line(text,
			"  baseline: commit 0c9d8e7f6a, 9.110 ms, 24 % of "
			"peak (fma)"));
	EXPECT(has_line(text,
			"  best: x3.50 [3.43..3.57] over the baseline, by "
			"the steps of its lineage"));
	EXPECT(has_line(text, "  limits: 60 evaluations"));
	free(text);
	release(&history);
}

static void the_lineage_goes_from_the_first_step_to_best(void)
{
	struct ao_history history;
	char *text;

	make_history(&history, "matmul");
	text = report(&history);
	EXPECT(has_line(text,
			"    1.1    1111111111  x1.40 [1.35..1.45]   x1.40     "
			"34 %\n           Interchange\n"
			"    1.3    2222222222  x2.50 [2.45..2.55]   x3.50     "
			"85 %\n           Tile"));
	EXPECT(!strstr(text, "Break it"));
	free(text);
	release(&history);
}

static void attempts_are_counted_by_verdict_and_by_who_paid(void)
{
	struct ao_history history;
	char *text;

	make_history(&history, "matmul");
	text = report(&history);
	EXPECT(has_line(text, "  attempts: 3: 2 PASSED, 1 COMPILE_ERROR"));
	EXPECT(has_line(text,
			"  evaluations: 2 paid, 1 taken from earlier ones"));
	free(text);
	release(&history);
}

static void a_best_that_met_the_baseline_says_so(void)
{
	struct ao_history history;
	char *text;

	make_history(&history, "matmul");
	memcpy(history.runs[0].candidates[2].profile->result.pairs[0].against,
	       base_kernel, AO_ID_SIZE);
	text = report(&history);
	EXPECT(has_line(text, "  best: x2.50 [2.45..2.55] over the baseline, "
			      "measured against it"));
	free(text);
	release(&history);
}

static void a_run_without_a_winner_says_why(void)
{
	struct ao_history history;
	char *text;

	make_history(&history, "matmul");
	history.runs[0].best[0] = '\0';
	text = report(&history);
	EXPECT(has_line(text, "  best: not chosen: the search has not ended"));
	free(text);
	memcpy(history.runs[0].best, base, AO_ID_SIZE);
	text = report(&history);
	EXPECT(has_line(text, "  best: the baseline: what is faster was not "
			      "confirmed, as the search was"));
	free(text);
	for (size_t i = 0; i < history.runs[0].candidate_count; i++)
		history.runs[0].candidates[i].profile->result.verdict =
			AO_VERDICT_RUNTIME_ERROR;
	text = report(&history);
	EXPECT(has_line(text, "  best: the baseline: nothing was faster"));
	free(text);
	release(&history);
}

static void insights_stand_with_their_run(void)
{
	struct ao_history history;
	char *text;

	make_history(&history, "matmul");
	add_insight(&history, "Keep sums in registers");
	text = report(&history);
	EXPECT(has_line(text, "  insights\n    x2.50  Keep sums in registers\n"
			      "           A sum in memory costs a load and a "
			      "store."));
	free(text);
	history.insights[0].run[0] = '3';
	text = report(&history);
	EXPECT(!strstr(text, "insights\n"));
	free(text);
	release(&history);
}

static void runs_of_one_task_stand_under_one_heading(void)
{
	struct ao_history history = { .run_count = 3 };
	const char *matmul, *silu;
	char *text;

	history.runs = ao_xcalloc(3, sizeof(*history.runs));
	make_run(&history.runs[0], "matmul");
	make_run(&history.runs[1], "silu");
	make_run(&history.runs[2], "matmul");
	history.runs[2].run.id[0] = '9';
	text = report(&history);
	matmul = strstr(text, "matmul\n======\n");
	silu = strstr(text, "silu\n====\n");
	EXPECT(matmul && silu && matmul < silu);
	EXPECT(matmul && !strstr(matmul + 1, "matmul\n======\n"));
	EXPECT(strstr(text, "Run 90261130T") && silu &&
	       strstr(text, "Run 90261130T") < silu);
	free(text);
	release(&history);
}

static void what_is_not_known_is_said_to_be_unknown(void)
{
	struct ao_history history = { .run_count = 1, .lacks_notes = true };
	char *text;

	history.runs = ao_xcalloc(1, sizeof(*history.runs));
	history.runs[0].candidate_count = 1;
	history.runs[0].candidates = ao_xcalloc(1, sizeof(struct ao_candidate));
	text = report(&history);
	EXPECT(strstr(text, "The notes of these runs are not here"));
	EXPECT(has_line(text, "Run unknown"));
	EXPECT(has_line(text, "  attempts: 1: 1 without a record"));
	EXPECT(strstr(text, "not timed"));
	EXPECT(!strstr(text, "(null)") && !strstr(text, "nan"));
	free(text);
	release(&history);
}

static void an_incomplete_history_is_said_to_be_one(void)
{
	struct ao_history history = { .is_incomplete = true };
	char why[] = "this clone is shallow";
	char *text;

	history.incomplete_why = why;
	text = report(&history);
	EXPECT(has_line(text, "Not all of the history is here: this clone is "
			      "shallow"));
	EXPECT(has_line(text, "No runs."));
	free(text);
}

static void parents_that_go_in_a_circle_end(void)
{
	struct ao_history history;
	char *text;

	make_history(&history, "matmul");
	memcpy(history.runs[0].candidates[0].parent, second, AO_ID_SIZE);
	text = report(&history);
	EXPECT(strstr(text, "Interchange") && strstr(text, "Tile"));
	free(text);
	release(&history);
}

static void text_from_others_reaches_no_terminal_as_it_is(void)
{
	struct ao_history history;
	char *text;

	make_history(&history, "\x1b[2Jmatmul");
	add_insight(&history, "\x1b[31mred\ntwo");
	free(history.insights[0].task);
	history.insights[0].task = ao_xstrdup("\x1b[2Jmatmul");
	free(history.runs[0].candidates[2].message.title);
	history.runs[0].candidates[2].message.title = ao_xstrdup(
		"\x9b\rfake line");
	text = report(&history);
	EXPECT(!strchr(text, '\x1b') && !strchr(text, '\r'));
	EXPECT(!strchr(text, '\x9b'));
	EXPECT(strstr(text, "\\x1b[31mred\n"));
	free(text);
	release(&history);
}

int main(void)
{
	RUN(a_run_is_told_from_its_settings_to_its_best);
	RUN(the_lineage_goes_from_the_first_step_to_best);
	RUN(attempts_are_counted_by_verdict_and_by_who_paid);
	RUN(a_best_that_met_the_baseline_says_so);
	RUN(a_run_without_a_winner_says_why);
	RUN(insights_stand_with_their_run);
	RUN(runs_of_one_task_stand_under_one_heading);
	RUN(what_is_not_known_is_said_to_be_unknown);
	RUN(an_incomplete_history_is_said_to_be_one);
	RUN(parents_that_go_in_a_circle_end);
	RUN(text_from_others_reaches_no_terminal_as_it_is);
	return tap_done();
}
