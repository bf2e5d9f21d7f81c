/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <cJSON.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>

#include "util/json.h"
#include "util/json_scan.h"
#include "util/limits.h"
#include "util/text.h"

/*
 * A struct ao_json is a cJSON under another name, so that no other file needs
 * cJSON's header.
 */
struct ao_json {
	cJSON node;
};

struct ao_json_doc {
	char *name;
	char *text;
	size_t len;
	struct ao_json *root;
};

static struct ao_json *from_cjson(cJSON *node)
{
	return (struct ao_json *)node;
}

static const struct ao_json *view(const cJSON *node)
{
	return (const struct ao_json *)node;
}

/* Out of memory is handled as everywhere: no call of cJSON's fails then. */
static void start(void)
{
	static bool is_started;
	cJSON_Hooks hooks = { .malloc_fn = ao_xmalloc, .free_fn = free };

	if (!is_started)
		cJSON_InitHooks(&hooks);
	is_started = true;
}

/* What cJSON could not tell: a fault in a tree that did parse. */
struct fault {
	const cJSON *at;
	const char *problem;
};

static int compare_members(const void *a, const void *b)
{
	return strcmp((*(const cJSON *const *)a)->string,
		      (*(const cJSON *const *)b)->string);
}

/* A member whose key occurs before, or NULL; sorted, as there may be many. */
static const cJSON *find_repeat(const cJSON *object)
{
	const cJSON **members = NULL;
	const cJSON *repeat = NULL;
	size_t count = 0;
	size_t alloc = 0;

	for (const cJSON *member = object->child; member;
	     member = member->next) {
		members = ao_grow(members, &alloc, count + 1, sizeof(*members));
		members[count++] = member;
	}
	if (count > 1)
		qsort(members, count, sizeof(*members), compare_members);
	for (size_t i = 1; i < count && !repeat; i++)
		if (!strcmp(members[i - 1]->string, members[i]->string))
			repeat = members[i];
	free(members);
	return repeat;
}

static bool find_fault(struct fault *fault, const cJSON *value)
{
	const cJSON *repeat;

	if (cJSON_IsNumber(value) && !isfinite(value->valuedouble)) {
		*fault = (struct fault){ value, "the number is too large" };
		return true;
	}
	repeat = cJSON_IsObject(value) ? find_repeat(value) : NULL;
	if (repeat) {
		*fault = (struct fault){ repeat, "the key occurs twice" };
		return true;
	}
	for (const cJSON *part = value->child; part; part = part->next)
		if (find_fault(fault, part))
			return true;
	return false;
}

struct ao_json *ao_json_parse(const char *text, size_t len)
{
	struct ao_json_scan scan = { .text = text, .len = len };
	struct fault fault;
	cJSON *root;

	start();
	if (!ao_json_scan(&scan))
		return NULL;
	root = cJSON_ParseWithLength(text, len);
	if (root && find_fault(&fault, root)) {
		cJSON_Delete(root);
		return NULL;
	}
	return from_cjson(root);
}

void ao_json_free(struct ao_json *value)
{
	cJSON_Delete(value ? &value->node : NULL);
}

static size_t line_of(const char *text, size_t at)
{
	size_t line = 1;

	for (size_t i = 0; i < at; i++)
		line += text[i] == '\n';
	return line;
}

struct ao_error *ao_json_doc_parse(struct ao_json_doc **out, const char *name,
				   const char *text, size_t len)
{
	struct ao_json_scan scan = { .text = text, .len = len };
	struct ao_error *err = NULL;
	struct ao_json_doc *doc;
	struct fault fault;

	start();
	if (!ao_json_scan(&scan))
		return ao_error_new(scan.code, "%s:%zu: %s", name,
				    line_of(text, scan.at), scan.problem);

	doc = ao_xcalloc(1, sizeof(*doc));
	doc->name = ao_xstrdup(name);
	doc->text = ao_xstrndup(text, len);
	doc->len = len;
	doc->root = from_cjson(cJSON_ParseWithLength(text, len));
	if (!doc->root)
		err = ao_error_new(AO_EINVALID, "%s: cannot be read", name);
	else if (find_fault(&fault, &doc->root->node))
		err = ao_json_complain(doc, view(fault.at), NULL, "%s",
				       fault.problem);
	if (err) {
		ao_json_doc_free(doc);
		return err;
	}
	*out = doc;
	return NULL;
}

void ao_json_doc_free(struct ao_json_doc *doc)
{
	if (!doc)
		return;
	ao_json_free(doc->root);
	free(doc->text);
	free(doc->name);
	free(doc);
}

const struct ao_json *ao_json_doc_root(const struct ao_json_doc *doc)
{
	return doc->root;
}

/* Append a key to a path; keys come from outside and end up on terminals. */
static void add_key(struct ao_buf *path, const char *key)
{
	struct ao_buf safe = AO_BUF_INIT(4096);

	if (path->len)
		ao_buf_addstr(path, ".");
	ao_text_safe(&safe, key, strlen(key));
	ao_text_cut(path, safe.ptr, 60);
	ao_buf_release(&safe);
}

/*
 * Look for `value` at and below `from`.  On success `path` is where it is and
 * *number how many values begin before it.
 */
static bool locate(struct ao_buf *path, size_t *number, const cJSON *from,
		   const cJSON *value)
{
	size_t len = path->len;
	size_t i = 0;

	if (from == value)
		return true;
	for (const cJSON *part = from->child; part; part = part->next, i++) {
		(*number)++;
		if (part->string)
			add_key(path, part->string);
		else
			ao_buf_addf(path, "[%zu]", i);
		if (locate(path, number, part, value))
			return true;
		path->len = len;
		path->ptr[len] = '\0';
	}
	return false;
}

