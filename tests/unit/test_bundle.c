/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include "eval/answer.h"
#include "eval/bundle.h"
#include "eval_task.h"
#include "model/library.h"
#include "util/limits.h"

static struct ao_task *task;
static struct ao_kernel kernel;
static struct ao_kernel opponents[2];
static struct ao_machine machine;

static struct ao_bundle full_bundle(void)
{
	return (struct ao_bundle){
		.task = task,
		.candidate = &kernel,
		.opponents = opponents,
		.opponent_count = 2,
		.machine = &machine,
		.stage = AO_STAGE_FULL,
		.with_remarks = true,
		.with_cachegrind = true,
		.seed = UINT64_MAX,
		.call_timeout_ms = 1234,
		.build_timeout_ms = 5678,
	};
}

static char *text_of(const struct ao_bundle *bundle)
{
	struct ao_buf buf = AO_BUF_INIT(AO_MAX_RESULT_BYTES);

	ao_bundle_write(&buf, bundle);
	must(ao_buf_check(&buf, "bundle"));
	return ao_buf_take(&buf);
}

/* Write and read again. */
static struct ao_bundle_owned round_trip(const struct ao_bundle *bundle)
{
	struct ao_bundle_owned back = { 0 };
	char *text = text_of(bundle);

	must(ao_bundle_read(&back, text, strlen(text)));
	free(text);
	return back;
}

static void a_bundle_comes_back_as_it_was(void)
{
	struct ao_bundle bundle = full_bundle();
	struct ao_bundle_owned back = round_trip(&bundle);

	EXPECT(back.bundle.stage == AO_STAGE_FULL);
	EXPECT(back.bundle.with_remarks);
	EXPECT(back.bundle.with_cachegrind);
	EXPECT(back.bundle.seed == UINT64_MAX);
	EXPECT(back.bundle.call_timeout_ms == 1234);
	EXPECT(back.bundle.build_timeout_ms == 5678);
	EXPECT(!strcmp(back.bundle.task->id, task->id));
	EXPECT(!strcmp(back.bundle.task->reference, task->reference));
	EXPECT(back.bundle.opponent_count == 2);
	ao_bundle_release(&back);
}

static void kernels_come_back_as_they_were(void)
{
	struct ao_bundle bundle = full_bundle();
	struct ao_bundle_owned back = round_trip(&bundle);
	const struct ao_kernel *odd = &back.bundle.opponents[1];

	EXPECT(!strcmp(back.bundle.candidate->id, kernel.id));
	EXPECT(!strcmp(back.bundle.candidate->files[0].data, scale_kernel));
	EXPECT(odd->count == 2 && odd->files[1].len == 5);
	EXPECT(odd->count == 2 && !memcmp(odd->files[1].data, "a\0\xff\nb", 5));
	ao_bundle_release(&back);
}

static void libraries_of_an_opponent_come_back(void)
{
	struct ao_bundle bundle = full_bundle();
	struct ao_bundle_owned back;

	opponents[1].libraries = ao_library_bit("openblas");
	back = round_trip(&bundle);
	opponents[1].libraries = 0;
	EXPECT(back.bundle.opponents[0].libraries == 0);
	EXPECT(back.bundle.opponents[1].libraries ==
	       ao_library_bit("openblas"));
	ao_bundle_release(&back);
}

static void a_candidate_cannot_have_libraries(void)
{
	struct ao_bundle bundle = full_bundle();
	struct ao_bundle_owned back = { 0 };
	struct ao_error *err;
	char *text;

	kernel.libraries = ao_library_bit("openblas");
	text = text_of(&bundle);
	kernel.libraries = 0;
	err = ao_bundle_read(&back, text, strlen(text));
	EXPECT(ao_error_code(err) == AO_EINVALID);
	EXPECT(err && strstr(ao_error_message(err), "candidate.libraries"));
	ao_error_free(err);
	free(text);
}

