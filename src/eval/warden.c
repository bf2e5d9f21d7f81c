/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "eval/order.h"
#include "eval/seccomp.h"
#include "eval/warden.h"
#include "eval/worker.h"
#include "model/library.h"
#include "util/usage.h"

const char ao_warden_name[] = "git-accelopt-warden";

/* Of our own address space, where /proc does not tell. */
static const uint64_t base_bytes_unknown = UINT64_C(1) << 32;

static uint64_t address_space_bytes(void)
{
	FILE *file = fopen("/proc/self/statm", "re");
	uint64_t pages = 0;
	char line[128];

	if (!file)
		return base_bytes_unknown;
	if (fgets(line, sizeof(line), file))
		pages = strtoull(line, NULL, 10);
	fclose(file);
	return pages ? pages * (uint64_t)sysconf(_SC_PAGESIZE)
		     : base_bytes_unknown;
}

/*
 * Load what kernels may need while there are files: in an empty root the
 * loader finds libraries by name only if they are there already.
 */
static void load_libraries(void)
{
	static const char *const names[] = { "libm.so.6", "libmvec.so.1" };

	for (size_t i = 0; i < AO_ARRAY_SIZE(names); i++)
		dlopen(names[i], RTLD_NOW | RTLD_GLOBAL);
}

/*
 * The same for what a trusted baseline is linked with.  Such a library finds
 * out about the processor and takes memory as it is loaded, which no worker
 * could: it does so here, once for all workers.  It gets one thread.
 */
static void load_trusted(uint32_t libraries)
{
	if (!libraries)
		return;
	setenv("OPENBLAS_NUM_THREADS", "1", 1);
	for (size_t i = 0; i < AO_LIBRARY_COUNT; i++)
		if (libraries >> i & 1)
			dlopen(ao_libraries[i].soname, RTLD_NOW | RTLD_GLOBAL);
}

static void *do_nothing(void *data)
{
	return data;
}

/* With its first thread the C library sets up signals, as no worker may. */
static void make_first_thread(void)
{
	pthread_t thread;

	if (!pthread_create(&thread, NULL, do_nothing, NULL))
		pthread_join(thread, NULL);
}

/*
 * OpenMP's library, which finds out about the machine as it is loaded: what it
 * finds are the CPUs for workers and as many threads.
 */
static void allow_threads(const struct ao_order *order)
{
	char count[16];

	snprintf(count, sizeof(count), "%" PRIu32,
		 order->threads ? order->threads : 1);
	setenv("OMP_NUM_THREADS", count, 1);
	setenv("OMP_THREAD_LIMIT", count, 1);
	/* Who shares a CPU with whom it waits for, waits for milliseconds. */
	setenv("GOMP_SPINCOUNT", "1000", 1);
	if (!order->threads)
		return;
	sched_setaffinity(0, sizeof(order->cpus), &order->cpus);
	dlopen("libgomp.so.1", RTLD_NOW);
	make_first_thread();
}

static void send_reply(const struct ao_reply *reply)
{
	if (send(AO_ORDER_SOCKET, reply, sizeof(*reply), MSG_NOSIGNAL) < 0)
		_exit(1);
}

/* Signals for the judge's terminal are none of ours. */
static void reset_signals(void)
{
	sigset_t none;

	for (int number = 1; number < NSIG; number++)
		if (number != SIGKILL && number != SIGSTOP)
			sigaction(number,
				  &(struct sigaction){ .sa_handler = SIG_DFL },
				  NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Until the worker has ended, or, and then it returns false, was stopped. */
static bool await_change(int *status_out, struct rusage *usage_out, pid_t pid,
			 bool has_threads)
{
	while (wait4(pid, status_out, has_threads ? WUNTRACED : 0, usage_out) <
		       0 &&
	       errno == EINTR)
		continue;
	return !WIFSTOPPED(*status_out);
}

/* Fork a worker, wait for its end and tell of it. */
static void spawn_one(const struct ao_order *order,
		      const struct ao_worker_shift *shift,
		      const char *object_path, uint64_t base_bytes)
{
	struct ao_reply reply = { .kind = AO_REPLY_ENDED };
	struct rusage usage;
	pid_t pid = fork();

	if (!pid)
		ao_worker_run(order, shift, object_path, base_bytes);
	if (pid < 0) {
		reply.status = AO_WORKER_EXIT_UNFIT << 8;
		send_reply(&reply);
		return;
	}
	while (!await_change(&reply.status, &usage, pid, order->threads))
		send_reply(&(struct ao_reply){ .kind = AO_REPLY_STOPPED });
	reply.cpu_ns = ao_usage_cpu_ns(&usage);
	send_reply(&reply);
}

static void enter_sandbox(const char **object_path_out,
			  const struct ao_order *order)
{
	struct ao_reply reply = { .kind = AO_REPLY_READY };
	const char *failed;

	failed = ao_sandbox_enter(object_path_out,
				  (enum ao_isolation)order->isolation,
				  order->has_object ? AO_ORDER_OBJECT : -1);
	if (failed) {
		reply.kind = AO_REPLY_REFUSED;
		reply.error = errno;
		snprintf(reply.text, sizeof(reply.text), "%s", failed);
	}
	/* A change of user unties a process from its parent's end. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	reply.has_seccomp = ao_seccomp_is_available();
	send_reply(&reply);
	if (failed)
		_exit(1);
}

AO_NORETURN
static void run(void)
{
	const char *object_path = NULL;
	struct ao_order order;
	struct ao_worker_shift shift;
	uint64_t base_bytes;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, "accelopt-warden");
	reset_signals();
	ao_sandbox_close_all_but(AO_ORDER_FIRST_FD, AO_ORDER_END_FD - 1);
	load_libraries();
	if (recv(AO_ORDER_SOCKET, &order, sizeof(order), 0) != sizeof(order))
		_exit(1);
	allow_threads(&order);
	load_trusted(order.libraries);
	base_bytes = address_space_bytes();
	enter_sandbox(&object_path, &order);
	while (recv(AO_ORDER_SOCKET, &shift, sizeof(shift), 0) == sizeof(shift))
		spawn_one(&order, &shift, object_path, base_bytes);
	_exit(0);
}

/* Only the judge starts programs with such a socket. */
static bool has_judge(void)
{
	int type = 0;
	socklen_t size = sizeof(type);

	return !getsockopt(AO_ORDER_SOCKET, SOL_SOCKET, SO_TYPE, &type,
			   &size) &&
	       type == SOCK_SEQPACKET;
}

/* The C library of Linux hands main()'s arguments to constructors as well. */
__attribute__((constructor)) static void start_as_warden(int argc, char **argv)
{
	if (argc == 1 && !strcmp(argv[0], ao_warden_name) && has_judge())
		run();
}
