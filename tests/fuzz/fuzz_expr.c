/* SPDX-License-Identifier: MIT */
/*
 * Any text either has a value, which is finite and the same a second time, or
 * is refused with a reason.
 */
#include "util/base.h"

#include <math.h>

#include "fuzz.h"
#include "model/expr.h"

/* Any name has a value: its length. */
static bool look_up(void *data, const char *name, size_t len, double *value_out)
{
	FUZZ_CHECK(data == NULL && len > 0 && name[0]);
	*value_out = (double)len;
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = ao_xstrndup((const char *)data, size);
	double once = NAN;
	double twice = NAN;
	struct ao_error *err = ao_expr_eval(&once, text, look_up, NULL);

	if (err) {
		FUZZ_CHECK(ao_error_code(err) == AO_EINVALID);
		FUZZ_CHECK(isnan(once));
	} else {
		FUZZ_CHECK(isfinite(once));
		err = ao_expr_eval(&twice, text, look_up, NULL);
		FUZZ_CHECK(!err && !memcmp(&once, &twice, sizeof(once)));
	}
	ao_error_free(err);
	free(text);
	return 0;
}
