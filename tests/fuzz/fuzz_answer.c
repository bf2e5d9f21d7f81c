/* SPDX-License-Identifier: MIT */
/* Any bytes are a result, an error, or no answer: one of the three. */
#include "util/base.h"

#include "eval/answer.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ao_result result = { 0 };
	struct ao_error *err = NULL;
	bool is_answer;

	is_answer = ao_answer_read(&result, &err, (const char *)data, size);
	FUZZ_CHECK(is_answer || !err);
	FUZZ_CHECK(!err || !result.case_count);
	FUZZ_CHECK(!err || ao_error_code(err) != AO_OK);
	ao_error_free(err);
	ao_result_release(&result);
	return 0;
}
