/* SPDX-License-Identifier: MIT */
/* The judge process: eval.h's ao_eval_serve(). */
#include "util/base.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "eval/answer.h"
#include "eval/bundle.h"
#include "eval/eval.h"
#include "eval/ladder.h"
#include "eval/session.h"
#include "util/file.h"
#include "util/limits.h"

enum { CHUNK_BYTES = 64 << 10 };

/* Lines of a descriptor. */
struct reader {
	int fd;
	struct ao_buf buf; /* read and not answered */
};

/* Who answers them. */
struct server {
	int out;
	bool requires_sandbox;
	struct ao_session *session;
};

/* Read more.  *is_end_out is set at the end of input. */
static struct ao_error *read_more(struct reader *reader, bool *is_end_out)
{
	char chunk[CHUNK_BYTES];
	ssize_t got;

	do
		got = read(reader->fd, chunk, sizeof(chunk));
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return ao_error_errno("cannot read a bundle");
	*is_end_out = !got;
	ao_buf_add(&reader->buf, chunk, (size_t)got);
	return ao_buf_check(&reader->buf, "a bundle");
}

/* The length of the first line, without its newline; SIZE_MAX: not there. */
static size_t line_len(const struct reader *reader)
{
	const char *newline = memchr(reader->buf.ptr, '\n', reader->buf.len);

	return newline ? (size_t)(newline - reader->buf.ptr) : SIZE_MAX;
}

static void drop_line(struct reader *reader, size_t len)
{
	reader->buf.len -= len + 1;
	memmove(reader->buf.ptr, reader->buf.ptr + len + 1, reader->buf.len);
}

/* What went wrong with a bundle is its answer. */
static void judge(struct ao_buf *answer, const struct server *server,
		  const char *line, size_t len)
{
	struct ao_bundle_owned bundle = { 0 };
	struct ao_result result = { 0 };
	struct ao_error *err = ao_bundle_read(&bundle, line, len);

	if (!err && server->requires_sandbox)
		err = ao_ladder_require();
	if (!err)
		err = ao_eval_in(&result, server->session, &bundle.bundle);
	ao_answer_write(answer, err ? NULL : &result, err);
	ao_buf_addstr(answer, "\n");
	ao_error_free(err);
	ao_result_release(&result);
	ao_bundle_release(&bundle);
}

static struct ao_error *answer_line(const struct server *server,
				    const char *line, size_t len)
{
	struct ao_buf answer = AO_BUF_INIT(AO_MAX_RESULT_BYTES);
	struct ao_error *err;

	judge(&answer, server, line, len);
	err = ao_buf_check(&answer, "an answer");
	if (!err && !ao_file_write_fd(server->out, answer.ptr, answer.len))
		err = ao_error_errno("cannot write an answer");
	ao_buf_release(&answer);
	return err;
}

static struct ao_error *serve(struct reader *reader,
			      const struct server *server)
{
	struct ao_error *err = NULL;
	bool is_end = false;

	while (!err && !is_end) {
		size_t len = line_len(reader);

		if (len == SIZE_MAX) {
			err = read_more(reader, &is_end);
			continue;
		}
		err = answer_line(server, reader->buf.ptr, len);
		drop_line(reader, len);
	}
	return err;
}

struct ao_error *ao_eval_serve(int in, int out, bool requires_sandbox)
{
	struct reader reader = {
		.fd = in,
		.buf = AO_BUF_INIT(AO_MAX_RESULT_BYTES + CHUNK_BYTES),
	};
	struct server server = {
		.out = out,
		.requires_sandbox = requires_sandbox,
	};
	struct ao_error *err;

	/* Who asked us is gone: nobody would read the answer. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	err = ao_session_new(&server.session);
	if (err)
		return err;
	err = serve(&reader, &server);
	ao_session_free(server.session);
	ao_buf_release(&reader.buf);
	return err;
}
