/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "eval/callable.h"
#include "eval/dynamic.h"
#include "eval/elf.h"
#include "eval/objgate.h"
#include "eval/sweep.h"
#include "model/library.h"
#include "util/text.h"

/* Linkers make about ten. */
enum { MAX_SEGMENTS = 64 };

/* An object under examination. */
struct object {
	const struct ao_objgate *gate;
	struct ao_elf elf;
	struct ao_dynamic dynamic;
	struct ao_elf_symbols exchanged; /* with other objects: .dynsym */
	struct ao_sweep *sweep;		 /* NULL: instructions are not read */
	bool has_tls;
};

/* A name out of the object, fit to be printed; the caller frees it. */
static char *quote(const char *name)
{
	struct ao_buf text = AO_BUF_INIT(1024);

	ao_text_safe_line(&text, name, strnlen(name, 100));
	return ao_buf_take(&text);
}

AO_PRINTF(2, 3)
static char *refuse_name(const char *name, const char *fmt, ...)
{
	char *quoted = quote(name);
	char *rest, *why;
	va_list ap;

	va_start(ap, fmt);
	rest = ao_xvstrf(fmt, ap);
	va_end(ap);
	why = ao_xstrf("'%s' %s", quoted, rest);
	free(quoted);
	free(rest);
	return why;
}

static char *check_segment(struct object *object, const ElfW(Phdr) * segment,
			   bool *has_stack)
{
	const uint32_t both = PF_W | PF_X;

	if (segment->p_type == PT_LOAD && (segment->p_flags & both) == both)
		return ao_xstrf("the object has memory that is both written "
				"and executed, which a kernel may not have; "
				"leave out the section that is");
	if (segment->p_type == PT_GNU_STACK)
		*has_stack = !(segment->p_flags & PF_X);
	if (segment->p_type == PT_TLS)
		object->has_tls = true;
	return NULL;
}

static char *check_segments(struct object *object)
{
	bool has_stack = false;
	ElfW(Phdr) segment;
	char *why = NULL;
	size_t count = 0;

	if (object->elf.head.e_phnum > MAX_SEGMENTS)
		return ao_xstrf("the object has too many segments");
	for (; !why && ao_elf_segment(&segment, &object->elf, count); count++)
		why = check_segment(object, &segment, &has_stack);
	if (!why && count != object->elf.head.e_phnum)
		why = ao_xstrf("the object's program header is cut off");
	if (!why && !has_stack)
		why = ao_xstrf("the object has a stack that is executed, "
			       "which a kernel may not have; leave out "
			       "pointers to nested functions");
	return why;
}

/* Whether a section's bytes are those that are loaded at its address. */
static bool is_loaded(const struct ao_elf *elf, const ElfW(Shdr) * section)
{
	uint64_t offset;

	return ao_elf_offset_of(&offset, elf, section->sh_addr,
				section->sh_size) &&
	       offset == section->sh_offset;
}

/* Names and symbols by sections, which must be those that a loader uses. */
static char *find_tables(struct object *object)
{
	const struct ao_elf *elf = &object->elf;
	const struct ao_elf_symbols *found = &object->exchanged;

	if (!ao_dynamic_find(&object->dynamic, elf) ||
	    !ao_elf_find_symbols(&object->exchanged, elf, SHT_DYNSYM) ||
	    found->table.sh_addr !=
		    ao_dynamic_value(elf, &object->dynamic, DT_SYMTAB) ||
	    found->strings.sh_addr !=
		    ao_dynamic_value(elf, &object->dynamic, DT_STRTAB) ||
	    !is_loaded(elf, &found->table) || !is_loaded(elf, &found->strings))
		return ao_xstrf("the object's symbols are not where it says");
	return NULL;
}

/*
 * __builtin_cpu_supports() brings a constructor and instructions that nobody
 * wrote: to name these would help nobody.
 */
static char *check_builtins(const struct object *object)
{
	struct ao_elf_symbols symbols;
	ElfW(Sym) symbol;

	if (!ao_elf_find_symbols(&symbols, &object->elf, SHT_SYMTAB))
		return NULL;
	for (size_t i = 0; ao_elf_symbol(&symbol, &symbols, i); i++) {
		const char *name = ao_elf_string(&symbols, symbol.st_name);

		if (name && !strcmp(name, "__cpu_model"))
			return ao_xstrf("the kernel asks what the processor is "
					"able to do (__builtin_cpu_supports); "
					"it is compiled for the processor that "
					"it runs on, so ask by #ifdef __AVX2__ "
					"and its like");
	}
	return NULL;
}

static bool is_library_of(uint32_t libraries, const char *soname)
{
	for (size_t i = 0; i < AO_LIBRARY_COUNT; i++)
		if (libraries >> i & 1 &&
		    !strcmp(ao_libraries[i].soname, soname))
			return true;
	return false;
}

