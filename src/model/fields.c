/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <errno.h>
#include <math.h>

#include "model/fields.h"
#include "util/clock.h"
#include "util/limits.h"

static void *at(void *base, const struct ao_field *field)
{
	return (char *)base + field->offset;
}

static const void *at_const(const void *base, const struct ao_field *field)
{
	return (const char *)base + field->offset;
}

bool ao_fields_is_hex(const char *text, size_t digits)
{
	return strspn(text, "0123456789abcdef") == digits && !text[digits];
}

/*
 * Text from others may be of any length and hold any byte.  It is cut between
 * characters, and ao_json_set_bytes() sees to the rest.
 */
static void write_text(struct ao_json *to, const char *key, const char *text)
{
	size_t len = strlen(text);

	if (len > AO_MAX_PLAN_BYTES) {
		len = AO_MAX_PLAN_BYTES;
		while (len && ((unsigned char)text[len] & 0xc0) == 0x80)
			len--;
	}
	ao_json_set_bytes(to, key, text, len);
}

static void write_strs(struct ao_json *to, const char *key,
		       const struct ao_strs *strs)
{
	struct ao_json *list;

	if (!strs->count)
		return;
	list = ao_json_new_array();
	for (size_t i = 0; i < strs->count; i++)
		write_text(list, NULL, strs->v[i]);
	ao_json_set(to, key, list);
}

static void write_time(struct ao_json *to, const char *key, int64_t unix_ms)
{
	char text[AO_TIME_SIZE];

	ao_clock_format(text, unix_ms);
	ao_json_set_string(to, key, text);
}

static void write_one(struct ao_json *to, const struct ao_field *field,
		      const void *value)
{
	switch (field->kind) {
	case AO_FIELD_TEXT:
		if (*(char *const *)value)
			write_text(to, field->key, *(char *const *)value);
		break;
	case AO_FIELD_ID:
	case AO_FIELD_RECORD_ID:
		if (*(const char *)value)
			ao_json_set_string(to, field->key, value);
		break;
	case AO_FIELD_NUMBER:
		if (isfinite(*(const double *)value))
			ao_json_set_number(to, field->key,
					   *(const double *)value);
		break;
	case AO_FIELD_COUNT:
		ao_json_set_number(to, field->key, *(const uint32_t *)value);
		break;
	case AO_FIELD_U64:
		ao_json_set_u64(to, field->key, *(const uint64_t *)value);
		break;
	case AO_FIELD_BOOL:
		if (*(const bool *)value)
			ao_json_set_bool(to, field->key, true);
		break;
	case AO_FIELD_TIME:
		write_time(to, field->key, *(const int64_t *)value);
		break;
	case AO_FIELD_STRS:
		write_strs(to, field->key, value);
		break;
	}
}

void ao_fields_write(struct ao_json *to, const struct ao_fields *fields,
		     const void *from)
{
	for (size_t i = 0; i < fields->count; i++)
		write_one(to, &fields->fields[i],
			  at_const(from, &fields->fields[i]));
}

void ao_fields_init(void *out, const struct ao_fields *fields)
{
	for (size_t i = 0; i < fields->count; i++)
		if (fields->fields[i].or_nan)
			*(double *)at(out, &fields->fields[i]) = (double)NAN;
}

static void pull_text(char **out, struct ao_json_pull *pull)
{
	char *text = ao_json_pull_string(pull);

	if (!text)
		return;
	free(*out);
	*out = text;
}

static void pull_hex(char *out, size_t digits, struct ao_json_pull *pull)
{
	char word[AO_ID_SIZE];

	ao_json_pull_word(word, sizeof(word), pull);
	if (ao_fields_is_hex(word, digits))
		memcpy(out, word, digits + 1);
}

static void pull_strs(struct ao_strs *out, struct ao_json_pull *pull)
{
	if (!ao_json_pull_enter(pull, '['))
		return;
	ao_strs_release(out);
	while (ao_json_pull_element(pull)) {
		char *text = ao_json_pull_string(pull);

		if (text)
			ao_strs_push(out, text);
		free(text);
	}
}

static void pull_count(uint32_t *out, struct ao_json_pull *pull)
{
	double number = ao_json_pull_number(pull, -1);

	if (number >= 0 && number <= UINT32_MAX && number == floor(number))
		*out = (uint32_t)number;
}

static void pull_u64(uint64_t *out, struct ao_json_pull *pull)
{
	char digits[24];
	unsigned long long number;

	ao_json_pull_word(digits, sizeof(digits), pull);
	if (!*digits || digits[strspn(digits, "0123456789")])
		return;
	errno = 0;
	number = strtoull(digits, NULL, 10);
	if (!errno)
		*out = number;
}

static void pull_time(int64_t *out, struct ao_json_pull *pull)
{
	char text[AO_TIME_SIZE];

	ao_json_pull_word(text, sizeof(text), pull);
	ao_clock_parse(out, text);
}

