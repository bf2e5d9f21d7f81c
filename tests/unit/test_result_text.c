/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <math.h>

#include "cli/result_text.h"

#include "tap.h"

static char name[] = "main", bound[] = "memory", detail[] = "kernel.c:1: no",
	    flags[] = "gcc -O3", text[] = "loop not vectorized",
	    output[] = "first\nsecond";
static struct ao_case_result a_case = {
	.case_name = name,
	.error = 3.1e-8,
	.limit = 2e-5,
	.median_ns = 4.21e6,
	.floor_ns = 1.9e6,
	.percent_of_peak = 45.13,
	.bound = bound,
};
static struct ao_pair pair = {
	.case_name = name,
	.decision = AO_DECISION_FASTER,
	.log_gain = 0.35767, /* of 1.43 */
	.log_low = 0.33647,
	.log_high = 0.37844,
	.evidence = 5120,
	.units = 12,
};
static struct ao_remark remark = { .line = 12, .text = text };

static bool holds(const struct ao_buf *buf, const char *expected)
{
	if (strstr(buf->ptr, expected))
		return true;
	printf("# no '%s' in:\n# %s\n", expected, buf->ptr);
	return false;
}

static void a_pass_shows_cases_flags_and_remarks(void)
{
	const struct ao_result result = {
		.verdict = AO_VERDICT_PASSED,
		.flags = flags,
		.cases = &a_case,
		.case_count = 1,
		.remarks = &remark,
		.remark_count = 1,
	};
	struct ao_buf buf = AO_BUF_INIT(4096);

	ao_result_text(&buf, &result);
	EXPECT(strncmp(buf.ptr, "PASSED\n", 7) == 0);
	EXPECT(holds(&buf, "main         4.21 ms   1.90 ms     45.1 %  memory"
			   "     3.1e-08     2e-05\n"));
	EXPECT(holds(&buf, "built with gcc -O3\n"));
	EXPECT(holds(&buf, "    line 12: no reason is given\n"));
	ao_buf_release(&buf);
}

static void a_loop_that_is_not_vectorised_has_the_reasons_alone(void)
{
	static char bare[] = "loop not vectorized";
	static char reason[] = "loop not vectorized: a call";
	static char other[] = "the cost-model says no";
	struct ao_remark remarks[] = { { NULL, 8, bare },
				       { NULL, 8, reason },
				       { NULL, 9, other } };
	const struct ao_result result = { .verdict = AO_VERDICT_PASSED,
					  .remarks = remarks,
					  .remark_count = 3 };
	struct ao_buf buf = AO_BUF_INIT(4096);

	ao_result_text(&buf, &result);
	EXPECT(holds(&buf, "\nloops that clang would not vectorise, and why\n"
			   "    line 8: a call\n"
			   "    line 9: the cost-model says no\n"));
	ao_buf_release(&buf);
}

static void of_several_files_a_remark_names_one(void)
{
	static char reason[] = "loop not vectorized: a call";
	static char file[] = "sub/part.c", other[] = "kernel.c";
	struct ao_remark remarks[] = { { other, 8, text },
				       { file, 8, reason } };
	const struct ao_result result = { .verdict = AO_VERDICT_PASSED,
					  .remarks = remarks,
					  .remark_count = 2 };
	struct ao_buf buf = AO_BUF_INIT(4096);

	ao_result_text(&buf, &result);
	EXPECT(holds(&buf, "    kernel.c, line 8: no reason is given\n"
			   "    sub/part.c, line 8: a call\n"));
	ao_buf_release(&buf);
}

static void the_hot_loop_is_told_in_two_lines(void)
{
	static char file[] = "kernel.c", latency[] = "latency",
		    chain[] = "vmulss vfmadd231ss";
	const struct ao_result result = {
		.verdict = AO_VERDICT_PASSED,
		.hotloop = { .file = file,
			     .line = 31,
			     .samples = 256,
			     .share = 0.87,
			     .outside = 0.08,
			     .instructions = 14,
			     .scalar = 3,
			     .vector256 = 8,
			     .loads = 4,
			     .branches = 1,
			     .cycles = 4,
			     .throughput_cycles = 1.1,
			     .bound = latency,
			     .chain = chain },
	};
	struct ao_buf buf = AO_BUF_INIT(4096);

	ao_result_text(&buf, &result);
	EXPECT(holds(
		&buf,
		"\nwhere the time goes\n"
		"    87 % of the time in the loop of line 31 of "
		"kernel.c, 8 % in libraries that are called; of its 14 "
		"instructions: 3 scalar, 8 256-bit, 4 load, 1 branch\n"
		"    a step takes 4 cycles where data is at hand, bound by the latency of a "
		"chain of instructions (vmulss vfmadd231ss); its "
		"throughput needs 1.1\n"));
	ao_buf_release(&buf);
}

