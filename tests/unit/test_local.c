/* SPDX-License-Identifier: MIT */
/* What is known of a function's variables: see local.h, counter.h, order.h. */
#include "tap.h"

#include "rewrite/counter.h"
#include "rewrite/local.h"
#include "rewrite/order.h"

static const struct ao_rewrite_context context = { .entry = "f",
						   .vector_bytes = 32 };
static struct ao_unit unit;

static void read(const char *text)
{
	ao_unit_release(&unit);
	EXPECT(ao_unit_read(&unit, text, strlen(text), &context));
}

/* The first statement of the text that begins with these two tokens. */
static const struct ao_node *find(const char *first, const char *second)
{
	const struct ao_node *n = unit.file;

	while (n && !(n->kind == AO_NODE_SIMPLE &&
		      ao_token_is(&unit.tokens, n->span.first, first) &&
		      ao_token_is(&unit.tokens, n->span.first + 1, second)))
		n = ao_node_next(n);
	return n;
}

/* Whether "t = ..." in a function of these statements is as a declaration. */
static bool is_local(const char *statements)
{
	char *text = ao_xstrf("void f(int n, float *x) { float t; %s }",
			      statements);
	struct ao_decl decl;
	bool is_it;

	read(text);
	is_it = ao_local_read(&decl, &unit, find("t", "=")) &&
		decl.base == AO_TYPE_FLOAT &&
		ao_token_is(&unit.tokens, decl.name, "t") &&
		decl.init.first == decl.name + 2;
	free(text);
	/* The unit borrows the text. */
	read("");
	return is_it;
}

static void what_is_set_before_each_use_is_as_good_as_declared_there(void)
{
	EXPECT(is_local("t = x[0]; x[1] = t;"));
	EXPECT(is_local("while (n--) { t = x[n]; if (t > 0) x[n] = t; }"));
	EXPECT(is_local("{ t = 1; x[0] = t; } { t = 2; x[1] = t; }"));
	EXPECT(is_local("t = x[0]; t = t * 2; x[1] = t;"));
}

static void what_may_be_used_as_it_was_is_not(void)
{
	EXPECT(!is_local("if (n) { t = x[0]; } x[1] = t;"));
	EXPECT(!is_local("if (n) t = x[0]; else x[1] = t;"));
	EXPECT(!is_local("while (n--) { x[n] = t; t = x[n]; }"));
	EXPECT(!is_local("t = x[0]; g(&t);"));
	EXPECT(!is_local("back: x[n] = 0; t = 1; x[1] = t; goto back;"));
	EXPECT(!is_local("switch (n) { t = 1; case 1: x[0] = t; }"));
	EXPECT(!is_local("t += 1; t = 2;"));
}

static void variables_of_others_are_not(void)
{
	struct ao_decl decl;

	read("float t; void f(float *x) { t = x[0]; x[1] = t; }");
	EXPECT(!ao_local_read(&decl, &unit, find("t", "=")));
	read("void f(float *x) { static float t; t = x[0]; x[1] = t; }");
	EXPECT(!ao_local_read(&decl, &unit, find("t", "=")));
	read("void f(float *x) { u = x[0]; x[1] = u; }");
	EXPECT(!ao_local_read(&decl, &unit, find("u", "=")));
	read("void f(float t, float *x) { t = x[0]; x[1] = t; }");
	EXPECT(ao_local_read(&decl, &unit, find("t", "=")));
}

static bool is_private(const char *text)
{
	read(text);
	return unit.loop_count && ao_counter_is_private(&unit, &unit.loops[0]);
}

static void a_counter_is_private_if_only_loops_use_it(void)
{
	EXPECT(is_private("void f() { for (int i = 0; i < 9; i++) g(); }"));
	EXPECT(is_private("void f() { int i; for (i = 0; i < 9; i++) g(i); "
			  "for (i = 9; i > 0; i--) g(i); }"));
	EXPECT(!is_private("void f() { int i; for (i = 0; i < 9; i++) g(i); "
			   "h(i); }"));
	EXPECT(!is_private("void f() { int i; for (i = 0; i < 9; i++) g(i); "
			   "for (i = i - 1; i > 0; i--) g(i); }"));
	EXPECT(!is_private("void f() { int i; for (i = 0; i < 9; i++) g(i); "
			   "for (; i < 12; i++) g(i); }"));
	EXPECT(!is_private(
		"int i; void f() { for (i = 0; i < 9; i++) g(i); }"));
	EXPECT(!is_private("void f() { static int i; "
			   "for (i = 0; i < 9; i++) g(i); }"));
}

