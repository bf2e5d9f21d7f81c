/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "eval/x86.h"

/*
 * What follows an opcode, by the rows of the opcode maps in the manuals.
 *
 *   .  nothing known     N  nothing             M  ModRM
 *   B  imm8              b  ModRM, imm8         J  rel8
 *   Z  imm16 or imm32    z  ModRM, that         R  rel32
 *   W  imm16             E  imm16, imm8         V  as Z, or imm64 with REX.W
 *   O  an address        t  as b if ModRM.reg < 2, else as M    T  as z, same
 *   S  ModRM, and two imm8 behind a prefix (SSE4a)
 *
 * Prefixes and escapes are read before, and are '.' here.
 */
static const char one_byte[] = "MMMMBZ..MMMMBZ.."  /* 00 */
			       "MMMMBZ..MMMMBZ.."  /* 10 */
			       "MMMMBZ..MMMMBZ.."  /* 20 */
			       "MMMMBZ..MMMMBZ.."  /* 30 */
			       "................"  /* 40 */
			       "NNNNNNNNNNNNNNNN"  /* 50 */
			       "...M....ZzBbNNNN"  /* 60 */
			       "JJJJJJJJJJJJJJJJ"  /* 70 */
			       "bz.bMMMMMMMMMMMM"  /* 80 */
			       "NNNNNNNNNN.NNNNN"  /* 90 */
			       "OOOONNNNBZNNNNNN"  /* a0 */
			       "BBBBBBBBVVVVVVVV"  /* b0 */
			       "bbWN..bzENWNNB.N"  /* c0 */
			       "MMMM...NMMMMMMMM"  /* d0 */
			       "JJJJBBBBRR.JNNNN"  /* e0 */
			       ".N..NNtTNNNNNNMM"; /* f0 */
static const char two_byte[] = "MMMM.NNNNN.N.MNb"  /* 0f 00 */
			       "MMMMMMMMMMMMMMMM"  /* 10 */
			       "MMMM....MMMMMMMM"  /* 20 */
			       "NNNNNN.N........"  /* 30 */
			       "MMMMMMMMMMMMMMMM"  /* 40 */
			       "MMMMMMMMMMMMMMMM"  /* 50 */
			       "MMMMMMMMMMMMMMMM"  /* 60 */
			       "bbbbMMMNSM..MMMM"  /* 70 */
			       "RRRRRRRRRRRRRRRR"  /* 80 */
			       "MMMMMMMMMMMMMMMM"  /* 90 */
			       "NNNMbMMMNNNMbMMM"  /* a0 */
			       "MMMMMMMMMMbMMMMM"  /* b0 */
			       "MMbMbbbMNNNNNNNN"  /* c0 */
			       "MMMMMMMMMMMMMMMM"  /* d0 */
			       "MMMMMMMMMMMMMMMM"  /* e0 */
			       "MMMMMMMMMMMMMMMM"; /* f0 */

struct cursor {
	const uint8_t *code;
	size_t len; /* at most AO_X86_MAX_LENGTH */
	size_t at;
	struct ao_x86 *x86;
	uint8_t rex;	       /* 0 without one */
	bool has_operand_size; /* 66 */
	bool has_address_size; /* 67 */
	bool has_repeat;       /* f2 */
	char form;	       /* of the opcode, see above */
};

static bool take_byte(struct cursor *cursor, uint8_t *out)
{
	if (cursor->at >= cursor->len)
		return false;
	*out = cursor->code[cursor->at++];
	return true;
}

/* A little-endian number with a sign. */
static bool take_number(struct cursor *cursor, int64_t *out, size_t size)
{
	uint64_t value = 0;

	if (size > cursor->len - cursor->at)
		return false;
	for (size_t i = size; i-- > 0;)
		value = value << 8 | cursor->code[cursor->at + i];
	if (size && size < 8 && value >> (8 * size - 1))
		value |= ~UINT64_C(0) << (8 * size);
	cursor->at += size;
	*out = (int64_t)value;
	return true;
}

