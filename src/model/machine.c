/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <math.h>

#include "model/fields.h"
#include "model/machine.h"
#include "util/limits.h"

static const struct ao_field machine_table[] = {
	AO_FIELD(struct ao_machine, fingerprint),
	AO_FIELD(struct ao_machine, cpu),
	AO_FIELD(struct ao_machine, cores),
	AO_FIELD(struct ao_machine, vector_bytes),
	AO_FIELD(struct ao_machine, compiler),
	AO_FIELD(struct ao_machine, sandbox),
	AO_FIELD(struct ao_machine, compiler_sandbox),
};
static const struct ao_fields machine_fields = AO_FIELDS(struct ao_machine,
							 machine_table);

void ao_machine_copy(struct ao_machine *out, const struct ao_machine *from)
{
	*out = *from;
	ao_fields_own(out, &machine_fields);
}

void ao_machine_release(struct ao_machine *machine)
{
	ao_fields_release(machine, &machine_fields);
	*machine = (struct ao_machine){ 0 };
}

char *ao_machine_key(const struct ao_machine *machine)
{
	return ao_xstrf("%s|%s|%s", machine->fingerprint,
			machine->compiler ? machine->compiler : "",
			machine->sandbox ? machine->sandbox : "");
}

const char *ao_ceiling_name(size_t ceiling)
{
	switch (ceiling) {
	case AO_CEILING_FMA_MUL:
		return "fma+mul";
	case AO_CEILING_FMA_ADD_MUL:
		return "fma+add+mul";
	default:
		return ao_work_name((enum ao_work)ceiling);
	}
}

unsigned ao_ceiling_works(size_t ceiling)
{
	const unsigned fma_mul = AO_WORK_BIT(AO_WORK_FMA) |
				 AO_WORK_BIT(AO_WORK_MUL);

	switch (ceiling) {
	case AO_CEILING_FMA_MUL:
		return fma_mul;
	case AO_CEILING_FMA_ADD_MUL:
		return fma_mul | AO_WORK_BIT(AO_WORK_ADD);
	default:
		return AO_WORK_BIT(ceiling);
	}
}

static void write_ceilings(struct ao_json *to,
			   const struct ao_ceilings *ceilings)
{
	struct ao_json *work = ao_json_new_object();
	struct ao_json *bandwidth = ao_json_new_array();

	for (size_t i = 0; i < AO_CEILING_COUNT; i++)
		if (ceilings->work_per_s[i] > 0)
			ao_json_set_number(work, ao_ceiling_name(i),
					   ceilings->work_per_s[i]);
	ao_json_set(to, "work_per_s", work);

	for (size_t i = 0; i < ceilings->bandwidth_count; i++) {
		struct ao_json *level = ao_json_new_array();

		ao_json_set_number(level, NULL,
				   ceilings->bandwidth[i].footprint_bytes);
		ao_json_set_number(level, NULL,
				   ceilings->bandwidth[i].bytes_per_s);
		ao_json_set(bandwidth, NULL, level);
	}
	ao_json_set(to, "bandwidth", bandwidth);
}

struct ao_json *ao_machine_to_json(const struct ao_machine *machine,
				   bool with_ceilings)
{
	struct ao_json *json = ao_json_new_object();

	ao_fields_write(json, &machine_fields, machine);
	if (with_ceilings)
		write_ceilings(json, &machine->ceilings);
	return json;
}

static void pull_work(struct ao_ceilings *out, struct ao_json_pull *pull)
{
	if (!ao_json_pull_enter(pull, '{'))
		return;
	while (ao_json_pull_member(pull)) {
		size_t i = 0;
		double speed;

		while (i < AO_CEILING_COUNT &&
		       !ao_json_pull_is(pull, ao_ceiling_name(i)))
			i++;
		speed = ao_json_pull_number(pull, 0);
		if (i < AO_CEILING_COUNT && speed > 0)
			out->work_per_s[i] = speed;
	}
}

/* The two numbers of one level; others are passed over. */
static void pull_level(double numbers[2], struct ao_json_pull *pull)
{
	size_t i = 0;

	numbers[0] = numbers[1] = 0;
	if (!ao_json_pull_enter(pull, '['))
		return;
	for (; ao_json_pull_element(pull); i++) {
		double number = ao_json_pull_number(pull, 0);

		if (i < 2)
			numbers[i] = number;
	}
}

/* Levels that do not ascend, or are not above 0, would spoil the floor. */
static void pull_bandwidth(struct ao_ceilings *out, struct ao_json_pull *pull)
{
	double last = 0;

	if (!ao_json_pull_enter(pull, '['))
		return;
	out->bandwidth_count = 0;
	while (ao_json_pull_element(pull)) {
		size_t i = out->bandwidth_count;
		double level[2];

		pull_level(level, pull);
		if (i == AO_MACHINE_LEVELS || level[0] <= last || level[1] <= 0)
			continue;
		out->bandwidth[i].footprint_bytes = level[0];
		out->bandwidth[i].bytes_per_s = level[1];
		out->bandwidth_count++;
		last = level[0];
	}
}

