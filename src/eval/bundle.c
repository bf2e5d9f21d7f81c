/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "eval/bundle.h"
#include "model/fields.h"
#include "model/library.h"
#include "util/json.h"
#include "util/limits.h"
#include "util/text.h"

enum { BUNDLE_VERSION = 1 };

static const char *const stage_names[] = {
	[AO_STAGE_CHECK] = "check",
	[AO_STAGE_SCREEN] = "screen",
	[AO_STAGE_FULL] = "full",
	[AO_STAGE_CONFIRM] = "confirm",
};

/* The text of a file; in hexadecimal if JSON cannot hold it as it is. */
static void set_data(struct ao_json *to, const struct ao_kernel_file *file)
{
	struct ao_buf hex = AO_BUF_INIT((size_t)2 * AO_MAX_KERNEL_BYTES);

	if (ao_text_is_utf8(file->data, file->len)) {
		ao_json_set_string(to, "text", file->data);
		return;
	}
	for (size_t i = 0; i < file->len; i++)
		ao_buf_addf(&hex, "%02x", (unsigned char)file->data[i]);
	ao_json_set_string(to, "hex", hex.ptr);
	ao_buf_release(&hex);
}

/* None where there are none: candidates never have any. */
static void set_libraries(struct ao_json *to, uint32_t libraries)
{
	struct ao_json *list;

	if (!libraries)
		return;
	list = ao_json_new_array();
	for (size_t i = 0; i < AO_LIBRARY_COUNT; i++)
		if (libraries >> i & 1)
			ao_json_set_string(list, NULL, ao_libraries[i].name);
	ao_json_set(to, "libraries", list);
}

static struct ao_json *kernel_to_json(const struct ao_kernel *kernel)
{
	struct ao_json *json = ao_json_new_object();
	struct ao_json *files = ao_json_new_array();

	ao_json_set_string(json, "id", kernel->id);
	for (size_t i = 0; i < kernel->count; i++) {
		struct ao_json *file = ao_json_new_object();

		ao_json_set_string(file, "path", kernel->files[i].path);
		set_data(file, &kernel->files[i]);
		ao_json_set(files, NULL, file);
	}
	ao_json_set(json, "files", files);
	set_libraries(json, kernel->libraries);
	return json;
}

/* Left out where nobody chose, so that older judges understand the bundle. */
static void set_cases(struct ao_json *to, const struct ao_strs *cases)
{
	struct ao_json *list;

	if (!cases || !cases->count)
		return;
	list = ao_json_new_array();
	for (size_t i = 0; i < cases->count; i++)
		ao_json_set_string(list, NULL, cases->v[i]);
	ao_json_set(to, "cases", list);
}

void ao_bundle_write(struct ao_buf *out, const struct ao_bundle *bundle)
{
	struct ao_json *json = ao_json_new_object();
	struct ao_json *opponents = ao_json_new_array();

	ao_json_set_number(json, "v", BUNDLE_VERSION);
	ao_json_set_string(json, "stage", stage_names[bundle->stage]);
	ao_json_set_bool(json, "with_remarks", bundle->with_remarks);
	ao_json_set_bool(json, "with_cachegrind", bundle->with_cachegrind);
	ao_json_set_u64(json, "seed", bundle->seed);
	ao_json_set_number(json, "call_timeout_ms", bundle->call_timeout_ms);
	ao_json_set_number(json, "build_timeout_ms", bundle->build_timeout_ms);
	ao_json_set_string(json, "task", bundle->task->json);
	ao_json_set_string(json, "reference", bundle->task->reference);
	ao_json_set(json, "candidate", kernel_to_json(bundle->candidate));
	for (size_t i = 0; i < bundle->opponent_count; i++)
		ao_json_set(opponents, NULL,
			    kernel_to_json(&bundle->opponents[i]));
	ao_json_set(json, "opponents", opponents);
	set_cases(json, bundle->cases);
	if (bundle->machine)
		ao_json_set(json, "machine",
			    ao_machine_to_json(bundle->machine, true));
	ao_json_print(out, json, false);
	ao_json_free(json);
}