/* Take note of a prefix before REX; false if it is none. */
static bool note_prefix(struct cursor *cursor, uint8_t byte)
{
	switch (byte) {
	case 0x64:
	case 0x65:
		cursor->x86->has_segment = true;
		return true;
	case 0x66:
		cursor->has_operand_size = true;
		return true;
	case 0x67:
		cursor->has_address_size = true;
		return true;
	case 0xf2:
		cursor->has_repeat = true;
		return true;
	case 0x26:
	case 0x2e:
	case 0x36:
	case 0x3e:
	case 0xf0:
	case 0xf3:
		return true;
	default:
		return false;
	}
}

/* Prefixes, up to and with REX; returns the byte behind them. */
static bool take_prefixes(struct cursor *cursor, uint8_t *byte)
{
	while (take_byte(cursor, byte)) {
		if ((*byte & 0xf0) == 0x40)
			cursor->rex = *byte;
		else if (note_prefix(cursor, *byte))
			cursor->rex = 0; /* counts right before the opcode */
		else
			return true;
	}
	return false;
}

static bool has_w(const struct cursor *cursor)
{
	return cursor->rex & 8;
}

/* Of maps that VEX and EVEX share with what was before them. */
static char vector_form(unsigned map, uint8_t opcode, bool is_evex)
{
	if (map == 1 && opcode == 0x77 && !is_evex)
		return 'N';
	if (map == 1)
		return two_byte[opcode] == 'b' ? 'b' : 'M';
	if (map == 2 || (is_evex && (map == 5 || map == 6)))
		return 'M';
	return map == 3 ? 'b' : '.';
}

/* Behind c4, c5 or 62; `rest` bytes, the first has the map in `mask`. */
static bool take_vector(struct cursor *cursor, size_t rest, unsigned mask)
{
	unsigned map = 1;
	uint8_t byte = 0;

	for (size_t i = 0; i < rest; i++) {
		if (!take_byte(cursor, &byte))
			return false;
		if (!i && mask)
			map = byte & mask;
	}
	if (!take_byte(cursor, &cursor->x86->opcode))
		return false;
	cursor->x86->map = map == 1 ? AO_X86_VECTOR_0F : AO_X86_OTHER;
	cursor->form = vector_form(map, cursor->x86->opcode, rest == 3);
	return true;
}

/* Behind 8f: XOP, unless what follows is the ModRM of pop. */
static bool take_xop(struct cursor *cursor)
{
	static const char forms[] = { 'b', 'M', 'x' };
	unsigned map;
	uint8_t byte;

	if (cursor->at >= cursor->len)
		return false;
	map = cursor->code[cursor->at] & 31U;
	if (map < 8)
		return true;
	cursor->at += 2;
	cursor->x86->map = AO_X86_OTHER;
	cursor->form = map - 8 < sizeof(forms) ? forms[map - 8] : '.';
	if (cursor->at > cursor->len || !take_byte(cursor, &byte))
		return false;
	cursor->x86->opcode = byte;
	return true;
}

static bool take_escaped(struct cursor *cursor)
{
	struct ao_x86 *x86 = cursor->x86;

	if (!take_byte(cursor, &x86->opcode))
		return false;
	x86->map = AO_X86_TWO_BYTE;
	cursor->form = two_byte[x86->opcode];
	if (x86->opcode != 0x38 && x86->opcode != 0x3a)
		return true;
	x86->map = x86->opcode == 0x38 ? AO_X86_0F38 : AO_X86_0F3A;
	cursor->form = x86->opcode == 0x38 ? 'M' : 'b';
	return take_byte(cursor, &x86->opcode);
}

static bool take_opcode(struct cursor *cursor, uint8_t byte)
{
	struct ao_x86 *x86 = cursor->x86;

	switch (byte) {
	case 0x0f:
		return take_escaped(cursor);
	case 0x62:
		return take_vector(cursor, 3, 7);
	case 0xc4:
		return take_vector(cursor, 2, 31);
	case 0xc5:
		return take_vector(cursor, 1, 0);
	default:
		x86->map = AO_X86_ONE_BYTE;
		x86->opcode = byte;
		cursor->form = one_byte[byte];
		return byte != 0x8f || take_xop(cursor);
	}
}

