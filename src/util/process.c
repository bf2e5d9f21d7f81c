/* SPDX-License-Identifier: MIT */
/*
 * A child is over when its first process has gone, not when its output ends:
 * a grandchild may keep the pipe open for ever.  So the process itself is
 * watched, by a pidfd; then its group is killed and what is left in the pipes
 * is read.
 */
#include "util/base.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/clock.h"
#include "util/file.h"
#include "util/process.h"
#include "util/usage.h"

/* How often to look where the kernel has no pidfd (before 5.3). */
enum { LOOK_EVERY_MS = 5 };

/* The most that is read from a pipe after the child has gone. */
enum { MAX_DRAIN_BYTES = 1 << 20 };

/* One end of a pipe to the child. */
struct channel {
	struct ao_process *process;
	int fd; /* -1: closed */
	struct ao_loop_source *source;
	struct ao_buf buf; /* read and not handed on; or still to be written */
	size_t written;	   /* bytes of buf */
};

struct ao_process {
	struct ao_loop *loop;
	pid_t pid;		      /* 0: gone */
	int pid_fd;		      /* -1: none */
	struct ao_loop_source *watch; /* of pid_fd, or a timer */
	struct ao_loop_source *deadline;
	struct channel in;
	struct channel out;
	struct channel err;
	size_t max_line;
	ao_process_line_cb *cb; /* NULL: output is kept, not handed on */
	void *data;
	struct ao_process_end end;
	uint64_t started_ns;
	bool is_over;
	bool is_busy;  /* in `cb` */
	bool is_freed; /* by `cb` */
};

void ao_process_end_release(struct ao_process_end *end)
{
	free(end->output);
	free(end->errors);
	*end = (struct ao_process_end){ 0 };
}

static void close_channel(struct channel *channel)
{
	ao_loop_remove(channel->process->loop, channel->source);
	channel->source = NULL;
	if (channel->fd >= 0)
		close(channel->fd);
	channel->fd = -1;
}

static void kill_group(const struct ao_process *process)
{
	kill(-process->pid, SIGKILL);
	kill(process->pid, SIGKILL); /* in case it left its group */
}

/* Hand a line on.  Returns false if the process was freed by that. */
static bool call_back(struct ao_process *process, const char *line, size_t len)
{
	process->is_busy = true;
	process->cb(process->data, line, len, line ? NULL : &process->end);
	process->is_busy = false;
	return !process->is_freed;
}

/* Hand on the whole lines of `out`; at the end also what is left. */
static void hand_on_lines(struct ao_process *process, bool is_end)
{
	struct ao_buf *buf = &process->out.buf;
	size_t from = 0;

	while (from < buf->len) {
		char *line = buf->ptr + from;
		char *newline = memchr(line, '\n', buf->len - from);
		size_t len = newline ? (size_t)(newline - line)
				     : buf->len - from;

		if (len > process->max_line) {
			process->end.is_cut = true;
			if (process->pid)
				kill_group(process);
			from = buf->len;
			break;
		}
		if (!newline && !is_end)
			break;
		line[len] = '\0';
		if (!call_back(process, line, len))
			return;
		from += len + (newline ? 1 : 0);
	}
	buf->len -= from;
	memmove(buf->ptr, buf->ptr + from, buf->len);
}

/* Take in what was read, up to the limit of the buffer. */
static void take_in(struct channel *channel, const char *data, size_t len)
{
	struct ao_process *process = channel->process;
	size_t room = channel->buf.max - channel->buf.len;

	if (process->cb && process->end.is_cut)
		return; /* it is being killed for a line too long */
	if (len > room) {
		process->end.is_cut = true;
		len = room;
	}
	ao_buf_add(&channel->buf, data, len);
	if (process->cb)
		hand_on_lines(process, false);
}

/*
 * Read once.  Returns how many bytes that were; 0 at the end, when nothing is
 * there now, or when the process was freed.
 */
static size_t read_some(struct channel *channel)
{
	struct ao_process *process = channel->process;
	char chunk[16384];
	ssize_t got = read(channel->fd, chunk, sizeof(chunk));

	if (got < 0 && (errno == EINTR || errno == EAGAIN))
		return 0;
	if (got <= 0) {
		close_channel(channel);
		return 0;
	}
	take_in(channel, chunk, (size_t)got);
	return process->is_freed ? 0 : (size_t)got;
}

static void drain(struct channel *channel)
{
	size_t total = 0;
	size_t got = 1;

	while (got && channel->fd >= 0 && total < MAX_DRAIN_BYTES) {
		got = read_some(channel);
		total += got;
	}
}

static void destroy(struct ao_process *process)
{
	close_channel(&process->in);
	close_channel(&process->out);
	close_channel(&process->err);
	ao_buf_release(&process->in.buf);
	ao_buf_release(&process->out.buf);
	ao_buf_release(&process->err.buf);
	ao_loop_remove(process->loop, process->watch);
	ao_loop_remove(process->loop, process->deadline);
	if (process->pid_fd >= 0)
		close(process->pid_fd);
	ao_process_end_release(&process->end);
	free(process);
}

