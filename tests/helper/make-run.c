/* SPDX-License-Identifier: MIT */
/*
 * make-run.c - write a run into the repository at hand, as a script says.
 *
 * What reads runs is tested on runs that take no search and no clock.  The
 * script comes on standard input, a command a line:
 *
 *   run TASK                    start, from HEAD; first of all
 *   baseline KEY=VALUE...       a profile of the baseline
 *   attempt I.N PARENT KEY=VALUE... : TITLE
 *   insight FAST SLOW KEY=VALUE... : TITLE
 *   flush                       what came so far goes into one journal commit
 *   best I.N
 *
 * An attempt is called by its number, the baseline "base".  Keys: verdict, gain
 * (over the parent, a ratio), low, high (its interval), peak (per cent), move
 * (with , for blanks), features, detail, agent, kernel (an attempt whose kernel
 * this one repeats), timings (of the same pair), evidence, iteration
 * and rank (of insights).
 *
 * Prints "run ID", and "I.N COMMIT" for each attempt.
 */
#include "util/base.h"

#include <math.h>

#include "store/journal.h"
#include "store/tasks.h"
#include "util/clock.h"
#include "util/text.h"
#include "util/version.h"

enum { MAX_ATTEMPTS = 4096, MAX_LINE = 4096 };

struct made {
	struct ao_attempt id;
	char commit[AO_ID_SIZE];
	char kernel[AO_ID_SIZE];
	char *source;
	double score;
};

static struct ao_repo *repo;
static struct ao_task *task;
static struct ao_journal *journal;
static struct ao_run run;
static struct made attempts[MAX_ATTEMPTS]; /* the first is the baseline */
static size_t count;
static unsigned line_number;

AO_NORETURN
static void die(const char *what)
{
	fprintf(stderr, "make-run: line %u: %s\n", line_number, what);
	exit(1);
}

static void check(struct ao_error *err)
{
	if (!err)
		return;
	fprintf(stderr, "make-run: line %u: ", line_number);
	ao_error_print(stderr, err, true);
	exit(1);
}

/* The value of KEY=VALUE among the words, or `otherwise`. */
static const char *get(const struct ao_strs *words, const char *key,
		       const char *otherwise)
{
	size_t len = strlen(key);

	for (size_t i = 0; i < words->count; i++)
		if (!strncmp(words->v[i], key, len) && words->v[i][len] == '=')
			return words->v[i] + len + 1;
	return otherwise;
}

static double number(const struct ao_strs *words, const char *key,
		     double otherwise)
{
	const char *text = get(words, key, NULL);
	double value;

	if (!text)
		return otherwise;
	if (!ao_text_to_double(&value, text, -1e300, 1e300))
		die("not a number");
	return value;
}

static const char *word(const struct ao_strs *words, size_t i)
{
	if (i >= words->count)
		die("a word is missing");
	return words->v[i];
}

static struct made *find(const char *name)
{
	struct ao_attempt id;

	if (!strcmp(name, "base"))
		return &attempts[0];
	if (!ao_attempt_read(&id, name))
		die("not an attempt");
	for (size_t i = 1; i < count; i++)
		if (attempts[i].id.iteration == id.iteration &&
		    attempts[i].id.number == id.number)
			return &attempts[i];
	die("there is no such attempt");
}

static char *copy_blanks(const char *text)
{
	char *copy = ao_xstrdup(text);

	for (char *c = copy; *c; c++)
		if (*c == ',')
			*c = ' ';
	return copy;
}

static void start(const struct ao_strs *words)
{
	struct ao_kernel kernel = { 0 };

	check(ao_repo_open(&repo));
	check(ao_repo_resolve(run.base, repo, "HEAD"));
	check(ao_tasks_load(&task, repo, run.base, word(words, 1)));
	check(ao_tasks_load_kernel(&kernel, repo, run.base, task));
	run.task = ao_xstrdup(task->name);
	run.tool_version = ao_xstrdup(ao_version());
	memcpy(run.task_id, task->id, AO_ID_SIZE);
	memcpy(run.base_kernel, kernel.id, AO_ID_SIZE);
	run.started_unix_ms = ao_clock_unix_ms();
	run.machine.cpu = ao_xstrdup("Some CPU");
	run.machine.cores = 2;
	run.machine.compiler = ao_xstrdup("gcc 12.2.0");
	run.machine.sandbox = ao_xstrdup("namespaces");
	ao_settings_init(&run.settings);
	check(ao_journal_start(&journal, repo, &run, task));
	memcpy(attempts[0].commit, run.base, AO_ID_SIZE);
	memcpy(attempts[0].kernel, kernel.id, AO_ID_SIZE);
	attempts[0].source = ao_xstrdup(kernel.files[0].data);
	count = 1;
	printf("run %s\n", run.id);
	ao_kernel_release(&kernel);
}

