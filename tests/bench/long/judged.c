/* SPDX-License-Identifier: MIT */
/*
 * One measurement of the judge: what it decides, how long that takes, what it
 * costs and what is left behind.
 *
 *     judged ROW SEED     with a row of the table at the end
 *
 * Prints a line; the scripts of the same names make rows of many, and say what
 * they must come to.
 */
#include "util/base.h"

#include <dirent.h>
#include <errno.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bare_object.h"
#include "eval/cage.h"
#include "eval/judge.h"
#include "eval/machine_lock.h"
#include "eval/session.h"
#include "eval/toolchain.h"
#include "eval/trial_rules.h"
#include "util/clock.h"
#include "util/file.h"
#include "util/limits.h"

enum { BUILD_TIMEOUT_MS = 60000, LIMIT_MS = 2000, WORKERS = 10, COMPILERS = 2 };

/* c = a b, of which a kernel may do the first rows twice. */
static const char task_json[] =
	"{ \"v\": 1, \"name\": \"judged\", \"op_type\": \"gemm\","
	" \"target\": \"c\","
	" \"axes\": { \"M\": { \"type\": \"var\" },"
	"  \"N\": { \"type\": \"var\" }, \"K\": { \"type\": \"var\" } },"
	" \"inputs\": { \"a\": { \"shape\": [\"M\", \"K\"],"
	"   \"dtype\": \"float32\", \"fill\": \"normal\" },"
	"  \"b\": { \"shape\": [\"K\", \"N\"], \"dtype\": \"float32\","
	"   \"fill\": \"normal\" } },"
	" \"outputs\": { \"c\": { \"shape\": [\"M\", \"N\"],"
	"   \"dtype\": \"float32\", \"tolerance\": 2e-5 } },"
	" \"kernel\": [\"kernel.c\"], \"reference\": \"reference.c\","
	" \"independent_axis\": \"M\", \"work\": { \"fma\": \"M * N * K\" },"
	" \"cases\": ["
	"  { \"name\": \"short\","
	"    \"axes\": { \"M\": 100, \"N\": 96, \"K\": 96 } },"
	"  { \"name\": \"five\","
	"    \"axes\": { \"M\": 300, \"N\": 256, \"K\": 400 } } ] }\n";

static const char reference_text[] =
	"void reference(const float a[M][K], const float b[K][N],\n"
	"               double c[M][N])\n"
	"{\n"
	"	for (int i = 0; i < M; i++)\n"
	"		for (int j = 0; j < N; j++) {\n"
	"			c[i][j] = 0;\n"
	"			for (int k = 0; k < K; k++)\n"
	"				c[i][j] += (double)a[i][k] * b[k][j];\n"
	"		}\n"
	"}\n";

/* Read at run time, so that all have the same machine code. */
static const char product_text[] =
	"static volatile int extra = EXTRA;\n"
	"void kernel(const float a[restrict M][K],\n"
	"            const float b[restrict K][N], float c[restrict M][N])\n"
	"{\n"
	"	int rows = M + extra;\n"
	"	for (int r = 0; r < rows; r++) {\n"
	"		int i = r < M ? r : r - M;\n"
	"		for (int j = 0; j < N; j++)\n"
	"			c[i][j] = 0;\n"
	"		for (int k = 0; k < K; k++)\n"
	"			for (int j = 0; j < N; j++)\n"
	"				c[i][j] += a[i][k] * b[k][j];\n"
	"	}\n"
	"}\n";

static const char print_text[] =
	"#include <unistd.h>\n"
	"static char text[1 << 20];\n"
	"void kernel(void)\n"
	"{\n"
	"	for (int i = 0; i < 2000; i++)\n"
	"		if (write(1 + i % 2, text, sizeof(text)) < 0)\n"
	"			i += 0;\n"
	"}\n";

/* What it may not do ends it; if all is allowed or ignored, it goes on. */
static const char stubborn_text[] =
	"#include <signal.h>\n"
	"#include <unistd.h>\n"
	"void kernel(void)\n"
	"{\n"
	"	sigset_t all;\n"
	"	sigfillset(&all);\n"
	"	if (STUBBORN) {\n"
	"		sigprocmask(SIG_BLOCK, &all, 0);\n"
	"		fork();\n"
	"	}\n"
	"	for (volatile int i = 0;; i++) ;\n"
	"}\n";