/* ModRM, and what it says that follows: SIB, displacement. */
static bool take_modrm(struct cursor *cursor)
{
	struct ao_x86 *x86 = cursor->x86;
	int64_t displacement = 0;
	uint8_t sib = 0;
	size_t size;
	unsigned mod, base;

	if (!take_byte(cursor, &x86->modrm))
		return false;
	x86->has_modrm = true;
	mod = x86->modrm >> 6;
	base = x86->modrm & 7U;
	if (mod == 3)
		return true;
	x86->has_memory = true;
	if (base == 4) {
		if (!take_byte(cursor, &sib))
			return false;
		base = sib & 7U;
	} else if (mod == 0 && base == 5) {
		x86->is_rip = true;
	}
	size = mod == 1 ? 1 : mod == 2 || base == 5 ? 4 : 0;
	/* An index of 4 is none, unless REX.X makes it a register. */
	x86->is_absolute = mod == 0 && base == 5 && !x86->is_rip &&
			   ((sib >> 3) & 7U) == 4 && !(cursor->rex & 2);
	if (!take_number(cursor, &displacement, size))
		return false;
	x86->displacement = (int32_t)displacement;
	return true;
}

static bool has_modrm(const struct cursor *cursor)
{
	return strchr("MbztTSx", cursor->form) != NULL;
}

/* How many bytes of immediates follow; all that is before them is taken. */
static size_t immediate_size(const struct cursor *cursor)
{
	size_t z = cursor->has_operand_size && !has_w(cursor) ? 2 : 4;
	bool is_test = ((cursor->x86->modrm >> 3) & 7U) < 2;

	switch (cursor->form) {
	case 'B':
	case 'b':
	case 'J':
		return 1;
	case 't':
		return is_test ? 1 : 0;
	case 'T':
		return is_test ? z : 0;
	case 'Z':
	case 'z':
		return z;
	case 'V':
		return has_w(cursor) ? 8 : z;
	case 'R':
	case 'x':
		return 4;
	case 'W':
		return 2;
	case 'E':
		return 3;
	case 'O':
		return cursor->has_address_size ? 4 : 8;
	case 'S':
		return cursor->has_operand_size || cursor->has_repeat ? 2 : 0;
	default:
		return 0;
	}
}

/* xbegin is a mov by its opcode, and goes elsewhere when it fails. */
static bool is_xbegin(const struct ao_x86 *x86)
{
	return x86->map == AO_X86_ONE_BYTE && x86->opcode == 0xc7 &&
	       x86->modrm == 0xf8;
}

bool ao_x86_decode(struct ao_x86 *out, const uint8_t *code, size_t len)
{
	struct ao_x86 x86 = { 0 };
	struct cursor cursor = {
		.code = code,
		.len = len < AO_X86_MAX_LENGTH ? len : AO_X86_MAX_LENGTH,
		.x86 = &x86,
	};
	uint8_t byte = 0;

	if (!take_prefixes(&cursor, &byte) || !take_opcode(&cursor, byte) ||
	    cursor.form == '.')
		return false;
	if (has_modrm(&cursor) && !take_modrm(&cursor))
		return false;
	if (!take_number(&cursor, &x86.immediate, immediate_size(&cursor)))
		return false;
	x86.length = (uint8_t)cursor.at;
	x86.has_16_bits = cursor.has_operand_size && !has_w(&cursor);
	x86.is_branch = cursor.form == 'J' || cursor.form == 'R' ||
			is_xbegin(&x86);
	*out = x86;
	return true;
}

bool ao_x86_points_to(int64_t *out, const struct ao_x86 *x86)
{
	bool is_lea = x86->map == AO_X86_ONE_BYTE && x86->opcode == 0x8d;

	if (x86->is_branch)
		*out = x86->length + x86->immediate;
	else if (is_lea && x86->is_rip)
		*out = x86->length + (int64_t)x86->displacement;
	else
		return false;
	return true;
}
