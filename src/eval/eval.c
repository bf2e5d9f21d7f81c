/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "eval/cage.h"
#include "eval/compile.h"
#include "eval/eval.h"
#include "eval/session.h"
#include "eval/trial.h"
#include "util/crypto.h"
#include "util/usage.h"

void ao_eval_id(char out[AO_ID_SIZE])
{
	struct ao_hash *hash = ao_hash_new();
	struct ao_strs base = { 0 };
	char *rules = ao_xstrf("judge %d, peak model %d, calls %d %d, units "
			       "%d %d %d %d",
			       AO_TRIAL_RULES, AO_PEAK_MODEL,
			       AO_TRIAL_CHECK_CALLS, AO_TRIAL_ROUGH_CALLS,
			       AO_TRIAL_SCREEN_UNITS, AO_TRIAL_FULL_UNITS,
			       AO_TRIAL_OTHER_UNITS, AO_TRIAL_CONTROL_UNITS);

	ao_compile_add_base(&base);
	ao_hash_addstr(hash, rules);
	for (size_t i = 0; i < base.count; i++)
		ao_hash_addstr(hash, base.v[i]);
	ao_hash_finish(hash, out);
	ao_strs_release(&base);
	free(rules);
}

/* What was spent since `from_ns`, by purpose; the rest is our own. */
static void account(struct ao_result *result, const struct ao_session_cpu *from,
		    const struct ao_session_cpu *to, uint64_t from_ns)
{
	uint64_t total_ns = ao_usage_total_cpu_ns() - from_ns;
	uint64_t known_ns = to->machine_ns - from->machine_ns;

	result->cpu_ns.compile += to->compile_ns - from->compile_ns;
	result->cpu_ns.reference += to->reference_ns - from->reference_ns;
	result->cpu_ns.inputs += to->inputs_ns - from->inputs_ns;
	known_ns += result->cpu_ns.compile + result->cpu_ns.reference +
		    result->cpu_ns.inputs + result->cpu_ns.compare +
		    result->cpu_ns.worker + result->cpu_ns.isolation;
	result->cpu_ns.own = total_ns > known_ns ? total_ns - known_ns : 0;
}

/* Whether the candidate was faster than the machine is believed to be. */
static bool is_beyond_ceilings(const struct ao_result *result)
{
	if (result->verdict == AO_VERDICT_TOO_FAST)
		return true;
	for (size_t i = 0; i < result->case_count; i++) {
		if (result->cases[i].percent_of_peak > 100)
			return true;
	}
	return false;
}

/* Begin a trial by what is known of the machine now. */
static void begin(struct ao_trial *trial, const struct ao_machine *machine)
{
	ao_machine_release(&trial->machine);
	ao_machine_copy(&trial->machine, machine);
}

/*
 * A kernel that seems faster than the machine first indicts the ceiling, which
 * a noisy moment may have left too low: measure again, once.
 */
static struct ao_error *reconsider(struct ao_trial *trial)
{
	const struct ao_machine *machine;
	struct ao_error *err;
	bool is_new = false;

	err = ao_session_measure_again(&machine, &is_new, trial->session);
	if (err || !is_new)
		return err;
	begin(trial, machine);
	if (trial->result.verdict != AO_VERDICT_TOO_FAST) {
		ao_trial_rate(trial);
		return NULL;
	}
	ao_result_release(&trial->result);
	return ao_trial_run(trial);
}

/* The facts that every result states. */
static void sign(struct ao_result *result, const struct ao_trial *trial)
{
	ao_machine_copy(&result->machine, &trial->machine);
	result->machine.ceilings = (struct ao_ceilings){ 0 };
	/* A compiler that did not work in a better one has lowered it. */
	free(result->machine.compiler_sandbox);
	result->machine.compiler_sandbox = ao_xstrdup(ao_cage_level());
	result->seed = trial->bundle->seed;
	ao_eval_id(result->evaluator);
}

struct ao_error *ao_eval_in(struct ao_result *out, struct ao_session *session,
			    const struct ao_bundle *bundle)
{
	struct ao_trial trial = { .session = session, .bundle = bundle };
	struct ao_session_cpu before = *ao_session_cpu(session);
	uint64_t from_ns = ao_usage_total_cpu_ns();
	const struct ao_machine *machine;
	struct ao_error *err;

	ao_session_trim(session);
	err = ao_session_machine(&machine, session, bundle->machine);
	if (err)
		goto out;
	begin(&trial, machine);
	err = ao_trial_run(&trial);
	if (!err && is_beyond_ceilings(&trial.result))
		err = reconsider(&trial);
	if (err)
		goto out;
	sign(&trial.result, &trial);
	account(&trial.result, &before, ao_session_cpu(session), from_ns);
	*out = trial.result;
	trial.result = (struct ao_result){ 0 };
out:
	ao_trial_release(&trial);
	if (err)
		return ao_error_wrap(err,
				     "cannot evaluate a kernel of task "
				     "'%s'",
				     bundle->task->name);
	return NULL;
}

struct ao_error *ao_eval(struct ao_result *out, const struct ao_bundle *bundle)
{
	struct ao_session *session;
	struct ao_error *err = ao_session_new(&session);

	if (err)
		return err;
	err = ao_eval_in(out, session, bundle);
	ao_session_free(session);
	return err;
}
