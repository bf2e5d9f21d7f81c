/* SPDX-License-Identifier: MIT */
/*
 * json_pull.h - a few members of a JSON text, without a tree of all of it.
 *
 * For where tens of thousands of records are read to know a little of each:
 * the text is checked as json_scan.h does, then walked once from front to
 * back, and what is not wanted is stepped over.
 *
 *     if (!ao_json_pull_start(&pull, text, len) ||
 *         !ao_json_pull_enter(&pull, '{'))
 *             return false;
 *     while (ao_json_pull_member(&pull)) {
 *             if (ao_json_pull_is(&pull, "score"))
 *                     score = ao_json_pull_number(&pull, NAN);
 *             else
 *                     ao_json_pull_skip(&pull);
 *     }
 *
 * Every value has to be taken or stepped over before the next is asked for.
 * What json.h refuses beyond the letter of JSON, a key that occurs twice and a
 * number that overflows, is not noticed.
 */
#ifndef AO_UTIL_JSON_PULL_H
#define AO_UTIL_JSON_PULL_H

#include "util/base.h"

struct ao_json_pull {
	const char *at;	 /* the value at hand, or what is behind the last */
	const char *key; /* of the member at hand, as it is in the text */
	size_t key_len;
};

/* Returns false if `text`, borrowed, is not a JSON object or array. */
bool ao_json_pull_start(struct ao_json_pull *pull, const char *text,
			size_t len);

/*
 * Step into the value at hand, which should open with `bracket`, '{' or '['.
 * If it does not, it is stepped over and false returned.
 */
bool ao_json_pull_enter(struct ao_json_pull *pull, char bracket);

/* Go to the next member or element; false at the end, which is left behind. */
bool ao_json_pull_member(struct ao_json_pull *pull);
bool ao_json_pull_element(struct ao_json_pull *pull);

/* Whether the key of the member at hand is `key`, written without escapes. */
bool ao_json_pull_is(const struct ao_json_pull *pull, const char *key);

/*
 * Take the value at hand and go behind it; a value of another kind is stepped
 * over.
 */
void ao_json_pull_skip(struct ao_json_pull *pull);
double ao_json_pull_number(struct ao_json_pull *pull, double otherwise);
bool ao_json_pull_true(struct ao_json_pull *pull);

/* The caller frees the string; NULL if it is none. */
char *ao_json_pull_string(struct ao_json_pull *pull);

/*
 * A string of less than `size` bytes into `out`; "" if it is none, longer, or
 * has escapes.  For ids and names.
 */
void ao_json_pull_word(char *out, size_t size, struct ao_json_pull *pull);

#endif
