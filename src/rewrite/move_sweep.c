/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/move_tile.h"
#include "rewrite/moves.h"
#include "rewrite/tile.h"
#include "util/strs.h"
#include "util/text.h"

/* The constants of a tile, and how large each may become. */
enum { ROWS, VECS, DEPTH, BLOCK, STRIPES, TILE_CONSTANTS };

static const struct {
	const char *tail;
	int most;
	const char *title; /* of half and twice as much; NULL: not offered */
} of_tile[TILE_CONSTANTS] = {
	[ROWS] = { "ROWS", AO_MAX_TILE_ROWS, NULL },
	[VECS] = { "VECS", AO_MAX_TILE_VECS, NULL },
	[DEPTH] = { "DEPTH", 1 << 14, "pack to a depth of" },
	[BLOCK] = { "BLOCK", 1 << 12, "take rows by blocks of" },
	[STRIPES] = { "STRIPES", AO_MAX_STRIPES, "pack together stripes:" },
};

static const char ahead_name[] = "AHEAD_FLOATS";
enum { LEAST_AHEAD = 16, MOST_AHEAD = 1 << 14 };

/* A tile's constants, as they stand at the top of the source. */
struct constants {
	char *prefix;		    /* "TILE" */
	int values[TILE_CONSTANTS]; /* 0: there is none */
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

/* Its value, or 0. */
static int constant_value(struct ao_unit *unit, const char *name)
{
	uint32_t i = find_constant(unit, name);
	int64_t value = 0;

	if (i == unit->tokens.code_count ||
	    !ao_text_to_int(&value, ao_unit_word(unit, i), 1, 1 << 20))
		return 0;
	return (int)value;
}

static bool read_constants(struct constants *out, struct ao_unit *unit,
			   unsigned n)
{
	out->prefix = n > 1 ? ao_xstrf("TILE%u", n) : ao_xstrdup("TILE");
	for (size_t i = 0; i < TILE_CONSTANTS; i++) {
		char *name = ao_xstrf("%s_%s", out->prefix, of_tile[i].tail);

		out->values[i] = constant_value(unit, name);
		free(name);
	}
	return out->values[ROWS] && out->values[VECS];
}

static const char why_tile[] =
	"How large a tile pays depends on the machine's registers and caches "
	"in ways that are easier measured than foreseen.";

static void offer_sizes(struct ao_offers *offers, const struct ao_unit *unit,
			const struct constants *c)
{
	const struct ao_tile_size *sizes = ao_tile_sizes(
		unit->context->vector_bytes);
	int rows = c->values[ROWS], vecs = c->values[VECS];
	int block = c->values[BLOCK];

	for (size_t n = 0; n < AO_TILE_SIZES; n++) {
		char *params, *title;

		if ((sizes[n].rows == rows && sizes[n].vecs == vecs) ||
		    (block && block < sizes[n].rows))
			continue;
		params = ao_xstrf("%s_ROWS=%d %s_VECS=%d", c->prefix,
				  sizes[n].rows, c->prefix, sizes[n].vecs);
		title = ao_xstrf("make the tile %d x %d vectors, from %d x %d",
				 sizes[n].rows, sizes[n].vecs, rows, vecs);
		ao_offer(offers, params, "tile", 0.02, title, "%s", why_tile);
		free(params);
		free(title);
	}
}

/* Half and twice as much of a tile's constant. */
static void offer_neighbours(struct ao_offers *offers,
			     const struct constants *c, size_t which)
{
	int value = c->values[which];
	const int values[] = { value * 2, value / 2 };

	for (size_t n = 0; n < AO_ARRAY_SIZE(values); n++) {
		char *params, *title;

		if (values[n] < c->values[ROWS] ||
		    values[n] > of_tile[which].most)
			continue;
		params = ao_xstrf("%s_%s=%d", c->prefix, of_tile[which].tail,
				  values[n]);
		title = ao_xstrf("%s %d, from %d", of_tile[which].title,
				 values[n], value);
		ao_offer(offers, params, "tile", 0.02, title, "%s", why_tile);
		free(params);
		free(title);
	}
}

/* How early to fetch, if that is done: twice and half as early. */
static void offer_distances(struct ao_offers *offers, struct ao_unit *unit)
{
	int ahead = constant_value(unit, ahead_name);
	const int values[] = { ahead * 2, ahead / 2 };

	for (size_t n = 0; n < AO_ARRAY_SIZE(values); n++) {
		char *params, *title;

		if (values[n] < LEAST_AHEAD || values[n] > MOST_AHEAD)
			continue;
		params = ao_xstrf("%s=%d", ahead_name, values[n]);
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
	bool is_there = true;

	offer_distances(offers, unit);
	for (unsigned n = 1; is_there; n++) {
		struct constants c;

		is_there = read_constants(&c, unit, n);
		if (is_there)
			offer_sizes(offers, unit, &c);
		for (size_t i = 0; i < TILE_CONSTANTS && is_there; i++) {
			if (c.values[i] && of_tile[i].title)
				offer_neighbours(offers, &c, i);
		}
		free(c.prefix);
	}
}

/* How much a constant may be; 0: it is none that we vary. */
static int most_of(const char *name)
{
	const char *tail = strrchr(name, '_');

	if (!strcmp(name, ahead_name))
		return MOST_AHEAD;
	if (!tail || !ao_text_starts_with(name, "TILE"))
		return 0;
	for (size_t i = 0; i < TILE_CONSTANTS; i++) {
		if (!strcmp(tail + 1, of_tile[i].tail))
			return of_tile[i].most;
	}
	return 0;
}

/* Set one constant: "TILE_ROWS=4". */
static bool set_constant(struct ao_edits *edits, struct ao_unit *unit,
			 char *word)
{
	char *value = strchr(word, '=');
	struct ao_token token;
	int64_t number;
	uint32_t i;
	int most;

	if (!value)
		return false;
	*value++ = '\0';
	most = most_of(word);
	i = find_constant(unit, word);
	if (!most || i == unit->tokens.code_count ||
	    !ao_text_to_int(&number, value, 1, most))
		return false;
	token = ao_token(&unit->tokens, i);
	ao_edits_replace(edits, token.at, (size_t)token.at + token.len, value);
	return true;
}

/*
 * How deep the rows of a left factor are that is packed, as in
 * "left[2 * TILE_BLOCK / TILE_ROWS + 1][TILE_DEPTH][TILE_ROWS]"; 0: it is not,
 * or that is not known.
 */
static double left_depth(struct ao_unit *unit, const struct constants *c)
{
	const struct ao_tokens *tokens = &unit->tokens;
	char *block = ao_xstrf("%s_BLOCK", c->prefix);
	char *depth = ao_xstrf("%s_DEPTH", c->prefix);
	double found = 0;

	for (uint32_t i = 0; i + 7 < tokens->code_count && found <= 0; i++) {
		struct ao_span dim = { i + 7, i + 7 };

		if (!ao_token_is(tokens, i, block) ||
		    !ao_token_is(tokens, i + 1, "/") ||
		    !ao_token_is(tokens, i + 6, "["))
			continue;
		while (dim.end < tokens->code_count &&
		       !ao_token_is(tokens, dim.end, "]"))
			dim.end++;
		found = ao_token_is(tokens, dim.first, depth)
				? c->values[DEPTH]
				: ao_unit_value(unit, dim);
	}
	free(depth);
	free(block);
	return found;
}

/* Panels, sums and packed rows of a tile are on the stack, which is 8 MiB. */
static bool fits_stack(struct ao_unit *unit, const struct constants *c)
{
	enum { MOST_FLOATS = 1 << 20 };
	double width = (double)c->values[VECS] * ao_unit_lanes(unit);
	double stripes = c->values[STRIPES] ? c->values[STRIPES] : 1;
	double rows = 2.0 * c->values[BLOCK] + c->values[ROWS];

	return width * stripes * c->values[DEPTH] + width * rows +
		       rows * left_depth(unit, c) <=
	       MOST_FLOATS;
}

/* A tile's constants with what words set, each with its value behind it. */
static void change(struct constants *c, const struct ao_strs *words)
{
	for (size_t i = 0; i < TILE_CONSTANTS; i++) {
		char *name = ao_xstrf("%s_%s", c->prefix, of_tile[i].tail);
		size_t len = strlen(name);
		int64_t value;

		for (size_t n = 0; n < words->count; n++) {
			if (!strcmp(words->v[n], name) &&
			    ao_text_to_int(&value, words->v[n] + len + 1, 1,
					   of_tile[i].most))
				c->values[i] = (int)value;
		}
		free(name);
	}
}

static bool all_fit_stack(struct ao_unit *unit, const struct ao_strs *words)
{
	bool is_there = true, fits = true;

	for (unsigned n = 1; is_there && fits; n++) {
		struct constants c;

		is_there = read_constants(&c, unit, n);
		if (is_there) {
			change(&c, words);
			fits = fits_stack(unit, &c);
		}
		free(c.prefix);
	}
	return fits;
}

static bool apply(struct ao_edits *edits, struct ao_unit *unit,
		  const char *params)
{
	struct ao_strs words = { 0 };
	bool applies = true;

	ao_strs_split(&words, params);
	for (size_t i = 0; i < words.count && applies; i++)
		applies = set_constant(edits, unit, words.v[i]);
	applies = applies && words.count > 0 && all_fit_stack(unit, &words);
	ao_strs_release(&words);
	return applies;
}

const struct ao_move ao_move_sweep = {
	.name = "sweep",
	.is_sweep = true,
	.propose = propose,
	.apply = apply,
};
