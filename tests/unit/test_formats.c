/* SPDX-License-Identifier: MIT */
/*
 * The examples of gitaccelopt-formats(5) are read and written again: the page
 * cannot say other than the program does.  In the page each is marked by a
 * comment, `.\" example: <kind>`, in front of a literal block.
 */
#include "tap.h"

#include "model/candidate.h"
#include "model/run.h"
#include "model/task.h"
#include "util/file.h"
#include "util/text.h"

static const char page_path[] = "docs/man/gitaccelopt-formats.5";
static struct ao_buf page;

/* The text of the first example of that kind; "" if there is none. */
static char *example(const char *kind)
{
	char *mark = ao_xstrf("\n.\\\" example: %s\n.Bd -literal\n", kind);
	const char *from = strstr(page.ptr, mark);
	struct ao_buf text = AO_BUF_INIT(1 << 16);
	const char *to = from ? strstr(from, "\n.Ed\n") : NULL;

	EXPECT(to != NULL);
	if (to)
		for (from += strlen(mark); from <= to; from++) {
			/* The page has to write \e for a backslash. */
			if (!strncmp(from, "\\e", 2)) {
				ao_buf_addstr(&text, "\\");
				from++;
			} else {
				ao_buf_add(&text, from, 1);
			}
		}
	free(mark);
	return ao_buf_take(&text);
}

/* JSON on one line; "" if it is none. */
static char *on_one_line(const char *text)
{
	struct ao_json *json = ao_json_parse(text, strlen(text));
	struct ao_buf line = AO_BUF_INIT(1 << 16);

	EXPECT(json != NULL);
	if (json)
		ao_json_print(&line, json, false);
	ao_json_free(json);
	return ao_buf_take(&line);
}

/* Whether `written` is the example on one line, with a newline behind. */
static bool is_same(const struct ao_buf *written, const char *line)
{
	size_t len = strlen(line);
	bool is = written->len == len + 1 && written->ptr[len] == '\n' &&
		  !memcmp(written->ptr, line, len);

	if (!is)
		printf("# page:    %s\n# written: %s", line, written->ptr);
	return is;
}

static void the_task_of_the_page_is_one(void)
{
	char *text = example("task");
	struct ao_task *task = NULL;
	struct ao_error *err = ao_task_parse(&task, page_path, text,
					     strlen(text));

	if (err)
		printf("# %s\n", ao_error_message(err));
	EXPECT(task && task->case_count == 3 && task->axis_count == 4);
	EXPECT(task && task->cases[0].extents[3] == 32 * 64);
	ao_error_free(err);
	ao_task_free(task);
	free(text);
}

static void the_message_of_the_page_is_what_we_write(void)
{
	char *text = example("message");
	struct ao_buf written = AO_BUF_INIT(1 << 16);
	struct ao_message message = { 0 };

	EXPECT(ao_message_read(&message, text, strlen(text)));
	ao_message_write(&written, &message);
	EXPECT(!strcmp(text, written.ptr));
	ao_message_release(&message);
	ao_buf_release(&written);
	free(text);
}

static void the_profile_of_the_page_is_what_we_write(void)
{
	char *text = example("profile");
	char *line = on_one_line(text);
	struct ao_buf written = AO_BUF_INIT(1 << 16);
	struct ao_profile profile = { 0 };

	EXPECT(ao_profile_read(&profile, line, strlen(line)));
	ao_profile_write(&written, &profile);
	EXPECT(is_same(&written, line));
	ao_profile_release(&profile);
	ao_buf_release(&written);
	free(line);
	free(text);
}

static void the_plan_of_the_page_is_what_we_write(void)
{
	char *text = example("plan");
	char *line = on_one_line(text);
	struct ao_buf written = AO_BUF_INIT(1 << 16);
	struct ao_plan plan = { 0 };

	EXPECT(ao_plan_read(&plan, line, strlen(line)));
	ao_plan_write(&written, &plan);
	EXPECT(is_same(&written, line));
	ao_plan_release(&plan);
	ao_buf_release(&written);
	free(line);
	free(text);
}

static void the_insight_of_the_page_is_what_we_write(void)
{
	char *text = example("insight");
	char *line = on_one_line(text);
	struct ao_buf written = AO_BUF_INIT(1 << 16);
	struct ao_insight insight = { 0 };

	EXPECT(ao_insight_read(&insight, line, strlen(line)));
	ao_insight_write(&written, &insight);
	EXPECT(is_same(&written, line));
	ao_insight_release(&insight);
	ao_buf_release(&written);
	free(line);
	free(text);
}