static void ceilings_come_back_as_they_were(void)
{
	struct ao_bundle bundle = full_bundle();
	struct ao_bundle_owned back = round_trip(&bundle);

	EXPECT(back.bundle.machine &&
	       back.bundle.machine->ceilings.work_per_s[AO_WORK_FMA] == 5e10);
	EXPECT(back.bundle.machine &&
	       back.bundle.machine->ceilings.bandwidth_count == 1);
	ao_bundle_release(&back);
}

static void a_bundle_without_a_machine_has_none(void)
{
	struct ao_bundle bundle = full_bundle();
	struct ao_bundle_owned back;

	bundle.machine = NULL;
	bundle.opponent_count = 0;
	back = round_trip(&bundle);
	EXPECT(!back.bundle.machine);
	EXPECT(!back.bundle.opponent_count);
	ao_bundle_release(&back);
}

static void cases_come_back_as_they_were_chosen(void)
{
	struct ao_bundle bundle = full_bundle();
	struct ao_strs cases = { 0 };
	struct ao_bundle_owned back;

	ao_strs_push(&cases, "large");
	ao_strs_push(&cases, "odd");
	bundle.cases = &cases;
	back = round_trip(&bundle);
	EXPECT(back.cases.count == 2);
	EXPECT(ao_strs_has(&back.cases, "large"));
	EXPECT(ao_strs_has(&back.cases, "odd"));
	ao_bundle_release(&back);
	ao_strs_release(&cases);
}

static void a_case_that_the_task_has_not_is_refused(void)
{
	struct ao_bundle bundle = full_bundle();
	struct ao_strs cases = { 0 };
	struct ao_bundle_owned back = { 0 };
	char *text;

	ao_strs_push(&cases, "main");
	ao_strs_push(&cases, "other");
	bundle.cases = &cases;
	text = text_of(&bundle);
	EXPECT(tells(ao_bundle_read(&back, text, strlen(text)),
		     "cases[1]: expected the name of a case"));
	EXPECT(!back.task);
	free(text);
	ao_strs_release(&cases);
}

static void where_nobody_chose_a_bundle_says_nothing_of_it(void)
{
	struct ao_bundle bundle = full_bundle();
	struct ao_bundle_owned back = round_trip(&bundle);
	char *text = text_of(&bundle);

	EXPECT(!strstr(text, "\"cases\":["));
	EXPECT(!back.cases.count);
	free(text);
	ao_bundle_release(&back);
}

static void a_bundle_is_one_line(void)
{
	struct ao_bundle bundle = full_bundle();
	char *text = text_of(&bundle);

	EXPECT(!strchr(text, '\n'));
	free(text);
}

/* The error of a good bundle in which `from` is `to`. */
static struct ao_error *error_with(const char *from, const char *to)
{
	struct ao_bundle bundle = full_bundle();
	struct ao_bundle_owned back = { 0 };
	char *text = text_of(&bundle);
	char *at = strstr(text, from);
	struct ao_error *err;
	char *bad;

	EXPECT(at != NULL);
	if (!at)
		at = text;
	bad = ao_xstrf("%.*s%s%s", (int)(at - text), text, to,
		       at + strlen(from));
	err = ao_bundle_read(&back, bad, strlen(bad));
	ao_bundle_release(&back);
	free(text);
	free(bad);
	return err;
}

