/* SPDX-License-Identifier: MIT */
/* The embedded agent in its three roles, on a kernel of two products. */
#include "tap.h"

#include "agents/catalog.h"

static const char task_json[] =
	"{ \"v\": 1, \"name\": \"t\", \"op_type\": \"x\", \"target\": \"c\","
	"\"axes\": { \"M\": { \"type\": \"var\" } },"
	"\"inputs\": { \"x\": { \"shape\": [\"M\", \"M\"], "
	"\"dtype\": \"float32\" } },"
	"\"outputs\": { \"y\": { \"shape\": [\"M\", \"M\"], "
	"\"dtype\": \"float32\", \"tolerance\": 1e-5 } },"
	"\"kernel\": [\"kernel.c\"], \"reference\": \"reference.c\","
	"\"cases\": [ { \"name\": \"main\", \"axes\": { \"M\": 2048 } } ] }";

static const char source[] = "#include <math.h>\n"
			     "void kernel(const float x[M][M], float y[M][M])\n"
			     "{\n"
			     "\tfor (int i = 0; i < M; i++)\n"
			     "\t\tfor (int j = 0; j < M; j++) {\n"
			     "\t\t\tfloat s = 0.0f;\n"
			     "\t\t\tfor (int k = 0; k < M; k++)\n"
			     "\t\t\t\ts += x[i][k] * x[k][j];\n"
			     "\t\t\ty[i][j] = expf(s);\n"
			     "\t\t}\n"
			     "}\n";

/* What agents are asked with, and what they answered. */
static struct ao_agent *agent;
static struct ao_task *task;
static struct ao_kernel kernel;
static struct ao_machine machine = { .vector_bytes = 32 };
static struct ao_memory memory;
static struct ao_strs tried;
static struct ao_rng rng;

static struct ao_plan plans[64];
static size_t plan_count;
static struct ao_kernel written;
static bool has_written;
static enum ao_verdict verdict;
static struct ao_insight insight;
static bool has_insight;

static void on_plans(void *data, const struct ao_plan *p, size_t count,
		     struct ao_error *err)
{
	(void)data;
	EXPECT(!err);
	for (size_t i = 0; i < plan_count; i++)
		ao_plan_release(&plans[i]);
	plan_count = count < 64 ? count : 64;
	for (size_t i = 0; i < plan_count; i++)
		ao_plan_copy(&plans[i], &p[i]);
}

static void ask_plans(uint32_t count, bool is_sweep)
{
	struct ao_plan_request req = {
		.task = task,
		.kernel = &kernel,
		.machine = &machine,
		.memory = &memory,
		.tried = &tried,
		.count = count,
		.is_sweep = is_sweep,
		.rng = &rng,
	};

	agent->ops->plan(agent, &req, on_plans, NULL);
}

static void on_kernel(void *data, const struct ao_kernel *k, enum ao_verdict v,
		      const char *detail, struct ao_error *err)
{
	(void)data;
	EXPECT(!err);
	EXPECT(k || (detail && *detail));
	ao_kernel_release(&written);
	has_written = k != NULL;
	verdict = v;
	if (k)
		ao_kernel_copy(&written, k);
}

static void ask_kernel(const struct ao_plan *plan)
{
	struct ao_write_request req = {
		.task = task,
		.kernel = &kernel,
		.machine = &machine,
		.plan = plan,
	};

	agent->ops->write(agent, &req, on_kernel, NULL);
}

static void on_insight(void *data, const struct ao_insight *i,
		       struct ao_error *err)
{
	(void)data;
	EXPECT(!err);
	ao_insight_release(&insight);
	has_insight = i != NULL;
	if (i)
		ao_insight_copy(&insight, i);
}

static bool has_move(const char *move)
{
	size_t len = strlen(move);

	for (size_t i = 0; i < plan_count; i++)
		if (!strncmp(plans[i].move, move, len) &&
		    (!plans[i].move[len] || plans[i].move[len] == ' '))
			return true;
	return false;
}

