/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "cli/command.h"
#include "cli/options.h"
#include "cli/search_options.h"
#include "store/config.h"

#include "tap.h"

enum { MAX_WORDS = 16 };

static const struct ao_command command = { .name = "demo", .usage = "<what>" };

static struct args {
	bool json, quiet;
	uint32_t beam, max_evals, max_time;
	const char *file, *resume;
} args;

static struct ao_options options;
static char *words[MAX_WORDS + 1];

/* Parse a line of words; the message of what went wrong, or NULL. */
static const char *parse(const char *line)
{
	const struct ao_option rows[] = {
		AO_FLAG(0, "json", &args.json, "print JSON"),
		AO_FLAG('q', "quiet", &args.quiet, "say less"),
		AO_COUNT('b', "beam", &args.beam, 1, 64, "accelopt.beam", "n",
			 "carry <n>"),
		AO_COUNT(0, "max-evals", &args.max_evals, 0, 99, NULL, "n",
			 "end"),
		AO_TIME(0, "max-time", &args.max_time, NULL, "time", "end"),
		AO_STRING('f', "file", &args.file, NULL, "path", "read"),
		AO_MAYBE(0, "resume", &args.resume, "run", "go on"),
		AO_END,
	};
	static struct ao_option table[AO_ARRAY_SIZE(rows)];
	static char text[256], message[256];
	struct ao_error *err;
	char *rest = text, *word;
	int count = 0;

	memcpy(table, rows, sizeof(rows));
	args = (struct args){ .beam = 3, .file = "default" };
	snprintf(text, sizeof(text), "demo %s", line);
	while (count < MAX_WORDS && (word = strsep(&rest, " ")))
		if (*word)
			words[count++] = word;
	words[count] = NULL;
	err = ao_options_parse(&options, &command, table, count, words);
	if (!err)
		return NULL;
	snprintf(message, sizeof(message), "%s", ao_error_message(err));
	EXPECT(ao_error_code(err) == AO_EUSAGE);
	ao_error_free(err);
	return message;
}

static bool says(const char *line, const char *expected)
{
	const char *message = parse(line);

	if (message && strcmp(message, expected) == 0)
		return true;
	printf("# '%s' said: %s\n", line, message ? message : "nothing");
	return false;
}

static void a_value_may_stand_behind_a_blank_or_an_equals_sign(void)
{
	EXPECT(!parse("--beam 4") && args.beam == 4);
	EXPECT(!parse("--beam=5") && args.beam == 5);
	EXPECT(!parse("-b 6") && args.beam == 6);
	EXPECT(!parse("-b7") && args.beam == 7);
	EXPECT(!parse("--file=") && *args.file == '\0');
}

static void letters_may_be_clustered(void)
{
	EXPECT(!parse("-qb8") && args.quiet && args.beam == 8);
	EXPECT(!parse("-qb 9") && args.quiet && args.beam == 9);
	EXPECT(says("-qx", "unknown option '-x'"));
}

static void a_name_may_be_cut_as_long_as_it_is_unique(void)
{
	EXPECT(!parse("--be 4") && args.beam == 4);
	EXPECT(!parse("--max-e 4") && args.max_evals == 4);
	EXPECT(says("--max 4", "ambiguous option '--max': '--max-evals' or "
			       "'--max-time'?"));
}

static void a_flag_or_a_text_is_taken_back_by_no(void)
{
	EXPECT(!parse("--json --no-json") && !args.json);
	EXPECT(!parse("--no-file") && !args.file);
	EXPECT(!parse("--no-q -q") && args.quiet);
	EXPECT(says("--no-beam",
		    "unknown option '--no-beam', did you mean '--beam'?"));
	EXPECT(says("--no-json=1", "--no-json takes no value"));
}

static void a_flag_takes_no_value(void)
{
	EXPECT(says("--json=yes", "--json takes no value, but got 'yes'"));
}

static void an_optional_value_needs_the_equals_sign(void)
{
	EXPECT(!parse("--resume x") && *args.resume == '\0');
	EXPECT(options.argc == 1 && strcmp(options.argv[0], "x") == 0);
	EXPECT(!parse("--resume=x") && strcmp(args.resume, "x") == 0);
	EXPECT(!parse("") && !args.resume);
}

static void operands_may_stand_between_options(void)
{
	EXPECT(!parse("one --json two -b 4 three") && args.json);
	EXPECT(options.argc == 3 && strcmp(options.argv[1], "two") == 0 &&
	       !options.argv[3]);
	EXPECT(!parse("-") && options.argc == 1);
}

static void options_end_at_two_dashes(void)
{
	EXPECT(!parse("-- --json") && !args.json && options.argc == 1);
	EXPECT(!parse("--end-of-options -q x") && !args.quiet &&
	       options.argc == 2);
}

static void a_misspelled_option_is_answered_with_the_right_one(void)
{
	EXPECT(says("--baem 4",
		    "unknown option '--baem', did you mean '--beam'?"));
	EXPECT(says("--xyzzyx", "unknown option '--xyzzyx'"));
}

