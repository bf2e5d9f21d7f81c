/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <assert.h>
#include <unistd.h>

#include "eval/layout.h"

enum { ALIGNMENT = 64 };

/*
 * Fresh content and poison find out what counts on old results; addresses that
 * change are worth this much memory more, which each worker has to map.
 */
static const uint64_t max_bytes = UINT64_C(32) << 20;

static uint64_t place_tensors(struct ao_place *places,
			      const struct ao_tensor *tensors, size_t count,
			      const struct ao_case *c)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t offset = 0;

	for (size_t i = 0; i < count; i++) {
		uint64_t bytes = ao_tensor_elements(&tensors[i], c) *
				 ao_dtype_size(tensors[i].dtype);
		uint64_t mapped = (bytes + page - 1) / page * page;

		places[i] = (struct ao_place){
			.offset = offset,
			.mapped = mapped,
			.start = (mapped - bytes) / ALIGNMENT * ALIGNMENT,
			.bytes = bytes,
		};
		offset += mapped;
	}
	return offset;
}

void ao_layout_compute(struct ao_layout *out, const struct ao_task *task,
		       const struct ao_case *c)
{
	uint64_t slot_bytes;

	assert(task->input_count <= AO_MAX_TENSORS &&
	       task->output_count <= AO_MAX_TENSORS);
	*out = (struct ao_layout){
		.slots = AO_LAYOUT_MAX_SLOTS,
		.input_count = (uint32_t)task->input_count,
		.output_count = (uint32_t)task->output_count,
	};
	out->input_slot_bytes = place_tensors(out->inputs, task->inputs,
					      task->input_count, c);
	out->output_slot_bytes = place_tensors(out->outputs, task->outputs,
					       task->output_count, c);
	slot_bytes = out->input_slot_bytes + out->output_slot_bytes;
	while (out->slots > 1 && out->slots * slot_bytes > max_bytes)
		out->slots--;
}

uint64_t ao_layout_input_bytes(const struct ao_layout *layout)
{
	return layout->slots * layout->input_slot_bytes;
}

uint64_t ao_layout_output_bytes(const struct ao_layout *layout)
{
	return layout->slots * layout->output_slot_bytes;
}