static void a_tool_that_is_missing_is_told(void)
{
	static char missing[] = "llvm-mca";
	const struct ao_result result = { .verdict = AO_VERDICT_PASSED,
					  .hotloop = { .missing = missing } };
	struct ao_buf buf = AO_BUF_INIT(4096);

	ao_result_text(&buf, &result);
	EXPECT(holds(&buf, "more is not known: there is no llvm-mca, or it "
			   "fails\n"));
	ao_buf_release(&buf);
}

static void what_is_not_known_of_a_case_is_no_zero(void)
{
	struct ao_case_result cases[] = {
		{ .case_name = name },
		{ .case_name = name, .limit = 2e-5, .error = (double)NAN }
	};
	const struct ao_result result = {
		.verdict = AO_VERDICT_INCORRECT_NUMERICAL,
		.cases = cases,
		.case_count = 2,
	};
	struct ao_buf buf = AO_BUF_INIT(4096);

	ao_result_text(&buf, &result);
	EXPECT(holds(&buf, "main               -         -          -  -       "
			   "         -         -\n"));
	EXPECT(holds(&buf, "         -     2e-05\n"));
	ao_buf_release(&buf);
}

static void an_exact_answer_has_an_error_of_zero(void)
{
	struct ao_case_result exact = { .case_name = name };
	const struct ao_result result = {
		.verdict = AO_VERDICT_PASSED,
		.cases = &exact,
		.case_count = 1,
	};
	struct ao_buf buf = AO_BUF_INIT(4096);

	ao_result_text(&buf, &result);
	EXPECT(holds(&buf, "         0         0\n"));
	ao_buf_release(&buf);
}

static void a_failure_shows_why_and_what_was_printed(void)
{
	const struct ao_result result = {
		.verdict = AO_VERDICT_COMPILE_ERROR,
		.detail = detail,
		.log = output,
	};
	struct ao_buf buf = AO_BUF_INIT(4096);

	ao_result_text(&buf, &result);
	EXPECT(holds(&buf, "COMPILE_ERROR: kernel.c:1: no\n"));
	EXPECT(holds(&buf, "its output\n    first\n    second\n"));
	EXPECT(!strstr(buf.ptr, "of peak"));
	ao_buf_release(&buf);
}

static void a_pair_shows_ratio_interval_and_evidence(void)
{
	const struct ao_result result = { .pairs = &pair, .pair_count = 1 };
	struct ao_buf buf = AO_BUF_INIT(4096);

	ao_pairs_text(&buf, &result, "old.c", "new.c");
	EXPECT(strcmp(buf.ptr, "main: new.c against old.c: faster, x1.430 "
			       "[1.400..1.460], evidence 5120 in 12 "
			       "units\n") == 0);
	ao_buf_release(&buf);
}

static void a_tie_is_no_difference(void)
{
	struct ao_pair tie = pair;
	const struct ao_result result = { .pairs = &tie, .pair_count = 1 };
	struct ao_buf buf = AO_BUF_INIT(4096);

	tie.decision = AO_DECISION_TIE;
	ao_pairs_text(&buf, &result, "a", "b");
	EXPECT(holds(&buf, "no difference"));
	ao_buf_release(&buf);
}

int main(void)
{
	RUN(a_pass_shows_cases_flags_and_remarks);
	RUN(of_several_files_a_remark_names_one);
	RUN(the_hot_loop_is_told_in_two_lines);
	RUN(a_tool_that_is_missing_is_told);
	RUN(a_loop_that_is_not_vectorised_has_the_reasons_alone);
	RUN(what_is_not_known_of_a_case_is_no_zero);
	RUN(an_exact_answer_has_an_error_of_zero);
	RUN(a_failure_shows_why_and_what_was_printed);
	RUN(a_pair_shows_ratio_interval_and_evidence);
	RUN(a_tie_is_no_difference);
	return tap_done();
}
