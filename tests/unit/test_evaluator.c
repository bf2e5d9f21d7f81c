/* SPDX-License-Identifier: MIT */
/*
 * Judges are this same program: started with "judge" as its argument it is
 * one, as git-accelopt is.
 */
#include "tap.h"

#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "eval/answer.h"
#include "eval/bundle.h"
#include "eval/eval.h"
#include "eval/evaluator.h"
#include "eval/probe.h"
#include "eval/scratch.h"
#include "eval_task.h"
#include "util/clock.h"
#include "util/file.h"
#include "util/limits.h"
#include "util/process.h"

static struct ao_task *task;
static struct ao_machine machine;
static struct ao_loop *loop;
static char *root; /* for everything that is temporary */

/* One job and what came of it. */
struct answer {
	unsigned count; /* callbacks */
	enum ao_verdict verdict;
	struct ao_error *err;
};

static void on_answer(void *data, const struct ao_result *result,
		      struct ao_error *err)
{
	struct answer *answer = data;

	answer->count++;
	EXPECT(!result != !err);
	if (result)
		answer->verdict = result->verdict;
	answer->err = err;
}

static void submit(struct ao_evaluator *evaluator, const char *source,
		   struct answer *answer)
{
	struct ao_kernel kernel = make_kernel(source);
	struct ao_bundle bundle = {
		.task = task,
		.candidate = &kernel,
		.machine = &machine,
		.stage = AO_STAGE_CHECK,
		.seed = 1,
		.call_timeout_ms = 20000,
	};

	*answer = (struct answer){ 0 };
	ao_evaluator_submit(evaluator, &bundle, on_answer, answer);
	/* The bundle is copied, so what it was made of may go. */
	ao_kernel_release(&kernel);
}

static void wait_for_all(struct ao_evaluator *evaluator)
{
	while (ao_evaluator_pending(evaluator))
		must(ao_loop_step(loop, UINT32_MAX));
}

static struct ao_evaluator *new_evaluator(const char *runner, uint32_t jobs)
{
	struct ao_evaluator *evaluator = NULL;

	must(ao_evaluator_new(&evaluator, loop, runner, jobs));
	return evaluator;
}

/* A program that is run instead of a judge, or before one. */
static char *write_script(const char *name, const char *text)
{
	char *path = ao_xstrf("%s/%s", root, name);

	must(ao_file_write(path, text, strlen(text)));
	EXPECT(!chmod(path, 0755));
	return path;
}

static void a_bundle_is_judged_in_another_process(void)
{
	struct ao_evaluator *evaluator = new_evaluator(NULL, 1);
	struct answer answer;

	submit(evaluator, scale_kernel, &answer);
	EXPECT(ao_evaluator_pending(evaluator) == 1);
	EXPECT(!answer.count);
	wait_for_all(evaluator);
	EXPECT(answer.count == 1 && !answer.err);
	EXPECT(answer.verdict == AO_VERDICT_PASSED);
	ao_evaluator_free(evaluator);
}

static void every_job_is_answered_once(void)
{
	enum { JOBS = 5 };
	struct ao_evaluator *evaluator = new_evaluator(NULL, 2);
	struct answer answers[JOBS];

	for (int i = 0; i < JOBS; i++)
		submit(evaluator, i % 2 ? "x\n" : scale_kernel, &answers[i]);
	wait_for_all(evaluator);
	for (int i = 0; i < JOBS; i++) {
		EXPECT(answers[i].count == 1 && !answers[i].err);
		EXPECT(answers[i].verdict ==
		       (i % 2 ? AO_VERDICT_COMPILE_ERROR : AO_VERDICT_PASSED));
	}
	ao_evaluator_free(evaluator);
}

