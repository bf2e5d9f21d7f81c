/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "eval/cage.h"
#include "eval/keeper.h"
#include "eval/ladder.h"
#include "eval/toolchain.h"

void ao_ladder_kernels(struct ao_rung *out)
{
	static const int no_fds[AO_ORDER_END_FD - AO_ORDER_FIRST_FD] = { -1, -1,
									 -1, -1,
									 -1 };
	static const char *level;
	struct ao_keeper keeper = { 0 };
	struct ao_order order = { 0 };
	struct ao_error *err;

	if (!level) {
		err = ao_keeper_start(&keeper, &order, no_fds);
		/* Nothing can be judged then, and judging will say why. */
		level = err ? "none" : ao_keeper_level(&keeper);
		ao_error_free(err);
		ao_keeper_kill(&keeper);
	}
	*out = (struct ao_rung){ level, ao_keeper_why() };
}

void ao_ladder_compilers(struct ao_rung *out)
{
	struct ao_compiler compiler = { 0 };
	struct ao_error *err = NULL;

	if (ao_cage_isolation() == AO_ISOLATION_COUNT) {
		err = ao_toolchain_find(&compiler, NULL);
		if (!err)
			err = ao_toolchain_try(&compiler);
	}
	ao_error_free(err);
	ao_compiler_release(&compiler);
	*out = (struct ao_rung){ ao_cage_level(), ao_cage_why() };
}

static struct ao_error *complain(const char *whose, const struct ao_rung *rung)
{
	return ao_error_new(AO_ENOTFOUND,
			    "accelopt.sandbox requires namespaces, but %s here "
			    "can have '%s' at best%s%s; 'git accelopt doctor' "
			    "says what to do",
			    whose, rung->level, rung->why ? ": " : "",
			    rung->why ? rung->why : "");
}

struct ao_error *ao_ladder_require(void)
{
	struct ao_rung rung;

	ao_ladder_kernels(&rung);
	if (strcmp(rung.level, "namespaces") != 0)
		return complain("kernels", &rung);
	ao_ladder_compilers(&rung);
	if (strcmp(rung.level, "namespaces") != 0)
		return complain("compilers", &rung);
	ao_cage_require_namespaces();
	return NULL;
}
