/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "util/clock.h"
#include "util/loop.h"

/* What callbacks did, in order. */
struct log {
	struct ao_loop *loop;
	struct ao_loop_source *source;
	struct ao_loop_source *other;
	char text[32];
};

/* One callback's name and where it writes it. */
struct call {
	struct log *log;
	char name;
};

static void note(struct log *log, char name)
{
	size_t len = strlen(log->text);

	if (len + 1 < sizeof(log->text))
		log->text[len] = name;
}

static void on_call(void *data, short revents)
{
	struct call *call = data;

	(void)revents;
	note(call->log, call->name);
}

static void step(struct ao_loop *loop, uint32_t timeout_ms)
{
	struct ao_error *err = ao_loop_step(loop, timeout_ms);

	EXPECT(!err);
	ao_error_free(err);
}

static void a_descriptor_calls_while_it_is_ready(void)
{
	struct ao_loop *loop = ao_loop_new();
	struct log log = { .loop = loop };
	struct call call = { &log, 'r' };
	int ends[2];
	char byte;

	EXPECT(!pipe2(ends, O_CLOEXEC));
	ao_loop_watch(loop, ends[0], POLLIN, on_call, &call);
	step(loop, 0);
	EXPECT(!strcmp(log.text, ""));
	EXPECT(write(ends[1], "x", 1) == 1);
	step(loop, UINT32_MAX);
	step(loop, UINT32_MAX);
	EXPECT(!strcmp(log.text, "rr"));
	EXPECT(read(ends[0], &byte, 1) == 1);
	step(loop, 0);
	EXPECT(!strcmp(log.text, "rr"));
	ao_loop_free(loop);
	close(ends[0]);
	close(ends[1]);
}

static void timers_call_once_in_the_order_they_are_due(void)
{
	struct ao_loop *loop = ao_loop_new();
	struct log log = { .loop = loop };
	struct call a = { &log, 'a' };
	struct call b = { &log, 'b' };
	struct call c = { &log, 'c' };

	ao_loop_timer(loop, 20, on_call, &c);
	ao_loop_timer(loop, 0, on_call, &a);
	ao_loop_timer(loop, 10, on_call, &b);
	while (strlen(log.text) < 3)
		step(loop, UINT32_MAX);
	step(loop, 30);
	EXPECT(!strcmp(log.text, "abc"));
	ao_loop_free(loop);
}

static void a_timer_is_never_early(void)
{
	struct ao_loop *loop = ao_loop_new();
	struct log log = { .loop = loop };
	struct call call = { &log, 't' };
	uint64_t start_ns = ao_clock_now_ns();

	ao_loop_timer(loop, 15, on_call, &call);
	while (!*log.text)
		step(loop, UINT32_MAX);
	EXPECT(ao_clock_now_ns() - start_ns >= 15000000);
	ao_loop_free(loop);
}

static void a_removed_source_does_not_call(void)
{
	struct ao_loop *loop = ao_loop_new();
	struct log log = { .loop = loop };
	struct call call = { &log, 't' };

	ao_loop_remove(loop, ao_loop_timer(loop, 0, on_call, &call));
	ao_loop_remove(loop, NULL);
	step(loop, 5);
	EXPECT(!*log.text);
	ao_loop_free(loop);
}

/* Removes itself and the other, and adds a timer. */
static void on_change(void *data, short revents)
{
	struct call *call = data;
	struct log *log = call->log;

	(void)revents;
	note(log, '!');
	ao_loop_remove(log->loop, log->source);
	ao_loop_remove(log->loop, log->other);
	ao_loop_timer(log->loop, 0, on_call, call);
}

static void a_callback_may_remove_itself_and_others_and_add(void)
{
	struct ao_loop *loop = ao_loop_new();
	struct log log = { .loop = loop };
	struct call call = { &log, 't' };
	int ends[2];

	EXPECT(!pipe2(ends, O_CLOEXEC));
	EXPECT(write(ends[1], "x", 1) == 1);
	log.source = ao_loop_watch(loop, ends[0], POLLIN, on_change, &call);
	log.other = ao_loop_watch(loop, ends[1], POLLOUT, on_call, &call);
	step(loop, UINT32_MAX);
	EXPECT(!strcmp(log.text, "!"));
	step(loop, UINT32_MAX);
	step(loop, 0);
	EXPECT(!strcmp(log.text, "!t"));
	ao_loop_free(loop);
	close(ends[0]);
	close(ends[1]);
}

static void a_closed_pipe_is_told(void)
{
	struct ao_loop *loop = ao_loop_new();
	struct log log = { .loop = loop };
	struct call call = { &log, 'h' };
	int ends[2];

	EXPECT(!pipe2(ends, O_CLOEXEC));
	ao_loop_watch(loop, ends[0], POLLIN, on_call, &call);
	close(ends[1]);
	step(loop, UINT32_MAX);
	EXPECT(!strcmp(log.text, "h"));
	ao_loop_free(loop);
	close(ends[0]);
}

static void many_sources_are_freed_with_the_loop(void)
{
	struct ao_loop *loop = ao_loop_new();
	struct log log = { .loop = loop };
	struct call call = { &log, 'x' };

	for (int i = 0; i < 100; i++)
		ao_loop_timer(loop, 1000000, on_call, &call);
	step(loop, 0);
	EXPECT(!*log.text);
	ao_loop_free(loop);
	ao_loop_free(NULL);
}

static void an_interrupt_wakes_the_loop_and_is_counted(void)
{
	struct ao_loop *loop = ao_loop_new();
	struct ao_error *err = ao_loop_catch_interrupt(loop);

	EXPECT(!err && ao_loop_interrupted(loop) == 0);
	ao_error_free(err);
	raise(SIGINT); /* before the wait: must not be missed */
	step(loop, UINT32_MAX);
	EXPECT(ao_loop_interrupted(loop) == 1);
	raise(SIGTERM);
	raise(SIGINT);
	step(loop, UINT32_MAX);
	EXPECT(ao_loop_interrupted(loop) == 3);
	ao_loop_free(loop);
}

static void the_old_handlers_come_back_with_the_end_of_the_loop(void)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	struct sigaction now = { .sa_handler = SIG_DFL };
	struct sigaction old;
	struct ao_loop *loop = ao_loop_new();
	struct ao_error *err;

	sigaction(SIGTERM, &ignore, &old);
	err = ao_loop_catch_interrupt(loop);
	EXPECT(!err);
	ao_error_free(err);
	ao_loop_free(loop);
	sigaction(SIGTERM, &old, &now);
	EXPECT(now.sa_handler == SIG_IGN);
}

int main(void)
{
	RUN(a_descriptor_calls_while_it_is_ready);
	RUN(timers_call_once_in_the_order_they_are_due);
	RUN(a_timer_is_never_early);
	RUN(a_removed_source_does_not_call);
	RUN(a_callback_may_remove_itself_and_others_and_add);
	RUN(a_closed_pipe_is_told);
	RUN(many_sources_are_freed_with_the_loop);
	RUN(an_interrupt_wakes_the_loop_and_is_counted);
	RUN(the_old_handlers_come_back_with_the_end_of_the_loop);
	return tap_done();
}
