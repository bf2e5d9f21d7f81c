/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <dlfcn.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "eval/control.h"
#include "eval/seccomp.h"
#include "eval/worker.h"

/*
 * How often to look at `go` before sleeping on it.  The judge answers within a
 * microsecond where it has a CPU of its own, and needs ours where it has not.
 */
enum { SPINS = 2000 };

/*
 * Threads are counted together with whatever else the same user runs, so this
 * only keeps a flood of them from the machine until the judge counts them.
 */
enum { MAX_TASKS = 4096 };

/* Stacks of threads, and what each takes of the heap, are reserved in full. */
static const uint64_t thread_bytes = UINT64_C(160) << 20;

/*
 * Operands up to this size are read before the clock starts, so that a call
 * finds its caches as the call before left them, not as the judge did.  Larger
 * ones do not stay in a cache anyway.
 */
static const uint64_t max_touched_bytes = UINT64_C(32) << 20;

struct worker {
	const struct ao_order *order;
	struct ao_control *control;
	void *entry;
	bool touches; /* operands before each call */
	/* Inputs, then outputs; and what the kernel is called with. */
	char *tensors[AO_LAYOUT_MAX_SLOTS][AO_WORKER_MAX_ARGUMENTS];
	uintptr_t arguments[AO_LAYOUT_MAX_SLOTS][AO_WORKER_MAX_ARGUMENTS];
};

AO_NORETURN
static void unfit(void)
{
	_exit(AO_WORKER_EXIT_UNFIT);
}

/* Map the pages of a tensor between two that nothing may touch. */
static char *map_tensor(int fd, uint64_t slot_offset,
			const struct ao_place *place, int protection)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *guarded = mmap(NULL, place->mapped + 2 * page, PROT_NONE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
			     0);

	if (guarded == MAP_FAILED ||
	    mmap(guarded + page, place->mapped, protection,
		 MAP_SHARED | MAP_FIXED | MAP_POPULATE, fd,
		 (off_t)(slot_offset + place->offset)) == MAP_FAILED)
		unfit();
	return guarded + page + place->start;
}

static void map_slot(struct worker *worker, uint32_t slot)
{
	const struct ao_layout *layout = &worker->order->layout;
	uintptr_t *argument = worker->arguments[slot];
	char **tensors = worker->tensors[slot];
	uint32_t count = 0;

	for (uint32_t i = 0; i < layout->input_count; i++)
		tensors[count++] = map_tensor(AO_ORDER_INPUTS,
					      slot * layout->input_slot_bytes,
					      &layout->inputs[i], PROT_READ);
	for (uint32_t i = 0; i < layout->output_count; i++)
		tensors[count++] = map_tensor(
			AO_ORDER_OUTPUTS, slot * layout->output_slot_bytes,
			&layout->outputs[i], PROT_READ | PROT_WRITE);

	for (uint32_t i = 0; i < worker->order->axis_count; i++)
		*argument++ = (uintptr_t)worker->order->axes[i];
	for (uint32_t i = 0; i < count; i++)
		*argument++ = (uintptr_t)tensors[i];
}

static void map_all(struct worker *worker, const struct ao_worker_shift *shift)
{
	const struct ao_layout *layout = &worker->order->layout;
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	if (shift->pages && mmap(NULL, shift->pages * page, PROT_NONE,
				 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
				 -1, 0) == MAP_FAILED)
		unfit();
	worker->control = mmap(NULL, sizeof(*worker->control),
			       PROT_READ | PROT_WRITE, MAP_SHARED,
			       AO_ORDER_CONTROL, 0);
	if (worker->control == MAP_FAILED)
		unfit();
	for (uint32_t slot = 0; slot < layout->slots; slot++)
		map_slot(worker, slot);
	/* Who may have threads gets the operands as the clock starts. */
	if (!worker->order->threads &&
	    layout->input_slot_bytes + layout->output_slot_bytes <=
		    max_touched_bytes)
		worker->touches = true;
}

/* The judge learns our process id from the message's credentials. */
static void say_started(void)
{
	struct ao_reply reply = { .kind = AO_REPLY_STARTED };

	if (send(AO_ORDER_SOCKET, &reply, sizeof(reply), MSG_NOSIGNAL) < 0)
		unfit();
}

static uint64_t address_space(const struct ao_order *order, uint64_t base_bytes)
{
	const struct ao_layout *layout = &order->layout;
	uint64_t guards = (uint64_t)sysconf(_SC_PAGESIZE) * 2 *
			  (layout->input_count + layout->output_count + 1) *
			  layout->slots;

	return base_bytes + ao_layout_input_bytes(layout) +
	       ao_layout_output_bytes(layout) + guards + order->memory_bytes +
	       order->most_threads * thread_bytes;
}

/*
 * Load the object with no descriptor open but its own, and the system calls of
 * loading: its constructors run in here.
 */
