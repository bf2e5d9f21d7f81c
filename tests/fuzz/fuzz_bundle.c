/* SPDX-License-Identifier: MIT */
/*
 * Any bytes are either refused as a bundle, or are one that says the same when
 * it is written and read again.
 */
#include "util/base.h"

#include "eval/bundle.h"
#include "fuzz.h"
#include "util/limits.h"

static char *text_of(const struct ao_bundle *bundle)
{
	struct ao_buf text = AO_BUF_INIT(8 * (size_t)AO_MAX_RESULT_BYTES);

	ao_bundle_write(&text, bundle);
	FUZZ_CHECK(!text.overflow);
	return ao_buf_take(&text);
}

static void check_kernel(const struct ao_kernel *kernel)
{
	FUZZ_CHECK(kernel->count >= 1 && kernel->count <= AO_MAX_FILES);
	FUZZ_CHECK(!*kernel->id || strlen(kernel->id) == AO_ID_SIZE - 1);
	for (size_t i = 0; i < kernel->count; i++)
		FUZZ_CHECK(kernel->files[i].len <= AO_MAX_KERNEL_BYTES);
}

static void check_bundle(const struct ao_bundle *bundle)
{
	struct ao_bundle_owned again = { 0 };
	char *text = text_of(bundle);
	struct ao_error *err;
	char *text_again;

	FUZZ_CHECK(bundle->task && bundle->task->reference);
	FUZZ_CHECK(bundle->opponent_count <= AO_MAX_OPPONENTS);
	check_kernel(bundle->candidate);
	for (size_t i = 0; i < bundle->opponent_count; i++)
		check_kernel(&bundle->opponents[i]);
	err = ao_bundle_read(&again, text, strlen(text));
	if (err) {
		/* Hexadecimal takes more room than what was read. */
		FUZZ_CHECK(ao_error_code(err) == AO_ELIMIT);
		ao_error_free(err);
		free(text);
		return;
	}
	text_again = text_of(&again.bundle);
	FUZZ_CHECK(!strcmp(text, text_again));
	ao_bundle_release(&again);
	free(text_again);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ao_bundle_owned bundle = { 0 };
	struct ao_error *err;

	err = ao_bundle_read(&bundle, (const char *)data, size);
	if (!err)
		check_bundle(&bundle.bundle);
	ao_error_free(err);
	ao_bundle_release(&bundle);
	return 0;
}
