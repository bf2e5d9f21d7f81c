/* SPDX-License-Identifier: MIT */
/*
 * verdict.h - what became of an attempt.
 *
 * A bad candidate is a result, never an error: every way in which an attempt
 * can end is a verdict, stored like any other.  Names follow FlashInfer-Bench
 * where it has one.
 */
#ifndef AO_MODEL_VERDICT_H
#define AO_MODEL_VERDICT_H

#include "util/base.h"

enum ao_verdict {
	AO_VERDICT_NONE, /* not judged yet */
	AO_VERDICT_PASSED,
	AO_VERDICT_PIPELINE, /* faster alone, but not with its consumer */
	AO_VERDICT_COMPILE_ERROR,
	AO_VERDICT_RUNTIME_ERROR,
	AO_VERDICT_INCORRECT_SHAPE,
	AO_VERDICT_INCORRECT_NUMERICAL,
	AO_VERDICT_INCORRECT_DTYPE,
	AO_VERDICT_TIMEOUT,
	AO_VERDICT_TAMPERED, /* an integrity check fired at run time */
	AO_VERDICT_BANNED, /* flag, axis macro or symbol that is not allowed */
	AO_VERDICT_TOO_FAST, /* below the hard floor: believed impossible */
	AO_VERDICT_NO_CODE,
	AO_VERDICT_BAD_EDIT,	  /* an edit did not apply exactly once */
	AO_VERDICT_OUT_OF_BOUNDS, /* touches a file that it may not */
	AO_VERDICT_CHECK_FAILED,  /* an adopted project's own check */
	AO_VERDICT_TRUNCATED,
	AO_VERDICT_REFUSED,
	AO_VERDICT_DUPLICATE, /* the same kernel was judged before in the run */
	AO_VERDICT_INTERRUPTED,
	AO_VERDICT_COUNT,
};

/* "PASSED", "COMPILE_ERROR", ...; "" for AO_VERDICT_NONE. */
const char *ao_verdict_name(enum ao_verdict verdict);

/*
 * Whether it took an evaluation to find that out: false for what ended before
 * there was a kernel to judge.
 */
bool ao_verdict_is_judged(enum ao_verdict verdict);

/* AO_VERDICT_NONE if there is no such name. */
enum ao_verdict ao_verdict_from_name(const char *name);

#endif
