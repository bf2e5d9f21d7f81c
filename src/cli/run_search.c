/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "cli/run_search.h"

struct ao_error *ao_run_search(struct ao_evolve_summary *out,
			       struct ao_repo *repo, const char *task,
			       const struct ao_evolve_args *args,
			       enum ao_progress_style style)
{
	struct ao_progress progress;
	const struct ao_evolve_options options = {
		.task = task,
		.base = args->base,
		.resume = args->run,
		.settings = args->search.settings,
		.runner = args->runner,
		.jobs = args->jobs,
		.policy = args->policy,
		.on_event = ao_progress_event,
		.data = &progress,
	};
	struct ao_error *err;

	ao_progress_init(&progress, style, task);
	err = ao_evolve(out, repo, &options);
	if (err && *progress.run)
		err = ao_error_wrap(err,
				    "run %s stopped; what was finished is "
				    "kept, --resume goes on",
				    progress.run);
	ao_progress_release(&progress);
	return err;
}