/*
 * Kill what is left of the group, then reap the child.  In this order: the
 * group's number is not given to others while its leader is a zombie.
 */
static void reap(struct ao_process *process)
{
	struct rusage usage = { 0 };
	int status = 0;
	pid_t pid;

	kill_group(process);
	do
		pid = wait4(process->pid, &status, 0, &usage);
	while (pid < 0 && errno == EINTR);
	process->pid = 0;
	process->end.wall_ns = ao_clock_now_ns() - process->started_ns;
	process->end.cpu_ns = ao_usage_cpu_ns(&usage);
	process->end.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	process->end.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

/* Whether the child has gone; it stays a zombie. */
static bool has_gone(const struct ao_process *process)
{
	siginfo_t info = { 0 };

	if (waitid(P_PID, (id_t)process->pid, &info,
		   WEXITED | WNOHANG | WNOWAIT))
		return errno != EINTR;
	return info.si_pid == process->pid;
}

static void finish(struct ao_process *process)
{
	reap(process);
	ao_loop_remove(process->loop, process->watch);
	ao_loop_remove(process->loop, process->deadline);
	process->watch = NULL;
	process->deadline = NULL;
	close_channel(&process->in);
	drain(&process->err);
	if (!process->is_freed)
		drain(&process->out);
	if (process->cb && !process->is_freed && !process->end.is_cut)
		hand_on_lines(process, true);
	process->is_over = true;
	if (process->cb && !process->is_freed)
		call_back(process, NULL, 0);
}

static void on_exit_check(void *data, short revents)
{
	struct ao_process *process = data;

	if (!revents) /* a timer, which has gone */
		process->watch = NULL;
	if (has_gone(process))
		finish(process);
	else if (!process->watch)
		process->watch = ao_loop_timer(process->loop, LOOK_EVERY_MS,
					       on_exit_check, process);
	if (process->is_freed)
		destroy(process);
}

static void on_deadline(void *data, short revents)
{
	struct ao_process *process = data;

	(void)revents;
	process->deadline = NULL;
	process->end.timed_out = true;
	kill_group(process);
}

static void on_readable(void *data, short revents)
{
	struct channel *channel = data;
	struct ao_process *process = channel->process;

	(void)revents;
	read_some(channel);
	if (process->is_freed)
		destroy(process);
}

/* write(2), but a child that has closed its input does not kill us. */
static ssize_t write_quietly(int fd, const void *data, size_t len)
{
	const struct timespec at_once = { 0 };
	sigset_t pipe_signal, old;
	ssize_t done;
	int saved;

	sigemptyset(&pipe_signal);
	sigaddset(&pipe_signal, SIGPIPE);
	sigprocmask(SIG_BLOCK, &pipe_signal, &old);
	done = write(fd, data, len);
	saved = errno;
	if (done < 0 && saved == EPIPE)
		sigtimedwait(&pipe_signal, NULL, &at_once);
	sigprocmask(SIG_SETMASK, &old, NULL);
	errno = saved;
	return done;
}

static void on_writable(void *data, short revents)
{
	struct channel *in = data;
	ssize_t done = write_quietly(in->fd, in->buf.ptr + in->written,
				     in->buf.len - in->written);

	(void)revents;
	if (done < 0 && errno != EAGAIN && errno != EINTR) {
		close_channel(in);
		return;
	}
	if (done > 0)
		in->written += (size_t)done;
	if (in->written < in->buf.len)
		return;
	ao_buf_release(&in->buf);
	in->written = 0;
	ao_loop_remove(in->process->loop, in->source);
	in->source = NULL;
}

/* Our end of a pipe, watched for what the child writes. */
static void open_reader(struct channel *channel, int fd, size_t max)
{
	fcntl(fd, F_SETFL, O_NONBLOCK);
	channel->fd = fd;
	channel->buf.max = max;
	channel->source = ao_loop_watch(channel->process->loop, fd, POLLIN,
					on_readable, channel);
}

static struct channel no_channel(struct ao_process *process)
{
	return (struct channel){
		.process = process,
		.fd = -1,
		.buf = AO_BUF_INIT(SIZE_MAX / 4),
	};
}

static struct ao_process *new_process(struct ao_loop *loop)
{
	struct ao_process *process = ao_xcalloc(1, sizeof(*process));

	process->loop = loop;
	process->pid_fd = -1;
	process->in = no_channel(process);
	process->out = no_channel(process);
	process->err = no_channel(process);
	return process;
}

/* Spawn, then watch for its end and its deadline. */
static struct ao_error *begin(struct ao_process *process,
			      const struct ao_process_spec *spec,
			      const struct ao_spawn_fds *fds)
{
	struct ao_error *err;

	process->started_ns = ao_clock_now_ns();
	err = ao_spawn(&process->pid, spec, fds);
	if (err)
		return err;
	process->pid_fd = (int)syscall(SYS_pidfd_open, process->pid, 0);
	if (process->pid_fd >= 0)
		process->watch = ao_loop_watch(process->loop, process->pid_fd,
					       POLLIN, on_exit_check, process);
	else
		process->watch = ao_loop_timer(process->loop, LOOK_EVERY_MS,
					       on_exit_check, process);
	if (spec->timeout_ms)
		process->deadline = ao_loop_timer(
			process->loop, spec->timeout_ms, on_deadline, process);
	return NULL;
}

/* A file in memory to read from: no pipe to feed, no limit to mind. */
static struct ao_error *open_input(int *fd_out,
				   const struct ao_process_spec *spec)
{
	int fd;

	fd = spec->input ? memfd_create("input", MFD_CLOEXEC)
			 : open("/dev/null", O_RDONLY | O_CLOEXEC);
	fd = ao_spawn_raise_fd(fd);
	if (fd < 0)
		return ao_error_errno("cannot make the input of '%s'",
				      spec->argv[0]);
	if (spec->input &&
	    !ao_file_write_fd(fd, spec->input, spec->input_len)) {
		struct ao_error *err = ao_error_errno(
			"cannot write the input of '%s'", spec->argv[0]);

		close(fd);
		return err;
	}
	lseek(fd, 0, SEEK_SET);
	*fd_out = fd;
	return NULL;
}

static void close_all(const int *fds, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (fds[i] >= 0)
			close(fds[i]);
}

/* Start a child of which the output is kept. */
static struct ao_error *begin_run(struct ao_process *process,
				  const struct ao_process_spec *spec)
{
	int out[2] = { -1, -1 };
	int err_ends[2] = { -1, -1 };
	int in = -1;
	struct ao_error *err;

	err = open_input(&in, spec);
	if (!err && spec->max_output)
		err = ao_spawn_pipe(out);
	if (!err && spec->max_errors && !spec->merge)
		err = ao_spawn_pipe(err_ends);
	if (!err)
		err = begin(process, spec,
			    &(struct ao_spawn_fds){ in, out[1], err_ends[1] });
	if (!err && out[0] >= 0) {
		open_reader(&process->out, out[0], spec->max_output);
		out[0] = -1;
	}
	if (!err && err_ends[0] >= 0) {
		open_reader(&process->err, err_ends[0], spec->max_errors);
		err_ends[0] = -1;
	}
	close_all(out, 2);
	close_all(err_ends, 2);
	close_all(&in, 1);
	return err;
}

struct ao_error *ao_process_run(struct ao_process_end *out,
				const struct ao_process_spec *spec)
{
	struct ao_loop *loop = ao_loop_new();
	struct ao_process *process = new_process(loop);
	struct ao_error *err;

	err = begin_run(process, spec);
	while (!err && !process->is_over)
		err = ao_loop_step(loop, UINT32_MAX);
	if (!err) {
		process->end.output_len = process->out.buf.len;
		process->end.output = ao_buf_take(&process->out.buf);
		process->end.errors_len = process->err.buf.len;
		process->end.errors = ao_buf_take(&process->err.buf);
		*out = process->end;
		process->end = (struct ao_process_end){ 0 };
	}
	ao_process_free(process);
	ao_loop_free(loop);
	return err;
}

struct ao_error *ao_process_start(struct ao_process **out, struct ao_loop *loop,
				  const struct ao_process_spec *spec,
				  size_t max_line, ao_process_line_cb *cb,
				  void *data)
{
	struct ao_process_spec talk = *spec;
	struct ao_process *process = new_process(loop);
	int in[2] = { -1, -1 };
	int lines[2] = { -1, -1 };
	struct ao_error *err;

	talk.merge = false;
	process->max_line = max_line;
	process->cb = cb;
	process->data = data;
	err = ao_spawn_pipe(in);
	if (!err)
		err = ao_spawn_pipe(lines);
	if (!err)
		err = begin(process, &talk,
			    &(struct ao_spawn_fds){ in[0], lines[1], -1 });
	if (err) {
		close_all(in, 2);
		close_all(lines, 2);
		ao_process_free(process);
		return err;
	}
	close(in[0]);
	close(lines[1]);
	fcntl(in[1], F_SETFL, O_NONBLOCK);
	process->in.fd = in[1];
	open_reader(&process->out, lines[0], SIZE_MAX / 4);
	*out = process;
	return NULL;
}

void ao_process_send(struct ao_process *process, const void *data, size_t len)
{
	struct channel *in = &process->in;

	if (in->fd < 0 || !len)
		return; /* it will not read: its end tells */
	ao_buf_add(&in->buf, data, len);
	if (!in->source)
		in->source = ao_loop_watch(process->loop, in->fd, POLLOUT,
					   on_writable, in);
}

void ao_process_free(struct ao_process *process)
{
	if (!process)
		return;
	if (process->pid)
		reap(process);
	process->is_freed = true;
	if (!process->is_busy)
		destroy(process);
}
