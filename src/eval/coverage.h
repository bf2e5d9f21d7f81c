/* SPDX-License-Identifier: MIT */
/*
 * coverage.h - does every part of the inputs matter to a reference, and every
 * part of the outputs depend on them?
 *
 * Each input is cut into a few blocks, which one after the other are drawn
 * anew.  A block that changes nothing is read by no kernel for long, and an
 * output that never changes is written as a constant.
 */
#ifndef AO_EVAL_COVERAGE_H
#define AO_EVAL_COVERAGE_H

#include "model/task.h"
#include "util/buf.h"

/*
 * Look at a case.  Sentences about what does not matter or change are appended
 * to *out, split by "; "; nothing if all is well.  AO_EINVALID and AO_ELIMIT as
 * of ao_dataset_make().
 */
AO_MUST_CHECK
struct ao_error *ao_coverage_look(struct ao_buf *out,
				  const struct ao_task *task,
				  const struct ao_case *c, uint64_t seed);

#endif
