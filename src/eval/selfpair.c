/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <math.h>

#include "eval/selfpair.h"
#include "eval/trial_rules.h"

static bool is_good(const struct ao_pair *control)
{
	return control->case_name && !ao_pair_tells_apart(control);
}

static struct ao_error *time_itself(struct ao_pair *control,
				    struct ao_judge *judge, const char *object,
				    const char *id)
{
	const struct ao_pair_options options = {
		.rules = ao_trial_control_rules(),
	};
	struct ao_judgement a = { 0 }, b = { 0 };
	struct ao_error *err;

	ao_pair_release(control);
	err = ao_judge_pair(control, &a, &b, judge, object, object, &options);
	if (err)
		return ao_error_wrap(err,
				     "cannot time a kernel against itself");
	if (a.verdict != AO_VERDICT_PASSED || b.verdict != AO_VERDICT_PASSED)
		ao_pair_release(control);
	else
		memcpy(control->against, id, sizeof(control->against));
	ao_judgement_release(&a);
	ao_judgement_release(&b);
	return NULL;
}

struct ao_error *ao_selfpair_ensure(struct ao_session *session,
				    struct ao_judge *judge, const char *object,
				    const char *id)
{
	struct ao_pair *control = ao_session_control(session);
	struct ao_error *err;

	if (is_good(control))
		return NULL;
	err = time_itself(control, judge, object, id);
	/* Once in a hundred it is luck, as with others: it is confirmed. */
	if (!err && ao_pair_tells_apart(control))
		err = time_itself(control, judge, object, id);
	return err;
}

void ao_selfpair_apply(struct ao_result *result, const struct ao_bundle *bundle,
		       const struct ao_pair *control)
{
	ao_pair_release(&result->control);
	ao_pair_copy(&result->control, control);
	if (!ao_pair_tells_apart(control))
		return;
	for (size_t i = 0; i < bundle->opponent_count; i++) {
		struct ao_pair *pair = ao_result_add_pair(
			result, bundle->opponents[i].id);

		pair->decision = AO_DECISION_VOID;
		pair->case_name = ao_xstrdup(control->case_name);
	}
	free(result->detail);
	result->detail = ao_xstrf("not timed: here a kernel is told apart from "
				  "itself, x%.3f; try again",
				  exp(control->log_gain));
}
