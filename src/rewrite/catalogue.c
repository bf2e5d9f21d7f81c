/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/catalogue.h"
#include "rewrite/moves.h"
#include "util/limits.h"

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

static bool carry_out(struct ao_buf *out, const struct ao_move *move,
		      struct ao_unit *unit, const char *params)
{
	struct ao_edits edits = { 0 };
	bool applies = move->apply(&edits, unit, params) && edits.count &&
		       ao_edits_apply(out, &edits, unit->tokens.text,
				      unit->tokens.len);

	ao_edits_release(&edits);
	return applies;
}

/*
 * Take back those offers, from `first` on, that cannot be carried out: a helper
 * or statement may have no place, which a precondition need not foresee.
 */
static void take_back(struct ao_offers *offers, size_t first,
		      struct ao_unit *unit)
{
	size_t kept = first;

	for (size_t i = first; i < offers->count; i++) {
		struct ao_buf out = AO_BUF_INIT(AO_MAX_KERNEL_BYTES);

		if (carry_out(&out, offers->move, unit, offers->v[i].params))
			offers->v[kept++] = offers->v[i];
		else
			ao_proposal_release(&offers->v[i]);
		ao_buf_release(&out);
	}
	offers->count = kept;
}

void ao_catalogue_propose(struct ao_proposal **out, size_t *count_out,
			  const char *source, size_t len,
			  const struct ao_rewrite_context *context, bool sweep)
{
	struct ao_offers offers = { 0 };
	struct ao_unit unit;

	if (ao_unit_read(&unit, source, len, context)) {
		for (size_t i = 0; i < AO_ARRAY_SIZE(moves); i++) {
			size_t first = offers.count;

			offers.move = moves[i];
			if (moves[i]->is_sweep != sweep)
				continue;
			moves[i]->propose(&offers, &unit);
			take_back(&offers, first, &unit);
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
	struct ao_unit unit;
	bool applies;

	if (!found)
		return false;
	applies = ao_unit_read(&unit, source, len, context) &&
		  carry_out(out, found, &unit, params);
	ao_unit_release(&unit);
	return applies;
}