struct row {
	uint64_t seed;
	struct ao_session *session;
	struct ao_task *task;
	const struct ao_case *c;
	struct ao_judge *judge;
};

static void must(struct ao_error *err)
{
	if (!err)
		return;
	ao_error_print(stderr, err, false);
	exit(128);
}

static double ms_since(uint64_t from_ns)
{
	return (double)(ao_clock_now_ns() - from_ns) / 1e6;
}

/* `name` is a macro that is `value`. */
static const char *build(const struct row *row, const char *text,
			 const char *name, int value)
{
	char *source = ao_xstrf("#define %s %d\n%s", name, value, text);
	struct ao_kernel kernel = { 0 };
	const struct ao_build *built;

	ao_kernel_add(&kernel, "kernel.c", source, strlen(source));
	must(ao_session_build(&built, row->session, row->task, row->c, &kernel,
			      BUILD_TIMEOUT_MS));
	if (built->verdict != AO_VERDICT_PASSED) {
		fprintf(stderr, "%s\n", built->detail);
		exit(128);
	}
	ao_kernel_release(&kernel);
	free(source);
	return built->object;
}

/* The same of what the gate of objects would stop. */
static char *build_bare(const struct row *row, const char *text,
			const char *name, int value)
{
	const char *folder = ao_session_folder(row->session);
	char *path = ao_xstrf("%s/bare.c", folder);
	char *flag = ao_xstrf("-D%s=%d", name, value);
	char *own = ao_xstrf("%s/%s.%d", folder, name, value);
	char *object;

	mkdir(own, 0755);
	must(ao_file_write(path, text, strlen(text)));
	object = bare_object(own, row->task, path, flag);
	if (!object)
		exit(128);
	free(own);
	free(flag);
	free(path);
	return object;
}

/* Everything there is before a candidate comes. */
static void prepare(struct row *row, size_t c)
{
	const struct ao_dataset *dataset;
	struct ao_judge_options options = { .seed = row->seed,
					    .call_timeout_ms = LIMIT_MS };

	row->c = &row->task->cases[c];
	must(ao_session_dataset(&dataset, row->session, row->task, row->c,
				row->seed));
	must(ao_judge_new(&row->judge, dataset, &options));
}

static struct ao_pair pair(const struct row *row, const char *a, const char *b,
			   enum ao_stage stage)
{
	struct ao_pair_options options = {
		.rules = ao_trial_timing_rules(stage, true),
	};
	struct ao_judgement a_is = { 0 }, b_is = { 0 };
	struct ao_lock *lock;
	struct ao_pair out;

	must(ao_machine_lock_take(&lock, AO_LOCK_EXCLUSIVE));
	must(ao_judge_pair(&out, &a_is, &b_is, row->judge, a, b, &options));
	ao_lock_free(lock);
	if (a_is.verdict != AO_VERDICT_PASSED ||
	    b_is.verdict != AO_VERDICT_PASSED) {
		fprintf(stderr, "a kernel does not pass\n");
		exit(128);
	}
	ao_judgement_release(&a_is);
	ao_judgement_release(&b_is);
	free(out.case_name);
	free(out.unit_log_gain);
	return out;
}

/* A against A. */
static void aa_pairs(struct row *row)
{
	const char *object;
	struct ao_pair out;

	prepare(row, 0);
	object = build(row, product_text, "EXTRA", 0);
	out = pair(row, object, object, AO_STAGE_FULL);
	printf("%s %zu\n", ao_decision_name(out.decision), out.units);
}

/* Against one that does a twentieth more. */
static void power(struct row *row)
{
	const char *object;
	struct ao_pair out;

	prepare(row, 0);
	object = build(row, product_text, "EXTRA", 0);
	out = pair(row, object, build(row, product_text, "EXTRA", 5),
		   AO_STAGE_FULL);
	printf("%s %zu\n", ao_decision_name(out.decision), out.units);
}

/* From a candidate's text to what is thought of it, in milliseconds. */
static double judge_candidate(struct row *row, int extra, enum ao_stage stage,
			      struct ao_pair *out)
{
	const char *opponent, *object;
	struct ao_judgement is = { 0 };
	uint64_t from_ns;
	double ms;

