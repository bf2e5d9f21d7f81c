/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "store/briefcodec.h"

static void put_record_id(struct ao_buf *out, const char *id)
{
	ao_buf_add(out, id, AO_RECORD_ID_SIZE);
}

static void take_record_id(char *out, struct ao_bytes *bytes)
{
	struct ao_bytes part = ao_bytes_part(bytes, AO_RECORD_ID_SIZE);

	*out = '\0';
	if (part.is_broken)
		return;
	memcpy(out, part.at, AO_RECORD_ID_SIZE);
	out[AO_RECORD_ID_SIZE - 1] = '\0';
}

static void put_head(struct ao_buf *out, const struct ao_record_head *head)
{
	ao_bytes_put_i64(out, head->time_unix_ms);
	put_record_id(out, head->id);
	put_record_id(out, head->replaces);
}

static void take_head(struct ao_record_head *out, struct ao_bytes *bytes)
{
	out->time_unix_ms = ao_bytes_i64(bytes);
	take_record_id(out->id, bytes);
	take_record_id(out->replaces, bytes);
}

static void put_case(struct ao_buf *out, const struct ao_case_result *c)
{
	ao_bytes_put_text(out, c->case_name);
	ao_bytes_put_double(out, c->error);
	ao_bytes_put_double(out, c->limit);
	ao_bytes_put_double(out, c->min_ns);
	ao_bytes_put_double(out, c->median_ns);
	ao_bytes_put_double(out, c->floor_ns);
	ao_bytes_put_double(out, c->percent_of_peak);
	ao_bytes_put_text(out, c->bound);
}

static void take_case(struct ao_case_result *out, struct ao_bytes *bytes)
{
	out->case_name = ao_bytes_text(bytes);
	out->error = ao_bytes_double(bytes);
	out->limit = ao_bytes_double(bytes);
	out->min_ns = ao_bytes_double(bytes);
	out->median_ns = ao_bytes_double(bytes);
	out->floor_ns = ao_bytes_double(bytes);
	out->percent_of_peak = ao_bytes_double(bytes);
	out->bound = ao_bytes_text(bytes);
}

static void put_pair(struct ao_buf *out, const struct ao_pair *pair)
{
	ao_bytes_put_hex(out, pair->against);
	ao_bytes_put_text(out, pair->case_name);
	ao_bytes_put_u32(out, pair->decision);
	ao_bytes_put_double(out, pair->log_gain);
	ao_bytes_put_double(out, pair->log_low);
	ao_bytes_put_double(out, pair->log_high);
	ao_bytes_put_double(out, pair->evidence);
	ao_bytes_put_double(out, pair->gap_fraction);
}

static void take_pair(struct ao_pair *out, struct ao_bytes *bytes)
{
	uint32_t decision;

	ao_bytes_hex(out->against, bytes);
	out->case_name = ao_bytes_text(bytes);
	decision = ao_bytes_u32(bytes);
	if (decision < AO_DECISION_COUNT)
		out->decision = (enum ao_decision)decision;
	else
		bytes->is_broken = true;
	out->log_gain = ao_bytes_double(bytes);
	out->log_low = ao_bytes_double(bytes);
	out->log_high = ao_bytes_double(bytes);
	out->evidence = ao_bytes_double(bytes);
	out->gap_fraction = ao_bytes_double(bytes);
}

static void put_result(struct ao_buf *out, const struct ao_result *result)
{
	ao_bytes_put_u32(out, result->verdict);
	ao_bytes_put_text(out, result->detail);
	ao_bytes_put_hex(out, result->evaluator);
	ao_bytes_put_u32(out, result->is_reused);
	ao_bytes_put_hex(out, result->machine.fingerprint);
	ao_bytes_put_u32(out, (uint32_t)result->case_count);
	for (size_t i = 0; i < result->case_count; i++)
		put_case(out, &result->cases[i]);
	ao_bytes_put_u32(out, (uint32_t)result->pair_count);
	for (size_t i = 0; i < result->pair_count; i++)
		put_pair(out, &result->pairs[i]);
}

