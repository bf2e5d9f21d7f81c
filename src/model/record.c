/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <math.h>

#include "model/record.h"
#include "util/clock.h"
#include "util/crypto.h"
#include "util/limits.h"
#include "util/text.h"

/* So that a summary stays a line that a person reads. */
enum { SUMMARY_COLUMNS = 100 };

static const char *const kind_names[AO_RECORD_KIND_COUNT] = {
	[AO_RECORD_PROFILE] = "profile",
	[AO_RECORD_PLAN] = "plan",
	[AO_RECORD_INSIGHT] = "insight",
};

static const struct ao_field profile_table[] = {
	AO_FIELD(struct ao_profile, kernel),
	AO_FIELD(struct ao_profile, task),
	AO_FIELD_OR_NAN(struct ao_profile, score),
	AO_FIELD_OR_NAN(struct ao_profile, score_variance),
};
static const struct ao_field plan_table[] = {
	AO_FIELD_AS("plan", struct ao_plan, id),
	AO_FIELD(struct ao_plan, title),
	AO_FIELD(struct ao_plan, text),
	AO_FIELD(struct ao_plan, agent),
	AO_FIELD(struct ao_plan, move),
	AO_FIELD(struct ao_plan, features),
	AO_FIELD(struct ao_plan, insights),
};
static const struct ao_field insight_table[] = {
	AO_FIELD(struct ao_insight, task),
	AO_FIELD(struct ao_insight, run),
	AO_FIELD(struct ao_insight, iteration),
	AO_FIELD(struct ao_insight, rank),
	AO_FIELD(struct ao_insight, title),
	AO_FIELD(struct ao_insight, text),
	AO_FIELD(struct ao_insight, slow),
	AO_FIELD(struct ao_insight, fast),
	AO_FIELD_OR_NAN(struct ao_insight, log_gain),
	AO_FIELD_OR_NAN(struct ao_insight, log_low),
	AO_FIELD_OR_NAN(struct ao_insight, log_high),
	AO_FIELD(struct ao_insight, features),
	AO_FIELD(struct ao_insight, agent),
	AO_FIELD(struct ao_insight, slow_code),
	AO_FIELD(struct ao_insight, fast_code),
};
static const struct ao_fields profile_fields = AO_FIELDS(struct ao_profile,
							 profile_table);
static const struct ao_fields plan_fields = AO_FIELDS(struct ao_plan,
						      plan_table);
static const struct ao_fields insight_fields = AO_FIELDS(struct ao_insight,
							 insight_table);

const char *ao_record_kind_name(enum ao_record_kind kind)
{
	return kind_names[kind];
}

void ao_record_head_init(struct ao_record_head *head)
{
	*head = (struct ao_record_head){ .time_unix_ms = ao_clock_unix_ms() };
	ao_random_hex(head->id, AO_RECORD_ID_DIGITS);
}

/* An object with what every record begins with. */
static struct ao_json *begin(const struct ao_record_head *head,
			     enum ao_record_kind kind, const char *summary)
{
	struct ao_json *json = ao_json_new_object();
	char time[AO_TIME_SIZE];

	ao_clock_format(time, head->time_unix_ms);
	ao_json_set_string(json, "time", time);
	ao_json_set_number(json, "v", AO_RECORD_VERSION);
	ao_json_set_string(json, "kind", kind_names[kind]);
	ao_json_set_string(json, "id", head->id);
	ao_json_set_string(json, "summary", summary);
	if (*head->replaces)
		ao_json_set_string(json, "replaces", head->replaces);
	return json;
}

static void end(struct ao_buf *out, struct ao_json *json)
{
	ao_json_print(out, json, false);
	ao_buf_addstr(out, "\n");
	ao_json_free(json);
}

/* Append the first line of `text` as a part of a summary. */
static void add_text(struct ao_buf *summary, const char *text)
{
	struct ao_buf line = AO_BUF_INIT(AO_MAX_PLAN_BYTES);

	ao_text_safe(&line, text, strcspn(text, "\n"));
	ao_text_cut(summary, line.ptr, SUMMARY_COLUMNS);
	ao_buf_release(&line);
}

