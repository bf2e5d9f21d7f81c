/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

#include "eval/burst.h"
#include "eval/ceilings.h"
#include "util/clock.h"

/* Of all streams together; from well within L1 to well past the last cache. */
static const size_t footprints[] = {
	(size_t)24 << 10, (size_t)192 << 10, (size_t)768 << 10,
	(size_t)3 << 20,  (size_t)12 << 20,  (size_t)48 << 20,
	(size_t)96 << 20, (size_t)192 << 20,
};

/* Of the time: a pass over a large one takes longer. */
static const unsigned shares[] = { 1, 1, 1, 1, 2, 3, 3, 3 };

_Static_assert(AO_ARRAY_SIZE(shares) == AO_ARRAY_SIZE(footprints),
	       "each footprint has its share");
_Static_assert(AO_ARRAY_SIZE(footprints) <= AO_MACHINE_LEVELS,
	       "a machine has room for all levels");

/* Shorter than what is stolen at a time, and long for the clock. */
static const uint64_t window_ns = 200000;

enum {
	STREAM_STEP = 256, /* pieces of a stream are a multiple of this */
	LARGE_FOOTPRINT = 32 << 20,
};

static uint64_t time_burst(const struct ao_burst *burst, uint64_t rounds)
{
	float result[AO_BURST_LANES];
	uint64_t from_ns = ao_clock_now_ns();

	burst->run(rounds, burst->start, result);
	return ao_clock_now_ns() - from_ns;
}

/* Operations a second in the best window of `budget_ns`. */
static double best_burst(const struct ao_burst *burst, uint64_t budget_ns)
{
	uint64_t until_ns = ao_clock_now_ns() + budget_ns;
	uint64_t rounds = 1000;
	double best = 0;

	while (time_burst(burst, rounds) < window_ns)
		rounds *= 2;
	do {
		double ns = (double)time_burst(burst, rounds);

		best = fmax(best,
			    1e9 * (double)rounds * burst->operations / ns);
	} while (ao_clock_now_ns() < until_ns);
	return best;
}

/* All ceilings that work of these classes is under. */
static void raise_work(struct ao_ceilings *ceilings, unsigned works,
		       double per_s)
{
	for (size_t i = 0; i < AO_CEILING_COUNT; i++)
		if (!(works & ~ao_ceiling_works(i)))
			ceilings->work_per_s[i] = fmax(ceilings->work_per_s[i],
						       per_s);
}

static void measure_work(struct ao_ceilings *out, uint32_t vector_bytes,
			 uint64_t budget_ns)
{
	size_t count;
	const struct ao_burst *bursts = ao_bursts(&count, vector_bytes);

	for (size_t i = 0; i < count; i++)
		raise_work(out, bursts[i].works,
			   best_burst(&bursts[i], budget_ns / count));
}

/* A footprint as a stream is run over it. */
struct track {
	const struct ao_stream *stream;
	float *memory;
	size_t piece_bytes; /* of each stream, that a window moves */
	size_t pieces;	    /* of the footprint */
	size_t next;	    /* piece */
};

/*
 * A pass over a large footprint takes so long that no window is quiet; so it
 * is looked at in pieces.  They come round in turn, which keeps each as cold
 * as in a whole pass, and are large enough for the caches not to hold one.
 */
static struct track lay_track(const struct ao_stream *stream, float *memory,
			      size_t footprint)
{
	const size_t pieces = footprint >= LARGE_FOOTPRINT ? 4 : 1;
	size_t bytes = footprint / stream->streams / pieces;

	return (struct track){
		.stream = stream,
		.memory = memory,
		.piece_bytes = bytes / STREAM_STEP * STREAM_STEP,
		.pieces = pieces,
	};
}

/* Run over the next piece `passes` times. */
static uint64_t time_piece(struct track *track, uint64_t passes)
{
	size_t piece = track->piece_bytes / sizeof(float);
	size_t stream = track->pieces * piece; /* one behind the other */
	float *first = track->memory + track->next * piece;
	float *second = first + stream;
	float *third = second + stream;
	uint64_t from_ns = ao_clock_now_ns();

	if (track->stream->streams == 1)
		second = third = first;
	while (passes--)
		track->stream->run(first, second, third, track->piece_bytes);
	track->next = (track->next + 1) % track->pieces;
	return ao_clock_now_ns() - from_ns;
}

