/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "eval/elf.h"

bool ao_elf_copy(void *out, const struct ao_elf *elf, uint64_t offset,
		 uint64_t size)
{
	if (offset > elf->len || size > elf->len - offset)
		return false;
	memcpy(out, elf->data + offset, size);
	return true;
}

static bool is_shared_object(const ElfW(Ehdr) * head)
{
	unsigned char class = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;

	return !memcmp(head->e_ident, ELFMAG, SELFMAG) &&
	       head->e_ident[EI_CLASS] == class && head->e_type == ET_DYN &&
	       head->e_shentsize == sizeof(ElfW(Shdr));
}

struct ao_error *ao_elf_open(struct ao_elf *out, const char *data, size_t len)
{
	struct ao_elf elf = { .data = data, .len = len };

	if (!ao_elf_copy(&elf.head, &elf, 0, sizeof(elf.head)) ||
	    !is_shared_object(&elf.head))
		return ao_error_new(AO_EINVALID, "this is not a shared object");
	*out = elf;
	return NULL;
}

/* Entry `index` of a table at `offset`; `index` is too small to overflow. */
static bool copy_entry(void *out, const struct ao_elf *elf, uint64_t offset,
		       uint64_t index, size_t size)
{
	return offset <= elf->len && index <= elf->len / size &&
	       ao_elf_copy(out, elf, offset + index * size, size);
}

bool ao_elf_segment(ElfW(Phdr) * out, const struct ao_elf *elf, size_t index)
{
	return index < elf->head.e_phnum &&
	       elf->head.e_phentsize == sizeof(*out) &&
	       copy_entry(out, elf, elf->head.e_phoff, index, sizeof(*out));
}

bool ao_elf_section(ElfW(Shdr) * out, const struct ao_elf *elf, size_t index)
{
	return index < elf->head.e_shnum &&
	       copy_entry(out, elf, elf->head.e_shoff, index, sizeof(*out));
}

bool ao_elf_offset_of(uint64_t *out, const struct ao_elf *elf, uint64_t address,
		      uint64_t size)
{
	ElfW(Phdr) segment;

	for (size_t i = 0; ao_elf_segment(&segment, elf, i); i++) {
		uint64_t within = address - segment.p_vaddr;

		if (segment.p_type != PT_LOAD || address < segment.p_vaddr ||
		    within > segment.p_filesz ||
		    size > segment.p_filesz - within ||
		    segment.p_offset > elf->len ||
		    within > elf->len - segment.p_offset)
			continue;
		*out = segment.p_offset + within;
		return size <= elf->len - *out;
	}
	return false;
}

bool ao_elf_find_symbols(struct ao_elf_symbols *out, const struct ao_elf *elf,
			 uint32_t type)
{
	struct ao_elf_symbols symbols = { .elf = elf };

	for (size_t i = 0; ao_elf_section(&symbols.table, elf, i); i++) {
		if (symbols.table.sh_type != type)
			continue;
		if (!ao_elf_section(&symbols.strings, elf,
				    symbols.table.sh_link))
			return false;
		symbols.count = symbols.table.sh_size / sizeof(ElfW(Sym));
		*out = symbols;
		return true;
	}
	return false;
}

bool ao_elf_symbol(ElfW(Sym) * out, const struct ao_elf_symbols *symbols,
		   size_t index)
{
	return index < symbols->count &&
	       copy_entry(out, symbols->elf, symbols->table.sh_offset, index,
			  sizeof(*out));
}

const char *ao_elf_string(const struct ao_elf_symbols *symbols, uint64_t offset)
{
	const struct ao_elf *elf = symbols->elf;
	const ElfW(Shdr) *strings = &symbols->strings;
	const char *start;

	if (strings->sh_offset > elf->len ||
	    strings->sh_size > elf->len - strings->sh_offset ||
	    offset >= strings->sh_size)
		return NULL;
	start = elf->data + strings->sh_offset + offset;
	return memchr(start, '\0', strings->sh_size - offset) ? start : NULL;
}

unsigned ao_elf_symbol_type(const ElfW(Sym) * symbol)
{
	return symbol->st_info & 15U;
}
