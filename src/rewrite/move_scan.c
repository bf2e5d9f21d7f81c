/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/body.h"
#include "rewrite/draft.h"
#include "rewrite/move_scan.h"
#include "rewrite/place.h"
#include "rewrite/prelude.h"
#include "util/limits.h"

/*
 * More states than this do not stay in the first cache; larger copies cost.
 * AO_HELPER_KEPT has the same, for extents that are known at run time only.
 */
enum { MAX_STATES = 1024, MAX_PACKED = 8 };
#define MAX_PACKED_ELEMENTS (4.0 * 1024 * 1024)

/* A matrix [states][steps] that is read, and its transpose. */
struct packed {
	uint32_t name; /* a use of it */
	const char *as;
};

/* A recurrence, and the names that its other form needs. */
struct scan {
	struct ao_unit *unit;
	const struct ao_for *states;
	const struct ao_for *steps;
	const struct ao_node *declaration; /* of: */
	struct ao_decl state;
	struct ao_body body;		 /* of a step */
	const struct ao_statement *next; /* state = ... */
	const struct ao_statement *sum;	 /* element += ... */
	struct packed packed[MAX_PACKED];
	size_t packed_count;
	bool is_bounded;	/* extents are known at run time only */
	const char *all_states; /* [states] */
	const char *partial_sum;
};

static bool is_state(const struct scan *scan, const struct ao_term *term)
{
	return term->kind == AO_TERM_NAME &&
	       ao_token_same(&scan->unit->tokens, term->span.first,
			     scan->state.name);
}

/* Sort the statements of a step.  False if there is more than we know of. */
static bool read_step(struct scan *scan)
{
	const struct ao_tokens *tokens = &scan->unit->tokens;
	const struct ao_env env = { .tokens = tokens };

	for (size_t i = 0; i < scan->body.count; i++) {
		const struct ao_statement *s = &scan->body.v[i];

		if (s->condition)
			return false;
		if (s->is_declaration)
			continue;
		if (is_state(scan, s->term->arg) && !scan->next &&
		    ao_term_has_op(s->term, tokens, "="))
			scan->next = s;
		else if (s->term->arg->kind == AO_TERM_INDEX && !scan->sum &&
			 ao_term_has_op(s->term, tokens, "+=") &&
			 ao_access_stride(&env, s->term->arg,
					  scan->states->var) == AO_STRIDE_NONE)
			scan->sum = s;
		else
			return false;
	}
	return scan->next && scan->sum &&
	       ao_term_depends(&env, scan->next->value, scan->state.name) &&
	       !ao_term_depends(&env, scan->sum->term->arg, scan->state.name);
}

/* name[s][t], of a matrix that nobody writes to */
static bool is_to_be_packed(const struct scan *scan, const struct ao_term *term,
			    uint32_t *name_out)
{
	const struct ao_tokens *tokens = &scan->unit->tokens;
	const struct ao_node *function = ao_body_function(scan->states->node);
	const struct ao_term *row = term->arg, *step, *state;
	struct ao_decl decl;

	if (term->kind != AO_TERM_INDEX || row->kind != AO_TERM_INDEX ||
	    row->arg->kind != AO_TERM_NAME)
		return false;
	step = ao_term_second(term);
	state = ao_term_second(row);
	*name_out = row->arg->span.first;
	return step->kind == AO_TERM_NAME && state->kind == AO_TERM_NAME &&
	       ao_token_same(tokens, step->span.first, scan->steps->var) &&
	       ao_token_same(tokens, state->span.first, scan->states->var) &&
	       ao_decl_find(&decl, tokens, scan->states->node, *name_out) &&
	       decl.base == AO_TYPE_FLOAT && decl.dim_count == 2 &&
	       !decl.pointers &&
	       !ao_decl_is_written(tokens, function->span, *name_out);
}

static const struct packed *find_packed(const struct scan *scan, uint32_t name)
{
	for (size_t i = 0; i < scan->packed_count; i++)
		if (ao_token_same(&scan->unit->tokens, scan->packed[i].name,
				  name))
			return &scan->packed[i];
	return NULL;
}

/* A name of the whole file, such as "b_of". */
static const char *name_anew(struct scan *scan, uint32_t name,
			     const char *suffix)
{
	const struct ao_span file = { 0, scan->unit->tokens.code_count };
	char *wish = ao_xstrf("%s%s", ao_unit_word(scan->unit, name), suffix);
	const char *fresh = ao_unit_fresh_name(scan->unit, file, wish);

	free(wish);
	return fresh;
}

