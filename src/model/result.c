/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <math.h>

#include "model/fields.h"
#include "model/result.h"
#include "util/limits.h"

/* The most of each that is taken from JSON, which may come from anyone. */
enum { MAX_PAIRS = 4 * AO_MAX_CASES, MAX_UNITS = 1024 };

static const char *const decision_names[AO_DECISION_COUNT] = {
	[AO_DECISION_NONE] = "none",	       [AO_DECISION_FASTER] = "faster",
	[AO_DECISION_SLOWER] = "slower",       [AO_DECISION_TIE] = "tie",
	[AO_DECISION_UNDECIDED] = "undecided", [AO_DECISION_VOID] = "void",
};

static const struct ao_field result_table[] = {
	AO_FIELD(struct ao_result, detail),
	AO_FIELD(struct ao_result, flags),
	AO_FIELD(struct ao_result, hidden),
	AO_FIELD(struct ao_result, evaluator),
	AO_FIELD(struct ao_result, seed),
	AO_FIELD_AS("reused", struct ao_result, is_reused),
	AO_FIELD(struct ao_result, log),
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
static const struct ao_field remark_table[] = {
	AO_FIELD(struct ao_remark, file),
	AO_FIELD(struct ao_remark, line),
	AO_FIELD(struct ao_remark, text),
};
static const struct ao_field cpu_table[] = {
	AO_FIELD_AS("compile", struct ao_result, cpu_ns.compile),
	AO_FIELD_AS("reference", struct ao_result, cpu_ns.reference),
	AO_FIELD_AS("inputs", struct ao_result, cpu_ns.inputs),
	AO_FIELD_AS("compare", struct ao_result, cpu_ns.compare),
	AO_FIELD_AS("worker", struct ao_result, cpu_ns.worker),
	AO_FIELD_AS("isolation", struct ao_result, cpu_ns.isolation),
	AO_FIELD_AS("own", struct ao_result, cpu_ns.own),
};
static const struct ao_fields result_fields = AO_FIELDS(struct ao_result,
							result_table);
static const struct ao_fields case_fields = AO_FIELDS(struct ao_case_result,
						      case_table);
static const struct ao_fields pair_fields = AO_FIELDS(struct ao_pair,
						      pair_table);
static const struct ao_fields remark_fields = AO_FIELDS(struct ao_remark,
							remark_table);
static const struct ao_fields cpu_fields = AO_FIELDS(struct ao_result,
						     cpu_table);

const char *ao_decision_name(enum ao_decision decision)
{
	return decision_names[decision];
}

/* AO_DECISION_NONE if there is no such name. */
static enum ao_decision decision_from_name(const char *name)
{
	for (size_t i = 0; i < AO_ARRAY_SIZE(decision_names); i++)
		if (!strcmp(decision_names[i], name))
			return (enum ao_decision)i;
	return AO_DECISION_NONE;
}

static void free_units(const struct ao_pair *pairs, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(pairs[i].unit_log_gain);
}

void ao_pair_release(struct ao_pair *pair)
{
	free_units(pair, 1);
	ao_fields_release(pair, &pair_fields);
	*pair = (struct ao_pair){ 0 };
}

bool ao_pair_tells_apart(const struct ao_pair *control)
{
	return control->decision == AO_DECISION_FASTER ||
	       control->decision == AO_DECISION_SLOWER;
}

void ao_result_release(struct ao_result *result)
{
	ao_pair_release(&result->control);
	free_units(result->pairs, result->pair_count);
	ao_fields_free_all(result->pairs, &pair_fields, result->pair_count);
	ao_fields_free_all(result->cases, &case_fields, result->case_count);
	ao_fields_free_all(result->remarks, &remark_fields,
			   result->remark_count);
	ao_hotloop_release(&result->hotloop);
	ao_counts_release(&result->counts);
	ao_machine_release(&result->machine);
	ao_fields_release(result, &result_fields);
	*result = (struct ao_result){ 0 };
}

static double *copy_units(const double *units, size_t count)
{
	double *copy;

	if (!count)
		return NULL;
	copy = ao_xmalloc(count * sizeof(*copy));
	memcpy(copy, units, count * sizeof(*copy));
	return copy;
}

void ao_pair_copy(struct ao_pair *out, const struct ao_pair *from)
{
	*out = *from;
	ao_fields_own(out, &pair_fields);
	out->unit_log_gain = copy_units(from->unit_log_gain, from->units);
}

void ao_result_copy(struct ao_result *out, const struct ao_result *from)
{
	*out = *from;
	ao_fields_own(out, &result_fields);
	out->cases = ao_fields_copy_all(&case_fields, from->cases,
					from->case_count);
	out->remarks = ao_fields_copy_all(&remark_fields, from->remarks,
					  from->remark_count);
	ao_fields_own(&out->hotloop, &ao_hotloop_fields);
	ao_fields_own(&out->counts, &ao_counts_fields);
	out->pairs = ao_fields_copy_all(&pair_fields, from->pairs,
					from->pair_count);
	for (size_t i = 0; i < from->pair_count; i++)
		out->pairs[i].unit_log_gain = copy_units(
			from->pairs[i].unit_log_gain, from->pairs[i].units);
	ao_pair_copy(&out->control, &from->control);
	ao_machine_copy(&out->machine, &from->machine);
}

const struct ao_pair *ao_result_main_pair(const struct ao_result *result)
{
	return result->pair_count ? result->pairs : NULL;
}

struct ao_pair *ao_result_add_pair(struct ao_result *result,
				   const char *against)
{
	struct ao_pair *pair;

	result->pairs = ao_xrealloc(result->pairs,
				    (result->pair_count + 1) *
					    sizeof(*result->pairs));
	pair = &result->pairs[result->pair_count++];
	*pair = (struct ao_pair){ 0 };
	memcpy(pair->against, against, sizeof(pair->against));
	return pair;
}

void ao_result_append_pairs(struct ao_result *to, const struct ao_result *from)
{
	struct ao_result copy = { 0 };
	size_t count = to->pair_count + from->pair_count;

	if (!from->pair_count)
		return;
	ao_result_copy(&copy, from);
	to->pairs = ao_xrealloc(to->pairs, count * sizeof(*to->pairs));
	memcpy(to->pairs + to->pair_count, copy.pairs,
	       copy.pair_count * sizeof(*to->pairs));
	to->pair_count = count;
	copy.pair_count = 0;
	free(copy.pairs);
	copy.pairs = NULL;
	ao_result_release(&copy);
}

void ao_result_keep_first_pair(struct ao_result *result)
{
	size_t count = result->pair_count;

	if (count < 2)
		return;
	free_units(result->pairs + 1, count - 1);
	for (size_t i = 1; i < count; i++)
		ao_fields_release(&result->pairs[i], &pair_fields);
	result->pair_count = 1;
}

bool ao_result_is_main_pair(const struct ao_result *result,
			    const struct ao_pair *pair)
{
	const char *main_case = result->pairs[0].case_name;

	return main_case && pair->case_name &&
	       !strcmp(main_case, pair->case_name);
}

const struct ao_case_result *ao_result_main(const struct ao_result *result)
{
	return result->case_count ? result->cases : NULL;
}

bool ao_result_knows_error(const struct ao_result *result,
			   const struct ao_case_result *c)
{
	/* Of integers no error is allowed, and one that passed has none. */
	return isfinite(c->error) &&
	       (c->limit > 0 || result->verdict == AO_VERDICT_PASSED);
}

/* A case that was never come to has no time of 0 and no error of 0. */
static struct ao_json *case_to_json(const struct ao_result *result,
				    const struct ao_case_result *c)
{
	struct ao_json *json = ao_json_new_object();
	struct ao_case_result known = *c; /* its texts are borrowed */
	double *const positive[] = { &known.min_ns, &known.median_ns,
				     &known.floor_ns, &known.percent_of_peak };

	for (size_t i = 0; i < AO_ARRAY_SIZE(positive); i++)
		if (!(*positive[i] > 0))
			*positive[i] = (double)NAN;
	if (!ao_result_knows_error(result, c))
		known.error = (double)NAN;
	if (!(c->limit > 0) && !ao_result_knows_error(result, c))
		known.limit = (double)NAN;
	ao_fields_write(json, &case_fields, &known);
	return json;
}

static void write_cases(struct ao_json *to, const struct ao_result *result)
{
	struct ao_json *list;

	if (!result->case_count)
		return;
	list = ao_json_new_array();
	for (size_t i = 0; i < result->case_count; i++)
		ao_json_set(list, NULL,
			    case_to_json(result, &result->cases[i]));
	ao_json_set(to, "cases", list);
}

static void write_hotloop(struct ao_json *to, const struct ao_hotloop *loop)
{
	struct ao_hotloop known = *loop; /* its texts are borrowed */
	struct ao_json *json;

	if (!ao_hotloop_is_known(loop))
		return;
	if (!(loop->cycles > 0))
		known.cycles = known.throughput_cycles = (double)NAN;
	json = ao_json_new_object();
	ao_fields_write(json, &ao_hotloop_fields, &known);
	ao_json_set(to, "hotloop", json);
}

static void write_counts(struct ao_json *to, const struct ao_counts *counts)
{
	struct ao_json *json;

	if (!ao_counts_are_known(counts))
		return;
	json = ao_json_new_object();
	ao_fields_write(json, &ao_counts_fields, counts);
	ao_json_set(to, "cachegrind", json);
}

static struct ao_json *pair_to_json(const struct ao_pair *pair)
{
	struct ao_json *json = ao_json_new_object();
	struct ao_json *units = ao_json_new_array();

	ao_fields_write(json, &pair_fields, pair);
	ao_json_set_string(json, "decision", ao_decision_name(pair->decision));
	/* To a millionth: the noise of a unit is a thousand times as much. */
	for (size_t i = 0; i < pair->units; i++)
		ao_json_set_number(units, NULL,
				   rint(pair->unit_log_gain[i] * 1e6) / 1e6);
	ao_json_set(json, "units", units);
	return json;
}

static void write_pairs(struct ao_json *to, const struct ao_result *result)
{
	struct ao_json *list;

	if (!result->pair_count)
		return;
	list = ao_json_new_array();
	for (size_t i = 0; i < result->pair_count; i++)
		ao_json_set(list, NULL, pair_to_json(&result->pairs[i]));
	ao_json_set(to, "pairs", list);
}

void ao_result_to_json(struct ao_json *to, const struct ao_result *result,
		       bool with_cpu)
{
	ao_json_set_string(to, "verdict", ao_verdict_name(result->verdict));
	ao_fields_write(to, &result_fields, result);
	write_cases(to, result);
	write_pairs(to, result);
	if (result->control.case_name)
		ao_json_set(to, "control", pair_to_json(&result->control));
	ao_fields_write_all(to, "remarks", &remark_fields, result->remarks,
			    result->remark_count);
	write_hotloop(to, &result->hotloop);
	write_counts(to, &result->counts);
	ao_json_set(to, "machine", ao_machine_to_json(&result->machine, false));
	if (with_cpu) {
		struct ao_json *cpu = ao_json_new_object();

		ao_fields_write(cpu, &cpu_fields, result);
		ao_json_set(to, "cpu_ns", cpu);
	}
}

static void pull_units(struct ao_pair *pair, struct ao_json_pull *pull)
{
	size_t alloc = pair->units;

	if (!ao_json_pull_enter(pull, '['))
		return;
	while (ao_json_pull_element(pull)) {
		double gain = ao_json_pull_number(pull, (double)NAN);

		if (pair->units == MAX_UNITS)
			continue;
		pair->unit_log_gain = ao_grow(pair->unit_log_gain, &alloc,
					      pair->units + 1, sizeof(double));
		pair->unit_log_gain[pair->units++] = gain;
	}
}

static void pull_pair(void *item, struct ao_json_pull *pull)
{
	struct ao_pair *pair = item;
	size_t next = 0;
	char word[16];

	if (!ao_json_pull_enter(pull, '{'))
		return;
	while (ao_json_pull_member(pull)) {
		if (ao_fields_pull(pair, &pair_fields, &next, pull))
			continue;
		if (ao_json_pull_is(pull, "units")) {
			pull_units(pair, pull);
		} else if (ao_json_pull_is(pull, "decision")) {
			ao_json_pull_word(word, sizeof(word), pull);
			pair->decision = decision_from_name(word);
		} else {
			ao_json_pull_skip(pull);
		}
	}
}

static void pull_verdict(struct ao_result *out, struct ao_json_pull *pull)
{
	char word[32];

	ao_json_pull_word(word, sizeof(word), pull);
	out->verdict = ao_verdict_from_name(word);
}

/* Of a list that is there twice the first counts: it is owned already. */
bool ao_result_pull(struct ao_result *out, size_t *next,
		    struct ao_json_pull *pull)
{
	if (ao_fields_pull(out, &result_fields, next, pull))
		return true;
	if (ao_json_pull_is(pull, "verdict"))
		pull_verdict(out, pull);
	else if (ao_json_pull_is(pull, "cases") && !out->cases)
		out->cases = ao_fields_pull_all(&out->case_count, &case_fields,
						AO_MAX_CASES, NULL, pull);
	else if (ao_json_pull_is(pull, "pairs") && !out->pairs)
		out->pairs = ao_fields_pull_all(&out->pair_count, &pair_fields,
						MAX_PAIRS, pull_pair, pull);
	else if (ao_json_pull_is(pull, "control") && !out->control.case_name &&
		 !out->control.units)
		pull_pair(&out->control, pull);
	else if (ao_json_pull_is(pull, "remarks") && !out->remarks)
		out->remarks = ao_fields_pull_all(&out->remark_count,
						  &remark_fields,
						  AO_MAX_REMARKS, NULL, pull);
	else if (ao_json_pull_is(pull, "hotloop"))
		ao_fields_pull_object(&out->hotloop, &ao_hotloop_fields, pull);
	else if (ao_json_pull_is(pull, "cachegrind"))
		ao_fields_pull_object(&out->counts, &ao_counts_fields, pull);
	else if (ao_json_pull_is(pull, "machine"))
		ao_machine_pull(&out->machine, pull);
	else if (ao_json_pull_is(pull, "cpu_ns"))
		ao_fields_pull_object(out, &cpu_fields, pull);
	else
		return false;
	return true;
}

void ao_result_from_json(struct ao_result *out, const struct ao_json *from)
{
	struct ao_buf text = AO_BUF_INIT(AO_MAX_RESULT_BYTES);
	struct ao_result result = { 0 };
	struct ao_json_pull pull;
	size_t next = 0;

	/* Once an evaluation, so it is not worth a second way of reading. */
	ao_json_print(&text, from, false);
	if (ao_json_pull_start(&pull, text.ptr, text.len) &&
	    ao_json_pull_enter(&pull, '{'))
		while (ao_json_pull_member(&pull))
			if (!ao_result_pull(&result, &next, &pull))
				ao_json_pull_skip(&pull);
	ao_buf_release(&text);
	*out = result;
}
