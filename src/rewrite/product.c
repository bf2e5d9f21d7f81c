/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/body.h"
#include "rewrite/counter.h"
#include "rewrite/local.h"
#include "rewrite/order.h"
#include "rewrite/product.h"
#include "rewrite/shared.h"
#include "rewrite/sum.h"

struct finder {
	struct ao_unit *unit;
	struct ao_product *p;
};

static const struct ao_tokens *tokens_of(const struct finder *f)
{
	return &f->unit->tokens;
}

/* Look through the one name that a statement is about, if that is possible. */
static bool bind_names(struct finder *f, const struct ao_node *statement)
{
	struct ao_decl decl;

	return ao_local_read(&decl, f->unit, statement) &&
	       ao_env_bind(&f->p->env, &f->unit->pool, &decl,
			   f->p->site->node->span);
}

static const struct ao_for *plain_loop(const struct finder *f,
				       const struct ao_node *node)
{
	const struct ao_for *loop = node ? ao_unit_loop(f->unit, node) : NULL;

	return loop && ao_for_is_plain(loop, tokens_of(f)) ? loop : NULL;
}

/*
 * The last statement of a body, if all before it are pragmas and names that
 * can be looked through.  With `odd_out`, one other may stand directly before
 * it.
 */
static const struct ao_node *lone_statement(struct finder *f,
					    const struct ao_node *loop,
					    const struct ao_node **odd_out)
{
	const struct ao_node *s = ao_node_body(loop);

	for (; s && s->next; s = s->next) {
		if (s->kind == AO_NODE_DIRECTIVE || bind_names(f, s))
			continue;
		if (!odd_out || s->next->next)
			return NULL;
		*odd_out = s;
	}
	return s;
}

static bool read_factors(struct finder *f, const struct ao_node *at,
			 const struct ao_term *value)
{
	struct ao_product *p = f->p;
	struct ao_factor_vars vars = { p->i->var, p->j->var, p->k->var };

	return ao_factors_read(&p->factors, f->unit, &p->env, at, value, &vars);
}

/*
 * Give three loops, outermost first, their roles by how they move the target.
 * Of two that do not move it, the inner one is summed over: the other chooses
 * rows in a place that each row uses again.
 */
static bool assign_roles(struct finder *f, const struct ao_for *const loops[3],
			 const struct ao_term *target)
{
	struct ao_product *p = f->p;

	if (target->kind != AO_TERM_INDEX)
		return false;
	for (size_t n = 0; n < 3; n++) {
		switch (ao_access_stride(&p->env, target, loops[n]->var)) {
		case AO_STRIDE_NONE:
			if (p->k)
				p->i = p->k;
			p->k = loops[n];
			break;
		case AO_STRIDE_ONE:
			if (p->j)
				return false;
			p->j = loops[n];
			break;
		case AO_STRIDE_MANY:
			p->i = loops[n];
			break;
		case AO_STRIDE_UNKNOWN:
			return false;
		}
	}
	return p->i && p->j && p->k;
}

/* Whether a statement is target = value; value becomes the sums' start. */
static bool read_init(struct finder *f, const struct ao_node *statement)
{
	const struct ao_tokens *tokens = tokens_of(f);
	const struct ao_term *term = ao_sum_term(f->unit, statement);

	if (!term || !ao_term_has_op(term, tokens, "=") ||
	    !ao_span_same(tokens, term->arg->span, f->p->target->span))
		return false;
	f->p->init = ao_sum_is_zero(tokens_of(f), ao_term_second(term))
			     ? NULL
			     : ao_term_second(term);
	return true;
}

/* The same in a loop over j. */
static bool read_init_loop(struct finder *f, const struct ao_node *node)
{
	const struct ao_tokens *tokens = tokens_of(f);
	const struct ao_for *loop = plain_loop(f, node);
	const struct ao_node *body = loop ? ao_node_body(node) : NULL;

	return body && !body->next &&
	       ao_for_same_range(loop, f->p->j, tokens) &&
	       ao_token_same(tokens, loop->var, f->p->j->var) &&
	       read_init(f, body);
}

/* Whether `node` is memset(..., 0, ...) of the target. */
static bool is_memset(const struct finder *f, const struct ao_node *node)
{
	const struct ao_term *call = ao_sum_term(f->unit, node);
	const struct ao_term *to;
	uint32_t root;

	if (!call || call->kind != AO_TERM_CALL ||
	    !ao_term_is_name(call->arg, tokens_of(f), "memset"))
		return false;
	to = ao_term_second(call);
	return to && to->next && ao_sum_is_zero(tokens_of(f), to->next) &&
	       ao_access_root(&f->p->env, f->p->target, &root) &&
	       ao_decl_is_used(tokens_of(f), to->span, root);
}