static bool find_matrices(struct scan *scan)
{
	for (size_t i = 0; i < scan->body.count; i++) {
		const struct ao_term *value = scan->body.v[i].value;

		for (const struct ao_term *t = value; t;
		     t = ao_term_next(t, value)) {
			uint32_t name;

			if (!is_to_be_packed(scan, t, &name) ||
			    find_packed(scan, name))
				continue;
			if (scan->packed_count == MAX_PACKED)
				return false;
			scan->packed[scan->packed_count++] = (struct packed){
				name, name_anew(scan, name, "_of")
			};
		}
	}
	return true;
}

/* How many there are, if that is known here. */
static double extent_of(struct scan *scan, const struct ao_for *loop)
{
	return ao_unit_value(scan->unit, loop->bound);
}

static bool has_constant_extents(const struct scan *scan)
{
	const struct ao_node *node = scan->states->node;

	return ao_unit_is_constant(scan->unit, node, scan->states->bound) &&
	       ao_unit_is_constant(scan->unit, node, scan->steps->bound);
}

static bool is_small(struct scan *scan)
{
	double states = extent_of(scan, scan->states);
	double steps = extent_of(scan, scan->steps);

	return states > 1 && states <= MAX_STATES && steps > 1 &&
	       states * steps <= MAX_PACKED_ELEMENTS;
}

static bool is_plain(const struct ao_unit *unit, const struct ao_for *loop)
{
	return loop && ao_for_is_plain(loop, &unit->tokens) &&
	       loop->type.first < loop->type.end &&
	       ao_body_annotated(loop->node) == loop->node;
}

/* for (s) { float h = start; for (t) ... } */
static bool read_nest(struct scan *scan, const struct ao_for *loop)
{
	struct ao_unit *unit = scan->unit;
	const struct ao_node *s = loop ? ao_node_body(loop->node) : NULL;

	if (!s || !is_plain(unit, loop) || s->kind != AO_NODE_SIMPLE ||
	    loop->node->parent->kind != AO_NODE_BLOCK || !s->next ||
	    s->next->next ||
	    ao_decl_read(&scan->state, 1, &unit->tokens, s->span) != 1)
		return false;
	scan->states = loop;
	scan->declaration = s;
	scan->steps = ao_unit_loop(unit, s->next);
	return scan->state.base == AO_TYPE_FLOAT && !scan->state.pointers &&
	       !scan->state.dim_count &&
	       scan->state.init.first < scan->state.init.end &&
	       is_plain(unit, scan->steps) &&
	       !ao_decl_is_used(&unit->tokens, scan->steps->node->head,
				loop->var) &&
	       !ao_unit_has_jump(unit, loop->node->span) &&
	       !ao_unit_has_directive(unit, loop->node->span) &&
	       ao_body_read(&scan->body, unit, scan->steps);
}

/* No call but of exponentials, of which there are two kinds. */
static bool calls_only_exp(const struct scan *scan)
{
	const struct ao_tokens *tokens = &scan->unit->tokens;
	struct ao_span span = scan->steps->node->child->span;

	return !ao_body_calls(tokens, span, "expf") ||
	       !ao_body_calls(tokens, span, "exp_inline");
}

static bool find_scan(struct scan *out, struct ao_unit *unit,
		      const struct ao_for *loop)
{
	const struct ao_node *outermost;

	*out = (struct scan){ .unit = unit };
	if (!read_nest(out, loop) || !is_small(out) || !read_step(out) ||
	    !calls_only_exp(out) || !find_matrices(out))
		return false;
	outermost = ao_body_outermost(loop->node);
	out->is_bounded = !has_constant_extents(out);
	return !out->packed_count ||
	       (outermost != loop->node &&
		ao_unit_is_fixed(unit, loop->node, out->states->bound,
				 outermost) &&
		ao_unit_is_fixed(unit, loop->node, out->steps->bound,
				 outermost));
}

/* How many states there are, fit to be an operand. */
static char *state_count(const struct scan *scan)
{
	return ao_unit_operand(scan->unit, scan->states->bound);
}

/* An element of a matrix: by two subscripts only where its extents are. */
static void add_packed(struct ao_buf *out, const struct scan *scan,
		       const struct packed *packed)
{
	char *state = ao_unit_word(scan->unit, scan->states->var);
	char *step = ao_unit_word(scan->unit, scan->steps->var);

	if (scan->is_bounded)
		ao_buf_addf(out, "%s[%s * %s + %s]", packed->as, step,
			    state_count(scan), state);
	else
		ao_buf_addf(out, "%s[%s][%s]", packed->as, step, state);
}

/* Names as the other form has them. */
static bool replace(void *data, struct ao_buf *out, const struct ao_term *term)
{
	const struct scan *scan = data;
	const struct ao_tokens *tokens = &scan->unit->tokens;
	const struct packed *packed;
	uint32_t name;

	if (is_state(scan, term)) {
		ao_buf_addf(out, "%s[%s]", scan->all_states,
			    ao_unit_word(scan->unit, scan->states->var));
		return true;
	}
	if (ao_term_is_name(term, tokens, "expf")) {
		ao_buf_addstr(out, "exp_inline");
		return true;
	}
	packed = is_to_be_packed(scan, term, &name) ? find_packed(scan, name)
						    : NULL;
	if (packed)
		add_packed(out, scan, packed);
	return packed != NULL;
}

