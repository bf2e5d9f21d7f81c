/* SPDX-License-Identifier: MIT */
/*
 * json.h - JSON text.  The only user of cJSON.
 *
 * Reading: a document remembers its name and text, so that every complaint
 * can say "tasks/matmul/task.json:12: inputs.a.shape: expected an array".
 * Depth, size and the number of values are capped; \u0000, numbers that
 * overflow, text that is not UTF-8, a key that occurs twice in one object and
 * anything behind the value are refused.
 *
 * Numbers are doubles; 64-bit integers travel as strings of decimal digits.
 */
#ifndef AO_UTIL_JSON_H
#define AO_UTIL_JSON_H

#include "util/buf.h"

/* A value in a tree: an object, array, string, number, boolean or null. */
struct ao_json;

/* A parsed text. */
struct ao_json_doc;

enum ao_json_kind {
	AO_JSON_NULL,
	AO_JSON_BOOL,
	AO_JSON_NUMBER,
	AO_JSON_STRING,
	AO_JSON_ARRAY,
	AO_JSON_OBJECT,
};

/*
 * Parse `text`, called `name` in messages; the text is copied.
 * Returns AO_EINVALID, naming the line, or AO_ELIMIT.
 * The caller frees *out with ao_json_doc_free().
 */
AO_MUST_CHECK
struct ao_error *ao_json_doc_parse(struct ao_json_doc **out, const char *name,
				   const char *text, size_t len);
void ao_json_doc_free(struct ao_json_doc *doc);

/* Borrowed from `doc`. */
const struct ao_json *ao_json_doc_root(const struct ao_json_doc *doc);

/*
 * An AO_EINVALID "name:line: path: ..." about `value`, a part of `doc`.  With
 * `key`, about that member of it, there or missing.
 */
AO_MUST_CHECK AO_PRINTF(4, 5)
struct ao_error *ao_json_complain(const struct ao_json_doc *doc,
				  const struct ao_json *value, const char *key,
				  const char *fmt, ...);

/*
 * Parse one value without a document: for records, of which unparsable ones
 * are passed over.  Returns NULL if it does not parse.  Free with
 * ao_json_free().
 */
struct ao_json *ao_json_parse(const char *text, size_t len);
void ao_json_free(struct ao_json *value);

/* Plain access; what they return is borrowed from the tree. */
enum ao_json_kind ao_json_kind(const struct ao_json *value);
const struct ao_json *ao_json_get(const struct ao_json *object,
				  const char *key); /* NULL: none */
size_t ao_json_count(const struct ao_json *value);  /* members or elements */
const struct ao_json *ao_json_first(const struct ao_json *value);
const struct ao_json *ao_json_next(const struct ao_json *element);
const char *ao_json_key(const struct ao_json *member);

/* Lenient access: the default where it is missing or of another kind. */
const char *ao_json_string(const struct ao_json *object, const char *key,
			   const char *otherwise);
bool ao_json_bool(const struct ao_json *object, const char *key,
		  bool otherwise);
/* A string of decimal digits. */
uint64_t ao_json_u64(const struct ao_json *object, const char *key,
		     uint64_t otherwise);

/* The text of a string value itself, or NULL. */
const char *ao_json_text(const struct ao_json *value);
/* The value of a number itself; NAN if it is none. */
double ao_json_value(const struct ao_json *value);
/* Whether the value itself is true. */
bool ao_json_truth(const struct ao_json *value);

/*
 * Strict access: a member that must be there and of that kind, or a complaint
 * that names file, line and field.  Outputs are borrowed from `doc`.
 */
AO_MUST_CHECK
struct ao_error *ao_json_want(const struct ao_json **out,
			      const struct ao_json_doc *doc,
			      const struct ao_json *object, const char *key,
			      enum ao_json_kind kind);
AO_MUST_CHECK
struct ao_error *ao_json_want_string(const char **out,
				     const struct ao_json_doc *doc,
				     const struct ao_json *object,
				     const char *key);
/* A number within min..max. */
AO_MUST_CHECK
struct ao_error *ao_json_want_number(double *out, const struct ao_json_doc *doc,
				     const struct ao_json *object,
				     const char *key, double min, double max);
/* Refuse members that are not in `keys`; says which one was probably meant. */
AO_MUST_CHECK
struct ao_error *ao_json_want_only(const struct ao_json_doc *doc,
				   const struct ao_json *object,
				   const char *const *keys, size_t count);

/*
 * Writing: build a tree, print it on one line, free it.  The ao_json_set_*
 * calls append a member to an object, or with key NULL an element to an array.
 * A NULL string or value is left out.  Numbers that are not finite become null.
 * ao_json_set() takes over `value`.
 */
struct ao_json *ao_json_new_object(void);
struct ao_json *ao_json_new_array(void);
void ao_json_set(struct ao_json *to, const char *key, struct ao_json *value);
void ao_json_set_string(struct ao_json *to, const char *key, const char *s);
void ao_json_set_number(struct ao_json *to, const char *key, double number);
void ao_json_set_bool(struct ao_json *to, const char *key, bool truth);
void ao_json_set_u64(struct ao_json *to, const char *key, uint64_t number);
/* Text that may not be UTF-8: bad bytes and NUL are written as U+FFFD. */
void ao_json_set_bytes(struct ao_json *to, const char *key, const char *data,
		       size_t len);

/*
 * Append the tree on one line, without newline.  `pretty`: indented instead.
 * Numbers are written so that they are read back to the last bit.
 */
void ao_json_print(struct ao_buf *out, const struct ao_json *value,
		   bool pretty);

#endif
