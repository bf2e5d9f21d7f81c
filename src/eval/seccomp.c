/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <assert.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "eval/seccomp.h"

/*
 * Where the numbers of system calls are not known to mean what they say, there
 * is no filter.  A big-endian machine would also need the other half of each
 * argument.
 */
#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__) && !defined(__AARCH64EB__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#define ARCHITECTURE 0
#endif

/* A system call is allowed if its argument has none of the bits. */
struct rule {
	uint32_t number;
	uint32_t argument;
	uint32_t bits; /* 0: always allowed */
};

static const struct rule common_rules[] = {
	{ SYS_futex, 0, 0 },	 { SYS_exit_group, 0, 0 },
	{ SYS_brk, 0, 0 },	 { SYS_munmap, 0, 0 },
	{ SYS_mremap, 0, 0 },	 { SYS_madvise, 0, 0 },
	{ SYS_getrandom, 0, 0 },
};
static const struct rule run_rules[] = {
	{ SYS_mprotect, 2, PROT_EXEC },
	{ SYS_mmap, 2, PROT_EXEC },
};
static const struct rule load_rules[] = {
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
static const struct rule trusted_rules[] = {
	{ SYS_mbind, 0, 0 },
};

enum { MAX_INSTRUCTIONS = 6 + 4 * 32 };

struct program {
	struct sock_filter code[MAX_INSTRUCTIONS];
	unsigned short len;
};

static void emit(struct program *program, uint16_t code, uint32_t value,
		 uint8_t if_true, uint8_t if_false)
{
	assert(program->len < MAX_INSTRUCTIONS);
	program->code[program->len++] = (struct sock_filter){
		.code = code, .jt = if_true, .jf = if_false, .k = value
	};
}

static void emit_load(struct program *program, size_t offset)
{
	emit(program, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void emit_return(struct program *program, uint32_t value)
{
	emit(program, BPF_RET | BPF_K, value, 0, 0);
}

/* With the call's number loaded; leaves it loaded for the next rule. */
static void emit_rule(struct program *program, const struct rule *rule)
{
	size_t argument = offsetof(struct seccomp_data, args) +
			  rule->argument * sizeof(uint64_t);

	if (!rule->bits) {
		emit(program, BPF_JMP | BPF_JEQ | BPF_K, rule->number, 0, 1);
		emit_return(program, SECCOMP_RET_ALLOW);
		return;
	}
	emit(program, BPF_JMP | BPF_JEQ | BPF_K, rule->number, 0, 4);
	emit_load(program, argument);
	emit(program, BPF_JMP | BPF_JSET | BPF_K, rule->bits, 1, 0);
	emit_return(program, SECCOMP_RET_ALLOW);
	emit_return(program, SECCOMP_RET_TRAP);
}

static void emit_rules(struct program *program, const struct rule *rules,
		       size_t count)
{
	for (size_t i = 0; i < count; i++)
		emit_rule(program, &rules[i]);
}

static void emit_program(struct program *program, enum ao_seccomp_stage stage,
			 bool is_trusted)
{
	emit_load(program, offsetof(struct seccomp_data, arch));
	emit(program, BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
	emit_return(program, SECCOMP_RET_KILL_PROCESS);
	emit_load(program, offsetof(struct seccomp_data, nr));
	emit_rules(program, common_rules, AO_ARRAY_SIZE(common_rules));
	if (is_trusted)
		emit_rules(program, trusted_rules,
			   AO_ARRAY_SIZE(trusted_rules));
	if (stage == AO_SECCOMP_LOAD)
		emit_rules(program, load_rules, AO_ARRAY_SIZE(load_rules));
	else
		emit_rules(program, run_rules, AO_ARRAY_SIZE(run_rules));
	emit_return(program, SECCOMP_RET_TRAP);
}

bool ao_seccomp_is_available(void)
{
	uint32_t action = SECCOMP_RET_TRAP;

	return ARCHITECTURE &&
	       !syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action);
}

bool ao_seccomp_install(enum ao_seccomp_stage stage, bool is_trusted)
{
	struct program program = { .len = 0 };
	struct sock_fprog filter;

	if (!ARCHITECTURE)
		return false;
	emit_program(&program, stage, is_trusted);
	filter = (struct sock_fprog){ .len = program.len,
				      .filter = program.code };
	return !syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter);
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