static char *say(struct scan *scan, const struct ao_term *term)
{
	struct ao_buf out = AO_BUF_INIT(AO_MAX_KERNEL_BYTES);
	char *text;

	ao_term_print(&out, &scan->unit->tokens, term, replace, scan);
	text = ao_pool_strndup(&scan->unit->pool, out.ptr, out.len);
	ao_buf_release(&out);
	return text;
}

static void open_loop(struct ao_draft *draft, struct scan *scan,
		      const struct ao_for *loop, const char *tail)
{
	ao_draft_open(draft, "for (%s)%s",
		      ao_unit_text(scan->unit, loop->node->head), tail);
}

/* Whether all that is to be kept has its place, or not. */
static char *say_room(const struct scan *scan, bool there_is)
{
	char *states = state_count(scan);
	char *steps = ao_unit_operand(scan->unit, scan->steps->bound);

	return there_is ? ao_xstrf("%s > 0 && %s <= KEPT_STATES && "
				   "%s <= KEPT_FLOATS / %s",
				   states, states, steps, states)
			: ao_xstrf("%s < 1 || %s > KEPT_STATES || "
				   "%s > KEPT_FLOATS / %s",
				   states, states, steps, states);
}

static void write_matrices(struct ao_draft *d, struct scan *scan)
{
	char *state = ao_unit_word(scan->unit, scan->states->var);
	char *step = ao_unit_word(scan->unit, scan->steps->var);

	open_loop(d, scan, scan->states, "");
	open_loop(d, scan, scan->steps, " {");
	for (size_t i = 0; i < scan->packed_count; i++) {
		struct ao_buf to = AO_BUF_INIT(AO_MAX_KERNEL_BYTES);

		add_packed(&to, scan, &scan->packed[i]);
		ao_draft_line(d, "%s = %s[%s][%s];", to.ptr,
			      ao_unit_word(scan->unit, scan->packed[i].name),
			      state, step);
		ao_buf_release(&to);
	}
	ao_draft_close(d, "}");
	ao_draft_outdent(d);
}

/* The matrices, transposed once, before all loops. */
static char *write_packing(struct scan *scan, const struct ao_for *outermost)
{
	struct ao_draft d;

	ao_draft_init(&d, scan->unit,
		      ao_span_at(&scan->unit->tokens, outermost->node->span));
	ao_draft_line(&d, "/* Of each step, the states lie side by side. */");
	if (scan->is_bounded) {
		char *room = say_room(scan, true);

		ao_draft_open(&d, "if (%s)", room);
		free(room);
	}
	write_matrices(&d, scan);
	return ao_buf_take(&d.text);
}

static void write_statement(struct ao_draft *d, struct scan *scan,
			    const struct ao_statement *s)
{
	struct ao_unit *unit = scan->unit;

	if (s->is_declaration)
		ao_draft_line(
			d, "%s %s = %s;", ao_unit_text(unit, s->decl.type),
			ao_unit_word(unit, s->decl.name), say(scan, s->value));
	else if (s == scan->sum)
		ao_draft_line(d, "%s += %s;", scan->partial_sum,
			      say(scan, s->value));
	else
		ao_draft_line(d, "%s;", say(scan, s->term));
}

/* for (t) for (s) of one step */
static void write_steps(struct ao_draft *d, struct scan *scan)
{
	struct ao_unit *unit = scan->unit;
	char *pragma = ao_xstrf("#pragma omp simd reduction(+ : %s)",
				scan->partial_sum);

	open_loop(d, scan, scan->steps, " {");
	ao_draft_line(d, "float %s = 0.0f;", scan->partial_sum);
	ao_draft_blank(d);
	ao_draft_directive(d, pragma);
	open_loop(d, scan, scan->states, " {");
	for (size_t i = 0; i < scan->body.count; i++)
		write_statement(d, scan, &scan->body.v[i]);
	ao_draft_close(d, "}");
	ao_draft_line(d, "%s += %s;",
		      ao_unit_text(unit, scan->sum->term->arg->span),
		      scan->partial_sum);
	ao_draft_close(d, "}");
	free(pragma);
}

/* The nest as it was, where there is no room. */
static void write_plain_way(struct ao_draft *d, struct scan *scan)
{
	const struct ao_tokens *tokens = &scan->unit->tokens;
	struct ao_span span = scan->states->node->span;
	char *no_room = say_room(scan, false);

	ao_draft_open(d, "if (%s) {", no_room);
	ao_draft_line(d, "/* Too much to keep. */");
	ao_draft_copy(d, ao_span_at(tokens, span),
		      ao_span_at_end(tokens, span));
	ao_draft_outdent(d);
	ao_draft_open(d, "} else {");
	free(no_room);
}

