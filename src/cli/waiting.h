/* SPDX-License-Identifier: MIT */
/*
 * waiting.h - work of some seconds or minutes that tells nothing in between.
 *
 * On a terminal what it is and how long it has taken, drawn again each second;
 * elsewhere, if lines are wanted, a line as it begins and one each minute.
 */
#ifndef AO_CLI_WAITING_H
#define AO_CLI_WAITING_H

#include "util/base.h"

enum ao_waiting_style {
	AO_WAITING_AUTO,   /* on a terminal alone */
	AO_WAITING_LINES,  /* elsewhere too */
	AO_WAITING_SILENT, /* nowhere */
};

struct ao_waiting {
	enum ao_waiting_style style;
	char *text;
	uint64_t start_ns;
	uint64_t told_ns; /* when it was last told, without a terminal */
};

void ao_waiting_begin(struct ao_waiting *waiting, enum ao_waiting_style style,
		      const char *text);

/* An ao_wait_cb; `data` is the struct ao_waiting. */
void ao_waiting_tick(void *data);

/* Takes away what a terminal shows. */
void ao_waiting_end(struct ao_waiting *waiting);

#endif
