/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <stdarg.h>

#include "util/crypto.h"

#include "eval/coverage.h"
#include "eval/dataset.h"
#include "eval/lint.h"
#include "eval/mutant.h"

/* A task that is being looked at. */
struct look {
	const struct ao_lint_options *options;
	struct ao_asker *asker;
	bool is_sound; /* so far */
};

/* Takes over `what`. */
AO_PRINTF(4, 5)
static void tell(struct look *look, bool is_good, char *what, const char *fmt,
		 ...)
{
	struct ao_lint_finding finding = { .what = what, .is_good = is_good };
	va_list ap;
	char *detail;

	va_start(ap, fmt);
	detail = ao_xvstrf(fmt, ap);
	va_end(ap);
	finding.detail = detail;
	look->options->on_finding(look->options->data, &finding);
	look->is_sound = look->is_sound && is_good;
	free(detail);
	free(what);
}

/* Whether the error is about the task rather than about us. */
static bool is_about_task(const struct ao_error *err)
{
	return ao_error_code(err) == AO_EINVALID;
}

static const char *root_message(const struct ao_error *err)
{
	while (ao_error_cause(err))
		err = ao_error_cause(err);
	return ao_error_message(err);
}

/* Make a finding of an error about the task; frees it then. */
static struct ao_error *blame(struct look *look, const char *what,
			      struct ao_error *err)
{
	if (!is_about_task(err))
		return err;
	tell(look, false, ao_xstrdup(what), "%s", root_message(err));
	ao_error_free(err);
	return NULL;
}

/* What hard inputs come to, of a dataset with answers. */
static void tell_hard(struct look *look, const struct ao_dataset *data)
{
	char *what = ao_xstrf("hard inputs of case %s have answers",
			      data->c->name);

	if (data->hard_problem)
		tell(look, false, what,
		     "%s; name the kinds that make sense: \"hard\": [...]",
		     data->hard_problem);
	else if (data->hard_count)
		tell(look, true, what, "%zu sets of them", data->hard_count);
	else
		free(what);
}

typedef struct ao_error *make_fn(struct ao_dataset **out,
				 const struct ao_task *task,
				 const struct ao_case *c, uint64_t seed,
				 size_t count);

/* The hash of one set of inputs, of a dataset made this way. */
static struct ao_error *draw(char out[AO_HASH_SIZE], make_fn *make,
			     struct look *look, const struct ao_case *c,
			     uint64_t seed)
{
	const struct ao_task *task = look->options->task;
	struct ao_dataset *data = NULL;
	struct ao_hash *hash;
	struct ao_error *err;

	err = make(&data, task, c, seed, 1);
	if (err)	    /* which owns what it says */
		return err; /* cppcheck-suppress returnDanglingLifetime */
	if (data->reference_calls)
		tell_hard(look, data);
	hash = ao_hash_new();
	for (size_t i = 0; i < task->input_count; i++)
		ao_hash_add(hash, data->inputs[i],
			    ao_tensor_elements(&task->inputs[i], c) *
				    ao_dtype_size(task->inputs[i].dtype));
	ao_hash_finish(hash, out);
	ao_dataset_free(data);
	return NULL;
}

static struct ao_error *look_at_inputs(struct look *look,
				       const struct ao_case *c)
{
	char first[AO_HASH_SIZE], second[AO_HASH_SIZE], other[AO_HASH_SIZE];
	struct ao_error *err;
	char *what;

	/* Once with the reference, so that what is wrong with it is told. */
	err = draw(first, ao_dataset_make, look, c, look->options->seed);
	if (!err)
		err = draw(second, ao_dataset_draw, look, c,
			   look->options->seed);
	if (!err)
		err = draw(other, ao_dataset_draw, look, c,
			   look->options->seed + 1);
	if (err)
		return blame(look, "the reference runs", err);
	what = ao_xstrf("inputs of case %s reproduce", c->name);
	if (strcmp(first, second) != 0)
		tell(look, false, what,
		     "seed %" PRIu64 " gave %.12s, then %.12s",
		     look->options->seed, first, second);
	else if (strcmp(first, other) == 0)
		tell(look, false, what,
		     "seeds %" PRIu64 " and %" PRIu64 " give the same %.12s",
		     look->options->seed, look->options->seed + 1, first);
	else
		tell(look, true, what, "seed %" PRIu64 " gives %.12s, twice",
		     look->options->seed, first);
	return NULL;
}

/* On the smallest case: it costs many calls of the reference. */
static struct ao_error *look_at_coverage(struct look *look,
					 const size_t *chosen, size_t count)
{
	static const char what[] = "all parts of inputs and outputs matter";
	const struct ao_task *task = look->options->task;
	const struct ao_case *least = &task->cases[chosen[0]];
	struct ao_buf text = AO_BUF_INIT(4096);
	struct ao_error *err;

	for (size_t i = 1; i < count; i++) {
		const struct ao_case *c = &task->cases[chosen[i]];

		if (ao_task_bytes(task, c) < ao_task_bytes(task, least))
			least = c;
	}
	err = ao_coverage_look(&text, task, least, look->options->seed);
	if (err)
		err = blame(look, what, err);
	else if (text.len)
		tell(look, false, ao_xstrdup(what), "%s", text.ptr);
	else
		tell(look, true, ao_xstrdup(what), "looked at in case %s",
		     least->name);
	ao_buf_release(&text);
	return err;
}