static void a_value_out_of_range_is_answered_with_the_range(void)
{
	EXPECT(says("--beam 0",
		    "--beam: '0' is not a whole number from 1 to 64"));
	EXPECT(says("--be=x",
		    "--beam: 'x' is not a whole number from 1 to 64"));
}

static void a_missing_value_is_named(void)
{
	EXPECT(says("--beam", "--beam needs <n>"));
	EXPECT(says("-f", "--file needs <path>"));
}

static void what_was_given_is_known(void)
{
	EXPECT(!parse("--be 4 -q") && ao_options_given(&options, "beam") &&
	       ao_options_given(&options, "quiet") &&
	       !ao_options_given(&options, "json"));
}

static void the_number_of_operands_is_checked(void)
{
	struct ao_error *err;

	EXPECT(!parse("a b"));
	err = ao_options_operands(&options, "<task> [<commit>]");
	EXPECT(!err);
	err = ao_options_operands(&options, "<task> <a>");
	EXPECT(!err);
	err = ao_options_operands(&options, "[<task>]");
	EXPECT(ao_error_code(err) == AO_EUSAGE &&
	       !strcmp(ao_error_message(err), "one argument too many: 'b'"));
	ao_error_free(err);
	err = ao_options_operands(&options, "<task> <a> <b>");
	EXPECT(ao_error_code(err) == AO_EUSAGE &&
	       !strcmp(ao_error_message(err), "an argument is missing: <b>"));
	ao_error_free(err);
}

static void an_operand_in_place_of_an_option_is_answered_with_the_option(void)
{
	struct ao_error *err;

	EXPECT(!parse("-q"));
	err = ao_options_no_operands(&options, "file");
	EXPECT(!err);
	EXPECT(!parse("a b"));
	err = ao_options_no_operands(&options, "file");
	EXPECT(ao_error_code(err) == AO_EUSAGE &&
	       !strcmp(ao_error_message(err), "one argument too many: 'a', did "
					      "you mean '--file a'?"));
	ao_error_free(err);
}

static bool finds(const char *line, const char *name, int left)
{
	const struct ao_command *found = NULL;
	static char text[64];
	char *argv[4] = { NULL }, **at = argv, *rest = text;
	struct ao_error *err;
	int argc = 0;

	snprintf(text, sizeof(text), "%s", line);
	while (argc < 3 && (argv[argc] = strsep(&rest, " ")))
		argc++;
	err = ao_command_find(&found, &argc, &at);
	if (err) {
		ao_error_free(err);
		return false;
	}
	return strcmp(found->name, name) == 0 && argc == left;
}

static void a_command_is_found_by_one_word_or_two(void)
{
	EXPECT(finds("eval silu", "eval", 2));
	EXPECT(finds("task show silu", "task show", 2));
	EXPECT(finds("task", "task", 1));
	EXPECT(finds("task -h", "task", 2));
	EXPECT(!finds("task shw", "task show", 1));
	EXPECT(!finds("show-all", "show", 1));
}

/* Of planner, executor and summarizer, who may cost money, a user decides. */
static bool names_an_agent(const struct ao_option *option)
{
	return option->type == AO_OPTION_STRING;
}

static void a_committed_file_may_shape_a_search_by_every_setting(void)
{
	struct ao_option table[AO_SEARCH_OPTIONS];
	struct ao_search_args search;

	ao_search_args_init(&search);
	ao_search_options(table, &search);
	for (size_t i = 0; i < AO_SEARCH_OPTIONS; i++) {
		struct ao_config config = { 0 };

		ao_config_add(&config, table[i].config, "1");
		ao_config_keep_search(&config);
		EXPECT(names_an_agent(&table[i]) !=
		       !!ao_config_get(&config, table[i].config));
		ao_config_release(&config);
	}
	ao_search_args_release(&search);
}

int main(void)
{
	RUN(a_value_may_stand_behind_a_blank_or_an_equals_sign);
	RUN(letters_may_be_clustered);
	RUN(a_name_may_be_cut_as_long_as_it_is_unique);
	RUN(a_flag_or_a_text_is_taken_back_by_no);
	RUN(a_flag_takes_no_value);
	RUN(an_optional_value_needs_the_equals_sign);
	RUN(operands_may_stand_between_options);
	RUN(options_end_at_two_dashes);
	RUN(a_misspelled_option_is_answered_with_the_right_one);
	RUN(a_value_out_of_range_is_answered_with_the_range);
	RUN(a_missing_value_is_named);
	RUN(what_was_given_is_known);
	RUN(the_number_of_operands_is_checked);
	RUN(an_operand_in_place_of_an_option_is_answered_with_the_option);
	RUN(a_command_is_found_by_one_word_or_two);
	RUN(a_committed_file_may_shape_a_search_by_every_setting);
	return tap_done();
}
