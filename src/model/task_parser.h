/* SPDX-License-Identifier: MIT */
/*
 * task_parser.h - what the parts of the task.json parser share.
 *
 * Private to task_parse.c, task_axes.c, task_tensors.c and task_cases.c.
 */
#ifndef AO_MODEL_TASK_PARSER_H
#define AO_MODEL_TASK_PARSER_H

#include "model/task.h"
#include "util/json.h"

struct ao_task_parser {
	const struct ao_json_doc *doc;
	const struct ao_json *root;
	struct ao_task *task;
	struct ao_strs names; /* taken in C: axes, scalars, tensors, entry */
};

/*
 * A complaint about `value`, or its member `key`, out of `err`, which is taken
 * over.  NULL for NULL.
 */
AO_MUST_CHECK
struct ao_error *ao_parser_complain(const struct ao_task_parser *parser,
				    const struct ao_json *value,
				    const char *key, struct ao_error *err);

/* A copy of a string member, or of `otherwise` (NULL: NULL) if it is missing.
 */
AO_MUST_CHECK
struct ao_error *ao_parser_text(char **out, const struct ao_task_parser *parser,
				const struct ao_json *object, const char *key,
				const char *otherwise);

/* Which of `choices` a string member is; it has to be there. */
AO_MUST_CHECK
struct ao_error *ao_parser_choice(size_t *out,
				  const struct ao_task_parser *parser,
				  const struct ao_json *object, const char *key,
				  const char *const *choices, size_t count);

/* The same of an array's element, or of a member that is at hand. */
AO_MUST_CHECK
struct ao_error *ao_parser_word(size_t *out,
				const struct ao_task_parser *parser,
				const struct ao_json *value,
				const char *const *choices, size_t count);

/* True or false; if the member is missing *out stays as it is. */
AO_MUST_CHECK
struct ao_error *ao_parser_truth(bool *out, const struct ao_task_parser *parser,
				 const struct ao_json *object, const char *key);

/* A whole number within 1 .. INT32_MAX: kernels count in int. */
AO_MUST_CHECK
struct ao_error *ao_parser_extent(int64_t *out,
				  const struct ao_task_parser *parser,
				  const struct ao_json *object,
				  const char *key);

/* Take a name for use in C; the complaint is about member `key`. */
AO_MUST_CHECK
struct ao_error *ao_parser_claim(struct ao_task_parser *parser,
				 const struct ao_json *object, const char *key,
				 const char *name);

/* The index of the axis that `value`, a string, names. */
AO_MUST_CHECK
struct ao_error *ao_parser_axis(size_t *out,
				const struct ao_task_parser *parser,
				const struct ao_json *value);

/* A complaint about `value`, which gives the unknown axis `name`. */
AO_MUST_CHECK
struct ao_error *ao_parser_unknown_axis(const struct ao_task_parser *parser,
					const struct ao_json *value,
					const char *name);

/* The index of the axis with that name, or axis_count. */
size_t ao_parser_find_axis(const struct ao_task_parser *parser,
			   const char *name);

#endif
