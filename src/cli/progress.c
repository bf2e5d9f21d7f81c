/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <errno.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "util/buf.h"
#include "util/clock.h"
#include "util/text.h"

#include "cli/event_json.h"
#include "cli/gain_text.h"
#include "cli/progress.h"
#include "cli/tell.h"
#include "cli/units.h"

enum {
	MAX_LINE_BYTES = 4096,
	MAX_SAFE_BYTES = 4 * MAX_LINE_BYTES,
	USUAL_COLUMNS = 80,
	TITLE_COLUMNS = 60
};

bool ao_progress_can_redraw(void)
{
	const char *term = getenv("TERM");

	return isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0;
}

static size_t columns(void)
{
	struct winsize size;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20)
		return size.ws_col;
	return USUAL_COLUMNS;
}

void ao_progress_init(struct ao_progress *progress,
		      enum ao_progress_style style, const char *task)
{
	*progress = (struct ao_progress){
		.style = style,
		.is_terminal = style == AO_PROGRESS_AUTO &&
			       ao_progress_can_redraw(),
		.start_ns = ao_clock_now_ns(),
		.task = ao_xstrdup(task),
	};
}

static void erase(struct ao_progress *progress)
{
	if (progress->is_drawn)
		fputs("\r\033[K", stderr);
	progress->is_drawn = false;
}

void ao_progress_release(struct ao_progress *progress)
{
	erase(progress);
	fflush(stderr);
	free(progress->task);
	*progress = (struct ao_progress){ 0 };
}

/* All of it fits 80 columns with a task's name of 22. */
static void draw(struct ao_progress *progress, const struct ao_event *event)
{
	struct ao_buf line = AO_BUF_INIT(MAX_LINE_BYTES);
	struct ao_buf cut = AO_BUF_INIT(MAX_LINE_BYTES);
	double elapsed_ns = (double)(ao_clock_now_ns() - progress->start_ns);
	char elapsed[AO_UNITS_SIZE];

	ao_units_elapsed(elapsed, elapsed_ns / 1e9);
	ao_buf_addf(&line, "%s: it %" PRIu32 ", %" PRIu32, progress->task,
		    event->iteration, event->evals);
	if (event->run->settings.max_evals)
		ao_buf_addf(&line, "/%" PRIu32, event->run->settings.max_evals);
	ao_buf_addstr(&line, " evals, ");
	ao_gain_text(&line, &event->gain);
	ao_buf_addf(&line, ", %" PRIu32 " busy, %s", event->in_flight, elapsed);
	ao_text_cut(&cut, line.ptr, columns() - 1);
	fprintf(stderr, "\r%s\033[K", cut.ptr);
	fflush(stderr);
	progress->is_drawn = true;
	ao_buf_release(&cut);
	ao_buf_release(&line);
}

/* A line that stays. */
static void tell(struct ao_progress *progress, struct ao_buf *line)
{
	struct ao_buf safe = AO_BUF_INIT(MAX_SAFE_BYTES);

	ao_text_safe(&safe, line->ptr, line->len);
	erase(progress);
	fprintf(stderr, "%s\n", safe.ptr);
	fflush(stderr);
	ao_buf_release(&safe);
	ao_buf_release(line);
}

static void tell_baseline(struct ao_progress *progress,
			  const struct ao_event *event)
{
	const struct ao_case_result *main_case = ao_result_main(
		&event->baseline->result);
	struct ao_buf line = AO_BUF_INIT(MAX_LINE_BYTES);
	char time[AO_UNITS_SIZE];

	if (!main_case)
		return;
	ao_units_time(time, main_case->median_ns);
	ao_buf_addf(&line, "%s: the baseline takes %s, %.1f %% of peak",
		    progress->task, time, main_case->percent_of_peak);
	tell(progress, &line);
}