/* Bytes a second in the best window; each piece at least once. */
static double best_stream(struct track track, uint64_t budget_ns)
{
	double moved = (double)(track.piece_bytes * track.stream->streams);
	uint64_t until_ns = ao_clock_now_ns() + budget_ns;
	uint64_t passes = 1;
	double best = 0;

	while (track.pieces == 1 && time_piece(&track, passes) < window_ns)
		passes *= 2;
	do {
		for (size_t i = 0; i < track.pieces; i++) {
			double ns = (double)time_piece(&track, passes);

			best = fmax(best, 1e9 * (double)passes * moved / ns);
		}
	} while (ao_clock_now_ns() < until_ns);
	return best;
}

static void measure_level(struct ao_ceilings *out, uint32_t vector_bytes,
			  size_t level, float *memory, uint64_t budget_ns)
{
	size_t count;
	const struct ao_stream *streams = ao_streams(&count, vector_bytes);
	double best = 0;

	for (size_t i = 0; i < count; i++)
		best = fmax(best, best_stream(lay_track(&streams[i], memory,
							footprints[level]),
					      budget_ns / count));
	out->bandwidth[level].footprint_bytes = (double)footprints[level];
	out->bandwidth[level].bytes_per_s = best;
}

/* Memory of the kind that workers get their tensors in: a file in memory. */
static struct ao_error *map_memory(float **out, size_t bytes)
{
	int fd = memfd_create("ceilings", MFD_CLOEXEC);
	void *memory = MAP_FAILED;

	if (fd >= 0 && !ftruncate(fd, (off_t)bytes))
		memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			      MAP_SHARED | MAP_POPULATE, fd, 0);
	if (fd >= 0)
		close(fd);
	if (memory == MAP_FAILED)
		return ao_error_new(AO_ELIMIT,
				    "there is no memory for %zu bytes to "
				    "measure bandwidth with",
				    bytes);
	*out = memory;
	return NULL;
}

static struct ao_error *measure_bandwidth(struct ao_ceilings *out,
					  uint32_t vector_bytes,
					  uint64_t budget_ns)
{
	size_t levels = AO_ARRAY_SIZE(footprints);
	size_t bytes = footprints[levels - 1];
	uint64_t all_shares = 0;
	float *memory;
	struct ao_error *err = map_memory(&memory, bytes);

	if (err)
		return err;
	for (size_t level = 0; level < levels; level++)
		all_shares += shares[level];
	for (size_t i = 0; i < bytes / sizeof(*memory); i++)
		memory[i] = 1;
	for (size_t level = 0; level < levels; level++)
		measure_level(out, vector_bytes, level, memory,
			      budget_ns * shares[level] / all_shares);
	out->bandwidth_count = levels;
	munmap(memory, bytes);
	return NULL;
}

struct ao_error *ao_ceilings_measure(struct ao_ceilings *out,
				     uint32_t vector_bytes, uint32_t budget_ms)
{
	uint64_t budget_ns = (uint64_t)budget_ms * 1000000;
	struct ao_ceilings ceilings = { 0 };
	struct ao_error *err;

	measure_work(&ceilings, vector_bytes, budget_ns / 4);
	err = measure_bandwidth(&ceilings, vector_bytes,
				budget_ns - budget_ns / 4);
	if (!err)
		*out = ceilings;
	return err;
}

void ao_ceilings_raise(struct ao_ceilings *into, const struct ao_ceilings *from)
{
	for (size_t i = 0; i < AO_CEILING_COUNT; i++)
		into->work_per_s[i] = fmax(into->work_per_s[i],
					   from->work_per_s[i]);
	for (size_t i = 0; i < into->bandwidth_count; i++) {
		for (size_t j = 0; j < from->bandwidth_count; j++) {
			/* Whole numbers below 2^53: exact. */
			if (into->bandwidth[i].footprint_bytes !=
			    from->bandwidth[j].footprint_bytes)
				continue;
			into->bandwidth[i].bytes_per_s = fmax(
				into->bandwidth[i].bytes_per_s,
				from->bandwidth[j].bytes_per_s);
		}
	}
}

bool ao_ceilings_are_complete(const struct ao_ceilings *ceilings)
{
	for (size_t i = 0; i < AO_CEILING_COUNT; i++) {
		if (!(ceilings->work_per_s[i] > 0))
			return false;
	}
	for (size_t i = 0; i < AO_ARRAY_SIZE(footprints); i++) {
		if (i >= ceilings->bandwidth_count ||
		    ceilings->bandwidth[i].footprint_bytes !=
			    (double)footprints[i])
			return false;
	}
	return true;
}
