/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/channels.h"
#include "rewrite/moves.h"
#include "rewrite/prelude.h"

/*
 * So many steps of channels side by side, that is copies of what they read and
 * what they add up to, stay in the first cache with vectors of 64 bytes, too.
 */
#define STEPS_OF_BLOCK "64"

/*
 * The other form, and the names that it needs:
 *
 *     for (first; whole) {
 *         for (i; first + VEC_LANES) { preparations; copies of states }
 *         for (from) {
 *             copies of steps
 *             for (t; end) for (s) for (lane) { a step }
 *             sums, added to results
 *         }
 *     }
 */
struct form {
	struct ao_channels channels;
	const char *all_states; /* [states][lanes] */
	const char *all_sums;	/* [steps of a block][lanes] */
	const char *sum;	/* [lanes] */
	const char *whole;	/* how many channels are in whole vectors */
	const char *first;	/* channel of a vector */
	const char *lane;
	const char *from;  /* step of a block */
	const char *end;   /* behind the last one */
	const char *block; /* how many steps it has at most */
};

static void name_all(struct form *form)
{
	struct ao_scan *scan = &form->channels.scan;
	struct ao_unit *unit = scan->unit;
	const struct ao_term *to = scan->sum->term->arg;

	form->all_states = ao_scan_name(scan, scan->state.name);
	form->all_sums = ao_scan_name(scan, ao_scan_matrix(to));
	form->sum = ao_unit_fresh_name(unit, unit->file->span, "sum");
	form->whole = ao_unit_fresh_name(unit, unit->file->span, "whole");
	form->first = ao_unit_fresh_name(unit, unit->file->span, "first");
	form->lane = ao_unit_fresh_name(unit, unit->file->span, "lane");
	form->from = ao_unit_fresh_name(unit, unit->file->span, "from");
	form->end = ao_unit_fresh_name(unit, unit->file->span, "end");
	form->block = ao_unit_fresh_name(unit, unit->file->span, "KEPT_STEPS");
}

/* Names as the form has them within a step. */
static bool replace(void *data, struct ao_buf *out, const struct ao_term *term)
{
	const struct form *form = data;
	const struct ao_scan *scan = &form->channels.scan;
	const char *state = ao_unit_word(scan->unit, scan->states->var);
	const struct ao_copy *copy;
	bool is_of_states;

	if (ao_scan_is_state(scan, term)) {
		ao_buf_addf(out, "%s[%s][%s]", form->all_states, state,
			    form->lane);
		return true;
	}
	if (!ao_channels_is_copied(&form->channels, term, &is_of_states))
		return ao_scan_rename(scan, out, term);
	copy = ao_channels_copy(&form->channels, ao_scan_matrix(term));
	if (is_of_states)
		ao_buf_addf(out, "%s[%s][%s]", copy->as, state, form->lane);
	else
		ao_buf_addf(out, "%s[%s - %s][%s]", copy->as,
			    ao_unit_word(scan->unit, scan->steps->var),
			    form->from, form->lane);
	return true;
}

static const char *word(const struct form *form, const struct ao_for *loop)
{
	return ao_unit_word(form->channels.scan.unit, loop->var);
}

static const char *type(const struct form *form, const struct ao_for *loop)
{
	return ao_unit_text(form->channels.scan.unit, loop->type);
}

static void open_channels(struct ao_draft *d, const struct form *form,
			  const char *tail)
{
	const char *i = word(form, form->channels.loop);

	ao_draft_open(d, "for (%s %s = %s; %s < %s + VEC_LANES; %s++)%s",
		      type(form, form->channels.loop), i, form->first, i,
		      form->first, i, tail);
}

static void open_steps(struct ao_draft *d, const struct form *form,
		       const char *tail)
{
	const char *t = word(form, form->channels.scan.steps);

	ao_draft_open(d, "for (%s %s = %s; %s < %s; %s++)%s",
		      type(form, form->channels.scan.steps), t, form->from, t,
		      form->end, t, tail);
}

static void open_lanes(struct ao_draft *d, const struct form *form,
		       const char *tail)
{
	ao_draft_open(d, "for (int %s = 0; %s < VEC_LANES; %s++)%s", form->lane,
		      form->lane, form->lane, tail);
}

static void declare_lanes(struct ao_draft *d, const char *name,
			  const char *count)
{
	ao_draft_line(d, "float %s[%s][VEC_LANES];", name, count);
}