/* Whether `node` sets all that the product adds to: in a nest, or whole. */
static bool read_init_before(struct finder *f, const struct ao_node *node)
{
	const struct ao_for *loop = plain_loop(f, node);
	const struct ao_node *body = loop ? ao_node_body(node) : NULL;

	if (is_memset(f, node))
		return true;
	if (!body || body->next ||
	    !ao_for_same_range(loop, f->p->i, tokens_of(f)) ||
	    !ao_token_same(tokens_of(f), loop->var, f->p->i->var))
		return false;
	return read_init_loop(f, body);
}

/* Find what sets the target before the loops add to it. */
static const struct ao_node *find_init(struct finder *f,
				       const struct ao_node *first)
{
	const struct ao_node *before = ao_node_previous(first);
	const struct ao_node *outside = ao_node_previous(f->p->site->node);

	if (f->p->i == f->p->site && before &&
	    (read_init_loop(f, before) || is_memset(f, before)))
		return before;
	if (outside && read_init_before(f, outside)) {
		f->p->span.first = outside->span.first;
		return first;
	}
	f->p->adds = true;
	return first;
}

/* Whether some element that the value is made of is one of the target's. */
static bool reads_target(const struct finder *f, const struct ao_term *value)
{
	uint32_t target, root;

	if (!ao_access_root(&f->p->env, f->p->target, &target))
		return true;
	for (const struct ao_term *t = value; t; t = ao_term_next(t, value)) {
		if (t->kind == AO_TERM_INDEX &&
		    (!ao_access_root(&f->p->env, t, &root) ||
		     ao_token_same(tokens_of(f), root, target)))
			return true;
	}
	return false;
}

/*
 * for (x) for (y) target += value, at a statement of the site's body.
 * Returns the first statement of the product, or NULL.
 */
static const struct ao_node *find_in_memory(struct finder *f,
					    const struct ao_node *node)
{
	const struct ao_for *loops[3] = { f->p->site, plain_loop(f, node) };
	const struct ao_node *inner, *statement, *init = NULL;
	const struct ao_term *target, *value, *term;

	if (!loops[1])
		return NULL;
	inner = lone_statement(f, node, &init);
	loops[2] = plain_loop(f, inner);
	statement = loops[2] ? lone_statement(f, inner, NULL) : NULL;
	term = statement ? ao_sum_term(f->unit, statement) : NULL;
	if (!ao_sum_read(tokens_of(f), term, &target, &value) ||
	    !assign_roles(f, loops, target))
		return NULL;
	f->p->target = target;
	if (!read_factors(f, statement, value) || reads_target(f, value))
		return NULL;
	/* target = 0; for (k) target += value; */
	if (init && (f->p->k != loops[2] || !read_init(f, init)))
		return NULL;
	if (!init)
		node = find_init(f, node);
	return f->p->init && reads_target(f, f->p->init) ? NULL : node;
}

/* target = sum * scale: then the sum needs no place of its own. */
static bool read_plain_use(struct finder *f, const struct ao_node *use)
{
	const struct ao_tokens *tokens = tokens_of(f);
	struct ao_product *p = f->p;
	const struct ao_term *term = ao_sum_term(f->unit, use);
	const struct ao_term *value;

	if (use->next || !term || !ao_term_has_op(term, tokens, "=") ||
	    term->arg->kind != AO_TERM_INDEX ||
	    ao_access_stride(&p->env, term->arg, p->j->var) != AO_STRIDE_ONE ||
	    ao_access_stride(&p->env, term->arg, p->i->var) ==
		    AO_STRIDE_UNKNOWN)
		return false;
	value = ao_term_bare(ao_term_second(term));
	if (value->kind != AO_TERM_NAME ||
	    !ao_token_same(tokens, value->span.first, p->sum))
		return false;
	p->target = term->arg;
	return true;
}

