/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/prelude.h"
#include "util/limits.h"
#include "util/strs.h"

/* Lines for the top of a file. */
struct helper {
	const char *names; /* that it defines */
	int needs;	   /* another helper, or -1 */
	const char *lines;
};

/*
 * The width comes from the compiler, not from the machine we run on: the
 * source stays right wherever it is built.  aligned(4) and may_alias allow a
 * vector to be read from anywhere in an array of floats.
 */
static const char vector_lines[] =
	"/* A vector of floats, as wide as the compiler's machine has them. */\n"
	"#if defined(__AVX512F__)\n"
	"#define VEC_BYTES 64\n"
	"#elif defined(__AVX__)\n"
	"#define VEC_BYTES 32\n"
	"#else\n"
	"#define VEC_BYTES 16\n"
	"#endif\n"
	"#define VEC_LANES (VEC_BYTES / 4)\n"
	"#define VEC_UNROLL _Pragma(\"GCC unroll 16\")\n"
	"typedef float vec_float\n"
	"\t__attribute__((vector_size(VEC_BYTES), aligned(4), may_alias));\n";

/*
 * For Intel's machines with 64-byte vectors clang prefers halves of them, with
 * twice as many sums as there are registers.
 */
static const char wide_lines[] =
	"/* Before a function whose vectors clang would halve. */\n"
	"#if defined(__clang__) && defined(__AVX512F__)\n"
	"#define VEC_WIDE __attribute__((min_vector_width(512)))\n"
	"#else\n"
	"#define VEC_WIDE\n"
	"#endif\n";

/*
 * Measured on tiles of products whose right factor comes from memory: x1.02 to
 * x1.06 with clang 14, x0.97 with gcc 12.
 */
static const char fetch_lines[] =
	"/* Ask for what is read next; gcc's code is not faster with it. */\n"
	"#ifdef __clang__\n"
	"#define VEC_FETCH(from) __builtin_prefetch(from)\n"
	"#else\n"
	"#define VEC_FETCH(from) ((void)0)\n"
	"#endif\n";

/*
 * Nothing but arithmetic: gcc, which must respect traps, makes branches of
 * comparisons of floats and vectorises none of it.  As integers the bounds cost
 * one instruction each.  The polynomial is the best one of degree 6 for
 * 2 exp(r) on |r| <= ln(2)/2, within 4e-9.  It is doubled, and the power of two
 * half as large, so that what is up to FLT_MAX is finite and what is over it
 * infinite; the constant that rounds has the exponent's bias in its last bits.
 */
static const char exp_lines[] =
	"/*\n"
	" * expf() without a branch or call, so that loops of it vectorise: within 2\n"
	" * units in the last place; infinity above 88.72, zero below -87, NaN for NaN.\n"
	" */\n"
	"static inline float exp_inline(float x)\n"
	"{\n"
	"\tunion {\n"
	"\t\tfloat value;\n"
	"\t\tunsigned bits;\n"
	"\t\tint order; /* of positive floats; that of negative ones is bits */\n"
	"\t} t = { x }, n, low = { -87.3f }, high = { 89.0f };\n"
	"\tfloat k, r, p;\n"
	"\n"
	"\tt.order = t.order < high.order ? t.order : high.order;\n"
	"\tt.bits = t.bits < low.bits ? t.bits : low.bits;\n"
	"\t/* x = k ln(2) + r: adding 1.5 * 2^23 (and 126) rounds k to an integer */\n"
	"\tn.value = t.value * 1.44269504f + 12583038.0f;\n"
	"\tk = n.value - 12583038.0f;\n"
	"\tr = t.value - k * 0.693359375f;\n"
	"\tr = r - k * -2.12194440e-4f;\n"
	"\t/* 2 exp(r), times 2^(k - 1) */\n"
	"\tp = 2.762774006e-3f;\n"
	"\tp = p * r + 1.673813723e-2f;\n"
	"\tp = p * r + 8.333684504e-2f;\n"
	"\tp = p * r + 3.333303630e-1f;\n"
	"\tp = p * r + 9.999998808e-1f;\n"
	"\tp = p * r + 2.0f;\n"
	"\tp = p * r + 2.0f;\n"
	"\tn.bits <<= 23;\n"
	"\tt.value = p * n.value;\n"
	"\t/* All bits set are a NaN. */\n"
	"\tt.bits |= -(unsigned)(x != x);\n"
	"\treturn t.value;\n"
	"}\n";

/*
 * `to` is aligned to a whole vector.  clang has a builtin for it, gcc only the
 * intrinsics.
 */