static void plans_say_what_where_and_why(void)
{
	ask_plans(12, false);
	EXPECT(plan_count > 1 && plan_count <= 12);
	EXPECT(has_move("tile") && has_move("exp"));
	for (size_t i = 0; i < plan_count; i++) {
		EXPECT(*plans[i].title && !strchr(plans[i].title, '\n'));
		EXPECT(*plans[i].text && plans[i].features);
		EXPECT(!strcmp(plans[i].agent, "catalog"));
		EXPECT(strlen(plans[i].id) == AO_RECORD_ID_DIGITS);
	}
}

static void equal_requests_get_equal_plans(void)
{
	struct ao_strs before = { 0 };

	ask_plans(12, false);
	for (size_t i = 0; i < plan_count; i++)
		ao_strs_pushf(&before, "%s %s", plans[i].id, plans[i].move);
	ask_plans(12, false);
	EXPECT(plan_count == before.count);
	for (size_t i = 0; i < plan_count && i < before.count; i++) {
		char *now = ao_xstrf("%s %s", plans[i].id, plans[i].move);

		EXPECT(!strcmp(now, before.v[i]));
		free(now);
	}
	ao_strs_release(&before);
}

static void plan_ids_differ_by_kernel_and_by_move(void)
{
	char first[AO_RECORD_ID_DIGITS + 1];

	ask_plans(12, false);
	memcpy(first, plans[0].id, sizeof(first));
	EXPECT(strcmp(plans[1].id, first) != 0);
	kernel.id[0] = 'f';
	ask_plans(12, false);
	kernel.id[0] = 'a';
	EXPECT(strcmp(plans[0].id, first) != 0);
}

static void what_was_tried_is_not_planned_again(void)
{
	ask_plans(64, false);
	for (size_t i = 0; i < plan_count; i++)
		ao_strs_push(&tried, plans[i].move);
	ask_plans(64, false);
	for (size_t i = 0; i < plan_count; i++)
		EXPECT(!ao_strs_has(&tried, plans[i].move));
	ao_strs_release(&tried);
}

static void what_waits_is_planned_in_its_turn(void)
{
	bool has_restrict = false;

	for (int i = 0; i < 32; i++) {
		ask_plans(12, false);
		has_restrict |= has_move("restrict");
		for (size_t k = 0; k < plan_count; k++)
			ao_strs_push(&tried, plans[k].move);
	}
	EXPECT(has_restrict && !plan_count);
	ao_strs_release(&tried);
}

static void memory_decides_what_comes_first(void)
{
	char move[] = "restrict", params[] = "", features[] = "alias";
	struct ao_plan_stat stat = { .move = move,
				     .params = params,
				     .features = features,
				     .tries = 50,
				     .sum_faster = 500.0 };

	memory = (struct ao_memory){ .stats = &stat, .stat_count = 1 };
	ask_plans(12, false);
	EXPECT(plan_count && !strcmp(plans[0].move, "restrict"));
	memory = (struct ao_memory){ 0 };
}

static void a_plan_becomes_a_kernel_without_chance(void)
{
	ask_plans(1, false);
	EXPECT(plan_count == 1);
	ask_kernel(&plans[0]);
	EXPECT(has_written && written.count == 1);
	EXPECT(has_written && strcmp(written.files[0].data, source) != 0);
	EXPECT(has_written && !strcmp(written.files[0].path, "kernel.c"));
}

static void a_plan_that_does_not_apply_gives_no_code(void)
{
	char move[] = "tile site=77 rows=6 vecs=2 depth=64";
	char unknown[] = "levitate";
	struct ao_plan plan = { .move = move };

	ask_kernel(&plan);
	EXPECT(!has_written && verdict == AO_VERDICT_NO_CODE);
	plan.move = unknown;
	ask_kernel(&plan);
	EXPECT(!has_written && verdict == AO_VERDICT_NO_CODE);
}