/* float s = init; for (k) s += value; use */
static bool read_column(struct finder *f, const struct ao_node *s)
{
	const struct ao_tokens *tokens = tokens_of(f);
	struct ao_product *p = f->p;
	const struct ao_term *target, *value, *init;
	const struct ao_node *statement;
	struct ao_decl decl;

	while (s && (s->kind == AO_NODE_DIRECTIVE || bind_names(f, s)))
		s = s->next;
	if (!s || !s->next || !ao_local_read(&decl, f->unit, s) ||
	    decl.base != AO_TYPE_FLOAT || decl.pointers || decl.dim_count ||
	    decl.init.first >= decl.init.end)
		return false;
	init = ao_term_parse(&f->unit->pool, tokens, decl.init);
	p->sum = decl.name;
	p->column = (struct ao_span){ s->parent->span.first + 1,
				      s->span.first };
	for (s = s->next; s->kind == AO_NODE_DIRECTIVE && s->next; s = s->next)
		;
	p->k = plain_loop(f, s);
	statement = p->k ? lone_statement(f, s, NULL) : NULL;
	if (!init || !statement || !s->next ||
	    !ao_sum_read(tokens_of(f), ao_sum_term(f->unit, statement), &target,
			 &value) ||
	    target->kind != AO_TERM_NAME ||
	    !ao_token_same(tokens, target->span.first, decl.name) ||
	    ao_term_depends(&p->env, value, decl.name))
		return false;
	p->init = ao_sum_is_zero(tokens_of(f), init) ? NULL : init;
	p->use = (struct ao_span){ s->next->span.first,
				   s->parent->span.end - 1 };
	if (!read_factors(f, statement, value))
		return false;
	if (read_plain_use(f, s->next) &&
	    (reads_target(f, value) || (p->init && reads_target(f, p->init))))
		p->target = NULL;
	return true;
}

static const struct ao_node *find_natural(struct finder *f,
					  const struct ao_node *node)
{
	f->p->i = f->p->site;
	f->p->j = plain_loop(f, node);
	/* Braces are there: more than one statement is repeated. */
	if (!f->p->j || !node->child || node->child->kind != AO_NODE_BLOCK ||
	    !read_column(f, ao_node_body(node)))
		return NULL;
	return node;
}

/* Note a name of `before` that is needed later.  False: we cannot keep it. */
static bool carry(struct finder *f, const struct ao_node *statement,
		  struct ao_span later)
{
	const struct ao_tokens *tokens = tokens_of(f);
	struct ao_product *p = f->p;
	struct ao_decl decls[16];
	size_t count = ao_decl_read(decls, AO_ARRAY_SIZE(decls), tokens,
				    statement->span);

	for (size_t n = 0; n < count; n++) {
		if (!ao_decl_is_used(tokens, later, decls[n].name))
			continue;
		if (decls[n].pointers || decls[n].dim_count ||
		    p->carried_count == AO_MAX_CARRIED)
			return false;
		p->carried[p->carried_count++] = decls[n];
	}
	return true;
}

/* Note a name looked through, should what is copied as it is need it. */
static bool recall(struct finder *f, const struct ao_node *statement,
		   struct ao_span later)
{
	struct ao_product *p = f->p;
	struct ao_decl decl;

	if (!ao_local_read(&decl, f->unit, statement) ||
	    !ao_decl_is_used(tokens_of(f), later, decl.name))
		return true;
	if (p->recalled_count == AO_MAX_CARRIED)
		return false;
	p->recalled[p->recalled_count++] = statement;
	return true;
}

/*
 * Sort what the site's body has around the product, whose statements are from
 * `first` to `last`.
 */
static bool read_surroundings(struct finder *f, const struct ao_node *first,
			      const struct ao_node *last)
{
	const struct ao_tokens *tokens = tokens_of(f);
	struct ao_product *p = f->p;
	const struct ao_node *block = p->site->node->child;
	struct ao_span later = { first->span.first, block->span.end };

	if (block->kind != AO_NODE_BLOCK)
		return true;
	p->before.at = ao_token(tokens, block->span.first).at + 1;
	p->before.end = ao_span_at(tokens, first->span);
	p->after_code = (struct ao_span){ last->span.end, block->span.end };
	p->after.at = ao_span_at_end(tokens, last->span);
	p->after.end = ao_token(tokens, block->span.end - 1).at;
	p->has_after = last->next != NULL;
	for (const struct ao_node *s = block->child; s != first; s = s->next) {
		bool is_bound = s->kind == AO_NODE_DIRECTIVE;

		for (size_t n = 0; n < p->env.count; n++) {
			uint32_t name = p->env.bindings[n].name;

			is_bound |= name >= s->span.first && name < s->span.end;
		}
		if (is_bound ? !recall(f, s, later) : !carry(f, s, later))
			return false;
		p->has_before |= !is_bound;
	}
	return true;
}

/*
 * Whether other loops may count in the place of these: no bound may change
 * while the nest runs, or from row to row.
 */
