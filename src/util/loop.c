/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "util/clock.h"
#include "util/loop.h"

struct ao_loop_source {
	int fd; /* -1 for a timer */
	short events;
	bool is_gone; /* to be freed when no callback runs */
	uint64_t due_ns;
	ao_loop_cb *cb;
	void *data;
};

struct ao_loop {
	struct ao_loop_source **sources; /* [count], in the order they came */
	size_t count;
	size_t alloc;
	struct pollfd *polled; /* [count] */
	size_t polled_alloc;
	bool is_running; /* callbacks */
	bool catches;
	struct sigaction old_int;
	struct sigaction old_term;
	struct sigaction old_hup;
};

/*
 * Signals belong to the process, so what their handler needs is global: one
 * loop at a time may catch them.  The pipe wakes poll(2) also when the signal
 * comes just before it.
 */
static volatile sig_atomic_t interrupts;
static int wake_pipe[2] = { -1, -1 };

struct ao_loop *ao_loop_new(void)
{
	return ao_xcalloc(1, sizeof(struct ao_loop));
}

static struct ao_loop_source *add(struct ao_loop *loop,
				  struct ao_loop_source source)
{
	struct ao_loop_source *copy = ao_xmalloc(sizeof(*copy));

	*copy = source;
	loop->sources = ao_grow(loop->sources, &loop->alloc, loop->count + 1,
				sizeof(struct ao_loop_source *));
	loop->sources[loop->count++] = copy;
	return copy;
}

struct ao_loop_source *ao_loop_watch(struct ao_loop *loop, int fd, short events,
				     ao_loop_cb *cb, void *data)
{
	assert(fd >= 0);
	return add(loop, (struct ao_loop_source){
				 .fd = fd,
				 .events = events,
				 .cb = cb,
				 .data = data,
			 });
}

struct ao_loop_source *ao_loop_timer(struct ao_loop *loop, uint32_t after_ms,
				     ao_loop_cb *cb, void *data)
{
	uint64_t after_ns = (uint64_t)after_ms * 1000000;

	return add(loop, (struct ao_loop_source){
				 .fd = -1,
				 .due_ns = ao_clock_now_ns() + after_ns,
				 .cb = cb,
				 .data = data,
			 });
}

/* Free the sources that have gone; the others keep their order. */
static void sweep(struct ao_loop *loop)
{
	size_t kept = 0;

	for (size_t i = 0; i < loop->count; i++) {
		if (loop->sources[i]->is_gone)
			free(loop->sources[i]);
		else
			loop->sources[kept++] = loop->sources[i];
	}
	loop->count = kept;
}

void ao_loop_remove(struct ao_loop *loop, struct ao_loop_source *source)
{
	if (!source)
		return;
	source->is_gone = true;
	if (!loop->is_running)
		sweep(loop);
}

static void on_interrupt(int number)
{
	int saved = errno;
	ssize_t done;

	(void)number;
	interrupts++;
	done = write(wake_pipe[1], "!", 1);
	(void)done; /* full is fine: it wakes, too */
	errno = saved;
}

struct ao_error *ao_loop_catch_interrupt(struct ao_loop *loop)
{
	/* No SA_RESTART: who waits for a lock shall hear of it. */
	struct sigaction action = { .sa_handler = on_interrupt };

	assert(wake_pipe[0] < 0);
	if (pipe2(wake_pipe, O_CLOEXEC | O_NONBLOCK))
		return ao_error_errno("cannot make a pipe");
	interrupts = 0;
	loop->catches = true;
	sigaction(SIGINT, &action, &loop->old_int);
	sigaction(SIGTERM, &action, &loop->old_term);
	sigaction(SIGHUP, &action, &loop->old_hup);
	return NULL;
}

unsigned ao_loop_interrupted(const struct ao_loop *loop)
{
	return loop->catches ? (unsigned)interrupts : 0;
}

static void stop_catching(struct ao_loop *loop)
{
	sigaction(SIGINT, &loop->old_int, NULL);
	sigaction(SIGTERM, &loop->old_term, NULL);
	sigaction(SIGHUP, &loop->old_hup, NULL);
	close(wake_pipe[0]);
	close(wake_pipe[1]);
	wake_pipe[0] = wake_pipe[1] = -1;
}

void ao_loop_free(struct ao_loop *loop)
{
	if (!loop)
		return;
	assert(!loop->is_running);
	if (loop->catches)
		stop_catching(loop);
	for (size_t i = 0; i < loop->count; i++)
		free(loop->sources[i]);
	free(loop->sources);
	free(loop->polled);
	free(loop);
}

/* The first timer of the first `count` sources that is due first, or NULL. */
static struct ao_loop_source *first_timer(const struct ao_loop *loop,
					  size_t count)
{
	struct ao_loop_source *first = NULL;

	for (size_t i = 0; i < count; i++) {
		struct ao_loop_source *source = loop->sources[i];

		if (source->fd < 0 && !source->is_gone &&
		    (!first || source->due_ns < first->due_ns))
			first = source;
	}
	return first;
}

/* What to tell poll(2): milliseconds, rounded up, or -1 for ever. */
static int wait_ms(const struct ao_loop *loop, uint32_t timeout_ms)
{
	const struct ao_loop_source *timer = first_timer(loop, loop->count);
	uint64_t now_ns = ao_clock_now_ns();
	uint64_t ms = timeout_ms;

	if (timer) {
		uint64_t timer_ms = 0;

		if (timer->due_ns > now_ns)
			timer_ms = (timer->due_ns - now_ns + 999999) / 1000000;
		if (timer_ms < ms)
			ms = timer_ms;
	} else if (timeout_ms == UINT32_MAX) {
		return -1;
	}
	return ms > INT_MAX ? INT_MAX : (int)ms;
}

static void fill_polled(struct ao_loop *loop)
{
	loop->polled = ao_grow(loop->polled, &loop->polled_alloc,
			       loop->count + 1, sizeof(*loop->polled));
	for (size_t i = 0; i < loop->count; i++)
		loop->polled[i] = (struct pollfd){
			.fd = loop->sources[i]->fd, /* poll passes over -1 */
			.events = loop->sources[i]->events,
		};
	loop->polled[loop->count] = (struct pollfd){
		.fd = loop->catches ? wake_pipe[0] : -1,
		.events = POLLIN,
	};
}

/* Sources that callbacks add wait for the next step. */
static void run_callbacks(struct ao_loop *loop, size_t count)
{
	uint64_t now_ns = ao_clock_now_ns();
	struct ao_loop_source *timer;

	loop->is_running = true;
	for (size_t i = 0; i < count; i++) {
		struct ao_loop_source *source = loop->sources[i];

		if (loop->polled[i].revents && !source->is_gone)
			source->cb(source->data, loop->polled[i].revents);
	}
	while ((timer = first_timer(loop, count)) && timer->due_ns <= now_ns) {
		timer->is_gone = true;
		timer->cb(timer->data, 0);
	}
	loop->is_running = false;
	sweep(loop);
}

struct ao_error *ao_loop_step(struct ao_loop *loop, uint32_t timeout_ms)
{
	size_t count = loop->count;
	char drained[64];

	assert(!loop->is_running);
	fill_polled(loop);
	if (poll(loop->polled, count + 1, wait_ms(loop, timeout_ms)) < 0) {
		if (errno == EINTR)
			return NULL;
		return ao_error_errno("cannot wait for events");
	}
	if (loop->polled[count].revents)
		while (read(wake_pipe[0], drained, sizeof(drained)) > 0)
			;
	run_callbacks(loop, count);
	return NULL;
}
