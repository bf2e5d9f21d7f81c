/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include "eval/sweep.h"
#include "eval_task.h"
#include "util/process.h"

/* Bytes written as in a manual: "0f 05". */
struct bytes {
	uint8_t code[64];
	size_t len;
};

static struct bytes read_hex(const char *text)
{
	struct bytes out = { .len = 0 };

	for (char *end; *text; text = end) {
		out.code[out.len++] = (uint8_t)strtoul(text, &end, 16);
		while (*end == ' ')
			end++;
	}
	return out;
}

static size_t length_of(const char *text)
{
	struct bytes bytes = read_hex(text);
	struct ao_x86 x86 = { 0 };

	return ao_x86_decode(&x86, bytes.code, bytes.len) ? x86.length : 0;
}

/* Whether all of the bytes are one instruction, and no fewer are. */
static bool is_one(const char *text)
{
	struct bytes bytes = read_hex(text);
	struct ao_x86 x86 = { 0 };

	for (size_t len = 0; len < bytes.len; len++) {
		if (ao_x86_decode(&x86, bytes.code, len)) {
			printf("# %s: %zu bytes will do\n", text, len);
			return false;
		}
	}
	if (length_of(text) == bytes.len)
		return true;
	printf("# %s: length %zu\n", text, length_of(text));
	return false;
}

static void each_form_of_an_operand_has_its_length(void)
{
	EXPECT(is_one("8b c1"));
	EXPECT(is_one("8b 01"));
	EXPECT(is_one("8b 04 24"));
	EXPECT(is_one("8b 41 08"));
	EXPECT(is_one("8b 44 24 08"));
	EXPECT(is_one("8b 81 00 01 00 00"));
	EXPECT(is_one("8b 84 24 00 01 00 00"));
	EXPECT(is_one("8b 05 00 01 00 00"));
	EXPECT(is_one("8b 04 25 28 00 00 00"));
	EXPECT(is_one("8b 44 25 00"));
	EXPECT(is_one("67 8b 04 25 28 00 00 00"));
}

static void each_size_of_a_constant_has_its_length(void)
{
	EXPECT(is_one("05 00 00 00 01"));
	EXPECT(is_one("66 05 00 01"));
	EXPECT(is_one("48 05 00 00 00 01"));
	EXPECT(is_one("66 48 05 00 00 00 01"));
	EXPECT(is_one("b8 01 02 03 04"));
	EXPECT(is_one("66 b8 01 02"));
	EXPECT(is_one("48 b8 01 02 03 04 05 06 07 08"));
	EXPECT(is_one("48 a1 01 02 03 04 05 06 07 08"));
	EXPECT(is_one("67 a1 01 02 03 04"));
	EXPECT(is_one("c8 10 00 01"));
	EXPECT(is_one("f6 c1 80"));
	EXPECT(is_one("f6 d1"));
	EXPECT(is_one("f7 c1 01 02 03 04"));
	EXPECT(is_one("f7 d9"));
	EXPECT(is_one("69 c1 01 02 03 04"));
	EXPECT(is_one("c7 44 24 08 01 02 03 04"));
}

static void prefixes_belong_to_their_instruction(void)
{
	EXPECT(is_one("66 66 2e 0f 1f 84 00 00 00 00 00"));
	EXPECT(is_one("66 66 48 e8 00 00 00 00"));
	EXPECT(is_one("f3 0f 1e fa"));
	EXPECT(is_one("f0 48 0f b1 0a"));
	/* REX counts for nothing before another prefix. */
	EXPECT(is_one("48 66 b8 01 02"));
	EXPECT(is_one("48 40 b8 01 02 03 04"));
}

static void vectors_are_read(void)
{
	EXPECT(is_one("c5 fc 58 c1"));
	EXPECT(is_one("c5 f8 77"));
	EXPECT(is_one("c5 fc c6 c1 44"));
	EXPECT(is_one("c5 f5 72 d1 1f"));
	EXPECT(is_one("c4 e2 7d b8 44 8e 20"));
	EXPECT(is_one("c4 e3 7d 06 c1 20"));
	EXPECT(is_one("62 f1 7c 48 58 c1"));
	EXPECT(is_one("62 f1 7c 48 10 44 8e 01"));
	EXPECT(is_one("62 f3 7d 48 23 c1 4e"));
	EXPECT(is_one("62 f1 fd 48 79 c0"));
	EXPECT(is_one("62 f5 7c 48 58 c1"));
	EXPECT(is_one("62 f6 7d 48 b8 c1"));
}

