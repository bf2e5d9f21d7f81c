/* SPDX-License-Identifier: MIT */
/*
 * answer.h - what a judge answers to a bundle, as JSON on one line:
 * {"result": ...} or {"error": ["what failed", "because"], "code": "invalid"}.
 */
#ifndef AO_EVAL_ANSWER_H
#define AO_EVAL_ANSWER_H

#include "model/result.h"
#include "util/buf.h"

/* Append the answer to a bundle; exactly one of the two is given. */
void ao_answer_write(struct ao_buf *out, const struct ao_result *result,
		     const struct ao_error *err);

/*
 * Read an answer: the result, which the caller releases, or the judge's error,
 * which it frees.  Returns false, and neither, if it is not an answer.
 */
bool ao_answer_read(struct ao_result *out, struct ao_error **err_out,
		    const char *text, size_t len);

#endif
