/* SPDX-License-Identifier: MIT */
/* cmd_memory.c - git accelopt memory: what searches have learned. */
#include "util/base.h"

#include <math.h>

#include "store/memory.h"
#include "store/planstats.h"
#include "util/text.h"

#include "cli/command.h"
#include "cli/gain_text.h"
#include "cli/gaps.h"
#include "cli/insight_json.h"
#include "cli/options.h"
#include "cli/pager.h"
#include "cli/tell.h"
#include "cli/which.h"

enum { MAX_MEMORY_TEXT_BYTES = 64 << 20, DEFAULT_CAPACITY = 16 };

struct args {
	const char *task;
	const char *as_of;
	uint32_t capacity;
	bool no_cache;
	bool as_json;
};

static void add_insight_line(struct ao_buf *out,
			     const struct ao_insight *insight)
{
	struct ao_gain gain;

	ao_insight_gain(&gain, insight);
	ao_buf_addf(out, "%s  ", insight->head.id);
	if (isfinite(gain.log_gain))
		ao_gain_text(out, &gain);
	ao_buf_addf(out, "  %s  %s\n", insight->task ? insight->task : "",
		    insight->title ? insight->title : "");
}

/* ": tried 14 times at contraction, gained ..." */
static void add_tries(struct ao_buf *out, const struct ao_plan_stat *stat)
{
	uint32_t timed = stat->tries - stat->failures;

	ao_buf_addf(out, ": tried %" PRIu32 " time%s", stat->tries,
		    stat->tries == 1 ? "" : "s");
	if (*stat->features)
		ao_buf_addf(out, " at %s", stat->features);
	if (timed)
		ao_buf_addf(out, ", gained x%.2f in the median",
			    exp(stat->median_log_gain));
	if (stat->failures)
		ao_buf_addf(out, ", failed %" PRIu32 " time%s", stat->failures,
			    stat->failures == 1 ? "" : "s");
	ao_buf_addstr(out, "\n");
}

/* "tile rows=6 vecs=2: tried 14 times at contraction, gained ..." */
static void add_stat(struct ao_buf *out, const struct ao_plan_stat *stat)
{
	ao_buf_addf(out, "%s%s%s", stat->move, *stat->params ? " " : "",
		    stat->params);
	add_tries(out, stat);
}

static struct ao_error *memory_text(const struct ao_memory *memory)
{
	struct ao_buf text = AO_BUF_INIT(MAX_MEMORY_TEXT_BYTES);
	struct ao_error *err;

	ao_buf_addf(&text, "insights, newest first: %zu\n",
		    memory->insight_count);
	for (size_t i = 0; i < memory->insight_count; i++)
		add_insight_line(&text, &memory->insights[i]);
	ao_buf_addf(&text, "\nplans of the catalogue: %zu\n",
		    memory->stat_count);
	for (size_t i = 0; i < memory->stat_count; i++)
		add_stat(&text, &memory->stats[i]);
	err = ao_buf_check(&text, "the memory");
	if (!err)
		ao_tell(&text);
	ao_buf_release(&text);
	return err;
}

static void tell_stat_json(const struct ao_plan_stat *stat)
{
	struct ao_json *json = ao_json_new_object();

	ao_json_set_string(json, "kind", "plan");
	ao_json_set_string(json, "move", stat->move);
	ao_json_set_string(json, "params", stat->params);
	ao_json_set_string(json, "features", stat->features);
	ao_json_set_number(json, "tries", stat->tries);
	ao_json_set_number(json, "failures", stat->failures);
	ao_json_set_number(json, "sum_log_gain", stat->sum_log_gain);
	ao_json_set_number(json, "sum_faster", stat->sum_faster);
	if (stat->tries > stat->failures)
		ao_json_set_number(json, "median_log_gain",
				   stat->median_log_gain);
	ao_json_set_number(json, "credited", stat->credited);
	ao_json_set_number(json, "sum_credit", stat->sum_credit);
	ao_tell_json(json);
}