static void load(struct worker *worker, const char *object_path)
{
	struct ao_control *control = worker->control;
	bool has_seccomp = ao_seccomp_is_available();
	unsigned also = (worker->order->libraries ? AO_SECCOMP_TRUSTED : 0) |
			(worker->order->sample_us ? AO_SECCOMP_SAMPLED : 0) |
			(worker->order->threads ? AO_SECCOMP_THREADED : 0);
	const char *why;
	void *handle;

	ao_sandbox_close_all_but(AO_ORDER_OBJECT, AO_ORDER_OBJECT);
	ao_seccomp_on_refusal(&control->refused);
	if (worker->order->sample_us)
		ao_sampler_start(&control->samples, worker->order->sample_us);
	if (has_seccomp && !ao_seccomp_install(AO_SECCOMP_LOAD, also))
		unfit();
	handle = dlopen(object_path, RTLD_NOW | RTLD_LOCAL);
	if (handle)
		worker->entry = dlsym(handle, worker->order->entry);
	close(AO_ORDER_OBJECT);
	if (worker->entry) {
		if (has_seccomp && !ao_seccomp_install(AO_SECCOMP_RUN, also))
			unfit();
		return;
	}
	why = dlerror();
	snprintf(control->message, sizeof(control->message), "%s",
		 why ? why : "the loader does not say why");
	ao_control_set(&control->state, AO_CONTROL_NOT_LOADED);
	_exit(0);
}

/* Read a byte of each cache line. */
static void touch(const char *data, uint64_t bytes)
{
	const volatile char *line = data;

	for (uint64_t at = 0; at < bytes; at += 64)
		(void)line[at];
}

static void touch_operands(const struct worker *worker, uint32_t slot)
{
	const struct ao_layout *layout = &worker->order->layout;
	char *const *tensors = worker->tensors[slot];

	for (uint32_t i = 0; i < layout->input_count; i++)
		touch(*tensors++, layout->inputs[i].bytes);
	for (uint32_t i = 0; i < layout->output_count; i++)
		touch(*tensors++, layout->outputs[i].bytes);
}

/* Rounding, exceptions and denormals as a process starts with them. */
static void reset_floating_point(void)
{
#if defined(__x86_64__)
	__builtin_ia32_ldmxcsr(0x1f80);
#elif defined(__aarch64__)
	uint64_t zero = 0;

	__asm__ volatile("msr fpcr, %0" : : "r"(zero));
#endif
}

typedef void few_arguments(uintptr_t, uintptr_t, uintptr_t, uintptr_t,
			   uintptr_t, uintptr_t, uintptr_t, uintptr_t);
typedef void all_arguments(uintptr_t, uintptr_t, uintptr_t, uintptr_t,
			   uintptr_t, uintptr_t, uintptr_t, uintptr_t,
			   uintptr_t, uintptr_t, uintptr_t, uintptr_t,
			   uintptr_t, uintptr_t, uintptr_t, uintptr_t,
			   uintptr_t, uintptr_t, uintptr_t, uintptr_t,
			   uintptr_t, uintptr_t, uintptr_t, uintptr_t);

/*
 * Pointers and sizes are passed alike, and a function does not mind more of
 * them than it takes, by the calling conventions of all that we run on.
 */
static void call(void *entry, const uintptr_t *a, size_t count)
{
	few_arguments *few;
	all_arguments *all;

	/* The cast that POSIX prescribes for functions. */
	*(void **)&few = entry;
	*(void **)&all = entry;
	if (count <= 8)
		few(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]);
	else
		all(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9],
		    a[10], a[11], a[12], a[13], a[14], a[15], a[16], a[17],
		    a[18], a[19], a[20], a[21], a[22], a[23]);
}

/* Until the word is `wanted`.  Returns false if the judge has had enough. */
static bool await(_Atomic uint32_t *word, uint32_t wanted, unsigned spins)
{
	uint32_t now;

	while ((now = atomic_load(word)) != wanted) {
		if (now == AO_CONTROL_QUIT)
			return false;
		if (spins) {
			spins--;
			ao_control_pause();
		} else {
			ao_control_sleep(word, now, UINT64_C(1000000000));
		}
	}
	return true;
}

/* Whoever is sampled is not timed. */
static void call_sampled(void *entry, const uintptr_t *arguments, size_t count)
{
	do {
		ao_sampler_enter(entry);
		call(entry, arguments, count);
		ao_sampler_leave();
	} while (ao_sampler_wants_more());
	ao_sampler_stop();
}

/* Make calls until the judge has had enough. */
static void serve(const struct worker *worker)
{
	const struct ao_layout *layout = &worker->order->layout;
	struct ao_control *control = worker->control;
	size_t count = worker->order->axis_count + layout->input_count +
		       layout->output_count;

	for (uint32_t number = 1; await(&control->arm, number, 0); number++) {
		uint32_t slot = control->slot % layout->slots;

		if (worker->touches)
			touch_operands(worker, slot);
		ao_control_set(&control->armed, number);
		if (!await(&control->go, number, SPINS))
			return;
		reset_floating_point();
		if (worker->order->sample_us)
			call_sampled(worker->entry, worker->arguments[slot],
				     count);
		else
			call(worker->entry, worker->arguments[slot], count);
		reset_floating_point();
		ao_control_set(&control->done, number);
	}
}

/* The same some frames deeper; what follows the call keeps the frames. */
__attribute__((noinline)) static void serve_below(const struct worker *worker,
						  uint32_t frames)
{
	volatile char frame[64];

	frame[0] = 0;
	if (frames)
		serve_below(worker, frames - 1);
	else
		serve(worker);
	frame[1] = frame[0];
}

void ao_worker_run(const struct ao_order *order,
		   const struct ao_worker_shift *shift, const char *object_path,
		   uint64_t base_bytes)
{
	struct worker worker = { .order = order };

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	map_all(&worker, shift);
	say_started();
	ao_sandbox_limit(address_space(order, base_bytes),
			 order->threads ? MAX_TASKS : 0);
	load(&worker, object_path);
	ao_control_set(&worker.control->state, AO_CONTROL_LOADED);
	serve_below(&worker, shift->frames);
	_exit(0);
}
