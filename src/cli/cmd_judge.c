/* SPDX-License-Identifier: MIT */
/*
 * cmd_judge.c - git accelopt judge: bundles in, results out.
 *
 * Not for people: evaluators start it, here or behind accelopt.runner.
 */
#include "util/base.h"

#include <unistd.h>

#include "eval/eval.h"

#include "cli/command.h"
#include "cli/options.h"

struct ao_error *ao_cmd_judge(int *status, const struct ao_command *self,
			      int argc, char **argv)
{
	bool requires_sandbox = false;
	const struct ao_option table[] = {
		AO_FLAG(0, "require-sandbox", &requires_sandbox,
			"answer with an error without the full sandbox"),
		AO_END,
	};
	struct ao_options options;
	struct ao_error *err;

	*status = AO_STATUS_DONE;
	err = ao_options_parse(&options, self, table, argc, argv);
	if (!err)
		err = ao_options_operands(&options, "");
	if (!err)
		err = ao_eval_serve(STDIN_FILENO, STDOUT_FILENO,
				    requires_sandbox);
	return err;
}
