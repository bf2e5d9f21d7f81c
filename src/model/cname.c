/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "model/cname.h"

enum { MAX_NAME = 64 };

/* Sorted by strcmp. */
static const char *const taken[] = {
	"NULL",	    "asm",	"auto",	    "bool",    "break",	    "case",
	"char",	    "const",	"continue", "default", "do",	    "double",
	"else",	    "enum",	"extern",   "false",   "float",	    "for",
	"goto",	    "if",	"inline",   "int",     "int16_t",   "int32_t",
	"int64_t",  "int8_t",	"long",	    "main",    "reference", "register",
	"restrict", "return",	"short",    "signed",  "size_t",    "sizeof",
	"static",   "struct",	"switch",   "true",    "typedef",   "typeof",
	"uint16_t", "uint32_t", "uint64_t", "uint8_t", "union",	    "unsigned",
	"void",	    "volatile", "while",
};

bool ao_cname_is_identifier(const char *name)
{
	size_t len = strspn(name, "abcdefghijklmnopqrstuvwxyz"
				  "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				  "0123456789_");

	return len && len <= MAX_NAME && !name[len] && *name != '_' &&
	       !(*name >= '0' && *name <= '9');
}

static int compare(const void *key, const void *entry)
{
	return strcmp(key, *(const char *const *)entry);
}

bool ao_cname_is_taken(const char *name)
{
	return bsearch(name, taken, AO_ARRAY_SIZE(taken), sizeof(*taken),
		       compare) != NULL;
}
