/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <math.h>

#include "eval/ceilings.h"
#include "eval/probe.h"
#include "eval/reference.h"
#include "eval/scratch.h"
#include "eval/session.h"
#include "util/crypto.h"
#include "util/file.h"
#include "util/usage.h"

/*
 * Enough for all cases of a task and a beam of parents; a process has no more
 * descriptors open for it, and an object takes some 20 KB of disk.
 */
enum { MAX_OBJECTS = 64 };

/* Each judge of a machine keeps as much. */
static const uint64_t max_dataset_bytes = (uint64_t)1 << 30;
/* Of a case, if they are not large; UNKNOWN: its work is. */
enum { MIN_SETS = 5, UNKNOWN_SETS = 8, MAX_SETS = 64 };

/* One of: a build, a reference, a dataset. */
struct item {
	char key[AO_HASH_SIZE];
	uint64_t used_at; /* a count of look-ups */
	struct ao_build build;
	struct ao_reference reference;
	struct ao_task *task; /* that the dataset points at */
	struct ao_case other; /* the same, if it is none of the task's */
	struct ao_dataset *dataset;
	uint64_t bytes; /* of the dataset */
};

struct ao_session {
	struct ao_scratch *scratch;
	struct item **items; /* [count] */
	size_t count;
	size_t alloc;
	uint64_t clock;
	struct ao_session_cpu cpu;
	struct ao_machine machine; /* empty until it is asked for */
	bool has_measured_again;
	struct ao_pair control;
};

struct ao_error *ao_session_new(struct ao_session **out)
{
	struct ao_scratch *scratch;
	struct ao_error *err = ao_scratch_new(&scratch);

	if (err)
		return err;
	*out = ao_xcalloc(1, sizeof(**out));
	(*out)->scratch = scratch;
	return NULL;
}

static void free_item(struct item *item)
{
	if (item->build.folder)
		ao_file_remove_tree(item->build.folder);
	if (item->reference.folder)
		ao_file_remove_tree(item->reference.folder);
	ao_build_release(&item->build);
	ao_reference_release(&item->reference);
	ao_dataset_free(item->dataset);
	ao_task_free(item->task);
	free(item->other.name);
	free(item->other.extents);
	free(item);
}

void ao_session_free(struct ao_session *session)
{
	if (!session)
		return;
	for (size_t i = 0; i < session->count; i++)
		free_item(session->items[i]);
	free(session->items);
	ao_machine_release(&session->machine);
	ao_pair_release(&session->control);
	ao_scratch_free(session->scratch);
	free(session);
}

const struct ao_session_cpu *ao_session_cpu(const struct ao_session *session)
{
	return &session->cpu;
}

const char *ao_session_folder(const struct ao_session *session)
{
	return ao_scratch_folder(session->scratch);
}

struct ao_pair *ao_session_control(struct ao_session *session)
{
	return &session->control;
}

/* Take over ceilings, where they are higher than what there is. */
static void take_ceilings(struct ao_machine *machine,
			  const struct ao_machine *from)
{
	struct ao_ceilings known = machine->ceilings;

	machine->ceilings = from->ceilings;
	ao_ceilings_raise(&machine->ceilings, &known);
}

/* Keep what `probe` finds out, and what it costs. */
static struct ao_error *probe_with(
	struct ao_error *(*probe)(struct ao_machine *out),
	struct ao_session *session)
{
	uint64_t from_ns = ao_usage_total_cpu_ns();
	struct ao_machine found = { 0 };
	struct ao_error *err = probe(&found);

	if (err)	    /* which owns what it says */
		return err; /* cppcheck-suppress returnDanglingLifetime */
	if (session->machine.cpu) {
		take_ceilings(&session->machine, &found);
		ao_machine_release(&found);
	} else {
		session->machine = found;
	}
	session->cpu.machine_ns += ao_usage_total_cpu_ns() - from_ns;
	return NULL;
}

struct ao_error *ao_session_machine(const struct ao_machine **out,
				    struct ao_session *session,
				    const struct ao_machine *offered)
{
	struct ao_error *err = NULL;

	if (!session->machine.cpu)
		err = probe_with(ao_probe_machine, session);
	if (err)
		return err;
	/* Behind a command prefix the bundle may come from another machine. */
	if (offered && ao_ceilings_are_complete(&offered->ceilings) &&
	    !strcmp(offered->fingerprint, session->machine.fingerprint))
		take_ceilings(&session->machine, offered);
	if (!ao_ceilings_are_complete(&session->machine.ceilings))
		err = probe_with(ao_probe_peaks, session);
	if (err)
		return err;
	*out = &session->machine;
	return NULL;
}

