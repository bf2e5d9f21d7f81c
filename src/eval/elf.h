/* SPDX-License-Identifier: MIT */
/*
 * elf.h - the parts of a shared object, in bytes that nobody vouches for.
 *
 * Names of types and fields are those of the ELF standard and of <elf.h>.
 * Whatever an object says of itself is checked against its length before it is
 * followed; a part that is not wholly there is not there.
 */
#ifndef AO_EVAL_ELF_H
#define AO_EVAL_ELF_H

#include <elf.h>
#include <link.h>

#include "util/error.h"

/* Borrows the bytes. */
struct ao_elf {
	const char *data;
	size_t len;
	ElfW(Ehdr) head;
};

/* AO_EINVALID if this is not a shared object of this machine's word size. */
AO_MUST_CHECK
struct ao_error *ao_elf_open(struct ao_elf *out, const char *data, size_t len);

/* Entry `index` of the program header and of the section header. */
bool ao_elf_segment(ElfW(Phdr) * out, const struct ao_elf *elf, size_t index);
bool ao_elf_section(ElfW(Shdr) * out, const struct ao_elf *elf, size_t index);

/* Copy what lies at an offset of the file. */
bool ao_elf_copy(void *out, const struct ao_elf *elf, uint64_t offset,
		 uint64_t size);

/* Where in the file the bytes are that a loader puts at an address. */
bool ao_elf_offset_of(uint64_t *out, const struct ao_elf *elf, uint64_t address,
		      uint64_t size);

/* A table of symbols, with their names. */
struct ao_elf_symbols {
	const struct ao_elf *elf;
	ElfW(Shdr) table;
	ElfW(Shdr) strings;
	size_t count;
};

/* The first table of that type: SHT_DYNSYM, SHT_SYMTAB. */
bool ao_elf_find_symbols(struct ao_elf_symbols *out, const struct ao_elf *elf,
			 uint32_t type);
bool ao_elf_symbol(ElfW(Sym) * out, const struct ao_elf_symbols *symbols,
		   size_t index);

/*
 * The string at `offset` of the table's names, or NULL if it does not end
 * within them.  Borrowed from the bytes.
 */
const char *ao_elf_string(const struct ao_elf_symbols *symbols,
			  uint64_t offset);

/* The low four bits of st_info, in both classes: STT_FUNC and its like. */
unsigned ao_elf_symbol_type(const ElfW(Sym) * symbol);

#endif
