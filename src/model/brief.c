/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <math.h>

#include "model/brief.h"
#include "util/clock.h"
#include "util/json_pull.h"
#include "util/limits.h"

/*
 * The tables of record.c and result.c, but for what is not wanted.  A test
 * holds that both ways of reading agree.
 */
static const struct ao_field profile_table[] = {
	AO_FIELD(struct ao_profile, kernel),
	AO_FIELD(struct ao_profile, task),
	AO_FIELD_OR_NAN(struct ao_profile, score),
	AO_FIELD_OR_NAN(struct ao_profile, score_variance),
	AO_FIELD_AS("detail", struct ao_profile, result.detail),
	AO_FIELD_AS("evaluator", struct ao_profile, result.evaluator),
	AO_FIELD_AS("reused", struct ao_profile, result.is_reused),
};
static const struct ao_field case_table[] = {
	AO_FIELD_AS("case", struct ao_case_result, case_name),
	AO_FIELD_OR_NAN(struct ao_case_result, error),
	AO_FIELD(struct ao_case_result, limit),
	AO_FIELD(struct ao_case_result, min_ns),
	AO_FIELD(struct ao_case_result, median_ns),
	AO_FIELD(struct ao_case_result, floor_ns),
	AO_FIELD(struct ao_case_result, percent_of_peak),
	AO_FIELD(struct ao_case_result, bound),
};
static const struct ao_field pair_table[] = {
	AO_FIELD(struct ao_pair, against),
	AO_FIELD_AS("case", struct ao_pair, case_name),
	AO_FIELD_OR_NAN(struct ao_pair, log_gain),
	AO_FIELD_OR_NAN(struct ao_pair, log_low),
	AO_FIELD_OR_NAN(struct ao_pair, log_high),
	AO_FIELD(struct ao_pair, evidence),
	AO_FIELD(struct ao_pair, gap_fraction),
};
static const struct ao_field machine_table[] = {
	AO_FIELD(struct ao_machine, fingerprint),
};
static const struct ao_field plan_table[] = {
	AO_FIELD_AS("plan", struct ao_plan, id),
	AO_FIELD(struct ao_plan, title),
	AO_FIELD(struct ao_plan, agent),
	AO_FIELD(struct ao_plan, move),
	AO_FIELD(struct ao_plan, features),
};
static const struct ao_fields profile_fields = AO_FIELDS(struct ao_profile,
							 profile_table);
static const struct ao_fields case_fields = AO_FIELDS(struct ao_case_result,
						      case_table);
static const struct ao_fields pair_fields = AO_FIELDS(struct ao_pair,
						      pair_table);
static const struct ao_fields machine_fields = AO_FIELDS(struct ao_machine,
							 machine_table);
static const struct ao_fields plan_fields = AO_FIELDS(struct ao_plan,
						      plan_table);

/* Caps as in result.c. */
enum { MAX_CASES = AO_MAX_CASES, MAX_PAIRS = 4 * AO_MAX_CASES };

static void start(void *out, const struct ao_fields *fields)
{
	memset(out, 0, fields->size);
	for (size_t i = 0; i < fields->count; i++)
		if (fields->fields[i].or_nan)
			*(double *)((char *)out +
				    fields->fields[i].offset) = (double)NAN;
}

static void pull_hex(char *out, size_t size, struct ao_json_pull *pull)
{
	ao_json_pull_word(out, size, pull);
	if (!ao_fields_is_hex(out, size - 1))
		*out = '\0';
}

static void pull_value(void *value, enum ao_field_kind kind,
		       struct ao_json_pull *pull)
{
	switch (kind) {
	case AO_FIELD_TEXT:
		free(*(char **)value);
		*(char **)value = ao_json_pull_string(pull);
		break;
	case AO_FIELD_ID:
		pull_hex(value, AO_ID_SIZE, pull);
		break;
	case AO_FIELD_RECORD_ID:
		pull_hex(value, AO_RECORD_ID_SIZE, pull);
		break;
	case AO_FIELD_NUMBER:
		*(double *)value = ao_json_pull_number(pull, *(double *)value);
		break;
	case AO_FIELD_BOOL:
		*(bool *)value = ao_json_pull_true(pull);
		break;
	case AO_FIELD_COUNT:
	case AO_FIELD_U64:
	case AO_FIELD_TIME:
	case AO_FIELD_STRS:
		abort(); /* not in our tables */
	}
}

/* Take the member at hand if it is in the table; false if it is not. */
static bool pull_member(void *out, const struct ao_fields *fields,
			struct ao_json_pull *pull)
{
	for (size_t i = 0; i < fields->count; i++) {
		const struct ao_field *field = &fields->fields[i];

		if (!ao_json_pull_is(pull, field->key))
			continue;
		pull_value((char *)out + field->offset, field->kind, pull);
		return true;
	}
	return false;
}

/* The one member of a pair that is not in its table. */
static bool pull_decision(struct ao_pair *pair, struct ao_json_pull *pull)
{
	char name[16];

	if (!ao_json_pull_is(pull, "decision"))
		return false;
	ao_json_pull_word(name, sizeof(name), pull);
	for (int i = AO_DECISION_NONE; i <= AO_DECISION_UNDECIDED; i++)
		if (!strcmp(ao_decision_name((enum ao_decision)i), name))
			pair->decision = (enum ao_decision)i;
	return true;
}

