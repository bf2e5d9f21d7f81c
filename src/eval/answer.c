/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "eval/answer.h"
#include "util/json.h"

/* More causes than any chain of ours has. */
enum { MAX_CAUSES = 16 };

static const char *const code_names[] = {
	[AO_OK] = "ok",
	[AO_EUSAGE] = "usage",
	[AO_ENOTFOUND] = "notfound",
	[AO_ECONFLICT] = "conflict",
	[AO_EINVALID] = "invalid",
	[AO_ELIMIT] = "limit",
	[AO_EIO] = "io",
	[AO_ETRUST] = "trust",
	[AO_ECANCELED] = "canceled",
};

static enum ao_errcode code_from_name(const char *name)
{
	for (size_t i = 1; i < AO_ARRAY_SIZE(code_names); i++) {
		if (!strcmp(code_names[i], name))
			return (enum ao_errcode)i;
	}
	return AO_EIO;
}

void ao_answer_write(struct ao_buf *out, const struct ao_result *result,
		     const struct ao_error *err)
{
	struct ao_json *answer = ao_json_new_object();
	struct ao_json *part = result ? ao_json_new_object()
				      : ao_json_new_array();

	if (result)
		ao_result_to_json(part, result, true);
	ao_json_set(answer, result ? "result" : "error", part);
	if (!result)
		ao_json_set_string(answer, "code",
				   code_names[ao_error_code(err)]);
	for (; !result && err; err = ao_error_cause(err)) {
		const char *text = ao_error_message(err);

		ao_json_set_bytes(part, NULL, text, strlen(text));
	}
	ao_json_print(out, answer, false);
	ao_json_free(answer);
}

/* The judge's chain of causes, as one of ours. */
static struct ao_error *rebuild(const struct ao_json *causes,
				enum ao_errcode code)
{
	const char *texts[MAX_CAUSES];
	struct ao_error *err = NULL;
	size_t count = 0;

	for (const struct ao_json *cause = ao_json_first(causes);
	     cause && count < MAX_CAUSES; cause = ao_json_next(cause)) {
		if (ao_json_text(cause))
			texts[count++] = ao_json_text(cause);
	}
	while (count--) {
		if (err)
			err = ao_error_wrap(err, "%s", texts[count]);
		else
			err = ao_error_new(code, "%s", texts[count]);
	}
	return err ? err : ao_error_new(code, "the judge does not say why");
}

bool ao_answer_read(struct ao_result *out, struct ao_error **err_out,
		    const char *text, size_t len)
{
	struct ao_json *answer = ao_json_parse(text, len);
	const struct ao_json *result = ao_json_get(answer, "result");
	const struct ao_json *causes = ao_json_get(answer, "error");
	bool is_answer = true;

	if (result && ao_json_kind(result) == AO_JSON_OBJECT)
		ao_result_from_json(out, result);
	else if (causes && ao_json_kind(causes) == AO_JSON_ARRAY)
		*err_out = rebuild(causes, code_from_name(ao_json_string(
						   answer, "code", "io")));
	else
		is_answer = false;
	ao_json_free(answer);
	return is_answer;
}
