/* SPDX-License-Identifier: MIT */
/*
 * machine.h - where a measurement was made and what that machine can do.
 *
 * A measurement is only ever used again on an equal machine with an equal
 * toolchain: ao_machine_key() of both must agree.
 */
#ifndef AO_MODEL_MACHINE_H
#define AO_MODEL_MACHINE_H

#include "model/task.h"
#include "util/json.h"
#include "util/json_pull.h"

enum { AO_MACHINE_LEVELS = 12 };

/*
 * Version of the peak model; percentages of two versions are not compared.
 * 2: multiplications are a class, and classes that share pipes have a ceiling
 * together.
 */
enum { AO_PEAK_MODEL = 2 };

/*
 * A ceiling is that of a class of work, or of classes together, which may have
 * to wait for the same pipes: FMAs and multiplications do, and additions with
 * them on some CPUs, while on others additions have pipes of their own.  What
 * is true of this one is measured.
 */
enum ao_ceiling {
	/* Each class, by its number, and then: */
	AO_CEILING_FMA_MUL = AO_WORK_COUNT,
	AO_CEILING_FMA_ADD_MUL,
	AO_CEILING_COUNT,
};
const char *ao_ceiling_name(size_t ceiling); /* "fma", ... "fma+add+mul" */

/* A set of classes of work. */
#define AO_WORK_BIT(work) (1U << (work))

/* The set that a ceiling is about. */
unsigned ao_ceiling_works(size_t ceiling);

/* What one core can do at most, as measured.  All zero: not measured. */
struct ao_ceilings {
	double work_per_s[AO_CEILING_COUNT]; /* operations a second */
	struct {
		double footprint_bytes;
		double bytes_per_s;
	} bandwidth[AO_MACHINE_LEVELS]; /* ascending footprint */
	size_t bandwidth_count;
};

/* All zero is empty. */
struct ao_machine {
	char fingerprint[AO_ID_SIZE]; /* hash of CPU model, features, cores */
	char *cpu;
	uint32_t cores;
	uint32_t vector_bytes; /* of the widest usable vector register */
	char *compiler;	       /* "gcc 12.2.0"; the default one */
	/* Of kernels and compilers: a level of ao_isolation_name(). */
	char *sandbox;
	char *compiler_sandbox;
	struct ao_ceilings ceilings;
};

void ao_machine_copy(struct ao_machine *out, const struct ao_machine *from);
void ao_machine_release(struct ao_machine *machine);

/* The part that makes measurements comparable, as text; the caller frees it. */
char *ao_machine_key(const struct ao_machine *machine);

/* JSON; `with_ceilings` as the cache and a bundle have it. */
struct ao_json *ao_machine_to_json(const struct ao_machine *machine,
				   bool with_ceilings);
void ao_machine_from_json(struct ao_machine *out, const struct ao_json *json);

/* Take the value at hand, which should be a machine, into an empty one. */
void ao_machine_pull(struct ao_machine *out, struct ao_json_pull *pull);

/*
 * The least time that one call of a case can take, on one core, or on as many
 * as the task allows threads.
 */
struct ao_floor {
	double soft_ns;	   /* by the ceilings as measured, for percentages */
	double hard_ns;	   /* nothing faster is believed */
	const char *bound; /* a ceiling's name or "memory": what binds */
};

/*
 * The most time that the work of any ceiling, or the memory, takes by itself;
 * the hard floor allows ceilings 5 % better, all cores, and the best level of
 * the caches.  Each core has caches of its own: that memory is shared is left
 * out.  Without a ceiling that was measured: zero, and `bound` NULL.
 */
void ao_floor_compute(struct ao_floor *out, const struct ao_task *task,
		      const struct ao_case *c,
		      const struct ao_machine *machine);

#endif
