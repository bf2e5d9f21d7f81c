/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "eval/keeper.h"
#include "eval/launch.h"
#include "util/usage.h"

/* What a new program may take to start and build its sandbox. */
enum { START_TIMEOUT_MS = 30000 };

static struct ao_error *make_socket(int ends[2])
{
	int on = 1;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		return ao_error_errno("cannot make a socket");
	/* Workers are known by the credentials of their first message. */
	setsockopt(ends[0], SOL_SOCKET, SO_PASSCRED, &on, sizeof(on));
	return NULL;
}

/* Send the order and hear whether the sandbox stands. */
static struct ao_error *give_order(struct ao_keeper *keeper,
				   const struct ao_order *order)
{
	struct ao_reply reply;

	if (send(keeper->socket, order, sizeof(*order), MSG_NOSIGNAL) < 0)
		return ao_error_errno("cannot talk to the sandbox");
	if (ao_keeper_hear(&reply, NULL, keeper, START_TIMEOUT_MS) !=
	    AO_HEARD_REPLY)
		return ao_error_new(AO_EIO, "the sandbox did not start");
	if (reply.kind != AO_REPLY_READY) {
		errno = reply.error;
		return ao_error_errno("the sandbox cannot %s", reply.text);
	}
	keeper->has_seccomp = reply.has_seccomp;
	return NULL;
}

static struct ao_error *try_isolation(struct ao_keeper *out,
				      enum ao_isolation isolation,
				      struct ao_order *order, const int *fds)
{
	struct ao_keeper keeper = { .isolation = isolation };
	int all_fds[AO_ORDER_END_FD - AO_ORDER_FIRST_FD];
	struct ao_error *err;
	int ends[2];

	err = make_socket(ends);
	if (err)
		return err;
	memcpy(all_fds, fds, sizeof(all_fds));
	all_fds[AO_ORDER_SOCKET - AO_ORDER_FIRST_FD] = ends[1];
	keeper.socket = ends[0];
	err = ao_launch_warden(&keeper.warden, isolation, all_fds);
	close(ends[1]);
	if (err) {
		close(ends[0]);
		return err;
	}
	order->isolation = isolation;
	err = give_order(&keeper, order);
	if (err) {
		ao_keeper_kill(&keeper);
		return err;
	}
	*out = keeper;
	return NULL;
}

/* The way that is taken, and why none before it. */
static struct {
	enum ao_isolation isolation;
	char *why;
} chosen = { .isolation = AO_ISOLATION_COUNT };

/*
 * The best that worked the first time is all that will do from then on: a
 * process that cannot be started for a moment must not cost the sandbox.
 */
struct ao_error *ao_keeper_start(struct ao_keeper *out, struct ao_order *order,
				 const int *fds)
{
	struct ao_error *err = NULL;

	if (chosen.isolation != AO_ISOLATION_COUNT)
		return try_isolation(out, chosen.isolation, order, fds);
	for (int i = AO_ISOLATION_ROOT; i < AO_ISOLATION_COUNT; i++) {
		enum ao_isolation isolation = (enum ao_isolation)i;

		ao_error_free(err);
		err = try_isolation(out, isolation, order, fds);
		if (!err) {
			chosen.isolation = isolation;
			return NULL;
		}
		ao_isolation_note_failure(&chosen.why, isolation, err);
	}
	return err;
}

const char *ao_keeper_level(const struct ao_keeper *keeper)
{
	return ao_isolation_name(keeper->isolation, keeper->has_seccomp);
}

const char *ao_keeper_why(void)
{
	return chosen.why;
}

bool ao_keeper_spawn(struct ao_keeper *keeper,
		     const struct ao_worker_shift *shift)
{
	return send(keeper->socket, shift, sizeof(*shift), MSG_NOSIGNAL) ==
	       sizeof(*shift);
}

/* Who sent a message; 0 if it does not say. */
static pid_t sender_of(struct msghdr *message)
{
	struct cmsghdr *header = CMSG_FIRSTHDR(message);
	struct ucred who = { 0 };

	for (; header; header = CMSG_NXTHDR(message, header))
		if (header->cmsg_level == SOL_SOCKET &&
		    header->cmsg_type == SCM_CREDENTIALS)
			memcpy(&who, CMSG_DATA(header), sizeof(who));
	return who.pid;
}

enum ao_heard ao_keeper_hear(struct ao_reply *out, pid_t *sender_out,
			     struct ao_keeper *keeper, int timeout_ms)
{
	struct pollfd fd = { .fd = keeper->socket, .events = POLLIN };
	struct iovec part = { .iov_base = out, .iov_len = sizeof(*out) };
	union {
		struct cmsghdr header; /* for its alignment */
		char space[CMSG_SPACE(sizeof(struct ucred))];
	} control;
	struct msghdr message = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	ssize_t len;

	while (timeout_ms && poll(&fd, 1, timeout_ms) < 0)
		if (errno != EINTR)
			return AO_HEARD_NOTHING;
	len = recvmsg(keeper->socket, &message, MSG_DONTWAIT);
	if (len < 0)
		return errno == EAGAIN || errno == EINTR ? AO_HEARD_NOTHING
							 : AO_HEARD_END;
	if (len != sizeof(*out))
		return AO_HEARD_END;
	if (sender_out)
		*sender_out = sender_of(&message);
	return AO_HEARD_REPLY;
}

uint64_t ao_keeper_kill(struct ao_keeper *keeper)
{
	struct rusage usage = { 0 };

	if (!keeper->warden)
		return 0;
	/* The group, for workers where there is no namespace to end. */
	kill(-keeper->warden, SIGKILL);
	kill(keeper->warden, SIGKILL);
	while (wait4(keeper->warden, NULL, 0, &usage) < 0 && errno == EINTR)
		continue;
	close(keeper->socket);
	*keeper = (struct ao_keeper){ 0 };
	return ao_usage_cpu_ns(&usage);
}
