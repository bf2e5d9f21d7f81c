/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "eval/filter.h"
#include "eval/seccomp.h"

/* A call is allowed, with bits unless its argument has one of them. */
static const struct ao_filter_rule common_rules[] = {
	{ SYS_futex, 0, 0 },	 { SYS_exit_group, 0, 0 },
	{ SYS_brk, 0, 0 },	 { SYS_munmap, 0, 0 },
	{ SYS_mremap, 0, 0 },	 { SYS_madvise, 0, 0 },
	{ SYS_getrandom, 0, 0 },
};
static const struct ao_filter_rule run_rules[] = {
	{ SYS_mprotect, 2, PROT_EXEC },
	{ SYS_mmap, 2, PROT_EXEC },
};
static const struct ao_filter_rule load_rules[] = {
	{ SYS_mprotect, 0, 0 },
	{ SYS_mmap, 0, 0 },
	{ SYS_read, 0, 0 },
	{ SYS_pread64, 0, 0 },
	{ SYS_lseek, 0, 0 },
	{ SYS_fstat, 0, 0 },
	{ SYS_newfstatat, 0, 0 },
	{ SYS_close, 0, 0 },
	{ SYS_close_range, 0, 0 },
	{ SYS_seccomp, 0, 0 }, /* for the next stage */
	{ SYS_openat, 2, O_WRONLY | O_RDWR | O_CREAT },
};

/* A BLAS says where the memory that it takes is to lie. */
static const struct ao_filter_rule trusted_rules[] = {
	{ SYS_mbind, 0, 0 },
};

static const struct ao_filter_rule sampled_rules[] = {
	{ SYS_rt_sigreturn, 0, 0 }, { SYS_setitimer, 0, 0 }, /* to end it */
};

/* What the C library does about threads, and OpenMP on top of it. */
static const struct ao_filter_rule threaded_rules[] = {
	{ SYS_exit, 0, 0 },
	{ SYS_set_robust_list, 0, 0 },
	{ SYS_rt_sigprocmask, 0, 0 },
	{ SYS_sched_getaffinity, 0, 0 },
	{ SYS_sched_yield, 0, 0 },
	{ SYS_gettid, 0, 0 },
	{ SYS_sigaltstack, 0, 0 },     /* sanitizers do, for each */
	{ SYS_restart_syscall, 0, 0 }, /* futex, once it was stopped */
#ifdef SYS_rseq
	{ SYS_rseq, 0, 0 },
#endif
};

/*
 * The very flags that C libraries start a thread with: a thread of this
 * process, and nothing else that clone() makes.
 */
static const uint32_t thread_flags = CLONE_VM | CLONE_FS | CLONE_FILES |
				     CLONE_SYSVSEM | CLONE_SIGHAND |
				     CLONE_THREAD | CLONE_SETTLS |
				     CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID;

static void allow(struct ao_filter *filter, const struct ao_filter_rule *rules,
		  size_t count)
{
	for (size_t i = 0; i < count; i++)
		ao_filter_add(filter, &rules[i], SECCOMP_RET_ALLOW,
			      SECCOMP_RET_TRAP);
}

/* clone3() has its flags in memory, where no filter sees them. */
static void allow_threads(struct ao_filter *filter)
{
	static const struct ao_filter_rule clone3 = { SYS_clone3, 0, 0 };

	allow(filter, threaded_rules, AO_ARRAY_SIZE(threaded_rules));
	ao_filter_add_exact(filter, SYS_clone, 0, thread_flags,
			    SECCOMP_RET_ALLOW);
	ao_filter_add_exact(filter, SYS_clone, 0, thread_flags | CLONE_DETACHED,
			    SECCOMP_RET_ALLOW);
	ao_filter_add(filter, &clone3, SECCOMP_RET_ERRNO | ENOSYS,
		      SECCOMP_RET_TRAP);
}

bool ao_seccomp_is_available(void)
{
	return ao_filter_is_available();
}

