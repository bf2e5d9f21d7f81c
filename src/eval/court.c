/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "eval/court.h"
#include "eval/timeouts.h"
#include "util/clock.h"

struct ao_error *ao_court_open(struct ao_judge **out,
			       const struct ao_court *court,
			       const struct ao_case *c)
{
	const struct ao_bundle *bundle = court->bundle;
	struct ao_judge_options options = { .seed = bundle->seed };
	const struct ao_dataset *dataset;
	struct ao_floor floor;
	struct ao_error *err;

	err = ao_session_dataset(&dataset, court->session, bundle->task, c,
				 bundle->seed);
	if (err)
		return err;
	ao_floor_compute(&floor, bundle->task, c, court->machine);
	options.hard_floor_ns = floor.hard_ns;
	options.call_timeout_ms = ao_timeouts_call(bundle, dataset);
	return ao_judge_new(out, dataset, &options);
}

void ao_court_close(struct ao_judge *judge, struct ao_result *result)
{
	struct ao_judge_cpu cpu;
	uint64_t from_ns;

	if (!judge)
		return;
	ao_judge_cpu(&cpu, judge);
	from_ns = ao_clock_cpu_ns();
	ao_judge_free(judge);
	/* The memory for inputs costs time when it goes, too. */
	cpu.inputs += ao_clock_cpu_ns() - from_ns;
	result->cpu_ns.compare += cpu.compare;
	result->cpu_ns.worker += cpu.worker;
	result->cpu_ns.isolation += cpu.isolation;
	result->cpu_ns.inputs += cpu.inputs;
}
