/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <unistd.h>

#include "util/text.h"

#include "store/gitrun.h"

#include "cli/color.h"
#include "cli/pager.h"

const char ao_color_reset[] = "\033[m";

/* What `git config <args>` prints, or nothing. */
static void ask_config(struct ao_buf *out, const char *question,
		       const char *key, const char *otherwise)
{
	const char *const args[] = { "config", question, key, otherwise, NULL };
	struct ao_process_end end = { 0 };
	struct ao_strs env = { 0 };
	struct ao_git_run run = { .args = args };
	struct ao_error *err;

	ao_git_run_env(&env, NULL);
	run.env = (const char *const *)env.v;
	err = ao_git_run_ok(&end, &run);
	if (!err)
		ao_buf_add(out, end.output, end.output_len);
	ao_error_free(err);
	ao_process_end_release(&end);
	ao_strs_release(&env);
}

bool ao_color_is_on(void)
{
	const char *unwanted = getenv("NO_COLOR");
	struct ao_buf answer = AO_BUF_INIT(64);
	bool is_terminal, is_on;

	if (unwanted && *unwanted)
		return false;
	is_terminal = isatty(STDOUT_FILENO) || ao_pager_is_used();
	ask_config(&answer, "--get-colorbool", "color.accelopt",
		   is_terminal ? "true" : "false");
	is_on = ao_text_starts_with(answer.ptr, "true");
	ao_buf_release(&answer);
	return is_on;
}

void ao_color_add(struct ao_buf *out, const char *slot, const char *otherwise)
{
	ask_config(out, "--get-color", slot, otherwise);
}
