/* SPDX-License-Identifier: MIT */
/*
 * filter.h - filters of system calls, rule by rule.
 *
 * Memory on the stack and system calls, no more: filters are made in processes
 * that share their parent's memory.
 */
#ifndef AO_EVAL_FILTER_H
#define AO_EVAL_FILTER_H

#include <linux/filter.h>
#include <linux/seccomp.h>

#include "util/base.h"

enum {
	AO_FILTER_MAX_RULES = 64,
	AO_FILTER_MAX_CODE = 8 + 5 * AO_FILTER_MAX_RULES
};

struct ao_filter {
	struct sock_filter code[AO_FILTER_MAX_CODE];
	unsigned short len;
};

/* A system call, told apart by the bits of an argument. */
struct ao_filter_rule {
	uint32_t number;
	uint32_t argument;
	uint32_t bits; /* 0: whatever the arguments */
};

/* Whether filters exist for this architecture and may be installed here. */
bool ao_filter_is_available(void);

/* Ends whoever makes system calls of another architecture. */
void ao_filter_begin(struct ao_filter *filter);

/*
 * What becomes of a rule's call, SECCOMP_RET_...: `without`, or `with` where
 * the argument has any of the bits.
 */
void ao_filter_add(struct ao_filter *filter, const struct ao_filter_rule *rule,
		   uint32_t without, uint32_t with);

/* The call gets `action` if that argument's low half is `value`. */
void ao_filter_add_exact(struct ao_filter *filter, uint32_t number,
			 uint32_t argument, uint32_t value, uint32_t action);

/*
 * From now on, in all threads of this process and its children; other calls get
 * `otherwise`. Filters add up.  Returns false if there are none here.
 */
bool ao_filter_install(struct ao_filter *filter, uint32_t otherwise);

#endif
