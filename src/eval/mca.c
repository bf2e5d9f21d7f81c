/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <ctype.h>

#include "eval/mca.h"
#include "util/file.h"
#include "util/spawn.h"
#include "util/text.h"

/* Of a processor's parts, and of what is told of a chain. */
enum { MAX_PORTS = 128, MAX_PORT_NAME = 32, MAX_CHAIN = 4, MAX_NAME = 16 };

/* A step that takes so many times what its throughput needs waits for results.
 */
static const double latency_factor = 1.2;

char *ao_mca_find(void)
{
	char *clang = ao_spawn_find("clang");
	char *real = clang ? realpath(clang, NULL) : NULL;
	char *slash = real ? strrchr(real, '/') : NULL;
	char *path = NULL;

	if (slash) {
		path = ao_xstrf("%.*s/llvm-mca", (int)(slash - real), real);
		if (!ao_file_exists(path)) {
			free(path);
			path = NULL;
		}
	}
	free(real);
	free(clang);
	return path ? path : ao_spawn_find("llvm-mca");
}

void ao_mca_add_args(struct ao_strs *args)
{
	ao_strs_push(args, "-iterations=100");
	ao_strs_push(args, "-bottleneck-analysis");
	ao_strs_push(args, "-instruction-info=false");
}

/*
 * Nothing in what is disassembled can be more than an instruction: no
 * directive, no second statement, no string.
 */
static bool is_plain(const char *text, size_t len)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789 \t%$(),*:{}-_";

	return isalpha((unsigned char)*text) && strspn(text, plain) >= len;
}

/* Unless it is not for llvm-mca. */
static void write_instruction(struct ao_buf *out,
			      const struct ao_instruction *instruction)
{
	const char *name = ao_instruction_name(instruction);
	size_t name_len = strcspn(name, " \t");
	bool is_jump = ao_instruction_is_jump(instruction);

	if (!is_plain(name, is_jump ? name_len : strlen(name)) ||
	    ao_instruction_is_call(instruction) ||
	    ao_text_starts_with(name, "ret"))
		return;
	if (is_jump)
		ao_buf_addf(out, "\t%.*s .L0\n", (int)name_len, name);
	else
		ao_buf_addf(out, "\t%s\n", name);
}

bool ao_mca_write(struct ao_buf *out, const struct ao_listing *listing,
		  const struct ao_hotspot *at)
{
	bool has_call = false;

	if (at->last - at->first >= AO_MCA_MAX_INSTRUCTIONS)
		return false;
	ao_buf_addstr(out, ".L0:\n");
	for (size_t i = at->first; i <= at->last; i++) {
		const struct ao_instruction *insn = &listing->instructions[i];

		has_call = has_call || ao_instruction_is_call(insn);
		write_instruction(out, insn);
	}
	return !has_call;
}

/* Behind `label` and blanks in the text, or NULL. */
static const char *find_value(const char *text, const char *label)
{
	const char *at = strstr(text, label);

	if (!at)
		return NULL;
	at += strlen(label);
	return at + strspn(at, " \t");
}

/* 0 if it is not there, or is no number that means something. */
static double find_number(const char *text, const char *label)
{
	const char *at = find_value(text, label);
	double value = at ? strtod(at, NULL) : 0;

	return value > 0 && value < 1e9 ? value : 0;
}

struct ports {
	char names[MAX_PORTS][MAX_PORT_NAME];
	size_t count;
};

static const char *next_line(const char *line)
{
	line += strcspn(line, "\n");
	return line + (*line == '\n');
}

/* Letters, digits, dots: whatever else it is, it is no port's name. */
static size_t name_length(const char *text, size_t most)
{
	size_t len = 0;

	while (len < most && (isalnum((unsigned char)text[len]) ||
			      (text[len] && strchr("._-", text[len]))))
		len++;
	return len;
}

/* "[12.1] - Zn3Load", a line each. */
static void read_ports(struct ports *ports, const char *line)
{
	for (; *line == '[' && ports->count < MAX_PORTS;
	     line = next_line(line)) {
		const char *name = line + strcspn(line, "]\n");
		char *to = ports->names[ports->count++];
		size_t len;

		name += *name == ']';
		name += strspn(name, " \t-");
		len = name_length(name, MAX_PORT_NAME - 1);
		memcpy(to, name, len);
		to[len] = '\0';
	}
}