static void what_few_processors_had_is_read(void)
{
	EXPECT(is_one("0f 0f c1 9e"));
	EXPECT(is_one("66 0f 78 c1 02 03"));
	EXPECT(is_one("f2 0f 78 c1 02 03"));
	EXPECT(is_one("8f e8 78 c0 c1 02"));
	EXPECT(is_one("8f e9 78 01 c1"));
	EXPECT(is_one("8f ea 78 10 c1 01 02 03 04"));
	EXPECT(is_one("8f 00"));
	EXPECT(is_one("c7 f8 00 00 00 00"));
}

static void what_is_not_known_is_said(void)
{
	EXPECT(!length_of(""));
	EXPECT(!length_of("06"));
	EXPECT(!length_of("d5 10 01 c0"));
	EXPECT(!length_of("0f 0a"));
	EXPECT(!length_of("c4 e7 00 c0"));
	EXPECT(!length_of("66 66 66 66 66 66 66 66 66 66 66 66 66 66 66 90"));
}

static const char *banned_as(const char *text, bool has_tls)
{
	struct bytes bytes = read_hex(text);
	const struct ao_x86_ban *ban = NULL;
	struct ao_x86 x86;

	if (ao_x86_decode(&x86, bytes.code, bytes.len))
		ban = ao_x86_banned(&x86, has_tls);
	return ban ? ban->name : "";
}

static bool is_banned(const char *text, const char *name)
{
	bool is = !strcmp(banned_as(text, false), name);

	if (!is)
		printf("# %s: '%s'\n", text, banned_as(text, false));
	return is;
}

static void what_calls_the_system_is_banned(void)
{
	EXPECT(is_banned("0f 05", "syscall"));
	EXPECT(is_banned("f3 48 0f 05", "syscall"));
	EXPECT(is_banned("0f 34", "sysenter"));
	EXPECT(is_banned("cd 80", "int"));
	EXPECT(is_banned("0f 01 c1", "vmcall"));
	EXPECT(is_banned("0f 01 d9", "vmmcall"));
	EXPECT(is_banned("cb", "far ret"));
	EXPECT(is_banned("ff 2c 24", "far jmp"));
	EXPECT(is_banned("48 cf", "iret"));
}

static void what_reads_a_clock_or_the_processor_is_banned(void)
{
	EXPECT(is_banned("0f 31", "rdtsc"));
	EXPECT(is_banned("0f 01 f9", "rdtscp"));
	EXPECT(is_banned("0f 01 fd", "rdpru"));
	EXPECT(is_banned("0f 33", "rdpmc"));
	EXPECT(is_banned("0f a2", "cpuid"));
	EXPECT(is_banned("0f 01 d0", "xgetbv"));
}

static void what_changes_rounding_is_banned_and_what_reads_it_is_not(void)
{
	EXPECT(is_banned("0f ae 54 24 fc", "ldmxcsr"));
	EXPECT(is_banned("c5 f8 ae 54 24 fc", "vldmxcsr"));
	EXPECT(is_banned("c4 e1 78 ae 54 24 fc", "vldmxcsr"));
	EXPECT(is_banned("0f ae 0f", "fxrstor"));
	EXPECT(is_banned("48 0f ae 2f", "xrstor"));
	EXPECT(is_banned("0f ae 5c 24 fc", ""));
	EXPECT(is_banned("c5 f8 ae 5c 24 fc", ""));
	EXPECT(is_banned("0f ae e8", "")); /* lfence */
	EXPECT(is_banned("0f ae f8", "")); /* sfence */
	EXPECT(is_banned("0f ae 38", "")); /* clflush */
}