static void tell_best(struct ao_progress *progress,
		      const struct ao_event *event)
{
	const struct ao_candidate *best = event->candidate;
	struct ao_buf line = AO_BUF_INIT(MAX_LINE_BYTES);

	/* Timed once more at the end, it is not a new one. */
	if (best && !strcmp(best->commit, progress->best))
		return;
	if (best)
		memcpy(progress->best, best->commit, AO_ID_SIZE);
	ao_buf_addf(&line, "%s: new best ", progress->task);
	ao_gain_text(&line, &event->gain);
	if (best) {
		ao_buf_addf(&line, " by %" PRIu32 ".%" PRIu32 ", ",
			    best->message.attempt.iteration,
			    best->message.attempt.number);
		ao_text_cut(&line, best->message.title, TITLE_COLUMNS);
	}
	tell(progress, &line);
}

/* "34/60 evaluations, best x2.41 [2.38..2.44]" */
static void add_state(struct ao_buf *out, const struct ao_event *event)
{
	const struct ao_settings *settings = &event->run->settings;

	ao_buf_addf(out, "%" PRIu32, event->evals);
	if (settings->max_evals)
		ao_buf_addf(out, "/%" PRIu32, settings->max_evals);
	ao_buf_addstr(out, " evaluations, best ");
	ao_gain_text(out, &event->gain);
}

static void tell_iteration(struct ao_progress *progress,
			   const struct ao_event *event)
{
	struct ao_buf line = AO_BUF_INIT(MAX_LINE_BYTES);

	ao_buf_addf(&line, "%s: iteration %" PRIu32 " done, ", progress->task,
		    event->iteration);
	add_state(&line, event);
	tell(progress, &line);
}

static void tell_text(struct ao_progress *progress, const char *label,
		      const char *text)
{
	struct ao_buf line = AO_BUF_INIT(MAX_LINE_BYTES);

	ao_buf_addf(&line, "%s: %s", label, text);
	tell(progress, &line);
}

static void tell_run(struct ao_progress *progress, const struct ao_event *event,
		     const char *what)
{
	struct ao_buf line = AO_BUF_INIT(MAX_LINE_BYTES);

	ao_buf_addf(&line, "%s: %s run %s", progress->task, what,
		    event->run->id);
	tell(progress, &line);
}

static void tell_event(struct ao_progress *progress,
		       const struct ao_event *event)
{
	switch (event->kind) {
	case AO_EVENT_STARTED:
		tell_run(progress, event, "started");
		break;
	case AO_EVENT_RESUMED:
		tell_run(progress, event, "going on with");
		break;
	case AO_EVENT_BASELINE:
		tell_baseline(progress, event);
		break;
	case AO_EVENT_BEST:
		if (progress->is_terminal)
			tell_best(progress, event);
		break;
	case AO_EVENT_ITERATION:
		if (!progress->is_terminal)
			tell_iteration(progress, event);
		break;
	case AO_EVENT_WARNING:
		tell_text(progress, "warning", event->text);
		break;
	case AO_EVENT_STOPPED:
		tell_text(progress, progress->task, event->text);
		break;
	case AO_EVENT_ATTEMPT:
	case AO_EVENT_INSIGHT:
		break;
	}
}

/*
 * A reader that went away, or a full disk, ends the search as Ctrl-C does:
 * what is in flight is finished or given up in good order.
 */
static void check_reader(void)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return;
	fprintf(stderr,
		"warning: cannot write to standard output: %s; the search "
		"ends\n",
		strerror(errno));
	/* So that what is still to be written fails no more. */
	if (!freopen("/dev/null", "w", stdout))
		clearerr(stdout);
	raise(SIGINT);
}

void ao_progress_event(void *data, const struct ao_event *event)
{
	struct ao_progress *progress = data;

	/* Until its baseline has passed a run has no id. */
	if (event->run->id)
		snprintf(progress->run, sizeof(progress->run), "%s",
			 event->run->id);
	if (progress->style == AO_PROGRESS_JSON) {
		ao_tell_json(ao_event_to_json(event));
		/* A reader acts on events as they happen. */
		check_reader();
		return;
	}
	if (progress->style == AO_PROGRESS_QUIET &&
	    event->kind != AO_EVENT_WARNING)
		return;
	tell_event(progress, event);
	if (progress->is_terminal && event->kind != AO_EVENT_STOPPED)
		draw(progress, event);
}
