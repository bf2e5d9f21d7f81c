/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include "rewrite/forhead.h"

static struct ao_pool pool;
static struct ao_tokens tokens;
static struct ao_for loop; /* of the test */

/* Read "void f() { for (head) body }". */
static bool reads_with(const char *head, const char *body)
{
	static char text[400];
	struct ao_node *file;

	snprintf(text, sizeof(text), "void f() { for (%s) %s }", head, body);
	ao_tokens_release(&tokens);
	ao_pool_release(&pool);
	ao_tokens_read(&tokens, text, strlen(text));
	file = ao_syntax_parse(&pool, &tokens);
	loop = (struct ao_for){ 0 };
	return ao_for_read(&loop, &tokens, file->child->child->child);
}

static bool reads(const char *head)
{
	return reads_with(head, "x[i] = 0;");
}

static bool span_is(struct ao_span span, const char *wanted)
{
	size_t at = ao_span_at(&tokens, span);

	return ao_span_at_end(&tokens, span) - at == strlen(wanted) &&
	       !memcmp(tokens.text + at, wanted, strlen(wanted));
}

/* Whether the head is read so; "" is what it leaves out. */
static bool reads_as(const char *head, const char *start,
		     enum ao_relation relation, const char *bound,
		     const char *step)
{
	bool is_read = reads(head);
	bool is_it = is_read && loop.relation == relation &&
		     ao_token_is(&tokens, loop.var, "i") &&
		     span_is(loop.start, start) && span_is(loop.bound, bound) &&
		     span_is(loop.step, step);

	if (!is_it)
		printf("# %s: read %d, relation %d\n", head, is_read,
		       (int)loop.relation);
	return is_it;
}

static void heads_say_where_a_counter_goes(void)
{
	EXPECT(reads_as("int i = 0; i < N; i++", "0", AO_RELATION_LESS, "N",
			""));
	EXPECT(span_is(loop.type, "int") && ao_for_is_plain(&loop, &tokens));
	EXPECT(reads_as("size_t i = a + 1; i <= n - 2; i += 4", "a + 1",
			AO_RELATION_UP_TO, "n - 2", "4"));
	EXPECT(span_is(loop.type, "size_t") && ao_for_is_lone(&loop));
	EXPECT(reads_as("i = 0; MAX(a, b) > i; ++i", "0", AO_RELATION_LESS,
			"MAX(a, b)", ""));
	EXPECT(span_is(loop.type, "") && ao_for_is_plain(&loop, &tokens));
	EXPECT(reads_as("unsigned long i = 0; n >= i; i = i + s * 2", "0",
			AO_RELATION_UP_TO, "n", "s * 2"));
	EXPECT(span_is(loop.type, "unsigned long"));
	EXPECT(reads_as("i = 0; (i < p->n); i += 1", "0", AO_RELATION_LESS,
			"p->n", ""));
	EXPECT(reads_as("i = 0; i != n; i++", "0", AO_RELATION_NOT, "n", ""));
	EXPECT(ao_for_is_plain(&loop, &tokens));
}

static void counters_may_go_down(void)
{
	EXPECT(reads_as("int i = n - 1; i >= 0; i--", "n - 1",
			AO_RELATION_DOWN_TO, "0", ""));
	EXPECT(loop.is_downward && !loop.is_early && ao_for_is_lone(&loop));
	EXPECT(!ao_for_counts_up(&loop) && ao_for_suits_openmp(&loop));
	EXPECT(reads_as("i = n; 0 < i; i -= 2", "n", AO_RELATION_MORE, "0",
			"2"));
	EXPECT(reads_as("i = n; i > 0; i += -2", "n", AO_RELATION_MORE, "0",
			"2"));
	EXPECT(reads_as("i = n; i; --i", "n", AO_RELATION_NOT, "", ""));
	EXPECT(loop.is_downward && !ao_for_suits_openmp(&loop));
	EXPECT(!reads("i = 0; i < n; i--") && !reads("i = n; i > 0; i++"));
}

static void a_counter_may_move_in_the_condition(void)
{
	EXPECT(reads_as("i = n; i-- > 0;", "n", AO_RELATION_MORE, "0", ""));
	EXPECT(loop.is_early && loop.is_downward);
	EXPECT(!ao_for_suits_openmp(&loop) && !ao_for_counts_up(&loop));
	EXPECT(reads_as("i = n; i--;", "n", AO_RELATION_NOT, "", ""));
	EXPECT(loop.is_early);
	EXPECT(reads_as("i = n; i > 0 && i--;", "n", AO_RELATION_MORE, "0",
			""));
	EXPECT(loop.is_early && loop.is_downward);
	EXPECT(reads_as("i = -1; ++i < n;", "-1", AO_RELATION_LESS, "n", ""));
	EXPECT(loop.is_early && !loop.is_downward);
	EXPECT(!reads("i = n; i-- > 0; i--"));
}

