/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "evolve/baseline.h"
#include "evolve/open.h"
#include "evolve/population.h"

AO_MUST_CHECK
static struct ao_error *keep_baseline(struct ao_search *search,
				      struct ao_result *result)
{
	const struct ao_run *run = &search->self->run;
	struct ao_event event = { .kind = AO_EVENT_BASELINE };
	struct ao_profile *profile = ao_xcalloc(1, sizeof(*profile));
	struct ao_error *err;

	ao_record_head_init(&profile->head);
	memcpy(profile->kernel, run->base_kernel, AO_ID_SIZE);
	memcpy(profile->task, run->task_id, AO_ID_SIZE);
	profile->result = *result;
	*result = (struct ao_result){ 0 };
	err = ao_journal_add_profile(search->journal, run->base, profile);
	if (!err)
		err = ao_search_flush(search);
	ao_population_replace_profile(search, run->base, profile);
	if (!err)
		ao_search_emit(search, &event);
	return err;
}

struct ao_error *ao_baseline_judge(struct ao_search *search)
{
	struct ao_bundle bundle = {
		.task = search->task,
		.machine = &search->machine,
		.stage = AO_STAGE_CHECK,
		.with_remarks = true,
		.seed = search->self->run.settings.seed,
	};
	struct ao_result result = { 0 };
	struct ao_error *err;

	err = ao_population_kernel(&bundle.candidate, search,
				   search->self->run.base);
	if (!err)
		err = ao_search_evaluate(&result, search, &bundle);
	if (err)
		return ao_error_wrap(err, "cannot evaluate the baseline");
	if (result.verdict == AO_VERDICT_NONE)
		return NULL;
	if (result.verdict != AO_VERDICT_PASSED) {
		err = ao_error_new(AO_EINVALID,
				   "the baseline kernel of task '%s' does not "
				   "pass: %s%s%s",
				   search->task->name,
				   ao_verdict_name(result.verdict),
				   result.detail ? ": " : "",
				   result.detail ? result.detail : "");
		ao_result_release(&result);
		return err;
	}
	if (!search->journal)
		err = ao_open_journal(search);
	/* Else it would be known at the end of a night. */
	(void)ao_search_may_promote(search, &result);
	if (!err)
		err = keep_baseline(search, &result);
	ao_result_release(&result);
	return err;
}
