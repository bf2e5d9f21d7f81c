/* SPDX-License-Identifier: MIT */
/* Expressions as terms, and how they move through memory. */
#include "tap.h"

#include "rewrite/access.h"
#include "rewrite/say.h"

static const struct ao_rewrite_context context = { .entry = "kernel" };
static struct ao_unit unit;
static struct ao_env env;

/* Read a text; declarations in it that can be looked through are. */
static void read_text(const char *text)
{
	ao_unit_release(&unit);
	EXPECT(ao_unit_read(&unit, text, strlen(text), &context));
	env = (struct ao_env){ .tokens = &unit.tokens };
	for (const struct ao_node *n = unit.file; n; n = ao_node_next(n)) {
		struct ao_decl decl;

		if (n->kind == AO_NODE_SIMPLE &&
		    ao_decl_read(&decl, 1, &unit.tokens, n->span) == 1)
			ao_env_bind(&env, &unit.pool, &decl, unit.file->span);
	}
}

static const struct ao_term *parse(const char *text)
{
	struct ao_span all;

	read_text(text);
	all = (struct ao_span){ 0, unit.tokens.code_count };
	return ao_term_parse(&unit.pool, &unit.tokens, all);
}

/* The first element of the last statement: "void f() { ...; a[i] = 0; }". */
static const struct ao_term *last_element(const char *statements)
{
	static char text[1024];
	const struct ao_node *s;
	struct ao_span span;
	const struct ao_term *root, *t;

	snprintf(text, sizeof(text), "void f(void) { %s }", statements);
	read_text(text);
	s = unit.file->child->child->child;
	if (!s)
		return NULL;
	while (s->next)
		s = s->next;
	span = s->span;
	span.end--;
	root = ao_term_parse(&unit.pool, &unit.tokens, span);
	for (t = root; t && t->kind != AO_TERM_INDEX; t = ao_term_next(t, root))
		;
	return t;
}

/* Where a name is used last. */
static uint32_t use_of(const char *name)
{
	uint32_t i = unit.tokens.code_count;

	while (i-- > 0 && !ao_token_is(&unit.tokens, i, name))
		;
	return i;
}

static enum ao_stride stride(const char *statements, const char *var)
{
	const struct ao_term *element = last_element(statements);

	return element ? ao_access_stride(&env, element, use_of(var))
		       : AO_STRIDE_UNKNOWN;
}

static void operators_bind_as_in_c(void)
{
	const struct ao_term *t = parse("a + b * c - d");

	EXPECT(t && ao_term_has_op(t, &unit.tokens, "-"));
	EXPECT(t && ao_term_has_op(t->arg, &unit.tokens, "+"));
	t = parse("x = y ? a < b : c && d");
	EXPECT(t && t->kind == AO_TERM_ASSIGN);
	EXPECT(t && ao_term_second(t)->kind == AO_TERM_CHOICE);
	t = parse("-a[i].b->c(d, e)++");
	EXPECT(t && t->kind == AO_TERM_UNARY);
	EXPECT(t && t->arg->kind == AO_TERM_POSTFIX);
	EXPECT(t && t->arg->arg->kind == AO_TERM_CALL);
}

static void casts_are_told_from_products(void)
{
	const struct ao_term *t = parse("(float)a * (size_t)b");

	EXPECT(t && t->kind == AO_TERM_BINARY);
	EXPECT(t && t->arg->kind == AO_TERM_CAST);
	t = parse("(a) * b");
	EXPECT(t && t->arg->kind == AO_TERM_PAREN);
	t = parse("(struct x){ 1, 2 }");
	EXPECT(t && t->kind == AO_TERM_OTHER);
}

static void what_is_no_expression_is_refused(void)
{
	EXPECT(!parse("a +"));
	EXPECT(!parse("a b"));
	EXPECT(!parse("(a"));
	EXPECT(!parse("a[i"));
	EXPECT(!parse("f(a,"));
	EXPECT(!parse(""));
	EXPECT(!parse("int x"));
}

static void what_nests_too_deep_or_is_too_long_is_refused(void)
{
	static char text[1 << 16];

	memset(text, '(', 1000);
	strcpy(text + 1000, "1");
	memset(text + 1001, ')', 1000);
	text[2001] = '\0';
	EXPECT(!parse(text));
	for (size_t i = 0; i < 3000; i++)
		memcpy(text + 2 * i, "a+", 3);
	strcpy(text + 6000, "a");
	EXPECT(!parse(text));
}