static void the_run_of_the_page_is_what_we_write(void)
{
	char *text = example("run");
	char *line = on_one_line(text);
	struct ao_buf written = AO_BUF_INIT(1 << 16);
	struct ao_run run = { 0 };
	struct ao_error *err = ao_run_read(&run, page_path, text, strlen(text));
	char *line_again;

	if (err)
		printf("# %s\n", ao_error_message(err));
	EXPECT(!err);
	ao_error_free(err);
	ao_run_write(&written, &run);
	line_again = on_one_line(written.ptr);
	EXPECT(!strcmp(line, line_again));
	ao_run_release(&run);
	ao_buf_release(&written);
	free(line_again);
	free(line);
	free(text);
}

/* Append a fixture: what version 1 wrote, whatever the page says now. */
static void read_fixture(struct ao_buf *out, const char *name)
{
	char *path = ao_xstrf("tests/data/%s", name);
	struct ao_error *err = ao_file_read(out, path);

	EXPECT(!err);
	ao_error_free(err);
	free(path);
}

static void records_of_version_1_are_read_for_good(void)
{
	struct ao_buf text = AO_BUF_INIT(1 << 16);
	size_t profiles = 0, plans = 0, insights = 0;
	struct ao_profile profile;
	struct ao_plan plan;
	struct ao_insight insight;

	read_fixture(&text, "records-v1.jsonl");
	for (const char *line = text.ptr; *line;) {
		size_t len = strcspn(line, "\n");

		if (ao_profile_read(&profile, line, len)) {
			EXPECT(profile.result.pairs[0].units == 7);
			ao_profile_release(&profile);
			profiles++;
		}
		if (ao_plan_read(&plan, line, len)) {
			EXPECT(!strcmp(plan.move, "tile mr=4 nv=2"));
			ao_plan_release(&plan);
			plans++;
		}
		if (ao_insight_read(&insight, line, len)) {
			EXPECT(insight.iteration == 3);
			ao_insight_release(&insight);
			insights++;
		}
		line += len + (line[len] == '\n');
	}
	EXPECT(profiles == 1 && plans == 1 && insights == 1);
	ao_buf_release(&text);
}

static void runs_and_tasks_of_version_1_are_read_for_good(void)
{
	struct ao_buf text = AO_BUF_INIT(1 << 16);
	struct ao_run run = { 0 };
	struct ao_task *task = NULL;
	struct ao_error *err;

	read_fixture(&text, "run-v1.json");
	err = ao_run_read(&run, "run-v1.json", text.ptr, text.len);
	EXPECT(!err && run.settings.seed == 4242);
	ao_error_free(err);
	ao_run_release(&run);
	ao_buf_release(&text);

	read_fixture(&text, "task-v1.json");
	err = ao_task_parse(&task, "task-v1.json", text.ptr, text.len);
	EXPECT(!err && task->cases[1].extents[3] == 192);
	ao_error_free(err);
	ao_task_free(task);
	ao_buf_release(&text);
}

/* Whether the page has `key` among those it explains. */
static bool is_explained(const char *key)
{
	const char *at = page.ptr;

	while ((at = strstr(at, "\n.It Cm ")) != NULL) {
		const char *end = strchr(++at, '\n');
		size_t len = strlen(key);

		for (const char *word = at + 7; word < end;
		     word += strcspn(word, " \n") + 1)
			if (!strncmp(word, key, len) &&
			    strchr(" \n", word[len]))
				return true;
	}
	return false;
}

static void what_the_examples_leave_out_is_explained(void)
{
	static const char *const keys[] = { "replaces", "detail", "log",
					    "reused" };

	for (size_t i = 0; i < AO_ARRAY_SIZE(keys); i++)
		EXPECT(is_explained(keys[i]));
	EXPECT(!is_explained("nonsense"));
}

int main(void)
{
	struct ao_error *err;

	page = AO_BUF_INIT(1 << 20);
	err = ao_file_read(&page, page_path);
	if (err)
		printf("# %s\n", ao_error_message(err));
	ao_error_free(err);
	RUN(the_task_of_the_page_is_one);
	RUN(the_message_of_the_page_is_what_we_write);
	RUN(the_profile_of_the_page_is_what_we_write);
	RUN(the_plan_of_the_page_is_what_we_write);
	RUN(the_insight_of_the_page_is_what_we_write);
	RUN(the_run_of_the_page_is_what_we_write);
	RUN(what_the_examples_leave_out_is_explained);
	RUN(records_of_version_1_are_read_for_good);
	RUN(runs_and_tasks_of_version_1_are_read_for_good);
	ao_buf_release(&page);
	return tap_done();
}
