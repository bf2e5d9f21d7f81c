/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <ctype.h>

#include "eval/listing.h"
#include "util/text.h"

/* Where the reader is. */
struct reader {
	struct ao_listing *listing;
	const struct ao_kernel *kernel;
	const char *entry;
	uint32_t function; /* 0: before the first */
	uint32_t line;
	uint32_t file;
};

void ao_listing_release(struct ao_listing *listing)
{
	free(listing->text);
	free(listing->instructions);
	*listing = (struct ao_listing){ 0 };
}

/* Digits as they stand there: no sign, no blanks, no 0x. */
static const char *read_number(uint64_t *out, const char *text, unsigned base)
{
	const char *at = text;
	uint64_t value = 0;

	for (; isxdigit((unsigned char)*at); at++) {
		unsigned digit = isdigit((unsigned char)*at)
					 ? (unsigned)(*at - '0')
					 : (unsigned)(tolower(*at) - 'a') + 10;

		if (digit >= base)
			break;
		if (value > (UINT64_MAX - digit) / base)
			return NULL;
		value = value * base + digit;
	}
	*out = value;
	return at == text ? NULL : at;
}

/* Behind what may stand before a name of an instruction. */
static const char *skip_prefixes(const char *text)
{
	static const char *const prefixes[] = { "notrack ", "bnd ", "lock ",
						"data16 ",  "rep ", "repz ",
						"repnz " };

	for (size_t i = 0; i < AO_ARRAY_SIZE(prefixes); i++) {
		if (!ao_text_starts_with(text, prefixes[i]))
			continue;
		text += strlen(prefixes[i]);
		text += strspn(text, " ");
		i = (size_t)-1;
	}
	return text;
}

const char *ao_instruction_name(const struct ao_instruction *instruction)
{
	return skip_prefixes(instruction->text);
}

bool ao_instruction_is_jump(const struct ao_instruction *instruction)
{
	const char *name = ao_instruction_name(instruction);

	return *name == 'j' || ao_text_starts_with(name, "loop");
}

bool ao_instruction_is_call(const struct ao_instruction *instruction)
{
	return ao_text_starts_with(ao_instruction_name(instruction), "call");
}

/* "jne    1140 <kernel+0x40>" */
static uint64_t read_target(const struct ao_instruction *instruction)
{
	const char *operand = ao_instruction_name(instruction);
	uint64_t target;

	if (!ao_instruction_is_jump(instruction))
		return 0;
	operand += strcspn(operand, " \t");
	operand += strspn(operand, " \t");
	return read_number(&target, operand, 16) ? target : 0;
}

/* "    1104:\tvaddps (%rax),%ymm0,%ymm1   # 2000 <table>"; ends it at the #. */
static bool read_instruction(struct reader *reader, char *line)
{
	struct ao_listing *listing = reader->listing;
	struct ao_instruction instruction = {
		.line = reader->line,
		.file = reader->file,
		.function = reader->function,
	};
	const char *end;
	size_t len;

	if (*line != ' ')
		return false;
	end = read_number(&instruction.address, line + strspn(line, " "), 16);
	if (!end || end[0] != ':' || end[1] != '\t')
		return false;
	if (!reader->function || listing->count == AO_MAX_INSTRUCTIONS)
		return true;
	line += end + 2 - line;
	len = strcspn(line, "#");
	while (len && isspace((unsigned char)line[len - 1]))
		len--;
	line[len] = '\0';
	instruction.text = line;
	instruction.len = (uint32_t)len;
	instruction.target = read_target(&instruction);
	listing->instructions = ao_grow(listing->instructions, &listing->alloc,
					listing->count + 1,
					sizeof(*listing->instructions));
	listing->instructions[listing->count++] = instruction;
	return true;
}

/* "0000000000001100 <kernel>:" */
static bool read_function(struct reader *reader, const char *line)
{
	struct ao_listing *listing = reader->listing;
	uint64_t address;
	const char *end = read_number(&address, line, 16);
	size_t len = strlen(reader->entry);

	if (!end || !ao_text_starts_with(end, " <") ||
	    !ao_text_ends_with(end, ">:"))
		return false;
	reader->function++;
	reader->line = 0;
	end += 2;
	if (!listing->has_entry && strlen(end) == len + 2 &&
	    !memcmp(end, reader->entry, len)) {
		listing->has_entry = true;
		listing->entry = address;
	}
	return true;
}

/* Whether `path` of `len` bytes ends with the name, as a whole. */
static bool names_file(const char *path, size_t len, const char *name)
{
	size_t name_len = strlen(name);

	return len >= name_len &&
	       !memcmp(path + len - name_len, name, name_len) &&
	       (len == name_len || path[len - name_len - 1] == '/');
}

/* "/tmp/x/kernel.c:12 (discriminator 3)" */
static void read_place(struct reader *reader, const char *line)
{
	const char *colon = strrchr(line, ':');
	size_t best_len = 0;
	uint64_t number;

	if (!colon || !read_number(&number, colon + 1, 10))
		return;
	reader->line = 0;
	for (size_t i = 0; i < reader->kernel->count; i++) {
		const char *name = reader->kernel->files[i].path;

		if (strlen(name) <= best_len ||
		    !names_file(line, (size_t)(colon - line), name))
			continue;
		best_len = strlen(name);
		reader->file = (uint32_t)i;
		reader->line = number < UINT32_MAX ? (uint32_t)number : 0;
	}
}

static int by_address(const void *a, const void *b)
{
	const struct ao_instruction *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->text < y->text ? -1 : x->text > y->text;
}

void ao_listing_parse(struct ao_listing *out, const char *text, size_t len,
		      const struct ao_kernel *kernel, const char *entry)
{
	struct ao_listing listing = { 0 };
	struct reader reader = { .listing = &listing,
				 .kernel = kernel,
				 .entry = entry };
	char *line;

	if (len > AO_MAX_LISTING_BYTES)
		len = AO_MAX_LISTING_BYTES;
	listing.text = ao_xstrndup(text, len);
	for (line = listing.text; *line;) {
		size_t line_len = strcspn(line, "\n");
		bool is_last = !line[line_len];

		line[line_len] = '\0';
		if (!read_instruction(&reader, line) &&
		    !read_function(&reader, line))
			read_place(&reader, line);
		line += line_len + !is_last;
	}
	/* Sections are listed as they lie in the file. */
	if (listing.count)
		qsort(listing.instructions, listing.count,
		      sizeof(*listing.instructions), by_address);
	*out = listing;
}

size_t ao_listing_find(const struct ao_listing *listing, uint64_t address)
{
	size_t low = 0, high = listing->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (listing->instructions[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < listing->count &&
	    listing->instructions[low].address == address)
		return low;
	return listing->count;
}
