/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/move_sweep.h"
#include "rewrite/move_tile.h"
#include "rewrite/tile.h"
#include "util/strs.h"
#include "util/text.h"

/* A tile's constants, as they stand at the top of the source. */
struct constants {
	char *prefix; /* "TILE" */
	int rows;
	int vecs;
	int depth;   /* 0: it is not packed */
	int block;   /* 0: it has none */
	int stripes; /* the same */
};

/* "name = 123" in an enum: the index of the number; code_count: none. */
static uint32_t find_constant(const struct ao_unit *unit, const char *name)
{
	const struct ao_tokens *tokens = &unit->tokens;

	for (uint32_t i = 0; i + 2 < tokens->code_count; i++) {
		if (ao_token_is(tokens, i, name) &&
		    ao_token_is(tokens, i + 1, "=") &&
		    ao_token(tokens, i + 2).kind == AO_TOKEN_NUMBER)
			return i + 2;
	}
	return tokens->code_count;
}

static int constant_value(struct ao_unit *unit, const char *prefix,
			  const char *tail)
{
	char *name = ao_xstrf("%s_%s", prefix, tail);
	uint32_t i = find_constant(unit, name);
	int64_t value = 0;

	free(name);
	if (i == unit->tokens.code_count ||
	    !ao_text_to_int(&value, ao_unit_word(unit, i), 1, 1 << 20))
		return 0;
	return (int)value;
}

static bool read_constants(struct constants *out, struct ao_unit *unit,
			   unsigned n)
{
	char *prefix = n > 1 ? ao_xstrf("TILE%u", n) : ao_xstrdup("TILE");

	*out = (struct constants){
		.prefix = prefix,
		.rows = constant_value(unit, prefix, "ROWS"),
		.vecs = constant_value(unit, prefix, "VECS"),
		.depth = constant_value(unit, prefix, "DEPTH"),
		.block = constant_value(unit, prefix, "BLOCK"),
		.stripes = constant_value(unit, prefix, "STRIPES"),
	};
	return out->rows && out->vecs;
}

static void offer(struct ao_offers *offers, const char *params,
		  const char *title)
{
	ao_offer(offers, params, "tile", 0.02, title,
		 "How large a tile pays depends on the machine's registers and "
		 "caches in ways that are easier measured than foreseen.");
}

static void offer_sizes(struct ao_offers *offers, const struct ao_unit *unit,
			const struct constants *c)
{
	const struct ao_tile_size *sizes = ao_tile_sizes(
		unit->context->vector_bytes);

	for (size_t n = 0; n < AO_TILE_SIZES; n++) {
		char *params, *title;

		if ((sizes[n].rows == c->rows && sizes[n].vecs == c->vecs) ||
		    (c->block && c->block < sizes[n].rows))
			continue;
		params = ao_xstrf("%s_ROWS=%d %s_VECS=%d", c->prefix,
				  sizes[n].rows, c->prefix, sizes[n].vecs);
		title = ao_xstrf("make the tile %d x %d vectors, from %d x %d",
				 sizes[n].rows, sizes[n].vecs, c->rows,
				 c->vecs);
		offer(offers, params, title);
		free(params);
		free(title);
	}
}

/* Half and twice as much of one constant. */
static void offer_neighbours(struct ao_offers *offers,
			     const struct constants *c, const char *tail,
			     int value, const char *what)
{
	const int values[] = { value * 2, value / 2 };

	for (size_t n = 0; n < AO_ARRAY_SIZE(values); n++) {
		char *params, *title;

		if (values[n] < c->rows || values[n] > 1 << 14)
			continue;
		params = ao_xstrf("%s_%s=%d", c->prefix, tail, values[n]);
		title = ao_xstrf("%s %d, from %d", what, values[n], value);
		offer(offers, params, title);
		free(params);
		free(title);
	}
}

/* How early to fetch, if that is done: twice and half as early. */
static void offer_distances(struct ao_offers *offers, struct ao_unit *unit)
{
	int ahead = constant_value(unit, "AHEAD", "FLOATS");
	const int values[] = { ahead * 2, ahead / 2 };

	for (size_t n = 0; n < AO_ARRAY_SIZE(values); n++) {
		char *params, *title;

		if (values[n] < 16 || values[n] > 1 << 14)
			continue;
		params = ao_xstrf("AHEAD_FLOATS=%d", values[n]);
		title = ao_xstrf("fetch %d floats ahead, from %d", values[n],
				 ahead);
		ao_offer(offers, params, "elementwise", 0.02, title,
			 "How early to fetch depends on how long memory takes "
			 "and on what the first cache holds meanwhile.");
		free(params);
		free(title);
	}
}

static void propose(struct ao_offers *offers, struct ao_unit *unit)
{
	offer_distances(offers, unit);
	for (unsigned n = 1;; n++) {
		struct constants c;
		bool is_there = read_constants(&c, unit, n);

		if (is_there) {
			offer_sizes(offers, unit, &c);
			if (c.depth)
				offer_neighbours(offers, &c, "DEPTH", c.depth,
						 "pack to a depth of");
			if (c.block)
				offer_neighbours(offers, &c, "BLOCK", c.block,
						 "take rows by blocks of");
			if (c.stripes)
				offer_neighbours(offers, &c, "STRIPES",
						 c.stripes,
						 "pack together stripes:");
		}
		free(c.prefix);
		if (!is_there)
			break;
	}
}

static bool is_ours(const char *name)
{
	return !strcmp(name, "AHEAD_FLOATS") ||
	       (ao_text_starts_with(name, "TILE") &&
		(ao_text_ends_with(name, "_ROWS") ||
		 ao_text_ends_with(name, "_VECS") ||
		 ao_text_ends_with(name, "_DEPTH") ||
		 ao_text_ends_with(name, "_BLOCK") ||
		 ao_text_ends_with(name, "_STRIPES")));
}

/* Set one constant: "TILE_ROWS=4". */
static bool set_constant(struct ao_edits *edits, struct ao_unit *unit,
			 char *word)
{
	char *value = strchr(word, '=');
	struct ao_token token;
	int64_t number;
	uint32_t i;

	if (!value)
		return false;
	*value++ = '\0';
	i = find_constant(unit, word);
	if (!is_ours(word) || i == unit->tokens.code_count ||
	    !ao_text_to_int(&number, value, 1, 1 << 14))
		return false;
	token = ao_token(&unit->tokens, i);
	ao_edits_replace(edits, token.at, (size_t)token.at + token.len, value);
	return true;
}

static bool apply(struct ao_edits *edits, struct ao_unit *unit,
		  const char *params)
{
	struct ao_strs words = { 0 };
	bool applies = true;

	ao_strs_split(&words, params);
	for (size_t i = 0; i < words.count && applies; i++)
		applies = set_constant(edits, unit, words.v[i]);
	applies &= words.count > 0;
	ao_strs_release(&words);
	return applies;
}

const struct ao_move ao_move_sweep = {
	.name = "sweep",
	.is_sweep = true,
	.propose = propose,
	.apply = apply,
};