static void fill_case(struct ao_result *result, double percent)
{
	result->cases = ao_xcalloc(1, sizeof(*result->cases));
	result->case_count = 1;
	result->cases->case_name = ao_xstrdup(task->cases[0].name);
	result->cases->error = 1e-7;
	result->cases->limit = 2e-5;
	result->cases->min_ns = 1000;
	result->cases->median_ns = 1024;
	result->cases->floor_ns = 1024 * percent / 100;
	result->cases->percent_of_peak = percent;
	result->cases->bound = ao_xstrdup("memory");
}

static void fill_pair(struct ao_pair *pair, const struct ao_strs *words,
		      const struct made *parent)
{
	double gain = number(words, "gain", 1);

	memcpy(pair->against, parent->kernel, AO_ID_SIZE);
	pair->case_name = ao_xstrdup(task->cases[0].name);
	pair->decision = gain > 1   ? AO_DECISION_FASTER
			 : gain < 1 ? AO_DECISION_SLOWER
				    : AO_DECISION_TIE;
	pair->log_gain = log(gain);
	pair->log_low = log(number(words, "low", gain * 0.99));
	pair->log_high = log(number(words, "high", gain * 1.01));
	pair->evidence = number(words, "evidence", 128);
	pair->units = 4;
	pair->unit_log_gain = ao_xcalloc(pair->units, sizeof(double));
	for (size_t i = 0; i < pair->units; i++)
		pair->unit_log_gain[i] = pair->log_gain;
	pair->gap_fraction = 0.01;
}

static void fill_pairs(struct ao_result *result, const struct ao_strs *words,
		       const struct made *parent)
{
	result->pair_count = (size_t)number(words, "timings", 1);
	result->pairs = ao_xcalloc(result->pair_count, sizeof(*result->pairs));
	for (size_t i = 0; i < result->pair_count; i++)
		fill_pair(&result->pairs[i], words, parent);
}

/* What the judge might have said; `parent` NULL: of the baseline. */
static void fill_profile(struct ao_profile *profile,
			 const struct ao_strs *words, const struct made *parent)
{
	struct ao_result *result = &profile->result;
	const char *verdict = get(words, "verdict", "PASSED");
	const char *detail = get(words, "detail", NULL);

	*profile = (struct ao_profile){ .score = (double)NAN,
					.score_variance = (double)NAN };
	ao_record_head_init(&profile->head);
	memcpy(profile->task, run.task_id, AO_ID_SIZE);
	memcpy(result->evaluator, run.task_id, AO_ID_SIZE);
	result->flags = ao_xstrdup("-O3");
	result->detail = detail ? copy_blanks(detail) : NULL;
	result->verdict = ao_verdict_from_name(verdict);
	if (result->verdict == AO_VERDICT_NONE)
		die("there is no such verdict");
	if (result->verdict != AO_VERDICT_PASSED)
		return;
	fill_case(result, number(words, "peak", 10));
	profile->score = 0;
	profile->score_variance = 1e-6;
	if (!parent)
		return;
	fill_pairs(result, words, parent);
	profile->score = parent->score + result->pairs->log_gain;
}

static void add_baseline(const struct ao_strs *words)
{
	struct ao_profile profile;

	fill_profile(&profile, words, NULL);
	memcpy(profile.kernel, run.base_kernel, AO_ID_SIZE);
	check(ao_journal_add_profile(journal, run.base, &profile));
	ao_profile_release(&profile);
}

static void fill_message(struct ao_message *message,
			 const struct ao_strs *words, const char *title)
{
	message->title = ao_xstrdup(title);
	message->plan = ao_xstrf("%s, as there is time to gain.", title);
	message->task = ao_xstrdup(run.task);
	message->run = ao_xstrdup(run.id);
	message->agent = ao_xstrdup(get(words, "agent", "catalog"));
	message->plan_id = ao_xstrf("%08" PRIx32 "%08" PRIx32,
				    message->attempt.iteration,
				    message->attempt.number);
}

static struct ao_plan *make_plan(const struct ao_message *message,
				 const struct ao_strs *words)
{
	struct ao_plan *plan = ao_xcalloc(1, sizeof(*plan));
	const char *move = get(words, "move", NULL);
	const char *features = get(words, "features", NULL);

	ao_record_head_init(&plan->head);
	memcpy(plan->id, message->plan_id, sizeof(plan->id));
	plan->title = ao_xstrdup(message->title);
	plan->text = ao_xstrdup(message->plan);
	plan->agent = ao_xstrdup(message->agent);
	plan->move = move ? copy_blanks(move) : NULL;
	plan->features = features ? ao_xstrdup(features) : NULL;
	return plan;
}