static void tell_insight_json(const struct ao_insight *insight)
{
	struct ao_json *json = ao_json_new_object();

	ao_json_set_string(json, "kind", "insight");
	ao_insight_to_json(json, insight);
	ao_tell_json(json);
}

static void memory_json(const struct ao_memory *memory)
{
	for (size_t i = 0; i < memory->insight_count; i++)
		tell_insight_json(&memory->insights[i]);
	for (size_t i = 0; i < memory->stat_count; i++)
		tell_stat_json(&memory->stats[i]);
}

static struct ao_error *print_memory(struct ao_repo *repo,
				     const struct args *args)
{
	const struct ao_history_options wanted = {
		.as_of = args->as_of,
		.is_brief = true,
		.no_cache = args->no_cache,
	};
	const struct ao_memory_options options = {
		.task = args->task,
		.capacity = args->capacity,
	};
	struct ao_history history;
	struct ao_memory memory;
	struct ao_error *err;

	err = ao_history_load(&history, repo, &wanted);
	if (err)
		return err;
	err = ao_which_task(repo, &history, args->task);
	if (err) {
		ao_history_release(&history);
		return err;
	}
	ao_memory_rebuild(&memory, &history, &options);
	if (!args->as_json)
		ao_pager_start(repo);
	ao_gaps_tell(repo, &history);
	if (args->as_json)
		memory_json(&memory);
	else
		err = memory_text(&memory);
	ao_memory_release(&memory);
	ao_history_release(&history);
	return err;
}

static struct ao_error *cmd_list(int *status, const struct ao_command *self,
				 int argc, char **argv)
{
	struct args args = { .capacity = UINT32_MAX };
	const struct ao_option table[] = {
		AO_STRING(0, "task", &args.task, NULL, "task",
			  "list insights of this task alone"),
		AO_FLAG(0, "json", &args.as_json,
			"print JSON, an object a line"),
		AO_END,
	};
	struct ao_options options;
	struct ao_repo *repo = NULL;
	struct ao_error *err;

	*status = AO_STATUS_DONE;
	err = ao_options_parse(&options, self, table, argc, argv);
	if (!err)
		err = ao_options_no_operands(&options, "task");
	if (!err)
		err = ao_repo_open(&repo);
	if (!err)
		err = print_memory(repo, &args);
	ao_repo_free(repo);
	return err;
}

static struct ao_error *cmd_rebuild(int *status, const struct ao_command *self,
				    int argc, char **argv)
{
	struct args args = { .capacity = DEFAULT_CAPACITY };
	const struct ao_option table[] = {
		AO_STRING(0, "as-of", &args.as_of, NULL, "commit",
			  "as this journal commit knew it"),
		AO_STRING(0, "task", &args.task, NULL, "task",
			  "with the insights of this task alone"),
		AO_COUNT(0, "memory", &args.capacity, 0, 1000,
			 "accelopt.memory", "n",
			 "keep the newest <n> insights"),
		AO_FLAG(0, "json", &args.as_json,
			"print JSON, an object a line"),
		AO_END,
	};
	struct ao_options options;
	struct ao_repo *repo = NULL;
	struct ao_error *err;

	*status = AO_STATUS_DONE;
	err = ao_options_parse(&options, self, table, argc, argv);
	if (!err)
		err = ao_options_no_operands(&options, "task");
	if (!err)
		err = ao_repo_open(&repo);
	if (!err)
		err = ao_options_configure(&options, repo);
	/* On a read-only disk an old one may stay, but is not believed. */
	if (!err)
		args.no_cache = !ao_history_drop_cache(repo);
	if (!err)
		err = print_memory(repo, &args);
	ao_repo_free(repo);
	return err;
}

static void add_credit(struct ao_buf *out, const struct ao_plan_stat *stat)
{
	if (!stat->credited)
		return;
	ao_buf_addf(out,
		    "    %" PRIu32 " of them in %s that won, x%.2f in the "
		    "mean over the baseline\n",
		    stat->credited,
		    stat->credited == 1 ? "a lineage" : "lineages",
		    exp(stat->sum_credit / stat->credited));
}