static void add_gain(struct ao_buf *summary, const struct ao_pair *pair)
{
	if (pair->decision == AO_DECISION_VOID)
		ao_buf_addstr(summary, " not timed: void");
	if (!isfinite(pair->log_gain) || pair->decision == AO_DECISION_VOID)
		return;
	if (pair->decision == AO_DECISION_TIE)
		ao_buf_addstr(summary, " no faster or slower than its parent");
	else
		ao_buf_addf(summary, " x%.2f over parent", exp(pair->log_gain));
	if (isfinite(pair->log_low) && isfinite(pair->log_high))
		ao_buf_addf(summary, " [%.2f..%.2f]", exp(pair->log_low),
			    exp(pair->log_high));
	/* One that is plainly slower may be undecided, too. */
	if (pair->decision == AO_DECISION_UNDECIDED && !(pair->log_high < 0))
		ao_buf_addstr(summary, ", undecided");
}

/* "PASSED x1.42 over parent [1.38..1.46], 41 % of peak (fma)" */
static void summarise(struct ao_buf *summary, const struct ao_result *result)
{
	const struct ao_pair *pair = ao_result_main_pair(result);
	const struct ao_case_result *c = ao_result_main(result);

	ao_buf_addstr(summary, ao_verdict_name(result->verdict));
	if (result->verdict != AO_VERDICT_PASSED) {
		if (result->detail && *result->detail) {
			ao_buf_addstr(summary, ": ");
			add_text(summary, result->detail);
		}
		return;
	}
	if (pair)
		add_gain(summary, pair);
	if (c && c->percent_of_peak > 0)
		ao_buf_addf(summary, ", %.0f %% of peak", c->percent_of_peak);
	if (c && c->percent_of_peak > 0 && c->bound)
		ao_buf_addf(summary, " (%s)", c->bound);
}

void ao_profile_write(struct ao_buf *out, const struct ao_profile *profile)
{
	struct ao_buf summary = AO_BUF_INIT(4096);
	struct ao_json *json;

	summarise(&summary, &profile->result);
	json = begin(&profile->head, AO_RECORD_PROFILE, summary.ptr);
	ao_fields_write(json, &profile_fields, profile);
	ao_result_to_json(json, &profile->result, false);
	end(out, json);
	ao_buf_release(&summary);
}

void ao_plan_write(struct ao_buf *out, const struct ao_plan *plan)
{
	struct ao_buf summary = AO_BUF_INIT(4096);
	struct ao_json *json;

	if (plan->title)
		add_text(&summary, plan->title);
	json = begin(&plan->head, AO_RECORD_PLAN, summary.ptr);
	ao_fields_write(json, &plan_fields, plan);
	end(out, json);
	ao_buf_release(&summary);
}

void ao_insight_write(struct ao_buf *out, const struct ao_insight *insight)
{
	struct ao_buf summary = AO_BUF_INIT(4096);
	struct ao_json *json;

	if (isfinite(insight->log_gain))
		ao_buf_addf(&summary, "x%.2f: ", exp(insight->log_gain));
	if (insight->title)
		add_text(&summary, insight->title);
	json = begin(&insight->head, AO_RECORD_INSIGHT, summary.ptr);
	ao_fields_write(json, &insight_fields, insight);
	end(out, json);
	ao_buf_release(&summary);
}

/* What a line says of its kind and version, to be looked at in the end. */
struct claim {
	struct ao_record_head head;
	char time[AO_TIME_SIZE];
	char kind[16];
	double version;
};

static void pull_id(char out[AO_RECORD_ID_SIZE], struct ao_json_pull *pull)
{
	ao_json_pull_word(out, AO_RECORD_ID_SIZE, pull);
	if (!ao_fields_is_hex(out, AO_RECORD_ID_DIGITS))
		*out = '\0';
}

/* Take the member at hand if it is one of those that every record has. */
static bool pull_claim(struct claim *claim, struct ao_json_pull *pull)
{
	if (ao_json_pull_is(pull, "time"))
		ao_json_pull_word(claim->time, sizeof(claim->time), pull);
	else if (ao_json_pull_is(pull, "v"))
		claim->version = ao_json_pull_number(pull, 0);
	else if (ao_json_pull_is(pull, "kind"))
		ao_json_pull_word(claim->kind, sizeof(claim->kind), pull);
	else if (ao_json_pull_is(pull, "id"))
		pull_id(claim->head.id, pull);
	else if (ao_json_pull_is(pull, "replaces"))
		pull_id(claim->head.replaces, pull);
	else
		return false;
	return true;
}

