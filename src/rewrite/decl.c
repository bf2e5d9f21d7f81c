/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/decl.h"

enum { MAX_NAMES = 32 }; /* of one declaration */

struct reader {
	const struct ao_tokens *tokens;
	uint32_t at;
	uint32_t end;
};

static bool is_any(const struct ao_tokens *tokens, uint32_t i,
		   const char *const *words, size_t count)
{
	for (size_t k = 0; k < count; k++) {
		if (ao_token_is(tokens, i, words[k]))
			return true;
	}
	return false;
}

static bool is_qualifier(const struct ao_tokens *tokens, uint32_t i)
{
	static const char *const words[] = {
		"const",    "volatile",	  "static",   "register",
		"restrict", "__restrict", "extern",   "inline",
		"auto",	    "_Atomic",	  "_Alignas", "__restrict__",
	};

	return is_any(tokens, i, words, AO_ARRAY_SIZE(words));
}

/* What a word means as a type; AO_TYPE_OTHER if nothing. */
static enum ao_type type_of_word(const struct ao_tokens *tokens, uint32_t i)
{
	static const char *const integers[] = {
		"int",	"long",	  "short", "unsigned", "signed",
		"char", "size_t", "bool",  "_Bool",    "ptrdiff_t",
	};
	struct ao_token token = ao_token(tokens, i);

	if (token.kind != AO_TOKEN_WORD)
		return AO_TYPE_OTHER;
	if (ao_token_is(tokens, i, "float"))
		return AO_TYPE_FLOAT;
	if (ao_token_is(tokens, i, "double"))
		return AO_TYPE_DOUBLE;
	if (is_any(tokens, i, integers, AO_ARRAY_SIZE(integers)))
		return AO_TYPE_INTEGER;
	if (token.len > 5 &&
	    !memcmp(tokens->text + token.at + token.len - 2, "_t", 2) &&
	    memmem(tokens->text + token.at, token.len, "int", 3))
		return AO_TYPE_INTEGER;
	return AO_TYPE_OTHER;
}

static bool starts_statement(const struct ao_tokens *tokens, uint32_t i)
{
	static const char *const words[] = { "return",	 "goto",   "break",
					     "continue", "else",   "case",
					     "default",	 "sizeof", "typedef" };

	return is_any(tokens, i, words, AO_ARRAY_SIZE(words));
}

/*
 * The words of the type.  A word that we do not know is one if a name follows:
 * "vec sum".
 */
static bool read_type(struct reader *r, struct ao_decl *decl)
{
	bool has_type = false;

	decl->type.first = r->at;
	for (; r->at < r->end && ao_token_is_word(r->tokens, r->at); r->at++) {
		enum ao_type type = type_of_word(r->tokens, r->at);

		/* Of complex numbers we know nothing. */
		if (starts_statement(r->tokens, r->at) ||
		    ao_token_is(r->tokens, r->at, "_Complex") ||
		    ao_token_is(r->tokens, r->at, "complex"))
			return false;
		if (is_qualifier(r->tokens, r->at))
			continue;
		if (type == AO_TYPE_OTHER && has_type)
			break;
		if (type == AO_TYPE_OTHER &&
		    !(r->at + 1 < r->end &&
		      ao_token_is_word(r->tokens, r->at + 1)))
			return false;
		if (ao_token_is(r->tokens, r->at, "struct") ||
		    ao_token_is(r->tokens, r->at, "enum"))
			r->at++;
		if (decl->base != AO_TYPE_DOUBLE)
			decl->base = type;
		has_type = true;
	}
	decl->type.end = r->at;
	return has_type;
}

/* [bound] behind the name; qualifiers before the bound are left out. */
static bool read_dim(struct reader *r, struct ao_decl *decl)
{
	uint32_t close = ao_token(r->tokens, r->at).match;
	struct ao_span dim = { r->at + 1, close };

	if (close <= r->at || close >= r->end || decl->dim_count == AO_MAX_DIMS)
		return false;
	while (dim.first < dim.end && is_qualifier(r->tokens, dim.first))
		dim.first++;
	decl->dims[decl->dim_count++] = dim;
	r->at = close + 1;
	return true;
}