static const char stream_lines[] =
	"#if defined(__AVX__) && !defined(__clang__)\n"
	"#include <immintrin.h>\n"
	"#endif\n"
	"#include <stdint.h>\n"
	"\n"
	"/* Store a vector past the caches; `to` is aligned to VEC_BYTES. */\n"
	"static inline void vec_stream(float *to, const float *from)\n"
	"{\n"
	"#if defined(__clang__)\n"
	"\ttypedef float aligned_vec __attribute__((vector_size(VEC_BYTES)));\n"
	"\n"
	"\t__builtin_nontemporal_store(*(const aligned_vec *)from,\n"
	"\t\t\t\t    (aligned_vec *)to);\n"
	"#elif defined(__AVX512F__)\n"
	"\t_mm512_stream_ps(to, _mm512_load_ps(from));\n"
	"#elif defined(__AVX__)\n"
	"\t_mm256_stream_ps(to, _mm256_load_ps(from));\n"
	"#else\n"
	"\t*(vec_float *)to = *(const vec_float *)from;\n"
	"#endif\n"
	"}\n"
	"\n"
	"/* What was streamed is visible to others once this returns. */\n"
	"static inline void vec_stream_end(void)\n"
	"{\n"
	"#if defined(__x86_64__)\n"
	"\t__builtin_ia32_sfence();\n"
	"#else\n"
	"\t__sync_synchronize();\n"
	"#endif\n"
	"}\n";

/*
 * clang 14 does not vectorise a maximum that must respect NaN, and warns about
 * each: it gets no pragma.
 */
static const char maximum_lines[] =
	"/* Before a loop that looks for the largest or smallest of its values. */\n"
	"#ifdef __clang__\n"
	"#define VEC_LARGEST(name)\n"
	"#define VEC_SMALLEST(name)\n"
	"#else\n"
	"#define VEC_PRAGMA(text) _Pragma(#text)\n"
	"#define VEC_LARGEST(name) VEC_PRAGMA(omp simd reduction(max : name))\n"
	"#define VEC_SMALLEST(name) VEC_PRAGMA(omp simd reduction(min : name))\n"
	"#endif\n";

/*
 * Where extents are known at run time only: neither malloc(), which may fail
 * and whose pages are new at each call, nor the stack, which may overflow.
 * Pages that are not needed are never touched.
 */
_Static_assert(AO_KEPT_FLOATS == 1 << 22 && AO_KEPT_STATES == 1 << 10,
	       "the helper has to say the same");
static const char kept_lines[] =
	"/* The most that is kept for later use; with more, nothing is. */\n"
	"enum { KEPT_FLOATS = 1 << 22, KEPT_STATES = 1 << 10 };\n";

/*
 * Four vectors, so that none waits for the one before; and what clang 14 does
 * not make of a loop.
 */
static const char most_lines[] =
	"/* The larger elements of both; those of `b` where one is NaN. */\n"
	"static inline vec_float vec_larger(vec_float a, vec_float b)\n"
	"{\n"
	"\ttypedef int vec_int __attribute__((vector_size(VEC_BYTES)));\n"
	"\tconst vec_int is_larger = a > b;\n"
	"\n"
	"\treturn (vec_float)(((vec_int)a & is_larger) | ((vec_int)b & ~is_larger));\n"
	"}\n"
	"\n"
	"/* The largest of `most` and of `count` floats; NaN are passed over. */\n"
	"static inline float vec_largest(const float *from, long count, float most)\n"
	"{\n"
	"\tconst vec_float start = (vec_float){ 0 } + most;\n"
	"\tvec_float lanes[4] = { start, start, start, start };\n"
	"\n"
	"\tfor (long i = 0; i < count && count >= 4 * VEC_LANES;\n"
	"\t     i += 4 * VEC_LANES) {\n"
	"\t\t/* The last step ends where the row does. */\n"
	"\t\tconst long at = i < count - 4 * VEC_LANES ?\n"
	"\t\t\t\t\ti : count - 4 * VEC_LANES;\n"
	"\n"
	"\t\tVEC_UNROLL\n"
	"\t\tfor (int v = 0; v < 4; v++)\n"
	"\t\t\tlanes[v] = vec_larger(\n"
	"\t\t\t\t*(const vec_float *)&from[at + v * VEC_LANES],\n"
	"\t\t\t\tlanes[v]);\n"
	"\t}\n"
	"\tlanes[0] = vec_larger(vec_larger(lanes[0], lanes[1]),\n"
	"\t\t\t      vec_larger(lanes[2], lanes[3]));\n"
	"\tfor (int lane = 0; lane < VEC_LANES; lane++)\n"
	"\t\tmost = lanes[0][lane] > most ? lanes[0][lane] : most;\n"
	"\t/* Too few for a step. */\n"
	"\tfor (long i = 0; i < count && count < 4 * VEC_LANES; i++)\n"
	"\t\tmost = from[i] > most ? from[i] : most;\n"
	"\treturn most;\n"
	"}\n";

