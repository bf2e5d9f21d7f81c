/* SPDX-License-Identifier: MIT */
/*
 * progress.h - what a search is doing, while it is doing it.
 *
 * On a terminal one line that is drawn again and again, with what is worth
 * keeping above it; elsewhere a line for each iteration; with --json a line
 * on standard output for each event.
 */
#ifndef AO_CLI_PROGRESS_H
#define AO_CLI_PROGRESS_H

#include "evolve/event.h"

enum ao_progress_style {
	AO_PROGRESS_AUTO,  /* on stderr: a terminal's, or plain lines */
	AO_PROGRESS_JSON,  /* on stdout */
	AO_PROGRESS_QUIET, /* warnings alone */
};

struct ao_progress {
	enum ao_progress_style style;
	bool is_terminal;
	bool is_drawn; /* a status line is on the screen */
	uint64_t start_ns;
	char run[64];	       /* its id, once it has begun */
	char best[AO_ID_SIZE]; /* the commit that was told last */
	char *task;
};

void ao_progress_init(struct ao_progress *progress,
		      enum ao_progress_style style, const char *task);

/* Takes the status line away. */
void ao_progress_release(struct ao_progress *progress);

/* Whether standard error is a terminal on which a line can be drawn again. */
bool ao_progress_can_redraw(void);

/* An ao_event_cb; `data` is the struct ao_progress. */
void ao_progress_event(void *data, const struct ao_event *event);

#endif
