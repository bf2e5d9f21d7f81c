/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include "model/run.h"

static const char id[] = "20261130T021054-7f3a9c01";

/* Everything set; the caller releases it. */
static struct ao_run make(void)
{
	struct ao_run run = { .started_unix_ms = 1796004654123 };

	run.id = ao_xstrdup(id);
	run.task = ao_xstrdup("matmul");
	run.writer = ao_xstrdup("0badcafe");
	run.tool_version = ao_xstrdup("0.1.0");
	run.origin = ao_xstrdup("20261129T000000-00000001");
	memset(run.base, 'a', AO_ID_SIZE - 1);
	memset(run.base_kernel, 'b', AO_ID_SIZE - 1);
	memset(run.task_id, 'c', AO_ID_SIZE - 1);
	memset(run.evaluator, 'd', AO_ID_SIZE - 1);
	ao_settings_init(&run.settings);
	run.settings.seed = UINT64_MAX;
	run.machine.cpu = ao_xstrdup("Imaginary CPU");
	run.machine.ceilings.work_per_s[AO_WORK_FMA] = 6e10;
	return run;
}

static char *text_of(const struct ao_run *run)
{
	struct ao_buf text = AO_BUF_INIT(1 << 20);

	ao_run_write(&text, run);
	return ao_buf_take(&text);
}

static struct ao_error *read_text(struct ao_run *out, const char *text)
{
	return ao_run_read(out, "run.json", text, strlen(text));
}

static void a_run_is_read_as_it_was_written(void)
{
	struct ao_run run = make();
	struct ao_run again = { 0 };
	char *text = text_of(&run);
	char *text_again;
	struct ao_error *err = read_text(&again, text);

	EXPECT(!err);
	ao_error_free(err);
	EXPECT(again.settings.seed == UINT64_MAX);
	EXPECT(again.started_unix_ms == 1796004654123);
	EXPECT(again.machine.ceilings.work_per_s[AO_WORK_FMA] == 6e10);
	text_again = text_of(&again);
	EXPECT(!strcmp(text, text_again));
	free(text_again);
	free(text);
	ao_run_release(&again);
	ao_run_release(&run);
}

static void run_json_is_for_people_too(void)
{
	struct ao_run run = make();
	char *text = text_of(&run);

	EXPECT(strstr(text, "\n  \"task\": \"matmul\",\n"));
	EXPECT(strstr(text, "\n    \"beam\": 3,\n"));
	EXPECT(text[strlen(text) - 1] == '\n');
	free(text);
	ao_run_release(&run);
}

static void defaults_are_those_of_the_catalogue_agent(void)
{
	struct ao_settings settings;
	struct ao_error *err;

	ao_settings_init(&settings);
	EXPECT(settings.beam == 3 && settings.samples == 1);
	EXPECT(settings.iterations == 1000 && settings.max_evals == 60);
	EXPECT(settings.positive_threshold == 1.04);
	EXPECT(settings.negative_threshold == 1.15);
	EXPECT(settings.insights == 8 && settings.memory == 16);
	EXPECT(!strcmp(settings.planner, "catalog"));
	err = ao_settings_check(&settings);
	EXPECT(!err);
	ao_error_free(err);
	ao_settings_release(&settings);
	EXPECT(!settings.planner);
}

static void a_setting_that_is_missing_has_its_default(void)
{
	struct ao_run run = { 0 };
	struct ao_error *err;

	err = read_text(&run, "{\"v\":1,\"id\":\"a-1\",\"task\":\"t\",\"base\":"
			      "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\","
			      "\"settings\":{\"beam\":7,"
			      "\"planner\":\"a model\"}}");
	EXPECT(!err);
	ao_error_free(err);
	EXPECT(run.settings.beam == 7 && run.settings.plans == 8);
	EXPECT(run.settings.planner &&
	       !strcmp(run.settings.planner, "a model"));
	EXPECT(run.settings.executor &&
	       !strcmp(run.settings.executor, "catalog"));
	ao_run_release(&run);
}

