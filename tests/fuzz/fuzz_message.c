/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as a commit message are not ours, or stay what they are once they
 * were written by us; and any bytes as title, plan and agent make a message
 * whose trailers are the ones that were meant.
 */
#include "util/base.h"

#include "fuzz.h"
#include "model/message.h"
#include "util/limits.h"

static char *write_message(const struct ao_message *message)
{
	struct ao_buf text = AO_BUF_INIT(AO_MAX_MESSAGE_BYTES);

	ao_message_write(&text, message);
	FUZZ_CHECK(!text.overflow);
	return ao_buf_take(&text);
}

/* What we write is read, and is the same when it is written again. */
static void check_written(const struct ao_message *message)
{
	char *once = write_message(message);
	struct ao_message again;
	char *twice;

	FUZZ_CHECK(ao_message_read(&again, once, strlen(once)));
	FUZZ_CHECK(!strcmp(again.task, message->task));
	FUZZ_CHECK(!strcmp(again.run, message->run));
	FUZZ_CHECK(again.attempt.iteration == message->attempt.iteration);
	FUZZ_CHECK(again.attempt.number == message->attempt.number);
	twice = write_message(&again);
	FUZZ_CHECK(!strcmp(once, twice));
	free(twice);
	free(once);
	ao_message_release(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	char task[] = "matmul";
	char run[] = "20261130T021054-7f3a9c01";
	struct ao_message message = { .task = task,
				      .run = run,
				      .attempt = { 3, 17 } };

	if (ao_message_read(&message, text, size)) {
		check_written(&message);
		ao_message_release(&message);
		return 0;
	}
	message.title = ao_xstrndup(text, size / 3);
	message.plan = ao_xstrndup(text + size / 3, size / 3);
	message.agent = ao_xstrndup(text + size / 3 * 2, size - size / 3 * 2);
	message.plan_id = ao_xstrdup(message.agent);
	check_written(&message);
	free(message.title);
	free(message.plan);
	free(message.agent);
	free(message.plan_id);
	return 0;
}