static void of_the_thread_only_what_compilers_read_is_allowed(void)
{
	EXPECT(is_banned("64 48 8b 04 25 28 00 00 00", ""));
	EXPECT(is_banned("64 48 2b 14 25 28 00 00 00", ""));
	EXPECT(is_banned("64 48 33 14 25 28 00 00 00", ""));
	EXPECT(is_banned("64 48 3b 14 25 28 00 00 00", ""));
	EXPECT(is_banned("64 48 8b 04 25 30 00 00 00", "access by fs or gs"));
	EXPECT(is_banned("64 48 89 04 25 28 00 00 00", "access by fs or gs"));
	EXPECT(is_banned("64 4a 8b 04 25 28 00 00 00", "access by fs or gs"));
	EXPECT(is_banned("65 48 8b 00", "access by fs or gs"));
	EXPECT(is_banned("64 48 a1 28 00 00 00 00 00 00 00",
			 "access by fs or gs"));
	EXPECT(is_banned("64 a5", "access by fs or gs"));
	EXPECT(is_banned("f3 48 0f ae d0", "wrfsbase"));
	EXPECT(is_banned("f3 0f ae c0", "rdfsbase"));
	EXPECT(is_banned("8e e0", "mov to a segment register"));
}

static void the_threads_address_is_for_who_has_variables_of_it(void)
{
	static const char text[] = "64 48 8b 04 25 00 00 00 00";

	EXPECT(!strcmp(banned_as(text, false), "access by fs or gs"));
	EXPECT(!strcmp(banned_as(text, true), ""));
}

static void a_branch_that_processors_disagree_on_is_banned(void)
{
	EXPECT(is_banned("66 e9 00 00 00 00", "branch with a prefix of 16 "
					      "bits"));
	EXPECT(is_banned("66 0f 84 00 00 00 00", "branch with a prefix of 16 "
						 "bits"));
	EXPECT(is_banned("66 66 48 e8 00 00 00 00", ""));
}

/* What a sweep of these bytes finds, and where, as "name at offset". */
static bool finds(const char *text, const char *name, size_t offset)
{
	struct bytes bytes = read_hex(text);
	const struct ao_x86_ban *ban;
	struct ao_sweep sweep;
	uint64_t address = 0;
	bool is;

	ao_sweep_init(&sweep, bytes.code, bytes.len, 0x1000);
	EXPECT(ao_sweep_add_code(&sweep, 0x1000, bytes.len));
	ban = ao_sweep_run(&address, &sweep, false);
	is = !strcmp(ban ? ban->name : "", name) &&
	     (!ban || address == 0x1000 + offset);
	if (!is)
		printf("# %s: '%s' at %zx\n", text, ban ? ban->name : "",
		       (size_t)address);
	ao_sweep_release(&sweep);
	return is;
}

static void what_a_constant_holds_is_no_instruction(void)
{
	EXPECT(finds("b8 0f 05 0f 31 c3", "", 0));
	EXPECT(finds("48 8d 05 0f a2 00 00 c3", "", 0));
	EXPECT(finds("b8 01 02 03 04 0f 05 c3", "syscall", 5));
}

static void a_branch_into_a_constant_makes_it_one(void)
{
	EXPECT(finds("b8 0f 05 c3 90 eb fa c3", "syscall", 1));
	EXPECT(finds("e8 02 00 00 00 c3 b8 0f 05 c3 90", "syscall", 7));
	EXPECT(finds("0f 84 01 00 00 00 c3 b8 0f 05 c3 90", "", 0));
	EXPECT(finds("0f 84 01 00 00 00 b8 0f 05 c3 90", "syscall", 7));
}

static void an_address_of_a_constant_makes_it_one(void)
{
	/* lea 3(%rip), %rax; jmp *%rax; mov $..., %eax */
	EXPECT(finds("48 8d 05 03 00 00 00 ff e0 b8 0f 05 c3 90", "syscall",
		     10));
	/* A load from there is no address. */
	EXPECT(finds("48 8b 05 03 00 00 00 ff e0 b8 0f 05 c3 90", "", 0));
}

static void what_is_not_known_hides_nothing_behind_it(void)
{
	/* 06 is none, the 48 b8 that it may end in would hide the rest. */
	EXPECT(finds("06 48 b8 0f 05 c3 90 90 90 90 90 90 c3", "syscall", 3));
}

