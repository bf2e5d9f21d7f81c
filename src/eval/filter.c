/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <assert.h>
#include <linux/audit.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "eval/filter.h"

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

/* The same calls under other numbers, of the x32 kind of program. */
static const uint32_t x32_bit = UINT32_C(1) << 30;

static void emit(struct ao_filter *filter, uint16_t code, uint32_t value,
		 uint8_t if_true, uint8_t if_false)
{
	assert(filter->len < AO_FILTER_MAX_CODE);
	filter->code[filter->len++] = (struct sock_filter){
		.code = code, .jt = if_true, .jf = if_false, .k = value
	};
}

static void emit_load(struct ao_filter *filter, size_t offset)
{
	emit(filter, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void emit_return(struct ao_filter *filter, uint32_t value)
{
	emit(filter, BPF_RET | BPF_K, value, 0, 0);
}

bool ao_filter_is_available(void)
{
	uint32_t action = SECCOMP_RET_TRAP;

	return ARCHITECTURE &&
	       !syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action);
}

void ao_filter_begin(struct ao_filter *filter)
{
	filter->len = 0;
	emit_load(filter, offsetof(struct seccomp_data, arch));
	emit(filter, BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
	emit_return(filter, SECCOMP_RET_KILL_PROCESS);
	emit_load(filter, offsetof(struct seccomp_data, nr));
	emit(filter, BPF_JMP | BPF_JGE | BPF_K, x32_bit, 0, 1);
	emit_return(filter, SECCOMP_RET_TRAP);
}

/* With the call's number loaded; leaves it loaded for the next rule. */
void ao_filter_add(struct ao_filter *filter, const struct ao_filter_rule *rule,
		   uint32_t without, uint32_t with)
{
	size_t argument = offsetof(struct seccomp_data, args) +
			  rule->argument * sizeof(uint64_t);

	if (!rule->bits) {
		emit(filter, BPF_JMP | BPF_JEQ | BPF_K, rule->number, 0, 1);
		emit_return(filter, without);
		return;
	}
	emit(filter, BPF_JMP | BPF_JEQ | BPF_K, rule->number, 0, 4);
	emit_load(filter, argument);
	emit(filter, BPF_JMP | BPF_JSET | BPF_K, rule->bits, 1, 0);
	emit_return(filter, without);
	emit_return(filter, with);
}

void ao_filter_add_exact(struct ao_filter *filter, uint32_t number,
			 uint32_t argument, uint32_t value, uint32_t action)
{
	size_t offset = offsetof(struct seccomp_data, args) +
			argument * sizeof(uint64_t);

	emit(filter, BPF_JMP | BPF_JEQ | BPF_K, number, 0, 4);
	emit_load(filter, offset);
	emit(filter, BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
	emit_return(filter, action);
	emit_load(filter, offsetof(struct seccomp_data, nr));
}

bool ao_filter_install(struct ao_filter *filter, uint32_t otherwise)
{
	struct sock_fprog program = { .filter = filter->code };

	if (!ARCHITECTURE)
		return false;
	emit_return(filter, otherwise);
	program.len = filter->len;
	return !syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
			SECCOMP_FILTER_FLAG_TSYNC, &program);
}
