/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "eval/elf.h"
#include "eval/object.h"
#include "util/file.h"

enum { MAX_OBJECT_BYTES = 64 << 20 };

struct ao_buf ao_object_buf(void)
{
	return AO_BUF_INIT(MAX_OBJECT_BYTES);
}

static bool is_exported_function(const ElfW(Sym) * symbol)
{
	unsigned visibility = symbol->st_other & 3U;

	return symbol->st_shndx != SHN_UNDEF &&
	       ao_elf_symbol_type(symbol) == STT_FUNC &&
	       (visibility == STV_DEFAULT || visibility == STV_PROTECTED);
}

struct ao_error *ao_object_exports(bool *out, const char *data, size_t len,
				   const char *name)
{
	struct ao_elf_symbols symbols = { 0 };
	struct ao_elf elf;
	ElfW(Sym) symbol;
	bool found = false;
	struct ao_error *err = ao_elf_open(&elf, data, len);

	if (err)
		return err;
	if (!ao_elf_find_symbols(&symbols, &elf, SHT_DYNSYM))
		symbols.count = 0;
	for (size_t i = 0; !found && ao_elf_symbol(&symbol, &symbols, i); i++) {
		const char *its = ao_elf_string(&symbols, symbol.st_name);

		found = is_exported_function(&symbol) && its &&
			!strcmp(its, name);
	}
	*out = found;
	return NULL;
}

struct ao_error *ao_object_equals(bool *out, const char *path,
				  const char *other)
{
	struct ao_buf a = ao_object_buf();
	struct ao_buf b = ao_object_buf();
	struct ao_error *err = ao_file_read(&a, path);

	if (!err)
		err = ao_file_read(&b, other);
	if (!err)
		*out = a.len == b.len && !memcmp(a.ptr, b.ptr, a.len);
	ao_buf_release(&a);
	ao_buf_release(&b);
	return err;
}
