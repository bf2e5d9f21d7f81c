/* SPDX-License-Identifier: MIT */
/* Any bytes are either refused, or figures of which none is absurd. */
#include "util/base.h"

#include <math.h>

#include "fuzz.h"
#include "model/published.h"

/* Or not known. */
static bool is_amount(double x)
{
	return isnan(x) || x >= 0;
}

static void check(const struct ao_published *published)
{
	FUZZ_CHECK(published->source && published->machine);
	FUZZ_CHECK(published->count >= 1);
	FUZZ_CHECK(published->measured <= published->count);
	FUZZ_CHECK(isnan(published->gain) == !published->measured);
	for (size_t i = 0; i < published->count; i++) {
		const struct ao_published_task *task = &published->tasks[i];

		FUZZ_CHECK(task->name && task->shape && task->bound);
		FUZZ_CHECK(task->peak_ms > 0);
		FUZZ_CHECK(is_amount(task->gain));
		FUZZ_CHECK(is_amount(task->percent_before));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ao_published published = { 0 };
	struct ao_error *err;

	err = ao_published_parse(&published, "fuzz", (const char *)data, size,
				 "trn1");
	if (!err)
		check(&published);
	ao_error_free(err);
	ao_published_release(&published);
	return 0;
}
