/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "eval/mix.h"
#include "util/text.h"

enum kind { WORK, DIVIDE, MOVE, SHUFFLE, COMPARE, NOTHING };

struct name {
	const char *begin;
	enum kind kind;
};

/* Without the v of AVX.  The first that fits counts; else it is WORK. */
static const struct name vector_names[] = {
	{ "movddup", SHUFFLE },	 { "movshdup", SHUFFLE },
	{ "movsldup", SHUFFLE }, { "movhlps", SHUFFLE },
	{ "movlhps", SHUFFLE },	 { "mov", MOVE },
	{ "lddqu", MOVE },	 { "broadcast", MOVE },
	{ "pbroadcast", MOVE },	 { "gather", MOVE },
	{ "pgather", MOVE },	 { "scatter", MOVE },
	{ "pscatter", MOVE },	 { "maskmov", MOVE },
	{ "pmaskmov", MOVE },	 { "perm", SHUFFLE },
	{ "pshuf", SHUFFLE },	 { "shuf", SHUFFLE },
	{ "unpck", SHUFFLE },	 { "punpck", SHUFFLE },
	{ "insert", SHUFFLE },	 { "pinsr", SHUFFLE },
	{ "extract", SHUFFLE },	 { "pextr", SHUFFLE },
	{ "pack", SHUFFLE },	 { "palign", SHUFFLE },
	{ "align", SHUFFLE },	 { "blend", SHUFFLE },
	{ "pblend", SHUFFLE },	 { "compress", SHUFFLE },
	{ "expand", SHUFFLE },	 { "div", DIVIDE },
	{ "sqrt", DIVIDE },
};

/* Of those without a vector. */
static const struct name plain_names[] = {
	{ "movs", MOVE },      { "stos", MOVE },      { "mov", MOVE },
	{ "set", MOVE },       { "push", MOVE },      { "pop", MOVE },
	{ "cmov", MOVE },      { "xchg", MOVE },      { "kmov", MOVE },
	{ "cmp", COMPARE },    { "test", COMPARE },   { "ktest", COMPARE },
	{ "kor", COMPARE },    { "bt", COMPARE },     { "div", DIVIDE },
	{ "idiv", DIVIDE },    { "lea", NOTHING },    { "nop", NOTHING },
	{ "ret", NOTHING },    { "leave", NOTHING },  { "endbr", NOTHING },
	{ "cltq", NOTHING },   { "cltd", NOTHING },   { "cqto", NOTHING },
	{ "cwtl", NOTHING },   { "pause", NOTHING },  { "prefetch", NOTHING },
	{ "vzero", NOTHING },  { "ud2", NOTHING },    { "hlt", NOTHING },
	{ "cs ", NOTHING },    { "int3", NOTHING },   { "(bad)", NOTHING },
	{ "lfence", NOTHING }, { "mfence", NOTHING }, { "sfence", NOTHING },
};

static enum kind find_kind(const char *name, const struct name *names,
			   size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (ao_text_starts_with(name, names[i].begin))
			return names[i].kind;
	return WORK;
}

/* Whether it works on the lowest number of its vectors alone: vaddss. */
static bool is_of_one(const char *name)
{
	size_t len;

	name += *name == 'v';
	len = strcspn(name, " \t");
	return len > 2 && *name != 'p' && name[len - 2] == 's' &&
	       (name[len - 1] == 's' || name[len - 1] == 'd');
}

/* The last operand, which is the one that is written to. */
static const char *last_operand(const char *operands)
{
	const char *last = operands;
	int depth = 0;

	for (const char *at = operands; *at; at++) {
		depth += (*at == '(') - (*at == ')');
		if (*at == ',' && depth <= 0)
			last = at + 1;
	}
	return last;
}

static void count_memory(struct ao_hotloop *loop, const char *name,
			 enum kind kind)
{
	const char *operands = name + strcspn(name, " \t");
	const char *last = last_operand(operands);

	if (kind == NOTHING || !strchr(operands, '('))
		return;
	if (!strchr(last, '(')) {
		loop->loads++;
		return;
	}
	/* What is written to is read before, unless it is only moved there. */
	if (kind == COMPARE || kind == DIVIDE ||
	    ao_text_starts_with(name, "push") ||
	    ao_text_starts_with(name, "mul") ||
	    ao_text_starts_with(name, "imul")) {
		loop->loads++;
	} else if (kind == MOVE || kind == SHUFFLE) {
		loop->stores++;
	} else {
		loop->loads++;
		loop->stores++;
	}
}

static void count_width(struct ao_hotloop *loop, const char *name)
{
	if (strstr(name, "%zmm"))
		loop->vector512++;
	else if (strstr(name, "%ymm"))
		loop->vector256++;
	else if (strstr(name, "%xmm") && !is_of_one(name))
		loop->vector128++;
	else
		loop->scalar++;
}

void ao_mix_count(struct ao_hotloop *loop,
		  const struct ao_instruction *instruction)
{
	const char *name = ao_instruction_name(instruction);
	bool is_vector = strstr(name, "%xmm") || strstr(name, "%ymm") ||
			 strstr(name, "%zmm");
	enum kind kind;

	loop->instructions++;
	if (ao_instruction_is_jump(instruction)) {
		loop->branches++;
		return;
	}
	if (ao_instruction_is_call(instruction)) {
		loop->calls++;
		return;
	}
	if (is_vector)
		kind = find_kind(name + (*name == 'v'), vector_names,
				 AO_ARRAY_SIZE(vector_names));
	else
		kind = find_kind(name, plain_names, AO_ARRAY_SIZE(plain_names));
	loop->shuffles += kind == SHUFFLE;
	loop->divisions += kind == DIVIDE;
	if (kind == WORK || kind == DIVIDE)
		count_width(loop, name);
	count_memory(loop, name, kind);
}