static char *write_nest(struct scan *scan)
{
	struct ao_unit *unit = scan->unit;
	const struct ao_term *start = ao_term_parse(&unit->pool, &unit->tokens,
						    scan->state.init);
	struct ao_draft d;

	if (!start)
		return NULL;
	ao_draft_init(&d, unit,
		      ao_span_at(&unit->tokens, scan->states->node->span));
	if (scan->is_bounded)
		write_plain_way(&d, scan);
	ao_draft_line(&d, "float %s[%s];", scan->all_states,
		      scan->is_bounded
			      ? "KEPT_STATES"
			      : ao_unit_text(unit, scan->states->bound));
	ao_draft_blank(&d);
	open_loop(&d, scan, scan->states, "");
	ao_draft_line(&d, "%s[%s] = %s;", scan->all_states,
		      ao_unit_word(unit, scan->states->var), say(scan, start));
	ao_draft_outdent(&d);
	write_steps(&d, scan);
	if (scan->is_bounded)
		ao_draft_close(&d, "}");
	return ao_buf_take(&d.text);
}

/* "static float name[steps][states];" for each matrix, or the most there is. */
static void declare_matrices(struct ao_edits *edits, struct scan *scan)
{
	struct ao_buf out = AO_BUF_INIT(4096);

	ao_buf_addstr(&out, "/* Transposed, [step][state]. */\n");
	for (size_t i = 0; i < scan->packed_count && scan->is_bounded; i++)
		ao_buf_addf(&out, "static float %s[KEPT_FLOATS];\n",
			    scan->packed[i].as);
	for (size_t i = 0; i < scan->packed_count && !scan->is_bounded; i++)
		ao_buf_addf(&out, "static float %s[%s][%s];\n",
			    scan->packed[i].as,
			    ao_unit_text(scan->unit, scan->steps->bound),
			    ao_unit_text(scan->unit, scan->states->bound));
	ao_prelude_add(edits, scan->unit, out.ptr);
	ao_buf_release(&out);
}

static bool pack(struct ao_edits *edits, struct scan *scan)
{
	const struct ao_for *outermost = ao_unit_loop(
		scan->unit, ao_body_outermost(scan->states->node));
	char *before;
	bool is_placed;

	if (!outermost)
		return false;
	before = write_packing(scan, outermost);
	declare_matrices(edits, scan);
	is_placed = ao_place_around(edits, scan->unit, outermost, before, NULL);
	free(before);
	return is_placed;
}

static void propose(struct ao_offers *offers, struct ao_unit *unit)
{
	for (size_t site = 0; site < unit->loop_count; site++) {
		struct scan scan;
		char *params, *text;

		if (!find_scan(&scan, unit, &unit->loops[site]))
			continue;
		params = ao_xstrf("site=%zu", site);
		text = ao_xstrf(
			"Each step of the recurrence at line %" PRIu32
			" needs the one before, so its loop cannot be "
			"vectorised; but its states are independent.  With the "
			"loop over steps outside, vectors hold several states, "
			"and what they read is transposed once so that it lies "
			"side by side.",
			ao_tokens_line(&unit->tokens,
				       ao_span_at(&unit->tokens,
						  scan.states->node->span)));
		ao_offer(offers, params,
			 scan.packed_count ? "scan,strided" : "scan", 1.6,
			 "compute the states of the recurrence side by side",
			 text);
		free(params);
		free(text);
	}
}

static bool apply(struct ao_edits *edits, struct ao_unit *unit,
		  const char *params)
{
	struct scan scan;
	struct ao_span span;
	char *nest;

	if (!find_scan(&scan, unit, ao_move_loop(unit, params)) ||
	    (ao_span_has(&unit->tokens, scan.states->node->span, "expf") &&
	     !ao_prelude_need(edits, unit, AO_HELPER_EXP)) ||
	    (scan.is_bounded && !ao_prelude_need(edits, unit, AO_HELPER_KEPT)))
		return false;
	scan.all_states = name_anew(&scan, scan.state.name, "_of");
	scan.partial_sum = ao_unit_fresh_name(unit, scan.states->node->span,
					      "sum");
	nest = write_nest(&scan);
	if (!nest || (scan.packed_count && !pack(edits, &scan))) {
		free(nest);
		return false;
	}
	span = scan.states->node->span;
	ao_edits_replace(edits, ao_span_at(&unit->tokens, span),
			 ao_span_at_end(&unit->tokens, span), nest);
	free(nest);
	return true;
}

const struct ao_move ao_move_scan = {
	.name = "scan",
	.propose = propose,
	.apply = apply,
};
