/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <elf.h>
#include <link.h>

#include "eval/object.h"
#include "util/file.h"

enum { MAX_OBJECT_BYTES = 64 << 20 };

struct image {
	const char *data;
	size_t len;
	ElfW(Ehdr) head;
};

/* Copy `size` bytes at an offset that the file itself gives. */
static bool copy_at(void *out, const struct image *image, uint64_t offset,
		    size_t size)
{
	if (offset > image->len || size > image->len - offset)
		return false;
	memcpy(out, image->data + offset, size);
	return true;
}

static bool read_section(ElfW(Shdr) * out, const struct image *image,
			 size_t index)
{
	return index < image->head.e_shnum &&
	       copy_at(out, image,
		       image->head.e_shoff + index * sizeof(ElfW(Shdr)),
		       sizeof(*out));
}

static bool is_shared_object(const struct image *image)
{
	const unsigned char *ident = image->head.e_ident;
	unsigned char class = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;

	return !memcmp(ident, ELFMAG, SELFMAG) && ident[EI_CLASS] == class &&
	       image->head.e_type == ET_DYN &&
	       image->head.e_shentsize == sizeof(ElfW(Shdr));
}

/* Whether the string at `offset` of a string section is `name`. */
static bool string_is(const struct image *image, const ElfW(Shdr) * strings,
		      uint64_t offset, const char *name)
{
	size_t len = strlen(name) + 1;

	return offset <= image->len && strings->sh_offset <= image->len &&
	       strings->sh_offset + offset <= image->len &&
	       len <= image->len - strings->sh_offset - offset &&
	       !memcmp(image->data + strings->sh_offset + offset, name, len);
}

static bool is_function(const ElfW(Sym) * symbol)
{
	/* The low four bits of st_info, in both classes. */
	unsigned type = symbol->st_info & 15U;
	unsigned visibility = symbol->st_other & 3U;

	return symbol->st_shndx != SHN_UNDEF && type == STT_FUNC &&
	       (visibility == STV_DEFAULT || visibility == STV_PROTECTED);
}

static bool section_exports(const struct image *image,
			    const ElfW(Shdr) * section, const char *name)
{
	ElfW(Shdr) strings;
	size_t count = section->sh_size / sizeof(ElfW(Sym));

	if (!read_section(&strings, image, section->sh_link))
		return false;
	for (size_t i = 0; i < count; i++) {
		ElfW(Sym) symbol;

		if (!copy_at(&symbol, image,
			     section->sh_offset + i * sizeof(symbol),
			     sizeof(symbol)))
			return false;
		if (is_function(&symbol) &&
		    string_is(image, &strings, symbol.st_name, name))
			return true;
	}
	return false;
}

struct ao_error *ao_object_bytes_export(bool *out, const char *data, size_t len,
					const char *name)
{
	struct image image = { .data = data, .len = len };
	bool found = false;

	if (!copy_at(&image.head, &image, 0, sizeof(image.head)) ||
	    !is_shared_object(&image))
		return ao_error_new(AO_EINVALID, "this is not a shared object");
	for (size_t i = 0; i < image.head.e_shnum && !found; i++) {
		ElfW(Shdr) section;

		if (!read_section(&section, &image, i))
			break;
		if (section.sh_type == SHT_DYNSYM)
			found = section_exports(&image, &section, name);
	}
	*out = found;
	return NULL;
}

struct ao_error *ao_object_exports(bool *out, const char *path,
				   const char *name)
{
	struct ao_buf data = AO_BUF_INIT(MAX_OBJECT_BYTES);
	struct ao_error *err = ao_file_read(&data, path);

	if (!err)
		err = ao_object_bytes_export(out, data.ptr, data.len, name);
	ao_buf_release(&data);
	if (err)
		return ao_error_wrap(err, "cannot look into '%s'", path);
	return NULL;
}

struct ao_error *ao_object_equals(bool *out, const char *path,
				  const char *other)
{
	struct ao_buf a = AO_BUF_INIT(MAX_OBJECT_BYTES);
	struct ao_buf b = AO_BUF_INIT(MAX_OBJECT_BYTES);
	struct ao_error *err = ao_file_read(&a, path);

	if (!err)
		err = ao_file_read(&b, other);
	if (!err)
		*out = a.len == b.len && !memcmp(a.ptr, b.ptr, a.len);
	ao_buf_release(&a);
	ao_buf_release(&b);
	return err;
}
