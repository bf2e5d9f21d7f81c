/* SPDX-License-Identifier: MIT */
/*
 * process.h - child processes: capped output, a deadline that kills the whole
 * group.  What a child may be asked to be, struct ao_process_spec, is in
 * spawn.h.
 */
#ifndef AO_UTIL_PROCESS_H
#define AO_UTIL_PROCESS_H

#include "util/buf.h"
#include "util/loop.h"
#include "util/spawn.h"

/* How a child ended.  All zero is empty. */
struct ao_process_end {
	char *output; /* NUL-terminated, at most max_output bytes */
	size_t output_len;
	char *errors;
	size_t errors_len;
	int status; /* exit status, or -1 */
	int signal; /* that ended it, or 0 */
	bool timed_out;
	bool is_cut; /* wrote more than was kept */
	uint64_t wall_ns;
	uint64_t cpu_ns; /* user and system, with its waited-for children */
};

void ao_process_end_release(struct ao_process_end *end);

/*
 * Run to the end.  An error means that it could not be started
 * (AO_ENOTFOUND: no such program) or watched; how it ended is in *out, which
 * the caller releases.
 */
AO_MUST_CHECK
struct ao_error *ao_process_run(struct ao_process_end *out,
				const struct ao_process_spec *spec);

/*
 * A child that lives on and is talked to by lines over its standard input and
 * output, from the loop.  Its stderr is ours.  Of `spec`, input, max_output,
 * max_errors and merge mean nothing here, and nothing is kept of it.
 */
struct ao_process;

/*
 * `line` has no newline, and is NULL once, when the child has gone: see `end`,
 * which has no output.  A line over `max_line` bytes kills the child; then
 * `end` says is_cut.  May free the process.
 */
typedef void ao_process_line_cb(void *data, const char *line, size_t len,
				const struct ao_process_end *end);

AO_MUST_CHECK
struct ao_error *ao_process_start(struct ao_process **out, struct ao_loop *loop,
				  const struct ao_process_spec *spec,
				  size_t max_line, ao_process_line_cb *cb,
				  void *data);

/* Queue bytes for its standard input; written as it takes them. */
void ao_process_send(struct ao_process *process, const void *data, size_t len);

/* Kill the group if it still runs, wait, free; no callback.  NULL is fine. */
void ao_process_free(struct ao_process *process);

#endif
