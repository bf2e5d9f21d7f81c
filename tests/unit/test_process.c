/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/clock.h"
#include "util/error.h"
#include "util/file.h"
#include "util/process.h"

/* Run a shell script; fills in what `spec` leaves open. */
static struct ao_process_end run(const char *script,
				 struct ao_process_spec spec)
{
	const char *argv[] = { "sh", "-c", script, NULL };
	struct ao_process_end end = { 0 };
	struct ao_error *err;

	spec.argv = argv;
	if (!spec.max_output)
		spec.max_output = 4096;
	if (!spec.max_errors)
		spec.max_errors = 4096;
	err = ao_process_run(&end, &spec);
	EXPECT(!err);
	if (err)
		ao_error_print(stdout, err, true);
	ao_error_free(err);
	return end;
}

static void a_child_that_ends_tells_its_status_and_output(void)
{
	struct ao_process_end end = run("echo out; echo err >&2; exit 7",
					(struct ao_process_spec){ 0 });

	EXPECT(end.status == 7 && !end.signal && !end.timed_out);
	EXPECT(end.output && !strcmp(end.output, "out\n"));
	EXPECT(end.errors && !strcmp(end.errors, "err\n"));
	EXPECT(!end.is_cut && end.wall_ns > 0);
	ao_process_end_release(&end);
}

static void a_signal_that_ends_a_child_is_told_apart(void)
{
	struct ao_process_end end = run("kill -SEGV $$",
					(struct ao_process_spec){ 0 });

	EXPECT(end.status == -1 && end.signal == SIGSEGV);
	ao_process_end_release(&end);
}

static void errors_can_be_merged_into_the_output_in_order(void)
{
	struct ao_process_end end = run(
		"echo 1; echo 2 >&2; echo 3",
		(struct ao_process_spec){ .merge = true });

	EXPECT(!strcmp(end.output, "1\n2\n3\n") && !end.errors_len);
	ao_process_end_release(&end);
}

static void a_large_input_arrives_whole(void)
{
	size_t len = 3 << 20;
	char *input = ao_xmalloc(len);
	struct ao_process_end end;

	memset(input, 'x', len);
	end = run("wc -c",
		  (struct ao_process_spec){ .input = input, .input_len = len });
	EXPECT(atoi(end.output) == 3 << 20);
	ao_process_end_release(&end);
	free(input);
}

static void a_child_that_ignores_its_input_does_no_harm(void)
{
	char input[200000] = { 0 };
	struct ao_process_end end = run(
		"exec <&-; exit 0",
		(struct ao_process_spec){ .input = input,
					  .input_len = sizeof(input) });

	EXPECT(!end.status);
	ao_process_end_release(&end);
}

static void without_input_there_is_nothing_to_read(void)
{
	struct ao_process_end end = run("cat", (struct ao_process_spec){ 0 });

	EXPECT(!end.status && !end.output_len);
	ao_process_end_release(&end);
}

static void output_over_the_limit_is_cut_and_the_child_goes_on(void)
{
	struct ao_process_end end = run(
		"head -c 1000000 /dev/zero | tr '\\0' x; exit 3",
		(struct ao_process_spec){ .max_output = 10 });

	EXPECT(end.status == 3 && end.is_cut);
	EXPECT(end.output_len == 10 && !strcmp(end.output, "xxxxxxxxxx"));
	ao_process_end_release(&end);
}

static void output_of_exactly_the_limit_is_not_cut(void)
{
	struct ao_process_end end = run(
		"printf 12345", (struct ao_process_spec){ .max_output = 5 });

	EXPECT(!end.is_cut && !strcmp(end.output, "12345"));
	ao_process_end_release(&end);
}

/* Whether a process still runs; a zombie does not. */
static bool runs(pid_t pid)
{
	struct ao_buf stat = AO_BUF_INIT(4096);
	char *path = ao_xstrf("/proc/%d/stat", (int)pid);
	struct ao_error *err = ao_file_read(&stat, path);
	const char *state = err ? NULL : strrchr(stat.ptr, ')');
	bool result = state && state[2] != 'Z' && state[2] != 'X';

	ao_error_free(err);
	ao_buf_release(&stat);
	free(path);
	return result;
}

/* Killing takes effect when the kernel gets round to it. */
static bool runs_on(pid_t pid)
{
	for (int i = 0; i < 1000 && runs(pid); i++)
		ao_clock_sleep_ms(5);
	return runs(pid);
}

