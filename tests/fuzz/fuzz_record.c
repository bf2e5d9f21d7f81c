/* SPDX-License-Identifier: MIT */
/*
 * Any bytes are no record of a kind, or one that is read the same once it was
 * written; it is on one line then, and of one kind only.
 */
#include "util/base.h"

#include "fuzz.h"
#include "model/record.h"
#include "model/run.h"
#include "util/limits.h"

/* A line holds texts of up to 64 KB, of which a byte may take six. */
enum { MAX_LINE = 8 << 20 };

static void check_line(const struct ao_buf *line)
{
	FUZZ_CHECK(!line->overflow);
	FUZZ_CHECK(line->len > 1 && line->ptr[line->len - 1] == '\n');
	for (size_t i = 0; i + 1 < line->len; i++)
		FUZZ_CHECK((unsigned char)line->ptr[i] >= ' ');
}

/* Takes over both lines; the first may be longer than a record can be. */
static void check_same(struct ao_buf *once, struct ao_buf *twice)
{
	check_line(once);
	FUZZ_CHECK(!strcmp(once->ptr, twice->ptr));
	ao_buf_release(once);
	ao_buf_release(twice);
}

static bool try_profile(const char *text, size_t len)
{
	struct ao_buf once = AO_BUF_INIT(MAX_LINE);
	struct ao_buf twice = AO_BUF_INIT(MAX_LINE);
	struct ao_profile profile, copy;

	if (!ao_profile_read(&profile, text, len))
		return false;
	ao_profile_write(&once, &profile);
	ao_profile_release(&profile);
	if (ao_profile_read(&profile, once.ptr, once.len)) {
		copy = profile;
		ao_result_copy(&copy.result, &profile.result);
		ao_profile_release(&profile);
		ao_profile_write(&twice, &copy);
		ao_profile_release(&copy);
		check_same(&once, &twice);
		return true;
	}
	FUZZ_CHECK(once.len > AO_MAX_RECORD_BYTES);
	ao_buf_release(&once);
	return true;
}

static bool try_plan(const char *text, size_t len)
{
	struct ao_buf once = AO_BUF_INIT(MAX_LINE);
	struct ao_buf twice = AO_BUF_INIT(MAX_LINE);
	struct ao_plan plan, copy;

	if (!ao_plan_read(&plan, text, len))
		return false;
	ao_plan_write(&once, &plan);
	ao_plan_copy(&copy, &plan);
	ao_plan_release(&plan);
	ao_plan_write(&twice, &copy);
	ao_plan_release(&copy);
	check_same(&once, &twice);
	return true;
}

static bool try_insight(const char *text, size_t len)
{
	struct ao_buf once = AO_BUF_INIT(MAX_LINE);
	struct ao_buf twice = AO_BUF_INIT(MAX_LINE);
	struct ao_insight insight, copy;

	if (!ao_insight_read(&insight, text, len))
		return false;
	ao_insight_write(&once, &insight);
	ao_insight_copy(&copy, &insight);
	ao_insight_release(&insight);
	ao_insight_write(&twice, &copy);
	ao_insight_release(&copy);
	check_same(&once, &twice);
	return true;
}

static void check_run(const char *text, size_t len)
{
	struct ao_run run = { 0 };
	struct ao_error *err = ao_run_read(&run, "fuzz", text, len);

	FUZZ_CHECK(!err == !!run.id);
	if (!err) {
		FUZZ_CHECK(ao_run_id_is_valid(run.id));
		err = ao_settings_check(&run.settings);
		FUZZ_CHECK(!err);
	}
	ao_error_free(err);
	ao_run_release(&run);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	unsigned kinds = 0;

	kinds += try_profile(text, size);
	kinds += try_plan(text, size);
	kinds += try_insight(text, size);
	FUZZ_CHECK(kinds <= 1);
	check_run(text, size);
	return 0;
}
