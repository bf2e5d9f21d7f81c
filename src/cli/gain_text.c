/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "util/text.h"

#include "cli/gain_text.h"

enum {
	COLUMNS = 78,
	SHORT_ID = 10,
};

void ao_insight_gain(struct ao_gain *out, const struct ao_insight *insight)
{
	*out = (struct ao_gain){
		.log_gain = insight->log_gain,
		.log_low = insight->log_low,
		.log_high = insight->log_high,
		.is_measured = true,
	};
}

void ao_gain_marked_text(struct ao_buf *out, const struct ao_gain *gain)
{
	if (!gain->is_measured)
		ao_buf_addstr(out, "~");
	ao_gain_text(out, gain);
}

static void add_code(struct ao_buf *out, const char *label, const char *code)
{
	const char *end;

	if (!code)
		return;
	end = code + strlen(code);
	while (end > code && strchr(" \t\n", end[-1]))
		end--;
	if (code == end)
		return;
	ao_buf_addf(out, "\n    %s:\n", label);
	while (code < end) {
		size_t len = strcspn(code, "\n");

		if (len > (size_t)(end - code))
			len = (size_t)(end - code);
		ao_buf_addf(out, "        %.*s\n", (int)len, code);
		code += len + 1;
	}
}

void ao_insight_text(struct ao_buf *out, const struct ao_insight *insight)
{
	struct ao_gain gain;

	ao_insight_gain(&gain, insight);
	ao_buf_addf(out, "%s  ", insight->head.id);
	ao_gain_text(out, &gain);
	ao_buf_addf(out, "  %s\n", insight->title ? insight->title : "");
	ao_buf_addf(out,
		    "    task %s, run %s, iteration %" PRIu32 ", rank %" PRIu32
		    "\n",
		    insight->task ? insight->task : "?",
		    insight->run ? insight->run : "?", insight->iteration,
		    insight->rank);
	if (*insight->fast)
		ao_buf_addf(out, "    fast %.*s over slow %.*s\n", SHORT_ID,
			    insight->fast, SHORT_ID, insight->slow);
	if (insight->features && *insight->features)
		ao_buf_addf(out, "    applies to %s\n", insight->features);
	if (insight->text && *insight->text) {
		ao_buf_addstr(out, "\n");
		ao_text_wrap(out, insight->text, "    ", COLUMNS);
	}
	add_code(out, "slow", insight->slow_code);
	add_code(out, "fast", insight->fast_code);
}