	prepare(row, 1);
	opponent = build(row, product_text, "EXTRA", 0);
	from_ns = ao_clock_now_ns();
	/* A tie is another text, and the same machine code. */
	object = build(row, product_text,
		       extra ? "EXTRA" : "EXTRA 0\n#define X", extra);
	must(ao_judge_check(&is, row->judge, object, AO_TRIAL_CHECK_CALLS));
	*out = pair(row, object, opponent, stage);
	ms = ms_since(from_ns);
	ao_judgement_release(&is);
	return ms;
}

static void screen(struct row *row)
{
	struct ao_pair slower, tie;
	double slower_ms = judge_candidate(row, 30, AO_STAGE_SCREEN, &slower);
	double tie_ms;

	ao_judge_free(row->judge);
	tie_ms = judge_candidate(row, 0, AO_STAGE_CONFIRM, &tie);
	printf("%.0f %s %zu %.0f %s %zu\n", slower_ms,
	       ao_decision_name(slower.decision), slower.units, tie_ms,
	       ao_decision_name(tie.decision), tie.units);
}

/* How long a program that does nothing takes, in a cage or free. */
static double run_nothing(const char *program, const char *folder,
			  bool is_caged)
{
	const char *argv[] = { program, "nothing", NULL };
	const struct ao_process_spec spec = { .argv = argv,
					      .folder = folder,
					      .max_output = 1 << 10,
					      .merge = true };
	struct ao_process_end end = { 0 };
	struct ao_strs parts = { 0 };
	uint64_t from_ns = ao_clock_now_ns();

	must(is_caged ? ao_cage_run(&end, &spec, &parts)
		      : ao_process_run(&end, &spec));
	ao_process_end_release(&end);
	return ms_since(from_ns);
}

/* A worker has its own warden, which is this program, started anew. */
static double run_worker(const struct row *row, const char *object)
{
	struct ao_judgement is = { 0 };
	uint64_t from_ns = ao_clock_now_ns();

	must(ao_judge_check(&is, row->judge, object, 1));
	ao_judgement_release(&is);
	return ms_since(from_ns);
}

static void isolation(struct row *row)
{
	const char *object, *folder = ao_session_folder(row->session);
	double compilers_ms = 0, workers_ms = 0, call_ms;
	struct ao_judgement is = { 0 };

	prepare(row, 0);
	object = build(row, product_text, "EXTRA", 0);
	must(ao_judge_check(&is, row->judge, object, AO_TRIAL_ROUGH_CALLS));
	call_ms = is.median_ns / 1e6;
	ao_judgement_release(&is);
	for (int i = 0; i < COMPILERS; i++)
		compilers_ms += run_nothing("/bin/true", folder, true) -
				run_nothing("/bin/true", folder, false);
	for (int i = 0; i < WORKERS; i++)
		workers_ms += run_worker(row, object) - call_ms -
			      run_nothing("/proc/self/exe", "/", false);
	printf("%.2f %.2f %.2f\n", compilers_ms + workers_ms, compilers_ms,
	       workers_ms);
}

/* The most memory that this process has had, since that was forgotten. */
static long peak_kib(void)
{
	struct ao_buf text = AO_BUF_INIT(1 << 16);
	const char *at;
	long kib;

	must(ao_file_read(&text, "/proc/self/status"));
	at = strstr(text.ptr, "VmHWM:");
	kib = at ? strtol(at + strlen("VmHWM:"), NULL, 10) : 0;
	ao_buf_release(&text);
	return kib;
}

static void forget_peak(void)
{
	must(ao_file_write("/proc/self/clear_refs", "5", 1));
}

/* Run a shell command where compilers run. */
static struct ao_process_end run_compiler(const struct row *row,
					  const char *command,
					  uint32_t timeout_ms)
{
	struct ao_process_end end = { 0 };
	struct ao_compiler shell;
	struct ao_strs args = { 0 };

	ao_toolchain_reader(&shell, "/bin/sh", AO_MAX_LOG_BYTES);
	ao_strs_push(&args, "-c");
	ao_strs_push(&args, command);
	must(ao_toolchain_run(&end, &shell, &args,
			      ao_session_folder(row->session), timeout_ms));
	ao_strs_release(&args);
	ao_compiler_release(&shell);
	return end;
}