static void an_error_of_the_judge_arrives_with_its_causes(void)
{
	struct ao_evaluator *evaluator = new_evaluator(NULL, 1);
	struct ao_task *good = task;
	struct answer answer;

	task = make_task(scale_json, "x\n");
	submit(evaluator, scale_kernel, &answer);
	wait_for_all(evaluator);
	EXPECT(ao_error_code(answer.err) == AO_EINVALID);
	EXPECT(tells(answer.err, "reference.c:1"));
	ao_task_free(task);
	task = good;
	/* It was no fault of the judge, which goes on. */
	submit(evaluator, scale_kernel, &answer);
	wait_for_all(evaluator);
	EXPECT(answer.verdict == AO_VERDICT_PASSED);
	ao_evaluator_free(evaluator);
}

static void a_runner_is_put_before_the_judge(void)
{
	char *mark = ao_xstrf("%s/was-run", root);
	char *text = ao_xstrf(
		"#!/bin/sh\necho \"$1\" >%s\nshift\nexec \"$@\"\n", mark);
	char *script = write_script("runner", text);
	char *runner = ao_xstrf("%s  --gres=x ", script);
	struct ao_evaluator *evaluator = new_evaluator(runner, 1);
	struct ao_buf written = AO_BUF_INIT(100);
	struct answer answer;

	submit(evaluator, scale_kernel, &answer);
	wait_for_all(evaluator);
	EXPECT(answer.verdict == AO_VERDICT_PASSED);
	must(ao_file_read(&written, mark));
	EXPECT(!strcmp(written.ptr, "--gres=x\n"));
	ao_evaluator_free(evaluator);
	/* It was killed, and its files are elsewhere: the next one's care. */
	ao_scratch_sweep(root, 0);
	ao_buf_release(&written);
	free(runner);
	free(script);
	free(text);
	free(mark);
}

static void a_runner_that_is_not_there_is_an_error_of_each_job(void)
{
	struct ao_evaluator *evaluator = new_evaluator("/no/such/runner", 1);
	struct answer first, second;

	submit(evaluator, scale_kernel, &first);
	submit(evaluator, scale_kernel, &second);
	wait_for_all(evaluator);
	EXPECT(first.count == 1 && second.count == 1);
	EXPECT(code_of(first.err) == AO_ENOTFOUND);
	EXPECT(tells(second.err, "/no/such/runner"));
	ao_evaluator_free(evaluator);
}

static void a_judge_that_ends_costs_one_job(void)
{
	struct ao_evaluator *evaluator = new_evaluator("/bin/false", 1);
	struct answer first, second;

	submit(evaluator, scale_kernel, &first);
	submit(evaluator, scale_kernel, &second);
	wait_for_all(evaluator);
	EXPECT(ao_error_code(first.err) == AO_EIO);
	EXPECT(tells(first.err, "ended with status 1"));
	EXPECT(ao_error_code(second.err) == AO_EIO);
	EXPECT(tells(second.err, "ended with status 1"));
	ao_evaluator_free(evaluator);
}

static void a_judge_that_talks_nonsense_is_replaced(void)
{
	char *script = write_script("nonsense", "#!/bin/sh\n"
						"read line\n"
						"echo hello\n"
						"echo again\n"
						"exec sleep 100\n");
	struct ao_evaluator *evaluator = new_evaluator(script, 1);
	struct answer first, second;

	submit(evaluator, scale_kernel, &first);
	submit(evaluator, scale_kernel, &second);
	wait_for_all(evaluator);
	EXPECT(ao_error_code(first.err) == AO_EIO);
	EXPECT(tells(first.err, "not an answer"));
	EXPECT(ao_error_code(second.err) == AO_EIO);
	EXPECT(tells(second.err, "not an answer"));
	ao_evaluator_free(evaluator);
	free(script);
}

static void an_answer_without_an_end_is_cut(void)
{
	char *script = write_script("endless", "#!/bin/sh\n"
					       "exec cat /dev/zero\n");
	struct ao_evaluator *evaluator = new_evaluator(script, 1);
	struct answer answer;

	submit(evaluator, scale_kernel, &answer);
	wait_for_all(evaluator);
	EXPECT(ao_error_code(answer.err) == AO_EIO);
	EXPECT(tells(answer.err, "answer is over"));
	ao_evaluator_free(evaluator);
	free(script);
}