/* The move as a whole, where that is more than the one line above. */
static void add_total(struct ao_buf *out, const struct ao_history *history,
		      const char *move)
{
	struct ao_plan_stat total;

	if (!ao_planstats_of_move(&total, history, move))
		return;
	ao_buf_addf(out, "%s in all", move);
	add_tries(out, &total);
	add_credit(out, &total);
	ao_plan_stat_release(&total);
}

/* How a move did, with each of its parameters; returns how many there are. */
static size_t show_move(const struct ao_history *history, const char *move,
			bool as_json)
{
	const struct ao_memory_options options = { 0 };
	struct ao_buf text = AO_BUF_INIT(MAX_MEMORY_TEXT_BYTES);
	struct ao_memory memory;
	size_t found = 0;

	ao_memory_rebuild(&memory, history, &options);
	for (size_t i = 0; i < memory.stat_count; i++) {
		const struct ao_plan_stat *stat = &memory.stats[i];

		if (strcmp(stat->move, move) != 0)
			continue;
		found++;
		if (as_json) {
			tell_stat_json(stat);
			continue;
		}
		add_stat(&text, stat);
		add_credit(&text, stat);
	}
	if (found > 1 && !as_json)
		add_total(&text, history, move);
	ao_tell(&text);
	ao_memory_release(&memory);
	return found;
}

/* The insights whose id begins with `id`; returns how many there are. */
static size_t show_insights(const struct ao_history *history, const char *id,
			    bool as_json)
{
	struct ao_buf text = AO_BUF_INIT(MAX_MEMORY_TEXT_BYTES);
	size_t found = 0;

	for (size_t i = 0; i < history->insight_count; i++) {
		const struct ao_insight *insight = &history->insights[i];

		if (!ao_text_starts_with(insight->head.id, id))
			continue;
		found++;
		if (as_json)
			tell_insight_json(insight);
		else
			ao_insight_text(&text, insight);
	}
	ao_tell(&text);
	return found;
}

static struct ao_error *show(struct ao_repo *repo, const char *name,
			     bool as_json)
{
	const struct ao_history_options wanted = { .is_brief = true };
	struct ao_history history;
	struct ao_error *err;

	if (!*name)
		return ao_error_new(AO_EUSAGE, "the name is empty");
	err = ao_history_load(&history, repo, &wanted);
	if (err)
		return err;
	if (!as_json)
		ao_pager_start(repo);
	ao_gaps_tell(repo, &history);
	if (!show_move(&history, name, as_json) &&
	    !show_insights(&history, name, as_json))
		err = ao_error_new(AO_ENOTFOUND,
				   "there is no insight or move '%s'; 'git "
				   "accelopt memory list' lists them",
				   name);
	ao_history_release(&history);
	return err;
}

static struct ao_error *cmd_show(int *status, const struct ao_command *self,
				 int argc, char **argv)
{
	bool as_json = false;
	const struct ao_option table[] = {
		AO_FLAG(0, "json", &as_json, "print JSON, an object a line"),
		AO_END,
	};
	struct ao_options options;
	struct ao_repo *repo = NULL;
	struct ao_error *err;

	*status = AO_STATUS_DONE;
	err = ao_options_parse(&options, self, table, argc, argv);
	if (!err)
		err = ao_options_operands(&options, "<insight or move>");
	if (!err)
		err = ao_repo_open(&repo);
	if (!err)
		err = show(repo, options.argv[0], as_json);
	ao_repo_free(repo);
	return err;
}

const struct ao_command ao_memory_commands[] = {
	{ "memory list", "[<options>]", "list insights and how plans did",
	  AO_SECTION_LOOK, cmd_list, NULL },
	{ "memory show", "[<options>] <insight> | <move>",
	  "show one insight, or how a move did", AO_SECTION_LOOK, cmd_show,
	  NULL },
	{ "memory rebuild", "[<options>]",
	  "rebuild the memory from history, without the cache", AO_SECTION_LOOK,
	  cmd_rebuild, NULL },
	{ 0 },
};
