/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "model/hotloop.h"
#include "util/text.h"

static const struct ao_field table[] = {
	AO_FIELD(struct ao_hotloop, file),
	AO_FIELD(struct ao_hotloop, line),
	AO_FIELD(struct ao_hotloop, samples),
	AO_FIELD(struct ao_hotloop, share),
	AO_FIELD(struct ao_hotloop, outside),
	AO_FIELD(struct ao_hotloop, instructions),
	AO_FIELD(struct ao_hotloop, scalar),
	AO_FIELD(struct ao_hotloop, vector128),
	AO_FIELD(struct ao_hotloop, vector256),
	AO_FIELD(struct ao_hotloop, vector512),
	AO_FIELD(struct ao_hotloop, shuffles),
	AO_FIELD(struct ao_hotloop, divisions),
	AO_FIELD(struct ao_hotloop, loads),
	AO_FIELD(struct ao_hotloop, stores),
	AO_FIELD(struct ao_hotloop, branches),
	AO_FIELD(struct ao_hotloop, calls),
	AO_FIELD(struct ao_hotloop, cycles),
	AO_FIELD(struct ao_hotloop, throughput_cycles),
	AO_FIELD(struct ao_hotloop, bound),
	AO_FIELD(struct ao_hotloop, chain),
	AO_FIELD(struct ao_hotloop, port),
	AO_FIELD(struct ao_hotloop, missing),
};
const struct ao_fields ao_hotloop_fields = AO_FIELDS(struct ao_hotloop, table);

void ao_hotloop_release(struct ao_hotloop *loop)
{
	ao_fields_release(loop, &ao_hotloop_fields);
	*loop = (struct ao_hotloop){ 0 };
}

bool ao_hotloop_is_known(const struct ao_hotloop *loop)
{
	return loop->samples > 0 || loop->missing;
}

static void add_place(struct ao_buf *out, const struct ao_hotloop *loop)
{
	ao_buf_addf(out, "%.0f %% of the time", 100 * loop->share);
	if (loop->line)
		ao_buf_addf(out, " in the loop of line %" PRIu32, loop->line);
	else
		ao_buf_addstr(out, " in one loop");
	if (loop->line && loop->file)
		ao_buf_addf(out, " of %s", loop->file);
	if (loop->outside >= 0.05)
		ao_buf_addf(out, ", %.0f %% in libraries that are called",
			    100 * loop->outside);
}

static void add_mix(struct ao_buf *out, const struct ao_hotloop *loop)
{
	const struct {
		uint32_t count;
		const char *what;
	} kinds[] = {
		{ loop->scalar, "scalar" },
		{ loop->vector128, "128-bit" },
		{ loop->vector256, "256-bit" },
		{ loop->vector512, "512-bit" },
		{ loop->divisions, "divide or take roots" },
		{ loop->shuffles, "shuffle" },
		{ loop->loads, "load" },
		{ loop->stores, "store" },
		{ loop->branches, "branch" },
		{ loop->calls, "call" },
	};
	const char *between = ": ";

	ao_buf_addf(out, "; of its %" PRIu32 " instructions",
		    loop->instructions);
	for (size_t i = 0; i < AO_ARRAY_SIZE(kinds); i++) {
		if (!kinds[i].count)
			continue;
		ao_buf_addf(out, "%s%" PRIu32 " %s", between, kinds[i].count,
			    kinds[i].what);
		between = ", ";
	}
}

/* What an instruction of x86 computes, by how its name goes on behind a v. */
static const char *work_of(const char *name)
{
	static const struct {
		const char *begin;
		const char *work;
	} works[] = {
		{ "fm", "multiply-adds" },     { "fnm", "multiply-adds" },
		{ "add", "additions" },	       { "sub", "additions" },
		{ "padd", "additions" },       { "mul", "multiplications" },
		{ "pmul", "multiplications" }, { "imul", "multiplications" },
		{ "div", "divisions" },	       { "sqrt", "roots" },
		{ "max", "comparisons" },      { "min", "comparisons" },
	};

	name += *name == 'v';
	for (size_t i = 0; i < AO_ARRAY_SIZE(works); i++)
		if (ao_text_starts_with(name, works[i].begin))
			return works[i].work;
	return "instructions";
}

/* What all of a chain "vmulss vmulss" compute, or in general "instructions". */
static const char *work_of_chain(const char *chain)
{
	const char *work = work_of(chain);

	while ((chain = strchr(chain, ' '))) {
		chain++;
		if (work_of(chain) != work)
			return "instructions";
	}
	return work;
}

static void add_bound(struct ao_buf *out, const struct ao_hotloop *loop)
{
	ao_buf_addf(out, "a step takes %.3g cycles where data is at hand",
		    loop->cycles);
	if (!strcmp(loop->bound, "latency") && loop->chain)
		ao_buf_addf(out,
			    ", bound by the latency of a chain of %s (%s); its "
			    "throughput needs %.3g\n",
			    work_of_chain(loop->chain), loop->chain,
			    loop->throughput_cycles);
	else if (!strcmp(loop->bound, "throughput") && loop->port)
		ao_buf_addf(out,
			    ", bound by throughput, most of all that of %s\n",
			    loop->port);
	else
		ao_buf_addf(out, ", bound by its %s\n", loop->bound);
}

void ao_hotloop_text(struct ao_buf *out, const struct ao_hotloop *loop)
{
	if (loop->instructions) {
		add_place(out, loop);
		add_mix(out, loop);
		ao_buf_addstr(out, "\n");
	} else if (loop->samples) {
		ao_buf_addf(out,
			    "no loop of its own takes much of the time; %.0f "
			    "%% is in libraries that are called\n",
			    100 * loop->outside);
	}
	if (loop->cycles > 0 && loop->bound)
		add_bound(out, loop);
	if (loop->missing)
		ao_buf_addf(out,
			    "more is not known: there is no %s, or it fails\n",
			    loop->missing);
}
