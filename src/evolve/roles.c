/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "agents/catalog.h"
#include "evolve/roles.h"

AO_MUST_CHECK
static struct ao_error *make_agent(struct ao_agent **out, const char *role,
				   const char *name)
{
	if (strcmp(name, "catalog") != 0)
		return ao_error_new(AO_EUSAGE,
				    "accelopt.%s: no agent is called '%s'; "
				    "there is 'catalog'",
				    role, name);
	*out = ao_catalog_new();
	return NULL;
}

struct ao_error *ao_roles_fill(struct ao_search *search)
{
	const struct ao_settings *settings = &search->self->run.settings;
	struct ao_agent *given = search->options->agent;
	struct ao_error *err;

	if (given) {
		search->planner = given;
		search->executor = given;
		search->summarizer = given;
		return NULL;
	}
	err = make_agent(&search->planner, "planner", settings->planner);
	if (!err)
		err = make_agent(&search->executor, "executor",
				 settings->executor);
	if (!err)
		err = make_agent(&search->summarizer, "summarizer",
				 settings->summarizer);
	return err;
}

/* Those that we made. */
static void free_agent(const struct ao_search *search, struct ao_agent *agent)
{
	if (agent && agent != search->options->agent)
		agent->ops->free(agent);
}

void ao_roles_release(struct ao_search *search)
{
	free_agent(search, search->planner);
	free_agent(search, search->executor);
	free_agent(search, search->summarizer);
}
