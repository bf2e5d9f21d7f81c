/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/moves.h"
#include "rewrite/place.h"
#include "rewrite/scan.h"

/* The form that has the states side by side. */
struct form {
	struct ao_scan scan;
	const char *all_states; /* [states] */
	const char *partial_sum;
};

/* Names as the other form has them. */
static bool replace(void *data, struct ao_buf *out, const struct ao_term *term)
{
	const struct form *form = data;
	const struct ao_scan *scan = &form->scan;

	if (ao_scan_is_state(scan, term)) {
		ao_buf_addf(out, "%s[%s]", form->all_states,
			    ao_unit_word(scan->unit, scan->states->var));
		return true;
	}
	return ao_scan_rename(scan, out, term);
}

/* The matrices, transposed once, before all loops. */
static char *write_packing(struct ao_scan *scan, const struct ao_for *outermost)
{
	struct ao_draft d;

	ao_draft_init(&d, scan->unit,
		      ao_span_at(&scan->unit->tokens, outermost->node->span));
	ao_draft_line(&d, "/* Of each step, the states lie side by side. */");
	if (scan->is_bounded) {
		char *room = ao_scan_say_room(scan, true);

		ao_draft_open(&d, "if (%s)", room);
		free(room);
	}
	ao_scan_draft_packing(&d, scan);
	return ao_buf_take(&d.text);
}

/* for (t) for (s) of one step */
static void write_steps(struct ao_draft *d, struct form *form)
{
	struct ao_unit *unit = form->scan.unit;
	char *pragma = ao_xstrf("#pragma omp simd reduction(+ : %s)",
				form->partial_sum);

	ao_scan_open(d, &form->scan, form->scan.steps, " {");
	ao_draft_line(d, "float %s = 0.0f;", form->partial_sum);
	ao_draft_blank(d);
	ao_draft_directive(d, pragma);
	ao_scan_open(d, &form->scan, form->scan.states, " {");
	for (size_t i = 0; i < form->scan.body.count; i++)
		ao_scan_draft_statement(d, &form->scan, &form->scan.body.v[i],
					form->partial_sum, replace, form);
	ao_draft_close(d, "}");
	ao_draft_line(d, "%s += %s;",
		      ao_unit_text(unit, form->scan.sum->term->arg->span),
		      form->partial_sum);
	ao_draft_close(d, "}");
	free(pragma);
}

static char *write_nest(struct form *form)
{
	struct ao_scan *scan = &form->scan;
	struct ao_unit *unit = scan->unit;
	const struct ao_term *start = ao_term_parse(&unit->pool, &unit->tokens,
						    scan->state.init);
	struct ao_draft d;

	if (!start)
		return NULL;
	ao_draft_init(&d, unit,
		      ao_span_at(&unit->tokens, scan->states->node->span));
	if (scan->is_bounded) {
		char *no_room = ao_scan_say_room(scan, false);

		ao_draft_fall_back(&d, no_room, "Too much to keep.",
				   scan->states->node->span);
		free(no_room);
	}
	ao_draft_line(&d, "float %s[%s];", form->all_states,
		      ao_scan_most_states(scan));
	ao_draft_blank(&d);
	ao_scan_open(&d, scan, scan->states, "");
	ao_draft_line(&d, "%s[%s] = %s;", form->all_states,
		      ao_unit_word(unit, scan->states->var),
		      ao_scan_say(scan, start, replace, form));
	ao_draft_outdent(&d);
	write_steps(&d, form);
	if (scan->is_bounded)
		ao_draft_close(&d, "}");
	return ao_buf_take(&d.text);
}

static bool pack(struct ao_edits *edits, struct ao_scan *scan)
{
	const struct ao_for *outermost = ao_unit_loop(
		scan->unit, ao_node_outermost(scan->states->node));
	char *before;
	bool is_placed;

	if (!outermost)
		return false;
	before = write_packing(scan, outermost);
	ao_scan_declare(edits, scan);
	is_placed = ao_place_around(edits, scan->unit, outermost, before, NULL);
	free(before);
	return is_placed;
}

static void propose(struct ao_offers *offers, struct ao_unit *unit)
{
	for (size_t site = 0; site < unit->loop_count; site++) {
		struct ao_scan scan;
		char *params;

		if (!ao_scan_read(&scan, unit, &unit->loops[site]))
			continue;
		params = ao_xstrf("site=%zu", site);
		ao_offer(offers, params,
			 scan.packed_count ? "scan,strided" : "scan", 1.6,
			 "compute the states of the recurrence side by side",
			 "Each step of the recurrence at line %" PRIu32
			 " needs the one before, so its loop cannot be "
			 "vectorised; but its states are independent. With the "
			 "loop over steps outside, vectors hold several "
			 "states, and what they read is transposed once so "
			 "that it lies side by side.",
			 ao_unit_line(unit, scan.states->node));
		free(params);
	}
}

static bool apply(struct ao_edits *edits, struct ao_unit *unit,
		  const char *params)
{
	struct form form;
	struct ao_scan *scan = &form.scan;
	struct ao_span span;
	char *nest;

	if (!ao_scan_read(scan, unit, ao_move_loop(unit, params)) ||
	    !ao_scan_need_helpers(edits, scan))
		return false;
	span = scan->states->node->span;
	form.all_states = ao_scan_name(scan, scan->state.name);
	form.partial_sum = ao_unit_fresh_name(unit, span, "sum");
	nest = write_nest(&form);
	if (!nest || (scan->packed_count && !pack(edits, scan))) {
		free(nest);
		return false;
	}
	ao_edits_replace_span(edits, &unit->tokens, span, nest);
	free(nest);
	return true;
}

const struct ao_move ao_move_scan = {
	.name = "scan",
	.propose = propose,
	.apply = apply,
};
