/* SPDX-License-Identifier: MIT */
/* file.h - whole files and folders. */
#ifndef AO_UTIL_FILE_H
#define AO_UTIL_FILE_H

#include "util/buf.h"
#include "util/strs.h"

/*
 * Append a whole file to `out`.  AO_ENOTFOUND if there is none, AO_ELIMIT if
 * it does not fit the buffer, AO_EINVALID if it is not a regular file.
 */
AO_MUST_CHECK
struct ao_error *ao_file_read(struct ao_buf *out, const char *path);

/* Write a file that did not exist or may be lost on a crash. */
AO_MUST_CHECK
struct ao_error *ao_file_write(const char *path, const void *data, size_t len);

/* Write all of it to a descriptor; false and errno if that fails. */
bool ao_file_write_fd(int fd, const void *data, size_t len);

/*
 * Write what a user asked for under a name: a file is replaced at once, also
 * behind a symbolic link; a device or a pipe is written to.  The check says
 * what can be said before there is anything to write.
 */
AO_MUST_CHECK
struct ao_error *ao_file_output(const char *path, const void *data, size_t len);
AO_MUST_CHECK
struct ao_error *ao_file_output_check(const char *path);

/*
 * Replace a file at once: written beside it, synced, renamed.  Readers see the
 * old or the new bytes, also after a crash.
 */
AO_MUST_CHECK
struct ao_error *ao_file_replace(const char *path, const void *data,
				 size_t len);

/* Make what was created or renamed in a folder survive a crash. */
AO_MUST_CHECK
struct ao_error *ao_file_sync_folder(const char *path);

/* Make a folder and those above it; fine if it is there. */
AO_MUST_CHECK
struct ao_error *ao_file_make_folder(const char *path);

/* Make a new folder under $TMPDIR or /tmp; the caller frees *path_out. */
AO_MUST_CHECK
struct ao_error *ao_file_temp_folder(char **path_out);

/* Remove a folder and all in it, links not followed; errors are ignored. */
void ao_file_remove_tree(const char *path);

/* The names in a folder, sorted, without . and .. */
AO_MUST_CHECK
struct ao_error *ao_file_list(struct ao_strs *names_out, const char *path);

bool ao_file_exists(const char *path);

/*
 * $XDG_CACHE_HOME/git-accelopt (else ~/.cache/git-accelopt), made if missing;
 * the caller frees *path_out.
 */
AO_MUST_CHECK
struct ao_error *ao_file_cache_folder(char **path_out);

/* The path of the running program; the caller frees *path_out. */
AO_MUST_CHECK
struct ao_error *ao_file_self(char **path_out);

#endif
