/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/term.h"

struct parser {
	struct ao_pool *pool;
	const struct ao_tokens *tokens;
	uint32_t at;
	uint32_t end;
	unsigned depth;
	unsigned count; /* terms made */
};

/* Operators of two operands, by how tightly they bind; 0 binds least. */
struct level {
	const char *ops[6];
};

static const struct level levels[] = {
	{ { "||" } },
	{ { "&&" } },
	{ { "|" } },
	{ { "^" } },
	{ { "&" } },
	{ { "==", "!=" } },
	{ { "<=", ">=", "<", ">" } },
	{ { "<<", ">>" } },
	{ { "+", "-" } },
	{ { "*", "/", "%" } },
};

static bool at_is(const struct parser *p, const char *text)
{
	return p->at < p->end && ao_token_is(p->tokens, p->at, text);
}

static bool at_is_any(const struct parser *p, const char *const *texts,
		      size_t count)
{
	for (size_t i = 0; i < count && texts[i]; i++) {
		if (at_is(p, texts[i]))
			return true;
	}
	return false;
}

static struct ao_term *make(struct parser *p, enum ao_term_kind kind,
			    uint32_t first)
{
	struct ao_term *term = ao_pool_alloc(p->pool, sizeof(*term));

	p->count++;
	term->kind = kind;
	term->span = (struct ao_span){ first, p->at };
	return term;
}

static void adopt(struct ao_term *term, struct ao_term *arg)
{
	struct ao_term **tail = &term->arg;

	while (*tail)
		tail = &(*tail)->next;
	*tail = arg;
	arg->parent = term;
}

/* A term of `kind` over `a` and, unless NULL, `b`; it ends here. */
static struct ao_term *join(struct parser *p, enum ao_term_kind kind,
			    uint32_t op, struct ao_term *a, struct ao_term *b)
{
	struct ao_term *term = make(p, kind, a->span.first);

	term->op = op;
	adopt(term, a);
	if (b)
		adopt(term, b);
	return term;
}

static struct ao_term *parse_expression(struct parser *p);

static struct ao_term *parse_assignment(struct parser *p);

static bool is_type_word(const struct parser *p, uint32_t i)
{
	static const char *const words[] = {
		"const", "volatile", "unsigned", "signed", "void",   "char",
		"short", "int",	     "long",	 "float",  "double", "_Bool",
		"bool",	 "struct",   "union",	 "enum",
	};
	struct ao_token token = ao_token(p->tokens, i);

	if (token.kind != AO_TOKEN_WORD)
		return false;
	for (size_t k = 0; k < AO_ARRAY_SIZE(words); k++) {
		if (ao_token_is(p->tokens, i, words[k]))
			return true;
	}
	return token.len > 2 &&
	       !memcmp(p->tokens->text + token.at + token.len - 2, "_t", 2);
}

/* Whether the parentheses that open here hold a type, as casts have it. */
static bool at_type(const struct parser *p)
{
	uint32_t close = ao_token(p->tokens, p->at).match;

	if (close >= p->end || !is_type_word(p, p->at + 1))
		return false;
	for (uint32_t i = p->at + 1; i < close; i++) {
		if (!ao_token_is_word(p->tokens, i) &&
		    !ao_token_is(p->tokens, i, "*"))
			return false;
	}
	return true;
}

/* Skip what opens here whole. */
static bool skip_bracket(struct parser *p)
{
	uint32_t match = ao_token(p->tokens, p->at).match;

	if (match <= p->at || match >= p->end)
		return false;
	p->at = match + 1;
	return true;
}

/* ( expression ), which is only one if it fills the parentheses. */
static struct ao_term *parse_paren(struct parser *p)
{
	uint32_t first = p->at++;
	struct ao_term *inner = parse_expression(p);
	struct ao_term *term;

	if (!inner || !at_is(p, ")"))
		return NULL;
	p->at++;
	term = make(p, AO_TERM_PAREN, first);
	adopt(term, inner);
	return term;
}

static struct ao_term *parse_primary(struct parser *p)
{
	uint32_t first = p->at;
	struct ao_token token = ao_token(p->tokens, first);

	if (first >= p->end)
		return NULL;
	if (at_is(p, "("))
		return parse_paren(p);
	if (token.kind == AO_TOKEN_NUMBER || token.kind == AO_TOKEN_STRING) {
		p->at++;
		return make(p,
			    token.kind == AO_TOKEN_NUMBER ? AO_TERM_NUMBER
							  : AO_TERM_STRING,
			    first);
	}
	if (token.kind != AO_TOKEN_WORD || is_type_word(p, first))
		return NULL;
	p->at++;
	return make(p, AO_TERM_NAME, first);
}

