/* SPDX-License-Identifier: MIT */
/*
 * bench_hostile.c - whether the rewriter takes linear time, whatever it reads.
 *
 * Files of one thing over and over: processor time to read, parse and print 5
 * and 10 MB of it, whether it comes back, and the time in which the catalogue
 * proposes for as much of it as it looks into.  Fails if twice as much takes
 * far more than twice as long, or the catalogue more than a second.
 */
#include "tap.h"

#include "rewrite/catalogue.h"
#include "rewrite/unit.h"
#include "util/clock.h"

enum { HALF_BYTES = 5 << 20 };

/* Caches explain some of it; quadratic would be 4. */
#define MOST_RATIO     3.0
#define MOST_PROPOSE_S 1.0

struct kind {
	const char *before; /* what is said once */
	const char *text;   /* what is repeated */
};

#define TEN(text) text text text text text text text text text text

static const struct kind kinds[] = {
	{ "void f(){", "for(i=0;i<n;i++){" TEN(TEN("a[i]=b[i];")) "}" },
	{ "void f(){", "for(i=0;i<n;i++){" TEN("t=a[i];b[i]=t;") "}" },
	{ "void f(){float s;int i,j,k;",
	  "for(i=0;i<n;i++){s=1;for(j=0;j<n;j++){s=0;for(k=0;k<n;k++)"
	  "s+=a[i][k]*b[k][j];c[i][j]=s;}}" },
	{ "void f(){float s;int i,j,k;",
	  "for(i=0;i<n;i++){s=1;for(j=0;j<n;j++){s=0;for(k=0;k<n;k++)"
	  "s+=a[i][k]*b[k][j];" TEN(TEN("d[s]=1;")) "}}" },
	{ "", "{" },
	{ "", "(" },
	{ "", ")" },
	{ "", "}" },
	{ "", "[" },
	{ "", "/*" },
	{ "", "\"" },
	{ "", "for(" },
	{ "void f(){", "for(;;)" },
	{ "void f(){", "for(i=0;i<n;i++)" },
	{ "void f(){", "for(i=0;i<n;i++){" },
	{ "void f(){", "for(i=0;i<n;i++){a[i]=a[i]+1;}" },
	{ "void f(){int i;", "for(i=0;i<n;i++)for(j=0;j<n;j++)c[i]+=a[j];" },
	{ "void f(){for(i=0;i<n;i++){", "x=i;" },
	{ "void f(){for(i=0;i<n;i++){", "t=a[i];b[i]=t;" },
	{ "", "\\\n" },
	{ "", "a " },
	{ "", " a\n" },
	{ "", "a b " },
	{ "", "a," },
	{ "int a = ", "{}," },
	{ "", "(){}" },
	{ "", "{}" },
	{ "", "f(){}" },
	{ "", "int f(a) int a;" },
	{ "", "if(" },
	{ "void f(){", "if(a){" },
	{ "void f(){", "else " },
	{ "void f(){", "case a" },
	{ "void f(){", "a:" },
	{ "void f(){", "a(b){" },
	{ "", "#if\n" },
	{ "", "#if\n}\n" },
	{ "", "#if\n(\n#else\n" },
	{ "{", "#if\n}{\n#endif\n" },
	{ "", "#define a 1\n" },
	{ "void f(){for(i=0;i<n;i++)c=", "a+" },
	{ "void f(){for(i=0;i<n;i++)c=", "(a" },
	{ "void f(){for(i=0;i<n;i++)c", "[a" },
	{ "", "\377\376" },
	{ "", "do " },
	{ "void f(){int ", "a=b," },
	{ "void f(){", "int a=b;" },
};

static struct ao_buf repeat(const struct kind *kind, size_t bytes)
{
	struct ao_buf text = AO_BUF_INIT(AO_MAX_SOURCE_BYTES);

	ao_buf_addstr(&text, kind->before);
	while (text.len < bytes)
		ao_buf_addstr(&text, kind->text);
	return text;
}

/* Seconds for one round trip; negative: it did not come back. */
static double round_trip(const struct kind *kind, size_t bytes)
{
	struct ao_buf text = repeat(kind, bytes);
	struct ao_buf printed = AO_BUF_INIT(AO_MAX_SOURCE_BYTES);
	uint64_t start_ns = ao_clock_cpu_ns();
	struct ao_tokens tokens;
	struct ao_pool pool = { 0 };
	double s;

	ao_tokens_read(&tokens, text.ptr, text.len);
	ao_syntax_print(&printed, &tokens, ao_syntax_parse(&pool, &tokens));
	s = (double)(ao_clock_cpu_ns() - start_ns) / 1e9;
	if (printed.len != text.len ||
	    memcmp(printed.ptr, text.ptr, text.len) != 0)
		s = -1;
	ao_pool_release(&pool);
	ao_tokens_release(&tokens);
	ao_buf_release(&printed);
	ao_buf_release(&text);
	return s;
}

static double propose(const struct kind *kind)
{
	static const char *const names[] = { "M" };
	static const int64_t values[] = { 1 << 20 };
	static const struct ao_rewrite_context context = {
		.entry = "f",
		.axis_names = names,
		.axis_values = values,
		.axis_count = 1,
		.vector_bytes = 32,
	};
	struct ao_buf text = repeat(kind,
				    AO_MAX_UNIT_BYTES - strlen(kind->text));
	uint64_t start_ns = ao_clock_cpu_ns();
	struct ao_proposal *proposals;
	size_t count;

	ao_catalogue_propose(&proposals, &count, text.ptr, text.len, &context,
			     false);
	ao_proposals_free(proposals, count);
	ao_buf_release(&text);
	return (double)(ao_clock_cpu_ns() - start_ns) / 1e9;
}

/* One line, the text without its newlines. */
static void print_line(const struct kind *kind, double half_s, double all_s,
		       double propose_s, bool is_bad)
{
	char name[28];

	snprintf(name, sizeof(name), "%.10s%s%s", kind->before,
		 *kind->before ? " " : "", kind->text);
	for (char *c = name; *c; c++) {
		if (*c < ' ' || *c > '~')
			*c = '?';
	}
	printf("%-28s %8.2f %8.2f %6.1f %9.3f%s\n", name, half_s, all_s,
	       half_s > 0 ? all_s / half_s : 0, propose_s,
	       is_bad ? "  BAD" : "");
}

int main(void)
{
	bool any_bad = false;

	printf("%-28s %8s %8s %6s %9s\n", "over and over", "5 MB s", "10 MB s",
	       "ratio", "propose s");
	for (size_t n = 0; n < AO_ARRAY_SIZE(kinds); n++) {
		double half_s = round_trip(&kinds[n], HALF_BYTES);
		double all_s = round_trip(&kinds[n], 2 * (size_t)HALF_BYTES);
		double propose_s = propose(&kinds[n]);
		bool is_bad = half_s < 0 || all_s < 0 ||
			      all_s > MOST_RATIO * half_s + 0.1 ||
			      propose_s > MOST_PROPOSE_S;

		print_line(&kinds[n], half_s, all_s, propose_s, is_bad);
		fflush(stdout);
		any_bad |= is_bad;
	}
	return any_bad;
}
