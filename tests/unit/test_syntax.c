/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include "rewrite/forhead.h"
#include "rewrite/syntax.h"
#include "util/error.h"
#include "util/file.h"
#include "util/limits.h"

/* The source that a test is about. */
static struct ao_pool pool;
static struct ao_tokens tokens;
static struct ao_node *file;

static void parse(const char *text, size_t len)
{
	ao_tokens_release(&tokens);
	ao_pool_release(&pool);
	ao_tokens_read(&tokens, text, len);
	file = ao_syntax_parse(&pool, &tokens);
}

static bool prints_as_it_is(const char *text, size_t len)
{
	struct ao_buf out = AO_BUF_INIT(AO_MAX_KERNEL_BYTES);
	bool is_same;

	parse(text, len);
	ao_syntax_print(&out, &tokens, file);
	is_same = out.len == len && !memcmp(out.ptr, text, len);
	ao_buf_release(&out);
	return is_same;
}

/* Add kinds in order, children in brackets: "F(B(S))". */
static void add_shape(struct ao_buf *out, const struct ao_node *node)
{
	static const char letters[] = {
		[AO_NODE_FILE] = '.',	   [AO_NODE_FUNCTION] = 'f',
		[AO_NODE_BLOCK] = 'b',	   [AO_NODE_FOR] = 'L',
		[AO_NODE_CONTROL] = 'c',   [AO_NODE_SIMPLE] = 's',
		[AO_NODE_DIRECTIVE] = '#', [AO_NODE_OTHER] = 'o',
	};

	ao_buf_add(out, &letters[node->kind], 1);
	if (!node->child)
		return;
	ao_buf_addstr(out, "(");
	for (const struct ao_node *c = node->child; c; c = c->next)
		add_shape(out, c);
	ao_buf_addstr(out, ")");
}

static bool shape_is(const char *text, const char *wanted)
{
	struct ao_buf out = AO_BUF_INIT(4096);
	bool is_it;

	parse(text, strlen(text));
	add_shape(&out, file);
	is_it = !strcmp(out.ptr, wanted);
	if (!is_it)
		printf("# %s\n", out.ptr);
	ao_buf_release(&out);
	return is_it;
}

/* Every .c file below a folder, two levels deep, without loss. */
static size_t check_folder(const char *folder, unsigned depth)
{
	struct ao_strs names = { 0 };
	struct ao_error *err = ao_file_list(&names, folder);
	size_t count = 0;

	if (err) {
		ao_error_free(err);
		return 0;
	}
	for (size_t i = 0; i < names.count; i++) {
		char *path = ao_xstrf("%s/%s", folder, names.v[i]);
		size_t len = strlen(path);
		struct ao_buf buf = AO_BUF_INIT(AO_MAX_KERNEL_BYTES);

		if (depth)
			count += check_folder(path, depth - 1);
		if (len > 2 && !strcmp(path + len - 2, ".c")) {
			err = ao_file_read(&buf, path);
			EXPECT(!err && prints_as_it_is(buf.ptr, buf.len));
			ao_error_free(err);
			count++;
		}
		/* What the tree points to goes with the buffer. */
		parse("", 0);
		ao_buf_release(&buf);
		free(path);
	}
	ao_strs_release(&names);
	return count;
}

static void all_sources_of_this_repository_come_back_without_loss(void)
{
	EXPECT(check_folder("src", 1) > 50);
	EXPECT(check_folder("nkibench/tasks", 1) >= 10);
	EXPECT(check_folder("tests/unit", 0) > 10);
	EXPECT(check_folder("tests/fuzz/corpus/rewrite", 0) > 10);
}

static void any_bytes_come_back_without_loss(void)
{
	static const char binary[] = "\0\xff{(\r\n#if\0*/\"'\\";

	EXPECT(prints_as_it_is("", 0));
	EXPECT(prints_as_it_is(" \n /* only this */ ", 19));
	EXPECT(prints_as_it_is("void f(void) {", 14));
	EXPECT(prints_as_it_is("}}}((", 5));
	EXPECT(prints_as_it_is("int x\r\n", 7));
	EXPECT(prints_as_it_is(binary, sizeof(binary) - 1));
}

static void functions_are_told_from_declarations(void)
{
	EXPECT(shape_is("int x; int f(int); int g(void) { return 1; }",
			".(oof(b(s)))"));
	EXPECT(shape_is("struct s { int x; } y; int a[] = { f(1) };", ".(oo)"));
	EXPECT(shape_is("static __attribute__((noinline)) int f(int x)\n{\n}\n"
			"#define A\n",
			".(f(b)#)"));
	parse("static __attribute__((unused)) int f(int x) { }", 47);
	EXPECT(ao_token_is(&tokens, file->child->name, "f"));
}

