/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <signal.h>
#include <sys/wait.h>

#include "eval/outcome.h"
#include "eval/seccomp.h"
#include "util/text.h"

void ao_outcome_set(struct ao_outcome *out, enum ao_verdict verdict,
		    char *detail)
{
	free(out->detail);
	out->verdict = verdict;
	out->detail = detail;
}

void ao_outcome_died(struct ao_outcome *out, const struct ao_control *control,
		     const int *status, const char *when)
{
	uint32_t refused = atomic_load(&control->refused);
	char *detail;

	if (refused) {
		char *call = ao_seccomp_explain(refused - 1);

		detail = ao_xstrf("%s %s", call, when);
		free(call);
	} else if (!status) {
		detail = ao_xstrf("its sandbox was killed %s", when);
	} else if (WIFSIGNALED(*status) && WTERMSIG(*status) == SIGKILL) {
		detail = ao_xstrf("killed %s, maybe out of memory", when);
	} else if (WIFSIGNALED(*status)) {
		const char *name = sigabbrev_np(WTERMSIG(*status));

		detail = ao_xstrf("crashed with SIG%s (%s) %s",
				  name ? name : "",
				  strsignal(WTERMSIG(*status)), when);
	} else {
		detail = ao_xstrf("ended the process with status %d %s",
				  WEXITSTATUS(*status), when);
	}
	ao_outcome_set(out, AO_VERDICT_RUNTIME_ERROR, detail);
}

/* Text from a process that may hold candidate code, on one line. */
static char *quoted_message(const struct ao_control *control)
{
	struct ao_buf text = AO_BUF_INIT(1024);
	char message[AO_CONTROL_MESSAGE_SIZE];
	size_t len;

	memcpy(message, control->message, sizeof(message));
	len = strnlen(message, sizeof(message));
	for (size_t i = 0; i < len; i++)
		if (message[i] == '\n')
			message[i] = ' ';
	ao_text_safe(&text, message, len);
	return ao_buf_take(&text);
}

void ao_outcome_loaded(struct ao_outcome *out, const struct ao_control *control)
{
	char *why;

	if (atomic_load(&control->state) == AO_CONTROL_LOADED)
		return;
	why = quoted_message(control);
	ao_outcome_set(out, AO_VERDICT_RUNTIME_ERROR,
		       ao_xstrf("cannot be loaded: %s", why));
	free(why);
}