static void skip_attributes(struct reader *r)
{
	while (r->at + 1 < r->end &&
	       ao_token_is(r->tokens, r->at, "__attribute__"))
		r->at = ao_token_skip(r->tokens, r->at + 1, r->end);
}

/* To the , or ; that ends an initialiser. */
static void skip_init(struct reader *r)
{
	while (r->at < r->end && !ao_token_is(r->tokens, r->at, ",") &&
	       !ao_token_is(r->tokens, r->at, ";"))
		r->at = ao_token(r->tokens, r->at).match > r->at
				? ao_token_skip(r->tokens, r->at, r->end)
				: r->at + 1;
}

/* *name[bound] = init */
static bool read_declarator(struct reader *r, struct ao_decl *decl)
{
	for (; r->at < r->end; r->at++) {
		if (ao_token_is(r->tokens, r->at, "*"))
			decl->pointers++;
		else if (!is_qualifier(r->tokens, r->at))
			break;
	}
	if (r->at >= r->end || !ao_token_is_word(r->tokens, r->at))
		return false;
	decl->name = r->at++;
	while (r->at < r->end && ao_token_is(r->tokens, r->at, "[")) {
		if (!read_dim(r, decl))
			return false;
	}
	skip_attributes(r);
	if (r->at < r->end && ao_token_is(r->tokens, r->at, "=")) {
		decl->init.first = ++r->at;
		skip_init(r);
		decl->init.end = r->at;
	}
	return r->at >= r->end || ao_token_is(r->tokens, r->at, ",") ||
	       ao_token_is(r->tokens, r->at, ";");
}

size_t ao_decl_read(struct ao_decl *out, size_t max,
		    const struct ao_tokens *tokens, struct ao_span span)
{
	struct reader r = { tokens, span.first, span.end };
	struct ao_decl type = { 0 };
	size_t count = 0;

	if (!read_type(&r, &type))
		return 0;
	for (;;) {
		struct ao_decl decl = type;

		if (count == max || !read_declarator(&r, &decl))
			return 0;
		out[count++] = decl;
		if (r.at >= r.end || !ao_token_is(tokens, r.at, ","))
			break;
		r.at++;
	}
	out[0].is_alone = count == 1;
	return count;
}

bool ao_decl_is_used(const struct ao_tokens *tokens, struct ao_span span,
		     uint32_t name)
{
	for (uint32_t i = span.first; i < span.end; i++) {
		if (ao_token_is_word(tokens, i) &&
		    ao_token_same(tokens, i, name))
			return true;
	}
	return false;
}

/* Find `name` among the declarations of one span. */
static bool find_in(struct ao_decl *out, const struct ao_tokens *tokens,
		    struct ao_span span, uint32_t name)
{
	struct ao_decl decls[MAX_NAMES];
	size_t count = ao_decl_read(decls, MAX_NAMES, tokens, span);

	for (size_t i = count; i-- > 0;) {
		if (ao_token_same(tokens, decls[i].name, name)) {
			*out = decls[i];
			return true;
		}
	}
	return false;
}

/* Find `name` in what stands between the parentheses of `node`. */
static bool find_in_head(struct ao_decl *out, const struct ao_tokens *tokens,
			 const struct ao_node *node, uint32_t name)
{
	struct ao_span part = node->head;

	if (node->kind == AO_NODE_FOR) {
		while (part.end > part.first &&
		       !ao_token_is(tokens, part.end - 1, ";"))
			part.end--;
		return find_in(out, tokens, part, name);
	}
	if (node->kind != AO_NODE_FUNCTION)
		return false;
	for (uint32_t i = part.first; i <= node->head.end;) {
		bool at_end = i == node->head.end;

		if (at_end || ao_token_is(tokens, i, ",")) {
			part.end = i;
			if (find_in(out, tokens, part, name))
				return true;
			part.first = ++i;
		} else {
			i = ao_token(tokens, i).match > i
				    ? ao_token_skip(tokens, i, node->head.end)
				    : i + 1;
		}
	}
	return false;
}

/* Find `name` in the statements before `node`, the nearest first. */
static bool find_before(struct ao_decl *out, const struct ao_tokens *tokens,
			const struct ao_node *node, uint32_t name)
{
	bool found = false;

	if (!node->parent)
		return false;
	for (const struct ao_node *s = node->parent->child; s && s != node;
	     s = s->next) {
		if ((s->kind != AO_NODE_SIMPLE && s->kind != AO_NODE_OTHER) ||
		    !ao_decl_is_used(tokens, s->span, name))
			continue;
		if (find_in(out, tokens, s->span, name)) {
			out->node = s;
			found = true;
		}
	}
	return found;
}

