/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>

#include "util/clone.h"

enum { STACK_BYTES = 64 << 10 };

/*
 * Nothing is copied, however much memory we hold: that of a long search takes
 * milliseconds to copy.  Meanwhile no signal handler may run, it would in both.
 */
pid_t ao_clone_and_wait(int (*run)(void *data), void *data,
			unsigned long namespaces)
{
	unsigned long flags = namespaces | CLONE_VM | CLONE_VFORK | SIGCHLD;
	bool was_dumpable = prctl(PR_GET_DUMPABLE) == 1;
	/*
	 * From the heap: a mapping would keep, beyond its end, what the address
	 * sanitizer notes about frames that are never left.
	 */
	char *stack = ao_xmalloc(STACK_BYTES);
	sigset_t all, before;
	int saved;
	pid_t pid;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	/* Else our files in /proc, the maps among them, are root's. */
	if (namespaces & CLONE_NEWUSER)
		prctl(PR_SET_DUMPABLE, 1);
	pid = clone(run, stack + STACK_BYTES, (int)flags, data);
	saved = errno;
	/* A child that becomes somebody else changes it for us, too. */
	prctl(PR_SET_DUMPABLE, was_dumpable);
	sigprocmask(SIG_SETMASK, &before, NULL);
	free(stack);
	errno = saved;
	return pid;
}
