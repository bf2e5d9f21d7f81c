/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "cli/case_names.h"

static struct ao_error *check(const struct ao_task *task,
			      const struct ao_strs *names)
{
	size_t *chosen;
	size_t count;
	struct ao_error *err = ao_task_choose(&chosen, &count, task, names);

	if (!err)
		free(chosen);
	return err;
}

struct ao_error *ao_case_names(struct ao_strs *out, const struct ao_task *task,
			       const char *list, bool is_all)
{
	if (is_all)
		ao_task_case_names(out, task, true);
	while (list) {
		size_t len = strcspn(list, ",");

		if (!len)
			return ao_error_new(AO_EUSAGE,
					    "--case has an empty name; give "
					    "names with commas between");
		ao_strs_pushf(out, "%.*s", (int)len, list);
		list = list[len] ? list + len + 1 : NULL;
	}
	return check(task, out);
}
