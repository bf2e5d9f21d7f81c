/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "eval/arena.h"

#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010
#endif

/*
 * A file of `bytes` that cannot change its size, mapped for us.  The pages are
 * claimed now: a kernel that cannot give them says so here, not by a signal
 * later.
 */
static struct ao_error *make_file(int *fd_out, char **mapping_out,
				  const char *name, uint64_t bytes)
{
	int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
	void *mapping = MAP_FAILED;
	struct ao_error *err;

	if (fd < 0)
		return ao_error_errno("cannot make a memory file");
	errno = posix_fallocate(fd, 0, (off_t)bytes);
	if (!errno && !fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW))
		mapping = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			       MAP_SHARED | MAP_POPULATE, fd, 0);
	if (mapping == MAP_FAILED) {
		err = ao_error_errno(
			"cannot share %" PRIu64 " bytes with workers", bytes);
		close(fd);
		return err;
	}
	*fd_out = fd;
	*mapping_out = mapping;
	return NULL;
}

struct ao_error *ao_arena_init(struct ao_arena *out, const struct ao_task *task,
			       const struct ao_case *c)
{
	struct ao_arena arena = { 0 };
	struct ao_error *err;

	ao_layout_compute(&arena.layout, task, c);
	err = make_file(&arena.input_fd, &arena.inputs, "inputs",
			ao_layout_input_bytes(&arena.layout));
	if (!err)
		err = make_file(&arena.output_fd, &arena.outputs, "outputs",
				ao_layout_output_bytes(&arena.layout));
	if (err) {
		ao_arena_release(&arena);
		return err;
	}
	/* Linux 5.1; before it, the judge compares inputs after each call. */
	arena.is_sealed = !fcntl(arena.input_fd, F_ADD_SEALS,
				 F_SEAL_FUTURE_WRITE | F_SEAL_SEAL);
	*out = arena;
	return NULL;
}

void ao_arena_release(struct ao_arena *arena)
{
	if (arena->inputs) {
		munmap(arena->inputs, ao_layout_input_bytes(&arena->layout));
		close(arena->input_fd);
	}
	if (arena->outputs) {
		munmap(arena->outputs, ao_layout_output_bytes(&arena->layout));
		close(arena->output_fd);
	}
	*arena = (struct ao_arena){ 0 };
}

char *ao_arena_input(const struct ao_arena *arena, size_t slot, size_t input)
{
	const struct ao_place *place = &arena->layout.inputs[input];

	return arena->inputs + slot * arena->layout.input_slot_bytes +
	       place->offset + place->start;
}

/* The pages of an output, from their start. */
static char *output_pages(const struct ao_arena *arena, size_t slot,
			  size_t output)
{
	return arena->outputs + slot * arena->layout.output_slot_bytes +
	       arena->layout.outputs[output].offset;
}

const char *ao_arena_output(const struct ao_arena *arena, size_t slot,
			    size_t output)
{
	return output_pages(arena, slot, output) +
	       arena->layout.outputs[output].start;
}

/* Eight bytes of poison: one element, or the same one twice. */
static uint64_t poison_word(uint64_t poison, enum ao_dtype dtype)
{
	return ao_dtype_size(dtype) == 4 ? poison << 32 | poison : poison;
}

void ao_arena_poison(struct ao_arena *arena, const struct ao_task *task,
		     size_t slot, struct ao_rng *rng)
{
	for (size_t i = 0; i < task->output_count; i++) {
		enum ao_dtype dtype = task->outputs[i].dtype;
		uint64_t *pages = (void *)output_pages(arena, slot, i);
		uint64_t word;

		arena->poison[i] = ao_check_poison(dtype, ao_rng_next(rng));
		word = poison_word(arena->poison[i], dtype);
		for (size_t k = 0; k < arena->layout.outputs[i].mapped / 8; k++)
			pages[k] = word;
	}
}

static bool is_filled(const char *from, const char *to, uint64_t word)
{
	/* Poison repeats every eight bytes from the start of a page. */
	for (; from < to; from++) {
		size_t at = (uintptr_t)from % sizeof(word);

		if (*from != ((const char *)&word)[at])
			return false;
	}
	return true;
}

bool ao_arena_margins_are_intact(const struct ao_arena *arena,
				 const struct ao_task *task, size_t slot,
				 size_t output)
{
	const struct ao_place *place = &arena->layout.outputs[output];
	const char *pages = output_pages(arena, slot, output);
	const char *start = pages + place->start;
	uint64_t word = poison_word(arena->poison[output],
				    task->outputs[output].dtype);

	return is_filled(pages, start, word) &&
	       is_filled(start + place->bytes, pages + place->mapped, word);
}
