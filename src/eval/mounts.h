/* SPDX-License-Identifier: MIT */
/*
 * mounts.h - a root folder for a compiler: the system's folders of programs and
 * libraries and what else it needs to see, all read-only, an own /proc, a few
 * devices, and one folder that it may write to.  Nothing else is there: no
 * homes, no /etc, no /tmp.
 *
 * It is planned by whoever starts the compiler, and made by the new process,
 * which makes system calls and no more.
 */
#ifndef AO_EVAL_MOUNTS_H
#define AO_EVAL_MOUNTS_H

#include "util/strs.h"

/* One step on the way, in the order of mounts.c.  All zero is empty. */
struct ao_mounts {
	struct ao_mount_step *steps; /* [count] */
	size_t count;
	size_t alloc;
	const char *base;   /* an empty file system is mounted over it */
	char *folder;	    /* that is writable, or NULL */
	char *folder_there; /* the same below `base` */
};

/* The folders of a system that any compiler may need; absent ones too. */
extern const char *const ao_mounts_system[];
extern const size_t ao_mounts_system_count;

/* Devices that anybody may write to. */
extern const char *const ao_mounts_devices[];
extern const size_t ao_mounts_device_count;

/*
 * parts   what a compiler needs besides, see parts.h
 * folder  where it may write, an absolute path; NULL: nowhere
 */
void ao_mounts_plan(struct ao_mounts *out, const struct ao_strs *parts,
		    const char *folder);
void ao_mounts_release(struct ao_mounts *mounts);

/*
 * Make it, in a mount namespace of this process's own.  Returns NULL, or what
 * could not be done, with errno set.
 */
AO_MUST_CHECK
const char *ao_mounts_make(const struct ao_mounts *mounts);

#endif
