/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "store/taskpath.h"

char *ao_taskpath(const char *task, const char *file)
{
	return ao_xstrf(AO_TASKS "/%s/%s", task, file);
}

struct ao_error *ao_taskpath_kernel_id(char out[AO_ID_SIZE],
				       struct ao_treeedit *files, size_t count)
{
	struct ao_error *err = NULL;
	git_oid id;

	if (count == 1)
		git_oid_cpy(&id, &files[0].blob);
	else
		err = ao_treeedit_apply(&id, NULL, NULL, files, count);
	if (!err)
		ao_git_hex(out, &id);
	return err;
}
