/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "util/buf.h"
#include "util/clock.h"
#include "util/text.h"

#include "cli/progress.h"
#include "cli/units.h"
#include "cli/waiting.h"

enum { MAX_LINE_BYTES = 4096 };

static const uint64_t line_ns = UINT64_C(60000000000);

static void show(struct ao_waiting *waiting)
{
	uint64_t now_ns = ao_clock_now_ns();
	uint64_t passed_ns = now_ns - waiting->start_ns;
	struct ao_buf line = AO_BUF_INIT(MAX_LINE_BYTES);
	bool can_redraw = ao_progress_can_redraw();
	char elapsed[AO_UNITS_SIZE];

	if (waiting->style == AO_WAITING_SILENT ||
	    (!can_redraw && waiting->style != AO_WAITING_LINES) ||
	    (!can_redraw && waiting->told_ns &&
	     now_ns - waiting->told_ns < line_ns))
		return;
	waiting->told_ns = now_ns;
	ao_text_safe(&line, waiting->text, strlen(waiting->text));
	ao_units_elapsed(elapsed, (double)passed_ns / 1e9);
	if (passed_ns >= UINT64_C(1000000000))
		ao_buf_addf(&line, " %s", elapsed);
	fprintf(stderr, can_redraw ? "\r%s\033[K" : "%s\n", line.ptr);
	fflush(stderr);
	ao_buf_release(&line);
}

void ao_waiting_begin(struct ao_waiting *waiting, enum ao_waiting_style style,
		      const char *text)
{
	*waiting = (struct ao_waiting){ .style = style,
					.text = ao_xstrdup(text),
					.start_ns = ao_clock_now_ns() };
	show(waiting);
}

void ao_waiting_tick(void *data)
{
	show(data);
}

void ao_waiting_end(struct ao_waiting *waiting)
{
	if (waiting->style != AO_WAITING_SILENT && ao_progress_can_redraw()) {
		fputs("\r\033[K", stderr);
		fflush(stderr);
	}
	free(waiting->text);
	*waiting = (struct ao_waiting){ 0 };
}
