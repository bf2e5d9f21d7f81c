/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/catalogue.h"
#include "rewrite/moves.h"

/* In the order in which an expert would try them. */
static const struct ao_move *const moves[] = {
	&ao_move_split_tile, &ao_move_fuse_tile,     &ao_move_tile,
	&ao_move_scan,	     &ao_move_scan_channels, &ao_move_interchange,
	&ao_move_exp_simd,   &ao_move_exp,	     &ao_move_simd,
	&ao_move_scalar,     &ao_move_prefetch,	     &ao_move_stream,
	&ao_move_restrict,   &ao_move_divide,	     &ao_move_fuse,
	&ao_move_flatten,    &ao_move_jam,	     &ao_move_flag,
	&ao_move_unroll,     &ao_move_sweep,
};

void ao_catalogue_propose(struct ao_proposal **out, size_t *count_out,
			  const char *source, size_t len,
			  const struct ao_rewrite_context *context, bool sweep)
{
	struct ao_offers offers = { 0 };
	struct ao_unit unit;

	if (ao_unit_read(&unit, source, len, context)) {
		for (size_t i = 0; i < AO_ARRAY_SIZE(moves); i++) {
			offers.move = moves[i];
			if (moves[i]->is_sweep == sweep)
				moves[i]->propose(&offers, &unit);
		}
	}
	ao_unit_release(&unit);
	*out = offers.v;
	*count_out = offers.count;
}

static const struct ao_move *find_move(const char *name)
{
	for (size_t i = 0; i < AO_ARRAY_SIZE(moves); i++) {
		if (!strcmp(moves[i]->name, name))
			return moves[i];
	}
	return NULL;
}

bool ao_catalogue_apply(struct ao_buf *out, const char *source, size_t len,
			const struct ao_rewrite_context *context,
			const char *move, const char *params)
{
	const struct ao_move *found = find_move(move);
	struct ao_edits edits = { 0 };
	struct ao_unit unit;
	bool applies;

	if (!found)
		return false;
	applies = ao_unit_read(&unit, source, len, context) &&
		  found->apply(&edits, &unit, params) && edits.count &&
		  ao_edits_apply(out, &edits, source, len);
	ao_edits_release(&edits);
	ao_unit_release(&unit);
	return applies;
}