static void pull_one(void *value, enum ao_field_kind kind,
		     struct ao_json_pull *pull)
{
	switch (kind) {
	case AO_FIELD_TEXT:
		pull_text(value, pull);
		break;
	case AO_FIELD_ID:
		pull_hex(value, AO_ID_SIZE - 1, pull);
		break;
	case AO_FIELD_RECORD_ID:
		pull_hex(value, AO_RECORD_ID_DIGITS, pull);
		break;
	case AO_FIELD_NUMBER:
		*(double *)value = ao_json_pull_number(pull, *(double *)value);
		break;
	case AO_FIELD_COUNT:
		pull_count(value, pull);
		break;
	case AO_FIELD_U64:
		pull_u64(value, pull);
		break;
	case AO_FIELD_BOOL:
		*(bool *)value = ao_json_pull_true(pull);
		break;
	case AO_FIELD_TIME:
		pull_time(value, pull);
		break;
	case AO_FIELD_STRS:
		pull_strs(value, pull);
		break;
	}
}

bool ao_fields_pull(void *out, const struct ao_fields *fields, size_t *next,
		    struct ao_json_pull *pull)
{
	for (size_t i = 0; i < fields->count; i++) {
		size_t j = (*next + i) % fields->count;
		const struct ao_field *field = &fields->fields[j];

		if (!ao_json_pull_is(pull, field->key))
			continue;
		pull_one(at(out, field), field->kind, pull);
		*next = j + 1;
		return true;
	}
	return false;
}

void ao_fields_pull_object(void *out, const struct ao_fields *fields,
			   struct ao_json_pull *pull)
{
	size_t next = 0;

	if (!ao_json_pull_enter(pull, '{'))
		return;
	while (ao_json_pull_member(pull))
		if (!ao_fields_pull(out, fields, &next, pull))
			ao_json_pull_skip(pull);
}

void *ao_fields_pull_all(size_t *count_out, const struct ao_fields *fields,
			 size_t max, ao_fields_pull_cb *pull_item,
			 struct ao_json_pull *pull)
{
	char *items = NULL;
	size_t count = 0;
	size_t alloc = 0;

	*count_out = 0;
	if (!ao_json_pull_enter(pull, '['))
		return NULL;
	while (ao_json_pull_element(pull)) {
		void *item;

		if (count == max) {
			ao_json_pull_skip(pull);
			continue;
		}
		items = ao_grow(items, &alloc, count + 1, fields->size);
		item = items + count++ * fields->size;
		memset(item, 0, fields->size);
		ao_fields_init(item, fields);
		if (pull_item)
			pull_item(item, pull);
		else
			ao_fields_pull_object(item, fields, pull);
	}
	*count_out = count;
	return items;
}

void ao_fields_own(void *copy, const struct ao_fields *fields)
{
	for (size_t i = 0; i < fields->count; i++) {
		void *value = at(copy, &fields->fields[i]);

		if (fields->fields[i].kind == AO_FIELD_TEXT) {
			char **text = value;

			*text = *text ? ao_xstrdup(*text) : NULL;
		} else if (fields->fields[i].kind == AO_FIELD_STRS) {
			struct ao_strs *strs = value;
			struct ao_strs shared = *strs;

			*strs = (struct ao_strs){ 0 };
			for (size_t j = 0; j < shared.count; j++)
				ao_strs_push(strs, shared.v[j]);
		}
	}
}

void ao_fields_release(void *of, const struct ao_fields *fields)
{
	for (size_t i = 0; i < fields->count; i++) {
		void *value = at(of, &fields->fields[i]);

		if (fields->fields[i].kind == AO_FIELD_TEXT) {
			free(*(char **)value);
			*(char **)value = NULL;
		} else if (fields->fields[i].kind == AO_FIELD_STRS) {
			ao_strs_release(value);
		}
	}
}

void ao_fields_write_all(struct ao_json *to, const char *key,
			 const struct ao_fields *fields, const void *items,
			 size_t count)
{
	struct ao_json *list;

	if (!count)
		return;
	list = ao_json_new_array();
	for (size_t i = 0; i < count; i++) {
		struct ao_json *item = ao_json_new_object();

		ao_fields_write(item, fields,
				(const char *)items + i * fields->size);
		ao_json_set(list, NULL, item);
	}
	ao_json_set(to, key, list);
}

void *ao_fields_copy_all(const struct ao_fields *fields, const void *items,
			 size_t count)
{
	char *copies;

	if (!count)
		return NULL;
	copies = ao_xmalloc(count * fields->size);
	memcpy(copies, items, count * fields->size);
	for (size_t i = 0; i < count; i++)
		ao_fields_own(copies + i * fields->size, fields);
	return copies;
}

void ao_fields_free_all(void *items, const struct ao_fields *fields,
			size_t count)
{
	for (size_t i = 0; i < count; i++)
		ao_fields_release((char *)items + i * fields->size, fields);
	free(items);
}
