/* SPDX-License-Identifier: MIT */
/*
 * message.h - the commit message of a candidate.
 *
 *     <title, at most 72 columns>
 *
 *         <the plan, wrapped, each line indented by four>
 *
 *     Accelopt-Task: matmul
 *     Accelopt-Run: 20261130T021054-7f3a9c01
 *     Accelopt-Attempt: 3.17
 *     Accelopt-Agent: catalog
 *     Accelopt-Plan: 83d1f0a2c4b5e697
 *
 * Plans are free text from anywhere.  The indent keeps them from being read
 * as anything else: as a trailer, as the `---` behind which git looks for no
 * trailers, or as a comment that is lost when a commit is reworded.
 */
#ifndef AO_MODEL_MESSAGE_H
#define AO_MODEL_MESSAGE_H

#include "util/buf.h"

/* Where in a run an attempt stands; written "3.17". */
struct ao_attempt {
	uint32_t iteration;
	uint32_t number; /* from 1 */
};

/* Read "3.17".  Returns false if it is not that. */
bool ao_attempt_read(struct ao_attempt *out, const char *text);

/* What a candidate commit's message says. */
struct ao_message {
	char *title; /* one line, at most 72 columns */
	char *plan;  /* the plan's text */
	char *task;  /* its name */
	char *run;   /* run id */
	struct ao_attempt attempt;
	char *agent;
	char *plan_id;
};

void ao_message_release(struct ao_message *message);

/*
 * Append the commit message.  What is read from it again has the title cut,
 * the plan wrapped, and what no terminal should see escaped; the plan record
 * has them as they were.
 */
void ao_message_write(struct ao_buf *out, const struct ao_message *message);

/*
 * Read a commit message.  Returns false, *out untouched, unless its last
 * paragraph has each of our trailers exactly once; other trailers may be among
 * them.
 */
bool ao_message_read(struct ao_message *out, const char *text, size_t len);

#endif
