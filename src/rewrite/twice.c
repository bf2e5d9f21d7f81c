/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/move_tile.h"
#include "rewrite/twice.h"
#include "util/limits.h"

bool ao_twice_read(struct ao_twice *out, const struct ao_unit *unit,
		   struct ao_edits *first)
{
	bool is_read;

	*out = (struct ao_twice){ .text = AO_BUF_INIT(AO_MAX_KERNEL_BYTES) };
	is_read = ao_edits_apply(&out->text, first, unit->tokens.text,
				 unit->tokens.len) &&
		  ao_unit_read(&out->unit, out->text.ptr, out->text.len,
			       unit->context);
	ao_edits_release(first);
	return is_read;
}

void ao_twice_release(struct ao_twice *twice)
{
	ao_unit_release(&twice->unit);
	ao_buf_release(&twice->text);
}

bool ao_twice_tile(struct ao_edits *edits, const struct ao_unit *unit,
		   struct ao_edits *first, const char *params)
{
	struct ao_buf result = AO_BUF_INIT(AO_MAX_KERNEL_BYTES);
	struct ao_edits second = { 0 };
	struct ao_twice twice;
	bool applies;

	applies = ao_twice_read(&twice, unit, first) &&
		  ao_move_tile_apply(&second, &twice.unit,
				     ao_move_loop(&twice.unit, params),
				     params) &&
		  ao_edits_apply(&result, &second, twice.text.ptr,
				 twice.text.len);
	if (applies)
		ao_edits_replace(edits, 0, unit->tokens.len, result.ptr);
	ao_edits_release(&second);
	ao_twice_release(&twice);
	ao_buf_release(&result);
	return applies;
}
