/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "util/text.h"

#include "cli/gaps.h"
#include "cli/hint.h"

enum { MAX_WHY_BYTES = 4 << 10 };

void ao_gaps_tell(struct ao_repo *repo, const struct ao_history *history)
{
	struct ao_buf safe = AO_BUF_INIT(MAX_WHY_BYTES);

	if (history->is_incomplete) {
		const char *why = history->incomplete_why;

		ao_text_safe(&safe, why, strlen(why));
		fflush(stdout);
		fprintf(stderr, "warning: not all of the history is here: %s\n",
			safe.ptr);
		ao_buf_release(&safe);
	}
	if (history->lacks_notes)
		ao_hint(repo,
			"there are no notes here, so no verdicts, gains and "
			"insights; a clone leaves\n"
			"them behind, and this gets them:\n"
			"  git fetch origin "
			"'+refs/notes/accelopt/*:"
			"refs/notes/remotes/origin/accelopt/*'");
}
