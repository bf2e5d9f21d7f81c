/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/channels.h"
#include "rewrite/counter.h"

const struct ao_copy *ao_channels_copy(const struct ao_channels *channels,
				       uint32_t name)
{
	for (size_t i = 0; i < channels->copy_count; i++) {
		if (ao_token_same(&channels->scan.unit->tokens,
				  ao_scan_matrix(channels->copies[i].element),
				  name))
			return &channels->copies[i];
	}
	return NULL;
}

bool ao_channels_is_copied(const struct ao_channels *channels,
			   const struct ao_term *term, bool *is_of_states_out)
{
	const struct ao_scan *scan = &channels->scan;
	uint32_t channel = channels->loop->var;

	*is_of_states_out = ao_scan_is_matrix(scan, term, channel,
					      scan->states->var);
	return *is_of_states_out ||
	       ao_scan_is_matrix(scan, term, channel, scan->steps->var);
}

/* Note the matrix of an element.  False if it is none that we know. */
static bool read_element(struct ao_channels *channels,
			 const struct ao_term *term)
{
	struct ao_scan *scan = &channels->scan;
	const struct ao_copy *known;
	bool is_of_states;
	uint32_t name;

	if (ao_scan_is_matrix(scan, term, scan->states->var, scan->steps->var))
		return true;
	if (!ao_channels_is_copied(channels, term, &is_of_states))
		return false;
	name = ao_scan_matrix(term);
	known = ao_channels_copy(channels, name);
	if (known)
		return known->is_of_states == is_of_states;
	if (ao_scan_find_packed(scan, name) ||
	    channels->copy_count == AO_MAX_COPIES)
		return false;
	channels->copies[channels->copy_count++] = (struct ao_copy){
		term, ao_scan_name(scan, name), is_of_states
	};
	return true;
}

/* Whether a name is one that a step declares. */
static bool is_of_step(const struct ao_scan *scan, uint32_t name)
{
	for (size_t i = 0; i < scan->body.count; i++) {
		if (scan->body.v[i].is_declaration &&
		    ao_token_same(&scan->unit->tokens,
				  scan->body.v[i].decl.name, name))
			return true;
	}
	return false;
}

/* Whether a name means the same for all channels of a vector. */
static bool reads_name(const struct ao_channels *channels,
		       const struct ao_term *term)
{
	const struct ao_scan *scan = &channels->scan;
	const struct ao_tokens *tokens = &scan->unit->tokens;
	uint32_t name = term->span.first;

	if (ao_scan_is_state(scan, term) || is_of_step(scan, name) ||
	    ao_token_same(tokens, name, scan->states->var) ||
	    ao_token_same(tokens, name, scan->steps->var))
		return true;
	return ao_unit_is_fixed(scan->unit, scan->steps->node->child,
				term->span, channels->loop->node);
}

/* What a step computes, of nothing but what we know how to have side by side.
 */
static bool reads(struct ao_channels *channels, const struct ao_term *term)
{
	const struct ao_tokens *tokens = &channels->scan.unit->tokens;
	const struct ao_term *arg = term->arg;

	switch (term->kind) {
	case AO_TERM_NUMBER:
		return true;
	case AO_TERM_NAME:
		return reads_name(channels, term);
	case AO_TERM_INDEX:
		return read_element(channels, term);
	case AO_TERM_CALL:
		if (!ao_term_is_name(arg, tokens, "expf") &&
		    !ao_term_is_name(arg, tokens, "exp_inline"))
			return false;
		arg = arg->next;
		break;
	case AO_TERM_UNARY:
		if (!ao_term_has_op(term, tokens, "-"))
			return false;
		break;
	case AO_TERM_PAREN:
	case AO_TERM_BINARY:
		break;
	case AO_TERM_STRING:
	case AO_TERM_MEMBER:
	case AO_TERM_POSTFIX:
	case AO_TERM_CAST:
	case AO_TERM_CHOICE:
	case AO_TERM_ASSIGN:
	case AO_TERM_OTHER:
		return false;
	}
	for (; arg; arg = arg->next) {
		if (!reads(channels, arg))
			return false;
	}
	return true;
}

static bool read_step(struct ao_channels *channels)
{
	struct ao_scan *scan = &channels->scan;

	for (size_t i = 0; i < scan->body.count; i++) {
		if (!reads(channels, scan->body.v[i].value))
			return false;
	}
	return true;
}