static void add_attempt(const struct ao_strs *words, const char *title)
{
	const struct made *parent = find(word(words, 2));
	const char *twin = get(words, "kernel", NULL);
	struct ao_candidate candidate = { 0 };
	struct ao_kernel kernel = { 0 };
	struct made *made = &attempts[count];

	if (count == MAX_ATTEMPTS)
		die("too many attempts");
	if (!ao_attempt_read(&candidate.message.attempt, word(words, 1)))
		die("not an attempt");
	made->id = candidate.message.attempt;
	made->source = twin ? ao_xstrdup(find(twin)->source)
			    : ao_xstrf("%s/* %s: %s */\n", parent->source,
				       word(words, 1), title);
	memcpy(candidate.parent, parent->commit, AO_ID_SIZE);
	fill_message(&candidate.message, words, title);
	candidate.plan = make_plan(&candidate.message, words);
	candidate.profile = ao_xcalloc(1, sizeof(*candidate.profile));
	fill_profile(candidate.profile, words, parent);
	made->score = candidate.profile->score;
	ao_kernel_add(&kernel, task->kernel_files.v[0], made->source,
		      strlen(made->source));
	check(ao_journal_add(journal, &candidate, &kernel));
	memcpy(made->commit, candidate.commit, AO_ID_SIZE);
	memcpy(made->kernel, candidate.kernel, AO_ID_SIZE);
	printf("%s %s\n", word(words, 1), made->commit);
	count++;
	ao_kernel_release(&kernel);
	ao_candidate_release(&candidate);
}

static void add_insight(const struct ao_strs *words, const char *title)
{
	const struct made *fast = find(word(words, 1));
	const struct made *slow = find(word(words, 2));
	struct ao_insight insight = {
		.task = run.task,
		.run = run.id,
		.iteration = (uint32_t)number(words, "iteration",
					      fast->id.iteration),
		.rank = (uint32_t)number(words, "rank", 0),
		.log_gain = fast->score - slow->score,
		.log_low = fast->score - slow->score - 0.01,
		.log_high = fast->score - slow->score + 0.01,
	};

	ao_record_head_init(&insight.head);
	memcpy(insight.slow, slow->commit, AO_ID_SIZE);
	memcpy(insight.fast, fast->commit, AO_ID_SIZE);
	insight.title = ao_xstrdup(title);
	insight.text = ao_xstrf("%s: it pays.", title);
	insight.slow_code = ao_xstrdup("slow();\n\n");
	insight.fast_code = ao_xstrdup("fast();");
	insight.agent = ao_xstrdup(get(words, "agent", "catalog"));
	check(ao_journal_add_insight(journal, &insight));
	free(insight.title);
	free(insight.text);
	free(insight.slow_code);
	free(insight.fast_code);
	free(insight.agent);
}

/* One command: the words before " : ", and the title behind it. */
static void obey(char *line)
{
	struct ao_strs words = { 0 };
	char *title = strstr(line, " : ");
	const char *command;

	if (title) {
		*title = '\0';
		title += 3;
	}
	ao_strs_split(&words, line);
	if (!words.count)
		return;
	command = words.v[0];
	if (!journal && strcmp(command, "run") != 0)
		die("the run comes first");
	if (!strcmp(command, "run"))
		start(&words);
	else if (!strcmp(command, "baseline"))
		add_baseline(&words);
	else if (!strcmp(command, "attempt"))
		add_attempt(&words, title ? title : "No title");
	else if (!strcmp(command, "insight"))
		add_insight(&words, title ? title : "No title");
	else if (!strcmp(command, "flush"))
		check(ao_journal_flush(journal));
	else if (!strcmp(command, "best"))
		check(ao_journal_set_best(journal,
					  find(word(&words, 1))->commit));
	else
		die("there is no such command");
	ao_strs_release(&words);
}

int main(void)
{
	char line[MAX_LINE];

	while (fgets(line, sizeof(line), stdin)) {
		line_number++;
		line[strcspn(line, "\n")] = '\0';
		if (*line != '#')
			obey(line);
	}
	if (!journal)
		die("there is no run");
	check(ao_journal_flush(journal));
	for (size_t i = 0; i < count; i++)
		free(attempts[i].source);
	ao_journal_free(journal);
	ao_task_free(task);
	ao_run_release(&run);
	ao_repo_free(repo);
	return 0;
}
