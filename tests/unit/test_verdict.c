/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include "model/verdict.h"

static void every_verdict_is_found_again_by_its_name(void)
{
	for (size_t i = 0; i < AO_VERDICT_COUNT; i++) {
		enum ao_verdict verdict = (enum ao_verdict)i;
		const char *name = ao_verdict_name(verdict);

		EXPECT(name != NULL);
		EXPECT(ao_verdict_from_name(name) == verdict);
	}
}

static void only_the_verdict_of_what_is_not_judged_has_no_name(void)
{
	EXPECT(!*ao_verdict_name(AO_VERDICT_NONE));
	for (size_t i = AO_VERDICT_NONE + 1; i < AO_VERDICT_COUNT; i++)
		EXPECT(*ao_verdict_name((enum ao_verdict)i));
}

static void a_name_that_is_none_is_no_verdict(void)
{
	EXPECT(ao_verdict_from_name("passed") == AO_VERDICT_NONE);
	EXPECT(ao_verdict_from_name("PASSED ") == AO_VERDICT_NONE);
}

static void what_ended_without_a_kernel_was_not_judged(void)
{
	EXPECT(ao_verdict_is_judged(AO_VERDICT_PASSED));
	EXPECT(ao_verdict_is_judged(AO_VERDICT_COMPILE_ERROR));
	EXPECT(!ao_verdict_is_judged(AO_VERDICT_NONE));
	EXPECT(!ao_verdict_is_judged(AO_VERDICT_NO_CODE));
	EXPECT(!ao_verdict_is_judged(AO_VERDICT_DUPLICATE));
}

int main(void)
{
	RUN(every_verdict_is_found_again_by_its_name);
	RUN(only_the_verdict_of_what_is_not_judged_has_no_name);
	RUN(a_name_that_is_none_is_no_verdict);
	RUN(what_ended_without_a_kernel_was_not_judged);
	return tap_done();
}
