/* SPDX-License-Identifier: MIT */
/*
 * fields.h - structs as JSON objects, by tables.
 *
 * A table names the members of an object, in the order they are written, and
 * where in the struct each lives.  One table reads, writes, copies and
 * releases, so that no two of these can disagree.  Reading is lenient: what is
 * missing, odd or unknown is passed over.
 *
 * Tens of thousands of records are read in a row, so they are read without a
 * tree, and a member is looked for in the table from behind the one before: of
 * text as we write it, the first comparison hits.
 */
#ifndef AO_MODEL_FIELDS_H
#define AO_MODEL_FIELDS_H

#include "util/json.h"
#include "util/json_pull.h"
#include "util/strs.h"

/* The id of a record or plan: 16 hexadecimal digits. */
enum { AO_RECORD_ID_DIGITS = 16, AO_RECORD_ID_SIZE };

enum ao_field_kind {
	AO_FIELD_TEXT,	    /* char *, owned; NULL is left out */
	AO_FIELD_ID,	    /* char [AO_ID_SIZE]; "" is left out */
	AO_FIELD_RECORD_ID, /* char [AO_RECORD_ID_SIZE]; "" is left out */
	AO_FIELD_NUMBER,    /* double; left out if it is not finite */
	AO_FIELD_COUNT,	    /* uint32_t */
	AO_FIELD_U64,	    /* uint64_t, in JSON a string of digits */
	AO_FIELD_BOOL,	    /* bool; false is left out */
	AO_FIELD_TIME,	    /* int64_t, milliseconds since 1970 */
	AO_FIELD_STRS,	    /* struct ao_strs; an empty list is left out */
};

struct ao_field {
	const char *key;
	enum ao_field_kind kind;
	bool or_nan; /* a number that is NAN where the member is missing */
	size_t offset;
};

/* The kind follows from the C type, so a table cannot have it wrong. */
#define AO_FIELD_KIND(type, member) \
	_Generic(&((type *)0)->member,                     \
		 char **: AO_FIELD_TEXT,                   \
		 char (*)[AO_ID_SIZE]: AO_FIELD_ID,        \
		 char (*)[AO_RECORD_ID_SIZE]:              \
			 AO_FIELD_RECORD_ID,               \
		 double *: AO_FIELD_NUMBER,                \
		 uint32_t *: AO_FIELD_COUNT,               \
		 uint64_t *: AO_FIELD_U64,                 \
		 bool *: AO_FIELD_BOOL,                    \
		 int64_t *: AO_FIELD_TIME,                 \
		 struct ao_strs *: AO_FIELD_STRS)
#define AO_FIELD_MAKE(key, type, member, or_nan)          \
	{                                                 \
		key, AO_FIELD_KIND(type, member), or_nan, \
			offsetof(type, member)            \
	}
#define AO_FIELD(type, member)	       AO_FIELD_MAKE(#member, type, member, false)
#define AO_FIELD_AS(key, type, member) AO_FIELD_MAKE(key, type, member, false)
#define AO_FIELD_OR_NAN(type, member)  AO_FIELD_MAKE(#member, type, member, true)

/* A table for structs of `size` bytes. */
struct ao_fields {
	const struct ao_field *fields;
	size_t count;
	size_t size;
};
#define AO_FIELDS(type, table)                            \
	{                                                 \
		table, AO_ARRAY_SIZE(table), sizeof(type) \
	}

/* Append the members to the object `to`. */
void ao_fields_write(struct ao_json *to, const struct ao_fields *fields,
		     const void *from);

/* Set to NAN what is NAN when it is missing. */
void ao_fields_init(void *out, const struct ao_fields *fields);

/*
 * Take the member at hand if it is in the table; else return false, with the
 * value still to be taken.  `*next` is where in the table to look first; begin
 * with 0.
 */
bool ao_fields_pull(void *out, const struct ao_fields *fields, size_t *next,
		    struct ao_json_pull *pull);

/*
 * Take the value at hand, which should be an object; what is missing of it
 * stays as it was.
 */
void ao_fields_pull_object(void *out, const struct ao_fields *fields,
			   struct ao_json_pull *pull);

/* Replace what a struct, copied bit by bit, shares with the original. */
void ao_fields_own(void *copy, const struct ao_fields *fields);

void ao_fields_release(void *of, const struct ao_fields *fields);

/* Append an array of such structs as member `key`; none: left out. */
void ao_fields_write_all(struct ao_json *to, const char *key,
			 const struct ao_fields *fields, const void *items,
			 size_t count);

/*
 * How one element of an array is taken; the element is zero but for NANs, and
 * what is left of the table's structs after the first `max` is stepped over.
 */
typedef void ao_fields_pull_cb(void *item, struct ao_json_pull *pull);

/*
 * Take the value at hand, which should be an array of objects; an array with
 * nothing in it is NULL.  `pull_item` NULL: by the table.  The caller frees
 * the items with ao_fields_free_all().
 */
void *ao_fields_pull_all(size_t *count_out, const struct ao_fields *fields,
			 size_t max, ao_fields_pull_cb *pull_item,
			 struct ao_json_pull *pull);
void *ao_fields_copy_all(const struct ao_fields *fields, const void *items,
			 size_t count);
void ao_fields_free_all(void *items, const struct ao_fields *fields,
			size_t count);

/* Whether `text` is `digits` lower-case hexadecimal digits. */
bool ao_fields_is_hex(const char *text, size_t digits);

#endif
