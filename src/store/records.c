/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "model/brief.h"
#include "store/notelines.h"
#include "store/records.h"

/* The most records about one kernel that are looked at. */
enum { MAX_RECORDS = 4096 };

static bool read_profile(struct ao_profile *out, bool is_brief,
			 struct ao_notelines *lines)
{
	bool is_one = is_brief ? ao_profile_read_brief(out, lines->line,
						       lines->len)
			       : ao_profile_read(out, lines->line, lines->len);

	if (!is_one)
		ao_notelines_refuse(lines);
	return is_one;
}

static bool read_plan(struct ao_plan *out, bool is_brief,
		      struct ao_notelines *lines)
{
	bool is_one = is_brief
			      ? ao_plan_read_brief(out, lines->line, lines->len)
			      : ao_plan_read(out, lines->line, lines->len);

	if (!is_one)
		ao_notelines_refuse(lines);
	return is_one;
}

static bool is_newer(const struct ao_record_head *a,
		     const struct ao_record_head *b)
{
	if (a->time_unix_ms != b->time_unix_ms)
		return a->time_unix_ms > b->time_unix_ms;
	return strcmp(a->id, b->id) > 0;
}

/* Profiles that match a query. */
struct profiles {
	struct ao_profile *list; /* [count] */
	size_t count;
	size_t alloc;
};

/*
 * On other commits, that a kernel was judged before or that its judging was
 * interrupted says nothing about this attempt.
 */
static bool is_wanted(const struct ao_profile *profile,
		      const struct ao_records_query *query, bool is_elsewhere)
{
	if (is_elsewhere && (profile->result.verdict == AO_VERDICT_DUPLICATE ||
			     profile->result.verdict == AO_VERDICT_INTERRUPTED))
		return false;
	return (!*query->kernel || !strcmp(profile->kernel, query->kernel)) &&
	       (!*query->task_id || !strcmp(profile->task, query->task_id));
}

static void collect_profiles(struct profiles *out, struct ao_records *records,
			     const struct ao_note *notes, size_t count,
			     const struct ao_records_query *query,
			     bool is_elsewhere)
{
	for (size_t i = 0; i < count; i++) {
		struct ao_notelines lines;
		struct ao_profile profile;

		ao_notelines_open(&lines, records->objects, &notes[i].blob);
		while (ao_notelines_next(&lines)) {
			if (!read_profile(&profile, records->is_brief, &lines))
				continue;
			if (!is_wanted(&profile, query, is_elsewhere) ||
			    out->count == MAX_RECORDS) {
				ao_profile_release(&profile);
				continue;
			}
			out->list = ao_grow(out->list, &out->alloc,
					    out->count + 1, sizeof(profile));
			out->list[out->count++] = profile;
		}
		ao_notelines_close(&lines);
	}
}

static bool is_replaced(const struct profiles *profiles, size_t i)
{
	const char *id = profiles->list[i].head.id;

	for (size_t j = 0; j < profiles->count; j++)
		if (!strcmp(profiles->list[j].head.replaces, id))
			return true;
	return false;
}

static bool is_better(const struct ao_profile *a, const struct ao_profile *b,
		      const char *fingerprint)
{
	bool a_is_own = !strcmp(a->result.machine.fingerprint, fingerprint);
	bool b_is_own = !strcmp(b->result.machine.fingerprint, fingerprint);

	return a_is_own == b_is_own ? is_newer(&a->head, &b->head) : a_is_own;
}

/* Take the one that counts out of `profiles`, and release the others. */
static struct ao_profile *take_best(struct profiles *profiles,
				    const char *fingerprint)
{
	struct ao_profile *best = NULL;
	size_t at = profiles->count;

	for (size_t i = 0; i < profiles->count; i++)
		if (!is_replaced(profiles, i) &&
		    (at == profiles->count ||
		     is_better(&profiles->list[i], &profiles->list[at],
			       fingerprint)))
			at = i;
	if (at < profiles->count) {
		best = ao_xmalloc(sizeof(*best));
		*best = profiles->list[at];
		profiles->list[at] = (struct ao_profile){ 0 };
	}
	for (size_t i = 0; i < profiles->count; i++)
		ao_profile_release(&profiles->list[i]);
	free(profiles->list);
	return best;
}

static void push(struct ao_notelist *list, const git_oid *on,
		 const git_oid *blob)
{
	list->notes = ao_grow(list->notes, &list->alloc, list->count + 1,
			      sizeof(*list->notes));
	list->notes[list->count++] = (struct ao_note){ *on, *blob };
}