static void the_deadline_kills_the_child_and_its_children(void)
{
	struct ao_process_end end = run(
		"sleep 1000 & echo $!; wait",
		(struct ao_process_spec){ .timeout_ms = 300 });

	EXPECT(end.timed_out && end.signal == SIGKILL);
	EXPECT(end.wall_ns >= 300000000);
	EXPECT(!runs_on(atoi(end.output)));
	ao_process_end_release(&end);
}

static void a_child_that_ignores_signals_is_killed_all_the_same(void)
{
	struct ao_process_end end = run(
		"trap '' TERM INT HUP; while :; do :; done",
		(struct ao_process_spec){ .timeout_ms = 100 });

	EXPECT(end.timed_out && end.signal == SIGKILL && end.cpu_ns > 0);
	ao_process_end_release(&end);
}

static void a_grandchild_that_keeps_the_pipe_open_does_not_hold_us(void)
{
	struct ao_process_end end = run("sleep 1000 & echo $!; exit 4",
					(struct ao_process_spec){ 0 });

	EXPECT(end.status == 4);
	EXPECT(end.output_len > 0 && !runs_on(atoi(end.output)));
	ao_process_end_release(&end);
}

static void a_grandchild_outside_the_group_does_not_hold_us_either(void)
{
	struct ao_process_end end = run(
		"setsid sh -c 'echo $$; exec sleep 1000' & "
		"while ! kill -0 $! 2>/dev/null; do :; done; sleep 0.2",
		(struct ao_process_spec){ 0 });
	pid_t escaped = end.output_len ? atoi(end.output) : 0;

	EXPECT(!end.status && escaped > 0);
	if (escaped > 0)
		kill(escaped, SIGKILL);
	ao_process_end_release(&end);
}

static void no_descriptor_of_ours_reaches_a_child(void)
{
	int low = open("/dev/null", O_RDONLY);
	int high = fcntl(low, F_DUPFD, 200);
	struct ao_process_end end = run(
		"for fd in 3 4 5 6 7 8 9 200; do "
		"[ -e /proc/self/fd/$fd ] && echo $fd; done; :",
		(struct ao_process_spec){ 0 });

	EXPECT(!strcmp(end.output, ""));
	ao_process_end_release(&end);
	close(high);
	close(low);
}

static void closed_standard_descriptors_of_ours_do_not_mix_things_up(void)
{
	int saved = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10);
	struct ao_process_end end;

	close(STDIN_FILENO);
	end = run("cat; echo err >&2",
		  (struct ao_process_spec){ .input = "in", .input_len = 2 });
	EXPECT(!strcmp(end.output, "in") && !strcmp(end.errors, "err\n"));
	ao_process_end_release(&end);
	if (saved >= 0) {
		dup2(saved, STDIN_FILENO);
		close(saved);
	}
}

static void a_child_has_the_listed_environment_alone(void)
{
	const char *env[] = { "ONLY=this", NULL };
	const char *argv[] = { "env", NULL };
	struct ao_process_spec spec = { .argv = argv,
					.env = env,
					.max_output = 100 };
	struct ao_process_end end = { 0 };
	struct ao_error *err = ao_process_run(&end, &spec);

	EXPECT(!err && !strcmp(end.output, "ONLY=this\n"));
	ao_error_free(err);
	ao_process_end_release(&end);
}

static void a_child_runs_in_the_folder_asked_for(void)
{
	struct ao_process_end end = run(
		"pwd", (struct ao_process_spec){ .folder = "/usr" });

	EXPECT(!strcmp(end.output, "/usr\n"));
	ao_process_end_release(&end);
}

static void a_program_that_does_not_exist_is_an_error(void)
{
	const char *argv[] = { "no-such-program-anywhere", NULL };
	struct ao_process_spec spec = { .argv = argv, .max_output = 1 };
	struct ao_process_end end = { 0 };
	struct ao_error *err = ao_process_run(&end, &spec);

	EXPECT(ao_error_code(err) == AO_ENOTFOUND);
	EXPECT(err && strstr(ao_error_message(err), "'no-such-program-"));
	ao_error_free(err);

	argv[0] = "/no/such/program";
	err = ao_process_run(&end, &spec);
	EXPECT(ao_error_code(err) == AO_ENOTFOUND);
	ao_error_free(err);
}

static void a_folder_that_does_not_exist_is_named(void)
{
	const char *argv[] = { "true", NULL };
	struct ao_process_spec spec = { .argv = argv, .folder = "/no/such" };
	struct ao_process_end end = { 0 };
	struct ao_error *err = ao_process_run(&end, &spec);

	EXPECT(err && strstr(ao_error_message(err), "'/no/such'"));
	ao_error_free(err);
}