static void a_judge_that_was_silent_may_end_while_it_waits(void)
{
	char *script = write_script("once", "#!/bin/sh\n"
					    "read line\n"
					    "echo '{\"error\":[\"x\"],"
					    "\"code\":\"limit\"}'\n");
	struct ao_evaluator *evaluator = new_evaluator(script, 1);
	struct answer answer;

	for (int i = 0; i < 3; i++) {
		submit(evaluator, scale_kernel, &answer);
		wait_for_all(evaluator);
		EXPECT(code_of(answer.err) == AO_ELIMIT);
		/* It ends now, and nobody asked it anything. */
		for (int step = 0; step < 20; step++)
			must(ao_loop_step(loop, 20));
	}
	ao_evaluator_free(evaluator);
	free(script);
}

static void a_bundle_that_is_too_large_is_an_error_of_its_job(void)
{
	struct ao_evaluator *evaluator = new_evaluator(NULL, 1);
	char *large = ao_xmalloc(AO_MAX_RESULT_BYTES + 2);
	struct answer first, second;

	memset(large, ' ', AO_MAX_RESULT_BYTES + 1);
	large[AO_MAX_RESULT_BYTES + 1] = '\0';
	submit(evaluator, large, &first);
	submit(evaluator, scale_kernel, &second);
	wait_for_all(evaluator);
	EXPECT(code_of(first.err) == AO_ELIMIT);
	EXPECT(second.verdict == AO_VERDICT_PASSED);
	ao_evaluator_free(evaluator);
	free(large);
}

struct chain {
	struct ao_evaluator *evaluator;
	unsigned left;
};

static void submit_next(void *data, const struct ao_result *result,
			struct ao_error *err)
{
	struct chain *chain = data;
	struct ao_kernel kernel = make_kernel("x\n");
	struct ao_bundle bundle = { .task = task,
				    .candidate = &kernel,
				    .machine = &machine };

	EXPECT(result && !err);
	ao_error_free(err);
	if (chain->left && chain->left--)
		ao_evaluator_submit(chain->evaluator, &bundle, submit_next,
				    chain);
	ao_kernel_release(&kernel);
}

static void the_next_job_may_be_submitted_from_an_answer(void)
{
	struct chain chain = { new_evaluator(NULL, 1), 3 };
	struct ao_kernel kernel = make_kernel("x\n");
	struct ao_bundle bundle = { .task = task,
				    .candidate = &kernel,
				    .machine = &machine };

	ao_evaluator_submit(chain.evaluator, &bundle, submit_next, &chain);
	wait_for_all(chain.evaluator);
	EXPECT(!chain.left);
	ao_evaluator_free(chain.evaluator);
	ao_kernel_release(&kernel);
}

/* --- processes that are killed ---------------------------------------------
 */

enum { MAX_PIDS = 64 };

struct pids {
	pid_t at[MAX_PIDS];
	size_t count;
};

static pid_t parent_of(pid_t pid)
{
	char *path = ao_xstrf("/proc/%d/stat", (int)pid);
	struct ao_buf text = AO_BUF_INIT(4096);
	struct ao_error *err = ao_file_read(&text, path);
	const char *end = strrchr(text.ptr, ')');
	int parent = 0;

	/* A zombie has ended: it is nobody's child any more. */
	if (!err && end && end[2] != 'Z')
		sscanf(end + 4, "%d", &parent);
	ao_error_free(err);
	ao_buf_release(&text);
	free(path);
	return parent;
}

/* Add the children of `pid` to `pids`, and theirs. */
static void add_descendants(struct pids *pids, pid_t pid)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;

	while (proc && (entry = readdir(proc))) {
		pid_t child = (pid_t)strtol(entry->d_name, NULL, 10);

		if (child <= 0 || parent_of(child) != pid ||
		    pids->count == MAX_PIDS)
			continue;
		pids->at[pids->count++] = child;
		add_descendants(pids, child);
	}
	if (proc)
		closedir(proc);
}

