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

static void read_text(char **out, const struct ao_json *member)
{
	const char *text = ao_json_text(member);

	if (!text)
		return;
	free(*out);
	*out = ao_xstrdup(text);
}

static void read_hex(char *out, const struct ao_json *member, size_t digits)
{
	const char *text = ao_json_text(member);

	if (text && ao_fields_is_hex(text, digits))
		memcpy(out, text, digits + 1);
}

static void read_strs(struct ao_strs *out, const struct ao_json *member)
{
	if (ao_json_kind(member) != AO_JSON_ARRAY)
		return;
	ao_strs_release(out);
	for (const struct ao_json *e = ao_json_first(member); e;
	     e = ao_json_next(e)) {
		const char *text = ao_json_text(e);

		if (text)
			ao_strs_push(out, text);
	}
}

static void read_count(uint32_t *out, const struct ao_json *member)
{
	double number = ao_json_value(member);

	if (number >= 0 && number <= UINT32_MAX && number == floor(number))
		*out = (uint32_t)number;
}

static void read_u64(uint64_t *out, const struct ao_json *member)
{
	const char *digits = ao_json_text(member);
	unsigned long long number;

	if (!digits || !*digits || digits[strspn(digits, "0123456789")])
		return;
	errno = 0;
	number = strtoull(digits, NULL, 10);
	if (!errno)
		*out = number;
}

static void read_time(int64_t *out, const struct ao_json *member)
{
	const char *text = ao_json_text(member);

	if (text)
		ao_clock_parse(out, text);
}

static void read_one(void *value, const struct ao_field *field,
		     const struct ao_json *member)
{
	switch (field->kind) {
	case AO_FIELD_TEXT:
		read_text(value, member);
		break;
	case AO_FIELD_ID:
		read_hex(value, member, AO_ID_SIZE - 1);
		break;
	case AO_FIELD_RECORD_ID:
		read_hex(value, member, AO_RECORD_ID_DIGITS);
		break;
	case AO_FIELD_NUMBER:
		if (ao_json_kind(member) == AO_JSON_NUMBER)
			*(double *)value = ao_json_value(member);
		break;
	case AO_FIELD_COUNT:
		read_count(value, member);
		break;
	case AO_FIELD_U64:
		read_u64(value, member);
		break;
	case AO_FIELD_BOOL:
		*(bool *)value = ao_json_truth(member);
		break;
	case AO_FIELD_TIME:
		read_time(value, member);
		break;
	case AO_FIELD_STRS:
		read_strs(value, member);
		break;
	}
}

void ao_fields_read(void *out, const struct ao_fields *fields,
		    const struct ao_json *from)
{
	size_t next = 0;

	for (size_t i = 0; i < fields->count; i++)
		if (fields->fields[i].or_nan)
			*(double *)at(out, &fields->fields[i]) = (double)NAN;
	if (!from || ao_json_kind(from) != AO_JSON_OBJECT)
		return;
	for (const struct ao_json *member = ao_json_first(from); member;
	     member = ao_json_next(member)) {
		for (size_t i = 0; i < fields->count; i++) {
			size_t j = (next + i) % fields->count;
			const struct ao_field *field = &fields->fields[j];

			if (strcmp(field->key, ao_json_key(member)) != 0)
				continue;
			read_one(at(out, field), field, member);
			next = j + 1;
			break;
		}
	}
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

void *ao_fields_read_all(size_t *count_out, const struct ao_json *list,
			 const struct ao_fields *fields, size_t max)
{
	char *items = NULL;
	size_t count = 0;
	size_t alloc = 0;

	if (!list || ao_json_kind(list) != AO_JSON_ARRAY)
		goto out;
	for (const struct ao_json *e = ao_json_first(list); e && count < max;
	     e = ao_json_next(e)) {
		items = ao_grow(items, &alloc, count + 1, fields->size);
		memset(items + count * fields->size, 0, fields->size);
		ao_fields_read(items + count * fields->size, fields, e);
		count++;
	}
out:
	*count_out = count;
	return items;
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
