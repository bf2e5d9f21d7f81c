/* SPDX-License-Identifier: MIT */
/*
 * evaluator.h - evaluations as jobs of the event loop.
 *
 * Keeps a few judge processes (`git accelopt judge`, or behind the command
 * prefix accelopt.runner) and hands each a bundle at a time.  They take turns
 * at the machine by themselves: builds share it, timing has it alone.
 */
#ifndef AO_EVAL_EVALUATOR_H
#define AO_EVAL_EVALUATOR_H

#include "eval/request.h"
#include "util/loop.h"

struct ao_evaluator;

/*
 * runner  a command prefix such as "srun --gres=neuron:1", split at blanks;
 *         NULL: none
 * jobs    judge processes at once, >= 1
 */
AO_MUST_CHECK
struct ao_error *ao_evaluator_new(struct ao_evaluator **out,
				  struct ao_loop *loop, const char *runner,
				  uint32_t jobs);

/* Have the judges that are started from now on refuse without the sandbox. */
void ao_evaluator_require_sandbox(struct ao_evaluator *evaluator);

/*
 * Kills what still runs; who waits for it is not called back.  NULL is fine.
 * Not from a callback of its own.
 */
void ao_evaluator_free(struct ao_evaluator *evaluator);

/* Exactly one of `result` (borrowed) and `err` (now the callee's) is set. */
typedef void ao_evaluator_cb(void *data, const struct ao_result *result,
			     struct ao_error *err);

/*
 * Queue an evaluation; `cb` comes from the loop, and may submit another.  The
 * bundle is copied.  A judge that dies costs that job alone: an AO_EIO for it,
 * and a new judge for the next.  AO_ELIMIT if the bundle is too large.
 */
void ao_evaluator_submit(struct ao_evaluator *evaluator,
			 const struct ao_bundle *bundle, ao_evaluator_cb *cb,
			 void *data);

/* Submitted and not answered yet. */
size_t ao_evaluator_pending(const struct ao_evaluator *evaluator);

#endif