void ao_machine_pull(struct ao_machine *out, struct ao_json_pull *pull)
{
	size_t next = 0;

	if (!ao_json_pull_enter(pull, '{'))
		return;
	while (ao_json_pull_member(pull)) {
		if (ao_fields_pull(out, &machine_fields, &next, pull))
			continue;
		if (ao_json_pull_is(pull, "work_per_s"))
			pull_work(&out->ceilings, pull);
		else if (ao_json_pull_is(pull, "bandwidth"))
			pull_bandwidth(&out->ceilings, pull);
		else
			ao_json_pull_skip(pull);
	}
}

void ao_machine_from_json(struct ao_machine *out, const struct ao_json *json)
{
	struct ao_buf text = AO_BUF_INIT(AO_MAX_RESULT_BYTES);
	struct ao_machine machine = { 0 };
	struct ao_json_pull pull;

	/* Seldom wanted, so it is not worth a second way of reading. */
	if (json)
		ao_json_print(&text, json, false);
	if (ao_json_pull_start(&pull, text.ptr, text.len))
		ao_machine_pull(&machine, &pull);
	ao_buf_release(&text);
	*out = machine;
}

/*
 * Bytes a second at a footprint: straight lines between the measured levels
 * on logarithmic axes, and the outermost levels beyond them.
 */
static double bandwidth_at(const struct ao_ceilings *ceilings, double footprint)
{
	size_t n = ceilings->bandwidth_count;
	size_t i = 0;
	double x0, x1, part;

	while (i < n && ceilings->bandwidth[i].footprint_bytes < footprint)
		i++;
	if (i == 0)
		return ceilings->bandwidth[0].bytes_per_s;
	if (i == n)
		return ceilings->bandwidth[n - 1].bytes_per_s;
	x0 = log(ceilings->bandwidth[i - 1].footprint_bytes);
	x1 = log(ceilings->bandwidth[i].footprint_bytes);
	part = (log(footprint) - x0) / (x1 - x0);
	return ceilings->bandwidth[i - 1].bytes_per_s *
	       pow(ceilings->bandwidth[i].bytes_per_s /
			   ceilings->bandwidth[i - 1].bytes_per_s,
		   part);
}

static double best_bandwidth(const struct ao_ceilings *ceilings)
{
	double best = 0;

	for (size_t i = 0; i < ceilings->bandwidth_count; i++)
		best = fmax(best, ceilings->bandwidth[i].bytes_per_s);
	return best;
}

/*
 * How far a ceiling may be off: the best that was ever measured on a machine
 * still is not the best that there can be.
 */
static const double headroom = 1.05;

/* What of a case's work is under a ceiling. */
static double work_under(size_t ceiling, const struct ao_task *task,
			 const struct ao_case *c)
{
	double work = 0;

	for (size_t i = 0; i < AO_WORK_COUNT; i++)
		if (ao_ceiling_works(ceiling) & AO_WORK_BIT(i))
			work += ao_task_work(task, c, (enum ao_work)i);
	return work;
}

static void bind_to(struct ao_floor *floor, const char *bound, double soft_ns,
		    double hard_ns)
{
	if (soft_ns > floor->soft_ns) {
		floor->soft_ns = soft_ns;
		floor->bound = bound;
	}
	floor->hard_ns = fmax(floor->hard_ns, hard_ns);
}

void ao_floor_compute(struct ao_floor *out, const struct ao_task *task,
		      const struct ao_case *c, const struct ao_machine *machine)
{
	const struct ao_ceilings *ceilings = &machine->ceilings;
	double bytes = ao_task_bytes(task, c);
	double cores = machine->cores ? machine->cores : 1;
	double threads = ao_task_threads(task, machine->cores);

	*out = (struct ao_floor){ 0 };
	for (size_t i = 0; i < AO_CEILING_COUNT; i++) {
		double soft_ns;

		if (!(ceilings->work_per_s[i] > 0))
			continue;
		soft_ns = 1e9 * work_under(i, task, c) /
			  ceilings->work_per_s[i];
		bind_to(out, ao_ceiling_name(i), soft_ns / threads,
			soft_ns / (headroom * cores));
	}
	if (ceilings->bandwidth_count)
		bind_to(out, "memory",
			1e9 * bytes /
				(threads *
				 bandwidth_at(ceilings, bytes / threads)),
			1e9 * bytes /
				(threads * headroom *
				 best_bandwidth(ceilings)));
}