static void an_odd_field_is_named(void)
{
	EXPECT(tells(error_with("\"full\"", "\"fast\""), "stage: expected"));
	EXPECT(tells(error_with("\"v\":1", "\"v\":2"), "v: 2 is not within"));
	EXPECT(tells(error_with("\"seed\":\"18446744073709551615\"",
				"\"seed\":\"x\""),
		     "seed: expected"));
	EXPECT(tells(
		error_with("\"seed\":\"18446744073709551615\"", "\"seed\":3"),
		"seed: expected a string"));
	EXPECT(tells(error_with("\"call_timeout_ms\":1234",
				"\"call_timeout_ms\":1e12"),
		     "call_timeout_ms: "));
	EXPECT(tells(error_with("\"files\"", "\"filez\""),
		     "candidate.filez: unknown field; did you mean 'files'"));
	EXPECT(tells(error_with("\"opponents\":[", "\"opponents\":[7,"),
		     "opponents[0]: expected an object"));
	EXPECT(tells(error_with("\"hex\":\"61", "\"hex\":\"6g"),
		     "hex: expected pairs"));
	EXPECT(tells(error_with("\"hex\":\"6100", "\"hex\":\"610"),
		     "hex: expected pairs"));
}

static void a_machine_that_is_no_object_is_refused(void)
{
	struct ao_bundle bundle = full_bundle();
	struct ao_bundle_owned back = { 0 };
	char *text = text_of(&bundle);
	char *at = strstr(text, "\"machine\":");
	char *bad = ao_xstrf("%.*s\"machine\":3}", (int)(at - text), text);

	EXPECT(tells(ao_bundle_read(&back, bad, strlen(bad)),
		     "machine: expected an object"));
	free(bad);
	free(text);
}

static void an_odd_task_is_named_with_its_line(void)
{
	EXPECT(tells(error_with("\\\"FACTOR\\\": 3", "\\\"FACTOR\\\": true"),
		     "task.json:6: scalars.FACTOR"));
}

static void a_kernel_id_is_forty_digits(void)
{
	EXPECT(tells(error_with("\"id\":\"aaaaaaaa", "\"id\":\"zzzzzzzz"),
		     "id: expected 40"));
}

static void odd_text_is_no_bundle(void)
{
	static const char *const texts[] = { "",     "{}",	  "[]",
					     "null", "{\"v\":1}", "{\"v\":" };
	struct ao_bundle_owned back = { 0 };

	for (size_t i = 0; i < AO_ARRAY_SIZE(texts); i++)
		EXPECT(code_of(ao_bundle_read(&back, texts[i],
					      strlen(texts[i]))) ==
		       AO_EINVALID);
}

static void too_large_a_bundle_is_refused(void)
{
	struct ao_bundle_owned back = { 0 };
	char *text = ao_xcalloc(AO_MAX_RESULT_BYTES + 1, 1);

	EXPECT(code_of(ao_bundle_read(&back, text, AO_MAX_RESULT_BYTES + 1)) ==
	       AO_ELIMIT);
	free(text);
}

static void too_many_opponents_are_refused(void)
{
	struct ao_bundle bundle = full_bundle();
	struct ao_kernel *many = ao_xcalloc(AO_MAX_OPPONENTS + 1,
					    sizeof(*many));
	struct ao_bundle_owned back = { 0 };
	char *text;

	for (size_t i = 0; i <= AO_MAX_OPPONENTS; i++)
		many[i] = make_kernel("");
	bundle.opponents = many;
	bundle.opponent_count = AO_MAX_OPPONENTS + 1;
	text = text_of(&bundle);
	EXPECT(tells(ao_bundle_read(&back, text, strlen(text)),
		     "opponents: more than 16"));
	free(text);
	for (size_t i = 0; i <= AO_MAX_OPPONENTS; i++)
		ao_kernel_release(&many[i]);
	free(many);
}

static void a_result_comes_back_as_it_was(void)
{
	struct ao_buf buf = AO_BUF_INIT(AO_MAX_RESULT_BYTES);
	struct ao_result result = { .verdict = AO_VERDICT_TIMEOUT,
				    .detail = ao_xstrdup("slow") };
	struct ao_result back = { 0 };
	struct ao_error *err = NULL;

	result.cpu_ns.compile = 5;
	ao_answer_write(&buf, &result, NULL);
	EXPECT(!strchr(buf.ptr, '\n'));
	EXPECT(ao_answer_read(&back, &err, buf.ptr, buf.len) && !err);
	EXPECT(back.verdict == AO_VERDICT_TIMEOUT);
	EXPECT(back.detail && !strcmp(back.detail, "slow"));
	EXPECT(back.cpu_ns.compile == 5);
	ao_result_release(&back);
	ao_result_release(&result);
	ao_buf_release(&buf);
}

