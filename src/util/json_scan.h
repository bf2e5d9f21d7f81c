/* SPDX-License-Identifier: MIT */
/*
 * json_scan.h - whether a text is JSON by the letter of RFC 8259.
 *
 * cJSON takes more than JSON (leading zeros, control characters in strings,
 * \uZZZZ) and does not say where it stopped.  So each text is scanned first:
 * that finds the place of a fault, and the place of any value by its number.
 */
#ifndef AO_UTIL_JSON_SCAN_H
#define AO_UTIL_JSON_SCAN_H

#include "util/error.h"

struct ao_json_scan {
	const char *text;
	size_t len;
	size_t wanted;	  /* the number of the value to find; the root is 0 */
	size_t wanted_at; /* out: byte at which that value begins */
	size_t at;	  /* out: on failure, the byte that is at fault */
	size_t values;	  /* out: how many there are; numbered as they begin */
	unsigned depth;	  /* while scanning */
	const char *problem;  /* out: on failure, what it is */
	enum ao_errcode code; /* out: on failure, AO_EINVALID or AO_ELIMIT */
};

/* Fill in `text`, `len` and `wanted`; the rest zero. */
bool ao_json_scan(struct ao_json_scan *scan);

#endif
