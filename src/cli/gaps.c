/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "util/text.h"

#include "cli/gaps.h"
#include "cli/hint.h"

enum { MAX_WHY_BYTES = 4 << 10 };

static void warn(const char *what, const char *why)
{
	struct ao_buf safe = AO_BUF_INIT(MAX_WHY_BYTES);

	ao_text_safe(&safe, why, strlen(why));
	fflush(stdout);
	fprintf(stderr, "warning: %s%s\n", what, safe.ptr);
	ao_buf_release(&safe);
}

void ao_gaps_tell(struct ao_repo *repo, const struct ao_history *history)
{
	if (history->is_incomplete)
		warn("not all of the history is here: ",
		     history->incomplete_why);
	for (size_t i = 0; i < history->bad_notes.count; i++)
		warn("", history->bad_notes.v[i]);
	if (history->lacks_notes)
		ao_hint(repo,
			"there are no notes here, so no verdicts, gains and "
			"insights; a clone leaves\n"
			"them behind, and this gets them:\n"
			"  git fetch origin "
			"'+refs/notes/accelopt/*:"
			"refs/notes/remotes/origin/accelopt/*'");
}
