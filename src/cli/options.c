/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <assert.h>

#include "util/text.h"

#include "store/repo.h"

#include "cli/command.h"
#include "cli/option.h"
#include "cli/options.h"

/* Where parsing stands. */
struct parser {
	const struct ao_option *table;
	const struct ao_command *command;
	char **argv; /* what is left to read; NULL-terminated */
	uint64_t given;
};

/* A long option's name as it was typed. */
struct typed {
	const char *name; /* without dashes and =value */
	size_t len;
	bool is_negated; /* it was --no-name */
};

static AO_NORETURN void print_usage(const struct parser *parser)
{
	ao_command_usage(stdout, parser->command);
	if (parser->table->type != AO_OPTION_END)
		fputc('\n', stdout);
	ao_option_help(stdout, parser->table);
	exit(fflush(stdout) ? AO_STATUS_FAILED : AO_STATUS_USAGE);
}

static AO_NORETURN void print_names(const struct parser *parser)
{
	ao_option_names(stdout, parser->table);
	exit(fflush(stdout) ? AO_STATUS_FAILED : AO_STATUS_DONE);
}

static struct ao_error *store(struct parser *parser,
			      const struct ao_option *option, const char *text)
{
	struct ao_error *err;
	char *takes;

	parser->given |= (uint64_t)1 << (option - parser->table);
	if (ao_option_store(option, text))
		return NULL;
	takes = ao_option_takes(option);
	err = ao_error_new(AO_EUSAGE, "--%s: '%s' is not %s", option->name,
			   text, takes);
	free(takes);
	return err;
}

/* Take back what an option said, or would say by configuration. */
static void negate(struct parser *parser, const struct ao_option *option)
{
	parser->given |= (uint64_t)1 << (option - parser->table);
	if (option->type == AO_OPTION_FLAG)
		*(bool *)option->value = false;
	else
		*(const char **)option->value = NULL;
}

/* `value` is what followed the = or the letter, or NULL. */
static struct ao_error *take(struct parser *parser,
			     const struct ao_option *option, const char *value)
{
	if (option->type == AO_OPTION_FLAG) {
		if (value)
			return ao_error_new(AO_EUSAGE,
					    "--%s takes no value, but got '%s'",
					    option->name, value);
		parser->given |= (uint64_t)1 << (option - parser->table);
		*(bool *)option->value = true;
		return NULL;
	}
	if (option->type == AO_OPTION_MAYBE && !value)
		return store(parser, option, "");
	if (!value) {
		value = parser->argv[0];
		if (!value)
			return ao_error_new(AO_EUSAGE, "--%s needs <%s>",
					    option->name, option->arg);
		parser->argv++;
	}
	return store(parser, option, value);
}

static struct ao_error *unknown(const struct parser *parser, const char *typed,
				size_t len)
{
	const char *names[AO_MAX_OPTIONS];
	char *word = ao_xstrndup(typed, len);
	struct ao_error *err;
	const char *near;
	size_t count = 0;

	for (const struct ao_option *o = parser->table;
	     o->type != AO_OPTION_END; o++)
		names[count++] = o->name;
	near = ao_text_nearest(word, names, count);
	/* Of an option that cannot be taken back. */
	if (!near && ao_text_starts_with(word, "no-"))
		near = ao_text_nearest(word + 3, names, count);
	if (near)
		err = ao_error_new(
			AO_EUSAGE,
			"unknown option '--%s', did you mean '--%s'?", word,
			near);
	else
		err = ao_error_new(AO_EUSAGE, "unknown option '--%s'", word);
	free(word);
	return err;
}

static bool begins(const struct ao_option *option, const char *name, size_t len)
{
	return strncmp(option->name, name, len) == 0;
}

/*
 * Whether `option` is meant by --typed; a whole name counts for more than the
 * beginning of another.
 */
static bool is_meant(struct typed *out, const struct ao_option *option,
		     const char *typed, size_t len)
{
	*out = (struct typed){ .name = typed, .len = len };
	if (begins(option, typed, len))
		return true;
	if (!ao_option_is_negatable(option) || len < 3 ||
	    strncmp(typed, "no-", 3) != 0)
		return false;
	*out = (struct typed){ typed + 3, len - 3, true };
	return begins(option, typed + 3, len - 3);
}

static struct ao_error *long_option(struct parser *parser, const char *typed)
{
	size_t len = strcspn(typed, "=");
	const struct ao_option *found = NULL;
	bool is_negated = false;

