/* SPDX-License-Identifier: MIT */
/* outcome.h - what a worker did wrong, in words. */
#ifndef AO_EVAL_OUTCOME_H
#define AO_EVAL_OUTCOME_H

#include "eval/control.h"
#include "model/verdict.h"

/* How it went.  All zero is empty. */
struct ao_outcome {
	enum ao_verdict verdict; /* NONE: nothing wrong */
	char *detail;		 /* the caller frees it */
};

/* Replace what was there; takes over `detail`. */
void ao_outcome_set(struct ao_outcome *out, enum ao_verdict verdict,
		    char *detail);

/*
 * It came to its end while it should have gone on.
 *
 * status  as wait() has it; NULL: the warden ended with it
 * when    "in call 3"
 */
void ao_outcome_died(struct ao_outcome *out, const struct ao_control *control,
		     const int *status, const char *when);

/* Look whether it has loaded the object. */
void ao_outcome_loaded(struct ao_outcome *out,
		       const struct ao_control *control);

#endif