bool ao_seccomp_install(enum ao_seccomp_stage stage, unsigned also)
{
	struct ao_filter filter;

	ao_filter_begin(&filter);
	allow(&filter, common_rules, AO_ARRAY_SIZE(common_rules));
	if (also & AO_SECCOMP_TRUSTED)
		allow(&filter, trusted_rules, AO_ARRAY_SIZE(trusted_rules));
	if (also & AO_SECCOMP_SAMPLED)
		allow(&filter, sampled_rules, AO_ARRAY_SIZE(sampled_rules));
	if (also & AO_SECCOMP_THREADED)
		allow_threads(&filter);
	if (stage == AO_SECCOMP_LOAD)
		allow(&filter, load_rules, AO_ARRAY_SIZE(load_rules));
	else
		allow(&filter, run_rules, AO_ARRAY_SIZE(run_rules));
	return ao_filter_install(&filter, SECCOMP_RET_TRAP);
}

static _Atomic uint32_t *refused_word;

static void on_refusal(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)context;
	atomic_store(refused_word, 1 + (uint32_t)info->si_syscall);
	_exit(1);
}

void ao_seccomp_on_refusal(_Atomic uint32_t *word)
{
	struct sigaction action = { .sa_flags = SA_SIGINFO };

	refused_word = word;
	action.sa_sigaction = on_refusal;
	sigemptyset(&action.sa_mask);
	sigaction(SIGSYS, &action, NULL);
}

/* Those that kernels are likely to make, in words for whoever wrote it. */
static const struct {
	uint32_t number;
	const char *name;
	const char *what;
} names[] = {
	{ SYS_clone, "clone", "processes and threads" },
	{ SYS_clone3, "clone3", "processes and threads" },
	{ SYS_execve, "execve", "programs" },
#ifdef SYS_fork
	{ SYS_fork, "fork", "processes" },
	{ SYS_vfork, "vfork", "processes" },
	{ SYS_open, "open", "files" },
	{ SYS_stat, "stat", "files" },
#endif
	{ SYS_openat, "openat", "files" },
	{ SYS_newfstatat, "newfstatat", "printing and files" },
	{ SYS_fstat, "fstat", "printing and files" },
	{ SYS_ioctl, "ioctl", "printing and devices" },
	{ SYS_write, "write", "printing and files" },
	{ SYS_writev, "writev", "printing and files" },
	{ SYS_read, "read", "files" },
	{ SYS_socket, "socket", "networks" },
	{ SYS_mmap, "mmap", "memory that holds code" },
	{ SYS_mprotect, "mprotect", "memory that holds code" },
	{ SYS_rt_sigaction, "rt_sigaction", "signals" },
	{ SYS_rt_sigprocmask, "rt_sigprocmask", "abort and signals" },
	{ SYS_gettid, "gettid", "abort and signals" },
	{ SYS_getpid, "getpid", "abort and signals" },
	{ SYS_getppid, "getppid", "processes" },
	{ SYS_tgkill, "tgkill", "abort and signals" },
	{ SYS_kill, "kill", "signals" },
	{ SYS_ptrace, "ptrace", "other processes" },
	{ SYS_process_vm_readv, "process_vm_readv", "other processes" },
	{ SYS_process_vm_writev, "process_vm_writev", "other processes" },
	{ SYS_setpriority, "setpriority", "scheduling" },
	{ SYS_sched_setscheduler, "sched_setscheduler", "scheduling" },
	{ SYS_sched_setaffinity, "sched_setaffinity", "scheduling" },
	{ SYS_sched_getaffinity, "sched_getaffinity", "scheduling" },
	{ SYS_sched_yield, "sched_yield", "scheduling" },
	{ SYS_nanosleep, "nanosleep", "sleeping" },
	{ SYS_clock_nanosleep, "clock_nanosleep", "sleeping" },
	{ SYS_clock_gettime, "clock_gettime", "clocks" },
	{ SYS_memfd_create, "memfd_create", "files" },
	{ SYS_prctl, "prctl", "processes" },
};

char *ao_seccomp_explain(uint32_t number)
{
	for (size_t i = 0; i < AO_ARRAY_SIZE(names); i++)
		if (names[i].number == number)
			return ao_xstrf("system call not allowed: %s (%s)",
					names[i].name, names[i].what);
	return ao_xstrf("system call not allowed: number %" PRIu32, number);
}
