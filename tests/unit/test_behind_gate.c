/* SPDX-License-Identifier: MIT */
/*
 * What the gate of objects stops is stopped behind it, too: exploits are judged
 * here as if there were none.  What each gets then it says in its first
 * comment, "behind the gate: VERDICT, WORDS"; see tests/exploits/README.md.
 */
#include "tap.h"

#include <unistd.h>

#include "bare_object.h"
#include "eval/judge.h"
#include "eval_task.h"
#include "util/file.h"
#include "util/limits.h"
#include "util/text.h"

static const char exploits[] = "tests/exploits";
static const char includes[] = "-Itests/exploits/tasks/product";
enum { CALLS = 6 };

static char *folder;
static struct ao_task *task;
static struct ao_dataset *dataset;
static size_t judged;

static char *read_text(const char *path)
{
	struct ao_buf text = AO_BUF_INIT(AO_MAX_TASK_BYTES);

	must(ao_file_read(&text, path));
	ao_buf_addstr(&text, "");
	return ao_buf_take(&text);
}

static void open_product(void)
{
	char *path = ao_xstrf("%s/tasks/product/task.json", exploits);
	char *json = read_text(path);
	char *answers = ao_xstrf("%s/tasks/product/reference.c", exploits);
	char *reference = read_text(answers);

	task = make_task(json, reference);
	must(ao_dataset_make(&dataset, task, &task->cases[0], 5, CALLS + 2));
	free(reference);
	free(answers);
	free(json);
	free(path);
}

/* Whether `said` is what became of an object: "TIMEOUT, while loading". */
static bool gets(const char *source, const char *said)
{
	const struct ao_judge_options options = { .seed = 11,
						  .call_timeout_ms = 5000 };
	const char *words = strstr(said, ", ");
	size_t len = words ? (size_t)(words - said) : strlen(said);
	struct ao_judgement judgement = { 0 };
	struct ao_judge *judge = NULL;
	char *object = bare_object(folder, task, source, includes);
	const char *name;
	bool is = false;

	if (!object)
		return false;
	must(ao_judge_new(&judge, dataset, &options));
	must(ao_judge_check(&judgement, judge, object, CALLS));
	name = ao_verdict_name(judgement.verdict);
	is = strlen(name) == len && !memcmp(name, said, len) &&
	     (!words ||
	      (judgement.detail && strstr(judgement.detail, words + 2)));
	if (!is)
		printf("# %s: %s: %s\n", source, name,
		       judgement.detail ? judgement.detail : "");
	ao_judgement_release(&judgement);
	ao_judge_free(judge);
	unlink(object);
	free(object);
	return is;
}

static bool is_as_said(const char *source)
{
	static const char mark[] = " * behind the gate: ";
	char *text = read_text(source);
	char *said = strstr(text, mark);
	bool is = true;

#ifndef __x86_64__
	if (strstr(text, "written for x86-64"))
		said = NULL;
#endif
	if (said) {
		said += strlen(mark);
		said[strcspn(said, "\n")] = '\0';
		is = gets(source, said);
		judged++;
	}
	free(text);
	return is;
}

static void what_the_gate_stops_is_stopped_behind_it(void)
{
	struct ao_strs names = { 0 };

	if (!strcmp(ao_judge_sandbox_level(), "rlimits")) {
		SKIP("there is no filter of system calls");
		return;
	}
	must(ao_file_list(&names, exploits));
	for (size_t i = 0; i < names.count; i++) {
		char *path = ao_xstrf("%s/%s", exploits, names.v[i]);

		if (ao_text_ends_with(path, ".c"))
			EXPECT(is_as_said(path));
		free(path);
	}
	EXPECT(judged > 20);
	ao_strs_release(&names);
}

int main(void)
{
	must(ao_file_temp_folder(&folder));
	open_product();
	RUN(what_the_gate_stops_is_stopped_behind_it);
	ao_dataset_free(dataset);
	ao_task_free(task);
	ao_file_remove_tree(folder);
	free(folder);
	return tap_done();
}
