/* SPDX-License-Identifier: MIT */
/* path.h - which paths may name a file within a folder. */
#ifndef AO_MODEL_PATH_H
#define AO_MODEL_PATH_H

#include "util/base.h"

/*
 * What is wrong with a path that somebody else chose, or NULL: it must name
 * something within the folder that it is relative to, be fit to be committed,
 * and not be an option where a compiler is given it.
 */
const char *ao_path_problem(const char *path);

#endif
