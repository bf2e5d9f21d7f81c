/* SPDX-License-Identifier: MIT */
#include "tap.h"

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
			".(f(b(c(b(s))s)))"));
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

static void branches_of_an_if_may_open_a_block_each(void)
{
	EXPECT(shape_is(
		"void f()\n{\n#if A\nif (a) {\n#else\nif (b) {\n#endif\n"
		"for (;;) x();\n}\n}\nvoid g() { y(); }\n",
		".(f(b(#c(b(#c(b(#L(s)))))))f(b(s)))"));
	EXPECT(shape_is("void f()\n{\n#if A\na(); }\n#else\nb(); }\n#endif\n"
			"void g() { y(); }\n",
			".(f(b(#ss#s))#f(b(s)))"));
	EXPECT(shape_is("#if A\nint f(int a)\n#else\nint f(b)\n#endif\n"
			"{ x(); }\n",
			".(#o#o#f(b(s)))"));
}

static void what_other_parsers_see_is_seen(void)
{
	EXPECT(shape_is("extern \"C\" { int x; void f() { y(); } }",
			".(oof(b(s))o)"));
	EXPECT(shape_is("int f(a, b) int a; float *b; { x(); }",
			".(oof(b(s)))"));
	parse("int f(a) int a; { x(); }", 24);
	EXPECT(file->child->next->kind == AO_NODE_FUNCTION);
	EXPECT(file->child->next->head.first == file->child->next->head.end);
}

int main(void)
{
	RUN(all_sources_of_this_repository_come_back_without_loss);
	RUN(any_bytes_come_back_without_loss);
	RUN(functions_are_told_from_declarations);
	RUN(bodies_may_have_braces_or_not);
	RUN(what_stands_before_a_loop_belongs_to_it);
	RUN(deep_nesting_is_opaque);
	RUN(branches_of_an_if_may_open_a_block_each);
	RUN(what_other_parsers_see_is_seen);
	ao_tokens_release(&tokens);
	ao_pool_release(&pool);
	return tap_done();
}
