/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <unistd.h>

#include "util/text.h"

#include "cli/command.h"
#include "cli/paths.h"

enum { MAX_COMMANDS = 64 };

const struct ao_command ao_commands[] = {
	{ "init", "[--suite nkibench] [<task>...]",
	  "make this repository a kernel repository", AO_SECTION_START,
	  ao_cmd_init, NULL },
	{ "task", NULL, "list, show and check tasks", AO_SECTION_START, NULL,
	  ao_task_commands },
	{ "doctor", "[<options>]", "what this machine offers, what is missing",
	  AO_SECTION_START, ao_cmd_doctor, NULL },
	{ "eval",
	  "<task> [<commit> | --file <kernel>] [--practitioner] [<options>]\n"
	  "<task> --compare <a> <b> [<options>]",
	  "judge one kernel: build, check, time", AO_SECTION_WORK, ao_cmd_eval,
	  NULL },
	{ "evolve",
	  "<task> [<options>]\n"
	  "<task> --resume[=<run>] [<options>]",
	  "search for faster kernels", AO_SECTION_WORK, ao_cmd_evolve, NULL },
	{ "bench",
	  "[--suite <name>] [--tasks <task>,...] [--resume] [<options>]\n"
	  "--published <machine> [--suite <name>] [--json] [--output <file>]",
	  "search all tasks and compare with both baselines", AO_SECTION_WORK,
	  ao_cmd_bench, NULL },
	{ "log", "[<options>] [<task>]",
	  "candidates with their lineage, verdicts and gains", AO_SECTION_LOOK,
	  ao_cmd_log, NULL },
	{ "show", "[<options>] <commit>",
	  "one candidate in full: plan, change, profile, evidence",
	  AO_SECTION_LOOK, ao_cmd_show, NULL },
	{ "memory", NULL, "what the searches learned", AO_SECTION_LOOK, NULL,
	  ao_memory_commands },
	{ "report", "[<options>] [<task>]",
	  "gains, lineage and cost on one page", AO_SECTION_LOOK, ao_cmd_report,
	  NULL },
	{ "judge", "", "answer bundles on standard input", AO_SECTION_HIDDEN,
	  ao_cmd_judge, NULL },
	{ 0 },
};

/* "show" of "task show". */
static const char *last_word(const char *name)
{
	const char *blank = strrchr(name, ' ');

	return blank ? blank + 1 : name;
}

static const struct ao_command *find_row(const struct ao_command *rows,
					 const char *word)
{
	for (; rows->name; rows++)
		if (strcmp(last_word(rows->name), word) == 0)
			return rows;
	return NULL;
}

static struct ao_error *no_such_row(const struct ao_command *rows,
				    const char *word, const char *of)
{
	const char *names[MAX_COMMANDS];
	const char *near;
	size_t count = 0;

	for (; rows->name && count < MAX_COMMANDS; rows++)
		if (rows->section != AO_SECTION_HIDDEN)
			names[count++] = last_word(rows->name);
	near = ao_text_nearest(word, names, count);
	if (near)
		return ao_error_new(
			AO_EUSAGE,
			"'%s' is not a command of %s, did you mean '%s'?", word,
			of, near);
	return ao_error_new(AO_EUSAGE, "'%s' is not a command of %s", word, of);
}

struct ao_error *ao_command_find(const struct ao_command **out, int *argc,
				 char ***argv)
{
	const struct ao_command *row = find_row(ao_commands, (*argv)[0]);
	const struct ao_command *sub;
	struct ao_error *err;
	char *of;

	*out = row;
	if (!row)
		return no_such_row(ao_commands, (*argv)[0], "git accelopt");
	if (!row->subs || *argc < 2 || (*argv)[1][0] == '-')
		return NULL;
	sub = find_row(row->subs, (*argv)[1]);
	if (sub) {
		*out = sub;
		++*argv;
		--*argc;
		return NULL;
	}
	of = ao_xstrf("git accelopt %s", row->name);
	err = no_such_row(row->subs, (*argv)[1], of);
	free(of);
	return err;
}

static void print_forms(FILE *out, const struct ao_command *command,
			const char **label)
{
	const char *form = command->usage;

	while (form) {
		size_t len = strcspn(form, "\n");

		fprintf(out, "%s git accelopt %s%s%.*s\n", *label,
			command->name, len ? " " : "", (int)len, form);
		*label = "   or:";
		form = form[len] ? form + len + 1 : NULL;
	}
}

void ao_command_usage(FILE *out, const struct ao_command *command)
{
	const char *label = "usage:";

	if (!command->subs)
		print_forms(out, command, &label);
	for (const struct ao_command *s = command->subs; s && s->name; s++)
		print_forms(out, s, &label);
}

void ao_command_overview(FILE *out)
{
	static const char *const titles[] = {
		[AO_SECTION_START] = "make a kernel repository",
		[AO_SECTION_WORK] = "judge and improve kernels",
		[AO_SECTION_LOOK] = "look at what was found",
	};

	fputs("usage: git accelopt <command> [<args>]\n"
	      "\n"
	      "Improve compute kernels by a search that keeps everything in "
	      "Git.\n",
	      out);
	for (size_t section = 0; section < AO_ARRAY_SIZE(titles); section++) {
		fprintf(out, "\n%s\n", titles[section]);
		for (const struct ao_command *c = ao_commands; c->name; c++)
			if (c->section == section)
				fprintf(out, "   %-10s%s\n", c->name, c->help);
	}
	fputs("\n"
	      "'git accelopt <command> -h' lists a command's options, 'git "
	      "accelopt help\n"
	      "<command>' shows its manual page, 'git accelopt help tutorial' "
	      "a tour.\n",
	      out);
}

struct ao_error *ao_command_manual(const char *name)
{
	char *page, *folder = ao_paths_manual();

	if (folder) {
		/* The empty entry stands for where man looks by itself. */
		char *path = ao_xstrf("%s:", folder);

		if (!getenv("MANPATH"))
			setenv("MANPATH", path, 1);
		free(path);
		free(folder);
	}
	if (!name)
		page = ao_xstrdup("git-accelopt");
	else if (strchr(name, ' ') || find_row(ao_commands, name))
		page = ao_xstrf("git-accelopt-%.*s", (int)strcspn(name, " "),
				name);
	else
		page = ao_xstrf("gitaccelopt-%s", name);
	execlp("man", "man", page, (char *)NULL);
	free(page);
	return ao_error_errno("cannot run man (the same in short: 'git "
			      "accelopt -h')");
}
