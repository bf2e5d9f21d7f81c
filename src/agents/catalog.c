/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <math.h>

#include "agents/catalog.h"
#include "agents/rank.h"
#include "agents/snippet.h"
#include "agents/task_context.h"
#include "rewrite/catalogue.h"
#include "util/limits.h"

enum { SNIPPET_LINES = 60 };

static const char agent_name[] = "catalog";

/* The file that the catalogue works on: the one that names the entry. */
static const struct ao_kernel_file *main_file(const struct ao_kernel *kernel,
					      const char *entry)
{
	for (size_t i = 0; i < kernel->count; i++)
		if (strstr(kernel->files[i].data, entry))
			return &kernel->files[i];
	return &kernel->files[0];
}

static void set_plan(struct ao_plan *out, const struct ao_kernel *kernel,
		     const struct ao_proposal *proposal)
{
	*out = (struct ao_plan){
		.title = ao_xstrdup(proposal->title),
		.text = ao_xstrdup(proposal->text),
		.agent = ao_xstrdup(agent_name),
		.move = ao_rank_name(proposal),
		.features = ao_xstrdup(proposal->features),
	};
	ao_plan_identify(out, kernel->id);
}

static void plan(struct ao_agent *agent, const struct ao_plan_request *req,
		 ao_plans_cb *cb, void *data)
{
	const struct ao_kernel_file *file = main_file(req->kernel,
						      req->task->entry);
	struct ao_proposal *proposals;
	struct ao_task_context context;
	struct ao_plan *plans;
	size_t count, chosen_count, *chosen;

	(void)agent;
	ao_task_context_init(&context, req->task, req->machine->vector_bytes);
	ao_catalogue_propose(&proposals, &count, file->data, file->len,
			     &context.rewrite, req->is_sweep);
	chosen = ao_xcalloc(req->count, sizeof(*chosen));
	chosen_count = ao_rank_choose(chosen, req->count, req->is_sweep,
				      proposals, count, req->memory,
				      req->tried);
	plans = ao_xcalloc(chosen_count, sizeof(*plans));
	for (size_t i = 0; i < chosen_count; i++)
		set_plan(&plans[i], req->kernel, &proposals[chosen[i]]);

	cb(data, plans, chosen_count, NULL);

	for (size_t i = 0; i < chosen_count; i++)
		ao_plan_release(&plans[i]);
	free(plans);
	free(chosen);
	ao_task_context_release(&context);
	ao_proposals_free(proposals, count);
}

/* The kernel with the text of one file replaced. */
static void replace_file(struct ao_kernel *out, const struct ao_kernel *kernel,
			 const struct ao_kernel_file *file,
			 const struct ao_buf *text)
{
	*out = (struct ao_kernel){ 0 };
	for (size_t i = 0; i < kernel->count; i++) {
		const struct ao_kernel_file *f = &kernel->files[i];

		if (f == file)
			ao_kernel_add(out, f->path, text->ptr, text->len);
		else
			ao_kernel_add(out, f->path, f->data, f->len);
	}
}

static void write_kernel(struct ao_agent *agent,
			 const struct ao_write_request *req, ao_kernel_cb *cb,
			 void *data)
{
	const struct ao_kernel_file *file = main_file(req->kernel,
						      req->task->entry);
	struct ao_buf text = AO_BUF_INIT(AO_MAX_KERNEL_BYTES);
	size_t name_len = strcspn(req->plan->move, " ");
	char *move = ao_xstrndup(req->plan->move, name_len);
	const char *params = req->plan->move + name_len;
	struct ao_kernel kernel = { 0 };
	struct ao_task_context context;

	(void)agent;
	params += *params == ' ';
	ao_task_context_init(&context, req->task, req->machine->vector_bytes);
	if (!ao_catalogue_apply(&text, file->data, file->len, &context.rewrite,
				move, params)) {
		cb(data, NULL, AO_VERDICT_NO_CODE,
		   "the plan does not apply to this kernel", NULL);
	} else if (text.overflow) {
		cb(data, NULL, AO_VERDICT_NO_CODE,
		   "the kernel would be too large", NULL);
	} else {
		replace_file(&kernel, req->kernel, file, &text);
		cb(data, &kernel, AO_VERDICT_NONE, NULL, NULL);
	}
	ao_kernel_release(&kernel);
	ao_buf_release(&text);
	ao_task_context_release(&context);
	free(move);
}

static void summarize(struct ao_agent *agent,
		      const struct ao_summary_request *req, ao_insight_cb *cb,
		      void *data)
{
	const char *entry = req->task->entry;
	struct ao_insight insight = { 0 };

	(void)agent;
	if (!req->plan ||
	    !ao_snippet_differ(&insight.slow_code, &insight.fast_code,
			       main_file(req->slow, entry)->data,
			       main_file(req->fast, entry)->data,
			       SNIPPET_LINES)) {
		cb(data, NULL, NULL);
		return;
	}
	insight.title = ao_xstrf("%s%s", req->plan_made_slow ? "do not " : "",
				 req->plan->title);
	insight.text = ao_xstrf(
		"%s\n\nMeasured: %s by a factor of %.2f.", req->plan->text,
		req->plan_made_slow ? "slower" : "faster", exp(req->log_gain));
	if (req->plan->features)
		insight.features = ao_xstrdup(req->plan->features);
	cb(data, &insight, NULL);
	ao_insight_release(&insight);
}

static void free_catalog(struct ao_agent *agent)
{
	free(agent);
}

static const struct ao_agent_ops ops = {
	.plan = plan,
	.write = write_kernel,
	.summarize = summarize,
	.free = free_catalog,
};

struct ao_agent *ao_catalog_new(void)
{
	struct ao_agent *agent = ao_xcalloc(1, sizeof(*agent));

	agent->ops = &ops;
	agent->name = agent_name;
	return agent;
}
