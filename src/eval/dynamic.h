/* SPDX-License-Identifier: MIT */
/*
 * dynamic.h - what an object asks of the loader: its dynamic section.
 *
 * Of each tag there is one entry, but for DT_NEEDED; only tags are taken that a
 * kernel's object has by right, so that none runs code while it is loaded.
 */
#ifndef AO_EVAL_DYNAMIC_H
#define AO_EVAL_DYNAMIC_H

#include "eval/elf.h"

/* All zero has none. */
struct ao_dynamic {
	uint64_t offset; /* of its entries in the file */
	size_t count;
};

/* Find it; false if there is none, or more than one. */
bool ao_dynamic_find(struct ao_dynamic *out, const struct ao_elf *elf);

/* Entry `index`; false behind the last, which DT_NULL marks. */
bool ao_dynamic_entry(ElfW(Dyn) * out, const struct ao_elf *elf,
		      const struct ao_dynamic *dynamic, size_t index);

/* The value of the entry with that tag, or 0. */
uint64_t ao_dynamic_value(const struct ao_elf *elf,
			  const struct ao_dynamic *dynamic, int64_t tag);

/*
 * What is wrong with the tags, or NULL; the caller frees it.  Names of what is
 * needed are the caller's to look at.
 */
char *ao_dynamic_problem(const struct ao_elf *elf,
			 const struct ao_dynamic *dynamic);

/*
 * Call `each` with what relocations name: the place that they change, and the
 * entry, whose r_addend is an address of the object where it has no symbol.
 * Returns what `each` returned, once that is not NULL, or that a table is not
 * where it says.
 */
typedef char *ao_relocation_fn(const ElfW(Rela) * relocation, void *data);
AO_MUST_CHECK
char *ao_dynamic_relocations(const struct ao_elf *elf,
			     const struct ao_dynamic *dynamic,
			     ao_relocation_fn *each, void *data);

#endif