bool ao_decl_find(struct ao_decl *out, const struct ao_tokens *tokens,
		  const struct ao_node *node, uint32_t name)
{
	for (; node; node = node->parent) {
		if (find_in_head(out, tokens, node, name)) {
			out->node = node;
			return true;
		}
		if (find_before(out, tokens, node, name))
			return true;
	}
	return false;
}

bool ao_decl_is_global(const struct ao_tokens *tokens,
		       const struct ao_decl *decl)
{
	return decl->node->kind == AO_NODE_OTHER &&
	       !ao_span_has(tokens, decl->type, "const");
}

/* Behind the [..][..] that follow the name at `i`. */
static uint32_t skip_indices(const struct ao_tokens *tokens, uint32_t i,
			     uint32_t end)
{
	for (i++; i < end && ao_token_is(tokens, i, "[");)
		i = ao_token_skip(tokens, i, end);
	return i;
}

/*
 * Whether a & before token `i` takes an address, rather than joins bits: of
 * what is reached through a pointer, that of its last member.
 */
static bool is_addressed(const struct ao_tokens *tokens, struct ao_span span,
			 uint32_t i)
{
	enum ao_token_kind before;

	if (ao_token_is(tokens, i + 1, "->"))
		return false;
	while (i >= span.first + 2 &&
	       (ao_token_is(tokens, i - 1, "->") ||
		ao_token_is(tokens, i - 1, ".")) &&
	       ao_token_is_word(tokens, i - 2))
		i -= 2;
	if (i <= span.first || !ao_token_is(tokens, i - 1, "&"))
		return false;
	if (i - 1 == span.first)
		return true;
	before = ao_token(tokens, i - 2).kind;
	return before == AO_TOKEN_PUNCT && !ao_token_is(tokens, i - 2, ")") &&
	       !ao_token_is(tokens, i - 2, "]");
}

/* Whether the name at `i`, with indices up to `behind`, is written to. */
static bool is_written_at(const struct ao_tokens *tokens, struct ao_span span,
			  uint32_t i, uint32_t behind)
{
	static const char *const writes[] = {
		"=",  "+=", "-=",  "*=",  "/=", "%=", "&=",
		"|=", "^=", "<<=", ">>=", "++", "--",
	};

	if (behind < span.end &&
	    is_any(tokens, behind, writes, AO_ARRAY_SIZE(writes)))
		return true;
	if (i > span.first && (ao_token_is(tokens, i - 1, "++") ||
			       ao_token_is(tokens, i - 1, "--")))
		return true;
	return is_addressed(tokens, span, i);
}

/* Whether the name at `i` is that of a member. */
static bool is_member(const struct ao_tokens *tokens, uint32_t i)
{
	return i && (ao_token_is(tokens, i - 1, "->") ||
		     ao_token_is(tokens, i - 1, "."));
}

bool ao_decl_is_written(const struct ao_tokens *tokens, struct ao_span span,
			uint32_t name)
{
	bool of_member = is_member(tokens, name);

	for (uint32_t i = span.first; i < span.end; i++) {
		if (ao_token_is_word(tokens, i) &&
		    ao_token_same(tokens, i, name) &&
		    is_member(tokens, i) == of_member &&
		    is_written_at(tokens, span, i,
				  skip_indices(tokens, i, span.end)))
			return true;
	}
	return false;
}

bool ao_decl_is_set_at(const struct ao_tokens *tokens, struct ao_span span,
		       uint32_t i)
{
	return !is_member(tokens, i) && !ao_token_is(tokens, i + 1, "[") &&
	       is_written_at(tokens, span, i, i + 1);
}

bool ao_decl_is_set(const struct ao_tokens *tokens, struct ao_span span,
		    uint32_t name)
{
	for (uint32_t i = span.first; i < span.end; i++) {
		if (ao_token_is_word(tokens, i) &&
		    ao_token_same(tokens, i, name) &&
		    ao_decl_is_set_at(tokens, span, i))
			return true;
	}
	return false;
}