static void take_result(struct ao_result *out, struct ao_bytes *bytes)
{
	uint32_t verdict = ao_bytes_u32(bytes);

	if (verdict < AO_VERDICT_COUNT)
		out->verdict = (enum ao_verdict)verdict;
	else
		bytes->is_broken = true;
	out->detail = ao_bytes_text(bytes);
	ao_bytes_hex(out->evaluator, bytes);
	out->is_reused = ao_bytes_u32(bytes) != 0;
	ao_bytes_hex(out->machine.fingerprint, bytes);
	out->case_count = ao_bytes_count(bytes, 7 * sizeof(double));
	if (out->case_count)
		out->cases = ao_xcalloc(out->case_count, sizeof(*out->cases));
	for (size_t i = 0; i < out->case_count; i++)
		take_case(&out->cases[i], bytes);
	out->pair_count = ao_bytes_count(bytes, 8 * sizeof(double));
	if (out->pair_count)
		out->pairs = ao_xcalloc(out->pair_count, sizeof(*out->pairs));
	for (size_t i = 0; i < out->pair_count; i++)
		take_pair(&out->pairs[i], bytes);
}

void ao_brief_put_profile(struct ao_buf *out, const struct ao_profile *profile)
{
	ao_bytes_put_u32(out, profile != NULL);
	if (!profile)
		return;
	put_head(out, &profile->head);
	ao_bytes_put_hex(out, profile->kernel);
	ao_bytes_put_hex(out, profile->task);
	ao_bytes_put_double(out, profile->score);
	ao_bytes_put_double(out, profile->score_variance);
	put_result(out, &profile->result);
}

struct ao_profile *ao_brief_profile(struct ao_bytes *bytes)
{
	struct ao_profile *profile;

	if (!ao_bytes_u32(bytes))
		return NULL;
	profile = ao_xcalloc(1, sizeof(*profile));
	take_head(&profile->head, bytes);
	ao_bytes_hex(profile->kernel, bytes);
	ao_bytes_hex(profile->task, bytes);
	profile->score = ao_bytes_double(bytes);
	profile->score_variance = ao_bytes_double(bytes);
	take_result(&profile->result, bytes);
	return profile;
}

static void put_plan(struct ao_buf *out, const struct ao_plan *plan)
{
	ao_bytes_put_u32(out, plan != NULL);
	if (!plan)
		return;
	put_head(out, &plan->head);
	put_record_id(out, plan->id);
	ao_bytes_put_text(out, plan->title);
	ao_bytes_put_text(out, plan->agent);
	ao_bytes_put_text(out, plan->move);
	ao_bytes_put_text(out, plan->features);
}

static struct ao_plan *take_plan(struct ao_bytes *bytes)
{
	struct ao_plan *plan;

	if (!ao_bytes_u32(bytes))
		return NULL;
	plan = ao_xcalloc(1, sizeof(*plan));
	take_head(&plan->head, bytes);
	take_record_id(plan->id, bytes);
	plan->title = ao_bytes_text(bytes);
	plan->agent = ao_bytes_text(bytes);
	plan->move = ao_bytes_text(bytes);
	plan->features = ao_bytes_text(bytes);
	return plan;
}

void ao_brief_put_candidate(struct ao_buf *out,
			    const struct ao_candidate *candidate)
{
	const struct ao_message *message = &candidate->message;

	ao_bytes_put_hex(out, candidate->commit);
	ao_bytes_put_hex(out, candidate->parent);
	ao_bytes_put_hex(out, candidate->kernel);
	ao_bytes_put_i64(out, candidate->time_unix_ms);
	ao_bytes_put_u32(out, message->attempt.iteration);
	ao_bytes_put_u32(out, message->attempt.number);
	ao_bytes_put_text(out, message->title);
	ao_bytes_put_text(out, message->task);
	ao_bytes_put_text(out, message->run);
	ao_bytes_put_text(out, message->agent);
	ao_bytes_put_text(out, message->plan_id);
	ao_brief_put_profile(out, candidate->profile);
	put_plan(out, candidate->plan);
}

void ao_brief_candidate(struct ao_candidate *out, struct ao_bytes *bytes)
{
	struct ao_message *message = &out->message;

	*out = (struct ao_candidate){ 0 };
	ao_bytes_hex(out->commit, bytes);
	ao_bytes_hex(out->parent, bytes);
	ao_bytes_hex(out->kernel, bytes);
	out->time_unix_ms = ao_bytes_i64(bytes);
	message->attempt.iteration = ao_bytes_u32(bytes);
	message->attempt.number = ao_bytes_u32(bytes);
	message->title = ao_bytes_text(bytes);
	message->task = ao_bytes_text(bytes);
	message->run = ao_bytes_text(bytes);
	message->agent = ao_bytes_text(bytes);
	message->plan_id = ao_bytes_text(bytes);
	/* A message that was read has all of them. */
	if (!message->title || !message->task || !message->run ||
	    !message->agent || !message->plan_id)
		bytes->is_broken = true;
	out->profile = ao_brief_profile(bytes);
	out->plan = take_plan(bytes);
}
