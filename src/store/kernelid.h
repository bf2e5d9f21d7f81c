/* SPDX-License-Identifier: MIT */
/*
 * kernelid.h - which kernel a commit holds, by its tree alone.
 *
 * Records name the kernel that they are about; this tells whether a commit has
 * that kernel, without reading the kernel.
 */
#ifndef AO_STORE_KERNELID_H
#define AO_STORE_KERNELID_H

#include "store/objects.h"
#include "util/strs.h"

/* Where a file that lies in a sub-folder was found last. */
struct ao_kernelid_place {
	git_oid folder; /* the tree of the sub-folder: few attempts change it */
	git_oid blob;
};

/* The kernel files that one task.json names. */
struct ao_kernelid_task {
	git_oid json; /* the blob of task.json */
	struct ao_strs files;
	struct ao_kernelid_place *places; /* [files.count] */
};

/* All zero knows no task yet. */
struct ao_kernelids {
	struct ao_kernelid_task *tasks; /* [count] */
	size_t count;
	size_t alloc;
};

/*
 * The kernel id of a task in a commit's tree; false if the tree has no such
 * task or lacks a file of it.
 */
bool ao_kernelid_find(char out[AO_ID_SIZE], struct ao_kernelids *ids,
		      struct ao_objects *objects, const git_oid *tree,
		      const char *task);

void ao_kernelids_release(struct ao_kernelids *ids);

#endif
