/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "eval/dynamic.h"

/* Later than some <elf.h> that we build with. */
#ifndef DT_RELR
#define DT_RELRSZ  35
#define DT_RELR	   36
#define DT_RELRENT 37
#endif

/*
 * The last are for a machine to define: where the PLT is on x86-64, and that it
 * is for BTI, for PAC and for calls with vectors on AArch64.
 */
static const int64_t allowed[] = {
	DT_NEEDED,     DT_HASH,	      DT_GNU_HASH,   DT_STRTAB,	  DT_SYMTAB,
	DT_STRSZ,      DT_SYMENT,     DT_PLTGOT,     DT_PLTRELSZ, DT_PLTREL,
	DT_JMPREL,     DT_RELA,	      DT_RELASZ,     DT_RELAENT,  DT_RELACOUNT,
	DT_REL,	       DT_RELSZ,      DT_RELENT,     DT_RELCOUNT, DT_RELR,
	DT_RELRSZ,     DT_RELRENT,    DT_FLAGS,	     DT_FLAGS_1,  DT_BIND_NOW,
	DT_SYMBOLIC,   DT_VERNEED,    DT_VERNEEDNUM, DT_VERSYM,	  DT_LOPROC,
	DT_LOPROC + 1, DT_LOPROC + 3, DT_LOPROC + 5,
};

/* Those that run something, in words. */
static const struct {
	int64_t tag;
	const char *what;
} refused[] = {
	{ DT_INIT, "a constructor (DT_INIT)" },
	{ DT_FINI, "a destructor (DT_FINI)" },
	{ DT_INIT_ARRAY, "a constructor (DT_INIT_ARRAY)" },
	{ DT_FINI_ARRAY, "a destructor (DT_FINI_ARRAY)" },
	{ DT_PREINIT_ARRAY, "a constructor (DT_PREINIT_ARRAY)" },
	{ DT_TEXTREL, "addresses in its code (DT_TEXTREL)" },
	{ DT_RPATH, "a search path (DT_RPATH)" },
	{ DT_RUNPATH, "a search path (DT_RUNPATH)" },
	{ DT_AUDIT, "an auditor (DT_AUDIT)" },
	{ DT_DEPAUDIT, "an auditor (DT_DEPAUDIT)" },
	{ DT_FILTER, "a filter (DT_FILTER)" },
	{ DT_AUXILIARY, "a filter (DT_AUXILIARY)" },
};

bool ao_dynamic_find(struct ao_dynamic *out, const struct ao_elf *elf)
{
	ElfW(Phdr) segment;
	size_t found = 0;

	for (size_t i = 0; ao_elf_segment(&segment, elf, i); i++) {
		if (segment.p_type != PT_DYNAMIC)
			continue;
		/* A loader reads it from memory, as it was loaded. */
		if (!ao_elf_offset_of(&out->offset, elf, segment.p_vaddr,
				      segment.p_filesz))
			return false;
		out->count = segment.p_filesz / sizeof(ElfW(Dyn));
		found++;
	}
	return found == 1;
}

bool ao_dynamic_entry(ElfW(Dyn) * out, const struct ao_elf *elf,
		      const struct ao_dynamic *dynamic, size_t index)
{
	return index < dynamic->count &&
	       ao_elf_copy(out, elf, dynamic->offset + index * sizeof(*out),
			   sizeof(*out)) &&
	       out->d_tag != DT_NULL;
}

uint64_t ao_dynamic_value(const struct ao_elf *elf,
			  const struct ao_dynamic *dynamic, int64_t tag)
{
	ElfW(Dyn) entry;

	for (size_t i = 0; ao_dynamic_entry(&entry, elf, dynamic, i); i++)
		if (entry.d_tag == tag)
			return entry.d_un.d_val;
	return 0;
}

static bool is_allowed(int64_t tag)
{
	for (size_t i = 0; i < AO_ARRAY_SIZE(allowed); i++)
		if (allowed[i] == tag)
			return true;
	return false;
}

static char *refuse_tag(int64_t tag)
{
	for (size_t i = 0; i < AO_ARRAY_SIZE(refused); i++)
		if (refused[i].tag == tag)
			return ao_xstrf("the object has %s, which a kernel "
					"may not have; leave it out",
					refused[i].what);
	return ao_xstrf("the object's dynamic section has an entry of type "
			"0x%" PRIx64 ", which no kernel needs; leave out what "
			"makes the linker write it",
			(uint64_t)tag);
}

