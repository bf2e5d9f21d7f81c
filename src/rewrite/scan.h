/* SPDX-License-Identifier: MIT */
/*
 * scan.h - recurrences of several states: what the moves of scans share.
 *
 *     for (s) { float h = 0; for (t) { h = a[s] * h + b[s][t]; y[t] += h; } }
 *
 * Of what a step reads, matrices [state][step] that nobody writes to are
 * packed: transposed once, at file level, so that a step's states are
 * neighbours.
 */
#ifndef AO_REWRITE_SCAN_H
#define AO_REWRITE_SCAN_H

#include "rewrite/body.h"
#include "rewrite/draft.h"
#include "rewrite/edits.h"

enum { AO_MAX_PACKED = 8 };

/* A matrix that is read, and its copy. */
struct ao_packed {
	uint32_t name; /* a use of it */
	const char *as;
};

/* A recurrence, and the names that its other form needs. */
struct ao_scan {
	struct ao_unit *unit;
	const struct ao_for *states;
	const struct ao_for *steps;
	struct ao_decl state;
	struct ao_body body;		 /* of a step */
	const struct ao_statement *next; /* state = ... */
	const struct ao_statement *sum;	 /* element += ... */
	struct ao_packed packed[AO_MAX_PACKED];
	size_t packed_count;
	bool is_bounded; /* extents are known at run time only */
};

/* Read the recurrence whose loop over states this is; it may be NULL. */
bool ao_scan_read(struct ao_scan *out, struct ao_unit *unit,
		  const struct ao_for *loop);

/* Whether a term is the state by its name. */
bool ao_scan_is_state(const struct ao_scan *scan, const struct ao_term *term);

/* Whether a term is name[row][column] of floats that nobody writes to. */
bool ao_scan_is_matrix(const struct ao_scan *scan, const struct ao_term *term,
		       uint32_t row, uint32_t column);

/* The name of such a term's matrix. */
uint32_t ao_scan_matrix(const struct ao_term *term);

/* The packed matrix named at `name`, or NULL. */
const struct ao_packed *ao_scan_find_packed(const struct ao_scan *scan,
					    uint32_t name);

/* A name of the whole file for what belongs to `name`: "b_of". */
const char *ao_scan_name(struct ao_scan *scan, uint32_t name);

/* Say what has another name in every form: elements that are packed, expf. */
bool ao_scan_rename(const struct ao_scan *scan, struct ao_buf *out,
		    const struct ao_term *term);

/*
 * The condition under which all that is to be kept has its place, or the
 * opposite one.  The caller frees it.
 */
char *ao_scan_say_room(const struct ao_scan *scan, bool there_is);

/* How many states to declare an array for. */
const char *ao_scan_most_states(const struct ao_scan *scan);

/* The helpers that every form of the recurrence needs. */
bool ao_scan_need_helpers(struct ao_edits *edits, const struct ao_scan *scan);

/* Declare the packed matrices at file level. */
void ao_scan_declare(struct ao_edits *edits, const struct ao_scan *scan);

/* The nest that packs them. */
void ao_scan_draft_packing(struct ao_draft *draft, const struct ao_scan *scan);

/* Open a loop with the head that it has, and `tail` behind it. */
void ao_scan_open(struct ao_draft *draft, const struct ao_scan *scan,
		  const struct ao_for *loop, const char *tail);

/* A term as text, with other names.  Borrowed from the unit. */
char *ao_scan_say(const struct ao_scan *scan, const struct ao_term *term,
		  ao_term_replace *replace, void *data);

/* Write a statement of a step; what is added up goes to `sum`. */
void ao_scan_draft_statement(struct ao_draft *draft, const struct ao_scan *scan,
			     const struct ao_statement *statement,
			     const char *sum, ao_term_replace *replace,
			     void *data);

#endif
