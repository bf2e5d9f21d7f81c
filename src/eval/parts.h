/* SPDX-License-Identifier: MIT */
/*
 * parts.h - where the parts of a compiler lie: what it has to see to work.
 *
 * The folders of a system's own programs are known, see places.h.  A compiler
 * may be anywhere else, too: in /opt, in a user's home, in a package manager's
 * own tree; a link to another; or a script that runs the next of that name.
 */
#ifndef AO_EVAL_PARTS_H
#define AO_EVAL_PARTS_H

#include "util/strs.h"

/*
 * Push what `program`, an absolute path, needs of the file system: absolute
 * paths of folders, and of files where their folder is one that much else is
 * in, as a home.
 *
 * search_dirs  what it prints of -print-search-dirs; "" will do
 */
void ao_parts_find(struct ao_strs *out, const char *program,
		   const char *search_dirs);

#endif