static const struct helper helpers[AO_HELPER_COUNT] = {
	[AO_HELPER_VECTOR] = { "VEC_BYTES VEC_LANES VEC_UNROLL vec_float", -1,
			       vector_lines },
	[AO_HELPER_WIDE] = { "VEC_WIDE", -1, wide_lines },
	[AO_HELPER_FETCH] = { "VEC_FETCH", -1, fetch_lines },
	[AO_HELPER_EXP] = { "exp_inline", -1, exp_lines },
	[AO_HELPER_STREAM] = { "vec_stream vec_stream_end", AO_HELPER_VECTOR,
			       stream_lines },
	[AO_HELPER_LARGEST] = { "VEC_PRAGMA VEC_LARGEST VEC_SMALLEST", -1,
				maximum_lines },
	[AO_HELPER_KEPT] = { "KEPT_FLOATS KEPT_STATES", -1, kept_lines },
	[AO_HELPER_MOST] = { "vec_larger vec_largest", AO_HELPER_VECTOR,
			     most_lines },
};

/* `lines` with the source's line ends. */
static char *localise(const struct ao_unit *unit, const char *lines)
{
	struct ao_buf out = AO_BUF_INIT(AO_MAX_KERNEL_BYTES);

	for (; *lines; lines++) {
		if (*lines == '\n')
			ao_buf_addstr(&out, unit->newline);
		else
			ao_buf_add(&out, lines, 1);
	}
	return ao_buf_take(&out);
}

/* The byte behind a helper's lines in the source; 0 if it is not there. */
static size_t find_helper(struct ao_unit *unit, const struct helper *helper)
{
	char *lines = localise(unit, helper->lines);
	const char *at = memmem(unit->tokens.text, unit->tokens.len, lines,
				strlen(lines));
	size_t end = at ? (size_t)(at - unit->tokens.text) + strlen(lines) : 0;

	free(lines);
	return end;
}

static bool directive_is(const struct ao_tokens *tokens, uint32_t i,
			 const char *word)
{
	struct ao_token token = ao_token(tokens, i);
	size_t len = strlen(word), at = 1;

	if (token.kind != AO_TOKEN_DIRECTIVE)
		return false;
	while (at < token.len && (tokens->text[token.at + at] == ' ' ||
				  tokens->text[token.at + at] == '\t'))
		at++;
	return token.len - at >= len &&
	       !memcmp(tokens->text + token.at + at, word, len);
}

/*
 * Where helpers go: behind the last #include before the first function that
 * is under no condition, else before the first code.
 */
static size_t find_place(const struct ao_unit *unit)
{
	const struct ao_tokens *tokens = &unit->tokens;
	size_t place = ao_token(tokens, 0).at;
	int depth = 0;

	for (const struct ao_node *n = unit->file->child; n; n = n->next) {
		if (n->kind == AO_NODE_FUNCTION)
			break;
		if (n->kind != AO_NODE_DIRECTIVE)
			continue;
		if (directive_is(tokens, n->span.first, "if"))
			depth++;
		else if (directive_is(tokens, n->span.first, "endif"))
			depth--;
		else if (!depth &&
			 directive_is(tokens, n->span.first, "include"))
			place = ao_tokens_behind_line(
				tokens, ao_span_at_end(tokens, n->span));
	}
	return place;
}

void ao_prelude_add(struct ao_edits *edits, struct ao_unit *unit,
		    const char *lines)
{
	const struct ao_tokens *tokens = &unit->tokens;
	size_t place = find_place(unit);
	bool behind_code = place && place != ao_token(tokens, 0).at;
	char *text, *whole;

	for (size_t i = 0; i < AO_HELPER_COUNT; i++) {
		size_t end = find_helper(unit, &helpers[i]);

		if (end > place) {
			place = end;
			behind_code = true;
		}
	}
	text = localise(unit, lines);
	whole = behind_code ? ao_xstrf("%s%s", unit->newline, text)
			    : ao_xstrf("%s%s", text, unit->newline);
	ao_edits_replace(edits, place, place, whole);
	free(whole);
	free(text);
}

/* Whether one of these names is in the source. */
static bool has_any(const struct ao_unit *unit, const char *names)
{
	struct ao_strs words = { 0 };
	bool found = false;

	ao_strs_split(&words, names);
	for (size_t i = 0; i < words.count && !found; i++)
		found = ao_span_has(&unit->tokens, unit->file->span,
				    words.v[i]);
	ao_strs_release(&words);
	return found;
}

bool ao_prelude_defines(const struct ao_unit *unit, uint32_t name)
{
	struct ao_strs words = { 0 };
	bool found = false;

	for (size_t i = 0; i < AO_HELPER_COUNT; i++)
		ao_strs_split(&words, helpers[i].names);
	for (size_t i = 0; i < words.count && !found; i++)
		found = ao_token_is(&unit->tokens, name, words.v[i]);
	ao_strs_release(&words);
	return found;
}

bool ao_prelude_need(struct ao_edits *edits, struct ao_unit *unit,
		     enum ao_helper helper)
{
	const struct helper *h = &helpers[helper];

	if (find_helper(unit, h))
		return true;
	if (has_any(unit, h->names))
		return false;
	if (h->needs >= 0 &&
	    !ao_prelude_need(edits, unit, (enum ao_helper)h->needs))
		return false;
	ao_prelude_add(edits, unit, h->lines);
	return true;
}