static bool parse_arguments(struct parser *p, struct ao_term *call)
{
	while (!at_is(p, ")") && p->count < AO_MAX_TERMS) {
		struct ao_term *arg = parse_assignment(p);

		if (!arg)
			return false;
		adopt(call, arg);
		if (at_is(p, ","))
			p->at++;
		else if (!at_is(p, ")"))
			return false;
	}
	p->at++;
	call->span.end = p->at;
	return true;
}

/* What may stand behind `base`: [i], (...), .name, ++.  NULL: it is broken. */
static struct ao_term *parse_suffix(struct parser *p, struct ao_term *base)
{
	uint32_t op = p->at++;
	struct ao_term *term;

	if (ao_token_is(p->tokens, op, "[")) {
		struct ao_term *index = parse_expression(p);

		if (!index || !at_is(p, "]"))
			return NULL;
		p->at++;
		return join(p, AO_TERM_INDEX, op, base, index);
	}
	if (ao_token_is(p->tokens, op, "(")) {
		term = join(p, AO_TERM_CALL, op, base, NULL);
		return parse_arguments(p, term) ? term : NULL;
	}
	if (ao_token_is(p->tokens, op, "++") ||
	    ao_token_is(p->tokens, op, "--"))
		return join(p, AO_TERM_POSTFIX, op, base, NULL);
	if (p->at >= p->end || !ao_token_is_word(p->tokens, p->at))
		return NULL;
	p->at++;
	return join(p, AO_TERM_MEMBER, op, base, NULL);
}

static struct ao_term *parse_postfix(struct parser *p)
{
	static const char *const suffixes[] = {
		"[", "(", ".", "->", "++", "--"
	};
	struct ao_term *term = parse_primary(p);

	while (term && p->count < AO_MAX_TERMS &&
	       at_is_any(p, suffixes, AO_ARRAY_SIZE(suffixes)))
		term = parse_suffix(p, term);
	return term;
}

static struct ao_term *parse_prefixed(struct parser *p);

/* (type) a, or (type){ ... } */
static struct ao_term *parse_cast(struct parser *p)
{
	uint32_t first = p->at;
	struct ao_term *term, *inner;

	if (!skip_bracket(p))
		return NULL;
	if (at_is(p, "{")) {
		if (!skip_bracket(p))
			return NULL;
		return make(p, AO_TERM_OTHER, first);
	}
	inner = parse_prefixed(p);
	if (!inner)
		return NULL;
	term = make(p, AO_TERM_CAST, first);
	term->op = first;
	adopt(term, inner);
	return term;
}

static struct ao_term *parse_unary(struct parser *p)
{
	static const char *const prefixes[] = { "-", "+", "!",	"~",
						"*", "&", "++", "--" };
	uint32_t first = p->at;
	struct ao_term *term, *inner;

	if (at_is(p, "sizeof") || at_is(p, "_Alignof")) {
		p->at++;
		if (!at_is(p, "(") || !skip_bracket(p))
			return NULL;
		return make(p, AO_TERM_OTHER, first);
	}
	if (at_is(p, "(") && at_type(p))
		return parse_cast(p);
	if (!at_is_any(p, prefixes, AO_ARRAY_SIZE(prefixes)))
		return parse_postfix(p);
	p->at++;
	inner = parse_prefixed(p);
	if (!inner)
		return NULL;
	term = make(p, AO_TERM_UNARY, first);
	term->op = first;
	adopt(term, inner);
	return term;
}

/* Everything that nests passes here, so that is where depth is counted. */
static struct ao_term *parse_prefixed(struct parser *p)
{
	struct ao_term *term = NULL;

	if (p->depth < AO_MAX_TERM_DEPTH) {
		p->depth++;
		term = parse_unary(p);
		p->depth--;
	}
	return term;
}

static struct ao_term *parse_binary(struct parser *p, size_t level)
{
	struct ao_term *left, *right;

	if (level == AO_ARRAY_SIZE(levels))
		return parse_prefixed(p);
	left = parse_binary(p, level + 1);
	while (left && p->count < AO_MAX_TERMS &&
	       at_is_any(p, levels[level].ops,
			 AO_ARRAY_SIZE(levels[level].ops))) {
		uint32_t op = p->at++;

		right = parse_binary(p, level + 1);
		left = right ? join(p, AO_TERM_BINARY, op, left, right) : NULL;
	}
	return left;
}

static struct ao_term *parse_choice(struct parser *p)
{
	struct ao_term *condition = parse_binary(p, 0);
	struct ao_term *yes, *no, *term;
	uint32_t op = p->at;

	if (!condition || !at_is(p, "?"))
		return condition;
	p->at++;
	yes = parse_expression(p);
	if (!yes || !at_is(p, ":"))
		return NULL;
	p->at++;
	no = parse_assignment(p);
	if (!no)
		return NULL;
	term = join(p, AO_TERM_CHOICE, op, condition, yes);
	adopt(term, no);
	return term;
}

