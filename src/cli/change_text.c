/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "store/gitrun.h"
#include "util/text.h"

#include "cli/change_text.h"
#include "cli/color.h"

enum { MAX_SAFE_BYTES = 4 * AO_MAX_GIT_BYTES };

/*
 * git could colour by itself, but then its escape sequences could not be told
 * from those that a kernel's text holds.
 */
enum slot { CONTEXT, META, FRAG, OLD, NEW, SLOT_COUNT };

struct palette {
	struct ao_buf slots[SLOT_COUNT];
};

struct ao_error *ao_change_read(struct ao_buf *out, const char *from,
				const char *to)
{
	const char *const args[] = { "diff",
				     "--no-color",
				     "--no-ext-diff",
				     "--no-textconv",
				     from,
				     to,
				     "--",
				     NULL };
	struct ao_process_end end = { 0 };
	struct ao_strs env = { 0 };
	struct ao_git_run run = { .args = args };
	struct ao_error *err;

	ao_git_run_env(&env, NULL);
	run.env = (const char *const *)env.v;
	err = ao_git_run_ok(&end, &run);
	if (!err)
		ao_buf_add(out, end.output, end.output_len);
	ao_process_end_release(&end);
	ao_strs_release(&env);
	return err;
}

static void palette_init(struct palette *palette)
{
	static const char *const names[SLOT_COUNT][2] = {
		[CONTEXT] = { "color.diff.context", "normal" },
		[META] = { "color.diff.meta", "bold" },
		[FRAG] = { "color.diff.frag", "cyan" },
		[OLD] = { "color.diff.old", "red" },
		[NEW] = { "color.diff.new", "green" },
	};

	for (size_t i = 0; i < SLOT_COUNT; i++) {
		palette->slots[i] = AO_BUF_INIT(256);
		ao_color_add(&palette->slots[i], names[i][0], names[i][1]);
	}
}

/* Up to the first @@ of a file all lines are about it, +++ and --- too. */
static enum slot slot_of(const char *line, bool *in_head)
{
	if (ao_text_starts_with(line, "diff "))
		*in_head = true;
	if (ao_text_starts_with(line, "@@")) {
		*in_head = false;
		return FRAG;
	}
	if (*in_head)
		return META;
	if (*line == '+')
		return NEW;
	return *line == '-' ? OLD : CONTEXT;
}

static void print_colored(const char *diff)
{
	struct palette palette;
	bool in_head = true;

	palette_init(&palette);
	while (*diff) {
		size_t len = strcspn(diff, "\n");
		const struct ao_buf *color;

		color = &palette.slots[slot_of(diff, &in_head)];
		printf("%s%.*s%s\n", color->ptr, (int)len, diff,
		       color->len ? ao_color_reset : "");
		diff += len + (diff[len] == '\n');
	}
	for (size_t i = 0; i < SLOT_COUNT; i++)
		ao_buf_release(&palette.slots[i]);
}

void ao_change_print(const char *diff, bool colored)
{
	struct ao_buf safe = AO_BUF_INIT(MAX_SAFE_BYTES);

	ao_text_safe(&safe, diff, strlen(diff));
	if (colored)
		print_colored(safe.ptr);
	else
		fputs(safe.ptr, stdout);
	ao_buf_release(&safe);
}