/* What comes before the states, and the states, of each channel. */
static void draft_start(struct ao_draft *d, struct form *form)
{
	struct ao_scan *scan = &form->channels.scan;
	const struct ao_tokens *tokens = &scan->unit->tokens;
	const char *i = word(form, form->channels.loop);
	const char *s = word(form, scan->states);
	const struct ao_node *body = form->channels.loop->node->child;

	open_channels(d, form, " {");
	ao_draft_copy(d, ao_token(tokens, body->span.first).at + 1,
		      ao_span_at(tokens, scan->states->node->span));
	ao_scan_open(d, scan, scan->states, " {");
	for (size_t n = 0; n < form->channels.copy_count; n++) {
		const struct ao_copy *copy = &form->channels.copies[n];

		if (copy->is_of_states)
			ao_draft_line(
				d, "%s[%s][%s - %s] = %s;", copy->as, s, i,
				form->first,
				ao_unit_text(scan->unit, copy->element->span));
	}
	ao_draft_line(d, "%s[%s][%s - %s] = %s;", form->all_states, s, i,
		      form->first, ao_unit_text(scan->unit, scan->state.init));
	ao_draft_close(d, "}");
	ao_draft_close(d, "}");
}

/*
 * One matrix after another, and step after step: of few rows at a time the
 * lines stay in the cache, however many bytes these are apart.
 */
static void draft_copies(struct ao_draft *d, const struct form *form)
{
	const char *i = word(form, form->channels.loop);
	const char *t = word(form, form->channels.scan.steps);

	for (size_t n = 0; n < form->channels.copy_count; n++) {
		const struct ao_copy *copy = &form->channels.copies[n];

		if (copy->is_of_states)
			continue;
		open_steps(d, form, "");
		open_channels(d, form, "");
		ao_draft_line(d, "%s[%s - %s][%s - %s] = %s;", copy->as, t,
			      form->from, i, form->first,
			      ao_unit_text(form->channels.scan.unit,
					   copy->element->span));
		ao_draft_outdent(d);
		ao_draft_outdent(d);
	}
}

static void draft_steps(struct ao_draft *d, struct form *form)
{
	struct ao_scan *scan = &form->channels.scan;
	char *sum = ao_xstrf("%s[%s]", form->sum, form->lane);

	open_steps(d, form, " {");
	ao_draft_line(d, "float %s[VEC_LANES] = { 0 };", form->sum);
	ao_draft_blank(d);
	ao_draft_line(d, "VEC_UNROLL");
	ao_scan_open(d, scan, scan->states, " {");
	ao_draft_directive(d, "#pragma omp simd");
	open_lanes(d, form, " {");
	for (size_t i = 0; i < scan->body.count; i++)
		ao_scan_draft_statement(d, scan, &scan->body.v[i], sum, replace,
					form);
	ao_draft_close(d, "}");
	ao_draft_close(d, "}");
	open_lanes(d, form, "");
	ao_draft_line(d, "%s[%s - %s][%s] = %s;", form->all_sums,
		      word(form, scan->steps), form->from, form->lane, sum);
	ao_draft_outdent(d);
	ao_draft_close(d, "}");
	free(sum);
}

static void draft_results(struct ao_draft *d, struct form *form)
{
	struct ao_scan *scan = &form->channels.scan;

	open_channels(d, form, "");
	open_steps(d, form, "");
	ao_draft_line(d, "%s += %s[%s - %s][%s - %s];",
		      ao_unit_text(scan->unit, scan->sum->term->arg->span),
		      form->all_sums, word(form, scan->steps), form->from,
		      word(form, form->channels.loop), form->first);
	ao_draft_outdent(d);
	ao_draft_outdent(d);
}

/* A block of steps of as many channels as there are lanes. */
static void draft_block(struct ao_draft *d, struct form *form)
{
	struct ao_scan *scan = &form->channels.scan;
	const char *steps = ao_unit_operand(scan->unit, scan->steps->bound);
	const char *t = type(form, scan->steps);

	ao_draft_open(d, "for (%s %s = 0; %s < %s; %s += %s) {", t, form->from,
		      form->from, ao_unit_text(scan->unit, scan->steps->bound),
		      form->from, form->block);
	ao_draft_line(d, "const %s %s = %s - %s < %s ? %s : %s + %s;", t,
		      form->end, steps, form->from, form->block, steps,
		      form->from, form->block);
	for (size_t n = 0; n < form->channels.copy_count; n++) {
		if (!form->channels.copies[n].is_of_states)
			declare_lanes(d, form->channels.copies[n].as,
				      form->block);
	}
	declare_lanes(d, form->all_sums, form->block);
	ao_draft_blank(d);
	draft_copies(d, form);
	draft_steps(d, form);
	draft_results(d, form);
	ao_draft_close(d, "}");
}

static void draft_vectors(struct ao_draft *d, struct form *form)
{
	struct ao_scan *scan = &form->channels.scan;
	const char *states = ao_scan_most_states(scan);

	ao_draft_open(d, "for (%s %s = 0; %s < %s; %s += VEC_LANES) {",
		      type(form, form->channels.loop), form->first, form->first,
		      form->whole, form->first);
	for (size_t n = 0; n < form->channels.copy_count; n++) {
		if (form->channels.copies[n].is_of_states)
			declare_lanes(d, form->channels.copies[n].as, states);
	}
	declare_lanes(d, form->all_states, states);
	ao_draft_blank(d);
	draft_start(d, form);
	draft_block(d, form);
	ao_draft_close(d, "}");
}

