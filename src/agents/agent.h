/* SPDX-License-Identifier: MIT */
/*
 * agent.h - the roles of the search, played by the catalogue or by a model.
 *
 *   planner     a kernel, its profile and the memory in; plans out
 *   executor    a kernel and one plan in; a whole new kernel out
 *   fixer       a failing kernel and its log in; a repaired kernel out
 *   summarizer  a slow and a fast kernel in; one insight out
 *
 * An agent answers through a callback: at once, or later from the event loop
 * it was made with.  It knows no git and measures nothing.
 *
 * Source: AccelOpt, arXiv:2511.15915.
 */
#ifndef AO_AGENTS_AGENT_H
#define AO_AGENTS_AGENT_H

#include "model/kernel.h"
#include "model/memory.h"
#include "model/task.h"
#include "util/rng.h"

struct ao_agent;

struct ao_plan_request {
	const struct ao_task *task;
	const struct ao_kernel *kernel; /* to improve */
	/* Of that kernel, with remarks and hot loop if known; NULL: unknown. */
	const struct ao_result *profile;
	const struct ao_machine *machine; /* with ceilings */
	const struct ao_memory *memory;
	const struct ao_strs *tried; /* moves tried on this kernel already */
	uint32_t count;		     /* plans wanted at most */
	bool is_sweep; /* only vary the numbers of what is there */
	struct ao_rng *rng;
};

struct ao_write_request {
	const struct ao_task *task;
	const struct ao_kernel *kernel; /* the plan was made for */
	const struct ao_machine *machine;
	const struct ao_plan *plan;
	uint32_t sample; /* 0 .. K-1 */
};

struct ao_fix_request {
	struct ao_write_request write;
	const struct ao_kernel *failing;
	const struct ao_result *result; /* why it failed */
	uint32_t round;			/* 1 .. F */
};

struct ao_summary_request {
	const struct ao_task *task;
	const struct ao_kernel *slow;
	const struct ao_kernel *fast;
	double log_gain;	    /* of fast over slow, > 0 */
	const struct ao_plan *plan; /* that led from one to the other */
	bool plan_made_slow;	    /* the plan's outcome is the slow one */
};

/* `plans` [count] are the callee's to copy; best first.  0: no idea left. */
typedef void ao_plans_cb(void *data, const struct ao_plan *plans, size_t count,
			 struct ao_error *err);

/*
 * `kernel` is the callee's to copy, or NULL: then `verdict` says what was wrong
 * with the answer (NO_CODE, BAD_EDIT, ...) and `detail` why, in one line.
 */
typedef void ao_kernel_cb(void *data, const struct ao_kernel *kernel,
			  enum ao_verdict verdict, const char *detail,
			  struct ao_error *err);

/* `insight` with title, text and code set, or NULL: nothing to learn. */
typedef void ao_insight_cb(void *data, const struct ao_insight *insight,
			   struct ao_error *err);

struct ao_agent_ops {
	void (*plan)(struct ao_agent *agent, const struct ao_plan_request *req,
		     ao_plans_cb *cb, void *data);
	void (*write)(struct ao_agent *agent,
		      const struct ao_write_request *req, ao_kernel_cb *cb,
		      void *data);
	/* NULL: it cannot repair. */
	void (*fix)(struct ao_agent *agent, const struct ao_fix_request *req,
		    ao_kernel_cb *cb, void *data);
	void (*summarize)(struct ao_agent *agent,
			  const struct ao_summary_request *req,
			  ao_insight_cb *cb, void *data);
	void (*free)(struct ao_agent *agent);
};

/* What every agent begins with. */
struct ao_agent {
	const struct ao_agent_ops *ops;
	const char *name; /* "catalog" or the model's name; as recorded */
};

#endif
