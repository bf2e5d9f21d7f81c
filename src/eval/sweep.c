/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <assert.h>

#include "eval/sweep.h"

enum mark {
	IS_CODE = 1,
	IS_QUEUED = 2,
	IS_READ = 4, /* as the first byte of an instruction */
};

void ao_sweep_init(struct ao_sweep *sweep, const void *code, size_t size,
		   uint64_t address)
{
	assert(size <= AO_SWEEP_MAX_BYTES);
	*sweep = (struct ao_sweep){ .code = code,
				    .size = size,
				    .address = address };
	sweep->marks = ao_xcalloc(size + 1, 1);
}

void ao_sweep_release(struct ao_sweep *sweep)
{
	free(sweep->marks);
	free(sweep->queue);
	*sweep = (struct ao_sweep){ 0 };
}

/* Each byte is queued once, whoever points to it. */
static void queue(struct ao_sweep *sweep, size_t offset)
{
	if ((sweep->marks[offset] & (IS_CODE | IS_QUEUED)) != IS_CODE)
		return;
	sweep->marks[offset] |= IS_QUEUED;
	sweep->queue = ao_grow(sweep->queue, &sweep->alloc, sweep->count + 1,
			       sizeof(*sweep->queue));
	sweep->queue[sweep->count++] = (uint32_t)offset;
}

void ao_sweep_add_start(struct ao_sweep *sweep, uint64_t address)
{
	uint64_t offset = address - sweep->address;

	if (address >= sweep->address && offset < sweep->size)
		queue(sweep, offset);
}

bool ao_sweep_add_code(struct ao_sweep *sweep, uint64_t address, uint64_t size)
{
	uint64_t offset = address - sweep->address;

	if (address < sweep->address || offset >= sweep->size)
		return true;
	if (size > sweep->size - offset)
		size = sweep->size - offset;
	for (uint64_t i = 0; i < size; i++) {
		if (sweep->marks[offset + i])
			return false;
		sweep->marks[offset + i] = IS_CODE;
	}
	queue(sweep, offset);
	return true;
}

/* Behind what is not known, the next instruction may begin at any byte. */
static void queue_all_behind(struct ao_sweep *sweep, size_t offset)
{
	for (size_t i = 1; i <= AO_X86_MAX_LENGTH; i++)
		if (offset + i < sweep->size)
			queue(sweep, offset + i);
}

/* Read on from `offset` to what has been read, or is no code. */
static const struct ao_x86_ban *read_from(size_t *offset_out,
					  struct ao_sweep *sweep, size_t offset,
					  bool has_tls)
{
	while (offset < sweep->size &&
	       (sweep->marks[offset] & (IS_CODE | IS_READ)) == IS_CODE) {
		const struct ao_x86_ban *ban;
		struct ao_x86 x86;
		int64_t target;

		sweep->marks[offset] |= IS_READ;
		if (!ao_x86_decode(&x86, sweep->code + offset,
				   sweep->size - offset)) {
			queue_all_behind(sweep, offset);
			return NULL;
		}
		ban = ao_x86_banned(&x86, has_tls);
		if (ban) {
			*offset_out = offset;
			return ban;
		}
		if (ao_x86_points_to(&target, &x86))
			ao_sweep_add_start(sweep, sweep->address + offset +
							  (uint64_t)target);
		offset += x86.length;
	}
	return NULL;
}

const struct ao_x86_ban *ao_sweep_run(uint64_t *address_out,
				      struct ao_sweep *sweep, bool has_tls)
{
	const struct ao_x86_ban *ban = NULL;
	size_t found = 0;

	while (sweep->count && !ban) {
		size_t offset = sweep->queue[--sweep->count];

		ban = read_from(&found, sweep, offset, has_tls);
	}
	if (ban)
		*address_out = sweep->address + found;
	return ban;
}