/* How many channels are computed in vectors, and what that needs. */
static void draft_whole(struct ao_draft *d, struct form *form)
{
	struct ao_scan *scan = &form->channels.scan;
	const char *count = ao_unit_operand(scan->unit,
					    form->channels.loop->bound);
	const char *t = type(form, form->channels.loop);

	if (scan->is_bounded) {
		char *room = ao_scan_say_room(scan, true);

		ao_draft_line(d, "const %s %s = %s ? %s - %s %% VEC_LANES : 0;",
			      t, form->whole, room, count, count);
		free(room);
	} else {
		ao_draft_line(d, "const %s %s = %s - %s %% VEC_LANES;", t,
			      form->whole, count, count);
	}
	ao_draft_blank(d);
	if (!scan->packed_count)
		return;
	ao_draft_line(d, "/* Of each step, the states lie side by side. */");
	ao_draft_open(d, "if (%s) {", form->whole);
	ao_scan_draft_packing(d, scan);
	ao_draft_close(d, "}");
}

/* The channels that are left, as they were. */
static void draft_rest(struct ao_draft *d, const struct form *form)
{
	struct ao_unit *unit = form->channels.scan.unit;
	const struct ao_node *body = form->channels.loop->node->child;
	const char *i = word(form, form->channels.loop);
	const char *count = ao_unit_text(unit, form->channels.loop->bound);

	if (form->channels.scan.is_bounded)
		ao_draft_open(
			d, "if (!%s || %s %% VEC_LANES)", form->whole,
			ao_unit_operand(unit, form->channels.loop->bound));
	else
		ao_draft_open(
			d, "if (%s %% VEC_LANES)",
			ao_unit_operand(unit, form->channels.loop->bound));
	ao_draft_open(d, "for (%s %s = %s; %s < %s; %s++) {",
		      type(form, form->channels.loop), i, form->whole, i, count,
		      i);
	ao_draft_copy(d, ao_token(&unit->tokens, body->span.first).at + 1,
		      ao_token(&unit->tokens, body->span.end - 1).at);
	ao_draft_close(d, "}");
}

static char *write_form(struct form *form)
{
	struct ao_unit *unit = form->channels.scan.unit;
	struct ao_draft d;

	ao_draft_init(
		&d, unit,
		ao_span_at(&unit->tokens, form->channels.loop->node->span));
	draft_whole(&d, form);
	ao_draft_line(&d, "/* Lanes of a vector hold a channel each. */");
	draft_vectors(&d, form);
	draft_rest(&d, form);
	return ao_buf_take(&d.text);
}

/* Whether they fill a vector in the main case. */
static bool are_many(struct ao_unit *unit, const struct ao_channels *channels)
{
	return ao_unit_value(unit, channels->loop->bound) >=
	       ao_unit_lanes(unit);
}

static void propose(struct ao_offers *offers, struct ao_unit *unit)
{
	for (size_t site = 0; site < unit->loop_count; site++) {
		struct ao_channels channels;
		char *params;

		if (!ao_channels_read(&channels, unit, &unit->loops[site]) ||
		    !are_many(unit, &channels))
			continue;
		params = ao_xstrf("site=%zu", site);
		ao_offer(offers, params, "scan,strided", 1.9,
			 "take the steps of several recurrences side by side",
			 "Each step of the recurrence at line %" PRIu32
			 " needs the one before, but the loop around it goes "
			 "through recurrences that are independent. With these "
			 "side by side in vectors, all states of a step are "
			 "independent, too, and nothing is summed across a "
			 "vector.",
			 ao_unit_line(unit, unit->loops[site].node));
		free(params);
	}
}

static bool apply(struct ao_edits *edits, struct ao_unit *unit,
		  const char *params)
{
	struct form form;
	const struct ao_scan *scan = &form.channels.scan;
	struct ao_span span;
	char *text;

	if (!ao_channels_read(&form.channels, unit,
			      ao_move_loop(unit, params)) ||
	    !ao_prelude_need(edits, unit, AO_HELPER_VECTOR) ||
	    !ao_scan_need_helpers(edits, scan))
		return false;
	name_all(&form);
	text = ao_xstrf("/* Steps whose copies stay in the first cache. */\n"
			"enum { %s = " STEPS_OF_BLOCK " };\n",
			form.block);
	ao_prelude_add(edits, unit, text);
	free(text);
	if (scan->packed_count)
		ao_scan_declare(edits, scan);
	text = write_form(&form);
	span = form.channels.loop->node->span;
	ao_edits_replace_span(edits, &unit->tokens, span, text);
	free(text);
	return true;
}

const struct ao_move ao_move_scan_channels = {
	.name = "scan_channels",
	.propose = propose,
	.apply = apply,
};