/* Whether our run.json is refused with `message` once it is edited. */
static bool is_refused(const char *from, const char *to, const char *message)
{
	struct ao_run run = make();
	struct ao_run again = { 0 };
	char *text = text_of(&run);
	const char *at = strstr(text, from);
	char *edited = at ? ao_xstrf("%.*s%s%s", (int)(at - text), text, to,
				     at + strlen(from))
			  : ao_xstrdup("");
	struct ao_error *err = read_text(&again, edited);
	bool is = at && ao_error_code(err) == AO_EINVALID && !again.id &&
		  strstr(ao_error_message(err), message);

	if (!is)
		printf("# %s\n", err ? ao_error_message(err) : "no error");
	ao_error_free(err);
	ao_run_release(&again);
	free(edited);
	free(text);
	ao_run_release(&run);
	return is;
}

static void a_run_that_cannot_be_gone_on_with_is_refused(void)
{
	EXPECT(is_refused("\"v\": 1", "\"v\": 2",
			  "run.json:2: v: version 2 needs a newer"));
	EXPECT(is_refused("\"v\": 1,", "", "v: missing"));
	EXPECT(is_refused("\"id\": \"2", "\"id\": \"../2",
			  "run.json:3: id: expected a run id"));
	EXPECT(is_refused("\"task\": \"matmul\"", "\"task\": \"..\"",
			  "task: expected the name of a task"));
	EXPECT(is_refused("\"base\": \"a", "\"base\": \"x",
			  "base: expected the id of a commit"));
	EXPECT(is_refused("\"settings\"", "\"setting\"",
			  "settings: missing; expected an object"));
	EXPECT(is_refused("{", "[", "run.json:"));
}

static void settings_of_others_are_checked(void)
{
	EXPECT(is_refused("\"beam\": 3", "\"beam\": 4000000000",
			  "settings: 'beam' is 4e+09; it must be within "
			  "1 .. 1000"));
	EXPECT(is_refused("\"plans\": 8", "\"plans\": 0",
			  "settings: 'plans' is 0"));
	EXPECT(is_refused("\"positive_threshold\": 1.04",
			  "\"positive_threshold\": 0.5",
			  "settings: 'positive_threshold' is 0.5"));
}

static void a_setting_out_of_range_is_wrong_usage(void)
{
	struct ao_settings settings;
	struct ao_error *err;

	ao_settings_init(&settings);
	settings.samples = 0;
	err = ao_settings_check(&settings);
	EXPECT(ao_error_code(err) == AO_EUSAGE);
	ao_error_free(err);
	ao_settings_release(&settings);
}

static void a_run_id_can_be_part_of_a_ref(void)
{
	static const char *const bad[] = { "",	  "a/b", "..",	 "a b", "-a",
					   "a.b", "a~1", "a\nb", "*" };
	char longest[65];

	EXPECT(ao_run_id_is_valid(id));
	for (size_t i = 0; i < AO_ARRAY_SIZE(bad); i++)
		EXPECT(!ao_run_id_is_valid(bad[i]));
	memset(longest, 'a', 64);
	longest[64] = '\0';
	EXPECT(!ao_run_id_is_valid(longest));
	EXPECT(ao_run_id_is_valid(longest + 1));
}

int main(void)
{
	RUN(a_run_is_read_as_it_was_written);
	RUN(run_json_is_for_people_too);
	RUN(defaults_are_those_of_the_catalogue_agent);
	RUN(a_setting_that_is_missing_has_its_default);
	RUN(a_run_that_cannot_be_gone_on_with_is_refused);
	RUN(settings_of_others_are_checked);
	RUN(a_setting_out_of_range_is_wrong_usage);
	RUN(a_run_id_can_be_part_of_a_ref);
	return tap_done();
}
