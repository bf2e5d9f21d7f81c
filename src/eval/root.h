/* SPDX-License-Identifier: MIT */
/*
 * root.h - a root folder in memory, for a process in a mount namespace of its
 * own.  System calls and no more; each returns NULL, or what could not be done,
 * with errno set.
 */
#ifndef AO_EVAL_ROOT_H
#define AO_EVAL_ROOT_H

#include "util/base.h"

/* Mount an empty file system over `folder`, which nobody outside sees. */
AO_MUST_CHECK
const char *ao_root_mount(const char *folder);

/* Make it the root, read-only, and let go of the old one. */
AO_MUST_CHECK
const char *ao_root_change(const char *folder);

#endif
