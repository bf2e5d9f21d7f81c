/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/prelude.h"
#include "rewrite/scan.h"
#include "util/limits.h"

bool ao_scan_is_state(const struct ao_scan *scan, const struct ao_term *term)
{
	return term->kind == AO_TERM_NAME &&
	       ao_token_same(&scan->unit->tokens, term->span.first,
			     scan->state.name);
}

/* Whether what the sums are added to is used for nothing else. */
static bool is_only_summed(const struct ao_scan *scan, const struct ao_env *env)
{
	uint32_t root;

	return ao_access_root(env, scan->sum->term->arg, &root) &&
	       ao_span_count(env->tokens, scan->states->node->span, root) == 1;
}

/* Sort the statements of a step.  False if there is more than we know of. */
static bool read_step(struct ao_scan *scan)
{
	const struct ao_tokens *tokens = &scan->unit->tokens;
	const struct ao_env env = { .tokens = tokens };

	for (size_t i = 0; i < scan->body.count; i++) {
		const struct ao_statement *s = &scan->body.v[i];

		if (s->condition)
			return false;
		if (s->is_declaration)
			continue;
		if (ao_scan_is_state(scan, s->term->arg) && !scan->next &&
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
	return scan->next && scan->sum && is_only_summed(scan, &env) &&
	       ao_term_depends(&env, scan->next->value, scan->state.name) &&
	       !ao_term_depends(&env, scan->sum->term->arg, scan->state.name);
}

uint32_t ao_scan_matrix(const struct ao_term *term)
{
	return term->arg->arg->span.first;
}

/*
 * Whether nobody writes to a matrix that the function uses: it is const, or all
 * that is done with it is to read its elements.
 */
static bool is_left_alone(const struct ao_unit *unit,
			  const struct ao_node *function,
			  const struct ao_decl *decl)
{
	const struct ao_tokens *tokens = &unit->tokens;
	struct ao_span body = function->child->span;

	if (ao_decl_is_written(tokens, function->span, decl->name))
		return false;
	if (ao_span_has(tokens, decl->type, "const"))
		return true;
	for (uint32_t i = body.first; i < body.end; i++) {
		if (ao_token_is_word(tokens, i) &&
		    ao_token_same(tokens, i, decl->name) &&
		    !(ao_token_is(tokens, i + 1, "[") &&
		      ao_token_is(tokens,
				  ao_token_skip(tokens, i + 1, body.end), "[")))
			return false;
	}
	/* One of the file may be written to by other functions. */
	return !ao_decl_is_global(tokens, decl) ||
	       !ao_body_calls_unknown(tokens, body);
}

bool ao_scan_is_matrix(const struct ao_scan *scan, const struct ao_term *term,
		       uint32_t row, uint32_t column)
{
	const struct ao_tokens *tokens = &scan->unit->tokens;
	const struct ao_node *node = scan->states->node;
	const struct ao_node *function = ao_node_function(node);
	const struct ao_term *first, *second;
	struct ao_decl decl;

	if (term->kind != AO_TERM_INDEX || term->arg->kind != AO_TERM_INDEX ||
	    term->arg->arg->kind != AO_TERM_NAME)
		return false;
	first = ao_term_second(term->arg);
	second = ao_term_second(term);
	return first->kind == AO_TERM_NAME && second->kind == AO_TERM_NAME &&
	       ao_token_same(tokens, first->span.first, row) &&
	       ao_token_same(tokens, second->span.first, column) &&
	       ao_decl_find(&decl, tokens, node, ao_scan_matrix(term)) &&
	       decl.base == AO_TYPE_FLOAT && decl.dim_count == 2 &&
	       !decl.pointers && is_left_alone(scan->unit, function, &decl);
}

static bool is_to_be_packed(const struct ao_scan *scan,
			    const struct ao_term *term)
{
	return ao_scan_is_matrix(scan, term, scan->states->var,
				 scan->steps->var);
}

const struct ao_packed *ao_scan_find_packed(const struct ao_scan *scan,
					    uint32_t name)
{
	for (size_t i = 0; i < scan->packed_count; i++)
		if (ao_token_same(&scan->unit->tokens, scan->packed[i].name,
				  name))
			return &scan->packed[i];
	return NULL;
}

const char *ao_scan_name(struct ao_scan *scan, uint32_t name)
{
	char *wish = ao_xstrf("%s_of", ao_unit_word(scan->unit, name));
	const char *fresh = ao_unit_fresh_name(scan->unit,
					       scan->unit->file->span, wish);

	free(wish);
	return fresh;
}

static bool add_matrix(struct ao_scan *scan, uint32_t name)
{
	if (ao_scan_find_packed(scan, name))
		return true;
	if (scan->packed_count == AO_MAX_PACKED)
		return false;
	scan->packed[scan->packed_count++] = (struct ao_packed){
		name, ao_scan_name(scan, name)
	};
	return true;
}

static bool find_matrices(struct ao_scan *scan)
{
	for (size_t i = 0; i < scan->body.count; i++) {
		const struct ao_term *value = scan->body.v[i].value;

		for (const struct ao_term *t = value; t;
		     t = ao_term_next(t, value)) {
			if (is_to_be_packed(scan, t) &&
			    !add_matrix(scan, ao_scan_matrix(t)))
				return false;
		}
	}
	return true;
}

/* How many there are, if that is known here. */
static double extent_of(struct ao_scan *scan, const struct ao_for *loop)
{
	return ao_unit_value(scan->unit, loop->bound);
}

static bool has_constant_extents(const struct ao_scan *scan)
{
	const struct ao_node *node = scan->states->node;

	return ao_unit_is_constant(scan->unit, node, scan->states->bound) &&
	       ao_unit_is_constant(scan->unit, node, scan->steps->bound);
}

static bool is_small(struct ao_scan *scan)
{
	double states = extent_of(scan, scan->states);
	double steps = extent_of(scan, scan->steps);

	return states > 1 && states <= AO_KEPT_STATES && steps > 1 &&
	       states * steps <= AO_KEPT_FLOATS;
}

static bool is_plain(const struct ao_unit *unit, const struct ao_for *loop)
{
	return loop && ao_for_is_plain(loop, &unit->tokens) &&
	       loop->type.first < loop->type.end &&
	       ao_node_annotated(loop->node) == loop->node;
}

/* for (s) { float h = start; for (t) ... } */
static bool read_nest(struct ao_scan *scan, const struct ao_for *loop)
{
	struct ao_unit *unit = scan->unit;
	const struct ao_node *s = loop ? ao_node_body(loop->node) : NULL;

	if (!s || !is_plain(unit, loop) || s->kind != AO_NODE_SIMPLE ||
	    loop->node->parent->kind != AO_NODE_BLOCK || !s->next ||
	    s->next->next ||
	    ao_decl_read(&scan->state, 1, &unit->tokens, s->span) != 1)
		return false;
	scan->states = loop;
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
static bool calls_only_exp(const struct ao_scan *scan)
{
	const struct ao_tokens *tokens = &scan->unit->tokens;
	struct ao_span span = scan->steps->node->child->span;

	if (ao_body_calls_unknown(tokens, scan->state.init))
		return false;
	return !ao_body_calls(tokens, span, "expf") ||
	       !ao_body_calls(tokens, span, "exp_inline");
}

bool ao_scan_read(struct ao_scan *out, struct ao_unit *unit,
		  const struct ao_for *loop)
{
	const struct ao_node *outermost;

	*out = (struct ao_scan){ .unit = unit };
	if (!read_nest(out, loop) || !is_small(out) || !read_step(out) ||
	    !calls_only_exp(out) || !find_matrices(out))
		return false;
	outermost = ao_node_outermost(loop->node);
	out->is_bounded = !has_constant_extents(out);
	return !out->packed_count ||
	       (outermost != loop->node &&
		ao_unit_is_fixed(unit, loop->node, out->states->bound,
				 outermost) &&
		ao_unit_is_fixed(unit, loop->node, out->steps->bound,
				 outermost));
}

/* How many states there are, fit to be an operand. */
static char *state_count(const struct ao_scan *scan)
{
	return ao_unit_operand(scan->unit, scan->states->bound);
}

/* An element of a matrix: by two subscripts only where its extents are. */
static void add_packed(struct ao_buf *out, const struct ao_scan *scan,
		       const struct ao_packed *packed)
{
	char *state = ao_unit_word(scan->unit, scan->states->var);
	char *step = ao_unit_word(scan->unit, scan->steps->var);

	if (scan->is_bounded)
		ao_buf_addf(out, "%s[%s * %s + %s]", packed->as, step,
			    state_count(scan), state);
	else
		ao_buf_addf(out, "%s[%s][%s]", packed->as, step, state);
}

bool ao_scan_rename(const struct ao_scan *scan, struct ao_buf *out,
		    const struct ao_term *term)
{
	const struct ao_packed *packed = NULL;

	if (ao_term_is_name(term, &scan->unit->tokens, "expf")) {
		ao_buf_addstr(out, "exp_inline");
		return true;
	}
	if (is_to_be_packed(scan, term))
		packed = ao_scan_find_packed(scan, ao_scan_matrix(term));
	if (packed)
		add_packed(out, scan, packed);
	return packed != NULL;
}

char *ao_scan_say(const struct ao_scan *scan, const struct ao_term *term,
		  ao_term_replace *replace, void *data)
{
	struct ao_buf out = AO_BUF_INIT(AO_MAX_KERNEL_BYTES);
	char *text;

	ao_term_print(&out, &scan->unit->tokens, term, replace, data);
	text = ao_pool_strndup(&scan->unit->pool, out.ptr, out.len);
	ao_buf_release(&out);
	return text;
}

void ao_scan_draft_statement(struct ao_draft *d, const struct ao_scan *scan,
			     const struct ao_statement *s, const char *sum,
			     ao_term_replace *replace, void *data)
{
	struct ao_unit *unit = scan->unit;

	if (s->is_declaration)
		ao_draft_line(d, "%s %s = %s;",
			      ao_unit_text(unit, s->decl.type),
			      ao_unit_word(unit, s->decl.name),
			      ao_scan_say(scan, s->value, replace, data));
	else if (s == scan->sum)
		ao_draft_line(d, "%s += %s;", sum,
			      ao_scan_say(scan, s->value, replace, data));
	else
		ao_draft_line(d, "%s;",
			      ao_scan_say(scan, s->term, replace, data));
}

void ao_scan_open(struct ao_draft *draft, const struct ao_scan *scan,
		  const struct ao_for *loop, const char *tail)
{
	ao_draft_open(draft, "for (%s)%s",
		      ao_unit_text(scan->unit, loop->node->head), tail);
}

char *ao_scan_say_room(const struct ao_scan *scan, bool there_is)
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

const char *ao_scan_most_states(const struct ao_scan *scan)
{
	return scan->is_bounded ? "KEPT_STATES"
				: ao_unit_text(scan->unit, scan->states->bound);
}

bool ao_scan_need_helpers(struct ao_edits *edits, const struct ao_scan *scan)
{
	struct ao_unit *unit = scan->unit;
	bool has_expf = ao_span_has(&unit->tokens, scan->states->node->span,
				    "expf");

	return (!has_expf || ao_prelude_need(edits, unit, AO_HELPER_EXP)) &&
	       (!scan->is_bounded ||
		ao_prelude_need(edits, unit, AO_HELPER_KEPT));
}

void ao_scan_draft_packing(struct ao_draft *d, const struct ao_scan *scan)
{
	char *state = ao_unit_word(scan->unit, scan->states->var);
	char *step = ao_unit_word(scan->unit, scan->steps->var);

	ao_scan_open(d, scan, scan->states, "");
	ao_scan_open(d, scan, scan->steps, " {");
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

/* "static float name[steps][states];" for each matrix, or the most there is. */
void ao_scan_declare(struct ao_edits *edits, const struct ao_scan *scan)
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
