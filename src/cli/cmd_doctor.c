/* SPDX-License-Identifier: MIT */
/*
 * cmd_doctor.c - git accelopt doctor: what this machine offers, what is
 * missing, and what to do about it, on one screen.
 */
#include "util/base.h"

#include "store/repo.h"

#include "cli/checkup.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/tell.h"

enum { MAX_TEXT_BYTES = 64 << 10 };

static void answer(const struct ao_findings *findings, bool as_json)
{
	struct ao_buf text = AO_BUF_INIT(MAX_TEXT_BYTES);
	struct ao_json *json;

	if (!as_json) {
		ao_findings_text(&text, findings);
		ao_tell(&text);
		return;
	}
	json = ao_json_new_object();
	ao_json_set_bool(json, "works",
			 ao_findings_worst(findings) != AO_FINDING_ERROR);
	ao_json_set(json, "findings", ao_findings_json(findings));
	ao_tell_json(json);
}

/* Outside a repository there is still a machine to look at. */
static struct ao_error *configure(const struct ao_options *options,
				  struct ao_repo **repo_out)
{
	struct ao_error *err = ao_repo_open(repo_out);

	if (ao_error_code(err) == AO_ENOTFOUND) {
		ao_error_free(err);
		return NULL;
	}
	return err ? err : ao_options_configure(options, *repo_out);
}

struct ao_error *ao_cmd_doctor(int *status, const struct ao_command *self,
			       int argc, char **argv)
{
	const char *sandbox = NULL;
	bool as_json = false;
	const struct ao_option table[] = {
		AO_STRING(0, "sandbox", &sandbox, "accelopt.sandbox", "how",
			  "require the sandbox, prefer it, or take any"),
		AO_FLAG(0, "json", &as_json, "print JSON, one object"),
		AO_END,
	};
	struct ao_findings findings = { 0 };
	enum ao_policy policy;
	struct ao_options options;
	struct ao_repo *repo = NULL;
	struct ao_error *err;

	err = ao_options_parse(&options, self, table, argc, argv);
	if (!err)
		err = ao_options_operands(&options, "");
	if (!err)
		err = configure(&options, &repo);
	if (!err)
		err = ao_policy_read(&policy, sandbox);
	if (!err) {
		ao_checkup_tools(&findings, policy);
		ao_checkup_machine(&findings);
		answer(&findings, as_json);
		if (ao_findings_worst(&findings) == AO_FINDING_ERROR)
			*status = AO_STATUS_NO;
	}
	ao_findings_release(&findings);
	ao_repo_free(repo);
	return err;
}