static bool loops_are_fixed(const struct finder *f)
{
	const struct ao_product *p = f->p;
	const struct ao_for *loops[] = { p->i, p->j, p->k };

	for (size_t n = 0; n < 3; n++) {
		struct ao_span bound = loops[n]->bound;

		if (!ao_counter_is_wide(f->unit, loops[n]) ||
		    !ao_counter_is_private(f->unit, loops[n]))
			return false;
		for (size_t m = 0; m < 3; m++) {
			if (ao_decl_is_used(tokens_of(f), bound, loops[m]->var))
				return false;
		}
		for (uint32_t t = bound.first; t < bound.end; t++) {
			if (ao_token_is_word(tokens_of(f), t) &&
			    ao_decl_is_written(tokens_of(f),
					       p->site->node->span, t))
				return false;
		}
	}
	return true;
}

/* Whether what is around the product may be done for many rows at a time. */
static bool rows_are_apart(const struct finder *f, const struct ao_span *parts)
{
	const struct ao_product *p = f->p;
	const struct ao_parts rows = { .node = p->site->node,
				       .env = &p->env,
				       .v = parts,
				       .count = 3,
				       .counters = &p->i->var,
				       .counter_count = 1 };
	const struct ao_span all = { parts[0].first, parts[2].end };

	if (!p->has_before && !p->has_after)
		return true;
	return !ao_body_calls_unknown(tokens_of(f), all) &&
	       ao_shared_is_by_round(f->unit, &rows);
}

/* Whether no use of a sum changes what another is made of. */
static bool use_is_apart(const struct finder *f)
{
	const struct ao_product *p = f->p;
	const struct ao_span parts[] = { p->k->node->span, p->use };
	const struct ao_parts sums = {
		.node = p->site->node, .env = &p->env, .v = parts, .count = 2
	};

	return !p->sum || ao_shared_is_by_round(f->unit, &sums);
}

/*
 * Whether the product may be done in tiles, and what is around it for many
 * rows at a time: nothing goes from row to row, or from one to the other.
 */
static bool order_is_free(const struct finder *f, const struct ao_node *first,
			  const struct ao_node *last)
{
	const struct ao_product *p = f->p;
	const struct ao_node *block = p->site->node->child;
	struct ao_span product = { first->span.first, last->span.end };
	const struct ao_span parts[] = {
		{ block->span.first + (block->kind == AO_NODE_BLOCK),
		  product.first },
		product,
		{ product.end, block->span.end },
	};
	const struct ao_factor_vars vars = { p->i->var, p->j->var, p->k->var };

	return ao_factors_are_fixed(&p->factors, &p->env, &vars, product) &&
	       ao_order_is_free_within(f->unit, &p->env, p->site->node,
				       product) &&
	       ao_order_is_free(f->unit, &p->env, p->site->node, parts, 3) &&
	       rows_are_apart(f, parts) && use_is_apart(f);
}

/* Whether the product can be at this statement of the site's body. */
static bool find_at(struct finder *f, const struct ao_node *node,
		    const struct ao_node *(*find)(struct finder *f,
						  const struct ao_node *node))
{
	struct ao_product *p = f->p;
	const struct ao_for *site = p->site;
	const struct ao_node *first;

	*p = (struct ao_product){ .site = site,
				  .span = site->node->span,
				  .env = { .tokens = tokens_of(f) } };
	for (const struct ao_node *s = ao_node_body(site->node); s != node;
	     s = s->next)
		bind_names(f, s);
	first = find(f, node);
	if (!first || !loops_are_fixed(f) ||
	    !read_surroundings(f, first, node) ||
	    !order_is_free(f, first, node))
		return false;
	/* Only a loop over rows may have more in its body. */
	return p->i == site || (!p->has_before && !p->has_after);
}

bool ao_product_find(struct ao_product *out, struct ao_unit *unit,
		     const struct ao_for *site)
{
	struct finder f = { unit, out };

	*out = (struct ao_product){ .site = site };
	/* A pragma before the nest needs a loop behind it. */
	if (!ao_for_is_plain(site, &unit->tokens) ||
	    ao_node_annotated(site->node) != site->node ||
	    ao_unit_is_ours(unit, site->node->span) ||
	    ao_unit_is_fallback(unit, site->node) ||
	    !ao_unit_is_repeatable(unit, site->node) ||
	    ao_unit_has_directive(unit, site->node->span))
		return false;
	for (const struct ao_node *s = ao_node_body(site->node); s;
	     s = s->next) {
		if (s->kind == AO_NODE_FOR && (find_at(&f, s, find_in_memory) ||
					       find_at(&f, s, find_natural)))
			return true;
	}
	return false;
}