static struct ao_term *parse_assignment_here(struct parser *p)
{
	static const char *const ops[] = { "=",	 "+=", "-=", "*=",  "/=", "%=",
					   "&=", "|=", "^=", "<<=", ">>=" };
	struct ao_term *left = parse_choice(p), *right;
	uint32_t op = p->at;

	if (!left || !at_is_any(p, ops, AO_ARRAY_SIZE(ops)))
		return left;
	p->at++;
	right = parse_assignment(p);
	return right ? join(p, AO_TERM_ASSIGN, op, left, right) : NULL;
}

static struct ao_term *parse_assignment(struct parser *p)
{
	struct ao_term *term = NULL;

	if (p->depth < AO_MAX_TERM_DEPTH) {
		p->depth++;
		term = parse_assignment_here(p);
		p->depth--;
	}
	return term;
}

/* Commas between expressions are not understood: they are rare, and odd. */
static struct ao_term *parse_expression(struct parser *p)
{
	return parse_assignment(p);
}

struct ao_term *ao_term_parse(struct ao_pool *pool,
			      const struct ao_tokens *tokens,
			      struct ao_span span)
{
	struct parser p = { .pool = pool,
			    .tokens = tokens,
			    .at = span.first,
			    .end = span.end };
	struct ao_term *term = parse_expression(&p);

	return p.at == span.end && p.count < AO_MAX_TERMS ? term : NULL;
}

const struct ao_term *ao_term_second(const struct ao_term *term)
{
	return term->arg ? term->arg->next : NULL;
}

const struct ao_term *ao_term_bare(const struct ao_term *term)
{
	while (term->kind == AO_TERM_PAREN)
		term = term->arg;
	return term;
}

bool ao_term_is_name(const struct ao_term *term, const struct ao_tokens *tokens,
		     const char *name)
{
	return term->kind == AO_TERM_NAME &&
	       ao_token_is(tokens, term->span.first, name);
}

bool ao_term_has_op(const struct ao_term *term, const struct ao_tokens *tokens,
		    const char *op)
{
	switch (term->kind) {
	case AO_TERM_POSTFIX:
	case AO_TERM_UNARY:
	case AO_TERM_BINARY:
	case AO_TERM_ASSIGN:
		return ao_token_is(tokens, term->op, op);
	case AO_TERM_NAME:
	case AO_TERM_NUMBER:
	case AO_TERM_STRING:
	case AO_TERM_PAREN:
	case AO_TERM_INDEX:
	case AO_TERM_CALL:
	case AO_TERM_MEMBER:
	case AO_TERM_CAST:
	case AO_TERM_CHOICE:
	case AO_TERM_OTHER:
		break;
	}
	return false;
}

const struct ao_term *ao_term_next(const struct ao_term *term,
				   const struct ao_term *root)
{
	if (term->arg)
		return term->arg;
	while (term != root && !term->next)
		term = term->parent;
	return term == root ? NULL : term->next;
}

/* What printing has come to. */
struct printer {
	struct ao_buf *out;
	const struct ao_tokens *tokens;
	ao_term_replace *replace;
	void *data;
	uint32_t last; /* code index printed before */
	bool has_last;
};

/* A blank if the source had any space or comment before token `i`. */
static void print_blank(struct printer *pr, uint32_t i)
{
	if (pr->has_last && i == pr->last + 1 && i &&
	    pr->tokens->code[i] > pr->tokens->code[i - 1] + 1)
		ao_buf_add(pr->out, " ", 1);
}

static void print_tokens(struct printer *pr, uint32_t i, uint32_t end)
{
	for (; i < end; i++) {
		struct ao_token token = ao_token(pr->tokens, i);

		print_blank(pr, i);
		ao_buf_add(pr->out, pr->tokens->text + token.at, token.len);
		pr->last = i;
		pr->has_last = true;
	}
}

static void print_term(struct printer *pr, const struct ao_term *term)
{
	struct ao_buf replaced = AO_BUF_INIT(pr->out->max);
	uint32_t i = term->span.first;

	if (pr->replace && pr->replace(pr->data, &replaced, term)) {
		print_blank(pr, i);
		ao_buf_add(pr->out, replaced.ptr, replaced.len);
		pr->out->overflow |= replaced.overflow;
		ao_buf_release(&replaced);
		pr->last = term->span.end - 1;
		pr->has_last = true;
		return;
	}
	for (const struct ao_term *arg = term->arg; arg; arg = arg->next) {
		print_tokens(pr, i, arg->span.first);
		print_term(pr, arg);
		i = arg->span.end;
	}
	print_tokens(pr, i, term->span.end);
}

void ao_term_print(struct ao_buf *out, const struct ao_tokens *tokens,
		   const struct ao_term *term, ao_term_replace *replace,
		   void *data)
{
	struct printer pr = {
		.out = out, .tokens = tokens, .replace = replace, .data = data
	};

	print_term(&pr, term);
}