static void pull_item(void *item, const struct ao_fields *fields,
		      struct ao_json_pull *pull)
{
	start(item, fields);
	if (!ao_json_pull_enter(pull, '{'))
		return;
	while (ao_json_pull_member(pull))
		if (!pull_member(item, fields, pull) &&
		    (fields != &pair_fields || !pull_decision(item, pull)))
			ao_json_pull_skip(pull);
}

/* An array of objects; what is no array gives none. */
static void *pull_list(size_t *count_out, const struct ao_fields *fields,
		       size_t max, struct ao_json_pull *pull)
{
	char *items = NULL;
	size_t alloc = 0;
	size_t count = 0;

	*count_out = 0;
	if (!ao_json_pull_enter(pull, '['))
		return NULL;
	while (ao_json_pull_element(pull)) {
		if (count == max) {
			ao_json_pull_skip(pull);
			continue;
		}
		items = ao_grow(items, &alloc, count + 1, fields->size);
		pull_item(items + count++ * fields->size, fields, pull);
	}
	*count_out = count;
	return items;
}

static void pull_machine(struct ao_machine *machine, struct ao_json_pull *pull)
{
	if (!ao_json_pull_enter(pull, '{'))
		return;
	while (ao_json_pull_member(pull))
		if (!pull_member(machine, &machine_fields, pull))
			ao_json_pull_skip(pull);
}

/* What record.c looks at before it takes a line for a record. */
struct head {
	double version;
	char kind[16];
	char time[AO_TIME_SIZE];
	char id[AO_RECORD_ID_SIZE];
	char replaces[AO_RECORD_ID_SIZE];
};

static bool pull_head(struct head *head, struct ao_json_pull *pull)
{
	if (ao_json_pull_is(pull, "time"))
		ao_json_pull_word(head->time, sizeof(head->time), pull);
	else if (ao_json_pull_is(pull, "v"))
		head->version = ao_json_pull_number(pull, 0);
	else if (ao_json_pull_is(pull, "kind"))
		ao_json_pull_word(head->kind, sizeof(head->kind), pull);
	else if (ao_json_pull_is(pull, "id"))
		pull_hex(head->id, sizeof(head->id), pull);
	else if (ao_json_pull_is(pull, "replaces"))
		pull_hex(head->replaces, sizeof(head->replaces), pull);
	else
		return false;
	return true;
}

static bool take_head(struct ao_record_head *out, const struct head *head,
		      enum ao_record_kind kind)
{
	if (!(head->version >= 1 && head->version <= AO_RECORD_VERSION) ||
	    strcmp(head->kind, ao_record_kind_name(kind)) != 0 || !*head->id ||
	    !ao_clock_parse(&out->time_unix_ms, head->time))
		return false;
	memcpy(out->id, head->id, sizeof(out->id));
	memcpy(out->replaces, head->replaces, sizeof(out->replaces));
	return true;
}

static bool start_record(struct ao_json_pull *pull, const char *line,
			 size_t len)
{
	return len && len <= AO_MAX_RECORD_BYTES && *line == '{' &&
	       ao_json_pull_start(pull, line, len) &&
	       ao_json_pull_enter(pull, '{');
}

static void pull_profile_member(struct ao_profile *profile,
				struct ao_json_pull *pull)
{
	struct ao_result *result = &profile->result;
	char verdict[32];

	if (ao_json_pull_is(pull, "verdict")) {
		ao_json_pull_word(verdict, sizeof(verdict), pull);
		result->verdict = ao_verdict_from_name(verdict);
	} else if (ao_json_pull_is(pull, "pairs") && !result->pairs) {
		result->pairs = pull_list(&result->pair_count, &pair_fields,
					  MAX_PAIRS, pull);
	} else if (ao_json_pull_is(pull, "cases") && !result->cases) {
		result->cases = pull_list(&result->case_count, &case_fields,
					  MAX_CASES, pull);
	} else if (ao_json_pull_is(pull, "machine")) {
		pull_machine(&result->machine, pull);
	} else if (!pull_member(profile, &profile_fields, pull)) {
		ao_json_pull_skip(pull);
	}
}

bool ao_profile_read_brief(struct ao_profile *out, const char *line, size_t len)
{
	struct ao_json_pull pull;
	struct ao_profile profile;
	struct head head = { 0 };

	if (!start_record(&pull, line, len))
		return false;
	start(&profile, &profile_fields);
	while (ao_json_pull_member(&pull))
		if (!pull_head(&head, &pull))
			pull_profile_member(&profile, &pull);
	if (!take_head(&profile.head, &head, AO_RECORD_PROFILE)) {
		ao_profile_release(&profile);
		return false;
	}
	*out = profile;
	return true;
}

bool ao_plan_read_brief(struct ao_plan *out, const char *line, size_t len)
{
	struct ao_json_pull pull;
	struct head head = { 0 };
	struct ao_plan plan;

	if (!start_record(&pull, line, len))
		return false;
	start(&plan, &plan_fields);
	while (ao_json_pull_member(&pull))
		if (!pull_head(&head, &pull) &&
		    !pull_member(&plan, &plan_fields, &pull))
			ao_json_pull_skip(&pull);
	if (!take_head(&plan.head, &head, AO_RECORD_PLAN)) {
		ao_plan_release(&plan);
		return false;
	}
	*out = plan;
	return true;
}