	for (const struct ao_option *o = parser->table;
	     o->type != AO_OPTION_END; o++) {
		struct typed t;

		if (!is_meant(&t, o, typed, len))
			continue;
		if (o->name[t.len] == '\0') {
			found = o;
			is_negated = t.is_negated;
			break;
		}
		if (found)
			return ao_error_new(
				AO_EUSAGE,
				"ambiguous option '--%.*s': '--%s' or '--%s'?",
				(int)len, typed, found->name, o->name);
		found = o;
		is_negated = t.is_negated;
	}
	if (!found)
		return unknown(parser, typed, len);
	if (!is_negated)
		return take(parser, found, typed[len] ? typed + len + 1 : NULL);
	if (typed[len])
		return ao_error_new(AO_EUSAGE, "--no-%s takes no value",
				    found->name);
	negate(parser, found);
	return NULL;
}

/* -q, -n4 or -qn 4: `letters` is behind the dash. */
static struct ao_error *short_options(struct parser *parser,
				      const char *letters)
{
	for (; *letters; letters++) {
		const struct ao_option *o = parser->table;
		struct ao_error *err;
		bool is_flag;

		while (o->type != AO_OPTION_END && o->letter != *letters)
			o++;
		if (o->type == AO_OPTION_END && *letters == 'h')
			print_usage(parser);
		if (o->type == AO_OPTION_END)
			return ao_error_new(AO_EUSAGE, "unknown option '-%c'",
					    *letters);
		is_flag = o->type == AO_OPTION_FLAG;
		err = take(parser, o,
			   !is_flag && letters[1] ? letters + 1 : NULL);
		if (err || !is_flag)
			return err;
	}
	return NULL;
}

static struct ao_error *one_option(struct parser *parser, const char *arg)
{
	if (arg[1] != '-')
		return short_options(parser, arg + 1);
	if (strcmp(arg, "--help") == 0)
		return ao_command_manual(parser->command->name);
	if (strcmp(arg, "--git-completion-helper") == 0)
		print_names(parser);
	return long_option(parser, arg + 2);
}

struct ao_error *ao_options_parse(struct ao_options *out,
				  const struct ao_command *command,
				  const struct ao_option *table, int argc,
				  char **argv)
{
	struct parser parser = {
		.table = table,
		.command = command,
		.argv = argv + (argc > 0),
	};
	char **operands = parser.argv;
	int count = 0;

	for (const struct ao_option *o = table; o->type != AO_OPTION_END; o++)
		assert(o - table < AO_MAX_OPTIONS);
	while (*parser.argv) {
		char *arg = *parser.argv++;
		struct ao_error *err;

		if (strcmp(arg, "--") == 0 ||
		    strcmp(arg, "--end-of-options") == 0)
			break;
		if (arg[0] != '-' || arg[1] == '\0') {
			operands[count++] = arg;
			continue;
		}
		err = one_option(&parser, arg);
		if (err)
			return err;
	}
	while (*parser.argv)
		operands[count++] = *parser.argv++;
	operands[count] = NULL;
	*out = (struct ao_options){ table, operands, count, parser.given };
	return NULL;
}

struct ao_error *ao_options_operands(const struct ao_options *options,
				     const char *wanted)
{
	int count = 0;

	for (const char *name; (name = strchr(wanted, '<')); count++) {
		int len = (int)strcspn(name, ">") + 1;
		bool is_optional = name > wanted && name[-1] == '[';

		if (count >= options->argc && !is_optional)
			return ao_error_new(AO_EUSAGE,
					    "an argument is missing: %.*s", len,
					    name);
		wanted = name + len;
	}
	if (options->argc > count)
		return ao_error_new(AO_EUSAGE, "one argument too many: '%s'",
				    options->argv[count]);
	return NULL;
}

struct ao_error *ao_options_no_operands(const struct ao_options *options,
					const char *instead)
{
	if (!options->argc)
		return NULL;
	return ao_error_new(AO_EUSAGE,
			    "one argument too many: '%s', did you mean "
			    "'--%s %s'?",
			    options->argv[0], instead, options->argv[0]);
}

struct ao_error *ao_options_configure(const struct ao_options *options,
				      struct ao_repo *repo)
{
	for (const struct ao_option *o = options->table;
	     o->type != AO_OPTION_END; o++) {
		struct ao_error *err;
		const char *text;
		char *takes;

		if (!o->config ||
		    options->given & (uint64_t)1 << (o - options->table))
			continue;
		text = ao_repo_config(repo, o->config);
		if (!text || ao_option_store(o, text))
			continue;
		takes = ao_option_takes(o);
		err = ao_error_new(AO_EINVALID, "config %s: '%s' is not %s",
				   o->config, text, takes);
		free(takes);
		return err;
	}
	return NULL;
}

bool ao_options_given(const struct ao_options *options, const char *name)
{
	for (const struct ao_option *o = options->table;
	     o->type != AO_OPTION_END; o++)
		if (strcmp(o->name, name) == 0)
			return options->given & (uint64_t)1
							<< (o - options->table);
	assert(!"an option of the table");
	return false;
}