struct ao_error *ao_json_complain(const struct ao_json_doc *doc,
				  const struct ao_json *value, const char *key,
				  const char *fmt, ...)
{
	const struct ao_json *member = key ? ao_json_get(value, key) : NULL;
	struct ao_json_scan scan = { .text = doc->text, .len = doc->len };
	struct ao_buf path = AO_BUF_INIT(4096);
	struct ao_error *err;
	va_list ap;
	char *what;

	ao_buf_addstr(&path, ""); /* owned, for locate() to cut */
	if (!locate(&path, &scan.wanted, &doc->root->node,
		    member ? &member->node : &value->node))
		scan.wanted = 0;
	if (key && !member)
		add_key(&path, key);
	ao_json_scan(&scan);

	va_start(ap, fmt);
	what = ao_xvstrf(fmt, ap);
	va_end(ap);
	err = ao_error_new(AO_EINVALID, "%s:%zu: %s%s%s", doc->name,
			   line_of(doc->text, scan.wanted_at), path.ptr,
			   path.len ? ": " : "", what);
	free(what);
	ao_buf_release(&path);
	return err;
}

enum ao_json_kind ao_json_kind(const struct ao_json *value)
{
	if (cJSON_IsObject(&value->node))
		return AO_JSON_OBJECT;
	if (cJSON_IsArray(&value->node))
		return AO_JSON_ARRAY;
	if (cJSON_IsString(&value->node))
		return AO_JSON_STRING;
	if (cJSON_IsNumber(&value->node))
		return AO_JSON_NUMBER;
	return cJSON_IsBool(&value->node) ? AO_JSON_BOOL : AO_JSON_NULL;
}

const struct ao_json *ao_json_get(const struct ao_json *object, const char *key)
{
	const cJSON *member = object ? object->node.child : NULL;

	/* The elements of an array have no key. */
	while (member && (!member->string || strcmp(member->string, key) != 0))
		member = member->next;
	return view(member);
}

size_t ao_json_count(const struct ao_json *value)
{
	size_t count = 0;

	for (const cJSON *part = value->node.child; part; part = part->next)
		count++;
	return count;
}

const struct ao_json *ao_json_first(const struct ao_json *value)
{
	return view(value->node.child);
}

const struct ao_json *ao_json_next(const struct ao_json *element)
{
	return view(element->node.next);
}

const char *ao_json_key(const struct ao_json *member)
{
	return member->node.string;
}

const char *ao_json_text(const struct ao_json *value)
{
	return value && cJSON_IsString(&value->node) ? value->node.valuestring
						     : NULL;
}

double ao_json_value(const struct ao_json *value)
{
	return value && cJSON_IsNumber(&value->node) ? value->node.valuedouble
						     : (double)NAN;
}

bool ao_json_truth(const struct ao_json *value)
{
	return value && cJSON_IsTrue(&value->node);
}

const char *ao_json_string(const struct ao_json *object, const char *key,
			   const char *otherwise)
{
	const char *text = ao_json_text(ao_json_get(object, key));

	return text ? text : otherwise;
}

bool ao_json_bool(const struct ao_json *object, const char *key, bool otherwise)
{
	const struct ao_json *member = ao_json_get(object, key);

	if (!member || !cJSON_IsBool(&member->node))
		return otherwise;
	return ao_json_truth(member);
}

uint64_t ao_json_u64(const struct ao_json *object, const char *key,
		     uint64_t otherwise)
{
	const char *digits = ao_json_text(ao_json_get(object, key));
	unsigned long long number;

	if (!digits || !*digits || digits[strspn(digits, "0123456789")])
		return otherwise;
	errno = 0;
	number = strtoull(digits, NULL, 10);
	return errno ? otherwise : number;
}

struct ao_json *ao_json_new_object(void)
{
	start();
	return from_cjson(cJSON_CreateObject());
}

struct ao_json *ao_json_new_array(void)
{
	start();
	return from_cjson(cJSON_CreateArray());
}

static void append(struct ao_json *to, const char *key, cJSON *value)
{
	if (key)
		cJSON_AddItemToObject(&to->node, key, value);
	else
		cJSON_AddItemToArray(&to->node, value);
}

void ao_json_set(struct ao_json *to, const char *key, struct ao_json *value)
{
	if (value)
		append(to, key, &value->node);
}

void ao_json_set_string(struct ao_json *to, const char *key, const char *s)
{
	if (s)
		ao_json_set_bytes(to, key, s, strlen(s));
}

void ao_json_set_number(struct ao_json *to, const char *key, double number)
{
	append(to, key,
	       isfinite(number) ? cJSON_CreateNumber(number)
				: cJSON_CreateNull());
}

void ao_json_set_bool(struct ao_json *to, const char *key, bool truth)
{
	append(to, key, cJSON_CreateBool(truth));
}

void ao_json_set_u64(struct ao_json *to, const char *key, uint64_t number)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "%" PRIu64, number);
	append(to, key, cJSON_CreateString(digits));
}

void ao_json_set_bytes(struct ao_json *to, const char *key, const char *data,
		       size_t len)
{
	struct ao_buf clean = AO_BUF_INIT(SIZE_MAX / 8);

	while (len) {
		size_t good = ao_text_utf8_prefix(data, len);

		ao_buf_add(&clean, data, good);
		if (good < len) {
			ao_buf_addstr(&clean, "\xef\xbf\xbd");
			good++;
		}
		data += good;
		len -= good;
	}
	append(to, key, cJSON_CreateString(clean.ptr));
	ao_buf_release(&clean);
}
