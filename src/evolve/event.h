/* SPDX-License-Identifier: MIT */
/* event.h - what is asked of a search, and what it tells while it goes on. */
#ifndef AO_EVOLVE_EVENT_H
#define AO_EVOLVE_EVENT_H

#include "agents/agent.h"
#include "model/candidate.h"
#include "model/policy.h"
#include "model/run.h"

/* What happens during a search, as it happens. */
enum ao_event_kind {
	AO_EVENT_STARTED,   /* run is set */
	AO_EVENT_RESUMED,   /* the same */
	AO_EVENT_BASELINE,  /* baseline is set */
	AO_EVENT_ATTEMPT,   /* candidate was judged and stored */
	AO_EVENT_ITERATION, /* one ended: beam chosen */
	AO_EVENT_INSIGHT,
	AO_EVENT_BEST, /* a new best was confirmed */
	AO_EVENT_WARNING,
	AO_EVENT_STOPPED, /* text says why */
};

struct ao_event {
	enum ao_event_kind kind;
	const struct ao_run *run;
	uint32_t iteration;
	uint32_t evals;	    /* evaluations paid so far in the run */
	uint32_t in_flight; /* attempts being worked on */
	uint32_t reused;    /* results that were not paid again */
	const struct ao_profile *baseline;
	const struct ao_candidate *candidate; /* ATTEMPT, BEST */
	struct ao_gain gain; /* of the best so far over the baseline */
	const struct ao_insight *insight;
	const char *text; /* WARNING, STOPPED: one line */
};

typedef void ao_event_cb(void *data, const struct ao_event *event);

struct ao_evolve_options {
	const char *task;
	const char *base;   /* revision to start from; NULL: HEAD */
	const char *resume; /* id of a run of this clone; NULL: a new run */
	struct ao_settings settings; /* a resumed run takes its own, but for
					the limits that are set here */
	/*
	 * Plays all roles, borrowed; the settings should say its name.  NULL:
	 * the agents that the settings name.
	 */
	struct ao_agent *agent;
	const char *runner;    /* command prefix for judges, or NULL */
	uint32_t jobs;	       /* judges at once */
	enum ao_policy policy; /* of the sandbox */
	ao_event_cb *on_event;
	void *data;
};

#endif