static char *check_needed(const struct object *object)
{
	ElfW(Dyn) entry;

	for (size_t i = 0;
	     ao_dynamic_entry(&entry, &object->elf, &object->dynamic, i); i++) {
		const char *name;

		if (entry.d_tag != DT_NEEDED)
			continue;
		name = ao_elf_string(&object->exchanged, entry.d_un.d_val);
		if (!name)
			return ao_xstrf("the object needs a library without "
					"a name");
		if (!ao_callable_library(name) &&
		    !(object->gate->allows_threads &&
		      ao_callable_thread_library(name)) &&
		    !is_library_of(object->gate->libraries, name))
			return refuse_name(name, "is a library that a kernel "
						 "may not need; compute it "
						 "without");
	}
	return NULL;
}

static bool is_call_of(uint32_t libraries, const char *name)
{
	for (size_t i = 0; i < AO_LIBRARY_COUNT; i++)
		if (libraries >> i & 1 &&
		    ao_text_starts_with(name, ao_libraries[i].prefix))
			return true;
	return false;
}

/* What linkers other than GNU's export by themselves. */
static bool is_linkers(const char *name)
{
	return !strcmp(name, "__bss_start") || !strcmp(name, "_edata") ||
	       !strcmp(name, "_end");
}

static char *check_symbol(const struct object *object, const ElfW(Sym) * symbol)
{
	const struct ao_objgate *gate = object->gate;
	const char *name = ao_elf_string(&object->exchanged, symbol->st_name);

	if (!name)
		return ao_xstrf("the object has a symbol without a name");
	if (ao_elf_symbol_type(symbol) == STT_GNU_IFUNC)
		return refuse_name(name,
				   "is chosen while the object is loaded "
				   "(IFUNC), which a kernel may not do; it is "
				   "compiled for the processor that it runs "
				   "on");
	if (symbol->st_shndx != SHN_UNDEF) {
		if (!strcmp(name, gate->entry) || is_linkers(name))
			return NULL;
		return refuse_name(name,
				   "is exported, which only '%s' may be; "
				   "declare it static",
				   gate->entry);
	}
	if (ao_callable_symbol(name) || is_call_of(gate->libraries, name) ||
	    (gate->allows_threads && ao_callable_thread_symbol(name)))
		return NULL;
	if (ao_callable_thread_symbol(name))
		return refuse_name(name, "is for threads, which only kernels "
					 "of a task that says 'threads' may "
					 "use");
	return refuse_name(name, "is not among what a kernel may call: "
				 "mathematics and memory; compute it without");
}

static char *check_symbols(const struct object *object)
{
	const struct ao_elf_symbols *symbols = &object->exchanged;
	ElfW(Sym) symbol;
	char *why = NULL;

	/* The first is none, and local ones are nobody's to find. */
	for (size_t i = 1; !why && i < symbols->count; i++) {
		if (!ao_elf_symbol(&symbol, symbols, i))
			return ao_xstrf("the object's symbols are cut off");
		if (symbol.st_info >> 4 != STB_LOCAL ||
		    symbol.st_shndx == SHN_UNDEF)
			why = check_symbol(object, &symbol);
	}
	return why;
}

/* The type of a relocation whose symbol a function has to be called for. */
static bool is_irelative(const struct ao_elf *elf, uint64_t type)
{
	return (elf->head.e_machine == EM_X86_64 &&
		type == R_X86_64_IRELATIVE) ||
	       (elf->head.e_machine == EM_AARCH64 &&
		type == R_AARCH64_IRELATIVE);
}

static char *check_relocation(const ElfW(Rela) * relocation, void *data)
{
	const struct object *object = data;
	bool is_wide = sizeof(void *) == 8;
	uint64_t info = relocation->r_info;
	uint64_t type = is_wide ? info & UINT32_MAX : info & 0xff;
	uint64_t index = is_wide ? info >> 32 : info >> 8;
	ElfW(Sym) symbol = { 0 };

	if (is_irelative(&object->elf, type))
		return ao_xstrf("the object chooses a function while it is "
				"loaded (IFUNC), which a kernel may not do; "
				"it is compiled for the processor that it "
				"runs on");
	if (index && !ao_elf_symbol(&symbol, &object->exchanged, index))
		return ao_xstrf("the object names a symbol that it has not");
	/* Without a symbol, or with one of its own, an address in here. */
	if (object->sweep)
		ao_sweep_add_start(object->sweep,
				   symbol.st_value +
					   (uint64_t)relocation->r_addend);
	return NULL;
}