/* Whether all uses of an array in the loop are of its row `channel`. */
static bool has_own_rows(const struct ao_channels *channels, uint32_t array)
{
	const struct ao_tokens *tokens = &channels->scan.unit->tokens;
	const struct ao_span span = channels->loop->node->span;

	for (uint32_t i = span.first; i + 3 < span.end; i++) {
		if (ao_token_is_word(tokens, i) &&
		    ao_token_same(tokens, i, array) &&
		    (!ao_token_is(tokens, i + 1, "[") ||
		     !ao_token_same(tokens, i + 2, channels->loop->var) ||
		     !ao_token_is(tokens, i + 3, "]")))
			return false;
	}
	return true;
}

/* Whether results are y[channel][step], and no channel knows another's. */
static bool has_own_results(const struct ao_channels *channels)
{
	const struct ao_scan *scan = &channels->scan;
	const struct ao_tokens *tokens = &scan->unit->tokens;
	const struct ao_term *to = scan->sum->term->arg;
	const struct ao_term *row = to->arg;
	const struct ao_term *step = ao_term_second(to);
	struct ao_decl decl;

	return row->kind == AO_TERM_INDEX && row->arg->kind == AO_TERM_NAME &&
	       ao_term_second(row)->kind == AO_TERM_NAME &&
	       ao_token_same(tokens, ao_term_second(row)->span.first,
			     channels->loop->var) &&
	       step->kind == AO_TERM_NAME &&
	       ao_token_same(tokens, step->span.first, scan->steps->var) &&
	       ao_decl_find(&decl, tokens, scan->states->node,
			    row->arg->span.first) &&
	       decl.base == AO_TYPE_FLOAT && decl.dim_count == 2 &&
	       !decl.pointers && has_own_rows(channels, row->arg->span.first);
}

/* The loop around the states, which does nothing else behind them. */
static const struct ao_for *find_channels(const struct ao_scan *scan)
{
	const struct ao_node *states = scan->states->node;
	const struct ao_node *block = states->parent;
	const struct ao_node *node = block->parent;
	const struct ao_for *loop;

	if (states->next || !node || node->kind != AO_NODE_FOR ||
	    node->parent->kind != AO_NODE_BLOCK)
		return NULL;
	loop = ao_unit_loop(scan->unit, node);
	if (!loop || !ao_for_is_plain(loop, &scan->unit->tokens) ||
	    loop->type.first >= loop->type.end ||
	    ao_node_annotated(node) != node || ao_node_outermost(node) != node)
		return NULL;
	return loop;
}

/* Whether preparations of later channels may come before earlier ones. */
static bool is_free(const struct ao_channels *channels)
{
	const struct ao_scan *scan = &channels->scan;
	struct ao_unit *unit = scan->unit;
	const struct ao_node *whole = channels->loop->node;
	const struct ao_node *inside = scan->steps->node;
	struct ao_span before = { whole->child->span.first,
				  scan->states->node->span.first };

	return ao_unit_is_repeatable(unit, whole) &&
	       !ao_unit_has_directive(unit, whole->span) &&
	       !ao_body_calls(&unit->tokens, before, "") &&
	       !ao_body_calls(&unit->tokens, scan->state.init, "") &&
	       ao_unit_is_fixed(unit, inside, scan->states->bound, whole) &&
	       ao_unit_is_fixed(unit, inside, scan->steps->bound, whole);
}

bool ao_channels_read(struct ao_channels *out, struct ao_unit *unit,
		      const struct ao_for *loop)
{
	struct ao_scan *scan = &out->scan;
	const struct ao_term *start;
	size_t copies;

	*out = (struct ao_channels){ 0 };
	if (!ao_scan_read(scan, unit, loop) ||
	    ao_body_has_side_effect(&scan->body, &unit->tokens))
		return false;
	out->loop = find_channels(scan);
	if (!out->loop || !ao_counter_is_wide(unit, out->loop) ||
	    !ao_counter_is_wide(unit, scan->steps) || !is_free(out) ||
	    !has_own_results(out) || !read_step(out))
		return false;
	start = ao_term_parse(&unit->pool, &unit->tokens, scan->state.init);
	/* It stays as it is: what it is made of need not be copied. */
	copies = out->copy_count;
	if (!start || !reads(out, start))
		return false;
	out->copy_count = copies;
	return true;
}