static bool all_are_gone(const struct pids *pids)
{
	for (size_t i = 0; i < pids->count; i++) {
		if (parent_of(pids->at[i]))
			return false;
	}
	return true;
}

/* Wait for something that has to happen soon; true if it did. */
static bool are_gone_soon(const struct pids *pids)
{
	uint64_t until_ns = ao_clock_now_ns() + (uint64_t)20000000000;

	while (!all_are_gone(pids)) {
		if (ao_clock_now_ns() > until_ns)
			return false;
		ao_clock_sleep_ms(10);
	}
	return true;
}

static const char endless[] = "void kernel(void)\n"
			      "{ for (volatile int i = 0;; i++) ; }\n";

/* Step until a worker of the judge has run for a while. */
static struct pids await_worker(void)
{
	struct pids before = { 0 };

	for (;;) {
		struct pids now = { 0 };

		must(ao_loop_step(loop, 200));
		add_descendants(&now, getpid());
		/* Judge, warden, worker: the same three, 200 ms later. */
		if (now.count >= 3 && now.count == before.count &&
		    !memcmp(now.at, before.at, now.count * sizeof(pid_t)))
			return now;
		before = now;
	}
}

static void a_judge_that_is_killed_costs_its_job_alone(void)
{
	struct ao_evaluator *evaluator = new_evaluator(NULL, 1);
	struct answer first, second;
	struct pids pids;

	submit(evaluator, endless, &first);
	submit(evaluator, scale_kernel, &second);
	pids = await_worker();
	/* The first descendant is the judge itself. */
	kill(pids.at[0], SIGKILL);
	while (!first.count)
		must(ao_loop_step(loop, UINT32_MAX));
	EXPECT(ao_error_code(first.err) == AO_EIO);
	EXPECT(tells(first.err, "signal 9"));
	EXPECT(are_gone_soon(&pids));
	wait_for_all(evaluator);
	EXPECT(second.count == 1 && !second.err);
	EXPECT(second.verdict == AO_VERDICT_PASSED);
	ao_evaluator_free(evaluator);
}

static void who_frees_the_evaluator_is_rid_of_everything(void)
{
	struct ao_evaluator *evaluator = new_evaluator(NULL, 2);
	struct answer first, second;
	struct ao_strs left = { 0 };
	struct pids pids;

	submit(evaluator, endless, &first);
	submit(evaluator, endless, &second);
	pids = await_worker();
	ao_evaluator_free(evaluator);
	EXPECT(are_gone_soon(&pids));
	/* Nobody is called back for what was given up. */
	EXPECT(!first.count && !second.count);
	EXPECT(waitpid(-1, NULL, WNOHANG) == -1);
	must(ao_file_list(&left, root));
	for (size_t i = 0; i < left.count; i++)
		EXPECT(!strstr(left.v[i], "judges"));
	ao_strs_release(&left);
}

/* A process with an evaluator of its own, killed while a worker runs. */
static void who_is_killed_takes_its_judges_along(void)
{
	struct pids pids = { 0 };
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		struct ao_evaluator *evaluator = new_evaluator(NULL, 1);
		struct answer answer;

		submit(evaluator, endless, &answer);
		wait_for_all(evaluator);
		_exit(0);
	}
	while (pids.count < 4) {
		pids.count = 0;
		add_descendants(&pids, getpid());
		ao_clock_sleep_ms(20);
	}
	kill(pid, SIGKILL);
	EXPECT(waitpid(pid, NULL, 0) == pid);
	EXPECT(are_gone_soon(&pids));
}

/* --- the judge's side -------------------------------------------------------
 */