/* The name of the function that an address is in, or NULL. */
static const char *function_at(const struct ao_elf *elf, uint64_t address)
{
	struct ao_elf_symbols symbols;
	ElfW(Sym) symbol;

	if (!ao_elf_find_symbols(&symbols, elf, SHT_SYMTAB))
		return NULL;
	for (size_t i = 0; ao_elf_symbol(&symbol, &symbols, i); i++)
		if (ao_elf_symbol_type(&symbol) == STT_FUNC &&
		    address >= symbol.st_value &&
		    address - symbol.st_value < symbol.st_size)
			return ao_elf_string(&symbols, symbol.st_name);
	return NULL;
}

static char *refuse_instruction(const struct ao_elf *elf, uint64_t address,
				const struct ao_x86_ban *ban)
{
	const char *function = function_at(elf, address);

	if (function)
		return refuse_name(function,
				   "has the instruction '%s', which %s",
				   ban->name, ban->why);
	return ao_xstrf("the code at 0x%" PRIx64
			" of the object has the instruction '%s', which %s",
			address, ban->name, ban->why);
}

/* Each symbol may be where code begins, whatever it is called. */
static void add_symbols(struct ao_sweep *sweep, const struct ao_elf *elf,
			uint32_t type)
{
	struct ao_elf_symbols symbols;
	ElfW(Sym) symbol;

	if (!ao_elf_find_symbols(&symbols, elf, type))
		return;
	for (size_t i = 0; ao_elf_symbol(&symbol, &symbols, i); i++)
		if (symbol.st_shndx != SHN_UNDEF)
			ao_sweep_add_start(sweep, symbol.st_value);
}

static char *add_sections(struct ao_sweep *sweep, const struct ao_elf *elf)
{
	ElfW(Shdr) section;
	size_t i = 0;

	for (; ao_elf_section(&section, elf, i); i++)
		if (section.sh_flags & SHF_EXECINSTR &&
		    !ao_sweep_add_code(sweep, section.sh_addr, section.sh_size))
			return ao_xstrf("the object's sections overlap");
	if (i != elf->head.e_shnum)
		return ao_xstrf("the object's section header is cut off");
	return NULL;
}

/* The one segment that is executed; linkers make one. */
static char *open_sweep(struct ao_sweep *sweep, const struct ao_elf *elf)
{
	ElfW(Phdr) segment;
	size_t found = 0;

	for (size_t i = 0; ao_elf_segment(&segment, elf, i); i++) {
		if (segment.p_type != PT_LOAD || !(segment.p_flags & PF_X))
			continue;
		if (found++)
			return ao_xstrf("the object has code in two places");
		if (segment.p_offset > elf->len ||
		    segment.p_filesz > elf->len - segment.p_offset)
			return ao_xstrf("the object's code is cut off");
		if (segment.p_filesz > AO_SWEEP_MAX_BYTES)
			return ao_xstrf("the object has more than %d MiB of "
					"code; unroll less",
					AO_SWEEP_MAX_BYTES >> 20);
		ao_sweep_init(sweep, elf->data + segment.p_offset,
			      segment.p_filesz, segment.p_vaddr);
	}
	return NULL;
}

static char *check_instructions(struct object *object)
{
	const struct ao_elf *elf = &object->elf;
	struct ao_sweep *sweep = object->sweep;
	const struct ao_x86_ban *ban;
	uint64_t address = 0;

	add_symbols(sweep, elf, SHT_DYNSYM);
	add_symbols(sweep, elf, SHT_SYMTAB);
	ban = ao_sweep_run(&address, sweep, object->has_tls);
	return ban ? refuse_instruction(elf, address, ban) : NULL;
}

static char *check_code(struct object *object)
{
	struct ao_sweep sweep = { 0 };
	char *why = NULL;

	if (object->elf.head.e_machine == EM_X86_64) {
		why = open_sweep(&sweep, &object->elf);
		if (!why)
			why = add_sections(&sweep, &object->elf);
		object->sweep = &sweep;
	}
	if (!why)
		why = ao_dynamic_relocations(&object->elf, &object->dynamic,
					     check_relocation, object);
	if (!why && object->sweep)
		why = check_instructions(object);
	ao_sweep_release(&sweep);
	object->sweep = NULL;
	return why;
}

char *ao_objgate_check(const struct ao_objgate *gate, const char *data,
		       size_t len)
{
	struct object object = { .gate = gate };
	struct ao_error *err = ao_elf_open(&object.elf, data, len);
	char *why;

	if (err) {
		why = ao_xstrdup(ao_error_message(err));
		ao_error_free(err);
		return why;
	}
	why = check_segments(&object);
	if (!why)
		why = find_tables(&object);
	if (!why)
		why = check_builtins(&object);
	if (!why)
		why = ao_dynamic_problem(&object.elf, &object.dynamic);
	if (!why)
		why = check_needed(&object);
	if (!why)
		why = check_symbols(&object);
	if (!why)
		why = check_code(&object);
	return why;
}
