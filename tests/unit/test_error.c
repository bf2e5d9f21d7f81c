/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include "util/buf.h"
#include "util/error.h"

static void a_wrapped_error_keeps_the_code_of_its_root_cause(void)
{
	struct ao_error *err;

	err = ao_error_new(AO_ENOTFOUND, "no ref '%s'", "refs/x");
	err = ao_error_wrap(err, "cannot read the beam");
	EXPECT(ao_error_code(err) == AO_ENOTFOUND);
	ao_error_free(err);
}

static void a_full_buffer_reports_once_at_the_end(void)
{
	struct ao_buf buf = AO_BUF_INIT(4);
	struct ao_error *err;

	ao_buf_addstr(&buf, "abcd");
	err = ao_buf_check(&buf, "reply");
	EXPECT(!err);
	ao_buf_addf(&buf, "%d", 5);
	ao_buf_addstr(&buf, "");
	err = ao_buf_check(&buf, "reply");
	EXPECT(ao_error_code(err) == AO_ELIMIT);
	EXPECT(buf.len == 4);
	ao_error_free(err);
	ao_buf_release(&buf);
}

int main(void)
{
	RUN(a_wrapped_error_keeps_the_code_of_its_root_cause);
	RUN(a_full_buffer_reports_once_at_the_end);
	return tap_done();
}