struct ao_error *ao_session_measure_again(const struct ao_machine **out,
					  bool *is_new_out,
					  struct ao_session *session)
{
	struct ao_error *err;

	if (!session->has_measured_again) {
		err = probe_with(ao_probe_peaks_again, session);
		if (err)
			return err;
		session->has_measured_again = true;
		*is_new_out = true;
	}
	*out = &session->machine;
	return NULL;
}

/* All that decides what a case is.  Kernel ids are not trusted. */
static struct ao_hash *hash_case(const char *kind, const struct ao_task *task,
				 const struct ao_case *c)
{
	struct ao_hash *hash = ao_hash_new();

	ao_hash_addstr(hash, kind);
	ao_hash_add(hash, task->json, task->json_len);
	ao_hash_addstr(hash, task->reference ? task->reference : "");
	ao_hash_addstr(hash, c ? c->name : "");
	return hash;
}

static struct item *find(struct ao_session *session, const char *key)
{
	session->clock++;
	for (size_t i = 0; i < session->count; i++) {
		struct item *item = session->items[i];

		if (strcmp(item->key, key) != 0)
			continue;
		item->used_at = session->clock;
		return item;
	}
	return NULL;
}

static void keep(struct ao_session *session, struct item *item, const char *key)
{
	memcpy(item->key, key, sizeof(item->key));
	item->used_at = session->clock;
	session->items = ao_grow(session->items, &session->alloc,
				 session->count + 1, sizeof(*session->items));
	session->items[session->count++] = item;
}

struct ao_error *ao_session_build(const struct ao_build **out,
				  struct ao_session *session,
				  const struct ao_task *task,
				  const struct ao_case *c,
				  const struct ao_kernel *kernel,
				  uint32_t timeout_ms)
{
	/* One build of a generic task serves all its cases. */
	struct ao_hash *hash = hash_case("build", task,
					 task->is_generic ? NULL : c);
	char key[AO_HASH_SIZE];
	struct item *item;
	struct ao_error *err;

	for (size_t i = 0; i < kernel->count; i++) {
		ao_hash_addstr(hash, kernel->files[i].path);
		ao_hash_add(hash, kernel->files[i].data, kernel->files[i].len);
	}
	ao_hash_add(hash, &kernel->libraries, sizeof(kernel->libraries));
	ao_hash_finish(hash, key);
	item = find(session, key);
	if (item) {
		*out = &item->build;
		return NULL;
	}
	item = ao_xcalloc(1, sizeof(*item));
	err = ao_build_kernel(&item->build, ao_session_folder(session), task, c,
			      kernel, timeout_ms);
	if (err) {
		free_item(item);
		return err;
	}
	session->cpu.compile_ns += item->build.cpu_ns;
	keep(session, item, key);
	*out = &item->build;
	return NULL;
}

static struct ao_error *get_reference(const char **object_out,
				      struct ao_session *session,
				      const struct ao_task *task,
				      const struct ao_case *c)
{
	char key[AO_HASH_SIZE];
	struct item *item;
	struct ao_error *err;

	ao_hash_finish(hash_case("reference", task, c), key);
	item = find(session, key);
	if (!item) {
		item = ao_xcalloc(1, sizeof(*item));
		err = ao_reference_build(&item->reference,
					 ao_session_folder(session), task, c);
		if (err) {
			free_item(item);
			return err;
		}
		session->cpu.reference_ns += item->reference.cpu_ns;
		keep(session, item, key);
	}
	*object_out = item->reference.object;
	return NULL;
}

/*
 * No timed call is about a set that its worker has seen: one for warming up,
 * and one for each call of a sample, as far as memory and the reference's time
 * allow.  A few will do; the judge times fewer calls then.
 */
