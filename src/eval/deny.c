/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <errno.h>
#include <sched.h>
#include <sys/syscall.h>

#include "eval/deny.h"
#include "eval/filter.h"

static const uint32_t not_permitted = SECCOMP_RET_ERRNO | EPERM;

/* Younger than some C libraries' headers, and the same everywhere. */
enum {
	IO_URING_SETUP = 425,
	OPEN_TREE = 428,
	MOVE_MOUNT = 429,
	FSOPEN = 430,
	FSMOUNT = 432,
	FSPICK = 433,
	PIDFD_OPEN = 434,
	CLONE3 = 435,
	PIDFD_GETFD = 438,
	MOUNT_SETATTR = 442,
};

static const uint32_t denied[] = {
	SYS_socket,
	SYS_ptrace,
	SYS_process_vm_readv,
	SYS_process_vm_writev,
	PIDFD_OPEN,
	PIDFD_GETFD,
	SYS_mount,
	SYS_umount2,
	SYS_pivot_root,
	SYS_chroot,
	SYS_setns,
	SYS_unshare,
	OPEN_TREE,
	MOVE_MOUNT,
	FSOPEN,
	FSMOUNT,
	FSPICK,
	MOUNT_SETATTR,
	SYS_open_by_handle_at,
	SYS_bpf,
	SYS_perf_event_open,
	SYS_userfaultfd,
	IO_URING_SETUP,
	SYS_keyctl,
	SYS_add_key,
	SYS_request_key,
	SYS_kexec_load,
	SYS_init_module,
	SYS_finit_module,
	SYS_delete_module,
	SYS_swapon,
	SYS_reboot,
};

static const uint32_t new_namespaces = CLONE_NEWNS | CLONE_NEWCGROUP |
				       CLONE_NEWUTS | CLONE_NEWIPC |
				       CLONE_NEWUSER | CLONE_NEWPID |
				       CLONE_NEWNET;

static void deny(struct ao_filter *filter, uint32_t number, uint32_t result)
{
	ao_filter_add(filter, &(struct ao_filter_rule){ .number = number },
		      result, result);
}

bool ao_deny_install(bool keeps_group)
{
	const struct ao_filter_rule starts = { SYS_clone, 0, new_namespaces };
	struct ao_filter filter;

	ao_filter_begin(&filter);
	ao_filter_add(&filter, &starts, SECCOMP_RET_ALLOW, not_permitted);
	/* Its flags lie in memory.  C libraries then use clone. */
	deny(&filter, CLONE3, SECCOMP_RET_ERRNO | ENOSYS);
	for (size_t i = 0; i < AO_ARRAY_SIZE(denied); i++)
		deny(&filter, denied[i], not_permitted);
	if (keeps_group) {
		deny(&filter, SYS_setsid, not_permitted);
		deny(&filter, SYS_setpgid, not_permitted);
	}
	return ao_filter_install(&filter, SECCOMP_RET_ALLOW);
}