static void a_sweep_varies_numbers_only(void)
{
	char *before = kernel.files[0].data;
	size_t len = kernel.files[0].len;

	ask_plans(64, true);
	EXPECT(plan_count == 0);
	ask_plans(1, false);
	EXPECT(!strncmp(plans[0].move, "tile ", 5));
	ask_kernel(&plans[0]);
	EXPECT(has_written);
	if (!has_written)
		return;
	kernel.files[0].data = written.files[0].data;
	kernel.files[0].len = written.files[0].len;
	ask_plans(64, true);
	EXPECT(plan_count > 3);
	for (size_t i = 0; i < plan_count; i++)
		EXPECT(!strncmp(plans[i].move, "sweep ", 6));
	kernel.files[0].data = before;
	kernel.files[0].len = len;
}

static void a_pair_teaches_what_was_changed_and_what_it_gave(void)
{
	struct ao_summary_request req = {
		.task = task, .slow = &kernel, .fast = &written, .log_gain = 0.7
	};

	ask_plans(1, false);
	ask_kernel(&plans[0]);
	EXPECT(has_written);
	req.plan = &plans[0];
	agent->ops->summarize(agent, &req, on_insight, NULL);
	EXPECT(has_insight);
	EXPECT(has_insight && !strcmp(insight.title, plans[0].title));
	EXPECT(has_insight && strstr(insight.text, "2.01"));
	EXPECT(has_insight && strstr(insight.slow_code, "s += x[i][k]"));
	EXPECT(has_insight && strstr(insight.fast_code, "TILE_ROWS"));
	EXPECT(has_insight && !strcmp(insight.features, plans[0].features));
}

static void a_loss_teaches_what_to_avoid(void)
{
	struct ao_summary_request req = { .task = task,
					  .slow = &written,
					  .fast = &kernel,
					  .log_gain = 0.7,
					  .plan_made_slow = true };

	ask_plans(1, false);
	ask_kernel(&plans[0]);
	req.plan = &plans[0];
	agent->ops->summarize(agent, &req, on_insight, NULL);
	EXPECT(has_insight && strstr(insight.title, "not "));
	EXPECT(has_insight && strstr(insight.text, "slower"));
}

static void equal_kernels_teach_nothing(void)
{
	struct ao_summary_request req = { .task = task,
					  .slow = &kernel,
					  .fast = &kernel,
					  .log_gain = 0.1,
					  .plan = &plans[0] };

	agent->ops->summarize(agent, &req, on_insight, NULL);
	EXPECT(!has_insight);
}

static void it_does_not_repair(void)
{
	EXPECT(!agent->ops->fix);
}

int main(void)
{
	struct ao_error *err = ao_task_parse(&task, "task.json", task_json,
					     strlen(task_json));

	if (err) {
		ao_error_print(stdout, err, true);
		return 1;
	}
	agent = ao_catalog_new();
	ao_rng_seed(&rng, 1);
	ao_kernel_add(&kernel, "kernel.c", source, strlen(source));
	memset(kernel.id, 'a', AO_ID_SIZE - 1);

	RUN(plans_say_what_where_and_why);
	RUN(equal_requests_get_equal_plans);
	RUN(plan_ids_differ_by_kernel_and_by_move);
	RUN(what_was_tried_is_not_planned_again);
	RUN(what_waits_is_planned_in_its_turn);
	RUN(memory_decides_what_comes_first);
	RUN(a_plan_becomes_a_kernel_without_chance);
	RUN(a_plan_that_does_not_apply_gives_no_code);
	RUN(a_sweep_varies_numbers_only);
	RUN(a_pair_teaches_what_was_changed_and_what_it_gave);
	RUN(a_loss_teaches_what_to_avoid);
	RUN(equal_kernels_teach_nothing);
	RUN(it_does_not_repair);

	on_plans(NULL, NULL, 0, NULL);
	ao_kernel_release(&written);
	ao_kernel_release(&kernel);
	ao_insight_release(&insight);
	ao_task_free(task);
	agent->ops->free(agent);
	return tap_done();
}