static void a_term_prints_as_it_was_without_comments(void)
{
	const struct ao_term *t = parse("a [ i ]+/* x */ f( b,\n  c )");
	struct ao_buf out = AO_BUF_INIT(256);

	EXPECT(t != NULL);
	if (t)
		ao_term_print(&out, &unit.tokens, t, NULL, NULL);
	EXPECT(!strcmp(out.ptr, "a [ i ]+ f( b, c )"));
	ao_buf_release(&out);
}

static void a_replaced_name_gets_parentheses_where_it_needs_them(void)
{
	const struct ao_term *t = parse("a[i * N + i][i] - i + f(i)");
	const struct ao_said said = { use_of("i"), "i + 1" };

	EXPECT(t && !strcmp(ao_say(&unit, &env, t, &said, 1),
			    "a[(i + 1) * N + i + 1][i + 1] - (i + 1) + "
			    "f(i + 1)"));
}

static void strides_of_matrices_are_told_by_the_last_index(void)
{
	EXPECT(stride("a[i][j] = 0;", "j") == AO_STRIDE_ONE);
	EXPECT(stride("a[i][j] = 0;", "i") == AO_STRIDE_MANY);
	EXPECT(stride("a[i][j] = k;", "k") == AO_STRIDE_NONE);
	EXPECT(stride("a[i][2 * j] = 0;", "j") == AO_STRIDE_MANY);
	EXPECT(stride("a[j][j] = 0;", "j") == AO_STRIDE_MANY);
	EXPECT(stride("a[i][b[j]] = 0;", "j") == AO_STRIDE_UNKNOWN);
}

static void strides_of_flat_arrays_are_told_by_coefficients(void)
{
	EXPECT(stride("a[(size_t)i * N + (k + 1)] = 0;", "k") == AO_STRIDE_ONE);
	EXPECT(stride("a[i * N + k] = 0;", "i") == AO_STRIDE_MANY);
	EXPECT(stride("a[N - k] = 0;", "k") == AO_STRIDE_MANY);
	EXPECT(stride("a[k / 2] = 0;", "k") == AO_STRIDE_UNKNOWN);
	EXPECT(stride("a[k * k] = 0;", "k") == AO_STRIDE_UNKNOWN);
}

static void names_for_rows_are_looked_through(void)
{
	static const char row[] = "float *row = x + i * K; row[k] = 0;";
	static const char address[] = "float *p = &x[i][1]; p[k] = 0;";
	uint32_t root = 0;

	EXPECT(stride(row, "k") == AO_STRIDE_ONE);
	EXPECT(stride(row, "i") == AO_STRIDE_MANY);
	EXPECT(stride(address, "k") == AO_STRIDE_ONE);
	EXPECT(stride(address, "i") == AO_STRIDE_MANY);
	EXPECT(ao_access_root(&env, last_element(address), &root));
	EXPECT(ao_token_is(&unit.tokens, root, "x"));
	EXPECT(stride("const int at = i * K + k; x[at] = 0;", "k") ==
	       AO_STRIDE_ONE);
}

static void a_name_that_changes_or_costs_is_not_looked_through(void)
{
	EXPECT(stride("int at = k; at += 2; x[at] = 0;", "k") ==
	       AO_STRIDE_NONE);
	EXPECT(stride("int at = f(k); x[at] = 0;", "k") == AO_STRIDE_NONE);
	EXPECT(stride("float r = a / b; x[i] = r;", "i") == AO_STRIDE_ONE);
	EXPECT(env.count == 0);
}

static void names_made_of_names_do_not_grow_without_end(void)
{
	struct ao_buf text = AO_BUF_INIT(1024);

	ao_buf_addstr(&text, "int v0 = k;");
	for (int i = 1; i < 15; i++)
		ao_buf_addf(&text, "int v%d = v%d + v%d;", i, i - 1, i - 1);
	ao_buf_addstr(&text, "x[v14] = 0;");
	EXPECT(stride(text.ptr, "k") == AO_STRIDE_NONE);
	/* Two were too large: what is made of the first begins anew. */
	EXPECT(env.count == 13);
	for (size_t i = 0; i < env.count; i++)
		EXPECT(env.bindings[i].size <= AO_MAX_BINDING_TERMS);
	ao_buf_release(&text);
}

