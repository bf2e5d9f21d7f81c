/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include "eval_task.h"
#include "model/policy.h"

static enum ao_policy read_policy(const char *text)
{
	enum ao_policy policy = AO_POLICY_ANY;

	must(ao_policy_read(&policy, text));
	return policy;
}

static void the_sandbox_is_preferred_where_nobody_says_otherwise(void)
{
	EXPECT(read_policy(NULL) == AO_POLICY_PREFER);
}

static void each_policy_has_its_word(void)
{
	EXPECT(read_policy("prefer") == AO_POLICY_PREFER);
	EXPECT(read_policy("require") == AO_POLICY_REQUIRE);
	EXPECT(read_policy("any") == AO_POLICY_ANY);
}

static void another_word_is_refused_and_the_right_ones_are_told(void)
{
	static const char *const words[] = { "", "Require", "true", "none" };
	enum ao_policy policy = AO_POLICY_ANY;

	for (size_t i = 0; i < AO_ARRAY_SIZE(words); i++)
		EXPECT(tells(ao_policy_read(&policy, words[i]), "'require'"));
	EXPECT(policy == AO_POLICY_ANY);
}

static bool is_unsandboxed(const char *kernels, const char *compilers)
{
	struct ao_machine machine = { 0 };
	bool without;

	machine.sandbox = kernels ? ao_xstrdup(kernels) : NULL;
	machine.compiler_sandbox = compilers ? ao_xstrdup(compilers) : NULL;
	without = ao_policy_is_unsandboxed(&machine);
	ao_machine_release(&machine);
	return without;
}

static void limits_alone_are_no_sandbox(void)
{
	EXPECT(is_unsandboxed("rlimits", "namespaces"));
	EXPECT(is_unsandboxed("namespaces", "rlimits"));
	EXPECT(is_unsandboxed("none", "namespaces"));
	EXPECT(!is_unsandboxed("namespaces", "namespaces"));
	EXPECT(!is_unsandboxed("landlock", "seccomp"));
}

static void an_older_record_is_not_held_against_a_kernel(void)
{
	EXPECT(!is_unsandboxed(NULL, NULL));
	EXPECT(!is_unsandboxed("namespaces", NULL));
	EXPECT(is_unsandboxed("rlimits", NULL));
}

int main(void)
{
	RUN(the_sandbox_is_preferred_where_nobody_says_otherwise);
	RUN(each_policy_has_its_word);
	RUN(another_word_is_refused_and_the_right_ones_are_told);
	RUN(limits_alone_are_no_sandbox);
	RUN(an_older_record_is_not_held_against_a_kernel);
	return tap_done();
}