static void a_text_file_is_not_handed_to_a_shell(void)
{
	char *folder = NULL;
	struct ao_error *err = ao_file_temp_folder(&folder);
	char *path = ao_xstrf("%s/script", folder);
	const char *argv[] = { path, NULL };
	struct ao_process_spec spec = { .argv = argv, .max_output = 100 };
	struct ao_process_end end = { 0 };

	EXPECT(!err);
	err = ao_file_write(path, "echo shell\n", 11);
	EXPECT(!err && !chmod(path, 0755));
	err = ao_process_run(&end, &spec);
	EXPECT(ao_error_code(err) == AO_EIO);
	ao_error_free(err);
	ao_process_end_release(&end);
	ao_file_remove_tree(folder);
	free(path);
	free(folder);
}

static void a_file_over_its_limit_ends_the_child(void)
{
	char *folder = NULL;
	struct ao_error *err = ao_file_temp_folder(&folder);
	const char *argv[] = { "dd",	     "if=/dev/zero", "of=big",
			       "bs=1048576", "count=4",	     NULL };
	struct ao_process_spec spec = { .argv = argv,
					.folder = folder,
					.max_errors = 4096,
					.max_file = 1 << 20 };
	struct ao_process_end end = { 0 };

	EXPECT(!err);
	err = ao_process_run(&end, &spec);
	EXPECT(!err && end.status != 0);
	ao_error_free(err);
	ao_process_end_release(&end);
	ao_file_remove_tree(folder);
	free(folder);
}

static void cpu_time_over_its_limit_ends_a_childs_child(void)
{
	const char *argv[] = { "sh", "-c",
			       "sh -c 'while :; do :; done'; :", NULL };
	struct ao_process_spec spec = { .argv = argv,
					.max_errors = 4096,
					.timeout_ms = 300000,
					.max_cpu_s = 1 };
	struct ao_process_end end = { 0 };
	struct ao_error *err = ao_process_run(&end, &spec);

	/* On a busy machine the kernel's two ways to count differ by half. */
	EXPECT(!err && !end.timed_out && end.cpu_ns >= 100000000);
	ao_error_free(err);
	ao_process_end_release(&end);
}

static void no_zombie_is_left(void)
{
	pid_t pid = waitpid(-1, NULL, WNOHANG);

	EXPECT(pid == -1 && errno == ECHILD);
}

/* What a talking child said. */
struct talk {
	struct ao_process *process; /* NULL: freed by the callback */
	struct ao_buf said;
	unsigned lines;
	bool has_ended;
	int status;
	int signal;
	bool is_cut;
	bool free_at_line;
};

static void on_line(void *data, const char *line, size_t len,
		    const struct ao_process_end *end)
{
	struct talk *talk = data;

	if (!line) {
		talk->has_ended = true;
		talk->status = end->status;
		talk->signal = end->signal;
		talk->is_cut = end->is_cut;
		return;
	}
	EXPECT(strlen(line) == len);
	talk->lines++;
	ao_buf_addf(&talk->said, "<%s>", line);
	if (talk->free_at_line) {
		ao_process_free(talk->process);
		talk->process = NULL;
		talk->has_ended = true;
	}
}

/* Talk to a shell script until it or the test ends it. */
static struct talk talk_to(const char *script, const char *input,
			   bool free_at_line)
{
	const char *argv[] = { "sh", "-c", script, NULL };
	struct ao_process_spec spec = { .argv = argv };
	struct talk talk = { .said = AO_BUF_INIT(1 << 20),
			     .free_at_line = free_at_line };
	struct ao_loop *loop = ao_loop_new();
	struct ao_error *err;

	err = ao_process_start(&talk.process, loop, &spec, 1000, on_line,
			       &talk);
	EXPECT(!err);
	if (!err)
		ao_process_send(talk.process, input, strlen(input));
	while (!err && !talk.has_ended)
		err = ao_loop_step(loop, UINT32_MAX);
	EXPECT(!err);
	ao_error_free(err);
	ao_process_free(talk.process);
	ao_loop_free(loop);
	return talk;
}

static void a_child_can_be_talked_to_by_lines(void)
{
	struct talk talk = talk_to(
		"for i in 1 2; do read -r x; echo \"got $x\";"
		"done; exit 5",
		"one\ntwo\n", false);

	EXPECT(!strcmp(talk.said.ptr, "<got one><got two>"));
	EXPECT(talk.status == 5 && !talk.signal);
	ao_buf_release(&talk.said);
}

static void a_last_line_without_newline_is_a_line_and_an_empty_one_too(void)
{
	struct talk talk = talk_to("printf 'a\\n\\nb'", "", false);

	EXPECT(!strcmp(talk.said.ptr, "<a><><b>"));
	ao_buf_release(&talk.said);
}