static void what_is_no_code_is_not_read(void)
{
	static const uint8_t code[] = { 0xc3, 0x0f, 0x05 };
	struct ao_sweep sweep;
	uint64_t address = 0;

	ao_sweep_init(&sweep, code, sizeof(code), 0);
	EXPECT(ao_sweep_add_code(&sweep, 0, 1));
	ao_sweep_add_start(&sweep, 1);
	ao_sweep_add_start(&sweep, UINT64_MAX);
	EXPECT(!ao_sweep_run(&address, &sweep, false));
	ao_sweep_release(&sweep);
	ao_sweep_init(&sweep, code, sizeof(code), 0);
	EXPECT(ao_sweep_add_code(&sweep, 0, 2));
	EXPECT(!ao_sweep_add_code(&sweep, 1, 2));
	ao_sweep_release(&sweep);
}

/* The output of a program, or NULL where it is not installed or fails. */
static char *output_of(const char *const *argv)
{
	struct ao_process_spec spec = { .argv = argv,
					.timeout_ms = 60000,
					.max_output = 256 << 20 };
	struct ao_process_end end = { 0 };
	char *program = ao_spawn_find(argv[0]);
	char *output = NULL;

	if (program && code_of(ao_process_run(&end, &spec)) == AO_OK &&
	    !end.status) {
		output = end.output;
		end.output = NULL;
	}
	ao_process_end_release(&end);
	free(program);
	return output;
}

/* Lines as "  1234:\t0f 05 \tsyscall"; returns how many we read otherwise. */
static size_t compare_lines(char *text, size_t *count_out)
{
	uint8_t code[32];
	size_t wrong = 0;

	for (char *line = strtok_r(text, "\n", &text); line;
	     line = strtok_r(NULL, "\n", &text)) {
		char *at = strchr(line, '\t');
		struct ao_x86 x86 = { 0 };
		size_t len = 0;

		if (!at || at == line || at[-1] != ':' || strstr(line, "(bad)"))
			continue;
		for (char *end = at + 1; *end && *end != '\t' && len < 32;) {
			code[len++] = (uint8_t)strtoul(end, &end, 16);
			while (*end == ' ')
				end++;
		}
		(*count_out)++;
		if (ao_x86_decode(&x86, code, len) && x86.length == len)
			continue;
		if (!wrong++)
			printf("# %s: length %u\n", line, x86.length);
	}
	return wrong;
}

static void lengths_are_those_of_objdump(void)
{
	static const char *const where[] = { "cc",
					     "-print-file-name="
					     "libmvec.so.1",
					     NULL };
	char *path = output_of(where);
	const char *disassemble[] = { "objdump", "-d", "-w", NULL, NULL };
	size_t count = 0;
	char *text;

	if (path)
		path[strcspn(path, "\n")] = '\0';
	disassemble[3] = path;
	text = path && *path == '/' ? output_of(disassemble) : NULL;
	if (text)
		EXPECT(!compare_lines(text, &count));
	if (!text)
		SKIP("objdump or libmvec is not installed");
	else
		EXPECT(count > 10000);
	free(text);
	free(path);
}

int main(void)
{
	RUN(each_form_of_an_operand_has_its_length);
	RUN(each_size_of_a_constant_has_its_length);
	RUN(prefixes_belong_to_their_instruction);
	RUN(vectors_are_read);
	RUN(what_few_processors_had_is_read);
	RUN(what_is_not_known_is_said);
	RUN(what_calls_the_system_is_banned);
	RUN(what_reads_a_clock_or_the_processor_is_banned);
	RUN(what_changes_rounding_is_banned_and_what_reads_it_is_not);
	RUN(of_the_thread_only_what_compilers_read_is_allowed);
	RUN(the_threads_address_is_for_who_has_variables_of_it);
	RUN(a_branch_that_processors_disagree_on_is_banned);
	RUN(what_a_constant_holds_is_no_instruction);
	RUN(a_branch_into_a_constant_makes_it_one);
	RUN(an_address_of_a_constant_makes_it_one);
	RUN(what_is_not_known_hides_nothing_behind_it);
	RUN(what_is_no_code_is_not_read);
	RUN(lengths_are_those_of_objdump);
	return tap_done();
}