static bool declares(const char *text, const char *name, enum ao_type base,
		     unsigned pointers, size_t dims)
{
	struct ao_decl decl[4];
	size_t count;

	read_text(text);
	count = ao_decl_read(decl, 4, &unit.tokens,
			     (struct ao_span){ 0, unit.tokens.code_count });
	return count && ao_token_is(&unit.tokens, decl[0].name, name) &&
	       decl[0].base == base && decl[0].pointers == pointers &&
	       decl[0].dim_count == dims;
}

static void declarations_are_read_in_their_forms(void)
{
	EXPECT(declares("const float a[restrict M][K]", "a", AO_TYPE_FLOAT, 0,
			2));
	EXPECT(declares("double *restrict p = q, x;", "p", AO_TYPE_DOUBLE, 1,
			0));
	EXPECT(declares("static unsigned long n;", "n", AO_TYPE_INTEGER, 0, 0));
	EXPECT(declares("uint8_t b[4] __attribute__((aligned(64)));", "b",
			AO_TYPE_INTEGER, 0, 1));
	EXPECT(declares("vec_float s = { 0 };", "s", AO_TYPE_OTHER, 0, 0));
	EXPECT(!declares("return x;", "x", AO_TYPE_OTHER, 0, 0));
	EXPECT(!declares("x = y;", "x", AO_TYPE_OTHER, 0, 0));
	EXPECT(!declares("float f(int);", "f", AO_TYPE_FLOAT, 0, 0));
}

static void writes_are_found_in_their_forms(void)
{
	static const char *const writes[] = { "x = 1;",	   "x[i][j] += 1;",
					      "++x;",	   "x--;",
					      "f(&x, 2);", "y = x = 2;" };
	static const char *const reads[] = { "y = x;", "a[x] = 1;", "x == 1;",
					     "y & x;", "f(x);" };
	struct ao_span all = { 0, 0 };

	for (size_t i = 0; i < AO_ARRAY_SIZE(writes); i++) {
		read_text(writes[i]);
		all.end = unit.tokens.code_count;
		EXPECT(ao_decl_is_written(&unit.tokens, all, use_of("x")));
	}
	for (size_t i = 0; i < AO_ARRAY_SIZE(reads); i++) {
		read_text(reads[i]);
		all.end = unit.tokens.code_count;
		EXPECT(!ao_decl_is_written(&unit.tokens, all, use_of("x")));
	}
}

static void the_nearest_declaration_is_the_one_that_counts(void)
{
	static const char text[] =
		"float x;\n"
		"void f(const double *x) { int y = 0; { long x = 1; g(x); }\n"
		"for (int x = 0; x < 3; x++) g(x); }";
	const struct ao_node *block, *inner, *loop;
	struct ao_decl decl;

	read_text(text);
	block = unit.file->child->next->child;
	inner = block->child->next;
	loop = inner->next;
	EXPECT(ao_decl_find(&decl, &unit.tokens, inner->child->next,
			    use_of("x")));
	EXPECT(ao_unit_text(&unit, decl.type) &&
	       !strcmp(ao_unit_text(&unit, decl.type), "long"));
	EXPECT(ao_decl_find(&decl, &unit.tokens, block->child, use_of("x")));
	EXPECT(decl.base == AO_TYPE_DOUBLE && decl.pointers == 1);
	EXPECT(ao_decl_find(&decl, &unit.tokens, loop->child, use_of("x")));
	EXPECT(decl.base == AO_TYPE_INTEGER && decl.node == loop);
	EXPECT(!ao_decl_find(&decl, &unit.tokens, loop, use_of("g")));
}

int main(void)
{
	RUN(operators_bind_as_in_c);
	RUN(casts_are_told_from_products);
	RUN(what_is_no_expression_is_refused);
	RUN(what_nests_too_deep_or_is_too_long_is_refused);
	RUN(a_term_prints_as_it_was_without_comments);
	RUN(a_replaced_name_gets_parentheses_where_it_needs_them);
	RUN(strides_of_matrices_are_told_by_the_last_index);
	RUN(strides_of_flat_arrays_are_told_by_coefficients);
	RUN(names_for_rows_are_looked_through);
	RUN(a_name_that_changes_or_costs_is_not_looked_through);
	RUN(names_made_of_names_do_not_grow_without_end);
	RUN(declarations_are_read_in_their_forms);
	RUN(writes_are_found_in_their_forms);
	RUN(the_nearest_declaration_is_the_one_that_counts);
	ao_unit_release(&unit);
	return tap_done();
}
