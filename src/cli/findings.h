/* SPDX-License-Identifier: MIT */
/* findings.h - what was found out about a machine, and what to do about it. */
#ifndef AO_CLI_FINDINGS_H
#define AO_CLI_FINDINGS_H

#include "util/buf.h"
#include "util/json.h"

enum ao_finding_state {
	AO_FINDING_OK,
	AO_FINDING_WARNING, /* evaluation works, and could be better */
	AO_FINDING_ERROR,   /* evaluation does not work */
};

struct ao_finding {
	enum ao_finding_state state;
	const char *topic; /* a constant of one or two words */
	char *text;
	char *advice; /* what to do, or NULL */
};

/* All zero is empty. */
struct ao_findings {
	struct ao_finding *items; /* [count] */
	size_t count;
	size_t alloc;
};

/* Add one; takes over `text`, and `advice`, which may be NULL. */
void ao_findings_add(struct ao_findings *findings, enum ao_finding_state state,
		     const char *topic, char *text, char *advice);

/* The same with a constant for an advice. */
void ao_findings_advise(struct ao_findings *findings,
			enum ao_finding_state state, const char *topic,
			char *text, const char *advice);
void ao_findings_release(struct ao_findings *findings);

enum ao_finding_state ao_findings_worst(const struct ao_findings *findings);

/* A line each, and one more for what to do. */
void ao_findings_text(struct ao_buf *out, const struct ao_findings *findings);

/* An array of {"topic", "state", "text", "advice"}. */
struct ao_json *ao_findings_json(const struct ao_findings *findings);

#endif