static void flood(struct row *row)
{
	struct ao_process_end end;
	const char *honest;
	char *object;
	long before, kernel_kib;

	prepare(row, 0);
	honest = build(row, product_text, "EXTRA", 0);
	object = build_bare(row, print_text, "X", 0);
	run_worker(row, honest);
	end = run_compiler(row, "echo", BUILD_TIMEOUT_MS);
	ao_process_end_release(&end);
	forget_peak();
	before = peak_kib();
	run_worker(row, object);
	kernel_kib = peak_kib() - before;
	forget_peak();
	before = peak_kib();
	end = run_compiler(row, "yes | head -c 2000000000", BUILD_TIMEOUT_MS);
	printf("%ld %ld %zu\n", kernel_kib, peak_kib() - before,
	       end.output_len);
	ao_process_end_release(&end);
	free(object);
}

/* How many processes there are that have `word` among their arguments. */
static int count_processes(const char *word)
{
	DIR *folder = opendir("/proc");
	struct dirent *entry;
	int count = 0;

	while (folder && (entry = readdir(folder))) {
		struct ao_buf text = AO_BUF_INIT(1 << 16);
		char *path = ao_xstrf("/proc/%s/cmdline", entry->d_name);

		if (strtol(entry->d_name, NULL, 10) > 0) {
			ao_error_free(ao_file_read(&text, path));
			count += memmem(text.ptr, text.len, word,
					strlen(word)) != NULL;
		}
		free(path);
		ao_buf_release(&text);
	}
	if (folder)
		closedir(folder);
	return count;
}

/* Of all that was started, as whoever loses its parent becomes our child. */
static bool has_children(void)
{
	return waitpid(-1, NULL, WNOHANG) >= 0 || errno != ECHILD;
}

static void deadline(struct row *row)
{
	char *object, *stubborn;
	double worker_ms, stubborn_ms, compiler_ms;
	char *mark = ao_xstrf("%d.%d", 98765, (int)getpid());
	char *command = ao_xstrf("trap '' HUP INT QUIT TERM; sleep %s & "
				 "(setsid sleep %s &) ; while :; do :; done",
				 mark, mark);
	struct ao_process_end end;

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	prepare(row, 0);
	object = build_bare(row, stubborn_text, "STUBBORN", 0);
	stubborn = build_bare(row, stubborn_text, "STUBBORN", 1);
	worker_ms = run_worker(row, object);
	stubborn_ms = run_worker(row, stubborn);
	end = run_compiler(row, command, LIMIT_MS);
	compiler_ms = (double)end.wall_ns / 1e6;
	ao_process_end_release(&end);
	printf("%.0f %.0f %.0f %d\n", worker_ms, stubborn_ms, compiler_ms,
	       count_processes(mark) + has_children());
	free(object);
	free(stubborn);
	free(command);
	free(mark);
}

static const struct {
	const char *name;
	void (*run)(struct row *row);
} rows[] = {
	{ "aa_pairs", aa_pairs },   /* DECISION UNITS */
	{ "power", power },	    /* the same */
	{ "isolation", isolation }, /* MS: all, of compilers, of workers */
	{ "screen", screen },	    /* MS DECISION UNITS of slower, of a tie */
	{ "flood", flood },	    /* KIB by kernel, by compiler, BYTES kept */
	{ "deadline", deadline },   /* MS: kernels, compiler; processes left */
};

int main(int argc, char **argv)
{
	struct row row = { 0 };

	if (argc == 2 && !strcmp(argv[1], "nothing"))
		return 0;
	row.seed = argc == 3 ? strtoull(argv[2], NULL, 10) : 0;
	for (size_t i = 0; i < AO_ARRAY_SIZE(rows) && row.seed; i++) {
		if (strcmp(argv[1], rows[i].name) != 0)
			continue;
		must(ao_task_parse(&row.task, "task.json", task_json,
				   strlen(task_json)));
		ao_task_set_reference(row.task, reference_text,
				      strlen(reference_text));
		must(ao_session_new(&row.session));
		rows[i].run(&row);
		ao_judge_free(row.judge);
		ao_session_free(row.session);
		ao_task_free(row.task);
		return 0;
	}
	fprintf(stderr, "usage: judged ROW SEED\n");
	return 129;
}
