/* SPDX-License-Identifier: MIT */
/*
 * One search in which nothing can be found: every candidate is an edit of the
 * kernel that changes nothing, so whoever wins has won by luck.
 *
 *     null_search SEED EVALUATIONS     in a repository that has task "null"
 *
 * Judges and search are the real ones; only who plans and writes is ours.
 * Prints a line: "same" or "better", the gain that is claimed, evaluations,
 * how many were screened as faster, slower, tie and undecided, and seconds.
 */
#include "util/base.h"

#include <math.h>
#include <unistd.h>

#include "eval/eval.h"
#include "evolve/evolve.h"
#include "util/clock.h"
#include "util/limits.h"

static const char task_name[] = "null";
static const char agent_name[] = "null";

/*
 * An edit and its undoing: one text in place of the other.  The first ones come
 * to the same machine code.
 */
static const struct edit {
	const char *name;
	const char *one, *other;
} edits[] = {
	{ "rename a local", "factor", "scale" },
	{ "swap declarations", "const int rows = M;\n\tconst int depth = K;\n",
	  "const int depth = K;\n\tconst int rows = M;\n" },
	{ "add braces", "\t\tfor (int j = 0; j < N; j++)\n\t\t\tc[i][j] = 0;\n",
	  "\t\tfor (int j = 0; j < N; j++) {\n\t\t\tc[i][j] = 0;\n\t\t}\n" },
};

/* Besides those: only a comment, or a function before it that moves it. */
enum {
	EDITS = AO_ARRAY_SIZE(edits),
	COMMENT = EDITS,
	PUSH_DOWN,
	MORE_PUSH_DOWNS, /* so that half of all edits move code */
	LAST_PUSH_DOWN,
	KINDS,
};

static void must(struct ao_error *err)
{
	if (!err)
		return;
	ao_error_print(stderr, err, false);
	exit(128);
}

static const char *name_of(uint64_t kind)
{
	if (kind < EDITS)
		return edits[kind].name;
	return kind == COMMENT ? "add a comment" : "move the code";
}

static void plan(struct ao_agent *agent, const struct ao_plan_request *req,
		 ao_plans_cb *cb, void *data)
{
	struct ao_plan *plans = ao_xcalloc(req->count, sizeof(*plans));

	(void)agent;
	for (uint32_t i = 0; i < req->count; i++) {
		uint64_t number = ao_rng_next(req->rng);
		const char *name = name_of(number % KINDS);

		plans[i] = (struct ao_plan){
			.title = ao_xstrf("%s (%016" PRIx64 ")", name, number),
			.text = ao_xstrdup("It changes nothing."),
			.agent = ao_xstrdup(agent_name),
			.move = ao_xstrf("edit %" PRIu64, number),
		};
		ao_plan_identify(&plans[i], req->kernel->id);
	}
	cb(data, plans, req->count, NULL);
	for (uint32_t i = 0; i < req->count; i++)
		ao_plan_release(&plans[i]);
	free(plans);
}

/* Append `text` with the first `from` in it as `to`; false if there is none. */
static bool replace(struct ao_buf *out, const char *text, const char *from,
		    const char *to)
{
	const char *at = strstr(text, from);

	if (!at)
		return false;
	for (; at; at = strstr(text, from)) {
		ao_buf_add(out, text, (size_t)(at - text));
		ao_buf_addstr(out, to);
		text = at + strlen(from);
	}
	ao_buf_addstr(out, text);
	return true;
}

/* Its length is up to the number; that nobody calls it is not known here. */
static void add_function(struct ao_buf *out, uint64_t number)
{
	ao_buf_addf(out,
		    "__attribute__((used)) static int unused_%" PRIx64
		    "(int x)\n{\n",
		    number);
	for (uint64_t i = 0; i <= number / KINDS % 5; i++)
		ao_buf_addf(out, "\tx = (x ^ %" PRIu64 ") * %d;\n",
			    number % 1000 + i, 3);
	ao_buf_addstr(out, "\treturn x;\n}\n\n");
}

static void edit(struct ao_buf *out, const char *text, uint64_t number)
{
	uint64_t kind = number % KINDS;

	if (kind >= PUSH_DOWN)
		add_function(out, number);
	if (kind >= EDITS ||
	    (!replace(out, text, edits[kind].one, edits[kind].other) &&
	     !replace(out, text, edits[kind].other, edits[kind].one)))
		ao_buf_addstr(out, text);
	/* No two are the same text. */
	ao_buf_addf(out, "/* edit %016" PRIx64 " */\n", number);
}