char *ao_dynamic_problem(const struct ao_elf *elf,
			 const struct ao_dynamic *dynamic)
{
	bool seen[AO_ARRAY_SIZE(allowed)] = { false };
	ElfW(Dyn) entry;

	for (size_t i = 0; ao_dynamic_entry(&entry, elf, dynamic, i); i++) {
		bool is_textrel = entry.d_tag == DT_FLAGS &&
				  entry.d_un.d_val & DF_TEXTREL;

		if (is_textrel || !is_allowed(entry.d_tag))
			return refuse_tag(is_textrel ? DT_TEXTREL
						     : entry.d_tag);
		/* The first of them there may be many of. */
		for (size_t k = 1; k < AO_ARRAY_SIZE(allowed); k++) {
			if (allowed[k] != entry.d_tag)
				continue;
			if (seen[k])
				return ao_xstrf("the object's dynamic section "
						"has two entries of one type");
			seen[k] = true;
		}
	}
	return NULL;
}

static char *not_there(void)
{
	return ao_xstrf("the object's relocations are not where it says");
}

/* Entries with an addend: of DT_RELA and of DT_JMPREL. */
static char *each_rela(const struct ao_elf *elf, uint64_t address,
		       uint64_t size, ao_relocation_fn *each, void *data)
{
	ElfW(Rela) relocation;
	char *why = NULL;
	uint64_t offset;

	if (!size)
		return NULL;
	if (!ao_elf_offset_of(&offset, elf, address, size))
		return not_there();
	for (uint64_t at = 0; !why && size - at >= sizeof(relocation);
	     at += sizeof(relocation)) {
		if (!ao_elf_copy(&relocation, elf, offset + at,
				 sizeof(relocation)))
			return not_there();
		why = each(&relocation, data);
	}
	return why;
}

/* A word that is to have the object's address added: as a relocation. */
static char *each_word(const struct ao_elf *elf, uint64_t place,
		       ao_relocation_fn *each, void *data)
{
	ElfW(Rela) relocation = { .r_offset = place };
	ElfW(Addr) word;
	uint64_t offset;

	if (!ao_elf_offset_of(&offset, elf, place, sizeof(word)) ||
	    !ao_elf_copy(&word, elf, offset, sizeof(word)))
		return not_there();
	relocation.r_addend = (ElfW(Sxword))word;
	return each(&relocation, data);
}

/*
 * DT_RELR: an even word is the address of a word to change; an odd one is a
 * map of the words behind that, bit by bit.
 */
static char *each_relr(const struct ao_elf *elf, uint64_t address,
		       uint64_t size, ao_relocation_fn *each, void *data)
{
	const size_t bits = 8 * sizeof(ElfW(Addr)) - 1;
	size_t left = elf->len / sizeof(ElfW(Addr));
	ElfW(Addr) word;
	uint64_t offset, next = 0;
	char *why = NULL;

	if (!size)
		return NULL;
	if (!ao_elf_offset_of(&offset, elf, address, size))
		return not_there();
	for (uint64_t at = 0; !why && size - at >= sizeof(word);
	     at += sizeof(word)) {
		/* No more places than there are words, however often. */
		if (!ao_elf_copy(&word, elf, offset + at, sizeof(word)) ||
		    left < bits)
			return not_there();
		if (!(word & 1)) {
			left--;
			why = each_word(elf, word, each, data);
			next = word + sizeof(word);
			continue;
		}
		for (size_t bit = 0; bit < bits && !why; bit++)
			if (word >> (bit + 1) & 1) {
				left--;
				why = each_word(elf, next + bit * sizeof(word),
						each, data);
			}
		next += bits * sizeof(word);
	}
	return why;
}

char *ao_dynamic_relocations(const struct ao_elf *elf,
			     const struct ao_dynamic *dynamic,
			     ao_relocation_fn *each, void *data)
{
	uint64_t plt_bytes = ao_dynamic_value(elf, dynamic, DT_PLTRELSZ);
	char *why;

	why = each_rela(elf, ao_dynamic_value(elf, dynamic, DT_RELA),
			ao_dynamic_value(elf, dynamic, DT_RELASZ), each, data);
	if (!why && ao_dynamic_value(elf, dynamic, DT_PLTREL) != DT_REL)
		why = each_rela(elf, ao_dynamic_value(elf, dynamic, DT_JMPREL),
				plt_bytes, each, data);
	if (!why)
		why = each_relr(elf, ao_dynamic_value(elf, dynamic, DT_RELR),
				ao_dynamic_value(elf, dynamic, DT_RELRSZ), each,
				data);
	return why;
}