/* Whether it is a record of that kind, and its head in *out. */
static bool is_record(struct ao_record_head *out, struct claim *claim,
		      enum ao_record_kind kind)
{
	if (!(claim->version >= 1 && claim->version <= AO_RECORD_VERSION) ||
	    strcmp(claim->kind, kind_names[kind]) != 0 || !*claim->head.id ||
	    !ao_clock_parse(&claim->head.time_unix_ms, claim->time))
		return false;
	*out = claim->head;
	return true;
}

static bool start(struct ao_json_pull *pull, const char *line, size_t len)
{
	return len <= AO_MAX_RECORD_BYTES &&
	       ao_json_pull_start(pull, line, len) &&
	       ao_json_pull_enter(pull, '{');
}

/* A record that is its table and nothing more. */
static bool read_plain(void *record, struct ao_record_head *head,
		       const struct ao_fields *fields, enum ao_record_kind kind,
		       struct ao_json_pull *pull)
{
	struct claim claim = { 0 };
	size_t next = 0;

	ao_fields_init(record, fields);
	while (ao_json_pull_member(pull))
		if (!ao_fields_pull(record, fields, &next, pull) &&
		    !pull_claim(&claim, pull))
			ao_json_pull_skip(pull);
	return is_record(head, &claim, kind);
}

bool ao_profile_read(struct ao_profile *out, const char *line, size_t len)
{
	struct ao_profile profile = { 0 };
	struct claim claim = { 0 };
	struct ao_json_pull pull;
	size_t next = 0;
	size_t next_of_result = 0;

	if (!start(&pull, line, len))
		return false;
	ao_fields_init(&profile, &profile_fields);
	while (ao_json_pull_member(&pull))
		if (!ao_fields_pull(&profile, &profile_fields, &next, &pull) &&
		    !ao_result_pull(&profile.result, &next_of_result, &pull) &&
		    !pull_claim(&claim, &pull))
			ao_json_pull_skip(&pull);
	if (!is_record(&profile.head, &claim, AO_RECORD_PROFILE)) {
		ao_profile_release(&profile);
		return false;
	}
	*out = profile;
	return true;
}

bool ao_plan_read(struct ao_plan *out, const char *line, size_t len)
{
	struct ao_plan plan = { 0 };
	struct ao_json_pull pull;

	if (!start(&pull, line, len))
		return false;
	if (!read_plain(&plan, &plan.head, &plan_fields, AO_RECORD_PLAN,
			&pull)) {
		ao_plan_release(&plan);
		return false;
	}
	*out = plan;
	return true;
}

bool ao_insight_read(struct ao_insight *out, const char *line, size_t len)
{
	struct ao_insight insight = { 0 };
	struct ao_json_pull pull;

	if (!start(&pull, line, len))
		return false;
	if (!read_plain(&insight, &insight.head, &insight_fields,
			AO_RECORD_INSIGHT, &pull)) {
		ao_insight_release(&insight);
		return false;
	}
	*out = insight;
	return true;
}

void ao_profile_release(struct ao_profile *profile)
{
	ao_result_release(&profile->result);
	*profile = (struct ao_profile){ 0 };
}

void ao_plan_release(struct ao_plan *plan)
{
	ao_fields_release(plan, &plan_fields);
	*plan = (struct ao_plan){ 0 };
}

void ao_insight_release(struct ao_insight *insight)
{
	ao_fields_release(insight, &insight_fields);
	*insight = (struct ao_insight){ 0 };
}

void ao_plan_identify(struct ao_plan *plan, const char *kernel)
{
	char hash[AO_HASH_SIZE];
	struct ao_hash *h = ao_hash_new();

	ao_hash_addstr(h, kernel);
	ao_hash_addstr(h, plan->move);
	ao_hash_finish(h, hash);
	memcpy(plan->id, hash, sizeof(plan->id) - 1);
}

void ao_plan_copy(struct ao_plan *out, const struct ao_plan *from)
{
	*out = *from;
	ao_fields_own(out, &plan_fields);
}

void ao_insight_copy(struct ao_insight *out, const struct ao_insight *from)
{
	*out = *from;
	ao_fields_own(out, &insight_fields);
}