static void bodies_may_have_braces_or_not(void)
{
	EXPECT(shape_is("void f() { for (;;) x(); for (;;) { y(); z(); } }",
			".(f(b(L(s)L(b(ss)))))"));
	EXPECT(shape_is("void f() { if (a) b(); else if (c) d(); else { } }",
			".(f(b(c(sc(sb)))))"));
	EXPECT(shape_is("void f() { do x(); while (y); while (z) ; }",
			".(f(b(c(s)c(s))))"));
	EXPECT(shape_is("void f() { switch (a) { case 1: b(); default: c(); } "
			"out: return; }",
			".(f(b(c(b(c(s)c(s)))c(s))))"));
}

static void what_stands_before_a_loop_belongs_to_it(void)
{
	EXPECT(shape_is("void f() {\n#pragma omp simd\nfor (;;) x(); }",
			".(f(b(#L(s))))"));
	EXPECT(shape_is("void f() { UNROLL for (;;) MAX(m) for (;;) x(); }",
			".(f(b(#L(#L(s)))))"));
	EXPECT(shape_is("void f() { EACH(i, n) { x(); } y(); }",
			".(f(b(ss)))"));
	EXPECT(shape_is("void f() { int a[] = { 1 }, b = g(1); c(); }",
			".(f(b(ss)))"));
}

static void deep_nesting_is_opaque(void)
{
	struct ao_buf text = AO_BUF_INIT(1 << 16);
	unsigned depth = 0;

	ao_buf_addstr(&text, "void f() ");
	for (int i = 0; i < 300; i++)
		ao_buf_addstr(&text, "{");
	ao_buf_addstr(&text, "x();");
	for (int i = 0; i < 300; i++)
		ao_buf_addstr(&text, "}");
	EXPECT(prints_as_it_is(text.ptr, text.len));
	for (const struct ao_node *n = file; n; n = n->child)
		depth++;
	EXPECT(depth > 50 && depth < 110);
	parse("", 0);
	ao_buf_release(&text);
}

/* Read the head of the one loop of "void f() { for (...) ; }". */
static bool read_for(struct ao_for *out, const char *head)
{
	static char text[256];

	snprintf(text, sizeof(text), "void f() { for (%s) x(); }", head);
	parse(text, strlen(text));
	return ao_for_read(out, &tokens, file->child->child->child);
}

static bool span_is(struct ao_span span, const char *wanted)
{
	size_t at = ao_span_at(&tokens, span);

	return ao_span_at_end(&tokens, span) - at == strlen(wanted) &&
	       !memcmp(tokens.text + at, wanted, strlen(wanted));
}

static void loops_that_count_are_understood_in_all_their_forms(void)
{
	struct ao_for loop;

	EXPECT(read_for(&loop, "int i = 0; i < N; i++"));
	EXPECT(ao_token_is(&tokens, loop.var, "i") &&
	       span_is(loop.type, "int"));
	EXPECT(span_is(loop.start, "0") && span_is(loop.bound, "N"));
	EXPECT(ao_for_is_plain(&loop, &tokens));

	EXPECT(read_for(&loop, "size_t k = a + 1; k <= n - 1; k += 4"));
	EXPECT(loop.bound_is_included && span_is(loop.step, "4"));
	EXPECT(span_is(loop.start, "a + 1") && span_is(loop.bound, "n - 1"));
	EXPECT(!ao_for_is_plain(&loop, &tokens));

	EXPECT(read_for(&loop, "i = 0; f(a, b) > i; ++i"));
	EXPECT(loop.type.first == loop.type.end);
	EXPECT(span_is(loop.bound, "f(a, b)") && !loop.bound_is_included);

	EXPECT(read_for(&loop, "unsigned long i = 0; n >= i; i = i + s * 2"));
	EXPECT(loop.bound_is_included && span_is(loop.step, "s * 2"));
	EXPECT(span_is(loop.type, "unsigned long"));
	EXPECT(read_for(&loop, "int i = 0; i < N; i += 1"));
	EXPECT(ao_for_is_plain(&loop, &tokens));
}

static void other_loops_do_not_count(void)
{
	struct ao_for loop;

	EXPECT(!read_for(&loop, ";;"));
	EXPECT(!read_for(&loop, "int i = 0, j = 1; i < N; i++"));
	EXPECT(!read_for(&loop, "int i = N; i > 0; i--"));
	EXPECT(!read_for(&loop, "int i = 0; j < N; i++"));
	EXPECT(!read_for(&loop, "int i = 0; i < N; j++"));
	EXPECT(!read_for(&loop, "int i = 0; i < N"));
	EXPECT(!read_for(&loop, "struct s *p = a; p; p = p->next"));
	EXPECT(!read_for(&loop, ""));
}

int main(void)
{
	RUN(all_sources_of_this_repository_come_back_without_loss);
	RUN(any_bytes_come_back_without_loss);
	RUN(functions_are_told_from_declarations);
	RUN(bodies_may_have_braces_or_not);
	RUN(what_stands_before_a_loop_belongs_to_it);
	RUN(deep_nesting_is_opaque);
	RUN(loops_that_count_are_understood_in_all_their_forms);
	RUN(other_loops_do_not_count);
	ao_tokens_release(&tokens);
	ao_pool_release(&pool);
	return tap_done();
}