/* `opponent` may be NULL. */
static struct ao_error *judge(struct ao_result *out, struct look *look,
			      const struct ao_kernel *kernel,
			      const struct ao_kernel *opponent)
{
	const struct ao_bundle bundle = {
		.task = look->options->task,
		.candidate = kernel,
		.opponents = opponent,
		.opponent_count = opponent ? 1 : 0,
		.cases = look->options->cases,
		.stage = AO_STAGE_CHECK,
		.seed = look->options->seed,
	};

	return ao_ask(out, look->asker, &bundle);
}

static void tell_agreement(struct look *look, const struct ao_result *result,
			   char *what)
{
	double worst = 0;

	for (size_t i = 0; i < result->case_count; i++)
		if (result->cases[i].error > worst)
			worst = result->cases[i].error;
	tell(look, true, what, "error at most %.2g on %zu cases", worst,
	     result->case_count);
}

static struct ao_error *look_at_kernel(struct look *look)
{
	static const char what[] = "the kernel agrees with the reference";
	struct ao_result result = { 0 };
	struct ao_error *err;

	err = judge(&result, look, look->options->kernel, NULL);
	if (err)
		return blame(look, what, err);
	if (result.verdict == AO_VERDICT_PASSED)
		tell_agreement(look, &result, ao_xstrdup(what));
	else
		tell(look, false, ao_xstrdup(what), "%s: %s",
		     ao_verdict_name(result.verdict),
		     result.detail ? result.detail : "");
	ao_result_release(&result);
	return NULL;
}

/*
 * Judged as an opponent, as it may be linked with a library: where that is not
 * installed, the task is no worse for it.
 */
static struct ao_error *look_at_practitioner(struct look *look)
{
	const struct ao_kernel *practitioner = look->options->practitioner;
	struct ao_result result = { 0 };
	struct ao_error *err;
	char *what;

	if (!practitioner)
		return NULL;
	what = ao_xstrf("the practitioner's baseline, %s, agrees with the "
			"reference",
			practitioner->files[0].path);
	err = judge(&result, look, look->options->kernel, practitioner);
	ao_result_release(&result);
	if (!err) {
		tell(look, true, ao_xstrdup(what), "as exact as is asked for");
	} else if (ao_error_code(err) == AO_ENOTFOUND) {
		tell(look, true, ao_xstrdup("the practitioner's baseline"),
		     "not looked at: %s", root_message(err));
		ao_error_free(err);
		err = NULL;
	} else {
		err = blame(look, what, err);
	}
	free(what);
	return err;
}

/*
 * Only a wrong answer is the right reason: a mutant that did not build has
 * not been refused for what it computes.
 */
static struct ao_error *look_at_mutant(struct look *look,
				       const struct ao_mutant *mutant)
{
	struct ao_kernel kernel = { 0 };
	struct ao_result result = { 0 };
	struct ao_error *err;
	char *name, *what;

	ao_mutant_make(&kernel, mutant, look->options->task,
		       look->options->kernel);
	err = judge(&result, look, &kernel, NULL);
	ao_kernel_release(&kernel);
	if (err)
		return err;
	name = ao_mutant_name(mutant, look->options->task);
	what = ao_xstrf("%s is refused", name);
	free(name);
	if (result.verdict == AO_VERDICT_PASSED)
		tell(look, false, what,
		     "it passes: the check is too weak or the answer trivial");
	else
		tell(look, result.verdict == AO_VERDICT_INCORRECT_NUMERICAL,
		     what, "%s: %s", ao_verdict_name(result.verdict),
		     result.detail ? result.detail : "");
	ao_result_release(&result);
	return NULL;
}

static struct ao_error *look_at_mutants(struct look *look)
{
	struct ao_mutant *mutants = NULL;
	struct ao_error *err = NULL;
	size_t count = 0;

	ao_mutant_list(&mutants, &count, look->options->task);
	for (size_t i = 0; !err && i < count; i++)
		err = look_at_mutant(look, &mutants[i]);
	free(mutants);
	return err;
}

struct ao_error *ao_lint_task(bool *is_sound_out, struct ao_asker *asker,
			      const struct ao_lint_options *options)
{
	struct look look = { options, asker, true };
	const struct ao_task *task = options->task;
	size_t *chosen = NULL;
	size_t count = 0;
	struct ao_error *err;

	err = ao_task_choose(&chosen, &count, task, options->cases);
	for (size_t i = 0; !err && look.is_sound && i < count; i++)
		err = look_at_inputs(&look, &task->cases[chosen[i]]);
	if (!err && look.is_sound && count)
		err = look_at_coverage(&look, chosen, count);
	free(chosen);
	/* Mutants of a kernel that is wrong itself would prove nothing. */
	if (!err && look.is_sound)
		err = look_at_kernel(&look);
	if (!err && look.is_sound)
		err = look_at_practitioner(&look);
	if (!err && look.is_sound)
		err = look_at_mutants(&look);
	if (err)
		return ao_error_wrap(err, "cannot check task '%s'", task->name);
	*is_sound_out = look.is_sound;
	return NULL;
}
