/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <stdarg.h>

#include "util/crypto.h"

#include "eval/dataset.h"
#include "eval/lint.h"
#include "eval/mutant.h"

/* A task that is being looked at. */
struct look {
	struct ao_lint *lint;
	struct ao_asker *asker;
	const struct ao_task *task;
	const struct ao_kernel *kernel;
	uint64_t seed;
};

void ao_lint_release(struct ao_lint *lint)
{
	for (size_t i = 0; i < lint->count; i++) {
		free(lint->findings[i].what);
		free(lint->findings[i].detail);
	}
	free(lint->findings);
	*lint = (struct ao_lint){ 0 };
}

/* Takes over `what`. */
AO_PRINTF(4, 5)
static void add(struct ao_lint *lint, bool is_good, char *what, const char *fmt,
		...)
{
	struct ao_lint_finding *finding;
	char *detail = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&detail, fmt, ap) < 0)
		detail = NULL;
	va_end(ap);
	lint->findings = ao_grow(lint->findings, &lint->alloc, lint->count + 1,
				 sizeof(*lint->findings));
	finding = &lint->findings[lint->count++];
	finding->what = what;
	finding->detail = detail;
	finding->is_good = is_good;
	lint->is_sound = lint->is_sound && is_good;
}

/* Whether the error is about the task rather than about us. */
static bool is_about_task(const struct ao_error *err)
{
	return ao_error_code(err) == AO_EINVALID;
}

/* Make a finding of an error about the task; frees it then. */
static struct ao_error *blame(struct ao_lint *lint, const char *what,
			      struct ao_error *err)
{
	const struct ao_error *root = err;

	if (!is_about_task(err))
		return err;
	while (ao_error_cause(root))
		root = ao_error_cause(root);
	add(lint, false, ao_xstrdup(what), "%s", ao_error_message(root));
	ao_error_free(err);
	return NULL;
}

/* The hash of one set of inputs. */
static struct ao_error *draw(char out[AO_HASH_SIZE], const struct look *look,
			     const struct ao_case *c, uint64_t seed)
{
	const struct ao_task *task = look->task;
	struct ao_dataset *data = NULL;
	struct ao_hash *hash;
	struct ao_error *err;

	err = ao_dataset_make(&data, task, c, seed, 1);
	if (err)
		return err;
	hash = ao_hash_new();
	for (size_t i = 0; i < task->input_count; i++)
		ao_hash_add(hash, data->inputs[i],
			    ao_tensor_elements(&task->inputs[i], c) *
				    ao_dtype_size(task->inputs[i].dtype));
	ao_hash_finish(hash, out);
	ao_dataset_free(data);
	return NULL;
}

static struct ao_error *look_at_inputs(const struct look *look,
				       const struct ao_case *c)
{
	char first[AO_HASH_SIZE], second[AO_HASH_SIZE], other[AO_HASH_SIZE];
	struct ao_error *err;
	char *what;

	err = draw(first, look, c, look->seed);
	if (!err)
		err = draw(second, look, c, look->seed);
	if (!err)
		err = draw(other, look, c, look->seed + 1);
	if (err)
		return blame(look->lint, "the reference runs", err);
	what = ao_xstrf("inputs of case %s reproduce", c->name);
	if (strcmp(first, second) != 0)
		add(look->lint, false, what,
		    "seed %" PRIu64 " gave %.12s, then %.12s", look->seed,
		    first, second);
	else if (strcmp(first, other) == 0)
		add(look->lint, false, what,
		    "seeds %" PRIu64 " and %" PRIu64 " give the same %.12s",
		    look->seed, look->seed + 1, first);
	else
		add(look->lint, true, what,
		    "seed %" PRIu64 " gives %.12s, twice", look->seed, first);
	return NULL;
}

static struct ao_error *judge(struct ao_result *out, const struct look *look,
			      const struct ao_kernel *kernel)
{
	const struct ao_bundle bundle = {
		.task = look->task,
		.candidate = kernel,
		.stage = AO_STAGE_CHECK,
		.seed = look->seed,
	};

	return ao_ask(out, look->asker, &bundle);
}

static void tell_agreement(struct ao_lint *lint, const struct ao_result *result,
			   char *what)
{
	double worst = 0;

	for (size_t i = 0; i < result->case_count; i++)
		if (result->cases[i].error > worst)
			worst = result->cases[i].error;
	add(lint, true, what, "error at most %.2g on %zu cases", worst,
	    result->case_count);
}

static struct ao_error *look_at_kernel(const struct look *look)
{
	static const char what[] = "the kernel agrees with the reference";
	struct ao_result result = { 0 };
	struct ao_error *err;

	err = judge(&result, look, look->kernel);
	if (err)
		return blame(look->lint, what, err);
	if (result.verdict == AO_VERDICT_PASSED)
		tell_agreement(look->lint, &result, ao_xstrdup(what));
	else
		add(look->lint, false, ao_xstrdup(what), "%s: %s",
		    ao_verdict_name(result.verdict),
		    result.detail ? result.detail : "");
	ao_result_release(&result);
	return NULL;
}

/*
 * Only a wrong answer is the right reason: a mutant that did not build has
 * not been refused for what it computes.
 */
static struct ao_error *look_at_mutant(const struct look *look,
				       const struct ao_mutant *mutant)
{
	struct ao_kernel kernel = { 0 };
	struct ao_result result = { 0 };
	struct ao_error *err;
	char *name, *what;

	ao_mutant_make(&kernel, mutant, look->task, look->kernel);
	err = judge(&result, look, &kernel);
	ao_kernel_release(&kernel);
	if (err)
		return err;
	name = ao_mutant_name(mutant, look->task);
	what = ao_xstrf("%s is refused", name);
	free(name);
	if (result.verdict == AO_VERDICT_PASSED)
		add(look->lint, false, what,
		    "it passes: the check is too weak or the answer trivial");
	else
		add(look->lint,
		    result.verdict == AO_VERDICT_INCORRECT_NUMERICAL, what,
		    "%s: %s", ao_verdict_name(result.verdict),
		    result.detail ? result.detail : "");
	ao_result_release(&result);
	return NULL;
}

static struct ao_error *look_at_mutants(const struct look *look)
{
	struct ao_mutant *mutants = NULL;
	struct ao_error *err = NULL;
	size_t count = 0;

	ao_mutant_list(&mutants, &count, look->task);
	for (size_t i = 0; !err && i < count; i++)
		err = look_at_mutant(look, &mutants[i]);
	free(mutants);
	return err;
}

struct ao_error *ao_lint_task(struct ao_lint *out, struct ao_asker *asker,
			      const struct ao_task *task,
			      const struct ao_kernel *kernel, uint64_t seed)
{
	struct ao_lint lint = { .is_sound = true };
	const struct look look = { &lint, asker, task, kernel, seed };
	struct ao_error *err = NULL;

	for (size_t i = 0; !err && lint.is_sound && i < task->case_count; i++)
		err = look_at_inputs(&look, &task->cases[i]);
	/* Mutants of a kernel that is wrong itself would prove nothing. */
	if (!err && lint.is_sound)
		err = look_at_kernel(&look);
	if (!err && lint.is_sound)
		err = look_at_mutants(&look);
	if (err) {
		ao_lint_release(&lint);
		return ao_error_wrap(err, "cannot check task '%s'", task->name);
	}
	*out = lint;
	return NULL;
}