static void a_line_over_the_limit_ends_the_child(void)
{
	struct talk talk = talk_to(
		"echo a; head -c 5000 /dev/zero | tr '\\0' x; echo;"
		"echo b; sleep 1000",
		"", false);

	EXPECT(talk.is_cut && talk.signal == SIGKILL);
	EXPECT(!strcmp(talk.said.ptr, "<a>"));
	ao_buf_release(&talk.said);
}

static void a_callback_may_free_the_child(void)
{
	struct talk talk = talk_to("echo a; echo b; sleep 1000", "", true);

	EXPECT(talk.lines == 1);
	ao_buf_release(&talk.said);
}

static void a_child_that_closes_its_output_is_waited_for(void)
{
	struct talk talk = talk_to("echo a; exec >&-; sleep 0.1; exit 9", "",
				   false);

	EXPECT(talk.status == 9 && talk.lines == 1);
	ao_buf_release(&talk.said);
}

static void sending_to_a_child_that_does_not_read_is_no_signal(void)
{
	char *much = ao_xcalloc(1, 1 << 20);
	struct talk talk;

	memset(much, 'x', (1 << 20) - 1);
	talk = talk_to("exec <&-; echo deaf; sleep 0.1; exit 6", much, false);
	EXPECT(talk.status == 6 && talk.lines == 1);
	ao_buf_release(&talk.said);
	free(much);
}

static void much_is_sent_and_answered_without_a_deadlock(void)
{
	char *much = ao_xmalloc(1 << 20);
	struct talk talk;

	for (size_t i = 0; i < 1 << 20; i++)
		much[i] = i % 100 == 99 ? '\n' : 'x';
	much[(1 << 20) - 1] = '\0';
	talk = talk_to("head -n 10485", much, false);
	EXPECT(talk.lines == (1 << 20) / 100 && !talk.status);
	ao_buf_release(&talk.said);
	free(much);
}

static void a_freed_child_is_dead(void)
{
	const char *argv[] = { "sleep", "1000", NULL };
	struct ao_process_spec spec = { .argv = argv };
	struct ao_loop *loop = ao_loop_new();
	struct talk talk = { .said = AO_BUF_INIT(100) };
	struct ao_error *err;

	err = ao_process_start(&talk.process, loop, &spec, 10, on_line, &talk);
	EXPECT(!err);
	ao_process_free(talk.process);
	ao_loop_free(loop);
	EXPECT(!talk.has_ended);
}

int main(void)
{
	RUN(a_child_that_ends_tells_its_status_and_output);
	RUN(a_signal_that_ends_a_child_is_told_apart);
	RUN(errors_can_be_merged_into_the_output_in_order);
	RUN(a_large_input_arrives_whole);
	RUN(a_child_that_ignores_its_input_does_no_harm);
	RUN(without_input_there_is_nothing_to_read);
	RUN(output_over_the_limit_is_cut_and_the_child_goes_on);
	RUN(output_of_exactly_the_limit_is_not_cut);
	RUN(the_deadline_kills_the_child_and_its_children);
	RUN(a_child_that_ignores_signals_is_killed_all_the_same);
	RUN(a_grandchild_that_keeps_the_pipe_open_does_not_hold_us);
	RUN(a_grandchild_outside_the_group_does_not_hold_us_either);
	RUN(no_descriptor_of_ours_reaches_a_child);
	RUN(closed_standard_descriptors_of_ours_do_not_mix_things_up);
	RUN(a_child_has_the_listed_environment_alone);
	RUN(a_child_runs_in_the_folder_asked_for);
	RUN(a_program_that_does_not_exist_is_an_error);
	RUN(a_folder_that_does_not_exist_is_named);
	RUN(a_text_file_is_not_handed_to_a_shell);
	RUN(a_file_over_its_limit_ends_the_child);
	RUN(a_child_can_be_talked_to_by_lines);
	RUN(a_last_line_without_newline_is_a_line_and_an_empty_one_too);
	RUN(a_line_over_the_limit_ends_the_child);
	RUN(a_callback_may_free_the_child);
	RUN(a_child_that_closes_its_output_is_waited_for);
	RUN(sending_to_a_child_that_does_not_read_is_no_signal);
	RUN(much_is_sent_and_answered_without_a_deadlock);
	RUN(a_freed_child_is_dead);
	RUN(cpu_time_over_its_limit_ends_a_childs_child);
	RUN(no_zombie_is_left);
	return tap_done();
}
