/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "eval/root.h"

const char *ao_root_mount(const char *folder)
{
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
		return "keep mounts private";
	if (mount("none", folder, "tmpfs", MS_NOSUID | MS_NODEV, "mode=755"))
		return "mount an empty root";
	return NULL;
}

const char *ao_root_change(const char *folder)
{
	if (chdir(folder))
		return "enter the new root";
	/* The old root comes to lie over the new one, and is taken off. */
	if (syscall(SYS_pivot_root, ".", ".") || umount2(".", MNT_DETACH) ||
	    chdir("/"))
		return "change the root";
	if (mount(NULL, "/", NULL,
		  MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV,
		  NULL))
		return "make the root read-only";
	return NULL;
}
