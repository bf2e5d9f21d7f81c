/* SPDX-License-Identifier: MIT */
/*
 * Any bytes are a kernel's source: they are either refused, in one printable
 * line, or ask for flags that are harmless each by itself.
 */
#include "util/base.h"

#include "eval/gate.h"
#include "fuzz.h"
#include "model/task.h"

static const char task_json[] =
	"{ \"v\": 1, \"name\": \"t\", \"op_type\": \"x\", \"target\": \"c\","
	"\"axes\": { \"M\": { \"type\": \"var\" } },"
	"\"scalars\": { \"EPS\": 1 },"
	"\"inputs\": { \"x\": { \"shape\": [\"M\"], \"dtype\": \"float32\" } },"
	"\"outputs\": { \"y\": { \"shape\": [\"M\"], \"dtype\": \"float32\","
	"\"tolerance\": 1e-5 } },"
	"\"kernel\": [\"kernel.c\"], \"reference\": \"reference.c\","
	"\"cases\": [ { \"name\": \"main\", \"axes\": { \"M\": 2 } } ] }";

static void check_refusal(const char *why)
{
	FUZZ_CHECK(*why);
	for (; *why; why++)
		FUZZ_CHECK((unsigned char)*why >= ' ' && *why != 0x7f);
}

static void check_words(const struct ao_strs *words)
{
	for (size_t i = 0; i < words->count; i++) {
		const char *word = words->v[i];
		char *why;

		FUZZ_CHECK(word[0] == '-' && !strpbrk(word, "/,@ \t\n"));
		if (!strcmp(word, "-mllvm") || !strcmp(word, "-polly"))
			continue;
		why = ao_flags_check(word, false);
		FUZZ_CHECK(!why);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ao_kernel kernel = { 0 };
	struct ao_flags flags = { 0 };
	struct ao_task *task = NULL;
	struct ao_error *err;
	char *why;

	err = ao_task_parse(&task, "task.json", task_json, strlen(task_json));
	FUZZ_CHECK(!err);
	ao_kernel_add(&kernel, "kernel.c", (const char *)data, size);
	why = ao_gate_check(&flags, task, &kernel);
	if (why)
		check_refusal(why);
	else
		check_words(&flags.words);
	free(why);
	ao_flags_release(&flags);
	ao_kernel_release(&kernel);
	ao_task_free(task);
	return 0;
}