/* What a judge answers to `input`, at the end of which it must end. */
static struct ao_process_end serve(const char *input, size_t len)
{
	const char *const argv[] = { "/proc/self/exe", "judge", NULL };
	struct ao_process_spec spec = {
		.argv = argv,
		.input = input,
		.input_len = len,
		.timeout_ms = 60000,
		.max_output = AO_MAX_RESULT_BYTES,
		.max_errors = AO_MAX_LOG_BYTES,
	};
	struct ao_process_end end = { 0 };

	must(ao_process_run(&end, &spec));
	return end;
}

static void a_judge_ends_with_its_input(void)
{
	struct ao_process_end end = serve("", 0);

	EXPECT(end.status == 0 && !end.output_len);
	ao_process_end_release(&end);
	end = serve("{\"v\":1", 6);
	EXPECT(end.status == 0 && !end.output_len);
	ao_process_end_release(&end);
}

static void nonsense_is_answered_with_an_error(void)
{
	struct ao_process_end end = serve("hello\n\n{}\n", 10);
	const char *line = end.output;

	for (int i = 0; i < 3; i++) {
		struct ao_result result = { 0 };
		struct ao_error *err = NULL;
		size_t len = strcspn(line, "\n");

		EXPECT(ao_answer_read(&result, &err, line, len));
		EXPECT(code_of(err) == AO_EINVALID);
		line += len + (line[len] == '\n');
	}
	EXPECT(!*line);
	ao_process_end_release(&end);
}

static void a_line_without_an_end_is_refused(void)
{
	size_t len = AO_MAX_RESULT_BYTES + (256 << 10);
	char *input = ao_xmalloc(len);
	struct ao_process_end end;

	memset(input, 'x', len);
	end = serve(input, len);
	EXPECT(end.status == 1);
	EXPECT(strstr(end.errors, "a bundle is over"));
	ao_process_end_release(&end);
	free(input);
}

static int judge_main(void)
{
	struct ao_error *err = ao_eval_serve(STDIN_FILENO, STDOUT_FILENO,
					     false);

	if (!err)
		return 0;
	ao_error_print(stderr, err, false);
	ao_error_free(err);
	return 1;
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "judge"))
		return judge_main();
	must(ao_file_temp_folder(&root));
	setenv("TMPDIR", root, 1);
	setenv("XDG_CACHE_HOME", root, 1);
	loop = ao_loop_new();
	must(ao_probe_peaks_with(&machine,
				 &(struct ao_probe_options){ false, 5 }));
	/* Measured in next to no time: far from anything a kernel reaches. */
	for (size_t i = 0; i < AO_CEILING_COUNT; i++)
		machine.ceilings.work_per_s[i] *= 100;
	for (size_t i = 0; i < machine.ceilings.bandwidth_count; i++)
		machine.ceilings.bandwidth[i].bytes_per_s *= 100;
	task = scale_task();
	RUN(a_bundle_is_judged_in_another_process);
	RUN(every_job_is_answered_once);
	RUN(an_error_of_the_judge_arrives_with_its_causes);
	RUN(a_runner_is_put_before_the_judge);
	RUN(a_runner_that_is_not_there_is_an_error_of_each_job);
	RUN(a_judge_that_ends_costs_one_job);
	RUN(a_judge_that_talks_nonsense_is_replaced);
	RUN(an_answer_without_an_end_is_cut);
	RUN(a_judge_that_was_silent_may_end_while_it_waits);
	RUN(a_bundle_that_is_too_large_is_an_error_of_its_job);
	RUN(the_next_job_may_be_submitted_from_an_answer);
	RUN(a_judge_that_is_killed_costs_its_job_alone);
	RUN(who_frees_the_evaluator_is_rid_of_everything);
	RUN(who_is_killed_takes_its_judges_along);
	RUN(a_judge_ends_with_its_input);
	RUN(nonsense_is_answered_with_an_error);
	RUN(a_line_without_an_end_is_refused);
	ao_task_free(task);
	ao_machine_release(&machine);
	ao_loop_free(loop);
	ao_file_remove_tree(root);
	free(root);
	return tap_done();
}
