/* SPDX-License-Identifier: MIT */
/*
 * bundle.h - bundles as JSON on one line, as they travel from an evaluator to
 * a judge.
 */
#ifndef AO_EVAL_BUNDLE_H
#define AO_EVAL_BUNDLE_H

#include "eval/request.h"

/* Append the bundle, without newline; ao_buf_check() tells if it fitted. */
void ao_bundle_write(struct ao_buf *out, const struct ao_bundle *bundle);

/* A bundle that owns what it points at.  All zero is empty. */
struct ao_bundle_owned {
	struct ao_bundle bundle;
	struct ao_task *task;
	struct ao_kernel candidate;
	struct ao_kernel *opponents;
	struct ao_strs cases;
	struct ao_machine machine;
};

/*
 * Read a bundle.  AO_EINVALID names the field, of the bundle or of the task in
 * it, that is wrong; AO_ELIMIT if it is too large.  The caller releases *out.
 */
AO_MUST_CHECK
struct ao_error *ao_bundle_read(struct ao_bundle_owned *out, const char *text,
				size_t len);
void ao_bundle_release(struct ao_bundle_owned *bundle);

#endif