static void write_kernel(struct ao_agent *agent,
			 const struct ao_write_request *req, ao_kernel_cb *cb,
			 void *data)
{
	const struct ao_kernel_file *file = &req->kernel->files[0];
	uint64_t number = strtoull(strchr(req->plan->move, ' '), NULL, 10);
	struct ao_buf text = AO_BUF_INIT(AO_MAX_KERNEL_BYTES);
	struct ao_kernel kernel = { 0 };

	(void)agent;
	edit(&text, file->data, number);
	must(ao_buf_check(&text, "a kernel"));
	ao_kernel_add(&kernel, file->path, text.ptr, text.len);
	cb(data, &kernel, AO_VERDICT_NONE, NULL, NULL);
	ao_kernel_release(&kernel);
	ao_buf_release(&text);
}

static void summarize(struct ao_agent *agent,
		      const struct ao_summary_request *req, ao_insight_cb *cb,
		      void *data)
{
	(void)agent;
	(void)req;
	cb(data, NULL, NULL);
}

static void free_nothing(struct ao_agent *agent)
{
	(void)agent;
}

static const struct ao_agent_ops ops = {
	.plan = plan,
	.write = write_kernel,
	.summarize = summarize,
	.free = free_nothing,
};

static void on_event(void *data, const struct ao_event *event)
{
	size_t *screened = data;
	const struct ao_result *result;
	const struct ao_pair *pair;

	if (event->kind == AO_EVENT_WARNING)
		fprintf(stderr, "warning: %s\n", event->text);
	if (event->kind != AO_EVENT_ATTEMPT)
		return;
	result = &event->candidate->profile->result;
	if (result->verdict != AO_VERDICT_PASSED) {
		fprintf(stderr, "%s: %s\n", ao_verdict_name(result->verdict),
			result->detail ? result->detail : "");
		return;
	}
	pair = ao_result_main_pair(result);
	if (pair)
		screened[pair->decision]++;
}

static void set_role(char **role)
{
	free(*role);
	*role = ao_xstrdup(agent_name);
}

static void search(uint64_t seed, uint32_t evaluations)
{
	struct ao_agent agent = { .ops = &ops, .name = agent_name };
	size_t screened[AO_DECISION_UNDECIDED + 1] = { 0 };
	struct ao_evolve_options options = {
		.task = task_name,
		.agent = &agent,
		.jobs = 1,
		.on_event = on_event,
		.data = screened,
	};
	struct ao_evolve_summary summary = { 0 };
	uint64_t from_ns = ao_clock_now_ns();
	struct ao_repo *repo;
	bool is_claimed;

	ao_settings_init(&options.settings);
	set_role(&options.settings.planner);
	set_role(&options.settings.executor);
	set_role(&options.settings.summarizer);
	options.settings.seed = seed;
	options.settings.max_evals = evaluations;
	must(ao_repo_open(&repo));
	must(ao_evolve(&summary, repo, &options));
	is_claimed = *summary.best;
	printf("%s x%.4f evaluations %" PRIu32
	       " faster %zu slower %zu tie %zu undecided %zu seconds %.0f\n",
	       is_claimed ? "better" : "same",
	       is_claimed ? exp(summary.gain.log_gain) : 1.0, summary.evals,
	       screened[AO_DECISION_FASTER], screened[AO_DECISION_SLOWER],
	       screened[AO_DECISION_TIE], screened[AO_DECISION_UNDECIDED],
	       (double)(ao_clock_now_ns() - from_ns) / 1e9);
	ao_repo_free(repo);
	ao_settings_release(&options.settings);
	if (summary.outcome == AO_OUTCOME_INTERRUPTED)
		exit(130);
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "judge")) {
		must(ao_eval_serve(STDIN_FILENO, STDOUT_FILENO, false));
		return 0;
	}
	if (argc != 3 || !strtoull(argv[1], NULL, 10) ||
	    !strtoul(argv[2], NULL, 10)) {
		fprintf(stderr, "usage: null_search SEED EVALUATIONS\n");
		return 129;
	}
	search(strtoull(argv[1], NULL, 10),
	       (uint32_t)strtoul(argv[2], NULL, 10));
	return 0;
}