/* The port of the largest of " -  1.00  0.50 ...", or NULL. */
static const char *busiest(const struct ports *ports, const char *line)
{
	size_t best = ports->count;
	double most = 0;

	for (size_t i = 0; i < ports->count; i++) {
		const char *word;
		char *end;
		double value;

		line += strspn(line, " \t");
		word = line;
		line += strcspn(line, " \t\n");
		if (line == word)
			break;
		value = strtod(word, &end);
		if (end == line && value > most) {
			most = value;
			best = i;
		}
	}
	return best < ports->count ? ports->names[best] : NULL;
}

static char *read_port(const char *text)
{
	static const char resources[] = "\nResources:\n";
	static const char pressure[] = "\nResource pressure per iteration:\n";
	const char *list = strstr(text, resources);
	const char *table = strstr(text, pressure);
	struct ports ports = { .count = 0 };
	const char *port;

	if (!list || !table)
		return NULL;
	read_ports(&ports, list + strlen(resources));
	/* Behind the line with the numbers of the ports. */
	port = busiest(&ports, next_line(table + strlen(pressure)));
	return port && *port ? ao_xstrdup(port) : NULL;
}

/* Whether one of the words of `chain` is the name. */
static bool has_word(const char *chain, const char *name, size_t len)
{
	while (*chain) {
		size_t word = strcspn(chain, " ");

		if (word == len && !memcmp(chain, name, len))
			return true;
		chain += word;
		chain += *chain == ' ';
	}
	return false;
}

/*
 * " +----> 1.    vaddss %xmm1, %xmm0, %xmm0   ## REGISTER dependency:  %xmm0":
 * append the name of the instruction, unless it is there.
 */
static void read_link(struct ao_buf *chain, const char *line, size_t len)
{
	const char *number = memmem(line, len, "+---", 4);
	const char *name;
	size_t name_len;

	if (!number || !memmem(line, len, " dependency:", 12))
		return;
	number += strcspn(number, ".\n");
	if (*number != '.')
		return;
	name = number + 1;
	name += strspn(name, " \t");
	name_len = name_length(name, MAX_NAME);
	if (name_len && !has_word(chain->ptr, name, name_len))
		ao_buf_addf(chain, "%s%.*s", chain->len ? " " : "",
			    (int)name_len, name);
}

/* The instructions that wait for each other from step to step. */
static char *read_chain(const char *text)
{
	static const char title[] = "\nCritical sequence";
	struct ao_buf chain = AO_BUF_INIT((size_t)MAX_CHAIN * (MAX_NAME + 1));
	const char *line = strstr(text, title);

	if (!line)
		return NULL;
	for (line = next_line(line + 1);
	     *line && !ao_text_starts_with(line, "Resources:");
	     line = next_line(line))
		read_link(&chain, line, strcspn(line, "\n"));
	if (!chain.len)
		return NULL;
	return ao_buf_take(&chain);
}

static const char *find_bound(const char *text, const struct ao_hotloop *loop)
{
	double width = find_number(text, "Dispatch Width:");
	double uops = find_number(text, "Total uOps:") /
		      find_number(text, "Iterations:");

	if (loop->chain &&
	    loop->cycles > latency_factor * loop->throughput_cycles)
		return "latency";
	if (width > 0 && uops / width >= 0.98 * loop->throughput_cycles)
		return "front end";
	return "throughput";
}

bool ao_mca_read(struct ao_hotloop *out, const char *text, size_t len)
{
	char *copy = ao_xstrndup(text, len);
	double iterations = find_number(copy, "Iterations:");
	double cycles = find_number(copy, "Total Cycles:");

	if (iterations > 0 && cycles > 0) {
		out->cycles = cycles / iterations;
		out->throughput_cycles = find_number(copy,
						     "Block RThroughput:");
		out->chain = read_chain(copy);
		out->port = read_port(copy);
		out->bound = ao_xstrdup(find_bound(copy, out));
	}
	free(copy);
	return iterations > 0 && cycles > 0;
}