/* Find out what every profile record is about: once, and only if needed. */
static void index_kernels(struct ao_records *records)
{
	for (size_t i = 0; i < records->profiles.count; i++) {
		const git_oid *blob = &records->profiles.notes[i].blob;
		struct ao_profile profile;
		struct ao_notelines lines;
		git_oid kernel;

		ao_notelines_open(&lines, records->objects, blob);
		while (ao_notelines_next(&lines)) {
			if (!read_profile(&profile, true, &lines))
				continue;
			if (!git_oid_fromstr(&kernel, profile.kernel))
				push(&records->kernels, &kernel, blob);
			ao_profile_release(&profile);
		}
		ao_notelines_close(&lines);
	}
	ao_notelist_sort(&records->kernels);
	records->has_kernels = true;
}

struct ao_profile *ao_records_profile(bool *is_elsewhere_out,
				      struct ao_records *records,
				      const struct ao_records_query *query)
{
	struct profiles profiles = { 0 };
	const struct ao_note *notes;
	size_t count;
	git_oid kernel;

	*is_elsewhere_out = false;
	notes = ao_notelist_on(&count, &records->profiles, query->commit);
	collect_profiles(&profiles, records, notes, count, query,
			 *is_elsewhere_out);
	if (!profiles.count) {
		*is_elsewhere_out = true;
		if (query->is_here_only || !*query->kernel ||
		    git_oid_fromstr(&kernel, query->kernel))
			return NULL;
		if (!records->has_kernels)
			index_kernels(records);
		notes = ao_notelist_on(&count, &records->kernels, &kernel);
		collect_profiles(&profiles, records, notes, count, query,
				 *is_elsewhere_out);
	}
	return take_best(&profiles, query->fingerprint);
}

/* A plan id as the first half of an object id. */
static bool plan_key(git_oid *out, const char *plan_id)
{
	return ao_fields_is_hex(plan_id, AO_RECORD_ID_DIGITS) &&
	       !git_oid_fromstrp(out, plan_id);
}

static void index_plans(struct ao_records *records)
{
	for (size_t i = 0; i < records->plans.count; i++) {
		const git_oid *blob = &records->plans.notes[i].blob;
		struct ao_plan plan;
		struct ao_notelines lines;
		git_oid key;

		ao_notelines_open(&lines, records->objects, blob);
		while (ao_notelines_next(&lines)) {
			if (!read_plan(&plan, true, &lines))
				continue;
			if (plan_key(&key, plan.id))
				push(&records->plan_ids, &key, blob);
			ao_plan_release(&plan);
		}
		ao_notelines_close(&lines);
	}
	ao_notelist_sort(&records->plan_ids);
	records->has_plan_ids = true;
}

/*
 * The newest plan of that id in some notes, or NULL.  A plan that is replaced
 * keeps its id, and the newer record is the one that replaced it.
 */
static struct ao_plan *newest_plan(struct ao_records *records,
				   const struct ao_note *notes, size_t count,
				   const char *plan_id)
{
	struct ao_plan *best = NULL;

	for (size_t i = 0; i < count; i++) {
		struct ao_notelines lines;
		struct ao_plan plan;

		ao_notelines_open(&lines, records->objects, &notes[i].blob);
		while (ao_notelines_next(&lines)) {
			if (!read_plan(&plan, records->is_brief, &lines))
				continue;
			if (strcmp(plan.id, plan_id) != 0 ||
			    (best && !is_newer(&plan.head, &best->head))) {
				ao_plan_release(&plan);
				continue;
			}
			if (best)
				ao_plan_release(best);
			else
				best = ao_xmalloc(sizeof(*best));
			*best = plan;
		}
		ao_notelines_close(&lines);
	}
	return best;
}

struct ao_plan *ao_records_plan(bool *is_elsewhere_out,
				struct ao_records *records,
				const struct ao_records_query *query)
{
	const struct ao_note *notes;
	struct ao_plan *plan;
	size_t count;
	git_oid key;

	*is_elsewhere_out = false;
	notes = ao_notelist_on(&count, &records->plans, query->commit);
	plan = newest_plan(records, notes, count, query->plan_id);
	if (plan)
		return plan;
	*is_elsewhere_out = true;
	if (!plan_key(&key, query->plan_id))
		return NULL;
	if (!records->has_plan_ids)
		index_plans(records);
	notes = ao_notelist_on(&count, &records->plan_ids, &key);
	return newest_plan(records, notes, count, query->plan_id);
}

void ao_records_release(struct ao_records *records)
{
	ao_notelist_release(&records->profiles);
	ao_notelist_release(&records->plans);
	ao_notelist_release(&records->kernels);
	ao_notelist_release(&records->plan_ids);
	*records = (struct ao_records){ 0 };
}