void ao_bundle_release(struct ao_bundle_owned *bundle)
{
	ao_task_free(bundle->task);
	ao_kernel_release(&bundle->candidate);
	for (size_t i = 0; i < bundle->bundle.opponent_count; i++)
		ao_kernel_release(&bundle->opponents[i]);
	free(bundle->opponents);
	ao_strs_release(&bundle->cases);
	ao_machine_release(&bundle->machine);
	*bundle = (struct ao_bundle_owned){ 0 };
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

static struct ao_error *read_hex(struct ao_buf *out,
				 const struct ao_json_doc *doc,
				 const struct ao_json *file)
{
	const char *hex;
	struct ao_error *err = ao_json_want_string(&hex, doc, file, "hex");

	if (err)
		return err;
	for (; *hex; hex += 2) {
		int high = hex_digit(hex[0]);
		int low = high < 0 ? -1 : hex_digit(hex[1]);
		char byte = (char)(high * 16 + low);

		if (low < 0)
			return ao_json_complain(doc, file, "hex",
						"expected pairs of digits "
						"0-9 a-f");
		ao_buf_add(out, &byte, 1);
	}
	return NULL;
}

static struct ao_error *read_data(struct ao_buf *out,
				  const struct ao_json_doc *doc,
				  const struct ao_json *file)
{
	const char *text;
	struct ao_error *err;

	if (ao_json_get(file, "hex"))
		return read_hex(out, doc, file);
	err = ao_json_want_string(&text, doc, file, "text");
	if (!err)
		ao_buf_addstr(out, text);
	return err;
}

static struct ao_error *read_file(struct ao_kernel *kernel,
				  const struct ao_json_doc *doc,
				  const struct ao_json *file)
{
	static const char *const keys[] = { "path", "text", "hex" };
	struct ao_buf data = AO_BUF_INIT(AO_MAX_KERNEL_BYTES);
	const char *path;
	struct ao_error *err;

	err = ao_json_want_only(doc, file, keys, AO_ARRAY_SIZE(keys));
	if (!err)
		err = ao_json_want_string(&path, doc, file, "path");
	if (!err)
		err = read_data(&data, doc, file);
	if (!err)
		err = ao_buf_check(&data, "a kernel's file");
	if (!err)
		ao_kernel_add(kernel, path, data.ptr, data.len);
	ao_buf_release(&data);
	return err;
}

static struct ao_error *read_files(struct ao_kernel *kernel,
				   const struct ao_json_doc *doc,
				   const struct ao_json *json)
{
	const struct ao_json *files;
	struct ao_error *err;

	err = ao_json_want(&files, doc, json, "files", AO_JSON_ARRAY);
	if (err)
		return err;
	if (!ao_json_count(files) || ao_json_count(files) > AO_MAX_FILES)
		return ao_json_complain(doc, files, NULL,
					"expected 1 to %d files", AO_MAX_FILES);
	for (const struct ao_json *file = ao_json_first(files); file && !err;
	     file = ao_json_next(file))
		err = read_file(kernel, doc, file);
	return err;
}

/* A kernel id: 40 hexadecimal digits, or nothing. */
static bool is_id(const char *id)
{
	return !*id || ao_fields_is_hex(id, AO_ID_SIZE - 1);
}

/* Only an opponent may have libraries: a candidate is not trusted. */
static struct ao_error *read_kernel(struct ao_kernel *out,
				    const struct ao_json_doc *doc,
				    const struct ao_json *json,
				    bool is_opponent)
{
	static const char *const keys[] = { "id", "files", "libraries" };
	size_t key_count = AO_ARRAY_SIZE(keys) - (is_opponent ? 0 : 1);
	struct ao_kernel kernel = { 0 };
	const char *id;
	struct ao_error *err;

	err = ao_json_want_only(doc, json, keys, key_count);
	if (!err)
		err = ao_libraries_read(&kernel.libraries, doc, json);
	if (!err)
		err = ao_json_want_string(&id, doc, json, "id");
	if (!err && !is_id(id))
		err = ao_json_complain(doc, json, "id",
				       "expected 40 hexadecimal digits");
	if (!err)
		err = read_files(&kernel, doc, json);
	if (err) {
		ao_kernel_release(&kernel);
		return err;
	}
	memcpy(kernel.id, id, strlen(id) + 1);
	*out = kernel;
	return NULL;
}

static struct ao_error *read_opponents(struct ao_bundle_owned *bundle,
				       const struct ao_json_doc *doc,
				       const struct ao_json *root)
{
	const struct ao_json *list;
	struct ao_error *err;

	err = ao_json_want(&list, doc, root, "opponents", AO_JSON_ARRAY);
	if (err)
		return err;
	if (ao_json_count(list) > AO_MAX_OPPONENTS)
		return ao_json_complain(doc, list, NULL,
					"more than %d opponents",
					AO_MAX_OPPONENTS);
	bundle->opponents = ao_xcalloc(ao_json_count(list),
				       sizeof(*bundle->opponents));
	for (const struct ao_json *json = ao_json_first(list); json && !err;
	     json = ao_json_next(json)) {
		size_t *count = &bundle->bundle.opponent_count;

		err = read_kernel(&bundle->opponents[*count], doc, json, true);
		if (!err)
			++*count;
	}
	return err;
}

static struct ao_error *read_task(struct ao_bundle_owned *bundle,
				  const struct ao_json_doc *doc,
				  const struct ao_json *root)
{
	const char *json = NULL;
	const char *reference = NULL;
	struct ao_error *err;

	err = ao_json_want_string(&json, doc, root, "task");
	if (!err)
		err = ao_json_want_string(&reference, doc, root, "reference");
	if (!err)
		err = ao_task_parse(&bundle->task, "bundle: task.json", json,
				    strlen(json));
	if (!err)
		ao_task_set_reference(bundle->task, reference,
				      strlen(reference));
	return err;
}

static struct ao_error *read_stage(enum ao_stage *out,
				   const struct ao_json_doc *doc,
				   const struct ao_json *root)
{
	const char *name;
	struct ao_error *err = ao_json_want_string(&name, doc, root, "stage");

	if (err)
		return err;
	for (size_t i = 0; i < AO_ARRAY_SIZE(stage_names); i++) {
		if (!strcmp(stage_names[i], name)) {
			*out = (enum ao_stage)i;
			return NULL;
		}
	}
	return ao_json_complain(doc, root, "stage",
				"expected check, screen or full");
}

/* A time limit: at most a day, so that no sum of them can overflow. */
static struct ao_error *read_timeout(uint32_t *out,
				     const struct ao_json_doc *doc,
				     const struct ao_json *root,
				     const char *key)
{
	double ms;
	struct ao_error *err = ao_json_want_number(&ms, doc, root, key, 0,
						   86400000);

	if (!err)
		*out = (uint32_t)ms;
	return err;
}

static struct ao_error *read_seed(uint64_t *out, const struct ao_json_doc *doc,
				  const struct ao_json *root)
{
	const char *digits;
	struct ao_error *err = ao_json_want_string(&digits, doc, root, "seed");

	if (err)
		return err;
	*out = ao_json_u64(root, "seed", 0);
	if (!*out && strcmp(digits, "0") != 0)
		return ao_json_complain(doc, root, "seed",
					"expected a number below 2^64, as a "
					"string");
	return NULL;
}

static struct ao_error *read_settings(struct ao_bundle *bundle,
				      const struct ao_json_doc *doc,
				      const struct ao_json *root)
{
	double version;
	struct ao_error *err;

	err = ao_json_want_number(&version, doc, root, "v", BUNDLE_VERSION,
				  BUNDLE_VERSION);
	if (!err)
		err = read_stage(&bundle->stage, doc, root);
	if (!err)
		err = read_seed(&bundle->seed, doc, root);
	if (!err)
		err = read_timeout(&bundle->call_timeout_ms, doc, root,
				   "call_timeout_ms");
	if (!err)
		err = read_timeout(&bundle->build_timeout_ms, doc, root,
				   "build_timeout_ms");
	bundle->with_remarks = ao_json_bool(root, "with_remarks", false);
	bundle->with_cachegrind = ao_json_bool(root, "with_cachegrind", false);
	return err;
}

static struct ao_error *read_candidate(struct ao_bundle_owned *bundle,
				       const struct ao_json_doc *doc,
				       const struct ao_json *root)
{
	const struct ao_json *json;
	struct ao_error *err = ao_json_want(&json, doc, root, "candidate",
					    AO_JSON_OBJECT);

	return err ? err : read_kernel(&bundle->candidate, doc, json, false);
}

static struct ao_error *read_cases(struct ao_bundle_owned *bundle,
				   const struct ao_json_doc *doc,
				   const struct ao_json *root)
{
	const struct ao_json *list;
	struct ao_error *err;

	if (!ao_json_get(root, "cases"))
		return NULL;
	err = ao_json_want(&list, doc, root, "cases", AO_JSON_ARRAY);
	if (err)
		return err;
	if (ao_json_count(list) > AO_MAX_CASES)
		return ao_json_complain(doc, list, NULL, "more than %d cases",
					AO_MAX_CASES);
	for (const struct ao_json *e = ao_json_first(list); e;
	     e = ao_json_next(e)) {
		const char *name = ao_json_text(e);

		if (!name || !ao_task_case(bundle->task, name))
			return ao_json_complain(doc, e, NULL,
						"expected the name of a case");
		ao_strs_push(&bundle->cases, name);
	}
	return NULL;
}

static struct ao_error *read_machine(struct ao_bundle_owned *bundle,
				     const struct ao_json_doc *doc,
				     const struct ao_json *root)
{
	const struct ao_json *json = ao_json_get(root, "machine");

	if (!json)
		return NULL;
	if (ao_json_kind(json) != AO_JSON_OBJECT)
		return ao_json_complain(doc, json, NULL, "expected an object");
	ao_machine_from_json(&bundle->machine, json);
	bundle->bundle.machine = &bundle->machine;
	return NULL;
}

static struct ao_error *read_all(struct ao_bundle_owned *bundle,
				 const struct ao_json_doc *doc)
{
	static const char *const keys[] = {
		"v",
		"stage",
		"with_remarks",
		"with_cachegrind",
		"seed",
		"call_timeout_ms",
		"task",
		"build_timeout_ms",
		"reference",
		"candidate",
		"opponents",
		"cases",
		"machine",
	};
	const struct ao_json *root = ao_json_doc_root(doc);
	struct ao_error *err;

	err = ao_json_want_only(doc, root, keys, AO_ARRAY_SIZE(keys));
	if (!err)
		err = read_settings(&bundle->bundle, doc, root);
	if (!err)
		err = read_task(bundle, doc, root);
	if (!err)
		err = read_candidate(bundle, doc, root);
	if (!err)
		err = read_opponents(bundle, doc, root);
	if (!err)
		err = read_cases(bundle, doc, root);
	if (!err)
		err = read_machine(bundle, doc, root);
	return err;
}

struct ao_error *ao_bundle_read(struct ao_bundle_owned *out, const char *text,
				size_t len)
{
	struct ao_bundle_owned bundle = { 0 };
	struct ao_json_doc *doc = NULL;
	struct ao_error *err;

	if (len > AO_MAX_RESULT_BYTES)
		return ao_error_new(AO_ELIMIT, "the bundle is over %d bytes",
				    AO_MAX_RESULT_BYTES);
	err = ao_json_doc_parse(&doc, "bundle", text, len);
	if (!err)
		err = read_all(&bundle, doc);
	ao_json_doc_free(doc);
	if (err) {
		ao_bundle_release(&bundle);
		return err;
	}
	*out = bundle;
	out->bundle.task = out->task;
	out->bundle.candidate = &out->candidate;
	out->bundle.opponents = out->opponents;
	out->bundle.cases = &out->cases;
	if (out->bundle.machine)
		out->bundle.machine = &out->machine;
	return NULL;
}