static void an_error_comes_back_with_its_causes(void)
{
	struct ao_buf buf = AO_BUF_INIT(AO_MAX_RESULT_BYTES);
	struct ao_result back = { 0 };
	struct ao_error *err = ao_error_new(AO_ELIMIT, "root %s", "cause");

	err = ao_error_wrap(err, "outermost");
	ao_answer_write(&buf, NULL, err);
	ao_error_free(err);
	err = NULL;
	EXPECT(ao_answer_read(&back, &err, buf.ptr, buf.len));
	EXPECT(ao_error_code(err) == AO_ELIMIT);
	EXPECT(!strcmp(ao_error_message(err), "outermost"));
	EXPECT(tells(err, "root cause"));
	ao_buf_release(&buf);
}

static void odd_text_is_no_answer(void)
{
	static const char *const texts[] = { "",   "hello",
					     "{}", "{\"result\":3}",
					     "[]", "{\"error\":\"x\"}" };
	struct ao_result back = { 0 };
	struct ao_error *err = NULL;

	for (size_t i = 0; i < AO_ARRAY_SIZE(texts); i++)
		EXPECT(!ao_answer_read(&back, &err, texts[i],
				       strlen(texts[i])));
	EXPECT(!err);
}

static void an_error_without_a_text_is_an_error_still(void)
{
	struct ao_result back = { 0 };
	struct ao_error *err = NULL;

	EXPECT(ao_answer_read(&back, &err, "{\"error\":[]}", 12));
	EXPECT(code_of(err) == AO_EIO);
}

int main(void)
{
	static const char odd[] = "a\0\xff\nb";

	task = scale_task();
	kernel = make_kernel(scale_kernel);
	opponents[0] = make_kernel(scale_kernel);
	opponents[1] = make_kernel(scale_kernel);
	ao_kernel_add(&opponents[1], "odd.h", odd, sizeof(odd) - 1);
	memset(kernel.id, 'a', AO_ID_SIZE - 1);
	machine.ceilings.work_per_s[AO_WORK_FMA] = 5e10;
	machine.ceilings.bandwidth[0].footprint_bytes = 1e6;
	machine.ceilings.bandwidth[0].bytes_per_s = 1e11;
	machine.ceilings.bandwidth_count = 1;
	RUN(a_bundle_comes_back_as_it_was);
	RUN(kernels_come_back_as_they_were);
	RUN(libraries_of_an_opponent_come_back);
	RUN(a_candidate_cannot_have_libraries);
	RUN(ceilings_come_back_as_they_were);
	RUN(a_bundle_without_a_machine_has_none);
	RUN(cases_come_back_as_they_were_chosen);
	RUN(a_case_that_the_task_has_not_is_refused);
	RUN(where_nobody_chose_a_bundle_says_nothing_of_it);
	RUN(a_bundle_is_one_line);
	RUN(an_odd_field_is_named);
	RUN(a_machine_that_is_no_object_is_refused);
	RUN(an_odd_task_is_named_with_its_line);
	RUN(a_kernel_id_is_forty_digits);
	RUN(odd_text_is_no_bundle);
	RUN(too_large_a_bundle_is_refused);
	RUN(too_many_opponents_are_refused);
	RUN(a_result_comes_back_as_it_was);
	RUN(an_error_comes_back_with_its_causes);
	RUN(odd_text_is_no_answer);
	RUN(an_error_without_a_text_is_an_error_still);
	ao_kernel_release(&kernel);
	ao_kernel_release(&opponents[0]);
	ao_kernel_release(&opponents[1]);
	ao_task_free(task);
	return tap_done();
}