static size_t sets_for(const struct ao_task *task, const struct ao_case *c,
		       uint64_t set_bytes)
{
	static const double total_bytes = 64 << 20, total_work = 5e8;
	double work = 0, sets;

	if (set_bytes > (uint64_t)16 << 20)
		return set_bytes <= (uint64_t)64 << 20 ? 4 : 3;
	for (size_t i = 0; i < AO_WORK_COUNT; i++)
		work += ao_task_work(task, c, (enum ao_work)i);
	if (work <= 0)
		return UNKNOWN_SETS;
	sets = fmin(total_bytes / (double)set_bytes, total_work / work);
	return (size_t)fmin(fmax(sets, MIN_SETS), MAX_SETS);
}

/* A task that lives as long as the dataset that points at it. */
static struct ao_error *copy_task(struct ao_task **out,
				  const struct ao_task *task)
{
	struct ao_error *err = ao_task_parse(out, "task.json", task->json,
					     task->json_len);

	if (!err)
		ao_task_set_reference(*out, task->reference,
				      strlen(task->reference));
	return err;
}

/* A case that is none of the task's: see hidden.h. */
static const struct ao_case *copy_case(struct ao_case *out,
				       const struct ao_task *task,
				       const struct ao_case *c)
{
	size_t bytes = task->axis_count * sizeof(*c->extents);

	out->name = ao_xstrdup(c->name);
	out->extents = ao_xmalloc(bytes);
	memcpy(out->extents, c->extents, bytes);
	return out;
}

static struct ao_error *fill_dataset(struct item *item,
				     struct ao_session *session,
				     const struct ao_task *task,
				     const struct ao_case *c, uint64_t seed)
{
	const struct ao_case *own;
	const char *object = NULL;
	uint64_t set_bytes;
	size_t sets;
	struct ao_error *err;

	err = get_reference(&object, session, task, c);
	if (!err)
		err = copy_task(&item->task, task);
	if (err)
		return err;
	own = ao_task_case(item->task, c->name);
	if (!own)
		own = copy_case(&item->other, item->task, c);
	set_bytes = ao_dataset_set_bytes(item->task, own);
	sets = sets_for(item->task, own, set_bytes);
	err = ao_dataset_make_with(&item->dataset, object, item->task, own,
				   seed, sets);
	if (!err)
		item->bytes = ao_dataset_sets(item->dataset) * set_bytes;
	return err;
}

struct ao_error *ao_session_dataset(const struct ao_dataset **out,
				    struct ao_session *session,
				    const struct ao_task *task,
				    const struct ao_case *c, uint64_t seed)
{
	struct ao_hash *hash = hash_case("dataset", task, c);
	char key[AO_HASH_SIZE];
	struct item *item;
	struct ao_error *err;

	ao_hash_add(hash, &seed, sizeof(seed));
	ao_hash_finish(hash, key);
	item = find(session, key);
	if (item) {
		*out = item->dataset;
		return NULL;
	}
	item = ao_xcalloc(1, sizeof(*item));
	err = fill_dataset(item, session, task, c, seed);
	if (err) {
		free_item(item);
		return err;
	}
	session->cpu.inputs_ns += item->dataset->input_cpu_ns;
	session->cpu.reference_ns += item->dataset->reference_cpu_ns;
	keep(session, item, key);
	*out = item->dataset;
	return NULL;
}

/* Newest first. */
static int by_use(const void *a, const void *b)
{
	const struct item *x = *(struct item *const *)a;
	const struct item *y = *(struct item *const *)b;

	return x->used_at < y->used_at ? 1 : x->used_at > y->used_at ? -1 : 0;
}

static bool is_worth_keeping(const struct item *item, size_t *objects,
			     uint64_t *bytes)
{
	if (item->dataset) {
		*bytes += item->bytes;
		return *bytes <= max_dataset_bytes;
	}
	/* A kernel that did not build will hardly come again. */
	if (!item->reference.object && item->build.verdict != AO_VERDICT_PASSED)
		return false;
	return ++*objects <= MAX_OBJECTS;
}

void ao_session_trim(struct ao_session *session)
{
	size_t objects = 0;
	uint64_t bytes = 0;
	size_t kept = 0;

	if (session->count)
		qsort(session->items, session->count, sizeof(*session->items),
		      by_use);
	for (size_t i = 0; i < session->count; i++) {
		struct item *item = session->items[i];

		if (is_worth_keeping(item, &objects, &bytes))
			session->items[kept++] = item;
		else
			free_item(item);
	}
	session->count = kept;
}
