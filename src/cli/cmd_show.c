/* SPDX-License-Identifier: MIT */
/* cmd_show.c - git accelopt show: one candidate in full. */
#include "util/base.h"

#include "store/gitrun.h"

#include "cli/candidate_json.h"
#include "cli/candidate_text.h"
#include "cli/change_text.h"
#include "cli/color.h"
#include "cli/command.h"
#include "cli/complain.h"
#include "cli/gaps.h"
#include "cli/insight_json.h"
#include "cli/options.h"
#include "cli/pager.h"
#include "cli/tell.h"
#include "cli/which.h"

enum { MAX_TEXT_BYTES = 16 << 20 };

/*
 * The change against the parent, or nothing: where git cannot make it, as in a
 * shallow clone, the rest is shown all the same.
 */
static void read_change(struct ao_buf *out, const struct ao_candidate *of)
{
	struct ao_error *err = ao_change_read(out, of->parent, of->commit);

	if (!err)
		return;
	err = ao_error_wrap(err, "the change against the parent cannot be "
				 "shown");
	fflush(stdout);
	ao_complain("warning", err);
	ao_error_free(err);
}

static void set_profile(struct ao_json *to, const char *key,
			const struct ao_profile *profile)
{
	struct ao_json *json;

	if (!profile)
		return;
	json = ao_json_new_object();
	ao_result_to_json(json, &profile->result, false);
	ao_json_set(to, key, json);
}

static void set_insights(struct ao_json *to, const struct ao_which *which)
{
	struct ao_json *list = ao_json_new_array();

	for (size_t i = 0; i < which->history.insight_count; i++) {
		const struct ao_insight *insight = &which->history.insights[i];
		struct ao_json *json;

		if (!ao_is_about(insight, which->candidate))
			continue;
		json = ao_json_new_object();
		ao_insight_to_json(json, insight);
		ao_json_set(list, NULL, json);
	}
	ao_json_set(to, "insights", list);
}

static void set_plan(struct ao_json *to, const struct ao_candidate *candidate)
{
	const struct ao_plan *plan = candidate->plan;
	struct ao_json *shown;

	ao_json_set_string(to, "plan_id", candidate->message.plan_id);
	ao_json_set_string(to, "plan_text",
			   plan && plan->text ? plan->text
					      : candidate->message.plan);
	if (!plan)
		return;
	ao_json_set_string(to, "move", plan->move);
	ao_json_set_string(to, "features", plan->features);
	shown = ao_json_new_array();
	for (size_t i = 0; i < plan->insights.count; i++)
		ao_json_set_string(shown, NULL, plan->insights.v[i]);
	ao_json_set(to, "shown_insights", shown);
}

static void show_json(const struct ao_which *which, const struct ao_buf *change)
{
	struct ao_json *json = ao_json_new_object();

	ao_candidate_to_json(json, which->candidate,
			     which->run->run.base_kernel);
	ao_json_set_string(json, "kernel", which->candidate->kernel);
	set_plan(json, which->candidate);
	set_profile(json, "profile", which->candidate->profile);
	set_profile(json, "parent_profile",
		    ao_parent_profile(&which->history, which->run,
				      which->candidate));
	set_insights(json, which);
	ao_json_set_bytes(json, "change", change->ptr, change->len);
	ao_tell_json(json);
}

static void show_text(const struct ao_which *which, const struct ao_buf *change)
{
	struct ao_buf text = AO_BUF_INIT(MAX_TEXT_BYTES);

	ao_candidate_text(&text, &which->history, which->run, which->candidate);
	ao_buf_addstr(&text, change->len ? "\nChange\n\n" : "\nChange: none\n");
	ao_tell(&text);
	ao_change_print(change->ptr, ao_color_is_on());
}

static struct ao_error *run(struct ao_repo *repo, const char *name,
			    bool as_json)
{
	struct ao_buf change = AO_BUF_INIT(AO_MAX_GIT_BYTES);
	struct ao_which which;
	struct ao_error *err;

	err = ao_which_find(&which, repo, name);
	if (err)
		return err;
	if (!as_json)
		ao_pager_start(repo);
	ao_gaps_tell(repo, &which.history);
	read_change(&change, which.candidate);
	if (as_json)
		show_json(&which, &change);
	else
		show_text(&which, &change);
	ao_buf_release(&change);
	ao_which_release(&which);
	return NULL;
}

struct ao_error *ao_cmd_show(int *status, const struct ao_command *self,
			     int argc, char **argv)
{
	bool as_json = false;
	const struct ao_option table[] = {
		AO_FLAG(0, "json", &as_json, "print one JSON object"),
		AO_END,
	};
	struct ao_options options;
	struct ao_repo *repo = NULL;
	struct ao_error *err;

	*status = AO_STATUS_DONE;
	err = ao_options_parse(&options, self, table, argc, argv);
	if (!err)
		err = ao_options_operands(&options, "<commit>");
	if (!err)
		err = ao_repo_open(&repo);
	if (!err)
		err = run(repo, options.argv[0], as_json);
	ao_repo_free(repo);
	return err;
}