static void up_to_n_less_1_is_less_than_n(void)
{
	EXPECT(reads_as("i = 0; i <= n - 1; i++", "0", AO_RELATION_LESS, "n",
			""));
	EXPECT(ao_for_is_plain(&loop, &tokens));
	EXPECT(reads_as("i = 0; i <= n << m - 1; i++", "0", AO_RELATION_UP_TO,
			"n << m - 1", ""));
	EXPECT(reads_as("i = 0; i <= n * - 1; i++", "0", AO_RELATION_UP_TO,
			"n * - 1", ""));
	EXPECT(reads_as("i = 0; i <= - 1; i++", "0", AO_RELATION_UP_TO, "- 1",
			""));
}

static void a_head_may_have_company(void)
{
	EXPECT(reads_as("int i = 0, j = 1; i < n; i++", "0", AO_RELATION_LESS,
			"n", ""));
	EXPECT(loop.has_company && !ao_for_is_lone(&loop));
	EXPECT(reads_as("j = 0, i = 0; i < n; i++, j += 2", "0",
			AO_RELATION_LESS, "n", ""));
	EXPECT(loop.has_company && !ao_for_is_plain(&loop, &tokens));
	EXPECT(reads_as("i = j = 0; i < n; i++", "j = 0", AO_RELATION_LESS, "n",
			""));
	EXPECT(loop.has_company);
	EXPECT(reads_as("; i < n; i++", "", AO_RELATION_LESS, "n", ""));
	EXPECT(!ao_for_is_lone(&loop) && !ao_for_suits_openmp(&loop));
}

static void what_is_not_known_on_entry_does_not_count(void)
{
	EXPECT(!reads(";;") && !reads(""));
	EXPECT(!reads("int i = 0; j < N; i++"));
	EXPECT(!reads("int i = 0; i < N; j++"));
	EXPECT(!reads("int i = 0; i < N; i++, i++"));
	EXPECT(!reads("int i = 0; i < N"));
	EXPECT(!reads("struct s *p = a; p; p = p->next"));
	EXPECT(!reads("i = 1; i < n; i *= 2"));
	EXPECT(!reads("i = 1; i < n; i <<= 1"));
	EXPECT(!reads("i = 0; i < n && x[i]; i++"));
	EXPECT(!reads("i = 0; i < n || more; i++"));
	EXPECT(!reads("i = 0; i < n ? a : b; i++"));
	EXPECT(!reads("i = 0; i < n, i < m; i++"));
	EXPECT(!reads("i = 0; i < n - i; i++"));
	EXPECT(!reads("i = 0; i < j; i++, j--"));
	EXPECT(!reads("i = 0; i != n; i += 2"));
	EXPECT(!reads("i = 0; i < strlen(s); i++"));
	EXPECT(!reads("i = 0; a < i < n; i++"));
	EXPECT(!reads("s->i = 0; s->i < n; s->i++"));
}

static void what_the_body_moves_does_not_count(void)
{
	static const char head[] = "i = 0; i < n; i += s";

	EXPECT(reads_with(head, "{ y[n] = i; p->n = 1; *q = n == s; }"));
	EXPECT(!reads_with(head, "if (x[i]) i--;"));
	EXPECT(!reads_with(head, "scanf(\"%d\", &i);"));
	EXPECT(!reads_with(head, "n -= 1;"));
	EXPECT(!reads_with(head, "s = 2;"));
	EXPECT(!reads_with("i = 0; i < p->n; i++", "q->n = 2;"));
	EXPECT(!reads_with("i = 0; i < p->n; i++", "f(&p->n);"));
	EXPECT(reads_with("i = 0; i < p->n; i++", "f(&p->x, n = 2);"));
	EXPECT(reads_with("i = 0; i < sizeof(a) / sizeof(a[0]); i++",
			  "a[i] = 0;"));
}

static void ranges_are_compared_by_their_parts(void)
{
	static const char *const heads[] = {
		"i = 0; i < n; i++",	"i = 0; i <= n; i++",
		"i = n; i > n; i--",	"i = 1; i < n; i++",
		"i = 0; i < n; i += 2",
	};
	static char text[400];
	struct ao_node *file, *node;
	struct ao_for loops[5];
	size_t len = 0, count = 0;

	for (size_t n = 0; n < AO_ARRAY_SIZE(heads); n++)
		len += (size_t)snprintf(text + len, sizeof(text) - len,
					"%sfor (%s) f();", n ? "" : "g() { ",
					heads[n]);
	ao_tokens_release(&tokens);
	ao_pool_release(&pool);
	ao_tokens_read(&tokens, text, len);
	file = ao_syntax_parse(&pool, &tokens);
	for (node = file->child->child->child; node; node = node->next)
		EXPECT(ao_for_read(&loops[count++], &tokens, node));
	for (size_t a = 0; a < count; a++)
		for (size_t b = 0; b < count; b++)
			EXPECT(ao_for_same_range(&loops[a], &loops[b],
						 &tokens) == (a == b));
}

int main(void)
{
	RUN(heads_say_where_a_counter_goes);
	RUN(counters_may_go_down);
	RUN(a_counter_may_move_in_the_condition);
	RUN(up_to_n_less_1_is_less_than_n);
	RUN(a_head_may_have_company);
	RUN(what_is_not_known_on_entry_does_not_count);
	RUN(what_the_body_moves_does_not_count);
	RUN(ranges_are_compared_by_their_parts);
	ao_tokens_release(&tokens);
	ao_pool_release(&pool);
	return tap_done();
}