static bool is_wide(const char *text)
{
	read(text);
	return unit.loop_count && ao_counter_is_wide(&unit, &unit.loops[0]);
}

static void a_counter_that_would_wrap_is_not_wide(void)
{
	EXPECT(is_wide("void f() { for (int i = 0; i < 9; i++) ; }"));
	EXPECT(is_wide("void f() { unsigned i; for (i = 0; i < 9; i++) ; }"));
	EXPECT(is_wide("void f() { for (size_t i = 0; i < 9; i++) ; }"));
	EXPECT(is_wide("void f() { for (uint32_t i = 0; i < 9; i++) ; }"));
	EXPECT(!is_wide("void f() { for (uint8_t i = 0; i < 9; i++) ; }"));
	EXPECT(!is_wide(
		"void f() { for (unsigned char i = 0; i < 9; i++) ; }"));
	EXPECT(!is_wide("void f() { short i; for (i = 0; i < 9; i++) ; }"));
	EXPECT(!is_wide("typedef uint16_t u16; typedef u16 count; "
			"void f() { for (count i = 0; i < 9; i++) ; }"));
	EXPECT(is_wide("typedef long count; "
		       "void f() { for (count i = 0; i < 9; i++) ; }"));
}

static bool has_type(const char *text, const char *wanted)
{
	read(text);
	return unit.loop_count &&
	       !strcmp(ao_counter_type(&unit, &unit.loops[0]), wanted);
}

static void a_counter_has_its_type_without_qualifiers(void)
{
	EXPECT(has_type("void f() { for (unsigned long i = 0; i < 9; i++) ; }",
			"unsigned long"));
	EXPECT(has_type("void f() { register size_t i; "
			"for (i = 0; i < 9; i++) ; }",
			"size_t"));
	EXPECT(has_type("void f() { for (i = 0; i < 9; i++) ; }", "int"));
}

/* Whether "first" and "second", two blocks of a function, hand nothing on. */
static bool is_free(const char *first, const char *second)
{
	char *text = ao_xstrf("void f(float *x) { int i; float t; {%s} {%s} }",
			      first, second);
	const struct ao_node *block, *a, *b;
	struct ao_span parts[2];
	bool is_it;

	read(text);
	block = unit.file->child->child;
	a = block->child->next->next;
	b = a->next;
	parts[0] = a->span;
	parts[1] = b->span;
	is_it = ao_order_is_free(&unit, NULL, block, parts, 2);
	read("");
	free(text);
	return is_it;
}

static void parts_are_free_unless_a_variable_goes_between_them(void)
{
	EXPECT(is_free("x[0] = 1;", "x[0] += 2;"));
	EXPECT(is_free("t = 1;", "x[0] = 2;"));
	EXPECT(is_free("float u = 1; x[0] = u;", "float u = 2; x[1] = u;"));
	EXPECT(is_free("for (i = 0; i < 9; i++) x[i] = 1;",
		       "for (i = 0; i < 9; i++) x[i] = 2;"));
	EXPECT(!is_free("t = 1;", "x[0] = t;"));
	EXPECT(!is_free("x[0] = t;", "t++;"));
	EXPECT(!is_free("g(&t);", "x[0] = t;"));
	EXPECT(!is_free("for (i = 0; i < 9; i++) x[i] = 1;", "x[i] = 2;"));
}

static void rounds_are_free_unless_they_move_something(void)
{
	static const char *const texts[] = {
		"t += x[0];", "float *p = x; *p++ = 1;",
		"x[1] = 2;",  "*x++ = 1;",
		"n = n + 1;",
	};

	for (size_t n = 0; n < AO_ARRAY_SIZE(texts); n++) {
		char *text = ao_xstrf(
			"void f(int n, float *x) { float t; {%s} }", texts[n]);
		const struct ao_node *block;

		read(text);
		block = unit.file->child->child;
		EXPECT(ao_order_is_free_within(&unit, NULL, block,
					       block->child->next->span) ==
		       (n < 3));
		read("");
		free(text);
	}
}

int main(void)
{
	RUN(what_is_set_before_each_use_is_as_good_as_declared_there);
	RUN(what_may_be_used_as_it_was_is_not);
	RUN(variables_of_others_are_not);
	RUN(a_counter_is_private_if_only_loops_use_it);
	RUN(a_counter_that_would_wrap_is_not_wide);
	RUN(a_counter_has_its_type_without_qualifiers);
	RUN(parts_are_free_unless_a_variable_goes_between_them);
	RUN(rounds_are_free_unless_they_move_something);
	ao_unit_release(&unit);
	return tap_done();
}
